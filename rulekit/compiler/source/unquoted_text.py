"""Diagnoses a YAML text that lacks the quotes it needs, at the place where the parser stopped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.common.diagnostics.span import Span

_ENTRY = re.compile(
    r'(?:[\w.-]+|"[^"]*"|\'[^\']*\')\s*:(?:\s|$)'
)  # a key with its colon: an entry begins
_VALUE = re.compile(r"[^:]+:\s+(?=\S)")
_STARTS_VALUE = re.compile(
    r"""[\s-]*(?:[\w.-]+|"[^"]*"|'[^']*')\s*:\s+["']|[\s-]*["']"""
)  # a key and the first quote of its value, or an item of a list that begins with a quote
WHOLE = "put the whole text in quotes"
OPENED = {"}": "{", "]": "["}


def cause(text: str, span: Span, begun: Span | None, flow: bool) -> tuple[Span, str, str] | None:
    """Return the place, the message and the help if missing quotes stopped the parser.

    Args:
        begun: the place of the bracket that was being read.
        flow: True if it is known that the parser was inside brackets.
    """
    lines = text.split("\n")
    line, at = lines[span.line - 1], span.column - 1
    if flow and begun is not None and (found := _comment(lines, begun, span)):
        return found
    flow = flow or _depth(line[:at]) > 0
    entry, rest = _entry(line[:at]) if flow else line[:at], line[at:]
    if (
        flow
        and rest[:1] == ":"
        and (value := _VALUE.match(entry.strip() if rest[1:2] != " " else entry))
    ):
        lacking = (
            "; if another entry begins here, a ',' is missing before it"
            if rest[1:2] == " " and value
            else ""
        )
        return (
            span,
            "a text with ':' needs quotes",
            f"put the whole text in quotes{lacking}",
        )
    if (
        flow
        and rest[:1] in ("{", "[")
        and _VALUE.sub("", entry).strip()
        and entry.rstrip()[-1] not in "\"'}]"
    ):
        return span, f"a text with '{rest[0]}' needs quotes here", WHOLE
    last = entry.rstrip()[-1:] if entry.strip() else line[:at].rstrip()[-1:]
    if not rest.strip() or rest[0] == "#" or _ENTRY.match(rest) or (flow and rest[0] in "\"'{["):
        return None
    if last in OPENED and (flow or _VALUE.sub("", entry).lstrip(" -")[:1] == OPENED[last]):
        return (
            span,
            (
                f"this comes after a '{last}', but a text that begins with '{OPENED[last]}' needs"
                " quotes"
            ),
            WHOLE,
        )
    if last in ("'", '"') and last:
        if opened := _unclosed(lines, span, last):
            return (
                opened,
                "the quoted text that begins here is not closed before the next text",
                f"write {last} at the end of the text",
            )
        twice = "two ' for each ' of the text" if last == "'" else 'a \\ before each " of the text'
        return (
            span,
            f"the quoted text ends before this, at the {last}",
            f"write {twice}, or put the whole text in the other quotes",
        )
    return None


def _unclosed(lines: list[str], span: Span, quote: str) -> Span | None:
    """Return the place of a quoted text on an earlier line that ends only at the first quote of
    this line, which is the start of a text.
    """
    before = lines[span.line - 1][: span.column - 1].rstrip()
    if not _STARTS_VALUE.fullmatch(before):
        return None
    for number in range(span.line - 1, 0, -1):
        line = lines[number - 1]
        if line.replace(f"\\{quote}", "").count(quote) % 2:
            at = line.index(quote) + 1
            return Span(span.file, number, at, number, at + 1)
    return None


def _comment(lines: list[str], begun: Span, end: Span) -> tuple[Span, str, str] | None:
    """Find a '#' after a blank, inside a bracket, that hides the closing bracket."""
    for number in range(begun.line, end.line + 1):
        line = lines[number - 1]
        at = next(
            (i for i, char in _outside(line) if char == "#" and line[:i][-1:] in (" ", "\t")), None
        )
        if at is not None and line[:at].strip() and _depth(line[at:]) < 0:
            place = Span(end.file, number, at + 1, number, at + 2)
            return (
                place,
                "'#' after a space begins a comment: the rest of this line is not read",
                WHOLE,
            )
    return None


def _depth(line: str) -> int:
    """Return the number of brackets that are open at the end."""
    return sum((char in "{[") - (char in "}]") for _, char in _outside(line))


def _entry(line: str) -> str:
    """Return the text after the last ',' or opening bracket."""
    starts = [i + 1 for i, char in _outside(line) if char in "{[,"]
    return line[starts[-1] if starts else 0 :]


def _outside(line: str) -> Iterator[tuple[int, str]]:
    """Yield the characters outside quotes. A quote can open only where a value or key begins."""
    quote, fresh = "", True
    for i, char in enumerate(line):
        if quote:
            if char == quote and (quote == "'" or line[i - 1] != "\\"):
                quote = ""
        elif fresh and char in "\"'":
            quote, fresh = char, False
        else:
            yield i, char
            fresh = char in "{[,:-" or (fresh and char == " ")
