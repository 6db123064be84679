"""Text from pipes and files of other systems: byte order marks, Windows line ends, empty lines,
comments after a choice."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.terminal.choice_input import plain_line
from rulekit.engine.saves import writer
from rulekit.project.loader import Loader
from tests.commands import ran

ROOT = Path(__file__).resolve().parents[2]
SMALL = str(ROOT / "examples" / "tic_tac_toe")
MARK = b"\xef\xbb\xbf"


def piped(data: bytes, *more: str) -> tuple[int, str]:
    """Return exit code and output of `play` for bytes from a pipe."""
    program = "import sys; from rulekit.cli.main import main; sys.exit(main(sys.argv[1:]))"
    words = [sys.executable, "-c", program, "play", SMALL, "--seed", "1", "--quiet", *more]
    done = subprocess.run(words, input=data, capture_output=True, check=False)
    return done.returncode, (done.stdout + done.stderr).decode()


@pytest.mark.parametrize(
    "data",
    [
        b"mark a1\nmark b2\n",
        MARK + b"mark a1\nmark b2\n",
        b"mark a1\r\nmark b2\r\n",
        b"mark a1  # why not\n# nothing\nmark b2 #\n",
        b"\n\nmark a1\n\t\nmark b2",
        "mark\u00a0a1\u00a0\n\u200b\nmark b2\u200b\n".encode(),
        MARK + b"# a comment first\nmark a1\nmark b2\n",
        MARK + b"\nmark a1\nmark b2\n",
    ],
    ids=repr,
)
def test_choices_are_read_from_a_pipe_whatever_made_it(data: bytes) -> None:
    code, told = piped(data)
    assert code == 0, told
    assert "o> mark b2" in told and "the game is left" in told


def test_what_is_no_utf_8_is_told_as_that() -> None:
    code, told = piped("mark a1\nmark b2\n".encode("utf-16"))
    assert code == 1 and "the input is not UTF-8 text" in told


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("rest  # note", "rest"),
        ("# note", ""),
        ("  \t ", ""),
        ("\ufeffrest", "rest"),
        ("march A1#2", "march A1#2"),
        ("rest #", "rest"),
        ("a\u00a0b", "a b"),
    ],
)
def test_a_comment_begins_behind_a_blank(text: str, says: str) -> None:
    assert plain_line(text) == says


@pytest.fixture
def save(tmp_path: Path) -> bytes:
    assert (
        ran(
            "play", SMALL, "--seed", "5", "--seat", "random", "--save", str(tmp_path / "made.save")
        )[0]
        == 0
    )
    return (tmp_path / "made.save").read_bytes()


SPOILED = {
    "as it is": lambda data: data,
    "a byte order mark": lambda data: MARK + data,
    "line ends of Windows": lambda data: data.replace(b"\n", b"\r\n"),
    "empty lines at the end": lambda data: data + b"\n\n",
    "all of it": lambda data: MARK + data.replace(b"\n", b"\r\n") + b"\r\n \r\n",
}


@pytest.mark.parametrize("name", SPOILED)
def test_a_save_is_read_whatever_an_editor_did_to_its_ends(
    name: str, save: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "b.save"
    file.write_bytes(SPOILED[name](save))
    code, told, _ = ran("replay", str(file), "--verify", "--game", SMALL)
    assert code == 0 and "as recorded" in told and "cut" not in told
    assert not rulekit.read_save(file).cut


@pytest.mark.parametrize("name", SPOILED)
def test_a_game_goes_on_in_such_a_file(name: str, save: bytes, tmp_path: Path) -> None:
    """New choices follow the last one, and the whole file is a valid save."""
    lines = save.split(b"\n")
    file = tmp_path / "b.save"
    file.write_bytes(SPOILED[name](b"\n".join(lines[:3]) + b"\n"))
    before = len(rulekit.read_save(file).choices)
    done = ran(
        "play", SMALL, "--load", str(file), "--save", str(file), "--seat", "random", "--quiet"
    )
    assert done[0] == 0, done
    after = rulekit.read_save(file)
    assert not after.cut and len(after.choices) > before
    assert ran("replay", str(file), "--verify", "--game", SMALL)[0] == 0
    assert writer.proceed(str(file), "en").done == len(after.records)


def test_an_empty_line_within_a_save_is_damage(save: bytes, tmp_path: Path) -> None:
    head, rest = save.split(b"\n", 1)
    file = tmp_path / "b.save"
    file.write_bytes(head + b"\n\n" + rest)
    with pytest.raises(rulekit.SaveError, match=":2"):
        rulekit.read_save(file)


def test_every_file_of_a_game_may_begin_with_a_mark_and_have_line_ends_of_windows(
    tmp_path: Path,
) -> None:
    """This includes the manifest. Its libraries are found without a YAML parser."""
    games = tmp_path / "games"
    shutil.copytree(ROOT / "games" / "peloponnesian", games / "peloponnesian")
    shutil.copytree(ROOT / "games" / "sphacteria", games / "sphacteria")
    for file in games.rglob("*"):
        if file.suffix in (".yaml", ".rules", ".csv"):
            file.write_bytes(MARK + file.read_bytes().replace(b"\n", b"\r\n"))
    manifest = games / "sphacteria" / "game.yaml"
    lines = manifest.read_bytes().removeprefix(MARK).split(b"\r\n")
    uses = next(line for line in lines if line.startswith(b"uses"))
    manifest.write_bytes(MARK + b"\r\n".join([uses, *(line for line in lines if line != uses)]))
    assert rulekit.load(games / "sphacteria").info.digest == Loader(games / "sphacteria").digest
    code, told, _ = ran("check", str(games / "sphacteria"))
    assert code == 0 and "nothing found" in told
