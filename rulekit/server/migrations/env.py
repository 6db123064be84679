"""Takes the connection that `rulekit.server.migrate` hands over, runs the migrations on it: Alembic
calls this."""

from __future__ import annotations

from alembic import context

context.configure(
    connection=context.config.attributes["connection"], transaction_per_migration=False
)
context.run_migrations()
