"""Observations as tensors: named planes of numbers that hold a player's knowledge of a state.

The planes are computed from the player's view, so they cannot hold anything that the view leaves
out. docs/analysts.md describes each plane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from rulekit.engine.game.state import State
from rulekit.engine.kernel.events import HIDDEN
from rulekit.engine.kernel.names import Names
from rulekit.engine.knowledge.observation import Observer
from rulekit.runtime.program import CellInfo, DecisionInfo, TypeInfo

Numbers = NDArray[np.float32]
_Fill = Callable[[Observer, Numbers], None]
BUILT_IN = (
    "observer",
    "player",
    "winner",
    "over",
    "decision",
    "phase",
)  # planes of every game. A state named `player` gets the plane `state player`


@frozen
class Plane:
    """A named part of a tensor.

    Attributes:
        name: its name, unique within a program.
        shape: the length of each axis.
        offset: the index of its first number in the flat tensor.
        axes: the name of each axis: a kind, "number" or "value".
        members: for each axis, the label of each index.
    """

    name: str
    shape: tuple[int, ...]
    offset: int
    axes: tuple[str, ...]
    members: tuple[tuple[str, ...], ...] = field(repr=False)

    @property
    def size(self) -> int:
        """The number of values in the plane."""
        return prod(self.shape)


class _Once(Observer):
    """An observer that computes each cell, pool and unknown thing at most once, even if several
    planes need it.
    """

    def __init__(self, state: State, player: int | str | None) -> None:
        super().__init__(state, player)
        self._cells: dict[int, dict[str, Any]] = {}
        self._pools: dict[int, dict[str, Any]] = {}

    def cell(self, at: int) -> dict[str, Any]:
        """Return the observer's view of a cell (cached)."""
        if at not in self._cells:
            self._cells[at] = super().cell(at)
        return self._cells[at]

    def pool(self, at: int) -> dict[str, Any]:
        """Return the observer's view of a pool (cached)."""
        if at not in self._pools:
            self._pools[at] = super().pool(at)
        return self._pools[at]

    @cached_property
    def _unknown(self) -> dict[str, list[dict[str, Any]]]:
        return super().unknown()

    def unknown(self) -> dict[str, list[dict[str, Any]]]:
        """Return the things with unknown identity (cached)."""
        return self._unknown


