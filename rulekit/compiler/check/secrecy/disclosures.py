"""The facts that a statement makes public."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.secrecy.facts import (
    ANY,
    IT,
    Term,
    bindings,
    equal,
    fill,
    general,
    leaves,
    made,
    mentioned,
    negated,
    reads,
    renamed,
    term,
    tests,
)
from rulekit.compiler.check.secrecy.invalidation import Facts, Undoing
from rulekit.compiler.check.secrecy.taint import Secret, is_secret
from rulekit.compiler.model.visitor import nodes

NO_FACTS: Facts = frozenset()
_MAX_LOOP_NUMBERS = 64  # numbers of a loop that are looked at one by one


@define
class Publishing:
    """Computes the facts that the statements of one model make public.

    Attributes:
        bodies: the statements of each procedure.
    """

    model: m.Model
    bodies: dict[m.Procedure, list[m.Block]]
    undoing: Undoing = field(init=False)
    _people: set[int] = field(factory=set)  # what may name a player
    _sorting: set[int] = field(factory=set)  # what it hangs on which things a loop goes through
    _useful: dict[Term, bool] = field(factory=dict)
    _answered: set[m.Var] = field(
        factory=set
    )  # variables that are set to other than no: by `answer stop`, among others

    def __attrs_post_init__(self) -> None:
        self.undoing = Undoing(self.model, self.bodies)
        loops = [node for node in nodes(*self.bodies.values()) if isinstance(node, m.Each)]
        self._sorting = {
            each
            for loop in loops
            for fact in among(loop)
            if fact is not None
            for each in reads(fact)
        }
        sets = [node for node in nodes(*self.bodies.values()) if isinstance(node, m.SetVar)]
        self._answered = {
            node.var
            for node in sets
            if not (isinstance(node.value, m.Const) and not node.value.value)
        }
        values: list[m.Cell | m.Fixed | m.Var] = [*self.model.cells, *self.model.fixed]
        values += [v for p in self.bodies for v in (*p.params, *p.vars)]
        self._people = {
            id(v)
            for v in values
            if isinstance(v.type, m.MemberOf) and v.type.kind is self.model.sides
        }

    def useful(self, facts: Facts) -> Facts:
        """Keep only the facts that the analysis can use.

        These say that a value is known, which players see it, which player a value is,
        or which elements a loop visits.
        """
        for fact in facts:
            if fact not in self._useful:
                self._useful[fact] = fact is not None and (
                    fact[0] in ("revealed", "shown", "stated", "each", "in")
                    or any(
                        each in self.undoing.hiding or each in self._sorting
                        for each in leaves(fact)
                    )
                    or (fact[0] == "=" and any(each in self._people for each in leaves(fact)))
                )
        return frozenset(fact for fact in facts if self._useful[fact])

    # ---------------------------------------------------------------- what becomes known
    def thing(self, shown: m.Expr, taint: Iterable[object]) -> Facts:
        """Return the facts that hold once a thing is shown to all.

        Args:
            taint: the taint of the expression for the thing.
        """
        made: set[Term] = {("shown", term(shown))}
        if not isinstance(shown, m.Read):
            made = {each.revealed() for each in taint if isinstance(each, Secret)}
        kind = shown.type.kind if isinstance(shown.type, (m.MemberOf, m.SetOf)) else None
        if kind is not None and (key := term(shown)) is not None:
            made |= {("revealed", id(root), ("keys", key)) for root in (kind, *kind.cells.values())}
        if isinstance(shown, m.ReadCell) and shown.cell.pool:
            made.add(("revealed", id(shown.cell), ("keys", *[term(k) for k in shown.keys])))
        return frozenset(made)

    @staticmethod
    def value(expression: m.Expr) -> Facts:
        """Return the fact that a secret cell is public, if a public value is exactly the value
        of that cell.
        """
        if (
            isinstance(expression, m.ReadCell)
            and is_secret(expression.cell.seen)
            and not expression.cell.pool
        ):
            return frozenset(
                {("revealed", id(expression.cell), ("keys", *[term(k) for k in expression.keys]))}
            )
        return NO_FACTS

    def as_it_stands(self, stmt: m.CallProc) -> Facts:
        """Return the same facts for all arguments of a call, if it calls the procedure of an
        event.
        """
        return (
            NO_FACTS.union(*map(self.value, stmt.args)) if stmt.proc.word == "event" else NO_FACTS
        )

    @staticmethod
    def begins_with_event(proc: m.Procedure) -> bool:
        """Return True if the procedure begins with its event, with nothing before it."""
        return isinstance(proc.body[0], m.CallEvent)

    def always_reports(self, proc: m.Procedure) -> bool:
        """Return True if nothing can stop the event of the procedure."""
        return not any(
            isinstance(stmt, m.SetVar) and stmt.var in self._answered for stmt in proc.body
        )

    def written(self, stmt: m.SetCell, facts: Facts, terms: dict[int, Term]) -> Facts:
        """Return the facts after a write.

        Args:
            terms: the arguments for the parameters of the event that contains the write.
        """
        place = fill(term(m.ReadCell(stmt.cell, stmt.keys, type=stmt.cell.type)), terms)
        now = stmt.value.value if stmt.op == ":=" and isinstance(stmt.value, m.Const) else None
        kept = self.undoing.undone(facts, self.undoing.changed(stmt))
        if now is None or place is None:
            return kept
        flag = isinstance(stmt.cell.type, m.Bool)
        return kept | {(place if now else ("not", place)) if flag else equal(place, ("const", now))}

    def event(self, event: m.EventDeclaration, args: Sequence[m.Expr], facts: Facts) -> Facts:
        """Return the facts after an event, without those that its `reveals` adds."""
        terms = bindings(event.params, args)
        for node in nodes(event.body):
            if isinstance(node, m.SetCell):
                facts = self.written(node, facts, terms)
        return facts

    def whole(self, facts: Facts) -> Facts:
        """If a value was made public for each member of its kind, add the fact that it is public
        for all.
        """
        revealed: dict[int, set[Term]] = {}
        for fact in facts:
            match fact:
                case ("revealed", root, ("keys", ("const", *_))):
                    revealed.setdefault(root, set()).add(fact)
        size = {id(c): c.keys[0].size for c in self.model.cells if c.keys}
        return facts | {
            general(next(iter(found)))
            for root, found in revealed.items()
            if len(found) == size.get(root)
        }


def stated(param: m.Var) -> Term:
    """Return the fact that an event has reported the exact value of a parameter."""
    return ("stated", ("var", id(param)))


def among(stmt: m.Each) -> tuple[Term, ...]:
    """Return terms that hold for the elements of a loop and for nothing else.

    If None is among them, the terms do not describe the elements completely.
    """
    if stmt.source is not None:
        return tests(stmt.source, IT)
    return (
        (made("in", IT, made("range", *map(term, stmt.numbers))),)
        if stmt.numbers is not None
        else (None,)
    )


def every(facts: Facts, stmt: m.Each) -> Facts:
    """Return the facts that a loop has established about its elements after all rounds.

    They hold for all of a kind, for elements given by name, or for all elements with a common
    property. If the loop shows the elements themselves, its facts hold for the whole kind.
    """
    var = id(stmt.var)
    shown = any(
        fact is not None and fact[0] == "revealed" and fact[2] == ("keys", ("var", var))
        for fact in facts
    )
    found: set[Term] = set()
    for fact in facts:
        if fact is None or fact[0] in ("shown", "each") or var not in mentioned(fact):
            continue
        said = fill(fact, {var: IT})
        where = [each for each in among(stmt) if each is None or each != negated(said)]
        if not where or shown:
            found.add(fill(fact, {var: ANY}))
        elif None not in where:
            found.add(made("each", made("if", *where), said))
        found |= {fill(fact, {var: each}) for each in _named(stmt)}
    return frozenset(found - {None})


def _named(stmt: m.Each) -> list[Term]:
    """Return the elements of a loop that are given by name."""
    source = stmt.source
    if isinstance(source, m.Const) and isinstance(source.type, m.SetOf):
        return [("const", i) for i in range(source.type.kind.size) if source.value >> i & 1]
    if stmt.numbers is not None and all(isinstance(e, m.Const) for e in stmt.numbers):
        low, high = (e.value for e in stmt.numbers if isinstance(e, m.Const))
        return [("const", i) for i in range(low, min(high, low + _MAX_LOOP_NUMBERS) + 1)]
    given = source.items if isinstance(source, m.MakeSet) else stmt.items or ()
    return [term(e) for e in given if isinstance(e.type, m.MemberOf)]


def in_terms_of(facts: Facts, params: Sequence[m.Var], args: Sequence[m.Expr]) -> Facts:
    """Add, to the facts before a call, the same facts in terms of the parameters."""
    pairs = [(("var", id(p)), term(e)) for p, e in zip(params, args, strict=False)]
    given: dict[int, Term] = {
        there[1]: here for here, there in pairs if there is not None and there[0] == "var"
    }
    equals = {equal(here, there) for here, there in pairs}
    named: dict[Term, Term] = {
        there: here for here, there in pairs if there is not None and there[0] == "const"
    }
    return facts | (
        (frozenset(renamed(fill(fact, given), named) for fact in facts) | equals) - {None}
    )


def callee(params: Sequence[m.Var], args: Sequence[m.Expr]) -> dict[Term, Term]:
    """Map each argument of a call to its parameter."""
    return {
        given: ("var", id(param))
        for param, arg in reversed(list(zip(params, args, strict=False)))
        if (given := term(arg)) is not None
    }


def both(one: Facts | None, other: Facts | None) -> Facts | None:
    """Join the facts of two branches. None stands for a branch that does not continue."""
    return other if one is None else one if other is None else one & other
