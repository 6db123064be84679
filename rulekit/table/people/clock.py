"""Takes a clock's rule and what happened, makes the time that each side has left, and when whose flag falls. Times are seconds since
1970."""

from __future__ import annotations

import re

import msgspec
from attrs import evolve, frozen

from rulekit.base.errors import RulekitError
from rulekit.play.words import fault

_RULE = re.compile(r"none|move:(?P<move>\d{1,7})|days:(?P<days>\d{1,3})|fischer:(?P<bank>\d{1,7})\+(?P<more>\d{1,6})", re.ASCII)
DAY = 86400


@frozen
class Rule:
    """`each`: for each decision, else for the whole game; `seconds`: 0 is no clock; `more`: added when the decision passes to another."""

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
class Clocks:
    """`left`: of each side that a person plays, the seconds that it had at `since`; `running`: whose time runs; `high`: the most
    choices that stood, so that taking back and choosing again gives no new time."""

    left: dict[str, float]
    running: str | None = None
    since: float | None = None
    high: int = 0

    @property
    def falls(self) -> float | None:
        """When the flag of the running side falls."""
        return None if self.running is None or self.since is None else self.since + self.left[self.running]

    def now(self, at: float) -> dict[str, float]:
        """What each side has left."""
        if self.running is None or self.since is None:
            return dict(self.left)
        return self.left | {self.running: max(0.0, self.left[self.running] - max(0.0, at - self.since))}

    def after(self, rule: Rule, asked: str | None, choices: int, at: float) -> Clocks:
        """After choices were made or taken back: `asked` decides now, where `choices` stand."""
        if not rule.seconds:
            return self
        left = self.now(at)
        running = asked if asked in left else None
        if self.running is not None and self.running != running:
            left[self.running] = rule.seconds if rule.each else left[self.running] + rule.more
        elif running is not None and rule.each and choices > self.high:
            left[running] = rule.seconds
        return Clocks(left, running, at if running else None, max(self.high, choices))

    def stopped(self, at: float) -> Clocks:
        """When the game is over."""
        return evolve(self, left=self.now(at), running=None, since=None)

    def kept(self) -> str:
        """What the database keeps besides `running` and `since`."""
        return msgspec.json.encode({"left": self.left, "high": self.high}).decode()


def begun(rule: Rule, sides: list[str], asked: str | None, choices: int, at: float) -> Clocks:
    """The clocks when play begins."""
    full = dict.fromkeys(sides, float(rule.seconds)) if rule.seconds else {}
    running = asked if asked in full else None
    return Clocks(full, running, at if running else None, choices)


def read(kept: str, running: str | None, since: float | None) -> Clocks:
    """The clocks as the database keeps them."""
    found = msgspec.json.decode(kept)
    return Clocks(found["left"], running, since, found["high"])
