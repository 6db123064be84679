"""The identity of a game covers all its effects: an edit of any file either leaves the bytes of a
new run unchanged, or changes the digest."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

import attrs
import pytest

import rulekit
from rulekit.compiler.source.fingerprint import layers
from rulekit.compiler.source.locate import game_files
from rulekit.engine.game.game import Game
from rulekit.runtime import program as pg
from rulekit.runtime.identity import _ONLY, Identity, Use
from tests.runtime.file_edits import Edit, edits
from tests.runtime.run_bytes import bytes_of, digest

ROOT = Path(__file__).resolve().parents[2]
SMALL = [
    ROOT / "examples" / "tic_tac_toe",
    ROOT / "examples" / "skirmish",
    *(ROOT / "tests" / "fixtures" / name for name in ("race", "cards", "choices")),
]
MANY = 30  # number of changes of each small game
FILES = 2  # number of changed files of a large game


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULEKIT_CACHE", "")


Told = dict[tuple[Use, str | None], tuple[str, str]]


def told(game: Game, uses: Iterable[Use] = Use) -> Told:
    """Return the digest and the bytes by use and scenario."""
    return {
        (use, scenario): (digest(game, use, scenario), made)
        for use in uses
        for scenario, made in bytes_of(game, use).items()
    }


def compare(
    before: Told,
    load: Callable[[], Game],
    found: Iterable[Edit],
    many: int,
    uses: Iterable[Use] = Use,
) -> int:
    """Make up to `many` valid edits one by one. Return their number.

    Args:
        before: what is `told` of the game without edits.
    """
    tried = 0
    for edit in found:
        if tried == many:
            break
        kept = {path: path.read_text(encoding="utf-8") for path in edit.files}
        edit.make()
        try:
            game = load()
        except rulekit.GameError:
            continue
        finally:
            for path, text in kept.items():
                path.write_text(text, encoding="utf-8")
        tried += 1
        for key, (told_as, made) in told(game, uses).items():
            if key in before and told_as == before[key][0]:
                assert made == before[key][1], (
                    f"{edit.what}: {key} has the same digest and other bytes"
                )
    return tried


def mixed(found: Iterable[Edit], seed: int) -> list[Edit]:
    """Return the edits in random order."""
    out = list(found)
    Random(seed).shuffle(out)
    return out


@pytest.mark.parametrize("folder", SMALL, ids=lambda path: path.name)
def test_a_change_of_any_file_leaves_the_bytes_as_they_are_or_changes_the_digest(
    folder: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(folder, tmp_path / "game")
    found = mixed(edits(game_files(copy)), 1)
    before = told(rulekit.load(copy))
    assert compare(before, lambda: rulekit.load(copy), found, MANY) > MANY // 2


def test_so_does_a_change_of_corrections_that_are_put_over_a_game(tmp_path: Path) -> None:
    copy = shutil.copytree(ROOT / "tests" / "fixtures" / "race", tmp_path / "game")
    files = sorted((copy / "overlays").glob("*.yaml"))
    for file in files:

        def load(file: Path = file) -> Game:
            return rulekit.load(copy, [file])

        assert compare(told(load()), load, edits([file]), MANY)


@pytest.mark.parametrize("name", ["sphacteria", "amphipolis", "athens_sparta", "peloponnesian_war"])
def test_so_does_a_change_of_the_files_of_a_large_game(name: str, tmp_path: Path) -> None:
    """Some files, also of its libraries, get one edit each. Files for seats are edited in the small
    games."""
    copy = shutil.copytree(ROOT / "games", tmp_path / "games")
    files = Random(7).sample(
        [file for folder in layers(copy / name) for file in game_files(folder)], FILES
    )
    uses = [Use.PLAY, Use.RECORD, Use.LOOK]
    before = told(rulekit.load(copy / name), uses)
    tried = sum(
        compare(
            before,
            lambda: rulekit.load(copy / name),
            mixed(edits([file]), len(file.name))[:4],
            1,
            uses,
        )
        for file in files
    )
    assert tried > len(files) // 2


# ------------------------------------------------------------------------------- hashes of each use
SCORED = """
total vp(s: Side): VP
  base points(s)
total anti(s: Side): VP
  base points(s.enemy)
"""


def skirmish(tmp_path: Path, *changes: tuple[str, str, str], manifest: str = "") -> Game:
    """Return the example with other texts: (file, old, new)."""
    copy = shutil.copytree(
        ROOT / "examples" / "skirmish", tmp_path / "skirmish", dirs_exist_ok=True
    )
    for file, old, new in (("game.rules", "", ""), *changes):
        path = copy / file
        text = path.read_text(encoding="utf-8") + (
            SCORED if file == "game.rules" and not old else ""
        )
        assert old in text
        path.write_text(text.replace(old, new) if old else text, encoding="utf-8")
    path = copy / "game.yaml"
    path.write_text(path.read_text(encoding="utf-8") + manifest, encoding="utf-8")
    return rulekit.load(copy)


def differing(one: Game, other: Game) -> set[str]:
    """Return the uses in which two games differ."""
    a, b = one.identity(), other.identity()
    return {
        each.name
        for each in attrs.fields(Identity)
        if getattr(a, each.name) != getattr(b, each.name)
    }


@pytest.mark.parametrize(
    ("changes", "manifest", "uses"),
    [
        ([], "greedy: anti\n", {"seats", "look"}),
        ([], "victory_total: anti\n", {"seats", "look"}),
        ([], "search: {total: anti, stretch: day, scale: 2}\n", {"seats", "look"}),
        ([], "charts: [rest]\n", {"seats", "look"}),
        ([], "description: Another one.\n", {"look"}),
        (
            [("game.rules", "set_out", "went"), ("texts/en.yaml", "set_out", "went")],
            "",
            {"record", "seats", "look"},
        ),
        ([("game.rules", "hand", "cards")], "", {"record", "seats", "look"}),
        ([("game.rules", "rough +1", "rough +2")], "", {"play", "record", "seats", "look"}),
        ([("game.rules", "End the day's marches", "Enough")], "", {"look"}),
        ([("game.rules", "total anti", "total contrary")], "", {"seats", "look"}),
        ([("drawing.yaml", "sides:", "# a word\nsides:")], "", set()),
        ([("game.rules", "game skirmish", "# a word\ngame skirmish")], "", set()),
    ],
    ids=lambda each: str(each)[:50],
)
def test_each_use_has_its_own_digest(
    changes: list[tuple[str, str, str]], manifest: str, uses: set[str], tmp_path: Path
) -> None:
    before = skirmish(tmp_path / "a")
    assert differing(before, skirmish(tmp_path / "b", *changes, manifest=manifest)) == uses


def test_the_score_of_the_drawing_counts_for_seats(tmp_path: Path) -> None:
    """The total that the drawing names is evaluated at the end of a turn."""
    assert "seats" in differing(
        skirmish(tmp_path / "a"),
        skirmish(tmp_path / "b", ("drawing.yaml", "sides:", "seat: {score: anti}\nsides:")),
    )


def test_what_is_said_of_fields_is_said_of_fields_that_there_are() -> None:
    classes = {name: found for name in dir(pg) if attrs.has(found := getattr(pg, name))}
    for kind, name in _ONLY:
        assert any(
            name == each.name
            for found in (classes.values() if kind == "*" else [classes[kind]])
            for each in attrs.fields(found)
        )
