"""New tables, tables from a save, rematches, and the lists of tables in the lobby."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select, update

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _, ngettext
from rulekit.engine.saves.save_format import parse_save
from rulekit.engine.search.agent_registry import HUMAN, QUICK_VISITS, is_quick
from rulekit.engine.search.search_agent import LEVELS
from rulekit.server.catalogue import Wanted
from rulekit.server.database_schema import HOSTED
from rulekit.server.dealing import Deal, dealt
from rulekit.server.game_library import listed
from rulekit.server.hub import fresh
from rulekit.server.online import chat, clock, seating, table_actions
from rulekit.server.online.access import sittings
from rulekit.server.online.accounts import Person
from rulekit.server.online.end_texts import ending_text
from rulekit.server.online.endpoints import Ask
from rulekit.server.online.protocol import Hosting, InLobby, Invited, Opened
from rulekit.server.online.services import Site
from rulekit.server.room import begin, brought
from rulekit.server.storage import TableRow, row_of


def new_table(ask: Ask) -> Opened:
    """Open a table for its owner. See `Hosting`."""
    wanted: Hosting = ask.body
    clock.rule(wanted.clock)
    id = fresh()
    if wanted.save is not None:
        read = parse_save(wanted.save.encode())
        if (many := len(read.records)) > (most := ask.site.limits.most("records")):
            raise RulekitError(
                ngettext(
                    "this save has {n} choice (including undone ones); the limit is {most}",
                    "this save has {n} choices (including undone ones); the limit is {most}",
                    many,
                    most=str(most),
                )
            )
        game = ask.site.library.game(str(read.header["game"]))
        brought(
            ask.site.store,
            id,
            game,
            read,
            {},
            lambda db: _hosted(db, id, ask, wanted),
            ask.site.library.pin(game),
        )
    else:
        _begin(ask.site, id, wanted, lambda db: _hosted(db, id, ask, wanted))
    return Opened(id)


def _begin(site: Site, id: str, wanted: Wanted, also: Any) -> None:
    game, state = site.hub.begun(wanted)
    begin(site.store, id, game, state, wanted.seats, also, site.library.pin(game), wanted.hints)


def _hosted(db: Connection, id: str, ask: Ask, wanted: Hosting) -> None:
    owner, row = ask.person, row_of(db, id)
    assert row is not None
    _ask_room(db, ask, owner)
    humans = seating.human_sides(row.seats)
    slow = next((seat for seat in row.seats.values() if seat != HUMAN and not is_quick(seat)), None)
    if slow is not None:
        raise RulekitError(
            _(
                "{seat} thinks too long for a shared server: at most {seconds}"
                " seconds or {visits} visits",
                seat=repr(slow),
                seconds=f"{LEVELS['hard'].seconds:g}",
                visits=str(QUICK_VISITS),
            )
        )
    for side in wanted.mine:
        if side not in humans:
            raise RulekitError(_("you do not play {side}", side=repr(side[:40])))
    if not humans:
        raise RulekitError(_("this table has no seat for a person"))
    seats = {side: owner.id if side in wanted.mine else None for side in humans}
    if (
        (wanted.seed or wanted.save is not None)
        and None in seats.values()
        and not ask.site.named_seeds
    ):
        raise RulekitError(
            _(
                "you cannot choose the seed of a game against another person: it"
                " would tell you the dice"
            )
            if wanted.save is None
            else _(
                "you cannot continue your save against another person: it would"
                " tell you the dice and the secrets"
            )
        )
    ask.made(db, id)
    seating.host(
        db,
        id,
        owner,
        wanted.access,
        wanted.clock,
        wanted.late,
        seats,
        row.decides,
        row.choices,
        not wanted.seed and wanted.save is None,
    )


def deal_at(site: Site, id: str) -> Callable[[], Deal]:
    """Return a function that deals the game of a table, at most once.

    If the next player to sit down may begin the game, it is dealt right away, outside of a
    transaction, because this takes a while.
    """

    @cache
    def deal() -> Deal:
        row = site.store.row(id)
        if row is None:
            raise seating.no_table(id)
        return dealt(site.store, row, site.library)

    with site.store.reading() as db:
        found = seating.load_all(db, [id]).get(id)
    if found is not None and found.begun is None and found.deals and found.free <= 1:
        deal()
    return deal


def _ask_room(db: Connection, ask: Ask, owner: Person) -> None:
    """Raise `NotAllowed` if a person owns too many tables that have not ended."""
    most = ask.site.limits.most("tables")
    own = (
        select(func.count())
        .select_from(HOSTED)
        .where(HOSTED.c.owner == owner.id, HOSTED.c.ended.is_(None))
    )
    if db.execute(own).scalar_one() >= most:
        raise seating.NotAllowed(
            ngettext(
                "you have {n} open table, which is the limit; finish or remove it",
                "you have {n} open tables, which is the limit; finish or remove some",
                most,
            )
        )


def rematch(ask: Ask) -> None:
    """Create the same game again, once, with the players moved on to the next sides."""
    old = ask.site.store.row(ask.path["id"])
    if old is None:
        raise seating.no_table(ask.path["id"])
    header, id = parse_save(old.header).header, fresh()
    sides = list(old.seats)
    before = dict(zip(sides, [sides[-1], *sides[:-1]], strict=True))
    seats = {side: old.seats[before[side]] for side in sides}
    wanted = Wanted(
        old.game,
        str(header["scenario"]) or None,
        None,
        dict(header["rulings"]),
        seats,
        hints="hints" in header,
    )

    def also(db: Connection) -> None:
        found = table_actions.held(db, old.id)
        if found.next is not None:
            raise seating.NotAllowed(_("the rematch already exists"))
        owner = Person(found.owner, found.owner_name, False, False, "en", None, None)
        row = row_of(db, id)
        assert row is not None
        sits = {side: found.seats[before[side]].id for side in sides if seats[side] == HUMAN}
        seating.host(
            db, id, owner, found.access, found.rule_text, found.late, sits, row.decides, row.choices
        )
        db.execute(update(HOSTED).where(HOSTED.c.table_id == old.id).values(next=id))
        ask.made(db)
        ask.site.bus.within(db, old.id)

    _begin(ask.site, id, wanted, also)
    ask.site.bus.here(old.id)


def lobby(ask: Ask, which: str) -> list[InLobby]:
    """Return the tables of a list."""
    if which == "mine" and ask.who is None:
        return []
    with ask.site.store.reading() as db:
        rows = seating.rows_for(db, ask.who, which)
        found = seating.load_all(db, [row.id for row in rows])
        news = chat.unread(db, list(found.values()), ask.person) if which == "mine" else {}
    return [
        _line(ask, row, found[row.id], news.get(row.id, 0))
        for row in rows
        if row.id in found and found[row.id].knows(ask.who)
    ]


def _line(ask: Ask, row: Any, hosted: seating.Hosted, unread: int) -> InLobby:
    seats = msgspec.json.decode(row.seats)
    listing = listed(
        TableRow(
            row.id,
            row.game,
            row.header,
            seats,
            row.created,
            row.changed,
            row.choices,
            row.decides,
            None if hosted.ending else row.result,
        ),
        ask.site.library,
        ask.lang,
    )
    ended = ending_text(hosted.ending, ask.lang, partial(ask.site.library.side, row.game, ask.lang))
    falls = hosted.clocks.falls
    left = None if falls is None else max(0.0, falls - time.time())
    return InLobby(
        row.id,
        row.game,
        listing.title,
        listing.scenario,
        hosted.owner_name,
        hosted.access,  # type: ignore[arg-type]
        sittings(seats, hosted, ask.who),
        hosted.rule_text,
        row.choices,
        row.decides if hosted.begun is not None else None,
        hosted.plays and row.decides in hosted.sides_of(ask.who),
        ended or listing.result,
        hosted.begun is not None,
        hosted.ended is not None,
        left,
        row.changed,
        unread,
        hosted.looks(ask.who),
    )


def invitation_of(ask: Ask) -> Invited:
    """Return the table and side of an invitation."""
    with (
        ask.site.limits.tried([("guess", ask.address)], seating.NotThere),
        ask.site.store.reading() as db,
    ):
        row = seating.invited(db, ask.path["token"])
        hosted, kept = seating.load(db, row.table_id), row_of(db, row.table_id)
    assert kept is not None
    return Invited(
        row.table_id,
        kept.game,
        listed(kept, ask.site.library, ask.lang).title,
        hosted.owner_name,
        row.side,
    )
