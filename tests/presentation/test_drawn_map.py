"""Coasts, signs and forces of a drawing in the picture: a small map of hexes, and one of signs on
lines."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.map_picture import picture
from rulekit.presentation.seat import Seat

MANIFEST = 'rulekit: game\nname: shore\ntitle: Shore\nversion: "1"\nlanguage: 1\n'
RULES = """kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Soil = plain | strand | peak | deep
kind Arm = foot | boat
kind House = oak | ash
kind Store = corn(oak, foot) | nets(oak, boat) | hay(ash, foot)
  fixed house: House
  fixed sort: Arm
kind Zone
  fixed soil: Soil
  fixed town: bool
  fixed wall: bool
  fixed worth: 0..9 = 0
  fixed of: House?
  state held: House?
  state burnt: bool
kind Way joins Zone
  fixed dry: bool
  fixed wet: bool
kind Man = one | two
  state at: Zone?
  state lord: Side
  state steps: 0..9
event stood(p: Man, z: Zone, s: Side, n: 0..9)
  p.at := z
  p.lord := s
  p.steps := n
state stock(z: Zone, u: Store): 0..9
state moved(u: Store): 0..9
state camp: Zone?
event marched(z: Zone?, u: Store, n: 0..9)
  camp := z
  moved(u) := n
event taken(z: Zone, h: House)
  z.held := h
  z.burnt := true
event stored(z: Zone, u: Store, n: 0..9)
  stock(z, u) := n
phase main
  stood(one, B, red, 4)
  stood(two, B, blue, 7)
  stored(B, corn, 3)
  stored(B, nets, 2)
  stored(B, hay, 5)
  choose by red "go on"
    option go
      taken(B, ash)
      marched(B, nets, 1)
      choose by red "go on"
        option then
          marched(none, nets, 1)
          finish red, won
"""
HEXES = """hexes:
  kind: Zone
  borders: Way
  source: {assumed: x}
  tops: flat
  shifted: even
  id: "{A}{rr}"
  at: [100, 100]
  step: [91, 105]
  letters: {p: {soil: plain}, c: {soil: strand}, m: {soil: peak}, s: {soil: deep}}
  rows: ["pmms", "pccs", "cccs", "csss"]
  sides:
    land: {dry: true}
    water: {wet: true}
    shore: [{dry: true}, {id: sea, wet: true}]
    strait: {dry: true}
    shut: []
  joined: {pm: land, mm: shut, ms: shut, mc: shut, pc: land, pp: land, cc: land, cs: water, \
ss: water, ps: shut}
  edges: {shore: [C02 S], water: [A03 B03]}
  members: {B02: {id: B, town: true, worth: 2, of: oak}, C03: {wall: true}}
  parts: {far: {of: B, sides: [NE], joined: strait, soil: strand}}
"""
SEEN = """source: {assumed: x}
terrain_by: soil
rough: 4
grid: true
coast: {land: {dry: true}, water: {wet: true}}
terrain:
  plain: {fill: "#eeeecc"}
  strand: {fill: "#eeeecc", shore: true}
  peak: {fill: "#ccbb99", closed: ridge, texture: peaks}
  deep: {fill: "#88aacc", water: true}
"""
SIGNS = """signs:
- {name: town, when: {town: true}, shape: square, size: 14, owner: [held, of], number: worth}
- {when: {wall: true}, walls: true, mark: anchor}
- {name: fire, when: {burnt: true}, mark: flame}
- {when: {soil: plain}, wash: "#aa5500"}
owners: {oak: {colour: "#225522"}, ash: {colour: "#999999"}}
forces: {cell: stock, side: house, glyph_by: sort, glyphs: {foot: shield, boat: ship}, \
army: {cell: moved, at: camp}}
words: [{name: bay, at: [400, 300], size: 20, sea: true}]
"""
LINES = """places:
  kind: Zone
  source: {assumed: x}
  members:
    A: {soil: plain, town: true, wall: true, at: [100, 100]}
    B: {soil: strand, town: true, worth: 2, of: oak, at: [200, 100]}
    C: {soil: deep, town: true, at: [150, 140]}
