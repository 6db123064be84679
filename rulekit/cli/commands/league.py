"""The command `league`: lets seats play each other and rates them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rulekit.cli.arguments import add_game, add_lang, add_rulings, add_seed, game_of, rulings_of
from rulekit.cli.commands.simulate import add_jobs, jobs_of, table
from rulekit.cli.main import UsageError, complain
from rulekit.cli.output import give_json
from rulekit.cli.resumable_runs import RESULTS, play_on, told_stopped
from rulekit.common.files import printable
from rulekit.common.i18n.catalog import filled, said
from rulekit.common.i18n.gettext_domain import _

AT_ONCE = 0.0  # write each finished batch at once, because games of searching seats are long


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = _(
        "Plays each pair of seats against each other in all scenarios, N games with either seat on"
        " each side; prints the rating of each\nseat on Elo's scale with its 95-percent interval,"
        " and what it scored. What was played is kept in a folder: the same command goes\non where"
        " another one was stopped, even killed, and more games or seats come to those that are"
        " there. Games of seats that think\nfor seconds are others when they are played again. The"
        " exit code is 1 if a game broke a rule of its own."
    )
    add_game(parser)
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="WHO",
        help=_(
            "a seat: random, greedy, search, search:0.2s (seconds), search:5000 (visits); two at"
            " least"
        ),
    )
    parser.add_argument(
        "--scenario",
        action="append",
        default=[],
        metavar="NAME",
        help=_("a scenario; may be repeated (without it: all)"),
    )
    parser.add_argument(
        "--games",
        type=int,
        default=10,
        metavar="N",
        help=_("of each pair in each scenario, for each way to sit (10)"),
    )
    add_seed(parser, from_zero=True)
    add_rulings(parser)
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help=_("the folder that keeps what was played (without it: NAME.league)"),
    )
    add_jobs(parser, engine=False)
    add_lang(parser)
    parser.add_argument(
        "--json",
        nargs="?",
        const="-",
        metavar="FILE",
        help=_(
            "write one JSON object with stable keys to a file; -: print it instead of the table"
        ),
    )


def run(args: argparse.Namespace) -> int:
    """Play the missing games and print."""
    from rulekit.common.errors import RulekitError
    from rulekit.experiments.executor import Job
    from rulekit.experiments.league import ask_same_game, league_of, standings
    from rulekit.experiments.run_folder import head_of, opened

    jobs_of(args)  # report errors before anything is played
    if args.games < 1:
        raise UsageError(filled(args.lang, "line.from_one", what="--games"))
    game = game_of(args)
    rulings = rulings_of(args, game)
    out = Path(args.out) if args.out else Path(f"{game.name}.league")
    try:
        league = league_of(game, args.seat, args.games, args.seed or 0, args.scenario, rulings)
        left_out = ask_same_game(league, out / RESULTS)
    except RulekitError as error:
        raise UsageError(said(args.lang, error)) from None
    orders = [meeting.order for meeting in league.meetings]
    heads = [head_of(game, order, tuple(args.overlay)) for order in orders]
    many = [order.games for order in orders]
    if left_out:
        complain(
            filled(
                args.lang,
                "league.fewer",
                file=printable(str(out / RESULTS)),
                seats=", ".join(left_out),
            )
        )
    with opened(out, heads, many, AT_ONCE) as folder:
        went = play_on(args, folder, [game], [Job(order) for order in orders], many)
        tallies = [kept.tally for kept in folder.runs]
        data = standings(league, tallies)
        if not went.stopped:
            folder.settle()
            give_json(data, str(out / RESULTS))
    if args.json != "-":
        show(game.title, data, args.lang)
        print(filled(args.lang, "league.kept", folder=printable(str(out))))
        for failure in [each for tally in tallies for each in tally.failures][:20]:
            print(filled(args.lang, "study.failed", what=failure))
    if args.json:
        give_json(data, args.json)
    if went.stopped:
        return told_stopped(args.lang, went)
    return 1 if data["failed"] else 0


def show(title: str, data: dict[str, Any], lang: str) -> None:
    """Print the standings as tables."""

    def say(key: str, **params: Any) -> str:
        return filled(lang, f"league.{key}", **{name: str(value) for name, value in params.items()})

    interval = filled(lang, "study.interval")
    counted = say("games"), say("won"), say("drawn"), say("lost"), say("score"), interval
    print(say("head", title=title, n=len(data["table"]), games=data["games"]))
    table(
        (say("seat"), "Elo", interval, *counted),
        [
            (
                each["seat"],
                f"{each['elo']:+.0f}",
                f"{each['low']:+.0f} .. {each['high']:+.0f}",
                *_cells(each),
            )
            for each in sorted(data["table"], key=lambda each: -each["elo"])
        ],
    )
    table(
        (say("seat"), say("against"), *counted),
        [(each["seat"], each["against"], *_cells(each)) for each in data["pairs"]],
        2,
    )
    table(
        (say("scenario"), say("side"), say("seat"), *counted),
        [
            (each["scenario"] or "-", each["side"], each["seat"], *_cells(each))
            for each in data["sides"]
        ],
        3,
    )
    print()
    for key in ("mean", *(key for key in ("prior", "timed") if data[key])):
        print(say(key))


def _cells(found: dict[str, Any]) -> tuple[str, ...]:
    return (
        *(f"{found[key]}" for key in ("games", "won", "drawn", "lost")),
        f"{100 * found['score']:.1f} %",
        f"{100 * found['score_low']:.1f} .. {100 * found['score_high']:.1f}",
    )
