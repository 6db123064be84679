"""Expressions of the syntax tree."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin, get_type_hints

from attrs import fields, frozen

from rulekit.compiler.syntax.ast.node import ExprSyntax


@frozen(slots=True)
class Name(ExprSyntax):
    id: str


@frozen(slots=True)
class NumberSyntax(ExprSyntax):
    value: int
    unit: str | None = None


@frozen(slots=True)
class WordSyntax(ExprSyntax):
    """One of `it`, `here`, `none`, `true`, `false`."""

    word: str


@frozen(slots=True)
class Attr(ExprSyntax):
    base: ExprSyntax
    name: str


@frozen(slots=True)
class CallSyntax(ExprSyntax):
    func: ExprSyntax  # Name or Attr
    args: tuple[ExprSyntax, ...]


@frozen(slots=True)
class RatioSyntax(ExprSyntax):
    """A ratio `a to b`, which can only be an argument or the key of a table row."""

    num: ExprSyntax
    den: ExprSyntax


@frozen(slots=True)
class Unary(ExprSyntax):
    op: str  # "-", "not"
    operand: ExprSyntax


@frozen(slots=True)
class Binary(ExprSyntax):
    """A binary operation. Only `/` has a `rounding`."""

    op: Literal[
        "+",
        "-",
        "*",
        "/",
        "??",
        "=",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "in",
        "not in",
        "is",
        "is not",
        "has",
        "only",
        "all",
        "and",
        "or",
    ]
    left: ExprSyntax
    right: ExprSyntax
    rounding: Literal["up", "down"] | None = None


@frozen(slots=True)
class Applies(ExprSyntax):
    """A test of a clause: `crt_column.wall applies`."""

    target: ExprSyntax


@frozen(slots=True)
class IfElse(ExprSyntax):
    then: ExprSyntax
    cond: ExprSyntax
    other: ExprSyntax


@frozen(slots=True)
class Where(ExprSyntax):
    """A filter: `source where cond`, or `source name where cond` to name the element."""

    source: ExprSyntax
    var: str | None
    cond: ExprSyntax


@frozen(slots=True)
class Range(ExprSyntax):
    low: ExprSyntax
    high: ExprSyntax


@frozen(slots=True)
class Quant(ExprSyntax):
    word: Literal["some", "no", "count", "the"]
    operand: ExprSyntax


@frozen(slots=True)
class AggregateSyntax(ExprSyntax):
    """An aggregate: `sum(pf of force)`."""

    word: Literal["sum", "min", "max", "median", "values"]
    value: ExprSyntax
    source: ExprSyntax


@frozen(slots=True)
class MinMax(ExprSyntax):
    word: Literal["min", "max"]
    args: tuple[ExprSyntax, ...]


@frozen(slots=True)
class First(ExprSyntax):
    """The first member by some keys: `first(Side by -vp(it), it = red)`."""

    source: ExprSyntax
    keys: tuple[ExprSyntax, ...]


@frozen(slots=True)
class ReachSyntax(ExprSyntax):
    """The set of places where a movement could end: `reach march(g, s) from x`."""

    movement: str
    args: tuple[ExprSyntax, ...]
    start: ExprSyntax


@frozen(slots=True)
class SetLiteral(ExprSyntax):
    items: tuple[ExprSyntax, ...]


@frozen(slots=True)
class ListLiteral(ExprSyntax):
    items: tuple[ExprSyntax, ...]


@frozen(slots=True)
class Cast(ExprSyntax):
    """A change of unit: `x as PF`, `x as int`."""

    operand: ExprSyntax
    unit: str


def rule_of(cls: type[ExprSyntax]) -> str:
    """Return the name of the grammar rule for a class of nodes, without a suffix `Syntax`."""
    name = cls.__name__.removesuffix("Syntax")
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)[1:]


def _plain(cls: Any) -> tuple[str, ...] | None:
    """Return the words of a class whose fields are at most one word and then only expressions, or
    None for any other class.
    """
    types = get_type_hints(cls)
    own = [types[f.name] for f in fields(cls) if f.name != "span"]
    words: tuple[str, ...] = get_args(own.pop(0)) if get_origin(own[0]) is Literal else ()
    return words if all(type is ExprSyntax for type in own) else None


# the classes whose nodes are put together from the rule as it stands, each with its words
PLAIN: dict[type[ExprSyntax], tuple[str, ...]] = {
    cls: words
    for cls in list(globals().values())
    if isinstance(cls, type)
    and issubclass(cls, ExprSyntax)
    and cls is not ExprSyntax
    and (words := _plain(cls)) is not None
}
