"""Warn of bounds in totals, `min` and `max` that make no difference, or beside which nothing else
does.

The declared ranges of the operands decide: a bound may never be reached, it may always replace the
sum, or it may always swallow a modifier.
"""

from __future__ import annotations

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.value_enumeration import ALWAYS, NEVER, Outcomes, Ranges
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import children, nodes, reached

WORDS = {"least": "at least", "most": "at most"}


def bounds(world: CheckState, uses: ReachableUses, declared: Outcomes) -> None:
    """Warn of each bound in the files of the game itself that makes no difference, or that makes
    others useless.

    Args:
        declared: outcomes that hold for any data.
    """
    model, ranges = world.model, declared.ranges
    ends = _table_ends(uses)
    known = {d.span for d in world.sink.found if d.code == "RK705"}
    for total in model.totals:
        reported = any(clause.span in known for clause in total.clauses if clause.word in WORDS)
        for clause in total.clauses:
            if clause.word in WORDS and uses.is_own(clause) and clause.span not in known:
                at_end = clause.amount is not None and _is_end(total, clause.amount, ends)
                if at_end or not _clause(total, clause, world, declared):
                    reported = _alone(total, clause, world, declared) or reported
        for clause in total.clauses if not reported else ():
            if clause.word == "modifier" and uses.is_own(clause) and clause.span not in known:
                _swallowed(total, clause, world, declared)
    parts: list[m.Node] = [
        *model.defines,
        *model.totals,
        *model.permits,
        *model.slots,
        *model.procedures,
        *model.movements,
    ]
    for node in nodes(*(child for part in parts for child in children(part)), *model.options):
        if (
            isinstance(node, m.Least)
            and node.span.file in uses.own
            and all(arg.span.line for arg in node.args)
        ):
            _of_several(node, world, ranges)


def _table_ends(uses: ReachableUses) -> set[tuple[m.Total, int]]:
    """Return the ends of tables in which totals are looked up. A bound may state that the total
    stays within them.
    """
    looked_up = [node for node in uses.nodes if isinstance(node, m.CallTable)]
    return {
        (arg.target, end)
        for node in looked_up
        for arg, domain in zip(node.args, node.table.keys, strict=True)
        if isinstance(arg, m.CallTotal) and domain is not None
        for end in (domain.low, domain.high)
    }


def _is_end(total: m.Total, amount: m.Expr, ends: set[tuple[m.Total, int]]) -> bool:
    return isinstance(amount, m.Const) and (total, amount.value) in ends


def _clause(total: m.Total, clause: m.Clause, world: CheckState, declared: Outcomes) -> bool:
    """Warn of an `at least` or `at most` of a total that is never reached."""
    ranges = declared.ranges
    ends, bound = (
        _apart(total, clause.word, declared),
        (ranges.of(clause.amount) if clause.amount is not None else None),
    )
    if (
        ends is None
        or bound is None
        or clause.cancels
        or any(_hangs_on_data(each, total, clause.word) for each in total.clauses)
    ):
        return False
    low, high = ends
    for other in total.of("least"):
        found = ranges.of(other.amount) if other.amount is not None else None
        if found is None:
            return False
        high = max(high, found[1])
    if not (low >= bound[1] if clause.word == "least" else high <= bound[0]):
        return False
    than = f"less than {low}" if clause.word == "least" else f"more than {high}"
    world.sink.warn(
        "RK705",
        clause.span,
        f"this '{WORDS[clause.word]}' of '{total.name}' has no effect: the sum is never {than}",
        "correct the number, or remove it",
    )
    return True


def _apart(total: m.Total, word: str, declared: Outcomes) -> tuple[int, int] | None:
    """Return the range of a total without its bounds. Of modifiers that exclude each other, only
    the one that moves it furthest towards the bound counts.
    """
    ranges = declared.ranges
    ends = ranges.unbounded(total)
    groups: list[list[tuple[m.Expr, int]]] = []
    for clause in total.of("modifier") if ends is not None else ():
        by = ranges.of(clause.amount) if clause.amount is not None else None
        far = None if by is None else by[0] if word == "least" else by[1]
        if clause.cond is None or far is None or (far >= 0 if word == "least" else far <= 0):
            continue
        cond = clause.cond
        fit = (g for g in groups if all(declared.of(cond, (c,)) == NEVER for c, _ in g))
        group = next(fit, None)
        if group is None:
            groups.append(group := [])
        group.append((cond, far))
    pick = min if word == "least" else max
    spare = sum(sum(far for _, far in g) - pick(far for _, far in g) for g in groups)
    if ends is None:
        return None
    return (ends[0] - spare, ends[1]) if word == "least" else (ends[0], ends[1] - spare)


def _alone(total: m.Total, bound: m.Clause, world: CheckState, declared: Outcomes) -> bool:
    """Warn of an unconditional bound that always replaces the sum, so that all other clauses never
    count.
    """
    end = _end(bound, declared.ranges)
    sums = _sums(total, None, bound.word, declared) if bound.cond is None else None
    if end is None or sums is None or not _within(sums, end, bound.word):
        return False
    swallowed = [clause for clause in total.clauses if clause.word in ("base", "set", "modifier")]
    first = next(
        (clause for clause in swallowed if clause.word == "modifier"),
        swallowed[0] if swallowed else None,
    )
    why = f"the sum is never {_beyond(sums, bound.word)}, so this '{WORDS[bound.word]}' replaces it"
    world.sink.warn(
        "RK705",
        bound.span,
        f"no other clause of '{total.name}' matters: {why}",
        "correct the number, or write the total as this number alone",
        second=first.span if first is not None else None,
        second_label="this has no effect",
    )
    return True


