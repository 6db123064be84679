"""Takes a state and a player, makes positions as he may imagine them: other dice, and the unseen things of the pools dealt anew."""

from __future__ import annotations

import random
from collections.abc import Callable

from rulekit.play.state import State
from rulekit.play.view import Viewer
from rulekit.program import cells
from rulekit.program.program import KindInfo
from rulekit.program.runtime import members
from rulekit.program.slots import LAYERS, SCRIPT, SEED


def imagined(state: State, player: int, seed: int) -> list[int]:
    """The slots of a position like this one, as far as the player may know: what lies in pools that he does not see is dealt anew among
    them (each keeps its size; a thing with an owner stays among those of that owner), and dice and draws to come are others.

    Not dealt anew: variables of procedures under way, and pieces on the map whose identity is hidden."""
    slots: list[int] = state.slots[:]
    rng = random.Random(seed)
    slots[SEED], slots[SCRIPT] = rng.getrandbits(48), 0
    slots[LAYERS] = None  # type: ignore[call-overload]
    for kind, owner, places in _unseen(state, player):
        known = slots[kind.known_slot] if kind.known_slot >= 0 else 0
        hidden = {at: members(slots[at] & ~known) for at in places}
        things = [m for held in hidden.values() for m in held]
        for group in {owner(m) for m in things}:
            alike = [m for m in things if owner(m) == group]
            rng.shuffle(alike)
            for at, held in hidden.items():
                mine = [m for m in held if owner(m) == group]
                for m in mine:
                    slots[at] &= ~(1 << m)
                for _ in mine:
                    slots[at] |= 1 << alike.pop()
    return slots


def _unseen(state: State, player: int) -> list[tuple[KindInfo, Callable[[int], tuple[int, ...]], list[int]]]:
    """For each kind that lies in pools: whose a thing is, and the slots of the pools that the player does not see."""
    viewer, program = Viewer(state, player), state.table.program
    found: dict[int, list[int]] = {}
    for at, cell in enumerate(program.cells):
        if cell.pool and cell.form == "plain":
            places = [cell.base + i for i, keys in enumerate(cells.places(cell)) if not viewer.sees(at, keys)]
            found.setdefault(cell.type.kind, []).extend(places)
    return [(program.kinds[kind], _owner(state, kind), places) for kind, places in found.items() if len(places) > 1]


def _owner(state: State, kind: int) -> Callable[[int], tuple[int, ...]]:
    sides = state.table.program.sides
    columns = [values for type, values in state.table.program.kinds[kind].fixed.values() if type.form == "member" and type.kind == sides]
    return lambda member: tuple(values[member] for values in columns)
