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


def roll_dice(s: list[int], log: Log, trail: Trail, number: int, faces: int) -> NoReturn:
    raise Unknown("die")


def draw_things(
    s: list[int],
    log: Log,
    trail: Trail,
    pools: Pools,
    known: int,
    count: int,
    source: int,
    target: int,
) -> None:
    if count > 0 and s[source]:
        raise Unknown("draw")


def put_thing(
    s: list[int], log: Log, trail: Trail, pools: Pools, known: int, thing: int, target: int
) -> None:
    if thing >= 0 and not s[known] >> thing & 1 and effects.is_open(target, pools):
        raise Unknown("reveal")
    effects.put_thing(s, log, trail, pools, known, thing, target)


def gather_things(
    s: list[int], log: Log, trail: Trail, pools: Pools, known: int, source: int, target: int
) -> None:
    if s[source] & ~s[known] and effects.is_open(target, pools):
        raise Unknown("reveal")
    effects.gather_things(s, log, trail, pools, known, source, target)


def log_revealed(s: list[int], log: Log, trail: Trail, kind: int, mask: int) -> None:
    if mask:
        raise Unknown("reveal")


STOPS: dict[str, Callable[..., Any]] = {
    "roll_dice": roll_dice,
    "draw_things": draw_things,
    "put_thing": put_thing,
    "gather_things": gather_things,
    "log_revealed": log_revealed,
}
