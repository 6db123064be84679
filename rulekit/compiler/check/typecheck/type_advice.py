"""Suggests replacements for an expression of the wrong type, using the names that are known at its
place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.scope import FLEX, Bad, Scope, attributes, bare, show
from rulekit.compiler.syntax import ast as t

MAX_LISTED_NAMES = 3  # names that a help lists
LONGEST = 80  # characters of the author's text that a message quotes
VALUES = ("define", "total", "cell", "fixed")


# ------------------------------------------------------------------------------------------------ t
def written(node: t.NodeSyntax) -> str:
    """Return a short expression as written, with "this" for longer parts."""
    if isinstance(node, t.Name):
        return node.id
    if isinstance(node, t.Attr):
        return f"{written(node.base)}.{node.name}"
    if isinstance(node, t.CallSyntax):
        return f"{written(node.func)}({', '.join(written(a) for a in node.args)})"
    if isinstance(node, t.WordSyntax):
        return node.word
    if isinstance(node, t.NumberSyntax):
        return f"{node.value}{' ' + node.unit if node.unit else ''}"
    return "this"


def quoted(node: t.NodeSyntax, scope: Scope, otherwise: str = "this") -> str:
    """Return the author's text of an expression.

    It is shortened if it is very long, and is `otherwise` if it contains comments or has no file.
    """
    short, span = written(node), node.span
    if "this" not in short:
        return short
    lines = scope.world.source.files.get(span.file, "").splitlines()[
        max(span.line - 1, 0) : span.end_line
    ]
    if not lines:
        return otherwise
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    text = " ".join(" ".join(lines).split())
    if not text or "#" in text:
        return otherwise
    return text if len(text) <= LONGEST else text[: LONGEST - 4] + " ..."


def _operand(node: t.NodeSyntax, scope: Scope) -> str:
    """Return the author's text, in brackets where an operator next to it requires them."""
    text = quoted(node, scope, "x")
    closed = isinstance(
        node, (t.Name, t.Attr, t.CallSyntax, t.WordSyntax, t.NumberSyntax, t.SetLiteral)
    ) or (text.startswith("(") and text.endswith(")"))
    return text if closed else f"({text})"


# ------------------------------------------------------------------------------------------------ w
def of_others(id: str, scope: Scope) -> str:
    """Return a help text if an unknown name is an attribute of something else, or ""."""
    having = [
        kind for kind in scope.world.kinds.values() if not kind.own and id in set(attributes(kind))
    ]
    known = {
        **{
            name: var
            for proc in reversed(scope.contexts)
            for name, var in scope.world.visible.get(proc, {}).items()
        },
        **scope.locals,
    }
    own = (
        scope.element.expr.var
        if scope.element is not None and isinstance(scope.element.expr, m.Read)
        else None
    )
    named = [
        f"'{name}.{id}'"
        for name, var in known.items()
        if var is not own and isinstance(var.type, m.MemberOf) and var.type.kind in having
    ]
    if not having or (scope.element is None and not named):
        return ""
    lacks = (
        f"the element is of the kind {scope.element.kind.name}, which has no '{id}'; "
        if scope.element is not None
        else ""
    )
    if named:
        return f"{lacks}write {_any(named)}"
    return (
        f"{lacks}to test that of a {having[0].name}, give it a name: '{having[0].name} x where ..."
        f" x.{id} ...'"
    )


def instead(have: m.Type, want: m.Type, node: t.NodeSyntax, scope: Scope) -> str:
    """Return a replacement for `node`, of type `have`, where `want` is expected. The result is
    never empty.
    """
    asked = (
        isinstance(have, m.MemberOf) and have.optional and isinstance(want, m.Bool)
    )  # most likely: is there one?
    return (
        unlike(have, want)
        or about_it(node, scope)
        or ("" if asked else through(have, want, node, scope))
        or _changed(have, want, node, scope)
        or wanted(want, scope)
    )


