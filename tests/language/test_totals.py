"""The language reference on totals, permits and events, in short games."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.common.errors import RulesError
from rulekit.compiler.compiler import build
from rulekit.compiler.reference.interpreter import Reference
from rulekit.runtime import intrinsics
from tests.compiler.checked_rules import findings, written
from tests.compiler.reference.agree import compiled_cells
from tests.language.played import SIDES, play
from tests.small_games import write_game

LOOKED_AT = """
kind Spot = s1 | s2
state got: -99..99
state zero: 0..9
define bad: int = 6 / zero down
SUMS
phase main
  choose by red "what"
OPTIONS
  finish none, drawn
"""
TOTALS = [
    ("set a 1; set b bad; base bad", 1),
    ("set a 1; set b 2 when bad > 1", 1),
    ("set a 1 when bad > 1; set b 2", None),
    ("set a 1 when zero = 1; set b 2 when bad > 1; base 3", None),
    ("base 3 when bad > 1; set a 1", 1),
    ("base 3 when bad > 1; base 4", None),
    ("base 3; base 4 when bad > 1", 3),
    ("base 3 when zero = 1; base 4", 4),
    ("base 3 when zero = 1; base bad", None),
    ("base 3; base bad", 3),
    ("base 3; modifier a +bad when zero = 1", 3),
    ("base 3; modifier a +1; modifier b +1 when bad > 1", None),
    ("base 3; modifier a +1 when zero = 1; modifier b +1 when bad > 1", None),
    ("base 3; modifier a +1; modifier b +bad", None),
    ("base 3; at least bad when zero = 1; at most bad when zero = 2", 3),
    ("base 3; at least 1 when bad > 1", None),
    ("base 3; at most 9; at most 9 when bad > 1", None),
    ("base 3; at least bad", None),
    ("base 3; at most bad", None),
    ("base 3; at least 5; at least 4 when bad > 1", None),
    ("base 3; at least 5; at least 4; at most 9; at most 8", 5),
    ("base 3; at least 5; at most 4", 4),
    ("base 3; at most 4; at least 5", 4),
    ("base 9; at most 4; at most 6; at least 2; at least 1", 4),
    ("base 3; modifier a +1 when zero = 1; cancel worth.a when bad > 1", 3),
    ("base 3; modifier a +1; cancel worth.a when bad > 1", None),
    ("base 3; modifier a +bad; cancel worth.a", 3),
    ("set a bad; base 2; cancel worth.a", 2),
    ("set a bad; base 2; cancel worth.a when zero = 1", None),
    ("set a 1; set b 2; base 3; cancel worth.b when bad > 1", 1),
    ("set a 1; base 2; cancel worth.a when bad > 1", None),
    ("base 1; modifier a +5; modifier b +2 when zero = 1; cancel worth.a when worth.b applies", 6),
    ("base 1 when zero = 1; modifier a +5", 5),
]


def tried(sums: list[str], values: list[str]) -> list[int | None]:
    """Return the result of each value, None for an error. All variants agree."""
    text = "".join(f"    option c{i}\n      got := {value}\n" for i, value in enumerate(values))
    model = written(SIDES + LOOKED_AT.replace("SUMS", "\n".join(sums)).replace("OPTIONS\n", text))
    compiled, found = build(model, ""), list[int | None]()
    for i in range(len(values)):
        each = set[int | None]()
        for variant in ("reference", "full", "fast"):
            try:
                if variant == "reference":
                    reference = Reference(model)
                    reference.apply(i)
                    each.add(reference.cells()["got"][0])
                    continue
                code, more = compiled.code(variant), ([], []) if variant == "full" else ()
                state = code.blank(1, 0)
                code.begin(state, *more)
                code.apply(state, intrinsics.ids(code.layers(state))[i], *more)
                each.add(compiled_cells(compiled, state)["got"][0])
            except (RulesError, ArithmeticError):
                each.add(None)
        assert len(each) == 1, (values[i], each)
        found += each
    return found


def clauses_of(text: str, head: str, name: str, number: int) -> str:
    """Return the declaration with its clauses, and the cancels after it."""
    lines = [line.strip().replace(f"{name}.", f"{name}{number}.") for line in text.split(";")]
    inside, behind = (
        [line for line in lines if line.startswith("cancel") == so] for so in (False, True)
    )
    return "\n".join([head, *(f"  {line}" for line in inside), *behind])


@pytest.mark.docs("language#6-totals-and-permits")
def test_of_a_total_only_what_counts_is_looked_at() -> None:
    """Conditions of `set` and `base` are evaluated up to the first that holds, and all others each.
    A `cancel` is evaluated only for a clause that holds, an amount only for one that counts. The
    total is tested alone and in a sum."""
    sums = [
        clauses_of(text, f"total worth{i}: int", "worth", i) for i, (text, _) in enumerate(TOTALS)
    ]
    for form in ("worth{}", "sum(worth{} of Spot where it = s1)"):
        assert tried(sums, [form.format(i) for i in range(len(TOTALS))]) == [
            value for _, value in TOTALS
        ]


PERMITS = [
    ("bar a when s = s1", 2),
    ("bar a when s != s1; bar b when bad > 1", None),
    ("bar a when zero = 0; bar b when bad > 1", 0),
    ("bar a when s = s1; bar b when s = s2 and zero = 0; bar c when bad > 1", 0),
    ("bar a when bad > 1; bar b when zero = 0", None),
    ("bar a when zero = 0; bar b when bad > 1; cancel may.a when s = s2", None),
    ("bar a when zero = 1; bar b when s = s2; cancel may.a when bad > 1", 1),
    ("bar a when zero = 0; cancel may.a when bad > 1", None),
    ("bar a when zero = 0; bar b when s = s2; cancel may.a when zero = 0", 1),
    ("bar a when zero = 1", 3),
]


@pytest.mark.docs("language#6-totals-and-permits")
def test_a_permit_is_true_unless_a_bar_holds_and_looks_no_further() -> None:
    """Bars are evaluated up to the first that holds. A cancelled one does not hold, and only for
    one that holds its `cancel` is evaluated."""
    sums = [
        clauses_of(text, f"permit may{i}(s: Spot)", "may", i) for i, (text, _) in enumerate(PERMITS)
    ]
    for form in (
        "(1 if may{0}(s1) else 0) + (2 if may{0}(s2) else 0)",
        "sum((1 if it = s1 else 2) of Spot where may{0}(it))",
    ):
        assert tried(sums, [form.format(i) for i in range(len(PERMITS))]) == [
            value for _, value in PERMITS
        ]


LIBRARY = """
kind Side decides
  fixed enemy: Side
