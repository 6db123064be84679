"""Exact counts of many games that add up in any order.

The sum is the same to the byte, whatever the order of addition and wherever each game was played.
So ranges of games can be played anywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.simulation.coverage import CoverageCounts

MAX_KEPT_FAULTS = 100  # the largest number of failures kept as text. All are counted


@frozen
class PlayedGame:
    """A game that has ended.

    Attributes:
        winner: the side that won, or ''.
        level: the level of victory.
        decisions: the number of decisions.
        events: the number of events.
        marks: the turns that ended, each with the score of each side. The last is the end of the
            game.
    """

    winner: str
    level: str
    decisions: int
    events: int
    marks: Sequence[tuple[int, Sequence[int]]]


@define
class Tally:
    """The counts.

    Attributes:
        results: games by winner and level.
        lengths: games by number of decisions.
        turns: games by number of turns.
        scores: games by turn, side and score at the end of the turn.
        final: games by side and score at the end of the game.
        failed: the number of games that broke a rule.
        faults: the texts of the first failures, by number of the game.
        watched: the number of games counted in `seen`.
        seen: the elements that occurred in watched games.
    """

    games: int = 0
    decisions: int = 0
    events: int = 0
    results: Counter[tuple[str, str]] = field(factory=Counter)
    lengths: Counter[int] = field(factory=Counter)
    turns: Counter[int] = field(factory=Counter)
    scores: Counter[tuple[int, str, int]] = field(factory=Counter)
    final: Counter[tuple[str, int]] = field(factory=Counter)
    failed: int = 0
    faults: dict[int, str] = field(factory=dict)
    watched: int = 0
    seen: CoverageCounts = field(factory=CoverageCounts)

    def ended(self, game: PlayedGame, sides: Sequence[str]) -> None:
        """Count a game that has ended."""
        self.games += 1
        self.decisions += game.decisions
        self.events += game.events
        self.results[game.winner, game.level] += 1
        self.lengths[game.decisions] += 1
        self.turns[len(game.marks)] += 1
        for turn, scores in game.marks:
            for side, score in zip(sides, scores, strict=False):  # scores may be empty
                self.scores[turn, side, score] += 1
        _, final = game.marks[-1]
        for side, score in zip(sides, final, strict=False):
            self.final[side, score] += 1

    def broke(self, number: int, text: str) -> None:
        """Count a game that broke a rule of its own."""
        self.failed += 1
        self.faults[number] = text
        self._first_faults()

    def add(self, other: Tally) -> None:
        """Add another tally."""
        for name in ("games", "decisions", "events", "failed", "watched"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("results", "lengths", "turns", "scores", "final"):
            getattr(self, name).update(getattr(other, name))
        self.faults.update(other.faults)
        self._first_faults()
        self.seen.add(other.seen)

    def _first_faults(self) -> None:
        if len(self.faults) > MAX_KEPT_FAULTS:
            self.faults = {
                number: self.faults[number] for number in sorted(self.faults)[:MAX_KEPT_FAULTS]
            }

    @property
    def wins(self) -> Counter[str]:
        """The number of games by winner, with '' for nobody."""
        out: Counter[str] = Counter()
        for (winner, __), count in self.results.items():
            out[winner] += count
        return out

    @property
    def levels(self) -> Counter[str]:
        """The number of games by level."""
        out: Counter[str] = Counter()
        for (__, level), count in self.results.items():
            out[level] += count
        return out

    @property
    def failures(self) -> list[str]:
        """The texts of the first failures, in order."""
        return [self.faults[number] for number in sorted(self.faults)]

    # ----------------------------------------------------------------------------------- plain data
    def to_json(self) -> dict[str, Any]:
        """Return plain data. Equal tallies give equal data, in the same order."""
        return {
            "games": self.games,
            "decisions": self.decisions,
            "events": self.events,
            "failed": self.failed,
            "watched": self.watched,
            **{
                name: [
                    [*(key if isinstance(key, tuple) else (key,)), count]
                    for key, count in sorted(getattr(self, name).items())
                ]
                for name in ("results", "lengths", "turns", "scores", "final")
            },
            "faults": {str(number): self.faults[number] for number in sorted(self.faults)},
            "seen": self.seen.to_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Tally:
        """Return a tally from the data of `to_json`.

        Raises:
            RulekitError: the data is no tally.
        """
        try:
            tally = cls(
                seen=CoverageCounts.from_json(data["seen"]),
                faults={int(number): str(text) for number, text in data["faults"].items()},
            )
            for name in ("games", "decisions", "events", "failed", "watched"):
                setattr(tally, name, _count(data[name]))
            for name, types in (
                ("results", (str, str)),
                ("lengths", (int,)),
                ("turns", (int,)),
                ("scores", (int, str, int)),
                ("final", (str, int)),
            ):
                for *key, count in data[name]:
                    if [type(part) for part in key] != list(types):
                        raise TypeError(repr(key))
                    getattr(tally, name)[tuple(key) if len(key) > 1 else key[0]] = _count(count)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise RulekitError(_("this is not a tally: {why}", why=error)) from None
        return tally


def _count(number: Any) -> int:
    if type(number) is not int or number < 0:
        raise TypeError(repr(number))
    return number
