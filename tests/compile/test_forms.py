"""The closed set of the values of the intermediate form."""

from __future__ import annotations

import inspect
from typing import get_args

from rulekit.compile.ir import values


def test_each_value_is_one_of_the_closed_set() -> None:
    """What a `match` over `form(x)` must have a case for is every class of values that there is."""
    there = {cls for _, cls in inspect.getmembers(values, inspect.isclass) if issubclass(cls, values.Value) and cls is not values.Value}
    assert set(get_args(values.Form)) == there
