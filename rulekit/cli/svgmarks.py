"""Takes stretches and outlines on the paper, makes signs along a line and lines of text that fit."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

Spot = tuple[float, float]
Stretch = tuple[Spot, Spot]

TOOTH = 13  # from one tooth of a wall to the next
GLYPH = 0.56  # the width of a letter, as a part of its size


def middle(a: Spot, z: Spot) -> Spot:
    """The point half way."""
    return (a[0] + z[0]) / 2, (a[1] + z[1]) / 2


def path(*points: Spot) -> str:
    """The path through some points."""
    return "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _across(a: Spot, z: Spot) -> Spot:
    """A step of length 1 at right angles to the way from a to z."""
    wide, high = z[0] - a[0], z[1] - a[1]
    size = hypot(wide, high) or 1.0
    return -high / size, wide / size


def mark(kind: str, colour: str, stretches: Sequence[Stretch], inner: Spot | None) -> str:
    """The sign of a line: in the middle of its longest stretch, or teeth along all of it, away from the point `inner`."""
    if kind == "teeth":
        return "".join(_teeth(a, z, colour, inner) for a, z in stretches)
    a, z = max(stretches, key=lambda each: hypot(each[1][0] - each[0][0], each[1][1] - each[0][1]))
    (x, y), (right, down) = middle(a, z), _across(a, z)
    if kind == "bridge":
        way = path((x - 13 * right, y - 13 * down), (x + 13 * right, y + 13 * down))
        return f'<path d="{way}" stroke="#222222" stroke-width="13"/><path d="{way}" stroke="#e9d8ad" stroke-width="9"/>'
    if kind == "dot":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{colour}"/>'
    return (f'<path d="{path((x - 6, y - 6), (x + 6, y + 6))} {path((x - 6, y + 6), (x + 6, y - 6))}" '
            f'fill="none" stroke="{colour}" stroke-width="3"/>')


def _teeth(a: Spot, z: Spot, colour: str, inner: Spot | None) -> str:
    right, down = _across(a, z)
    x, y = middle(a, z)
    if inner is not None and (inner[0] - x) * right + (inner[1] - y) * down > 0:
        right, down = -right, -down
    number = max(1, int(hypot(z[0] - a[0], z[1] - a[1]) / TOOTH))
    steps = [(a[0] + (z[0] - a[0]) * (i + 0.5) / number, a[1] + (z[1] - a[1]) * (i + 0.5) / number) for i in range(number)]
    teeth = " ".join(path((x, y), (x + 8 * right, y + 8 * down)) for x, y in steps)
    return f'<path d="{teeth}" fill="none" stroke="{colour}" stroke-width="5"/>'


def room(shape: Sequence[Spot], x: float, top: float, low: float) -> float:
    """How wide a line of text centred on x may be between two heights to stay in an outline; 0 if it does not fit."""
    return max(0.0, 2 * min(_free(shape, x, height) for height in (top, low)) - 8)


def _free(shape: Sequence[Spot], x: float, y: float) -> float:
    """The way from a point to the outline, left or right, whichever is shorter; 0 outside."""
    edges = zip(shape, [*shape[1:], shape[0]], strict=True)
    cuts = [ax + (zx - ax) * (y - ay) / (zy - ay) for (ax, ay), (zx, zy) in edges if (ay > y) != (zy > y)]
    left, right = [x - c for c in cuts if c <= x], [c - x for c in cuts if c > x]
    return min(*left, *right) if len(left) % 2 else 0.0


def fitted(words: str, size: int, shape: Sequence[Spot], x: float, y: float) -> list[str]:
    """A text in lines centred on x, from y downward, each as long as an outline has room at its height; "..." where it is cut off. A word
    that no line holds ends it; if there is no room at all, it is left out."""
    left, out = words.split(), list[str]()
    while left:
        low = y + len(out) * (size + 1)
        letters = int(room(shape, x, low - size, low) / (size * GLYPH))
        taken = 0
        while taken < len(left) and len(" ".join(left[: taken + 1])) <= letters:
            taken += 1
        if not taken:
            break
        out.append(" ".join(left[:taken]))
        left = left[taken:]
    if left and out:
        out[-1] = out[-1].rstrip(",") + "..."
    return out
