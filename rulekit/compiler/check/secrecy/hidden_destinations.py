"""Find, for each variable, the secret cells to which its value is written."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from attrs import define, evolve, field, frozen

from rulekit.compiler import model as m
from rulekit.compiler.check.secrecy.facts import Term, bindings, term
from rulekit.compiler.check.secrecy.taint import Secret, Secrets, is_secret, secret_of
from rulekit.compiler.model.visitor import nodes


@frozen
class _Way:
    """A flow of the value of `source` into another variable.

    Attributes:
        terms: the terms to substitute for variables at the destination.
    """

    source: m.Var
    terms: Mapping[int, Term] = field(factory=dict, hash=False)


@define(eq=False)
class Destined:
    """The destinations of the values of one model.

    A chosen value that is written to a secret cell is known only to the chooser, from the moment of
    the choice.
    """

    model: m.Model
    secrets: Secrets
    apart: Collection[
        m.Kind
    ]  # of which things it is no secret that something is written for them, or is masked otherwise
    _found: dict[m.Var, set[Secret]] = field(factory=dict)
    _public: set[m.Var] = field(factory=set)
    _ways: dict[m.Var, list[_Way]] = field(factory=dict)

    @classmethod
    def of(
        cls,
        model: m.Model,
        secrets: Secrets,
        masked: Collection[m.Kind],
        bodies: Iterable[Sequence[object]],
    ) -> Destined:
        """Collect the destinations from the statements of all procedures and events.

        Args:
            masked: the kinds with members that are masked for players who may not know them.
        """
        made = cls(model, secrets, {*masked, *([model.sides] if model.sides is not None else [])})
        for body in bodies:
            for node in nodes(body):
                made._look(node)
        for event in model.events:
            shown = [term(each) for each in event.reveals]
            for node in nodes(event.body):
                if isinstance(node, m.SetCell) and (
                    not is_secret(node.cell.seen) or any(term(key) in shown for key in node.keys)
                ):
                    made._public.update(
                        () if node.cell.hidden else made._read([node.value, *node.keys])
                    )
                else:
                    made._look(node)
        made._follow()
        return made

    def private(self, var: m.Var) -> frozenset[Secret]:
        """Return the secrets that a chosen value will become, or nothing if it is also written
        publicly.
        """
        return frozenset() if var in self._public else frozenset(self._found.get(var, ()))

    def is_public(self, var: m.Var) -> bool:
        """Return True if the event with this parameter writes the value to a public cell."""
        return var in self._public

    # ---------------------------------------------------------------- one statement
    def _look(self, node: object) -> None:
        if isinstance(node, m.SetCell):
            self._write(node.cell, node.keys, node.value, node)
        elif isinstance(node, m.Pays) and isinstance(node.target, m.ReadCell):
            self._write(node.target.cell, node.target.keys, node.amount, node.amount)
        elif isinstance(node, m.Pays) and isinstance(node.target, m.Var):
            self._goes([node.amount], node.target)
        elif isinstance(node, m.SetVar | m.With):
            self._goes([node.value], node.var)
        elif isinstance(node, m.CallProc):
            self._given(node.proc.params, node.args)
            if node.into is not None and node.proc.result is not None:
                self._ways.setdefault(node.into, []).append(_Way(node.proc.result))
        elif isinstance(node, m.CallEvent):
            self._given(node.event.params, node.args)
        elif isinstance(node, m.CallSlotSteps):
            for proc in node.slot.blocks:
                self._given(proc.params if proc is not None else [], node.args)
        elif isinstance(node, m.Walk):
            self._given(node.movement.proc.params, node.args)
        elif isinstance(node, m.Each | m.Together):
            self._goes(
                [node.source] if node.source is not None else getattr(node, "items", None) or [],
                node.var,
            )

    def _write(
        self, cell: m.Cell, keys: Sequence[m.Expr], value: m.Expr, place: m.SetCell | m.Expr
    ) -> None:
        if cell.hidden or not is_secret(cell.seen):
            return
        secret = evolve(secret_of(cell, keys), into=place.span)
        for var in self._read([value, *[key for key in keys if not self._is_apart(key.type)]]):
            if not self._is_apart(var.type) or _kind(var.type) is _kind(
                value.type
            ):  # `income(s)` does not say who `s` is
                self._found.setdefault(var, set()).add(secret)

    def _is_apart(self, type: m.Type) -> bool:
        return _kind(type) in self.apart

    def _given(self, params: Sequence[m.Var], args: Sequence[m.Expr]) -> None:
        terms = bindings(params, args)
        for param, arg in zip(params, args, strict=False):
            self._goes([arg], param, terms)

    def _goes(
        self, values: Sequence[m.Expr], var: m.Var, terms: Mapping[int, Term] | None = None
    ) -> None:
        self._ways.setdefault(var, []).extend(
            _Way(each, terms or {}) for each in self._read(values)
        )

    def _read(self, values: Iterable[m.Expr]) -> list[m.Var]:
        """Return the variables that taint these values."""
        return [
            each for value in values for each in self.secrets.of(value) if isinstance(each, m.Var)
        ]

    # ---------------------------------------------------------------- all of them
    def _follow(self) -> None:
        """Propagate destinations backwards, from the places of writes to the sources of the
        values.
        """
        waiting = list(self._found)
        while waiting:
            var = waiting.pop()
            for way in self._ways.get(var, ()):
                known = self._found.setdefault(way.source, set())
                more = {each.filled(dict(way.terms)) for each in self._found[var]} - known
                if more:
                    known |= more
                    waiting.append(way.source)


def _kind(type: m.Type) -> m.Kind | None:
    return type.kind if isinstance(type, m.MemberOf | m.SetOf) else None
