"""A wish to pass until the phase ends applies to that player's windows and to nothing else."""

from types import SimpleNamespace

import pytest

import rulekit
from rulekit.server import room as rooms
from rulekit.server.access import AccessPolicy
from rulekit.server.room import RequestRefused, begin
from rulekit.server.room_loader import reopened
from rulekit.server.storage import Store, file_address
from tests.small_games import MANIFEST

RULES = """
game small 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Card = bell(2) | drum(1)
  fixed loud: 1..2
state answered: 0..99 = 0
pool deck of Card seen by none
pool hand(s: Side) of Card seen by s
pool used of Card
event heard(c: Card)
  answered += 1
phase main
  each c in Card
    put c in deck
  draw 1 from deck to hand(blue)
  repeat 2 times
    watch
  finish red, win
phase watch
  repeat 3 times
    pick n from 1 .. 2 by red "go on"
    open alarm
  pick m from 1 .. 2 by blue "think"
moment alarm asks blue
reaction ring(c: Card) at alarm "ring"
  when c in hand(me)
  when c.loud > 1 "nobody would hear it"
  put c in used
  heard(c)
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    (folder / "game.yaml").write_text(MANIFEST)
    (folder / "game.rules").write_text(RULES)
    return rulekit.load(folder)


@pytest.fixture
def begin_with(game, tmp_path):
    """A table at which blue has this card."""
    store = Store(file_address(tmp_path / "tables.db"))

    def with_card(card, **seats):
        seed = next(
            seed
            for seed in range(99)
            if game.new(seed=seed).view("blue")["pools"]["hand"]["blue"]["members"] == [card]
        )
        return begin(store, "t", game, game.new(seed=seed), seats)

    yield with_card
    store.close()


@pytest.fixture
def room(begin_with):
    return begin_with("bell")


def goes_on(room):
    """Make the automatic choices, and return the pauses before them."""
    pauses = []
    while (pause := room.pause()) is not None:
        pauses.append(pause)
        room.pass_alone(room.choices)
    return pauses


def to_window(room):
    room.take("red", room.choices, ["pick 1"])
    assert room.state.decision.kind == "window"


def test_one_gesture_passes_all_windows_of_the_phase_and_stops_where_something_else_is_asked(room):
    to_window(room)
    room.pass_until_phase_ends("blue", room.choices, only=False)
    for _ in range(2):
        assert (
            room.state_message("blue", None).auto_pass
            and not room.state_message("red", None).auto_pass
        ), "nobody else is told"
        to_window(room)
        assert len(goes_on(room)) == 1
    assert (
        room.state.decision.kind == "pick"
        and room.state.decision.player == "blue"
        and not room.auto_pass
    )
    room.take("blue", room.choices, ["pick 1"])
    to_window(room)
    assert room.pause() is None, "it was for that phase only"


def test_a_phase_of_the_same_name_is_another(room):
    for _ in range(3):
        to_window(room)
        if room.choices == 5:
            room.pass_until_phase_ends("blue", room.choices, only=False)
            break
        room.take("blue", room.choices, ["pass"])
    room.auto_pass["blue"] = wish = rooms.AutoPass.now(room.state, "blue")
    room.take("blue", room.choices, ["pick 1"])
    assert "blue" not in room.auto_pass and not wish.holds(room.state)


def test_who_could_do_something_else_is_asked_if_he_wishes(room):
    to_window(room)
    room.pass_until_phase_ends("blue", room.choices, only=True)
    to_window(room)
    assert len(room.state.decision.options) == 2 and not room.auto_pass and room.pause() is None


def test_who_can_only_pass_is_passed_for_where_he_wishes_to_be_asked_else(begin_with):
    room = begin_with("drum")
    to_window(room)
    assert len(room.state.decision.options) == 1
    room.pass_until_phase_ends("blue", room.choices, only=True)
    to_window(room)
    assert room.auto_pass and room.pause() is not None


def test_it_is_taken_back_undone_and_refused(room):
    with pytest.raises(RequestRefused):
        room.pass_until_phase_ends("blue", room.choices, only=False)
    to_window(room)
    with pytest.raises(RequestRefused):
        room.pass_until_phase_ends("red", room.choices, only=False)
    room.pass_until_phase_ends("blue", room.choices, only=False)
    room.undo("blue", room.choices)
    assert room.state.decision.kind == "window" and not room.auto_pass and room.pause() is None


def test_between_persons_with_secrets_it_takes_the_time_of_a_person_whatever_could_be_done(
    room, monkeypatch
):
    drawn = []
    monkeypatch.setattr(rooms.random, "uniform", lambda *bounds: drawn.append(bounds) or 2.0)
    to_window(room)
    room.pass_until_phase_ends("blue", room.choices, only=False)
    to_window(room)
    assert len(room.state.decision.options) > 1 and room.pause() == 2.0 and drawn == [rooms.PAUSE]


def test_where_it_tells_nothing_it_takes_no_time(begin_with):
    room = begin_with("bell", red="random")
    assert room.step() and room.state.decision.kind == "window"
    room.pass_until_phase_ends("blue", room.choices, only=False)
    assert room.step() and room.pause() == 0.0


def again(room, game):
    """Return the same table in another process, or after a restart."""
    return reopened(
        room.store, room.store.row(room.id), SimpleNamespace(game=lambda name: game), AccessPolicy()
    )


def test_it_holds_though_nobody_looks_on_meanwhile(room, game):
    to_window(room)
    room.pass_until_phase_ends("blue", room.choices, only=True)
    kept = again(room, game)
    assert (
        kept.auto_pass
        == room.auto_pass
        == {"blue": rooms.AutoPass("blue", kept.auto_pass["blue"].begun, True)}
        and kept.state_message("blue", None).auto_pass
    )
    to_window(kept)
    assert not kept.auto_pass and not again(room, game).auto_pass, "blue is asked: it could ring"


def test_it_holds_in_another_process_and_ends_there(room, game):
    other = again(room, game)
    to_window(room)
    room.pass_until_phase_ends("blue", room.choices, only=False)
    assert not other.follow() and other.auto_pass == room.auto_pass
    to_window(other)
    assert len(goes_on(other)) == 1
    room.follow()
    assert room.auto_pass and room.choices == other.choices
    room.stop_passing("blue")
    assert not again(room, game).auto_pass and not room.auto_pass
    other.follow()
    to_window(other)
    assert other.pause() is None, "who called it off there is asked here"


def test_what_is_no_longer_so_is_not_kept(room, game):
    to_window(room)
    room.pass_until_phase_ends("blue", room.choices, only=False)
    room.undo("blue", room.choices)
    assert not again(room, game).auto_pass
