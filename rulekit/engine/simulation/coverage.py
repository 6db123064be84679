"""Count the elements of a game that occur in play.

Elements are events, phases, options, modifiers that applied, and members named in events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from attrs import define, field

from rulekit.engine.game.state import State
from rulekit.engine.kernel.tracer import Tracer
from rulekit.runtime.program import Program
from rulekit.runtime.records import PhaseBegun, arguments, kind_of
from rulekit.runtime.slots import BUILT_IN, FIRST_EVENT, PHASE_BEGUN

SORTS = ("events", "phases", "options", "clauses", "cards")
# the key in `Program.info` of the declarations that come from a library, by sort and name
LIBRARIES = "libraries"


@define
class CoverageCounts:
    """The number of occurrences of each element.

    Attributes:
        events: by name of the event.
        phases: by name of the phase.
        options: by name of the option.
        clauses: by total or permit and clause.
        cards: by kind.member, for the members that revealing events name.
        games: the number of games in which an element occurred, by sort and name.
    """

    events: Counter[str] = field(factory=Counter)
    phases: Counter[str] = field(factory=Counter)
    options: Counter[str] = field(factory=Counter)
    clauses: Counter[str] = field(factory=Counter)
    cards: Counter[str] = field(factory=Counter)
    games: Counter[tuple[str, str]] = field(factory=Counter)

    def add(self, other: CoverageCounts) -> None:
        """Add the counts of another run."""
        for sort in (*SORTS, "games"):
            getattr(self, sort).update(getattr(other, sort))

    def add_game(self, game: CoverageCounts) -> None:
        """Add the counts of one game."""
        for sort in SORTS:
            found = getattr(game, sort)
            getattr(self, sort).update(found)
            self.games.update((sort, name) for name in found)

    def to_json(self) -> dict[str, Any]:
        """Return plain data: by sort and name, the occurrences and the number of games."""
        return {
            sort: {
                name: [n, self.games[sort, name]] for name, n in sorted(getattr(self, sort).items())
            }
            for sort in SORTS
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CoverageCounts:
        """Return the counts from the data of `to_json`."""
        seen = cls()
        for sort in SORTS:
            for name, (often, games) in data[sort].items():
                getattr(seen, sort)[str(name)] = int(often)
                seen.games[sort, str(name)] = int(games)
        return seen

    def report(self, program: Program) -> dict[str, Any]:
        """Return the counts, the numbers of games, the unused elements, and their libraries."""
        return {
            name: {
                "libraries": {
                    n: library for n in names if (library := library_of(program, name, n))
                },
                "seen": {n: getattr(self, name)[n] for n in names if getattr(self, name)[n]},
                "games": {n: self.games[name, n] for n in names if getattr(self, name)[n]},
                "never": [n for n in names if not getattr(self, name)[n]],
            }
            for name, names in wanted(program).items()
        }


def wanted(program: Program) -> dict[str, list[str]]:
    """Return all elements that the game declares and that can occur, by sort."""
    return {
        "events": [e.name for e in program.events],
        "phases": list(dict.fromkeys(p.name for p in program.procs if p.word == "phase")),
        "options": list(dict.fromkeys(f.name for f in program.families if f.what == "option")),
        "clauses": [
            f"{t.name}.{c.name}"
            for t in (*program.totals, *program.permits)
            for c in t.clauses
            if c.name
        ],
        "cards": [f"{k.name}.{m}" for k in card_kinds(program) for m in k.members],
    }


def library_of(program: Program, sort: str, name: str) -> str:
    """Return the library of a declaration, or '' if it is the game's own."""
    return str(program.info.get(LIBRARIES, {}).get(sort, {}).get(name, ""))


def card_kinds(program: Program) -> list[Any]:
    """Return the kinds whose members are played as cards: those that revealing events name."""
    kinds = {
        t.kind
        for e in program.events
        if e.reveals
        for _, t in e.params
        if t.form == "member" and t.kind != program.sides
    }
    return [program.kinds[k] for k in sorted(kinds)]


class CoverageWatch:
    """Counts the elements that occur in one game."""

    def __init__(self, state: State, seen: CoverageCounts) -> None:
        self._state, self._seen = state, seen
        self._program = state.table.program
        self._cards = {id(k) for k in card_kinds(self._program)}
        self._tracer = Tracer(state)
        self._at = 0
        self.after()

    def before(self, action: int) -> None:
        """Record a choice that is about to be made."""
        family = self._state.table.book.family(action)
        if family.what == "option":
            self._seen.options[family.name] += 1
        self._tracer.start()

    def after(self) -> None:
        """Record the events, phases and applied clauses of a choice that was made."""
        log = self._state.log
        for record in log[self._at :]:
            kind = kind_of(record)
            if kind == PHASE_BEGUN:
                phase = self._program.procs[PhaseBegun.of(record).procedure]
                self._seen.phases[phase.name] += 1
            if kind < FIRST_EVENT:
                self._seen.events[BUILT_IN[kind]] += 1
                continue
            info = self._program.events[kind - FIRST_EVENT]
            self._seen.events[info.name] += 1
            for (_, type), value in zip(info.params, arguments(record), strict=True):
                if (
                    type.form == "member"
                    and value >= 0
                    and id(cards := self._program.kinds[type.kind]) in self._cards
                ):
                    self._seen.cards[f"{cards.name}.{cards.members[value]}"] += 1
        self._at = len(log)
        for what, index, clause in self._tracer.counted():
            target = (self._program.totals if what == "total" else self._program.permits)[index]
            self._seen.clauses[f"{target.name}.{target.clauses[clause].name}"] += 1
