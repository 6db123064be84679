"""The contents of a function by class, so that it is walked through only once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar, assert_never, cast

from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from rulekit.compiler.ir.visitor import nodes

Made = c.Function | c.Routine
T = TypeVar("T")


class FunctionFacts:
    """The values and statements of one function."""

    def __init__(self, made: Made) -> None:
        self.made = made
        self.every: list[Any] = list(nodes(*made.body))
        self._by: dict[type, list[Any]] = {}
        for n in self.every:
            self._by.setdefault(n.__class__, []).append(n)

    def of(self, cls: type[T]) -> list[T]:
        """Return all nodes of a class, in order."""
        return self._by.get(cls, [])

    def calls(self) -> list[FunctionName]:
        """Return the functions that it calls by name."""
        return [n.function for n in self.of(v.CallValue)] + [
            n.function for n in self.of(c.CallStatement)
        ]

    def lists(self) -> bool:
        """Return True if it lists options."""
        return (
            self.made.name.kind is FunctionKind.OPTIONS
            or bool(self.of(c.Append))
            or any(is_layers(n.value) for n in self.of(c.Give))
        )


def tables(made: Iterable[Made]) -> dict[FunctionName, list[FunctionName]]:
    """Return the functions of each table of functions, in order."""
    found: dict[FunctionName, list[FunctionName]] = {}
    for f in made:
        if f.table is not None:
            found.setdefault(f.table, []).append(f.name)
    return found


def takers(statement: c.Statement) -> tuple[v.Local, ...]:
    """Return the locals that a statement assigns."""
    match statement := cast(c.Stmt, statement):
        case (
            c.Assign(local)
            | c.ForRange(local)
            | c.ForItems(local)
            | c.ForMembers(local)
            | c.KeepExtreme(_, local)
        ):
            return (local,)
        case c.Unpack(locals) | c.ForRows(locals):
            return locals
        case c.CallStatement():
            return (statement.local,) if statement.local is not None else ()
        case c.ForBits(mask, index, bit):
            return (mask, index) if bit is None else (mask, index, bit)
        case c.WhileOpen(place, left):
            return place, left
        case c.KeepLeast(best, least):
            return best, least
        case c.Distinct(out, seen):
            return out, seen
        case c.SortIn(out) | c.GroupIn(out) | c.NewList(out) | c.Append(out):
            return (out,)
        case (
            c.Do()
            | c.PutStatement()
            | c.PutFrame()
            | c.LogStatement()
            | c.Effect()
            | c.NoLayers()
            | c.IfStatement()
            | c.While()
            | c.Break()
            | c.Continue()
            | c.Give()
            | c.GiveExtreme()
            | c.GiveList()
            | c.NewSearch()
            | c.Improve()
            | c.Later()
            | c.Tick()
            | c.Fail()
            | c.OverStatement()
            | c.Goto()
            | c.Decide()
            | c.ReturnStatement()
            | c.StopStatement()
            | c.Wait()
            | c.Next()
        ):
            return ()
    assert_never(statement)


def is_layers(value: v.Value | None) -> bool:
    """Return True for a list of options."""
    if isinstance(value, v.IfValue):
        return is_layers(value.then) and is_layers(value.other)
    return isinstance(value, (v.Layer, v.Layers)) or (
        isinstance(value, v.RunValue) and value.function == "in_classes"
    )
