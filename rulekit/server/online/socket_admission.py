"""Limits of the number of open WebSockets: in all, and for each table, person and address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from rulekit.common.i18n.messages import ngettext
from rulekit.server.bounded_threads import Limited
from rulekit.server.online.rate_limits import Limits

RESERVE = 64  # descriptors for the database, the log, the games
SPARE = 5  # one descriptor in this many is for connections other than table sockets


class TooMany(Limited):
    """Too many sockets are open."""


_FULL = {
    "sockets": ngettext(
        "{n} page is connected to this server, which is the limit; try again later",
        "{n} pages are connected to this server, which is the limit; try again later",
        0,
    ),
    "sockets_table": ngettext(
        "{n} page is connected to this table, which is the limit",
        "{n} pages are connected to this table, which is the limit",
        0,
    ),
    "sockets_address": ngettext(
        "{n} page from your address is connected, which is the limit; close one",
        "{n} pages from your address are connected, which is the limit; close one",
        0,
    ),
    "sockets_person": ngettext(
        "you have {n} connected page, which is the limit; close it",
        "you have {n} connected pages, which is the limit; close one",
        0,
    ),
}


class Admission:
    """Counts open sockets. Its methods belong to one event loop."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def admits(self, table: str, person: str | None, address: str) -> Iterator[None]:
        """Count a socket as open within the block. Raise `TooMany` if a limit is reached."""
        wanted = [("sockets", ""), ("sockets_table", table), ("sockets_address", address)]
        wanted += [("sockets_person", person)] if person else []
        for each in wanted:
            most = self._most(each[0])
            if self._open[each] >= most:
                raise TooMany(_FULL[each[0]].with_params(n=most))
        self._open.update(wanted)
        try:
            yield
        finally:
            self._open.subtract(wanted)
            for each in wanted:
                if not self._open[each]:
                    del self._open[each]

    def _most(self, name: str) -> int:
        most = self._limits.most(name)
        return min(most, descriptors() * (SPARE - 1) // SPARE) if name == "sockets" else most


def descriptors() -> int:
    """Return the number of connections that this process may have open. It is very large if the
    system has no limit.
    """
    with suppress(ImportError):
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return max(16, soft - RESERVE) if soft != resource.RLIM_INFINITY else 1 << 30
    return 1 << 30


def raise_descriptors() -> None:
    """Raise the limit of open files as far as the system allows."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = hard if hard != resource.RLIM_INFINITY else max(soft, 1 << 16)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 1 << 20), hard))
