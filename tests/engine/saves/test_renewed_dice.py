"""New dice after an agreed takeback: they differ from the old ones, and a replay is exact."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulekit
from rulekit.common.errors import IllegalChoice
from rulekit.engine.explain.event_reasons import behind
from rulekit.engine.game.state import State
from rulekit.engine.knowledge.observable_history import back_to
from rulekit.engine.saves.recorder import Recorder, replay
from rulekit.engine.saves.save_format import parse_save
from rulekit.runtime.intrinsics import SEEDS
from rulekit.runtime.seeds import KEYS, commitment, draw_entropy, draw_seed, renewed
from rulekit.runtime.slots import COUNTER

ROOT = Path(__file__).resolve().parents[3]
SKIRMISH = ROOT / "examples" / "skirmish"
GAMES = [SKIRMISH, ROOT / "tests" / "fixtures" / "cards"]


def agree(recorder: Recorder, many: int) -> None:
    """Undo some choices, as a server does after an agreement."""
    with recorder.following(draw_entropy()):
        for _ in range(many):
            recorder.state.undo()


def begun(path: Path, seed: int) -> Recorder:
    game = rulekit.load(path)
    return Recorder(game, game.new(seed=seed), dict.fromkeys(game.sides, "human"))


def rolling(state: State) -> list[int]:
    """Return the options here that need chance."""
    found = []
    for option in state.legal_actions():
        before = state.slots[COUNTER]
        state.apply_action(option)
        if state.slots[COUNTER] != before:
            found.append(option)
        state.undo()
    return found


def at_a_roll(path: Path, seed: int) -> tuple[Recorder, int]:
    """Return a game before a choice that rolls or draws."""
    recorder, rng = begun(path, seed), random.Random(seed)
    while not (found := rolling(recorder.state)):
        recorder.apply(rng.choice(recorder.state.legal_actions()))
    return recorder, found[0]


def results(recorder: Recorder, option: int) -> str:
    """Return the events of a choice."""
    return str(recorder.apply(option))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_after_an_agreement_the_same_choice_has_other_chances(path: Path) -> None:
    """In twenty tries at least one result differs. After a plain undo the result is the same."""
    recorder, option = at_a_roll(path, KEYS + 5)
    first, others = results(recorder, option), set()
    recorder.state.undo()
    recorder.undone()
    assert results(recorder, option) == first
    for _ in range(20):
        agree(recorder, 1)
        others.add(results(recorder, option))
    assert others - {first}


def test_old_dice_come_back_by_no_way() -> None:
    """They do not return by redo, after an earlier plain undo, in a copy, or in the state's
    JSON."""
    recorder, option = at_a_roll(SKIRMISH, KEYS + 7)
    state, game = recorder.state, rulekit.load(SKIRMISH)
    before = state.move_number()
    assert before
    recorder.apply(option)
    agree(recorder, 1)
    with pytest.raises(IllegalChoice):
        state.redo()
    last = state.undo()
    recorder.undone()
    seed = recorder.save.seed_by(recorder.save.dice)
    for same in (
        state,
        state.clone(),
        state.clone(history=False),
        game.state_from_json(state.to_json()),
    ):
        same.apply_action(last)
        same.apply_action(option)
        assert same.slots[2] == seed != recorder.save.seed


def test_choices_that_stand_keep_their_dice() -> None:
    """Reasons of an old event and a past position are unchanged. Undone choices of a copy are
    redone with the same dice."""
    recorder, rng = begun(SKIRMISH, KEYS + 9), random.Random(3)
    for _ in range(40):
        if recorder.state.decision is not None:
            recorder.apply(rng.choice(recorder.state.legal_actions()))
    state = recorder.state
    rolled = [n for n, event in enumerate(state.events) if event.name == "die_rolled"]
    last = state.choice_of_event(rolled[0])
    known, events = (
        [str(behind(state, n)) for n in range(rolled[0])],
        list(map(str, state.events[: rolled[0] + 1])),
    )
    agree(recorder, state.move_number() - last)
    assert [str(behind(state, n)) for n in range(rolled[0])] == known
    copy = back_to(state, 0).clone()
    while copy.move_number() < last:
        copy.redo()
    assert copy == state and list(map(str, copy.events[: rolled[0] + 1])) == events


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
@pytest.mark.parametrize("seed", range(6))
def test_a_replay_is_exact_whatever_was_taken_back(path: Path, seed: int) -> None:
    """Random games with choices, undos, redos and agreements are read, written, and replayed in
    full and without undone choices."""
    recorder, rng = begun(path, draw_seed() if seed % 2 else seed), random.Random(seed)
    game = rulekit.load(path)
    for _ in range(60):
        state = recorder.state
        step = rng.random()
        if step < 0.15 and state.move_number():
            agree(recorder, rng.randint(1, min(5, state.move_number())))
        elif step < 0.25 and state.move_number():
            with recorder.following():
                state.undo()
                if rng.random() < 0.5:
                    state.redo()
        elif state.decision is not None:
            recorder.apply(rng.choice(state.legal_actions()))
    text = recorder.save.text()
    save = parse_save(text)
    assert save.records == recorder.save.records and save.text() == text
    for each, everything in ((save, False), (save, True), (save.standing(), False)):
        done = replay(game, each, everything=everything)
        assert done.ok and list(done.state.events) == list(recorder.state.events)
        assert done.state == recorder.state or each.dice != save.dice
    assert (
        Recorder(game, replay(game, save).state, save.header["seats"], save).save.dice == save.dice
    )


def test_a_game_without_an_agreement_is_written_as_before() -> None:
    recorder, option = at_a_roll(SKIRMISH, 3)
    recorder.apply(option)
    recorder.state.undo()
    recorder.undone()
    assert '"dice":' not in recorder.save.text() and recorder.save.text().endswith(
        '{"undo":true}\n'
    )


@pytest.mark.parametrize(
    "bad", ['""', "7", "null", '"xyz"', '"' + "A" * 32 + '"', '"' + "0" * 31 + '"']
)
def test_what_dice_cannot_be_drawn_by_is_damage(bad: str) -> None:
    recorder, option = at_a_roll(SKIRMISH, 3)
    recorder.apply(option)
    for line in (
        f'{{"undo":true,"dice":{bad}}}\n',
        recorder.save.text().splitlines()[-1].replace('"events"', f'"dice":{bad},"events"') + "\n",
    ):
        text = (
            recorder.save.text()
            if line.startswith('{"undo')
            else recorder.save.text().rsplit("\n", 2)[0] + "\n"
        )
        with pytest.raises(rulekit.SaveError):
            parse_save(text + line)


def test_new_dice_need_the_seed_that_was_committed_to() -> None:
    """The source of the new dice reveals nothing without the seed. Small seeds also give keys."""
    assert renewed(7, "0" * 32) != renewed(8, "0" * 32) != renewed(8, "1" * 32)
    assert all(KEYS <= renewed(seed, draw_entropy()) < SEEDS for seed in (0, -3, KEYS, SEEDS - 1))
    recorder = begun(SKIRMISH, draw_seed())
    recorder.apply(recorder.state.legal_actions()[0])
    agree(recorder, 1)
    save = recorder.save
    assert commitment(save.seed, save.header["salt"]) == save.commitment and save.dice
