"""A choice that fails leaves no trace: wherever it fails in the rules, the state, its events and
its copies are unchanged."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import attrs
import pytest

import rulekit
from rulekit.runtime.program import Program
from tests.compiler.checked_games import ROOT
from tests.games.plays import SCENARIOS

SMALL = [
    "examples/breakthrough",
    "examples/skirmish",
    "tests/fixtures/blocks",
    "tests/fixtures/cards",
    "tests/fixtures/dice",
    "tests/fixtures/duel",
    "tests/fixtures/choices",
]
GAMES = [
    *((path, None) for path in SMALL),
    *(
        (f"games/{name}", scenario)
        for name, scenario in SCENARIOS
        if (ROOT / "games" / name).is_dir()
    ),
]
POSITIONS, FAILURES = 5, 12


class Planted(Exception):
    """The error that a test plants."""


def whole(state: rulekit.State) -> tuple[Any, ...]:
    """Return all parts of a state, byte for byte."""
    return (
        state.to_json(),
        list(state.log),
        list(state.trail),
        list(state.marks),
        list(state._redo),
        state.legal_actions(),
        repr(state.decision),
        repr(state.result),
        [e.to_json() for e in state.events],
    )


@contextmanager
def watched(program: Program, fail_at: int) -> Iterator[list[int]]:
    """Count the executed lines of the compiled game and its callees. An error is raised before line
    number `fail_at`."""
    mine = f"<{program.name} full>"
    count = [0]

    def line(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            count[0] += 1
            if count[0] == fail_at:
                raise Planted
        return line

    def call(frame: FrameType, event: str, _: Any) -> Any:
        file, name = frame.f_code.co_filename, frame.f_code.co_name
        if name in ("apply", "invariants") or (
            frame.f_back is not None and frame.f_back.f_trace is line
        ):
            return line if file == mine or file.endswith(("effects.py", "runtime.py")) else None
        return None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        yield count
    finally:
        sys.settrace(before)


@pytest.mark.parametrize(
    ("path", "scenario"), GAMES, ids=[f"{path} {scenario or ''}" for path, scenario in GAMES]
)
def test_an_error_anywhere_in_a_choice_leaves_the_state_as_it_was(
    path: str, scenario: str | None
) -> None:
    game, rng = rulekit.load(ROOT / path), random.Random(path)
    state = game.new(scenario, seed=5)
    for position in range(POSITIONS):
        for _ in range(rng.randrange(12 * position + 1)):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        if state.is_terminal():
            state = game.new(scenario, seed=position)
        if state.move_number():
            state.undo()  # so that redo has a choice
        action = rng.choice(state.legal_actions())
        with watched(state.table.program, 0) as count:
            state.clone().apply(action)
        for at in {rng.randint(1, count[0]) for _ in range(FAILURES)}:
            before, copy = whole(state), state.clone()
            with watched(state.table.program, at), pytest.raises(rulekit.RulesError):
                state.apply(action)
            assert whole(state) == before, (
                f"an error at line {at} of {state.action_to_string(action)}"
            )
            assert state == copy
        copy.apply(action)
        state.apply(action)
        assert state == copy and state.to_json() == copy.to_json()


@pytest.mark.parametrize(
    "path", ["examples/skirmish", "tests/fixtures/dice", "tests/fixtures/blocks"]
)
def test_a_budget_of_steps_that_is_spent_leaves_the_state_as_it_was(path: str) -> None:
    """Budgets go from none at all to one that suffices."""
    game, failed = rulekit.load(ROOT / path), 0
    state, rng = game.new(seed=2), random.Random(2)
    for _ in range(20):
        action = rng.choice(state.legal_actions())
        for budget in (0, 1, 2, 3, 5):
            small = attrs.evolve(
                state.table.program, max_steps=budget, code={}, objects=state.table.program._objects
            )
            before, code = whole(state), state.code
            state.play_by(small.code("full"))
            try:
                state.clone().apply_action(action)
                state.apply_action(action)
                state.undo()
                state._redo.clear()
            except rulekit.RulesError as error:
                failed += 1
                assert "too many steps" in str(error)
            state.play_by(code)
            assert (whole(state)[:4], whole(state)[5:]) == (before[:4], before[5:])
        state.apply_action(action)
        if state.is_terminal():
            break
    assert failed


def test_dice_that_cannot_be_rolled_leave_the_state_as_it_was() -> None:
    game = rulekit.load(ROOT / "tests" / "fixtures" / "dice")
    failed = 0
    for seed in range(12):
        state, rng = game.new(seed=seed), random.Random(seed)
        while not state.is_terminal():
            action = rng.choice(state.legal_actions())
            state.slots[4] = 1 << 16 | 60000  # makes the next roll 59999
            before = whole(state)
            try:
                state.apply(action)
            except rulekit.RulesError as error:
                failed += 1
                assert "cannot be rolled" in str(error)
                assert whole(state) == before
                break
            state.slots[4] = 0
    assert failed > 6


def test_an_invariant_that_breaks_takes_back_the_choice_and_keeps_what_can_be_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """This is so if the invariant is false or cannot be evaluated."""
    state = rulekit.load(ROOT / "examples" / "tic_tac_toe").new(seed=1)
    state.apply("a1")
    state.undo()
    before = whole(state)

    def fails(_: object) -> list[int]:
        raise rulekit.RulesError("'the' needs one that is there, here is none")

    monkeypatch.setattr(state.code, "invariants", fails)
    with pytest.raises(rulekit.RulesError, match="needs one"):
        state.apply("b2")
    assert whole(state) == before
    state.redo()


def test_a_copy_has_its_own_list_of_what_can_be_made_again() -> None:
    """Undo, redo and choices in one of the two change nothing in the other, in both directions."""
    state = rulekit.load(ROOT / "examples" / "tic_tac_toe").new(seed=1)
    for key in ("a1", "b2", "c3"):
        state.apply(key)
    state.undo()
    state.undo()
    copy = state.clone()
    copy.redo()
    assert state._redo and len(copy._redo) == 1 and len(state._redo) == 2
    state.apply("c1")  # redo is now possible only in the copy
    copy.redo()
    assert copy.move_number() == 3
    other = copy.clone()
    other.undo()
    with pytest.raises(rulekit.IllegalChoice):
        copy.redo()
    bare = other.clone(history=False)
    with pytest.raises(rulekit.IllegalChoice):
        bare.redo()
    other.redo()
