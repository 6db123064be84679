"""Texts that nobody can see, and things that players cannot tell apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.common.invisible_characters import alike, bare, is_blank
from rulekit.project.loader import Loader

MANIFEST = 'rulekit: game\nname: mine\ntitle: Mine\nversion: "1"\nlanguage: 1\n'
RULES = """game mine 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Zone
kind Border joins Zone
kind Piece
  fixed owner: Side
  fixed front: 0..9
  state zone: Zone?
kind Card
  fixed worth: 0..9
kind Tide = low | high
pool hand of Card
total might(p: Piece): int
  base p.front
  modifier tired -1 when p.front > 3
  modifier brave +1 when p.front > 5
phase main
  choose by red "now"
    option go(p: Piece, z: Zone) "Go"
      when p.zone != z "it is there"
      moved(p, z)
    option stay "Stay"
      finish none, drawn
  pick c from hand by red "which card"
event moved(p: Piece, z: Zone)
  p.zone := z
"""
FILES = {
    "map.yaml": (
        "places: {kind: Zone, source: {text: '1'}, members: {A: {at: [0, 0], label: Aa}, B: {at:"
        " [1, 0], label: Bb}}}\nborders: {kind: Border, source: {text: '1'}, members: [{between:"
        " [A, B]}]}\n"
    ),
    "pieces.yaml": (
        "kind: Piece\nplace: zone\nsource: {text: '1'}\nmembers:\n  red.F1: {owner: red, front: 4,"
        " label: Guard}\n  red.F2: {owner: red, front: 3, label: Line}\n  blue.F1: {owner: blue,"
        " front: 3, label: Foot}\n"
    ),
    "things.yaml": (
        "kind: Card\nsource: {text: '1'}\nmembers: {K1: {worth: 1, label: One}, K2: {worth: 1,"
        " label: First}, K3: {worth: 2, label: Two}}\n"
    ),
    "texts/en.yaml": (
        "clause.might.tired: tired\nclause.might.brave: brave\nevent.moved: '{p} to"
        " {z}'\nlevel.drawn: drawn\nmember.Tide.low: low\nmember.Tide.high: high\nmember.Side.red:"
        " red\nmember.Side.blue: blue\nphase.main: ''\n"
    ),
}


def told(folder: Path, *changes: tuple[str, str, str]) -> list[tuple[str, str]]:
    """Return the findings about texts after changes (file, old words, new words)."""
    files = {"game.yaml": MANIFEST, "game.rules": RULES, **FILES}
    for name, words, other in changes:
        assert words in files[name]
        files[name] = files[name].replace(words, other, 1)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    found = Loader(folder).findings()
    assert not [d for d in found if d.level == "error"], found
    return [(d.code, d.message) for d in found if d.code in ("RK524", "RK525")]


def test_nothing_is_told_of_a_sound_game(tmp_path: Path) -> None:
    assert told(tmp_path) == []


@pytest.mark.parametrize(
    ("file", "words", "other", "names"),
    [
        ("pieces.yaml", "Line", "Guard", ("red.F1", "red.F2")),
        ("map.yaml", "Bb", "AA", ("A", "B")),
        ("things.yaml", "Two", "One", ("K1", "K3")),
        ("game.rules", '"Stay"', '"Go"', ("go", "stay")),
        ("texts/en.yaml", "brave: brave", "brave: Tired", ("tired", "brave")),
        ("texts/en.yaml", "high: high", "high: low", ("low", "high")),
        ("texts/en.yaml", "blue: blue", "blue: red", ("red", "blue")),
    ],
)
def test_what_players_must_tell_apart_is_not_called_the_same(
    file: str, words: str, other: str, names: tuple[str, str], tmp_path: Path
) -> None:
    [(code, message)] = told(tmp_path, (file, words, other))
    assert code == "RK525" and all(f"'{name}'" in message for name in names)


@pytest.mark.parametrize(
    ("file", "words", "other"),
    [
        ("pieces.yaml", "Foot", "Guard"),
        ("things.yaml", "First", "One"),
        ("texts/en.yaml", "level.drawn: drawn", "level.drawn: tired"),
    ],
)
def test_what_is_told_apart_otherwise_may_be_called_the_same(
    file: str, words: str, other: str, tmp_path: Path
) -> None:
    """Examples are pieces of the two sides, equal cards, and things that never appear together."""
    assert told(tmp_path, (file, words, other)) == []


@pytest.mark.parametrize(
    ("file", "words", "other", "key"),
    [
        ("pieces.yaml", "Line", '"  "', "member.Piece.red.F2"),
        ("pieces.yaml", "Line", '"\u3164"', "member.Piece.red.F2"),
        ("map.yaml", "label: Bb", 'label: "\u200b\u00a0"', "member.Zone.B"),
        ("game.rules", '"Stay"', '" "', "option.main.stay"),
        ("game.rules", '"which card"', '"\u2800"', "prompt.main.c"),
        ("game.rules", '"it is there"', '"\u00ad"', "why.go.1"),
        ("texts/en.yaml", "brave: brave", "brave: ' '", "clause.might.brave"),
        ("texts/en.yaml", "brave: brave", "brave: ''", "clause.might.brave"),
        ("texts/en.yaml", "phase.main: ''", "phase.main: ' '", "phase.main"),
        ("texts/en.yaml", "red: red", "red: ''", "member.Side.red"),
    ],
)
def test_a_text_of_which_nothing_is_seen_is_told(
    file: str, words: str, other: str, key: str, tmp_path: Path
) -> None:
    [(code, message)] = told(tmp_path, (file, words, other))
    assert (code, message.partition(": it is only ")[0]) == (
        "RK524",
        f"the text '{key}' is empty or invisible",
    )
    assert ("U+200B (zero width space)" in message) == ("\u200b" in other)


def test_the_place_of_a_reason_that_nobody_can_see_is_told(tmp_path: Path) -> None:
    told(tmp_path, ("game.rules", '"it is there"', '" "'))
    [found] = [d for d in Loader(tmp_path).findings() if d.code == "RK524"]
    line = (tmp_path / "game.rules").read_text(encoding="utf-8").split("\n")[found.span.line - 1]
    assert (
        found.span.file.endswith("game.rules")
        and line.strip().startswith("when ")
        and line.endswith('" "')
    )


def test_each_language_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "fr.yaml").write_text(
        "option.main.go: Rester\noption.main.stay: rester\n", encoding="utf-8"
    )
    [(code, message)] = told(tmp_path)
    assert code == "RK525" and "the same text 'rester'" in message


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the Guard", "The  guard"),
        ("Line\u200b", "Line"),
        ("\uff32ed", "red"),
        ("\u00e9cu", "e\u0301cu"),
        ("a\u00a0b", "a b"),
        ("stra\u00dfe", "STRASSE"),
    ],
)
def test_letters_that_look_the_same_are_the_same(one: str, other: str) -> None:
    assert alike(one) == alike(other)


@pytest.mark.parametrize(
    ("text", "blank"),
    [
        ("", True),
        (" \t", True),
        ("\u3164\u200b", True),
        ("\ufe0f", True),
        ("\u2800", True),
        (".", False),
        ("\u00a0x", False),
    ],
)
def test_a_text_is_blank_if_nothing_is_to_be_seen_of_it(text: str, blank: bool) -> None:
    assert is_blank(text) == blank and (bare(text) == "") == blank


def test_reactions_at_one_moment_and_scenarios_are_told_apart(tmp_path: Path) -> None:
    """Reactions for different sides may have the same text."""
    moment = (
        "phase main\n",
        (
            'state hidden: bool\nmoment dusk\nreaction hide at dusk "Hide"\n  limit 1 per game\n '
            ' for red\n  hidden := true\nreaction flee at dusk "Hide"\n  limit 1 per game\n  for'
            " blue\n  hidden := true\nphase main\n  open dusk\n"
        ),
    )
    assert told(tmp_path, ("game.rules", *moment)) == []
    both = (moment[0], moment[1].replace("  for red\n", "").replace("  for blue\n", ""))
    assert told(tmp_path, ("game.rules", *both)) == [
        ("RK525", "the reactions 'hide' and 'flee' have the same text 'Hide'")
    ]
    (tmp_path / "scenarios").mkdir()
    for name in ("dawn", "dusk"):
        (tmp_path / "scenarios" / f"{name}.yaml").write_text(
            f"name: {name}\ntitle: At first light\n", encoding="utf-8"
        )
    assert told(
        tmp_path, ("game.yaml", "language: 1\n", "language: 1\ndefault_scenario: dawn\n")
    ) == [("RK525", "the scenarios 'dawn' and 'dusk' have the same text 'At first light'")]


CARDS = """game mine 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Arm = foot(2) | horse(3)
  fixed pace: 1..3
