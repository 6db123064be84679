"""The derivation of a combat: the column before the shifts, each shift, the ends of the table, the
cell, and the rulings that apply."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

import rulekit
from rulekit.engine.explain.derivation import Derivation
from rulekit.engine.explain.event_reasons import behind
from tests.games.plays import game_of, played


def combats(
    name: str, scenario: str
) -> Iterator[tuple[rulekit.State, rulekit.Event, dict[str, Derivation]]]:
    """Yield combats of random games with their derivations."""
    for seed in range(9):
        state = played(name, scenario, seed)
        for event in state.events:
            if event.name == "combat":
                yield (
                    state,
                    event,
                    {
                        each.name: each
                        for each in behind(state, event.number)
                        if each.what != "total" or len(each.arguments) == 0
                    },
                )


@pytest.mark.docs("python#numbers-and-where-they-come-from")
@pytest.mark.parametrize(
    ("name", "scenario"), [("amphipolis", "cleon"), ("sphacteria", "historical")]
)
def test_a_combat_tells_column_shifts_cell_and_ruling(name: str, scenario: str) -> None:
    """The derivation agrees with the event: the first column plus the shifts is its column, and the
    cell follows from that and the modified die."""
    shifted = 0
    for state, event, found in islice(combats(name, scenario), 6):
        told, names = event.params, state.names
        odds = names.program.kinds[names.kind("Odds")].members
        before, shift = odds.index(key_of(state, found["odds"].value)), found["crt_column"].value
        assert odds[min(max(before + shift, 0), len(odds) - 1)] == told["column"]
        if shift:
            lines = found["Odds"].lines
            assert [line.word for line in lines][:2] == ["base", "modifier"] and lines[
                1
            ].amount == shift
            assert (len(lines) == 3) == (
                not 0 <= before + shift < len(odds)
            )  # the end of the table
            shifted += 1
        assert found["crt"].arguments == {
            "die": told["die"] + told["modifier"],
            "odds": told["column"],
        }
        assert (
            names.label(names.kind("Result"), names.member(names.kind("Result"), told["result"]))
            in found["crt"].value
        )
        assert any("tie_winner" in ruling for ruling in found["victor"].lines[0].rulings)
    assert shifted


def key_of(state: rulekit.State, label: str) -> str:
    """Return the id of a column by its label."""
    kind = state.names.kind("Odds")
    return str(state.names.id(kind, state.names.member(kind, label)))


def test_a_clause_names_the_ruling_that_has_a_say_in_it() -> None:
    """It does so only if the clause applies."""
    for _, _, found in combats("amphipolis", "cleon"):
        leaders = [
            part
            for line in found["crt_die"].lines
            for part in line.parts
            if part.name == "bonus_leaders"
        ]
        if leaders:
            base = next(line for line in leaders[0].lines if line.word == "base")
            assert base.rulings == (f"ruling leaders_counted: {chosen('leaders_counted')}",)
            assert "{ruling leaders_counted" in found["crt_die"].text()
            return
    raise AssertionError("no leader fought")


def chosen(ruling: str) -> str:
    """Return the default alternative of a ruling."""
    return next(
        r.chosen for r in game_of("amphipolis").new().table.program.rulings if r.name == ruling
    )
