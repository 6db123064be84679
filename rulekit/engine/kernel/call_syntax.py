"""Parse calls in a situation, such as `cost(a, b)`, and format the signature of a declaration."""

from __future__ import annotations

import re
from typing import Any

from rulekit.runtime.program import ProcInfo, TotalInfo

_CALL = re.compile(r"([\w.]+)\s*\((.*)\)")
_ARGUMENT = re.compile(r"\{[^{}]*\}|\d+\s+to\s+\d+|[^\s,{}]+")
_CLAUSE = re.compile(r"(.*)\.(\w+)")


def subject_of(subject: str) -> tuple[str, list[Any]]:
    """Split `cost(a, b)` or `cost a b` into a name and its arguments."""
    found = _CALL.fullmatch(subject.strip())
    if found:
        return found[1], arguments_of(found[2])
    name, *rest = subject.split(None, 1) or [""]
    return name, arguments_of(rest[0]) if rest else []


def arguments_of(text: str) -> list[Any]:
    """Split words at commas or spaces. `{a, b}` becomes a list, and `3 to 1` is one word."""
    return [_set_of(word) for word in _ARGUMENT.findall(text)]


def _set_of(word: str) -> Any:
    return re.findall(r"[^\s,{}]+", word) if word.startswith("{") else word


def clause_of(subject: str) -> tuple[str, list[Any], str]:
    """Split `thrust(1).parry` or `thrust.parry` into total, arguments and clause.

    The clause is '' if none is named.
    """
    found = _CLAUSE.fullmatch(subject.strip())
    name, words = subject_of(found[1] if found else subject)
    return name, words, found[2] if found else ""


def call_of(info: TotalInfo | ProcInfo) -> str:
    """Return the name of a declaration with its parameters, as it is called."""
    names = (
        [name for name, _ in info.params]
        if isinstance(info, TotalInfo)
        else [var.name for var in info.vars[: info.params]]
    )
    return f"{info.name}({', '.join(names)})" if names else info.name
