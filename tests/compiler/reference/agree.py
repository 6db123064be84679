"""Plays a game in the reference interpreter and in the compiled variants step by step, and compares
everything.

At every decision the player, the options with their order, and all cells are compared. At the end
the events and the result are compared, and all choices are undone. With wasmtime the native module
plays the game too, except for scripted dice and games that are too wide for it.

Random choices depend only on the seed, so a difference can be reproduced.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from rulekit.compiler import model as m
from rulekit.compiler.compiler import Compilation
from rulekit.compiler.reference.interpreter import Reference
from rulekit.compiler.reference.options import ReferenceOption
from rulekit.compiler.semantics.values import ReferenceDerivation
from rulekit.runtime import cells, intrinsics, slots
from rulekit.runtime.program import Program
from rulekit.runtime.wasm.instance import WasmInstance, available
from rulekit.runtime.wasm_format import Native, NoNative

Option = tuple[Any, ...]


_modules: WeakKeyDictionary[m.Model, Native | NoNative] = WeakKeyDictionary()


class Differs(AssertionError):
    """The compiled game and the reference disagree."""


def agree(
    model: m.Model,
    compiled: Program,
    seed: int,
    scenario: str = "",
    rulings: Mapping[str, str] | None = None,
    dice: Sequence[int] | None = None,
    choices: Sequence[int] = (),
    limit: int = 2000,
    explained: float = 0,
) -> int:
    """Play one random game, beginning with the given choices. Return the number of decisions.

    Args:
        explained: the share of decisions at which derivations are compared too.

    Raises:
        Differs: at the first difference.
    """
    pick = random.Random(seed)
    reference = Reference(model, scenario, rulings or {}, seed, dice)
    full, fast = compiled.code("full"), compiled.code("fast")
    log: list[Any] = []
    trail: list[int] = []
    scripted = intrinsics.script(dice) if dice else 0
    states = {"full": full.blank(seed, scripted), "fast": fast.blank(seed, scripted)}
    full.begin(states["full"], log, trail)
    fast.begin(states["fast"])
    machine = None if scripted else natively(model, compiled)
    if machine is not None:
        machine.begin(seed)
    happened = logged = 0  # the events that were compared
    path: list[int] = []
    marks: list[
        tuple[int, list[Any]]
    ] = []  # before each choice: the length of the trail, the state
    while True:
        compare(
            reference, compiled, full, states["full"], f"{model.name} full seed {seed} after {path}"
        )
        compare_variants(
            full,
            states["full"],
            fast,
            states["fast"],
            f"{model.name} fast seed {seed} after {path}",
        )
        if machine is not None:
            compare_natively(
                fast, states["fast"], machine, f"{model.name} natively seed {seed} after {path}"
            )
        if explained and reference.decision is not None and pick.random() < explained:
            compare_explained(
                reference,
                explaining(compiled),
                states["full"],
                pick,
                f"{model.name} seed {seed} after {path}",
            )
        mine = [
            record
            for record in map(canonical_event(model), reference.events[happened:])
            if record is not None
        ]
        theirs = [
            record
            for record in (canonical_record(compiled, r) for r in log[logged:])
            if record is not None
        ]
        if mine != theirs:
            i = next(i for i in range(len(mine) + 1) if mine[i : i + 1] != theirs[i : i + 1])
            raise Differs(
                f"{model.name} seed {seed} after {path}: event {i} of it: {mine[i : i + 3]} !="
                f" {theirs[i : i + 3]}"
            )
        happened, logged = len(reference.events), len(log)
        if reference.decision is None or len(path) >= limit:
            taken_back(states["full"], trail, marks, f"{model.name} seed {seed} after {path}")
            return len(path)
        count = len(reference.decision.offers)
        index = choices[len(path)] if len(path) < len(choices) else pick.randrange(count)
        path.append(index)
        reference.apply(index)
        marks.append((len(trail), states["full"][:]))
        full.apply(states["full"], intrinsics.ids(full.layers(states["full"]))[index], log, trail)
        option = intrinsics.ids(fast.layers(states["fast"]))[index]
        fast.apply(states["fast"], option)
        if machine is not None:
            machine.apply(option)


def natively(model: m.Model, compiled: Program) -> WasmInstance | None:
    """Return the game's native module, if it can be played natively here."""
    if not available():
        return None
    made = compiled.native
    if made is None:
        if model not in _modules:
            _modules[model] = Compilation(model).native()
        made = _modules[model]
    return WasmInstance(compiled, made) if isinstance(made, Native) else None


