"""The language reference on states, defines and tables (sections 2, 3 and 5), sentence by sentence,
in play."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.compiler.compiler import build
from rulekit.compiler.reference.interpreter import Reference
from tests.language.test_values import WORLD, are, failures
from tests.small_games import assert_agreement, checked_model, write_game

FIRST = {  # type, assigned value; as seen from outside: first value, later value
    "plain": ("0..9", "", 0),
    "low": ("-9..-3", "", -3),
    "from_two": ("2..5", "", 2),
    "unit": ("3..9 PF", "", 3),
    "any": ("int", "", 0),
    "flag": ("bool", "", False),
    "who": ("Side?", "", None),
    "side": ("Side", "", "red"),
    "spot": ("Spot", "", "north"),
    "spots": ("set Spot", "", []),
    "set_low": ("-9..9", "-3", -3),
    "set_plain": ("0..9", "4", 4),
    "set_unit": ("0..9 PF", "4", 4),
    "set_flag": ("bool", "true", True),
    "set_who": ("Side?", "blue", "blue"),
    "set_side": ("Side", "blue", "blue"),
    "set_spot": ("Spot", "south", "south"),
    "set_spots": ("set Spot", "{south}", ["south"]),
    "set_end": ("0..9", "9", 9),
    "set_fixed": ("0..9", "biggest", 7),
    "held": ("0..9 clamp", "5", 5),
}


@pytest.mark.docs("language#2-kinds-members-attributes")
def test_a_state_begins_with_what_its_type_says_unless_it_is_given_something(
    tmp_path: Path,
) -> None:
    """The states are alone, with a key, of a kind, and of a kind with a key. Members come in the
    order of the rules, then of the data."""
    (tmp_path / "things.yaml").write_text(
        'kind: Spot\nsource: {assumed: "an example"}\nmembers: {east: {}, west: {}}\n'
    )
    told = {
        name: f"{type}{' = ' + given if given else ''}" for name, (type, given, _) in FIRST.items()
    }
    own = "\n".join(
        f"  state own_{name}: {of}\n  state two_{name}(s: Side): {of}" for name, of in told.items()
    )
    alone = "\n".join(
        f"state {name}: {of}\nstate by_{name}(s: Side): {of}" for name, of in told.items()
    )
    rules = (
        f"unit PF\nkind Spot = north | south\n{own}\n{alone}\nfixed biggest: 0..9 = 7\nphase main\n"
        '  pick n from 0 .. 1 by red "on"\n  finish none, drawn\n'
    )
    state = rulekit.load(write_game(tmp_path, rules)).new(seed=1)
    begun = {
        name: [
            state.get(path)
            for path in (
                name,
                f"by_{name}.red",
                f"by_{name}.blue",
                f"own_{name}.south",
                f"own_{name}.west",
                f"two_{name}.east.blue",
            )
        ]
        for name in FIRST
    }
    assert begun == {name: [first] * 6 for name, (_, _, first) in FIRST.items()}
    assert_agreement(tmp_path, 1)
    assert next(
        kind.members for kind in checked_model(tmp_path).kinds.values() if kind.name == "Spot"
    ) == ["north", "south", "east", "west"]


SAME = """
kind Spot = a | b
  fixed size: 1..9 = 3
  state men: 0..9
  state near(s: Side): bool
state morale(s: Side): 0..9 = 5
state spot: Spot = b
state got: 0..99
phase main
  a.men := 1
  men(spot) := 2
  men(spot) += 1
  a.men += men(b)
  red.morale += 1
  morale(blue) -= 1
  a.near(red) := true
  near(b, blue) := true
  got := a.men + 10 * spot.men + men(a)
  pick n from 0 .. 1 by red "on"
  finish none, drawn
