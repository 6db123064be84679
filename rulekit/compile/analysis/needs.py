"""Takes a procedure and a variable, says whether it must be given its default when the procedure begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit import model as m
from rulekit.model.node import Node
from rulekit.model.visitor import children


def must_begin(proc: m.Procedure, var: m.Var) -> bool:
    """Not if its first use is an assignment, and all others come later in the same rule block or inside of it."""
    home = _home(proc.body, var)
    if home is None:
        return False
    block, index = home
    inside = sum(_occurs(s, var) for s in block[index:])
    return not (_assigns(block[index], var) and inside == sum(_occurs(s, var) for s in proc.body))


def _occurs(s: m.Expr | m.Stmt, var: m.Var) -> int:
    return sum(1 for v in _used(s) if v is var)


_KNOWN: dict[int, tuple[object, list[m.Var]]] = {}


def forget() -> None:
    """Lets go of what was looked up for a game."""
    _KNOWN.clear()


def _used(s: m.Expr | m.Stmt) -> list[m.Var]:
    """The variables that a statement or expression itself reads or sets, without what it calls."""
    if id(s) in _KNOWN and _KNOWN[id(s)][0] is s:
        return _KNOWN[id(s)][1]
    found: list[m.Var] = []
    todo: list[Node] = [s]
    while todo:
        item = todo.pop()
        if isinstance(item, (m.Read, m.SetVar)):
            found.append(item.var)
        if not isinstance(item, m.Option) or item.proc is None:
            todo += children(item)
    _KNOWN[id(s)] = (s, found)
    return found


def _assigns(s: m.Stmt, var: m.Var) -> bool:
    if isinstance(s, m.SetVar):
        return s.var is var and s.op == ":=" and not _occurs(s.value, var)
    if isinstance(s, m.CallProc):
        return s.into is var
    if isinstance(s, (m.Roll, m.Pick, m.PickGroup, m.Each)):
        return s.var is var
    if isinstance(s, m.Together):
        return var in (s.var, s.pick.var)
    if isinstance(s, m.Choose):
        bound = [v for o in [*s.options, *s.standing] for v in [*o.params, *(c.var for c in o.clauses if isinstance(c, m.With))]]
        return s.me is var or var in bound
    return isinstance(s, m.Window) and s.me is var


def _blocks(s: m.Stmt) -> Iterator[Sequence[m.Stmt]]:
    if isinstance(s, m.IfStmt):
        yield s.then
        yield s.other
    elif isinstance(s, (m.Each, m.Repeat, m.Together)):
        yield s.body
    elif isinstance(s, m.Choose):
        for o in s.options:
            yield o.body


def _home(block: Sequence[m.Stmt], var: m.Var) -> tuple[Sequence[m.Stmt], int] | None:
    """The innermost rule block that holds all uses, and the first statement of it with one."""
    used = [i for i, s in enumerate(block) if _occurs(s, var) or _assigns(s, var)]
    if not used:
        return None
    first = used[0]
    if len(used) == 1 and not _assigns(block[first], var):
        for inner in _blocks(block[first]):
            found = _home(inner, var)
            if found is not None and sum(_occurs(s, var) for s in inner) == _occurs(block[first], var):
                return found
    return block, first
