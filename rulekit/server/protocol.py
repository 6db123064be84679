"""Messages between a page and the server, checked by their types and encoded as JSON. docs/table.md
describes the protocol.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _

LONGEST = 1 << 16  # bytes of a message from a page
KEYS = 400  # of a plan
Number = Annotated[int, Meta(ge=0, lt=1 << 31)]


class Sit(Struct, tag="sit", forbid_unknown_fields=True):
    """Choose the seat that this socket plays (None: spectator) and its language (None: the
    game's).
    """

    seat: str | None = None
    lang: str | None = None
    re: Number = 0


class Take(Struct, tag="take", forbid_unknown_fields=True):
    """A plan: option keys that are chosen one after the other. The plan is one gesture, which a
    single undo takes back.

    Attributes:
        at: the number of choices that the seat has observed. If it is out of date, the request is
            refused.
    """

    at: Number
    keys: list[str]
    re: Number = 0


class UndoRequest(Struct, tag="undo", forbid_unknown_fields=True):
    """Undo the last gesture of this seat."""

    at: Number
    re: Number = 0


class Redo(Struct, tag="redo", forbid_unknown_fields=True):
    """Redo the gesture that was undone last."""

    at: Number
    re: Number = 0


class ForecastRequest(Struct, tag="forecast", forbid_unknown_fields=True):
    """Ask for `Seat.forecast(keys)`."""

    at: Number
    keys: list[str]
    re: Number = 0


class PreviewRequest(Struct, tag="preview", forbid_unknown_fields=True):
    """Ask for `Seat.preview(keys)`."""

    at: Number
    keys: list[str]
    re: Number = 0


class Chances(Struct, tag="odds", forbid_unknown_fields=True):
    """Ask for `Seat.odds(key)`."""

    at: Number
    key: str | None = None
    re: Number = 0


class Why(Struct, tag="why", forbid_unknown_fields=True):
    """Ask for `Seat.why(key)`."""

    at: Number
    key: str
    re: Number = 0


class WhyNot(Struct, tag="why_not", forbid_unknown_fields=True):
    """Ask for `Seat.why_not(thing, keys)`.

    Attributes:
        thing: the id of a piece or a place.
        keys: the keys chosen so far.
    """

    at: Number
    thing: str
    keys: list[str] = []
    re: Number = 0


class Explain(Struct, tag="explain", forbid_unknown_fields=True):
    """Ask for `Seat.explain(name, *args)`.

    Attributes:
        name: a total or permit.
        args: its arguments, as ids and numbers.
    """

    at: Number
    name: str
    args: list[str | int | bool] = []
    re: Number = 0


class HintRequest(Struct, tag="hint", forbid_unknown_fields=True):
    """Ask for `Seat.hint()`. The table must allow hints."""

    at: Number
    re: Number = 0


class Analyse(Struct, tag="analyse", forbid_unknown_fields=True):
    """Ask for the best variations of the player to move, as an `Analysis`. The table must allow
    hints.

    Attributes:
        seconds: the thinking time. Playouts come on top of it.
    """

    at: Number
    seconds: Annotated[float, Meta(ge=0.1, le=10)] = 1.0
    re: Number = 0


class ReviewRequest(Struct, tag="review", forbid_unknown_fields=True):
    """Ask for the review of a finished game, as a `ReviewPart`.

    Attributes:
        begin: the choice to begin with. To continue, ask again with the `next` of the last answer.
    """

    at: Number
    begin: Annotated[int, Meta(ge=1, lt=1 << 31)] = 1
    re: Number = 0


class StopRequest(Struct, tag="stop", forbid_unknown_fields=True):
    """Stop this page's running search (`analyse` or `review`). It is answered with its results so
    far.
    """

    re: Number = 0


class MoveNow(Struct, tag="move_now", forbid_unknown_fields=True):
    """Tell the program that is thinking to choose now, from its results so far."""

    re: Number = 0


class FrameRequest(Struct, tag="frame", forbid_unknown_fields=True):
    """Ask for the position after a number of choices, as the seat knew it then.

    Attributes:
        seat: after the end of the game, the seat from which the position is shown.
    """

    choice: Number
    seat: str | None = None
    re: Number = 0


class Prefer(Struct, tag="prefer", forbid_unknown_fields=True):
    """Set the preferences of the seat.

    Attributes:
        ask_forced: ask even if there is only one option.
        pass_alone: pass windows in which passing is the only option.
    """

    ask_forced: bool = False
    pass_alone: bool = False
    re: Number = 0


class PassUntilPhaseEnds(Struct, tag="pass_until_phase_ends", forbid_unknown_fields=True):
    """Pass the current window, and the following ones until the phase ends or a decision of another
    kind comes up.

    Attributes:
        only: pass only where passing is the only option.
    """

    at: Number
    only: bool = False
    re: Number = 0


class StopPassing(Struct, tag="stop_passing", forbid_unknown_fields=True):
    """Ask the seat again from now on."""

    re: Number = 0


Query = (
    ForecastRequest
    | PreviewRequest
    | Chances
    | Why
    | WhyNot
    | Explain
    | HintRequest
    | Analyse
    | ReviewRequest
    | FrameRequest
)
Request = (
    Sit
    | Take
    | UndoRequest
    | Redo
    | Query
    | StopRequest
    | MoveNow
    | Prefer
    | PassUntilPhaseEnds
    | StopPassing
)


class TableData(Struct, tag="table"):
    """The data that does not change while a page watches from one seat.

    Attributes:
        id: the id of the table.
        sheet: a `Sheet`.
        seats: for each side, human or the name of the program that plays it.
        yours: the seats that this page may take.
        seat: the seat that it has, or null for a spectator.
        secrets: true if seats may know different things.
        commitment: the commitment to the seed.
        seed: the seed, after the end of the game.
        salt: the salt of the commitment, after the end of the game.
        hints: true if the page may ask for hints.
        called: for each side that a program plays, the readable name of the program.
    """

    id: str
    sheet: dict[str, Any]
    seats: dict[str, str]
    yours: list[str]
    seat: str | None
    secrets: bool
    commitment: str
    seed: str | None = None
    salt: str | None = None
    re: int = 0
    hints: bool = False
    called: dict[str, str] = {}


class StateMessage(Struct, tag="state"):
    """The position after `choice` choices.

    Attributes:
        position: a `SeatPosition`.
        decision: a `SeatDecision`, or null when the game is over.
        begin: the first event of `lines`. They replace everything that the page has from there on.
        lines: lines of the log.
        since: the number of choices before `deciders`.
        deciders: the side that made each later choice.
        auto_pass: true if the server passes for the seat until the phase ends.
        renewed: the number of choices made when dice and draws were last reseeded after an agreed
            undo, or null.
    """

    choice: int
    position: dict[str, Any]
    decision: dict[str, Any] | None
    begin: int
    lines: list[dict[str, Any]]
    since: int
    deciders: list[str]
    auto_pass: bool = False
    renewed: int | None = None


class Taken(Struct, tag="taken"):
    """The result of a plan, as a `Plan`."""

    re: int
    plan: dict[str, Any]


class AnswerMessage(Struct, tag="answer"):
    """The answer to a request, as its method returns it."""

    re: int
    value: Any


class RefusedMessage(Struct, tag="refused"):
    """The refusal of a request.

    Attributes:
        why: the reason in words.
        stale: true if the number of choices in the request is out of date.
        busy: true if a limit was reached: the same request may succeed later.
    """

    re: int
    why: str
    stale: bool = False
    busy: bool = False


class Closed(Struct, tag="closed"):
    """The socket closes: the table cannot continue, or this page may no longer watch it."""

    why: str


ServerMessage = TableData | StateMessage | Taken | AnswerMessage | RefusedMessage | Closed

_decoder = msgspec.json.Decoder(Request)


def _bare(value: object) -> str:
    """Encode a subclass of `str` (`FormattedValue`) as its plain text."""
    if isinstance(value, str):
        return str.__str__(value)
    raise TypeError(f"{type(value).__name__} does not go over the wire")


_encoder = msgspec.json.Encoder(enc_hook=_bare)


def read(text: str | bytes) -> Request:
    """Parse the message of a page.

    Raises:
        RulekitError: the message is malformed or too long. The error tells where.
    """
    if len(text) > LONGEST:
        raise RulekitError(_("the message is longer than {n} bytes", n=str(LONGEST)))
    try:
        found: Request = _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RulekitError(_("this is not a valid message: {why}", why=str(error))) from None
    if isinstance(found, Take | ForecastRequest | PreviewRequest) and len(found.keys) > KEYS:
        raise RulekitError(_("a plan has at most {n} keys", n=str(KEYS)))
    return found


def json_of(value: Any) -> bytes:
    """Encode plain data or a message as JSON."""
    return _encoder.encode(value)


def written(message: Struct) -> bytes:
    """Encode a message for sending."""
    return json_of(message)
