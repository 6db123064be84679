"""Builds nodes of the syntax tree, with their spans, from the children of each grammar rule that
Lark reduces.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from rulekit.common.diagnostics.diagnostic import Diagnostic
from rulekit.common.diagnostics.span import Span
from rulekit.compiler.syntax import ast as t
from rulekit.compiler.syntax.scanner import Token

Children = list[Any]
N = TypeVar("N", bound=t.NodeSyntax)
_LAYOUT = frozenset(["_NL", "_INDENT", "_DEDENT"])


class SyntaxFault(Exception):
    """Raised for a piece that fits the grammar but is still wrong."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class SyntaxPart:
    """A piece of a node that is not a node itself: a `when`, a list of parameters, a block."""

    __slots__ = ("name", "span", "value")

    def __init__(self, name: str, value: Any, span: Span) -> None:
        self.name = name
        self.value = value
        self.span = span


class Paren:
    """An expression in brackets.

    The node keeps its own span. The span of the surrounding node includes the brackets.
    """

    __slots__ = ("node", "span")

    def __init__(self, node: t.ExprSyntax, span: Span) -> None:
        self.node = node
        self.span = span


class SortedChildren:
    """The children of a rule, sorted: names, numbers, texts, words, expressions, other nodes, parts
    by name.
    """

    __slots__ = ("exprs", "get", "ints", "names", "nodes", "texts", "words")

    def __init__(self, children: Children) -> None:
        self.names: list[str] = []
        self.ints: list[int] = []
        self.texts: list[str] = []
        self.words: list[str] = []
        self.exprs: list[t.ExprSyntax] = []
        self.nodes: list[Any] = []
        parts: dict[str, Any] = {}
        for child in children:
            kind = type(child)
            if kind is Token:
                self._token(child)
            elif kind is SyntaxPart:
                parts[child.name] = child.value
            elif kind is Paren:
                self.exprs.append(child.node)
            elif isinstance(child, t.ExprSyntax):
                self.exprs.append(child)
            else:
                self.nodes.append(child)
        self.get: Callable[..., Any] = parts.get

    def _token(self, token: Token) -> None:
        kind = token.type
        if kind == "NAME":
            self.names.append(token.value)
        elif kind == "STRING":
            self.texts.append(token.value[1:-1])
        elif kind == "INT":
            self.ints.append(int(token.value))
        elif kind not in _LAYOUT:
            self.words.append(token.value)

    @property
    def text(self) -> str | None:
        return self.texts[0] if self.texts else None

    @property
    def ref(self) -> tuple[str, ...]:
        value: tuple[str, ...] = self.get("ref", ())
        return value

    @property
    def body(self) -> t.Block:
        value: t.Block = self.get("block", ())
        return value


def span_of(children: Children) -> Span:
    """Return the span from the first child to the last that is neither layout nor a `ref`."""
    first = children[0].span
    index = len(children) - 1
    while index:
        last = children[index]
        if not (
            (type(last) is Token and last.type in _LAYOUT)
            or (type(last) is SyntaxPart and last.name == "ref")
        ):
            break
        index -= 1
    end = children[index].span
    return Span(first.file, first.line, first.column, end.end_line, end.end_column)


def node_of(child: Any) -> Any:
    return child.node if type(child) is Paren else child


def part(name: str, make: Callable[[SortedChildren], Any]) -> Callable[[Any, Children], SyntaxPart]:
    def method(self: Any, children: Children) -> SyntaxPart:
        return SyntaxPart(name, make(SortedChildren(children)), span_of(children))

    return method


def node(make: Callable[[SortedChildren, Span], N]) -> Callable[[Any, Children], N]:
    """Return a method for a rule whose node is built from the sorted parts alone."""

    def method(self: Any, children: Children) -> N:
        return make(SortedChildren(children), span_of(children))

    return method


def plain(cls: type[N], word: bool) -> Callable[[Any, Children], N]:
    """Return a method for a rule whose node holds its word, if it has one, and its expressions, in
    the order of the rule.
    """

    def method(self: Any, children: Children) -> N:
        given = [node_of(x) for x in children if type(x) is not Token]
        return cls(*([children[0].value] if word else ()), *given, span=span_of(children))

    return method


