"""Takes a program and the facts of its map for the drawing, makes outlines, colours and the styles of borders."""

from __future__ import annotations

from typing import Any

from attrs import evolve, frozen

from rulekit.cli.places import joined, sort_of
from rulekit.cli.svg import Line, Style
from rulekit.cli.svgmarks import Spot, Stretch
from rulekit.play.names import Names, tidy
from rulekit.program.program import KindInfo
from rulekit.source.polygons import shared


@frozen
class Geometry:
    """The facts of the map for the drawing: of each place or border by id, and of the whole."""

    facts: dict[str, Any]
    whole: dict[str, Any]

    def fact(self, id: str, name: str) -> Any:
        """A fact of a place or border, or None."""
        entry = self.facts.get(id)
        return entry.get(name) if isinstance(entry, dict) else None

    def spot(self, id: str) -> Spot | None:
        """Where the name of a place stands: its point, or the middle of its corners."""
        shape = self.shape(id)
        middle = (sum(x for x, _ in shape) / len(shape), sum(y for _, y in shape) / len(shape)) if shape else None
        return _spot(self.fact(id, "at")) or middle

    def shape(self, id: str) -> list[tuple[int, int]]:
        """The outline of a place; empty if it has none."""
        value = self.fact(id, "shape")
        return [(int(x), int(y)) for x, y in value] if isinstance(value, (list, tuple)) else []

    def edges(self, a: str, b: str) -> tuple[Stretch, ...]:
        """What the outlines of two places share."""
        one, two = self.shape(a), self.shape(b)
        return tuple(shared(one, two)) if one and two else ()

    def closed(self) -> list[Stretch]:
        """The edges of pairs that are closed."""
        return [edge for entry in self.whole.get("closed", ()) for edge in self.edges(*map(str, entry["between"]))]

    def corners(self) -> list[Spot]:
        """The points of the corners."""
        return [spot for entry in self.whole.get("corners", ()) if (spot := _spot(entry.get("at"))) is not None]


def geometry_of(info: Any) -> Geometry:
    """From what the program keeps of map.yaml."""
    facts = info if isinstance(info, dict) else {}
    return Geometry(facts, facts.get("", {}))


def _spot(at: Any) -> Spot | None:
    if isinstance(at, (list, tuple)) and len(at) == 2 and all(isinstance(v, (int, float)) for v in at):
        return float(at[0]), float(at[1])
    return None


# ------------------------------------------------------------------------------------------------ places
def sort_and_fill(names: Names, kind: KindInfo, member: int, geometry: Geometry) -> tuple[str, str]:
    """What the legend calls a place, and its colour, if the map says so: `colour_by` and `colours`."""
    by, colours = geometry.whole.get("colour_by"), geometry.whole.get("colours", {})
    if by not in kind.fixed:
        return sort_of(names, kind, member), ""
    value, label = _value(names, kind, by, member)
    return label, colours.get(value, "")


def _value(names: Names, kind: KindInfo, attribute: str, member: int) -> tuple[str, str]:
    """The value of an attribute as data write it, and as people read it; both empty for none and false."""
    type, values = kind.fixed[attribute]
    value = values[member]
    if type.form == "member":
        return (names.program.kinds[type.kind].members[value], names.label(type.kind, value)) if value >= 0 else ("", "")
    if type.form == "bool":
        return (attribute, _attribute(names, attribute)) if value else ("", "")
    return str(value), f"{_attribute(names, attribute)} {value}"


def _attribute(names: Names, attribute: str) -> str:
    return names.text(f"fixed.{attribute}", tidy(attribute))


# ------------------------------------------------------------------------------------------------ borders
def lines(names: Names, graph: int, geometry: Geometry) -> list[Line]:
    """The borders of a kind: an edge of two outlines, or a line."""
    kind = names.program.kinds[graph]
    places = names.program.kinds[kind.joins].members
    written = geometry.whole.get("styles", {})
    out = []
    for i, (a, b) in joined(names, graph):
        id = kind.members[i]
        styles = [style for key, entry in written.items() if (style := _style(names, kind, i, key, entry)) is not None]
        inner = [v[i] for type, v in kind.fixed.values() if type.form == "member" and type.kind == kind.joins and v[i] in (a, b)]
        via = [spot for point in geometry.fact(id, "via") or () if (spot := _spot(point)) is not None]
        sort = "" if written else sort_of(names, kind, i)
        out.append(Line(places[a], places[b], sort, names.label(graph, i), tuple(styles), geometry.edges(places[a], places[b]),
                        tuple(via), places[inner[0]] if inner else ""))
    return out


def _style(names: Names, kind: KindInfo, member: int, key: str, entry: dict[str, Any]) -> Style | None:
    """The style under a key, if it fits a border: an attribute that is there and true, or attribute and value."""
    attribute, _, wanted = key.partition(".")
    if attribute not in kind.fixed:
        return None
    value, label = _value(names, kind, attribute, member)
    if not value or value == "0" or (wanted and value != wanted):
        return None
    told = _attribute(names, attribute)
    name = told if not wanted or label == told else f"{told}: {label}"
    plain = Style(entry.get("label", name), width=3 if "stroke" in entry else 0)
    return evolve(plain, **{k: v for k, v in entry.items() if k != "label"})
