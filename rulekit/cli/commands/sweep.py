"""The command `sweep`: simulates a game under many settings and compares the results."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulekit.cli.arguments import add_lang
from rulekit.cli.commands.simulate import (
    add_jobs,
    add_outputs,
    ask_native,
    ask_plots,
    engine_text,
    jobs_of,
    percents,
    table,
    write_report,
)
from rulekit.cli.main import UsageError
from rulekit.cli.output import give_json
from rulekit.cli.resumable_runs import RESULTS, play_on, report_stopped
from rulekit.common.files import printable
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _, ngettext

if TYPE_CHECKING:
    from rulekit.experiments.run import Run

_HEADS = (
    _("run"),
    _("winners"),
    _("games"),
    _("won"),
    _("share"),
    _("95-percent interval"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Plays many games under each combination of scenarios, rulings, seats and"
        " corrections in a YAML file. The games are kept in a\nfolder. If the"
        " command is stopped or killed, the same command continues, and its final"
        " files are the same, byte for byte. The\nexit code is 1 if a game broke"
        " one of its own rules."
    )
    parser.add_argument("file", metavar="FILE", help=gettext("the file of the sweep (YAML)"))
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help=gettext("folder for the games (default: FILE with .sweep instead of .yaml)"),
    )
    add_jobs(parser)
    add_lang(parser)
    add_outputs(parser)


def run(args: argparse.Namespace) -> int:
    """Play the missing games and print."""
    from rulekit.experiments.executor import Job
    from rulekit.experiments.run import Run
    from rulekit.experiments.run_folder import head_of, opened
    from rulekit.experiments.sweep import plan_of

    path = Path(args.file)
    if not path.is_file():
        raise UsageError(_("there is no file {file}", file=repr(args.file)).text(args.lang))
    jobs_of(args)  # report errors before the file is read
    ask_plots(args)
    plan = plan_of(path, args.lang)
    out = Path(args.out) if args.out else path.with_suffix(".sweep")
    heads = [head_of(plan.games[run.game], run.order, run.overlays) for run in plan.runs]
    many = [run.order.games for run in plan.runs]
    plays = [Job(run.order, run.game, args.engine) for run in plan.runs]
    ask_native(plan.games, plays)
    with opened(out, heads, many) as folder:
        went = play_on(args, folder, plan.games, plays, many)
        entries = [
            Run(plan.games[run.game], run.order, kept.tally, run.edition, run.overlays)
            for run, kept in zip(plan.runs, folder.runs, strict=True)
        ]
        title = plan.title or entries[0].title
        data = {"title": title, "runs": [entry.to_json() for entry in entries]}
        if not went.stopped:
            folder.settle()
            give_json(data, str(out / RESULTS))
    if args.json != "-":
        print(
            _(
                "{title}: {runs}, {games} each, in {folder}",
                title=title,
                runs=ngettext("{n} run", "{n} runs", len(entries)),
                games=ngettext("{n} game", "{n} games", many[0]),
                folder=printable(str(out)),
            ).text(args.lang)
        )
        _compare(entries, data["runs"])
    if went.played:
        print(engine_text(args, plan.games, plays, went.played, went.natively), file=sys.stderr)
    if args.json:
        give_json(data, args.json)
    if args.report:
        write_report(args, entries, title)
    if went.stopped:
        return report_stopped(args.lang, went)
    return 1 if any(entry.tally.failed for entry in entries) else 0


def _compare(entries: list[Run], runs: Any) -> None:
    """Print a line for each run and winner. The run is named by the settings in which the runs
    differ.
    """
    from rulekit.experiments.run import names_of

    first = entries[0]
    lines = [
        (name, entry.side(who), str(run["games"]), str(found["count"]), *percents(found))
        for name, entry, run in zip(names_of(entries), entries, runs, strict=True)
        for who, found in run["results"]["winners"].items()
    ]
    table(
        list(map(first.say, _HEADS)),
        lines,
        2,
    )
    for entry in entries:
        for failure in entry.tally.failures[:20]:
            print(first.say(_("failed: {what}", what=failure)))
