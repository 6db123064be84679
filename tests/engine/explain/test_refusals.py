"""A refusal names the rule and the failed condition, for a walk, a group, a pick and an action, in
one line or step by step."""

from __future__ import annotations

import random
import re

import pytest

from rulekit.common.errors import IllegalChoice
from rulekit.engine.game.state import State
from rulekit.engine.notation import move_parser
from tests.games.plays import game_of


def passed(state: State) -> State:
    while state.decision is not None and state.decision.kind == "window":
        state.apply("pass")
    return state


@pytest.fixture
def marching() -> State:
    """A game in which Sparta has activated N with six units, and nobody has a card to play."""
    state = passed(game_of("sphacteria", "en").new(seed=3))
    state.apply("pick 3")
    passed(state).apply("activate N")
    return passed(state)


@pytest.fixture
def landing() -> State:
    """A game with reinforcements at Thasos."""
    state = game_of("amphipolis", "en").new("cleon", 7)
    return passed(state)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            "move H1 H2 H3 H5 H6 to K",
            (
                r"the move cannot end at K North country: Too many units in one zone \[3.2\];"
                r" Stacking limit = 4 \[3.2\]"
            ),
        ),
        ("move H1 to Q", "Q Sphacteria, north end is not next to N Spartan camp"),
        (
            "move H1 to M to H",
            (
                r"No ships of your own there to carry them \[3.3\]; The ships there have carried"
                r" all they can \[3.3\]"
            ),
        ),
        ("move H1 to K to L to M to V", "'to V' is refused: costs 1 MP, 0 MP left"),
        (
            "move H1 to M to V to U to T",
            "T Sphacteria, south end is not next to U Southern headland|costs 1 MP, 0 MP left",
        ),
        ("move brasidas to K", r"They have nowhere to go together; A leader needs company \[3.1\]"),
        ("move A1 to K", r"it is not possible here \(owner: Athens\)"),
        ("move H1 to K to L to K", "the move has already passed K North country"),
        ("move H1 to Z", "'to Z' is not offered here"),
        ("H1 to Q", "Q Sphacteria, north end is not next to N Spartan camp"),
        ("A1 to K", "is not offered here"),
    ],
)
def test_a_line_is_refused_whole_with_its_cause_and_nothing_changes(
    marching: State, line: str, why: str
) -> None:
    before = marching.clone()
    with pytest.raises(IllegalChoice, match=why):
        move_parser.choose(marching, line)
    assert marching == before and marching.choices == before.choices
    assert any(re.search(why, told) for told in move_parser.why(marching, line))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("sail_in H3 F1 H1 to M1 to T12", "T12 Amphipolis is not next to M1 Port of Eion"),
        ("operate_in H1 to O2", r"\(type: Hoplites\)"),
        ("march F1 to M1 to T21", "T21 Kerdylion is not next to M1"),
        ("march F1 to M1 to M2", "the move has already passed M2 Strymonic Gulf"),
        ("march_in T12", r"Nobody there may go on by himself. \[2.B.2, 3.1\]"),
    ],
)
def test_of_a_thing_that_may_not_be_picked_it_is_said_what_does_not_fit(
    landing: State, line: str, why: str
) -> None:
    with pytest.raises(IllegalChoice, match=why):
        move_parser.choose(landing, line)


def test_an_action_of_another_moment_is_said_to_be_one(marching: State) -> None:
    assert move_parser.why(marching, "attack")[0].startswith(
        "'attack' cannot be chosen now: Sparta is asked: Move pieces out of N"
    )


def test_a_walk_that_has_not_begun_cannot_end(marching: State) -> None:
    move_parser.choose(marching, "move H1")
    (
        move_parser.choose(marching, "H1 done")
        if marching.decision and marching.decision.kind == "group"
        else None
    )
    assert marching.why("stop") == ["'stop' is refused: nobody has moved yet"]


def test_the_members_of_a_group_may_be_named_one_by_one_in_any_order(marching: State) -> None:
    """The picked ones are picked again in the order of the data, which is the recorded order."""
    marching.apply("move")
    for word in ("H7", "H2", "H5"):
        move_parser.choose(marching, word)
    assert [o.key for o in marching.choices[-3:]] == [
        "add sparta.H2",
        "add sparta.H5",
        "add sparta.H7",
    ]
    move_parser.choose(marching, "done")
    assert marching.decision is not None and marching.decision.kind == "walk"


def activated(armed: bool) -> State:
    """Return a game in which Sparta has activated N. With `armed`, Athens holds the card for
    windows on the way (archers)."""
    game = game_of("sphacteria", "en")
    for seed in range(40):
        state = game.new(seed=seed)
        while state.decision is not None and state.decision.kind != "pick":
            state.apply("pass")
        if (
            state.decision is not None
            and state.decision.player == "sparta"
            and ("C5" in state.get("hand.athens")) == armed
        ):
            state.apply(state.decision.options[-1])
            passed(state).apply("activate N")
            return passed(state)
    raise AssertionError("no such game")


def test_a_line_waits_where_another_has_a_choice_and_goes_on_when_he_has_passed() -> None:
    state = activated(True)
    rest = move_parser.choose(state, "move H1 to K to L")
    assert rest == "to L stop" and state.get("zone.sparta.H1") == "K"
    assert (
        state.decision is not None
        and state.decision.player == "athens"
        and len(state.decision.options) > 1
    )
    state.apply("pass")
    assert move_parser.choose(state, rest) == "stop"
    state.apply("pass")
    assert move_parser.choose(state, "stop") == ""
    assert state.get("zone.sparta.H1") == "L" and state.choices[-1].key == "stop"


def test_a_whole_move_goes_through_windows_where_another_can_only_pass_to_its_last_place() -> None:
    state = activated(False)
    assert move_parser.choose(state, "move H2 H1 to K to L") == ""
    assert [o.key for o in state.choices if o.key != "pass"][-6:] == [
        "add sparta.H1",
        "add sparta.H2",
        "go",
        "to K",
        "to L",
        "stop",
    ]


def test_it_does_not_where_that_would_tell_what_another_holds() -> None:
    """Without `through`, the line waits at every window of another player, whether they have a
    choice or not."""
    rests = {
        move_parser.choose(activated(armed), "move H1 to K to L", through=False)
        for armed in (True, False)
    }
    assert rests == {"to L stop"}


def test_a_reroll_says_of_what_with_what_chance() -> None:
    """The text has the thing, its place, the modifier and the goal, not only the purpose."""
    told, game = set[str](), game_of("amphipolis", "en")
    for seed in range(6):
        state, rng = game.new("cleon", seed), random.Random(seed)
        while (asked := state.decision) is not None:
            if asked.kind == "window" and any(o.key == "cast_again" for o in asked.options):
                told.add(asked.prompt)
            state.apply_action(rng.choice(state.legal_actions()))
    assert any("attrition in T" in line and "modifier +" in line for line in told)
    assert any(
        re.search(r"(?:blockade|diplomacy).* against .*, at least -?\d+ wins", line)
        for line in told
    )
    assert all(("at most" in line) == ("assault" in line) for line in told if " wins" in line)
    assert not any(
        line.count("(") and line.split("(")[1].startswith(("attrition)", "siege)", "combat)"))
        for line in told
    )
