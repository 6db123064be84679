"""Elo ratings by maximum likelihood, with intervals.

The model is that of Bradley and Terry ("Rank analysis of incomplete block designs", Biometrika 39,
1952, 324-345). In a game between i and j, the expected score of i is 1 / (1 + 10^((r_j - r_i) /
400)). A draw counts as half a win and half a loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, log1p, sqrt

from attrs import frozen

from rulekit.common.intervals import Z95

SCALE = 400 / log(10)  # points of Elo for a unit of log-odds
PRIOR = 0.5  # drawn games against the mean, if there is no finite estimate otherwise
STEP = 1.0  # longest step of an iteration, in log-odds
MIN_CHECKED_STEP = 1e-3  # shorter steps are always taken: rounding would hide whether they climb
CLOSE = 1e-9
MAX_RATING_ROUNDS = 200

Matrix = list[list[float]]


@frozen
class Rating:
    """Points above the mean of all players, and the bounds of the 95 % interval."""

    elo: float
    low: float
    high: float


@frozen
class Ladder:
    """The ratings, in the order of the players.

    Attributes:
        prior: True if half a draw against the mean was added for each player, because there is no
            finite estimate otherwise.
    """

    ratings: list[Rating]
    prior: bool


def ladder(scores: Sequence[Sequence[float]]) -> Ladder:
    """Rate players from a matrix of points: `scores[i][j]` is the number that i won against j.

    An interval is 1.96 standard errors on both sides, from the inverse of the information matrix.

    >>> [round(each.elo) for each in ladder([[0, 3], [1, 0]]).ratings]
    [95, -95]
    """
    prior = 0.0 if _connected(scores) else PRIOR
    found = _strengths(scores, prior)
    mean, covariance = (
        sum(found) / len(found),
        _centred(_inverse(_information(scores, found, prior))),
    )
    ratings = []
    for i, strength in enumerate(found):
        half = Z95 * sqrt(max(0.0, covariance[i][i]))
        ratings.append(Rating(*(SCALE * (strength - mean + shift) for shift in (0.0, -half, half))))
    return Ladder(ratings, prior > 0)


def _connected(scores: Sequence[Sequence[float]]) -> bool:
    """Return True if every player is connected to every other by a chain in which each won points
    against the next.

    If not, a group of players won nothing against the rest, and the likelihood grows without bound
    as the two groups move apart (Ford 1957).
    """

    def reached(backwards: bool) -> int:
        seen, new = {0}, [0]
        while new:
            at = new.pop()
            more = [
                j
                for j in range(len(scores))
                if j not in seen and (scores[j][at] if backwards else scores[at][j]) > 0
            ]
            seen.update(more)
            new.extend(more)
        return len(seen)

    return reached(False) == reached(True) == len(scores)


def _strengths(scores: Sequence[Sequence[float]], prior: float) -> list[float]:
    """Return the maximum-likelihood strengths in log-odds, by Newton's method. A step that does not
    increase the likelihood is halved.
    """
    here = [0.0] * len(scores)
    for _ in range(MAX_RATING_ROUNDS):
        step = _times(_inverse(_information(scores, here, prior)), _slope(scores, here, prior))
        longest = max(map(abs, step))
        factor, height = (
            min(1.0, STEP / longest) if longest else 0.0,
            _likelihood(scores, here, prior),
        )
        there = _moved(here, step, factor)
        while (
            longest > MIN_CHECKED_STEP
            and factor > CLOSE
            and _likelihood(scores, there, prior) < height
        ):
            factor /= 2
            there = _moved(here, step, factor)
        here = there
        if longest < CLOSE:
            break
    return here


def _moved(here: Sequence[float], step: Sequence[float], factor: float) -> list[float]:
    return [x + factor * s for x, s in zip(here, step, strict=True)]


def _expected(difference: float) -> float:
    return 1 / (1 + exp(-difference)) if difference > 0 else 1 - 1 / (1 + exp(difference))


def _log_expected(difference: float) -> float:
    return -log1p(exp(-difference)) if difference > 0 else difference - log1p(exp(difference))


def _likelihood(scores: Sequence[Sequence[float]], at: Sequence[float], prior: float) -> float:
    games = sum(
        won * _log_expected(at[i] - at[j])
        for i, row in enumerate(scores)
        for j, won in enumerate(row)
        if won
    )
    return games + sum(prior / 2 * (_log_expected(x) + _log_expected(-x)) for x in at)


def _slope(scores: Sequence[Sequence[float]], at: Sequence[float], prior: float) -> list[float]:
    many = range(len(at))
    return [
        prior * (0.5 - _expected(at[i]))
        + sum(
            scores[i][j] - (scores[i][j] + scores[j][i]) * _expected(at[i] - at[j])
            for j in many
            if j != i
        )
        for i in many
    ]


def _information(scores: Sequence[Sequence[float]], at: Sequence[float], prior: float) -> Matrix:
    """Return the information matrix.

    Without a prior only differences between players are determined. The matrix of a zero mean is
    then added to make it invertible, which changes no difference.
    """
    many = len(at)
    found = [[0.0 if prior else 1 / many] * many for _ in range(many)]
    for i in range(many):
        sure = _expected(at[i])
        found[i][i] += prior * sure * (1 - sure)
        for j in range(many):
            if j != i:
                sure = _expected(at[i] - at[j])
                weight = (scores[i][j] + scores[j][i]) * sure * (1 - sure)
                found[i][i] += weight
                found[i][j] -= weight
    return found


def _centred(covariance: Matrix) -> Matrix:
    """Return the covariance matrix of the distances from the mean."""
    many = len(covariance)
    rows = [sum(row) / many for row in covariance]
    mean = sum(rows) / many
    return [[covariance[i][j] - rows[i] - rows[j] + mean for j in range(many)] for i in range(many)]


def _times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def _inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a symmetric positive-definite matrix, by elimination."""
    many = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(many))] for i, row in enumerate(matrix)]
    for at in range(many):
        best = max(range(at, many), key=lambda i: abs(rows[i][at]))
        rows[at], rows[best] = rows[best], rows[at]
        head = rows[at][at]
        rows[at] = [x / head for x in rows[at]]
        for i in range(many):
            if i != at and rows[i][at]:
                factor = rows[i][at]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[at], strict=True)]
    return [row[many:] for row in rows]
