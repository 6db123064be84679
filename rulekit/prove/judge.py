"""Judge mutants: which of them does a situation notice?

A worker compiles a batch of mutants into one program. It runs all situations once with all of them
off, and notes which mutants each situation meets. Then it switches on one after the other, and
runs the situations that meet it until one fails.
"""

from __future__ import annotations

import pickle
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from attrs import define, evolve, field, frozen

from rulekit.common.errors import RulekitError
from rulekit.compiler.compiler import Compilation
from rulekit.engine.game.game import Game, GameInfo
from rulekit.engine.testing.runner import Case
from rulekit.prove.programs import Schema, schema
from rulekit.prove.schema import apply
from rulekit.prove.slots import Mutant, mutants
from rulekit.prove.trial import ENDLESS, fails
from rulekit.prove.written import WrittenRules
from rulekit.runtime.variants import Text, Variants

KILLED, SURVIVED, UNREACHED, SAME_CODE, SAME_VALUES, SWITCHED_OFF, ENDLESS_PLAY, BROKEN = (
    "killed",
    "survived",
    "unreached",
    "same_code",
    "same_values",
    "switched_off",
    "endless",
    "broken",
)
NOTICED = (KILLED, ENDLESS_PLAY, BROKEN)
_SECONDS = 3.0  # of processor time, after which play counts as endless


@frozen
class MutantVerdict:
    """What situations say of a mutant.

    Attributes:
        id: of the mutant.
        verdict: one of the words above.
        by: the name of the situation that fails.
        place: the file and line of that situation.
        why: its failure.
        reach: the number of situations that reach the place (-1: it was not noted).
        infect: the number of those in which the value differs there (-1: the same).
    """

    id: str
    verdict: str
    by: str = ""
    place: str = ""
    why: str = ""
    reach: int = 0
    infect: int = 0


@frozen
class Situations:
    """The situations of a game.

    Attributes:
        early: those that play in the plain code.
        late: those that need another variant of the code, and run only if no other one notices.
    """

    early: tuple[Case, ...]
    late: tuple[Case, ...]


@define
class _Met:
    """For each mutant of a batch, the situations that meet it, with their cost."""

    reached: dict[int, int] = field(factory=lambda: defaultdict(int))
    differing: dict[int, list[tuple[float, Case]]] = field(factory=lambda: defaultdict(list))


class _Differs(Exception):
    """Raised if a situation fails although all mutants are off."""


class Judge:
    """Judges the mutants of one game.

    Args:
        model: the pickled model. Each batch changes a copy of its own.
        killers: by mutant, the name of the situation that noticed it in an earlier run.
    """

    def __init__(
        self,
        model: bytes,
        written: WrittenRules,
        info: GameInfo,
        situations: Situations,
        killers: Mapping[str, str],
    ) -> None:
        self._model, self._written, self._info = model, written, info
        self._situations, self._killers = situations, killers

    def judge(self, ids: Sequence[str], late: bool) -> list[MutantVerdict]:
        """Judge a batch of mutants by the early or the late situations."""
        model = pickle.loads(self._model)
        found = {each.id: each for each in mutants(model, self._written)}
        chosen = [found[id] for id in ids]
        if len(chosen) == 1 and chosen[0].alone:
            return [self._alone(chosen[0].id, late)]
        some = self._situations.late if late else self._situations.early
        program = schema(model, self._info, chosen)
        try:
            met = self._probe(program, some)
        except _Differs:
            if len(ids) == 1:
                return [self._alone(ids[0], late)]
            half = len(ids) // 2
            return [*self.judge(ids[:half], late), *self.judge(ids[half:], late)]
        return self._verdicts(program, met)

    def _verdicts(self, program: Schema, met: _Met) -> list[MutantVerdict]:
        out = []
        for number, mutant in enumerate(program.mutants, 1):
            cases = [case for _, case in sorted(met.differing[number], key=lambda x: x[0])]
            program.turn(number)
            verdict = self._first(mutant, program.game, self._ordered(mutant, cases))
            verdict = evolve(verdict, reach=met.reached[number], infect=len(cases))
            if number in program.absent:
                verdict = evolve(verdict, verdict=SAME_CODE)
            elif not cases:
                verdict = evolve(verdict, verdict=UNREACHED)
            out.append(verdict)
        program.turn(0)
        return out

    def _probe(self, program: Schema, some: Sequence[Case]) -> _Met:
        """Run situations with all mutants off, and note what they meet.

        Raises:
            _Differs: one of them fails.
        """
        met, notes = _Met(), program.notes
        program.note(True)
        for case in some:
            notes.clear()
            begin = time.process_time()
            if fails(program.probing, case):
                raise _Differs
            seconds = time.process_time() - begin
            for number in notes.reached:
                met.reached[number] += 1
            for number in notes.differing:
                met.differing[number].append((seconds, case))
        program.note(False)
        return met

    def _ordered(self, mutant: Mutant, cases: Sequence[Case]) -> list[Case]:
        """Return the situations with those first that are likely to notice the mutant."""
        killer, refs = self._killers.get(mutant.id, ""), set(mutant.ref)
        return sorted(cases, key=lambda case: (case.name != killer, refs.isdisjoint(case.ref)))

    def _first(self, mutant: Mutant, game: Game, cases: Sequence[Case]) -> MutantVerdict:
        """Return the verdict by the first of these situations that fails."""
        for case in cases:
            why = fails(game, case, _SECONDS)
            if why:
                verdict = ENDLESS_PLAY if why == ENDLESS else KILLED
                return MutantVerdict(mutant.id, verdict, case.name, f"{case.file}:{case.line}", why)
        return MutantVerdict(mutant.id, SURVIVED)

    def _alone(self, id: str, late: bool) -> MutantVerdict:
        """Judge a mutant in a program of its own."""
        model = pickle.loads(self._model)
        mutant = next(each for each in mutants(model, self._written) if each.id == id)
        apply(model, mutant)
        try:
            game = compiled(model, self._info)
            some = self._situations.late if late else self._situations.early
            verdict = self._first(mutant, game, self._ordered(mutant, some))
        except RulekitError as error:
            return MutantVerdict(id, BROKEN, why=str(error))
        return evolve(verdict, reach=-1, infect=-1)


def compiled(model: object, info: GameInfo) -> Game:
    """Return the game of a changed model."""
    compilation = Compilation(model)  # type: ignore[arg-type]
    texts: Variants[Text] = Variants(compilation.text)
    made = compilation.compiled().with_code(
        Variants(lambda v: texts[v].python), Variants(lambda v: texts[v].places), {}
    )
    return Game(info, made.bind)


Progress = Callable[[int, int], None]
