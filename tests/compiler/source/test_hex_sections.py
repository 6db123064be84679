"""A grid of hexes equals the same hexes and sides written out. Contradictions are reported at their
places."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler import model as m
from rulekit.compiler.check.check import check
from rulekit.compiler.source import polygons
from rulekit.compiler.source.folder import read_game
from rulekit.compiler.source.game_source import GameSource
from rulekit.compiler.source.hex_geometry import Lie
from tests.small_games import MANIFEST

ROOT = Path(__file__).resolve().parents[3]
RULES = """game small 1
kind Side decides = red | blue
kind Ground = land | sea
kind Hex
  fixed ground: Ground
  fixed value: 0..9 = 0
kind Way joins {place}
  fixed sea: bool
  fixed limit: 0..3 = 0
{more}phase main
  finish none, over
"""
HEAD = """hexes:
  kind: Hex
  borders: Way
  source: {assumed: "an example"}
"""
GRID = (
    HEAD
    + """  shifted: even
  at: [10, 20]
  step: [6, 8]
  letters: {l: {ground: land}, s: {ground: sea}}
  rows:
    - "ls."
    - "l sl"
  sides:
    open: {limit: 2}
    water: {sea: true}
    shore: [{limit: 1}, {id: sea, sea: true}]
    shut: []
  joined: {ll: open, ls: shut, ss: water}
  edges:
    open: [{at: a2 NE, limit: 3, source: {text: "4.1"}}]
    shore: [b2 c2]
  members:
    a1: {id: haven, label: The haven, value: 4, source: {text: "1.1"}}
"""
)
HAND = """places:
  kind: Hex
  source: {assumed: "an example"}
  members:
    haven: {label: The haven, ground: land, value: 4, source: {text: "1.1"}, at: [10, 20]}
    b1: {ground: sea, at: [16, 24]}
    a2: {ground: land, at: [10, 28]}
    b2: {ground: sea, at: [16, 32]}
    c2: {ground: land, at: [22, 28]}
borders:
  kind: Way
  source: {assumed: "an example"}
  members:
    - {between: [haven, a2], limit: 2}
    - {between: [b1, b2], sea: true}
    - {between: [a2, b1], limit: 3, source: {text: "4.1"}}
    - {between: [b2, c2], limit: 1}
    - {between: [b2, c2], id: b2-c2.sea, sea: true}
