"""Builds a dense `Table` from the rows of its declaration, inline or from CSV. Gaps and overlaps
are errors.

There are three forms of inline rows:

- Vertical: each row has its keys and then its results.
- Horizontal, for a table with one parameter: a row of keys, and then one row for each result. A
  ratio table may omit the results, which are then the members of the result's kind in order.
- Spread, for a table with several parameters and one result: the first row is the name of the first
  parameter and then the values of the last one. Each other row is the leading keys and then a
  result for each of those values.

A CSV file has a column for each parameter and each result, or is spread as above. In a spread file
a cell holds the results joined by `/` or by spaces. Members are written by id or by label, keys of
numbers as `3`, `3-4`, `-1..8`, `<=2`, `>=8`, and ratios as `3 to 2`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from attrs import define

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.check.data.table_entries import Domain, RatioKey, TableEntry, fill
from rulekit.compiler.check.data.values import convert, member, member_ordinal, number_range
from rulekit.compiler.source.game_source import CsvTable, Datum
from rulekit.compiler.syntax import ast as t

EvalConst = Callable[[t.ExprSyntax, m.Type], "int | None"]
_DATE = re.compile(
    r"\d{1,4}[-./ :]\s?(?:\d{1,2}|[^\W\d]{3,9}\.?)(?:[-./ :]\d{1,4})?|[^\W\d]{3,9}\.?[-./ ]\d{1,4}"
)
_RATIO = re.compile(r"(\d{1,6})\s*(?:to|:|/|-)\s*(\d{1,6})")


def bind_table(
    decl: t.TableDecl,
    params: list[m.Var],
    keys: list[m.Key | None],
    clamps: list[bool],
    outputs: list[tuple[str, m.Type]],
    csv: CsvTable | None,
    sink: Sink,
    evalconst: EvalConst,
) -> m.Table:
    """Return the table.

    Args:
        keys: the domain of each parameter, None for a ratio.
        evalconst: returns the value of a cell in the rules, or None after reporting the reason.
    """
    reader = _Reader(decl, params, keys, outputs, sink, evalconst)
    if csv is not None:
        entries = reader.from_csv(csv)
    elif decl.source is not None:
        sink.error(
            "RK650",
            decl.span,
            f"there is no file '{decl.source}' for the table '{decl.name}'",
            "put it into the folder of the game",
        )
        entries = None
    else:
        entries = reader.from_rows()
    used: dict[Fraction, tuple[int, int]] = {}  # by its size: as it is first written
    for key in (k for entry in entries or () for k in entry.keys if isinstance(k, RatioKey)):
        used.setdefault(Fraction(key.num, key.den), (key.num, key.den))
    ratios = [used[size] for size in sorted(used)]
    table = m.Table(
        decl.name,
        params,
        keys,
        clamps,
        outputs,
        [],
        ratios,
        decl.rounding or "down",
        ref=decl.ref,
        span=decl.span,
    )
    fill(table, entries, csv.header[0].span if csv is not None else decl.span, sink)
    return table


def _dated(text: str) -> str:
    """Return a help text if a key is a date or a time, otherwise ''."""
    return (
        (
            "a spreadsheet has turned it into a date: format the column as text and write the key"
            " again"
        )
        if _DATE.fullmatch(text)
        else ""
    )


@define(eq=False)
class _Reader:
    """Reads rows into entries.

    Each method returns None after an error that makes the rest of the row (or table) meaningless.
    """

    decl: t.TableDecl
    params: list[m.Var]
    keys: list[m.Key | None]
    outputs: list[tuple[str, m.Type]]
    sink: Sink
    evalconst: EvalConst
    dashed: bool = False  # a key written `1-2` was reported

    def error(self, code: str, span: Span, message: str, help: str = "") -> None:
        self.sink.error(code, span, f"{message} (table '{self.decl.name}')", help)

    # -------------------------------------------------------------------------------- inline rows
    def from_rows(self) -> list[TableEntry] | None:
        rows = self.decl.rows
        if not rows:
            self.error(
                "RK650",
                self.decl.span,
                "a table without rows",
                'write rows below it, or: from "tables/name.csv"',
            )
            return None
        first = rows[0][0]
        if len(self.params) > 1 and isinstance(first, t.Name) and first.id == self.params[0].name:
            return self._spread_rows(rows)
        if len(self.params) == 1 and self._is_horizontal(rows):
            return self._horizontal_rows(rows)
        return self._all([self._vertical_row(row) for row in rows])

    def _is_horizontal(self, rows: tuple[tuple[t.ExprSyntax, ...], ...]) -> bool:
        width = 1 + len(self.outputs)
        if self.keys[0] is None and len(rows) == 1:
            return True
        if len(rows) != width:
            return False
        return len(rows[0]) != width or all(type(cell) is type(rows[0][0]) for cell in rows[0])

    def _horizontal_rows(
        self, rows: tuple[tuple[t.ExprSyntax, ...], ...]
    ) -> list[TableEntry] | None:
        count = len(rows[0])
        if any(len(row) != count for row in rows):
            short = next(row for row in rows if len(row) != count)
            self.error(
                "RK651",
                short[0].span,
                f"this row has {len(short)} cells, the row of keys has {count}",
                "write one result under each key",
            )
            return None
        keys = [self._key(0, cell) for cell in rows[0]]
        if len(rows) == 1:
            columns = self._ordered_results(rows[0])
            self._in_order(keys, rows[0])
        else:
            columns = [
                [self.evalconst(row[i], type) for i in range(count)]
                for row, (_, type) in zip(rows[1:], self.outputs, strict=True)
            ]
        if columns is None:
            return None
        return self._all(
            [
                self._entry([key], [column[i] for column in columns], [rows[0][i].span])
                for i, key in enumerate(keys)
            ]
        )

    def _in_order(
        self, keys: list[Domain | RatioKey | None], row: tuple[t.ExprSyntax, ...]
    ) -> None:
        """Warn of a ratio out of order in a row whose results follow the order of the members."""
        sizes = [
            Fraction(key.num, key.den) if isinstance(key, RatioKey) else Fraction(0) for key in keys
        ]
        if Fraction(0) in sizes or len(set(sizes)) < len(sizes):
            return  # reported elsewhere
        turns = [
            at
            for at in range(2, len(sizes))
            if (sizes[at] > sizes[at - 1]) != (sizes[1] > sizes[0])
        ]
        if turns:
            said = "its column is found by its size, but its result by its position in the row"
            self.sink.warn(
                "RK656",
                row[turns[0]].span,
                f"these ratios are not in order (table '{self.decl.name}'): {said}",
                "put the ratios in order, or write the results in a second row",
            )

    def _ordered_results(self, row: tuple[t.ExprSyntax, ...]) -> list[list[int | None]] | None:
        type = self.outputs[0][1]
        if len(self.outputs) != 1 or not isinstance(type, m.MemberOf):
            self.error(
                "RK651",
                row[0].span,
                "a row of ratios without results",
                "write the results in a second row",
            )
            return None
        if type.kind.size != len(row):
            self.error(
                "RK651",
                row[0].span,
                f"there are {len(row)} ratios, but {type.kind.name} has {type.kind.size} members",
                f"write a ratio for each of {', '.join(type.kind.members)}, or the results in a"
                " second row",
            )
            return None
        return [list(range(len(row)))]

    def _spread_rows(self, rows: tuple[tuple[t.ExprSyntax, ...], ...]) -> list[TableEntry] | None:
        lead = len(self.params) - 1
        if len(self.outputs) != 1:
            self.error(
                "RK651",
                rows[0][0].span,
                "a table with several results cannot use its header as a key",
                "write a row for each key",
            )
            return None
        heads = [self._key(lead, cell) for cell in rows[0][lead:]]
        entries: list[TableEntry | None] = []
        for row in rows[1:]:
            if len(row) != len(rows[0]):
                self.error(
                    "RK651",
                    row[0].span,
                    f"this row has {len(row)} cells, the first row has {len(rows[0])}",
                    "write one cell for each column",
                )
                return None
            front = [self._key(i, cell) for i, cell in enumerate(row[:lead])]
            for head, top, cell in zip(heads, rows[0][lead:], row[lead:], strict=True):
                places = [*(each.span for each in row[:lead]), top.span]
                result = self.evalconst(cell, self.outputs[0][1])
                entries.append(self._entry([*front, head], [result], places, cell.span))
        return self._all(entries)

    def _vertical_row(self, row: tuple[t.ExprSyntax, ...]) -> TableEntry | None:
        count, width = len(self.params), len(self.params) + len(self.outputs)
        if len(row) != width:
            self.error(
                "RK651",
                row[0].span,
                f"this row has {len(row)} cells, it needs {width}",
                f"write {_names([v.name for v in self.params])}, then "
                f"{_names([name for name, _ in self.outputs])}",
            )
            return None
        keys = [self._key(i, cell) for i, cell in enumerate(row[:count])]
        values = [
            self.evalconst(cell, type)
            for cell, (_, type) in zip(row[count:], self.outputs, strict=True)
        ]
        return self._entry(keys, values, [cell.span for cell in row[: len(keys)]])

    def _key(self, index: int, cell: t.ExprSyntax) -> Domain | RatioKey | None:
        key = self.keys[index]
        if key is None:
            if not isinstance(cell, t.RatioSyntax):
                self.error("RK652", cell.span, "expected a ratio", "write it as `3 to 2`")
                return None
            num, den = (self.evalconst(part, m.Int()) for part in (cell.num, cell.den))
            return None if num is None or den is None else self._ratio(num, den, cell.span)
        if key.kind is not None:
            ordinal = self.evalconst(cell, m.MemberOf(key.kind))
            return None if ordinal is None else [ordinal]
        ends = (
            (_number(cell.left), _number(cell.right))
            if isinstance(cell, t.Binary) and cell.op == "-"
            else (None, None)
        )
        if ends[0] is not None and ends[1] is not None:
            if not self.dashed:
                self.error(
                    "RK652",
                    cell.span,
                    "'-' means subtraction in the rules, but a range of keys belongs here",
                    f"write {ends[0]}..{ends[1]}",
                )
            self.dashed = True
            return None
        parts = (cell.low, cell.high) if isinstance(cell, t.Range) else (cell, cell)
        type = self.params[index].type
        wide = (
            m.Int(type.unit) if isinstance(type, m.Int) else type
        )  # values outside the range are reported below
        low, high = (self.evalconst(part, wide) for part in parts)
        return None if low is None or high is None else self._numbers(key, low, high, cell.span)

    # -------------------------------------------------------------------------------- CSV
    def from_csv(self, csv: CsvTable) -> list[TableEntry] | None:
        count = len(self.params)
        names = [_text(cell) for cell in csv.header]
        if len(names) >= count and names[count - 1] == self.params[-1].name:
            return self._csv_columns(csv)
        if self._in_another_order(csv, names):
            return None
        lead = count - 1
        wrong = next(
            (i for i in range(min(lead, len(names))) if names[i] != self.params[i].name), None
        )
        if wrong is not None or len(names) <= lead:
            cell = csv.header[wrong if wrong is not None else -1]
            wanted = [v.name for v in self.params]
            self.error(
                "RK651",
                cell.span,
                f"column '{_text(cell)}' should be '{wanted[min(wrong or 0, lead)]}'",
                f"the first columns are the parameters: {_names(wanted)}; the last one may be"
                " spread over the header",
            )
            return None
        heads = [self._csv_key(lead, cell) for cell in csv.header[lead:]]
        entries: list[TableEntry | None] = []
        for row in csv.rows:
            front = [self._csv_key(i, cell) for i, cell in enumerate(row[:lead])]
            for head, top, cell in zip(heads, csv.header[lead:], row[lead:], strict=True):
                places = [*(each.span for each in row[:lead]), top.span]
                entries.append(self._entry([*front, head], self._joined(cell), places, cell.span))
        return self._all(entries)

    def _in_another_order(self, csv: CsvTable, names: list[str]) -> bool:
        """Return True, after reporting it, if the header has all columns but in another order than
        the rules.
        """
        wanted = [v.name for v in self.params] + [name for name, _ in self.outputs]
        if (
            self.params[-1].name not in names
            or len(names) != len(wanted)
            or not set(filter(None, wanted)) <= set(names)
        ):
            return False
        self.error(
            "RK651",
            csv.header[0].span,
            "the columns are not in the order of the rules",
            f"the columns are {_names(wanted)}",
        )
        return True

    def _csv_columns(self, csv: CsvTable) -> list[TableEntry] | None:
        names = [_text(cell) for cell in csv.header]
        wanted = [v.name for v in self.params] + [name for name, _ in self.outputs]
        if len(names) != len(wanted):
            self.error(
                "RK651",
                csv.header[-1].span,
                f"{len(names)} columns, expected {len(wanted)}",
                f"the columns are {_names(wanted)}",
            )
            return None
        for cell, have, want in zip(csv.header, names, wanted, strict=True):
            if want and have != want:
                self.error(
                    "RK651",
                    cell.span,
                    f"column '{have}' should be '{want}'",
                    f"the columns are {_names(wanted)}",
                )
                return None
        count = len(self.params)
        entries = []
        for row in csv.rows:
            keys = [self._csv_key(i, cell) for i, cell in enumerate(row[:count])]
            values = [
                self._result(cell, _text(cell), type)
                for cell, (_, type) in zip(row[count:], self.outputs, strict=True)
            ]
            entries.append(self._entry(keys, values, [cell.span for cell in row[:count]]))
        return self._all(entries)

    def _csv_key(self, index: int, cell: Datum) -> Domain | RatioKey | None:
        key, text = self.keys[index], _text(cell)
        if key is None:
            ratio = _RATIO.fullmatch(text)
            if ratio is None:
                self.error(
                    "RK652",
                    cell.span,
                    f"'{text}' is not a ratio",
                    _dated(text) or "write it as `3 to 2`",
                )
                return None
            return self._ratio(int(ratio[1]), int(ratio[2]), cell.span)
        if key.kind is not None:
            ordinal = self._member(key.kind, text, cell)
            return None if ordinal is None else [ordinal]
        ends = number_range(text, key.low, key.high)
        if ends is None:
            self.error(
                "RK652",
                cell.span,
                f"'{text}' is not a number for '{self.params[index].name}'",
                _dated(text) or "write 3, 3-4, -1..8, <=2 or >=8",
            )
            return None
        return self._numbers(key, *ends, cell.span)

    def _joined(self, cell: Datum) -> list[int | None]:
        """Return the results in one cell of a spread table."""
        text = _text(cell)
        texts = [text] if len(self.outputs) == 1 else [part.strip() for part in text.split("/")]
        if len(texts) != len(self.outputs):
            texts = text.split()
        if len(texts) != len(self.outputs):
            self.error(
                "RK655",
                cell.span,
                f"'{text}' holds {len(texts)} of the {len(self.outputs)} results",
                f"join them with '/': {'/'.join(name or 'result' for name, _ in self.outputs)}",
            )
            return [None]
        return [
            self._result(cell, part, type)
            for part, (_, type) in zip(texts, self.outputs, strict=True)
        ]

    def _result(self, cell: Datum, text: str, type: m.Type) -> int | None:
        if isinstance(type, m.MemberOf):
            return (
                -1
                if type.optional and text in ("", "none", "-")
                else self._member(type.kind, text, cell)
            )
        if isinstance(type, m.SetOf):
            found = [
                self._member(type.kind, part, cell)
                for part in text.replace("+", " ").split()
                if part != "none"
            ]
            return (
                None if None in found else sum(1 << i for i in {i for i in found if i is not None})
            )
        value: str | int | bool = text
        if isinstance(type, m.Bool) and text in ("true", "false", "yes", "no", "1", "0"):
            value = text in ("true", "yes", "1")
        elif (
            isinstance(type, m.Int)
            and (ends := number_range(text, 0, 0)) is not None
            and ends[0] == ends[1]
        ):
            value = ends[0]
        return convert(Datum(value, cell.span), type, self.sink, f"table '{self.decl.name}'")

    def _member(self, kind: m.Kind, text: str, cell: Datum) -> int | None:
        if member_ordinal(kind, text) is None:
            labelled = [i for i, name in enumerate(kind.members) if kind.labels.get(name) == text]
            if len(labelled) == 1:
                return labelled[0]
        return member(kind, text, cell.span, self.sink, f"table '{self.decl.name}'")

    # -------------------------------------------------------------------------------- both
    def _ratio(self, num: int, den: int, span: Span) -> RatioKey | None:
        if num <= 0 or den <= 0:
            self.error(
                "RK652",
                span,
                "a ratio needs two numbers above 0",
                "'x to 0' is always the last column and '0 to x' the first",
            )
            return None
        return RatioKey(num, den)

    def _numbers(self, key: m.Key, low: int, high: int, span: Span) -> Domain | None:
        if low > high:
            dash = "-" if span.file.endswith(".csv") and low >= 0 and high >= 0 else ".."
            self.error(
                "RK652",
                span,
                f"this range is written backwards: {low} is more than {high}",
                f"write {high}{dash}{low}",
            )
            return None
        if not key.low <= low <= high <= key.high:
            shown = str(low) if low == high else f"{low}..{high}"
            self.error(
                "RK652",
                span,
                f"{shown} is outside {key.low} .. {key.high}",
                "change the row or the range of the parameter",
            )
            return None
        return list(range(low - key.low, high - key.low + 1))

    def _entry(
        self,
        keys: list[Domain | RatioKey | None],
        values: list[int | None],
        places: list[Span],
        span: Span | None = None,
    ) -> TableEntry | None:
        known_keys = [key for key in keys if key is not None]
        known = [value for value in values if value is not None]
        return (
            TableEntry(known_keys, known, span or places[0], places)
            if len(known_keys) == len(keys) and len(known) == len(values)
            else None
        )

    def _all(self, entries: list[TableEntry | None]) -> list[TableEntry] | None:
        """Return the entries, or None if one of them could not be read. In that case gaps are not
        reported.
        """
        return None if None in entries else [entry for entry in entries if entry is not None]


def _number(node: t.ExprSyntax) -> int | None:
    """Return the value of a number as written, with an optional sign, or None."""
    if isinstance(node, t.Unary) and node.op == "-" and isinstance(node.operand, t.NumberSyntax):
        return -node.operand.value
    return node.value if isinstance(node, t.NumberSyntax) else None


def _text(cell: Datum) -> str:
    return "" if cell.value is None else str(cell.value)


def _names(names: list[str]) -> str:
    return ", ".join(name or "the result" for name in names)
