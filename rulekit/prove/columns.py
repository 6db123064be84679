"""The tables of a compiled game, with values that can be changed for all its programs at once."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from rulekit.compiler import model as m
from rulekit.prove.probe import Notes
from rulekit.prove.slots import Mutant, TableCell
from rulekit.runtime.compiled import Compiled

Where = tuple[int, int, int]  # table, output, index


class Column(list[int]):
    """The values of one result of some tables. Reading a value can be noted.

    Attributes:
        of: the cell at each index.
        all: all columns of the game.
    """

    of: Sequence[Where]
    all: Columns

    def __getitem__(self, at: Any) -> Any:
        notes = self.all.noted
        if notes is not None and isinstance(at, int):
            index = at + len(self) if at < 0 else at
            if index < len(self.of):
                for number in self.all.numbers.get(self.of[index], ()):
                    notes.met(number)
        return super().__getitem__(at)


class Columns:
    """All columns of a compiled game: those of its emitted code and those of its tables.

    Attributes:
        noted: where the cells that are read are noted, or None.
        numbers: the numbers of the mutants of each cell.
    """

    noted: Notes | None = None

    def __init__(self, model: m.Model, compiled: Compiled, mutants: Sequence[Mutant]) -> None:
        self.numbers: dict[Where, list[int]] = defaultdict(list)
        for number, each in enumerate(mutants, 1):
            if each.cell is not None:
                cell = each.cell
                self.numbers[cell.table, cell.output, cell.index].append(number)
        self._at: dict[Where, list[tuple[Column, int]]] = defaultdict(list)
        self._emitted: dict[tuple[int, ...], str] = {}  # by their values, the names of columns
        self._named: dict[str, Column] = {}
        self._before: list[tuple[Column, int, int]] = []
        for values, of in _columns(model):
            if values not in self._emitted and any(where in self.numbers for where in of):
                name = f"COLUMN{len(self._named)}"
                self._emitted[values] = name
                self._named[name] = self._column(values, of)
        for number, table in enumerate(compiled.program.tables):
            for output, column in enumerate(table.columns):
                of = [(number, output, index) for index in range(len(column))]
                table.columns[output] = self._column(column, of)

    def _column(self, values: Sequence[int], of: Sequence[Where]) -> Column:
        made = Column(values)
        made.of, made.all = of, self
        for index, where in enumerate(of):
            self._at[where].append((made, index))
        return made

    def opened(self, text: str) -> str:
        """Return the text of a program in which these columns have names from outside."""
        lines = text.split("\n")
        for node in ast.parse(text).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
                name = self._emitted.get(_literal(node.value))
                if name is not None and node.lineno == node.end_lineno:
                    target = ast.unparse(node.targets[0])
                    lines[node.lineno - 1] = f"{target} = {name}"
        return "\n".join(lines)

    def names(self) -> dict[str, Any]:
        """Return the columns as constants of a compiled game, by name."""
        return {name: ((), (column,)) for name, column in self._named.items()}

    def change(self, cell: TableCell) -> None:
        """Give a cell its other value."""
        for column, index in self._at[cell.table, cell.output, cell.index]:
            self._before.append((column, index, list.__getitem__(column, index)))
            column[index] = cell.value

    def restore(self) -> None:
        """Give all cells their own values."""
        for column, index, value in self._before:
            column[index] = value
        self._before = []


def _literal(node: ast.Tuple) -> tuple[Any, ...]:
    try:
        found = ast.literal_eval(node)
    except ValueError:
        return ()
    return found if all(isinstance(x, int) for x in found) else ()


def _columns(model: m.Model) -> Iterator[tuple[tuple[int, ...], list[Where]]]:
    """Yield the columns that emitted code contains, each with its cells.

    Code that reads a result of any of several tables has their columns in one.
    """
    for number, table in enumerate(model.tables):
        for output, (_, type) in enumerate(table.outputs):
            alike = [(i, t) for i, t in enumerate(model.tables) if t.outputs == table.outputs]
            for some in ([(number, table)], alike):
                values = [value for _, t in some for value in t.data[output]]
                of = [(i, output, at) for i, t in some for at in range(len(t.data[output]))]
                yield (*values, m.empty(type)), of
