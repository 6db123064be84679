"""Hidden information does not change an observer's view: every kind of event, for every
observer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import rulekit
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.knowledge.visibility import Visibility
from rulekit.runtime.slots import BUILT_IN, CHANGED, DRAWN, FIRST_EVENT, GATHERED, PHASE_BEGUN, PUT
from tests.engine.knowledge.twins import refused, swaps, told_to

ROOT = Path(__file__).resolve().parents[3]
SEEDS = range(4)
SECRETS = ROOT / "tests" / "fixtures" / "secrets"


@cache
def played(seed: int, lang: str = "en") -> rulekit.State:
    """Return the small game of all events, played at random to its middle or end."""
    state, rng = rulekit.load(SECRETS, lang=lang).new(seed=seed), random.Random(seed)
    for _ in range(12 + 6 * seed):
        if state.decision:
            state.apply_action(rng.choice(state.legal_actions()))
    return state


def differing(state: rulekit.State) -> Iterator[tuple[int, int, int]]:
    """Yield the observer and the two things for each twin that looks different."""
    for observer in (-1, *range(len(state.names.sides))):
        told = told_to(state, observer)
        yield from (
            (observer, s.one, s.other)
            for s in list(swaps(state, observer))[::2]
            if told_to(s.with_past(), observer, s.twin()) != told
        )


@pytest.mark.parametrize(
    ("lang", "seed"), [*(("en", seed) for seed in SEEDS), ("fr", 2), ("fr", 3)]
)
def test_a_twin_looks_the_same(lang: str, seed: int) -> None:
    """Two things that an observer never could distinguish are swapped. No byte of the output
    differs."""
    assert list(differing(played(seed, lang))) == []


@cache
def asked(seed: int) -> list[rulekit.State]:
    """Return the small game at some of its decisions."""
    state, rng, out = rulekit.load(SECRETS).new(seed=seed), random.Random(seed), []
    for number in range(48):
        if state.decision is None:
            break
        if number % 8 == seed % 8:
            out.append(state.clone())
        state.apply_action(rng.choice(state.legal_actions()))
    return out


def refused_otherwise(seed: int) -> Iterator[tuple[int, int]]:
    """Yield two things that the deciding player never could distinguish, if `why` answers
    differently about them."""
    for state in asked(seed):
        told = list(refused(state))
        yield from (
            (s.one, s.other)
            for s in list(swaps(state, state.current_player()))[::2]
            if list(refused(s.twin())) != told
        )


@pytest.mark.parametrize("seed", SEEDS)
def test_why_tells_the_same_of_a_twin(seed: int) -> None:
    """The answers do not reveal the identity of a thing or the contents of a hidden hand."""
    assert list(refused_otherwise(seed)) == []


@pytest.mark.parametrize("name", ["names_all", "knows_all"])
def test_a_reason_that_tells_a_secret_is_noticed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: reasons about an unknown thing, or a clause that reads a secret, are shown."""
    monkeypatch.setattr(Visibility, name, lambda *_: True)
    assert any(True for seed in SEEDS for _ in refused_otherwise(seed))


def test_a_player_is_told_the_reason_up_to_the_first_secret() -> None:
    """Public reasons are shown. From the first clause that reads a hidden value on, only the
    dependence on it is."""
    state = next(
        s
        for s in asked(2)
        if s.decision
        and s.decision.kind == "choose"
        and s.decision.player == "red"
        and "guess" in str(s.why("guess red"))
    )
    assert state.why("guess red") == ["'guess red' is refused: not of your own"]
    assert state.why("strike b1") == ["'strike b1' is refused: you may not know what that is"]


def test_every_kind_of_event_happens_and_has_something_to_hide() -> None:
    """The compared games have every built-in event and every event of the game, and twins for every
    observer."""
    happened = {record[0] for seed in SEEDS for record in played(seed).log}
    program = played(0).table.program
    missing = [
        name
        for i, name in enumerate(BUILT_IN)
        if i not in happened and name not in ("roll_cancelled", "finished")
    ]
    assert missing == []
    assert {FIRST_EVENT + i for i in range(len(program.events))} <= happened
    assert all(
        any(True for seed in SEEDS for _ in swaps(played(seed), observer))
        for observer in (-1, 0, 1)
    )


@pytest.mark.parametrize(
    "kind", [CHANGED, DRAWN, GATHERED, PUT, PHASE_BEGUN], ids=lambda kind: BUILT_IN[kind]
)
def test_an_event_that_is_told_unmasked_is_noticed(
    kind: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: one kind of event is not masked."""
    monkeypatch.setattr(
        Observer, "_BUILT_IN", {k: mask for k, mask in Observer._BUILT_IN.items() if k != kind}
    )
    assert any(True for seed in SEEDS for _ in differing(played(seed)))


@pytest.mark.parametrize("name", ["shown", "_going_on", "_value"])
def test_a_value_that_is_told_unmasked_is_noticed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: the running procedures (prompts, phases, fields) or a cell reveal a thing."""
    plain = {
        "shown": lambda self, type, value: self.names.shown(type, value),
        "_going_on": lambda self, type, value: self.names.value(type, value),
        "_value": lambda self, cell, value: self.names.value(cell.type, value),
    }
    monkeypatch.setattr(Visibility if name == "shown" else Observer, name, plain[name])
    assert any(True for seed in SEEDS for _ in differing(played(seed)))


def test_a_total_that_is_told_unmasked_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: totals and permits answer everybody."""
    monkeypatch.setattr(Visibility, "may_know", lambda *_: True)
    assert any(True for seed in SEEDS for _ in differing(played(seed)))


@pytest.mark.docs("python#numbers-and-where-they-come-from")
def test_a_total_answers_an_observer_and_says_what_is_hidden() -> None:
    """An observer who may not see a hand sees the parts that do not depend on it. They do not see
    whether a dependent clause counts."""
    state = rulekit.load(SECRETS).new(seed=1)
    own, other, full = (
        state.explain("held", "red", observer=who) for who in ("red", "blue", "all")
    )
    assert own == full and not own.hidden
    assert other.hidden and other.value is None
    assert [line.name for line in other.lines] == ["base", "rich"]
    assert other.text(full=True).splitlines()[0] == "held (red) = hidden"
    assert state.explain("held", "red", observer=None) == other
    assert (
        state.explain("might", "r1", observer="blue").lines == ()
        and state.explain("might", "r1", observer="red").value == 2
    )
    assert state.explain("force", "camp", observer="red").hidden


@pytest.mark.parametrize("name", ["moved", "massed", "looked"])
def test_an_event_of_a_game_that_is_told_unmasked_is_noticed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: one event of the game is not masked."""
    masked = Observer._own_event
    monkeypatch.setattr(
        Observer,
        "_own_event",
        lambda self, event: event if event.name == name else masked(self, event),
    )
    assert any(True for seed in SEEDS for _ in differing(played(seed)))
