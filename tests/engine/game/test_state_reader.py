"""States read from files: written ones are read again. Any other file is an error of ours or a
position that can be played."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulekit
from rulekit.runtime.slots import LAYERS
from tests.small_games import write_game

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = sorted(
    p.parent
    for part in ("games", "examples", "tests/fixtures")
    for p in (ROOT / part).glob("*/game.yaml")
    if "rulekit: library" not in p.read_text(encoding="utf-8")
)
EDITS = 40  # of each scenario
STEPS = 5


def positions(
    game: rulekit.Game, scenario: str | None, rng: random.Random
) -> Iterator[rulekit.State]:
    """Yield some decisions of a random game, and its end."""
    state = game.new(scenario, seed=rng.randrange(1 << 30))
    while not state.is_terminal() and state.move_number() < 1200:
        if rng.random() < 0.05:
            yield state
        state.apply_action(rng.choice(state.legal_actions()))
    yield state


def edited(rng: random.Random, slots: list[int]) -> list[int]:
    """Change one value: slightly, to the value of another slot, in one bit, or to an impossible
    number."""
    at = rng.choice([i for i in range(len(slots)) if i != LAYERS])
    old = slots[at]
    new = rng.choice(
        [
            old + 1,
            old - 1,
            -1,
            0,
            1,
            2,
            7,
            -2,
            99,
            65535,
            1 << 40,
            -(1 << 40),
            1 << 70,
            -(1 << 70),
            1 << 3000,
            old ^ 1 << rng.randrange(12),
            rng.choice([s for s in slots if s is not None]),
        ]
    )
    return [*slots[:at], new, *slots[at + 1 :]]


def live(game: rulekit.Game, state: rulekit.State, rng: random.Random) -> None:
    """Use a state as a server does, for some choices."""
    for _ in range(STEPS):
        for observer in (None, *game.sides):
            state.view(observer)
        assert state.result is not None or state.is_terminal() or state.decision is not None
        assert str(state) and state.to_json()
        if state.is_terminal():
            return
        state.apply(rng.choice(state.decision.options))


@pytest.mark.docs("python#views-queries-copies")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.name)
def test_a_state_is_read_again_and_an_edited_one_is_refused_or_can_be_played(folder: Path) -> None:
    """A state written in play is read again. With one changed slot it is refused with an error of
    ours, or later use ends with such an error or well."""
    game, rng = rulekit.load(folder), random.Random(folder.name)
    for scenario in game.scenarios or [None]:
        texts = []
        for state in positions(game, scenario, rng):
            texts.append(state.to_json())
            assert game.state_from_json(texts[-1]) == state
        refused = 0
        for _ in range(EDITS):
            data = json.loads(rng.choice(texts))
            data["state"] = edited(rng, data["state"])
            try:
                live(game, game.state_from_json(json.dumps(data)), rng)
            except rulekit.SaveError as error:
                refused += 1
                assert str(error).startswith("this is not a state: ")
            except rulekit.RulekitError as error:
                assert str(error)
        assert refused > EDITS // 3


def spoiled(game: rulekit.Game, at: int, value: int) -> str:
    """Return the error of a new game with another value in a slot."""
    data = json.loads(game.new(seed=1).to_json())
    data["state"][at] = value
    with pytest.raises(rulekit.SaveError) as caught:
        game.state_from_json(json.dumps(data))
    return str(caught.value)


@pytest.mark.docs("python#views-queries-copies")
def test_what_is_wrong_is_told_by_the_name_that_players_know() -> None:
    """A cell is named with its keys, a variable with its procedure, and both with their possible
    values."""
    game = rulekit.load(ROOT / "tests" / "fixtures" / "choices")
    program = game.program()
    slots = {cell.name: cell.base for cell in program.cells}
    assert "first_side cannot be 9; it is a Side, 0 to 1" in spoiled(game, slots["first_side"], 9)
    assert "day_number cannot be 10; it lies between 1 and 9" in spoiled(
        game, slots["day_number"], 10
    )
    assert "zone.red.F1 cannot be 5; it is a Zone, 0 to 4, or -1 for none" in spoiled(
        game, slots["zone"], 5
    )
    assert "the list of those with a value is another one than their values say" in spoiled(
        game, slots["zone"], 2
    )
    turn = next(proc for proc in program.procs if proc.name == "turn_of")
    assert "'active' in turn of cannot be 2" in spoiled(game, turn.vars[0].slot, 2)
    assert "play stands in turn of, which nobody has called" in spoiled(game, turn.returns, 0)
    assert "where turn of returns to cannot be 11" in spoiled(game, turn.returns, 11)


def accepted(game: rulekit.Game, at: int, value: int) -> bool:
    """Return True if a new game with another value in a slot is read."""
    data = json.loads(game.new(seed=1).to_json())
    data["state"][at] = value
    try:
        game.state_from_json(json.dumps(data))
    except rulekit.SaveError as error:
        assert "packed; there are " in str(error)
        return False
    return True


@pytest.mark.parametrize(
    ("folder", "form", "size", "sound", "wrong"),
    [
        (
            "cards",
            "list",
            2,
            [1, 3, 2 | 3 << 16, 3 | 2 << 16 | 1 << 32],
            [-1, 4, 2 | 4 << 16, 4 | 2 << 16, 2 << 16, 1 << 32 | 1],
        ),
        (
            "skirmish",
            "masks",
            8,
            [1, 8, 8 | 255 << 16, 8 | 1 << 79],
            [-1, 9, 1 << 16, 0xFFFF, 8 | 1 << 80, 9 | 255 << 16],
        ),
    ],
)
def test_packed_lists_hold_members_only(
    folder: str, form: str, size: int, sound: list[int], wrong: list[int]
) -> None:
    """A list has 16 bits for each member, two more than its number, without gaps. A set has its
    width, then at most as many entries as members."""
    game = rulekit.load(ROOT / "tests" / "fixtures" / folder)
    at = next(
        note.slot for note in game.program().machine if (note.form, note.size) == (form, size)
    )
    assert all(accepted(game, at, value) for value in [0, *sound])
    assert not any(accepted(game, at, value) for value in wrong)


@pytest.mark.docs("python#views-queries-copies")
def test_a_thing_lies_in_one_pool_only() -> None:
    """A thing in one pool cannot be in another, whichever is read first, nor in two places of one
    pool."""
    game = rulekit.load(ROOT / "tests" / "fixtures" / "cards")
    slots = json.loads(game.new(seed=1).to_json())["state"]
    pools = [
        cell.base + place
        for cell in game.program().cells
        if cell.pool
        for place in range(2 if cell.keys else 1)
    ]
    filled = [at for at in pools if slots[at]]
    assert len(pools) == 6 and len(filled) == 3  # the deck and both hands
    for at in filled:
        for other in pools:
            if other != at:
                assert "something in it lies elsewhere, too" in spoiled(
                    game, other, slots[other] | slots[at] & -slots[at]
                )


def test_each_procedure_that_nobody_called_is_told_of() -> None:
    """This includes the last one, which would continue at its caller."""
    game = rulekit.load(ROOT / "tests" / "fixtures" / "choices")
    program, state = game.program(), game.new(seed=1)
    idle = [
        proc
        for proc in program.procs
        if proc.entry >= 0 and proc.returns >= 0 and not state.slots[proc.returns]
    ]
    assert idle[-1] is program.procs[-1]
    for proc in idle:
        assert "is going on, but nobody has called it" in spoiled(game, proc.returns, proc.sites[0])


def test_a_cell_is_not_set_to_what_it_cannot_hold() -> None:
    state = rulekit.load(ROOT / "tests" / "fixtures" / "choices").new(seed=1)
    with pytest.raises(rulekit.RulekitError, match="day_number lies between 1 and 9"):
        state.set("day_number", 10)
    with pytest.raises(rulekit.RulekitError, match="first_side is never none"):
        state.set("first_side", None)
    state.set("zone.red.F1", None)
    assert state.get("zone.red.F1") is None


AGAIN = """
state hits: 0..99
event hit
  hits += 1
