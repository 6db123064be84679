"""Paths that depend on hidden values: the forecast is true for every possible value, and the same
for all of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulekit
from rulekit import Seat
from tests.presentation.priced_games import SCOUTED, SCOUTS, new_game

DEPTH = {
    "state zone: Zone? seen by owner": "state zone: Zone?",
    "event entered": "state depth(s: Side): 0..9 seen by s\nevent entered",
    "allowance 2": "allowance 1",
    "entered(b1, north)": "b1.zone := none",
    "from south by": "from middle by",
    "entered(r1, south)": "entered(r1, middle)",
    "    entered(p, z)\nsetup": "    entered(p, south if DEEP else z)\nsetup",
}


def fords(folder: Path, deep: str, *changes: tuple[str, str], map: str = SCOUTED) -> rulekit.State:
    """Return a state in which red walks one step from the middle, and is carried to the south where
    it is `deep`. Only blue sees the depth."""
    rules = SCOUTS
    for old, new in (*DEPTH.items(), ("DEEP", deep), *changes):
        assert old in rules
        rules = rules.replace(old, new)
    (folder / "map.yaml").write_text(map)
    return new_game(folder, rules)


def told(
    state: rulekit.State,
) -> tuple[dict[str, tuple[object, ...]], dict[str, tuple[object, ...]]]:
    """Return the places that red's scout may reach, and the stated end of each step."""
    red = Seat(state, "red")
    asked = red.decision()
    assert asked is not None and asked.options is not None
    places = {r.place: (r.keys, r.may_stop, r.stopped_by, r.sure) for r in red.forecast().places}
    return places, {o.key: (o.ends_at, o.may_stop) for o in asked.options}


@pytest.mark.parametrize(
    ("deep", "north"),
    [
        ("depth(blue) > 3", False),
        ("depth(blue) = 9", False),
        ("depth(blue) > 8 and depth(blue) < 9", True),
        ("depth(blue) > 9 - count(Zone)", False),
    ],
)
def test_all_that_a_value_may_be_is_tried(tmp_path: Path, deep: str, north: bool) -> None:
    """The depth may be 0 to 9. The north is certain only if no depth is too large. The south is, by
    the step there."""
    state, answers = fords(tmp_path, deep), []
    for depth in (0, 4, 9):
        state.set("depth.blue", depth)
        places, ends = told(state)
        assert places.get("north") == ((("to north",), True, None, 1) if north else None)
        assert places["south"] == (("to south",), True, None, 1)
        assert ends == {"to south": ("south", True), "to north": ("north" if north else None, True)}
        answers.append(json.dumps(Seat(state, "red").forecast().to_json()))
    assert len(set(answers)) == 1
    assert [place["place"] for place in json.loads(answers[0])["places"]] == (
        ["south", "north"] if north else ["south"]
    )


@pytest.mark.docs("python#odds-before-the-deed")
@pytest.mark.parametrize(
    ("range", "most", "tried"),
    [("0..900", 900, False), ("0..40", 40, False), ("0..36", 36, False), ("0..35", 36, True)],
)
def test_what_is_too_much_to_try_is_not_known(
    tmp_path: Path, range: str, most: int, tried: bool
) -> None:
    """With too many values in all, or for 36 positions, a path that reads one is shown without
    certainty."""
    state = fords(
        tmp_path,
        f"z = north and depth(blue) = {most}",
        ("depth(s: Side): 0..9", f"depth(s: Side): {range}"),
    )
    if tried:
        assert told(state)[0] == {z: ((f"to {z}",), True, None, 1) for z in ("north", "south")}
        return
    for depth in (0, most):
        state.set("depth.blue", depth)
        places, ends = told(state)
        assert places == {
            "north": (("to north",), None, "hidden", 0),
            "south": (("to south",), True, None, 1),
        }
        assert ends == {"to south": ("south", True), "to north": (None, None)}


@pytest.mark.parametrize(
    ("range", "told"),
    [("0..900", ("", None, [None], "hidden", 0)), ("0..5", ("stop", True, [1], None, 1))],
)
def test_of_what_is_not_known_neither_the_end_nor_the_price_is_told(
    tmp_path: Path, range: str, told: object
) -> None:
    """Only the path is shown. The walk could continue or end in the north unless it is carried off
    there."""
    far = (
        SCOUTED.replace("[2, 0]}}", "[2, 0]}, far: {at: [3, 0]}}")
        + "    - {between: [north, far]}\n"
    )
    state = fords(
        tmp_path,
        "z = north and depth(blue) = 7",
        ("depth(s: Side): 0..9", f"depth(s: Side): {range}"),
        ("allowance 1", "allowance 2"),
        map=far,
    )
    (north,) = [reach for reach in Seat(state, "red").forecast().places if reach.place == "north"]
    assert (
        north.stop,
        north.may_stop,
        [p.amount for p in north.cost],
        north.stopped_by,
        north.sure,
    ) == told
    assert (north.keys, north.way) == (("to north",), ("north",))


def test_what_is_written_before_it_is_read_is_known(tmp_path: Path) -> None:
    """The entry sets the depth to one, whatever it was."""
    state = fords(
        tmp_path,
        "depth(blue) > 3",
        ("depth(s: Side): 0..9", "depth(s: Side): 0..900"),
        ("    entered(p, south if", "    depth(blue) := 1\n    entered(p, south if"),
    )
    places, ends = told(state)
    assert places == {z: ((f"to {z}",), True, None, 1) for z in ("north", "south")}
    assert ends == {f"to {z}": (z, True) for z in ("north", "south")}


@pytest.mark.parametrize(("range", "hidden"), [("0..900", True), ("0..9", True), ("0..5", False)])
def test_a_walk_whose_beginning_is_not_known_is_not_foretold(
    tmp_path: Path, range: str, hidden: bool
) -> None:
    """It begins in the north at depth 7. There are too many depths to try, or it is possible, or
    impossible."""
    state = fords(
        tmp_path,
        "false",
        ("depth(s: Side): 0..9", f"depth(s: Side): {range}"),
        (
            "  walk walk_of(r1) from middle by red\n",
            """
  choose by red "what"
    option go
      walk walk_of(r1) from (north if depth(blue) = 7 else middle) by red
""",
        ),
    )
    found = Seat(state, "red").forecast(["go"])
    assert (found.stopped_by, [reach.place for reach in found.places]) == (
        ("hidden", []) if hidden else (None, ["south", "north"])
    )


def test_which_choice_leads_to_a_group_is_not_told_where_it_is_not_known(tmp_path: Path) -> None:
    """Both may lead there: one certainly, the other at depth 7, with too many depths to try."""
    for range, hidden in (("0..900", True), ("0..5", False)):
        state = fords(
            tmp_path,
            "false",
            ("depth(s: Side): 0..9", f"depth(s: Side): {range}"),
            (
                "  walk walk_of(r1) from middle by red\n",
                """
  choose by red "what"
    option go
      pick group g from {r1} by red "who", 0 to 1
    option wait
      pick group g from Scout where owner = red and depth(blue) = 7 by red "who", 0 to 1
""",
            ),
        )
        found = Seat(state, "red").forecast(["add r1"])
        assert (found.keys, found.stopped_by) == (
            ((), "hidden") if hidden else (("go", "add r1"), "choice")
        )
