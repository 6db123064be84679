"""The conditions that hold where the steps of a hook, a reaction, a `whenever` rule or a card
begin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.membership_facts import key
from rulekit.compiler.check.lints.set_facts import parts, said
from rulekit.compiler.check.lints.step_facts import Facts, is_free, without
from rulekit.compiler.check.lints.sure_effects import SureEffects
from rulekit.compiler.model.visitor import nodes, substitute


def entries(model: m.Model, effects: SureEffects) -> dict[m.Procedure, Facts]:
    """Return the facts at the beginning of such procedures."""
    found: dict[m.Procedure, list[Facts]] = {}
    options = {option.proc: option for option in model.options if option.proc is not None}
    for proc in model.procedures:
        for window, facts in windows(proc, effects):
            taken = [option.proc for option in window.options if option.proc is not None]
            others = [m.CallProc(each, []) for each in (*(h.proc for h in window.hooks), *taken)]
            for option_proc in taken:
                found.setdefault(option_proc, []).append(effects.kept(facts, others))
            for at, hook in enumerate(window.hooks):
                before = [m.CallProc(other.proc, []) for other in window.hooks[:at]]
                here = effects.kept(facts, before)
                found.setdefault(hook.proc, []).append(
                    (*here, *([hook.cond] if hook.cond is not None else []))
                )
        for block, lines in _cards(proc, effects, options.get(proc)):
            found.setdefault(block, []).append(lines)
    for rule in model.whenevers:
        element = m.Read(rule.proc.params[0], type=rule.var.type)
        facts = tuple(each for part in said(rule.source, element) for each in parts(part))
        found.setdefault(rule.proc, []).append(facts)
    return {proc: _common(each) for proc, each in found.items()}


def windows(proc: m.Procedure, effects: SureEffects) -> Iterator[tuple[m.Window, Facts]]:
    """Yield the windows of a procedure, each with what the event before it has made true."""
    facts: Facts = ()
    body = proc.body
    if proc.word == "event" and body and isinstance(body[-1], m.IfStmt):
        body = [*body[:-1], *body[-1].then]
    for stmt in body:
        if isinstance(stmt, m.CallEvent):
            facts = effects.of(stmt)
        elif isinstance(stmt, m.Window):
            yield stmt, facts


def _common(ways: Sequence[Facts]) -> Facts:
    """Return the facts that hold in all ways to a procedure."""
    first, *others = ways
    known = [{key(fact) for fact in way} for way in others]
    return tuple(fact for fact in first if all(key(fact) in way for way in known))


# -------------------------------------------------------------------------------------------- cards
def _cards(
    proc: m.Procedure, effects: SureEffects, option: m.GuardedOption | None
) -> Iterator[tuple[m.Procedure, Facts]]:
    """Yield the steps of each member that a procedure runs, with its `when` lines that hold there.
    They hold if the option tests them, and if nothing before has changed what they read.
    """
    asked = [
        node
        for clause in (option.clauses if option is not None else ())
        if isinstance(clause, m.Guarded)
        for node in parts(clause.cond)
        if isinstance(node, m.CallSlot)
    ]
    for at, step in enumerate(proc.body):
        if isinstance(step, m.CallSlotSteps):
            guards = [each for each in asked if key(each.member) == key(step.member)]
            before = proc.body[:at]
            changed = frozenset[m.Node]().union(*map(effects.changed, before))
            firm = all(is_free(arg, changed) for arg in (step.member, *step.args))
            for member, block in enumerate(step.slot.blocks):
                if block is not None:
                    lines = [f for each in guards for f in _lines(each, member, step, block)]
                    yield block, effects.kept(unpaid(tuple(lines), option), before) if firm else ()
    inside = {id(stmt) for stmt in proc.body}
    for node in nodes(*proc.body):
        if isinstance(node, m.CallSlotSteps) and id(node) not in inside:
            yield from ((block, ()) for block in node.slot.blocks if block is not None)


def _lines(
    guard: m.CallSlot, member: int, step: m.CallSlotSteps, block: m.Procedure
) -> Iterator[m.Expr]:
    """Yield the `when` lines of a member in terms of the parameters of its steps."""
    value = guard.slot.values[member] if member < len(guard.slot.values) else None
    names = {key(arg): param for arg, param in zip(step.args, block.params, strict=False)}
    by = {
        param: m.Read(names[key(arg)], type=param.type)
        for param, arg in zip(guard.slot.params, guard.args, strict=True)
        if key(arg) in names
    }
    if value is not None and len(by) == len(guard.slot.params):
        yield from (substitute(part, by) for part in parts(value))


def unpaid(facts: Facts, option: m.GuardedOption | None) -> Facts:
    """Return the facts that do not read what an option takes its price from."""
    for clause in option.clauses if option is not None else ():
        if isinstance(clause, m.Pays):
            facts = without(
                facts, clause.target if isinstance(clause.target, m.Var) else clause.target.cell
            )
    return facts
