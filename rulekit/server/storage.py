"""Storage of tables and their journals in a database. `database_schema` defines its tables, and
docs/table.md describes the stored data.

A journal line is a line of a save (docs/decisions/0013). When `append` returns, its lines are on
disk. A line is never rewritten.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from attrs import frozen
from sqlalchemy import (
    Connection,
    Engine,
    Text,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.exc import (
    DisconnectionError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    SQLAlchemyError,
)

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.server.database_schema import ALEMBIC, LINES, META, PINS, PROGRAMS, TABLES, VERSION
from rulekit.server.rule_pins import Pin
from rulekit.server.write_queue import Writer

POOL: dict[str, Any] = {
    "pool_size": 10,
    "max_overflow": 10,
    "pool_use_lifo": True,
}  # connections to a server
UNTRIED_SECONDS = (
    1.0  # seconds after its last use in which a connection is not tried before it is used again
)


class NoTable(RulekitError):
    """There is no such table."""


class StoreError(RulekitError):
    """The database could not be read or written. Nothing of the transaction was stored."""


class OlderError(StoreError):
    """The database has an older version."""

    def __init__(self, version: str) -> None:
        self.version = version
        super().__init__(
            _(
                "the database has version {version}, this program has {known}: make"
                " a backup, then run `rulekit serve --upgrade`",
                version=version,
                known=VERSION,
            )
        )


class Twice(StoreError):
    """Another process wrote in the same place first."""


Also = Callable[[Connection], None]  # what else is written in a transaction


@frozen
class TableRow:
    """A table in a list.

    Attributes:
        header: the first line of its save.
        changed: the time of the last change, in seconds since 1970.
        decides: the side that is asked, or None.
        result: the winner and the level of victory, or None while the game runs.
    """

    id: str
    game: str
    header: str
    seats: dict[str, str]
    created: float
    changed: float
    choices: int
    decides: str | None
    result: str | None


@frozen
class TableSummary:
    """The summary of a table after lines were appended."""

    choices: int
    decides: str | None
    result: str | None


class Store:
    """The database at an address: `sqlite:///FILE` or `postgresql://USER@HOST/NAME`.

    The methods block and may be called from any thread. They raise `StoreError` for errors of the
    database.

    Args:
        upgrade: migrate a database of an older version.
        busy: expect many simultaneous writes.
    """

    def __init__(self, address: str, upgrade: bool = False, busy: bool = False) -> None:
        self._engine = _engine(address)
        self._writer: Writer | None = None
        try:
            self._prepare(upgrade)
        except (
            SQLAlchemyError
        ) as error:  # who starts the program is told all; who asks it later is not
            self.close()
            raise StoreError(
                _("the database of the tables cannot be used: {why}", why=_cause(error))
            ) from None
        except RulekitError:
            self.close()
            raise
        if busy and not self.many:
            self._writer = Writer(self._engine)

    def _prepare(self, upgrade: bool) -> None:
        """Create the tables of a new database, or check the version of an existing one and migrate
        it if allowed.

        Tables are also created if there is no version, as in databases made before versions
        existed.
        """
        with self._engine.begin() as db:
            _alone(db)
            version = _version(db)
            if version is None:
                META.create_all(db)
                db.execute(insert(ALEMBIC).values(version_num=VERSION))
            elif version < VERSION and upgrade:
                _upgraded(db, version)
            elif version < VERSION:
                raise OlderError(version)
            elif version != VERSION:
                raise StoreError(
                    _(
                        "the database has version {version}; this program ({known}) is older",
                        version=version,
                        known=VERSION,
                    )
                )

    @property
    def many(self) -> bool:
        """True if several processes may use the database at the same time."""
        return self._engine.dialect.name != "sqlite"

    @property
    def writes(self) -> bool:
        """True unless the writer thread, if there is one, has died."""
        return self._writer is None or self._writer.alive

    @property
    def engine(self) -> Engine:
        """The SQLAlchemy engine."""
        return self._engine

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """Open a transaction, which is committed as a whole or not at all."""
        with self._in_words(), self._engine.begin() as db:
            yield db

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Open a read-only transaction that sees no later writes, however long it takes."""
        how: dict[str, Any] = (
            {"reads": True} if not self.many else {"isolation_level": "REPEATABLE READ"}
        )
        with self._in_words(), self._engine.connect().execution_options(**how) as db:
            yield db

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a connection for reading. On a database server there is no transaction: each query
        sees the data as of its own start.
        """
        how: dict[str, Any] = {"isolation_level": "AUTOCOMMIT"} if self.many else {"reads": True}
        with self._in_words(), self._engine.connect().execution_options(**how) as db:
            yield db

    def close(self) -> None:
        """Close the database. A connection in use is closed when it is released."""
        if self._writer is not None:
            self._writer.close()
        event.listen(self._engine, "checkin", lambda __, record: record.invalidate())
        self._engine.dispose()

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError as error:
            raise Twice(_("another process wrote to this table at the same time")) from error
        except SQLAlchemyError as error:
            _log(error)
            raise StoreError(
                _(
                    "the tables cannot be read or stored at the moment; the log of the server"
                    " has the reason"
                )
            ) from None

    # ------------------------------------------------------------------ tables
    def open(
        self,
        id: str,
        game: str,
        header: str,
        seats: dict[str, str],
        lines: Sequence[tuple[int, str]],
        standing: TableSummary,
        also: Also | None = None,
        pin: Pin | None = None,
    ) -> None:
        """Store a new table with its first lines, each with its gesture.

        Args:
            also: writes more data in the same transaction.
            pin: the rules that the table is pinned to.
        """
        if pin is not None:
            self._keep(pin)
        now = time.time()
        with self._in_words(), self._engine.begin() as db:
            db.execute(
                insert(TABLES).values(
                    id=id,
                    game=game,
                    header=header,
                    seats=_json(seats),
                    created=now,
                    changed=now,
                    choices=standing.choices,
                    decides=standing.decides,
                    result=standing.result,
                )
            )
            _put(db, id, 0, lines)
            if pin is not None:
                db.execute(insert(PINS).values(table_id=id, digest=pin.digest))
            if also is not None:
                also(db)

    def _keep(self, pin: Pin) -> None:
        """Store rules, unless they are stored already."""
        known = select(PROGRAMS.c.digest).where(PROGRAMS.c.digest == pin.digest)
        with self.reading() as db:
            if db.execute(known).first() is not None:
                return
        with suppress(Twice), self.begin() as db:
            db.execute(
                insert(PROGRAMS).values(
                    digest=pin.digest, game=pin.game, made=time.time(), body=pin.body
                )
            )

    def pinned(self, id: str) -> str | None:
        """Return the digest of the rules that a table is pinned to, or None."""
        with self.reading() as db:
            found: str | None = db.execute(
                select(PINS.c.digest).where(PINS.c.table_id == id)
            ).scalar()
        return found

    def program(self, digest: str) -> bytes | None:
        """Return the stored rules with a digest, or None."""
        with self.reading() as db:
            found: bytes | None = db.execute(
                select(PROGRAMS.c.body).where(PROGRAMS.c.digest == digest)
            ).scalar()
        return found

    def move(self, row: TableRow, header: str, pin: Pin) -> None:
        """Pin a table to other rules, after its journal was replayed under them. Raise `Twice` if
        the table has changed since.
        """
        id = row.id
        self._keep(pin)
        with self.begin() as db:
            done = db.execute(
                update(TABLES)
                .where(
                    TABLES.c.id == id,
                    TABLES.c.choices == row.choices,
                    TABLES.c.header == row.header,
                )
                .values(header=header)
            )
            if done.rowcount != 1:
                raise Twice(_("another process wrote to this table at the same time"))
            db.execute(delete(PINS).where(PINS.c.table_id == id))
            db.execute(insert(PINS).values(table_id=id, digest=pin.digest))

    def append(
        self,
        id: str,
        begin: int,
        lines: Sequence[tuple[int, str]],
        standing: TableSummary,
        also: Also | None = None,
        header: str | None = None,
    ) -> None:
        """Append lines to a journal, starting at place `begin`.

        Raises:
            StoreError: there is a line at that place already, or the table has another `header`
                because it was dealt again or moved to other rules. Nothing is written.
        """

        def write(db: Connection) -> None:
            _put(db, id, begin, lines)
            done = db.execute(
                _STANDS,
                {
                    "of": id,
                    "head": header,
                    "changed": time.time(),
                    "choices": standing.choices,
                    "decides": standing.decides,
                    "result": standing.result,
                },
            )
            if done.rowcount != 1:
                raise Twice(_("another process wrote to this table at the same time"))
            if also is not None:
                also(db)

        with self._in_words():
            if self._writer is not None:
                self._writer.do(write)
            else:
                with self._engine.begin() as db:
                    write(db)

    def rows(self) -> list[TableRow]:
        """Return all tables, latest change first."""
        with self.reading() as db:
            return [
                _row(each) for each in db.execute(select(TABLES).order_by(TABLES.c.changed.desc()))
            ]

    def row(self, id: str) -> TableRow | None:
        """Return the table with this id, or None."""
        with self.reading() as db:
            return row_of(db, id)

    def lines(self, id: str, begin: int = 0) -> list[tuple[int, str]]:
        """Return the journal of a table from a place on: the gesture and text of each line."""
        with self.reading() as db:
            return lines_of(db, id, begin)

    def remove(self, id: str) -> None:
        """Delete a table and its journal."""
        with self.begin() as db:
            remove(db, id)

    def journal(self, id: str) -> tuple[TableRow, list[tuple[int, str]]]:
        """Return a table and its journal, read in one snapshot. Raise `RulekitError` if the table
        is gone.
        """
        with self.snapshot() as db:
            row, found = row_of(db, id), lines_of(db, id)
        if row is None:
            raise NoTable(_("there is no table {id}", id=repr(id)))
        return row, found

    def count(self) -> int:
        """Return the number of tables."""
        with self.reading() as db:
            return int(db.execute(select(func.count()).select_from(TABLES)).scalar_one())


def file_address(path: Path) -> str:
    """Return the address of a database file. Create its folder, accessible to its owner only."""
    for folder in reversed([path.parent, *path.parent.parents]):
        if not folder.exists():
            folder.mkdir(mode=0o700, exist_ok=True)
    return f"sqlite:///{path}"


def make_private(file: Path) -> None:
    """Create an empty file that only its owner may read, whatever the umask. Restrict an existing
    file.

    SQLite gives the files next to a database the permissions of the database. Raise `OSError` on
    failure.
    """
    os.close(os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600))
    for each in (file, *(file.with_name(file.name + end) for end in ("-wal", "-shm", "-journal"))):
        with suppress(
            FileNotFoundError, PermissionError
        ):  # another owner's file keeps the rights that he gave it
            if each.stat().st_mode & 0o077:
                each.chmod(0o600)


def _cause(error: SQLAlchemyError) -> str:
    """Return the driver's message, which may contain host and path."""
    return str(getattr(error, "orig", None) or error)


