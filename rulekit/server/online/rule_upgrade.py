"""Upgrade of a table from its pinned rules to the current ones, if its choices replay. It also
reports other differences, or the first choice that does not replay.
"""

from __future__ import annotations

import json
from typing import Any

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.game.game import Game
from rulekit.engine.saves.recorder import Save
from rulekit.engine.saves.renamed_names import renamed_text
from rulekit.presentation.rules_comparison import compare
from rulekit.server.online.accounts import Person
from rulekit.server.online.protocol import TableMoved
from rulekit.server.online.seating import Hosted, no_table
from rulekit.server.online.services import Site
from rulekit.server.pin_migration import header_under, replayed, stored_save
from rulekit.server.storage import TableRow

MAX_REPORTED_DIFFERENCES = 8  # differences in the report
LONGEST = 200  # characters of an event in the report


def moved(site: Site, hosted: Hosted, who: Person | None, lang: str, only_try: bool) -> TableMoved:
    """Upgrade a table and return the result. Raise `RulekitError` if the server no longer has the
    game.
    """
    row = site.store.row(hosted.id)
    if row is None:
        raise no_table(hosted.id)
    game = site.library.game(row.game)
    pin = site.library.pin(game)
    if pin is None or site.store.pinned(row.id) == pin.digest:
        return TableMoved(True, True, False)
    save = stored_save(site.store, row)
    done = replayed(game, save)
    own = hosted.sides_of(who)
    if done.first_difference is not None:
        return TableMoved(
            False, False, False, _difference_text(done.first_difference, save, own, lang)
        )
    beside = _beside(site, row, game, own, lang)
    if done.renaming.pairs:  # its record keeps the names with which it was written
        return TableMoved(
            False,
            False,
            False,
            _(
                "only names differ ({names}); a table keeps the names of its record",
                names=beside or renamed_text(done.renaming.pairs),
            ).text(lang),
        )
    if not only_try:
        site.store.move(row, header_under(game, done, row, save), pin)
    return TableMoved(False, True, not only_try, beside)


def _beside(site: Site, row: TableRow, game: Game, own: tuple[str, ...], lang: str) -> str | None:
    """Return the differences in options, costs, reasons and texts although the choices replay, or
    None.

    Only decisions of the person's own sides are compared, because the options of others may reveal
    hidden information. The result is also None if the pinned rules cannot be loaded.
    """
    pinned = site.store.pinned(row.id)
    if pinned is None:
        return None
    try:
        before = site.library.pinned(pinned, site.store.program)
        found = compare(before, game, stored_save(site.store, row))
    except RulekitError:
        return None
    return (
        " · ".join(each.text(lang) for each in found.differences(own)[:MAX_REPORTED_DIFFERENCES])
        or None
    )


def _difference_text(
    difference: dict[str, Any], save: Save, own: tuple[str, ...], lang: str
) -> str:
    """Return the text of the first difference. The record is shown only for the person's own
    choices, because those of others may reveal hidden information.
    """
    number = max(1, int(difference["choice"]))
    by = save.choices[number - 1].by or "" if number <= len(save.choices) else ""
    first = _("from choice {n} ({by}) on, the game would be different", n=str(number), by=by).text(
        lang
    )
    if by not in own:
        return first
    recorded, actual = (
        json.dumps(difference[key], ensure_ascii=False)[:LONGEST] for key in ("recorded", "actual")
    )
    return _(
        "{what}: {why}; before {recorded}, now {actual}",
        what=first,
        why=str(difference["cause"]),
        recorded=recorded,
        actual=actual,
    ).text(lang)
