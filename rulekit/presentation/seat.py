"""Takes a state, a player and a language, makes all that a frontend shows to who sits there. Each
method asks a module of this folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import field, frozen

from rulekit.engine.explain.derivation import Derivation, explain
from rulekit.engine.explain.event_reasons import behind
from rulekit.engine.game.state import State
from rulekit.engine.knowledge.observable_history import Count
from rulekit.engine.knowledge.observation import Observer
from rulekit.presentation.decision import Asked, asked
from rulekit.presentation.forecast import Forecast, forecast
from rulekit.presentation.hint import Hint, hint
from rulekit.presentation.log import Line, log
from rulekit.presentation.odds import Odds, Way, odds, outlook
from rulekit.presentation.plan import Plan, plan
from rulekit.presentation.position import Position, picture, position
from rulekit.presentation.refusal import Refusal, why, why_not
from rulekit.presentation.sheet import Sheet, sheet_of


@frozen
class Seat:
    """A place at the table. `player`: its name or number; None: an onlooker. `lang`: what it speaks
    (None: as the state). `over`: the game has ended, though not by its rules, and nothing is hidden
    any more of how many choices were made. It holds the state itself, no copy: what it answers is
    of now. What who sits there may not know is in no value, and changes no value, no order and no
    number of them; so all is of the moment that he noticed last (`count`)."""

    state: State
    player: int | str | None = None
    lang: str | None = field(default=None)
    over: bool = False

    @property
    def viewer(self) -> Observer:
        """What who sits here may know, at the moment that he noticed last."""
        state = self.count.state
        return Observer(state if self.lang is None else state.in_language(self.lang), self.player)

    @property
    def count(self) -> Count:
        """The choices as who sits here can notice them."""
        return Count.of(self.state, self.player, picture, self.over)

    def decision(self) -> Asked | None:
        """Who is asked what; None when the game is over."""
        return asked(self.viewer, self.count)

    def odds(self, key: str | None = None) -> Odds:
        """The exact distribution of the results of the next roll after an option, and what each of
        them does; without a key after each option. IllegalChoice for a key that this seat is not
        offered."""
        return odds(self.viewer, key)

    def outlook(self, keys: Sequence[str]) -> Way:
        """What comes of a plan, up to its end or the first roll or draw: what it changes, and the
        points. Nothing is chosen. IllegalChoice if it cannot be made."""
        return outlook(self.viewer, keys)

    def hint(self) -> Hint:
        """The first choice of the best line that the search finds, by what who sits here may know.
        IllegalChoice if he is not asked."""
        return hint(self.viewer)

    def forecast(self, keys: Sequence[str] = ()) -> Forecast:
        """Where a group could go, and at what cost, if these options were taken; nothing is chosen.
        What is to come into a group stands in any order, and the choices that lead to the group may
        be left out if there is one way only.
        """
        return forecast(self.viewer, keys)

    def plan(self, keys: Sequence[str]) -> Plan:
        """Makes the choices that keys stand for, up to the first decision that is another player's
        or could not be foreseen."""
        return plan(self.viewer, keys)

    def why(self, key: str) -> list[Refusal]:
        """Why an option is not offered: reason by reason, for each that may be meant. Empty: it is
        offered."""
        return why(self.viewer, key)

    def why_not(self, thing: str, keys: Sequence[str] = ()) -> list[Refusal]:
        """Why nothing, or not more, can be begun with a piece or a place (its id), the nearest to
        being offered first. `keys`: why those who are chosen by them, as in `forecast`, cannot go
        to a place."""
        return why_not(self.viewer, thing, keys)

    def log(self, begin: int = 0) -> list[Line]:
        """The log from an event on (a number as `Line.event`): lines of spans, with what they name,
        headings, dice and paragraphs."""
        return log(self.viewer, begin, self.count)

    def position(self) -> Position:
        """Where all stands: what goes on, values, pools, tracks, each side's points, and what may
        be taken back."""
        return position(self.viewer, self.count)

    def sheet(self) -> Sheet:
        """What does not change while the game is played: see `rulekit.presentation.sheet`."""
        return sheet_of(self.viewer.names)

    def because(self, event: int) -> list[Derivation]:
        """What decided a past event (its number): the totals and tables that were worked out for
        it, as they were then; what who sits here may not know is masked."""
        return behind(self.viewer.state, event, self.player)

    def explain(self, name: str, *args: Any) -> Derivation:
        """How a total or permit comes about here, for arguments given as ids and numbers; what who
        sits here may not know is masked. RulekitError for a name or an argument that there is
        not."""
        viewer = self.viewer
        return explain(viewer.state, name, args, viewer)
