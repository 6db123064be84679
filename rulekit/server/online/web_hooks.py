"""Posts notices to web hooks: on the open internet only, to the very address that was looked at,
within one deadline."""

from __future__ import annotations

import asyncio
import ipaddress
import re

import httpx2

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.catalog import fault
from rulekit.server.online.dns_resolver import Resolver

DEADLINE = (
    10.0  # seconds for a whole exchange: name, connection, request and the head of the answer
)
LONGEST = 500  # letters of an address
SLOTS = 16  # that are posted to at a time
_HOST = re.compile(r"[A-Za-z0-9._-]+")
_TRANSLATED = ipaddress.ip_network(
    "64:ff9b::/96"
)  # an IPv4 address inside of an IPv6 address, as NAT64 reads it


def tidy_hook(hook: str | None) -> str | None:
    """An address of a web hook, or none. RulekitError if nothing can be posted to it. Where a name
    leads is looked at when it is."""
    if not hook:
        return None
    if len(hook) > LONGEST or not hook.isascii() or not hook.isprintable() or " " in hook:
        raise fault(RulekitError, "people.hook")
    try:
        host, _ = _place(hook)
        _request(hook, "192.0.2.1", {})
    except (httpx2.InvalidURL, ValueError):
        raise fault(RulekitError, "people.hook") from None
    if _literal(host) is not None and not reachable(host):
        raise fault(RulekitError, "people.hook_inside")
    return hook


def _place(hook: str) -> tuple[str, int]:
    """The host and the port of an address, as the client that posts reads it. ValueError or
    InvalidURL if it is none."""
    at = httpx2.URL(hook)
    host = at.raw_host.decode("ascii")
    port = at.port if at.port is not None else 443 if at.scheme == "https" else 80
    if at.scheme not in ("http", "https") or at.userinfo or "%" in host or not 1 <= port <= 65535:
        raise ValueError(hook)
    if _literal(host) is None and (not _HOST.fullmatch(host) or not host.encode("idna")):
        raise ValueError(hook)
    return host, port


def _literal(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _request(hook: str, address: str, told: dict[str, str]) -> httpx2.Request:
    """A request to an address that was looked at, which says the name that was looked up. No
    compressed answer is asked for."""
    at = httpx2.URL(hook)
    return httpx2.Request(
        "POST",
        at.copy_with(host=address),
        json=told,
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
    """Posts to web hooks. Of an answer its head alone is read, whose length the client bounds; no
    redirection is followed."""

    def __init__(self) -> None:
        self._names = Resolver(4 * SLOTS)  # a name that is given up holds its thread for a while
        self._safe = httpx2.create_ssl_context(trust_env=False)

    async def post(self, hook: str, told: dict[str, str]) -> None:
        """Posts something. RulekitError, OSError (also of the deadline), HTTPError or InvalidURL if
        it was not taken."""
        async with asyncio.timeout(DEADLINE):
            host, port = _place(hook)
            found = await self._names.addresses(host, port)
            if not all(reachable(each) for each in found):
                raise fault(RulekitError, "people.hook_inside")
            async with httpx2.AsyncClient(
                verify=self._safe, follow_redirects=False, trust_env=False
            ) as client:
                answer = await client.send(_request(hook, found[0], told), stream=True)
                await answer.aclose()
                answer.raise_for_status()

    def close(self) -> None:
        """Nothing is posted any more."""
        self._names.close()


def reachable(address: str) -> bool:
    """Is it an address of the open internet? What holds an IPv4 address inside is judged by that,
    too."""
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