borders:
  kind: Way
  source: {assumed: x}
  members: [{between: [A, B], dry: true}, {between: [B, C], wet: true}, \
{between: [A, C], dry: true, wet: true}]
"""
BEHIND = """source: {assumed: x}
frame: [0, 0, 300, 200]
backdrop: {fill: "#88aacc", dark: "#112233", land: {fill: "#eeeecc", dark: "#443322"}}
scenery: [[[20, 20], [280, 20], [280, 180], [20, 180]]]
borders:
- {when: {dry: true, wet: false}, style: road}
- {when: {dry: false}, style: lane}
- {when: {wet: true}, style: coastal}
"""
TEXTS = "drawing.town: a town\ndrawing.fire: burnt down\ndrawing.bay: The bay\n"


def game(folder: Path, map: str, drawing: str, signs: str = SIGNS) -> rulekit.Game:
    (folder / "texts").mkdir()
    for name, text in {
        "game.yaml": MANIFEST,
        "game.rules": RULES,
        "map.yaml": map,
        "drawing.yaml": drawing + signs,
        "texts/en.yaml": TEXTS,
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    return rulekit.load(folder)


def drawn(game: rulekit.Game, choices: int = 0, theme: str = "light") -> ElementTree.Element:
    state = game.new(None, 0)
    for _ in range(choices):
        state.apply(state.decision.options[0])
    seat = Seat(state, None)
    return ElementTree.fromstring(picture(seat.sheet(), seat.position(), theme))


def of(tree: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [each for each in tree.iter() if name in (each.get("class") or "").split()]


def words(tree: ElementTree.Element) -> list[str]:
    return ["".join(each.itertext()).strip() for each in tree.iter() if each.tag.endswith("text")]


def sign(tree: ElementTree.Element, place: str) -> ElementTree.Element:
    [found] = [each for each in tree.iter() if each.get("data-sign") == place]
    return found


def rings(path: str) -> list[list[tuple[float, float]]]:
    return [
        [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", part)]
        for part in path.split("Z")
        if part
    ]


def inside(point: tuple[float, float], path: str) -> bool:
    """Return True if a point is in a path, by the even-odd rule."""
    x, y = point
    crossed = 0
    for ring in rings(path):
        for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
            crossed += (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax
    return crossed % 2 == 1


@pytest.fixture(scope="module")
def hexes(tmp_path_factory: pytest.TempPathFactory) -> rulekit.Game:
    return game(tmp_path_factory.mktemp("hexes"), HEXES, SEEN)


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> rulekit.Game:
    return game(tmp_path_factory.mktemp("lines"), LINES, BEHIND)


def land(tree: ElementTree.Element) -> str:
    [coast] = of(tree, "coast")[:1]
    return coast.get("d") or ""


def middles(found: rulekit.Game) -> dict[str, tuple[float, float]]:
    """Return the middle of the common edge for each border between two hexes."""
    map = rulekit.sheet(found).map
    outline = {spot.id: set(spot.outline) for spot in map.spots}
    out = {}
    for edge in map.edges:
        assert edge.between == tuple(edge.id.removesuffix(".sea").split("-"))
        ends = sorted(outline[edge.between[0]] & outline[edge.between[1]])
        if len(ends) == 2:
            out[edge.id] = ((ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2)
    return out


@pytest.mark.docs("data-files#how-the-game-looks")
def test_land_goes_on_over_land_and_water_over_water(hexes: rulekit.Game) -> None:
    """At an edge with both, the coast crosses it, so both are near."""
    tree, printed = (
        drawn(hexes),
        {m.id: m.printed for m in rulekit.sheet(hexes).kind("Way").members},
    )
    shape, at = land(tree), middles(hexes)
    both = {id.removesuffix(".sea") for id in at if id.endswith(".sea")}
    seen = {"land": 0, "water": 0, "both": 0}
    for id, (x, y) in at.items():
        what = (
            "both" if id.removesuffix(".sea") in both else "land" if printed[id]["dry"] else "water"
        )
        around = {inside((x + dx, y + dy), shape) for dx in (-25, 0, 25) for dy in (-8, 8)}
        assert (
            around == {True, False} if what == "both" else inside((x, y), shape) == (what == "land")
        ), id
        seen[what] += 1
    assert seen["land"] > 5 and seen["water"] > 5 and seen["both"] == 2
    assert all(
        inside((spot.at[0], spot.at[1]), shape) == (spot.terrain != "deep")
        for spot in rulekit.sheet(hexes).map.spots
        if spot.outline and spot.at
    )


def test_a_strait_parts_the_far_bank_from_its_place(hexes: rulekit.Game) -> None:
    """The way from the middle of the place to the far side crosses land, water, and land."""
    map, shape = rulekit.sheet(hexes).map, land(drawn(hexes))
    at = {spot.id: spot for spot in map.spots}
    (x, y), ends = at["B"].at, sorted(set(at["B"].outline) & set(at["C02"].outline))
    mid = ((ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2)
    way = [inside((x + (mid[0] - x) * t / 20, y + (mid[1] - y) * t / 20), shape) for t in range(21)]
    assert [here for i, here in enumerate(way) if i == 0 or way[i - 1] != here] == [
        True,
        False,
        True,
    ]


def test_a_grid_has_thin_lines_small_ids_and_ridges_where_nothing_leads(
    hexes: rulekit.Game,
) -> None:
    tree = drawn(hexes)
    assert (
        of(tree, "grid")
        and not of(tree, "edge")
        and len(of(tree, "ridge")) >= 1
        and of(tree, "closed")
        and len(of(tree, "peaks")) == 2
    )
    faint = ["".join(each.itertext()).strip() for each in of(tree, "faint")]
    assert "A01" in faint and "B" not in faint and "B" in words(tree)


def test_land_at_the_rim_of_the_map_is_closed(hexes: rulekit.Game) -> None:
    """The path of the land has complete rings, and a hex at the rim is land up to its outer
    edge."""
    shape = land(drawn(hexes))
    corner = next(spot for spot in rulekit.sheet(hexes).map.spots if spot.id == "A01")
    assert len(rings(shape)) >= 1 and all(
        inside(((x + corner.at[0]) / 2, (y + corner.at[1]) / 2), shape) for x, y in corner.outline
    )


@pytest.mark.docs("data-files#how-the-game-looks")
def test_the_first_entry_that_fits_gives_a_property_and_each_its_mark(lines: rulekit.Game) -> None:
    tree = drawn(lines)
    assert (
        len(of(sign(tree, "A"), "token-walls")) == 1 and len(of(sign(tree, "A"), "token-mark")) == 1
    )
    assert not of(sign(tree, "B"), "token-walls") and not of(sign(tree, "B"), "token-mark")
    assert [n.text for n in of(sign(tree, "B"), "token-number")] == ["2"] and not of(
        sign(tree, "A"), "token-number"
    )
    assert "a town" in words(tree) and "burnt down" in words(tree) and "The bay" in words(tree)
    assert {each.get("class") for each in of(tree, "word")} == {"word sea"}


@pytest.mark.docs("data-files#how-the-game-looks")
def test_whose_a_sign_is_and_what_is_marked_follow_the_state(lines: rulekit.Game) -> None:
    before, after = (sign(drawn(lines, n), "B") for n in (0, 1))
    colour = [of(each, "token-form")[0].get("style") or "" for each in (before, after)]
    assert "#225522" in colour[0] and "#999999" in colour[1]
    assert not of(before, "alarm") and len(of(after, "alarm")) == 1
    assert not of(sign(drawn(lines), "A"), "token-form")[0].get("style", "").startswith(
        "fill:#2"
    ) and of(sign(drawn(lines), "A"), "free")


def test_forces_are_counted_beside_their_place_by_side_and_glyph(lines: rulekit.Game) -> None:
    forces = of(sign(drawn(lines), "B"), "force")
    assert [[t.text for t in each.iter() if t.tag.endswith("text")] for each in forces] == [
        ["3", "2"],
        ["5"],
    ]
    assert [next(t.text for t in each.iter() if t.tag.endswith("title")) for each in forces] == [
        "3 corn, 2 nets",
        "5 hay",
    ]
    assert not of(sign(drawn(lines), "A"), "force")


def test_what_is_on_its_way_has_a_marker_of_its_own_where_it_is(lines: rulekit.Game) -> None:
    """It has none before it starts, or if it is nowhere."""
    moving = [of(drawn(lines, choices), "moving") for choices in (0, 1, 2)]
    assert [len(each) for each in moving] == [0, 1, 0]
    assert of(sign(drawn(lines, 1), "B"), "moving")[0].findtext("{*}title") == "1 nets"
    assert len(of(sign(drawn(lines, 1), "B"), "force")) == 3


def test_a_coast_behind_the_signs_and_lines_by_what_leads_there(lines: rulekit.Game) -> None:
    light, dark = drawn(lines), drawn(lines, theme="dark")
    assert "#88aacc" in (of(light, "backdrop")[0].get("style") or "") and "#112233" in (
        of(dark, "backdrop")[0].get("style") or ""
    )
    assert inside((150, 100), of(light, "coast")[0].get("d") or "") and not inside(
        (5, 5), of(light, "coast")[0].get("d") or ""
    )
    styles = [
        next(iter({"road", "lane", "coastal"} & set((each.get("class") or "").split())))
        for each in of(light, "tie")
    ]
    assert sorted(styles)[:3] == ["coastal", "coastal", "lane"] and "road" in styles


def test_a_colour_lies_over_the_ground_of_the_places_that_it_is_for(hexes: rulekit.Game) -> None:
    assert [each.get("fill") for each in of(drawn(hexes), "wash")] == ["#aa5500"] * 2


def test_whose_a_piece_is_and_what_it_is_worth_may_be_a_state(tmp_path: Path) -> None:
    looks = (
        "sides: {red: {colour: '#771111'}, blue: {colour: '#111177'}}\ncounter: {kind: Man, owner:"
        " lord, front: steps}\n"
    )
    tree = drawn(game(tmp_path, LINES, BEHIND + looks))
    piles = [
        each
        for each in tree.iter()
        if each.tag.endswith("}g")
        and [c for c in each if c.tag.endswith("rect") and "shade" in (c.get("class") or "")]
    ]
    colours = [
        {c.get("fill") for c in pile.iter()} & {"#771111", "#111177"}
        for pile in piles
        if of(pile, "c-strength")
    ]
    assert colours == [{"#771111"}, {"#111177"}]
    assert [each.text for each in of(tree, "c-strength")][:2] == ["4", "7"]


def test_a_name_stands_where_it_hides_no_line(lines: rulekit.Game) -> None:
    """Lines lead east and south-east from A, and west and south-west from B. The names are on the
    other sides."""
    labels = {
        "".join(each.itertext()).strip(): each
        for each in of(drawn(lines), "label")
        for each in each
        if each.tag.endswith("text")
    }
    at = {
        name: (float(each.get("x", "")), each.get("style") or "") for name, each in labels.items()
    }
    assert at["A"][0] <= 100 and "start" not in at["A"][1]
    assert at["B"][0] >= 200 and "end" not in at["B"][1]


def test_land_lies_around_a_sign_that_asks_for_it(tmp_path: Path) -> None:
    at = (0, 0)
    for reach, far in (("", False), ("- {when: {soil: deep}, islet: 40}\n", True)):
        (tmp_path / str(far)).mkdir()
        tree = drawn(
            game(
                tmp_path / str(far),
                LINES.replace("[150, 140]", "[150, 400]"),
                BEHIND,
                SIGNS.replace("owners:", f"{reach}owners:"),
            )
        )
        coast = of(tree, "coast")[0].get("d") or ""
        at = (150, 425)
        assert inside(at, coast) == far
