"""Takes a model, a scenario's name and rulings, makes the values that are set when a game begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulekit.check import model as m
from rulekit.reference.position import Position


def late_values(model: m.Model, scenario: str, rulings: Mapping[str, str]) -> dict[m.Fixed, Sequence[int]]:
    """The values of late fixed: rulings and values of the scenario."""
    values: dict[m.Fixed, Sequence[int]] = {f: list(f.values) for f in model.fixed if f.late}
    for ruling in model.rulings:
        values[ruling.fixed] = [ruling.alternatives.index(rulings.get(ruling.name, ruling.default))]
    return values


def set_up(position: Position, scenario: str) -> None:
    """Puts the pieces and counters where the scenario says."""