kind Card
  slot effect(me: Side)
pool hand of Card
state points: 0..9
Card oath "An oath"
  points := 1
Card rumour "A rumour"
  points := 2
phase main
  choose by red "now"
    option play(c: Card) "Play"
      when c in hand "it is not there"
      c.effect(red)
    option stay "Stay"
      finish none, drawn
"""
ARMED = (
    "kind Unit = a(foot) | b(foot)\n  fixed arm: Arm\n  state weary: bool\n"
    'phase rest\n  pick group g from Unit by red alike (arm) "who", 1 to 2\n'
    "  each u in g\n    u.weary := true\n"
    "phase main\n  rest\n"
)


def cards(folder: Path, *changes: tuple[str, str], texts: str = "") -> list[str]:
    """Return the messages about equal texts in a game of cards, after changes."""
    rules = CARDS
    for words, other in changes:
        assert words in rules
        rules = rules.replace(words, other, 1)
    (folder / "texts").mkdir()
    (folder / "texts" / "en.yaml").write_text(
        "member.Side.red: Red\nmember.Side.blue: Blue\nlevel.drawn: drawn\nphase.main: ''\n"
        + texts,
        encoding="utf-8",
    )
    manifest = MANIFEST + "editions: {hard: {fog: thick}, soft: {fog: thin}}\n"
    (folder / "game.yaml").write_text(manifest, encoding="utf-8")
    (folder / "rulings.yaml").write_text(
        "- {id: fog, question: 'Who sees?', ref: ['1'], default: thin, reason: 'it is open', "
        "alternatives: {thin: 'all', thick: 'none'}}\n",
        encoding="utf-8",
    )
    (folder / "game.rules").write_text(rules, encoding="utf-8")
    found = Loader(folder).findings()
    assert not [d for d in found if d.level == "error"], found
    return [d.message for d in found if d.code == "RK525"]


@pytest.mark.parametrize(
    ("changes", "texts", "message"),
    [
        ([('"An oath"', '"a Rumour "')], "", "Card 'oath' and 'rumour' have the same text"),
        (
            [],
            "member.Arm.foot: Foot\nmember.Arm.horse: foot\n",
            "Arm 'foot' and 'horse' have the same text 'foot'",
        ),
        (
            [("      finish none, drawn", "      finish none, drawn\n      finish red, great")],
            "level.great: Drawn\n",
            "the levels 'drawn' and 'great' have the same text",
        ),
        (
            [],
            "edition.hard: The long game\nedition.soft: The  long game\n",
            "the editions 'hard' and 'soft' have the same text",
        ),
    ],
)
def test_members_with_rules_of_their_own_are_told_apart(
    changes: list[tuple[str, str]], texts: str, message: str, tmp_path: Path
) -> None:
    [found] = cards(tmp_path, *changes, texts=texts)
    assert found.startswith(message)


@pytest.mark.parametrize(
    ("changes", "texts"),
    [
        ([], ""),
        ([('"An oath"', '"A rumour"'), ("points := 2", "points := 1")], ""),
        ([("phase main\n", ARMED)], "member.Unit.a: Unit\nmember.Unit.b: Unit\n"),
    ],
)
def test_cards_and_counters_that_are_the_same_may_be_called_the_same(
    changes: list[tuple[str, str]], texts: str, tmp_path: Path
) -> None:
    assert cards(tmp_path, *changes, texts=texts) == []
