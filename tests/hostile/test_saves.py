"""Invalid and forged saves: every command that reads a save refuses them in one line, and does not
change them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

import rulekit
from rulekit.engine.saves.save_format import MAX_SAVE_BYTES
from tests.hostile.hostile_case import Command

ROOT = Path(__file__).resolve().parents[2]
SMALL = str(ROOT / "examples" / "tic_tac_toe")
SALT = "0" * 32
SETUP = '{"n":0,"events":[["phase_begun",{"phase":"main"}]]}\n'
FIRST = '{"n":1,"by":"x","choice":"mark a1","events":[["marked",{"c":"a1","s":"x"}]]}\n'


@cache
def rules() -> str:
    """Return the digest of the game's rules."""
    return rulekit.load(SMALL).program().rules


def head(**changes: object) -> str:
    """Return a valid header with changes. The digest of the rules is filled in when it is
    written."""
    seed = str(changes.get("seed", "7"))
    made = {
        "format": "rulekit-save",
        "format_version": 2,
        "game": "tic_tac_toe",
        "game_version": "1.0",
        "rules": "RULES",
        "scenario": "standard",
        "rulings": {},
        "seats": {"x": "human", "o": "human"},
        "commitment": sha256(f"rulekit {SALT} {seed}".encode("utf-8", "replace")).hexdigest(),
        "salt": SALT,
        "seed": seed,
    }
    return json.dumps(made | changes) + "\n"


def choice(text: str) -> str:
    return '{"n":1,"by":"x","choice":' + json.dumps(text) + ',"events":[]}\n'


