"""The secrets that totals, permits, definitions and options read, clause by clause, for frontends
that answer an observer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulekit.compiler import model as m
from rulekit.compiler.analysis import dependencies as an
from rulekit.compiler.check.secrecy.facts import Term, facts_of, made, term
from rulekit.compiler.check.secrecy.taint import Secret, Secrets
from rulekit.compiler.lowering.control_flow import Flow
from rulekit.compiler.lowering.expressions import ExpressionLowering
from rulekit.compiler.lowering.options import clause_test
from rulekit.compiler.lowering.unit import Unit
from rulekit.compiler.model.visitor import nodes, substitute
from rulekit.runtime.program import FamilyInfo, SecretInfo

_DEEP = 6  # maximal depth of definitions inlined to find the source of a set


class Secrecy:
    """Finds the values that the declarations of a model read although not all players may see
    them.
    """

    def __init__(self, unit: Unit, local: set[int]) -> None:
        self._unit = unit
        # These variables differ for each step.
        steps = {
            v for mv in unit.model.movements for v in (mv.border_var, mv.from_var, mv.to_var, mv.at)
        }
        self._slots = {
            id(var): ("slot", slot)
            for var, slot in unit.lay.vars.items()
            if slot not in local and var not in steps
        }
        self._secrets = Secrets()
        roots: list[m.Cell | m.Kind] = [*unit.model.cells, *unit.model.kinds.values()]
        self._roots = {id(root): root for root in roots}

    def of(
        self, params: Sequence[m.Var], expression: m.Expr | None, given: m.Expr | None = None
    ) -> list[SecretInfo]:
        """Return the secrets that an expression depends on, provided that `given` holds."""
        found = [s for s in self._secrets.of(expression, facts_of(given)) if isinstance(s, Secret)]
        places = {**self._slots, **{id(p): ("param", i) for i, p in enumerate(params)}}
        return sorted({self._info(secret, places) for secret in found})

    def amount(self, params: Sequence[m.Var], clause: m.Clause) -> list[SecretInfo]:
        """Return the secrets that the amount of a clause depends on."""
        return self.of(params, clause.amount, clause.cond)

    def presence(self, params: Sequence[m.Var], clause: m.Clause) -> list[SecretInfo]:
        """Return the secrets that decide whether and how often a clause counts."""
        sets = [
            holder[1]
            for holder in (clause.holder, *(c.holder for c in clause.cancels))
            if holder is not None
        ]
        return _united(
            self.of(params, e) for e in (clause.cond, *(c.cond for c in clause.cancels), *sets)
        )

    def define(self, definition: m.Define) -> list[SecretInfo]:
        """Return the secrets that the value of a definition depends on."""
        return _united(self.of(definition.params, e) for case in definition.cases for e in case)

    def source(self, var: m.Var, expression: m.Expr, depth: int = 0) -> list[SecretInfo]:
        """Return the secrets that decide whether the thing `var` is in a set."""
        if isinstance(expression, m.Filter):
            cond = substitute(expression.cond, {expression.var: m.Read(var)})
            return _united([self.source(var, expression.source, depth), self.of([var], cond)])
        if isinstance(expression, m.SetOp):
            return _united(
                [
                    self.source(var, expression.left, depth),
                    self.source(var, expression.right, depth),
                ]
            )
        if isinstance(expression, m.If):
            return _united(
                [
                    self.of([var], expression.cond),
                    self.source(var, expression.then, depth),
                    self.source(var, expression.other, depth),
                ]
            )
        if isinstance(expression, m.CallDefine) and depth < _DEEP:
            return self.source(var, ExpressionLowering(self._unit).called(expression), depth + 1)
        return self.of([var], expression)

    def guards(
        self, params: Sequence[m.Var], clauses: Sequence[m.Expr | m.With], family: FamilyInfo
    ) -> None:
        """Record the secrets of each clause of a family, given that the conditions before it
        hold.
        """
        given: list[m.Expr] = []
        for each, info in zip(clauses, family.clauses, strict=True):
            info.presence = self.of(
                params, each.value if isinstance(each, m.With) else each, an.all_of(given)
            )
            given += [] if isinstance(each, m.With) else [each]

    def asked(self, me: m.Var | None) -> None:
        """Bind this variable to the player who is asked, for all later queries."""
        self._slots.update({id(me): ("asked", 0)} if me is not None else {})

    def masked(self, params: Sequence[m.Var], var: m.Var) -> list[SecretInfo]:
        """Return the secrets that a parameter of an event, or a variable of a procedure, reveals.

        `check` has found them. They are expressed by the parameters.
        """
        return self._noted(params, self._unit.model.masked.get(var, ()))

    def given(self, params: Sequence[m.Var]) -> list[SecretInfo]:
        """Return the secrets that the arguments of a total, definition or table may reveal."""
        return sorted({secret for param in params for secret in self.masked(params, param)})

    def private(self, params: Sequence[m.Var], var: m.Var) -> list[SecretInfo]:
        """Return the secrets that the value of a variable depends on, whether it is shown or
        not.
        """
        return self._noted(params, self._unit.model.private.get(var, ()))

    def written(self, event: m.EventDeclaration) -> list[SecretInfo]:
        """Return the places where an event writes a value that not all players may see."""
        places = {id(p): ("param", i) for i, p in enumerate(event.params)}
        sets = [
            node for node in nodes(event.body) if isinstance(node, m.SetCell) and node.cell.seen
        ]
        return sorted(
            {self._place(node.cell, made("keys", *map(term, node.keys)), places) for node in sets}
        )

    def _noted(
        self, params: Sequence[m.Var], found: Iterable[tuple[m.Cell | m.Kind, Term]]
    ) -> list[SecretInfo]:
        places = {**self._slots, **{id(p): ("param", i) for i, p in enumerate(params)}}
        return sorted({self._place(root, _in_memory(key), places) for root, key in found})

    def _info(self, secret: Secret, places: Mapping[int, tuple[str, int]]) -> SecretInfo:
        return self._place(self._roots[secret.root], secret.key, places)

    def _place(
        self, root: m.Cell | m.Kind, key_of: Term, places: Mapping[int, tuple[str, int]]
    ) -> SecretInfo:
        keys = (
            key_of[1:]
            if key_of is not None
            else (None,) * (len(root.keys) if isinstance(root, m.Cell) else 1)
        )
        where = tuple(_key(key, places) for key in keys)
        index = self._unit.index(root)
        return (index, -1, where) if isinstance(root, m.Cell) else (-1, index, where)


def _in_memory(keys: Term) -> Term:
    """Return the terms of keys in the form used here, where a variable is identified by its object
    id.
    """
    return (
        None
        if keys is None
        else (
            keys[0],
            *(
                ("var", id(key[1])) if key is not None and key[0] == "var" else key
                for key in keys[1:]
            ),
        )
    )


def _key(key: Term, places: Mapping[int, tuple[str, int]]) -> tuple[str, int]:
    if key is not None and key[0] == "var" and key[1] in places:
        return places[key[1]]
    return ("member", key[1]) if key is not None and key[0] == "const" else ("any", 0)


def _united(found: Iterable[list[SecretInfo]]) -> list[SecretInfo]:
    return sorted({secret for each in found for secret in each})


def offered(secrecy: Secrecy, flow: Flow) -> None:
    """Record in the families of options the secrets that decide whether an option is offered."""
    for index, option in flow.spans.items():
        family = flow.families[index]
        secrecy.asked(option.me)
        family.secrets = _united(secrecy.of(option.params, domain) for domain in option.domains)
        secrecy.guards(
            option.params,
            [c if isinstance(c, m.With) else clause_test(c) for c in option.clauses],
            family,
        )
    for index, group in flow.groups.items():
        s, family = group.stmt, flow.families[index]
        family.secrets = _united([secrecy.source(s.var, s.source), secrecy.of([], s.high)])
        secrecy.guards([], [s.keeps.cond] if s.keeps is not None else [], family)
    for index, source in flow.picks.items():
        flow.families[index].secrets = secrecy.source(
            m.Var("picked", m.MemberOf(m.kind_of(source.type))), source
        )
    for index, mv in flow.walks.items():
        steps, stops = flow.families[index : index + 2]
        steps.secrets = _united([secrecy.of([], mv.cost), secrecy.of([], mv.allowance)])
        secrecy.guards([], [g.cond for g in (*mv.may, *mv.end)], steps)
        secrecy.guards([], [g.cond for g in mv.end], stops)
