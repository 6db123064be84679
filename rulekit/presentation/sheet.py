"""Takes a game, a scenario and a language, makes the `Sheet`: what does not change while it is
played, for every frontend alike.

Kinds with their members, what is printed on these and what people call them; which of them are
pieces, places and borders; the map; tracks, cards, units; and how all of it looks
(drawing.yaml)."""

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
    """What is printed on all members of a kind. `form`: bool, int, member, set; `kind`: of a member
    or set, whose; `unit`, `low`, `high`: of a number."""

    name: str
    label: str
    form: str
    kind: str | None = None
    unit: str | None = None
    low: int | None = None
    high: int | None = None


@frozen
class Member:
    """`label`: what people call it; `short`: what stands on a counter; `printed`: its attributes by
    name: a number, true or false, an id, None for none, a list of ids."""

    id: str
    label: str
    short: str
    printed: Mapping[str, Any]


@frozen
class Kind:
    """`sort`: piece, place, border, side or thing. `ordered`: its members rise. `secret`: one may
    not always know which member one sees."""

    name: str
    label: str
    sort: str
    attributes: tuple[Attribute, ...]
    members: tuple[Member, ...]
    ordered: bool = False
    secret: bool = False


@frozen
class Pieces:
    """Which attribute of a kind of pieces is what: `place` and `reduced` are states, `owner` and
    `front` may be, the others are printed. None: it has none."""

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
    """Where a place lies: its point `at`, its outline, or a `box` (left, top, right, bottom).
    `round`: drawn as a circle around its point. `hex`: it is a hexagon of a board; then `at` counts
    half cells to the right and rows."""

    id: str
    at: tuple[int, int] | None = None
    outline: tuple[tuple[int, int], ...] = ()
    box: tuple[int, int, int, int] | None = None
    terrain: str | None = None
    hex: bool = False
    round: bool = False


@frozen
class Edge:
    """A border between two places. `style` of its line, `marks` on it, `inner`: the place on its
    inner side; `via`: points of a line that is drawn; `one_way`: it leads from the first place
    only."""

    id: str
    between: tuple[str, str]
    style: str | None = None
    marks: tuple[str, ...] = ()
    inner: str | None = None
    via: tuple[tuple[int, int], ...] = ()
    one_way: bool = False


@frozen
class Map:
    """`closed`: pairs that lie side by side and are not joined; `corners`: the places that meet in
    a point."""

    spots: tuple[Spot, ...] = ()
    edges: tuple[Edge, ...] = ()
    closed: tuple[tuple[str, ...], ...] = ()
    corners: tuple[Mapping[str, Any], ...] = ()


@frozen
class Track:
    """`what`: cell or total. `form`: int, bool, member, set; `each`: there is one of each side. Of
    numbers `low` and `high` are its ends, in `unit`; `steps`: names of its values. `note`: a
    definition whose value is told beside it. `seat`: it is told with the side whose it is, and not
    above the map."""

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
    """A face of a card: what it does (`text`), at which `moment` (and what people call that), for
    which `side` (None: any), and whether its use takes the card out of the game."""

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
class Cell:
    """The kinds of the key and of the value of a state; None: it is a number, or yes or no."""

    key: str | None
    value: str | None


