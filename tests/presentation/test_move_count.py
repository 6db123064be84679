"""Numbers of choices and observable moves: they reveal nothing about the other side's hidden
decisions."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from shutil import copytree

import pytest

import rulekit
from rulekit import Seat, State
from rulekit.engine.knowledge.observable_history import ObservableHistory, back_to
from rulekit.engine.knowledge.observation import Observer
from tests.presentation.seat_positions import GAMES, ROOT, game

PLANS = ROOT / "tests" / "fixtures" / "plans"
READY = [
    "call",
    "pick r1",
    "done",
    "call",
    "pick b1",
    "done",
]  # up to the secret choice of both targets
# choices of red; blue cannot distinguish the first from the second. `r2`: strength of a block
# of red that blue does not see
PAIRS = {
    "trained or not": (
        (2, ["call", "done"]),
        (2, ["call", "train r2", "train r1", "train r2", "done"]),
    ),
    "trained before something that is seen, or after it": (
        (2, ["call", "drum", "train r1", "done"]),
        (2, ["call", "train r2", "drum", "done"]),
    ),
    "who leads: there is but one, or it was asked": (
        (2, ["call", "drum", "done"]),
        (3, ["call", "pick r2", "drum", "done"]),
    ),
    "both": (
        (2, ["call", "march r1", "train r2", "done"]),
        (3, ["call", "pick r1", "train r2", "march r1", "done"]),
    ),
}


def plans(r2: int = 2) -> State:
    state = rulekit.load(PLANS).new(seed=1)
    state.set("strength.r2", r2)
    return state


def played(state: State, keys: Sequence[str]) -> State:
    """Return the state after these choices. A leader is not asked for if there is only one."""
    for key in keys:
        if key[:6] not in ("pick r", "pick b") or key in [
            option.key for option in state.decision.options
        ]:  # type: ignore[union-attr]
            state.apply(key)
    return state


def told(seat: Seat) -> str:
    """Return all output of a seat at one time, as bytes."""
    asked, count = seat.decision(), seat.history
    numbers = [
        (number, seat.state.names.sides[count.chooser(number)])
        for number in range(1, count.now + 1)
    ]
    return json.dumps(
        [
            seat.position().to_json(),
            asked.to_json() if asked else None,
            [line.to_json() for line in seat.log()],
            numbers,
            [each.to_json() for key in ("train r1", "done", "pick ford") for each in seat.why(key)],
            [each.to_json() for each in seat.why_not("r1")],
            seat.forecast(["train r1"]).to_json(),
            seat.plan(["done"]).to_json(),
        ]
    )


def heard(
    state: State, keys: Sequence[str], player: str | None, say: Callable[[Seat], str] = told
) -> list[str]:
    """Return the output of a seat during some choices, without repetitions."""
    seat = Seat(state, player)
    said = [say(seat)]
    for key in keys:
        played(state, [key])
        said.append(say(seat))
    return [each for each, _ in groupby(said)]


def differing() -> list[str]:
    """Return the pairs that blue or a spectator can distinguish while red chooses."""
    return [
        name
        for name, ((one, keys), (two, others)) in PAIRS.items()
        for player in ("blue", None)
        if heard(plans(one), keys, player) != heard(plans(two), others, player)
    ]


def test_what_is_chosen_unnoticed_changes_nothing_that_a_seat_says() -> None:
    """Position, questions, log, refusals, forecasts and numbers are the same bytes, equally often
    and in the same order."""
    assert differing() == []
    for (one, keys), (two, others) in PAIRS.values():
        first, second = played(plans(one), keys), played(plans(two), others)
        assert first.decision.player == second.decision.player == "blue"  # type: ignore[union-attr]
        assert Seat(first, "blue").history.now == Seat(second, "blue").history.now


FAULTS: list[tuple[str, object]] = [
    (
        "rulekit.presentation.seat.Seat.history",
        property(lambda self: ObservableHistory(self.state, self.state)),
    ),  # defect: all choices are counted
    (
        "rulekit.engine.knowledge.observable_history.CERTAIN",
        ("choose", "window", "pick"),
    ),  # defect: a question that may not be asked counts
    (
        "rulekit.presentation.seat.Seat.observer",
        property(lambda self: Observer(self.state, self.player)),
    ),  # defect: answers about the present
    (
        "rulekit.engine.knowledge.observable_history.PlayerHistory._differs",
        lambda *_: True,
    ),  # defect: every choice is noticed
]


@pytest.mark.parametrize(("where", "fault"), FAULTS)
def test_what_tells_of_choices_is_noticed(
    where: str, fault: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted faults are detected."""
    monkeypatch.setattr(where, fault)
    assert differing()


