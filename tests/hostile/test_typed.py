"""Invalid typed input: strange digits, endless numbers, lines of megabytes. It is refused in one
line, without a crash."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import rulekit
from rulekit.engine.game.state import State
from rulekit.engine.notation.move_parser import choose

ROOT = Path(__file__).resolve().parents[2]
SMALL = str(ROOT / "examples" / "tic_tac_toe")
TYPED = {
    "a superscript": "²",
    "a fraction": "½",
    "an Arabic digit": "٣",
    "a circled one": "①",
    "a sign": "-",
    "minus one": "-1",
    "0": "0",
    "twenty digits": "9" * 20,
    "5,000 digits": "7" * 5000,
    "a million letters": "x" * 1_000_000,
    "a thousand words": "a1 " * 400,
    "brackets": "[" * 900,
    "a surrogate": "\ud800",
    "NUL": "a\0b",
    "an underscore": "1_0",
}
MEMORY, SECONDS = 200 << 20, 2  # in addition to the needs of starting


def group() -> State:
    """Return a decision at which a group is formed, where a line may contain numbers of the
    list."""
    state = rulekit.load(ROOT / "games" / "amphipolis").new("cleon", 7)
    while state.decision is not None and state.decision.kind == "window":
        state.apply("pass")
    state.apply("march_in")
    assert state.decision is not None and state.decision.kind == "group"
    return state


@pytest.fixture(
    scope="module", params=[lambda: rulekit.load(SMALL).new(seed=1), group], ids=["choose", "group"]
)
def asked(request: pytest.FixtureRequest) -> State:
    make: Callable[[], State] = request.param
    return make()


@pytest.mark.parametrize("text", TYPED.values(), ids=TYPED)
@pytest.mark.parametrize("form", ["{}", "#{}", "{} {}", "mark {}", "{} all"])
def test_what_is_no_choice_is_refused_and_changes_nothing(
    asked: State, text: str, form: str
) -> None:
    """A meaningless text is an IllegalChoice with a short message: alone, as `#N`, and in a line of
    several."""
    before, line = asked.clone(), form.format(text, text)
    for attempt in (asked.apply, lambda each: choose(asked, each)):
        with pytest.raises(rulekit.IllegalChoice) as refused:
            attempt(line)
        assert len(str(refused.value)) < 4000
        assert asked == before


@pytest.mark.parametrize(
    "number",
    ["²", "7" * 5000, "9" * 10, "1_0", "1e3", "", 2**31, 10**5000, 2.5],
    ids=lambda each: type(each).__name__,
)
def test_an_argument_that_is_no_number_of_the_language_is_refused(number: object) -> None:
    """Arguments of totals and set values are integers of 31 bits. Nothing else enters a state."""
    state = rulekit.load(ROOT / "examples" / "skirmish").new(seed=1)
    with pytest.raises(rulekit.RulekitError):
        state.set("points.red", number)


def commands(*lines: str) -> tuple[int, str, str]:
    """Return the result of `play` for some lines, with limits on memory and time."""
    program = (
        "import resource, sys\nfrom rulekit.cli.main import main\nimport"
        " rulekit.cli.terminal.session, rulekit.cli.commands.play\nimport"
        " rulekit.engine.saves.recorder, rulekit.project.loader\nsize ="
        " int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize() +"
        f" {MEMORY}\nresource.setrlimit(resource.RLIMIT_AS, (size,"
        f" size))\nresource.setrlimit(resource.RLIMIT_CPU, ({SECONDS + 2},"
        f" {SECONDS + 2}))\nsys.exit(main(['play', {SMALL!r}, '--quiet', '--seed', '1']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input="\n".join(lines).encode("utf-8", "surrogateescape"),
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_every_command_takes_every_text() -> None:
    """The game continues whatever follows a command of the prompt."""
    words = (
        "why",
        "log",
        "total",
        "find",
        "board",
        "options",
        "skip",
        "auto",
        "undo",
        "redo",
        "map",
        "more",
        "pourquoi",
        "journal",
    )
    texts = (
        "²",
        "٣",
        "-1",
        "0",
        "9" * 20,
        "7" * 5000,
        "#²",
        "#" + "9" * 30,
        "x" * 10_000,
        "a\0b",
        "\udcff\udcfe",
    )
    code, out, err = commands(*(f"{word} {text}" for word in words for text in texts), "a1", "quit")
    assert (code, err) == (0, "")
    assert out.endswith("the game is left\n") and "marked: c a1" in out


@pytest.mark.parametrize(
    "line",
    ["x" * 10_000_000, "1" * 10_000_000, "a1 " * 3_000_000, "\udcff" * 100],
    ids=["letters", "digits", "words", "no text"],
)
def test_a_choice_of_megabytes_is_refused(line: str) -> None:
    """A line longer than any choice is refused in one line. The rest of it is not stored or
    printed."""
    code, out, err = commands(line, "quit")
    assert code == 1 and len(out) < 2000
    assert err.startswith("rulekit: ") and err.count("\n") == 1


def test_an_input_without_an_end_of_its_line_is_left() -> None:
    """A device with endless characters is read only up to a bound."""
    with open("/dev/zero", "rb") as endless:
        for words in (("play", SMALL, "--quiet"), ("fmt", "-")):
            done = subprocess.run(
                [sys.executable, "-m", "rulekit", *words],
                stdin=endless,
                capture_output=True,
                check=False,
                timeout=60,
            )
            assert (
                done.returncode == 1 and b"Traceback" not in done.stderr and len(done.stderr) < 2000
            ), words


def test_a_closed_input_is_one_that_has_ended() -> None:
    """A program without standard input has empty input."""
    for words in (f"play {SMALL} --quiet", "fmt -"):
        done = subprocess.run(
            ["/bin/sh", "-c", f"exec '{sys.executable}' -m rulekit {words} <&-"],
            capture_output=True,
            check=False,
        )
        assert done.returncode < 2 and b"defect" not in done.stderr, (words, done.stderr)


def test_a_terminal_that_lacks_characters_gets_their_codes() -> None:
    """This includes French in an encoding without accents."""
    done = subprocess.run(
        [sys.executable, "-m", "rulekit", "play", SMALL, "--seat", "random", "--lang", "fr"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (0, b"") and rb"\xe9" in done.stdout


def test_a_wrong_argument_does_not_steer_the_terminal() -> None:
    """Quotations of the line by argparse have no control characters."""
    for lang in ("en", "fr"):
        done = subprocess.run(
            [sys.executable, "-m", "rulekit", "play", SMALL, "--lang", lang, "--\x1b[31m"],
            capture_output=True,
            check=False,
        )
        assert done.returncode == 2 and b"\x1b" not in done.stderr and b"\\x1b[31m" in done.stderr


def test_what_is_echoed_from_a_pipe_does_not_steer_the_terminal(tmp_path: Path) -> None:
    """Choices, commands and file names of other people are printed without characters that move the
    cursor."""
    words = (
        "find",
        "why",
        "total",
        "options",
        "board",
        "log",
        "load",
        "skip",
        "save a",
        "auto pass",
        "help",
        "",
    )
    lines = "".join(f"{word} \x1b[2J\u202e\n" for word in words)
    done = subprocess.run(
        [sys.executable, "-m", "rulekit", "play", SMALL, "--quiet"],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        timeout=60,
    )
    told = done.stdout + done.stderr
    assert done.returncode == 1 and told.count("x1b[2J") > len(words)
    assert all(each.isprintable() or each == "\n" for each in told), ascii(told)
