"""Play the games of a range of numbers and tally them.

A range of numbers is the unit of work. The result is the same in this process, in another one, or
on another machine (`range_player`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from attrs import field, frozen

from rulekit.common.errors import RulekitError, RulesError
from rulekit.engine.game.game import Game
from rulekit.engine.kernel.names import Names
from rulekit.engine.kernel.scoring import Measures, measures
from rulekit.engine.search.agent_registry import (
    HUMAN,
    Agent,
    RandomAgent,
    make_agents,
    searching,
    seat_plan,
)
from rulekit.engine.simulation import coverage as covering
from rulekit.engine.simulation.coverage import CoverageCounts
from rulekit.engine.simulation.results import results
from rulekit.engine.simulation.tally import PlayedGame, Tally
from rulekit.runtime import intrinsics
from rulekit.runtime.code import as_rules_error
from rulekit.runtime.program import Program
from rulekit.runtime.seeds import check_seed, seed_text
from rulekit.runtime.slots import LEVEL, PC, WINNER
from rulekit.runtime.variants import FAST, FULL, TRACED

GAME_LIMIT = 1_000_000  # choices. A longer game is taken to be endless
RANDOM = "random"


@frozen
class Order:
    """The settings of a simulation. Game number i, from 0 on, has the seed `seed` + i.

    Attributes:
        games: the number of games.
        coverage: one game in this number is watched, beginning with the first. A watched game
            counts the events, options, cards and modifiers that occur. 0 means none.
        full: record all events and test the invariants after every choice.
    """

    games: int
    seed: int = 0
    scenario: str | None = None
    rulings: dict[str, str] = field(factory=dict)
    seats: dict[str, str] = field(factory=dict)
    coverage: int = 0
    full: bool = False

    @property
    def random(self) -> bool:
        """True if all seats are random."""
        return all(seat == RANDOM for seat in self.seats.values())

    @property
    def searches(self) -> bool:
        """True if a seat searches. It uses the native module if there is one."""
        return any(searching(seat) for seat in self.seats.values())

    @property
    def variants(self) -> set[str]:
        """The variants of the game's code that may be needed."""
        records = self.full or self.coverage or not self.random
        return {FAST, *([FULL] if records else []), *([TRACED] if self.coverage else [])}

    def watches(self, number: int) -> bool:
        """Return True if the game with this number is watched."""
        return bool(self.coverage) and number % self.coverage == 0


# plays the games with the numbers begin .. end - 1
RangePlayer = Callable[[int, int], Tally]


def range_player(game: Game, order: Order) -> RangePlayer:
    """Return a function that plays ranges of an order.

    If all seats are random and nothing is recorded, games run in the fast variant, without states
    and agents. Other games run in a variant that records, with the same choices and results. A
    faster player can replace this one, provided that it counts the same for the same numbers.
    """
    return _Player(game, order).play


def play(game: Game, order: Order) -> tuple[Tally, float]:
    """Play all games of an order in this process. Return the tally and the seconds that it took."""
    begin = time.perf_counter()
    tally = range_player(game, order)(0, order.games)
    return tally, time.perf_counter() - begin


