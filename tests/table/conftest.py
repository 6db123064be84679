"""The fixtures of the tests of the table."""

from table.tables import client, looking, opened  # noqa: F401
