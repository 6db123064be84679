"""Situations: the position is set up, choices are made, and expectations pass or report the actual
value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulekit
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.situations import parse_situations
from rulekit.engine.testing.expectations import fixed, same
from rulekit.engine.testing.runner import Case, Expected, Outcome, SituationStep, keys_of_line, run
from rulekit.project.validate_situations import case_of
from tests.small_games import write_game

ROOT = Path(__file__).resolve().parents[3]
SMALL = ROOT / "examples" / "tic_tac_toe"
CARDS = ROOT / "tests" / "fixtures" / "cards"
BLOCKS = ROOT / "tests" / "fixtures" / "blocks"


def outcome(
    path: Path, do: list[tuple[str | None, str]], then: list[tuple[str, str, Any]], **given: Any
) -> Outcome:
    case = Case(
        "a test",
        do=[SituationStep(p, c) for p, c in do],
        then=[Expected(w, s, v) for w, s, v in then],
        **given,
    )
    return run(rulekit.load(path), case, cover=True)


@pytest.mark.docs("situations#do")
@pytest.mark.parametrize(
    ("line", "keys"),
    [("a", ["a"]), ("a; b c;", ["a", "b c"]), ("[a, 'b c']", ["a", "b c"]), ("[a, b]", ["a", "b"])],
)
def test_a_line_may_hold_several_choices(line: str, keys: list[str]) -> None:
    assert keys_of_line(line) == keys


def test_a_fine_one_says_nothing_and_what_it_reached() -> None:
    done = outcome(
        SMALL,
        [("x", "a1"), (None, "b2")],
        [("event", "marked", {"c": "b2", "s": "o"}), ("decision", "", "x")],
    )
    assert done.ok, done.why
    assert done.reached >= {"event marked", "option mark"}


@pytest.mark.docs("situations#do")
@pytest.mark.parametrize(
    ("do", "then", "why"),
    [
        ([("o", "a1")], [], "o is not asked now: x is"),
        ([("x", "a1"), ("o", "a1")], [], "the cell is taken"),
        ([], [("holder", "a1", "x")], "holder.a1: expected x, is none"),
        ([], [("event", "marked", None)], "event marked: expected one, is none"),
        (
            [("x", "a1")],
            [("event", "marked", {"c": "nowhere"})],
            "event marked: expected {c: nowhere}, is {c: a1, s: x}",
        ),
        ([("x", "a1")], [("no_event", "marked", {"c": "a1"})], "expected none like"),
        ([], [("event", "maked", None)], "is no event of this game"),
        ([], [("legal", "", {"not": ["mark a1"]})], "not to be legal"),
        ([("x", "a1")], [("legal", "", ["mark a1"])], "the cell is taken"),
        ([], [("options", "", 8)], "expected 8, is 9"),
        ([], [("result", "", "win")], "the game is not over"),
        ([], [("decision", "", None)], "nothing is asked, but x is"),
        ([], [("decision", "", {"colour": 1})], "has no 'colour'"),
        ([], [("total", "points", 1)], "is not a total of this game"),
        ([], [("var", "hodler.a1", "x")], "did you mean 'holder'"),
        ([], [("count", "marked", 2)], "expected 2, is 0"),
    ],
)
def test_a_failing_one_says_what_was_expected_and_what_is(do: Any, then: Any, why: str) -> None:
    done = outcome(SMALL, do, then)
    assert why in done.why
    assert done.standing


def test_what_only_the_expectations_ask_for_is_reached_too() -> None:
    """Nothing is played. The clause applies in the total of `then`, and counts as covered."""
    within = {"battle": {"z": "town", "attacker": "red"}}
    done = outcome(
        ROOT / "examples" / "skirmish",
        [],
        [("total", "combat_die", 3)],
        empty=True,
        place={"red.H1": {"": "town"}},
        within=within,
    )
    assert "clause combat_die.horse" in done.reached, (done.why, done.reached)
    assert "clause combat_die.rough" not in done.reached


@pytest.mark.docs("situations#dice")
def test_dice_are_used_up_exactly() -> None:
    deck = ["m1", "m2", "m3", "m4", "storm", "quake"]
    assert "were not used" in outcome(SMALL, [], [], dice=[1, 2]).why
    assert "neither a number nor" in outcome(CARDS, [], [], dice=["m77"]).why
    dealt: dict[str, Any] = {"empty": True, "run": "olympiad", "put": {"deck": deck}}
    assert "were too few" in outcome(CARDS, [], [], dice=["m1"], **dealt).why
    then = [
        ("size", "hand.athens", 3),
        ("in_pool", "hand.athens", ["m1", "m3"]),
        ("not_in_pool", "hand.athens", "m4"),
        ("pool", "hand.sparta", ["quake", "storm", "m4"]),
    ]
    done = outcome(CARDS, [], then, dice=deck, **dealt)
    assert done.ok, done.why


def test_state_is_set_and_the_position_is_cleared() -> None:
    done = outcome(
        SMALL,
        [("x", "c3")],
        [("result", "", {"winner": "x"})],
        set={"holder.a1": "x", "holder.b2": "x"},
    )
    assert done.ok, done.why
    assert "is not a state" in outcome(SMALL, [], [], set={"nothing": 1}).why
    assert "is no place" in outcome(BLOCKS, [], [], clear=["nowhere"]).why
    assert "is no piece" in outcome(BLOCKS, [], [], place={"nobody": {"": "chios"}}).why
    done = outcome(
        BLOCKS,
        [],
        [("hex", "athens.H1", None), ("hex", "H2", "lesbos")],
        empty=True,
        clear=["all"],
        place={"athens.H2": {"": "lesbos"}},
    )
    assert done.ok, done.why
    assert "no procedure or phase" in outcome(BLOCKS, [], [], empty=True, run="batle(chios)").why
    assert "neither a name nor a call" in outcome(BLOCKS, [], [], empty=True, run="battle((").why


def test_arguments_ranges_and_faces_are_held_to() -> None:
    assert "'b' is missing" in outcome(BLOCKS, [], [], empty=True, run="fires").why
    assert (
        "takes 1 argument, not 2"
        in outcome(BLOCKS, [], [], empty=True, run="fires(athens.H1, sparta)").why
    )
    assert (
        "strength.athens.H1: 5 is outside of 0..4"
        in outcome(BLOCKS, [], [], set={"strength.athens.H1": 5}).why
    )
    engaged = [("athens", choice) for choice in ("engage", "engage", "engage", "attack")]
    assert (
        "the result 9 cannot be rolled with 1d6"
        in outcome(BLOCKS, engaged, [], scenario="chios", dice=[9]).why
    )


HALF = """
kind Chit = storm | spy | calm
kind Loss ordered = none_lost | half | all_lost
pool hand(s: Side) of Chit
state marked: set Chit
table losses(d: 1..2) -> att: Loss, def: Loss
  1 | half | none_lost
  2 | none_lost | all_lost
