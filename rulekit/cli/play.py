"""The command `play`: plays a game in the terminal.

Plays a game in the terminal, for any game. Type `help` at the prompt. Choices are read from a pipe as well: one a line, `#` begins a
comment; an illegal choice ends with exit code 1, a command that can do nothing (`undo`, `total`) does not. With all seats automatic it
prints the log and the result."""

from __future__ import annotations

import argparse
import secrets
import sys
from io import TextIOWrapper
from pathlib import Path

from rulekit.cli.common import add_game, add_lang, add_seats, add_start, game_of, rulings_of, scenario_of, seats_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add_game(parser)
    add_start(parser)
    add_seats(parser)
    parser.add_argument("--save", metavar="FILE", help="write the game to a file as it is played")
    parser.add_argument("--load", metavar="FILE", help="go on from a saved game")
    parser.add_argument("--auto", action="store_true", help="when the input ends, the random seat goes on")
    parser.add_argument("--free-undo", action="store_true", help="take back anything, dice and other players' choices too")
    parser.add_argument("--ask-all", action="store_true",
                        help="ask in every window; without it a person who plays alone is not asked where he can only pass")
    parser.add_argument("--quiet", action="store_true", help="do not print the position before each prompt")
    add_lang(parser)


def run(args: argparse.Namespace) -> int:
    """Sets the game up and plays it."""
    from rulekit.cli.desk import Settings
    from rulekit.cli.resume import resume
    from rulekit.cli.terminal import Terminal
    from rulekit.play.saves import Recorder

    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # what is no text is no choice
    game = game_of(args)
    seats = seats_of(args, game, "human")
    seed = args.seed if args.seed is not None else secrets.randbits(48)
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    if args.load:
        recorder = resume(game, Path(args.load), seats)
    else:
        recorder = Recorder(game, game.new(scenario_of(args, game), seed, rulings_of(args, game)), seats)
    settings = Settings(seats, seed, args.auto, args.free_undo, interactive, args.ask_all, args.quiet)
    terminal = Terminal(game, recorder, settings, sys.stdin)
    terminal.greet(game.title)
    if not args.save:
        return terminal.play()
    with open(args.save, "w", encoding="utf-8") as file:
        recorder.write_to(file)
        terminal.saved = file
        return terminal.play()