"""


@pytest.mark.docs("language#3-state")
def test_an_attribute_and_a_family_of_cells_are_the_same(tmp_path: Path) -> None:
    """`p.zone` and `zone(p)` are equal, for reading and writing, for kinds and for separate
    families."""
    folder = write_game(tmp_path, SAME.replace("  near(b, blue) := true\n", ""))
    state = rulekit.load(folder).new()
    assert [
        state.get(path)
        for path in ("men.a", "men.b", "morale.red", "morale.blue", "near.a.red", "near.a.blue")
    ] == [4, 3, 6, 4, True, False]
    assert state.get("got") == 4 + 30 + 4
    assert_agreement(folder, 1)


LASTING = """
kind Post = p1 | p2
  state tired: bool per SCOPE
state wet: 0..9 = 3 per SCOPE
state kept: 0..9 = 3
state got: 0..999
event hit
  wet += 1
  kept += 1
  p1.tired := true
  got := 100 * wet + 10 * kept + count(Post where tired)
procedure day
  hit
procedure left
  hit
  each s in Side
    return when got > 0
  got := 0
procedure twice
  inner
  wet := 9
procedure inner
  hit
  return
phase asking
  hit
  pick k from 0 .. 1 by blue "in it"
  return when k = 0
  kept := 9
procedure skipped
  hit
  choose by red
    option never
      when got = 0
      kept := 9
  kept := 9
menu orders in main
action go in orders
  limit 1 per game
  hit
  stood := got
reaction ask at bell
  for red
  limit 1 per game
  hit
moment bell asks red
state stood: 0..999
phase main
BODY
  finish none, drawn
"""
ENDS = {  # statements, and the state and notes after them
    "hit": ('  hit\n  pick n from 0 .. 1 by red "on"', []),
    "day": ('  day\n  pick n from 0 .. 1 by red "on"', []),
    "go": (
        (
            "  choose by red from orders\n    option on\n      kept += 0\n  pick n from 0 .. 1 by"
            ' red "on"'
        ),
        ["go"],
    ),
    "ask": ('  open bell\n  pick n from 0 .. 1 by red "on"', ["ask"]),
    "bell": ('  open bell\n  pick n from 0 .. 1 by red "on"', ["ask"]),
    "left": ('  left\n  pick n from 0 .. 1 by red "on"', []),
    "twice": ('  twice\n  pick n from 0 .. 1 by red "on"', []),
    "asking": ('  asking\n  pick n from 0 .. 1 by red "on"', ["pick 0"]),
    "skipped": ('  skipped\n  pick n from 0 .. 1 by red "on"', []),
    "main": ('  hit\n  pick n from 0 .. 1 by red "on"', []),
    "game": ('  hit\n  pick n from 0 .. 1 by red "on"', []),
}


@pytest.mark.docs("language#3-state")
@pytest.mark.parametrize("scope", ENDS)
def test_a_state_lasts_as_long_as_what_it_names(tmp_path: Path, scope: str) -> None:
    """That is a procedure, an action, a reaction, a moment or an event, even if nothing else
    depends on it. Without a name it lasts for the game."""
    body, choices = ENDS[scope]
    folder = write_game(tmp_path, LASTING.replace("SCOPE", scope).replace("BODY", body))
    state = rulekit.load(folder).new()
    for choice in choices:
        state.apply(choice)
    assert state.decision is not None and state.decision.kind == "pick"
    still = scope in ("main", "game")
    assert [state.get(path) for path in ("got", "kept", "wet", "tired.p1", "tired.p2")] == [
        441,
        4,
        4 if still else 3,
        still,
        False,
    ]
    assert_agreement(folder, 3)


# ------------------------------------------------------------------------------- skipped statements
LEFT_OUT = [
    "row(n) := 1",
    "row(0) := 1 / zero down",
    "kept += 1 / zero down",
    "called(1 / zero down)",
    "told(1 / zero down)",
    "open rung(1 / zero down)",
    "roll d = d6 by lone for luck",
    "draw 1 / zero down from cup to bag",
    "draw 1 from cup to hand(1 / zero down)",
    "put c1 in hand(1 / zero down)",
    "put chit in bag",
    "gather hand(1 / zero down) to bag",
    "finish lone, drawn",
    "return",
    "walk_on",
]


@pytest.mark.parametrize("step", LEFT_OUT)
def test_a_statement_that_is_not_done_looks_at_nothing(tmp_path: Path, step: str) -> None:
    """The `when` of a statement is evaluated before anything else in it."""
    rules = f"""
