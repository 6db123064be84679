"""The report before a decision: the events since the observer's last one, and the values that have
changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulekit.common.i18n.messages import _, ngettext
from rulekit.engine.explain.event_reasons import behind
from rulekit.engine.explain.reason_line import reason_line
from rulekit.engine.game.state import State
from rulekit.engine.kernel.events import Event
from rulekit.engine.kernel.names import Names
from rulekit.runtime.records import Changed, PhaseBegun, kind_of
from rulekit.runtime.slots import CHANGED, FINISHED, FIRST_EVENT, PHASE_BEGUN

MAX_PRINTED_LINES = 24  # lines of the log printed before a decision
PAGE = 30  # lines of a page of the log

Values = Mapping[
    tuple[int, int], tuple[str, str]
]  # name and value, by the cell and the place in it


Explained = Mapping[int, Sequence[str]]  # lines next to an event, by its number


def event_lines(state: State, events: Iterable[Event], explained: Explained) -> list[str]:
    """Return the lines of the log without the end of the game, which is reported separately."""
    lines = state.table.events.lines(e for e in events if e.kind != FINISHED)
    return [
        f"  {line}"
        for number, text in lines
        for line in (text, *(f"  {more}" for more in explained.get(number, ())))
    ]


def explain(state: State, begin: int, explained: dict[int, Sequence[str]]) -> None:
    """Add the deciding parts of totals and tables of the events since `begin`, as far as everybody
    may know them.

    A game names these totals and tables in the text `event.NAME.why`. Undone events are removed.
    """
    for number in [n for n in explained if n >= min(begin, len(state.events))]:
        del explained[number]
    for event in state.events[begin:]:
        wanted = (
            state.names.text(f"event.{event.name}.why").split() if event.kind >= FIRST_EVENT else []
        )
        if wanted:
            found = behind(state, event.number, None)
            lines = (
                reason_line(state.names, each)
                for name in wanted
                for each in found
                if each.name == name
            )
            explained[event.number] = [line for line in lines if line]


def condensed(names: Names, lines: Sequence[str]) -> list[str]:
    """Return the last lines and the number of lines before them. Headings of the game itself (such
    as those of turns) are retained.
    """
    if len(lines) <= MAX_PRINTED_LINES:
        return list(lines)
    kept = [line for line in lines[:-MAX_PRINTED_LINES] if line.strip().startswith("===")]
    return [
        *kept,
        "  "
        + names.say(_("... {n} more: `log`", n=str(len(lines) - MAX_PRINTED_LINES - len(kept)))),
        *lines[-MAX_PRINTED_LINES:],
    ]


def changes(
    state: State, begin: int, lines: Sequence[str], before: Values, now: Values
) -> list[str]:
    """Return the values that have changed since the event `begin`, as lines `name: before -> now`.

    Changes that the printed lines of events reveal are left out. These are flags and members that
    events wrote, and numbers of which the new value or the difference is printed.
    """
    records = (record for record in state.log[begin:] if kind_of(record) == CHANGED)
    outside = {(change.cell, change.place) for change in map(Changed._make, records)}
    said = {int(word) for line in lines for word in re.findall(r"\d{1,18}", line)}
    colon = state.names.colon
    changed = [
        (key, name, before[key][1], value)
        for key, (name, value) in now.items()
        if key in before and before[key][1] != value
    ]
    return [
        f"  {name}{colon}{old} -> {new}"
        for key, name, old, new in changed
        if key in outside or ((numbers := _numbers(old, new)) and not said & numbers)
    ]


def _numbers(old: str, new: str) -> set[int]:
    """Return the new number and the absolute difference. The set is empty if the texts are not
    numbers.
    """
    found = [int(word[0]) for text in (old, new) if (word := re.match(r"-?\d{1,18}", text))]
    match found:
        case [before, now]:
            return {now, abs(now - before)}
    return set()


def page(names: Names, lines: Sequence[str], number: int) -> list[str]:
    """Return a page of the log. Page 0 is the last."""
    end = max(0, len(lines) - number * PAGE)
    begin = max(0, end - PAGE)
    head = (
        [
            "  "
            + names.say(
                ngettext(
                    "... {n} line before: `log more`, `log all`",
                    "... {n} lines before: `log more`, `log all`",
                    begin,
                )
            )
        ]
        if begin
        else []
    )
    return [*head, *lines[begin:end]]


def report(state: State, events: Iterable[Event], explained: Explained) -> Iterator[str]:
    """Yield the lines of a whole game. A blank line precedes each heading, and phases without
    events have no heading.
    """
    waiting: list[tuple[float, str]] = []
    for event, text in _each(state, events):
        if event.kind != PHASE_BEGUN:
            if text.startswith("=="):  # an event for which the game prints a heading
                waiting = []
                yield from ["", text]
                continue
            yield from ["", *(heading for _, heading in waiting)] if waiting else []
            waiting = []
            yield f"  {text}"
            yield from (f"    {more}" for more in explained.get(event.number, ()))
            continue
        depth = state.table.program.procs[PhaseBegun.of(event.record).procedure].callers
        if depth == 0:
            continue  # the outermost phase
        while waiting and waiting[-1][0] >= depth:
            waiting.pop()
        waiting.append((depth, text))


def _each(state: State, events: Iterable[Event]) -> Iterator[tuple[Event, str]]:
    log = state.events
    kept = (e for e in events if e.kind != FINISHED)
    return ((log[number], text) for number, text in state.table.events.lines(kept))