def _log(error: SQLAlchemyError) -> None:
    """Log the driver's message for the operator. If it may contain user text, log only the kind of
    error.
    """
    plain = (
        isinstance(error, OperationalError | InterfaceError) or getattr(error, "orig", None) is None
    )
    message = _cause(error) if plain else type(getattr(error, "orig", error)).__name__
    logging.getLogger("rulekit.store").warning("the database cannot be used: %s", message)


def _alone(db: Connection) -> None:
    """Prevent other processes from creating or changing tables until the transaction ends."""
    if db.dialect.name != "sqlite":
        db.execute(text("SELECT pg_advisory_xact_lock(4250)"))


def _version(db: Connection) -> str | None:
    if not inspect(db).has_table(ALEMBIC.name):
        return None
    found: str | None = db.execute(select(ALEMBIC.c.version_num)).scalar()
    return found


def _upgraded(db: Connection, version: str) -> None:
    try:
        from rulekit.server.migrate import upgrade
    except ModuleNotFoundError:
        raise OlderError(version) from None
    upgrade(db)


def _engine(address: str) -> Engine:
    if address.startswith(("postgresql://", "postgres://")):
        address = f"postgresql+psycopg://{address.split('://', 1)[1]}"
    try:
        engine = create_engine(
            address, hide_parameters=True, **({} if address.startswith("sqlite") else POOL)
        )
    except Exception as error:  # a dialect that is not installed, an address that is none
        raise StoreError(
            _(
                "{address} is not the address of a database: {why}",
                address=repr(address),
                why=str(error),
            )
        ) from None
    if engine.dialect.name == "sqlite":
        if engine.url.database and engine.url.database != ":memory:":
            try:
                make_private(Path(engine.url.database))
            except OSError as error:
                raise StoreError(
                    _("the database of the tables cannot be used: {why}", why=error)
                ) from None
        event.listen(engine, "connect", _steady)
        event.listen(engine, "begin", _begun)
    else:
        event.listen(engine, "checkin", _rests)
        event.listen(engine, "checkout", partial(_tried, engine.dialect))
    return engine


