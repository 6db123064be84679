"""Readers of map.yaml, pieces.yaml and things.yaml, which contain the members of kinds and the
geometry of the map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.diagnostics.span import Span
from rulekit.compiler.source.game_source import (
    ENDS_OF_BORDER,
    Datum,
    GameSource,
    KindData,
    MemberData,
    PlaceMeeting,
    Provenance,
)
from rulekit.compiler.source.provenance import (
    check_member,
    read_provenance,
    read_provenances,
    report_missing,
    vet_sources,
)

# Keys of a member that are not attributes of its kind.
ABOUT = ("source", "sources", "label", "id")
DRAWN = ("at", "inset", "shape", "via", "one_way")


def entries(datum: Datum | None) -> dict[str, Datum]:
    """Return the entries of a mapping, or none for anything else, because the schema has reported
    it.
    """
    return datum.value if datum is not None and isinstance(datum.value, dict) else {}


def items(datum: Datum | None) -> list[Datum]:
    """Return the items of a list, or none for anything else."""
    return datum.value if datum is not None and isinstance(datum.value, list) else []


def over(below: Datum | None, above: Datum) -> Datum:
    """Return one document merged over another.

    Mappings are merged key by key. Any other value of the upper document replaces that of the lower
    one.
    """
    if below is None or not isinstance(below.value, dict) or not isinstance(above.value, dict):
        return above
    joined = {**below.value, **{k: over(below.value.get(k), v) for k, v in above.value.items()}}
    return Datum(joined, above.span, above.key_span)


def one_or_more(datum: Datum | None) -> list[Datum]:
    """Return a list of sections, also if one section is written alone."""
    if datum is None or datum.value is None:
        return []
    return items(datum) if isinstance(datum.value, list) else [datum]


def text(datum: Datum | None) -> str | None:
    """Return a text, or a number that is written in place of a text."""
    if datum is None or isinstance(datum.value, (dict, list, bool)) or datum.value is None:
        return None
    return str(datum.value)


def read_map(doc: Datum, source: GameSource, sink: Sink) -> None:
    """Read the places and borders of map.yaml, the closed pairs and the corners."""
    top = entries(doc)
    for role in ("places", "borders"):
        for section in one_or_more(top.get(role)):
            read_section(section, source, sink, role)
    source.closed += [
        m
        for m in _meetings(top.get("closed"), "this closed pair", sink)
        if len(m.names) == ENDS_OF_BORDER
    ]
    source.corners += _meetings(top.get("corners"), "this corner", sink)
    whole = {key: top[key].plain() for key in ("closed", "corners") if items(top.get(key))}
    if whole:
        source.geometry[""] = {**source.geometry.get("", {}), **whole}


def _meetings(datum: Datum | None, what: str, sink: Sink) -> list[PlaceMeeting]:
    """Return the entries of `closed` or `corners`, each of which needs a source."""
    found = []
    for item in items(datum):
        body = entries(item)
        names = tuple(items(body.get("between")))
        if len(names) <= 1:
            continue  # the schema has reported it
        meeting = PlaceMeeting(names, body["between"].span, body.get("at"))
        if read_provenance(body.get("source")) is None and "source" in body:
            report_missing(what, meeting.span, sink)
        found.append(meeting)
    return found


def read_sections(doc: Datum, source: GameSource, sink: Sink) -> None:
    """Read the sections of pieces.yaml or things.yaml."""
    for section in one_or_more(doc):
        read_section(section, source, sink)


def read_section(section: Datum, source: GameSource, sink: Sink, role: str = "") -> None:
    """Read one section: `kind`, `source`, `sources` of single attributes, `each` (attributes of all
    members), `members`.
    """
    top = entries(section)
    kind = text(top.get("kind"))
    if kind is None:
        return
    data = KindData(
        kind,
        place_cell=text(top.get("place")),
        span=section.span,
        kind_span=top["kind"].span,
        role=role,
    )
    apart = (*ABOUT, *DRAWN, "neighbours") if role == "places" else (*ABOUT, *DRAWN)
    common = {k: v for k, v in entries(top.get("each")).items() if k not in apart}
    origin = read_provenance(top.get("source"))
    single = read_provenances(top.get("sources"))
    known = {m.id: m for k in source.kinds if k.kind == kind for m in k.members}
    attributes, unused = set(common), dict(common)  # those of `each` that no member has from there
    for name, span, body in _members(top.get("members")):
        values = entries(body)
        if not name:
            continue
        if name in known:
            sink.error(
                "RK602",
                span,
                f"{kind} '{name}' is defined twice in the data",
                "rename one of the two, or remove it",
                second=known[name].span,
                second_label="the first one is here",
            )
            continue
        member = member_of(
            name,
            span,
            {k: v for k, v in values.items() if k != "neighbours" or k not in apart},
            common,
            origin,
            single,
        )
        given = {*common, *values} - {"source", "sources"}
        attributes |= given
        unused = {key: datum for key, datum in unused.items() if key in values}
        vet_sources(values.get("sources"), given, "an attribute", sink)
        check_member(member, f"{kind} '{name}'", sink)
        known[name] = member
        data.members.append(member)
        drawn = {k: values[k].plain() for k in DRAWN if k in values}
        if drawn:
            source.geometry[name] = drawn
        if role == "places" and "neighbours" in values:
            source.neighbours[name] = items(values["neighbours"])
    vet_sources(top.get("sources"), attributes, "an attribute", sink)
    for key, datum in unused.items() if data.members else ():
        sink.warn(
            "RK638",
            datum.key_span,
            f"no member uses this '{key}': each has its own",
            "remove it, or leave it out of the members",
        )
    source.kinds.append(data)


def member_of(
    name: str,
    span: Span,
    values: Mapping[str, Datum],
    common: Mapping[str, Datum],
    origin: Provenance | None,
    single: Mapping[str, Provenance],
) -> MemberData:
    """Return a member with its attributes and their provenance.

    Args:
        common: the attributes that all members of the section have.
        origin: the `source` of the section.
        single: the `sources` of the section. A member's own `source` takes precedence over both.
    """
    own = read_provenance(values.get("source"))
    given = {**common, **{k: v for k, v in values.items() if k not in (*ABOUT, *DRAWN)}}
    shared = {} if own else {k: v for k, v in single.items() if k in given}
    main = own or origin
    sources = ({"": main} if main else {}) | shared | read_provenances(values.get("sources"))
    return MemberData(name, given, sources, text(values.get("label")), span)


def _members(datum: Datum | None) -> Iterator[tuple[str, Span, Datum]]:
    """Yield the members of a section (id, its place, its data), from a mapping by id, a list of
    ids, or a list of borders.
    """
    for name, body in entries(datum).items():
        yield name, body.key_span, body
    for item in items(datum):
        if isinstance(item.value, dict):
            yield _listed_id(item), _listed_span(item), item
        elif (alone := text(item)) is not None:
            yield alone, item.span, item


def _listed_id(item: Datum) -> str:
    if (name := text(item.value.get("id"))) is not None:
        return name
    ends = [text(end) or "" for end in items(item.value.get("between"))]
    return "-".join(ends) if len(ends) == ENDS_OF_BORDER and all(ends) else ""


def _listed_span(item: Datum) -> Span:
    named = item.value.get("id") or item.value.get("between")
    return named.span if named is not None else item.span


def as_refs(datum: Datum | None) -> tuple[str, ...]:
    """Read `ref: "4.2"` or `ref: ["4.2", "4.3"]`."""
    if datum is None:
        return ()
    found: list[Any] = [
        text(d) for d in (datum.value if isinstance(datum.value, list) else [datum])
    ]
    return tuple(r for r in found if r is not None)
