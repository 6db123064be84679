"""Endpoints for a person's profile: language, notifications, and the confirmation of their mail
address.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sqlalchemy import update

from rulekit.common.i18n.messages import _
from rulekit.server.broadcast import aside
from rulekit.server.database_schema import ACCOUNTS
from rulekit.server.online import accounts, mail_confirmation, notifications, seating
from rulekit.server.online.accounts import Person
from rulekit.server.online.endpoints import Ask
from rulekit.server.online.mail import tidy_mail
from rulekit.server.online.protocol import Confirming, GivenUp, Me
from rulekit.server.online.seating import NotAllowed, NotThere
from rulekit.server.online.web_hooks import tidy_hook


def profile_of(
    ask: Ask,
    who: Person | None,
    given_up: Sequence[GivenUp] = (),
    letter: Literal["sent", "failed"] | None = None,
) -> Me:
    """Return the profile of a person for themselves."""
    known = (
        Me()
        if who is None
        else Me(
            who.name, who.guest, who.admin, who.lang, who.mail, who.hook, confirmed=who.confirmed
        )
    )
    known.sign_up, known.letters = ask.site.sign_up, ask.site.mailer is not None
    known.given_up, known.letter = list(given_up), letter
    return known


def me(ask: Ask) -> Me:
    """Return your profile."""
    if ask.who is None:
        return profile_of(ask, None)
    with ask.site.store.reading() as db:
        return profile_of(ask, ask.who, notifications.given_up(db, ask.who.id))


async def wishes(ask: Ask) -> Me:
    """Change your notifications, language and name.

    A new mail address has to be confirmed by a letter first.
    """
    mail, hook = tidy_mail(ask.body.mail), tidy_hook(ask.body.hook)
    asks = wants_letter(ask, mail)
    with ask.site.limits.made(asks):
        who, link, given_up = await aside(_kept, ask, mail, hook, bool(asks))
    return profile_of(ask, who, given_up, await asked_for(ask, who, link))


def _kept(
    ask: Ask, mail: str | None, hook: str | None, asks: bool
) -> tuple[Person, str | None, list[GivenUp]]:
    who, lang = ask.person, accounts.tidy_lang(ask.body.lang)
    with ask.site.store.begin() as db:
        db.execute(
            update(ACCOUNTS)
            .where(ACCOUNTS.c.id == who.id)
            .values(hook=hook, lang=lang, **accounts.address_values(mail))
        )
        for channel, before, now in (("mail", who.mail, mail), ("hook", who.hook, hook)):
            if before != now:
                notifications.reachable_again(db, who.id, channel)
        if ask.body.name is not None and ask.body.name != who.name:
            who = accounts.rename(db, who, ask.body.name)
            for id in seating.tables_of(db, who.id) if who.guest else ():
                seating.ask_unlike(db, id, who.name, who.id)
        link = mail_confirmation.begin(db, who.id, mail) if asks and mail is not None else None
        return accounts.by_id(db, who.id), link, notifications.given_up(db, who.id)


# ---------------------------------------------------------------------- mail addresses
def wants_letter(ask: Ask, mail: str | None) -> list[tuple[str, str]]:
    """Return the rate limits that a letter to a new address spends. The list is empty if no letter
    is needed.
    """
    new = mail is not None and (ask.who is None or mail != ask.who.mail)
    return [("letter", ask.address)] if new and ask.site.mailer is not None else []


async def asked_for(ask: Ask, who: Person, link: str | None) -> Literal["sent", "failed"] | None:
    """Send the letter with a link, if there is one. A letter that could not be sent does not count
    for the limits.
    """
    if link is None or who.mail is None:
        return None
    try:
        await mail_confirmation.send(ask.site, who.mail, link, who.lang)
    except mail_confirmation.NotSent:
        await aside(_undone, ask, link)
        ask.site.limits.give_back("letter", ask.address)
        return "failed"
    return "sent"


def _undone(ask: Ask, link: str) -> None:
    with ask.site.store.begin() as db:
        mail_confirmation.undo(db, link)


async def letter(ask: Ask) -> None:
    """Send the confirmation letter again."""
    who = ask.person
    if ask.site.mailer is None:
        raise NotAllowed(_("this server does not send mail at the moment"))
    if who.mail is None or who.confirmed:
        raise NotAllowed(_("no address is waiting for confirmation"))
    with ask.site.limits.made([("letter", ask.address)]):
        link = await aside(_begun, ask, who.mail)
    if await asked_for(ask, who, link) == "failed":
        raise mail_confirmation.NotSent(_("the email could not be sent; try again later"))


def _begun(ask: Ask, mail: str) -> str:
    with ask.site.store.begin() as db:
        return mail_confirmation.begin(db, ask.person.id, mail)


def confirming(ask: Ask) -> Confirming:
    """Return the name and address that a link confirms."""
    with ask.site.limits.tried([("guess", ask.address)], NotThere), ask.site.store.reading() as db:
        row = mail_confirmation.asked(db, ask.path["token"])
        return Confirming(row.name, row.mail)


def confirmed(ask: Ask) -> None:
    """Confirm a mail address by the link of a letter.

    Everybody who has the letter may do this, signed in or not.
    """
    with ask.site.limits.tried([("guess", ask.address)], NotThere), ask.site.store.begin() as db:
        mail_confirmation.confirm(db, ask.path["token"])
