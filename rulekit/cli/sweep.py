"""The command `sweep`: simulates a game under many settings, and compares."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulekit.base.files import printable
from rulekit.cli.common import add_lang
from rulekit.cli.languages import _
from rulekit.cli.main import UsageError, complain
from rulekit.cli.output import give_json
from rulekit.cli.progress import Progress
from rulekit.cli.simulate import (
    STOPPED,
    add_jobs,
    add_outputs,
    ask_native,
    ask_plots,
    crew_of,
    engine_told,
    jobs_of,
    percents,
    table,
    write_report,
)
from rulekit.play.words import filled

if TYPE_CHECKING:
    from rulekit.study.entry import Entry

RESULTS = "results.json"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.description = _(
        "Plays many games under each combination of scenarios, rulings, seats and corrections that a YAML file names. What was played is\n"
        "kept in a folder: the same command goes on where another one was stopped, even killed, and ends with the same bytes. The exit\n"
        "code is 1 if a game broke a rule of its own.")
    parser.add_argument("file", metavar="FILE", help=_("the file of the sweep (YAML)"))
    parser.add_argument("--out", metavar="FOLDER",
                        help=_("the folder that keeps what was played (without it: FILE without .yaml, with .sweep)"))
    add_jobs(parser)
    add_lang(parser)
    add_outputs(parser)


def run(args: argparse.Namespace) -> int:
    """Plays what is not played yet, and prints."""
    from rulekit.study.crew import Done, Job
    from rulekit.study.entry import Entry
    from rulekit.study.keep import head_of, opened
    from rulekit.study.sweep import plan_of
    from rulekit.study.work import work_off

    path = Path(args.file)
    if not path.is_file():
        raise UsageError(filled(args.lang, "line.nothing_there", file=repr(args.file)))
    jobs = jobs_of(args)
    ask_plots(args)
    plan = plan_of(path, args.lang)
    out = Path(args.out) if args.out else path.with_suffix(".sweep")
    programs = [plan.games[run.game].program(run.order.scenario, run.order.rulings) for run in plan.runs]
    heads = [head_of(run.order, program.name, program.rules, run.overlays) for run, program in zip(plan.runs, programs, strict=True)]
    many = [run.order.games for run in plan.runs]
    plays = [Job(run.order, run.game, args.engine) for run in plan.runs]
    ask_native(plan.games, plays)
    stopped = False
    with opened(out, heads, many) as folder:
        gaps = [gap for at, kept in enumerate(folder.runs) for gap in kept.gaps(at, many[at])]
        before = sum(many) - sum(gap.end - gap.begin for gap in gaps)
        if before and gaps:
            print(filled(args.lang, "study.goes_on", n=f"{before:,}", all=f"{sum(many):,}"), file=sys.stderr)
        crew = crew_of(args, plan.games, plays, jobs) if gaps else None
        with Progress(sum(many) - before, args.lang) as progress:
            played = natively = 0

            def heard(done: Done) -> None:
                nonlocal played, natively
                folder.hear(done)
                played += done.piece.end - done.piece.begin
                natively += done.natively
                progress.at(played)

            try:
                work_off(plan.games, plays, gaps, heard, jobs, crew)
            except KeyboardInterrupt:
                stopped = True
        entries = [Entry(plan.games[run.game], run.order, kept.tally, run.edition, run.overlays)
                   for run, kept in zip(plan.runs, folder.runs, strict=True)]
        title = plan.title or entries[0].title
        data = {"title": title, "runs": [entry.to_json() for entry in entries]}
        if not stopped:
            folder.settle()
            give_json(data, str(out / RESULTS))
    if args.json != "-":
        print(filled(args.lang, "study.swept", title=title, runs=str(len(entries)), games=str(many[0]), folder=printable(str(out))))
        _compare(entries, data["runs"])
    if played:
        print(engine_told(args, plan.games, plays, played, natively), file=sys.stderr)
    if args.json:
        give_json(data, args.json)
    if args.report:
        write_report(args, entries, title)
    if stopped:
        complain(filled(args.lang, "study.stopped", n=str(before + played), all=str(sum(many)))
                 + filled(args.lang, "semicolon") + filled(args.lang, "study.again"))
        return STOPPED
    return 1 if any(entry.tally.failed for entry in entries) else 0


def _compare(entries: list[Entry], runs: Any) -> None:
    """A line for each run and winner, under what tells the runs from each other."""
    from rulekit.study.entry import names_of

    first = entries[0]
    lines = [(name, entry.side(who), str(run["games"]), str(found["count"]), *percents(found))
             for name, entry, run in zip(names_of(entries), entries, runs, strict=True)
             for who, found in run["results"]["winners"].items()]
    table([first.word(head) for head in ("run", "winners", "games", "won", "share", "interval")], lines, 2)
    for entry in entries:
        for failure in entry.tally.failures[:20]:
            print(first.word("failed", what=failure))
