"""The command `map`: outlines, edges in the style of their border, what is closed, corners, texts that stay inside."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.map import drawing
from rulekit.cli.svg import SIDES, Drawing, Place, Style, draw
from rulekit.cli.svgmarks import fitted, mark, room

BROKEN = Path(__file__).parents[1] / "broken" / "data" / "shape_label"
MAP = """
places:
  kind: Zone
  source: {assumed: x}
  members:
    A: {ground: clear, label: "A Alpha field", at: [2, 2], shape: [[0, 0], [4, 0], [4, 4], [0, 4]]}
    B: {ground: rough, at: [6, 2], shape: [[4, 0], [8, 0], [8, 4], [4, 4]]}
    C: {ground: clear, shape: [[4, 4], [8, 4], [8, 8], [4, 8]]}
    D: {ground: clear, at: [2, 6], shape: [[0, 4], [4, 4], [4, 8], [0, 8]]}
    E: {ground: rough, at: [12, 2], shape: box}
borders:
  kind: Border
  source: {assumed: x}
  members: [{between: [A, B], wall: B}, {between: [B, C]}, {between: [C, D]}, {between: [B, E], via: [[10, 3]]}]
closed: [{between: [A, D], source: "3"}]
corners: [{between: [A, B, C, D], at: [4, 4], source: "3"}]
drawing:
  title: The plan
  colour_by: ground
  colours: {clear: "#abcdef"}
  styles: {wall.B: {stroke: "#123456", width: 7, mark: teeth, label: rampart}, wall: {mark: dot}, wall.C: {stroke: "#ffffff"}}
