"""Bounds of inputs and look-ups of the engine: the last allowed value and the first forbidden
one."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

import rulekit
from rulekit.common.errors import RulesError
from rulekit.engine.explain.event_derivations import _beyond
from rulekit.engine.kernel import decision
from rulekit.engine.knowledge.observation import Observer
from rulekit.runtime import intrinsics
from tests.small_games import write_game


@pytest.mark.parametrize("look", [intrinsics.row, intrinsics.key])
def test_a_number_is_a_key_from_the_first_to_the_last(look: object) -> None:
    assert callable(look)
    assert [look(n, 2, 4) for n in (2, 3, 4)] == [0, 1, 2]
    for n in (1, 5):
        with pytest.raises(RulesError):
            look(n, 2, 4)


def test_beyond_its_ends_a_table_of_numbers_is_nothing_and_a_shift_stops() -> None:
    assert [intrinsics.at((7, 8), i) for i in (-1, 0, 1, 2)] == [0, 7, 8, 0]
    assert [
        intrinsics.shift(member, by, 3)
        for member, by in ((1, 1), (1, 9), (1, -9), (0, 0), (3, 1), (-1, 1))
    ] == [2, 3, 0, 0, 3, -1]


DRAWN = """
kind Chit = storm | spy | calm
pool cup of Chit
pool hand of Chit
setup
  put storm in cup
  put calm in cup
  put spy in hand
phase main
  pick n from 1 .. 2 by red "how many"
  draw 1 from cup to hand
  finish none, drawn
"""


def test_a_draw_that_is_written_down_is_of_what_lies_there(tmp_path: Path) -> None:
    game = rulekit.load(write_game(tmp_path, DRAWN))
    for written_down, drawn in ((0, "storm"), (2, "calm")):
        state = game.new(seed=1, dice=[written_down])
        state.apply("pick 1")
        assert drawn in state.get("hand")
    state = game.new(seed=1, dice=[1])
    with pytest.raises(RulesError, match="is not there to be drawn"):
        state.apply("pick 1")


@pytest.mark.parametrize("result", [-1, 65535])
def test_what_is_written_down_has_a_bound(tmp_path: Path, result: int) -> None:
    game = rulekit.load(write_game(tmp_path, DRAWN))
    with pytest.raises(rulekit.RulekitError, match="between 0 and 65534"):
        game.new(seed=1, dice=[result])
    game.new(seed=1, dice=[0, 65534])


INFINITE = [(1, 0), (5, 0)]
NOTHING = [(0, 1), (0, 9), (0, 0)]
HALF, TWO = [(1, 2), (3, 6)], [(2, 1), (4, 2)]


def test_ratios_are_ordered_from_nothing_to_what_has_no_opponent() -> None:
    """Each is equal to those of its kind and less than those of the next."""
    rising = [NOTHING, HALF, TWO, INFINITE]
    for at, lefts in enumerate(rising):
        for to, rights in enumerate(rising):
            for left in lefts:
                for right in rights:
                    is_ = [
                        intrinsics.compare_ratios(op, left, right)
                        for op in ("==", "!=", "<", "<=", ">", ">=")
                    ]
                    assert is_ == [at == to, at != to, at < to, at <= to, at > to, at >= to], (
                        left,
                        right,
                    )


SET = """
kind Chit = storm | spy | calm
pool cup of Chit seen by none
pool table of Chit
state n: -2..5 seen by red
state open: 0..9
setup
  each c in Chit
    put c in cup
phase main
  pick n2 from 1 .. 2 by red "on"
  finish none, drawn
"""


def test_what_is_set_by_hand_lies_in_one_place_and_within_its_bounds(tmp_path: Path) -> None:
    """A thing in public view is known to all. After it is put away again it is not."""
    state = rulekit.load(write_game(tmp_path, SET)).new(seed=1)
    chits = next(at for at, kind in enumerate(state.table.program.kinds) if kind.name == "Chit")

    def known() -> list[bool]:
        return [Observer(state, None).knows_thing(chits, member) for member in range(3)]

    assert known() == [False] * 3
    state.set("table", ["spy"])
    assert (state.get("table"), state.get("cup"), known()) == (
        ["spy"],
        ["storm", "calm"],
        [False, True, False],
    )
    state.set("cup", ["storm", "spy", "calm"])
    assert (state.get("table"), known()) == ([], [False] * 3)
    for value in (-2, 5):
        state.set("n", value)
        assert state.get("n") == value
    for value in (-3, 6):
        with pytest.raises(rulekit.RulekitError, match="lies between -2 and 5"):
            state.set("n", value)
    assert state.get("n") == 5


@pytest.mark.parametrize(("value", "fine"), [("camp", True), ("none", False), ("nowhere", False)])
def test_what_is_never_none_is_not_set_to_none(tmp_path: Path, value: str, fine: bool) -> None:
    state = rulekit.load(
        write_game(
            tmp_path,
            "kind Spot = camp | ford\nstate spot: Spot = ford\nstate other: Spot?\n"
            "phase main\n  pick n from 1 .. 2 by red\n  finish none, drawn\n",
        )
    ).new(seed=1)
    if fine:
        state.set("spot", value)
        assert state.get("spot") == value
    else:
        with pytest.raises(rulekit.RulekitError):
            state.set("spot", value)
        assert state.get("spot") == "ford"
    state.set("other", "camp")
    state.set("other", "none")
    assert state.get("other") is None and not state.choices


@pytest.mark.parametrize(
    ("arg", "beyond"),
    [
        ((1, 2), ""),
        ((1, 3), "1 : 3"),
        ((3, 1), ""),
        ((6, 2), ""),
        ((4, 1), "4 : 1"),
        ((2, 4), ""),
        ((1, 1), ""),
    ],
)
def test_odds_beyond_the_ends_of_a_table_are_told_as_such(
    arg: tuple[int, int], beyond: str
) -> None:
    """The table covers 1 to 2 up to 3 to 1, including the ends."""
    table = SimpleNamespace(ratios=[(1, 2), (1, 1), (3, 1)])
    assert _beyond(table, (0, 0, False), arg) == beyond  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arg", "clamp", "beyond"),
    [(2, True, ""), (4, True, ""), (1, True, "1"), (5, True, "5"), (5, False, "")],
)
def test_a_number_beyond_the_ends_of_a_table_that_clamps_is_told_as_such(
    arg: int, clamp: bool, beyond: str
) -> None:
    assert _beyond(SimpleNamespace(), (2, 3, clamp), arg) == beyond  # type: ignore[arg-type]


def test_the_options_that_are_kept_in_words_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game may have millions of options, and a server that plays it for long does not store all
    of them."""
    monkeypatch.setattr(decision, "MAX_KEPT_OPTIONS", 5)
    book = (
        rulekit.load(Path(__file__).resolve().parents[3] / "examples" / "tic_tac_toe")
        .new(seed=1)
        .table.book
    )
    keys = [book.option(id).key for id in range(1, 10)]
    assert len(book._made) <= 5 and [book.option(id).key for id in range(1, 10)] == keys
