"""Migrate a database of an older version, with the Alembic scripts in `migrations`."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

MIGRATIONS = Path(__file__).parent / "migrations"


def upgrade(db: Connection, to: str = "head") -> None:
    """Migrate a database to a version, within the transaction of its connection."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = db
    command.upgrade(config, to)
