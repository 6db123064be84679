"""The commands: exit codes, stable JSON keys, no traceback for bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import COMMANDS, main
from rulekit.engine.saves.recorder import Recorder

ROOT = Path(__file__).resolve().parents[2]
SMALL = str(ROOT / "examples" / "tic_tac_toe")
CARDS = str(ROOT / "tests" / "fixtures" / "cards")
SECRETS = str(ROOT / "tests" / "fixtures" / "secrets")
CHOICES = str(ROOT / "tests" / "fixtures" / "choices")
Run = Callable[..., tuple[int, str, str]]

SITUATIONS = """\
- name: Three in a row win
  do: [{x: mark a1}, {o: mark a2}, {x: mark b1}, {o: mark b2}, {x: mark c1}]
  then: [{result: {winner: x, level: win}}, {event marked: {c: c1, s: x}}, \
{no_event marked: {c: c2}}, {holder.a1: x}, {decision: none}]
- name: A taken cell
  do: ["a1; b2"]
  then: [{legal: {not: [mark a1]}}, {legal: [mark c3]}, {decision: x}, {options: 7}, \
{count marked: 2}, {result: none}]
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str) -> tuple[int, str, str]:
        code = main(list(words))
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run: Run, command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    assert "usage: rulekit" in out


def test_help_version_and_wrong_usage(run: Run) -> None:
    assert run("--help")[0] == 0
    assert run("--version")[1].startswith("rulekit ")
    assert run()[0] == 2
    code, _, err = run("chekc")
    assert code == 2 and "did you mean 'check'" in err
    assert run("check")[0] == 2
    assert run("perft", SMALL)[0] == 2
    assert run("perft", SMALL, "--depth", "0")[0] == 2
    assert run("play", SMALL, "--seat", "nobody=random")[0] == 2
    assert run("play", SMALL, "--seat", "x=clever")[0] == 2
    assert run("play", SMALL, "--scenario", "none")[0] == 2
    assert run("simulate", SMALL, "--seat", "x=human")[0] == 2
    assert run("check", "no_such_game_here")[0] == 2


@pytest.mark.docs("diagnostics#diagnostics")
def test_check(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("check", SMALL, CARDS)
    assert (code, out) == (0, "2 games checked: nothing found\n")
    assert json.loads(run("check", SMALL, "--json")[1]) == {"diagnostics": []}
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: bad\ntitle: Bad\nversion: '1'\nlanguage: 1\n", encoding="utf-8"
    )
    (tmp_path / "game.rules").write_text(
        "game bad 1\n\nkind Side decides = x | o\nstate turn: Sid\n", encoding="utf-8"
    )
    code, out, _ = run("check", str(tmp_path))
    assert code == 1
    assert "error[RK" in out and "game.rules:4:13" in out
    code, out, _ = run("check", str(tmp_path), "--json")
    assert code == 1
    assert set(json.loads(out)["diagnostics"][0]) == {
        "code",
        "level",
        "message",
        "file",
        "line",
        "column",
        "help",
        "ref",
    }
    code, _, err = run("perft", str(tmp_path), "--depth", "1")
    assert code == 1 and "error[RK" in err


def test_perft(run: Run) -> None:
    assert json.loads(run("perft", SMALL, "--depth", "3", "--json")[1]) == {
        "depth": 3,
        "leaves": 504,
        "per_depth": [9, 72, 504],
    }


def test_simulate(run: Run) -> None:
    code, out, _ = run("simulate", SMALL, "--games", "10", "--seed", "1", "--json")
    assert code == 0
    assert {"games", "decisions", "events", "seconds", "results", "seats", "length"} <= set(
        json.loads(out)
    )
    assert "10 games" in run("simulate", SMALL, "--games", "10", "--seed", "1")[1]


