"""A roll that belongs to no side: `by none`. It is reported as nobody's, rules that depend on it
know that, and all backends agree."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.engine.saves.recorder import Recorder, replay
from rulekit.engine.saves.save_format import parse_save
from rulekit.project.loader import Loader
from tests.compiler.checked_rules import findings
from tests.compiler.reference.agree import agree
from tests.small_games import MANIFEST

RULES = """game small 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
state weather: 1..6
state luck(s: Side): 0..99 clamp
state nobodys: 0..99
phase main
  repeat 8 times
    roll w = d6 by none for weather
    weather := w
    each s in Side
      choose by s
        option sail
          roll d = 2d6 by s for combat
          luck(s) += d - w
        option stay
  finish red, luck when luck(red) > luck(blue)
  finish blue, luck
"""
HANGING = """on after die_rolled when who = none
  nobodys += 1
on after die_rolled when who != none and value > 7
  luck(the who) += 2
reaction again after die_rolled "Roll again"
  for red
  when purpose is weather and value = 1
  limit 1 per die_rolled
  answer redo
"""


def game(folder: Path, more: str = "") -> Path:
    (folder / "game.yaml").write_text(MANIFEST)
    (folder / "game.rules").write_text(RULES + more)
    return folder


@pytest.mark.parametrize("more", ["", HANGING], ids=["plain", "hanging"])
def test_it_goes_the_same_way_everywhere(tmp_path: Path, more: str) -> None:
    loader = Loader(game(tmp_path, more))
    for seed in range(6):
        assert agree(loader.model(), loader.program("", {}), seed) >= 16
    pytest.importorskip("wasmtime")
    from rulekit.engine.testing.native_crosscheck import Verifier

    count, unlike = Verifier(rulekit.load(tmp_path).wasm_instance()).game(2)
    assert count >= 16 and unlike == ""


def test_what_hangs_on_it_knows_that_it_is_nobodys(tmp_path: Path) -> None:
    state = rulekit.load(game(tmp_path, HANGING)).new(seed=3)
    while state.decision is not None:
        state.apply(state.decision.options[0])
    rolled = [e.params for e in state.events if e.name == "die_rolled"]
    assert {(e["purpose"], e["who"]) for e in rolled} == {
        ("weather", None),
        ("combat", "red"),
        ("combat", "blue"),
    }
    assert state.view(None)["state"]["nobodys"] == sum(e["who"] is None for e in rolled) >= 8


@pytest.mark.parametrize("lang, words", [("en", "The die shows"), ("fr", "Le dé donne")])
def test_it_is_told_as_nobodys(tmp_path: Path, lang: str, words: str) -> None:
    state = rulekit.load(game(tmp_path), lang=lang).new(seed=3)
    line = next(line for line in rulekit.Seat(state, "blue").log() if line.name == "die_rolled")
    assert line.text.startswith(words) and "None" not in line.text and line.side is None


def test_a_saved_game_with_it_is_replayed(tmp_path: Path) -> None:
    made = rulekit.load(game(tmp_path, HANGING))
    recorder = Recorder(made, made.new(seed=5), dict.fromkeys(made.sides, "human"))
    while recorder.state.decision is not None:
        recorder.apply(recorder.state.decision.options[0])
    assert replay(made, parse_save(recorder.save.text()), everything=True).ok


def test_only_nobody_or_one_who_is_there_rolls() -> None:
    doubtful = RULES.replace("state weather", "state lead: Side?\nstate weather").replace(
        "by none", "by lead"
    )
    assert findings(doubtful)[1][0].startswith("RK403 10: 'lead' may be none here")
    assert findings(RULES.replace("choose by s", "choose by none"))[1][0].startswith("RK403 12")
    who = HANGING.replace("the who", "who")
    assert findings(RULES + who)[1][0].startswith("RK403"), (
        "who may be none where a roll is nobody's"
    )
