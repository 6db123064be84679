"""The command `serve`: a table in the browser for many people.

Serves the games that are installed, and those that are named, to people with accounts or invitations. With `--database` a file, or
an address
such as postgresql://USER@HOST/NAME; several processes may serve one database of PostgreSQL. See docs/operating.md. Mail is sent by
RULEKIT_SMTP (smtp://USER:PASSWORD@HOST:PORT) from RULEKIT_MAIL_FROM; RULEKIT_DATABASE stands for --database."""

from __future__ import annotations

import argparse
import os
import sys

from rulekit.cli.common import add_lang
from rulekit.cli.main import UsageError
from rulekit.play.words import filled


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("game", nargs="*", metavar="GAME", help="a game to offer, by its name or its folder")
    parser.add_argument("--host", default="127.0.0.1", metavar="HOST", help="where to listen (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8000, metavar="N", help="the port to listen on (default: 8000)")
    parser.add_argument("--database", metavar="URL", help="the database: a file, or postgresql://... (default: in the user's data)")
    parser.add_argument("--public-url", default="", metavar="URL", help="the address that people know, such as https://table.example.org")
    parser.add_argument("--behind", default="", metavar="ADDRESS", help="the addresses of the proxies whose X-Forwarded-For is believed")
    parser.add_argument("--no-sign-up", action="store_true", help="nobody makes an account by himself: guests by invitation only")
    parser.add_argument("--upgrade", action="store_true", help="carries a database of an older version on, then serves it")
    add_lang(parser)


def run(args: argparse.Namespace) -> int:
    """Serves until it is stopped."""
    try:
        from rulekit.table.library import Library
        from rulekit.table.people.serve import Setting, database, serve
        from rulekit.table.serve import default_file
    except ModuleNotFoundError as error:
        raise UsageError(filled(args.lang, "people.no_library", name=str(error.name))) from None

    def say(address: str) -> None:
        print(filled(args.lang, "people.is_at", address=address), flush=True)

    where = database(args.database or os.environ.get("RULEKIT_DATABASE") or str(default_file()))
    setting = Setting(where, args.host, args.port, args.public_url, args.behind, args.upgrade, not args.no_sign_up,
                      os.environ.get("RULEKIT_SMTP", ""), os.environ.get("RULEKIT_MAIL_FROM", ""))
    try:
        serve(Library(args.game), setting, say)
    except KeyboardInterrupt:
        print(file=sys.stderr)
    return 0