def test_what_can_be_seen_counts() -> None:
    """An event, a changed value and a player's own decision count. The other side's questions do
    not."""
    state, blue = plans(), "blue"
    numbers = []
    for key in ("call", "train r1", "drum", "march r2", "train r2", "whistle", "done"):
        count = Seat(played(state, [key]), blue).history
        numbers.append((count.now, count.sees))
    assert numbers == [(1, 1), (1, 1), (2, 3), (3, 4), (3, 4), (4, 6), (5, 7)]
    assert Seat(state, "red").history.now == 7
    assert [line.choice for line in Seat(state, blue).log()] == [1, 1, 2, 3, 4]
    assert [line.choice for line in Seat(state, "red").log()] == [1, 1, 3, 4, 6]


def test_after_ones_own_choice_it_comes_to_the_same_whether_the_other_was_asked(
    tmp_path: Path,
) -> None:
    """Players observe their own choice at once. A following question to the other side belongs to
    the same observable move."""
    copytree(PLANS, tmp_path, dirs_exist_ok=True)
    rules = (PLANS / "game.rules").read_text(encoding="utf-8")
    (tmp_path / "game.rules").write_text(
        rules.replace('choose by s "call them"', 'choose by s.enemy "call them"'), encoding="utf-8"
    )
    found = []
    for strength, asked in ((2, "prepare"), (3, "who leads")):
        state = rulekit.load(tmp_path).new(seed=1)
        state.set("strength.r2", strength)
        state.apply("call")
        decision = Seat(state, "blue").decision()
        assert decision is not None and (decision.prompt, Seat(state, "blue").history.now) == (
            asked,
            1,
        )
        found.append(
            (
                told(Seat(played(state, ["pick r2"]), "blue")),
                heard(state, ["train r1", "drum"], "blue"),
            )
        )
    assert found[0] == found[1]


def test_what_is_sealed_is_noticed_when_one_is_asked_oneself() -> None:
    """A spectator does not observe it."""
    state = played(plans(), READY)
    before = {who: told(Seat(state, who)) for who in ("blue", None)}
    state.apply("pick hill")
    assert told(Seat(state, None)) == before[None] and told(Seat(state, "blue")) != before["blue"]
    assert Seat(state, "blue").decision().player == "blue"  # type: ignore[union-attr]


def test_at_the_end_all_count_all() -> None:
    """This includes an end outside of the rules, which is passed to the seat."""
    state = played(plans(), [*READY, "pick hill", "pick ford", *READY, "pick ford", "pick camp"])
    assert state.is_terminal()
    for who in ("red", "blue", None):
        seat, before = Seat(state, who), back_to(state, 9)
        assert (seat.history.now, seat.position().choice) == (
            state.move_number(),
            state.move_number(),
        )
        assert [line.choice for line in seat.log()] == [
            line.choice for line in Seat(state, "red").log()
        ]
        assert (
            Seat(before, who, over=True).history.now
            == 9
            == Seat(before, who, over=True).position().choice
        )
    assert Seat(before, None).history.now < 9


@pytest.mark.parametrize("name", ["skirmish", "sphacteria", "amphipolis"])
def test_where_nothing_can_be_chosen_unnoticed_all_is_counted(name: str) -> None:
    """The state itself is used, and no history is stored."""
    state, rng = game(name).new(seed=4), random.Random(4)
    for _ in range(30):
        state.apply_action(rng.choice(state.legal_actions()))
        for who in (*state.names.sides, None):
            seat = Seat(state, who)
            assert (
                seat.observer.state is state
                and seat.history.now == seat.position().choice == state.move_number()
            )
            assert seat.history.chooser(seat.history.now) == state.chooser(state.move_number())
    assert not state.observed and not state.table.hides_choices


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("path", [PLANS, GAMES["secrets"], GAMES["cards"]])
def test_numbers_lead_to_moments_and_back_whatever_was_taken_back(path: Path, seed: int) -> None:
    """The stored history equals a new computation, in each language. The deciding player sees the
    current move."""
    state, rng = rulekit.load(path).new(seed=seed), random.Random(seed)
    for _ in range(60):
        if state.is_terminal():
            break
        if rng.random() < 0.2 and state.move_number():
            state.undo()
        else:
            state.apply_action(rng.choice(state.legal_actions()))
        for who in rng.sample([*range(len(state.names.sides)), None], 2):
            seat, anew = Seat(state, who, rng.choice(["en", "fr"])), state.clone()
            anew.observed.clear()
            count = seat.history
            assert (
                seat.observer.state.observed is state.observed or count.sees < state.move_number()
            )  # all languages
            assert (count.now, count.sees) == (
                Seat(anew, who).history.now,
                Seat(anew, who).history.sees,
            )
            assert [
                count.observed_number(count.choice(number)) for number in range(count.now + 1)
            ] == list(range(count.now + 1))
            assert all(
                Seat(back_to(state, count.choice(number)), who, over=not count.after)
                .position()
                .choice
                == number
                for number in range(count.now + 1)
            )
            assert (
                state.current_player() != who
                or seat.observer.state.move_number() == state.move_number()
            )
