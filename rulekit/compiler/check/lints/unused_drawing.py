"""Warn of entries in drawing.yaml that are never seen.

An earlier entry may take all members that a later one fits, a condition may fit nothing, or a look
may belong to a value that nothing has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from attrs import frozen

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink
from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.check.data.drawing import KEYS_OF_FORCES
from rulekit.compiler.check.data.values import convert, member_ordinal
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.similar_drawings import alike
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.source.game_source import Datum
from rulekit.compiler.source.map_and_pieces import entries, items, text
from rulekit.compiler.source.outline_checks import shape_of

UNSEEN = "RK675"
Condition = frozenset[tuple[str, int]]


@frozen
class DrawingEntry:
    """An entry of a list in which the first that fits counts.

    Attributes:
        fits: the members that have its attributes.
        state: the further conditions on state.
    """

    datum: Datum
    fits: frozenset[int]
    state: Condition


def looks(world: CheckState, uses: ReachableUses) -> None:
    """Warn of each such entry in the game's own drawing."""
    if world.source.drawing is None:
        return
    top = entries(world.source.drawing)
    border = next((kind for kind in world.kinds.values() if kind.joins is not None), None)
    place = (
        border.joins
        if border is not None
        else next((kind for kind in world.kinds.values() if "row" in kind.fixed), None)
    )
    findings: list[Iterator[Diagnostic]] = []
    if border is not None:
        findings.append(_listed(top.get("borders"), border, ("style",)))
        findings += [_nowhere(when, border) for when in entries(top.get("coast")).values()]
    if place is not None:
        findings.append(
            _listed(
                top.get("signs"),
                place,
                ("shape", "size", "owner", "number", "walls", "wash", "islet"),
            )
        )
        findings += [
            _owners(items(entry.value["owner"]), place)
            for entry in items(top.get("signs"))
            if "owner" in entries(entry)
        ]
        findings.append(_values(top.get("terrain_by"), place, [entries(top.get("terrain"))]))
    findings += [_boxed(world, top), _counters(world, top), alike(top)]
    for diagnostic in chain(*findings):
        if diagnostic.span.file in uses.own:
            world.sink.add(diagnostic)


def _warn(
    span: Span,
    message: str,
    help: str,
    second: Span | None = None,
    label: str = "this one is used",
) -> Diagnostic:
    return Diagnostic(
        UNSEEN,
        message,
        span,
        help,
        level="warning",
        second=second,
        second_label=label if second else "",
    )


# ------------------------------------------------------------ lists in which the first entry counts
def _listed(datum: Datum | None, kind: m.Kind, single: Sequence[str]) -> Iterator[Diagnostic]:
    """Check a list of entries.

    Args:
        single: the parts that only the first fitting entry gives. Every entry gives its mark.
    """
    before: list[DrawingEntry] = []
    for item in items(datum):
        entry = _entry(item, kind)
        said = entries(item)
        if not entry.fits:
            yield from _nowhere(said.get("when"), kind)
            continue
        if "name" not in said and not any(name in said for name in (*single, "mark")):
            yield _warn(
                item.span,
                f"this entry does not change the look of a {kind.name}",
                f"write {' or '.join((*single[:3], 'mark'))}, or remove it",
            )
        for name in (*single, "mark"):
            if name in said:
                yield from _hidden(
                    entry, name, [one for one in before if name in entries(one.datum)], kind
                )
        before.append(entry)


def _entry(item: Datum, kind: m.Kind) -> DrawingEntry:
    fits, state = frozenset(range(kind.size)), set[tuple[str, int]]()
    for name, value in entries(entries(item).get("when")).items():
        one = kind.fixed.get(name) or kind.cells.get(name)
        number = convert(value, one.type, Sink(), "") if one is not None else None
        if one is None or number is None:
            continue  # reported when the drawing is read
        if isinstance(one, m.Fixed) and not one.late and len(one.values) == kind.size:
            fits &= {at for at, has in enumerate(one.values) if has == number}
        else:
            state.add((name, number))
    return DrawingEntry(item, fits, frozenset(state))


def _hidden(
    entry: DrawingEntry, name: str, before: Iterable[DrawingEntry], kind: m.Kind
) -> Iterator[Diagnostic]:
    """Warn if earlier entries give this part to every member that the entry fits.

    Each fitting entry gives its mark, so only an equal mark hides another.
    """
    value = entries(entry.datum)[name]
    over = [
        one
        for one in before
        if one.state <= entry.state
        and (name != "mark" or entries(one.datum)[name].plain() == value.plain())
    ]
    if entry.fits <= frozenset(chain.from_iterable(one.fits for one in over)):
        first = next(one for one in over if one.fits & entry.fits)
        more = (
            "an earlier entry already covers"
            if any(entry.fits <= one.fits for one in over)
            else "earlier entries already cover"
        )
        has = " and has the same one" if name == "mark" else f" and has a `{name}`"
        yield _warn(
            value.key_span,
            f"this `{name}` is never shown: {more} every {kind.name} it applies to{has}",
            "remove it, or move it above that entry",
            entries(first.datum)[name].key_span,
        )


