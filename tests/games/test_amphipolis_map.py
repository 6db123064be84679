"""The board of Amphipolis: each fact of the rule book, and further properties of the
reconstruction.

The map is read on its own, so that no rules are needed. The reader proves borders, bans and corners
by the outlines of the zones.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import networkx
import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.folder import read_game
from rulekit.compiler.source.game_source import GameSource, MemberData
from rulekit.compiler.source.outline_checks import shape_of
from rulekit.compiler.source.polygons import box, edges, shared

MAP = Path(__file__).resolve().parents[2] / "games" / "amphipolis" / "map.yaml"
LAND = [f"T{n}" for n in range(1, 28)]
SEA = ["M1", "M2", "M3"]
OPERATIONS = [f"O{n}" for n in range(1, 9)]
BASES = ["Thasos", "Macedonia", "Thrace"]

# Pairs side by side, with what the rule book says: `text` (printed), `derived`.
JOINED = {
    "T7-T9": "derived",
    "T9-T11": "text",
    "T11-T12": "text",
    "T7-T12": "text",
    "T11-T13": "text",
    "T11-T15": "text",
    "T11-T17": "text",
    "T13-T15": "derived",
    "T4-T5": "derived",
    "T5-M1": "derived",
    "M1-M2": "derived",
    "T4-M2": "derived",
    "T15-M2": "derived",
    "T22-M2": "derived",
    "M2-Thasos": "text",
    "T1-Thrace": "text",
    "T2-Thrace": "text",
    "T23-Macedonia": "text",
    "T26-Macedonia": "text",
    "M2-M3": "derived",
}
APART = [
    "T7-T11",
    "T9-T12",
    "T5-T6",
    "T4-M1",
    "T5-M2",
    "T4-Thasos",
    "M1-Thasos",
    "M3-Thasos",
    "T18-T26",
    "T19-T26",
    "T19-T20",
]
CLOSED = ["T18-T26", "T19-T26", "T19-T20"]
CORNERS = ["T7-T9-T11-T12", "T5-T6", "T4-T5-M1-M2"]
WALLS = {
    "T7-T12": ("permanent", "T12"),
    "T11-T17": ("permanent", "T11"),
    "T11-T12": ("partial", "T12"),
    "T9-T11": ("buildable", "T11"),
    "T11-T13": ("buildable", "T11"),
}
GROUND = {
    "M1": "port",
    "M2": "sea",
    "M3": "sea",
    "T5": "city",
    "T12": "city",
    "T22": "city",
    "T7": "clear",
    "T17": "humid",
    "T21": "elevated",
}
NOT_GROUND = [("T20", "humid"), ("T20", "city"), ("T4", "elevated"), ("T15", "elevated")]
ATTRIBUTES = {"coast", "river", "bridge", "wall", "inside", "between"}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> GameSource:
    folder = tmp_path_factory.mktemp("board")
    shutil.copy(MAP, folder)
    (folder / "game.yaml").write_text(
        'rulekit: game\nname: a\ntitle: a\nversion: "1.0"\nlanguage: 1\n', encoding="utf-8"
    )
    (folder / "game.rules").write_text("game a 1\n", encoding="utf-8")
    sink = Sink()
    source = read_game(folder, sink)
    assert source is not None and not sink.found, [d.message for d in sink.found]
    return source


@pytest.fixture(scope="module")
def zones(source: GameSource) -> dict[str, MemberData]:
    return {m.id: m for k in source.kinds if k.role == "places" for m in k.members}


@pytest.fixture(scope="module")
def borders(source: GameSource) -> dict[frozenset[str], MemberData]:
    listed = [m for k in source.kinds if k.role == "borders" for m in k.members]
    found = {frozenset(str(end.value) for end in m.values["between"].value): m for m in listed}
    assert len(found) == len(listed)
    return found


def pair(text: str) -> frozenset[str]:
    return frozenset(text.split("-"))


def value(member: MemberData, name: str) -> object:
    return member.values[name].value if name in member.values else None


def near(borders: dict[frozenset[str], MemberData], zone: str) -> set[str]:
    return {other for ends in borders if zone in ends for other in ends if other != zone}


def origin(member: MemberData, name: str = "") -> str:
    return member.sources.get(name, member.sources[""]).kind


def on_land(borders: dict[frozenset[str], MemberData]) -> networkx.Graph[str]:
    """Return the land zones with all borders between them except river borders."""
    graph: networkx.Graph[str] = networkx.Graph()
    graph.add_nodes_from(LAND)
    dry = {ends for ends, border in borders.items() if not value(border, "river")}
    graph.add_edges_from((min(ends), max(ends)) for ends in dry if ends <= set(LAND))
    return graph


# -------------------------------------------------------------------------------------------- zones
@pytest.mark.parametrize(
    ("part", "names"),
    [("main_map", [*LAND, *SEA]), ("operational", OPERATIONS), ("rear_base", BASES)],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_zones_of_a_part(zones: dict[str, MemberData], part: str, names: list[str]) -> None:
    assert [name for name, zone in zones.items() if value(zone, "part") == part] == names
    assert all(value(zones[name], "ground") == "region" for name in names if part != "main_map")


def test_there_are_41_places(zones: dict[str, MemberData]) -> None:
    assert len(zones) == 41


@pytest.mark.parametrize(("zone", "ground"), GROUND.items())
def test_terrain_of_the_rule_book(zones: dict[str, MemberData], zone: str, ground: str) -> None:
    assert value(zones[zone], "ground") == ground
    assert origin(zones[zone], "ground") == "text"


@pytest.mark.parametrize(("zone", "ground"), NOT_GROUND)
def test_terrain_that_cannot_be(zones: dict[str, MemberData], zone: str, ground: str) -> None:
    assert value(zones[zone], "ground") != ground


def test_the_bridge_leads_to_no_slope(zones: dict[str, MemberData]) -> None:
    assert (value(zones["T15"], "ground"), value(zones["T11"], "ground")) != ("clear", "elevated")


@pytest.mark.parametrize(
    ("ground", "names"), [("city", {"T5", "T12", "T22"}), ("port", {"M1"}), ("sea", {"M2", "M3"})]
)
def test_no_other_zone_is(zones: dict[str, MemberData], ground: str, names: set[str]) -> None:
    assert {name for name, zone in zones.items() if value(zone, "ground") == ground} == names


@pytest.mark.parametrize("zone", LAND)
def test_a_land_zone_has_one_of_four_terrains(zones: dict[str, MemberData], zone: str) -> None:
    assert value(zones[zone], "ground") in {"city", "clear", "humid", "elevated"}


@pytest.mark.parametrize(
    ("base", "rear", "sealed"),
    [("Thasos", "athens", True), ("Macedonia", "sparta", True), ("Thrace", None, None)],
    ids=BASES,
)
def test_whose_a_rear_base_is(
    zones: dict[str, MemberData], base: str, rear: str | None, sealed: bool | None
) -> None:
    assert (value(zones[base], "rear"), value(zones[base], "sealed")) == (rear, sealed)


def test_no_other_zone_is_a_rear_base(zones: dict[str, MemberData]) -> None:
    assert {name for name, zone in zones.items() if {"rear", "sealed"} & set(zone.values)} == {
        "Thasos",
        "Macedonia",
    }


@pytest.mark.parametrize(("zone", "name"), [("O1", "Mende"), ("O2", "Skione"), ("O4", "Torone")])
def test_names_of_the_zones_of_operations(
    zones: dict[str, MemberData], zone: str, name: str
) -> None:
    assert zones[zone].label == name and origin(zones[zone]) == "text"


def test_the_other_names_are_in_an_assumed_order(zones: dict[str, MemberData]) -> None:
    others = [zones[zone] for zone in ("O3", "O5", "O6", "O7", "O8")]
    assert {zone.label for zone in others} == {"Acanthos", "Dion", "Galepsos", "Sane", "Stagiros"}
    assert {origin(zone) for zone in others} == {"assumed"}


# --------------------------------------------------------------------------------------- neighbours
@pytest.mark.parametrize("ends", JOINED)
def test_side_by_side(borders: dict[frozenset[str], MemberData], ends: str) -> None:
    assert origin(borders[pair(ends)], "between") == JOINED[ends]


@pytest.mark.parametrize("ends", APART)
def test_not_side_by_side(borders: dict[frozenset[str], MemberData], ends: str) -> None:
    assert pair(ends) not in borders


@pytest.mark.parametrize(
    ("zone", "others"),
    [
        ("Thasos", {"M2"}),
        ("Thrace", {"T1", "T2"}),
        ("Macedonia", {"T23", "T26"}),
        *((zone, set[str]()) for zone in OPERATIONS),
    ],
    ids=["Thasos", "Thrace", "Macedonia", *OPERATIONS],
)
def test_all_neighbours(
    borders: dict[frozenset[str], MemberData], zone: str, others: set[str]
) -> None:
    assert near(borders, zone) == others


@pytest.mark.parametrize("ends", CLOSED)
def test_bans_at_the_edge_of_the_map(source: GameSource, ends: str) -> None:
    first, last = (shape_of(source, zone) for zone in ends.split("-"))
    assert first and last and shared(first, last)
    assert pair(ends) in [set(closed.ids()) for closed in source.closed]


def test_no_other_ban(source: GameSource) -> None:
    assert len(source.closed) == len(CLOSED)


@pytest.mark.parametrize("names", CORNERS)
def test_corners(source: GameSource, names: str) -> None:
    (corner,) = [corner for corner in source.corners if corner.ids() == names.split("-")]
    assert corner.at is not None
    for zone in corner.ids():
        assert tuple(corner.at.plain()) in (shape_of(source, zone) or [])


def test_no_other_corner(source: GameSource) -> None:
    """Zones that touch only in a point do so only at the marked points."""
    shapes = {zone: set(shape_of(source, zone) or []) for zone in [*LAND, *SEA]}
    known = {tuple(corner.at.plain()) for corner in source.corners if corner.at is not None}
    meeting = {
        point: [zone for zone in shapes if point in shapes[zone]]
        for shape in shapes.values()
        for point in shape
    }
    assert {point for point, zones in meeting.items() if len(zones) > 3} == known and len(
        source.corners
    ) == len(known) == 3


# ------------------------------------------------------------------------------ walls, river, coast
@pytest.mark.parametrize("ends", WALLS)
def test_walls_and_their_sides(borders: dict[frozenset[str], MemberData], ends: str) -> None:
    border = borders[pair(ends)]
    assert (value(border, "wall"), value(border, "inside")) == WALLS[ends]
    assert origin(border, "wall") == ("derived" if ends == "T11-T17" else "text")


def test_no_other_wall(borders: dict[frozenset[str], MemberData]) -> None:
    walled = {ends for ends, border in borders.items() if {"wall", "inside"} & set(border.values)}
    assert walled == set(map(pair, WALLS))


def test_the_town_is_open_to_no_zone(borders: dict[frozenset[str], MemberData]) -> None:
    """Every border of Amphipolis is a wall or the river."""
    assert near(borders, "T12") >= {"T7", "T11"}
    for other in near(borders, "T12"):
        border = borders[frozenset(("T12", other))]
        assert value(border, "inside") == "T12" or (
            value(border, "river") and not value(border, "bridge")
        )


def test_one_bridge_over_the_river(borders: dict[frozenset[str], MemberData]) -> None:
    bridges = [ends for ends, border in borders.items() if value(border, "bridge")]
    assert bridges == [pair("T11-T15")] and value(borders[bridges[0]], "river") is True


def test_a_river_border_without_bridge(borders: dict[frozenset[str], MemberData]) -> None:
    border = borders[pair("T13-T15")]
    assert value(border, "river") is True and not value(border, "bridge")
    assert origin(border, "river") == "derived"


@pytest.mark.parametrize("zone", ["T7", "T9", "T12", "T13", "T17", "T5", "T1"])
def test_on_the_bank_of_the_bridgehead(
    borders: dict[frozenset[str], MemberData], zone: str
) -> None:
    assert networkx.has_path(on_land(borders), "T11", zone)


@pytest.mark.parametrize("zone", ["T20", "T21", "T22", "T23", "T26"])
def test_on_the_west_bank(borders: dict[frozenset[str], MemberData], zone: str) -> None:
    assert networkx.has_path(on_land(borders), "T15", zone)


def test_the_river_parts_the_land_in_two(borders: dict[frozenset[str], MemberData]) -> None:
    banks = sorted(networkx.connected_components(on_land(borders)), key=lambda bank: "T15" in bank)
    assert len(banks) == 2 and "T11" in banks[0] and "T15" in banks[1]
    crossing = {ends for ends in borders if ends & banks[0] and ends & banks[1]}
    assert crossing == {ends for ends, border in borders.items() if value(border, "river")}
    assert 3 <= len(crossing) <= 7


def test_all_land_is_reached_over_the_bridge(borders: dict[frozenset[str], MemberData]) -> None:
    graph = on_land(borders)
    graph.add_edge("T11", "T15")
    assert networkx.is_connected(graph)


def test_coast_is_where_land_meets_water(borders: dict[frozenset[str], MemberData]) -> None:
    water = {*SEA, "Thasos"}
    assert {ends for ends, b in borders.items() if value(b, "coast")} == {
        ends for ends in borders if len(ends & water) == 1
    }


# ------------------------------------------------------------------------------------ the whole map
def test_the_outlines_tile_the_map(source: GameSource) -> None:
    shapes = [shape for zone in [*LAND, *SEA] if (shape := shape_of(source, zone)) is not None]
    left, right, top, low = box([point for shape in shapes for point in shape])
    area = sum(abs(sum(a[0] * z[1] - z[0] * a[1] for a, z in edges(shape))) for shape in shapes)
    assert len(shapes) == 30 and area == 2 * (right - left) * (low - top)


def test_borders_have_only_what_the_rules_know(borders: dict[frozenset[str], MemberData]) -> None:
    assert {name for border in borders.values() for name in border.values} == ATTRIBUTES
    assert 55 <= sum(ends <= set(LAND) for ends in borders) <= 70
