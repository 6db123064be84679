"""Reports of combats, cards and waiting lines on the terminal, and the words of its answers."""

from __future__ import annotations

import io
import re

import pytest

from rulekit.cli.terminal.console import Settings
from rulekit.cli.terminal.lookup import find
from rulekit.cli.terminal.screen import Screen
from rulekit.cli.terminal.session import Terminal
from rulekit.common.i18n.message_format import fill
from rulekit.engine.game.state import State
from rulekit.engine.kernel.decision import Option
from rulekit.engine.saves.recorder import Recorder
from rulekit.engine.search.agent_registry import Agent
from tests.cli.test_typed_moves import opened, typed
from tests.engine.explain.test_refusals import activated
from tests.games.plays import game_of

RANDOM = {"athens": "random", "sparta": "random"}


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize(
    ("name", "scenario", "games"), [("sphacteria", None, 8), ("amphipolis", "campaign", 12)]
)
def test_beneath_a_combat_stand_the_modifiers_that_counted_and_they_add_up(
    name: str, scenario: str | None, games: int
) -> None:
    combats = beneath = 0
    for seed in range(games):
        terminal, out = opened(RANDOM, io.StringIO(), game_of(name, "en"), scenario, seed)
        terminal.settings.interactive = False
        terminal.play()
        lines = out.getvalue().splitlines()
        for at, line in enumerate(lines):
            if " attacks" in line:
                combats += 1
                sign = re.search(r"die modifier ([+-]\d+)|die \d+ \(([+-]\d+)\)", line)
                modifier = int((sign[1] or sign[2]) if sign else 0)
                told = [each for each in lines[at + 1 : at + 3] if each.startswith("    ")]
                for each in told:
                    beneath += 1
                    total, parts = each.split(": ", 1)
                    assert int(total.rsplit(" ", 1)[1]) == sum(
                        int(part)
                        for part in re.findall(r" ([+-]\d+)(?: \[[^\]]*\])?(?:,|$)", parts)
                    ), each
                die = [
                    int(each.split(":")[0].rsplit(" ", 1)[1])
                    for each in told
                    if each.strip().startswith("Die modifier")
                ]
                assert modifier == (die[0] if die else 0), (line, told)
    assert combats > 2 and beneath > combats // 2


def effect(state: State, id: str) -> str:
    return state.names.text(f"effect.{id}")


def test_a_card_has_its_text_in_find_in_the_hand_and_wherever_it_is_offered() -> None:
    """Only those who may know the card see it. Another player's hand shows only its size."""
    terminal, out = opened(
        {"athens": "human", "sparta": "random"},
        io.StringIO("4\n1\n"),
        game_of("sphacteria", "en"),
        None,
        11,
    )
    terminal.settings.quiet = False
    terminal.play()
    state, told = terminal.state, flat(out.getvalue())
    hand, other = state.get("hand.athens"), state.get("hand.sparta")
    events = next(kind for kind in state.table.program.kinds if "chit" in kind.fixed)
    assert state.decision is not None and len(hand) == 2
    assert {
        option.params.get("c", option.key.split()[-1]) for option in state.decision.options
    } == set(hand)
    offered = told[told.rindex(state.decision.prompt) :]
    for chit in hand:
        faces = [
            id
            for id, each in zip(events.members, events.fixed["chit"][1], strict=True)
            if state.names.id(events.fixed["chit"][0].kind, each) == chit
        ]
        assert len(faces) == 2
        for face in faces:
            text = effect(state, face)
            assert text and text in offered
            assert text in flat(" ".join(find(Screen(state, "athens"), chit, [])))
            assert text in flat(" ".join(find(Screen(state, "athens"), face, [])))
            assert text in flat(" ".join(Screen(state, "athens").pools()))
    seen = flat(" ".join(Screen(state, "athens").pools()))
    assert not set(re.findall(r"\w+", seen)) & set(other) and f"Hand Sparta ({len(other)})" in seen


