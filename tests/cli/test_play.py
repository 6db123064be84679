"""Play in the terminal, scripted through a pipe."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.terminal.auto_pass import Skips
from rulekit.engine.search.search_agent import SearchAgent
from tests.commands import ran

ROOT = Path(__file__).resolve().parents[2]
SMALL = str(ROOT / "examples" / "tic_tac_toe")
CARDS = str(ROOT / "tests" / "fixtures" / "cards")


def play(script: str, *words: str) -> tuple[int, str, str]:
    return ran("play", *words, script=script)


def piped(script: str, *words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "rulekit", "play", *words],
        input=script,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_a_game_is_played_from_a_pipe() -> None:
    code, out, err = piped("# a comment\n1\nmark a2\n\nb1\nmark b2\nc1\n", SMALL)
    assert (code, err) == (0, "")
    assert "\nresult: x: win\nthe seed was " in out


@pytest.mark.parametrize(("lang", "shown"), [("en", "scenario The war; "), ("fr", "La guerre ; ")])
def test_a_scenario_is_named_by_its_title(lang: str, shown: str) -> None:
    """The title is the text of the language, or else that of its file."""
    _, out, _ = play("", str(ROOT / "games" / "athens_sparta"), "--seat", "human", "--lang", lang)
    assert shown in out.splitlines()[0]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_scenario_with_the_title_of_the_game_is_not_named_again(lang: str) -> None:
    _, out, _ = play("", str(ROOT / "games" / "sphacteria"), "--seat", "human", "--lang", lang)
    title = out.splitlines()[0].partition(",")[0]
    assert out.splitlines()[0].count(title) == 1


def test_the_end_of_the_input_leaves_the_game() -> None:
    code, out, err = piped("1\n", SMALL)
    assert (code, err) == (0, "")
    assert "the game is left" in out


def test_the_end_of_the_input_hands_over_to_the_random_seat() -> None:
    code, out, _ = play("1\n", SMALL, "--auto", "--seed", "3")
    assert code == 0
    assert "result:" in out


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Restores interruptions, which background processes of a shell ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_a_seat_that_thinks_long_chooses_at_once_when_it_is_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A second interruption, or one without a search, ends the program. Without human players the
    first one ends it."""
    choose, goes_on, times = SearchAgent.choose, list[int](), [0]

    def interrupted(agent: SearchAgent, state: rulekit.State) -> int:
        for number in range(times[0]):
            signal.raise_signal(signal.SIGINT)
            goes_on.append(number)
        return choose(agent, state)

    monkeypatch.setattr(SearchAgent, "choose", interrupted)
    for times[0], other, ends in ((1, "human", False), (2, "human", True), (1, "random", True)):
        script = [SMALL, "--seat", "x=search:300s", "--seat", f"o={other}"]
        code, out, err = play("", *script)
        assert (code, "stopped" in err) == ((130, True) if ends else (0, False))
        assert ends or "marked: c" in out
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler and goes_on == [0, 0]


@pytest.mark.parametrize("bad", ["mark a1", "99", "fly"])
def test_an_illegal_line_is_refused(bad: str) -> None:
    code, _, err = play(f"mark a1\n{bad}\nb1\n", SMALL)
    assert code == 1
    assert err.startswith("rulekit: ")


def test_a_piped_line_adds_several_and_goes_with_numbers_and_names() -> None:
    lines = "3\nmarch_in\n2 1\nautocles to M1\nquit\n"
    code, out, err = play(
        lines,
        str(ROOT / "games" / "amphipolis"),
        "--scenario",
        "cleon",
        "--seed",
        "7",
        "--seat",
        "sparta=random",
        "--quiet",
    )
    assert (code, err) == (0, "")
    assert "M1" in out.split("autocles to M1")[1]
    code, _, err = play(
        "3\nmarch F1 H1 to M1\n",
        str(ROOT / "games" / "amphipolis"),
        "--scenario",
        "cleon",
        "--seed",
        "7",
        "--seat",
        "sparta=random",
        "--quiet",
    )
    assert code == 1 and "'H1' cannot be added" in err


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("undo", "nothing to take back"),
        ("redo", "there is nothing to redo"),
        ("total nothing", "'nothing'"),
        ("load nowhere", "nowhere"),
        ("save", "name a file"),
        ("skip x", "skip what"),
    ],
)
def test_only_a_choice_can_be_illegal(asked: str, told: str) -> None:
    code, out, err = play(f"{asked}\nmark a1\nmark b2\nquit\n", SMALL)
    assert (code, err) == (0, "")
    assert told in out and "the game is left" in out


