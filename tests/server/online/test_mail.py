"""Letters go to one address each, as accepted. A mail server that does not answer is given up."""

import asyncio
import random
from email import message_from_string, policy

import pytest

from rulekit.common.errors import RulekitError
from rulekit.server.online import mail
from rulekit.server.online.mail import Mailer, mailer, tidy_mail
from tests.server.online.sinks import mail_sink

SENDER = "table@example.org"


@pytest.mark.parametrize(
    "address, kept",
    [
        ("bert@example.org", "bert@example.org"),
        ("Bert.O'Hara+x@Example.ORG", "Bert.O'Hara+x@example.org"),
        ("b@bücher.example", "b@xn--bcher-kva.example"),
        ("", None),
        (None, None),
    ],
)
def test_one_address_of_mail_is_kept(address, kept):
    assert tidy_mail(address) == kept


@pytest.mark.parametrize(
    "address",
    [
        "bert",
        "bert@",
        "@example.org",
        ".:@example.org",
        "a:victim@example.org",
        "a:b@example.org;",
        "x:victim@example.org;",
        "Bert <b@example.org>",
        "<b@example.org>",
        "b@example.org (c)",
        "(c)b@example.org",
        '"a b"@example.org',
        '"a:b"@example.org',
        "b@[127.0.0.1]",
        "b@localhost",
        "a@example.org,b@example.org",
        "a@example.org b@example.org",
        "a@example.org;b@example.org",
        "a@b@example.org",
        "a..b@example.org",
        ".a@example.org",
        "a.@example.org",
        "b@example..org",
        "b@-x.org",
        "b@example.org\r\nBcc: x@y.org",
        "b@example.org\n",
        " b@example.org",
        "b\x00@example.org",
        "é@example.org",
        "b\u202e@example.org",
        "a" * 65 + "@example.org",
        "a@" + "b" * 64 + ".org",
        "=?utf-8?q?a?=@example.org ",
    ],
)
def test_what_is_not_one_address_of_mail_is_refused(address):
    with pytest.raises(RulekitError, match="not an email address"):
        tidy_mail(address)


def drawn_addresses(many, seed):
    """Return a number of random accepted addresses with parts on which parsers disagree."""
    draw, found = random.Random(seed), []
    parts = "abz09AZ-_.+'!#$%&*/=?^`{|}~:;,<>()[]\\\" @é\u202e\x00\r\n\t"
    while len(found) < many:
        local = "".join(
            draw.choices(parts, weights=[3] * 24 + [0.2] * (len(parts) - 24), k=draw.randint(1, 20))
        )
        domain = draw.choice(
            [
                "example.org",
                "a.b",
                "EXAMPLE.org",
                "bücher.example",
                "x-y.org",
                "a_b.org",
                "1.2.3.4",
                "[1.2.3.4]",
                "localhost",
                "a..b",
                "org.",
                "xn--a.org",
            ]
        )
        try:
            kept = tidy_mail(f"{local}@{domain}")
        except RulekitError:
            continue
        found.append(kept)
    return found


def test_a_thousand_accepted_addresses_get_each_its_letter_and_nobody_else_does():
    accepted = drawn_addresses(1000, 425)
    assert len(set(accepted)) > 500

    async def all_of_them():
        async with mail_sink() as sink:
            sends = Mailer("127.0.0.1", sink.port, SENDER)
            for address in accepted:
                await sends.send(address, "C'est à vous", "http://table.test/x")
                to, text = sink.letters[-1]
                assert to == [f"<{address}>"]
                [found] = message_from_string(text, policy=policy.SMTP)["to"].addresses
                assert found.addr_spec == address
            assert len(sink.letters) == len(accepted)

    asyncio.run(all_of_them())


def test_the_address_of_the_mail_server_says_how():
    assert mailer("", "") is None
    assert mailer("smtp://me:p%40ss@mail.example.org", "a@b.org") == Mailer(
        "mail.example.org", 587, "a@b.org", "me", "p@ss"
    )
    assert mailer("smtps://mail.example.org", "Table <a@b.org>").at_once and "p@ss" not in repr(
        mailer("smtp://me:p%40ss@x.org", "a@b.org")
    )
    for address, sender in (
        ("mail.example.org", "a@b.org"),
        ("smtp://x:99999", "a@b.org"),
        ("smtp://x.org", ""),
        ("http://x.org", "a@b.org"),
        ("smtp://x.org", "a@b.org\r\nX: y"),
        ("smtp://x.org", "@b.org"),
        ("smtp://x.org", "a@"),
    ):
        with pytest.raises(RulekitError):
            mailer(address, sender)


def test_a_letter_goes_out_over_smtp():
    async def go():
        async with mail_sink() as sink:
            await Mailer("127.0.0.1", sink.port, "The table <table@example.org>").send(
                "bert@example.org", "C'est à vous", "http://table.test/x"
            )
            [(to, text)] = sink.letters
            letter = message_from_string(text, policy=policy.SMTP)
            assert (
                to == ["<bert@example.org>"]
                and letter["subject"] == "C'est à vous"
                and letter.get_content().strip() == "http://table.test/x"
            )
            assert (
                letter["from"] == "The table <table@example.org>"
                and letter["auto-submitted"] == "auto-generated"
            )

    asyncio.run(go())


@pytest.mark.parametrize("how", [{"silent": True}, {"drips": True}])
def test_a_server_of_mail_that_does_not_come_to_an_end_is_given_up_and_its_connection_closed(
    monkeypatch, how
):
    """This includes one that sends a character now and then, so that no single read takes long."""
    monkeypatch.setattr(mail, "DEADLINE", 0.3)

    async def go():
        async with mail_sink(**how) as sink:
            with pytest.raises(OSError):
                await Mailer("127.0.0.1", sink.port, SENDER).send("bert@example.org", "x", "y")
            while sink.open:
                await asyncio.sleep(0)

    asyncio.run(go())


def test_a_server_of_mail_that_is_not_there_is_told():
    async def go():
        async with mail_sink() as sink:
            port = sink.port
        with pytest.raises(OSError):
            await Mailer("127.0.0.1", port, SENDER).send("bert@example.org", "x", "y")

    asyncio.run(go())