kind Chit = c1 | c2 | c3
pool cup of Chit
pool bag of Chit
pool hand(k: 0..3) of Chit
state n: 0..99 = 7
state zero: 0..9
state kept: 0..9
state row(k: 0..3): 0..9
state chosen_side: Side?
define lone: Side = the chosen_side
define chit: Chit = the (Chit where it in bag)
event told(k: int)
moment rung(k: int) asks red
procedure called(k: int)
  kept := 1
procedure walk_on
  kept := 1 / zero down
procedure tried
  {step} when n = 1 and kept = 0
phase main
  pick k from 0 .. 1 by red "first"
  tried
  pick j from 0 .. 1 by red "on"
  finish none, drawn
"""
    folder = write_game(tmp_path, rules)
    assert_agreement(folder, 2)
    state = rulekit.load(folder).new(seed=1)
    state.apply("pick 0")
    assert state.decision is not None and state.get("kept") == 0


ALL_THE_SAME = [
    "called(1 / zero down)",
    "told(1 / zero down)",
    "open rung(1 / zero down)",
    "var idle: 0..9 = 1 / zero down",
    "let idle = 1 / zero down",
    "let idle = called_for(1 / zero down)",
    "let idle = c1.worth(1 / zero down)",
    "let idle = drawn.worth(1 / zero down)",
    "let idle = totalled(1 / zero down)",
    "let idle = allowed(1 / zero down)",
    "row(1 / zero down) := 1",
    "row(0) := 0 * (1 / zero down)",
    "kept += 0 * (1 / zero down)",
    "chosen_side.mark := 1 / zero down",
    "each c in Chit where 1 / zero down = 1\n    kept := 1",
    "repeat 1 / zero down times\n    kept := 1",
    "if 1 / zero down = 1\n    kept := 0",
    "kept := 0 when 1 / zero down = 1",
    "draw 0 * (1 / zero down) from cup to bag",
]


@pytest.mark.parametrize("step", ALL_THE_SAME)
def test_what_a_statement_is_given_is_looked_at_whether_it_is_needed_or_not(
    tmp_path: Path, step: str
) -> None:
    """Unread arguments, an unread variable and a factor of 0 are evaluated. After the error the
    position is unchanged."""
    rules = f"""
kind Chit = c1 | c2 | c3
  slot worth(k: int): int = zero + 3
pool cup of Chit
pool bag of Chit
state drawn: Chit = c2
total totalled(k: int): int
  base 3
permit allowed(k: int)
extend kind Side
  state mark: 0..9
state zero: 0..9
state kept: 0..9
state row(k: 0..3): 0..9
state chosen_side: Side = red
event told(k: int)
moment rung(k: int) asks red
define called_for(k: int): int = 3
procedure called(k: int)
  kept := 1
procedure tried
  {step}
phase main
  choose by red
    option on
      kept += 2
      tried
  finish none, drawn
"""
    folder = write_game(tmp_path, rules)
    model = checked_model(folder)
    compiled = build(model, "")
    state = rulekit.load(folder).new(seed=1)
    before = state.clone()
    with pytest.raises(rulekit.RulesError, match="division by zero"):
        state.apply("on")
    assert state == before
    with pytest.raises(rulekit.RulesError, match="division by zero"):
        Reference(model).apply(0)
    fast = compiled.code("fast")
    slots = fast.blank(1)
    fast.begin(slots)
    with pytest.raises(rulekit.RulesError, match="division by zero"):
        fast.apply(slots, 1)


# ------------------------------------------------------------------------------- defines and tables
DEFINED = """
kind Loss ordered = none_lost | half | all_lost
kind Odds ordered = even | double | triple
define cost_of(g: Ground): int
  = 1 when g is clear
  = 2 when g is rough
  = 3
