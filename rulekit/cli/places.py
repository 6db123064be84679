"""Takes the names of a program, makes what tells its places apart and what lies between them: for the map and the terminal."""

from __future__ import annotations

from rulekit.cli.svg import Line
from rulekit.play.names import Names, tidy
from rulekit.program.program import KindInfo


def sort_of(names: Names, kind: KindInfo, member: int) -> str:
    """What tells places apart in the drawing: the first attribute that is a member of a small kind, or the flags that are true."""
    for name, (type, values) in kind.fixed.items():
        if type.form != "member" or len(set(values)) < 2:
            continue
        other = names.program.kinds[type.kind]
        if len(other.members) <= 8 and not other.decides:
            return names.label(type.kind, values[member]) if values[member] >= 0 else name
    flags = [name for name, (type, values) in kind.fixed.items() if type.form == "bool" and values[member]]
    flags = [names.text(f"fixed.{name}", tidy(name)) for name in flags]
    return ", ".join(flags)


def borders(names: Names, graph: int) -> list[Line]:
    """The borders of a kind, as lines between two places."""
    kind = names.program.kinds[graph]
    place = names.program.kinds[kind.joins]
    return [Line(place.members[pair[0]], place.members[pair[1]], sort_of(names, kind, i), names.label(graph, i))
            for i, pair in joined(names, graph)]


def joined(names: Names, graph: int) -> list[tuple[int, list[int]]]:
    """Each border of a kind with the two places that it joins."""
    kind = names.program.kinds[graph]
    place = names.program.kinds[kind.joins]
    ends = [v for _, (type, v) in sorted(kind.fixed.items()) if type.form == "member" and type.kind == kind.joins]
    both = [v for _, (type, v) in sorted(kind.fixed.items()) if type.form == "set" and type.kind == kind.joins]
    out = []
    for i, member in enumerate(kind.members):
        pair = [place.members.index(p) if p in place.members else -1 for p in member.split("-", 1)]
        if min(pair) < 0 and both:
            pair = [b for b in range(len(place.members)) if both[0][i] >> b & 1]
        elif min(pair) < 0 and len(ends) >= 2:
            pair = [ends[0][i], ends[1][i]]
        if len(pair) == 2 and min(pair) >= 0:
            out.append((i, pair))
    return out
