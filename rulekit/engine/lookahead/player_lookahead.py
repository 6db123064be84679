"""Play on in a copy by one player's choices, up to the first die, draw or reveal.

The copy uses nothing that the player may not know. Others' windows count as passed. An open window
reveals nothing, because whether it opens depends only on public information. Whether its owner has
a real option there is not examined.
"""

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

MOST_WINDOWS = 40  # the largest number of windows that are passed in a row


@define(eq=False)
class PlayerLookahead:
    """A copy that plays on.

    Attributes:
        slots: the slots of the copy.
        first: True until the first choice. The options are then the ones offered in the game.
        stopped: the unknown thing that play cannot go on without (die, draw, reveal), error, or ''.
        trail: the undo trail of the last choice: slot, old value, and so on.
        passed: the number of others' windows that were passed.
    """

    state: Position
    observer: Observer
    program: Program
    code: Code
    slots: list[int]
    first: bool = True
    stopped: str = ""
    trail: list[int] = field(factory=list)
    passed: int = 0

    @classmethod
    def of(cls, observer: Observer) -> PlayerLookahead:
        """Return a copy of the present decision as it is.

        Use it only for computations that do not depend on anything hidden from the observer.
        """
        program = observer.program
        return cls(observer.state, observer, program, program.code(SURE), observer.state.slots[:])

    @classmethod
    def within(cls, observer: Observer, slots: list[int]) -> PlayerLookahead:
        """Return a copy of the present decision in a position of the observer's information set.

        Its options are those that the observer sees.
        """
        program, state = observer.program, observer.state
        state.legal_actions()
        slots[LAYERS] = state.slots[LAYERS]
        return cls(state, observer, program, program.code(SURE), slots)

    def copy(self) -> PlayerLookahead:
        """Return another copy from here."""
        return PlayerLookahead(
            self.state,
            self.observer,
            self.program,
            self.code,
            self.slots[:],
            self.first,
            self.stopped,
            [],
            self.passed,
        )

    # --------------------------------------------------------------------------------- the decision
    @property
    def info(self) -> DecisionInfo:
        """The current decision, or an empty placeholder when the game is over."""
        return self.program.decisions[max(self.slots[PC], 0)]

    @property
    def mine(self) -> bool:
        """True if the observer is the player who decides."""
        return (
            self.observer.me >= 0
            and not self.stopped
            and self.slots[PC] > 0
            and self.code.who(self.slots) == self.observer.me
        )

    def now(self) -> Observer:
        """Return the observer of the copy as it stands."""
        return Observer(
            Position(self.state.table, self.slots),
            self.observer.me if self.observer.me >= 0 else None,
        )

    def is_open(self) -> bool:
        """Return True if the observer may know the conditions on which the options here depend.

        The options that the game itself offers are visible anyway.
        """
        if self.first:
            return True
        families = [self.program.families[at] for at in self.info.families]
        secrets = {
            s for f in families for s in (*f.secrets, *(s for c in f.clauses for s in c.presence))
        }
        return not secrets or self.now().knows_all([_of_any(s) for s in secrets], [])

    def ids(self) -> list[int]:
        """Return the ids of the options."""
        return ids(self.code.layers(self.slots)) if self.slots[PC] > 0 else []

    def family(self, id: int) -> FamilyInfo:
        """Return the family of an option."""
        return self.state.table.book.family(id)

    def argument(self, id: int) -> int:
        """Return the only argument of an option, or -1 if it has none or several."""
        found = self.state.table.book.arguments(self.family(id), id)
        return found[0] if len(found) == 1 else -1

    def key(self, id: int) -> str:
        """Return the key of an option as the observer may know it."""
        if not self.family(id).params or self.family(id).arcs or self.now().names_all(id):
            return self.state.table.book.option(id).key
        return f"#{self.ids().index(id) + 1}"

    def find(self, key: str) -> int:
        """Return the id of the option that a key means here, or 0 if it is not offered."""
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

    # -------------------------------------------------------------------------------------- choices
    def take(self, id: int) -> None:
        """Take an option. An error in the rules stops play here, too."""
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

    def after(self, id: int) -> PlayerLookahead:
        """Return a copy in which an option was taken and the windows after it were passed."""
        there = self.copy()
        there.take(id)
        there.settle()
        return there

    def pass_id(self) -> int:
        """Return the option to pass if this is a window, else 0."""
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
        """Pass windows. Return the observer's own passes as keys.

        Args:
            within: a procedure. Windows are passed only while it runs.
        """
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
        """Return True if this procedure is running."""
        slot = self.program.procs[proc].returns
        return slot >= 0 and self.slots[slot] != 0

    def ended(self, proc: int) -> int:
        """Return the position in the last choice's trail where a procedure ended, or 0.

        The procedure may have begun again since.
        """
        back, written = self.program.procs[proc].returns, self.trail[::2]
        if back not in written:
            return 0
        return next(
            (2 * n + 1 for n, at in enumerate(written) if at == back and self.trail[2 * n + 1]), 0
        )

    # -------------------------------------------------------------------------- effects of a choice
    def values(self, slot: int, within: int) -> list[int]:
        """Return the values written to a slot in the last choice, up to the end of a procedure."""
        trail, ended = self.trail, self.ended(within) or len(self.trail)
        found = [2 * n for n, at in enumerate(trail[::2]) if at == slot]
        after = [*(trail[i + 1] for i in found[1:]), self.slots[slot]]
        return [value for i, value in zip(found, after, strict=False) if i < ended]

    def before(self, slot: int) -> int:
        """Return the value of a slot before the last choice."""
        return next(
            (old for at, old in zip(self.trail[::2], self.trail[1::2], strict=True) if at == slot),
            self.slots[slot],
        )

    def paid(self, id: int) -> list[tuple[PriceInfo, tuple[int, ...], int | None]]:
        """Return the costs of an option that is offered here: the price, its keys and the amount.

        The amount is None if the observer may not know it beforehand. A walk without a limit costs
        nothing.
        """
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
        """Return the places of some things, given as a mask for each kind."""
        cell_of, out = self.state.names.place_cells, set()
        for kind, mask in movers.items():
            out |= {cells.read(self.slots, cell_of[kind], (member,)) for member in members(mask)}
        return out


