"""Runs that continue in their folder, for `sweep` and `league`: plays the games that are
missing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import define

from rulekit.cli.commands.simulate import STOPPED, executor_of, jobs_of
from rulekit.cli.main import complain
from rulekit.cli.progress import Progress
from rulekit.common.i18n.messages import _

if TYPE_CHECKING:
    from rulekit.engine.game.game import Game
    from rulekit.experiments.executor import Done, Job
    from rulekit.experiments.run_folder import Folder

RESULTS = "results.json"


@define
class Went:
    """The progress of a resumed experiment.

    Attributes:
        before: the number of games played earlier.
        all: the number of games in all.
        played: the number of games played now.
        natively: the number of these that were played natively.
        stopped: True if it was interrupted.
    """

    before: int
    all: int
    played: int = 0
    natively: int = 0
    stopped: bool = False


def play_on(
    args: argparse.Namespace,
    folder: Folder,
    games: Sequence[Game],
    plays: Sequence[Job],
    many: Sequence[int],
) -> Went:
    """Play the games of the runs that the folder lacks.

    Args:
        many: the number of games that each run shall have.
    """
    from rulekit.experiments.scheduler import work_off

    gaps = [gap for at, kept in enumerate(folder.runs) for gap in kept.gaps(at, many[at])]
    went = Went(sum(many) - sum(gap.end - gap.begin for gap in gaps), sum(many))
    if went.before and gaps:
        print(
            _("games played before: {n} of {all}", n=f"{went.before:,}", all=f"{went.all:,}").text(
                args.lang
            ),
            file=sys.stderr,
        )
    executor = executor_of(args, games, plays, jobs_of(args)) if gaps else None
    with Progress(went.all - went.before, args.lang) as progress:

        def heard(done: Done) -> None:
            folder.hear(done)
            went.played += done.batch.end - done.batch.begin
            went.natively += done.natively
            progress.at(went.played)

        try:
            work_off(games, plays, gaps, heard, jobs_of(args), executor)
        except KeyboardInterrupt:
            went.stopped = True
    return went


def report_stopped(lang: str, went: Went) -> int:
    """Print that the run was stopped and how to continue it. Return the exit code."""
    complain(
        _(
            "stopped early; games counted: {n} of {all}",
            n=str(went.before + went.played),
            all=str(went.all),
        ).text(lang)
        + _("; ").text(lang)
        + _("the same command continues from here").text(lang)
    )
    return STOPPED
