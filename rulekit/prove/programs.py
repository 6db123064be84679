"""Compile a model with switches, and run its situations with one mutant switched on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import CodeType
from typing import Any

from attrs import define

from rulekit.compiler import model as m
from rulekit.compiler.compiler import Compilation
from rulekit.engine.game.game import Game, GameInfo
from rulekit.engine.game.state import State
from rulekit.prove.columns import Columns
from rulekit.prove.probe import Notes, numbers, probed
from rulekit.prove.schema import switch
from rulekit.prove.slots import Mutant
from rulekit.runtime.variants import FULL, TRACED, Variants


class SwitchedGame(Game):
    """A game with a switch.

    Its starts are kept as long as the switch stays where it is, or not at all with `noting`.
    """

    slot, number, noting = 0, 0, False

    def emptied(
        self, scenario: str | None = None, seed: int = 0, rulings: Mapping[str, str] | None = None
    ) -> State:
        """Return the state that the game without a switch has there."""
        state = super().emptied(scenario, seed, rulings)
        state.poke(self.slot, self.number)
        return state

    def started(
        self, scenario: str | None = None, seed: int = 0, rulings: Mapping[str, str] | None = None
    ) -> State:
        """Return a game at its first decision. The set-up obeys the switch."""
        if self.noting:
            return self.new(scenario, seed, rulings).clone(history=False)
        return super().started(scenario, seed, rulings)

    def turn(self, number: int) -> None:
        """Put the switch on a number."""
        self.number = number
        self._starts = {key: state for key, state in self._starts.items() if key[1] is None}


@define(eq=False)
class Schema:
    """A game with many mutants, of which one can be on.

    Attributes:
        game: the game that plays.
        probing: the same game with all mutants off, which fills `notes`.
        absent: the numbers of the mutants that the code does not contain.
    """

    mutants: Sequence[Mutant]
    game: SwitchedGame
    probing: SwitchedGame
    notes: Notes
    absent: set[int]
    _starts: list[list[int]]
    _columns: Columns

    def turn(self, number: int) -> None:
        """Switch on the mutant with this number from 1, or none with 0."""
        self._columns.restore()
        cell = self.mutants[number - 1].cell if number else None
        if cell is not None:
            self._columns.change(cell)
        for initial in self._starts:
            initial[self.game.slot] = number
        self.game.turn(number)

    def note(self, on: bool) -> None:
        """Note the cells of tables that are read, or no longer."""
        self._columns.noted = self.notes if on else None


def schema(model: m.Model, info: GameInfo, mutants: Sequence[Mutant], lang: str = "en") -> Schema:
    """Compile a model with these of its mutants, which are changed in place."""
    cell = switch(model, mutants)
    compilation = Compilation(model)
    text, compiled = compilation.text(FULL), compilation.compiled()
    slot = next(c.base for c in compiled.program.cells if c.name == cell.name)
    notes = Notes()
    columns = Columns(model, compiled, mutants)
    texts: Variants[Any] = Variants(compilation.text)
    source = Variants(lambda v: columns.opened(texts[v].python))
    places: Variants[list[str]] = Variants(lambda v: texts[v].places)

    def noted(python: str, variant: str) -> CodeType:
        file = f"<{compiled.program.name} {variant}>"
        return probed(python, slot, file, compare=variant != TRACED)

    made = compiled.with_code(source, places, {})
    made.constants = {**compiled.constants, **columns.names()}
    noting = compiled.with_code(source, places, Variants(lambda v: noted(source[v], v)))
    noting.constants = {**made.constants, **{k: ((), (f,)) for k, f in notes.names().items()}}
    game, probing = SwitchedGame(info, made.bind, lang), SwitchedGame(info, noting.bind, lang)
    game.slot = probing.slot = slot
    probing.noting = True
    present = numbers(text.python, slot)
    return Schema(
        mutants,
        game,
        probing,
        notes,
        {n for n, each in enumerate(mutants, 1) if n not in present and each.cell is None},
        [start.initial for start in compiled.starts.values()],
        columns,
    )
