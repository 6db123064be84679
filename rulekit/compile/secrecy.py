"""Takes totals, permits and definitions, makes for each clause the secrets that it reads, for frontends that answer a viewer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulekit.check import model as m
from rulekit.check.secrets import Secret, Secrets, Term, facts_of
from rulekit.compile.unit import Unit
from rulekit.program.program import SecretInfo


class Secrecy:
    """What the declarations of one model read of what not all may see."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._secrets = Secrets()
        roots: list[m.Cell | m.Kind] = [*unit.model.cells, *unit.model.kinds.values()]
        self._roots = {id(root): root for root in roots}

    def of(self, params: Sequence[m.Var], e: m.Expr | None, given: m.Expr | None = None) -> list[SecretInfo]:
        """The secrets behind an expression, where `given` holds."""
        found = [s for s in self._secrets.of(e, facts_of(given)) if isinstance(s, Secret)]
        places = {id(p): i for i, p in enumerate(params)}
        return sorted({self._info(secret, places) for secret in found})

    def amount(self, params: Sequence[m.Var], clause: m.Clause) -> list[SecretInfo]:
        """Those behind what a clause gives."""
        return self.of(params, clause.amount, clause.cond)

    def presence(self, params: Sequence[m.Var], clause: m.Clause) -> list[SecretInfo]:
        """Those behind whether it counts, and how often."""
        sets = [holder[1] for holder in (clause.holder, *(c.holder for c in clause.cancels)) if holder is not None]
        return _united(self.of(params, e) for e in (clause.cond, *(c.cond for c in clause.cancels), *sets))

    def define(self, d: m.Define) -> list[SecretInfo]:
        """Those behind the value of a definition."""
        return _united(self.of(d.params, e) for case in d.cases for e in case)

    def _info(self, secret: Secret, places: dict[int, int]) -> SecretInfo:
        root = self._roots[secret.root]
        keys = secret.key[1:] if secret.key is not None else (None,) * (len(root.keys) if isinstance(root, m.Cell) else 1)
        where = tuple(_key(key, places) for key in keys)
        index = self._unit.index(root)
        return (index, -1, where) if isinstance(root, m.Cell) else (-1, index, where)


def _key(key: Term, places: dict[int, int]) -> tuple[str, int]:
    if key is not None and key[0] == "var" and key[1] in places:
        return "param", places[key[1]]
    return ("member", key[1]) if key is not None and key[0] == "const" else ("any", 0)


def _united(found: Iterable[list[SecretInfo]]) -> list[SecretInfo]:
    return sorted({secret for each in found for secret in each})
