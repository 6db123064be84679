"""Run a situation and report the expectations that fail."""

from __future__ import annotations

from typing import Any

from attrs import define, field, frozen

from rulekit.common.errors import RulekitError, ScriptError
from rulekit.engine.game.game import Game
from rulekit.engine.game.setup import SituationStart, WrongSetup, arrange, base, begin
from rulekit.engine.game.state import State
from rulekit.engine.kernel.tracer import Tracer
from rulekit.engine.notation import move_parser
from rulekit.engine.testing.expectations import TRACED, check, keys_of_line
from rulekit.engine.testing.failure_advice import derivation, taken
from rulekit.runtime.records import kind_of
from rulekit.runtime.slots import COUNTER, DIE_ROLLED, DRAWN, NOT_BEGUN

_MAX_SHOWN_DICE = 5  # unused results that a message names
_MAX_SHOWN_OPTIONS = 30  # options that a report names
WANTED = {
    True: "a draw comes there, and wants the id of what is drawn",
    False: "a roll comes there, and wants the sum of its dice",
}


@frozen
class SituationStep:
    """One line of `do`."""

    player: str | None
    choice: str
    line: int = 0
    column: int = 0


@frozen
class Expected:
    """One line of `then`: a word, its subject, and the value."""

    word: str
    subject: str
    value: Any
    line: int = 0
    column: int = 0


@define
class Case(SituationStart):
    """A situation as plain values."""

    name: str
    ref: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    do: list[SituationStep] = field(factory=list)
    then: list[Expected] = field(factory=list)
    file: str = ""
    line: int = 0
    column: int = 0
    dice_line: int = 0


@frozen
class SituationFault:
    """One error or failed expectation, and its place in the file.

    Attributes:
        more: lines that help to find the cause.
    """

    why: str
    line: int
    more: tuple[str, ...] = ()
    column: int = 0


@define
class Outcome:
    """The result of a situation. It has no faults if all is as expected.

    Attributes:
        standing: the decision at which play stopped, with its options.
        reached: the names of events, options and clauses that occurred.
    """

    case: Case
    faults: list[SituationFault] = field(factory=list)
    standing: str = ""
    reached: set[str] = field(factory=set)

    @property
    def ok(self) -> bool:
        """True if everything was as expected."""
        return not self.faults

    @property
    def why(self) -> str:
        """All faults in one text, or ''."""
        return "\n".join(fault.why for fault in self.faults)

    @property
    def line(self) -> int:
        """The line of the first fault, else of the situation."""
        return self.faults[0].line if self.faults else self.case.line

    @property
    def column(self) -> int:
        """The column of the first fault, else of the situation."""
        return self.faults[0].column if self.faults else self.case.column


@define
class SituationRun:
    """A running situation.

    Attributes:
        state: the state.
        tracer: records computations, if an expectation needs them. Tracing uses another variant of
            the code, which must be compiled first.
        begun: the number of events before the situation's own.
        step: the number of the present step of `do`, from 1.
        part: the number of the present choice in a step of several.
    """

    case: Case
    state: State
    tracer: Tracer | None
    begun: int = 0
    step: int = 0
    part: int = 0


# --------------------------------------------------------------------------------- choices and dice
def _choose(situation: SituationRun, step: SituationStep) -> None:
    state = situation.state
    for situation.part, key in enumerate(keys_of_line(step.choice), 1):
        asked = state.decision
        if asked is None:
            raise WrongSetup(f"{step.choice!r} cannot be chosen: nothing is asked any more")
        if (
            step.player is not None
            and asked.player != state.names.sides[state.names.side(step.player)]
        ):
            raise WrongSetup(f"{step.player} is not asked now: {asked.player} is")
        try:
            left = move_parser.choose(state, key)
        except RulekitError as error:
            raise WrongSetup(f"{key!r}: {error}{_entry(situation.case, error)}") from error
        if left:
            who = state.decision.player if state.decision is not None else "nobody"
            raise WrongSetup(
                f"{key!r}: {who} is asked before {left!r}; write this on a line after that choice"
            )


def _entry(case: Case, error: RulekitError) -> str:
    """Return the entry of `dice` that cannot be used, and the kind of entry wanted, or ''."""
    if not isinstance(error, ScriptError) or not case.dice:
        return ""
    number = len(case.dice) - error.left
    return f" (entry {number} of `dice` is {case.dice[number - 1]!r}; {WANTED[error.drawn]})"


def _dice_used(situation: SituationRun, counter: int) -> None:
    if situation.case.dice is None:
        return
    left = situation.state.script_left()
    if left:
        first, total = len(situation.case.dice) - left, len(situation.case.dice)
        unused = [
            f"entry {number} ({situation.case.dice[number - 1]})"
            for number in range(first + 1, min(first + _MAX_SHOWN_DICE, total) + 1)
        ]
        others = f" and {left - _MAX_SHOWN_DICE} more" if left > _MAX_SHOWN_DICE else ""
        raise WrongSetup(
            f"{left} of {total} results in `dice` were not used: {', '.join(unused)}{others}",
            situation.case.dice_line,
        )
    if situation.state.slots[COUNTER] > counter:
        more = sum(kind in (DIE_ROLLED, DRAWN) for kind in map(kind_of, situation.state.log)) - len(
            situation.case.dice
        )
        raise WrongSetup(
            f"{len(situation.case.dice)} results in `dice` were too few: {more} more"
            f" {'was' if more == 1 else 'were'} needed",
            situation.case.dice_line,
        )
    chances = [kind for kind in map(kind_of, situation.state.log) if kind in (DIE_ROLLED, DRAWN)][
        -len(situation.case.dice) :
    ]
    for number, (item, what) in enumerate(zip(situation.case.dice, chances, strict=False), 1):
        if isinstance(item, str) != (what == DRAWN):
            raise WrongSetup(
                f"entry {number} of `dice` is {item!r}; {WANTED[what == DRAWN]}",
                situation.case.dice_line,
            )


