"""A small game with dice, totals, windows and points: explanations, undo barriers, auto-pass, the
greedy seat."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.cli.terminal.auto_pass import Skips
from rulekit.engine.explain.derivation import Derivation, DerivationLine
from rulekit.engine.explain.event_reasons import behind
from tests.small_games import MANIFEST

DUEL = Path(__file__).resolve().parents[2] / "fixtures" / "duel"


@pytest.fixture
def state() -> rulekit.State:
    return rulekit.load(DUEL).new(seed=1)


def test_a_die_is_a_barrier_for_players_and_none_for_the_engine(state: rulekit.State) -> None:
    state.apply("pick 2")
    assert state.undo_refusal("red") == ""
    before = state.clone()
    state.apply("pass")
    assert state.undo_refusal("blue") == "a die was rolled"
    with pytest.raises(rulekit.IllegalChoice, match="a die was rolled"):
        state.undo_own("blue")
    rolled = [e.to_json() for e in state.events]
    state.undo()
    assert state == before
    state.redo()
    assert [e.to_json() for e in state.events] == rolled


def test_a_total_is_explained_with_its_paragraphs(state: rulekit.State) -> None:
    with pytest.raises(rulekit.RulekitError, match=r"takes 1 argument .*for example: "):
        state.explain("thrust")
    with pytest.raises(rulekit.RulekitError, match=r"did you mean 'thrust'"):
        state.explain("trust", 1)
    state.apply("pick 3")
    state.apply("parry")
    state.undo()
    derivation = state.explain("thrust", 3)
    assert (derivation.value, derivation.ref) == (3, ("2.1",))
    lines = {line.name: line for line in derivation.lines if line.name}
    assert (lines["parry"].status, lines["parry"].ref) == ("condition", ("2.2",))
    assert derivation.to_json()["lines"]
    assert "2.1" in derivation.text()
    assert state.value_of("vp", "red") == 0


def test_a_total_only_has_a_meaning_in_its_context() -> None:
    state = rulekit.load(DUEL).blank()
    with pytest.raises(rulekit.RulekitError, match="only has a meaning in bout"):
        state.explain("thrust", 1)


def test_what_is_behind_a_past_event(state: rulekit.State) -> None:
    state.apply("pick 3")
    state.apply("parry")
    rolled = next(e for e in state.events if e.name == "die_rolled")
    state.apply("pick 1")
    found = behind(state, rolled.number)
    assert [d.name for d in found] == ["thrust"]
    assert found[0].value == 1
    assert behind(state, 0) == []


def test_of_a_search_through_all_places_only_what_concerns_the_event_is_told(
    tmp_path: Path,
) -> None:
    """The rules read the room in all nine cells, then one is filled, and its room was decisive."""
    (tmp_path / "game.yaml").write_text(MANIFEST)
    (tmp_path / "game.rules").write_text("""game small 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Cell = grid 3 by 3
  state men: 0..9
total room(c: Cell): int
  base 5 - c.men
event filled(c: Cell)
  c.men += 5
phase main
  var n: 0..9 = 0
  repeat 3 times
    pick c from Cell where men = 0 by red
    filled(c)
    n := count(Cell where room(it) > 0)
  finish none, drawn
""")
    state = rulekit.load(tmp_path).new(seed=1)
    state.apply("b2")
    event = next(e for e in state.events if e.name == "filled")
    assert [(d.name, d.arguments, d.value) for d in behind(state, event.number)] == [
        ("room", {"c": "b2"}, 0)
    ]


def test_the_parts_of_a_sum_stand_further_in_than_its_modifiers() -> None:
    part = Derivation(
        "total", "bonus", {}, 2, lines=(DerivationLine("base", "", "applied", 2, text="stars"),)
    )
    whole = Derivation(
        "total",
        "die",
        {},
        5,
        lines=(DerivationLine("modifier", "led", "applied", 2, text="leaders", parts=(part,)),),
    )
    modifier, part_line = whole.text().splitlines()[1:3]
    assert part_line.index("bonus") > modifier.index("leaders")


def test_a_refusal_names_the_rule_and_its_paragraph(state: rulekit.State) -> None:
    assert state.why("pick 9") == [
        "'pick 9' is not offered here; did you mean 'pick 3' or 'pick 2' or 'pick 1'?"
    ]
    assert state.why("pick 2") == []
    with pytest.raises(rulekit.IllegalChoice, match="red is asked"):
        state.apply_action(next(f.base for f in state.table.program.families if f.name == "parry"))


def test_a_wish_not_to_be_asked(state: rulekit.State) -> None:
    skips = Skips()
    with pytest.raises(rulekit.RulekitError, match="not a window"):
        skips.set(state, state.decision, [])
    state.apply("pick 1")
    assert state.decision.kind == "window"
    assert not skips.passes(state, state.decision)
    with pytest.raises(rulekit.RulekitError, match="skip what"):
        skips.set(state, state.decision, ["often"])
    skips.set(state, state.decision, [])
    assert skips.passes(state, state.decision)
    state.apply("pass")  # a die is rolled, so this is a new event
    state.apply("pick 1")
    assert not skips.passes(state, state.decision)
    state.apply("pass")
    state.apply("pick 1")
    skips.set(state, state.decision, ["all", "game"])
    for _ in range(2):
        if state.decision and state.decision.kind == "window" and state.decision.player == "blue":
            assert skips.passes(state, state.decision)
        state.apply(state.decision.options[0])
    skips.clear()
    assert state.decision is None or not skips.passes(state, state.decision)


def test_a_scripted_die_comes_first() -> None:
    state = rulekit.load(DUEL).new(seed=1, dice=[6])
    state.apply("pick 1")
    state.apply("pass")
    assert next(e for e in state.events if e.name == "die_rolled").params["value"] == 6
    assert state.script_left() == 0


def test_the_greedy_seat_plays_better_than_chance() -> None:
    game = rulekit.load(DUEL)
    winners = rulekit.simulate(game, 200, seats={"red": "greedy"})["results"]["winners"]
    assert winners["red"]["count"] > winners["blue"]["count"]


def test_a_coverage_counts_events_and_clauses() -> None:
    report = rulekit.simulate(rulekit.load(DUEL), 30, coverage=True)["coverage"]
    assert report["events"]["never"] == []
    assert report["clauses"]["never"] == ["vp.base"]  # no rule uses it
    assert report["options"]["seen"]["parry"] > 0


def test_a_clause_counts_once_in_the_choice_in_which_it_applied() -> None:
    """The deeper lunge of late bouts applies in one choice of each of the last two bouts."""
    report = rulekit.simulate(rulekit.load(DUEL), 5, coverage=True)["coverage"]
    assert report["clauses"]["seen"]["thrust.late"] == 2 * 5
