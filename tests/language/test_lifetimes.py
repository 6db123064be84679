"""States with a lifetime: at its end each returns to its own default, in every form of storage of
the compiled game, and undo restores it."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from tests.small_games import assert_agreement, write_game

RULES = """
kind Hue = dull | bright
kind Spot = s1 | s2 | s3 | s4 | s5 | s6
kind Post = p1(day) | p2(night) | p3(none) | p4(day) | p5(night)
  fixed lasts: Scope?
OWN
ALONE
define dull_ones = count(Post where OWN_hue = dull) + count(Post where DAY_hue = dull)
define at_first = count(Post where OWN_spot = s1) + count(Post where DAY_spot = s1)
state seen: 0..99
setup
  seen := dull_ones + at_first
procedure spoil
  each p in Post
SPOIL
phase day
  pick n from 0 .. 1 by red "in the day"
phase night
  pick n from 0 .. 1 by red "in the night"
phase main
  spoil
  day
  pick n from 0 .. 1 by red "after the day"
  spoil
  night
  pick n from 0 .. 1 by red "after the night"
  finish none, drawn
"""
# type, default, changed value; both as seen from outside
FORMS = {
    "flag": ("bool", "true", "false", True, False),
    "idle": ("bool", "", "true", False, True),
    "mark": ("0..9", "5", "1", 5, 1),
    "plain": ("0..9", "", "1", 0, 1),
    "hue": ("Hue", "bright", "dull", "bright", "dull"),
    "spot": ("Spot", "s4", "s1", "s4", "s1"),
    "near": ("Spot?", "", "s1", None, "s1"),
    "marks": ("set Spot", "", "{s1, s2}", [], ["s1", "s2"]),
}


def rules() -> str:
    own, alone, spoil = [], [], []
    for name, (type, default, spoilt, _, _) in FORMS.items():
        begin = f" = {default}" if default else ""
        for scope, word in (("lasts", "OWN"), ("day", "DAY")):
            own += [
                f"  state {word}_{name}: {type}{begin} per {scope}",
                f"  state {word}_two_{name}(s: Side): {type}{begin} per {scope}",
            ]
            spoil += [
                f"    p.{word}_{name} := {spoilt}",
                f"    p.{word}_two_{name}(red) := {spoilt}",
            ]
        alone += [
            f"state one_{name}: {type}{begin} per day",
            f"state few_{name}(s: Side): {type}{begin} per day",
        ]
        spoil += [f"    one_{name} := {spoilt}", f"    few_{name}(red) := {spoilt}"]
    text = RULES.replace("OWN\nALONE", "\n".join(own + alone)).replace("SPOIL", "\n".join(spoil))
    return text.replace("OWN_", "own_").replace("DAY_", "day_")


def right(state: rulekit.State, spoilt: set[str]) -> list[str]:
    """Return the cells with wrong values. Those of the scopes in `spoilt` must be changed, and all
    others initial."""
    wrong = []
    for name, (_, _, _, first, other) in FORMS.items():
        at_day = (
            [f"one_{name}", f"few_{name}.red"]
            + [f"day_{name}.p{i}" for i in range(1, 6)]
            + [f"day_two_{name}.p{i}.red" for i in range(1, 6)]
        )
        cells = dict.fromkeys(at_day, "day")
        for post, scope in (
            ("p1", "day"),
            ("p2", "night"),
            ("p3", "never"),
            ("p4", "day"),
            ("p5", "night"),
        ):
            cells |= {f"own_{name}.{post}": scope, f"own_two_{name}.{post}.red": scope}
        wrong += [
            path
            for path, scope in cells.items()
            if state.get(path) != (other if scope in spoilt else first)
        ]
        wrong += [
            path
            for i in range(1, 6)
            for path in (
                f"own_two_{name}.p{i}.blue",
                f"day_two_{name}.p{i}.blue",
                f"few_{name}.blue",
            )
            if state.get(path) != first
        ]
    return wrong


@pytest.mark.docs("language#3-state", "language#7-events")
def test_each_takes_its_own_default_when_its_scope_ends_and_undo_gives_it_back(
    tmp_path: Path,
) -> None:
    """In one kind, each member lasts as its attribute says, and all last for the day. Values
    without a lifetime stay."""
    state = rulekit.load(write_game(tmp_path, rules())).new(seed=1)
    stages = [
        {"day", "night", "never"},
        {"night", "never"},
        {"day", "night", "never"},
        {"day", "never"},
    ]
    before = []
    for spoilt in stages:
        assert right(state, spoilt) == []
        before.append(state.clone())
        state.apply("pick 0")
    for copy, spoilt in reversed(list(zip(before, stages, strict=True))):
        state.undo()
        assert state == copy and right(state, spoilt) == []


def test_all_variants_agree(tmp_path: Path) -> None:
    assert_agreement(write_game(tmp_path, rules()), 2)
