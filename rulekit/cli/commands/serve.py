"""The command `serve`: serves tables in the browser to many people."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from rulekit.cli.arguments import add_lang
from rulekit.cli.main import UsageError
from rulekit.common.i18n.catalog import filled
from rulekit.common.i18n.gettext_domain import _


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = _(
        "Serves the games that are installed, and those that are named, to people with accounts or"
        " invitations. With `--database` a file,\nor an address such as"
        " postgresql://USER@HOST/NAME; several processes may serve one database of PostgreSQL."
        " See\ndocs/operating.md. Mail is sent by RULEKIT_SMTP (smtp://USER:PASSWORD@HOST:PORT)"
        " from RULEKIT_MAIL_FROM; RULEKIT_DATABASE stands\nfor --database; who has"
        " RULEKIT_METRICS_TOKEN may read /metrics."
    )
    parser.add_argument(
        "game", nargs="*", metavar="GAME", help=_("a game to offer, by its name or its folder")
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="HOST",
        help=_("where to listen (default: 127.0.0.1)"),
    )
    parser.add_argument(
        "--port",
        type=int,
        default=8000,
        metavar="N",
        help=_("the port to listen on (default: 8000)"),
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        help=_("the database: a file, or postgresql://... (default: in the user's data)"),
    )
    parser.add_argument(
        "--public-url",
        default="",
        metavar="URL",
        help=_("the address that people know, such as https://table.example.org"),
    )
    parser.add_argument(
        "--behind",
        default="",
        metavar="ADDRESS",
        help=_("the addresses of the proxies whose X-Forwarded-For is believed"),
    )
    parser.add_argument(
        "--no-sign-up",
        action="store_true",
        help=_("nobody makes an account by himself: guests by invitation only"),
    )
    parser.add_argument(
        "--named-seeds",
        action="store_true",
        help=_(
            "against others too a seed may be named or a save brought: who does so knows the dice"
        ),
    )
    parser.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=MOST",
        help=_(
            "another limit than the usual one, as docs/operating.md names them: guess=30/60,"
            " sockets_table=400"
        ),
    )
    parser.add_argument(
        "--upgrade",
        action="store_true",
        help=_("carries a database of an older version on, then serves it"),
    )
    other = parser.add_mutually_exclusive_group()
    other.add_argument(
        "--backup",
        type=Path,
        metavar="FILE",
        help=_("writes all that is in the database, used or not, to a file"),
    )
    other.add_argument(
        "--restore",
        type=Path,
        metavar="FILE",
        help=_("fills an empty database from such a file, and ends"),
    )
    other.add_argument(
        "--make-admin", metavar="NAME", help=_("somebody with an account may see /admin, and ends")
    )
    other.add_argument(
        "--new-password",
        metavar="NAME",
        help=_("prints a new password for who forgot his, and ends"),
    )
    add_lang(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    try:
        from rulekit.server.game_library import Library
        from rulekit.server.online.run import ServerSettings, database, serve
        from rulekit.server.run import default_file
    except ModuleNotFoundError as error:
        raise UsageError(filled(args.lang, "people.no_library", name=str(error.name))) from None

    def say(address: str) -> None:
        print(filled(args.lang, "people.is_at", address=address), flush=True)

    where = database(args.database or os.environ.get("RULEKIT_DATABASE") or str(default_file()))
    smtp, sender, token = (
        os.environ.get(f"RULEKIT_{name}", "") for name in ("SMTP", "MAIL_FROM", "METRICS_TOKEN")
    )
    setting = ServerSettings(
        where,
        args.host,
        args.port,
        args.public_url,
        args.behind,
        args.upgrade,
        not args.no_sign_up,
        args.named_seeds,
        smtp,
        sender,
        token,
        tuple(args.limit),
    )
    if args.backup or args.restore or args.make_admin or args.new_password:
        return _once(args, where)
    try:
        serve(Library(args.game), setting, say)
    except KeyboardInterrupt:
        print(file=sys.stderr)
    return 0


def _once(args: argparse.Namespace, where: str) -> int:
    """Run one administrative command on the database and print its result."""
    from rulekit.server.online import admin
    from rulekit.server.online.accounts import Passwords
    from rulekit.server.online.backup import backup, restore
    from rulekit.server.storage import Store

    store = Store(where, args.upgrade)
    try:
        if args.backup:
            told = filled(
                args.lang,
                "people.backed_up",
                n=str(backup(store, args.backup)),
                file=str(args.backup),
            )
        elif args.restore:
            told = filled(args.lang, "people.restored", n=str(restore(store, args.restore)))
        elif args.make_admin:
            admin.make_admin(store, args.make_admin)
            told = filled(args.lang, "people.is_admin", name=args.make_admin)
        else:
            told = filled(
                args.lang,
                "people.password_is",
                password=admin.new_password(store, args.new_password, Passwords()),
            )
    finally:
        store.close()
    print(told)
    return 0
