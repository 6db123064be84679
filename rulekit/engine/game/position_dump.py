"""Write a position as the `given` of a situation, and say what a situation cannot write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Protocol

from attrs import define, field, frozen

from rulekit.common.errors import RulekitError
from rulekit.engine.game.setup import Begins, WrongSetup, fitting, place_cell
from rulekit.engine.game.state import State
from rulekit.engine.kernel.names import Names
from rulekit.runtime import cells
from rulekit.runtime.intrinsics import members
from rulekit.runtime.program import CellInfo, Program


class Compiles(Begins, Protocol):
    """The part of `rulekit.engine.game.game.Game` that a dump needs."""

    def program(self, scenario: str | None, rulings: dict[str, str] | None, /) -> Program:
        """Return the program of a scenario under rulings."""


@frozen
class PositionDump:
    """A position as a situation writes it.

    Attributes:
        scenario, rulings, empty: where the position starts from.
        given: the changes of that start: `place`, `set` and `put`.
        unwritten: the values that a situation cannot set, in words. They keep those of the start.
    """

    scenario: str
    rulings: dict[str, str]
    empty: bool
    given: dict[str, dict[str, Any]]
    unwritten: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of entries of `given`."""
        return sum(len(part) for part in self.given.values())


def dump(game: Compiles, state: State, begun: bool = False) -> PositionDump:
    """Return the shortest `given` that leads to all cells of this position.

    The position starts from the scenario or from an empty one, whichever needs fewer entries. The
    procedures that are running are not part of it.

    Args:
        begun: only start from the scenario, where play has begun.
    """
    program = state.table.program
    plain = game.program(program.scenario, {})
    rulings = {
        mine.name: mine.chosen
        for mine, usual in zip(program.rulings, plain.rulings, strict=True)
        if mine.chosen != usual.chosen
    }
    start = program.scenario, 0, rulings
    found = [
        _Writer(state, make(*start)).written(program.scenario, rulings, empty)
        for empty, make in ((False, game.started), (True, game.emptied))[: 1 if begun else 2]
    ]
    return min(found, key=lambda each: (len(each.unwritten), each.size))


@define
class _Writer:
    """Compares a position with the start of a situation."""

    state: State
    start: State
    place: dict[str, dict[str, Any]] = field(factory=dict)
    set: dict[str, Any] = field(factory=dict)
    unwritten: list[str] = field(factory=list)

    @property
    def _names(self) -> Names:
        return self.state.names

    def written(self, scenario: str, rulings: dict[str, str], empty: bool) -> PositionDump:
        """Return the dump that begins at this start."""
        stands = self._names.place_cells.values()
        listed = self.state.table.program.cells
        pools = [cell for cell in listed if cell.pool]
        for cell in sorted(listed, key=lambda each: each not in stands):
            if not cell.pool:
                self._cell(cell)
        put = self._pools(pools)
        homes = {cell.name for cell in stands}
        place = {
            piece: next(iter(values.values()))
            if len(values) == 1 and homes & set(values)
            else values
            for piece, values in self.place.items()
        }
        given = {"place": place, "set": self.set, "put": put}
        self._known(put)
        return PositionDump(
            scenario,
            rulings,
            empty,
            {key: part for key, part in given.items() if part},
            tuple(self.unwritten),
        )

    def _cell(self, cell: CellInfo) -> None:
        mine, theirs = (cells.column(each.slots, cell) for each in (self.state, self.start))
        for at, (value, before) in enumerate(zip(mine, theirs, strict=True)):
            if value == before:
                continue
            keys, path = cells.keys_of(cell, at), self._names.at_place(cell, at)
            if cell.hidden:
                self.unwritten.append(f"{path} is {value}, and the rules alone can write it")
            elif not self._placed(cell, keys, value) and not self._set(cell, keys, value, path):
                shown = self._names.value(cell.type, value)
                self.unwritten.append(f"{path} is {shown}, and no path or value names this")

    def _placed(self, cell: CellInfo, keys: Sequence[int], value: int) -> bool:
        """Write a place of a piece, or another state of a piece that `place` names already."""
        kind = cell.owner
        home = self._names.place_cells.get(kind)
        if home is None or len(keys) != 1:
            return False
        piece = str(self._names.id(kind, keys[0]))
        if cell is not home and piece not in self.place:
            return False
        try:
            named = self._names.cell(f"{place_cell(self._names, piece)}.{piece}")
            there = self._names.cell(f"{cell.name}.{piece}")
        except (RulekitError, WrongSetup):
            return False
        if named != (home, (keys[0],)) or there != (cell, (keys[0],)):
            return False
        if not self._fits(cell, value, piece):
            return False
        self.place.setdefault(piece, {})[cell.name] = self._names.value(cell.type, value)
        return True

    def _set(self, cell: CellInfo, keys: Sequence[int], value: int, path: str) -> bool:
        with suppress(RulekitError):
            if self._names.cell(path) == (cell, tuple(keys)) and self._fits(cell, value, path):
                self.set[path] = self._names.value(cell.type, value)
                return True
        return False

    def _fits(self, cell: CellInfo, value: int, what: str) -> bool:
        """Return True if the reader of situations turns the written value into the same one."""
        try:
            written = self._names.value(cell.type, value)
            return bool(fitting(self._names, cell.type, written, what) == value)
        except WrongSetup:
            return False

    def _pools(self, pools: Sequence[CellInfo]) -> dict[str, list[str]]:
        """Return the pools that must be filled. To fill one empties the others of its things."""
        changed: list[tuple[CellInfo, int, int, int]] = []
        moved: dict[int, int] = {}
        for cell in pools:
            mine, theirs = (cells.column(each.slots, cell) for each in (self.state, self.start))
            for at, (value, before) in enumerate(zip(mine, theirs, strict=True)):
                if value != before:
                    changed.append((cell, at, value, before))
                    moved[cell.type.kind] = moved.get(cell.type.kind, 0) | value & ~before
        return {
            self._names.at_place(cell, at): [
                str(self._names.id(cell.type.kind, thing)) for thing in members(value)
            ]
            for cell, at, value, before in changed
            if value & ~before or before & ~moved[cell.type.kind] != value
        }

    def _known(self, put: dict[str, list[str]]) -> None:
        """Report the things whose place everybody knows, or does not, unlike after `put`."""
        for kind in self.state.table.program.kinds:
            if kind.known_slot < 0:
                continue
            after = self._known_after(kind.known_slot, put)
            for thing in members(after ^ self.state.slots[kind.known_slot]):
                known = "" if self.state.slots[kind.known_slot] >> thing & 1 else "not "
                self.unwritten.append(
                    f"it is {known}known to everybody where {kind.members[thing]} lies"
                )

    def _known_after(self, slot: int, put: dict[str, list[str]]) -> int:
        known = self.start.slots[slot]
        for pool, things in put.items():
            cell, _ = self._names.cell(pool)
            if self.state.table.program.kinds[cell.type.kind].known_slot != slot:
                continue
            mask = sum(1 << self._names.member(cell.type.kind, thing) for thing in things)
            known = known | mask if cell.everyone else known & ~mask
        return known


def unlike(state: State, other: State) -> Iterator[str]:
    """Yield the names of the cells that differ between two positions of the same program."""
    for cell in state.table.program.cells:
        if cell.hidden:
            continue
        pairs = zip(cells.column(state.slots, cell), cells.column(other.slots, cell), strict=True)
        for at, (value, found) in enumerate(pairs):
            if value != found:
                yield state.names.at_place(cell, at)
