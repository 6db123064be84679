"""`SeatPosition`: a position as an observer may know it, and the choices to take back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import asdict, evolve, frozen

from rulekit.common.errors import RulekitError
from rulekit.engine.kernel.names import tidy
from rulekit.engine.kernel.undo_barrier import UNDO_STOPS
from rulekit.engine.kernel.undo_reach import undo_reach
from rulekit.engine.knowledge.observable_history import ObservableHistory
from rulekit.engine.knowledge.observation import Observer
from rulekit.presentation.rich_text import Spans, paragraphs, spans_of
from rulekit.presentation.sheet import Track, tracks
from rulekit.runtime.program import VarInfo


@frozen
class Field:
    """A value of a running procedure.

    Attributes:
        value: Plain data, or "?" if the observer does not know it.
        spans: The value as text for people, without its `unit`.
    """

    name: str
    label: str
    value: Any
    spans: Spans
    unit: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the value as plain data."""
        return {**asdict(self), "spans": [span.to_json() for span in self.spans]}


@frozen
class RunningProcedure:
    """A running phase, procedure or action (`word`), with its name and its public `fields`.

    The fields are the parameters of a phase, the fields that the rules declare, and the values that
    the drawing names, such as announced points. Declared fields with an empty text are left out,
    because they serve the rules alone.
    """

    name: str
    word: str
    label: str
    ref: tuple[str, ...]
    fields: tuple[Field, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the value as plain data."""
        return {**asdict(self), "fields": [each.to_json() for each in self.fields]}


@frozen
class ReachableUndo:
    """The choices that this seat may take back, as far as it has observed the choices of others.

    Attributes:
        steps: The number of its own choices, counted back from the last.
        choice: The number of the choice before which play would then resume.
        why: The barrier: nothing_to_undo, others_choice, die_was_rolled, was_drawn or was_revealed.
        text: The barrier in words.
        event: The name of the event that is the barrier.
        ref: The paragraphs of that event.
    """

    steps: int
    choice: int
    why: str
    text: str
    event: str | None = None
    ref: tuple[str, ...] = ()


@frozen
class SeatPosition:
    """The whole position, as an observer may know it.

    Attributes:
        choice: The number of choices made, as the observer can count them.
            See `rulekit.engine.knowledge.observable_history`.
        state, pools, unknown: As in `State.view`.
        tracks: By name, the value, or the value of each side.
        notes: The texts next to the tracks.
        seats: For each side, the values that the drawing names.
            They are score, points, hand (a number of things), roll and leads.
        initiative: The side that has the initiative.
        undo: None for a spectator.
    """

    choice: int
    decides: str | None
    result: Mapping[str, Any] | None
    running: tuple[RunningProcedure, ...]
    state: Mapping[str, Any]
    pools: Mapping[str, Any]
    unknown: Mapping[str, Any]
    tracks: Mapping[str, Any]
    notes: Mapping[str, str]
    seats: Mapping[str, Mapping[str, Any]]
    initiative: str | None
    undo: ReachableUndo | None

    def to_json(self) -> dict[str, Any]:
        """Return the value as plain data."""
        plain = asdict(self, recurse=False)
        return {
            **plain,
            "running": [each.to_json() for each in self.running],
            "undo": asdict(self.undo) if self.undo is not None else None,
        }


def picture(observer: Observer) -> object:
    """Return the position without its choices and without the player to move.

    Two positions with equal pictures look the same to the observer.
    """
    return evolve(position(observer), choice=0, decides=None, undo=None)


def position(observer: Observer, history: ObservableHistory | None = None) -> SeatPosition:
    """Return the current position of the observer.

    `history` is the choices as the observer can count them. None counts all of them.
    """
    state, program, names = observer.state, observer.program, observer.names
    shown = {
        names.cell_name(c): observer.cell(at)
        for at, c in enumerate(program.cells)
        if not c.hidden and not c.pool
    }
    pools = {
        c.name: observer.pool(at) for at, c in enumerate(program.cells) if c.pool and not c.hidden
    }
    values = {
        name: value[""] if list(value) == [""] else value for name, value in shown.items() if value
    }
    lying = {
        name: value[""] if list(value) == [""] else value for name, value in pools.items() if value
    }
    drawn = tracks(names)
    seat = (program.info.get("drawing") or {}).get("seat", {})
    decides, result, choice = (
        state.current_player(),
        state.result,
        state.move_number() if history is None else history.now,
    )
    first = values.get(seat.get("initiative", ""))
    return SeatPosition(
        choice,
        names.id(program.sides, decides) if decides >= 0 else None,
        result.to_json() if result else None,
        tuple(_running(observer)),
        values,
        lying,
        observer.unknown(),
        {
            track.name: values.get(track.name) if track.what == "cell" else _total(observer, track)
            for track in drawn
        },
        {track.name: _note(observer, track.note) for track in drawn if track.note},
        {side: _seat(observer, side, seat, values, lying) for side in names.sides},
        first if isinstance(first, str) else None,
        undo(observer, history) if observer.me >= 0 else None,
    )


# ------------------------------------------------------------------------------- running procedures
def _running(observer: Observer) -> Iterator[RunningProcedure]:
    """Yield the running procedures with a name or a value that everybody may know."""
    names, asked, named = observer.names, observer.asking(), _named(observer)
    for proc in observer.going_on():
        here = (
            None
            if asked is None or observer.program.procs[asked.proc] is not proc
            else asked.visible
        )
        phase, fields = proc.word == "phase", []
        for at, var in enumerate(proc.vars):
            serves_rules = names.is_silent(f"cell.{var.name}")
            public = (
                (var.shared and not serves_rules)
                or (phase and at < proc.params)
                or var.name in named.get(proc.name, ())
            )
            settled = at < proc.params or var.shared or here is None or at in here.values()
            if public and settled and var.slot >= 0:
                fields.append(_field(observer, var))
        params = {var.name for var in proc.vars[: proc.params]}
        said = {
            each.name: "".join(span.text for span in each.spans)
            for each in fields
            if each.name in params
        }
        label = (
            observer.state.table.events.phase_text(proc.name, said)
            if phase
            else names.text(f"phase.{proc.name}")
        )
        if phase or label or fields:
            yield RunningProcedure(
                proc.name, proc.word, label or tidy(proc.name), paragraphs(proc.ref), tuple(fields)
            )


def _named(observer: Observer) -> dict[str, set[str]]:
    """Return the names that the drawing shows of each procedure.

    `check` ensures that none is secret.
    """
    look = observer.program.info.get("drawing") or {}
    points, combat = look.get("seat", {}).get("phase_points", {}), look.get("combat", {})
    out: dict[str, set[str]] = {
        points.get("in", ""): {points[role] for role in ("of", "left", "spent") if role in points}
    }
    out.setdefault(combat.get("while", ""), set()).update(
        combat[role] for role in ("at", "attacker", "defender") if role in combat
    )
    return out


def _field(observer: Observer, var: VarInfo) -> Field:
    value, text = observer.shown_value(var)
    return Field(
        var.name,
        observer.names.text(f"cell.{var.name}", tidy(var.name)),
        value,
        spans_of(observer.names, text),
        var.type.unit,
    )


# ------------------------------------------------------------------------------------------- values
def _value(observer: Observer, name: str, *args: str) -> Any:
    """Return the value of a total or definition as the observer may know it, or None."""
    try:
        return observer.value_of(name, *args)
    except RulekitError:
        return None


def _total(observer: Observer, track: Track) -> Any:
    return (
        {side: _value(observer, track.name, side) for side in observer.names.sides}
        if track.each
        else _value(observer, track.name)
    )


def _note(observer: Observer, name: str) -> str:
    index = next(i for i, one in enumerate(observer.program.defines) if one.name == name)
    return observer.spoken("define", index, []) or ""


def _seat(
    observer: Observer,
    side: str,
    roles: Mapping[str, Any],
    values: Mapping[str, Any],
    pools: Mapping[str, Any],
) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if "score" in roles:
        out["score"] = _value(observer, roles["score"], side)
    for role in ("points", "roll"):
        if role in roles:
            out[role] = values.get(roles[role], {}).get(side)
    if "hand" in roles:
        out["hand"] = pools.get(roles["hand"], {}).get(side, {}).get("size")
    if "leads" in roles:
        out["leads"] = _value(observer, roles["leads"], side)
    return out


# --------------------------------------------------------------------------------------------- undo
def undo(observer: Observer, history: ObservableHistory | None = None) -> ReachableUndo:
    """Return how far a player may take back their own choices, and the barrier there."""
    found = undo_reach(observer.state, observer.me, None if history is None else history.counts)
    event = observer.state.events[found.event] if found.event >= 0 else None
    choice = found.choices if history is None else history.observed_number(found.choices)
    return ReachableUndo(
        found.steps,
        choice,
        found.why,
        observer.names.say(UNDO_STOPS[found.why]),
        event.name if event is not None else None,
        paragraphs(event.ref) if event is not None else (),
    )
