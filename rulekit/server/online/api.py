"""The endpoints of the server for many people. See docs/serve.md, "The API"."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, update

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.server.broadcast import aside
from rulekit.server.database_schema import ACCOUNTS, HOSTED
from rulekit.server.online import (
    accounts,
    chat,
    display_names,
    mail_confirmation,
    personal_data,
    protocol,
    seating,
    table_actions,
)
from rulekit.server.online.access import table_status
from rulekit.server.online.endpoints import Ask, Endpoint, EndpointAnswer
from rulekit.server.online.lobby import deal_at, invitation_of, lobby, new_table, rematch
from rulekit.server.online.mail import tidy_mail
from rulekit.server.online.profile_endpoints import (
    asked_for,
    confirmed,
    confirming,
    letter,
    me,
    profile_of,
    wants_letter,
    wishes,
)
from rulekit.server.online.protocol import Me, TextBody
from rulekit.server.online.rule_upgrade import moved
from rulekit.server.online.seating import NotAllowed
from rulekit.server.online.services import OF_PERSON
from rulekit.server.protocol import json_of
from rulekit.server.storage import remove

MAX_SINCE_DIGITS = 8  # of the number of a chat message


# ---------------------------------------------------------------------- people
async def sign_up(ask: Ask) -> EndpointAnswer:
    """Create an account. A guest who is signed in keeps their seats."""
    site, body = ask.site, ask.body
    if not site.sign_up and not (ask.who and ask.who.guest):
        raise NotAllowed(_("you cannot create an account here yourself"))
    if ask.who is not None and not ask.who.guest:
        raise NotAllowed(_("sign out first"))
    site.limits.spend("try", ask.address)
    accounts.ask_strong(body.password, display_names.tidy_name(body.name))
    await aside(_ask_free, ask)
    mail = tidy_mail(body.mail)
    asks = wants_letter(ask, mail)
    with site.limits.made([("account", ask.address), *asks]):
        hashed = await site.hashing.do(ask.address, site.passwords.made, body.password, body.name)
        person, token, link = await aside(_signed_up, ask, hashed, mail if asks else None)
    return EndpointAnswer(
        profile_of(ask, person, letter=await asked_for(ask, person, link)), 201, token
    )


def _signed_up_before(ask: Ask, came: str) -> EndpointAnswer:
    with ask.site.store.begin() as db:
        person = accounts.by_id(db, came)
        token = accounts.begin_session(db, person.id)
    return EndpointAnswer(profile_of(ask, person), 201, token)


def _ask_free(ask: Ask) -> None:
    """Check the name before the expensive hash is computed."""
    with ask.site.store.begin() as db:
        accounts.ask_free(db, display_names.tidy_name(ask.body.name), ask.who.id if ask.who else "")


def _signed_up(ask: Ask, hashed: str, asks: str | None) -> tuple[accounts.Person, str, str | None]:
    body = ask.body
    with ask.site.store.begin() as db:
        if ask.who is not None:
            accounts.settle(db, ask.who, body.name, hashed, body.mail)
            accounts.end_sessions(db, ask.who.id)
            person = accounts.by_id(db, ask.who.id)
        else:
            person = accounts.enter(db, body.name, hashed, body.lang or ask.lang, body.mail)
        ask.made(db, person.id)
        return (
            person,
            accounts.begin_session(db, person.id),
            mail_confirmation.begin(db, person.id, asks) if asks is not None else None,
        )


async def sign_in(ask: Ask) -> EndpointAnswer:
    """Begin a session.

    The answer is the same for a wrong name and a wrong password.
    """
    site, body = ask.site, ask.body
    key = f"{display_names.compared(body.name)} {ask.address}"
    with site.limits.tried([("wrong", key), ("guess", ask.address)], accounts.WrongPassword):
        row = await aside(_account, ask, body.name)
        if not await site.hashing.do(
            ask.address, site.passwords.fit, row.password if row else None, body.password
        ):
            raise accounts.WrongPassword(_("the name or the password is wrong"))
    token = await aside(_session, ask, row.id)
    return EndpointAnswer(profile_of(ask, accounts.person_of(row)), 200, token)


def _account(ask: Ask, name: str) -> Any:
    with ask.site.store.reading() as db:
        return accounts.by_name(db, name)


def _session(ask: Ask, person: str) -> str:
    with ask.site.store.begin() as db:
        return accounts.begin_session(db, person)


def sign_out(ask: Ask) -> EndpointAnswer:
    """End the session."""
    with ask.site.bus.changing(OF_PERSON, ask.who.id if ask.who else "") as db:
        accounts.end_session(db, ask.token)
    return EndpointAnswer(None, 204, "")


async def new_password(ask: Ask) -> EndpointAnswer:
    """Change the password. All other sessions end."""
    site, who = ask.site, ask.person
    accounts.ask_strong(ask.body.new, who.name)
    await _ask_password(ask, ask.body.old)
    hashed = await site.hashing.do(ask.address, site.passwords.made, ask.body.new, who.name)

    def changed() -> str:
        with site.bus.changing(OF_PERSON, who.id) as db:
            db.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == who.id).values(password=hashed))
            accounts.end_sessions(db, who.id)
            return accounts.begin_session(db, who.id)

    return EndpointAnswer(None, 204, await aside(changed))


def export(ask: Ask) -> EndpointAnswer:
    """Download all data that the server stores about you."""
    with ask.site.store.reading() as db:
        text = json_of(personal_data.collect(db, ask.person)).decode()
    return EndpointAnswer(text=text, name="rulekit.json")


async def forget(ask: Ask) -> EndpointAnswer:
    """Delete your account: name, addresses, messages, notes, and your tables where play has not
    begun.

    Finished games remain, without your name.
    """
    if not ask.person.guest:
        await _ask_password(ask, ask.body.password or "")
    await aside(_forgotten, ask)
    return EndpointAnswer(None, 204, "")


def _forgotten(ask: Ask) -> None:
    site, who = ask.site, ask.person
    with site.bus.changing(OF_PERSON, who.id) as db:
        gone = personal_data.forget(db, who)
        for id in gone:
            site.bus.within(db, id)
    for id in gone:
        site.bus.here(id)


async def _ask_password(ask: Ask, password: str) -> None:
    """Raise `NotAllowed` if the password is wrong. Each wrong one counts for the limit `wrong`."""
    site, who = ask.site, ask.person
    with site.limits.tried([("wrong", who.id)], NotAllowed):
        row = None if who.guest else await aside(_account, ask, who.name)
        if not await site.hashing.do(
            ask.address, site.passwords.fit, row.password if row else None, password
        ):
            raise NotAllowed(_("the name or the password is wrong"))


# ---------------------------------------------------------------------- tables
def games(ask: Ask) -> Any:
    """List the games that can be played."""
    return ask.site.library.playable(ask.lang)


def tables(ask: Ask) -> Any:
    """List tables. `which` is `mine`, `open` (a seat is free) or `public`."""
    which = ask.query.get("which", "mine")
    if which not in ("mine", "open", "public"):
        raise RulekitError(
            _("{text} is not a list of tables: write mine, open or public", text=repr(which[:20]))
        )
    return lobby(ask, which)


def open_table(ask: Ask) -> Any:
    """Open a table with a new game, or with one that continues from a save."""
    return new_table(ask)


def _opened_before(ask: Ask, came: str) -> protocol.Opened:
    return protocol.Opened(came)


def table(ask: Ask) -> Any:
    """Return the online data of a table: seats, clock, offers, and your rights."""
    with ask.site.store.reading() as db:
        found = seating.load(db, ask.path["id"])
    if not found.knows(ask.who):
        raise seating.no_table(ask.path["id"])
    return table_status(found, ask.who)


def save(ask: Ask) -> EndpointAnswer:
    """Download the save of a game that has ended.

    A running game has hidden information that the save would reveal.
    """
    with ask.site.store.reading() as db:
        found = seating.seen(db, ask.path["id"], ask.who)
    if found.ended is None:
        raise NotAllowed(_("the game is not over"))
    row = ask.site.store.row(found.id)
    assert row is not None
    text = row.header + "".join(text for _, text in ask.site.store.lines(found.id))
    return EndpointAnswer(text=text, media="application/x-ndjson", name=f"{found.id}.save")


def close(ask: Ask) -> None:
    """Remove a table before play has begun.

    Its owner may do this. An administrator may remove any table.
    """
    with ask.site.bus.changing(ask.path["id"]) as db:
        found, who = table_actions.held(db, ask.path["id"]), ask.person
        if not found.knows(who):
            raise seating.no_table(found.id)
        if not (who.admin or (who.id == found.owner and found.begun is None)):
            raise NotAllowed(
                _("the game has begun")
                if who.id == found.owner
                else _("only the person who opened the table may do this")
            )
        remove(db, found.id)


def access(ask: Ask) -> None:
    """Set who may find and see a table."""
    with ask.site.bus.changing(ask.path["id"]) as db:
        found = seating.seen(db, ask.path["id"], ask.who)
        if ask.person.id != found.owner:
            raise NotAllowed(_("only the person who opened the table may do this"))
        db.execute(
            update(HOSTED).where(HOSTED.c.table_id == found.id).values(access=ask.body.access)
        )


# ---------------------------------------------------------------------- seats
def sit(ask: Ask) -> None:
    """Take an open seat of a table that is offered, or of your own."""
    deal = deal_at(ask.site, ask.path["id"])
    with ask.site.bus.changing(ask.path["id"]) as db:
        found = table_actions.held(db, ask.path["id"])
        if not found.knows(ask.who):
            raise seating.no_table(found.id)
        if found.access == "private" and ask.person.id != found.owner:
            raise NotAllowed(_("the seat {side} is not open", side=repr(ask.path["side"][:40])))
        seating.sit(db, found.id, ask.path["side"], ask.person, deal)


def leave(ask: Ask) -> None:
    """Give up a seat before play has begun. Until then the owner may also remove a player."""
    with ask.site.bus.changing(ask.path["id"]) as db:
        found = table_actions.held(db, ask.path["id"])
        if not found.looks(ask.who):
            raise seating.no_table(found.id)
        seating.leave(db, found, ask.path["side"], ask.person)


def invite(ask: Ask) -> Any:
    """Create an invitation link: to a side, for one use, or to watch."""
    with ask.site.store.begin() as db:
        found = seating.seen(db, ask.path["id"], ask.who)
        token, ends = seating.invite(
            db, found, ask.body.side, ask.person, ask.key.token if ask.key else None
        )
        ask.made(db, ends)
    return _invitation(ask, token, ends)


def _invitation(ask: Ask, token: str, ends: float) -> protocol.Invitation:
    return protocol.Invitation(f"{ask.site.public}/join/{token}", ask.body.side, ends)


def _invited_before(ask: Ask, came: str) -> protocol.Invitation:
    assert ask.key is not None
    return _invitation(ask, ask.key.token, float(came))


def invitation(ask: Ask) -> Any:
    """Return the table and side of an invitation."""
    return invitation_of(ask)


def come(ask: Ask) -> EndpointAnswer:
    """Accept an invitation. A visitor who is not signed in becomes a guest."""
    site, token, who = ask.site, None, ask.who
    with site.limits.tried([("guess", ask.address)], seating.NotThere):
        with site.store.reading() as db:
            id = seating.invited(db, ask.path["token"]).table_id
        deal = deal_at(site, id)
        with site.store.begin() as db:
            row = seating.invited(db, ask.path["token"])
            if who is None:
                with site.limits.made(
                    [("guest", row.digest), ("guests", seating.load(db, row.table_id).owner)]
                ):
                    who, token = _guest(ask, db, row.table_id)
            seating.come(db, row, who, deal)
            ask.made(db, f"{row.table_id} {who.id if token else ''}")
            site.bus.within(db, row.table_id)
    site.bus.here(row.table_id)
    return EndpointAnswer(protocol.Opened(row.table_id), 200, token)


def _came_before(ask: Ask, came: str) -> EndpointAnswer:
    """Answer a repeated request. Somebody who became a guest by the first one is signed in again,
    because their browser may not have received the answer.
    """
    id, person = came.split(" ")
    if not person:
        return EndpointAnswer(protocol.Opened(id))
    with ask.site.store.begin() as db:
        return EndpointAnswer(protocol.Opened(id), 200, accounts.begin_session(db, person))


def _guest(ask: Ask, db: Connection, table: str) -> tuple[accounts.Person, str]:
    """Create a guest and a session. No account, and nobody at the table, may have the same name."""
    if not ask.body.name:
        raise RulekitError(_("a name has 1 to 40 visible characters"))
    who = accounts.enter(db, ask.body.name, None, ask.body.lang or ask.lang)
    seating.ask_unlike(db, table, who.name, who.id)
    return who, accounts.begin_session(db, who.id)


# ---------------------------------------------------------------------- offers, chat, upgrades
def resign(ask: Ask) -> None:
    """Resign with a side."""
    with ask.site.bus.changing(ask.path["id"]) as db:
        seating.seen(db, ask.path["id"], ask.who)
        table_actions.resign(db, ask.path["id"], ask.person, ask.body.side)


def claim(ask: Ask) -> None:
    """Claim a game whose other side has abandoned it or has no time left."""
    with ask.site.bus.changing(ask.path["id"]) as db:
        seating.seen(db, ask.path["id"], ask.who)
        table_actions.claim(db, ask.path["id"], ask.person, ask.body.side)


def offer(ask: Ask) -> None:
    """Offer to take back choices, or a rematch. The other players have to agree, if there are
    any.
    """
    with ask.site.bus.changing(ask.path["id"]) as db:
        seating.seen(db, ask.path["id"], ask.who)
        alone = table_actions.offer(
            db, ask.path["id"], ask.person, ask.body.side, ask.body.kind, ask.body.choice
        )
        if not alone:
            ask.made(db)
    if alone:
        rematch(ask)


async def reply(ask: Ask) -> None:
    """Answer an offer, or withdraw your own."""
    offer = await aside(_replied, ask)
    if offer is not None and offer.kind == "takeback":
        await ask.site.hub.take_back(
            ask.path["id"], offer.choice, offer.side, lambda db: _agreed(ask, db, offer.id)
        )
    elif offer is not None:
        await aside(rematch, ask)


def _replied(ask: Ask) -> Any:
    with ask.site.bus.changing(ask.path["id"]) as db:
        seating.seen(db, ask.path["id"], ask.who)
        offer = table_actions.reply(
            db, ask.path["id"], ask.person, ask.body.side, int(ask.path["n"]), ask.body.accept
        )
        if offer is None:
            ask.made(db)
        return offer


def _agreed(ask: Ask, db: Connection, number: int) -> None:
    table_actions.settle(db, number, "accepted")
    ask.made(db)


def _done_before(ask: Ask, came: str) -> None:
    """Answer a repeated request of which nothing is reported."""


def texts(ask: Ask) -> Any:
    """List the chat messages that you may read, after the number `since`."""
    since = ask.query.get("since", "0")
    with ask.site.store.reading() as db:
        found = seating.seen(db, ask.path["id"], ask.who)
        return chat.said_since(
            db,
            found,
            ask.who,
            int(since) if since.isdecimal() and len(since) <= MAX_SINCE_DIGITS else 0,
        )


def say(ask: Ask) -> EndpointAnswer:
    """Send a chat message to the players or the observers."""
    with ask.site.store.begin() as db:
        found = seating.seen(db, ask.path["id"], ask.who)
        number = chat.say(db, found, ask.person, ask.body.room, ask.body.text)
        ask.site.bus.within(db, found.id, str(number))
        ask.made(db, number)
        sent = chat.said_at(db, number)
    ask.site.bus.here(found.id, str(number))
    return EndpointAnswer(sent, 201)


def _said_before(ask: Ask, came: str) -> EndpointAnswer:
    with ask.site.store.reading() as db:
        return EndpointAnswer(chat.said_at(db, int(came)), 201)


def unsay(ask: Ask) -> None:
    """Remove a chat message of your own. An administrator may remove any."""
    with ask.site.store.begin() as db:
        found = seating.load(db, ask.path["id"])
        if not found.knows(ask.who):
            raise seating.no_table(found.id)
        chat.remove(db, found, ask.person, int(ask.path["n"]))
        ask.site.bus.within(db, found.id, ask.path["n"])
    ask.site.bus.here(found.id, ask.path["n"])


def read(ask: Ask) -> protocol.ReadMark:
    """Return the number of the last chat message that you have read."""
    with ask.site.store.reading() as db:
        found = seating.seen(db, ask.path["id"], ask.who)
        return protocol.ReadMark(chat.read(db, found.id, ask.person))


def has_read(ask: Ask) -> None:
    """Store the number of the last chat message that you have read."""
    with ask.site.store.begin() as db:
        found = seating.seen(db, ask.path["id"], ask.who)
        chat.has_read(db, found.id, ask.person, ask.body.upto)


def note(ask: Ask) -> TextBody:
    """Return your own note about a game."""
    with ask.site.store.reading() as db:
        found = seating.seen(db, ask.path["id"], ask.who)
        return TextBody(chat.note(db, found.id, ask.person))


def write_note(ask: Ask) -> None:
    """Store your own note about a game. An empty one removes it."""
    with ask.site.store.begin() as db:
        found = seating.seen(db, ask.path["id"], ask.who)
        chat.write_note(db, found.id, ask.person, ask.body.text)


def move(ask: Ask) -> Any:
    """Upgrade a table to the current rules of the server if its choices replay.

    With `only_try`, the result is only reported.
    """
    with ask.site.store.reading() as db:
        found = seating.seen(db, ask.path["id"], ask.who)
    if ask.person.id != found.owner:
        raise NotAllowed(_("only the person who opened the table may do this"))
    if found.ended is not None:
        raise NotAllowed(_("the game is over"))
    upgrade = moved(ask.site, found, ask.who, ask.lang, ask.body.only_try)
    if upgrade.moved:
        with ask.site.bus.changing(found.id):
            pass
    return upgrade


_AT = "/api/tables/{id}"
ENDPOINTS = [
    Endpoint("GET", "/api/me", me, "anyone", gives=Me),
    Endpoint("PUT", "/api/me", wishes, takes=protocol.Wishes, gives=Me, once="write"),
    Endpoint("POST", "/api/me/letter", letter, status=204, once="write"),
    Endpoint("GET", "/api/confirmations/{token}", confirming, "anyone", gives=protocol.Confirming),
    Endpoint("POST", "/api/confirmations/{token}", confirmed, "anyone", status=204),
    Endpoint("DELETE", "/api/me", forget, takes=protocol.Farewell, status=204, once="write"),
    Endpoint("GET", "/api/me/export", export, gives=protocol.PersonalData, once="write"),
    Endpoint(
        "POST",
        "/api/accounts",
        sign_up,
        "anyone",
        protocol.SignUp,
        Me,
        201,
        again=_signed_up_before,
    ),
    Endpoint("POST", "/api/session", sign_in, "anyone", protocol.SignIn, Me),
    Endpoint("DELETE", "/api/session", sign_out, "anyone", status=204),
    Endpoint("POST", "/api/password", new_password, takes=protocol.NewPassword, status=204),
    Endpoint("GET", "/api/games", games, "anyone", gives=list[Any], query={"lang": str}),
    Endpoint(
        "GET",
        "/api/tables",
        tables,
        "anyone",
        gives=list[protocol.InLobby],
        query={"which": str, "lang": str},
    ),
    Endpoint(
        "POST",
        "/api/tables",
        open_table,
        takes=protocol.Hosting,
        gives=protocol.Opened,
        status=201,
        once="open",
        longest=3 << 20,
        again=_opened_before,
        long=True,
    ),
    Endpoint("GET", _AT, table, "anyone", gives=protocol.TableStatus, query={"lang": str}),
    Endpoint("DELETE", _AT, close, status=204),
    Endpoint("PUT", f"{_AT}/access", access, takes=protocol.TableVisibility, status=204),
    Endpoint("GET", f"{_AT}/save", save, "anyone", gives=str),
    Endpoint("POST", f"{_AT}/seats/{{side}}", sit, status=204),
    Endpoint("DELETE", f"{_AT}/seats/{{side}}", leave, status=204),
    Endpoint(
        "POST",
        f"{_AT}/invitations",
        invite,
        takes=protocol.Invite,
        gives=protocol.Invitation,
        status=201,
        once="write",
        again=_invited_before,
    ),
    Endpoint("GET", "/api/invitations/{token}", invitation, "anyone", gives=protocol.Invited),
    Endpoint(
        "POST",
        "/api/invitations/{token}",
        come,
        "anyone",
        protocol.Come,
        protocol.Opened,
        again=_came_before,
    ),
    Endpoint("POST", f"{_AT}/resign", resign, takes=protocol.OfSide, status=204),
    Endpoint("POST", f"{_AT}/claim", claim, takes=protocol.OfSide, status=204),
    Endpoint(
        "POST",
        f"{_AT}/offers",
        offer,
        takes=protocol.SideOffer,
        status=204,
        once="write",
        again=_done_before,
    ),
    Endpoint(
        "POST",
        f"{_AT}/offers/{{n:int}}",
        reply,
        takes=protocol.Reply,
        status=204,
        again=_done_before,
    ),
    Endpoint(
        "GET",
        f"{_AT}/chat",
        texts,
        "anyone",
        gives=list[protocol.ChatMessage],
        query={"since": int},
    ),
    Endpoint(
        "POST",
        f"{_AT}/chat",
        say,
        takes=protocol.Say,
        gives=protocol.ChatMessage,
        status=201,
        once="write",
        again=_said_before,
    ),
    Endpoint("DELETE", f"{_AT}/chat/{{n:int}}", unsay, status=204),
    Endpoint("GET", f"{_AT}/read", read, gives=protocol.ReadMark),
    Endpoint("PUT", f"{_AT}/read", has_read, takes=protocol.ReadMark, status=204),
    Endpoint(
        "POST",
        f"{_AT}/rules",
        move,
        takes=protocol.Move,
        gives=protocol.TableMoved,
        once="write",
        long=True,
    ),
    Endpoint("GET", f"{_AT}/note", note, gives=TextBody),
    Endpoint("PUT", f"{_AT}/note", write_note, takes=protocol.Write, status=204, once="write"),
]