define held(s: Side): set Chit = hand(s)
total worth(s: Side): int
  base count(hand(s))
  modifier rich +1 when count(hand(s)) >= 2
event noted(c: Chit, n: 0..9)
  marked += {c}
setup
  put storm in hand(red)
  put spy in hand(red)
  put calm in hand(blue)
phase main
  repeat 2 times
    choose by red "now"
      option note(c: Chit)
        when c in hand(red) "not at hand"
        noted(c, 2)
      option stop
        finish red, win
  finish none, drawn
"""
NOTE, STOP = [("red", "note storm")], [("red", "stop")]


@pytest.mark.docs("situations#then")
@pytest.mark.parametrize(
    ("do", "word", "subject", "holds", "wrong"),
    [
        (
            NOTE,
            "pool",
            "hand.red",
            ["spy", "storm"],
            [["storm"], ["storm", "spy", "calm"], ["storm", "calm"], ["storm", "storm"], [], None],
        ),
        (
            NOTE,
            "define",
            "held(red)",
            ["spy", "storm"],
            [["storm"], ["calm", "storm", "spy"], ["spy", "spy"], None],
        ),
        (NOTE, "marked", "", ["storm"], [[], ["spy"], ["storm", "spy"], ["storm", "storm"], None]),
        (NOTE, "in_pool", "hand.red", ["storm"], [["calm"], ["storm", "calm"], ["calm", "storm"]]),
        (NOTE, "not_in_pool", "hand.red", ["calm"], [["storm", "calm"], ["calm", "storm"]]),
        (NOTE, "size", "hand.red", 2, [0, 1, 3]),
        (
            NOTE,
            "table",
            "losses(1)",
            {"att": "half", "def": "none_lost"},
            [{"att": "half", "def": "half"}, {"att": "all_lost", "def": "none_lost"}],
        ),
        (NOTE, "total", "worth(red)", 3, [2, 4, None]),
        (NOTE, "applies", "worth(red).rich", None, [False]),
        (NOTE, "applies", "worth(blue).rich", False, [None, True]),
        (
            NOTE,
            "event",
            "noted",
            {"c": "storm", "n": 2},
            [{"c": "storm", "n": 1}, {"c": "spy", "n": 2}, {"c": "storm", "m": 2}],
        ),
        (
            NOTE,
            "no_event",
            "noted",
            {"c": "spy", "n": 2},
            [{"c": "storm"}, {"n": 2}, {"c": "storm", "n": 2}, None],
        ),
        (NOTE, "count", "noted", 1, [0, 2]),
        (
            NOTE,
            "legal",
            "",
            ["note spy", "stop"],
            [["note spy", "note calm"], ["note calm", "note spy"]],
        ),
        (
            NOTE,
            "legal",
            "",
            {"not": ["note calm"]},
            [{"not": ["note calm", "stop"]}, {"not": ["stop", "note calm"]}],
        ),
        (NOTE, "why", "note calm", "not at hand", ["not at all"]),
        (
            NOTE,
            "options",
            "",
            ["stop", "note spy", "note storm"],
            [["note spy", "note storm"], ["note spy", "note storm", "note calm", "stop"], ["stop"]],
        ),
        (NOTE, "options", "", 3, [2, 4]),
        (NOTE, "decision", "", "red", ["blue", None]),
        (
            NOTE,
            "decision",
            "",
            {"player": "red", "in": "main", "kind": "choose", "prompt": "now", "moment": None},
            [
                {"player": "red", "in": "setup"},
                {"player": "blue", "in": "main"},
                {"kind": "pick"},
                {"prompt": "then"},
                {"moment": "main"},
            ],
        ),
        (NOTE, "result", "", None, ["win", {"winner": "red"}, {"winner": None}]),
        (
            STOP,
            "result",
            "",
            {"winner": "red", "level": "win"},
            [{"winner": "red", "level": "drawn"}, {"winner": "blue", "level": "win"}, None],
        ),
        (STOP, "result", "", "win", ["drawn", "blue"]),
        (STOP, "decision", "", None, ["red", {"player": "red"}]),
    ],
)
def test_what_is_only_half_so_does_not_hold(
    tmp_path: Path, do: Any, word: str, subject: str, holds: Any, wrong: list[Any]
) -> None:
    """Each kind of expectation passes with the actual value. It fails with one thing more, one
    less, or a different one."""
    game = write_game(tmp_path, HALF)
    assert outcome(game, do, [(word, subject, holds)]).why == ""
    assert [value for value in wrong if outcome(game, do, [(word, subject, value)]).ok] == []


LOOKED = """
total worth(n: 0..3): int
  base n
  modifier rich +4 when n >= 2
