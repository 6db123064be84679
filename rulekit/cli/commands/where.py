"""The command `where`: prints the folders of the games, libraries, examples, schemas and pages of
rulekit.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rulekit.cli.arguments import add_json, add_lang, folder_of
from rulekit.cli.commands.simulate import columns
from rulekit.cli.output import print_json
from rulekit.common.files import printable
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _

_SORTS = {
    "game": _("game"),
    "library": _("library"),
    "example": _("example"),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Prints where the games, libraries and examples lie that can be called by their names, the"
        " schemas of their files, and the\npages of the manual. With the name of a game, or with"
        " games, examples, schema or docs, it prints that folder alone: to look\ninto it, or to"
        " copy it and change the copy."
    )
    parser.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help=gettext(
            "the name of a game, a library or an example; or games, examples, schema, docs"
        ),
    )
    add_lang(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print all folders, or one."""
    from rulekit.compiler.source.locate import find_game, is_library, known_games, shipped

    parts = {name: folder for name, folder in shipped().items() if folder.is_dir()}
    if args.name:
        found = parts.get(args.name) or folder_of(args.name, args.lang).resolve()
        (
            print_json({"name": args.name, "folder": str(found)})
            if args.json
            else print(printable(str(found)))
        )
        return 0
    games = {
        name: place.resolve() for name in known_games() if (place := find_game(name)) is not None
    }
    sorts = {
        name: (
            "library"
            if is_library(folder)
            else "example"
            if folder.parent == parts.get("examples")
            else "game"
        )
        for name, folder in games.items()
    }
    if args.json:
        print_json(
            {
                "folders": {name: str(folder) for name, folder in parts.items()},
                "games": [
                    {"name": name, "sort": sorts[name], "folder": str(folder)}
                    for name, folder in games.items()
                ],
            }
        )
        return 0
    for name, folder in parts.items():
        print(f"{name:10}{printable(str(folder))}")
    rows = [
        (name, _SORTS[sort].text(args.lang), _beside(games[name], parts))
        for sort in _SORTS
        for name in games
        if sorts[name] == sort
    ]
    print()
    print("\n".join(columns((_("name").text(args.lang), "", _("folder").text(args.lang)), rows, 3)))
    return 0


def _beside(folder: Path, parts: dict[str, Path]) -> str:
    """Return a folder relative to one of the parts, else its full path."""
    home = next((name for name, base in parts.items() if folder.parent == base), "")
    return f"{home}/{folder.name}" if home else printable(str(folder))
