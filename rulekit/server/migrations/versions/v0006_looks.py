"""Add the look of people's names, by which similar names are detected."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """It is worked out when the server starts."""
    op.add_column("people", sa.Column("look", sa.String(80)))
    op.create_index("ix_people_look", "people", ["look"])
