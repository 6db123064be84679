"""Each change of the rules that no situation notices is found, and no other one."""

from __future__ import annotations

import ast
import json
import time
from pathlib import Path

import pytest

from rulekit.common.errors import RulekitError
from rulekit.engine.game.game import Game
from rulekit.project.loader import Loader
from rulekit.prove.judge import KILLED, NOTICED, SURVIVED, UNREACHED, MutantVerdict
from rulekit.prove.probe import Notes, numbers, probed
from rulekit.prove.proving import Proof, Proving, Selection, situations_of
from rulekit.prove.report import proof_json, remaining, score
from rulekit.prove.slots import Mutant
from rulekit.prove.trial import fails
from rulekit.runtime.program import Program
from tests.commands import ran
from tests.prove.agreement import differences

MANIFEST = 'rulekit: game\nname: steps\ntitle: Steps\nversion: "1"\nlanguage: 1\ngreedy: lead\n'
RULES = """\
game steps 1

kind Side decides = x(o) | o(x)
  fixed enemy: Side
kind Size ordered = small | middle | large
state done(s: Side): 0..9
state rest: 0..9
table pace(n: 1..3 clamp, size: Size) -> steps: 0..9  ref "3"
  1 | small | 1
  1 | middle | 2
  1 | large | 3
  2 | small | 2
  2 | middle | 3
  2 | large | 4
  3 | small | 4
  3 | middle | 5
  3 | large | 6
event stepped(s: Side, n: 0..9)  ref "1"
  done(s) += n
event rested  ref "2"
  rest += 1
total worth(s: Side): int  ref "4"
  base done(s)
  modifier begins +1 when s = x and done(s) > 0  ref "4 a"
define quick(s: Side) = done(s) >= 2  ref "5"
phase main  ref "1"
  each s in Side
    choose by s "a step"
      option one "One"
        stepped(s, 1)
      option two "Two"
        when s = o "only o"
        stepped(s, 2)
      option leap "Leap"  ref "3"
        stepped(s, pace(done(s) + 2, middle))
  repeat until rest >= 2, at most 40  ref "2"
    rested
  finish x, won
invariant few: rest <= 5
"""
SEATS = """\
total lead(s: Side): int
  base worth(s) * 2 - worth(s.enemy)
"""
SITUATIONS = """\
- name: One is one
  ref: "1"
  do: [one]
  then: [{done.x: 1}, {decision: o}]
- name: Two is for o
  ref: "1"
  then: [{legal: [one, leap]}, {why two: only o}]
- name: All rest
  ref: "2"
  do: [one, two]
  then: [{done.o: 2}, {rest: 2}, {result: {winner: x}}]
- name: A leap
  ref: "3"
  do: [leap]
  then: [{done.x: 3}]
- name: Worth
  ref: "4"
  do: [one]
  then: [{"total worth(x)": 2}, {"total worth(o)": 0}]
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "steps"
    for path, words in (
        ("game.yaml", MANIFEST),
        ("rules/1.rules", RULES),
        ("rules/2.rules", SEATS),
        ("situations/all.yaml", SITUATIONS),
    ):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(words, encoding="utf-8")
    return folder


def proved(game: Path) -> Proof:
    return Proving(game).prove(Selection())


def verdict_of(proof: Proof, operator: str, text: str, detail: str = "") -> MutantVerdict:
    """Return the verdict on the only mutant with these words."""
    found = [
        verdict
        for mutant, verdict in proof.judged
        if mutant.operator == operator and mutant.text == text and detail in mutant.detail
    ]
    assert len(found) == 1, (operator, text, found)
    return found[0]


def of(mutants: list[Mutant], text: str) -> set[str]:
    return {f"{each.operator} {each.detail}".strip() for each in mutants if each.text == text}


@pytest.mark.docs("prove#mutants")
def test_each_written_place_has_its_changes(game: Path) -> None:
    found = Proving(game).mutants
    assert of(found, "done(s) >= 2") == {"comparison >= -> >", "comparison >= -> <"}
    assert of(found, "s = x and done(s) > 0") == {
        "and, or and -> or",
        "condition dropped -> true",
        "clause dropped -> false",
    }
    assert of(found, "stepped(s, 2)") == {"step dropped"}
    assert "part dropped -> true" in of(found, "done(s) > 0")
    assert {"number 1 -> 2", "number 1 -> 0"} <= of(found, "+1") | of(found, "1")
    assert "side turned" in of(found, "s")
    assert "member middle -> large" in of(found, "middle")


def test_a_table_has_a_change_for_each_cell(game: Path) -> None:
    cells = [each for each in Proving(game).mutants if each.operator == "table cell"]
    assert [each.detail for each in cells[:3]] == ["1 -> 2", "2 -> 3", "3 -> 2"]
    assert len(cells) == 9
    assert {each.ref for each in cells} == {("3",)}


def test_what_is_no_rule_is_not_changed(game: Path) -> None:
    found = Proving(game).mutants
    assert not of(found, "rest <= 5"), "an invariant"
    assert not of(found, "40"), "the bound of a loop"
    assert not [each for each in found if each.span.file.endswith("2.rules")], "a seat uses it"


def test_ids_stay_when_lines_move(game: Path) -> None:
    before = {each.id for each in Proving(game).mutants}
    file = game / "rules" / "1.rules"
    file.write_text(RULES.replace("kind Size", "\n\n# a remark\nkind Size"), encoding="utf-8")
    after = {each.id for each in Proving(game).mutants}
    assert before == after
    assert len(before) == len(Proving(game).mutants)


@pytest.mark.docs("prove#mutants", "prove#verdicts")
def test_a_change_is_noticed_by_a_situation_or_reported(game: Path) -> None:
    proof = proved(game)
    one = verdict_of(proof, "step dropped", "stepped(s, 1)")
    assert (one.verdict, one.by) == (KILLED, "One is one")
    assert verdict_of(proof, "guard dropped", "s = o").by == "Two is for o"
    assert verdict_of(proof, "comparison", "done(s) >= 2", ">= -> >").verdict == UNREACHED
    part = verdict_of(proof, "part dropped", "done(s) > 0")
    assert (part.verdict, part.infect) == (UNREACHED, 0), "x has always done something there"
    assert verdict_of(proof, "step dropped", "rested").verdict in NOTICED
    assert verdict_of(proof, "table cell", "pace[4].steps").by == "A leap"
    assert verdict_of(proof, "table cell", "pace[0].steps").verdict == UNREACHED
    assert verdict_of(proof, "member", "middle").by == "A leap"


def test_a_change_whose_value_matters_to_nobody_survives(game: Path) -> None:
    file = game / "situations" / "all.yaml"
    file.write_text(SITUATIONS.replace("{done.x: 3}", "{decision: o}"), encoding="utf-8")
    leap = verdict_of(proved(game), "member", "middle")
    assert (leap.verdict, leap.reach, leap.infect) == (SURVIVED, 1, 1)


@pytest.mark.docs("prove#how-it-works", "prove#prove-the-rules")
def test_verdicts_are_those_of_changed_texts(game: Path) -> None:
    assert differences(game, 12, seed=1) == []


def test_code_that_is_loaded_at_first_use_is_not_endless_play(game: Path) -> None:
    """The bound of processor time holds for play, not for the making of the program."""
    loader = Loader(game)

    def slow(scenario: str, rulings: dict[str, str]) -> Program:
        begin = time.process_time()
        while time.process_time() < begin + 1:
            sum(range(100_000))
        return loader.program(scenario, rulings)

    cases = situations_of(Game(loader.info(), loader.program), game)
    assert fails(Game(loader.info(), slow), cases[0], seconds=0.2) == ""


@pytest.mark.docs("prove#how-it-works")
def test_two_processes_judge_like_one(game: Path) -> None:
    one = Proving(game, jobs=1).prove(Selection())
    proving = Proving(game, jobs=2)
    two = proving._judged(proving.mutants, lambda done, total: None)
    assert {v.id: (v.verdict, v.by) for _, v in one.judged} == {
        v.id: (v.verdict, v.by) for v in two.values()
    }


def test_a_situation_that_fails_already_is_told(game: Path) -> None:
    file = game / "situations" / "all.yaml"
    file.write_text(SITUATIONS.replace("{done.x: 3}", "{done.x: 4}"), encoding="utf-8")
    with pytest.raises(RulekitError, match="'A leap' fails already"):
        proved(game)


def test_a_selection_takes_paragraphs_files_and_samples(game: Path) -> None:
    found = Proving(game).mutants
    four = Selection(paragraphs=["4"]).of(found)
    assert {each.ref for each in four} == {("4",), ("4 a",)}
    assert Selection(files=["2.rules"]).of(found) == []
    some = Selection(sample=7, seed=3).of(found)
    assert len(some) == 7
    assert some == Selection(sample=7, seed=3).of(found)
    assert some != Selection(sample=7, seed=4).of(found)


@pytest.mark.docs("prove#mutants")
def test_the_command_reports_by_paragraph_and_as_json(game: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    words = ("prove", str(game), "--mutants", "--jobs", "1", "--json", str(file))
    code, out, _ = ran(*words)
    assert code == 1
    assert "5: 5 of 5 not proved" in out
    assert "no situation reaches it" in out
    data = json.loads(file.read_text(encoding="utf-8"))
    assert set(data) == {"game", "digest", "seconds", "score", "mutants"}
    assert {each["verdict"] for each in data["mutants"]} >= {KILLED, UNREACHED}
    assert ran("prove", str(game), "--mutants", "--paragraph", "2", "--list")[0] == 0
    assert ran("prove", str(game))[0] == 2
    proof = proved(game)
    assert proof_json(proof)["score"] == round(score(proof), 2) < 100
    assert remaining(proof)


def test_emitted_code_notes_values_that_differ() -> None:
    text = (
        "def f(s, x):\n    h0 = s[3] == 2\n    y = (x + 1 if s[3] == 1 else x)\n"
        "    if s[3] == 4:\n        return 0\n    return (5 if h0 else 7) + y\n"
    )
    assert numbers(text, 3) == {1, 2, 4}
    notes = Notes()
    space: dict[str, object] = notes.names()
    exec(probed(text, 3, "test"), space)
    function = space["f"]
    assert callable(function)
    assert function([0, 0, 0, 0], 1) == 8
    assert (notes.reached, notes.differing) == ({1, 2, 4}, {1, 2, 4})
    assert isinstance(ast.parse(text), ast.Module)


def test_emitted_code_notes_values_that_are_equal() -> None:
    notes = Notes()
    assert notes.values(1, lambda: 4, lambda: 4) == 4
    assert (notes.reached, notes.differing) == ({1}, set())
    assert notes.values(1, lambda: 1 // 0, lambda: 4) == 4
    assert notes.differing == {1}
