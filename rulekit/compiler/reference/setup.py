"""The values that are set when a game of the reference interpreter begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulekit.compiler import model as m
from rulekit.compiler.check.data.scenarios import Scenario
from rulekit.compiler.reference.store import ReferencePosition


def scenario_of(model: m.Model, name: str) -> Scenario | None:
    """Return the scenario with this name, or the default of the game if the name is empty.

    If there is no such scenario, return the first one, or None if the game has none.
    """
    wanted = name or str(model.info.get("default_scenario") or "")
    found: Scenario | None = model.scenarios.get(wanted) or next(
        iter(model.scenarios.values()), None
    )
    return found


def late_values(
    model: m.Model, scenario: str, rulings: Mapping[str, str]
) -> dict[m.Fixed, Sequence[int]]:
    """Return the values of late-bound constants, from rulings and the scenario.

    A ruling that was asked for takes precedence over that of the scenario, which takes precedence
    over the default.
    """
    chosen = scenario_of(model, scenario)
    values: dict[m.Fixed, Sequence[int]] = {f: list(f.values) for f in model.fixed if f.late}
    for fixed in values:
        given = chosen.late.get(fixed.name) if chosen is not None else None
        if given is not None:
            values[fixed] = given if isinstance(given, list) else [given]
    for ruling in model.rulings:
        named = (
            chosen.rulings.get(ruling.name, ruling.default)
            if chosen is not None
            else ruling.default
        )
        values[ruling.fixed] = [ruling.alternatives.index(rulings.get(ruling.name, named))]
    return values


def set_up(position: ReferencePosition, scenario: str) -> None:
    """Put the pieces and counters where the scenario says."""
    chosen = scenario_of(position.model, scenario)
    for cell, keys, value in chosen.cells if chosen is not None else ():
        if cell.pool:
            position.put_things(value, cell, keys)
        else:
            position.write_cell(cell, keys, ":=", value)
