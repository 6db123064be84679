"""The sheet of a game: all constant data, in each of its languages."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import rulekit
from rulekit.presentation.sheet import sheet

FIXTURES = sorted((Path(__file__).resolve().parents[1] / "fixtures").glob("*/game.yaml"))
GAMES = [
    "games/sphacteria",
    "games/amphipolis",
    "examples/skirmish",
    "examples/tic_tac_toe",
    *[str(path.parent) for path in FIXTURES],
]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("path", GAMES)
def test_every_game_has_a_sheet(path: str, lang: str) -> None:
    """This includes a game without a drawing, which has defaults. All named things exist."""
    game = rulekit.load(path)
    for scenario in game.scenarios or [None]:
        found = sheet(game, scenario, lang)
        assert json.loads(json.dumps(found.to_json()))["lang"] == lang
        kinds = {kind.name: {member.id for member in kind.members} for kind in found.kinds}
        assert not kinds.keys() & {kind.name for kind in game.program(scenario).kinds if kind.own}
        assert [side.id for side in found.sides] == game.sides and set(found.look["sides"]) == set(
            game.sides
        )
        assert all(style["colour"].startswith("#") for style in found.look["sides"].values())
        assert all(member.label for kind in found.kinds for member in kind.members)
        assert {kind.name for kind in found.kinds if kind.sort == "piece"} == {
            each.kind for each in found.pieces
        }
        spots = {spot.id for spot in found.map.spots}
        assert all(
            set(edge.between) <= spots and edge.inner in (None, *edge.between)
            for edge in found.map.edges
        )
        for kind in found.kinds:
            for attribute in kind.attributes:
                values = [member.printed[attribute.name] for member in kind.members]
                if attribute.form == "member" and attribute.kind in kinds:
                    assert set(values) <= {None, *kinds[attribute.kind]}


@pytest.mark.docs("python#what-a-seat-shows-sheet-log-position", "data-files#how-the-game-looks")
def test_roles_bounds_faces_and_styles() -> None:
    found = sheet(rulekit.load("games/amphipolis"), "cleon", "en")
    (pieces,) = found.pieces
    assert (pieces.kind, pieces.place, pieces.owner, pieces.glyph, pieces.reduced) == (
        "Piece",
        "zone",
        "owner",
        "printed",
        "reduced",
    )
    turn, advantage, works = found.tracks
    assert (turn.low, turn.high, turn.note, turn.label) == (7, 9, "season", "Turn")
    assert (advantage.form, advantage.each, works.steps["destroyed"]) == (
        "member",
        False,
        "destroyed",
    )
    edges = {frozenset(edge.between): edge for edge in found.map.edges}
    wall, bridge = edges[frozenset(("T7", "T12"))], edges[frozenset(("T11", "T15"))]
    assert (wall.style, wall.inner, wall.marks) == ("wall", "T12", ())
    assert (bridge.style, bridge.marks) == ("river", ("bridge",))
    spots = {spot.id: spot for spot in found.map.spots}
    assert (
        spots["O1"].box == (2, 922, 162, 1038)
        and spots["T12"].outline
        and spots["T12"].terrain == "city"
    )
    assert ("T18", "T26") in found.map.closed and {"T5", "T6"} in [
        set(corner["between"]) for corner in found.map.corners
    ]
    face = next(face for face in found.faces if face.id == "S8")
    assert face.text and face.moment == "odds_known" and face.moment_label and face.number == 8
    assert (
        found.units["PA"] == {"label": "action points", "short": "AP"}
        and found.look["terrain"]["humid"]["label"] == "wet"
    )
    assert found.look["boxes"]["operations"]["title"] == "Operations in Chalcidice"
    assert sheet(rulekit.load("games/sphacteria")).tracks[0].high == 7


def test_the_steps_of_a_track_are_those_that_have_a_text(tmp_path: Path) -> None:
    """This works for any length without counting. A step beyond its ends is left out."""
    folder = tmp_path / "skirmish"
    shutil.copytree("examples/skirmish", folder)
    rules = folder / "game.rules"
    rules.write_text(
        rules.read_text().replace(
            "state points(s: Side): 0..40 VP", "state points(s: Side): -999999999..999999999 VP = 0"
        )
    )
    (folder / "drawing.yaml").write_text(
        "source: {assumed: a test}\ntracks: [{cell: points, from: -999999999, to: 999999999},"
        " {cell: points, to: 3}]\n"
    )
    with (folder / "texts/en.yaml").open("a") as texts:
        texts.write("track.points.3: three\ntrack.points.20: twenty\ntrack.points.0: none\n")
    long, short = sheet(rulekit.load(folder)).tracks
    assert list(long.steps.items()) == [("0", "none"), ("3", "three"), ("20", "twenty")] and (
        long.low,
        long.high,
    ) == (-999999999, 999999999)
    assert list(short.steps.items()) == [("0", "none"), ("3", "three")]


def test_a_language_that_the_game_has_not_is_refused() -> None:
    with pytest.raises(rulekit.RulekitError, match="has no texts in 'xx'"):
        sheet(rulekit.load("examples/skirmish"), lang="xx")
