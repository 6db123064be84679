"""Add the confirmation of mail addresses, its links, and the times of earlier notices."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Mark every address as unconfirmed, and keep only the last notice of each kind."""
    op.add_column("people", sa.Column("confirmed", sa.Float))
    op.add_column("notices", sa.Column("done", sa.Float))
    op.add_column("notices", sa.Column("choices", sa.Integer))
    op.add_column("notices", sa.Column("told", sa.Integer))
    op.execute(
        "DELETE FROM notices WHERE id NOT IN (SELECT max(id) FROM notices GROUP BY person,"
        " table_id, channel, what)"
    )
    op.create_index("ix_notices_person", "notices", ["person"])
    op.create_table(
        "confirmations",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id")),
        sa.Column("mail", sa.String(254)),
        sa.Column("box", sa.String(64), nullable=False),
        sa.Column("ends", sa.Float, nullable=False),
    )
    op.create_index("ix_confirmations_person", "confirmations", ["person"])
    op.create_index("ix_confirmations_box", "confirmations", ["box"])
