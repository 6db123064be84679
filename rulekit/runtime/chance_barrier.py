"""Replacements for dice, draws and reveals in emitted code: they stop play and touch no secret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from rulekit.runtime import effects
from rulekit.runtime.effects import Log, Pools, Trail


class Unknown(Exception):
    """Raised if play cannot go on without unknown information.

    Attributes:
        what: die, draw or reveal.
    """

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


def roll_dice(slots: list[int], log: Log, trail: Trail, number: int, faces: int) -> NoReturn:
    raise Unknown("die")


def draw_things(
    slots: list[int],
    log: Log,
    trail: Trail,
    pools: Pools,
    known: int,
    count: int,
    source: int,
    target: int,
) -> None:
    if count > 0 and slots[source]:
        raise Unknown("draw")


def put_thing(
    slots: list[int], log: Log, trail: Trail, pools: Pools, known: int, thing: int, target: int
) -> None:
    if thing >= 0 and not slots[known] >> thing & 1 and effects.is_open(target, pools):
        raise Unknown("reveal")
    effects.put_thing(slots, log, trail, pools, known, thing, target)


def gather_things(
    slots: list[int], log: Log, trail: Trail, pools: Pools, known: int, source: int, target: int
) -> None:
    if slots[source] & ~slots[known] and effects.is_open(target, pools):
        raise Unknown("reveal")
    effects.gather_things(slots, log, trail, pools, known, source, target)


def log_revealed(slots: list[int], log: Log, trail: Trail, kind: int, mask: int) -> None:
    if mask:
        raise Unknown("reveal")


STOPS: dict[str, Callable[..., Any]] = {
    "roll_dice": roll_dice,
    "draw_things": draw_things,
    "put_thing": put_thing,
    "gather_things": gather_things,
    "log_revealed": log_revealed,
}