class _Player:
    """Plays games of one order with the emitted Python."""

    def __init__(self, game: Game, order: Order) -> None:
        self.game, self.order = game, order
        self.program: Program = game.program(order.scenario, order.rulings)
        self.measures: Measures = measures(self.program)
        self.sides = self.program.side_ids
        self.random = order.random

    def play(self, begin: int, end: int) -> Tally:
        """Play the games with the numbers begin .. end - 1."""
        tally = Tally()
        for number in range(begin, end):
            seed, watched = self.order.seed + number, self.order.watches(number)
            try:
                fast = self.random and not watched and not self.order.full
                tally.ended(
                    self.fast_game(seed) if fast else self.full_game(seed, tally, watched),
                    self.sides,
                )
            except RulesError as error:
                tally.broke(number, f"seed {seed_text(seed)}: {error}")
        return tally

    def fast_game(self, seed: int) -> PlayedGame:
        """Play one game of random seats: sample options from their layers and record nothing."""
        program, scores, at = self.program, self.measures.scores, self.measures.turn
        code = program.code(FAST)
        slots = code.blank(seed, 0)
        layers, apply, drawn, mix, player = (
            code.layers,
            code.apply,
            intrinsics.drawn,
            intrinsics.mix,
            _choices_seed(seed),
        )
        marks: list[tuple[int, list[int]]] = []
        length = marked = 0
        try:
            code.begin(slots)
            turn = slots[at]
            while slots[PC]:
                apply(slots, drawn(layers(slots), mix(player, length)))
                length += 1
                if slots[at] != turn:
                    marks.append((turn, scores(code, slots)))
                    turn, marked = slots[at], length
                if length > GAME_LIMIT:
                    raise RulesError(f"the game has not ended after {GAME_LIMIT} choices")
            if marked < length or not length:  # otherwise the last mark is the end of the game
                marks.append((turn, scores(code, slots)))
        except Exception as error:
            raise as_rules_error(program, error) from error
        winner = self.sides[slots[WINNER]] if slots[WINNER] >= 0 else ""
        return PlayedGame(winner, program.levels[slots[LEVEL]], length, 0, marks)

    def full_game(self, seed: int, tally: Tally, watched: bool) -> PlayedGame:
        """Play one game in the variant that records. Count its elements if it is watched."""
        state = self.game.new(self.order.scenario, seed, self.order.rulings)
        agents: list[Agent] = (
            [RandomAgent(_choices_seed(seed))] * len(self.sides)
            if self.random
            else self._agents(state, seed)
        )
        seen, at = CoverageCounts(), self.measures.turn
        watch = covering.CoverageWatch(state, seen) if watched else None
        code, marks = self.program.code(FAST), list[tuple[int, list[int]]]()
        turn, length, marked = state.slots[at], 0, 0
        try:
            while not state.is_terminal():
                action = agents[state.current_player()].choose(state)
                if watch:
                    watch.before(action)
                state.apply_action(action)
                failed = state.code.invariants(state.slots)
                if failed:
                    raise RulesError(
                        f"the invariant {self.program.invariants[failed[0]].name!r} does not hold"
                    )
                if watch:
                    watch.after()
                length += 1
                if state.slots[at] != turn:
                    marks.append((turn, self.measures.scores(code, state.slots)))
                    turn, marked = state.slots[at], length
                if length > GAME_LIMIT:
                    raise RulesError(f"the game has not ended after {GAME_LIMIT} choices")
            if marked < length or not length:
                marks.append((turn, self.measures.scores(code, state.slots)))
        finally:
            if watch:
                tally.watched += 1
                tally.seen.add_game(seen)
        result = state.result
        assert result is not None
        return PlayedGame(result.winner or "", result.level, length, len(state.events), marks)

    def _agents(self, state: Any, seed: int) -> list[Agent]:
        # no seat belongs to a person
        return [agent for agent in make_agents(self.order.seats, state, seed) if agent is not None]


def _choices_seed(seed: int) -> int:
    """Return the seed of the choices of all random seats."""
    return intrinsics.branch(seed, intrinsics.CHOICES)


def make_order(
    game: Game,
    games: int,
    seed: int,
    scenario: str | None,
    rulings: Mapping[str, str] | None,
    seats: Mapping[str, str],
    coverage: int = 0,
    full: bool = False,
) -> Order:
    """Return an order with a seat for each side."""
    plan = seat_plan(seats, Names(game.program(scenario, rulings), game.lang), RANDOM)
    if HUMAN in plan.values():
        raise RulekitError("a person cannot sit in a simulation")
    check_seed(check_seed(seed) + games)
    return Order(games, seed, scenario, dict(rulings or {}), plan, int(coverage), full)


def report(game: Game, order: Order, tally: Tally, seconds: float) -> dict[str, Any]:
    """Return the report of `simulate --json`: the order, the results and the time.

    Its keys are stable.
    """
    program = game.program(order.scenario, order.rulings)
    head = {"seats": order.seats, "seed": order.seed, "scenario": program.scenario}
    return {**results(program, tally, order.coverage), **head, "seconds": round(seconds, 3)}


__all__ = ["Order", "RangePlayer", "Tally", "make_order", "play", "range_player", "report"]
