"""The language reference on movements, in a game of five places."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import rulekit
from rulekit.engine.explain.refusals import step_price
from rulekit.engine.kernel.walk_history import steps_since
from tests.language.played import Played, play, stored_model
from tests.small_games import write_game

MAP = """places:
  kind: Zone
  source: {assumed: "an example"}
  members: {a: {at: [0, 1]}, b: {at: [1, 0]}, c: {at: [1, 2]}, d: {at: [2, 1]}, e: {at: [3, 1]}}
borders:
  kind: Way
  source: {assumed: "an example"}
  members:
    - {between: [a, b], steep: false}
    - {between: [a, c], steep: true}
    - {between: [b, c], steep: false}
    - {between: [b, d], steep: true}
    - {between: [c, d], steep: false}
    - {between: [d, e], steep: false}
"""
RULES = """
unit PM
kind Zone
kind Way joins Zone
  fixed steep: bool
state place: Zone = a
state shut: bool
state got: 0..999999
state began: Zone?
state stranded_at: Zone?
event entered(z: Zone)
  place := z
event told(n: 0..9)
  got := 10 * got + n
movement go(most: 0..9 PM)
  over Way w from x to y
  CLAUSES
  on entry
    entered(y)
    began := start
    ENTRY
  stranded
    stranded_at := place
reaction wait after entered "Wait"
  for blue
  when z = WATCHED
  limit 1 per game
  ANSWER
phase main
  START
  got := got + 1000 * count(reach go(FUEL) from a)
  finish none, drawn
