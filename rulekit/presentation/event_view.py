"""An event as an observer sees it, with the data printed on the things that it names."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from rulekit.engine.kernel.events import HIDDEN, Event
from rulekit.engine.knowledge.observation import Observer


@frozen
class Happened:
    """An event as the observer sees it.

    Attributes:
        printed: the data printed on each value that is a mere piece of data.
        kinds: the kind of each value that is a member.
    """

    name: str
    params: dict[str, Any] = field(hash=False)
    printed: dict[str, Any] = field(hash=False, factory=dict)
    kinds: dict[str, str] = field(hash=False, factory=dict)


def happened(observer: Observer, event: Event) -> Happened:
    """Return an event with the description of its values."""
    types = observer.state.table.events.types(event.record)
    printed = {
        name: found
        for name, type in types.items()
        if type.form == "member"
        and event.params[name] not in (None, HIDDEN)
        and (
            found := _printed(
                observer, type.kind, observer.names.ordinals[type.kind][event.params[name]]
            )
        )
    }
    kinds = {
        name: observer.program.kinds[type.kind].name
        for name, type in types.items()
        if type.form == "member"
    }
    return Happened(event.name, event.params, printed, kinds)


def _printed(observer: Observer, kind: int, member: int) -> dict[str, Any]:
    """Return the data printed on a thing of a kind without state, and on the things named there.

    The result is empty for players and for kinds with state.
    """
    program, info = observer.program, observer.program.kinds[kind]
    if (
        kind in (program.sides, program.moments)
        or member < 0
        or info.joins >= 0
        or info.hidden_identity
        or info.known_slot >= 0
        or any(cell.owner == kind for cell in program.cells)
    ):
        return {}
    out: dict[str, Any] = {}
    for name, (type, values) in info.fixed.items():
        value = observer.names.value(type, values[member])
        inside = (
            _printed(observer, type.kind, values[member])
            if type.form == "member" and type.kind != kind
            else {}
        )
        out[name] = {"id": value, **inside} if inside else value
    return out
