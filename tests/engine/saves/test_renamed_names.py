"""A save of rules that differ only in names is accepted. The renamed things are reported, and it
continues with the new names."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from random import Random

import pytest

import rulekit
from rulekit.common.errors import SaveError
from rulekit.engine.game.game import Game
from rulekit.engine.saves.recorder import Recorder, replay
from rulekit.engine.saves.renamed_names import Renaming
from rulekit.engine.saves.resume import resume
from rulekit.engine.saves.save_format import Save, parse_save

ROOT = Path(__file__).resolve().parents[3]
SKIRMISH = ROOT / "examples" / "skirmish"


@pytest.fixture(scope="module")
def saved() -> str:
    game = rulekit.load(SKIRMISH)
    state, random = game.new(seed=11), Random(1)
    recorder = Recorder(game, state, dict.fromkeys(game.sides, "human"))
    for _ in range(30):
        recorder.apply(random.choice(list(state.legal_actions())))
    return recorder.save.text()


def renamed(tmp_path: Path, *pairs: tuple[str, str]) -> Game:
    """Return the example with other words in all its files."""
    copy = shutil.copytree(
        SKIRMISH, tmp_path / "skirmish", ignore=shutil.ignore_patterns("situations")
    )
    for file in copy.rglob("*.*"):
        text = file.read_text(encoding="utf-8")
        for old, new in pairs:
            text = re.sub(rf"(?<![\w.]){old}(?![\w'])", new, text)
        file.write_text(text, encoding="utf-8")
    return rulekit.load(copy)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("set_out", "went", "set_out → went"),
        ("hand", "cards", "hand.blue → cards.blue"),
        ("day", "turn", "day → turn"),
        ("rest", "halt", "rest → halt"),
        ("march", "walk", "march → walk"),
        ("ambush", "snare", "ambush → snare"),
        ("ford", "passage", "ford → passage"),
    ],
)
def test_names_that_are_others_are_told_and_the_save_goes_on(
    old: str, new: str, told: str, saved: str, tmp_path: Path
) -> None:
    game = renamed(tmp_path, (old, new))
    save = parse_save(saved)
    done = replay(game, save, everything=True)
    assert done.ok and not done.same and done.choices == 30 and told in done.differences[-1], (
        done.differences
    )
    with pytest.raises(SaveError, match="another file"):
        resume(game, save, {}, in_place=True)
    gone_on = resume(game, save, {}).recorder
    gone_on.apply(gone_on.state.legal_actions()[0])
    again = replay(game, parse_save(gone_on.save.text()))
    assert again.ok and again.same and not again.differences and again.choices == 31


def test_a_side_of_another_name_keeps_its_seat(saved: str, tmp_path: Path) -> None:
    game = renamed(tmp_path, ("blue", "azure"), (r"blue\.(\w+)", r"azure.\1"))
    resumed = resume(game, parse_save(saved.replace('"blue":"human"', '"blue":"random"')), {})
    assert resumed.seats == {"red": "human", "azure": "random"} and any(
        "blue → azure" in note for note in resumed.notes
    )


def tampered(saved: str, old: str, new: str) -> Save:
    """Return the save with one word changed, in the last line that has it."""
    head, sign, tail = saved.rpartition(old)
    assert sign
    return parse_save(head + new + tail)


def test_a_save_that_was_changed_is_still_found_out(saved: str, tmp_path: Path) -> None:
    """This holds under the same rules, and under rules with other names for changes that a renaming
    does not explain."""
    changed = tampered(saved, '"p":"red.F1"', '"p":"red.F2"')
    same = replay(rulekit.load(SKIRMISH), changed)
    assert not same.ok and "the save was changed" in (same.first_difference or {})["cause"]
    other = replay(renamed(tmp_path, ("set_out", "went")), changed)
    assert (
        not other.ok
        and "only names in the rules have changed" in (other.first_difference or {})["cause"]
    )


def test_an_older_save_that_has_no_digest_of_names_is_taken_as_one_whose_names_may_be_others(
    saved: str, tmp_path: Path
) -> None:
    save = parse_save(saved)
    save.header = {key: value for key, value in save.header.items() if key != "names"}
    done = replay(rulekit.load(SKIRMISH), save)
    assert done.ok and not done.differences
    assert replay(renamed(tmp_path, ("set_out", "went")), save).ok
    assert not replay(
        rulekit.load(SKIRMISH), tampered(save.text(), '"p":"red.F1"', '"p":"red.F2"')
    ).ok


def test_a_renaming_is_one_to_one() -> None:
    one = Renaming()
    assert (
        one.name("event", "a", "b") and one.name("event", "a", "b") and one.name("field", "a", "c")
    )
    assert not one.name("event", "a", "c") and not one.name("event", "c", "b")
    assert (
        one.key("go 3 x", "go 3 y")
        and not one.copy().key("go 3 z", "go 3 y")
        and not one.copy().key("go 3", "go 4")
    )
    assert one.pairs == [("a", "b"), ("a", "c"), ("x", "y")]


def test_a_name_that_could_be_one_of_several_is_told_as_a_guess(saved: str, tmp_path: Path) -> None:
    """Without the place of the option in the list, all pieces that can do the same fit."""
    save = parse_save(saved)
    for record in save.records:
        record.offered = ""
    done = replay(renamed(tmp_path, (r"red\.F1", "red.Q7")), save)
    number, key, taken, other = done.guesses[0]
    assert "red.F1" in key and taken != other and "red.F1" not in (taken + other)
    assert any(f"choice {number}" in line and other in line for line in done.differences)
    assert not replay(rulekit.load(SKIRMISH), save).guesses
