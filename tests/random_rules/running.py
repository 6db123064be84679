"""Runs a procedure from a random state in the reference interpreter and in each variant, step by
step, and returns the differences."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field

from rulekit.common.errors import RulesError
from rulekit.compiler import model as m
from rulekit.compiler.reference.chance import ReferenceChance
from rulekit.compiler.reference.decisions import Asking
from rulekit.compiler.reference.options import ReferenceDecision
from rulekit.compiler.reference.procedures import GameOver, Play, qualified
from rulekit.compiler.reference.setup import late_values
from rulekit.compiler.reference.store import ReferencePosition
from rulekit.runtime import intrinsics
from rulekit.runtime.program import Program
from rulekit.runtime.slots import BARE_END, PC
from tests.compiler.reference.agree import (
    canonical_event,
    canonical_id,
    canonical_offer,
    canonical_record,
    compiled_cells,
)
from tests.random_rules.errors import sort_of
from tests.random_rules.natively import Natively, Open

STEPS = 12


@define(eq=False)
class Reference:
    """The reference interpreter within a procedure."""

    machine: Asking
    play: Play
    decision: ReferenceDecision | None = None

    def step(self, index: int) -> Any:
        """Begin (index -1) or choose an option. Return all visible results."""
        try:
            self.decision = (
                next(self.play) if index < 0 else self.play.send(self.decision.offers[index])
            )  # type: ignore[union-attr]
        except (StopIteration, GameOver):
            self.decision = None
        cells = {
            qualified(c): [int(v) for v in values]
            for c, values in self.machine.position.cells.items()
            if not c.hidden
        }
        events = [
            e
            for e in map(canonical_event(self.machine.model), self.machine.events)
            if e is not None
        ]
        if self.decision is None:
            return "over", cells, events
        return (
            self.decision.who,
            [canonical_offer(self.decision.kind, o) for o in self.decision.offers],
            cells,
            events,
        )


@define(eq=False)
class Compiled:
    """A variant within a procedure."""

    program: Program
    variant: str
    state: list[int]
    log: list[Any] = field(factory=list)
    trail: list[int] = field(factory=list)

    @property
    def more(self) -> list[Any]:
        return [] if self.variant == "fast" else [self.log, self.trail]

    def step(self, index: int, proc: int, args: Sequence[int]) -> Any:
        """Begin (index -1) or choose an option. Return all visible results."""
        code = self.program.code(self.variant)
        if index < 0:
            code.run(self.state, proc, tuple(args), *self.more)
        else:
            code.apply(self.state, intrinsics.ids(code.layers(self.state))[index], *self.more)
        cells = compiled_cells(self.program, self.state)
        events = [e for e in (canonical_record(self.program, r) for r in self.log) if e is not None]
        if self.state[PC] in (0, BARE_END):
            return "over", cells, events
        return (
            code.who(self.state),
            [canonical_id(self.program, i) for i in intrinsics.ids(code.layers(self.state))],
            cells,
            events,
        )


def outcome(step: Callable[..., Any], *args: Any) -> Any:
    """Return the results of a step, or its kind of error."""
    try:
        return step(*args)
    except RulesError as error:
        return sort_of(error)


def differences(
    model: m.Model,
    program: Program,
    native: Open | None,
    position: ReferencePosition,
    states: dict[str, list[int]],
    proc: m.Procedure,
    args: Sequence[int],
    pick: random.Random,
) -> list[str]:
    """Play a procedure to its end, or to the first difference or error."""
    machine = Asking(model, late_values(model, "plain", {}), ReferenceChance(1, None))
    for cell, values in position.cells.items():
        machine.position.cells[cell] = list(values)
    machine.position.known = dict(position.known)
    reference = Reference(machine, machine.call(proc, args))
    number = next(i for i, info in enumerate(program.procs) if info.name == proc.name)
    compiled: list[Compiled | Natively] = [
        Compiled(program, variant, state[:]) for variant, state in states.items()
    ]
    if native is not None:
        compiled.append(Natively(native, states["fast"][:]))
    index = -1
    for step in range(STEPS):
        wanted = outcome(reference.step, index)
        for one in compiled:
            have = outcome(one.step, index, number, args)
            if (
                one.variant in ("fast", "native")
                and not isinstance(have, str)
                and not isinstance(wanted, str)
            ):
                have = (*have[:-1], wanted[-1])  # this variant keeps no events
            if have != wanted:
                return [
                    f"{proc.name} {one.variant} {list(args)} step {step}: {unlike(wanted, have)}"
                ]
        if isinstance(wanted, str) or reference.decision is None:
            return []
        index = pick.randrange(len(reference.decision.offers))
    return []


def unlike(wanted: Any, have: Any) -> str:
    """Return a difference in short form."""
    if isinstance(wanted, str) or isinstance(have, str) or len(wanted) != len(have):
        return f"reference {str(wanted)[:60]}, compiled {str(have)[:60]}"
    for a, b in zip(wanted, have, strict=True):
        if isinstance(a, dict):
            for k in a:
                if a[k] != b[k]:
                    return f"{k}: reference {a[k]}, compiled {b[k]}"
        if a != b:
            return f"reference {a}, compiled {b}"
    return "nothing"
