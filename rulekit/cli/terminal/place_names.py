"""Texts for the terminal about places and the borders between them."""

from __future__ import annotations

from attrs import frozen

from rulekit.engine.kernel.names import Names, tidy
from rulekit.presentation.drawing import joined
from rulekit.runtime.program import KindInfo

MAX_PLACE_SORTS = 8  # members of a kind that tells places apart


@frozen
class BorderLine:
    """A border between two places.

    Attributes:
        sort: all its data as text.
    """

    a: str
    b: str
    sort: str


def sort_of(names: Names, kind: KindInfo, member: int) -> str:
    """Return the text that distinguishes a place: its first attribute that is a member of a small
    kind, or its flags.
    """
    for type, values in kind.fixed.values():
        if type.form != "member" or len(set(values)) <= 1:
            continue
        other = names.program.kinds[type.kind]
        if len(other.members) <= MAX_PLACE_SORTS and not other.decides and values[member] >= 0:
            return names.label(type.kind, values[member])
    flags = [
        name
        for name, (type, values) in kind.fixed.items()
        if type.form == "bool" and values[member]
    ]
    flags = [names.text(f"fixed.{name}", tidy(name)) for name in flags]
    return ", ".join(flags)


def facts_of(names: Names, kind: KindInfo, member: int) -> str:
    """Return all data of a border besides its ends: its flags, and each attribute with a member as
    value.
    """
    facts = []
    for name, (type, values) in kind.fixed.items():
        text = names.text(f"fixed.{name}", tidy(name))
        if type.form == "bool" and values[member]:
            facts.append(text)
        elif (
            type.form == "member"
            and values[member] >= 0
            and (type.kind != kind.joins or min(values) < 0)
        ):  # the ends are never none
            value = (
                names.shorts[type.kind][values[member]]
                if type.kind == kind.joins
                else names.label(type.kind, values[member])
            )
            facts.append(f"{text}{names.colon}{value}")
    return ", ".join(facts)


def borders(names: Names, graph: int) -> list[BorderLine]:
    """Return the borders of a kind as lines between two places."""
    kind = names.program.kinds[graph]
    place = names.program.kinds[kind.joins]
    return [
        BorderLine(place.members[pair[0]], place.members[pair[1]], facts_of(names, kind, i))
        for i, pair in joined(names, graph)
    ]
