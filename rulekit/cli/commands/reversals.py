"""The command `reversals`: reverses the rules of a game one by one, and reports reversals that its
situations do not detect.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from attrs import asdict

from rulekit.cli.arguments import add_json, add_lang, folder_of
from rulekit.cli.commands.simulate import jobs_of
from rulekit.cli.main import UsageError
from rulekit.cli.output import count, print_json
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.errors import GameError, RulekitError
from rulekit.common.i18n.command_line import gettext, spoken
from rulekit.common.i18n.messages import _
from rulekit.common.i18n.reasons import near


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Makes the changes of a game that its `reversals.yaml` lists, one at a time, and runs the"
        " situations that cover the id against\neach changed game. A reversal that none of them"
        " notices survives, and is told. Exit code 1 if one survives or cannot be made."
    )
    parser.add_argument(
        "path",
        metavar="PATH",
        help=gettext("folder of a game, or the name of one that is installed"),
    )
    parser.add_argument(
        "--id", nargs="+", metavar="ID", default=[], help=gettext("only these ids of the inventory")
    )
    parser.add_argument(
        "--sample",
        type=int,
        metavar="N",
        help=gettext("only N of them: the same ones as long as the game is the same"),
    )
    parser.add_argument(
        "--jobs",
        default="auto",
        metavar="N",
        help=gettext("how many processes (auto: one for each core)"),
    )
    parser.add_argument(
        "--keep",
        metavar="FILE",
        help=gettext("file for the results: the next run tries again only what has changed since"),
    )
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help=gettext("also name what was noticed, and by which situation"),
    )
    add_lang(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Try all reversals."""
    with spoken(args.lang):
        return _run(args)


def _run(args: argparse.Namespace) -> int:
    from rulekit.compiler.source.reversals import read_reversals
    from rulekit.experiments.reversals import (
        KILLED,
        SAME,
        Verdict,
        failing,
        refuse,
        sample,
        trials,
        verdicts,
    )

    if args.sample is not None and args.sample < 1:
        raise UsageError(_("{what} needs a number of at least 1", what="--sample").text(args.lang))
    jobs = jobs_of(args) or os.cpu_count() or 1
    folder, sink = folder_of(args.path, args.lang), Sink()
    listed = read_reversals(folder, sink)
    if sink.errors:
        raise GameError(sink.in_order(), sink.texts)
    if not listed:
        raise RulekitError(_("{game} has no reversals.yaml with reversals in it", game=str(folder)))
    known = {each.id for each in listed}
    for id in args.id:
        if id not in known:
            close = near(id, known)
            raise UsageError(
                gettext("there is no reversal of {id}", id=repr(id))
                + (f"; {close.text(args.lang)}" if close else "")
            )
    wanted = [each for each in listed if not args.id or each.id in args.id]
    refuse(folder, wanted, sink)
    todo = trials(folder, wanted)
    todo = sample(todo, args.sample) if args.sample else todo
    if before := failing(folder, todo):
        raise RulekitError(
            _("these situations fail although nothing is changed: {names}", names="; ".join(before))
        )
    found = [
        Verdict(each.id, SAME, "", each.reason)
        for each in wanted
        if each.reason and not args.sample
    ]
    for verdict in verdicts(todo, jobs, Path(args.keep) if args.keep else None):
        found.append(verdict)
        if not args.json:
            _print(verdict, args.verbose)
    order = {each.id: at for at, each in enumerate(listed)}
    found.sort(key=lambda verdict: order[verdict.id])
    bad = [verdict for verdict in found if verdict.state not in (KILLED, SAME)]
    if args.json:
        print_json(
            {
                "game": folder.resolve().name,
                **_counts(found),
                "reversals": [asdict(verdict) for verdict in found],
            }
        )
    else:
        counts = _counts(found)
        print(
            f"{count(len(found), 'reversal')}: {counts['killed']} noticed, {counts['survived']}"
            f" survived, {counts['refused']} with a faulty game, {counts['same']} with a reason"
            " instead"
        )
    return 1 if bad else 0


def _counts(found: list[Any]) -> dict[str, int]:
    from rulekit.experiments.reversals import STATES

    return {state: sum(1 for verdict in found if verdict.state == state) for state in STATES}


def _print(verdict: Any, verbose: bool) -> None:
    from rulekit.experiments.reversals import KILLED, SURVIVED

    if verdict.state == SURVIVED:
        print(f"survived  {verdict.id}: no situation that covers it fails", flush=True)
    elif verdict.state != KILLED:
        print(f"faulty    {verdict.id}: {verdict.why}", flush=True)
    elif verbose:
        print(f"noticed   {verdict.id}: {verdict.by}: {verdict.why}", flush=True)
    sys.stdout.flush()
