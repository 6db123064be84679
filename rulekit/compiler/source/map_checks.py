"""Checks of the map as a drawing and as a graph, beyond names and types.

Name resolution checks the ends of a border: they must be known places, different from each other
and joined only once.
"""

from __future__ import annotations

from itertools import combinations

from attrs import frozen

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.game_source import ENDS_OF_BORDER, GameSource, MemberData
from rulekit.compiler.source.outline_checks import check_shapes, is_point, shape_of
from rulekit.compiler.source.polygons import Point, between, crosses

MAX_LINES = 600  # of a drawing that is looked at


@frozen
class _Line:
    """A border that is drawn straight, with its ends and their points."""

    border: MemberData
    ends: tuple[str, str]
    a: Point
    z: Point


def check_map(source: GameSource, sink: Sink) -> None:
    """Run all checks of the map, or only those of the shapes if it has no borders."""
    borders = [
        m for k in source.kinds if k.role == "borders" for m in k.members if "between" in m.values
    ]
    ends = {b.id: pair for b in borders if (pair := _pair(b)) is not None}
    places = {m.id: m for k in source.kinds if k.role == "places" for m in k.members}
    check_shapes(places, [(b, ends[b.id]) for b in borders if b.id in ends], source, sink)
    if not borders:
        return
    _check_one_way(borders, ends, source, sink)
    _check_neighbours(places, ends, source, sink)
    known = all(name in places for pair in ends.values() for name in pair)
    if (
        not sink.errors and known and len(ends) == len(borders)
    ):  # else what is cut off follows from an error
        _check_connected(places, ends, source, sink)
    _check_points(places, source, sink)
    _check_lines(borders, ends, places, source, sink)


def _pair(border: MemberData) -> tuple[str, str] | None:
    value = border.values["between"].value
    if not isinstance(value, list) or len(value) != ENDS_OF_BORDER:
        return None
    first, second = (str(end.value) for end in value)
    return (first, second) if first != second else None


def _drawn(source: GameSource, name: str) -> list[Point]:
    """Return the points where a place is drawn: its point, and its inset."""
    facts = source.geometry.get(name, {})
    return [(p[0], p[1]) for key in ("at", "inset") if is_point(p := facts.get(key))]


def _is_one_way(source: GameSource, border: MemberData) -> bool:
    return source.geometry.get(border.id, {}).get("one_way") is True


def _said(border: MemberData) -> tuple[dict[str, object], str | None]:
    """Return the attributes and the label of a border, without its ends. Values that are false or
    none are left out, because they need not be written.
    """
    plain = {name: datum.plain() for name, datum in border.values.items() if name != "between"}
    return {
        name: value for name, value in plain.items() if value is not False and value is not None
    }, border.label


# ------------------------------------------------------------------------------------------------ t
def _check_one_way(
    borders: list[MemberData], ends: dict[str, tuple[str, str]], source: GameSource, sink: Sink
) -> None:
    """Report pairs of borders that should be one.

    Two one-way borders in opposite directions are one border. A border in both directions includes
    a one-way border in the opposite direction. This applies only if their other attributes are
    equal.
    """
    ways: dict[tuple[str, str], MemberData] = {}
    for border in borders:
        if border.id not in ends:
            continue
        pair = ends[border.id]
        back = ways.get((pair[1], pair[0]))
        if (
            back is not None
            and (_is_one_way(source, border) or _is_one_way(source, back))
            and _said(border) == _said(back)
        ):
            both = _is_one_way(source, border) and _is_one_way(source, back)
            sink.error(
                "RK683",
                border.values["between"].span,
                f"'{pair[0]}' and '{pair[1]}' are joined one way here, and "
                + ("the other way elsewhere" if both else "both ways elsewhere"),
                "write one border without `one_way`" if both else "keep one of the two borders",
                second=back.values["between"].span,
                second_label="joined here already",
            )
        ways.setdefault(pair, border)


