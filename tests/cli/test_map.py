"""The command `map`: one self-contained picture of a scenario or a save, drawn by the page's code,
without secrets."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.cli.map_picture import picture
from rulekit.presentation.seat import Seat
from tests.broken_cases import case_file, unpack

ROOT = Path(__file__).resolve().parents[2]
SECRETS = str(ROOT / "tests" / "fixtures" / "secrets")
SKIRMISH = str(ROOT / "examples" / "skirmish")
SVG = "{http://www.w3.org/2000/svg}"
MAP = """
places:
  kind: Zone
  source: {assumed: x}
  members:
    A: {ground: clear, label: "A Alpha field", at: [200, 200], \
shape: [[0, 0], [400, 0], [400, 400], [0, 400]]}
    B: {ground: rough, label: "B <Beta> & ]]> more", at: [600, 200], \
shape: [[400, 0], [800, 0], [800, 400], [400, 400]]}
    C: {ground: clear, shape: [[400, 400], [800, 400], [800, 800], [400, 800]]}
    D: {ground: clear, at: [200, 600], shape: [[0, 400], [400, 400], [400, 800], [0, 800]]}
    E: {ground: rough, at: [1200, 200]}
borders:
  kind: Border
  source: {assumed: x}
  members: [{between: [A, B], wall: B}, {between: [B, C]}, {between: [C, D]}, \
{between: [B, E], via: [[1000, 300]]}]
closed: [{between: [A, D], source: "3"}]
corners: [{between: [A, B, C, D], at: [400, 400], source: "3"}]
"""
LOOK = """
source: {assumed: x}
sides: {red: {colour: "#112233"}}
terrain_by: ground
terrain: {clear: {fill: "#abcdef", dark: "#123456"}}
borders: [{when: {wall: B}, mark: bridge}, {when: {wall: B}, style: wall, inner: wall}]
scenery: [[[0, 800], [400, 800], [400, 1200]]]
"""


def draw(*words: str) -> int:
    """Run the command with these words."""
    return main(["map", *words])


@pytest.fixture
def drawn(capsys: pytest.CaptureFixture[str]) -> Callable[..., ElementTree.Element]:
    """Returns the picture as a tree."""

    def call(*words: str) -> ElementTree.Element:
        assert draw(*words) == 0
        return ElementTree.fromstring(capsys.readouterr().out)

    return call


def words(tree: ElementTree.Element) -> list[str]:
    """Return all visible texts and all tooltips."""
    return [
        "".join(each.itertext()) for name in ("text", "title") for each in tree.iter(f"{SVG}{name}")
    ]


def classes(tree: ElementTree.Element) -> list[str]:
    return [each.get("class", "").strip() for each in tree.iter() if each.get("class")]


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with outlines, a wall, a link, a closed pair, a corner and land that is not a
    place."""
    folder = tmp_path_factory.mktemp("plan") / "game"
    unpack(case_file("shape_label"), folder)
    (folder / "map.yaml").write_text(MAP, encoding="utf-8")
    (folder / "drawing.yaml").write_text(LOOK, encoding="utf-8")
    return folder


@pytest.mark.docs("data-files#how-the-game-looks")
def test_what_the_data_say_of_the_map_is_drawn(
    plan: Path, drawn: Callable[..., ElementTree.Element]
) -> None:
    tree = drawn(str(plan))
    told, seen = words(tree), classes(tree)
    assert {
        "A Alpha field",
        "B <Beta> & ]]> more",
        "no passage",
        "not adjacent across it",
        "wall",
        "bridge",
    } <= set(told)
    for sort, number in (
        ("stripe wall", 2),
        ("sign bridge", 2),
        ("tie", 1),
        ("scenery", 1),
        ("corner", 2),
        ("closed", 2),
    ):
        assert seen.count(sort) == number, (
            sort
        )  # one of each on the map, and one in the legend if it has a text
    shares = [each for each in tree.iter(f"{SVG}path") if "f-ring" in each.get("class", "")]
    assert (
        len(shares) == 4 and [each.get("style", "") for each in shares].count("fill:#abcdef;") == 3
    )


def test_the_dark_picture_has_the_dark_colours(
    plan: Path, drawn: Callable[..., ElementTree.Element]
) -> None:
    light, dark = (
        ElementTree.tostring(drawn(str(plan), "--theme", theme), "unicode")
        for theme in ("light", "dark")
    )
    assert "#abcdef" in light and "#123456" not in light
    assert "#123456" in dark and "#abcdef" not in dark
    paper = re.compile(r"\.paper \{ fill: (#\w+)")
    assert paper.search(light)[1] != paper.search(dark)[1]  # type: ignore[index]


@pytest.mark.parametrize(
    "game", [*sorted(p.name for p in (ROOT / "examples").iterdir()), "sphacteria", "amphipolis"]
)
def test_every_game_has_a_picture_that_stands_by_itself(
    game: str, drawn: Callable[..., ElementTree.Element]
) -> None:
    """It is XML and names every place. It has no scripts, custom properties or external
    references."""
    path = ROOT / "examples" / game
    tree = drawn(str(path) if path.is_dir() else game, "--pieces", "--lang", "fr")
    text = ElementTree.tostring(tree, "unicode")
    assert not re.search(r"<script|var\(|@import|url\((?!#)|href=|undefined|NaN|Infinity", text)
    told = " | ".join(words(tree))
    loaded = rulekit.load(path if path.is_dir() else game, lang="fr")
    sheet = rulekit.sheet(loaded, None, "fr")
    labels = {
        member.id: member.label
        for kind in sheet.kinds
        if kind.sort == "place"
        for member in kind.members
    }
    assert (
        sheet.map.spots
        and [labels[spot.id] for spot in sheet.map.spots if labels[spot.id] not in told] == []
    )
    assert words(tree)[0] == sheet.title


