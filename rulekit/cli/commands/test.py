"""The command `test`: runs the situations of games."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from attrs import evolve

from rulekit.cli.arguments import add_edition, add_json, add_lang, edition_of, folder_of
from rulekit.cli.main import UsageError, complain
from rulekit.cli.output import count, diagnostic_json, print_diagnostics, print_json
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.files import printable
from rulekit.common.gc_pause import paused
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _
from rulekit.compiler.source.folder_inventory import report_situations
from rulekit.engine.game.game import Game
from rulekit.engine.search.agent_registry import searching
from rulekit.engine.testing.runner import Case, Expected, Outcome
from rulekit.engine.testing.runner import run as run_case


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Runs the situations in `situations/*.yaml` of games. With --situations"
        " and --game, runs the named files against the named\ngame. A situation"
        " that fails prints each expectation that was not met, and the decision"
        " where the game stopped. A situation\nthat cannot be run is reported, and"
        " the others are still run. `--coverage` lists the paragraphs and ids of"
        " the rules inventory\nwith the situations that reach them. The exit code"
        " is 1 if no situation reaches one of them and no reason is given."
        "\n`--edition` runs all situations under its rulings, except the rulings"
        " that a situation sets itself."
    )
    parser.add_argument(
        "path",
        nargs="*",
        metavar="PATH",
        help=gettext("folder of a game, or the name of one that is installed"),
    )
    parser.add_argument(
        "--situations",
        nargs="+",
        metavar="FILE",
        help=gettext("situation files, instead of the game's own"),
    )
    parser.add_argument(
        "--game", metavar="PATH", help=gettext("the game that --situations are run with")
    )
    parser.add_argument(
        "-k",
        metavar="WORD",
        default="",
        help=gettext("only those with the word in their name, reference or id"),
    )
    parser.add_argument(
        "--coverage",
        action="store_true",
        help=gettext("list what the situations reach, by paragraph and id"),
    )
    parser.add_argument(
        "-v", "--verbose", action="store_true", help=gettext("name the situations that pass too")
    )
    parser.add_argument(
        "--seats",
        type=int,
        nargs="?",
        const=0,
        metavar="N",
        help=gettext(
            "also ask the seats that search, N times each (without N: as often as the"
            " situation says)"
        ),
    )
    add_edition(parser)
    add_lang(parser)
    add_json(parser)


def _plan(args: argparse.Namespace) -> list[tuple[Path, list[Path]]]:
    from rulekit.compiler.source.locate import situation_files

    if args.situations:
        if not args.game or args.path:
            raise UsageError(
                _("--situations FILE... goes with --game PATH, and with no other path").text(
                    args.lang
                )
            )
        files = [Path(f) for f in args.situations]
        missing = [str(f) for f in files if not f.exists()]
        if missing:
            raise UsageError(_("there is no file {file}", file=repr(missing[0])).text(args.lang))
        return [(folder_of(args.game, args.lang), files)]
    if not args.path or args.game:
        raise UsageError(_("name a game (or --situations FILE... --game PATH)").text(args.lang))
    return [(f, situation_files(f)) for f in (folder_of(path, args.lang) for path in args.path)]


def _cases(game: Game, files: list[Path], within: Path | None, word: str, sink: Sink) -> list[Case]:
    """Return the situations that can be run. Errors in the others go to the sink."""
    from rulekit.project.validate_situations import case_of, read_all, vet

    found = vet(game, read_all(files, sink, within), sink)
    word = word.casefold()
    return [case_of(s) for s in found if word in " ".join((s.name, *s.ref, *s.covers)).casefold()]


def _asking(cases: list[Case], seats: int | None) -> list[Case]:
    """Apply `--seats` to the situations.

    Without it, expectations of searching seats are dropped, and so are situations that expect
    nothing else. A number above 0 is the number of times that each seat is asked.
    """

    def kept(expected: Expected) -> list[Expected]:
        if expected.word != "seat":
            return [expected]
        if seats is None:
            return [] if searching(expected.subject) else [expected]
        return [evolve(expected, value={**expected.value, "runs": seats})] if seats else [expected]

    found = [
        evolve(case, then=[each for expected in case.then for each in kept(expected)])
        for case in cases
    ]
    return [case for case in found if case.then]


def run(args: argparse.Namespace) -> int:
    """Run all situations."""
    from rulekit.project.loader import Loader

    if args.seats is not None and args.seats < 0:
        raise UsageError(_("{what} needs a number of at least 1", what="--seats").text(args.lang))
    left, idle = 0, False
    outcomes: list[Outcome] = []
    reports = []
    sink = Sink()
    for folder, files in _plan(args):
        loader = Loader(folder)
        game = Game(loader.info(), loader.program, args.lang, native=loader.native)
        edition = edition_of(args, game)
        if not args.situations:
            report_situations(folder, sink)
        before = len(sink.errors)
        with paused():
            every = _cases(game, files, None if args.situations else folder, args.k, sink)
        cases = _asking(every, args.seats)
        left += len(every) - len(cases)
        if not every and not args.k and len(sink.errors) == before:
            idle, at = True, printable(str(folder))
            message = (
                _("no situation was run: the files contain none", game=at)
                if args.situations
                else _("{game}: no situation was run: there is none in situations/*.yaml", game=at)
            )
            complain(message.text(args.lang))
        done = [_outcome(game, case, edition, args.coverage) for case in cases]
        outcomes += done
        if args.coverage:
            from rulekit.cli.coverage import coverage

            ids = loader.source().coverage_ids
            reports.append(coverage(game, ids, done))
            if not ids:
                idle = True
                complain(
                    _(
                        "{game}: no id was counted: there is no coverage.yaml beside"
                        " game.yaml (`ids: {ID: {ref: ...}}`)",
                        game=printable(str(folder)),
                    ).text(args.lang)
                )
    gaps = sum(len(r["uncovered"]) for r in reports)
    _tell(args, outcomes, left, reports, sink)
    return (
        1
        if any(not o.ok for o in outcomes)
        or gaps
        or sink.errors
        or idle
        or _nothing(args, outcomes, left)
        else 0
    )


def _outcome(game: Game, case: Case, edition: dict[str, str], cover: bool) -> Outcome:
    with paused():
        return run_case(game, evolve(case, rulings=edition | case.rulings), cover)


def _tell(
    args: argparse.Namespace,
    outcomes: list[Outcome],
    left: int,
    reports: list[dict[str, Any]],
    sink: Sink,
) -> None:
    """Print the outcomes.

    Args:
        left: the number of situations that were left out because they ask searching seats.
    """
    failed = sum(not o.ok for o in outcomes)
    if args.json:
        data: dict[str, Any] = {
            "passed": len(outcomes) - failed,
            "failed": failed,
            "left_out": left,
            "situations": [
                {
                    "name": o.case.name,
                    "file": o.case.file,
                    "line": o.line,
                    "column": o.column,
                    "ok": o.ok,
                    "why": o.why,
                    "more": [line for fault in o.faults for line in fault.more],
                }
                for o in outcomes
            ],
            "diagnostics": [diagnostic_json(d) for d in sink.in_order()],
        }
        print_json(data | ({"coverage": reports} if args.coverage else {}))
        return
    print_diagnostics(sink.in_order(), sink.texts, sys.stdout)
    _print(outcomes, args.verbose)
    for report in reports:
        from rulekit.cli.coverage import print_coverage

        print_coverage(report)
    gaps = sum(len(r["uncovered"]) for r in reports)
    print(
        f"{count(len(outcomes), 'situation')}: {len(outcomes) - failed} passed, {failed} failed"
        + (f", {gaps} ids uncovered" if args.coverage else "")
        + (f"; {left} more with --seats" if left else "")
        + (
            f"; {count(len(sink.errors), 'error')} in situations that could not be run"
            if sink.errors
            else ""
        )
    )


def _nothing(args: argparse.Namespace, outcomes: list[Outcome], left: int) -> bool:
    """Return True, and print the reason, if no situation was run although there are some, or if no
    seat was asked although `--seats` was given.
    """
    if outcomes:
        unasked = args.seats is not None and all(
            each.word != "seat" for o in outcomes for each in o.case.then
        )
        if unasked:
            complain(
                _(
                    "--seats had nothing to do: no situation that was run asks a seat (`seat"
                    " ...` below `then`)"
                ).text(args.lang)
            )
        return unasked
    if not (left or args.k):
        return False
    complain(
        (
            _("no situation was run: all of them ask seats that search (--seats asks them)")
            if left
            else _(
                "no situation was run: none has {word} in its name, reference or id",
                word=repr(args.k),
            )
        ).text(args.lang)
    )
    return True


def _print(outcomes: list[Outcome], verbose: bool) -> None:
    for o in outcomes:
        if o.ok and verbose:
            print(f"ok      {o.case.name}")
        elif not o.ok:
            print(f"failed  {o.case.name}{f' [{chr(44).join(o.case.ref)}]' if o.case.ref else ''}")
            for fault in o.faults:
                print(
                    f" --> {o.case.file}:{fault.line}{f':{fault.column}' if fault.column else ''}\n"
                    f"  {fault.why}"
                )
                print("".join(f"    {line}\n" for line in fault.more), end="")
            if o.standing:
                print(f"  play stands here: {o.standing}")
            print()
