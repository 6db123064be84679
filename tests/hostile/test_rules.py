"""Rules that try to break the checker: each ends with a plain diagnostic or a sound model, quickly
and in little memory."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hostile.hostile_case import HEAD, MAIN, Case

CHAIN = 1500
DEEP = "  finish red, win\n"


def phase(*lines: str) -> str:
    return "phase main\n" + "".join(f"  {line}\n" for line in lines) + DEEP


def nested(line: str, depth: int) -> str:
    return (
        "phase main\n"
        + "".join("  " * (i + 1) + f"{line}\n" for i in range(depth))
        + "  " * depth
        + DEEP
    )


GRID = "kind Cell = grid 64 by 64\n  state n: 0..9\n"
NAMES = """kind Thing = __import__ | __class__ | os | system
  fixed __dict__: int = 1
  state __init__: 0..3
define eval(x: Thing) = x.__dict__
define exec = some (Thing where __dict__ = 1)
"""

SOUND: dict[str, str] = {
    "names that look like Python": NAMES,
    "a grid of 64 by 64": GRID,
    "brackets": "define f = " + "(" * 99 + "1" + ")" * 99 + "\n",
    "not": "define f = " + "not " * 140 + "true\n",
    "calls in calls": "define g(s: Side) = s\ndefine f = " + "g(" * 99 + "red" + ")" * 99 + "\n",
    "branches in branches": "define f = " + "1 if true else " * 140 + "1\n",
    "tests in a row": "define f = " + " and ".join(["red = blue"] * 70) + "\n",
    "blocks": nested("if true", 39),
    "decisions in decisions": (
        "phase main\n"
        + "".join(
            "  " * (2 * i + 1) + "choose by red\n" + "  " * (2 * i + 2) + f"option o{i}\n"
            for i in range(19)
        )
        + "  " * 38
        + DEEP
    ),
    "a product of many": "define f = " + " * ".join(["999999999"] * 70) + "\n",
    "numbers that grow from line to line": phase(
        "let a0 = 999", *(f"let a{i + 1} = a{i} * a{i}" for i in range(500))
    ),
    "many returns": "state n: 0..9\n" + phase(*(f"return when n = {i}" for i in range(1500))),
    "many declarations": "".join(f"fixed f{i}: int = 1\n" for i in range(8000)),
    "many units": "unit " + ", ".join(f"U{i}" for i in range(20_000)) + "\n",
    "many members": (
        "kind K = " + " | ".join(f"a{i}({i})" for i in range(5000)) + "\n  fixed v: int\n"
    ),
    "many blocks of members": (
        "kind K\n  fixed v: int\n" + "".join(f"K b{i}, v {i}\n" for i in range(5000))
    ),
    "many moments": "".join(f"moment a{i}\n" for i in range(6000)),
    "many clauses": "total t: int\n" + "".join(f"  modifier m{i} {i}\n" for i in range(4000)),
    "many actions": (
        "menu mm in main\n"
        + "".join(
            f"action a{i} in mm\n  limit 1 per game\n  finish red, win\n" for i in range(1500)
        )
        + "phase main\n  choose by red from mm\n"
    ),
    "many rules that watch": (
        "state x: 0..9\n"
        + "".join(f"whenever a in Side where x = {i}\n  x := 1\n" for i in range(1500))
    ),
    "groups of groups": (
        "moment a0\nmoment b0\n"
        + "".join(
            f"moment a{i + 1} = a{i}, b{i}\nmoment b{i + 1} = a{i}, b{i}\n" for i in range(40)
        )
    ),
    "lines that end as on Windows": (HEAD + MAIN).replace("\n", "\r\n"),
    "a mark of the byte order": "\ufeff" + HEAD + MAIN,
}

FAULTY: dict[str, tuple[str, str]] = {  # rules, the code of a diagnostic
    "an attribute of Python": ("define f(s: Side) = s.__class__\n", "RK311"),
    "a pattern of format": ('define f = "{0.__class__}"\n', "RK201"),
    "a number of 5000 digits": ("define f = " + "9" * 5000 + "\n", "RK216"),
    "a fixed number that grows": (
        "fixed f0: int = 999999999\n"
        + "".join(f"fixed f{i + 1}: int = f{i} * f{i}\n" for i in range(40)),
        "RK408",
    ),
    "a fixed number that takes 2^40 steps": (
        "define f0 = 1\n"
        + "".join(f"define f{i + 1} = f{i} + f{i}\n" for i in range(40))
        + "fixed z: int = f40\n",
        "RK408",
    ),
    "a number that takes 2^40 steps in play": (
        "state n: 0..1\ndefine f0 = n\n"
        + "".join(f"define f{i + 1} = f{i} + f{i}\n" for i in range(40)),
        "RK513",
    ),
    "a range as key of a state": ("state x(i: 0..999999999): int\n", "RK407"),
    "two ranges as keys of a state": ("state x(i: 0..9999, j: 0..9999): int\n", "RK407"),
    "a range as key of a fixed value": ("fixed x(i: 0..999999999): int = i\n", "RK407"),
    "a range as key of a table": ("table x(i: 0..999999999) -> int\n  1 | 2\n", "RK407"),
    "ranges as parameters of an option": (
        (
            "phase main\n  choose by red\n    option go(i: 0..999999999, j: 0..999999999)\n     "
            " finish red, win\n"
        ),
        "RK407",
    ),
    "a pick from a range": (phase("pick n from 0..999999999 by red"), "RK407"),
    "shift on a large grid": (
        "kind Cell = grid 64 by 64\ndefine f(c: Cell) = c.shift(1, 1)\n",
        "RK407",
    ),
    "three cells of a grid as keys": (
        GRID
        + "state f(a: Cell, b: Cell, c: Cell): int\nfixed g(a: Cell, b: Cell, c: Cell): int = 3\n",
        "RK407",
    ),
    "two cells of a grid as keys of what is computed": (
        GRID + "fixed g(a: Cell, b: Cell): int = a.row + b.row\n",
        "RK407",
    ),
    "three cells of a grid as parameters": (
        GRID
        + "phase main\n  choose by red\n    option go(a: Cell, b: Cell, c: Cell)\n      finish red,"
        " win\n",
        "RK407",
    ),
    "filters in filters": (
        GRID
        + phase(
            "if some (Cell a where some (Cell b where some (Cell c where a.n = c.n)))", "  return"
        ),
        "RK513",
    ),
    "states as large as may be, many": (
        "".join(f"state s{i}(a: 0..999, b: 0..999): 0..1\n" for i in range(9)),
        "RK407",
    ),
    "a loop of 999999999 rounds": (
        "phase main\n  repeat 999999999 times\n    finish red, win\n",
        "RK407",
    ),
    "a loop of 1000000000 rounds": (
        "phase main\n  repeat 1000000000 times\n    finish red, win\n",
        "RK216",
    ),
    "a loop that never ends": (
        "state x: 0..9\nphase main\n  repeat until false, at most 999999999\n    x := 1 - x\n"
        + DEEP,
        "RK407",
    ),
    "a loop over numbers": ("phase main\n  each n in 1..999999999\n    finish red, win\n", "RK407"),
    "loops in loops": (nested("repeat 9000 times", 2), "RK513"),
    "loops over numbers in loops": (nested("each n in 1 .. 9000", 2), "RK513"),
    "loops over sets, many in each other": (nested("each a in Side", 39), "RK513"),
    "procedures that each call another one twice": (
        "state n: 0..9\nprocedure q0\n  n := 1 - n\n"
        + "".join(f"procedure q{i + 1}\n  q{i}\n  q{i}\n" for i in range(40))
        + phase("q40"),
        "RK513",
    ),
    "events that each make another one twice": (
        "state n: 0..9\n"
        + "".join(f"event e{i}\n  n := 1 - n\n" for i in range(41))
        + "".join(f"on after e{i + 1}\n  e{i}\n  e{i}\n" for i in range(40))
        + phase("e40"),
        "RK513",
    ),
    "rolls of many procedures": (
        "procedure q0\n  roll d = d6 by red for luck\n"
        + "".join(f"procedure q{i + 1}\n  q{i}\n  q{i}\n" for i in range(40))
        + phase("q40"),
        "RK513",
    ),
    "brackets beyond the bound": ("define f = " + "(" * 3000 + "1" + ")" * 3000 + "\n", "RK214"),
    "signs beyond the bound": ("define f = " + "- " * 5000 + "1\n", "RK217"),
    "tests beyond the bound": ("define f = " + " and ".join(["red = blue"] * 7000) + "\n", "RK217"),
    "blocks beyond the bound": (nested("if true", 500), "RK215"),
    "branches beyond the bound": (
        "phase main\n  if true\n  " + DEEP + ("  else if true\n  " + DEEP) * 1000,
        "RK407",
    ),
    "cases beyond the bound": (
        "state x: 0..9\ndefine f: int\n"
        + "".join(f"  = {i} when x = {i}\n" for i in range(1000))
        + "  = 3\n",
        "RK407",
    ),
    "statements beyond the bound": (phase(*(f"let a{i} = 1" for i in range(6000))), "RK407"),
    "definitions in a chain": (
        "define f0 = 1\n" + "".join(f"define f{i + 1} = f{i} + 1\n" for i in range(CHAIN)),
        "RK511",
    ),
    "definitions in a chain, last first": (
        "".join(f"define f{i} = f{i + 1} + 1\n" for i in range(CHAIN)) + f"define f{CHAIN} = 1\n",
        "RK511",
    ),
    "definitions in a chain, worked out": (
        "define f0(s: Side) = 1\n"
        + "".join(f"define f{i + 1}(s: Side) = f{i}(s) + 1\n" for i in range(CHAIN))
        + f"fixed z: int = f{CHAIN}(red)\n",
        "RK511",
    ),
    "totals in a chain": (
        "total t0: int\n  base 1\n"
        + "".join(f"total t{i + 1}: int\n  base t{i}\n" for i in range(CHAIN)),
        "RK511",
    ),
    "procedures in a chain": (
        "procedure p0\n"
        + DEEP
        + "".join(f"procedure p{i + 1}\n  p{i}\n" for i in range(CHAIN))
        + f"phase main\n  p{CHAIN}\n",
        "RK511",
    ),
    "procedures in procedures": (
        "procedure p0\n"
        + DEEP
        + "".join(f"procedure p{i + 1} in p{i}\n" + DEEP for i in range(300)),
        "RK511",
    ),
    "a procedure in itself": ("procedure p in q\n" + DEEP + "procedure q in p\n" + DEEP, "RK501"),
    "fixed values, last first": (
        "".join(f"fixed f{i}: int = f{i + 1} + 1\n" for i in range(CHAIN))
        + f"fixed f{CHAIN}: int = 1\n",
        "RK401",
    ),
    "a line of 1 MB": ("define f = " + "a" * 1_000_000 + "\n", "RK213"),
    "a line of 500 kB": ("define f = " + "a" * 500_000 + "\n", "RK225"),
    "a line of words": ("define f = " + "a " * 250_000 + "\n", "RK213"),
    "a line of brackets": ("define f = " + "(" * 500_000 + "\n", "RK213"),
    "a text without an end": ('define f = "' + "a" * 500_000 + "\n", "RK209"),
    "too many members": ("kind K = " + " | ".join(f"a{i}" for i in range(30_000)) + "\n", "RK407"),
    "a character that is no text": ("define f = 1\0\n", "RK104"),
    "an error in each line": (
        "".join(f"define f{i} = undefined{i}\n" for i in range(4000)),
        "RK218",
    ),
    "a call of nothing in each line": (phase(*(f"call{i}" for i in range(4000))), "RK218"),
    "a fault of syntax in each line": ("define define\n" * 10_000, "RK218"),
    "one name declared often": ("define f = 1\n" * 8000, "RK218"),
    "names that are alike": (
        "kind Thing = "
        + " | ".join(f"thing{i:05}" for i in range(8000))
        + "\n"
        + "".join(f"define f{i} = Thing.thingx{i}\n" for i in range(150)),
        "RK218",
    ),
}


@pytest.mark.parametrize("rules", SOUND.values(), ids=SOUND)
def test_strange_rules_are_rules(case: Case, rules: str) -> None:
    told = case(rules, whole=rules[:1] in "\ufeffg")
    assert told["model"], told["text"]


@pytest.mark.docs("language#16-what-the-language-does-not-have")
@pytest.mark.parametrize(("rules", "code"), FAULTY.values(), ids=FAULTY)
def test_hostile_rules_get_a_diagnostic(case: Case, rules: str, code: str) -> None:
    told = case(rules)
    assert code in told["codes"], told["text"][:2000]
    assert not told["model"]
    bounded(told)


def test_a_hundred_thousand_declarations(case: Case) -> None:
    files: dict[str, str | bytes] = {
        f"rules/r{k}.rules": "".join(f"fixed f{k}x{i}: int = 1\n" for i in range(20_000))
        for k in range(5)
    }
    assert case("", files)["codes"] == ["RK213"]


def bounded(told: dict[str, Any]) -> None:
    """Check that there are not too many findings to read."""
    assert len(told["codes"]) <= 250
