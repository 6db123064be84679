"""Learn a total of Sphacteria from games of the search against itself, and play it against the
total of the search.

    python benchmarks/learned.py gather FOLDER [GAMES] [VISITS]
        # 300 games of search:100, to FOLDER/games.npz
    python benchmarks/learned.py fit FOLDER
        # explains how games end, to FOLDER/learned.rules
    python benchmarks/learned.py play FOLDER [VISITS] [PAIRS] [OTHER]
        # the same seeds with sides exchanged. OTHER: iterations of the other

It needs numpy. The features and the learned total are written in the rules language, in a copy of
the game in FOLDER. The target is the final lead of Athens, predicted from positions at the
beginning of a search horizon. It is tested on games that were left out.

The lead and the turn are fitted first. Ridge regression on the features then explains the residual.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

import rulekit
from rulekit.adapters.tensors import Planes
from rulekit.engine.game.game import Game
from rulekit.engine.kernel.scoring import measures
from rulekit.engine.search.mcts import aims, leads
from rulekit.engine.search.search_agent import Effort, SearchAgent
from rulekit.runtime.slots import PC

Numbers = NDArray[np.float64]
GAMES = Path(__file__).resolve().parent.parent / "games"
UNIT = 1200  # the value of a point of the lead in the learned total
SCALE = 96  # the scale of the search's own total
TURNS = range(1, 8)
FOLDS, ALPHAS = 10, 10.0 ** np.arange(0, 6.5, 0.5)
LAND, SEA = ("P", "Q", "T", "R, S", "K, L, O", "M, U, V"), ("H", "I", "J", "A, B, C, D, E, F, G")
PLANES = (
    "Piece.zone",
    "reduced",
    "gone",
    "delay",
    "arrived",
    "called",
    "played",
    "Face.zone",
    "pa",
    "initiative",
    "hand",
    "laid",
    "removed",
    "supply",
    "suspended",
    "burnt",
    "fire_from",
    "turn",
)
FEATURES = [
    f
    for s in ("athens", "sparta")
    for f in (
        *(f"mustered(Piece where owner = {s} and soldier and zone in {{{z}}})" for z in LAND),
        *(f"mustered(Piece where owner = {s} and ship and zone in {{{z}}})" for z in SEA),
        f"count(on_map where owner = {s} and leader)",
        f"count(weak_ones({s}))",
        f"supply({s})",
        f"count(hand({s}))",
    )
]
RULES = "define mustered(g: set Piece): int = sum(pf of g) as int\n"


def copied(folder: Path, rules: str) -> Game:
    """Return the game with additional rules."""
    for name in ("sphacteria", "peloponnesian"):
        shutil.copytree(GAMES / name, folder / "games" / name, dirs_exist_ok=True)
    (folder / "games" / "sphacteria" / "rules" / "9_learned.rules").write_text(RULES + rules)
    game = rulekit.load(folder / "games" / "sphacteria")
    game.native()
    return game


def gather(folder: Path, games: int = 300, visits: int = 100) -> None:
    """Play games and store the positions at the beginning of a search horizon."""
    game = copied(
        folder,
        "".join(f"total feature_{n}(s: Side): int\n  base {f}\n" for n, f in enumerate(FEATURES)),
    )
    found: list[tuple[float, ...]] = []
    seen: list[NDArray[np.float16]] = []
    for seed in range(games):
        state = game.new(seed=seed)
        program, planes, begun = state.table.program, Planes(state.names), len(found)
        goal, measured, code = aims(program), measures(program), program.code("fast")
        at = [
            next(i for i, t in enumerate(program.totals) if t.name == f"feature_{n}")
            for n in range(len(FEATURES))
        ]
        agents = [SearchAgent(2 * seed + side, Effort(0, visits)) for side in range(2)]
        while not state.is_terminal():
            if state.slots[PC] == goal.horizon:
                s = state.slots[:]
                found.append(
                    (
                        seed,
                        leads(code, goal, s)[0],
                        s[measured.turn],
                        *(code.total(s, i, [0]) for i in at),
                    )
                )
                both = planes.named(np.maximum(planes.tensor(state, 0), planes.tensor(state, 1)))
                seen.append(
                    np.concatenate([both[name].ravel() for name in PLANES]).astype(np.float16)
                )
            state.apply_action(agents[state.current_player()].choose(state))
        athens, sparta = measured.scores(code, state.slots)
        found[begun:] = [(*row, athens - sparta, state.returns()[0]) for row in found[begun:]]
        print(f"\r{seed + 1} games, {len(found)} positions", end="", flush=True)
    np.savez_compressed(folder / "games.npz", found=np.array(found), seen=np.array(seen))
    print()


def ridge(x: Numbers, y: Numbers, games: NDArray[np.int_]) -> tuple[Numbers, float]:
    """Return the weights and the constant. The shrinkage is chosen by cross-validation over
    games."""
    mean, wide = x.mean(0), x.std(0) + 1e-9
    z, part, errors = (x - mean) / wide, games % 5, np.zeros(len(ALPHAS))

    def solved(rows: NDArray[np.bool_]) -> Iterator[tuple[Numbers, float]]:
        a, b = z[rows], y[rows]
        middle, level = a.mean(0), b.mean()
        values, vectors = np.linalg.eigh((a - middle).T @ (a - middle))
        turned = vectors.T @ ((a - middle).T @ (b - level))
        for alpha in ALPHAS:
            w = vectors @ (turned / (values.clip(0) + alpha))
            yield w, level - middle @ w

    for p in range(5):
        errors += [((z[part == p] @ w + c - y[part == p]) ** 2).sum() for w, c in solved(part != p)]
    w, c = list(solved(part >= 0))[int(errors.argmin())]
    return w / wide, c - (mean / wide) @ w


def known(lead: Numbers, turn: Numbers) -> Numbers:
    """Return the base features: the lead, which counts more the later it is, and the turn."""
    return np.column_stack([lead, lead * turn, *(turn == t for t in TURNS[1:])]).astype(float)


def learned(
    base: Numbers, more: Numbers, y: Numbers, games: NDArray[np.int_]
) -> Callable[[Numbers, Numbers], Numbers]:
    """Fit the lead and the turn first, and then the rest to the residual."""
    first, c = ridge(base, y, games)
    rest, d = ridge(more, y - base @ first - c, games) if more.shape[1] else (np.zeros(0), 0.0)
    return lambda base, more: base @ first + c + more @ rest + d


def fit(folder: Path) -> None:
    """Print the share of the final result that is explained in left-out games, and write the
    total."""
    with np.load(folder / "games.npz") as kept:
        found, seen = kept["found"], kept["seen"].astype(float)
    games, base, features, rng = (
        found[:, 0],
        known(found[:, 1], found[:, 2]),
        found[:, 3:-2],
        np.random.default_rng(1),
    )
    tried = {
        "lead and turn": features[:, :0],
        "and features": features,
        "and planes": seen[:, (seen != seen[0]).sum(0) >= 10],
    }
    numbers, fold = np.unique(games, return_inverse=True)
    folds = rng.permutation(len(numbers))[fold] % FOLDS
    drawn = rng.integers(0, len(numbers), (2000, len(numbers)))
    for name, y in (("lead in the end", found[:, -2]), ("win 1, loss -1", found[:, -1])):
        errors = {}
        for what, more in (("nothing", None), *tried.items()):
            p = np.zeros(len(y))
            for f in range(FOLDS):
                out, into = folds == f, folds != f
                p[out] = (
                    y[into].mean()
                    if more is None
                    else learned(base[into], more[into], y[into], fold[into])(base[out], more[out])
                )
            errors[what] = np.bincount(fold, (p - y) ** 2)
        none, first = errors.pop("nothing"), errors["lead and turn"]
        for what, each in errors.items():
            gained = np.percentile((first - each)[drawn].sum(1) / none[drawn].sum(1), (2.5, 97.5))
            print(
                f"{name}, {what:14} R2 {1 - each.sum() / none.sum():.3f}, more by"
                f" {(first - each).sum() / none.sum():+.3f} ({gained[0]:+.3f} to {gained[1]:+.3f})"
            )
    write(folder, learned(base, features, found[:, -2], fold), found)


def write(folder: Path, value: Callable[[Numbers, Numbers], Numbers], found: Numbers) -> None:
    """Write the learned total in the rules language, preceded by its scale, which grows with the
    variation of the total."""
    none, each = np.zeros(len(FEATURES)), np.eye(len(FEATURES))

    def at(lead: float, turn: int, features: Numbers = none) -> int:
        return round(UNIT * float(value(known(np.array([lead]), np.array([turn])), features)[0]))

    lines = [
        f"({at(0, t)} + {at(1, t) - at(0, t)} * (prospect(athens) - prospect(sparta))) when s is"
        f" athens and turn = {t}"
        for t in TURNS
    ]
    lines += [
        f"{at(0, 1, each[n]) - at(0, 1)} * {f} when s is athens" for n, f in enumerate(FEATURES)
    ]
    same = found[2:, 0] == found[:-2, 0]
    worth = UNIT * value(known(found[:, 1], found[:, 2]), found[:, 3:-2])
    grown, before = (np.std((x[2:] - x[:-2])[same]) for x in (worth, found[:, 1]))
    text = "".join(f"  modifier m{n} {x}\n" for n, x in enumerate(lines))
    (folder / "learned.rules").write_text(
        f"# {round(SCALE * grown / before)}\ntotal learned(s: Side): int\n  base 0\n{text}"
    )


def play(folder: Path, visits: int = 1500, pairs: int = 40, other: int = 0) -> None:
    """Play pairs of games and print the points of the player with the learned total."""
    rules = (folder / "learned.rules").read_text()
    game = copied(folder, rules)
    program = game.table().program
    plain = aims(program)
    own = evolve(
        plain,
        total=[t.name for t in program.totals].index("learned"),
        scale=float(rules.split()[1]),
    )
    points, spent = np.zeros((pairs, 2)), [0.0, 0.0]
    for n in range(pairs):
        for side in range(2):
            seed, state = 10_000 + n, game.new(seed=10_000 + n)
            agents = [
                SearchAgent(
                    2 * seed + i,
                    Effort(0, visits if i == side else other or visits),
                    given=own if i == side else plain,
                )
                for i in range(2)
            ]
            while not state.is_terminal():
                who, begun = state.current_player(), time.process_time()
                chosen = agents[who].choose(state)
                spent[who != side] += time.process_time() - begun
                state.apply_action(chosen)
            points[n, side] = (state.returns()[side] + 1) / 2
        done = 100 * points[: n + 1]
        mean, error = done.mean(), 1.96 * done.mean(1).std(ddof=1) / (n + 1) ** 0.5 if n else 50
        print(
            f"{n + 1} pairs: {mean:.1f} of 100 ({mean - error:.0f} to {mean + error:.0f}), as"
            f" Athens {done[:, 0].mean():.1f}, as Sparta {done[:, 1].mean():.1f}; seconds"
            f" {spent[0]:.0f}, of the other {spent[1]:.0f}",
            flush=True,
        )


if __name__ == "__main__":
    {"gather": gather, "fit": fit, "play": play}[sys.argv[1]](
        Path(sys.argv[2]), *map(int, sys.argv[3:])
    )
