"""A game's WebAssembly module with the layout of its memory.

Packs constants and states for the host.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

FAILURES = (
    "",
    "steps",
    "too_long",
    "broken",
    "costs",
    "unfinished",
    "in_range",
    "held",
    "small",
    "the",
    "there",
    "division",
    "row",
    "key",
    "deep",
    "memory",
    "options",
    "choices",
    "wide",
)


DEPTH = 32  # the greatest depth of a perft
RESULT = 48  # bytes of a game's result: winner, level, decisions, random results, digest, marks


class DoesNotFit(ValueError):
    """Raised if a value needs more bits than there are."""


def words_of(bits: int) -> int:
    """Return the number of 64-bit words for some bits."""
    return max(1, (bits + 63) // 64)


@frozen
class Shape:
    """The layout of a constant in memory.

    The forms are:

    - one: a single number.
    - array: the number of entries, a copy of the last entry, then all entries.
    - rows: an array whose entries are tuples of numbers.
    - lists: lists of tuples.

    Attributes:
        words: the number of words of each column.
        most: the number of entries that fit.
        inner: for lists, the number of rows of all lists together.
    """

    form: str
    words: tuple[int, ...] = (1,)
    most: int = 1
    inner: int = 0

    @property
    def entry(self) -> int:
        """The size of an entry in bytes. For lists, the size of a row."""
        return 8 * sum(self.words)

    @property
    def first(self) -> int:
        """The offset of the first entry, after the number of entries and the copy of the last."""
        return 0 if self.form == "one" else 16 if self.form == "lists" else 8 + self.entry

    @property
    def length(self) -> int:
        """The whole size in bytes."""
        if self.form == "lists":
            return self.first + 8 * self.most + self.entry * self.inner
        return self.first + self.entry * self.most

    def pack(self, value: Any, address: int) -> bytes:
        """Return a value as it is stored at an address."""
        if self.form == "one":
            return number(value, self.words[0])
        if self.form == "lists":
            return self._lists(value, address)
        entries = [self._entry(x) for x in value]
        return b"".join(
            [
                len(entries).to_bytes(8, "little"),
                entries[-1] if entries else bytes(self.entry),
                *entries,
            ]
        )

    def _lists(self, value: Sequence[Sequence[Any]], address: int) -> bytes:
        """Return the number of lists, the begin and end of each list, and the rows.

        The begin and end of the last list also stand before those of the first.
        """
        at = address + self.first + 8 * len(value)
        spans, rows = [], []
        for group in value:
            end = at + self.entry * len(group)
            spans.append(at.to_bytes(4, "little") + end.to_bytes(4, "little"))
            rows += [self._entry(x) for x in group]
            at = end
        return b"".join(
            [len(value).to_bytes(8, "little"), spans[-1] if spans else bytes(8), *spans, *rows]
        )

    def _entry(self, entry: Any) -> bytes:
        columns = entry if isinstance(entry, tuple) else (entry,)
        return b"".join(number(y, w) for y, w in zip(columns, self.words, strict=True))


def number(value: int, words: int) -> bytes:
    """Return a number or mask as a given number of words."""
    if value >= 1 << 64 * words or value < -(1 << 63):
        raise DoesNotFit(f"{value} does not fit {words} words")
    return (value & (1 << 64 * words) - 1).to_bytes(8 * words, "little")


_OPTIONS = 1  # the slot of the options
_M64 = (1 << 64) - 1


@frozen
class WasmCell:
    """A slot in memory.

    The forms are number (-1 or more, or any of one word), mask, packed (a list), masks (of a kind
    of `size`) and ratio.
    """

    address: int
    words: int = 1
    form: str = "number"
    size: int = 0


@frozen
class NoNative:
    """A game that has no module.

    Attributes:
        why: the feature that the backend does not support.
    """

    why: str


@define
class Native:
    """A WebAssembly module with the layout of its memory.

    Attributes:
        text: the module as compressed text.
        cells: the layout of each slot.
        size: the size of a state in bytes.
        constants: the values that the host writes: name -> (address, shape).
        origin: the address of the state from which play starts.
        layers: the address of the options of a decision.
        results: the address of the results of games.
        marks: the address of their marks.
        room: the number of games whose results fit.
        counts: the address of the counts of a perft.
        pages: the size of the memory in pages of 64 KiB.
        places: the author's places, by number.
        scores: by index of a total, its place in the table of functions for a side's score.
        sides: the number of sides.
    """

    text: bytes
    cells: list[WasmCell]
    size: int
    constants: dict[str, tuple[int, Shape]]
    origin: int
    layers: int
    layer_words: int
    results: int
    marks: int
    room: int
    counts: int
    pages: int
    places: list[str] = field(factory=list)
    scores: dict[int, int] = field(factory=dict)
    sides: int = 0
    # runs of slots with the same number of words, adjacent in memory
    _runs: list[range] = field(init=False, eq=False, repr=False)
    _others: list[int] = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        plain = [cell.form in ("number", "mask") for cell in self.cells]
        plain[_OPTIONS : _OPTIONS + 1] = [False]  # a list in Python. The module computes its own
        self._runs, self._others = (
            [],
            [at for at, each in enumerate(plain) if not each and at != _OPTIONS],
        )
        for at in (at for at, each in enumerate(plain) if each):
            last, before, words = (
                self._runs[-1] if self._runs else None,
                self.cells[at - 1],
                self.cells[at].words,
            )
            if (
                last
                and last[-1] == at - 1
                and before.words == words
                and self.cells[at].address == before.address + 8 * words
            ):
                self._runs[-1] = range(last[0], at + 1)
            else:
                self._runs.append(range(at, at + 1))

    @property
    def layer_bytes(self) -> int:
        """The size of a layer in bytes: the base, then the mask."""
        return 8 + 8 * self.layer_words

    @property
    def row(self) -> int:
        """The size of a mark in bytes: the turn, then the score of each side."""
        return 8 + 8 * self.sides

    def layers_of(self, data: bytes) -> list[tuple[int, int]]:
        """Return the options from their form in memory."""
        size = self.layer_bytes
        return [
            (
                int.from_bytes(data[i : i + 8], "little", signed=True),
                int.from_bytes(data[i + 8 : i + size], "little"),
            )
            for i in range(0, len(data), size)
        ]

    def image(self, slots: Sequence[Any]) -> bytes:
        """Return a state as bytes."""
        out = bytearray(self.size)
        for run in self._runs:
            first = self.cells[run[0]]
            out[first.address : first.address + 8 * first.words * len(run)] = _packed(
                slots[run[0] : run[-1] + 1], first.words
            )
        for at in self._others:
            cell = self.cells[at]
            out[cell.address : cell.address + 8 * cell.words] = _cell(cell, slots[at])
        return bytes(out)

    def slots(self, image: bytes) -> list[Any]:
        """Return the slots of a state in memory. The slot of the options is None."""
        read = [
            value_of(cell, image[cell.address : cell.address + 8 * cell.words])
            for cell in self.cells
        ]
        read[_OPTIONS] = None
        return read

    def digest(self, image: bytes) -> int:
        """Return a hash of a state. Equal states have equal hashes."""
        h = 0xCBF29CE484222325
        for i in range(0, self.size, 8):
            h = (h ^ int.from_bytes(image[i : i + 8], "little")) * 0x100000001B3 & (1 << 64) - 1
        return h

    def write_constants(self, values: Mapping[str, Any]) -> list[tuple[int, bytes]]:
        """Return the constants as (address, bytes), for the host to write."""
        return [(at, shape.pack(values[name], at)) for name, (at, shape) in self.constants.items()]


def _packed(values: Sequence[Any], words: int) -> bytes:
    """Return numbers or masks of equal size as adjacent words."""
    if words == 1:
        try:
            return struct.pack(f"<{len(values)}q", *values)
        except struct.error:  # a value is None, is above 2^63 or does not fit
            pass
    values = [0 if value is None else value for value in values]
    for value in values if max(values) >> 64 * words or min(values) < -1 << 63 else ():
        number(value, words)  # raises DoesNotFit
    return struct.pack(
        f"<{words * len(values)}Q",
        *(value >> 64 * n & _M64 for value in values for n in range(words)),
    )


def _cell(cell: WasmCell, value: Any) -> bytes:
    if value is None:
        return bytes(8 * cell.words)
    if cell.form == "ratio" and isinstance(value, tuple):
        return b"".join(number(x, 1) for x in value)
    if cell.form == "masks":
        width, rest, found = value & 0xFFFF, value >> 16, []
        while rest:
            found.append(rest & (1 << width) - 1)
            rest >>= width
        each = words_of(cell.size)
        return b"".join(
            [len(found).to_bytes(8, "little"), *(number(x, each) for x in found)]
        ).ljust(8 * cell.words, b"\0")
    return number(value, cell.words)


def value_of(cell: WasmCell, data: bytes) -> Any:
    if cell.form == "ratio":
        return tuple(int.from_bytes(data[i : i + 8], "little", signed=True) for i in (0, 8))
    if cell.form == "masks":
        each = 8 * words_of(cell.size)
        count = int.from_bytes(data[:8], "little")
        found = [
            int.from_bytes(data[8 + i * each : 8 + i * each + each], "little") for i in range(count)
        ]
        width = max([x.bit_length() for x in found], default=0)
        code = 0
        for mask in reversed(found):
            code = code << width | mask
        return code << 16 | width if found else 0
    value = int.from_bytes(data, "little")
    if cell.form == "number" and value >> 63 and cell.words == 1:
        return value - (1 << 64)
    return value