def taken_back(
    state: list[Any], trail: list[int], marks: Sequence[tuple[int, list[Any]]], where: str
) -> None:
    """Undo all choices one by one. Each time the state equals the earlier one in every slot except
    the list of options."""
    for number, (length, before) in reversed(list(enumerate(marks))):
        intrinsics.undo(state, trail, length)
        unlike = {
            slot: (is_, was)
            for slot, (is_, was) in enumerate(zip(state, before, strict=True))
            if is_ != was and slot != slots.LAYERS
        }
        if unlike:
            raise Differs(
                f"{where}: choice {number} is taken back, and slots are otherwise: {unlike}"
            )


def compare(
    reference: Reference, compiled: Program, code: Any, state: list[int], where: str
) -> None:
    mine, theirs = reference.cells(), compiled_cells(compiled, state)
    if mine != theirs:
        unlike = {
            k: (mine.get(k), theirs.get(k))
            for k in sorted({*mine, *theirs})
            if mine.get(k) != theirs.get(k)
        }
        raise Differs(f"{where}: cells (reference, compiled): {unlike}")
    if (reference.decision is None) != (state[slots.PC] == 0):
        raise Differs(
            f"{where}: one is over, the other is not ({reference.decision}, {state[slots.PC]})"
        )
    if reference.decision is None:
        won = reference.result
        there = (state[slots.WINNER], compiled.levels[state[slots.LEVEL]])
        if won is not None and won != there:
            raise Differs(f"{where}: result {won} != {there}")
        return
    who = code.who(state)
    if who != reference.decision.who:
        raise Differs(f"{where}: {reference.decision.who} decides, not {who}")
    options = [canonical_id(compiled, i) for i in intrinsics.ids(code.layers(state))]
    wanted = [canonical_offer(reference.decision.kind, o) for o in reference.decision.offers]
    if options != wanted:
        raise Differs(f"{where}: options {wanted} != {options}")


def compare_variants(
    full: Any, there: Sequence[Any], fast: Any, here: Sequence[Any], where: str
) -> None:
    """Compare slot by slot, and the options in each variant's form."""
    unlike = {
        slot: pair
        for slot, pair in enumerate(zip(there, here, strict=True))
        if pair[0] != pair[1] and slot != slots.LAYERS
    }
    if unlike:
        raise Differs(f"{where}: slots (full, fast): {unlike}")
    if here[slots.PC] and (fast.who(here), fast.layers(here)) != (
        full.who(there),
        full.layers(there),
    ):
        raise Differs(
            f"{where}: who, and options: {fast.who(here)} {fast.layers(here)}, not"
            f" {full.who(there)} {full.layers(there)}"
        )


def compare_natively(fast: Any, here: Sequence[Any], machine: WasmInstance, where: str) -> None:
    """Compare slots and options with the native module."""
    unlike = {
        slot: pair
        for slot, pair in enumerate(zip(here, machine.slots(), strict=True))
        if pair[0] != pair[1] and slot != slots.LAYERS
    }
    if unlike:
        raise Differs(f"{where}: slots (fast, natively): {unlike}")
    if here[slots.PC] > 0 and list(map(tuple, fast.layers(here))) != machine.layers():
        raise Differs(f"{where}: options: {fast.layers(here)}, natively {machine.layers()}")


