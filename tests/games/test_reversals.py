"""The situations of the games prove the ids that they cover: each covered id has a reversal, and
one of its situations detects it.

`make reversals` tries all of them, which takes long. Here each change is made and read, and a
sample that depends on the game's contents is tried.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.csv_reader import parse_csv
from rulekit.compiler.source.locate import REVERSALS
from rulekit.compiler.source.reversals import read_reversals
from rulekit.compiler.source.schema_validation import validate
from rulekit.compiler.source.yaml_reader import parse_yaml
from rulekit.compiler.syntax.parser import parse_scanned
from rulekit.experiments.reversals import KILLED, attempt, claims, failing, sample, trials
from rulekit.project.loader import Loader
from tests.games.plays import ROOT

GAMES = sorted(path.parent for path in (ROOT / "games").glob(f"*/{REVERSALS}"))
TRIED = int(os.environ.get("RULEKIT_REVERSALS", "3"))  # of each game
SCHEMAS = {"things": "pieces", "game": "manifest"}


def faults(path: str, words: str) -> list[str]:
    """Return the faults of form in one file of a game."""
    sink = Sink()
    if path.endswith(".rules"):
        parse_scanned(words, path, sink)
    elif path.endswith(".csv"):
        parse_csv(words, path, sink)
    elif (doc := parse_yaml(words, path, sink)) is not None:
        folder = Path(path).parent.name
        validate(
            doc,
            {"scenarios": "scenario", "texts": "texts"}.get(folder)
            or SCHEMAS.get(Path(path).stem, Path(path).stem),
            sink,
        )
    return [d.message for d in sink.errors]


@pytest.mark.docs("situations#covers-means-proves")
@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_each_covered_id_has_a_reversal_or_a_reason_and_each_change_can_be_read(game: Path) -> None:
    listed = read_reversals(game, sink := Sink()) or []
    assert not sink.found
    assert {each.id for each in listed} == set(claims(game))
    for each in listed:
        assert each.reason.strip() or each.find, each.id
    for trial, each in zip(
        trials(game, listed), [each for each in listed if not each.reason], strict=True
    ):
        assert not faults(each.file, trial.files[each.library, each.file]), each.id


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_check_has_nothing_to_say_of_them(game: Path) -> None:
    assert not [d for d in Loader(game).findings() if d.code in ("RK628", "RK629")]


@pytest.mark.docs("situations#covers-means-proves")
@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_a_reversal_is_noticed_by_a_situation_that_covers_its_id(game: Path) -> None:
    chosen = sample(trials(game, read_reversals(game, Sink()) or []), TRIED)
    assert not failing(game, chosen)
    found = [attempt([trial])[0] for trial in chosen]
    assert all(each.state == KILLED for each in found), [
        each for each in found if each.state != KILLED
    ]
