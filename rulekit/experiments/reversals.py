"""Mutation testing of rules: reverse one rule at a time, and see whether a situation that covers it
fails.

The changed game is read, checked and compiled in a temporary folder, in one of several processes.
Only the situations that cover the id are run. A verdict is stored under the digest of its inputs:
the files of the changed game and those situations.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path

from attrs import asdict, evolve, frozen

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.errors import GameError, RulekitError
from rulekit.common.files import write_whole
from rulekit.compiler.compiler import compile_game
from rulekit.compiler.source.fingerprint import digest, layers
from rulekit.compiler.source.folder import read_game
from rulekit.compiler.source.locate import situation_files
from rulekit.compiler.source.reversals import Reversal, files_of, vet_each
from rulekit.compiler.source.text_file import read_text
from rulekit.engine.game.game import Game
from rulekit.engine.search.agent_registry import searching
from rulekit.engine.testing.runner import Case, is_traced
from rulekit.engine.testing.runner import run as run_case
from rulekit.project.loader import Loader
from rulekit.project.startup_check import at_work
from rulekit.project.validate_situations import case_of, read_all

KILLED, SURVIVED, REFUSED, SAME = STATES = ("killed", "survived", "refused", "same")
WITHOUT_WEIGHT = ("drawing.yaml", "fr.yaml")  # files that no situation can notice


@frozen
class Verdict:
    """The verdict on a reversal.

    Attributes:
        state: killed (a situation failed), survived (none failed), refused (the changed game has an
            error) or same (nothing changes).
        by: the situation that failed.
        why: its first difference, or the error of the changed game.
    """

    id: str
    state: str
    by: str = ""
    why: str = ""


@frozen
class Trial:
    """A reversal to be tried.

    Attributes:
        id: the id of the reversed rule.
        name: the name of the game.
        files: the files of the changed game, by library and path.
        cases: the situations that cover the id.
    """

    id: str
    name: str
    files: dict[tuple[str, str], str]
    cases: tuple[Case, ...]

    @property
    def key(self) -> str:
        """A digest of everything that the verdict depends on."""
        content = (
            (f"{library}/{path}", words.encode())
            for (library, path), words in self.files.items()
            if path.rpartition("/")[2] not in WITHOUT_WEIGHT
        )
        cases = json.dumps(
            [asdict(evolve(case, file="", line=0)) for case in self.cases],
            default=str,
            sort_keys=True,
        )
        return sha256(f"{self.id} {digest(content)} {cases}".encode()).hexdigest()


def claims(folder: Path) -> dict[str, tuple[Case, ...]]:
    """Return the situations of a game by the ids that they cover. Expectations on searching seats
    are left out, as they take long.
    """
    sink, by_id = Sink(), dict[str, list[Case]]()
    for situation in read_all(situation_files(folder), sink, folder):
        case = case_of(situation)
        case = evolve(
            case,
            then=[each for each in case.then if each.word != "seat" or not searching(each.subject)],
        )
        for id in case.covers if case.then else ():
            by_id.setdefault(id, []).append(case)
    if sink.errors:
        raise GameError(sink.in_order(), sink.texts)
    return {id: tuple(cases) for id, cases in by_id.items()}


def refuse(folder: Path, wanted: Iterable[Reversal], sink: Sink) -> None:
    """Raise `GameError` with the diagnostics of `check` if one of these reversals cannot be made or
    belongs to no id.
    """
    found = Sink(texts=sink.texts)
    source = read_game(folder, found)
    vet_each(
        folder, wanted, claims(folder), source.coverage_ids if source is not None else (), found
    )
    if found.errors:
        raise GameError(found.in_order(), found.texts)


def trials(folder: Path, reversals: Iterable[Reversal]) -> list[Trial]:
    """Return a trial for each reversal that changes something. Raise `RulekitError` if a change
    cannot be made.
    """
    claimed, name = claims(folder), layers(folder)[-1].resolve().name
    words = {
        key: read_text(file, Sink(), layer) or "" for key, (file, layer) in files_of(folder).items()
    }
    made = []
    for each in reversals:
        if each.reason:
            continue
        at = each.library, each.file
        if at not in words:
            raise RulekitError(f"the reversal of {each.id}: there is no file {each.file!r}")
        made.append(
            Trial(each.id, name, {**words, at: each.changed(words[at])}, claimed.get(each.id, ()))
        )
    return made


def failing(folder: Path, wanted: Iterable[Trial]) -> list[str]:
    """Return the names of the trials' situations that fail even in the unchanged game. Their
    failures would prove nothing.
    """
    loader = Loader(folder)
    game = Game(loader.info(), loader.program)
    cases = {case.name: case for trial in wanted for case in trial.cases}
    return [case.name for case in cases.values() if not run_case(game, case).ok]


def attempt(trials: Sequence[Trial]) -> list[Verdict]:
    """Build the changed game that these trials share, in a temporary folder. For each trial, run
    its situations until one fails. The cache is not used.
    """
    first = trials[0]
    before = os.environ.get("RULEKIT_CACHE")
    os.environ["RULEKIT_CACHE"] = ""
    try:
        with tempfile.TemporaryDirectory(prefix="rulekit-") as base:
            for (library, path), words in first.files.items():
                file = Path(base) / (library or first.name) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(words, encoding="utf-8")
            return _verdicts(trials, Path(base) / first.name)
    finally:
        del os.environ["RULEKIT_CACHE"]
        if before is not None:
            os.environ["RULEKIT_CACHE"] = before


def _verdicts(trials: Sequence[Trial], folder: Path) -> list[Verdict]:
    try:
        loader = Loader(folder)
        model = loader.model()
        with at_work(loader.sink.texts):
            game = Game(loader.info(), compile_game(model).bind)
        game.program()
    except GameError as error:
        first = next((d for d in error.diagnostics if d.level == "error"), error.diagnostics[0])
        why = f"{first.code}: {first.message} ({Path(first.span.file).name}:{first.span.line})"
        return [Verdict(trial.id, REFUSED, "", why) for trial in trials]
    return [_verdict(game, trial) for trial in trials]


def _verdict(game: Game, trial: Trial) -> Verdict:
    for case in sorted(trial.cases, key=is_traced):  # traced code is compiled last
        outcome = run_case(game, case)
        if not outcome.ok:
            return Verdict(trial.id, KILLED, case.name, outcome.why.partition("\n")[0])
    return Verdict(trial.id, SURVIVED)


def verdicts(wanted: Sequence[Trial], jobs: int = 1, kept: Path | None = None) -> Iterator[Verdict]:
    """Yield the verdict on each trial as it is found, using several processes.

    Args:
        kept: the file that stores verdicts between runs.
    """
    known = _known(kept)
    left = []
    for trial in wanted:
        found = known.get(trial.key)
        if found is None:
            left.append(trial)
        else:
            yield Verdict(trial.id, *found)
    if not left:
        return
    alike = list(_alike(left))
    with _pool(min(jobs, len(alike))) as pool:
        pending = {pool.submit(attempt, group): group for group in alike}
        for done in as_completed(pending):
            for trial, verdict in zip(pending[done], done.result(), strict=True):
                known[trial.key] = (verdict.state, verdict.by, verdict.why)
                yield verdict
            _keep(kept, known)


def _alike(trials: Sequence[Trial]) -> Iterable[list[Trial]]:
    """Group the trials that make the same change, so that their game is compiled only once."""
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        content = digest(
            (f"{library}/{path}", words.encode()) for (library, path), words in trial.files.items()
        )
        groups.setdefault(content, []).append(trial)
    return groups.values()


def _pool(jobs: int) -> Executor:
    return ProcessPoolExecutor(jobs, get_context("spawn"))


def _known(kept: Path | None) -> dict[str, tuple[str, str, str]]:
    try:
        return (
            {key: tuple(each) for key, each in json.loads(kept.read_text(encoding="utf-8")).items()}
            if kept
            else {}
        )
    except (
        OSError,
        ValueError,
        AttributeError,
        TypeError,
    ):  # a missing or damaged file counts as empty
        return {}


def _keep(kept: Path | None, known: dict[str, tuple[str, str, str]]) -> None:
    if kept is None:
        return
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_whole(kept, json.dumps(known, indent=0, sort_keys=True).encode())


def sample(wanted: Sequence[Trial], size: int) -> list[Trial]:
    """Return `size` of the trials. The selection depends only on their content."""
    return sorted(wanted, key=lambda trial: trial.key)[:size]
