"""Takes a game and seats, makes a league: every pair of seats in every scenario, on both sides; and
of its tallies, the standings."""

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
from rulekit.common.i18n.catalog import fault, filled, hint
from rulekit.common.intervals import share
from rulekit.engine.game.game import Game
from rulekit.engine.search.registry import agents_of, is_agent, make_agent, meaning, searching
from rulekit.engine.simulation.ranges import Order
from rulekit.engine.simulation.tally import Tally
from rulekit.experiments.ratings import ladder
from rulekit.runtime.seeds import check_seed

SEATS = (
    "random",
    "greedy",
    "search:easy",
    "search",
)  # where none are named; greedy where the game has what it looks at
APART = 1 << 32  # between the seeds of two ways to sit


@frozen
class Meeting:
    """Two seats (numbers among those of the league) that play in a scenario, sitting in one way."""

    one: int
    other: int
    order: Order


@frozen
class League:
    """The seats by name, the meetings, and the scenarios in which they are."""

    game: Game
    seats: tuple[str, ...]
    meetings: list[Meeting]
    scenarios: list[str | None] = field(factory=list)

    @property
    def timed(self) -> bool:
        """Does a seat think for seconds? Then its games are others when they are played again."""
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
    """The league: each pair, each scenario (all of the game, if none are named) and each way to sit
    has so many games. Game number i of the n-th way to sit, from 0 on, has the seed `seed` + n 2^32
    + i. RulekitError for seats and scenarios that are none.
    """
    sides = game.sides
    if len(sides) < 2:
        raise fault(RulekitError, "league.alone", game=game.name)
    places = (
        [game.scenario(each) for each in dict.fromkeys(scenarios)] or list(game.scenarios) or [None]
    )
    state = game.new(places[0], 0, rulings)
    has = agents_of(state)
    for seat in named:
        if not is_agent(seat):
            near = hint(game.lang, seat, has)
            raise RulekitError(
                filled(game.lang, "no_seat", name=repr(seat), known=", ".join(has))
                + (f"; {near}" if near else "")
            )
        make_agent(seat, state)  # RulekitError if the game has not what it looks at
    seats = tuple(dict.fromkeys(named or [seat for seat in SEATS if seat in has]))
    for one, other in combinations(seats, 2):
        if meaning(one) == meaning(other):
            raise fault(RulekitError, "league.same", one=repr(one), other=repr(other))
    if len(seats) < 2:
        raise fault(RulekitError, "league.few", known=", ".join(has))
    check_seed(check_seed(seed) + 2 * len(sides) * APART + games)
    meetings = [
        Meeting(one, other, Order(games, seed + n * APART, scenario, dict(rulings or {}), plan))
        for scenario in places
        for one, other in combinations(range(len(seats)), 2)
        for n, plan in enumerate(line_ups(sides, *sorted((seats[one], seats[other]))))
    ]
    return League(game, seats, meetings, places)


def line_ups(sides: Sequence[str], one: str, other: str) -> list[dict[str, str]]:
    """The ways in which two seats sit side by side in turns: each sits on each side as often as the
    other."""
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
    """The seats of the league whose results a file holds that this league does not have.
    RulekitError if they are of another game, or of no league: they would be lost."""
    try:
        data = json.loads(read_plain(file, most))
        game, seats = data["game"], [str(each["seat"]) for each in data["table"]]
    except FileRefused as refused:
        if refused.why == "missing":
            return []
        raise
    except (KeyError, TypeError, ValueError, RecursionError):
        raise fault(RulekitError, "league.no_results", file=printable(str(file))) from None
    if game != league.game.name:
        raise fault(
            RulekitError,
            "league.other_game",
            file=printable(str(file)),
            other=printable(str(game)),
            game=league.game.name,
        )
    return [seat for seat in seats if seat not in league.seats]


# --------------------------------------------------------------------------------------------------
def standings(league: League, tallies: Sequence[Tally]) -> dict[str, Any]:
    """What the games say, as plain data with stable keys: ratings, each seat against each other,
    and by scenario and side. A win is a point, a game that nobody wins half of one."""
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
    meeting: Meeting,
    tally: Tally,
    scores: list[list[float]],
    counts: Counter[tuple[int, int, str]],
    beside: Counter[tuple[int, str | None, str, str]],
) -> None:
    """Adds the games of a meeting."""
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


__all__ = ["League", "Meeting", "ask_same_game", "league_of", "line_ups", "standings"]