def instead_of_set(have: m.Type, node: t.NodeSyntax, scope: Scope) -> str:
    """Return a replacement where any set is accepted."""
    if about := about_it(node, scope):
        return about
    if isinstance(have, m.Record):
        return _result(have)
    if isinstance(have, m.Int):
        return (
            "numbers are a range: '1 .. 6'; a set is a kind, 'KIND where ...', or members in"
            " braces: {a, b}"
        )
    if isinstance(have, m.Bool):
        return f"a condition belongs after 'where': 'KIND where {quoted(node, scope, '...')}'"
    if not isinstance(have, m.MemberOf):
        return "a set is a kind, 'KIND where ...', or members in braces: {a, b}"
    text = _operand(node, scope)
    sets = [f"'{text}.{name}'" for name, type in _of(have.kind, scope) if isinstance(type, m.SetOf)]
    sets += [
        f"'{kind.name} where {name} = {text}'"
        for kind in scope.world.kinds.values()
        if not kind.own
        for name, type in _of(kind, scope)
        if isinstance(type, m.MemberOf) and type.kind is have.kind
    ]
    return (
        f"write a set: {_any(sets)}"
        if sets
        else f"write a set: '{have.kind.name} where ...', or in braces '{{{text}}}'"
    )


def compared(first: m.Type, second: m.Type, node: t.Binary, scope: Scope) -> str:
    """Return a replacement for `left = right` of two types."""
    if isinstance(first, m.Record) or isinstance(second, m.Record):
        return "compare one result of each, e.g. 'name.result'"
    if about := about_it(node, scope):
        return about
    left, right = quoted(node.left, scope, "x"), quoted(node.right, scope, "y")
    for have, want, side in ((first, second, node.left), (second, first, node.right)):
        names = _names_through(have, want, scope)
        text = _operand(side, scope)
        names = [n for n in names if f"{text}.{n}" != (right if side is node.left else left)]
        if names:
            pairs = [
                (
                    _pair(f"{text}.{n}", right, node)
                    if side is node.left
                    else _pair(left, f"{text}.{n}", node)
                )
                for n in names
            ]
            return f"did you mean {_any(pairs)}?"
    for one, other, x, s in ((first, second, left, node.right), (second, first, right, node.left)):
        if isinstance(one, m.MemberOf) and isinstance(other, m.SetOf) and one.kind is other.kind:
            return (
                f"write '{x} {'not in' if node.op == '!=' else 'in'} {_operand(s, scope)}' to test"
                " whether it is one of them"
            )
        if isinstance(one, m.Int) and isinstance(other, m.SetOf):
            return f"write 'count({quoted(s, scope, 'S')})' for the number of them"
    if isinstance(first, m.Bool) and isinstance(second, m.Bool):
        return "two conditions are compared with '=' or '!='; join them with 'and' or 'or'"
    return (
        f"{show(first)} and {show(second)} are never the same: name an attribute of one of them, or"
        f" compare with {_one(first, scope)}"
    )


def in_unit(left: m.Int, right: m.Int, node: t.Binary, scope: Scope) -> str:
    """Return a replacement for `left + right` of two units."""
    unit = right.unit or left.unit
    side = node.left if right.unit else node.right
    return f"both need one unit: if that is intended, write '{_operand(side, scope)} as {unit}'"


def ordered(first: m.Type, node: t.Binary, scope: Scope) -> str:
    """Return a replacement for `left < right` of a kind without an order."""
    names = _names_through(first, m.Int(FLEX), scope)
    left, right, kind = (
        _operand(node.left, scope),
        _operand(node.right, scope),
        getattr(first, "kind", None),
    )
    declared = (
        f"if its members have an order, declare it: kind {kind.name if kind else 'K'} ordered = ..."
    )
    return (
        f"did you mean {_any([_pair(f'{left}.{n}', f'{right}.{n}', node) for n in names])}? Or"
        f" {declared}"
        if names
        else declared
    )


def calculated(left: m.Type, right: m.Type, node: t.Binary, scope: Scope) -> str:
    """Return a replacement for `left + right` of types that cannot be added."""
    if about := about_it(node, scope):
        return about
    if (
        isinstance(left, m.SetOf)
        and isinstance(right, m.MemberOf)
        and left.kind is right.kind
        and node.op in "+-"
    ):
        return (
            f"only a set can change a set: '{_operand(node.left, scope)} {node.op}"
            f" {{{quoted(node.right, scope, 'x')}}}'"
        )
    if (
        isinstance(left, m.MemberOf)
        and isinstance(right, m.Int)
        and node.op in "+-"
        and not _names_through(left, right, scope)
    ):
        return (
            f"'{node.op}' works on a {left.kind.name} only if its kind has an order: kind"
            f" {left.kind.name} ordered = ..."
        )
    side, have = (node.left, left) if not isinstance(left, m.Int) else (node.right, right)
    return instead(
        have, left if side is node.right and isinstance(left, m.Int) else m.Int(FLEX), side, scope
    )


