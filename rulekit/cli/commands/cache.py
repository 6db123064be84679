"""The command `cache`: shows and clears the cache of compiled games."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rulekit.cli.arguments import add_json, add_lang
from rulekit.cli.main import UsageError
from rulekit.cli.output import print_json
from rulekit.common.files import printable
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import Message, _, ngettext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulekit.runtime.cache_folders import CacheItem, Cleared


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Shows the compiled games that rulekit has kept, the most recently used"
        " first. `--clear` removes them, except those that a\nrunning program"
        " uses. A removed game is compiled again when needed. The limit is 500 MB"
        " (or RULEKIT_CACHE_SIZE in the\nenvironment). Above it, rulekit removes"
        " the least recently used ones."
    )
    parser.add_argument(
        "games",
        nargs="*",
        metavar="GAME",
        help=gettext("only these games, by the names of their folders"),
    )
    parser.add_argument("--clear", action="store_true", help=gettext("remove the kept games"))
    parser.add_argument(
        "--limit", metavar="SIZE", help=gettext("set the limit of the cache to SIZE (300MB, 2GB)")
    )
    add_lang(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Clear if requested, and print the contents."""
    from rulekit.runtime.cache_folders import (
        Cleared,
        bytes_of,
        folder,
        limit,
        listed,
        set_limit,
        trim,
    )

    base = folder()
    most = None if args.limit is None else bytes_of(args.limit)
    if args.limit is not None and most is None:
        raise UsageError(
            _("--limit needs a size such as 300MB or 2GB, not {text}", text=repr(args.limit)).text(
                args.lang
            )
        )
    if base is None:
        print(_("nothing is kept: RULEKIT_CACHE is empty").text(args.lang))
        return 0
    cleared = Cleared()
    if most is not None:
        set_limit(base, most)
        cleared = trim(base, most)
    names = {Path(each).resolve().name if Path(each).is_dir() else each for each in args.games}
    found = [each for each in listed(base, ask=True) if not names or each.game in names]
    if args.clear:
        found = [each for each in found if not cleared.add(each)]
    if args.json:
        entries = [
            {
                "game": each.game or None,
                "entry": each.path.name,
                "size": each.size,
                "files": each.files,
                "used": int(each.used),
                "held": each.held,
            }
            for each in found
        ]
        print_json(
            {
                "folder": str(base),
                "limit": limit(base),
                "removed": cleared.gone,
                "removed_size": cleared.size,
                "entries": entries,
            }
        )
    else:
        _print(args, base, found, cleared)
    missing = sorted(names - {each.game for each in found}) if not args.clear else []
    if missing and not args.json:
        print(
            _("no compiled form is kept of {game}", game=", ".join(map(printable, missing))).text(
                args.lang
            )
        )
    return 0


def size_text(size: int) -> str:
    """Return a size in MB."""
    return f"{size / 1e6:,.1f} MB"


def _print(
    args: argparse.Namespace, base: Path, found: Sequence[CacheItem], cleared: Cleared
) -> None:
    from rulekit.cli.commands.simulate import table
    from rulekit.runtime.cache_folders import limit, listed

    def say(message: Message) -> str:
        return message.text(args.lang)

    if args.clear or cleared.gone:
        print(
            say(
                ngettext(
                    "{n} entry of {size} removed",
                    "{n} entries of {size} removed",
                    cleared.gone,
                    size=size_text(cleared.size),
                )
            )
        )
    if cleared.held:
        print(
            say(
                ngettext(
                    "{n} entry in use by running programs stayed",
                    "{n} entries in use by running programs stayed",
                    cleared.held,
                )
            )
        )
    print(
        say(
            _(
                "{folder}: {size} of at most {most}",
                folder=printable(str(base)),
                size=size_text(sum(each.size for each in listed(base))),
                most=size_text(limit(base)),
            )
        )
    )
    rows = [
        (
            printable(each.game),
            size_text(each.size),
            str(each.files),
            _moment(each.used),
            say(_("in use")) if each.held else "",
        )
        for each in found
        if each.game
    ]
    if others := [each for each in found if not each.game]:
        size, files = sum(each.size for each in others), sum(each.files for each in others)
        rows.append(
            (
                say(_("(of other versions)")),
                size_text(size),
                str(files),
                _moment(max(each.used for each in others)),
                "",
            )
        )
    table((say(_("game")), say(_("size")), say(_("files")), say(_("last used")), ""), rows)


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds)) if seconds else "-"
