"""`Seat`: everything that a frontend shows to one player or spectator of a state.

Each method delegates to a module of this folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import field, frozen

from rulekit.engine.explain.derivation import Derivation, explain
from rulekit.engine.explain.event_reasons import behind
from rulekit.engine.game.state import State
from rulekit.engine.knowledge.observable_history import ObservableHistory
from rulekit.engine.knowledge.observation import Observer
from rulekit.presentation.decision import SeatDecision, asked
from rulekit.presentation.forecast import Forecast, forecast
from rulekit.presentation.hint import Hint, hint
from rulekit.presentation.log import LogLine, log
from rulekit.presentation.odds import Odds, Way, odds, preview
from rulekit.presentation.plan import Plan, plan
from rulekit.presentation.position import SeatPosition, picture, position
from rulekit.presentation.refusal import Refusal, why, why_not
from rulekit.presentation.sheet import Sheet, sheet_of


@frozen
class Seat:
    """A place at the table: one player or spectator of a state.

    The seat holds the state itself, not a copy, so its answers are always current. Nothing that its
    player may not know changes any value, order or number in the answers. They therefore describe
    the position after the last observable move (`history`).

    Attributes:
        player: The name or number of the player, or None for a spectator.
        lang: The language, or None for that of the state.
        over: True if the game was ended by something other than its rules.
            The number of choices is then no longer hidden.
    """

    state: State
    player: int | str | None = None
    lang: str | None = field(default=None)
    over: bool = False

    @property
    def observer(self) -> Observer:
        """The observer for this seat, at its last observable move."""
        state = self.history.state
        return Observer(state if self.lang is None else state.in_language(self.lang), self.player)

    @property
    def history(self) -> ObservableHistory:
        """The choices as this seat can observe and count them."""
        return ObservableHistory.of(self.state, self.player, picture, self.over)

    def decision(self) -> SeatDecision | None:
        """Return the current decision, or None when the game is over."""
        return asked(self.observer, self.history)

    def odds(self, key: str | None = None) -> Odds:
        """Return the exact distribution of the next roll after an option, with all effects.

        Without a key, do so after each option. Raise IllegalChoice for a key that this seat is not
        offered.
        """
        return odds(self.observer, key)

    def preview(self, keys: Sequence[str]) -> Way:
        """Preview a plan up to its end, or to the first roll or draw: its changes and the points.

        Nothing is chosen. Raise IllegalChoice if the plan is illegal.
        """
        return preview(self.observer, keys)

    def hint(self) -> Hint:
        """Return the first choice of the principal variation that the search finds.

        The search uses only this seat's information set. Raise IllegalChoice if this seat does not
        decide now.
        """
        return hint(self.observer)

    def forecast(self, keys: Sequence[str] = ()) -> Forecast:
        """Return the places that a group could reach after some options, with the costs.

        Nothing is chosen. The keys that add pieces to the group may stand in any order. The choices
        that lead to the group may be left out if they are the only way.
        """
        return forecast(self.observer, keys)

    def plan(self, keys: Sequence[str]) -> Plan:
        """Make the choices that the keys stand for.

        Stop before the first decision of another player, or the first that could not be foreseen.
        """
        return plan(self.observer, keys)

    def why(self, key: str) -> list[Refusal]:
        """Return the reasons why an option is not offered, for each option that the key may mean.

        The list is empty if the option is offered.
        """
        return why(self.observer, key)

    def why_not(self, thing: str, keys: Sequence[str] = ()) -> list[Refusal]:
        """Return the reasons why no (further) action can start with a piece or a place.

        `thing` is its id. The options nearest to being offered come first. With `keys`, explain why
        the pieces that these choose, as in `forecast`, cannot go to a place.
        """
        return why_not(self.observer, thing, keys)

    def log(self, begin: int = 0) -> list[LogLine]:
        """Return the log from an event on (a number as in the `event` of a line).

        Its lines are spans with the things that they name, headings, dice and paragraphs.
        """
        return log(self.observer, begin, self.history)

    def position(self) -> SeatPosition:
        """Return the position: procedures, values, pools, tracks and the points of each side.

        It also holds what this seat may take back.
        """
        return position(self.observer, self.history)

    def sheet(self) -> Sheet:
        """Return the data that do not change during a game. See `rulekit.presentation.sheet`."""
        return sheet_of(self.observer.names)

    def explain_event(self, event: int) -> list[Derivation]:
        """Return the totals and tables that were computed for a past event, given by its number.

        They have their values of that time. Values that this seat may not know are masked.
        """
        return behind(self.observer.state, event, self.player)

    def explain(self, name: str, *args: Any) -> Derivation:
        """Return the derivation of a total or permit in this position.

        The arguments are ids and numbers. Values that this seat may not know are masked. Raise
        RulekitError for an unknown name or argument.
        """
        observer = self.observer
        return explain(observer.state, name, args, observer)
