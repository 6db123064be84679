"""Warn of choices before the game that play alike: answers of a ruling that no rule distinguishes,
editions with the same answers, and scenarios with the same start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.semantics.values import bits
from rulekit.compiler.source.map_and_pieces import entries, text

SAME = "RK721"


def choices(world: CheckState, uses: ReachableUses) -> None:
    """Warn of each such choice that the game itself declares."""
    _answers(world, uses)
    _editions(world, uses)
    _scenarios(world, uses)


# ------------------------------------------------------------------------------ answers of a ruling
def _answers(world: CheckState, uses: ReachableUses) -> None:
    """Warn of answers that no test of a ruling distinguishes."""
    tests = _tests(world.model, uses)
    places = {ruling.id: ruling.answers for ruling in world.source.rulings}
    for ruling in world.model.rulings:
        asked = tests.get(ruling.fixed)
        if not asked or ruling.fixed.span.file not in uses.own:
            continue  # another lint reports rulings that nothing reads
        alike: dict[tuple[bool, ...], str] = {}
        first = sorted(ruling.alternatives, key=lambda name: name != ruling.default)
        for name in first:
            at = ruling.alternatives.index(name)
            other = alike.setdefault(tuple(at in values for values in asked), name)
            if other != name:
                span = places[ruling.name].get(name, ruling.fixed.span)
                world.sink.warn(
                    SAME,
                    span,
                    f"no rule distinguishes '{name}' of the ruling '{ruling.name}' from "
                    f"'{other}': both play the same",
                    f"test it where the rules differ ('when {ruling.name} is {name}'), or remove "
                    "it",
                    second=places[ruling.name].get(other),
                    second_label="the other alternative",
                )


def _tests(model: m.Model, uses: ReachableUses) -> dict[m.Fixed, list[frozenset[int]]]:
    """Return, for each ruling that is read only in tests, the sets of answers for which the tests
    ask.
    """
    rulings = {ruling.fixed for ruling in model.rulings}
    tests: dict[m.Fixed, list[frozenset[int]]] = {}
    tested: set[int] = set()
    for node in uses.nodes:
        read, values = _test(node)
        if read is not None and read.fixed in rulings:
            tests.setdefault(read.fixed, []).append(values)
            tested.add(id(read))
    for node in uses.nodes:
        if isinstance(node, m.ReadFixed) and node.fixed in rulings and id(node) not in tested:
            tests.pop(node.fixed, None)
    return tests


def _test(node: m.Node) -> tuple[m.ReadFixed | None, frozenset[int]]:
    """Return the constant that a node tests, and the members with which it is compared."""
    if isinstance(node, m.Compare) and node.op in ("=", "!="):
        for read, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(read, m.ReadFixed) and isinstance(other, m.Const):
                return read, frozenset({other.value})
    if isinstance(node, m.In) and isinstance(node.item, m.ReadFixed):
        if isinstance(node.source, m.Const):
            return node.item, frozenset(bits(node.source.value))
        if isinstance(node.source, m.MakeSet) and all(
            isinstance(each, m.Const) for each in node.source.items
        ):
            return node.item, frozenset(
                each.value for each in node.source.items if isinstance(each, m.Const)
            )
    return None, frozenset()


# ----------------------------------------------------------------------------------------- editions
def _editions(world: CheckState, uses: ReachableUses) -> None:
    """Warn of editions with the same answers as the defaults, or as another edition."""
    if world.source.settings is None:
        return
    chosen_of_scenarios = {
        name for scenario in world.model.scenarios.values() for name in scenario.rulings
    }
    defaults = {ruling.name: ruling.default for ruling in world.model.rulings}
    seen: dict[Any, tuple[str, Span]] = {}
    for name, edition in entries(entries(world.source.settings).get("editions")).items():
        chosen = {id: text(said) for id, said in entries(edition).items()}
        answers = tuple(
            (id, chosen.get(id, None if id in chosen_of_scenarios else default))
            for id, default in sorted(defaults.items())
        )
        other = seen.setdefault(answers, (name, edition.key_span))
        if edition.key_span.file not in uses.own:
            continue
        if other[0] != name:
            world.sink.warn(
                SAME,
                edition.key_span,
                f"the edition '{name}' plays like '{other[0]}': both choose the same alternatives",
                "remove one of the two editions, or correct the choices of one",
                second=other[1],
                second_label="the other edition",
            )
        elif (
            chosen
            and not set(chosen) & chosen_of_scenarios
            and all(defaults.get(id) == answer for id, answer in chosen.items())
        ):
            world.sink.warn(
                SAME,
                edition.key_span,
                f"the edition '{name}' plays like the game without an edition: it chooses only "
                "defaults",
                "write the alternatives that differ from the defaults, or leave the edition empty",
            )


# ---------------------------------------------------------------------------------------- scenarios
def _scenarios(world: CheckState, uses: ReachableUses) -> None:
    """Warn of scenarios that begin exactly like another one."""
    spans = {scenario.name: scenario.span for scenario in world.source.scenarios}
    seen: dict[Any, str] = {}
    for name, scenario in world.model.scenarios.items():
        other = seen.setdefault(_beginning(scenario), name)
        if other != name and name in spans and spans[name].file in uses.own:
            world.sink.warn(
                SAME,
                spans[name],
                f"the scenario '{name}' plays like '{other}': both begin in the same position",
                "remove one of the two scenarios, or correct what it sets and deploys",
                second=spans.get(other),
                second_label="the other scenario",
            )


def _beginning(scenario: Any) -> Any:
    cells = {(cell, keys): value for cell, keys, value in scenario.cells}
    begun = frozenset(
        (id(cell), keys, value) for (cell, keys), value in cells.items() if value != cell.initial
    )
    return begun, tuple(sorted(_flat(scenario.late))), tuple(sorted(scenario.rulings.items()))


def _flat(late: Mapping[str, int | list[int]]) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield from (
        (name, tuple(value) if isinstance(value, list) else (value,))
        for name, value in late.items()
    )
