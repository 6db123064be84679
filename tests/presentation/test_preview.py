"""Previews of a whole plan, in a game in which a last piece alone in the camp is lost."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path

import pytest

import rulekit
from rulekit.presentation.odds import Way
from tests.small_games import write_game

LEFT = """  walk walk_of(p) from (the p.zone) by active
  each q in units(p.owner, camp)
    removed(q) when count(units(p.owner, camp)) = 1
"""
RISK = """  roll d = d6 by active for march
  removed(p) when d = 1
"""


def written(folder: Path, *more: str) -> rulekit.Game:
    shutil.copytree("examples/skirmish", folder)
    rules = folder / "game.rules"
    old = LEFT.split("\n")[0] + "\n"
    assert old in rules.read_text()
    rules.write_text(rules.read_text().replace(old, LEFT + "".join(more)))
    return rulekit.load(folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lonely")


@pytest.fixture(scope="module")
def game(folder: Path) -> rulekit.Game:
    return written(folder / "game")


def of(state: rulekit.State, *keys: str) -> Way:
    assert state.decision is not None
    return rulekit.Seat(state, state.decision.player).preview(keys)


def lost(way: Way) -> list[list[str]]:
    return [
        [c.of for c in result.changes if c.cell == "zone" and c.after is None]
        for result in way.results
    ]


def test_the_harm_of_the_whole_is_told_not_that_of_its_first_choice(game: rulekit.Game) -> None:
    state = game.new(seed=1)
    assert lost(of(state, "march red.H1", "to ford", "stop")) == [[]]
    rulekit.Seat(state, "red").plan(["march red.H1", "to ford", "stop"])
    before = state.clone()
    assert lost(of(state, "march red.F1")) == [[]]
    assert lost(of(state, "march red.F1", "to wood")) == [["red.F2"]]
    assert state == before, "nothing is chosen"


def test_what_hangs_on_a_die_is_told_with_its_chance(folder: Path) -> None:
    state = written(folder / "risky", RISK).new(seed=1)
    way = of(state, "march red.F1", "to wood")
    assert sorted(
        (len(each), result.chance) for each, result in zip(lost(way), way.results, strict=True)
    ) == [(0, Fraction(1, 6))] * 5 + [(1, Fraction(1, 6))]
    again = of(state, "march red.F1", "to wood", "march red.F2", "to ford")
    assert again.results == way.results, "up to the first die"


def test_a_plan_that_cannot_be_made_is_refused(game: rulekit.Game) -> None:
    state = game.new(seed=1)
    for keys in (["march blue.F1"], ["march red.F1", "to town"]):
        with pytest.raises(rulekit.IllegalChoice):
            of(state, *keys)
    with pytest.raises(rulekit.IllegalChoice):
        rulekit.Seat(state, "blue").preview(["rest"])


CROWD = """  walk walk_of(p) from (the p.zone) by active
  crowded(active, the p.zone) when p.zone != none
"""
CROWDED = """
procedure crowded(s: Side, z: Zone)
  repeat until count(units(s, z)) <= 1, at most 9
    pick q from units(s, z) by s "one is lost"
    removed(q)
"""


@pytest.fixture(scope="module")
def crowd(folder: Path) -> rulekit.Game:
    shutil.copytree("examples/skirmish", folder / "crowd")
    rules = folder / "crowd" / "game.rules"
    rules.write_text(rules.read_text().replace(CROWD.split("\n")[0] + "\n", CROWD) + CROWDED)
    return rulekit.load(folder / "crowd")


def test_a_sure_number_of_losses_is_told_though_the_player_chooses_which(
    crowd: rulekit.Game,
) -> None:
    """One unit may stay in a place. Joining one loses one of the two, joining two loses two, and
    coming alone loses none."""
    for there, losses in ((0, 0), (1, 1), (2, 2)):
        state = crowd.new(seed=1)
        for piece in ("red.F1", "red.F2")[:there]:
            state.set(f"zone.{piece}", "ford")
        way = of(state, "march red.H1", "to ford", "stop")
        assert (lost(way), [result.further for result in way.results]) == ([[]], [losses])


COVER = """
kind Zone = camp | ford
kind Way joins Zone
kind Man = guard | rider
  state zone: Zone? = camp seen by blue, all when open
  state open: bool = true
  state tired: bool
event went(m: Man, z: Zone?)
  m.zone := z
phase main
  choose by red "what"
    option cover
      each m in Man
        m.open := false
        m.tired := true
      went(guard, ford)
    option march
      went(guard, ford)
  choose by blue "where"
    option stay
    option ride
      went(rider, ford)
  finish none, drawn
"""


def test_what_goes_out_of_sight_is_no_change_that_is_told(folder: Path) -> None:
    """The places of the men are known only in the open. A move under cover is not shown as one to
    an unknown place."""
    (folder / "cover").mkdir()
    state = rulekit.load(write_game(folder / "cover", COVER)).new(seed=1)
    (march,) = of(state, "march").results
    assert [(c.of, c.cell, c.before, c.after) for c in march.changes] == [
        ("guard", "zone", "camp", "ford")
    ]
    for (told,) in (
        of(state, "cover").results,
        rulekit.Seat(state, "red").odds("cover").ways[0].results,
    ):
        assert {(c.of, c.cell, c.after) for c in told.changes} == {
            (m, cell, v)
            for m in ("guard", "rider")
            for cell, v in (("open", False), ("tired", True))
        }
