"""Takebacks by agreement: the dice are new, and everybody is notified."""

import random

import pytest

from rulekit.common.errors import IllegalChoice, RulekitError
from rulekit.engine.saves.recorder import replay
from rulekit.engine.saves.save_format import parse_save
from rulekit.runtime.slots import COUNTER
from rulekit.server.online import table_actions
from rulekit.server.room_loader import reopened
from tests.server.table_clients import LIBRARY


def room_of(online, id):
    return reopened(online.site.store, online.site.store.row(id), LIBRARY, online.site.hub.policy)


def rolls(room, seed=0):
    """Play until a choice has rolled a die. Return its side and the choice."""
    chance = random.Random(seed)
    while True:
        side, before = room.state.decision.player, room.state.slots[COUNTER]
        key = chance.choice(room.state.decision.options).key
        room.take(side, room.choices, [key])
        if room.state.slots[COUNTER] != before:
            return side, key


def events(room):
    return [str(event) for event in room.state.events]


def test_after_an_agreement_the_same_choice_rolls_anew(online, anna, bert):
    room = room_of(online, online.game(anna, bert))
    side, key = rolls(room)
    stood, found = room.choices - 1, set()
    old = str(events(room))
    for _ in range(20):
        room.take_back(stood, side)
        with pytest.raises(IllegalChoice):
            room.redo(side, stood)
        room.take(side, stood, [key])
        found.add(str(events(room)))
    assert found - {old}


def test_seats_and_spectators_are_told_that_dice_are_new_and_from_where_on(online, anna, bert):
    room = room_of(online, online.game(anna, bert))
    side, _ = rolls(room)
    assert room.state_message(side, "en").renewed is None
    room.take_back(room.choices - 2, side)
    stood = room.choices
    rolls(room, 1)
    assert {room.state_message(seat, "en").renewed for seat in ("red", "blue", None)} == {stood}
    room.take_back(0, side)
    assert room.state_message(None, "en").renewed == 0


def test_the_journal_replays_and_another_process_follows(online, anna, bert):
    id = online.game(anna, bert)
    room, other = room_of(online, id), room_of(online, id)
    for number in range(4):
        side, _ = rolls(room, number)
        other.follow()
        room.take_back(max(0, room.choices - 3), side)
        assert other.follow() and not other.lost
        assert other.state == room.state and other.renewed == room.renewed
    rolls(other, 9)
    room.follow()
    assert not room.lost and events(room) == events(other) == events(room_of(online, id))
    row = online.site.store.row(id)
    save = parse_save(row.header + "".join(text for _, text in online.site.store.lines(id)))
    for everything in (False, True):
        done = replay(LIBRARY.game("skirmish"), save, everything=everything)
        assert done.ok and [str(event) for event in done.state.events] == events(room)


def test_seats_that_play_by_themselves_have_new_chances_too(online, anna):
    """Otherwise their choices after an agreement would be predictable."""
    room = room_of(online, anna.opens(seats={"blue": "random"}, seed="0x" + "1" * 32))
    before = room.agents[:]
    room.take("red", 0, [room.state.decision.options[0].key])
    room.take_back(0, "red")
    assert [type(agent) for agent in room.agents] == [type(agent) for agent in before]
    seeds = [
        (old._seed, new._seed)
        for old, new in zip(before, room.agents, strict=True)
        if old is not None
    ]
    assert seeds and all(old != new for old, new in seeds)


def test_an_offer_that_lapsed_meanwhile_takes_nothing_back(online, anna, bert):
    """It was accepted while the next choice was being made, so the agreement no longer fits."""
    id = online.game(anna, bert)
    room = room_of(online, id)
    room.take("red", 0, [room.state.decision.options[0].key])
    assert (
        anna.post(
            f"/api/tables/{id}/offers", {"side": "red", "kind": "takeback", "choice": 0}
        ).status_code
        == 204
    )
    [offer] = anna.table_status(id)["offers"]
    fresh = room_of(online, id)
    fresh.take(fresh.state.decision.player, 1, [fresh.state.decision.options[0].key])
    room = room_of(online, id)
    with pytest.raises(RulekitError):
        room.take_back(0, "red", lambda db: table_actions.settle(db, offer["id"], "accepted"))
    assert room.lost and room_of(online, id).choices == fresh.choices
    assert (
        bert.post(
            f"/api/tables/{id}/offers/{offer['id']}", {"side": "blue", "accept": True}
        ).status_code
        == 404
    )


def test_nobody_asks_for_a_whole_game_back(online, anna, bert, monkeypatch):
    monkeypatch.setattr(table_actions, "MOST_BACK", 2)
    id = online.game(anna, bert)
    with anna.looks(id, "red") as red:
        red.take("march red.H1", "to ford", "stop")
    wish = {"side": "red", "kind": "takeback"}
    found = anna.post(f"/api/tables/{id}/offers", wish | {"choice": 0})
    assert (
        found.status_code == 400
        and "at most 2 choices" in found.json()["error"]
        and anna.table_status(id)["offers"] == []
    )
    assert anna.post(f"/api/tables/{id}/offers", wish | {"choice": 1}).status_code == 204
