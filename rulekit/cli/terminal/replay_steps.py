"""Takes a game under way and a viewer, makes what happened in it step by step: what each choice
brought, since the viewer's last one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from attrs import frozen

from rulekit.engine.game.state import State
from rulekit.engine.knowledge.observation import Observer
from rulekit.presentation.log import Line, log


@frozen
class Step:
    """What one choice brought, as a viewer may read it. `choice`: its number, from 1; 0: the
    set-up; `side`: who made it, -1: nobody."""

    choice: int
    side: int
    lines: tuple[Line, ...]


def steps(state: State, viewer: int | None) -> list[Step]:
    """The steps of the game that tell something; the last may still be under way."""
    lines = log(Observer(state, viewer))
    return [
        Step(choice, decider(state, choice), tuple(told))
        for choice, told in groupby(lines, key=lambda line: line.choice)
    ]


def decider(state: State, choice: int) -> int:
    """Who made a choice, by its number; -1 for the set-up."""
    return int(state.marks[choice - 1][3]) if choice else -1


def begin_since(found: Sequence[Step], who: int) -> int:
    """The number of the first step after the last that a player made; 0 if he has made none."""
    return max((at + 1 for at, step in enumerate(found) if step.side == who), default=0)


def at_choice(state: State, choice: int) -> State:
    """A copy of the game as it stood after so many choices."""
    there = state.clone()
    while there.choices_count() > choice:
        there.undo()
    return there
