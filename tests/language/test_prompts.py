"""The gaps of a prompt: they read the variables visible at the decision, not others of the same
name in the procedure."""

from __future__ import annotations

from pathlib import Path

import rulekit

MANIFEST = 'rulekit: game\nname: small\ntitle: "Small"\nversion: "0.1"\nlanguage: 1\n'

HEAD = """game small 1
kind Side decides = red | blue
kind Nation = greek | persian
kind Place = here_town | far_town
state n_of(x: Nation): 0..9 = 3
state spot: Place
"""


def written(rules: str, folder: Path) -> rulekit.Game:
    (folder / "game.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "game.rules").write_text(HEAD + rules, encoding="utf-8")
    return rulekit.load(folder)


def prompts(rules: str, folder: Path) -> list[str]:
    """Return the questions of a game in which the second option is always chosen (or the only
    one)."""
    state, found = written(rules, folder).new(seed=1), []
    while state.decision is not None:
        found.append(state.decision.prompt)
        state.apply(state.decision.options[min(1, len(state.decision.options) - 1)])
    return found


def test_two_variables_of_one_name_and_two_kinds(tmp_path: Path) -> None:
    assert prompts(
        """phase main
  each n in Nation
    pick k from 0 .. n_of(n) by red "how many of {n}"
    n_of(n) := k
  pick n from Place by red "go on to"
  spot := n
  each n in 1 .. 3
    n_of(greek) := n
  finish none, over
""",
        tmp_path,
    ) == ["how many of greek", "how many of persian", "go on to"]


def test_each_of_several_decisions_reads_its_own(tmp_path: Path) -> None:
    assert prompts(
        """phase main
  each n in Nation
    choose by red "first {n}"
      option a
      option b
  each n in Place
    pick group g from Nation by red "then {n}", 1 to 1
    n_of(greek) := count(g)
  let n = 4
  pick m from Nation by red "last {n}"
  finish none, over
""",
        tmp_path,
    ) == ["first greek", "first persian", "then here_town", "then far_town", "last 4"]


def test_a_variable_that_only_the_prompt_reads_is_there(tmp_path: Path) -> None:
    assert prompts(
        """phase main
  each n in Nation
    let left = n_of(n) + 1
    pick k from Nation by red "{left} of {n} are left"
  finish none, over
""",
        tmp_path,
    ) == ["4 of greek are left", "4 of persian are left"]


def test_a_caller_lends_its_parameters_and_fields_and_not_what_it_calls_so_later(
    tmp_path: Path,
) -> None:
    assert prompts(
        """phase main
  march(persian)
  finish none, over
phase march(who: Nation)
  field pace: 0..9 = 7
  ask
  let later = 5
  each who in Place
    spot := who
  n_of(greek) := later
procedure ask in march
  pick k from Nation by red "{who} goes {pace}"
""",
        tmp_path,
    ) == ["persian goes 7"]


def test_a_translation_may_read_what_the_english_text_does_not(tmp_path: Path) -> None:
    game = written(
        """phase main
  each n in Nation
    let left = n_of(n) - 1
    pick k from Place by red "where to"
  each left in Place
    spot := left
  finish none, over
""",
        tmp_path,
    )
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "fr.yaml").write_text('prompt.main.k: "où vont {n}, dont {left}"\n', encoding="utf-8")
    decision = rulekit.load(tmp_path, lang="fr").new(seed=1).decision
    assert game.new(seed=1).decision is not None and decision is not None
    assert decision.prompt == "où vont greek, dont 2"
