"""Warn of rows and results of tables that nothing looks up."""

from __future__ import annotations

from itertools import product

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.value_enumeration import Ranges
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.semantics.values import ratio_column
from rulekit.compiler.syntax import ast as t

MOST_RATIOS = 2500  # maximal number of pairs that are all tried, beyond it only the ends


def rows(world: CheckState, uses: ReachableUses) -> None:
    """Warn of unused rows and results in each table of the game itself."""
    calls: dict[m.Table, list[m.CallTable]] = {}
    for node in uses.nodes:
        if isinstance(node, m.CallTable):
            calls.setdefault(node.table, []).append(node)
    ranges = Ranges()
    ranges.add(world.model, uses)
    fields = {
        node.record.type.fields[node.index][0]
        for node in uses.nodes
        if isinstance(node, m.FieldOf) and isinstance(node.record.type, m.Record)
    }
    for table, found in calls.items():
        if uses.is_own(table):
            _results(table, found, fields, world)
            _rows(table, found, ranges, world)


def _results(table: m.Table, calls: list[m.CallTable], fields: set[str], world: CheckState) -> None:
    """Warn of results that nothing reads."""
    single = {call.output for call in calls}
    decl = world.symbols[table.name].decl
    for at, (name, _) in enumerate(table.outputs):
        if (
            len(table.outputs) > 1
            and name not in fields
            and at not in single
            and isinstance(decl, t.TableDecl)
        ):
            world.sink.warn(
                "RK712",
                decl.outputs[at][1].span,
                f"the result '{name}' of the table '{table.name}' is never read",
                "read it where the table is looked up, or remove the column",
            )


def _rows(table: m.Table, calls: list[m.CallTable], ranges: Ranges, world: CheckState) -> None:
    """Warn of rows with a key that no call can have."""
    for at, key in enumerate(table.keys):
        possible: set[int] | None = set()
        for call in calls:
            places = (
                _columns(call.args[at], table, ranges)
                if key is None
                else _places(call.args[at], key, table.clamps[at], ranges)
            )
            possible = None if possible is None or places is None else possible | places
        if possible is None:
            continue
        reported: set[tuple[int, ...]] = set()
        for domains, span in table.rows:
            domain = tuple(domains[at])
            if not possible & set(domain) and domain not in reported:
                reported.add(domain)
                shown = (
                    ", ".join("{} to {}".format(*table.ratios[place]) for place in domain)
                    if key is None
                    else _shown(domain, key)
                )
                asked = f"{shown} for '{table.params[at].name}' in the table '{table.name}'"
                world.sink.warn(
                    "RK712",
                    span,
                    f"{asked} is never looked up",
                    "narrow the range of the parameter, or correct the value that is looked up",
                    second=table.span,
                    second_label="the table",
                )


def _columns(e: m.Expr, table: m.Table, ranges: Ranges) -> set[int] | None:
    """Return the columns of a ratio that an argument can reach, or None for any column."""
    num, den = (ranges.of(e.num), ranges.of(e.den)) if isinstance(e, m.RatioOf) else (None, None)
    if num is None or den is None:
        return None
    if (num[1] - num[0] + 1) * (den[1] - den[0] + 1) <= MOST_RATIOS:
        pairs = product(range(num[0], num[1] + 1), range(den[0], den[1] + 1))
        return {ratio_column(table.ratios, table.rounding, *pair) for pair in pairs}
    least, most = (
        ratio_column(table.ratios, table.rounding, *pair)
        for pair in ((num[0], den[1]), (num[1], den[0]))
    )
    return set(range(least, most + 1))


def _places(e: m.Expr, key: m.Key, clamped: bool, ranges: Ranges) -> set[int] | None:
    """Return the places of a key that an argument can have, or None for any place."""
    if key.kind is not None:
        if isinstance(e, m.Const):
            return {e.value}
        if isinstance(e, m.ReadFixed) and not e.fixed.late and e.fixed.values:
            return set(e.fixed.values)
        if isinstance(e, m.If):
            then, other = (_places(side, key, clamped, ranges) for side in (e.then, e.other))
            return then | other if then is not None and other is not None else None
        if isinstance(e, m.CallTable) and e.output is not None:
            return set(e.table.data[e.output])
        values = ranges.values.get(e.cell) if isinstance(e, m.ReadCell) else None
        return set(values) if values is not None else None
    ends = ranges.of(e)
    if ends is None:
        return None
    low, high = (min(max(end, key.low), key.high) if clamped else end for end in ends)
    return set(range(low - key.low, high - key.low + 1))


def _shown(domain: tuple[int, ...], key: m.Key) -> str:
    """Return the keys of a row as they are written."""
    if key.kind is not None:
        return ", ".join(key.kind.members[place] for place in domain)
    low, high = domain[0] + key.low, domain[-1] + key.low
    return str(low) if low == high else f"{low}..{high}"