def wanted(want: m.Type, scope: Scope) -> str:
    """Return an example of a type, using the names that are known here."""
    return f"write {_one(want, scope)}"


# ------------------------------------------------------------------------------------------------ p
def unlike(left: m.Type, right: m.Type) -> str:
    """Return a help text if a type is the result of a table with several results, otherwise ""."""
    if isinstance(left, m.Record) and isinstance(right, m.Record):
        return (
            "give both tables the same results, with the same names and types, or take one result"
            " of each, e.g. 'name.result'"
        )
    return _result(left) if isinstance(left, m.Record) else ""


def _result(type: m.Record) -> str:
    return f"take one result of the table: {_any([f'.{name}' for name, _ in type.fields])} after it"


def about_it(node: t.NodeSyntax, scope: Scope) -> str:
    """Return a help text on the meaning of 'it' if an expression contains it: the element of the
    innermost set, even if another was meant.
    """
    if scope.element is None or "it" not in bare(node):
        return ""
    kind = scope.element.kind.name
    return (
        f"'it' is the {kind} of the innermost set here; give an outer element a name: 'S x where"
        " ... x ...'"
    )


def through(have: m.Type, want: m.Type, node: t.NodeSyntax, scope: Scope) -> str:
    """Suggest attributes of the given member that have the wanted type."""
    text, names = _operand(node, scope), _names_through(have, want, scope)
    return f"did you mean {_any([repr(f'{text}.{name}') for name in names])}?" if names else ""


def of_another(word: str, kind: m.Kind, tested: m.Kind, scope: Scope) -> str:
    """Return a help text for a tested word of `kind` if the member has no attribute of this kind,
    but another attribute leads to it.
    """
    own, last = f"{tested.name} has no attribute '{kind.name.lower()}'", m.MemberOf(kind)
    ways = [
        name
        for name, type in _of(tested, scope)
        if isinstance(type, m.MemberOf)
        and type.kind is not tested
        and any(matches(each, last) for name, each in _of(type.kind, scope))
    ]
    return (
        f"{own}; did you mean {_any([repr(f'{way} is {word}') for way in ways])}?" if ways else own
    )


def _names_through(have: m.Type, want: m.Type, scope: Scope) -> list[str]:
    """Return the attributes of a member that have the wanted type."""
    if not isinstance(have, m.MemberOf) or (
        isinstance(want, (m.MemberOf, m.SetOf)) and want.kind is have.kind
    ):
        return []
    return [name for name, type in _of(have.kind, scope) if matches(type, want)]


def _of(kind: m.Kind, scope: Scope) -> Iterator[tuple[str, m.Type]]:
    """Yield the attributes of a kind with their types, then the declarations with the kind as their
    only parameter.

    The body of a definition that is not typed yet is not typed for this.
    """
    yield from ((name, fixed.type) for name, fixed in kind.fixed.items() if len(fixed.keys) == 1)
    yield from (
        (name, cell.type)
        for name, cell in kind.cells.items()
        if len(cell.keys) == 1 and not cell.pool
    )
    yield from ((name, define.type) for name, define in kind.defines.items())
    for symbol in scope.world.symbols.values():
        first = (
            symbol.params[0].type
            if len(symbol.params) == 1 and symbol.what in VALUES and symbol.context is None
            else None
        )
        if isinstance(first, m.MemberOf) and first.kind is kind and symbol.obj is not None:
            yield symbol.name, symbol.obj.type


