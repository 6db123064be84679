"""The command `serve`: serves tables in the browser to many people."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from rulekit.cli.arguments import add_lang
from rulekit.cli.main import UsageError
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _, ngettext


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Serves the installed games, and the games named here, to people with"
        " accounts or invitations. `--database` is a file, or an\naddress such as"
        " postgresql://USER@HOST/NAME. Several processes may serve the same"
        " PostgreSQL database. See docs/operating.md.\nEnvironment variables:"
        " RULEKIT_SMTP is the mail server (smtp://USER:PASSWORD@HOST:PORT),"
        " RULEKIT_MAIL_FROM is the sender,\nRULEKIT_DATABASE is the default of"
        " --database. The token RULEKIT_METRICS_TOKEN gives access to /metrics."
    )
    parser.add_argument(
        "game",
        nargs="*",
        metavar="GAME",
        help=gettext("a game to offer, by its name or its folder"),
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="HOST",
        help=gettext("where to listen (default: 127.0.0.1)"),
    )
    parser.add_argument(
        "--port",
        type=int,
        default=8000,
        metavar="N",
        help=gettext("the port to listen on (default: 8000)"),
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        help=gettext("the database: a file, or postgresql://... (default: in the user's data)"),
    )
    parser.add_argument(
        "--public-url",
        default="",
        metavar="URL",
        help=gettext("the address that people know, such as https://table.example.org"),
    )
    parser.add_argument(
        "--behind",
        default="",
        metavar="ADDRESS",
        help=gettext("the addresses of trusted proxies (for X-Forwarded-For)"),
    )
    parser.add_argument(
        "--no-sign-up",
        action="store_true",
        help=gettext("nobody can create an account; guests need an invitation"),
    )
    parser.add_argument(
        "--named-seeds",
        action="store_true",
        help=gettext(
            "allow a named seed or an uploaded save against others; its owner then knows the dice"
        ),
    )
    parser.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=MOST",
        help=gettext("change a limit named in docs/operating.md: guess=30/60, sockets_table=400"),
    )
    parser.add_argument(
        "--upgrade",
        action="store_true",
        help=gettext("upgrade a database of an older version, then serve it"),
    )
    other = parser.add_mutually_exclusive_group()
    other.add_argument(
        "--backup",
        type=Path,
        metavar="FILE",
        help=gettext(
            "write everything in the database to a file, even while it is being served; then exit"
        ),
    )
    other.add_argument(
        "--restore",
        type=Path,
        metavar="FILE",
        help=gettext("fill an empty database from such a file, then exit"),
    )
    other.add_argument(
        "--make-admin",
        metavar="NAME",
        help=gettext("let a person with an account see /admin, then exit"),
    )
    other.add_argument(
        "--new-password",
        metavar="NAME",
        help=gettext("print a new password for a person who forgot theirs, then exit"),
    )
    add_lang(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    try:
        from rulekit.server.game_library import Library
        from rulekit.server.online.run import ServerSettings, database, serve
        from rulekit.server.run import default_file
    except ModuleNotFoundError as error:
        raise UsageError(
            _(
                "the server needs the library {name}: pip install 'rulekit[serve]'",
                name=str(error.name),
            ).text(args.lang)
        ) from None

    def say(address: str) -> None:
        print(_("the tables are at {address}", address=address).text(args.lang), flush=True)

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
            message = ngettext(
                "{n} row is in {file}",
                "{n} rows are in {file}",
                backup(store, args.backup),
                file=str(args.backup),
            ).text(args.lang)
        elif args.restore:
            message = ngettext(
                "{n} row was restored", "{n} rows were restored", restore(store, args.restore)
            ).text(args.lang)
        elif args.make_admin:
            admin.make_admin(store, args.make_admin)
            message = _("{name} is an admin", name=args.make_admin).text(args.lang)
        else:
            message = _(
                "the new password: {password}",
                password=admin.new_password(store, args.new_password, Passwords()),
            ).text(args.lang)
    finally:
        store.close()
    print(message)
    return 0
