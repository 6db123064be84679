"""Bring the pieces of a group into the order in which a decision asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, takewhile

from rulekit.engine.kernel.decision import OptionBook
from rulekit.engine.kernel.names import Names
from rulekit.runtime.effects import unpacked
from rulekit.runtime.program import FamilyInfo
from rulekit.runtime.slots import PC


def next_of(
    book: OptionBook, slots: Sequence[int], offered: Sequence[int], wanted: Sequence[str]
) -> tuple[int, str] | None:
    """Find the first offered option that adds a wanted piece to a group.

    A group may ask only for the first of several pieces that are alike. Its option then stands for
    the others too.

    Returns:
        The id of the option and the key that it stands for, which is its own or that of a piece
        like it. None if no wanted piece is offered.
    """
    info = book.program.decisions[slots[PC]]
    classes = unpacked(slots[info.class_slot]) if info.class_slot >= 0 else []
    for id in offered:
        family = book.family(id)
        if family.what != "add":
            continue
        key = book.option(id).key
        if key in wanted:
            return id, key
        like = next((mask for mask in classes if mask >> book.arguments(family, id)[0] & 1), 0)
        for other in wanted if like else ():
            if like >> member_of(book, family, other) & 1:
                return id, other
    return None


def leading(keys: Sequence[str]) -> list[str]:
    """Return the keys at the front that add a piece to a group."""
    return list(takewhile(lambda key: key.startswith("add "), keys))


def in_order(names: Names, keys: Sequence[str]) -> list[str]:
    """Sort each run of keys that add a piece by the order of the data.

    Other keys keep their place.
    """

    def place(key: str) -> tuple[int, int]:
        id = key.partition(" ")[2]
        return next(
            ((kind, known[id]) for kind, known in enumerate(names.ordinals) if id in known),
            (len(names.ordinals), 0),
        )

    runs = groupby(keys, lambda key: key.startswith("add "))
    return [key for adds, run in runs for key in (sorted(run, key=place) if adds else run)]


def is_in(book: OptionBook, slots: Sequence[int], key: str) -> bool:
    """Return True if the piece that a key would add is in the group already.

    It can be there without a choice, if it was the only option.
    """
    info = book.program.decisions[slots[PC]]
    if info.group_slot < 0:
        return False
    return bool(
        slots[info.group_slot] >> member_of(book, book.program.families[info.families[0]], key) & 1
    )


def member_of(book: OptionBook, family: FamilyInfo, key: str) -> int:
    """Return the ordinal of the member that a key would add to a group.

    It is one more than the last ordinal if the key adds none.
    """
    verb, _, id = key.partition(" ")
    kind = family.params[0].kind
    return book.names.ordinals[kind].get(id, family.size) if verb == "add" else family.size
