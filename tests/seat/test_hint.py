"""A hint is an option that the adviser would choose by what the player may know."""

from __future__ import annotations

import pytest

import rulekit
from rulekit.play.greedy import GreedyAgent
from rulekit.program.slots import SEED
from rulekit.table.house import House
from rulekit.table.people.house import PeoplesHouse
from rulekit.table.room import begin
from rulekit.table.store import Store, file_address


@pytest.fixture(scope="module")
def game():
    return rulekit.load("games/sphacteria")


def test_it_is_an_option_of_who_is_asked_and_the_same_each_time(game):
    state = game.new(seed=3)
    before, side = state.clone(), state.decision.player
    found = rulekit.Seat(state, side).hint()
    assert found.key in [option.key for option in state.decision.options] and found.label and found.by == "greedy"
    assert rulekit.Seat(state, side).hint() == found and state == before
    assert rulekit.Seat(state, side, "fr").hint().key == found.key
    with pytest.raises(rulekit.IllegalChoice):
        rulekit.Seat(state, next(other for other in state.names.sides if other != side)).hint()


def test_the_adviser_sees_no_true_hand_and_no_true_seed(game, monkeypatch):
    seen = []

    def choose(self, state):
        seen.append(state)
        return state.legal_actions()[0]
    monkeypatch.setattr(GreedyAgent, "choose", choose)
    apart = 0
    for seed in range(1, 7):
        state = game.new(seed=seed)
        rulekit.Seat(state, state.decision.player).hint()
        other = next(side for side in state.names.sides if side != state.decision.player)
        apart += seen[-1].view(other)["pools"]["hand"] != state.view(other)["pools"]["hand"]
        assert seen[-1].slots[SEED] == 0 and state.slots[SEED] != 0
    assert apart, "the other's hand is supposed"


def test_who_opens_a_table_says_whether_hints_are_given(game, tmp_path):
    store = Store(file_address(tmp_path / "tables.db"))
    for number, (seats, wished) in enumerate([({}, True), ({"sparta": "greedy"}, True), ({}, False)]):
        room = begin(store, f"t{number}", game, game.new(seed=1), seats, hints=wished)
        assert House().hints(room) is wished is room.table(None, None, []).hints
        assert PeoplesHouse.hints(object.__new__(PeoplesHouse), room) is (wished and bool(seats)), "not against another person"
        assert ('"hints":"greedy"' in store.row(f"t{number}").header) is wished, "and the save says it"
    store.close()
