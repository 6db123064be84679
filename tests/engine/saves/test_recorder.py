"""Typed input is recorded exactly: every choice of a line with its own events, in every game, and
later undos."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulekit
from rulekit.engine.notation.move_parser import choose
from rulekit.engine.saves.recorder import Recorder, parse_save, replay

ROOT = Path(__file__).resolve().parents[3]
GAMES = {  # the least number of choices in the longest line of the game
    "games/amphipolis": 5,
    "games/sphacteria": 5,
    "examples/skirmish": 1,
    "tests/fixtures/choices": 1,
    "tests/fixtures/cards": 1,
}
STEPS = 120


def held(recorder: Recorder) -> tuple[list[str], list[str], list[object]]:
    """Return the recorded choices without undone ones: their keys, their players, and all events
    since the set-up."""
    standing = recorder.save.choices
    begun = [r for r in recorder.save.records if r.choice is None and not r.undo]
    return (
        [r.choice or "" for r in standing],
        [r.by or "" for r in standing],
        [e for r in [*begun, *standing] for e in r.events],
    )


def stands(recorder: Recorder) -> tuple[list[str], list[str], list[object]]:
    """Return the same for the state."""
    state = recorder.state
    keys = [option.key for option in state.choices]
    return (
        keys,
        [state.names.sides[mark.chooser] for mark in state.marks],
        [e.to_json() for e in state.events],
    )


def typed(recorder: Recorder, rng: random.Random) -> int:
    """Type a line at the decision: a multi-step move of at least three choices, or else an option.
    Return the number of choices."""
    state, before = recorder.state, recorder.state.move_number()
    assert state.decision is not None
    options = list(state.decision.options)
    for line in (*(f"{o.key} all" for o in rng.sample(options, min(4, len(options)))), "all"):
        trial = state.clone()
        try:
            choose(trial, line)
        except rulekit.RulekitError:
            continue
        if trial.move_number() - before >= 3:
            recorder.apply_line(line)
            return recorder.state.move_number() - before
    recorder.apply_line(rng.choice(options).key)
    return recorder.state.move_number() - before


@pytest.mark.parametrize(("path", "longest"), GAMES.items(), ids=GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_record_holds_every_choice_of_a_line_with_its_events(
    path: str, longest: int, seed: int
) -> None:
    """The record has all choices of a typed line, with player and events, also if some of them are
    undone one by one. A replay, with and without undone choices, ends in the same state."""
    game, rng, most = rulekit.load(ROOT / path), random.Random(seed), 0
    recorder = Recorder(game, game.new(seed=seed), dict.fromkeys(game.sides, "human"))
    for _ in range(STEPS):
        if recorder.state.decision is None:
            break
        made = typed(recorder, rng)
        most = max(most, made)
        assert held(recorder) == stands(recorder)
        if rng.random() < 0.3:
            for _ in range(rng.randint(1, made)):
                recorder.state.undo()
                recorder.undone()
            assert held(recorder) == stands(recorder)
    assert most >= longest
    for everything in (False, True):
        done = replay(game, parse_save(recorder.save.text()), everything=everything)
        assert done.ok and done.state == recorder.state
        assert done.choices == recorder.state.move_number()


def test_a_line_that_is_refused_leaves_no_record() -> None:
    """If one part of a line is refused, none of its choices is made or recorded."""
    game = rulekit.load(ROOT / "games" / "sphacteria")
    recorder = Recorder(game, game.new(seed=0), {})
    for choice in ("pass", "pass", "pick 1", "pass", "activate N", "pass"):
        recorder.apply(choice)
    before = list(recorder.save.records)
    with pytest.raises(rulekit.IllegalChoice):
        recorder.apply_line("move all to nowhere")
    assert recorder.save.records == before
