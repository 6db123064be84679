"""A run without effect says so, and its exit code is not 0."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.commands import ran

ROOT = Path(__file__).resolve().parents[2]
SEATS = "- {name: looks ahead, then: [{'seat search:50': {not: [mark a1]}}]}\n"
ONE = "- {name: begins, then: [{'decision': {player: x}}]}\n"


def game(tmp_path: Path, *files: tuple[str, str]) -> str:
    folder = tmp_path / "g"
    shutil.copytree(ROOT / "examples" / "tic_tac_toe", folder)
    for name, text in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return str(folder)


@pytest.mark.parametrize("more", [(), ("--json",), ("--seats",), ("--coverage",), ("--lang", "fr")])
def test_a_game_without_situations_is_told(more: tuple[str, ...], tmp_path: Path) -> None:
    code, _, told = ran("test", game(tmp_path), *more)
    assert code == 1 and ("no situation was run" in told or "aucune situation" in told)


def test_a_word_that_no_situation_has_is_told(tmp_path: Path) -> None:
    folder = game(tmp_path, ("situations/s.yaml", ONE))
    assert ran("test", folder, "-k", "begins")[0] == 0
    code, _, told = ran("test", folder, "-k", "nosuchword")
    assert code == 1 and "none has 'nosuchword' in its name, reference or id" in told


def test_situations_that_nobody_reads_are_told_where_others_are_run(tmp_path: Path) -> None:
    folder = game(tmp_path, ("situations/s.yaml", ONE), ("situations/more.yml", ONE))
    code, told, _ = ran("test", folder)
    assert (
        code == 0
        and "1 passed" in told
        and "'more.yml' is not read" in told
        and "rename it to more.yaml" in told
    )


def test_seats_that_are_not_asked_are_no_situations_that_were_run(tmp_path: Path) -> None:
    folder = game(tmp_path, ("situations/s.yaml", SEATS))
    code, told, errors = ran("test", folder)
    assert code == 1 and "1 more with --seats" in told and "--seats asks them" in errors


def test_beside_others_that_are_run_seats_may_be_left_out(tmp_path: Path) -> None:
    assert ran("test", game(tmp_path, ("situations/s.yaml", SEATS + ONE)))[0] == 0


def test_files_without_a_situation_are_told(tmp_path: Path) -> None:
    folder = game(tmp_path, ("none.yaml", "[]\n"))
    code, _, told = ran("test", "--game", folder, "--situations", f"{folder}/none.yaml")
    assert code == 1 and "the files contain none" in told


@pytest.mark.parametrize("more", [(), ("--check",)])
def test_fmt_of_nothing_is_told(more: tuple[str, ...], tmp_path: Path) -> None:
    empty, bare = tmp_path / "empty.rules", tmp_path / "bare"
    empty.write_text("\n", encoding="utf-8")
    bare.mkdir()
    (bare / "game.yaml").write_text("rulekit: library\n", encoding="utf-8")
    code, _, told = ran("fmt", str(empty), *more)
    assert (
        code == 1
        and "nothing was formatted: the file is empty" in told
        and empty.read_text(encoding="utf-8") == "\n"
    )
    code, _, told = ran("fmt", str(bare), *more)
    assert code == 1 and "there is no file of rules" in told


def test_numbers_that_ask_for_nothing_are_refused(tmp_path: Path) -> None:
    folder = game(tmp_path)
    for words in (
        ("simulate", folder, "--games", "0"),
        ("simulate", folder, "--verify", "0"),
        ("simulate", folder, "--sample", "0"),
        ("league", folder, "--seat", "random", "--seat", "greedy", "--games", "0"),
        ("perft", folder, "--depth", "0"),
    ):
        code, _, told = ran(*words)
        assert code == 2 and "needs a number of at least 1" in told


@pytest.mark.parametrize("part", ["scenarios", "seats", "rulings", "overlays"])
def test_a_sweep_of_no_runs_is_refused(part: str, tmp_path: Path) -> None:
    file = tmp_path / "s.yaml"
    file.write_text(f"game: {game(tmp_path)}\ngames: 3\n{part}: []\n", encoding="utf-8")
    code, _, told = ran("sweep", str(file))
    assert code == 1 and "RK124" in told and not (tmp_path / "s.sweep").exists()


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_word_that_no_ruling_has_is_told(more: tuple[str, ...]) -> None:
    folder = str(ROOT / "games" / "sphacteria")
    assert ran("rulings", folder, *more)[0] == 0
    assert ran("rulings", folder, "-k", "nosuchword", *more)[0] == 1


@pytest.mark.parametrize(
    ("name", "help"),
    [("game.rule", "rename it to game.rules"), ("rules/turn.rls", "rename it to turn.rules")],
)
def test_rules_that_nobody_reads_are_told_where_nothing_is_formatted(
    name: str, help: str, tmp_path: Path
) -> None:
    folder = Path(game(tmp_path))
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / "game.rules").rename(folder / name)
    code, _, told = ran("fmt", str(folder))
    assert code == 1 and "nothing was formatted" in told and help in told


def test_an_indentation_of_tabs_is_mended_in_one_run(tmp_path: Path) -> None:
    folder = Path(game(tmp_path))
    rules = folder / "game.rules"
    plain = rules.read_text(encoding="utf-8")
    rules.write_text(plain.replace("  ", "\t"), encoding="utf-8")
    assert ran("fmt", "--check", str(folder))[0] == 1
    assert ran("fmt", str(folder))[0] == 0 and rules.read_text(encoding="utf-8") == plain
    assert ran("fmt", "--check", str(folder))[0] == 0


@pytest.mark.parametrize(
    "more",
    [("--seats",), ("--seats", "5"), ("--seats", "5", "--json"), ("--seats", "5", "--lang", "fr")],
)
def test_seats_that_no_situation_asks_are_told(more: tuple[str, ...], tmp_path: Path) -> None:
    folder = game(tmp_path, ("situations/s.yaml", ONE))
    code, _, told = ran("test", folder, *more)
    assert code == 1 and (
        "no situation that was run asks a seat" in told or "aucune situation" in told
    )
    assert (
        ran("test", game(tmp_path / "other", ("situations/s.yaml", SEATS + ONE)), "--seats", "1")[0]
        == 0
    )


def test_what_is_no_file_of_rules_is_told_as_such(tmp_path: Path) -> None:
    folder = game(tmp_path)
    code, _, told = ran("fmt", f"{folder}/situations.yaml")
    assert code == 2 and "there is no game" in told
    (Path(folder) / "map.yaml").write_text("{}\n", encoding="utf-8")
    code, _, told = ran("fmt", f"{folder}/map.yaml")
    assert (
        code == 2 and f"'{folder}/map.yaml' is not a rules file: their names end in .rules" in told
    )
    assert ran("fmt", "--check", f"{folder}/game.yaml")[0] == 0


@pytest.mark.parametrize("name", ["game.rules", "rules/more.rules"])
def test_for_a_file_the_folder_of_its_game_is_named(name: str, tmp_path: Path) -> None:
    folder = game(tmp_path, ("rules/more.rules", "\n"))
    for command in ("check", "test"):
        code, _, told = ran(command, f"{folder}/{name}")
        assert (
            code == 2 and f"is a file, not a folder of a game: name the folder '{folder}'" in told
        )


@pytest.mark.docs("data-files#situations")
def test_a_coverage_without_an_inventory_is_told(tmp_path: Path) -> None:
    folder = game(tmp_path, ("situations/s.yaml", ONE))
    code, told, errors = ran("test", folder, "--coverage")
    assert code == 1 and "no id was counted: there is no coverage.yaml" in errors
    assert "ids covered" not in told and "rules reached" in told
    assert "aucun numéro" in ran("test", folder, "--coverage", "--lang", "fr")[2]


def test_ids_that_no_inventory_lists_are_told(tmp_path: Path) -> None:
    covering = "- {name: begins, covers: [T-1, T-2], then: [{'decision': {player: x}}]}\n"
    folder = game(tmp_path, ("situations/s.yaml", covering))
    code, told, _ = ran("check", folder, "--strict")
    assert (
        code == 1
        and told.count("RK620") == 1
        and "this id (and 1 more under 'covers') has no use" in told
    )
    (Path(folder) / "coverage.yaml").write_text(
        'ids: {T-1: {ref: "1"}, T-2: {ref: "2"}}\n', encoding="utf-8"
    )
    assert "RK620" not in ran("check", folder)[1] and ran("test", folder, "--coverage")[0] == 0


def test_an_id_that_is_covered_though_it_is_excused_is_told(tmp_path: Path) -> None:
    covering = "- {name: begins, covers: [T-1], then: [{'decision': {player: x}}]}\n"
    folder = game(tmp_path, ("situations/s.yaml", covering))
    (Path(folder) / "coverage.yaml").write_text(
        'ids: {T-1: {ref: "1", reason: "is about the box"}}\n', encoding="utf-8"
    )
    assert "RK677" in ran("check", folder)[1]
    told = ran("test", folder, "--coverage")[1]
    assert (
        "though coverage.yaml says why none does: is about the box" in told
        and "1 of 1 ids covered, 0 excused" in told
    )
