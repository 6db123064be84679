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
    def of(cls, lookahead: PlayerLookahead) -> WalkContext:
        """Return the course of the current walk."""
        program, number = lookahead.program, lookahead.slots[PC]
        proc = program.decisions[number].proc
        info = program.procs[proc]
        own = {v.name: v for v in info.vars[info.params :]}
        at, fuel, start = (own[name] for name in ("at", "fuel", "start"))
        prices = [
            price
            for family in program.decisions[number].families
            for price in program.families[family].prices
        ]
        counted = prices and not is_unlimited(lookahead.slots[fuel.slot])
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

    lookahead: PlayerLookahead
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
        lookahead: PlayerLookahead,
        keys: tuple[str, ...] = (),
        sure: int = -1,
        stopped_by: str = "",
    ) -> Walking:
        """Return the current walk. Its steps since the last choice count as steps after `keys`."""
        course = WalkContext.of(lookahead)
        walking = cls(lookahead, course, walkers(lookahead), keys, sure=sure, stopped_by=stopped_by)
        walking.start = lookahead.before(course.at)
        if not lookahead.first:
            entered, fuel = (
                lookahead.values(course.at, course.proc),
                lookahead.values(course.fuel, course.proc),
            )
            if lookahead.values(course.start, course.proc):  # it began after the last choice
                walking.start, entered = lookahead.slots[course.start], entered[1:]
            else:
                fuel = [lookahead.before(course.fuel), *fuel]
            walking.way = tuple(entered)
            walking.spent = fuel[0] - fuel[-1] if fuel else 0
        walking._look(False)
        return walking

    def copy(self) -> Walking:
        """Return a copy from here."""
        return Walking(
            self.lookahead.copy(),
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
        return self.lookahead.state.names.id(self.course.kind, self.here)

    @property
    def left(self) -> int:
        """The rest of its allowance."""
        return self.lookahead.slots[self.course.fuel]

    def steps(self) -> list[int]:
        """Return the ids of the possible steps."""
        return (
            []
            if self.over
            else [id for id in self.lookahead.ids() if self.lookahead.family(id).arcs]
        )

    @property
    def stop(self) -> str:
        """The key that ends it here, or ''."""
        if self.over:
            return ""
        return next(
            (
                self.lookahead.key(id)
                for id in self.lookahead.ids()
                if self.lookahead.family(id).what == "stop"
            ),
            "",
        )

    def step(self, id: int) -> None:
        """Make a step and those that follow without asking. Windows on the way are passed."""
        lookahead, course, family = self.lookahead, self.course, self.lookahead.family(id)
        hidden = bool(family.secrets) and not lookahead.now().knows_all(family.secrets, [])
        fuel, passed = self.left, lookahead.passed
        self.keys = (*self.keys, lookahead.key(id))
        before = len(self.keys)
        lookahead.take(id)
        self.keys = (*self.keys, *lookahead.settle(course.proc))
        if not self.stopped_by and lookahead.passed > passed:
            self.stopped_by, self.sure = "window", before
        self.way = (*self.way, *lookahead.values(course.at, course.proc))
        if hidden or self.spent is None:
            self.spent = None
        else:
            self.spent += fuel - [fuel, *lookahead.values(course.fuel, course.proc)][-1]
        self._look(lookahead.ended(course.proc) > 0)

    # --------------------------------------------------------------------------------- the position
    def _look(self, ended: bool) -> None:
        """Update the place of the group and the permission to stay there.

        Args:
            ended: True if the last step ended the walk.
        """
        lookahead = self.lookahead
        self.over = (
            bool(lookahead.stopped)
            or ended
            or lookahead.slots[PC] != self.course.number
            or not lookahead.mine
        )
        self.here = self.way[-1] if self.way else self.start
        between = lookahead.stopped or (
            "choice" if self.over and not ended and lookahead.runs(self.course.proc) else ""
        )
        if between:
            self.may_stop = None
            self.stopped_by, self.sure = (
                (self.stopped_by, self.sure) if self.stopped_by else (between, len(self.keys))
            )
        elif not self.over:
            self.may_stop = bool(self.stop)
            self.here = lookahead.slots[self.course.at]
        else:
            found = lookahead.places(self.movers)
            self.here = next(iter(found)) if len(found) == 1 else -1 if found else self.here
            self.may_stop = self.here >= 0
