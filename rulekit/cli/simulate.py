"""The command `simulate`: plays many games by itself.

Plays many games, prints results, lengths and victory levels with 95 % confidence intervals. Game number i has the seed N + i. The exit
code is 1 if a game broke a rule of its own (an invariant, a bound, no end)."""

from __future__ import annotations

import argparse
from typing import Any

from rulekit.cli.common import (
    add_game,
    add_json,
    add_lang,
    add_seats,
    add_start,
    game_of,
    rulings_of,
    scenario_of,
    seats_of,
    source_of,
)
from rulekit.cli.main import UsageError
from rulekit.cli.output import Progress, print_json
from rulekit.play.words import filled


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add_game(parser)
    parser.add_argument("--games", type=int, default=100, metavar="N", help="how many (100)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="how many processes (1)")
    parser.add_argument("--coverage", action="store_true", help="also count events, options, cards and modifiers that applied (slower)")
    parser.add_argument("--full", action="store_true", help="record all events and test the invariants after every choice (slower)")
    add_seats(parser)
    add_start(parser, "0")
    add_lang(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Plays and prints."""
    from rulekit.play.simulate import make_order, play, report

    if args.games < 1 or args.jobs < 1:
        raise UsageError(filled(args.lang, "line.from_one", what="--games" if args.games < 1 else "--jobs"))
    game = game_of(args)
    seats = seats_of(args, game, "random")
    if "human" in seats.values():
        raise UsageError(filled(args.lang, "line.no_person"))
    order = make_order(game, args.games, args.seed or 0, scenario_of(args, game), rulings_of(args, game), seats, args.coverage, args.full)
    progress = Progress(args.games)
    tally, seconds = play(game, order, args.jobs, source_of(args), progress.at)
    progress.end()
    data = report(game, order, tally, seconds)
    if args.json:
        print_json(data)
    else:
        _print(game.title, data)
    return 1 if tally.failures else 0


def _shares(title: str, shares: dict[str, Any]) -> None:
    print(f"\n{title}")
    for name, s in shares.items():
        print(f"  {name:32} {s['count']:7} {100 * s['share']:6.1f} %   ({100 * s['low']:.1f} .. {100 * s['high']:.1f})")


def _print(title: str, data: dict[str, Any]) -> None:
    seconds = data["seconds"] or 1e-9
    print(f"{title}, scenario {data['scenario'] or '-'}: {data['games']} games from seed {data['seed']} on, "
          f"{data['decisions']} decisions in {data['seconds']} s ({data['decisions'] / seconds:,.0f} per second)")
    print("seats: " + ", ".join(f"{side} {who}" for side, who in data["seats"].items()))
    _shares("winners", data["results"]["winners"])
    if len(data["results"]["levels"]) > 1:
        _shares("levels", data["results"]["levels"])
        _shares("by winner and level", data["results"]["by_winner"])
    if data["length"]:
        print("\ndecisions per game: " + ", ".join(f"{k} {v}" for k, v in data["length"].items()))
    for name, found in data.get("coverage", {}).items():
        print(f"\n{name}: {len(found['seen'])} occur, {len(found['never'])} never")
        for each, n in sorted(found["seen"].items(), key=lambda item: -item[1]):
            print(f"  {each:40} {n}")
        if found["never"]:
            print("  never: " + ", ".join(found["never"]))
    for failure in data["failures"][:20]:
        print(f"failed: {failure}")
    if data["failures"]:
        print(f"{len(data['failures'])} games failed")