@pytest.mark.docs("python#numbers-and-where-they-come-from")
def test_undo_and_redo_and_questions(tmp_path: Path) -> None:
    script = (
        f"a1\nwhy mark a1\nwhy\nlog\nfind a1\nmap\noptions\nhelp\nsave {tmp_path / 'x'}\nload"
        f" {tmp_path / 'x'}\nmark b2\nquit\n"
    )
    code, out, err = play(script, SMALL, "--seat", "o=human", "--free-undo")
    assert (code, err) == (0, "")
    assert "the cell is taken" in out
    code, out, err = play(
        "a1\nundo\nredo\nundo\nb1\nquit\n",
        SMALL,
        "--seat",
        "o=random",
        "--free-undo",
        "--seed",
        "1",
    )
    assert (code, err) == (0, "")


def test_all_seats_automatic_print_log_and_result() -> None:
    one, two = (play("", SMALL, "--seat", "random", "--seed", "7") for _ in range(2))
    assert one == two
    assert one[0] == 0
    assert "marked" in one[1] and "result:" in one[1]


def test_the_screen_is_handed_over_where_there_are_secrets() -> None:
    code, out, _ = play("1\n1\n", CARDS, "--seed", "1")
    assert code == 0
    assert out.count("--- the screen goes to") >= 2
    assert "the screen goes" not in play("1\n1\n", SMALL)[1]


def test_a_game_goes_on_from_a_save(tmp_path: Path) -> None:
    file = str(tmp_path / "game.save")
    play("a1\nb2\n", SMALL, "--save", file, "--seed", "1")
    code, out, _ = play("c3\nquit\n", SMALL, "--load", file, "--quiet")
    assert code == 0
    assert "marked: c c3, s x" in out


def test_numbers_in_why_what_was_taken_back_and_languages() -> None:
    _, out, _ = play("why 2\na1\nundo\nquit\n", SMALL, "--free-undo", "--quiet")
    assert re.search(r"'2' \(.*b1\) is offered", out) and "taken back: mark: a1" in out
    assert "n'est pas" not in out and play("quit\n", SMALL, "--lang", "fr")[1].endswith(
        "la partie est interrompue\n"
    )
    code, _, err = play("", SMALL, "--lang", "xx")
    assert code == 1 and "there are en, fr" in err


@pytest.mark.skipif(not (ROOT / "games" / "sphacteria").is_dir(), reason="the games are not here")
def test_a_lone_person_is_not_asked_where_he_can_only_pass() -> None:
    game = str(ROOT / "games" / "sphacteria")
    asked = play("", game, "--seat", "athens=random", "--seed", "5", "--quiet")[1]
    assert "How many action points" in asked and "1 Pass" not in asked
    assert (
        "1 Pass"
        in play("", game, "--seat", "athens=random", "--seed", "5", "--quiet", "--ask-all")[1]
    )


@pytest.mark.skipif(not (ROOT / "games" / "sphacteria").is_dir(), reason="the games are not here")
@pytest.mark.parametrize(
    ("lang", "elision"), [("en", "Action Phase of Athens"), ("fr", "Phase d'actions d'Athènes")]
)
def test_an_automatic_game_reads_as_a_report(lang: str, elision: str) -> None:
    """Headings are separate, and something follows each. No line is repeated at once, and the end
    is reported once."""
    out = play(
        "", str(ROOT / "games" / "sphacteria"), "--seat", "random", "--seed", "3", "--lang", lang
    )[1]
    lines = out.splitlines()
    assert f"== {elision} ==" in lines
    assert all(line or after for line, after in pairwise(lines))
    heads = [i for i, line in enumerate(lines) if line.startswith("==")]
    assert all(lines[i - 1] == "" or lines[i - 1].startswith("==") for i in heads)
    assert all(lines[i + 1] for i in heads if not lines[i].startswith("====="))
    assert not any(word in out for word in ("scope_ended", "changed", "{"))
    assert sum("Strategic" in line or "stratégique" in line for line in lines) == 1


@pytest.mark.skipif(not (ROOT / "games" / "sphacteria").is_dir(), reason="the games are not here")
def test_pass_all_passes_windows_until_another_question() -> None:
    """Afterwards a player is asked in a window only after they had another decision, or somebody
    played something in a window."""
    game, passed = rulekit.load(ROOT / "games" / "sphacteria"), 0
    for seed in range(4):
        state, rng, skips = game.new(seed=seed), random.Random(seed), Skips()
        pressed = False
        while state.decision is not None:
            asked = state.decision
            choice = rng.choice(asked.options)
            if asked.player == "sparta" and skips.passes(state, asked):
                assert pressed and asked.kind == "window"
                passed += 1
                state.apply("pass")
                continue
            if asked.player == "sparta" and asked.kind != "window":
                pressed = False
            elif asked.player == "sparta":
                assert not pressed
                skips.pass_all(state, asked)
                assert skips.passes(state, asked)
                state.apply("pass")
                pressed = True
                continue
            if asked.kind == "window" and choice.key != "pass":
                pressed = False
            state.apply(choice)
    assert passed > 0


