"""Mail addresses: only one letter goes to an address before its link is opened. Letters are few,
and links are valid for a day."""

import re
import time

import pytest
from sqlalchemy import select, text

from rulekit.server.database_schema import ACCOUNTS, CONFIRMATIONS, NOTICES
from rulekit.server.online import accounts, mail_confirmation
from rulekit.server.online.endpoints import Ask
from rulekit.server.online.profile_endpoints import wishes as late_wishes
from rulekit.server.online.protocol import Wishes
from rulekit.server.online.rate_limits import RATES
from rulekit.server.storage import Store, _engine, file_address
from tests.server.online.test_notifications import Post, send
from tests.server.test_database_schema import carried
from tests.server.visitors import FREE, PASSWORD, serving_online


@pytest.fixture
def post():
    return Post()


@pytest.fixture
def mailing(address, post):
    """A server that sends letters, on each kind of database."""
    with serving_online(address, mailer=post) as made:
        made.client.portal.call(made.site.supervisor.end)  # the tests start the sending
        yield made


def links(post):
    return [
        re.search(r"http://table.test(/confirm/(\S+))", letter)[2] for _, _, letter in post.letters
    ]


def opens(online, link):
    """Open the link of a letter on another machine."""
    return online.somebody().post(f"/api/confirmations/{link}")


def mail_of(who):
    found = who.get("/api/me").json()
    return found["mail"], found["confirmed"]


def wishes(who, mail, **more):
    return who.put("/api/me", {"mail": mail, "lang": "en", **more})


def test_an_address_is_used_after_the_link_in_its_letter_was_opened(mailing, post):
    anna, bert = mailing.new("Anna"), mailing.new("Bert")
    told = wishes(bert, "bert@example.org").json()
    assert (told["mail"], told["confirmed"], told["letter"]) == ("bert@example.org", False, "sent")
    [(to, _, letter)] = post.letters
    assert to == "bert@example.org" and "Bert" not in letter, "no word of who gave it"
    id = mailing.game(anna, bert)
    anna.post(f"/api/tables/{id}/resign", {"side": "red"})
    send(mailing, post, 100)
    assert len(post.letters) == 1, "nothing else before"
    [link] = links(post)
    assert mailing.somebody().get(f"/api/confirmations/{link}").json() == {
        "name": "Bert",
        "mail": "bert@example.org",
    }
    assert mail_of(bert) == ("bert@example.org", False), "to look at it is not to confirm"
    assert opens(mailing, link).status_code == 204 and mail_of(bert) == ("bert@example.org", True)
    assert opens(mailing, link).status_code == 204, "twice is as good"
    id = mailing.game(anna, bert)
    anna.post(f"/api/tables/{id}/resign", {"side": "red"})
    send(mailing, post, 100)
    assert len(post.letters) == 2 and "game is over" in post.letters[1][1]


def test_nothing_is_queued_for_an_address_that_waits_and_what_was_queued_goes_to_no_other(
    mailing, post
):
    """Both are checked separately: when something happens, and when it is sent."""

    def queued():
        with mailing.site.store.reading() as db:
            return len(db.execute(select(NOTICES).where(NOTICES.c.due.is_not(None))).all())

    anna, bert = mailing.new("Anna"), mailing.new("Bert")
    wishes(bert, "bert@example.org")
    anna.post(f"/api/tables/{mailing.game(anna, bert)}/resign", {"side": "red"})
    assert queued() == 0
    opens(mailing, links(post)[0])
    anna.post(f"/api/tables/{mailing.game(anna, bert)}/resign", {"side": "red"})
    assert queued() == 1
    wishes(bert, "victim@example.org")
    send(mailing, post, 100)
    assert queued() == 0 and [to for to, *_ in post.letters] == [
        "bert@example.org",
        "victim@example.org",
    ], "to each the letter that asks"


def test_an_address_given_at_sign_up_waits_too(mailing, post):
    somebody = mailing.somebody()
    answer = somebody.post(
        "/api/accounts",
        {"name": "Zoe", "password": PASSWORD, "mail": "zoe@example.org", "lang": "fr"},
    )
    assert (
        answer.status_code == 201
        and answer.json()["letter"] == "sent"
        and mail_of(somebody) == ("zoe@example.org", False)
    )
    assert "adresse" in post.letters[0][1]
    assert opens(mailing, links(post)[0]).status_code == 204 and mail_of(somebody) == (
        "zoe@example.org",
        True,
    )


