"""Takes pieces of the intermediate form, makes `Unit`, into which all lowering writes constant
tables and functions; and says what the traced variant tells beside totals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial, reduce
from math import prod
from typing import Any

from attrs import define, field

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler import model as m
from rulekit.compiler.analysis.dependencies import Analysis
from rulekit.compiler.analysis.late_constants import Late
from rulekit.compiler.analysis.memo import Memory
from rulekit.compiler.check.secrecy.taint import Secret, Secrets
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.statements import Code, Function
from rulekit.compiler.lowering.layout import Layout, Place
from rulekit.compiler.model.visitor import nodes

ZERO, ONE, NONE = v.Const(0), v.Const(1), v.Const(-1)


def const(value: Any) -> v.Const:
    """What is known, as a value."""
    return v.Const(int(value) if isinstance(value, bool) else value)


def known(x: v.Value) -> Any:
    """What a value is, if it is known: else None."""
    return x.value if isinstance(x, v.Const) else None


def is_read(e: m.Expr, var: m.Var) -> bool:
    """Is it this variable?"""
    return isinstance(e, m.Read) and e.var is var


def conj(tests: Sequence[v.Value]) -> v.Value:
    """Do all hold? Of none: yes."""
    return tests[0] if len(tests) == 1 else v.All(tuple(tests)) if tests else ONE


def disj(tests: Sequence[v.Value]) -> v.Value:
    """Does one hold? Of none: no."""
    return tests[0] if len(tests) == 1 else v.Any(tuple(tests)) if tests else ZERO


def where(tests: Sequence[v.Value], x: v.Value, hole: v.Value) -> v.Value:
    """A value if all tests hold, else the one that is none."""
    return v.If(conj(tests), x, hole) if tests else x


def truthy(x: v.Value) -> bool:
    """Is it good for a test only: true or false, but not 1 or 0?"""
    if isinstance(x, v.If):
        return x.flag
    if isinstance(x, v.Call):
        return x.type == v.FLAG
    return isinstance(x, (v.Some, v.Not, v.All, v.Any, v.HasOrNone)) or (
        isinstance(x, v.Run) and x.type == v.FLAG
    )


def layers(mask: v.Value, *made: v.Value) -> v.Value:
    """These layers if a mask has members, else none."""
    return v.If(mask, v.Layers(made), v.Layers(()))


def there(x: v.Value) -> v.Value:
    """Is it a member, not none?"""
    return v.Compare(">=", x, ZERO)


def type_of(type: m.Type) -> v.Type:
    """The type of the values of a type of the rules. (A record is the number of its row.)"""
    if isinstance(type, m.SetOf):
        return v.Mask(type.kind.size)
    return (
        v.FLAG if isinstance(type, m.Bool) else v.RATIO if isinstance(type, m.RatioT) else v.NUMBER
    )


def parameters(vars: Sequence[m.Var]) -> tuple[v.Local, ...]:
    """The parameters of an emitted function, for those of a declaration."""
    return tuple(v.Local(f"p{i}", type_of(var.type)) for i, var in enumerate(vars))


def holes(params: Sequence[v.Local], vars: Sequence[m.Var]) -> list[v.Value]:
    """The tests that a parameter is none, of those that may not be."""
    return [
        v.Compare("<", p, ZERO)
        for p, var in zip(params, vars, strict=True)
        if isinstance(var.type, m.MemberOf) and not var.type.optional
    ]


def change(adds: object, members: v.Value) -> tuple[v.Value, str]:
    """What adds some members to a set, or takes them away: an operand and its operator."""
    return (members, "|=") if adds else (v.Complement(members), "&=")


def row_major(sizes: Sequence[int], ords: Sequence[v.Value]) -> tuple[int, list[v.Value]]:
    """The place of keys that are counted from 0: what is known of it, and what is added."""
    fixed = 0
    terms: list[v.Value] = []
    for i, x in enumerate(ords):
        stride = prod(sizes[i + 1 :])
        if isinstance(x, v.Const):
            fixed += known(x) * stride
        else:
            terms.append(x if stride == 1 else v.Arith("*", x, const(stride)))
    return fixed, terms


def summed(terms: Sequence[v.Value]) -> v.Value:
    """Numbers added up, the first to the second, and so on."""
    return reduce(partial(v.Arith, "+"), terms) if terms else ZERO


def number_at(start: int, sizes: Sequence[int], ords: Sequence[v.Value]) -> v.Value:
    """The row-major place of keys that are counted from 0, as a number; it is counted from
    `start`."""
    place, terms = row_major(sizes, ords)
    return summed([const(start + place), *terms] if start + place else terms)


def slot_at(
    start: int, sizes: Sequence[int], ords: Sequence[v.Value], type: v.Type = v.NUMBER
) -> v.Slot:
    """The slot at the row-major place of keys that are counted from 0."""
    fixed, terms = row_major(sizes, ords)
    return v.Slot(start + fixed, summed(terms) if terms else None, type)


def having(place: Place, value: v.Value | int) -> v.Slot:
    """The keys that have a value, of a cell with one mask for each value; behind the last one:
    those that have none."""
    return slot_at(
        place.index,
        [0],
        [const(value) if isinstance(value, int) else value],
        v.Mask(place.cell.keys[0].size),
    )


@define(eq=False)
class Unit:
    """What all lowering writes into."""

    model: m.Model
    an: Analysis
    lay: Layout
    known: Analysis  # what is known beforehand in all variants
    trace: bool = False
    secrets: Secrets = field(factory=Secrets)
    tables: dict[Any, str] = field(factory=dict)
    chosen: dict[Late, str] = field(
        factory=dict
    )  # constants that are set when a scenario and rulings are chosen
    given: set[Late] = field(
        factory=set
    )  # those that are set from outside; the others the code works out itself
    memory: Memory = field(
        factory=lambda: defaultdict(dict)
    )  # what was found out about expressions
    functions: list[Function] = field(factory=list)
    helpers: dict[tuple[tuple[v.Local, ...], Code], str] = field(factory=dict)
    wanted: dict[tuple[str, int], Any] = field(
        factory=dict
    )  # functions of declarations that are called: (letter, index) -> declaration
    exposed: set[m.Var] = field(factory=set)  # frame variables that functions without effects read
    indices: dict[int, int] = field(factory=dict)
    ticking: bool = False  # are rounds of loops counted?
    open_moments: dict[int, int] = field(
        factory=dict
    )  # moment -> the slot that says that it is open

    def __attrs_post_init__(self) -> None:
        mo = self.model
        for group in (
            mo.defines,
            mo.totals,
            mo.permits,
            mo.tables,
            mo.slots,
            mo.cells,
            mo.events,
            self.lay.procs,
            mo.movements,
            mo.whenevers,
            mo.invariants,
            mo.fixed,
            list(mo.kinds.values()),
        ):
            for i, item in enumerate(group):
                self.indices[id(item)] = i

    @property
    def players(self) -> int:
        """How many may decide."""
        return self.model.sides.size if self.model.sides is not None else 0

    def index(self, item: object) -> int:
        """The index of a declaration in its list of the model; -1 of none."""
        return -1 if item is None else self.indices[id(item)]

    def pick(self, value: Late, type: v.Type = v.NUMBER) -> v.Const | v.Chosen:
        """A late value: a constant, or the name of one."""
        if value.const:
            return const(value.values[0])
        return v.Chosen(self.chosen.setdefault(value, f"K{len(self.chosen)}"), type)

    def table(self, values: Sequence[Any] | Late) -> str:
        """The name of a constant tuple."""
        late = values if isinstance(values, Late) else Late((), (values,))
        picked = self.pick(late.map(tuple))
        return (
            picked.name
            if isinstance(picked, v.Chosen)
            else self.tables.setdefault(picked.value, f"C{len(self.tables)}")
        )

    def helper(self, params: Sequence[v.Local], body: Code, span: Span = NOWHERE) -> str:
        """The name of a function that does this."""
        key = (tuple(params), tuple(body))
        if key not in self.helpers:
            self.helpers[key] = f"F{len(self.helpers)}"
            self.functions.append(Function(self.helpers[key], *key, span, "helper"))
        return self.helpers[key]

    def want(self, letter: str, item: object) -> str:
        """The name of the function of a declaration."""
        key = (letter, self.index(item))
        self.wanted.setdefault(key, item)
        return f"{letter}{key[1]}"

    def open_flag(self, moment: int) -> int:
        """The slot that says that a moment is open."""
        if moment not in self.open_moments:
            self.open_moments[moment] = self.lay.note(self.lay.take(0), "flag")
        return self.open_moments[moment]

    def var(self, var: m.Var) -> v.Frame:
        """A frame variable: a slot, or a local; that is settled when all is lowered."""
        return v.Frame(self.lay.vars[var], type_of(var.type))


def told(
    unit: Unit,
    word: str,
    index: int,
    value: v.Value,
    given: Sequence[m.Expr],
    args: Sequence[v.Value],
) -> v.Value:
    """A value; in the traced variant one that tells what it was worked out from, unless that is
    secret. `args`, the values of `given`, are worked out only if somebody hears it."""
    if unit.trace and any(isinstance(each, Secret) for e in given for each in unit.secrets.of(e)):
        return value
    return v.Told(word, index, value, tuple(args)) if unit.trace else value


def stays(unit: Unit, call: m.CallDefine | m.CallTotal | m.CallPermit) -> bool:
    """Is it told of, so that nothing is put in its place?"""
    return unit.trace and (
        not isinstance(call, m.CallDefine) or bool(asked(unit.model, call.target))
    )


def asked(model: m.Model, define: m.Define) -> list[int]:
    """The rulings that choose among the cases of a definition. None of one that is about sets: a
    set has no name to tell it by."""
    named = not any(isinstance(p.type, m.SetOf) for p in define.params) and not isinstance(
        define.type, (m.SetOf, m.Record)
    )
    return rulings(model, [cond for cond, _ in define.cases]) if named else []


def rulings(model: m.Model, roots: Sequence[Any], opened: bool = False) -> list[int]:
    """The rulings that expressions ask, in order. `opened`: also those that the definitions ask
    that they call."""
    numbers = {id(ruling.fixed): i for i, ruling in enumerate(model.rulings)}
    found = [*nodes(list(roots))]
    if opened:
        found += [
            node
            for call in found
            if isinstance(call, m.CallDefine)
            for node in nodes(*map(list, call.target.cases))
        ]
    return sorted(
        {
            numbers[id(node.fixed)]
            for node in found
            if isinstance(node, m.ReadFixed) and id(node.fixed) in numbers
        }
    )
