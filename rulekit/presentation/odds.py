"""The exact distribution of the next roll's results, with the effects of each.

All numbers are computed in positions of the observer's information set
(`engine/knowledge/world_enumeration.py`), never in the true one. If these positions differ, the
difference depends on hidden information and is left out. So is everything that depends on more
values than can be tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import takewhile
from typing import Any

from attrs import asdict, evolve, field, frozen

from rulekit.common.errors import IllegalChoice
from rulekit.common.gc_pause import paused
from rulekit.common.i18n.messages import _
from rulekit.engine.explain.derivation import Derivation
from rulekit.engine.explain.event_derivations import worked
from rulekit.engine.explain.event_reasons import behind
from rulekit.engine.kernel.decision import Option
from rulekit.engine.kernel.events import HIDDEN, QUIET, Event
from rulekit.engine.kernel.group_order import in_order, is_in
from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.knowledge.world_enumeration import Basis
from rulekit.engine.lookahead.chance_outcomes import (
    LEAVES,
    ChanceOutcome,
    begun,
    courses,
    is_pending,
    outcome,
)
from rulekit.engine.lookahead.player_lookahead import PlayerLookahead
from rulekit.engine.search.agent_registry import victory_total
from rulekit.presentation.event_view import Happened, happened
from rulekit.presentation.forced_losses import further_losses
from rulekit.presentation.log import is_heading
from rulekit.runtime import intrinsics
from rulekit.runtime.program import CellInfo
from rulekit.runtime.records import Record, Trace, kind_of
from rulekit.runtime.slots import DIE_ROLLED, LAYERS, PC

OPTIONS = 40  # for more options than this, odds are computed only one by one


@frozen
class OddsRoll:
    """The purpose of a roll, the side that rolls (or None), and the sum of the dice."""

    purpose: str
    who: str | None
    value: int


@frozen
class Change:
    """A value of a piece before and after.

    Attributes:
        cell: the name of the state.
        of: the id of the piece.
    """

    cell: str
    of: str
    before: Any
    after: Any


@frozen
class Split:
    """The results with one value of a parameter of their outcome.

    The parameter is a yes or no, or a player.

    Attributes:
        param: the name of the parameter.
        value: its value.
        chance: the probability of these results.
        rolls: the rolls of these results.
    """

    param: str
    value: Any
    chance: Fraction
    rolls: tuple[tuple[int, ...], ...]


@frozen
class OddsResult:
    """One result of a roll.

    Attributes:
        chance: its probability.
        rolls: its rolls.
        end: decision, over, draw (a draw comes next), roll (another roll comes, so that not all
            rolls are included) or hidden.
        outcome: the first event of the game that follows from the next roll, or from the roll just
            before this decision.
        events: the events.
        lines: the log without its headings.
        tables: the table look-ups from the roll to the outcome.
        changes: the changes of pieces, against the present.
        points: the change of each side's victory total.
        further: the number of own pieces that the observer must still lose by their next choices.
        hidden: True if the rest depends on hidden information.
    """

    chance: Fraction
    rolls: tuple[OddsRoll, ...]
    end: str
    outcome: Happened | None = None
    events: tuple[Happened, ...] = ()
    lines: tuple[str, ...] = ()
    tables: tuple[Derivation, ...] = ()
    changes: tuple[Change, ...] = ()
    points: dict[str, int] = field(factory=dict, hash=False)
    further: int = 0
    hidden: bool = False


WIRE_NAMES = {"derivations": "workings"}  # fields of `Way` with another name in JSON


@frozen
class Way:
    """An option with its results.

    There is one without a roll if no roll comes before the next decision.

    Attributes:
        complete: True if the results include all rolls up to there, False for only the first roll.
        splits: the results by the parameters of their outcome.
        turns: the splits that differ from the outcome of a pass, if that outcome is certain. A
            reroll is made for them.
        derivations: the derivations of the outcome's numbers (`workings` in JSON).
        hidden: True if the consequences depend on hidden information.
    """

    key: str
    label: str
    results: tuple[OddsResult, ...] = ()
    complete: bool = True
    splits: tuple[Split, ...] = ()
    turns: tuple[Split, ...] = ()
    derivations: tuple[Derivation, ...] = ()
    hidden: bool = False


@frozen
class Odds:
    """The odds of one option, or of each option.

    Every window before the roll, and between the roll and its outcome, counts as passed.

    Attributes:
        ways: the options with their results.
        complete: True if every option is included.
    """

    ways: tuple[Way, ...]
    complete: bool = True

    def to_json(self) -> dict[str, Any]:
        """Return plain data. A probability is a list of two integers, numerator and denominator."""
        return {"ways": [way_json(way) for way in self.ways], "complete": self.complete}


def way_json(way: Way) -> dict[str, Any]:
    """Return one option as plain data."""
    results = [
        _plain(evolve(r, tables=())) | {"tables": [t.to_json() for t in r.tables]}
        for r in way.results
    ]
    plain = _plain(evolve(way, results=(), derivations=()))
    return {WIRE_NAMES.get(name, name): value for name, value in plain.items()} | {
        "results": results,
        "workings": [derivation.to_json() for derivation in way.derivations],
    }


def _plain(value: OddsResult | Way) -> dict[str, Any]:
    return asdict(value, value_serializer=_listed)


def _listed(_instance: Any, _field: Any, value: Any) -> Any:
    if isinstance(value, Fraction):
        return [value.numerator, value.denominator]
    return list(value) if isinstance(value, tuple) else value


@paused()
def odds(observer: Observer, key: str | None = None) -> Odds:
    """Return the odds of an option by its key, or of each option without a key.

    For an observer who has no decision, these are the odds if the current window is passed.

    Raises:
        IllegalChoice: the observer is not offered this key.
    """
    options = list(_offered(observer))
    if key is not None:
        options = [each for each in options if each.key == key]
        if not options:
            raise IllegalChoice(observer.names.say(_("{text} is not offered here", text=repr(key))))
    elif len(options) > OPTIONS:
        return Odds((), False)
    asked = _Asked.by(observer)
    ways = [_way_of(asked, option) for option in options]
    passed = next((w for o, w in zip(options, ways, strict=True) if _is_pass(observer, o)), None)
    if key is not None and passed is None and ways[0].splits and _is_window(observer):
        passed = next(
            (_way_of(asked, each) for each in _offered(observer) if _is_pass(observer, each)), None
        )
    return Odds(tuple(evolve(way, turns=_turns(way, passed)) for way in ways))


# ------------------------------------------------------------------------------------------- a plan
def preview(observer: Observer, keys: Sequence[str]) -> Way:
    """Return the preview of a plan: the results of its last choice against the present.

    They have no log. If a roll or draw comes earlier, these are the results of the first choice
    with one. Others' windows on the way count as passed. The result is `hidden` if it depends on
    hidden information.

    Raises:
        IllegalChoice: the observer has no decision, or the plan is impossible.
    """
    state, wanted = observer.state, in_order(observer.names, keys)
    if state.is_terminal() or state.current_player() != observer.me:
        raise IllegalChoice(
            observer.names.say(_("{text} is not offered here", text=repr(" ".join(keys))))
        )
    asked, found = _Asked.by(observer), list[list[OddsResult]]()
    complete = sure = True
    for world in asked.basis.worlds(lambda slots: (slots[:], *_planned(observer, slots, wanted))):
        slots, each, whole = world.found
        complete, sure = (
            complete and whole,
            sure and all(world.known(course.state.slots) is None for course in each),
        )
        before = asked.as_seen(Position(state.table, list(slots)))
        points = asked.points(before)
        found.append(
            [_compared(asked, before, points, course) for course in each if course.end != "error"]
        )
    shown = [[(one.chance, one.rolls) for one in each] for each in found]
    if not sure or not shown[0] or any(each != shown[0] for each in shown):
        return Way(" ".join(keys), "", hidden=True)
    return Way(
        " ".join(keys), "", tuple(_in_all(each) for each in zip(*found, strict=True)), complete
    )


def _planned(
    observer: Observer, slots: list[int], keys: Sequence[str]
) -> tuple[list[ChanceOutcome], bool]:
    """Return the courses of the last foreseeable choice of a plan.

    There are none if it depends on hidden information.
    """
    lookahead, last = PlayerLookahead.within(observer, slots), None
    for key in keys:
        while not lookahead.mine and (passed := lookahead.pass_id()):
            lookahead.take(passed)
        if lookahead.stopped or not lookahead.mine or not lookahead.is_open():
            break
        id = lookahead.find(key)
        if not id:
            if key == "go" or is_in(observer.state.table.book, lookahead.slots, key):
                continue  # it was taken without asking, as the only option
            raise IllegalChoice(observer.names.say(_("{text} is not offered here", text=repr(key))))
        last, there = (lookahead.slots, id), lookahead.copy()
        there.take(id)
        lookahead = there
    if last is None:
        return [], True
    last[0][LAYERS] = None  # type: ignore[call-overload]
    return courses(observer.state.table, last[0], last[1], LEAVES)


def _compared(
    asked: _Asked, before: Observer, points: Sequence[Any], course: ChanceOutcome
) -> OddsResult:
    """Return the changes of a course against a position."""
    course.state.unwatch()  # later reads are no part of the course
    after = asked.as_seen(course.state)
    rolls = tuple(
        OddsRoll(e.params["purpose"], e.params["who"], e.params["value"])
        for e in asked.events(after)
        if e.kind == DIE_ROLLED
    )
    return OddsResult(
        course.chance,
        rolls,
        course.end,
        changes=tuple(_changes(asked, before, after)),
        points=_points(asked, points, after),
        further=_further(after, course),
    )


def _further(after: Observer, course: ChanceOutcome) -> int:
    return further_losses(after, course.state.slots) if course.end == "decision" else 0


def _in_all(results: Sequence[OddsResult]) -> OddsResult:
    """Return the part on which the results in all worlds agree."""
    first = results[0]
    if all(each == first for each in results):
        return first
    changes = tuple(
        change for change in first.changes if all(change in each.changes for each in results)
    )
    points = {
        side: n
        for side, n in first.points.items()
        if all(each.points.get(side) == n for each in results)
    }
    return evolve(
        first,
        end="hidden",
        changes=changes,
        points=points,
        further=min(each.further for each in results),
        hidden=True,
    )


# ------------------------------------------------------------------------------------------ options
def _is_window(observer: Observer) -> bool:
    slots = observer.state.slots
    return slots[PC] > 0 and observer.program.decisions[slots[PC]].kind == "window"


def _is_pass(observer: Observer, option: Option) -> bool:
    return observer.state.table.book.family(option.id).what == "pass"


def _offered(observer: Observer) -> Iterator[Option]:
    """Yield the options of the observer, or the pass of another player's window."""
    if observer.state.is_terminal():
        return
    if observer.me >= 0 and observer.state.current_player() == observer.me:
        yield from observer.options()
    elif _is_window(observer):
        offered = observer.state.table.book.options(observer.state.legal_actions())
        yield from (option for option in offered if _is_pass(observer, option))


