"""Collects clauses from all places into the totals and permits that they belong to."""

from __future__ import annotations

from attrs import define, field

from rulekit.common.diagnostics.diagnostic import among, guess
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.collect import NAMES_OF_CLAUSE
from rulekit.compiler.check.resolve.scope import CheckState, Scope, Symbol, context_chain
from rulekit.compiler.check.typecheck.dispatch import bad, condition, fits, typed
from rulekit.compiler.check.typecheck.narrowing import NOTHING, facts
from rulekit.compiler.check.typecheck.ranges import clamped, promised
from rulekit.compiler.syntax import ast as t

CARD_LAYER = 99


@define(eq=False)
class Contribution:
    """A clause with its origin.

    Attributes:
        card: the member whose block contains it.
    """

    clause: t.ClauseSyntax
    layer: int
    card: str = ""
    holder: tuple[m.Var, m.Expr] | None = None
    contexts: tuple[m.Procedure, ...] = ()
    order: int = field(default=0)


def target_of(path: tuple[str, ...], node: t.NodeSyntax, world: CheckState) -> Symbol | None:
    symbol = world.symbols.get(path[0])
    if symbol is None or symbol.what not in ("total", "permit"):
        known = [s.name for s in world.symbols.values() if s.what in ("total", "permit")]
        world.error(
            "RK301",
            node,
            f"'{path[0]}' is not a total or permit",
            among(path[0], known, f"declare it: total {path[0]}: int"),
        )
        return None
    return symbol


def clause_scope(symbol: Symbol, part: Contribution, world: CheckState) -> Scope:
    """Return the scope of a clause: the parameters and context of the target, and for a card also
    the player who played it.
    """
    chain = context_chain(symbol.context)
    scope = Scope(
        world,
        {v.name: v for v in symbol.params},
        contexts=chain + tuple(c for c in part.contexts if c not in chain),
    )
    if part.holder:
        scope.locals[part.holder[0].name] = part.holder[0]
    return scope


def build(
    world: CheckState, parts: list[Contribution], dropped: dict[tuple[str, str], t.Drop]
) -> None:
    """Give every total and permit its clauses, in the order in which they apply."""
    for i, part in enumerate(parts):
        part.order = i
    plain = [p for p in parts if p.clause.word != "cancel"]
    placed: dict[tuple[str, str], m.Clause] = {}
    ranked: dict[str, list[tuple[int, int, m.Clause]]] = {}
    gone: set[tuple[str, str]] = set()
    for part in plain:
        symbol = target_of(part.clause.path, part.clause, world)
        if symbol is None:
            continue
        name = part.clause.path[1] if len(part.clause.path) > 1 else part.clause.word
        key = (symbol.name, name)
        if (
            key in dropped and key not in gone
        ):  # the first of its name; a second one takes its place
            gone.add(key)
            continue
        clause = one_clause(symbol, name, part, world)
        if key in placed and len(part.clause.path) > 1:
            world.error(
                "RK303",
                part.clause,
                f"'{symbol.name}' already has a clause '{name}'",
                "give it another name, or 'drop' the other one first",
            )
            continue
        placed[key] = clause
        rank = -part.layer if clause.word == "set" else 0
        ranked.setdefault(symbol.name, []).append((rank, part.order, clause))
    for name, found in ranked.items():
        found.sort(key=lambda item: item[:2])
        world.symbols[name].obj.clauses = [c for _, _, c in found]
    for (symbol_name, clause_name), node in dropped.items():
        known = [
            p.clause.path[1]
            for p in plain
            if p.clause.path[0] == symbol_name and len(p.clause.path) > 1
        ]
        if clause_name not in known:
            world.error(
                "RK307",
                node,
                f"'{symbol_name}' has no clause '{clause_name}' to drop",
                guess(clause_name, known)
                or (f"its clauses are {', '.join(known)}" if known else "it has none with a name"),
            )
    for part in parts:
        if part.clause.word == "cancel":
            cancel(part, placed, world)


