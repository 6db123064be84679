"""Shapes of places: exact geometry of polygons, and a map with consistent shapes, borders, closed
pairs and corners."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.folder import read_game
from rulekit.compiler.source.game_source import GameSource
from rulekit.compiler.source.polygons import fault, holds, overlap, shared

SQUARE = [(0, 0), (4, 0), (4, 4), (0, 4)]
HOOK = [(0, 0), (6, 0), (6, 2), (2, 2), (2, 6), (0, 6)]  # an L, not convex

MANIFEST = 'rulekit: game\nname: mine\ntitle: mine\nversion: "1.0"\nlanguage: 1\n'
MAP = """
places:
  kind: Zone
  source: {assumed: x}
  members:
    A: {at: [2, 2], shape: [[0, 0], [4, 0], [4, 4], [0, 4]]}
    B: {at: [6, 2], shape: [[4, 0], [8, 0], [8, 4], [4, 4]]}
    C: {at: [6, 6], shape: [[4, 4], [8, 4], [8, 8], [4, 8]]}
    D: {at: [2, 6], shape: [[0, 4], [4, 4], [4, 8], [0, 8]]}
    far: {at: [20, 2], shape: box}
borders:
  kind: Border
  source: {assumed: x}
  members: [{between: [A, B]}, {between: [B, C]}, {between: [C, D]}, {between: [B, far]}]
closed:
  - {between: [D, A], source: {text: "3.1"}}
corners:
  - {between: [A, B, C, D], at: [4, 4], source: {text: "3.1"}}
  - {between: [A, far], source: {text: "3.2"}}
