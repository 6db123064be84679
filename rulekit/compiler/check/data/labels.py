"""Finds texts that are invisible, and texts that players cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink
from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.common.invisible_characters import alike, is_blank, is_hidden, named
from rulekit.compiler import model as m
from rulekit.compiler.model.visitor import nodes
from rulekit.compiler.source.game_source import GameSource
from rulekit.compiler.source.map_and_pieces import entries, items
from rulekit.compiler.syntax import ast as t

BLANK, ALIKE = "RK524", "RK525"
_SHOWN = (
    "title",
    "member",
    "option",
    "prompt",
    "clause",
    "level",
    "scenario",
)  # what must be called something


@frozen
class Named:
    """One of several things that are shown together.

    Attributes:
        own: its text in the rules or data.
        marks: other features that tell it from the rest.
    """

    key: str
    name: str
    own: str
    place: Span
    marks: tuple[object, ...] = ()


def check_labels(
    model: m.Model,
    source: GameSource,
    needed: Mapping[str, str],
    blocks: Iterable[t.MemberBlock],
    sink: Sink,
) -> None:
    """Warn of texts with nothing visible in them, and of things with equal texts that players must
    tell apart.

    Args:
        needed: key -> text in the source language.
        blocks: the members with rules of their own.
    """
    own = {f"member.{block.kind}.{block.name}": block for block in blocks}
    places = places_of(model, source) | {key: block.span for key, block in own.items()}
    home = str(source.manifest.get("source_language", "en"))
    for key, text in needed.items():
        if text and is_blank(text):
            _blank(key, places.get(key, NOWHERE), sink, text)
    for texts in source.texts.values():
        for key, datum in texts.items():
            text = str(datum.value)
            if is_blank(text) and (text or (key in needed and key.partition(".")[0] in _SHOWN)):
                _blank(key, datum.span, sink, text)
    groups = list(_groups(model, source, needed, places, own))
    for language in dict.fromkeys((home, *source.texts)):
        for what, each in groups:
            _check_distinct(what, each, language, source, sink)


def _blank(key: str, span: Span, sink: Sink, text: str) -> None:
    of = ", ".join(dict.fromkeys(named(char) for char in text if is_hidden(char)))
    sink.warn(
        BLANK,
        span,
        f"the text '{key}' is empty or invisible" + (f": it is only {of}" if of else ""),
        "write the text that players read",
    )


def _check_distinct(
    what: str, group: list[Named], language: str, source: GameSource, sink: Sink
) -> None:
    """Warn of each thing with the same text as one before it."""
    texts = source.texts.get(language, {})
    home = language == str(source.manifest.get("source_language", "en"))
    seen: dict[str, tuple[Named, Span]] = {}
    for each in group:
        datum = texts.get(each.key)
        text = str(datum.value) if datum is not None else each.own or each.name
        span = datum.span if datum is not None else each.place
        other, second = seen.setdefault(alike(text), (each, span))
        same = each.marks[:-1] == other.marks[:-1] and (
            not each.marks or each.marks[-1] is None or each.marks != other.marks
        )
        if other is not each and same and not is_blank(text) and (datum is not None or home):
            sink.add(
                Diagnostic(
                    ALIKE,
                    f"{what} '{other.name}' and '{each.name}' have the same text '{text}'",
                    span,
                    "give one of them another text, so that players can distinguish them",
                    level="warning",
                    second=second if second.line else None,
                    second_label="the other one",
                )
            )


def _groups(
    model: m.Model,
    source: GameSource,
    needed: Mapping[str, str],
    places: Mapping[str, Span],
    own: Mapping[str, t.MemberBlock],
) -> Iterator[tuple[str, list[Named]]]:
    """Yield the groups of things that people must tell apart: the members of a kind, the options of
    a decision, the parts of a total.
    """
    offered, lying = _offered(model), _lying(model)
    placed = {data.kind for data in source.kinds if data.place_cell is not None}
    for kind in model.kinds.values():
        if kind in offered or kind.name not in placed:
            keys = [
                (at, member, f"member.{kind.name}.{member}")
                for at, member in enumerate(kind.members)
            ]
            yield (
                kind.name,
                [
                    Named(
                        key,
                        member,
                        needed[key],
                        places.get(key, NOWHERE),
                        _marks(model, kind, at, own.get(key), kind in offered, kind in lying),
                    )
                    for at, member, key in keys
                    if key in needed
                ],
            )
    listed = set()
    for proc in model.procedures:
        for node in nodes(proc.body):
            if isinstance(node, m.Choose):
                options = {option.key: option for option in (*node.options, *node.standing)}
                if tuple(options) not in listed:
                    listed.add(tuple(options))
                    yield (
                        "the options",
                        [
                            Named(key, option.name, option.label, option.span)
                            for key, option in options.items()
                        ],
                    )
            elif isinstance(node, m.Window):
                whole = {option.key: option for option in node.options}
                yield (
                    "the reactions",
                    [
                        Named(
                            key,
                            option.name,
                            option.label,
                            option.span,
                            (option.asked and key, None),
                        )
                        for key, option in whole.items()
                    ],
                )
    lists = {
        "scenario": [*model.scenarios],
        "edition": [*model.info.get("editions", {})],
        "ruling": [ruling.name for ruling in model.rulings],
        "level": [*model.levels],
    }
    for word, names in lists.items():
        keys_of = {name: f"{word}.{name}" for name in names}
        yield (
            f"the {word}s",
            [
                Named(key, name, needed.get(key, ""), places.get(key, NOWHERE))
                for name, key in keys_of.items()
            ],
        )
    summed: list[m.Total | m.Permit] = [*model.totals, *model.permits]
    for total in summed:
        clauses = {
            f"clause.{total.name}.{clause.name}": clause
            for clause in total.clauses
            if clause.word in ("modifier", "set", "bar")
        }
        yield (
            f"of {total.name},",
            [
                Named(key, clause.name, needed.get(key, ""), clause.span)
                for key, clause in clauses.items()
            ],
        )


def _lying(model: m.Model) -> set[m.Kind]:
    """Return the kinds with members that may be the same.

    They lie in pools, or a group takes only the first of several that are alike.
    """
    sets = [cell.type for cell in model.cells if cell.pool]
    for proc in model.procedures:
        sets += [
            node.source.type
            for node in nodes(proc.body)
            if isinstance(node, (m.Pick, m.PickGroup)) and node.alike and node.source is not None
        ]
    return {type.kind for type in sets if isinstance(type, m.SetOf)}


def _offered(model: m.Model) -> set[m.Kind]:
    """Return the kinds whose members are offered to a player, or decide themselves."""
    types = [param.type for option in model.options for param in option.params]
    for proc in model.procedures:
        types += [
            node.source.type
            for node in nodes(proc.body)
            if isinstance(node, (m.Pick, m.PickGroup)) and node.source is not None
        ]
    found = {type.kind for type in types if isinstance(type, (m.MemberOf, m.SetOf))}
    return (
        found
        | {movement.border.joins for movement in model.movements if movement.border.joins}
        | {kind for kind in model.kinds.values() if kind.decides}
    )


def _marks(
    model: m.Model, kind: m.Kind, at: int, own: t.MemberBlock | None, offered: bool, lying: bool
) -> tuple[object, ...]:
    """Return the features that tell a member from others, without its name.

    These are its side and its scenario. If nobody is offered the kind, every member that is one of
    its constants counts, too. Things such as cards may be the same. They have one more mark: the
    values of all their constant attributes, and their own rules. Sides and places have no marks.
    """
    if kind.decides or any(other.joins is kind for other in model.kinds.values()):
        return ()
    values = {
        fixed.name: fixed.values[at]
        for fixed in kind.fixed.values()
        if fixed.values and len(fixed.values) == kind.size
    }
    chosen = {
        fixed.type.kind
        for fixed in model.fixed
        if fixed.owner is None and fixed.late and isinstance(fixed.type, m.MemberOf)
    }
    apart = tuple(
        values[fixed.name]
        for fixed in kind.fixed.values()
        if fixed.name in values
        and (
            (lying and not offered)
            if not isinstance(fixed.type, m.MemberOf)
            else not offered or fixed.type.kind.decides or fixed.type.kind in chosen
        )
    )
    rules = (own.clauses, own.body) if own is not None else None
    return (
        kind.members[at].rpartition(".")[0],
        *apart,
        (tuple(values.values()), rules) if lying else None,
    )


def places_of(model: m.Model, source: GameSource) -> dict[str, Span]:
    """Return the places of the things that have texts, by text key."""
    found = {f"event.{event.name}": event.span for event in model.events}
    found |= {
        f"member.{kind.name}.{member}": kind.span
        for kind in model.kinds.values()
        for member in kind.members
    }
    found |= {
        f"member.{data.kind}.{member.id}": member.span
        for data in source.kinds
        for member in data.members
    }
    found |= {option.key: option.span for option in model.options}
    found |= {
        clause.key: clause.cond.span
        for option in model.options
        for clause in option.clauses
        if isinstance(clause, m.Guarded)
    }
    summed: list[m.Total | m.Permit] = [*model.totals, *model.permits]
    found |= {
        f"clause.{total.name}.{clause.name}": clause.span
        for total in summed
        for clause in total.clauses
    }
    for name in source.scenarios:
        found[f"scenario.{name.name}"] = name.span
    look = entries(source.drawing)
    for one in [*items(look.get("signs")), *items(look.get("words"))]:
        if (word := entries(one).get("name")) is not None:
            found[f"drawing.{word.value}"] = word.span
    for proc in model.procedures:
        found |= {
            node.prompt: node.span
            for node in nodes(proc.body)
            if isinstance(node, (m.Choose, m.Pick, m.PickGroup))
        }
    return found
