"""Saves: a cut file keeps all its complete lines; damage is refused with its line; a replay is exact."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import pytest

import rulekit
from rulekit.play.savefile import parse_save
from rulekit.play.saves import Recorder, replay

ROOT = Path(__file__).resolve().parents[2]
CARDS = ROOT / "tests" / "fixtures" / "cards"


def recorded(path: Path = CARDS, seed: int = 6, undo: bool = True) -> tuple[rulekit.Game, Recorder, str]:
    game = rulekit.load(path)
    recorder = Recorder(game, game.new(seed=seed), dict.fromkeys(game.sides, "random"))
    file, rng = io.StringIO(), random.Random(seed)
    recorder.write_to(file)
    while recorder.state.decision:
        recorder.apply(rng.choice(recorder.state.decision.options))
        if undo and rng.random() < 0.2:
            recorder.state.undo()
            recorder.undone()
    return game, recorder, file.getvalue()


def test_what_is_written_step_by_step_is_the_whole_save() -> None:
    _, recorder, text = recorded()
    assert recorder.save.text() == text
    assert parse_save(text).records == recorder.save.records


@pytest.mark.parametrize("everything", [False, True])
def test_a_replay_is_exact(everything: bool) -> None:
    game, recorder, text = recorded()
    done = replay(game, parse_save(text), everything=everything)
    assert done.ok
    assert done.state == recorder.state
    assert done.choices == recorder.state.choices_count()


def test_a_file_cut_anywhere_keeps_its_complete_lines() -> None:
    game, _, text = recorded(undo=False)
    raw = text.encode()
    header = raw.index(b"\n")
    for length in range(0, len(raw), 7):
        part = raw[:length].decode(errors="ignore")
        if length < header:
            with pytest.raises(rulekit.SaveError):
                parse_save(part)
        else:
            save = parse_save(part)
            assert len(save.records) in (part.count("\n") - 1, part.count("\n"))
    half = parse_save(text[: len(text) // 2])
    assert replay(game, half).ok


def test_damage_is_refused_with_its_line(tmp_path: Path) -> None:
    _, _, text = recorded(undo=False)
    lines = text.splitlines()
    for number in (1, 2, len(lines) // 2):
        broken = [*lines]
        broken[number] = broken[number][:-2]
        with pytest.raises(rulekit.SaveError, match=f":{number + 1}: "):
            parse_save("\n".join(broken) + "\n")
    for bad in (b"", b"\xff\xfe", b"{}\n", b"hello\n"):
        (tmp_path / "bad").write_bytes(bad)
        with pytest.raises(rulekit.SaveError):
            rulekit.read_save(tmp_path / "bad")
    with pytest.raises(rulekit.SaveError):
        rulekit.read_save(tmp_path / "none")


def test_an_illegal_choice_in_a_save_is_refused_with_its_line() -> None:
    game, _, text = recorded(undo=False)
    lines = text.splitlines()
    record = json.loads(lines[3])
    record["choice"] = "fly away"
    lines[3] = json.dumps(record)
    with pytest.raises(rulekit.SaveError, match=":4: "):
        replay(game, parse_save("\n".join(lines) + "\n"))


def test_a_changed_event_is_the_first_difference() -> None:
    game, _, text = recorded(undo=False)
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if '"earned"' in line)
    lines[at] = lines[at].replace('"n":', '"n":1', 1) if '"n":' in lines[at] else lines[at]
    record = json.loads(lines[at])
    record["events"] = record["events"][:-1]
    lines[at] = json.dumps(record)
    done = replay(game, parse_save("\n".join(lines) + "\n"))
    assert done.first_difference is not None
    assert done.first_difference["line"] == at + 1


def test_a_seed_that_was_changed_is_found_out() -> None:
    _, _, text = recorded()
    header = json.loads(text.splitlines()[0])
    header["seed"] += 1
    with pytest.raises(rulekit.SaveError, match="seed"):
        parse_save(json.dumps(header) + "\n")
