"""`rulekit where`: the folders of rulekit, and unknown commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import COMMANDS
from rulekit.compiler.source import locate
from rulekit.compiler.source.locate import is_library, known_games, shipped
from tests.commands import ran

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("part", ["games", "examples", "schema", "docs"])
def test_each_part_is_where_it_says(part: str) -> None:
    code, told, _ = ran("where", part)
    assert code == 0 and Path(told.strip()) == ROOT / part and Path(told.strip()).is_dir()


@pytest.mark.docs("python#python")
@pytest.mark.parametrize("name", known_games())
def test_every_game_is_found_by_its_name(name: str) -> None:
    code, told, _ = ran("where", name)
    folder = Path(told.strip())
    assert code == 0 and (folder / "game.yaml").is_file() and rulekit.find(name).resolve() == folder
    assert is_library(folder) == (name == "peloponnesian")


def test_all_are_listed_by_their_sort() -> None:
    code, told, _ = ran("where")
    assert code == 0 and all(name in told for name in known_games())
    found = json.loads(ran("where", "--json")[1])
    assert set(found["folders"]) == {"games", "examples", "schema", "docs"}
    sorts = {each["name"]: each["sort"] for each in found["games"]}
    assert (
        sorts["skirmish"] == "example"
        and sorts["sphacteria"] == "game"
        and sorts["peloponnesian"] == "library"
    )
    assert "bibliothèque" in ran("where", "--lang", "fr")[1]


def test_in_a_package_they_lie_within_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for part in ("games", "examples"):
        (tmp_path / f"_{part}" / f"my_{part}").mkdir(parents=True)
        (tmp_path / f"_{part}" / f"my_{part}" / "game.yaml").write_text(
            "rulekit: game\n", encoding="utf-8"
        )
    monkeypatch.setattr(locate, "_PACKAGE", tmp_path)
    assert shipped() == {
        part: tmp_path / f"_{part}" for part in ("games", "examples", "schema", "docs")
    }
    assert {"my_games", "my_examples"} <= set(known_games())
    assert set(json.loads(ran("where", "--json")[1])["folders"]) == {"games", "examples"}


def test_a_name_that_nothing_has_is_wrong_usage() -> None:
    code, _, told = ran("where", "skirmsh")
    assert code == 2 and "did you mean 'skirmish'" in told


@pytest.mark.parametrize(
    "words",
    [
        ("chek",),
        ("chek", "--help"),
        ("--help", "chek"),
        ("chek", "-h"),
        ("chek", "--version"),
        ("--lang", "fr", "chek", "--help"),
    ],
)
def test_what_is_no_command_is_wrong_usage_whatever_else_is_asked(words: tuple[str, ...]) -> None:
    code, told, errors = ran(*words)
    assert code == 2 and not told and "'check'" in errors


@pytest.mark.parametrize(
    "words", [("--help", "check"), ("--lang", "en", "check", "--help"), ("check", "--help")]
)
def test_a_command_is_found_behind_options(words: tuple[str, ...]) -> None:
    code, told, _ = ran(*words)
    assert code == 0 and "usage: rulekit check" in told


def test_without_a_command_all_are_listed() -> None:
    for words, expected in ((("--help",), 0), ((), 2), (("--lang", "fr"), 2)):
        code, told, _ = ran(*words)
        assert code == expected and all(f"  {name}" in told for name in COMMANDS)
