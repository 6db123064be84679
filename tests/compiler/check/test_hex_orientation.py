"""Cells with six neighbours are hexagons. The sets of the rules say so, and how the rows lie."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.cli.map_picture import picture
from tests.small_games import MANIFEST

RULES = """game small 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Cell = grid 4 by 4
  state stone: Side?
fixed near(c: Cell): set Cell = {near}
event placed(c: Cell, s: Side)
  c.stone := s
phase main
  choose by red "place a stone"
    option place(c: Cell)
      placed(c, red)
  finish red, win
"""
ROWS = "c.shift(0, 1), c.shift(0, -1), c.shift(1, 0), c.shift(-1, 0)"
RIGHT = f"{{{ROWS}, c.shift(1, -1), c.shift(-1, 1)}}"
LEFT = f"{{{ROWS}, c.shift(1, 1), c.shift(-1, -1)}}"
SQUARE = f"{{{ROWS}}}"
EIGHT = f"{{{ROWS}, c.shift(1, -1), c.shift(-1, 1), c.shift(1, 1), c.shift(-1, -1)}}"
ODD = (
    f"{{{ROWS}, c.shift(1, 1), c.shift(-1, 1)}} if c.row in {{1, 3}} else {{{ROWS}, c.shift(1, -1),"
    " c.shift(-1, -1)}"
)
EVEN = (
    f"{{{ROWS}, c.shift(1, -1), c.shift(-1, -1)}} if c.row in {{1, 3}} else {{{ROWS}, c.shift(1,"
    " 1), c.shift(-1, 1)}"
)


def of(folder: Path, near: str) -> rulekit.Game:
    (folder / "game.yaml").write_text(MANIFEST)
    (folder / "game.rules").write_text(RULES.replace("{near}", near))
    return rulekit.load(folder)


def points(game: rulekit.Game) -> dict[str, tuple[int, int]] | None:
    spots = rulekit.sheet(game).map.spots
    assert len({spot.hex for spot in spots}) == 1
    return {spot.id: spot.at for spot in spots if spot.at is not None} if spots[0].hex else None


@pytest.mark.parametrize(
    "near, row_2, row_3", [(RIGHT, 1, 2), (LEFT, -1, -2), (ODD, -1, 0), (EVEN, 1, 0)]
)
def test_rows_lie_as_their_neighbours_say(
    tmp_path: Path, near: str, row_2: int, row_3: int
) -> None:
    at = points(of(tmp_path, near))
    assert at is not None
    assert at["b1"][0] - at["a1"][0] == 2 and at["a2"][1] < at["a1"][1], "the first row is below"
    assert (at["a2"][0] - at["a1"][0], at["a3"][0] - at["a1"][0]) == (row_2, row_3)


@pytest.mark.parametrize("near", [SQUARE, EIGHT])
def test_others_are_squares(tmp_path: Path, near: str) -> None:
    assert points(of(tmp_path, near)) is None


def test_a_board_of_hexagons_is_drawn_as_such() -> None:
    pytest.importorskip("quickjs")
    game = rulekit.load("examples/hex")
    drawn, squares = (
        picture(rulekit.sheet(game), None),
        picture(rulekit.sheet(rulekit.load("examples/tic_tac_toe")), None),
    )
    assert drawn.count('class="ground f-cell') == 121
    assert (
        drawn.count('class="told"') == 121
        and "<rect" not in drawn.split('class="layer-base"')[1].split("</g>")[0]
    )
    assert "<rect" in squares.split('class="layer-base"')[1].split("</g>")[0]
