"""Takes places with positions or outlines and the borders between them, makes a drawing in SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from itertools import pairwise

from attrs import field, frozen

from rulekit.cli.svgmarks import Spot, Stretch, fitted, mark, middle, path

WIDTH, HEIGHT, MARGIN = 1000, 1400, 60
FILLS = ("#f3e3c3", "#cfe3ee", "#d8e8c8", "#e8d0d0", "#ddd3ea", "#efe9a9", "#d9d9d9", "#f7d9b5")
STROKES = ("#555555", "#a0522d", "#2f6f9f", "#3f7f3f", "#8f3f8f", "#b08f00")
NAME, LABEL, PIECE = 15, 10, 9  # sizes of the texts in an outline
BAN = "#b00020"
SIDES = ("#1f3f9f", "#9f1f1f", "#1f6f2f", "#6f1f7f")  # of the pieces of each side
NOBODYS = "#222222"
LAND = "#ece6d8"  # that is no place


@frozen
class Place:
    """One place: `sort` chooses its colour if `fill` does not give it; `pieces` are written below its name. `shape`: its outline;
    without one it is a circle, or a `box`."""

    id: str
    label: str
    x: float
    y: float
    sort: str = ""
    pieces: tuple[str, ...] = ()
    shape: tuple[Spot, ...] = ()
    box: bool = False
    fill: str = ""
    owners: tuple[int, ...] = ()  # of each of `pieces`: the number of the side, which chooses its colour


@frozen
class Style:
    """How lines of one sort are drawn. `name` is for the legend; `mark`: bridge, teeth, dot, cross; `width` 0: no line of its own."""

    name: str
    stroke: str = "#555555"
    width: int = 3
    dash: bool = False
    mark: str = ""


@frozen
class Line:
    """A border between two places; `sort` chooses its stroke if it has no `styles`. `edges`: what their outlines share; else it is drawn
    from one to the other through `via`. `inner`: the place on its inner side, or none."""

    a: str
    b: str
    sort: str = ""
    label: str = ""
    styles: tuple[Style, ...] = ()
    edges: tuple[Stretch, ...] = ()
    via: tuple[Spot, ...] = ()
    inner: str = ""


@frozen
class Drawing:
    """What is drawn. `closed`: edges that nobody passes; `corners`: points in which places only touch; `ban`, `corner`: their names."""

    title: str
    places: Sequence[Place] = field(factory=list)
    lines: Sequence[Line] = field(factory=list)
    closed: Sequence[Stretch] = ()
    corners: Sequence[Spot] = ()
    ban: str = "closed"
    corner: str = "corner"
    scenery: Sequence[Sequence[Spot]] = ()  # land that is no place
    sides: tuple[str, ...] = SIDES  # colours


@frozen
class _Sheet:
    """The drawing with its scale: `at` takes a point of the map to the paper; `fills` and `strokes` by sort."""

    drawing: Drawing
    at: Callable[[Spot], Spot]
    spots: dict[str, Spot]
    radius: float
    height: float
    fills: dict[str, str]
    strokes: dict[str, str]


def _sheet(drawing: Drawing) -> _Sheet:
    places = drawing.places
    outlines = [*(p.shape for p in places), *drawing.scenery, *(e.via for e in drawing.lines)]
    points = [(p.x, p.y) for p in places] + [spot for each in outlines for spot in each]
    xs, ys = [x for x, _ in points] or [0.0], [y for _, y in points] or [0.0]
    wide, high = max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0
    factor = min((WIDTH - 2 * MARGIN) / wide, HEIGHT / high)

    def at(point: Spot) -> Spot:
        return MARGIN + (point[0] - min(xs)) * factor, MARGIN + 30 + (point[1] - min(ys)) * factor

    spots = {p.id: at((p.x, p.y)) for p in places}
    given = {p.sort: p.fill for p in places if p.fill}
    fills = {sort: given.get(sort, colour) for sort, colour in _colours([p.sort for p in places], FILLS).items()}
    strokes = _colours([each.sort for each in drawing.lines if not each.styles], STROKES)
    radius = _radius([spots[p.id] for p in places if not p.shape])
    return _Sheet(drawing, at, spots, radius, MARGIN * 2 + 30 + high * factor, fills, strokes)


def _colours(sorts: Sequence[str], palette: Sequence[str]) -> dict[str, str]:
    return {s: palette[i % len(palette)] for i, s in enumerate(dict.fromkeys(sorts))}


def _radius(points: Sequence[Spot]) -> float:
    near = min((((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 for i, (ax, ay) in enumerate(points) for bx, by in points[:i]), default=80.0)
    return max(8.0, min(34.0, near * 0.42))


def draw(drawing: Drawing) -> str:
    """The SVG text."""
    sheet = _sheet(drawing)
    legend = _legend(sheet)
    total = sheet.height + 24 * len(legend)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total:.0f}" font-family="sans-serif" text-anchor="middle">',
           f"<title>{escape(drawing.title)}</title>", f'<rect width="{WIDTH}" height="{total:.0f}" fill="#ffffff"/>',
           f'<text x="{WIDTH / 2:.0f}" y="34" font-size="24">{escape(drawing.title)}</text>']
    out += [_line(each, sheet) for each in drawing.lines if not each.edges and each.a in sheet.spots and each.b in sheet.spots]
    out += [f'<polygon points="{_corners(shape, sheet)}" fill="{LAND}"/>' for shape in drawing.scenery]
    out += [_outline(place, sheet) for place in drawing.places if place.shape]
    out += [_edge(each, sheet) for each in drawing.lines if each.edges]
    out += [f'<path d="{path(sheet.at(a), sheet.at(z))}" {_ban(8)}/>' for a, z in drawing.closed]
    out += [_dot(*sheet.at(corner)) for corner in drawing.corners]
    for place in drawing.places:
        out += _words(place, sheet) if place.shape else _token(place, sheet)
    for i, (sign, name) in enumerate(legend):
        y = sheet.height + 24 * i
        out.append(f'<g transform="translate({MARGIN},{y:.0f})">{sign}</g>'
                   f'<text x="{MARGIN + 26}" y="{y + 5:.0f}" font-size="14" text-anchor="start">{escape(name)}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


# ------------------------------------------------------------------------------------------------ lines and edges
def _stroke(style: Style) -> str:
    dash = f' stroke-dasharray="{style.width * 2 + 2} {style.width + 3}"' if style.dash else ""
    return f'fill="none" stroke="{escape(style.stroke)}" stroke-width="{style.width}" stroke-linejoin="round"{dash}'


def _ban(width: int) -> str:
    return f'fill="none" stroke="{BAN}" stroke-width="{width}" stroke-dasharray="3 4"'


def _dot(x: float, y: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#ffffff" stroke="#000000" stroke-width="2"/>'


def _drawn(line: Line, sheet: _Sheet) -> Style:
    """What gives the stroke of a line: the first of its styles that has one."""
    plain = Style("", sheet.strokes.get(line.sort, STROKES[0]), 3 if line.edges and line.sort else 1 if line.edges else 2)
    return next((style for style in line.styles if style.width), plain)


def _titled(line: Line, inside: str) -> str:
    told = [line.label or f"{line.a} - {line.b}", *(style.name for style in line.styles)]
    return f"<g><title>{escape(', '.join(told))}</title>{inside}</g>"


def _line(line: Line, sheet: _Sheet) -> str:
    points = [sheet.spots[line.a], *map(sheet.at, line.via), sheet.spots[line.b]]
    way = f'<path d="{path(*points)}" {_stroke(_drawn(line, sheet))}/>'
    return _titled(line, way + _marks(line, list(pairwise(points)), sheet))


def _edge(line: Line, sheet: _Sheet) -> str:
    edges = [(sheet.at(a), sheet.at(z)) for a, z in line.edges]
    lines = "".join(f'<path d="{path(a, z)}" stroke-linecap="round" {_stroke(_drawn(line, sheet))}/>' for a, z in edges)
    return _titled(line, lines + _marks(line, edges, sheet))


def _marks(line: Line, edges: Sequence[Stretch], sheet: _Sheet) -> str:
    return "".join(mark(style.mark, style.stroke, edges, sheet.spots.get(line.inner)) for style in line.styles if style.mark)


# ------------------------------------------------------------------------------------------------ places
def _title(place: Place) -> str:
    told = f"{place.label} ({place.sort})" if place.sort else place.label
    return f"<title>{escape(', '.join([told, *place.pieces]))}</title>"


def _name(place: Place) -> str:
    """What stands below the id: the name, without the id if it begins with it; empty if there is no other name."""
    return "" if place.label == place.id else place.label.removeprefix(f"{place.id} ")


def _owned(place: Place, at: int, sheet: _Sheet) -> str:
    """The colour of one of the texts of its pieces."""
    owner = place.owners[at] if at < len(place.owners) else -1
    return escape(sheet.drawing.sides[owner % len(sheet.drawing.sides)]) if owner >= 0 else NOBODYS


def _corners(shape: Sequence[Spot], sheet: _Sheet) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in map(sheet.at, shape))


def _outline(place: Place, sheet: _Sheet) -> str:
    fill = escape(sheet.fills[place.sort])
    return f'<polygon points="{_corners(place.shape, sheet)}" fill="{fill}" stroke="#333333" stroke-width="1">{_title(place)}</polygon>'


def _words(place: Place, sheet: _Sheet) -> list[str]:
    """Id, name and pieces of a place with an outline, as much as there is room for: the pieces rather than the name. The rest is in its
    title."""
    x, y = sheet.spots[place.id]
    name = (_name(place), LABEL, "#222222")
    pieces = [(text, PIECE, _owned(place, i, sheet)) for i, text in enumerate(place.pieces)]
    told, whole = _lines([name, *pieces], place, sheet)
    if not whole:
        told, _ = _lines(pieces or [name], place, sheet)
    return [f'<text x="{x:.1f}" y="{y:.1f}" font-size="{NAME}" font-weight="bold">{escape(place.id)}</text>', *told]


def _lines(texts: Sequence[tuple[str, int, str]], place: Place, sheet: _Sheet) -> tuple[list[str], bool]:
    """Texts (words, size, colour) below the id of a place with an outline, and whether there was room for all of them."""
    x, y = sheet.spots[place.id]
    y += LABEL + 1
    shape, out, whole = [sheet.at(corner) for corner in place.shape], list[str](), True
    for words, size, colour in texts:
        found = fitted(words, size, shape, x, y)
        whole = whole and " ".join(found) == " ".join(words.split())
        for text in found:
            out.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}">{escape(text)}</text>')
            y += size + 1
    return out, whole


def _token(place: Place, sheet: _Sheet) -> list[str]:
    """A circle or a box with the id in it, name and pieces below."""
    (x, y), r = sheet.spots[place.id], sheet.radius
    fill = f'fill="{escape(sheet.fills[place.sort])}" stroke="#333333"'
    form = (f'<rect x="{x - 1.5 * r:.1f}" y="{y - 0.7 * r:.1f}" width="{3 * r:.1f}" height="{1.4 * r:.1f}" rx="4" {fill}/>' if place.box
            else f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" {fill}/>')
    size = min(r * 0.7, (2.7 if place.box else 1.8) * r / max(1, len(place.id)) / 0.6)
    out = [f'<g>{_title(place)}{form}<text x="{x:.1f}" y="{y + size / 3:.1f}" font-size="{size:.1f}">{escape(place.id)}</text>']
    low = y + (0.7 if place.box else 1) * r + 11
    if name := _name(place):
        out.append(f'<text x="{x:.1f}" y="{low:.1f}" font-size="{LABEL}">{escape(name)}</text>')
    half = min(x, WIDTH - x)  # as wide as the paper beside it
    beside = [(x - half, low), (x + half, low), (x + half, low + HEIGHT), (x - half, low + HEIGHT)]
    for i, piece in enumerate(place.pieces):
        for text in fitted(piece, PIECE, beside, x, low + 12):
            low += PIECE + 2
            out.append(f'<text x="{x:.1f}" y="{low + 1:.1f}" font-size="{PIECE}" fill="{_owned(place, i, sheet)}">{escape(text)}</text>')
    return [*out, "</g>"]


# ------------------------------------------------------------------------------------------------ legend
def _legend(sheet: _Sheet) -> list[tuple[str, str]]:
    """Signs, each around the point 0, with their names."""
    drawing = sheet.drawing
    wide = ((-14.0, 0.0), (14.0, 0.0))
    out = [(f'<circle r="8" fill="{escape(colour)}" stroke="#333333"/>', sort) for sort, colour in sheet.fills.items() if sort]
    styles = list(dict.fromkeys(style for line in drawing.lines for style in line.styles))
    styles += [Style(sort, colour) for sort, colour in sheet.strokes.items() if sort]
    for style in styles:
        line = f'<path d="{path(*wide)}" {_stroke(style)}/>' if style.width else ""
        out.append((line + (mark(style.mark, style.stroke, [wide], (0.0, 9.0)) if style.mark else ""), style.name))
    if drawing.closed:
        out.append((f'<path d="{path(*wide)}" {_ban(8)}/>', drawing.ban))
    if drawing.corners:
        out.append((_dot(*middle(*wide)), drawing.corner))
    return out