class ExpressionRules:
    """The rules for expressions.

    They run often, so they access their children by position. The class also has a method for each
    class of `t.PLAIN`.
    """

    def number(self, children: Children) -> t.NumberSyntax:
        unit = children[1].value if len(children) > 1 else None
        return t.NumberSyntax(int(children[0].value), unit, span=span_of(children))

    def name(self, children: Children) -> t.Name:
        return t.Name(children[0].value, span=children[0].span)

    def word(self, children: Children) -> t.WordSyntax:
        return t.WordSyntax(children[0].value, span=children[0].span)

    def group(self, children: Children) -> Paren:
        return Paren(node_of(children[1]), span_of(children))

    def attr(self, children: Children) -> t.Attr:
        return t.Attr(node_of(children[0]), children[2].value, span=span_of(children))

    def call_(self, children: Children) -> t.CallSyntax:
        return t.CallSyntax(
            node_of(children[0]),
            tuple(node_of(x) for x in children[2:-1] if type(x) is not Token),
            span=span_of(children),
        )

    def binary(self, children: Children) -> t.Binary:
        return t.Binary(
            children[1].value, node_of(children[0]), node_of(children[2]), span=span_of(children)
        )

    def binary_two_words(self, children: Children) -> t.Binary:
        return t.Binary(
            "not in" if children[1].value == "not" else "is not",
            node_of(children[0]),
            node_of(children[3]),
            span=span_of(children),
        )

    def divide(self, children: Children) -> t.Binary:
        return t.Binary(
            "/",
            node_of(children[0]),
            node_of(children[2]),
            children[3].value,
            span=span_of(children),
        )

    def not_(self, children: Children) -> t.Unary:
        return t.Unary("not", node_of(children[1]), span=span_of(children))

    def neg(self, children: Children) -> t.Unary:
        children[0].type = "UNARY"
        return t.Unary("-", node_of(children[1]), span=span_of(children))

    def pos(self, children: Children) -> Paren:
        children[0].type = "UNARY"
        return Paren(node_of(children[1]), span_of(children))

    def where(self, children: Children) -> t.Where:
        return t.Where(node_of(children[0]), None, node_of(children[2]), span=span_of(children))

    def where_named(self, children: Children) -> t.Where:
        return t.Where(
            node_of(children[0]), children[1].value, node_of(children[3]), span=span_of(children)
        )

    def cast(self, children: Children) -> t.Cast:
        return t.Cast(node_of(children[0]), children[2].value, span=span_of(children))

    def minmax(self, children: Children) -> t.MinMax:
        return t.MinMax(
            children[0].value, tuple(SortedChildren(children).exprs), span=span_of(children)
        )

    def first(self, children: Children) -> t.First:
        source, *keys = SortedChildren(children).exprs
        return t.First(source, tuple(keys), span=span_of(children))

    def reach(self, children: Children) -> t.ReachSyntax:
        *args, start = SortedChildren(children).exprs
        return t.ReachSyntax(children[1].value, tuple(args), start, span=span_of(children))

    def set_literal(self, children: Children) -> t.SetLiteral:
        return t.SetLiteral(tuple(SortedChildren(children).exprs), span=span_of(children))

    def list_literal(self, children: Children) -> t.ListLiteral:
        return t.ListLiteral(tuple(SortedChildren(children).exprs), span=span_of(children))


for _cls, _words in t.PLAIN.items():
    setattr(ExpressionRules, t.rule_of(_cls), plain(_cls, bool(_words)))


