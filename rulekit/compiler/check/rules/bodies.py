"""Fills in the bodies of declarations: values of defines, steps of procedures, events, movements,
cards.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve import limits
from rulekit.compiler.check.resolve.collect import NAMES_OF_CLAUSE, Collected
from rulekit.compiler.check.resolve.scope import (
    BAD,
    AttributeSubject,
    Bad,
    CheckState,
    Scope,
    context_chain,
)
from rulekit.compiler.check.rules.blocks import block
from rulekit.compiler.check.typecheck.dispatch import condition, fits, fitting, typed
from rulekit.compiler.check.typecheck.narrowing import facts
from rulekit.compiler.check.typecheck.ranges import clamped, promised
from rulekit.compiler.check.typecheck.totals import CARD_LAYER, Contribution
from rulekit.compiler.syntax import ast as t


def define_work(
    made: m.Define, decl: t.DefineDecl, owner: m.Kind | None, world: CheckState
) -> Callable[[], None]:
    """Return a function that types the cases of a define."""

    def work() -> None:
        scope = Scope(world, {v.name: v for v in made.params}, contexts=context_chain(made.context))
        if owner is not None:
            scope.locals = {}
            scope.element = AttributeSubject(
                owner, m.Read(made.params[0], type=made.params[0].type)
            )
        want = made.type if decl.type is not None else None
        known = scope
        if len(decl.cases) > limits.CASES:
            world.error(
                "RK407",
                decl,
                f"'{made.name}' has {len(decl.cases):,} cases; one definition can have at most"
                f" {limits.CASES}",
                "use a table",
            )
            return
        for case in decl.cases:
            cond = condition(case.when, known) if case.when is not None else None
            inside = (
                known.with_facts(facts(case.when, True, scope)) if case.when is not None else known
            )
            value = typed(case.value, inside, want)
            if want is not None:
                if not fits(value, want, case.value, inside, made.name):
                    value = m.Const(0, type=BAD)
                elif decl.type is not None:
                    value = (
                        clamped(value, want)
                        if decl.type.clamp
                        else promised(value, want, made.name, case.value, inside)
                    )
            elif not isinstance(value.type, Bad):
                made.type = (
                    m.Int(value.type.unit)
                    if isinstance(value.type, m.Int) and value.type.unit == "*"
                    else value.type
                )
                want = made.type
            made.cases.append((cond, value))
            if case.when is not None:
                known = known.with_facts(facts(case.when, False, scope))
        open_at = next((at for at, case in enumerate(decl.cases[:-1]) if case.when is None), None)
        if open_at is not None:
            world.error(
                "RK505",
                decl.cases[open_at + 1],
                f"this case of '{made.name}' is never used: the one above it has no condition",
                "move the case without a condition to the end",
            )
        elif made.cases and made.cases[-1][0] is not None:
            world.error(
                "RK505",
                decl,
                f"the last case of '{made.name}' has a condition",
                "add a case without 'when' below it, for everything else: = VALUE",
            )

    return work


def procedures(world: CheckState) -> None:
    """Check the steps of procedures, phases and events, and the clauses of movements."""
    for symbol in world.symbols.values():
        decl = symbol.decl
        if isinstance(decl, t.ProcDecl):
            proc: m.Procedure = symbol.obj
            proc.body = block(decl.body, frame_scope(proc, world))
        elif isinstance(decl, t.EventDecl):
            event: m.EventDeclaration = symbol.obj
            scope = Scope(world, {v.name: v for v in event.params}, event=True)
            event.body = block(decl.body, scope)
            event.reveals = [typed(r, scope) for r in decl.reveals]
        elif isinstance(decl, t.MovementDecl):
            movement(symbol.obj, decl, world)


def frame_scope(proc: m.Procedure, world: CheckState) -> Scope:
    """Return the scope at the beginning of a procedure's body."""
    scope = Scope(world, {v.name: v for v in proc.params}, contexts=context_chain(proc), proc=proc)
    return scope