state got: 0..9
phase main
  repeat 2 times
    pick n from 0 .. 3 by red "how much"
    got := worth(n)
  pick n from 0 .. 3 by red "the end"
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("first", "then", "rich", "last"),
    [(2, 1, True, 1), (1, 2, True, 6), (1, 0, False, 0), (3, 2, True, 6)],
)
def test_a_clause_applied_if_it_did_anywhere_in_play_and_a_total_is_that_worked_out_last(
    tmp_path: Path, first: int, then: int, rich: bool, last: int
) -> None:
    """The order of the two does not matter."""
    game, do = write_game(tmp_path, LOOKED), [("red", f"pick {first}"), ("red", f"pick {then}")]
    for expected in (("applies", "worth.rich", rich), ("total", "worth", last)):
        assert outcome(game, do, [expected]).why == ""
    assert not outcome(game, do, [("applies", "worth.rich", not rich)]).ok


LATER = """
state n: 0..9
state out: 0..99
total worth(s: Side): int
  base 1
  modifier late +1 when n >= 2
  modifier never +1 when n >= 3
event gave(v: 0..99)
  out := v
phase main
  repeat 3 times
    choose by red "go on"
      option go
        n += 1
        gave(worth(red))
  finish none, drawn
"""


def test_a_clause_that_begins_to_apply_later_has_applied(tmp_path: Path) -> None:
    """The same total with the same arguments is checked at each computation."""
    game = write_game(tmp_path, LATER)
    for many, late in ((1, False), (2, True)):
        do = [("red", "go")] * many
        assert outcome(game, do, [("applies", "worth.late", late)]).ok
        assert outcome(game, do, [("applies", "worth.never", False)]).ok


