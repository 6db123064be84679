"""Add the results of requests that had an idempotency key."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """None is known."""
    op.create_table(
        "repeats",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("body", sa.String(64), nullable=False),
        sa.Column("came", sa.String(100), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_index("ix_repeats_made", "repeats", ["made"])
