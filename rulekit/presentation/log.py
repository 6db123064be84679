"""The log as an observer may read it: spans, headings, dice, paragraphs and choices."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve, field, frozen

from rulekit.common.errors import RulekitError
from rulekit.engine.kernel.events import HIDDEN, MOVES, QUIET, Event
from rulekit.engine.knowledge.observable_history import ObservableHistory
from rulekit.engine.knowledge.observation import Observer
from rulekit.presentation.drawing import drawing_of, owners
from rulekit.presentation.rich_text import Spans, paragraphs, spans_of, trimmed
from rulekit.runtime.records import PhaseBegun, kind_of
from rulekit.runtime.slots import (
    DIE_ROLLED,
    FINISHED,
    FIRST_EVENT,
    PHASE_BEGUN,
    REVEALED,
    ROLL_CANCELLED,
)

_SUBHEADING = "=="
_HEADING = re.compile(rf"({_SUBHEADING}=*) .* =+", re.DOTALL)


@frozen
class Die:
    """A roll of a die.

    Attributes:
        purpose: The purpose, as the rules name it.
        label: The purpose, as people call it.
        who: The side that rolled, or None.
        value: The result.
        cancelled: True if it was rolled again.
    """

    purpose: str
    label: str
    who: str | None
    value: int
    cancelled: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the value as plain data."""
        return {
            "purpose": self.purpose,
            "label": self.label,
            "who": self.who,
            "value": self.value,
            "cancelled": self.cancelled,
        }


@frozen
class LogLine:
    """One line of the log.

    Attributes:
        event: The number of its first event in `view(...)["events"]`.
        name: The name of that event.
        level: 0 for a text, 1 for a heading of the game itself (a turn), 2 for that of a phase.
        ref: The paragraphs, one by one.
        choice: The number of the choice behind it, from 1. 0 is the set-up.
        forced: True if that choice was the only one.
            It is set for your own choices, and for those of others if the game has no secrets.
        dice: The rolls that it reports, and those before it that no line reports.
        side: The side that acted, or None.
        leads: The side that `side` led when the choice was made, if the drawing shows this.
        open: True if the line may still grow, because several events share one line.
    """

    event: int
    name: str
    level: int
    spans: Spans
    ref: tuple[str, ...] = ()
    choice: int = 0
    forced: bool = False
    dice: tuple[Die, ...] = field(default=())
    side: str | None = None
    leads: str | None = None
    open: bool = False

    @property
    def text(self) -> str:
        """The line without its links."""
        return "".join(span.text for span in self.spans)

    def to_json(self) -> dict[str, Any]:
        """Return the value as plain data."""
        return {
            "event": self.event,
            "name": self.name,
            "level": self.level,
            "spans": [span.to_json() for span in self.spans],
            "ref": list(self.ref),
            "choice": self.choice,
            "forced": self.forced,
            "dice": [die.to_json() for die in self.dice],
            "side": self.side,
            "leads": self.leads,
            "open": self.open,
        }


def is_heading(text: str) -> bool:
    """Return True if a line of the log is a heading."""
    return _HEADING.fullmatch(text) is not None


def log(
    observer: Observer, begin: int = 0, history: ObservableHistory | None = None
) -> list[LogLine]:
    """Return the lines from an event on.

    To read on later, begin with the first line that was still `open`, or else after the last.
    `history` is the choices as the observer can count them. None counts all of them.
    """
    lines = [
        line for line in _lines(observer, *_start(observer, begin), history) if line.event >= begin
    ]
    name = drawing_of(observer.names).get("seat", {}).get("leads")
    return lines if name is None else _led(observer, name, lines, history)


def _led(
    observer: Observer, name: str, lines: Sequence[LogLine], history: ObservableHistory | None
) -> list[LogLine]:
    """Return the lines with the sides that their sides led before each choice.

    `name` is the definition that gives the led side.
    """
    past, sides, known = (
        observer.state.clone(),
        observer.names.sides,
        dict[tuple[int, str], str | None](),
    )
    wanted = {
        (history.made(line.choice) if history is not None else line.choice, line.side)
        for line in lines
    }
    for choice in sorted(
        {choice for choice, side in wanted if choice and side in sides}, reverse=True
    ):
        while past.move_number() >= choice:
            past.undo()
        there = Observer(past, observer.me if observer.me >= 0 else None)
        for side in {side for made, side in wanted if made == choice and side in sides}:
            try:
                known[choice, side] = there.value_of(name, side)
            except RulekitError:
                known[choice, side] = None
    found = (
        (
            line,
            known.get(
                (history.made(line.choice) if history is not None else line.choice, line.side or "")
            ),
        )
        for line in lines
    )
    return [evolve(line, leads=led if isinstance(led, str) else None) for line, led in found]