"""
WALK = "walk go(FUEL) from a by red"


def walked(
    folder: Path,
    clauses: str,
    *wishes: str,
    entry: str = "told(1)",
    watched: str = "none",
    answer: str = "told(9)",
    fuel: str = "4 PM",
    start: str = WALK,
) -> Played:
    """Play a game with these lines in its movement."""
    watched = "a and z = b" if watched == "none" else watched
    rules = (
        RULES.replace("CLAUSES", clauses.replace("; ", "\n  "))
        .replace("START", start)
        .replace("ENTRY", entry)
        .replace("FUEL", fuel)
    )
    model = stored_model(
        folder, rules.replace("WATCHED", watched).replace("ANSWER", answer), map=MAP
    )
    return play(model, *wishes)


COST = "allowance most; cost 2 PM if w.steep else 1 PM"


@pytest.mark.docs("language#8-movement")
def test_a_step_is_offered_that_can_be_paid_to_where_he_has_not_been(tmp_path: Path) -> None:
    """It is offered down to the last point. A stop is offered after a step, not before the first.
    The start cannot be entered again."""
    found = walked(tmp_path, COST, "to b", "to c", "to d")
    assert found.asked == [
        "red: to b, to c",
        "red: to c, to d, stop",
        "red: to d, stop",
        "red: to e, stop",
    ]
    assert walked(tmp_path, COST, "to b", fuel="2 PM").asked == [
        "red: to b, to c",
        "red: to c, stop",
    ]
    found = walked(
        tmp_path, COST, fuel="1 PM"
    )  # one step can be paid, it is taken, and no fuel is left
    assert found.asked == [] and found["place"] == 1


@pytest.mark.docs("language#8-movement")
@pytest.mark.parametrize(
    ("clauses", "asked", "place", "ends"),
    [
        ("may enter y != b; may enter y != d", "", 2, 1),
        ("may enter y = b or x = b; may enter y != c", "red: to d, stop", 1, None),
        ("may enter y != b or x = a; may end when y = e", "red: to b, to c", 0, None),
        ("may end when y = e; must stop when y = d", "", 0, 0),
        ("may end when y = b; must stop when y = c", "", 1, 1),
        (
            "may end when y = b or y = e; may end when y = e; may enter y = c or x != a",
            "red: to b, to d",
            2,
            None,
        ),
        ("must stop when w.steep; must stop when y = b", "red: to b, to c", 0, None),
        ("may enter no Zone", "", 0, 0),
        ("must stop when w.steep; must stop when y = b; may enter y != c", "", 1, 1),
        ("must stop when y = b; must stop when w.steep; may enter y != b", "", 2, 1),
        (
            (
                "may enter y = b or x = b; may enter y = d or y = b; must stop when y = d; may end"
                " when y = d"
            ),
            "",
            3,
            1,
        ),
    ],
)
def test_a_step_is_offered_from_where_the_walk_can_still_end(
    tmp_path: Path, clauses: str, asked: str, place: int, ends: int | None
) -> None:
    """Every `may enter` and `may end` must hold, and one `must stop` suffices.

    A single possibility is chosen automatically, also at the first step. A walk that cannot begin
    changes nothing. `reach` names the places where it could end.
    """
    found = walked(tmp_path, f"{COST}; {clauses}", fuel="9 PM")
    assert ("".join(found.asked), found["place"], found["stranded_at"]) == (asked, place, -1)
    assert ends is None or found["got"] // 1000 == ends


@pytest.mark.docs("language#8-movement")
def test_where_he_may_not_end_he_goes_on(tmp_path: Path) -> None:
    """A stop is offered only if every `may end` holds."""
    found = walked(
        tmp_path, f"{COST}; may end when y != c; may end when y != b", "to b", "to c", fuel="9 PM"
    )
    assert found.asked == ["red: to b, to c", "red: to c, to d", "red: to e, stop"]


SHUTTING = "shut := true when y = c"


@pytest.mark.parametrize(
    ("clauses", "wishes", "place", "stranded"),
    [
        ("may enter not shut; may end when y = d", ["to c"], 2, True),
        ("may enter not shut; may end when y = d", ["to b", "to c"], 2, True),
        ("may enter not shut; may end when y != d", ["to c"], 2, False),
        ("may enter not shut; may end when y = d", ["to b", "to d"], 3, False),
        (
            "may enter x != a or not shut; may end when y != d; must stop when shut",
            ["to c"],
            2,
            False,
        ),
    ],
)
def test_stranded_is_who_has_begun_and_for_whom_nothing_is_legal_any_more(
    tmp_path: Path, clauses: str, wishes: list[str], place: int, stranded: bool
) -> None:
    """A walk that may end there, or never began, is not stranded."""
    found = walked(tmp_path, f"{COST}; {clauses}", *wishes, entry=SHUTTING, fuel="9 PM")
    assert (found["place"], found["stranded_at"]) == (place, place if stranded else -1)


def test_inside_of_an_entry_start_is_where_the_walk_began(tmp_path: Path) -> None:
    """This holds at the second step, and for a walk that begins elsewhere."""
    assert walked(tmp_path, COST, "to b", "to d", "stop")["began"] == 0
    found = walked(tmp_path, COST, "to c", "to a", start="walk go(FUEL) from b by red")
    assert found.asked[0] == "red: to a, to c, to d" and found["began"] == 1


@pytest.mark.docs("language#8-movement")
def test_a_reaction_to_an_entry_interrupts_the_walk(tmp_path: Path) -> None:
    """The reaction is asked between two steps. Then the walk continues, or ends if it is halted."""
    found = walked(tmp_path, COST, "to b", "wait", "to c", "stop", watched="b")
    assert found.asked == [
        "red: to b, to c",
        "blue: wait, pass",
        "red: to c, to d, stop",
        "red: to d, stop",
    ]
    assert found["got"] % 1000 == 911  # blue answers before the next statement of the entry
    found = walked(tmp_path, COST, "to b", "wait", watched="b", answer="answer halt")
    assert (found["place"], found["stranded_at"], found.asked[1:]) == (1, -1, ["blue: wait, pass"])
    found = walked(
        tmp_path, f"{COST}; may end when y != b", "to b", "wait", watched="b", answer="answer halt"
    )
    assert (found["place"], found["stranded_at"]) == (1, 1)


@pytest.mark.docs("language#8-movement")
def test_a_place_that_may_not_be_entered_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_text(MAP)
    clauses = 'allowance most\n  cost 1 PM\n  may enter not w.steep "the wall is closed"  ref "3.2"'
    rules = (
        RULES.replace("CLAUSES", clauses)
        .replace("START", WALK)
        .replace("FUEL", "4 PM")
        .replace("ENTRY", "told(1)")
    )
    state = rulekit.load(
        write_game(tmp_path, rules.replace("WATCHED", "a and z = b").replace("ANSWER", "told(2)"))
    ).new(seed=1)
    assert state.decision is not None and [o.key for o in state.decision.options] == [
        "to c",
        "stop",
    ]
    assert state.why("to d") == ["'to d' is refused: the wall is closed [3.2]"]
    with pytest.raises(rulekit.IllegalChoice, match="the wall is closed"):
        state.apply("to d")


def standing(folder: Path, clauses: str) -> rulekit.State:
    """Return the state at the decision on the first step."""
    (folder / "map.yaml").write_text(MAP)
    rules = (
        RULES.replace("CLAUSES", clauses)
        .replace("START", WALK)
        .replace("FUEL", "4 PM")
        .replace("ENTRY", "told(1)")
    )
    return rulekit.load(
        write_game(folder, rules.replace("WATCHED", "a and z = e").replace("ANSWER", "told(2)"))
    ).new(seed=1)


def test_the_steps_of_a_walk_are_those_written_since(tmp_path: Path) -> None:
    """They are counted from before and after each record. A step counts until it is before the
    mark."""
    state = standing(tmp_path, "allowance most\n  cost 1 PM")
    for choice in ("to b", "to c"):
        state.apply(choice)
    been = {
        var.slot
        for proc in state.table.program.procs
        if proc.word == "movement"
        for var in proc.vars
        if var.name == "been"
    }
    since = [
        [step.place for step in steps_since(state, length)]
        for length in range(0, len(state.trail) + 1, 2)
    ]
    last = [state.trail[2 * n] for n, (a, b) in enumerate(pairwise(since)) if a != b]
    assert since[0] == [1, 2] and since[-1] == [] and len(last) == 2 and {*last} <= been


def test_what_a_step_costs_is_told_where_something_counts_it(tmp_path: Path) -> None:
    for name, clauses, costs in (
        ("counted", "allowance most\n  cost 1 PM", "1 PM"),
        ("free", "may enter y != e", ""),
    ):
        (tmp_path / name).mkdir()
        state = standing(tmp_path / name, clauses)
        assert state.decision is not None and state.decision.options[0].key == "to b"
        assert step_price(state, state.decision.options[0].id) == costs
