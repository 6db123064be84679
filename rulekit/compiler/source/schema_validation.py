"""Checks a YAML document against its JSON Schema, with findings in plain words at their places."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from attrs import evolve

from rulekit.common.diagnostics.diagnostic import Sink, guess
from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler.source.game_source import NO_FRACTIONS, Datum
from rulekit.compiler.source.missing_blanks import begun_with, message
from rulekit.compiler.source.text_file import shorter
from rulekit.compiler.source.yaml_reader import MAX_FINDINGS, parse_yaml

_PACKAGE = Path(__file__).resolve().parents[2]
_TYPES = {
    "string": "a text",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
    "array": "a list",
    "object": "a mapping",
}

# The files of a game by their schemas, in the order in which they are named for a key that several
# have.
FILES = {
    "manifest": "game.yaml",
    "map": "map.yaml",
    "pieces": "an entry of pieces.yaml or things.yaml",
    "data": "data.yaml",
    "drawing": "drawing.yaml",
    "rulings": "an entry of rulings.yaml",
    "scenario": "scenarios/*.yaml",
    "coverage": "coverage.yaml",
    "situations": "an entry of situations/*.yaml",
    "reversals": "reversals.yaml",
}


def schema_folder() -> Path:
    """Return the folder of the schemas: in the installed package, or else in the checkout."""
    inside = _PACKAGE / "_schema"
    return inside if inside.is_dir() else _PACKAGE.parent / "schema"


def validate(doc: Datum, schema: str, sink: Sink) -> bool:
    """Return True if the document fits the schema of that name (`manifest`, `map`, ...)."""
    if doc.value is None:
        sink.error("RK125", doc.span, "the file is empty", "write its content, or remove the file")
        return False
    errors = list(islice(_validator(schema).iter_errors(doc.plain()), MAX_FINDINGS))
    for error in errors:
        _report(error, doc, sink, schema)
    return not errors


@cache
def _validator(name: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(
        json.loads((schema_folder() / f"{name}.json").read_text(encoding="utf-8"))
    )


def _report(error: Any, doc: Datum, sink: Sink, schema: str) -> None:
    path = list(error.absolute_path)
    datum = _find(doc, path)
    if "propertyNames" in error.absolute_schema_path:
        at = datum.value[error.instance].key_span
        sink.error(
            "RK124",
            at,
            f"'{shorter(error.instance)}' is not"
            f" {error.schema.get('x-form', 'a key that can stand here')}",
            "rename it",
        )
        return
    if error.validator == "additionalProperties":
        _unknown(error, datum, _subject(path), sink, schema)
        return
    if (
        error.validator == "type"
        and "object" in error.validator_value
        and _glued(datum, doc, path, sink)
    ):
        return
    make = _WORDS.get(error.validator, _other)
    make(error, datum, _subject(path), sink)


def _glued(datum: Datum, doc: Datum, path: list[str | int], sink: Sink) -> bool:
    """Return True if a text should be a mapping of one key, and only the blank after its colon is
    missing.

    This is reported, and the document is changed to the intended mapping.
    """
    at, value = datum.span, datum.value
    parts = (
        begun_with(value)
        if isinstance(value, str)
        and at.line == at.end_line
        and at.end_column - at.column == len(value)
        else None
    )
    if parts is None:
        return False
    sink.error("RK113", at, *message(*parts))
    read = parse_yaml(
        "\n" * (at.line - 1) + " " * (at.column - 1) + ": ".join(parts), at.file, Sink()
    )
    if read is not None and path:
        _find(doc, path[:-1]).value[path[-1]] = evolve(read, key_span=datum.key_span)
    return True


def _find(doc: Datum, path: Iterable[str | int]) -> Datum:
    for step in path:
        doc = doc.value[step]
    return doc


def _subject(path: list[str | int]) -> str:
    """Return the words for the value at a path: its key, or its index and the list it is in."""
    if not path:
        return "the file"
    last = path[-1]
    if isinstance(last, str):
        return f"'{shorter(last)}'"
    above = next((p for p in reversed(path) if isinstance(p, str)), None)
    return f"item {last + 1}" + (f" of '{shorter(above)}'" if above is not None else "")


def _article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _whole(error: Any, subject: str) -> str:
    """Return the words for the mapping or list that contains the mistake."""
    title = error.schema.get("title")
    return _article(title) if title else subject


def _where(datum: Datum) -> Span:
    """Return the place where something is missing: the key of a value, or the beginning of a list
    item.
    """
    if datum.key_span is not NOWHERE:
        return datum.key_span
    span = datum.span
    return (
        span
        if span.line == span.end_line
        else Span(span.file, span.line, span.column, span.line, span.column + 1)
    )


OF_SCENARIOS = (
    "write under `set` the values of this scenario; values that are the same in all scenarios"
    " belong in data.yaml"
)


def _unknown(error: Any, datum: Datum, subject: str, sink: Sink, schema: str) -> None:
    known = error.schema.get("properties", {})
    root, outermost = _validator(schema).schema, not error.absolute_path
    for key in _strange(datum, known):
        message = f"'{shorter(key)}' is not a key of {_whole(error, subject)}"
        files = _other_files(key, schema) if outermost else []
        help = (
            OF_SCENARIOS if (key, schema) == ("fixed", "scenario") else _elsewhere(key, error, root)
        )
        help = help or (guess(shorter(key), known) if len(files) != 1 else "")
        help = help or (
            f"write it in {' or '.join(files)}" if files else f"its keys are {', '.join(known)}"
        )
        sink.error("RK120", datum.value[key].key_span, message, help)


def _elsewhere(key: str, error: Any, root: dict[str, Any]) -> str:
    """Return a help text if a key belongs further out, or in a part of this mapping.

    It is '' if the surrounding schema does not know the key.
    """
    path = list(error.absolute_schema_path)[:-1]
    schema: Any = root
    outer: list[tuple[dict[str, Any], str]] = []
    for at, step in enumerate(path):
        if step == "properties" and isinstance(schema, dict) and at + 1 < len(path):
            outer.append((schema["properties"], str(path[at + 1])))
        schema = _resolved(schema[step], root)
    for properties, child in reversed(outer):
        if key in properties and properties is not error.schema.get("properties"):
            return f"write it one level further out, next to '{child}'"
    parts = error.schema.get("properties", {})
    within = [name for name, part in parts.items() if key in _keys(_resolved(part, root), root)]
    return f"write it under {' or '.join(repr(name) for name in within)}" if within else ""


def _other_files(key: str, schema: str) -> list[str]:
    """Return the other files of a game that have this key at the top, or in each entry."""
    return [file for name, file in FILES.items() if name != schema and key in _outermost(name)]


@cache
def _outermost(name: str) -> frozenset[str]:
    """Return the keys of a file or of its entries if it is a list, or both if it may be either."""
    root = _validator(name).schema
    ways = [root, *(root[word] for word in ("then", "else") if word in root)]
    return frozenset(key for way in ways for key in _keys(_resolved(way, root), root))


def _resolved(schema: Any, root: dict[str, Any]) -> Any:
    """Return a part of a schema with its reference resolved."""
    name = schema.get("$ref", "") if isinstance(schema, dict) else ""
    return root["$defs"][name.removeprefix("#/$defs/")] if name.startswith("#/$defs/") else schema


def _keys(schema: Any, root: dict[str, Any]) -> Iterable[str]:
    """Return the keys of a mapping, or of the mappings in a list."""
    if not isinstance(schema, dict):
        return ()
    return schema.get("properties") or _keys(_resolved(schema.get("items"), root), root)


def _strange(datum: Datum, known: Iterable[str]) -> list[str]:
    """Return the unknown keys of a mapping, up to the number of findings that are reported."""
    return list(islice((key for key in datum.value if key not in known), MAX_FINDINGS))


def _missing(error: Any, datum: Datum, subject: str, sink: Sink) -> None:
    known = error.schema.get("properties", {})
    misspelt = " ".join(guess(shorter(key), known) for key in _strange(datum, known))
    for key in error.validator_value:
        if (
            key not in datum.value and f"'{key}'" not in misspelt
        ):  # a key nearly like it has been reported
            described = known.get(key, {}).get("description", "")
            sink.error(
                "RK121",
                _where(datum),
                f"{_whole(error, subject)} needs the key '{key}'",
                f"write `{key}:`"
                + (f" - {described[0].lower()}{described[1:].rstrip('.')}" if described else ""),
            )


def _type(error: Any, datum: Datum, subject: str, sink: Sink) -> None:
    wanted = error.validator_value
    wanted = [wanted] if isinstance(wanted, str) else wanted
    said = " or ".join(_TYPES[t] for t in wanted)
    help = error.schema.get("x-instead") or _type_help(wanted, datum, error.schema)
    sink.error(
        "RK122",
        datum.span if datum.span.line == datum.span.end_line else _where(datum),
        f"{subject} must be {said}, not {_given(datum)}",
        help,
    )


def _given(datum: Datum) -> str:
    value = datum.value
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return datum.nothing()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"the number {value}"
    return value if datum.is_fraction() else f"the text '{shorter(value)}'"


def _type_help(wanted: list[str], datum: Datum, schema: dict[str, Any]) -> str:
    value = datum.value
    if "string" in wanted and isinstance(value, (bool, int)):
        return f'put it in quotes: "{str(value).lower()}"'
    if wanted == ["boolean"] and str(value).lower() in ("yes", "no", "on", "off"):
        return "write true or false; yes, no, on and off are texts"
    if wanted == ["array"] and not isinstance(value, dict):
        return "write it in brackets: [a, b]"
    if wanted == ["integer"] and datum.is_fraction():
        return NO_FRACTIONS
    if (
        wanted == ["integer"]
        and isinstance(value, str)
        and value.replace(".", "", 1).lstrip("-").isdigit()
    ):
        return NO_FRACTIONS if "." in value else "write it without quotes"
    return _described(schema)


def _enum(error: Any, datum: Datum, subject: str, sink: Sink) -> None:
    allowed = [str(v) for v in error.validator_value]
    sink.error(
        "RK123",
        datum.span,
        f"{subject} cannot be {_given(datum).removeprefix('the text ')}",
        guess(shorter(str(datum.value)), allowed) or f"expected one of {', '.join(allowed)}",
        f"expected one of {', '.join(allowed)}",
    )


def _pattern(error: Any, datum: Datum, subject: str, sink: Sink) -> None:
    form = error.schema.get("x-form", "of the right form")
    sink.error(
        "RK124",
        datum.span,
        f"'{shorter(str(datum.value))}' is not {form}",
        error.schema.get("x-help")
        or ("rename it" if re.match("(a|the) name", form) else _described(error.schema)),
    )


def _few(error: Any, datum: Datum, subject: str, sink: Sink) -> None:
    _size(error, datum, subject, "at least", sink)


def _many(error: Any, datum: Datum, subject: str, sink: Sink) -> None:
    _size(error, datum, subject, "at most", sink)


def _size(error: Any, datum: Datum, subject: str, bound: str, sink: Sink) -> None:
    limit = error.validator_value
    schema = error.schema
    noun = {"Items": "item", "Length": "character", "Properties": "entry"}[error.validator[3:]]
    low = schema.get("min" + error.validator[3:])
    high = schema.get("max" + error.validator[3:])
    how = f"exactly {limit}" if low == high else f"{bound} {limit}"
    nouns = noun if limit == 1 else {"entry": "entries"}.get(noun, noun + "s")
    names = schema.get("properties")
    help = f"write one of {', '.join(names)}" if names else _size_help(datum, schema, bound)
    sink.error(
        "RK124",
        datum.span if datum.span.line == datum.span.end_line else _where(datum),
        f"{subject} needs {how} {nouns}, but has {len(datum.value)}",
        help,
    )


def _size_help(datum: Datum, schema: dict[str, Any], bound: str) -> str:
    """Return a help text for a value of the wrong size."""
    if bound == "at least":
        return _described(schema) if schema.get("description") else "add the missing items"
    help = _described(schema) if schema.get("description") else "make it shorter"
    numbers = isinstance(datum.value, list) and all(type(v.value) is int for v in datum.value)
    return f"{help}; a comma separates two items, numbers have no fraction" if numbers else help


def _described(schema: dict[str, Any]) -> str:
    text = str(schema.get("description", "")).rstrip(".")
    return f"{text[0].lower()}{text[1:]}" if text else "look at the schema of this file"


def _bound(error: Any, datum: Datum, subject: str, sink: Sink) -> None:
    side = "at least" if error.validator == "minimum" else "at most"
    sink.error(
        "RK124",
        datum.span,
        f"{subject} must be {side} {error.validator_value}, not {datum.value}",
        _described(error.schema),
    )


def _unique(error: Any, datum: Datum, subject: str, sink: Sink) -> None:
    seen: list[Any] = []
    for item in datum.value:
        if item.plain() in seen:
            sink.error(
                "RK124",
                item.span,
                f"{_given(item)} is written twice in {subject}",
                "remove one of the two",
            )
        seen.append(item.plain())


def _other(error: Any, datum: Datum, subject: str, sink: Sink) -> None:
    sink.error(
        "RK124", datum.span, f"{subject} does not have the right form", _described(error.schema)
    )


_WORDS: dict[str, Callable[[Any, Datum, str, Sink], None]] = {
    "required": _missing,
    "type": _type,
    "enum": _enum,
    "pattern": _pattern,
    "minItems": _few,
    "maxItems": _many,
    "minLength": _few,
    "maxLength": _many,
    "minProperties": _few,
    "maxProperties": _many,
    "minimum": _bound,
    "maximum": _bound,
    "uniqueItems": _unique,
}
