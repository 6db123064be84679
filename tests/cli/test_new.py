"""`rulekit new`: what it prints, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import ran


def test_the_files_are_listed_and_the_next_step_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "melos"
    code, out, errors = ran("new", str(folder), "--sides", "athens,melos", "--map", "hexes")
    assert (code, errors) == (0, "")
    listed = {line.strip() for line in out.splitlines()[1:-1]}
    assert listed == {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    }
    assert out.splitlines()[-1] == f"Next: rulekit check {folder}"
    assert ran("check", "--strict", str(folder))[0] == 0


def test_the_title_is_that_of_the_folder_or_the_given_one(tmp_path: Path) -> None:
    ran("new", str(tmp_path / "the_long_walls"))
    assert 'title: "The long walls"' in (tmp_path / "the_long_walls/game.yaml").read_text()
    ran("new", str(tmp_path / "x"), "--title", "Mantinea, 418 BC")
    assert 'title: "Mantinea, 418 BC"' in (tmp_path / "x/game.yaml").read_text()


def test_a_machine_reads_the_files(tmp_path: Path) -> None:
    code, out, _ = ran("new", str(tmp_path / "g"), "--uses", "peloponnesian", "--json")
    found = json.loads(out)
    assert code == 0 and found["folder"] == str(tmp_path / "g")
    assert all(Path(each).is_file() for each in found["files"])


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--uses", "peloponnesian", "--map", "grid"], 2, "leave --sides, --map"),
        (["--uses", "peloponnesian", "--sides", "a,b"], 2, "leave --sides, --map"),
        (["--title", " "], 2, "blank"),
        (["--sides", "athens"], 1, "two different sides"),
        (["--uses", "nothing"], 1, "no library"),
        (["--map", "torus"], 2, "torus"),
    ],
)
def test_what_cannot_be_is_refused(
    tmp_path: Path, options: list[str], code: int, words: str
) -> None:
    try:
        ended, out, errors = ran("new", str(tmp_path / "g"), *options)
    except SystemExit as end:  # argparse
        ended, out, errors = int(end.code or 0), "", "torus"
    assert ended == code and words in errors and out == ""
    assert not (tmp_path / "g").exists()


def test_it_speaks_french(tmp_path: Path) -> None:
    code, out, _ = ran("new", str(tmp_path / "g"), "--lang", "fr")
    assert code == 0 and "fichiers écrits" in out and "Ensuite" in out