total might(n: 0..9): int
  base 10
  modifier led +1
  modifier lost +2
  modifier late +4
permit may(n: 0..9)
  bar few when n < 2 "too few"
  bar odd when n = 3 or n = 5 "odd"
"""
GAME = """
game own 1
members Side = red(blue) | blue(red)
drop might.lost
drop might.late
modifier might.late +n
modifier might.own +20
cancel might.led when n > 4
phase main
  choose by red "what"
    option take(n: 0..9)
      when may(n)
      finish red, win
"""
MORE = """
cancel might.led when n = 3
bar may.many when n >= 5 "too many"
drop may.few
"""


@pytest.mark.docs("language#6-totals-and-permits")
def test_any_file_may_add_cancel_replace_and_drop_a_clause(tmp_path: Path) -> None:
    """The files belong to a library or to the game. A clause dropped and written again is replaced
    by the new one."""
    for name, manifest in (
        ("lib", "rulekit: library\nname: lib\ntitle: Lib\n"),
        ("own", "rulekit: game\nname: own\ntitle: Own\nuses: [lib]\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "game.yaml").write_text(manifest + 'version: "1.0"\nlanguage: 1\n')
    (tmp_path / "lib" / "lib.rules").write_text(LIBRARY)
    (tmp_path / "own" / "game.rules").write_text(GAME)
    (tmp_path / "own" / "more.rules").write_text(MORE)
    state = rulekit.load(tmp_path / "own").new(seed=1)
    assert [state.value_of("might", n) for n in (0, 2, 3, 5)] == [31, 33, 33, 35]
    assert [state.value_of("may", n) for n in (0, 2, 3, 5)] == [True, True, False, False]
    assert [why.split(" is refused: ")[1] for n in (3, 5) for why in state.why(f"take {n}")] == [
        "odd",
        "odd; too many",
    ]


@pytest.mark.docs("language#6-totals-and-permits")
def test_a_clause_is_dropped_once_and_declared_once() -> None:
    """After a drop, one clause of the same name may follow."""
    total = "state got: 0..9\ntotal worth: int\n  base 1\n  modifier a +1\n"
    main = "phase main\n  got := worth\n  finish none, drawn\n"
    for lines, value in (
        ("drop worth.a\n", 1),
        ("drop worth.a\nmodifier worth.a +3\n", 4),
        ("modifier worth.a +3\ndrop worth.a\n", 4),
    ):
        assert play(total + lines + main)["got"] == value
    for lines in (
        "modifier worth.a +3\n",
        "drop worth.a\nmodifier worth.a +3\nmodifier worth.a +4\n",
    ):
        assert [found[:5] for found in findings(SIDES + total + lines + main)[1]] == ["RK303"]


BARRED = """
kind Spot = s1 | s2 | s3
state turn: 1..9 = 1
permit may_enter(s: Spot)  ref "3"
  bar full when s != s1 "four at most"  ref "3.1"
  bar river when s = s2 "horses do not swim"
  bar night when s != s1 and turn > 5 "it is dark"
  bar mud when s = s2 "mud"
cancel may_enter.mud when turn = 1
phase main
  repeat 3 times
    choose by red "where"
      option go(s: Spot)
        when may_enter(s)
        turn := 6
  finish none, drawn
"""


@pytest.mark.docs("language#6-totals-and-permits")
def test_the_bars_that_hold_are_the_refusal_that_a_player_reads(tmp_path: Path) -> None:
    """The refusal has all bars that hold and no others."""
    state = rulekit.load(write_game(tmp_path, BARRED)).new(seed=1)

    def why(key: str) -> list[str]:
        [line] = state.why(key)
        return [part.split(" [")[0] for part in line.split(" is refused: ")[1].split("; ")]

    assert why("go s2") == ["four at most", "horses do not swim"] and why("go s3") == [
        "four at most"
    ]
    state.apply("go s1")
    assert why("go s2") == ["four at most", "horses do not swim", "it is dark", "mud"]
    with pytest.raises(rulekit.IllegalChoice, match="it is dark"):
        state.apply("go s3")
