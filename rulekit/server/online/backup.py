"""Backup of a database to one file while it is in use, and restoring from such a file. SQLite and
PostgreSQL can restore each other's backups.

The file is gzip of lines of JSON: a header, the rows table by table, and the number of rows, which
reveals a truncated file.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Integer, LargeBinary, Table, insert, select, text

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.server.database_schema import ALEMBIC, META, VERSION
from rulekit.server.storage import Store, Twice

FORMAT = "rulekit-backup"
BATCH = 500  # rows written at a time


class NoBackup(RulekitError):
    """The file is not a backup, or not one for this database."""


def _tables() -> list[Table]:
    return [table for table in META.sorted_tables if table is not ALEMBIC]


def backup(store: Store, file: Path) -> int:
    """Write a consistent snapshot of the database to a file and return the number of rows.

    The file appears only when it is complete. Only its owner may read it.
    """
    handle, spare = tempfile.mkstemp(dir=file.parent, prefix=".backup-")
    try:
        with (
            os.fdopen(handle, "wb") as raw,
            gzip.open(raw, "wt", encoding="utf-8") as out,
            store.snapshot() as db,
        ):
            out.write(json.dumps({"format": FORMAT, "version": VERSION}) + "\n")
            many = 0
            for name, row in _rows(db):
                out.write(json.dumps([name, *row], ensure_ascii=False) + "\n")
                many += 1
            out.write(json.dumps({"rows": many}) + "\n")
        os.replace(spare, file)
    except BaseException:
        Path(spare).unlink(missing_ok=True)
        raise
    return many


def _rows(db: Connection) -> Iterator[tuple[str, list[Any]]]:
    for table in _tables():
        for row in db.execution_options(yield_per=BATCH).execute(
            select(table).order_by(*table.primary_key.columns)
        ):
            yield (
                table.name,
                [
                    base64.b64encode(each).decode() if isinstance(each, bytes) else each
                    for each in row
                ],
            )


def restore(store: Store, file: Path) -> int:
    """Fill an empty database from a file and return the number of rows.

    Raise `NoBackup`, and write nothing, if the file is incomplete or of another version, or if the
    database is not empty.
    """
    many = -1
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines, store.begin() as db:
            header = json.loads(next(lines, "{}"))
            if not isinstance(header, dict) or header.get("format") != FORMAT:
                raise NoBackup(_("{file} is not a backup", file=str(file)))
            if header.get("version") != VERSION:
                raise NoBackup(
                    _(
                        "the backup has version {version}, this program has {known}: use"
                        " the version of the backup",
                        version=str(header.get("version")),
                        known=VERSION,
                    )
                )
            if any(db.execute(select(table).limit(1)).first() is not None for table in _tables()):
                raise NoBackup(_("this database is not empty; a backup needs an empty one"))
            many = _filled(db, lines)
            if many < 0:
                raise NoBackup(
                    _("{file}: the backup is incomplete; nothing was restored", file=str(file))
                )
            _counted_on(db)
    except (Twice, gzip.BadGzipFile, EOFError, UnicodeError, ValueError, KeyError, TypeError):
        raise NoBackup(
            _("{file}: the backup is incomplete; nothing was restored", file=str(file))
        ) from None
    return many


def _filled(db: Connection, lines: Iterator[str]) -> int:
    """Insert the rows and return their number, or -1 if the last line states another number."""
    tables = {table.name: table for table in _tables()}
    batch: list[list[Any]] = []
    known = ""
    for many, line in enumerate(lines):
        row = json.loads(line)
        if isinstance(row, dict):
            _put(db, tables, known, batch)
            return many if row["rows"] == many and next(lines, None) is None else -1
        if row[0] != known or len(batch) >= BATCH:
            _put(db, tables, known, batch)
            known, batch = row[0], []
        batch.append(row[1:])
    return -1


def _put(db: Connection, tables: dict[str, Table], name: str, batch: list[list[Any]]) -> None:
    if batch:
        columns = list(tables[name].columns)
        db.execute(
            insert(tables[name]),
            [
                {
                    c.name: base64.b64decode(each) if isinstance(c.type, LargeBinary) else each
                    for c, each in zip(columns, row, strict=True)
                }
                for row in batch
            ],
        )


def _counted_on(db: Connection) -> None:
    """PostgreSQL only: set each sequence so that it continues after the highest existing number."""
    if db.dialect.name == "sqlite":
        return
    for table in _tables():
        for column in table.primary_key.columns:
            if isinstance(column.type, Integer) and column.autoincrement is True:
                db.execute(
                    text(
                        f"SELECT setval(pg_get_serial_sequence('{table.name}', '{column.name}'), "
                        f"coalesce(max({column.name}), 0) + 1, false) FROM {table.name}"
                    )
                )
