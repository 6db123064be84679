"""Takes nothing, makes the types of values of the intermediate form."""

from __future__ import annotations

from typing import TypeAlias, dataclass_transform

from attrs import field, frozen


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Plain:
    """Base of all of the form: it is what its fields say, and compares by them."""

    def __init_subclass__(cls) -> None:
        frozen(cls, slots=False, cache_hash=True)


class Flag(Plain):
    """A truth value."""


class Number(Plain):
    """A number of the rules, an ordinal, or -1: 64 bits hold it."""


class Mask(Plain):
    """A set over a kind of so many members, or what else is one bit each."""

    size: int


class Packed(Plain):
    """A list of ordinals or small numbers in one number, 16 bits each; at most so many."""

    most: int


class Masks(Plain):
    """A list of masks over a kind of so many members in one number: the width (16 bits), then at most that many masks."""

    size: int


class Ratio(Plain):
    """A pair of numbers."""


class Record(Plain):
    """What the traced variant makes: tuples, lists and words."""


Type: TypeAlias = Flag | Number | Mask | Packed | Masks | Ratio | Record
FLAG, NUMBER, RATIO, RECORD = Flag(), Number(), Ratio(), Record()