def movement(made: m.Movement, decl: t.MovementDecl, world: CheckState) -> None:
    scope = frame_scope(made.proc, world)
    for name, var in world.visible[made.proc].items():
        scope.locals.setdefault(name, var)
    amount: m.Type | None = None
    if decl.allowance is not None:
        made.allowance = typed(decl.allowance, scope)
        amount = made.allowance.type
    if decl.cost is not None:
        made.cost = (
            fitting(decl.cost, scope, amount, "the cost of a step")
            if amount is not None
            else typed(decl.cost, scope)
        )
    if made.allowance is not None and made.cost is None:
        world.error(
            "RK505", decl, "an allowance without a 'cost' limits nothing", "add a line 'cost 1'"
        )

    def guards(nodes: tuple[t.Guard, ...], what: str) -> list[m.Guarded]:
        return [
            m.Guarded(
                condition(g.cond, scope), g.reason or "", f"why.{made.name}.{what}.{i}", ref=g.ref
            )
            for i, g in enumerate(nodes, 1)
        ]

    made.may, made.stop, made.end = (
        guards(decl.may, "enter"),
        guards(decl.stop, "stop"),
        guards(decl.end, "end"),
    )
    made.on_entry = block(decl.on_entry, scope.inner())
    made.stranded = block(decl.stranded, scope.inner())


# ------------------------------------------------------------------------------------------------ m
def cards(found: Collected, world: CheckState) -> list[Contribution]:
    """Check the blocks of members (`Face E05 ...`): clauses that hold while the card is in play,
    guards and steps.
    """
    made: list[Contribution] = []
    for block_decl in found.blocks:
        kind = world.kinds.get(block_decl.kind)
        ordinal = world.member(kind, block_decl.name) if kind is not None else None
        if kind is None or ordinal is None:
            continue
        contexts, answer = window_of(kind, ordinal, world)
        held = holder(kind, ordinal, found, world)
        guard_nodes: list[t.Guard] = []
        for node in block_decl.clauses:
            if isinstance(node, t.ClauseSyntax):
                if held is None:
                    if not any(
                        isinstance(item, t.RulesWhile)
                        for part, _ in found.kinds.get(kind.name, [])
                        for item in part.items
                    ):
                        world.error(
                            "RK505",
                            node,
                            f"{kind.name} has no 'rules while ...', so this clause never applies",
                            f"write in 'kind {kind.name}' when its rules apply: rules while CELL"
                            " as NAME",
                        )
                    continue
                cited = evolve(node, ref=node.ref or block_decl.ref)
                made.append(Contribution(cited, CARD_LAYER, block_decl.name, held, contexts))
            elif isinstance(node, t.Guard):
                guard_nodes.append(evolve(node, ref=node.ref or block_decl.ref))
            else:
                world.error(
                    "RK505",
                    node,
                    "this clause cannot stand in the block of a member",
                    "write it at the option that plays the member",
                )
        guard_slot = next((s for s in kind.slots.values() if isinstance(s.type, m.Bool)), None)
        steps_slot = next((s for s in kind.slots.values() if s.type is None), None)
        if guard_nodes:
            if guard_slot is None:
                world.error(
                    "RK505",
                    guard_nodes[0],
                    f"{kind.name} has no slot for 'when' lines",
                    "declare one: slot guard(me: Side): bool = true",
                )
            else:
                scope = Scope(
                    world, {v.name: v for v in guard_slot.params}, contexts=contexts, member=True
                )
                conds: list[m.Expr] = []
                for node in guard_nodes:
                    conds.append(condition(node.cond, scope))
                    scope.known = scope.known | facts(node.cond, True, scope)
                both = m.And(conds, span=block_decl.span)
                guard_slot.values[ordinal] = conds[0] if len(conds) == 1 else both
        if block_decl.body:
            if steps_slot is None:
                world.error(
                    "RK505",
                    block_decl,
                    f"{kind.name} has no slot for steps",
                    "declare one: slot effect(me: Side)",
                )
            else:
                steps(block_decl, kind, ordinal, steps_slot, contexts, answer, world)
    return made


def steps(
    node: t.MemberBlock,
    kind: m.Kind,
    ordinal: int,
    slot: m.Slot,
    contexts: tuple[m.Procedure, ...],
    answer: m.Var | None,
    world: CheckState,
) -> None:
    proc = m.Procedure(
        f"{kind.name} {node.name}",
        "slot",
        context=contexts[0] if contexts else None,
        ref=node.ref,
        span=node.span,
    )
    proc.params = [m.Var(v.name, v.type, proc) for v in slot.params]
    world.model.procedures.append(proc)
    world.visible[proc] = {v.name: v for v in proc.params}
    scope = frame_scope(proc, world)
    scope.answer, scope.member = answer, True
    proc.body = block(node.body, scope)
    slot.blocks[ordinal] = proc


