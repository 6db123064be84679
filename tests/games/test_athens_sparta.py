"""Athens & Sparta in play: whole random games, both ends, golden transcripts and node counts.
Players learn nothing about unknown blocks, steps, cards and plans."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

import rulekit
from rulekit.cli.terminal.screen import Screen
from rulekit.cli.terminal.since_last import event_lines
from rulekit.engine.knowledge.observable_history import ObservableHistory
from rulekit.engine.knowledge.observation import Observer
from rulekit.runtime import cells
from tests.engine.knowledge.twins import differing_swaps, told_to
from tests.games.board import read
from tests.games.plays import GOLDEN, ROOT, game_of, leaves, played, told

NAME, SCENARIO = "athens_sparta", "war"
GAME = ROOT / "games" / NAME
TREES = [(1, 20, [64, 902]), (2, 188, [2, 24, 352]), (5, 252, [14, 14, 56])]


def test_random_games_end_by_the_rules() -> None:
    """There is no dead end and no step over its budget. Both sides win, by points and by a main
    city."""
    ends: Counter[tuple[str, str]] = Counter()
    for seed in range(24):
        result = played(NAME, SCENARIO, seed).result
        assert result is not None and result.winner is not None
        ends[str(result.winner), result.level] += 1
    assert {winner for winner, _ in ends} == {"athens", "sparta"}
    assert {level for _, level in ends} == {"points", "capital_taken"}


@pytest.mark.parametrize("seed", [31, 32, 33])
def test_between_game_turns_ships_lie_in_port_or_where_enemies_are(seed: int) -> None:
    """This is rule 4.4, whether they have moved or not. The invariant checks only those that have,
    because the identity of a ship may be determinized."""
    board, kinds = read(NAME, "Hex", "Way")
    state, rng, seen = game_of(NAME).new(SCENARIO, seed=seed), random.Random(seed), 0
    while not state.is_terminal():
        if state.decision.prompt == "play a card":
            where = {name: state.get(f"at.{name}") for name in kinds["Block"]}
            sides = {(hex, state.get(f"owner.{name}")) for name, hex in where.items()}
            out = [
                hex
                for name, hex in where.items()
                if hex and kinds["Block"][name]["arm"] == "navy" and not board.places[hex]["port"]
            ]
            assert all({(hex, "athens"), (hex, "sparta")} <= sides for hex in out)
            seen += sum(map(bool, where.values()))
        state.apply_action(rng.choice(state.legal_actions()))
    assert seen > 400


@pytest.mark.parametrize("seed", [4, 5])
def test_no_option_takes_a_point_and_leads_nowhere(seed: int) -> None:
    """4.52: a move point moves a block, places a revolt or gains an ally."""
    state, rng, tried = game_of(NAME).new(SCENARIO, seed=seed), random.Random(seed), 0
    while not state.is_terminal() and state.move_number() < 500:
        if state.decision.procedure == "move_phase":
            for option in [
                o
                for o in state.decision.options
                if o.key.split()[0] in ("sail", "march", "row", "march_off")
            ]:
                before = state.get(f"at.{option.params['b']}")
                state.apply_action(option.id)
                if state.decision.procedure == "move_phase":  # the only path was taken
                    assert state.get(f"at.{option.params['b']}") != before, option.key
                state.undo()
                tried += option.key.startswith("sail")
        state.apply_action(rng.choice(state.legal_actions()))
    assert tried > 200


def test_what_goes_on_is_told_without_what_serves_the_rules_alone() -> None:
    state = game_of(NAME).new(SCENARIO, seed=2)
    names = set[str]()
    while not state.is_terminal() and state.move_number() < 200:
        fields = [
            each for one in rulekit.Seat(state, "athens").position().running for each in one.fields
        ]
        assert all(each.label for each in fields), fields
        names |= {each.name for each in fields}
        state.apply_action(state.legal_actions()[state.move_number() % len(state.legal_actions())])
    assert "left" in names and not names & {
        "upset",
        "worn",
        "shut",
        "halt_land",
        "halt_sea",
        "shut_sea",
        "berths",
    }


def test_a_fight_is_told_by_its_rounds() -> None:
    """The heading of a round is between the name of a combat and its first shot, for both sides and
    a spectator."""
    state = played(NAME, SCENARIO, 3, 400)
    for observer in (0, 1, None):
        lines = [
            line.strip() for line in event_lines(state, Observer(state, observer).events(), {})
        ]
        heading, shots = "", 0
        for line in lines:
            heading = line if line.startswith("==") else heading
            if line.endswith(": attack"):
                assert heading in ("== Round 1 ==", "== Round 2 =="), line
                shots += 1
        assert shots > 20


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_log_tells_no_key(lang: str) -> None:
    state = game_of(NAME, lang).new(SCENARIO, seed=4)
    while not state.is_terminal() and state.move_number() < 150:
        state.apply_action(state.legal_actions()[state.move_number() % len(state.legal_actions())])
    lines = told(state)
    assert lines and not any(
        "event." in line or "member." in line or "{" in line or "_" in line for line in lines
    )


@pytest.mark.parametrize("scenario", ["war", "tourney", "sicily"])
def test_the_transcript_is_as_before(scenario: str) -> None:
    """If a change of the rules changes these games on purpose, write the file again from this
    test's output."""
    file = GOLDEN / "athens" / f"{scenario}.txt"
    assert told(played(NAME, scenario, 1)) == file.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(("seed", "choices", "counts"), TREES)
