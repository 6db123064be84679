"""Line editing at a terminal: completion, history, colours, with and without their libraries. These
tests run in a pseudo terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.terminal.completion import COMMANDS, Offers
from rulekit.cli.terminal.help_text import helptext
from rulekit.common.i18n.languages import LANGUAGES
from rulekit.engine.knowledge.observation import Observer
from rulekit.runtime.cache_folders import folder

pexpect = pytest.importorskip("pexpect")
pytest.importorskip("prompt_toolkit")
pytest.importorskip("rich")
ROOT = Path(__file__).resolve().parents[2]
SMALL, SKIRMISH, SECRETS = (
    str(ROOT / name)
    for name in ("examples/tic_tac_toe", "examples/skirmish", "tests/fixtures/secrets")
)
START = "from rulekit.cli.main import main; import sys; sys.exit(main(sys.argv[1:]))"
BARE = f"import sys; sys.modules['prompt_toolkit'] = None; sys.modules['rich'] = None; {START}"
READY = r"\S*>(?: |\x1b.*?\x1b\[\?25h)"  # the end of a prompt, and the editor is ready
Open = Callable[..., "pexpect.spawn"]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Open]:
    """Opens `rulekit play` in a pseudo terminal. The user's files, except compiled games, are in a
    folder of the test."""
    opened, compiled = [], str(folder() or "")

    def call(*words: str, code: str = START, **env: str) -> pexpect.spawn:
        around = {
            **os.environ,
            "TERM": "xterm-256color",
            "PROMPT_TOOLKIT_NO_CPR": "1",
            "XDG_STATE_HOME": str(tmp_path),
            "HOME": str(tmp_path),
            "RULEKIT_CACHE": compiled,
            **env,
        }
        if "NO_COLOR" not in env:
            around.pop("NO_COLOR", None)
        child = pexpect.spawn(
            sys.executable,
            ["-c", code, "play", *words],
            env=around,
            encoding="utf-8",
            dimensions=(40, 100),
            timeout=300,
            cwd=ROOT,
        )
        opened.append(child)
        return child

    yield call
    for child in opened:
        child.close(force=True)


def leave(child: pexpect.spawn) -> str:
    """End the game with `quit` and return the rest of the output."""
    child.send("quit\r")
    child.expect("the game is left")
    rest = str(child.before)
    child.expect(pexpect.EOF)
    return rest


def test_tab_completes_an_option_and_enter_takes_it(terminal: Open) -> None:
    child = terminal(SMALL)
    child.expect(f"x{READY}")
    child.send("mar\t")
    child.expect("mark")
    child.send(" b2\r")
    child.expect(f"o{READY}")
    leave(child)


def test_tab_shows_what_may_come_next(terminal: Open) -> None:
    child = terminal(SMALL)
    child.expect(f"x{READY}")
    child.send("mark c\t")
    child.expect("c1")
    child.expect("c3")
    child.sendcontrol("u")
    leave(child)


def test_lines_are_remembered_from_one_run_to_the_next(terminal: Open, tmp_path: Path) -> None:
    child = terminal(SMALL)
    child.expect(f"x{READY}")
    child.send("find a2\r")
    child.expect("a2")
    child.expect(f"x{READY}")
    leave(child)
    [kept] = tmp_path.rglob("play.history")
    assert "+find a2\n" in kept.read_text(encoding="utf-8") and kept.stat().st_mode & 0o077 == 0
    again = terminal(SMALL)
    again.expect(f"x{READY}")
    again.send("\x1b[A\x1b[A")  # `quit`, then the line before it
    again.expect("find a2")
    again.send("\r")
    again.expect(f"x{READY}")
    leave(again)


def test_where_two_must_not_know_the_same_nothing_is_kept(terminal: Open, tmp_path: Path) -> None:
    child = terminal(SECRETS)
    child.expect("press Enter")
    child.send("\r")
    child.expect(f"(red|blue){READY}")
    child.send("find r1\r")
    child.expect(f"(red|blue){READY}")
    leave(child)
    assert list(tmp_path.rglob("play.history")) == []


def test_sides_have_their_colours_unless_one_wants_none(terminal: Open) -> None:
    coloured = terminal(SKIRMISH, "--seat", "blue=random")
    coloured.expect(READY)
    assert "\x1b[1;38;5;231;48;5;" in coloured.before
    leave(coloured)
    plain = terminal(SKIRMISH, "--seat", "blue=random", NO_COLOR="1")
    plain.expect(READY)
    assert "48;5;" not in plain.before and "38;5;" not in plain.before
    leave(plain)


def test_without_the_libraries_it_plays_as_well_and_says_what_is_missing(terminal: Open) -> None:
    child = terminal(SMALL, code=BARE)
    child.expect(r"pip install 'rulekit\[terminal\]'")
    child.expect("x> ")
    child.send("b2\r")
    child.expect("o> ")
    assert "\x1b[" not in str(child.before)
    leave(child)


def test_a_long_list_of_lines_ends_at_ctrl_d(terminal: Open) -> None:
    child = terminal(SMALL)
    child.expect(f"x{READY}")
    child.sendeof()
    child.expect("the game is left")


def test_ctrl_c_leaves_a_line_and_twice_on_an_empty_one_ends_the_game(terminal: Open) -> None:
    """If the game is not saved, the first Ctrl-C explains how to save it."""
    child = terminal(SMALL)
    child.expect(f"x{READY}")
    child.send("mark b2")
    child.expect("b2")
    child.sendcontrol("c")
    child.send("find a1\r")
    child.expect("a1.*\n")
    child.expect(f"x{READY}")
    child.sendcontrol("c")
    child.expect("save FILE")
    child.expect(f"x{READY}")
    child.sendcontrol("c")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def test_lines_that_are_pasted_are_taken_one_by_one(terminal: Open) -> None:
    child = terminal(SMALL, "--quiet")
    child.expect(f"x{READY}")
    child.send("\x1b[200~mark a1\n# a remark\nmark b2\nmark c3\x1b[201~\r")
    child.expect(f"o{READY}")
    child.send("log 3\r")
    child.expect("a1[^$]*b2[^$]*c3")
    leave(child)


# ------------------------------------------------------------------------ completions
def words(game: str, line: str, lang: str = "en", who: str | None = None) -> list[str]:
    state = rulekit.load(game, lang=lang).new(None, 7)
    side = state.names.side(who or state.decision.player)
    return [
        word.text for word in Offers(state, side, Observer(state, side).options()).words(line)[1]
    ]


def test_every_command_is_completed_in_its_language() -> None:
    """Each of them is in the help."""
    for lang in LANGUAGES:
        commands = [command.text(lang) for command in COMMANDS]
        offered = words(SKIRMISH, "", lang)
        assert set(commands) <= set(offered)
        assert [
            command for command in commands if command.split()[0] not in helptext(lang, 100)
        ] == []


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("mark a", ["a1", "a2", "a3"]),
        ("mark a2", ["a2"]),
        ("why mark c", ["c1", "c2", "c3"]),
        ("mark a1 ", []),
        ("MARK b", ["b1", "b2", "b3"]),
        ("replay n", ["next"]),
        ("nonsense ", []),
        ("sin", ["since"]),
    ],
)
def test_words_go_on_as_the_options_do(line: str, wanted: list[str]) -> None:
    assert words(SMALL, line) == wanted


def test_pieces_and_places_are_completed_where_they_may_stand() -> None:
    assert words(SKIRMISH, "march ")[:3] == ["F1", "F2", "H1"]
    assert "to" in words(SKIRMISH, "march H1 ") and "H1" not in words(SKIRMISH, "march H1 ")
    assert words(SKIRMISH, "march H1 to f") == ["ford"]
    assert words(SKIRMISH, "paths H")[:1] == ["H1"] and words(SKIRMISH, "find hi")[:1] == ["hill"]
    assert words(SKIRMISH, "total march") == ["march_cost"]


def test_nothing_is_completed_that_one_may_not_know() -> None:
    for who, own, other in (("red", "r", "b"), ("blue", "b", "r")):
        for line in ("find ", "paths ", "board "):
            offered = words(SECRETS, line, who=who)
            assert {f"{own}{n}" for n in (1, 2, 3)} <= set(offered) and not {
                f"{other}{n}" for n in (1, 2, 3)
            } & set(offered)


def test_files_are_completed(tmp_path: Path) -> None:
    (tmp_path / "one.save").touch()
    assert words(SMALL, f"load {tmp_path}/o") == [f"{tmp_path}/one.save"]