"""


def read(
    folder: Path, map: str, more: str = "", place: str = "Hex"
) -> tuple[GameSource, m.Model | None, Sink]:
    (folder / "game.yaml").write_text(MANIFEST)
    (folder / "game.rules").write_text(RULES.format(place=place, more=more))
    (folder / "map.yaml").write_text(map)
    sink = Sink()
    source = read_game(folder, sink)
    assert source is not None
    return source, check(source, sink) if not sink.errors else None, sink


def facts(model: m.Model | None) -> dict[str, object]:
    """Return all data about hexes and borders, by name."""
    assert model is not None
    hexes, ways = model.kinds["Hex"], model.kinds["Way"]
    told = {
        f"{kind.name} {id}": [fixed.values[i] for fixed in kind.fixed.values()]
        for kind in (hexes, ways)
        for i, id in enumerate(kind.members)
    }
    arcs = sorted((ways.members[w], hexes.members[a], hexes.members[z]) for w, a, z in ways.arcs)
    return {**told, "arcs": arcs, "labels": hexes.labels}


@pytest.mark.docs("data-files#a-grid-of-hexes")
def test_a_grid_is_what_it_would_be_by_hand(tmp_path: Path) -> None:
    for name in ("grid", "hand"):
        (tmp_path / name).mkdir()
    grid, made, found = read(tmp_path / "grid", GRID)
    hand, written, _ = read(tmp_path / "hand", HAND)
    assert not found.found and facts(made) == facts(written)
    assert {id: spot["at"] for id, spot in grid.geometry.items()} == {
        id: spot["at"] for id, spot in hand.geometry.items()
    }
    sources = [
        {one.id: one.sources for kind in source.kinds for one in kind.members}
        for source in (grid, hand)
    ]
    assert sources[0] == sources[1]


@pytest.mark.docs("data-files#a-grid-of-hexes")
@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("even", [True, False])
def test_hexes_that_touch_have_an_edge_of_their_outlines_in_common(flat: bool, even: bool) -> None:
    lie = Lie(flat, even, first=(-50, 7), step=(13, 15))
    cells = [(column, row) for column in range(1, 6) for row in range(1, 6)]
    outlines = {cell: lie.outline(cell) for cell in cells}
    assert all(
        polygons.fault(shape) is None and polygons.holds(shape, *lie.middle(cell) or (0, 0)) == 1
        for cell, shape in outlines.items()
    )
    for one, other in combinations(cells, 2):
        touch = lie.way(one, other)
        assert len(set(outlines[one]) & set(outlines[other])) == (2 if touch else 0)
        assert not polygons.overlap(outlines[one], outlines[other])
        assert (touch is None) == (lie.way(other, one) is None)
        if touch is not None:
            ways = list(lie.ways)
            assert lie.way(other, one) == ways[(ways.index(touch) + 3) % 6], (
                "the way back is the opposite one"
            )
            assert (touch in lie.once) != (lie.way(other, one) in lie.once)


@pytest.mark.docs("data-files#a-grid-of-hexes")
@pytest.mark.parametrize(
    "pattern, name",
    [("{a}{r}", "ab3"), ("{A}{rr}", "AB03"), ("h{cc}{rr}", "h2803"), ("x_{c}.{r}", "x_28.3")],
)
def test_hexes_are_called_by_the_pattern(pattern: str, name: str) -> None:
    assert Lie(True, True, pattern).name((28, 3)) == name


SPOTS = """  spots: {kind: Spot, hex: hex}
  parts:
    far: {of: haven, sides: [S], only: {sea: false}, joined: shore, bank: true}
