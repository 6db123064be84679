"""Plots as SVG, each in a light and a dark version: shares with intervals, scores by turn,
histograms, and the review of a game.

Matplotlib draws them, and is imported only for the first plot. The same counts give the same bytes.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from textwrap import fill, shorten
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.common.intervals import ranked, wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_TICKS = 14  # whole numbers below a plot that each get a mark
MIN_LIGHT_GROUND = 0.4  # luminance of a ground on which colours are darkened
MAX_LINEAR_VALUE = 0.04045  # up to this value, the light of a colour is linear in it, after WCAG 2
DIGITS_OF_SHORT_COLOUR = 3  # one for each of red, green and blue
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "*")
WIDE = 8.2  # inches. The page scales it
LEAST_CONTRAST = 4.5  # between plot and background, after WCAG 2
TITLE = 44  # letters in a line of the title of a small plot
LABEL = 48  # letters of a row's name
BINS = 32


@frozen
class Theme:
    """The colours of a page."""

    name: str
    ground: str
    ink: str
    faint: str
    plain: str  # of series that belong to no side


LIGHT = Theme("light", "#fffdf8", "#2b2822", "#ddd7c9", "#6b5a3c")
DARK = Theme("dark", "#201f1d", "#ece7db", "#45423c", "#cdb98d")


@frozen
class Series:
    """A series of a plot: its name, its colour ('' if it belongs to no side) and its marker."""

    label: str
    colour: str = ""
    marker: str = "o"


@frozen
class Picture:
    """A plot as SVG for a light and a dark page.

    Attributes:
        alt_text: the alternative text.
    """

    light: str
    dark: str
    alt_text: str


# a row of a plot of shares: its name, and for each series the hits and trials (None: there are
# none)
Row = tuple[str, Sequence[tuple[int, int] | None]]


def shares(rows: Sequence[Row], series: Sequence[Series], axis: str, alt_text: str) -> Picture:
    """Plot shares with their 95 % intervals, one line for each row. If no row has more than one
    share, it is also printed as a number.
    """
    alone = all(sum(hit is not None for hit in found) <= 1 for _, found in rows)
    step = 0.30 if alone else 0.16 * len(series) + 0.20

    def draw(figure: Figure, theme: Theme) -> None:
        axes = figure.subplots()
        for at, (__, found) in enumerate(rows):
            for i, (each, hit) in enumerate(zip(series, found, strict=True)):
                if hit is None:
                    continue
                low, high = wilson(*hit)
                y = at if alone else at + (i - (len(series) - 1) / 2) * (0.62 / len(series))
                colour, part = (
                    legible(each.colour or theme.plain, theme.ground),
                    hit[0] / max(hit[1], 1),
                )
                axes.plot(
                    [100 * low, 100 * high],
                    [y, y],
                    color=colour,
                    linewidth=2.2,
                    solid_capstyle="butt",
                    zorder=2,
                )
                axes.plot(
                    [100 * part],
                    [y],
                    each.marker,
                    color=colour,
                    markersize=5.5,
                    markeredgecolor=theme.ground,
                    zorder=3,
                    label=each.label if at == 0 else None,
                )
                if alone:
                    axes.text(
                        101.5,
                        y,
                        f"{100 * part:.1f} %",
                        va="center",
                        ha="left",
                        fontsize=8.5,
                        color=theme.ink,
                    )
        axes.set_yticks(
            range(len(rows)),
            [shorten(name, LABEL, placeholder=" …") or name[:LABEL] for name, _ in rows],
        )
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlim(-1, 101)
        axes.set_xticks(range(0, 101, 20), [f"{x} %" for x in range(0, 101, 20)])
        axes.set_xlabel(axis)
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
        if not alone:
            axes.hlines(
                [at + 0.5 for at in range(len(rows) - 1)],
                -1,
                101,
                color=theme.faint,
                linewidth=0.6,
                linestyle=":",
            )
            _legend(figure, axes)

    return _pictured(draw, max(1.3, step * len(rows) + (0.7 if alone else 1.1)), alt_text)


def by_turn(
    parts: Sequence[tuple[str, Mapping[int, Sequence[Mapping[int, int]]]]],
    series: Sequence[Series],
    axes_names: tuple[str, str],
    alt_text: str,
) -> Picture:
    """Plot the score of each series at the end of each turn: the median, the middle half and the
    middle nine tenths of the games.

    Args:
        parts: small plots in a grid. Each has a title and, for each turn and series, the count of
            each value.
    """
    across = min(2, len(parts))
    down = -(-len(parts) // across)

    def draw(figure: Figure, theme: Theme) -> None:
        grid = figure.subplots(down, across, squeeze=False, sharey=True)
        for at, (title, turns) in enumerate(parts):
            axes = grid[at // across][at % across]
            for i, each in enumerate(series):
                colour = legible(each.colour or theme.plain, theme.ground)
                known = [
                    (turn, found[i])
                    for turn, found in sorted(turns.items())
                    if sum(found[i].values())
                ]
                xs = [turn for turn, _ in known]
                for below, above, depth in ((5, 95, 0.13), (25, 75, 0.25)):
                    low, high = (
                        [quantile(found, part) for _, found in known] for part in (below, above)
                    )
                    axes.fill_between(xs, low, high, color=colour, alpha=depth, linewidth=0)
                axes.plot(
                    xs,
                    [quantile(found, 50) for _, found in known],
                    f"{each.marker}-",
                    color=colour,
                    markersize=4.5,
                    linewidth=1.8,
                    label=each.label,
                    markeredgecolor=theme.ground,
                    markeredgewidth=0.6,
                )
            axes.set_xticks(sorted(turns), [str(turn) for turn in sorted(turns)])
            axes.set_title(fill(title, TITLE))
            axes.grid(axis="y")
            if at // across == (len(parts) - 1 - at % across) // across:
                axes.set_xlabel(axes_names[0])
            if at % across == 0:
                axes.set_ylabel(axes_names[1])
        for at in range(len(parts), across * down):
            grid[at // across][at % across].set_visible(False)
        _legend(figure, grid[0][0])

    return _pictured(draw, 0.5 + (2.9 if across == 1 else 2.5) * down, alt_text)


def histogram(
    parts: Sequence[tuple[str, Sequence[Mapping[int, int]]]],
    series: Sequence[Series],
    axis: str,
    alt_text: str,
) -> Picture:
    """Plot the frequency of each number, in percent of the games of its part. Several series are
    drawn as overlaid outlines.
    """
    across = min(2, len(parts))
    down = -(-len(parts) // across)

    def draw(figure: Figure, theme: Theme) -> None:
        grid = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True)
        edges = _edges([counts for _, found in parts for counts in found])
        for at, (title, found) in enumerate(parts):
            axes = grid[at // across][at % across]
            for each, counts in zip(series, found, strict=True):
                colour, many = (
                    legible(each.colour or theme.plain, theme.ground),
                    max(sum(counts.values()), 1),
                )
                heights = [
                    100 * sum(n for number, n in counts.items() if low <= number < high) / many
                    for low, high in pairwise(edges)
                ]
                axes.stairs(
                    heights,
                    [edge - 0.5 for edge in edges],
                    fill=True,
                    color=colour,
                    alpha=0.28 if len(series) > 1 else 0.75,
                )
                axes.stairs(
                    heights,
                    [edge - 0.5 for edge in edges],
                    color=colour,
                    linewidth=1.6,
                    label=each.label,
                )
            if edges[-1] - edges[0] <= MAX_TICKS:
                axes.set_xticks(range(edges[0], edges[-1]))
            else:
                axes.xaxis.get_major_locator().set_params(integer=True)
            axes.set_title(fill(title, TITLE))
            axes.yaxis.set_major_formatter(lambda value, __: f"{value:g} %")
            axes.grid(axis="y")
            if at >= len(parts) - across:
                axes.set_xlabel(axis)
        for at in range(len(parts), across * down):
            grid[at // across][at % across].set_visible(False)
        grid[0][0].set_ylim(bottom=0)  # when all are drawn: the axis is theirs together
        if len(series) > 1:
            _legend(figure, grid[0][0])

    return _pictured(draw, (0.45 if len(series) > 1 else 0.1) + 2.4 * down, alt_text)


def review(
    lines: Sequence[Sequence[tuple[int, float]]],
    rings: Sequence[tuple[int, float]],
    series: Sequence[Series],
    axes_names: tuple[str, str],
    shares: bool,
    alt_text: str,
) -> Picture:
    """Plot the expectations during a game: for each series, its choices and their values.

    Args:
        rings: the points that are numbered, from 1 on.
        shares: True if values are shares of 1, False if they are leads.
    """

    def draw(figure: Figure, theme: Theme) -> None:
        axes = figure.subplots()
        for each, found in zip(series, lines, strict=True):
            colour = legible(each.colour or theme.plain, theme.ground)
            axes.plot(
                [x for x, _ in found],
                [y for _, y in found],
                f"{each.marker}-",
                color=colour,
                markersize=3,
                linewidth=1.3,
                label=each.label,
                markeredgewidth=0,
            )
        axes.axhline(0.5 if shares else 0, color=theme.ink, linewidth=0.8)
        for number, (x, y) in enumerate(rings, 1):
            axes.plot(
                [x],
                [y],
                "o",
                markersize=11,
                markerfacecolor="none",
                markeredgecolor=theme.ink,
                markeredgewidth=1.3,
                zorder=4,
            )
            axes.annotate(
                str(number),
                (x, y),
                (0, 9),
                textcoords="offset points",
                ha="center",
                fontsize=8.5,
                fontweight="bold",
                color=theme.ink,
                zorder=5,
            )
        if shares:
            axes.set_ylim(-0.04, 1.08)
            axes.set_yticks(
                [part / 4 for part in range(5)], [f"{25 * part} %" for part in range(5)]
            )
        else:
            axes.margins(y=0.12)
        axes.set_xlabel(axes_names[0])
        axes.set_ylabel(axes_names[1])
        axes.grid(axis="y")
        _legend(figure, axes)

    return _pictured(draw, 3.8, alt_text)


# ------------------------------------------------------------------------------------------ numbers
def quantile(counts: Mapping[int, int], part: int) -> int:
    """Return the number below which `part` percent of the counted numbers lie."""
    return ranked(counts, (sum(counts.values()) - 1) * part // 100)


def _edges(found: Sequence[Mapping[int, int]]) -> list[int]:
    """Return bin edges of whole numbers, the same for all series."""
    numbers = [number for counts in found for number in counts] or [0]
    low, high = min(numbers), max(numbers)
    wide = -(-(high - low + 1) // BINS)
    return list(range(low, high + wide + 1, wide))


# ------------------------------------------------------------------------------------------ colours
def legible(colour: str, ground: str) -> str:
    """Return a colour moved towards white or black until it contrasts enough with the ground."""
    away = 0 if _light(ground) > MIN_LIGHT_GROUND else 255
    parts = _parts(colour)
    for step in range(21):
        mixed = [round(part + (away - part) * step / 20) for part in parts]
        text = "#" + "".join(f"{part:02x}" for part in mixed)
        if contrast(text, ground) >= LEAST_CONTRAST:
            return text
    return text


def contrast(one: str, two: str) -> float:
    """Return the contrast of two colours after WCAG 2, from 1 to 21."""
    low, high = sorted((_light(one), _light(two)))
    return (high + 0.05) / (low + 0.05)


def _light(colour: str) -> float:
    def linear(part: int) -> float:
        value = part / 255
        return value / 12.92 if value <= MAX_LINEAR_VALUE else ((value + 0.055) / 1.055) ** 2.4

    red, green, blue = map(linear, _parts(colour))
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def _parts(colour: str) -> list[int]:
    digits = colour.lstrip("#")
    digits = (
        "".join(each * 2 for each in digits) if len(digits) == DIGITS_OF_SHORT_COLOUR else digits
    )
    return [int(digits[i : i + 2], 16) for i in (0, 2, 4)]


# ------------------------------------------------------------------------------------------ drawing
def ask_library() -> Any:
    """Import Matplotlib. Raise `RulekitError` with installation advice if it is missing."""
    os.environ.setdefault("MPLBACKEND", "svg")
    try:
        import matplotlib
    except ImportError:
        raise RulekitError(
            _(
                "a report is drawn with the library {name}: pip install 'rulekit[report]'",
                name="matplotlib",
            )
        ) from None
    return matplotlib


def _legend(figure: Figure, axes: Axes) -> None:
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside upper left",
        ncols=len(labels),
        frameon=False,
        handletextpad=0.5,
        columnspacing=1.6,
    )


def _pictured(draw: Callable[[Figure, Theme], None], tall: float, alt_text: str) -> Picture:
    light, dark = (_svg(draw, tall, theme) for theme in (LIGHT, DARK))
    return Picture(light, dark, alt_text)


def _svg(draw: Callable[[Figure, Theme], None], tall: float, theme: Theme) -> str:
    matplotlib = ask_library()
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_style(theme)):
        figure = Figure(figsize=(WIDE, tall), layout="constrained")
        draw(figure, theme)
        out = io.StringIO()
        figure.savefig(
            out,
            format="svg",
            transparent=True,
            metadata={"Date": None, "Creator": None, "Format": None, "Type": None},
        )
    return out.getvalue()


def _style(theme: Theme) -> dict[str, Any]:
    return {
        "svg.fonttype": "none",
        "svg.hashsalt": "rulekit",
        "font.family": "sans-serif",
        "font.size": 9.5,
        "text.color": theme.ink,
        "text.parse_math": False,
        "axes.labelcolor": theme.ink,
        "axes.edgecolor": theme.faint,
        "xtick.color": theme.ink,
        "ytick.color": theme.ink,
        "xtick.labelcolor": theme.ink,
        "ytick.labelcolor": theme.ink,
        "grid.color": theme.faint,
        "grid.linewidth": 0.8,
        "axes.axisbelow": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.spines.left": False,
        "axes.titlesize": 10,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.facecolor": "none",
        "figure.facecolor": "none",
    }
