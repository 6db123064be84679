"""Analyse a decision: the best variations of the tree search, with expected lead and win chance.

The analysis uses only the information that the current player may have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import asdict, frozen

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.common.intervals import wilson
from rulekit.engine.kernel.decision import Option
from rulekit.engine.kernel.events import HIDDEN
from rulekit.engine.kernel.names import tidy
from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.masked_options import MaskedOptions
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.search.mcts import Aims, TreeBranch, aims, leads
from rulekit.engine.search.search_agent import Effort, SearchAgent, Thought
from rulekit.runtime.intrinsics import mix
from rulekit.runtime.random_playouts import playouts
from rulekit.runtime.slots import COUNTER, LAYERS, PC, SCRIPT, SEED, WINNER

if TYPE_CHECKING:
    from rulekit.runtime.wasm.instance import WasmInstance

LINES = 5
DEEP = 12  # the largest number of choices in a variation
LEAST = 8  # iterations that each choice after the first needs
GAMES = 200  # random playouts from the first choice of a variation
GAMES_IN_PYTHON = 30


@frozen
class AnalysedChoice:
    """A choice with its texts for people.

    Attributes:
        side: the side that chooses.
        key: the key of the option, or None if the player may not know all that it names.
        label: its text.
        asked: the question, for a thing or number that is picked later in a variation.
        things: the things in the text, each as (kind, id).
    """

    side: str
    key: str | None
    label: str
    asked: str = ""
    things: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.label} ({self.asked})" if self.asked else self.label


@frozen
class WinChance:
    """The share of wins, where a draw counts half.

    Attributes:
        low: the lower end of the 95 % interval, or None.
        high: the upper end, or None.
        of: `games` for random playouts to the end of the game. `visits` for iterations of the tree,
            which are not independent, so that there is no interval.
        number: the number of playouts or iterations.
    """

    share: float
    low: float | None
    high: float | None
    of: str
    number: int


@frozen
class BestLine:
    """A variation of the search tree.

    It consists of the player's choices that are known to go together, if these are the reason for
    the first choice. Otherwise it follows the most visited branches below the first choice. Forced
    choices are left out. If there was only one option, there are no iterations.

    The fields `visits`, `worth` and `lead` belong to the first choice. For choices that go
    together, they belong to all of them, as far as the tree goes.

    Attributes:
        choices: the choices of the variation.
        first_visits: the number of iterations that made the first choice.
        visits: the number of iterations.
        worth: the value to the current player, -1 .. 1.
        lead: the expected lead of the current player, or None if the game has no total for it.
        chance: the chance to win.
    """

    choices: tuple[AnalysedChoice, ...]
    first_visits: int
    visits: int
    worth: float
    lead: float | None
    chance: WinChance | None


@frozen
class Analysis:
    """The result of an analysis.

    Attributes:
        choice: the number of the choice that is to be made.
        player: the current player.
        prompt: the question of the decision.
        total: the name of the total that leads are measured in.
        horizon: the phase at whose beginning leads are compared, or None for the end of the game.
        lead: the present lead of the current player.
        visits: the number of iterations.
        failed: the number of iterations that ended in an error of the rules and do not count.
        natively: True if the search ran in the native module.
        lines: the variations, best first.
    """

    choice: int
    player: str
    prompt: str
    total: str | None
    horizon: str | None
    lead: float | None
    visits: int
    failed: int
    natively: bool
    lines: tuple[BestLine, ...]

    def to_json(self) -> dict[str, Any]:
        """Return plain data with stable keys."""
        return asdict(self)


def analyse(
    state: Position,
    effort: Effort | None = None,
    lines: int = LINES,
    seed: int = 0,
    native: bool = True,
    games: int | None = None,
) -> Analysis:
    """Analyse the decision for the current player, in the state's language.

    With an effort in iterations, the result is the same each time. It is also the same for all
    states that the player cannot tell apart.

    Args:
        effort: the search effort.
        lines: the largest number of variations.
        games: the number of playouts for the win chance of each variation, if leads are compared
            before the end. None means 200, or 30 in Python.

    Raises:
        RulekitError: the game is over.
    """
    ask_decision(state)
    agent = SearchAgent(seed, effort or Effort(), native, aims(state.table.program))
    return Analyst(state, agent, seed).analysis(lines, games)


def ask_decision(state: Position) -> None:
    """Raise RulekitError if nobody has a decision."""
    if state.is_terminal() or state.current_player() < 0:
        raise RulekitError(_("the game is over"))


class Analyst:
    """Searches one decision and describes the result."""

    def __init__(self, state: Position, agent: SearchAgent, seed: int) -> None:
        self.state, self.agent, self.seed = state, agent, seed
        self.program, self.side = state.table.program, state.current_player()
        self.aims: Aims = agent.aims or aims(self.program)
        self.shown = MaskedOptions(self.program).ids(state)
        self.observer = Observer(state, self.side)
        self._own = {each.id: each for each in self.observer.options()}

    # ----------------------------------------------------------------------------------- variations
    def analysis(self, lines: int, games: int | None) -> Analysis:
        """Return the analysis with the best variations first."""
        thought = self.think()
        lead = self.lead(thought.worlds)
        found = [
            self._line(each, thought, lead, games, () if i else thought.line)
            for i, each in enumerate(thought.branches[:lines])
        ]
        forced = len(self.shown) == 1
        if forced:
            found = [BestLine((self.choice(next(iter(self.shown))),), 0, 0, 0.0, lead, None)]
        return Analysis(
            self.state.move_number() + 1,
            self.state.names.sides[self.side],
            self.observer.prompt(),
            total_name(self.state, self.aims),
            horizon_of(self.state, self.aims),
            lead,
            0 if forced else thought.visits,
            thought.tree.failed,
            self.agent.natively,
            tuple(found),
        )

    def think(self) -> Thought:
        """Search with a new tree. If there is only one option, one iteration is enough."""
        self.agent.forget()
        return self.agent.think(self.state, Effort(0.0, 1) if len(self.shown) == 1 else None)

    def _line(
        self,
        first: TreeBranch,
        thought: Thought,
        lead: float | None,
        games: int | None,
        together: tuple[int, ...],
    ) -> BestLine:
        way, last = [first], first
        left = list(together[1:])
        while len(way) < DEEP:
            below = sorted(
                thought.tree.branches(way[-1].at), key=lambda b: (-b.visits, -b.value, b.option)
            )
            led = bool(left and below and below[0].side == self.side)
            if led:
                below = [b for b in below if b.side == self.side and b.option == left[0]]
                left = left[1:]
            if not below or below[0].visits < LEAST:
                break
            way.append(below[0])
            last = below[0] if led else last
        return BestLine(
            (self.choice(first.option), *map(self._later, way[1:])),
            first.visits,
            last.visits,
            round(last.value, 4),
            self.expected(lead, last),
            self._chance(first, thought, games),
        )

    def choice(self, option: int) -> AnalysedChoice:
        """Return an option of the decision, by its visible id."""
        own = self._own[self.shown[option]]
        key = own.key if self.observer.names_all(own.id) else None
        return AnalysedChoice(
            self.state.names.sides[self.side], key, own.label, things=self._things(own)
        )

    def _later(self, branch: TreeBranch) -> AnalysedChoice:
        """Return a choice deeper in the tree.

        It belongs to a determinization, so the things that it names may be elsewhere in truth.
        """
        option = self.state.table.book.option(branch.option)
        known = self.observer.names_all(option.id)
        shown = option if known else self.observer.option(option, 0)
        return AnalysedChoice(
            self.state.names.sides[branch.side],
            option.key if known else None,
            shown.label,
            self._asked(branch.option),
            self._things(shown),
        )

    def _things(self, option: Option) -> tuple[tuple[str, str], ...]:
        """Return the things that an option names, as far as they are visible."""
        kinds = self.state.names.kinds_of(self.state.table.book.family(option.id))
        return tuple(
            (self.program.kinds[kind].name, str(option.params[name]))
            for name, kind in kinds.items()
            if kind >= 0 and option.params.get(name) not in (None, HIDDEN)
        )

    def _asked(self, option: int) -> str:
        family = self.state.table.book.family(option)
        if family.what not in ("pick", "tie"):
            return ""
        at = next(i for i, each in enumerate(self.program.families) if each is family)
        info = next((each for each in self.program.decisions if at in each.families), None)
        prompt = (self.state.names.text(info.prompt) or tidy(info.text)) if info else ""
        return "" if "{" in prompt else prompt

    # ---------------------------------------------------------------------------- leads and chances
    def lead(self, worlds: Sequence[list[int]]) -> float | None:
        """Return the lead of the current player, as far as they may know it."""
        if self.aims.total < 0:
            return None
        return sum(
            leads(self.state.table.code, self.aims, each)[self.side] for each in worlds
        ) / len(worlds)

    def expected(self, lead: float | None, branch: TreeBranch) -> float | None:
        """Return the expected lead after a choice."""
        return None if lead is None else round(lead + branch.lead_gain, 3)

    def _chance(self, branch: TreeBranch, thought: Thought, games: int | None) -> WinChance | None:
        if self.aims.horizon:
            return self._played(branch.option, thought.worlds, games)
        return visited(branch)

    def _played(
        self, option: int, worlds: Sequence[list[int]], games: int | None
    ) -> WinChance | None:
        """Estimate the win chance by playouts from each determinization in turn.

        Each playout has new dice. There are fewer playouts if the agent was ended.
        """
        machine = self.agent.machine_of(self.state.table)
        number = games if games is not None else GAMES if machine else GAMES_IN_PYTHON
        won, played = 0.0, 0
        for n in range(number):
            if self.agent.ended:
                break
            winner = self._winner(worlds[n % len(worlds)], option, mix(self.seed, n), machine)
            if winner is not None:
                played += 1
                won += 1.0 if winner == self.side else 0.5 if winner < 0 else 0.0
        if not played:
            return None
        low, high = wilson(won, played)
        return WinChance(round(won / played, 4), round(low, 4), round(high, 4), "games", played)

    def _winner(
        self, world: list[int], option: int, seed: int, machine: WasmInstance | None
    ) -> int | None:
        """Return the winner of a playout that begins with an option.

        None means that it ended in an error of the rules, so the determinization is impossible.
        """
        slots, code = world[:], self.program.code("fast")
        slots[SEED], slots[COUNTER], slots[SCRIPT], slots[LAYERS] = seed, 0, 0, None  # type: ignore[call-overload]
        try:
            code.apply(slots, option)
            if slots[PC] <= 0:
                return slots[WINNER]
            if machine is None:
                return playouts(self.program, seed, 1, slots)[0].winner
            machine.start(slots)
            return machine.playouts(seed, 1)[0].winner
        except (RulekitError, ArithmeticError, LookupError, ValueError):
            return None


def visited(branch: TreeBranch) -> WinChance | None:
    """Return the win chance for a search in which iterations go on to the end of the game."""
    return (
        WinChance(round((1 + branch.value) / 2, 4), None, None, "visits", branch.visits)
        if branch.visits
        else None
    )


def total_name(state: Position, given: Aims) -> str | None:
    """Return the name of the total that the search maximizes."""
    if given.total < 0:
        return None
    name = state.table.program.totals[given.total].name
    return state.names.text(f"total.{name}", tidy(name))


def horizon_of(state: Position, given: Aims) -> str | None:
    """Return the phase at whose beginning leads are compared, or None if only the end counts."""
    program = state.table.program
    return program.procs[program.decisions[given.horizon].proc].name if given.horizon else None
