"""A save is played under two sets of rules in parallel, and options that nobody chose are compared
too."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.engine.game.game import Game
from rulekit.engine.saves.recorder import Recorder, replay
from rulekit.engine.saves.save_format import Save, parse_save
from rulekit.presentation.rules_comparison import compare

ROOT = Path(__file__).resolve().parents[2]
SKIRMISH = ROOT / "examples" / "skirmish"


@pytest.fixture(scope="module")
def before() -> Game:
    return rulekit.load(SKIRMISH)


@pytest.fixture(scope="module")
def saved(before: Game) -> str:
    """A game in which nobody ends their day as long as they can march."""
    state, random = before.new(seed=11), Random(1)
    recorder = Recorder(before, state, dict.fromkeys(before.sides, "human"))
    while state.decision is not None:
        keys = [option.key for option in state.decision.options]
        recorder.apply(random.choice([key for key in keys if key != "rest"] or keys))
    return recorder.save.text()


def changed(tmp_path: Path, *pairs: tuple[str, str]) -> Game:
    copy = shutil.copytree(SKIRMISH, tmp_path / "skirmish")
    for old, new in pairs:
        found = [file for file in copy.rglob("*.*") if old in file.read_text(encoding="utf-8")]
        assert found
        for file in found:
            file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    return rulekit.load(copy)


def found(before: Game, now: Game, saved: str) -> dict[str, tuple[str, str]]:
    return {
        each.sort: (each.before, each.now)
        for each in compare(before, now, parse_save(saved)).differences()
    }


REST = 'option rest "End the day\'s marches"'


@pytest.mark.parametrize(
    ("old", "new", "sort", "then", "now"),
    [
        (REST, f"{REST} when points(red) > 90", "gone", "rest", "a condition does not hold"),
        (
            "it is the enemy's",
            "the enemy has it",
            "reason",
            "it is the enemy's",
            "the enemy has it",
        ),
        (
            "End the day's marches",
            "Enough for today",
            "label",
            "End the day's marches",
            "Enough for today",
        ),
        ("set_out", "went", "names", "set_out", "went"),
        ("modifier rough +1 when", "modifier rough +1 when true or", "price", "1", "2"),
    ],
)
def test_what_nobody_chose_is_compared(
    old: str, new: str, sort: str, then: str, now: str, before: Game, saved: str, tmp_path: Path
) -> None:
    try:
        told = found(before, changed(tmp_path, (old, new)), saved)
    except rulekit.GameError:
        pytest.fail("the change is none")
    assert sort in told and then in told[sort][0] and now in told[sort][1], told


def test_the_same_rules_differ_nowhere(before: Game, saved: str, tmp_path: Path) -> None:
    compared = compare(
        before,
        changed(tmp_path, ("game skirmish", "# a word more\ngame skirmish")),
        parse_save(saved),
    )
    assert (
        compared.fits
        and not compared.differences()
        and compared.choices == len(parse_save(saved).choices)
    )


def test_an_option_that_is_new_is_told_where_it_is_first_offered(
    before: Game, saved: str, tmp_path: Path
) -> None:
    now = changed(tmp_path, (REST, f"{REST} when points(red) > 90"))
    found = {each.sort: each for each in compare(now, before, shorter(now, saved)).differences()}
    assert found["new"].choice == 1 and found["new"].now == "rest" and found["new"].player == "red"


def shorter(game: Game, saved: str) -> Save:
    """Return the part of a save that a game accepts."""
    save = parse_save(saved)
    done = replay(game, save)
    save.records = save.records[: 1 + done.choices]
    return save


def test_what_happens_otherwise_ends_the_comparison(
    before: Game, saved: str, tmp_path: Path
) -> None:
    now = changed(tmp_path, ("set_out(p)\n", "set_out(p)\n  set_out(p)\n"))
    compared = compare(before, now, parse_save(saved))
    assert not compared.fits and "events" in {each.sort for each in compared.differences()}


def test_a_replay_alone_tells_that_other_options_are_offered(
    before: Game, saved: str, tmp_path: Path
) -> None:
    """It uses the digest of the keys that is stored with each choice."""
    done = replay(changed(tmp_path, (REST, f"{REST} when points(red) > 90")), parse_save(saved))
    assert done.offered[0][0] == 1 and any(
        "the options have changed" in line for line in done.differences
    )
    assert not replay(before, parse_save(saved)).offered


def test_the_command_tells_it(
    saved: str, before: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.save"
    file.write_text(saved, encoding="utf-8")
    changed(tmp_path, ("it is the enemy's", "the enemy has it"))
    command = [
        "replay",
        str(file),
        "--game",
        str(tmp_path / "skirmish"),
        "--verify",
        "--before",
        str(SKIRMISH),
    ]
    assert main(command) == 0
    told = capsys.readouterr().out
    assert "played under both rules" in told and "the enemy has it" in told
    assert main([*command, "--json"]) == 0
    assert [
        each["sort"] for each in json.loads(capsys.readouterr().out)["compared"]["differences"]
    ] == ["reason"]
    assert main([*command[:3], str(SKIRMISH), "--before", str(SKIRMISH), "--lang", "fr"]) == 0
    assert "aucune différence" in capsys.readouterr().out
