"""Takes a state at a decision, makes a choice: the seats that play by themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from rulekit.common.errors import RulekitError
from rulekit.engine.kernel.names import Names
from rulekit.engine.kernel.position import Position
from rulekit.engine.kernel.scoring import manifest_of, victory_name
from rulekit.engine.search.greedy_agent import GreedyAgent
from rulekit.engine.search.mcts import aims
from rulekit.engine.search.search_agent import LEVELS, Effort, SearchAgent, effort
from rulekit.runtime import intrinsics

HUMAN = "human"


class Agent(Protocol):
    """A seat that plays by itself. `choose` gives the id of one of the options of the state's
    decision."""

    def choose(self, state: Position) -> int:
        """The id of the option it takes."""


class RandomAgent:
    """Any option, all alike."""

    def __init__(self, seed: int) -> None:
        self._seed, self._n = seed % intrinsics.SEEDS, 0

    def choose(self, state: Position) -> int:
        """One of the options."""
        self._n += 1
        return intrinsics.drawn(
            state.code.layers(state.slots), intrinsics.mix(self._seed, self._n - 1)
        )


def victory_total(state: Position) -> str:
    """The total by which a game is won: the manifest's `victory_total`, else `vp`."""
    return victory_name(state.table.program)


def greedy_total(state: Position) -> str:
    """The total that the greedy seat looks at: the manifest's `greedy`, else the victory total."""
    return str(manifest_of(state.table.program).get("greedy") or victory_total(state))


def _greedy(state: Position, seed: int) -> Agent:
    name = greedy_total(state)
    info = next((t for t in state.table.program.totals if t.name == name), None)
    sides = state.table.program.sides
    if info is None or [t.kind for _, t in info.params] != [sides] or info.context >= 0:
        raise RulekitError(
            state.names.word("no_greedy", total=repr(name), game=state.table.program.name)
        )
    return GreedyAgent(seed, name)


class ChartsAgent:
    """What the charts of the game say: the first of the options of these names that is offered,
    else the first option."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def choose(self, state: Position) -> int:
        """That option."""
        options = state.table.book.options(state.legal_actions())
        return next(
            (
                option.id
                for name in self._names
                for option in options
                if option.key.partition(" ")[0] == name
            ),
            options[0].id,
        )


def _charts(state: Position, seed: int) -> Agent:
    program = state.table.program
    names = manifest_of(program).get("charts") or ()
    unknown = [name for name in names if name not in {family.name for family in program.families}]
    if not names or unknown:
        raise RulekitError(
            state.names.word(
                "no_charts", game=program.name, names=", ".join(map(repr, unknown)) or "-"
            )
        )
    return ChartsAgent(names)


CHARTS, SEARCH = "charts", "search"
QUICK_VISITS = 20_000  # natively less than a second
# What is offered; there are more of search.
AGENTS = (
    "random",
    "greedy",
    CHARTS,
    *(f"{SEARCH}:{level}" if level else SEARCH for level in LEVELS),
)


def is_agent(name: str) -> bool:
    """Is there a seat of this name that plays by itself?"""
    return _maker(name) is not None


def make_agent(name: str, state: Position, seed: int = 0) -> Agent:
    """A seat by its name: random, greedy, charts, search; also search:easy, search:hard, search:2s
    (seconds for a choice), search:5000 (visits)."""
    make = _maker(name)
    if make is None:
        raise RulekitError(
            state.names.word("no_seat", name=repr(name), known=", ".join(agents_of(state)))
        )
    return make(state, seed)


def agents_of(state: Position) -> list[str]:
    """Those of `AGENTS` that the game has: greedy and charts where it has what they look at."""
    return [name for name in AGENTS if _has(state, name)]


def _has(state: Position, name: str) -> bool:
    try:
        make_agent(name, state)
    except RulekitError:
        return False
    return True


def meaning(name: str) -> Effort | str:
    """What a seat that plays by itself is, however it is written: two names of the same are equal
    in it."""
    return searching(name) or name


def _maker(name: str) -> Callable[[Position, int], Agent] | None:
    if name == "random":
        return lambda _, seed: RandomAgent(seed)
    if name == "greedy":
        return _greedy
    if name == CHARTS:
        return _charts
    found = searching(name)
    return (
        None
        if found is None
        else lambda state, seed: SearchAgent(seed, found, given=aims(state.table.program))
    )


def searching(name: str) -> Effort | None:
    """How long a seat of this name searches; None: it is none that does."""
    word, sign, text = name.partition(":")
    return effort(text) if word == SEARCH and bool(sign) == bool(text) else None


def is_quick(name: str) -> bool:
    """Does a seat think no longer than the longest level, or than `QUICK_VISITS`?"""
    found = searching(name)
    return found is None or (
        found.visits <= QUICK_VISITS and found.seconds <= LEVELS["hard"].seconds
    )


def seat_text(names: Names, seat: str) -> str:
    """What a seat is called; of one that searches, with how long it thinks."""
    word, sign, text = seat.partition(":")
    found = effort(text) if word == SEARCH and bool(sign) == bool(text) else None
    if found is None:
        return names.word(f"seat.{seat}") or seat
    key, number = (
        ("seat.visits", str(found.visits))
        if found.visits
        else ("seat.seconds", f"{found.seconds:g}")
    )
    return names.word(key, name=names.word(f"seat.{seat}") or names.word("seat.search"), n=number)


def seat_plan(given: Mapping[str, str], names: Names, default: str) -> dict[str, str]:
    """Who sits where: each player's seat by name, `default` for those not named."""
    plan = dict.fromkeys(names.sides, default)
    for side, seat in given.items():
        if seat != HUMAN and not is_agent(seat):
            raise RulekitError(
                names.word("no_seat", name=repr(seat), known=", ".join((HUMAN, *AGENTS)))
            )
        plan[names.sides[names.side(side)]] = seat
    return plan


def make_agents(plan: Mapping[str, str], state: Position, seed: int) -> list[Agent | None]:
    """An agent per player in order; None for a person."""
    return [
        (
            None
            if plan[side] == HUMAN
            else make_agent(plan[side], state, intrinsics.branch(seed, i + 1))
        )
        for i, side in enumerate(state.names.sides)
    ]
