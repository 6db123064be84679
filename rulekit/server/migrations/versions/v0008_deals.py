"""Add a flag for games that are dealt when they begin. It is set for tables that wait for
players.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Where play has not begun, nobody keeps what he saw."""
    op.add_column("hosted", sa.Column("deals", sa.Boolean))
    hosted, tables = (
        sa.table(name, *map(sa.column, names))
        for name, names in (
            ("hosted", ("table_id", "begun", "deals")),
            ("tables", ("id", "choices")),
        )
    )
    unplayed = sa.select(tables.c.id).where(tables.c.choices == 0)
    op.execute(
        hosted.update()
        .where(hosted.c.begun.is_(None), hosted.c.table_id.in_(unplayed))
        .values(deals=sa.true())
    )
