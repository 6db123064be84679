"""Add the sides that pass windows until a phase ends."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Nobody does."""
    op.create_table(
        "passing",
        sa.Column(
            "table_id",
            sa.String(32),
            sa.ForeignKey("tables.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("side", sa.String(100), primary_key=True),
        sa.Column("begun", sa.Integer, nullable=False),
        sa.Column("only", sa.Boolean, nullable=False),
    )
