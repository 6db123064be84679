"""Message types for the lists of games and tables."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Titled(Struct):
    """An id and its readable name."""

    id: str
    label: str


class RulingOffered(Struct):
    """A ruling with its alternatives.

    Attributes:
        name: its id.
        text: the question that it answers.
        chosen: the default alternative.
        choices: all alternatives.
    """

    name: str
    text: str
    chosen: str
    choices: list[Titled]


class Playable(Struct):
    """A game that can be played.

    Attributes:
        scenario: the default scenario.
        seats: the possible players of a side: human, or a program.
    """

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
    """A request to open a table.

    Attributes:
        seats: the player of each side. Sides not named are human.
        hints: players may ask for hints. On an online server this works only for tables with one
            player.
    """

    game: str
    scenario: str | None = None
    edition: str | None = None
    rulings: dict[str, str] = {}
    seats: dict[str, str] = {}
    seed: str | None = None
    hints: bool = False


class ListedTable(Struct):
    """A table in a list.

    Attributes:
        decides: the side that is asked, or null when the game is over.
        result: the result in words.
        changed: the time of the last choice, in seconds since 1970.
    """

    id: str
    game: str
    title: str
    scenario: str
    seats: dict[str, str]
    choices: int
    decides: str | None
    result: str | None
    changed: float


MESSAGES: tuple[Any, ...] = (Playable, Wanted, ListedTable)
