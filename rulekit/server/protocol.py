"""Takes JSON, makes messages, each checked by its type; and JSON again. The wire between a page and
the table: see docs/table.md."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.catalog import fault

LONGEST = 1 << 16  # bytes of a message from a page
KEYS = 400  # of a plan
Number = Annotated[int, Meta(ge=0, lt=1 << 31)]


class Sit(Struct, tag="sit", forbid_unknown_fields=True):
    """From now on the socket looks from this seat (None: an onlooker) and reads this language
    (None: the game's)."""

    seat: str | None = None
    lang: str | None = None
    re: Number = 0


class Take(Struct, tag="take", forbid_unknown_fields=True):
    """A plan: keys of options, made one by one where `at` choices stand. One gesture."""

    at: Number
    keys: list[str]
    re: Number = 0


class Undo(Struct, tag="undo", forbid_unknown_fields=True):
    """Takes back the last gesture of this seat."""

    at: Number
    re: Number = 0


class Redo(Struct, tag="redo", forbid_unknown_fields=True):
    """Makes the gesture again that was taken back last."""

    at: Number
    re: Number = 0


class Ahead(Struct, tag="forecast", forbid_unknown_fields=True):
    """`Seat.forecast(keys)`."""

    at: Number
    keys: list[str]
    re: Number = 0


class Outlook(Struct, tag="outlook", forbid_unknown_fields=True):
    """`Seat.outlook(keys)`."""

    at: Number
    keys: list[str]
    re: Number = 0


class Chances(Struct, tag="odds", forbid_unknown_fields=True):
    """`Seat.odds(key)`."""

    at: Number
    key: str | None = None
    re: Number = 0


class Why(Struct, tag="why", forbid_unknown_fields=True):
    """`Seat.why(key)`."""

    at: Number
    key: str
    re: Number = 0


class WhyNot(Struct, tag="why_not", forbid_unknown_fields=True):
    """`Seat.why_not(thing, keys)`: the id of a piece or a place; what is chosen so far."""

    at: Number
    thing: str
    keys: list[str] = []
    re: Number = 0


class Explain(Struct, tag="explain", forbid_unknown_fields=True):
    """`Seat.explain(name, *args)`: a total or permit, for ids and numbers."""

    at: Number
    name: str
    args: list[str | int | bool] = []
    re: Number = 0


class Hint(Struct, tag="hint", forbid_unknown_fields=True):
    """`Seat.hint()`, at a table that gives hints."""

    at: Number
    re: Number = 0


class Analyse(Struct, tag="analyse", forbid_unknown_fields=True):
    """The best lines for who is asked, at a table that gives hints: `Analysis`, after so many
    seconds of thinking, and the random games."""

    at: Number
    seconds: Annotated[float, Meta(ge=0.1, le=10)] = 1.0
    re: Number = 0


class Course(Struct, tag="course", forbid_unknown_fields=True):
    """The course of a game that is over, from a choice on: `Part`. What it holds no more of is
    asked for again from its `next` on."""

    at: Number
    begin: Annotated[int, Meta(ge=1, lt=1 << 31)] = 1
    re: Number = 0


class Stop(Struct, tag="stop", forbid_unknown_fields=True):
    """Ends what this page lets think (`analyse`, `course`): it is answered with what was found."""

    re: Number = 0


class Hurry(Struct, tag="hurry", forbid_unknown_fields=True):
    """The seat that plays by itself and thinks now is to choose at once, by what it has found."""

    re: Number = 0


class Frame(Struct, tag="frame", forbid_unknown_fields=True):
    """The position after so many choices, as the seat knew it; `seat`: after the end of the game,
    as that one did."""

    choice: Number
    seat: str | None = None
    re: Number = 0


class Prefer(Struct, tag="prefer", forbid_unknown_fields=True):
    """`ask_forced`: ask even if there is one option only; `pass_alone`: pass windows in which one
    can only pass."""

    ask_forced: bool = False
    pass_alone: bool = False
    re: Number = 0


class Decline(Struct, tag="decline", forbid_unknown_fields=True):
    """Passes the window that is asked, and those that follow until the phase ends or something else
    is asked. `only`: but it is asked where it could do something else than pass; `on`: False: it
    passes no more."""

    at: Number
    only: bool = False
    on: bool = True
    re: Number = 0


Request = (
    Sit
    | Take
    | Undo
    | Redo
    | Ahead
    | Outlook
    | Chances
    | Why
    | WhyNot
    | Explain
    | Hint
    | Analyse
    | Course
    | Stop
    | Hurry
    | Frame
    | Prefer
    | Decline
)


class Table(Struct, tag="table"):
    """What does not change while a seat looks on. `sheet`: `Sheet`; `seats`: who sits where: human,
    or the name of a seat that plays by itself; `yours`: the seats that this page may look from;
    `seat`: the one that it looks from; `secrets`: may seats know different things? `hints`: may the
    page ask what a seat that plays by itself would do? `seed` and `salt`: when the game is over;
    `called`: by side what plays there by itself, in words."""

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


class State(Struct, tag="state"):
    """Where play stands after `choice` choices. `position`: `Position`; `decision`: `Asked`, None
    when the game is over; `lines`: of the log, instead of all that the page has from event `begin`
    on; `deciders`: who made each choice from number `since` + 1 on; `passing`: does the table pass
    for the seat until the phase ends? `renewed`: the choices that stood when dice and draws were
    drawn anew, because players agreed to take back; None: they never were."""

    choice: int
    position: dict[str, Any]
    decision: dict[str, Any] | None
    begin: int
    lines: list[dict[str, Any]]
    since: int
    deciders: list[str]
    passing: bool = False
    renewed: int | None = None


class Taken(Struct, tag="taken"):
    """What became of a plan: `Plan`."""

    re: int
    plan: dict[str, Any]


class Answer(Struct, tag="answer"):
    """What was asked for, as its method gives it."""

    re: int
    value: Any


class Refused(Struct, tag="refused"):
    """What was asked for cannot be: `why`, in words; `stale`: other choices stand now."""

    re: int
    why: str
    stale: bool = False


class Closed(Struct, tag="closed"):
    """The table cannot go on, or this page cannot look at it any more."""

    why: str


Told = Table | State | Taken | Answer | Refused | Closed

_decoder = msgspec.json.Decoder(Request)


def _bare(value: object) -> str:
    """A text that carries more than its letters (`Said`, what a line names): the letters."""
    if isinstance(value, str):
        return str.__str__(value)
    raise TypeError(f"{type(value).__name__} does not go over the wire")


_encoder = msgspec.json.Encoder(enc_hook=_bare)


def read(text: str | bytes) -> Request:
    """The message of a page. RulekitError, with what is wrong and where, for what is none."""
    if len(text) > LONGEST:
        raise fault(RulekitError, "table.long", n=str(LONGEST))
    try:
        found: Request = _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise fault(RulekitError, "table.no_message", why=str(error)) from None
    if isinstance(found, Take | Ahead | Outlook) and len(found.keys) > KEYS:
        raise fault(RulekitError, "table.long_plan", n=str(KEYS))
    return found


def json_of(value: Any) -> bytes:
    """Plain data and messages as JSON."""
    return _encoder.encode(value)


def written(message: Struct) -> bytes:
    """The message as it is sent."""
    return json_of(message)