def filled(unit: str, before: str, after: str, size: int) -> str:
    return before + unit * ((size - len(before) - len(after)) // len(unit)) + after


LINE = 1 << 20
SAVES: dict[str, str | bytes] = {
    "nothing": "",
    "a line's end": "\n",
    "NUL": b"\0" * 1000,
    "not UTF-8": b"\xff\xfe{}",
    "UTF-16": (head() + SETUP).encode("utf-16"),
    "two byte order marks": "\ufeff\ufeff" + head() + SETUP,
    "200,000 brackets": "[" * 200_000,
    "200,000 braces": '{"a":' * 200_000,
    "brackets in a line": head() + SETUP + "[" * 200_000 + "\n",
    "brackets in an event": (
        head() + '{"n":0,"events":[["a",{"a":' + "[" * 100_000 + "]" * 100_000 + "}]]}\n"
    ),
    "a list": "[]\n",
    "null": "null\n",
    "a number": "7\n",
    "a number of 5,000 digits": "7" * 5000 + "\n",
    "another format": head(format="else"),
    "a version to come": head(format_version=3),
    "version true": head(format_version=True),
    "version of 5,000 digits": (
        head().replace('"format_version": 2', '"format_version": ' + "2" * 5000)
    ),
    "version []": head(format_version=[]),
    "version 2.0": head(format_version=2.0),
    "NaN": head().replace('"7"', "NaN"),
    "game is a path": head(game="../../etc"),
    "game is absolute": head(game="/etc"),
    "game is NUL": head(game="a\0b"),
    "game is long": head(game="a" * 10_000),
    "game is a surrogate": head(game="\ud800"),
    "game is another": head(game="chess"),
    "scenario unknown": head(scenario="none"),
    "scenario a surrogate": head(scenario="\udfff"),
    "rulings a list": head(rulings=[]),
    "ruling unknown": head(rulings={"a": "b"}),
    "ruling is a list": head(rulings={"a": []}),
    "many rulings": head(rulings={str(i): "a" for i in range(70_000)}),
    "seats unknown": head(seats={"x": "human", "o": "nobody"}),
    "seats a text": head(seats="human"),
    "seats of others": head(seats={"z": "human"}),
    "seed a word": head(seed="seven"),
    "seed a superscript": head(seed="²"),
    "seed of 5,000 digits": head(seed="7" * 5000),
    "seed beyond": head(seed=str(2**128)),
    "seed a number": head().replace('"seed": "7"', '"seed": 7'),
    "seed null": head(seed=None),
    "salt empty": head(salt=""),
    "another commitment": head(commitment="0" * 64),
    "steering": head(scenario="\x1b[2J"),
    "an empty line": head() + "\n" + SETUP,
    "no object": head() + SETUP + "7\n",
    "undo of nothing": head() + SETUP + '{"undo":true}\n',
    "no line of the set-up": head() + FIRST,
    "an undo with a choice": (
        head() + SETUP + FIRST + '{"undo":true,"n":2,"by":"o","choice":"mark b1"}\n'
    ),
    "a key twice": head().replace('"game":', '"game":"hex","game":') + SETUP,
    "a choice that is none": head() + SETUP + choice("mark z9"),
    "a number for a choice": head() + SETUP + choice("1" * 900),
    "a superscript": head() + SETUP + choice("#²"),
    "a number without end": head() + SETUP + choice("#" + "9" * 900),
    "a choice of 100 kB": head() + SETUP + choice("x" * 100_000),
    "a choice that steers": head() + SETUP + choice("\x1b[2J"),
    "a choice is a surrogate": head() + SETUP + choice("\ud800"),
    "a choice is a number": head() + SETUP + FIRST.replace('"mark a1"', "5"),
    "an event that steers": head() + SETUP + FIRST.replace('"marked"', '"\\u001b[2J"'),
    "an event is a surrogate": head() + SETUP + FIRST.replace('"a1","s"', '"\\ud800","s"'),
    "a key of an event is a surrogate": head() + SETUP + FIRST.replace('"s":', '"\\ud800":'),
    "a value of an event in a list steers": (
        head() + SETUP + FIRST.replace('"a1","s"', '["\\u009b2J"],"s"')
    ),
    "n is true": head() + SETUP + FIRST.replace('"n":1', '"n":true'),
    "the game's version steers": head(game_version="\x1b[31m", rules="0"),
    "the game's version is a surrogate": head(game_version="\ud800", rules="0"),
    "the game's version is a list": head(game_version=["1.0"]),
    "n is a text": head() + SETUP + FIRST.replace('"n":1', '"n":"1"'),
    "n of 5,000 digits": head() + SETUP + FIRST.replace(":1,", ":" + "1" * 5000 + ","),
    "events a text": head() + SETUP + FIRST.replace('[["marked",{"c":"a1","s":"x"}]]', '"none"'),
    "a choice after the end": (
        head()
        + SETUP
        + "".join(
            f'{{"n":{n},"by":"{"xo"[n % 2 - 1]}","choice":"mark {c}","events":[]}}\n'
            for n, c in enumerate(("a1", "b1", "a2", "b2", "a3", "b3"), 1)
        )
    ),
    "a line of 2 MB": head() + SETUP + "x" * (2 << 20) + "\n",
    "lists": filled("[],", '{"n":0,"events":[', "[]]}\n", LINE),
    "objects": filled('["a",{}],', head() + '{"n":0,"events":[', '["a",{}]]}\n', LINE),
    "numbers": filled("300,", head() + '{"n":0,"events":[["a",{"a":[', "1]}]]}\n", LINE),
    "lines without end": filled("\n", head() + SETUP, "", MAX_SAVE_BYTES),
    "lists, as many as may be": (
        head() + SETUP + filled('["a",{"a":[]}],', '{"undo":true,"events":[', "[]]}\n", LINE) * 9
    )[:MAX_SAVE_BYTES],
    "choices, as many as may be": (
        head()
        + SETUP
        + "".join(
            f'{{"n":{n},"by":"x","choice":"a","events":[["a",{{"a":1}}]]}}\n'
            for n in range(1, 35_000)
        )
    ),
    "more than may be": filled('{"undo":true}\n', head() + SETUP, "", MAX_SAVE_BYTES + 1000),
}
COMMANDS: dict[str, Callable[[str], tuple[str, ...]]] = {
    "play": lambda file: ("play", SMALL, "--load", file),
    "play on": lambda file: ("play", SMALL, "--load", file, "--save", file),
    "replay": lambda file: ("replay", file, "--game", SMALL),
    "replay, game by name": lambda file: ("replay", file),
    "verify": lambda file: ("replay", file, "--game", SMALL, "--verify", "--json"),
    "analyse": lambda file: ("analyse", file, "--game", SMALL, "--visits", "1"),
    "explain": lambda file: ("explain", file, "--game", SMALL, "--event", "0"),
}
# Commands that only show a game ignore who played it. They report differences between the record
# and the replay, but not as errors.
HARMLESS = ("seats unknown", "seats of others")
TOLD = (
    *HARMLESS,
    "a choice after the end",
    "a choice that is none",
    "numbers",
)  # of the second, that its name may be one of before


@pytest.mark.parametrize("name", SAVES)
def test_what_is_no_save_is_refused_in_a_line(command: Command, tmp_path: Path, name: str) -> None:
    """The exit code is 1 or 2, and a line says where. The file is unchanged, with nothing next to
    it."""
    content = SAVES[name]
    raw = (
        content
        if isinstance(content, bytes)
        else content.replace("RULES", rules(), 1).encode("utf-8", "surrogatepass")
    )
    file = tmp_path / "a.save"
    file.write_bytes(raw)
    for what, words in COMMANDS.items():
        if len(raw) > 300_000 and what not in ("play on", "verify"):
            continue  # they read the file in the same way
        code, text = command(*words(str(file)))
        if what.startswith("play") or name not in (HARMLESS if what == "verify" else TOLD):
            assert code in (1, 2), (what, text)
        assert "defect" not in text and "Traceback" not in text, (what, text)
        if code:
            assert (len(text) < 3000 or text.startswith("{")) and text.replace(
                "\n", ""
            ).isprintable(), (what, text)
        assert file.read_bytes() == raw and [p.name for p in tmp_path.iterdir()] == ["a.save"]


@pytest.mark.parametrize(
    "name",
    [
        "/dev/zero",
        "/dev/null",
        "/dev/stdin",
        "pipe",
        "folder",
        "loop",
        "nothing",
        "large",
        "a\0b",
        "x" * 300,
    ],
)
def test_what_is_no_plain_file_is_not_opened(command: Command, tmp_path: Path, name: str) -> None:
    """A device, a pipe, a folder and a file of 5 GB are refused at once, and nothing is written to
    them."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    with open(tmp_path / "large", "wb") as file:
        file.truncate(5 << 30)
    path = name if name.startswith("/") else f"{tmp_path}/{name}"
    for words in (
        *(words(path) for words in COMMANDS.values()),
        ("play", SMALL, "--save", path, "--seat", "random"),
    ):
        if name == "nothing" and "--load" not in words and words[0] == "play":
            continue  # this command creates a save
        code, text = command(*words)
        assert code in (1, 2) and text.startswith("rulekit: ") and text.count("\n") == 1, (
            words,
            text,
        )
        assert "defect" not in text
    assert not [p for p in tmp_path.iterdir() if p.name.endswith(".lock")]
