"""Takes nothing, makes the intermediate form: blocks of instructions whose operands are Python expressions over the state."""

from __future__ import annotations

from attrs import define, field

from rulekit import model as m
from rulekit.base.span import NOWHERE, Span


@define(eq=False)
class Instr:
    span: Span = field(kw_only=True, default=NOWHERE)


@define(eq=False)
class Line(Instr):
    """A line of Python without effects on the state."""

    text: str


@define(eq=False)
class Put(Instr):
    """Writes a slot; op: = |= &= += -= ^= (on the trail in the full variant)."""

    slot: str
    op: str
    value: str


@define(eq=False)
class PutVar(Instr):
    """Writes a frame variable: a slot, or a local of the function."""

    var: int
    value: str


@define(eq=False)
class Log(Instr):
    """A record: the elements of its tuple. Full only."""

    text: str


@define(eq=False)
class Call(Instr):
    """Calls a function with effects, or one of the runtime that takes log and trail."""

    function: str
    args: list[str]
    into: int = -1  # a frame variable for its value


@define(eq=False)
class If(Instr):
    cond: str
    then: list[Instr]
    other: list[Instr]


@define(eq=False)
class While(Instr):
    head: str
    body: list[Instr]


@define(eq=False)
class Goto(Instr):
    block: Block


@define(eq=False)
class Decide(Instr):
    """Play waits here; `layers`: the expression of its options. Ends the function."""

    decision: int
    layers: str


@define(eq=False)
class Return(Instr):
    """Back to the caller's block (of an asking procedure), or out of a Python function."""

    returns: int = -1
    value: str = ""


@define(eq=False)
class Stop(Instr):
    """The game is over."""


@define(eq=False)
class Block:
    """Straight code that ends in Goto, Decide, Return or Stop. `entry`: must be a function of its own.
    `option`: takes the chosen id `o`."""

    number: int
    proc: m.Procedure | None
    body: list[Instr] = field(factory=list)
    entry: bool = False
    option: bool = False
    preds: int = 0
    span: Span = NOWHERE


def weight(body: list[Instr]) -> int:
    """How long the code is."""
    total = 0
    for i in body:
        total += 1
        if isinstance(i, If):
            total += weight(i.then) + weight(i.other)
        elif isinstance(i, While):
            total += weight(i.body)
    return total


def gotos(body: list[Instr]) -> list[Goto]:
    found: list[Goto] = []
    for i in body:
        if isinstance(i, Goto):
            found.append(i)
        elif isinstance(i, If):
            found += gotos(i.then) + gotos(i.other)
        elif isinstance(i, While):
            found += gotos(i.body)
    return found


def ends(body: list[Instr]) -> bool:
    """Does control never run off the end?"""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, If):
        return bool(last.other) and ends(last.then) and ends(last.other)
    return isinstance(last, (Goto, Decide, Return, Stop))
