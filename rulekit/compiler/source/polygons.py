"""Exact geometry of polygons with integer corners: shared edges, overlaps, points inside."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

MIN_CORNERS = 3  # of a polygon
_ENDS_OF_SEGMENT = 2
Point = tuple[int, int]
Edge = tuple[Point, Point]
Polygon = Sequence[Point]


def edges(shape: Polygon) -> list[Edge]:
    """Return the edges, each from one corner to the next."""
    return list(pairwise([*shape, shape[0]]))


def side(start: Point, end: Point, point: Point) -> int:
    """Return the side of the line from a to z on which p lies: 1, -1, or 0 on the line."""
    area = (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])
    return (area > 0) - (area < 0)


def crosses(one: Edge, two: Edge) -> bool:
    """Return True if two segments cross at an inner point of both."""
    (a, z), (b, y) = one, two
    return side(a, z, b) * side(a, z, y) < 0 and side(b, y, a) * side(b, y, z) < 0


def between(point: Point, edge: Edge) -> bool:
    """Return True if p lies on the segment, excluding its ends."""
    a, z = edge
    return side(a, z, point) == 0 and point not in edge and _in_box(point, edge)


def _in_box(point: Point, edge: Edge) -> bool:
    (ax, ay), (zx, zy) = edge
    return min(ax, zx) <= point[0] <= max(ax, zx) and min(ay, zy) <= point[1] <= max(ay, zy)


def fault(shape: Polygon) -> str | None:
    """Return the reason why a shape is not a simple polygon, in words, or None if it is one."""
    if len(shape) < MIN_CORNERS:
        return "has fewer than three corners"
    seen: set[Point] = set()
    for point in shape:
        if point in seen:
            return f"comes twice to the corner [{point[0]}, {point[1]}]"
        seen.add(point)
    lines = edges(shape)
    for i, one in enumerate(lines):
        for point in shape:
            if between(point, one):
                return f"touches itself at [{point[0]}, {point[1]}]"
        for two in lines[:i]:
            if crosses(one, two):
                return f"crosses itself between {_named(two)} and {_named(one)}"
    return None


def _named(edge: Edge) -> str:
    (ax, ay), (zx, zy) = edge
    return f"[{ax}, {ay}]-[{zx}, {zy}]"


def box(shape: Polygon) -> tuple[int, int, int, int]:
    """Return the least and greatest x, then the least and greatest y."""
    xs, ys = [p[0] for p in shape], [p[1] for p in shape]
    return min(xs), max(xs), min(ys), max(ys)


def _turns(shape: Polygon) -> int:
    """Return twice the signed area. The sign is the orientation of the corners."""
    return sum(a[0] * z[1] - z[0] * a[1] for a, z in edges(shape))


def turned(shape: Polygon) -> list[Point]:
    """Return the shape with its corners in the orientation of positive area."""
    return list(shape) if _turns(shape) > 0 else list(shape)[::-1]


def holds(shape: Polygon, x: Fraction | int, y: Fraction | int) -> int:
    """Return 1 if the point lies inside, 0 on the outline, -1 outside."""
    inside = False
    for (ax, ay), (zx, zy) in edges(shape):
        area = (zx - ax) * (y - ay) - (zy - ay) * (x - ax)
        if area == 0 and min(ax, zx) <= x <= max(ax, zx) and min(ay, zy) <= y <= max(ay, zy):
            return 0
        if (ay > y) != (zy > y) and (area > 0) == (zy > ay):
            inside = not inside
    return 1 if inside else -1


def shared(one: Polygon, two: Polygon) -> list[Edge]:
    """Return the segments of positive length that lie on both outlines, in the direction of
    `one`.
    """
    found = []
    for a, z in edges(one):
        for b, y in edges(two):
            if side(a, z, b) or side(a, z, y):
                continue
            ends = [p for p in {a, z, b, y} if _in_box(p, (a, z)) and _in_box(p, (b, y))]
            if len(ends) == _ENDS_OF_SEGMENT:
                first, last = sorted(ends, key=lambda p: abs(p[0] - a[0]) + abs(p[1] - a[1]))
                found.append((first, last))
    return found


def overlap(one: Polygon, two: Polygon) -> bool:
    """Return True if the interiors of two simple polygons intersect."""
    one, two = turned(one), turned(two)
    if any(
        _enters(line, other) for shape, other in ((one, two), (two, one)) for line in edges(shape)
    ):
        return True
    ways = edges(two)
    return any(_same_way(part, line) for part in shared(one, two) for line in ways)


def _same_way(part: Edge, line: Edge) -> bool:
    """Return True if a segment lies on a line and has its direction."""
    (a, z), (b, y) = part, line
    if side(b, y, a) or side(b, y, z) or not (_in_box(a, line) and _in_box(z, line)):
        return False
    return (z[0] - a[0]) * (y[0] - b[0]) + (z[1] - a[1]) * (y[1] - b[1]) > 0


def _enters(line: Edge, shape: Polygon) -> bool:
    """Return True if a segment runs through the interior of a shape.

    The segment is cut where it meets the outline. Each piece then lies on one side of it, so its
    middle is tested.
    """
    if not _near(line, shape):
        return False
    cuts = {Fraction(0), Fraction(1)}
    for edge in edges(shape):
        if _near(line, edge):
            cuts.update(_meets(line, edge))
    (ax, ay), (zx, zy) = line
    for low, high in pairwise(sorted(cuts)):
        half = (low + high) / 2
        if holds(shape, ax + half * (zx - ax), ay + half * (zy - ay)) > 0:
            return True
    return False


def _near(one: Polygon, two: Polygon) -> bool:
    """Return True if the bounding boxes of two shapes share a point."""
    left, right, low, high = box(one)
    other_left, other_right, other_low, other_high = box(two)
    return left <= other_right and other_left <= right and low <= other_high and other_low <= high


def _meets(line: Edge, edge: Edge) -> list[Fraction]:
    """Return the positions on a line, from 0 to 1, where an edge meets it."""
    (ax, ay), (zx, zy) = line
    (bx, by), (yx, yy) = edge
    wide, high = zx - ax, zy - ay
    across = wide * (yy - by) - high * (yx - bx)
    if across:
        t = Fraction((bx - ax) * (yy - by) - (by - ay) * (yx - bx), across)
        u = Fraction((bx - ax) * high - (by - ay) * wide, across)
        return [t] if 0 <= t <= 1 and 0 <= u <= 1 else []
    if side(*line, edge[0]):
        return []
    size = wide * wide + high * high
    spots = [Fraction((x - ax) * wide + (y - ay) * high, size) for x, y in edge]
    return [t for t in spots if 0 <= t <= 1]
