"""Applies the corrections of an overlay to a `GameSource`, and checks overlays of a game folder
without changing the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from attrs import evolve

from rulekit.common.diagnostics.diagnostic import Sink, guess
from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler.source.documents import flat, prefixes
from rulekit.compiler.source.game_source import Datum, GameSource, KindData, MemberData, Provenance
from rulekit.compiler.source.map_and_pieces import ABOUT, DRAWN, entries, text
from rulekit.compiler.source.map_checks import check_map
from rulekit.compiler.source.provenance import (
    read_provenance,
    read_provenances,
    report_missing,
    vet_sources,
)
from rulekit.compiler.source.schema_validation import validate
from rulekit.compiler.source.text_file import read_text, shown_path
from rulekit.compiler.source.yaml_reader import parse_yaml

NO_CHANGE = "RK673"


def read_apart(file: Path, folder: Path, source: GameSource, sink: Sink) -> GameSource | None:
    """Return a copy of the game with an overlay of its folder applied, after reporting the findings
    of that file.
    """
    words = read_text(file, sink, folder)
    doc = parse_yaml(words, shown_path(file), sink) if words is not None else None
    if doc is None:
        return None
    validate(doc, "overlay", sink)
    kinds = [
        evolve(
            kind,
            members=[
                evolve(one, values=dict(one.values), sources=dict(one.sources))
                for one in kind.members
            ],
        )
        for kind in source.kinds
    ]
    fixed, fixed_sources = dict(source.fixed), dict(source.fixed_sources)
    changed = evolve(
        source,
        kinds=kinds,
        fixed=fixed,
        fixed_sources=fixed_sources,
        geometry=dict(source.geometry),
    )
    read_overlay(doc, changed, sink)
    if changed.geometry != source.geometry:
        before, after = Sink(), Sink()
        check_map(source, before)
        check_map(changed, after)
        for diagnostic in after.found:
            if diagnostic not in before.found:
                sink.add(diagnostic)
    return changed


def read_overlay(doc: Datum, source: GameSource, sink: Sink) -> None:
    """Apply an overlay file: corrected values of members and fixed declarations, each with its own
    source.
    """
    top = entries(doc)
    if (
        isinstance(doc.value, dict)
        and not entries(top.get("members"))
        and not entries(top.get("fixed"))
    ):
        sink.warn(
            NO_CHANGE,
            doc.span if doc.span.line == doc.span.end_line else Span(doc.span.file, 1, 1),
            "the overlay corrects nothing",
            "write the corrected values under `members` or `fixed`, or remove the file",
        )
    origin = read_provenance(top.get("source"))
    single = read_provenances(top.get("sources"))
    ids = [m.id for k in source.kinds for m in k.members]
    for name, body in _members(top.get("members") or Datum({}), source, origin, sink):
        sink.error(
            "RK621",
            body.key_span,
            f"the game has no member '{name}'",
            guess(name, ids) or "an overlay corrects members of the game's data",
        )
    given = {
        each
        for name, value in entries(top.get("fixed")).items()
        for key, _ in flat(name, value)
        for each in prefixes(key)
    }
    vet_sources(top.get("sources"), given, "a correction of", sink)
    for name, value in entries(top.get("fixed")).items():
        for key, datum in flat(name, value):
            if key not in source.fixed:
                at = datum.key_span if datum.key_span is not NOWHERE else value.key_span
                sink.error(
                    "RK622",
                    at,
                    f"the game's data give no value '{key}'",
                    guess(key, source.fixed)
                    or "an overlay corrects values that the game's data give",
                )
                continue
            mine = next((single[each] for each in prefixes(key) if each in single), origin)
            if mine is None:
                report_missing(f"the correction of '{key}'", datum.key_span, sink)
                continue
            if _same(source.fixed[key], datum):
                _useless(datum, f"'{key}'", source.fixed[key].span, sink)
            source.fixed[key], source.fixed_sources[key] = datum, mine


def _members(
    doc: Datum, source: GameSource, origin: Provenance | None, sink: Sink
) -> Iterator[tuple[str, Datum]]:
    """Apply the members of an overlay to those of the game. Yield the unknown ids with their
    data.
    """
    known: dict[str, list[tuple[KindData, MemberData]]] = {}
    for kind in source.kinds:
        for one in kind.members:
            known.setdefault(one.id, []).append((kind, one))
    for name, body in entries(doc).items():
        if name not in known:
            yield name, body
            continue
        values = entries(body)
        wanted = values.keys() - {*ABOUT, *DRAWN}
        meant = known[name]
        if len(meant) > 1:
            meant = [
                each for each in meant if wanted and wanted <= _attributes(source, each[0].kind)
            ]
        if len(meant) != 1:
            kinds = " and a ".join(each[0].kind for each in known[name])
            sink.error(
                "RK621",
                body.key_span,
                f"'{name}' is a {kinds}, so it is not clear which one is corrected",
                "rename one of the two in the data: an overlay names members by their ids only",
            )
            continue
        section, member = meant[0]
        attributes = _attributes(source, section.kind)
        own = read_provenance(values.get("source")) or origin
        single = read_provenances(values.get("sources"))
        vet_sources(
            values.get("sources"), values.keys() - {"source", "sources"}, "a correction of", sink
        )
        if not values.keys() - {"source", "sources"}:
            sink.warn(
                NO_CHANGE,
                body.key_span,
                f"nothing of '{name}' is corrected",
                "write the corrected values, or remove it",
            )
        if "label" in values:
            if member.label == text(values["label"]):
                _useless(values["label"], f"the label of '{name}'", None, sink)
            member.label = text(values["label"])
        for attribute, value in values.items():
            if attribute in ABOUT:
                continue
            if attribute in DRAWN:
                if source.geometry.get(name, {}).get(attribute) == value.plain():
                    _useless(value, f"'{attribute}' of '{name}'", None, sink)
                source.geometry[name] = {**source.geometry.get(name, {}), attribute: value.plain()}
                continue
            _value(
                member, section, attribute, value, attributes, single.get(attribute) or own, sink
            )


def _attributes(source: GameSource, kind: str) -> set[str]:
    return {a for k in source.kinds if k.kind == kind for m in k.members for a in m.values}


def _value(
    member: MemberData,
    section: KindData,
    attribute: str,
    value: Datum,
    attributes: set[str],
    origin: Provenance | None,
    sink: Sink,
) -> None:
    what = f"{section.kind} '{member.id}'"
    if attribute not in attributes or attribute == "between":
        sink.error(
            "RK622",
            value.key_span,
            f"{what} has no attribute '{attribute}' that an overlay can correct",
            guess(attribute, attributes - {"between"})
            or "an overlay corrects values that the game's data give",
        )
        return
    if origin is None:
        report_missing(f"the correction of '{attribute}' of {what}", value.key_span, sink)
        return
    before = member.sources.get(attribute, member.sources.get(""))
    if attribute in member.values and _same(member.values[attribute], value):
        _useless(value, f"'{attribute}' of {what}", member.values[attribute].span, sink)
    elif before is not None and before.kind == "text":
        sink.warn(
            "RK623",
            value.key_span,
            f"'{attribute}' of {what} comes from the rule book ({before.note}) and is changed here",
            "an overlay is for values that the game assumes",
        )
    member.values[attribute] = value
    member.sources[attribute] = origin


def _same(before: Datum, now: Datum) -> bool:
    """Return True if a correction equals the present value. The order in a set makes no
    difference.
    """
    old, new = before.plain(), now.plain()
    if isinstance(old, list) and isinstance(new, list):
        return sorted(map(str, old)) == sorted(map(str, new))
    return bool(old == new) and type(old) is type(new)


def _useless(datum: Datum, what: str, before: Span | None, sink: Sink) -> None:
    sink.warn(
        NO_CHANGE,
        datum.span,
        f"{what} already has this value, so the overlay changes nothing here",
        "write the corrected value, or remove it",
        second=before if before is not None and before.line else None,
        second_label="it is given here",
    )
