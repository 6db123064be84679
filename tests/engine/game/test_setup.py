"""`Game.position`: a state from the data that situations use, with their errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import rulekit
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.locate import situation_files
from rulekit.engine.game.setup import arrange, base, begin
from rulekit.project.validate_situations import case_of, read_all

ROOT = Path(__file__).resolve().parents[3]
SKIRMISH = rulekit.load(ROOT / "examples" / "skirmish")
OF_A_POSITION = ("given", "scenario", "rulings", "seed", "empty", "run", "within", "dice")


@pytest.mark.docs("python#a-position-from-data")
@pytest.mark.parametrize("folder", ["examples/skirmish", "games/sphacteria"])
def test_the_data_of_each_situation_give_the_position_in_which_it_starts(folder: str) -> None:
    game, files = rulekit.load(ROOT / folder), situation_files(ROOT / folder)
    given = {
        entry["name"]: entry
        for file in files
        for entry in yaml.safe_load(file.read_text(encoding="utf-8"))
    }
    for situation in read_all(files, Sink()):
        case = case_of(situation)
        state = base(game, case)
        arrange(state, case)
        begin(state, case)
        data = {
            "seed": 0,
            **{key: value for key, value in given[case.name].items() if key in OF_A_POSITION},
        }
        assert game.position(data.pop("given", {}), **data) == state, case.name


def test_play_goes_on_from_a_position() -> None:
    """The attacker wins a fight in the ford with a six and two more."""
    state = SKIRMISH.position(
        {
            "clear": "all",
            "place": {"red.F1": "camp", "red.F2": "ford", "blue.F1": "ford"},
            "phase": "day",
            "player": "red",
        },
        dice=[6],
    )
    for choice in ("march F1", "to ford", "rest"):
        state.apply(choice)
    assert (state.get("zone.blue.F1"), state.get("points.red"), state.undo()) == (
        None,
        1,
        state.legal_actions()[0],
    )


@pytest.mark.docs("python#a-position-from-data")
def test_a_position_keeps_the_scenario_as_far_as_nothing_is_given() -> None:
    given = {
        "place": {"red.H1": {"zone": "hill", "marched": True}},
        "set": {"points": {"red": 3, "blue": 1}},
        "put": {"hand.red": ["ambush"]},
    }
    state, begun = SKIRMISH.position(given, seed=7), SKIRMISH.new(seed=7)
    assert [
        state.get(path) for path in ("zone.red.H1", "marched.red.H1", "points.red", "points.blue")
    ] == ["hill", True, 3, 1]
    assert state.get("hand.red") == ["ambush"]
    assert state.get("zone.blue.H1") == begun.get("zone.blue.H1")
    assert state.decision is not None
    assert not state.events
    assert SKIRMISH.position(seed=7) == begun


@pytest.mark.docs("python#a-position-from-data")
def test_without_a_seed_a_key_is_drawn() -> None:
    assert SKIRMISH.position() != SKIRMISH.position()


PLACE = {"red.H1": "hill"}


@pytest.mark.docs("python#a-position-from-data")
@pytest.mark.parametrize(
    ("given", "more", "told"),
    [
        (
            {"plase": PLACE},
            {},
            "'given' has no key 'plase'; did you mean 'place' or 'phase' or 'player'?",
        ),
        (
            {"turn": 2},
            {},
            "'given' has no key 'turn'; it has clear, place, set, put, phase, player",
        ),
        (
            {"place": ["red.H1"]},
            {},
            "'place' of a position is a mapping, such as {NAME: value}, not ['red.H1']",
        ),
        ({"phase": 3}, {}, "'phase' of a position is a text, not 3"),
        (
            {"place": {"red.H9": "hill"}},
            {},
            (
                "'red.H9' is no piece of this game that stands somewhere; did you mean 'red.H1' or"
                " 'red.F2' or 'red.F1'?"
            ),
        ),
        (
            {"place": {"red.H1": "hil"}},
            {},
            "zone.red.H1: 'hil' is not a Zone; did you mean 'hill'?",
        ),
        ({"clear": ["hil"]}, {}, "'hil' is no place of this game; did you mean 'hill'?"),
        ({"set": {"points.red": 99}}, {}, "points.red: 99 is outside of 0..40"),
        (
            {"set": {"point.red": 9}},
            {},
            "'point.red' is not a state of this game; did you mean 'points'?",
        ),
        ({"set": {"deck": ["patrol"]}}, {}, "'deck' is a pool; write `put: {deck: [a, b]}`"),
        (
            {"put": {"points.red": ["patrol"]}},
            {},
            "'points.red' is not a pool; write `set: {points.red: ...}` for a state",
        ),
        (
            {"put": {"deck": ["patrol"], "played": ["patrol"]}},
            {},
            "'patrol' is put in 'played' and in 'deck'; a thing lies in one pool at most",
        ),
        ({"player": "blue"}, {}, "play does not stand at a decision of blue: say in which `phase`"),
        (
            {"phase": "day(red)"},
            {"run": "battle(hill, red)"},
            (
                "play starts with `run` or in a `phase`, not with both; remove one of them, or open"
                " the phase under `within`"
            ),
        ),
        (
            {"phase": "lose(red, hill)"},
            {},
            (
                "play cannot be begun in lose: it is entered from several places, or from none, or"
                " nothing is asked in it; write `run: lose(s, z)`"
            ),
        ),
        (
            {"phase": "main", "player": "red"},
            {},
            (
                "'player' has no meaning in main, which is given no player; remove it, or say who"
                " it is by `set` or `within`"
            ),
        ),
        (
            {},
            {"within": {"scored": {}}},
            (
                "'scored' is no procedure or phase of this game; expected one of main, day, battle,"
                " lose, fall_back, clash, march"
            ),
        ),
        (
            {},
            {"run": "battle(hill)"},
            (
                "battle takes 2 arguments, and 'attacker' is missing; write battle(z, attacker)"
                " with values"
            ),
        ),
        (
            {},
            {"within": {"battle": {"dye": 2}}},
            "battle has no field 'dye' that can be set; did you mean 'die'?",
        ),
        ({}, {"scenario": "noon"}, "skirmish has no scenario 'noon'; it has morning"),
        ({}, {"rulings": {"odds": "x"}}, "skirmish has no ruling 'odds'; it has none"),
        (
            {},
            {"dice": ["town"]},
            "'town' in `dice` is neither a number nor something that can be drawn",
        ),
        (
            {},
            {"dice": ["jack"]},
            "'jack' in `dice` is neither a number nor something that can be drawn",
        ),
    ],
)
def test_what_the_rules_do_not_allow_is_told_as_of_a_situation(
    given: dict[str, Any], more: dict[str, Any], told: str
) -> None:
    with pytest.raises(rulekit.RulekitError) as refused:
        SKIRMISH.position(given, **more)
    assert str(refused.value) == told


@pytest.mark.docs("python#a-position-from-data")
def test_an_edition_holds_in_a_position() -> None:
    """A ruling given next to it takes precedence."""
    game = rulekit.load(ROOT / "games" / "sphacteria")
    assert game.position(edition="balanced", seed=1) == game.new(edition="balanced", seed=1)
    assert (
        game.position(seed=1).table.program.rules
        != game.new(edition="balanced", seed=1).table.program.rules
    )
    own = {"tie_winner": next(r.default for r in game.info.rulings if r.name == "tie_winner")}
    assert game.position(edition="balanced", rulings=own, seed=1) == game.new(seed=1)
