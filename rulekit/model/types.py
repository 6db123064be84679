"""Takes nothing, makes the types of the checked model. Types compare by value."""

from __future__ import annotations

from rulekit.model.node import Type
from rulekit.model.things import Kind

NO_LIMIT = 1 << 20  # an optional number (`PM?`) that is none: no limit. Numbers of games stay far below.


class Bool(Type):
    pass


class Int(Type):
    """A number with its unit (None: a pure number). low/high: the declared or inferred range, None if unknown."""

    unit: str | None = None
    low: int | None = None
    high: int | None = None


class RatioT(Type):
    pass


class MemberOf(Type):
    kind: Kind
    optional: bool = False


class SetOf(Type):
    kind: Kind


class Record(Type):
    """Several named results of a table."""

    fields: tuple[tuple[str, Type], ...]


def empty(type: Type) -> int:
    """The value that stands for 'nothing there' of a type. (Of a record: the row that is none; `pure.void` gives its results.)"""
    return -1 if isinstance(type, (MemberOf, Record)) else 0


def first_value(type: Type) -> int:
    """What is there before anything is written: empty, or the number of a range that is nearest to 0."""
    if isinstance(type, Int):
        return max(type.low or 0, min(0, 0 if type.high is None else type.high))
    return empty(type)