def window_of(
    kind: m.Kind, ordinal: int, world: CheckState
) -> tuple[tuple[m.Procedure, ...], m.Var | None]:
    """Return the contexts in which the lines of a member are valid, and the variable that `answer`
    sets.

    They are those of the moment that the member names.
    """
    moments = world.model.moments
    assert moments is not None
    for fixed in kind.fixed.values():
        if (
            isinstance(fixed.type, m.MemberOf)
            and fixed.type.kind is moments
            and fixed.values
            and fixed.values[ordinal] >= 0
        ):
            name = moments.members[fixed.values[ordinal]]
            parts = world.moment_parts.get(name, [])
            answers = [
                f.result
                for p in parts
                if (f := world.frames.get(p)) is not None and f.result is not None
            ]
            if name in world.frames:
                return context_chain(world.frames[name]), answers[0] if answers else None
            decl = world.symbols[name].decl if name in world.symbols else None
            context = decl.context if isinstance(decl, t.MomentDecl) else None
            chain = context_chain(world.frames.get(context) if context else None)
            return chain, answers[0] if len(answers) == 1 else None
    return (), None


def holder(
    kind: m.Kind, ordinal: int, found: Collected, world: CheckState
) -> tuple[m.Var, m.Expr] | None:
    """Return the variable and the set of players of `rules while played as me`: the clauses of the
    member hold for them.
    """
    sides = world.model.sides
    for part, _ in found.kinds.get(kind.name, []):
        for item in part.items:
            if isinstance(item, t.RulesWhile) and sides is not None:
                member = m.Const(ordinal, type=m.MemberOf(kind))
                made = typed(item.cond, Scope(world, element=AttributeSubject(kind, member)))
                if isinstance(made.type, m.SetOf) and made.type.kind is sides:
                    return m.Var(item.var, m.MemberOf(sides)), made
                world.error(
                    "RK401",
                    item,
                    f"'rules while' needs the set of {sides.name} to which the rules apply",
                    f"declare 'state {getattr(item.cond, 'id', 'NAME')}: set {sides.name}' in this"
                    " kind",
                )
                return None
    return None


# ------------------------------------------------------------------------------------------------ t
def written_clauses(found: Collected, world: CheckState) -> list[Contribution]:
    """Return the clauses in the blocks of totals and permits, then those written by themselves."""
    made: list[Contribution] = []
    for symbol in world.symbols.values():
        decl = symbol.decl
        if isinstance(decl, (t.TotalDecl, t.PermitDecl)):
            for clause in decl.clauses:
                path = (
                    clause.path
                    if len(clause.path) == NAMES_OF_CLAUSE
                    else (decl.name, *clause.path)
                )
                whole = t.ClauseSyntax(
                    clause.word,
                    path,
                    clause.amount,
                    clause.when,
                    clause.reason,
                    clause.ref or decl.ref,
                    span=clause.span,
                )
                made.append(Contribution(whole, symbol.layer))
    made += [Contribution(clause, layer) for clause, layer in found.clauses]
    return made


def start(found: Collected, world: CheckState) -> None:
    """Find the first phase, and check the setup before it."""
    model = world.model
    symbol = world.symbols.get("main")
    if symbol is None or not isinstance(symbol.obj, m.Procedure):
        if any(d.code.startswith("RK2") for d in world.sink.errors):
            return  # it may stand in what could not be read
        files = list(world.source.files)  # those of libraries first
        file = next(
            (name for name in reversed(files) if name.endswith("game.yaml")),
            files[0] if files else "",
        )
        world.error(
            "RK510",
            Span(file, 1, 1, 1, 1),
            "the game has no 'phase main'",
            "the first phase must have the name 'main'",
        )
        return
    model.main = symbol.obj
    if found.setups:
        setup = m.Procedure("setup", "setup", span=found.setups[0].span)
        scope = frame_scope(setup, world)
        for decl in found.setups:
            setup.body += block(decl.body, scope)
        model.setup = setup
        model.procedures.append(setup)
    if not model.levels and not any(d.code.startswith("RK2") for d in world.sink.errors):
        world.error(
            "RK514",
            symbol.decl,
            "no 'finish' statement ends the game",
            "write 'finish WHO, LEVEL' where somebody has won, and 'finish none, LEVEL' for a draw",
        )
    if model.sides is None:
        world.error(
            "RK509",
            symbol.decl,
            "this game has no kind that 'decides'",
            "one kind must have the word 'decides', for example kind Side decides = white | black",
        )
