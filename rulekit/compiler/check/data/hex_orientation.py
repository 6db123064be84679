"""Recognizes grids of hexes, and the adjacency of places, from the constant sets of a game.

The rules express adjacency by a constant set of each cell that holds its neighbours. A grid
consists of hexes if this set matches a layout in which inner cells have six neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulekit.compiler import model as m

_NEIGHBOURS_OF_HEX = 6
_MOVED: dict[str, Callable[[int], int]] = {  # by the number of a row, from 1
    "right": lambda row: row - 1,
    "left": lambda row: 1 - row,
    "even": lambda row: (row + 1) % 2,
    "odd": lambda row: row % 2,
}


def beside(fixed: Sequence[m.Fixed]) -> Iterator[tuple[m.Fixed, m.Kind]]:
    """Yield the constant sets of a kind that hold the adjacent members of each member."""
    for near in fixed:
        kind = near.keys[0].kind if len(near.keys) == 1 else None
        if (
            kind is not None
            and isinstance(near.type, m.SetOf)
            and near.type.kind is kind
            and not near.synthetic
            and not near.late
            and len(near.values) == len(kind.members)
        ):
            yield near, kind


def hexes(fixed: Sequence[m.Fixed]) -> dict[str, list[int]]:
    """Return, for each kind of hexes, the distance of each cell from the left, in half cells."""
    out: dict[str, list[int]] = {}
    for near, kind in beside(fixed):
        if kind.name in out or not {"row", "col"} <= set(kind.fixed):
            continue
        rows, columns = kind.fixed["row"].values, kind.fixed["col"].values
        for moved in _MOVED.values():
            across = [2 * column + moved(row) for row, column in zip(rows, columns, strict=True)]
            if (
                any(value.bit_count() == _NEIGHBOURS_OF_HEX for value in near.values)
                and _beside(rows, across) == near.values
            ):
                out[kind.name] = across
                break
    return out


def _beside(rows: Sequence[int], across: Sequence[int]) -> list[int]:
    """Return the neighbours of each cell, as masks."""
    at = {place: n for n, place in enumerate(zip(rows, across, strict=True))}
    around = ((0, -2), (0, 2), (1, -1), (1, 1), (-1, -1), (-1, 1))
    found = (
        [(row + up, x + right) for up, right in around] for row, x in zip(rows, across, strict=True)
    )
    return [sum(1 << at[place] for place in places if place in at) for places in found]
