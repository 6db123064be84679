"""Proofs by tests: in any form, only a test that is false for none proves that a value is
present."""

from __future__ import annotations

import pytest

from rulekit.compiler.compiler import build
from rulekit.runtime import cells
from tests.compiler.checked_rules import findings, written

HEAD = """game proofs 1
kind Side decides = red | blue
kind Place = a(true, 3, b) | b(false, 2, a) | c(false, 1, none)
  fixed port: bool
  fixed depth: 1..9
  fixed twin: Place?
  state held: set Side
  state open: bool
state other: Place?
state n: 0..9
define anywhere(z: Place?): bool = z = none or z.port
define calm(z: Place): bool = not z.port
"""
PROVES = [
    "spot != none",
    "not (spot = none)",
    "spot is a",
    "spot = other",
    "spot = a",
    "a = spot",
    "spot != a",
    "spot in {a, b}",
    "spot not in {a}",
    "spot.port",
    "spot.calm",
    "spot.twin = b",
    "spot.twin is b",
    "spot.twin != none and spot is a",
    "n < 9 and spot != none",
    "not (spot = none or n > 8)",
    "not not (spot is b)",
    "spot.open and not spot.port",
    "spot.depth > 1 and spot != none",
]
PROVES_NOT = [
    "spot = none",
    "spot is not a",
    "not (spot is a)",
    "not (spot != a)",
    "not (spot = a)",
    "not (spot in {a, b})",
    "not (spot not in {a})",
    "spot != none or n < 9",
    "spot is a or n < 9",
    "not (spot != none and n > 8)",
    "not spot.port",
    "not spot.calm",
    "spot.port = false",
    "spot.port != true",
    "spot.open = false",
    "spot.held = other.held",
    "spot.held != {red}",
    "spot.anywhere",
    "not (spot.twin = b)",
    "spot.twin is not b",
    "no spot.held",
    "n < 9",
    "other != none or n < 9",
    "red not in spot.held",
    "spot.calm = false",
]
USE = "n := spot.depth"
FORMS = {
    "if": ["if {c}", "  {use}"],
    "else": ["if not ({c})", "  n := 1", "else", "  {use}"],
    "else if": ["if not ({c})", "  n := 1", "else if n < 9", "  {use}"],
    "a guard": ["{use} when {c}"],
    "after return": ["return when not ({c})", "{use}"],
    "after leave": ["repeat 2 times", "  leave when not ({c})", "  {use}"],
    "a value": ["n := spot.depth if {c} else 0"],
    "the other value": ["n := 0 if not ({c}) else spot.depth"],
    "and": ["n := 1 when ({c}) and spot.depth > 2"],
    "or": ["n := 1 when not ({c}) or spot.depth > 2"],
    "a filter": ["n := count(Place where ({c}) and depth > spot.depth)"],
    "an option": [
        "choose by red",
        "  option go",
        "    when {c}",
        "    {use}",
        "  option stay",
        "    n := 2",
    ],
    "a further guard": [
        "choose by red",
        "  option go",
        "    when {c}",
        "    when spot.depth > 2",
        "    n := 1",
        "  option stay",
        "    n := 2",
    ],
}


def rules(condition: str, form: str) -> str:
    lines = [line.replace("{c}", condition).replace("{use}", USE) for line in FORMS[form]]
    return "\n".join(
        [
            HEAD + "state spot: Place?",
            "phase main",
            "  walked",
            "  choose by red",
            "    option end",
            "      n := 3",
            "  finish none, over",
            "procedure walked",
            *("  " + line for line in lines),
            "",
        ]
    )


def refused(text: str) -> bool:
    """Return True if the number is reported as possibly missing. Other findings do not count."""
    codes = {found.split()[0] for found in findings(text)[1]}
    assert not codes & {"RK201", "RK301", "RK311", "RK401"}, findings(text)[1]
    return "RK403" in codes


@pytest.mark.parametrize("form", FORMS)
def test_what_proves_lets_the_number_be_read(form: str) -> None:
    assert [c for c in PROVES if refused(rules(c, form)) != ("spot.depth > 1" in c)] == []


@pytest.mark.parametrize("form", FORMS)
def test_what_does_not_prove_does_not(form: str) -> None:
    assert [c for c in PROVES_NOT if not refused(rules(c, form))] == []


def test_cases_of_a_definition() -> None:
    """A case knows that its own condition holds and that the earlier ones do not."""
    text = (
        HEAD + "state spot: Place?\ndefine deep(spot: Place?): int\n  = {first} when {c}\n  ="
        " {rest}\nphase main\n  choose by red\n    option go\n      n := deep(other)\n  finish"
        " none, over\n"
    )
    for c in PROVES:
        if "spot.depth" not in c:
            assert not refused(
                text.replace("{first}", "spot.depth").replace("{rest}", "0").replace("{c}", c)
            ), c
            assert not refused(
                text.replace("{first}", "0")
                .replace("{rest}", "spot.depth")
                .replace("{c}", f"not ({c})")
            ), c
    for c in PROVES_NOT:
        assert refused(
            text.replace("{first}", "spot.depth").replace("{rest}", "0").replace("{c}", c)
        ), c


def test_what_proves_is_false_of_a_missing_value() -> None:
    """The law behind it, in play: if a value is missing, no test that proves its presence holds."""
    sound = [c for c in PROVES if "spot.depth" not in c]
    asked = "\n".join(f"  r{i}(k) := {c}" for i, c in enumerate(sound))
    states = "\n".join(f"state r{i}(k: 0..3): bool" for i in range(len(sound)))
    model = written(
        f"{HEAD}state spot: Place?\n{states}\nphase main\n  asked(0)\n  other := a\n  asked(1)\n  n"
        " := 9\n  asked(2)\n  other := b\n  asked(3)\n  choose by red\n    option go\n      spot"
        f" := a\n  finish none, over\nprocedure asked(k: 0..3)\n{asked}\n"
    )
    program = build(model)
    for variant in ("full", "fast"):
        code = program.code(variant)
        state = code.blank(0)
        code.begin(state, *([] if variant == "fast" else [[], []]))
        held = [
            sound[int(cell.name[1:])]
            for cell in program.cells
            if cell.name[0] == "r" and cell.name[1:].isdigit()
            for keys in cells.places(cell)
            if cells.read(state, cell, keys)
        ]
        assert held == []
