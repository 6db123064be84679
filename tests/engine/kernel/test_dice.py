"""Effects of dice: repeated rolls, in play, in saves and in texts, and no effect where there is
none."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulekit
from rulekit.engine.saves.recorder import Recorder, replay
from rulekit.engine.saves.save_format import parse_save
from tests.compiler.checked_games import model

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
DICE, QUIET = FIXTURES / "dice", FIXTURES / "dice_quiet"


def rolls(state: rulekit.State) -> list[tuple[str, str, int]]:
    return [
        (e.name, e.params["purpose"], e.params["value"])
        for e in state.events
        if e.name in ("die_rolled", "roll_cancelled")
    ]


def play(state: rulekit.State, seed: int) -> None:
    pick = random.Random(seed)
    while state.decision is not None:
        state.apply(pick.choice(state.decision.options))


def check_cancelled(made: list[tuple[str, str, int]]) -> int:
    """Check that a roll is cancelled right after it, or after rolls made in the meantime, and that
    the same purpose is rolled again. Return the number of cases."""
    count = 0
    for i, (name, purpose, value) in enumerate(made):
        if name == "roll_cancelled":
            count += 1
            assert ("die_rolled", purpose, value) in made[:i]
            assert made[i + 1][:2] == ("die_rolled", purpose)
    return count


@pytest.mark.parametrize("path", [DICE, QUIET], ids=lambda p: p.name)
def test_a_cancelled_roll_is_rolled_again_at_once(path: Path) -> None:
    cancelled = 0
    for seed in range(12):
        state = rulekit.load(path).new(seed=seed)
        play(state, seed)
        cancelled += check_cancelled(rolls(state))
    assert cancelled > 5


def test_the_window_speaks_of_the_roll() -> None:
    state = rulekit.load(DICE).new(seed=1)
    assert state.decision is not None
    value = rolls(state)[-1][2]
    assert state.decision.prompt == f"{value} for the weather: what now?"
    assert state.decision.options[0].label == "Roll again"
    assert any("8.2" in line for line in state.why("hold_the_hill"))
    state.apply("reroll")
    assert [name for name, _, _ in rolls(state)[:3]] == [
        "die_rolled",
        "roll_cancelled",
        "die_rolled",
    ]
    assert state.why("reroll")


def test_undo_takes_back_what_was_rolled_again() -> None:
    state = rulekit.load(DICE).new(seed=1)
    before = state.clone()
    after = []
    for choice in ("reroll", "pass"):
        state.apply(choice)
        after.append([e.to_json() for e in state.events])
        state.undo()
        assert state == before
        assert [e.to_json() for e in state.events] == [e.to_json() for e in before.events]
        state.redo()
        assert [e.to_json() for e in state.events] == after[-1]
        state.undo()
    assert after[0] != after[1]


@pytest.mark.parametrize("path", [DICE, QUIET], ids=lambda p: p.name)
@pytest.mark.parametrize("seed", range(4))
def test_a_saved_game_is_replayed_exactly(path: Path, seed: int) -> None:
    game = rulekit.load(path)
    recorder = Recorder(game, game.new(seed=seed), dict.fromkeys(game.sides, "random"))
    pick = random.Random(seed)
    while recorder.state.decision:
        recorder.apply(pick.choice(recorder.state.decision.options))
        if pick.random() < 0.3:
            recorder.state.undo()
            recorder.undone()
    done = replay(game, parse_save(recorder.save.text()), everything=True)
    assert done.ok
    assert done.state == recorder.state


def test_where_nothing_hangs_on_dice_nothing_is_added() -> None:
    for path in ("tests/fixtures/duel", "tests/fixtures/blocks"):
        made = model(path)
        assert made.rolled is None
        assert "Purpose" not in made.kinds
        assert made.purposes
