"""Checks the shapes of a map against its borders, its closed pairs and its corners.

Adjacent places must be joined by a border or be listed as closed. A border must lead over an edge
that both shapes share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, TypeGuard

from attrs import define, field

from rulekit.common.diagnostics.diagnostic import Few, Sink, TooManyErrors, guess
from rulekit.compiler.source import polygons
from rulekit.compiler.source.game_source import ENDS_OF_BORDER, GameSource, MemberData, PlaceMeeting
from rulekit.compiler.source.polygons import MIN_CORNERS, Edge, Point

COORDINATES = 2  # of a point
Pair = frozenset[str]
MAX_EDGE_PAIRS = (
    60_000  # pairs of edges that are compared: fifteen times those of a map of thirty places
)


@define
class _Map:
    """The data of the checks.

    Attributes:
        joined: pairs with their first border.
        closed: pairs with their entry.
        edges: pairs of places that have shapes, with the edges they share.
        left: the number of pairs of edges that may still be compared.
    """

    places: Mapping[str, MemberData]
    shapes: dict[str, list[Point]]
    joined: dict[Pair, MemberData]
    sink: Sink
    closed: dict[Pair, PlaceMeeting] = field(factory=dict)
    edges: dict[Pair, list[Edge]] = field(factory=dict)
    left: int = MAX_EDGE_PAIRS

    def compare(self, one: list[Point], two: list[Point], name: str) -> None:
        """Count the comparison of two shapes, and stop all checks if the total is too large."""
        self.left -= len(one) * len(two)
        if self.left < 0:
            self.sink.error(
                "RK407",
                self.places[name].span,
                f"the shapes have too many corners: at '{name}' more than {MAX_EDGE_PAIRS} pairs "
                "of edges were compared",
                "draw the places with fewer corners",
            )
            raise TooManyErrors


def check_shapes(
    places: Mapping[str, MemberData],
    borders: Iterable[tuple[MemberData, tuple[str, str]]],
    source: GameSource,
    sink: Sink,
) -> None:
    """Run all checks. A map without shapes, closed pairs and corners has no findings.

    Args:
        borders: the borders with their ends.
    """
    joined: dict[Pair, MemberData] = {}
    for border, ends in borders:
        joined.setdefault(frozenset(ends), border)
    drawn = {
        name: shape
        for name in places
        if name not in source.regular and (shape := shape_of(source, name)) is not None
    }
    chart = _Map(places, {}, joined, Few(sink.found, sink.texts))
    with suppress(TooManyErrors):
        for name, shape in drawn.items():
            chart.compare(shape, shape, name)
            if _is_simple(name, shape, chart):
                chart.shapes[name] = shape
        for name in chart.shapes:
            _check_label(name, source, chart)
        _find_edges(chart)
        _check_closed(source.closed, chart)
        _check_sides(chart)
        _check_corners(source.corners, chart)


def shape_of(source: GameSource, name: str) -> list[Point] | None:
    """Return the corners of the outline of a place, or None if it has none."""
    value = source.geometry.get(name, {}).get("shape")
    if not isinstance(value, list) or len(value) < MIN_CORNERS or not all(map(is_point, value)):
        return None
    return [(p[0], p[1]) for p in value]


def is_point(value: Any) -> TypeGuard[list[int]]:
    """Return True if a value is a list of two whole numbers."""
    return (
        isinstance(value, list) and len(value) == COORDINATES and all(type(v) is int for v in value)
    )


# ------------------------------------------------------------------------------------------------ s
def _is_simple(name: str, shape: list[Point], chart: _Map) -> bool:
    fault = polygons.fault(shape)
    if fault is not None:
        help = "list its corners in order around it, each once; its edges may not meet elsewhere"
        chart.sink.error("RK686", chart.places[name].span, f"the shape of '{name}' {fault}", help)
    return fault is None


def _check_label(name: str, source: GameSource, chart: _Map) -> None:
    at = source.geometry[name].get("at")
    if is_point(at) and polygons.holds(chart.shapes[name], at[0], at[1]) != 1:
        chart.sink.error(
            "RK687",
            chart.places[name].span,
            f"the point `at` of '{name}', [{at[0]}, {at[1]}], does not lie inside its shape",
            "move the point to the place of its name, or correct the shape",
        )


# ------------------------------------------------------------------------------------------------ p
def _find_edges(chart: _Map) -> None:
    """Record the edges that shapes share, and report shapes that overlap.

    Shapes are sorted from left to right, so that pairs which lie apart are skipped.
    """
    boxes = sorted((polygons.box(shape), name) for name, shape in chart.shapes.items())
    for i, (box, name) in enumerate(boxes):
        for other_box, other in boxes[i + 1 :]:
            if other_box[0] > box[1]:
                break
            if other_box[2] > box[3] or other_box[3] < box[2]:
                continue
            one, two = chart.shapes[name], chart.shapes[other]
            chart.compare(one, two, other)
            if polygons.overlap(one, two):
                first, last = sorted((name, other), key=list(chart.places).index)
                chart.sink.error(
                    "RK688",
                    chart.places[last].span,
                    f"the shapes of '{first}' and '{last}' overlap",
                    "let them share only corners and edges: the same points in both",
                    second=chart.places[first].span,
                    second_label=f"'{first}'",
                )
            if found := polygons.shared(one, two):
                chart.edges[frozenset((name, other))] = found


def _check_sides(chart: _Map) -> None:
    order = {name: i for i, name in enumerate(chart.places)}
    for pair, edges in sorted(
        chart.edges.items(), key=lambda entry: sorted(order[name] for name in entry[0])
    ):
        if pair in chart.joined or pair in chart.closed:
            continue
        first, last = sorted(pair, key=order.__getitem__)
        chart.sink.error(
            "RK689",
            chart.places[last].span,
            f"the shapes of '{first}' and '{last}' share the edge {_words(edges[0])}, but no border"
            " joins them",
            f"write a border between: [{first}, {last}], or list the pair under `closed`",
            second=chart.places[first].span,
            second_label=f"'{first}'",
        )
    for pair, border in chart.joined.items():
        if len(pair) == ENDS_OF_BORDER and pair <= set(chart.shapes) and pair not in chart.edges:
            first, last = sorted(pair, key=order.__getitem__)
            chart.sink.error(
                "RK689",
                border.values["between"].span,
                f"a border joins '{first}' and '{last}', but their shapes share no edge",
                "let both shapes have two corners in common, or remove the border",
            )


def _words(edge: Edge) -> str:
    (ax, ay), (zx, zy) = edge
    return f"[{ax}, {ay}] to [{zx}, {zy}]"


# ------------------------------------------------------------------------------------------------ c
def _are_known(meeting: PlaceMeeting, chart: _Map) -> bool:
    """Report unknown places and places named twice. Return True if there are none."""
    sound = True
    for i, name in enumerate(meeting.ids()):
        if name not in chart.places:
            help = guess(name, chart.places) or "name places of the map"
            chart.sink.error("RK690", meeting.names[i].span, f"there is no place '{name}'", help)
            sound = False
        elif name in meeting.ids()[:i]:
            chart.sink.error(
                "RK690",
                meeting.names[i].span,
                f"'{name}' is named twice here",
                "name different places",
            )
            sound = False
    return sound


def _check_closed(closed: list[PlaceMeeting], chart: _Map) -> None:
    for meeting in closed:
        if not _are_known(meeting, chart):
            continue
        first, last = meeting.ids()
        pair = frozenset((first, last))
        before = chart.closed.setdefault(pair, meeting)
        if before is not meeting:
            chart.sink.error(
                "RK691",
                meeting.span,
                f"'{first}' and '{last}' are closed twice",
                "remove one of the two",
                second=before.span,
                second_label="closed here already",
            )
        elif pair in chart.joined:
            _is_joined(
                "RK691",
                meeting,
                pair,
                f"'{first}' and '{last}' are closed, but a border joins them",
                "remove the border, or do not list the pair under `closed`",
                chart,
            )
        elif pair <= set(chart.shapes) and pair not in chart.edges:
            chart.sink.error(
                "RK691",
                meeting.span,
                f"'{first}' and '{last}' are closed, but their shapes share no edge",
                "only places whose shapes share an edge can be closed: correct a shape, or remove"
                " the pair",
            )


def _check_corners(corners: list[PlaceMeeting], chart: _Map) -> None:
    for corner in corners:
        if not _are_known(corner, chart):
            continue
        names = corner.ids()
        around = (
            {frozenset((names[i - 1], name)) for i, name in enumerate(names)}
            if len(names) >= MIN_CORNERS
            else set()
        )
        for i, last in enumerate(names):
            for first in names[:i]:
                _check_around(frozenset((first, last)), (first, last), around, corner, chart)
        _check_point(corner, chart)


def _check_point(corner: PlaceMeeting, chart: _Map) -> None:
    """Report a corner that is not a corner of the shapes of its places: once at its point if that
    lies at no shape, else at each place whose shape lacks it.
    """
    point = _point(corner)
    if point is None or corner.at is None:
        return
    shapes = {name: chart.shapes[name] for name in corner.ids() if name in chart.shapes}
    lacking = [name for name, shape in shapes.items() if point not in shape]
    said = f"the corner [{point[0]}, {point[1]}]"
    if len(lacking) == len(shapes) > 1:
        common = set.intersection(*(set(shape) for shape in shapes.values()))
        meet = ", ".join(f"[{x}, {y}]" for x, y in sorted(common))
        chart.sink.error(
            "RK692",
            corner.at.span,
            f"{said} is not a corner of any shape of its places",
            f"their shapes meet at {meet}: write that" if meet else "correct the point",
        )
        return
    for name, datum in zip(corner.ids(), corner.names, strict=True):
        if name in lacking:
            chart.sink.error(
                "RK692",
                datum.span,
                f"{said} is not a corner of the shape of '{name}'",
                "let the shapes of all its places have that point as a corner",
            )


def _check_around(
    pair: Pair, names: tuple[str, str], around: set[Pair], corner: PlaceMeeting, chart: _Map
) -> None:
    first, last = names
    if pair in around and pair not in chart.joined and pair not in chart.closed:
        chart.sink.error(
            "RK692",
            corner.span,
            f"'{first}' and '{last}' lie side by side around this corner, but no border joins them",
            f"write a border between: [{first}, {last}], or name the places in order around the"
            " point",
        )
    if pair not in around and pair in chart.joined:
        _is_joined(
            "RK692",
            corner,
            pair,
            f"'{first}' and '{last}' only touch in this corner, but a border joins them",
            "remove the border, or name the places in order around the point",
            chart,
        )


def _point(corner: PlaceMeeting) -> Point | None:
    value = corner.at.plain() if corner.at is not None else None
    return (value[0], value[1]) if is_point(value) else None


def _is_joined(
    code: str, meeting: PlaceMeeting, pair: Pair, message: str, help: str, chart: _Map
) -> None:
    """Report a border between two places that must not be joined, at the meeting and at the
    border.
    """
    chart.sink.error(
        code,
        meeting.span,
        message,
        help,
        second=chart.joined[pair].values["between"].span,
        second_label="joined here",
    )
