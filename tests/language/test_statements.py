"""The language reference on procedures, loops and the other statements, in short games."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from tests.compiler.checked_rules import findings
from tests.language.played import SIDES, play, ways
from tests.small_games import write_game

HEAD = """
kind Item = a(2) | b(1) | c(2) | d(3) | e(1)
  fixed rank: 0..9
  state gone: bool
  state key: 0..9
define number(x: Item): 0..9 = 1 if x = a else 2 if x = b else 3 if x = c else 4 if x = d else 5
state got: 0..999999999
state more: 0..999999999
event told(n: 0..9)
  got := 10 * got + n
event went(x: Item)
  x.gone := true
"""
ASK = "pick k from 0 .. 1 by red"  # turns a loop into one that waits


BEGINNING = """
phase main
  got := 10 * got + 3
  day
  pick k from 0 .. 1 by red
  finish none, drawn
phase day
  got := 10 * got + 4
  hidden
procedure hidden
  pick k from 0 .. 1 by red
setup
  got := 10 * got + 1
setup
  got := 10 * got + 2
"""


@pytest.mark.docs("language#9-procedures-phases-statements")
def test_play_begins_with_main_and_setup_runs_before_it(tmp_path: Path) -> None:
    """Their order in the file does not matter. A phase is a part of the sequence that players see,
    and a procedure is not."""
    assert play(HEAD + BEGINNING)["got"] == 1234
    state = rulekit.load(write_game(tmp_path, HEAD + BEGINNING)).new(seed=1)
    assert state.view("red")["phases"] == [{"phase": "main"}, {"phase": "day"}]
    state.apply("pick 0")
    assert state.view("red")["phases"] == [{"phase": "main"}]


LOOPS = {  # a loop, its effect on the other elements, and its notes: the elements of its iterations
    "each x in Item where not gone": ("went(c) when x = a", 12345),
    "each x in Item where rank = 2": ("went(x)", 13),
    "each x in {d, a, b}": ("", 124),
    "each x in Item by rank": ("", 25134),
    "each x in Item by -rank": ("", 41325),
    "each x in Item by rank = 3, -rank": ("", 41325),
    "each x in Item by rank != 3, rank, it != b": ("", 52134),
    "each x in Item where not gone by rank": ("x.key := 9\n  went(d)", 25134),
    "each x in Item by key": ("a.key := 9\n  c.key := 0", 12345),
    "each x in Item by key live": (
        "a.key := 9\n  d.key := 9 when x = c\n  e.key := 1 when x = b",
        12354,
    ),
    "each x in Item where not gone by key live": (
        "went(c) when x = a\n  b.key := 3 when x = a\n  d.key := 4",
        1524,
    ),
    "each x in Item where rank = 2 or gone live": (
        "went(b) when x = c\n  went(d) when x = a",
        1324,
    ),
    "each x in Item where gone": ("", 0),
    "each x in Item where rank > 2 live": ("went(x)", 4),
    "each n in 2 .. 4": ("", 234),
    "each n in 4 .. 2": ("", 0),
    "each n in 3 .. 3": ("", 3),
    "repeat 3 times": ("", 777),
    "repeat 0 times": ("", 0),
    "repeat at most 2": ("", 77),
    "repeat until got = 77, at most 3": ("", 77),
    "repeat until got = 0, at most 1": ("", 0),
    "repeat until got = 77, at most 2": ("", 77),
}


def looped(loop: str, body: str, asks: bool) -> str:
    told = "told(number(x))" if " x " in loop else "told(n)" if " n " in loop else "told(7)"
    return "\n  ".join([loop, told, *([body] if body else []), *([ASK] if asks else [])])


@pytest.mark.docs("language#9-procedures-phases-statements")
def test_a_loop_goes_through_its_set_in_order() -> None:
    """A plain loop has a fixed set, in the order of the data or by the keys. A live one recomputes
    it before each round, with each element once. A decision in it makes no difference."""
    for asks in (False, True):
        model = ways(
            HEAD,
            {
                f"w{i}": looped(loop, body, asks)
                for i, (loop, (body, _)) in enumerate(LOOPS.items())
            },
        )
        for i, (loop, (_, told)) in enumerate(LOOPS.items()):
            assert (
                play(model, f"w{i}", *["0"] * (len(str(told)) * asks if told else 0))["got"] == told
            ), (loop, asks)


def test_a_loop_has_a_bound(tmp_path: Path) -> None:
    """Each form states it. A loop that exceeds it is an error."""
    for loop in ("repeat until got = 1", "repeat", "repeat while got = 1"):
        model, found = findings(
            SIDES + HEAD + f"phase main\n  {loop}\n    got += 1\n  finish none, drawn\n"
        )
        assert model is None and found
    for asks in (False, True):
        loop = looped("repeat until got = 777, at most 2", "", asks)
        with pytest.raises(rulekit.RulesError, match="not over after 2 rounds"):
            play(ways(HEAD, {"go": loop}), "go", "0", "0")
        folder = tmp_path / str(asks)
        folder.mkdir()
        rules = (
            HEAD
            + "phase main\n  pick k from 0 .. 1 by red\n  "
            + loop.replace("\n", "\n  ")
            + "\n  finish none, drawn\n"
        )
        state = rulekit.load(write_game(folder, rules)).new(seed=1)
        for _ in range(2 * asks):
            state.apply("pick 0")
        with pytest.raises(rulekit.RulesError, match="2 rounds"):
            state.apply("pick 0")


TIES = """
phase main
  each x in Item where not gone by KEY ties TIES LIVE
    told(number(x))
    BODY
  finish none, drawn
