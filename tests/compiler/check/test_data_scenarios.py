"""Scenarios, rulings, editions and texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.check.data import binding
from rulekit.compiler.source.game_source import (
    Datum,
    GameSource,
    KindData,
    RulingData,
    ScenarioData,
)

NUM = m.Int(None, 0, 9)


def datum(value: Any, line: int = 1) -> Datum:
    span = Span("scenarios/s.yaml", line, 1)
    if isinstance(value, dict):
        return Datum({k: datum(v, line) for k, v in value.items()}, span, span)
    if isinstance(value, list):
        return Datum([datum(v, line) for v in value], span, span)
    return Datum(value, span, span)


def model() -> m.Model:
    made = m.Model("test", 1)
    side, zone = m.Kind("Side", members=["left", "right"]), m.Kind("Zone", members=["P", "Q"])
    piece = m.Kind("Piece", members=["left.A", "right.A", "left.B"])
    made.kinds = {kind.name: kind for kind in (side, zone, piece)}
    piece.cells = {
        "zone": m.Cell("zone", [m.Key(piece)], m.MemberOf(zone, True), -1, owner=piece),
        "reduced": m.Cell("reduced", [m.Key(piece)], m.Bool(), owner=piece),
    }
    piece.fixed = {"front": m.Fixed("front", [m.Key(piece)], NUM, [1, 2, 3], owner=piece)}
    made.cells = [
        *piece.cells.values(),
        m.Cell("supply", [m.Key(side)], NUM),
        m.Cell("turn", [], m.Int(None, 1, 20)),
        m.Cell("open", [m.Key(zone)], m.Bool()),
        m.Cell("limit 1", [], NUM, hidden=True),
    ]
    made.fixed = [
        piece.fixed["front"],
        m.Fixed("last_turn", [], NUM, late=True, span=Span("game.rules", 3, 1)),
        m.Fixed("bonus", [m.Key(side)], NUM, [1, 1], late=True),
    ]
    return made


def bind(
    given: dict[str, Any], deploy: list[tuple[str, dict[str, Any]]] | None = None
) -> tuple[binding.Scenario, Sink, m.Model]:
    game, sink = model(), Sink()
    placed = [
        (datum(p, 50 + i), {k: datum(v, 50 + i) for k, v in values.items()})
        for i, (p, values) in enumerate(deploy or [])
    ]
    written = ScenarioData(
        "s",
        "The s",
        ("2",),
        {k: datum(v, i) for i, (k, v) in enumerate(given.items(), 1)},
        placed,
        {"tie": datum("attacker")},
        Span("scenarios/s.yaml", 99, 1),
    )
    source = GameSource(
        "test", Path("test"), kinds=[KindData("Piece", place_cell="zone")], scenarios=[written]
    )
    return binding.bind_scenarios(game, source, sink)["s"], sink, game


@pytest.mark.docs("data-files#data-files", "data-files#pieces")
def test_a_scenario_sets_and_deploys() -> None:
    made, sink, _ = bind(
        {
            "turn": 2,
            "supply.left": 3,
            "supply": {"right": 4},
            "last_turn": 7,
            "bonus.right": 5,
            "open": ["Q"],
        },
        [("left.A", {"zone": "P"}), ("right.A", {"": "Q", "reduced": True})],
    )
    assert not sink.found
    assert (made.title, made.ref, made.rulings, made.late) == (
        "The s",
        ("2",),
        {"tie": "attacker"},
        {"last_turn": 7, "bonus": [1, 5]},
    )
    named = [(cell.name, keys, value) for cell, keys, value in made.cells]
    assert named == [
        ("turn", (), 2),
        ("supply", (0,), 3),
        ("supply", (1,), 4),
        ("open", (0,), 0),
        ("open", (1,), 1),
        ("zone", (0,), 0),
        ("zone", (1,), 1),
        ("reduced", (1,), 1),
    ]


@pytest.mark.parametrize(
    ("given", "code", "help"),
    [
        ({"trun": 1}, "RK660", "did you mean 'turn'?"),
        ({"turn": 21}, "RK636", "1 .. 20"),
        ({"supply.lfet": 1}, "RK633", "did you mean 'left'?"),
        ({"supply": 1}, "RK635", "Side"),
        ({"supply": [4]}, "RK635", "a value for each Side"),
        ({"supply": [4, 5, 6]}, "RK635", "a value for each Side"),
        ({"front": {"left.A": 1}}, "RK661", "data.yaml"),
        ({"limit 1": 1}, "RK660", ""),
        ({"supply.left": 1, "supply": {"left": 2}}, "RK664", "remove"),
    ],
)
def test_what_a_scenario_may_not_set(given: dict[str, Any], code: str, help: str) -> None:
    _, sink, _ = bind({"last_turn": 7, **given})
    assert [found.code for found in sink.found] == [code]
    assert help in sink.found[0].help and sink.found[0].span.file == "scenarios/s.yaml"


@pytest.mark.parametrize(
    ("deploy", "code", "help"),
    [
        ([("left.C", {"zone": "P"})], "RK633", "did you mean"),
        ([("left.A", {"zone": "R"})], "RK633", "expected one of P, Q"),
        ([("left.A", {"zone": "P"}), ("left.A", {"zone": "Q"})], "RK605", "one place"),
        ([("left.A", {"zone": "P", "reduce": True})], "RK663", "'reduced'"),
        ([("left.A", {"zone": "P", "front": 3})], "RK663", "is fixed"),
        ([("left.A", {"zone": "P", "reduced": 3})], "RK635", "true or false"),
    ],
)
def test_what_cannot_be_deployed(
    deploy: list[tuple[str, dict[str, Any]]], code: str, help: str
) -> None:
    _, sink, _ = bind({"last_turn": 7}, deploy)
    assert [found.code for found in sink.found] == [code] and help in sink.found[0].help
    assert sink.found[0].span.line >= 50


def test_a_late_value_that_nobody_gives() -> None:
    made, sink, _ = bind({})
    assert [found.code for found in sink.found] == ["RK662"] and "last_turn" in sink.found[
        0
    ].message
    assert made.late == {"last_turn": 0, "bonus": [1, 1]}


def test_a_game_without_scenarios_has_a_standard_one() -> None:
    game = model()
    game.fixed = []
    found = binding.bind_scenarios(
        game, GameSource("test", Path("test"), {"title": "A test"}), Sink()
    )
    assert (
        list(found) == ["standard"]
        and found["standard"].title == "A test"
        and not found["standard"].cells
    )


# ------------------------------------------------------------------------------------------ rulings
def ruling(id: str, default: str = "b", alternatives: dict[str, str] | None = None) -> RulingData:
    names = {"a": "one", "b": "two"} if alternatives is None else alternatives
    return RulingData(id, "who wins?", ("4.2",), ("AMB-1",), names, default, "so")


@pytest.mark.docs("data-files#data-files", "data-files#scenarios-rulings-texts-overlays")
def test_a_ruling_is_a_late_value_of_a_kind_of_its_alternatives() -> None:
    source, kinds, sink = (
        GameSource("test", Path("test"), rulings=[ruling("tie"), ruling("on_record", "", {})]),
        {},
        Sink(),
    )
    (made,) = binding.bind_rulings(source, kinds, sink)
    assert (
        not sink.found
        and kinds["Ruling_tie"].members == ["a", "b"]
        and kinds["Ruling_tie"].labels["a"] == "one"
    )
    assert (
        made.fixed.late
        and made.fixed.name == "tie"
        and made.fixed.type == m.MemberOf(kinds["Ruling_tie"])
    )
    assert (made.fixed.values, made.default, made.data["inventory"]) == ([1], "b", ["AMB-1"])


def test_wrong_rulings() -> None:
    source, sink = (
        GameSource("test", Path("test"), rulings=[ruling("tie", "bb"), ruling("tie")]),
        Sink(),
    )
    assert len(binding.bind_rulings(source, {}, sink)) == 1
    assert [found.code for found in sink.found] == ["RK608", "RK607"]


@pytest.mark.docs("data-files#the-manifest")
def test_editions() -> None:
    editions, sink = {"first": {"tie": "a"}, "bad": {"tei": "a"}}, Sink()
    source = GameSource(
        "test", Path("test"), rulings=[ruling("tie"), ruling("rest")], editions=editions
    )
    rulings = binding.bind_rulings(source, {}, sink)
    assert binding.edition_rulings("first", source, rulings, sink) == {"tie": "a", "rest": "b"}
    assert binding.edition_rulings("", source, rulings, sink) == {"tie": "b", "rest": "b"}
    assert not sink.found
    binding.edition_rulings("bad", source, rulings, sink)
    binding.edition_rulings("frist", source, rulings, sink)
    assert [(found.code, found.help) for found in sink.found] == [
        ("RK608", "did you mean 'tie'?"),
        ("RK608", "did you mean 'first'?"),
    ]


# -------------------------------------------------------------------------------------------- texts
def test_texts_that_are_missing_or_not_needed() -> None:
    french = {"option.go": datum("Allez"), "option.og": datum("?")}
    source = GameSource(
        "test", Path("test"), texts={"en": {"option.go": datum("Go")}, "fr": french}
    )
    sink = Sink()
    binding.check_texts(
        m.Model("test", 1),
        source,
        {"option.go": "Go", "option.stay": "Stay", "option.new": ""},
        sink,
    )
    assert [(found.code, found.level) for found in sink.found] == [
        ("RK670", "warning"),
        ("RK671", "warning"),
    ]
    assert "in 'fr' for option.stay, option.new" in sink.found[0].message and sink.found[
        1
    ].help.startswith("did you mean 'option.go'")
    assert binding.bind_texts(source)["fr"]["option.go"] == "Allez"


def test_a_game_need_not_use_all_texts_of_its_libraries() -> None:
    source = GameSource(
        "test",
        Path("test"),
        texts={"en": {"level.total": datum("Total")}},
        shared_texts={"level.total"},
    )
    binding.check_texts(m.Model("test", 1), source, {}, sink := Sink())
    assert not sink.found
