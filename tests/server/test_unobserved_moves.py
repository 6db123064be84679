"""Messages to pages while the other side makes unobservable choices: none."""

import asyncio
import json
from pathlib import Path

import pytest

from rulekit.engine.search.search_agent import Effort
from rulekit.server import protocol
from rulekit.server.background_analysis import Study
from tests.server.test_twin_messages import Sent, sitting

PLANS = Path(__file__).parents[1] / "fixtures" / "plans"


def done(tmp_path, does):
    """Run a function with a table of the small game at which all sit."""

    async def all_of_it(made):
        await made.sit("en", False)
        return await does(made)

    with sitting(tmp_path / "tables.db", PLANS, None, 1) as made:
        return asyncio.run(all_of_it(made))


async def take(made, *keys):
    """Make choices of the deciding player, one click each."""
    for key in keys:
        await made.hear(Sent(made.state.decision.player, {"type": "take", "at": 0, "keys": [key]}))


def sent(made, side):
    """Return the messages to a page, without answers to its requests."""
    return [
        message
        for message in (json.loads(text) for _, text in made.told[side])
        if message["type"] == "state"
    ]


def test_of_what_it_cannot_notice_a_page_is_sent_nothing(tmp_path):
    """This holds for choice, undo and redo. Then one number covers all that it may know."""

    async def plays(made):
        await take(made, "call")
        before = {side: len(made.told[side]) for side in made.told}
        await take(made, "train r1", "train r2")
        await made.hear(Sent("red", {"type": "undo", "at": 0}))
        await made.hear(Sent("red", {"type": "redo", "at": 0}))
        await made.hear(Sent("red", {"type": "undo", "at": 0}))
        assert [len(made.told[side]) - before[side] for side in ("blue", None)] == [0, 0]
        assert len(made.told["red"]) == before["red"] + 10
        await take(made, "drum")
        assert [
            (sent(made, side)[-1]["choice"], sent(made, side)[-1]["deciders"])
            for side in ("red", "blue", None)
        ] == [(3, ["red"]), (2, ["red"]), (2, ["red"])]
        await take(made, "done")
        return [sent(made, side)[-1]["choice"] for side in ("red", "blue", None)]

    assert done(tmp_path, plays) == [4, 3, 2]


def test_where_a_page_stands_it_asks_and_looks_back_by_its_own_numbers(tmp_path):
    async def plays(made):
        await take(made, "call", "train r1", "train r2", "drum", "done")
        before = made.state.move_number()
        for number in (2, before):  # the number in all choices is not a number of this page
            await made.hub.hear(
                "the table", made.pages["blue"], protocol.Take(number, ["call"], number)
            )
        assert (
            made.state.move_number() == before
            and [json.loads(text)["type"] for _, text in made.told["blue"][-4:]]
            == ["refused", "state"] * 2
        )
        found = []
        for number in range(4):
            await made.hear(Sent("blue", {"type": "frame", "choice": number}))
            position = json.loads(made.told["blue"][-1][1])["value"]
            found.append((position["choice"], position["state"]["noise"]["red"]))
        await take(made, "call")
        return found, sent(made, "blue")[-1]["choice"], sent(made, "blue")[-1]["deciders"]

    assert done(tmp_path, plays) == ([(0, 0), (1, 2), (2, 3), (3, 3)], 4, ["blue"])


def test_at_the_end_the_numbers_are_those_of_all_choices(tmp_path):
    """The whole log is sent again, because its lines have other numbers."""

    async def plays(made):
        for _ in range(2):
            await take(
                made,
                "call",
                "train r1",
                "done",
                "call",
                "train b1",
                "done",
                "pick ford",
                "pick hill",
            )
        return made.state.move_number(), sent(made, "blue")[-1], sent(made, "blue")[-2]

    count, last, before = done(tmp_path, plays)
    assert (last["choice"], last["begin"], last["since"], len(last["deciders"])) == (
        count,
        0,
        0,
        count,
    )
    assert before["choice"] < count - 1
    assert {line["choice"] for line in last["lines"]} > {line["choice"] for line in before["lines"]}


def test_what_is_agreed_to_be_taken_back_is_counted_by_who_asked_for_it(tmp_path):
    """The target is blue's second choice, which is red's fourth."""

    async def plays(made):
        await take(made, "call", "train r1", "train r2", "drum", "done")
        await made.hub.take_back("the table", 2, "blue")
        return made.state.move_number(), [
            sent(made, side)[-1]["choice"] for side in ("red", "blue", None)
        ]

    assert done(tmp_path, plays) == (4, [4, 2, 2])


def test_the_best_lines_are_of_the_choice_that_comes_by_the_numbers_of_the_seat(
    tmp_path, monkeypatch
):
    """The seat's own numbers are used, or all numbers after another end of the game."""
    monkeypatch.setattr(
        "rulekit.server.background_analysis.effort", lambda seconds: Effort(0.0, 10)
    )

    async def plays(made):
        await take(made, "call", "train r1", "train r2", "drum", "done")
        return [
            Study(made.state.clone(), "blue", "en", over).analysis(0.0).choice
            for over in (False, True)
        ]

    assert done(tmp_path, plays) == [4, 6]


def test_at_a_game_that_was_ended_a_page_counts_all(tmp_path):
    """It is notified though nothing was chosen."""

    async def plays(made):
        await take(made, "call", "train r1", "train r2")
        before = sent(made, "blue")[-1]["choice"]
        made.room.ended = True
        await made.hub.broadcast.update_all(made.open)
        return (
            before,
            sent(made, "blue")[-1]["choice"],
            sent(made, "blue")[-1]["position"]["choice"],
        )

    assert done(tmp_path, plays) == (1, 3, 3)


@pytest.mark.parametrize(
    "where, fault",
    [
        (
            "rulekit.server.room.Room.stand",
            lambda room, seat: (room.count(seat).now, None),
        ),  # defect: a page gets a message for every action
        (
            "rulekit.server.room.Room.stand",
            lambda room, seat: (room.choices, room.choices),
        ),  # defect: all choices are counted
    ],
)
def test_that_a_page_is_told_though_it_sees_the_same_is_noticed(
    where, fault, tmp_path, monkeypatch
):
    """Planted faults are detected."""
    monkeypatch.setattr(where, fault)
    with pytest.raises(AssertionError):
        test_of_what_it_cannot_notice_a_page_is_sent_nothing(tmp_path)
