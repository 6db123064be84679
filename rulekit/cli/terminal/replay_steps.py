"""The steps of a running game for an observer: the effects of each choice, and those since the
observer's last one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from attrs import frozen

from rulekit.engine.game.state import State
from rulekit.engine.knowledge.observation import Observer
from rulekit.presentation.log import LogLine, log


@frozen
class ReplayStep:
    """The effects of one choice, as an observer may read them.

    Attributes:
        choice: its number from 1, 0 for the set-up.
        side: the player who made it, -1 for nobody.
    """

    choice: int
    side: int
    lines: tuple[LogLine, ...]


def steps(state: State, observer: int | None) -> list[ReplayStep]:
    """Return the steps of the game with visible effects. The last one may still be running."""
    lines = log(Observer(state, observer))
    return [
        ReplayStep(choice, decider(state, choice), tuple(step_lines))
        for choice, step_lines in groupby(lines, key=lambda line: line.choice)
    ]


def decider(state: State, choice: int) -> int:
    """Return the player who made a choice, -1 for the set-up."""
    return state.marks[choice - 1].chooser if choice else -1


def begin_since(found: Sequence[ReplayStep], who: int) -> int:
    """Return the index of the first step after the player's last one, 0 if the player has made
    none.
    """
    return max((at + 1 for at, step in enumerate(found) if step.side == who), default=0)


def at_choice(state: State, choice: int) -> State:
    """Return a copy of the game after its first `choice` choices."""
    there = state.clone()
    while there.move_number() > choice:
        there.undo()
    return there
