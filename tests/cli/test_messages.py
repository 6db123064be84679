"""The program's messages to a player exist in both languages: about saves, files and arguments,
wherever they are raised."""

from __future__ import annotations

import ast
import errno
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.cli.terminal.help_text import HELP
from rulekit.common.errors import RulekitError
from rulekit.common.files import FileRefused, read_plain, write_whole
from rulekit.common.i18n.messages import DOMAIN, _
from rulekit.common.i18n.reasons import error_text as said
from rulekit.engine.saves import writer
from rulekit.engine.saves.recorder import Recorder
from rulekit.engine.saves.save_format import parse_save
from tests.cli.catalogue import texts_of

FORMS = {message.msgid for message in HELP if "\n" in message.msgid}

ROOT = Path(__file__).resolve().parents[2]
SMALL = str(ROOT / "examples" / "tic_tac_toe")
ENGLISH = re.compile(
    r"\b(?:the|is|not|cannot|only|with|there|this|file|save[sd]?|line|wants|of|such|no|missing|denied|expected|asked)\b"
)

# Modules whose errors are read by authors and programs: they are in English.
FOR_AUTHORS = {
    "runner",
    "setup",
    "expectations",
    "state_reader",
    "game",
    "ranges",
    "table_names",
    "state",
    "position",
    "events",
}
SAME = {"{n} argument ({wanted})", "{n} arguments ({wanted})"}  # also in French
IN_WORDS = {"_", "gettext", "ngettext", "pgettext"}


def _texts(node: ast.AST) -> Iterator[str]:
    """Yield the English texts in an expression that are not messages."""
    if (
        isinstance(node, ast.Call)
        and getattr(node.func, "attr", getattr(node.func, "id", "")) in IN_WORDS
    ):
        return
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.search(r"[a-z]{2,} [a-z]{2,}", node.value)
    ):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from _texts(child)


def test_no_error_that_a_player_may_read_bears_a_text_of_its_own() -> None:
    """A new text is a message, so that it has a French translation."""
    found = []
    paths = [
        path
        for part in ("engine", "cli", "server")
        for path in (ROOT / "rulekit" / part).rglob("*.py")
    ]
    assert len(paths) > 150
    for path in paths:
        if path.stem not in FOR_AUTHORS:
            raised = [
                node.exc
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(node, ast.Raise) and node.exc
            ]
            found += [f"{path.stem}: {text}" for each in raised for text in _texts(each)]
    allowed = {
        "decision: there is no option ",  # an action id that no list contains, only from Python
        "names:  is not a ratio such as 3 to 2",  # in a situation
        "position_queries:  asks for nothing",  # a defect of ours
        "protocol:  does not go over the wire",
    }  # likewise
    assert set(found) <= allowed


def after_form(english: str, text: str) -> str:
    """Return an explanation of the help without the form of its command, or another text whole."""
    return text.partition("\n")[2] if english in FORMS else text


def test_the_french_of_every_message_is_french() -> None:
    for english, french in texts_of(DOMAIN, "fr"):
        plain = re.sub(
            r"^  (?:\S+ )+ +|\{[^{}|]*\}|`[^`]*`|\[[^\]]*\]|\"[^\"]*\"|--\w+",
            "",
            after_form(english, french),
        )
        assert not ENGLISH.search(plain), english
        assert (
            english != french
            or not re.search(r"[a-z]{4,}", re.sub(r"\{[^{}]*\}", "", english))
            or english in SAME
        ), english


def _saves() -> Iterator[str | bytes]:
    """Yield saves with one damage each."""
    good = (ROOT / "docs" / "example.save").read_text(encoding="utf-8")
    head, *lines = good.splitlines()
    header = json.loads(head)
    for change in (
        {"format": "x"},
        {"format_version": 99},
        {"seats": 1},
        {"game": "../x"},
        {"seed": "x"},
        {"salt": "x"},
        {"seed": "5"},
    ):
        yield "\n".join([json.dumps(header | change), *lines]) + "\n"
    yield from (
        "",
        "x",
        b"\xff\n",
        f"{head}\nx\n{lines[0]}\n",
        f"{head}\n[]\n",
        f'{head}\n{{"undo": true}}\n',
        f'{head}\n{{"events": 1}}\n',
        f'{head}\n{lines[0]}\n{{"n": 1, "events": []}}\n',
        f"{head}\n{lines[0]}\n{lines[2]}\n",
        f"{head}\n{'x' * 1_100_000}\n",
    )


def test_what_is_wrong_with_a_save_is_said_in_each_language() -> None:
    told = set()
    for text in _saves():
        with pytest.raises(rulekit.SaveError) as refused:
            parse_save(text)
        assert said("en", refused.value) == str(refused.value)
        french = said("fr", refused.value)
        assert french.startswith("save:") and not ENGLISH.search(
            re.sub(r"\"[^\"]*\"|^save", "", french)
        ), french
        told.add(french.split(" : ", 1)[1])
    assert len(told) >= 14


def _refusals(folder: Path) -> Iterator[FileRefused]:
    """Yield refusals of files of each kind."""
    (folder / "large").write_bytes(b"x" * 20)
    (folder / "link").symlink_to(folder / "large")
    (folder / "out").symlink_to("/etc/hostname")
    (folder / "inside").mkdir()
    for name, within in (
        ("none", None),
        ("inside", None),
        ("large", None),
        ("out", folder),
        ("/dev/null", None),
        ("a\0b", None),
        ("x" * 300, None),
    ):
        with pytest.raises(FileRefused) as refused:
            read_plain(folder / name, 10, within)
        yield refused.value
    with pytest.raises(FileRefused) as refused:
        write_whole(folder / "link", b"")
    yield refused.value


