"""Constants of the tree search that Python and the native module share, and classes of options."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.runtime.program import FamilyInfo

EXPLORE = 0.7  # the weight of exploration
WIDTH = 2.0  # the largest number of children, as a multiple of the square root of the iterations
SECOND = 0.3  # the weight of the lead at the second search horizon. The first has the rest
SHARE = 1 << 32  # the unit of probabilities
WHOLE = SHARE * 3 // 4  # the share of iterations in which every piece that can join a group does
PASS = SHARE * 6 // 10  # the share of windows that are passed below the tree
UTMOST = SHARE * 4 // 10  # the share of numbers that are picked at their highest
BETTER = SHARE * 6 // 10  # the share of choices that take the more successful of two options
TRAITS = 1 << 16  # the number of rows of the table of successful choices
LONGEST = 2000  # the largest number of choices of an iteration
NODES = 1 << 20  # the largest number of nodes of a tree
LINE = 64  # the largest number of own choices in a variation
TRIED = 12  # the number of iterations in a turn
TURNS = 4  # of four turns, the third tries a variation and the fourth varies the best
TRYING, VARYING = 2, 3
NONE = -10.0  # less than any value

PLAIN, ADD, LEAVE, NUMBER = range(4)  # classes of options for random choices


def sorts(families: Iterable[FamilyInfo], options: int) -> bytes:
    """Return the class of each option for random choices.

    Args:
        options: the number of options. Their ids are 1 .. options.
    """
    found = bytearray(options + 1)
    for family in families:
        number = family.what == "pick" and len(family.params) == 1 and family.params[0].kind < 0
        sort = (
            ADD
            if family.what == "add"
            else LEAVE
            if family.what == "pass"
            else NUMBER
            if number
            else PLAIN
        )
        found[family.base : family.base + family.size] = bytes([sort]) * family.size
    return bytes(found)
