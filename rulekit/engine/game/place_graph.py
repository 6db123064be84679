"""The graph of a game's places, for analysis of the map. It needs networkx.

Only this module of the engine loads networkx.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import networkx

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.kernel.names import Names
from rulekit.runtime.intrinsics import members
from rulekit.runtime.program import KindInfo

_NO_GRAPH = _("{game} has no kind of borders and no fixed set of places {name}; it has {known}")
_SEVERAL_GRAPHS = _(
    "say which kind of borders, or which fixed set of places, joins the places of {game}: {known}"
)


def graph(names: Names, by: str | None = None) -> networkx.MultiDiGraph[str]:
    """Return the places as nodes, with an edge for each way that leads from one to another.

    Nodes and edges have the constant attributes of places and borders by name, and their `label`.
    Values are ids, numbers, truth values, lists of ids or None. A node has its coordinates in `at`
    if the map has any. The key of an edge is the id of its border.

    Args:
        by: a kind of borders, or a constant set attribute that lists the neighbours of each place.
            None means the only kind of borders.

    Raises:
        RulekitError: there is no such kind of borders, or more than one.
    """
    program = names.program
    borders = [i for i, kind in enumerate(program.kinds) if kind.joins >= 0]
    sets = program.info.get("beside", {})
    chosen = [i for i in borders if by in (None, program.kinds[i].name)]
    if by is not None and by in sets:
        kind, near = sets[by]
        return _beside(names, by, kind, near)
    if len(chosen) != 1:
        known = [program.kinds[i].name for i in borders] + sorted(sets)
        raise RulekitError(
            (_NO_GRAPH if by else _SEVERAL_GRAPHS).text(
                names.lang,
                name=repr(by),
                game=program.name,
                known=", ".join(known) or _("none"),
            )
        )
    border = program.kinds[chosen[0]]
    made = _places(names, border.joins)
    for at, start, goal in program.info.get("arcs", {}).get(border.name, ()):
        ends = program.kinds[border.joins].members
        made.add_edge(
            ends[start], ends[goal], key=border.members[at], **_place_data(names, chosen[0], at)
        )
    return made


def _beside(names: Names, by: str, kind: str, near: Sequence[int]) -> networkx.MultiDiGraph[str]:
    made = _places(names, names.kind(kind))
    ids = list(made)
    for start, goals in zip(ids, near, strict=True):
        for goal in members(goals):
            made.add_edge(start, ids[goal], key=by)
    return made


def _places(names: Names, kind: int) -> networkx.MultiDiGraph[str]:
    made: networkx.MultiDiGraph[str] = networkx.MultiDiGraph(name=names.program.name)
    for at, id in enumerate(names.program.kinds[kind].members):
        made.add_node(id, **_place_data(names, kind, at), **_point(names, id))
    return made


def _place_data(names: Names, kind: int, at: int) -> dict[str, Any]:
    info = names.program.kinds[kind]
    return {"label": names.label(kind, at), **dict(_fixed(names, info, at))}


def _fixed(names: Names, info: KindInfo, at: int) -> Iterator[tuple[str, Any]]:
    return ((name, names.value(type, values[at])) for name, (type, values) in info.fixed.items())


def _point(names: Names, id: str) -> dict[str, Any]:
    at = (names.program.info.get("geometry") or {}).get(id, {}).get("at")
    return {"at": tuple(at)} if at is not None else {}
