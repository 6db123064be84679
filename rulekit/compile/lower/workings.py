"""Takes look-ups, shifts and definitions, makes what the traced variant tells of them beside totals, and which rulings stand in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit import model as m
from rulekit.check.lints.secrets import Secret
from rulekit.compile.ir import values as v
from rulekit.compile.lower.unit import Unit
from rulekit.model.visitor import nodes


def told(unit: Unit, word: str, index: int, value: v.Value, given: Sequence[m.Expr], args: Sequence[v.Value]) -> v.Value:
    """A value; in the traced variant one that tells what it was worked out from, unless that is secret. `args`, the values of `given`, are
    worked out only if somebody hears it."""
    if unit.trace and any(isinstance(each, Secret) for e in given for each in unit.secrets.of(e)):
        return value
    return v.Told(word, index, value, tuple(args)) if unit.trace else value


def stays(unit: Unit, call: m.CallDefine | m.CallTotal | m.CallPermit) -> bool:
    """Is it told of, so that nothing is put in its place?"""
    return unit.trace and (not isinstance(call, m.CallDefine) or bool(asked(unit.model, call.define)))


def asked(model: m.Model, define: m.Define) -> list[int]:
    """The rulings that choose among the cases of a definition. None of one that is about sets: a set has no name to tell it by."""
    named = not any(isinstance(p.type, m.SetOf) for p in define.params) and not isinstance(define.type, (m.SetOf, m.Record))
    return rulings(model, [cond for cond, _ in define.cases]) if named else []


def rulings(model: m.Model, roots: Sequence[Any], opened: bool = False) -> list[int]:
    """The rulings that expressions ask, in order. `opened`: also those that the definitions ask that they call."""
    numbers = {id(ruling.fixed): i for i, ruling in enumerate(model.rulings)}
    found = [*nodes(list(roots))]
    if opened:
        found += [node for call in found if isinstance(call, m.CallDefine) for node in nodes(*map(list, call.define.cases))]
    return sorted({numbers[id(node.fixed)] for node in found if isinstance(node, m.ReadFixed) and id(node.fixed) in numbers})