def matches(have: m.Type, want: m.Type) -> bool:
    """Return True if a value of one type fits where the other is wanted, ignoring whether it may be
    none.
    """
    if isinstance(have, Bad) or type(have) is not type(want):
        return False
    if isinstance(have, m.Int) and isinstance(want, m.Int):
        return have.unit == want.unit or FLEX in (have.unit, want.unit)
    if isinstance(have, (m.MemberOf, m.SetOf)) and isinstance(want, (m.MemberOf, m.SetOf)):
        return have.kind is want.kind
    return have == want if isinstance(have, m.Record) else True


def _changed(have: m.Type, want: m.Type, node: t.NodeSyntax, scope: Scope) -> str:
    """Return an expression that converts `node` to the wanted type, or ""."""
    text, plain = _operand(node, scope), quoted(node, scope, "x")
    if isinstance(have, m.SetOf):
        if isinstance(want, m.MemberOf) and want.kind is have.kind:
            return (
                f"write 'the {text}' if it has exactly one, or 'first({plain} by ...)' for one of"
                " several"
            )
        if isinstance(want, m.Bool):
            return f"write 'some({plain})' if there must be one, 'no({plain})' if there may be none"
        return (
            f"write 'count({plain})' for the number of them, or 'sum(ATTRIBUTE of {plain})'"
            if isinstance(want, m.Int)
            else ""
        )
    if isinstance(have, m.MemberOf):
        if isinstance(want, m.SetOf) and want.kind is have.kind:
            return f"in braces it is a set: {{{plain}}}"
        if isinstance(want, m.Bool):
            return (
                f"write '{text} != none' to test whether there is one"
                if have.optional
                else f"compare it with something: '{text} = ...'"
            )
        if isinstance(want, m.Int):
            return (
                f"{_a(have.kind.name)} has no attribute that is {show(want)}; give it one: fixed"
                f" NAME: 0..9 in 'kind {have.kind.name}'"
            )
    if isinstance(have, m.Int) and isinstance(want, m.Bool):
        return f"compare it with a number: '{text} > 0'"
    if isinstance(have, m.Int) and isinstance(want, m.MemberOf):
        moved = (
            f", or count on from one: '{want.kind.members[0]} + {text}'"
            if want.kind.ordered and want.kind.members
            else ""
        )
        return wanted(want, scope) + moved
    if isinstance(have, m.Bool):
        what = want.kind.name if isinstance(want, (m.MemberOf, m.SetOf)) else ""
        choice = (
            f"a condition chooses between two: '{'A' if what else '1'} if {plain} else"
            f" {'B' if what else '0'}'"
        )
        return (
            f"a condition belongs after 'where': '{what} where {plain}'"
            if isinstance(want, m.SetOf)
            else choice
        )
    return ""


def _one(type: m.Type, scope: Scope) -> str:
    """Return an example of a type, with names that have it here."""
    if isinstance(type, m.MemberOf):
        names = [
            name
            for name, var in scope.locals.items()
            if isinstance(var.type, m.MemberOf) and var.type.kind is type.kind
        ]
        for frame in scope.contexts:
            names += [
                n
                for n, var in scope.world.visible.get(frame, {}).items()
                if matches(var.type, type) and n not in names
            ]
        return (
            f"{_a(type.kind.name)}, such as {_any([*names, *type.kind.members])}"
            if names or type.kind.members
            else _a(type.kind.name)
        )
    if isinstance(type, m.SetOf):
        return (
            f"a set of {type.kind.name}: '{type.kind.name} where ...', or members in braces:"
            " {a, b}"
        )
    if isinstance(type, m.Int):
        unit = f" {type.unit}" if type.unit and type.unit != FLEX else ""
        return f"a number, such as '1{unit}'"
    if isinstance(type, m.Bool):
        return "a condition, such as 'x = y' or 'some(S)'"
    if isinstance(type, m.RatioT):
        return "two numbers with 'to' between them, such as '3 to 2'"
    return "a value of that type"


def _pair(left: str, right: str, node: t.Binary) -> str:
    return f"'{left} {node.op} {right}'"


def _any(names: Sequence[str]) -> str:
    """Return a few names, with 'or' before the last."""
    few = list(dict.fromkeys(names))[:MAX_LISTED_NAMES]
    return f"{', '.join(few[:-1])} or {few[-1]}" if len(few) > 1 else few[0]


def _a(name: str) -> str:
    return f"{'an' if name[:1] in 'AEIOU' else 'a'} {name}"
