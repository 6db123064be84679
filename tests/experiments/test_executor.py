"""The results are the same in one process or several, with any division of the games, and if
processes die."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Sequence
from pathlib import Path

import pytest

import rulekit
from rulekit.engine.simulation.ranges import make_order, play
from rulekit.engine.simulation.tally import Tally
from rulekit.experiments import executor as executors
from rulekit.experiments import scheduler
from rulekit.experiments.executor import Done, GameBatch, Job, LocalExecutor, Processes, bundles
from rulekit.experiments.game_bundle import pack
from rulekit.experiments.scheduler import Schedule, Sums, carry_out, work_off

ROOT = Path(__file__).resolve().parents[2]
RACE = ROOT / "tests" / "fixtures" / "race"
CARDS = ROOT / "tests" / "fixtures" / "cards"


def jobs_of(games: Sequence[rulekit.Game], number: int) -> list[Job]:
    return [
        Job(make_order(game, number, 3, None, None, {}, coverage), i)
        for i, game in enumerate(games)
        for coverage in (0, 2)
    ]


def alone(games: Sequence[rulekit.Game], jobs: Sequence[Job]) -> list[Tally]:
    return [play(games[job.game], job.order)[0] for job in jobs]


def test_several_processes_count_the_same() -> None:
    games = [rulekit.load(RACE), rulekit.load(CARDS)]
    jobs = jobs_of(games, 8)
    sums = Sums([Tally() for _ in jobs])
    work_off(games, jobs, [GameBatch(i, 0, 8) for i in range(len(jobs))], sums.hear, 2)
    assert sums.tallies == alone(games, jobs) and sums.games == 8 * len(jobs)
    assert any(sums.tallies[3].seen.cards.values())


def test_it_begins_alone_and_calls_others_where_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "cores", lambda: 2)
    monkeypatch.setattr(scheduler, "ALONE", 0.02)
    monkeypatch.setattr(scheduler, "LASTS", 0.01)
    called = []

    class Called(Processes):
        def __init__(self, size: int, games: Sequence[rulekit.Game], jobs: Sequence[Job]) -> None:
            called.append(size)
            super().__init__(size, games, jobs)

    monkeypatch.setattr(scheduler, "Processes", Called)
    games = [rulekit.load(RACE)]
    jobs = [Job(make_order(games[0], 600, 0, None, None, {}, 1))]
    sums = Sums([Tally()])
    work_off(games, jobs, [GameBatch(0, 0, 600)], sums.hear)
    assert called == [2] and sums.tallies == alone(games, jobs)
    called.clear()
    work_off(games, jobs, [GameBatch(0, 0, 2)], sums.hear)
    assert not called


def test_the_pieces_of_a_process_that_dies_are_played_again() -> None:
    games = [rulekit.load(RACE)]
    jobs = [Job(make_order(games[0], 400, 1, None, None, {}, 1))]
    executor, sums = Processes(2, games, jobs), Sums([Tally()])
    killed: list[int] = []

    def heard(done: Done) -> None:
        sums.hear(done)
        if not killed:
            killed.extend(executor.pids()[:1])
            os.kill(killed[0], signal.SIGKILL)

    try:
        carry_out(executor, Schedule(deque([GameBatch(0, 0, 400)])), heard)
        assert killed and killed[0] not in executor.pids()
    finally:
        executor.close()
    assert sums.tallies == alone(games, jobs)


class Deadly(Processes):
    """Kills each of its processes at its first batch."""

    def _hired(self) -> executors._Worker:
        worker = super()._hired()
        os.kill(worker.process.pid, signal.SIGKILL)
        return worker


def test_games_that_always_kill_their_process_are_given_up() -> None:
    games = [rulekit.load(RACE)]
    executor = Deadly(1, games, [Job(make_order(games[0], 1, 1, None, None, {}))])
    with pytest.raises(rulekit.RulekitError, match="died 3 times"):
        carry_out(executor, Schedule(deque([GameBatch(0, 0, 1)])), lambda done: None)
    executor.close()


def test_a_defect_in_a_process_is_told() -> None:
    games = [rulekit.load(RACE)]
    executor = Processes(1, games, [])
    executor.submit(GameBatch(7, 0, 1))
    with pytest.raises(IndexError):
        executor.wait()
    executor.close()


def test_pieces_cover_all_games_once_and_grow_with_what_is_learnt() -> None:
    plan = Schedule(deque([GameBatch(0, 5, 2000), GameBatch(1, 0, 30)]))
    found: list[GameBatch] = []
    while (batch := plan.next(3)) is not None:
        found.append(batch)
        plan.learn(Done(batch, Tally(), (batch.end - batch.begin) / 1000))
    assert [n for batch in found if batch.job == 0 for n in range(batch.begin, batch.end)] == list(
        range(5, 2000)
    )
    assert [n for batch in found if batch.job == 1 for n in range(batch.begin, batch.end)] == list(
        range(30)
    )
    sizes = [batch.end - batch.begin for batch in found]
    assert sizes[0] == 1 and 100 <= max(sizes) <= 500 and sizes[-1] == 1


def test_a_bundle_needs_nothing_of_the_game_but_itself() -> None:
    import pickle

    game = rulekit.load(RACE)
    order = make_order(game, 5, 1, "long", {"prize": "high"}, {}, 1)
    other = pickle.loads(pickle.dumps(pack(game, order.variants))).game()
    assert (
        LocalExecutor([other], [Job(order)])._worker_state.play(GameBatch(0, 0, 5)).tally
        == play(game, order)[0]
    )
    assert other.rulings(None, "rich") == {"prize": "high"}


def test_a_bundle_holds_the_code_that_its_games_are_played_with() -> None:
    game = rulekit.load(RACE)

    def held(seats: dict[str, str], coverage: int = 0, full: bool = False) -> set[str]:
        (bundle,) = bundles(
            [game], [Job(make_order(game, 5, 1, None, None, seats, coverage, full))]
        )
        assert set(bundle.lines) == set(bundle.code)
        return set(bundle.code)

    assert held({}) == {"fast"} and held({}, full=True) == held({game.sides[0]: "greedy"}) == {
        "fast",
        "full",
    }
    assert held({}, coverage=3) == {"fast", "full", "traced"}
