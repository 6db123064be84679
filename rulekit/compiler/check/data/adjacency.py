"""Arcs of kinds of borders, and the synthetic constants of graphs and grids: neighbours, distances,
lines, shifts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_

from rulekit.common.diagnostics.diagnostic import Sink, guess
from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler import model as m
from rulekit.compiler.check.data.values import member as find_member
from rulekit.compiler.check.data.values import member_ordinal
from rulekit.compiler.semantics.values import bits, layers
from rulekit.compiler.source.game_source import ENDS_OF_BORDER, Datum, GameSource, MemberData
from rulekit.compiler.source.hex_geometry import letters


# ------------------------------------------------------------------------------------------------ b
def bind_borders(border: m.Kind, source: GameSource, sink: Sink) -> None:
    """Fill the arcs of a kind of borders from `between: [a, b]`. With `one_way: true` there is only
    the arc from a to b.
    """
    place = border.joins
    if place is None:
        return
    border.arcs = []
    ordinals = {name: i for i, name in enumerate(border.members)}
    joined: dict[frozenset[int], tuple[MemberData, Span]] = {}
    for member in (
        one for data in source.kinds if data.kind == border.name for one in data.members
    ):
        between = member.values.get("between")
        ends = _ends(member, between, place, sink)
        if ends is None or between is None:
            continue
        name = member.id or "-".join(place.members[i] for i in ends)
        if name not in ordinals:
            continue
        one_way = _one_way(member, source)
        pair = frozenset(ends)
        plain = {"-".join(place.members[i] for i in order) for order in (ends, ends[::-1])}
        first = joined.get(pair)
        if (
            first is not None
            and first[0].id in plain
            and name in plain
            and not one_way
            and not _one_way(first[0], source)
        ):
            sink.error(
                "RK641",
                between.span,
                f"{place.members[ends[0]]} and {place.members[ends[1]]} are joined twice",
                "remove one of the two borders; if the map really has two, give one of them an"
                " `id`",
                second=first[1],
                second_label="joined here already",
            )
        joined.setdefault(pair, (member, between.span))
        border.arcs.append((ordinals[name], ends[0], ends[1]))
        if not one_way:
            border.arcs.append((ordinals[name], ends[1], ends[0]))
    border.arcs.sort(key=lambda arc: arc[0])


def _ends(
    member: MemberData, between: Datum | None, place: m.Kind, sink: Sink
) -> tuple[int, int] | None:
    items = between.value if between is not None else None
    if between is None or not isinstance(items, list) or len(items) != ENDS_OF_BORDER:
        sink.error(
            "RK640",
            between.span if between is not None else member.span,
            f"a border joins exactly two places ('{member.id}')",
            f"write between: [{place.name}, {place.name}]",
        )
        return None
    found = [
        find_member(place, str(item.value), item.span, sink, "an end of a border") for item in items
    ]
    if found[0] is None or found[1] is None:
        return None
    if found[0] == found[1]:
        sink.error(
            "RK640",
            between.span,
            f"a border joins two places, not {place.members[found[0]]} with itself",
            "name two different places",
        )
        return None
    return found[0], found[1]


def _one_way(member: MemberData, source: GameSource) -> bool:
    datum = member.values.get("one_way")
    if datum is not None:
        return datum.value is True
    facts = source.geometry.get(member.id)
    return isinstance(facts, dict) and facts.get("one_way") is True


def check_border_places(border: m.Kind, source: GameSource, sink: Sink) -> None:
    """Warn of a border with an attribute that names a place which it does not join, such as a wall
    toward a third place.
    """
    place = border.joins
    joined: dict[int, set[int]] = {}
    for b, a, z in border.arcs:
        joined.setdefault(b, set()).update((a, z))
    ordinals = {name: i for i, name in enumerate(border.members)}
    for member in (
        one for data in source.kinds if data.kind == border.name for one in data.members
    ):
        ends = joined.get(ordinals.get(member.id, -1))
        for name, datum in member.values.items():
            fixed = border.fixed.get(name)
            if (
                place is None
                or not ends
                or fixed is None
                or not isinstance(fixed.type, m.MemberOf)
                or fixed.type.kind is not place
            ):
                continue
            found = member_ordinal(place, str(datum.value))
            if isinstance(found, int) and found not in ends:
                names = [place.members[i] for i in sorted(ends)]
                sink.warn(
                    "RK642",
                    datum.span,
                    f"'{name}' of the border {member.id} must be one of its two places, not"
                    f" {place.members[found]}",
                    guess(place.members[found], names)
                    or f"the places that it joins are {' and '.join(names)}",
                )


def arcs(border: m.Kind, source: GameSource | None = None) -> list[tuple[int, int, int]]:
    """Return (border, from, to) of a kind of borders, in data order, with an arc for each allowed
    direction.

    With `source`, missing arcs are read from it without reporting errors.
    """
    if source is not None and not border.arcs:
        bind_borders(border, source, Sink())
    return list(border.arcs)


def _fixed(name: str, keys: list[m.Key], type: m.Type, values: list[int], owner: m.Kind) -> m.Fixed:
    return m.Fixed(name, keys, type, values, synthetic=True, owner=owner, span=owner.span)


def ends(border: m.Kind) -> m.Fixed:
    """Return the set of places that each border joins."""
    place = border.joins
    assert place is not None
    masks = [0] * border.size
    for b, a, z in border.arcs:
        masks[b] |= 1 << a | 1 << z
    return _fixed("ends", [m.Key(border)], m.SetOf(place), masks, border)


def neighbours(place: m.Kind, border: m.Kind) -> m.Fixed:
    """Return the set of places that are one border away from each place."""
    masks = [0] * place.size
    for _, a, z in border.arcs:
        masks[a] |= 1 << z
    return _fixed("neighbours", [m.Key(place)], m.SetOf(place), masks, place)


def within(place: m.Kind, border: m.Kind, steps: int, borders: int) -> m.Fixed:
    """Return the set of places at most `steps` of these borders away from each place, including the
    place itself.
    """
    near: list[set[int]] = [set() for _ in range(place.size)]
    for b, a, z in border.arcs:
        if borders >> b & 1:
            near[a].add(z)
    masks = [1 << i for i in range(place.size)]
    for _ in range(
        min(max(steps, 0), place.size)
    ):  # a step more of a place: itself, and what its neighbours had
        grown = [reduce(or_, (masks[n] for n in near[i]), mask) for i, mask in enumerate(masks)]
        if grown == masks:
            break
        masks = grown
    return _fixed(f"within {steps}", [m.Key(place)], m.SetOf(place), masks, place)


def distances(place: m.Kind, border: m.Kind, borders: int) -> m.Fixed:
    """Return the number of these borders between each two places, NO_LIMIT if there is no path.
    Keys: from, to.
    """
    values: list[int] = []
    for start in range(place.size):
        row = [m.NO_LIMIT] * place.size
        for steps, layer in enumerate(layers(border.arcs, start, borders, place.all)):
            for at in bits(layer):
                row[at] = steps
        values += row
    return m.Fixed(
        "distance",
        [m.Key(place), m.Key(place)],
        m.Int(None, 0),
        values,
        synthetic=True,
        owner=place,
        span=place.span,
    )


# ------------------------------------------------------------------------------------------------ g
def grid(kind: m.Kind, rows: int, columns: int, span: Span = NOWHERE) -> list[m.Fixed]:
    """Create the members of a grid and its attributes row and col.

    The members are a1, b1, ...: the letter of the column and the number of the row, row 1 first.
    """
    places = [(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)]
    kind.members.extend(f"{letters(c)}{r}" for r, c in places)
    made = []
    for name, high, values in (
        ("row", rows, [r for r, _ in places]),
        ("col", columns, [c for _, c in places]),
    ):
        fixed = m.Fixed(
            name, [m.Key(kind)], m.Int(None, 1, high), values, synthetic=True, owner=kind, span=span
        )
        kind.fixed[name] = fixed
        made.append(fixed)
    return made


def lines(kind: m.Kind, length: int, cell: m.Kind, span: Span = NOWHERE) -> list[m.Fixed]:
    """Create a member l1, l2, ... for each straight line of this length on a grid, along rows,
    columns and both diagonals.

    The attribute `cells` is the set of cells of a line.
    """
    rows, columns = (
        fixed.type.high or 0 if isinstance(fixed.type, m.Int) else 0
        for fixed in (cell.fixed["row"], cell.fixed["col"])
    )
    masks = list(dict.fromkeys(_lines(rows, columns, length)))
    kind.members.extend(f"l{i}" for i in range(1, len(masks) + 1))
    fixed = m.Fixed(
        "cells", [m.Key(kind)], m.SetOf(cell), masks, synthetic=True, owner=kind, span=span
    )
    kind.fixed["cells"] = fixed
    return [fixed]


def _lines(rows: int, columns: int, length: int) -> Iterator[int]:
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for r in range(rows):
            for c in range(columns):
                last_r, last_c = r + dr * (length - 1), c + dc * (length - 1)
                if 0 <= last_r < rows and 0 <= last_c < columns:
                    yield sum(1 << (r + dr * i) * columns + c + dc * i for i in range(length))


def shift(kind: m.Kind, rows: int, columns: int) -> m.Fixed:
    """Return the cell a number of rows and columns away from each cell, or none beyond the edge.
    Keys: cell, -rows..rows, -columns..columns.
    """
    values = [
        (r + dr) * columns + c + dc if 0 <= r + dr < rows and 0 <= c + dc < columns else -1
        for r in range(rows)
        for c in range(columns)
        for dr in range(-rows, rows + 1)
        for dc in range(-columns, columns + 1)
    ]
    keys = [m.Key(kind), m.Key(None, -rows, rows), m.Key(None, -columns, columns)]
    return _fixed("shift", keys, m.MemberOf(kind, True), values, kind)
