"""Answer a page's queries about a state: forecasts, odds, reasons and past positions."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from rulekit.common.i18n.messages import _
from rulekit.engine.game.state import State
from rulekit.engine.knowledge.observable_history import back_to
from rulekit.presentation.odds import way_json
from rulekit.presentation.seat import Seat
from rulekit.server import protocol
from rulekit.server.refusals import RequestRefused, Stale


def answer(
    state: State, over: bool, seat: str | None, lang: str | None, request: protocol.Request
) -> Any:
    """Return the result of the `Seat` method for a request, as plain data.

    Args:
        state: a state that nobody changes meanwhile.
        over: True if all seats may be seen.
    """
    looks = Seat(state, seat, lang, over)
    match request:
        case protocol.ForecastRequest(keys=keys):
            return looks.forecast(keys).to_json()
        case protocol.PreviewRequest(keys=keys):
            return way_json(looks.preview(keys))
        case protocol.HintRequest():
            return looks.hint().to_json()
        case protocol.Chances(key=key):
            return looks.odds(key).to_json()
        case protocol.Why(key=key):
            return [each.to_json() for each in looks.why(key)]
        case protocol.WhyNot(thing=thing, keys=keys):
            return [each.to_json() for each in looks.why_not(thing, keys)]
        case protocol.Explain(name=name, args=args):
            return looks.explain(name, *args).to_json()
        case protocol.FrameRequest(choice=choice, seat=other):
            if other is not None and other != seat and not over:
                raise RequestRefused(_("you can look from other seats only after the game"))
            return _frame(Seat(state, other or seat, lang, over), choice)
    raise TypeError(f"{type(request).__name__} asks for nothing")


def _frame(seat: Seat, choice: int) -> dict[str, Any]:
    """Return the position after a number of choices, as the seat knew it then."""
    count = seat.history
    if not 0 <= choice <= count.now:
        raise Stale(
            _("the game is at choice {n} now, not at choice {at}", n=str(count.now), at=str(choice))
        )
    return (
        evolve(seat, state=back_to(seat.state, count.choice(choice)), over=not count.after)
        .position()
        .to_json()
    )
