"""Takes games, tables and their journals, makes what the pages beside a game list: what can be
played, what is being played."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Titled(Struct):
    """Something with an id and what people call it."""

    id: str
    label: str


class RulingOffered(Struct):
    """A ruling of a game, with its alternatives and what is chosen without a word."""

    name: str
    text: str
    chosen: str
    choices: list[Titled]


class Playable(Struct):
    """A game that can be played. `seats`: who may sit: human, and the seats that play by
    themselves."""

    id: str
    title: str
    version: str
    langs: list[str]
    scenarios: list[Titled]
    scenario: str
    editions: list[Titled]
    rulings: list[RulingOffered]
    sides: list[Titled]
    seats: list[Titled]


class Wanted(Struct, forbid_unknown_fields=True):
    """A table that is to be opened. `seats`: of each side, who sits there (not named: human).
    `hints`: who plays may ask what a seat that plays by itself would do; where people have
    accounts, only who plays alone."""

    game: str
    scenario: str | None = None
    edition: str | None = None
    rulings: dict[str, str] = {}
    seats: dict[str, str] = {}
    seed: str | None = None
    hints: bool = False


class Listed(Struct):
    """A table. `decides`: the side that is asked, None when the game is over; `result`: who won, in
    words; `changed`: when the last choice was made, in seconds since 1970."""

    id: str
    game: str
    title: str
    scenario: str
    seats: dict[str, str]
    choices: int
    decides: str | None
    result: str | None
    changed: float


MESSAGES: tuple[Any, ...] = (Playable, Wanted, Listed)
