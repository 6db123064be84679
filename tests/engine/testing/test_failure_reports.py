"""The report of a failing situation: the derivation of a total, the step that failed, and choices
made automatically."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import ran

ROOT = Path(__file__).resolve().parents[3]
RULES = """game mine 1
kind Side decides = red | blue
kind Zone = hill | ford | town
state held(z: Zone): bool
event taken(z: Zone)
  held(z) := true
setup
  taken(hill)
state turn: 1..9 = 1
state worth: 0..9
total strength(n: 0..9): int ref "4.1"
  base n
  modifier high +2 when held(hill) "on the hill"
  modifier wet -1 when held(ford) "in the ford"
total bonus in day: int
  base strength(3)
permit may_rest(s: Side)
  bar early when turn < 2 "it is too early"
event scored(n: 0..9)
  worth := n
phase main
  repeat 3 times
    day
    turn += 1
  finish none, drawn
phase day
  pick z from (Zone where held(it)) by red "which"
  choose by red "now"
    option score "Score"
      scored(bonus)
    option rest "Rest"
      return
"""


def told_of(folder: Path, situations: str, rules: str = RULES) -> str:
    (folder / "situations").mkdir()
    (folder / "game.yaml").write_text(
        'rulekit: game\nname: mine\ntitle: Mine\nversion: "1"\nlanguage: 1\n', encoding="utf-8"
    )
    (folder / "game.rules").write_text(rules, encoding="utf-8")
    (folder / "situations" / "s.yaml").write_text(situations, encoding="utf-8")
    code, told, errors = ran("test", str(folder))
    assert code == 1 and not errors, (told, errors)
    return told


@pytest.mark.docs("situations#situations")
@pytest.mark.parametrize(
    ("then", "value"),
    [
        ("{total strength(4): 9}", "6"),
        ("{value strength(4): 9}", "6"),
        ("{applies strength(4).wet: true}", "6"),
        ("{total strength: 9}", "5"),
        ("{total strength(3): 9}", "5"),
    ],
)
def test_a_total_that_is_otherwise_is_told_with_its_parts(
    then: str, value: str, tmp_path: Path
) -> None:
    """The total was requested here or computed in play. Clauses that do not apply are included,
    with the paragraph."""
    told = told_of(tmp_path, f"- name: one\n  do: [score]\n  then: [{then}]\n")
    lines = [line.strip() for line in told.splitlines()]
    assert any(
        line.startswith("strength (") and line.endswith(f"= {value}  [4.1]") for line in lines
    ), told
    assert any("+2 on the hill" in line for line in lines) and any(
        "in the ford does not apply" in line for line in lines
    )


@pytest.mark.docs("situations#situations")
def test_a_permit_is_told_with_its_bars(tmp_path: Path) -> None:
    assert "it is too early" in told_of(
        tmp_path, "- name: one\n  then: [{permit may_rest(red): true}]\n"
    )


def test_a_total_of_what_is_over_is_told_as_it_was(tmp_path: Path) -> None:
    told = told_of(tmp_path, "- name: one\n  do: [score, score]\n  then: [{total bonus: 9}]\n")
    assert "expected 9, is 5" in told and "bonus = 5" in told and "on the hill" in told


def test_the_step_that_fails_is_named_with_its_line(tmp_path: Path) -> None:
    told = told_of(
        tmp_path,
        "- name: one\n  do:\n    - red: rest\n    - red: score\n    - blue: rest\n  then: [{var"
        " turn: 3}]\n",
    )
    assert (
        "s.yaml:5:7\n" in told
        and "step 3 of 3 in `do`: blue: rest" in told
        and "blue is not asked now: red is" in told
    )


@pytest.mark.docs("situations#do")
@pytest.mark.parametrize(
    ("do", "place", "step"),
    [
        ("[red: rest, red: score, blue: rest]", "3:31", "step 3 of 3 in `do`: blue: rest"),
        ("[red: rest, {blue: rest}, red: rest]", "3:20", "step 2 of 3 in `do`: blue: rest"),
        ("[rest,\n    rest, {blue: rest}]", "4:12", "step 3 of 3 in `do`: blue: rest"),
        ("[rest, rest; pick ford]", "3:14", "step 2 of 2 in `do`, choice 2 of 2: rest; pick ford"),
        ("\n    - rest\n    - rest\n    - {blue: rest}", "6:8", "step 3 of 3 in `do`: blue: rest"),
    ],
)
def test_of_several_steps_the_one_that_fails_is_named(
    do: str, place: str, step: str, tmp_path: Path
) -> None:
    """This works if several are on one line and equal."""
    told = told_of(
        tmp_path, f"- name: one\n  # of several\n  do: {do}\n  then: [{{var turn: 3}}]\n"
    )
    assert f"s.yaml:{place}\n" in told and step in told, told


@pytest.mark.parametrize(
    ("then", "places"),
    [
        ("[{var turn: 4}, {total strength(3): 5}, {total strength(4): 9}]", ["2:11", "2:50"]),
        (
            (
                "\n  - {total strength(3): 5}\n  - var turn: 4\n  - {total bonus: 5,\n     total"
                " strength(4): 9}"
            ),
            ["4:5", "6:6"],
        ),
    ],
)
def test_each_expectation_that_fails_is_told_at_its_own_place(
    then: str, places: list[str], tmp_path: Path
) -> None:
    told = told_of(tmp_path, f"- name: one\n  then: {then}\n")
    assert [
        line.rpartition("s.yaml:")[2] for line in told.splitlines() if "-->" in line
    ] == places, told


def test_what_was_taken_because_it_was_the_only_one_is_told(tmp_path: Path) -> None:
    told = told_of(tmp_path, "- name: one\n  do: [pick hill, rest]\n  then: [{var turn: 2}]\n")
    assert (
        "step 1 of 2 in `do`: pick hill" in told
        and "hill is 'z' of day already: where it is the only one it is taken because of that,"
        " unasked"
        in told
    )


def test_what_may_have_been_taken_so_is_told(tmp_path: Path) -> None:
    told = told_of(tmp_path, "- name: one\n  do: [pick ford, rest]\n  then: [{var turn: 2}]\n")
    assert "from a set of one nothing is asked: it is taken because it is the only one" in told


def test_nothing_more_is_told_of_other_failures(tmp_path: Path) -> None:
    told = told_of(tmp_path, "- name: one\n  then: [{var turn: 4}]\n")
    assert "turn: expected 4, is 1\n  play stands here" in told


WALKS = """game mine 1
kind Side decides = red | blue
kind Zone = hill | ford | town | wood
kind Way joins Zone
state spot: Zone = hill
event came(z: Zone)
  spot := z
movement ride(s: Side)
  over Way b from a to z
  allowance 2
  cost 1
  on entry
    came(z)
phase main
  walk ride(red) from spot by red
  finish red, win when spot is town
  finish none, drawn
"""


def test_a_step_of_a_walk_that_was_the_only_one_is_told(tmp_path: Path) -> None:
    ways = "".join(f"    - {{between: [ford, {z}]}}\n" for z in ("hill", "town", "wood"))
    (tmp_path / "map.yaml").write_text(
        "borders:\n  kind: Way\n  source: {text: mine}\n  members:\n" + ways, encoding="utf-8"
    )
    told = told_of(
        tmp_path, "- name: one\n  do: [to ford, to town]\n  then: [{legal: [stop]}]\n", WALKS
    )
    assert (
        "ford is 'at' of ride already: where it is the only one it is taken because of that,"
        " unasked" in told
    )
