"""Turn blocks and decisions into routines, which are code without jumps.

A block that is short, or is the target of only one jump, is inlined in place of the jump.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from attrs import define, field

from rulekit.common.node_fields import evolve
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from rulekit.compiler.ir.visitor import ends, gotos, weight
from rulekit.compiler.lowering.control_flow import Flow, LoweredDecision

_JOIN = 9  # maximal number of statements of a block that is inlined at each jump
NOWHERE_ELSE = c.Next(0)


@define(eq=False)
class Routines:
    """The routines of a game: the effects of chosen options, and blocks that others jump to."""

    flow: Flow
    made: list[c.Routine] = field(factory=list)
    needed: dict[int, c.Block] = field(factory=dict)
    stack: list[c.Block] = field(factory=list)
    asked: int = 0  # the decision at which the current routine is called

    def all(self, roots: Iterable[c.Block], decisions: Sequence[LoweredDecision]) -> None:
        """Write all routines that can be reached."""
        for block in roots:
            self.needed[block.number] = block
        for d in decisions:
            self.resume(d)
        done: set[int] = set()
        while todo := [b for n, b in sorted(self.needed.items()) if n not in done]:
            for block in todo:
                done.add(block.number)
                self.made.append(
                    c.Routine(
                        FunctionName(FunctionKind.BLOCK, block.number),
                        (),
                        self.inline(block),
                        block.span,
                    )
                )

    def resume(self, decision: LoweredDecision) -> None:
        """Write the routine of a decision that executes the chosen option."""
        self.asked = decision.number
        infos, o = self.flow.families, v.Local("o")
        offers = sorted(decision.offers, key=lambda x: infos[x.family].base)
        body: list[c.Stmt] = []
        for offer in offers[:-1]:
            info = infos[offer.family]
            body.append(
                c.IfStatement(
                    v.CompareValue("<", o, v.ConstValue(info.base + info.size)),
                    self.inline(offer.block),
                )
            )
        body += self.inline(offers[-1].block)
        self.asked = 0
        self.made.append(
            c.Routine(
                FunctionName(FunctionKind.RESUMPTION, decision.number),
                (o,),
                tuple(body),
                decision.span,
            )
        )

    def inline(self, block: c.Block) -> c.Code:
        self.stack.append(block)
        made = self.body(block.body)
        self.stack.pop()
        return made if ends(block.body) else (*made, NOWHERE_ELSE)

    def body(self, body: Iterable[c.Stmt]) -> c.Code:
        return tuple(x for i in body for x in self.statement(i))

    def statement(self, stmt: c.Stmt) -> c.Code:
        match stmt:
            case c.IfStatement(_, then, other):
                return (
                    (evolve(stmt, then=self.body(then), other=self.body(other)),)
                    if then or other
                    else ()
                )
            case c.Goto(block):
                return self.goto(block)
            case c.Decide(number, layers):
                options = (
                    layers
                    if layers is not None
                    else v.CallValue(FunctionName(FunctionKind.OPTIONS, number), ())
                )
                return (
                    c.Wait(0 if number == self.asked else number, options, span=stmt.span),
                    NOWHERE_ELSE,
                )
            case c.StopStatement():
                return (c.Next(0, span=stmt.span),)
            case (
                c.Assign()
                | c.Unpack()
                | c.Do()
                | c.PutStatement()
                | c.PutFrame()
                | c.LogStatement()
                | c.CallStatement()
                | c.Effect()
                | c.NoLayers()
                | c.While()
                | c.ForBits()
                | c.ForRows()
                | c.ForRange()
                | c.ForItems()
                | c.ForMembers()
                | c.WhileOpen()
                | c.Break()
                | c.Continue()
                | c.Give()
                | c.KeepLeast()
                | c.KeepExtreme()
                | c.GiveExtreme()
                | c.SortIn()
                | c.GroupIn()
                | c.Distinct()
                | c.NewList()
                | c.GiveList()
                | c.NewSearch()
                | c.Improve()
                | c.Later()
                | c.Append()
                | c.Tick()
                | c.Fail()
                | c.OverStatement()
                | c.ReturnStatement()
                | c.Wait()
                | c.Next()
            ):
                return (stmt,)
        assert_never(stmt)

    def goto(self, block: c.Block) -> c.Code:
        once = block.preds == 1 and not block.entry
        if block not in self.stack and (once or weight(block.body) <= _JOIN):
            return self.inline(block)
        self.needed[block.number] = block
        return (c.Next(block.number),)


def count_preds(blocks: Iterable[c.Block]) -> None:
    """Count the jumps that lead to each block."""
    for block in blocks:
        for g in gotos(block.body):
            g.block.preds += 1
