"""The origin of texts: the game's own in its language, the frontend's as a fallback, missing
values, and labels of things."""

from __future__ import annotations

from pathlib import Path

import rulekit
from rulekit.engine.explain.derivation import Derivation, DerivationLine
from rulekit.engine.kernel.default_texts import DEFAULTS
from rulekit.engine.kernel.names import NO_LIMIT
from rulekit.runtime.program import TypeInfo
from tests.small_games import write_game

ASKED = """
state told: 0..9 = 2
event waited
  told := 1
moment bell asks red
reaction ring at bell
  limit 1 per game by me
  waited
total worth: int
  base told
  modifier more +1 when told > 1
  at least 2
reaction hark after waited
  for red
  limit 1 per game by me
  told := 3
phase main
  open bell
  pick n from 1 .. 2 by red
  finish none, drawn when n > worth
  finish none, drawn
"""


def game(folder: Path, texts: dict[str, str]) -> rulekit.State:
    (folder / "texts").mkdir()
    for lang, text in texts.items():
        (folder / "texts" / f"{lang}.yaml").write_text(text)
    return rulekit.load(write_game(folder, ASKED)).new()


def test_words_of_options_are_the_games_in_its_language_and_the_frontends_in_others(
    tmp_path: Path,
) -> None:
    """If a game has a text in only one language, the frontend's word is used in the other."""
    state = game(
        tmp_path, {"en": "pass: let it ring\nevent.waited: it rings\n", "fr": "title: petit\n"}
    )
    french = state.in_language("fr")
    assert (state.names.own("pass", {}), french.names.own("pass", {})) == (
        "let it ring",
        DEFAULTS["pass"].text("fr"),
    )
    assert DEFAULTS["pass"].text("fr") not in ("", "let it ring")
    assert state.names.own("go", {}) == DEFAULTS["go"].text("en")
    assert (
        french.names.has_text("event.waited")
        and not french.names.has_text("pass")
        and state.names.has_text("pass")
    )


def test_a_window_is_called_after_its_moment(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    state, named = (
        game(tmp_path / "one", {}),
        game(tmp_path / "two", {"en": "moment.bell: the bell rings\n"}),
    )
    assert state.decision is not None and named.decision is not None
    assert (state.decision.moment, state.decision.prompt, named.decision.prompt) == (
        "bell",
        "bell",
        "the bell rings",
    )
    state.apply("ring")
    assert (state.decision.moment, state.decision.prompt) == ("after waited", "after waited")
    while state.decision.kind == "window":
        state.apply("pass")
    assert state.decision.moment is None and state.decision.prompt == "n"


def test_a_share_that_is_none_is_said_as_none(tmp_path: Path) -> None:
    names = game(tmp_path, {}).names
    share = TypeInfo("ratio", optional=True)
    assert [str(names.shown(share, value)) for value in ((2, 3), NO_LIMIT)] == ["2 : 3", "-"]


def test_a_clause_without_a_name_is_called_by_its_word(tmp_path: Path) -> None:
    assert (
        "4 base"
        in Derivation(
            "total", "sum", {}, 4, None, (), (DerivationLine("base", "", "applied", 4),)
        ).text()
    )
    text = game(tmp_path, {}).explain("worth").text(full=True)
    assert [line.split()[:2] for line in text.splitlines()[1:]] == [
        ["2", "base"],
        ["+1", "more"],
        ["2", "least"],
    ], text
