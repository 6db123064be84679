"""Reader of CSV files that records the place of every cell."""

from __future__ import annotations

import re

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.diagnostics.span import Span
from rulekit.common.invisible_characters import bare, is_blank
from rulekit.compiler.source.game_source import CsvTable, Datum

MAX_CELLS = 100_000
MAX_FINDINGS = 50  # in one file: further findings of the same mistake help nobody
_BLANKS = {mark: re.compile(r" *" if mark == "\t" else r"[ \t]*") for mark in ",;\t"}
_SEPARATOR_LINE = re.compile(
    r"sep=([,;\t])"
)  # a first line by which a spreadsheet says what stands between cells
_NUMBER = re.compile(r"[-+\u2212]?[0-9]{1,9}\Z")


def parse_csv(text: str, path: str, sink: Sink) -> CsvTable | None:
    """Return the table, or None, after diagnostics (ragged rows, bad quotes), if it cannot be used.

    The first row is the header. Empty lines and lines that begin with # are skipped, and so are
    rows and columns at the end that are completely empty. A cell in double quotes is text, with
    `""` for a quote in it. A cell cannot continue on the next line. Spaces around a cell are
    ignored. The separator is a comma. If the header has none, it is a semicolon or a tab, as
    spreadsheets in some countries write it.
    """
    rows: list[list[Datum]] = []
    faults, cells, mark = 0, 0, ""
    for number, line in enumerate(text.split("\n"), 1):
        if is_blank(line) or line.lstrip().startswith("#"):
            continue
        if not mark and (separator_line := _SEPARATOR_LINE.fullmatch(line.strip(" "))):
            mark = separator_line[1]
            continue
        mark = mark or _mark(line)
        cells += line.count(mark) + 1  # or less, with quotes
        if cells > MAX_CELLS:
            sink.error(
                "RK106",
                Span(path, number, 1),
                f"the table has more than {MAX_CELLS} cells",
                "split it",
            )
            return None
        row = _row(line, mark, number, path, sink)
        if row is not None:
            rows += [row] if any(cell.value is not None for cell in row) else []
            continue
        faults += 1
        if faults == MAX_FINDINGS:
            return None
    if not rows:
        if not faults:
            sink.error(
                "RK132",
                Span(path, 1, 1, 1, 2),
                "the table is empty",
                "write a header row and at least one more row",
            )
        return None
    if not faults:
        _drop_empty(rows)
    header, body = rows[0], rows[1:]
    faults += not _header(header, sink)
    for row in body:
        faults += not _width(row, header, mark, sink)
        if faults == MAX_FINDINGS:
            return None
    if not body and not faults:
        sink.error(
            "RK132",
            header[0].span,
            "the table has a header but no row",
            "write at least one row below the header",
        )
        return None
    return None if faults else CsvTable(path, header, body)


def _mark(header: str) -> str:
    """Return the separator of the cells of a table, judging by its header."""
    plain = re.sub(r'"[^"]*"', "", header)
    return next((mark for mark in ",;\t" if mark in plain), ",")


def _drop_empty(rows: list[list[Datum]]) -> None:
    """Remove columns at the end that have neither a name nor a cell, and empty cells at the end
    that belong to no column.
    """
    width = len(rows[0])
    for row in rows:
        while len(row) > width and row[-1].value is None:
            del row[-1]
    while width > 1 and all(row[width - 1].value is None for row in rows if len(row) >= width):
        width -= 1
        for row in rows:
            del row[width:]


