"""Takes counts of results, makes shares with Wilson confidence intervals and summaries of lengths."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

Z95 = 1.959963984540054


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share."""
    if trials == 0:
        return 0.0, 1.0
    share, square = hits / trials, Z95 * Z95
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    half = Z95 / (1 + square / trials) * sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
    return max(0.0, middle - half), min(1.0, middle + half)


def share(hits: int, trials: int) -> dict[str, float]:
    """A count with its share and interval, for JSON."""
    low, high = wilson(hits, trials)
    return {"count": hits, "share": round(hits / trials, 6) if trials else 0.0, "low": round(low, 6), "high": round(high, 6)}


def summary(numbers: Sequence[int]) -> dict[str, float]:
    """Least, quarters, greatest and mean."""
    if not numbers:
        return {}
    ordered = sorted(numbers)
    last = len(ordered) - 1
    return {"min": ordered[0], "q1": ordered[last // 4], "median": ordered[last // 2], "q3": ordered[last * 3 // 4],
            "max": ordered[last], "mean": round(sum(ordered) / len(ordered), 2)}
