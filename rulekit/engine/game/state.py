"""The public `State`: a position with names, texts and typed choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex

from rulekit.common.errors import IllegalChoice, RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.explain import refusals
from rulekit.engine.explain.derivation import Derivation, explain
from rulekit.engine.kernel.decision import (
    Decision,
    Option,
    id_of,
    matching,
    no_such,
    number_of,
    refuse_long,
)
from rulekit.engine.kernel.events import Event, Log
from rulekit.engine.kernel.names import NO_LIMIT
from rulekit.engine.kernel.position import ALL, STATE_FORMAT, Position, Result
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.knowledge.visibility import Visibility, decision_of
from rulekit.runtime.slots import PC


class State(Position):
    """A position that players read and act on by name.

    Create one with `Game.new`, `Game.state_from_json` or `clone`.
    """

    __slots__ = ()

    # --------------------------------------------------------------------------------- the decision
    @property
    def decision(self) -> Decision | None:
        """The decision that the current player faces, or None when the game is over."""
        return decision_of(self)

    def __repr__(self) -> str:
        return f"<State of {self._program.name}, {self.decision or self.result}>"

    # -------------------------------------------------------------------------------------- choices
    def apply(self, choice: Option | str | SupportsIndex) -> Log:
        """Apply an option in place and return the new events.

        Args:
            choice: an option, its key, a text that matches it, or its id.

        Raises:
            IllegalChoice: the choice is not offered. A choice that fails changes nothing.
        """
        return self.push(self.find(choice).id)

    def find(self, choice: Option | str | SupportsIndex) -> Option:
        """Return the offered option that `choice` denotes, where `#3` denotes the third one.

        Raises:
            IllegalChoice: no option matches, or several do. The message gives the reason.
        """
        legal = self.legal_actions()
        if isinstance(choice, Option):
            choice = choice.id
        if not isinstance(choice, str):
            action = id_of(self.names, choice)
            if action not in legal:
                raise IllegalChoice(self.refusal_of(action))
            return self._table.book.option(action)
        refuse_long(self.names, choice)
        options = self._table.book.options(legal)
        number = number_of(choice[1:]) if choice[:1] == "#" else None
        if number is not None and 1 <= number <= len(options):
            return options[number - 1]
        found = matching(choice, options, self.names)
        if len(found) == 1:
            return found[0]
        raise IllegalChoice(
            no_such(self.names, choice, options)
            if found or not legal
            else self._named_refusal(choice, options)
        )

    def _named_refusal(self, text: str, options: Sequence[Option]) -> str:
        whys = refusals.by_name(self, text)
        return self.names.semicolon.join(whys[:3]) if whys else no_such(self.names, text, options)

    def refusal_of(self, action: int) -> str:
        """Return the reason why an option is not offered here: the rule and its paragraph."""
        if self._s[PC] <= 0:
            return self.names.say(_("the game is over"))
        return refusals.explain(self, action)

    # -------------------------------------------------------------------------------------- queries
    def view(self, player: int | str | None) -> dict[str, Any]:
        """Return everything that a player (None: a spectator) may know, as plain data."""
        return Observer(self, player).everything()

    def explain(self, name: str, *args: Any, observer: int | str | None = ALL) -> Derivation:
        """Return the derivation of a total or permit in this position.

        Args:
            observer: a player, or None for a spectator. Values that they may not know are masked.
        """
        return explain(self, name, args, None if observer == ALL else Visibility(self, observer))

    def why(self, choice: str | SupportsIndex) -> list[str]:
        """Return the reasons why an option is not offered, or an empty list if it is offered.

        There is one reason for each option that the text may mean: the rule, its paragraph and the
        condition that failed. The answer reveals nothing that the current player may not know. If a
        text names a thing that they do not know, the answer does not reveal whether the option is
        offered.
        """
        if not isinstance(choice, str):
            action = id_of(self.names, choice)
            return [] if action in self.legal_actions() else [self.refusal_of(action)]
        return refusals.why_text(self, choice)

    # ------------------------------------------------------ changes outside of play, for situations
    def set(self, path: str, value: Any) -> None:
        """Write a cell outside of the rules, for situations and editors.

        The history is dropped, because replaying it would no longer lead to this position.
        """
        cell, keys = self.names.cell(path)
        type, parsed = cell.type, self.names.parse(cell.type, value)
        if type.form == "member" and parsed < 0 and not type.optional:
            raise RulekitError(f"{path} is never none")
        if type.form == "int" and not (type.optional and parsed == NO_LIMIT):
            low, high = (
                parsed if type.low is None else type.low,
                (parsed if type.high is None else type.high),
            )
            if not low <= parsed <= high:
                raise RulekitError(f"{path} lies between {low} and {high}")
        self.put(cell, keys, parsed)
        self.forget()


__all__ = ["ALL", "NO_LIMIT", "STATE_FORMAT", "Event", "Result", "State"]
