"""Functions that search the graph of a movement: the legal steps from a place, and the places where
a walk could end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from attrs import frozen

from rulekit.compiler import model as m
from rulekit.compiler.analysis import dependencies as an
from rulekit.compiler.analysis.guards import proved_in_turn
from rulekit.compiler.analysis.late_constants import Late
from rulekit.compiler.analysis.memo import once
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from rulekit.compiler.ir.visitor import nodes
from rulekit.compiler.lowering.expressions import ExpressionLowering, over
from rulekit.compiler.lowering.loops import conjuncts, hoists
from rulekit.compiler.lowering.sink_single_use import sink_to_use
from rulekit.compiler.lowering.unit import ONE, ZERO, Unit, const, known, parameters, stays, type_of
from rulekit.compiler.model.visitor import rebuilt, subexpressions

_MAX_INLINED_WEIGHT = 400  # of a condition that is inlined
_MAX_ARC_SORTS = 64  # sorts that the tests of a movement tell apart
_CLASSES = 16  # maximal number of sorts of arcs with code of their own
_WIDE = 0xFFFF  # the greatest cost that the table of arcs can hold

# A row of the table of arcs: the bit of the arc, its class, its border, where it leads, what it
# costs, its sort.
_K, _B, _Z, _C, _Q = (v.Local(x) for x in "kbzcq")
_A, _AT, _ST, _FUEL, _F, _LEFT = (v.Local(x) for x in ("a", "at", "st", "fuel", "f", "left"))


@frozen
class StepTests:
    """The conditions of a step over one sort of arcs."""

    cost: v.Value
    may: v.Value
    stop: v.Value
    end: v.Value


@frozen
class Search:
    """The parts of a search over one movement.

    Attributes:
        table: the name of the table of arcs.
        arcs: the number of arcs.
        places: the number of places.
        tests: the tests of a step over an arc, which continue with the next arc if the step is not
            allowed.
        keys: the values that distinguish the places already seen.
        end: the test that a walk may end.
        stop: the test that a walk must end.
    """

    table: str
    arcs: int
    places: int
    tests: c.Code
    keys: tuple[v.Value, ...]
    end: v.Value
    stop: v.Value

    @property
    def arc(self) -> v.Local:
        """The bit of the current arc."""
        return v.Local("x", v.Mask(self.arcs))

    def begin(self, place: v.Value, left: v.Value) -> c.Stmt:
        return c.NewSearch(place, left, self.places, self.arcs)

    def over_arcs(self, arc: v.Local, body: Sequence[c.Stmt]) -> c.Stmt:
        """Return a loop over each arc out of the place a."""
        return c.ForRows((arc, _K, _B, _Z, _C, _Q), self.table, _A, tuple(body))

    def stepped(self, left: v.Local, found: Sequence[c.Stmt]) -> list[c.Stmt]:
        """Return a step over an arc with `left` remaining.

        Args:
            found: the statements where a walk could end.
        """
        further = (
            [] if self.stop == ONE else [c.IfStatement(v.NotValue(self.stop), (c.Later(_Z, _F),))]
        )
        return [
            c.Assign(_AT, _A),
            c.Assign(_FUEL, left),
            *self.tests,
            c.Assign(_F, v.ArithValue("-", _FUEL, _C)),
            c.Improve(self.keys, _F),
            c.Assign(_AT, _Z),
            c.Assign(_FUEL, _F),
            c.IfStatement(self.end, tuple(found)),
            *further,
        ]


SearchKind: TypeAlias = Literal[
    FunctionKind.STEPS, FunctionKind.DESTINATIONS, FunctionKind.HAS_DESTINATION
]
Steps = tuple[ExpressionLowering, list[m.Expr], v.Value, list[int], list[StepTests]]


def search_function(unit: Unit, mv: m.Movement, kind: SearchKind) -> c.Function:
    """Return one of the functions of a movement.

    `STEPS` returns the mask of legal arcs from a place, `DESTINATIONS` the mask of the places where
    a walk could end, and `HAS_DESTINATION` whether there is such a place.
    """
    args = parameters(mv.proc.params)
    been = v.Local("been", type_of(mv.been.type))
    low, exprs, first_test, sorts, classes = _steps(unit, mv)
    tests, ends, stops = _lines(classes, mv.cost is not None, unit.an.bounds.of(exprs[0])[0] < 0)
    by_sort = not any(n in (_A, _B) for n in nodes(ends, stops))
    table, places = _rows(unit, mv, sorts, classes, by_sort)
    by_place = not any(
        var in unit.an.deps(e).vars for e in exprs[2:] for var in (mv.border_var, mv.from_var)
    )
    by_fuel = any(mv.fuel in unit.an.deps(e).vars for e in exprs)
    keys = (_Z if by_place else _K, *([_F] if by_fuel else []))
    fuel = low.val(mv.allowance) if mv.allowance is not None else const(m.NO_LIMIT)
    first = hoists(low, (c.Do(first_test),))
    later = [
        h
        for h in hoists(low, (c.Do(first_test), *tests, *map(c.Do, (ends, stops, fuel))))
        if h not in first
    ]
    if kind is not FunctionKind.DESTINATIONS:  # the search looks at few arcs
        later, (ends, stops, fuel, *tests) = sink_to_use(later, [ends, stops, fuel, *tests])
    search = Search(table, len(mv.arcs), places, tuple(tests), keys, ends, stops)
    fails = (
        c.IfStatement(v.NotValue(first_test), (c.Give(ZERO),))
        if known(first_test) is None
        else c.Give(ZERO)
    )
    head = [*first, *([] if known(first_test) else [fails]), *later]
    name = FunctionName(kind, unit.index(mv))
    if kind is FunctionKind.STEPS:
        body = [*head, *_legal(search, been)]
        return c.Function(name, (*args, _ST, _AT, _FUEL, been), tuple(body), mv.proc.span)
    body = [
        c.Assign(been, v.Bit(_ST, been.type)),
        *head,
        c.Assign(_FUEL, fuel),
        *_flood(search, been, kind is FunctionKind.HAS_DESTINATION),
    ]
    return c.Function(name, (*args, _ST), tuple(body), mv.proc.span)


def lookahead_locals(mv: m.Movement) -> dict[m.Var, v.Value]:
    """Return the locals that replace the variables of a walk during a look-ahead."""
    been = v.Local("been", type_of(mv.been.type))
    return {
        mv.start: _ST,
        mv.been: been,
        mv.border_var: _B,
        mv.from_var: _A,
        mv.to_var: _Z,
        mv.at: _AT,
        mv.fuel: _FUEL,
        mv.halted: ZERO,
    }


@once
def _steps(unit: Unit, mv: m.Movement) -> Steps:
    """Return the common parts of the three functions of a movement.

    These are its conditions (cost, may, stop, end), the test that does not depend on the step, and
    the sorts of arcs.
    """
    _, low = over(unit, mv.proc.params)
    low.env.update(lookahead_locals(mv))
    low.loop = frozenset((mv.border_var, mv.from_var, mv.to_var, mv.at, mv.fuel))
    exprs = [
        _inside(low, mv.cost) if mv.cost is not None else m.Const(0, type=m.Int()),
        an.all_of(_parted(low, mv.may)),
        an.any_of([_inside(low, g.cond) for g in mv.stop]),
        an.all_of(_parted(low, mv.end)),
    ]
    always = [x for x in conjuncts(exprs[1]) if not low.loop & unit.an.deps(x).vars]
    exprs[1] = an.all_of([x for x in conjuncts(exprs[1]) if x not in always])
    first_test = low.cond(an.all_of(always))
    return (low, exprs, first_test, *_sorts(low, mv, exprs))


def _parted(low: ExpressionLowering, guards: Sequence[m.Guarded]) -> list[m.Expr]:
    return [_inside(low, x) for x in proved_in_turn([g.cond for g in guards])]


def _inside(low: ExpressionLowering, expression: m.Expr) -> m.Expr:
    """Inline the calls in an expression, so that parts that are the same for all arcs can be
    hoisted.
    """
    if isinstance(expression, (m.And, m.Or, m.Not, m.If)):
        return rebuilt(expression, lambda x: _inside(low, x))
    if (
        not isinstance(expression, (m.CallPermit, m.CallTotal))
        or stays(low.unit, expression)
        or not all(isinstance(a, (m.Read, m.Const)) for a in expression.args)
    ):
        return expression
    if low.an.weight(low.an.body_of(expression.target)) >= _MAX_INLINED_WEIGHT:
        return expression
    return _inside(low, low.called(expression))


# ------------------------------------------------------------------------------------ sorts of arcs
def _atoms(low: ExpressionLowering, expression: m.Expr, steps: frozenset[m.Var]) -> list[m.Expr]:
    """Return the parts that depend only on the arc."""
    d = low.an.deps(expression)
    if not d.vars & steps:
        return []
    if isinstance(expression.type, m.Bool) and _fixed(low, expression, steps):
        return [expression]
    inner = (
        subexpressions(expression)
        if isinstance(expression, (m.And, m.Or, m.Not, m.If, m.Compare, m.Arith))
        else []
    )
    return [a for x in inner for a in _atoms(low, x, steps)]


def _fixed(low: ExpressionLowering, expression: m.Expr, steps: frozenset[m.Var]) -> bool:
    d = low.an.deps(expression)
    return d.vars <= steps and (not d.state or low.an.by_member(expression) is not None)


def _put(low: ExpressionLowering, expression: m.Expr, fixed: Mapping[int, Late]) -> m.Expr:
    """Return a copy with some parts replaced by their values."""
    if id(expression) in fixed:
        return low.an.literal(fixed[id(expression)], expression.type, expression.span)
    if not isinstance(expression, (m.And, m.Or, m.Not, m.If, m.Compare, m.Arith)):
        return expression
    return rebuilt(expression, lambda x: _put(low, x, fixed))


def _sorts(
    low: ExpressionLowering, mv: m.Movement, exprs: Sequence[m.Expr]
) -> tuple[list[int], list[StepTests]]:
    """Return the sort of each arc (-1 if it is never passable), and the conditions of each sort."""
    steps = (mv.border_var, mv.from_var, mv.to_var)
    atoms = [a for e in exprs for a in _atoms(low, e, frozenset(steps))]
    keys = [
        tuple(low.an.settled_at(a, dict(zip(steps, arc, strict=True))) for a in atoms)
        for arc in mv.arcs
    ]
    if any(None in key for key in keys) or len(set(keys)) > _MAX_ARC_SORTS:
        atoms, keys = [], [() for _ in mv.arcs]
    order = sorted(dict.fromkeys(keys), key=lambda key: -keys.count(key))
    made: list[StepTests] = []
    sort_of: dict[tuple[Late | None, ...], int] = {}
    for key in order:
        fixed = {id(a): value for a, value in zip(atoms, key, strict=True) if value is not None}
        here = [low.an.simplify(_put(low, e, fixed)) for e in exprs]
        if low.an.value(here[1]) == 0:
            sort_of[key] = -1
            continue
        tests = _tests(low, here)
        if tests not in made:
            made.append(tests)
        sort_of[key] = made.index(tests)
    if len(made) > _CLASSES and atoms:
        # There are too many sorts, so all arcs share one, which tests them by tables.
        return [min(0, sort_of[k]) for k in keys], [_tests(low, exprs)]
    return [sort_of[k] for k in keys], made


def _tests(low: ExpressionLowering, exprs: Sequence[m.Expr]) -> StepTests:
    cost, *tests = exprs
    return StepTests(low.val(cost), *map(low.cond, tests))


def _in_row(cost: v.Value) -> bool:
    """Return True if the cost is stored in the table of arcs."""
    return known(cost) is not None and 0 <= known(cost) <= _WIDE


def _rows(
    unit: Unit, mv: m.Movement, sorts: Sequence[int], classes: Sequence[StepTests], by_sort: bool
) -> tuple[str, int]:
    """Return the table of arcs out of each place and the number of places.

    A row is (bit, class, border, to, cost, sort). After arrival over any arc of one class, the same
    continuations are possible.

    Args:
        by_sort: put all arcs of one sort that lead to the same place into one class.
    """
    found: dict[tuple[int, int], int] = {}
    same = [
        found.setdefault((z, sorts[k]), len(found)) if by_sort else k
        for k, (_, _, z) in enumerate(mv.arcs)
    ]
    places = max([max(a, z) for _, a, z in mv.arcs] + [0]) + 1
    costs = [known(classes[q].cost) if q >= 0 and _in_row(classes[q].cost) else 0 for q in sorts]
    rows = [
        tuple(
            (1 << k, same[k], b, z, costs[k], sorts[k])
            for k, (b, a, z) in enumerate(mv.arcs)
            if a == here and sorts[k] >= 0
        )
        for here in range(places)
    ]
    return unit.table([*rows, ()]), places


def _lines(
    classes: Sequence[StepTests], priced: bool, negative: bool
) -> tuple[list[c.Stmt], v.Value, v.Value]:
    """Return the statements that continue with the next arc if a step is not allowed, and the tests
    of end and stop.

    Args:
        negative: True if a step may cost less than 0.
    """
    lines: list[c.Stmt] = []
    if not classes:
        return [c.Continue()], ZERO, ONE
    if priced and not all(_in_row(t.cost) for t in classes):
        lines.append(c.Assign(_C, _by_sort([t.cost for t in classes])))
    if priced and negative:  # otherwise a cycle could be walked forever
        lines.append(c.IfStatement(v.CompareValue("<", _C, ZERO), (c.Fail("costs"),)))
    if priced:
        lines.append(c.IfStatement(v.CompareValue(">", _C, _FUEL), (c.Continue(),)))
    may = _by_sort([t.may for t in classes], True)
    if may != ONE:
        lines.append(c.IfStatement(v.NotValue(may), (c.Continue(),)))
    return (
        lines,
        _by_sort([t.end for t in classes], True),
        _by_sort([t.stop for t in classes], True),
    )


def _by_sort(each: Sequence[v.Value], test: bool = False) -> v.Value:
    """Select a value by the sort of the arc. The result is a single value if they do not differ.

    Args:
        test: True if the values are tests.
    """
    groups = {x: [q for q, y in enumerate(each) if x == y] for x in dict.fromkeys(each)}
    *others, made = groups
    for x in reversed(others):
        at = groups[x]
        made = v.IfValue(
            v.CompareValue("==", _Q, const(at[0])) if len(at) == 1 else v.AnyOf(_Q, tuple(at)),
            x,
            made,
            test,
        )
    return made


# ----------------------------------------------------------------------------------------- searches
def _legal(search: Search, been: v.Local) -> list[c.Stmt]:
    """Return the mask of the arcs out of the current place that lead to an end."""
    out = v.Local("out", v.Mask(search.arcs))
    take = c.Assign(out, search.arc, "|=")
    further = (
        ()
        if search.stop == ONE
        else (c.IfStatement(v.NotValue(search.stop), tuple(_seek(search, been, take))),)
    )
    body = [
        c.IfStatement(v.Has(been, _Z), (c.Continue(),)),
        *search.tests,
        c.Assign(_F, v.ArithValue("-", _FUEL, _C)),
        c.Assign(_AT, _Z),
        c.Assign(_FUEL, _F),
        c.IfStatement(search.end, (take,), further),
        c.Assign(_AT, _A),
        c.Assign(_FUEL, _LEFT),
    ]
    return [
        c.Assign(_A, _AT),
        c.Assign(_LEFT, _FUEL),
        c.Assign(out, ZERO),
        search.over_arcs(search.arc, body),
        c.Give(out),
    ]


def _seek(search: Search, been: v.Local, take: c.Stmt) -> list[c.Stmt]:
    """Search from place z, with f left, for a place where the walk can end. If there is one, the
    arc x is legal.

    The search does not enter places that the walk has visited.
    """
    a0, b0, left, ok, closed = (
        v.Local("a0"),
        v.Local("b0"),
        v.Local("left2"),
        v.Local("ok"),
        v.Local("closed", been.type),
    )
    through = search.stepped(left, [c.Assign(ok, ONE), c.Break()])
    arcs = search.over_arcs(
        v.Local("_", search.arc.type), [c.IfStatement(v.Has(closed, _Z), (c.Continue(),)), *through]
    )
    body = (c.Assign(_AT, _A), c.Assign(ok, ZERO), arcs, c.IfStatement(ok, (take, c.Break())))
    return [
        search.begin(_Z, _F),
        c.Assign(b0, _B),
        c.Assign(a0, _A),
        c.Assign(closed, v.Bits("|", been, v.Bit(_Z, been.type))),
        c.WhileOpen(_A, left, body),
        c.Assign(_A, a0),
        c.Assign(_B, b0),
    ]


def _flood(search: Search, been: v.Local, only_first: bool) -> list[c.Stmt]:
    """Search for the places where a walk from the place st could end.

    Args:
        only_first: search only for one of them.
    """
    found = v.Local("found", v.NUMBER if only_first else been.type)
    here: c.Stmt = c.Give(ONE) if only_first else c.Assign(found, v.Bit(_Z, been.type), "|=")
    body = [
        c.IfStatement(v.CompareValue("==", _Z, _ST), (c.Continue(),)),
        *search.stepped(_LEFT, [here]),
    ]
    return [
        c.Assign(_AT, _ST),
        c.Assign(_A, _AT),
        c.Assign(found, ZERO),
        search.begin(_ST, _FUEL),
        c.WhileOpen(_A, _LEFT, (search.over_arcs(search.arc, body),)),
        c.Give(found),
    ]