@pytest.mark.skipif(not (ROOT / "games" / "sphacteria").is_dir(), reason="the games are not here")
def test_undo_takes_back_what_was_typed_not_a_pass_made_for_the_player() -> None:
    out = play(
        "3\nundo\nquit\n",
        str(ROOT / "games" / "sphacteria"),
        "--seat",
        "sparta=random",
        "--seed",
        "5",
        "--quiet",
    )[1]
    assert "taken back: Pass, 3" in out and out.count("How many action points") == 2


@pytest.mark.skipif(not (ROOT / "games" / "sphacteria").is_dir(), reason="the games are not here")
def test_a_player_takes_back_his_own_choice_with_the_passes_of_others_after_it(
    tmp_path: Path,
) -> None:
    state = rulekit.load(ROOT / "games" / "sphacteria").new(seed=0)
    for choice in ("pass", "pass", "pick 1", "pass"):
        state.apply(choice)
    before = state.clone()
    for choice in ("activate N", "pass"):
        state.apply(choice)
    assert state.undo_refusal("sparta") == ""
    state.undo_own("sparta")
    assert state == before
    sphacteria, save = str(ROOT / "games" / "sphacteria"), str(tmp_path / "save")
    script = f"pass\npass\npick 1\npass\nactivate N\npass\nsave {save}\nundo\nactivate N\nquit\n"
    code, out, _ = play(script, sphacteria, "--seed", "0", "--quiet")
    assert code == 0 and "taken back: Pass, " in out
    code, out, _ = play("undo\nquit\n", sphacteria, "--load", save, "--quiet")
    assert code == 0 and "taken back: Pass, " in out


@pytest.mark.skipif(not (ROOT / "games" / "sphacteria").is_dir(), reason="the games are not here")
@pytest.mark.parametrize("typed", ["activer P", "activate P", "Activer p"])
def test_a_refused_choice_has_its_reason_in_the_words_of_the_language(typed: str) -> None:
    state = rulekit.load(ROOT / "games" / "sphacteria", lang="fr").new(seed=0)
    for choice in ("pass", "pass", "pick 1", "pass"):
        state.apply(choice)
    assert "Aucune unité encore mobile" in state.why(typed)[0]
    with pytest.raises(rulekit.IllegalChoice, match="Aucune unité encore mobile"):
        state.find(typed)


def test_pass_all_is_spoken_of_in_the_language() -> None:
    out = play("pass all\nquit\n", SMALL, "--seat", "o=random", "--lang", "fr")[1]
    assert "les fenêtres sont passées" in out


def test_refusals_are_in_the_language() -> None:
    for line, told in (
        ("undo", "rien à reprendre"),
        ("save", "nommez un fichier"),
        ("auto x y", "auto pass on"),
        ("skip x", "passer quoi"),
        ("99", "il n'y a pas de choix"),
    ):
        assert told in "".join(play(f"{line}\n", SMALL, "--lang", "fr")[1:])


def test_the_board_shows_what_stands_at_a_place_for_good() -> None:
    """Garrisons have no cell for their place. A constant attribute holds their place, and their
    state holds their owner."""
    out = play(
        "board\n",
        str(ROOT / "games" / "amphipolis"),
        "--scenario",
        "cleon",
        "--seat",
        "sparta=greedy",
        "--seed",
        "3",
        "--quiet",
    )[1]
    assert re.search(
        r"^T12 Amphipolis: Sparta .* \[Citadel of Amphipolis: Sparta\]$", out, re.MULTILINE
    )
    assert "O1 Mende: [Mende: Athens]" in out


def test_a_colon_stands_apart_in_french() -> None:
    out = play(
        "board\n",
        str(ROOT / "games" / "amphipolis"),
        "--seat",
        "sparta=greedy",
        "--seed",
        "3",
        "--lang",
        "fr",
    )[1]
    assert not re.search(r"[^ ]: ", out)
    assert "Initiative : " in out
    words = "--seat", "sparta=random", "--seed", "4", "--lang", "fr", "--scenario", "cleon"
    out = play("1\n" * 12, str(ROOT / "games" / "amphipolis"), *words)[1]
    assert "Jouer le stratagème : " in out
    assert not re.search(r"[^ ]: ", out)
