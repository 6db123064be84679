"""Expands the `hexes` sections of map.yaml into places and borders, as if each were written out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import define, field, frozen

from rulekit.common.diagnostics.diagnostic import Sink, guess
from rulekit.common.diagnostics.span import Span
from rulekit.compiler.source.game_source import Datum, GameSource, KindData, MemberData
from rulekit.compiler.source.hex_geometry import Cell, Lie
from rulekit.compiler.source.map_and_pieces import (
    DRAWN,
    entries,
    items,
    member_of,
    one_or_more,
    text,
)
from rulekit.compiler.source.provenance import (
    check_member,
    read_provenance,
    read_provenances,
    vet_sources,
)

_WORDS_OF_EDGE = 2  # a hex and a direction, or two hexes
_LETTERS_OF_PAIR = 2  # a key of `joined`
EMPTY = "."  # there is no hex
_SHOWN = 6  # of what is missing


@frozen
class _Part:
    """An additional place in a hex.

    Attributes:
        ways: the sides of the hex that belong to this part.
        only: attributes that a border must have to end at this part.
    """

    id: str
    ways: tuple[str, ...]
    only: Mapping[str, Any]


@frozen
class _Edge:
    """A side of a hex that differs from the one that the letters imply.

    Attributes:
        own: attributes of its borders, their source, label and id.
    """

    sort: str
    own: Mapping[str, Datum]
    span: Span


@define
class _Hex:
    letter: str
    span: Span
    id: str
    parts: list[_Part] = field(factory=list)


@define
class _Grid:
    """The state of reading one section."""

    top: Mapping[str, Datum]
    lie: Lie
    source: GameSource
    sink: Sink
    hexes: dict[Cell, _Hex] = field(factory=dict)
    named: dict[str, Cell] = field(factory=dict)  # by the name of the pattern, and by the id
    edges: dict[frozenset[Cell], _Edge] = field(factory=dict)
    members: dict[tuple[str, str], MemberData] = field(factory=dict)  # by kind and id

    # ----------------------------------------------------------------------------------------------
    def read_rows(self) -> bool:
        """Read the letters of the rows.

        Each is one of `letters`, and all rows have the same length. Blanks are ignored.

        Returns:
            True if the rows have the same length. Otherwise it is unknown which hexes are adjacent.
        """
        known, width, even = entries(self.top.get("letters")), 0, True
        for row, line in enumerate(items(self.top.get("rows")), 1):
            found = [(sign, span) for sign, span in _signs(line) if sign != " "]
            width = width or len(found)
            even = even and len(found) == width
            if len(found) > width:
                self.sink.error(
                    "RK696",
                    found[width][1],
                    f"row {row} has {len(found)} hexes, but the first row has {width}",
                    f"remove {len(found) - width}; write '{EMPTY}' where there is no hex",
                )
            elif len(found) < width:
                self.sink.error(
                    "RK696",
                    line.span,
                    f"row {row} has {len(found)} hexes, but the first row has {width}",
                    f"add {width - len(found)}; write '{EMPTY}' where there is no hex",
                )
            for column, (sign, span) in enumerate(found[:width], 1):
                if sign == EMPTY:
                    continue
                if sign not in known:
                    self.sink.error(
                        "RK696",
                        span,
                        f"'{sign}' is not one of the letters of this grid",
                        f"the letters are {', '.join(known)}, and '{EMPTY}' where there is no hex",
                    )
                name = self.lie.name((column, row))
                self.hexes[column, row] = _Hex(
                    sign if sign in known else next(iter(known)), span, name
                )
                self.named[name] = (column, row)
        return even

    def make_hexes(self) -> None:
        """Create the members of the kind of the hexes, in the order of the rows.

        With `spots`, also create a place of another kind in each.
        """
        spots = entries(self.top.get("spots"))
        data = self._section(self.top.get("kind"), "" if spots else "places")
        places = self._section(spots.get("kind"), "places") if spots else data
        origin, single = (
            read_provenance(self.top.get("source")),
            read_provenances(self.top.get("sources")),
        )
        each, letters = entries(self.top.get("each")), entries(self.top.get("letters"))
        own = dict(self._own_members())
        for cell, one in self.hexes.items():
            body = own.get(cell)
            values = dict(entries(body))
            if "neighbours" in values:
                self.source.neighbours[text(values.get("id")) or one.id] = items(
                    values.pop("neighbours")
                )
            one.id = text(values.get("id")) or one.id
            self.named[one.id] = cell
            span = body.key_span if body is not None else one.span
            shared = {**each, **entries(letters[one.letter])}
            member = member_of(one.id, span, values, shared, origin, single)
            vet_sources(
                values.get("sources"),
                {*shared, *values} - {"source", "sources"},
                "an attribute",
                self.sink,
            )
            self._add(data, member)
            if spots:
                attribute = text(spots.get("hex")) or ""
                self._add(
                    places,
                    member_of(one.id, span, {attribute: Datum(one.id, one.span)}, {}, origin, {}),
                    member.label,
                )
            self._draw(cell, one.id, values)
        self._make_parts(places, origin)

    def _own_members(self) -> Iterator[tuple[Cell, Datum]]:
        for name, body in entries(self.top.get("members")).items():
            if name in self.named:
                yield self.named[name], body
            else:
                self.sink.error(
                    "RK697",
                    body.key_span,
                    f"there is no hex '{name}'",
                    guess(name, self.named) or self._names(),
                )

    def _make_parts(self, places: KindData, origin: Any) -> None:
        attribute = text(entries(self.top.get("spots")).get("hex"))
        for name, body in entries(self.top.get("parts")).items():
            values = dict(entries(body))
            of = values.pop("of", None)
            cell = self.named.get(text(of) or "")
            sides, only = values.pop("sides", None), values.pop("only", None)
            values.pop("joined", None)
            if cell is None or of is None:
                if of is not None:
                    self.sink.error(
                        "RK697",
                        of.span,
                        f"there is no hex '{text(of)}'",
                        guess(text(of) or "", self.named) or self._names(),
                    )
                continue
            ways = tuple(word for side in items(sides) if (word := self._way(side)) is not None)
            one = self.hexes[cell]
            given = {attribute: Datum(one.id, of.span)} if attribute else {}
            vet_sources(
                values.get("sources"),
                {*given, *values} - {"source", "sources"},
                "an attribute",
                self.sink,
            )
            self._add(places, member_of(name, body.key_span, values, given, origin, {}))
            self._draw(cell, name, values, ways[0] if ways else None)
            one.parts.append(_Part(name, ways, {k: v.plain() for k, v in entries(only).items()}))

    def _way(self, side: Datum) -> str | None:
        way = text(side) or ""
        if way not in self.lie.ways:
            self.sink.error(
                "RK697",
                side.span,
                f"'{way}' is not a side of a hex",
                f"the sides of these are {', '.join(self.lie.ways)}",
            )
            return None
        return way

    def _draw(
        self, cell: Cell, name: str, values: Mapping[str, Datum], way: str | None = ""
    ) -> None:
        """Store the drawing of a place. A part of a hex lies toward its first side and has no
        outline.
        """
        drawn = {k: values[k].plain() for k in DRAWN if k in values}
        if self.lie.step is not None:
            point = self.lie.toward(cell, way) if way else self.lie.middle(cell)
            if point is not None and way is not None:
                drawn.setdefault("at", [*point])
            if way == "":
                drawn.setdefault("shape", [[*corner] for corner in self.lie.outline(cell)])
        if drawn:
            self.source.geometry[name] = drawn
            self.source.regular.add(name)

    # ----------------------------------------------------------------------------------------------
    def read_edges(self) -> None:
        """Read the named edges: `edges: {pass: [B2 NE, B3 C4, {at: B2 S, ...}]}`."""
        for sort, listed in entries(self.top.get("edges")).items():
            if self._sides(sort, listed.key_span) is None:
                continue
            for item in items(listed):
                own = entries(item)
                at = own.get("at", item)
                pair = self._pair(at)
                if pair is None:
                    continue
                first = self.edges.get(pair)
                if first is not None:
                    self.sink.error(
                        "RK697",
                        at.span,
                        f"the edge {text(at)} is defined twice",
                        "remove one of the two",
                        second=first.span,
                        second_label="the first one is here",
                    )
                self.edges[pair] = _Edge(sort, {k: v for k, v in own.items() if k != "at"}, at.span)

    def _pair(self, at: Datum) -> frozenset[Cell] | None:
        """Return the two hexes of an edge, which is written as a hex and a direction, or as two
        hexes.
        """
        words = (text(at) or "").split()
        if len(words) != _WORDS_OF_EDGE or words[0] not in self.named:
            self.sink.error(
                "RK697",
                at.span,
                f"'{text(at)}' is not an edge"
                if len(words) != _WORDS_OF_EDGE
                else f"there is no hex '{words[0]}'",
                f"write a hex and one of {', '.join(self.lie.ways)}, or two hexes:"
                f" {' '.join([*self.named][:2])}",
            )
            return None
        one = self.named[words[0]]
        if words[1] in self.lie.ways:
            other = self.lie.beside(one, words[1])
            if other not in self.hexes:
                self.sink.error(
                    "RK697",
                    at.span,
                    f"there is no hex {words[1]} of {words[0]}",
                    "an edge lies between two hexes",
                )
                return None
            return frozenset((one, other))
        if words[1] not in self.named:
            self.sink.error(
                "RK697",
                at.span,
                f"'{words[1]}' is neither a hex nor a side",
                guess(words[1], [*self.named, *self.lie.ways])
                or f"the sides are {', '.join(self.lie.ways)}",
            )
            return None
        other = self.named[words[1]]
        if self.lie.way(one, other) is None:
            around = [
                self.hexes[cell].id
                for way in self.lie.ways
                if (cell := self.lie.beside(one, way)) in self.hexes
            ]
            self.sink.error(
                "RK697",
                at.span,
                f"{words[0]} and {words[1]} do not touch",
                f"{words[0]} touches {', '.join(around)}",
            )
            return None
        return frozenset((one, other))

    def make_borders(self) -> None:
        """Create the borders between adjacent hexes, and between a hex and its parts.

        A named edge takes precedence over the side that the letters imply.
        """
        data = self._section(self.top.get("borders"), "borders")
        missing: dict[str, list[str]] = {}
        for cell, one in self.hexes.items():
            for way in self.lie.once:
                beyond = self.lie.beside(cell, way)
                other = self.hexes.get(beyond)
                if other is None:
                    continue
                edge = self.edges.get(frozenset((cell, beyond))) or self._by_letters(one, other)
                if edge is None:
                    missing.setdefault("".join(sorted((one.letter, other.letter))), []).append(
                        f"{one.id} {other.id}"
                    )
                    continue
                self._make_sides(data, edge, one, other, way, self.lie.way(beyond, cell) or "")
        for name, body in entries(self.top.get("parts")).items():
            of, joined = (entries(body).get(key) for key in ("of", "joined"))
            cell_of = self.named.get(text(of) or "")
            if joined is not None and cell_of is not None:
                for side in self._sides(text(joined) or "", joined.span) or ():
                    self._make_border(data, side, {}, self.hexes[cell_of].id, name, joined.span)
        given = {name for member in self.members.values() for name in member.values}
        vet_sources(self.top.get("sources"), given, "an attribute", self.sink)
        for pair, edges in missing.items():
            more = f" and {len(edges) - _SHOWN} more" if len(edges) > _SHOWN else ""
            self.sink.error(
                "RK698",
                self.top["rows"].key_span,
                f"the border between '{pair[0]}' and '{pair[1]}' is not defined:"
                f" {', '.join(edges[:_SHOWN])}{more}",
                f"write under `joined`: {pair}: and one of `sides`, or name these edges under"
                " `edges`",
            )

    def _by_letters(self, one: _Hex, other: _Hex) -> _Edge | None:
        joined = entries(self.top.get("joined"))
        sort = joined.get(one.letter + other.letter) or joined.get(other.letter + one.letter)
        return _Edge(text(sort) or "", {}, one.span) if sort is not None else None

    def check_joined(self) -> None:
        """Check that each key of `joined` is two letters of the grid, and each value one of the
        sorts of sides.
        """
        known = entries(self.top.get("letters"))
        for pair, sort in entries(self.top.get("joined")).items():
            if len(pair) != _LETTERS_OF_PAIR or not set(pair) <= set(known):
                self.sink.error(
                    "RK698",
                    sort.key_span,
                    f"'{pair}' is not a pair of letters of this grid",
                    f"write two of {', '.join(known)} without a blank between them",
                )
            elif (
                pair[0] != pair[1]
                and pair[::-1] in entries(self.top.get("joined"))
                and pair > pair[::-1]
            ):
                self.sink.error(
                    "RK698",
                    sort.key_span,
                    f"'{pair}' and '{pair[::-1]}' are the same pair",
                    "remove one of the two",
                )
            self._sides(text(sort) or "", sort.span)

    def _sides(self, sort: str, span: Span) -> list[Datum] | None:
        """Return the borders that a sort of side consists of: none, one or several."""
        known = entries(self.top.get("sides"))
        if sort not in known:
            self.sink.error(
                "RK698",
                span,
                f"'{sort}' is not a sort of side of this grid",
                guess(sort, known) or f"its sorts are {', '.join(known)}",
            )
            return None
        return one_or_more(known[sort])

    def _make_sides(
        self, data: KindData, edge: _Edge, one: _Hex, other: _Hex, way: str, back: str
    ) -> None:
        for side in one_or_more(entries(self.top.get("sides")).get(edge.sort)):
            values = {**entries(side), **edge.own}
            self._make_border(
                data, side, edge.own, _end(one, way, values), _end(other, back, values), edge.span
            )

    def _make_border(
        self,
        data: KindData,
        side: Datum,
        own: Mapping[str, Datum],
        first: str,
        last: str,
        span: Span,
    ) -> None:
        origin, single = (
            read_provenance(self.top.get("source")),
            read_provenances(self.top.get("sources")),
        )
        values = {k: v for k, v in entries(side).items() if k != "id"}
        suffix = text(own.get("id")) or (
            f"{first}-{last}.{text(entries(side)['id'])}"
            if "id" in entries(side)
            else f"{first}-{last}"
        )
        between = Datum([Datum(first, span), Datum(last, span)], span)
        mine = {k: v for k, v in own.items() if k != "id"}
        self._add(
            data, member_of(suffix, span, {**mine, "between": between}, values, origin, single)
        )

    # ----------------------------------------------------------------------------------------------
    def _section(self, kind: Datum | None, role: str) -> KindData:
        assert kind is not None
        data = KindData(
            text(kind) or "", span=self.top["rows"].span, kind_span=kind.span, role=role
        )
        self.source.kinds.append(data)
        return data

    def _add(self, data: KindData, member: MemberData, label: str | None = None) -> None:
        member.label = member.label or label
        check_member(member, f"{data.kind} '{member.id}'", self.sink)
        first = self.members.setdefault((data.kind, member.id), member)
        if first is not member:
            self.sink.error(
                "RK602",
                member.span,
                f"{data.kind} '{member.id}' is defined twice in the data",
                "rename one of the two with its `id`",
                second=first.span,
                second_label="the first one is here",
            )
            return
        data.members.append(member)

    def _names(self) -> str:
        return f"hexes are named like {' '.join([*self.named][:3])}: see `id`"


def read_hexes(doc: Datum, source: GameSource, sink: Sink) -> None:
    """Read all grids of a map."""
    for section in one_or_more(entries(doc).get("hexes")):
        top = entries(section)
        if not {"kind", "borders", "rows", "letters", "sides"} <= set(top):
            continue  # the schema has reported it
        grid = _Grid(top, _lie(top), source, sink)
        even = grid.read_rows()
        grid.make_hexes()
        grid.check_joined()
        if even:
            grid.read_edges()
            grid.make_borders()


def _lie(top: Mapping[str, Datum]) -> Lie:
    def point(key: str) -> Cell | None:
        match [item.value for item in items(top.get(key))]:
            case [column, row] if type(column) is int and type(row) is int:
                return column, row
        return None

    return Lie(
        text(top.get("tops")) != "pointed",
        text(top.get("shifted")) == "even",
        text(top.get("id")) or "{a}{r}",
        point("at") or (0, 0),
        point("step"),
    )


def _signs(line: Datum) -> Iterator[tuple[str, Span]]:
    """Yield the characters of a text, each with its place."""
    row, span = str(line.value), line.span
    quote = 1 if span.end_column - span.column == len(row) + 2 else 0
    for i, sign in enumerate(row):
        yield (
            sign,
            Span(
                span.file,
                span.line,
                span.column + quote + i,
                span.line,
                span.column + quote + i + 1,
            ),
        )


def _end(one: _Hex, way: str, values: Mapping[str, Datum]) -> str:
    """Return the place in a hex at which a border ends.

    This is the first part that has this side and whose `only` the border meets, or else the place
    of the hex.
    """
    given = {k: v.plain() for k, v in values.items()}
    part = next(
        (
            part
            for part in one.parts
            if way in part.ways and all(given.get(k, False) == v for k, v in part.only.items())
        ),
        None,
    )
    return part.id if part is not None else one.id
