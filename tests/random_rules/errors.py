"""The kind of an error of the rules, which is the same in the reference and in emitted code,
whatever their words."""

from __future__ import annotations

from rulekit.common.errors import RulesError

SORTS = (
    "division by zero",
    "needs exactly one",
    "needs one that is there",
    "has no line",
    "no value for",
    "costs less than 0",
    "not over after",
    "outside of",
    "grows beyond",
)


def sort_of(error: RulesError) -> str:
    return next(sort for sort in SORTS if sort in str(error))
