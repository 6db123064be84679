"""Make a situation of a position in a game: its start, its choices and their consequences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, evolve, frozen

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.game.game import Game
from rulekit.engine.game.position_dump import dump, unlike
from rulekit.engine.game.setup import WrongSetup, base, fitting
from rulekit.engine.game.state import State
from rulekit.engine.kernel.names import Names
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.testing.expectations import WORDS
from rulekit.engine.testing.runner import Case, Expected, SituationRun, SituationStep, play, run
from rulekit.runtime.cells import column
from rulekit.runtime.records import Moved, PhaseBegun, Record, Rolled, kind_of
from rulekit.runtime.slots import (
    DIE_ROLLED,
    DRAWN,
    FIRST_EVENT,
    PHASE_BEGUN,
    SEED,
)

_MAX_PHASES = 8  # phases that are tried, the last one first
_MAX_EXPECTED = 12  # events, and changed states, that are expected after the choices
_SIMPLE = ("member", "int", "bool", "set")  # forms of values that `within` can give


@frozen
class WrittenSituation:
    """A situation that was made of a game.

    Attributes:
        case: the situation. `rulekit test` runs it.
        notes: how the position that it reaches differs from that of the game, in words.
    """

    case: Case
    notes: tuple[str, ...] = ()


@define
class _Start:
    """A point of play at which a situation can begin.

    Attributes:
        slots: the position there.
        choices: the number of choices before it.
        records: the number of event records before those of the situation.
        begun: the phase that begins, or None for the first decision of the scenario.
    """

    slots: list[int]
    choices: int
    records: int
    begun: PhaseBegun | None = None


class _PhaseLog(list[Record]):
    """An event log that copies the position whenever a phase begins."""

    def __init__(self, slots: list[int], choices: int, records: int) -> None:
        super().__init__()
        self._slots, self._choices, self._records = slots, choices, records
        self.starts: list[_Start] = []

    def append(self, record: Record) -> None:
        """Add a record."""
        super().append(record)
        if kind_of(record) == PHASE_BEGUN:
            records = self._records + len(self)
            begun = PhaseBegun.of(record)
            self.starts.append(_Start(self._slots[:], self._choices, records, begun))


def situation_of(
    game: Game, played: State, at: int, choices: int = 0, name: str = ""
) -> WrittenSituation:
    """Return the situation of a position of a game.

    It begins at the latest phase from which its choices lead to the same position. If there is
    none, it begins where the fewest differences are left.

    Args:
        played: the game, with its history.
        at: the number of choices before the position.
        choices: the number of following choices to write too, with their consequences.

    Raises:
        RulekitError: the game has no such position.
    """
    there, after = _cut(played, at), _cut(played, at + choices)
    best: _Attempt | None = None
    for start in _starts(there):
        found = _attempt(game, there, start)
        if found is not None and (best is None or len(found.notes) < len(best.notes)):
            best = found
        if best is not None and not best.notes:
            break
    if best is None:
        raise RulekitError(
            played.names.say(
                _("no situation leads to this position; choose one some choices before or after it")
            )
        )
    case = evolve(
        best.case,
        name=name or f"{game.title}, after choice {at}",
        do=best.case.do + _steps(after, at),
        dice=_dice(after, best.start.records),
    )
    return WrittenSituation(evolve(case, then=_holding(game, case, there, after)), best.notes)


def _cut(played: State, at: int) -> State:
    """Return the game after a number of choices."""
    last = played.move_number()
    if not 0 <= at <= last:
        raise RulekitError(
            played.names.say(
                _("the game has no choice {n}; it has {last}", n=str(at), last=str(last))
            )
        )
    state = played.clone()
    while state.move_number() > at:
        state.undo()
    return state


def _starts(there: State) -> Iterator[_Start]:
    """Yield the points at which a situation of this position can begin, the latest first."""
    back, phases = there.clone(), there.table.program.procs
    left = _MAX_PHASES
    while back.move_number() and left:
        first, last = back.events_of(back.move_number())
        kinds = [kind_of(record) for record in back.records(first, last)]
        seed, option = back.slots[SEED], back.undo()
        if PHASE_BEGUN not in kinds:
            continue
        for start in reversed(_begun(back, option, seed)):
            if start.begun is not None and phases[start.begun.procedure].chain is not None:
                left -= 1
                yield start
    while back.move_number():
        back.undo()
    yield _Start(back.slots[:], 0, len(back.log))


def _begun(before: State, option: int, seed: int) -> list[_Start]:
    """Return the phases that begin during a choice."""
    slots = before.slots[:]
    slots[SEED] = seed
    log = _PhaseLog(slots, before.move_number() + 1, len(before.log))
    before.code.apply(slots, option, log, [])
    return log.starts


# ------------------------------------------------------------------------------------- one attempt
@frozen
class _Attempt:
    """A situation that begins at one point, and how the position that it reaches differs."""

    start: _Start
    case: Case
    notes: tuple[str, ...]


def _attempt(game: Game, there: State, start: _Start) -> _Attempt | None:
    """Return the situation that begins at a point, or None if it cannot be played."""
    from_there = State(there.table, start.slots)
    found = dump(game, from_there, start.begun is None)
    case = Case(
        "",
        do=_steps(there, start.choices),
        scenario=found.scenario if found.scenario != game.info.default_scenario else None,
        empty=found.empty,
        rulings=found.rulings,
        place={
            piece: values if isinstance(values, dict) else {"": values}
            for piece, values in found.given.get("place", {}).items()
        },
        set=found.given.get("set", {}),
        put=found.given.get("put", {}),
        phase=_call(there.names, start.begun) if start.begun is not None else None,
        dice=_dice(there, start.records),
    )
    notes = _differences(game, case, there)
    if notes and start.begun is not None:
        case, notes = _with_fields(game, case, there, start, notes)
    return None if notes is None else _Attempt(start, case, tuple(notes))


def _with_fields(
    game: Game, case: Case, there: State, start: _Start, notes: list[str] | None
) -> tuple[Case, list[str] | None]:
    """Give the calling procedures the values that they have, as far as this helps."""
    assert start.begun is not None
    fields = dict(_fields(there, start, start.begun.procedure))
    more = evolve(case, within=fields)
    found = _differences(game, more, there) if fields else None
    if found is None or (notes is not None and len(found) >= len(notes)):
        return case, notes
    for proc, values in fields.items():  # leave out what is not needed
        for name in values:
            kept = {k: v for k, v in more.within[proc].items() if k != name}
            within = {k: v for k, v in more.within.items() if k != proc} | (
                {proc: kept} if kept else {}
            )
            less = evolve(more, within=within)
            if _differences(game, less, there) == found:
                more = less
    return more, found


def _fields(there: State, start: _Start, phase: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the variables of the procedures that call a phase, by procedure."""
    names, procs = there.names, there.table.program.procs
    for caller, _block in procs[phase].chain or ():
        proc, out = procs[caller], dict[str, Any]()
        for var in proc.vars if proc.returns >= 0 else ():
            if var.slot < 0 or var.type.form not in _SIMPLE:
                continue
            value = names.value(var.type, start.slots[var.slot])
            try:
                if fitting(names, var.type, value, var.name) == start.slots[var.slot]:
                    out[var.name] = value
            except WrongSetup:
                continue  # it has no value there
        if out:
            yield proc.name, out


