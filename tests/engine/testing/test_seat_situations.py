"""Situations that name forbidden choices of a seat: they pass, or fail with the choice and its
seeds. A form that checks nothing is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.situations import parse_situations
from rulekit.engine.game.game import Game
from rulekit.engine.testing.runner import run
from rulekit.project.validate_situations import case_of, vet

ROOT = Path(__file__).resolve().parents[3]
CONNECT_FOUR = str(ROOT / "examples" / "connect_four")
WINNING = "  do: [drop 1, drop 1, drop 2, drop 2, drop 3, drop 3]\n"


@pytest.fixture(scope="module")
def game() -> Game:
    return rulekit.load(CONNECT_FOUR)


def why(game: Game, then: str, before: str = "") -> str:
    text = f"- name: it\n{before}  then: [{then}]\n"
    sink = Sink()
    [sound] = vet(game, parse_situations(text, "seats.yaml", sink), sink)
    return run(game, case_of(sound)).why


@pytest.mark.parametrize(
    "then",
    [
        "seat search:120: {only: [drop 4]}",
        "seat search:120: {not: [drop 1, drop 2, drop 3, drop 5, drop 6, drop 7], runs: 4}",
        "seat search:120: {only: drop 4, not: [drop 5], runs: 2}",
        "seat random: {not: [drop 1], runs: 1}",
    ],
)
def test_what_a_seat_never_chooses_holds(game: Game, then: str) -> None:
    assert why(game, then, WINNING) == ""


@pytest.mark.docs("situations#then", "situations#what-a-seat-must-not-do")
def test_a_failure_says_what_was_chosen_with_which_seeds(game: Game) -> None:
    """The seat chooses freely, with the seeds 1 to 20."""
    state = game.new(seed=0)
    keys = {option.id: option.key for option in state.decision.options}
    chosen = [
        keys[rulekit.make_agent("random", state, seed).choose(state)] for seed in range(1, 21)
    ]
    seeds = {
        key: ", ".join(str(at) for at, each in enumerate(chosen, 1) if each == key)
        for key in set(chosen)
    }
    told = why(game, "seat random: {not: [drop 2]}")
    assert told.startswith(
        "seat random: asked 20 times, it chose what it must not: 'drop 2' with seed"
    ) and told.endswith(f" {seeds['drop 2']}")
    others = why(game, "seat random: {only: [drop 2]}")
    assert (
        all(
            f"{key!r} with seed" in others and seeds[key] in others
            for key in seeds
            if key != "drop 2"
        )
        and "'drop 2'" not in others
    )
    few = why(game, "seat random: {only: [drop 2], runs: 3}")
    assert few.startswith("seat random: asked 3 times")


@pytest.mark.docs("situations#what-a-seat-must-not-do")
def test_a_text_that_may_mean_several_stands_for_all_of_them(game: Game) -> None:
    assert "'drop 6'" in why(game, "seat random: {not: [drop]}")
    assert "nothing else can be chosen here" in why(game, "seat random: {only: [drop]}")


@pytest.mark.docs("situations#what-a-seat-must-not-do")
def test_what_is_not_offered_is_told(game: Game) -> None:
    full = "  do: [drop 1, drop 1, drop 1, drop 1, drop 1, drop 1]\n"
    for word in ("not", "only"):
        assert why(game, f"seat random: {{{word}: [drop 1]}}", full).startswith(
            "seat random: 'drop 1' is not offered"
        )


def test_a_seat_that_cannot_play_the_game_is_told(game: Game) -> None:
    assert "greedy" in why(game, "seat greedy: {not: [drop 1]}")


def test_where_nobody_is_asked_it_fails(game: Game) -> None:
    assert (
        why(game, "seat random: {not: [drop 1]}", WINNING.replace("]", ", drop 4]"))
        == "seat random: nothing is asked here"
    )


@pytest.mark.docs("situations#what-a-seat-must-not-do")
@pytest.mark.parametrize(
    "then, code, message, help",
    [
        (
            "seat: {not: [drop 1]}",
            "RK617",
            "'seat' needs a subject",
            "seat NAME: {not: [choice, choice]}",
        ),
        (
            "seat random",
            "RK617",
            "'seat random' has no value",
            "seat NAME: {not: [choice, choice]}",
        ),
        (
            "seat sarch: {not: [drop 1]}",
            "RK613",
            "there is no seat 'sarch'",
            "did you mean 'search'",
        ),
        ("seat human: {not: [drop 1]}", "RK613", "there is no seat 'human'", "random"),
        (
            "seat search: {not: [drop 1]}",
            "RK617",
            "thinks for a time",
            "write a number of iterations",
        ),
        (
            "seat search:2s: {not: [drop 1]}",
            "RK617",
            "thinks for a time",
            "write a number of iterations",
        ),
        ("seat random: {nit: [drop 1]}", "RK613", "'seat' has no 'nit'", "did you mean 'not'?"),
        (
            "seat random: [drop 1]",
            "RK617",
            "needs 'not' or 'only' with choices",
            "seat NAME: {not: [choice, choice]}",
        ),
        (
            "seat random: {runs: 3}",
            "RK617",
            "names no choices",
            "seat NAME: {not: [choice, choice]}",
        ),
        (
            "seat random: {not: []}",
            "RK617",
            "'not' names no choices",
            "seat NAME: {not: [choice, choice]}",
        ),
        (
            "seat random: {only: null}",
            "RK617",
            "'only' names no choices",
            "seat NAME: {not: [choice, choice]}",
        ),
        (
            "seat random: {not: [drop 1], runs: 0}",
            "RK615",
            "'runs' is a number of trials, not 0",
            "from 1 to 1000",
        ),
        (
            "seat random: {not: [drop 1], runs: true}",
            "RK615",
            "'runs' is a number of trials",
            "from 1 to 1000",
        ),
        (
            "seat random: {not: [drop 1], runs: often}",
            "RK615",
            "'runs' is a number of trials, not often",
            "from 1 to 1000",
        ),
        (
            "seat random: {not: [frop 1]}",
            "RK613",
            "'frop' in 'frop 1' is not an option",
            "did you mean 'drop'?",
        ),
        (
            "seat random: {only: [true]}",
            "RK617",
            "'seat' needs choices, not",
            "seat NAME: {not: [choice, choice]}",
        ),
    ],
)
def test_a_wrong_form_is_refused_with_how_to_mend_it(
    game: Game, then: str, code: str, message: str, help: str
) -> None:
    sink = Sink()
    assert (
        vet(game, parse_situations(f"- name: it\n  then: [{then}]\n", "seats.yaml", sink), sink)
        == []
    )
    [found] = sink.errors
    assert found.code == code and message in found.message and help in found.help


def test_in_a_game_that_has_not_begun_nobody_is_asked(game: Game) -> None:
    sink = Sink()
    assert not vet(
        game,
        parse_situations(
            "- name: it\n  empty: true\n  then: [seat random: {not: [drop 1]}]\n",
            "seats.yaml",
            sink,
        ),
        sink,
    )
    assert [d.code for d in sink.errors] == ["RK616"]


# ------------------------------------------------------------------------------------- rulekit test
FILE = f"""\
- name: it wins
{WINNING}  then: [{{seat search:120: {{only: [drop 4], runs: 3}}}}]
- name: it is wrong
  then: [decision: yellow, seat search:5: {{not: [drop], runs: 2}}]