def _steady(connection: Any, __: Any) -> None:
    """Configure SQLite: readers do not wait for the writer, and committed data is on disk."""
    connection.isolation_level = None  # transactions begin where SQLAlchemy says so, see _begun
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        connection.execute(f"PRAGMA {pragma}")


def _begun(db: Connection) -> None:
    """Begin a SQLite transaction. A writer waits for its turn at the start, not in the middle."""
    db.exec_driver_sql("BEGIN" if db.get_execution_options().get("reads") else "BEGIN IMMEDIATE")


def _rests(__: Any, record: Any) -> None:
    record.info["used"] = time.monotonic()


def _tried(dialect: Any, connection: Any, record: Any, __: Any) -> None:
    """Test a connection that was idle for a while. A broken one is replaced."""
    if time.monotonic() - record.info.get("used", time.monotonic()) < UNTRIED_SECONDS:
        return
    try:
        dialect.do_ping(connection)
    except dialect.loaded_dbapi.Error:
        raise DisconnectionError from None


# statements that each choice needs are made once
_SAME = TABLES.c.header == func.coalesce(bindparam("head", type_=Text), TABLES.c.header)
_STANDS = update(TABLES).where(TABLES.c.id == bindparam("of"), _SAME)
_INSERTED = insert(LINES)
_LINES = (
    select(LINES.c.gesture, LINES.c.text)
    .where(LINES.c.table_id == bindparam("id"), LINES.c.n >= bindparam("begin"))
    .order_by(LINES.c.n)
)


