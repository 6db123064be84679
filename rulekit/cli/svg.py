"""Takes places with positions and the borders between them, makes a drawing in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from attrs import field, frozen

WIDTH, MARGIN = 1000, 60
FILLS = ("#f3e3c3", "#cfe3ee", "#d8e8c8", "#e8d0d0", "#ddd3ea", "#efe9a9", "#d9d9d9", "#f7d9b5")
STROKES = ("#555555", "#a0522d", "#2f6f9f", "#3f7f3f", "#8f3f8f", "#b08f00")


@frozen
class Place:
    """One place: `sort` chooses its colour; `pieces` are written below its name."""

    id: str
    label: str
    x: float
    y: float
    sort: str = ""
    pieces: tuple[str, ...] = ()


@frozen
class Line:
    """A border between two places; `sort` chooses its stroke."""

    a: str
    b: str
    sort: str = ""
    label: str = ""


@frozen
class Drawing:
    """What is drawn."""

    title: str
    places: Sequence[Place] = field(factory=list)
    lines: Sequence[Line] = field(factory=list)


def _scaled(places: Sequence[Place]) -> tuple[dict[str, tuple[float, float]], float]:
    xs, ys = [p.x for p in places] or [0.0], [p.y for p in places] or [0.0]
    wide, high = max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0
    factor = min((WIDTH - 2 * MARGIN) / wide, 1400 / high)
    spots = {p.id: (MARGIN + (p.x - min(xs)) * factor, MARGIN + 30 + (p.y - min(ys)) * factor) for p in places}
    return spots, MARGIN * 2 + 30 + high * factor


def _colours(sorts: Sequence[str], palette: Sequence[str]) -> dict[str, str]:
    return {s: palette[i % len(palette)] for i, s in enumerate(dict.fromkeys(sorts))}


def _radius(spots: dict[str, tuple[float, float]]) -> float:
    points = list(spots.values())
    near = min((((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 for i, (ax, ay) in enumerate(points) for bx, by in points[:i]), default=80.0)
    return max(8.0, min(34.0, near * 0.42))


def draw(drawing: Drawing) -> str:
    """The SVG text."""
    spots, height = _scaled(drawing.places)
    radius = _radius(spots)
    fills = _colours([p.sort for p in drawing.places], FILLS)
    strokes = _colours([each.sort for each in drawing.lines], STROKES)
    legend = [(s, c, True) for s, c in fills.items() if s] + [(s, c, False) for s, c in strokes.items() if s]
    total = height + 24 * len(legend)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total:.0f}" font-family="sans-serif" text-anchor="middle">',
           f"<title>{escape(drawing.title)}</title>", f'<rect width="{WIDTH}" height="{total:.0f}" fill="#ffffff"/>',
           f'<text x="{WIDTH / 2:.0f}" y="34" font-size="24">{escape(drawing.title)}</text>']
    for each in drawing.lines:
        if each.a in spots and each.b in spots:
            (ax, ay), (bx, by) = spots[each.a], spots[each.b]
            out.append(f'<line x1="{ax:.1f}" y1="{ay:.1f}" x2="{bx:.1f}" y2="{by:.1f}" stroke="{strokes[each.sort]}" stroke-width="2">'
                       f"<title>{escape(each.label or f'{each.a} - {each.b}')}</title></line>")
    for place in drawing.places:
        x, y = spots[place.id]
        out.append(f'<g><title>{escape(place.label)}{escape(f" ({place.sort})") if place.sort else ""}</title>'
                   f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fills[place.sort]}" stroke="#333333"/>'
                   f'<text x="{x:.1f}" y="{y + radius / 4:.1f}" font-size="{radius * 0.7:.1f}">{escape(place.id)}</text>')
        if place.label != place.id:
            out.append(f'<text x="{x:.1f}" y="{y + radius + 11:.1f}" font-size="10">{escape(place.label)}</text>')
        for i, piece in enumerate(place.pieces):
            out.append(f'<text x="{x:.1f}" y="{y + radius + 23 + 11 * i:.1f}" font-size="9" fill="#800000">{escape(piece)}</text>')
        out.append("</g>")
    for i, (sort, colour, filled) in enumerate(legend):
        y = height + 24 * i
        mark = (f'<circle cx="{MARGIN}" cy="{y:.0f}" r="8" fill="{colour}" stroke="#333333"/>' if filled
                else f'<line x1="{MARGIN - 12}" y1="{y:.0f}" x2="{MARGIN + 12}" y2="{y:.0f}" stroke="{colour}" stroke-width="3"/>')
        out.append(f'{mark}<text x="{MARGIN + 22}" y="{y + 5:.0f}" font-size="14" text-anchor="start">{escape(sort)}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"
