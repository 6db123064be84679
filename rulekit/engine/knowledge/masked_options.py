"""Mask the ids of options, so that they reveal no identity that the player may not know."""

from __future__ import annotations

from rulekit.common.errors import IllegalChoice
from rulekit.common.i18n.messages import _
from rulekit.engine.kernel.decision import id_of
from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.information_set import stand_ins
from rulekit.engine.knowledge.observation import Observer
from rulekit.runtime.program import Program

# follows the key of an option in which a thing replaces one with a hidden identity
UNKNOWN = "?"


class MaskedOptions:
    """The options of the states of one program, as their players may know them."""

    def __init__(self, program: Program) -> None:
        self._veiled = {at for at, kind in enumerate(program.kinds) if kind.hidden_identity}
        self._plain = not any(
            param.kind in self._veiled for family in program.families for param in family.params
        )

    def ids(self, state: Position) -> dict[int, int]:
        """Map each visible option id, in order, to the id of the true option.

        They differ only if an option names a thing whose identity the player may not know. The
        visible id then names its replacement.
        """
        legal = sorted(state.legal_actions())
        player = state.current_player()
        if self._plain or player < 0:
            return dict(zip(legal, legal, strict=True))
        observer, book = Observer(state, player), state.table.book
        taken = [
            (family, list(book.arguments(family, action)))
            for action, family in zip(legal, map(book.family, legal), strict=True)
        ]
        if all(
            observer.knows(param.kind, value)
            for family, values in taken
            for param, value in zip(family.params, values, strict=True)
            if param.kind in self._veiled
        ):
            return dict(zip(legal, legal, strict=True))
        names, shown = stand_ins(observer), {}
        for action, (family, values) in zip(legal, taken, strict=True):
            words = [
                (
                    names.get((param.kind, value), (param.kind, value))[1]
                    if param.kind in self._veiled
                    else value
                )
                for param, value in zip(family.params, values, strict=True)
            ]
            shown[action if family.arcs else book.id_of(family, words)] = action
        return dict(sorted(shown.items()))

    def true(self, state: Position, action: int) -> int:
        """Return the id of the true option for a visible id.

        Raises:
            IllegalChoice: the option is not offered.
        """
        shown = self.ids(state)
        if action in shown:
            return shown[action]
        if self._plain:
            # only here, because the rule of a refusal could reveal veiled things
            raise IllegalChoice(state.refusal_of(id_of(state.names, action)))
        raise IllegalChoice(state.names.say(_("{text} is not offered here", text=repr(action))))

    def key(self, state: Position, action: int) -> str:
        """Return the key of a visible option id."""
        key = state.table.book.option(action).key
        if self._plain:
            return key
        true, player = self.ids(state).get(action, action), state.current_player()
        return key if player < 0 or Observer(state, player).names_all(true) else f"{key} {UNKNOWN}"
