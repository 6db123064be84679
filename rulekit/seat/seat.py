"""Takes a state, a player and a language, makes all that a frontend shows to who sits there. Each method asks a module of this folder."""

from __future__ import annotations

from attrs import field, frozen

from rulekit.play.state import State
from rulekit.play.view import Viewer
from rulekit.seat.asked import Asked, asked
from rulekit.seat.odds import Odds, odds


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
