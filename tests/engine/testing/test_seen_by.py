"""`seen by red: {...}`: a situation specifies an observer's view of states, pools and events, and
fails if they see more or less."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.engine.game.game import Game
from tests.project.situation_checks import findings, outcome
from tests.small_games import SIDES

RULES = """
kind Zone
kind Path joins Zone
kind Piece
  identity seen by owner, all when shown
  fixed owner: Side
  state zone: Zone?
  state steps: 0..4 seen by owner, all when shown
  state shown: bool
kind Card
pool hand(s: Side) of Card seen by s
pool table of Card
state purse(s: Side): 0..9 seen by s
event moved(p: Piece, z: Zone)
  p.zone := z
event turned_up(p: Piece) reveals p
  p.shown := true
event told(s: Side, n: 0..9)
  purse(s) := n
setup
  each p in Piece
    p.steps := 2
phase main
  choose by red "what"
    option go(p: Piece, z: Zone)
      when p.owner = red
      moved(p, z)
    option up(p: Piece)
      turned_up(p)
    option pay
      told(red, 3)
  choose by blue "on"
    option end
      return
  finish red, win
"""
DATA = {
    "game.yaml": 'rulekit: game\nname: seen\ntitle: Seen\nversion: "1.0"\nlanguage: 1\n',
    "game.rules": SIDES + RULES,
    "map.yaml": (
        "places:\n  kind: Zone\n  source: {assumed: test}\n  members: {camp: {}, ford: {}}\n"
    ),
    "pieces.yaml": (
        "kind: Piece\nplace: zone\nsource: {assumed: test}\nmembers: {red.A: {owner: red}, red.B:"
        " {owner: red}, blue.A: {owner: blue}}\n"
    ),
    "things.yaml": "kind: Card\nsource: {assumed: test}\nmembers: {one: {}, two: {}}\n",
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder: Path = tmp_path_factory.mktemp("seen")
    for name, text in DATA.items():
        (folder / name).write_text(text)
    return rulekit.load(folder)


GIVEN = "given: {put: {hand.red: [one, two]}, place: {red.A: camp}}\n"
HOLDS = [
    "then: [{seen by red: {steps red.A: 2, zone red.A: camp, steps blue.A: hidden}}]",
    (
        "then: [{seen by blue: {steps red.A: hidden, zone red.A: hidden, steps blue.A: 2, shown"
        " red.A: hidden}}]"
    ),
    (
        "then: [{seen by observer: {steps red.A: hidden, purse red: hidden}}, {seen by red: {purse"
        " red: 0, purse blue: hidden}}]"
    ),
    (
        "then: [{seen by red: {pool hand.red: [one, two]}}, {seen by blue: {pool hand.red: []}},"
        " {seen by red: {pool table: []}}]"
    ),
    (
        "do: [go red.A ford]\nthen: [{seen by red: {event moved: {p: red.A, z: ford}}}, {seen by"
        " blue: {event moved: {p: hidden, z: ford}}}]"
    ),
    (
        "do: [go red.A ford]\nthen: [{seen by blue: {no_event moved: {p: red.A}}}, {seen by blue:"
        " {no_event turned_up: {}}}]"
    ),
    (
        "do: [up red.A]\nthen: [{seen by blue: {event turned_up: {p: red.A}, steps red.A: 2, zone"
        " red.A: camp}}]"
    ),
]
FAILS = [
    (
        "then: [{seen by blue: {steps red.A: 2}}]",
        "seen by blue: steps red.A: expected 2, sees hidden",
    ),
    (
        "then: [{seen by red: {steps red.A: hidden}}]",
        "seen by red: steps red.A: expected hidden, sees 2",
    ),
    ("then: [{seen by red: {pool hand.red: []}}]", "expected {}, sees {one, two}"),
    ("then: [{seen by blue: {pool hand.red: [one, two]}}]", "expected {one, two}, sees {}"),
    (
        "do: [go red.A ford]\nthen: [{seen by blue: {event moved: {p: red.A}}}]",
        "expected {p: red.A}, sees {p: ?, z: ford}",
    ),
    (
        "do: [go red.A ford]\nthen: [{seen by red: {event moved: {p: hidden}}}]",
        "sees {p: red.A, z: ford}",
    ),
    (
        "do: [go red.A ford]\nthen: [{seen by red: {no_event moved: {z: ford}}}]",
        "expected none like {z: ford}",
    ),
    ("do: [pay]\nthen: [{seen by blue: {event moved: {}}}]", "sees none"),
]
WRONG = [
    ("then: [{seen red: {purse red: 0}}]", "RK613", "say by whom: seen by red"),
    ("then: [{seen by green: {purse red: 0}}]", "RK613", "'green' is not a Side"),
    ("then: [{seen by none: {purse red: 0}}]", "RK613", "none is nobody"),
    ("then: [{seen by red: 3}]", "RK617", "needs the values that are seen"),
    ("then: [{seen by red: {}}]", "RK617", "needs the values that are seen"),
    ("then: [{seen by red: {purses red: 0}}]", "RK613", "purses"),
    (
        "then: [{seen by red: {purse red: 10, steps red.A: lots}}]",
        "RK615",
        "'lots' is not a number",
    ),
    ("then: [{seen by red: {pool hand.red: [three]}}]", "RK615", "'three' is not a Card"),
    ("then: [{seen by red: {event moved: {z: ford}}}]", "RK616", "needs something that happened"),
    (
        "do: [pay]\nthen: [{seen by red: {event moved: {w: hidden}}}]",
        "RK613",
        "the event moved has no 'w'",
    ),
    ("do: [pay]\nthen: [{seen by red: {event mov: {}}}]", "RK613", "'mov' is not an event"),
    (
        "do: [pay]\nthen: [{seen by red: {event die_rolled: {colour: hidden}}}]",
        "RK613",
        "the event die_rolled has no 'colour'",
    ),
]


@pytest.mark.docs("situations#then")
@pytest.mark.parametrize("body", HOLDS)
def test_what_an_observer_is_shown_holds(game: Game, body: str) -> None:
    assert not findings(game, GIVEN + body)
    assert not outcome(game, GIVEN + body).why


@pytest.mark.parametrize(("body", "why"), FAILS)
def test_more_or_less_than_that_fails(game: Game, body: str, why: str) -> None:
    assert not findings(game, GIVEN + body)
    assert why in outcome(game, GIVEN + body).why


@pytest.mark.parametrize(("body", "code", "message"), WRONG)
def test_what_has_no_sense_is_told(game: Game, body: str, code: str, message: str) -> None:
    told = findings(game, GIVEN + body)
    assert [d.code for d in told] == [code] and message in f"{told[0].message}; {told[0].help}", (
        told
    )
