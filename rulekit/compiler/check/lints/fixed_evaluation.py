"""Evaluates expressions that consist of fixed data and known variables, and finds the data that
they read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define, field

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.common.errors import RulesError
from rulekit.compiler import model as m
from rulekit.compiler.check.data.values import path_keys
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.semantics.evaluate import PureEvaluator
from rulekit.compiler.semantics.values import Env, NotConstant, Value, offset
from rulekit.compiler.source.game_source import Datum

UNKNOWN = (NotConstant, RulesError, StopIteration, KeyError, IndexError)


def is_outside(value: Value, type: m.Type) -> bool:
    """Return True if a number is outside of the declared range of a type."""
    return (
        isinstance(type, m.Int)
        and type.low is not None
        and type.high is not None
        and value != m.NO_LIMIT
        and not type.low <= value <= type.high
    )


class OutsideRange(Exception):
    """A number does not fit the range of its place."""

    def __init__(self, value: int, place: m.InRange) -> None:
        super().__init__(value)
        self.value = value
        self.place = place


@define(eq=False)
class FixedEvaluator(PureEvaluator):
    """Evaluates constants with the values of one scenario.

    Attributes:
        late: the late-bound constants of the scenario, by name.
        name: the name of the scenario.
        seen: the last number that was read from the data, with its offset.
    """

    late: Mapping[str, int | list[int]] = field(factory=dict)
    name: str = ""
    seen: tuple[m.Fixed, int] | None = None

    def read_late(self, fixed: m.Fixed) -> Sequence[int]:
        """Return the values of this scenario."""
        values = self.late.get(fixed.name)
        if values is None:
            raise NotConstant(fixed.name)
        return values if isinstance(values, list) else [values]

    def on_in_range(self, e: m.InRange, env: Env) -> Value:
        value = self.eval(e.value, env)
        if is_outside(value, e.type):
            raise OutsideRange(value, e)
        return value

    def fixed_at(self, e: m.ReadFixed, keys: Sequence[int]) -> Value:
        """Return the value of a constant, and remember which one it is."""
        value = super().fixed_at(e, keys)
        place = offset(e.fixed.keys, keys)
        if isinstance(e.fixed.type, m.Int) and place is not None and not e.fixed.synthetic:
            self.seen = (e.fixed, place)
        return value

    def known(self, e: m.Expr, env: Env) -> Value:
        """Return the value of an expression, or None if it does not follow from the data."""
        try:
            return self.eval(e, env)
        except (*UNKNOWN, OutsideRange):
            return None


# ----------------------------------------------------------------------------- the places of data
def datum_span(fixed: m.Fixed, place: int, world: CheckState, scenario: str | None) -> Span:
    """Return the place of one value of a constant: in the data, else its declaration.

    Args:
        place: the offset of the value.
        scenario: the scenario that may give the value.
    """
    keys = _keys(fixed, place)
    source = world.source
    given = [
        *(data.set for data in source.scenarios if fixed.late and data.name == scenario),
        *([source.fixed] if fixed.owner is None else []),
    ]
    for values in given:
        for path, datum in values.items():
            name, _, rest = path.partition(".")
            if name == fixed.name and (found := _below(fixed.keys, keys, rest, datum)) is not None:
                return found
    return _beside_member(fixed, keys, world) or fixed.span


def _keys(fixed: m.Fixed, place: int) -> tuple[int, ...]:
    """Return the keys of an offset: ordinals, and numbers as they are written."""
    keys: list[int] = []
    for key in reversed(fixed.keys):
        place, at = divmod(place, key.size)
        keys.append(at if key.kind is not None else key.low + at)
    return tuple(reversed(keys))


def _below(keys: Sequence[m.Key], wanted: tuple[int, ...], path: str, datum: Datum) -> Span | None:
    """Return the place of the value with these keys within a datum."""
    named = path_keys(keys, path)
    if named is None or any(key not in some for key, some in zip(wanted, named, strict=False)):
        return None
    keys, wanted = keys[len(named) :], wanted[len(named) :]
    if not keys:
        return datum.span if datum.span is not NOWHERE else None
    if isinstance(datum.value, dict):
        inner = (_below(keys, wanted, name, each) for name, each in datum.value.items())
        return next((found for found in inner if found is not None), None)
    if isinstance(datum.value, list) and len(datum.value) == keys[0].size and len(keys) == 1:
        at = wanted[0] - (0 if keys[0].kind is not None else keys[0].low)
        span: Span = datum.value[at].span
        return span
    return datum.span


def _beside_member(fixed: m.Fixed, keys: tuple[int, ...], world: CheckState) -> Span | None:
    """Return the place of an attribute in the data of its member."""
    kind = fixed.owner
    if kind is None:
        return None
    for data in world.source.kinds:
        for member in data.members if data.kind == kind.name else ():
            datum = member.values.get(fixed.name)
            if datum is not None and kind.members[keys[0]] == member.id:
                return _below(fixed.keys[1:], keys[1:], "", datum)
    return None
