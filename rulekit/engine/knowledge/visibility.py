"""Decides which parts of a position a player may know. No other module decides this."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.kernel.decision import Decision
from rulekit.engine.kernel.events import HIDDEN
from rulekit.engine.kernel.position import Position
from rulekit.runtime import cells
from rulekit.runtime.intrinsics import members as bits
from rulekit.runtime.program import CellInfo, SecretInfo, TotalInfo, TypeInfo, VarInfo

SPECTATOR = -1


class Visibility:
    """Decides what a player or spectator may know about a position, and renders it as text."""

    def __init__(self, state: Position, player: int | str | None) -> None:
        self.state = state
        self.names = state.names
        self.program = state.table.program
        self.me = SPECTATOR if player is None else self.names.side(player)
        self._everybody = (1 << len(self.names.sides)) - 1
        self._known: dict[tuple[int, int], bool] = {}

    # --------------------------------------------------------------------------- permission to know
    def _allowed(self, mask: int) -> bool:
        if self.me == SPECTATOR:
            return mask & self._everybody == self._everybody and mask != 0
        return bool(mask >> self.me & 1)

    def sees(self, at: int, keys: Sequence[int]) -> bool:
        """Return True if the observer may know the value of a cell."""
        return self.saw(self.state.slots, at, keys)

    def saw(self, slots: list[int], at: int, keys: Sequence[int]) -> bool:
        """Return True if the observer may know the value of a cell in the state `slots`."""
        cell = self.program.cells[at]
        if cell.hidden:
            return False
        return cell.everyone or self._allowed(self.state.table.code.seen(slots, at, keys))

    def is_plain(self, at: int) -> bool:
        """Return True if every player may know the values of this cell and its keys."""
        cell = self.program.cells[at]
        return cell.everyone and not any(
            k.kind >= 0 and self.program.kinds[k.kind].hidden_identity for k in cell.keys
        )

    def knows(self, kind: int, member: int) -> bool:
        """Return True if the observer may know the identity of this member."""
        key = (kind, member)
        if key not in self._known:
            self._known[key] = self.knew(self.state.slots, kind, member)
        return self._known[key]

    def knew(self, slots: list[int], kind: int, member: int) -> bool:
        """Return True if the observer may know the identity of this member in the state `slots`."""
        if member < 0 or not self.program.kinds[kind].hidden_identity:
            return True
        return self._allowed(self.state.table.code.identity(slots, kind, member))

    def knows_thing(self, kind: int, member: int) -> bool:
        """Return True if the observer may know the identity of this thing and see where it lies."""
        info = self.program.kinds[kind]
        if not self.knows(kind, member):
            return False
        if member < 0 or info.known_slot < 0 or self.state.slots[info.known_slot] >> member & 1:
            return True
        lying = (
            (at, keys)
            for at, cell in enumerate(self.program.cells)
            if cell.pool and cell.type.kind == kind
            for keys in cells.places(cell)
            if self.state.raw(cell, keys) >> member & 1
        )
        return all(self.sees(at, keys) for at, keys in lying)

    def may_know(
        self,
        info: TotalInfo,
        secrets: Sequence[SecretInfo],
        args: Sequence[int],
        asked: bool = False,
    ) -> bool:
        """Return True if the observer may know the arguments and the secrets of a total.

        If the observer `asked` about these arguments themselves, the answer reveals nothing of
        where they lie. Then neither their places nor `info.given` are checked.
        """
        knows = self.knows if asked else self.knows_thing
        about = (
            (type.kind, i)
            for (_, type), value in zip(info.params, args, strict=False)
            if type.form in ("member", "set")
            for i in ([value] if type.form == "member" else bits(value))
        )
        given = [] if asked else info.given
        return all(knows(kind, i) for kind, i in about) and self.knows_all([*secrets, *given], args)

    def may_know_total(self, info: TotalInfo, args: Sequence[int], asked: bool = False) -> bool:
        """Return True if the observer may know the value of a total or definition.

        `asked` means that they named the arguments themselves.
        """
        return self.may_know(
            info,
            [*info.secrets, *(s for c in info.clauses for s in (*c.presence, *c.amount))],
            args,
            asked,
        )

    def knows_all(self, secrets: Sequence[SecretInfo], args: Sequence[int | None]) -> bool:
        """Return True if the observer may know all of these secrets for these arguments."""
        return all(self._may_know(secret, args) for secret in secrets)

    def names_all(self, action: int) -> bool:
        """Return True if the observer may know each thing that an option names."""
        book = self.state.table.book
        family = book.family(action)
        return all(
            p.kind < 0 or self.knows(p.kind, value)
            for p, value in zip(family.params, book.arguments(family, action), strict=True)
        )

    def _may_know(self, secret: SecretInfo, args: Sequence[int | None]) -> bool:
        at, kind, __ = secret
        if at < 0:
            return all(self.knows(kind, i) for (i,) in self.meant(secret, args))
        return all(self.sees(at, place) for place in self.meant(secret, args))

    def meant(
        self, secret: SecretInfo, args: Sequence[int | None], now: bool = True
    ) -> list[tuple[int, ...]]:
        """Return the places of the cell, or the things of the kind, that a secret may refer to.

        `now` means that the running procedures still hold the values that the secret names.
        """
        at, kind, keys = secret
        wanted = [
            (
                args[n]
                if word == "param"
                else (
                    n
                    if word == "member"
                    else (
                        self.state.slots[n]
                        if word == "slot" and now
                        else self.me
                        if word == "asked"
                        else None
                    )
                )
            )
            for word, n in keys
        ]
        every = (
            cells.places(self.program.cells[at])
            if at >= 0
            else ((i,) for i in range(len(self.program.kinds[kind].members)))
        )
        return [
            place
            for place in every
            if all(w in (None, p) for w, p in zip(wanted, place, strict=True))
        ]

    def knows_value(self, var: VarInfo) -> bool:
        """Return True if the observer may know the value of a variable of a running procedure."""
        return not var.secrets or self._knows_held(var, var.secrets)

    def may_have(self, var: VarInfo) -> bool:
        """Return True if the variable could hold another value as far as the observer knows."""
        return bool(var.private) and not self._knows_held(var, var.private)

    def _knows_held(self, var: VarInfo, secrets: Sequence[SecretInfo]) -> bool:
        proc = next(proc for proc in self.program.procs if any(each is var for each in proc.vars))
        return self.knows_all(
            secrets,
            [self.state.slots[v.slot] if v.slot >= 0 else None for v in proc.vars[: proc.params]],
        )

    def knows_keys(self, info: CellInfo, keys: Sequence[int]) -> bool:
        """Return True if the observer may know the things that a value belongs to."""
        return all(
            k.kind < 0 or self.knows(k.kind, v) for k, v in zip(info.keys, keys, strict=True)
        )

    def named(self, slots: list[int], action: int) -> set[str]:
        """Return the things that a choice names, except those unknown to the observer in `slots`.

        The observer chose the unknown ones by a number.
        """
        book = self.state.table.book
        family = book.family(action)
        args = zip(family.params, book.arguments(family, action), strict=True)
        unknown = {p.name for p, value in args if not self.knew(slots, p.kind, value)}
        return {
            str(value) for name, value in book.option(action).params.items() if name not in unknown
        }

    # ---------------------------------------------------------------------------------------- texts
    def said(self, var: VarInfo, value: int, unit: bool = True) -> str:
        """Return the value of a variable of a running procedure as text, or `HIDDEN`.

        `unit` adds the unit of the value.
        """
        return (
            self.shown(var.type if unit else evolve(var.type, unit=None), value)
            if self.knows_value(var)
            else HIDDEN
        )

    def shown(self, type: TypeInfo, value: int) -> str:
        """Return a value of a running procedure as text, with unknown things masked."""
        if type.form not in ("member", "set"):
            return self.names.shown(type, value)
        found = [value] if type.form == "member" else list(bits(value))
        known = [i for i in found if self.knows_thing(type.kind, i)]
        if len(known) == len(found):
            return self.names.shown(type, value)
        return self.names.listed(
            [*[self.names.said(type.kind, i) for i in known], *[HIDDEN] * (len(found) - len(known))]
        )

    def spoken(self, what: str, index: int, args: Sequence[int]) -> str | None:
        """Return the value of a total or definition for a prompt, or None if it has none now."""
        info = (self.program.totals if what == "total" else self.program.defines)[index]
        if info.context >= 0 and not self.state.running(info.context):
            return None
        try:
            value = int(getattr(self.state.code, what)(self.state.slots, index, list(args)))
        except (RulekitError, ArithmeticError, LookupError, ValueError, TypeError):
            return None
        return (
            self.names.shown(evolve(info.type, unit=None), value)
            if self.may_know_total(info, args)
            else self.names.say(_("hidden"))
        )


def decision_of(state: Position) -> Decision | None:
    """Return the current decision as its player may know it, or None when the game is over."""
    if state.pc <= 0:
        return None
    who = state.code.who(state.slots)
    return state.table.book.decision(
        state.asking,
        who,
        state.legal_actions(),
        state.slots,
        Visibility(state, who if who >= 0 else None),
    )
