"""Seats and simulation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulekit
from rulekit.common.intervals import summary, wilson
from rulekit.engine.kernel.names import Names
from rulekit.engine.search.agent_registry import seat_text
from rulekit.engine.search.greedy_agent import GreedyAgent, _Line
from tests.small_games import write_game

ROOT = Path(__file__).resolve().parents[3]
SMALL = ROOT / "examples" / "connect_four"


def test_wilson_lies_around_the_share() -> None:
    low, high = wilson(50, 100)
    assert low < 0.5 < high
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert wilson(0, 10)[0] == 0.0
    assert wilson(10, 10)[1] == pytest.approx(1.0)


def test_wilson_is_that_of_a_library_of_statistics() -> None:
    stats = pytest.importorskip("scipy.stats")
    for hits, trials in ((0, 1), (1, 1), (3, 7), (0, 400), (399, 400), (41_234, 100_000)):
        assert wilson(hits, trials) == pytest.approx(
            tuple(stats.binomtest(hits, trials).proportion_ci(method="wilson")), abs=1e-12
        )


@given(st.lists(st.integers(-50, 50), min_size=1))
def test_a_summary_of_counts_is_that_of_the_numbers(numbers: list[int]) -> None:
    ordered, last = sorted(numbers), len(numbers) - 1
    assert summary(Counter(numbers)) == {
        "min": ordered[0],
        "q1": ordered[last // 4],
        "median": ordered[last // 2],
        "q3": ordered[last * 3 // 4],
        "max": ordered[-1],
        "mean": round(sum(numbers) / len(numbers), 2),
    }
    assert summary({}) == {}


def test_fast_and_full_simulations_play_to_the_end() -> None:
    game = rulekit.load(SMALL)
    fast = rulekit.simulate(game, 30, seed=1)
    full = rulekit.simulate(game, 30, seed=1, coverage=True)
    assert fast["games"] == full["games"] == 30
    assert not fast["failures"] and not full["failures"]
    assert full["events"] == full["decisions"] + 30 or full["events"] >= full["decisions"]
    assert sum(s["count"] for s in fast["results"]["winners"].values()) == 30
    assert full["coverage"]["events"]["never"] == []
    assert rulekit.simulate(game, 30, seed=1)["results"] == fast["results"]


def test_a_person_cannot_sit_in_a_simulation() -> None:
    game = rulekit.load(SMALL)
    with pytest.raises(rulekit.RulekitError, match="person"):
        rulekit.simulate(game, 1, seats={game.sides[0]: "human"})


GREEDY = """\
game steps 1

kind Side decides = a(b) | b(a)
  fixed enemy: Side
kind Way = left | right
state gold(s: Side): 0..99
state luck(s: Side): 0..99
state way: Way?

total vp(s: Side): 0..99
  base gold(s)
total worth(s: Side): 0..99
  base luck(s)

event chosen(w: Way)
  way := w
event paid(s: Side, n: 0..9)
  gold(s) += n
event lucky(s: Side)
  luck(s) += 1

phase main
  choose by a "left or right"
    option turn(w: Way)
      chosen(w)
  choose by a "take"
    option take(n: 1..3)
      when way = right  "only to the right"
      paid(a, n)
    option nothing
      when way = left "only to the left"
      lucky(a)
  choose by b "end"
    option end
  finish none, drawn
