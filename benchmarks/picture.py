"""Measure the first picture of a decision with costs after a game was compiled.

    python benchmarks/picture.py [GAME...]

Only the traced variant of the code reports reasons. A picture does not need it, so it should take a
small part of the time that compiling this variant takes. Each game is compiled in a new process
with an empty cache.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GAMES = ("sphacteria", "amphipolis")
PART = 0.2  # the limit as a share of the time of the traced variant
CODE = """import json, random, sys, time, rulekit
from rulekit.presentation.seat import Seat
game = rulekit.load(sys.argv[1])
state, rng = game.new(seed=1), random.Random(1)
begin = time.process_time()
first = 0.0
while state.decision is not None:
    begin = time.process_time()
    for side in (*game.sides, None):
        seat = Seat(state, side)
        seat.decision(), seat.position(), seat.log()
    first = time.process_time() - begin
    if any(state.table.book.family(option).prices for option in state.legal_actions()):
        break
    state.apply_action(rng.choice(list(state.legal_actions())))
begin = time.process_time()
game.program().code("traced")
print(json.dumps([first, time.process_time() - begin]))
"""


def measured(game: str) -> tuple[float, float]:
    """Return the processor seconds of the first picture with a cost, and of the traced variant
    after it."""
    with tempfile.TemporaryDirectory() as cache:
        environment = dict(os.environ, RULEKIT_CACHE=cache)
        done = subprocess.run(
            [sys.executable, "-c", CODE, game],
            cwd=ROOT,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
    first, traced = json.loads(done.stdout.splitlines()[-1])
    return first, traced


def main() -> None:
    for game in sys.argv[1:] or GAMES:
        first, traced = measured(game)
        verdict = "ok" if first < PART * traced else "TOO LONG"
        part = first / max(traced, 1e-9)
        print(
            f"{game}: the first picture with a price {first:.3f} s, the traced variant {traced:.2f}"
            f" s: {part:.2f} of it (less than {PART}: {verdict})"
        )


if __name__ == "__main__":
    main()
