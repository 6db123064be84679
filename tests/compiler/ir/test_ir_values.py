"""The closed set of the values of the intermediate form, and constant sets."""

from __future__ import annotations

import inspect
from itertools import product
from typing import get_args

import pytest

from rulekit.compiler.ir import values
from rulekit.compiler.lowering.inverse_index import chosen
from rulekit.compiler.lowering.unit import const


def test_each_value_is_one_of_the_closed_set() -> None:
    """The cases of a `match` over `form(x)` are all classes of values."""
    there = {
        cls
        for _, cls in inspect.getmembers(values, inspect.isclass)
        if issubclass(cls, values.Value) and cls is not values.Value
    }
    assert set(get_args(values.Form)) == there


def test_of_known_sets_those_in_one_and_the_rest_of_the_other_are_known() -> None:
    """The result is `a` inside of `t` and `b` outside of it."""
    for t, a, b in product(range(8), repeat=3):
        assert chosen(const(t), const(a), const(b), 7) == const(t & a | 7 & ~t & b)


@pytest.mark.parametrize("missing", range(3))
def test_of_what_has_no_form_nothing_is_made(missing: int) -> None:
    known = [None if at == missing else const(3) for at in range(3)]
    assert chosen(*known, 7) is None
