"""Relations between sets of which one contains another, because of the fixed values that their
conditions read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.membership_facts import key
from rulekit.compiler.check.lints.set_facts import base, lasting, said
from rulekit.compiler.model.visitor import reached

# whether a condition certainly holds where some facts do
Follows = Callable[[m.Expr, Sequence[m.Expr]], bool]


@define(eq=False)
class _Described:
    """The conditions on the elements of a set, by their structure.

    Attributes:
        firm: for each condition that reads no state, the attributes that it reads.
        whole: True if the conditions describe the whole set.
    """

    conds: dict[Any, m.Expr]
    firm: dict[Any, set[m.Fixed]]
    whole: bool


@define(eq=False)
class ContainedSets:
    """Answers which sets certainly contain another."""

    elements: dict[m.Kind, m.Read] = field(factory=dict)
    described: dict[Any, _Described] = field(factory=dict)
    answers: dict[Any, bool] = field(factory=dict)

    def related(
        self, counts: Sequence[tuple[m.Expr, m.Expr]], name: Callable[[m.Expr], Any], ask: Follows
    ) -> Iterator[m.Expr]:
        """Yield conditions on the numbers of elements: a set is empty if all sets that together
        contain it are empty.

        Args:
            counts: sets with the expression for their number of elements.
            name: the key of an expression.
        """
        by_kind: dict[m.Kind, list[tuple[_Described, m.Expr]]] = {}
        for source, number in counts if len(counts) > 1 else ():
            if isinstance(source.type, m.SetOf):
                made = self._of(source, source.type.kind, name(source))
                if made.firm:
                    by_kind.setdefault(source.type.kind, []).append((made, number))
        for those in by_kind.values():
            for inner, number in those:
                near = [each for each in those if _may_contain(each[0], inner)]
                apart = [each for each in near if not self._contain([each[0]], inner, ask)]
                for each in near:
                    if each not in apart:
                        yield _empty_with(number, [each[1]])
                if len(apart) > 1 and self._contain([one for one, _ in apart], inner, ask):
                    yield _empty_with(number, [more for _, more in apart])

    def _of(self, source: m.Expr, kind: m.Kind, name: Any) -> _Described:
        if name not in self.described:
            element = self.elements.setdefault(kind, m.Read(m.Var("element", m.MemberOf(kind))))
            conds = {key(cond): cond for cond in said(source, element)}
            read = {at: _attributes(cond) for at, cond in conds.items() if lasting(cond)}
            firm = {at: attributes for at, attributes in read.items() if attributes}
            whole = not isinstance(base(source), m.Collect)
            self.described[name] = _Described(conds, firm, whole)
        return self.described[name]

    def _contain(self, others: Sequence[_Described], inner: _Described, ask: Follows) -> bool:
        """Return True if every element of a set is certainly in one of the others."""
        more = [other.conds.keys() - inner.conds.keys() for other in others]
        reads = {
            each
            for other, keys in zip(others, more, strict=True)
            for at in keys
            for each in other.firm[at]
        }
        facts = [at for at, attributes in inner.firm.items() if attributes & reads]
        asked = (frozenset(map(frozenset, more)), frozenset(facts))
        if asked not in self.answers:
            ways = [
                m.And([other.conds[at] for at in keys])
                for other, keys in zip(others, more, strict=True)
            ]
            held = {each for at in facts for each in inner.firm[at]}
            self.answers[asked] = reads <= held and ask(
                m.Or([*ways]), [inner.conds[at] for at in facts]
            )
        return self.answers[asked]


def _may_contain(other: _Described, inner: _Described) -> bool:
    """Return True if fixed values alone decide whether a set contains another one."""
    more = other.conds.keys() - inner.conds.keys()
    return bool(more) and other.whole and more <= other.firm.keys()


def _attributes(cond: m.Expr) -> set[m.Fixed]:
    """Return the attributes that a condition reads."""
    return {node.fixed for node in reached(cond) if isinstance(node, m.ReadFixed)}


def _empty_with(number: m.Expr, others: Sequence[m.Expr]) -> m.Expr:
    none = m.Const(0, type=m.Int())
    there = [m.Compare(">", other, none, type=m.Bool()) for other in others]
    return m.Or([m.Compare("=", number, none, type=m.Bool()), *there])
