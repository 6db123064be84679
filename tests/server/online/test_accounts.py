"""Accounts, authentication, and limits on guessing."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice

import argon2
import pytest
from sqlalchemy import update

from rulekit.server.database_schema import SESSIONS
from rulekit.server.online.accounts import SESSIONS_EACH, Passwords, by_name, sessions_of
from rulekit.server.online.rate_limits import Limits, TooOften, network
from rulekit.server.online.services import HASHING_EACH
from rulekit.server.storage import file_address
from tests.server.visitors import FREE, PASSWORD, serving_online


def test_an_account_is_made_and_a_session_begins_and_ends(everywhere):
    somebody = everywhere.somebody()
    assert somebody.get("/api/me").json()["name"] is None
    answer = somebody.post(
        "/api/accounts", {"name": "  Anna  Bel ", "password": PASSWORD, "lang": "fr"}
    )
    assert (
        answer.status_code == 201
        and answer.json()["name"] == "Anna Bel"
        and answer.json()["lang"] == "fr"
    )
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=lax" in cookie
    assert somebody.get("/api/me").json()["name"] == "Anna Bel"
    old = somebody.cookie
    assert somebody.delete("/api/session").status_code == 204
    somebody.cookie = old
    assert somebody.get("/api/me").json()["name"] is None, (
        "the session has ended, not only the cookie"
    )
    again = everywhere.somebody()
    assert again.post("/api/session", {"name": "ANNA bel", "password": PASSWORD}).status_code == 200
    assert again.get("/api/me").json()["name"] == "Anna Bel"


def test_a_session_ends_when_its_time_is_over(everywhere):
    anna = everywhere.new("Anna")
    for ends, name in ((60, "Anna"), (-1, None)):
        with everywhere.site.store.begin() as db:
            db.execute(update(SESSIONS).values(ends=time.time() + ends))
        assert anna.get("/api/me").json()["name"] == name
    other = everywhere.somebody()
    other.post("/api/session", {"name": "Anna", "password": PASSWORD})
    with everywhere.site.store.reading() as db:
        assert len(sessions_of(db, person(everywhere, "Anna"))) == 1, "what has ended is forgotten"


def test_neither_a_token_nor_a_password_is_in_the_database(online, anna, tmp_path):
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("tables.db*"))
    assert (
        PASSWORD.encode() not in kept
        and anna.cookie.split("=", 1)[1].encode() not in kept
        and b"$argon2id$" in kept
    )


@pytest.mark.parametrize(
    "name, password, why",
    [
        ("", PASSWORD, "length"),
        (" ", PASSWORD, "visible"),
        ("a\u202eb", PASSWORD, "visible"),
        ("x" * 41, PASSWORD, "visible"),
        ("a\nb\x07", PASSWORD, "visible"),
        ("Zoe", "short", "8 to"),
        ("Zoe", "password123", "too common"),
        ("Zoe Zoe Zoe", "zoe zoe zoe", "too common"),
        ("Zoe", "aaaaaaaaaaaa", "too common"),
        ("Zoe", "x" * 201, ""),
        ("Zoe\0", PASSWORD, "u0000"),
        ("ANNA", PASSWORD, "taken"),
        ("ａnna", PASSWORD, "taken"),
    ],
)
def test_a_name_or_a_password_that_cannot_be_is_refused_with_the_reason(
    online, anna, name, password, why
):
    answer = online.somebody().post("/api/accounts", {"name": name, "password": password})
    assert answer.status_code == 400 and why in answer.json()["error"]


def test_a_wrong_name_and_a_wrong_password_get_the_same_answer(online, anna):
    answers = [
        online.somebody().post("/api/session", {"name": name, "password": "not the password"})
        for name in ("Anna", "Nobody")
    ]
    assert {(a.status_code, a.text) for a in answers} == {(401, answers[0].text)}


def test_five_wrong_passwords_block_that_name_only(online, anna, bert):
    stranger = online.somebody()
    for _ in range(5):
        assert (
            stranger.post(
                "/api/session", {"name": "Anna", "password": "not the password"}
            ).status_code
            == 401
        )
    assert stranger.post("/api/session", {"name": "anna", "password": PASSWORD}).status_code == 429
    assert stranger.post("/api/session", {"name": "Bert", "password": PASSWORD}).status_code == 200


def test_another_name_is_kept_if_nobody_has_it(online, anna, bert):
    wishes = {"mail": None, "hook": None, "lang": "en"}
    assert (
        anna.put("/api/me", {**wishes, "name": "BERT"}).status_code == 400
        and anna.get("/api/me").json()["name"] == "Anna"
    )
    assert anna.put("/api/me", {**wishes, "name": " Anne "}).json()["name"] == "Anne"
    assert (
        online.somebody().post("/api/session", {"name": "anne", "password": PASSWORD}).status_code
        == 200
    )
    assert online.new("Anna").cookie, "the old one is free"


def test_who_asks_gets_all_that_is_kept_of_him_and_nobody_else_does(online, anna, bert):
    id = online.game(anna, bert)
    anna.post(f"/api/tables/{id}/chat", {"room": "players", "text": "mine"})
    bert.post(f"/api/tables/{id}/chat", {"room": "players", "text": "his"})
    bert.put(f"/api/tables/{id}/note", {"text": "a thought"})
    anna.put("/api/me", {"mail": "anna@example.org", "hook": None, "lang": "en"})
    told = anna.get("/api/me/export").json()
    assert (
        told["mail"] == "anna@example.org"
        and [text["text"] for text in told["texts"]] == ["mine"]
        and told["notes"] == []
    )
    assert [(table["id"], table["own"], table["sides"]) for table in told["tables"]] == [
        (id, True, ["red"])
    ]
    assert bert.get("/api/me/export").json()["notes"] == [{"table": id, "text": "a thought"}]
    assert online.somebody().get("/api/me/export").status_code == 401


def test_who_goes_is_forgotten_and_his_finished_games_stay(everywhere):
    anna, bert = everywhere.new("Anna"), everywhere.new("Bert")
    id, waits = everywhere.game(anna, bert), anna.opens()
    anna.post(f"/api/tables/{id}/chat", {"room": "players", "text": "goodbye"})
    anna.put(f"/api/tables/{id}/note", {"text": "a thought"})

    def goes(who, password):
        return who.ask("DELETE", "/api/me", {"password": password}).status_code

    assert goes(anna, "not the password") == 403 and goes(anna, PASSWORD) == 403, (
        "a game of hers goes on"
    )
    bert.post(f"/api/tables/{id}/resign", {"side": "blue"})
    assert goes(anna, PASSWORD) == 204 and anna.get("/api/me").json()["name"] is None
    seats = {seat["side"]: seat["who"] for seat in bert.table_status(id)["seats"]}
    assert (
        seats == {"red": "—", "blue": "Bert"}
        and bert.get(f"/api/tables/{id}").json()["owner"] == "—"
    )
    assert everywhere.site.store.row(waits) is None
    [text] = bert.get(f"/api/tables/{id}/chat").json()
    assert text["removed"] and text["who"] == "—"
    assert (
        everywhere.somebody()
        .post("/api/session", {"name": "Anna", "password": PASSWORD})
        .status_code
        == 401
    )
    assert everywhere.new("Anna").get("/api/tables").json() == []


def test_another_password_ends_all_other_sessions(online, anna):
    other = online.somebody()
    other.post("/api/session", {"name": "Anna", "password": PASSWORD})
    assert (
        anna.post(
            "/api/password", {"old": "wrong " + PASSWORD, "new": "another good word"}
        ).status_code
        == 403
    )
    assert (
        anna.post("/api/password", {"old": PASSWORD, "new": "another good word"}).status_code == 204
    )
    assert (
        anna.get("/api/me").json()["name"] == "Anna" and other.get("/api/me").json()["name"] is None
    )
    assert other.post("/api/session", {"name": "Anna", "password": PASSWORD}).status_code == 401
    assert (
        other.post("/api/session", {"name": "Anna", "password": "another good word"}).status_code
        == 200
    )


@pytest.mark.parametrize("how", ["out", "password"])
def test_a_session_that_ends_ends_its_pages_and_no_others(online, anna, bert, how):
    id = online.game(anna, bert)
    other = online.somebody()
    other.post("/api/session", {"name": "Anna", "password": PASSWORD})
    with (
        anna.looks(id, "red") as here,
        other.looks(id, "red") as there,
        bert.looks(id, "blue") as blue,
    ):
        if how == "out":
            assert other.delete("/api/session").status_code == 204
        else:
            assert (
                anna.post(
                    "/api/password", {"old": PASSWORD, "new": "another good word"}
                ).status_code
                == 204
            )
        there.until_told("closed")
        assert there.answer("take", at=0, keys=["march red.H1"])["type"] == "refused"
        if how == "out":
            assert here.take("march red.H1")["type"] == "taken"
        assert blue.answer("frame", choice=0)["type"] == "answer"


@pytest.mark.parametrize(
    "wish, good",
    [
        ({"mail": "anna@example.org", "hook": "https://example.org/x?y=1", "lang": "fr"}, True),
        ({"mail": "anna"}, False),
        ({"lang": "xx"}, True),
        ({"mail": "a@b.c\r\nBcc: x@y.z"}, False),
        ({"hook": "file:///etc/passwd"}, False),
        ({"hook": "https://a@b.example/"}, False),
        ({}, True),
    ],
)
def test_wishes_are_kept_or_refused(anna, wish, good):
    answer = anna.put("/api/me", wish)
    assert (answer.status_code == 200) is good
    if good:
        found = anna.get("/api/me").json()
        assert (found["mail"], found["hook"]) == (wish.get("mail"), wish.get("hook")) and found[
            "lang"
        ] in ("en", "fr")


def test_a_server_may_be_for_those_only_who_are_there(tmp_path):
    with serving_online(file_address(tmp_path / "x.db"), sign_up=False) as online:
        assert (
            online.somebody()
            .post("/api/accounts", {"name": "Anna", "password": PASSWORD})
            .status_code
            == 403
        )


# ----------------------------------------------------- security of requests
@pytest.mark.parametrize(
    "method, path",
    [
        ("POST", "/api/accounts"),
        ("POST", "/api/session"),
        ("DELETE", "/api/session"),
        ("PUT", "/api/me"),
        ("POST", "/api/tables"),
    ],
)
@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://table.test", "http://table.test.evil.example", None],
)
def test_another_page_changes_nothing(anna, method, path, origin):
    headers = {"cookie": anna.cookie, **({"origin": origin} if origin else {})}
    answer = anna.client.request(method, path, json={}, headers=headers)
    assert answer.status_code == 403 and anna.get("/api/me").json()["name"] == "Anna"


def test_another_page_opens_no_socket(online, anna, bert):
    from starlette.websockets import WebSocketDisconnect

    id = online.game(anna, bert)
    for headers in (
        {"cookie": anna.cookie, "origin": "http://evil.example"},
        {"cookie": anna.cookie},
    ):
        with pytest.raises(WebSocketDisconnect):
            anna.client.websocket_connect(
                f"ws://table.test/api/tables/{id}/wire", headers=headers
            ).__enter__()


def test_another_name_of_the_server_is_not_answered(anna):
    assert anna.get("/api/me", headers={"host": "evil.example"}).status_code == 421


def test_every_answer_forbids_what_a_page_of_ours_does_not_do(online, anna):
    for path in ("/", "/join/x", "/api/me", "/api/openapi.json", "/nothing", "/page/table.js"):
        policy = anna.get(path).headers["content-security-policy"]
        assert (
            "default-src 'none'" in policy
            and "unsafe" not in policy
            and "frame-ancestors 'none'" in policy
        )


def test_who_asks_too_often_is_told_when_to_come_again(tmp_path):
    with serving_online(file_address(tmp_path / "x.db"), {"ask": (5, 60.0)}) as online:
        codes = [online.somebody().get("/api/me").status_code for _ in range(7)]
        assert (
            codes == [200] * 5 + [429] * 2 and online.somebody().get("/healthz").status_code == 200
        )


def test_limits_count_what_was_done_lately():
    now = [0.0]
    limits = Limits({"write": (2, 10.0)}, lambda: now[0])
    limits.spend("write", "a")
    now[0] = 6.0
    limits.spend("write", "a")
    with pytest.raises(TooOften, match="4 s"):
        limits.spend("write", "a")
    limits.spend("write", "b")
    now[0] = 10.0
    limits.spend("write", "a")
    with pytest.raises(TooOften):
        limits.spend("write", "a")
    limits.give_back("write", "a")
    limits.spend("write", "a")


def test_what_was_counted_long_ago_makes_room_and_what_was_counted_of_another_sort_does_not(
    monkeypatch,
):
    monkeypatch.setattr("rulekit.server.online.rate_limits.MAX_COUNTED_PEOPLE", 10)
    now = [0.0]
    limits = Limits({"wrong": (1, 60.0), "ask": (1, 60.0)}, lambda: now[0])
    limits.spend("wrong", "a")
    for who in range(100):
        now[0] += 0.01
        limits.spend("ask", str(who))
    with pytest.raises(TooOften):
        limits.spend("wrong", "a")
    with pytest.raises(TooOften):
        limits.spend("ask", "99")


@pytest.mark.parametrize(
    "one, other, same",
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("::ffff:192.0.2.7", "::ffff:192.0.2.8", False),
        ("192.0.2.7", "192.0.2.8", False),
        ("", "testclient", False),
    ],
)
def test_an_address_counts_with_all_that_its_household_has(one, other, same):
    assert (network(one) == network(other)) is same


class Held(Passwords):
    """Passwords that are compared when a test says so."""

    def __init__(self):
        super().__init__(argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        self.go_on, self.tried = threading.Event(), []

    def fit(self, kept, password):
        self.tried.append(password)
        assert self.go_on.wait(60)
        return super().fit(kept, password)


def test_who_tries_many_passwords_at_once_tries_five_and_holds_up_nobody_who_plays(tmp_path):
    held = Held()
    held.go_on.set()
    with (
        serving_online(file_address(tmp_path / "x.db"), passwords=held) as online,
        ThreadPoolExecutor(40) as pool,
    ):
        anna, bert = online.new("Anna"), online.new("Bert")
        id = online.game(anna, bert)
        held.go_on.clear()

        def tries(n):
            return (
                online.somebody()
                .post("/api/session", {"name": "Bert", "password": f"wrong {n}"})
                .status_code
            )

        asked = [pool.submit(tries, n) for n in range(40)]
        refused = sum(each.result() == 429 for each in islice(as_completed(asked), 35))
        with anna.looks(id, "red") as red:
            assert red.take("march red.H1", "to ford", "stop")["plan"]["taken"] == 3, (
                "while all passwords wait"
            )
            assert red.answer("forecast", at=red.choice, keys=red.keys[:1])["type"] == "answer"
        held.go_on.set()
        codes = [each.result() for each in asked]
        assert refused == 35 and sorted(codes) == [401] * 5 + [429] * 35 and len(held.tried) == 5
        assert (
            tries(41) == 429
            and online.somebody()
            .post("/api/session", {"name": "Anna", "password": PASSWORD})
            .status_code
            == 200
        )


def test_a_password_that_is_right_is_not_counted(online, anna):
    for _ in range(40):
        assert (
            online.somebody()
            .post("/api/session", {"name": "Anna", "password": PASSWORD})
            .status_code
            == 200
        )
    with online.site.store.reading() as db:
        assert len(sessions_of(db, person(online, "Anna"))) == 41
    for _ in range(20):
        online.somebody().post("/api/session", {"name": "Anna", "password": PASSWORD})
    with online.site.store.reading() as db:
        assert len(sessions_of(db, person(online, "Anna"))) == SESSIONS_EACH, "the oldest end"
    assert anna.get("/api/me").json()["name"] is None


def person(online, name):
    with online.site.store.reading() as db:
        return by_name(db, name).id


def test_forms_that_make_no_account_use_up_none(tmp_path):
    rates = {**FREE, "account": (3, 3600.0), "try": (12, 3600.0)}
    with serving_online(file_address(tmp_path / "x.db"), rates) as online:
        anna = online.new("Anna")
        bad = [
            ("Anna", PASSWORD),
            ("Bert", "12345678"),
            ("\u3164", PASSWORD),
            ("Bert", "short"),
        ] * 2
        assert [
            online.somebody()
            .post("/api/accounts", {"name": name, "password": password})
            .status_code
            for name, password in bad
        ] == [400] * 8
        assert [
            online.somebody()
            .post("/api/accounts", {"name": f"New {n}", "password": PASSWORD})
            .status_code
            for n in range(4)
        ] == [201, 201, 429, 429]
        assert anna.get("/api/me").status_code == 200


def test_all_guests_of_one_address_are_admitted(tmp_path):
    """They come by an invitation, so the limit of the table counts instead of that of their
    address."""
    rates = {**FREE, "account": (1, 3600.0), "guest": (5, 3600.0), "guests": (40, 3600.0)}
    with serving_online(file_address(tmp_path / "x.db"), rates) as online:
        anna = online.new("Anna")
        codes = []
        for n in range(30):
            token = anna.invites(anna.opens(), "blue")
            codes.append(
                online.somebody()
                .post(f"/api/invitations/{token}", {"name": f"Guest {n}"})
                .status_code
            )
        assert codes == [200] * 30
        watch = anna.invites(anna.opens())
        assert [
            online.somebody().post(f"/api/invitations/{watch}", {"name": f"Looker {n}"}).status_code
            for n in range(7)
        ] == [200] * 5 + [429] * 2
        watch = anna.invites(anna.opens())
        assert [
            online.somebody().post(f"/api/invitations/{watch}", {"name": f"Other {n}"}).status_code
            for n in range(5)
        ] == [200] * 5
        watch = anna.invites(anna.opens())
        assert (
            online.somebody().post(f"/api/invitations/{watch}", {"name": "One more"}).status_code
            == 429
        ), "those of all her tables"


def test_too_many_passwords_that_wait_are_refused(tmp_path):
    held = Held()
    held.go_on.set()
    with (
        serving_online(file_address(tmp_path / "x.db"), passwords=held) as online,
        ThreadPoolExecutor(20) as pool,
    ):
        online.new("Anna")
        held.go_on.clear()
        asked = [
            pool.submit(
                lambda n: online.somebody().post(
                    "/api/session", {"name": f"N {n}", "password": "wrong wrong"}
                ),
                n,
            )
            for n in range(20)
        ]
        refused = [
            each.result().status_code for each in islice(as_completed(asked), 20 - HASHING_EACH)
        ]
        held.go_on.set()
        assert refused == [503] * len(refused) and sorted(
            each.result().status_code for each in asked
        ) == [401] * HASHING_EACH + [503] * len(refused)
