"""Takes nothing, makes the numbers of the tree search that Python and the native module share; says
of options what they are to it."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.runtime.program import FamilyInfo

EXPLORE = 0.7  # weight of what was seldom tried
WIDTH = 2.0  # children at most: so often the square root of the visits
SECOND = 0.3  # weight of the lead after the second stretch beside that after the first
SHARE = 1 << 32  # chances are parts of this
WHOLE = SHARE * 3 // 4  # of visits in which all that may come along into a group does
PASS = SHARE * 6 // 10  # of windows that are passed below the tree
UTMOST = SHARE * 4 // 10  # of numbers that are picked at their highest
BETTER = SHARE * 6 // 10  # of choices of which the better one of two is taken, as it did before
TRAITS = 1 << 16  # rows of the table of what did well
LONGEST = 2000  # choices of a visit
NODES = 1 << 20  # of a tree
LINE = 64  # own choices of a line at most
TRIED = 12  # visits in a row of the same turn
TURNS = 4  # of which the third tries a line, the fourth varies the best
TRYING, VARYING = 2, 3
NONE = -10.0  # less than anything can be worth

PLAIN, ADD, LEAVE, NUMBER = range(4)  # what an option is to those who choose at random


def sorts(families: Iterable[FamilyInfo], options: int) -> bytes:
    """Of each option what it is to those who choose at random. `options`: ids are 1 .. options."""
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
