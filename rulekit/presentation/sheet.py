"""The constant data of a game for frontends: everything that does not change in play.

It has the kinds with their members, printed data and labels, and the roles of kinds as pieces,
places and borders. It also has the map, tracks, cards, units, and the drawing (drawing.yaml).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import asdict, frozen

from rulekit.engine.game.game import Game
from rulekit.engine.kernel.bound_program import languages
from rulekit.engine.kernel.names import Names, tidy
from rulekit.presentation.drawing import drawing_of, entries_for, joined, owner_of
from rulekit.presentation.rich_text import pieces, places, sort_of
from rulekit.runtime import cells
from rulekit.runtime.program import CellInfo, KindInfo, TotalInfo, TypeInfo


@frozen
class Attribute:
    """A constant attribute of all members of a kind.

    Attributes:
        form: bool, int, member or set.
        kind: the kind of a member or set.
        unit: the unit of a number.
        low, high: the range of a number.
    """

    name: str
    label: str
    form: str
    kind: str | None = None
    unit: str | None = None
    low: int | None = None
    high: int | None = None


@frozen
class MemberSheet:
    """A member of a kind.

    Attributes:
        label: its name for people.
        short: its text on a counter.
        printed: its attributes by name: a number, a bool, an id, a list of ids, or None for a
            missing value.
    """

    id: str
    label: str
    short: str
    printed: Mapping[str, Any]


@frozen
class KindSheet:
    """A kind and its members.

    Attributes:
        sort: piece, place, border, side or thing.
        ordered: True if its members are in rising order.
        secret: True if players may not always know which member they see.
    """

    name: str
    label: str
    sort: str
    attributes: tuple[Attribute, ...]
    members: tuple[MemberSheet, ...]
    ordered: bool = False
    secret: bool = False


@frozen
class Pieces:
    """The roles of the attributes of a kind of pieces, or None for a role without one.

    `place` and `reduced` are states. `owner` and `front` can be states. The others are printed.
    """

    kind: str
    place: str
    owner: str | None = None
    glyph: str | None = None
    front: str | None = None
    back: str | None = None
    reduced: str | None = None
    bonus: str | None = None
    band: str | None = None


@frozen
class Spot:
    """The location of a place on the map.

    Attributes:
        at: its point. For a hexagon of a board it counts half cells to the right, and rows.
        outline: the points of its outline.
        box: a box as (left, top, right, bottom).
        hex: True for a hexagon of a board.
        round: True if it is drawn as a circle around its point.
    """

    id: str
    at: tuple[int, int] | None = None
    outline: tuple[tuple[int, int], ...] = ()
    box: tuple[int, int, int, int] | None = None
    terrain: str | None = None
    hex: bool = False
    round: bool = False


@frozen
class Edge:
    """A border between two places.

    Attributes:
        between: the two places.
        style: the style of its line.
        marks: the marks on it.
        inner: the place on its inner side.
        via: points of its line.
        one_way: True if it leads only from the first place to the second.
    """

    id: str
    between: tuple[str, str]
    style: str | None = None
    marks: tuple[str, ...] = ()
    inner: str | None = None
    via: tuple[tuple[int, int], ...] = ()
    one_way: bool = False


@frozen
class Map:
    """The map of a game.

    Attributes:
        closed: pairs of places that are adjacent but not joined.
        corners: the places that meet in a point.
    """

    spots: tuple[Spot, ...] = ()
    edges: tuple[Edge, ...] = ()
    closed: tuple[tuple[str, ...], ...] = ()
    corners: tuple[Mapping[str, Any], ...] = ()


@frozen
class Track:
    """A track that shows a state or a total.

    Attributes:
        what: cell or total.
        form: int, bool, member or set.
        each: True if each side has one.
        low, high: the ends of a track of numbers.
        unit: the unit of the numbers.
        steps: names of its values.
        note: a definition whose value is shown next to it.
        seat: True if it is shown with its side and not above the map.
    """

    name: str
    what: str
    label: str
    form: str
    each: bool = False
    low: int | None = None
    high: int | None = None
    unit: str | None = None
    steps: Mapping[str, str] = {}
    note: str | None = None
    seat: bool = False


@frozen
class Face:
    """A face of a card.

    Attributes:
        text: its effect.
        card: the card that it belongs to.
        moment: the moment at which it can be played.
        moment_label: the name of that moment for people.
        side: the side that can play it, or None for any.
        gone: True if its use removes the card from the game.
    """

    id: str
    label: str
    text: str
    card: str
    number: int | None = None
    moment: str | None = None
    moment_label: str | None = None
    side: str | None = None
    gone: bool = False


@frozen
class StateSheet:
    """The kinds of the key and the value of a state. None stands for a number, or a yes or no."""

    key: str | None
    value: str | None


@frozen
class Sheet:
    """The constant data of a game.

    Attributes:
        units: by name, the long and the short word of a unit.
        look: the drawing, with `sides`, `terrain`, `counter`, `boxes`, `scenery`, `art`, `frame`,
            `rough` and the roles `seat`, `cards` and `combat`.
        paragraphs: the texts of rule paragraphs, by number, as far as the game has them.
        card_kind: the kind of the cards in hands.
        face_kind: the kind of `faces`.
        cells: the kinds of each single-key state, by its name in a position.
    """

    game: str
    title: str
    version: str
    rules: str
    scenario: str
    scenario_title: str
    rulings: Mapping[str, str]
    lang: str
    languages: tuple[str, ...]
    sides: tuple[MemberSheet, ...]
    kinds: tuple[KindSheet, ...]
    pieces: tuple[Pieces, ...]
    map: Map
    tracks: tuple[Track, ...]
    faces: tuple[Face, ...]
    units: Mapping[str, Mapping[str, str]]
    look: Mapping[str, Any]
    paragraphs: Mapping[str, str] = {}
    card_kind: str | None = None
    face_kind: str | None = None
    cells: Mapping[str, StateSheet] = {}

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)

    def kind(self, name: str) -> KindSheet:
        """Return a kind by name."""
        return next(kind for kind in self.kinds if kind.name == name)


def sheet(
    game: Game,
    scenario: str | None = None,
    lang: str | None = None,
    rulings: Mapping[str, str] | None = None,
    edition: str | None = None,
) -> Sheet:
    """Return the sheet of a game's scenario in one of its languages.

    Args:
        scenario: the scenario, or None for the default.
        lang: the language, or None for the game's.
    """
    table = game.table(scenario, rulings, edition)
    return sheet_of(
        table.in_language(lang).names if lang is not None else table.names, game.info.version
    )


def sheet_of(names: Names, version: str = "") -> Sheet:
    """Return the sheet from the names of a program in a language."""
    program, look = names.program, drawing_of(names)
    titles = dict(program.scenarios)
    kinds = tuple(_kind(names, i, kind) for i, kind in enumerate(program.kinds) if not kind.own)
    sides = next((kind.members for kind in kinds if kind.sort == "side"), ())
    return Sheet(
        program.name,
        names.text("title", str(program.info.get("manifest", {}).get("title", program.name))),
        version,
        program.rules,
        program.scenario,
        names.text(f"scenario.{program.scenario}", titles.get(program.scenario, "")),
        {ruling.name: ruling.chosen for ruling in program.rulings},
        names.lang,
        tuple(languages(program)),
        sides,
        kinds,
        tuple(_roles(names, kind, look) for kind in sorted(pieces(names))),
        _map(names, look),
        tracks(names),
        _faces(names, look),
        _units(names),
        _titled(names, look),
        names.under("paragraph."),
        _card_kind(names, look),
        look.get("cards", {}).get("faces"),
        {
            names.cell_name(cell): _cell(names, cell)
            for cell in program.cells
            if len(cell.keys) == 1 and not cell.hidden
        },
    )


# ---------------------------------------------------------------------------------- kinds and units
def _kind(names: Names, at: int, kind: KindInfo) -> KindSheet:
    attributes = tuple(_attribute(names, name, type) for name, (type, _) in kind.fixed.items())
    members = tuple(
        MemberSheet(
            id,
            names.label(at, i),
            names.shorts[at][i],
            {name: names.value(type, values[i]) for name, (type, values) in kind.fixed.items()},
        )
        for i, id in enumerate(kind.members)
    )
    sort = "border" if kind.joins >= 0 else sort_of(names, at)
    return KindSheet(
        kind.name,
        names.text(f"kind.{kind.name}", tidy(kind.name)),
        sort,
        attributes,
        members,
        kind.ordered,
        kind.hidden_identity,
    )


def _attribute(names: Names, name: str, type: TypeInfo) -> Attribute:
    kind = names.program.kinds[type.kind].name if type.kind >= 0 else None
    return Attribute(
        name,
        names.text(f"fixed.{name}", tidy(name)),
        type.form,
        kind,
        type.unit,
        type.low,
        type.high,
    )


def _roles(names: Names, kind: int, look: Mapping[str, Any]) -> Pieces:
    info, counter = names.program.kinds[kind], look.get("counter", {})
    has = {cell.name for cell in names.program.cells if cell.owner == kind} | set(info.fixed)
    if counter.get("kind", info.name) != info.name:
        counter = {}
    role = {
        name: said if said in has else None
        for name in ("front", "back", "reduced", "band")
        for said in [counter.get(name)]
    }
    types = {cell.name: cell.type for cell in names.program.cells if cell.owner == kind}
    types |= {name: type for name, (type, _) in info.fixed.items()}
    given = types.get(counter.get("owner", ""))
    owner = (
        counter["owner"]
        if given is not None and given.form == "member"
        else owner_of(names, kind) or None
    )
    return Pieces(
        info.name,
        names.place_cells[kind].name,
        owner,
        counter.get("glyph_by"),
        bonus=counter.get("bonus", {}).get("attr"),
        **role,
    )


def _units(names: Names) -> dict[str, dict[str, str]]:
    program = names.program
    types = [type for kind in program.kinds for type, _ in kind.fixed.values()] + [
        cell.type for cell in program.cells
    ]
    types += [total.type for total in program.totals] + [
        type for total in program.totals for _, type in total.params
    ]
    types += [var.type for proc in program.procs for var in proc.vars]
    return {
        unit: {
            "label": names.text(f"unit.{unit}", unit),
            "short": names.text(f"unit.{unit}.short", unit),
        }
        for unit in sorted({type.unit for type in types if type.unit})
    }


# ------------------------------------------------------------------------------------------ the map
def _map(names: Names, look: Mapping[str, Any]) -> Map:
    program = names.program
    facts: Mapping[str, Any] = program.info.get("geometry") or {}
    whole = facts.get("", {})
    spots = tuple(
        _spot(names, program.kinds[kind], i, facts, look)
        for kind in sorted(places(names))
        for i in range(len(program.kinds[kind].members))
    )
    edges = tuple(
        _edge(names, graph, i, pair, facts, look)
        for graph, kind in enumerate(program.kinds)
        if kind.joins >= 0
        for i, pair in joined(names, graph)
    )
    closed = tuple(tuple(map(str, entry["between"])) for entry in whole.get("closed", ()))
    corners = tuple(
        {"between": [str(name) for name in entry["between"]], "at": entry.get("at")}
        for entry in whole.get("corners", ())
    )
    return Map(spots, edges, closed, corners)


def _spot(
    names: Names, kind: KindInfo, at: int, facts: Mapping[str, Any], look: Mapping[str, Any]
) -> Spot:
    id = kind.members[at]
    fact, shape = facts.get(id, {}), facts.get(id, {}).get("shape")
    box = next(
        (
            (x - w // 2, y - h // 2, x + w - w // 2, y + h - h // 2)
            for group in look.get("boxes", {}).values()
            for (x, y), (w, h) in [(group["at"].get(id, (0, 0)), group["size"])]
            if id in group["at"]
        ),
        None,
    )
    by = look.get("terrain_by")
    terrain = names.value(kind.type_of(by), kind.values_of(by)[at]) if by in kind.fixed else None
    point = fact.get("at")
    if point is None and "row" in kind.fixed:
        across = names.program.info.get("hexes", {}).get(kind.name)
        point = (across[at] if across else kind.values_of("col")[at], -kind.values_of("row")[at])
    return Spot(
        id,
        tuple(point) if point is not None else None,
        tuple(map(tuple, shape)) if isinstance(shape, (list, tuple)) else (),
        box,
        terrain,
        fact.get("at") is None and kind.name in names.program.info.get("hexes", {}),
        shape == "circle",
    )


def _edge(
    names: Names,
    graph: int,
    at: int,
    pair: list[int],
    facts: Mapping[str, Any],
    look: Mapping[str, Any],
) -> Edge:
    kind = names.program.kinds[graph]
    ends = names.program.kinds[kind.joins].members
    shown = entries_for(names, kind, at, look.get("borders"))
    style = next((entry["style"] for entry in shown if "style" in entry), None)
    inner = next((entry["inner"] for entry in shown if "inner" in entry and "style" in entry), None)
    fact = facts.get(kind.members[at], {})
    return Edge(
        kind.members[at],
        (ends[pair[0]], ends[pair[1]]),
        None if style == "none" else style,
        tuple(entry["mark"] for entry in shown if "mark" in entry),
        names.id(kind.joins, kind.values_of(inner)[at]) if inner is not None else None,
        tuple((x, y) for x, y in fact.get("via", ())),
        fact.get("one_way") is True,
    )


# --------------------------------------------------------------------------------- tracks and cards
def tracks(names: Names) -> tuple[Track, ...]:
    """Return the tracks that the drawing names."""
    return tuple(
        _track(names, entry)
        for entry in (names.program.info.get("drawing") or {}).get("tracks", ())
    )


def _track(names: Names, entry: Mapping[str, Any]) -> Track:
    program = names.program
    what = "cell" if "cell" in entry else "total"
    name = entry[what]
    info: CellInfo | TotalInfo = (
        next(c for c in program.cells if c.name == name and c.owner < 0)
        if what == "cell"
        else next(t for t in program.totals if t.name == name)
    )
    type, each = info.type, bool(info.keys if isinstance(info, CellInfo) else info.params)
    low, high = (
        _end(names, entry.get(end), info, default)
        for end, default in (("from", type.low), ("to", type.high))
    )
    if type.form == "member":
        steps = {
            id: names.label(type.kind, i) for i, id in enumerate(program.kinds[type.kind].members)
        }
    else:
        steps = {
            str(n): text
            for n, text in sorted(names.numbered(f"track.{name}"))
            if (low or 0) <= n <= (high or 0)
        }
    return Track(
        name,
        what,
        names.text(f"{what}.{name}", tidy(name)),
        type.form,
        each,
        low,
        high,
        type.unit,
        steps,
        entry.get("note"),
        entry.get("seat") is True,
    )


def _end(names: Names, end: Any, info: CellInfo | TotalInfo, default: int | None) -> int | None:
    """Return an end of a track: a number, a constant, or the initial value of the state."""
    if end is None or isinstance(end, int):
        return default if end is None else end
    if end == info.name and isinstance(info, CellInfo):
        return cells.read(names.program.initial, info, ()) if not info.keys else default
    found = names.program.info.get("numbers", {}).get(names.program.scenario, {}).get(end)
    return default if found is None else int(found)


def _faces(names: Names, look: Mapping[str, Any]) -> tuple[Face, ...]:
    cards = look.get("cards", {})
    if "faces" not in cards:
        return ()
    kind = names.kind(cards["faces"])
    info, out = names.program.kinds[kind], []
    for i, id in enumerate(info.members):
        values = {
            role: (
                names.value(info.type_of(name), info.values_of(name)[i])
                if name in info.fixed
                else None
            )
            for role, name in cards.items()
            if role not in ("faces", "text")
        }
        moment, text = values.get("moment"), names.text(f"{cards.get('text', 'effect')}.{id}")
        spoken = names.text(f"moment.{moment.replace(' ', '.')}", tidy(moment)) if moment else None
        out.append(
            Face(
                id,
                names.label(kind, i),
                text,
                values.get("of") or id,
                values.get("number"),
                moment,
                spoken,
                values.get("side"),
                values.get("gone") is True,
            )
        )
    return tuple(out)


def _cell(names: Names, cell: CellInfo) -> StateSheet:
    kinds, value = names.program.kinds, cell.type.kind if cell.type.form == "member" else -1
    return StateSheet(
        *(kinds[kind].name if kind >= 0 else None for kind in (cell.keys[0].kind, value))
    )


def _card_kind(names: Names, look: Mapping[str, Any]) -> str | None:
    """Return the kind of the cards in hands."""
    hand = look.get("seat", {}).get("hand")
    return next(
        (
            names.program.kinds[cell.type.kind].name
            for cell in names.program.cells
            if cell.pool and cell.name == hand
        ),
        None,
    )


def _titled(names: Names, look: Mapping[str, Any]) -> dict[str, Any]:
    """Return the drawing with the titles of its groups and the names of its terrains."""
    out = {
        name: value for name, value in look.items() if name not in ("source", "tracks", "borders")
    }
    out["boxes"] = {
        group: {**box, "title": names.text(f"drawing.{group}")}
        for group, box in look.get("boxes", {}).items()
    }
    by = look.get("terrain_by")
    kind = next((k.type_of(by).kind for k in names.program.kinds if by in k.fixed), -1)
    out["terrain"] = {
        id: {**style, "label": names.label(kind, names.member(kind, id)) if kind >= 0 else id}
        for id, style in look.get("terrain", {}).items()
    }
    for listed in ("signs", "words"):
        if listed in look:
            out[listed] = [
                {**each, "label": names.text(f"drawing.{each['name']}")} if "name" in each else each
                for each in look[listed]
            ]
    return out
