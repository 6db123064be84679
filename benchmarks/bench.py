"""Speeds as ratios to handwritten plain Python, the median of three on one core.

`python benchmarks/bench.py` (or `make bench`) prints the targets next to the numbers, with "ok" or
"below". It never fails.
"""

from __future__ import annotations

import gc
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import natively
import simulate
from hand_games import GAMES
from pace import ROOT, ROUNDS, SECONDS, command, folder, line, on_one_core, word

import rulekit
from rulekit.runtime.intrinsics import sample, undo
from rulekit.runtime.program import Program
from rulekit.runtime.slots import PC

WARGAME = "sphacteria"
LARGE, LONGEST = "amphipolis", "campaign"  # the largest game, and its longest scenario
TARGETS = {  # game: (fast, full), as multiples of the same game by hand
    "tic_tac_toe": (1.0, 0.8),
    "connect_four": (1.0, 0.8),
    "breakthrough": (3.0, 2.5),
    "hex": (1.0, 0.8),
    WARGAME: (1.0, 0.6),
    LARGE: (0.8, 0.5),  # multiples of breakthrough by hand
}


def rate(play: Callable[[random.Random], int]) -> float:
    """Return the decisions per second of whole random games."""
    rng, done, began = random.Random(1), 0, time.process_time()
    while (passed := time.process_time() - began) < SECONDS:
        done += play(rng)
    return done / passed


# ------------------------------------------------------------------------------ ways to play a game
def by_hand(make: Callable[[], Any]) -> Callable[[random.Random], int]:
    def play(rng: random.Random) -> int:
        game, moves = make(), 0
        while not game.is_over():
            game.apply(rng.choice(game.legal_moves()))
            moves += 1
        return moves

    return play


def fast(program: Program) -> Callable[[random.Random], int]:
    code = program.code("fast")

    def play(rng: random.Random) -> int:
        state, moves, layers, apply, uniform = (
            code.blank(rng.getrandbits(32)),
            0,
            code.layers,
            code.apply,
            rng.random,
        )
        code.begin(state)
        while state[PC]:
            apply(state, sample(layers(state), uniform()))
            moves += 1
        return moves

    return play


def full(program: Program) -> Callable[[random.Random], int]:
    """Return a player that records all events and old values, with the marks that undo needs."""
    code = program.code("full")

    def play(rng: random.Random) -> int:
        state, layers, apply, uniform = (
            code.blank(rng.getrandbits(32)),
            code.layers,
            code.apply,
            rng.random,
        )
        log: list[Any] = []
        trail: list[int] = []
        marks: list[tuple[int, int]] = []
        code.begin(state, log, trail)
        while state[PC]:
            marks.append((len(log), len(trail)))
            apply(state, sample(layers(state), uniform()), log, trail)
        return len(marks)

    return play


def surface(game: rulekit.Game) -> Callable[[random.Random], int]:
    """Return a player that uses the public `State` with its options as objects."""

    def play(rng: random.Random) -> int:
        state, moves = game.new(seed=rng.getrandbits(32)), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
        return moves

    return play


# ---------------------------------------------------------------------------------------- the table
def speeds() -> None:
    print(
        f"\nrandom play, decisions per second; ratios to the same game by hand ({WARGAME}, {LARGE}:"
        " to breakthrough by hand)\n"
    )
    print(
        f"{'game':14}{'by hand':>12}{'fast':>12}{'full':>12}{'State':>10}  "
        f" {'fast/hand':>10}{'full/hand':>11}"
    )
    for name, (want_fast, want_full) in TARGETS.items():
        if not any((ROOT / base / name / "game.yaml").exists() for base in ("examples", "games")):
            print(f"{name:14} (not here)")
            continue
        game = rulekit.load(folder(name))
        program = game.program(LONGEST if name == LARGE else None)
        players = [
            by_hand(GAMES.get(name, GAMES["breakthrough"])),
            fast(program),
            full(program),
            surface(game),
        ]
        rounds = []
        for _ in range(ROUNDS):
            gc.collect()
            rounds.append([rate(play) for play in players])
        hand, quick, whole, public = (statistics.median(r[i] for r in rounds) for i in range(4))
        f = statistics.median(r[1] / r[0] for r in rounds)
        w = statistics.median(r[2] / r[0] for r in rounds)
        marks = f"  at least {want_fast} {word(f >= want_fast)}, {want_full} {word(w >= want_full)}"
        print(
            f"{name:14}{hand:12,.0f}{quick:12,.0f}{whole:12,.0f}{public:10,.0f}  "
            f" {f:10.2f}{w:11.2f}{marks}"
        )


MAPS = {  # folder: title, least decisions per second
    "blocks240": ("240 hexes", 8_000),
    "athens_sparta": ("athens_sparta", 8_000),
    "peloponnesian_war": ("peloponnesian_war", 20_000),
}


