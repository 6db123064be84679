"""Ratings maximize the likelihood. If there is no maximum, a weak prior creates one, and this is
reported."""

from __future__ import annotations

from itertools import pairwise
from math import exp, log10, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulekit.common.intervals import Z95
from rulekit.experiments.ratings import SCALE, ladder


@given(st.integers(2, 7), st.integers(1, 500))
def test_who_scores_alike_is_rated_alike(players: int, score: int) -> None:
    found = ladder([[0 if i == j else score / 2 for j in range(players)] for i in range(players)])
    assert not found.prior
    for each in found.ratings:
        assert each.elo == pytest.approx(0, abs=1e-6) and each.low < 0 < each.high


@given(st.integers(1, 99), st.sampled_from((1, 4, 25)))
def test_two_are_apart_as_the_formula_says(points: int, games: int) -> None:
    """With a share s of the points, the difference is 400 log10(s / (1 - s)). Half of the interval
    is that of the log-odds of a share."""
    share = points / 100
    one, other = ladder([[0, games * share], [games * (1 - share), 0]]).ratings
    assert one.elo - other.elo == pytest.approx(400 * log10(share / (1 - share)), abs=1e-6)
    assert one.elo == pytest.approx(-other.elo)
    error = SCALE / sqrt(games * share * (1 - share)) / 2  # standard error of half the difference
    assert one.high - one.elo == pytest.approx(Z95 * error) == pytest.approx(other.elo - other.low)


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=6))
def test_what_the_model_foretells_gives_its_ratings_back(strengths: list[float]) -> None:
    expected = [
        [0 if i == j else 50 / (1 + exp(b - a)) for j, b in enumerate(strengths)]
        for i, a in enumerate(strengths)
    ]
    mean = sum(strengths) / len(strengths)
    found = ladder(expected).ratings
    for each, strength in zip(found, strengths, strict=True):
        assert each.elo == pytest.approx(SCALE * (strength - mean), abs=1e-4)


@given(st.permutations(range(4)))
def test_the_order_of_the_players_does_not_matter(order: list[int]) -> None:
    scores = [[0, 7, 9, 12], [5, 0, 6, 10.5], [3, 6, 0, 8], [0, 1.5, 4, 0]]
    plain = ladder(scores).ratings
    turned = ladder([[scores[i][j] for j in order] for i in order]).ratings
    for at, i in enumerate(order):
        assert turned[at].elo == pytest.approx(plain[i].elo) and turned[at].high == pytest.approx(
            plain[i].high
        )


@pytest.mark.parametrize(
    "scores",
    [
        [[0, 10], [0, 0]],  # all won
        [[0, 5, 10], [5, 0, 10], [0, 0, 0]],  # all lost
        [
            [0, 4, 9, 9],
            [5, 0, 9, 9],
            [0, 0, 0, 3],
            [0, 0, 6, 0],
        ],  # two players against whom the others won nothing
        [[0, 5, 0], [5, 0, 0], [0, 0, 0]],  # a player without games
        [[0, 0], [0, 0]],
    ],
)
def test_without_a_finite_estimate_a_prior_makes_one(scores: list[list[float]]) -> None:
    found = ladder(scores)
    assert found.prior
    assert all(abs(each.elo) < 2000 and each.low < each.elo < each.high for each in found.ratings)


def test_with_a_prior_intervals_are_those_of_its_likelihood() -> None:
    """Half a drawn game of each against the mean is information too, and nothing else is added."""
    one, middle, other = ladder([[0, 0, 0], [40, 0, 0], [40, 40, 0]]).ratings
    halves = [(each.high - each.low) / 2 for each in (one, middle, other)]
    assert halves == pytest.approx([507.9, 323.1, 507.9], abs=0.05)
    assert one.elo == pytest.approx(-other.elo) and middle.elo == pytest.approx(0, abs=1e-6)


def test_who_won_all_is_above_and_the_more_the_higher() -> None:
    gaps = [ladder([[0, games], [0, 0]]).ratings[0].elo for games in (1, 10, 100, 10_000)]
    assert all(low < high for low, high in pairwise([0.0, *gaps]))


def test_more_games_make_narrower_intervals() -> None:
    wide, narrow = (ladder([[0, 3 * n, 2 * n], [n, 0, n], [2 * n, n, 0]]).ratings for n in (1, 100))
    for one, other in zip(wide, narrow, strict=True):
        assert one.elo == pytest.approx(other.elo) and one.high - one.low == pytest.approx(
            10 * (other.high - other.low)
        )


def test_a_share_of_nearly_all_is_found() -> None:
    """Far from the start the likelihood is flat, and Newton's step overshoots."""
    one, other = ladder([[0, 1e6 - 0.5], [0.5, 0]]).ratings
    assert one.elo - other.elo == pytest.approx(400 * log10((1e6 - 0.5) / 0.5), abs=1e-3)
