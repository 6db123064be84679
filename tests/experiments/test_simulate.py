"""The command `simulate`: the files of its results, its interruption, and its progress."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from rulekit.cli.main import main
from rulekit.cli.progress import Progress
from rulekit.experiments import scheduler
from rulekit.experiments.executor import Done

ROOT = Path(__file__).resolve().parents[2]
RACE = str(ROOT / "tests" / "fixtures" / "race")


def test_json_goes_to_a_file_beside_the_table_or_is_printed_instead(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "simulate",
        RACE,
        "--games",
        "6",
        "--jobs",
        "1",
        "--coverage",
        "--sample",
        "4",
        "--scenario",
        "long",
    ]
    assert main([*words, "--json", str(tmp_path / "out.json")]) == 0
    assert "95-percent interval" in capsys.readouterr().out
    kept = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    for last in (["--json"], ["--json", "-"]):
        assert main([*words, *last]) == 0
        printed = json.loads(capsys.readouterr().out)
        assert printed | {"seconds": 0} == kept | {"seconds": 0}
    assert kept["watched"] == {"games": 2, "every": 4} and list(kept["score"]["by_turn"]) == [
        "1",
        "2",
        "3",
        "4",
        "5",
    ]
    assert main([*words, "--json", str(tmp_path / "no" / "out.json")]) == 1
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(
    "words",
    [("--jobs", "0"), ("--jobs", "many"), ("--jobs", "-1"), ("--games", "0"), ("--sample", "0")],
)
def test_numbers_that_cannot_be_are_refused(
    words: tuple[str, ...], lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", RACE, *words, "--lang", lang]) == 2
    assert words[0] in capsys.readouterr().err


def test_what_was_played_before_it_was_stopped_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Stopped(scheduler.Sums):
        def hear(self, done: Done) -> None:
            super().hear(done)
            if self.games >= 5:
                raise KeyboardInterrupt

    monkeypatch.setattr(scheduler, "Sums", Stopped)
    assert main(["simulate", RACE, "--games", "5000", "--jobs", "1", "--json"]) == 130
    out, err = capsys.readouterr()
    played = json.loads(out)["games"]
    assert 5 <= played < 5000 and f"{played} of 5000" in err


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def test_without_a_terminal_there_is_a_line_now_and_then() -> None:
    out, clock = io.StringIO(), Clock()
    with Progress(5000, "en", out, clock) as progress:
        for second in range(1, 26):
            clock.now += 1
            progress.at(second * 100)
    assert (
        out.getvalue()
        == "games: 1,000 of 5,000, 100 a second, 0:40 left\ngames: 2,000 of 5,000, 100 a second,"
        " 0:30 left\n"
    )


@pytest.mark.parametrize("rich", [True, False])
def test_on_a_terminal_a_bar_is_drawn_and_wiped(
    rich: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if rich:
        pytest.importorskip("rich")
        monkeypatch.setenv("TERM", "xterm")
    else:
        import sys

        monkeypatch.setitem(sys.modules, "rich", None)
        monkeypatch.setitem(sys.modules, "rich.console", None)
    out, clock = Terminal(), Clock()
    with Progress(200_000, "fr", out, clock) as progress:
        clock.now += 4
        progress.at(1000)
        if progress._bar is not None:
            progress._bar.refresh()
    assert (progress._bar is None) and (
        "1000/200000" in out.getvalue() or "13:16" in out.getvalue()
    )
    assert out.getvalue().endswith("\r") or "\x1b[2K" in out.getvalue()
