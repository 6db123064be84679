"""Derivations for a seat: they use the names for people, include a bound only if it binds, and mask
hidden information."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

import rulekit
from rulekit import Seat
from rulekit.cli.terminal.screen import Screen
from rulekit.engine.explain.derivation import Derivation
from rulekit.engine.game.state import State
from tests.games.plays import game_of

SECRETS = Path(__file__).resolve().parents[1] / "fixtures" / "secrets"


@pytest.fixture
def state() -> State:
    return game_of("sphacteria", "en").new(seed=3)


def statuses(derivation: Derivation) -> dict[str, str]:
    return {line.name: line.status for line in derivation.lines}


@pytest.mark.docs("python#numbers-and-where-they-come-from")
def test_total_arguments_and_value_are_said_as_people_read_them(state: State) -> None:
    state.set("rolled.athens", 7)
    found = Seat(state, "athens").explain("pa_grant", "athens")
    assert (found.name, found.arguments, found.value, found.unit) == (
        "pa_grant",
        {"s": "athens"},
        4,
        "PA",
    )
    assert found.labels == {"s": "Athens"} and found.label and found.shown == "4 AP"
    assert "= 4 AP " in found.text()
    assert [line.shown for line in found.lines if line.word == "base"] == ["4"]
    told = found.to_json()
    assert json.loads(json.dumps(told)) == told and told["labels"] == {"s": "Athens"}


def test_in_another_language_the_labels_are_others() -> None:
    english = game_of("sphacteria", "en").new(seed=3)
    found = Seat(english, "athens", "fr").explain("pa_grant", "athens")
    assert (
        found.labels == {"s": "Athènes"}
        and found.shown.endswith(" PA")
        and f"= {found.shown} " in found.text(lang="fr")
    )


@pytest.mark.parametrize("name", ["sphacteria", "amphipolis"])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_unit_has_one_form_on_board_and_in_the_log(name: str, lang: str) -> None:
    """It is the short word of the language. The word of the rules' language is not printed."""
    state = game_of(name, lang).new(seed=3)
    rng = random.Random(3)
    for _ in range(60):
        state.apply_action(rng.choice(state.legal_actions()))
    seat = Seat(state, state.names.sides[0])
    told = " ".join([*Screen(state, 0).everything(), *(line.text for line in seat.log())])
    words = {state.names.unit(unit): unit for unit in ("PA", "PF", "PM", "VP")}
    assert any(re.search(rf"\d {word}\b", told) for word in words)
    assert not [
        unit
        for word, unit in words.items()
        if unit not in words and re.search(rf"\d {unit}\b", told)
    ]


@pytest.mark.parametrize(("rolled", "status"), [(0, "applied"), (2, "idle"), (9, "idle")])
def test_a_bound_is_applied_where_it_binds(state: State, rolled: int, status: str) -> None:
    """The minimum of one point applies only to a roll that gives less."""
    state.set("rolled.sparta", rolled)
    found = Seat(state, "sparta").explain("pa_grant", "sparta")
    assert statuses(found)["least"] == status and found.value == max(1, (rolled + 1) // 2)
    assert ("At least" in found.text()) == (status == "applied")
    assert "changes nothing" in found.text(full=True) or status == "applied"


@pytest.mark.docs("python#numbers-and-where-they-come-from")
def test_what_the_seat_may_not_know_is_masked() -> None:
    secret = rulekit.load(SECRETS).new(seed=1)
    own, others, spectator = (
        Seat(secret, player).explain("held", "red") for player in ("red", "blue", None)
    )
    assert own.value is not None and not own.hidden and own.shown == str(own.value)
    assert (
        others.hidden
        and others.value is None
        and others.shown == "hidden"
        and others.labels == {"s": "red"}
    )
    assert spectator.to_json() == others.to_json()


BOUND = """game bound 1
kind Side decides = red | blue
kind Card = c1(3) | c2(5)
  fixed worth: 1..9
pool box of Card
pool hand(s: Side) of Card seen by s
setup
  put c1 in hand(red)
total force(s: Side): int
  base sum(worth of hand(s))
  at least 4
  at most 9
phase main
  choose by red "end"
    option end
      finish red, win
"""


def test_whether_a_bound_binds_does_not_tell_of_a_hidden_value(tmp_path: Path) -> None:
    """The owner of the card sees which bound applies. The other side sees the same for both
    cards."""
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: bound\ntitle: Bound\nversion: '1'\nlanguage: 1\n"
    )
    told = []
    for card in ("c1", "c2"):
        (tmp_path / "game.rules").write_text(BOUND.replace("put c1", f"put {card}"))
        state = rulekit.load(tmp_path).new(seed=1)
        own, others = (Seat(state, player).explain("force", "red") for player in ("red", "blue"))
        assert [line.status for line in own.lines] == [
            "applied",
            "applied" if card == "c1" else "idle",
            "idle",
        ]
        assert others.hidden and {line.status for line in others.lines} == {"applied"}
        told.append(others.to_json())
    assert told[0] == told[1]


GIVEN = """game given 1
kind Side decides = red | blue
state gold(s: Side): 0..9 = GOLD seen by s
state wet: bool = true
total behind(s: Side): int
  base 2
  set lots 5 when gold(s) > 3
  set dry 4 when not wet
  set few gold(s) when wet
total before(s: Side): int
  base 2
  set few 3 when wet
  set lots 5 when gold(s) > 3
total alone(s: Side): int
  base 2
  set lots 5 when gold(s) > 3
total out(s: Side): int
  base 2
  modifier lots +1 when gold(s) > 3
  modifier poor +1 when wet
  modifier rain -1 when wet
cancel out.poor when out.lots applies
permit may(s: Side)
  bar rich when gold(s) > 3
  bar rain when wet
phase main
  choose by red "end"
    option end
      finish red, win
"""


@pytest.mark.parametrize(
    ("name", "told", "poor", "rich"),
    [
        (
            "behind",
            "dry condition",
            "lots condition, dry condition, few applied, base overridden",
            "lots applied, dry condition, few overridden, base overridden",
        ),
        (
            "before",
            "few applied, base overridden",
            "few applied, lots condition, base overridden",
            "few applied, lots overridden, base overridden",
        ),
        ("alone", "", "lots condition, base applied", "lots applied, base overridden"),
        (
            "out",
            "base applied, rain applied",
            "base applied, lots condition, poor applied, rain applied",
            "base applied, lots applied, poor cancelled, rain applied",
        ),
        ("may", "rain applied", "rich condition, rain applied", "rich applied, rain applied"),
    ],
)
def test_whether_a_clause_counts_beside_a_hidden_one_does_not_tell_of_it(
    tmp_path: Path, name: str, told: str, poor: str, rich: str
) -> None:
    """Clauses that a hidden one may override or cancel are left out. Earlier results are shown."""
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: given\ntitle: Given\nversion: '1'\nlanguage: 1\n"
    )
    for gold, own in ((0, poor), (8, rich)):
        (tmp_path / "game.rules").write_text(GIVEN.replace("GOLD", str(gold)))
        state = rulekit.load(tmp_path).new(seed=1)
        for player, lines in (("red", own), ("blue", told), (None, told)):
            found = Seat(state, player).explain(name, "red")
            assert ", ".join(f"{line.name} {line.status}" for line in found.lines) == lines
            assert found.hidden is (player != "red") and (found.value is None) is found.hidden
