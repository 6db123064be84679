"""The command `league`: lets seats play each other and rates them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rulekit.cli.arguments import add_game, add_lang, add_rulings, add_seed, game_of, rulings_of
from rulekit.cli.commands.simulate import add_jobs, jobs_of, table
from rulekit.cli.main import UsageError, complain
from rulekit.cli.output import give_json
from rulekit.cli.resumable_runs import RESULTS, play_on, report_stopped
from rulekit.common.files import printable
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import Message, _, ngettext
from rulekit.common.i18n.reasons import error_text

AT_ONCE = 0.0  # write each finished batch at once, because games of searching seats are long

_NOTES = {
    "mean": _("Elo: 0 is the mean of these seats; a draw counts as half a win."),
    "prior": _(
        "Some seats won nothing against the others. Their distance would be"
        " infinite, so half a draw against the mean was added for each seat. The"
        " real distance may be larger."
    ),
    "timed": _("Seats with a time limit play differently each time, and worse on a busy machine."),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Plays each pair of seats against each other in all scenarios: N games"
        " for each way to assign the two seats to the sides.\nPrints the Elo"
        " rating of each seat with its 95-percent interval, and its score. The"
        " games are kept in a folder. If the command\nis stopped or killed, the"
        " same command continues. You can add games and seats later. Seats with a"
        " time limit play differently\neach time. The exit code is 1 if a game"
        " broke one of its own rules."
    )
    add_game(parser)
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="WHO",
        help=gettext(
            "a seat: random, greedy, search, search:0.2s (seconds), search:5000"
            " (visits); name at least two"
        ),
    )
    parser.add_argument(
        "--scenario",
        action="append",
        default=[],
        metavar="NAME",
        help=gettext("a scenario; may be repeated (without it: all)"),
    )
    parser.add_argument(
        "--games",
        type=int,
        default=10,
        metavar="N",
        help=gettext("number of games for each pair, scenario and way to assign the sides (10)"),
    )
    add_seed(parser, from_zero=True)
    add_rulings(parser)
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help=gettext("folder for the games (default: NAME.league)"),
    )
    add_jobs(parser, engine=False)
    add_lang(parser)
    parser.add_argument(
        "--json",
        nargs="?",
        const="-",
        metavar="FILE",
        help=gettext(
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
        raise UsageError(_("{what} needs a number of at least 1", what="--games").text(args.lang))
    game = game_of(args)
    rulings = rulings_of(args, game)
    out = Path(args.out) if args.out else Path(f"{game.name}.league")
    try:
        league = league_of(game, args.seat, args.games, args.seed or 0, args.scenario, rulings)
        left_out = ask_same_game(league, out / RESULTS)
    except RulekitError as error:
        raise UsageError(error_text(args.lang, error)) from None
    orders = [meeting.order for meeting in league.meetings]
    heads = [head_of(game, order, tuple(args.overlay)) for order in orders]
    many = [order.games for order in orders]
    if left_out:
        complain(
            _(
                "{file} is rewritten without {seats}; their games are kept, and"
                " count again if you name the seats",
                file=printable(str(out / RESULTS)),
                seats=", ".join(left_out),
            ).text(args.lang)
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
        print(_("kept in {folder}", folder=printable(str(out))).text(args.lang))
        for failure in [each for tally in tallies for each in tally.failures][:20]:
            print(_("failed: {what}", what=failure).text(args.lang))
    if args.json:
        give_json(data, args.json)
    if went.stopped:
        return report_stopped(args.lang, went)
    return 1 if data["failed"] else 0


def show(title: str, data: dict[str, Any], lang: str) -> None:
    """Print the standings as tables."""

    def say(message: Message) -> str:
        return message.text(lang)

    interval = _("95-percent interval").text(lang)
    counted = (
        say(_("games")),
        say(_("won")),
        say(_("drawn")),
        say(_("lost")),
        say(_("score")),
        interval,
    )
    games = ngettext("{n} game", "{n} games", data["games"])
    seats = ngettext("{n} seat", "{n} seats", len(data["table"]))
    print(say(_("{title}: {seats}, {games}", title=title, seats=seats, games=games)))
    table(
        (say(_("seat")), "Elo", interval, *counted),
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
        (say(_("seat")), say(_("against")), *counted),
        [(each["seat"], each["against"], *_cells(each)) for each in data["pairs"]],
        2,
    )
    table(
        (say(_("scenario")), say(_("side")), say(_("seat")), *counted),
        [
            (each["scenario"] or "-", each["side"], each["seat"], *_cells(each))
            for each in data["sides"]
        ],
        3,
    )
    print()
    for key, note in _NOTES.items():
        if key == "mean" or data[key]:
            print(say(note))


def _cells(found: dict[str, Any]) -> tuple[str, ...]:
    return (
        *(f"{found[key]}" for key in ("games", "won", "drawn", "lost")),
        f"{100 * found['score']:.1f} %",
        f"{100 * found['score_low']:.1f} .. {100 * found['score_high']:.1f}",
    )
