"""The promises of a state: the same seed gives the same game, a copy is independent, JSON round
trips are the identity, and undo is the inverse."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rulekit

ROOT = Path(__file__).resolve().parents[3]
GAMES = [
    ROOT / "examples" / "tic_tac_toe",
    ROOT / "examples" / "connect_four",
    ROOT / "tests" / "fixtures" / "cards",
    ROOT / "tests" / "fixtures" / "dice",
]


@pytest.fixture(params=GAMES, ids=lambda p: p.name)
def game(request: pytest.FixtureRequest) -> rulekit.Game:
    return rulekit.load(request.param)


def to_the_end(state: rulekit.State, seed: int) -> list[int]:
    rng, taken = random.Random(seed), []
    while not state.is_terminal():
        taken.append(rng.choice(state.legal_actions()))
        state.apply_action(taken[-1])
    return taken


def plain(state: rulekit.State) -> list[object]:
    return [e.to_json() for e in state.events]


def test_the_same_seed_and_choices_give_the_same_events(game: rulekit.Game) -> None:
    one, two = game.new(seed=11), game.new(seed=11)
    for action in to_the_end(one, 3):
        two.apply_action(action)
    assert one == two
    assert hash(one) == hash(two)
    assert plain(one) == plain(two)
    assert one.to_json() == two.to_json()
    assert one.result == two.result


class Whole:
    """An integer type of another library."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


@pytest.mark.parametrize("wrong", [1.0, None, True, [1], {}, b"1"])
@pytest.mark.parametrize("how", ["apply", "apply_action", "find", "why"])
def test_what_is_no_id_is_refused_and_changes_nothing(how: str, wrong: Any) -> None:
    state = rulekit.load(GAMES[0], lang="fr").new(seed=1)
    with pytest.raises(rulekit.IllegalChoice, match="entier"):
        getattr(state, how)(wrong)
    with pytest.raises(rulekit.IllegalChoice):
        state.apply_action("foo")  # type: ignore[arg-type]
    assert state.history() == []


def test_ids_of_other_libraries_are_whole_numbers_as_pythons() -> None:
    state = rulekit.load(GAMES[0]).new(seed=1)
    state.apply_action(Whole(3))
    state.apply(Whole(4))
    assert [(type(each), each) for each in state.history()] == [(int, 3), (int, 4)] and state.why(
        Whole(5)
    ) == [] != state.why(Whole(4))


