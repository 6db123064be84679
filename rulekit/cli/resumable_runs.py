"""Takes runs and the folder that keeps them, plays what is not played yet: what `sweep` and
`league` do alike."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import define

from rulekit.cli.commands.simulate import STOPPED, crew_of, jobs_of
from rulekit.cli.main import complain
from rulekit.cli.progress import Progress
from rulekit.common.i18n.catalog import filled

if TYPE_CHECKING:
    from rulekit.engine.game.game import Game
    from rulekit.experiments.executor import Done, Job
    from rulekit.experiments.run_folder import Folder

RESULTS = "results.json"


@define
class Went:
    """How far it went: games that had been played before, were played now, of them natively, of
    all; and was it stopped?"""

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
    """Plays the games of the runs that the folder does not have yet; `many`: how many each run
    shall have."""
    from rulekit.experiments.scheduler import work_off

    gaps = [gap for at, kept in enumerate(folder.runs) for gap in kept.gaps(at, many[at])]
    went = Went(sum(many) - sum(gap.end - gap.begin for gap in gaps), sum(many))
    if went.before and gaps:
        print(
            filled(args.lang, "study.goes_on", n=f"{went.before:,}", all=f"{went.all:,}"),
            file=sys.stderr,
        )
    crew = crew_of(args, games, plays, jobs_of(args)) if gaps else None
    with Progress(went.all - went.before, args.lang) as progress:

        def heard(done: Done) -> None:
            folder.hear(done)
            went.played += done.piece.end - done.piece.begin
            went.natively += done.natively
            progress.at(went.played)

        try:
            work_off(games, plays, gaps, heard, jobs_of(args), crew)
        except KeyboardInterrupt:
            went.stopped = True
    return went


def told_stopped(lang: str, went: Went) -> int:
    """Says that it was stopped, and how it goes on; the exit code."""
    complain(
        filled(lang, "study.stopped", n=str(went.before + went.played), all=str(went.all))
        + filled(lang, "semicolon")
        + filled(lang, "study.again")
    )
    return STOPPED
