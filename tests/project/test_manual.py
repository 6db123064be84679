"""The manual on the command line: words of the language, codes and names of games."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.syntax.lexer import KEYWORDS
from rulekit.compiler.syntax.parser import parse
from rulekit.compiler.syntax.parser_tables import parser
from rulekit.project.manual.game_names import GameName, game_name, source_of
from rulekit.project.manual.pages import code_section, codes
from rulekit.project.manual.words import known_words, word_entry
from tests.commands import ran
from tests.small_games import write_game

ROOT = Path(__file__).resolve().parents[2]


def found_in(folder: Path, name: str) -> GameName | None:
    return game_name(source_of(folder), name)


WORDS = ["modifier", "pick", "whenever", "reveals", "together", "movement", "seen", "pool"]


def test_the_words_are_those_of_the_parser() -> None:
    parser()
    assert known_words() == {word for word in KEYWORDS if word.isalpha()}


@pytest.mark.parametrize("word", sorted(known_words()))
def test_every_word_has_a_form(word: str) -> None:
    entry = word_entry(word)
    assert entry is not None and any(word in form for form in entry.forms)
    assert not any(re.search(r"\b_(INDENT|DEDENT|end|NL)\b|(?<!\")->", f) for f in entry.forms)


@pytest.mark.parametrize("word", WORDS)
def test_a_word_is_explained_and_used(word: str) -> None:
    """The uses are lines of the named files, without the word only in a text or comment."""
    entry = word_entry(word)
    assert entry is not None and entry.sections and entry.lines
    for use in entry.uses:
        lines = (ROOT / use.file).read_text("utf-8").split("\n")
        assert lines[use.line - 1].strip() == use.text and word in use.text.split('"')[0]
    assert [len(use.text) for use in entry.uses] == sorted(len(use.text) for use in entry.uses)


def test_a_word_that_only_examples_use_names_its_section() -> None:
    entry = word_entry("identity")
    assert entry is not None and entry.sections[0] == "13. Hidden information"


def test_a_name_that_is_no_word_has_no_entry() -> None:
    assert word_entry("march_cost") is None and word_entry("") is None


@pytest.mark.parametrize("code", codes())
def test_every_code_has_its_section(code: str) -> None:
    found = code_section(code.lower())
    assert found is not None and code in found.heading and found.text


def test_a_section_ends_at_the_next_heading() -> None:
    found = code_section("RK301")
    assert found is not None and "\n#" not in found.text and code_section("RK000") is None


RULES = """\
unit VP
# How much a side counts.
total score(s: Side): VP  ref "8.2"
  base 1
  modifier late +1 when turn > 3  ref "8.3"
state turn: 1..9 = 1  # "score" is no use of it
kind Token = crown | orb
  fixed weight: 0..3 = 0
  state taker: Side?
event passed
  turn += 1
menu orders in main
action pass_on in orders "score"
  when score(red) >= 1
  passed
phase main
  choose by red from orders "x"
  finish none, drawn
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_game(tmp_path, RULES)
    (tmp_path / "situations").mkdir()
    (tmp_path / "situations" / "all.yaml").write_text(
        "- name: One\n  then: [{total score(red): 1}]\n- name: Two\n  do: [{red: pass_on}]\n"
        "  then: [{turn: 2}]\n"
    )
    return tmp_path


def test_a_declaration_has_its_place_comment_and_paragraph(folder: Path) -> None:
    found = found_in(folder, "score")
    assert found is not None and len(found.declared) == 1
    declared = found.declared[0]
    assert declared.what == "total" and declared.place.endswith("game.rules:6")
    assert declared.text == "total score(s: Side): VP" and declared.ref == ("8.2",)
    assert declared.comment == "How much a side counts."
    assert [each.text for each in found.used] == ["when score(red) >= 1"]
    assert found.situations == ("all.yaml:1 One",)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("late", "clause of score"),
        ("score.late", "clause of score"),
        ("turn", "state"),
        ("Token", "kind"),
        ("orb", "member of Token"),
        ("weight", "fixed of Token"),
        ("taker", "state of Token"),
        ("pass_on", "action"),
        ("VP", "unit"),
        ("orders", "menu"),
        ("passed", "event"),
        ("main", "proc"),
    ],
)
def test_every_sort_of_declaration_is_found(folder: Path, name: str, what: str) -> None:
    found = found_in(folder, name)
    assert found is not None and [each.what for each in found.declared] == [what]


def test_a_name_that_nothing_declares_has_no_entry(folder: Path) -> None:
    assert found_in(folder, "scores") is None


def test_members_rulings_and_replacements_are_found_in_a_shipped_game() -> None:
    game = ROOT / "games" / "sphacteria"
    piece = found_in(game, "athens.H1")
    assert piece is not None and piece.declared[0].what == "member of Piece"
    weak = found_in(game, "weak_die")
    assert weak is not None and [d.what for d in weak.declared] == ["define", "replace define"]
    ruling = found_in(game, "unpaid_weak")
    assert ruling is not None and "(default)" in ruling.declared[0].text


@pytest.mark.parametrize("name", ["sphacteria", "amphipolis", "athens_sparta"])
def test_every_named_declaration_of_a_game_is_found(name: str) -> None:
    """The tree and the look-up agree on a sample of each file's declarations."""
    folder = ROOT / "games" / name
    source = source_of(folder)
    for path in sorted((folder / "rules").glob("*.rules")):
        text = path.read_text("utf-8")
        named = [d for d in parse(text, str(path), Sink()).decls if hasattr(d, "name")]
        for each in named[:: max(1, len(named) // 3)]:
            found = game_name(source, each.name)
            assert found is not None
            assert any(d.place.endswith(f":{each.span.line}") for d in found.declared)


@pytest.mark.parametrize(
    ("words", "guess"),
    [
        (("pikc",), "did you mean 'pick'"),
        (("RK999",), "there is no code RK999"),
        (("march_cots", "--game", str(ROOT / "games" / "sphacteria")), "'march_cost'"),
    ],
)
def test_what_nothing_has_is_refused_with_a_guess(words: tuple[str, ...], guess: str) -> None:
    code, out, errors = ran("doc", *words)
    assert (code, out) == (2, "") and guess in errors


def test_the_command_prints_all_three_sorts(folder: Path) -> None:
    assert ran("doc", "rk301")[1].startswith("RK301")
    assert "also in language.md:" in ran("doc", "reveals")[1]
    both = ran("doc", "total", "--game", str(folder))
    assert both[0] == 0 and both[1].startswith("needs: needs (define | total")
    found = json.loads(ran("doc", "score", "--game", str(folder), "--json")[1])
    assert found["word"] is None and found["name"]["declared"][0]["what"] == "total"


def test_uses_are_cut_short_unless_all_are_asked_for() -> None:
    game = str(ROOT / "games" / "sphacteria")
    short, long = (
        ran("doc", "zone", "--game", game)[1],
        ran("doc", "zone", "--game", game, "--all")[1],
    )
    assert "--all shows them" in short and len(long) > len(short) and "--all" not in long
