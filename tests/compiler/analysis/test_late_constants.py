"""A game is compiled once. The values that scenarios and rulings set are bound later, and work for
every value."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from rulekit.compiler.analysis import dependencies
from rulekit.compiler.analysis.late_constants import Late, both, late
from rulekit.compiler.compiler import compile_game
from rulekit.runtime.compiled import Compiled
from rulekit.runtime.program import Program
from tests.compiler.checked_games import SMALL, model
from tests.compiler.reference.agree import agree

PATH = "tests/fixtures/choices"
RULINGS = {
    "steep_paths": ("open", "dear", "closed"),
    "lone_walkers": ("free", "stopped"),
    "heights_count": ("never", "alone", "added"),
    "tie_goes_to": ("nobody", "red", "blue"),
}
ALL = [dict(zip(RULINGS, chosen, strict=True)) for chosen in product(*RULINGS.values())]


@cache
def compiled(path: str = PATH) -> Compiled:
    return compile_game(model(path))


def loaded(scenario: str, rulings: dict[str, str]) -> Program:
    return compiled().bind(scenario, rulings)


@pytest.mark.parametrize("scenario", ["narrow", "wide", "again"])
def test_every_combination_plays_as_the_reference_does(scenario: str) -> None:
    played = sum(
        agree(
            model(PATH), loaded(scenario, rulings), seed, scenario, rulings, limit=40, explained=0.1
        )
        for seed, rulings in enumerate(ALL)
    )
    assert played > 5 * len(ALL)


@pytest.mark.parametrize("ways", [1, 3])
def test_it_plays_the_same_where_there_are_too_many_ways_to_choose(
    monkeypatch: pytest.MonkeyPatch, ways: int
) -> None:
    usual = compiled().constants  # created before the limit changes, and kept
    monkeypatch.setattr(dependencies, "MOST_WAYS", ways)
    made = compile_game(model(PATH), native=True)  # under the same limit
    assert made.constants != usual
    played = sum(
        agree(
            model(PATH), made.bind("wide", rulings), seed, "wide", rulings, limit=40, explained=0.1
        )
        for seed, rulings in enumerate(ALL[::5])
    )
    assert played > 5 * len(ALL[::5])


def test_all_programs_share_their_code() -> None:
    programs = [loaded(scenario, rulings) for scenario in ("narrow", "wide") for rulings in ALL[:5]]
    functions = [p.code("full").apply.__code__ for p in programs]
    assert all(f is functions[0] for f in functions)
    assert all(p.source is programs[0].source for p in programs)


def test_a_scenario_chooses_rulings_and_the_caller_chooses_over_it() -> None:
    def chosen(program: Program) -> str:
        return {r.name: r.chosen for r in program.rulings}["steep_paths"]

    assert [
        chosen(loaded("narrow", {})),
        chosen(loaded("wide", {})),
        chosen(loaded("wide", {"steep_paths": "open"})),
    ] == ["open", "dear", "open"]


def test_the_digest_tells_rulings_values_and_positions_apart() -> None:
    assert (
        loaded("narrow", {}).rules
        == compile_game(model(PATH)).bind("narrow", {}).rules
        == loaded("", {}).rules
    )
    assert loaded("wide", {}).rules == loaded("wide", {"steep_paths": "dear"}).rules
    different = [
        loaded("narrow", {}),
        loaded("wide", {}),
        loaded("wide", {"steep_paths": "open"}),
        loaded("again", {}),
    ]
    assert len({p.rules for p in different}) == len(different)
    assert len({loaded("narrow", rulings).rules for rulings in ALL}) == len(ALL)


@pytest.mark.parametrize("path", SMALL)
def test_a_game_with_nothing_to_choose_has_no_such_constants(path: str) -> None:
    if not model(path).rulings:
        assert compiled(path).constants == {}


def test_late_values_that_do_not_differ_are_constants() -> None:
    assert late([(1, 2)], [3, 3]) == Late((), (3,))
    a, b = late([(2, 2)], ["x", "y"]), late([(1, 3)], [5, 6, 7])
    assert both(a, b) == Late(
        ((1, 3), (2, 2)), (("x", 5), ("y", 5), ("x", 6), ("y", 6), ("x", 7), ("y", 7))
    )
    assert both(a, b).map(lambda t: t[1] > 0).const