def _check_neighbours(
    places: dict[str, MemberData], ends: dict[str, tuple[str, str]], source: GameSource, sink: Sink
) -> None:
    """Check that the neighbours that a place lists are those that the borders imply."""
    joined: dict[str, set[str]] = {name: set() for name in places}
    for a, z in ends.values():
        if a in joined and z in joined:
            joined[a].add(z)
            joined[z].add(a)
    listed = {
        name: {str(d.value): d.span for d in data}
        for name, data in source.neighbours.items()
        if name in places
    }
    for name, those in listed.items():
        for other, span in those.items():
            if other in listed and name not in listed[other]:
                sink.error(
                    "RK682",
                    span,
                    f"'{name}' has the neighbour '{other}', but '{other}' does not have the"
                    f" neighbour '{name}'",
                    f"add '{name}' to the neighbours of '{other}', or remove '{other}' here",
                    second=places[other].span,
                    second_label=f"'{other}'",
                )
            elif other not in joined[name]:
                sink.error(
                    "RK682",
                    span,
                    f"'{name}' has the neighbour '{other}', but no border joins them",
                    f"write a border between: [{name}, {other}], or remove '{other}' here",
                )
        for other in sorted(joined[name] - set(those)):
            sink.error(
                "RK682",
                places[name].span,
                f"a border joins '{name}' and '{other}', but '{name}' does not have the neighbour"
                f" '{other}'",
                f"add '{other}' to the neighbours, or remove the border",
            )


def _check_connected(
    places: dict[str, MemberData], ends: dict[str, tuple[str, str]], source: GameSource, sink: Sink
) -> None:
    """Warn of places that cannot be reached from the others, except those that declare no
    neighbours.
    """
    import networkx

    graph: networkx.Graph[str] = networkx.Graph()
    graph.add_nodes_from(name for name in places if source.neighbours.get(name) != [])
    graph.add_edges_from(pair for pair in ends.values() if pair[0] in places and pair[1] in places)
    parts = sorted(networkx.connected_components(graph), key=len, reverse=True)
    for part in parts[1:]:
        first = next(name for name in places if name in part)
        others = len(part) - 1
        more = f"{others} other place{'s' if others > 1 else ''}"
        if len(part) == 1:
            sink.warn(
                "RK680",
                places[first].span,
                f"no border touches '{first}'",
                "write its borders; if it is not on the map, give it `neighbours: []`, or a kind"
                " of its own",
            )
        else:
            sink.warn(
                "RK680",
                places[first].span,
                f"'{first}' and {more} are cut off from the rest of the map",
                "is a border missing between the two parts?",
            )


# ------------------------------------------------------------------------------------------------ t
def _check_points(places: dict[str, MemberData], source: GameSource, sink: Sink) -> None:
    """Report places that are drawn at the same point."""
    taken: dict[Point, MemberData] = {}
    for name, place in places.items():
        for point in _drawn(source, name):
            other = taken.setdefault(point, place)
            if other is not place:
                sink.error(
                    "RK681",
                    place.span,
                    f"'{name}' is drawn at [{point[0]}, {point[1]}], on top of '{other.id}'",
                    "give it another point `at`",
                    second=other.span,
                    second_label=f"'{other.id}' is drawn there",
                )


def _check_lines(
    borders: list[MemberData],
    ends: dict[str, tuple[str, str]],
    places: dict[str, MemberData],
    source: GameSource,
    sink: Sink,
) -> None:
    """Warn of straight borders that cross each other or run through a third place.

    A very large map is not checked, because the work grows with the square of its size.
    """
    if len(borders) > MAX_LINES:
        return
    points = {name: drawn for name in places if (drawn := _drawn(source, name))}
    lines = [line for b in borders if (line := _straight(b, ends, points, source)) is not None]
    for line in lines:
        for name, drawn in points.items():
            if name not in line.ends and any(between(p, (line.a, line.z)) for p in drawn):
                sink.warn(
                    "RK684",
                    line.border.span,
                    f"the line of the border {line.border.id} runs through '{name}'",
                    "move the place, or give points `via` for the line",
                )
    for one, two in combinations(lines, 2):
        if not set(one.ends) & set(two.ends) and crosses((one.a, one.z), (two.a, two.z)):
            sink.warn(
                "RK685",
                two.border.span,
                f"the lines of the borders {one.border.id} and {two.border.id} cross",
                "if they cross on the map, give one of them points `via` for its line; otherwise"
                " one may be wrong",
            )


def _straight(
    border: MemberData,
    ends: dict[str, tuple[str, str]],
    points: dict[str, list[Point]],
    source: GameSource,
) -> _Line | None:
    """Return the line of a border between the nearest points of its ends.

    It is None if the border has `via`. It is also None if both ends have a shape, because the
    border is then the edge between them.
    """
    pair = ends.get(border.id)
    if (
        pair is None
        or pair[0] not in points
        or pair[1] not in points
        or source.geometry.get(border.id, {}).get("via")
    ):
        return None
    if source.regular & {*pair} or all(shape_of(source, name) is not None for name in pair):
        return None
    a, z = min(
        ((a, z) for a in points[pair[0]] for z in points[pair[1]]),
        key=lambda p: (p[0][0] - p[1][0]) ** 2 + (p[0][1] - p[1][1]) ** 2,
    )
    return _Line(border, pair, a, z)