- name: any
  then: [{{seat random: {{not: [drop 4], runs: 2}}}}]
"""


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    (tmp_path / "seats.yaml").write_text(FILE, encoding="utf-8")
    return ["test", "--game", CONNECT_FOUR, "--situations", str(tmp_path / "seats.yaml")]


@pytest.mark.docs("situations#what-a-seat-must-not-do")
def test_seats_that_search_are_asked_where_it_is_said_so(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the option, the other expectations of their situations are checked, and situations
    that ask nothing else are counted."""
    capsys.readouterr()
    code = main([*words, "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (
        [s["name"] for s in told["situations"]] == ["it is wrong", "any"]
        and told["situations"][0]["ok"]
        and told["left_out"] == 1
    )
    assert code == (not told["situations"][1]["ok"])
    main(words)
    assert "; 1 more with --seats" in capsys.readouterr().out
    assert main([*words, "--seats"]) == 1
    out = capsys.readouterr().out
    assert (
        "asked 2 times, it chose what it must not" in out
        and "with --seats" not in out
        and "failed  it wins" not in out
    )


@pytest.mark.docs("situations#what-a-seat-must-not-do")
def test_a_number_says_how_often_each_is_asked(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--seats", "7"]) == 1
    assert "seat search:5: asked 7 times" in capsys.readouterr().out
    assert main([*words, "--seats", "-1"]) == 2
    assert "--seats" in capsys.readouterr().err


@pytest.mark.docs("situations#what-a-seat-must-not-do")
@pytest.mark.parametrize(
    "file", sorted(ROOT.glob("examples/*/situations/*seats.yaml")), ids=lambda file: file.parts[-3]
)
def test_those_of_the_examples_hold(file: Path) -> None:
    assert main(["test", "--seats", "--game", str(file.parents[1]), "--situations", str(file)]) == 0
