"""State of places without pieces, and state with several keys, is on the board and is found."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.cli.terminal.lookup import find
from rulekit.cli.terminal.screen import Screen
from rulekit.engine.testing.expectations import fixed
from tests.small_games import write_game

RULES = """\
unit PM
kind Nation = corinth | thebes
kind Troop
  fixed march: PM?  # none: no limit
members Troop = foot(4) | horse(none)
kind Zone
  state holder: Side?
kind Border joins Zone
state sp(z: Zone, n: Nation, t: Troop): 0..9
state treasury(n: Nation): 0..99
state razed(z: Zone): bool

phase main
  choose by red
    option end
      finish red, won
  finish red, won
"""

MAP = """\
places:
  kind: Zone
  source: {assumed: a test}
  members: {isthmus: {}, plain: {}, pass: {}}
borders:
  kind: Border
  source: {assumed: a test}
  members:
    - {between: [isthmus, plain]}
    - {between: [plain, pass]}
"""


@pytest.fixture
def screen(tmp_path: Path) -> Screen:
    (tmp_path / "map.yaml").write_text(MAP)
    state = rulekit.load(write_game(tmp_path, RULES)).new()
    state.set("sp.plain.thebes.horse", 3)
    state.set("treasury.corinth", 12)
    state.set("razed.isthmus", True)
    state.set("isthmus.holder", "blue")
    return Screen(state, "red")


def test_a_place_without_pieces_shows_its_state_on_the_board(screen: Screen) -> None:
    assert [line for line in screen.zones() if line.startswith(("isthmus", "plain", "pass"))] == [
        "isthmus: (holder blue, razed)",
        "plain: (sp thebes horse 3)",
    ]


def test_what_hangs_on_other_things_is_a_track(screen: Screen) -> None:
    assert "treasury: corinth 12" in screen.tracks()


@pytest.mark.parametrize(
    ("word", "told"),
    [("thebes", "sp plain horse 3"), ("plain", "sp thebes horse 3"), ("corinth", "treasury 12")],
)
def test_it_is_found_by_each_of_its_keys(screen: Screen, word: str, told: str) -> None:
    assert told in " ".join(find(screen, word, []))


@pytest.mark.parametrize(
    ("troop", "limit", "told"), [("foot", 4, "march 4 PM"), ("horse", None, "march -")]
)
def test_a_number_that_is_none_is_told_as_such(
    screen: Screen, troop: str, limit: int | None, told: str
) -> None:
    assert fixed(screen.names, "march", [troop])[1] == limit
    assert told in " ".join(find(screen, troop, []))
