"""Saves: a cut file keeps all its complete lines, damage is reported with its line, and a replay is
exact."""

from __future__ import annotations

import json
import random
from hashlib import sha256
from pathlib import Path

import pytest

import rulekit
from rulekit.engine.saves.recorder import Recorder, replay
from rulekit.engine.saves.save_format import parse_save
from rulekit.runtime.seeds import draw_seed

ROOT = Path(__file__).resolve().parents[3]
CARDS = ROOT / "tests" / "fixtures" / "cards"


def recorded(
    path: Path = CARDS, seed: int = 6, undo: bool = True
) -> tuple[rulekit.Game, Recorder, str]:
    game = rulekit.load(path)
    recorder = Recorder(game, game.new(seed=seed), dict.fromkeys(game.sides, "random"))
    rng = random.Random(seed)
    while recorder.state.decision:
        recorder.apply(rng.choice(recorder.state.decision.options))
        if undo and rng.random() < 0.2:
            recorder.state.undo()
            recorder.undone()
    return game, recorder, recorder.save.text()


def test_a_save_is_read_as_it_is_written() -> None:
    """A save that is read and written again has the same text."""
    _, recorder, text = recorded()
    assert parse_save(text).records == recorder.save.records
    assert parse_save(text).text() == text


@pytest.mark.docs("python#saves")
@pytest.mark.parametrize("everything", [False, True])
def test_a_replay_is_exact(everything: bool) -> None:
    game, recorder, text = recorded()
    done = replay(game, parse_save(text), everything=everything)
    assert done.ok
    assert done.state == recorder.state
    assert done.choices == recorder.state.move_number()
    assert [record.choice for record in done.taken] == [
        choice.key for choice in recorder.state.choices
    ]


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


def test_a_choice_after_the_end_is_refused_with_its_line() -> None:
    game, _, text = recorded(undo=False)
    lines = text.splitlines()
    last = json.loads(lines[-1])
    lines.append(json.dumps({**last, "n": last["n"] + 1}))
    with pytest.raises(
        rulekit.SaveError,
        match=rf"^save:{len(lines)}: choice {last['n'] + 1}: '.*' is not offered here",
    ):
        replay(game, parse_save("\n".join(lines) + "\n"))


def test_a_changed_event_is_the_first_difference() -> None:
    game, _, text = recorded(undo=False)
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if '"earned"' in line)
    record = json.loads(lines[at])
    record["events"] = record["events"][:-1]
    lines[at] = json.dumps(record)
    done = replay(game, parse_save("\n".join(lines) + "\n"))
    assert done.first_difference is not None
    assert done.first_difference["line"] == at + 1


def test_a_seed_that_was_changed_is_found_out() -> None:
    _, _, text = recorded()
    header = json.loads(text.splitlines()[0])
    header["seed"] += "1"
    with pytest.raises(rulekit.SaveError, match="seed"):
        parse_save(json.dumps(header) + "\n")


def header_of(text: str, **changes: object) -> str:
    """Return the save with changes in its header. None removes an entry."""
    head, _, rest = text.partition("\n")
    new = {key: value for key, value in (json.loads(head) | changes).items() if value is not None}
    return json.dumps(new) + "\n" + rest


def test_the_commitment_tells_nothing_of_the_seed_before_the_salt_is_known() -> None:
    """The same seed has another commitment each time. With the salt it is the SHA-256 of a text
    that anybody can write."""
    saves = [parse_save(recorded()[2]) for _ in range(3)]
    assert len({save.commitment for save in saves}) == 3
    for save in saves:
        assert len(save.header["salt"]) == 32
        assert save.commitment == sha256(f"rulekit {save.header['salt']} 6".encode()).hexdigest()


