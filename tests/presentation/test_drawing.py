"""Borders, tracks and sides of a drawing, if several entries match or the data have another
order."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import rulekit
from rulekit.presentation.drawing import entries_for
from rulekit.presentation.sheet import sheet
from tests.small_games import MANIFEST

SKIRMISH = Path(__file__).resolve().parents[2] / "examples" / "skirmish"


def test_of_two_lines_on_a_border_the_first_is_drawn() -> None:
    """A later matching entry adds its mark, not its line."""
    names = rulekit.load(SKIRMISH).new(seed=1).names
    kind = next(kind for kind in names.program.kinds if kind.joins >= 0)
    river = next(i for i, held in enumerate(kind.fixed["river"][1]) if held)
    given = [
        {"when": {"river": False}, "style": "track"},
        {"when": {"river": True}, "style": "river"},
        {"when": {}, "style": "road", "mark": "bridge"},
        {"when": {}, "style": "wall"},
    ]
    assert entries_for(names, kind, river, given) == [
        {"when": {"river": True}, "style": "river"},
        {"when": {}, "mark": "bridge"},
    ]


def test_sides_are_the_players_wherever_their_kind_stands(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "game.yaml").write_text(MANIFEST)
    (folder / "game.rules").write_text(
        "game small 1\nkind Colour = green | grey | white\nkind Side decides = red | blue\nphase"
        ' main\n  pick c from Colour by red "which"\n  finish red, win when c = green\n  finish'
        " blue, win\n"
    )
    found = sheet(rulekit.load(folder))
    assert [side.id for side in found.sides] == ["red", "blue"]


def test_a_step_at_the_end_of_a_track_is_told(tmp_path: Path) -> None:
    """Steps beyond either end are left out."""
    folder = tmp_path / "skirmish"
    shutil.copytree(SKIRMISH, folder)
    (folder / "drawing.yaml").write_text(
        "source: {assumed: a test}\ntracks: [{cell: points, from: 1, to: 4}]\n"
    )
    with (folder / "texts/en.yaml").open("a") as texts:
        texts.write("".join(f"track.points.{n}: step {n}\n" for n in (0, 1, 3, 4, 5)))
    [track] = sheet(rulekit.load(folder)).tracks
    assert track.steps == {"1": "step 1", "3": "step 3", "4": "step 4"}


def test_whom_a_side_leads_is_told_as_it_changes() -> None:
    """In this game a success sends the commander to the other side."""
    game, led = rulekit.load("peloponnesian_war"), set()
    state, rng = game.new(seed=4), random.Random(4)
    while state.decision is not None and len(led) < 2:
        state.apply_action(rng.choice(state.legal_actions()))
        seats = rulekit.Seat(state).position().seats
        assert seats["commander"]["leads"] == state.get("player") != seats["opponent"]["leads"]
        led.add(seats["commander"]["leads"])
    assert led == {"athens", "sparta"}


def test_the_log_tells_whom_a_side_led_then() -> None:
    """It is the side before the choice of the line, also for the player's own. Other games have no
    such entry."""
    state, rng, led = (
        rulekit.load("peloponnesian_war").new(seed=4),
        random.Random(4),
        dict[int, str](),
    )
    while state.decision is not None and len(set(led.values())) < 2:
        led[state.move_number() + 1] = str(state.get("player"))
        state.apply_action(rng.choice(state.legal_actions()))
    told = [line for line in rulekit.Seat(state).log() if line.side == "commander" and line.choice]
    assert {line.leads for line in told} == {"athens", "sparta"} and all(
        line.leads == led[line.choice] for line in told
    )
    other = rulekit.load(SKIRMISH).new(seed=1)
    while other.move_number() < 20:
        other.apply_action(rng.choice(other.legal_actions()))
    assert {line.leads for line in rulekit.Seat(other).log()} == {None}