@frozen
class Sheet:
    """What does not change. `units`: by name, the words and the short words; `look`: the drawing,
    with `sides`, `terrain`, `counter`, `boxes`, `scenery`, `art`, `frame`, `rough`, and what the
    roles `seat`, `cards` and `combat` name. `paragraphs`: what those of the rule book say that the
    game has a text for, by their numbers. `card_kind`: of what lies in hands; `face_kind`: of the
    `faces`. `cells`: of each state of one key, by its name in a position, what key and value are.
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
    sides: tuple[Member, ...]
    kinds: tuple[Kind, ...]
    pieces: tuple[Pieces, ...]
    map: Map
    tracks: tuple[Track, ...]
    faces: tuple[Face, ...]
    units: Mapping[str, Mapping[str, str]]
    look: Mapping[str, Any]
    paragraphs: Mapping[str, str] = {}
    card_kind: str | None = None
    face_kind: str | None = None
    cells: Mapping[str, Cell] = {}

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)

    def kind(self, name: str) -> Kind:
        """A kind by name."""
        return next(kind for kind in self.kinds if kind.name == name)


def sheet(
    game: Game,
    scenario: str | None = None,
    lang: str | None = None,
    rulings: Mapping[str, str] | None = None,
    edition: str | None = None,
) -> Sheet:
    """The sheet of a game's scenario (None: its default) in one of its languages (None: the
    game's)."""
    table = game.table(scenario, rulings, edition)
    return sheet_of(
        table.in_language(lang).names if lang is not None else table.names, game.info.version
    )


def sheet_of(names: Names, version: str = "") -> Sheet:
    """The same from the names of a program in a language."""
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


# --------------------------------------------------------------------------------------------------
def _kind(names: Names, at: int, kind: KindInfo) -> Kind:
    attributes = tuple(_attribute(names, name, type) for name, (type, _) in kind.fixed.items())
    members = tuple(
        Member(
            id,
            names.label(at, i),
            names.shorts[at][i],
            {name: names.value(type, values[i]) for name, (type, values) in kind.fixed.items()},
        )
        for i, id in enumerate(kind.members)
    )
    sort = "border" if kind.joins >= 0 else sort_of(names, at)
    return Kind(
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


# --------------------------------------------------------------------------------------------------
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
    terrain = names.value(kind.fixed[by][0], kind.fixed[by][1][at]) if by in kind.fixed else None
    point = fact.get("at")
    if point is None and "row" in kind.fixed:
        across = names.program.info.get("hexes", {}).get(kind.name)
        point = (across[at] if across else kind.fixed["col"][1][at], -kind.fixed["row"][1][at])
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
        names.id(kind.joins, kind.fixed[inner][1][at]) if inner is not None else None,
        tuple((x, y) for x, y in fact.get("via", ())),
        fact.get("one_way") is True,
    )


# --------------------------------------------------------------------------------------------------
def tracks(names: Names) -> tuple[Track, ...]:
    """The tracks that the drawing names."""
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
    """An end of a track: a number, a fixed value, or what the state is at the start."""
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
        told = {
            role: (
                names.value(info.fixed[name][0], info.fixed[name][1][i])
                if name in info.fixed
                else None
            )
            for role, name in cards.items()
            if role not in ("faces", "text")
        }
        moment, text = told.get("moment"), names.text(f"{cards.get('text', 'effect')}.{id}")
        spoken = names.text(f"moment.{moment.replace(' ', '.')}", tidy(moment)) if moment else None
        out.append(
            Face(
                id,
                names.label(kind, i),
                text,
                told.get("of") or id,
                told.get("number"),
                moment,
                spoken,
                told.get("side"),
                told.get("gone") is True,
            )
        )
    return tuple(out)


def _cell(names: Names, cell: CellInfo) -> Cell:
    kinds, value = names.program.kinds, cell.type.kind if cell.type.form == "member" else -1
    return Cell(*(kinds[kind].name if kind >= 0 else None for kind in (cell.keys[0].kind, value)))


def _card_kind(names: Names, look: Mapping[str, Any]) -> str | None:
    """The kind of what lies in hands."""
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
    """The drawing with the titles of its groups and the names of its terrains."""
    out = {
        name: value for name, value in look.items() if name not in ("source", "tracks", "borders")
    }
    out["boxes"] = {
        group: {**box, "title": names.text(f"drawing.{group}")}
        for group, box in look.get("boxes", {}).items()
    }
    by = look.get("terrain_by")
    kind = next((k.fixed[by][0].kind for k in names.program.kinds if by in k.fixed), -1)
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
