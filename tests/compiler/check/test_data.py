"""Members, fixed values, graphs and grids: the binding of data to declarations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler import model as m
from rulekit.compiler.check.check import check
from rulekit.compiler.check.data import binding
from rulekit.compiler.source.folder import read_game
from rulekit.compiler.source.game_source import Datum, GameSource, KindData, MemberData
from rulekit.compiler.source.yaml_reader import parse_yaml
from tests.broken_cases import case_file, unpack

NUM, BOOL = m.Int(), m.Bool()
_lines = iter(range(1, 1_000_000))


def datum(value: Any) -> Datum:
    """Return a value with a place of its own."""
    span = Span("data.yaml", next(_lines), 1)
    if isinstance(value, dict):
        return Datum({k: datum(v) for k, v in value.items()}, span, span)
    if isinstance(value, list):
        return Datum([datum(v) for v in value], span, span)
    return Datum(value, span, span)


def section(kind: str, members: dict[str, dict[str, Any]], place: str | None = None) -> KindData:
    found = [
        MemberData(
            name,
            {k: datum(v) for k, v in values.items() if k != "label"},
            label=values.get("label"),
            span=Span("data.yaml", next(_lines), 1),
        )
        for name, values in members.items()
    ]
    return KindData(kind, found, place, kind_span=Span("data.yaml", next(_lines), 1))


def source(*kinds: KindData, fixed: dict[str, Any] | None = None) -> GameSource:
    return GameSource(
        "test",
        Path("test"),
        kinds=list(kinds),
        fixed={k: datum(v) for k, v in (fixed or {}).items()},
    )


def codes(sink: Sink) -> list[str]:
    return [found.code for found in sink.found]


SIDE = m.Kind("Side", members=["left", "right"])
PIECE = m.Kind("Piece", members=["left.A", "right.A", "left.B"])


# ------------------------------------------------------------------------------------------- values
def test_a_member_by_id_or_by_its_last_part() -> None:
    assert binding.member_ordinal(PIECE, "right.A") == 1
    assert binding.member_ordinal(PIECE, "B") == 2
    assert binding.member_ordinal(PIECE, "A") == [0, 1]
    assert binding.member_ordinal(PIECE, "C") is None


@pytest.mark.docs("data-files#map-pieces-things")
@pytest.mark.parametrize(
    ("type", "written", "value"),
    [
        (BOOL, True, 1),
        (NUM, 7, 7),
        (m.Int(None, 0, 9), 9, 9),
        (m.MemberOf(SIDE), "right", 1),
        (m.MemberOf(SIDE, True), None, -1),
        (m.SetOf(SIDE), ["left", "right"], 3),
        (m.SetOf(SIDE), [], 0),
        (m.MemberOf(m.Kind("Number", members=["3"])), 3, 0),
    ],
)
def test_values(type: m.Type, written: Any, value: int) -> None:
    sink = Sink()
    assert binding.convert(datum(written), type, sink, "x") == value and not sink.found


@pytest.mark.docs("data-files#map-pieces-things")
@pytest.mark.parametrize(
    ("type", "written", "code"),
    [
        (BOOL, 1, "RK635"),
        (NUM, True, "RK635"),
        (NUM, "7", "RK635"),
        (NUM, None, "RK635"),
        (m.Int(None, 0, 9), 10, "RK636"),
        (NUM, 1 << 40, "RK636"),
        (NUM, m.NO_LIMIT, "RK636"),
        (NUM, -m.NO_LIMIT, "RK636"),
        (m.MemberOf(SIDE), None, "RK635"),
        (m.MemberOf(SIDE), "rihgt", "RK633"),
        (m.MemberOf(SIDE), ["left"], "RK635"),
        (m.MemberOf(PIECE), "A", "RK634"),
        (m.SetOf(SIDE), "left", "RK635"),
        (m.SetOf(SIDE), ["left", "wrong"], "RK633"),
        (m.SetOf(SIDE), [True], "RK635"),
    ],
)
def test_bad_values_are_reported_where_they_stand(type: m.Type, written: Any, code: str) -> None:
    sink, bad = Sink(), datum(written)
    assert binding.convert(bad, type, sink, "x") is None
    assert codes(sink) == [code]
    assert sink.found[0].span.file == "data.yaml" and sink.found[0].help


@pytest.mark.parametrize(
    ("written", "message", "help"),
    [
        (
            "6.5",
            "expected a whole number, found 6.5 (x)",
            "there are no fractions; write a whole number",
        ),
        ("'6.5'", "expected a number, found '6.5' (x)", "write a number"),
        ("many", "expected a number, found 'many' (x)", "write a number"),
    ],
)
def test_a_fraction_without_quotes_is_a_number_that_is_not_whole(
    written: str, message: str, help: str
) -> None:
    read = parse_yaml(written, "data.yaml", sink := Sink())
    assert read is not None and binding.convert(read, NUM, sink, "x") is None
    assert [(found.message, found.help) for found in sink.found] == [(message, help)]


def test_a_guess_for_a_member() -> None:
    sink = Sink()
    binding.convert(datum("rihgt"), m.MemberOf(SIDE), sink, "'owner' of 'x'")
    assert sink.found[0].help == "did you mean 'right'?"


def test_an_optional_number() -> None:
    assert binding.convert(datum(None), NUM, Sink(), "x", optional=True) == m.NO_LIMIT


# ------------------------------------------------------------------------------------------ members
def test_members_of_the_data_follow_those_of_the_rules() -> None:
    kind = m.Kind("Thing", members=["a"])
    sink = Sink()
    binding.bind_members(
        {"Thing": kind},
        source(section("Thing", {"b": {"label": "The second"}}), section("Thing", {"c": {}})),
        sink,
    )
    assert kind.members == ["a", "b", "c"] and kind.labels == {"b": "The second"} and not sink.found


def test_unknown_kinds_and_members_that_stand_twice() -> None:
    kind = m.Kind("Thing", members=["a"])
    sink = Sink()
    binding.bind_members(
        {"Thing": kind}, source(section("Thng", {"b": {}}), section("Thing", {"a": {}})), sink
    )
    assert codes(sink) == ["RK630", "RK602"] and "'Thing'" in sink.found[0].help
    assert kind.members == ["a"]


# ------------------------------------------------------------------------------------- fixed values
def things() -> m.Kind:
    return m.Kind("Thing", members=[])


def attribute(kind: m.Kind, name: str, type: m.Type, *keys: m.Key) -> m.Fixed:
    fixed = m.Fixed(name, [m.Key(kind), *keys], type, owner=kind, span=Span("game.rules", 1, 1))
    kind.fixed[name] = fixed
    return fixed


def bound(game: GameSource, kind: m.Kind, *others: m.Fixed, **options: Any) -> Sink:
    sink = Sink()
    kinds = {kind.name: kind, "Side": SIDE}
    binding.bind_members(kinds, game, sink)
    binding.bind_fixed(kinds, [*kind.fixed.values(), *others], game, sink, **options)
    return sink


@pytest.mark.docs("data-files#map-pieces-things")
def test_attributes_and_what_the_data_leave_out() -> None:
    kind = things()
    types = {
        "owner": m.MemberOf(SIDE),
        "flag": BOOL,
        "maybe": m.MemberOf(SIDE, True),
        "sides": m.SetOf(SIDE),
        "star": m.Int(None, 0, 3),
    }
    made = {name: attribute(kind, name, type) for name, type in types.items()}
    game = source(
        section(
            "Thing",
            {
                "a": {
                    "owner": "left",
                    "flag": True,
                    "maybe": "right",
                    "sides": ["right"],
                    "star": 2,
                    "at": [1, 2],
                },
                "b": {"owner": "right", "star": 0},
            },
        )
    )
    assert not bound(game, kind).found
    assert {name: fixed.values for name, fixed in made.items()} == {
        "owner": [0, 1],
        "flag": [1, 0],
        "maybe": [1, -1],
        "sides": [2, 0],
        "star": [2, 0],
    }


def test_a_value_that_may_not_be_left_out() -> None:
    kind = things()
    attribute(kind, "owner", m.MemberOf(SIDE))
    attribute(kind, "size", m.Int(None, 1, 9))
    sink = bound(
        source(section("Thing", {"a": {"size": 1}, "b": {"owner": "left"}, "c": {}})), kind
    )
    assert codes(sink) == ["RK632", "RK632"]
    assert (
        "'owner' has no value for Thing a, c" in sink.found[0].message
        and "Thing b, c" in sink.found[1].message
    )
    assert sink.found[0].span.file == "data.yaml" and sink.found[0].second == Span(
        "game.rules", 1, 1
    )


@pytest.mark.docs("data-files#map-pieces-things")
def test_a_number_left_out_is_an_error_though_its_range_begins_at_0() -> None:
    """It is reported at the member, with the ways to correct it. An expression in the declaration
    fills in missing numbers."""
    kind = things()
    attribute(kind, "size", m.Int(None, 0, 9))
    sink = bound(source(section("Thing", {"a": {"size": 1}, "b": {}})), kind)
    assert codes(sink) == ["RK632"] and "'size' has no value for Thing b" in sink.found[0].message
    assert (
        "also where it is 0" in sink.found[0].help and "fixed size: ... = 0" in sink.found[0].help
    )


@pytest.mark.docs("data-files#map-pieces-things")
def test_optional_numbers_and_computed_values() -> None:
    kind = things()
    moves, rank, size = (attribute(kind, name, NUM) for name in ("moves", "rank", "size"))
    sink = bound(
        source(section("Thing", {"a": {"moves": 3, "size": 1}, "b": {"size": 2}})),
        kind,
        optional=[moves],
        computed=[rank, size],
    )
    assert not sink.found
    assert (moves.values, rank.values, size.values) == ([3, m.NO_LIMIT], [], [1, 2])


def test_an_unknown_attribute() -> None:
    kind = things()
    attribute(kind, "owner", m.MemberOf(SIDE, True))
    kind.cells["zone"] = m.Cell("zone", [m.Key(kind)], NUM)
    sink = bound(source(section("Thing", {"a": {"ownr": "left", "zone": 3}})), kind)
    assert codes(sink) == ["RK631", "RK631"]
    assert (
        sink.found[0].help == "did you mean 'owner'?" and "a scenario sets it" in sink.found[1].help
    )


def test_what_is_filled_already_is_left_alone() -> None:
    kind = things()
    attribute(kind, "size", NUM).values = [9]
    assert not bound(source(section("Thing", {"a": {"size": 1}})), kind).found
    assert kind.fixed["size"].values == [9]


@pytest.mark.docs("data-files#data-files")
def test_global_values_with_keys() -> None:
    area = m.Fixed("area", [m.Key(SIDE)], m.SetOf(PIECE))
    season = m.Fixed("season", [m.Key(None, 1, 4)], NUM)
    grid = m.Fixed("grid", [m.Key(SIDE), m.Key(PIECE)], NUM)
    open_for = m.Fixed("open", [m.Key(PIECE)], BOOL)
    years = m.Fixed("years", [m.Key(None, 1, 3)], NUM)
    each = {
        f"grid.{side}.{piece}": i
        for i, (side, piece) in enumerate((s, p) for s in SIDE.members for p in PIECE.members)
    }
    game = source(
        fixed={
            "area.left": ["left.A"],
            "area": {"right": ["B"]},
            "season.1-2": 5,
            "season.>=3": 6,
            **each,
            "open": ["right.A"],
            "years": [7, 8, 9],
        }
    )
    sink = bound(game, things(), area, season, grid, open_for, years)
    assert not sink.found
    assert (area.values, season.values, grid.values) == ([1, 4], [5, 5, 6, 6], [0, 1, 2, 3, 4, 5])
    assert (open_for.values, years.values) == ([0, 1, 0], [7, 8, 9])


def test_wrong_global_values() -> None:
    area = m.Fixed("area", [m.Key(SIDE)], NUM)
    other = m.Fixed("other", [m.Key(SIDE), m.Key(SIDE)], NUM)
    plain = m.Fixed("plain", [], NUM)
    game = source(
        fixed={"aera": 1, "area.lft": 2, "area.left": 3, "other.left.rigth": 4, "plain.left": 1}
    )
    sink = bound(game, things(), area, other, plain)
    assert codes(sink) == ["RK637", "RK633", "RK633", "RK633", "RK632"]
    assert (
        "'area'" in sink.found[0].help
        and "'left'" in sink.found[1].help
        and "'right'" in sink.found[2].help
    )


def test_a_global_value_without_data_is_left_to_a_scenario() -> None:
    last = m.Fixed("last_turn", [], NUM)
    assert not bound(source(), things(), last).found and last.values == []
    worth = m.Fixed("worth", [m.Key(SIDE)], NUM, late=True)
    assert not bound(source(fixed={"worth.left": 3}), things(), worth).found  # the other side's too


# ------------------------------------------------------------------------------------------ borders
def board(*between: Any, places: str = "abcd") -> tuple[m.Kind, m.Kind, Sink]:
    place, border = m.Kind("Place"), m.Kind("Border")
    border.joins = place
    named = [(pair if isinstance(pair, dict) else {"between": pair}) for pair in between]
    members = {
        one.get("id") or "-".join(map(str, one["between"])): {
            k: v for k, v in one.items() if k != "id"
        }
        for one in named
    }
    sink = Sink()
    game = source(section("Border", members), section("Place", {name: {} for name in places}))
    kinds = {"Border": border, "Place": place}
    binding.bind_members(kinds, game, sink)
    binding.bind_fixed(kinds, [*border.fixed.values()], game, sink)
    return place, border, sink


def test_borders_give_arcs_both_ways() -> None:
    place, border, sink = board(["a", "b"], ["b", "c"], {"between": ["d", "a"], "one_way": True})
    assert not sink.found and border.members == ["a-b", "b-c", "d-a"]
    assert binding.arcs(border) == [(0, 0, 1), (0, 1, 0), (1, 1, 2), (1, 2, 1), (2, 3, 0)]
    assert binding.neighbours(place, border).values == [0b0010, 0b0101, 0b0010, 0b0001]
    assert binding.ends(border).values == [0b0011, 0b0110, 0b1001]


def test_one_way_may_also_stand_among_the_facts_for_drawing() -> None:
    place, border = m.Kind("Place", members=["a", "b"]), m.Kind("Border", members=["a-b"])
    border.joins = place
    game = source(section("Border", {"a-b": {"between": ["a", "b"]}}))
    game.geometry["a-b"] = {"one_way": True}
    assert binding.arcs(border, game) == [(0, 0, 1)]


def test_places_within_a_number_of_borders() -> None:
    place, border, _ = board(["a", "b"], ["b", "c"], ["c", "d"])
    assert binding.within(place, border, 1, 0b111).values == [0b0011, 0b0111, 0b1110, 0b1100]
    assert binding.within(place, border, 2, 0b101).values == [0b0011, 0b0011, 0b1100, 0b1100]
    assert binding.within(place, border, 0, 0b111).values == [1, 2, 4, 8]


@pytest.mark.docs("language#2-kinds-members-attributes")
@pytest.mark.parametrize(
    ("between", "code"), [(["a", "a"], "RK640"), (["a", "x"], "RK633"), (["a"], "RK640")]
)
def test_a_bad_border(between: list[str], code: str) -> None:
    *_, sink = board(between)
    assert codes(sink) == [code]


def test_two_places_joined_twice() -> None:
    *_, sink = board(["a", "b"], ["b", "a"])
    assert codes(sink) == ["RK641"] and sink.found[0].second is not None
    *_, sink = board(["a", "b"], {"between": ["b", "a"], "id": "ford"})
    assert not sink.found


def test_a_border_with_an_attribute_that_names_a_third_place() -> None:
    place, border = m.Kind("Place", members=["a", "b", "c"]), m.Kind("Border")
    border.joins = place
    border.fixed["wall"] = m.Fixed("wall", [m.Key(border)], m.MemberOf(place, True), owner=border)
    game, sink = source(section("Border", {"a-b": {"between": ["a", "b"], "wall": "c"}})), Sink()
    kinds = {"Border": border, "Place": place}
    binding.bind_members(kinds, game, sink)
    binding.bind_fixed(kinds, [border.fixed["wall"]], game, sink)
    assert (
        codes(sink) == ["RK642"]
        and sink.found[0].level == "warning"
        and border.fixed["wall"].values == [2]
    )


# -------------------------------------------------------------------------------------------- grids
@pytest.mark.docs("language#2-kinds-members-attributes")
def test_a_grid() -> None:
    cell = m.Kind("Cell")
    row, col = binding.grid(cell, 2, 3)
    assert cell.members == ["a1", "b1", "c1", "a2", "b2", "c2"]
    assert (row.values, col.values) == ([1, 1, 1, 2, 2, 2], [1, 2, 3, 1, 2, 3])
    assert cell.fixed == {"row": row, "col": col} and col.type == m.Int(None, 1, 3)
    wide = m.Kind("Cell")
    binding.grid(wide, 1, 28)
    assert wide.members[25:] == ["z1", "aa1", "ab1"]


@pytest.mark.parametrize(
    ("rows", "columns", "length", "count"),
    [(3, 3, 3, 8), (6, 7, 4, 69), (2, 2, 1, 4), (2, 2, 3, 0)],
)
def test_straight_lines(rows: int, columns: int, length: int, count: int) -> None:
    cell, line = m.Kind("Cell"), m.Kind("Line")
    binding.grid(cell, rows, columns)
    (cells,) = binding.lines(line, length, cell)
    assert line.size == len(cells.values) == len(set(cells.values)) == count
    assert all(mask.bit_count() == length for mask in cells.values)


def test_the_lines_of_a_small_grid() -> None:
    cell, line = m.Kind("Cell"), m.Kind("Line")
    binding.grid(cell, 2, 2)
    assert binding.lines(line, 2, cell)[0].values == [
        0b0011,
        0b1100,
        0b0101,
        0b1010,
        0b1001,
        0b0110,
    ]


def test_a_shift_on_a_grid() -> None:
    cell = m.Kind("Cell")
    binding.grid(cell, 2, 3)
    shift = binding.shift(cell, 2, 3)
    size = [key.size for key in shift.keys]
    assert size == [6, 5, 7]

    def at(i: int, dr: int, dc: int) -> int:
        return shift.values[(i * size[1] + dr + 2) * size[2] + dc + 3]

    assert (at(0, 1, 1), at(0, 0, -1), at(5, -1, -2), at(4, 1, 0), at(2, 0, 0)) == (4, -1, 0, -1, 2)


def test_everything_made_here_says_so() -> None:
    place, border, _ = board(["a", "b"])
    assert all(
        fixed.synthetic
        for fixed in (
            binding.neighbours(place, border),
            binding.within(place, border, 1, 1),
            binding.ends(border),
        )
    )
    assert binding.ends(border).span == NOWHERE


def test_what_a_library_declares_cannot_be_declared_optional_by_its_game(tmp_path: Path) -> None:
    """The help names only changes that the author of the game can make."""
    for case, game, offered in (
        ("value_missing_of_library", "mine", False),
        ("value_missing", "", True),
    ):
        unpack(case_file(case), tmp_path / case)
        sink = Sink()
        check(read_game(tmp_path / case / game, sink), sink)  # type: ignore[arg-type]
        assert ["declare it optional" in found.help for found in sink.found] == [offered]
