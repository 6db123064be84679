"""Planes of observations: an observer's knowledge as numbers, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import rulekit
from rulekit.adapters.tensors import Numbers, Planes, described
from rulekit.engine.kernel.names import Names
from rulekit.engine.knowledge.information_set import unseen_values
from rulekit.engine.knowledge.observation import Observer
from tests.engine.knowledge.twins import swaps
from tests.presentation.seat_positions import decisions

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [
    *sorted((ROOT / "examples").iterdir()),
    *sorted((ROOT / "tests" / "fixtures").iterdir()),
    ROOT / "games" / "sphacteria",
]
SKIRMISH = rulekit.load(ROOT / "examples" / "skirmish")
PLANES = Planes(SKIRMISH.table().names)


def looked_at(name: str) -> Iterator[tuple[rulekit.State, int]]:
    """Yield some positions of a game, for each side and a spectator."""
    for number, (state, _) in enumerate(decisions(name, range(2), 60)):
        if number % 4 == 1:
            yield from (
                (state.clone(), observer) for observer in (-1, *range(len(state.names.sides)))
            )


@cache
def planes_of(names: Names) -> Planes:
    return Planes(names)


def seen(state: rulekit.State, observer: int) -> Numbers:
    return planes_of(state.names).tensor(state, observer if observer >= 0 else None)


@pytest.mark.parametrize("name", ["cards", "secrets"])
def test_who_cannot_tell_two_things_apart_has_the_same_numbers(name: str) -> None:
    """Two things that the observer never could distinguish are swapped."""
    compared = 0
    for state, observer in looked_at(name):
        own = seen(state, observer)
        for swap in list(swaps(state, observer))[:6]:
            assert np.array_equal(seen(swap.twin(), observer), own)
            compared += 1
    assert compared > 20


def test_a_value_that_is_not_seen_is_in_no_plane() -> None:
    """Each hidden value is replaced by each other possible one. Those who may know it see the
    difference."""
    told = 0
    for state, observer in list(looked_at("secrets"))[::4]:
        own, others = seen(state, observer), [seen(state, who) for who in range(2)]
        for value in unseen_values(Observer(state, observer if observer >= 0 else None)):
            for instead in value.values or ():
                other = state.clone()
                value.put(other.slots, instead)
                assert np.array_equal(seen(other, observer), own)
                told += any(not np.array_equal(seen(other, who), others[who]) for who in range(2))
    assert told > 20


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_planes_fill_the_tensor_and_say_what_stands_where(folder: Path) -> None:
    state = rulekit.load(folder).new(seed=1)
    planes = Planes(state.names)
    assert len({plane.name for plane in planes.planes}) == len(planes.planes)
    assert [plane.offset for plane in planes.planes] == list(
        np.cumsum([0, *(plane.size for plane in planes.planes)])
    )[:-1]
    assert sum(plane.size for plane in planes.planes) == planes.size
    for plane in planes.planes:
        assert plane.shape
        assert tuple(map(len, plane.members)) == plane.shape
        assert len(plane.axes) == len(plane.shape)
    tensor = planes.tensor(state, 0)
    assert np.isfinite(tensor).all()
    assert sum(float(part.sum()) for part in planes.named(tensor).values()) == pytest.approx(
        float(tensor.sum()), rel=1e-5
    )


CALLED = """game called 1
kind Side decides = a(b) | b(a)
  fixed enemy: Side
kind Card = c1 | c2
  state player: Side?
kind Deck = e1
  state turn: bool
kind Room = r1
  state turn: bool
state observer: bool
state winner: Side?
state over(s: Side): bool
state phase(s: Side): 0..3 seen by s
state known: bool
state size: bool
state state: 0..3
pool decision(s: Side) of Card seen by s
event done(c: Card, s: Side)
  c.player := s
  phase(s) += 1
phase main
  repeat 9 times
    turn(a)
  finish none, drawn
phase turn(me: Side)
  choose by me "take"
    option take(c: Card)
      done(c, me)
      finish me, win when phase(me) = 3
"""


def test_planes_have_names_of_their_own_whatever_a_game_calls_its_states(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: called\ntitle: Called\nversion: '1'\nlanguage: 1\n"
    )
    (tmp_path / "game.rules").write_text(CALLED)
    state = rulekit.load(tmp_path).new(seed=1)
    planes = Planes(state.names)
    names = [plane.name for plane in planes.planes]
    assert len(set(names)) == len(names)
    assert {
        "player",
        "state player",
        "observer",
        "state observer",
        "state over",
        "phase",
        "state phase",
        "state phase known",
        "pool decision",
        "pool decision size",
        "state",
        "known",
        "Room.turn",
        "turn.me",
    } <= set(names)
    state.apply("take c2")
    told = planes.named(planes.tensor(state, "a"))
    assert sum(plane.size for plane in told.values()) == planes.size
    assert (
        list(told["state player"][1]),
        list(told["state phase"]),
        list(told["state phase known"]),
    ) == ([1, 0, 0], [pytest.approx(1 / 3), 0], [1, 0])


@pytest.mark.parametrize(
    ("how", "game"), [("unknown", "blocks"), ("cell", "blocks"), ("pool", "cards")]
)
def test_what_an_observer_sees_is_gone_over_once(
    how: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of planes makes no difference."""
    state = rulekit.load(ROOT / "tests" / "fixtures" / game).new(seed=1)
    gone, over = list[tuple[int, ...]](), getattr(Observer, how)
    monkeypatch.setattr(Observer, how, lambda observer, *at: gone.append(at) or over(observer, *at))
    Planes(state.names).tensor(state, 0)
    assert len(gone) == len(set(gone)) > 0


