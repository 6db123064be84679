"""The common part of several determinizations: values that are equal in all of them, and hidden
ones."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from rulekit.presentation.decision import Points
from rulekit.presentation.forecast import Forecast, ReachablePlace, _common

COST = Points(2, "PM", "march")
FORD = ReachablePlace(
    "ford", ("go", "to ford"), "stop", True, ("ford",), (COST,), ("camp", "ford"), None, 2
)
HILL = evolve(FORD, place="hill", keys=("go", "to hill"), way=("hill",))
TOLD = Forecast(("go",), (COST,), COST, (FORD, HILL))


def test_what_is_so_in_all_of_them_is_told() -> None:
    assert _common([TOLD, TOLD, TOLD]) == TOLD == _common([TOLD])


@pytest.mark.parametrize(
    "other",
    [
        {"stop": ""},
        {"may_stop": False},
        {"cost": (evolve(COST, amount=3),)},
        {"fight": None},
        {"stopped_by": "window"},
        {"sure": 1},
    ],
)
@pytest.mark.parametrize("which", [1, 2])
def test_a_place_that_is_reached_otherwise_is_told_without_what_differs(
    other: dict[str, Any], which: int
) -> None:
    """With the same keys and path, the place is reachable, but its cost and stay are hidden. The
    rest is shown."""
    found = [TOLD, TOLD, TOLD]
    found[which] = evolve(TOLD, places=(HILL, evolve(FORD, **other)))
    hidden = evolve(
        FORD, stop="", may_stop=None, cost=(evolve(COST, amount=None),), stopped_by="hidden", sure=0
    )
    assert _common(found) == evolve(TOLD, places=(hidden, HILL))


@pytest.mark.parametrize(
    "places",
    [
        (HILL,),
        (HILL, evolve(FORD, keys=("go", "over", "to ford"))),
        (HILL, evolve(FORD, way=("hill", "ford"))),
    ],
)
def test_a_place_that_is_not_always_reached_so_is_not_told(
    places: tuple[ReachablePlace, ...],
) -> None:
    assert _common([TOLD, evolve(TOLD, places=places)]) == evolve(TOLD, places=(HILL,))


@pytest.mark.parametrize(
    "other",
    [
        {"keys": ("come",)},
        {"cost": ()},
        {"left": None},
        {"stopped_by": "die"},
        {"refused": "fly"},
        {"leads": (("go",),)},
    ],
)
def test_if_the_keys_themselves_lead_elsewhere_nothing_is_told(other: dict[str, Any]) -> None:
    assert _common([TOLD, TOLD, evolve(TOLD, **other)]) == Forecast((), stopped_by="hidden")
