"""Takes records of the log (tuples of ints), makes `Event`: what happened, in names; and the text of it for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

from attrs import field, frozen

from rulekit.play.names import Names, tidy
from rulekit.program.program import (
    BUILT_IN,
    CHANGED,
    DIE_ROLLED,
    DRAWN,
    FINISHED,
    FIRST_EVENT,
    GATHERED,
    PHASE_BEGUN,
    PUT,
    REVEALED,
    ROLL_CANCELLED,
    SCOPE_ENDED,
    EventInfo,
    TypeInfo,
)

Record = tuple[int, ...]
HIDDEN = "?"  # stands for what the viewer may not know
QUIET = (CHANGED, SCOPE_ENDED)  # kept out of the log that people read


@frozen
class Event:
    """Something that happened. `number`: its place in the game's events, from 0."""

    name: str
    params: dict[str, Any] = field(hash=False)
    number: int = field(default=-1, eq=False)
    ref: tuple[str, ...] = field(default=(), eq=False)
    record: Record = field(default=(), eq=False, repr=False)

    def to_json(self) -> list[Any]:
        """As it stands in a save."""
        return [self.name, self.params]


class EventBook:
    """Decodes the records of one program."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.program = names.program
        self._built_in: dict[int, Callable[[Record], dict[str, Any]]] = {
            CHANGED: lambda r: {"what": self._place(r[1], r[2]), "value": names.value(self.program.cells[r[1]].type, r[3])},
            DIE_ROLLED: self._rolled, ROLL_CANCELLED: self._rolled,
            DRAWN: lambda r: {"source": self._place(r[1], r[2]), "target": self._place(r[3], r[4]), "what": self._thing(r[1], r[5])},
            PUT: lambda r: {"what": self._thing(r[1], r[3]), "target": self._place(r[1], r[2]),
                            "source": self._place(r[4], r[5]) if r[4] >= 0 else None},
            GATHERED: lambda r: {"source": self._place(r[1], r[2]), "target": self._place(r[3], r[4]),
                                 "what": names.value(self.program.cells[r[1]].type, r[5])},
            REVEALED: lambda r: {"what": names.id(r[1], r[2])},
            SCOPE_ENDED: lambda r: {"scope": self.program.procs[r[1]].name},
            FINISHED: lambda r: {"winner": names.id(self.program.sides, r[1]), "level": self.program.levels[r[2]]},
            PHASE_BEGUN: self._begun,
        }

    def _place(self, cell: int, at: int) -> str:
        return self.names.at_place(self.program.cells[cell], at)

    def _thing(self, cell: int, member: int) -> str | None:
        return self.names.id(self.program.cells[cell].type.kind, member)

    def _rolled(self, r: Record) -> dict[str, Any]:
        purpose = self.program.purposes[r[1]] if 0 <= r[1] < len(self.program.purposes) else ""
        return {"purpose": purpose, "who": self.names.id(self.program.sides, r[2]), "value": r[3]}

    def _begun(self, r: Record) -> dict[str, Any]:
        proc = self.program.procs[r[1]]
        params = {v.name: self.names.value(v.type, a) for v, a in zip(proc.vars[:proc.params], r[2:], strict=False)}
        return {"phase": proc.name, **params}

    def info(self, record: Record) -> EventInfo | None:
        """The declaration of an event of the game's (None: built in)."""
        return self.program.events[record[0] - FIRST_EVENT] if record[0] >= FIRST_EVENT else None

    def event(self, record: Record, number: int = -1) -> Event:
        """A record in names."""
        info = self.info(record)
        if info is None:
            return Event(BUILT_IN[record[0]], self._built_in[record[0]](record), number, (), record)
        params = {name: self.names.value(type, v) for (name, type), v in zip(info.params, record[1:], strict=True)}
        return Event(info.name, params, number, info.ref, record)

    def types(self, record: Record) -> dict[str, TypeInfo]:
        """The types of the parameters of an event of the game's."""
        info = self.info(record)
        return dict(info.params) if info else {}

    def text(self, event: Event) -> str:
        """One line for people; '' for what only the machine cares about."""
        names, record = self.names, event.record
        if not record or record[0] in QUIET:
            return ""
        if record[0] == PHASE_BEGUN:
            return self._phase_text(event)
        if record[0] == FINISHED:
            level = names.text(f"level.{event.params['level']}", tidy(str(event.params["level"])))
            return f"{names.label(self.program.sides, record[1])}: {level}" if record[1] >= 0 else level
        types = self.types(record)
        raw = dict(zip(types, record[1:], strict=False))
        shown = {n: HIDDEN if v == HIDDEN else names.shown(types[n], raw[n]) if n in types else HIDDEN if v is None else str(v)
                 for n, v in event.params.items()}
        if record[0] == DIE_ROLLED or record[0] == ROLL_CANCELLED:
            shown["purpose"] = names.text(f"purpose.{shown['purpose']}", tidy(shown["purpose"]))
            if record[2] >= 0:
                shown["who"] = names.label(self.program.sides, record[2])
        key = f"event.{event.name}"
        found = names.text(key)
        if found:
            return names.filled(key, "", shown)
        head = tidy(event.name)
        told = [f"{tidy(n)} {v}" for n, v in shown.items() if v not in ("", "-")]
        return f"{head}: {', '.join(told)}" if told else head

    def _phase_text(self, event: Event) -> str:
        proc = self.program.procs[event.record[1]]
        told = [self.names.shown(v.type, a) for v, a in zip(proc.vars[:proc.params], event.record[2:], strict=False)]
        head = self.names.text(f"phase.{proc.name}", tidy(proc.name))
        return f"== {head}{f': {chr(44).join(told)}' if told else ''} =="


class Log(Sequence[Event]):
    """The events of a state, decoded when looked at. A window on the live log: it grows and shrinks with play."""

    def __init__(self, book: EventBook, records: list[Record], begin: int = 0, end: int | None = None) -> None:
        self._book, self._records, self._begin, self._end = book, records, begin, end

    def __len__(self) -> int:
        return (len(self._records) if self._end is None else self._end) - self._begin

    @overload
    def __getitem__(self, at: int) -> Event: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Event]: ...

    def __getitem__(self, at: int | slice) -> Event | Sequence[Event]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError("no such event")
        number = self._begin + (at + len(self) if at < 0 else at)
        return self._book.event(self._records[number], number)

    def __iter__(self) -> Iterator[Event]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    def __repr__(self) -> str:
        return f"<{len(self)} events>"
