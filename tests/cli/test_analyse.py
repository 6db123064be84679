"""The command `analyse`: its output as text and JSON, in both languages, and its refusals."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.engine.saves.recorder import Recorder
from tests.engine.search.searched_positions import EXAMPLES, ROOT

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def save(tmp_path: Path) -> str:
    """A save in which yellow misses a win with choice 7, red misses one with choice 8, and yellow
    wins."""
    game = rulekit.load(EXAMPLES / "connect_four")
    recorder = Recorder(game, game.new(seed=1), dict.fromkeys(game.sides, "human"))
    for column in (1, 7, 2, 7, 3, 7, 5, 6, 4):
        recorder.apply(f"drop {column}")
    path = tmp_path / "four.save"
    path.write_text(recorder.save.text(), encoding="utf-8")
    return str(path)


def said(capsys: Capture, *words: str) -> str:
    assert main(["analyse", *words]) == 0
    return capsys.readouterr().out


def test_lines_before_a_choice(save: str, capsys: Capture) -> None:
    text = said(capsys, save, "--at", "7", "--visits", "300", "--lines", "2")
    assert text.startswith(
        "Connect Four, choice 7: yellow is asked: drop a disc\n300 visits of the tree (in "
    )
    assert re.search(
        r"\n  1\. \d+\.\d % of the visits \(\d+\), to win 100\.0 %\n     yellow: drop: 4\n", text
    ), text
    assert "  2. " in text and "  3. " not in text
    french = said(capsys, save, "--at", "7", "--visits", "300", "--lines", "1", "--lang", "fr")
    assert re.search(r"\n  1\. \d+\.\d % des visites \(\d+\), gagner 100\.0 %\n", french), french


def test_as_json_it_is_what_python_gives(save: str, capsys: Capture) -> None:
    from rulekit.engine.search.analysis import analyse
    from rulekit.engine.search.search_agent import Effort

    found = json.loads(said(capsys, save, "--at", "8", "--visits", "100", "--seed", "3", "--json"))
    state = rulekit.load(EXAMPLES / "connect_four").new(seed=1)
    for column in (1, 7, 2, 7, 3, 7, 5):
        state.apply(f"drop {column}")
    mine = analyse(state, Effort(0, 100), seed=3).to_json()
    assert found == {"game": "connect_four", "scenario": "default"} | json.loads(
        json.dumps(mine)
    ) | {"scenario": found["scenario"]}


def test_a_whole_game(save: str, capsys: Capture, tmp_path: Path) -> None:
    text = said(capsys, save, "--whole", "--visits", "200")
    assert (
        text.startswith("Connect Four: 9 decisions of 9 choices, 200 visits each (in ")
        and "\nyellow won\n" in text
    )
    assert re.search(
        r"expected chance to win\n  choice +yellow +red\n  1 +\d+\.\d %\n  2 +\d+\.\d %\n", text
    ), text
    assert re.search(
        r"\d\. choice 8, red: drop a disc\n     chosen: drop: 6\n     better: drop: 7\n     worth"
        r" 1\.\d\d less",
        text,
    ), text
    found = json.loads(said(capsys, save, "--whole", "--visits", "200", "--json"))
    assert 8 in found["turning_points"] and len(found["decisions"]) == 9


def test_a_lead_is_told_where_there_is_a_total(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "s.save"
    assert (
        main(
            [
                "play",
                str(ROOT / "games" / "sphacteria"),
                "--seat",
                "random",
                "--seed",
                "4",
                "--save",
                str(file),
            ]
        )
        == 0
    )
    capsys.readouterr()
    text = said(capsys, str(file), "--at", "41", "--visits", "100", "--lines", "1", "--lang", "fr")
    assert re.search(r"avance \(Perspectives\), \S+ : [+-]?\d", text) and re.search(
        r"avance [+-]?\d[\d.]*, gagner \d", text
    ), text


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--at", "0"), "from 1 to 9"),
        (("--at", "11"), "from 1 to 9"),
        (("--time", "2"), "--time"),
        (("--time", "hards"), "--time"),
        (("--visits", "0"), "--visits"),
        (("--lines", "0"), "--lines"),
        (("--report", "x.html"), "--whole"),
        (("--whole", "--at", "1"), "--whole"),
        (("--time", "1s", "--visits", "5"), "not allowed with"),
    ],
)
def test_what_it_refuses(save: str, capsys: Capture, words: tuple[str, ...], why: str) -> None:
    assert main(["analyse", save, *words]) == 2
    assert why in capsys.readouterr().err


def test_a_game_that_is_over_asks_nobody(save: str, capsys: Capture) -> None:
    assert main(["analyse", save, "--visits", "5"]) == 1
    assert "the game is over" in capsys.readouterr().err


def test_a_save_that_does_not_play_again_is_not_analysed(save: str, capsys: Capture) -> None:
    path = Path(save)
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[2] = lines[2].replace('"events":[', '"events":[["nothing",{}],')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert main(["analyse", save, "--visits", "5"]) == 1
    assert "replay --verify" in capsys.readouterr().err
