"""Data of a reconstructed game for its tests: constant attributes of members, and paths over
borders."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from attrs import define

from rulekit.compiler.model.entities import Kind, MemberOf, SetOf
from rulekit.project.loader import Loader
from tests.games.plays import ROOT

Facts = dict[str, object]


def facts(kind: Kind) -> dict[str, Facts]:
    """Return the constant attributes of each member, with members and sets of them by id."""
    found: dict[str, Facts] = {name: {} for name in kind.members}
    for name, fixed in kind.fixed.items():
        if len(fixed.keys) != 1:
            continue
        for member, value in zip(kind.members, fixed.values, strict=True):
            match fixed.type:
                case MemberOf(kind=of):
                    found[member][name] = of.members[value] if value >= 0 else None
                case SetOf(kind=of):
                    found[member][name] = {x for i, x in enumerate(of.members) if value >> i & 1}
                case _:
                    found[member][name] = value
    return found


@define
class Board:
    """Places, borders by their two places, and the constant attributes of both."""

    places: dict[str, Facts]
    borders: dict[tuple[str, str], Facts]

    def steps(self, start: str, open: Callable[[str, str, Facts], int | None]) -> dict[str, int]:
        """Return the distance of each place, over borders with a cost (or 0) that is not None."""
        far, todo = {start: 0}, deque([start])
        while todo:
            at = todo.popleft()
            for (a, z), border in self.borders.items():
                cost = open(a, z, border) if a == at else None
                if cost is not None and far[at] + cost < far.get(z, 1 << 30):
                    far[z] = far[at] + cost
                    todo.append(z)
        return far


def read(name: str, places: str, borders: str) -> tuple[Board, dict[str, dict[str, Facts]]]:
    """Return the board of a game, and the constant attributes of the members of all kinds."""
    model = Loader(ROOT / "games" / name).model()
    every = {kind.name: facts(kind) for kind in model.kinds.values() if kind.fixed}
    ends = model.kinds[places].members
    ways = model.kinds[borders]
    return (
        Board(
            every[places],
            {(ends[a], ends[z]): every[borders][ways.members[b]] for b, a, z in ways.arcs},
        ),
        every,
    )
