"""The blocks, decisions and families of options of a game during its compilation."""

from __future__ import annotations

from attrs import define, field

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler import model as m
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.lowering.unit import Unit
from rulekit.runtime import program as pg


@define(eq=False)
class OptionBlock:
    """A family of options of a decision, and the block that handles it."""

    family: int  # index in Flow.families
    block: c.Block


@define(eq=False)
class LoweredDecision:
    number: int
    kind: str
    proc: m.Procedure
    prompt: str = ""
    text: str = ""
    ref: tuple[str, ...] = ()
    moment: int = -1
    group: tuple[int, int] = (-1, -1)  # the slots of the picked elements and of the classes
    offers: list[OptionBlock] = field(factory=list)
    asked: v.SlotValue = field(
        factory=lambda: v.SlotValue(0)
    )  # the slot with the player who decides
    layers: c.Code = ()  # the body of the function that lists the options
    span: Span = NOWHERE
    visible: dict[str, m.Var] | None = (
        None  # the variables that texts may name; None: all of the procedure
    )


@define(eq=False)
class Growing:
    """A `pick group`, with the slots of its source, of the picked elements, and of their maximal
    number.
    """

    stmt: m.PickGroup
    source: v.SlotValue
    picked: v.SlotValue
    most: v.SlotValue


def when(guard: m.Guarded) -> pg.ClauseInfo:
    """Return the description of a `when` line for frontends."""
    return pg.ClauseInfo("when", "", guard.reason, guard.key, guard.ref)


@define(eq=False)
class Flow:
    """All blocks, decisions and option families of a game during its compilation."""

    unit: Unit
    blocks: list[c.Block] = field(factory=list)
    decisions: list[LoweredDecision] = field(factory=list)
    families: list[pg.FamilyInfo] = field(factory=list)
    entries: dict[m.Procedure, c.Block] = field(factory=dict)
    # id of an option -> family. `spans` keeps the option alive.
    options: dict[int, int] = field(factory=dict)
    next_id: int = 1
    sites: dict[m.Procedure, list[tuple[m.Procedure, int]]] = field(
        factory=dict
    )  # callee -> (caller, block to return to)
    # block to return to from a phase -> block from which play can begin in that phase
    seats: dict[int, int] = field(factory=dict)
    spans: dict[int, m.GuardedOption] = field(factory=dict)  # family -> option
    groups: dict[int, Growing] = field(factory=dict)  # family of the added elements -> the group
    # Family of the steps of a walk -> the movement. The next family is the end of the walk.
    walks: dict[int, m.Movement] = field(factory=dict)
    # family of a pick -> the set of candidates
    picks: dict[int, m.Expr] = field(factory=dict)

    def block(self, proc: m.Procedure | None) -> c.Block:
        made = c.Block(len(self.blocks) + 1, proc)
        self.blocks.append(made)
        return made

    def decision(self, kind: str, proc: m.Procedure) -> LoweredDecision:
        made = LoweredDecision(len(self.decisions) + 1, kind, proc)
        self.decisions.append(made)
        return made

    def family(self, info: pg.FamilyInfo) -> int:
        """Add a family. Its ids follow those of the previous one."""
        info.base = self.next_id
        self.next_id += info.size
        self.families.append(info)
        return len(self.families) - 1

    def entry(self, proc: m.Procedure) -> c.Block:
        """Return the first block of a procedure that asks, which may not be lowered yet."""
        if proc not in self.entries:
            self.entries[proc] = self.block(proc)
        return self.entries[proc]


@define(eq=False)
class Targets:
    """The destinations of control: the end of the rule block (`skip`), out of the loop, out of the
    procedure.
    """

    skip: c.Block
    leave: c.Block
    back: c.Block

    def within(self, skip: c.Block) -> Targets:
        return Targets(skip, self.leave, self.back)

    def loop(self, leave: c.Block, skip: c.Block) -> Targets:
        return Targets(skip, leave, self.back)
