"""Expressions of the syntax tree."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin, get_type_hints

from attrs import fields, frozen

from rulekit.compiler.syntax.ast.node import Expr


@frozen(slots=True)
class Name(Expr):
    id: str


@frozen(slots=True)
class Number(Expr):
    value: int
    unit: str | None = None


@frozen(slots=True)
class Word(Expr):
    """One of `it`, `here`, `none`, `true`, `false`."""

    word: str


@frozen(slots=True)
class Attr(Expr):
    base: Expr
    name: str


@frozen(slots=True)
class Call(Expr):
    func: Expr  # Name or Attr
    args: tuple[Expr, ...]


@frozen(slots=True)
class Ratio(Expr):
    """A ratio `a to b`, which can only be an argument or the key of a table row."""

    num: Expr
    den: Expr


@frozen(slots=True)
class Unary(Expr):
    op: str  # "-", "not"
    operand: Expr


@frozen(slots=True)
class Binary(Expr):
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
    left: Expr
    right: Expr
    rounding: Literal["up", "down"] | None = None


@frozen(slots=True)
class Applies(Expr):
    """A test of a clause: `crt_column.wall applies`."""

    target: Expr


@frozen(slots=True)
class IfElse(Expr):
    then: Expr
    cond: Expr
    other: Expr


@frozen(slots=True)
class Where(Expr):
    """A filter: `source where cond`, or `source name where cond` to name the element."""

    source: Expr
    var: str | None
    cond: Expr


@frozen(slots=True)
class Range(Expr):
    low: Expr
    high: Expr


@frozen(slots=True)
class Quant(Expr):
    word: Literal["some", "no", "count", "the"]
    operand: Expr


@frozen(slots=True)
class Aggregate(Expr):
    """An aggregate: `sum(pf of force)`."""

    word: Literal["sum", "min", "max", "median", "values"]
    value: Expr
    source: Expr


@frozen(slots=True)
class MinMax(Expr):
    word: Literal["min", "max"]
    args: tuple[Expr, ...]


@frozen(slots=True)
class First(Expr):
    """The first member by some keys: `first(Side by -vp(it), it = red)`."""

    source: Expr
    keys: tuple[Expr, ...]


@frozen(slots=True)
class Reach(Expr):
    """The set of places where a movement could end: `reach march(g, s) from x`."""

    movement: str
    args: tuple[Expr, ...]
    start: Expr


@frozen(slots=True)
class SetLiteral(Expr):
    items: tuple[Expr, ...]


@frozen(slots=True)
class ListLiteral(Expr):
    items: tuple[Expr, ...]


@frozen(slots=True)
class Cast(Expr):
    """A change of unit: `x as PF`, `x as int`."""

    operand: Expr
    unit: str


def rule_of(cls: type[Expr]) -> str:
    """Return the name of the grammar rule for a class of nodes."""
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in cls.__name__)[
        1:
    ]


def _plain(cls: Any) -> tuple[str, ...] | None:
    """Return the words of a class whose fields are at most one word and then only expressions, or
    None for any other class."""
    types = get_type_hints(cls)
    own = [types[f.name] for f in fields(cls) if f.name != "span"]
    words: tuple[str, ...] = get_args(own.pop(0)) if get_origin(own[0]) is Literal else ()
    return words if all(type is Expr for type in own) else None


# the classes whose nodes are put together from the rule as it stands, each with its words
PLAIN: dict[type[Expr], tuple[str, ...]] = {
    cls: words
    for cls in list(globals().values())
    if isinstance(cls, type)
    and issubclass(cls, Expr)
    and cls is not Expr
    and (words := _plain(cls)) is not None
}
