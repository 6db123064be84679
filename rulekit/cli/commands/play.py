"""The command `play`: plays a game in the terminal."""

from __future__ import annotations

import argparse
import os
import sys
from io import StringIO, TextIOWrapper
from typing import TYPE_CHECKING

from rulekit.cli.arguments import (
    add_game,
    add_lang,
    add_seats,
    add_start,
    game_of,
    rulings_of,
    scenario_of,
    seats_asked,
    seats_of,
)
from rulekit.cli.main import UsageError
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _

if TYPE_CHECKING:
    from rulekit.cli.terminal.session import Terminal
    from rulekit.engine.game.game import Game
    from rulekit.engine.saves.resume import Resumed
    from rulekit.engine.saves.writer import Keeper


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Plays any game in the terminal. Type `help` at the prompt. Choices can"
        " also come from a pipe, one on each line; `#` begins a\ncomment. An"
        " illegal choice ends the program with exit code 1. A command that has no"
        " effect (`undo`, `total`) does not end it.\nIf all seats are automatic,"
        " the log and the result are printed."
    )
    add_game(parser)
    add_start(parser)
    add_seats(parser)
    parser.add_argument(
        "--save",
        metavar="FILE",
        help=gettext(
            "write the game to a new file while it is played; to continue in a file,"
            " also name it with --load"
        ),
    )
    parser.add_argument(
        "--load",
        metavar="FILE",
        help=gettext("continue a saved game, with its scenario, seed, rulings and seats"),
    )
    parser.add_argument(
        "--auto",
        action="store_true",
        help=gettext("at the end of the input, the random seat continues"),
    )
    parser.add_argument(
        "--free-undo",
        action="store_true",
        help=gettext("take back anything, dice and other players' choices too"),
    )
    parser.add_argument(
        "--ask-all",
        action="store_true",
        help=gettext(
            "ask in every window; otherwise a person who plays alone is not asked"
            " where passing is the only option"
        ),
    )
    parser.add_argument(
        "--quiet", action="store_true", help=gettext("do not print the position before each prompt")
    )
    add_lang(parser)


def run(args: argparse.Namespace) -> int:
    """Set the game up and play it."""
    from rulekit.cli.terminal.console import Settings
    from rulekit.cli.terminal.session import Terminal
    from rulekit.common.i18n.messages import _
    from rulekit.engine.saves import writer
    from rulekit.runtime.seeds import draw_seed

    if "" in (args.save, args.load):
        raise UsageError(_("the name of a file is empty").text(args.lang))
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # invalid bytes match no choice
    game = game_of(args)
    asked = seats_asked(args, game)
    seed = draw_seed() if args.seed is None else args.seed
    begun, keeper = _going_on(args, game, asked) if args.load else (_new(args, game, seed), None)
    if args.save and keeper is None:
        keeper = writer.begin(args.save, begun.recorder.save, game.lang)
    begun.recorder.keep_in(keeper)
    source = sys.stdin or StringIO()  # None if standard input was closed
    interactive = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    settings = Settings(
        begun.seats, seed, args.auto, args.free_undo, interactive, args.ask_all, args.quiet, asked
    )
    terminal = Terminal(game, begun.recorder, settings, source)
    if interactive:
        _equip(terminal)
    try:
        terminal.greet()
        terminal.say(*begun.notes)
        return terminal.play()
    finally:
        terminal.recorder.keep_in(None)


def _equip(terminal: Terminal) -> None:
    """Give a terminal colours and line editing if their libraries are installed (the extra
    `terminal`).
    """
    try:
        from rulekit.cli.terminal.colours import Colours

        terminal.colours = Colours(terminal.state.names, terminal.out)
    except ModuleNotFoundError:
        pass
    try:
        from rulekit.cli.terminal.line_editor import Editor, history_file

        private = len(terminal.humans) > 1 and terminal.state.table.has_secrets
        terminal.editor = Editor(private, history_file())
    except ModuleNotFoundError:
        terminal.note(_("(lines are edited and completed with: pip install 'rulekit[terminal]')"))


def _new(args: argparse.Namespace, game: Game, seed: int) -> Resumed:
    """Return a new game."""
    from rulekit.engine.saves.recorder import Recorder
    from rulekit.engine.saves.resume import Resumed

    seats = seats_of(args, game, "human")
    return Resumed(
        Recorder(game, game.new(scenario_of(args, game), seed, rulings_of(args, game)), seats),
        seats,
        [],
    )


def _going_on(
    args: argparse.Namespace, game: Game, asked: dict[str, str]
) -> tuple[Resumed, Keeper | None]:
    """Return the game of a save. Add its file if the game is to be saved to the same one."""
    from rulekit.engine.saves import writer
    from rulekit.engine.saves.recorder import read_save
    from rulekit.engine.saves.resume import resume

    given = [
        name
        for name in ("scenario", "seed", "edition", "ruling")
        if getattr(args, name) not in (None, [])
    ]
    if given:
        raise UsageError(
            _("--load takes everything from the save: leave out {name}", name=f"--{given[0]}").text(
                game.lang
            )
        )
    if not _same(args.load, args.save):
        return resume(game, read_save(args.load), asked), None
    keeper = writer.proceed(args.load, game.lang)
    try:
        done = resume(game, keeper.save, asked, in_place=True)
    except BaseException:
        keeper.close()
        raise
    if keeper.left:
        done.notes.append(
            _(
                "{who} did not close {file}; everything written so far is there",
                file=args.load,
                who=keeper.left,
            ).text(game.lang)
        )
    return done, keeper


def _same(one: str, other: str | None) -> bool:
    """Return True if two paths are the same file."""
    try:
        return other is not None and os.path.samefile(one, other)
    except (OSError, ValueError):
        return False
