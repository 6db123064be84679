"""Geometry of a grid of hexes: neighbours, names and drawn points."""

from __future__ import annotations

import re

from attrs import field, frozen

Cell = tuple[int, int]  # column and row, from 1

# By direction, for hexes that are not shifted and those that are: how many columns and rows away.
# In order around a hex.
_FLAT = {
    "N": ((0, -1), (0, -1)),
    "NE": ((1, -1), (1, 0)),
    "SE": ((1, 0), (1, 1)),
    "S": ((0, 1), (0, 1)),
    "SW": ((-1, 0), (-1, 1)),
    "NW": ((-1, -1), (-1, 0)),
}
_POINTED = {
    "NE": ((0, -1), (1, -1)),
    "E": ((1, 0), (1, 0)),
    "SE": ((0, 1), (1, 1)),
    "SW": ((-1, 1), (0, 1)),
    "W": ((-1, 0), (-1, 0)),
    "NW": ((-1, -1), (0, -1)),
}
_CORNERS = (
    (-2, 0),
    (-1, -1),
    (1, -1),
    (2, 0),
    (1, 1),
    (-1, 1),
)  # of a flat top: thirds of a column across, halves of a row down
_GAP = re.compile(r"\{(A+|a+|c+|r+)\}")


@frozen
class Lie:
    """The layout of a grid of hexes.

    Attributes:
        flat: True for hexes with flat tops, which are arranged in columns. Others are arranged in
            rows.
        even: True if the even columns or rows are shifted by half a hex, down or to the right.
            Otherwise the odd ones are.
        first: the drawn middle of the first hex.
        step: the distance from column to column and from row to row.
        pattern: the pattern of the names.
    """

    flat: bool
    even: bool
    pattern: str = "{a}{r}"
    first: Cell = (0, 0)
    step: Cell | None = None
    ways: dict[str, tuple[Cell, Cell]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "ways", _FLAT if self.flat else _POINTED)

    @property
    def once(self) -> tuple[str, ...]:
        """The directions that visit each pair of adjacent hexes once."""
        return ("NE", "SE", "S") if self.flat else ("E", "SE", "SW")

    def is_shifted(self, cell: Cell) -> bool:
        return (cell[0 if self.flat else 1] % 2 == 0) == self.even

    def beside(self, cell: Cell, way: str) -> Cell:
        """Return the neighbour in a direction."""
        across, down = self.ways[way][self.is_shifted(cell)]
        return cell[0] + across, cell[1] + down

    def way(self, one: Cell, other: Cell) -> str | None:
        """Return the direction from a hex to an adjacent one, or None if they are not adjacent."""
        return next((way for way in self.ways if self.beside(one, way) == other), None)

    def name(self, cell: Cell) -> str:
        """Return the name of a hex by the pattern.

        `{a}` and `{A}` are the letters of the column, `{c}` is its number, `{r}` is the number of
        the row. `{rr}` has two digits.
        """

        def gap(match: re.Match[str]) -> str:
            word = match[1]
            if word[0] in "aA":
                return letters(cell[0]) if word[0] == "a" else letters(cell[0]).upper()
            return str(cell[0 if word[0] == "c" else 1]).zfill(len(word))

        return _GAP.sub(gap, self.pattern)

    def middle(self, cell: Cell) -> Cell | None:
        """Return the middle of a hex."""
        if self.step is None:
            return None
        x, y = self._thirds_and_halves(cell)
        return self._point(x, y)

    def outline(self, cell: Cell) -> list[Cell]:
        """Return the corners of a hex. Adjacent hexes share two of them."""
        x, y = self._thirds_and_halves(cell)
        corners = _CORNERS if self.flat else tuple((down, across) for across, down in _CORNERS)
        return [self._point(x + across, y + down) for across, down in corners]

    def toward(self, cell: Cell, way: str) -> Cell | None:
        """Return a point between the middle of a hex and its side in a direction."""
        one, other = self.middle(cell), self.middle(self.beside(cell, way))
        return (
            ((3 * one[0] + other[0]) // 4, (3 * one[1] + other[1]) // 4)
            if one is not None and other is not None
            else None
        )

    def _thirds_and_halves(self, cell: Cell) -> Cell:
        """Return the middle in units of the grid.

        Along the columns (for pointed hexes, the rows) the unit is a third of a step. In the other
        direction it is half a step.
        """
        shifted = int(self.is_shifted(cell))
        if self.flat:
            return 3 * (cell[0] - 1), 2 * (cell[1] - 1) + shifted
        return 2 * (cell[0] - 1) + shifted, 3 * (cell[1] - 1)

    def _point(self, x: int, y: int) -> Cell:
        assert self.step is not None
        across, down = (3, 2) if self.flat else (2, 3)
        return self.first[0] + x * self.step[0] // across, self.first[1] + y * self.step[1] // down


def letters(column: int) -> str:
    """Return the letters of a column: 1 is a, 26 is z, 27 is aa."""
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(97 + rest) + text
    return text