def _nowhere(when: Datum | None, kind: m.Kind) -> Iterator[Diagnostic]:
    if when is not None and entries(when) and not _entry(Datum({"when": when}), kind).fits:
        yield _warn(
            when.span,
            f"no {kind.name} of the map meets this condition",
            "correct the values, or remove the entry",
        )


def _owners(listed: Sequence[Datum], place: m.Kind) -> Iterator[Diagnostic]:
    """Warn of owners behind one that always names somebody. The first owner that names somebody
    counts.
    """
    seen: dict[str, Datum] = {}
    for datum in listed:
        name = text(datum) or ""
        always = next(
            (other for known, other in seen.items() if known == name or _somebody(place, known)),
            None,
        )
        if always is not None:
            yield _warn(
                datum.span,
                f"'{name}' never gives an owner: '{text(always)}' before it always does",
                "remove it",
                always.span,
            )
        seen.setdefault(name, datum)


def _somebody(place: m.Kind, name: str) -> bool:
    one = place.fixed.get(name) or place.cells.get(name)
    return one is not None and isinstance(one.type, m.MemberOf) and not one.type.optional


def _boxed(world: CheckState, top: Mapping[str, Datum]) -> Iterator[Diagnostic]:
    """Warn of a place with an outline and a box, of a place in two boxes, and of two boxes in one
    position. Only the first counts.
    """
    places = {member.id: member.span for data in world.source.kinds for member in data.members}
    seen: dict[str, Span] = {}
    taken: dict[str, tuple[str, Span]] = {}
    for group in entries(top.get("boxes")).values():
        for name, at in entries(entries(group).get("at")).items():
            shape = world.source.geometry.get(name, {}).get("shape")
            other, span = taken.setdefault(str(at.plain()), (name, at.key_span))
            if name in seen:
                yield _warn(
                    at.key_span,
                    f"'{name}' already lies in a box",
                    "remove one of the two entries",
                    seen[name],
                )
            elif shape_of(world.source, name) is not None:
                yield _warn(
                    at.key_span,
                    f"this box is never shown: '{name}' has an outline on the map",
                    "remove the box, or the `shape` of the place in map.yaml",
                    places.get(name),
                    "the place",
                )
            elif shape == "circle":
                yield _warn(
                    at.key_span,
                    f"the circle of '{name}' in map.yaml is never shown: this box replaces it",
                    "remove the box, or the `shape` of the place in map.yaml",
                    places.get(name),
                    "the place",
                )
            elif other != name:
                yield _warn(
                    at.span,
                    f"the box of '{name}' lies on the box of '{other}'",
                    "correct one of the two positions",
                    span,
                    "the other box",
                )
            seen.setdefault(name, at.key_span)


# --------------------------------------------------------------------------------- looks by a value
def _values(
    by: Datum | None,
    kind: m.Kind,
    looks: Iterable[Mapping[str, Datum]],
    lists: Iterable[Datum | None] = (),
) -> Iterator[Diagnostic]:
    """Warn of looks for a value of an attribute that nothing has."""
    fixed = kind.fixed.get(text(by) or "")
    if (
        fixed is None
        or fixed.late
        or not isinstance(fixed.type, m.MemberOf)
        or len(fixed.values) != kind.size
    ):
        return
    named = [(name, style.key_span) for look in looks for name, style in look.items()]
    for name, span in [
        *named,
        *((text(datum) or "", datum.span) for listed in lists for datum in items(listed)),
    ]:
        ordinal = member_ordinal(fixed.type.kind, name)
        if isinstance(ordinal, int) and ordinal not in fixed.values:
            yield _warn(
                span,
                f"this is never shown: no {kind.name} has '{name}' as its {fixed.name}",
                "remove it, or correct the name",
            )


def _counters(world: CheckState, top: Mapping[str, Datum]) -> Iterator[Diagnostic]:
    """Check the glyphs and the order of counters and forces."""
    counter, forces = entries(top.get("counter")), entries(top.get("forces"))
    placed = next((data.kind for data in world.source.kinds if data.place_cell is not None), "")
    kind = world.kinds.get(text(counter.get("kind")) or placed)
    if kind is not None:
        looks = [
            entries(counter.get("glyphs")),
            entries(entries(counter.get("bonus")).get("mark_on")),
        ]
        yield from _values(
            counter.get("glyph_by"), kind, looks, [counter.get("order"), counter.get("round")]
        )
    name = text(forces.get("cell"))
    things = next(
        (
            one.keys[1].kind
            for one in world.model.cells
            if one.name == name and len(one.keys) == KEYS_OF_FORCES
        ),
        None,
    )
    if things is not None:
        yield from _values(forces.get("glyph_by"), things, [entries(forces.get("glyphs"))])
