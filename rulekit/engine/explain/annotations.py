"""Notes next to a member for people: the effect of a card, the strength of a piece."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.message_format import names as gap_names
from rulekit.engine.kernel.events import HIDDEN
from rulekit.engine.kernel.names import Names
from rulekit.engine.knowledge.observation import Observer


def effects(names: Names, kind: int, member: int) -> list[str]:
    """Return the text of a card's effect (`effect.ID`), or one for each of its faces."""
    own = names.text(f"effect.{names.id(kind, member)}")
    if own or kind == names.program.sides:
        return [own] if own else []
    return [
        f"{names.label(other, face)}{names.colon}{text}"
        for other, face in _belonging(names, kind, member)
        if (text := names.text(f"effect.{names.id(other, face)}"))
    ]


def _belonging(names: Names, kind: int, member: int) -> Iterator[tuple[int, int]]:
    """Yield the members of other kinds that have this one as an attribute."""
    for at, other in enumerate(names.program.kinds):
        if at != kind:
            for type, values in other.fixed.values():
                if type.form == "member" and type.kind == kind:
                    yield from ((at, i) for i, value in enumerate(values) if value == member)


def note(observer: Observer, kind: int, member: int) -> str:
    """Return the game's note on a member: its text `note.KIND`.

    The gaps are filled with the member's data, state and totals. The note is '' if one of them is
    hidden from the observer.
    """
    names, info = observer.names, observer.program.kinds[kind]
    key = f"note.{info.name}"
    text = names.text(key)
    if not text or not observer.knows(kind, member):
        return ""
    shown: dict[str, str] = {}
    for name in gap_names(text):
        value = _value(observer, kind, member, name)
        if value is None:
            return ""
        shown[name] = value
    return names.filled(key, "", shown)


def _value(observer: Observer, kind: int, member: int, name: str) -> str | None:
    names, program = observer.names, observer.program
    if name in program.kinds[kind].fixed:
        type, values = program.kinds[kind].fixed[name]
        return names.shown(type, values[member])
    for at, cell in enumerate(program.cells):
        if cell.owner == kind and cell.name == name and len(cell.keys) == 1:
            return (
                names.shown(cell.type, observer.state.raw(cell, (member,)))
                if observer.sees(at, (member,))
                else None
            )
    total = next((t for t in program.totals if t.name == name), None)
    if total is None:
        return None
    try:
        value = observer.value_of(name, names.id(kind, member))
    except RulekitError:
        return None
    if value == HIDDEN:
        return None
    return f"{value} {names.unit(total.type.unit)}" if total.type.unit else str(value)
