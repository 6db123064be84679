"""The command `situation`: writes a position of a saved game as a situation."""

from __future__ import annotations

import argparse
from pathlib import Path

from rulekit.cli.arguments import add_lang, game_of_save, replayed
from rulekit.cli.main import UsageError
from rulekit.common.files import printable
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Writes a position of a saved game as a situation, for a file situations/*.yaml of the"
        " game. The situation begins in\nthe latest phase from which its choices and dice lead to"
        " the same position. What it cannot say stands in comments. It\ncontains everything, also"
        " what players may not know."
    )
    parser.add_argument("file", metavar="FILE", help=gettext("the saved game"))
    parser.add_argument(
        "--at",
        type=int,
        metavar="N",
        help=gettext("the position before choice N (default: the last position)"),
    )
    parser.add_argument(
        "--choices",
        type=int,
        default=0,
        metavar="K",
        help=gettext("also make the K choices that follow, and expect what happened then"),
    )
    parser.add_argument("--name", metavar="TEXT", help=gettext("the name of the situation"))
    parser.add_argument(
        "--out",
        metavar="FILE",
        help=gettext("add it at the end of this file (without it: standard output)"),
    )
    parser.add_argument(
        "--game",
        metavar="PATH",
        help=gettext("folder of the game, if it is not installed under its name"),
    )
    add_lang(parser)


def run(args: argparse.Namespace) -> int:
    """Replay the game, and write the situation."""
    from rulekit.engine.saves.recorder import read_save
    from rulekit.engine.testing.situation_text import situation_text
    from rulekit.engine.testing.situation_writer import situation_of

    save = read_save(args.file)
    game = game_of_save(save, args.game, args.lang)
    state = replayed(game, save)
    last = state.move_number() + 1
    at = last if args.at is None else args.at
    if not 1 <= at <= last:
        raise UsageError(
            _(
                "--at needs the number of a choice: from 1 to {last} in this save", last=str(last)
            ).text(args.lang)
        )
    if not 0 <= args.choices <= last - at:
        raise UsageError(
            _(
                "--choices needs a number from 0 to {n}: so many choices follow in this save",
                n=str(last - at),
            ).text(args.lang)
        )
    name = args.name or f"{game.title}: choice {at}"
    text = situation_text(situation_of(game, state, at - 1, args.choices, name))
    if not args.out:
        print(text, end="")
        return 0
    add_to(Path(args.out), text)
    print(_("{file} written", file=printable(args.out)).text(args.lang))
    return 0


def add_to(file: Path, text: str) -> None:
    """Add a situation at the end of a file, after an empty line if there are others."""
    with file.open("a", encoding="utf-8") as out:
        out.write(f"\n{text}" if out.tell() else text)
