"""`Game.graph`: the places of a loaded game as a graph of networkx."""

from __future__ import annotations

from pathlib import Path

import networkx
import pytest

import rulekit

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.docs("python#the-map-as-a-graph")
def test_nodes_are_places_and_edges_the_ways_over_borders() -> None:
    """Each border leads both ways. Places and borders have their printed data by name."""
    graph = rulekit.load(ROOT / "examples" / "skirmish").graph()
    assert sorted(graph) == ["camp", "ford", "hill", "road", "town", "wood"]
    assert graph.nodes["wood"] == {"label": "the wood", "ground": "rough", "worth": 2, "at": (2, 0)}
    assert graph.edges["ford", "road", "ford-road"] == graph.edges["road", "ford", "ford-road"]
    assert [(a, b) for a, b, wet in graph.edges(data="river") if wet] == [
        ("ford", "road"),
        ("road", "ford"),
    ]
    assert networkx.shortest_path(graph, "camp", "town") == ["camp", "wood", "hill", "town"]


@pytest.mark.docs("python#the-map-as-a-graph")
def test_it_is_the_graph_in_which_pieces_walk() -> None:
    """The edges are exactly the steps of a compiled walk."""
    game = rulekit.load(ROOT / "games" / "amphipolis")
    program = game.program()
    zones, borders = (
        next(k.members for k in program.kinds if k.name == name) for name in ("Zone", "Border")
    )
    steps = {
        (zones[a], zones[z], borders[b])
        for family in program.families
        for b, a, z in family.arcs or ()
    }
    assert steps == set(game.graph(scenario="cleon").edges(keys=True))


@pytest.mark.docs("python#the-map-as-a-graph")
def test_what_leads_one_way_is_one_edge_and_two_borders_are_two(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        'rulekit: game\nname: ways\ntitle: Ways\nversion: "1.0"\nlanguage: 1\n'
    )
    (tmp_path / "map.yaml").write_text(
        "places: {kind: Spot, source: {assumed: x}, members: {A: {}, B: {}}}\nborders: {kind: Way,"
        " source: {assumed: x}, members: [{between: [A, B], id: ford, one_way: true}, {between: [A,"
        " B], id: bridge}]}\n"
    )
    (tmp_path / "game.rules").write_text(
        "game ways 1\n\nkind Side decides = x | o\nkind Spot\nkind Way joins Spot\n\n"
        "phase main\n  choose by x\n    option end\n      finish x, win\n"
    )
    assert sorted(rulekit.load(tmp_path).graph().edges(keys=True)) == [
        ("A", "B", "bridge"),
        ("A", "B", "ford"),
        ("B", "A", "bridge"),
    ]


@pytest.mark.docs("python#the-map-as-a-graph")
def test_a_board_is_joined_by_a_fixed_set_of_its_cells() -> None:
    graph = rulekit.load(ROOT / "examples" / "hex").graph("near")
    assert len(graph) == 121
    assert sorted(graph.successors("a1")) == ["a2", "b1"]
    assert graph.nodes["b3"]["row"] == 3
    assert networkx.diameter(graph) == 20


@pytest.mark.docs("python#the-map-as-a-graph")
@pytest.mark.parametrize(
    ("by", "lang", "told"),
    [
        (
            None,
            "en",
            (
                "say which kind of borders, or which fixed set of places, joins the places of hex:"
                " near"
            ),
        ),
        ("nere", "en", "hex has no kind of borders and no fixed set of places 'nere'; it has near"),
        (
            "nere",
            "fr",
            "hex n'a ni sorte de bordures ni ensemble fixe de lieux 'nere' ; il y a near",
        ),
    ],
)
def test_a_name_that_it_has_not_is_told_with_those_that_it_has(
    by: str | None, lang: str, told: str
) -> None:
    with pytest.raises(rulekit.RulekitError, match=f"^{told.replace('(', '.')}$"):
        rulekit.load(ROOT / "examples" / "hex", lang=lang).graph(by)


@pytest.mark.docs("python#the-map-as-a-graph")
def test_of_several_kinds_of_borders_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        'rulekit: game\nname: ways\ntitle: Ways\nversion: "1.0"\nlanguage: 1\n'
    )
    (tmp_path / "game.rules").write_text(
        "game ways 1\n\nkind Side decides = x | o\nkind Spot = a | b\nkind Way joins Spot\nkind"
        " Lane joins Spot\n\nphase main\n  choose by x\n    option end\n      finish x, win\n"
    )
    with pytest.raises(rulekit.RulekitError, match=r"say which kind of borders.*: Way, Lane$"):
        rulekit.load(tmp_path).graph()
    assert sorted(rulekit.load(tmp_path).graph("Lane")) == ["a", "b"]
