"""YAML with positions: values and their places. No text breaks the reader."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.game_source import Datum
from rulekit.compiler.source.yaml_reader import MAX_FINDINGS, parse_yaml


def read(text: str) -> Datum:
    sink = Sink()
    datum = parse_yaml(text, "f.yaml", sink)
    assert datum is not None and not sink.found
    return datum


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"), ("on", "on"), ("y", "y"), ("1/2", "1/2"), ("4.2", "4.2"),
        ("1e3", "1e3"), ("12:30", "12:30"),
        ("2024-01-01", "2024-01-01"), ("0x1f", "0x1f"), ("1_000", "1_000"),
        (".inf", ".inf"), ("=", "="),
        ("true", True), ("False", False), ("null", None), ("~", None), ("", None), ("none", "none"),
        ("7", 7), ("-3", -3), ("+3", 3), ("007", 7), ("'7'", "7"),
        ('"true"', "true"), ("2147483647", 2147483647),
    ],
)  # fmt: skip
def test_only_true_false_null_and_whole_numbers_are_special(written: str, value: Any) -> None:
    datum = read(f"a: {written}\n").value["a"]
    assert (datum.value, type(datum.value)) == (value, type(value))


def test_a_key_is_always_a_text() -> None:
    assert read("1: a\ntrue: b\nno: c\n").plain() == {"1": "a", "true": "b", "no": "c"}


def test_an_empty_file_is_nothing() -> None:
    assert read("# nothing\n").value is None


def scalars(datum: Datum) -> Iterator[Datum]:
    if isinstance(datum.value, dict):
        yield from (s for v in datum.value.values() for s in scalars(v))
    elif isinstance(datum.value, list):
        yield from (s for v in datum.value for s in scalars(v))
    else:
        yield datum


def test_every_value_and_key_knows_its_place() -> None:
    text = "kind: Zone\nmembers:\n  A: {ground: sea, at: [1, 20]}\n  Bé: {x: 'y z'}\n"
    lines = text.split("\n")
    datum = read(text)
    for scalar in scalars(datum):
        line = lines[scalar.span.line - 1][scalar.span.column - 1 : scalar.span.end_column - 1]
        assert line.strip("'") == str(scalar.value)
    members = datum.value["members"]
    assert (members.key_span.line, members.key_span.column) == (2, 1)
    assert (members.span.line, members.span.column, members.span.end_line) == (3, 3, 4)
    assert members.value["Bé"].key_span.end_column == 5
    assert members.value["A"].value["at"].span.end_column == lines[2].index("]") + 2


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**31) + 1, 2**31 - 1)
    | st.text("ab é1.:-#{}[]'\"\\&*!\n", max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("abc 1", min_size=1, max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(VALUES)
def test_json_is_read_as_it_is(value: Any) -> None:
    assert read(json.dumps({"v": value}, ensure_ascii=False)).plain() == {"v": value}


@given(st.text("ab: -[]{}'\"|>&*!%@`#,?\n\t<é\\0", max_size=40))
def test_any_text_gives_a_tree_or_a_finding_with_help(text: str) -> None:
    sink = Sink()
    datum = parse_yaml(text, "f.yaml", sink)
    assert datum is not None or sink.errors
    for diagnostic in sink.found:
        assert diagnostic.message and diagnostic.help
        assert 1 <= diagnostic.span.line <= text.count("\n") + 1
        assert 1 <= diagnostic.span.column <= len(text.split("\n")[diagnostic.span.line - 1]) + 1


def test_many_findings_of_a_file_are_enough() -> None:
    """A frequently repeated mistake is not reported each time."""
    sink = Sink()
    assert parse_yaml("".join(f"a: {n}\n" for n in range(MAX_FINDINGS + 9)), "f.yaml", sink) is None
    assert [d.code for d in sink.found] == [sink.found[0].code] * MAX_FINDINGS


@pytest.mark.parametrize("end", ["", "\n", "\n\n  \n"])
def test_what_is_missing_at_the_end_is_told_at_the_last_line(end: str) -> None:
    """It is not reported at the empty line after it."""
    sink = Sink()
    assert parse_yaml(f"a:\n  - 1\n  b{end}", "f.yaml", sink) is None
    assert [d.span.line for d in sink.found] == [3]


@pytest.mark.parametrize(
    "blank", ["", "\t", "  \t", "\u00a0", "\u200b", "\t# note", "\ufeff"], ids=ascii
)
def test_a_line_on_which_nothing_is_seen_is_blank(blank: str) -> None:
    sink = Sink()
    found = parse_yaml(
        f"a: 1\n{blank}\nb:\n  c: 2\n{blank}\n  d: [3,\n{blank}\n    4]\n{blank}", "f.yaml", sink
    )
    assert (
        found is not None
        and not sink.found
        and found.plain() == {"a": 1, "b": {"c": 2, "d": [3, 4]}}
    )


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("a:\n  \u00a0b: 1\n", 2, 3), ("\u3000a: 1\n", 1, 1), ("a: 1\n\u200bb: 2\n", 2, 1)],
)
def test_an_indentation_that_is_not_made_of_spaces_is_told(
    text: str, line: int, column: int
) -> None:
    sink = Sink()
    assert parse_yaml(text, "f.yaml", sink) is None
    assert [(d.code, d.span.line, d.span.column) for d in sink.found] == [("RK110", line, column)]
    assert (
        "an invisible character (U+" in sink.found[0].message
        and sink.found[0].help == "indent with spaces"
    )


def test_what_is_not_seen_at_the_ends_of_a_value_does_not_count() -> None:
    sink = Sink()
    found = parse_yaml('a: \u00a01\nb: x\u200b\nc: "\u00a0"\n', "f.yaml", sink)
    assert found is not None and found.plain() == {"a": 1, "b": "x", "c": "\u00a0"}


@pytest.mark.parametrize(
    ("text", "line", "column", "help"),
    [
        ("a: {rate:frigate, guns: 1}", 1, 5, "write `rate: frigate`"),
        ("a: {b: 1, guns:3}", 1, 11, "write `guns: 3`"),
        ('a: {label:"Madras", b: 1}', 1, 5, 'write `label: "Madras"`'),
        ('a: {label:"Madras, the port", b: 1}', 1, 5, 'write `label: "..."`'),
        ('a: {label:"x: y", b: 1}', 1, 5, 'write `label: "..."`'),
        ('label:"x: y"\nb: 1', 1, 1, 'write `label: "..."`'),
        ("a: {at:[1, 2], b: 1}", 1, 5, "write `at: [...]`"),
        ("a: [{fine:{holed: true}}]", 1, 6, "write `fine: {...}`"),
        ("a: [fine, annibal:{holed: true}]", 1, 11, "write `annibal: {...}`"),
        ("a: [{fine:true, b: 1}]", 1, 6, "write `fine: true`"),
        ("a:\n  rate:frigate\n  guns: 1", 2, 3, "write `rate: frigate`"),
        ("a:\n  guns: 1\n  rate:frigate", 3, 3, "write `rate: frigate`"),
        ("a:\n  guns: 1\n  rate:frigate\n  label: x", 3, 3, "write `rate: frigate`"),
        ("a:\n  guns: 1\n  rate:frigate\nb: 1", 3, 3, "write `rate: frigate`"),
        ("a:\n  fine:{rate: liner}", 2, 3, "write `fine: {...}`"),
        ("a:\n  fine:{rate: liner, guns: 1}\n  b: {}", 2, 3, "write `fine: {...}`"),
        ("- name:A squadron sails\n  ref: x", 1, 3, "write `name: A squadron sails`"),
        ('- name: x\n  ref:["3"]\n  b: 1', 2, 3, "write `ref: [...]`"),
        ('title:Suffren\nversion: "0.1"', 1, 1, "write `title: Suffren`"),
    ],
)
def test_a_blank_that_is_missing_behind_a_colon_is_told(
    text: str, line: int, column: int, help: str
) -> None:
    sink = Sink()
    parse_yaml(text, "x.yaml", sink)
    assert [(d.code, d.span.line, d.span.column, d.help) for d in sink.found] == [
        ("RK113", line, column, help)
    ]


def test_what_has_no_blank_behind_its_colon_is_read_as_it_was_meant() -> None:
    sink = Sink()
    read = parse_yaml('a: {rate:frigate, guns:3, label:"x y", holed:true}', "x.yaml", sink)
    assert read is not None and read.plain() == {
        "a": {"rate": "frigate", "guns": 3, "label": "x y", "holed": True}
    }
    assert len(sink.found) == 4


@pytest.mark.parametrize(
    "text",
    [
        "a: http://x.y",
        "{u: http://x.y}",
        "a: 12:30",
        "a: see 4:2",
        "{'b:c': null}",
        '{"a":1}',
        "- b:c",
    ],
)
def test_a_colon_within_a_text_is_part_of_it(text: str) -> None:
    sink = Sink()
    assert parse_yaml(text, "x.yaml", sink) is not None and not sink.found


def test_a_text_that_goes_on_below_is_no_key() -> None:
    sink = Sink()
    parse_yaml("reason: we say\n  note:so\n  b: 1", "x.yaml", sink)
    assert [d.code for d in sink.found] == ["RK110"]
