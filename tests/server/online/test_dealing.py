"""Nothing of a game is dealt, or seen, before all seats are taken."""

from contextlib import contextmanager
from pathlib import Path

import pytest

from rulekit.common.errors import RulekitError
from rulekit.engine.saves.save_format import parse_save
from rulekit.server.game_library import Library
from rulekit.server.hub import fresh
from rulekit.server.online import seating
from rulekit.server.room_loader import reopened
from rulekit.server.storage import Twice
from tests.server.visitors import serving_online

ROOT = Path(__file__).resolve().parents[3]
CARDS = Library([ROOT / "tests" / "fixtures" / "cards", ROOT / "examples" / "skirmish"])


@pytest.fixture
def cards(address):
    """A game with dealt hands. The person who opens a table names no seed."""
    with serving_online(address, library=CARDS, named_seeds=False) as made:
        yield made


@contextmanager
def sees(who, id, seat):
    with who.looks(id, seat) as page:
        yield page


def opens(who, game="cards", **wanted):
    return who.opens(**{"game": game, "seed": None, "mine": [], "access": "public", **wanted})


def sides(online, id):
    return list(online.site.store.row(id).seats)


def dealt(online, id):
    """Return the stored header and set-up."""
    row, lines = online.site.store.journal(id)
    return row.header, lines[0][1]


def test_who_waits_sees_what_a_spectator_sees(cards):
    anna, bert = cards.new("Anna"), cards.new("Bert")
    id = opens(anna)
    for side in sides(cards, id):
        anna.post(f"/api/tables/{id}/seats/{side}")
        with sees(anna, id, side) as own, sees(bert, id, None) as other:
            assert own.table["yours"] == [side] and own.state["lines"] == [] == other.state["lines"]
            assert (
                own.state["position"] | {"undo": None} == other.state["position"] | {"undo": None}
                and own.keys == []
            )
            assert (
                own.state["decision"] is None
                and own.state["choice"] == 0
                and own.table["seed"] is None
            )
            for asked in (
                {"type": "frame", "choice": 0},
                {"type": "odds", "at": 0},
                {"type": "explain", "at": 0, "name": "vp"},
                {"type": "why", "at": 0, "key": "x"},
                {"type": "forecast", "at": 0, "keys": []},
                {"type": "hint", "at": 0},
                {"type": "why_not", "at": 0, "thing": "x"},
                {"type": "preview", "at": 0, "keys": []},
                {"type": "undo", "at": 0},
            ):
                assert "seats are taken" in own.answer(**asked)["why"]
        anna.delete(f"/api/tables/{id}/seats/{side}")
    assert [each["decides"] for each in anna.get("/api/tables").json()] == [None]


def test_two_tables_look_the_same_before_play_begins(cards):
    """Nothing random is shown, whatever was dealt."""
    anna = cards.new("Anna")
    seen = []
    for _ in range(4):
        id = opens(anna)
        with sees(anna, id, None) as page:
            seen.append(
                (
                    page.state["position"],
                    page.state["decision"],
                    page.state["lines"],
                    page.table["sheet"],
                )
            )
    assert all(each == seen[0] for each in seen)


@pytest.mark.parametrize("by", ["seat", "invitation"])
def test_the_game_is_dealt_when_the_last_seat_is_taken(cards, by):
    """Waiting pages get the new deal, and all pages the stored one, however the seat is taken."""
    anna, bert = cards.new("Anna"), cards.new("Bert")
    id = opens(anna)
    first, second = sides(cards, id)
    anna.post(f"/api/tables/{id}/seats/{first}")
    before = dealt(cards, id)
    with sees(anna, id, first) as page:
        waited = page.table["commitment"]
        if by == "seat":
            assert bert.post(f"/api/tables/{id}/seats/{second}").status_code == 204
        else:
            assert bert.post(f"/api/invitations/{anna.invites(id, second)}").status_code == 200
        page.until(lambda: page.table["commitment"] != waited)
        page.until(lambda: page.state["lines"] != [])
        header, setup = dealt(cards, id)
        assert header != before[0] and parse_save(header).commitment == page.table["commitment"]
        assert parse_save(header).seed != parse_save(before[0]).seed and setup.startswith('{"n":0')
        again = reopened(cards.site.store, cards.site.store.row(id), CARDS, cards.site.hub.policy)
        assert page.state["position"]["pools"] == again.state_message(first, "en").position["pools"]
        other = bert if page.state["decision"]["player"] == second else anna
        with sees(other, id, page.state["decision"]["player"]) as asked:
            assert asked.take(asked.keys[0])["type"] == "taken"


