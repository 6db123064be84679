"""The command `table`: plays games in the browser, on this machine."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rulekit.cli.arguments import add_lang
from rulekit.cli.main import UsageError
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Serves a table on 127.0.0.1 and opens the browser. The printed address contains a token:"
        " anybody who has it can play.\nEvery choice is saved at once; stop with Ctrl-C and"
        " continue another day."
    )
    parser.add_argument(
        "game",
        nargs="*",
        metavar="GAME",
        help=gettext("a game to offer first, by its name or its folder"),
    )
    parser.add_argument(
        "--port", type=int, metavar="N", help=gettext("the port to listen on; 0: one that is free")
    )
    parser.add_argument(
        "--file",
        type=Path,
        metavar="FILE",
        help=gettext("where the games are kept (default: in the user's data)"),
    )
    parser.add_argument("--no-browser", action="store_true", help=gettext("only print the address"))
    add_lang(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    try:
        from rulekit.server.game_library import Library
        from rulekit.server.run import default_file, serve_local
    except ModuleNotFoundError as error:
        raise UsageError(
            _(
                "the table needs the library {name}: pip install 'rulekit[table]'",
                name=str(error.name),
            ).text(args.lang)
        ) from None

    def say(address: str) -> None:
        print(
            _("the table is at {address}", address=address).text(args.lang),
            _("Ctrl-C stops it; the games are saved.").text(args.lang),
            sep="\n",
            flush=True,
        )

    def carried(copy: Path) -> None:
        print(
            _(
                "the tables were from an older version of the program; a copy of"
                " the old ones is in {file}",
                file=str(copy),
            ).text(args.lang),
            flush=True,
        )

    try:
        serve_local(
            Library(args.game),
            args.file or default_file(),
            args.port,
            not args.no_browser,
            say,
            carried,
        )
    except KeyboardInterrupt:
        print(file=sys.stderr)
    return 0
