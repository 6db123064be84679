"""Alembic's entry point: run the migrations on the connection that `rulekit.server.migrate`
provides.
"""

from __future__ import annotations

from alembic import context

context.configure(
    connection=context.config.attributes["connection"], transaction_per_migration=False
)
context.run_migrations()
