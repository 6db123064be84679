"""The position on the terminal: the places and the borders between them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.terminal import since_last
from rulekit.cli.terminal.lookup import find
from rulekit.cli.terminal.menu import Menu
from rulekit.cli.terminal.screen import Screen
from rulekit.cli.terminal.status import notes
from rulekit.engine.knowledge.observation import Observer
from rulekit.runtime.slots import CHANGED

GAMES = Path(__file__).resolve().parents[2] / "games"


def _around(lang: str) -> Mapping[str, str]:
    """Return the borders of each place of Amphipolis, "" if none are shown."""
    state = rulekit.load(GAMES / "amphipolis", lang=lang).new("cleon", 7)
    lines = Screen(state, "athens").map()
    heads = [i for i, line in enumerate(lines) if not line.startswith(" ")]
    return {
        lines[i].split()[0].rstrip(","): next(
            (x.strip() for x in lines[i + 1 : i + 2] if x.startswith(" ") and "T" in x), ""
        )
        for i in heads
    }


@pytest.mark.parametrize(
    ("lang", "near"),
    [
        (
            "en",
            (
                "next to T7 (wall: permanent, inside of the wall: T12), T11 (wall: partial, inside"
                " of the wall: T12), T15 (river)"
            ),
        ),
        (
            "fr",
            (
                "voisin de T7 (mur : permanent, intérieur du mur : T12), T11 (mur : partiel,"
                " intérieur du mur : T12), T15 (rivière)"
            ),
        ),
    ],
)
def test_the_map_tells_all_that_lies_on_a_border_and_nothing_that_does_not(
    lang: str, near: str
) -> None:
    around = _around(lang)
    assert around["T12"] == near
    assert around["T18"] == ("next to T1, T19" if lang == "en" else "voisin de T1, T19")


def test_what_an_event_tells_is_not_told_again_as_a_value_that_has_changed() -> None:
    state = rulekit.load(GAMES / "sphacteria").new(seed=0)
    before = Screen(state, "sparta").values()
    turn = next(key for key, (name, _) in before.items() if name == "Turn")
    now = {**before, turn: ("Turn", "9")}
    told = [f"  Turn: {before[turn][1]} -> 9"]
    assert since_last.changes(state, 0, ["== Turn 9 =="], before, now) == []
    assert since_last.changes(state, 0, ["== It is spring =="], before, now) == told
    state.log.append((CHANGED, *turn, 9))
    assert since_last.changes(state, len(state.log) - 1, ["== Turn 9 =="], before, now) == told


def test_what_stood_behind_an_event_that_was_taken_back_is_forgotten() -> None:
    """The reasons from the first new event on are removed, and earlier ones stay."""
    state = rulekit.load(GAMES / "sphacteria").new(seed=0)
    begin = len(state.events) - 1
    explained = {begin - 1: ["kept"], begin: ["taken back"], begin + 1: ["taken back"]}
    since_last.explain(state, begin, explained)
    assert explained == {begin - 1: ["kept"]}


def test_a_place_without_neighbours_has_no_line_of_them() -> None:
    state = rulekit.load(GAMES / "amphipolis").new("cleon", 7)
    assert not any(line.strip() == "next to" for line in Screen(state, "athens").map())


def test_a_piece_that_is_still_to_come_is_found_with_what_brings_it() -> None:
    state = rulekit.load(GAMES / "amphipolis", lang="fr").new("cleon", 7)
    told = find(Screen(state, "athens"), "athens.cleon", [])
    assert (
        told[0]
        == "athens.cleon Cléon (pion) : pas sur le plateau ; camp Athènes, type Chef, épées 1,"
        " nationaux"
    )
    assert (
        told[1]
        == "    renforts athéniens du tour 7 (renfort) : camp Athènes, prévu au tour 7, Scénario"
        " Cléon contre Brasidas"
    )


def test_what_belongs_to_a_thing_is_told_with_it() -> None:
    state = rulekit.load(GAMES / "amphipolis").new("cleon", 7)
    assert find(Screen(state, "athens"), "R3AX", [])[0].endswith("units: F3 F4, bases: Thasos")


def test_pieces_to_choose_among_have_their_place_and_what_has_befallen_them() -> None:
    state = rulekit.load(GAMES / "amphipolis").new("cleon", 7)
    book = state.table.book
    family = next(f for f in state.table.program.families if f.what == "add" and len(f.params) == 1)
    h1, h5 = (
        book.option(
            family.base + state.names.member(family.params[0].kind, id) - family.params[0].low
        )
        for id in ("sparta.H1", "sparta.H5")
    )
    state.set("sparta.H5.reduced", True)
    observer = Observer(state, "sparta")
    assert notes(observer, [h1, h5]) == {
        h1.id: " (8 SP, 1 sword, T21 Kerdylion)",
        h5.id: " (3 SP, 1 sword, T12 Amphipolis, weakened)",
    }
    assert notes(observer, [h5]) == {h5.id: " (3 SP, 1 sword, weakened)"}


@pytest.mark.parametrize(
    ("lang", "shown"),
    [
        (
            "en",
            [
                "| Turn 1 | Operations Phase | First operation of Athens",
                "Bellicosity: Athens 12, Sparta 12",
                "(held by Sparta, coalition Athens, in rebellion)",
            ],
        ),
        (
            "fr",
            [
                "| Tour 1 | Phase d'opérations | Première opération : Athènes",
                "Bellicosité : Athènes 12, Sparte 12",
                "(tenu par Sparte, coalition Athènes, en révolte)",
            ],
        ),
    ],
)
def test_what_a_game_has_an_empty_text_for_is_not_shown(lang: str, shown: list[str]) -> None:
    """States, fields of phases, pools and phases that only serve the rules do not appear in the
    position, in `find` or as a change."""
    state = rulekit.load(GAMES / "peloponnesian_war", lang=lang).new("war431", 7)
    screen = Screen(state, "commander")
    told = "\n".join(screen.everything())
    assert all(each in told for each in shown)
    found = "\n".join(find(screen, "Pericles", []))
    for own in ("manned", "no lot", "reserve of leaders", "spot", "order", "chosen now"):
        assert (
            own not in told
            and own not in found
            and all(own != name for name, _ in screen.values().values())
        ), own


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_a_game_keeps_for_itself_and_gives_an_empty_name_is_not_shown(lang: str) -> None:
    """In Athens & Sparta these are the sets of hexes of a move phase, and those of the bids where
    nobody bids."""
    state = rulekit.load(GAMES / "athens_sparta", lang=lang).new("war", 4242)
    while state.decision is not None and state.decision.procedure != "move_phase":
        state.apply_action(state.legal_actions()[0])
    screen = Screen(state, state.decision.player if state.decision else None)
    assert screen.fields() == [
        {"en": "Move points left 5 MP", "fr": "Points de mouvement restants 5 PM"}[lang]
    ]
    assert not any("bid" in line for line in screen.tracks())


def test_a_card_is_not_named_twice_where_its_name_begins_with_its_id() -> None:
    state = rulekit.load(GAMES / "athens_sparta").new("war", 4242)
    while state.decision is not None and state.decision.player != "athens":
        state.apply_action(state.legal_actions()[0])
    for card, shown in (("Earthquake", "Earthquake (1)"), ("K13", "K13 2")):
        state.set("hand.athens", [card])
        assert f"Hand of Athens (1): {shown}" in Screen(state, "athens").pools()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_state_of_a_game_of_ours_is_not_shown_by_its_name_in_the_rules(lang: str) -> None:
    """Every visible part of a position has a text, including fields of running phases."""
    for name in ("athens_sparta", "peloponnesian_war"):
        state = rulekit.load(GAMES / name, lang=lang).new(seed=1)
        program = state.table.program
        shown = [c.name for c in program.cells if not c.hidden] + [
            v.name for p in program.procs if p.word == "phase" for v in p.vars if v.shared
        ]
        assert not [
            name
            for name in shown
            if not state.names.is_silent(f"cell.{name}") and not state.names.text(f"cell.{name}")
        ]


def test_cards_that_are_called_like_numbers_are_numbered() -> None:
    """The list has two cards of 3 and an Earthquake in third place. `3` means the third."""
    state = rulekit.load(GAMES / "athens_sparta").new("war", 4242)
    while state.decision is not None and "3" not in [
        option.label for option in state.decision.options
    ]:
        state.apply_action(state.legal_actions()[0])
    assert state.decision is not None
    lines = Menu(state.names, state.decision.options, 80, lambda option: "").lines()
    assert [line.split()[0] for line in lines] == [str(n) for n in range(1, len(lines) + 1)]
