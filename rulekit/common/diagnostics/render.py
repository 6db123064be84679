"""Diagnostics as text for a terminal, or as plain data for programs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rulekit.common.diagnostics.diagnostic import Diagnostic
from rulekit.common.diagnostics.span import Span

_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m"}
_BOLD, _BLUE, _RESET = "\x1b[1m", "\x1b[1;34m", "\x1b[0m"
_WIDEST = 160  # characters of a source line
_LONGEST = 1000  # characters of a message


def render(diagnostic: Diagnostic, files: Mapping[str, str], colour: bool = False) -> str:
    """Return the finding with its source line, a caret under the place, a second place if there is
    one, and the help.
    """
    paint = _Paint(colour)
    level = diagnostic.level
    out = [
        f"{paint(f'{level}[{diagnostic.code}]', _COLOURS[level])}"
        f"{paint(f': {_said(diagnostic.message)}', _BOLD)}"
    ]
    places = [(diagnostic.span, diagnostic.label, "^")]
    if diagnostic.second is not None:
        places.append((diagnostic.second, diagnostic.second_label, "-"))
    width = max(len(str(span.line)) for span, _, _ in places)
    gutter = " " * width
    for index, (span, label, mark) in enumerate(places):
        if not span.file:
            continue
        arrow = "-->" if index == 0 else ":::"
        out.append(f"{gutter}{paint(arrow, _BLUE)} {_plain(str(span))}")
        out += _excerpt(span, label, mark, files.get(span.file), gutter, paint, level)
    said = [("help", diagnostic.help), ("ref", diagnostic.ref)]
    out += [f"{gutter} {paint('=', _BLUE)} {word}: {_said(text)}" for word, text in said if text]
    return "\n".join(out)


def to_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """Return the finding as plain data."""
    return {
        "code": diagnostic.code,
        "level": diagnostic.level,
        "message": diagnostic.message,
        "file": diagnostic.span.file,
        "line": diagnostic.span.line,
        "column": diagnostic.span.column,
        "help": diagnostic.help,
        "ref": diagnostic.ref,
    }


class _Paint:
    """Colours a text, or leaves it plain."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def __call__(self, text: str, code: str) -> str:
        return f"{code}{text}{_RESET}" if self.colour else text


@lru_cache(4)
def _lines(text: str) -> list[str]:
    return text.split("\n")


def _excerpt(
    span: Span, label: str, mark: str, text: str | None, gutter: str, paint: _Paint, level: str
) -> list[str]:
    """Return the source line between its bars, and the marks under the place."""
    lines = _lines(text) if text is not None else []
    if not 1 <= span.line <= len(lines):
        return [f"{gutter} {paint('=', _BLUE)} {_said(label)}"] if label else []
    source = lines[span.line - 1].rstrip("\r")
    start = max(0, span.column - 1)
    end = (
        span.end_column - 1
        if span.end_line <= span.line
        else start + len(re.split("[ \t]{2,}", source[start:].rstrip(), maxsplit=1)[0])
    )
    start, source, end = _window(start, source, end)
    source = _plain(source)  # only the part that is shown, because a line may be very long
    marks = mark * max(1, end - start)
    bar = paint("|", _BLUE)
    colour = _COLOURS[level] if mark == "^" else _BLUE
    under = paint(f"{marks} {_said(label)}".rstrip(), colour)
    number = str(span.line).rjust(len(gutter))
    return [
        f"{gutter} {bar}",
        f"{paint(number, _BLUE)} {bar} {source}".rstrip(),
        f"{gutter} {bar} {' ' * start}{under}",
    ]


def _window(start: int, source: str, end: int) -> tuple[int, str, int]:
    """Cut a long line around the place."""
    if len(source) <= _WIDEST:
        return start, source, min(end, max(len(source), start + 1))
    left = max(0, start - _WIDEST // 2)
    cut = source[left : left + _WIDEST]
    if left:
        cut = "..." + cut[3:]
    if left + _WIDEST < len(source):
        cut = cut[:-3] + "..."
    return start - left, cut, min(end - left, len(cut))


def _said(text: str) -> str:
    """Return a message in one line. A very long one is cut in the middle."""
    return _plain(
        text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"
    )


def _plain(text: str) -> str:
    """Replace control characters that affect a terminal. A tab becomes one blank."""
    return "".join(
        c if c.isprintable() else " " if c in "\t\n" else "\N{REPLACEMENT CHARACTER}" for c in text
    )
