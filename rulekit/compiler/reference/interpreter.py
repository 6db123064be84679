"""The reference interpreter: plays a game directly from the checked model.

It is the test oracle for the emitted code. It is slow and deliberately simple, and follows the
docstrings of `rulekit.compiler.model` word for word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulekit.common.errors import IllegalChoice
from rulekit.compiler import model as m
from rulekit.compiler.reference.chance import ReferenceChance
from rulekit.compiler.reference.decisions import Asking
from rulekit.compiler.reference.options import ReferenceDecision, ReferenceOption
from rulekit.compiler.reference.procedures import qualified
from rulekit.compiler.reference.setup import late_values, set_up
from rulekit.compiler.semantics.evaluate import explain
from rulekit.compiler.semantics.values import ReferenceDerivation


class Reference:
    """A game in play.

    Use `decision` and `apply` to play, and `events`, `result`, `cells` and `explain` to inspect.
    """

    def __init__(
        self,
        model: m.Model,
        scenario: str = "",
        rulings: Mapping[str, str] | None = None,
        seed: int = 0,
        dice: Sequence[int] | None = None,
    ) -> None:
        self.model = model
        self.machine = Asking(
            model, late_values(model, scenario, rulings or {}), ReferenceChance(seed, dice)
        )
        set_up(self.machine.position, scenario)
        self.decision: ReferenceDecision | None = None
        self._play = self.machine.game()
        self._resume(None)

    @property
    def events(self) -> list[tuple[str, tuple[Any, ...]]]:
        return self.machine.events

    @property
    def result(self) -> tuple[int, str] | None:
        """(ordinal of the winner or -1, level), or None if the game is not over. None after the end
        means that no `finish` was reached, which is an error in play.
        """
        return self.machine.result

    @property
    def over(self) -> bool:
        return self.decision is None

    def _resume(self, offer: ReferenceOption | None) -> None:
        try:
            self.decision = next(self._play) if offer is None else self._play.send(offer)
        except StopIteration:
            self.decision = None
        for invariant in self.model.invariants:
            if invariant.everywhere:
                self.machine.check(invariant)

    def apply(self, index: int) -> None:
        """Take the option with this index of the current decision."""
        if self.decision is None or not 0 <= index < len(self.decision.offers):
            raise IllegalChoice(f"there is no option {index}")
        self._resume(self.decision.offers[index])

    def cells(self) -> dict[str, list[int]]:
        """Return the values of all cells that are not hidden, row-major."""
        return {
            qualified(c): list(v) for c, v in self.machine.position.cells.items() if not c.hidden
        }

    def explain(self, target: m.Total | m.Permit, args: Sequence[int]) -> ReferenceDerivation:
        """Return the derivation of a total or permit in the current position."""
        p = self.machine.position
        return explain(p, target, list(args), p.bound)
