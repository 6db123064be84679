"""The command `simulate`: plays many games automatically."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulekit.cli.arguments import (
    add_game,
    add_lang,
    add_seats,
    add_start,
    game_of,
    rulings_of,
    scenario_of,
    seats_of,
)
from rulekit.cli.main import UsageError
from rulekit.cli.output import give_json
from rulekit.cli.progress import Progress
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import Message, Param, _, ngettext

if TYPE_CHECKING:
    from rulekit.engine.game.game import Game
    from rulekit.engine.simulation.ranges import Order
    from rulekit.experiments.executor import Executor, Job
    from rulekit.experiments.run import Run

MAX_JOBS_DIGITS = 4  # of the number of processes
STOPPED = 130
SAMPLE = 20  # for a report, one game in this many is recorded


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Plays many games, on all processor cores if that is faster. Prints"
        " results, lengths, scores and victory levels with 95-percent\nconfidence"
        " intervals. Game number i has the seed N + i. The results do not depend"
        " on the number of processes or the engine.\nThe exit code is 1 if a game"
        " broke one of its own rules (an invariant, a bound, no end)."
    )
    add_game(parser)
    parser.add_argument(
        "--games", type=int, default=100, metavar="N", help=gettext("how many (100)")
    )
    add_jobs(parser)
    parser.add_argument(
        "--coverage",
        action="store_true",
        help=gettext("also count events, options, cards and modifiers that applied (slower)"),
    )
    parser.add_argument(
        "--sample", type=int, metavar="N", help=gettext("count these in every Nth game only")
    )
    parser.add_argument(
        "--verify",
        type=int,
        metavar="N",
        help=gettext(
            "also play the first N games choice by choice in Python and in the native module, and"
            " compare everything"
        ),
    )
    parser.add_argument(
        "--full",
        action="store_true",
        help=gettext("record all events and test the invariants after every choice (slower)"),
    )
    add_seats(parser)
    add_start(parser, from_zero=True)
    add_lang(parser)
    add_outputs(parser)


def add_jobs(parser: argparse.ArgumentParser, engine: bool = True) -> None:
    """Declare the number of processes. With `engine`, also declare the choice of the engine."""
    parser.add_argument(
        "--jobs",
        default="auto",
        metavar="N",
        help=gettext("how many processes (auto: one for each core)"),
    )
    if engine:
        parser.add_argument(
            "--engine",
            choices=("auto", "native", "python"),
            default="auto",
            help=gettext(
                "native: use the game's WebAssembly module; auto: use it if possible and"
                " if there is enough to play (auto)"
            ),
        )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help=gettext("play on a Ray cluster; local: one of this machine's own"),
    )


def add_outputs(parser: argparse.ArgumentParser) -> None:
    """Declare the output files besides the table."""
    parser.add_argument(
        "--json",
        nargs="?",
        const="-",
        metavar="FILE",
        help=gettext(
            "write one JSON object with stable keys to a file; -: print it instead of the table"
        ),
    )
    parser.add_argument(
        "--report",
        metavar="FILE",
        help=gettext(
            "write a page with plots to a file (HTML); without --sample, every 20th game is watched"
        ),
    )


def run(args: argparse.Namespace) -> int:
    """Play and print."""
    from rulekit.engine.simulation.ranges import make_order, report
    from rulekit.engine.simulation.tally import Tally
    from rulekit.experiments.executor import Done, GameBatch, Job
    from rulekit.experiments.run import Run
    from rulekit.experiments.scheduler import Sums, work_off

    jobs = jobs_of(args)
    _check_numbers(args)
    ask_plots(args)
    game = game_of(args)
    seats = seats_of(args, game, "random")
    if "human" in seats.values():
        raise UsageError(_("a person cannot sit in a simulation").text(args.lang))
    order = make_order(
        game,
        args.games,
        args.seed or 0,
        scenario_of(args, game),
        rulings_of(args, game),
        seats,
        watched_of(args),
        args.full,
    )
    plays = [Job(order, engine=args.engine)]
    ask_native([game], plays)
    sums, begin, stopped = Sums([Tally()]), time.perf_counter(), False
    executor = executor_of(args, [game], plays, jobs)
    with Progress(args.games, args.lang) as progress:

        def heard(done: Done) -> None:
            sums.hear(done)
            progress.at(sums.games)

        try:
            work_off([game], plays, [GameBatch(0, 0, args.games)], heard, jobs, executor)
        except KeyboardInterrupt:
            stopped = True
    data = report(game, order, sums.tallies[0], time.perf_counter() - begin)
    data["natively"] = sums.natively
    if args.json != "-":
        show(game.title, data, args.lang)
    print(engine_text(args, [game], plays, sums.games, sums.natively), file=sys.stderr)
    if args.json:
        give_json(data, args.json)
    if args.report:
        write_report(args, [Run(game, order, sums.tallies[0], args.edition, tuple(args.overlay))])
    differs = False if stopped else _verify(args, game, order)
    if stopped:
        from rulekit.cli.main import complain

        complain(
            _(
                "stopped early; games counted: {n} of {all}",
                n=str(sums.games),
                all=str(args.games),
            ).text(args.lang)
        )
        return STOPPED
    return 1 if sums.tallies[0].failed or differs else 0


def _verify(args: argparse.Namespace, game: Game, order: Order) -> bool:
    """Compare games in the native module with Python. Print their number or the first difference.
    Return True if there is a difference.
    """
    if not args.verify:
        return False
    from rulekit.engine.testing.native_crosscheck import Verifier

    verifier, decisions = Verifier(game.wasm_instance(order.scenario, order.rulings)), 0
    for seed in range(order.seed, order.seed + args.verify):
        count, what = verifier.game(seed)
        decisions += count
        if what:
            choices = ngettext("{n} choice", "{n} choices", count)
            print(
                _(
                    "seed {seed}, after {choices}: {what}", seed=seed, choices=choices, what=what
                ).text(args.lang)
            )
            return True
    print(
        ngettext(
            "{n} game ({decisions}) compared with Python after every choice: no difference",
            "{n} games ({decisions}) compared with Python after every choice: no difference",
            args.verify,
            decisions=ngettext("{n} decision", "{n} decisions", decisions),
        ).text(args.lang),
        file=sys.stderr,
    )
    return False


def jobs_of(args: argparse.Namespace) -> int:
    """Return the number of processes, AUTO for one for each core."""
    from rulekit.experiments.scheduler import AUTO

    if args.jobs == "auto":
        return AUTO
    if not args.jobs.isdecimal() or len(args.jobs) > MAX_JOBS_DIGITS or int(args.jobs) < 1:
        raise UsageError(_("--jobs needs a number of at least 1, or auto").text(args.lang))
    return int(args.jobs)


def ask_native(games: Sequence[Game], jobs: Sequence[Job]) -> None:
    """With the engine `native`, raise the error of a game that cannot run natively before anything
    is played.
    """
    from rulekit.engine.simulation.native_ranges import NATIVE, native_ranges

    for job in jobs:
        if job.engine == NATIVE:
            native_ranges(games[job.game], job.order)


def engine_text(
    args: argparse.Namespace, games: Sequence[Game], jobs: Sequence[Job], played: int, natively: int
) -> str:
    """Return the number of games played natively as text, with the reason if there were none."""
    from rulekit.common.i18n.reasons import reason
    from rulekit.engine.simulation.native_ranges import PYTHON, native_ranges
    from rulekit.runtime.wasm.instance import NotNative

    if natively == played:
        return ngettext("played natively: {n} game", "played natively: {n} games", natively).text(
            args.lang
        )
    if natively:
        return ngettext(
            "played natively: {n} game; in Python: {python}",
            "played natively: {n} games; in Python: {python}",
            natively,
            python=str(played - natively),
        ).text(args.lang)
    if args.engine == PYTHON:
        return _("played in Python: {why}", why=_("as asked for")).text(args.lang)
    why: Param = ""
    for job in jobs:
        try:
            native_ranges(games[job.game], job.order, make=False)
        except NotNative as error:
            why = reason(error)
            break
    return _("played in Python: {why}", why=why).text(args.lang)


def executor_of(
    args: argparse.Namespace, games: Sequence[Game], jobs: Sequence[Job], processes: int
) -> Executor | None:
    """Return the executor of a cluster, if one is named."""
    if args.cluster is None:
        return None
    from rulekit.experiments.ray_executor import Cluster

    return Cluster(args.cluster, games, jobs, processes)


def watched_of(args: argparse.Namespace) -> int:
    """Return n if every nth game is recorded, 0 if none is."""
    if args.sample:
        return int(args.sample)
    return 1 if args.coverage else SAMPLE if args.report else 0


def ask_plots(args: argparse.Namespace) -> None:
    """Check for the library of a report before hours of play."""
    if args.report:
        from rulekit.experiments.plots import ask_library

        ask_library()


def write_report(args: argparse.Namespace, entries: Sequence[Run], title: str = "") -> None:
    """Write the page with plots."""
    from rulekit.common.files import printable, write_whole
    from rulekit.experiments.report import page

    write_whole(Path(args.report), page(entries, title).encode())
    print(_("{file} written", file=printable(args.report)).text(args.lang), file=sys.stderr)


def _check_numbers(args: argparse.Namespace) -> None:
    for name, number in (
        ("--games", args.games),
        ("--sample", args.sample),
        ("--verify", args.verify),
    ):
        if number is not None and number < 1:
            raise UsageError(_("{what} needs a number of at least 1", what=name).text(args.lang))


# ---------------------------------------------------------------------------------------- the table
def show(title: str, data: dict[str, Any], lang: str) -> None:
    """Print results as tables."""
    from rulekit.experiments.run import RESULT_HEADS, SORT_HEADS, SUMMARY_HEADS, games_failed

    def say(message: Message) -> str:
        return message.text(lang)

    seconds = data["seconds"] or 1e-9
    print(
        say(
            _(
                "{title}, scenario {scenario}: {games} from seed {seed} on,"
                " {decisions} in {seconds} s ({rate} games a second)",
                title=title,
                scenario=data["scenario"] or "-",
                games=ngettext("{n} game", "{n} games", data["games"]),
                seed=data["seed"],
                decisions=ngettext("{n} decision", "{n} decisions", data["decisions"]),
                seconds=data["seconds"],
                rate=f"{data['games'] / seconds:,.0f}",
            )
        )
    )
    print(
        say(
            _(
                "seats: {what}",
                what=", ".join(f"{side} {who}" for side, who in data["seats"].items()),
            )
        )
    )
    heads = (
        ("winners",) if len(data["results"]["levels"]) <= 1 else ("winners", "levels", "by_winner")
    )
    for head in heads:
        shares = [
            (name.replace("nobody", say(_("nobody"))), f"{s['count']}", *percents(s))
            for name, s in data["results"][head].items()
        ]
        table(
            (
                say(RESULT_HEADS[head]),
                say(_("games")),
                say(_("share")),
                say(_("95-percent interval")),
            ),
            shares,
        )
    numbers = {
        say(_("decisions per game")): data["length"],
        say(_("turns per game")): data["turns"],
    }
    if data["score"]:
        numbers |= {
            say(_("{total} at the end, {side}", total=data["score"]["total"], side=side)): found
            for side, found in data["score"]["final"].items()
        }
    table(
        ("", *map(say, SUMMARY_HEADS.values())),
        [
            (name, *(f"{found[key]}" for key in SUMMARY_HEADS))
            for name, found in numbers.items()
            if found
        ],
    )
    for sort, found in data.get("coverage", {}).items():
        print(
            "\n"
            + say(
                _(
                    "{what}: {n} occurred, {m} never (watched games: {games})",
                    what=say(SORT_HEADS[sort]),
                    n=len(found["seen"]),
                    m=len(found["never"]),
                    games=data["watched"]["games"],
                )
            )
        )
        rows = [
            (name, str(n), str(found["games"][name]))
            for name, n in sorted(found["seen"].items(), key=lambda item: -item[1])
        ]
        for library in ("", *sorted(set(found["libraries"].values()))):
            table(
                (
                    say(_("library {name}: {what}", name=library, what=say(SORT_HEADS[sort])))
                    if library
                    else say(SORT_HEADS[sort]),
                    say(_("times")),
                    say(_("in games")),
                ),
                [row for row in rows if found["libraries"].get(row[0], "") == library],
            )
            never = ", ".join(
                name for name in found["never"] if found["libraries"].get(name, "") == library
            )
            if never:
                never_text = say(_("never: {what}", what=never))
                print(
                    "  "
                    + (
                        say(_("library {name}: {what}", name=library, what=never_text))
                        if library
                        else never_text
                    )
                )
    for failure in data["failures"][:20]:
        print(say(_("failed: {what}", what=failure)))
    if data["failed"]:
        print(say(games_failed(data["failed"])))


def percents(found: dict[str, Any]) -> tuple[str, str]:
    """Return a share and its interval as percentages."""
    return f"{100 * found['share']:.1f} %", f"{100 * found['low']:.1f} .. {100 * found['high']:.1f}"


def table(head: Iterable[str], rows: Sequence[tuple[str, ...]], words: int = 1) -> None:
    """Print an empty line and columns."""
    if rows:
        print("", *columns(head, rows, words), sep="\n")


def columns(head: Iterable[str], rows: Sequence[tuple[str, ...]], words: int = 1) -> list[str]:
    """Return aligned lines. The first `words` columns are aligned to the left, and the others,
    which are numbers, to the right.
    """
    lines = [tuple(head), *rows]
    wide = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    out = []
    for line in lines:
        cells = [
            cell.ljust(w) if i < words else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(line, wide, strict=True))
        ]
        out.append("  " + "   ".join(cells).rstrip())
    return out
