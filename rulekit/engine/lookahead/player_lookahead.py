"""Takes a state and a viewer, plays on in a copy, by his choices: up to the first die, draw or
reveal, by nothing that he may not know.

Others' windows count as passed. That one is open tells nothing (it hangs on what everybody may
know), and whether its owner could do something is not looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import define, field

from rulekit.common.errors import RulekitError
from rulekit.engine.kernel.decision import matching
from rulekit.engine.kernel.names import NO_LIMIT
from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.knowledge.world_enumeration import watched
from rulekit.runtime import cells
from rulekit.runtime.chance_barrier import Unknown
from rulekit.runtime.code import SURE, Code
from rulekit.runtime.intrinsics import ids, members
from rulekit.runtime.program import DecisionInfo, FamilyInfo, PriceInfo, Program, SecretInfo
from rulekit.runtime.slots import LAYERS, PC

MOST_WINDOWS = 40  # that are passed in a row


@define(eq=False)
class Ahead:
    """A copy that plays on. `slots`: as they are; `stopped`: what is needed to go on and nobody
    knows (die, draw, reveal), or ''; `trail`: of the last choice, slot, old value, ...; `passed`:
    another's windows that were passed.
    """

    state: Position
    viewer: Observer
    program: Program
    code: Code
    slots: list[int]
    first: bool = True  # nothing was chosen: the options are those that are offered now
    stopped: str = ""
    trail: list[int] = field(factory=list)
    passed: int = 0

    @classmethod
    def of(cls, viewer: Observer) -> Ahead:
        """At the decision that is asked now, as it is: only for what hangs on nothing that the
        viewer may not know."""
        program = viewer.program
        return cls(viewer.state, viewer, program, program.code(SURE), viewer.state.slots[:])

    @classmethod
    def within(cls, viewer: Observer, slots: list[int]) -> Ahead:
        """At the decision that is asked now, in a position that the viewer may suppose; the options
        are those that he sees."""
        program, state = viewer.program, viewer.state
        state.legal_actions()
        slots[LAYERS] = state.slots[LAYERS]
        return cls(state, viewer, program, program.code(SURE), slots)

    def copy(self) -> Ahead:
        """Another one, from here."""
        return Ahead(
            self.state,
            self.viewer,
            self.program,
            self.code,
            self.slots[:],
            self.first,
            self.stopped,
            [],
            self.passed,
        )

    # ---------------------------------------------------------------- what is asked
    @property
    def info(self) -> DecisionInfo:
        """What is asked; of a game that is over, nothing."""
        return self.program.decisions[max(self.slots[PC], 0)]

    @property
    def mine(self) -> bool:
        """Is the viewer asked?"""
        return (
            self.viewer.me >= 0
            and not self.stopped
            and self.slots[PC] > 0
            and self.code.who(self.slots) == self.viewer.me
        )

    def now(self) -> Observer:
        """What the viewer may know of the copy as it stands."""
        return Observer(
            Position(self.state.table, self.slots), self.viewer.me if self.viewer.me >= 0 else None
        )

    def is_open(self) -> bool:
        """May the viewer know by what the options here are offered? Those that are offered in the
        game itself he sees."""
        if self.first:
            return True
        families = [self.program.families[at] for at in self.info.families]
        secrets = {
            s for f in families for s in (*f.secrets, *(s for c in f.clauses for s in c.presence))
        }
        return not secrets or self.now().knows_all([_of_any(s) for s in secrets], [])

    def ids(self) -> list[int]:
        """The ids of the options."""
        return ids(self.code.layers(self.slots)) if self.slots[PC] > 0 else []

    def family(self, id: int) -> FamilyInfo:
        """The family of an option."""
        return self.state.table.book.family(id)

    def argument(self, id: int) -> int:
        """The one thing that an option is about; -1: it is about none, or several."""
        found = self.state.table.book.arguments(self.family(id), id)
        return found[0] if len(found) == 1 else -1

    def key(self, id: int) -> str:
        """The key of an option as the viewer may know it."""
        if not self.family(id).params or self.family(id).arcs or self.now().names_all(id):
            return self.state.table.book.option(id).key
        return f"#{self.ids().index(id) + 1}"

    def find(self, key: str) -> int:
        """The id of the option that a key means here; 0 if it is not offered."""
        found = self.ids()
        if key[:1] == "#" and key[1:].isdigit():
            return found[int(key[1:]) - 1] if 0 < int(key[1:]) <= len(found) else 0
        book, now = self.state.table.book, self.now()
        exact = [id for id in found if now.names_all(id) and book.option(id).key == key]
        if exact:
            return exact[0]
        meant = matching(
            key, [book.option(id) for id in found if now.names_all(id)], self.state.names
        )
        return meant[0].id if len(meant) == 1 else 0

    # ---------------------------------------------------------------- choices
    def take(self, id: int) -> None:
        """Takes an option. What ends with an error of the rules stops here, too."""
        self.trail = watched(self.slots, [], [])
        self.first = False
        try:
            self.code.apply(self.slots, id, [], self.trail)
        except Unknown as unknown:
            self.stopped = unknown.what
        except (RulekitError, ArithmeticError, LookupError, ValueError, TypeError):
            self.stopped = "error"
        if self.stopped:
            self.slots[LAYERS] = None  # type: ignore[call-overload]

    def after(self, id: int) -> Ahead:
        """A copy that takes an option, and passes the windows that follow."""
        there = self.copy()
        there.take(id)
        there.settle()
        return there

    def pass_id(self) -> int:
        """The option to pass, if this is a window; 0: it is none."""
        if self.stopped or self.slots[PC] <= 0 or self.info.kind != "window":
            return 0
        return next(
            (
                f.base
                for f in (self.program.families[at] for at in self.info.families)
                if f.what == "pass"
            ),
            0,
        )

    def settle(self, within: int = -1) -> list[str]:
        """Passes windows; returns the viewer's own passes as keys. `within`: only as long as this
        procedure goes on."""
        keys: list[str] = []
        for _ in range(MOST_WINDOWS):
            id = self.pass_id()
            if not id or (within >= 0 and (self.ended(within) or not self.runs(within))):
                return keys
            if self.mine:
                keys.append(self.state.table.book.option(id).key)
            else:
                self.passed += 1
            before = self.trail
            self.take(id)
            self.trail = before + self.trail
        return keys

    def runs(self, proc: int) -> bool:
        """Is this procedure going on?"""
        slot = self.program.procs[proc].returns
        return slot >= 0 and self.slots[slot] != 0

    def ended(self, proc: int) -> int:
        """Where in the trail of the last choice a procedure was over (it may have begun again
        since); 0: it was not."""
        back, written = self.program.procs[proc].returns, self.trail[::2]
        if back not in written:
            return 0
        return next(
            (2 * n + 1 for n, at in enumerate(written) if at == back and self.trail[2 * n + 1]), 0
        )

    # ---------------------------------------------------------------- what came of it
    def values(self, slot: int, within: int) -> list[int]:
        """What was written to a slot in the course of the last choice, up to where a procedure was
        over."""
        trail, ended = self.trail, self.ended(within) or len(self.trail)
        found = [2 * n for n, at in enumerate(trail[::2]) if at == slot]
        after = [*(trail[i + 1] for i in found[1:]), self.slots[slot]]
        return [value for i, value in zip(found, after, strict=False) if i < ended]

    def before(self, slot: int) -> int:
        """What a slot held before the last choice."""
        return next(
            (old for at, old in zip(self.trail[::2], self.trail[1::2], strict=True) if at == slot),
            self.slots[slot],
        )

    def paid(self, id: int) -> list[tuple[PriceInfo, tuple[int, ...], int | None]]:
        """What an option that is offered here costs: from what, its keys, how much (None: the
        viewer may not know it before). A walk that has no limit costs nothing."""
        family, out = self.family(id), []
        if not family.prices:
            return []
        args, now = self.state.table.book.arguments(family, id), self.now()
        found = self.code.cost(self.slots, self.program.families.index(family), args)
        for price, (amount, *keys) in zip(family.prices, found, strict=True):
            if price.clause < 0 and is_unlimited(self.slots[price.slot]):
                continue
            secrets = family.secrets if price.clause < 0 else family.clauses[price.clause].presence
            out.append((price, tuple(keys), amount if now.knows_all(secrets, args) else None))
        return out

    def places(self, movers: dict[int, int]) -> set[int]:
        """Where things stand (a mask for each kind), in the order of nothing."""
        cell_of, out = self.state.names.place_cells, set()
        for kind, mask in movers.items():
            out |= {cells.read(self.slots, cell_of[kind], (member,)) for member in members(mask)}
        return out


def ways_to(ahead: Ahead, has_room: Callable[[Ahead], bool], deep: int) -> Iterator[list[int]]:
    """The choices, `deep` of them at most, that lead to a group in which there is room for
    something, or to a walk of it, if it was the only possibility and nobody was asked for a group:
    the ids of each way. Windows on the way are passed.
    """
    if not ahead.mine or not ahead.is_open():
        return
    if ahead.info.kind in ("group", "walk"):
        if has_room(ahead):
            yield []
    elif ahead.info.kind in ("choose", "pick") and deep:
        for id in ahead.ids():
            yield from ([id, *way] for way in ways_to(ahead.after(id), has_room, deep - 1))


def walkers(ahead: Ahead) -> dict[int, int]:
    """Who walks, where a walk is asked about: for each kind of pieces a mask."""
    out: dict[int, int] = {}
    info = ahead.program.procs[ahead.info.proc]
    for var in info.vars[: info.params]:
        if (
            var.type.kind in ahead.state.names.place_cells
            and var.slot >= 0
            and var.type.form in ("member", "set")
        ):
            value = ahead.slots[var.slot]
            mask = value if var.type.form == "set" else 1 << value if value >= 0 else 0
            out[var.type.kind] = out.get(var.type.kind, 0) | mask
    return out


def is_unlimited(allowance: int) -> bool:
    """Is nothing counted of a walk, since there is no end to what it may spend?"""
    return allowance >= NO_LIMIT // 2


def _of_any(secret: SecretInfo) -> SecretInfo:
    """The same whatever an option is about."""
    at, kind, keys = secret
    return at, kind, tuple(("any", 0) if word == "param" else (word, n) for word, n in keys)
