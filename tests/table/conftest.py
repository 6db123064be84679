"""The fixtures of the tests of the table."""

from table.databases import address, postgres  # noqa: F401
from table.tables import client, looking, opened  # noqa: F401