def test_the_decision_tree_is_as_before(seed: int, choices: int, counts: list[int]) -> None:
    assert leaves(played(NAME, SCENARIO, seed, choices), len(counts)) == counts


def test_an_overlay_replaces_what_is_reconstructed() -> None:
    corrected = rulekit.load(GAME, overlays=[GAME / "overlays" / "printed_components.yaml"]).new(
        SCENARIO, seed=1
    )
    own = game_of(NAME).new(SCENARIO, seed=1)
    assert [state.explain("vp", "sparta").value for state in (own, corrected)] == [
        18,
        18,
    ]  # Megara one more, Elis one less
    assert [state.explain("build_limit", "Megara").value for state in (own, corrected)] == [3, 6]


@pytest.mark.parametrize(("seed", "choices"), [(3, 90), (5, 33), (8, 210)])
def test_two_blocks_or_cards_that_nobody_could_tell_apart_change_places_unnoticed(
    seed: int, choices: int
) -> None:
    """For each player and a spectator, no byte of view, log, screen, prompt, options, totals or
    search results differs."""
    state = played(NAME, SCENARIO, seed, choices)
    assert not any(
        differing_swaps(state, observer) for observer in (-1, *range(len(state.names.sides)))
    )


@pytest.mark.parametrize(("seed", "choices"), [(12, 35), (17, 120)])
def test_how_strong_a_covered_block_is_its_owner_alone_is_told(seed: int, choices: int) -> None:
    state = played(NAME, SCENARIO, seed, choices)
    table = state.table.program
    named = {cell.name: cell for cell in table.cells}
    tried = 0
    for block in range(len(table.kinds[named["at"].keys[0].kind].members)):
        strength, shown = (
            cells.read(state.slots, named[name], (block,)) for name in ("strength", "shown")
        )
        owner = cells.read(state.slots, named["owner"], (block,))
        if strength < 2 or shown:
            continue
        other = state.clone()
        cells.write(table, other.slots, named["strength"], (block,), strength - 1)
        tried += 1
        assert told_to(other, 1 - owner, state) == told_to(state, 1 - owner, state)
        if tried == 2:
            break
    assert tried


def planning(seed: int) -> rulekit.State:
    """Return a random game at the decision at which Athens plans its builds."""
    state, rng = game_of(NAME).new(SCENARIO, seed=seed), random.Random(seed)
    while not any(option.key == "built" for option in state.decision.options):  # type: ignore[union-attr]
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def seen(state: rulekit.State, observer: int | None) -> str:
    """Return view, numbered events, log, prompt and screen."""
    looker, screen = Observer(state, observer), Screen(state, observer)
    events = [(event.number, event.to_json()) for event in looker.events()]
    return json.dumps(
        [
            looker.everything(),
            events,
            event_lines(state, looker.events(), {}),
            screen.everything(),
            looker.prompt(),
        ],
        default=str,
    )


