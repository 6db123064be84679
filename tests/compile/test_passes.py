"""Each pass by what it makes of small pieces of code: before and after as text, in tests/compile/passes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from rulekit.compile.emit.python import Printer
from rulekit.compile.ir import code as c
from rulekit.compile.ir import values as v
from rulekit.compile.passes.pieces import one_layer, put_back
from rulekit.compile.passes.uses import registers, uses

HERE = Path(__file__).parent / "passes"
MASK, OUT, H0, H1, N = v.Local("m", v.Mask(5)), v.Local("out"), v.Local("h0"), v.Local("h1", v.Mask(5)), v.Local("n")
SUM = v.Arith("+", v.Slot(9), v.Const(2))
LAYER = c.Append(OUT, v.Layer(v.Const(4), MASK))
LISTED = (c.NewList(OUT, "list"), c.Assign(MASK, v.Slot(7, type=v.Mask(5))), c.If(MASK, (LAYER,)), c.Give(OUT))
Case = tuple[str, c.Code]


def back(code: c.Code) -> c.Code:
    """With the last statement as what uses the others."""
    kept, rest = put_back(code[:-1], code[-1:])
    return (*kept, *rest)


def locals_of(code: c.Code) -> c.Code:
    """The code with what the pass says of its frame variables behind it."""
    local, dead = registers([(c.Routine("B1", (), code), uses(code))], {8})
    return (c.Do(v.Tuple(tuple(v.Text(f"{name} {sorted(found)}") for name, found in (("local", local), ("dead", dead))))),)


CASES: dict[str, tuple[Callable[[c.Code], c.Code], Sequence[Case]]] = {
    "one_layer": (one_layer, [
        ("one layer, if it has members", LISTED),
        ("two layers", (*LISTED[:3], c.Append(OUT, v.Layer(v.Const(9), v.Const(1))), LISTED[3])),
        ("another test", (*LISTED[:2], c.If(v.Slot(3), (LAYER,)), LISTED[3]))]),
    "put_back": (back, [
        ("read once", (c.Assign(H0, SUM), c.Give(v.Compare("<", N, H0)))),
        ("read twice", (c.Assign(H0, SUM), c.Give(v.Arith("*", H0, H0)))),
        ("read once by what reads twice", (c.Assign(H1, v.Slot(7, type=v.Mask(5))), c.Give(v.Lowest(H1)))),
        ("one within the other", (c.Assign(H0, SUM), c.Assign(H1, v.Bit(H0, v.Mask(5))), c.Give(v.Has(H1, N)))),
        ("read never", (c.Assign(H0, SUM), c.Give(N)))]),
    "registers": (locals_of, [
        ("written before it is read", (c.PutFrame(20, SUM), c.Put(v.Slot(9), v.Frame(20)))),
        ("read before it is written", (c.Put(v.Slot(9), v.Frame(20)), c.PutFrame(20, SUM))),
        ("written in one branch only", (c.If(v.Slot(3), (c.PutFrame(20, SUM),)), c.Put(v.Slot(9), v.Frame(20)))),
        ("never read", (c.PutFrame(20, SUM),)),
        ("never read, but it may end play", (c.PutFrame(20, v.Run("the", (v.Slot(7),))),)),
        ("others read it", (c.PutFrame(8, SUM),))]),
}


def printed(code: c.Code) -> list[str]:
    """The lines of the fast variant."""
    printer = Printer(False, (), (), {})
    printer.code(code)
    return printer.lines


def text(name: str) -> str:
    """The cases of a pass as its fixture has them."""
    change, cases = CASES[name]
    found = ["\n".join([f"== {title}", *printed(code), "--", *printed(change(code))]) for title, code in cases]
    return "\n\n".join(found) + "\n"


@pytest.mark.parametrize("name", CASES)
def test_a_pass_makes_what_its_examples_say(name: str) -> None:
    assert text(name) == (HERE / f"{name}.txt").read_text("utf-8")


def test_each_pass_with_examples_stands_in_the_table_of_passes() -> None:
    page = (Path(__file__).parents[2] / "docs" / "compiler.md").read_text("utf-8")
    assert set(CASES) == {p.stem for p in HERE.glob("*.txt")} <= set(re.findall(r"^\| `(\w+)` \|", page.split("## Passes")[1], re.MULTILINE))