# --------------------------------------------------------------------------------------- one option
@frozen
class _Asked:
    """The question, with everything that is the same for all courses of all options.

    The same events and look-ups occur in many courses, so their descriptions are cached.

    Attributes:
        observer: the player or spectator who asks.
        basis: their information set.
        number: the number of the next event.
        places: the cells with the place and condition of a piece.
        total: the victory total, or None if the game has none.
    """

    observer: Observer
    basis: Basis
    number: int
    places: tuple[tuple[int, CellInfo], ...]
    total: int | None
    decoded: dict[Record, Event] = field(factory=dict, hash=False)
    texts: dict[Any, str] = field(factory=dict, hash=False)
    happened_by_record: dict[Any, Happened] = field(factory=dict, hash=False)
    read: dict[Any, Derivation | None] = field(factory=dict, hash=False)

    @classmethod
    def by(cls, observer: Observer) -> _Asked:
        """Return the question of an observer, with empty caches."""
        program, name = observer.program, victory_total(observer.state)
        total = next((i for i, info in enumerate(program.totals) if info.name == name), None)
        info = program.totals[total] if total is not None else None
        if info is None or info.context >= 0 or [t.kind for _, t in info.params] != [program.sides]:
            total = None
        places = tuple(
            (at, cell)
            for at, cell in enumerate(program.cells)
            if cell.owner in observer.names.place_cells and len(cell.keys) == 1 and not cell.hidden
        )
        return cls(observer, Basis.of(observer), max(1, len(observer.state.events)), places, total)

    def events(self, after: Observer) -> Iterator[Event]:
        """Yield the events on the way to a position, as the observer sees them."""
        for at, record in enumerate(after.state.log):
            if kind_of(record) not in QUIET:
                known = self.decoded.get(record) or self.decoded.setdefault(
                    record, self.observer.state.table.events.event(record)
                )
                event = after.event(Event(known.name, known.params, at, known.ref, record))
                if event is not None:
                    yield Event(event.name, event.params, at + self.number, event.ref, record)

    def _key(self, event: Event) -> Any:
        """Return the same key for events that look the same."""
        return (
            event.record
            if event.params is self.decoded[event.record].params
            else (event.record, str(event.params))
        )

    def text(self, event: Event) -> str:
        """Return the log line of a single event."""
        key = self._key(event)
        if key not in self.texts:
            self.texts[key] = self.observer.state.table.events.text(event)
        return self.texts[key]

    def happened(self, event: Event) -> Happened:
        """Return an event with the data printed on its things."""
        key = self._key(event)
        if key not in self.happened_by_record:
            self.happened_by_record[key] = happened(self.observer, event)
        return self.happened_by_record[key]

    def looked_up(self, table: int, keys: tuple[Any, ...], row: int) -> Derivation | None:
        """Return the derivation of a table look-up."""
        key = table, keys, row
        if key not in self.read:
            trace = Trace("table", table, keys, row, [])
            self.read[key] = worked(self.observer.names, trace, self.observer)
        return self.read[key]

    def as_seen(self, state: Position) -> Observer:
        """Return the same observer of another position."""
        return Observer(state, self.observer.me if self.observer.me >= 0 else None)

    def points(self, there: Observer) -> list[Any]:
        """Return the victory total of each side, or `HIDDEN` if the observer may not know it."""
        if self.total is None:
            return []
        info, out = there.program.totals[self.total], []
        for side in range(len(there.names.sides)):
            value = there.names.value(
                info.type, there.state.table.code.total(there.state.slots, self.total, [side])
            )
            out.append(value if there.may_know_total(info, [side]) else HIDDEN)
        return out


