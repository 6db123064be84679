"""Speeds of the native module for random games, and its costs in time and size.

The speeds are ratios to Python's `fast` variant, and to OpenSpiel's C++ loop over the same games
with its uniform random bots, all on one core. Run `python benchmarks/natively.py`, or `make bench`
for all benchmarks.
"""

from __future__ import annotations

import statistics
import tempfile
import time
import zlib
from collections.abc import Callable

import wasmtime
from pace import ROUNDS, SECONDS, command, folder, line, on_one_core, word

import rulekit
from rulekit.runtime.wasm import NotNative, WasmInstance
from rulekit.runtime.wasm_format import RESULT

THEIRS = {  # our game: their game, and the target as a multiple of their speed
    "tic_tac_toe": ("tic_tac_toe", 6),
    "connect_four": ("connect_four", 6),
    "breakthrough": ("breakthrough(rows=8,columns=8)", 12),
    "hex": ("hex(board_size=11)", 6),
}
WANTED = {
    "sphacteria": ("", 50.0),
    "amphipolis": ("campaign", 40.0),
    "blocks240": ("", 0.0),
    "athens_sparta": ("", 20.0),
    "peloponnesian_war": ("", 20.0),
}  # scenario, and the target as a multiple of `fast`
PER_SECOND = {"blocks240": 150_000}


def games_a_second(play: Callable[[int, int], int], least: int) -> float:
    """Return games per second. `play(first, games)` plays games with seeds from `first` on."""
    games = least
    play(0, games)
    while True:
        began = time.process_time()
        play(1, games)
        passed = time.process_time() - began
        if passed >= SECONDS:
            return games / passed
        games = max(games + 1, min(games * 10, int(games * SECONDS * 1.2 / max(passed, 1e-6))))


def in_python(game: rulekit.Game, scenario: str) -> Callable[[int, int], int]:
    from rulekit.runtime.random_playouts import playouts

    program = game.program(scenario or None)
    return lambda first, games: sum(p.decisions for p in playouts(program, first, games))


def in_module(machine: WasmInstance) -> Callable[[int, int], int]:
    def play(first: int, games: int) -> int:
        done = 0
        while done < games:
            done += len(machine.play(first + done, games - done).results) // RESULT
        return done

    return play


def by_openspiel(name: str) -> Callable[[int, int], int]:
    import pyspiel

    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, 1 + player) for player in range(2)]

    def play(first: int, games: int) -> int:
        for seed in range(first, first + games):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return games

    return play


def speeds() -> None:
    """Print decisions per second. The ratios are medians of rounds in which all are measured one
    after the other."""
    print("\nrandom games in the native module, decisions per second\n")
    print(
        f"{'game':18}{'fast':>12}{'native':>14}{'OpenSpiel':>12}  "
        f" {'native/fast':>12}{'/OpenSpiel':>12}"
    )
    for name in (*THEIRS, *WANTED):
        scenario, times = WANTED.get(name, ("", 0.0))
        theirs, against = THEIRS.get(name, ("", 0))
        try:
            game = rulekit.load(folder(name))
            machine = game.wasm_instance(scenario or None)
        except (StopIteration, NotNative) as reason:
            print(f"{name:18} {reason or '(not here)'}")
            continue
        each = statistics.mean(p.decisions for p in machine.playouts(1, 300))
        rounds = []
        for _ in range(ROUNDS):
            quick = games_a_second(in_python(game, scenario), 1)
            native = games_a_second(in_module(machine), 10)
            rounds.append(
                (quick, native, games_a_second(by_openspiel(theirs), 10) if theirs else 0.0)
            )
        quick, native, other = (each * statistics.median(r[i] for r in rounds) for i in range(3))
        ratio = statistics.median(r[1] / r[0] for r in rounds)
        versus = statistics.median(r[1] / r[2] for r in rounds) if theirs else 0.0
        marks = f"  at least {against} times OpenSpiel {word(versus >= against)}" if theirs else ""
        marks += f"  at least {times:.0f} times fast {word(ratio >= times)}" if times else ""
        least = PER_SECOND.get(name)
        marks += f"  at least {least:,} {word(native >= least)}" if least else ""
        columns = (
            f"{other:12,.0f}   {ratio:12.1f}{versus:12.1f}"
            if theirs
            else f"{'':12}   {ratio:12.1f}{'':12}"
        )
        print(f"{name:18}{quick:12,.0f}{native:14,.0f}{columns}{marks}")


def modules() -> None:
    """Print the time to build the module of the largest game, with the game, and the size of the
    module."""
    path = folder("amphipolis")
    begin = f"import rulekit; rulekit.load({str(path)!r}).wasm_instance()"
    cold, warm = [], []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(command("-c", begin, cache=cache))
            warm.append(command("-c", begin, cache=cache))
    first = statistics.median(cold)
    line("amphipolis with its module, from nothing", f"{first:.2f} s", "at most 5 s", first <= 5)
    line("amphipolis with its module, from the cache", f"{statistics.median(warm):.2f} s")
    size = len(wasmtime.wat2wasm(zlib.decompress(rulekit.load(path).wasm_instance().native.text)))
    line("amphipolis, its module", f"{size / 1e6:.2f} MB", "at most 1.5 MB", size <= 1_500_000)


def main() -> None:
    speeds()
    print()
    modules()


if __name__ == "__main__":
    on_one_core()
    main()
