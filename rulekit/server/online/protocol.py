"""The classes of the API and of the WebSocket messages of the server for many people. See
docs/serve.md, "The API".
"""

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


# ---------------------------------------------------------------------- requests
class SignUp(Struct, forbid_unknown_fields=True):
    """A request for an account. A guest who is signed in keeps their seats."""

    name: Name
    password: Secret
    mail: Annotated[str, Meta(max_length=254)] | None = None
    lang: str | None = None


class SignIn(Struct, forbid_unknown_fields=True):
    """The name and password of an account."""

    name: Name
    password: Secret


class NewPassword(Struct, forbid_unknown_fields=True):
    """A change of the password. All other sessions end."""

    old: Secret
    new: Secret


class Wishes(Struct, forbid_unknown_fields=True):
    """A person's language, and the channels for notifications when they are to decide.

    Attributes:
        name: a new name, null to keep it.
        mail: the address for letters, null for no letters.
        hook: the address of a web hook, null for none.
    """

    name: Name | None = None
    mail: Annotated[str, Meta(max_length=254)] | None = None
    hook: Annotated[str, Meta(max_length=500)] | None = None
    lang: str = "en"


class Farewell(Struct, forbid_unknown_fields=True):
    """The deletion of an account. It needs the password, if the account has one."""

    password: Secret | None = None


class Hosting(Wanted, forbid_unknown_fields=True):
    """A request for a new table.

    Attributes:
        mine: the sides that the owner takes. The other human sides are open.
        clock: none, move:SECONDS, days:N or fischer:SECONDS+INCREMENT.
        late: the effect of an empty clock. The side loses, or another side may claim the game.
        save: the save from which the game continues.
    """

    mine: list[str] = []  # noqa: RUF012 - msgspec copies it for each instance
    access: Access = "private"
    clock: Annotated[str, Meta(max_length=40)] = "none"
    late: Late = "claim"
    save: Annotated[str, Meta(max_length=2 << 20)] | None = None


class Invite(Struct, forbid_unknown_fields=True):
    """An invitation to a side, or to watch if the side is null."""

    side: str | None = None


class Come(Struct, forbid_unknown_fields=True):
    """The acceptance of an invitation. A visitor who is not signed in becomes a guest with this
    name.
    """

    name: Name | None = None
    lang: str | None = None


class TableVisibility(Struct, forbid_unknown_fields=True):
    """The access to a table: the people who may find and see it."""

    access: Access


class SideOffer(Struct, forbid_unknown_fields=True):
    """An offer of a side.

    Attributes:
        choice: the number of choices that remain after a takeback.
    """

    side: str
    kind: Kind
    choice: Annotated[int, Meta(ge=0, lt=1 << 31)] | None = None


class Reply(Struct, forbid_unknown_fields=True):
    """The answer to an offer."""

    side: str
    accept: bool


class OfSide(Struct, forbid_unknown_fields=True):
    """An action of a person for one of their sides."""

    side: str


class Say(Struct, forbid_unknown_fields=True):
    """A chat message for the players or the observers."""

    room: Spoken
    text: Annotated[str, Meta(min_length=1, max_length=1000)]


class Write(Struct, forbid_unknown_fields=True):
    """A private note."""

    text: Annotated[str, Meta(max_length=20_000)]


class ReadMark(Struct, forbid_unknown_fields=True):
    """The last message of a table's chat that somebody has read: its number, 0 for none."""

    upto: Annotated[int, Meta(ge=0, lt=1 << 31)]


class Move(Struct, forbid_unknown_fields=True):
    """The upgrade of a table to the current rules of the server.

    Attributes:
        only_try: report the result without an upgrade.
    """

    only_try: bool = True


# ---------------------------------------------------------------------- responses and messages
class GivenUp(Struct):
    """Undelivered notifications of a channel.

    Attributes:
        many: their number.
        last: the time at which the last one was given up.
        why: the reason of the last failure.
    """

    channel: Literal["mail", "hook"]
    many: int
    last: float
    why: str


class Me(Struct):
    """A person's own profile.

    Attributes:
        name: null if nobody is signed in.
        sign_up: everybody may create an account here.
        letters: this server sends mail.
        confirmed: the mail address was confirmed by the link in a letter. Before that, nothing else
            is sent to it.
        letter: the result of the letter that this request sent.
        given_up: undelivered notifications.
    """

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
    """The subject of a confirmation link: an address, and the account for which it was entered."""

    name: str
    mail: str


