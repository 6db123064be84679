"""The callers of a procedure up to main, so that a situation can begin in it. They are known if
there is only one path, of at most 51 callers."""

from __future__ import annotations

import pytest

from rulekit.compiler.compiler import build
from tests.compiler.checked_rules import written

HEAD = (
    "game deep 1\nkind Side decides = red | blue\nphase p0\n  choose by red\n    option rest\n     "
    " return\n"
)


@pytest.mark.parametrize(("deep", "known"), [(1, True), (50, True), (51, True), (52, False)])
def test_callers_are_known_up_to_a_depth(deep: int, known: bool) -> None:
    """`p0` is called by `p1`, that by `p2`, and so on, and the last one by main."""
    callers = "".join(f"phase p{n}\n  p{n - 1}()\n" for n in range(1, deep))
    program = build(written(f"{HEAD}{callers}phase main\n  p{deep - 1}()\n  finish red, win\n"))
    chain = next(p.chain for p in program.procs if p.name == "p0")
    names = None if chain is None else [program.procs[caller].name for caller, _ in chain]
    assert names == ([*(f"p{n}" for n in range(1, deep)), "main"] if known else None)


def test_of_two_callers_neither_is_the_one() -> None:
    program = build(written(f"{HEAD}phase main\n  p0()\n  p0()\n  finish red, win\n"))
    assert [p.chain for p in program.procs if p.name in ("p0", "main")] == [None, []]
