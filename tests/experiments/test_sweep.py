"""A sweep plays each combination of its file, reports errors at their places, and resumes after any
stop to the same bytes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.engine.simulation.ranges import make_order, play
from rulekit.engine.simulation.tally import Tally
from rulekit.experiments.executor import Done, GameBatch
from rulekit.experiments.run_folder import PlayedRun, head_of, opened
from rulekit.experiments.sweep import plan_of

ROOT = Path(__file__).resolve().parents[2]
RACE = ROOT / "tests" / "fixtures" / "race"
BROKEN = sorted((ROOT / "tests" / "broken" / "sweeps").glob("*.yaml"))

WHOLE = f"""\
title: All of it
game: {RACE}
games: 6
seed: 3
sample: 2
scenarios: all
rulings: [default, {{edition: rich, choose: {{lead: tax}}}}, {{each: [prize, lead]}}]
seats: [random, {{red: greedy}}]
overlays: [[], {RACE}/overlays/dear.yaml]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "sweep.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_sweep_is_each_combination(tmp_path: Path) -> None:
    plan = plan_of(written(tmp_path, WHOLE))
    assert len(plan.games) == 2 and len(plan.runs) == 2 * 4 * 2 * 2
    seen = {
        (
            run.order.scenario,
            run.edition,
            tuple(run.order.rulings.items()),
            run.order.seats["red"],
            run.overlays,
        )
        for run in plan.runs
    }
    assert len(seen) == len(plan.runs)
    assert {(run.edition, tuple(run.order.rulings.items())) for run in plan.runs} == {
        (None, ()),
        ("rich", (("prize", "high"), ("lead", "tax"))),
        (None, (("prize", "high"),)),
        (None, (("lead", "tax"),)),
    }
    assert all(
        run.order.seed == 3 and run.order.coverage == 2 and run.order.games == 6
        for run in plan.runs
    )


def test_a_short_sweep_is_one_run_of_the_default(tmp_path: Path) -> None:
    [run] = plan_of(written(tmp_path, f"{{game: {RACE}, games: 1}}")).runs
    assert (run.order.scenario, run.order.rulings, run.order.seats, run.overlays) == (
        None,
        {},
        {"red": "random", "blue": "random"},
        (),
    )


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_what_is_wrong_is_told_where_it_stands(path: Path, tmp_path: Path) -> None:
    """Each file lists the expected findings at its end: code, line, column and a part of the
    message."""
    text = path.read_text(encoding="utf-8").replace("RACE", str(RACE))
    expected = [line[2:].split(" ", 2) for line in text.splitlines() if line.startswith("# RK")]
    with pytest.raises(rulekit.GameError) as refused:
        plan_of(written(tmp_path, text))
    found = [
        (d.code, f"{d.span.line}:{d.span.column}", d.message) for d in refused.value.diagnostics
    ]
    assert [(code, at) for code, at, _ in found] == [(code, at) for code, at, _ in expected]
    for (_, _, message), (_, _, part) in zip(found, expected, strict=True):
        assert part in message
    assert all(d.help for d in refused.value.diagnostics)


def test_the_command_tells_it_without_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["sweep", str(written(tmp_path, f"{{game: {RACE}, games: 1, scenarios: [lang]}}"))])
        == 1
    )
    assert "did you mean 'long'?" in capsys.readouterr().err
    assert main(["sweep", str(tmp_path / "none.yaml")]) == 2


SMALL = (
    f"{{game: {RACE}, games: 30, scenarios: all, rulings: [default, {{each: [lead]}}], sample: 3}}"
)


