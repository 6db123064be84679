"""Checks that the whole drawing uses the same units: places lie in the frame, and lines lie near
places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.diagnostics.span import Span
from rulekit.compiler.source.game_source import Datum, GameSource
from rulekit.compiler.source.map_and_pieces import entries, items, text
from rulekit.compiler.source.outline_checks import is_point, shape_of
from rulekit.compiler.source.polygons import Point

FAR = "RK679"
SMALL = 10  # times that both sides of a frame may be as long as what lies in it
NAMED = 3  # places in one finding
HELP = (
    "places, `via`, `words`, `boxes` and `frame` use the same coordinates: correct the numbers of"
    " one"
)
Box = tuple[float, float, float, float]  # left, top, right, bottom
Drawn = tuple[str, Span, Box]  # what it is, where that is said, and the room that it takes


def check_frame(source: GameSource, sink: Sink) -> None:
    """Warn of parts of the drawing that lie outside its frame or, without a frame, far from all
    places.
    """
    boxed = set(_boxed(source))
    places = [
        m
        for data in source.kinds
        if data.role == "places"
        for m in data.members
        if m.id not in boxed
    ]
    points = {place.id: at for place in places if (at := _at(source, place.id)) is not None}
    if not points:
        return
    around = _around(
        [*points.values(), *(corner for name in points for corner in shape_of(source, name) or ())]
    )
    frame = entries(source.drawing).get("frame")
    box = _box(frame) if frame is not None else None
    if frame is not None and box is not None:
        left, top, right, bottom = box
        if left >= right or top >= bottom:
            ends = [min(left, right), min(top, bottom), max(left, right), max(top, bottom)]
            turned = (
                f"write [{', '.join(f'{n:g}' for n in ends)}]"
                if left != right and top != bottom
                else ""
            )
            sink.warn(
                FAR,
                frame.span,
                "this frame is empty: its numbers are left, top, right, bottom",
                turned or "x grows to the right and y downward: write a greater right and bottom",
            )
            return
        outside = [name for name, point in points.items() if not _holds(box, point)]
        more = f" and {len(outside) - NAMED} more" if len(outside) > NAMED else ""
        if outside:
            names = ", ".join(outside[:NAMED])
            sink.warn(
                FAR,
                frame.span,
                f"outside of this frame lie {names}{more}; the points of places go {_ends(around)}",
                HELP,
            )
            return
        if 0 < SMALL * _size(around) < min(_width(box), _height(box)):
            sink.warn(
                FAR,
                frame.span,
                f"the places use only a small part of this frame: their points go {_ends(around)}",
                HELP,
            )
            return
    where = "outside of the frame" if box else "far from all places"
    _check_lines(source, box or _wider(around), where, sink)
    parts = list(_parts(source))
    area = box or _wider(_joined([around, *(room for _, _, room in parts)]))
    for what, span, room in [*_words(source), *(parts if box else ())]:
        if not _meet(room, area):
            sink.warn(FAR, span, f"{what} lies {where}", HELP)


def _check_lines(source: GameSource, box: Box, where: str, sink: Sink) -> None:
    """Check the points on the way of each border."""
    for border in (m for data in source.kinds if data.role == "borders" for m in data.members):
        far = next(
            (
                p
                for p in source.geometry.get(border.id, {}).get("via") or ()
                if is_point(p) and not _holds(box, (p[0], p[1]))
            ),
            None,
        )
        if far is not None:
            sink.warn(
                FAR,
                border.span,
                f"the line of the border {border.id} passes through [{far[0]}, {far[1]}], {where}",
                HELP,
            )


def _words(source: GameSource) -> Iterator[Drawn]:
    """Yield the words on the map. Without a frame, they do not extend the area of the map."""
    for word in items(entries(source.drawing).get("words")):
        at = entries(word).get("at")
        if at is not None and is_point(at.plain()):
            x, y = at.plain()
            yield f"the word '{text(entries(word).get('name'))}'", at.span, (x, y, x, y)


def _parts(source: GameSource) -> Iterator[Drawn]:
    """Yield the boxes and the land around the places."""
    top = entries(source.drawing)
    for group, said in entries(top.get("boxes")).items():
        for name, at in entries(entries(said).get("at")).items():
            if is_point(at.plain()):
                x, y = at.plain()
                yield f"the box of {name}", at.span, (x, y, x, y)
        frame = entries(said).get("frame")
        if frame is not None and (room := _box(frame)) is not None:
            yield f"the frame of the boxes '{group}'", frame.span, room
    for outline in items(top.get("scenery")):
        points = [(point[0], point[1]) for point in outline.plain() or () if is_point(point)]
        if points:
            yield "this outline of land", outline.span, _around(points)


def _boxed(source: GameSource) -> Iterator[str]:
    """Yield the places that are drawn elsewhere, in boxes or insets."""
    yield from (name for name, drawn in source.geometry.items() if "inset" in drawn)
    for group in entries(entries(source.drawing).get("boxes")).values():
        yield from entries(entries(group).get("at"))


def _at(source: GameSource, name: str) -> Point | None:
    point = source.geometry.get(name, {}).get("at")
    return (point[0], point[1]) if is_point(point) else None


def _box(frame: Datum) -> Box | None:
    numbers = [each.value for each in items(frame)]
    match numbers:
        case [left, top, right, bottom] if all(isinstance(n, (int, float)) for n in numbers):
            return left, top, right, bottom
    return None


def _around(points: Iterable[Point]) -> Box:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _joined(boxes: list[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _wider(box: Box) -> Box:
    """Return a box enlarged on each side by its greater dimension."""
    by = max(_size(box), 1)
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _size(box: Box) -> float:
    return max(_width(box), _height(box))


def _width(box: Box) -> float:
    return box[2] - box[0]


def _height(box: Box) -> float:
    return box[3] - box[1]


def _meet(one: Box, other: Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _holds(box: Box, point: Point) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _ends(box: Box) -> str:
    return f"from {box[0]:g} to {box[2]:g} across and from {box[1]:g} to {box[3]:g} down"
