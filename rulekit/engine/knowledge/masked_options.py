"""Takes a state, makes the ids of its options as the player who is asked may know them: none tells
what he may not know of a thing."""

from __future__ import annotations

from rulekit.common.errors import IllegalChoice
from rulekit.engine.kernel.decision import id_of
from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.information_set import stand_ins
from rulekit.engine.knowledge.observation import Observer
from rulekit.runtime.program import Program

# after the key of an option: a thing in it stands for one of which it may not be known which it is
UNKNOWN = "?"


class Offered:
    """The options of the states of one program."""

    def __init__(self, program: Program) -> None:
        self._veiled = {at for at, kind in enumerate(program.kinds) if kind.hidden_identity}
        self._plain = not any(
            param.kind in self._veiled for family in program.families for param in family.params
        )

    def ids(self, state: Position) -> dict[int, int]:
        """For each id that is shown, in order, the id of the option. They differ only where an
        option names a thing of which the player may not know which it is: then the id names the one
        that stands for it."""
        legal = sorted(state.legal_actions())
        player = state.current_player()
        if self._plain or player < 0:
            return dict(zip(legal, legal, strict=True))
        viewer, book = Observer(state, player), state.table.book
        taken = [
            (family, list(book.arguments(family, action)))
            for action, family in zip(legal, map(book.family, legal), strict=True)
        ]
        if all(
            viewer.knows(param.kind, value)
            for family, values in taken
            for param, value in zip(family.params, values, strict=True)
            if param.kind in self._veiled
        ):
            return dict(zip(legal, legal, strict=True))
        names, shown = stand_ins(viewer), {}
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
        """The id of the option that is meant by one that is shown. IllegalChoice if it is not
        offered."""
        shown = self.ids(state)
        if action in shown:
            return shown[action]
        if self._plain:
            raise IllegalChoice(
                state.refusal_of(id_of(state.names, action))
            )  # where things are veiled the rule could tell of them
        raise IllegalChoice(state.names.word("not_offered", text=repr(action)))

    def key(self, state: Position, action: int) -> str:
        """What an id that is shown is called."""
        key = state.table.book.option(action).key
        if self._plain:
            return key
        true, player = self.ids(state).get(action, action), state.current_player()
        return key if player < 0 or Observer(state, player).names_all(true) else f"{key} {UNKNOWN}"
