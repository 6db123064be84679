"""Takes statements, makes facts: what each makes known to all, and what all can no longer be said to know after it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import define, field

from rulekit.check import model as m
from rulekit.check.flow import called
from rulekit.check.secrets import Secret, Term, bindings, equal, fill, general, is_secret, leaves, mentions, term
from rulekit.check.walker import nodes

Facts = frozenset[Term]
NO_FACTS: Facts = frozenset()


@define
class Publishing:
    """What the statements of one model make known. `bodies`: the statements of each procedure."""

    model: m.Model
    bodies: dict[m.Procedure, list[m.Block]]
    _writes: dict[int, frozenset[int]] = field(factory=dict)
    _hiding: dict[int, set[int]] = field(factory=dict)  # cells on which the visibility of others hangs
    _people: set[int] = field(factory=set)  # what may name a player
    _useful: dict[Term, bool] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        hidden: list[tuple[m.Cell | m.Kind, Sequence[m.Seen]]] = [(c, c.seen) for c in self.model.cells]
        hidden += [(k, k.identity) for k in self.model.kinds.values() if k.identity is not None]
        for root, seen in hidden:
            for node in nodes([s.when for s in seen]):
                if isinstance(node, m.ReadCell):
                    self._hiding.setdefault(id(node.cell), set()).add(id(root))
        values: list[m.Cell | m.Fixed | m.Var] = [*self.model.cells, *self.model.fixed]
        values += [v for p in self.bodies for v in (*p.params, *p.vars)]
        self._people = {id(v) for v in values if isinstance(v.type, m.MemberOf) and v.type.kind is self.model.sides}

    def useful(self, facts: Facts) -> Facts:
        """Those that say what is known, by whom, or who somebody is."""
        for fact in facts:
            if fact not in self._useful:
                self._useful[fact] = fact is not None and (
                    fact[0] in ("told", "shown") or any(each in self._hiding for each in leaves(fact))
                    or (fact[0] == "=" and any(each in self._people for each in leaves(fact))))
        return frozenset(fact for fact in facts if self._useful[fact])

    # ---------------------------------------------------------------- what becomes known
    def thing(self, shown: m.Expr, told: Iterable[object]) -> Facts:
        """A thing is shown to all. `told`: what the expression for it tells."""
        made: set[Term] = {("shown", term(shown))}
        if not isinstance(shown, m.Read):
            made = {each.told() for each in told if isinstance(each, Secret)}
        kind = shown.type.kind if isinstance(shown.type, (m.MemberOf, m.SetOf)) else None
        if kind is not None and (key := term(shown)) is not None:
            made |= {("told", id(root), ("keys", key)) for root in (kind, *kind.cells.values())}
        if isinstance(shown, m.ReadCell) and shown.cell.pool:
            made.add(("told", id(shown.cell), ("keys", *[term(k) for k in shown.keys])))
        return frozenset(made)

    @staticmethod
    def value(e: m.Expr) -> Facts:
        """A value that all see is this cell's as it stands: that cell is known now."""
        if isinstance(e, m.ReadCell) and is_secret(e.cell.seen) and not e.cell.pool:
            return frozenset({("told", id(e.cell), ("keys", *[term(k) for k in e.keys]))})
        return NO_FACTS

    def written(self, stmt: m.SetCell, facts: Facts, terms: dict[int, Term]) -> Facts:
        """The facts after a write. `terms`: for the parameters of the event that it stands in."""
        place = fill(term(m.ReadCell(stmt.cell, stmt.keys, type=stmt.cell.type)), terms)
        now = stmt.value.value if stmt.op == ":=" and isinstance(stmt.value, m.Const) else None
        flag = isinstance(stmt.cell.type, m.Bool)
        kept = facts if flag and now == 1 else self.without(facts, {id(stmt.cell)})
        if now is None or place is None:
            return kept
        return kept | {(place if now else ("not", place)) if flag else equal(place, ("const", now))}

    def without(self, facts: Facts, cells: Iterable[int]) -> Facts:
        """Without what these cells say, or allow to know."""
        lost = {each for cell in cells for each in (cell, *self._hiding.get(cell, ()))}
        return frozenset(fact for fact in facts if not any(mentions(fact, each) for each in lost)) if lost else facts

    def event(self, event: m.Event, args: Sequence[m.Expr], facts: Facts) -> Facts:
        """The facts after an event, but for what it reveals."""
        terms = bindings(event.params, args)
        for node in reversed(list(nodes(event.body))):
            if isinstance(node, m.SetCell):
                facts = self.written(node, facts, terms)
        return facts

    def whole(self, facts: Facts) -> Facts:
        """Of whom each single one was made known, all are."""
        told: dict[int, set[Term]] = {}
        for fact in facts:
            if fact is not None and fact[0] == "told" and len(fact[2]) == 2 and fact[2][1][0] == "const":
                told.setdefault(fact[1], set()).add(fact)
        size = {id(c): c.keys[0].size for c in self.model.cells if c.keys}
        return facts | {general(next(iter(found))) for root, found in told.items() if len(found) == size.get(root)}

    # ---------------------------------------------------------------- what a call may undo
    def writes(self, proc: m.Procedure) -> frozenset[int]:
        """The cells that a procedure, or what it calls, may set to something else than yes."""
        known = self._writes.get(id(proc))
        if known is None:
            self._writes[id(proc)] = frozenset()
            found: set[int] = set()
            for node in nodes(self.bodies.get(proc, [])):
                found |= {id(cell) for cell in changed(node)}
                for other, _ in called(node):
                    found |= self.writes(other)
            known = self._writes[id(proc)] = frozenset(found)
        return known


def changed(node: object) -> list[m.Cell]:
    """The cells that a statement may set to something else than yes."""
    if isinstance(node, m.SetCell):
        yes = isinstance(node.value, m.Const) and isinstance(node.cell.type, m.Bool) and node.value.value
        return [] if yes else [node.cell]
    if isinstance(node, m.CallEvent):
        return [cell for inside in nodes(node.event.body) for cell in changed(inside)]
    if isinstance(node, (m.Put, m.Draw, m.Gather)):
        return [node.target.cell]
    return []


def every(facts: Facts, var: m.Var) -> Facts:
    """What a round of a loop has made known, of all that the loop goes through."""
    return frozenset(general(fact, id(var)) for fact in facts if mentions(fact, id(var)))


def in_terms_of(facts: Facts, params: Sequence[m.Var], args: Sequence[m.Expr]) -> Facts:
    """What holds before a call, said also of the parameters."""
    pairs = [(("var", id(p)), term(e)) for p, e in zip(params, args, strict=False)]
    given: dict[int, Term] = {there[1]: here for here, there in pairs if there is not None and there[0] == "var"}
    equals = {equal(here, there) for here, there in pairs}
    return facts | ((frozenset(fill(fact, given) for fact in facts) | equals) - {None})


def both(one: Facts | None, other: Facts | None) -> Facts | None:
    """Where two ways meet. None: this way does not go on."""
    return other if one is None else one if other is None else one & other

