"""Takes a situation as plain values (`Case`) and a game, runs it and makes an `Outcome`: fine, or what was expected and what is."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from rulekit.base.diagnostic import guess
from rulekit.base.errors import RulekitError
from rulekit.play import composed
from rulekit.play.expectations import arguments_of, call_of, check, keys_of_line
from rulekit.play.game import Game
from rulekit.play.names import AmbiguousName, Names, ambiguous
from rulekit.play.state import State
from rulekit.play.tracing import Tracer
from rulekit.program import cells
from rulekit.program.code import as_rules_error
from rulekit.program.program import (
    COUNTER,
    DIE_ROLLED,
    DRAWN,
    HERE,
    LAYERS,
    NOT_BEGUN,
    PC,
    ProcInfo,
    Program,
    TypeInfo,
    VarInfo,
)

EVERYWHERE = "all"
ARGUMENTS, VALUE, AMBIGUOUS = "RK614", "RK615", "RK619"
_CALL = re.compile(r"\s*([\w.]+)\s*(?:\((.*)\))?\s*")


@frozen
class Step:
    """One line of `do`."""

    player: str | None
    choice: str
    line: int = 0


@frozen
class Expected:
    """One line of `then`: a word, what it is about, and the value."""

    word: str
    subject: str
    value: Any
    line: int = 0


@define
class Case:
    """A situation, its values plain."""

    name: str
    ref: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
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
    do: list[Step] = field(factory=list)
    then: list[Expected] = field(factory=list)
    file: str = ""
    line: int = 0


@frozen
class Fault:
    """One thing that is not as expected, and its line in the file."""

    why: str
    line: int


@define
class Outcome:
    """What became of a situation: its faults, none if it is fine. `reached`: names of events, options and clauses."""

    case: Case
    faults: list[Fault] = field(factory=list)
    standing: str = ""  # the decision at which play stood, with its options
    reached: set[str] = field(factory=set)

    @property
    def ok(self) -> bool:
        """Was everything as expected?"""
        return not self.faults

    @property
    def why(self) -> str:
        """All faults in one text; '' if there is none."""
        return "\n".join(fault.why for fault in self.faults)

    @property
    def line(self) -> int:
        """The line of the first fault, else of the situation."""
        return self.faults[0].line if self.faults else self.case.line


class Wrong(Exception):
    """Something is not as the situation says."""

    def __init__(self, why: str, line: int = 0, code: str = "") -> None:
        super().__init__(why)
        self.line = line
        self.code = code  # of the diagnostic, where it is found before the situation is run


@define
class Bench:
    """A situation on its way: the state, and what was computed and happened."""

    case: Case
    state: State
    tracer: Tracer
    begun: int = 0  # events before the situation's own


def call_parts(text: str) -> tuple[str, list[Any]]:
    """`battle(P, {x, y})` as a name and its arguments; those in braces are lists."""
    found = _CALL.fullmatch(text)
    if not found:
        raise Wrong(f"{text!r} is neither a name nor a call like name(a, b)")
    return found[1], arguments_of(found[2] or "")


def fitting(names: Names, type: TypeInfo, value: Any, what: str, bounds: bool = True) -> Any:
    """A value as the rules have it; Wrong if it is none of the type or (`bounds`) lies outside of the range."""
    wrong = _misshapen(names, type, value)
    if wrong:
        raise Wrong(f"{what}: {wrong}", code=VALUE)
    try:
        out = names.parse(type, value)
    except AmbiguousName as error:
        raise Wrong(f"{what}: {error}", code=AMBIGUOUS) from None
    except RulekitError as error:
        raise Wrong(f"{what}: {error}", code=VALUE) from None
    if bounds and type.form == "int" and not (value is None and type.optional):
        low, high = type.low, type.high
        if (low is not None and out < low) or (high is not None and out > high):
            raise Wrong(f"{what}: {out} is outside of {'' if low is None else low}..{'' if high is None else high}", code=VALUE)
    return out


def _misshapen(names: Names, type: TypeInfo, value: Any) -> str:
    """What is wrong with the form of a value, whatever it says; '' if nothing is."""
    if isinstance(value, dict):
        return f"one value is wanted, not a mapping; {_wanted(names, type)}"
    if isinstance(value, list) and type.form != "set":
        return f"one value is wanted, not a list; {_wanted(names, type)}"
    if isinstance(value, bool) and type.form != "bool":
        return f"{str(value).lower()} is no value of it; {_wanted(names, type)}"
    none = value is None or value == "none"
    if none and not type.optional and type.form in ("member", "int", "ratio"):
        return f"it is never none; {_wanted(names, type)}"
    return ""


def _wanted(names: Names, type: TypeInfo) -> str:
    """The help for a value of a type."""
    if type.form in ("member", "set"):
        kind = names.program.kinds[type.kind]
        some = ", ".join(kind.members[:4]) + (", ..." if len(kind.members) > 4 else "")
        return f"write {'a list of members' if type.form == 'set' else 'a member'} of {kind.name}: {some}"
    return {"bool": "write true or false", "ratio": "write a ratio such as 3 to 2"}.get(type.form, "write a number")


# ------------------------------------------------------------------------------------------------ the position
def _base(game: Game, case: Case) -> State:
    if case.empty:
        state = game.blank(case.scenario, case.seed or 0, case.rulings)
        for cell in state.table.program.cells:  # nothing of a scenario's set-up
            first = 0 if cell.pool else cell.initial
            for keys in cells.places(cell) if not cell.hidden else ():
                if cells.read(state._s, cell, keys) != first:
                    cells.write(state.table.program, state._s, cell, keys, first)
        return state
    return game.new(case.scenario, case.seed or 0, case.rulings)


def _arrange(bench: Bench) -> None:
    case, state, names = bench.case, bench.state, bench.state.names
    for place in case.clear:
        _clear(state, str(place))
    for piece, values in case.place.items():
        for attribute, value in values.items():
            _set(state, f"{attribute or place_cell(names, piece)}.{piece}", value)
    for path, value in case.set.items():
        _set(state, path, value)
    for pool, things in case.put.items():
        cell, keys = names.cell(pool)
        if not cell.pool:
            raise Wrong(f"{pool!r} is not a pool")
        inside = names.parse(cell.type, list(things))
        cells.write(state.table.program, state._s, cell, keys, inside)


def _set(state: State, path: str, value: Any) -> None:
    fitting(state.names, state.names.cell(path)[0].type, value, path)
    state.set(path, value)


def place_cell(names: Names, piece: str) -> str:
    """The attribute that says where a piece stands."""
    for kind, cell in names.place_cells.items():
        if piece in names.ordinals[kind]:
            return cell.name
    pieces = [m for kind in names.place_cells for m in names.program.kinds[kind].members]
    several = ambiguous(piece, pieces)
    if several:
        raise Wrong(several, code=AMBIGUOUS)
    hint = guess(piece, pieces)
    raise Wrong(f"{piece!r} is no piece of this game that stands somewhere" + (f"; {hint}" if hint else ""))


def _clear(state: State, place: str) -> None:
    names, known = state.names, False
    for kind, cell in names.place_cells.items():
        at = names.ordinals[cell.type.kind].get(place)
        known = known or at is not None or place == EVERYWHERE
        for piece in range(len(names.program.kinds[kind].members)):
            here = cells.read(state._s, cell, (piece,))
            if here >= 0 and (place == EVERYWHERE or here == at):
                cells.write(names.program, state._s, cell, (piece,), -1)
    if not known:
        raise Wrong(f"{place!r} is no place of this game")


# ------------------------------------------------------------------------------------------------ where play stands
def procedure(names: Names, name: str) -> int:
    """The index of a procedure or phase."""
    program = names.program
    found = [i for i, p in enumerate(program.procs) if p.name == name]
    if not found:
        hint = guess(name, [p.name for p in program.procs if p.word in ("phase", "procedure", "action", "moment")])
        raise Wrong(f"{name!r} is no procedure or phase of this game" + (f"; {hint}" if hint else ""))
    return found[0]


def _set_frame(state: State, proc: ProcInfo, fields: dict[str, Any], anew: bool) -> None:
    """Fields that are not named keep what they have, or (`anew`) have what they have before anything runs."""
    for var in proc.vars if anew else ():
        if var.slot >= 0:
            state._s[var.slot] = state.table.program.initial[var.slot]
    for name, value in fields.items():
        info = next((v for v in proc.vars if v.name == name), None)
        if info is None or info.slot < 0:
            raise Wrong(f"{proc.name} has no field {name!r} that can be set; it has "
                        f"{', '.join(v.name for v in proc.vars if v.slot >= 0) or 'none'}")
        state._s[info.slot] = fitting(state.names, info.type, value, name)


def _within(bench: Bench) -> None:
    state = bench.state
    for name, fields in bench.case.within.items():
        proc = state.table.program.procs[procedure(state.names, name)]
        going_on = proc.returns >= 0 and state._s[proc.returns] != 0
        _set_frame(state, proc, fields, anew=bool(bench.case.run) or not going_on)
        if proc.returns >= 0 and not state._s[proc.returns] and not bench.case.phase:
            state._s[proc.returns] = 1
    state._s[LAYERS] = None  # type: ignore[call-overload]


def counted(arguments: int) -> str:
    """So many arguments, in words."""
    return "1 argument" if arguments == 1 else f"{arguments or 'no'} arguments"


def argument_words(names: Names, proc: ProcInfo, words: Sequence[Any], player: str | None,
                   said: Mapping[str, Any]) -> list[tuple[VarInfo, Any]]:
    """Each parameter with its value as written: in order, else `said` of the context, else the player of the situation."""
    params, given = proc.vars[:proc.params], list(words)
    if len(given) > len(params):
        raise Wrong(f"{proc.name} takes {counted(len(params))}, not {len(words)}", code=ARGUMENTS)
    out: list[tuple[VarInfo, Any]] = []
    for var in params:
        if given:
            out.append((var, given.pop(0)))
        elif var.name in said:
            out.append((var, said[var.name]))
        elif _is_player(names.program, var.type) and player is not None:
            out.append((var, player))
        else:
            raise Wrong(f"{proc.name} takes {counted(len(params))}, and '{var.name}' is missing; write {call_of(proc)} with values",
                        code=ARGUMENTS)
    return out


def _arguments(state: State, proc: ProcInfo, words: Sequence[Any], case: Case) -> list[int]:
    said = case.within.get(proc.name, {})
    pairs = argument_words(state.names, proc, words, case.player, said)
    return [fitting(state.names, var.type, word, f"{var.name} of {proc.name}") for var, word in pairs]


def _is_player(program: Program, type: TypeInfo) -> bool:
    return type.form == "member" and type.kind == program.sides


def _seat_callers(bench: Bench, proc: ProcInfo) -> None:
    """The player of the situation is the one of the phases around, too, where the situation does not say otherwise."""
    state, program = bench.state, bench.state.table.program
    for caller, _ in proc.chain or ():
        info = program.procs[caller]
        said = bench.case.within.get(info.name, {})
        for var in info.vars[:info.params]:
            if var.slot >= 0 and _is_player(program, var.type) and var.name not in said and bench.case.player:
                state._s[var.slot] = state.names.side(bench.case.player)


def _begin(bench: Bench) -> None:
    case, state = bench.case, bench.state
    start = case.run or case.phase
    if start is None:
        if case.player is not None and (state.decision is None or state.decision.player != case.player):
            raise Wrong(f"play does not stand at a decision of {case.player}: say in which `phase`")
        return
    name, words = call_parts(start)
    index = procedure(state.names, name)
    proc = state.table.program.procs[index]
    if not case.run and proc.chain is None:
        raise Wrong(f"{name} is entered from several places (or from none), so play cannot be begun in it")
    if case.run:
        _away(state, {procedure(state.names, context) for context in case.within})
    else:
        _away(state, {index, *(caller for caller, _ in proc.chain or ())})
        _seat_callers(bench, proc)
    arguments = _arguments(state, proc, words, case)
    begin = state._code.run if case.run else state._code.enter
    _guarded(state, lambda: begin(state._s, index, arguments, state._log, state._trail))
    state._trail.clear()


def _away(state: State, kept: Collection[int]) -> None:
    """Play stands no longer where the game began: no moment is open, and nothing runs but what leads to the phase."""
    program = state.table.program
    for slot in program.flags:
        state._s[slot] = 0
    state._s[HERE] = -1
    for i, proc in enumerate(program.procs):
        if proc.returns >= 0 and i not in kept:
            state._s[proc.returns] = 0


def _guarded(state: State, act: Any) -> None:
    try:
        act()
    except Exception as error:
        raise as_rules_error(state.table.program, error) from error


def _script(state: State, dice: Sequence[Any]) -> list[int]:
    out = []
    for item in dice:
        if isinstance(item, int):
            out.append(item)
            continue
        kinds = [i for i, k in enumerate(state.table.program.kinds) if k.pooled and item in state.names.ordinals[i]]
        if not kinds:
            raise Wrong(f"{item!r} in `dice` is neither a number nor something that can be drawn")
        out.append(state.names.ordinals[kinds[0]][str(item)])
    return out


# ------------------------------------------------------------------------------------------------ choices
def _choose(bench: Bench, step: Step) -> None:
    state = bench.state
    for key in keys_of_line(step.choice):
        asked = state.decision
        if asked is None:
            raise Wrong(f"{step.choice!r} cannot be chosen: nothing is asked any more", step.line)
        if step.player is not None and asked.player != state.names.sides[state.names.side(step.player)]:
            raise Wrong(f"{step.player} is not asked now: {asked.player} is", step.line)
        try:
            left = composed.choose(state, key)
        except RulekitError as error:
            raise Wrong(f"{key!r}: {error}", step.line) from error
        if left:
            who = state.decision.player if state.decision is not None else "nobody"
            raise Wrong(f"{key!r}: {who} is asked before {left!r}; write this on a line after that choice", step.line)


def _dice_used(bench: Bench, counter: int) -> None:
    if bench.case.dice is None:
        return
    left = bench.state.script_left()
    if left:
        raise Wrong(f"{left} of {len(bench.case.dice)} results in `dice` were not used")
    if bench.state._s[COUNTER] > counter:
        more = sum(1 for record in bench.state._log if record[0] in (DIE_ROLLED, DRAWN)) - len(bench.case.dice)
        raise Wrong(f"{len(bench.case.dice)} results in `dice` were too few: {more} more {'was' if more == 1 else 'were'} needed")


def standing(state: State) -> str:
    """The decision at which play stands, with its options, for the report of a failure."""
    asked = state.decision
    if asked is None:
        ended = {0: f"the game is over: {state.result}", NOT_BEGUN: "play has not begun"}
        return ended.get(state._s[PC], "nothing is asked: the procedure has ended")
    keys = [o.key for o in asked.options]
    more = f" ... ({len(keys)} in all)" if len(keys) > 30 else ""
    where = f" in {asked.procedure}" if asked.procedure else ""
    return f"{asked.player} is asked{where}: {asked.prompt}: {', '.join(keys[:30])}{more}"


def run(game: Game, case: Case, cover: bool = False) -> Outcome:
    """Runs one situation. `cover`: notes which events, options and clauses it reaches."""
    outcome = Outcome(case)
    bench: Bench | None = None
    try:
        state = _base(game, case)
        bench = Bench(case, state, Tracer(state))
        bench.tracer.start(cover or any(e.word == "applies" for e in case.then))
        _play(bench)
        outcome.faults = [fault for expected in case.then for fault in _look(bench, expected)]
    except Wrong as wrong:
        outcome.faults = [Fault(str(wrong), wrong.line or case.line)]
    except RulekitError as error:
        outcome.faults = [Fault(str(error), case.line)]
    except Exception as error:  # a defect of ours in one situation does not keep the others from being run
        outcome.faults = [Fault(f"a defect of rulekit itself: {type(error).__name__}: {error}", case.line)]
    if bench is not None:
        if outcome.faults:
            outcome.standing = standing(bench.state)
        if cover:
            outcome.reached = _reached(bench)
    return outcome


def _play(bench: Bench) -> None:
    case, state = bench.case, bench.state
    _arrange(bench)
    _within(bench)
    state._forget()
    counter = state._s[COUNTER]
    if case.dice is not None:
        state.script(_script(state, case.dice))
    _begin(bench)
    if case.run is not None:
        state._hold_to_invariants()
    for step in case.do:
        _choose(bench, step)
    _dice_used(bench, counter)


def _look(bench: Bench, expected: Expected) -> list[Fault]:
    """What is not as one expectation says."""
    try:
        why = check(bench.state, bench.tracer, expected.word, expected.subject, expected.value)
    except RulekitError as error:
        why = str(error)
    return [Fault(why, expected.line)] if why else []


def _reached(bench: Bench) -> set[str]:
    state, program = bench.state, bench.state.table.program
    out = {f"event {e.name}" for e in state.events}
    out |= {f"option {program.families[i].name}" for i, f in enumerate(program.families)
            if any(f.base <= mark[2] < f.base + f.size for mark in state._marks)}
    for what, index, clause in {*bench.tracer.applied(), *bench.tracer.answered}:
        info = (program.totals if what == "total" else program.permits)[index]
        out |= {f"{what} {info.name}", f"clause {info.name}.{info.clauses[clause].name}"}
    return out