def test_a_guest_who_gets_an_account_confirms_what_he_gives(mailing, post):
    anna, guest = mailing.new("Anna"), mailing.somebody()
    guest.post(f"/api/invitations/{anna.invites(anna.opens(), 'blue')}", {"name": "Gwen"})
    wishes(guest, "gwen@example.org")
    assert opens(mailing, links(post)[0]).status_code == 204
    assert guest.post("/api/accounts", {"name": "Gwen", "password": PASSWORD}).status_code == 201
    assert mail_of(guest) == ("gwen@example.org", True), "what was confirmed stays so"
    other = mailing.somebody()
    other.post(f"/api/invitations/{anna.invites(anna.opens(), 'blue')}", {"name": "Hugo"})
    assert (
        other.post(
            "/api/accounts", {"name": "Hugo", "password": PASSWORD, "mail": "hugo@example.org"}
        ).status_code
        == 201
    )
    assert mail_of(other) == ("hugo@example.org", False) and len(post.letters) == 2


def test_another_address_is_asked_again_and_an_old_link_does_not_confirm_it(mailing, post):
    anna = mailing.new("Anna")
    wishes(anna, "anna@example.org")
    opens(mailing, links(post)[0])
    wishes(anna, "anna@example.org", hook="https://example.org/x")
    assert mail_of(anna) == ("anna@example.org", True) and len(post.letters) == 1, (
        "the same one is not asked again"
    )
    wishes(anna, "victim@example.org")
    assert mail_of(anna) == ("victim@example.org", False)
    assert opens(mailing, links(post)[0]).status_code == 404 and mail_of(anna) == (
        "victim@example.org",
        False,
    )
    wishes(anna, None)
    assert opens(mailing, links(post)[1]).status_code == 404 and mail_of(anna) == (None, False)


def test_a_request_that_comes_slowly_confirms_nothing(mailing, post):
    """Its person was read when the head arrived. Since then another address was entered and
    confirmed."""
    anna = mailing.new("Anna")
    wishes(anna, "victim@example.org")
    with mailing.site.store.reading() as db:
        stale = accounts.person_of(accounts.by_name(db, "Anna"))
    wishes(anna, "mine@example.org")
    opens(mailing, links(post)[1])
    assert mail_of(anna) == ("mine@example.org", True)
    ask = Ask(mailing.site, stale, {}, {}, Wishes(mail="victim@example.org"), "en", "", "")
    told = mailing.client.portal.call(late_wishes, ask)
    assert (told.mail, told.confirmed) == mail_of(anna) == ("victim@example.org", False)


def test_a_link_is_good_for_a_day_and_cannot_be_guessed(mailing, post, monkeypatch):
    anna = mailing.new("Anna")
    wishes(anna, "anna@example.org")
    [link] = links(post)
    assert len(link) >= 32
    with mailing.site.store.reading() as db:
        assert link not in repr(db.execute(select(CONFIRMATIONS)).all())
    for wrong in ("", "x", link[:-1], link.swapcase(), "x" * 300, "%00"):
        assert mailing.somebody().post(f"/api/confirmations/{wrong}").status_code == 404
    now = time.time
    monkeypatch.setattr(mail_confirmation.time, "time", lambda: now() + mail_confirmation.LASTS + 1)
    assert opens(mailing, link).status_code == 404
    monkeypatch.undo()
    assert mail_of(anna) == ("anna@example.org", False)


def test_guesses_are_limited(tmp_path, post):
    with serving_online(
        file_address(tmp_path / "x.db"), FREE | {"guess": (3, 60.0)}, mailer=post
    ) as online:
        assert [opens(online, f"guess{n}").status_code for n in range(5)] == [
            404,
            404,
            404,
            429,
            429,
        ]


# ------------------------------------------------- limits of the number of mails
def test_the_letters_of_one_account_are_few(mailing, post):
    anna = mailing.new("Anna")
    found = [wishes(anna, f"victim{n}@example.org").status_code for n in range(10)]
    assert found == [200] * mail_confirmation.LETTERS_OF_PERSON + [429] * (
        10 - mail_confirmation.LETTERS_OF_PERSON
    )
    assert len(post.letters) == mail_confirmation.LETTERS_OF_PERSON
    assert mail_of(anna) == (
        f"victim{mail_confirmation.LETTERS_OF_PERSON - 1}@example.org",
        False,
    ), "what was refused was not kept"
    assert wishes(anna, None).status_code == 200