@frozen
class _SeenOutcome:
    """A course as the observer sees it.

    Attributes:
        events: the events before the first that depends on an untried hidden value.
        cut: True if there is such an event.
        number: the number of the outcome in the course.
    """

    course: ChanceOutcome
    result: OddsResult
    events: tuple[Event, ...]
    outcome: Event | None
    number: int | None
    cut: bool = False

    @property
    def rolls_unknown(self) -> bool:
        """True if the rolls are unknown."""
        rolled = sum(event.kind == DIE_ROLLED for event in self.events)
        return self.cut and (rolled < len(self.course.rolls) or not rolled)


def _way_of(asked: _Asked, option: Option) -> Way:
    observer = asked.observer
    if not observer.names_all(option.id):
        return Way(option.key, option.label, hidden=True)
    found: list[list[_SeenOutcome]] = []
    complete = True
    for world in asked.basis.worlds(
        lambda slots: (slots[:], courses(observer.state.table, slots, option.id, LEAVES))
    ):
        slots, (each, whole) = world.found
        before = asked.as_seen(Position(observer.state.table, list(slots)))
        points, pending = asked.points(before), is_pending(before.state)
        found.append(
            [
                _as_seen(asked, before, points, pending, course, world.known(course.state.slots))
                for course in each
                if course.end != "error"
            ]
        )
        complete = complete and whole
        if (
            not found[0]
            or _rolled(found[-1]) != _rolled(found[0])
            or any(seen.rolls_unknown for seen in found[-1])
        ):
            return Way(option.key, option.label, hidden=True)
    results = tuple(_agreed(asked, seen) for seen in zip(*found, strict=True))
    hidden = any(r.hidden for r in results)
    derivations = () if hidden else tuple(_derivations(found[0][0], observer))
    return Way(
        option.key, option.label, results, complete, _splits(observer, results), (), derivations
    )