@pytest.mark.parametrize("key", ["seed", "salt", "commitment"])
def test_a_commitment_that_does_not_hold_is_found_out(key: str) -> None:
    """Changing or removing seed, salt or commitment is an error of the first line."""
    _, _, text = recorded()
    value = json.loads(text.partition("\n")[0])[key]
    for other in (value[:-1] + ("0" if value[-1] != "0" else "1"), None, 7, "", "0x", "-0"):
        with pytest.raises(rulekit.SaveError, match=r"^save:1: "):
            parse_save(header_of(text, **{key: other}))


def test_format_1_is_read() -> None:
    """It has a numeric seed, and an unsalted hash or none."""
    game, recorder, text = recorded()
    old = header_of(
        text,
        format_version=1,
        seed=6,
        seed_hash=sha256(b"rulekit seed 6").hexdigest(),
        salt=None,
        commitment=None,
    )
    for each in (old, header_of(old, seed_hash=None)):
        save = parse_save(each)
        assert save.seed == 6
        assert replay(game, save, everything=True).state == recorder.state
    for bad in (
        {"seed": 7},
        {"seed": "6"},
        {"seed": True},
        {"seed_hash": "0"},
        {"seed": 2**128, "seed_hash": None},
    ):
        with pytest.raises(rulekit.SaveError, match=r"^save:1: "):
            parse_save(header_of(old, **bad))


def test_a_line_that_is_missing_or_twice_is_found() -> None:
    """Choices are numbered consecutively, so removed, duplicated or moved lines are errors."""
    _, _, text = recorded(undo=False)
    lines = text.splitlines(keepends=True)
    for at in range(2, len(lines) - 1):
        for other in (
            lines[:at] + lines[at + 1 :],
            [*lines[:at], lines[at], *lines[at:]],
            [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]],
        ):
            with pytest.raises(rulekit.SaveError, match=rf"^save:{at + 1}: |^save:{at + 2}: "):
                parse_save("".join(other))
    for extra in ('{"undo":true}\n', '{"n":0,"events":[]}\n'):
        with pytest.raises(rulekit.SaveError, match=r"^save:3: "):
            parse_save("".join([*lines[:2], extra, *lines[2:]]))


@pytest.mark.docs("python#saves")
def test_who_chose_is_compared_too() -> None:
    """A choice attributed to another player is an error of its line."""
    game, _, text = recorded(undo=False)
    lines = text.splitlines()
    record = json.loads(lines[2])
    record["by"] = next(side for side in game.sides if side != record["by"])
    lines[2] = json.dumps(record)
    with pytest.raises(rulekit.SaveError, match=r"^save:3: "):
        replay(game, parse_save("\n".join(lines) + "\n"))


def test_a_game_with_a_key_replays_exactly_and_goes_through_every_format() -> None:
    """Dice of a seed of 128 bits are the same in a replay, in a state read from JSON, and after an
    undo."""
    game = rulekit.load(CARDS)
    seed = draw_seed()
    recorder, rng = Recorder(game, game.new(seed=seed), {}), random.Random(1)
    while recorder.state.decision:
        state = recorder.state
        again = game.state_from_json(state.to_json())
        choice = rng.choice(state.decision.options)
        again.apply(choice)
        recorder.apply(choice)
        assert again == state
        state.undo()
        assert [e.to_json() for e in state.redo()] == recorder.save.records[-1].events
    save = parse_save(recorder.save.text())
    assert save.seed == seed and save.header["seed"] == f"0x{seed:032x}"
    assert replay(game, save).state == recorder.state


@pytest.mark.parametrize("by", [None, ""])
def test_a_choice_that_nobody_made_is_refused(by: str | None) -> None:
    """A record without a player is an error."""
    game = rulekit.load(ROOT / "examples" / "tic_tac_toe")
    recorder = Recorder(game, game.new(seed=1), {"x": "human", "o": "human"})
    recorder.apply("mark b2")
    assert replay(game, recorder.save).ok
    recorder.save.records[-1].by = by
    with pytest.raises(rulekit.SaveError):
        replay(game, recorder.save)