def test_pieces_are_drawn_only_if_they_are_asked_for(
    drawn: Callable[..., ElementTree.Element],
) -> None:
    assert not any(name.startswith("c-") for name in classes(drawn(SKIRMISH)))
    tree = drawn(SKIRMISH, "--pieces")
    assert "c-letter" in classes(tree) and "2 × F (Red): the red guard, the red line" in words(tree)


def test_a_scenario_is_drawn_by_its_name(drawn: Callable[..., ElementTree.Element]) -> None:
    one, other = (
        drawn("amphipolis", "--pieces", "--scenario", name) for name in ("nicias", "cleon")
    )
    assert words(one) != words(other)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A skirmish played by random seats."""
    file = tmp_path_factory.mktemp("save") / "game.save"
    assert main(["play", SKIRMISH, "--seat", "random", "--seed", "7", "--save", str(file)]) == 0
    return str(file)


def test_a_save_is_drawn_as_it_stands(
    saved: str, drawn: Callable[..., ElementTree.Element]
) -> None:
    """The pictures of the whole save and of its first choices equal those of the same states in
    Python."""
    game = rulekit.load(SKIRMISH)
    save = rulekit.read_save(saved)
    for to in (None, 0, 9):
        seat = Seat(rulekit.replay(game, save, to=to).state)
        here = ElementTree.fromstring(picture(seat.sheet(), seat.position()))
        found = drawn(SKIRMISH, "--load", saved, *([] if to is None else ["--to", str(to)]))
        assert ElementTree.tostring(found) == ElementTree.tostring(here)
    assert words(drawn(SKIRMISH, "--load", saved, "--to", "0")) == words(
        drawn(SKIRMISH, "--pieces")
    )
    assert words(drawn(SKIRMISH, "--load", saved)) != words(drawn(SKIRMISH, "--pieces"))


def test_no_secret_is_drawn(drawn: Callable[..., ElementTree.Element]) -> None:
    """A side sees its own blocks and the number of others. A spectator sees only numbers."""

    def named(who: str) -> str:
        return "; ".join(
            each.text or "" for each in drawn(SECRETS, "--pieces", "--as", who).iter(f"{SVG}title")
        )

    assert "3 × r (red): r1, r2, r3; 3 × unknown; ford" in named("red")
    assert "3 × b (blue): b1, b2, b3; 3 × unknown; ford" in named("BLUE")
    assert named("observer") == "Secrets; camp. 6 × unknown; 6 × unknown; ford; hill"
    assert words(drawn(SECRETS, "--pieces")) == words(
        drawn(SECRETS, "--pieces", "--as", "observer")
    )


def test_the_output_is_a_file_if_one_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "map.svg"
    assert draw(SKIRMISH, "-o", str(file), "--lang", "fr") == 0
    assert capsys.readouterr().out == f"{file} écrit\n"
    assert ElementTree.parse(file).getroot().tag == f"{SVG}svg"


@pytest.mark.parametrize(
    ("line", "english", "french"),
    [
        (["-o", ""], "the name of a file is empty", "le nom d'un fichier est vide"),
        (["--load", ""], "the name of a file is empty", "le nom d'un fichier est vide"),
        (
            ["--to", "3"],
            "--to needs a saved game: --load FILE",
            "--to demande une partie enregistrée : --load FICHIER",
        ),
        (["--as", "green"], "'green'", "'green'"),
        (["--load", "SAVE", "--scenario", "morning"], "--scenario", "--scenario"),
        (
            ["--load", "SAVE", "--to", "-1"],
            "--to needs a number of at least 0",
            "--to demande un nombre à partir de 0",
        ),
        (["--theme", "blue"], "--theme", "--theme"),
    ],
)
def test_a_wrong_line_is_told_in_words(
    line: list[str], english: str, french: str, saved: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [saved if word == "SAVE" else word for word in line]
    for lang, told in (("en", english), ("fr", french)):
        assert draw(SKIRMISH, *given, "--lang", lang) == 2
        heard = capsys.readouterr()
        assert told in heard.err and heard.out == ""


def test_a_save_of_another_game_is_refused(saved: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert draw(SECRETS, "--load", saved) == 1
    assert "'skirmish'" in capsys.readouterr().err


def test_without_the_engine_it_is_told_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "quickjs", None)
    for lang in ("en", "fr"):
        assert draw(SKIRMISH, "--lang", lang) == 2
        heard = capsys.readouterr()
        assert "pip install 'rulekit[map]'" in heard.err and heard.out == ""


def test_a_game_without_places_has_no_picture(capsys: pytest.CaptureFixture[str]) -> None:
    assert draw(str(ROOT / "tests" / "fixtures" / "cards")) == 2
    assert "nothing to draw" in capsys.readouterr().err