def test_the_same_bytes_in_a_new_process() -> None:
    code = (
        "import random, rulekit\n"
        f"state = rulekit.load({str(GAMES[2])!r}).new(seed=5)\n"
        "rng = random.Random(2)\n"
        "while state.decision:\n    state.apply(rng.choice(state.decision.options))\n"
        "print(state.to_json(), [e.to_json() for e in state.events])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    }
    assert len(outputs) == 1


@pytest.mark.docs("python#views-queries-copies", "python#searches")
def test_json_there_and_back_at_every_decision_changes_nothing(game: rulekit.Game) -> None:
    state, rng = game.new(seed=4), random.Random(4)
    while not state.is_terminal():
        again = game.state_from_json(state.to_json())
        assert again == state
        assert again.legal_actions() == state.legal_actions()
        action = rng.choice(state.legal_actions())
        before = len(state.events)
        state.apply_action(action)
        again.apply_action(action)
        assert [e.to_json() for e in again.events] == [e.to_json() for e in state.events[before:]]
        state = state if rng.random() < 0.5 else again
    assert state.result is not None


@pytest.mark.docs("python#views-queries-copies")
def test_a_state_that_is_read_back_has_no_history(game: rulekit.Game) -> None:
    state = game.new(seed=4)
    state.apply_action(state.legal_actions()[0])
    again = game.state_from_json(state.to_json())
    assert (
        again == state
        and len(again.events) == 0 < len(state.events)
        and again.history() == [] != state.history()
    )
    with pytest.raises(rulekit.IllegalChoice):
        again.undo()
    again.apply_action(again.legal_actions()[0])
    assert [event.number for event in again.events] == list(range(len(again.events)))


def test_undo_to_the_start_and_redo_give_the_same_events(game: rulekit.Game) -> None:
    state = game.new(seed=9)
    begin = state.clone()
    to_the_end(state, 1)
    end, events = state.clone(), plain(state)
    for _ in range(end.move_number()):
        state.undo()
    assert state == begin
    assert plain(state) == plain(begin)
    for _ in range(end.move_number()):
        state.redo()
    assert state == end
    assert plain(state) == events
    with pytest.raises(rulekit.IllegalChoice):
        state.redo()


@pytest.mark.docs("python#python")
def test_a_copy_is_equal_and_independent(game: rulekit.Game) -> None:
    state = game.new(seed=2)
    copy = state.clone()
    state.apply(state.decision.options[0])
    assert copy != state
    assert copy.decision is not None
    copy.apply(copy.decision.options[0])
    assert copy == state
    copy.undo()
    assert copy != state


def test_a_state_is_equal_to_states_only(game: rulekit.Game) -> None:
    """Comparison with anything else is False, unless the other object decides otherwise."""

    class Any:
        def __eq__(self, other: object) -> bool:
            return True

    state = game.new(seed=2)
    assert [state == other for other in (state.clone(), None, 1, state.to_json())] == [
        True,
        False,
        False,
        False,
    ]
    assert state == Any()


@pytest.mark.docs("python#choices")
def test_no_offered_option_is_refused_and_no_other_is_accepted() -> None:
    state = rulekit.load(GAMES[0]).new(seed=1)
    state.apply("mark b2")
    for option in state.decision.options:
        state.clone().apply(option.key)
    legal = set(state.legal_actions())
    for action in range(-1, max(legal) + 3):
        if action not in legal:
            with pytest.raises(rulekit.IllegalChoice):
                state.clone().apply_action(action)
    with pytest.raises(rulekit.IllegalChoice, match="the cell is taken"):
        state.apply("mark b2")
    with pytest.raises(rulekit.IllegalChoice):
        state.apply("nonsense")


@pytest.mark.docs("python#choices")
def test_a_choice_may_be_cut_short_where_it_is_clear() -> None:
    state = rulekit.load(GAMES[0]).new(seed=1)
    events = state.apply("b2")
    assert [e.to_json() for e in events] == [["marked", {"c": "b2", "s": "x"}]]
    with pytest.raises(rulekit.IllegalChoice, match="may mean"):
        state.apply("mark")


def test_openspiel_names_mean_the_same() -> None:
    state = rulekit.load(GAMES[0]).new(seed=1)
    assert state.current_player() == 0
    assert state.returns() == [0.0, 0.0]
    for key in ("a1", "a2", "b1", "b2", "c1"):
        state.apply(key)
    assert state.is_terminal()
    assert state.current_player() == -4
    assert state.returns() == [1.0, -1.0]
    assert state.legal_actions() == []
    assert state.decision is None
    assert state.result == rulekit.Result("x", "win")
    with pytest.raises(rulekit.IllegalChoice, match="over"):
        state.apply_action(1)


@pytest.mark.docs("python#searches")
def test_losers_share_what_the_winner_gains(tmp_path: Path) -> None:
    """This holds for three players too. Nobody gains by a draw."""
    rules = (
        'game three 1\nkind Side decides = red | blue | grey\nphase main\n  choose by blue "end"\n '
        "   option win\n      finish blue, win\n"
    )
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: three\ntitle: Three\nversion: '1'\nlanguage: 1\n"
    )
    (tmp_path / "game.rules").write_text(rules + "    option end\n      finish none, drawn\n")
    game = rulekit.load(tmp_path)
    for key, returns in (("win", [-0.5, 1.0, -0.5]), ("end", [0.0, 0.0, 0.0])):
        state = game.new(seed=1)
        assert state.returns() == [0.0, 0.0, 0.0]
        state.apply(key)
        assert state.returns() == returns


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}", '{"format":"rulekit-state"}'])
def test_a_damaged_state_is_refused(damage: str) -> None:
    with pytest.raises(rulekit.SaveError):
        rulekit.load(GAMES[0]).state_from_json(damage)


