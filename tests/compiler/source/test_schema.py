"""The published schemas: an editor can complete and explain with them, and findings are in plain
words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.schema_validation import schema_folder, validate
from rulekit.compiler.source.yaml_reader import parse_yaml

SCHEMAS = sorted(schema_folder().glob("*.json"))


def properties(schema: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {}).items()
        for inner in schema.values():
            yield from properties(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from properties(inner)


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda p: p.stem)
def test_a_schema_explains_itself(path: Path) -> None:
    schema = json.loads(path.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:rulekit:schema:1:{path.stem}"
    assert schema["title"] and schema["description"]
    for name, prop in properties(schema):
        described = prop.get("description") or schema["$defs"].get(
            prop.get("$ref", "").rpartition("/")[2], {}
        ).get("description")
        assert described, name


def test_there_is_a_schema_for_each_kind_of_file() -> None:
    assert {p.stem for p in SCHEMAS} == {
        "manifest",
        "map",
        "pieces",
        "data",
        "drawing",
        "scenario",
        "rulings",
        "overlay",
        "texts",
        "situations",
        "coverage",
        "sweep",
        "reversals",
    }


@pytest.mark.parametrize("name", [p.stem for p in SCHEMAS])
@pytest.mark.parametrize(
    "text",
    ["[[1]]", "a: {b: [c]}", "7", "- {a: 1}", "- 3", "places: 3", "ids: 3", "- {name: 1, then: 3}"],
)
def test_findings_never_show_a_path_of_json(name: str, text: str) -> None:
    sink = Sink()
    doc = parse_yaml(text, "f.yaml", sink)
    assert doc is not None
    validate(doc, name, sink)
    for diagnostic in sink.found:
        assert not {"$", "anyOf", "oneOf", "/"} & set(diagnostic.message.split())
        assert "schema" not in diagnostic.message and diagnostic.help


def test_a_misspelt_key_is_one_finding_not_two() -> None:
    sink = Sink()
    doc = parse_yaml(
        'rulekit: game\nname: a\ntitel: A\nversion: "1"\nlanguage: 1\n', "f.yaml", sink
    )
    assert doc is not None
    validate(doc, "manifest", sink)
    assert [(d.code, d.span.line, d.help) for d in sink.found] == [
        ("RK120", 3, "did you mean 'title'?")
    ]


def told(name: str, text: str) -> list[tuple[str, str]]:
    doc = parse_yaml(text, "f.yaml", sink := Sink())
    assert doc is not None
    validate(doc, name, sink)
    return [(found.message, found.help) for found in sink.found]


def test_a_look_of_borders_says_for_which_it_is() -> None:
    drawing = "source: {assumed: x}\nborders: [{%sstyle: wall}]\n"
    assert told("drawing", drawing % "when: {wall: true}, ") == []
    [(message, _)] = told("drawing", drawing % "")
    assert message == "a border style needs the key 'when'"


@pytest.mark.parametrize(
    ("written", "given"),
    [
        ("6.5", "6.5"),
        ("-0.5", "-0.5"),
        ("+.5", "+.5"),
        ("6.", "6."),
        ("1e3", "1e3"),
        ("6.5e-1", "6.5e-1"),
        ("'6.5'", "the text '6.5'"),
        ('"1e3"', "the text '1e3'"),
        ("1.2.3", "the text '1.2.3'"),
        ("6,5", "the text '6,5'"),
        ("e3", "the text 'e3'"),
        (".", "the text '.'"),
        ("5 km", "the text '5 km'"),
    ],
)
def test_a_number_with_a_fraction_is_called_so_only_without_quotes(
    written: str, given: str
) -> None:
    [(message, help)] = told("drawing", f"source: {{assumed: x}}\nrough: {written}\n")
    assert message == f"'rough' must be a whole number, not {given}"
    assert given.startswith("the text") or help == "there are no fractions; write a whole number"