"""
SPOT = "kind Spot\n  fixed hex: Hex\n  fixed bank: bool\n"


@pytest.mark.docs("data-files#a-grid-of-hexes")
def test_a_part_of_a_hex_has_sides_of_its_own(tmp_path: Path) -> None:
    source, model, found = read(tmp_path, GRID + SPOTS, SPOT, "Spot")
    assert not found.found and model is not None
    spots, ways = model.kinds["Spot"], model.kinds["Way"]
    assert spots.members == ["haven", "b1", "a2", "b2", "c2", "far"]
    assert spots.fixed["hex"].values == [0, 1, 2, 3, 4, 0] and spots.fixed["bank"].values == [
        0,
        0,
        0,
        0,
        0,
        1,
    ]
    joined = {
        id: {spots.members[a] for w, a, _ in ways.arcs if w == i}
        for i, id in enumerate(ways.members)
    }
    assert joined["far-a2"] == {"far", "a2"} and joined["haven-far"] == joined["haven-far.sea"] == {
        "haven",
        "far",
    }
    assert spots.labels["haven"] == "The haven" and source.geometry["far"] == {"at": [10, 22]}


def test_the_example_of_the_page_is_a_game() -> None:
    """The example of docs/data-files.md is the map of a playable fixture."""
    fixture = ROOT / "tests" / "fixtures" / "hexes" / "map.yaml"
    page = (ROOT / "docs" / "data-files.md").read_text(encoding="utf-8")
    assert fixture.read_text(encoding="utf-8") in page


FAULTS = [  # a replacement of a text, and the finding: code, line, column, words, help
    ('"ls."', '"ls.l"', "RK696", 11, 7, "row 2 has 3 hexes, but the first row has 4", "add 1"),
    (
        '"l sl"',
        '"l slls"',
        "RK696",
        11,
        12,
        "row 2 has 5 hexes, but the first row has 3",
        "remove 2",
    ),
    ('"l sl"', '"l xl"', "RK696", 11, 10, "'x' is not one of the letters", "the letters are l, s"),
    ("a2 NE", "a1 c2", "RK697", 19, 17, "a1 and c2 do not touch", "a1 touches b1, a2"),
    (
        "a2 NE",
        "a2 E",
        "RK697",
        19,
        17,
        "'E' is neither a hex nor a side",
        "did you mean 'SE' or 'NE'?",
    ),
    ("a2 NE", "c2 NE", "RK697", 19, 17, "there is no hex NE of c2", "between two hexes"),
    ("a2 NE", "d2 NE", "RK697", 19, 17, "there is no hex 'd2'", "write a hex and one of N"),
    ("a2 NE", "a2", "RK697", 19, 17, "'a2' is not an edge", "write a hex and one of N"),
    ("[b2 c2]", "[b2 c2, b1 SW]", "RK697", 20, 20, "the edge b1 SW is defined twice", "remove one"),
    ("    a1:", "    c1:", "RK697", 22, 5, "there is no hex 'c1'", "hexes are named like a1 b1 a2"),
    (
        ", ss: water",
        "",
        "RK698",
        9,
        3,
        "the border between 's' and 's' is not defined: b1 b2",
        "write under `joined`: ss",
    ),
    (
        "ss: water",
        "ss: watre",
        "RK698",
        17,
        36,
        "'watre' is not a sort of side",
        "did you mean 'water'?",
    ),
    (
        "ss: water",
        "ss: water, sx: open",
        "RK698",
        17,
        43,
        "'sx' is not a pair of letters",
        "write two of l, s",
    ),
    (
        "ss: water",
        "ss: water, sl: open",
        "RK698",
        17,
        43,
        "'sl' and 'ls' are the same pair",
        "remove one",
    ),
    (
        "    shore: [b2",
        "    sure: [b2",
        "RK698",
        20,
        5,
        "'sure' is not a sort of side",
        "did you mean 'shore'?",
    ),
    (
        "{id: haven,",
        "{id: b2,",
        "RK602",
        11,
        10,
        "Hex 'b2' is defined twice",
        "rename one of the two",
    ),
    ("ground: sea}", "ground: see}", "RK633", 8, 44, "see", "did you mean 'sea'?"),
]


@pytest.mark.docs("data-files#a-grid-of-hexes")
@pytest.mark.parametrize(
    "old, new, code, line, column, words, help", FAULTS, ids=[fault[5] for fault in FAULTS]
)
def test_what_does_not_fit_is_told_where_it_stands(
    tmp_path: Path, old: str, new: str, code: str, line: int, column: int, words: str, help: str
) -> None:
    assert GRID.count(old) == 1
    _, _, found = read(tmp_path, GRID.replace(old, new))
    told = found.in_order()
    assert [d.code for d in told] == [code], [str(d) for d in told]
    (seen,) = told
    assert words in seen.message and help in seen.help
    assert seen.span.file.endswith("map.yaml") and (seen.span.line, seen.span.column) == (
        line,
        column,
    )


PARTS = [
    ("of: haven", "of: heaven", "RK697", "there is no hex 'heaven'"),
    ("[S]", "[W]", "RK697", "'W' is not a side of a hex"),
    ("joined: shore", "joined: sure", "RK698", "'sure' is not a sort of side"),
    ("far:", "b2:", "RK602", "Spot 'b2' is defined twice"),
]


@pytest.mark.parametrize("old, new, code, words", PARTS)
def test_a_part_that_does_not_fit_is_told(
    tmp_path: Path, old: str, new: str, code: str, words: str
) -> None:
    _, _, found = read(tmp_path, GRID + SPOTS.replace(old, new), SPOT, "Spot")
    assert [d.code for d in found.in_order()] == [code] and words in found.found[0].message
