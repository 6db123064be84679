"""A game may use words of the language, and of the emitted code, as names."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.compiler import model as m
from tests.compiler.checked_games import model, program
from tests.compiler.checked_rules import findings

NAMES = "tests/fixtures/names"
OWN = ("Moment", "Scope", "Purpose")
SMALL = """game g 1
kind Side decides = red | blue
kind {0} = one | two
  state told: bool
on after die_rolled when purpose is battle
  one.told := true
phase main
  roll d = d6 by red for battle
  choose by red
    option look(x: {0})
      x.told := not x.told
  finish none, over
"""


@pytest.mark.docs("language#the-rules-language-version-1")
@pytest.mark.parametrize("name", [*OWN, "Event", "Phase", "Action", "Kind", "B1", "ref_", "None"])
def test_a_kind_may_bear_any_name(name: str) -> None:
    assert findings(SMALL.format(name))[1] == []


@pytest.mark.docs("language#the-rules-language-version-1")
def test_a_name_of_the_language_means_what_the_game_says() -> None:
    kinds = model(NAMES).kinds
    assert [kinds[name].members for name in OWN] == [
        ["reaction", "B7", "constructor"],
        ["hook", "__init__"],
        ["T1", "ratio"],
    ]
    assert kinds["Ruling_tie"].members == ["even", "odd"], "not the alternatives of the ruling tie"


@pytest.mark.docs("language#the-rules-language-version-1")
def test_what_is_of_the_language_keeps_a_name_that_nobody_can_write() -> None:
    made = model(NAMES)
    own = [kind.name for kind in made.kinds.values() if kind.own]
    assert own == ["Moment of the language", "Scope of the language", "Ruling_tie of the language"]
    assert made.purpose_kind is not None and made.purpose_kind.members == ["storm"]
    assert [k.name for k in program(NAMES).kinds if k.own] == own


def test_players_are_shown_the_kinds_of_the_game() -> None:
    sheet = rulekit.sheet(rulekit.load(Path(__file__).parents[3] / NAMES))
    shown = {kind.name for kind in sheet.kinds}
    assert {*OWN, "Event", "Phase", "Action", "Ruling_tie"} <= shown
    assert not any(name.startswith(("Moment of", "Scope of", "Ruling_tie of")) for name in shown)


def test_a_member_goes_before_a_kind_of_the_language() -> None:
    made = model(NAMES)
    assert isinstance(made.kinds["Phase"], m.Kind) and "Scope" in made.kinds["Phase"].members
    assert (
        findings(
            SMALL.format("Thing")
            .replace("two", "Moment")
            .replace("one.told", "Moment.told")
            .replace("one |", "Scope |")
        )[1]
        == []
    )


@pytest.mark.docs("language#the-rules-language-version-1")
@pytest.mark.parametrize(
    "word, says",
    [("median", "RK210 3: 'median' is a word of the language and cannot be a name"), ("ref", "")],
)
def test_what_cannot_be_a_name_is_said_so(word: str, says: str) -> None:
    found = findings(
        f"game g 1\nkind Side decides = red\nstate {word}(s: Side): 0..9\nphase main\n  finish"
        " none, over\n"
    )[1]
    assert found == ([says] if says else [])