"""


@pytest.mark.docs("language#9-procedures-phases-statements")
@pytest.mark.parametrize(
    ("ties", "live", "body", "asked"),
    [
        ("blue", "", "", ["blue: b, e", "blue: a, c"]),
        ("red", "", "went(c)", ["red: b, e", "red: a, c"]),
        ("red", "live", "went(c)", ["red: b, e"]),
        ("red", "live", "", ["red: b, e", "red: a, c"]),
    ],
)
def test_who_breaks_ties_picks_among_equals_and_is_asked_of_nothing_else(
    ties: str, live: str, body: str, asked: list[str]
) -> None:
    rules = HEAD + TIES.replace("KEY", "rank").replace("TIES", ties).replace("LIVE", live).replace(
        "BODY", body or "got += 0"
    )
    found = play(rules, "e", *(["a"] if len(asked) == 2 else []))
    assert found.asked == asked and found["got"] == (52134 if len(asked) == 2 else 5214)


@pytest.mark.parametrize("live", ["", "live"])
def test_those_for_whom_a_condition_holds_come_first_and_are_equals(live: str) -> None:
    rules = HEAD + TIES.replace("KEY", "rank = 1").replace("TIES", "red").replace(
        "LIVE", live
    ).replace("BODY", "got += 0")
    found = play(rules, "e", "a", "c")
    assert (found.asked, found["got"]) == (["red: b, e", "red: a, c, d", "red: c, d"], 52134)


ENDS = """procedure deed_NUMBER
  repeat OUTER times
    told(1)
    INNER
      told(2)
      WAIT
      END
      told(3)
    told(4)
  told(5)
"""
INNER = [
    "repeat 2 times",
    "each y in {a, b}",
    "each y in Item where rank = 1",
    "each y in Item where rank = 1 by rank",
    "each y in Item where rank = 1 live",
    "each y in 1 .. 2",
    "repeat at most 2",
]
# iterations of the outer loop, notes, iterations of the inner loop, and its last statement
WAYS_OUT = [
    (2, 12412456, 2, "leave"),
    (2, 126, 1, "return"),
    (1, 12323456, 2, "leave when more = 1"),
    (1, 12323456, 2, "return when more = 1"),
    (2, 12412456, 2, "if got > 0\n        leave"),
    (1, 126, 1, "return when got = 12"),
    (
        2,
        126,
        1,
        (
            "if got = 0\n        leave\n      else if got > 0\n        return\n      else\n       "
            " told(9)"
        ),
    ),
]


def test_leave_ends_the_loop_and_return_the_procedure() -> None:
    """They affect only the innermost loop and the procedure itself, under their condition, with or
    without a decision."""
    for wait in ("got += 0", ASK):
        forms = [
            (inner, *way) for at, inner in enumerate(INNER) for way in WAYS_OUT[: 2 if at else None]
        ]
        head = HEAD + "".join(
            ENDS.replace("NUMBER", str(i))
            .replace("OUTER", str(outer))
            .replace("INNER", inner)
            .replace("WAIT", wait)
            .replace("END", end)
            for i, (inner, outer, _, _, end) in enumerate(forms)
        )
        model = ways(head, {f"w{i}": f"deed_{i}\ntold(6)" for i in range(len(forms))})
        for i, (inner, _, told, rounds, end) in enumerate(forms):
            assert play(model, f"w{i}", *["0"] * (rounds * (wait == ASK)))["got"] == told, (
                inner,
                end,
            )


BRANCHES = """
phase main
  each n in 1 .. 5
    if n = 1
      told(1)
    else if n <= 3
      told(2)
    else if n = 3
      told(3)
    else
      told(4)
    if n = 5
      WAIT
  finish none, drawn
"""


def test_of_an_if_the_first_branch_that_holds_runs_and_no_other() -> None:
    assert play(HEAD + BRANCHES.replace("WAIT", "told(5)"))["got"] == 122445
    assert play(HEAD + BRANCHES.replace("WAIT", ASK), "0")["got"] == 12244


SETS = """
state held: set Item
event took(g: set Item)
  held += g
event lost(g: set Item)
  held -= g
phase main
  var mine: set Item = {a}
  held := {a, b}
  held += {b, c}
  mine += {a, d}
  told(count held)
  held -= {a, d}
  mine -= {d, e}
  told(count held)
  took({d, e})
  lost({b})
  took(mine)
  finish none, drawn
"""


@pytest.mark.docs("language#9-procedures-phases-statements")
def test_on_a_set_plus_unites_and_minus_takes_away() -> None:
    """This is so in a procedure, in an event, and for a variable."""
    found = play(HEAD + SETS)
    assert found["got"] == 32 and found["held"] == 0b11101


VISIBLE = """
define near in battle: int = side + n
define far in battle: int = 100 * strength
total might in battle: int
  base near + far