def test_the_letters_to_one_address_are_few_whoever_sends_them(mailing, post):
    """This includes accounts that are deleted in between, and other forms of the same address."""
    addresses = [
        "victim@example.org",
        "Victim@example.org",
        "victim+1@example.org",
        "victim+2@EXAMPLE.org",
    ] * 2
    for n, address in enumerate(addresses):
        who = mailing.new(f"P{n}")
        wishes(who, address)
        who.ask("DELETE", "/api/me", {"password": PASSWORD})
    assert len(post.letters) == mail_confirmation.LETTERS_TO_BOX
    with mailing.site.store.reading() as db:
        assert db.execute(select(CONFIRMATIONS.c.person, CONFIRMATIONS.c.mail)).all() == [
            (None, None)
        ] * len(post.letters)


def test_the_letters_from_one_client_are_few(tmp_path, post):
    with serving_online(
        file_address(tmp_path / "x.db"), FREE | {"letter": (4, 86400.0)}, mailer=post
    ) as online:
        for n in range(8):
            wishes(online.new(f"P{n}"), f"victim{n}@example.org")
        assert len(post.letters) == 4
    assert RATES["letter"] == (10, 86400.0)


def test_the_letter_is_sent_again_when_somebody_asks_but_not_for_ever(mailing, post):
    anna = mailing.new("Anna")
    assert anna.post("/api/me/letter").status_code == 403, "there is no address"
    wishes(anna, "anna@example.org")
    found = [anna.post("/api/me/letter").status_code for _ in range(4)]
    assert (
        found
        == [204] * (mail_confirmation.LETTERS_TO_BOX - 1)
        + [429] * (5 - mail_confirmation.LETTERS_TO_BOX)
        and len(set(links(post))) == mail_confirmation.LETTERS_TO_BOX
    )
    assert opens(mailing, links(post)[0]).status_code == 204, "each is good"
    assert anna.post("/api/me/letter").status_code == 403, "it is confirmed"


def test_a_letter_that_could_not_be_sent_is_told_and_does_not_count(mailing, post):
    anna, post.broken = mailing.new("Anna"), True
    assert wishes(anna, "anna@example.org").json()["letter"] == "failed"
    for _ in range(5):
        answer = anna.post("/api/me/letter?lang=fr")
        assert answer.status_code == 503 and "courriel" in answer.json()["error"]
    post.broken = False
    assert anna.post("/api/me/letter").status_code == 204 and len(post.letters) == 1


def test_a_server_without_mail_keeps_addresses_and_sends_nothing(online):
    anna = online.new("Anna")
    told = wishes(anna, "anna@example.org").json()
    assert (told["mail"], told["confirmed"], told["letter"], told["letters"]) == (
        "anna@example.org",
        False,
        None,
        False,
    )
    assert anna.post("/api/me/letter").status_code == 403


# --------------------------------------------------------------- addresses of older databases
def test_addresses_of_an_older_database_are_not_confirmed_and_its_notices_are_told_once(
    address, post
):
    carried(address, "0006")
    engine = _engine(address)
    with engine.begin() as db:
        db.execute(
            text(
                "INSERT INTO people (id, name, key, password, mail, lang, admin, created, look)"
                " VALUES ('a', 'Anna', 'anna', 'x', 'anna@example.org', 'en', false, 1, 'anna')"
            )
        )
        db.execute(
            text("INSERT INTO tables VALUES ('t', 'skirmish', 'head', '{}', 1, 2, 0, 'red', NULL)")
        )
        for _ in range(28):
            db.execute(
                text(
                    "INSERT INTO notices (person, table_id, channel, what, made, tries, due) VALUES"
                    " ('a', 't', 'mail', 'takeback', 1, 0, 1)"
                )
            )
        db.execute(
            text(
                "INSERT INTO notices (person, table_id, channel, what, made, tries, due) VALUES"
                " ('a', 't', 'hook', 'over', 1, 0, 1)"
            )
        )
    engine.dispose()
    store = Store(address, upgrade=True)
    with store.reading() as db:
        assert sorted(row.what for row in db.execute(select(NOTICES))) == ["over", "takeback"]
        assert db.execute(select(ACCOUNTS.c.mail, ACCOUNTS.c.confirmed)).all() == [
            ("anna@example.org", None)
        ]
    store.close()
    with serving_online(address, mailer=post) as online:
        send(online, post, 10)
        assert post.letters == []


def test_what_is_kept_of_somebody_tells_whether_the_address_was_confirmed(mailing, post):
    anna = mailing.new("Anna")
    wishes(anna, "anna@example.org")
    assert anna.get("/api/me/export").json()["confirmed"] is False
    opens(mailing, links(post)[0])
    assert anna.get("/api/me/export").json()["confirmed"] is True
