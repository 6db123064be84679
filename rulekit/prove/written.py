"""The expressions and statements of the rules files as their authors wrote them, by place.

`check` expands the rules, so the model contains nodes that nobody wrote, and several copies of
others. A mutant belongs to a node that stands in a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.diagnostics.span import Span
from rulekit.compiler.source.game_source import GameSource
from rulekit.compiler.syntax import ast
from rulekit.compiler.syntax.ast.node import NodeSyntax, fields_of
from rulekit.compiler.syntax.parser import parse

WORD_TESTS = ("is", "is not", "has", "only", "all")


@define
class WrittenRules:
    """The nodes of all rules files.

    Attributes:
        files: the lines of each file.
        nodes: the nodes at each place, outermost first.
        refs: the paragraphs that apply at each place, those of the innermost node that cites some.
        libraries: the library or game that each file belongs to.
        whole: for the word of a test (`x is w`), the place of the whole test.
        conditions: for the place of a condition, the operators that force it, each with the value
            that the condition takes.
        parts: for a part of an `and` or `or`, the edit that leaves it out.
    """

    files: dict[str, list[str]] = field(factory=dict)
    nodes: dict[Span, list[NodeSyntax]] = field(factory=dict)
    refs: dict[Span, tuple[str, ...]] = field(factory=dict)
    libraries: dict[str, str] = field(factory=dict)
    whole: dict[Span, Span] = field(factory=dict)
    conditions: dict[Span, list[tuple[str, bool]]] = field(factory=dict)
    parts: dict[Span, tuple[Span, str]] = field(factory=dict)

    def text(self, span: Span) -> str:
        """Return the text at a place."""
        lines = self.files[span.file][span.line - 1 : span.end_line]
        if len(lines) == 1:
            return lines[0][span.column - 1 : span.end_column - 1]
        lines = [lines[0][span.column - 1 :], *lines[1:-1], lines[-1][: span.end_column - 1]]
        return "\n".join(lines)

    def between(self, before: Span, after: Span) -> Span:
        """Return the place between two others of one file."""
        return Span(before.file, before.end_line, before.end_column, after.line, after.column)

    def at(self, span: Span, *classes: type[NodeSyntax]) -> Any | None:
        """Return the outermost node of one of these classes at a place, or None."""
        return next((node for node in self.nodes.get(span, ()) if isinstance(node, classes)), None)

    def test_at(self, span: Span) -> Span:
        """Return the place of the whole test that the node at this place belongs to."""
        return self.whole.get(span, span)

    def replaced(self, span: Span, by: str) -> str:
        """Return the text of the file with other text at one place."""
        lines = self.files[span.file]
        before = [*lines[: span.line - 1], lines[span.line - 1][: span.column - 1]]
        after = [lines[span.end_line - 1][span.end_column - 1 :], *lines[span.end_line :]]
        return "\n".join(before) + by + "\n".join(after)


def written(source: GameSource) -> WrittenRules:
    """Read the rules files of a game and its libraries again."""
    found = WrittenRules()
    for each in source.rules:
        found.files[each.path] = each.text.removeprefix("\ufeff").splitlines()
        found.libraries[each.path] = each.library
        _enter(found, parse(each.text, each.path, Sink()), ())
    return found


def _enter(found: WrittenRules, node: NodeSyntax, ref: tuple[str, ...]) -> None:
    ref = tuple(getattr(node, "ref", ())) or ref
    found.nodes.setdefault(node.span, []).append(node)
    found.refs.setdefault(node.span, ref)
    if isinstance(node, ast.Binary):
        _enter_operation(found, node)
    for condition, forced in _conditions(node):
        found.conditions.setdefault(condition.span, []).extend(forced)
    for child in _children(node):
        _enter(found, child, ref)


def _enter_operation(found: WrittenRules, node: ast.Binary) -> None:
    if node.op in WORD_TESTS:
        found.whole.setdefault(node.right.span, node.span)
    for part, other in ((node.left, node.right), (node.right, node.left)):
        if node.op in ("and", "or") and not _joined(part, node.op):
            found.conditions.setdefault(part.span, []).append(("part dropped", node.op == "and"))
            found.parts[part.span] = (node.span, found.text(other.span))


def _conditions(node: NodeSyntax) -> Iterator[tuple[ast.ExprSyntax, list[tuple[str, bool]]]]:
    """Yield the conditions of a statement or declaration, each with the ways to force it."""
    dropped = ("condition dropped", True)
    if isinstance(node, ast.MovementDecl):
        for guards, value in ((node.may, True), (node.end, True), (node.stop, False)):
            for guard in guards:
                yield guard.cond, [("guard dropped", value)]
    elif isinstance(node, ast.OptionDecl):
        for clause in node.clauses:
            if isinstance(clause, ast.Guard):
                yield clause.cond, [("guard dropped", True)]
    elif isinstance(node, ast.IfSyntax):
        for condition, _ in node.arms:
            yield condition, [("branch forced", True), ("branch forced", False)]
    elif isinstance(node, ast.CaseSyntax) and node.when is not None:
        yield node.when, [dropped, ("case dropped", False)]
    elif isinstance(node, ast.ClauseSyntax) and node.when is not None:
        yield node.when, [dropped, ("clause dropped", False)]
    elif isinstance(node, ast.HookDecl) and node.when is not None:
        yield node.when, [dropped, ("hook dropped", False)]
    elif isinstance(node, ast.StmtSyntax) and getattr(node, "when", None) is not None:
        yield node.when, [dropped]  # type: ignore[attr-defined]


def _joined(part: ast.ExprSyntax, op: str) -> bool:
    return isinstance(part, ast.Binary) and part.op == op


def _children(node: NodeSyntax) -> Iterator[NodeSyntax]:
    for name in fields_of(node):
        yield from _nodes(getattr(node, name))


def _nodes(value: Any) -> Iterator[NodeSyntax]:
    if isinstance(value, NodeSyntax):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)
