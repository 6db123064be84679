"""Determinizations of an observer: they do not depend on hidden information, and agree with the
observation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice, permutations
from pathlib import Path

import pytest

import rulekit
from rulekit.engine.game.state import State
from rulekit.engine.knowledge.information_set import DEALS, WAYS, deals, unseen_values
from rulekit.engine.knowledge.observation import Observer
from rulekit.runtime import cells
from rulekit.runtime.slots import COUNTER, SCRIPT, SEED
from tests.engine.knowledge.twins import swaps
from tests.presentation.seat_positions import decisions
from tests.small_games import write_game


def looked_at(name: str) -> Iterator[tuple[rulekit.State, int]]:
    """Yield some positions of a game, for each side."""
    for number, (state, _) in enumerate(decisions(name, range(2), 60)):
        if number % 4 == 1:
            yield from ((state, observer) for observer in range(len(state.names.sides)))


def values(state: rulekit.State, observer: int) -> list[list[int]]:
    """Return the values of the cells in each determinization."""
    program = state.table.program
    return [
        [cells.read(slots, cell, keys) for cell in program.cells for keys in cells.places(cell)]
        for slots in deals(Observer(state, observer))
    ]


@pytest.mark.parametrize("name", ["cards", "secrets"])
def test_who_cannot_tell_positions_apart_supposes_the_same(name: str) -> None:
    """Two things that they never could distinguish are swapped."""
    compared = 0
    for state, observer in looked_at(name):
        own = values(state, observer)
        for swap in list(swaps(state, observer))[:6]:
            assert values(swap.twin(), observer) == own
            compared += 1
    assert compared > 20


@pytest.mark.parametrize("name", ["cards", "secrets"])
def test_what_he_sees_is_so_in_each_of_them(name: str) -> None:
    """This covers sizes of pools, their own things and everything public. No future die is
    included. Hidden values are not always the same."""
    different = 0
    for state, observer in looked_at(name):
        seen = json.dumps({**Observer(state, observer).everything(), "events": []})
        found = deals(Observer(state, observer))
        assert 0 < len(found) <= DEALS
        for slots in found:
            assert not any(slots[at] for at in (SEED, COUNTER, SCRIPT))
            assert (
                json.dumps(
                    {**Observer(State(state.table, slots[:]), observer).everything(), "events": []}
                )
                == seen
            )
        different += len(set(map(tuple, values(state, observer)))) > 1
    assert different > 5


POOLS = """
kind Chit = storm | spy | calm | gale
pool cup of Chit seen by none
pool hand(s: Side) of Chit seen by s
setup
  each c in Chit
    put c in cup
  draw 1 from cup to hand(red)
  draw 1 from cup to hand(blue)
phase main
  pick c from hand(red) by red "face down"
  finish none, drawn
"""


def test_what_lies_in_a_pool_is_supposed_whoever_drew_it(tmp_path: Path) -> None:
    """Only pools are hidden. Blue's hand may hold any thing except red's, and an observer who sees
    all has the true position."""
    state = rulekit.load(write_game(tmp_path, POOLS)).new(seed=1, dice=[0, 1])
    found = deals(Observer(state, "red"))
    hands = [State(state.table, slots).get("hand.blue") for slots in found]
    assert (
        len(found) == WAYS and len({str(hand) for hand in hands}) == WAYS and ["storm"] not in hands
    )
    assert all(State(state.table, slots).get("hand.red") == ["storm"] for slots in found)


BLOCKS = """
kind Zone = hill | camp | ford
kind Block = r1(red) | b1(blue) | b2(blue) | b3(blue)
  fixed owner: Side
  identity seen by owner
  state zone: Zone
event placed(b: Block, z: Zone)
  b.zone := z
phase main
  pick c from 1 .. 2 by red "on"
  finish none, drawn
"""


def test_what_is_supposed_hangs_on_where_things_stand_and_not_on_their_names(
    tmp_path: Path,
) -> None:
    """Blue's blocks change places. Red has the same determinizations in the same order, each with
    another assignment."""
    state, answers = rulekit.load(write_game(tmp_path, BLOCKS)).new(seed=1), []
    for places in permutations(("hill", "camp", "ford")):
        for block, place in zip(("b1", "b2", "b3"), places, strict=True):
            state.set(f"zone.{block}", place)
        answers.append(values(state, 0))
    assert len(set(map(str, answers))) == 1 and len(set(map(tuple, answers[0]))) == 6


HIDDEN = """
kind Spot = camp | ford | hill
state plan(s: Side): Spot? seen by s
state amount(s: Side): 2..5 = 3 seen by s
state sure(s: Side): bool seen by s
state purse(s: Side): 100..900 = 500 seen by s
state held(s: Side): set Spot = {hill} seen by s
phase main
  plan(blue) := ford
  pick c from 1 .. 2 by red "on"
  finish none, drawn
"""
NAMES = ["plan", "amount", "sure", "purse", "held"]


def test_a_value_that_is_not_seen_is_the_first_that_it_may_be(tmp_path: Path) -> None:
    """This covers every form, within its bounds. Visible values are true. All possible values are
    listed, the first one first."""
    observer = Observer(rulekit.load(write_game(tmp_path, HIDDEN)).new(seed=1), "red")
    [slots] = deals(observer)
    found = State(observer.state.table, slots)
    assert [found.get(f"{name}.blue") for name in NAMES] == ["camp", 2, False, 100, []]
    assert [found.get(f"{name}.red") for name in NAMES] == [None, 3, False, 500, ["hill"]]
    assert [each.values for each in unseen_values(observer)] == [
        (0, 1, 2, -1),
        (2, 3, 4, 5),
        (0, 1),
        None,
        tuple(range(8)),
    ]


def test_where_nothing_is_hidden_it_is_what_is_so_without_its_dice(tmp_path: Path) -> None:
    rules = HIDDEN.replace(" seen by s", "")
    state = rulekit.load(write_game(tmp_path, rules)).new(seed=5)
    [slots] = deals(Observer(state, "red"))
    assert State(state.table, slots).get("plan.blue") == "ford" and slots[SEED] == 0


def test_a_column_is_what_is_read_place_by_place_and_written_so() -> None:
    """This holds for each form of a cell: its own slots, masks, indexes."""
    forms = set[str]()
    for name in ("cards", "sphacteria", "amphipolis"):
        for state, _ in islice(decisions(name, range(1), 20), 19, 20):
            program = state.table.program
            for cell in program.cells:
                column = cells.column(state.slots, cell)
                assert column == [
                    cells.read(state.slots, cell, keys) for keys in cells.places(cell)
                ]
                if cell.pool:
                    continue
                turned, one, other = column[1:] + column[:1], state.slots[:], state.slots[:]
                cells.write_column(one, cell, turned)
                for keys, value in zip(cells.places(cell), turned, strict=True):
                    cells.write(program, other, cell, keys, value)
                assert one == other
                forms.add(cell.form)
    assert forms == {"plain", "mask", "index", "both"}