def _call(names: Names, begun: PhaseBegun) -> str:
    """Return the phase with its arguments, as `phase` writes it."""
    proc = names.program.procs[begun.procedure]
    words = []
    for var, value in zip(proc.vars[: proc.params], begun.arguments, strict=True):
        shown = names.value(var.type, value)
        words.append(
            "{" + ", ".join(shown) + "}"
            if isinstance(shown, list)
            else "none"
            if shown is None
            else str(shown).lower()
            if isinstance(shown, bool)
            else str(shown)
        )
    return f"{proc.name}({', '.join(words)})" if words else proc.name


def _differences(game: Game, case: Case, there: State) -> list[str] | None:
    """Return how the position that a situation reaches differs, or None if it cannot be played."""
    try:
        state = base(game, case)
        play(SituationRun(case, state, None))
    except (WrongSetup, RulekitError):
        return None
    out = [f"{name} has another value" for name in unlike(there, state)]
    for cell in there.table.program.cells:
        if cell.hidden and column(state.slots, cell) != column(there.slots, cell):
            out.append(f"{cell.name} is counted by the rules alone, and differs")
    if state.legal_actions() != there.legal_actions():
        out.append("other options are offered")
    for side in () if out else (None, *range(len(there.names.sides))):
        mine, theirs = (Observer(each, side).now() for each in (state, there))
        who = "a spectator" if side is None else there.names.sides[side]
        out += [f"{who} sees other {part}" for part in mine if mine[part] != theirs[part]]
    return out


# ------------------------------------------------------------------------------ choices and results
def _steps(state: State, begin: int) -> list[SituationStep]:
    """Return the choices from a number on, as `do` writes them."""
    sides = state.names.sides
    return [
        SituationStep(sides[who] if (who := state.chooser(number)) >= 0 else None, option.key)
        for number, option in enumerate(state.choices[begin:], begin + 1)
    ]


def _dice(state: State, begin: int) -> list[Any] | None:
    """Return the random results from a record on, as `dice` writes them."""
    out: list[Any] = []
    for record in state.log[begin:]:
        if kind_of(record) == DIE_ROLLED:
            out.append(Rolled._make(record).value)
        elif kind_of(record) == DRAWN:
            moved = Moved._make(record)
            kind = state.table.program.cells[moved.source_cell].type.kind
            out.append(state.names.id(kind, moved.things))
    return out or None


def _holding(game: Game, case: Case, there: State, after: State) -> list[Expected]:
    """Return the expectations that hold in the situation."""
    seen: dict[str, Expected] = {}
    for each in _expected(there, after):
        seen.setdefault(f"{each.word} {each.subject} {each.value}", each)
    then = [evolve(each, line=line) for line, each in enumerate(seen.values(), 1)]
    wrong = {fault.line for fault in run(game, evolve(case, then=then)).faults}
    return [evolve(each, line=0) for each in then if each.line not in wrong]


def _expected(there: State, after: State) -> Iterator[Expected]:
    """Yield the events between two positions, and the decision in the second one."""
    events = [e for e in after.events[len(there.log) :] if e.kind >= FIRST_EVENT]
    for event in events[:_MAX_EXPECTED]:
        yield Expected("event", event.name, dict(event.params) or None)
    for path in list(unlike(there, after))[:_MAX_EXPECTED]:
        cell, _keys = after.names.cell(path)
        word, _, subject = path.partition(".")
        if cell.pool:
            yield Expected("pool", path, after.get(path))
        elif word in WORDS:
            yield Expected("var", path, after.get(path))
        else:
            yield Expected(word, subject, after.get(path))
    if (asked := after.decision) is not None:
        where = {"in": asked.procedure} if asked.procedure else {}
        yield Expected("decision", "", {"player": asked.player, **where} if asked.player else where)
        yield Expected("options", "", len(asked.options))
    elif (result := after.result) is not None:
        yield Expected("result", "", result.to_json())
