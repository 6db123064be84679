"""Each pass by its effect on small pieces of code: before and after as text, in
tests/compiler/passes/cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from rulekit.compiler import passes
from rulekit.compiler.backends.python.printer import Printer
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from rulekit.compiler.lowering.control_flow import Flow, LoweredDecision, OptionBlock
from rulekit.compiler.lowering.single_layer import one_layer
from rulekit.compiler.lowering.sink_single_use import sink_to_use
from rulekit.compiler.passes.dead_functions import prune
from rulekit.compiler.passes.register_promotion import registers
from rulekit.compiler.passes.structuring import Routines, count_preds
from rulekit.compiler.passes.use_sets import uses
from rulekit.runtime.program import FamilyInfo, ParamInfo

HERE = Path(__file__).parent / "cases"
ASKED = {"use_sets"}  # a module that passes use
# Passes that lowering runs on code that it has just generated.
IN_LOWERING = {"single_layer", "sink_single_use"}
MASK, OUT, H0, H1, N = (
    v.Local("m", v.Mask(5)),
    v.Local("out"),
    v.Local("h0"),
    v.Local("h1", v.Mask(5)),
    v.Local("n"),
)
SUM = v.ArithValue("+", v.SlotValue(9), v.ConstValue(2))
LAYER = c.Append(OUT, v.Layer(v.ConstValue(4), MASK))
LISTED = (
    c.NewList(OUT, "list"),
    c.Assign(MASK, v.SlotValue(7, type=v.Mask(5))),
    c.IfStatement(MASK, (LAYER,)),
    c.Give(OUT),
)
PUT = c.PutStatement(v.SlotValue(9), v.ConstValue(1))
LONG = tuple(c.PutStatement(v.SlotValue(9), v.ConstValue(n)) for n in range(10))
Lines = Sequence[str]
Show = Callable[[Any], tuple[Lines, Lines]]  # a case, before the pass and after it


class Shown(Printer):
    """Prints jumps too, which emitted code no longer has."""

    def __init__(self) -> None:
        super().__init__(False, (), (), {})

    def statement(self, i: c.Stmt) -> None:
        match i:
            case c.Goto(block):
                self.out(f"go to {block.number}")
            case c.Decide(number, layers):
                self.out(
                    f"decide {number}"
                    + (f", options {self.text(layers)}" if layers is not None else "")
                )
            case c.StopStatement():
                self.out("stop")
            case _:
                super().statement(i)


def printed(code: c.Code) -> Lines:
    """Return the lines of the fast variant."""
    printer = Shown()
    printer.code(code)
    return printer.lines


def functions(made: Iterable[c.Function]) -> Lines:
    """Return the lines of functions."""
    printer = Shown()
    for each in made:
        printer.function(each)
    return [line for line in printer.lines if line]


def on_code(change: Callable[[c.Code], c.Code]) -> Show:
    return lambda code: (printed(code), printed(change(code)))


def back(code: c.Code) -> c.Code:
    """Apply the pass with the last statement as the user of the others."""
    kept, rest = sink_to_use(code[:-1], code[-1:])
    return (*kept, *rest)


def locals_of(code: c.Code) -> c.Code:
    """Return the code, followed by the pass's results about its frame variables."""
    local, dead = registers(
        [(c.Routine(FunctionName(FunctionKind.BLOCK, 1), (), code), uses(code))], {8}
    )
    return (
        c.Do(
            v.Tuple(
                tuple(
                    v.TextValue(f"{name} {sorted(found)}")
                    for name, found in (("local", local), ("dead", dead))
                )
            )
        ),
    )


def helper(number: int) -> FunctionName:
    return FunctionName(FunctionKind.HELPER, number)


def definition(number: int) -> FunctionName:
    return FunctionName(FunctionKind.DEFINITION, number)


def pruned(called: set[FunctionName]) -> tuple[Lines, Lines]:
    """Return the lines of a definition and helpers, one of which calls another.

    Args:
        called: the functions called from elsewhere.
    """
    made = [
        c.Function(helper(0), (), (c.Give(v.CallValue(helper(1), ())),)),
        c.Function(helper(1), (), (c.Give(SUM),)),
        c.Function(helper(2), (), (c.Give(N),)),
        c.Function(definition(0), (), (c.Give(v.CallValue(helper(2), ())),)),
        c.Function(definition(1), (), (c.Give(v.ConstValue(1)),)),
    ]
    return functions(made), functions(prune([(f, uses(f.body)) for f in made], called))


def structured(bodies: Callable[..., Sequence[c.Code]], offers: int = 0) -> tuple[Lines, Lines]:
    """Return the lines of blocks, the first of which is an entry, and of a decision if the last
    blocks are its options."""
    flow = Flow(None)  # type: ignore[arg-type]  # blocks are at hand, nothing is lowered
    blocks = [flow.block(None) for _ in range(3)]
    for block, body in zip(blocks, bodies(*blocks), strict=False):
        block.body += body
    blocks = [block for block in blocks if block.body]
    blocks[0].entry = True
    if offers:
        decision = LoweredDecision(1, "choose", None)  # type: ignore[arg-type]  # nobody asks whose it is
        for block in blocks[-offers:]:
            number = flow.family(FamilyInfo("go", "option", 0, [ParamInfo("n", -1, 0, 3)]))
            decision.offers.append(OptionBlock(number, block))
        flow.decisions.append(decision)
    before = [
        line
        for block in blocks
        for line in (
            f"block {block.number}:",
            *("    " + line for line in printed(tuple(block.body))),
        )
    ]
    before += [
        f"decision 1, options from {flow.families[offer.family].base}: block {offer.block.number}"
        for d in flow.decisions
        for offer in d.offers
    ]
    count_preds(flow.blocks)
    routines = Routines(flow)
    routines.all(blocks[:1], flow.decisions)
    return before, functions(routines.made)


