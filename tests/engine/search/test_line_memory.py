"""Variations of own choices that a search stores: the ones it tries, the best one, and the result
of a long turn."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.engine.search.line_memory import LineMemory, RememberedLine
from rulekit.engine.search.mcts import Tree, TreeBranch
from rulekit.engine.search.search_agent import SearchAgent
from rulekit.runtime.search_constants import LINE, TRIED, TRYING, TURNS
from tests.small_games import MANIFEST, write_game

ALL = [(0, (1 << 10) - 2)]  # options 1 to 9
HALF, WHOLE = 1 << 63, (1 << 64) - 1  # chances of a half and of the whole


def visits(
    lines: LineMemory, begin: int, count: int, own: list[int], value: float, bits: int = 0
) -> list[list[int]]:
    """Run iterations in which a player makes these choices, unless a stored variation says
    otherwise. Return the followed choices of each."""
    followed = []
    for visit in range(begin, begin + count):
        lines.begin(visit, bits)
        wanted = []
        for option in own:
            said = lines.next(ALL)
            wanted += [said] if said else []
            lines.made(said or option)
        lines.end(visit, value)
        followed.append(wanted)
    return followed


def cycle(
    lines: LineMemory, own: list[int], value: float, tried: float, at: int = 0
) -> list[list[int]]:
    """Run two turns of free choices, then one that tries the best of them."""
    first = at * TRIED * TURNS
    assert visits(lines, first, TRIED * TRYING, own, value) == [[]] * TRIED * TRYING
    return visits(lines, first + TRIED * TRYING, TRIED, [9] * len(own), tried)


def test_the_best_line_that_was_found_is_tried_and_is_the_best_of_all() -> None:
    """It is neither the last one nor an equal one that came later."""
    lines = LineMemory()
    for visit, (own, value) in enumerate(
        [([1, 1], 0.1), ([2, 3], 0.4), ([4, 4], 0.4), ([5, 5], -0.2)]
    ):
        visits(lines, visit, 1, own, value)
    assert visits(lines, TRIED * TRYING, TRIED, [9, 9, 9], 0.2) == [[2, 3]] * TRIED
    assert lines.best == [2, 3]


@pytest.mark.parametrize(("value", "best"), [(0.3, [1, 2]), (0.2, [1, 2]), (0.21, [3, 4])])
def test_another_becomes_the_best_if_it_does_better_when_it_is_tried(
    value: float, best: list[int]
) -> None:
    """Its value when it was found does not count, because that may have been luck with the dice."""
    lines = LineMemory()
    cycle(lines, [1, 2], 0.3, 0.2)
    assert lines.best == [1, 2]
    cycle(lines, [3, 4], 0.9, value if value != 0.3 else 0.1, at=1)
    assert lines.best == best


def test_the_best_is_played_again_the_more_often_the_more_it_has_outlived() -> None:
    """So its mean falls to its true value. Until then a competitor with a worse result by luck is
    dropped."""
    lines = LineMemory()
    cycle(lines, [1, 2], 0.9, 0.9)
    again = []
    for at in range(1, 40):
        again.append(cycle(lines, [3, 4], 0.1, 0.1, at)[0] == [1, 2])
    assert lines.kept == RememberedLine(
        (1, 2), 12 + 12 * sum(again), pytest.approx((0.9 + 0.1 * sum(again)) / (1 + sum(again)))
    )
    assert [at for at, each in enumerate(again, 1) if each] == [2, 6, 12, 20, 30]


def test_another_line_is_tried_as_often_as_the_best_before_it_takes_its_place() -> None:
    lines = LineMemory()
    cycle(lines, [1, 2], 0.2, 0.2)
    for at in (1, 2):
        cycle(lines, [3, 4], 0.1, 0.1, at)
    assert lines.kept == RememberedLine((1, 2), 24, pytest.approx(0.15))
    assert cycle(lines, [5, 6], 0.3, 0.16, 3) == [[5, 6]] * TRIED and lines.best == [
        1,
        2,
    ], "twelve times: not yet"
    assert cycle(lines, [7, 8], 0.1, 0.16, 4) == [[5, 6]] * TRIED
    assert lines.kept == RememberedLine((5, 6), 24, pytest.approx(0.16))


def test_a_line_that_falls_behind_while_it_is_tried_is_given_up() -> None:
    lines = LineMemory()
    cycle(lines, [1, 2], 0.2, 0.2)
    for at in (1, 2):
        cycle(lines, [3, 4], 0.1, 0.2, at)
    assert lines.kept == RememberedLine((1, 2), 24, pytest.approx(0.2))
    assert cycle(lines, [5, 6], 0.3, 0.21, 3)[0] == [5, 6]
    cycle(lines, [7, 8], 0.1, 0.1, 4)
    assert lines.best == [1, 2]
    assert cycle(lines, [9, 9], 0.1, 0.3, 5)[0] != [5, 6]


def test_in_the_last_turn_a_part_of_the_best_is_followed_as_chance_says() -> None:
    lines = LineMemory()
    cycle(lines, [1, 2, 3], 0.5, 0.5)
    first = TRIED * (TRYING + 1)
    assert [visits(lines, first, 1, [9] * 5, 0.0, bits)[0] for bits in (0, HALF, WHOLE)] == [
        [],
        [1, 2],
        [1, 2, 3],
    ]


def test_what_is_not_offered_is_waited_for() -> None:
    """Others choose in between, and dice lead to other questions. The variation continues where it
    can."""
    lines = LineMemory()
    cycle(lines, [1, 2], 0.5, 0.5)
    lines.begin(TRIED * (TRYING + 1), WHOLE)
    assert [lines.next(layers) for layers in ([(0, 1 << 7)], ALL, [(0, 1 << 3)], ALL, ALL)] == [
        0,
        1,
        0,
        2,
        0,
    ]


def test_a_line_is_shorter_by_the_choice_that_was_made_and_gone_with_another() -> None:
    lines = LineMemory()
    cycle(lines, [1, 2, 3], 0.5, 0.5)
    lines.advance_root(1)
    assert lines.best == [2, 3]
    lines.advance_root(7)
    assert lines.best == []
    cycle(lines, [4, 5], -0.9, -0.9, at=1)
    assert lines.best == [4, 5], "anything is better than none"


def test_a_line_has_so_many_choices_at_most() -> None:
    lines = LineMemory()
    cycle(lines, [3] * (LINE + 5), 0.5, 0.5)
    assert lines.best == [3] * LINE


TURN = """
kind Way = north | east | south | west | up
state gold(s: Side): -99..99
total vp(s: Side): int
  base gold(s)