def test_what_is_wrong_with_a_file_is_said_in_each_language(tmp_path: Path) -> None:
    whys = set()
    for refused in _refusals(tmp_path):
        assert (
            said("en", refused).casefold() == str(refused).casefold()
            or "\0" in str(refused)
            or "null byte" in str(refused)
        )
        assert not ENGLISH.search(
            said("fr", refused).rpartition(str(tmp_path))[2].partition(" : ")[2]
        ), said("fr", refused)
        whys.add(refused.why)
    assert whys == {"missing", "outside", "special", "folder", "large", "unreadable", "link"}


def test_what_the_system_says_of_a_file_is_said_in_each_language() -> None:
    for name in (
        "ENOENT",
        "EISDIR",
        "ENOTDIR",
        "EACCES",
        "EPERM",
        "EROFS",
        "ENOSPC",
        "EDQUOT",
        "EFBIG",
        "EEXIST",
        "ELOOP",
        "ENAMETOOLONG",
        "EIO",
    ):
        error = OSError(getattr(errno, name), os.strerror(getattr(errno, name)))
        assert said("en", error) == str(error.strerror).lower()
        assert not ENGLISH.search(said("fr", error)), name


def test_the_file_of_a_game_speaks_the_language_of_the_game(tmp_path: Path) -> None:
    game = rulekit.load(SMALL, lang="fr")
    seats = {"x": "human", "o": "human"}
    save = Recorder(game, game.new(seed=3), seats).save
    other = Recorder(game, game.new(seed=4), seats).save
    path = str(tmp_path / "game")
    keeper = writer.begin(path, save, "fr")
    told = []
    for act in (
        lambda: writer.begin(path, save, "fr"),
        lambda: writer.put(path, save, "fr"),
        lambda: writer.proceed(path, "fr"),
        lambda: writer.put(str(tmp_path), save, "fr"),
        lambda: writer.put(str(tmp_path / "a" / "x"), save, "fr"),
    ):
        with pytest.raises(rulekit.SaveError) as refused:
            act()
        told.append(said("fr", refused.value))
    keeper.close()
    with pytest.raises(rulekit.SaveError) as refused:
        writer.put(path, other, "fr")
    told.append(said("fr", refused.value))
    for text in told:
        assert not ENGLISH.search(re.sub(r"`[^`]*`", "", text.replace(str(tmp_path), ""))), text
    assert len(set(told)) == 5  # two of them report that another process uses the file


@pytest.mark.parametrize(
    "words",
    [
        ("play", SMALL, "--load", "{}/none"),
        ("play", SMALL, "--load", "{}/bad"),
        ("replay", "{}/bad"),
        ("explain", "{}/none", "--event", "1"),
        ("play", SMALL, "--load", "{}/other"),
        ("play", SMALL, "--ruling", "x"),
        ("play", SMALL, "--load", "{}/seat"),
        ("play", SMALL, "--load", "{}/fit"),
        ("replay", "{}/lost"),
        ("play", SMALL, "--overlay", "{}/none"),
        ("play", SMALL, "--load", "{}/mine", "--seed", "1"),
    ],
)
def test_a_command_in_french_refuses_in_french(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = (ROOT / "docs" / "example.save").read_text(encoding="utf-8")
    for name, before, after in (
        ("bad", '"n":1', '"n":7'),
        ("other", "tic_tac_toe", "sphacteria"),
        ("seat", '"x":"random"', '"x":"nobody"'),
        ("fit", '"c":"', '"c":"z'),
        ("lost", "tic_tac_toe", "not_there"),
        ("mine", "", ""),
    ):
        (tmp_path / name).write_text(good.replace(before, after), encoding="utf-8")
    code = main([*(word.format(tmp_path) for word in words), "--lang", "fr"])
    told = capsys.readouterr().err
    assert code in (1, 2) and told.startswith("rulekit: ")
    bare = re.sub(
        r"\"[^\"]*\"|'[^']*'|--\w+", "", told.replace(str(tmp_path), "").replace(SMALL, "")
    )
    assert not ENGLISH.search(bare), told


@pytest.mark.parametrize(
    "words",
    [
        *(
            (each, "nowhere")
            for each in ("play", "test", "simulate", "map", "compile", "rulings", "fmt")
        ),
        ("perft", "nowhere", "--depth", "1"),
        ("play", "skirmsh"),
        ("simulate", SMALL, "--games", "0"),
        ("simulate", SMALL, "--jobs", "0"),
        ("simulate", SMALL, "--seat", "human"),
        ("perft", SMALL, "--depth", "0"),
        ("fmt", "nowhere.rules"),
        ("test",),
        ("test", SMALL, "--situations", "x"),
        ("test", "--situations", "nowhere", "--game", SMALL),
        ("compile", SMALL, "--show", "nowhere"),
        ("compile", SMALL, "--scenario", "nowhere"),
        ("nowhere",),
        ("simulat",),
        ("simulate", SMALL, "--games", "x"),
        ("perft", SMALL),
        ("fmt",),
        ("map", SMALL, "--bogus"),
    ],
)
def test_wrong_usage_is_said_in_french(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--lang", "fr"]) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert not ENGLISH.search(
        re.sub(r"\"[^\"]*\"|'[^']*'|--\w+|game\.yaml|FILE|PATH", "", told.replace(SMALL, ""))
    ), told
    assert not re.search(r"\b(?:did you mean|neither|wants|name a|usage)\b", told), told


def test_an_error_within_an_error_is_said_in_the_same_language() -> None:
    inner = RulekitError(_("{where}: {why}", where="x:1", why=RulekitError("whatever it is")))
    outer = RulekitError(_("choice {n}: {why}", n=3, why=inner))
    assert (said("en", outer), said("fr", outer)) == (
        "choice 3: x:1: whatever it is",
        "choix 3 : x:1 : whatever it is",
    )
