"""Judge the mutants of a game in several processes, and keep the verdicts."""

from __future__ import annotations

import hashlib
import pickle
import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.errors import GameError, RulekitError
from rulekit.common.i18n.messages import _
from rulekit.compiler.source.fingerprint import files_digest
from rulekit.compiler.source.locate import situation_files
from rulekit.engine.game.game import Game, GameInfo
from rulekit.engine.search.agent_registry import searching
from rulekit.engine.testing.runner import Case, Outcome
from rulekit.engine.testing.runner import run as run_case
from rulekit.project.loader import Loader
from rulekit.project.validate_situations import case_of, read_all, vet
from rulekit.prove.judge import (
    NOTICED,
    SURVIVED,
    UNREACHED,
    Judge,
    MutantVerdict,
    Progress,
    Situations,
)
from rulekit.prove.slots import Mutant, mutants
from rulekit.prove.trial import needs_trace
from rulekit.prove.written import WrittenRules, written
from rulekit.runtime.cache import Cache, sources

BATCH = 250  # mutants in one program; more make it slow
_PARTS = ("engine", "prove")  # packages on which verdicts depend, beside those of the cache


@define
class Selection:
    """Which mutants are judged.

    Attributes:
        paragraphs: those that cite one of them, or a part of it.
        files: those of files with one of these endings of their path.
        sample: that many of them, chosen by `seed` (0: all).
    """

    paragraphs: Sequence[str] = ()
    files: Sequence[str] = ()
    sample: int = 0
    seed: int = 0

    def of(self, found: Sequence[Mutant]) -> list[Mutant]:
        """Return the selected mutants, in their order."""
        some = [each for each in found if self._wanted(each)]
        if 0 < self.sample < len(some):
            kept = set(random.Random(self.seed).sample(range(len(some)), self.sample))
            some = [each for i, each in enumerate(some) if i in kept]
        return some

    def _wanted(self, mutant: Mutant) -> bool:
        cited = not self.paragraphs or any(
            ref == p or (ref.startswith(p) and not ref[len(p)].isalnum())
            for texts in mutant.ref
            for ref in texts.split(", ")
            for p in self.paragraphs
        )
        return cited and (not self.files or mutant.span.file.endswith(tuple(self.files)))


@define
class Proof:
    """The judged mutants of a game.

    Attributes:
        game: its name.
        digest: of its files.
        judged: each mutant with its verdict, in the order of the files.
        seconds: the time that it took.
    """

    game: str
    digest: str
    judged: list[tuple[Mutant, MutantVerdict]]
    seconds: float = 0.0

    def counted(self, *verdicts: str) -> int:
        """Return the number of mutants with one of these verdicts."""
        return sum(verdict.verdict in verdicts for _, verdict in self.judged)


