"""Positions that a viewer may suppose: the same ones, whatever it is that he may not know; and all that he sees is so in them."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

import rulekit
from rulekit.play.state import State
from rulekit.play.supposed import WAYS, supposed
from rulekit.play.view import Viewer
from rulekit.program import cells
from rulekit.program.program import COUNTER, SCRIPT, SEED
from tests.play.twins import swaps
from tests.seat.seats import decisions


def looked_at(name: str) -> Iterator[tuple[rulekit.State, int]]:
    """Some positions of a game, for each side."""
    for number, (state, _) in enumerate(decisions(name, range(2), 60)):
        if number % 4 == 1:
            yield from ((state, viewer) for viewer in range(len(state.names.sides)))


def values(state: rulekit.State, viewer: int) -> list[list[int]]:
    """What the cells hold in each of the positions that are supposed."""
    program = state.table.program
    return [[cells.read(slots, cell, keys) for cell in program.cells for keys in cells.places(cell)] for slots in supposed(Viewer(state, viewer))]


@pytest.mark.parametrize("name", ["cards", "secrets"])
def test_who_cannot_tell_positions_apart_supposes_the_same(name: str) -> None:
    """Two things that he never could tell apart have changed places."""
    compared = 0
    for state, viewer in looked_at(name):
        own = values(state, viewer)
        for swap in list(swaps(state, viewer))[:6]:
            assert values(swap.twin(), viewer) == own
            compared += 1
    assert compared > 20


@pytest.mark.parametrize("name", ["cards", "secrets"])
def test_what_he_sees_is_so_in_each_of_them(name: str) -> None:
    """Sizes of pools, his own things and all that lies open; with no die to come. What he does not see is not always the same."""
    different = 0
    for state, viewer in looked_at(name):
        seen = json.dumps({**Viewer(state, viewer).everything(), "events": []})
        found = supposed(Viewer(state, viewer))
        assert len(found) == WAYS
        for slots in found:
            assert not any(slots[at] for at in (SEED, COUNTER, SCRIPT))
            assert json.dumps({**Viewer(State(state.table, slots[:]), viewer).everything(), "events": []}) == seen
        different += len(set(map(tuple, values(state, viewer)))) > 1
    assert different > 5
