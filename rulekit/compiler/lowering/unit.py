"""Helpers for building values, and `Unit`, which collects constant tables and functions during the
lowering.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial, reduce
from math import prod
from typing import Any

from attrs import define, field

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler import model as m
from rulekit.compiler.analysis.dependencies import ModelAnalysis
from rulekit.compiler.analysis.late_constants import Late
from rulekit.compiler.analysis.memo import Memory
from rulekit.compiler.check.secrecy.taint import Secret, Secrets
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from rulekit.compiler.ir.statements import Code, Function
from rulekit.compiler.lowering.layout import Layout, Place
from rulekit.compiler.model.visitor import nodes

ZERO, ONE, NONE = v.ConstValue(0), v.ConstValue(1), v.ConstValue(-1)


def const(value: Any) -> v.ConstValue:
    """Return a known value as a constant."""
    return v.ConstValue(int(value) if isinstance(value, bool) else value)


def known(value: v.Value) -> Any:
    """Return the value of a constant, else None."""
    return value.value if isinstance(value, v.ConstValue) else None


def is_read(expression: m.Expr, var: m.Var) -> bool:
    """Return True if the expression reads this variable."""
    return isinstance(expression, m.Read) and expression.var is var


def conj(tests: Sequence[v.Value]) -> v.Value:
    """Return the test that all tests hold. It is true for no tests."""
    return tests[0] if len(tests) == 1 else v.All(tuple(tests)) if tests else ONE


def disj(tests: Sequence[v.Value]) -> v.Value:
    """Return the test that one of the tests holds. It is false for no tests."""
    return tests[0] if len(tests) == 1 else v.Any(tuple(tests)) if tests else ZERO


def where(tests: Sequence[v.Value], value: v.Value, missing: v.Value) -> v.Value:
    """Return a value if all tests hold, else `missing`, the value for none."""
    return v.IfValue(conj(tests), value, missing) if tests else value


def truthy(value: v.Value) -> bool:
    """Return True if the value is only good as a test: true or false, but not necessarily 1 or
    0.
    """
    if isinstance(value, v.IfValue):
        return value.flag
    if isinstance(value, v.CallValue):
        return value.type == v.FLAG
    return isinstance(value, (v.Some, v.NotValue, v.All, v.Any, v.HasOrNone)) or (
        isinstance(value, v.RunValue) and value.type == v.FLAG
    )


def layers(mask: v.Value, *made: v.Value) -> v.Value:
    """Return these layers if a mask has members, else no layers."""
    return v.IfValue(mask, v.Layers(made), v.Layers(()))


def there(value: v.Value) -> v.Value:
    """Return the test that a member is not none."""
    return v.CompareValue(">=", value, ZERO)


def type_of(type: m.Type) -> v.Type:
    """Return the type of the values of a type of the rules. A record is the number of its row."""
    if isinstance(type, m.SetOf):
        return v.Mask(type.kind.size)
    return (
        v.FLAG if isinstance(type, m.Bool) else v.RATIO if isinstance(type, m.RatioT) else v.NUMBER
    )


def parameters(vars: Sequence[m.Var]) -> tuple[v.Local, ...]:
    """Return the parameters of an emitted function for those of a declaration."""
    return tuple(v.Local(f"p{i}", type_of(var.type)) for i, var in enumerate(vars))


def missing_tests(params: Sequence[v.Local], vars: Sequence[m.Var]) -> list[v.Value]:
    """Return tests that a parameter is none, for those that may not be none."""
    return [
        v.CompareValue("<", p, ZERO)
        for p, var in zip(params, vars, strict=True)
        if isinstance(var.type, m.MemberOf) and not var.type.optional
    ]


def change(adds: object, members: v.Value) -> tuple[v.Value, str]:
    """Return the operand and operator that add some members to a set, or remove them."""
    return (members, "|=") if adds else (v.Complement(members), "&=")


def row_major(sizes: Sequence[int], ords: Sequence[v.Value]) -> tuple[int, list[v.Value]]:
    """Return the row-major place of keys that are counted from 0: its known part, and the terms to
    add.
    """
    fixed = 0
    terms: list[v.Value] = []
    for i, x in enumerate(ords):
        stride = prod(sizes[i + 1 :])
        if isinstance(x, v.ConstValue):
            fixed += known(x) * stride
        else:
            terms.append(x if stride == 1 else v.ArithValue("*", x, const(stride)))
    return fixed, terms


def summed(terms: Sequence[v.Value]) -> v.Value:
    """Return the sum of some numbers, added from left to right."""
    return reduce(partial(v.ArithValue, "+"), terms) if terms else ZERO


def number_at(start: int, sizes: Sequence[int], ords: Sequence[v.Value]) -> v.Value:
    """Return the row-major place of keys that are counted from 0 as a number, counted from
    `start`.
    """
    place, terms = row_major(sizes, ords)
    return summed([const(start + place), *terms] if start + place else terms)


def slot_at(
    start: int, sizes: Sequence[int], ords: Sequence[v.Value], type: v.Type = v.NUMBER
) -> v.SlotValue:
    """Return the slot at the row-major place of keys that are counted from 0."""
    fixed, terms = row_major(sizes, ords)
    return v.SlotValue(start + fixed, summed(terms) if terms else None, type)


def having(place: Place, value: v.Value | int) -> v.SlotValue:
    """Return the mask of the keys with a value, in a cell with one mask for each value. The mask
    after the last value holds the keys without one.
    """
    return slot_at(
        place.index,
        [0],
        [const(value) if isinstance(value, int) else value],
        v.Mask(place.cell.keys[0].size),
    )


@define(eq=False)
class Unit:
    """The shared output of the lowering of a game."""

    model: m.Model
    an: ModelAnalysis
    lay: Layout
    known: ModelAnalysis  # values that are known in advance in all variants
    trace: bool = False
    secrets: Secrets = field(factory=Secrets)
    tables: dict[Any, str] = field(factory=dict)
    # constants that the choice of a scenario and rulings sets
    chosen: dict[Late, str] = field(factory=dict)
    # the constants of `chosen` that are set from outside. The code computes the others.
    given: set[Late] = field(factory=set)
    # memoized results about expressions
    memory: Memory = field(factory=lambda: defaultdict(dict))
    functions: list[Function] = field(factory=list)
    helpers: dict[tuple[tuple[v.Local, ...], Code], FunctionName] = field(factory=dict)
    # functions that are called, with their declarations
    requested: dict[FunctionName, Any] = field(factory=dict)
    exposed: set[m.Var] = field(factory=set)  # frame variables that functions without effects read
    indices: dict[int, int] = field(factory=dict)
    ticking: bool = False  # True if rounds of loops are counted
    # moment -> the slot with the flag that it is open
    open_moments: dict[int, int] = field(factory=dict)

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
        """The number of sides that can decide."""
        return self.model.sides.size if self.model.sides is not None else 0

    def index(self, item: object) -> int:
        """Return the index of a declaration in its list of the model, or -1 for None."""
        return -1 if item is None else self.indices[id(item)]

    def pick(self, value: Late, type: v.Type = v.NUMBER) -> v.ConstValue | v.Chosen:
        """Return a late value: a constant, or the name of one."""
        if value.const:
            return const(value.values[0])
        return v.Chosen(self.chosen.setdefault(value, f"K{len(self.chosen)}"), type)

    def table(self, values: Sequence[Any] | Late) -> str:
        """Return the name of a constant tuple."""
        late = values if isinstance(values, Late) else Late((), (values,))
        picked = self.pick(late.map(tuple))
        return (
            picked.name
            if isinstance(picked, v.Chosen)
            else self.tables.setdefault(picked.value, f"C{len(self.tables)}")
        )

    def helper(self, params: Sequence[v.Local], body: Code, span: Span = NOWHERE) -> FunctionName:
        """Return the name of a function with this body. Equal functions are emitted once."""
        key = (tuple(params), tuple(body))
        if key not in self.helpers:
            self.helpers[key] = FunctionName(FunctionKind.HELPER, len(self.helpers))
            self.functions.append(Function(self.helpers[key], *key, span))
        return self.helpers[key]

    def request(self, kind: FunctionKind, item: object) -> FunctionName:
        """Request the emitted function of a declaration; return its name. The compiler emits each
        requested function once.
        """
        name = FunctionName(kind, self.index(item))
        self.requested.setdefault(name, item)
        return name

    def open_flag(self, moment: int) -> int:
        """Return the slot with the flag that a moment is open."""
        if moment not in self.open_moments:
            self.open_moments[moment] = self.lay.note(self.lay.take(0), "flag")
        return self.open_moments[moment]

    def var(self, var: m.Var) -> v.FrameValue:
        """Return a frame variable. Whether it is a slot or a local is decided after the
        lowering.
        """
        return v.FrameValue(self.lay.vars[var], type_of(var.type))


def reported(
    unit: Unit,
    word: str,
    index: int,
    value: v.Value,
    given: Sequence[m.Expr],
    args: Sequence[v.Value],
) -> v.Value:
    """Return a value that the traced variant reports together with the values that it was computed
    from, unless these are secret.

    Args:
        args: the values of `given`, which are evaluated only if there is a listener.
    """
    if unit.trace and any(isinstance(each, Secret) for e in given for each in unit.secrets.of(e)):
        return value
    return v.Reported(word, index, value, tuple(args)) if unit.trace else value


def stays(unit: Unit, call: m.CallDefine | m.CallTotal | m.CallPermit) -> bool:
    """Return True if the call is reported, so that it must not be inlined."""
    return unit.trace and (
        not isinstance(call, m.CallDefine) or bool(asked(unit.model, call.target))
    )


def asked(model: m.Model, define: m.Define) -> list[int]:
    """Return the rulings that choose among the cases of a definition.

    A definition about sets has none, because a set has no name by which to report it.
    """
    named = not any(isinstance(p.type, m.SetOf) for p in define.params) and not isinstance(
        define.type, (m.SetOf, m.Record)
    )
    return rulings(model, [cond for cond, _ in define.cases]) if named else []


def rulings(model: m.Model, roots: Sequence[Any], opened: bool = False) -> list[int]:
    """Return the rulings that expressions read, in order.

    Args:
        opened: include the rulings that the called definitions read.
    """
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
