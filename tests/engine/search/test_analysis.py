"""The search's analysis of a position (variations, leads, chances) and of a whole game."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.commands.analyse import analysis_lines
from rulekit.engine.game.state import State
from rulekit.engine.knowledge.information_set import Blind
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.search.analysis import AnalysedChoice, Analysis, Analyst, BestLine, analyse
from rulekit.engine.search.game_review import _error, review_game
from rulekit.engine.search.mcts import Tree, TreeBranch
from rulekit.engine.search.search_agent import Effort, SearchAgent, Thought
from rulekit.runtime.random_playouts import playouts
from rulekit.runtime.slots import FIRST_SLOT
from tests.engine.search.searched_positions import (
    EXAMPLES,
    ROOT,
    ROUNDS,
    position_before_the_end,
    rounds_game,
    three_in_a_row,
)
from tests.engine.search.test_seat_secrecy import CARDS, SECRETS
from tests.small_games import write_game

FEW = Effort(0, 60)
FAULTY = """state named: Side?
state met: bool
phase main
  choose by red "go"
    option tame
    option wild
      met := the named = red
  finish red, win
"""


def test_the_first_line_wins_where_one_can() -> None:
    found = analyse(three_in_a_row(), Effort(0, 300))
    assert (found.choice, found.player, found.visits, found.lead, found.total, found.horizon) == (
        7,
        "yellow",
        300,
        None,
        None,
        None,
    )
    best = found.lines[0]
    assert [each.key for each in best.choices] == ["drop 4"]
    assert best.chance is not None and (best.chance.share, best.chance.of, best.chance.number) == (
        1.0,
        "visits",
        best.visits,
    )
    assert [line.visits for line in found.lines] == sorted(
        (line.visits for line in found.lines), reverse=True
    )
    assert len(found.lines) == 5 and sum(line.visits for line in found.lines) <= 300


def test_a_line_can_be_played_whoever_makes_its_choices() -> None:
    """In a game without chance, each choice is offered after the previous ones, to the side that it
    names."""
    state = rulekit.load(EXAMPLES / "connect_four").new(seed=1)
    for line in analyse(state, Effort(0, 600)).lines[:3]:
        there = state.clone()
        for choice in line.choices:
            assert there.decision.player == choice.side
            there.apply(choice.key)
        assert line.choices[0].key and len(line.choices) > 1


def test_the_lead_that_is_expected_is_that_of_the_total(tmp_path: Path) -> None:
    """On the right there is one more gold, which the next horizon shows completely. Then the other
    side moves."""
    found = analyse(rounds_game(tmp_path, "search: {stretch: round}\n"), Effort(0, 400), games=20)
    right, left = found.lines
    assert (found.total, found.horizon, found.lead) == ("vp", "round", 0.0)
    assert [line.choices[0].key for line in (right, left)] == ["turn right", "turn left"]
    assert right.lead == pytest.approx(0.7 + 0.3 * 0.2, abs=0.25) and left.lead == pytest.approx(
        -0.3 * 0.8, abs=0.25
    )
    assert right.lead - left.lead > 0.9
    assert right.worth == pytest.approx(right.lead / 9, abs=0.03), "as scale 8 has it"


@pytest.mark.parametrize("holds", [True, False])
def test_visits_that_end_in_an_error_of_the_rules_are_told(tmp_path: Path, holds: bool) -> None:
    """They are reported in JSON and in the terminal, if there are any."""
    game = rulekit.load(
        write_game(tmp_path, FAULTY if holds else FAULTY.replace("the named", "named"))
    )
    found = analyse(game.new(seed=1), Effort(0, 40))
    lines = analysis_lines(game.new(seed=1).names, "", found)
    assert (10 < found.failed < 40) is holds and found.to_json()["failed"] == found.failed
    assert (
        f"{found.failed} of them ended in an error of the rules and are not counted" in lines
    ) is holds
    assert any("error" in line for line in lines) is holds


def test_the_chance_is_that_of_random_games_where_leads_are_compared_before_the_end(
    tmp_path: Path,
) -> None:
    """All of them are drawn here, which counts as half a win each."""
    line = analyse(rounds_game(tmp_path, "search: {stretch: round}\n"), FEW, games=20).lines[0]
    assert line.chance is not None and (line.chance.share, line.chance.of, line.chance.number) == (
        0.5,
        "games",
        20,
    )
    assert (
        line.chance.low is not None
        and line.chance.high is not None
        and 0.2 < line.chance.low < 0.5 < line.chance.high < 0.8
    )


def test_it_says_the_same_natively_and_in_python() -> None:
    pytest.importorskip("wasmtime")
    for folder, visits in ((CARDS, 60), (ROOT / "games" / "sphacteria", 60)):
        state = rulekit.load(folder).new(seed=3)
        while len(state.legal_actions()) < 2:
            state.apply_action(state.legal_actions()[0])
        native, python = (
            analyse(state, Effort(0, visits), 2, 4, way, 3).to_json() for way in (True, False)
        )
        assert (native.pop("natively"), python.pop("natively")) == (True, False)
        assert native == python and len(native["lines"]) == 2
        assert json.loads(json.dumps(native)) == json.loads(json.dumps(python))


@pytest.mark.parametrize(
    "folder", [CARDS, SECRETS, ROOT / "games" / "sphacteria"], ids=lambda f: f.name
)
def test_what_the_player_may_not_know_changes_nothing(folder: Path) -> None:
    """No word and no number differs."""
    game, rng, compared = rulekit.load(folder), random.Random(4), 0
    for seed in range(6):
        state = game.new(seed=seed)
        for _ in range(20):
            if state.is_terminal() or compared > 4:
                break
            me, legal = state.current_player(), state.legal_actions()
            if len(legal) > 1:
                twin = State(state.table, Blind.of(Observer(state, me)).sampled(rng))
                if (
                    not twin.is_terminal()
                    and twin.current_player() == me
                    and twin.legal_actions() == legal
                ):
                    compared += twin.slots[FIRST_SLOT:] != state.slots[FIRST_SLOT:]
                    one, other = (
                        analyse(each, Effort(0, 30), seed=5, games=2).to_json()
                        for each in (state, twin)
                    )
                    assert one | {"choice": 0} == other | {"choice": 0}
            state.apply_action(rng.choice(legal))
    assert compared > 3


def test_an_only_option_is_a_line_without_visits() -> None:
    state = position_before_the_end()
    (line,) = analyse(state, FEW).lines
    assert [choice.key for choice in line.choices] == [
        option.key for option in state.decision.options
    ]
    assert (line.visits, line.chance) == (0, None)
    state.apply_action(state.legal_actions()[0])
    with pytest.raises(rulekit.RulekitError, match="over"):
        analyse(state, FEW)


def test_it_speaks_the_language_of_the_state() -> None:
    state = rulekit.load(ROOT / "games" / "sphacteria", lang="fr").new(seed=3)
    while len(state.legal_actions()) < 2:
        state.apply_action(state.legal_actions()[0])
    found = analyse(state, Effort(0, 1500), 9, games=0)
    assert found.total == "Perspectives" and {line.chance for line in found.lines} == {None}
    asked = {choice.asked for line in found.lines for choice in line.choices}
    assert asked & {
        "Combien de points d'action pour cette phase ?",
        "Quel pion événement retourne dans le bol ?",
    }, asked


def test_random_games_go_on_from_a_position_as_in_the_native_module() -> None:
    pytest.importorskip("wasmtime")
    from rulekit.runtime.wasm.instance import WasmInstance

    game = rulekit.load(CARDS)
    state = game.new(seed=2)
    for _ in range(9):
        state.apply_action(state.legal_actions()[-1])
    machine = WasmInstance(game.program(), game.native())
    machine.start(state.slots)
    before = state.slots[:]
    assert (
        machine.playouts(5, 6) == playouts(game.program(), 5, 6, state.slots)
        and state.slots == before
    )


def test_visits_can_be_kept_to_one_choice() -> None:
    """All of these iterations begin with it. The counts of the others do not change."""
    state = three_in_a_row()
    tree = Tree(state.table.program, 1)
    tree.set_root_states([state.slots])
    tree.iterate(50)
    before = {branch.option: branch.visits for branch in tree.branches()}
    option = state.find("drop 1").id
    tree.iterate(40, option)
    after = {branch.option: branch.visits for branch in tree.branches()}
    assert after == before | {option: before.get(option, 0) + 40}


# -------------------------------------------------------------------------------------- whole games
def missed() -> State:
    """Return a game in which yellow misses a win with the seventh choice, red misses one, and
    yellow wins."""
    state = three_in_a_row()
    for column in (5, 6, 4):
        state.apply(f"drop {column}")
    assert state.is_terminal()
    return state


def test_a_win_that_was_missed_is_a_turning_point() -> None:
    state, told = missed(), list[int]()
    found = review_game(state, Effort(0, 300), tell=told.append)
    assert (found.choices, found.over, found.winner, found.sides, found.total) == (
        9,
        True,
        "yellow",
        ("yellow", "red"),
        None,
    )
    assert told == list(range(1, 10)) and [each.choice for each in found.decisions] == list(
        range(1, 10)
    )
    points = {each.choice: each for each in found.turning_points}
    assert {8} <= points.keys() and 9 not in points
    red = points[8]
    assert (red.side, red.chosen.key, red.best.key) == ("red", "drop 6", "drop 7")
    assert red.loss > 1 and red.loss > red.sure and red.chosen_visits >= red.best_visits // 2 > 20
    assert [each.loss for each in found.turning_points] == sorted(
        (each.loss for each in found.turning_points), reverse=True
    )
    last = found.decisions[-1]
    assert (
        last.loss == 0
        and last.chosen == last.best
        and last.chance is not None
        and last.chance.share == 1.0
    )
    assert (
        json.loads(json.dumps(found.to_json()))["turning_points"][0]
        == found.turning_points[0].choice
    )


def test_a_review_is_the_same_each_time_and_changes_nothing() -> None:
    state = missed()
    before = state.history()
    assert review_game(state, FEW, 3) == review_game(state, FEW, 3)
    assert state.history() == before
    assert review_game(state, FEW, 3) != review_game(state, FEW, 4)


def test_forced_choices_are_not_judged() -> None:
    state = position_before_the_end()
    state.apply_action(state.legal_actions()[0])
    found = review_game(state, FEW)
    assert [each.choice for each in found.decisions] == [
        n for n in range(1, state.move_number() + 1) if not state.was_forced(n)
    ]
    assert len(found.decisions) == state.move_number() - 1


def test_a_game_under_way_is_not_looked_at_as_a_whole_where_something_is_hidden() -> None:
    with pytest.raises(rulekit.RulekitError, match="hidden"):
        review_game(rulekit.load(CARDS).new(seed=1), FEW)
    assert not review_game(three_in_a_row(), FEW).over


def test_each_decision_of_a_review_is_seen_by_the_seat_that_made_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[int, int]] = []
    of = Blind.of
    monkeypatch.setattr(
        Blind,
        "of",
        lambda observer: (
            seen.append((observer.me, observer.state.current_player())),
            of(observer),
        )[1],
    )
    state, rng = rulekit.load(CARDS).new(seed=1), random.Random(2)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    found = review_game(state, Effort(0, 8))
    assert all(me == asked for me, asked in seen) and {me for me, _ in seen} == {0, 1}
    assert len(found.decisions) <= len(seen)


class Grown:
    """A tree in which the second of two choices has fewer iterations. After it and an answer, the
    better of two choices has fewer iterations too."""

    failed = 0

    def branches(self, at: int = 0) -> list[TreeBranch]:
        return {
            0: [TreeBranch(1, 0, 60, 0.1, 1.0, 1), TreeBranch(2, 0, 40, -0.1, -1.0, 2)],
            2: [TreeBranch(3, 1, 38, 0.0, 0.0, 3)],
            3: [TreeBranch(4, 0, 20, -0.2, -2.0, 4), TreeBranch(5, 0, 18, 0.4, 4.0, 5)],
            5: [TreeBranch(6, 1, 17, 0.4, 4.0, 6)],
            6: [TreeBranch(7, 0, 16, 0.3, 3.0, 7)],
        }.get(at, [])


@pytest.mark.parametrize(
    ("line", "told", "visits", "worth"),
    [
        ((), [2, 3, 4], 40, -0.1),
        ((2, 5), [2, 3, 5, 6, 7], 18, 0.4),
        ((2, 5, 7), [2, 3, 5, 6, 7], 16, 0.3),
        ((2, 6), [2, 3], 40, -0.1),
    ],
)
def test_choices_that_go_together_are_told_together(
    line: tuple[int, ...], told: list[int], visits: int, worth: float
) -> None:
    """Their value is that of the iterations that made them all, not of those that made only the
    first."""
    state = three_in_a_row()
    analyst = Analyst(state, SearchAgent(1, Effort(0, 1)), 0)
    thought = Thought(Grown().branches()[::-1], 100, Grown(), [state.slots], line)  # type: ignore[arg-type]
    found = analyst._line(thought.branches[0], thought, None, 0, line)
    names = {state.table.book.option(option).label: option for option in range(1, 8)}
    assert [names[each.label] for each in found.choices] == told
    assert (found.first_visits, found.visits, found.worth) == (40, visits, worth)


def test_a_line_of_choices_that_go_together_counts_the_visits_of_its_start_and_of_all() -> None:
    """A share of nothing next to the chosen variation looked like a fault."""
    names = three_in_a_row().names
    choice = AnalysedChoice("yellow", "drop 4", "drop: 4")
    one, other = (BestLine((choice,), 630, visits, 0.0, None, None) for visits in (36, 630))
    found = Analysis(7, "yellow", "drop a disc", None, None, None, 900, 0, False, (one, other))
    text = analysis_lines(names, "", found)
    assert (
        "  1. 70.0 % of the visits begin with its first choice (630), 36 of these made all choices"
        " that go together" in text
    )
    assert "  2. 70.0 % of the visits (630)" in text
    assert found.to_json()["lines"][0]["first_visits"] == 630


def test_what_is_nearly_sure_is_less_in_error_than_what_is_even() -> None:
    """For a value found three times, its squared mean reduces the variance."""
    assert [_error(TreeBranch(1, 0, 3, worth, 0.0, 0)) for worth in (0.0, 0.5, -1.0)] == [
        1 / 3,
        0.25,
        0.0,
    ]


def test_chances_are_told_to_four_digits(tmp_path: Path) -> None:
    """So are their intervals. Of seven games, no share is even when a die decides."""
    rules = ROUNDS.replace(
        "  finish none, drawn",
        "  roll d = d6 by a for luck\n  finish a, won when d > 3\n  finish b, won",
    )
    manifest = (
        "rulekit: game\nname: rounds\ntitle: Rounds\nversion: '1'\nlanguage: 1\nsearch: {stretch:"
        " round}\n"
    )
    (tmp_path / "game.yaml").write_text(manifest, encoding="utf-8")
    (tmp_path / "game.rules").write_text(rules, encoding="utf-8")
    found = analyse(rulekit.load(tmp_path).new(seed=1), FEW, seed=3, games=7)
    chances = [line.chance for line in found.lines if line.chance is not None]
    assert any(0 < chance.share < 1 for chance in chances)
    for chance in chances:
        assert chance.low is not None and chance.high is not None
        assert [round(x, 4) for x in (chance.share, chance.low, chance.high)] == [
            chance.share,
            chance.low,
            chance.high,
        ]
