"""Unread files of a folder: probable parts of the game are reported with advice, others are not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.folder_inventory import (
    MAX_REPORTED,
    manifest_like,
    report_strays,
    strays,
)
from rulekit.compiler.source.locate import game_files, situation_files
from rulekit.project.loader import Loader
from tests.commands import ran

ROOT = Path(__file__).resolve().parents[3]
GAMES = sorted(
    p.parent
    for folder in ("games", "examples", "tests/fixtures")
    for p in (ROOT / folder).glob("*/game.yaml")
)
SITUATION = "- name: one\n  then: [{turn: 1}]\n"
SCENARIO = "name: dusk\ndeploy: {}\n"
TEXTS = "option.day.march: Marcher\n"
MAP = "places:\n  kind: Zone\n"

# An object in the folder: its path, its content, and the warning about it (the path, and the help).
SLIPS = [
    ("situations/rules.yml", SITUATION, "situations/rules.yml", "rename it to rules.yaml"),
    (
        "situations/rules.yaml.txt",
        SITUATION,
        "situations/rules.yaml.txt",
        "rename it to rules.yaml",
    ),
    ("situations/rules.json", "[]", "situations/rules.json", "rename it to rules.yaml"),
    ("situations/RULES.YAML", SITUATION, "situations/RULES.YAML", "rename it to RULES.yaml"),
    ("situations/.rules.yaml", SITUATION, "situations/.rules.yaml", "rename it to rules.yaml"),
    (
        "situations/combat/one.yaml",
        SITUATION,
        "situations/combat/one.yaml",
        "move it to situations/one.yaml",
    ),
    ("situation/one.yaml", SITUATION, "situation", "rename it to 'situations'"),
    ("tests/one.yaml", SITUATION, "tests", "rename it to 'situations'"),
    ("Situations/one.yaml", SITUATION, "Situations", "rename it to 'situations'"),
    ("checks/one.yaml", SITUATION, "checks/one.yaml", "move it to situations/one.yaml"),
    ("situations.yaml", SITUATION, "situations.yaml", "move it to situations/situations.yaml"),
    ("march.yaml", SITUATION, "march.yaml", "move it to situations/march.yaml"),
    ("scenario/dusk.yaml", SCENARIO, "scenario", "rename it to 'scenarios'"),
    ("setups/dusk.yaml", SCENARIO, "setups", "rename it to 'scenarios'"),
    ("dusk.yaml", SCENARIO, "dusk.yaml", "move it to scenarios/dusk.yaml"),
    ("scenarios/dusk.yml", SCENARIO, "scenarios/dusk.yml", "rename it to dusk.yaml"),
    ("tables/dusk.yaml", SCENARIO, "tables/dusk.yaml", "move it to scenarios/dusk.yaml"),
    ("text/fr.yaml", TEXTS, "text", "rename it to 'texts'"),
    ("locales/fr.yaml", TEXTS, "locales", "rename it to 'texts'"),
    ("fr.yaml", TEXTS, "fr.yaml", "move it to texts/fr.yaml"),
    ("tabels/x.csv", "a,b\n1,2\n", "tabels", "rename it to 'tables'"),
    ("table/x.csv", "a,b\n1,2\n", "table", "rename it to 'tables'"),
    ("outcome.csv", "a,b\n1,2\n", "outcome.csv", "move it to tables/outcome.csv"),
    ("tables/x.CSV", "a,b\n1,2\n", "tables/x.CSV", "rename it to x.csv"),
    ("tables/x.tsv", "a\tb\n", "tables/x.tsv", "rename it to x.csv"),
    ("tables/x.xlsx", "", "tables/x.xlsx", "export it as tables/x.csv"),
    ("overlay/mine.yaml", "fixed: {a: 1}\n", "overlay", "rename it to 'overlays'"),
    ("game.rule", "kind kind\n", "game.rule", "game.rules is read"),
    ("more.rules.txt", "kind kind\n", "more.rules.txt", "rename it to more.rules"),
    ("rules.txt", "# mine\ngame mine 1\nphase main\n", "rules.txt", "rename it to rules.rules"),
    ("rules/more.rule", "kind kind\n", "rules/more.rule", "rename it to more.rules"),
    ("rules/more.RULES", "kind kind\n", "rules/more.RULES", "rename it to more.rules"),
    (
        "rules/deep/more.rules",
        "kind kind\n",
        "rules/deep/more.rules",
        "move it to rules/more.rules",
    ),
    ("Rules/more.rules", "kind kind\n", "Rules", "rename it to 'rules'"),
    ("src/more.rules", "kind kind\n", "src", "rename it to 'rules'"),
    ("parts/more.rules", "kind kind\n", "parts/more.rules", "move it to rules/more.rules"),
    ("scenarios/more.rules", "kind kind\n", "scenarios/more.rules", "move it to rules/more.rules"),
    ("drawing.yml", "sides: {}\n", "drawing.yml", "rename it to drawing.yaml"),
    ("Drawing.yaml", "sides: {}\n", "Drawing.yaml", "rename it to drawing.yaml"),
    ("ruling.yaml", "- id: x\n  question: y\n", "ruling.yaml", "rename it to rulings.yaml"),
    (
        "counters.yaml",
        "kind: Piece\nplace: zone\nmembers: {}\n",
        "counters.yaml",
        "rename it to pieces.yaml",
    ),
    ("weather.yaml", "kind: Weather\nmembers: {}\n", "weather.yaml", "rename it to things.yaml"),
    ("map (1).yaml", MAP, "map (1).yaml", "rename it to map.yaml"),
    ("data/map.yaml", MAP, "data/map.yaml", "move it to map.yaml beside game.yaml"),
    (".map.yaml", MAP, ".map.yaml", "rename it to map.yaml"),
    ("strange.yaml", "one: two\n", "strange.yaml", "the files of a game are game.yaml"),
]
QUIET = [
    "README.md",
    "README",
    "LICENSE",
    "LICENCE.txt",
    "CHANGELOG.yaml",
    "notes.txt",
    "board.png",
    "rules/README.md",
    "rules/notes.txt",
    "map.yaml~",
    "map.yaml.bak",
    "map.yaml.orig",
    ".map.yaml.swp",
    "._map.yaml",
    ".#map.yaml",
    "rules/.#more.rules",
    "#map.yaml#",
    ".git/config",
    ".git/rules/x.rules",
    ".vscode/settings.json",
    ".gitignore",
    ".editorconfig",
    ".pre-commit-config.yaml",
    ".DS_Store",
    "Thumbs.db",
    "package.json",
    "docker-compose.yml",
    "mkdocs.yml",
    "old/map.yaml",
    "notes/x.rules",
    "docs/map.yaml",
    "art/board.svg",
    "sweeps/more.yaml",
    "tables/x.md",
    "texts/glossary.txt",
    "overlays/mine.yml",
    "pyproject.toml",
    "tests/test_mine.py",
    "photos/board.jpg",
    "research/plain.csv",
    "node_modules/a/data.yaml",
]


def folder(tmp_path: Path, *files: tuple[str, str]) -> Path:
    game = tmp_path / "mine"
    shutil.copytree(ROOT / "examples" / "tic_tac_toe", game)
    for name, text in files:
        (game / name).parent.mkdir(parents=True, exist_ok=True)
        (game / name).write_text(text, encoding="utf-8")
    return game


@pytest.mark.parametrize(("name", "text", "at", "help"), SLIPS, ids=[slip[0] for slip in SLIPS])
def test_a_slip_in_a_name_is_told_with_its_mend(
    name: str, text: str, at: str, help: str, tmp_path: Path
) -> None:
    game = folder(tmp_path, (name, text))
    found = list(strays(game))
    assert [stray.path.relative_to(game).as_posix() for stray in found] == [at]
    assert help in found[0].help and "is not read" in found[0].message
    assert (found[0].holds is not None) == found[0].message.startswith("the folder ")


@pytest.mark.parametrize(
    ("name", "text", "at", "help"),
    [slip for slip in SLIPS if slip[3].startswith(("rename", "move"))],
    ids=str,
)
def test_what_is_renamed_as_told_is_read(
    name: str, text: str, at: str, help: str, tmp_path: Path
) -> None:
    """After following the advice there is no finding, and the file is read."""
    game = folder(tmp_path, (name, text))
    target = (
        help.removeprefix("rename it to ")
        .removeprefix("move it to ")
        .removesuffix(" beside game.yaml")
        .strip("'")
    )
    there = (game / at).parent / target if help.startswith("rename") else game / target
    there.parent.mkdir(parents=True, exist_ok=True)
    (game / at).rename(there)
    assert not list(strays(game))
    new = there if there.is_file() else next(there.iterdir())
    assert new in [*game_files(game), *situation_files(game)] or new.parent.name == "overlays"


@pytest.mark.parametrize("name", QUIET)
def test_what_is_something_else_is_not_told(name: str, tmp_path: Path) -> None:
    assert not list(strays(folder(tmp_path, (name, "one: two\n"))))


@pytest.mark.parametrize("game", GAMES, ids=lambda p: p.name)
def test_nothing_is_unread_in_the_games(game: Path) -> None:
    assert not list(strays(game))


@pytest.mark.parametrize(
    ("stem", "help"),
    [
        ("fr", ""),
        ("pt-BR", ""),
        ("grc", ""),
        ("zh-Hans", ""),
        ("french", "rename it to fr.yaml"),
        ("deutsch", "rename it to de.yaml"),
        ("EN", "rename it to en.yaml"),
        ("fr_FR", "rename it to fr.yaml"),
        ("messages", "name it by the code of its language"),
        ("en.old", "name it by the code"),
        ("1", "name it by the code"),
        ("gr", "rename it to el.yaml"),
        ("jp", "rename it to ja.yaml"),
        ("cz", "rename it to cs.yaml"),
        ("dk", "rename it to da.yaml"),
        ("cn-Hans", "rename it to zh.yaml"),
        ("xx", "name it by the code"),
        ("sh", ""),
        ("el", ""),
        ("uk", ""),
    ],
)
def test_texts_are_named_by_the_code_of_a_language(stem: str, help: str, tmp_path: Path) -> None:
    found = list(strays(folder(tmp_path, (f"texts/{stem}.yaml", TEXTS))))
    assert [stray.code for stray in found] == (["RK147"] if help else [])
    assert all(help in stray.help for stray in found)


def test_a_library_has_its_own_told_and_a_game_those_of_its_libraries(tmp_path: Path) -> None:
    library, game = tmp_path / "common", folder(tmp_path)
    library.mkdir()
    (library / "game.yaml").write_text(
        'rulekit: library\nname: common\ntitle: Common\nversion: "1"\nlanguage: 1\n',
        encoding="utf-8",
    )
    (library / "game.rules").write_text("library common 1\n", encoding="utf-8")
    (library / "thing.yaml").write_text("kind: A\nmembers: {}\n", encoding="utf-8")
    with (game / "game.yaml").open("a", encoding="utf-8") as manifest:
        manifest.write("uses: [common]\n")
    for each in (library, game):
        told = Loader(each).findings()
        assert [(d.code, d.span.file.rpartition("/")[2], d.help) for d in told] == [
            ("RK146", "thing.yaml", "rename it to things.yaml")
        ]


def test_what_nobody_reads_is_told_of_a_game_that_was_found_sound(tmp_path: Path) -> None:
    game = folder(tmp_path)
    assert not Loader(game).findings()
    (game / "map.yml").write_text(MAP, encoding="utf-8")
    assert [d.code for d in Loader(game).findings()] == ["RK146"]
    assert ran("check", str(game))[0] == 0 and ran("check", "--strict", str(game))[0] == 1


def test_a_faulty_game_has_it_told_too(tmp_path: Path) -> None:
    """The missing rules may be in the unread file."""
    game = folder(tmp_path)
    (game / "game.rules").rename(game / "game.rule")
    assert {d.code for d in Loader(game).findings()} == {"RK145", "RK146"}


def test_a_folder_that_is_no_game_is_not_looked_through(tmp_path: Path) -> None:
    (tmp_path / "map.yml").write_text(MAP, encoding="utf-8")
    assert not list(strays(tmp_path)) and manifest_like(tmp_path) == ""


@pytest.mark.parametrize(
    "name", ["game.yml", "Game.yaml", "game.yaml.txt", "manifest.yaml", "mine.yaml"]
)
def test_a_manifest_of_another_name_is_guessed(name: str, tmp_path: Path) -> None:
    game = folder(tmp_path)
    (game / "game.yaml").rename(game / name)
    assert f"rename {name} to game.yaml" in ran("check", str(game))[1] + ran("check", str(game))[2]


def test_many_files_are_not_all_told(tmp_path: Path) -> None:
    game = folder(
        tmp_path, *((f"situations/s{i}.yml", SITUATION) for i in range(MAX_REPORTED + 10))
    )
    sink = Sink()
    report_strays([game], sink)
    assert len(sink.found) == MAX_REPORTED
