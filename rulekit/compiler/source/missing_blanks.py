"""Diagnoses a YAML key whose value follows its colon without a blank, at the place where the parser
stopped.
"""

from __future__ import annotations

import re

from rulekit.common.diagnostics.span import Span

_MAX_QUOTED_CHARACTERS = 30  # characters of a value that a help quotes
_GLUED = re.compile(r"([^\W\d][\w.-]*):(?=[^\s:/,\]}])")  # not `http://`
CLOSING = {"[": "]", "{": "}", "'": "'", '"': '"'}
_BEGIN = re.compile(r"\s*(?:- +)*")


def message(name: str, words: str) -> tuple[str, str]:
    """Return the message and the help for such a key."""
    shown = words[0] + "..." + CLOSING[words[0]] if unfinished(words) else words
    shown = shown if len(shown) <= _MAX_QUOTED_CHARACTERS and "`" not in shown else "..."
    return f"a space is missing after '{name}:'", f"write `{name}: {shown}`"


def begun_with(words: str) -> tuple[str, str] | None:
    """Return the key at the beginning of a text, and the value that follows its colon directly."""
    key = _GLUED.match(words)
    return (key[1], words[key.end() :]) if key else None


def unfinished(words: str) -> bool:
    """Return True if a text begins with a bracket or quote that it does not close."""
    return words[0] in "[{" or (words[0] in "'\"" and not words.endswith(words[0], 1))


def before(lines: list[str], span: Span, begun: Span | None) -> tuple[Span, str, str] | None:
    """Return the place, the message and the help if a missing blank stopped the parser.

    Args:
        begun: the beginning of the construct that was being read.
    """
    line, at = lines[span.line - 1], span.column - 1
    if line[at : at + 2] in (":[", ":{"):
        name = re.search(r"[^\W\d][\w.-]*\Z", line[:at])
        return _advice(span, line, name.start()) if name else None
    begin = _indent(line)
    if (parts := begun_with(line[begin:])) is not None and parts[1][0] in "[{" and begin < at:
        return _advice(span, line, begin)
    if begun is not None and (begun.line < span.line or at + 1 >= len(line)):
        first, begin = lines[begun.line - 1], begun.column - 1
        return (
            _advice(Span(span.file, begun.line, 1, begun.line, 1), first, begin)
            if _indent(first) == begin
            else None
        )
    above = next(
        (
            i
            for i in range(span.line - 2, -1, -1)
            if lines[i].strip() and lines[i].lstrip()[0] != "#"
        ),
        None,
    )
    if (
        begun is not None
        or above is None
        or line[at : at + 1] != ":"
        or _indent(lines[above]) != _indent(line)
    ):
        return None
    return (
        None
        if _continued(lines, above)
        else _advice(
            Span(span.file, above + 1, 1, above + 1, 1), lines[above], _indent(lines[above])
        )
    )


def _advice(span: Span, line: str, at: int) -> tuple[Span, str, str] | None:
    parts = begun_with(line[at:])
    if parts is None:
        return None
    name, words = parts
    place = Span(span.file, span.line, at + 1, span.line, at + len(name) + 2)
    return place, *message(name, words.rstrip())


def _indent(line: str) -> int:
    """Return the index of the first item of a line, after the '-' of list items."""
    begin = _BEGIN.match(line)
    return begin.end() if begin else 0


def _continued(lines: list[str], number: int) -> bool:
    """Return True if a line continues a text that begins above it."""
    above, indent = (
        next((lines[i] for i in range(number - 1, -1, -1) if lines[i].strip()), ""),
        _indent(lines[number]),
    )
    return (
        _indent(above) < indent
        and not above.rstrip().endswith((":", "-"))
        and "-" not in lines[number][:indent]
    )
