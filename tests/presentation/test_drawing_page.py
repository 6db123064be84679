"""The page on data files about `drawing.yaml`: a small game with all its features, its library,
sheet, position and picture."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

import rulekit
from rulekit.cli.map_picture import picture
from rulekit.presentation.seat import Seat
from rulekit.project.loader import Loader

MANIFEST = 'rulekit: game\nname: plan\ntitle: Plan\nversion: "1"\nlanguage: 1\n'
RULES = """unit AP
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Soil = field | lake
kind Arm = foot | boat
kind Zone
  fixed soil: Soil
kind Way joins Zone
kind Man
  fixed owner: Side
  fixed arm: Arm
  fixed printed: 0..9
  fixed behind: 0..9
  state zone: Zone?
  state weak: bool
kind Chit = storm | calm
kind Face = f1(storm, alarm, red, true, 7) | f2(calm, alarm, blue, false, 2)
  fixed chit: Chit
  fixed at: Moment
  fixed colour: Side
  fixed used: bool
  fixed nr: 0..9
pool hand(s: Side) of Chit seen by s
fixed last: 0..9
state turn: 2..9 = 3
state mood: 0..9 = 4
state lead: Side = blue
state gain(s: Side): 0..9 AP
state rolled(s: Side): 0..9
total score(s: Side): AP
  base gain(s)
define news: bool = mood > 2
moment alarm asks red
phase main
  gain(red) := 6
  rolled(blue) := 5
  put storm in hand(red)
  duel(B, blue, red)
  finish none, drawn
procedure duel(spot: Zone, one: Side, other: Side)
  pick n from 1 .. 2 by red "go on"
  pick k from 1 .. n by blue "and on"
  gain(blue) := k
"""
MAP = """places:
  kind: Zone
  source: {assumed: x}
  members:
    A: {soil: field, at: [200, 200], shape: [[0, 0], [400, 0], [400, 400], [0, 400]]}
    B: {soil: lake, at: [600, 200], shape: [[400, 0], [800, 0], [800, 400], [400, 400]]}
    C: {soil: field, neighbours: []}
borders: {kind: Way, source: {assumed: x}, members: [{between: [A, B]}]}
"""
PIECES = """kind: Man
place: zone
source: {assumed: x}
members:
  red.a: {owner: red, arm: foot, printed: 4, behind: 2}
  red.b: {owner: red, arm: boat, printed: 3, behind: 1}