procedure inner in battle
  got := might
  strength += 1
procedure battle(side: 0..9, n: 0..9)
  field strength: 0..9 = 3
  LINE
  inner
  more := might
phase main
  battle(4, 2)
  finish none, drawn
"""


@pytest.mark.docs("language#9-procedures-phases-statements")
def test_parameters_and_fields_are_visible_by_name_to_rules_in_the_procedure() -> None:
    """Rules see their current values. Locals are not visible."""
    found = play(HEAD + VISIBLE.replace("LINE", "let other = 5"))
    assert (found["got"], found["more"]) == (306, 406)
    for line in ("let strength2 = 5", "var strength2: 0..9 = 5", "field strength2: 0..9 = 5"):
        model, problems = findings(
            SIDES + HEAD + VISIBLE.replace("LINE", line).replace("side + n", "side + strength2")
        )
        assert (model is not None) == line.startswith("field"), problems
    model, problems = findings(
        SIDES
        + HEAD
        + VISIBLE.replace("LINE", "got := 1").replace(" in battle: int = side", ": int = side")
    )
    assert model is None and problems


GUARDED = """
kind Chit = c1 | c2 | c3
pool cup of Chit
pool bag of Chit
moment bell asks red
moment parley -> bool default false asks red
reaction ring at bell
  limit 1 per game
  more += 1
reaction agree at parley
  limit 1 per game
  answer true when yes
  answer true when not yes and no Chit
state yes: bool
procedure deed
  told(1)
phase main
  yes := YES
  deed when yes
  told(2) when yes
  got += 1 when yes
  repeat 2 times
    leave when yes
    told(3)
  put c1 in bag when yes
  draw 1 from cup to bag when yes
  put c3 in bag
  told(count bag)
  gather bag to cup when yes
  told(count bag)
  roll d = d6 by red for luck when yes
  open bell when yes
  let said = open parley
  more += 2 when said
  last
procedure last
  finish red, win when yes
  return when not yes
  told(9)
"""


@pytest.mark.docs("language#9-procedures-phases-statements")
def test_a_guard_leaves_a_statement_out_where_it_does_not_hold() -> None:
    """This covers a call, an event, an assignment, `leave`, pools, dice, a moment, an answer,
    `return` and `finish`."""
    after = "  told(8)\n  finish none, drawn\nprocedure last\n"
    rules = HEAD + GUARDED.replace("procedure last\n", after)
    found = play(rules.replace("YES", "true"), "ring", "agree", dice=[1, 4])
    assert (found["got"], found["more"], found.result, found.asked) == (
        1330,
        3,
        (0, "win"),
        ["red: ring, pass", "red: agree, pass"],
    )
    assert [args for name, args in found.events if name == "die_rolled"] == [(0, 0, 4)]
    found = play(rules.replace("YES", "false"), "agree")
    assert (found["got"], found["more"], found.result, found.asked) == (
        33118,
        0,
        (-1, "drawn"),
        ["red: agree, pass"],
    )
    assert not [name for name, _ in found.events if name == "die_rolled"]


@pytest.mark.parametrize(
    ("lines", "fine"),
    [
        ("roll die = d6 by red for luck when got = 0\n  got += die", False),
        ("roll die = d6 by red for luck\n  got += die", True),
        ("if got = 0\n    roll die = d6 by red for luck\n    got += die", True),
        ("if got = 0\n    roll die = d6 by red for luck\n  got += die", False),
        ("roll die = d6 by red for luck when got = 0\n  more := 1 when die = 3", False),
    ],
)
def test_what_a_guarded_roll_names_has_no_value_after_it(lines: str, fine: bool) -> None:
    model, found = findings(SIDES + HEAD + f"phase main\n  {lines}\n  finish none, drawn\n")
    assert (model is not None) == fine and (fine or any("'die'" in one for one in found)), found


@pytest.mark.parametrize(
    ("finish", "winner"),
    [
        ("finish blue, decisive", "blue"),
        ("finish none, decisive", None),
        ("finish red, decisive", "red"),
    ],
)
def test_finish_ends_the_game_at_once(tmp_path: Path, finish: str, winner: str | None) -> None:
    """This works in a procedure and in a loop too. `none` is a draw."""
    for deed in (finish, f"pick k from 0 .. 1 by red\n    {finish}"):
        rules = (
            HEAD + f"procedure deed\n  repeat 2 times\n    {deed}\n  told(1)\nphase main\n  deed\n "
            " told(2)\n  finish red, late\n"
        )
        state = rulekit.load(write_game(tmp_path, rules)).new(seed=1)
        found = play(rules, *["0"] * (deed != finish))
        if deed != finish:
            state.apply("pick 0")
        assert state.is_terminal() and state.result is not None
        assert (state.result.winner, state.result.level, state.get("got")) == (
            winner,
            "decisive",
            0,
        )
        assert found["got"] == 0 and found.result is not None and found.result[1] == "decisive"
