"""The database schema, for SQLite and PostgreSQL. docs/table.md and docs/serve.md describe the
stored data.

`VERSION` is the version of the newest migration (rulekit/server/migrations). A test proves that the
migrations produce this schema.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

VERSION = "0009"
META = MetaData()


def _person(name: str, *more: object, **how: object) -> Column[str]:
    return Column(name, String(32), ForeignKey("people.id"), *more, **how)  # type: ignore[arg-type]


def _table(**how: object) -> Column[str]:
    return Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), **how)  # type: ignore[arg-type]


ALEMBIC = Table(
    "alembic_version", META, Column("version_num", String(32), primary_key=True)
)  # as Alembic itself makes it
TABLES = Table(
    "tables",
    META,
    Column("id", String(32), primary_key=True),
    Column("game", String(100), nullable=False),
    Column("header", Text, nullable=False),  # the first line of the save
    Column("seats", Text, nullable=False),  # who sits where, as JSON
    Column("created", Float, nullable=False),  # seconds since 1970, as all times here
    Column("changed", Float, nullable=False),
    Column("choices", Integer, nullable=False),
    Column("decides", String(100)),
    Column("result", Text),
)
LINES = Table(
    "lines",
    META,
    _table(primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("gesture", Integer, nullable=False),
    Column("text", Text, nullable=False),
)
AUTO_PASS = Table(  # who passes in windows as long as a phase lasts
    "passing",
    META,
    _table(primary_key=True),
    Column("side", String(100), primary_key=True),
    Column("begun", Integer, nullable=False),  # the number of the event with which the phase began
    Column("only", Boolean, nullable=False),  # it is asked where it could do something else
)
PROGRAMS = Table(  # the rules that tables are pinned to
    "programs",
    META,
    Column("digest", String(64), primary_key=True),
    Column("game", String(100), nullable=False),
    Column("made", Float, nullable=False),
    Column("body", LargeBinary, nullable=False),
)
PINS = Table(
    "pins",
    META,
    _table(primary_key=True),
    Column("digest", String(64), ForeignKey("programs.digest"), nullable=False, index=True),
)
ACCOUNTS = Table(
    "people",
    META,
    Column("id", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("key", String(80), nullable=False, unique=True),  # the name as names are compared
    Column("password", String(200)),  # its hash; none: a guest
    Column("mail", String(254)),
    Column(
        "confirmed", Float
    ),  # when somebody opened the link that was sent there; none: nothing else is sent there
    Column("hook", String(500)),  # where notices are posted to
    Column("lang", String(8), nullable=False),
    Column("admin", Boolean, nullable=False),
    Column("created", Float, nullable=False),
    Column("look", String(80), index=True),  # what the name looks like; none: not worked out yet
)
SESSIONS = Table(
    "sessions",
    META,
    Column("digest", String(64), primary_key=True),  # of the token
    _person("person", nullable=False, index=True),
    Column("created", Float, nullable=False),
    Column("ends", Float, nullable=False),
)
HOSTED = Table(  # what a table is besides, where people have accounts
    "hosted",
    META,
    _table(primary_key=True),
    _person("owner", nullable=False),
    Column(
        "access", String(8), nullable=False
    ),  # private, open (its seats are offered), public (anybody may look on, too)
    Column("begun", Float),  # when the last seat was taken
    Column(
        "deals", Boolean
    ),  # the game is dealt when it begins: what lies there before is thrown away
    Column("ended", Float),
    Column("ending", String(200)),  # how it ended otherwise than by its rules: KIND:SIDE
    Column("clock", String(40), nullable=False),
    Column(
        "late", String(8), nullable=False
    ),  # who has no time left: loses, or the other may claim
    Column("running", String(100)),  # the side whose clock runs
    Column("since", Float),
    Column("falls", Float, index=True),  # when its flag falls
    Column("left", Text, nullable=False),  # the seconds of each side, as JSON
    Column("next", String(32)),  # the table of the rematch
)
# with a clock for each decision: what a side had left of one when it last chose, or something was
# taken back
CLOCKS = Table(
    "clocks",
    META,
    _table(primary_key=True),
    Column(
        "choices", Integer, primary_key=True, autoincrement=False
    ),  # how many stood at the decision
    Column("side", String(100), primary_key=True),
    Column("left", Float, nullable=False),
)
SEATS = Table(
    "seats",
    META,
    _table(primary_key=True),
    Column("side", String(100), primary_key=True),
    _person("person", index=True),  # none: open
)
OBSERVERS = Table("observers", META, _table(primary_key=True), _person("person", primary_key=True))
INVITATIONS = Table(
    "invitations",
    META,
    Column("digest", String(64), primary_key=True),
    _table(nullable=False, index=True),
    Column("side", String(100)),  # none: to look on
    Column("ends", Float, nullable=False),
)
OFFERS = Table(
    "offers",
    META,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _table(nullable=False, index=True),
    Column("kind", String(12), nullable=False),
    Column("side", String(100), nullable=False),
    Column("choice", Integer, nullable=False),  # how many choices stood
    Column("made", Float, nullable=False),
    Column("answer", String(12)),
)
MESSAGES = Table(
    "messages",
    META,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _table(nullable=False),
    Column("room", String(10), nullable=False),
    _person("person", nullable=False),
    Column("text", Text, nullable=False),
    Column("written", Float, nullable=False),
    Column("removed", Boolean, nullable=False),
    Index("ix_messages_table_id_id", "table_id", "id"),
)
NOTES = Table(
    "notes",
    META,
    _table(primary_key=True),
    _person("person", primary_key=True),
    Column("text", Text, nullable=False),
)
READS = Table(  # up to which text of the chat somebody has read
    "reads",
    META,
    _table(primary_key=True),
    _person("person", primary_key=True),
    Column("upto", Integer, nullable=False),
)
CONFIRMATIONS = Table(  # the links of letters that ask whether an address is right
    "confirmations",
    META,
    Column("digest", String(64), primary_key=True),
    _person("person", index=True),  # none: who has gone; it counts all the same
    Column("mail", String(254)),
    Column(
        "box", String(64), nullable=False, index=True
    ),  # the digest of what its address counts as
    Column("ends", Float, nullable=False),
)
NOTICES = Table(  # one of each thing that is told to somebody of a table by a channel
    "notices",
    META,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _person("person", nullable=False, index=True),
    _table(nullable=False, index=True),
    Column("channel", String(8), nullable=False),
    Column("what", String(20), nullable=False),
    Column("made", Float, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("due", Float, index=True),  # none: sent, or given up
    Column("trouble", String(200)),
    Column("done", Float),  # when it was sent last, or given up
    Column("choices", Integer),  # how many choices stood when it was put into the queue
    Column("told", Integer, key="announced"),  # how many had stood of what was sent last
)
PULSE = (
    Table(  # one row: when a server was last alive, so that clocks do not run while there is none
        "pulse",
        META,
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("beat", Float, nullable=False),
    )
)
REPEATS = Table(  # what came of a request that had a key, so that it is done once
    "repeats",
    META,
    Column("digest", String(64), primary_key=True),
    Column("body", String(64), nullable=False),  # the SHA-256 of what was sent
    Column("came", String(100), nullable=False),
    Column("made", Float, nullable=False, index=True),
)
