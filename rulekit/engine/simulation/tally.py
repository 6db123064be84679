"""Takes games that were played, makes `Tally`: exact counts that add up in any order; and back from
plain data.

Whoever played which games, and whatever was added first: the sum is the same, to the byte. So
ranges of games may be played anywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.catalog import fault
from rulekit.engine.simulation.coverage import Seen

MOST_TOLD = 100  # failures that are told in words; all are counted


@frozen
class Played:
    """A game that ended: who won ('' nobody), at which level, after so many decisions and events;
    `marks`: the turns that ended, each with the score of each side then. The last mark is the end
    of the game."""

    winner: str
    level: str
    decisions: int
    events: int
    marks: Sequence[tuple[int, Sequence[int]]]


@define
class Tally:
    """What was counted. `results` by winner and level; `lengths`: how many games had so many
    decisions; `turns`: so many turns; `scores`: how many had a score when a turn ended, by turn,
    side and score; `final`: when the game ended, by side and score. `watched`: games of which
    `seen` holds what occurred."""

    games: int = 0
    decisions: int = 0
    events: int = 0
    results: Counter[tuple[str, str]] = field(factory=Counter)
    lengths: Counter[int] = field(factory=Counter)
    turns: Counter[int] = field(factory=Counter)
    scores: Counter[tuple[int, str, int]] = field(factory=Counter)
    final: Counter[tuple[str, int]] = field(factory=Counter)
    failed: int = 0
    faults: dict[int, str] = field(
        factory=dict
    )  # of the first that failed, by the number of the game
    watched: int = 0
    seen: Seen = field(factory=Seen)

    def ended(self, game: Played, sides: Sequence[str]) -> None:
        """Counts a game."""
        self.games += 1
        self.decisions += game.decisions
        self.events += game.events
        self.results[game.winner, game.level] += 1
        self.lengths[game.decisions] += 1
        self.turns[len(game.marks)] += 1
        for turn, scores in game.marks:
            for side, score in zip(sides, scores, strict=False):  # a game without a score has none
                self.scores[turn, side, score] += 1
        for side, score in zip(sides, game.marks[-1][1], strict=False):
            self.final[side, score] += 1

    def broke(self, number: int, text: str) -> None:
        """Counts a game that broke a rule of its own."""
        self.failed += 1
        self.faults[number] = text
        self._first_faults()

    def add(self, other: Tally) -> None:
        """Adds what was counted elsewhere."""
        for name in ("games", "decisions", "events", "failed", "watched"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("results", "lengths", "turns", "scores", "final"):
            getattr(self, name).update(getattr(other, name))
        self.faults.update(other.faults)
        self._first_faults()
        self.seen.add(other.seen)

    def _first_faults(self) -> None:
        if len(self.faults) > MOST_TOLD:
            self.faults = {
                number: self.faults[number] for number in sorted(self.faults)[:MOST_TOLD]
            }

    @property
    def wins(self) -> Counter[str]:
        """Games by winner ('' nobody)."""
        out: Counter[str] = Counter()
        for (winner, _), count in self.results.items():
            out[winner] += count
        return out

    @property
    def levels(self) -> Counter[str]:
        """Games by level."""
        out: Counter[str] = Counter()
        for (_, level), count in self.results.items():
            out[level] += count
        return out

    @property
    def failures(self) -> list[str]:
        """The first failures in words, in order."""
        return [self.faults[number] for number in sorted(self.faults)]

    # ------------------------------------------------------------------ plain data
    def to_json(self) -> dict[str, Any]:
        """Plain data; equal tallies give equal data, in the same order."""
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
        """A tally as `to_json` gave it. RulekitError if it is none."""
        try:
            tally = cls(
                seen=Seen.from_json(data["seen"]),
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
            raise fault(RulekitError, "study.no_tally", why=error) from None
        return tally


def _count(number: Any) -> int:
    if type(number) is not int or number < 0:
        raise TypeError(repr(number))
    return number
