"""Takes a copy that stands at a question about a walk, makes its steps: where the group is, what was spent, whether it may stay there."""

from __future__ import annotations

from attrs import define, evolve

from rulekit.play.ahead import Ahead, is_unlimited
from rulekit.program.program import PC, FamilyInfo, PriceInfo, VarInfo


@define(eq=False)
class Walking:
    """A walk under way. `here`: the place where the group is (-1: nowhere, or not all at one); `way`: the places that it entered; `spent`:
    None if the viewer may not know it before; `may_stop`: may it stay (None: not known); `over`: it does not go on by a step; `stopped_by`:
    what may come between, or ''; `sure`: how many of its keys come before that (-1: all)."""

    ahead: Ahead
    number: int
    proc: int
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
    stepped: bool = False

    @classmethod
    def at(cls, ahead: Ahead, keys: tuple[str, ...] = (), sure: int = -1, stopped_by: str = "") -> Walking:
        """The walk that is asked about now. What it has done since the last choice counts as done after `keys`."""
        number = ahead.slots[PC]
        proc = ahead.program.decisions[number].proc
        walking = cls(ahead, number, proc, movers(ahead, proc), keys, sure=sure, stopped_by=stopped_by)
        if not ahead.first:
            entered, fuel = ahead.values(walking._slot("at"), proc), ahead.values(walking._slot("fuel"), proc)
            walking.way = tuple(entered[1:])
            walking.spent = fuel[0] - fuel[-1] if fuel else 0
        walking.start = ahead.slots[walking._slot("start")]
        walking._look()
        return walking

    def copy(self) -> Walking:
        """Another one, from here."""
        return evolve(self, ahead=self.ahead.copy())

    @property
    def place(self) -> str | None:
        """The id of the place where the group is."""
        return self.ahead.state.names.id(self._kind, self.here)

    @property
    def _kind(self) -> int:
        return self.ahead.program.procs[self.proc].vars[self.var("at")].type.kind

    @property
    def last(self) -> int:
        """The place where it was before the last step."""
        return (self.start, self.start, *self.way)[-2]

    @property
    def price(self) -> PriceInfo | None:
        """What its steps are paid from; None if nothing is counted."""
        return None if is_unlimited(self.left) else next((price for family in self._families() for price in family.prices), None)

    @property
    def left(self) -> int:
        """What is left of its allowance."""
        return self.ahead.slots[self._slot("fuel")]

    def steps(self) -> list[int]:
        """The ids of the steps that it may make."""
        return [] if self.over else [id for id in self.ahead.ids() if self.ahead.family(id).arcs]

    @property
    def stop(self) -> str:
        """The key that ends it here; '' if there is none."""
        if self.over:
            return ""
        return next((self.ahead.key(id) for id in self.ahead.ids() if self.ahead.family(id).what == "stop"), "")

    def step(self, id: int) -> None:
        """Makes a step, and those that follow from it by themselves; windows on the way are passed."""
        ahead = self.ahead
        hidden = not ahead.now().knows_all(ahead.family(id).secrets, [])
        fuel, passed = self.left, ahead.passed
        self.keys = (*self.keys, ahead.key(id))
        before, self.stepped = len(self.keys), True
        ahead.take(id)
        self.keys = (*self.keys, *ahead.settle(self.proc))
        if not self.stopped_by and ahead.passed > passed:
            self.stopped_by, self.sure = "window", before
        self.way = (*self.way, *ahead.values(self._slot("at"), self.proc))
        if hidden or self.spent is None:
            self.spent = None
        else:
            self.spent += fuel - [fuel, *ahead.values(self._slot("fuel"), self.proc)][-1]
        self._look()

    # ---------------------------------------------------------------- the position
    def _look(self) -> None:
        """Notes where it stands, and whether it may stay there."""
        ahead = self.ahead
        ended = self.stepped and ahead.ended(self.proc) > 0
        self.over = bool(ahead.stopped) or ended or ahead.slots[PC] != self.number or not ahead.mine
        self.here = self.way[-1] if self.way else self.start
        between = ahead.stopped or ("choice" if self.over and not ended and ahead.runs(self.proc) else "")
        if between:
            self.may_stop = None
            self.stopped_by, self.sure = (self.stopped_by, self.sure) if self.stopped_by else (between, len(self.keys))
        elif not self.over:
            self.may_stop = bool(self.stop)
            self.here = ahead.slots[self._slot("at")]
        else:
            found = ahead.places(self.movers)
            self.here = next(iter(found)) if len(found) == 1 else -1 if found else self.here
            self.may_stop = self.here >= 0

    def _families(self) -> list[FamilyInfo]:
        program = self.ahead.program
        return [program.families[at] for at in program.decisions[self.number].families]

    def var(self, name: str) -> int:
        """Which variable of its procedure is called so."""
        vars: list[VarInfo] = self.ahead.program.procs[self.proc].vars
        first = self.ahead.program.procs[self.proc].params
        return next(i for i, v in enumerate(vars) if i >= first and v.name == name)

    def _slot(self, name: str) -> int:
        return self.ahead.program.procs[self.proc].vars[self.var(name)].slot


def movers(ahead: Ahead, proc: int) -> dict[int, int]:
    """Who walks: for each kind of pieces a mask."""
    out: dict[int, int] = {}
    info = ahead.program.procs[proc]
    for var in info.vars[:info.params]:
        if var.type.kind in ahead.state.names.place_cells and var.slot >= 0 and var.type.form in ("member", "set"):
            value = ahead.slots[var.slot]
            mask = value if var.type.form == "set" else 1 << value if value >= 0 else 0
            out[var.type.kind] = out.get(var.type.kind, 0) | mask
    return out
