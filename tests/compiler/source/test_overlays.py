"""`check` reads overlays in a game's folder without a second compilation, and reports them like
overlays on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.compiler.compiler import Compilation
from rulekit.project.loader import Loader
from tests.compiler.source.test_data_files_page import write

HEAD = "source: {text: x}\n"
WRONG = {  # an overlay: the codes and words of its findings
    "": [("RK125", "the file is empty")],
    HEAD: [("RK673", "the overlay corrects nothing")],
    HEAD + "members: {}\nfixed: {}\n": [("RK673", "the overlay corrects nothing")],
    HEAD + "members: {red.H1: {source: {text: y}}}\n": [
        ("RK673", "nothing of 'red.H1' is corrected")
    ],
    HEAD + "members: {red.H1: {front: 4}}\n": [
        ("RK673", "'front' of Piece 'red.H1' already has this value")
    ],
    HEAD + "members: {A: {label: The bay, at: [0, 0]}}\n": [
        ("RK673", "the label of 'A'"),
        ("RK673", "'at' of 'A'"),
    ],
    HEAD + "members: {blue.C1: {front: 0}}\n": [
        ("RK673", "'front' of Piece 'blue.C1' already has this value")
    ],
    HEAD + "members: {A-B: {wall: false}}\n": [("RK622", "no attribute 'wall'")],
    HEAD + "members: {red.H1: {frnt: 5}}\n": [("RK622", "no attribute 'frnt'")],
    HEAD + "members: {red.H9: {front: 5}}\n": [("RK621", "no member 'red.H9'")],
    HEAD + "members: {red.H1: {front: 50}}\n": [("RK636", "50 is outside of 0 .. 9")],
    HEAD + "members: {red.H1: {owner: green}}\n": [("RK633", "no Side 'green'")],
    HEAD + "fixed: {last: 5}\n": [("RK622", "no value 'last'")],
    HEAD + "member: {}\n": [("RK673", "corrects nothing"), ("RK120", "'member' is not a key")],
    HEAD + "members: {red.H1: {front: x: y}}\n": [("RK110", "a text with ':' needs quotes")],
    "members: {blue.H1: {front: 5}}\n": [("RK601", "has no source")],
    HEAD + "members: {A: {at: [4, 0]}}\n": [("RK681", "drawn at [4, 0]")],
    HEAD + "members: {red.H1: {front: 4}}  # allow RK673: a test\n": [],
    HEAD + "members: {blue.C1: {front: 5, label: New}, B: {at: [4, 1]}}\n": [],
}
TWICE = {  # corrections of an id that belongs to a place and to a piece
    "members: {A: {front: 5}}\n": [],
    "members: {A: {label: New}}\n": ["RK621"],
    "members: {A: {front: 5, owner: blue}}\n": [],
    "members: {A: {frnt: 5}}\n": ["RK621"],
}
PIECES = (
    'kind: Piece\nplace: zone\nsource: {assumed: "x"}\nmembers: {red.H1: {owner: red, front: 4},'
    " blue.H1: {owner: blue, front: 4}, blue.C1: {owner: blue}}\n"
)


def game(folder: Path, overlay: str) -> Path:
    write(folder, pieces=PIECES)
    (folder / "overlays").mkdir()
    (folder / "overlays" / "mine.yaml").write_text(overlay, encoding="utf-8")
    return folder


@pytest.mark.parametrize("overlay", WRONG)
def test_what_is_wrong_with_an_overlay_of_the_folder_is_told(tmp_path: Path, overlay: str) -> None:
    found = Loader(game(tmp_path, overlay)).findings()
    assert [d.code for d in found] == [code for code, _ in WRONG[overlay]], found
    assert all(words in d.message for d, (_, words) in zip(found, WRONG[overlay], strict=True)), (
        found
    )


def test_one_that_is_put_over_the_game_is_told_of_as_well(tmp_path: Path) -> None:
    folder = game(tmp_path, HEAD + "members: {red.H1: {front: 4}}\n")
    found = Loader(folder, [folder / "overlays" / "mine.yaml"]).findings()
    assert [d.code for d in found] == ["RK673"]


def test_the_game_is_compiled_once_and_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))  # an earlier run has filled ours
    folder = game(tmp_path, HEAD + "members: {red.H1: {front: 7}}\n")
    made: list[object] = []
    compiled = Compilation.compiled
    monkeypatch.setattr(Compilation, "compiled", lambda self: made.append(self) or compiled(self))
    loader = Loader(folder)
    assert loader.findings() == []
    assert len({id(each) for each in made}) == 1
    assert {
        str(m.values["front"].value)
        for k in loader.source().kinds
        if k.kind == "Piece"
        for m in k.members
        if "front" in m.values
    } == {"4"}


def test_a_changed_overlay_is_looked_at_again(tmp_path: Path) -> None:
    folder = game(tmp_path, HEAD + "members: {red.H1: {front: 7}}\n")
    assert Loader(folder).findings() == []
    (folder / "overlays" / "mine.yaml").write_text(
        HEAD + "members: {red.H1: {front: 4}}\n", encoding="utf-8"
    )
    assert [d.code for d in Loader(folder).findings()] == ["RK673"]


@pytest.mark.parametrize("overlay", TWICE)
def test_an_id_of_two_kinds_means_the_one_that_has_the_attributes(
    tmp_path: Path, overlay: str
) -> None:
    folder = game(tmp_path, HEAD + overlay)
    (folder / "pieces.yaml").write_text(PIECES.replace("red.H1", "A"), encoding="utf-8")
    assert [d.code for d in Loader(folder).findings()] == TWICE[overlay]
