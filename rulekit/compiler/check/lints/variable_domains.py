"""Finite sets of values to try for the variables of expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulekit.compiler import model as m
from rulekit.compiler.model.visitor import children, nodes

FULL = 40  # maximal number of values of a variable that are all tried
FAR = m.NO_LIMIT
SAME = ("=", "!=")

Domain = tuple[int, ...]


def size(domains: Mapping[m.Var, Domain]) -> int:
    """Return the number of combinations of values."""
    ways = 1
    for domain in domains.values():
        ways *= len(domain)
    return ways


def domains_of(
    known: Mapping[m.Var, Domain | None],
    ends: Mapping[m.Var, tuple[int, int] | None],
    whole: Sequence[m.Expr],
) -> dict[m.Var, Domain]:
    """Return the values to try for each variable.

    A number that is only compared with single values needs those and their neighbours. If members
    are only compared with each other, one more member than there are variables is enough.
    """
    every = [*nodes(*whole)]
    reads = list(dict.fromkeys(node.var for node in every if isinstance(node, m.Read)))
    numbers = {0, 1} | {n for node in every if isinstance(node, m.Const) for n in _around(node)}
    for var in reads:
        domain = known[var]
        if isinstance(var.type, m.Int) and domain is not None and len(domain) <= FULL:
            numbers |= {n + by for n in domain for by in (-1, 0, 1)}
    made: dict[m.Var, Domain] = {}
    for var in reads:
        domain = known[var]
        low, high = ends.get(var) or (-FAR, FAR)
        made[var] = (
            domain
            if domain is not None
            else tuple(sorted({low, high, *(n for n in numbers if low <= n <= high)}))
        )
    if size(made) > FULL:
        _alike(made, every)
    return made


def _around(node: m.Const) -> Iterator[int]:
    if isinstance(node.type, m.Int):
        yield from (node.value - 1, node.value, node.value + 1)


def _alike(made: dict[m.Var, Domain], every: Sequence[m.Node]) -> None:
    """Drop members that no expression distinguishes from others of their kind."""
    by_kind: dict[m.Kind, list[m.Var]] = {}
    for var in made:
        if isinstance(var.type, m.MemberOf):
            by_kind.setdefault(var.type.kind, []).append(var)
    particular = {kind for node in every for kind in _particular(node)}
    for kind, those in by_kind.items():
        whole = all(
            len([member for member in made[var] if member >= 0]) == kind.size for var in those
        )
        if kind in particular or not whole:
            continue
        named = {node.value for node in every if isinstance(node, m.Const) and _is_of(node, kind)}
        others = [member for member in range(kind.size) if member not in named][: len(those) + 1]
        for var in those:
            made[var] = tuple(
                member for member in made[var] if member < 0 or member in named or member in others
            )


def _particular(node: m.Node) -> Iterator[m.Kind]:
    """Yield the kinds for which an expression tests more than the equality of two members."""
    if isinstance(node, (m.Const, m.Read)) and isinstance(node.type, m.SetOf):
        yield node.type.kind
    if isinstance(node, (m.ReadFixed, m.Shift, m.Least, m.Between, m.Arith)) or (
        isinstance(node, m.Compare) and node.op not in SAME
    ):
        for each in (node, *children(node)):
            if isinstance(each, m.Expr) and isinstance(each.type, m.MemberOf):
                yield each.type.kind


def _is_of(node: m.Const, kind: m.Kind) -> bool:
    return isinstance(node.type, m.MemberOf) and node.type.kind is kind