@pytest.mark.docs("situations#given")
def test_what_is_put_into_a_pool_lies_there_only(tmp_path: Path) -> None:
    """It leaves its old pool, and the old contents of this pool are nowhere."""
    game = write_game(tmp_path, HALF)
    then = [
        ("pool", "hand.blue", ["storm"]),
        ("pool", "hand.red", ["spy"]),
        ("not_in_pool", "hand.red", ["calm"]),
    ]
    assert outcome(game, [], then, put={"hand.blue": ["storm"]}).why == ""
    then = [("pool", "hand.blue", ["calm", "storm"]), ("pool", "hand.red", [])]
    assert outcome(game, [], then, put={"hand.blue": ["storm", "calm"], "hand.red": []}).why == ""


CALLED = """
state rung(s: Side): 0..9
state sum_of: 0..99
moment bell in ringing asks who
reaction ring at bell
  limit 1 per ringing by me
  rung(me) += 1
reaction call at bell
  when here is bell
  limit 1 per ringing by me
  rung(me) += 2
phase main
  ringing(red, 3)
  ringing(blue, 4)
  finish none, drawn
procedure ringing(who: Side, n: 0..9)
  sum_of += n
  open bell
  pick k from 1 .. n by who "how many"
  sum_of += k
"""


@pytest.mark.docs("situations#where-play-starts")
def test_a_procedure_is_run_with_all_its_arguments_and_nothing_else_going_on(
    tmp_path: Path,
) -> None:
    """The position was in a window of red's. The procedure belongs to blue and begins outside of
    any moment."""
    write_game(tmp_path, CALLED)
    done = outcome(
        tmp_path,
        [("blue", "call"), ("blue", "ring"), ("blue", "pick 2")],
        [
            ("var", "sum_of", 10),
            ("var", "rung.blue", 3),
            ("var", "rung.red", 0),
            ("decision", "", None),
        ],
        run="ringing(blue, 5)",
    )
    assert done.ok, done.why
    assert (
        "pick 6"
        in outcome(tmp_path, [("blue", "pass"), ("blue", "pick 6")], [], run="ringing(blue, 5)").why
    )


@pytest.mark.parametrize(
    ("actual", "expected", "alike"),
    [
        (3, 3, True),
        (3, "3", True),
        (3, 4, False),
        (True, True, True),
        (True, 1, True),
        (True, "true", True),
        (True, "yes", False),
        (False, 0, True),
        (False, "false", True),
        (False, None, False),
        (1, True, True),
        (2, True, False),
        (None, None, True),
        (None, "none", True),
        (None, "", True),
        (None, "x", False),
        ("x", None, False),
        ("red.H1", "red.H1", True),
        ("red.H1", "H1", True),
        ("red.H1", "h1", False),
        ("red.H1", "RED.h1", True),
        ("red.H1", "red", False),
        ("Town", "town", True),
        ([1, 2], [1, 2], True),
        ([1, 2], [2, 1], True),
        ([1, 2], [1], False),
        ([1], [1, 2], False),
        ([1, 1], [1], False),
        (["red.H1"], "H1", True),
        ([], None, True),
        ([1], None, False),
        ([], [1], False),
    ],
)
def test_what_is_expected_is_the_same_as_what_is(actual: Any, expected: Any, alike: bool) -> None:
    assert same(actual, expected) is alike


def test_an_attribute_is_that_of_the_one_thing_named() -> None:
    """It is named alone or with its kind. A name of another kind, no thing, two things, or a
    missing one is refused."""
    names = rulekit.load("examples/skirmish").new(seed=1).names
    assert [
        found and found[1]
        for found in (
            fixed(names, name, words)
            for name, words in (
                ("strength", ["red.H1"]),
                ("Piece.strength", ["red.H1"]),
                ("Zone.strength", ["red.H1"]),
                ("strength", []),
                ("strength", ["red.H1", "red.F1"]),
                ("strength", ["town"]),
                ("worth", ["town"]),
                ("Zone.worth", ["town"]),
                ("Piece.worth", ["town"]),
            )
        )
    ] == [2, 2, None, None, None, None, 0, 0, None]


@pytest.mark.parametrize(
    ("then", "why"),
    [
        ([("event", "marked", ["a1"])], "expected fields with values"),
        ([("event", "marked", 3)], "expected fields with values"),
        ([("event", "marked", {"nothing": 1})], "expected {nothing: 1}"),
        ([("event", "marked", {"c": "b2"})], "is {c: a1"),
        ([("no_event", "marked", {"c": "b2"})], ""),
        ([("count", "marked", 1)], ""),
        ([("event", "marked", {"c": "a1", "s": "x"})], ""),
    ],
)
def test_an_event_is_expected_by_its_fields(then: Any, why: str) -> None:
    found = outcome(SMALL, [("x", "a1")], then).why
    assert why in found if why else not found