class Planes:
    """All planes of a program, in order. Their names are unique, even if a game names a state like
    a built-in plane.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.planes: list[Plane] = []
        self.size = 0
        self._fills: list[_Fill] = []
        self._build()

    def write(self, state: State, player: int | None, out: Numbers) -> None:
        """Write the knowledge of a player (None: a spectator) into a flat array."""
        observer = _Once(state, player)
        out.fill(0)
        for plane, fill in zip(self.planes, self._fills, strict=True):
            fill(observer, out[plane.offset : plane.offset + plane.size].reshape(plane.shape))

    def tensor(self, state: State, player: int | None) -> Numbers:
        """Return the knowledge of a player (None: a spectator) as a new flat array."""
        out = np.zeros(self.size, np.float32)
        self.write(state, player, out)
        return out

    def named(self, tensor: Numbers) -> dict[str, Numbers]:
        """Return the planes of a flat array by name, without copying."""
        return {
            plane.name: tensor[plane.offset : plane.offset + plane.size].reshape(plane.shape)
            for plane in self.planes
        }

    # ---------------------------------------------------------------- the list of planes
    def _add(self, name: str, axes: Sequence[tuple[str, Sequence[str]]], fill: _Fill) -> None:
        shape = tuple(len(members) for _, members in axes)
        plane = Plane(
            name,
            shape,
            self.size,
            tuple(kind for kind, _ in axes),
            tuple(tuple(members) for _, members in axes),
        )
        self.planes.append(plane)
        self._fills.append(fill)
        self.size += plane.size

    def _build(self) -> None:
        program, sides = self.names.program, self.names.sides
        side = (program.kinds[program.sides].name, sides)
        self._add("observer", [side], lambda observer, out: _one(out, observer.me))
        self._add(
            "player", [side], lambda observer, out: _one(out, observer.state.current_player())
        )
        self._add("winner", [side], self._winner)
        self._add(
            "over",
            [("value", ["over"])],
            lambda observer, out: out.fill(observer.state.is_terminal()),
        )
        asked = list(dict.fromkeys(map(_asked, program.decisions)))
        self._add(
            "decision",
            [("value", ["/".join(filter(None, each)) for each in asked])],
            self._decision(asked),
        )
        for at, cell in enumerate(program.cells):
            if not cell.hidden:
                (self._pool if cell.pool else self._cell)(at, cell)
        self._unknown()
        self._phases()

    def _winner(self, observer: Observer, out: Numbers) -> None:
        result = observer.state.result
        if result is not None and result.winner is not None:
            out[self.names.sides.index(result.winner)] = 1

    @staticmethod
    def _decision(asked: Sequence[tuple[str, ...]]) -> _Fill:
        at = {each: i for i, each in enumerate(asked)}

        def fill(observer: Observer, out: Numbers) -> None:
            info = observer.asking()
            if info is not None:
                out[at[_asked(info)]] = 1

        return fill

    def _own(self, cell: CellInfo) -> str:
        """Return the name of the plane of a state or pool, with a prefix if it is the name of a
        built-in plane.
        """
        name = self.names.cell_name(cell)
        return f"{'pool' if cell.pool else 'state'} {name}" if name in BUILT_IN else name

    def _keys(self, cell: CellInfo) -> list[tuple[str, list[str]]]:
        return [
            (
                self.names.program.kinds[key.kind].name if key.kind >= 0 else "number",
                [self.names.key_name(key, key.low + i) for i in range(key.size)],
            )
            for key in cell.keys
        ]

    def _cell(self, at: int, cell: CellInfo) -> None:
        name, keys, coder = self._own(cell), self._keys(cell), _Coder(self.names, cell.type)
        place = {dotted: i for i, (_, dotted) in enumerate(self.names.dotted[at])}

        def fill(observer: Observer, out: Numbers) -> None:
            rows = out.reshape(-1, coder.width)
            for dotted, value in observer.cell(at).items():
                coder.put(rows[place[dotted]], value)

        self._add(name, [*keys, *coder.axis] or [("value", [name])], fill)
        if not _is_plain(self.names, cell):

            def known(observer: Observer, out: Numbers) -> None:
                out.reshape(-1)[[place[dotted] for dotted in observer.cell(at)]] = 1

            self._add(f"{name} known", keys or [("value", [name])], known)

    def _pool(self, at: int, cell: CellInfo) -> None:
        name, keys, coder = self._own(cell), self._keys(cell), _Coder(self.names, cell.type)
        place = {dotted: i for i, (_, dotted) in enumerate(self.names.dotted[at])}

        def members(observer: Observer, out: Numbers) -> None:
            rows = out.reshape(-1, coder.width)
            for dotted, lying in observer.pool(at).items():
                coder.put(rows[place[dotted]], lying["members"])

        def sizes(observer: Observer, out: Numbers) -> None:
            rows = out.reshape(-1)
            for dotted, lying in observer.pool(at).items():
                rows[place[dotted]] = lying["size"] / len(
                    self.names.program.kinds[cell.type.kind].members
                )

        self._add(name, [*keys, *coder.axis], members)
        self._add(f"{name} size", keys or [("value", [cell.name])], sizes)

    def _unknown(self) -> None:
        """Add a plane for each attribute of things with hidden identity: the number of unknown
        things with each value.
        """
        program = self.names.program
        for kind_at, kind in enumerate(program.kinds):
            for cell in program.cells if kind.hidden_identity else ():
                if cell.owner == kind_at and len(cell.keys) == 1 and not cell.hidden:
                    coder = _Coder(self.names, cell.type)
                    self._add(
                        f"unknown {kind.name}.{cell.name}",
                        coder.axis or [("value", [cell.name])],
                        _counted(kind.name, cell.name, coder),
                    )

    def _phases(self) -> None:
        phases = [
            proc for proc in self.names.program.procs if proc.word == "phase" and proc.returns >= 0
        ]
        at = {proc.name: i for i, proc in enumerate(phases)}
        if not phases:
            return

        def going_on(observer: Observer, out: Numbers) -> None:
            for phase in observer.phases():
                out[at[phase["phase"]]] = 1

        self._add("phase", [("value", list(at))], going_on)
        for proc in phases:
            for var in proc.vars[: proc.params]:
                if var.slot >= 0:
                    coder = _Coder(self.names, var.type, True)
                    self._add(
                        f"{proc.name}.{var.name}",
                        coder.axis or [("value", [var.name])],
                        _parameter(proc.name, var.name, coder),
                    )


def _one(out: Numbers, at: int) -> None:
    if at >= 0:
        out[at] = 1


def _asked(info: DecisionInfo) -> tuple[str, ...]:
    """Return the public part of a decision: its kind and prompt, without the values in it."""
    return info.kind, info.prompt, info.text, str(info.moment) if info.moment >= 0 else ""


def _is_plain(names: Names, cell: CellInfo) -> bool:
    """Return True if everybody may know every value of a cell."""
    return cell.everyone and not any(
        key.kind >= 0 and names.program.kinds[key.kind].hidden_identity for key in cell.keys
    )


def _counted(kind: str, cell: str, coder: _Coder) -> _Fill:
    def fill(observer: Observer, out: Numbers) -> None:
        for thing in observer.unknown()[kind]:
            if cell in thing:
                coder.put(out, thing[cell])

    return fill


def _parameter(proc: str, var: str, coder: _Coder) -> _Fill:
    def fill(observer: Observer, out: Numbers) -> None:
        for phase in observer.phases():
            if phase["phase"] == proc:
                coder.put(out, phase[var])

    return fill


class _Coder:
    """Writes plain values of a type into a row of numbers.

    A member or a set becomes one number for each member, one for `none` and one for each hidden
    element. Other values become one number, scaled to 0 .. 1 if the type is bounded.
    """

    def __init__(self, names: Names, type: TypeInfo, going_on: bool = False) -> None:
        """Choose the columns for a type.

        Args:
            going_on: the value is a parameter of a running phase. A thing is then also hidden if
                its location is unknown.
        """
        self._type = type
        columns: list[str] = []
        if type.form in ("member", "set"):
            kind = names.program.kinds[type.kind]
            may_hide = kind.hidden_identity or (going_on and kind.veiled)
            columns = [
                *kind.members,
                *(["none"] if type.optional else []),
                *([HIDDEN] if may_hide else []),
            ]
            self.axis: list[tuple[str, Sequence[str]]] = [(kind.name, columns)]
        elif type.form == "int" and type.optional:
            columns = ["number", "none"]
            self.axis = [("value", columns)]
        elif type.form == "ratio":
            columns = ["left", "right"]
            self.axis = [("value", columns)]
        else:
            self.axis = []
        self.width = len(columns) or 1
        self._at: Mapping[Any, int] = {column: i for i, column in enumerate(columns)}

    def put(self, out: Numbers, value: Any) -> None:
        """Add a value to a row."""
        type = self._type
        if type.form in ("member", "set"):
            for each in value if isinstance(value, list) else [value]:
                at = self._at.get("none" if each is None else each)
                if at is not None:
                    out[at] += 1
        elif type.form == "ratio":
            out += np.asarray(value, np.float32)
        elif value is None:
            out[-1] += 1
        else:
            out[:1] += self._scaled(value)

    def _scaled(self, value: Any) -> float:
        low, high = self._type.low, self._type.high
        if low is None or high is None or high <= low:
            return float(value)
        return (float(value) - low) / (high - low)


def described(planes: Planes) -> Iterator[str]:
    """Yield one readable line for each plane."""
    return (
        f"{plane.name}:"
        f" {' x '.join(f'{a} {n}' for a, n in zip(plane.axes, plane.shape, strict=True))}"
        for plane in planes.planes
    )


__all__ = ["Plane", "Planes", "described"]
