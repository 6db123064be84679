"""Web hooks: accepted addresses can be posted to, answers of any kind cost bounded time and memory,
and no internal address is reached."""

import asyncio
import ipaddress
import random
import socket

import httpx2
import pytest

from rulekit.common.errors import RulekitError
from rulekit.server.online import web_hooks
from rulekit.server.online.web_hooks import Hooks, reachable, tidy_hook
from tests.server.online.sinks import hook_sink


@pytest.fixture
def near(monkeypatch):
    """This machine counts as the open internet."""
    monkeypatch.setattr(web_hooks, "reachable", lambda address: address.startswith("127."))


async def post(address):
    made = Hooks()
    try:
        await made.post(address, {"text": "it is your turn"})
    finally:
        made.close()


# -------------------------------------------------------------------- accepted addresses
@pytest.mark.parametrize(
    "hook",
    [
        "https://example.org/x?y=1",
        "http://example.org",
        "https://example.org:8443/#a",
        "http://8.8.8.8/x",
        "http://[2606:4700::1]:80/",
        "http://xn--bcher-kva.example/",
        "http://a_b.example.org./",
    ],
)
def test_an_address_of_a_web_hook_is_kept_as_it_is(hook):
    assert tidy_hook(hook) == hook


@pytest.mark.parametrize(
    "hook",
    [
        "http://a:b",
        "http://a:99999/",
        "http://a:0/",
        "http://a..b/",
        f"http://{'a' * 64}.org/",
        "http://",
        "http:///x",
        "https://a@b.example/",
        "http://a:p@b.example/",
        "file:///etc/passwd",
        "gopher://a/",
        "example.org",
        "http://a b/",
        "http://a/ b",
        "http://é.example/",
        "http://a/\x7f",
        "http://a%00b/",
        "http://[::1",
        "http://[fe80::1%25eth0]/",
        "http://*/",
        "http://a:80:80/",
        "http://a\\b/",
        "http://example.org/" + "x" * 500,
    ],
)
def test_what_nothing_can_be_posted_to_is_refused(hook):
    with pytest.raises(RulekitError, match="not the address of a web hook"):
        tidy_hook(hook)


@pytest.mark.parametrize(
    "hook",
    [
        "http://127.0.0.1:9/",
        "http://[::1]/",
        "http://10.0.0.1/x",
        "http://169.254.169.254/latest",
        "http://[::ffff:10.0.0.1]/",
    ],
)
def test_an_address_of_the_servers_network_is_refused_when_it_is_given(hook):
    with pytest.raises(RulekitError, match="public internet"):
        tidy_hook(hook)


def drawn_hooks(many, seed):
    """Return a number of random accepted addresses with parts on which parsers disagree."""
    draw, found = random.Random(seed), []
    parts = "abz09AZ-_.:@[]%/\\?#&=+~!$'(),;*é\u202e\x00\x7f \t\"<>{}|^`"
    hosts = [
        "example.org",
        "a",
        "A.b",
        "x_y",
        "8.8.8.8",
        "[2606:4700::1]",
        "1.2.3",
        "0x8.8",
        "xn--bcher-kva.org",
        "a.",
        "-a",
        "a-",
        "2130706433",
    ]
    while len(found) < many:
        host = (
            draw.choice(hosts)
            if draw.random() < 0.5
            else "".join(
                draw.choices(
                    parts, weights=[9] * 10 + [1] * (len(parts) - 10), k=draw.randint(1, 12)
                )
            )
        )
        port = draw.choice(
            ["", "", ":80", ":", ":65535", ":65536", ":0", ":b", ":8_0", ":+1", ":٣"]
        )
        path = "".join(draw.choices(parts, k=draw.randint(0, 20)))
        hook = (
            draw.choice(["http://", "http://", "HTTP://", "https://", "http:", "//", ""])
            + host
            + port
            + draw.choice(["", "/", "?", "#"])
            + path
        )
        try:
            if tidy_hook(hook):
                found.append(hook)
        except RulekitError:
            continue
    return found


def test_a_thousand_accepted_addresses_are_posted_to_without_an_error(monkeypatch, near):
    """Each of them reaches the only server. Only TLS handshakes fail, because it has no
    certificate."""
    accepted = drawn_hooks(1000, 425)
    assert len(set(accepted)) > 500

    async def all_of_them():
        made = Hooks()
        async with hook_sink() as sink:
            import anyio

            direct = anyio.connect_tcp

            async def here(remote_host, remote_port, **how):
                return await direct("127.0.0.1", sink.port, **how)

            monkeypatch.setattr(anyio, "connect_tcp", here)
            monkeypatch.setattr(
                socket,
                "getaddrinfo",
                lambda host, port, **_: [
                    (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))
                ],
            )
            for hook in accepted:
                heard = len(sink.heads)
                if hook.lower().startswith("https:"):
                    with pytest.raises((httpx2.HTTPError, OSError)):
                        await made.post(hook, {"text": "x"})
                else:
                    await made.post(hook, {"text": "x"})
                    assert len(sink.heads) == heard + 1, hook
        made.close()

    asyncio.run(all_of_them())


