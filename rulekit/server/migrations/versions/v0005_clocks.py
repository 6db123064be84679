"""Add the remaining time of each decision, so that undoing and choosing again gains no time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Nothing is known of the decisions before."""
    op.create_table(
        "clocks",
        sa.Column(
            "table_id",
            sa.String(32),
            sa.ForeignKey("tables.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("choices", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("side", sa.String(100), primary_key=True),
        sa.Column("left", sa.Float, nullable=False),
    )