@pytest.mark.docs("data-files#situations")
def test_situations(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "s.yaml"
    file.write_text(SITUATIONS, encoding="utf-8")
    code, out, _ = run("test", "--situations", str(file), "--game", SMALL)
    assert (code, out) == (0, "2 situations: 2 passed, 0 failed\n"), out
    file.write_text(
        SITUATIONS.replace("winner: x", "winner: o").replace("options: 7", "options: 8"),
        encoding="utf-8",
    )
    code, out, _ = run("test", "--situations", str(file), "--game", SMALL)
    assert code == 1
    assert "expected o, is x" in out
    assert "number of options: expected 8, is 7" in out
    assert "play stands here: x is asked" in out
    data = json.loads(run("test", "--situations", str(file), "--game", SMALL, "--json")[1])
    assert (data["passed"], data["failed"]) == (0, 2)
    assert set(data["situations"][0]) == {"name", "file", "line", "column", "ok", "why", "more"}
    assert [s["line"] for s in data["situations"]] == [3, 6]
    assert run("test")[0] == 2
    assert run("test", "--situations", str(file))[0] == 2


@pytest.mark.docs("situations#situations")
def test_one_bad_situation_does_not_hide_the_others(run: Run, tmp_path: Path) -> None:
    """A situation that cannot be run is reported with its place. The others are run, and failures
    are reported in full."""
    file = tmp_path / "s.yaml"
    bad = "- name: bad\n  then: [{why: {a1: taken}}]\n- name: worse\n  thn: []\n"
    file.write_text(
        bad
        + SITUATIONS.replace("winner: x", "winner: o")
        + "- name: two\n  then: [{holder a1: x}, {options: 8}]\n",
        encoding="utf-8",
    )
    code, out, _ = run("test", "--situations", str(file), "--game", SMALL)
    assert code == 1
    assert (
        "error[RK617]: 'why' needs a subject" in out and "error[RK120]: 'thn' is not a key" in out
    )
    assert "holder.a1: expected x, is none" in out and "number of options: expected 8, is 9" in out
    assert out.endswith(
        "3 situations: 1 passed, 2 failed; 2 errors in situations that could not be run\n"
    )
    data = json.loads(run("test", "--situations", str(file), "--game", SMALL, "--json")[1])
    assert [d["code"] for d in data["diagnostics"]] == ["RK617", "RK120"]


@pytest.mark.docs("python#numbers-and-where-they-come-from")
def test_explain_tells_a_game_under_way_as_everybody_may_know_it(run: Run, tmp_path: Path) -> None:
    """Without `--as` the secrets of a running game stay hidden, and a finished game is explained in
    full. `--as` chooses the observer."""
    recorder = Recorder(
        game := rulekit.load(SECRETS), game.new(seed=4), {"red": "random", "blue": "random"}
    )
    running, over = tmp_path / "a.save", tmp_path / "b.save"
    put = next(
        e.number for e in recorder.state.events if e.name == "drawn" and "hand.red" in str(e.params)
    )
    while not recorder.state.is_terminal():
        (
            running.write_text(recorder.save.text(), encoding="utf-8")
            if recorder.state.move_number() == 5
            else None
        )
        recorder.apply(recorder.state.decision.options[0])
    over.write_text(recorder.save.text(), encoding="utf-8")
    card = recorder.state.events[put].params["what"]

    def told(file: Path, *options: str) -> str:
        return run("explain", str(file), "--game", SECRETS, "--event", str(put), *options)[1]

    assert [
        card in told(running, *options)
        for options in ((), ("--as", "blue"), ("--as", "red"), ("--as", "all"))
    ] == [False, False, True, True]
    assert [card in told(over, *options) for options in ((), ("--as", "observer"))] == [True, False]
    code, _, said = run(
        "explain", str(over), "--game", SECRETS, "--event", str(put), "--as", "green"
    )
    assert code == 2 and said.strip().endswith("it has red, blue, observer, all")


@pytest.mark.docs("python#numbers-and-where-they-come-from")
def test_an_event_names_the_totals_behind_it_or_the_choice_it_follows_from(
    run: Run, tmp_path: Path
) -> None:
    """For granted points this is the total of that side only. For points by a card's rule it is the
    player's choice, with its paragraph."""
    recorder = Recorder(
        game := rulekit.load(ROOT / "games" / "amphipolis"),
        game.new("cleon", seed=3),
        dict.fromkeys(game.sides, "random"),
    )
    while not any(o.key == "more_points" for o in recorder.state.decision.options):
        recorder.apply(recorder.state.decision.options[-1])
    recorder.apply("more_points")
    file = tmp_path / "a.save"
    file.write_text(recorder.save.text(), encoding="utf-8")
    granted = {
        e.params["s"]: e.number
        for e in recorder.state.events
        if e.name == "got_points" and e.params["n"] < 6
    }
    taken = max(e.number for e in recorder.state.events if e.name == "got_points")
    game_path = str(ROOT / "games" / "amphipolis")
    for side, number in granted.items():
        if number != taken:
            data = json.loads(
                run(
                    "explain",
                    str(file),
                    "--game",
                    game_path,
                    "--event",
                    str(number),
                    "--json",
                    "--as",
                    "all",
                )[1]
            )
            told = [(d["name"], d["arguments"].get("s")) for d in data["derivations"]]
            assert told == [
                ("calendar", None),
                ("season", None),
                ("pa_grant", side),
            ]  # the total of only this side, and the season that it depends on
    lines = run("explain", str(file), "--game", game_path, "--event", str(taken), "--as", "all")[
        1
    ].splitlines()
    assert lines[-1].endswith("Advantage: two more action points)  [8 (1)]")


def test_save_replay_explain(run: Run, tmp_path: Path) -> None:
    save = str(tmp_path / "a.save")
    code, out, _ = run("play", CARDS, "--seat", "random", "--seed", "4", "--save", save)
    assert code == 0
    assert "result:" in out
    code, out, _ = run("replay", save, "--game", CARDS, "--verify", "--json")
    data = json.loads(out)
    assert code == 0 and data["ok"] and data["first_difference"] is None and data["choices"] > 5
    assert "log" not in data
    told = json.loads(run("replay", save, "--game", CARDS, "--json")[1])
    rolled = next(e for e in told["log"] if e["name"] == "phase_begun")
    assert (
        set(rolled) == {"number", "name", "params", "ref", "text"}
        and len(told["log"]) == told["events"]
    )
    assert "\n2 choices, " in run("replay", save, "--game", CARDS, "--to", "2")[1]
    assert run("replay", save)[0] == 2
    assert run("explain", save, "--game", CARDS, "--event", "3")[0] == 0
    assert run("explain", save, "--game", CARDS, "--event", "99999")[0] == 2
    text = Path(save).read_text(encoding="utf-8")
    Path(save).write_text(text.replace('"choice":"pick', '"choice":"lick', 1), encoding="utf-8")
    code, _, err = run("replay", save, "--game", CARDS, "--verify")
    assert code == 1 and "a.save:3: " in err and "Traceback" not in err
    Path(save).write_text(text[: len(text) // 2], encoding="utf-8")
    assert run("replay", save, "--game", CARDS, "--verify")[0] == 0


def test_map_compile_rulings_fmt(run: Run, tmp_path: Path) -> None:
    assert run("map", SMALL)[1].startswith("<svg ")
    assert run("map", SMALL, "-o", str(tmp_path / "m.svg"))[0] == 0
    assert (tmp_path / "m.svg").read_text(encoding="utf-8").endswith("</svg>\n")
    assert (
        "def " in run("compile", SMALL, "--show")[1]
        and "def apply(" in run("compile", SMALL, "--show", "apply")[1]
    )
    shown = [
        run("compile", CHOICES, "--show", "rulings", "--ruling", f"tie_goes_to={side}")[1]
        for side in ("red", "blue")
    ]
    assert "K0 = " in shown[0] and shown[0] != shown[1]
    assert run("compile", SMALL)[0] == 0
    assert run("compile", SMALL, "--show", "no_such_name_at_all")[0] == 2
    assert "0 rulings" in run("rulings", SMALL)[1]
    assert run("fmt", SMALL, "--check")[0] in (0, 1)
    rules = tmp_path / "x.rules"
    rules.write_text("game x 1\nkind  Side decides = a|b\n", encoding="utf-8")
    assert run("fmt", str(rules), "--check")[0] == 1
    assert run("fmt", str(rules))[0] == 0
    assert run("fmt", str(rules), "--check")[0] == 0


@pytest.mark.docs("diagnostics#diagnostics")
def test_a_defect_of_ours_is_exit_3_without_a_traceback(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RULEKIT_DEBUG", raising=False)
    monkeypatch.setattr("rulekit.cli.commands.perft.game_of", lambda _: 1 // 0)
    code, _, err = run("perft", SMALL, "--depth", "1")
    assert code == 3
    assert "a defect of rulekit itself" in err and "Traceback" not in err
    monkeypatch.setenv("RULEKIT_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["perft", SMALL, "--depth", "1"])


def test_the_cache_is_rebuilt_when_damaged_and_may_be_unwritable(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "cache"
    monkeypatch.setenv("RULEKIT_CACHE", str(folder))
    assert run("perft", SMALL, "--depth", "1")[0] == 0
    files = list(folder.rglob("*.bin"))
    assert files
    for file, damage in zip(files, (b"", b"rulekit cache 1\n" + b"x" * 99), strict=False):
        file.write_bytes(damage)
    assert run("perft", SMALL, "--depth", "2")[1].split() == ["1", "9", "2", "72"]
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.setenv("RULEKIT_CACHE", str(blocked / "below"))
    assert run("perft", SMALL, "--depth", "1")[0] == 0
    monkeypatch.setenv("RULEKIT_CACHE", "")
    assert run("perft", SMALL, "--depth", "1")[0] == 0


RULINGS = str(ROOT / "games" / "sphacteria")
needs_games = pytest.mark.skipif(
    not (ROOT / "games" / "sphacteria").is_dir(), reason="the games are not here"
)


@needs_games
def test_rulings_say_what_holds_and_what_sets_it(run: Run) -> None:
    code, out, _ = run("rulings", RULINGS, "-k", "AMB-50")
    assert code == 0
    assert (
        "tie_winner  [4.2, AMB-50]" in out
        and "  * defender: the defender (default)\n    split_run" in out
    )
    assert (
        "(edition balanced)" in out
        and "because: " in out
        and "edition first: all as by default" in out
    )
    under = run("rulings", RULINGS, "-k", "AMB-50", "--edition", "balanced")[1]
    assert "    defender: the defender (default)\n  * split_run" in under
    assert "  * zone_O\n" in run("rulings", RULINGS, "-k", "AMB-05")[1]
    data = json.loads(run("rulings", RULINGS, "-k", "AMB-50", "--edition", "balanced", "--json")[1])
    assert (data["rulings"][0]["default"], data["rulings"][0]["in_force"]) == (
        "defender",
        "split_run",
    )


@needs_games
@pytest.mark.parametrize(
    "command",
    [("play",), ("simulate",), ("perft", "--depth", "1"), ("compile",), ("rulings",), ("test",)],
)
def test_an_unknown_edition_is_one_line_with_a_guess_and_the_list(
    run: Run, command: tuple[str, ...]
) -> None:
    name, *rest = command
    code, _, err = run(name, RULINGS, "--edition", "balancd", *rest)
    assert code == 2
    assert (
        err == "rulekit: sphacteria has no edition 'balancd'; it has first, balanced; did you mean"
        " 'balanced'?\n"
    )
    code, _, err = run(name, RULINGS, "--edition", "balancd", "--lang", "fr", *rest)
    assert (
        err
        == "rulekit: sphacteria n'a pas d'édition 'balancd' ; il y a first, balanced; vouliez-vous"
        " dire 'balanced' ?\n"
    )


@needs_games
def test_unknown_scenarios_rulings_and_sides_are_one_line_with_a_guess(run: Run) -> None:
    for words, told in (
        (("--scenario", "histrical"), "did you mean 'historical'?"),
        (("--ruling", "tie_winer=x"), "did you mean 'tie_winner'?"),
        (("--ruling", "tie_winner=defnder"), "did you mean 'defender'?"),
        (("--seat", "atens=random"), "did you mean 'athens'?"),
        (("--seat", "gredy"), "did you mean 'greedy'?"),
    ):
        code, _, err = run("play", RULINGS, *words)
        assert code == 2 and told in err and err.count("\n") == 1


def test_the_line_of_arguments_is_spoken_of_in_french(run: Run) -> None:
    code, out, _ = run("play", "--lang", "fr", "--help")
    assert code == 0 and "usage : rulekit play" in out and "dossier d'un jeu" in out
    code, _, err = run("play", "--lang=fr")
    assert code == 2 and "rulekit play : erreur : il manque : PATH" in err
    assert "arguments inconnus : --x" in run("play", SMALL, "--x", "--lang", "fr")[2]
    assert "veut un nombre, pas 'y'" in run("play", SMALL, "--seed", "y", "--lang", "fr")[2]


@pytest.mark.docs("situations#situations", "data-files#the-manifest")
def test_a_situation_is_played_under_an_edition(run: Run, tmp_path: Path) -> None:
    """The edition's rulings apply, except those that the situation sets."""
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: coin\ntitle: Coin\nversion: '1'\nlanguage: 1\neditions: {late:"
        " {taker: second}}\n",
        encoding="utf-8",
    )
    (tmp_path / "rulings.yaml").write_text(
        "- id: taker\n  question: Who wins?\n  ref: ['1']\n  alternatives: {early: one, second:"
        " two}\n  default: early\n  reason: a test\n",
        encoding="utf-8",
    )
    (tmp_path / "game.rules").write_text(
        'game coin 1\n\nkind Side decides = a | b\n\nphase main\n  choose by a "end"\n    option'
        " end\n  finish a, win when taker is early\n  finish b, win\n",
        encoding="utf-8",
    )
    (tmp_path / "situations").mkdir()
    case = "- name: {}\n  {}do: [{{a: end}}]\n  then: [{{result: {{winner: {}}}}}]\n"
    (tmp_path / "situations" / "s.yaml").write_text(
        case.format("As it is", "", "b")
        + case.format("Set here", "rulings: {taker: early}\n  ", "a"),
        encoding="utf-8",
    )
    assert "1 passed, 1 failed" in run("test", str(tmp_path))[1]
    assert "2 passed, 0 failed" in run("test", str(tmp_path), "--edition", "late")[1]