# ---------------------------------------------------------------------- answers
@pytest.mark.parametrize("path", ["/drip", "/silent"])
def test_a_server_that_does_not_come_to_an_end_is_given_up(monkeypatch, near, path):
    monkeypatch.setattr(web_hooks, "DEADLINE", 0.3)

    async def go():
        async with hook_sink() as sink:
            with pytest.raises(TimeoutError):
                await post(f"http://127.0.0.1:{sink.port}{path}")

    asyncio.run(go())


def test_a_name_that_nobody_looks_up_is_given_up(monkeypatch, near):
    import threading

    release = threading.Event()
    monkeypatch.setattr(web_hooks, "DEADLINE", 0.2)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: release.wait(60))

    async def go():
        with pytest.raises(TimeoutError):
            await post("http://slow.example/")
        release.set()

    asyncio.run(go())


@pytest.mark.parametrize("path", ["/bomb", "/zipped"])
def test_the_body_of_an_answer_is_not_read_and_no_compressed_one_is_asked_for(
    near, path, monkeypatch
):
    def read(*_, **__):
        pytest.fail("the body was read")

    for name in ("aread", "aiter_bytes", "aiter_raw"):
        monkeypatch.setattr(httpx2.Response, name, read)

    async def go():
        async with hook_sink() as sink:
            await post(f"http://127.0.0.1:{sink.port}{path}")
            await sink.ended.wait()  # the connection was closed
            assert "accept-encoding: identity\r\n" in sink.heads[0].lower()

    asyncio.run(go())


def test_a_head_without_end_is_not_read_to_its_end(near):
    async def go():
        async with hook_sink() as sink:
            with pytest.raises(httpx2.RemoteProtocolError):
                await post(f"http://127.0.0.1:{sink.port}/head")
            await sink.ended.wait()
            assert sink.sent < 16 << 20

    asyncio.run(go())


def test_a_refusal_is_told(near):
    async def go():
        async with hook_sink() as sink:
            with pytest.raises(httpx2.HTTPStatusError):
                await post(f"http://127.0.0.1:{sink.port}/no")

    asyncio.run(go())


# ---------------------------------------------------------------------- the server's own network
@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "255.255.255.255",
        "224.0.0.1",
        "240.0.0.1",
        "::1",
        "::",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2002:a00:1::1",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "fd00::1",
        "ff02::1",
        "2001::1",
        "2001:db8::1",
    ],
)
def test_what_is_not_of_the_open_internet(address):
    assert not reachable(address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "2606:4700::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::"]
)
def test_what_is_of_the_open_internet(address):
    assert reachable(address) and ipaddress.ip_address(address)


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["::1", "8.8.8.8"]])
def test_a_name_of_the_servers_network_is_not_posted_to(monkeypatch, addresses):
    """One internal address among several is enough to refuse it."""
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, port, **_: [(0, 0, 0, "", (each, port)) for each in addresses],
    )
    with pytest.raises(RulekitError, match="public internet"):
        asyncio.run(post("http://inside.example/"))


def test_it_is_posted_to_the_address_that_was_looked_at_whatever_the_name_says_later(
    monkeypatch, near
):
    """A name may resolve to another address a moment later, so it is resolved once."""
    asked = []

    def look(host, port, *_, **__):
        asked.append(host)
        return [
            (
                socket.AF_INET,
                socket.SOCK_STREAM,
                6,
                "",
                ("127.0.0.2" if len(asked) == 1 else "127.0.0.3", port),
            )
        ]

    async def go():
        async with hook_sink("127.0.0.2") as first, hook_sink("127.0.0.3", first.port) as second:
            monkeypatch.setattr(socket, "getaddrinfo", look)
            await post(f"http://turns.example:{first.port}/x")
            assert asked == ["turns.example"] and second.heads == []
            [head] = first.heads
            assert (
                head.startswith("POST /x HTTP/1.1\r\n")
                and f"host: turns.example:{first.port}\r\n" in head.lower()
            )

    asyncio.run(go())


def test_a_redirection_is_not_followed(near):
    async def go():
        async with hook_sink("127.0.0.2") as first, hook_sink("127.0.0.3", first.port) as second:
            with pytest.raises(httpx2.HTTPStatusError):
                await post(f"http://127.0.0.2:{first.port}/to/127.0.0.3")
            assert len(first.heads) == 1 and second.heads == []

    asyncio.run(go())


def test_with_tls_the_certificate_is_that_of_the_name():
    made = web_hooks._request("https://example.org:8443/x", "192.0.2.7", {})
    assert (
        made.url.host == "192.0.2.7"
        and made.extensions["sni_hostname"] == "example.org"
        and made.headers["host"] == "example.org:8443"
    )
