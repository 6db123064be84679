"""Takes a clock's rule and what happened, makes the time that each side has left, and when whose
flag falls. Times are seconds since 1970."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec
from attrs import evolve, frozen

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.catalog import fault

_RULE = re.compile(
    r"none|move:(?P<move>\d{1,7})|days:(?P<days>\d{1,3})|fischer:(?P<bank>\d{1,7})\+(?P<more>\d{1,6})",
    re.ASCII,
)
DAY = 86400


@frozen
class Rule:
    """`each`: for each decision, else for the whole game; `seconds`: 0 is no clock; `more`: added
    when the decision turns to another."""

    each: bool
    seconds: int
    more: int = 0


def rule(text: str) -> Rule:
    """What a clock's rule says. RulekitError if it says nothing."""
    found = _RULE.fullmatch(text)
    if found is None:
        raise fault(RulekitError, "people.clock", text=repr(text[:40]))
    if found["bank"]:
        out = Rule(False, int(found["bank"]), int(found["more"]))
    else:
        out = Rule(True, int(found["move"] or 0) + DAY * int(found["days"] or 0))
    if text != "none" and out.seconds < 5:
        raise fault(RulekitError, "people.clock", text=repr(text[:40]))
    return out


@frozen
class Moment:
    """Where play stands: `asked` decides, `choices` stand; `turns`: how many turns of each side
    have ended, by choices that stand."""

    asked: str | None
    choices: int
    turns: Mapping[str, int] = {}


@frozen
class Clocks:
    """The time that each side has. What a side has used is never given back.

    `left`: of each side that a person plays, the seconds that it had at `since`, below 0 where a
    choice was taken back that had earned time; `running`: whose time runs; `choices`: how many
    stood when it was asked; `high`: the most that ever stood; `turns`: as in `Moment`, those that
    have earned time (None: they were not counted); `first`: how many choices stood when play began.
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
        """When the flag of the running side falls."""
        return (
            None
            if self.running is None or self.since is None
            else self.since + max(0.0, self.left[self.running])
        )

    def now(self, at: float) -> dict[str, float]:
        """What each side has left."""
        return {side: max(0.0, seconds) for side, seconds in self._at(at).items()}

    def _at(self, at: float) -> dict[str, float]:
        if self.running is None or self.since is None:
            return dict(self.left)
        before = self.left[self.running]
        return self.left | {self.running: max(min(0.0, before), before - max(0.0, at - self.since))}

    def was_asked(self, rule: Rule, moment: Moment) -> bool:
        """May the side that is asked now have been asked this before, and thought about it?"""
        return rule.each and moment.choices <= self.high

    def after(self, rule: Rule, moment: Moment, at: float, had: float | None = None) -> Clocks:
        """After choices were made or taken back. `had`: what the side that is asked now had left
        when it was asked this before, if it was: with a clock for each decision it goes on from
        there. Else a side has what the choices earn that stand, less what it has used.
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
        """The turns that have earned time, by side. Where they were not counted, all that have
        ended but the last."""
        if self.turns is not None:
            return self.turns
        just = (
            {self.running: moment.turns.get(self.running, 0) - 1}
            if self.running and self.running != moment.asked
            else {}
        )
        return {**moment.turns, **just}

    def stopped(self, at: float) -> Clocks:
        """When the game is over."""
        return evolve(self, left=self.now(at), running=None, since=None)

    def kept(self) -> str:
        """What the database keeps besides `running` and `since`."""
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
    """How many turns of each side have ended: choices after which another decides. `choosers`: who
    made each; `asked`: who decides now."""
    return dict(
        Counter(
            who for who, after in pairwise([*choosers, asked]) if who is not None and who != after
        )
    )


def begun(rule: Rule, sides: list[str], asked: str | None, choices: int, at: float) -> Clocks:
    """The clocks when play begins."""
    full = dict.fromkeys(sides, float(rule.seconds)) if rule.seconds else {}
    running = asked if asked in full else None
    return Clocks(full, running, at if running else None, choices, choices, {}, choices)


def read(kept: str, running: str | None, since: float | None) -> Clocks:
    """The clocks as the database keeps them; those that an older version kept, too."""
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