def one_clause(symbol: Symbol, name: str, part: Contribution, world: CheckState) -> m.Clause:
    node = part.clause
    scope = clause_scope(symbol, part, world)
    amount, cond = None, condition(node.when, scope) if node.when is not None else None
    permit = symbol.what == "permit"
    if permit != (node.word == "bar"):
        words = "'bar'" if permit else "'base', 'set', 'modifier', 'at least', 'at most'"
        world.error(
            "RK307",
            node,
            f"a {symbol.what} has no '{node.word}' clause",
            f"the clauses of a {symbol.what} are {words}",
        )
    elif node.amount is not None:
        known = facts(node.when, True, scope) if node.when is not None else NOTHING
        amount = typed(node.amount, scope.with_facts(known), symbol.obj.type)
        pure = isinstance(amount.type, m.Int) and amount.type.unit is None
        if not pure:
            fits(amount, symbol.obj.type, node.amount, scope, f"{symbol.name}.{name}")
    return m.Clause(
        node.word,
        name,
        amount,
        cond,
        part.holder,
        [],
        node.reason or "",
        ref=node.ref,
        span=node.span,
    )


def cancel(part: Contribution, placed: dict[tuple[str, str], m.Clause], world: CheckState) -> None:
    node = part.clause
    symbol = target_of(node.path, node, world)
    if symbol is None:
        return
    clause = placed.get((node.path[0], node.path[1])) if len(node.path) == NAMES_OF_CLAUSE else None
    if clause is None:
        names = [c.name for c in symbol.obj.clauses]
        world.error(
            "RK307",
            node,
            f"'{node.path[0]}' has no clause '{node.path[-1]}'",
            among(node.path[-1], filter(None, names)),
        )
        return
    cond = (
        condition(node.when, clause_scope(symbol, part, world)) if node.when is not None else None
    )
    clause.cancels.append(m.Cancel(cond, part.holder, part.card, ref=node.ref, span=node.span))


def applies_to(node: t.Applies, scope: Scope) -> m.Expr:
    """Type `crt_column.wall applies`.

    The clause is only a placeholder here. `complete` looks it up when all clauses are known.
    """
    world = scope.world
    target = node.target
    if not isinstance(target, t.Attr) or not isinstance(target.base, t.Name):
        world.error(
            "RK307",
            node,
            "'applies' needs a clause of a total: total.clause applies",
            "write the name of the total, a point and the name of the clause: 'attack.horse"
            " applies'",
        )
        return bad(node)
    symbol = target_of((target.base.id,), node, world)
    if symbol is None:
        return bad(node)
    args: list[m.Expr] = []
    for param in symbol.params:
        var = scope.locals.get(param.name) or scope.context_var(param.name)
        if var is None:
            world.error(
                "RK305",
                node,
                f"'{symbol.name}' has a parameter '{param.name}', which has no value here",
                "'applies' passes parameters of the same name: give this a parameter"
                f" '{param.name}' too",
            )
            return bad(node)
        args.append(argument(m.Read(var, span=node.span), param, symbol.name, node, scope))
    made = m.AppliesTo(symbol.obj, m.Clause("", target.name), args, span=node.span)
    world.waiting.append(made)
    return made


def argument(value: m.Expr, param: m.Var, name: str, node: t.NodeSyntax, scope: Scope) -> m.Expr:
    """Return the value of a parameter's name at this place, checked as in a call against the type
    and the range.
    """
    want = m.MemberOf(param.type.kind, True) if isinstance(param.type, m.MemberOf) else param.type
    if not fits(value, want, node, scope, f"'{param.name}' of {name}") or not param.held:
        return value
    return (
        clamped(value, want)
        if param.clamp
        else promised(value, want, f"{param.name} of {name}", node, scope)
    )


def complete(world: CheckState) -> None:
    """Fill in the clauses that `applies` refers to."""
    for made in world.waiting:
        found = next((c for c in made.target.clauses if c.name == made.clause.name), None)
        if found is None:
            names = [c.name for c in made.target.clauses]
            world.error(
                "RK307",
                made.span,
                f"'{made.target.name}' has no clause '{made.clause.name}'",
                among(made.clause.name, filter(None, names)),
            )
        else:
            made.clause = found
    world.waiting.clear()