def _rolled(seen: Sequence[_SeenOutcome]) -> list[tuple[tuple[int, ...], Fraction]]:
    """Return the rolls and the probability of each course."""
    return [(each.course.rolls, each.course.chance) for each in seen]


def _as_seen(
    asked: _Asked,
    before: Observer,
    points: Sequence[Any],
    pending: bool,
    course: ChanceOutcome,
    known: int | None,
) -> _SeenOutcome:
    """Return a course as the observer sees it.

    Args:
        points: the victory totals before it.
        pending: True if there was a roll without consequences yet.
        known: the number of its events that do not depend on an untried value, or None for all.
    """
    course.state.unwatch()  # later reads are no part of the course
    after = asked.as_seen(course.state)
    number, events = asked.number, tuple(asked.events(after))
    rolls = tuple(
        OddsRoll(e.params["purpose"], e.params["who"], e.params["value"])
        for e in events
        if e.kind == DIE_ROLLED
    )
    outcome_at = outcome(course.state, pending)
    came = next(
        (
            event
            for event in events
            if outcome_at is not None and event.number == outcome_at + number
        ),
        None,
    )
    tables = tuple(_read(asked, course, begun(course.state, pending), outcome_at))
    result = OddsResult(
        course.chance,
        rolls,
        course.end,
        asked.happened(came) if came else None,
        (),
        (),
        tables,
        tuple(_changes(asked, before, after)),
        _points(asked, points, after),
        _further(after, course),
    )
    kept = tuple(event for event in events if known is None or event.number < known + number)
    return _SeenOutcome(course, result, kept, came, outcome_at, known is not None)


