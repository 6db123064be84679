"""Takes a state, a player and a language, makes all that a frontend shows to who sits there. Each method asks a module of this folder."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from rulekit.play.state import State
from rulekit.play.view import Viewer
from rulekit.seat.asked import Asked, asked
from rulekit.seat.forecast import Forecast, forecast
from rulekit.seat.odds import Odds, odds
from rulekit.seat.plan import Plan, plan
from rulekit.seat.refused import Refusal, why, why_not


@frozen
class Seat:
    """A place at the table. `player`: its name or number; None: an onlooker. It holds the state itself, no copy: what it answers is of now.
    What who sits there may not know is in no value, and changes no value, no order and no number of them."""

    state: State
    player: int | str | None = None
    lang: str | None = field(default=None)

    @property
    def viewer(self) -> Viewer:
        """What who sits here may know."""
        return Viewer(self.state, self.player)

    def decision(self) -> Asked | None:
        """Who is asked what; None when the game is over."""
        return asked(self.viewer)

    def odds(self, key: str | None = None) -> Odds:
        """The exact distribution of the results of the next roll after an option, and what each of them does; without a key after each
        option. IllegalChoice for a key that this seat is not offered."""
        return odds(self.viewer, key)

    def forecast(self, keys: Sequence[str] = ()) -> Forecast:
        """Where a group could go, and at what cost, if these options were taken; nothing is chosen. What is to come into a group stands in
        any order, and the choices that lead to the group may be left out if there is one way only."""
        return forecast(self.viewer, keys)

    def plan(self, keys: Sequence[str]) -> Plan:
        """Makes the choices that keys stand for, up to the first decision that is another player's or could not be foreseen."""
        return plan(self.viewer, keys)

    def why(self, key: str) -> list[Refusal]:
        """Why an option is not offered: reason by reason, for each that may be meant. Empty: it is offered."""
        return why(self.viewer, key)

    def why_not(self, thing: str) -> list[Refusal]:
        """Why nothing, or not more, can be begun with a piece or a place (its id), the nearest to being offered first."""
        return why_not(self.viewer, thing)