def _start(observer: Observer, begin: int) -> tuple[int, int]:
    """Return the last event before `begin` that ends all lines before it.

    No text shares a line with such an event, so the lines from there on do not depend on earlier
    ones. The result is its number among all events and among those of the log, or (0, 0) if there
    is none.
    """
    records, events, book = observer.state.log, observer.state.events, observer.state.table.events
    phase = next(
        (number for number, record in enumerate(records) if kind_of(record) == PHASE_BEGUN),
        len(records),
    )
    reported = [number for number, record in enumerate(records) if kind_of(record) not in QUIET]
    for at in range(min(begin, len(reported)) - 1, -1, -1):
        number = reported[at]
        if number < phase:
            break
        event = observer.event(events[number])
        if (
            event is not None
            and event.kind != REVEALED
            and not book.grows(event)
            and book.text(event)
        ):
            return number, at
    return 0, 0


def _lines(
    observer: Observer, start: int, at: int, history: ObservableHistory | None
) -> Iterator[LogLine]:
    """Yield the lines from an event on. `at` is its number among the events of the log."""
    book = observer.state.table.events
    events = list(observer.events(start))
    shown = {
        event.number: at + n for n, event in enumerate(e for e in events if e.kind not in QUIET)
    }
    by_number = {event.number: event for event in events}
    texts = sorted(book.lines(events), key=lambda each: each[0])
    closed = max((number for number, _ in texts if not book.grows(by_number[number])), default=-1)
    rolls = [event for event in events if event.kind in (DIE_ROLLED, ROLL_CANCELLED)]
    rolled = 0
    for number, text in texts:
        event, dice = by_number[number], []
        while rolled < len(rolls) and rolls[rolled].number <= number:
            dice.append(_die(observer, rolls[rolled]))
            rolled += 1
        yield evolve(
            _line(observer, event, shown[number], text, tuple(dice), history), open=number > closed
        )


def _line(
    observer: Observer,
    event: Event,
    shown: int,
    text: str,
    dice: tuple[Die, ...],
    history: ObservableHistory | None,
) -> LogLine:
    found = _HEADING.fullmatch(text)
    level = 0 if found is None else 2 if found[1] == _SUBHEADING else 1
    spans = spans_of(observer.names, text)
    state = observer.state
    choice = state.choice_of_event(event.number)
    number = choice if history is None else history.observed_number(choice)
    made = choice if history is None else history.made(number)
    who = state.chooser(made) if made else -1
    forced = (
        made > 0 and (who == observer.me or not state.table.has_secrets) and state.was_forced(made)
    )
    ref = event.ref
    if event.kind == PHASE_BEGUN:
        ref = observer.program.procs[PhaseBegun.of(event.record).procedure].ref
    return LogLine(
        shown,
        event.name,
        level,
        trimmed(spans, "= ") if level else spans,
        paragraphs(ref),
        number,
        forced,
        dice,
        None if level else _side(observer, event, who),
    )


def _die(observer: Observer, event: Event) -> Die:
    params = event.params
    label = observer.names.text(f"purpose.{params['purpose']}", params["purpose"].replace("_", " "))
    return Die(
        params["purpose"], label, params["who"], params["value"], event.kind == ROLL_CANCELLED
    )


def _side(observer: Observer, event: Event, who: int) -> str | None:
    """Return the side that acted in an event.

    It is the first side that the event names, else the owner of its first piece, else the side that
    chose.
    """
    names = observer.names
    if event.kind >= FIRST_EVENT:
        types = observer.state.table.events.types(event.record)
        for name, type in types.items():
            if (
                type.form == "member"
                and type.kind == observer.program.sides
                and event.params[name] not in (None, HIDDEN)
            ):
                return str(event.params[name])
        for name, type in types.items():
            first = event.params[name][:1] if type.form == "set" else [event.params[name]]
            if (
                type.form in ("member", "set")
                and first
                and first[0] not in (None, HIDDEN)
                and (owner := owners(names, type.kind))
            ):
                return owner.get(first[0])
    elif event.kind == FINISHED:
        return None
    elif event.params.get("who") is not None:
        return str(event.params["who"])
    for place in (
        (event.params.get("target"), event.params.get("source")) if event.kind in MOVES else ()
    ):
        cell, keys = names.cell(place) if place is not None else (None, ())
        for key, value in zip(cell.keys if cell is not None else (), keys, strict=True):
            if key.kind == observer.program.sides:
                return names.id(key.kind, value)
    return names.id(observer.program.sides, who)
