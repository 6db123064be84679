"""The possible values of results of tables, and of parameters and `let` variables that receive
nothing else.

The rows of a table are constant data. The results of one lookup in a `let` come from the same row,
so their values are related.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TypeVar

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.membership_facts import is_there
from rulekit.compiler.check.lints.variable_aliases import calls_of, every_step, givers

MAX_TABLE_ROWS = 40  # maximal number of distinct rows of a table
DEEP = 6  # maximal depth of definitions, and of procedures that pass a value on
Rows = frozenset[tuple[int, ...]]
SINGLE = (m.Int, m.Bool, m.MemberOf)
T = TypeVar("T")


@define(eq=False)
class GivenValues:
    """The possible values of variables.

    Attributes:
        sources: for each parameter or `let`, all expressions that it receives, if they are known.
    """

    sources: dict[m.Var, list[m.Expr]] = field(factory=dict)
    found: dict[m.Var, frozenset[int] | None] = field(factory=dict)
    looked_up: dict[m.Var, list[tuple[int, ...]] | None] = field(factory=dict)

    @classmethod
    def of(cls, model: m.Model) -> GivenValues:
        """Collect the sources from all steps of a game."""
        every = every_step(model)
        given, sources = givers(every, model), defaultdict[m.Var, list[m.Expr]](list)
        for node in every:
            if isinstance(node, m.SetVar) and node.var.once and node.op == ":=":
                sources[node.var].append(node.value)
        known = {var: values for var, values in sources.items() if given[var] == len(values)}
        calls, otherwise = calls_of(every)
        for proc, args in calls.items():
            if proc.word in ("procedure", "phase") and proc not in otherwise:
                known.update(
                    (param, [each[at] for each in args])
                    for at, param in enumerate(proc.params)
                    if not given[param]
                )
        return cls(known)

    def values(self, e: m.Expr, deep: int = DEEP) -> frozenset[int] | None:
        """Return the possible values of a number, member or truth value. None means all values of
        its type.
        """
        if not deep or not isinstance(e.type, SINGLE):
            return None
        if isinstance(e, m.Const):
            return frozenset({e.value})
        if isinstance(e, m.InRange):
            return self.values(e.value, deep)
        if isinstance(e, m.If):
            return _joined([self.values(e.then, deep), self.values(e.other, deep)])
        if isinstance(e, m.CallTable) and e.output is not None:
            return frozenset(e.table.data[e.output]) if _finds(e) else None
        if isinstance(e, m.FieldOf):
            rows = self._rows(e.record, deep)
            return frozenset(row[e.index] for row in rows) if rows is not None else None
        if not isinstance(e, m.Read) or e.var not in self.sources:
            return None
        if e.var not in self.found:
            self.found[e.var] = (
                None  # During the computation too: a variable that receives itself is not followed.
            )
            self.found[e.var] = _joined(
                [self.values(each, deep - 1) for each in self.sources[e.var]]
            )
        return self.found[e.var]

    def rows(self, record: m.Expr) -> list[tuple[int, ...]] | None:
        """Return the distinct rows that a `let` of several results can hold. None if they are
        unknown or too many.
        """
        if not isinstance(record, m.Read):
            return None
        if record.var not in self.looked_up:
            rows = self._rows(record, DEEP)
            self.looked_up[record.var] = (
                sorted(rows) if rows is not None and len(rows) <= MAX_TABLE_ROWS else None
            )
        return self.looked_up[record.var]

    def _rows(self, e: m.Expr, deep: int) -> Rows | None:
        if not deep:
            return None
        if isinstance(e, m.CallTable) and e.output is None:
            whole = all(isinstance(type, SINGLE) for _, type in e.table.outputs)
            return frozenset(zip(*e.table.data, strict=True)) if whole and _finds(e) else None
        if isinstance(e, m.If):
            return _joined([self._rows(e.then, deep), self._rows(e.other, deep)])
        if isinstance(e, m.CallDefine):
            return _joined([self._rows(value, deep - 1) for _, value in e.target.cases])
        if isinstance(e, m.Read) and e.var in self.sources:
            return _joined([self._rows(each, deep - 1) for each in self.sources[e.var]])
        return None


def _finds(e: m.CallTable) -> bool:
    """Return True if the lookup always finds something. With none as a key it does not."""
    return all(
        is_there(arg)
        for arg, key in zip(e.args, e.table.keys, strict=True)
        if key is not None and key.kind is not None
    )


def _joined(found: list[frozenset[T] | None]) -> frozenset[T] | None:
    """Return the union of these sets, or None if one of them is unknown."""
    known = [each for each in found if each is not None]
    return frozenset[T]().union(*known) if known and len(known) == len(found) else None
