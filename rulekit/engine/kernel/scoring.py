"""The measures of a game apart from its result: the number of turns and each side's score.

The game names the total that is the score: `seat: score:` in drawing.yaml, else `victory_total` in
game.yaml, else the total `vp`. A numeric state without keys, called `turn` or `round`, counts the
turns.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rulekit.runtime import cells
from rulekit.runtime.code import Code
from rulekit.runtime.program import CellInfo, Program
from rulekit.runtime.slots import SEED

TURNS = ("turn", "round")  # possible names of the state that counts the turns
DEFAULT_TOTAL = "vp"


@frozen
class Measures:
    """The measurable quantities of a program.

    Attributes:
        score: the index of the total that is the score of a side, or -1.
        name: the name of that total.
        turn: the slot that counts the turns. If there is none, a slot that never changes.
        turns: True if a slot counts the turns.
        sides: the number of sides.
    """

    score: int
    name: str
    turn: int
    turns: bool
    sides: int

    def scores(self, code: Code, slots: list[int]) -> list[int]:
        """Return the score of each side, or nothing if the game has no score."""
        return (
            [code.total(slots, self.score, [side]) for side in range(self.sides)]
            if self.score >= 0
            else []
        )


def measures(program: Program) -> Measures:
    """Return the measures that games of a program have."""
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
    """Return the name of the total that is shown as the score of a side."""
    shown = (program.info.get("drawing") or {}).get("seat", {}).get("score")
    return str(shown or victory_name(program))


def victory_name(program: Program) -> str:
    """Return the name of the total by which a game is won: `victory_total`, else `vp`."""
    return str(manifest_of(program).get("victory_total") or DEFAULT_TOTAL)


def manifest_of(program: Program) -> dict[str, Any]:
    """Return the parts of game.yaml that a program holds."""
    found = program.info.get("manifest", {})
    return found if isinstance(found, dict) else {}


def turn_cell(program: Program) -> CellInfo | None:
    """Return the state that counts the turns, or None."""
    return next(
        (
            c
            for c in program.cells
            if c.name in TURNS and not c.keys and c.type.form == "int" and not c.hidden
        ),
        None,
    )
