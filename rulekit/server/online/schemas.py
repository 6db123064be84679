"""Takes nothing, makes the classes that go over the API and the wire of the table for many people.
See docs/serve.md, "The API"."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from rulekit.server.catalogue import Wanted

Name = Annotated[str, Meta(min_length=1, max_length=80)]
Secret = Annotated[str, Meta(max_length=200)]
Access = Literal["private", "open", "public"]
Late = Literal["loses", "claim"]
Spoken = Literal["players", "observers"]
Kind = Literal["takeback", "rematch"]


# ---------------------------------------------------------------------- what a page sends
class SignUp(Struct, forbid_unknown_fields=True):
    """A new account; a guest who is signed in keeps his seats."""

    name: Name
    password: Secret
    mail: Annotated[str, Meta(max_length=254)] | None = None
    lang: str | None = None


class SignIn(Struct, forbid_unknown_fields=True):
    """A name and its password."""

    name: Name
    password: Secret


class NewPassword(Struct, forbid_unknown_fields=True):
    """Another password; all other sessions end."""

    old: Secret
    new: Secret


class Wishes(Struct, forbid_unknown_fields=True):
    """How somebody wants to be told that he is asked: by mail, by a web hook; and his language.
    Null: not. `name`: another name."""

    name: Name | None = None
    mail: Annotated[str, Meta(max_length=254)] | None = None
    hook: Annotated[str, Meta(max_length=500)] | None = None
    lang: str = "en"


class Farewell(Struct, forbid_unknown_fields=True):
    """Who goes for good says his password, if he has one."""

    password: Secret | None = None


class Hosting(Wanted, forbid_unknown_fields=True):
    """A table that is to be opened for people. `mine`: the sides that its owner takes; the other
    sides of persons are open. `clock`: none, move:SECONDS, days:N or fischer:SECONDS+INCREMENT;
    `late`: who has no time left loses, or the other may claim the game. `save`: goes on from it."""

    mine: list[str] = []  # noqa: RUF012
    access: Access = "private"
    clock: Annotated[str, Meta(max_length=40)] = "none"
    late: Late = "claim"
    save: Annotated[str, Meta(max_length=2 << 20)] | None = None


class Invite(Struct, forbid_unknown_fields=True):
    """To a side, or (none) to look on."""

    side: str | None = None


class Come(Struct, forbid_unknown_fields=True):
    """Takes an invitation; who is not signed in becomes a guest of this name."""

    name: Name | None = None
    lang: str | None = None


class Open(Struct, forbid_unknown_fields=True):
    """Who may find and see a table."""

    access: Access


class Offer(Struct, forbid_unknown_fields=True):
    """A wish of a side. `choice`: takeback to where so many choices stood."""

    side: str
    kind: Kind
    choice: Annotated[int, Meta(ge=0, lt=1 << 31)] | None = None


class Reply(Struct, forbid_unknown_fields=True):
    """The answer to an offer."""

    side: str
    accept: bool


class OfSide(Struct, forbid_unknown_fields=True):
    """What somebody does for a side of his."""

    side: str


class Say(Struct, forbid_unknown_fields=True):
    """A text for the players or the observers."""

    room: Spoken
    text: Annotated[str, Meta(min_length=1, max_length=1000)]


class Write(Struct, forbid_unknown_fields=True):
    """A note of one's own."""

    text: Annotated[str, Meta(max_length=20_000)]


class Read(Struct, forbid_unknown_fields=True):
    """Up to which text of a table's chat somebody has read: its number; 0: none."""

    upto: Annotated[int, Meta(ge=0, lt=1 << 31)]


class Move(Struct, forbid_unknown_fields=True):
    """Moves a table to the rules that the server has now. `only_try`: says what would come of
    it."""

    only_try: bool = True


# ---------------------------------------------------------------------- what a page gets
class GivenUp(Struct):
    """Notices that could not be sent by a channel, however often it was tried: how many, when the
    last was given up, and why."""

    channel: Literal["mail", "hook"]
    many: int
    last: float
    why: str


class Me(Struct):
    """Who asks. `name` null: nobody that is known. `sign_up`: may everybody make an account here?
    `letters`: does this server send mail? `confirmed`: the address of mail was confirmed by the
    link in a letter, before that nothing else is sent there; `letter`: what became of the letter
    that this request sent; `given_up`: what could not be sent."""

    name: str | None = None
    guest: bool = False
    admin: bool = False
    lang: str = "en"
    mail: str | None = None
    hook: str | None = None
    sign_up: bool = True
    letters: bool = False
    confirmed: bool = False
    letter: Literal["sent", "failed"] | None = None
    given_up: list[GivenUp] = []


class Confirming(Struct):
    """What a link in a letter confirms: the address, and the name of the account that gave it."""

    name: str
    mail: str


class KeptTable(Struct):
    """A table that somebody has to do with: `own`: he opened it; `sides`: that he plays; `looks`:
    he was invited to look on."""

    id: str
    game: str
    created: float
    own: bool
    sides: list[str]
    looks: bool


