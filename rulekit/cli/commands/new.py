"""The command `new`: writes the folder of a new game, which checks, tests and plays at once."""

from __future__ import annotations

import argparse
from pathlib import Path

from rulekit.cli.arguments import add_json, add_lang
from rulekit.cli.main import UsageError
from rulekit.cli.output import print_json
from rulekit.common.files import printable
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _, ngettext

_MAPS = ("zones", "hexes", "grid")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Writes a new game into a folder: a small wargame with rules, map, pieces, a table, texts"
        " and situations.\nIt checks, tests and plays as it stands, and each file can then be"
        " changed. Nothing is overwritten.\nWith --uses the game is based on a library: the rules"
        " that the library leaves to it are written, and marked TODO."
    )
    parser.add_argument(
        "folder", metavar="NAME", help=gettext("the folder to write; its name is that of the game")
    )
    parser.add_argument("--title", metavar="TEXT", help=gettext("the title that players read"))
    parser.add_argument(
        "--sides",
        metavar="A,B",
        help=gettext("the names of the two sides (without it: red,blue)"),
    )
    parser.add_argument(
        "--map",
        choices=_MAPS,
        help=gettext("places with outlines, hexes, or squares (without it: zones)"),
    )
    parser.add_argument(
        "--french", action="store_true", help=gettext("also write the French texts")
    )
    parser.add_argument(
        "--uses",
        action="append",
        default=[],
        metavar="LIBRARY",
        help=gettext("base the game on a library; may be repeated"),
    )
    add_lang(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Write the files, and print their paths and the next steps."""
    from rulekit.project.new_game.for_library import new_game_for
    from rulekit.project.new_game.options import NewGame, sides_of
    from rulekit.project.new_game.write import new_game

    folder = Path(args.folder)
    if args.uses and (args.sides or args.map or args.french):
        raise UsageError(
            _(
                "a library has its own sides, map and texts; leave --sides, --map and --french out"
                " next to --uses"
            ).text(args.lang)
        )
    if args.title is not None and not args.title.strip():
        raise UsageError(_("the title is blank").text(args.lang))
    game = NewGame(
        folder,
        args.title or folder.name.replace("_", " ").capitalize(),
        sides_of(args.sides or "red,blue"),
        args.map or "zones",
        args.french,
    )
    written = new_game_for(game, args.uses) if args.uses else new_game(game)
    if args.json:
        print_json({"folder": str(folder), "files": [str(each) for each in written]})
        return 0
    shown = printable(str(folder))
    print(
        ngettext("{folder}: {n} file written", "{folder}: {n} files written", len(written))
        .with_params(folder=shown)
        .text(args.lang)
    )
    for each in written:
        print(f"  {printable(str(each.relative_to(folder)))}")
    print(_("Next: rulekit check {folder}", folder=shown).text(args.lang))
    return 0