def compare_explained(
    reference: Reference, code: Any, state: list[int], pick: random.Random, where: str
) -> int:
    """Compare the derivations of all current totals and permits, with random arguments. Return
    their number."""
    compared = 0
    position, model = reference.machine.position, reference.model
    for what, targets in (("total", model.totals), ("permit", model.permits)):
        for number, target in enumerate(targets):
            if target.context is not None and target.context not in position.stack:
                continue
            args = [random_value(var.type, pick) for var in target.params]
            mine = derivation_as_trace(reference.explain(target, args), model)
            theirs = code.explain(state, what, number, args)
            if mine != plain(theirs):
                raise Differs(
                    f"{where}: {what} {target.name}{tuple(args)}: {mine} != {plain(theirs)}"
                )
            compared += 1
    return compared


def explaining(compiled: Program) -> Any:
    """Return the emitted functions with derivations, or None if no variant has them."""
    return next(
        (code for code in map(compiled.code, compiled.source) if "explain" in code.space), None
    )


def random_value(type: m.Type, pick: random.Random) -> int:
    if isinstance(type, m.MemberOf):
        return pick.randrange(type.kind.size)
    if isinstance(type, m.SetOf):
        return 1 << pick.randrange(type.kind.size) | sum(
            1 << i for i in range(type.kind.size) if pick.random() < 0.1
        )
    if isinstance(type, m.Int):
        return pick.randint(type.low or 0, type.high if type.high is not None else 6)
    return pick.randrange(2)


def derivation_as_trace(found: ReferenceDerivation, model: m.Model) -> Any:
    """Return a derivation in the form of the compiled code, without parts."""
    target = found.target
    lines = [
        (
            target.clauses.index(line.clause),
            line.status,
            line.amount,
            line.holder,
            line.clause.cancels.index(line.cancel) if line.cancel is not None else -1,
        )
        for line in found.lines
    ]
    return (int(found.value), sorted(lines))


def plain(trace: Any) -> Any:
    _, _, _, value, lines = trace
    return (
        int(value),
        sorted(
            (clause, status, amount, holder, cancel)
            for clause, status, amount, holder, cancel, _ in lines
        ),
    )


def compiled_cells(compiled: Program, state: list[int]) -> dict[str, list[int]]:
    found = {}
    for info in compiled.cells:
        if not info.hidden:
            name = (
                f"{compiled.kinds[info.owner].name}.{info.name}" if info.owner >= 0 else info.name
            )
            found[name] = [int(cells.read(state, info, keys)) for keys in cells.places(info)]
    return found


def canonical_offer(kind: str, offer: ReferenceOption) -> Option:
    """Return an option of the reference in a common form."""
    if offer.option is not None:
        return ("option", offer.family, *offer.params)
    if kind in ("pick", "tie"):
        return (kind, offer.tag)
    return (offer.family, *offer.params)


def canonical_id(compiled: Program, option: int) -> Option:
    """Return a compiled option in the common form."""
    family = max(
        (f for f in compiled.families if f.base <= option and f.size), key=lambda f: f.base
    )
    rest = option - family.base
    params: list[int] = []
    for info in reversed(family.params):
        rest, step = divmod(rest, info.size)
        params.insert(0, step + info.low)
    if family.what == "option":
        return ("option", family.name, *params)
    if family.what == "to":
        border, _, z = family.arcs[option - family.base]
        return ("to", border, z)
    if family.what == "pick" and not params:
        return ("pick", -1)
    return (family.what, *params)


def canonical_event(model: m.Model) -> Any:
    names = {e.name for e in model.events}

    def of(record: tuple[str, tuple[Any, ...]]) -> Option | None:
        name, args = record
        return (
            (name, *(int(a) for a in args))
            if name in names or name in ("die_rolled", "roll_cancelled", "drawn")
            else None
        )

    return of


def canonical_record(compiled: Program, record: Sequence[int]) -> Option | None:
    """Return an event of the compiled log: those of the author, dice and draws."""
    number = record[0]
    if number >= slots.FIRST_EVENT:
        return (compiled.events[number - slots.FIRST_EVENT].name, *(int(a) for a in record[1:]))
    if number == slots.DIE_ROLLED:
        return ("die_rolled", *record[1:])
    if number == slots.ROLL_CANCELLED:
        return ("roll_cancelled", *record[1:])
    if number == slots.DRAWN:
        return ("drawn", record[5])
    return None
