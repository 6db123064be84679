"""Proofs that a value is not none: by a test, as long as the tested value is unchanged. Keys of
assignment targets are no exception."""

from __future__ import annotations

import pytest

from tests.compiler.checked_rules import findings

GAME = """game g 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Zone = a | b
  state holder: Side?
  state seen(s: Side): bool
state points(s: Side): 0..9
state near: Side
procedure t(z: Zone)
{}
phase main
  t(a)
  finish none, drawn
"""
FIRST = 10  # line of the first statement

KNOWN = [  # statements; findings: line (from the first statement on), value that may be none
    ("points(z.holder) += 1 when z.holder != none", []),
    ("points(z.holder) += 1", [(0, "points(z.holder)")]),
    ("points(z.holder) := 1 when a.holder != none", [(0, "points(z.holder)")]),
    ("if z.holder != none\n  points(z.holder) -= 1", []),
    ("let h = z.holder\nif h != none\n  points(h) := 1", []),
    ("z.seen(b.holder) := true", [(0, "b.holder")]),
    ("z.seen(b.holder) := true when b.holder != none", []),
    ("pick y from Zone by red\nreturn when y.holder = none\nnear := y.holder", []),
    (
        (
            "pick y from Zone by red\nreturn when y.holder = none\npick y from Zone by red\nnear :="
            " y.holder"
        ),
        [(3, "y.holder")],
    ),
    (
        "pick y from Zone by red\nreturn when y.holder = none\nlet y = z\nnear := y.holder",
        [(3, "y.holder")],
    ),
    (
        "let y = z\nreturn when y.holder = none\neach y in Zone\n  near := y.holder",
        [(3, "y.holder")],
    ),
    ("let y = z\nreturn when y.holder = none\neach x in Zone\n  near := y.holder", []),
    ("return when z.holder = none\nz.holder := none\nnear := z.holder", [(2, "z.holder")]),
    ("return when z.holder = none\nz.holder := red\nnear := z.holder", []),
    (
        "return when a.holder = none\nz.holder := none when points(red) > 1\nnear := a.holder",
        [(2, "a.holder")],
    ),
    ("return when a.holder = none\nz.holder := b.holder\nnear := a.holder", [(2, "a.holder")]),
    ("return when a.holder = none\nz.seen(red) := true\nnear := a.holder", []),
]


@pytest.mark.parametrize(("body", "told"), KNOWN)
def test_what_is_known_of_a_value(body: str, told: list[tuple[int, str]]) -> None:
    text = "\n".join(f"  {line}" for line in body.split("\n"))
    found = [line.split(" may be none here")[0] for line in findings(GAME.format(text))[1]]
    assert found == [f"RK403 {FIRST + line}: '{what}'" for line, what in told]
