"""Reads the `source` entries of data, and counts the data of a game by their provenance."""

from __future__ import annotations

from collections.abc import Collection

from rulekit.common.diagnostics.diagnostic import Sink, guess
from rulekit.common.diagnostics.span import Span
from rulekit.compiler.source.game_source import Datum, GameSource, MemberData, Provenance

OF_NOTHING = "RK149"
KINDS = ("text", "derived", "assumed")


def read_provenance(datum: Datum | None) -> Provenance | None:
    """Read `{text: "4.2"}`, `{derived: ...}`, `{assumed: ...}`, or a text alone, which names a
    paragraph.
    """
    if datum is None:
        return None
    if isinstance(datum.value, dict):
        for kind in KINDS:
            if kind in datum.value:
                return Provenance(kind, str(datum.value[kind].value))
        return None
    if isinstance(datum.value, (str, int)) and not isinstance(datum.value, bool):
        return Provenance("text", str(datum.value))
    return None


def read_provenances(datum: Datum | None) -> dict[str, Provenance]:
    """Read the entries of `sources`, by attribute or name."""
    found: dict[str, Provenance] = {}
    if datum is not None and isinstance(datum.value, dict):
        for name, value in datum.value.items():
            source = read_provenance(value)
            if source is not None:
                found[name] = source
    return found


def vet_sources(datum: Datum | None, given: Collection[str], what: str, sink: Sink) -> None:
    """Warn of the entries of `sources` that name nothing in `given`.

    Args:
        what: the kind of thing that they should name.
    """
    if datum is not None and isinstance(datum.value, dict):
        for name, value in datum.value.items():
            if name not in given:
                sink.warn(
                    OF_NOTHING,
                    value.key_span,
                    f"'{name}' has a source here, but no value",
                    guess(name, given) or f"remove it, or give {what} '{name}' here",
                )


def report_missing(what: str, span: Span, sink: Sink) -> None:
    """Report a datum that does not say where it comes from."""
    sink.error(
        "RK601",
        span,
        f"{what} has no source",
        'write `source: {text: "paragraph"}`, `{derived: "how"}` or `{assumed: "why"}` on it or on'
        " its section",
    )


def check_member(member: MemberData, what: str, sink: Sink) -> None:
    """Check that a member has a source, or that each of its attributes has one."""
    if "" not in member.sources:
        bare = [v for k, v in member.values.items() if k not in member.sources and k != "between"]
        if bare or not member.sources:
            report_missing(what, member.span, sink)


def count_sources(source: GameSource) -> dict[str, int]:
    """Count the data of the game by provenance: text, derived, assumed and none.

    A datum is an attribute of a member, a member without attributes, the ends of a border, or a
    fixed value. The entry `none` is left out if it is 0.
    """
    count = dict.fromkeys((*KINDS, "none"), 0)
    for section in source.kinds:
        for member in section.members:
            for name in [n for n in member.values if n != "between"] or [""]:
                origin = member.sources.get(name, member.sources.get(""))
                count[origin.kind if origin else "none"] += 1
            if "between" in member.values:
                origin = member.sources.get("between", member.sources.get(""))
                count[origin.kind if origin else "none"] += 1
    for name in source.fixed:
        origin = source.fixed_sources.get(name)
        count[origin.kind if origin else "none"] += 1
    if not count["none"]:
        del count["none"]
    return count