class Passer(Agent):
    """Passes, or plays the first allowed card."""

    def __init__(self, plays: bool) -> None:
        self.plays = plays
        self.asked = 0

    def choose(self, state: State) -> Option:
        assert state.decision is not None
        options = list(state.decision.options)
        self.asked += len(options) > 1
        cards = [option for option in options if option.key != "pass"]
        return (
            cards[0]
            if self.plays and cards
            else next((o for o in options if o.key == "pass"), options[0])
        )


@pytest.mark.parametrize("plays", [False, True])
def test_a_line_that_waited_goes_on_by_itself_when_the_other_has_passed_and_not_when_he_has_played(
    plays: bool,
) -> None:
    state, out = activated(True), io.StringIO()
    seats = {"athens": "greedy", "sparta": "human"}
    terminal = Terminal(
        game_of("sphacteria", "en"),
        Recorder(game_of("sphacteria", "en"), state, seats),
        Settings(seats, 1, quiet=True),
        io.StringIO("move H1 to K to L\n"),
        out,
    )
    passer = Passer(plays)
    terminal.agents[state.names.side("athens")] = passer
    terminal.play()
    told = flat(out.getvalue())
    assert passer.asked > 0 and "Athens decides first; then the line continues: to L stop" in told
    assert ("somebody has reacted: the rest of the line is dropped: to L stop" in told) == plays
    assert (state.get("zone.sparta.H1") == "L") == (not plays)


def test_a_short_text_is_found_as_a_word_of_a_name_only() -> None:
    screen = Screen(game_of("sphacteria", "en").new(seed=3), "athens")
    found = [line.split()[0] for line in find(screen, "P", []) if not line.startswith(" ")]
    assert (
        "P" in found
        and "I-P" in found
        and not {"Q", "sparta", "athens.H1", "athens.P1"} & set(found)
    )
    assert "athens.demosthenes" in {line.split()[0] for line in find(screen, "demos", [])}


def test_a_player_bears_no_texts_of_the_cards_that_name_him() -> None:
    screen = Screen(game_of("sphacteria", "en").new(seed=3), "athens")
    assert not any(
        "leaves the game" in line for line in find(screen, "sparta", []) if line.startswith("    ")
    )


def test_of_two_pieces_of_one_name_that_are_not_offered_the_players_own_is_spoken_of() -> None:
    _, out = typed("3", "activate N", "move H4 to K")
    told = flat(out)
    assert "'add sparta.H4' is refused" in told and "athens.H4" not in told


def test_what_is_no_word_of_the_game_is_answered_with_where_the_words_stand() -> None:
    told = flat(typed("3", "rulings")[1]).split("'rulings' is not offered here ")[1]
    assert told.startswith("Activate a zone, or end the moves 1 End of moves; 2 Activate N")
    assert "`options`" in told and "`help`" in told
    assert "`aide`" in flat(typed("nouvelles", lang="fr")[1])


def test_an_action_of_another_moment_is_known_by_its_word_in_the_language() -> None:
    told = flat(typed("3", "activer N", "activer K", lang="fr")[1])
    assert "'activer K' ne peut être choisi maintenant ; à Sparte : " in told
    assert "n'est pas proposé" not in told


def test_the_same_choice_taken_back_several_times_is_told_once() -> None:
    terminal, out = opened(
        {"athens": "human", "sparta": "greedy"},
        io.StringIO("3\nundo\nredo\n"),
        game_of("amphipolis", "en"),
        "cleon",
        7,
    )
    terminal.play()
    told = flat(out.getvalue())
    assert (
        "taken back: Pass (x6)" in told and "redone: Pass (x6)" in told and "Pass, Pass" not in told
    )


def test_no_clause_of_a_french_answer_is_parted_in_the_english_way() -> None:
    told = typed(
        "3", "activer N", "move H1 to M to H", "move H1 H2 H3 H5 H6 to K", "move H1", lang="fr"
    )[1]
    assert " ; " in told and not re.search(r"\S; ", told)


def test_a_case_may_hold_a_gap_with_cases() -> None:
    text = "{what|siege: {how|assault: at most|*: at least} {n}|*: {what}} ."
    assert [
        fill(text, {"what": what, "how": how, "n": "3"})
        for what, how in (("siege", "assault"), ("siege", "x"), ("storm", "assault"))
    ] == ["at most 3 .", "at least 3 .", "storm ."]