class KeptText(Struct):
    """A text that somebody wrote in a chat."""

    table: str
    room: Spoken
    text: str
    written: float


class KeptNote(Struct):
    """A note of somebody."""

    table: str
    text: str


class Kept(Struct):
    """All that the server keeps of somebody."""

    name: str
    guest: bool
    created: float
    lang: str
    mail: str | None
    confirmed: bool
    hook: str | None
    tables: list[KeptTable]
    texts: list[KeptText]
    notes: list[KeptNote]


class Sitting(Struct):
    """A side. `who`: its player, null: open; `machine`: the seat that plays by itself."""

    side: str
    who: str | None
    guest: bool
    machine: str | None
    yours: bool


class Clock(Struct, tag="clock"):
    """The time of each side. `left`: seconds at `at`; `running`: whose time runs."""

    rule: str
    late: Late
    left: dict[str, float]
    running: str | None
    at: float


class Proposal(Struct):
    """An offer that nobody has answered yet."""

    id: int
    kind: Kind
    side: str
    choice: int
    made: float


class Ending(Struct):
    """How a game ended otherwise than by its rules: who resigned, had no time left, or left a game
    that was claimed."""

    kind: Literal["resigned", "time", "claimed"]
    side: str


class Company(Struct, tag="company"):
    """All that stands beside a game. `may`: what who asks may do: invite, close, access, sit,
    leave, resign, takeback, rematch, claim, say_players, say_observers, note, move, save. `ending`:
    null if it goes on or ended by its rules. `next`: the table of the rematch.
    """

    id: str
    owner: str
    access: Access
    seats: list[Sitting]
    begun: float | None
    ended: float | None
    ending: Ending | None
    clock: Clock
    offers: list[Proposal]
    may: list[str]
    next: str | None = None


class Present(Struct, tag="present"):
    """Who looks at the table now: the sides whose players do, the names of the others, and how many
    more nobody knows."""

    sides: list[str]
    observers: list[str]
    others: int


class Talked(Struct, tag="talked"):
    """A text of the chat. `guest`: its writer has no account (two guests may have one name); `text`
    is empty if it was removed."""

    id: int
    room: Spoken
    who: str
    guest: bool
    text: str
    written: float
    removed: bool


class Text(Struct):
    """A text."""

    text: str


class Invitation(Struct):
    """A link that lets somebody in, once if it is for a side. It is told only now."""

    address: str
    side: str | None
    ends: float


class Invited(Struct):
    """What an invitation is to."""

    table: str
    game: str
    title: str
    owner: str
    side: str | None


class Opened(Struct):
    """A table that one has come to."""

    id: str


class InLobby(Struct):
    """A table as the lobby lists it. `asked`: one of your own sides is asked; `left`: the seconds
    that the side has left whose time runs; `result`: how it ended, in words; `unread`: texts of
    others that you have not read; `looks`: may you see the game?
    """

    id: str
    game: str
    title: str
    scenario: str
    owner: str
    access: Access
    seats: list[Sitting]
    clock: str
    choices: int
    decides: str | None
    asked: bool
    result: str | None
    begun: bool
    ended: bool
    left: float | None
    changed: float
    unread: int
    looks: bool


class Moved(Struct):
    """What comes of moving a table to the rules that the server has now. `same`: they are the rules
    of the table already; `fits`: its choices replay; `difference`: the first that does not, else
    what differs beside them; `moved`: it was done.
    """

    same: bool
    fits: bool
    moved: bool
    difference: str | None = None


class InAdmin(Struct):
    """A table as an admin's page lists it."""

    id: str
    game: str
    owner: str
    access: Access
    changed: float
    ended: bool


class InPeople(Struct):
    """Somebody as an admin's page lists him."""

    id: str
    name: str
    guest: bool
    admin: bool
    created: float


class Standing(Struct):
    """How the server stands. `counts`: people, guests, sessions, tables, going, ended, notices
    (that wait), given_up; of this process rooms and sockets; `troubles`: why notices were not
    sent."""

    version: str
    database: Literal["sqlite", "postgresql"]
    counts: dict[str, int]
    tables: list[InAdmin]
    troubles: list[str]


class Trouble(Struct):
    """Why something could not be done, in words."""

    error: str


SENT: tuple[Any, ...] = (
    SignUp,
    SignIn,
    NewPassword,
    Wishes,
    Farewell,
    Hosting,
    Invite,
    Come,
    Open,
    Offer,
    Reply,
    OfSide,
    Say,
    Write,
    Read,
    Move,
)
GIVEN: tuple[Any, ...] = (
    Me,
    Confirming,
    InLobby,
    Text,
    Invitation,
    Invited,
    Opened,
    Moved,
    Standing,
    InPeople,
    Kept,
    Trouble,
)
TOLD = Company | Clock | Talked | Present  # over the socket, besides `wire.Told`
