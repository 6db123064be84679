"""Situations with `rows`: each row of values turns the written situation into one of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen

from rulekit.common.diagnostics.diagnostic import Sink, guess
from rulekit.common.diagnostics.span import Span
from rulekit.compiler.source.game_source import Datum

UNKNOWN, FORM = "RK613", "RK617"
_VARIABLE = re.compile(r"\$([A-Za-z_]\w*)")
_NAME = re.compile(r"[A-Za-z_]\w*")
_NUMBER = re.compile(r"[-+]?[0-9]{1,9}")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "none": None}
HEAD = "write the names of the columns in the first line, and one row in each line: `a | b`"


@frozen
class SituationRow:
    """One row: its values by column, and its place."""

    values: dict[str, Datum]
    span: Span

    @property
    def label(self) -> str:
        """The values, for the name of the situation."""
        return ", ".join(_word(each.plain()) for each in self.values.values())


def expanded(top: dict[str, Datum], sink: Sink) -> Iterator[tuple[str, dict[str, Datum]]]:
    """Yield the addition to the name, and the entries, of each situation that `rows` makes.

    A situation without rows is one by itself.
    """
    if "rows" not in top:
        yield "", top
        return
    before = len(sink.errors)
    rows = list(_read(top["rows"], sink))
    template = {key: value for key, value in top.items() if key != "rows"}
    _vet(template, rows, top["rows"], sink)
    if len(sink.errors) > before:
        return
    for row in rows:
        filled = {
            key: _filled(value, row) if key != "name" else evolve(value, span=row.span)
            for key, value in template.items()
        }
        yield f" ({row.label})", filled


def _read(rows: Datum, sink: Sink) -> Iterator[SituationRow]:
    if isinstance(rows.value, list):
        for item in rows.value:
            yield SituationRow(dict(item.value), item.span)
        return
    lines = [
        (number, line)
        for number, line in enumerate(str(rows.value).split("\n"), rows.span.line + 1)
        if line.strip()
    ]
    if not lines[1:] or rows.span.line == rows.span.end_line:
        sink.error(FORM, rows.span, "the table has no rows", HEAD)
        return
    head = [cell.strip() for cell in lines[0][1].split("|")]
    column = rows.key_span.column + 2
    for number, line in lines:
        cells = [cell.strip() for cell in line.split("|")]
        span = Span(rows.span.file, number, column, number, column + len(line))
        if len(cells) != len(head):
            sink.error(
                FORM,
                span,
                f"this line has {len(cells)} values, and the first line names {len(head)} columns",
                "write one value for each column, with `|` between them",
            )
        elif number != lines[0][0]:
            values = {
                name: Datum(_value(cell), span, span)
                for name, cell in zip(head, cells, strict=True)
            }
            yield SituationRow(values, span)


def _value(cell: str) -> Any:
    if len(cell) > 1 and cell[0] == cell[-1] and cell[0] in "\"'":
        return cell[1:-1]
    return int(cell) if _NUMBER.fullmatch(cell) else _WORDS.get(cell, cell)


def _vet(template: dict[str, Datum], rows: list[SituationRow], at: Datum, sink: Sink) -> None:
    """Report variables without a column, columns without use, and rows that differ in columns."""
    if not rows:
        sink.error(FORM, at.span, "`rows` holds no row", "write rows, or remove the key")
        return
    head = rows[0].values
    for row in rows:
        for name in (name for name in row.values if not _NAME.fullmatch(name)):
            text = f"a column cannot be named {name!r}"
            return sink.error(FORM, row.span, text, "write a word of letters: it stands after `$`")
        for name in head.keys() ^ row.values.keys():
            text = f"the rows do not have the same columns: {name!r} stands only in some"
            return sink.error(FORM, row.span, text, "write a value for each column")
    used = set[str]()
    for key, value in template.items():
        for name, span in _variables(value) if key != "name" else ():
            used.add(name)
            if name not in head:
                hint = guess(name, head) or f"the columns are {', '.join(head)}"
                sink.error(UNKNOWN, span, f"'${name}' is no column of `rows`", hint)
    for name in head.keys() - used:
        text = f"the column {name!r} is not used"
        sink.error(FORM, at.key_span, text, f"write ${name} where its value belongs, or remove it")
    return None


def _variables(datum: Datum) -> Iterator[tuple[str, Span]]:
    if isinstance(datum.value, dict):
        for key, value in datum.value.items():
            yield from ((name, value.key_span) for name in _VARIABLE.findall(key))
            yield from _variables(value)
    elif isinstance(datum.value, list):
        for each in datum.value:
            yield from _variables(each)
    elif isinstance(datum.value, str):
        yield from ((name, datum.span) for name in _VARIABLE.findall(datum.value))


def _filled(datum: Datum, row: SituationRow) -> Datum:
    """Return the value filled from a row. The changed parts stand at the place of the row."""
    if isinstance(datum.value, dict):
        entries = {}
        for key, value in datum.value.items():
            inner, name = _filled(value, row), _text(key, row)
            place = row.span if name != key or inner.span == row.span else value.key_span
            entries[name] = evolve(inner, key_span=place)
        return evolve(datum, value=entries)
    if isinstance(datum.value, list):
        return evolve(datum, value=[_filled(each, row) for each in datum.value])
    if not isinstance(datum.value, str) or not _VARIABLE.search(datum.value):
        return datum
    whole = _VARIABLE.fullmatch(datum.value)
    value = row.values[whole[1]].value if whole else _text(datum.value, row)
    return evolve(datum, value=value, span=row.span)


def _text(text: str, row: SituationRow) -> str:
    return _VARIABLE.sub(lambda found: _word(row.values[found[1]].plain()), text)


def _word(value: Any) -> str:
    if isinstance(value, list):
        return "{" + ", ".join(map(_word, value)) + "}"
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
