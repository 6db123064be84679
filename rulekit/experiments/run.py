"""A run of a study with its results and readable names, in the language of its game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import define, field

from rulekit.common.i18n.messages import Message, _, ngettext, pgettext
from rulekit.engine.explain.derivation import clause_text
from rulekit.engine.game.game import Game
from rulekit.engine.kernel.names import Names, tidy
from rulekit.engine.kernel.scoring import Measures, measures
from rulekit.engine.simulation.coverage import SORTS, CoverageCounts, wanted
from rulekit.engine.simulation.ranges import Order
from rulekit.engine.simulation.results import NOBODY, results
from rulekit.engine.simulation.tally import Tally
from rulekit.presentation.drawing import drawing_of
from rulekit.runtime.program import Program

SORT_HEADS = {
    "events": _("events"),
    "phases": _("phases"),
    "options": _("options"),
    "clauses": _("modifiers and conditions"),
    "cards": _("cards"),
}
RESULT_HEADS = {
    "winners": _("winners"),
    "levels": _("levels"),
    "by_winner": _("winner and level"),
}
SUMMARY_HEADS = {
    "min": _("min"),
    "q1": _("q1"),
    "median": _("median"),
    "q3": _("q3"),
    "max": _("max"),
    "mean": _("mean"),
}


@define(slots=False)
class Run:
    """A run: the game, the order and the tally of its results.

    Attributes:
        edition: the named set of rulings, if one was chosen.
        overlays: the names of the overlay files.
    """

    game: Game
    order: Order
    tally: Tally
    edition: str | None = None
    overlays: tuple[str, ...] = ()
    names: Names = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.names = Names(
            self.game.program(self.order.scenario, self.order.rulings), self.game.lang
        )  # no code is needed

    @property
    def program(self) -> Program:
        """The program that was played."""
        return self.names.program

    @cached_property
    def measures(self) -> Measures:
        """The measured quantities: the score and the turns."""
        return measures(self.program)

    def say(self, message: Message) -> str:
        """Return a message in the language of the game."""
        return self.names.say(message)

    # ------------------------------------------------------------------ names
    @property
    def title(self) -> str:
        """The title of the game."""
        return self.names.text("title", self.game.title)

    @property
    def scenario(self) -> str:
        """The title of the scenario."""
        name = self.program.scenario
        return (
            self.names.text(f"scenario.{name}", dict(self.program.scenarios).get(name, name))
            or name
        )

    @property
    def variant(self) -> str:
        """The chosen edition, and the rulings that differ from it."""
        chosen = self.game.rulings(None, self.edition) if self.edition else {}
        single = [
            f"{name}={alternative}"
            for name, alternative in sorted(self.order.rulings.items())
            if chosen.get(name) != alternative
        ]
        return ", ".join([*([self.edition] if self.edition else []), *single])

    @property
    def seats(self) -> str:
        """The seats, by side if they differ."""
        seats = self.order.seats
        if len(set(seats.values())) == 1:
            return next(iter(seats.values()))
        return ", ".join(f"{self.side(side)}: {seat}" for side, seat in seats.items())

    def side(self, side: str) -> str:
        """Return the name of a side, or the word for nobody."""
        return (
            self.names.label(self.program.sides, self.names.side(side))
            if side and side != NOBODY
            else self.say(_("nobody"))
        )

    def level(self, level: str) -> str:
        """Return the name of a level of victory."""
        return self.names.text(f"level.{level}", tidy(level))

    def ended(self, winner: str, level: str) -> str:
        """Return a text for the result of a game."""
        return (
            f"{self.side(winner)}{self.names.colon}{self.level(level)}"
            if winner
            else self.level(level)
        )

    @property
    def score(self) -> str:
        """The name of the score."""
        return self.names.text(f"total.{self.measures.name}", tidy(self.measures.name))

    def thing(self, sort: str, name: str) -> str:
        """Return the name of an event, phase, option, clause of a total, or card."""
        head, __, rest = name.partition(".")
        if sort == "cards":
            kind = self.names.kind(head)
            return self.names.label(kind, self.program.kinds[kind].members.index(rest))
        if sort == "clauses":
            target = next(
                t for t in (*self.program.totals, *self.program.permits) if t.name == head
            )
            clause = next(c for c in target.clauses if c.name == rest)
            said = clause_text(self.names, head, clause) or tidy(rest)
            return f"{self.names.text(f'total.{head}', tidy(head))}{self.names.colon}{said}"
        return self.names.text(f"phase.{name}", tidy(name)) if sort == "phases" else tidy(name)

    @property
    def colours(self) -> Mapping[str, str]:
        """The colour of each side."""
        return {side: look["colour"] for side, look in drawing_of(self.names)["sides"].items()}

    # ------------------------------------------------------------------ results
    def to_json(self) -> dict[str, Any]:
        """Return the run and its results, without times and other data that vary between
        repetitions.
        """
        order = self.order
        return {
            "game": self.game.name,
            "scenario": self.program.scenario,
            "edition": self.edition,
            "rulings": dict(sorted(order.rulings.items())),
            "overlays": list(self.overlays),
            "seats": order.seats,
            "seed": order.seed,
            "rules": self.program.rules,
            **results(self.program, self.tally, order.coverage),
        }


def games_failed(number: int) -> Message:
    """Return the number of games that failed."""
    return ngettext("{n} game failed", "{n} games failed", number)


def facts_of(entry: Run) -> dict[str, str]:
    """Return the settings of a run by readable headings."""
    return {
        entry.say(_("scenario")): entry.scenario,
        entry.say(_("edition and rulings")): entry.variant or entry.say(_("default")),
        entry.say(_("seats")): entry.seats,
        entry.say(_("files of corrections")): ", ".join(entry.overlays)
        or entry.say(pgettext("corrections", "none")),
    }


def names_of(entries: Sequence[Run]) -> list[str]:
    """Return a name for each run: the settings in which the runs differ, or else the scenario."""
    facts = [facts_of(entry) for entry in entries]
    heads = [head for head in facts[0] if len({each[head] for each in facts}) > 1]
    return [
        " · ".join(each[head] for head in heads) or entry.scenario
        for entry, each in zip(entries, facts, strict=True)
    ]


def seen_in(entries: Sequence[Run]) -> tuple[CoverageCounts, int]:
    """Add up the coverage of all runs, limited to declared elements. Return it with the number of
    watched games.
    """
    seen = CoverageCounts()
    for entry in entries:
        seen.add(entry.tally.seen)
    known = {sort: set(names) for sort, names in wanted(entries[0].program).items()}
    for sort in SORTS:
        counts = getattr(seen, sort)
        for name in [name for name in counts if name not in known[sort]]:
            del counts[name]
    return seen, sum(entry.tally.watched for entry in entries)


def never_in(entries: Sequence[Run], sort: str) -> list[str]:
    """Return the elements of a sort that occurred in none of the runs."""
    return [
        name
        for name in wanted(entries[0].program)[sort]
        if not any(getattr(entry.tally.seen, sort)[name] for entry in entries)
    ]


__all__ = ["SORTS", "Run", "facts_of", "names_of", "never_in", "seen_in"]
