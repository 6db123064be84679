"""The format of a save's lines: the possible contents of a record, and their bounds."""

from __future__ import annotations

import json
from typing import Any

import pytest

import rulekit
from rulekit.engine.kernel.decision import LONGEST
from rulekit.engine.saves import save_format
from rulekit.engine.saves.save_format import LONGEST_LINE, parse_save
from tests.engine.saves.test_saves import recorded


@pytest.fixture(scope="module")
def text() -> str:
    return recorded(undo=False)[2]


def with_record(text: str, **changes: Any) -> str:
    """Return the save up to its third line, with changes in that line."""
    lines = text.splitlines()
    lines[2] = json.dumps(json.loads(lines[2]) | changes)
    return "\n".join(lines[:3]) + "\n"


@pytest.mark.parametrize(
    "events",
    [
        [],
        [["x", {}]],
        [["x", {"a": None, "b": 3, "c": True, "d": "text", "e": [1, "x", None]}]],
        [["x" * LONGEST, {"y" * LONGEST: "z" * LONGEST}]],
        [["x", {"a": 10**39}]],
        [["x", {"a": -(10**38)}]],
    ],
)
def test_events_of_plain_values_are_read(text: str, events: list[Any]) -> None:
    assert parse_save(with_record(text, events=events)).records[1].events == events


@pytest.mark.parametrize(
    "events",
    [
        None,
        {},
        "x",
        [3],
        [["x"]],
        [["x", {}, {}]],
        [["x", []]],
        [[3, {}]],
        [["x", {"a": {}}]],
        [["x", {"a": [[1]]}]],
        [["x", {"a": 1.5}]],
        [["x\n", {}]],
        [["x", {"a\x1b": 1}]],
        [["x", {"a": "\x07"}]],
        [["x", {"a": ["\x07"]}]],
        [["x" * (LONGEST + 1), {}]],
        [["x", {"a": "z" * (LONGEST + 1)}]],
        [["x", {}], 7],
    ],
)
def test_other_events_are_refused_with_their_line(text: str, events: Any) -> None:
    with pytest.raises(rulekit.SaveError, match=r"^save:3: "):
        parse_save(with_record(text, events=events))


@pytest.mark.parametrize("key", ["by", "choice"])
@pytest.mark.parametrize("value", [3, "", [], "x" * (LONGEST + 1), "\x1b[2J"])
def test_a_choice_and_its_maker_are_short_plain_texts(text: str, key: str, value: Any) -> None:
    if value == "":
        assert parse_save(with_record(text, **{key: value})).records[1]
        return
    with pytest.raises(rulekit.SaveError, match=r"^save:3: "):
        parse_save(with_record(text, **{key: value}))


@pytest.mark.parametrize(
    "broken",
    ['"n":1,"n":1,', '"x":NaN,', '"x":1.0,', '"x":1e3,', '"x":-Infinity,', f'"x":1{"0" * 40},'],
)
def test_what_is_no_plain_json_is_damage(text: str, broken: str) -> None:
    """Examples are a duplicate key, invalid numbers and endless ones."""
    lines = text.splitlines()
    lines[2] = lines[2].replace(
        '{"n":1,', "{" + broken + ('"n":1,' if "n" not in broken[:3] else ""), 1
    )
    with pytest.raises(rulekit.SaveError, match=r"^save:3: "):
        parse_save("\n".join(lines[:4]) + "\n")
    head = "{" + broken + lines[0][1:]
    if '"n"' not in broken:
        with pytest.raises(rulekit.SaveError, match=r"^save:1: "):
            parse_save(head + "\n")


def test_a_number_of_forty_digits_is_read_and_one_more_is_not(text: str) -> None:
    lines = text.splitlines()
    for digits, fine in (("9" * 40, True), ("9" * 41, False)):
        lines[2] = json.dumps(
            json.loads(text.splitlines()[2]) | {"events": [["x", {"a": int(digits)}]]}
        )
        if fine:
            assert parse_save("\n".join(lines[:3]) + "\n").records[1].events[0][1]["a"] == int(
                digits
            )
        else:
            with pytest.raises(rulekit.SaveError):
                parse_save("\n".join([*lines[:3], lines[3]]) + "\n")


@pytest.mark.parametrize(
    "record",
    [
        [],
        "x",
        3,
        None,
        {"undo": False},
        {"undo": True, "n": 1},
        {"n": True, "events": []},
        {"n": 0, "events": []},
    ],
)
def test_a_line_that_is_no_record_is_refused(text: str, record: Any) -> None:
    lines = text.splitlines()[:3]
    with pytest.raises(rulekit.SaveError, match=r"^save:4: "):
        parse_save("\n".join([*lines, json.dumps(record)]) + "\n")


def test_the_beginning_is_one_record_without_a_choice(text: str) -> None:
    """It has no number and no choice."""
    lines = text.splitlines()
    for changes in ({"n": 1}, {"choice": "pick c1", "n": 1}, {"n": None}):
        with pytest.raises(rulekit.SaveError, match=r"^save:2: "):
            parse_save(
                "\n".join([lines[0], json.dumps(json.loads(lines[1]) | changes), *lines[2:4]])
                + "\n"
            )


def test_a_line_has_a_bound(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of that many bytes is read, a longer one is not. This includes the header."""
    lines = text.splitlines()
    longest = max(len(line.encode()) for line in lines)
    monkeypatch.setattr(save_format, "LONGEST_LINE", longest)
    assert parse_save(text).text() == text
    monkeypatch.setattr(save_format, "LONGEST_LINE", longest - 1)
    number = next(i for i, line in enumerate(lines, 1) if len(line.encode()) == longest)
    with pytest.raises(rulekit.SaveError, match=rf"^save:{number}: "):
        parse_save(text)
    assert longest < LONGEST_LINE


def test_what_stands_is_counted_and_written_without_what_was_taken_back() -> None:
    _, recorder, text = recorded()
    save = parse_save(text)
    assert any(record.undo for record in save.records)
    standing = save.standing()
    assert [record.choice for record in standing.records] == [
        None,
        *(choice.key for choice in recorder.state.choices),
    ]
    assert not any(record.undo for record in standing.records)
    assert save.end == len(text.encode()) and not save.cut
    cut = parse_save(text[:-3])
    assert cut.cut and cut.end == len(text.encode()) - len(text.splitlines()[-1].encode()) - 1
    assert len(cut.records) == len(save.records) - 1
    assert [n for _, n in save.lines()][-1] == len(save.choices)


@pytest.mark.parametrize("key", ["game", "scenario", "seed", "salt", "rulings"])
def test_games_with_another_header_are_others(key: str) -> None:
    save = parse_save(recorded(undo=False)[2])
    other = save_format.Save({**save.header, key: "another"})
    assert save.same_game(save_format.Save({**save.header, "seats": {}})) and not save.same_game(
        other
    )
