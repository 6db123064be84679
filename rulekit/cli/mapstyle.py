"""Takes a program and the facts of its map for the drawing, makes outlines, colours and the styles of borders: as map.yaml says, else as
drawing.yaml does."""

from __future__ import annotations

from typing import Any

from attrs import evolve, field, frozen

from rulekit.cli.places import sort_of
from rulekit.cli.svg import Line, Style
from rulekit.cli.svgmarks import Spot, Stretch
from rulekit.play.names import Names, tidy
from rulekit.program.program import KindInfo
from rulekit.seat.look import entries_for, joined
from rulekit.source.polygons import shared

BROWN = "#3a2a20"
LOOKS: dict[str, dict[str, Any]] = {  # of the styles and marks of drawing.yaml
    "wall": {"stroke": BROWN, "width": 6, "mark": "teeth"}, "wall-broken": {"stroke": "#8a5a3a", "width": 5, "mark": "teeth", "dash": True},
    "wall-planned": {"stroke": "#b5772f", "width": 4, "dash": True}, "river": {"stroke": "#3b7dc4", "width": 8},
    "coast": {"stroke": "#5f8fb0", "width": 3}, "road": {"stroke": "#a08050", "width": 4}, "cliff": {"stroke": BROWN, "width": 4},
    "bridge": {"mark": "bridge"}, "gate": {"mark": "dot"}, "ford": {"mark": "dot"}, "cross": {"mark": "cross"}}


@frozen
class Geometry:
    """The facts of the map for the drawing: of each place or border by id, and of the whole; and what drawing.yaml says."""

    facts: dict[str, Any]
    whole: dict[str, Any]
    look: dict[str, Any] = field(factory=dict)

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


    def scenery(self) -> list[list[Spot]]:
        """Outlines of land that is no place."""
        return [[spot for point in shape if (spot := _spot(point)) is not None] for shape in self.look.get("scenery", ())]


def geometry_of(info: dict[str, Any]) -> Geometry:
    """From what the program keeps of map.yaml and drawing.yaml."""
    facts = info.get("geometry") or {}
    return Geometry(facts, facts.get("", {}), info.get("drawing") or {})


def _spot(at: Any) -> Spot | None:
    if isinstance(at, (list, tuple)) and len(at) == 2 and all(isinstance(v, (int, float)) for v in at):
        return float(at[0]), float(at[1])
    return None


# ------------------------------------------------------------------------------------------------ places
def sort_and_fill(names: Names, kind: KindInfo, member: int, geometry: Geometry) -> tuple[str, str]:
    """What the legend calls a place, and its colour, if the map says so: `colour_by` and `colours`, or `terrain_by` and `terrain`."""
    by, colours = geometry.whole.get("colour_by"), geometry.whole.get("colours", {})
    if by is None:
        by, terrain = geometry.look.get("terrain_by"), geometry.look.get("terrain", {})
        colours = {name: style["fill"] for name, style in terrain.items() if "fill" in style}
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
    written, look = geometry.whole.get("styles", {}), geometry.look.get("borders", ())
    out = []
    for i, (a, b) in joined(names, graph):
        id = kind.members[i]
        styles = [style for key, entry in written.items() if (style := _style(names, kind, i, key, entry)) is not None]
        if not written:
            styles = _looks(names, kind, i, look)
        inner = [v[i] for type, v in kind.fixed.values() if type.form == "member" and type.kind == kind.joins and v[i] in (a, b)]
        via = [spot for point in geometry.fact(id, "via") or () if (spot := _spot(point)) is not None]
        sort = "" if written or look else sort_of(names, kind, i)
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


def _looks(names: Names, kind: KindInfo, member: int, look: Any) -> list[Style]:
    """The styles of drawing.yaml that show on a border."""
    found: list[Style] = []
    for entry in entries_for(names, kind, member, look):
        plain = Style(", ".join(_told(names, kind, member, name) for name in entry["when"]), width=0)
        found += [evolve(plain, **LOOKS[entry[key]]) for key in ("style", "mark") if entry.get(key, "none") != "none"]
    return found


def _told(names: Names, kind: KindInfo, member: int, attribute: str) -> str:
    told, (value, label) = _attribute(names, attribute), _value(names, kind, attribute, member)
    return told if label == told or kind.fixed[attribute][0].kind == kind.joins or not value else f"{told}: {label}"
