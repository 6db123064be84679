"""The reasons below an event of the log: the modifiers that applied, set or limited values, table
results, with the paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.terminal.since_last import explain
from rulekit.engine.explain.event_reasons import behind
from tests.small_games import MANIFEST

RULES = """game small 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Loss ordered = nothing | half | all_of_it
state high(s: Side): bool
state led(s: Side): bool
state hurt: Loss
total die(s: Side): int                                          ref "4"
  base 1
  modifier ground +2 when high(s)                                ref "4.1"
  modifier leader +1 when led(s)                                 ref "4.2 b", "4.6"
  modifier rested +0 when high(s)
  set panic 0 when not led(s) and led(s.enemy)                   ref "4.4"
  at most 2 when led(s.enemy)                                    ref "4.5"
table losses(n: 0..9, led: bool) -> Loss, clamp                  ref "5.1"
  0..1 | false | nothing
  2..9 | false | all_of_it
  0..2 | true  | nothing
  3..9 | true  | half
event fought(s: Side, loss: Loss)
  hurt := loss
phase main
  repeat 6 times
    choose by red "fight"
      option climb
        high(red) := true
      option lead(s: Side)
        led(s) := true
      option fight
        let n = die(red)
        fought(red, losses(n, led(red)))
  finish none, over
"""
EN = (
    'event.fought.why: "die losses"\ntable.losses: Losses\nclause.die.ground: High'
    " ground\nclause.die.leader: Leader\n"
)
FR = (
    'event.fought.why: "die losses"\ntable.losses: Pertes\ntotal.die: Dé\nclause.die.ground:'
    " Terrain élevé\nclause.die.leader: Chef\n"
)


def told(folder: Path, choices: list[str], lang: str = "en") -> list[str]:
    """Return the lines below the fight."""
    (folder / "texts").mkdir(exist_ok=True)
    for name, text in (
        ("game.yaml", MANIFEST),
        ("game.rules", RULES),
        ("texts/en.yaml", EN),
        ("texts/fr.yaml", FR),
    ):
        (folder / name).write_text(text)
    state = rulekit.load(folder, lang=lang).new(seed=1)
    for choice in choices:
        state.apply(choice)
    found: dict[int, Sequence[str]] = {}
    explain(state, 0, found)
    (lines,) = (lines for number, lines in found.items() if state.events[number].name == "fought")
    return list(lines)


CASES = [
    (["fight"], ["Losses (1, no): nothing [5.1]"]),
    (["climb", "fight"], ["die +3: High ground +2 [4.1]", "Losses (3, no): all_of_it [5.1]"]),
    (
        ["climb", "lead red", "fight"],
        ["die +4: High ground +2 [4.1], Leader +1 [4.2 b, 4.6]", "Losses (4, yes): half [5.1]"],
    ),
    (
        ["climb", "lead red", "lead blue", "fight"],
        [
            "die +2: High ground +2 [4.1], Leader +1 [4.2 b, 4.6], at most 2 [4.5]",
            "Losses (2, yes): nothing [5.1]",
        ],
    ),
    (["lead blue", "fight"], ["die +0: panic 0 [4.4]", "Losses (0, no): nothing [5.1]"]),
]


@pytest.mark.parametrize(
    ("choices", "lines"), CASES, ids=[" ".join(choices) for choices, _ in CASES]
)
def test_what_counted_and_what_the_table_gave_stand_there_with_their_paragraphs(
    tmp_path: Path, choices: list[str], lines: list[str]
) -> None:
    assert told(tmp_path, choices) == lines


def test_in_french_too(tmp_path: Path) -> None:
    lines = told(tmp_path, ["climb", "lead red", "fight"], "fr")
    assert lines[0] == "Dé +4 : Terrain élevé +2 [4.1], Chef +1 [4.2 b, 4.6]" and lines[
        1
    ].startswith("Pertes (4, oui) : ")


@pytest.mark.docs("python#why-not")
def test_a_seat_is_told_what_decided(tmp_path: Path) -> None:
    """`Seat` returns the reasons as data, for the page too."""
    told(tmp_path, ["climb", "fight"])
    state = rulekit.load(tmp_path).new(seed=1)
    for choice in ("climb", "fight"):
        state.apply(choice)
    number = next(event.number for event in state.events if event.name == "fought")
    found = rulekit.Seat(state, "blue").explain_event(number)
    assert [(each.what, each.name, each.ref) for each in found] == [
        ("total", "die", ("4",)),
        ("table", "losses", ("5.1",)),
    ]
    assert found == behind(state, number, "blue")