class Common:
    """Types, parameters, and the parts that many rules share."""

    ref = part("ref", lambda p: tuple(p.texts))
    params = part("params", lambda p: tuple(p.nodes))
    ctx = part("ctx", lambda p: p.names[0])
    of_type = part("type", lambda p: p.nodes[0])
    value = part("value", lambda p: p.exprs[0])
    per = part("per", lambda p: p.names[0])
    seen = part("seen", lambda p: tuple(p.nodes))
    path = part("path", lambda p: tuple(p.names))
    full_path = part("path", lambda p: tuple(p.names))
    when = part("when", lambda p: p.exprs[0])
    block = part("block", lambda p: tuple(p.nodes))

    def when_why(self, children: Children) -> SyntaxPart:
        p = SortedChildren(children)
        span = span_of(children)
        return SyntaxPart("why", t.Guard(p.exprs[0], p.text, span=span), span)

    def param(self, children: Children) -> t.Param:
        return t.Param(children[0].value, children[2], span=span_of(children))

    def t_name(self, children: Children) -> t.TypeNode:
        return t.TypeNode("name", children[0].value, len(children) > 1, span=span_of(children))

    def t_set(self, children: Children) -> t.TypeNode:
        return t.TypeNode("set", children[1].value, span=span_of(children))

    def t_range(self, children: Children) -> t.TypeNode:
        words = {x.type: x.value for x in children[3:]}
        children[1].type = "TIGHT"
        return t.TypeNode(
            "range",
            None,
            False,
            children[0].value,
            children[2].value,
            words.get("UNIT_NAME"),
            "CLAMP" in words,
            span=span_of(children),
        )

    def bound(self, children: Children) -> SyntaxPart:
        sign = -1 if children[0].value == "-" else 1
        if len(children) > 1:
            children[0].type = "UNARY"
        return SyntaxPart("bound", sign * int(children[-1].value), span_of(children))


class Things(Common):
    """Headers, kinds, cells, pools."""

    header = node(lambda p, span: t.Header(p.words[0], p.names[0], p.ints[0], span=span))
    use = node(lambda p, span: t.UseSyntax(p.names[0], p.ints[0], span=span))
    unit = node(lambda p, span: t.UnitDecl(tuple(p.names), span=span))
    member = node(lambda p, span: t.MemberSyntax(p.names[0], tuple(p.exprs), span=span))
    grid = node(lambda p, span: t.Grid(p.ints[0], p.ints[1], span=span))
    lines = node(lambda p, span: t.LinesSyntax(p.ints[0], p.names[0], span=span))
    observer = node(
        lambda p, span: t.ObserverSyntax(
            p.exprs[0], p.exprs[1] if len(p.exprs) > 1 else None, span=span
        )
    )
    fixed = node(
        lambda p, span: t.FixedDecl(
            p.names[0], p.get("params", ()), p.nodes[0], p.get("value"), p.ref, span=span
        )
    )
    state = node(
        lambda p, span: t.StateDecl(
            p.names[0],
            p.get("params", ()),
            p.nodes[0],
            p.get("value"),
            p.get("per"),
            p.get("seen", ()),
            p.ref,
            span=span,
        )
    )
    slot = node(
        lambda p, span: t.SlotDecl(
            p.names[0],
            p.get("params", ()),
            p.nodes[0] if p.nodes else None,
            p.get("value"),
            span=span,
        )
    )
    rules_while = node(lambda p, span: t.RulesWhile(p.exprs[0], p.names[0], span=span))
    identity = node(lambda p, span: t.IdentityDecl(p.get("seen", ()), span=span))
    pool = node(
        lambda p, span: t.PoolDecl(
            p.names[0], p.get("params", ()), p.names[1], p.get("seen", ()), p.ref, span=span
        )
    )
    members = node(lambda p, span: t.MembersDecl(p.names[0], tuple(p.nodes), span=span))
    ordered = part("ordered", lambda p: True)
    decides = part("decides", lambda p: True)
    joins = part("joins", lambda p: p.names[0])
    kind_needs = part("needs", lambda p: tuple(p.names))

    def kind(self, children: Children) -> t.KindDecl:
        p = SortedChildren(children)
        grid = next((n for n in p.nodes if isinstance(n, t.Grid)), None)
        lines = next((n for n in p.nodes if isinstance(n, t.LinesSyntax)), None)
        return t.KindDecl(
            p.names[0],
            p.get("ordered", False),
            p.get("decides", False),
            p.get("joins"),
            p.get("needs", ()),
            tuple(n for n in p.nodes if isinstance(n, t.MemberSyntax)),
            grid,
            lines,
            tuple(n for n in p.nodes if isinstance(n, t.Decl)),
            False,
            p.ref,
            span=span_of(children),
        )

    def extend(self, children: Children) -> t.KindDecl:
        p = SortedChildren(children)
        return t.KindDecl(
            p.names[0], items=tuple(p.nodes), extends=True, ref=p.ref, span=span_of(children)
        )


