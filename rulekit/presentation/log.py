"""Takes a viewer, makes the log as he may read it: `Line`s of spans, with headings, dice,
paragraphs and the choice behind each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve, field, frozen

from rulekit.common.errors import RulekitError
from rulekit.engine.kernel.events import HIDDEN, MOVES, QUIET, Event
from rulekit.engine.knowledge.observable_history import Count
from rulekit.engine.knowledge.observation import Observer
from rulekit.presentation.drawing import drawing_of, owners
from rulekit.presentation.rich_text import Spans, paragraphs, spans_of, trimmed
from rulekit.runtime.slots import (
    DIE_ROLLED,
    FINISHED,
    FIRST_EVENT,
    PHASE_BEGUN,
    REVEALED,
    ROLL_CANCELLED,
)

_HEADING = re.compile(r"(={2,}) .* =+", re.DOTALL)


@frozen
class Die:
    """A roll. `purpose`: what for, as the rules call it, and `label` as people do; `who`: the side
    that rolled, or None; `value`: the result; `cancelled`: it was rolled again."""

    purpose: str
    label: str
    who: str | None
    value: int
    cancelled: bool = False

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "purpose": self.purpose,
            "label": self.label,
            "who": self.who,
            "value": self.value,
            "cancelled": self.cancelled,
        }


@frozen
class Line:
    """One line. `event`: the number of its first event in `view(...)["events"]`, and `name` that
    event's name. `level`: 0 a text, 1 a heading of the game's own (a turn), 2 one of a phase.
    `ref`: paragraphs, each by itself. `choice`: the number of the choice behind it, from 1; 0: the
    set-up. `forced`: that choice was the only one (told of own choices; of others' where the game
    has no secrets). `dice`: the rolls that it tells, and those before it that no line tells.
    `side`: whose doing it is; None: nobody's; `leads`: whom that side led when the choice was made,
    where the drawing says that it leads others. `open`: it may yet grow, as several events are told
    in one."""

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
        """Plain data."""
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
    """Is a line of the log a heading?"""
    return _HEADING.fullmatch(text) is not None


def log(viewer: Observer, begin: int = 0, count: Count | None = None) -> list[Line]:
    """The lines from an event on. Who reads on begins with the first line that was still `open`,
    else after the last. `count`: how the viewer counts the choices; None: all of them."""
    lines = [line for line in _lines(viewer, *_start(viewer, begin), count) if line.event >= begin]
    name = drawing_of(viewer.names).get("seat", {}).get("leads")
    return lines if name is None else _led(viewer, name, lines, count)


def _led(viewer: Observer, name: str, lines: Sequence[Line], count: Count | None) -> list[Line]:
    """The lines with whom their sides led before the choice behind each; `name`: of what says
    it."""
    past, sides, known = (
        viewer.state.clone(),
        viewer.names.sides,
        dict[tuple[int, str], str | None](),
    )
    wanted = {
        (count.made(line.choice) if count is not None else line.choice, line.side) for line in lines
    }
    for choice in sorted(
        {choice for choice, side in wanted if choice and side in sides}, reverse=True
    ):
        while past.choices_count() >= choice:
            past.undo()
        there = Observer(past, viewer.me if viewer.me >= 0 else None)
        for side in {side for made, side in wanted if made == choice and side in sides}:
            try:
                known[choice, side] = there.value_of(name, side)
            except RulekitError:
                known[choice, side] = None
    found = (
        (
            line,
            known.get(
                (count.made(line.choice) if count is not None else line.choice, line.side or "")
            ),
        )
        for line in lines
    )
    return [evolve(line, leads=led if isinstance(led, str) else None) for line, led in found]


def _start(viewer: Observer, begin: int) -> tuple[int, int]:
    """The last event before `begin` that ends all lines before it, as nothing is told in one with
    it: its number among all events and among those of the log. Lines from there on do not hang on
    what was before. (0, 0) if there is none.
    """
    records, events, book = viewer.state.log, viewer.state.events, viewer.state.table.events
    phase = next(
        (number for number, record in enumerate(records) if record[0] == PHASE_BEGUN), len(records)
    )
    told = [number for number, record in enumerate(records) if record[0] not in QUIET]
    for at in range(min(begin, len(told)) - 1, -1, -1):
        number = told[at]
        if number < phase:
            break
        event = viewer.event(events[number])
        if (
            event is not None
            and event.record[0] != REVEALED
            and not book.grows(event)
            and book.text(event)
        ):
            return number, at
    return 0, 0


def _lines(viewer: Observer, start: int, at: int, count: Count | None) -> Iterator[Line]:
    """The lines from an event on; `at`: its number among those of the log."""
    book = viewer.state.table.events
    events = list(viewer.events(start))
    shown = {
        event.number: at + n
        for n, event in enumerate(e for e in events if e.record[0] not in QUIET)
    }
    by_number = {event.number: event for event in events}
    told = sorted(book.lines(events), key=lambda each: each[0])
    closed = max((number for number, _ in told if not book.grows(by_number[number])), default=-1)
    rolls = [event for event in events if event.record[0] in (DIE_ROLLED, ROLL_CANCELLED)]
    rolled = 0
    for number, text in told:
        event, dice = by_number[number], []
        while rolled < len(rolls) and rolls[rolled].number <= number:
            dice.append(_die(viewer, rolls[rolled]))
            rolled += 1
        yield evolve(
            _line(viewer, event, shown[number], text, tuple(dice), count), open=number > closed
        )


def _line(
    viewer: Observer,
    event: Event,
    shown: int,
    text: str,
    dice: tuple[Die, ...],
    count: Count | None,
) -> Line:
    found = _HEADING.fullmatch(text)
    level = 0 if found is None else 1 if len(found[1]) > 2 else 2
    spans = spans_of(viewer.names, text)
    state = viewer.state
    choice = state.choice_of_event(event.number)
    number = choice if count is None else count.told(choice)
    made = choice if count is None else count.made(number)
    who = state.chooser(made) if made else -1
    forced = (
        made > 0 and (who == viewer.me or not state.table.has_secrets) and state.was_forced(made)
    )
    ref = event.ref
    if event.record[0] == PHASE_BEGUN:
        ref = viewer.program.procs[event.record[1]].ref
    return Line(
        shown,
        event.name,
        level,
        trimmed(spans, "= ") if level else spans,
        paragraphs(ref),
        number,
        forced,
        dice,
        None if level else _side(viewer, event, who),
    )


def _die(viewer: Observer, event: Event) -> Die:
    params = event.params
    label = viewer.names.text(f"purpose.{params['purpose']}", params["purpose"].replace("_", " "))
    return Die(
        params["purpose"], label, params["who"], params["value"], event.record[0] == ROLL_CANCELLED
    )


def _side(viewer: Observer, event: Event, who: int) -> str | None:
    """Whose doing an event is: of the side that it names first, else of the owner of the first
    piece, else of who chose."""
    names = viewer.names
    if event.record[0] >= FIRST_EVENT:
        types = viewer.state.table.events.types(event.record)
        for name, type in types.items():
            if (
                type.form == "member"
                and type.kind == viewer.program.sides
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
    elif event.record[0] == FINISHED:
        return None
    elif event.params.get("who") is not None:
        return str(event.params["who"])
    for place in (
        (event.params.get("target"), event.params.get("source")) if event.record[0] in MOVES else ()
    ):
        cell, keys = names.cell(place) if place is not None else (None, ())
        for key, value in zip(cell.keys if cell is not None else (), keys, strict=True):
            if key.kind == viewer.program.sides:
                return names.id(key.kind, value)
    return names.id(viewer.program.sides, who)
