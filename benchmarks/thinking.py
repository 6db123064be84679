"""Measure the promises of a searching seat: it keeps to its time, answers at once when it is
stopped, and stays small.

    python benchmarks/thinking.py [DECISIONS] [SECONDS] [LONG]

It makes DECISIONS that are not forced, with SECONDS for each, in whole games of all scenarios of
all wargames in turn. Then it stops a long search 50 times. Finally it searches once for LONG
seconds. The native modules are built before. It measures wall-clock time, so the machine should do
nothing else.
"""

from __future__ import annotations

import random
import resource
import sys
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import rulekit
from rulekit.engine.game.state import State
from rulekit.engine.search.search_agent import Effort, SearchAgent

GAMES = Path(__file__).resolve().parent.parent / "games"
STOPS = 50
BOUND = 1.1


def begun(seed: int) -> Iterator[State]:
    """Yield new games of all scenarios in turn, without end."""
    games = [
        rulekit.load(GAMES / name)
        for name in ("sphacteria", "amphipolis", "athens_sparta", "peloponnesian_war")
    ]
    for game in games:
        game.native()
    scenarios = [(game, scenario) for game in games for scenario in game.scenarios]
    for n in count():
        game, scenario = scenarios[n % len(scenarios)]
        yield game.new(scenario, seed=seed + n)


def timed(decisions: int, seconds: float) -> list[float]:
    """Return the time of each decision as a multiple of the given time."""
    found: list[float] = []
    for number, state in enumerate(begun(1)):
        agents = [SearchAgent(2 * number + side, Effort(seconds)) for side in range(2)]
        for agent in agents:
            agent.prepare(state.table)
        while not state.is_terminal():
            forced, before = len(state.legal_actions()) == 1, time.perf_counter()
            chosen = agents[state.current_player()].choose(state)
            if not forced:
                found.append((time.perf_counter() - before) / seconds)
                if len(found) == decisions:
                    return found
            state.apply_action(chosen)
    raise AssertionError


def stopped(state: State, rng: random.Random) -> float:
    """Return the seconds from a stop to the answer."""
    agent, answered = SearchAgent(1, Effort(60.0)), [0.0]

    def think() -> None:
        agent.choose(state)
        answered[0] = time.perf_counter()

    thread = threading.Thread(target=think)
    thread.start()
    time.sleep(rng.uniform(0.1, 0.4))
    before = time.perf_counter()
    agent.stop()
    thread.join()
    return answered[0] - before


def asked(states: Iterator[State], rng: random.Random) -> State:
    """Return a position with a choice, somewhere in a random game."""
    while True:
        state, left = next(states), rng.randrange(20, 120)
        while not state.is_terminal() and (left > 0 or len(state.legal_actions()) == 1):
            state.apply_action(rng.choice(state.legal_actions()))
            left -= 1
        if not state.is_terminal():
            return state


def main(decisions: int, seconds: float, long: float) -> None:
    """Print the measurements."""
    ratios = sorted(timed(decisions, seconds))
    over = sum(ratio > BOUND for ratio in ratios)
    print(
        f"{decisions} decisions with {seconds:g} s each: {over} took more than {BOUND} of it;"
        f" median {ratios[len(ratios) // 2]:.3f}, 99 in 100 {ratios[len(ratios) * 99 // 100]:.3f},"
        f" most {ratios[-1]:.3f}",
        flush=True,
    )
    rng, states = random.Random(1), begun(1000)
    waits = [stopped(asked(states, rng), rng) for _ in range(STOPS)]
    print(f"stopped {STOPS} times: answered after {1000 * max(waits):.0f} ms at most", flush=True)
    SearchAgent(1, Effort(long)).choose(asked(states, rng))
    print(
        f"after a thought of {long:g} s:"
        f" {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB at most"
    )


if __name__ == "__main__":
    words = [*sys.argv[1:], *("1000", "0.05", "60")[len(sys.argv) - 1 :]]
    main(int(words[0]), float(words[1]), float(words[2]))
