"""Emitted code that notes the mutants it meets.

The text of a program with switches is changed so that all switches count as off. Where a switch
chooses between two values, both are computed and compared. Where it guards a statement, only its
place is noted. So the notes never lack a mutant.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from types import CodeType
from typing import Any

from attrs import define, field

VALUES, MET = "mutant_values", "mutant_met"  # names in emitted code


@define
class Notes:
    """The mutants that one situation met.

    Attributes:
        reached: those with a place that was reached.
        differing: those whose value differed at such a place, or could not be compared.
    """

    reached: set[int] = field(factory=set)
    differing: set[int] = field(factory=set)
    _inside: bool = False

    def clear(self) -> None:
        """Empty the notes."""
        self.reached.clear()
        self.differing.clear()

    def values(self, number: int, other: Callable[[], Any], own: Callable[[], Any]) -> Any:
        """Return the value of the game, and note whether that of the mutant differs."""
        if self._inside or number in self.differing:
            return own()
        self.reached.add(number)
        value = own()
        self._inside = True
        try:
            if other() != value:
                self.differing.add(number)
        except Exception:  # the mutant ends play with an error, which is a difference
            self.differing.add(number)
        finally:
            self._inside = False
        return value

    def met(self, number: int) -> bool:
        """Note that a place was reached, and return that the mutant is off."""
        if not self._inside:
            self.reached.add(number)
            self.differing.add(number)
        return False

    def names(self) -> dict[str, Any]:
        """Return the functions by their names in emitted code."""
        return {VALUES: self.values, MET: self.met}


def probed(text: str, slot: int, file: str, compare: bool = True) -> CodeType:
    """Return the code of a program whose switch stands in a slot, with notes.

    Args:
        compare: compute the values of mutants. Code that records its computations must not do it.
    """
    tree = _Noting(slot, compare).visit(ast.parse(text))
    made: CodeType = compile(ast.fix_missing_locations(tree), file, "exec")
    return made


def numbers(text: str, slot: int) -> set[int]:
    """Return the mutants that the text of a program contains."""
    found = (_number(node, slot) for node in ast.walk(ast.parse(text)))
    return {number for number in found if number}


def _number(node: ast.AST, slot: int) -> int:
    """Return the number of the mutant whose switch this expression tests, or 0."""
    if not (isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq)):
        return 0
    at, value = node.left, node.comparators[0]
    if not (isinstance(at, ast.Subscript) and isinstance(at.value, ast.Name)):
        return 0
    is_slot = isinstance(at.slice, ast.Constant) and at.slice.value == slot
    if at.value.id != "s" or not is_slot or not isinstance(value, ast.Constant):
        return 0
    return value.value if isinstance(value.value, int) else 0


class _Noting(ast.NodeTransformer):
    """Replaces the tests of the switch."""

    def __init__(self, slot: int, compare: bool) -> None:
        self.slot, self.compare = slot, compare
        self.held: dict[str, int] = {}  # local names that hold such a test
        self.names = False  # True in a function that assigns inside of expressions

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.held = self._tests(node)
        self.names = _assigns(node)
        return self.generic_visit(node)

    def _tests(self, node: ast.FunctionDef) -> dict[str, int]:
        """Return the local names that are assigned once, and then to a test of the switch."""
        written = Counter(
            each.id
            for each in ast.walk(node)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        )
        found: dict[str, int] = {}
        for each in ast.walk(node):
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
                name, number = each.targets[0].id, _number(each.value, self.slot)
                if number and len(each.targets) == 1 and written[name] == 1:
                    found[name] = number
        return found

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        target = node.targets[0]
        if isinstance(target, ast.Name) and target.id in self.held:
            node.value = ast.Constant(False)
            return node
        return self.generic_visit(node)

    def _tested(self, node: ast.AST) -> int:
        if isinstance(node, ast.Name):
            return self.held.get(node.id, 0)
        return _number(node, self.slot)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        number = self._tested(node.test)
        named = self.names and _assigns(node)
        self.generic_visit(node)
        if not number or named or not self.compare:
            return node
        sides = [ast.Lambda(_no_arguments(), side) for side in (node.body, node.orelse)]
        return ast.Call(ast.Name(VALUES, ast.Load()), [ast.Constant(number), *sides], [])

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Compare the values of `switch or x` and `not switch and x`."""
        first, is_or = node.values[0], isinstance(node.op, ast.Or)
        test = first.operand if isinstance(first, ast.UnaryOp) and not is_or else first
        number = self._tested(test) if is_or or test is not first else 0
        named = self.names and _assigns(node)
        self.generic_visit(node)
        if not number or named or not self.compare:
            return node
        rest = node.values[1:]
        own = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        sides = [ast.Lambda(_no_arguments(), side) for side in (ast.Constant(is_or), _truth(own))]
        return ast.Call(ast.Name(VALUES, ast.Load()), [ast.Constant(number), *sides], [])

    def visit_Name(self, node: ast.Name) -> ast.AST:
        number = self.held.get(node.id, 0)
        return self._met(number) if number and isinstance(node.ctx, ast.Load) else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        number = _number(node, self.slot)
        return self._met(number) if number else self.generic_visit(node)

    def _met(self, number: int) -> ast.expr:
        return ast.Call(ast.Name(MET, ast.Load()), [ast.Constant(number)], [])


def _assigns(node: ast.AST) -> bool:
    """Return True if an assignment stands inside of an expression. A lambda cannot hold it."""
    return any(isinstance(each, ast.NamedExpr) for each in ast.walk(node))


def _truth(node: ast.expr) -> ast.expr:
    return ast.Call(ast.Name("bool", ast.Load()), [node], [])


def _no_arguments() -> ast.arguments:
    return ast.arguments(
        posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
    )
