"""Binds members of kinds, their labels and the values of constants from the data."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import product
from typing import Any

from rulekit.common.diagnostics.diagnostic import Sink, guess
from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler import model as m
from rulekit.compiler.check.data.adjacency import bind_borders, check_border_places
from rulekit.compiler.check.data.values import assignments, missing_value, path_keys
from rulekit.compiler.semantics.values import offset
from rulekit.compiler.source.game_source import GameSource, KindData

_MAX_SHOWN_MEMBERS = 6  # members without a value that a message names
NOTHING: Mapping[Any, Any] = {}
# Keys of a member in the data that are not attributes of its kind.
ABOUT = frozenset(
    ("at", "inset", "shape", "via", "label", "id", "between", "one_way", "source", "sources")
)


def bind_members(kinds: dict[str, m.Kind], source: GameSource, sink: Sink) -> None:
    """Append the members in the data to their kinds, with labels, and then fill the arcs of kinds
    of borders.
    """
    for data in source.kinds:
        kind = kinds.get(data.kind)
        if kind is None:
            sink.error(
                "RK630",
                data.kind_span,
                f"the rules declare no kind '{data.kind}'",
                guess(data.kind, kinds) or f"declare it in the rules: kind {data.kind}",
            )
            continue
        known = set(kind.members)
        for member in data.members:
            name = member.id or _border_id(member.values)
            if name in known:
                sink.error(
                    "RK602",
                    member.span,
                    f"{kind.name} '{name}' is defined twice",
                    "rename one of the two, or remove it; the rules may also define members",
                )
                continue
            known.add(name)
            kind.members.append(name)
            if member.label is not None:
                kind.labels[name] = member.label
    for kind in kinds.values():
        if kind.joins is not None:
            bind_borders(kind, source, sink)


def _border_id(values: Mapping[str, object]) -> str:
    between = getattr(values.get("between"), "value", None)
    return (
        "-".join(str(getattr(end, "value", end)) for end in between)
        if isinstance(between, list)
        else ""
    )


def bind_fixed(
    kinds: dict[str, m.Kind],
    fixed: list[m.Fixed],
    source: GameSource,
    sink: Sink,
    optional: Collection[m.Fixed] = (),
    computed: Collection[m.Fixed] = (),
    given: Mapping[m.Fixed, list[int | None]] = NOTHING,
    given_at: Mapping[tuple[m.Kind, int], Span] = NOTHING,
) -> dict[m.Fixed, list[int | None]]:
    """Fill the values of constants that have none yet.

    The values of attributes come from the rules (`given`) and from the data of the members. Other
    values come from data.yaml. A value that is left out is that of `missing_value`, or an error. A
    constant outside kinds without any value is left alone, because a scenario may set it.

    Args:
        optional: the constants whose type is an optional number.
        computed: the constants with an expression for the values that are left out.
        given: the values of attributes in the rules.
        given_at: the places of the members in the rules.

    Returns:
        The known values of those in `computed` that are incomplete.
    """
    libraries = {text.path for text in source.rules if text.library != source.name}
    drafts: dict[m.Fixed, list[int | None]] = {}
    for one in fixed:
        if one.values or one.synthetic:
            continue
        drafts[one] = list(given.get(one, ())) or [None] * _size(one)
    open_attributes = {id(one): one for one in drafts if one.owner is not None}
    spans = dict(given_at)
    for data in source.kinds:
        if data.kind in kinds:
            _attributes(kinds[data.kind], data, drafts, open_attributes, optional, spans, sink)
    _globals(fixed, drafts, source, optional, sink)
    for one, draft in drafts.items():
        said = any(value is not None for value in draft)
        if one in computed:
            one.values = (
                [value for value in draft if value is not None] if None not in draft else []
            )
        elif said or (draft and one.owner is not None):
            _finish(one, draft, one in optional, spans, one.span.file in libraries, sink)
    for kind in kinds.values():
        if kind.joins is not None:
            check_border_places(kind, source, sink)
    return {one: drafts[one] for one in computed if one in drafts and not one.values}


def _size(fixed: m.Fixed) -> int:
    size = 1
    for key in fixed.keys:
        size *= key.size
    return size


def _attributes(
    kind: m.Kind,
    data: KindData,
    drafts: dict[m.Fixed, list[int | None]],
    wanted: Mapping[int, m.Fixed],
    optional: Collection[m.Fixed],
    spans: dict[tuple[m.Kind, int], Span],
    sink: Sink,
) -> None:
    ordinals = {name: i for i, name in enumerate(kind.members)}
    wrong: set[Span] = set()  # an error that many members share is reported once
    for member in data.members:
        ordinal = ordinals.get(member.id or _border_id(member.values))
        if ordinal is None:
            continue
        spans[kind, ordinal] = member.span
        for name, datum in member.values.items():
            one = kind.fixed.get(name)
            if one is None:
                if name not in ABOUT:
                    _unknown_attribute(
                        kind,
                        name,
                        datum.key_span if datum.key_span is not NOWHERE else datum.span,
                        sink,
                    )
                continue
            if id(one) not in wanted:
                continue
            what = f"'{name}' of {kind.name} '{kind.members[ordinal]}'"
            made = (
                assignments(one.keys[1:], one.type, "", datum, sink, what, one in optional)
                if datum.span not in wrong
                else []
            )
            for keys, value in made:
                place = offset(one.keys, (ordinal, *keys))
                if place is not None:
                    drafts[one][place] = value
            if not made:  # what was wrong with it has been said: it is not missing too
                wrong |= {datum.span} - {NOWHERE}
                count = len(drafts[one]) // kind.size
                drafts[one][ordinal * count : (ordinal + 1) * count] = [0] * count


def _unknown_attribute(kind: m.Kind, name: str, span: Span, sink: Sink) -> None:
    if name in kind.cells:
        help = f"'{name}' is a state attribute: a scenario sets it"
    elif name in kind.defines:
        help = f"'{name}' is computed by the rules"
    else:
        help = guess(name, kind.fixed) or f"declare it in the kind: fixed {name}: ..."
    sink.error("RK631", span, f"a {kind.name} has no fixed attribute '{name}'", help)


def _globals(
    fixed: list[m.Fixed],
    drafts: dict[m.Fixed, list[int | None]],
    source: GameSource,
    optional: Collection[m.Fixed],
    sink: Sink,
) -> None:
    named = {one.name: one for one in fixed if one.owner is None and not one.synthetic}
    for path, datum in source.fixed.items():
        name, _, rest = path.partition(".")
        one = named.get(name)
        if one is None:
            span = datum.key_span if datum.key_span is not NOWHERE else datum.span
            sink.error(
                "RK637",
                span,
                f"the rules declare no fixed value '{name}'",
                guess(name, named) or f"declare it in the rules: fixed {name}: ...",
            )
            continue
        if one not in drafts:
            continue
        made = assignments(one.keys, one.type, rest, datum, sink, f"'{path}'", one in optional)
        for keys, value in made:
            place = offset(one.keys, keys)
            if place is not None:
                drafts[one][place] = value
        if (
            not made and path_keys(one.keys, rest) is not None
        ):  # what is wrong with the value has been said: it is not missing too
            drafts[one] = [
                m.first_value(one.type) if value is None else value for value in drafts[one]
            ]


def _finish(
    fixed: m.Fixed,
    draft: list[int | None],
    optional: bool,
    spans: Mapping[tuple[m.Kind, int], Span],
    lent: bool,
    sink: Sink,
) -> None:
    """Fill in missing values with the default of the type, or report an error that lists them.

    Args:
        lent: True if a library declares the constant, so that its games cannot change the
            declaration.
    """
    default = missing_value(fixed.type, optional)
    lacking = [i for i, value in enumerate(draft) if value is None and default is None]
    if fixed.late and lacking:
        return
    fixed.values = [
        value if value is not None else default if default is not None else 0 for value in draft
    ]
    if not lacking:
        return
    names = [_place_name(fixed, place) for place in lacking[:_MAX_SHOWN_MEMBERS]]
    shown = ", ".join(n for n in names if n) + (
        f" and {len(lacking) - _MAX_SHOWN_MEMBERS} more"
        if len(lacking) > _MAX_SHOWN_MEMBERS
        else ""
    )
    if fixed.owner is None:
        sink.error(
            "RK632",
            fixed.span,
            f"'{fixed.name}' has no value for {shown}",
            "give it in data.yaml under `fixed`",
        )
        return
    first = lacking[0] // (len(draft) // fixed.owner.size)
    span = spans.get((fixed.owner, first), fixed.span)
    sink.error(
        "RK632",
        span,
        f"'{fixed.name}' has no value for {fixed.owner.name} {shown}",
        _how_to_give(fixed, lent),
        second=fixed.span if span is not fixed.span else None,
        second_label="declared here",
    )


def _how_to_give(fixed: m.Fixed, lent: bool) -> str:
    """Return a help text that explains how to give a member a missing value.

    Args:
        lent: True if a library declares the constant.
    """
    give = "write it in the data of the member, or next to the member in the rules"
    give += " (also where it is 0)" if isinstance(fixed.type, m.Int) else ""
    if lent:
        return give
    if isinstance(fixed.type, m.Int):
        return f"{give}; or declare a default: fixed {fixed.name}: ... = 0"
    return f"{give}, or declare it optional: fixed {fixed.name}: ...?"


def _place_name(fixed: m.Fixed, place: int) -> str:
    """Return the keys of a place in a row-major list, in words."""
    domains = [
        key.kind.members if key.kind else [str(n) for n in range(key.low, key.high + 1)]
        for key in fixed.keys
    ]
    for i, names in enumerate(product(*domains)):
        if i == place:
            return " ".join(names)
    return ""