phase main
  repeat 3 times
    turn(red)
    turn(blue)
  finish none, drawn
phase turn(s: Side)
  choose by s "on"
    option rest
    option march
      repeat 6 times
        pick way from Way by s "which way"
        gold(s) += 2 when way is south
        gold(s) -= 2 when way is not south
"""


def test_a_turn_of_many_choices_is_found_as_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of five options is right, six times. Random play loses, so the tree alone would rest."""
    write_game(tmp_path, TURN)
    (tmp_path / "game.yaml").write_text(MANIFEST + "search: {stretch: turn, scale: 8}\n")
    game = rulekit.load(tmp_path)

    def chosen() -> set[str]:
        found = set()
        for seed in range(3):
            state = game.new(seed=1)
            tree = Tree(game.program(), seed)
            tree.set_root_states([state.slots])
            tree.iterate(1200)
            best = max(tree.branches(), key=lambda branch: branch.visits).option
            found.add(state.table.book.option(best).key)
        return found

    assert chosen() == {"march"}
    monkeypatch.setattr(LineMemory, "next", lambda self, layers: 0)
    assert chosen() == {"rest"}


class Grown:
    """A tree of two choices, the first of which has the most iterations."""

    def __init__(self, kept: RememberedLine | None) -> None:
        self._kept = kept

    def branches(self, at: int = 0) -> list[TreeBranch]:
        return {
            0: [
                TreeBranch(1, 0, 60, 0.1, 0.0, 1),
                TreeBranch(2, 0, 40, -0.1, 0.0, 2),
                TreeBranch(3, 1, 99, 0.0, 0.0, 3),
            ],
            1: [TreeBranch(8, 1, 30, 0.1, 0.0, 4), TreeBranch(7, 0, 20, 0.1, 0.0, 5)],
            4: [TreeBranch(4, 0, TRIED, 0.1, 0.0, 6)],
            6: [TreeBranch(5, 0, TRIED - 1, 0.1, 0.0, 7)],
        }.get(at, [])

    def kept(self) -> RememberedLine | None:
        return self._kept


@pytest.mark.parametrize(
    ("kept", "order"),
    [
        (None, [1, 2]),
        (RememberedLine((2, 5), 400, 0.12), [2, 1]),
        (RememberedLine((2, 5), 400, 0.11), [1, 2]),
        (RememberedLine((2, 5), 100, 0.12), [1, 2]),
        (RememberedLine((1, 5), 400, 0.5), [1, 2]),
        (RememberedLine((3, 5), 400, 0.9), [1, 2]),
    ],
)
def test_the_best_line_is_taken_where_it_is_worth_more_than_what_was_visited_most(
    kept: RememberedLine | None, order: list[int]
) -> None:
    """The difference must exceed chance: a hundredth of 400 iterations, or two of 100."""
    found, line = SearchAgent.branches(Grown(kept), 0, {1, 2}, tuple)
    assert [b.option for b in found] == order
    assert line == (kept.line if kept and kept.line[0] == order[0] and kept.value > 0.11 else ())


@pytest.mark.parametrize(("short", "order"), [((2, 7), [2, 1]), ((9, 7), [1, 2]), ((3, 7), [1, 2])])
def test_the_detour_at_the_beginning_of_a_line_is_left_out(
    short: tuple[int, ...], order: list[int]
) -> None:
    """This requires that the rest was tried and is the player's own."""
    lines = []
    found, line = SearchAgent.branches(
        Grown(None), 0, {1, 2}, lambda line: lines.append(line) or short
    )
    assert [b.option for b in found] == order and line == ()
    assert lines == [(1, 4)], "that of the most visited choice, as far as enough visits tell"