define graded(k: int): int
  = 10 when k > 8
  = 20 when k > 4
  = 30 when k > 6
  = 40
table odds(r: ratio) -> Odds, round down, clamp
  1 to 1 | 2 to 1 | 3 to 1
table odds_up(r: ratio) -> Odds, round up, clamp
  1 to 1 | 2 to 1 | 3 to 1
table odds_plain(r: ratio) -> Odds
  1 to 1 | 2 to 1 | 3 to 1
table loss(die: 1..6, o: Odds) -> att: Loss, def: Loss
  1..2 | even | all_lost | none_lost
  3..6 | even | half | half
  1..6 | double | half | all_lost
  1..5 | triple | none_lost | half
  6 | triple | none_lost | all_lost
table by_night(die: 1..6, o: Odds) -> att: Loss, def: Loss
  1..6 | even | all_lost | all_lost
  1..6 | double | all_lost | all_lost
  1..6 | triple | all_lost | all_lost
table both(k: 1..3, j: 1..3) -> 0..99, clamp
  1 | 1 | 11
  1 | 2..3 | 12
  2..3 | 1 | 21
  2..3 | 2 | 22
  2..3 | 3 | 23
table one(k: 1..3 clamp, j: 1..3) -> 0..99
  1 | 1 | 11
  1 | 2..3 | 12
  2..3 | 1 | 21
  2..3 | 2 | 22
  2..3 | 3 | 23
table below(k: -2..2) -> -9..9
  -2..-1 | -5
  0..2 | 5
table from_file(k: 1..4, g: Ground) -> 0..9, Side? from "tables/file.csv"
table gate(g: Ground, b: bool) -> set Side
  clear | false | {}
  clear | true | {red}
  rough | true | {red, blue}
  rough | false | {red, blue}
  river | true | {blue}
  river | false | {}
define looked(sunny: bool, die: 1..6): Loss = \
(loss(die, even) if sunny else by_night(die, even)).def
define cell(sunny: bool, die: 1..6)
  = loss(die, even) when sunny
  = by_night(die, even)
