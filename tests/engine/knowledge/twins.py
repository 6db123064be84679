"""Twins of a state, in which two things that an observer never could distinguish are swapped, and
the observer's whole view.

A twin is made below the view: every value of the state and every record of an event is renamed by
its type. So the code under test does not decide what a twin is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations, islice, product

from rulekit.cli.terminal.lookup import find
from rulekit.cli.terminal.screen import Screen
from rulekit.cli.terminal.since_last import event_lines
from rulekit.common.errors import RulekitError
from rulekit.engine.explain.event_reasons import behind
from rulekit.engine.explain.refusals import of_unknown, overview
from rulekit.engine.game.state import State
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.notation.move_parser import why
from rulekit.runtime import cells
from rulekit.runtime.program import CellInfo, TypeInfo
from rulekit.runtime.slots import (
    CHANGED,
    DRAWN,
    FIRST_EVENT,
    GATHERED,
    PC,
    PHASE_BEGUN,
    PUT,
    REVEALED,
)

Record = tuple[int, ...]


class Swap:
    """Two things of a kind, swapped."""

    def __init__(self, state: State, kind: int, one: int, other: int) -> None:
        self.state, self.kind = state, kind
        self.program = state.table.program
        self.new = {one: other, other: one}
        self.one, self.other = one, other

    def member(self, kind: int, value: int) -> int:
        return self.new.get(value, value) if kind == self.kind else value

    def mask(self, kind: int, value: int) -> int:
        if kind != self.kind or (value >> self.one & 1) == (value >> self.other & 1):
            return value
        return value ^ (1 << self.one | 1 << self.other)

    def value(self, type: TypeInfo, value: int) -> int:
        if type.form == "member":
            return self.member(type.kind, value)
        return self.mask(type.kind, value) if type.form == "set" else value

    def keys(self, cell: CellInfo, keys: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(
            self.member(key.kind, value) for key, value in zip(cell.keys, keys, strict=True)
        )

    def place(self, cell: int, at: int) -> int:
        info = self.program.cells[cell]
        return cells.place(info, self.keys(info, cells.keys_of(info, at))) if cell >= 0 else at

    def twin(self) -> State:
        """Return the whole state renamed: cells, frames, knowledge about pools, events."""
        twin = self.state.clone()
        twin.slots[:] = self.slots(twin.slots)
        twin.log[:] = [self.record(record) for record in twin.log]
        return twin

    def with_past(self) -> State:
        """Return the twin with its past before each choice. The past can be inspected, but no
        choice can be made in it."""
        twin, state = self.twin(), self.state
        twin.trail.clear()
        back, moments = state.clone(), [twin.slots[:]]
        while back.marks:
            back._back()
            moments.insert(0, self.slots(back.slots))
        for at, (mark, before, after) in enumerate(
            zip(state.marks, moments, moments[1:], strict=False)
        ):
            twin.marks[at] = mark._replace(trail=len(twin.trail))
            twin.trail.extend(
                x
                for slot in (PC, *range(2, len(after)))
                if before[slot] != after[slot]
                for x in (slot, before[slot])
            )
        return twin

    def slots(self, old: list[int]) -> list[int]:
        """Return a renamed position."""
        new = old[:]
        for cell in self.program.cells:
            for place, keys in enumerate(cells.places(cell)):
                value, renamed = (
                    self.value(cell.type, cells.read_at(old, cell, place)),
                    self.keys(cell, keys),
                )
                if cells.read(new, cell, renamed) != value:
                    cells.write(self.program, new, cell, renamed, value)
        for kind in self.program.kinds:
            if kind.known_slot >= 0:
                new[kind.known_slot] = self.mask(
                    self.program.kinds.index(kind), old[kind.known_slot]
                )
        for proc in self.program.procs:
            for var in proc.vars:
                if var.slot >= 0:
                    new[var.slot] = self.value(var.type, old[var.slot])
        new[1] = None  # type: ignore[call-overload]
        return new

    def record(self, r: Record) -> Record:
        """Return a renamed record of the log."""
        program = self.program
        if r[0] >= FIRST_EVENT:
            types = [type for _, type in program.events[r[0] - FIRST_EVENT].params]
            return (r[0], *(self.value(type, v) for type, v in zip(types, r[1:], strict=True)))
        if r[0] == CHANGED:
            return (r[0], r[1], self.place(r[1], r[2]), self.value(program.cells[r[1]].type, r[3]))
        if r[0] in (DRAWN, GATHERED):
            rename = self.member if r[0] == DRAWN else self.mask
            return (
                r[0],
                r[1],
                self.place(r[1], r[2]),
                r[3],
                self.place(r[3], r[4]),
                rename(program.cells[r[1]].type.kind, r[5]),
            )
        if r[0] == PUT:
            return (
                r[0],
                r[1],
                self.place(r[1], r[2]),
                self.member(program.cells[r[1]].type.kind, r[3]),
                r[4],
                self.place(r[4], r[5]),
            )
        if r[0] == REVEALED:
            return (r[0], r[1], self.member(r[1], r[2]))
        if r[0] == PHASE_BEGUN:
            proc = program.procs[r[1]]
            return (
                r[0],
                r[1],
                *(
                    self.value(v.type, a)
                    for v, a in zip(proc.vars[: proc.params], r[2:], strict=False)
                ),
            )
        return r


def shown_to(state: State, observer: int) -> set[tuple[int, int]]:
    """Return the things (kind, member) that an observer could identify at some time: visible,
    revealed or own ones.

    They are derived from the declarations of cells and things (`seen by`) and from the records, not
    from any view.
    """
    program, code = state.table.program, state.table.code
    everybody = (1 << len(state.names.sides)) - 1

    def allowed(mask: int) -> bool:
        return mask & everybody == everybody if observer < 0 else bool(mask >> observer & 1)

    def open_to(s: list[int], cell: int, keys: tuple[int, ...]) -> bool:
        return program.cells[cell].everyone or allowed(code.seen(s, cell, keys))

    out: set[tuple[int, int]] = set()
    again = state.clone()
    while True:
        for at, cell in enumerate(program.cells):
            if cell.pool:
                for keys in cells.places(cell):
                    if open_to(again.slots, at, keys):
                        value = cells.read(again.slots, cell, keys)
                        out |= {
                            (cell.type.kind, i) for i in range(value.bit_length()) if value >> i & 1
                        }
        for kind, info in enumerate(program.kinds):
            if info.hidden_identity:
                out |= {
                    (kind, i)
                    for i in range(len(info.members))
                    if allowed(code.identity(again.slots, kind, i))
                }
        if not again.marks:
            break
        again.undo()
    for r in state.log:
        if r[0] == REVEALED:
            out.add((r[1], r[2]))
        for cell, at in (
            [(r[1], r[2]), (r[4], r[5])]
            if r[0] == PUT
            else [(r[1], r[2]), (r[3], r[4])]
            if r[0] in (DRAWN, GATHERED)
            else []
        ):
            if cell >= 0 and open_to(state.slots, cell, cells.keys_of(program.cells[cell], at)):
                kind = program.cells[r[1]].type.kind
                moved = (
                    [r[3]]
                    if r[0] == PUT
                    else (
                        [r[5]]
                        if r[0] == DRAWN
                        else [i for i in range(r[5].bit_length()) if r[5] >> i & 1]
                    )
                )
                out |= {(kind, i) for i in moved}
    return out


def swaps(state: State, observer: int) -> Iterator[Swap]:
    """Yield all pairs of things that the observer never could distinguish: with hidden identity or
    in pools, and with the same owner if visibility depends on it."""
    known = shown_to(state, observer)
    for kind, info in enumerate(state.table.program.kinds):
        if not info.hidden_identity and info.known_slot < 0:
            continue
        owner = next(
            (
                values
                for type, values in info.fixed.values()
                if type.kind == state.table.program.sides >= 0
            ),
            None,
        )
        unknown = [i for i in range(len(info.members)) if (kind, i) not in known]
        for one, other in combinations(unknown, 2):
            if owner is None or not info.hidden_identity or owner[one] == owner[other]:
                yield Swap(state, kind, one, other)


def _derived(state: State, observer: int | None) -> Iterator[tuple[str, tuple[str, ...], object]]:
    """Yield every total and permit that can be requested here, for some arguments."""
    program = state.table.program
    for info in (*program.totals, *program.permits):
        kinds = [
            program.kinds[type.kind].members if type.form == "member" else ["0", "1"]
            for _, type in info.params
        ]
        if info.context < 0 or state.running(info.context):
            for args in islice(product(*kinds), 0, 84, 7):
                try:
                    yield (
                        info.name,
                        args,
                        state.explain(info.name, *args, observer=observer).text(full=True),
                    )
                except RulekitError as error:
                    yield info.name, args, str(error)


def refused(state: State) -> Iterator[tuple[str, object]]:
    """Yield the answers of `why` at this decision, in general and for every option that its
    families could have, and the answer to a typed one."""
    book, said = (
        state.table.book,
        dict[str, list[str]](),
    )  # each family uses the same cached texts
    yield "", overview(state)
    for at in state.table.program.decisions[state.slots[PC]].families:
        family = state.table.program.families[at]
        for id in range(family.base, family.base + min(family.size, 40)):
            key = book.option(id).key
            yield key, why(state, key)
            last = " ".join(key.split()[-1:])
            if last not in said:
                said[last] = why(state, last)
            yield key, said[last]
            yield key, of_unknown(state, key)


def told_to(state: State, observer: int, past: State | None = None) -> str:
    """Return everything that an observer sees as one text: view, events, log, screen, look-up,
    decision, refusals, totals.

    Args:
        past: the same state with a past in which choices can be made.
    """
    who = None if observer < 0 else observer
    looker, screen = Observer(state, who), Screen(state, who)
    mine = observer >= 0 and state.current_player() == observer
    options = looker.options() if mine else []
    out: list[object] = [
        looker.everything(),
        [(e.number, e.to_json(), e.ref) for e in looker.events()],
        event_lines(state, looker.events(), {}),
    ]
    out += [
        screen.everything(),
        screen.map(),
        list(screen.values().items()),
        looker.prompt(),
        [(o.key, o.label) for o in options],
    ]
    words = {
        member.rsplit(".", 1)[-1] for kind in state.table.program.kinds for member in kind.members
    }
    if len(words) <= 60:
        out += [find(screen, word, options) for word in sorted(words)]
    out += [(name, args, derivation) for name, args, derivation in _derived(state, who)]
    out += list(refused(state)) if mine else []
    out += behind(past or state, len(state.events) - 1, who)
    return json.dumps(out, default=str)


def differing_swaps(state: State, observer: int, most: int = 3) -> list[Swap]:
    """Return those of some swaps that the observer would notice. There must be swaps.

    The reasons of the last event are left out, because no choice can be made in the past of a twin.
    """
    pairs, before = list(swaps(state, observer)), told_to(state, observer, state)
    assert pairs
    return [
        swap
        for swap in pairs[:: max(1, len(pairs) // most)][:most]
        if told_to(swap.twin(), observer, state) != before
    ]