def test_a_deal_that_waits_is_thrown_away_whoever_leaves(cards):
    anna, bert = cards.new("Anna"), cards.new("Bert")
    id = opens(anna)
    first, second = sides(cards, id)
    seeds = {parse_save(dealt(cards, id)[0]).seed}
    for side in (first, second, first):
        anna.post(f"/api/tables/{id}/seats/{side}")
        anna.delete(f"/api/tables/{id}/seats/{side}")
    anna.post(f"/api/tables/{id}/seats/{second}")
    bert.post(f"/api/tables/{id}/seats/{first}")
    seeds.add(parse_save(dealt(cards, id)[0]).seed)
    assert len(seeds) == 2
    assert anna.delete(f"/api/tables/{id}/seats/{second}").status_code == 403, "begun"


@pytest.mark.parametrize("seats", [{"mine": "both"}, {"mine": "first", "machine": True}])
def test_where_nobody_is_waited_for_play_begins_at_once(cards, seats):
    anna = cards.new("Anna")
    first, second = sides(cards, opens(anna))
    id = opens(
        anna,
        mine=[first, second] if seats["mine"] == "both" else [first],
        seats={second: "random"} if "machine" in seats else {},
    )
    before = dealt(cards, id)
    with sees(anna, id, first) as page:
        assert page.state["lines"] and anna.table_status(id)["begun"]
    assert dealt(cards, id) == before


def test_a_seed_that_was_named_is_kept_and_seen_by_nobody_before(online, anna, bert):
    id = anna.opens(access="open")
    before = dealt(online, id)
    with anna.looks(id, "red") as red:
        assert red.state["lines"] == []
        bert.post(f"/api/tables/{id}/seats/blue")
        red.until(lambda: red.state["lines"] != [] and red.keys != [])
    assert dealt(online, id) == before and '"seed":"7"' in before[0]


def test_hints_and_rulings_stay(cards):
    anna, bert = cards.new("Anna"), cards.new("Bert")
    id = opens(anna, "skirmish", hints=True)
    before = parse_save(dealt(cards, id)[0]).header
    anna.post(f"/api/tables/{id}/seats/red")
    bert.post(f"/api/tables/{id}/seats/blue")
    after = parse_save(dealt(cards, id)[0]).header
    changed = {"seed", "salt", "commitment"}
    assert {key for key in before | after if before.get(key) != after.get(key)} == changed


def test_a_room_of_the_deal_before_keeps_nothing(cards):
    """Another process does not know yet that the game was dealt and has begun."""
    anna, bert = cards.new("Anna"), cards.new("Bert")
    id = opens(anna)
    old = reopened(cards.site.store, cards.site.store.row(id), CARDS, cards.site.hub.policy)
    for who, side in zip((anna, bert), sides(cards, id), strict=True):
        who.post(f"/api/tables/{id}/seats/{side}")
    begun = dealt(cards, id)
    cards.site.hub.policy.opened(old)
    assert old.halted is None
    with pytest.raises(Twice):
        old.take(old.state.decision.player, 0, [old.state.decision.options[0].key])
    assert dealt(cards, id) == begun and cards.site.store.row(id).choices == 0


def test_a_seat_that_cannot_be_taken_deals_nothing(cards):
    anna, bert = cards.new("Anna"), cards.new("Bert")
    id = opens(anna)
    first, second = sides(cards, id)
    anna.post(f"/api/tables/{id}/seats/{first}")
    before = dealt(cards, id)
    assert bert.post(f"/api/tables/{id}/seats/{first}").status_code == 403
    assert bert.post(f"/api/tables/{fresh()}/seats/{first}").status_code == 404

    def broken():
        raise RulekitError("no deal")

    with pytest.raises(RulekitError), cards.site.store.begin() as db:
        seating.sit(db, id, second, type("Who", (), {"id": seating.load(db, id).owner})(), broken)
    assert dealt(cards, id) == before and anna.table_status(id)["begun"] is None
