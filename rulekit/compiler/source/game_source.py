"""A game folder as read: texts of the rules, and data with positions. No name is resolved yet."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.common.invisible_characters import named

ENDS_OF_BORDER = 2  # places that a border joins
_MAX_FRACTION_CHARACTERS = 30
NO_FRACTIONS = "there are no fractions; write a whole number"
_FRACTION = re.compile(r"[-+]?(?=[0-9.]*[0-9])[0-9]*\.?[0-9]*(?:[eE][-+]?[0-9]+)?\Z")


@frozen(slots=True)
class Datum:
    """A YAML or CSV value with its place.

    Attributes:
        value: str, int, bool, None, a list of Datum, or a dict of str to Datum.
        hidden: an invisible character that stands in the place of a value, or ''.
    """

    value: Any
    span: Span = field(default=NOWHERE, eq=False)
    key_span: Span = field(default=NOWHERE, eq=False)  # of the key, for a value in a mapping
    hidden: str = field(default="", eq=False)

    def nothing(self) -> str:
        """Return the words for a value that is left out."""
        return f"only the invisible character {named(self.hidden)}" if self.hidden else "nothing"

    def plain(self) -> Any:
        """Return the value without positions."""
        if isinstance(self.value, dict):
            return {k: v.plain() for k, v in self.value.items()}
        if isinstance(self.value, list):
            return [v.plain() for v in self.value]
        return self.value

    def is_fraction(self) -> bool:
        """Return True if the value is an unquoted number with a point or an exponent, which is read
        as a text.
        """
        at = self.span
        plain = (
            at.line == at.end_line
            and isinstance(self.value, str)
            and at.end_column - at.column == len(self.value)
        )
        return (
            plain
            and len(self.value) < _MAX_FRACTION_CHARACTERS
            and _FRACTION.match(self.value) is not None
        )


@frozen(slots=True)
class Provenance:
    """The origin of a datum.

    Attributes:
        kind: text (a paragraph of the rule book), derived (with the computation) or assumed (with
            the reason).
    """

    kind: str
    note: str


@define
class MemberData:
    """One member of a kind: a zone, a border, a piece, a chit.

    The `values` of a border contain `between`: a list of two place ids.
    """

    id: str
    values: dict[str, Datum] = field(factory=dict)
    sources: dict[str, Provenance] = field(
        factory=dict
    )  # by attribute; "" for the member itself and all attributes not named
    label: str | None = None
    span: Span = NOWHERE


@define
class KindData:
    kind: str
    members: list[MemberData] = field(factory=list)
    place_cell: str | None = (
        # of pieces: the state attribute that says where one stands (`place: zone` in pieces.yaml)
        None
    )
    span: Span = NOWHERE
    kind_span: Span = NOWHERE  # of the kind's name in the data
    role: str = ""  # "places" or "borders" for the sections of map.yaml


@frozen(slots=True)
class PlaceMeeting:
    """A fact of the map about places: a pair that is closed, or the places around a corner.

    The places of a corner are in order around its point `at`.
    """

    names: tuple[Datum, ...]
    span: Span = NOWHERE
    at: Datum | None = None

    def ids(self) -> list[str]:
        """Return the ids of the places."""
        return [str(name.value) for name in self.names]


@define
class CsvTable:
    path: str
    header: list[Datum]
    rows: list[list[Datum]]


@define
class ScenarioData:
    """A scenario.

    Attributes:
        set: state and late-bound constants by name, with dotted keys (`points.red`).
        deploy: (piece id, {attribute: value}) in the order as written.
    """

    name: str
    title: str = ""
    ref: tuple[str, ...] = ()
    set: dict[str, Datum] = field(factory=dict)
    deploy: list[tuple[Datum, dict[str, Datum]]] = field(factory=list)
    rulings: dict[str, Datum] = field(factory=dict)
    span: Span = NOWHERE


@define
class RulingData:
    """A question of the rule book and its answer.

    Without `alternatives` it only records a decision, and is not a name in the rules.
    """

    id: str
    question: str
    ref: tuple[str, ...]
    inventory: tuple[str, ...]
    alternatives: dict[str, str]
    default: str
    reason: str
    span: Span = NOWHERE
    answers: dict[str, Span] = field(factory=dict)  # where each alternative stands


@define
class RulesText:
    path: str  # as shown in diagnostics
    text: str
    layer: int  # 0 for the library that is used first, rising; the game itself is last
    library: str  # name of the library or game


@define
class GameSource:
    """The whole content of a game folder and of the libraries it uses. Libraries come first in
    every list.
    """

    name: str
    path: Path
    manifest: dict[str, Any] = field(factory=dict)
    rules: list[RulesText] = field(factory=list)
    kinds: list[KindData] = field(factory=list)
    fixed: dict[str, Datum] = field(factory=dict)  # values of global `fixed`, from data.yaml
    tables: dict[str, CsvTable] = field(factory=dict)  # by the path written in `from "..."`
    scenarios: list[ScenarioData] = field(factory=list)
    rulings: list[RulingData] = field(factory=list)
    editions: dict[str, dict[str, str]] = field(factory=dict)
    texts: dict[str, dict[str, Datum]] = field(factory=dict)  # language -> flat key -> text
    shared_texts: set[str] = field(
        factory=set
    )  # keys that a library has texts for: a game need not use them all
    situations: list[Path] = field(factory=list)
    geometry: dict[str, Any] = field(
        factory=dict
    )  # member id -> drawing facts of the map, for frontends
    settings: Datum | None = None  # game.yaml with its places
    drawing: Datum | None = (
        None  # how the game looks: drawing.yaml, put over those of its libraries
    )
    files: dict[str, str] = field(
        factory=dict
    )  # shown path -> text, of everything read: for diagnostics, and for the hash
    coverage_ids: dict[str, Any] = field(factory=dict)  # inventory id -> {ref, reason or None}
    excused: dict[str, Span] = field(factory=dict)  # where an inventory id has its reason
    neighbours: dict[str, list[Datum]] = field(
        factory=dict
    )  # place id -> the neighbours it lists, to check the borders against
    regular: set[str] = field(
        factory=set
    )  # places of a grid of hexes: their outlines are right as they are made
    closed: list[PlaceMeeting] = field(factory=list)  # pairs side by side that no border may join
    corners: list[PlaceMeeting] = field(factory=list)  # points in which places meet
    fixed_sources: dict[str, Provenance] = field(
        factory=dict
    )  # where each value of `fixed` comes from
    table_sources: dict[str, Provenance] = field(
        factory=dict
    )  # where a table of `tables` comes from, if data.yaml says it
    table_places: dict[str, Span] = field(factory=dict)  # where the game's data.yaml says it