CASES: dict[str, tuple[Show, Sequence[tuple[str, Any]]]] = {
    "single_layer": (
        on_code(one_layer),
        [
            ("one layer, if it has members", LISTED),
            (
                "two layers",
                (*LISTED[:3], c.Append(OUT, v.Layer(v.ConstValue(9), v.ConstValue(1))), LISTED[3]),
            ),
            ("another test", (*LISTED[:2], c.IfStatement(v.SlotValue(3), (LAYER,)), LISTED[3])),
        ],
    ),
    "sink_single_use": (
        on_code(back),
        [
            ("read once", (c.Assign(H0, SUM), c.Give(v.CompareValue("<", N, H0)))),
            ("read twice", (c.Assign(H0, SUM), c.Give(v.ArithValue("*", H0, H0)))),
            (
                "read once by what reads twice",
                (c.Assign(H1, v.SlotValue(7, type=v.Mask(5))), c.Give(v.Lowest(H1))),
            ),
            (
                "one within the other",
                (c.Assign(H0, SUM), c.Assign(H1, v.Bit(H0, v.Mask(5))), c.Give(v.Has(H1, N))),
            ),
            ("read never", (c.Assign(H0, SUM), c.Give(N))),
        ],
    ),
    "register_promotion": (
        on_code(locals_of),
        [
            (
                "written before it is read",
                (c.PutFrame(20, SUM), c.PutStatement(v.SlotValue(9), v.FrameValue(20))),
            ),
            (
                "read before it is written",
                (c.PutStatement(v.SlotValue(9), v.FrameValue(20)), c.PutFrame(20, SUM)),
            ),
            (
                "written in one branch only",
                (
                    c.IfStatement(v.SlotValue(3), (c.PutFrame(20, SUM),)),
                    c.PutStatement(v.SlotValue(9), v.FrameValue(20)),
                ),
            ),
            ("never read", (c.PutFrame(20, SUM),)),
            (
                "never read, but it may end play",
                (c.PutFrame(20, v.RunValue("the", (v.SlotValue(7),))),),
            ),
            ("others read it", (c.PutFrame(8, SUM),)),
        ],
    ),
    "structuring": (
        lambda given: structured(*given),
        [
            (
                "gone to once",
                (
                    lambda a, b, _: [
                        (c.IfStatement(v.SlotValue(3), (c.Goto(b),)), c.StopStatement()),
                        (*LONG, c.StopStatement()),
                    ],
                ),
            ),
            (
                "short, gone to twice",
                (
                    lambda a, b, _: [
                        (c.IfStatement(v.SlotValue(3), (c.Goto(b),)), PUT, c.Goto(b)),
                        (PUT, c.StopStatement()),
                    ],
                ),
            ),
            (
                "long, gone to twice",
                (
                    lambda a, b, _: [
                        (c.IfStatement(v.SlotValue(3), (c.Goto(b),)), PUT, c.Goto(b)),
                        (*LONG, c.StopStatement()),
                    ],
                ),
            ),
            (
                "it goes to itself",
                (
                    lambda a, b, _: [
                        (PUT, c.IfStatement(v.SlotValue(3), (c.Goto(a),)), c.Goto(b)),
                        (c.StopStatement(),),
                    ],
                ),
            ),
            (
                "a branch with nothing in it",
                (lambda a, b, _: [(c.IfStatement(v.SlotValue(3), ()), PUT, c.StopStatement())],),
            ),
            (
                "options",
                (
                    lambda a, b, d: [
                        (c.Decide(1, None),),
                        (PUT, c.Decide(1, None)),
                        (c.ReturnStatement(5),),
                    ],
                    2,
                ),
            ),
            (
                "options that are given",
                (lambda a, b, _: [(PUT, c.Decide(1, v.Layers(()))), (c.StopStatement(),)], 1),
            ),
        ],
    ),
    "dead_functions": (
        pruned,
        [
            ("nothing is called from elsewhere", set()),
            ("a helper that calls another", {helper(0)}),
            ("what is no helper", {definition(1)}),
        ],
    ),
}


def text(name: str) -> str:
    """Return the cases of a pass in the form of its fixture."""
    show, cases = CASES[name]
    found = [
        "\n".join([f"== {title}", *before, "--", *after])
        for title, (before, after) in ((title, show(given)) for title, given in cases)
    ]
    return "\n\n".join(found) + "\n"


@pytest.mark.parametrize("name", CASES)
def test_a_pass_makes_what_its_examples_say(name: str) -> None:
    assert text(name) == (HERE / f"{name}.txt").read_text("utf-8")


def test_each_pass_is_a_module_has_examples_and_stands_in_the_table_of_passes() -> None:
    page = (Path(__file__).parents[3] / "docs" / "compiler.md").read_text("utf-8")
    table = set(
        re.findall(r"^\| `(\w+)` \|", page.split("## Passes")[1].split("## ")[0], re.MULTILINE)
    )
    folder = Path(passes.__path__[0])
    modules = {p.stem for p in folder.glob("[!_]*.py")} - ASKED | IN_LOWERING
    assert all((folder.parent / "lowering" / f"{name}.py").exists() for name in IN_LOWERING)
    assert set(CASES) == modules == table == {p.stem for p in HERE.glob("*.txt")}
