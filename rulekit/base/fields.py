"""Takes the type of a field, makes the classes that it mentions: by them a visitor knows where nodes lie."""

from __future__ import annotations

from typing import Any, get_args

_CLASS = type


def mentioned(type: Any) -> tuple[type, ...]:
    """The classes that a type is made of, those in its arguments too."""
    if isinstance(type, _CLASS) and not get_args(type):
        return (type,)
    return tuple(each for argument in get_args(type) for each in mentioned(argument))
