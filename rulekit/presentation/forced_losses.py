"""The number of pieces that an observer must still lose by the choices that follow immediately."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.lookahead.player_lookahead import PlayerLookahead
from rulekit.presentation.drawing import owner_of
from rulekit.runtime import cells
from rulekit.runtime.code import SURE
from rulekit.runtime.slots import LAYERS

MAX_CHOICES = 40  # the largest number of choices in a row


def further_losses(observer: Observer, slots: Sequence[int]) -> int:
    """Return the number of pieces that the observer loses by their own choices from here on.

    It counts choices in which every option loses a piece, for example when a place is too crowded.
    It follows the option with the smallest loss, up to a choice that can avoid one.
    """
    lookahead = PlayerLookahead(
        observer.state,
        observer,
        observer.program,
        observer.program.code(SURE),
        list(slots),
        first=False,
    )
    lookahead.slots[LAYERS] = None  # type: ignore[call-overload]
    owned, lost = _owned(observer), 0
    for _ in range(MAX_CHOICES if owned else 0):
        if (
            not lookahead.mine
            or lookahead.info.kind not in ("choose", "pick")
            or not lookahead.is_open()
        ):
            break
        least = _least(observer, owned, lookahead)
        if least is None:
            break
        lost, lookahead = lost + least[0], least[1]
    return lost


def _least(
    observer: Observer, owned: dict[int, tuple[int, ...]], lookahead: PlayerLookahead
) -> tuple[int, PlayerLookahead] | None:
    """Return the smallest loss of an option and the position after it.

    None if an option loses nothing.
    """
    standing, found = _standing(observer, owned, lookahead.slots), None
    for id in lookahead.ids():
        there = lookahead.after(id)
        lost = standing - _standing(observer, owned, there.slots)
        if lost <= 0:
            return None
        if found is None or lost < found[0]:
            found = lost, there
    return found


def _owned(observer: Observer) -> dict[int, tuple[int, ...]]:
    """Return the observer's pieces by kind, according to the data printed on them."""
    out: dict[int, tuple[int, ...]] = {}
    for kind in observer.names.place_cells:
        name = owner_of(observer.names, kind)
        owners = observer.program.kinds[kind].values_of(name) if name else ()
        mine = tuple(member for member, owner in enumerate(owners) if owner == observer.me)
        if mine:
            out[kind] = mine
    return out


def _standing(observer: Observer, owned: dict[int, tuple[int, ...]], slots: Sequence[int]) -> int:
    """Return the number of these pieces that have a place."""
    where = observer.names.place_cells
    return sum(
        cells.read(slots, where[kind], (member,)) >= 0
        for kind, mine in owned.items()
        for member in mine
    )
