"""`rulekit situation`, and `situation` in the terminal: a position becomes a test of the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.engine.saves.save_format import read_save
from tests.commands import ran

ROOT = Path(__file__).resolve().parents[2]
SMALL = str(ROOT / "examples" / "tic_tac_toe")
SKIRMISH = str(ROOT / "examples" / "skirmish")


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The save of a game with cards, dice and phases."""
    file = tmp_path_factory.mktemp("saves") / "a.save"
    words = ("--seat", "random", "--seed", "3", "--save", str(file), "--quiet")
    assert ran("play", SKIRMISH, *words)[0] == 0
    return file


@pytest.mark.docs("situations#from-a-game-that-was-played")
def test_what_is_written_passes_as_a_situation(save: Path, tmp_path: Path) -> None:
    out, last = tmp_path / "found.yaml", len(read_save(save).choices)
    for at in (1, last // 2, last + 1):
        code, told, err = ran("situation", str(save), "--at", str(at), "--out", str(out))
        assert (code, err) == (0, "") and str(out) in told
    words = ("situation", str(save), "--at", "9", "--choices", "2", "--name", "Two more")
    assert ran(*words, "--out", str(out))[0] == 0
    code, told, _ = ran("test", "--situations", str(out), "--game", SKIRMISH, "-v")
    assert code == 0 and "4 situations: 4 passed" in told
    assert "ok      Two more" in told
    text = out.read_text(encoding="utf-8")
    assert text.count("\n\n- name: ") == 3 and "phase: day(" in text


def test_a_situation_of_a_save_fails_when_the_rules_do_something_else(
    save: Path, tmp_path: Path
) -> None:
    """The dice are changed, so the expected events do not happen."""
    _, text, _ = ran("situation", str(save), "--choices", "0")
    assert "result: {winner: " in text
    file = tmp_path / "s.yaml"
    file.write_text(text.replace("result: {winner: ", "result: {winner: none, level: "))
    assert ran("test", "--situations", str(file), "--game", SKIRMISH)[0] == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--at", "0"), "--at needs the number of a choice: from 1 to "),
        (("--at", "5000"), "--at needs the number of a choice: from 1 to "),
        (("--choices", "1"), "--choices needs a number from 0 to 0"),
        (("--at", "2", "--choices", "-1"), "--choices needs a number from 0 to "),
        (("--game", SMALL), "skirmish"),
        (("--out", "no/such/folder/a.yaml"), "no/such/folder"),
    ],
)
def test_a_wrong_number_or_file_is_named(save: Path, words: tuple[str, ...], message: str) -> None:
    code, _, err = ran("situation", str(save), *words)
    assert code in (1, 2) and message in err and "Traceback" not in err


def test_the_terminal_writes_its_position(tmp_path: Path) -> None:
    file = tmp_path / "found.yaml"
    script = f"situation\nmark a1\nsituation {file}\nmark b2\nsituation {file}\nquit\n"
    code, told, _ = ran("play", SMALL, "--quiet", script=script)
    assert code == 0
    assert "name a file: `situation FILE`" in told and str(file) in told
    code, told, _ = ran("test", "--situations", str(file), "--game", SMALL)
    assert code == 0 and "2 situations: 2 passed" in told


def test_the_terminal_writes_in_french_too(tmp_path: Path) -> None:
    file = tmp_path / "found.yaml"
    _, told, _ = ran("play", SMALL, "--lang", "fr", "--quiet", script=f"situation {file}\n")
    assert "se trouve dans" in told
    assert ran("test", "--situations", str(file), "--game", SMALL)[0] == 0
