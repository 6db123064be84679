"""The changes that can be made to one expression of the checked model.

Each operator returns alternatives for a node: the changed node, and where possible the same change
as text of the rules file. The changed node shares its children with the original.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter
from typing import Any

from attrs import field, frozen

from rulekit.common.diagnostics.span import Span
from rulekit.common.node_fields import evolve
from rulekit.compiler import model as m
from rulekit.compiler.syntax import ast
from rulekit.prove.written import WrittenRules

TRUE, FALSE = (m.Const(value, type=m.Bool()) for value in (1, 0))
_NUMBER = re.compile(r"([+-]?)\s*(\d+)(.*)", re.DOTALL)
_ORDER: dict[str, tuple[m.CompareOp, ...]] = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "=": ("<=", ">="),
    "!=": ("=",),
}
_ARITH: dict[str, m.ArithOp] = {"+": "-", "-": "+", "*": "+", "up": "down", "down": "up"}


@frozen
class NodeChange:
    """One alternative for an expression.

    Attributes:
        operator: the kind of change.
        detail: tells the changes of one operator at one place apart.
        build: returns the changed expression for the original.
        edit: a place in a file and its new text, or None if the change cannot be written there.
        span: the place of the changed text, if it is not that of the node.
    """

    operator: str
    detail: str
    build: Callable[[Any], m.Expr]
    edit: tuple[Span, str] | None = None
    span: Span | None = None


@frozen
class ExprSite:
    """An expression, and what operators need to know about the model around it.

    Attributes:
        parent: the node that contains the expression.
        turned: the constant that holds the next side of each side, or None.
        other: the name that the rules give to that constant, if any.
    """

    node: Any
    parent: m.Node | None
    written: WrittenRules
    turned: m.Fixed | None = None
    other: str = ""
    within: tuple[m.Node, ...] = field(default=())

    @property
    def text(self) -> str:
        """The text of the node."""
        return self.written.text(self.node.span)

    def whole(self, text: str) -> tuple[Span, str]:
        """Return the edit that replaces the node."""
        return self.node.span, text


def changes(at: ExprSite) -> Iterator[NodeChange]:
    """Yield all changes of one expression that its author wrote."""
    for operator in _OF.get(type(at.node), ()):
        yield from operator(at)
    if isinstance(at.node.type, m.MemberOf):
        yield from _side(at)
    if isinstance(at.node.type, m.Bool):
        yield from _test(at)


def _with(**changed: Any) -> Callable[[Any], m.Expr]:
    """Return the function that copies an expression with other values of some fields."""

    def made(e: Any) -> m.Expr:
        copy: m.Expr = evolve(e, **changed)
        return copy

    return made


def _side(at: ExprSite) -> Iterator[NodeChange]:
    """Turn a side into the next one."""
    node, fixed = at.node, at.turned
    if fixed is None or node.type.kind is not fixed.keys[0].kind or isinstance(node, m.Const):
        return
    if isinstance(at.parent, m.ReadFixed) and at.parent.fixed.values == fixed.values:
        return  # `s.enemy` itself is turned
    if not at.written.at(node.span, ast.Name, ast.Attr, ast.CallSyntax, ast.WordSyntax):
        return
    if isinstance(node, (m.Read, m.ReadCell, m.ReadFixed, m.CallDefine, m.The)):
        edit = at.whole(f"{at.text}.{at.other}") if at.other else None
        yield NodeChange("side turned", "", lambda e: m.ReadFixed(fixed, [e], type=e.type), edit)


def _test(at: ExprSite) -> Iterator[NodeChange]:
    """Turn a test into its opposite."""
    node = at.node
    if isinstance(at.parent, m.Not) or isinstance(
        node, (m.Const, m.And, m.Or, m.Not, m.Count, m.If)
    ):
        return
    if isinstance(node, m.Compare) and at.written.at(node.span, ast.Binary) is not None:
        return  # `_compare` changes it
    span = at.written.test_at(node.span)
    edit = (span, f"not ({at.written.text(span)})") if span != node.span else None
    yield NodeChange(
        "test turned", "", lambda e: m.Not(e, span=e.span), edit or at.whole(f"not ({at.text})")
    )


def _not(at: ExprSite) -> Iterator[NodeChange]:
    if at.written.at(at.node.span, ast.Unary, ast.Binary):
        yield NodeChange("not dropped", "", lambda e: e.value, at.whole(f"not ({at.text})"))


def _number(at: ExprSite) -> Iterator[NodeChange]:
    node = at.node
    if not at.written.at(node.span, ast.NumberSyntax, ast.Unary):
        return
    if isinstance(node.type, m.Int):
        for step in (1, -1):
            value = node.value + step
            shape = _NUMBER.fullmatch(at.text)
            sign = "+" if shape is not None and shape[1] == "+" and value >= 0 else ""
            edit = at.whole(f"{sign}{value}{shape[3]}") if shape is not None else None
            yield NodeChange(
                "number",
                f"{node.value} -> {value}",
                _with(value=value),
                edit,
            )


def _member(at: ExprSite) -> Iterator[NodeChange]:
    node = at.node
    if not isinstance(node.type, m.MemberOf) or node.value < 0:
        return
    kind = node.type.kind
    if kind.size < 2 or not at.written.at(node.span, ast.Name, ast.Attr, ast.NumberSyntax):  # noqa: PLR2004
        return
    value = (node.value + 1) % kind.size
    name = kind.members[value]
    edit = at.whole(name) if at.text == kind.members[node.value] else None
    yield NodeChange(
        "member",
        f"{kind.members[node.value]} -> {name}",
        _with(value=value),
        edit,
    )


def _flag(at: ExprSite) -> Iterator[NodeChange]:
    if isinstance(at.node.type, m.Bool) and at.written.at(at.node.span, ast.WordSyntax):
        value = 0 if at.node.value else 1
        yield NodeChange(
            "flag",
            f"-> {'true' if value else 'false'}",
            _with(value=value),
            at.whole("true" if value else "false"),
        )


def _compare(at: ExprSite) -> Iterator[NodeChange]:
    node, found = at.node, at.written.at(at.node.span, ast.Binary)
    if found is None or found.op not in _ORDER:
        return
    plain = not isinstance(node.left.type, m.Int)
    others: tuple[m.CompareOp, ...] = (
        ("!=",) if plain and node.op == "=" else _ORDER.get(node.op, ())
    )
    for op in others:
        yield NodeChange(
            "comparison",
            f"{node.op} -> {op}",
            _with(op=op),
            _operator_edit(at, found, node.op, op),
        )


def _operator_edit(at: ExprSite, found: ast.Binary, old: str, new: str) -> tuple[Span, str] | None:
    """Return the edit that replaces the sign between the two sides of an operation."""
    gap = at.written.between(found.left.span, found.right.span)
    text = at.written.text(gap)
    return (gap, text.replace(old, new)) if text.count(old) == 1 and found.op == old else None


def _joined(at: ExprSite) -> Iterator[NodeChange]:
    """Turn `and` into `or`, and back."""
    node = at.node
    old, new, cls = ("and", "or", m.Or) if isinstance(node, m.And) else ("or", "and", m.And)
    found = at.written.at(node.span, ast.Binary)
    if found is None or found.op != old:
        return
    alone = not any(isinstance(x, ast.Binary) and x.op == old for x in (found.left, found.right))
    edit = None
    if alone:
        left, right = (at.written.text(x.span) for x in (found.left, found.right))
        edit = at.whole(f"(({left}) {new} ({right}))")
    yield NodeChange("and, or", f"{old} -> {new}", lambda e: cls(list(e.items), span=e.span), edit)


def _counted(at: ExprSite) -> Iterator[NodeChange]:
    node, found = at.node, at.written.at(at.node.span, ast.Quant)
    if found is None or found.word not in ("some", "no") or node.op != found.word:
        return
    op: Any = "no" if node.op == "some" else "some"
    edit = at.whole(op + at.text[len(node.op) :]) if at.text.startswith(node.op) else None
    yield NodeChange("some, no", f"{node.op} -> {op}", _with(op=op), edit)


def _filter(at: ExprSite) -> Iterator[NodeChange]:
    found = at.written.at(at.node.span, ast.Where)
    if found is not None:
        edit = at.whole(at.written.text(found.source.span))
        yield NodeChange("filter dropped", "", lambda e: e.source, edit)


def _arith(at: ExprSite) -> Iterator[NodeChange]:
    node, found = at.node, at.written.at(at.node.span, ast.Binary)
    if found is None:
        return
    op = _ARITH[node.op]
    if node.op in ("up", "down"):
        text = at.text
        edit = at.whole(text[: -len(node.op)] + op) if text.endswith(node.op) else None
        yield NodeChange("rounding", f"{node.op} -> {op}", _with(op=op), edit)
    else:
        yield NodeChange(
            "arithmetic",
            f"{node.op} -> {op}",
            _with(op=op),
            _operator_edit(at, found, node.op, op),
        )


def _branches(at: ExprSite) -> Iterator[NodeChange]:
    """Take one branch of a conditional value always."""
    found = at.written.at(at.node.span, ast.IfElse)
    if found is None:
        return
    for name, side in (("then", found.then), ("other", found.other)):
        edit = at.whole(f"({at.written.text(side.span)})")
        yield NodeChange("branch forced", name, attrgetter(name), edit, found.cond.span)


def _set_op(at: ExprSite) -> Iterator[NodeChange]:
    node, found = at.node, at.written.at(at.node.span, ast.Binary)
    if found is None or found.op != node.op:
        return
    op: Any = "-" if node.op == "+" else "+"
    yield NodeChange(
        "set operator",
        f"{node.op} -> {op}",
        _with(op=op),
        _operator_edit(at, found, node.op, op),
    )


def _less_one(at: ExprSite) -> Iterator[NodeChange]:
    """Leave one item out of a written set."""
    node, found = at.node, at.written.at(at.node.span, ast.SetLiteral)
    if found is None or len(found.items) != len(node.items):
        return
    for i, item in enumerate(found.items):
        kept = ", ".join(at.written.text(x.span) for x in found.items if x is not item)
        yield NodeChange(
            "set less one",
            at.written.text(item.span),
            partial(_without, i),
            at.whole("{" + kept + "}"),
        )


def _without(index: int, e: m.MakeSet) -> m.Expr:
    return evolve(e, items=[x for i, x in enumerate(e.items) if i != index])


def _least(at: ExprSite) -> Iterator[NodeChange]:
    node = at.node
    if at.written.at(node.span, ast.MinMax) is None:
        return
    op: Any = "max" if node.op == "min" else "min"
    edit = at.whole(op + at.text[len(op) :]) if at.text.startswith(node.op) else None
    yield NodeChange("min, max", f"{node.op} -> {op}", _with(op=op), edit)


def _aggregate(at: ExprSite) -> Iterator[NodeChange]:
    node = at.node
    if at.written.at(node.span, ast.AggregateSyntax) is None or node.op not in ("min", "max"):
        return
    op: Any = "max" if node.op == "min" else "min"
    edit = at.whole(op + at.text[len(op) :]) if at.text.startswith(node.op) else None
    yield NodeChange("min, max", f"{node.op} -> {op}", _with(op=op), edit)


def _first(at: ExprSite) -> Iterator[NodeChange]:
    """Turn the order of the first key around."""
    node, found = at.node, at.written.at(at.node.span, ast.First)
    if found is None or not node.keys or isinstance(node.keys[0], m.Const):
        return
    if isinstance(node.keys[0].type, m.Int):
        zero = m.Const(0, type=node.keys[0].type)
        key = found.keys[0].span
        yield NodeChange(
            "order",
            "",
            lambda e: evolve(
                e, keys=[m.Arith("-", zero, e.keys[0], type=e.keys[0].type), *e.keys[1:]]
            ),
            (key, f"0 - ({at.written.text(key)})"),
        )


def _filled(at: ExprSite) -> Iterator[NodeChange]:
    """Drop what stands after `??`."""
    found = at.written.at(at.node.span, ast.Binary)
    if found is None or found.op != "??":
        return
    node, edit = at.node, at.whole(at.written.text(found.left.span))
    if isinstance(node, m.If):
        if node.fills:
            yield NodeChange("?? dropped", "", lambda e: e.other, None)
    else:
        yield NodeChange("?? dropped", "", lambda e: e.value, edit if node.type.optional else None)


_OF: dict[type, tuple[Callable[[ExprSite], Iterator[NodeChange]], ...]] = {
    m.Const: (_number, _member, _flag),
    m.Compare: (_compare,),
    m.And: (_joined,),
    m.Or: (_joined,),
    m.Not: (_not,),
    m.Count: (_counted,),
    m.Filter: (_filter,),
    m.Arith: (_arith,),
    m.If: (_branches, _filled),
    m.OrElse: (_filled,),
    m.SetOp: (_set_op,),
    m.MakeSet: (_less_one,),
    m.Least: (_least,),
    m.Aggregate: (_aggregate,),
    m.FirstBy: (_first,),
}
