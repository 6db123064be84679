"""Takes statements and facts, makes what of the facts no longer need hold after them: what a call,
a loop or a rule that watches may undo."""

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
    """What the statements of one model may undo. `bodies`: the statements of each procedure."""

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
        """Without what these cells (or variables) say, or allow to know."""
        lost = {each for cell in cells for each in (cell, *self.hiding.get(cell, ()))}
        return (
            frozenset(fact for fact in facts if lost.isdisjoint(mentioned(fact))) if lost else facts
        )

    def undone(self, facts: Facts, writes: Writes) -> Facts:
        """Without what no longer need hold after these writes. What is set to yes denies only what
        said that it is not, if it hides nothing."""
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
        """Without what the rules that watch what a statement writes may undo."""
        procs = [proc for cell, _ in self.changed(stmt) for proc in self._watched.get(cell, ())]
        return self.undone(facts, self._all(frozenset(), procs)) if procs else facts

    def over(self, facts: Facts, proc: m.Procedure) -> Facts:
        """What is left when a procedure ends: the cells that live as long as it does have their
        defaults again."""
        return self.without(facts, {cell for cell, _ in self._ends(proc)})

    # ---------------------------------------------------------------- what is written
    def writes(self, proc: m.Procedure) -> Writes:
        """The cells that a procedure, what it calls and what these set off may write."""
        if proc not in self._writes:
            self._writes[proc] = self._all(frozenset(), [proc])
        return self._writes[proc]

    def follow(self, stmts: object, apart: m.Var | None = None) -> Writes:
        """The same for statements. `apart`: without what they themselves write of the thing in this
        variable."""
        key = (id(stmts), id(apart))
        if key not in self._followed:
            self._followed[key] = (stmts, self._all(*self._here(stmts, apart)))
        return self._followed[key][1]

    def options(self, options: Iterable[m.Option]) -> Writes:
        """The same for what options do, with their prices."""
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
        """What statements write themselves, and what they call or set off."""
        found, others = set[tuple[int, bool]](), list[m.Procedure]()
        for node in nodes(stmts):
            found |= self.changed(node, apart)
            others += [proc for proc, _ in called(node)]
            others += [
                proc for cell, _ in self.changed(node) for proc in self._watched.get(cell, ())
            ]
        return frozenset(found), others

    def changed(self, node: object, apart: m.Var | None = None) -> Writes:
        """The cells that a statement or a price may write. `apart`: but for those of the thing in
        this variable."""
        if isinstance(node, m.SetCell):
            return _set(node, apart, {})
        if isinstance(node, m.CallEvent):
            terms = bindings(node.event.params, node.args)
            sets = [each for each in nodes(node.event.body) if isinstance(each, m.SetCell)]
            return frozenset(write for each in sets for write in _set(each, apart, terms))
        if isinstance(node, m.Put | m.Draw | m.Gather):
            return self._moved(node)
        if isinstance(node, m.Pays) and isinstance(node.target, m.ReadCell):
            return frozenset({(id(node.target.cell), False)})
        return frozenset()

    def _moved(self, stmt: m.Put | m.Draw | m.Gather) -> Writes:
        """What was known to lie in a pool is so no longer when something that not all see goes out
        of it or into it. From where a thing is put may be any pool."""
        target = stmt.target.cell
        pools = self.pools(target) if isinstance(stmt, m.Put) else [stmt.source.cell, target]
        seen = not is_secret(target.seen)
        return frozenset(
            (
                id(pool),
                seen
                or (
                    isinstance(stmt, m.Put)
                    and pool is not target
                    and isinstance(stmt.what, m.Const)
                ),
            )
            for pool in pools
        )

    def pools(self, pool: m.Cell) -> list[m.Cell]:
        """Those in which the things of one may lie."""
        return [c for c in self.model.cells if c.pool and c.type == pool.type]


def _opening(cond: m.Expr, yes: bool = True) -> list[tuple[m.Cell, bool]]:
    """The cells that a condition reads, and whether it can only begin to hold, not cease, when one
    is set to yes."""
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
    """May a fact no longer hold when something is set to yes?"""
    if fact is None or fact[:2] == ("read", cell):
        return False
    if fact[0] == "each":
        return cell in mentioned(fact[1]) or _denied(fact[2], cell)
    return cell in mentioned(fact[2] if fact[0] == "told" else fact)


def is_local(fact: Term, own: set[int], proc: m.Procedure) -> bool:
    """Does a fact speak of a variable of the procedure that is no parameter?"""
    params = {id(p) for p in proc.params}

    def inside(part: object) -> bool:
        if isinstance(part, tuple):
            return (part[0] == "var" and part[1] in own and part[1] not in params) or any(
                map(inside, part)
            )
        return False

    return inside(fact)