def test_runs_are_those_of_simulate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", str(written(tmp_path, SMALL)), "--jobs", "1", "--json"]) == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    game = rulekit.load(RACE)
    for run in runs:
        alone, _ = play(game, make_order(game, 30, 0, run["scenario"], run["rulings"], {}, 3))
        assert {
            who: found["count"]
            for who, found in run["results"]["winners"].items()
            if who != "nobody"
        } == {side: alone.wins[side] for side in game.sides}
        assert run["coverage"]["options"]["seen"] == dict(alone.seen.options)
    assert [(run["scenario"], run["rulings"]) for run in runs] == [
        ("long", {}),
        ("long", {"lead": "tax"}),
        ("short", {}),
        ("short", {"lead": "tax"}),
    ]


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_sweep_that_is_killed_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    """It is killed twice during play. Each time at least one run is stored in part."""
    path = written(tmp_path, SMALL.replace("games: 30", "games: 1500"))
    command = [sys.executable, "-m", "rulekit", "sweep", str(path), "--jobs", "2"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    folder = tmp_path / "sweep.sweep"
    kept = 0
    for _ in range(2):
        process = subprocess.Popen(
            command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while process.poll() is None and played(folder) <= kept:
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert played(folder) > kept
        (folder / "runs" / ".new-1").write_bytes(b"{")  # an incomplete file of a killed process
        kept = played(folder)
    assert not (folder / "results.json").exists() and kept < 6000
    assert main(command[3:]) == 0
    whole = tmp_path / "whole"
    assert main([*command[3:], "--out", str(whole)]) == 0
    assert files(folder) == files(whole)
    assert main(command[3:]) == 0 and files(folder) == files(whole)  # nothing is left to do


def played(folder: Path) -> int:
    """Return the number of games in the folder."""
    return sum(
        end - begin
        for path in folder.glob("runs/*.json")
        for begin, end in json.loads(path.read_bytes())["done"]
    )


def test_a_run_is_made_longer_and_never_shorter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for games in ("30", "50"):
        assert (
            main(
                [
                    "sweep",
                    str(written(tmp_path, SMALL.replace("games: 30", f"games: {games}"))),
                    "--jobs",
                    "1",
                ]
            )
            == 0
        )
    assert "played before: 120 of 200" in capsys.readouterr().err
    assert main(["sweep", str(written(tmp_path, SMALL)), "--jobs", "1", "--lang", "fr"]) == 1
    assert "une série a déjà plus de parties (50) que 30" in capsys.readouterr().err
    fresh = tmp_path / "fresh"
    assert (
        main(
            [
                "sweep",
                str(written(tmp_path, SMALL.replace("games: 30", "games: 50"))),
                "--jobs",
                "1",
                "--out",
                str(fresh),
            ]
        )
        == 0
    )
    assert files(tmp_path / "sweep.sweep") == files(fresh)


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"x",
        b"[]",
        b"{}",
        None,
        {"done": [[0, 5], [5, 9]]},
        {"done": [[5, 2]]},
        {"done": [["a", 2]]},
        {"tally": {}},
        {"done": [[0, 29]]},
        {"seed": 9},
    ],
)
def test_a_damaged_file_is_refused_and_left_alone(
    damage: bytes | dict[str, object] | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, f"{{game: {RACE}, games: 30}}")
    assert main(["sweep", str(path), "--jobs", "1"]) == 0
    [file] = (tmp_path / "sweep.sweep" / "runs").iterdir()
    good = file.read_bytes()
    bad = (
        good[: len(good) // 2]
        if damage is None
        else damage
        if isinstance(damage, bytes)
        else json.dumps(json.loads(good) | damage).encode()
    )
    file.write_bytes(bad)
    assert main(["sweep", str(path), "--jobs", "1"]) == 1
    assert "remove it to play the run again" in capsys.readouterr().err and file.read_bytes() == bad
    file.unlink()
    assert main(["sweep", str(path), "--jobs", "1"]) == 0 and file.read_bytes() == good


def test_a_folder_is_had_by_one_process(tmp_path: Path) -> None:
    game = rulekit.load(RACE)
    order = make_order(game, 4, 0, None, None, {})
    heads = [head_of(game, order, ())]
    with (
        opened(tmp_path / "out", heads, [4]),
        pytest.raises(rulekit.RulekitError, match="another process"),
        opened(tmp_path / "out", heads, [4]),
    ):
        pass


def test_gaps_are_what_was_not_played() -> None:
    kept = PlayedRun(Path("nowhere"), {})
    for begin, end in ((10, 20), (30, 40), (20, 25)):
        kept.add(Done(GameBatch(0, begin, end), Tally(), 1.0))
    assert kept.ranges == [(10, 25), (30, 40)]
    assert list(kept.gaps(7, 45)) == [
        GameBatch(7, 0, 10),
        GameBatch(7, 25, 30),
        GameBatch(7, 40, 45),
    ]
    assert list(kept.gaps(7, 40)) == [GameBatch(7, 0, 10), GameBatch(7, 25, 30)]


def test_a_sweep_that_is_stopped_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from rulekit.experiments import run_folder

    class Stopped(run_folder.Folder):
        def hear(self, done: Done) -> None:
            super().hear(done)
            raise KeyboardInterrupt

    path = written(tmp_path, SMALL)
    with monkeypatch.context() as patch:
        patch.setattr(run_folder, "Folder", Stopped)
        assert main(["sweep", str(path), "--jobs", "1"]) == 130
    assert "the same command continues from here" in capsys.readouterr().err
    assert main(["sweep", str(path), "--jobs", "1"]) == 0
    whole = tmp_path / "whole"
    assert main(["sweep", str(path), "--jobs", "1", "--out", str(whole)]) == 0
    assert files(tmp_path / "sweep.sweep") == files(whole)


# ------------------------------------------------------------------------------------ changed rules
SCORED = """
total vp(s: Side): VP
  base points(s)
total anti(s: Side): VP
  base points(s.enemy)
"""


def skirmish(folder: Path, manifest: str, rules: str = "") -> None:
    """Write the example with two totals."""
    copy = shutil.copytree(ROOT / "examples" / "skirmish", folder / "skirmish", dirs_exist_ok=True)
    for name, more in (("game.rules", SCORED + rules), ("game.yaml", manifest)):
        path = copy / name
        path.write_text(
            (ROOT / "examples" / "skirmish" / name).read_text(encoding="utf-8") + more,
            encoding="utf-8",
        )


@pytest.mark.parametrize(
    ("before", "after", "seats"),
    [
        ("greedy: vp\n", "greedy: anti\n", "{red: greedy}"),
        ("search: {total: vp}\n", "search: {total: anti}\n", '{red: "search:20"}'),
        ("victory_total: vp\n", "victory_total: anti\n", "{red: greedy}"),
        ("", "charts: [rest]\n", "{red: random}"),
    ],
)
def test_what_seats_look_at_is_changed_and_the_same_sweep_is_played_anew(
    before: str, after: str, seats: str, tmp_path: Path
) -> None:
    path = written(tmp_path, f"{{game: skirmish, games: 3, seats: [{seats}]}}")
    command = ["sweep", str(path), "--jobs", "1"]
    skirmish(tmp_path, before)
    assert main(command) == 0
    skirmish(tmp_path, after)
    assert main(command) == 0
    assert main([*command, "--out", str(tmp_path / "fresh")]) == 0
    fresh = files(tmp_path / "fresh")
    assert {
        name: data for name, data in files(tmp_path / "sweep.sweep").items() if name in fresh
    } == fresh


def test_a_league_is_played_anew_too(tmp_path: Path) -> None:
    command = [
        "league",
        str(tmp_path / "skirmish"),
        "--seat",
        "random",
        "--seat",
        "greedy",
        "--games",
        "1",
        "--jobs",
        "1",
        "--out",
    ]
    for manifest, out in (
        ("greedy: vp\n", "kept"),
        ("greedy: anti\n", "kept"),
        ("greedy: anti\n", "fresh"),
    ):
        skirmish(tmp_path, manifest)
        assert main([*command, str(tmp_path / out)]) == 0
    assert (tmp_path / "kept" / "results.json").read_bytes() == (
        tmp_path / "fresh" / "results.json"
    ).read_bytes()


def test_other_places_count_where_a_game_failed(tmp_path: Path) -> None:
    """The report of a failure names a line of the rules, so the run is repeated if that line may
    differ."""
    game = rulekit.load(RACE)
    head = head_of(game, make_order(game, 4, 0, None, None, {}), ())
    for failed in (False, True):
        tally = Tally()
        if failed:
            tally.broke(0, "game.rules:3:1: a bound is broken")
        else:
            tally.add(play(game, make_order(game, 1, 0, None, None, {}))[0])
        out = tmp_path / str(failed)
        with opened(out, [head], [4]) as folder:
            folder.hear(Done(GameBatch(0, 0, 1), tally, 1.0))
        for other in (head, {**head, "places": "elsewhere"}):
            with opened(out, [other], [4]) as folder:
                assert folder.runs[0].ranges == ([] if failed and other is not head else [(0, 1)])