@define(eq=False)
class Proving:
    """Judges the mutants of one game folder."""

    folder: Path
    jobs: int = 1
    loader: Loader = field(init=False)
    written: WrittenRules = field(init=False)
    mutants: list[Mutant] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.loader = Loader(self.folder)
        model = self.loader.model()
        self.written = written(self.loader.source())
        self.mutants = mutants(model, self.written)

    def prove(self, selection: Selection, progress: Progress = lambda done, total: None) -> Proof:
        """Judge the selected mutants.

        Raises:
            RulekitError: a situation fails in the game as it is.
        """
        return self.judged({each.id for each in selection.of(self.mutants)}, progress)

    def judged(self, ids: Set[str], progress: Progress = lambda done, total: None) -> Proof:
        """Judge the mutants with these ids. Verdicts that are known already are kept."""
        begin = time.monotonic()
        chosen = [each for each in self.mutants if each.id in ids]
        verdicts: dict[str, MutantVerdict] = self.loader.cache.get(self._key()) or {}
        todo = [each for each in chosen if each.id not in verdicts]
        if todo:
            verdicts |= self._judged(todo, progress)
            self.loader.cache.put(self._key(), verdicts)
            killers = {v.id: v.by for v in verdicts.values() if v.by}
            self._killers().put("killers", self._known_killers() | killers)
        found = [(each, verdicts[each.id]) for each in chosen]
        name, digest = self.loader.info().name, self.loader.digest
        return Proof(name, digest, found, time.monotonic() - begin)

    def _key(self) -> str:
        """Return the name of the verdicts in the cache: all that they depend on."""
        root = Path(__file__).resolve().parent.parent
        total = hashlib.sha256()
        for part in _PARTS:
            for entry in sources(root / part, deep=True):
                stat = entry.stat()
                total.update(f"{entry.name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
        files = [(file, self.folder) for file in situation_files(self.folder)]
        return f"verdicts {total.hexdigest()} {files_digest(files)}"

    def _killers(self) -> Cache:
        """Return the cache of a folder, whatever its rules are now."""
        return Cache(f"killers {self.folder.resolve()}", (), self.folder.resolve().name)

    def _known_killers(self) -> dict[str, str]:
        return self._killers().get("killers") or {}

    def _judged(self, todo: Sequence[Mutant], progress: Progress) -> dict[str, MutantVerdict]:
        info = self.loader.info()
        situations = self._situations(Game(info, self.loader.program))
        model = pickle.dumps(self.loader.model())
        given = (model, self.written, info, situations, self._known_killers())
        verdicts: dict[str, MutantVerdict] = {}
        with _Workers(self.jobs, given) as workers:
            for late in (False, True):
                some = todo if not late else [x for x in todo if _open(verdicts[x.id])]
                if late and not situations.late:
                    continue
                done = 0
                for found in workers.judge(_batches(some, self.jobs), late):
                    done += len(found)
                    progress(done, len(some))
                    for each in found:
                        verdicts[each.id] = _joined(verdicts.get(each.id), each)
        return verdicts

    def _situations(self, game: Game) -> Situations:
        """Return the situations of the folder. All of them must pass."""
        cases = situations_of(game, self.folder)
        outcomes: list[Outcome] = [run_case(game, case) for case in cases]
        wrong = next((o for o in outcomes if not o.ok), None)
        if wrong is not None:
            raise RulekitError(
                _(
                    "the situation {name} fails already ({place}): correct it first",
                    name=repr(wrong.case.name),
                    place=f"{wrong.case.file}:{wrong.line}",
                )
            )
        late = [case for case in cases if _asks_seat(case) or needs_trace(game, case)]
        return Situations(tuple(c for c in cases if c not in late), tuple(late))


def situations_of(game: Game, folder: Path) -> list[Case]:
    """Return the situations of a folder, without expectations of seats that search.

    Raises:
        GameError: one of them cannot be run.
    """
    sink = Sink()
    sound = vet(game, read_all(situation_files(folder), sink, folder), sink)
    if sink.errors:
        raise GameError(sink.in_order(), sink.texts)
    return [case for situation in sound if (case := _unsearched(case_of(situation))).then]


def _unsearched(case: Case) -> Case:
    """Return a situation without expectations of seats that search, which take long."""
    then = [e for e in case.then if e.word != "seat" or not searching(e.subject)]
    return evolve(case, then=then)


def _asks_seat(case: Case) -> bool:
    return any(e.word == "seat" for e in case.then)


def _open(verdict: MutantVerdict) -> bool:
    """Return True if no situation has noticed the mutant yet, and one still could."""
    return verdict.verdict in (SURVIVED, UNREACHED)


def _joined(early: MutantVerdict | None, found: MutantVerdict) -> MutantVerdict:
    """Return the verdict of both stages."""
    if early is None:
        return found
    if -1 in (early.reach, found.reach):
        return evolve(found, reach=-1, infect=-1)
    both = evolve(found, reach=early.reach + found.reach, infect=early.infect + found.infect)
    if found.verdict in NOTICED:
        return both
    return evolve(both, verdict=SURVIVED if both.infect else UNREACHED)


def _batches(some: Sequence[Mutant], jobs: int) -> list[list[str]]:
    """Divide mutants into batches of about equal work. Some are alone."""
    many = [each.id for each in some if not each.alone]
    count = max(-(-len(many) // BATCH), min(jobs, -(-len(many) // (BATCH // 5))))
    return [
        *(many[i::count] for i in range(count)),
        *([each.id] for each in some if each.alone),
    ]


class _Workers:
    """Processes that judge batches. With one job, this process does it."""

    def __init__(self, jobs: int, given: tuple[Any, ...]) -> None:
        self._given = given
        self._judge: Judge | None = None
        self._pool: ProcessPoolExecutor | None = None
        if jobs > 1:
            self._pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (given,))

    def __enter__(self) -> _Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def judge(self, batches: Iterable[Sequence[str]], late: bool) -> Iterator[list[MutantVerdict]]:
        """Yield the verdicts of each batch, in any order."""
        if self._pool is None:
            self._judge = self._judge or Judge(*self._given)
            for batch in batches:
                yield self._judge.judge(batch, late)
            return
        waiting = [self._pool.submit(_work, batch, late) for batch in batches]
        try:
            for each in as_completed(waiting):
                yield each.result()
        except BrokenProcessPool:
            raise RulekitError(
                _("a process died while it judged mutants; is there enough memory?")
            ) from None


_JUDGES: list[Judge] = []  # of a worker process


def _begin(given: tuple[bytes, WrittenRules, GameInfo, Situations, Mapping[str, str]]) -> None:
    _JUDGES.append(Judge(*given))


def _work(batch: Sequence[str], late: bool) -> list[MutantVerdict]:
    return _JUDGES[0].judge(batch, late)
