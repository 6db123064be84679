"""Takes totals, `min` and `max`, warns of bounds that are never reached: by the ranges that are declared of what is added and compared."""

from __future__ import annotations

from rulekit import model as m
from rulekit.check.lints.outcomes import Ranges
from rulekit.check.lints.uses import Uses
from rulekit.check.names.scope import World
from rulekit.model.visitor import children, nodes, reached

WORDS = {"least": "at least", "most": "at most"}


def bounds(world: World, uses: Uses, ranges: Ranges) -> None:
    """Warns of each bound in the files of the game itself that makes no difference."""
    model = world.model
    ends = _table_ends(uses)
    for total in model.totals:
        for clause in total.clauses:
            if clause.word in WORDS and uses.is_own(clause) and not (clause.amount is not None and _is_end(total, clause.amount, ends)):
                _clause(total, clause, world, ranges)
    parts: list[m.Node] = [*model.defines, *model.totals, *model.permits, *model.slots, *model.procedures, *model.movements]
    for node in nodes(*(child for part in parts for child in children(part)), *model.options):
        if isinstance(node, m.Least) and node.span.file in uses.own and all(arg.span.line for arg in node.args):
            _of_several(node, world, ranges)


def _table_ends(uses: Uses) -> set[tuple[m.Total, int]]:
    """The ends of tables in which totals are looked up: a bound may say that the total keeps to them."""
    looked_up = [node for node in uses.nodes if isinstance(node, m.CallTable)]
    return {(arg.target, end) for node in looked_up for arg, domain in zip(node.args, node.table.keys, strict=True)
            if isinstance(arg, m.CallTotal) and domain is not None for end in (domain.low, domain.high)}


def _is_end(total: m.Total, amount: m.Expr, ends: set[tuple[m.Total, int]]) -> bool:
    return isinstance(amount, m.Const) and (total, amount.value) in ends


def _clause(total: m.Total, clause: m.Clause, world: World, ranges: Ranges) -> None:
    """An `at least` or `at most` of a total."""
    ends, bound = ranges.unbounded(total), ranges.of(clause.amount) if clause.amount is not None else None
    if ends is None or bound is None or clause.cancels or any(_hangs_on_data(each, total, clause.word) for each in total.clauses):
        return
    low, high = ends
    for other in total.of("least"):
        found = ranges.of(other.amount) if other.amount is not None else None
        if found is None:
            return
        high = max(high, found[1])
    if low >= bound[1] if clause.word == "least" else high <= bound[0]:
        than = f"less than {low}" if clause.word == "least" else f"more than {high}"
        world.sink.warn("RK705", clause.span, f"this '{WORDS[clause.word]}' of '{total.name}' makes no difference: the sum is never {than}",
                        "mend the number, or leave it out")


def _hangs_on_data(clause: m.Clause, total: m.Total, word: str) -> bool:
    """Is what a clause adds bounded only by how many members the data have? No count is less than 0, whatever these are."""
    if clause.amount is None or clause.word in WORDS:
        return False
    plain = isinstance(clause.amount, (m.Count, m.Aggregate)) and word == "least"
    return not plain and any(isinstance(node, (m.Count, m.Aggregate)) for node in reached(clause.amount))


def _of_several(e: m.Least, world: World, ranges: Ranges) -> None:
    """A number in `min` or `max` that another one is never above, or below."""
    if not all(isinstance(arg.type, m.Int) for arg in e.args):
        return
    ends = [None if any(isinstance(node, (m.Count, m.Aggregate)) for node in reached(arg)) else ranges.of(arg) for arg in e.args]
    for arg, own in zip(e.args, ends, strict=True):
        for other, its in zip(e.args, ends, strict=True):
            never = own is not None and its is not None and (its[1] <= own[0] if e.op == "min" else its[0] >= own[1])
            if never and other is not arg and not (own == its and e.args.index(arg) < e.args.index(other)):
                said = "more" if e.op == "min" else "less"
                world.sink.warn("RK705", arg.span, f"this number in '{e.op}' makes no difference: another one is never {said}",
                                "mend the number, or leave it out", second=other.span, second_label=f"never {said}")
                return
