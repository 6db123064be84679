"""Takes a whole model, makes the variables that say the same as an expression for as long as they
live.

A field that is set at its start and never again, a `let`, and a parameter that every call gives the
same relation to another one stand for an expression of variables and fixed data: that cannot change
while they are read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import partial
from itertools import takewhile

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.membership_facts import SMALL, key
from rulekit.compiler.model.visitor import nodes

FIXED = (
    m.Const,
    m.Read,
    m.ReadFixed,
    m.FieldOf,
    m.Compare,
    m.And,
    m.Or,
    m.Not,
    m.If,
    m.In,
    m.IsNone,
    m.InRange,
)


def lasting_names(model: m.Model) -> dict[m.Var, m.Expr]:
    """What these variables are as good as."""
    every = every_step(model)
    given = givers(every, model)
    calls, walked = calls_of(every)
    made: dict[m.Var, m.Expr] = {}
    for proc, args in calls.items():
        if proc.word in ("procedure", "phase") and proc not in walked:
            made.update(_related(proc.params, args, given))
    begun = {
        id(stmt)
        for proc in _procedures(model)
        for stmt in takewhile(partial(_is_own, proc), proc.body)
    }
    for node in every:
        if not (
            isinstance(node, m.SetVar)
            and node.op == ":="
            and given[node.var] == 1
            and (node.var.once or id(node) in begun)
        ):
            continue
        if (
            node.var.frame is not None
            and node.var not in node.var.frame.params
            and _is_fixed(node.value, given)
        ):
            made[node.var] = node.value
    return made


def _procedures(model: m.Model) -> list[m.Procedure]:
    return [*model.procedures, *(proc for proc in (model.main, model.setup) if proc is not None)]


def every_step(model: m.Model) -> list[m.Node]:
    """All that stands in the steps of a game, and its options."""
    bodies = [
        *(proc.body for proc in _procedures(model)),
        *(event.body for event in model.events),
        *(body for movement in model.movements for body in (movement.on_entry, movement.stranded)),
    ]
    return [
        *{
            id(node): node
            for node in nodes(*(stmt for body in bodies for stmt in body), *model.options)
        }.values()
    ]


def givers(every: list[m.Node], model: m.Model) -> Counter[m.Var]:
    """How many steps give each variable a value."""
    given = Counter(var for node in every for var in _given(node))
    given.update(var for option in model.options for var in option.params)
    return given


def _is_own(proc: m.Procedure, stmt: m.Stmt) -> bool:
    """Does a step give a variable of this procedure a value?"""
    return isinstance(stmt, m.SetVar) and stmt.var.frame is proc


def _given(node: m.Node) -> Iterator[m.Var]:
    """The variables that a node gives a value."""
    if isinstance(node, (m.SetVar, m.Roll, m.Pick, m.PickGroup, m.Each, m.Together)):
        yield node.var
    elif isinstance(node, m.CallProc) and node.into is not None:
        yield node.into
    elif isinstance(node, m.Option):
        yield from (clause.var for clause in node.clauses if isinstance(clause, m.With))
        yield from (
            clause.target
            for clause in node.clauses
            if isinstance(clause, m.Pays) and isinstance(clause.target, m.Var)
        )


def _is_fixed(e: m.Expr, given: Counter[m.Var]) -> bool:
    """Does it hang on nothing but fixed data, parameters that stay as they are, and variables that
    one step alone sets?"""
    inside = [*nodes(e)]
    return len(inside) <= 2 * SMALL and all(
        isinstance(node, FIXED) and not (isinstance(node, m.Read) and not _stays(node.var, given))
        for node in inside
        if isinstance(node, m.Expr)
    )


def _stays(var: m.Var, given: Counter[m.Var]) -> bool:
    return var.frame is not None and given[var] <= (0 if var in var.frame.params else 1)


def calls_of(every: list[m.Node]) -> tuple[dict[m.Procedure, list[list[m.Expr]]], set[m.Procedure]]:
    """The arguments of all calls of procedures, and those that are come to in another way."""
    calls: dict[m.Procedure, list[list[m.Expr]]] = defaultdict(list)
    other: set[m.Procedure] = set()
    for node in every:
        if isinstance(node, m.CallProc):
            calls[node.proc].append(node.args)
        elif isinstance(node, m.Walk):
            other.add(node.movement.proc)
        elif isinstance(node, m.Option) and node.proc is not None:
            other.add(node.proc)
    return calls, other


def _related(
    params: list[m.Var], calls: list[list[m.Expr]], given: Counter[m.Var]
) -> dict[m.Var, m.Expr]:
    """The parameters that every call gives the same relation to one before or behind them."""
    made: dict[m.Var, m.Expr] = {}
    roots: set[m.Var] = set()
    for at, param in enumerate(params):
        for by, root in enumerate(params):
            if at == by or param in roots or root in made or given[param] or given[root]:
                continue
            found = {_relation(args[at], args[by]) for args in calls}
            if len(found) == 1 and (fixed := found.pop()) is not None:
                made[param] = m.ReadFixed(fixed, [m.Read(root)], type=fixed.type)
                roots.add(root)
                break
    return made


def _relation(e: m.Expr, root: m.Expr) -> m.Fixed | None:
    """The fixed value of one argument that another one is."""
    fits = (
        isinstance(e, m.ReadFixed)
        and len(e.keys) == 1
        and key(e.keys[0]) == key(root)
        and not e.fixed.late
    )
    return e.fixed if fits and isinstance(e, m.ReadFixed) else None
