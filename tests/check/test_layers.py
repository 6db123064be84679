"""Rules over rules: what a game says goes before what its libraries say, whatever the order of the clauses."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.base.diagnostic import Sink
from rulekit.check import model as m
from rulekit.check.check import check
from rulekit.reference.evaluate import Reference
from rulekit.source.gamesource import GameSource, RulesText

LIBRARY = """library base 1
kind Side decides = red | blue
state got: 0..99
total might(n: 0..9): int
  base 5
  set alone 20 when n = 1
  set few 30 when n <= 2
  modifier hills +1
"""
GAME = """game layers 1
CLAUSE
phase main
  pick n from 0 .. 9 by red "how many"
  got := might(n)
  finish none, drawn
"""


def layered(clause: str) -> tuple[m.Model | None, Sink]:
    texts = {"base.rules": LIBRARY, "g.rules": GAME.replace("CLAUSE", clause)}
    rules = [RulesText(name, text, layer, name.split(".")[0]) for layer, (name, text) in enumerate(texts.items())]
    sink = Sink()
    return check(GameSource("layers", Path(), rules=rules, files=texts), sink), sink


@pytest.mark.parametrize(("clause", "n", "got"), [
    ("", 1, 21), ("", 2, 31), ("", 3, 6), ("set might.ours 40 when n = 1", 1, 41), ("set might.ours 40 when n < 9", 2, 41),
    ("set might.ours 40 when n = 1", 2, 31), ("modifier might.ours +2", 1, 23), ("drop might.alone", 1, 31), ("cancel might.few", 2, 6),
    ("drop might.hills", 3, 5), ("cancel might.hills when n = 3", 3, 5),
])
def test_a_game_adds_to_a_total_of_its_library_cancels_drops_and_goes_before_it(clause: str, n: int, got: int) -> None:
    model, sink = layered(clause)
    assert model is not None and not sink.found, [d.message for d in sink.found]
    reference = Reference(model)
    reference.apply(n)
    assert reference.cells()["got"] == [got]


@pytest.mark.parametrize(("clause", "message"), [
    ("replace total might: int\n  base 1", "'might' has 1 parameters; what replaces it must have the same"),
    ("replace total might(n: 0..9, k: 0..9): int\n  base 1", "'might' has 1 parameters; what replaces it must have the same"),
    ("replace total night(n: 0..9): int\n  base 1", "there is no total 'night' to replace"),
    ("replace define might(n: 0..9): int = 1", "'might' is a total; a define cannot take its place"),
])
def test_what_replaces_a_declaration_is_one_like_it(clause: str, message: str) -> None:
    _, sink = layered(clause)
    assert message in [d.message for d in sink.found if d.code == "RK309"]
