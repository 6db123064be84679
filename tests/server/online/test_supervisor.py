"""Duties: an error of one round does not end them, an ended one is restarted, and a stalled one is
reported."""

import asyncio
import threading

import pytest

from rulekit.common.errors import RulekitError
from rulekit.server.online.metrics import metrics_text
from rulekit.server.online.supervisor import Duty, OwnThread, Supervisor
from rulekit.server.storage import StoreError


class Clock:
    def __init__(self):
        self.at = 100.0

    def __call__(self):
        return self.at


def going(do, until, every=0.0, clock=None):
    """Run a supervisor with one duty until a condition holds."""

    async def go():
        made = Supervisor(clock or Clock())
        made.begin([Duty("work", do, every)])
        while not until():
            await asyncio.sleep(0)
        found = made.stalled(), made.ages()
        await made.end()
        return found

    return asyncio.run(asyncio.wait_for(go(), 30))


@pytest.mark.parametrize(
    "error",
    [
        ZeroDivisionError(),
        RulekitError("x"),
        StoreError("away"),
        asyncio.CancelledError(),
        RecursionError(),
        StopAsyncIteration(),
    ],
)
def test_a_round_that_fails_is_followed_by_others(error):
    rounds = []

    async def work():
        rounds.append(asyncio.current_task())
        if len(rounds) < 4:
            raise error

    going(work, lambda: len(rounds) > 5)
    assert isinstance(error, asyncio.CancelledError) or len(set(rounds)) == 1, (
        "the task itself goes on"
    )


def test_a_task_that_somebody_cancels_is_begun_again():
    rounds = []

    async def work():
        rounds.append(asyncio.current_task())
        if len(rounds) == 2:
            rounds[-1].cancel()

    going(work, lambda: len(rounds) > 3)
    assert rounds[0] is rounds[1] is not rounds[-1]


def test_a_duty_that_never_succeeds_or_hangs_is_told_of_and_one_that_waits_its_turn_is_not():
    clock = Clock()

    async def fails():
        clock.at += 10
        raise ZeroDivisionError

    async def hangs():
        clock.at += 100
        await asyncio.Event().wait()

    async def rests():
        clock.at += 10

    assert going(fails, lambda: clock.at > 200, clock=clock)[0] == ["work"]
    clock.at = 100
    assert going(hangs, lambda: clock.at > 150, clock=clock)[0] == ["work"]
    clock.at = 100
    stalled, ages = going(rests, lambda: clock.at > 200, clock=clock)
    assert stalled == [] and ages["work"] < 60


def test_failures_are_counted():
    rounds = []

    async def counted():
        rounds.append(1)
        raise ZeroDivisionError

    going(counted, lambda: len(rounds) > 2)
    text = metrics_text(0, 0, {"work": 7.0}).decode()
    assert (
        'rulekit_task_failures_total{task="work"}' in text
        and 'rulekit_task_age_seconds{task="work"} 7.0' in text
    )


def test_who_ends_the_duties_waits_for_what_their_threads_do():
    """Started work is finished first, and waiting work is dropped. Nothing of a duty happens after
    the end."""
    begun, free, order = threading.Event(), threading.Event(), []

    def work():
        begun.set()
        free.wait(60)
        order.append("done")

    async def go():
        thread, made = OwnThread("work"), Supervisor(Clock())
        made.begin(
            [
                Duty("first", lambda: thread.run(work), 0),
                Duty("second", lambda: thread.run(order.append, "second"), 0),
            ]
        )
        await asyncio.to_thread(begun.wait, 60)
        ending = asyncio.create_task(made.end())
        for _ in range(50):
            await asyncio.sleep(0)
        assert not ending.done()
        free.set()
        await ending
        order.append("ended")
        thread.close()

    asyncio.run(asyncio.wait_for(go(), 60))
    assert order == ["done", "ended"]