@pytest.mark.parametrize("seed", [1, 6])
def test_what_one_side_builds_and_how_much_the_other_does_not_see_before_its_own_plans_stand(
    seed: int,
) -> None:
    """Neither the bytes nor the number of messages differ between no builds and three steps, a
    disbanded block and a new one."""
    idle, busy = planning(seed), planning(seed)
    assert idle.current_player() == 0
    idle.apply("built")
    for wanted in ("build", "build", "dismiss", "build", "built"):
        option = next(o for o in busy.decision.options if o.key.split()[0] in (wanted, "pick"))  # type: ignore[union-attr]
        busy.apply_action(option.id)
        while any(o.key.startswith("pick") for o in busy.decision.options):  # type: ignore[union-attr]
            busy.apply_action(busy.legal_actions()[0])
    assert (idle.current_player(), busy.current_player()) == (1, 1)
    assert all(seen(idle, observer) == seen(busy, observer) for observer in (None, 1))
    assert seen(idle, 0) != seen(busy, 0)


def heard(state: rulekit.State, actions: list[int], observer: int | None) -> list[str]:
    """Return all output of a seat during some choices, without repetitions."""
    seat, said = rulekit.Seat(state, observer), list[str]()
    for action in (0, *actions):
        if action:
            state.apply_action(action)
        asked = seat.decision()
        said.append(
            json.dumps(
                [
                    seat.position().to_json(),
                    asked.to_json() if asked else None,
                    [line.to_json() for line in seat.log()],
                    seat.history.now,
                    [each.to_json() for each in (*seat.why("built"), *seat.why_not("Athens"))],
                ]
            )
        )
    return [each for at, each in enumerate(said) if not at or each != said[at - 1]]


def built(state: rulekit.State, *wanted: str) -> list[int]:
    """Return the choices of one side's plans, in a copy: those with these first words, and the
    places of the builds."""
    there, found = state.clone(), list[int]()
    for word in wanted:
        found.append(next(o.id for o in there.decision.options if o.key.split()[0] == word))  # type: ignore[union-attr]
        there.apply_action(found[-1])
        while any(o.key.startswith("pick") for o in there.decision.options):  # type: ignore[union-attr]
            found.append(there.legal_actions()[0])
            there.apply_action(found[-1])
    return found


@pytest.mark.parametrize("seed", [1, 6])
def test_how_often_one_side_was_asked_for_its_plans_the_other_is_not_told(seed: int) -> None:
    """Seats have the same output, equally often, before the plans are final and after. This
    includes the plans of the second side."""
    idle, busy = planning(seed), planning(seed)
    before = idle.move_number()
    little, much = built(idle, "built"), built(busy, "build", "build", "dismiss", "build", "built")
    assert len(much) > 4 * len(little)
    for observer in (1, None):
        assert heard(idle.clone(), little, observer) == heard(busy.clone(), much, observer)
    for state, plans in ((idle, little), (busy, much)):
        for action in plans:
            state.apply_action(action)
    assert rulekit.Seat(idle, 1).history.now == rulekit.Seat(busy, 1).history.now
    assert rulekit.Seat(busy, 0).history.now - rulekit.Seat(idle, 0).history.now == len(much) - len(
        little
    )
    assert idle.move_number() == before + len(little)
    for observer in (0, None):
        found = [
            heard(idle.clone(), built(idle, *plans), observer)
            for plans in (["built"], ["build", "build", "built"])
        ]
        assert (
            found[0][:-1] == found[1][:-1] and len(found[0]) == len(found[1]) == 2
        )  # the last answer shows the plans


def test_that_all_choices_are_counted_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault is detected."""
    monkeypatch.setattr(
        "rulekit.presentation.seat.Seat.history",
        property(lambda self: ObservableHistory(self.state, self.state)),
    )
    state = planning(1)
    assert heard(state.clone(), built(state, "built"), 1) != heard(
        state.clone(), built(state, "build", "built"), 1
    )
