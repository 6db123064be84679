"""Takes a model, a scenario's name and rulings, makes the values that are set when a game
begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulekit.compiler import model as m
from rulekit.compiler.check.data.scenarios import Scenario
from rulekit.compiler.reference.store import Position


def scenario_of(model: m.Model, name: str) -> Scenario | None:
    """The scenario with this name; without a name the game's default, else the first."""
    wanted = name or str(model.info.get("default_scenario") or "")
    found: Scenario | None = model.scenarios.get(wanted) or next(
        iter(model.scenarios.values()), None
    )
    return found


def late_values(
    model: m.Model, scenario: str, rulings: Mapping[str, str]
) -> dict[m.Fixed, Sequence[int]]:
    """The values of late fixed: rulings (those asked for, then the scenario's, then defaults) and
    values of the scenario."""
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


def set_up(position: Position, scenario: str) -> None:
    """Puts the pieces and counters where the scenario says."""
    chosen = scenario_of(position.model, scenario)
    for cell, keys, value in chosen.cells if chosen is not None else ():
        if cell.pool:
            position.put_things(value, cell, keys)
        else:
            position.write_cell(cell, keys, ":=", value)
