"""Tallies have the same sum in any grouping and order, and a recorded game is the game that would
have been played."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulekit
from rulekit.cli.main import main
from rulekit.engine.kernel.scoring import measures
from rulekit.engine.simulation import ranges as simulate
from rulekit.engine.simulation.coverage import card_kinds
from rulekit.engine.simulation.ranges import make_order, play, range_player
from rulekit.engine.simulation.results import scores_at
from rulekit.engine.simulation.tally import MAX_KEPT_FAULTS, Tally
from rulekit.runtime.intrinsics import CHOICES, branch

ROOT = Path(__file__).resolve().parents[3]
RACE = ROOT / "tests" / "fixtures" / "race"
GAMES = 24


@cache
def race() -> rulekit.Game:
    return rulekit.load(RACE)


@cache
def ranges() -> tuple[tuple[Tally, ...], Tally]:
    """Return the tally of each game separately, and of all together."""
    player = range_player(race(), make_order(race(), GAMES, 5, "long", None, {}, 3))
    return tuple(player(i, i + 1) for i in range(GAMES)), player(0, GAMES)


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(GAMES)), st.sets(st.integers(1, GAMES - 1)))
def test_tallies_add_up_in_any_order_and_in_any_parts(order: list[int], cuts: set[int]) -> None:
    alone, whole = ranges()
    total = Tally()
    for begin, end in zip([0, *sorted(cuts)], [*sorted(cuts), GAMES], strict=True):
        part = Tally()
        for number in order[begin:end]:
            part.add(alone[number])
        total.add(Tally.from_json(json.loads(json.dumps(part.to_json()))))
    assert json.dumps(total.to_json()) == json.dumps(whole.to_json())
    assert total == whole


def test_the_first_failures_are_told_whoever_was_first() -> None:
    numbers = list(range(3 * MAX_KEPT_FAULTS))
    random.Random(1).shuffle(numbers)
    parts = [Tally(), Tally()]
    for number in numbers:
        parts[number % 2].broke(number, f"seed {number}: so")
    parts[1].add(parts[0])
    assert parts[1].failed == len(numbers) and parts[1].failures == [
        f"seed {n}: so" for n in range(MAX_KEPT_FAULTS)
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"games": -1},
        {"games": "x"},
        {"games": 1.5},
        {"games": True},
        {"lengths": [["x", 1]]},
        {"results": [[1, "x", 1]]},
        {"seen": {}},
        {"scores": 1},
        {"results": [[]]},
        {"faults": []},
    ],
)
def test_what_is_no_tally_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(rulekit.RulekitError, match="not a tally"):
        Tally.from_json(Tally().to_json() | change)


@pytest.mark.parametrize("seats", [{}, {"red": "greedy"}], ids=["random", "greedy"])
def test_a_game_that_is_watched_is_the_same_game(seats: dict[str, str]) -> None:
    """Recording any games changes neither choices nor results."""
    games = 3 if seats else 40
    plain, _ = play(race(), make_order(race(), games, 2, None, None, seats))
    for coverage, full in ((1, False), (2, False), (0, True)):
        other, _ = play(race(), make_order(race(), games, 2, None, None, seats, coverage, full))
        assert other.watched == (-(-games // coverage) if coverage else 0)
        assert (other.results, other.lengths, other.scores, other.final) == (
            plain.results,
            plain.lengths,
            plain.scores,
            plain.final,
        )


def test_scores_are_those_at_the_ends_of_turns() -> None:
    """They are compared with the same games played choice by choice."""
    game = race()
    known = measures(game.program("long"))
    assert (known.name, known.turns) == ("lead_of", True)
    tally, _ = play(game, make_order(game, 10, 1, "long", None, {}))
    wanted: dict[tuple[int, str], list[int]] = {}
    for seed in range(1, 11):
        state = game.new("long", seed)
        agent = rulekit.make_agent("random", state, branch(seed, CHOICES))
        while not state.is_terminal():
            turn = state.get("turn")
            state.apply_action(agent.choose(state))
            if state.get("turn") != turn:
                for side in game.sides:
                    wanted.setdefault((turn, side), []).append(state.value_of("lead_of", side))
    assert sorted(wanted) == [(turn, side) for turn in range(1, 6) for side in ("blue", "red")]
    for (turn, side), values in wanted.items():
        assert sorted(scores_at(tally, turn, side).elements()) == sorted(values)
        if turn == 5:
            assert sorted(
                n
                for (who, score), count in tally.final.items()
                for n in [score] * count
                if who == side
            ) == sorted(values)
    assert tally.turns == {5: 10}


def test_a_game_without_turns_and_scores_has_none() -> None:
    report = rulekit.simulate(rulekit.load(ROOT / "examples" / "tic_tac_toe"), 5)
    assert (report["score"], report["turns"]) == (None, {})


def test_what_occurs_is_counted_by_game_as_well() -> None:
    report = rulekit.simulate(race(), 40, coverage=True)
    found = report["coverage"]["options"]
    assert report["watched"] == {"games": 40, "every": 1}
    assert sum(found["seen"].values()) == report["decisions"]
    assert all(0 < found["games"][name] <= min(40, n) for name, n in found["seen"].items())
    assert report["coverage"]["clauses"]["never"] == ["lead_of.taxed"]
    assert report["coverage"]["events"]["games"]["turned"] == 40
    with_tax = rulekit.simulate(race(), 40, rulings={"lead": "tax"}, coverage=2)
    assert (
        with_tax["watched"] == {"games": 20, "every": 2}
        and with_tax["coverage"]["clauses"]["never"] == []
    )


LIBRARY = """library shared 1
kind Side decides = red | blue
state points(s: Side): 0..9
event took(s: Side)
  points(s) += 1