def at(name: str, tensor: Numbers, *where: str) -> float:
    """Return the number of a plane at members of its axes."""
    plane = next(plane for plane in PLANES.planes if plane.name == name)
    index = tuple(members.index(word) for members, word in zip(plane.members, where, strict=True))
    return float(PLANES.named(tensor)[name][index])


def test_what_stands_open_is_read_by_names() -> None:
    given = {
        "clear": "all",
        "place": {"red.H1": {"zone": "hill", "marched": True}, "blue.F1": "town"},
        "set": {"points": {"red": 10}, "holder.town": "blue"},
        "put": {"hand.red": ["ambush"], "hand.blue": ["rumour"], "deck": [], "played": ["patrol"]},
        "phase": "day(red)",
    }
    state = SKIRMISH.position(given, seed=1)
    red, blue, nobody = (PLANES.tensor(state, who) for who in (0, 1, None))
    for tensor in (red, blue, nobody):
        assert [at("zone", tensor, "red.H1", place) for place in ("hill", "town", "none")] == [
            1,
            0,
            0,
        ]
        assert [at("zone", tensor, "red.F1", place) for place in ("camp", "none")] == [0, 1]
        assert (at("marched", tensor, "red.H1"), at("marched", tensor, "blue.F1")) == (1, 0)
        assert (at("points", tensor, "red"), at("points", tensor, "blue")) == (0.25, 0)
        assert (at("holder", tensor, "town", "blue"), at("holder", tensor, "hill", "none")) == (
            1,
            1,
        )
        assert [at("hand size", tensor, side) for side in ("red", "blue")] == pytest.approx(
            [1 / 3, 1 / 3]
        )
        assert at("played", tensor, "patrol") == 1
        assert (
            at("player", tensor, "red"),
            at("player", tensor, "blue"),
            at("over", tensor, "over"),
        ) == (1, 0, 0)
        assert (
            at("phase", tensor, "day"),
            at("day.active", tensor, "red"),
            at("day.active", tensor, "blue"),
        ) == (1, 1, 0)
    assert (at("hand", red, "red", "ambush"), at("hand", red, "blue", "rumour")) == (1, 0)
    assert (at("hand", blue, "red", "ambush"), at("hand", blue, "blue", "rumour")) == (0, 1)
    assert PLANES.named(nobody)["hand"].sum() == 0
    assert (
        at("observer", red, "red"),
        at("observer", blue, "blue"),
        PLANES.named(nobody)["observer"].sum(),
    ) == (1, 1, 0)


def test_who_has_won_is_told() -> None:
    game = rulekit.load(ROOT / "examples" / "tic_tac_toe")
    state = game.new(seed=1)
    for cell in ("a1", "b1", "a2", "b2", "a3"):
        state.apply(f"mark {cell}")
    planes = Planes(state.names)
    told = planes.named(planes.tensor(state, 1))
    assert (
        list(told["winner"]),
        list(told["over"]),
        list(told["player"]),
        told["decision"].sum(),
    ) == ([1, 0], [1], [0, 0], 0)


def test_planes_are_described_for_people() -> None:
    assert list(described(PLANES))[5:8] == [
        "holder: Zone 6 x Side 3",
        "zone: Piece 6 x Zone 7",
        "marched: Piece 6",
    ]


def test_things_that_are_not_known_are_counted() -> None:
    """For blocks with hidden faces, the planes hold the number at each place."""
    state = rulekit.load(ROOT / "tests" / "fixtures" / "blocks").new(seed=1)
    planes = Planes(state.names)
    plane = next(
        plane
        for plane in planes.planes
        if plane.name.startswith("unknown ") and plane.axes == ("Hex",)
    )
    for who in (None, 0, 1):
        unknown = state.view(who)["unknown"]["Block"]
        where = [str(block[plane.name.rpartition(".")[2]]).lower() for block in unknown]
        assert len(where) > 2
        assert list(planes.named(planes.tensor(state, who))[plane.name]) == [
            where.count(hex) for hex in plane.members[0]
        ]
