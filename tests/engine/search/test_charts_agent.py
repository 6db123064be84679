"""A side led by charts is a seat like another: `charts` follows the charts, and a person may watch
it or take its place."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.server.game_library import Library
from tests.small_games import MANIFEST

RULES = """game small 1
kind Side decides = commander(enemy_side) | enemy_side(commander)
  fixed enemy: Side
kind Zone = camp | ford | hill
state aim: Zone
state at(s: Side): Zone
state turns: 0..9
define said: Zone
  = hill when aim is camp
  = camp when aim is hill
  = ford
event moved(s: Side, z: Zone)
  at(s) := z
phase main
  repeat 3 times
    pick z from Zone by commander "where to"
    moved(commander, z)
    aim := z
    roll d = d6 by none for mood
    choose by enemy_side "what the charts say"
      option flee "Flee"
        when d = 6
        moved(enemy_side, camp)
      option follow "Do what the charts say"
        when said != aim
        moved(enemy_side, said)
      option march(z: Zone) "Go elsewhere"
        moved(enemy_side, z)
  finish none, over
"""


def game(folder: Path, keys: str = "charts: [follow]\n") -> rulekit.Game:
    (folder / "small").mkdir(exist_ok=True)
    (folder / "small" / "game.yaml").write_text(MANIFEST + keys)
    (folder / "small" / "game.rules").write_text(RULES)
    return rulekit.load(folder / "small")


@pytest.mark.docs("data-files#the-manifest")
def test_the_seat_takes_what_the_game_names_else_the_first_option(tmp_path: Path) -> None:
    state = game(tmp_path).new(seed=2)
    agent = rulekit.make_agent("charts", state)
    seen = set()
    while state.decision is not None:
        if state.decision.player == "commander":
            state.apply(state.decision.options[-1] if len(seen) % 2 else state.decision.options[1])
            continue
        offered = [option.key.split()[0] for option in state.decision.options]
        state.apply_action(agent.choose(state))
        taken = "follow" if "follow" in offered else offered[0]
        seen.add((taken, [e.name for e in state.events][-1] == "moved"))
    assert {taken for taken, _ in seen} >= {"follow"}


def test_of_several_names_the_first_that_is_offered(tmp_path: Path) -> None:
    made = game(tmp_path, "charts: [flee, follow]\n")
    taken = set()
    for seed in range(12):
        state = made.new(seed=seed)
        state.apply("pick camp")
        assert state.decision is not None
        offered = {option.key.split()[0] for option in state.decision.options}
        id = rulekit.make_agent("charts", state).choose(state)
        chosen = next(option.key for option in state.decision.options if option.id == id)
        assert chosen == ("flee" if "flee" in offered else "follow")
        taken.add(chosen)
    assert taken == {"flee", "follow"}


def test_it_plays_whole_games_and_a_person_may_do_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = game(tmp_path)
    assert (
        main(
            [
                "play",
                str(tmp_path / "small"),
                "--seat",
                "commander=random",
                "--seat",
                "enemy_side=charts",
                "--seed",
                "3",
            ]
        )
        == 0
    )
    assert "result: " in capsys.readouterr().out
    state = made.new(seed=1)
    state.apply("pick camp")
    assert state.decision is not None and state.decision.player == "enemy_side"
    state.apply("march ford")
    assert state.view("enemy_side")["state"]["at"]["enemy_side"] == "ford"


def test_a_game_without_charts_has_no_such_seat(tmp_path: Path) -> None:
    made = game(tmp_path, "")
    with pytest.raises(
        rulekit.RulekitError, match=r"the charts of small cannot play: `charts` in game.yaml"
    ):
        rulekit.make_agent("charts", made.new(seed=1))
    with pytest.raises(rulekit.RulekitError, match="les tableaux de small ne peuvent jouer"):
        rulekit.make_agent("charts", rulekit.load(tmp_path / "small", lang="fr").new(seed=1))
    with pytest.raises(rulekit.GameError, match=r"RK626"):
        game(tmp_path, "charts: [folow]\n")


@pytest.mark.parametrize(("keys", "offered"), [("", False), ("charts: [follow]\n", True)])
def test_the_table_offers_the_seat_where_it_can_play(
    tmp_path: Path, keys: str, offered: bool
) -> None:
    game(tmp_path, keys)
    found = next(
        each for each in Library([tmp_path / "small"]).playable("en") if each.id == "small"
    )
    assert ("charts" in {seat.id for seat in found.seats}) == offered


def test_an_edition_is_called_as_the_texts_say_else_by_its_name(tmp_path: Path) -> None:
    game(tmp_path, "editions: {two_players: {}, solitaire: {}}\n")
    (tmp_path / "small" / "texts").mkdir()
    (tmp_path / "small" / "texts" / "en.yaml").write_text('edition.solitaire: "alone"\n')
    found = next(
        each for each in Library([tmp_path / "small"]).playable("en") if each.id == "small"
    )
    assert [(each.id, each.label) for each in found.editions] == [
        ("two_players", "two players"),
        ("solitaire", "alone"),
    ]
