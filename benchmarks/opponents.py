"""Play the search against OpenSpiel's MCTSBot (C++, random rollouts, with its solver) at equal
time.

    python benchmarks/opponents.py GAME [GAMES] [SECONDS]

Both play the same game, move by move, each in its own engine. It is asserted that both report the
same result.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyspiel

import rulekit
from rulekit.common.intervals import wilson
from rulekit.engine.game.state import State
from rulekit.engine.search.search_agent import Effort, SearchAgent

UCT, MOST = (
    2.0,
    1 << 30,
)  # its exploration constant from its examples, and its simulations
ROOT = Path(__file__).resolve().parent.parent
NAMES = {
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "breakthrough": "breakthrough(rows=8,columns=8)",
    "hex": "hex(board_size=11)",
}


def drop(key: str, _: int) -> str:
    """`drop 3` of Connect Four: a column from 0."""
    return str(int(key.split()[1]) - 1)


def place(key: str, _: int) -> str:
    """`place c4`: the same in Hex."""
    return key.split()[1]


def mark(key: str, _: int) -> str:
    """`mark b3` of Tic-tac-toe: a cell by its row and column from 0."""
    cell = key.split()[1]
    return f"({ord(cell[0]) - 97},{int(cell[1]) - 1})"


def step(key: str, side: int) -> str:
    """`step 1 b2` of Breakthrough: in OpenSpiel the first side begins at the top and moves down."""
    _, aside, cell = key.split()
    column, row = ord(cell[0]), int(cell[1])
    to = row + (1 if side == 0 else -1)
    return f"{cell[0]}{9 - row}{chr(column + int(aside))}{9 - to}"


WORDS: dict[str, Callable[[str, int], str]] = {
    "tic_tac_toe": mark,
    "connect_four": drop,
    "breakthrough": step,
    "hex": place,
}


class Theirs:
    """MCTSBot, limited to seconds by its own clock."""

    def __init__(self, game: pyspiel.Game, seconds: float, seed: int) -> None:
        rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
        self.bot = pyspiel.MCTSBot(
            game,
            rollouts,
            UCT,
            MOST,
            1000,
            True,
            seed,
            False,
            pyspiel.ChildSelectionPolicy.UCT,
            seconds,
        )
        self.spent, self.moves = 0.0, 0

    def choose(self, state: pyspiel.State) -> int:
        begin = time.perf_counter()
        action: int = self.bot.step(state)
        self.spent, self.moves = self.spent + time.perf_counter() - begin, self.moves + 1
        return action


def play(name: str, seconds: float, seed: int, first: int) -> tuple[float, float, float]:
    """Play a game. Return our points, and the seconds of a move for each player.

    Args:
        first: our seat.
    """
    game, their_game = rulekit.load(ROOT / "examples" / name), pyspiel.load_game(NAMES[name])
    state: State = game.new(seed=seed)
    other = their_game.new_initial_state()
    ours, theirs, spent, moves = (
        SearchAgent(seed, Effort(seconds)),
        Theirs(their_game, seconds, seed + 1),
        0.0,
        0,
    )
    while not state.is_terminal():
        side = state.current_player()
        marked = name in (
            "tic_tac_toe",
            "connect_four",
        )  # there the mark of the player precedes the place
        said = {
            re.sub(r"[^a-z0-9,()]", "", other.action_to_string(a)[marked:]): a
            for a in other.legal_actions()
        }
        known = {
            said[WORDS[name](option.key, side)]: option.id for option in state.decision.options
        }
        if side == first:
            begin = time.perf_counter()
            chosen = ours.choose(state)
            spent, moves = spent + time.perf_counter() - begin, moves + 1
        else:
            chosen = known[theirs.choose(other)]
        other.apply_action(next(a for a, id in known.items() if id == chosen))
        state.apply_action(chosen)
    assert other.is_terminal() and [x > 0 for x in other.returns()] == [
        x > 0 for x in state.returns()
    ], (other, state)
    return (
        (state.returns()[first] + 1) / 2,
        spent / max(moves, 1),
        theirs.spent / max(theirs.moves, 1),
    )


def main(name: str, games: int, seconds: float) -> None:
    """Print the points by seat."""
    rulekit.load(ROOT / "examples" / name).native()
    found: tuple[list[float], list[float]] = ([], [])
    times: list[tuple[float, float]] = []
    for n in range(games):
        points, own, others = play(name, seconds, 2 * n, n % 2)
        found[n % 2].append(points)
        times.append((own, others))
    both = found[0] + found[1]
    low, high = wilson(sum(both), len(both))
    print(
        f"{name}: {sum(both):g} of {games} against MCTSBot ({100 * sum(both) / games:.1f} %,"
        f" {100 * low:.0f} to {100 * high:.0f}), {both.count(1)} won, {both.count(0.5)} drawn,"
        f" {both.count(0)} lost; {sum(found[0]):g} of {len(found[0])} as the first,"
        f" {sum(found[1]):g} of {len(found[1])} as the second;"
        f" {1000 * sum(t[0] for t in times) / games:.0f} ms a move, MCTSBot"
        f" {1000 * sum(t[1] for t in times) / games:.0f} ms",
        flush=True,
    )


if __name__ == "__main__":
    main(
        sys.argv[1],
        int(sys.argv[2]) if len(sys.argv) > 2 else 200,
        float(sys.argv[3]) if len(sys.argv) > 3 else 0.2,
    )