class PersonalTable(Struct):
    """A table of a person.

    Attributes:
        own: they opened it.
        sides: the sides that they play.
        looks: they were invited to watch.
    """

    id: str
    game: str
    created: float
    own: bool
    sides: list[str]
    looks: bool


class PersonalText(Struct):
    """A chat message of a person."""

    table: str
    room: Spoken
    text: str
    written: float


class PersonalNote(Struct):
    """A note of a person."""

    table: str
    text: str


class PersonalData(Struct):
    """All data that the server stores about a person."""

    name: str
    guest: bool
    created: float
    lang: str
    mail: str | None
    confirmed: bool
    hook: str | None
    tables: list[PersonalTable]
    texts: list[PersonalText]
    notes: list[PersonalNote]


class Sitting(Struct):
    """A side and its player.

    Attributes:
        who: the name of the player, null if the seat is open.
        machine: the program that plays the side.
    """

    side: str
    who: str | None
    guest: bool
    machine: str | None
    yours: bool


class Clock(Struct, tag="clock"):
    """The time of each side.

    Attributes:
        left: the seconds of each side at the time `at`.
        running: the side whose time runs.
    """

    rule: str
    late: Late
    left: dict[str, float]
    running: str | None
    at: float


class Proposal(Struct):
    """An open offer."""

    id: int
    kind: Kind
    side: str
    choice: int
    made: float


class Ending(Struct):
    """The end of a game outside of its rules: a side resigned, ran out of time, or abandoned a game
    that was then claimed.
    """

    kind: Literal["resigned", "time", "claimed"]
    side: str


class TableStatus(Struct, tag="table_status"):
    """The online data of a table.

    Attributes:
        may: the allowed actions of the reader. They are invite, close, access, sit, leave, resign,
            takeback, rematch, claim, say_players, say_observers, note, move and save.
        ending: null if the game is running or ended by its rules.
        next: the table of the rematch.
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
    """The people who watch a table now.

    Attributes:
        sides: the sides of players who watch.
        observers: the names of other people.
        others: the number of people without a name.
    """

    sides: list[str]
    observers: list[str]
    others: int


class ChatMessage(Struct, tag="chat_message"):
    """A chat message.

    Attributes:
        guest: the writer has no account. Two guests may have the same name.
        text: empty if the message was removed.
    """

    id: int
    room: Spoken
    who: str
    guest: bool
    text: str
    written: float
    removed: bool


class TextBody(Struct):
    """A text."""

    text: str


class Invitation(Struct):
    """A new invitation link. It is shown only once. A link to a side works for one person."""

    address: str
    side: str | None
    ends: float


class Invited(Struct):
    """The subject of an invitation."""

    table: str
    game: str
    title: str
    owner: str
    side: str | None


class Opened(Struct):
    """The table of a finished request."""

    id: str


class InLobby(Struct):
    """A table in the lobby.

    Attributes:
        asked: one of your sides is to decide.
        left: the seconds of the side whose time runs.
        result: the result in words.
        unread: the number of unread messages of other people.
        looks: you may watch the game.
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


class TableMoved(Struct):
    """The result of a rule upgrade.

    Attributes:
        same: the table has these rules already.
        fits: its choices replay.
        difference: the first choice that does not replay, or other differences.
        moved: the upgrade was made.
    """

    same: bool
    fits: bool
    moved: bool
    difference: str | None = None


class InAdmin(Struct):
    """A table in the list for administrators."""

    id: str
    game: str
    owner: str
    access: Access
    changed: float
    ended: bool


class ListedAccount(Struct):
    """A person in the list for administrators."""

    id: str
    name: str
    guest: bool
    admin: bool
    created: float


class ServerStatus(Struct):
    """The status of the server.

    Attributes:
        counts: numbers of accounts, guests, sessions, tables, running (`going`) and ended games,
            waiting and given up notifications. Rooms and sockets are those of this process.
        troubles: the reasons of failed notifications.
    """

    version: str
    database: Literal["sqlite", "postgresql"]
    counts: dict[str, int]
    tables: list[InAdmin]
    troubles: list[str]


class Trouble(Struct):
    """The reason of a failure, in words."""

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
    TableVisibility,
    SideOffer,
    Reply,
    OfSide,
    Say,
    Write,
    ReadMark,
    Move,
)
GIVEN: tuple[Any, ...] = (
    Me,
    Confirming,
    InLobby,
    TextBody,
    Invitation,
    Invited,
    Opened,
    TableMoved,
    ServerStatus,
    ListedAccount,
    PersonalData,
    Trouble,
)
SocketMessage = (
    TableStatus | Clock | ChatMessage | Present
)  # messages over the socket, besides `protocol.ServerMessage`
