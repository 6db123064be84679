"""The facts that no longer need to hold after a statement, a call, a loop or a `whenever` rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_graph import called
from rulekit.compiler.check.secrecy.facts import Term, bindings, fill, mentioned, term
from rulekit.compiler.check.secrecy.taint import is_secret
from rulekit.compiler.model.visitor import nodes, reached

Facts = frozenset[Term]
Writes = frozenset[tuple[int, bool]]  # cells, and whether all that one is set to is yes


@define
class Undoing:
    """Computes the invalidation of facts by the statements of one model.

    Attributes:
        bodies: the statements of each procedure.
    """

    model: m.Model
    bodies: dict[m.Procedure, list[m.Block]]
    hiding: dict[int, set[int]] = field(
        factory=dict
    )  # cells on which the visibility of others hangs
    _closing: set[int] = field(factory=set)  # those of them that may hide something by being yes
    _watched: dict[int, list[m.Procedure]] = field(
        factory=dict
    )  # what happens by itself when a cell is written
    _found: dict[m.Procedure, m.Var] = field(
        factory=dict
    )  # the thing that a rule which watches has found
    _own: dict[m.Procedure, tuple[Writes, list[m.Procedure]]] = field(factory=dict)
    _writes: dict[m.Procedure, Writes] = field(factory=dict)
    _followed: dict[tuple[int, int], tuple[object, Writes]] = field(
        factory=dict
    )  # the same object has the same number while it is kept

    def __attrs_post_init__(self) -> None:
        hidden: list[tuple[m.Cell | m.Kind, Sequence[m.Seen]]] = [
            (c, c.seen) for c in self.model.cells
        ]
        hidden += [(k, k.identity) for k in self.model.kinds.values() if k.identity is not None]
        for root, seen in hidden:
            for cell, yes in (
                found for each in seen if each.when is not None for found in _opening(each.when)
            ):
                self.hiding.setdefault(id(cell), set()).add(id(root))
                self._closing |= set() if yes else {id(cell)}
        for whenever in self.model.whenevers:
            self._found[whenever.proc] = whenever.proc.params[0]
            for cell in whenever.reads:
                self._watched.setdefault(id(cell), []).append(whenever.proc)

    # ---------------------------------------------------------------- what is left of facts
    def without(self, facts: Facts, cells: Iterable[int]) -> Facts:
        """Drop the facts that mention these cells or variables, or that depend on them for
        visibility.
        """
        lost = {each for cell in cells for each in (cell, *self.hiding.get(cell, ()))}
        return (
            frozenset(fact for fact in facts if lost.isdisjoint(mentioned(fact))) if lost else facts
        )

    def undone(self, facts: Facts, writes: Writes) -> Facts:
        """Drop the facts that need not hold after these writes.

        A cell that is set to yes only invalidates facts that say it is no, unless it also hides
        something.
        """
        raised = {cell for cell, yes in writes if yes and cell not in self._closing}
        kept = self.without(
            facts, {cell for cell, yes in writes if not yes or cell in self._closing}
        )
        return (
            frozenset(fact for fact in kept if not any(_denied(fact, cell) for cell in raised))
            if raised
            else kept
        )

    def set_off(self, facts: Facts, stmt: m.Stmt) -> Facts:
        """Drop the facts that a `whenever` rule may invalidate after a statement."""
        procs = [proc for cell, _ in self.changed(stmt) for proc in self._watched.get(cell, ())]
        return self.undone(facts, self._all(frozenset(), procs)) if procs else facts

    def over(self, facts: Facts, proc: m.Procedure) -> Facts:
        """Drop the facts that end with a procedure. Cells scoped to it take their defaults
        again.
        """
        return self.without(facts, {cell for cell, _ in self._ends(proc)})

    # ---------------------------------------------------------------- what is written
    def writes(self, proc: m.Procedure) -> Writes:
        """Return the cells that a procedure may write, including its callees and the rules that
        it triggers.
        """
        if proc not in self._writes:
            self._writes[proc] = self._all(frozenset(), [proc])
        return self._writes[proc]

    def follow(self, stmts: object, apart: m.Var | None = None) -> Writes:
        """Return the cells that statements may write, including callees and triggered rules.

        Args:
            apart: a variable. Direct writes for the thing in it are left out.
        """
        key = (id(stmts), id(apart))
        if key not in self._followed:
            self._followed[key] = (stmts, self._all(*self._here(stmts, apart)))
        return self._followed[key][1]

    def options(self, options: Iterable[m.GuardedOption]) -> Writes:
        """Return the cells that options may write, including their prices."""
        given = [(option, self.follow(option)) for option in options]
        return frozenset().union(
            *(
                here if option.proc is None else here | self.writes(option.proc)
                for option, here in given
            )
        )

    def _all(self, here: Writes, called: Iterable[m.Procedure]) -> Writes:
        found, seen, todo = set(here), set[m.Procedure](), list(called)
        while todo:
            if (proc := todo.pop()) not in seen:
                seen.add(proc)
                if proc not in self._own:
                    own, others = self._here(self.bodies.get(proc, []), self._found.get(proc))
                    self._own[proc] = own | self._ends(proc), others
                found |= self._own[proc][0]
                todo += self._own[proc][1]
        return frozenset(found)

    def _ends(self, proc: m.Procedure) -> Writes:
        return frozenset(
            (id(c), False) for c in self.model.cells for scope, _ in c.resets if scope is proc
        )

    def _here(self, stmts: object, apart: m.Var | None) -> tuple[Writes, list[m.Procedure]]:
        """Return the direct writes of statements, and the procedures that they call or trigger."""
        found, others = set[tuple[int, bool]](), list[m.Procedure]()
        for node in nodes(stmts):
            found |= self.changed(node, apart)
            others += [proc for proc, _ in called(node)]
            others += [
                proc for cell, _ in self.changed(node) for proc in self._watched.get(cell, ())
            ]
        return frozenset(found), others

    def changed(self, node: object, apart: m.Var | None = None) -> Writes:
        """Return the cells that a statement or a price may write.

        Args:
            apart: a variable. Writes for the thing in it are left out.
        """
        if isinstance(node, m.SetCell):
            return _set(node, apart, {})
        if isinstance(node, m.CallEvent):
            terms = bindings(node.event.params, node.args)
            sets = [each for each in nodes(node.event.body) if isinstance(each, m.SetCell)]
            return frozenset(write for each in sets for write in _set(each, apart, terms))
        if isinstance(node, m.PutMember | m.Draw | m.Gather):
            return self._moved(node)
        if isinstance(node, m.Pays) and isinstance(node.target, m.ReadCell):
            return frozenset({(id(node.target.cell), False)})
        return frozenset()

    def _moved(self, stmt: m.PutMember | m.Draw | m.Gather) -> Writes:
        """Return the writes of a move between pools.

        The contents of a pool are no longer known when a hidden thing leaves or enters it. The
        source of a `put` may be any pool.
        """
        target = stmt.target.cell
        pools = self.pools(target) if isinstance(stmt, m.PutMember) else [stmt.source.cell, target]
        seen = not is_secret(target.seen)
        return frozenset(
            (
                id(pool),
                seen
                or (
                    isinstance(stmt, m.PutMember)
                    and pool is not target
                    and isinstance(stmt.what, m.Const)
                ),
            )
            for pool in pools
        )

    def pools(self, pool: m.Cell) -> list[m.Cell]:
        """Return the pools that may hold the things of one pool."""
        return [c for c in self.model.cells if c.pool and c.type == pool.type]


def _opening(cond: m.Expr, yes: bool = True) -> list[tuple[m.Cell, bool]]:
    """Return the cells that a condition reads, each with True if setting the cell to yes can
    only make the condition true, never false.
    """
    if isinstance(cond, m.Not):
        return _opening(cond.value, not yes)
    if isinstance(cond, m.And | m.Or):
        return [found for each in cond.items for found in _opening(each, yes)]
    if isinstance(cond, m.CallDefine) and len(cond.target.cases) == 1:
        return [*_opening(cond.target.cases[0][1], yes), *_read(cond.args)]
    if isinstance(cond, m.ReadCell):
        return [(cond.cell, yes), *_read(cond.keys)]
    return _read([cond])


def _read(values: Sequence[m.Expr]) -> list[tuple[m.Cell, bool]]:
    return [(node.cell, False) for node in reached(list(values)) if isinstance(node, m.ReadCell)]


def _set(stmt: m.SetCell, apart: m.Var | None, terms: dict[int, Term]) -> Writes:
    if apart is not None and [fill(term(key), terms) for key in stmt.keys] == [("var", id(apart))]:
        return frozenset()
    to = stmt.value.value if stmt.op == ":=" and isinstance(stmt.value, m.Const) else 0
    return frozenset({(id(stmt.cell), isinstance(stmt.cell.type, m.Bool) and to == 1)})


def _denied(fact: Term, cell: int) -> bool:
    """Return True if a fact may stop holding when a cell is set to yes."""
    if fact is None or fact[:2] == ("read", cell):
        return False
    if fact[0] == "each":
        return cell in mentioned(fact[1]) or _denied(fact[2], cell)
    return cell in mentioned(fact[2] if fact[0] == "revealed" else fact)


def is_local(fact: Term, own: set[int], proc: m.Procedure) -> bool:
    """Return True if a fact is about a variable of the procedure that is not a parameter."""
    params = {id(p) for p in proc.params}

    def inside(part: object) -> bool:
        if isinstance(part, tuple):
            return (part[0] == "var" and part[1] in own and part[1] not in params) or any(
                map(inside, part)
            )
        return False

    return inside(fact)
