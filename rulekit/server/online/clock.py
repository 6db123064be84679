"""Game clocks: the rule of a clock, the time that each side has left, and the moment when a flag
falls. Times are seconds since 1970.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec
from attrs import evolve, frozen

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _

MIN_CLOCK_SECONDS = 5  # for a decision, or in the bank
_RULE = re.compile(
    r"none|move:(?P<move>\d{1,7})|days:(?P<days>\d{1,3})|fischer:(?P<bank>\d{1,7})\+(?P<more>\d{1,6})",
    re.ASCII,
)
DAY = 86400


@frozen
class Rule:
    """The rule of a clock.

    Attributes:
        each: True if the time is for each decision, False if it is for the whole game.
        seconds: the time, 0 for no clock.
        more: the seconds that a side gains when its turn ends.
    """

    each: bool
    seconds: int
    more: int = 0


def rule(text: str) -> Rule:
    """Parse the rule of a clock. Raise `RulekitError` if it is invalid."""
    found = _RULE.fullmatch(text)
    if found is None:
        raise RulekitError(
            _(
                "{text} is not a clock: write none, move:SECONDS, days:N or"
                " fischer:SECONDS+INCREMENT",
                text=repr(text[:40]),
            )
        )
    if found["bank"]:
        out = Rule(False, int(found["bank"]), int(found["more"]))
    else:
        out = Rule(True, int(found["move"] or 0) + DAY * int(found["days"] or 0))
    if text != "none" and out.seconds < MIN_CLOCK_SECONDS:
        raise RulekitError(
            _(
                "{text} is not a clock: write none, move:SECONDS, days:N or"
                " fischer:SECONDS+INCREMENT",
                text=repr(text[:40]),
            )
        )
    return out


@frozen
class Moment:
    """The stage of a game, as clocks need it. Undone choices do not count.

    Attributes:
        asked: the side that decides, None if the game is over.
        choices: the number of choices.
        turns: the number of finished turns of each side.
    """

    asked: str | None
    choices: int
    turns: Mapping[str, int] = {}


@frozen
class Clocks:
    """The time that each side has. Time that a side has used is never given back.

    Attributes:
        left: the seconds that each human side had at `since`. It is below 0 after a side undid a
            choice that had earned time.
        running: the side whose time runs.
        since: the time at which it began to run.
        choices: the number of choices at that time.
        high: the highest number of choices so far.
        turns: the turns that have earned time, as in `Moment`. None if they were not counted.
        first: the number of choices at the beginning of play.
    """

    left: dict[str, float]
    running: str | None = None
    since: float | None = None
    choices: int = 0
    high: int = 0
    turns: dict[str, int] | None = None
    first: int = 0

    @property
    def falls(self) -> float | None:
        """Return the time at which the flag of the running side falls."""
        return (
            None
            if self.running is None or self.since is None
            else self.since + max(0.0, self.left[self.running])
        )

    def now(self, at: float) -> dict[str, float]:
        """Return the seconds that each side has left."""
        return {side: max(0.0, seconds) for side, seconds in self._at(at).items()}

    def _at(self, at: float) -> dict[str, float]:
        if self.running is None or self.since is None:
            return dict(self.left)
        before = self.left[self.running]
        return self.left | {self.running: max(min(0.0, before), before - max(0.0, at - self.since))}

    def was_asked(self, rule: Rule, moment: Moment) -> bool:
        """Return True if the side that decides may have thought about this decision before."""
        return rule.each and moment.choices <= self.high

    def after(self, rule: Rule, moment: Moment, at: float, had: float | None = None) -> Clocks:
        """Return the clocks after choices were made or undone.

        With a clock for each decision, a side that returns to a decision continues with the time
        that it had. Otherwise a side has the time earned by its choices that are not undone, less
        the time used.

        Args:
            had: the seconds that the side that decides had left at this decision before, if it did.
        """
        if not rule.seconds:
            return self
        left, asked = self._at(at), moment.asked
        running = asked if asked in left else None
        turns = dict(moment.turns)
        if rule.each:
            left |= {
                side: float(rule.seconds) for side in (self.running, running) if side is not None
            }
            if running is not None and had is not None:
                left[running] = had
        else:
            earned = self._earned(moment)
            for side in left:
                left[side] += rule.more * (turns.get(side, 0) - earned.get(side, 0))
        return Clocks(
            left,
            running,
            at if running else None,
            moment.choices,
            max(self.high, moment.choices),
            turns,
            self.first,
        )

    def _earned(self, moment: Moment) -> Mapping[str, int]:
        """Return the number of turns of each side that have earned time. If they were not counted,
        assume all finished turns except the last one.
        """
        if self.turns is not None:
            return self.turns
        just = (
            {self.running: moment.turns.get(self.running, 0) - 1}
            if self.running and self.running != moment.asked
            else {}
        )
        return {**moment.turns, **just}

    def stopped(self, at: float) -> Clocks:
        """Return the clocks at the end of the game."""
        return evolve(self, left=self.now(at), running=None, since=None)

    def kept(self) -> str:
        """Return the stored form of the clocks. `running` and `since` are stored in their own
        columns.
        """
        return msgspec.json.encode(
            {
                "left": self.left,
                "high": self.high,
                "choices": self.choices,
                "turns": self.turns,
                "first": self.first,
            }
        ).decode()


def turns_of(choosers: Sequence[str], asked: str | None) -> dict[str, int]:
    """Return the number of finished turns of each side. A turn ends with a choice after which
    another side decides.

    Args:
        choosers: the side that made each choice.
        asked: the side that decides now.
    """
    return dict(
        Counter(
            who for who, after in pairwise([*choosers, asked]) if who is not None and who != after
        )
    )


def begun(rule: Rule, sides: list[str], asked: str | None, choices: int, at: float) -> Clocks:
    """Return the clocks at the beginning of play."""
    full = dict.fromkeys(sides, float(rule.seconds)) if rule.seconds else {}
    running = asked if asked in full else None
    return Clocks(full, running, at if running else None, choices, choices, {}, choices)


def read(kept: str, running: str | None, since: float | None) -> Clocks:
    """Return the clocks from their stored form, also from that of an older version."""
    found = msgspec.json.decode(kept)
    high = found["high"]
    return Clocks(
        found["left"],
        running,
        since,
        found.get("choices", high),
        high,
        found.get("turns"),
        found.get("first", 0),
    )
