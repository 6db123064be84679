"""Turn a tally into plain data with stable keys: shares with intervals, and summaries."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rulekit.common.intervals import share, summary
from rulekit.engine.kernel.scoring import measures
from rulekit.engine.simulation.tally import Tally
from rulekit.runtime.program import Program

NOBODY = "nobody"  # stands for the winner of a draw


def results(program: Program, tally: Tally, coverage: int = 0) -> dict[str, Any]:
    """Return everything that was counted.

    Args:
        coverage: one game in this number was watched, or 0.
    """
    n, wins, levels = tally.games, tally.wins, tally.levels
    sides = program.side_ids
    reached = [level for level in program.levels if level in levels]
    out: dict[str, Any] = {
        "games": n,
        "decisions": tally.decisions,
        "events": tally.events if tally.watched in (0, n) and tally.events else None,
        "results": {
            "winners": {
                who or NOBODY: share(wins[who], n) for who in [*sides, ""] if who or wins[""]
            },
            "levels": {level: share(levels[level], n) for level in program.levels},
            "by_winner": {
                f"{w or NOBODY} {level}": share(k, n)
                for (w, level), k in sorted(tally.results.items())
            },
        },
        "length": summary(tally.lengths),
        "turns": summary(tally.turns) if measures(program).turns else {},
        "score": _scores(program, tally),
        "failed": tally.failed,
        "failures": tally.failures,
        "levels_reached": f"{len(reached)}/{len(program.levels)}",
    }
    if coverage:
        out["watched"] = {"games": tally.watched, "every": coverage}
        out["coverage"] = tally.seen.report(program)
    return out


def _scores(program: Program, tally: Tally) -> dict[str, Any] | None:
    """Return each side's score at the end of the game and of each turn, or None."""
    known = measures(program)
    if known.score < 0:
        return None
    sides = program.side_ids
    out: dict[str, Any] = {
        "total": known.name,
        "final": {side: summary(final_scores(tally, side)) for side in sides},
    }
    if known.turns:
        out["by_turn"] = {
            str(turn): {side: summary(scores_at(tally, turn, side)) for side in sides}
            for turn in turns_of(tally)
        }
    return out


def turns_of(tally: Tally) -> list[int]:
    """Return the turns that ended in any game, in order."""
    return sorted({turn for turn, _, _ in tally.scores})


def scores_at(tally: Tally, turn: int, side: str) -> Counter[int]:
    """Return the number of games by a side's score at the end of a turn."""
    return Counter(
        {score: n for (t, who, score), n in tally.scores.items() if (t, who) == (turn, side)}
    )


def final_scores(tally: Tally, side: str) -> Counter[int]:
    """Return the number of games by a side's score at the end of the game."""
    return Counter({score: n for (who, score), n in tally.final.items() if who == side})
