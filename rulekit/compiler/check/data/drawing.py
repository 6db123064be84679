"""Checks drawing.yaml against the model: each name in it must exist in the rules and be of the
right sort.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from attrs import define, field

from rulekit.common.diagnostics.diagnostic import Sink, guess
from rulekit.common.icon_names import EMBLEMS, GLYPHS
from rulekit.compiler import model as m
from rulekit.compiler.check.data.values import convert, member
from rulekit.compiler.source.game_source import Datum
from rulekit.compiler.source.map_and_pieces import entries, items, text

ENDS_OF_TRACK = ("from", "to")
KEYS_OF_FORCES = 2  # place and thing
T = TypeVar("T")
Test = Callable[[m.Type], bool]


def bind_drawing(
    model: m.Model, placed: Mapping[str, str], doc: Datum | None, sink: Sink
) -> set[m.Var]:
    """Return the variables that the drawing shows, and report names that the rules do not have.

    Args:
        placed: the kinds of pieces, with the state that holds the place of a piece.
    """
    if doc is None:
        return set()
    look = _Look(model, entries(doc), sink)
    look.sides()
    look.terrain()
    look.borders()
    look.coast()
    look.signs()
    look.forces()
    look.owners()
    look.counter(placed)
    look.boxes()
    look.tracks()
    look.seat()
    look.cards()
    look.combat()
    return look.shown_vars


def numbers(model: m.Model) -> dict[str, dict[str, int]]:
    """Return the constants that are single numbers, by scenario."""
    found = [
        one
        for one in model.fixed
        if one.owner is None and not one.keys and isinstance(one.type, m.Int) and not one.synthetic
    ]
    given = {one.name: one.values[0] for one in found if one.values}
    return {
        name: (
            given
            | {
                one.name: value
                for one in found
                if isinstance(value := scenario.late.get(one.name), int)
            }
        )
        for name, scenario in model.scenarios.items()
    }


def track_end(datum: Datum, values: Mapping[str, int]) -> int | None:
    """Return the number at an end of a track, which is written as a number or as the name of
    one.
    """
    return (
        datum.value
        if type(datum.value) is int
        else values.get(datum.value)
        if isinstance(datum.value, str)
        else None
    )


def _number(type: m.Type) -> bool:
    return isinstance(type, m.Int)


def _flag(type: m.Type) -> bool:
    return isinstance(type, m.Bool)


def _member(type: m.Type) -> bool:
    return isinstance(type, m.MemberOf)


@define
class _Look:
    model: m.Model
    top: dict[str, Datum]
    sink: Sink
    kinds: dict[str, m.Kind] = field(init=False)
    shown_vars: set[m.Var] = field(factory=set)
    holding: dict[str, m.Kind] = field(
        factory=dict
    )  # who can hold a place or a force, by id, with the kind

    def __attrs_post_init__(self) -> None:
        self.kinds = self.model.kinds

    # -------------------------------------------------------------------------------------------- n
    def named(self, datum: Datum | None, known: Mapping[str, T], what: str) -> T | None:
        """Return the thing with this name, or report that there is none.

        Args:
            what: the sort of thing that is expected, in words.
        """
        name = text(datum)
        if datum is None or name is None:
            return None
        if name in known:
            return known[name]
        listed = ", ".join(sorted(known)[:8])
        self.sink.error(
            "RK693",
            datum.span,
            f"drawing.yaml names '{name}', but the rules declare no such {what}",
            guess(name, known)
            or (f"there are {listed}" if listed else "the rules declare none; remove this"),
        )
        return None

    def fits(self, datum: Datum | None, type: m.Type | None, test: Test, wanted: str) -> None:
        """Report a named thing of the wrong type."""
        if datum is not None and type is not None and not test(type):
            self.sink.error(
                "RK694",
                datum.span,
                f"'{text(datum)}' is not {wanted}",
                f"name one that is {wanted}, or remove this",
            )

    def attribute(
        self, datum: Datum | None, kind: m.Kind | None, test: Test, wanted: str
    ) -> m.Fixed | None:
        """Return a constant attribute of a kind."""
        if kind is None:
            return None
        found = self.named(datum, kind.fixed, f"fixed attribute of a {kind.name}")
        self.fits(datum, found.type if found is not None else None, test, wanted)
        return found

    def picture(self, datum: Datum, built_in: Iterable[str], what: str) -> None:
        """Check the name of a glyph or emblem."""
        name, known = text(datum), [*built_in, *entries(self.top.get("art"))]
        if name is not None and name not in known:
            self.sink.error(
                "RK695",
                datum.span,
                f"there is no {what} '{name}'",
                guess(name, known) or f"use one of {', '.join(known)}, or declare it under `art`",
            )

    def of_side(self, type: m.Type) -> bool:
        return isinstance(type, m.MemberOf) and type.kind is self.model.sides

    def of_owner(self, type: m.Type) -> bool:
        """Return True for the type of a side, or of a kind of which some members have an entry
        under `owners`.
        """
        looks = entries(self.top.get("owners"))
        return self.of_side(type) or (
            isinstance(type, m.MemberOf) and any(name in type.kind.members for name in looks)
        )

    def keys(self, one: m.Total | m.Cell) -> list[m.Kind | None]:
        """Return the kinds of the keys of a total or state."""
        if isinstance(one, m.Cell):
            return [key.kind for key in one.keys]
        return [v.type.kind if isinstance(v.type, m.MemberOf) else None for v in one.params]

    def one_side(self, datum: Datum | None, one: m.Total | m.Cell | None) -> None:
        """Report a total or state unless a side is its only key."""
        if datum is not None and one is not None and self.keys(one) != [self.model.sides]:
            self.sink.error(
                "RK694",
                datum.span,
                f"'{one.name}' has no side as its parameter",
                "name one that is declared NAME(s:"
                f" {self.model.sides.name if self.model.sides else 'Side'})",
            )

    # -------------------------------------------------------------------------------------------- s
    def sides(self) -> None:
        for name, style in entries(self.top.get("sides")).items():
            if self.model.sides is not None:
                member(self.model.sides, name, style.key_span, self.sink, "a side of the drawing")
            emblem = entries(style).get("emblem")
            if emblem is not None:
                self.picture(emblem, EMBLEMS, "emblem")

    @property
    def border(self) -> m.Kind | None:
        return next((kind for kind in self.kinds.values() if kind.joins is not None), None)

    @property
    def place(self) -> m.Kind | None:
        return (
            self.border.joins
            if self.border is not None
            else next((k for k in self.kinds.values() if "row" in k.fixed), None)
        )

    def terrain(self) -> None:
        by = self.attribute(
            self.top.get("terrain_by"),
            self.place,
            lambda type: isinstance(type, m.MemberOf),
            "a member of a kind",
        )
        for name, style in entries(self.top.get("terrain")).items():
            if by is not None and isinstance(by.type, m.MemberOf):
                member(by.type.kind, name, style.key_span, self.sink, f"the drawing's {by.name}")

    def condition(
        self, datum: Datum | None, known: Mapping[str, m.Fixed | m.Cell], what: str
    ) -> None:
        """Check the names of attributes, and that each has a value which is valid for it."""
        for name, value in entries(datum).items():
            found = self.named(Datum(name, value.key_span), known, what)
            if found is not None:
                convert(value, found.type, self.sink, f"'{name}' in the drawing")

    def borders(self) -> None:
        kind = self.border
        for entry in items(self.top.get("borders")):
            if kind is None:
                continue
            self.condition(
                entries(entry).get("when"), kind.fixed, f"fixed attribute of a {kind.name}"
            )
            self.attribute(
                entries(entry).get("inner"),
                kind,
                lambda type: isinstance(type, m.MemberOf) and type.kind is kind.joins,
                f"a {kind.joins.name if kind.joins else 'place'}",
            )

    def coast(self) -> None:
        """Check the borders over which land and water continue. A place with land and water needs
        this information.
        """
        coast, kind = self.top.get("coast"), self.border
        if kind is not None:
            for over in entries(coast).values():
                self.condition(over, kind.fixed, f"fixed attribute of a {kind.name}")
        for name, style in entries(self.top.get("terrain")).items():
            shore = entries(style).get("shore")
            if coast is None and shore is not None and shore.value is True:
                self.sink.error(
                    "RK699",
                    shore.span,
                    f"'{name}' has both land and water, but the drawing does not say where its"
                    " coasts are",
                    "write `coast: {land: ..., water: ...}` with attributes of borders, or remove"
                    " `shore`",
                )

    def signs(self) -> None:
        kind = self.place
        if kind is None:
            return
        known: dict[str, m.Fixed | m.Cell] = {**kind.fixed, **kind.cells}
        what = f"attribute or state of a {kind.name}"
        for entry in items(self.top.get("signs")):
            top = entries(entry)
            self.condition(top.get("when"), known, what)
            number = self.named(top.get("number"), known, what)
            self.fits(
                top.get("number"), number.type if number is not None else None, _number, "a number"
            )
            for owner in items(top.get("owner")):
                found = self.named(owner, known, what)
                self.fits(
                    owner, found.type if found is not None else None, _member, "a member of a kind"
                )
                self.holders(found)

    def holders(self, found: m.Fixed | m.Cell | None) -> None:
        """Record the members of an attribute's kind as possible holders of a place or force."""
        if found is not None and isinstance(found.type, m.MemberOf):
            self.holding.update(dict.fromkeys(found.type.kind.members, found.type.kind))

    def forces(self) -> None:
        top = entries(self.top.get("forces"))
        cell = self.named(top.get("cell"), self.cells, "state")
        if cell is None:
            return
        keys = self.keys(cell)
        if (
            len(keys) != KEYS_OF_FORCES
            or keys[0] is not self.place
            or keys[1] is None
            or not isinstance(cell.type, m.Int)
        ):
            place = self.place.name if self.place is not None else "Place"
            self.sink.error(
                "RK694",
                top["cell"].span,
                f"'{cell.name}' is not a number for each place and thing",
                f"name a state that is declared NAME(z: {place}, u: KIND): LOW..HIGH",
            )
            return
        self.army(entries(top.get("army")), keys[1])
        self.holders(self.attribute(top.get("side"), keys[1], _member, "a member of a kind"))
        by = self.attribute(top.get("glyph_by"), keys[1], _member, "a member of a kind")
        for name, glyph in entries(top.get("glyphs")).items():
            if by is not None and isinstance(by.type, m.MemberOf):
                member(by.type.kind, name, glyph.key_span, self.sink, f"the drawing's {by.name}")
            self.picture(glyph, GLYPHS, "glyph")

    def army(self, top: Mapping[str, Datum], things: m.Kind) -> None:
        """Check the display of a moving army: a number of each of these things, and a place."""
        cell, spot = (self.named(top.get(name), self.cells, "state") for name in ("cell", "at"))
        if cell is not None and (self.keys(cell) != [things] or not isinstance(cell.type, m.Int)):
            self.sink.error(
                "RK694",
                top["cell"].span,
                f"'{cell.name}' is not a number for each {things.name}",
                f"name a state that is declared NAME(u: {things.name}): LOW..HIGH",
            )
        if spot is not None and (
            spot.keys or not isinstance(spot.type, m.MemberOf) or spot.type.kind is not self.place
        ):
            place = self.place.name if self.place is not None else "Place"
            self.sink.error(
                "RK694",
                top["at"].span,
                f"'{spot.name}' is not a place",
                f"name a state that is declared NAME: {place}",
            )

    def owners(self) -> None:
        for name, style in entries(self.top.get("owners")).items():
            self.named(
                Datum(name, style.key_span),
                self.holding,
                "member that can hold a place or a force of the drawing",
            )
            emblem = entries(style).get("emblem")
            if emblem is not None:
                self.picture(emblem, EMBLEMS, "emblem")

    def counter(self, placed: Mapping[str, str]) -> None:
        top = entries(self.top.get("counter"))
        first = next((self.kinds[name] for name in placed if name in self.kinds), None)
        kind = self.named(top["kind"], self.kinds, "kind") if "kind" in top else first
        if kind is None:
            return
        known: dict[str, m.Fixed | m.Cell] = {**kind.fixed, **kind.cells}
        what = f"attribute or state of a {kind.name}"
        for name, test, wanted in (
            ("owner", self.of_owner, "a side, or one of those under `owners`"),
            ("front", _number, "a number"),
        ):
            found = self.named(top.get(name), known, what)
            self.fits(top.get(name), found.type if found is not None else None, test, wanted)
        by = self.attribute(
            top.get("glyph_by"),
            kind,
            lambda type: isinstance(type, m.MemberOf),
            "a member of a kind",
        )
        self.attribute(top.get("back"), kind, _number, "a number")
        self.attribute(top.get("band"), kind, _flag, "true or false")
        reduced = self.named(top.get("reduced"), kind.cells, f"state attribute of a {kind.name}")
        self.fits(
            top.get("reduced"),
            reduced.type if reduced is not None else None,
            _flag,
            "true or false",
        )
        bonus = entries(top.get("bonus"))
        self.attribute(bonus.get("attr"), kind, _number, "a number")
        types = [Datum(name, glyph.key_span) for name, glyph in entries(top.get("glyphs")).items()]
        types += [
            Datum(name, mark.key_span) for name, mark in entries(bonus.get("mark_on")).items()
        ]
        for one in [*types, *items(top.get("order")), *items(top.get("round"))]:
            if by is not None and isinstance(by.type, m.MemberOf):
                member(
                    by.type.kind, str(one.value), one.span, self.sink, f"the drawing's {by.name}"
                )
        for glyph in entries(top.get("glyphs")).values():
            self.picture(glyph, GLYPHS, "glyph")

    def boxes(self) -> None:
        for group in entries(self.top.get("boxes")).values():
            for name, at in entries(entries(group).get("at")).items():
                if self.place is not None:
                    member(self.place, name, at.key_span, self.sink, "a box of the drawing")

    @property
    def cells(self) -> dict[str, m.Cell]:
        return {
            cell.name: cell
            for cell in self.model.cells
            if not cell.hidden and not cell.pool and cell.owner is None
        }

    @property
    def totals(self) -> dict[str, m.Total]:
        return {total.name: total for total in self.model.totals}

    def tracks(self) -> None:
        fixed = {one.name: one for one in self.model.fixed if one.owner is None and not one.keys}
        for entry in items(self.top.get("tracks")):
            top = entries(entry)
            if ("cell" in top) == ("total" in top):
                self.sink.error(
                    "RK694",
                    entry.span,
                    "a track shows one state or one total",
                    "write either `cell:` or `total:`",
                )
                continue
            cell = self.named(top.get("cell"), self.cells, "state")
            total = self.named(top.get("total"), self.totals, "total")
            shown: m.Cell | m.Total | None = cell or total
            if shown is None:
                continue
            seat = top.get("seat")
            if self.keys(shown) not in ([], [self.model.sides]) or (
                seat is not None and seat.value is True
            ):
                self.one_side(top.get("cell") or top.get("total"), shown)
            self.noted(top.get("note"))
            for end in ENDS_OF_TRACK:
                datum = top.get(end)
                if datum is not None and isinstance(datum.value, str) and datum.value != shown.name:
                    found = self.named(datum, fixed, "fixed value")
                    self.fits(datum, found.type if found is not None else None, _number, "a number")
            self.ends(top, shown)

    def ends(self, top: dict[str, Datum], shown: m.Cell | m.Total) -> None:
        """Check that the ends of a track lie within the range of its state, the lower one first."""
        known = {name: datum for name in ENDS_OF_TRACK if (datum := top.get(name)) is not None}
        for values in numbers(self.model).values() or [{}]:
            at = {
                name: number
                for name, datum in known.items()
                if (number := track_end(datum, values)) is not None
            }
            if len(at) == len(ENDS_OF_TRACK) and at["from"] > at["to"]:
                self.sink.error(
                    "RK694",
                    known["from"].span,
                    f"this track begins at {at['from']}, above its end {at['to']}",
                    "write the lower number in `from`, the higher one in `to`",
                )
                return
            low, high = (
                (shown.type.low, shown.type.high)
                if isinstance(shown, m.Cell) and isinstance(shown.type, m.Int)
                else (None, None)
            )
            for name, number in at.items():
                if low is not None and high is not None and not low <= number <= high:
                    self.sink.error(
                        "RK694",
                        known[name].span,
                        f"'{shown.name}' is {low}..{high}, so a track of it has no {number}",
                        f"write a number of {low}..{high}, or remove this",
                    )
                    return

    def noted(self, datum: Datum | None) -> None:
        """Check a definition that must have a value everywhere."""
        found = self.named(datum, {one.name: one for one in self.model.defines}, "definition")
        if datum is not None and found is not None and (found.params or found.context is not None):
            self.sink.error(
                "RK694",
                datum.span,
                f"'{found.name}' has parameters, or has a value only inside a procedure",
                "name a definition without parameters and without `in`",
            )

    def seat(self) -> None:
        top = entries(self.top.get("seat"))
        pools = {cell.name: cell for cell in self.model.cells if cell.pool}
        self.one_side(top.get("score"), self.named(top.get("score"), self.totals, "total"))
        for name in ("points", "roll"):
            self.one_side(top.get(name), self.named(top.get(name), self.cells, "state"))
        self.one_side(top.get("hand"), self.named(top.get("hand"), pools, "pool"))
        self.leads(top.get("leads"))
        first = self.named(top.get("initiative"), self.cells, "state")
        self.fits(
            top.get("initiative"), first.type if first is not None else None, self.of_side, "a side"
        )
        points = entries(top.get("phase_points"))
        phase = self.procedure(points.get("in"))
        for name in ("of", "left", "spent"):
            self.variable(points.get(name), phase, _number, "a number")

    def leads(self, datum: Datum | None) -> None:
        """Check a definition with a side as its only key, which must return a member and have a
        value everywhere.
        """
        found = self.named(datum, {one.name: one for one in self.model.defines}, "definition")
        if datum is not None and found is not None:
            of = [p.type.kind for p in found.params if isinstance(p.type, m.MemberOf)]
            if (
                of != [self.model.sides]
                or found.context is not None
                or not isinstance(found.type, m.MemberOf)
            ):
                side = self.model.sides.name if self.model.sides else "Side"
                self.sink.error(
                    "RK694",
                    datum.span,
                    f"'{found.name}' does not give the leader of a side",
                    f"name one that is declared NAME(s: {side}): KIND, without `in`",
                )

    def procedure(self, datum: Datum | None) -> m.Procedure | None:
        """Return a phase or procedure."""
        known = {
            p.name: p for p in self.model.procedures if p.word in ("phase", "procedure", "action")
        }
        return self.named(datum, known, "phase or procedure")

    def variable(
        self, datum: Datum | None, proc: m.Procedure | None, test: Test, wanted: str
    ) -> None:
        """Check a parameter, field or variable of a procedure, and record that the drawing shows
        it.
        """
        if proc is None:
            return
        found = self.named(
            datum,
            {v.name: v for v in [*proc.params, *proc.vars]},
            f"parameter, field or variable of {proc.name}",
        )
        self.fits(datum, found.type if found is not None else None, test, wanted)
        if found is not None:
            self.shown_vars.add(found)

    def cards(self) -> None:
        top = entries(self.top.get("cards"))
        kind = self.named(top.get("faces"), self.kinds, "kind")
        pooled = {
            cell.type.kind
            for cell in self.model.cells
            if cell.pool and isinstance(cell.type, m.SetOf)
        }
        self.attribute(
            top.get("of"),
            kind,
            lambda type: isinstance(type, m.MemberOf) and type.kind in pooled,
            "a thing that lies in pools",
        )
        self.attribute(
            top.get("moment"),
            kind,
            lambda type: isinstance(type, m.MemberOf) and type.kind is self.model.moments,
            "a moment",
        )
        self.attribute(top.get("side"), kind, self.of_side, "a side")
        self.attribute(top.get("gone"), kind, _flag, "true or false")
        self.attribute(top.get("number"), kind, _number, "a number")

    def combat(self) -> None:
        top = entries(self.top.get("combat"))
        proc = self.procedure(top.get("while"))
        self.variable(
            top.get("at"),
            proc,
            lambda type: isinstance(type, m.MemberOf) and type.kind is self.place,
            "a place",
        )
        for name in ("attacker", "defender"):
            self.variable(top.get(name), proc, self.of_side, "a side")
        self.one_side(top.get("strength"), self.named(top.get("strength"), self.totals, "total"))
        for name in ("column", "die"):
            self.named(top.get(name), self.totals, "total")
        tables = {table.name: table for table in self.model.tables}
        self.named(top.get("table"), tables, "table")
        odds = self.named(top.get("odds"), tables, "table")
        if odds is not None and not odds.ratios:
            self.sink.error(
                "RK694",
                top["odds"].span,
                f"'{odds.name}' is not a table of ratios",
                "name one that is looked up with `a to b`",
            )
