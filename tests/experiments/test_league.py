"""A league plays every pair in every scenario on both sides, resumes after any stop, and rates the
results."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.engine.simulation.tally import Tally
from rulekit.experiments import run_folder
from rulekit.experiments.executor import Done, Job, bundles
from rulekit.experiments.league import APART, league_of, line_ups, standings
from rulekit.runtime.wasm.instance import available

ROOT = Path(__file__).resolve().parents[2]
RACE = str(ROOT / "tests" / "fixtures" / "race")
TIC_TAC_TOE = str(ROOT / "examples" / "tic_tac_toe")


@pytest.mark.parametrize("sides", [2, 3, 4, 5])
def test_each_seat_sits_on_each_side_as_often_as_the_other(sides: int) -> None:
    names = [f"side{n}" for n in range(sides)]
    found = line_ups(names, "a", "b")
    assert len({tuple(plan.values()) for plan in found}) == len(found)
    for side in names:
        assert Counter(plan[side] for plan in found) == {"a": len(found) // 2, "b": len(found) // 2}
    assert all(set(plan.values()) == {"a", "b"} for plan in found)


def test_a_league_is_each_pair_in_each_scenario_on_both_sides() -> None:
    league = league_of(rulekit.load(RACE), ["random", "greedy", "search:9", "random"], 5, seed=3)
    assert (
        league.seats == ("random", "greedy", "search:9")
        and league.scenarios == ["long", "short"]
        and not league.timed
    )
    assert Counter(meeting.order.scenario for meeting in league.meetings) == {"long": 6, "short": 6}
    for scenario in league.scenarios:
        plans = [
            tuple(m.order.seats.items()) for m in league.meetings if m.order.scenario == scenario
        ]
        assert len(set(plans)) == 6 and all(len(dict(plan)) == 2 for plan in plans)
    assert {m.order.seed for m in league.meetings} == {
        3,
        3 + APART,
    }  # the two games of a pair have different seeds
    assert all(m.order.games == 5 for m in league.meetings)


def test_the_order_of_the_seats_changes_no_game() -> None:
    game = rulekit.load(RACE)
    one, other = (
        league_of(game, seats, 2)
        for seats in (["random", "greedy", "search:9"], ["search:9", "random", "greedy"])
    )
    assert sorted(map(repr, (m.order for m in one.meetings))) == sorted(
        map(repr, (m.order for m in other.meetings))
    )


def test_without_names_it_is_the_seats_that_the_game_has() -> None:
    league = league_of(rulekit.load(TIC_TAC_TOE), [], 1)
    assert (
        league.seats == ("random", "search:easy", "search") and league.timed
    )  # the game has no total for greedy


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(
    "words, part",
    [
        ((RACE, "--seat", "random"), "--seat"),
        ((RACE, "--seat", "random", "--seat", "random"), "--seat"),
        ((RACE, "--seat", "random", "--seat", "greddy"), "'greedy'"),
        ((RACE, "--seat", "human", "--seat", "random"), "'human'"),
        ((RACE, "--seat", "search:0s", "--seat", "random"), "'search:0s'"),
        ((RACE, "--scenario", "lang"), "'long'"),
        ((RACE, "--games", "0"), "--games"),
        ((RACE, "--jobs", "none"), "--jobs"),
        ((TIC_TAC_TOE, "--seat", "greedy", "--seat", "random"), "greedy"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_played(
    words: tuple[str, ...], part: str, lang: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["league", *words, "--out", str(tmp_path / "out"), "--lang", lang]) == 2
    assert part in capsys.readouterr().err and not (tmp_path / "out").exists()


@pytest.mark.parametrize("lang, told", [("en", "the same seat"), ("fr", "le même joueur")])
@pytest.mark.parametrize(
    "one, other",
    [
        ("search:100", "search:0100"),
        ("search:easy", "search:100"),
        ("search", "search:0.5s"),
        ("search:2s", "search:2.0s"),
    ],
)
def test_one_seat_under_two_names_is_refused(
    one: str, other: str, lang: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(
            [
                "league",
                RACE,
                "--seat",
                one,
                "--seat",
                "random",
                "--seat",
                other,
                "--out",
                str(tmp_path / "out"),
                "--lang",
                lang,
            ]
        )
        == 2
    )
    said = capsys.readouterr().err
    assert (
        told in said
        and repr(one) in said
        and repr(other) in said
        and not (tmp_path / "out").exists()
    )


def test_only_seats_that_the_game_has_are_offered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["league", TIC_TAC_TOE, "--seat", "human", "--seat", "random"]) == 2
    assert (
        capsys.readouterr()
        .err.strip()
        .endswith("there are random, search:easy, search, search:hard")
    )


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_results_of_another_game_are_not_overwritten(
    lang: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rest = [
        "--seat",
        "random",
        "--seat",
        "search:2",
        "--games",
        "1",
        "--jobs",
        "1",
        "--out",
        str(tmp_path),
        "--lang",
        lang,
    ]
    assert main(["league", RACE, "--scenario", "short", *rest]) == 0
    kept = files(tmp_path)
    capsys.readouterr()
    assert main(["league", TIC_TAC_TOE, *rest]) == 2
    said = capsys.readouterr().err
    assert (
        all(part in said for part in ("results.json", "race", "tic_tac_toe", "--out"))
        and files(tmp_path) == kept
    )
    (tmp_path / "results.json").write_text('{"title": "a sweep", "runs": []}')
    assert main(["league", TIC_TAC_TOE, *rest]) == 2
    assert "--out" in capsys.readouterr().err


def test_seats_that_results_lose_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "league",
        RACE,
        "--scenario",
        "short",
        "--games",
        "1",
        "--jobs",
        "1",
        "--out",
        str(tmp_path),
    ]
    assert main([*words, *SEATS]) == 0
    assert "without" not in capsys.readouterr().err
    assert main([*words, *SEATS[:4]]) == 0
    assert "without search:3" in capsys.readouterr().err
    assert main([*words, *SEATS]) == 0
    assert len(json.loads((tmp_path / "results.json").read_text())["table"]) == 3


def played(*winners: str) -> Tally:
    tally = Tally(games=len(winners))
    tally.results.update((winner, "") for winner in winners)
    return tally


def test_standings_count_each_game_for_both() -> None:
    """Of two seats, each wins 2 of 3 games as red and draws one: 2 wins, 2 draws and 2 losses
    each."""
    league = league_of(rulekit.load(RACE), ["random", "greedy"], 3, scenarios=["long"])
    assert [m.order.seats["red"] for m in league.meetings] == ["greedy", "random"]
    found = standings(league, [played("red", "", "red"), played("red", "red", "")])
    assert [
        (each["won"], each["drawn"], each["lost"], each["score"]) for each in found["table"]
    ] == [(2, 2, 2, 0.5)] * 2
    assert (
        [each["elo"] for each in found["table"]] == [0, 0]
        and not found["prior"]
        and found["games"] == 6
    )
    assert {
        (each["seat"], each["side"]): (each["won"], each["drawn"], each["lost"])
        for each in found["sides"]
    } == {
        ("random", "red"): (2, 1, 0),
        ("random", "blue"): (0, 1, 2),
        ("greedy", "red"): (2, 1, 0),
        ("greedy", "blue"): (0, 1, 2),
    }
    [one, other] = found["pairs"]
    assert (
        (one["seat"], one["against"]) == ("random", "greedy") == (other["against"], other["seat"])
    )
    better = standings(league, [played("blue", "red", "blue"), played("red", "red", "")])
    assert (
        better["table"][0]["elo"] > 0 > better["table"][1]["elo"]
        and better["table"][0]["score"] == 0.75
    )
    assert standings(league, [played("red", "red", "red"), played("blue", "blue", "blue")])["prior"]


SEATS = ("--seat", "random", "--seat", "greedy", "--seat", "search:3")


def test_it_plays_and_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["league", RACE, *SEATS, "--games", "2", "--jobs", "1", "--out", str(tmp_path / "out")]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "Elo" in told and "24 games" in told and "seconds" not in told
    kept = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    assert (
        kept["games"] == 24
        and [each["games"] for each in kept["table"]] == [16] * 3
        and not kept["timed"]
    )
    assert (
        sum(each["games"] for each in kept["pairs"])
        == 48
        == sum(each["games"] for each in kept["sides"])
    )
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == kept
    assert main([*words, "--lang", "fr"]) == 0
    assert "contre" in capsys.readouterr().out


def test_seats_with_seconds_are_said_to_play_otherwise_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "league",
        RACE,
        "--seat",
        "random",
        "--seat",
        "search:0.006s",
        "--scenario",
        "short",
        "--games",
        "1",
        "--jobs",
        "1",
    ]
    assert main([*words, "--out", str(tmp_path / "out")]) == 0
    assert "play differently each time" in capsys.readouterr().out


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def held(folder: Path) -> int:
    """Return the number of games in the folder."""
    return sum(
        end - begin
        for path in folder.glob("runs/*.json")
        for begin, end in json.loads(path.read_bytes())["done"]
    )


def test_a_league_that_is_killed_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "rulekit",
        "league",
        RACE,
        "--seat",
        "random",
        "--seat",
        "greedy",
        "--games",
        "80",
        "--jobs",
        "2",
    ]
    folder = tmp_path / "out"
    process = subprocess.Popen(
        [*command, "--out", str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while process.poll() is None and not held(folder):
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert 0 < held(folder) < 320 and not (folder / "results.json").exists()
    for place in (folder, folder / "runs"):
        (place / ".new-1").write_bytes(b"{")  # an incomplete file of a killed process
    assert main([*command[3:], "--out", str(folder)]) == 0
    assert main([*command[3:], "--out", str(tmp_path / "whole"), "--jobs", "1"]) == 0
    assert files(folder) == files(tmp_path / "whole")


def test_nothing_is_played_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each batch is stored once it is played. More games and another seat are added to the existing
    ones."""
    heard, stopped = Counter[tuple[int, int, int]](), list[bool]()

    class Listening(run_folder.Folder):
        def hear(self, done: Done) -> None:
            super().hear(done)
            assert all(run.fresh for run in self.runs)
            heard.update(
                (done.batch.job, at, len(self.runs))
                for at in range(done.batch.begin, done.batch.end)
            )
            if len(heard) >= 3 and not stopped:
                stopped.append(True)
                raise KeyboardInterrupt

    monkeypatch.setattr(run_folder, "Folder", Listening)
    words = [
        "league",
        RACE,
        *SEATS[:4],
        "--scenario",
        "short",
        "--jobs",
        "1",
        "--out",
        str(tmp_path / "out"),
    ]
    assert main([*words, "--games", "3"]) == 130
    assert (
        "the same command continues from here" in capsys.readouterr().err
        and held(tmp_path / "out") == len(heard) < 6
    )
    assert main([*words, "--games", "3"]) == 0
    assert len(heard) == 6 and set(heard.values()) == {1}
    assert main([*words, "--games", "4"]) == 0
    assert len(heard) == 8 and set(heard.values()) == {1}
    capsys.readouterr()
    assert main([*words, "--games", "4", *SEATS[4:]]) == 0
    assert "played before: 8 of 24" in capsys.readouterr().err


@pytest.mark.skipif(not available(), reason="the module is made where wasmtime is installed")
def test_seats_that_search_do_so_natively_in_other_processes_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game bundle for a process has the module of its searching seats."""
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path))
    game = rulekit.load(TIC_TAC_TOE)
    jobs = [Job(meeting.order) for meeting in league_of(game, ["random", "search:9"], 1).meetings]
    [bundle] = bundles([game], jobs)
    assert bundle.native is not None and bundle.game().native() is bundle.native