@pytest.mark.docs("situations#dice")
@pytest.mark.parametrize("empty", [False, True])
def test_a_situation_rolls_what_its_seed_says(tmp_path: Path, empty: bool) -> None:
    """The rolls are the same each time, by default with the seed 0."""
    rules = """
state fell: 0..20
phase main
  pick n from 1 .. 2 by red "how"
  roll d = d20 by red for luck
  fell := d
  finish none, drawn
"""
    game = rulekit.load(write_game(tmp_path, rules))
    for seed in (None, 1, 2, 3):
        state = game.new(seed=seed or 0)
        state.apply("pick 1")
        case = Case(
            "a test",
            seed=seed,
            empty=empty,
            phase="main" if empty else None,
            do=[SituationStep(None, "pick 1")],
            then=[Expected("var", "fell", state.get("fell"))],
        )
        assert run(game, case).why == ""


@pytest.mark.docs("situations#given")
def test_what_is_cleared_takes_every_piece_away() -> None:
    """Clearing one place removes its pieces. Clearing all places removes all pieces, including the
    last."""
    game = rulekit.load(ROOT / "examples" / "skirmish")
    pieces = {
        f"{side}.{name}": place
        for side, place in (("red", "camp"), ("blue", "town"))
        for name in ("F1", "F2", "H1")
    }
    for clear in (["camp"], ["town"], ["all"], ["hill"]):
        left = {
            piece: None if clear in ([place], ["all"]) else place for piece, place in pieces.items()
        }
        case = Case(
            "a test",
            clear=clear,
            then=[Expected("var", f"zone.{piece}", place) for piece, place in left.items()],
        )
        assert run(game, case).why == ""


COUNTED = """
state turn: 0..3 = 1
phase day(s: Side)
  choose by s
    option rest
      turn += 1
phase main
  day(red)
  day(blue)
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("given: {place: {nobody: camp}}", "'nobody' is no piece"),
        ("given: {set: {turn: 4}}", "turn: 4 is outside of 0..3"),
        ("given: {put: {turn: [red]}}", "'turn' is not a pool"),
        ("given: {clear: [camp]}", "'camp' is no place"),
        ("run: day", "'s' is missing"),
        ("within: {main: {n: 1}}", "has no field 'n'"),
        ("dice: [6]", "1 of 1 results in `dice` were not used: entry 1 (6)"),
        (
            "dice: [1, 2, 3, 4, 5, 6, 1]",
            "7 of 7 results in `dice` were not used: entry 1 (1), entry 2 (2), entry 3 (3),"
            " entry 4 (4), entry 5 (5) and 2 more",
        ),
    ],
)
def test_a_wrong_position_is_a_fault_in_the_line_of_its_case(
    tmp_path: Path, position: str, why: str
) -> None:
    """The finding has the file, and the line of the case or its `dice`. The other cases are run."""
    line = 5 if position.startswith("dice") else 4
    game, sink = rulekit.load(write_game(tmp_path, COUNTED)), Sink()
    text = (
        f"- name: first\n  then: [turn: 1]\n\n- name: second\n  {position}\n  then:\n  - turn: 1\n"
    )
    first, second = (run(game, case_of(each)) for each in parse_situations(text, "days.yaml", sink))
    assert not sink.found and first.ok and first.line == 1
    assert [fault.line for fault in second.faults] == [line] and why in second.why
    assert (second.ok, second.case.file, second.line) == (False, "days.yaml", line)


def test_a_wrong_choice_or_value_is_a_fault_in_its_own_line(tmp_path: Path) -> None:
    game = rulekit.load(write_game(tmp_path, COUNTED))
    done = run(
        game,
        Case(
            "a test",
            file="days.yaml",
            line=7,
            do=[SituationStep("red", "rest", 8), SituationStep("red", "rest", 9)],
        ),
    )
    assert [(fault.why, fault.line) for fault in done.faults] == [
        ("red is not asked now: blue is", 9)
    ] and done.line == 9
    done = run(
        game,
        Case(
            "a test",
            file="days.yaml",
            line=7,
            then=[Expected("var", "turn", 2, 8), Expected("var", "turn", 1, 9)],
        ),
    )
    assert [fault.line for fault in done.faults] == [8] and run(
        game, Case("a test", line=7)
    ).line == 7
