"""Takes a program, makes `Measures`: what is measured in the course of a game beside its result:
turns, and the score of each side.

Which total is the score, the game says: `seat: score:` in drawing.yaml, else `victory_total` in
game.yaml, else the total `vp`. Its turns are counted by a state of its own that hangs on nothing
and is called `turn` or `round`."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rulekit.runtime import cells
from rulekit.runtime.code import Code
from rulekit.runtime.program import CellInfo, Program
from rulekit.runtime.slots import SEED

TURNS = ("turn", "round")  # what the state is called that counts the turns
DEFAULT_TOTAL = "vp"


@frozen
class Measures:
    """`score`: the index of the total that is the score of a side, or -1; `name`: what it is
    called. `turn`: the slot that counts the turns; where nothing does, one that never changes.
    `turns`: does something count them?"""

    score: int
    name: str
    turn: int
    turns: bool
    sides: int

    def scores(self, code: Code, s: list[int]) -> list[int]:
        """The score of each side; empty if the game has none."""
        return (
            [code.total(s, self.score, [side]) for side in range(self.sides)]
            if self.score >= 0
            else []
        )


def measures(program: Program) -> Measures:
    """What can be measured in games of a program."""
    name = score_name(program)
    score = next(
        (
            i
            for i, t in enumerate(program.totals)
            if t.name == name
            and t.context < 0
            and program.sides >= 0
            and [type.kind for _, type in t.params] == [program.sides]
        ),
        -1,
    )
    cell = turn_cell(program)
    return Measures(
        score,
        name if score >= 0 else "",
        cells.slots_at(cell, 0)[0] if cell else SEED,
        cell is not None,
        len(program.kinds[program.sides].members) if program.sides >= 0 else 0,
    )


def score_name(program: Program) -> str:
    """The total that is shown as the score of a side."""
    shown = (program.info.get("drawing") or {}).get("seat", {}).get("score")
    return str(shown or victory_name(program))


def victory_name(program: Program) -> str:
    """The total by which a game is won: the manifest's `victory_total`, else `vp`."""
    return str(manifest_of(program).get("victory_total") or DEFAULT_TOTAL)


def manifest_of(program: Program) -> dict[str, Any]:
    """game.yaml, as far as it is told to a program."""
    found = program.info.get("manifest", {})
    return found if isinstance(found, dict) else {}


def turn_cell(program: Program) -> CellInfo | None:
    """The state that counts the turns; None if there is none."""
    return next(
        (
            c
            for c in program.cells
            if c.name in TURNS and not c.keys and c.type.form == "int" and not c.hidden
        ),
        None,
    )