def _agreed(asked: _Asked, seen: Sequence[_SeenOutcome]) -> OddsResult:
    """Return the part on which a course in all worlds agrees."""
    observer = asked.observer
    one, events = seen[0], seen[0].events
    for other in seen[1:]:
        events = tuple(
            a
            for a, b in takewhile(
                lambda pair: pair[0] == pair[1], zip(events, other.events, strict=False)
            )
        )
    whole = all(
        events == each.events and each.result == one.result and not each.cut for each in seen
    )
    happened = tuple(map(asked.happened, events))
    lines = tuple(
        text
        for _, text in observer.state.table.events.lines(events, asked.text)
        if not is_heading(text)
    )
    if whole:
        return evolve(one.result, events=happened, lines=lines)
    came = one.outcome if one.outcome in events else None
    rolls = one.result.rolls[: sum(event.kind == DIE_ROLLED for event in events)]
    return OddsResult(
        one.result.chance,
        rolls,
        "hidden",
        asked.happened(came) if came else None,
        happened,
        lines,
        hidden=True,
    )


# ------------------------------------------------------------------------------------------ changes
def _changes(asked: _Asked, before: Observer, after: Observer) -> Iterator[Change]:
    old, new = before.state.slots, after.state.slots
    for at, cell in asked.places:
        for keys in _differing(cell, old, new):
            was, now = before.value_at(at, keys), after.value_at(at, keys)
            if now not in (was, HIDDEN):
                yield Change(cell.name, before.names.key_name(cell.keys[0], keys[0]), was, now)


