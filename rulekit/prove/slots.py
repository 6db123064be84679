"""All mutants of a game: the changes of one written place, and the nodes of the model to change.

One place of a file stands in the model several times, as a guard and in the windows that ask for
it. A mutant has all these nodes.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any, get_type_hints

from attrs import define, field, frozen

from rulekit.common.diagnostics.span import Span
from rulekit.common.node_fields import mentioned
from rulekit.compiler import model as m
from rulekit.compiler.model.visitor import children, everything, nodes, reached
from rulekit.compiler.syntax import ast
from rulekit.prove.operators import FALSE, TRUE, ExprSite, changes
from rulekit.prove.written import WrittenRules

_SIMPLE = (m.CallProc, m.CallEvent, m.CallSlotSteps, m.SetCell)
_STEPS = (*_SIMPLE, m.PutMember, m.Gather, m.Draw, m.Return, m.Leave, m.Finish, m.Walk, m.Answer)
_VARYING = (m.Read, m.ReadCell, m.CallDefine, m.CallTotal, m.CallSlot, m.Here)
Key = tuple[Span, str, str]


@frozen
class TableCell:
    """One cell of a table, and its value in the mutant."""

    table: int
    output: int
    index: int
    value: int


@define(eq=False)
class Mutant:
    """One change of the rules.

    Attributes:
        id: a digest that stays the same when lines move.
        span: the changed place.
        ref: the paragraphs that the place cites.
        text: the text of the place.
        operator: the kind of change.
        detail: the change itself.
        library: the game or library that the file belongs to.
        edit: the same change of the file, if it can be written there.
        alone: True if it is compiled by itself, because it changes how the state is laid out.
        exprs: the changed expressions, each with the function that returns its alternative.
        steps: the statements that are left out.
        swaps: pairs of neighbouring statements that change places.
        parts: the parts that are switched off, each with the name of its condition.
        limit: limits, with their other number.
        cell: the cell of a table.
    """

    span: Span
    ref: tuple[str, ...]
    text: str
    operator: str
    detail: str
    library: str
    edit: tuple[Span, str] | None = None
    id: str = ""
    alone: bool = False
    exprs: list[tuple[m.Expr, Callable[[Any], m.Expr]]] = field(factory=list)
    steps: list[m.Stmt] = field(factory=list)
    swaps: list[tuple[m.Stmt, m.Stmt]] = field(factory=list)
    parts: list[m.Part] = field(factory=list)
    limits: list[tuple[m.Limit, int]] = field(factory=list)
    cell: TableCell | None = None


def mutants(model: m.Model, written: WrittenRules) -> list[Mutant]:
    """Return all mutants of a checked model, in the order of the files."""
    found = _Search(model, written)
    for node, parent in found.visited:
        if id(node) not in found.excluded:
            found.enter(node, parent)
    for number, table in enumerate(model.tables):
        found.enter_table(number, table)
    made = sorted(
        found.mutants.values(),
        key=lambda x: (x.span.file, x.span.line, x.span.column, x.operator, x.detail),
    )
    _identify(made)
    return made


def _identify(made: list[Mutant]) -> None:
    """Give each mutant its id. Equal changes of equal texts of a paragraph are counted."""
    seen: Counter[str] = Counter()
    for each in made:
        words = "\0".join((*each.ref, each.library, each.text, each.operator, each.detail))
        seen[words] += 1
        each.id = hashlib.sha256(f"{words}\0{seen[words]}".encode()).hexdigest()[:12]


class _Search:
    """The search for mutants in one model."""

    def __init__(self, model: m.Model, written: WrittenRules) -> None:
        self.model, self.written = model, written
        self.visited = list(everything(model))
        self.mutants: dict[Key, Mutant] = {}
        self.excluded = {id(node) for node in _no_rules(model)}
        self.seats = _files_of_seats(model)
        self.turned, self.other = _turned(model)

    def mutant(
        self,
        span: Span,
        operator: str,
        detail: str,
        edit: tuple[Span, str] | None = None,
    ) -> Mutant:
        """Return the mutant of a place, which is created when it is first met."""
        key = (span, operator, detail)
        if key not in self.mutants:
            ref, text = self.written.refs.get(span, ()), self.written.text(span)
            library = self.written.libraries[span.file]
            self.mutants[key] = Mutant(span, ref, text, operator, detail, library, edit)
        return self.mutants[key]

    def open(self, span: Span) -> bool:
        """Return True if an author wrote a rule at this place."""
        return span in self.written.nodes and span.file not in self.seats

    def enter(self, node: m.Node, parent: m.Node | None) -> None:
        """Enter the mutants of one node and of its blocks."""
        for child, owner in self._expressions(node):
            self._expression(child, owner)
        for name in blocks_of(node):
            self._block(getattr(node, name))
        if isinstance(node, m.Clause | m.Cancel | m.Hook):
            self._part(node)
        elif isinstance(node, m.Limit) and self.open(node.span):
            self._limit(node)
        elif isinstance(node, m.Window):
            self._window(node)
        elif isinstance(node, m.Whenever) and self.open(node.span):
            found = self.mutant(node.span, "rule dropped", "")
            found.exprs.append((node.source, _instead(m.Const(0, type=node.source.type))))

    def _expressions(self, node: m.Node) -> Iterator[tuple[m.Expr, m.Node]]:
        """Yield the expressions directly inside a node that another expression may replace."""
        for name in replaceable(node):
            for child in _inside(getattr(node, name)):
                if id(child) not in self.excluded:
                    yield child, node

    def _expression(self, e: m.Expr, parent: m.Node) -> None:
        if isinstance(e.type, m.Record | m.RatioT):
            return
        if isinstance(e.type, m.Bool):
            self._forced(e, parent)
        repeated = type(e) is type(parent) and isinstance(parent, m.Expr) and e.span == parent.span
        if repeated or not self.open(e.span):
            return
        for change in changes(ExprSite(e, parent, self.written, self.turned, self.other)):
            found = self.mutant(change.span or e.span, change.operator, change.detail, change.edit)
            found.exprs.append((e, change.build))

    def _forced(self, e: m.Expr, parent: m.Node) -> None:
        """Enter the mutants that make a whole condition true or false."""
        for span in dict.fromkeys((e.span, self.written.test_at(e.span))):
            if not self.open(span) or (isinstance(parent, m.Expr) and parent.span == span):
                continue
            for operator, value in self.written.conditions.get(span, ()):
                word = "true" if value else "false"
                edit = self.written.parts.get(span) if operator == "part dropped" else None
                found = self.mutant(span, operator, f"-> {word}", edit or (span, word))
                found.exprs.append((e, _instead(TRUE if value else FALSE)))

    def _part(self, part: m.Clause | m.Cancel | m.Hook) -> None:
        """Enter the mutant that leaves a part out. A written condition is forced instead."""
        if not self.open(part.span):
            return
        node: Any = self.written.at(part.span, ast.ClauseSyntax, ast.HookDecl)
        if node is not None and node.when is None:
            operator = "hook dropped" if isinstance(part, m.Hook) else "clause dropped"
            edit = None
            if isinstance(node, ast.ClauseSyntax) and node.amount is not None:
                amount = node.amount.span
                edit = (amount, f"{self.written.text(amount)} when false")
            self.mutant(part.span, operator, "", edit).parts.append(part)

    def _limit(self, limit: m.Limit) -> None:
        self.mutant(limit.span, "limit dropped", "").parts.append(limit)
        for step in (1, -1):
            value = limit.count + step
            if value > 0:
                found = self.mutant(limit.span, "limit", f"{limit.count} -> {value}")
                found.alone = True
                found.limits.append((limit, value))

    def _window(self, window: m.Window) -> None:
        asks = window.asks
        if len(asks) != 2 or not all(self.open(x.span) for x in asks):  # noqa: PLR2004
            return
        first, second = asks
        for e, other in ((first, second), (second, first)):
            found = self.mutant(e.span, "window narrowed", "")
            found.exprs.append((e, _instead(other)))
            found = self.mutant(first.span.to(second.span), "asked in the other order", "")
            found.exprs.append((e, _instead(other)))

    def _block(self, block: m.Block) -> None:
        for step in block:
            if id(step) not in self.excluded:
                self._step(step)
        for one, two in pairwise(block):
            if self._swappable(one) and self._swappable(two) and one.span != two.span:
                text, gap = self.written.text, self.written.between(one.span, two.span)
                edit = text(two.span) + text(gap) + text(one.span)
                span = one.span.to(two.span)
                if span.file not in self.seats:
                    found = self.mutant(one.span, "steps swapped", "", (span, edit))
                    found.swaps.append((one, two))
                    # a second call of what asks would be a second way into it
                    found.alone = isinstance(two, m.CallProc) and two.proc.asks

    def _swappable(self, step: m.Stmt) -> bool:
        return (
            isinstance(step, _SIMPLE)
            and self.written.at(step.span, ast.StmtSyntax) is not None
            and getattr(step, "into", None) is None
        )

    def _step(self, step: m.Stmt) -> None:
        written = self.written.at(step.span, ast.StmtSyntax)
        if written is None or not self.open(step.span) or getattr(step, "into", None) is not None:
            return
        if isinstance(step, m.SetVar):
            if not isinstance(written, ast.AssignStmt):
                return
            operator = "assignment dropped"
        elif isinstance(step, m.SetCell):
            operator = "write dropped"
        elif isinstance(step, _STEPS):
            operator = "step dropped"
        else:
            return
        self.mutant(step.span, operator, "", (step.span, "")).steps.append(step)

    def enter_table(self, number: int, table: m.Table) -> None:
        """Enter the mutants of a table: each cell takes the value of a neighbour."""
        if table.span.file not in self.written.files or table.span.file in self.seats:
            return
        together = shared_columns(self.model)
        width = table.keys[-1].size if table.keys[-1] is not None else len(table.ratios)
        for output, (name, type) in enumerate(table.outputs):
            data = table.data[output]
            for index, value in enumerate(data):
                other = _neighbour(data, index, width)
                if other is not None:
                    where = f"{table.name}[{index}].{name}"
                    key = (table.span, "table cell", where)
                    detail = f"{_shown(type, value)} -> {_shown(type, other)}"
                    self.mutants[key] = Mutant(
                        self._row(table, index, width),
                        table.ref,
                        where,
                        "table cell",
                        detail,
                        self.written.libraries[table.span.file],
                        alone=(number, output) in together,
                        cell=TableCell(number, output, index, other),
                    )

    def _row(self, table: m.Table, index: int, width: int) -> Span:
        """Return the place of the row that a cell stands in, or else that of the table."""
        place = index // width if len(table.keys) > 1 else index
        for covered, span in table.rows:
            if place in covered[0]:
                return span
        return table.span


def _instead(other: m.Expr) -> Callable[[Any], m.Expr]:
    """Return the function that puts another expression in place of any."""
    return lambda _: other


def shared_columns(model: m.Model) -> set[tuple[int, int]]:
    """Return the columns of tables that emitted code shares with other data, because they are
    equal, and those that are read with constant keys.
    """
    users: dict[tuple[int, ...], set[tuple[int, int]]] = defaultdict(set)
    others = {(*f.values, m.empty(f.type)) for f in model.fixed if not f.late}
    constant = {
        id(e.table)
        for e, _ in everything(model)
        if isinstance(e, m.CallTable) and not any(isinstance(x, _VARYING) for x in nodes(e.args))
    }
    for number, table in enumerate(model.tables):
        for output, (_, type) in enumerate(table.outputs):
            users[(*table.data[output], m.empty(type))].add((number, output))
    return {
        (number, output)
        for values, columns in users.items()
        for number, output in columns
        if len(columns) > 1 or values in others or id(model.tables[number]) in constant
    }


def _neighbour(data: list[int], index: int, width: int) -> int | None:
    """Return the nearest different value in the row of a cell, the next ones first."""
    begin = index - index % width
    row = data[begin : begin + width]
    at = index - begin
    for other in (*row[at + 1 :], *reversed(row[:at])):
        if other != data[index]:
            return other
    return None


def _shown(type: m.Type, value: int) -> str:
    return type.kind.members[value] if isinstance(type, m.MemberOf) and value >= 0 else str(value)


def _turned(model: m.Model) -> tuple[m.Fixed | None, str]:
    """Return the constant that holds the next side of each side, and its name in the rules."""
    sides = model.sides
    if sides is None or sides.size < 2:  # noqa: PLR2004
        return None, ""
    values = [(i + 1) % sides.size for i in range(sides.size)]
    for fixed in sides.fixed.values():
        if [k.kind for k in fixed.keys] == [sides] and fixed.values == values and not fixed.late:
            return fixed, fixed.name
    key = m.Key(sides)
    name = "next side of the mutants"
    return m.Fixed(name, [key], m.MemberOf(sides), values, synthetic=True), ""


def _no_rules(model: m.Model) -> Iterator[m.Node]:
    """Yield the nodes whose mutants would be no other rules: invariants, and bounds of loops."""
    yield from nodes(model.invariants)
    for node, _ in everything(model):
        if isinstance(node, m.Repeat) and node.form == "until":
            yield from nodes(node.limit)


def _files_of_seats(model: m.Model) -> frozenset[str]:
    """Return the files that only the totals of the seats use."""
    manifest = model.info.get("manifest", {})
    names = {*_words(manifest.get("greedy")), *_totals(manifest.get("search"))}
    totals = [t for t in model.totals if t.name in names]
    used = {id(node) for node in reached(model.procedures, model.events, model.options)}
    used |= {id(node) for node in reached(model.whenevers, model.movements, model.invariants)}
    used |= {
        id(node)
        for node in reached([t for t in (*model.totals, *model.permits) if t not in totals])
    }
    owners: list[Any] = [*model.defines, *model.totals, *model.permits, *model.procedures]
    ruled = {x.span.file for x in owners if any(id(child) in used for child in children(x))}
    return frozenset(t.span.file for t in totals) - ruled


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _words(each)


def _totals(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _words(each) if key == "total" else _totals(each)
    elif isinstance(value, list):
        for each in value:
            yield from _totals(each)


def replaceable(node: m.Node) -> tuple[str, ...]:
    """Return the fields of a node that hold any expression."""
    cls: Any = type(node)
    return _fields(cls)[0]


def blocks_of(node: m.Node) -> tuple[str, ...]:
    """Return the fields of a node that hold a block of statements."""
    cls: Any = type(node)
    return _fields(cls)[1]


@cache
def _fields(cls: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    types = get_type_hints(cls)
    blocks = tuple(name for name, hint in types.items() if hint == m.Block)
    if not issubclass(cls, m.Expr | m.Stmt | m.Part | m.Declaration):
        return (), blocks
    return tuple(name for name, hint in types.items() if m.Expr in mentioned(hint)), blocks


def _inside(value: Any) -> Iterator[m.Expr]:
    if isinstance(value, m.Expr):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _inside(item)
