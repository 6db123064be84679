"""Two plays that differ only in an observer's hidden information look the same to them, in every
game here. Planted leaks are found."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.check.check import check
from rulekit.compiler.source.folder import read_game
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.knowledge.visibility import Visibility
from tests.engine.knowledge.pairs import REVEALS, Counts, leaks
from tests.engine.knowledge.planted_leaks import HIDDEN, MASKED, OPEN, TEXTS, TOLD, game

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = ROOT / "tests" / "fixtures"
TELLS = "blocks"  # a fixture whose besieged blocks fight in the order of their hidden letters
FOLDERS = sorted(
    file.parent
    for place in (FIXTURES, ROOT / "examples", ROOT / "games")
    for file in place.glob("*/game.yaml")
    if "\nrulekit: game" in f"\n{file.read_text(encoding='utf-8')}"
)
SMALL = [folder for folder in FOLDERS if folder.parent.name != "games" and folder.name != TELLS]
GAMES = [folder for folder in FOLDERS if folder.parent.name == "games"]
WHOLE = {**MASKED, **HIDDEN, **TOLD, **OPEN}


@pytest.mark.parametrize("folder", SMALL, ids=lambda folder: folder.name)
def test_what_an_observer_may_not_see_changes_nothing_that_they_are_told(folder: Path) -> None:
    """In small games, values, draws, deals and future dice differ until they are revealed."""
    played, counts = rulekit.load(folder), Counts()
    seeds, steps = (range(12), 14) if played.new(seed=0).table.has_secrets else (range(3), 4)
    assert [str(leak) for leak in leaks(played, seeds, REVEALS, steps, counts=counts)] == []
    assert counts.questions > 2


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_nor_in_the_games(folder: Path) -> None:
    """The same, with fewer comparisons at each question."""
    counts = Counts()
    assert [
        str(leak) for leak in leaks(rulekit.load(folder), range(9), steps=9, deep=0, counts=counts)
    ] == []
    assert counts.questions > 10


@pytest.mark.long
@pytest.mark.parametrize("folder", [*GAMES, *SMALL], ids=lambda folder: folder.name)
def test_nor_what_is_worked_out_for_him(folder: Path) -> None:
    """This adds refusals, derivations, forecasts, odds, hints and analyses. `make pairs` compares
    many more questions."""
    seeds, steps = (range(1), 2) if folder in GAMES else (range(4), 5)
    assert [
        str(leak) for leak in leaks(rulekit.load(folder), seeds, REVEALS, steps=steps, deep=2)
    ] == []


def test_a_leak_that_check_excuses_is_found() -> None:
    """A loop that reveals its elements counts for all of their kind (decision 17). Here it skips
    those inside."""
    found = list(leaks(rulekit.load(FIXTURES / TELLS), range(80), deep=0))
    assert found
    assert all("battle" in leak.one for leak in found)


# ------------------------------------------------------------------------------------ planted leaks
def planted(name: str, folder: Path) -> rulekit.Game:
    return game(WHOLE[name], folder, TEXTS.get(name, ""))


@pytest.mark.parametrize("name", [*MASKED, *HIDDEN])
def test_what_is_masked_tells_nothing(name: str, tmp_path: Path) -> None:
    """Whatever path a secret value takes, observers without access see '?' until it is revealed."""
    counts = Counts()
    assert [
        str(leak)
        for leak in leaks(planted(name, tmp_path), range(30), REVEALS, deep=1, counts=counts)
    ] == []
    assert counts.questions > 10


@pytest.mark.parametrize("name", MASKED)
def test_a_leak_is_found_where_nothing_is_masked(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: parameters, fields and texts are not masked."""
    monkeypatch.setattr(Observer, "_kept", lambda self, event, names, secrets: dict(event.params))
    monkeypatch.setattr(Visibility, "knows_value", lambda self, var: True)
    assert next(leaks(planted(name, tmp_path), range(30), REVEALS, deep=0), None) is not None


def test_a_number_that_is_worked_out_of_a_secret_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: totals show everybody their arguments."""
    monkeypatch.setattr(
        Visibility,
        "may_know",
        lambda self, info, secrets, args, asked=False: self.knows_all(secrets, args),
    )
    found = next(leaks(planted("a total", tmp_path), range(30), REVEALS, deep=1), None)
    assert found is not None
    assert found.where == "reasons"


@pytest.mark.parametrize("name", TOLD)
def test_what_the_rules_tell_themselves_is_found(name: str, tmp_path: Path) -> None:
    """No mask helps if a secret decides who chooses, how often, or which options there are."""
    assert next(leaks(planted(name, tmp_path), range(30), REVEALS, deep=0), None) is not None


@pytest.mark.parametrize("name", WHOLE)
def test_check_tells_each_of_them(name: str, tmp_path: Path) -> None:
    """Every plant is reported at its place, as a warning, so these games can be played."""
    planted(name, tmp_path)
    sink = Sink()
    source = read_game(tmp_path, sink)
    assert source is not None
    check(source, sink)
    told = {d.code: d.level for d in sink.found}
    assert set(told) & {"RK518", "RK519", "RK740", "RK741", "RK742"}, told
    assert set(told.values()) == {"warning"}
