"""The size of a game of the series: about half of combat, activation and movement is in the
library, and a game is short."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.plays import ROOT

GAMES = ROOT / "games"
# Share of combat, activation and movement in the rules. A game that names its long conditions has
# more lines with the same content.
SHARE = 0.48
COMMON = [
    GAMES / "peloponnesian" / "rules" / name
    for name in ("2_sequence.rules", "3_movement.rules", "4_combat.rules")
]


def lines(*files: Path) -> int:
    """Return the number of lines that are neither blank nor comments."""
    return sum(
        1
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.strip() and not line.strip().startswith("#")
    )


@pytest.mark.parametrize("name", ["sphacteria", "amphipolis"])
def test_about_half_of_combat_activation_and_movement_is_common(name: str) -> None:
    own = [
        file
        for word in ("movement", "operations", "combat")
        for file in (GAMES / name / "rules").glob(f"*{word}*.rules")
    ]
    assert own and lines(*COMMON) >= SHARE * lines(*COMMON, *own)


@pytest.mark.parametrize(("name", "most"), [("sphacteria", 1500), ("amphipolis", 1800)])
def test_a_game_is_short(name: str, most: int) -> None:
    files = [
        file
        for file in (GAMES / name).rglob("*")
        if file.is_file()
        and file.parent.name not in ("texts", "situations")
        and file.name not in ("drawing.yaml", "reversals.yaml")
    ]  # appearance and reversals of rules are not rules
    assert lines(*files) <= most


@pytest.mark.parametrize(
    ("name", "rules", "data"), [("athens_sparta", 1340, 900), ("peloponnesian_war", 1260, 600)]
)
def test_the_larger_games_are_short_too(name: str, rules: int, data: int) -> None:
    """Rules and data are counted separately. Drawings, covered ids and reversals are neither."""
    files = [
        file
        for file in (GAMES / name).rglob("*")
        if file.is_file()
        and file.parent.name not in ("texts", "situations")
        and file.name not in ("drawing.yaml", "coverage.yaml", "reversals.yaml")
    ]
    written = [file for file in files if file.suffix == ".rules"]
    assert 0 < lines(*written) <= rules
    assert 0 < lines(*(file for file in files if file not in written)) <= data