total gain(s: Side): 0..9
  base 1
  modifier level 0
  modifier often +1 when points(s) > 8
phase rest_of_day
  choose by red
    option wait
      points(red) := 1
"""
OWN = """game small 1
modifier gain.own +1 when points(s) > 0
event paid(s: Side)
  points(s) += gain(s)
phase day
  choose by red
    option rest
      paid(red)
phase main
  points(red) := 1
  day
  finish red, win
"""


def test_a_modifier_of_0_does_not_occur_phases_do_and_libraries_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, kind, rules in (("shared", "library", LIBRARY), ("small", "game", OWN)):
        (tmp_path / name).mkdir()
        uses = "uses: [shared]\n" if kind == "game" else ""
        (tmp_path / name / "game.yaml").write_text(
            f'rulekit: {kind}\nname: {name}\ntitle: T\nversion: "1"\nlanguage: 1\n{uses}'
        )
        (tmp_path / name / "game.rules").write_text(rules)
    found = rulekit.simulate(rulekit.load(tmp_path / "small"), 1, coverage=True)["coverage"]
    assert found["clauses"]["never"] == ["gain.level", "gain.often"] and found["clauses"][
        "seen"
    ] == {"gain.base": 1, "gain.own": 1}
    assert found["clauses"]["libraries"] == {
        f"gain.{name}": "shared" for name in ("base", "level", "often")
    }
    assert found["phases"] == {
        "libraries": {"rest_of_day": "shared"},
        "seen": {"day": 1, "main": 1},
        "games": {"day": 1, "main": 1},
        "never": ["rest_of_day"],
    }
    assert found["events"]["libraries"] == {"took": "shared"} and found["options"]["libraries"] == {
        "wait": "shared"
    }
    assert (
        main(["simulate", str(tmp_path / "small"), "--games", "1", "--coverage", "--jobs", "1"])
        == 0
    )
    told = capsys.readouterr().out
    assert "library shared: never: gain.level, gain.often" in told and "  never: " not in told


@pytest.mark.parametrize(
    ("folder", "cards"), [("examples/tic_tac_toe", []), ("tests/fixtures/race", ["Card"])]
)
def test_cards_are_what_events_reveal(folder: str, cards: list[str]) -> None:
    """Other arguments of events are not, such as the cells of a board."""
    assert [kind.name for kind in card_kinds(rulekit.load(ROOT / folder).program())] == cards


SCORES = (
    "game small 1\nkind Side decides = red | blue\ntotal vp(s: Side): int\n  base 1\ntotal"
    " points(s: Side): int\n  base 2\ntotal worth(s: Side): int\n  base 3\nphase main\n  choose by"
    " red\n    option rest\n      finish red, win\n"
)


@pytest.mark.parametrize(
    ("manifest", "drawing", "name", "score"),
    [
        ("", "", "vp", 1),
        ("victory_total: points\n", "", "points", 2),
        ("", "seat: {score: worth}\n", "worth", 3),
        ("victory_total: points\n", "seat: {score: worth}\n", "worth", 3),
    ],
)
def test_the_score_is_what_the_drawing_shows_else_the_victory_total(
    tmp_path: Path, manifest: str, drawing: str, name: str, score: int
) -> None:
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: small\ntitle: Small\nversion: '1'\nlanguage: 1\n" + manifest
    )
    (tmp_path / "game.rules").write_text(SCORES)
    if drawing:
        (tmp_path / "drawing.yaml").write_text("source: {assumed: a test}\n" + drawing)
    game = rulekit.load(tmp_path)
    assert measures(game.program()).name == name
    tally, _ = play(game, make_order(game, 1, 1, None, None, {}))
    assert tally.final == {("red", score): 1, ("blue", score): 1}


@pytest.mark.parametrize("full", [False, True], ids=["fast", "full"])
def test_a_game_may_have_as_many_choices_as_the_limit_and_no_more(
    monkeypatch: pytest.MonkeyPatch, full: bool
) -> None:
    """With one more choice it counts as endless."""
    order = make_order(race(), 1, 5, None, None, {}, full=full)
    (length,) = play(race(), order)[0].lengths
    monkeypatch.setattr(simulate, "GAME_LIMIT", length)
    assert not play(race(), order)[0].faults
    monkeypatch.setattr(simulate, "GAME_LIMIT", length - 1)
    (why,) = play(race(), order)[0].faults.values()
    assert f"the game has not ended after {length - 1} choices" in why
