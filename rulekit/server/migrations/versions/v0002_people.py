"""Add accounts, seats, clocks, offers, chat, notes, notices, and pinned rules."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the tables that `rulekit serve` needs."""
    op.create_table(
        "people",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("key", sa.String(80), nullable=False, unique=True),
        sa.Column("password", sa.String(200)),
        sa.Column("mail", sa.String(254)),
        sa.Column("hook", sa.String(500)),
        sa.Column("lang", sa.String(8), nullable=False),
        sa.Column("admin", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "programs",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(100), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("beat", sa.Float, nullable=False),
    )
    op.create_table(
        "hosted",
        sa.Column(
            "table_id",
            sa.String(32),
            sa.ForeignKey("tables.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("owner", sa.String(32), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("access", sa.String(8), nullable=False),
        sa.Column("begun", sa.Float),
        sa.Column("ended", sa.Float),
        sa.Column("ending", sa.String(200)),
        sa.Column("clock", sa.String(40), nullable=False),
        sa.Column("late", sa.String(8), nullable=False),
        sa.Column("running", sa.String(100)),
        sa.Column("since", sa.Float),
        sa.Column("falls", sa.Float),
        sa.Column("left", sa.Text, nullable=False),
        sa.Column("next", sa.String(32)),
    )
    op.create_index("ix_hosted_falls", "hosted", ["falls"])
    op.create_table(
        "invitations",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column(
            "table_id",
            sa.String(32),
            sa.ForeignKey("tables.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("side", sa.String(100)),
        sa.Column("ends", sa.Float, nullable=False),
    )
    op.create_index("ix_invitations_table_id", "invitations", ["table_id"])
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column(
            "table_id",
            sa.String(32),
            sa.ForeignKey("tables.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("room", sa.String(10), nullable=False),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("written", sa.Float, nullable=False),
        sa.Column("removed", sa.Boolean, nullable=False),
    )
    op.create_index("ix_messages_table_id_id", "messages", ["table_id", "id"])
    op.create_table(
        "notes",
        sa.Column(
            "table_id",
            sa.String(32),
            sa.ForeignKey("tables.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), nullable=False),
        sa.Column(
            "table_id",
            sa.String(32),
            sa.ForeignKey("tables.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("channel", sa.String(8), nullable=False),
        sa.Column("what", sa.String(20), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("due", sa.Float),
        sa.Column("trouble", sa.String(200)),
    )
    op.create_index("ix_notices_due", "notices", ["due"])
    op.create_index("ix_notices_table_id", "notices", ["table_id"])
    op.create_table(
        "observers",
        sa.Column(
            "table_id",
            sa.String(32),
            sa.ForeignKey("tables.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), primary_key=True),
    )
    op.create_table(
        "offers",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column(
            "table_id",
            sa.String(32),
            sa.ForeignKey("tables.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("side", sa.String(100), nullable=False),
        sa.Column("choice", sa.Integer, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("answer", sa.String(12)),
    )
    op.create_index("ix_offers_table_id", "offers", ["table_id"])
    op.create_table(
        "pins",
        sa.Column(
            "table_id",
            sa.String(32),
            sa.ForeignKey("tables.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("digest", sa.String(64), sa.ForeignKey("programs.digest"), nullable=False),
    )
    op.create_index("ix_pins_digest", "pins", ["digest"])
    op.create_table(
        "seats",
        sa.Column(
            "table_id",
            sa.String(32),
            sa.ForeignKey("tables.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("side", sa.String(100), primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id")),
    )
    op.create_index("ix_seats_person", "seats", ["person"])
    op.create_table(
        "sessions",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("ends", sa.Float, nullable=False),
    )
    op.create_index("ix_sessions_person", "sessions", ["person"])