reaction again after hit "Again"
  for red
  limit 2 per game
  hit
phase main
  hit
  finish none, drawn
"""


def test_how_often_a_procedure_runs_within_itself_is_kept_where_nothing_else_is(
    tmp_path: Path,
) -> None:
    """The number has its own slot. A state in which it disagrees with the callers is refused."""
    game = rulekit.load(write_game(tmp_path, AGAIN))
    program, state = game.program(), game.new(seed=1)
    within = [proc for proc in program.procs if proc.depth >= 0]
    own = [
        slot
        for proc in within
        for slot in (proc.depth, *proc.frame, *range(proc.save, proc.save + 3 * len(proc.frame)))
    ]
    assert (
        within
        and len(own) == len(set(own))
        and all(proc.frame[:1] == [proc.returns] for proc in within)
    )
    for proc in within:
        assert state.slots[proc.depth] == 0 and "does not run within itself as often" in spoiled(
            game, proc.depth, 1
        )


STORM = """
kind Hue = dull | bright | dark
moment bell in storm asks red
reaction ring at bell
  limit 2 per game
  storm(bright)
procedure storm(h: Hue)
  pick k from 1 .. 2 by red "how"
  each x in {dull, bright} by -k
    pick n from 0 .. 1 by red "and"
  open bell
phase main
  storm(dull)
  finish none, drawn
"""


def test_what_is_saved_of_a_procedure_within_itself_is_looked_at_too(tmp_path: Path) -> None:
    """Each saved value is read and must be possible for its slot. Without a save the slots are
    empty."""
    game = rulekit.load(write_game(tmp_path, STORM))
    [proc] = [proc for proc in game.program().procs if proc.name == "storm"]
    state = game.new(seed=1)
    for key in ("pick 1", "pick 0", "pick 0", "ring", "pick 2"):
        state.apply(key)
    assert state.slots[proc.depth] == 1 and game.state_from_json(state.to_json()) == state
    for at in range(proc.save, proc.save + 3 * len(proc.frame)):
        data = json.loads(state.to_json())
        data["state"][at] = 1 << 70
        with pytest.raises(rulekit.SaveError, match="cannot be a number of 71 bits"):
            game.state_from_json(json.dumps(data))
