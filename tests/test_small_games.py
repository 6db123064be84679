"""The four small games: node counts of their decision trees, results, and worked fixtures in the
reference interpreter and compiled."""

from __future__ import annotations

import random
from functools import cache

import pytest

from rulekit.cli.main import main
from rulekit.compiler.reference.interpreter import Reference
from rulekit.runtime import intrinsics, slots
from rulekit.runtime.program import Program
from tests.compiler.reference.agree import agree, explaining
from tests.compiler.reference.reference_games import ROOT, compiled_of, model_of

COUNTS = {
    "tic_tac_toe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    "connect_four": [7, 49, 343, 2401, 16807],
    "breakthrough": [22, 484, 11132],
    "hex": [121, 14520],
}


def leaves(compiled: Program, depth: int) -> list[int]:
    """Return the number of leaves of the decision tree at each depth."""
    code = compiled.code("fast")
    counts = [0] * depth

    def below(state: list[int], at: int) -> None:
        if state[slots.PC] == 0:
            return
        layers = code.layers(state)
        counts[at] += intrinsics.count(layers)
        if at + 1 < depth:
            for option in intrinsics.ids(layers):
                after = state[:]
                code.apply(after, option)
                below(after, at + 1)

    state = code.blank(0)
    code.begin(state)
    below(state, 0)
    return counts


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name: str) -> None:
    compiled = compiled_of(f"examples/{name}").bind("standard", {})
    assert leaves(compiled, len(COUNTS[name])) == COUNTS[name]


@pytest.mark.parametrize("name", COUNTS)
def test_counts_of_the_reference(name: str) -> None:
    model = model_of(f"examples/{name}")
    first = Reference(model)
    assert first.decision is not None and len(first.decision.options) == COUNTS[name][0]
    second = 0
    for i in range(len(first.decision.options)):
        reference = Reference(model)
        reference.apply(i)
        assert reference.decision is not None
        second += len(reference.decision.options)
    assert second == COUNTS[name][1]


@pytest.mark.parametrize("scenario", ["chios", "amphipolis", "siege", "order"])
def test_battles_agree(scenario: str) -> None:
    model = model_of("tests/fixtures/blocks")
    compiled = compiled_of("tests/fixtures/blocks").bind(scenario, {})
    for seed in range(10):
        agree(model, compiled, seed, scenario)


@pytest.mark.parametrize("seed", range(6))
def test_every_construct_agrees(seed: int) -> None:
    """The fixture uses each construct of the language once. Its random games compare all of
    them."""
    model = model_of("tests/fixtures/skirmish")
    agree(model, compiled_skirmish("never"), seed, rulings={"leaders_fight": "never"})
    agree(model, compiled_skirmish("always"), seed, rulings={"leaders_fight": "always"})


@pytest.mark.parametrize(
    "path, scenario",
    [("tests/fixtures/skirmish", "plain"), ("tests/fixtures/blocks", "amphipolis")],
)
def test_derivations_agree(path: str, scenario: str) -> None:
    compiled = compiled_of(path).bind(scenario, {})
    if explaining(compiled) is None:
        pytest.skip("no variant with derivations")
    for seed in range(3):
        agree(model_of(path), compiled, seed, scenario, explained=0.5)


@cache
def compiled_skirmish(leaders: str) -> Program:
    return compiled_of("tests/fixtures/skirmish").bind("plain", {"leaders_fight": leaders})


@pytest.mark.parametrize(
    "path",
    [
        "tests/fixtures/blocks",
        "tests/fixtures/cards",
        "examples/skirmish",
        "tests/fixtures/dice",
        "tests/fixtures/dice_quiet",
    ],
)
def test_situations_of_the_small_games(path: str) -> None:
    assert main(["check", "--strict", str(ROOT / path)]) == 0
    assert main(["test", str(ROOT / path)]) == 0


def test_the_skirmish_ends_and_its_two_forms_agree() -> None:
    model = model_of("examples/skirmish")
    for seed in range(5):
        agree(model, compiled_of("examples/skirmish").bind("morning", {}), seed, "morning")
    assert main(["simulate", str(ROOT / "examples" / "skirmish"), "--games", "300"]) == 0


def test_hex_is_won_by_a_chain() -> None:
    """The winner of random games agrees with a plain search for the chain."""
    near = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)]
    for seed in range(5):
        reference = Reference(model_of("examples/hex"))
        pick = random.Random(seed)
        while reference.decision is not None:
            assert not any(chain(reference.cells()["Cell.stone"], side, near) for side in (0, 1))
            reference.apply(pick.randrange(len(reference.decision.options)))
        assert reference.result is not None and chain(
            reference.cells()["Cell.stone"], reference.result[0], near
        )


def chain(stones: list[int], side: int, near: list[tuple[int, int]]) -> bool:
    own = {divmod(i, 11) for i, s in enumerate(stones) if s == side}
    todo = [c for c in own if c[side] == 0]
    seen = set(todo)
    while todo:
        r, c = todo.pop()
        if (r, c)[side] == 10:
            return True
        new = {(r + dr, c + dc) for dr, dc in near} & own - seen
        seen |= new
        todo.extend(new)
    return False