def large() -> None:
    """Print decisions per second and the longest decision on large maps, the best of three in
    processor time."""
    for name, (said, least) in MAPS.items():
        pace, slowest = walked(name)
        if name == "blocks240":
            ratio = pace / rate(by_hand(GAMES["breakthrough"]))
            line(
                f"{said}, fast, against breakthrough by hand",
                f"{ratio:.2f} times that",
                "at least 0.10",
                ratio >= 0.1,
            )
        line(
            f"{said}, fast, decisions per second",
            f"{pace:,.0f}",
            f"at least {least:,}",
            pace >= least,
        )
        line(
            f"{said}, the longest decision",
            f"{slowest * 1e3:.1f} ms",
            "less than 5 ms",
            slowest < 0.005,
        )


def walked(name: str) -> tuple[float, float]:
    """Return decisions per second and the seconds of the longest decision, over four random
    games."""
    code, best = rulekit.load(folder(name)).program().code("fast"), list[float]()
    for _ in range(ROUNDS):
        rng, times = random.Random(1), list[float]()
        for _ in range(4):
            state = code.blank(rng.getrandbits(32))
            code.begin(state)
            while state[PC]:
                began = time.process_time()
                code.apply(state, sample(code.layers(state), rng.random()))
                times.append(time.process_time() - began)
        best = [min(pair) for pair in zip(best, times, strict=True)] if best else times
    return len(best) / sum(best), max(best)


def length() -> None:
    """Print that a decision costs the same early and late, and that an undo costs no more than the
    step."""
    game = rulekit.load(folder("endless"))
    early, late, undone = [], [], []
    for _ in range(ROUNDS):
        state, rng = game.new(seed=1), random.Random(1)

        def steps(number: int, state: Any = state, rng: random.Random = rng) -> float:
            began = time.process_time()
            for _ in range(number):
                state.apply_action(rng.choice(state.legal_actions()))
            return (time.process_time() - began) / number

        steps(1_000)
        early.append(steps(4_000))
        steps(93_000)
        late.append(steps(4_000))
        undone.append(late_undo(state, 4_000))
    a, b = min(early), min(late)
    line("a decision after 1,000 others", f"{a * 1e6:.1f} us")
    line(
        "a decision after 100,000 others", f"{b / a:.2f} times that", "at most 1.10", b / a <= 1.10
    )
    line("undo against the step", f"{min(undone) / b:.2f}", "at most 1.00", min(undone) <= b)


def late_undo(state: Any, number: int) -> float:
    began = time.process_time()
    for _ in range(number):
        state.undo()
    return (time.process_time() - began) / number


def records() -> None:
    """Print the cost of undo against the step for the emitted code alone."""
    program = rulekit.load(folder("breakthrough")).program()
    code, rng = program.code("full"), random.Random(1)
    forth = back = 0.0
    for _ in range(300):
        state, log, trail, marks = code.blank(1), list[Any](), list[int](), list[tuple[int, int]]()
        code.begin(state, log, trail)
        began = time.process_time()
        while state[PC]:
            marks.append((len(log), len(trail)))
            code.apply(state, sample(code.layers(state), rng.random()), log, trail)
        middle = time.process_time()
        while marks:
            events, old = marks.pop()
            undo(state, trail, old)
            del log[events:]
        forth, back = forth + middle - began, back + time.process_time() - middle
    line(
        "undo against the step, emitted code, breakthrough",
        f"{back / forth:.2f}",
        "at most 1.00",
        back <= forth,
    )


def forecasts() -> None:
    """Print the time of a forecast of all paths of a march, in choices of the same games and in
    milliseconds."""
    if not (ROOT / "games" / LARGE / "game.yaml").exists():
        return
    game, rng = rulekit.load(folder(LARGE)), random.Random(1)
    found, choices, chosen = list[float](), 0, 0.0
    for seed in range(ROUNDS):
        state = game.new(LONGEST, seed=seed)
        while not state.is_terminal() and len(found) < 40 * (seed + 1):
            asked = state.decision
            if asked is not None and asked.kind == "walk" and len(asked.options) > 1:
                began = time.process_time()
                rulekit.Seat(state, asked.player).forecast()
                found.append(time.process_time() - began)
            action = rng.choice(state.legal_actions())
            began = time.process_time()
            state.apply_action(action)
            chosen, choices = chosen + time.process_time() - began, choices + 1
    middle, most = statistics.median(found), max(sorted(found)[:-1])
    ratio = middle / (chosen / choices)
    line(
        f"forecast of a march ({LARGE}), against a choice",
        f"{ratio:.0f} times that",
        "at most 100",
        ratio <= 100,
    )
    line("the longest but one", f"{most * 1e3:.0f} ms", "less than 50 ms", most < 0.05)