def lines_of(db: Connection, id: str, begin: int = 0) -> list[tuple[int, str]]:
    """Return the journal of a table from a place on: the gesture and text of each line."""
    return [(gesture, text) for gesture, text in db.execute(_LINES, {"id": id, "begin": begin})]


def _put(db: Any, id: str, begin: int, lines: Sequence[tuple[int, str]]) -> None:
    if lines:
        rows = [
            {"table_id": id, "n": at, "gesture": gesture, "text": text}
            for at, (gesture, text) in enumerate(lines, begin)
        ]
        db.execute(_INSERTED, rows)


def deal(
    db: Connection, id: str, header: str, lines: Sequence[str], standing: TableSummary
) -> None:
    """Restart the journal of a table with another deal."""
    db.execute(delete(LINES).where(LINES.c.table_id == id))
    _put(db, id, 0, [(1, line) for line in lines])
    db.execute(
        update(TABLES)
        .where(TABLES.c.id == id)
        .values(
            header=header,
            changed=time.time(),
            choices=standing.choices,
            decides=standing.decides,
            result=standing.result,
        )
    )


def remove(db: Connection, id: str) -> None:
    """Delete a table, its journal and all other data that belongs to it."""
    db.execute(delete(TABLES).where(TABLES.c.id == id))  # the rest goes with it


def row_of(db: Connection, id: str) -> TableRow | None:
    """Return the table with this id, or None, as the transaction sees it."""
    found = db.execute(select(TABLES).where(TABLES.c.id == id)).first()
    return _row(found) if found else None


def _row(found: Any) -> TableRow:
    return TableRow(
        found.id,
        found.game,
        found.header,
        msgspec.json.decode(found.seats),
        found.created,
        found.changed,
        found.choices,
        found.decides,
        found.result,
    )


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
