"""On a Ray cluster the result is that of one machine, bit for bit, also if a worker is lost."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import deque
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.engine.simulation.ranges import make_order, play
from rulekit.engine.simulation.tally import Tally
from rulekit.experiments.executor import Done, GameBatch, Job
from rulekit.experiments.scheduler import Schedule, Sums, carry_out

ROOT = Path(__file__).resolve().parents[2]
RACE = ROOT / "tests" / "fixtures" / "race"
HAS_PROC = Path("/proc/self/stat").exists()


def parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return 0


def workers() -> list[int]:
    """Return the processes of Ray's workers that descend from this one and are playing now."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                title = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            above = pid = int(entry.name)
            while above > 1 and above != os.getpid():
                above = parent(above)
            if title.startswith(b"ray::_play") and above == os.getpid():
                found.append(pid)
    return found


@pytest.mark.skipif(not HAS_PROC, reason="workers are found in /proc")
def test_a_worker_is_killed_in_the_midst_and_the_result_is_that_of_one_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray", reason="ray is not installed: pip install 'rulekit[cluster]'")
    from rulekit.experiments.ray_executor import LOCAL, Cluster, _handler

    monkeypatch.setenv("HOME", str(tmp_path))  # for the files that Ray keeps for a user
    game = rulekit.load(RACE)
    told = _handler(signal.SIGILL).raw[:8]
    jobs = [Job(make_order(game, 1500, 3, scenario, None, {}, 1)) for scenario in ("long", "short")]
    jobs.append(
        Job(make_order(game, 12, 3, "short", None, {game.sides[0]: "search:20"}, 1))
    )  # a job as in a league
    sums, killed, batches = Sums([Tally() for _ in jobs]), list[int](), list[GameBatch]()
    executor = Cluster(LOCAL, [game], jobs, 2)
    try:

        def heard(done: Done) -> None:
            sums.hear(done)
            batches.append(done.batch)
            if not killed and len(batches) >= 6 and (playing := workers()):
                killed.append(playing[0])
                os.kill(killed[0], signal.SIGKILL)

        assert _handler(signal.SIGILL).raw[:8] == told
        carry_out(
            executor,
            Schedule(deque([GameBatch(0, 0, 1500), GameBatch(1, 0, 1500), GameBatch(2, 0, 12)])),
            heard,
        )
    finally:
        executor.close()
    assert _handler(signal.SIGILL).raw[:8] == told
    assert killed and len(batches) > 10, "nobody was killed in the midst"
    assert sorted(
        n for batch in batches if batch.job == 0 for n in range(batch.begin, batch.end)
    ) == list(range(1500))
    alone = [play(game, job.order)[0] for job in jobs]
    assert [json.dumps(tally.to_json()) for tally in sums.tallies] == [
        json.dumps(tally.to_json()) for tally in alone
    ]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_without_ray_it_says_what_to_install(
    lang: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["simulate", str(RACE), "--games", "3", "--cluster", "local", "--lang", lang]) == 1
    assert "rulekit[cluster]" in capsys.readouterr().err


@pytest.mark.parametrize(
    "address", ["no address", "127.0.0.1:1", "ray://127.0.0.1:1", "nowhere.invalid:6379"]
)
def test_an_address_where_no_cluster_is_is_told(
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("ray", reason="ray is not installed: pip install 'rulekit[cluster]'")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert main(["simulate", str(RACE), "--games", "3", "--cluster", address]) == 1
    out, err = capsys.readouterr()
    assert "no cluster" in err and "Traceback" not in err and not out


def test_workers_of_another_version_are_refused() -> None:
    from rulekit.experiments.ray_executor import _play

    with pytest.raises(rulekit.RulekitError, match=r"0\.0\.1"):
        _play([], "", ("0.0.1", 0), GameBatch(0, 0, 1))


def test_who_is_told_of_faults_of_the_processor_is_put_back() -> None:
    """Native modules report errors by these signals, and Ray takes them over."""
    from rulekit.experiments.ray_executor import FAULTS, _handler, _own_handlers

    before = {number: _handler(number).raw[:8] for number in FAULTS}
    with _own_handlers():
        for number in FAULTS:
            signal.signal(number, signal.SIG_IGN)
        assert all(_handler(number).raw[:8] != kept for number, kept in before.items())
    assert {number: _handler(number).raw[:8] for number in FAULTS} == before
    assert HAS_PROC is False or len(before) == 4