"""


def read(folder: Path, text: str) -> tuple[GameSource, list[str]]:
    (folder / "game.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "game.rules").write_text("game mine 1\n", encoding="utf-8")
    (folder / "map.yaml").write_text(text, encoding="utf-8")
    sink = Sink()
    source = read_game(folder, sink)
    assert source is not None
    return source, [d.code for d in sink.in_order()]


@pytest.mark.docs("data-files#map-pieces-things")
def test_a_map_that_agrees_has_no_finding(tmp_path: Path) -> None:
    source, found = read(tmp_path, MAP)
    assert found == []
    assert [meeting.ids() for meeting in source.closed] == [["D", "A"]]
    assert [meeting.ids() for meeting in source.corners] == [["A", "B", "C", "D"], ["A", "far"]]
    whole = source.geometry[""]
    assert whole["closed"][0]["between"] == ["D", "A"] and whole["corners"][0]["at"] == [4, 4]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("[[0, 0], [4, 0], [4, 4], [0, 4]]", "hexagon", "RK123"),
        ("[[0, 0], [4, 0], [4, 4], [0, 4]]", "[[0, 0], [4, 4]]", "RK124"),
        ('{between: [D, A], source: {text: "3.1"}}', "{between: [D, A, B], source: '1'}", "RK124"),
    ],
)
def test_what_the_form_forbids(tmp_path: Path, old: str, new: str, code: str) -> None:
    assert old in MAP
    assert code in read(tmp_path, MAP.replace(old, new))[1]


def test_a_shape_alone_is_checked_on_a_map_without_borders(tmp_path: Path) -> None:
    text = (
        "places: {kind: Zone, source: '1', members: {A: {shape: [[0, 0], [4, 4], [4, 0], [0,"
        " 4]]}}}\n"
    )
    assert read(tmp_path, text)[1] == ["RK686"]


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (SQUARE, None),
        (HOOK, None),
        (
            [(0, 0), (2, 0), (4, 0), (4, 4), (0, 4)],
            None,
        ),  # a corner on a straight edge, where a neighbour ends
        ([(0, 0), (4, 4)], "fewer than three"),
        ([(0, 0), (4, 4), (4, 0), (0, 4)], "crosses itself"),
        ([(0, 0), (4, 0), (4, 4), (0, 0), (0, 4)], "comes twice to the corner [0, 0]"),
        ([(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)], "touches itself at [2, 0]"),
        ([(0, 0), (4, 0), (2, 0)], "touches itself"),
    ],
)
def test_simple_polygons(shape: list[tuple[int, int]], words: str | None) -> None:
    found = fault(shape)
    assert found is None if words is None else found is not None and words in found


@pytest.mark.parametrize(
    ("other", "laps", "edges"),
    [
        ([(4, 0), (8, 0), (8, 4), (4, 4)], False, [((4, 0), (4, 4))]),
        ([(4, 1), (8, 0), (8, 4), (4, 3)], False, [((4, 1), (4, 3))]),  # a part of an edge
        ([(4, 4), (8, 4), (8, 8), (4, 8)], False, []),  # a point only
        ([(4, 2), (8, 0), (8, 4)], False, []),  # a point of an edge
        ([(10, 0), (14, 0), (14, 4)], False, []),
        ([(2, 2), (8, 2), (8, 3), (2, 3)], True, []),
        ([(1, 1), (2, 1), (2, 2)], True, []),  # inside
        ([(0, 4), (4, 4), (4, 0), (0, 0)], True, None),  # the same in the opposite direction
        ([(0, 0), (4, 0), (4, 2), (0, 2)], True, None),
        ([(0, 2), (2, 0), (4, 2), (2, 4)], True, []),  # its corners on the edges
        ([(-2, 2), (2, -2), (6, 2), (2, 6)], True, []),  # through the corners, no edge crosses
    ],
)
def test_two_polygons(other: list[tuple[int, int]], laps: bool, edges: list[object] | None) -> None:
    for shape in (other, other[::-1]):
        assert overlap(SQUARE, shape) is laps
        assert overlap(shape, SQUARE) is laps
        if edges is not None:
            assert shared(SQUARE, shape) == edges


def test_a_polygon_that_is_not_convex() -> None:
    assert [holds(HOOK, x, y) for x, y in [(1, 5), (4, 4), (2, 2), (5, 1), (6, 1), (-1, 0)]] == [
        1,
        -1,
        0,
        1,
        0,
        -1,
    ]
    assert not overlap(HOOK, [(2, 2), (6, 2), (6, 6), (2, 6)])
    assert overlap(HOOK, [(1, 3), (6, 3), (6, 6)])


boxes = st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 4), st.integers(1, 4))


@given(boxes, boxes)
def test_boxes_overlap_as_their_ranges_do(
    one: tuple[int, int, int, int], two: tuple[int, int, int, int]
) -> None:
    def corners(box: tuple[int, int, int, int]) -> list[tuple[int, int]]:
        x, y, wide, high = box
        return [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]

    wide = min(one[0] + one[2], two[0] + two[2]) - max(one[0], two[0])
    high = min(one[1] + one[3], two[1] + two[3]) - max(one[1], two[1])
    assert overlap(corners(one), corners(two)) is (wide > 0 and high > 0)
    if min(wide, high) == 0:
        assert bool(shared(corners(one), corners(two))) is (max(wide, high) > 0)


def test_a_place_that_lies_apart_says_so(tmp_path: Path) -> None:
    apart = MAP.replace(", {between: [B, far]}", "")
    assert read(tmp_path, apart)[1] == ["RK680"]
    assert read(tmp_path, apart.replace("shape: box", "shape: box, neighbours: []"))[1] == []
    assert read(tmp_path, MAP.replace("shape: box", "shape: box, neighbours: []"))[1] == ["RK682"]


def test_each_corner_is_looked_at_for_itself(tmp_path: Path) -> None:
    """A fault of one is reported whether or not an earlier one has an unknown place."""
    wrong = MAP.replace("at: [4, 4], source", "at: [4, 5], source")
    alone = read(tmp_path, wrong)[1]
    assert "RK692" in alone
    assert read(
        tmp_path,
        wrong.replace("corners:\n", "corners:\n  - {between: [B, nowhere], source: '3'}\n"),
    )[1] == sorted([*alone, "RK690"])