state six: 0..9 = 6
state nought: -9..9
state minus: -9..9 = -4
"""
FOUND: list[tuple[str, str, object]] = [
    ("Odds", "odds_plain(six to 9)", "even"),
    ("Odds", "odds_plain(six to 1)", "triple"),
    ("int", "cost_of(z1.ground)", 1),
    ("int", "cost_of(z2.ground)", 2),
    ("int", "cost_of(z3.ground)", 3),
    ("int", "graded(six)", 20),
    ("int", "graded(six + 3)", 10),
    ("int", "graded(4)", 40),
    ("Odds", "odds(six to 3)", "double"),
    ("Odds", "odds(six to 6)", "even"),
    ("Odds", "odds(six to 4)", "even"),
    ("Odds", "odds(six to 9)", "even"),
    ("Odds", "odds(six to 1)", "triple"),
    ("Odds", "odds_up(six to 4)", "double"),
    ("Odds", "odds_up(six to 3)", "double"),
    ("Odds", "odds_up(six + 1 to 3)", "triple"),
    ("Odds", "odds_up(six to 9)", "even"),
    ("Odds", "odds_up(six to 1)", "triple"),
    ("Odds", "odds_plain(six to 4)", "even"),
    ("Odds", "odds(six to nought)", "triple"),
    ("Odds", "odds(nought to six)", "even"),
    ("Odds", "odds(nought to nought)", "even"),
    ("Loss", "loss(2, even).att", "all_lost"),
    ("Loss", "loss(six - 3, even).def", "half"),
    ("Loss", "loss(six, triple).def", "all_lost"),
    ("Loss", "loss(six - 1, triple).def", "half"),
    ("Loss", "loss(six - 1, triple).att", "none_lost"),
    ("Loss", "loss(six, odds(six to 3)).att", "half"),
    ("bool", "loss(six, double).att = loss(3, even).def", True),
    ("bool", "loss(six, double).att < loss(six, double).def", True),
    ("Loss", "looked(six = 6, 1)", "none_lost"),
    ("Loss", "looked(six = 5, 1)", "all_lost"),
    ("Loss", "cell(six = 6, 1).def", "none_lost"),
    ("Loss", "cell(six = 5, 1).def", "all_lost"),
    ("int", "both(six, minus)", 21),
    ("int", "both(minus, six)", 12),
    ("int", "both(minus, 2)", 12),
    ("int", "both(six, six)", 23),
    ("int", "both(2, 2)", 22),
    ("int", "one(six, 3)", 23),
    ("int", "one(minus, 3)", 12),
    ("int", "below(minus + 2)", -5),
    ("int", "below(nought - 1)", -5),
    ("int", "below(nought)", 5),
    ("int", "below(six - 4)", 5),
    ("int", "from_file(1, clear)", 3),
    ("int", "from_file(six - 4, clear)", 3),
    ("int", "from_file(3, clear)", 5),
    ("int", "from_file(4, rough)", 7),
    ("set Side", "gate(clear, six = 6)", ["red"]),
    ("set Side", "gate(clear, six = 5)", []),
    ("set Side", "gate(rough, six = 5)", ["red", "blue"]),
]
CSV = "k,g,value\n1-2,clear,3\n3-4,clear,5\n<=2,rough,6\n>=3,rough,7\n1..4,river,8\n"


@pytest.mark.docs("language#5-defines-and-tables")
def test_defines_and_tables_give_what_their_rows_say(tmp_path: Path) -> None:
    """The first case that holds counts, and ratios are rounded as the table says, else down.

    Clamped keys go to the nearest end, each parameter separately. Tables with the same results can
    be exchanged, and a file may have ranges in rows.
    """
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "file.csv").write_text(CSV)
    more = DEFINED.replace("-> 0..9, Side? from", "-> value: 0..9 from")
    (tmp_path / "data.yaml").write_text(
        'source: {assumed: "an example"}\ntables: {tables/file.csv: {assumed: "an example"}}\n'
    )
    are(tmp_path, FOUND, more)


def test_a_key_beyond_the_ends_of_a_table_is_an_error_where_it_is_not_clamped(
    tmp_path: Path,
) -> None:
    """This is so below and above, only for the unclamped parameter."""
    forms = [
        "one(2, 4 + zero)",
        "one(2, zero)",
        "one(six, six)",
        "below(six)",
        "below(minus)",
        "cost_of(loss_of(six + 1))",
    ]
    more = (
        DEFINED[: DEFINED.index("table from_file")]
        + "state six: 0..9 = 6\nstate minus: -9..9 = -4\n"
    )
    more += "define loss_of(k: int): Ground = clear if loss(k, even).att is half else rough\n"
    for form, words in zip(
        forms, failures(tmp_path / "failing", [("int", form) for form in forms], more), strict=True
    ):
        assert all("no line for" in each for each in words), (form, words)


@pytest.mark.docs("language#1-the-game-of-the-examples")
def test_the_small_game_of_the_reference_is_what_it_says() -> None:
    """It has four zones in a row and two pieces a side."""
    from tests.test_docs import preamble

    parts = {block.words: block.text for block in preamble()}
    assert (
        WORLD
        and "between: [camp, ford]" in parts["preamble map.yaml"]
        and parts["preamble map.yaml"].count("between:") == 3
    )
    assert (
        parts["preamble pieces.yaml"].count("owner: red")
        == parts["preamble pieces.yaml"].count("owner: blue")
        == 2
    )