def _swallowed(total: m.Total, modifier: m.Clause, world: CheckState, declared: Outcomes) -> None:
    """Warn of a modifier that makes no difference: wherever it counts, a bound replaces the sum
    with it and without it.
    """
    assert modifier.amount is not None
    by = declared.ranges.of(modifier.amount)
    if by == (0, 0) or (modifier.cond is not None and declared.of(modifier.cond) == NEVER):
        return  # another finding reports this
    for bound in (*total.of("least"), *total.of("most")):
        end, rest = _end(bound, declared.ranges), _sums(total, modifier, bound.word, declared)
        if end is None or by is None or rest is None or not _holds_with(bound, modifier, declared):
            continue
        sums = (rest[0] + min(by[0], 0), rest[1] + max(by[1], 0))
        if _within(sums, end, bound.word):
            why = (
                f"where it applies, the sum is never {_beyond(sums, bound.word)}, so"
                f" '{WORDS[bound.word]}' replaces it"
            )
            world.sink.warn(
                "RK705",
                modifier.span,
                f"the modifier '{total.name}.{modifier.name}' has no effect: {why}",
                "correct one of the numbers, or remove the clause",
                second=bound.span,
                second_label=f"'{WORDS[bound.word]}'",
            )
            return


def _beyond(sums: tuple[int, int], word: str) -> str:
    """Return the text for the values that these sums never have, on the side of a bound."""
    return f"more than {sums[1]}" if word == "least" else f"less than {sums[0]}"


def _within(sums: tuple[int, int], end: tuple[int, int], word: str) -> bool:
    """Return True if a bound replaces all these sums."""
    return sums[1] <= end[0] if word == "least" else sums[0] >= end[1]


def _end(bound: m.Clause, ranges: Ranges) -> tuple[int, int] | None:
    """Return the range of the number of a bound that nothing cancels."""
    return (
        ranges.of(bound.amount)
        if bound.amount is not None and not bound.cancels and bound.holder is None
        else None
    )


def _holds_with(bound: m.Clause, modifier: m.Clause, declared: Outcomes) -> bool:
    """Return True if a bound counts wherever a modifier does."""
    return bound.cond is None or (
        modifier.cond is not None and declared.of(bound.cond, (modifier.cond,)) == ALWAYS
    )


def _sums(
    total: m.Total, counting: m.Clause | None, word: str, declared: Outcomes
) -> tuple[int, int] | None:
    """Return the range of the sum of all other clauses where one clause counts.

    None means that it is unknown, or depends only on the number of members in the data.
    """
    facts = (counting.cond,) if counting is not None and counting.cond is not None else ()
    there = [
        clause
        for clause in total.clauses
        if clause is not counting
        and clause.word not in WORDS
        and (clause.cond is None or not facts or declared.of(clause.cond, facts) != NEVER)
    ]
    other = "most" if word == "least" else "least"
    if any(
        _hangs_on_data(clause, total, other)
        for clause in (*there, *([counting] if counting is not None else []))
    ):
        return None
    sure = [
        clause
        for clause in there
        if clause.cond is not None and declared.of(clause.cond, facts) == ALWAYS
    ]
    return declared.ranges.together(there, sure)


def _hangs_on_data(clause: m.Clause, total: m.Total, word: str) -> bool:
    """Return True if only the number of members in the data bounds the amount of a clause. A count
    is never less than 0 for any data.
    """
    if clause.amount is None or clause.word in WORDS:
        return False
    plain = isinstance(clause.amount, (m.Count, m.Aggregate)) and word == "least"
    return not plain and any(
        isinstance(node, (m.Count, m.Aggregate)) for node in reached(clause.amount)
    )


def _of_several(e: m.Least, world: CheckState, ranges: Ranges) -> None:
    """Warn of a number in `min` or `max` that makes no difference because of another one."""
    if not all(isinstance(arg.type, m.Int) for arg in e.args):
        return
    ends = [
        (
            None
            if any(isinstance(node, (m.Count, m.Aggregate)) for node in reached(arg))
            else ranges.of(arg)
        )
        for arg in e.args
    ]
    for arg, own in zip(e.args, ends, strict=True):
        for other, its in zip(e.args, ends, strict=True):
            never = (
                own is not None
                and its is not None
                and (its[1] <= own[0] if e.op == "min" else its[0] >= own[1])
            )
            if (
                never
                and other is not arg
                and not (own == its and e.args.index(arg) < e.args.index(other))
            ):
                said = "more" if e.op == "min" else "less"
                world.sink.warn(
                    "RK705",
                    arg.span,
                    f"this number in '{e.op}' has no effect: another one is never {said}",
                    "correct the number, or remove it",
                    second=other.span,
                    second_label=f"never {said}",
                )
                return