def commands() -> None:
    times = statistics.median(command("-m", "rulekit", "--help") for _ in range(ROUNDS))
    line("rulekit --help", f"{times:.3f} s", "less than 0.2 s", times < 0.2)
    name = WARGAME if (ROOT / "games" / WARGAME / "game.yaml").exists() else "hex"
    path = str(folder(name))
    cold, warm, compiles, starts, loads = [], [], [], [], []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(command("-m", "rulekit", "check", path, cache=cache))
            warm.append(command("-m", "rulekit", "check", path, cache=cache))
            begin = f"import rulekit; rulekit.load({path!r}).new(seed=1)"
            with tempfile.TemporaryDirectory() as empty:
                compiles.append(command("-c", begin, cache=empty))
            starts.append(command("-c", begin, cache=cache))
            loads.append(load_time(path, cache))
    first, again, load = statistics.median(cold), statistics.median(warm), statistics.median(loads)
    line(f"rulekit check {name}, the first time", f"{first:.2f} s", "less than 2 s", first < 2)
    line(f"rulekit check {name}, again", f"{again:.2f} s", "less than 0.5 s", again < 0.5)
    line(f"{name}, from nothing to the first decision", f"{statistics.median(compiles):.2f} s")
    line(f"{name}, from the cache, in a new process", f"{statistics.median(starts):.2f} s")
    line(f"loading {name} from the cache", f"{load:.3f} s", "less than 0.1 s", load < 0.1)


def load_time(path: str, cache: str) -> float:
    """Return the seconds from `load` to the first decision, in a new process that has loaded
    another game before."""
    other = str(folder("tic_tac_toe"))
    code = (
        f"import time, rulekit; rulekit.load({other!r}).new(seed=1); t = time.process_time(); "
        f"rulekit.load({path!r}).new(seed=1); print(time.process_time() - t)"
    )
    environment = dict(os.environ, RULEKIT_CACHE=cache)
    words = [sys.executable, "-c", code]
    return float(
        subprocess.run(
            words, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
        ).stdout
    )


def memory() -> None:
    """Print the peak memory in MiB of a new process that compiles the wargame, and of one that
    plays it from the cache."""
    path = str(folder(WARGAME if (ROOT / "games" / WARGAME / "game.yaml").exists() else "hex"))
    code = (
        f"import random, resource, rulekit; state = rulekit.load({path!r}).new(seed=1); rng ="
        " random.Random(1)\nwhile not state.is_terminal():"
        " state.apply_action(rng.choice(state.legal_actions()))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss"
        " / 1024, len(state.to_json()) / 1024)"
    )
    with tempfile.TemporaryDirectory() as cache:
        words, environment = [sys.executable, "-c", code], dict(os.environ, RULEKIT_CACHE=cache)
        first, again = (
            subprocess.run(
                words, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
            ).stdout
            for _ in range(2)
        )
    line("memory of a process that compiles it and plays", f"{float(first.split()[0]):.0f} MiB")
    line("memory of a process that plays it from the cache", f"{float(again.split()[0]):.0f} MiB")
    line("a state of it as JSON", f"{float(again.split()[1]):.1f} KiB")
    if (ROOT / "games" / LARGE / "game.yaml").exists():
        whole_game()


def whole_game() -> None:
    """Print the peak memory in MiB that a random game of the longest scenario takes with all its
    events, beyond the loaded game."""
    code = (
        "import random, tracemalloc, rulekit; state ="
        f" rulekit.load({str(folder(LARGE))!r}).new({LONGEST!r}, seed=1)\nstate.legal_actions();"
        " rng = random.Random(1); tracemalloc.start()\nwhile not state.is_terminal():"
        " state.apply_action(rng.choice(state.legal_actions()))\n"
        "print(tracemalloc.get_traced_memory()[1]"
        " / 2**20, len(state.events))"
    )
    with tempfile.TemporaryDirectory() as cache:
        words, environment = [sys.executable, "-c", code], dict(os.environ, RULEKIT_CACHE=cache)
        more, events = subprocess.run(
            words, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
        ).stdout.split()
    line(
        f"{LARGE} {LONGEST}, a game with all {int(events):,} events",
        f"{float(more):.1f} MiB",
        "less than 64 MiB",
        float(more) < 64,
    )


def main() -> None:
    simulate.main()  # on all cores, before this process keeps to one
    on_one_core()
    print(
        f"Python {sys.version.split()[0]}, one core, median of {ROUNDS}; rates in processor time,"
        " commands by the clock"
    )
    speeds()
    large()
    print()
    length()
    records()
    forecasts()
    commands()
    memory()
    natively.main()


if __name__ == "__main__":
    main()
