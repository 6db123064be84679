"""A request that creates something and arrives twice with one key is executed once, with the same
answers."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import func, select, update

from rulekit.server.database_schema import ACCOUNTS, HOSTED, INVITATIONS, MESSAGES, OFFERS, REPEATS
from rulekit.server.online.api import ENDPOINTS
from rulekit.server.online.idempotency import LASTS
from tests.server.visitors import PASSWORD, Visitor

KEY = "a-key-that-is-new-0001"


def keyed(who, path, json, key=KEY, method="POST"):
    return who.ask(method, path, json, headers={"idempotency-key": key})


def count(online, table):
    with online.site.store.reading() as db:
        return db.execute(select(func.count()).select_from(table)).scalar_one()


def wishes(online, anna, bert):
    """Return the creating requests: person, path, body, and the table that grows."""
    id = online.game(anna, bert)
    with anna.looks(id, "red") as red:
        red.take("march red.H1", "to ford", "stop")
    return {
        "table": (anna, "/api/tables", {"game": "skirmish", "mine": ["red"]}, HOSTED),
        "invitation": (anna, f"/api/tables/{id}/invitations", {"side": None}, INVITATIONS),
        "text": (anna, f"/api/tables/{id}/chat", {"room": "players", "text": "once"}, MESSAGES),
        "offer": (
            bert,
            f"/api/tables/{id}/offers",
            {"side": "blue", "kind": "takeback", "choice": 1},
            OFFERS,
        ),
        "account": (
            online.somebody(),
            "/api/accounts",
            {"name": "Dora", "password": PASSWORD},
            ACCOUNTS,
        ),
        "guest": (
            online.somebody(),
            f"/api/invitations/{anna.invites(id)}",
            {"name": "Gwen"},
            ACCOUNTS,
        ),
    }


WISHES = ["table", "invitation", "text", "offer", "account", "guest"]


@pytest.mark.parametrize("wish", WISHES)
def test_who_asks_twice_gets_one_answer_and_one_thing(everywhere, wish):
    who, path, json, table = wishes(everywhere, everywhere.new("Anna"), everywhere.new("Bert"))[
        wish
    ]
    before = count(everywhere, table)
    first, second = keyed(who, path, json), keyed(who, path, json)
    assert first.status_code == second.status_code < 300, second.text
    assert first.content == second.content and count(everywhere, table) == before + 1
    if wish in ("table", "invitation", "text"):
        third = keyed(who, path, json, "another-key-of-a-wish")
        assert third.status_code < 300 and count(everywhere, table) == before + 2
        assert who.post(path, json).status_code < 300 and count(everywhere, table) == before + 3, (
            "without a key each counts"
        )


@pytest.mark.parametrize("wish", WISHES)
def test_two_that_come_at_the_same_moment_make_one_thing(everywhere, wish):
    who, path, json, table = wishes(everywhere, everywhere.new("Anna"), everywhere.new("Bert"))[
        wish
    ]
    before, together = count(everywhere, table), Barrier(2)

    def asks(_):
        again = Visitor(everywhere.client)
        again.cookie = who.cookie
        together.wait()
        return keyed(again, path, json)

    with ThreadPoolExecutor(2) as both:
        first, second = both.map(asks, range(2))
    assert first.status_code == second.status_code < 300, (first.text, second.text)
    assert first.content == second.content and count(everywhere, table) == before + 1


@pytest.mark.parametrize("wish", ["account", "guest"])
def test_who_did_not_hear_that_he_has_come_is_signed_in_by_the_second_answer(
    online, anna, bert, wish
):
    who, path, json, _ = wishes(online, anna, bert)[wish]
    keyed(who, path, json)
    other = online.somebody()
    assert (
        keyed(other, path, json).status_code < 300
        and other.get("/api/me").json()["name"] == json["name"]
    )
    stranger = online.somebody()
    assert keyed(stranger, path, json, "a-key-that-he-guesses").status_code >= 400


def test_one_key_is_of_one_person_and_one_wish(online, anna, bert):
    id = online.game(anna, bert)
    path = f"/api/tables/{id}/chat"
    for who, text in ((anna, "one"), (bert, "two")):
        assert keyed(who, path, {"room": "players", "text": text}).json()["text"] == text
    found = keyed(anna, path, {"room": "players", "text": "other"})
    assert found.status_code == 422 and "another request" in found.json()["error"]
    assert keyed(anna, f"/api/tables/{id}/invitations", {"side": None}).status_code == 201, (
        "elsewhere it is another one"
    )


@pytest.mark.parametrize("key", ["", "short", "x" * 65, "a key with blanks in it", "é" * 20])
def test_what_is_no_key_is_refused(online, anna, key):
    assert (
        keyed(
            anna, "/api/tables", {"game": "skirmish", "mine": ["red"]}, key.encode("latin-1")
        ).status_code
        == 400
    )
    assert count(online, HOSTED) == 0


def test_what_was_refused_can_be_asked_again_and_a_key_is_forgotten_after_a_day(online, anna):
    wish = {"game": "skirmish", "mine": ["red"]}
    assert keyed(anna, "/api/tables", wish | {"mine": ["green"]}).status_code == 400
    first = keyed(anna, "/api/tables", wish).json()
    with online.site.store.begin() as db:
        db.execute(update(REPEATS).values(made=REPEATS.c.made - LASTS))
    assert keyed(anna, "/api/tables", wish).json() != first and count(online, REPEATS) == 1


def test_neither_texts_nor_secrets_are_kept_again(online, anna, bert):
    id = online.game(anna, bert)
    keyed(anna, f"/api/tables/{id}/chat", {"room": "players", "text": "between us"})
    address = keyed(anna, f"/api/tables/{id}/invitations", {"side": None}, KEY + "x").json()[
        "address"
    ]
    with online.site.store.reading() as db:
        kept = str(db.execute(select(REPEATS)).all())
    assert "between us" not in kept and address.rsplit("/", 1)[1] not in kept and KEY not in kept


def test_an_agreement_that_is_answered_twice_takes_back_once(online, anna, bert):
    who, path, json, _ = wishes(online, anna, bert)["offer"]
    who.post(path, json)
    id = path.split("/")[3]
    [offer] = anna.table_status(id)["offers"]
    for _ in range(2):
        assert (
            keyed(anna, f"{path}/{offer['id']}", {"side": "red", "accept": True}).status_code == 204
        )
    assert online.site.store.row(id).choices == 1


def test_all_that_makes_something_can_have_a_key():
    """This covers all POST requests except those that are harmless or refused when repeated."""
    harmless = {
        "/api/me/letter",
        "/api/confirmations/{token}",
        "/api/session",
        "/api/password",
        "/api/tables/{id}/seats/{side}",
        "/api/tables/{id}/resign",
        "/api/tables/{id}/claim",
        "/api/tables/{id}/rules",
    }
    assert {
        each.path for each in ENDPOINTS if each.method == "POST" and each.again is None
    } <= harmless
