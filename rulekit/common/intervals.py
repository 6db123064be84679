"""Shares of counted results with 95 % confidence intervals, and summaries of counts."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

Z95 = 1.959963984540054


def wilson(hits: float, trials: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a share: Wilson's score interval.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of
    the American Statistical Association 22, 1927, 209-212. Half hits make it a little too wide.

    The interval contains the shares p for which the observed share lies at most 1.96 of *their*
    standard deviations, sqrt(p (1 - p) / trials), from p. So it stays within 0 and 1. It does not
    shrink to a point if all or none were hits, and is right for few trials too.

    >>> [round(end, 4) for end in wilson(0, 10)]
    [0.0, 0.2775]
    """
    if trials == 0:
        return 0.0, 1.0
    share, square = hits / trials, Z95 * Z95
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    half = (
        Z95
        / (1 + square / trials)
        * sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
    )
    return max(0.0, middle - half), min(1.0, middle + half)


def share(hits: float, trials: int) -> dict[str, float]:
    """Return a count with its share and interval, for JSON."""
    low, high = wilson(hits, trials)
    return {
        "count": hits,
        "share": round(hits / trials, 6) if trials else 0.0,
        "low": round(low, 6),
        "high": round(high, 6),
    }


def summary(counts: Mapping[int, int]) -> dict[str, float]:
    """Return minimum, quartiles, maximum and mean of numbers with their frequencies."""
    many = sum(counts.values())
    if not many:
        return {}
    last = many - 1
    return {
        "min": min(counts),
        "q1": ranked(counts, last // 4),
        "median": ranked(counts, last // 2),
        "q3": ranked(counts, last * 3 // 4),
        "max": max(counts),
        "mean": round(sum(number * n for number, n in counts.items()) / many, 2),
    }


def ranked(counts: Mapping[int, int], rank: int) -> int:
    """Return the number at a rank, from 0, in the sorted sequence of all counted numbers."""
    for number in sorted(counts):
        rank -= counts[number]
        if rank < 0:
            return number
    raise IndexError(rank)
