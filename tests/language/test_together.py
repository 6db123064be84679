"""`together` with several picks: each player answers all of theirs without seeing other answers,
and only then the rest follows for each."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulekit
from rulekit.project.loader import Loader
from tests.compiler.check.leak_marks import compared
from tests.compiler.reference.agree import agree
from tests.small_games import MANIFEST

RULES = """game small 1
unit BP
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Zone = camp | ford | hill
kind Piece = r1(red) | r2(red) | r3(red) | b1(blue) | b2(blue)
  fixed owner: Side
  state zone: Zone?
  state tired: bool
state target(s: Side): Zone?
state party(s: Side): set Piece
state bid(s: Side): 0..5 BP
state rounds: 0..9
event sent(s: Side, z: Zone, g: set Piece, n: 0..5 BP)
  target(s) := z
  party(s) := g
  bid(s) := n
  each p in g
    p.zone := z
    p.tired := n > 2 BP
phase main
  repeat 3 times
    rounds += 1
    together each s in Side
      pick z from Zone by s "where to"
      pick group g from Piece where owner = s and not (zone = z) and not tired by s "who goes", \
0 to 2
      pick n from 0 BP .. 3 BP by s "your bid"
      sent(s, z, g, n)
      pick other from Zone where it != z by s "and then"
      target(s) := other when n = 3 BP
  finish none, over
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.yaml").write_text(MANIFEST)
    (tmp_path / "game.rules").write_text(RULES)
    return tmp_path


def test_one_answers_all_of_his_and_what_follows_comes_last(folder: Path) -> None:
    state = rulekit.load(folder).new(seed=1)
    asked = []
    for choice in ("pick ford", "add r1", "go", "pick 2", "pick ford", "add b1", "go", "pick 3"):
        assert state.decision is not None
        asked.append((state.decision.player, state.decision.prompt))
        assert not [e for e in state.events if e.name == "sent"], (
            "nothing happens before all have answered"
        )
        state.apply(choice)
    ways = ["where to", "who goes", "who goes", "your bid"]
    assert asked == [(side, prompt) for side in ("red", "blue") for prompt in ways]
    assert state.decision is not None and (state.decision.player, state.decision.prompt) == (
        "red",
        "and then",
    )
    assert next(e.params for e in state.events if e.name == "sent") == {
        "s": "red",
        "z": "ford",
        "g": ["r1"],
        "n": 2,
    }


@pytest.mark.parametrize("seed", range(4))
def test_it_goes_the_same_way_in_all_that_is_emitted(folder: Path, seed: int) -> None:
    loader = Loader(folder)
    assert agree(loader.model(), loader.program("", {}), seed) >= 6


def test_natively_too(folder: Path) -> None:
    pytest.importorskip("wasmtime")
    from rulekit.engine.testing.native_crosscheck import Verifier

    for seed in range(3):
        count, unlike = Verifier(rulekit.load(folder).wasm_instance()).game(seed)
        assert count >= 6 and unlike == ""


def test_others_see_nothing_of_what_is_sealed(folder: Path) -> None:
    """Whatever red answers, blue and spectators have the same observations and questions."""
    game, told = rulekit.load(folder), set()
    for way in (
        ("pick ford", "add r1", "go", "pick 2"),
        ("pick camp", "add r1", "go", "pick 0"),
        ("pick hill", "add r2", "go", "pick 3"),
    ):
        state = game.new(seed=5)
        for choice in way:
            state.apply(choice)
        assert state.decision is not None and state.decision.player == "blue"
        views = [state.view(observer) for observer in ("blue", None)]
        options = [option.label for option in state.decision.options]
        told.add(repr((views, options, state.decision.prompt, [e.name for e in state.events])))
    assert len(told) == 1


def test_who_has_nothing_to_pick_is_left_out_of_all_that_follows(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(MANIFEST)
    (tmp_path / "game.rules").write_text(
        RULES.replace("not tired by s", "not tired and it is not b1 and it is not b2 by s")
    )
    state, pick = rulekit.load(tmp_path).new(seed=1), random.Random(1)
    while state.decision is not None and not any(e.name == "sent" for e in state.events):
        assert (state.decision.player, state.decision.prompt) not in {
            ("blue", "who goes"),
            ("blue", "your bid"),
        }
        state.apply(pick.choice(state.decision.options))
    assert [e.params["s"] for e in state.events if e.name == "sent"] == ["red"]
    assert agree(Loader(tmp_path).model(), Loader(tmp_path).program("", {}), 3) > 5


def test_whether_a_later_pick_is_asked_may_not_hang_on_what_is_sealed() -> None:
    head = RULES.partition("phase main")[0]
    body = """phase main
  together each s in Side
    pick z from Zone by s "where to"
    pick p from ~9Piece where owner = s and zone = z by s "who goes"{}
    p.tired := true{}
  finish none, over
"""
    found, announced = compared(head + body.format("", ""))
    assert found == announced != []
    found, announced = compared(
        head + body.replace("~9", "").replace(" and zone = z", "").format("", "")
    )
    assert found == announced == []
