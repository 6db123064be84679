"""The Python page on the sheet of a game, in a short game: each of its entries, and no others."""

from __future__ import annotations

import pytest

import rulekit
from rulekit.presentation.sheet import Edge, Face, Pieces, Sheet, sheet
from tests.presentation.priced_games import new_game

RULES = """
kind Rank ordered = low | high
kind Ground = clear | rough
kind Zone
  fixed ground: Ground
kind Path joins Zone
  fixed wall: bool
  fixed bridge: bool
  fixed inside: Zone?
kind Man
  fixed owner: Side
  fixed front: 0..9 PA
  fixed back: 0..9 PA
  fixed star: 0..3 = 0
  fixed rank: Rank
  fixed elite: bool
  identity seen by owner
  state zone: Zone?
  state weak: bool
kind Spot = grid 2 by 2
kind Card = k1 | k2
pool deck of Card
kind Face = f1(k1, 3, none, true, none) | f2(k1, 4, red, false, bell)
  fixed chit: Card
  fixed number: 0..9
  fixed colour: Side?
  fixed gone: bool
  fixed window: Moment?
state n: 0..9
moment bell asks red
phase main
  open bell
  choose by red "what"
    option end(z: Zone)
      finish red, win when who_wins is early
      finish blue, win
reaction ring at bell
  when n = 0
  limit 1 per game
  answered
event answered ref "4.2 die"
  n += 1
"""
FILES = {
    "map.yaml": (
        """places:
  kind: Zone
  source: {assumed: a test}
  members:
    a: {ground: clear, at: [2, 2], shape: [[0, 0], [4, 0], [4, 4], [0, 4]], label: the camp}
    b: {ground: rough, at: [6, 2], shape: [[4, 0], [8, 0], [8, 4], [4, 4]]}
    c: {ground: clear, at: [6, 6], shape: [[4, 4], [8, 4], [8, 8], [4, 8]]}
    box: {ground: clear}
borders:
  kind: Path
  source: {assumed: a test}
  members:
    - {between: [a, b], wall: true, bridge: true, inside: b, one_way: true}
    - {between: [c, box], via: [[9, 9], [10, 11]]}
    - {between: [box, a], wall: true, inside: a}
closed: [{between: [b, c], source: {assumed: a test}}]
"""
    ),
    "pieces.yaml": (
        """- kind: Man
  place: zone
  source: {assumed: a test}
  members:
    r.A: {owner: red, front: 4, back: 2, star: 1, rank: high, label: the old guard}
    b.A: {owner: blue, front: 3, back: 1, rank: low}
    b.H: {owner: blue, front: 1, back: 0, rank: low}
"""
    ),
    "drawing.yaml": (
        """source: {assumed: a test}
terrain_by: ground
terrain: {clear: {fill: "#eee3c6", dark: "#4d4838"}}
borders: [{when: {wall: true}, style: wall, inner: inside}, {when: {bridge: true}, mark: bridge}, \
{when: {wall: false}, style: none}]
counter: {owner: owner, front: front, back: back, reduced: weak, band: elite, glyph_by: rank, \
glyphs: {high: horse}, bonus: {attr: star, mark: star}}
boxes: {rear: {size: [4, 2], at: {box: [20, 30]}}}
cards: {faces: Face, of: chit, moment: window, side: colour, gone: gone, number: number}
"""
    ),
    "rulings.yaml": (
        "- {id: who_wins, question: Who?, ref: ['1'], alternatives: {early: one, late: two},"
        " default: late, reason: a test}\n"
    ),
    "texts/en.yaml": (
        """effect.f1: "does it"
effect.f2: "does that"
member.Face.f1: "The first"
moment.bell: "the bell"
paragraph.4.2: "what it says"
kind.Man: "soldier"
fixed.front: "strength"
drawing.rear: "The rear"
unit.PA.short: "P"
member.Ground.clear: "open"
"""
    ),
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Sheet:
    folder = tmp_path_factory.mktemp("small")
    (folder / "texts").mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    new_game(folder, RULES)
    return sheet(rulekit.load(folder), rulings={"who_wins": "early"})


@pytest.mark.docs("python#what-a-seat-shows-sheet-log-position")
def test_kinds_have_members_with_labels_short_names_and_what_is_printed(small: Sheet) -> None:
    """An ambiguous short name is left out. Kinds have their order and hidden identity. Borders are
    not things."""
    assert [(k.name, k.label, k.sort, k.ordered, k.secret) for k in small.kinds] == [
        ("Side", "Side", "side", False, False),
        ("Rank", "Rank", "thing", True, False),
        ("Ground", "Ground", "thing", False, False),
        ("Zone", "Zone", "place", False, False),
        ("Path", "Path", "border", False, False),
        ("Man", "soldier", "piece", False, True),
        ("Spot", "Spot", "place", False, False),
        ("Card", "Card", "thing", False, False),
        ("Face", "Face", "thing", False, False),
    ]
    man, path = small.kind("Man"), small.kind("Path")
    assert [(m.id, m.label, m.short) for m in man.members] == [
        ("r.A", "the old guard", "r.A"),
        ("b.A", "b.A", "b.A"),
        ("b.H", "H", "H"),
    ]
    assert man.members[0].printed == {
        "owner": "red",
        "front": 4,
        "back": 2,
        "star": 1,
        "rank": "high",
        "elite": False,
    }
    assert path.members[1].printed == {"wall": False, "bridge": False, "inside": None}
    assert [(a.name, a.label, a.form, a.kind, a.unit, a.low, a.high) for a in man.attributes] == [
        ("owner", "owner", "member", "Side", None, None, None),
        ("front", "strength", "int", None, "PA", 0, 9),
        ("back", "back", "int", None, "PA", 0, 9),
        ("star", "star", "int", None, None, 0, 3),
        ("rank", "rank", "member", "Rank", None, None, None),
        ("elite", "elite", "bool", None, None, None, None),
    ]
    assert small.pieces == (
        Pieces("Man", "zone", "owner", "rank", "front", "back", "weak", "star", "elite"),
    )


def test_the_map_has_points_outlines_boxes_and_borders(small: Sheet) -> None:
    """Borders have style, marks, the inner place, the drawn line and the direction. Closed pairs
    are included."""
    assert small.map.edges == (
        Edge("a-b", ("a", "b"), "wall", ("bridge",), "b", (), True),
        Edge("c-box", ("c", "box"), None, (), None, ((9, 9), (10, 11)), False),
        Edge("box-a", ("box", "a"), "wall", (), "a", (), False),
    )
    spots = {s.id: s for s in small.map.spots}
    assert (spots["b"].at, spots["b"].outline, spots["b"].box, spots["b"].terrain) == (
        (6, 2),
        ((4, 0), (8, 0), (8, 4), (4, 4)),
        None,
        "rough",
    )
    assert (spots["box"].at, spots["box"].outline, spots["box"].box) == (None, (), (18, 29, 22, 31))
    assert [spots[id].at for id in ("a1", "b1", "a2")] == [(1, -1), (2, -1), (1, -2)]
    assert small.map.closed == (("b", "c"),)


def test_faces_of_cards_units_rulings_and_the_look(small: Sheet) -> None:
    """A face has its effect, moment and side, and whether its use removes the card, with the texts
    for people."""
    assert small.faces == (
        Face("f1", "The first", "does it", "k1", 3, None, None, None, True),
        Face("f2", "f2", "does that", "k1", 4, "bell", "the bell", "red", False),
    )
    assert (small.units, small.rulings, small.paragraphs, small.version) == (
        {"PA": {"label": "PA", "short": "P"}},
        {"who_wins": "early"},
        {"4.2": "what it says"},
        "1.0",
    )
    assert (
        small.look["boxes"]["rear"]["title"] == "The rear"
        and small.look["terrain"]["clear"]["label"] == "open"
    )
    assert [small.look["counter"][role] for role in ("glyphs", "band")] == [
        {"high": "horse"},
        "elite",
    ]
