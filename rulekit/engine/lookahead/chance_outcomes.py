"""Enumerate all possible continuations of an option up to the next decision.

No die is rolled. Each result is given to the code in turn, with its exact weight.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from attrs import define, evolve, field, frozen

from rulekit.engine.kernel.bound_program import BoundProgram
from rulekit.engine.kernel.instrumented_code import ChanceCode, DrawWanted, RollWanted
from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.world_enumeration import watched
from rulekit.runtime import intrinsics
from rulekit.runtime.code import Code
from rulekit.runtime.records import kind_of
from rulekit.runtime.slots import DIE_ROLLED, FIRST_EVENT, LAYERS, PC, ROLL_CANCELLED, SCOPE_ENDED

LEAVES = 1296  # the largest number of courses of one option: four dice
SLOTS = 2_000_000  # the largest number of slots of all their positions together
STEPS = 24  # the largest number of passed windows and single-option decisions in a row

Read = tuple[int, int, tuple[Any, ...], int]  # events before it, table, keys, row


@frozen
class ChanceOutcome:
    """One possible continuation.

    Attributes:
        state: the position at its end, with the events since the position before.
        rolls: the results of the rolls, in order.
        chance: the probability.
        end: the reason of its end: decision, over, draw (a draw comes next), roll (a roll comes
            next) or error.
        given: the results, separately for each choice and pass.
        reads: the table look-ups.
    """

    state: Position
    rolls: tuple[int, ...]
    chance: Fraction
    end: str
    given: tuple[tuple[int, ...], ...]
    reads: tuple[Read, ...] = ()


@define
class _Node:
    """A choice to be made, with the results of the rolls in it."""

    state: Position
    action: int
    rolls: tuple[int, ...] = ()
    chance: Fraction = Fraction(1)
    results: tuple[int, ...] = ()
    given: tuple[tuple[int, ...], ...] = ()
    reads: tuple[Read, ...] = ()
    steps: int = field(default=0)


@lru_cache(64)
def sums(number: int, faces: int) -> tuple[tuple[int, Fraction], ...]:
    """Return the possible sums of some dice with their probabilities."""
    ways = {0: 1}
    for _ in range(number):
        more: dict[int, int] = {}
        for total, n in ways.items():
            for face in range(1, faces + 1):
                more[total + face] = more.get(total + face, 0) + n
        ways = more
    return tuple((total, Fraction(n, faces**number)) for total, n in sorted(ways.items()))


def chance_code(table: BoundProgram) -> ChanceCode:
    """Return the code that takes given dice results. It is built once for each table."""
    if table.chances is None:
        table.chances = ChanceCode(table.program)
    return table.chances


def courses(
    table: BoundProgram, slots: list[int], action: int, leaves: int = LEAVES
) -> tuple[list[ChanceOutcome], bool]:
    """Enumerate the courses after an option.

    Windows are passed and single-option decisions taken, up to the first roll. The same is done
    between a roll and the first event of the game that follows from it.

    Returns:
        The courses, and whether they cover all rolls before the next decision. If not, each course
        ends at the second roll.
    """
    code, pending, leaves = (
        chance_code(table),
        is_pending(Position(table, list(slots))),
        min(leaves, SLOTS // len(slots)),
    )
    done: list[ChanceOutcome] = []
    waiting: list[tuple[ChanceOutcome, _Node, RollWanted]] = []
    _run(code, _Node(Position(table, slots[:]), action), pending, done, waiting)
    first: list[ChanceOutcome] = []
    while waiting:
        if (
            len(done) + sum(len(sums(roll.number, roll.faces)) for _, _, roll in waiting) > leaves
            and first
        ):
            return first, False
        now, waiting = waiting, []
        for _, node, roll in now:
            for value, chance in sums(roll.number, roll.faces):
                follower = evolve(
                    node,
                    rolls=(*node.rolls, value),
                    results=(*node.results, value),
                    chance=node.chance * chance,
                )
                _run(code, follower, pending, done, waiting)
        first = first or [*done, *(course for course, _, _ in waiting)]
    return done, True


def _run(
    code: ChanceCode,
    node: _Node,
    pending: bool,
    done: list[ChanceOutcome],
    waiting: list[tuple[ChanceOutcome, _Node, RollWanted]],
) -> None:
    """Play on from a choice, to the end of a course or to a roll without a given result."""
    while True:
        state = node.state.clone()
        slots, log = state.slots, state.log
        state.keep_in(watched(slots, log, state.trail))
        state.mark(node.action)
        code.results, code.reads, code.at, code.log = list(node.results), [], [], log
        end, roll = "decision", None
        try:
            code.code.apply(slots, node.action, log, state.trail)
        except RollWanted as wanted:
            end, roll = "roll", wanted
        except DrawWanted:
            end = "draw"
        except Exception:  # emitted code in a determinization that can never arise in play
            end = "error"
        reads = (*node.reads, *((at, *read) for at, read in zip(code.at, code.reads, strict=True)))
        given = (*node.given, node.results)
        if end == "decision" and slots[PC] <= 0:
            end = "over"
        course = ChanceOutcome(state, node.rolls, node.chance, end, given, reads)
        if roll is not None:
            slots[LAYERS] = None  # type: ignore[call-overload]
            waiting.append((course, node, roll))
            return
        action = (
            _onward(code.code, state, pending) if end == "decision" and node.steps < STEPS else None
        )
        if action is None:
            done.append(course)
            return
        node = _Node(state, action, node.rolls, node.chance, (), given, reads, node.steps + 1)


def _onward(code: Code, state: Position, pending: bool) -> int | None:
    """Return the choice that is taken automatically: the pass of a window, or the only option.

    None means that the course ends.
    """
    if outcome(state, pending) is not None:
        return None
    layers = code.layers(state.slots)
    passing = next(
        (base for base, _ in layers if state.table.book.family(base).what == "pass"), None
    )
    return (
        passing
        if passing is not None
        else intrinsics.ids(layers)[0]
        if intrinsics.count(layers) == 1
        else None
    )


def is_pending(state: Position) -> bool:
    """Return True if play is in a window after a roll that has had no consequence yet."""
    return state.running(at) if (at := chance_code(state.table).after_roll) >= 0 else False


def begun(state: Position, pending: bool) -> int | None:
    """Return the number of the event with which the next roll of a course begins.

    It is 0 for a pending roll that was not cancelled, and None if there is no roll.
    """
    for at, record in enumerate(state.log):
        if kind_of(record) == DIE_ROLLED:
            return 0 if pending else at
        pending = pending and kind_of(record) != ROLL_CANCELLED
    return 0 if pending else None


def outcome(state: Position, pending: bool) -> int | None:
    """Return the number of the first event that follows from the next or pending roll.

    None means that there is no such event yet.
    """
    begin = begun(state, pending)
    if begin is None:
        return None
    scope = (SCOPE_ENDED, chance_code(state.table).after_roll)
    ended = next((at for at in range(begin, len(state.log)) if state.log[at] == scope), None)
    if ended is None and is_pending(state):
        return None
    return next(
        (
            at
            for at in range(ended or begin, len(state.log))
            if kind_of(state.log[at]) >= FIRST_EVENT
        ),
        None,
    )
