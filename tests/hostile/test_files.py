"""Links, pipes, devices and endless files in the place of files of a game. No command reads or
shows them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile.hostile_case import HEAD, MAIN, MANIFEST, Command, write

SECRET = (  # neither YAML nor rules nor a table, so that every reader reports an error
    "root:x:0:0:secret [of] {somebody\n"
)
LIBRARY = MANIFEST.replace("rulekit: game", "rulekit: library").replace("hostile", "common")
Trap = Callable[[Path, Path], None]


def link(at: Path, outside: Path) -> None:
    at.symlink_to(outside / "secret")


def link_nowhere(at: Path, outside: Path) -> None:
    at.symlink_to(outside / "nothing")


def device(at: Path, outside: Path) -> None:
    at.symlink_to("/dev/zero")


def pipe(at: Path, outside: Path) -> None:
    os.mkfifo(at)


def folder(at: Path, outside: Path) -> None:
    at.mkdir()


def loop(at: Path, outside: Path) -> None:
    at.symlink_to(at)


def endless(at: Path, outside: Path) -> None:
    with at.open("wb") as file:
        file.truncate(5 << 30)


TRAPS: list[Trap] = [link, link_nowhere, device, pipe, folder, loop, endless]
PLACES = [
    "game.yaml",
    "game.rules",
    "rules/z.rules",
    "map.yaml",
    "pieces.yaml",
    "things.yaml",
    "data.yaml",
    "tables/t.csv",
    "rulings.yaml",
    "scenarios/a.yaml",
    "texts/en.yaml",
    "situations/s.yaml",
    "coverage.yaml",
    "../common/game.yaml",
    "../common/rules/a.rules",
    "../common/texts/en.yaml",
]
THOROUGHLY = ("game.yaml", "rules/z.rules", "texts/en.yaml", "situations/s.yaml")
REFUSED = ("RK101", "RK102", "RK105", "RK107", "RK140", "RK142")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder next to the game with private data, in files of every name."""
    place = tmp_path / "outside"
    write(place, {"secret": SECRET, "a.rules": SECRET, "a.yaml": SECRET})
    return place


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A sound game in a folder of its own, with a library."""
    made = tmp_path / "game"
    write(
        made,
        {
            "game.yaml": MANIFEST + "uses: [common]\n",
            "game.rules": HEAD + MAIN,
            "situations/good.yaml": "",
        },
    )
    write(tmp_path / "common", {"game.yaml": LIBRARY, "lib.rules": "kind Mood = low | high\n"})
    return made


def lay(trap: Trap, at: Path, outside: Path) -> None:
    at.parent.mkdir(exist_ok=True)
    at.unlink(missing_ok=True)
    trap(at, outside)


@pytest.mark.parametrize(
    ("trap", "place"),
    [
        (trap, place)
        for place in PLACES
        for trap in (TRAPS if place in THOROUGHLY else (link, pipe))
    ],
    ids=lambda x: getattr(x, "__name__", x),
)
def test_check_refuses_what_is_no_file_of_the_game(
    command: Command, game: Path, outside: Path, trap: Trap, place: str
) -> None:
    lay(trap, game / place, outside)
    code, text = command("check", "--situations", game)
    assert code == 1 and any(f"error[{known}]" in text for known in REFUSED), text
    assert "secret" not in text.replace("outside/secret", "")


COMMANDS: dict[str, list[str]] = {
    "test": ["test", "GAME"],
    "play": ["play", "GAME"],
    "map": ["map", "GAME"],
    "compile": ["compile", "GAME", "--show"],
    "simulate": ["simulate", "GAME", "--games", "1"],
    "rulings": ["rulings", "GAME"],
    "perft": ["perft", "GAME", "--depth", "1"],
    "texts": ["check", "GAME", "--texts", "fr"],
    "fmt": ["fmt", "GAME"],
    "fmt, by name": ["fmt", "GAME/rules/z.rules"],
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("trap", [link, pipe, endless], ids=lambda t: t.__name__)
def test_every_command_refuses_it(
    command: Command, game: Path, outside: Path, trap: Trap, words: list[str]
) -> None:
    assert command("rulings", game)[0] == 0  # the correct game is in the cache
    lay(trap, game / "rules" / "z.rules", outside)
    code, text = command(*[word.replace("GAME", str(game)) for word in words])
    assert code == 1 and "error[RK10" in text, text
    assert (outside / "secret").read_text() == SECRET and "root:" not in text


MANY = {
    "scenarios/{}.yaml": {"test", "play", "map", "simulate"},
    "rules/{}.rules": set(COMMANDS) - {"fmt, by name"},
    "situations/{}.yaml": {"test", "check"},
}


@pytest.mark.parametrize("name", MANY)
def test_a_folder_of_too_many_files_is_refused(command: Command, game: Path, name: str) -> None:
    """None of the files is read, and one line says so."""
    write(game, {name.format(f"s{i}"): "" for i in range(1001)})
    for each in MANY[name]:
        code, text = command(
            *[word.replace("GAME", str(game)) for word in COMMANDS.get(each, [each, "GAME"])]
        )
        assert code == 1 and "more than 1000 files" in text and text.count("\n") == 1, (each, text)


@pytest.mark.parametrize("trap", TRAPS, ids=lambda t: t.__name__)
@pytest.mark.parametrize("given", ["folder", "file"])
def test_situations_are_refused_by_test(
    command: Command, game: Path, outside: Path, trap: Trap, given: str
) -> None:
    at = game / "situations" / "s.yaml"
    lay(trap, at, outside)
    words = [game] if given == "folder" else ["--situations", at, "--game", game]
    code, text = command("test", *words)
    assert (code, "error[RK10" in text) == (1, True) or (
        code == 2 and "there is no file" in text
    ), text
    assert "root:" not in text


@pytest.mark.parametrize("trap", [link, pipe, endless, folder], ids=lambda t: t.__name__)
@pytest.mark.parametrize("name", ["check", "play"])
def test_an_overlay_is_refused(
    command: Command, game: Path, outside: Path, trap: Trap, name: str
) -> None:
    lay(trap, game / "overlays" / "o.yaml", outside)
    code, text = command(name, game, "--overlay", game / "overlays" / "o.yaml")
    assert (code, "error[RK10" in text) == (1, True) or (
        code == 2 and "there is no overlay" in text
    ), text
    assert "root:" not in text


@pytest.mark.parametrize("part", ["rules", "situations", "scenarios", "texts"])
def test_a_folder_elsewhere_is_neither_read_nor_written(
    command: Command, game: Path, outside: Path, part: str
) -> None:
    if part == "situations":
        shutil.rmtree(game / part)
    (game / part).symlink_to(outside)
    for words in (["check"], ["test"], *([["fmt"]] if part == "rules" else [])):
        code, text = command(*words, game)
        assert code == 1 and "error[RK107]" in text and "root:" not in text, text
    assert {path.read_text() for path in outside.iterdir()} == {SECRET}


def test_only_text_that_was_accepted_is_shown(command: Command, game: Path) -> None:
    """A finding in a binary file has a place and no excerpt."""
    write(game, {"texts/fr.yaml": b"# quiet \xff here\n"})
    code, text = command("check", game)
    assert (
        code == 1 and "error[RK103]" in text and "texts/fr.yaml:1:9" in text and "quiet" not in text
    )


def test_a_name_of_a_file_does_not_steer_the_terminal(command: Command, game: Path) -> None:
    (game / "rules").mkdir()
    for name in (b"\x1b[31mred.rules", b"\xff.rules"):
        (game / "rules" / os.fsdecode(name)).write_bytes(b"define = 1\n")
    for words in (["check"], ["fmt"], ["play"]):
        code, text = command(*words, game)
        assert code == 1 and "\x1b" not in text and "\\x1b[31mred.rules:1:" in text, text
        text.encode()


def test_a_game_is_bounded_as_a_whole(command: Command, game: Path) -> None:
    """The game has many files, each of an allowed size."""
    for part in ("texts", "situations"):
        write(game, {f"{part}/{'abcdefgh'[i]}.yaml": "# long\n" * 250_000 for i in range(8)})
        code, text = command("check", game)
        assert code == 1 and text.count("error[RK105]") == 1 and "together" in text
        shutil.rmtree(game / part)


def test_fmt_leaves_mode_and_links_alone(command: Command, game: Path) -> None:
    rules = game / "game.rules"
    rules.write_text(rules.read_text().replace("kind Side", "kind   Side"))
    rules.chmod(0o640)
    other = game / "other.rules"
    other.symlink_to(rules)
    code, text = command("fmt", game)
    assert code == 1 and "other.rules:1:1" in text and "1 changed" in text
    assert rules.stat().st_mode & 0o777 == 0o640 and other.is_symlink()
    assert sorted(path.name for path in game.iterdir()) == [
        "game.rules",
        "game.yaml",
        "other.rules",
        "situations",
    ]
