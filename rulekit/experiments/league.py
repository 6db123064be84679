"""Leagues: every pair of seats plays every scenario, each seat on both sides. Standings are
computed from the tallies.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from attrs import field, frozen

from rulekit.common.errors import RulekitError
from rulekit.common.files import FileRefused, printable, read_plain
from rulekit.common.i18n.messages import _
from rulekit.common.i18n.reasons import near
from rulekit.common.intervals import share
from rulekit.engine.game.game import Game
from rulekit.engine.search.agent_registry import agents_of, is_agent, make_agent, meaning, searching
from rulekit.engine.simulation.ranges import Order
from rulekit.engine.simulation.tally import Tally
from rulekit.experiments.ratings import ladder
from rulekit.runtime.seeds import check_seed

SEATS = (
    "random",
    "greedy",
    "search:easy",
    "search",
)  # defaults; greedy only if the game has a total for it
APART = 1 << 32  # difference between the seeds of two line-ups


@frozen
class LeaguePairing:
    """Two seats (as indices into the seats of the league) that play a scenario with one line-up."""

    one: int
    other: int
    order: Order


@frozen
class League:
    """The seats by name, the meetings between them, and the scenarios played."""

    game: Game
    seats: tuple[str, ...]
    meetings: list[LeaguePairing]
    scenarios: list[str | None] = field(factory=list)

    @property
    def timed(self) -> bool:
        """True if a seat thinks for a number of seconds. The games of such a league are not
        reproducible.
        """
        return any(
            (effort := searching(seat)) is not None and effort.seconds > 0 for seat in self.seats
        )


def league_of(
    game: Game,
    named: Sequence[str],
    games: int,
    seed: int = 0,
    scenarios: Sequence[str] = (),
    rulings: dict[str, str] | None = None,
) -> League:
    """Set up a league.

    Each combination of a pair, a scenario and a line-up has `games` games. Game i of line-up n,
    both counted from 0, has the seed `seed` + n 2^32 + i. Without named scenarios, all scenarios of
    the game are played.

    Raises:
        RulekitError: a seat or scenario does not exist, two seats mean the same, there are fewer
            than two seats, or the game has fewer than two sides.
    """
    sides = game.sides
    if len(sides) <= 1:
        raise RulekitError(
            _("{game} has one side: there is nobody to play against", game=game.name)
        )
    places = (
        [game.scenario(each) for each in dict.fromkeys(scenarios)] or list(game.scenarios) or [None]
    )
    state = game.new(places[0], 0, rulings)
    has = agents_of(state)
    for seat in named:
        if not is_agent(seat):
            close = near(seat, has)
            raise RulekitError(
                _(
                    "there is no seat {name}; there are {known}",
                    name=repr(seat),
                    known=", ".join(has),
                ).text(game.lang)
                + (f"; {close.text(game.lang)}" if close else "")
            )
        make_agent(seat, state)  # RulekitError if the game has not what it looks at
    seats = tuple(dict.fromkeys(named or [seat for seat in SEATS if seat in has]))
    for one, other in combinations(seats, 2):
        if meaning(one) == meaning(other):
            raise RulekitError(
                _(
                    "{one} and {other} are the same seat: name it once",
                    one=repr(one),
                    other=repr(other),
                )
            )
    if len(seats) <= 1:
        raise RulekitError(
            _(
                "a league needs at least two different seats: --seat WHO --seat"
                " WHO; there are {known}",
                known=", ".join(has),
            )
        )
    check_seed(check_seed(seed) + 2 * len(sides) * APART + games)
    meetings = [
        LeaguePairing(
            one, other, Order(games, seed + n * APART, scenario, dict(rulings or {}), plan)
        )
        for scenario in places
        for one, other in combinations(range(len(seats)), 2)
        for n, plan in enumerate(line_ups(sides, *sorted((seats[one], seats[other]))))
    ]
    return League(game, seats, meetings, places)


def line_ups(sides: Sequence[str], one: str, other: str) -> list[dict[str, str]]:
    """Return the ways to seat two players in turn around the sides, so that each plays each side
    equally often.
    """
    many, found = len(sides), list[dict[str, str]]()
    for first, second in ((one, other), (other, one)):
        for begin in range(many):
            plan = {
                side: first if (at - begin) % many % 2 == 0 else second
                for at, side in enumerate(sides)
            }
            if plan not in found:
                found.append(plan)
    return found


def ask_same_game(league: League, file: Path, most: int = 10_000_000) -> list[str]:
    """Return the seats of an existing results file that are not in this league, so that their
    results would be lost.

    Raises:
        RulekitError: the file holds the results of another game, or is not a results file.
    """
    try:
        data = json.loads(read_plain(file, most))
        game, seats = data["game"], [str(each["seat"]) for each in data["table"]]
    except FileRefused as refused:
        if refused.why == "missing":
            return []
        raise
    except (KeyError, TypeError, ValueError, RecursionError):
        raise RulekitError(
            _(
                "{file} holds no results of a league, and would be overwritten:"
                " name another folder with --out",
                file=printable(str(file)),
            )
        ) from None
    if game != league.game.name:
        raise RulekitError(
            _(
                "{file} holds a league of {other}, which one of {game} would"
                " overwrite: name another folder with --out",
                file=printable(str(file)),
                other=printable(str(game)),
                game=league.game.name,
            )
        )
    return [seat for seat in seats if seat not in league.seats]


# ---------------------------------------------------------------------------------------- standings
def standings(league: League, tallies: Sequence[Tally]) -> dict[str, Any]:
    """Return the results as plain data with stable keys: ratings, each pair of seats, and each
    scenario and side.

    A win is one point, a game without a winner half a point.
    """
    many = len(league.seats)
    scores = [[0.0] * many for _ in range(many)]
    counts: Counter[tuple[int, int, str]] = Counter()
    beside: Counter[tuple[int, str | None, str, str]] = Counter()
    for meeting, tally in zip(league.meetings, tallies, strict=True):
        _count(league, meeting, tally, scores, counts, beside)
    rated = ladder(scores)
    table = [
        {
            "seat": seat,
            "elo": round(each.elo, 1),
            "low": round(each.low, 1),
            "high": round(each.high, 1),
            **_points(*(sum(counts[i, j, how] for j in range(many)) for how in HOW)),
        }
        for i, (seat, each) in enumerate(zip(league.seats, rated.ratings, strict=True))
    ]
    pairs = [
        {
            "seat": league.seats[i],
            "against": league.seats[j],
            **_points(*(counts[i, j, how] for how in HOW)),
        }
        for i in range(many)
        for j in range(many)
        if i != j
    ]
    sides = [
        {
            "seat": seat,
            "scenario": scenario,
            "side": side,
            **_points(*(beside[i, scenario, side, how] for how in HOW)),
        }
        for scenario in league.scenarios
        for side in league.game.sides
        for i, seat in enumerate(league.seats)
    ]
    first = league.meetings[0].order
    return {
        "game": league.game.name,
        "scenarios": [scenario or "" for scenario in league.scenarios],
        "rulings": dict(sorted(first.rulings.items())),
        "seed": first.seed,
        "prior": rated.prior,
        "timed": league.timed,
        "games": sum(tally.games for tally in tallies),
        "failed": sum(tally.failed for tally in tallies),
        "table": table,
        "pairs": pairs,
        "sides": [{**each, "scenario": each["scenario"] or ""} for each in sides],
    }


HOW = ("won", "drawn", "lost")


def _points(won: int, drawn: int, lost: int) -> dict[str, Any]:
    games = won + drawn + lost
    found = share(won + drawn / 2, games)
    return {
        "games": games,
        "won": won,
        "drawn": drawn,
        "lost": lost,
        "score": found["share"],
        "score_low": found["low"],
        "score_high": found["high"],
    }


def _count(
    league: League,
    meeting: LeaguePairing,
    tally: Tally,
    scores: list[list[float]],
    counts: Counter[tuple[int, int, str]],
    beside: Counter[tuple[int, str | None, str, str]],
) -> None:
    """Add the games of a meeting."""
    plan, order = meeting.order.seats, ((meeting.one, meeting.other), (meeting.other, meeting.one))
    for winner, games in tally.wins.items():
        for me, you in order:
            how = "drawn" if not winner else "won" if plan[winner] == league.seats[me] else "lost"
            counts[me, you, how] += games
            scores[me][you] += games * (1.0 if how == "won" else 0.5 if how == "drawn" else 0.0)
            for side, seat in plan.items():
                if seat == league.seats[me]:
                    beside[
                        me,
                        meeting.order.scenario,
                        side,
                        "drawn" if not winner else "won" if side == winner else "lost",
                    ] += games


__all__ = ["League", "LeaguePairing", "ask_same_game", "league_of", "line_ups", "standings"]
