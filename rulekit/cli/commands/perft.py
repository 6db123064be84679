"""The command `perft`: counts the nodes of the decision tree."""

from __future__ import annotations

import argparse

from rulekit.cli.arguments import (
    add_game,
    add_json,
    add_lang,
    add_start,
    game_of,
    rulings_of,
    scenario_of,
)
from rulekit.cli.main import UsageError
from rulekit.cli.output import print_json
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Counts the positions of the decision tree at each depth, each choice one step. The dice"
        " are those of the seed."
    )
    add_game(parser)
    parser.add_argument("--depth", type=int, required=True, metavar="N", help=gettext("how deep"))
    add_start(parser, from_zero=True)
    add_lang(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Count and print."""
    from rulekit.engine.testing.perft import perft

    if args.depth < 1:
        raise UsageError(_("{what} needs a number of at least 1", what="--depth").text(args.lang))
    game = game_of(args)
    program = game.program(scenario_of(args, game), rulings_of(args, game))
    counts = perft(program, args.depth, args.seed or 0)
    if args.json:
        print_json({"depth": args.depth, "leaves": counts[-1], "per_depth": counts})
    else:
        for depth, leaves in enumerate(counts, 1):
            print(f"{depth:4} {leaves}")
    return 0
