"""Takes a table that is pinned to older rules, moves it to those that the server has now, if its choices replay; else says from
where on not."""

from __future__ import annotations

import json
from typing import Any

from rulekit.play.game import Game
from rulekit.play.savefile import Save, parse_save
from rulekit.play.saves import Recorder, replay
from rulekit.play.words import filled
from rulekit.table.people.accounts import Person
from rulekit.table.people.messages import Moved
from rulekit.table.people.seating import Hosted, no_table
from rulekit.table.people.site import Site

LONGEST = 200  # letters of an event that is shown


def moved(site: Site, hosted: Hosted, who: Person | None, lang: str, only_try: bool) -> Moved:
    """What comes of it. RulekitError if the game is not here any more."""
    row = site.store.row(hosted.id)
    if row is None:
        raise no_table(hosted.id)
    game = site.library.game(row.game)
    pin = site.library.pin(game)
    if pin is None or site.store.pinned(row.id) == pin.digest:
        return Moved(True, True, False)
    save = parse_save(row.header + "".join(text for _, text in site.store.lines(row.id)), f"table {row.id}")
    save.header = save.header | {"rules": ""}  # others, whatever their digest says: it leaves names out
    done = replay(game, save)
    if done.first_difference is not None:
        return Moved(False, False, False, _told(done.first_difference, save, hosted.sides_of(who), lang))
    if not only_try:
        site.store.move(row.id, _header(game, done.state, row.seats, save), pin, row.choices)
    return Moved(False, True, not only_try)


def _header(game: Game, state: Any, seats: dict[str, str], save: Save) -> str:
    """The header of the save under the rules of now."""
    found = Recorder(game, state, seats, save).save
    return found.text().split("\n", 1)[0] + "\n"


def _told(difference: dict[str, Any], save: Save, own: tuple[str, ...], lang: str) -> str:
    """The first difference in words: what was recorded only of one's own choice, for another's may tell what one may not know."""
    number = max(1, int(difference["choice"]))
    by = save.choices[number - 1].by or "" if number <= len(save.choices) else ""
    told = filled(lang, "people.differs", n=str(number), by=by)
    if by not in own:
        return told
    recorded, actual = (json.dumps(difference[key], ensure_ascii=False)[:LONGEST] for key in ("recorded", "actual"))
    return filled(lang, "people.differs_more", what=told, why=str(difference["cause"]), recorded=recorded, actual=actual)
