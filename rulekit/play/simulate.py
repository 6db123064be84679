"""Takes a game and a number, plays that many games and makes a report: results, lengths, levels with confidence intervals, coverage."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, field, frozen

from rulekit.base.errors import RulesError
from rulekit.play import coverage
from rulekit.play.agents import HUMAN, make_agents, seat_plan
from rulekit.play.coverage import Seen
from rulekit.play.game import Game
from rulekit.play.seeds import check_seed
from rulekit.play.stats import share, summary
from rulekit.program import runtime
from rulekit.program.code import as_rules_error
from rulekit.program.program import LEVEL, PC, WINNER, Program

GAME_LIMIT = 1_000_000  # choices; a game that is longer does not end


@frozen
class Order:
    """What is to be played."""

    games: int
    seed: int = 0
    scenario: str | None = None
    rulings: dict[str, str] = field(factory=dict)
    seats: dict[str, str] = field(factory=dict)
    coverage: bool = False
    full: bool = False


@define
class Tally:
    """What was counted; tallies of several processes add up."""

    games: int = 0
    decisions: int = 0
    events: int = 0
    wins: Counter[str] = field(factory=Counter)  # winner (or "")
    levels: Counter[str] = field(factory=Counter)
    pairs: Counter[tuple[str, str]] = field(factory=Counter)  # winner and level
    lengths: list[int] = field(factory=list)
    failures: list[str] = field(factory=list)
    seen: Seen = field(factory=Seen)

    def add(self, other: Tally) -> None:
        """Adds what another process counted."""
        self.games += other.games
        self.decisions += other.decisions
        self.events += other.events
        self.wins.update(other.wins)
        self.levels.update(other.levels)
        self.pairs.update(other.pairs)
        self.lengths.extend(other.lengths)
        self.failures.extend(other.failures)
        self.seen.add(other.seen)

    def ended(self, winner: str, level: str, length: int) -> None:
        """Counts one finished game."""
        self.games += 1
        self.decisions += length
        self.wins[winner] += 1
        self.levels[level] += 1
        self.pairs[winner, level] += 1
        self.lengths.append(length)


def _fast_game(program: Program, seed: int) -> tuple[str, str, int]:
    """One game of random seats: options are sampled from their layers, nothing is recorded."""
    code = program.code("fast")
    slots = code.blank(seed, 0)
    u = random.Random(runtime.branch(seed, 0)).random
    layers, apply, sample = code.layers, code.apply, runtime.sample
    length = 0
    try:
        code.begin(slots)
        while slots[PC]:
            apply(slots, sample(layers(slots), u()))
            length += 1
            if length > GAME_LIMIT:
                raise RulesError(f"the game has not ended after {GAME_LIMIT} choices")
    except Exception as error:
        raise as_rules_error(program, error) from error
    winner = program.kinds[program.sides].members[slots[WINNER]] if slots[WINNER] >= 0 else ""
    return winner, program.levels[slots[LEVEL]], length


def _full_game(game: Game, order: Order, seed: int, tally: Tally) -> tuple[str, str, int]:
    state = game.new(order.scenario, seed, order.rulings)
    agents = make_agents(order.seats, state, seed)
    watch = coverage.Watch(state, tally.seen) if order.coverage else None
    length = 0
    while not state.is_terminal():
        agent = agents[state.current_player()]
        assert agent is not None
        action = agent.choose(state)
        if watch:
            watch.before(action)
        state.apply_action(action)
        failed = state._code.invariants(state._s)
        if failed:
            raise RulesError(f"the invariant {state.table.program.invariants[failed[0]].name!r} does not hold")
        if watch:
            watch.after()
        length += 1
        if length > GAME_LIMIT:
            raise RulesError(f"the game has not ended after {GAME_LIMIT} choices")
    tally.events += len(state.events)
    result = state.result
    assert result is not None
    return result.winner or "", result.level, length


def play_part(game: Game, order: Order, begin: int, end: int, tick: Callable[[int], None] | None = None) -> Tally:
    """Plays the games with the numbers begin .. end - 1; game number i has the seed order.seed + i."""
    tally = Tally()
    program = game.program(order.scenario, order.rulings)
    fast = not order.coverage and not order.full and all(s == "random" for s in order.seats.values())
    for number in range(begin, end):
        seed = order.seed + number
        try:
            tally.ended(*(_fast_game(program, seed) if fast else _full_game(game, order, seed, tally)))
        except RulesError as error:
            tally.failures.append(f"seed {seed}: {error}")
        if tick:
            tick(number - begin + 1)
    return tally


def _worker(source: Callable[[], Game], order: Order, begin: int, end: int) -> Tally:
    return play_part(source(), order, begin, end)


def play(game: Game, order: Order, jobs: int = 1, source: Callable[[], Game] | None = None,
         tick: Callable[[int], None] | None = None) -> tuple[Tally, float]:
    """Plays all games of an order; with `jobs` above 1 in processes that each get their game from `source` (picklable)."""
    begin = time.perf_counter()
    if jobs <= 1 or source is None or order.games < 2:
        tally = play_part(game, order, 0, order.games, tick)
    else:
        tally = _in_processes(order, jobs, source, tick)
    return tally, time.perf_counter() - begin


def _in_processes(order: Order, jobs: int, source: Callable[[], Game], tick: Callable[[int], None] | None) -> Tally:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    tally = Tally()
    chunk = max(1, order.games // (jobs * 4))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        parts = [pool.submit(_worker, source, order, i, min(i + chunk, order.games)) for i in range(0, order.games, chunk)]
        for part in parts:  # in order, so that the report does not depend on who was first
            tally.add(part.result())
            if tick:
                tick(tally.games + len(tally.failures))
    return tally


def simulate(game: Game, games: int, seed: int = 0, scenario: str | None = None, rulings: Mapping[str, str] | None = None,
             seats: Mapping[str, str] | None = None, coverage: bool = False) -> dict[str, Any]:
    """Plays many games in this process; returns the report as plain data."""
    order = make_order(game, games, seed, scenario, rulings, seats or {}, coverage)
    tally, seconds = play(game, order)
    return report(game, order, tally, seconds)


def make_order(game: Game, games: int, seed: int, scenario: str | None, rulings: Mapping[str, str] | None, seats: Mapping[str, str],
               coverage: bool = False, full: bool = False) -> Order:
    """An order with its seats filled in."""
    plan = seat_plan(seats, game.blank(scenario, 0, rulings), "random")
    if HUMAN in plan.values():
        from rulekit.base.errors import RulekitError

        raise RulekitError("a person cannot sit in a simulation")
    check_seed(check_seed(seed) + games)
    return Order(games, seed, scenario, dict(rulings or {}), plan, coverage, full)


def report(game: Game, order: Order, tally: Tally, seconds: float) -> dict[str, Any]:
    """The report with the stable keys of `simulate --json`."""
    program = game.program(order.scenario, order.rulings)
    n = tally.games
    sides = program.kinds[program.sides].members if program.sides >= 0 else []
    reached = [level for level in program.levels if level in tally.levels]
    out: dict[str, Any] = {
        "games": n, "decisions": tally.decisions, "events": tally.events or None, "seconds": round(seconds, 3),
        "results": {"winners": {who or "nobody": share(tally.wins.get(who, 0), n) for who in [*sides, ""] if who or tally.wins.get("")},
                    "levels": {level: share(tally.levels.get(level, 0), n) for level in program.levels},
                    "by_winner": {f"{w or 'nobody'} {level}": share(k, n) for (w, level), k in sorted(tally.pairs.items())}},
        "seats": order.seats, "length": summary(tally.lengths), "failures": tally.failures, "seed": order.seed,
        "scenario": program.scenario, "levels_reached": f"{len(reached)}/{len(program.levels)}",
    }
    if order.coverage:
        out["coverage"] = tally.seen.report(program)
    return out


__all__ = ["Order", "Tally", "make_order", "play", "report", "simulate"]
