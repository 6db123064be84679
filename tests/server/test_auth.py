"""Authentication of a local server: requests without the token, from another page or for another
host name are refused."""

import pytest
from starlette.websockets import WebSocketDisconnect

from rulekit.server.auth import token_beside
from tests.server.table_clients import HOST, TOKEN

OURS = f"http://{HOST}"
PATHS = ["/", "/table/x", "/page/table.js", "/api/games", "/api/tables", "/api/tables/x/save"]


@pytest.fixture
def outside(client):
    """A client without authentication."""
    client.cookies.clear()
    del client.headers["origin"]
    return client


@pytest.mark.parametrize("path", PATHS)
def test_without_the_token_nothing_is_shown(outside, path):
    assert outside.get(path).status_code == 403
    assert outside.get(f"{path}?token=").status_code == 403
    assert outside.get(f"{path}?token={TOKEN[:-1]}").status_code == 403
    outside.cookies.set("rulekit-tests", "x")
    assert outside.get(path).status_code == 403


def test_the_token_signs_in_and_leaves_the_address(outside):
    answer = outside.get(f"/table/abc?token={TOKEN}&seat=red", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/table/abc?seat=red")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie
    assert outside.get("/api/games").status_code == 200


def test_an_address_with_two_slashes_leads_nowhere_else(outside):
    answer = outside.get(f"http://{HOST}//evil.example/?token={TOKEN}", follow_redirects=False)
    assert answer.headers["location"] == "/"


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:9", "localhost.evil.example:8000", ""]
)
def test_a_name_that_was_rebound_is_not_answered(client, host):
    assert client.get("/api/games", headers={"host": host}).status_code == 403
    with pytest.raises(WebSocketDisconnect):
        client.websocket_connect(
            f"ws://{HOST}/api/tables/x/wire",
            headers={"host": host, "cookie": f"rulekit-tests={TOKEN}"},
        ).__enter__()


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "http://127.0.0.1:9",
        f"https://{HOST}",
        f"{OURS}.evil.example",
    ],
)
def test_another_page_reaches_nothing_even_with_the_cookie(client, origin):
    for answer in (
        client.get("/api/tables", headers={"origin": origin}),
        client.post("/api/tables", json={}, headers={"origin": origin}),
        client.delete("/api/tables/x", headers={"origin": origin}),
    ):
        assert answer.status_code == 403
    with pytest.raises(WebSocketDisconnect):
        client.websocket_connect(
            f"ws://{HOST}/api/tables/x/wire",
            headers={"origin": origin, "cookie": f"rulekit-tests={TOKEN}"},
        ).__enter__()


def test_what_changes_something_must_say_where_it_comes_from(client):
    del client.headers["origin"]
    assert client.get("/api/tables").status_code == 200, "a page that is opened says no origin"
    assert client.post("/api/tables", json={"game": "skirmish"}).status_code == 403
    assert client.delete("/api/tables/x").status_code == 403


def test_a_socket_wants_the_cookie(client):
    client.cookies.clear()
    for headers in ({"origin": OURS}, {"origin": OURS, "cookie": "rulekit-tests=x"}):
        with pytest.raises(WebSocketDisconnect):
            client.websocket_connect(f"ws://{HOST}/api/tables/x/wire", headers=headers).__enter__()
    with pytest.raises(WebSocketDisconnect):
        client.websocket_connect(
            f"ws://{HOST}/api/tables/x/wire?token={TOKEN}", headers={"origin": OURS}
        ).__enter__()


def test_every_answer_forbids_what_a_page_of_ours_does_not_do(client):
    for answer in (
        client.get("/"),
        client.get("/api/games"),
        client.get("/page/table.js"),
        client.get("/nothing"),
    ):
        policy = answer.headers["content-security-policy"]
        assert (
            "default-src 'none'" in policy
            and "unsafe" not in policy
            and "frame-ancestors 'none'" in policy
        )
        assert (
            answer.headers["x-content-type-options"] == "nosniff"
            and answer.headers["referrer-policy"] == "no-referrer"
        )


@pytest.mark.parametrize(
    "path",
    [
        "/page/../wire.py",
        "/page/%2e%2e/wire.py",
        "/page/..%2fwire.py",
        "/page//etc/passwd",
        "/page/",
    ],
)
def test_only_the_files_of_the_page_are_given(client, path):
    assert client.get(path).status_code in (403, 404)


def test_the_token_is_kept_for_its_owner_only(tmp_path):
    token = token_beside(tmp_path / "tables.db")
    kept = tmp_path / "tables.db.token"
    assert len(token) == 32 and kept.stat().st_mode & 0o077 == 0
    assert token_beside(tmp_path / "tables.db") == token != token_beside(tmp_path / "others.db")
    kept.write_text("short\n")
    assert token_beside(tmp_path / "tables.db") not in (token, "short")
