"""Variables that are equal to an expression throughout their lifetime.

These are fields that are set at the start and never again, `let` variables, and parameters that
have the same relation to another parameter in every call. The expression consists of variables and
constants, so it cannot change while the variable is read.
"""

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
    """Return the expressions to which variables are equal."""
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
    """Return all nodes in the steps and options of a game."""
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
    """Return the number of steps that assign each variable."""
    given = Counter(var for node in every for var in _given(node))
    given.update(var for option in model.options for var in option.params)
    return given


def _is_own(proc: m.Procedure, stmt: m.Stmt) -> bool:
    """Return True if a step assigns a variable of this procedure."""
    return isinstance(stmt, m.SetVar) and stmt.var.frame is proc


def _given(node: m.Node) -> Iterator[m.Var]:
    """Yield the variables that a node assigns."""
    if isinstance(node, (m.SetVar, m.Roll, m.Pick, m.PickGroup, m.Each, m.Together)):
        yield node.var
    elif isinstance(node, m.CallProc) and node.into is not None:
        yield node.into
    elif isinstance(node, m.GuardedOption):
        yield from (clause.var for clause in node.clauses if isinstance(clause, m.With))
        yield from (
            clause.target
            for clause in node.clauses
            if isinstance(clause, m.Pays) and isinstance(clause.target, m.Var)
        )


def _is_fixed(e: m.Expr, given: Counter[m.Var]) -> bool:
    """Return True if the expression depends only on constants, on parameters that do not change,
    and on variables that only one step sets.
    """
    inside = [*nodes(e)]
    return len(inside) <= 2 * SMALL and all(
        isinstance(node, FIXED) and not (isinstance(node, m.Read) and not _stays(node.var, given))
        for node in inside
        if isinstance(node, m.Expr)
    )


def _stays(var: m.Var, given: Counter[m.Var]) -> bool:
    return var.frame is not None and given[var] <= (0 if var in var.frame.params else 1)


def calls_of(every: list[m.Node]) -> tuple[dict[m.Procedure, list[list[m.Expr]]], set[m.Procedure]]:
    """Return the arguments of all calls by procedure, and the procedures that are reached in
    another way.
    """
    calls: dict[m.Procedure, list[list[m.Expr]]] = defaultdict(list)
    other: set[m.Procedure] = set()
    for node in every:
        if isinstance(node, m.CallProc):
            calls[node.proc].append(node.args)
        elif isinstance(node, m.Walk):
            other.add(node.movement.proc)
        elif isinstance(node, m.GuardedOption) and node.proc is not None:
            other.add(node.proc)
    return calls, other


def _related(
    params: list[m.Var], calls: list[list[m.Expr]], given: Counter[m.Var]
) -> dict[m.Var, m.Expr]:
    """Return the parameters that have the same relation to another parameter in every call."""
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
    """Return the constant attribute of one argument that equals the other argument, or None."""
    fits = (
        isinstance(e, m.ReadFixed)
        and len(e.keys) == 1
        and key(e.keys[0]) == key(root)
        and not e.fixed.late
    )
    return e.fixed if fits and isinstance(e, m.ReadFixed) else None