def _differing(cell: CellInfo, old: Sequence[int], new: Sequence[int]) -> Iterator[tuple[int]]:
    """Yield the keys of a single-key cell whose values differ."""
    key = cell.keys[0]
    if cell.form in ("plain", "both"):
        was, now = old[cell.base : cell.base + key.size], new[cell.base : cell.base + key.size]
        if was != now:
            yield from ((at + key.low,) for at in range(key.size) if was[at] != now[at])
        return
    begin, size = (cell.index, cell.values or 0) if cell.form == "index" else (cell.base, 1)
    other = 0
    for slot in range(begin, begin + size):  # each slot is a set of keys
        other |= old[slot] ^ new[slot]
    yield from ((at + key.low,) for at in intrinsics.members(other))


def _points(asked: _Asked, before: Sequence[Any], after: Observer) -> dict[str, int]:
    """Return the change of the victory total for each side, if it is known."""
    pairs = zip(after.names.sides, before, asked.points(after), strict=False)
    return {
        side: now - was
        for side, was, now in pairs
        if isinstance(was, int) and isinstance(now, int) and was != now
    }


# -------------------------------------------------------------------------------------- derivations
def _read(
    asked: _Asked, course: ChanceOutcome, rolled: int | None, outcome: int | None
) -> Iterator[Derivation]:
    """Yield the table look-ups between the roll and the outcome, or the end."""
    for at, table, keys, row in dict.fromkeys(course.reads):
        if rolled is not None and rolled < at <= (
            len(course.state.log) if outcome is None else outcome
        ):
            derivation = asked.looked_up(table, keys, row)
            if derivation is not None:
                yield derivation


def _derivations(seen: _SeenOutcome, observer: Observer) -> list[Derivation]:
    """Return the totals, shifts and tables behind the outcome of a roll."""
    came = seen.number
    if came is None:
        return []
    again = seen.course.state.clone()
    again.script(seen.course.given[again.choice_of_event(came) - 1])
    return behind(again, came, observer.me if observer.me >= 0 else None)


# ------------------------------------------------------------------------------------------- splits
def _rolls(way: Way) -> bool:
    return any(result.rolls for result in way.results)


def _splits(observer: Observer, results: Sequence[OddsResult]) -> tuple[Split, ...]:
    """Return the results by each yes or no and each player in their outcome.

    All results must have the same outcome event.
    """
    outcomes = [r.outcome for r in results if r.outcome is not None]
    if (
        len(outcomes) < len(results)
        or len({o.name for o in outcomes}) != 1
        or not all(r.rolls for r in results)
    ):
        return ()
    info = next((e for e in observer.program.events if e.name == outcomes[0].name), None)
    deciding = (
        [
            n
            for n, t in info.params
            if t.form == "bool" or (t.form == "member" and t.kind == observer.program.sides)
        ]
        if info
        else []
    )
    out: list[Split] = []
    for param in deciding:
        values = list(dict.fromkeys(o.params[param] for o in outcomes))
        out += [_split(results, param, value) for value in values if len(values) > 1]
    return tuple(out)


def _split(results: Sequence[OddsResult], param: str, value: Any) -> Split:
    those = [r for r in results if r.outcome is not None and r.outcome.params[param] == value]
    return Split(
        param,
        value,
        sum((r.chance for r in those), Fraction(0)),
        tuple(tuple(roll.value for roll in r.rolls) for r in those),
    )


def _turns(way: Way, passed: Way | None) -> tuple[Split, ...]:
    """Return the splits that differ from the outcome of a pass, if no roll follows the pass."""
    if passed is None or passed.key == way.key or not _rolls(way):
        return ()
    found = [r.outcome for r in passed.results]
    now = found[0] if found and all(o == found[0] for o in found) else None
    return tuple(
        s for s in way.splits if now is not None and now.params.get(s.param, s.value) != s.value
    )
