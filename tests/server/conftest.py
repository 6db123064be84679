"""The fixtures of the tests of the server."""

import importlib.util

from tests.server.databases import address, postgres  # noqa: F401 - fixtures
from tests.server.table_clients import client, open_page, opened  # noqa: F401 - fixtures

collect_ignore_glob = []
if all(
    importlib.util.find_spec(name)
    for name in (
        "aiosmtplib",
        "alembic",
        "argon2",
        "confusable_homoglyphs",
        "email_validator",
        "prometheus_client",
        "psycopg",
        "schemathesis",
    )
):
    from tests.server.visitors import anna, bert, carl, everywhere, online, two  # noqa: F401 - fixtures
else:  # the extra `serve` is not installed (it is in CI)
    collect_ignore_glob.append("online/*")
