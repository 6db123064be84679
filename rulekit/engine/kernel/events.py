"""Decode log records, which are tuples of integers, into named events and texts for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from attrs import evolve, field, frozen

from rulekit.common.i18n.message_format import TOGETHER, FormattedValue, gaps, listed, together
from rulekit.common.i18n.message_format import names as gap_names
from rulekit.engine.kernel.default_texts import DEFAULTS
from rulekit.engine.kernel.names import Names, tidy
from rulekit.runtime.program import EventInfo, TypeInfo
from rulekit.runtime.records import (
    Changed,
    Finished,
    Moved,
    PhaseBegun,
    Put,
    Record,
    Revealed,
    Rolled,
    ScopeEnded,
    arguments,
    kind_of,
)
from rulekit.runtime.slots import (
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
)

HIDDEN = "?"  # stands for a value that the observer may not know
MOVES = (DRAWN, PUT, GATHERED)  # things that change their pool
REPORTED_EVENTS = (
    DIE_ROLLED,
    ROLL_CANCELLED,
    *MOVES,
    REVEALED,
)  # built-in events with a default text, for games that have none
QUIET = (CHANGED, SCOPE_ENDED)  # left out of the log that people read


@frozen
class Event:
    """Something that happened in the game.

    Attributes:
        name: the name of the declared or built-in event.
        params: the values by parameter name, as JSON.
        number: its place in the events of the game, from 0.
        ref: the rule paragraphs that the declaration cites.
        record: the log record from which the event was decoded.
    """

    name: str
    params: dict[str, Any] = field(hash=False)
    number: int = field(default=-1, eq=False)
    ref: tuple[str, ...] = field(default=(), eq=False)
    record: Record = field(default=(), eq=False, repr=False)

    @property
    def kind(self) -> int:
        """The kind of its record. See `rulekit.runtime.records`."""
        return kind_of(self.record)

    def to_json(self) -> list[Any]:
        """Return the form of the event in a save."""
        return [self.name, self.params]


class EventBook:
    """Decodes the records of one program."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.program = names.program
        self._built_in: dict[int, Callable[[Record], dict[str, Any]]] = {
            CHANGED: self._changed,
            DIE_ROLLED: self._rolled,
            ROLL_CANCELLED: self._rolled,
            DRAWN: self._moved,
            PUT: self._put,
            GATHERED: self._moved,
            REVEALED: self._revealed,
            SCOPE_ENDED: self._scope_ended,
            FINISHED: self._finished,
            PHASE_BEGUN: self._begun,
        }

    def _place(self, cell: int, at: int) -> str:
        return self.names.at_place(self.program.cells[cell], at)

    def _thing(self, cell: int, member: int) -> str | None:
        return self.names.id(self.program.cells[cell].type.kind, member)

    def _changed(self, record: Record) -> dict[str, Any]:
        r = Changed._make(record)
        value = self.names.value(self.program.cells[r.cell].type, r.value)
        return {"what": self._place(r.cell, r.place), "value": value}

    def _rolled(self, record: Record) -> dict[str, Any]:
        r, purposes = Rolled._make(record), self.program.purposes
        purpose = purposes[r.purpose] if 0 <= r.purpose < len(purposes) else ""
        who = self.names.id(self.program.sides, r.who)
        return {"purpose": purpose, "who": who, "value": r.value}

    def _moved(self, record: Record) -> dict[str, Any]:
        r = Moved._make(record)
        return {
            "source": self._place(r.source_cell, r.source_place),
            "target": self._place(r.target_cell, r.target_place),
            "what": (
                self._thing(r.source_cell, r.things)
                if r.kind == DRAWN
                else self.names.value(self.program.cells[r.source_cell].type, r.things)
            ),
        }

    def _put(self, record: Record) -> dict[str, Any]:
        r = Put._make(record)
        return {
            "what": self._thing(r.cell, r.thing),
            "target": self._place(r.cell, r.place),
            "source": (self._place(r.source_cell, r.source_place) if r.source_cell >= 0 else None),
        }

    def _revealed(self, record: Record) -> dict[str, Any]:
        r = Revealed._make(record)
        return {"what": self.names.id(r.thing_kind, r.thing)}

    def _scope_ended(self, record: Record) -> dict[str, Any]:
        return {"scope": self.program.procs[ScopeEnded._make(record).procedure].name}

    def _finished(self, record: Record) -> dict[str, Any]:
        r = Finished._make(record)
        return {
            "winner": self.names.id(self.program.sides, r.winner),
            "level": self.program.levels[r.level],
        }

    def _begun(self, record: Record) -> dict[str, Any]:
        r = PhaseBegun.of(record)
        proc = self.program.procs[r.procedure]
        params = {
            v.name: self.names.value(v.type, a)
            for v, a in zip(proc.vars[: proc.params], r.arguments, strict=False)
        }
        return {"phase": proc.name, **params}

    def info(self, record: Record) -> EventInfo | None:
        """Return the declaration of an event, or None if it is built in."""
        kind = kind_of(record)
        return self.program.events[kind - FIRST_EVENT] if kind >= FIRST_EVENT else None

    def event(self, record: Record, number: int = -1) -> Event:
        """Decode a record into an event with names."""
        info = self.info(record)
        if info is None:
            kind = kind_of(record)
            return Event(BUILT_IN[kind], self._built_in[kind](record), number, (), record)
        params = {
            name: self.names.value(type, v)
            for (name, type), v in zip(info.params, arguments(record), strict=True)
        }
        return Event(info.name, params, number, info.ref, record)

    def types(self, record: Record) -> dict[str, TypeInfo]:
        """Return the types of the parameters of an event that the game declares."""
        info = self.info(record)
        return dict(info.params) if info else {}

    def text(self, event: Event, many: int = 1) -> str:
        """Return one line for people, or '' for an event that only the machine needs.

        Args:
            many: the number of such events that the line reports together.
        """
        names, record = self.names, event.record
        if not record or event.kind in QUIET:
            return ""
        if event.kind == PHASE_BEGUN:
            return self._phase_text(event)
        if event.kind == FINISHED:
            level = names.text(f"level.{event.params['level']}", tidy(str(event.params["level"])))
            winner = Finished._make(record).winner
            return (
                together(names.said(self.program.sides, winner), names.colon, level)
                if winner >= 0
                else level
            )
        key = f"event.{event.name}"
        if event.kind in REPORTED_EVENTS:
            if event.params.get("what") == []:
                return ""
            return self._built_in_text(
                self._key(event, key), key, self._shown_built_in(event, many)
            )
        if names.has_text(key):
            return names.filled(key, "", self._shown(event))
        texts = [
            together(tidy(name), " ", value)
            for name, value in self._shown(event).items()
            if value not in ("", "-")
        ]
        return together(tidy(event.name), names.colon, listed(texts)) if texts else tidy(event.name)

    def _key(self, event: Event, key: str) -> str:
        """Return the key of the text of a built-in event.

        It is the game's own text for this pool or this purpose of a roll, if there is one.
        """
        target = event.params.get("target")
        own = f"{key}.{self.names.cell(target)[0].name if target else event.params.get('purpose')}"
        return own if self.names.has_text(own) else key

    def _built_in_text(self, key: str, general: str, shown: dict[str, str]) -> str:
        """Return a built-in event in the game's words, else in ours.

        Ours also have a text for an event without a side. A game's text that contains `{who}` has
        not.
        """
        nobody = not shown.get("who", "-")
        if self.names.has_text(key) and not (
            nobody and "{who}" in (text := self.names.text(key)) and "{who|" not in text
        ):
            default = DEFAULTS[key].pattern(self.names.lang) if key in DEFAULTS else ""
            return self.names.filled(key, default, shown)
        return DEFAULTS[f"{general}.nobody" if nobody else key].text(self.names.lang, **shown)

    def _shown(self, event: Event) -> dict[str, str]:
        types = self.types(event.record)
        raw = dict(zip(types, arguments(event.record), strict=True))
        return {
            name: self._known(evolve(types[name], unit=None), raw[name], event.params[name])
            for name in types
        }  # without units, because the text of the game has them

    def _known(self, type: TypeInfo, raw: int, value: Any) -> str:
        if value == HIDDEN:
            return HIDDEN
        if isinstance(value, list) and HIDDEN in value:
            return self.names.listed(
                [
                    (
                        v
                        if v == HIDDEN
                        else self.names.said(type.kind, self.names.member(type.kind, v))
                    )
                    for v in value
                ]
            )
        return self.names.shown(type, raw)

    def _shown_built_in(self, event: Event, many: int) -> dict[str, str]:
        names, record = self.names, event.record
        if event.kind in (DIE_ROLLED, ROLL_CANCELLED):
            roll = Rolled._make(record)
            purpose = names.text(
                f"purpose.{event.params['purpose']}", tidy(str(event.params["purpose"]))
            )
            who = names.said(self.program.sides, roll.who) if roll.who >= 0 else ""
            return {"who": who, "value": str(roll.value), "purpose": purpose}
        if event.kind == REVEALED:
            shown = Revealed._make(record)
            return {"what": names.said(shown.thing_kind, shown.thing)}
        pool = Put._make(record).cell if event.kind == PUT else Moved._make(record).source_cell
        cell = self.program.cells[pool]
        what = event.params["what"]
        each = what if isinstance(what, list) else [what]
        things: list[str] = [
            names.said(cell.type.kind, names.member(cell.type.kind, w)) for w in each if w != HIDDEN
        ]
        unknown = many if what == HIDDEN else len(each) - len(things)
        if unknown:
            things.append(self._unknown(cell.type.kind, unknown))
        out: dict[str, str] = {"n": str(max(many, len(each))), "what": names.listed(things)}
        for name in ("source", "target"):
            out[name] = self._place_text(event.params[name])
        giver, taker = self._owner(event.params["source"]), self._owner(event.params["target"])
        out["who"] = taker or giver if event.kind == DRAWN else giver or taker
        out["s"] = taker or self._keys_text(event.params["target"]) or out["target"]
        return out

    def _unknown(self, kind: int, many: int) -> str:
        """Return a text for a number of hidden things of a kind."""
        name = self.program.kinds[kind].name
        words = self.names.text(
            f"kind.{name}.many" if many > 1 else f"kind.{name}"
        ) or self.names.text(f"kind.{name}", tidy(name).lower())
        return f"{many} {words}"

    def _owner(self, place: str | None) -> str:
        """Return the label of the player who owns a pool, or '' if nobody does."""
        cell, keys = self.names.cell(place) if place is not None else (None, ())
        sides = [
            k
            for key, k in zip(cell.keys if cell else (), keys, strict=True)
            if key.kind == self.program.sides >= 0
        ]
        return self.names.said(self.program.sides, sides[0]) if sides else ""

    def _place_text(self, place: str | None) -> str:
        if place is None:
            return "-"
        cell, keys = self.names.cell(place)[0], self._keys_text(place)
        name = self.names.text(f"cell.{cell.name}", tidy(cell.name))
        return together(name, self.names.colon, keys) if keys else name

    def _keys_text(self, place: str) -> str:
        """Return the keys of a place for people, or '' if it has none."""
        cell, keys = self.names.cell(place)
        return listed(
            [
                str(k) if key.kind < 0 else self.names.said(key.kind, k)
                for key, k in zip(cell.keys, keys, strict=True)
            ]
        )

    def lines(
        self, events: Iterable[Event], text: Callable[[Event], str] | None = None
    ) -> Iterator[tuple[int, str]]:
        """Yield the lines that people read, each with the number of its event.

        Some events are reported together in one line: moves of hidden things from one place to
        another, and events with a text for several (`event.<name>.many`). Nothing else may be
        reported between them. If they name something hidden, nothing at all may happen between
        them, as it could be another thing each time.

        The filling of pools before the first phase is left out. So is a reveal that the event
        before it has already reported.

        Args:
            text: returns the text of one event, for a caller that has it already.
        """
        waiting: list[list[Event]] = []
        before: Event | None = None
        begun, text_of = True, text or self.text
        for event in events:
            begun = (begun and event.number != 0) or event.kind == PHASE_BEGUN
            if event.kind in MOVES and not begun:
                continue
            said, last = event.kind == REVEALED and self._says(before), before
            before = event if event.kind != REVEALED else before
            if said or not (line := text_of(event)):
                continue
            alike = self._alike(event)
            _, common = alike or (-1, {})
            follows = bool(waiting) and waiting[-1][-1] is last
            if (
                alike is not None
                and event.kind >= FIRST_EVENT
                and HIDDEN in common.values()
                and not follows
            ):
                yield from map(self._line, waiting)  # it may be another hidden thing
                waiting = []
            if alike is None:
                yield from map(self._line, waiting)
                waiting = []
                yield event.number, line
            elif (
                group := next((g for g in waiting if self._alike(g[0]) == alike), None)
            ) is not None:
                group.append(event)
            else:
                waiting.append([event])
        yield from map(self._line, waiting)

    def grows(self, event: Event) -> bool:
        """Return True if later events may be reported in one line with this one."""
        return self._alike(event) is not None

    def _alike(self, event: Event) -> tuple[int, dict[str, Any]] | None:
        """Return the common part of events that share one line, or None for an event alone."""
        kind = event.kind
        if kind in (DRAWN, PUT) and event.params["what"] == HIDDEN:
            return kind, event.params
        many = self.names.many(event.name)
        return (
            (
                kind,
                {name: event.params.get(name) for name, mark in gaps(many) if mark not in TOGETHER},
            )
            if many
            else None
        )

    def _line(self, group: Sequence[Event]) -> tuple[int, str]:
        """Return one line for events that are reported together, with the number of the first."""
        first = group[0]
        if len(group) == 1 or first.kind < FIRST_EVENT:
            return first.number, self.text(first, len(group))
        shown = [self._shown(event) for event in group]
        params = dict(shown[0])
        for name, type in self.types(first.record).items():
            each = [params_of[name] for params_of in shown]
            params[f"{name}:first"], params[f"{name}:last"] = each[0], each[-1]
            params[f"{name}:all"], params[f"{name}:others"] = (
                self._together(type, each),
                self._together(type, each[:-1]),
            )
        return first.number, self.names.filled(f"event.{first.name}.many", "", params)

    def _together(self, type: TypeInfo, each: Sequence[str]) -> str:
        """Combine a parameter of several events: add up numbers, list other values once each.

        Hidden things are listed each with its own sign.
        """
        if type.form == "int" and all(value.lstrip("-").isdigit() for value in each):
            return FormattedValue(str(sum(map(int, each))), sum(map(int, each)))
        return self.names.listed(
            [one for number, one in enumerate(each) if one == HIDDEN or one not in each[:number]]
        )

    def _says(self, event: Event | None) -> bool:
        info = self.info(event.record) if event is not None else None
        return info is not None and info.reveals

    def _phase_text(self, event: Event) -> str:
        proc = self.program.procs[PhaseBegun.of(event.record).procedure]
        if self.names.is_silent(f"phase.{proc.name}"):
            return ""
        params = {
            v.name: self._known(v.type, a, event.params[v.name])
            for v, a in zip(proc.vars[: proc.params], arguments(event.record), strict=False)
        }
        return together("== ", self.phase_text(proc.name, params), " ==")

    def phase_text(self, name: str, params: dict[str, str]) -> str:
        """Return the text of a phase with its parameters, for people."""
        used = gap_names(self.names.text(f"phase.{name}", tidy(name)))
        rest = [value for param, value in params.items() if param not in used]
        filled = self.names.filled(f"phase.{name}", tidy(name), params)
        return together(filled, self.names.colon, listed(rest)) if rest else filled


class Log(Sequence[Event]):
    """The events of a state, decoded on access.

    It is a window on the live log, so it grows and shrinks with play.
    """

    def __init__(
        self, book: EventBook, records: list[Record], begin: int = 0, end: int | None = None
    ) -> None:
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
