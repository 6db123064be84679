"""Posts notifications to web hooks, each within one deadline. Only addresses of the open internet
are allowed, and the connection goes to exactly the address that was checked.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re

import httpx2

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.server.online.dns_resolver import Resolver

LAST_PORT = 65535
DEADLINE = (
    10.0  # seconds for a whole exchange: name, connection, request and the head of the answer
)
LONGEST = 500  # characters of an address
SLOTS = 16  # posts at a time
_HOST = re.compile(r"[A-Za-z0-9._-]+")
_TRANSLATED = ipaddress.ip_network(
    "64:ff9b::/96"
)  # the IPv6 addresses that contain an IPv4 address for NAT64


def tidy_hook(hook: str | None) -> str | None:
    """Return the address of a web hook, or None. Raise `RulekitError` if nothing can be posted to
    it. A host name is resolved and checked only when something is posted.
    """
    if not hook:
        return None
    if len(hook) > LONGEST or not hook.isascii() or not hook.isprintable() or " " in hook:
        raise RulekitError(_("this is not the address of a web hook"))
    try:
        host, __ = _place(hook)
        _request(hook, "192.0.2.1", {})
    except (httpx2.InvalidURL, ValueError):
        raise RulekitError(_("this is not the address of a web hook")) from None
    if _literal(host) is not None and not reachable(host):
        raise RulekitError(_("this address is not on the public internet"))
    return hook


def _place(hook: str) -> tuple[str, int]:
    """Return the host and port of an address as the HTTP client reads it. Raise `ValueError` or
    `InvalidURL` if it is invalid.
    """
    at = httpx2.URL(hook)
    host = at.raw_host.decode("ascii")
    port = at.port if at.port is not None else 443 if at.scheme == "https" else 80
    if (
        at.scheme not in ("http", "https")
        or at.userinfo
        or "%" in host
        or not 1 <= port <= LAST_PORT
    ):
        raise ValueError(hook)
    if _literal(host) is None and (not _HOST.fullmatch(host) or not host.encode("idna")):
        raise ValueError(hook)
    return host, port


def _literal(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _request(hook: str, address: str, message: dict[str, str]) -> httpx2.Request:
    """Return a request to a checked IP address. It names the original host, and asks for no
    compression.
    """
    at = httpx2.URL(hook)
    return httpx2.Request(
        "POST",
        at.copy_with(host=address),
        json=message,
        extensions={"sni_hostname": at.raw_host.decode()},
        headers={
            "host": at.netloc.decode("ascii"),
            "user-agent": "rulekit",
            "accept": "*/*",
            "accept-encoding": "identity",
            "connection": "close",
        },
    )


class Hooks:
    """Posts to web hooks. It reads only the head of an answer. The client limits its length and
    follows no redirect.
    """

    def __init__(self) -> None:
        # more threads than posts: a look-up past its deadline occupies its thread for a while
        self._names = Resolver(4 * SLOTS)
        self._safe = httpx2.create_ssl_context(trust_env=False)

    async def post(self, hook: str, message: dict[str, str]) -> None:
        """Post a message. Raise `RulekitError`, `OSError` (also at the deadline), `HTTPError` or
        `InvalidURL` on failure.
        """
        async with asyncio.timeout(DEADLINE):
            host, port = _place(hook)
            found = await self._names.addresses(host, port)
            if not all(reachable(each) for each in found):
                raise RulekitError(_("this address is not on the public internet"))
            async with httpx2.AsyncClient(
                verify=self._safe, follow_redirects=False, trust_env=False
            ) as client:
                answer = await client.send(_request(hook, found[0], message), stream=True)
                await answer.aclose()
                answer.raise_for_status()

    def close(self) -> None:
        """Stop the resolver."""
        self._names.close()


def reachable(address: str) -> bool:
    """Return True if an address belongs to the open internet. An IPv6 address that contains an IPv4
    address is judged by that one too.
    """
    at = ipaddress.ip_address(address.split("%")[0])
    if isinstance(at, ipaddress.IPv6Address):
        inner = (
            at.ipv4_mapped
            or at.sixtofour
            or (ipaddress.IPv4Address(int(at) & 0xFFFFFFFF) if at in _TRANSLATED else None)
        )
        if inner is not None:
            return reachable(str(inner))
        if at.is_site_local:
            return False
    return at.is_global and not at.is_multicast and not at.is_reserved