def ways_to(
    lookahead: PlayerLookahead, has_room: Callable[[PlayerLookahead], bool], deep: int
) -> Iterator[list[int]]:
    """Yield the choices, at most `deep`, that lead to a group or walk with room for something.

    The walk counts if it was the only possibility and nobody was asked for a group. Each result is
    a list of option ids. Windows on the way are passed.
    """
    if not lookahead.mine or not lookahead.is_open():
        return
    if lookahead.info.kind in ("group", "walk"):
        if has_room(lookahead):
            yield []
    elif lookahead.info.kind in ("choose", "pick") and deep:
        for id in lookahead.ids():
            yield from ([id, *way] for way in ways_to(lookahead.after(id), has_room, deep - 1))


def walkers(lookahead: PlayerLookahead) -> dict[int, int]:
    """Return the pieces that walk in the current decision, as a mask for each kind."""
    out: dict[int, int] = {}
    info = lookahead.program.procs[lookahead.info.proc]
    for var in info.vars[: info.params]:
        if (
            var.type.kind in lookahead.state.names.place_cells
            and var.slot >= 0
            and var.type.form in ("member", "set")
        ):
            value = lookahead.slots[var.slot]
            mask = value if var.type.form == "set" else 1 << value if value >= 0 else 0
            out[var.type.kind] = out.get(var.type.kind, 0) | mask
    return out


def is_unlimited(allowance: int) -> bool:
    """Return True if a walk has no limit, so that nothing is counted."""
    return allowance >= NO_LIMIT // 2


def _of_any(secret: SecretInfo) -> SecretInfo:
    """Return the same secret for any argument of an option."""
    at, kind, keys = secret
    return at, kind, tuple(("any", 0) if word == "param" else (word, n) for word, n in keys)