"""
DRAWING = """source: {assumed: x}
frame: [0, 0, 800, 600]
sides: {blue: {colour: "#123456", deep: "#010203", soft: "#fefefe", emblem: owl}, \
red: {emblem: sun}}
terrain_by: soil
terrain: {field: {fill: "#abcdef", texture: sand}, \
lake: {fill: "#88aacc", dark: "#223344", water: true}}
counter: {owner: owner, glyph_by: arm, glyphs: {foot: sun, boat: ship}, front: printed, \
back: behind, reduced: weak}
boxes: {aside: {size: [100, 60], at: {C: [300, 500]}, frame: [200, 450, 400, 550]}}
scenery: [[[0, 600], [10, 600], [10, 650]]]
art: {sun: [{d: "M1 1L31 31"}]}
tracks:
- {cell: turn, to: last, note: news}
- {cell: mood, from: mood}
- {cell: gain, from: 1}
- {total: score, seat: true}
seat: {score: score, points: gain, hand: hand, roll: rolled, initiative: lead, \
phase_points: {in: duel, left: n}}
cards: {faces: Face, of: chit, moment: at, side: colour, number: nr, gone: used}
combat: {while: duel, at: spot, attacker: one, defender: other}
"""
TEXTS = """cell.turn: Round
total.score: Worth
drawing.aside: Beside the map
effect.f1: It storms.
said.f1: Otherwise.
unit.AP: points
unit.AP.short: pts
define.news: News
"""


def written(
    folder: Path, drawing: str | None = DRAWING, texts: str = TEXTS, manifest: str = MANIFEST
) -> Path:
    folder.mkdir(parents=True)
    parts = {
        "game.yaml": manifest,
        "game.rules": RULES,
        "map.yaml": MAP,
        "pieces.yaml": PIECES,
        "drawing.yaml": drawing,
        "texts/en.yaml": texts,
        "data.yaml": "source: {assumed: x}\nfixed: {last: 7}\n",
        "scenarios/dawn.yaml": (
            'name: dawn\ntitle: Dawn\nref: "1"\ndeploy: {A: [red.a, {red.b: {weak: true}}]}\n'
        ),
    }
    (folder / "texts").mkdir()
    (folder / "scenarios").mkdir()
    for name, text in parts.items():
        if text is not None:
            (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> rulekit.Game:
    return rulekit.load(written(tmp_path_factory.mktemp("plan") / "game"))


@pytest.mark.docs("data-files#how-the-game-looks")
def test_what_it_says_of_sides_terrain_boxes_and_art_is_on_the_sheet(game: rulekit.Game) -> None:
    """A side without a colour has the colour that its name implies, and its other entries. The
    title of a group is its text."""
    found = rulekit.sheet(game)
    assert found.look["sides"] == {
        "red": {"colour": "#a52f27", "emblem": "sun"},
        "blue": {"colour": "#123456", "deep": "#010203", "soft": "#fefefe", "emblem": "owl"},
    }
    assert found.look["terrain"] == {
        "field": {"fill": "#abcdef", "texture": "sand", "label": "field"},
        "lake": {"fill": "#88aacc", "dark": "#223344", "water": True, "label": "lake"},
    }
    assert {spot.id: (spot.terrain, spot.box) for spot in found.map.spots} == {
        "A": ("field", None),
        "B": ("lake", None),
        "C": ("field", (250, 470, 350, 530)),
    }
    assert found.look["boxes"]["aside"] == {
        "size": [100, 60],
        "at": {"C": [300, 500]},
        "frame": [200, 450, 400, 550],
        "title": "Beside the map",
    }
    assert (
        found.look["art"] == {"sun": [{"d": "M1 1L31 31"}]}
        and len(found.look["scenery"]) == 1
        and found.look["frame"] == [0, 0, 800, 600]
    )


def test_which_attribute_of_a_piece_is_what(game: rulekit.Game) -> None:
    (men,) = rulekit.sheet(game).pieces
    assert (
        men.kind,
        men.place,
        men.owner,
        men.glyph,
        men.front,
        men.back,
        men.reduced,
        men.bonus,
        men.band,
    ) == ("Man", "zone", "owner", "arm", "printed", "behind", "weak", None, None)


def test_a_track_ends_where_it_says_or_where_the_range_of_its_type_does(game: rulekit.Game) -> None:
    """The end is a fixed value, the initial state, or a number. Its name and unit are texts."""
    turn, mood, gain, score = rulekit.sheet(game).tracks
    assert [(t.name, t.what, t.low, t.high, t.each) for t in (turn, mood, gain)] == [
        ("turn", "cell", 2, 7, False),
        ("mood", "cell", 4, 9, False),
        ("gain", "cell", 1, 9, True),
    ]
    assert (score.what, score.each, score.unit, turn.unit) == ("total", True, "AP", None) and [
        t.seat for t in (gain, score)
    ] == [False, True]
    assert [t.label for t in (turn, mood, gain, score)] == ["Round", "mood", "gain", "Worth"] and (
        turn.note,
        mood.note,
    ) == ("news", None)
    assert rulekit.sheet(game).units == {"AP": {"label": "points", "short": "pts"}}


def test_the_seat_of_each_side_has_what_the_drawing_names(game: rulekit.Game) -> None:
    state = game.new(seed=1)
    found = Seat(state, None).position()
    assert found.seats == {
        "red": {"score": 6, "points": 6, "roll": 0, "hand": 1},
        "blue": {"score": 0, "points": 0, "roll": 5, "hand": 0},
    }
    assert found.initiative == "blue" and found.tracks == {
        "turn": 3,
        "mood": 4,
        "gain": {"red": 6, "blue": 0},
        "score": {"red": 6, "blue": 0},
    }
    assert found.notes == {"turn": "yes"}
    for told in ({}, {"n": 2}):
        duel = next(each for each in Seat(state, None).position().running if each.name == "duel")
        assert {each.name: each.value for each in duel.fields} == {
            "spot": "B",
            "one": "blue",
            "other": "red",
            **told,
        }
        state.apply_action(state.legal_actions()[1])


@pytest.mark.parametrize(
    ("more", "texts"), [("", ["It storms.", ""]), (", text: said", ["Otherwise.", ""])]
)
def test_the_text_of_a_face_is_its_effect_or_begins_with_another_word(
    tmp_path: Path, more: str, texts: list[str]
) -> None:
    faces = rulekit.sheet(
        rulekit.load(written(tmp_path / "game", DRAWING.replace("gone: used", "gone: used" + more)))
    ).faces
    assert [face.text for face in faces] == texts
    assert [(f.id, f.card, f.moment, f.side, f.gone, f.number) for f in faces] == [
        ("f1", "storm", "alarm", "red", True, 7),
        ("f2", "calm", "alarm", "blue", False, 2),
    ]


def drawn(game: rulekit.Game) -> ElementTree.Element:
    seat = Seat(game.new(seed=1))
    return ElementTree.fromstring(picture(seat.sheet(), seat.position()))


def classes(tree: ElementTree.Element) -> list[str]:
    return [each.get("class", "").strip() for each in tree.iter() if each.get("class")]


def test_a_coast_is_drawn_where_water_meets_other_ground_and_art_where_it_is_named(
    game: rulekit.Game, tmp_path: Path
) -> None:
    dry = drawn(
        rulekit.load(
            written(
                tmp_path / "dry",
                DRAWING.replace(", water: true", "").replace("foot: sun", "foot: shield"),
            )
        )
    )
    wet = drawn(game)
    paths = [[each.get("d") for each in tree.iter() if each.get("d")] for tree in (wet, dry)]
    assert "coast" in classes(wet) and "coast" not in classes(dry)
    assert paths[0].count("M1 1L31 31") > paths[1].count("M1 1L31 31")
    assert "Beside the map" in [
        "".join(each.itertext()) for each in wet.iter() if each.tag.endswith("text")
    ]


BELOW = """source: {assumed: x}
rough: 3
sides: {red: {colour: "#111111", deep: "#222222"}, blue: {colour: "#444444"}}
tracks: [{cell: mood}]
"""


def test_the_drawing_of_a_library_is_put_under_that_of_a_game_key_by_key(tmp_path: Path) -> None:
    """A list of the game replaces that of the library. Other entries of the library stay."""
    library = tmp_path / "common"
    library.mkdir()
    (library / "game.yaml").write_text(
        MANIFEST.replace("rulekit: game", "rulekit: library").replace("name: plan", "name: common")
    )
    (library / "game.rules").write_text("define nothing = 1\n")
    (library / "drawing.yaml").write_text(BELOW)
    over = 'source: {assumed: x}\nrough: 5\nsides: {red: {colour: "#333333", soft: "#eeeeee"}}\n'
    manifest = MANIFEST + "uses: [common]\n"
    looks: list[dict[str, Any]] = []
    for name, drawing in (
        ("one", over),
        ("two", over + "tracks: [{cell: turn}]\n"),
        ("three", None),
    ):
        sheet = rulekit.sheet(
            rulekit.load(written(tmp_path / name, drawing, "title: Plan\n", manifest))
        )
        looks.append(
            {
                "sides": sheet.look["sides"],
                "rough": sheet.look["rough"],
                "tracks": [track.name for track in sheet.tracks],
            }
        )
    mixed = {
        "red": {"colour": "#333333", "deep": "#222222", "soft": "#eeeeee"},
        "blue": {"colour": "#444444"},
    }
    assert looks == [
        {"sides": mixed, "rough": 5, "tracks": ["mood"]},
        {"sides": mixed, "rough": 5, "tracks": ["turn"]},
        {
            "sides": {
                "red": {"colour": "#111111", "deep": "#222222"},
                "blue": {"colour": "#444444"},
            },
            "rough": 3,
            "tracks": ["mood"],
        },
    ]


def test_it_changes_no_rule(game: rulekit.Game, tmp_path: Path) -> None:
    """A game has the same decisions and course with and without it."""
    bare = rulekit.load(written(tmp_path / "game", None))
    logs = []
    for one in (game, bare):
        state = one.new(seed=3)
        seen: list[object] = []
        while not state.is_terminal():
            seen.append(
                (
                    state.view(None),
                    [option.key for option in state.decision.options] if state.decision else None,
                )
            )
            state.apply_action(state.legal_actions()[-1])
        logs.append([*seen, state.view("red"), [event.to_json() for event in state.events]])
    assert logs[0] == logs[1] and len(logs[0]) == 4


@pytest.mark.parametrize(
    ("old", "names"),
    [
        ("emblem: owl", ("owl", "lambda", "star", "cross", "ring", "sun")),
        ("boat: ship", ("ship", "shield", "javelins", "bow", "horse", "leader", "unknown", "sun")),
    ],
)
def test_each_picture_of_its_own_and_each_built_in_one_has_a_name(
    tmp_path: Path, old: str, names: tuple[str, ...]
) -> None:
    for name in names:
        found = Loader(
            written(tmp_path / name, DRAWING.replace(old, f"{old.split(':')[0]}: {name}"))
        ).findings()
        assert not [d for d in found if d.level == "error"]
    wrong = Loader(
        written(tmp_path / "wrong", DRAWING.replace(old, f"{old.split(':')[0]}: moon"))
    ).findings()
    assert [d.code for d in wrong if d.level == "error"] == ["RK695"]


def test_counters_are_of_the_kind_that_it_names(tmp_path: Path) -> None:
    """The named attributes are those of that kind. Another kind in places has none of them."""
    folder = written(tmp_path / "game", DRAWING.replace("counter: {", "counter: {kind: Man, "))
    (folder / "game.rules").write_text(
        RULES.replace(
            "kind Man\n", "kind Cart\n  fixed printed: 0..9\n  state zone: Zone?\nkind Man\n"
        )
    )
    (folder / "pieces.yaml").write_text(
        "- kind: Cart\n  place: zone\n  source: {assumed: x}\n  members: {w1: {printed: 5}}\n- "
        + PIECES.replace("\n", "\n  ").rstrip()
        + "\n"
    )
    assert [
        (each.kind, each.front, each.glyph) for each in rulekit.sheet(rulekit.load(folder)).pieces
    ] == [("Cart", None, None), ("Man", "printed", "arm")]


def test_the_name_of_the_game_and_of_a_scenario_are_texts(tmp_path: Path) -> None:
    """In English, they default to the manifest and the scenario's file."""
    folder = written(tmp_path / "game")
    (folder / "texts" / "fr.yaml").write_text("title: Le plan\nscenario.dawn: L'aube\n")
    game = rulekit.load(folder)
    assert [
        (found.title, found.scenario_title)
        for found in (rulekit.sheet(game, lang=lang) for lang in ("en", "fr"))
    ] == [("Plan", "Dawn"), ("Le plan", "L'aube")]
