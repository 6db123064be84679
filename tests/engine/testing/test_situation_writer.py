"""A position of a game is written as a situation, which leads to the same position."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulekit
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.errors import RulekitError
from rulekit.compiler.source.situations import parse_situations
from rulekit.engine.game.game import Game
from rulekit.engine.game.position_dump import dump, unlike
from rulekit.engine.game.setup import arrange, base
from rulekit.engine.game.state import State
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.testing.runner import Case, SituationRun, play, run
from rulekit.engine.testing.situation_text import situation_text
from rulekit.engine.testing.situation_writer import WrittenSituation, situation_of
from rulekit.project.validate_situations import case_of, vet
from rulekit.runtime.cells import column
from tests.small_games import write_game

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = sorted(folder.name for folder in (ROOT / "examples").iterdir() if folder.is_dir())
SMALL = [f"examples/{name}" for name in EXAMPLES]
LARGE = ["games/amphipolis", "games/athens_sparta", "games/peloponnesian_war"]


def played(game: Game, seed: int, scenario: str | None, longest: int) -> State:
    rng = random.Random(seed)
    state = game.new(scenario, seed + 100)
    for _ in range(rng.randrange(longest)):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def read_back(game: Game, text: str) -> Case:
    """Read the text of one situation as `rulekit test` does."""
    sink = Sink()
    situations = vet(game, parse_situations(text, "x.yaml", sink), sink)
    assert not sink.found, (sink.found, text)
    return case_of(situations[0])


def hold_equal(game: Game, state: State, at: int) -> WrittenSituation:
    """Check that the written situation leads to the position after choice `at`, or says what
    differs.
    """
    there = state.clone()
    while there.move_number() > at:
        there.undo()
    written = situation_of(game, state, at)
    case = read_back(game, situation_text(written))
    assert run(game, case).ok, run(game, case).why
    again = base(game, case)
    play(SituationRun(case, again, None))
    differs = [f"{name} has another value" for name in unlike(there, again)]
    assert differs == [note for note in written.notes if note.endswith("another value")]
    same = again.legal_actions() == there.legal_actions()
    assert same != ("other options are offered" in written.notes)
    for side in (None, *range(len(game.sides))):
        mine, theirs = Observer(again, side).now(), Observer(there, side).now()
        assert mine == theirs or written.notes
    return written


def many_situations(folder: str, seeds: int, longest: int) -> None:
    game, exact, count = rulekit.load(ROOT / folder), 0, 0
    for scenario in game.scenarios:
        for seed in range(seeds):
            state = played(game, seed, scenario, longest)
            at = random.Random(seed).randrange(state.move_number() + 1)
            exact += not hold_equal(game, state, at).notes
            count += 1
    assert exact > count // 2  # most positions are reached exactly


@pytest.mark.parametrize("folder", [*SMALL, "games/sphacteria"])
def test_a_situation_leads_to_the_position_of_the_game(folder: str) -> None:
    many_situations(folder, 8, 120)


@pytest.mark.parametrize("folder", LARGE)
def test_a_situation_leads_to_the_position_of_a_large_game(folder: str) -> None:
    many_situations(folder, 2, 60)


@pytest.mark.parametrize("folder", [*SMALL, "games/sphacteria"])
def test_a_dump_sets_every_cell_that_a_situation_can_set(folder: str) -> None:
    game = rulekit.load(ROOT / folder)
    for seed in range(12):
        state = played(game, seed, None, 200)
        found = dump(game, state)
        case = Case("x", scenario=found.scenario, empty=found.empty, rulings=found.rulings)
        case.set, case.put = found.given.get("set", {}), found.given.get("put", {})
        case.place = {
            piece: values if isinstance(values, dict) else {"": values}
            for piece, values in found.given.get("place", {}).items()
        }
        again = base(game, case)
        arrange(again, case)
        assert list(unlike(state, again)) == []
        known = [k.known_slot for k in state.table.program.kinds if k.known_slot >= 0]
        differs = any(again.slots[slot] != state.slots[slot] for slot in known)
        assert differs == any("known to everybody" in note for note in found.unwritten)


def test_a_dump_holds_nothing_that_stands_already() -> None:
    game = rulekit.load(ROOT / "games" / "sphacteria")
    assert dump(game, game.new(seed=0)).given == {}
    other = next(r for r in game.info.rulings if r.alternatives)
    chosen = {other.name: next(a for a in other.alternatives if a != other.default)}
    found = dump(game, game.new(seed=0, rulings=chosen))
    assert (found.rulings, found.given) == (chosen, {})


def test_a_hidden_counter_is_reported() -> None:
    game = rulekit.load(ROOT / "games" / "sphacteria")
    state, rng = game.new(seed=100), random.Random(0)
    counters = [cell for cell in state.table.program.cells if cell.hidden]
    while not any(any(column(state.slots, cell)) for cell in counters):
        state.apply_action(rng.choice(state.legal_actions()))
    notes = dump(game, state).unwritten
    assert any("the rules alone can write it" in note for note in notes)


def test_the_values_of_callers_are_given_where_they_matter(tmp_path: Path) -> None:
    rules = """
state n: 0..99
phase day(active: Side, gift: 0..9)
  choose by active "on"
    option take
      n += gift
phase round(who: Side)
  var prize: 0..99 = 0
  var idle: 0..9 = 1
  prize += n
  idle += 1
  day(who, 4)
  n += prize
phase main
  each s in Side
    round(s)
  finish none, drawn
"""
    game = rulekit.load(write_game(tmp_path, rules))
    state = game.new(seed=1)
    state.apply("take")
    written = hold_equal(game, state, 1)
    assert (written.case.phase, written.case.within, written.case.do) == ("day(blue, 4)", {}, [])
    state.apply("take")
    written = hold_equal(game, state, 2)
    assert written.case.within == {"round": {"prize": 4}}
    assert "  within:\n    round: {prize: 4}\n" in situation_text(written)


def test_choices_that_follow_are_written_with_what_happens() -> None:
    game = rulekit.load(ROOT / "examples" / "tic_tac_toe")
    state = game.new(seed=1)
    for key in ("mark a1", "mark b2", "mark a2", "mark b3", "mark a3"):
        state.apply(key)
    text = situation_text(situation_of(game, state, 3, 2, "The last row"))
    case = read_back(game, text)
    assert [step.choice for step in case.do][-2:] == ["mark b3", "mark a3"]
    said = [f"{e.word} {e.subject} {e.value}" for e in case.then]
    assert "holder a3 x" in said
    assert "result  {'winner': 'x', 'level': 'win'}" in said
    assert "holder a1 x" not in said  # it stood before


def test_a_choice_that_the_game_does_not_have_is_an_error() -> None:
    game = rulekit.load(ROOT / "examples" / "tic_tac_toe")
    with pytest.raises(RulekitError, match="no choice 3; it has 0"):
        situation_of(game, game.new(seed=1), 3)


@pytest.mark.parametrize("text", ["a, b", "no", "12", "a: b", "#1", "'", '"', "none", "[x]", "n"])
def test_texts_are_read_as_they_were_written(text: str) -> None:
    case = Case(text, do=[], then=[])
    sink = Sink()
    found = parse_situations(situation_text(WrittenSituation(case)), "x.yaml", sink)
    assert [each.name for each in found] == [text]
