"""Fills a table from its rows. Gaps and overlaps are errors.

Each is reported at the cells of one key: of two rows that overlap, the key by which they differ,
and of a gap, the key along which it is shortest.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

from attrs import define

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m

_MAX_SHOWN_GAPS = 3  # gaps of a table that a message names
Domain = list[int]  # the places of a key's values: ordinals, or numbers less the lowest


@define
class RatioKey:
    """A ratio in a row, before its column is known."""

    num: int
    den: int


@define
class TableEntry:
    """One row, or one cell of a spread table: for each parameter the values that it covers (or a
    ratio), and its results.

    Attributes:
        places: the cell of each key, which may lie in the header.
    """

    keys: list[Domain | RatioKey]
    values: list[int]
    span: Span
    places: list[Span]


def fill(table: m.Table, entries: list[TableEntry] | None, begin: Span, sink: Sink) -> None:
    sizes = [len(table.ratios) if key is None else key.size for key in table.keys]
    total = 1
    for size in sizes:
        total *= size
    columns = {Fraction(*ratio): at for at, ratio in enumerate(table.ratios)}
    table.data = [[0] * total for _ in table.outputs]
    rows: list[TableEntry | None] = [None] * total
    # by the cells of two rows or columns that overlap: the keys for which they do
    doubled: dict[tuple[Span, Span], list[str]] = {}
    for entry in entries or ():
        domains = [
            [columns[Fraction(k.num, k.den)]] if isinstance(k, RatioKey) else k for k in entry.keys
        ]
        table.rows.append((domains, entry.span))
        for places in product(*domains):
            at = 0
            for size, place in zip(sizes, places, strict=True):
                at = at * size + place
            before = rows[at]
            if before is not None:
                as_written = [
                    f"{k.num} to {k.den}"
                    for k in entry.keys
                    if isinstance(k, RatioKey) and (k.num, k.den) not in table.ratios
                ]
                shown = _words(table, at, sizes) + "".join(
                    f", which is {ratio}" for ratio in as_written
                )
                doubled.setdefault(_apart(entry, before), []).append(shown)
                break
            rows[at] = entry
            for column, value in zip(table.data, entry.values, strict=True):
                column[at] = value
    for (span, first), keys in doubled.items():
        more = f" and {len(keys) - 1} more" if len(keys) > 1 else ""
        sink.error(
            "RK653",
            span,
            f"the table '{table.name}' has two results for {keys[0]}{more}",
            f"remove one of the two {'columns' if span.line == begin.line else 'rows'}, or narrow"
            " its key",
            second=first,
            second_label="the first is here",
        )
    sound = entries is not None and not doubled  # else a gap may follow from that
    gaps = [i for i, row in enumerate(rows) if row is None] if sound else []
    if gaps:
        _tell_gaps(table, gaps, rows, sizes, begin, sink)


def _tell_gaps(
    table: m.Table,
    gaps: list[int],
    rows: list[TableEntry | None],
    sizes: list[int],
    begin: Span,
    sink: Sink,
) -> None:
    """Report the places of a table without a result.

    Args:
        rows: the entry of each place.
    """
    lacking = _without_any(table, gaps, sizes)
    if lacking:
        lines = [row.span.line for row in rows if row is not None]
        spread = len(set(lines)) < len(lines) and lacking[0] is table.params[-1]
        sink.error(
            "RK654",
            begin,
            f"the table '{table.name}' has no {'column' if spread else 'row'} for"
            f" {lacking[0].name} {' and '.join(lacking[1])}",
            (
                "write its name in the first row, and its result in each row below"
                if spread
                else "write its name in a row of its own, with the results"
            ),
        )
        return
    shown = "; ".join(_words(table, i, sizes) for i in gaps[:_MAX_SHOWN_GAPS]) + (
        f"; and {len(gaps) - _MAX_SHOWN_GAPS} more" if len(gaps) > _MAX_SHOWN_GAPS else ""
    )
    before, after = _around(table, gaps[0], rows, sizes)
    sink.error(
        "RK654",
        before or after or begin,
        f"the table '{table.name}' has no result for {shown}",
        "add a row for it; '<=' and '>=' cover the ends of a range",
        label=(
            "the gap begins after this" if before else "the gap ends before this" if after else ""
        ),
        second=after if before else None,
        second_label="and ends before this" if before and after else "",
    )


def _apart(entry: TableEntry, before: TableEntry) -> tuple[Span, Span]:
    """Return the cells of the key by which two entries with a common key differ."""
    pairs = [*zip(entry.places, before.places, strict=True)]
    other = [at for at, (here, there) in enumerate(pairs) if here != there]
    unlike = [at for at in other if entry.keys[at] != before.keys[at]]
    return pairs[(unlike or other or [0])[0]]


def _around(
    table: m.Table, gap: int, rows: list[TableEntry | None], sizes: list[int]
) -> tuple[Span | None, Span | None]:
    """Return the cells of a key directly before and after a gap, in rows that agree in all other
    keys. Numbers come before ratios and members, and a short gap before a long one.
    """
    ways: list[tuple[tuple[int, int, int], Span | None, Span | None]] = []
    step = 1
    for at in range(len(sizes) - 1, -1, -1):
        key, size, place = table.keys[at], sizes[at], gap // step % sizes[at]
        line = [rows[gap + (other - place) * step] for other in range(size)]
        step *= size
        low = next((i for i in range(place, -1, -1) if line[i] is not None), -1)
        high = next((i for i in range(place, size) if line[i] is not None), size)
        before, after = (line[i] if 0 <= i < size else None for i in (low, high))
        if before is not None or after is not None:
            sort = 1 if key is None else 0 if key.kind is None else 2
            first, last = (
                each.places[at] if each is not None else None for each in (before, after)
            )
            ways.append(((sort, high - low, at), first, last))
    return min(ways, key=lambda way: way[0])[1:] if ways else (None, None)


def _without_any(
    table: m.Table, gaps: list[int], sizes: list[int]
) -> tuple[m.Var, list[str]] | None:
    """Return the members of one parameter for which a table has no result at all, if that accounts
    for all of its gaps. A single gap is none of these.
    """
    step = 1
    for param, key, size in reversed(list(zip(table.params, table.keys, sizes, strict=True))):
        apiece = len(table.data[0]) // size
        counts = Counter(gap // step % size for gap in gaps)
        step *= size
        if key is not None and key.kind is not None and apiece > 1:
            whole = [place for place in range(size) if counts[place] == apiece]
            if whole and len(whole) < size and len(whole) * apiece == len(gaps):
                return param, [key.kind.members[place] for place in whole]
    return None


def _words(table: m.Table, at: int, sizes: list[int]) -> str:
    """Return the keys of a place in a table, in words."""
    parts: list[str] = []
    for param, key, size in reversed(list(zip(table.params, table.keys, sizes, strict=True))):
        at, place = divmod(at, size)
        if key is None:
            shown = "{} to {}".format(*table.ratios[place])
        else:
            shown = key.kind.members[place] if key.kind is not None else str(key.low + place)
        parts.append(f"{param.name} {shown}")
    return ", ".join(reversed(parts))
