"""New games: they are clean, test themselves and play to an end, with any sides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rulekit
from rulekit.common.errors import RulekitError
from rulekit.project.new_game.for_library import new_game_for
from rulekit.project.new_game.options import NewGame, sides_of
from rulekit.project.new_game.write import MAPS, new_game
from tests.commands import ran


def clean(folder: Path, *options: str) -> None:
    code, out, errors = ran("check", "--strict", str(folder), *options)
    assert (code, out, errors) == (0, "1 game checked: nothing found\n", "")


@pytest.mark.parametrize("french", [False, True])
@pytest.mark.parametrize("map", MAPS)
def test_a_new_game_is_clean_and_its_situations_pass(
    tmp_path: Path, map: str, french: bool
) -> None:
    folder = tmp_path / "aegina"
    written = new_game(NewGame(folder, "Ægina", ("athens", "sparta"), map, french))
    assert sorted(written) == sorted(path for path in folder.rglob("*") if path.is_file())
    clean(folder)
    code, out, _ = ran("test", "--coverage", str(folder))
    assert code == 0 and "11 passed, 0 failed, 0 ids uncovered" in out
    title = ran("play", str(folder), "--seat", "random", "--lang", "fr")[1]
    assert ("Le premier jour" in title) == french


@pytest.mark.parametrize("map", MAPS)
def test_a_new_game_is_played_to_an_end_by_either_side(tmp_path: Path, map: str) -> None:
    new_game(NewGame(tmp_path / "aegina", "Aegina", map=map))
    code, out, _ = ran("simulate", str(tmp_path / "aegina"), "--games", "200", "--json")
    found = json.loads(out)
    assert code == 0 and {"red", "blue"} <= set(found["results"]["winners"])


@pytest.mark.parametrize("title", ['A "quoted" title', "{gap}", "a: b # c", "O'Higgins \\ 1817"])
def test_any_title_is_kept(tmp_path: Path, title: str) -> None:
    new_game(NewGame(tmp_path / "g", title, french=True))
    clean(tmp_path / "g")
    assert rulekit.load(tmp_path / "g").info.title == title


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.from_regex(r"[a-z][a-z0-9_]{0,7}", fullmatch=True), st.sampled_from(MAPS))
def test_any_side_that_is_accepted_makes_a_clean_game(
    tmp_path_factory: pytest.TempPathFactory, side: str, map: str
) -> None:
    try:
        sides = sides_of(f"{side},xerxes")
    except RulekitError:
        return
    folder = tmp_path_factory.mktemp("new") / "g"
    new_game(NewGame(folder, "A game", sides, map))
    clean(folder)


@pytest.mark.parametrize(
    "side", ["no", "on", "phase", "day", "when", "orders", "d6", "main", "zone"]
)
def test_words_of_the_files_are_refused_or_harmless(tmp_path: Path, side: str) -> None:
    try:
        sides = sides_of(f"{side},xerxes")
    except RulekitError:
        return
    new_game(NewGame(tmp_path / "g", "A game", sides, french=True))
    clean(tmp_path / "g")


@pytest.mark.parametrize(
    ("sides", "words"),
    [
        ("athens", "two different sides"),
        ("athens,athens", "two different sides"),
        ("athens,", "two different sides"),
        ("a,b,c", "two different sides"),
        ("Athens,sparta", "'Athens'"),
        ("athens,9th", "'9th'"),
        ("athens,sp arta", "'sp arta'"),
        ("athens,where", "'where'"),
        ("athens,yes", "'yes'"),
        ("athens,camp", "'camp'"),
    ],
)
def test_sides_that_cannot_be_are_refused(sides: str, words: str) -> None:
    with pytest.raises(RulekitError, match=words):
        sides_of(sides)


@pytest.mark.parametrize("name", ["9lives", "a b", "-x", "x" * 101, "é"])
def test_a_folder_that_cannot_be_a_game_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(RulekitError, match="cannot be called"):
        new_game(NewGame(tmp_path / name, "A game"))
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "g").mkdir()
    (tmp_path / "g" / "mine").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for name, words in (("g", "not empty"), ("file", "no folder")):
        with pytest.raises(RulekitError, match=words):
            new_game(NewGame(tmp_path / name, "A game"))
        with pytest.raises(RulekitError, match=words):
            new_game_for(NewGame(tmp_path / name, "A game"), ["peloponnesian"])
    assert [path.name for path in (tmp_path / "g").iterdir()] == ["mine"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "g").mkdir()
    new_game(NewGame(tmp_path / "g", "A game"))
    clean(tmp_path / "g")


def test_a_game_for_a_library_lacks_nothing_but_data(tmp_path: Path) -> None:
    """All needs of the library are declared, so `check` reports only missing data."""
    new_game_for(NewGame(tmp_path / "g", "A game"), ["peloponnesian"])
    rules = (tmp_path / "g" / "rules" / "1_needed.rules").read_text()
    assert "members Type = H(none, none) | A(none, none) | leader(none, none)  # TODO" in rules
    assert "define tie_rank(s: Side): int = 0  # TODO" in rules and "Result" not in rules
    code, out, errors = ran("check", "--json", str(tmp_path / "g"))
    codes = {line for line in (out + errors).split('"') if line.startswith("RK")}
    assert code == 1 and codes == {"RK662"}


LIBRARY = """\
library series 1

unit PF
kind Side decides needs red, blue
  fixed enemy: Side
kind Zone
  state holder: Side?
kind Rank ordered needs low, high
  fixed worth: 0..3 PF
needs define best(s: Side, z: Zone?): Rank
needs define heirs(s: Side): set Side
needs define limit(n: 0..3 clamp): int
needs define bold: bool
needs total strength(s: Side): PF
needs permit may_go(s: Side, z: Zone)
needs procedure rest_of(s: Side)
needs phase dawn(s: Side)
"""


def test_every_kind_of_need_is_declared(tmp_path: Path) -> None:
    """A stub of each form is accepted: the game checks without an error about it."""
    library = tmp_path / "games" / "series"
    library.mkdir(parents=True)
    (library / "game.rules").write_text(LIBRARY)
    (library / "game.yaml").write_text(
        'rulekit: library\nname: series\ntitle: Series\nversion: "1"\nlanguage: 1\n'
    )
    folder = tmp_path / "games" / "g"
    new_game_for(NewGame(folder, "A game"), ["series"])
    code, out, errors = ran("check", str(folder))
    assert code == 0, out + errors


def test_an_unknown_library_is_refused_with_a_guess(tmp_path: Path) -> None:
    with pytest.raises(RulekitError, match="did you mean 'peloponnesian'"):
        new_game_for(NewGame(tmp_path / "g", "A game"), ["peloponesian"])
    with pytest.raises(RulekitError, match="rulekit where"):
        new_game_for(NewGame(tmp_path / "g", "A game"), ["xyzzy"])
    assert not (tmp_path / "g").exists()
