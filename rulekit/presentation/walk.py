"""The steps of a walk in a copy: the place of the group, the cost, and permission to stay there."""

from __future__ import annotations

from attrs import define, frozen

from rulekit.engine.lookahead.player_lookahead import PlayerLookahead, is_unlimited, walkers
from rulekit.runtime.program import PriceInfo
from rulekit.runtime.slots import PC


@frozen
class WalkContext:
    """The parts of a walk that do not change.

    Attributes:
        number: its decision.
        proc: its procedure.
        at: the slot of its place.
        fuel: the slot of the rest of its allowance.
        start: the slot of its beginning.
        kind: the kind of its places.
        price: the source that pays for its steps, or None if nothing is counted.
    """

    number: int
    proc: int
    at: int
    fuel: int
    start: int
    kind: int
    price: PriceInfo | None

    @classmethod
    def of(cls, ahead: PlayerLookahead) -> WalkContext:
        """Return the course of the current walk."""
        program, number = ahead.program, ahead.slots[PC]
        proc = program.decisions[number].proc
        info = program.procs[proc]
        own = {v.name: v for v in info.vars[info.params :]}
        at, fuel, start = (own[name] for name in ("at", "fuel", "start"))
        prices = [
            price
            for family in program.decisions[number].families
            for price in program.families[family].prices
        ]
        counted = prices and not is_unlimited(ahead.slots[fuel.slot])
        return cls(
            number,
            proc,
            at.slot,
            fuel.slot,
            start.slot,
            at.type.kind,
            prices[0] if counted else None,
        )


@define(eq=False)
class Walking:
    """A running walk.

    Attributes:
        keys: the keys of the choices so far.
        way: the places that it has entered.
        spent: the cost so far, or None if the observer may not know it beforehand.
        here: the place of the group, or -1 if it has none or several.
        may_stop: True if the group may stay there, or None if that is unknown.
        over: True if no step can follow.
        sure: the number of keys before a possible interruption, or -1 for all.
        stopped_by: the possible interruption, or ''.
    """

    ahead: PlayerLookahead
    course: WalkContext
    movers: dict[int, int]
    keys: tuple[str, ...] = ()
    way: tuple[int, ...] = ()
    spent: int | None = 0
    here: int = -1
    may_stop: bool | None = None
    over: bool = False
    sure: int = -1
    stopped_by: str = ""
    start: int = -1

    @classmethod
    def at(
        cls,
        ahead: PlayerLookahead,
        keys: tuple[str, ...] = (),
        sure: int = -1,
        stopped_by: str = "",
    ) -> Walking:
        """Return the current walk. Its steps since the last choice count as steps after `keys`."""
        course = WalkContext.of(ahead)
        walking = cls(ahead, course, walkers(ahead), keys, sure=sure, stopped_by=stopped_by)
        walking.start = ahead.before(course.at)
        if not ahead.first:
            entered, fuel = (
                ahead.values(course.at, course.proc),
                ahead.values(course.fuel, course.proc),
            )
            if ahead.values(course.start, course.proc):  # it began after the last choice
                walking.start, entered = ahead.slots[course.start], entered[1:]
            else:
                fuel = [ahead.before(course.fuel), *fuel]
            walking.way = tuple(entered)
            walking.spent = fuel[0] - fuel[-1] if fuel else 0
        walking._look(False)
        return walking

    def copy(self) -> Walking:
        """Return a copy from here."""
        return Walking(
            self.ahead.copy(),
            self.course,
            self.movers,
            self.keys,
            self.way,
            self.spent,
            self.here,
            self.may_stop,
            self.over,
            self.sure,
            self.stopped_by,
            self.start,
        )

    @property
    def place(self) -> str | None:
        """The id of the place where the group is."""
        return self.ahead.state.names.id(self.course.kind, self.here)

    @property
    def left(self) -> int:
        """The rest of its allowance."""
        return self.ahead.slots[self.course.fuel]

    def steps(self) -> list[int]:
        """Return the ids of the possible steps."""
        return [] if self.over else [id for id in self.ahead.ids() if self.ahead.family(id).arcs]

    @property
    def stop(self) -> str:
        """The key that ends it here, or ''."""
        if self.over:
            return ""
        return next(
            (self.ahead.key(id) for id in self.ahead.ids() if self.ahead.family(id).what == "stop"),
            "",
        )

    def step(self, id: int) -> None:
        """Make a step and those that follow without asking. Windows on the way are passed."""
        ahead, course, family = self.ahead, self.course, self.ahead.family(id)
        hidden = bool(family.secrets) and not ahead.now().knows_all(family.secrets, [])
        fuel, passed = self.left, ahead.passed
        self.keys = (*self.keys, ahead.key(id))
        before = len(self.keys)
        ahead.take(id)
        self.keys = (*self.keys, *ahead.settle(course.proc))
        if not self.stopped_by and ahead.passed > passed:
            self.stopped_by, self.sure = "window", before
        self.way = (*self.way, *ahead.values(course.at, course.proc))
        if hidden or self.spent is None:
            self.spent = None
        else:
            self.spent += fuel - [fuel, *ahead.values(course.fuel, course.proc)][-1]
        self._look(ahead.ended(course.proc) > 0)

    # --------------------------------------------------------------------------------- the position
    def _look(self, ended: bool) -> None:
        """Update the place of the group and the permission to stay there.

        Args:
            ended: True if the last step ended the walk.
        """
        ahead = self.ahead
        self.over = (
            bool(ahead.stopped) or ended or ahead.slots[PC] != self.course.number or not ahead.mine
        )
        self.here = self.way[-1] if self.way else self.start
        between = ahead.stopped or (
            "choice" if self.over and not ended and ahead.runs(self.course.proc) else ""
        )
        if between:
            self.may_stop = None
            self.stopped_by, self.sure = (
                (self.stopped_by, self.sure) if self.stopped_by else (between, len(self.keys))
            )
        elif not self.over:
            self.may_stop = bool(self.stop)
            self.here = ahead.slots[self.course.at]
        else:
            found = ahead.places(self.movers)
            self.here = next(iter(found)) if len(found) == 1 else -1 if found else self.here
            self.may_stop = self.here >= 0