"""


def steps(folder: Path, manifest: str = "") -> rulekit.State:
    """Return a game in which only the second choice has value."""
    (folder / "game.yaml").write_text(
        f"rulekit: game\nname: steps\ntitle: Steps\nversion: '1'\nlanguage: 1\n{manifest}",
        encoding="utf-8",
    )
    (folder / "game.rules").write_text(GREEDY, encoding="utf-8")
    return rulekit.load(folder).new(seed=1)


@pytest.mark.docs("data-files#the-manifest")
@pytest.mark.parametrize(
    ("manifest", "way"),
    [("", "right"), ("greedy: worth\n", "left"), ("victory_total: worth\n", "left")],
)
def test_a_greedy_seat_sees_what_its_next_choice_is_worth(
    tmp_path: Path, manifest: str, way: str
) -> None:
    state = steps(tmp_path, manifest)
    for seed in range(8):
        option = state.table.book.option(rulekit.make_agent("greedy", state, seed).choose(state))
        assert option.key == f"turn {way}"


@pytest.mark.skipif(not (ROOT / "games" / "sphacteria").is_dir(), reason="the games are not here")
def test_a_greedy_seat_chooses_alike_with_the_same_seed() -> None:
    """Two games with the same seed begin with the same choices. Games with different seeds do
    not."""
    game, chosen = rulekit.load(ROOT / "games" / "sphacteria"), list[list[int]]()
    for seed in (5, 5, 6):
        state = game.new(seed=seed)
        agents, actions = [GreedyAgent(seed, "prospect") for _ in game.sides], list[int]()
        while len(actions) < 40:
            actions.append(agents[state.current_player()].choose(state))
            state.apply_action(actions[-1])
        chosen.append(actions)
        assert [agent.failed for agent in agents] == [0, 0]
    assert chosen[0] == chosen[1] != chosen[2]


@pytest.mark.docs("data-files#the-manifest")
def test_a_greedy_seat_needs_a_total() -> None:
    state = rulekit.load(SMALL).new(seed=1)
    with pytest.raises(rulekit.RulekitError, match="victory_total"):
        rulekit.make_agent("greedy", state)
    with pytest.raises(rulekit.RulekitError, match="no seat"):
        rulekit.make_agent("clever", state)
    with pytest.raises(
        rulekit.RulekitError,
        match=r"no seat .human.; there are random, search:easy, search, search:hard$",
    ):
        rulekit.make_agent("human", state)


LOCK = """
kind Dial = d1 | d2 | d3
state turned: 0..9
total lead_of(s: Side): int
  base turned when s = red
phase main
  repeat 6 times
    choose by red "turn"
      option turn(d: Dial)
        turned += 1 when d = d2
  finish red, win
"""


def test_a_greedy_seat_keeps_the_rest_of_its_best_line(tmp_path: Path) -> None:
    """It tries the rest of its best variation first in the next search, up to the number of
    remaining choices."""
    state = rulekit.load(write_game(tmp_path, LOCK)).new(seed=1)
    agent = GreedyAgent(1, "lead_of")
    state.apply_action(agent.choose(state))
    assert len(agent._plan) == 5 and agent._plan[0] in state.legal_actions()


@pytest.mark.parametrize(
    ("seat", "english", "french"),
    [
        ("human", "human", "humain"),
        ("greedy", "greedy", "glouton"),
        ("search", "search (0.5 s for a choice)", "recherche (0.5 s par choix)"),
        (
            "search:easy",
            "search, easy (100 visits for a choice)",
            "recherche facile (100 visites par choix)",
        ),
        ("search:3s", "search (3 s for a choice)", "recherche (3 s par choix)"),
        ("search:200", "search (200 visits for a choice)", "recherche (200 visites par choix)"),
    ],
)
def test_a_seat_is_told_with_how_long_it_thinks(seat: str, english: str, french: str) -> None:
    game = rulekit.load("examples/connect_four")
    for lang, told in (("en", english), ("fr", french)):
        assert seat_text(Names(game.program(), lang), seat) == told


class Told:
    """Stands for the playouts, with given results for each variation."""

    state, me, price = None, 0, 0.0

    def __init__(self, leads: dict[tuple[int, ...], list[float]]) -> None:
        self.leads, self.made = {line: iter(found) for line, found in leads.items()}, 0

    def start(self, _seed: int) -> list[int]:
        return []

    def play_on(self, _start: object, option: int, _seed: int, line: Sequence[int] = ()) -> _Line:
        self.made += 1
        return _Line(option, [*line], next(self.leads[option, *line]))


def compared(found: dict[int, list[_Line]], leads: dict[tuple[int, ...], list[float]]) -> _Line:
    agent: Any = GreedyAgent(1, "worth")
    return agent._compared(Told(leads), found)  # type: ignore[no-any-return]


def test_a_greedy_seat_plays_two_options_again_until_one_is_clearly_better() -> None:
    """The first three times the dice favour the worse one."""
    found = {1: [_Line(1, [], 1.0)], 2: [_Line(2, [], 1.0)]}
    assert compared(found, {(1,): [2.0] * 3 + [-5.0] * 900, (2,): [1.0] * 900}).option == 2


def test_a_greedy_seat_plays_two_different_lines_of_an_option_again() -> None:
    """These are the best of the random ones, and the best of those with different choices."""
    found = {
        1: [_Line(1, [5], 9.0), _Line(1, [5], 8.0), _Line(1, [6], 7.0)],
        2: [_Line(2, [], 1.0)],
    }
    best = compared(found, {(1, 5): [0.0] * 900, (1, 6): [10.0] * 900, (2,): [1.0] * 900})
    assert (best.option, best.own) == (1, [6])
