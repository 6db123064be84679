"""Review a game: the best and the actual choice at each decision, and the turning points.

Each decision is searched from the seat of its player, with the information that they had then.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from math import sqrt
from typing import Any

from attrs import asdict, frozen

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.search.analysis import (
    AnalysedChoice,
    Analyst,
    WinChance,
    horizon_of,
    total_name,
    visited,
)
from rulekit.engine.search.mcts import TreeBranch, aims
from rulekit.engine.search.search_agent import Effort, SearchAgent
from rulekit.runtime.intrinsics import mix

LEAST_LOSS = 0.1  # the least loss of value at a turning point. A victory is 1, a defeat -1
SURE = 2.0  # the number of standard errors that count as significant
SHARE = 4  # a compared choice has at least one in this number of the iterations
SLICE = 64  # iterations between two checks whether the search was ended


@frozen
class Judged:
    """A decision with its evaluation.

    Attributes:
        choice: the number of the choice.
        best: the choice that the search prefers.
        chosen: the choice that was made.
        best_visits: the number of iterations for the best choice.
        chosen_visits: the number of iterations for the actual choice.
        loss: the difference of their values, 0 .. 2.
        sure: the least loss that chance does not explain.
        lead: the expected lead after the best choice, as in `BestLine`.
        lead_chosen: the expected lead after the actual choice.
        chance: the chance to win after the best choice, as in `BestLine`.
        turning: True for a turning point.
    """

    choice: int
    side: str
    prompt: str
    best: AnalysedChoice
    chosen: AnalysedChoice
    best_visits: int
    chosen_visits: int
    loss: float
    sure: float
    lead: float | None
    lead_chosen: float | None
    chance: WinChance | None
    turning: bool = False


@frozen
class GameReview:
    """The review of a whole game.

    Attributes:
        total: the name of the total that leads are measured in.
        horizon: as in `Analysis`.
        choices: the number of choices in the game.
        winner: the winning side. None if nobody won or the game is not over.
        decisions: the decisions that were not forced, in order.
    """

    sides: tuple[str, ...]
    total: str | None
    horizon: str | None
    choices: int
    over: bool
    winner: str | None
    natively: bool
    decisions: tuple[Judged, ...]

    @property
    def turning_points(self) -> list[Judged]:
        """The turning points, with the greatest loss first."""
        return sorted(
            (each for each in self.decisions if each.turning), key=lambda each: -each.loss
        )

    def to_json(self) -> dict[str, Any]:
        """Return plain data with stable keys."""
        return {**asdict(self), "turning_points": [each.choice for each in self.turning_points]}


@frozen
class ReviewPart:
    """A part of a review, in order, with the facts about the whole game.

    Attributes:
        next: the number of the choice to continue with, or None if the review is complete.
    """

    sides: tuple[str, ...]
    total: str | None
    horizon: str | None
    choices: int
    natively: bool
    visits: int
    decisions: tuple[Judged, ...]
    next: int | None

    def to_json(self) -> dict[str, Any]:
        """Return plain data with stable keys."""
        return asdict(self)


def review_game(
    state: Position,
    effort: Effort | None = None,
    seed: int = 0,
    native: bool = True,
    tell: Callable[[int], None] = lambda done: None,
) -> GameReview:
    """Review all decisions of a game up to its present position.

    Args:
        effort: the search effort at each decision. The comparison may take as much again.
        tell: receives the number of reviewed choices after each one.

    Raises:
        RulekitError: the game has hidden information and is not over.
    """
    if state.table.has_secrets and not state.is_terminal():
        raise RulekitError(
            _("the game is not over and has hidden information, which the analysis would show")
        )
    program, names = state.table.program, state.names
    given = aims(program)
    agent = SearchAgent(seed, effort or Effort(), native, given)
    there, found, total = state.clone(), list[Judged](), state.move_number()
    while there.move_number():
        option = there.undo()
        number = there.move_number() + 1
        if not state.was_forced(number):
            judged = judge(there, option, agent, mix(seed, number))
            if judged is not None:
                found.append(judged)
        tell(total - number + 1)
    result = state.result
    return GameReview(
        tuple(names.sides),
        total_name(state, given),
        horizon_of(state, given),
        total,
        state.is_terminal(),
        result.winner if result else None,
        agent.natively,
        tuple(reversed(found)),
    )


def part(
    state: Position,
    begin: int,
    agent: SearchAgent,
    enough: Callable[[], bool],
    known: MutableMapping[int, Judged | None],
    seed: int = 0,
) -> ReviewPart:
    """Review the decisions from choice number `begin` on, until it is enough or the agent is ended.

    At least one decision is reviewed, unless the agent is ended. The results are the same as those
    of `review_game` with the same seed.

    Args:
        enough: returns True when the part is long enough.
        known: the results found before, by number of choice. New ones are added.
    """
    given, total, there = (
        agent.aims or aims(state.table.program),
        state.move_number(),
        state.clone(),
    )
    for __ in range(total - begin + 1):
        there.undo()
    found, number, history = list[Judged](), begin, state.history()
    while number <= total and not (number > begin and enough()):
        if number not in known:
            judged = (
                None
                if state.was_forced(number)
                else judge(there, history[number - 1], agent, mix(seed, number))
            )
            if agent.ended:  # the result is incomplete
                break
            known[number] = judged
        made = known[number]
        found += [made] if made is not None else []
        there.redo()
        number += 1
    return ReviewPart(
        tuple(state.names.sides),
        total_name(state, given),
        horizon_of(state, given),
        total,
        agent.machine_of(state.table) is not None,
        agent.effort.visits,
        tuple(found),
        number if number <= total else None,
    )


def judge(state: Position, chosen: int, agent: SearchAgent, seed: int) -> Judged | None:
    """Evaluate a choice that was made at the state's decision.

    None means that the search cannot tell, because the choice was impossible in its
    determinizations.
    """
    analyst = Analyst(state, agent, seed)
    agent.reseed(seed)
    shown = next(id for id, true in analyst.shown.items() if true == chosen)
    thought = analyst.think()
    if not thought.branches:
        return None
    first, visits = thought.branches[0].option, thought.visits

    def mine(option: int) -> TreeBranch | None:
        return next(
            (b for b in thought.tree.branches() if b.option == option and b.side == analyst.side),
            None,
        )

    def grown(option: int, least: int) -> TreeBranch | None:
        branch = mine(option)
        missing = least - (branch.visits if branch else 0)
        for done in range(0, missing, SLICE):
            if not agent.ended:
                thought.tree.iterate(min(SLICE, missing - done), option)
        return mine(option)

    best = grown(first, max(1, visits // SHARE))
    if best is None or not best.visits:
        return None
    taken = best if shown == first else grown(shown, best.visits)
    if taken is None or not taken.visits:
        return None
    if taken.value > best.value:
        best = taken
    loss, sure = best.value - taken.value, SURE * sqrt(_error(best) + _error(taken))
    lead = analyst.lead(thought.worlds)
    return Judged(
        state.move_number() + 1,
        state.names.sides[analyst.side],
        Observer(state, analyst.side).prompt(),
        analyst.choice(best.option),
        analyst.choice(shown),
        best.visits,
        taken.visits,
        round(loss, 4),
        round(sure, 4),
        analyst.expected(lead, best),
        analyst.expected(lead, taken),
        None if analyst.aims.horizon else visited(best),
        loss >= max(LEAST_LOSS, sure),
    )


def _error(branch: TreeBranch) -> float:
    """Return an upper bound of the squared standard error of a branch's value.

    A variable between -1 and 1 has a variance of at most 1 less its mean squared.
    """
    return (1 - branch.value**2) / branch.visits
