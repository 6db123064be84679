"""Notices: kept with what they tell of, sent once, tried again, dropped when they are not true any more."""

import time

import pytest
from sqlalchemy import select

from rulekit.base.errors import RulekitError
from rulekit.table.people import notices
from rulekit.table.people.mail import Mailer, mailer
from rulekit.table.schema import NOTICES


class Post:
    """A server of mail: what was sent; `broken`: it takes nothing."""

    def __init__(self):
        self.letters, self.broken = [], False

    def send(self, to, subject, text):
        if self.broken:
            raise ConnectionRefusedError
        self.letters.append((to, subject, text))


@pytest.fixture
def post():
    return Post()


def asked(people, anna, bert):
    """A game where blue, who wants mail, is asked."""
    bert.put("/api/me", {"mail": "bert@example.org", "lang": "fr"})
    id = people.game(anna, bert)
    with anna.looks(id, "red") as red:
        while red.keys:
            red.take(red.keys[-1])
    return id


def waiting(people):
    with people.site.store.reading() as db:
        return list(db.execute(select(NOTICES)))


def send(people, post, after):
    notices.send(people.site.store, people.site.public, post, time.time() + after)


def test_who_is_asked_gets_one_letter_in_his_language_after_a_while(everywhere, post):
    anna, bert = everywhere.new("Anna"), everywhere.new("Bert")
    id = asked(everywhere, anna, bert)
    send(everywhere, post, 0)
    assert post.letters == []
    for _ in range(2):
        send(everywhere, post, 61)
    [(to, subject, letter)] = post.letters
    assert to == "bert@example.org" and subject == "skirmish : c'est à vous" and f"http://table.test/table/{id}" in letter
    assert waiting(everywhere) == []


def test_who_has_answered_meanwhile_gets_none(people, anna, bert, post):
    id = asked(people, anna, bert)
    with bert.looks(id, "blue") as blue:
        while blue.keys:
            blue.take(blue.keys[-1])
    send(people, post, 61)
    assert post.letters == [] and waiting(people) == []


def test_what_cannot_be_sent_is_tried_again_and_given_up_at_last(people, anna, bert, post):
    asked(people, anna, bert)
    post.broken, after = True, 61.0
    for tries in range(1, len(notices.TRIES) + 1):
        send(people, post, after)
        [row] = waiting(people)
        assert row.tries == tries and row.trouble == "ConnectionRefusedError"
        send(people, post, after + 1)
        assert waiting(people)[0].tries == tries, "not before its time"
        after += notices.TRIES[tries - 1] + 1
    assert waiting(people)[0].due is None
    post.broken = False
    send(people, post, after * 2)
    assert post.letters == []


def test_a_hook_is_posted_to_and_its_failure_keeps_the_notice(people, anna, bert, monkeypatch):
    told = []
    monkeypatch.setattr(notices, "posted", lambda hook, what: told.append((hook, what)))
    bert.put("/api/me", {"hook": "https://example.org/x"})
    id = people.game(anna, bert)
    anna.post(f"/api/tables/{id}/resign", {"side": "red"})
    send(people, None, 1)
    [(hook, what)] = told
    assert hook == "https://example.org/x" and what["what"] == "over" and what["address"] == f"http://table.test/table/{id}"


@pytest.mark.parametrize("hook", ["http://127.0.0.1:9/", "http://[::1]/", "http://10.0.0.1/x", "http://192.168.1.1/", "http://169.254.169.254/latest", "http://0.0.0.0/"])
def test_a_hook_does_not_reach_into_the_servers_network(hook):
    with pytest.raises(RulekitError, match="open internet"):
        notices.posted(hook, {})


def test_the_address_of_the_mail_server_says_how():
    assert mailer("", "") is None
    assert mailer("smtp://me:p%40ss@mail.example.org", "a@b.org") == Mailer("mail.example.org", 587, "a@b.org", "me", "p@ss")
    assert mailer("smtps://mail.example.org", "a@b.org").at_once and "p@ss" not in repr(mailer("smtp://me:p%40ss@x.org", "a@b.org"))
    for address, sender in (("mail.example.org", "a@b.org"), ("smtp://x:99999", "a@b.org"), ("smtp://x.org", ""), ("http://x.org", "a@b.org")):
        with pytest.raises(RulekitError):
            mailer(address, sender)


def test_a_letter_goes_out_over_smtp():
    import socket
    import threading

    heard = []
    listening = socket.create_server(("127.0.0.1", 0))

    def serve():
        connection, _ = listening.accept()
        with connection, connection.makefile("rw", newline="\r\n") as line:
            def say(text):
                line.write(text + "\r\n")
                line.flush()
            say("220 here")
            data = False
            for each in line:
                heard.append(each.strip())
                if data:
                    if each.strip() == ".":
                        data = False
                        say("250 taken")
                elif each.upper().startswith("DATA"):
                    data = True
                    say("354 go on")
                elif each.upper().startswith("QUIT"):
                    say("221 bye")
                    return
                else:
                    say("250 yes")

    thread = threading.Thread(target=serve)
    thread.start()
    Mailer("127.0.0.1", listening.getsockname()[1], "table@example.org").send("bert@example.org", "C'est à vous", "http://table.test/x")
    thread.join(10)
    listening.close()
    assert "To: bert@example.org" in heard and "http://table.test/x" in heard and any(each.startswith("Subject:") for each in heard)
