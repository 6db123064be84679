"""Converts data to run-time values of a type. Values that do not fit are reported with their
place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from rulekit.common.diagnostics.diagnostic import Sink, guess, turned
from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler import model as m
from rulekit.compiler.source.game_source import NO_FRACTIONS, Datum

_MAX_SHOWN_MEMBERS = 10  # members of a kind that a message names
_RANGE = re.compile(r"([-\u2212]?\d{1,9})\s*(?:\.\.|-|\u2013)\s*([-\u2212]?\d{1,9})")
_HALF = re.compile(r"(<=|>=|\u2264|\u2265|<|>)\s*([-\u2212]?\d{1,9})")
_WITH_UNIT = re.compile(r"([-+]?\d{1,9}) *[A-Za-z]\w*")
_ONE = re.compile(r"[-+\u2212]?\d{1,9}")


def member_ordinal(kind: m.Kind, text: str) -> int | list[int] | None:
    """Return the member for a text: its id, or a last dotted part that only one member has.

    The result is None if there is no such member, and a list if several match.
    """
    if text in kind.members:
        return kind.members.index(text)
    found = [i for i, name in enumerate(kind.members) if name.rpartition(".")[2] == text]
    return found[0] if len(found) == 1 else found or None


def member(kind: m.Kind, text: str, span: Span, sink: Sink, what: str = "") -> int | None:
    """Return the same as `member_ordinal`, but report an unknown or ambiguous text and return
    None.
    """
    found = member_ordinal(kind, text)
    if isinstance(found, int):
        return found
    tail = f" ({what})" if what else ""
    if found is None:
        sink.error(
            "RK633",
            span,
            f"there is no {kind.name} '{text}'{tail}",
            (turned(text, kind.members) if kind.joins is not None else "")
            or guess(text, _names(kind))
            or _listed(kind),
        )
    else:
        names = ", ".join(kind.members[i] for i in found[:6])
        sink.error("RK634", span, f"'{text}' may be any of {names}{tail}", "write the full name")
    return None


def _names(kind: m.Kind) -> list[str]:
    return [*kind.members, *(name.rpartition(".")[2] for name in kind.members)]


def _listed(kind: m.Kind) -> str:
    if not kind.members:
        return f"{kind.name} has no members in this game"
    more = f" and {kind.size - _MAX_SHOWN_MEMBERS} more" if kind.size > _MAX_SHOWN_MEMBERS else ""
    return f"expected one of {', '.join(kind.members[:_MAX_SHOWN_MEMBERS])}{more}"


def number(text: str) -> int:
    return int(text.replace("\u2212", "-"))


def number_range(text: str, low: int, high: int) -> tuple[int, int] | None:
    """Return the numbers for a key such as `3`, `3-4`, `-1..8`, `<=2` or `>=8`, or None for any
    other text.
    """
    text = text.strip()
    if _ONE.fullmatch(text):
        return number(text), number(text)
    if both := _RANGE.fullmatch(text):
        return number(both[1]), number(both[2])
    if half := _HALF.fullmatch(text):
        end = number(half[2])
        if half[1] in ("<=", "\u2264", "<"):
            return low, end - (half[1] == "<")
        return end + (half[1] == ">"), high
    return None


def convert(
    datum: Datum, type: m.Type, sink: Sink, what: str, optional: bool = False
) -> int | None:
    """Return the run-time value of a datum, or None after an error.

    Args:
        optional: True if a number may be none (null), which means no limit.
    """
    value = datum.value
    if isinstance(type, m.Bool):
        return int(value) if isinstance(value, bool) else _wrong("true or false", datum, sink, what)
    if isinstance(type, m.Int):
        return _number(datum, type, sink, what, optional)
    if isinstance(type, m.MemberOf):
        if value is None and type.optional:
            return -1
        text = _text(datum)
        wanted = f"a {type.kind.name}" + (" or null" if type.optional else "")
        return (
            _wrong(wanted, datum, sink, what)
            if text is None
            else member(type.kind, text, datum.span, sink, what)
        )
    if isinstance(type, m.SetOf):
        return _set(datum, type.kind, sink, what)
    return 0  # a type that is already reported


def missing_value(type: m.Type, optional: bool = False) -> int | None:
    """Return the value of a datum that is left out: false, the empty set, or none for an optional
    value.

    The result is None if it may not be left out.
    """
    if isinstance(type, m.MemberOf):
        return -1 if type.optional else None
    if isinstance(type, m.Int):
        return m.NO_LIMIT if optional else None
    return 0


def _number(datum: Datum, type: m.Int, sink: Sink, what: str, optional: bool) -> int | None:
    value = datum.value
    if value is None and optional:
        return m.NO_LIMIT
    if isinstance(value, bool) or not isinstance(value, int):
        if datum.is_fraction():
            sink.error(
                "RK635",
                datum.span,
                f"expected a whole number, found {value} ({what})",
                NO_FRACTIONS,
            )
            return None
        return _wrong("a number", datum, sink, what)
    low, high = type.low, type.high
    if (
        (low is not None and value < low)
        or (high is not None and value > high)
        or abs(value) >= m.NO_LIMIT
    ):
        ends = (
            f"{'' if low is None else low} .. {'' if high is None else high}"
            if (low, high) != (None, None)
            else ""
        )
        sink.error(
            "RK636",
            datum.span,
            f"{value} is outside of {ends or 'what a number can be'} ({what})",
            (
                f"the rules declare the range {ends}; change the value or the declaration"
                if ends
                else "use smaller numbers"
            ),
        )
        return None
    return value


def _text(datum: Datum) -> str | None:
    value = datum.value
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else None


def _set(datum: Datum, kind: m.Kind, sink: Sink, what: str) -> int | None:
    if not isinstance(datum.value, list):
        return _wrong(f"a list of {kind.name}: [...]", datum, sink, what)
    mask: int | None = 0
    for item in datum.value:
        text = _text(item)
        ordinal = (
            _wrong(f"a {kind.name}", item, sink, what)
            if text is None
            else member(kind, text, item.span, sink, what)
        )
        mask = None if mask is None or ordinal is None else mask | 1 << ordinal
    return mask


def _wrong(wanted: str, datum: Datum, sink: Sink, what: str) -> int | None:
    """Report a datum of the wrong sort and return None."""
    shown = datum.value
    found = (
        "a mapping"
        if isinstance(shown, dict)
        else "a list"
        if isinstance(shown, list)
        else datum.nothing()
        if shown is None
        else _shown(shown)
    )
    number = (
        _WITH_UNIT.fullmatch(shown) if wanted == "a number" and isinstance(shown, str) else None
    )
    sink.error(
        "RK635",
        datum.span,
        f"expected {wanted}, found {found} ({what})",
        f"write it without the unit: {number[1]}" if number else f"write {wanted}",
    )
    return None


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f"'{value}'"


# ------------------------------------------------------------------------------------------------ f
def key_values(key: m.Key, text: str) -> list[int]:
    """Return the values of a key for a text, or an empty list if it is invalid."""
    if key.kind is not None:
        found = member_ordinal(key.kind, text)
        return [found] if isinstance(found, int) else []
    ends = number_range(text, key.low, key.high)
    if ends is None or not key.low <= ends[0] <= ends[1] <= key.high:
        return []
    return list(range(ends[0], ends[1] + 1))


def _splits(parts: Sequence[str], count: int) -> Iterator[list[str]]:
    """Yield all ways to join dotted parts into `count` texts."""
    if count == 1:
        yield [".".join(parts)]
        return
    for i in range(1, len(parts) - count + 2):
        for rest in _splits(parts[i:], count - 1):
            yield [".".join(parts[:i]), *rest]


def path_keys(keys: Sequence[m.Key], path: str) -> list[list[int]] | None:
    """Return the values of the leading keys that a dotted path names, for the largest possible
    number of keys.

    The result is None if the path is invalid.
    """
    if not path:
        return []
    parts = path.split(".")
    for count in range(min(len(keys), len(parts)), 0, -1):
        for texts in _splits(parts, count):
            found = [key_values(key, text) for key, text in zip(keys, texts, strict=False)]
            if all(found):
                return found
    return None


def assignments(
    keys: Sequence[m.Key],
    type: m.Type,
    path: str,
    datum: Datum,
    sink: Sink,
    what: str,
    optional: bool = False,
) -> list[tuple[tuple[int, ...], int]]:
    """Return (keys, value) for each value that a datum gives to a family.

    The keys that are not in `path` come from nested mappings. The last key may also come from a
    list: a value for each number, or the members that are true.

    Args:
        path: the dotted keys written after the name of the family.
    """
    named = path_keys(keys, path)
    span = datum.key_span if datum.key_span is not NOWHERE else datum.span
    if named is None:
        _bad_key(keys, path, span, sink, what)
        return []
    rest = keys[len(named) :]
    tails = (
        [((), convert(datum, type, sink, what, optional))]
        if not rest
        else _inner(rest, type, datum, sink, what, optional)
    )
    return [
        ((*head, *tail), value)
        for head in product(*named)
        for tail, value in tails
        if value is not None
    ]


def _inner(
    keys: Sequence[m.Key], type: m.Type, datum: Datum, sink: Sink, what: str, optional: bool
) -> list[tuple[tuple[int, ...], int | None]]:
    value, key = datum.value, keys[0]
    if isinstance(value, dict):
        return [
            pair
            for name, inner in value.items()
            for pair in assignments(keys, type, name, inner, sink, what, optional)
        ]
    if isinstance(value, list) and len(keys) == 1:
        if key.kind is not None and isinstance(type, m.Bool):
            mask = _set(datum, key.kind, sink, what)
            return [((i,), mask >> i & 1) for i in range(key.size)] if mask is not None else []
        if not isinstance(type, m.SetOf) and len(value) == key.size:
            first = 0 if key.kind is not None else key.low
            return [
                ((first + i,), convert(item, type, sink, what, optional))
                for i, item in enumerate(value)
            ]
    wanted = key.kind.name if key.kind is not None else f"number {key.low} .. {key.high}"
    _wrong(f"a value for each {wanted}", datum, sink, what)
    return []


def _bad_key(keys: Sequence[m.Key], path: str, span: Span, sink: Sink, what: str) -> None:
    if not keys:
        sink.error("RK633", span, f"{what} has no keys", f"remove '.{path}'")
        return
    key = keys[0] if len(keys) == 1 else None
    if key is not None and key.kind is not None:
        member(key.kind, path, span, sink, what)
        if isinstance(member_ordinal(key.kind, path), int):
            sink.error(
                "RK633",
                span,
                f"'{path}' cannot be read ({what})",
                "write one value for each key, or the name of one key after a point",
            )
        return
    kinds = ", ".join(
        k.kind.name if k.kind is not None else f"a number {k.low} .. {k.high}" for k in keys
    )
    known = [name for k in keys if k.kind is not None for name in _names(k.kind)]
    guesses = [g for part in path.split(".") if part not in known and (g := guess(part, known))]
    sink.error(
        "RK633",
        span,
        f"'{path}' names no key ({what})",
        guesses[0] if guesses else f"its keys are: {kinds}",
    )