"""


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Drawing:
    folder = tmp_path_factory.mktemp("plan") / "game"
    shutil.copytree(BROKEN, folder, ignore=shutil.ignore_patterns("expected.yaml"))
    (folder / "map.yaml").write_text(MAP, encoding="utf-8")
    return drawing(rulekit.load(folder), None, False)


def test_outlines_edges_and_what_lies_apart(plan: Drawing) -> None:
    places = {place.id: place for place in plan.places}
    assert plan.title == "The plan"
    assert places["A"].shape == ((0, 0), (4, 0), (4, 4), (0, 4)) and not places["A"].box
    assert (places["C"].x, places["C"].y) == (6, 6)  # the middle of its corners
    assert places["E"].shape == () and places["E"].box
    assert {p.id: p.fill for p in plan.places} == {"A": "#abcdef", "B": "", "C": "#abcdef", "D": "#abcdef", "E": ""}
    lines = {(line.a, line.b): line for line in plan.lines}
    assert lines["A", "B"].edges == (((4, 0), (4, 4)),) and lines["A", "B"].inner == "B"
    assert lines["A", "B"].styles == (Style("rampart", "#123456", 7, mark="teeth"), Style("wall", width=0, mark="dot"))
    assert lines["B", "C"].styles == ()
    assert lines["B", "E"].edges == () and lines["B", "E"].via == ((10, 3),)
    assert list(plan.closed) == [((4, 4), (0, 4))] and list(plan.corners) == [(4, 4)]


def test_the_drawing_says_what_it_shows(plan: Drawing) -> None:
    text = draw(plan)
    root = ElementTree.fromstring(text)
    tag = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{tag}polygon")) == 4
    words = [each.text for each in root.iter(f"{tag}text")]
    assert {"The plan", "rampart", "closed: no passage", "corner: not adjacent across it", "clear", "rough", "Alpha field"} <= set(words)
    assert "A Alpha field" not in words  # its id stands above already
    assert text.count("#123456") >= 4  # stroke and teeth, on the map and in the legend


def test_teeth_point_outward() -> None:
    edge = ((0.0, 0.0), (13.0, 0.0))
    assert "6.5,-8.0" in mark("teeth", "#000000", [edge], (5.0, 9.0))
    assert "6.5,8.0" in mark("teeth", "#000000", [edge], (5.0, -9.0))


def test_texts_stay_in_their_outline() -> None:
    shape = [(0.0, 0.0), (100.0, 0.0), (100.0, 30.0), (0.0, 30.0)]
    assert room(shape, 50, 5, 15) == 92
    assert room(shape, 90, 5, 15) == 12
    assert room(shape, 50, 25, 35) == 0  # below it
    assert fitted("one two three four five", 10, shape, 50, 12) == ["one two three", "four five"]
    assert fitted("one two three four five six seven", 10, shape, 50, 12) == ["one two three", "four five six..."]
    assert fitted("incomprehensibilities", 10, shape, 50, 12) == []
    pieces = tuple(f"Hoplites {i}" for i in range(400))
    place = Place("A", "A", 50, 8, pieces=(" ".join(pieces),), shape=tuple(shape), owners=(1,))
    root = ElementTree.fromstring(draw(Drawing("t", [place])))
    (outline,) = root.iter("{http://www.w3.org/2000/svg}polygon")
    assert pieces[-1] in (outline[0].text or "")  # all of them in the title
    shown = [each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text") if each.get("fill") == SIDES[1]]
    assert 2 < len(shown) < 30 and shown[-1].endswith("...") and pieces[-1] not in " ".join(shown)


def texts_of(*places: Place) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(draw(Drawing("t", places))).iter("{http://www.w3.org/2000/svg}text"))


def test_where_there_is_no_room_for_both_the_pieces_stand_rather_than_the_name() -> None:
    corners = ((0.0, 0.0), (100.0, 0.0), (100.0, 3.0), (0.0, 3.0))
    far = Place("B", "B", 50, 50)
    narrow = Place("A", "A North channel", 50, 1, pieces=("T1",), shape=corners, owners=(0,))
    shown = [each.text for each in texts_of(narrow, far)]
    assert "T1" in shown and "North channel" not in shown
    assert "North channel" in [each.text for each in texts_of(Place("A", "A North channel", 50, 1, shape=corners), far)]


def test_pieces_beside_the_map_stay_on_the_paper() -> None:
    pieces = " ".join(f"H{i}" for i in range(1, 21))
    placed = texts_of(Place("A", "A", 100, 0, pieces=(pieces,), owners=(0,)), Place("B", "B", 0, 0))
    shown = [each for each in placed if each.get("fill") == SIDES[0]]
    assert " ".join(each.text or "" for each in shown) == pieces and len(shown) > 1
    assert all(float(each.get("x", 0)) + len(each.text or "") * 9 * 0.6 / 2 <= 1000 for each in shown)


LOOK = """
source: {assumed: x}
sides: {red: {colour: "#112233"}}
terrain_by: ground
terrain: {clear: {fill: "#abcdef"}}
borders: [{when: {wall: B}, mark: bridge}, {when: {wall: B}, style: river, mark: ford}, {when: {wall: B}, style: wall}]
scenery: [[[0, 8], [4, 8], [4, 12]]]
"""


def test_without_a_section_in_the_map_drawing_yaml_says_how_it_looks(tmp_path: Path) -> None:
    """The first entry that fits gives the line, each that fits its mark."""
    folder = tmp_path / "game"
    shutil.copytree(BROKEN, folder, ignore=shutil.ignore_patterns("expected.yaml"))
    (folder / "map.yaml").write_text(MAP.partition("drawing:")[0], encoding="utf-8")
    (folder / "drawing.yaml").write_text(LOOK, encoding="utf-8")
    plan = drawing(rulekit.load(folder), None, False)
    assert {p.id: p.fill for p in plan.places} == {"A": "#abcdef", "B": "", "C": "#abcdef", "D": "#abcdef", "E": ""}
    line = next(line for line in plan.lines if line.styles)
    assert (line.a, line.b) == ("A", "B")
    assert [(style.width > 0, style.mark) for style in line.styles] == [(False, "bridge"), (True, ""), (False, "dot")]
    assert plan.scenery == [[(0, 8), (4, 8), (4, 12)]] and plan.sides[0] == "#112233"
    assert "0,8" not in draw(plan) and draw(plan).count("<polygon") == 5


def test_a_map_has_its_title_in_the_language_of_the_texts() -> None:
    plan = drawing(rulekit.load("games/sphacteria", lang="fr"), None, False)
    assert plan.title == "Sphactérie, 425 av. J.-C." and all(place.shape for place in plan.places)
