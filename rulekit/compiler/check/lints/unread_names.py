"""Warn of names that nothing reads: parameters, `let`, `var`, `with` and `field`, the variables of
picks, rolls and loops, and the named elements of filters.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.common.i18n.message_format import names as gap_names
from rulekit.compiler import model as m
from rulekit.compiler.check.data.texts import RECORDS
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.resolve.collect import Collected
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import children, nodes
from rulekit.compiler.syntax import ast as t

ASKING = (m.Choose, m.Pick, m.PickGroup)


def unread(
    files: list[tuple[t.File, int]], world: CheckState, found: Collected, uses: ReachableUses
) -> None:
    """Warn of each name in the rules of the game itself that nothing reads."""
    given = {
        *found.needs,
        *(
            getattr(decl.decl, "name", "")
            for file, _ in files
            for decl in file.decls
            if isinstance(decl, t.Replace)
        ),
    }
    read = {*_read(world.model), *_in_texts(world), *world.model.shown_vars}
    for word, var in _named(world.model, uses, given):
        if (
            var.span.line
            and var.span.file in uses.own
            and var not in read
            and var.name not in uses.shown
        ):
            help = HELPS.get(word, "remove it, or use it where it belongs")
            world.sink.warn("RK702", var.span, f"the {word} '{var.name}' is never read", help)


HELPS = {
    "parameter": "remove it here and where it gets its value, or use it where it belongs",
    "name of the loop": "write 'repeat N times' if all rounds are the same, or use it",
    "name in the filter": (
        "the condition is the same for all members: correct it, or test it once, outside of the "
        "filter"
    ),
    "name of the roll": "remove the roll, or use its result",
    "name of the picked member": "remove the decision, or use the picked member",
}


# ----------------------------------------------------------------------------------- declared names
def _named(model: m.Model, uses: ReachableUses, given: set[str]) -> Iterator[tuple[str, m.Var]]:
    """Yield the word for each declared name, and its variable. Names inside an unused declaration
    are left out, because the declaration itself is reported.
    """
    asked: list[m.Define | m.Total | m.Permit] = [*model.defines, *model.totals, *model.permits]
    for one in asked:
        # Frontends call the shown ones, so their parameters are required.
        if uses.has(one) and one.name not in given and one.name not in uses.shown:
            yield from (("parameter", var) for var in one.params)
    for proc in model.procedures:
        if id(proc) not in uses.reached:
            continue
        if (
            proc.word in ("procedure", "phase", "moment", "main", "movement")
            and proc.name not in given
        ):
            yield from (("parameter", var) for var in proc.params)
        yield from _of_steps(model, proc)
    for movement in model.movements:
        if uses.has(movement) and movement.name not in given:
            yield from (("parameter", var) for var in movement.proc.params)
    for option in model.options:
        yield from (("parameter", var) for var in option.params)
        yield from (
            ("with", clause.var)
            for clause in option.clauses
            if isinstance(clause, m.With) and not _may_fail(clause)
        )
    yield from (
        ("name in the filter", node.var)
        for node in uses.nodes
        if isinstance(node, m.Filter) and node.var.name != "it"
    )


def _may_fail(clause: m.With) -> bool:
    """Return True if the option is not offered when this value is none. The clause is then a
    guard.
    """
    return isinstance(clause.value.type, m.MemberOf) and clause.value.type.optional


def _of_steps(model: m.Model, proc: m.Procedure) -> Iterator[tuple[str, m.Var]]:
    """Yield the names in the steps of a procedure, and in the options inside them."""
    reported: set[m.Var] = set()
    for node in nodes(proc.body):
        word, var = "", None
        if isinstance(node, m.SetVar):
            word, var = "field" if node.var.shared else "let" if node.var.once else "var", node.var
        elif isinstance(node, m.CallProc):
            word, var = "let", node.into
        elif isinstance(node, m.Roll) and model.rolled is None:
            word, var = "name of the roll", node.var
        elif isinstance(node, (m.Pick, m.PickGroup)):
            word, var = "name of the picked member", node.var
        elif isinstance(node, m.Each):
            word, var = "name of the loop", node.var
        elif isinstance(node, m.Together):
            word, var = "name of those who decide together", node.var
        if (
            var is not None
            and var not in reported
            and var not in proc.params
            and var is not proc.result
        ):
            reported.add(var)
            yield word, var


# -------------------------------------------------------------------------------------------- reads
def _read(model: m.Model) -> Iterator[m.Var]:
    """Yield the variables that are read somewhere. A read that only computes the variable's own
    next value does not count.
    """
    parts: list[m.Node] = [
        *model.defines,
        *model.totals,
        *model.permits,
        *model.slots,
        *model.events,
        *model.procedures,
        *model.movements,
    ]
    parts += [*model.options, *model.whenevers, *model.invariants]
    roots = [
        child
        for part in parts
        for child in (children(part) if isinstance(part, m.Declaration) else [part])
    ]
    idle: set[int] = set()
    for node in nodes(*roots, *(seen for cell in model.cells for seen in cell.seen)):
        if isinstance(node, m.SetVar):
            idle |= {
                id(each)
                for each in nodes(node.value)
                if isinstance(each, m.Read) and each.var is node.var
            }
        elif isinstance(node, m.Read) and id(node) not in idle:
            yield node.var
        elif isinstance(node, m.Pays) and isinstance(node.target, m.Var):
            yield node.target


def _in_texts(world: CheckState) -> Iterator[m.Var]:
    """Yield the variables that fill gaps of texts."""
    model = world.model
    callers: dict[m.Procedure, list[m.Procedure]] = {}
    for caller in model.procedures:
        for node in nodes(caller.body):
            if isinstance(node, m.CallProc):
                callers.setdefault(node.proc, []).append(caller)
    everywhere = {gap for name in RECORDS for gap in _gaps(world, f"moment.after.{name}")}
    for proc in model.procedures:
        mine = [*proc.params, *proc.vars]
        gaps = {
            gap
            for key in (
                f"phase.{proc.name}",
                f"moment.{proc.name}",
                f"moment.after.{proc.name}",
                f"moment.before.{proc.name}",
                f"prompt.{proc.name}",
                f"movement.{proc.name}",
            )
            for gap in _gaps(world, key)
        }
        yield from (var for var in mine if var.name in gaps | everywhere)
        for node in nodes(proc.body):
            if isinstance(node, ASKING):
                asked = _gaps(world, node.prompt, node.text)
                yield from (
                    var
                    for var in [
                        *mine,
                        *(var for each in callers.get(proc, ()) for var in each.params),
                    ]
                    if var.name in asked
                )
    for option in model.options:
        asked = _gaps(world, option.key, option.label)
        yield from (var for var in option.params if var.name in asked)


def _gaps(world: CheckState, key: str, text: str = "") -> set[str]:
    """Return the names in the gaps of a text in all languages, and in the text beside the
    declaration.
    """
    texts = [text, *(str(each[key].value) for each in world.source.texts.values() if key in each)]
    return {gap.split(".")[0] for each in texts for gap in gap_names(each)}
