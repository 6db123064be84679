"""Groups under a condition: the compiled game and the reference agree for every form, and every
group that arises is allowed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler import model as m
from rulekit.compiler.check.check import check
from rulekit.compiler.compiler import build
from rulekit.compiler.reference.interpreter import Reference
from rulekit.compiler.source.game_source import GameSource, RulesText
from tests.compiler.reference.agree import agree

RULES = """game groups 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Item = a | b | c | d | e
  state used: bool
  state after: bool
event taken(x: Item)
  x.used := true
event went_on
  a.after := true
phase main
  attempt(red)
  finish none, drawn
procedure attempt(s: Side)
  pick group g from {SOURCE} by s {ALIKE} "which"{BOUNDS} while {COND} "not these"{NONE}
  each x in g
    taken(x)
  went_on
"""
CONDITIONS = {
    "few": "count(g) <= 2",
    "apart": "not (a in g and c in g) and not (b in g and d in g)",
    "company": "not (c in g) or b in g",  # an element may become possible later
    "never": "no g",
    "all": "some(Item where it in g and it.used) or some g",
    "nobody_else": "s = red and not (e in g)",
    "two_left": (
        "not (a in g) and not (b in g) and not (d in g)"
    ),  # fewer elements than some of the bounds require
}


@cache
def made(
    cond: str, bounds: str = "", alike: str = "", none: str = "", source: str = "Item"
) -> m.Model:
    text = (
        RULES.replace("{SOURCE}", source)
        .replace("{ALIKE}", alike)
        .replace("{BOUNDS}", bounds)
        .replace("{NONE}", none)
    )
    text = text.replace("{COND}", cond)
    sink = Sink()
    model = check(
        GameSource(
            "groups", Path(), rules=[RulesText("g.rules", text, 0, "g")], files={"g.rules": text}
        ),
        sink,
    )
    assert model is not None and not sink.errors, [
        f"{d.span}: {d.message}" for d in sink.in_order()
    ]
    return model


def outcomes(model: m.Model) -> set[tuple[str, bool]]:
    """Return all possible groups, and whether play continued after the pick."""
    found: set[tuple[str, bool]] = set()

    def grow(path: list[int]) -> None:
        reference = Reference(model)
        for index in path:
            reference.apply(index)
        if reference.decision is None:
            cells = reference.cells()
            group = "".join(
                letter for letter, used in zip("abcde", cells["Item.used"], strict=True) if used
            )
            assert (group, bool(cells["Item.after"][0])) not in found, "every group arises once"
            found.add((group, bool(cells["Item.after"][0])))
            return
        for index in range(len(reference.decision.offers)):
            grow([*path, index])

    grow([])
    return found


def groups(model: m.Model) -> set[str]:
    return {group for group, _ in outcomes(model)}


@pytest.mark.parametrize("none", ["", ", or none"])
@pytest.mark.parametrize("alike", ["", "alike (it = a or it = d, it = e)"])
@pytest.mark.parametrize("bounds", ["", ", 2 to 3", ", 3 to 3", ", 0 to 2", ", 0 to 0"])
@pytest.mark.parametrize("cond", CONDITIONS)
def test_the_compiled_game_agrees(cond: str, bounds: str, alike: str, none: str) -> None:
    model = made(CONDITIONS[cond], bounds, alike, none)
    compiled = build(model, "")
    for seed in range(12):
        agree(model, compiled, seed)


def test_a_group_keeps_its_condition_from_the_first_element_on() -> None:
    assert groups(made(CONDITIONS["apart"], source="{a, b, c, d}")) == {
        "a",
        "b",
        "c",
        "d",
        "ab",
        "ad",
        "bc",
        "cd",
    }
    assert "e" not in "".join(groups(made(CONDITIONS["nobody_else"])))


def test_what_was_refused_at_first_may_come_in_later() -> None:
    assert groups(made(CONDITIONS["company"], source="{a, b, c}")) == {"a", "b", "ab", "bc", "abc"}


def test_a_bound_that_cannot_be_reached_gives_way() -> None:
    assert groups(made("count(g) <= 1", ", 3 to 3")) == {
        "a",
        "b",
        "c",
    }  # the bound counts the elements that can be added now, one by one
    assert groups(made("not (a in g)", ", 3 to 3", source="{a, b, c}")) == {"bc"}
    assert groups(made("count(g) <= 4", ", 3 to 3", source="{a, b, c}")) == {"abc"}


def test_where_nothing_may_be_added_it_is_as_from_an_empty_set() -> None:
    assert outcomes(made("no g")) == {("", False)}  # the rest of the block is skipped
    assert outcomes(made("no g", none=", or none")) == {("", True)}
    assert outcomes(made("no g", ", 0 to 0")) == {("", True)}  # the bound requires nothing
    assert outcomes(made("some g", source="(Item where it.used)")) == {("", False)}
