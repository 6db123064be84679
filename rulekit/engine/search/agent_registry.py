"""The agents by name, and the assignment of seats to players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _, ngettext
from rulekit.engine.kernel.names import Names
from rulekit.engine.kernel.position import Position
from rulekit.engine.kernel.scoring import manifest_of, victory_name
from rulekit.engine.search.greedy_agent import GreedyAgent
from rulekit.engine.search.mcts import aims
from rulekit.engine.search.search_agent import LEVELS, Effort, SearchAgent, effort
from rulekit.runtime import intrinsics

HUMAN = "human"


class Agent(Protocol):
    """A seat that plays by itself."""

    def choose(self, state: Position) -> int:
        """Return the id of one of the options of the state's decision."""


class RandomAgent:
    """Picks every option with equal probability."""

    def __init__(self, seed: int) -> None:
        self._seed, self._n = seed % intrinsics.SEEDS, 0

    def choose(self, state: Position) -> int:
        """Return the id of an option at random."""
        self._n += 1
        return intrinsics.drawn(
            state.code.layers(state.slots), intrinsics.mix(self._seed, self._n - 1)
        )


def victory_total(state: Position) -> str:
    """Return the total by which a game is won: the manifest's `victory_total`, else `vp`."""
    return victory_name(state.table.program)


def greedy_total(state: Position) -> str:
    """Return the total of the greedy agent: the manifest's `greedy`, else the victory total."""
    return str(manifest_of(state.table.program).get("greedy") or victory_total(state))


def _greedy(state: Position, seed: int) -> Agent:
    name = greedy_total(state)
    info = next((t for t in state.table.program.totals if t.name == name), None)
    sides = state.table.program.sides
    if info is None or [t.kind for _, t in info.params] != [sides] or info.context >= 0:
        raise RulekitError(
            state.names.say(
                _(
                    "a greedy seat needs a total {total} for one player; {game} has none"
                    " (`greedy` or `victory_total` in game.yaml can name another)",
                    total=repr(name),
                    game=state.table.program.name,
                )
            )
        )
    return GreedyAgent(seed, name)


class ChartsAgent:
    """Follows the charts of the game.

    It takes the first option with one of the given names, in their order, else the first option.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def choose(self, state: Position) -> int:
        """Return the id of that option."""
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
            state.names.say(
                _(
                    "the charts of {game} cannot play: `charts` in game.yaml must name their"
                    " options (unknown: {names})",
                    game=program.name,
                    names=", ".join(map(repr, unknown)) or "-",
                )
            )
        )
    return ChartsAgent(names)


CHARTS, SEARCH = "charts", "search"
QUICK_VISITS = 20_000  # less than a second in the native module
# the names that are listed. A search can have other efforts too
AGENTS = (
    "random",
    "greedy",
    CHARTS,
    *(f"{SEARCH}:{level}" if level else SEARCH for level in LEVELS),
)

SEATS = {
    HUMAN: _("human"),
    "random": _("random"),
    "greedy": _("greedy"),
    CHARTS: _("charts"),
    SEARCH: _("search"),
    "search:easy": _("search, easy"),
    "search:hard": _("search, thorough"),
}
DESCRIPTIONS = {
    "random": _("random: any choice"),
    "greedy": _("greedy: takes the most points at once"),
    CHARTS: _("charts: follows the charts of the game"),
    SEARCH: _("search: looks ahead, half a second for a choice"),
    "search:easy": _("search, easy: looks ahead a little"),
    "search:hard": _("search, thorough: two seconds for a choice"),
}


def is_agent(name: str) -> bool:
    """Return True if there is an agent of this name."""
    return _factory(name) is not None


def make_agent(name: str, state: Position, seed: int = 0) -> Agent:
    """Return an agent by name.

    Names are random, greedy, charts and search, also search:easy, search:hard, search:2s (seconds
    for a choice) and search:5000 (iterations).
    """
    make = _factory(name)
    if make is None:
        raise RulekitError(
            state.names.say(
                _(
                    "there is no seat {name}; there are {known}",
                    name=repr(name),
                    known=", ".join(agents_of(state)),
                )
            )
        )
    return make(state, seed)


def agents_of(state: Position) -> list[str]:
    """Return the names of `AGENTS` that the game supports.

    Greedy and charts need the total or the charts that they use.
    """
    return [name for name in AGENTS if _has(state, name)]


def _has(state: Position, name: str) -> bool:
    try:
        make_agent(name, state)
    except RulekitError:
        return False
    return True


def meaning(name: str) -> Effort | str:
    """Return the meaning of an agent's name. Two names of the same agent have equal meanings."""
    return searching(name) or name


def _factory(name: str) -> Callable[[Position, int], Agent] | None:
    if name == "random":
        return lambda __, seed: RandomAgent(seed)
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
    """Return the search effort of an agent by name, or None if it does not search."""
    word, sign, text = name.partition(":")
    return effort(text) if word == SEARCH and bool(sign) == bool(text) else None


def is_quick(name: str) -> bool:
    """Return True if an agent takes no longer than the longest level, or than `QUICK_VISITS`."""
    found = searching(name)
    return found is None or (
        found.visits <= QUICK_VISITS and found.seconds <= LEVELS["hard"].seconds
    )


def seat_text(names: Names, seat: str) -> str:
    """Return the name of a seat for people. A searching one has its effort added."""
    word, sign, text = seat.partition(":")
    found = effort(text) if word == SEARCH and bool(sign) == bool(text) else None
    if found is None:
        return seat_name(names, seat)
    name = SEATS.get(seat, SEATS[SEARCH])
    return names.say(
        ngettext(
            "{name} ({n} visit for a choice)",
            "{name} ({n} visits for a choice)",
            found.visits,
            name=name,
        )
        if found.visits
        else _("{name} ({n} s for a choice)", name=name, n=f"{found.seconds:g}")
    )


def seat_name(names: Names, seat: str) -> str:
    """Return the name of a seat, in a few words."""
    return names.say(SEATS[seat]) if seat in SEATS else seat


def seat_description(names: Names, seat: str) -> str:
    """Return the name of a seat and a description of how it chooses."""
    return names.say(DESCRIPTIONS[seat]) if seat in DESCRIPTIONS else seat_name(names, seat)


def seat_plan(given: Mapping[str, str], names: Names, default: str) -> dict[str, str]:
    """Return the seat of each player by name, with `default` for players without one."""
    plan = dict.fromkeys(names.sides, default)
    for side, seat in given.items():
        if seat != HUMAN and not is_agent(seat):
            raise RulekitError(
                names.say(
                    _(
                        "there is no seat {name}; there are {known}",
                        name=repr(seat),
                        known=", ".join((HUMAN, *AGENTS)),
                    )
                )
            )
        plan[names.sides[names.side(side)]] = seat
    return plan


def make_agents(plan: Mapping[str, str], state: Position, seed: int) -> list[Agent | None]:
    """Return an agent for each player in order, or None for a person."""
    return [
        (
            None
            if plan[side] == HUMAN
            else make_agent(plan[side], state, intrinsics.branch(seed, i + 1))
        )
        for i, side in enumerate(state.names.sides)
    ]
