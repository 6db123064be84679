"""Takes a game that was played, makes `Course`: at each decision what the search expected, what was
chosen and what was better; the turning points; or a `Part` of it. Each decision is looked at from
the seat of who made it: what he might know then, no more.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from math import sqrt
from typing import Any

from attrs import asdict, frozen

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.catalog import fault
from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.search.analysis import Analyst, Chance, Choice, horizon_of, total_name, visited
from rulekit.engine.search.mcts import Branch, aims
from rulekit.engine.search.search_agent import Effort, SearchAgent
from rulekit.runtime.intrinsics import mix

LEAST_LOSS = 0.1  # of worth, for a turning point; a victory is worth 1, a defeat -1
SURE = 2.0  # so many standard errors
SHARE = 4  # what is compared has at least one in so many of the visits
SLICE = 64  # visits between two looks at whether it is ended


@frozen
class Judged:
    """A decision that was made. `choice`: its number; `best`: what the search would choose,
    `chosen`: what was chosen, each with its visits; `loss`: by how much less the chosen one was
    worth (0 .. 2), `sure`: how large it has to be to be none of chance; `lead`, `chance`: as in
    `BestLine`, with the best one, `lead_chosen`: with the chosen one; `turning`: is it a turning
    point?
    """

    choice: int
    side: str
    prompt: str
    best: Choice
    chosen: Choice
    best_visits: int
    chosen_visits: int
    loss: float
    sure: float
    lead: float | None
    lead_chosen: float | None
    chance: Chance | None
    turning: bool = False


@frozen
class Course:
    """`decisions`: those that were not forced, in order; `total`: by which total leads are;
    `horizon`: as in `Analysis`; `winner`: a side; None: nobody, or the game is not over."""

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
        """The worst first."""
        return sorted(
            (each for each in self.decisions if each.turning), key=lambda each: -each.loss
        )

    def to_json(self) -> dict[str, Any]:
        """Plain data with stable keys."""
        return {**asdict(self), "turning_points": [each.choice for each in self.turning_points]}


@frozen
class Part:
    """Some decisions of a course, in order, with what is true of all of it. `next`: the number of
    the choice to go on with; None: all were looked at."""

    sides: tuple[str, ...]
    total: str | None
    horizon: str | None
    choices: int
    natively: bool
    visits: int
    decisions: tuple[Judged, ...]
    next: int | None

    def to_json(self) -> dict[str, Any]:
        """Plain data with stable keys."""
        return asdict(self)


def course(
    state: Position,
    effort: Effort | None = None,
    seed: int = 0,
    native: bool = True,
    tell: Callable[[int], None] = lambda done: None,
) -> Course:
    """Thinks at each decision of a game up to where it stands. `effort`: at each of them, then as
    much again at most to compare; `tell`: is told after each choice how many were looked at.
    RulekitError for a game under way in which something is hidden.
    """
    if state.table.has_secrets and not state.is_terminal():
        raise fault(RulekitError, "analyse.under_way")
    program, names = state.table.program, state.names
    given = aims(program)
    agent = SearchAgent(seed, effort or Effort(), native, given)
    there, found, total = state.clone(), list[Judged](), state.choices_count()
    while there.choices_count():
        option = there.undo()
        number = there.choices_count() + 1
        if not state.was_forced(number):
            judged = judge(there, option, agent, mix(seed, number))
            if judged is not None:
                found.append(judged)
        tell(total - number + 1)
    result = state.result
    return Course(
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
) -> Part:
    """Thinks at the decisions from choice number `begin` on until it is enough, at one of them at
    least, or until the agent is ended. `known`: what was found before, by the number of the choice;
    it is kept up. The decisions are those of `course` with the same seed.
    """
    given, total, there = (
        agent.aims or aims(state.table.program),
        state.choices_count(),
        state.clone(),
    )
    for _ in range(total - begin + 1):
        there.undo()
    found, number, history = list[Judged](), begin, state.history()
    while number <= total and not (number > begin and enough()):
        if number not in known:
            judged = (
                None
                if state.was_forced(number)
                else judge(there, history[number - 1], agent, mix(seed, number))
            )
            if agent.ended:  # that is half-done
                break
            known[number] = judged
        made = known[number]
        found += [made] if made is not None else []
        there.redo()
        number += 1
    return Part(
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
    """What the search thinks of a choice that was made where the state stands; None where it cannot
    tell: it was not possible in what could be supposed."""
    analyst = Analyst(state, agent, seed)
    agent.reseed(seed)
    shown = next(id for id, true in analyst.shown.items() if true == chosen)
    thought = analyst.think()
    if not thought.branches:
        return None
    first, visits = thought.branches[0].option, thought.visits

    def mine(option: int) -> Branch | None:
        return next(
            (b for b in thought.tree.branches() if b.option == option and b.side == analyst.side),
            None,
        )

    def grown(option: int, least: int) -> Branch | None:
        branch = mine(option)
        missing = least - (branch.visits if branch else 0)
        for done in range(0, missing, SLICE):
            if not agent.ended:
                thought.tree.grow(min(SLICE, missing - done), option)
        return mine(option)

    best = grown(first, max(1, visits // SHARE))
    if best is None or not best.visits:
        return None
    taken = best if shown == first else grown(shown, best.visits)
    if taken is None or not taken.visits:
        return None
    if taken.worth > best.worth:
        best = taken
    loss, sure = best.worth - taken.worth, SURE * sqrt(_error(best) + _error(taken))
    lead = analyst.lead(thought.worlds)
    return Judged(
        state.choices_count() + 1,
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
        None if analyst.aims.stretch else visited(best),
        loss >= max(LEAST_LOSS, sure),
    )


def _error(branch: Branch) -> float:
    """The square of the standard error of its worth, at most: what lies between -1 and 1 varies by
    no more than 1 less its mean squared."""
    return (1 - branch.worth**2) / branch.visits
