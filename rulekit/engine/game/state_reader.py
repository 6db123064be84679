"""Reads the slots of a state from a file and checks that each holds a value that can occur in play.

Errors name the value as players know it. Three checks span several slots. Places must agree with
their inverse indexes, a thing lies in at most one pool, and each running procedure has its caller.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit.common.errors import SaveError
from rulekit.engine.kernel.names import NO_LIMIT, Names, tidy
from rulekit.runtime.cells import images_of
from rulekit.runtime.intrinsics import SEEDS
from rulekit.runtime.program import CellInfo, ProcInfo, SlotInfo, TypeInfo
from rulekit.runtime.slots import (
    BARE_END,
    COUNTER,
    HERE,
    LAYERS,
    LEVEL,
    MAX_ACTIVATIONS,
    PC,
    SCRIPT,
    SEED,
    SPARE,
    WINNER,
)

_MAX_SHOWN_BITS = 64  # of a number that a message quotes
LARGEST = 1 << 62  # the limit of a number without bounds


def read_slots(names: Names, data: Any) -> list[int]:
    """Return the slots of a state. SaveError names the first impossible value."""
    program = names.program
    if not isinstance(data, list) or len(data) != len(program.initial):
        raise SaveError("this is not a state: it has not as many values as the game")
    for at, value in enumerate(data):
        if at != LAYERS and (not isinstance(value, int) or isinstance(value, bool)):
            raise SaveError(f"this is not a state: value {at} is no number")
    slots: list[int] = list(data)
    slots[LAYERS] = None  # type: ignore[call-overload]
    _Reading(names, slots).all()
    return slots


class _Reading:
    """The checks of one state."""

    def __init__(self, names: Names, slots: list[int]) -> None:
        self.names, self.program, self.slots = names, names.program, slots
        self.checked: set[int] = {LAYERS}  # slots whose possible values are known
        self.changed = [
            now != first for now, first in zip(slots, self.program.initial, strict=True)
        ]

    def all(self) -> None:
        """Check every slot, then the conditions that span several slots."""
        self._of_machine()
        for cell in self.program.cells:
            self._of_cell(cell)
        for proc in self.program.procs:
            self._of_procedure(proc)
        for note in self.program.machine:
            self._of_note(note.slot, note)
        for kind in self.program.kinds:
            if kind.known_slot >= 0:
                self._set(
                    kind.known_slot,
                    len(kind.members),
                    f"which {kind.name} lies where all can see it",
                )
        for proc in self.program.procs:
            self._of_saved(proc)
        for at, value in enumerate(self.program.initial):
            if at not in self.checked:
                self._ask(at, self.slots[at] == value, f"value {at}", f"it is always {value}")
        self._pools()
        if self.slots[PC] > 0:
            self._callers()

    def _ask(self, at: int, sound: bool, what: str, wanted: str) -> None:
        self.checked.add(at)
        if not sound:
            raise SaveError(
                f"this is not a state: {what} cannot be {_short(self.slots[at])}; {wanted}"
            )

    def _between(self, at: int, low: int, high: int, what: str) -> None:
        self._ask(
            at,
            low <= self.slots[at] <= high,
            what,
            f"it lies between {_short(low)} and {_short(high)}",
        )

    # --------------------------------------------------------------------------------- single slots
    def _of_machine(self) -> None:
        program, slots = self.program, self.slots
        self._between(PC, BARE_END, len(program.decisions) - 1, "the decision at which play stands")
        self._between(SEED, 1 - SEEDS, SEEDS - 1, "the seed")
        self._between(COUNTER, 0, LARGEST, "the count of dice")
        self._ask(
            SCRIPT,
            _is_script(slots[SCRIPT]),
            "the list of scripted results",
            "each of them is 0 or more",
        )
        moments = len(program.kinds[program.moments].members) if program.moments >= 0 else 0
        self._between(HERE, -1, moments - 1, "the moment that is open")
        self._between(WINNER, -1, len(self.names.sides) - 1, "the winner")
        self._between(
            LEVEL, 0 if slots[PC] == 0 else -1, len(program.levels) - 1, "the level of the result"
        )
        self._walk(SPARE, "the walk that is going on")
        for flag in program.flags:
            self._between(flag, 0, 1, "the mark of an open moment")

    def _walk(self, at: int, what: str) -> None:
        self._ask(at, self.slots[at] in (0, *self.program.halts), what, "no walk has this mark")

    def _typed(self, at: int, type: TypeInfo, what: str, may_be_missing: bool) -> None:
        """Check a value of a type.

        If `may_be_missing` is true, no type forbids a missing value, because nothing has been
        assigned yet.
        """
        value = self.slots[at]
        if not self.changed[at]:
            self.checked.add(at)
        elif type.form == "bool":
            self._between(at, 0, 1, what)
        elif type.form == "member":
            members = self.program.kinds[type.kind].members
            none = ", or -1 for none" if type.optional else ""
            wanted = f"it is a {self.program.kinds[type.kind].name}, 0 to {len(members) - 1}{none}"
            self._ask(
                at,
                (-1 if type.optional or may_be_missing else 0) <= value < len(members),
                what,
                wanted,
            )
        elif type.form == "set":
            self._set(at, len(self.program.kinds[type.kind].members), what)
        elif not (type.optional and value == NO_LIMIT):
            bounded = not may_be_missing
            low = type.low if bounded and type.low is not None else -LARGEST
            self._between(
                at, low, type.high if bounded and type.high is not None else LARGEST, what
            )

    def _set(self, at: int, size: int, what: str) -> None:
        self._ask(
            at,
            0 <= self.slots[at] < 1 << size,
            what,
            f"it is a set of {size} members, one bit for each",
        )

    def _of_cell(self, cell: CellInfo) -> None:
        name = self.names.cell_name(cell)
        if cell.form == "mask":
            width = max(1, cell.keys[-1].size)
            for row in range(_count(cell) // width):
                self._set(cell.base + row, width, name)
            return
        if cell.form in ("plain", "both"):
            for place in range(_count(cell)):
                at = cell.base + place
                self._typed(
                    at,
                    cell.type,
                    self.names.at_place(cell, place) if self.changed[at] else name,
                    False,
                )
        if cell.form in ("index", "both"):
            self._inverse(cell, name)

    def _inverse(self, cell: CellInfo, name: str) -> None:
        """Check an index: one set of keys for each value, and one set of the keys without a value.

        Each key is in exactly one of them, the one of its value.
        """
        assert cell.values is not None
        count, rest = _count(cell), (1 << _count(cell)) - 1
        for value in range(cell.values + 1):
            at = cell.index + value
            self._set(at, count, name)
            held = self.slots[at]
            self._ask(at, held & ~rest == 0, name, "something has two values at once")
            rest &= ~held
            if cell.form == "both":
                there = [i for i in range(count) if held >> i & 1]
                same = all(
                    self.slots[cell.base + i] == (value if value < cell.values else -1)
                    for i in there
                )
                self._ask(
                    at,
                    same,
                    name,
                    "the list of those with a value is another one than their values say",
                )
        self._ask(
            cell.index, not rest, name, "something has no value and is not without one either"
        )
        for image in cell.images:
            for at, kept in images_of(self.slots, cell, image):
                self._ask(
                    at,
                    self.slots[at] == kept,
                    name,
                    "what is kept of it is another than its values say",
                )

    def _of_procedure(self, proc: ProcInfo) -> None:
        if proc.returns >= 0:
            self._returns(proc.returns, proc)
        for var in proc.vars:
            if var.slot >= 0:
                self._typed(var.slot, var.type, f"'{tidy(var.name)}' in {tidy(proc.name)}", True)
        if proc.depth >= 0:
            self._between(proc.depth, 0, 3, f"how often {tidy(proc.name)} runs within itself")

    def _returns(self, at: int, proc: ProcInfo) -> None:
        block = self.slots[at]
        special = 0 < block < len(self.program.blocks) and self.program.blocks[block] < 0
        plain = proc.entry < 0 and block == 1  # a procedure that never suspends is only marked
        self._ask(
            at,
            not block or block in proc.sites or special or plain,
            f"where {tidy(proc.name)} returns to",
            "nobody calls it there",
        )

    def _of_note(self, at: int, note: SlotInfo) -> None:
        if not self.changed[at]:
            self.checked.add(at)
            return
        proc = self.program.procs[note.proc].name if note.proc >= 0 else ""
        what, value = f"value {at}" + (f" of {tidy(proc)}" if proc else ""), self.slots[at]
        if note.form == "flag":
            self._between(at, 0, 1, what)
        elif note.form == "member":
            self._between(at, -1, note.size - 1, what)
        elif note.form == "set":
            self._set(at, note.size, what)
        elif note.form == "list":
            self._ask(
                at,
                _is_list(value, note.size),
                what,
                f"it is a list of members, packed; there are {note.size}",
            )
        elif note.form == "masks":
            self._ask(
                at,
                _is_masks(value, note.size),
                what,
                f"it is a list of sets, packed; there are {note.size} members",
            )
        elif note.form == "walk":
            self._walk(at, what)
        else:
            self._between(at, -LARGEST, LARGEST, what)

    def _of_saved(self, proc: ProcInfo) -> None:
        """Check the saved frames of a procedure that has called itself.

        A used frame obeys the limits of the procedure's slots, and a free one is empty.
        """
        if proc.depth < 0:
            return
        notes = {note.slot: note for note in self.program.machine}
        types = {var.slot: var for var in proc.vars}
        for level in range(3):
            for i, slot in enumerate(proc.frame):
                at = proc.save + level * len(proc.frame) + i
                if level >= self.slots[proc.depth]:
                    self._ask(
                        at,
                        self.slots[at] == 0,
                        f"a saved value of {tidy(proc.name)}",
                        "none is saved there",
                    )
                elif slot == proc.returns:
                    self._returns(at, proc)
                elif slot in types:
                    self._typed(
                        at,
                        types[slot].type,
                        f"a saved '{tidy(types[slot].name)}' of {tidy(proc.name)}",
                        True,
                    )
                elif slot in notes:
                    self._of_note(at, notes[slot])

    # -------------------------------------------------------------------------------- several slots
    def _pools(self) -> None:
        """Check that a thing lies in at most one pool."""
        lying: dict[int, int] = {}
        for cell in self.program.cells:
            for place in range(_count(cell) if cell.pool else 0):
                at = cell.base + place
                before = lying.get(cell.type.kind, 0)
                if before & self.slots[at]:
                    self._ask(
                        at,
                        False,
                        self.names.at_place(cell, place),
                        "something in it lies elsewhere, too",
                    )
                lying[cell.type.kind] = before | self.slots[at]

    def _callers(self) -> None:
        """Check the call chain of the running procedures.

        Starting at the procedure with the current decision, every caller must be running, out to
        the first. No other procedure may be running.
        """
        procs, running = self.program.procs, self.program.decisions[self.slots[PC]].proc
        seen: dict[int, int] = {}
        while running >= 0:
            proc, level = procs[running], seen.get(running, 0)
            if level >= MAX_ACTIVATIONS or (level and proc.depth < 0):
                raise SaveError(f"this is not a state: {tidy(proc.name)} would be its own caller")
            seen[running] = level + 1
            saved = self.slots[proc.depth] - level if proc.depth >= 0 else 0
            block = self.slots[proc.returns if not level else proc.save + saved * len(proc.frame)]
            if not block or saved < 0:
                raise SaveError(
                    f"this is not a state: play stands in {tidy(proc.name)}, which nobody has"
                    " called"
                )
            running = self.program.blocks[block]
        for i, proc in enumerate(procs):
            wanted = seen.get(i, 0)
            if (
                proc.entry >= 0
                and proc.returns >= 0
                and bool(self.slots[proc.returns]) != bool(wanted)
            ):
                raise SaveError(
                    f"this is not a state: {tidy(proc.name)} is going on, but nobody has called it"
                )
            if proc.depth >= 0 and self.slots[proc.depth] != max(0, wanted - 1):
                raise SaveError(
                    f"this is not a state: {tidy(proc.name)} does not run within itself as often as"
                    " it was called"
                )


def _count(cell: CellInfo) -> int:
    count = 1
    for key in cell.keys:
        count *= key.size
    return count


def _short(value: int) -> str:
    return (
        str(value)
        if value.bit_length() <= _MAX_SHOWN_BITS
        else f"a number of {value.bit_length()} bits"
    )


def _digits(code: int) -> Iterator[int]:
    while code:
        yield code & 0xFFFF
        code >>= 16


def _is_script(code: int) -> bool:
    """Return True for an empty script or a valid encoding of scripted results.

    Each digit is one more than its result, and the last digit is 1.
    """
    if code < 0:
        return False
    digits = list(_digits(code))
    return not digits or (digits[-1] == 1 and all(digits))


def _is_list(code: int, size: int) -> bool:
    return code >= 0 and all(
        digit > 0 and (not size or digit < size + 2) for digit in _digits(code)
    )


def _is_masks(code: int, size: int) -> bool:
    """Return True if the code holds a width followed by sets of that width."""
    return (
        code >= 0
        and (not code or 0 < code & 0xFFFF <= size)
        and code.bit_length() <= 16 + size * size
    )