class DeclarationRules(Common):
    """Definitions, totals, permits, tables."""

    defname = part("defname", lambda p: tuple(p.names))
    give = node(lambda p, span: t.CaseSyntax(p.exprs[0], p.get("when"), p.ref, span=span))
    drop = node(lambda p, span: t.Drop(p.get("path", ()), span=span))
    replace = node(lambda p, span: t.Replace(p.nodes[0], span=span))
    needs = node(
        lambda p, span: t.NeedsDecl(
            p.words[1],
            p.names[0],
            p.get("params", ()),
            p.get("ctx"),
            p.get("type"),
            p.ref,
            span=span,
        )
    )
    total = node(
        lambda p, span: t.TotalDecl(
            p.names[0],
            p.get("params", ()),
            p.get("ctx"),
            p.get("type"),
            tuple(p.nodes),
            p.ref,
            span=span,
        )
    )
    permit = node(
        lambda p, span: t.PermitDecl(
            p.names[0], p.get("params", ()), p.get("ctx"), tuple(p.nodes), p.ref, span=span
        )
    )
    rounding = part("rounding", lambda p: p.words[1])
    source = part("source", lambda p: p.texts[0])
    output = part("output", lambda p: (p.names[0] if p.names else None, p.nodes[0]))

    def define(self, children: Children) -> t.DefineDecl:
        p = SortedChildren(children)
        *owner, name = p.get("defname", ())
        value = p.get("value")
        cases = (t.CaseSyntax(value, span=value.span),) if value is not None else tuple(p.nodes)
        return t.DefineDecl(
            name,
            p.get("params", ()),
            p.get("ctx"),
            p.get("type"),
            cases,
            owner[0] if owner else None,
            p.ref,
            span=span_of(children),
        )

    def base(self, children: Children) -> t.ClauseSyntax:
        return _clause("base", children)

    def amount(self, children: Children) -> t.ClauseSyntax:
        return _clause(children[0].value, children)

    def bound_clause(self, children: Children) -> t.ClauseSyntax:
        return _clause(children[1].value, children)

    def cancel(self, children: Children) -> t.ClauseSyntax:
        return _clause("cancel", children)

    def bar(self, children: Children) -> t.ClauseSyntax:
        return _clause("bar", children)

    def row(self, children: Children) -> SyntaxPart:
        return SyntaxPart(
            "row",
            tuple(node_of(x.value) for x in children if type(x) is SyntaxPart),
            span_of(children),
        )

    def cell(self, children: Children) -> SyntaxPart:
        span = span_of(children)
        return SyntaxPart(
            "cell",
            t.RatioSyntax(node_of(children[0]), node_of(children[2]), span=span)
            if len(children) > 1
            else node_of(children[0]),
            span,
        )

    def table(self, children: Children) -> t.TableDecl:
        p = SortedChildren(children)
        outputs = tuple(x.value for x in children if type(x) is SyntaxPart and x.name == "output")
        rows = tuple(x.value for x in children if type(x) is SyntaxPart and x.name == "row")
        if not outputs:
            raise SyntaxFault(
                Diagnostic(
                    "RK222",
                    f"table '{p.names[0]}' has no result",
                    span_of(children),
                    "write the type of its cells after '->'",
                )
            )
        return t.TableDecl(
            p.names[0],
            p.get("params", ()),
            outputs,
            p.get("rounding"),
            "clamp" in p.words,
            p.get("source"),
            rows,
            p.ref,
            span=span_of(children),
        )


def _clause(word: str, children: Children) -> t.ClauseSyntax:
    p = SortedChildren(children)
    guard: t.Guard | None = p.get("why")
    return t.ClauseSyntax(
        word,
        p.get("path", ()),
        p.exprs[0] if p.exprs else None,
        guard.cond if guard else None,
        guard.reason if guard else None,
        p.ref,
        span=span_of(children),
    )
