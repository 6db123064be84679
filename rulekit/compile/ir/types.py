"""Takes nothing, makes the types of values of the intermediate form."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen


@frozen
class Flag:
    """A truth value."""


@frozen
class Number:
    """A number of the rules, an ordinal, or -1: 64 bits hold it."""


@frozen
class Mask:
    """A set over a kind of so many members, or what else is one bit each."""

    size: int


@frozen
class Packed:
    """A list of ordinals or small numbers in one number, 16 bits each; at most so many."""

    most: int


@frozen
class Masks:
    """A list of masks over a kind of so many members in one number: the width (16 bits), then at most that many masks."""

    size: int


@frozen
class Ratio:
    """A pair of numbers."""


@frozen
class Record:
    """What the traced variant makes: tuples, lists and words."""


Type: TypeAlias = Flag | Number | Mask | Packed | Masks | Ratio | Record
FLAG, NUMBER, RATIO, RECORD = Flag(), Number(), Ratio(), Record()
