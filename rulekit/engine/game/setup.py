"""Set up a state from a position that is given as plain data, as in situations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol

from attrs import define, field

from rulekit.common.diagnostics.diagnostic import among, guess
from rulekit.common.errors import RulekitError
from rulekit.engine.game.state import State
from rulekit.engine.kernel.call_syntax import arguments_of, call_of
from rulekit.engine.kernel.names import AmbiguousName, Names, ambiguous
from rulekit.runtime import cells
from rulekit.runtime.program import CellInfo, ProcInfo, Program, TypeInfo, VarInfo
from rulekit.runtime.slots import HERE

_MAX_SHOWN_MEMBERS = 4  # members of a kind that a message names
EVERYWHERE = "all"
ARGUMENTS, VALUE, UNBEGUN, FORM, START, AMBIGUOUS = (
    "RK614",
    "RK615",
    "RK616",
    "RK617",
    "RK618",
    "RK619",
)
_WITH_UNIT = re.compile(r"\s*([-+]?\d+) *[A-Za-z]\w*\s*")
_CALL = re.compile(r"\s*([\w.]+)\s*(?:\((.*)\))?\s*")


@define(kw_only=True)
class SituationStart:
    """A position, and the point of play at which it begins.

    Attributes:
        place: by piece id, the values of its states. The place itself has the key "".
        set: values by dotted path.
        put: by pool, the ids of the things in it.
    """

    scenario: str | None = None
    empty: bool = False
    rulings: dict[str, str] = field(factory=dict)
    seed: int | None = None
    clear: list[Any] = field(factory=list)
    place: dict[str, dict[str, Any]] = field(factory=dict)
    set: dict[str, Any] = field(factory=dict)
    put: dict[str, list[Any]] = field(factory=dict)
    phase: str | None = None
    player: str | None = None
    run: str | None = None
    within: dict[str, dict[str, Any]] = field(factory=dict)
    dice: list[Any] | None = None


class Begins(Protocol):
    """The part of `rulekit.engine.game.game.Game` that begins a game."""

    def started(self, scenario: str | None, seed: int, rulings: Mapping[str, str], /) -> State:
        """Return a state at the first decision, without history."""

    def emptied(self, scenario: str | None, seed: int, rulings: Mapping[str, str], /) -> State:
        """Return a state in which nothing has run, without the set-up of the scenario."""


class WrongSetup(Exception):
    """Raised when a situation contains an error, or an expectation of it does not hold."""

    def __init__(self, why: str, line: int = 0, code: str = "") -> None:
        super().__init__(why)
        self.line = line
        self.code = code  # the diagnostic's code, if the error is found before the situation runs


def call_parts(text: str) -> tuple[str, list[Any]]:
    """Split `battle(P, {x, y})` into a name and its arguments. Those in braces become lists."""
    found = _CALL.fullmatch(text)
    if not found:
        raise WrongSetup(f"{text!r} is neither a name nor a call like name(a, b)")
    return found[1], arguments_of(found[2] or "")


def fitting(names: Names, type: TypeInfo, value: Any, what: str, bounds: bool = True) -> Any:
    """Return a value in the form of the rules.

    Args:
        bounds: check the range as well as the type.

    Raises:
        Wrong: the value has another type or lies outside the range.
    """
    wrong = _misshapen(names, type, value)
    if wrong:
        raise WrongSetup(f"{what}: {wrong}", code=VALUE)
    try:
        out = names.parse(type, value)
    except AmbiguousName as error:
        raise WrongSetup(f"{what}: {error}", code=AMBIGUOUS) from None
    except RulekitError as error:
        raise WrongSetup(f"{what}: {error}", code=VALUE) from None
    if bounds and type.form == "int":
        low, high = type.low, type.high
        if (low is not None and out < low) or (high is not None and out > high):
            raise WrongSetup(
                f"{what}: {out} is outside of"
                f" {'' if low is None else low}..{'' if high is None else high}",
                code=VALUE,
            )
    return out


def _misshapen(names: Names, type: TypeInfo, value: Any) -> str:
    """Return the error in the form of a value, or ''."""
    if isinstance(value, dict):
        return f"one value is wanted, not a mapping; {_wanted(names, type)}"
    if isinstance(value, list) and type.form != "set":
        return f"one value is wanted, not a list; {_wanted(names, type)}"
    if isinstance(value, bool) and type.form != "bool":
        return f"{str(value).lower()} is no value of it; {_wanted(names, type)}"
    if type.form == "int" and isinstance(value, str) and (number := _WITH_UNIT.fullmatch(value)):
        return f"{value!r} is not a number; write it without the unit: {number[1]}"
    none = value is None or value == "none"
    if none and not type.optional and type.form in ("member", "int", "ratio"):
        return f"it is never none; {_wanted(names, type)}"
    return ""


def _wanted(names: Names, type: TypeInfo) -> str:
    """Return the help text for a value of a type."""
    if type.form in ("member", "set"):
        kind = names.program.kinds[type.kind]
        some = ", ".join(kind.members[:_MAX_SHOWN_MEMBERS]) + (
            ", ..." if len(kind.members) > _MAX_SHOWN_MEMBERS else ""
        )
        return (
            f"write {'a list of members' if type.form == 'set' else 'a member'} of {kind.name}:"
            f" {some}"
        )
    return {"bool": "write true or false", "ratio": "write a ratio such as 3 to 2"}.get(
        type.form, "write a number"
    )


# --------------------------------------------------------------------------- the form of a position
GIVEN = ("clear", "place", "set", "put", "phase", "player")


def position(game: Begins, given: Mapping[str, Any], start: SituationStart) -> State:
    """Return a state from the data of `given`, as in situations, and the rest of `start`.

    Raises:
        RulekitError: the rules do not allow the position.
    """
    try:
        _read(given, start)
        if start.run is not None and start.phase is not None:
            raise WrongSetup(
                "play starts with `run` or in a `phase`, not with both; remove one of them, or open"
                " the phase under `within`"
            )
        state = base(game, start)
        arrange(state, start)
        begin(state, start)
    except WrongSetup as wrong:
        raise RulekitError(str(wrong)) from None
    return state


def _read(given: Mapping[str, Any], start: SituationStart) -> None:
    """Copy the keys of `given` into `start`."""
    for key in given:
        if key not in GIVEN:
            raise WrongSetup(
                f"'given' has no key {key!r};"
                f" {guess(str(key), GIVEN) or 'it has ' + ', '.join(GIVEN)}",
                code=FORM,
            )
    start.clear = _listed(given.get("clear", []))
    start.place = {
        piece: dict(values) if isinstance(values, Mapping) else {"": values}
        for piece, values in _pairs(given, "place")
    }
    start.set = dict(pair for key, value in _pairs(given, "set") for pair in _flat(key, value))
    start.put = {pool: _listed(things) for pool, things in _pairs(given, "put")}
    start.phase, start.player = (_text(given, key) for key in ("phase", "player"))


def _pairs(given: Mapping[str, Any], key: str) -> Iterator[tuple[str, Any]]:
    found = given.get(key, {})
    if not isinstance(found, Mapping):
        raise WrongSetup(
            f"'{key}' of a position is a mapping, such as {{NAME: value}}, not {found!r}", code=FORM
        )
    return ((str(name), value) for name, value in found.items())


def _text(given: Mapping[str, Any], key: str) -> str | None:
    found = given.get(key)
    if found is not None and not isinstance(found, str):
        raise WrongSetup(f"'{key}' of a position is a text, not {found!r}", code=FORM)
    return found


def _flat(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield `points: {red: 3}` as `points.red: 3`."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _flat(f"{name}.{key}", inner)
    else:
        yield name, value


def _listed(value: Any) -> list[Any]:
    """Return a list, or a single value as a list."""
    return list(value) if isinstance(value, (list, tuple, set, frozenset)) else [value]


# ------------------------------------------------------------------------------------- the position
def base(game: Begins, start: SituationStart) -> State:
    """Return the state to start from: a scenario at its first decision, or an empty state."""
    make = game.emptied if start.empty else game.started
    return make(start.scenario, start.seed or 0, start.rulings)


def empty(state: State) -> State:
    """Remove the set-up of the scenario from a blank state, and return it."""
    for cell in state.table.program.cells:
        first = 0 if cell.pool else cell.initial
        for at, value in enumerate(() if cell.hidden else cells.column(state.slots, cell)):
            if value != first:
                state.put(cell, cells.keys_of(cell, at), first)
    return state


def arrange(state: State, start: SituationStart) -> None:
    """Change the position as given. Its history is dropped."""
    names = state.names
    for place in start.clear:
        _clear(state, str(place))
    for piece, values in start.place.items():
        for attribute, value in values.items():
            _set(state, f"{attribute or place_cell(names, piece)}.{piece}", value)
    for path, value in start.set.items():
        _set(state, path, value)
    lying: Lying = {}
    for pool, things in start.put.items():
        cell, keys = names.cell(pool)
        hold_pool(cell, pool)
        for thing in things:
            hold_thing(names, cell, pool, thing, lying)
        state.put(cell, keys, names.parse(cell.type, list(things)))
    _within(state, start)
    state.forget()


def _set(state: State, path: str, value: Any) -> None:
    hold_value(state.names, path, value)
    state.set(path, value)


def hold_value(names: Names, path: str, value: Any) -> None:
    """Raise Wrong if the path names no state, or the state cannot have this value."""
    cell, _ = names.cell(path)
    if cell.pool:
        raise WrongSetup(f"{path!r} is a pool; write `put: {{{path}: [a, b]}}`", code=FORM)
    fitting(names, cell.type, value, path)


def hold_pool(cell: CellInfo, pool: str) -> None:
    """Raise Wrong if the cell is not a pool."""
    if not cell.pool:
        raise WrongSetup(
            f"{pool!r} is not a pool; write `set: {{{pool}: ...}}` for a state", code=FORM
        )


Lying = dict[tuple[int, int], str]  # the things that lie in pools


def hold_thing(names: Names, cell: CellInfo, pool: str, thing: Any, lying: Lying) -> None:
    """Raise Wrong if a thing cannot lie in a pool, or lies in another."""
    ordinal = names.member(cell.type.kind, thing)
    if ordinal < 0:
        raise WrongSetup(
            f"{pool}: none is nothing that lies in a pool; leave the list empty: []", code=VALUE
        )
    before = lying.setdefault((cell.type.kind, ordinal), pool)
    if before != pool:
        raise WrongSetup(
            f"{thing!r} is put in {pool!r} and in {before!r}; a thing lies in one pool at most",
            code=VALUE,
        )


def place_cell(names: Names, piece: str) -> str:
    """Return the name of the attribute that holds the place of a piece."""
    for kind, cell in names.place_cells.items():
        if piece in names.ordinals[kind]:
            return cell.name
    pieces = [m for kind in names.place_cells for m in names.program.kinds[kind].members]
    several = ambiguous(piece, pieces)
    if several:
        raise WrongSetup(several, code=AMBIGUOUS)
    hint = among(piece, pieces)
    raise WrongSetup(
        f"{piece!r} is no piece of this game that stands somewhere" + (f"; {hint}" if hint else "")
    )


def _clear(state: State, place: str) -> None:
    names, known = state.names, False
    for kind, cell in names.place_cells.items():
        at = names.ordinals[cell.type.kind].get(place)
        known = known or at is not None or place == EVERYWHERE
        for piece in range(len(names.program.kinds[kind].members)):
            here = state.raw(cell, (piece,))
            if here >= 0 and (place == EVERYWHERE or here == at):
                state.put(cell, (piece,), -1)
    if not known:
        raise no_place(names, place)


def no_place(names: Names, place: str) -> WrongSetup:
    """Return the error for an unknown place in `clear`."""
    hint = among(
        place,
        [m for c in names.place_cells.values() for m in names.program.kinds[c.type.kind].members],
    )
    return WrongSetup(f"{place!r} is no place of this game" + (f"; {hint}" if hint else ""))


# -------------------------------------------------------------------------------- where play starts
def procedure(names: Names, name: str) -> int:
    """Return the index of a procedure or phase."""
    program = names.program
    found = [i for i, p in enumerate(program.procs) if p.name == name]
    if not found:
        hint = among(
            name,
            [p.name for p in program.procs if p.word in ("phase", "procedure", "action", "moment")],
        )
        raise WrongSetup(
            f"{name!r} is no procedure or phase of this game" + (f"; {hint}" if hint else "")
        )
    return found[0]


def hold_open(proc: ProcInfo) -> None:
    """Raise Wrong if a procedure cannot be running at a decision."""
    if proc.returns < 0:
        raise WrongSetup(
            f"{proc.name} is never open: nothing is asked in it, so no rule depends on it;"
            " remove it",
            code=START,
        )


def hold_player(program: Program, proc: ProcInfo) -> None:
    """Raise Wrong if no parameter of a procedure or its callers is a player."""
    around = (program.procs[at] for at, _ in proc.chain or ())
    if not any(
        _is_player(program, var.type)
        for each in (proc, *around)
        for var in each.vars[: each.params]
    ):
        raise WrongSetup(
            f"'player' has no meaning in {proc.name}, which is given no player; remove it, or say"
            " who it is by `set` or `within`",
            code=START,
        )


def field_of(proc: ProcInfo, name: str) -> VarInfo:
    """Return a field of a procedure. Raise Wrong if it has no such field that can be set."""
    info = next((v for v in proc.vars if v.name == name and v.slot >= 0), None)
    if info is None:
        known = [v.name for v in proc.vars if v.slot >= 0]
        hint = guess(name, known) or f"it has {', '.join(known) or 'none'}"
        raise WrongSetup(f"{proc.name} has no field {name!r} that can be set; {hint}")
    return info


def _set_frame(state: State, proc: ProcInfo, fields: dict[str, Any], anew: bool) -> None:
    """Set fields of a procedure. With `anew`, other fields get their initial values."""
    for var in proc.vars if anew else ():
        if var.slot >= 0:
            state.poke(var.slot, state.table.program.initial[var.slot])
    for name, value in fields.items():
        info = field_of(proc, name)
        state.poke(info.slot, fitting(state.names, info.type, value, name))


def _within(state: State, start: SituationStart) -> None:
    for name, fields in start.within.items():
        proc = state.table.program.procs[procedure(state.names, name)]
        hold_open(proc)
        going_on = proc.returns >= 0 and state.slots[proc.returns] != 0
        _set_frame(state, proc, fields, anew=bool(start.run) or not going_on)
        if proc.returns >= 0 and not state.slots[proc.returns] and not start.phase:
            state.poke(proc.returns, 1)


def counted(arguments: int) -> str:
    """Return a number of arguments in words."""
    return "1 argument" if arguments == 1 else f"{arguments or 'no'} arguments"


def argument_words(
    names: Names, proc: ProcInfo, words: Sequence[Any], player: str | None, said: Mapping[str, Any]
) -> list[tuple[VarInfo, Any]]:
    """Return each parameter with its value as written.

    The values come from `words` in order, then from `said` by name, then from `player`.
    """
    params, given = proc.vars[: proc.params], list(words)
    if len(given) > len(params):
        raise WrongSetup(
            f"{proc.name} takes {counted(len(params))}, not {len(words)}", code=ARGUMENTS
        )
    out: list[tuple[VarInfo, Any]] = []
    for var in params:
        if given:
            out.append((var, given.pop(0)))
        elif var.name in said:
            out.append((var, said[var.name]))
        elif _is_player(names.program, var.type) and player is not None:
            out.append((var, player))
        else:
            raise WrongSetup(
                f"{proc.name} takes {counted(len(params))}, and '{var.name}' is missing; write"
                f" {call_of(proc)} with values",
                code=ARGUMENTS,
            )
    return out


def _arguments(
    state: State, proc: ProcInfo, words: Sequence[Any], start: SituationStart
) -> list[int]:
    said = start.within.get(proc.name, {})
    pairs = argument_words(state.names, proc, words, start.player, said)
    return [
        fitting(state.names, var.type, word, f"{var.name} of {proc.name}") for var, word in pairs
    ]


def _is_player(program: Program, type: TypeInfo) -> bool:
    return type.form == "member" and type.kind == program.sides


def _seat_callers(state: State, start: SituationStart, proc: ProcInfo) -> None:
    """Set the player of the position in the calling phases too, unless `within` sets it."""
    program = state.table.program
    for caller, _ in proc.chain or ():
        info = program.procs[caller]
        said = start.within.get(info.name, {})
        for var in info.vars[: info.params]:
            if (
                var.slot >= 0
                and _is_player(program, var.type)
                and var.name not in said
                and start.player
            ):
                state.poke(var.slot, state.names.side(start.player))


def begin(state: State, start: SituationStart) -> None:
    """Start play: run a procedure, begin a phase, or stay at the decision of the scenario."""
    if start.dice is not None:
        state.script(_script(state, start.dice))
    begun = start.run or start.phase
    if begun is None:
        if start.player is not None and (
            state.decision is None or state.decision.player != start.player
        ):
            raise WrongSetup(
                f"play does not stand at a decision of {start.player}: say in which `phase`"
            )
        return
    name, words = call_parts(begun)
    index = procedure(state.names, name)
    proc = state.table.program.procs[index]
    if not start.run and proc.chain is None:
        raise WrongSetup(
            f"play cannot be begun in {name}: it is entered from several places, or from none, or"
            f" nothing is asked in it; write `run: {call_of(proc)}`",
            code=START,
        )
    if start.player is not None:
        hold_player(state.table.program, proc)
    if start.run:
        _away(state, {procedure(state.names, context) for context in start.within})
    else:
        _away(state, {index, *(caller for caller, _ in proc.chain or ())})
        _seat_callers(state, start, proc)
    arguments = _arguments(state, proc, words, start)
    state.begin(index, arguments, bool(start.run))
    if start.run is not None:
        state.hold_to_invariants()


def _away(state: State, kept: Collection[int]) -> None:
    """Leave the beginning of the game: close all moments and stop every procedure except `kept`."""
    program = state.table.program
    for slot in program.flags:
        state.poke(slot, 0)
    state.poke(HERE, -1)
    for i, proc in enumerate(program.procs):
        if proc.returns >= 0 and i not in kept:
            state.poke(proc.returns, 0)


def _script(state: State, dice: Sequence[Any]) -> list[int]:
    out = []
    for item in dice:
        if isinstance(item, int):
            out.append(item)
            continue
        kinds = [
            i
            for i, k in enumerate(state.table.program.kinds)
            if k.pooled and item in state.names.ordinals[i]
        ]
        if not kinds:
            raise WrongSetup(
                f"{item!r} in `dice` is neither a number nor something that can be drawn"
            )
        out.append(state.names.ordinals[kinds[0]][str(item)])
    return out