def _row(line: str, mark: str, number: int, path: str, sink: Sink) -> list[Datum] | None:
    """Return the cells of a line, or None after a diagnostic."""
    cells: list[Datum] = []
    at = 0
    while True:
        blanks = _BLANKS[mark].match(line, at)
        begin = blanks.end() if blanks else at
        if line.startswith('"', begin):
            end = begin + 1
            while (end := line.find('"', end)) >= 0 and line.startswith('""', end):
                end += 2
            if end < 0:
                sink.error(
                    "RK131",
                    Span(path, number, begin + 1, number, len(line) + 1),
                    "the quotes of this cell are not closed",
                    "close them on the same line; a quote inside a quoted cell is written twice",
                )
                return None
            value: str | int | None = line[begin + 1 : end].replace('""', '"')
            after = line.find(mark, end)
            rest = line[end + 1 : after if after >= 0 else len(line)]
            if rest.strip():
                where = end + 1 + len(rest) - len(rest.lstrip())
                sink.error(
                    "RK131",
                    Span(path, number, where + 1, number, where + 1 + len(rest.strip())),
                    "there is text after the closing quotes of a cell",
                    f"put a {_shown(mark)} between two cells, or quote the whole cell",
                )
                return None
            stop = end + 1
        else:
            after = line.find(mark, at)
            raw = line[at : after if after >= 0 else len(line)]
            begin, stop = at + len(raw) - len(raw.lstrip()), at + len(raw.rstrip())
            if stop < begin:
                begin = stop = at
            value = _plain(bare(raw))
            if '"' in raw:
                sink.error(
                    "RK131",
                    Span(path, number, at + raw.index('"') + 1, number, at + raw.index('"') + 2),
                    "quotes begin in the middle of a cell",
                    "put the whole cell in quotes, with '\"\"' for each quote inside",
                )
                return None
        cells.append(Datum(value, Span(path, number, begin + 1, number, stop + 1)))
        if after < 0:
            return cells
        at = after + 1


def _shown(mark: str) -> str:
    return "tab" if mark == "\t" else f"'{mark}'"


def _plain(cell: str) -> str | int | None:
    """Return the value of a cell without quotes: a whole number, None or a text."""
    if not cell:
        return None
    return int(cell.replace("\u2212", "-")) if _NUMBER.match(cell) else cell


def _header(header: list[Datum], sink: Sink) -> bool:
    seen: dict[str, Datum] = {}
    faults = 0
    for cell in header:
        if faults == MAX_FINDINGS:
            break
        name = str(cell.value) if cell.value is not None else ""
        if not name:
            sink.error(
                "RK132", cell.span, "a column has no name", "name every column in the first row"
            )
            faults += 1
        elif name in seen:
            sink.error(
                "RK132",
                cell.span,
                f"two columns are named '{name}'",
                "rename one of them",
                second=seen[name].span,
                second_label="the first one",
            )
            faults += 1
        seen[name] = cell
    return not faults


def _width(row: list[Datum], header: list[Datum], mark: str, sink: Sink) -> bool:
    have, want = len(row), len(header)
    if have == want:
        return True
    span = row[want].span.to(row[-1].span) if have > want else row[0].span.to(row[-1].span)
    sink.error(
        "RK130",
        span,
        f"this row has {_cells(have)}, the header {want}",
        (
            f"the header has {_shown(mark)} between its cells, this row {_shown(other)}: write"
            f" {_shown(mark)}"
            if (other := _other_mark(row, want, mark))
            else (
                f"remove a cell, or put a text that holds a {_shown(mark)} in quotes"
                if have > want
                else (
                    "write one cell for each column; a cell may be empty between two"
                    f" {_shown(mark)}"
                )
            )
        ),
        second=header[0].span.to(header[-1].span),
        second_label=f"the header has {_cells(want)}",
    )
    return False


def _other_mark(row: list[Datum], want: int, mark: str) -> str:
    """Return the separator that a row uses instead of that of the header, or "" if it does not use
    another.
    """
    texts = [
        str(cell.value)
        for cell in row
        if cell.span.end_column - cell.span.column == len(str(cell.value))
    ]  # those without quotes
    return next(
        (
            other
            for other in ",;\t"
            if other != mark and len(row) + sum(each.count(other) for each in texts) == want
        ),
        "",
    )


def _cells(count: int) -> str:
    return f"{count} cell" if count == 1 else f"{count} cells"
