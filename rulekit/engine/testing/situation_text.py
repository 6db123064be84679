"""Write a situation as YAML, in the form in which docs/situations.md shows it."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from typing import Any

from rulekit.engine.game.setup import SituationStart
from rulekit.engine.testing.runner import Expected, SituationStep
from rulekit.engine.testing.situation_writer import WrittenSituation

_WIDTH = 100
_PLAIN = re.compile(r"[A-Za-z_][\w./()-]*(?: [\w.()-]+)*", re.ASCII)
# texts that this or another reader of YAML takes for something else
_WORDS = frozenset(("null", "true", "false", "yes", "no", "on", "off", "y", "n", "none"))


def situation_text(written: WrittenSituation) -> str:
    """Return the text of a situation, an item of a situations file.

    What the situation cannot say stands in comments above it.
    """
    return "".join(f"{line}\n" for line in _lines(written))


def _lines(written: WrittenSituation) -> Iterator[str]:
    case = written.case
    for note in written.notes:
        yield from textwrap.wrap(
            f"not as in the game: {note}", _WIDTH, initial_indent="# ", subsequent_indent="#   "
        )
    yield f"- name: {_scalar(case.name)}"
    if case.scenario is not None:
        yield f"  scenario: {_scalar(case.scenario)}"
    if case.empty:
        yield "  empty: true"
    for key, value in (("rulings", case.rulings), ("given", _given(case)), ("within", case.within)):
        yield from _block(key, value)
    if case.dice:
        yield from _wrapped("  dice: ", "[", [_scalar(each) for each in case.dice], "]")
    if case.do:
        yield "  do:"
        yield from (f"    - {_step(step)}" for step in case.do)
    yield "  then:" if case.then else "  then: []"
    for expected in case.then:
        yield from _expected(expected)


def _given(start: SituationStart) -> dict[str, Any]:
    place = {
        piece: values[""] if set(values) == {""} else values
        for piece, values in start.place.items()
    }
    parts = {"place": place, "set": start.set, "put": start.put, "phase": start.phase}
    return {key: part for key, part in parts.items() if part}


def _block(key: str, value: dict[str, Any]) -> Iterator[str]:
    if not value:
        return
    yield f"  {key}:"
    for name, part in value.items():
        if isinstance(part, dict):
            yield from _wrapped(f"    {_scalar(name)}: ", "{", _entries(part), "}")
        else:
            yield f"    {_scalar(name)}: {_flow(part)}"


def _step(step: SituationStep) -> str:
    choice = _scalar(step.choice)
    return choice if step.player is None else f"{{{_scalar(step.player)}: {choice}}}"


def _expected(expected: Expected) -> Iterator[str]:
    key = f"{expected.word} {expected.subject}".strip()
    if expected.word == "event" and not expected.value:
        yield f"    - {_scalar(key)}"
    elif isinstance(expected.value, dict):
        yield from _wrapped(f"    - {_scalar(key)}: ", "{", _entries(expected.value), "}")
    else:
        yield f"    - {_scalar(key)}: {_flow(expected.value)}"


def _wrapped(head: str, begin: str, entries: list[str], end: str) -> Iterator[str]:
    """Yield a collection in lines of at most 100 columns, broken between its entries."""
    line, indent = head + begin, " " * (len(head) - len(head.lstrip(" -")) + 2)
    for number, entry in enumerate(entries):
        piece = entry + (", " if number + 1 < len(entries) else end)
        if len(line) + len(piece.rstrip()) > _WIDTH and line.strip():
            yield line.rstrip()
            line = indent
        line += piece
    yield line if entries else line + end


def _entries(part: dict[str, Any]) -> list[str]:
    return [f"{_scalar(key)}: {_flow(value)}" for key, value in part.items()]


def _flow(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(_entries(value)) + "}"
    return _scalar(value)


def _scalar(value: Any) -> str:
    """Return one value. A text is in quotes unless it reads as the same text without them."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    text = str(value)
    if _PLAIN.fullmatch(text) and text.casefold() not in _WORDS:
        return text
    return json.dumps(text, ensure_ascii=False)
