"""The command line. Its exit codes are 0 for success, 1 for findings, 2 for wrong usage and 3 for a
defect of rulekit.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from itertools import pairwise
from typing import Any, NoReturn

from rulekit.common.i18n.command_line import gettext, language, spoken
from rulekit.common.i18n.messages import Message, _

COMMANDS: dict[str, tuple[str, Message]] = {
    "new": ("rulekit.cli.commands.new", _("write the folder of a new game, to change it")),
    "check": (
        "rulekit.cli.commands.check",
        _("read and check games; print what is wrong with them"),
    ),
    "test": ("rulekit.cli.commands.test", _("run the situations of games")),
    "reversals": (
        "rulekit.cli.commands.reversals",
        _("turn the rules of a game round: which situations notice"),
    ),
    "prove": (
        "rulekit.cli.commands.prove",
        _("change the rules of a game in each place: which situations notice"),
    ),
    "play": ("rulekit.cli.commands.play", _("play a game in the terminal")),
    "table": ("rulekit.cli.commands.table", _("play games in the browser")),
    "serve": ("rulekit.cli.commands.serve", _("a table in the browser for many people")),
    "simulate": ("rulekit.cli.commands.simulate", _("play many games and count the results")),
    "sweep": ("rulekit.cli.commands.sweep", _("simulate a game under many settings, and compare")),
    "league": ("rulekit.cli.commands.league", _("play seats against each other, and rate them")),
    "replay": ("rulekit.cli.commands.replay", _("replay a saved game, or verify it")),
    "analyse": (
        "rulekit.cli.commands.analyse",
        _("look for the best lines in a saved game, and for its turning points"),
    ),
    "explain": (
        "rulekit.cli.commands.explain",
        _("print the derivation behind an event of a saved game"),
    ),
    "situation": (
        "rulekit.cli.commands.situation",
        _("write a position of a saved game as a situation"),
    ),
    "map": ("rulekit.cli.commands.map", _("draw the map of a game as SVG")),
    "compile": ("rulekit.cli.commands.compile", _("compile a game; print its code")),
    "perft": ("rulekit.cli.commands.perft", _("count the leaves of the decision tree")),
    "rulings": (
        "rulekit.cli.commands.rulings",
        _("list the rulings of a game with their alternatives"),
    ),
    "cache": (
        "rulekit.cli.commands.cache",
        _("list the compiled games that were kept, or remove them"),
    ),
    "where": (
        "rulekit.cli.commands.where",
        _("print where games, libraries, examples, schemas and pages lie"),
    ),
    "doc": (
        "rulekit.cli.commands.doc",
        _("look up a word of the language, a code, or a name of a game"),
    ),
    "fmt": ("rulekit.cli.commands.fmt", _("format rules files")),
}


class Parser(argparse.ArgumentParser):
    """A parser of one command. Its messages hold no control characters that affect a terminal."""

    def error(self, message: str) -> NoReturn:
        """Print the error and exit with code 2."""
        from rulekit.common.files import printable

        super().error(printable(message))


class UsageError(Exception):
    """The command line is invalid, as the message explains. The exit code is 2."""


def _version() -> str:
    from rulekit import __version__

    return f"rulekit {__version__}"


def _overview() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rulekit",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="rulekit COMMAND ... [--help]",
        description=gettext(
            "Board wargames written as data and played by one generic engine.\n\ncommands:"
        )
        + "\n"
        + "\n".join(
            f"  {name:10}{about.text(language())}" for name, (module, about) in COMMANDS.items()
        ),
        epilog=gettext("`rulekit COMMAND --help` says more about each."),
    )
    parser.add_argument(
        "--version",
        action="version",
        version=_version(),
        help=gettext("show program's version number and exit"),
    )
    parser.add_argument("--lang", default="en", help=argparse.SUPPRESS)
    return parser


def run_command(name: str, arguments: Sequence[str]) -> int:
    """Parse the arguments of one command and run it."""
    module: Any = import_module(COMMANDS[name][0])
    with spoken(_lang(arguments)):
        parser = Parser(
            prog=f"rulekit {name}", formatter_class=argparse.RawDescriptionHelpFormatter
        )
        module.arguments(parser)
        parsed = parser.parse_args(list(arguments))
    return int(module.run(parsed))


def _lang(arguments: Sequence[str]) -> str:
    """Return the language of `--lang`, by default English."""
    words = [word for each in arguments for word in each.split("=", 1)]
    return next((lang for option, lang in pairwise(words) if option == "--lang"), "en")


def complain(text: str) -> None:
    """Print a line about a failure to standard error."""
    print(f"rulekit: {text}", file=sys.stderr)


def _guarded(name: str, arguments: Sequence[str]) -> int:
    from rulekit.common.errors import GameError, RulekitError
    from rulekit.common.i18n.reasons import error_text

    lang = _lang(arguments)
    try:
        return run_command(name, arguments)
    except UsageError as error:
        complain(str(error))
        return 2
    except GameError as error:
        from rulekit.cli.output import print_diagnostics
        from rulekit.common.diagnostics.diagnostic import DEFECT

        print_diagnostics(error.diagnostics, error.texts, sys.stderr)
        return 3 if any(d.code == DEFECT for d in error.diagnostics) else 1
    except RulekitError as error:
        complain(error_text(lang, error))
        return 1
    except BrokenPipeError:
        # The reader of our output has gone. There is nobody left for a message.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        complain(_("stopped").text(lang))
        return 130
    except OSError as error:
        complain(
            f"{error.filename}{_(': ').text(lang)}{error_text(lang, error)}"
            if error.filename
            else error_text(lang, error)
        )
        return 1
    except Exception as error:
        if os.environ.get("RULEKIT_DEBUG"):
            raise
        complain(
            f"a defect of rulekit itself: {type(error).__name__}: {error} (RULEKIT_DEBUG=1 prints"
            " where)"
        )
        return 3


def _command(arguments: Sequence[str]) -> str:
    """Return the name of the command in a line: the first word that is neither an option nor the
    value of `--lang`. Return '' if there is none.
    """
    return next(
        (
            word
            for before, word in pairwise(["", *arguments])
            if not word.startswith("-") and before != "--lang"
        ),
        "",
    )


def _unknown(name: str, lang: str) -> int:
    """Report an unknown command with a guess, and return the exit code for wrong usage."""
    from rulekit.common.i18n.reasons import near

    close = near(name, COMMANDS)
    complain(
        _("there is no command {name}", name=repr(name)).text(lang)
        + (_("; ").text(lang) + close.text(lang) if close else "")
    )
    return 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(
                errors="backslashreplace"
            )  # characters that the terminal lacks appear as escapes
    try:
        lang, name = _lang(arguments), _command(arguments)
        if name in COMMANDS:
            arguments.remove(name)
            return _guarded(name, arguments)
        if name:
            return _unknown(name, lang)
        with spoken(lang):
            parser = _overview()
            if not arguments:
                parser.print_help()
                return 2
            parser.parse_args(arguments)
            parser.print_help()
        return 2
    except SystemExit as stop:  # argparse: 0 after --help, 2 for wrong usage
        return stop.code if isinstance(stop.code, int) else 2
