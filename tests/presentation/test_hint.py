"""A hint is an option that the adviser would choose with the player's knowledge."""

from __future__ import annotations

import pytest

import rulekit
from rulekit.engine.game.state import State
from rulekit.engine.search import native_tree as natively
from rulekit.engine.search.mcts import Tree
from rulekit.presentation import hint as hints
from rulekit.runtime.slots import COUNTER
from rulekit.server.access import AccessPolicy
from rulekit.server.online.access import OnlineAccessPolicy
from rulekit.server.room import begin
from rulekit.server.storage import Store, file_address


@pytest.fixture(scope="module")
def game():
    return rulekit.load("games/sphacteria")


@pytest.mark.docs("python#odds-before-the-deed")
def test_it_is_an_option_of_who_is_asked_and_the_same_each_time(game):
    state = game.new(seed=3)
    before, side = state.clone(), state.decision.player
    found = rulekit.Seat(state, side).hint()
    assert (
        found.key in [option.key for option in state.decision.options]
        and found.label
        and found.by == "search"
    )
    assert rulekit.Seat(state, side).hint() == found and state == before
    option = next(
        option for option in rulekit.Seat(state, side).decision().options if option.key == found.key
    )
    assert list(found.things) == [
        (option.types[name].kind, value)
        for name, value in option.params.items()
        if option.types[name].kind
    ]
    assert rulekit.Seat(state, side, "fr").hint().key == found.key
    with pytest.raises(rulekit.IllegalChoice):
        rulekit.Seat(state, next(other for other in state.names.sides if other != side)).hint()


@pytest.mark.docs("python#odds-before-the-deed")
def test_the_adviser_sees_no_true_hand_and_no_true_die(game, monkeypatch):
    """Each iteration has its own dice, and starts from a determinization."""
    seen = []
    monkeypatch.setattr(natively, "machine_of", lambda table: None)
    monkeypatch.setattr(hints, "VISITS_IN_PYTHON", 12)
    set_root_states = Tree.set_root_states
    monkeypatch.setattr(
        Tree,
        "set_root_states",
        lambda self, positions, later=False: (
            seen.append(positions),
            set_root_states(self, positions, later),
        )[1],
    )
    apart = 0
    for seed in range(1, 5):
        state = game.new(seed=seed)
        rulekit.Seat(state, state.decision.player).hint()
        other = next(side for side in state.names.sides if side != state.decision.player)
        for slots in seen[-1]:
            apart += (
                State(state.table, slots).view(other)["pools"]["hand"]
                != state.view(other)["pools"]["hand"]
            )
            assert slots[COUNTER] == 0
    assert apart > 4, "the other's hand is supposed"


def test_it_goes_on_with_ones_own_choices_up_to_those_of_another():
    state = rulekit.load("games/sphacteria", lang="fr").new(seed=3)
    while len(state.legal_actions()) < 2:
        state.apply_action(state.legal_actions()[0])
    found = rulekit.Seat(state, state.decision.player).hint()
    from rulekit.engine.search.analysis import analyse
    from rulekit.engine.search.search_agent import Effort

    visits = hints.VISITS if natively.machine_of(state.table) else hints.VISITS_IN_PYTHON
    line = analyse(state, Effort(0, visits), 1, games=0).lines[0].choices
    own = [
        str(choice)
        for at, choice in enumerate(line)
        if all(each.side == line[0].side for each in line[: at + 1])
    ]
    assert [found.label, *found.then] == own


def test_a_game_without_a_total_has_hints():
    state = rulekit.load("examples/connect_four").new(seed=1)
    for column in (1, 7, 2, 7, 3, 7):
        state.apply(f"drop {column}")
    assert rulekit.Seat(state, "yellow").hint() == hints.Hint("drop 4", "drop: 4")


def test_who_opens_a_table_says_whether_hints_are_given(game, tmp_path):
    store = Store(file_address(tmp_path / "tables.db"))
    for number, (seats, wished) in enumerate(
        [({}, True), ({"sparta": "greedy"}, True), ({}, False)]
    ):
        room = begin(store, f"t{number}", game, game.new(seed=1), seats, hints=wished)
        assert AccessPolicy().hints(room) is wished is room.table(None, None, []).hints
        assert OnlineAccessPolicy.hints(object.__new__(OnlineAccessPolicy), room) is (
            wished and bool(seats)
        ), "not against another person"
        assert ('"hints":"search"' in store.row(f"t{number}").header) is wished, (
            "and the save says it"
        )
    store.close()
