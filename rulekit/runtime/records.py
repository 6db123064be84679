"""Records of the event log and traces of totals, with names for their fields.

Emitted code writes both as plain tuples, which are kept as they are. A reader names the fields:
`Changed._make(record)`, `Trace.of(found)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from rulekit.runtime.slots import PHASE_BEGUN

Record: TypeAlias = tuple[int, ...]


def kind_of(record: Record) -> int:
    """Return the kind of a record: a built-in event, or FIRST_EVENT plus the index of an event."""
    return record[0]


def arguments(record: Record) -> Record:
    """Return the arguments of a phase that begins, or of an event that the game declares."""
    return record[2:] if kind_of(record) == PHASE_BEGUN else record[1:]


class Changed(NamedTuple):
    """A write outside an event. A place is the row-major ordinal of the keys of a cell."""

    kind: int
    cell: int
    place: int
    value: int


class Rolled(NamedTuple):
    """A die was rolled, or a roll was cancelled and is repeated."""

    kind: int
    purpose: int
    who: int
    value: int


class Moved(NamedTuple):
    """A thing was drawn from a pool, or all things of a pool were gathered in another one."""

    kind: int
    source_cell: int
    source_place: int
    target_cell: int
    target_place: int
    things: int  # a member if one was drawn, a mask if they were gathered


class Put(NamedTuple):
    """A thing was put into a pool."""

    kind: int
    cell: int
    place: int
    thing: int
    source_cell: int  # -1: it did not lie in a pool
    source_place: int


class Revealed(NamedTuple):
    """Everybody knows now where a thing is, or which thing it is."""

    kind: int
    thing_kind: int
    thing: int


class ScopeEnded(NamedTuple):
    """The values whose scope is a procedure have ended."""

    kind: int
    procedure: int


class Finished(NamedTuple):
    """The game has ended."""

    kind: int
    winner: int  # -1: nobody
    level: int


class PhaseBegun(NamedTuple):
    """A phase has begun."""

    kind: int
    procedure: int
    arguments: Record

    @classmethod
    def of(cls, record: Record) -> PhaseBegun:
        """Name the fields of a record."""
        kind, procedure, *given = record
        return cls(kind, procedure, tuple(given))


class TraceLine(NamedTuple):
    """The contribution of one clause to a total."""

    clause: int
    status: str  # applied, condition, cancelled, overridden, idle
    amount: Any  # None: it has none
    holder: Any
    cancel: Any  # the index among the clauses that may cancel it
    parts: Sequence[Trace]  # of the totals and permits that it asks


class Trace(NamedTuple):
    """The derivation of a total or permit, clause by clause."""

    what: str
    number: int  # of the total or permit among those of its sort
    arguments: Sequence[Any]
    value: Any
    lines: Sequence[TraceLine]

    @classmethod
    def of(cls, found: Sequence[Any]) -> Trace:
        """Name the fields of a trace, of its lines, and of the traces in them."""
        what, number, given, value, lines = found
        return cls(what, number, given, value, [_line(*line) for line in lines])


def _line(
    clause: int, status: str, amount: Any, holder: Any, cancel: Any, parts: Sequence[Any]
) -> TraceLine:
    return TraceLine(clause, status, amount, holder, cancel, [Trace.of(part) for part in parts])