def test_a_state_of_another_game_or_of_other_rules_is_refused(game: rulekit.Game) -> None:
    text = game.new(seed=1).to_json()
    with pytest.raises(rulekit.SaveError):
        game.state_from_json(text.replace(f'"game":"{game.name}"', '"game":"other"'))
    with pytest.raises(rulekit.SaveError, match="other rules"):
        game.state_from_json(text.replace('"rules":"', '"rules":"0'))


def test_a_player_takes_back_his_own_choices_only() -> None:
    state = rulekit.load(GAMES[0]).new(seed=1)
    state.apply("a1")
    state.undo_own("x")
    state.apply("b2")
    with pytest.raises(rulekit.IllegalChoice, match="another player"):
        state.undo_own("o")
    state.apply("c3")
    with pytest.raises(
        rulekit.IllegalChoice, match="another player"
    ):  # x's own choice is behind one of the other player
        state.undo_own("x")
    assert state.move_number() == 2
    state.undo_own("o")
    state.undo_own("x")


def test_a_reveal_is_a_barrier() -> None:
    state = rulekit.load(GAMES[2]).new(seed=3)
    first = state.decision.player
    state.apply(state.decision.options[0])
    second = state.decision.player
    assert first != second
    state.apply(state.decision.options[0])
    assert state.undo_refusal(second) == "something was revealed"
    with pytest.raises(rulekit.IllegalChoice, match="revealed"):
        state.undo_own(second)
    state.undo()
    state.redo()


@pytest.mark.docs("python#searches")
def test_the_names_of_openspiel_mean_the_same(game: rulekit.Game) -> None:
    state = game.new(seed=1)
    assert state.num_players() == game.num_players() == len(game.sides)
    first = state.legal_actions()[0]
    assert (
        state.action_to_string(first) == state.decision.options[0].key if state.decision else False
    )
    assert 0 < first < state.num_distinct_actions() == game.num_distinct_actions()
    state.apply_action(first)
    assert state.history() == [first]


@pytest.mark.docs("python#views-queries-copies")
def test_what_cannot_be_is_said_plainly(game: rulekit.Game) -> None:
    with pytest.raises(TypeError, match="to_json"):
        pickle.dumps(game.new(seed=1))
    with pytest.raises(TypeError, match="whole number"):
        game.new(seed="x")  # type: ignore[arg-type]
    state = game.new(seed=1)
    assert copy.deepcopy(state) == state and copy.copy(state) is not state
    with pytest.raises(rulekit.RulekitError, match="no texts in 'xx'"):
        rulekit.load(GAMES[0], lang="xx").new()


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (
            "zone.red.F9",
            "'red.F9' is no key of 'zone'; did you mean 'red.F2' or 'red.F1' or 'red.H1'?",
        ),
        ("points.grey", "'grey' is no key of 'points'; write it like points.red"),
        ("deck.ambush", "'deck' has no key, and 'ambush' stands after it; write deck"),
        ("points", "'points' needs its key; write it like points.red"),
    ],
)
def test_keys_that_are_wrong_are_told_with_a_guess_or_an_example(path: str, told: str) -> None:
    with pytest.raises(rulekit.RulekitError) as refused:
        rulekit.load(ROOT / "examples" / "skirmish").new(seed=1).get(path)
    assert str(refused.value) == told


@pytest.mark.parametrize("method", ["apply", "apply_action"])
def test_after_another_choice_nothing_is_made_again(game: rulekit.Game, method: str) -> None:
    """Undone choices belong to another course of the game as soon as a choice is made by any
    method."""
    state = game.new(seed=3)
    state.apply_action(state.legal_actions()[0])
    state.undo()
    getattr(state, method)(state.legal_actions()[-1])
    with pytest.raises(rulekit.IllegalChoice, match="there is nothing to redo"):
        state.redo()


def test_options_are_numbered_from_one(game: rulekit.Game) -> None:
    """`#1` is the first and `#n` the last. There are no others."""
    state = game.new(seed=3)
    options = state.decision.options
    assert [state.find(f"#{n}") for n in range(1, len(options) + 1)] == list(options)
    for text in ("#0", "#00", f"#{len(options) + 1}", "#-1", "#", "#1.0"):
        with pytest.raises(rulekit.IllegalChoice):
            state.find(text)