def standing(state: State) -> str:
    """Return the present decision with its options, for the report of a failure."""
    asked = state.decision
    if asked is None:
        ended = {0: f"the game is over: {state.result}", NOT_BEGUN: "play has not begun"}
        return ended.get(state.pc, "nothing is asked: the procedure has ended")
    keys = [o.key for o in asked.options]
    shown = ", ".join(keys[:_MAX_SHOWN_OPTIONS])
    more = f" ... ({len(keys)} in all)" if len(keys) > _MAX_SHOWN_OPTIONS else ""
    where = f" in {asked.procedure}" if asked.procedure else ""
    return f"{asked.player} is asked{where}: {asked.prompt}: {shown}{more}"


def is_traced(case: Case) -> bool:
    """Return True if one of the expectations needs traced play."""
    return any(e.word in TRACED for e in case.then)


def run(game: Game, case: Case, cover: bool = False) -> Outcome:
    """Run one situation.

    Args:
        cover: record the events, options and clauses that it reaches.
    """
    outcome = Outcome(case)
    situation: SituationRun | None = None
    try:
        state = base(game, case)
        situation = SituationRun(case, state, Tracer(state) if cover or is_traced(case) else None)
        if situation.tracer is not None:
            situation.tracer.start(cover or any(e.word == "applies" for e in case.then))
        play(situation)
        outcome.faults = [
            fault for expected in case.then for fault in _look(situation, expected, game)
        ]
    except WrongSetup as wrong:
        step = case.do[situation.step - 1] if situation is not None and situation.step else None
        at: SituationStep | Case = step or case
        outcome.faults = [
            SituationFault(
                str(wrong),
                wrong.line or at.line or case.line,
                _about(case, step, situation),
                0 if wrong.line else at.column,
            )
        ]
    except RulekitError as error:
        outcome.faults = [
            SituationFault(f"{error}{_entry(case, error)}", case.line, (), case.column)
        ]
    except Exception as error:  # a defect of rulekit must not stop the other situations
        outcome.faults = [
            SituationFault(
                f"a defect of rulekit itself: {type(error).__name__}: {error}",
                case.line,
                (),
                case.column,
            )
        ]
    if situation is not None:
        if outcome.faults:
            outcome.standing = standing(situation.state)
        if cover:
            outcome.reached = _reached(situation)
    return outcome


def play(situation: SituationRun) -> None:
    """Arrange the position, begin play and make the choices.

    Raises:
        WrongSetup: the situation cannot be played.
    """
    case, state = situation.case, situation.state
    arrange(state, case)
    counter = state.slots[COUNTER]
    begin(state, case)
    for situation.step, step in enumerate(case.do, 1):
        _choose(situation, step)
    situation.step = 0
    _dice_used(situation, counter)


def _look(situation: SituationRun, expected: Expected, game: Game) -> list[SituationFault]:
    """Return the faults of one expectation."""
    try:
        why = check(
            situation.state, situation.tracer, expected.word, expected.subject, expected.value
        )
    except RulekitError as error:
        why = str(error)
    if not why:
        return []
    more = derivation(
        situation.state, expected.word, expected.subject, lambda: _again(game, situation.case)
    )
    return [SituationFault(why, expected.line, tuple(more), expected.column)]


def _again(game: Game, case: Case) -> tuple[State, Tracer]:
    """Play the situation once more and keep all derivations."""
    state = base(game, case)
    tracer = Tracer(state)
    tracer.keep()
    play(SituationRun(case, state, tracer))
    return state, tracer


def _about(
    case: Case, step: SituationStep | None, situation: SituationRun | None
) -> tuple[str, ...]:
    """Return the step of `do` that failed, and a note on options taken before it without asking."""
    if step is None or situation is None:
        return ()
    keys = keys_of_line(step.choice)
    part = f", choice {situation.part} of {len(keys)}" if len(keys) > 1 else ""
    said = (
        f"step {situation.step} of {len(case.do)} in `do`{part}:"
        f" {f'{step.player}: ' if step.player else ''}{step.choice}"
    )
    notes = [note for key in keys if (note := taken(situation.state, key))]
    return (said, *notes[:1])


def _reached(situation: SituationRun) -> set[str]:
    state, program = situation.state, situation.state.table.program
    out = {f"event {e.name}" for e in state.events}
    out |= {
        f"option {program.families[i].name}"
        for i, f in enumerate(program.families)
        if any(f.base <= mark.option < f.base + f.size for mark in state.marks)
    }
    assert situation.tracer is not None
    for what, index, clause in {*situation.tracer.applied(), *situation.tracer.answered}:
        info = (program.totals if what == "total" else program.permits)[index]
        out |= {f"{what} {info.name}", f"clause {info.name}.{info.clauses[clause].name}"}
    return out
