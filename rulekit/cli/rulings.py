"""The command `rulings`: lists the rulings of a game.

Lists the points where the rule book leaves a question open, the alternatives, and the one that holds unless another is chosen."""

from __future__ import annotations

import argparse

from rulekit.cli.common import add_game, add_json, game_of
from rulekit.cli.output import print_json


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add_game(parser)
    parser.add_argument("-k", metavar="WORD", default="", help="only those in which the word occurs")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Prints the list."""
    game = game_of(args)
    word = args.k.casefold()
    chosen = [r for r in game.info.rulings if word in f"{r.name} {r.question} {r.reason} {' '.join((*r.ref, *r.inventory))}".casefold()]
    if args.json:
        print_json({"rulings": [{"name": r.name, "alternatives": list(r.alternatives), "default": r.default, "question": r.question,
                                 "reason": r.reason, "ref": list(r.ref), "inventory": list(r.inventory)} for r in chosen],
                    "editions": game.info.editions})
        return 0
    for ruling in chosen:
        print(f"{ruling.name}  [{', '.join((*ruling.ref, *ruling.inventory))}]\n  {ruling.question}")
        for name in ruling.alternatives or (ruling.default,):
            mark = "*" if name == ruling.default else " "
            print(f"  {mark} {name}: {ruling.texts.get(name, '')}".rstrip(": "))
        if ruling.reason:
            print(f"    because: {ruling.reason}")
    for name, set_of in game.info.editions.items():
        print(f"edition {name}: " + ", ".join(f"{k}={v}" for k, v in set_of.items()))
    live = sum(1 for r in chosen if r.alternatives)
    print(f"{len(chosen)} rulings, {live} of them with alternatives (choose with --ruling NAME=ALTERNATIVE)")
    return 0
