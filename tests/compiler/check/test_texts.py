"""The texts that a game needs: those that players see, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.compiler import model as m
from rulekit.compiler.check.data.texts import can_be, needed
from rulekit.project.loader import Loader
from tests.compiler.checked_games import model
from tests.compiler.checked_rules import findings, written

RULES = """game texts 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Tile = grid 1 by 2
kind Card
  slot effect(me: Side)
members Card = drums
Card drums "Drums"
  told(1)
event told(n: 0..9)
  told_before := n
state told_before: 0..9
total might: int
  base 1
  modifier more +1 when told_before > 1
  at least 0
permit may
  bar no_more when told_before > 2 "no more"
procedure ask
  choose by red "what now"
    option tell "Tell it"
      when told_before < 2 "it was told"
      roll d = d6 by red for luck
      told(d)
  pick group g from Tile by red "which" while count(g) < 2 "too many"
on after die_rolled when value > 5
  told(1)
phase main
  ask
  finish none, drawn
"""


@pytest.mark.docs("data-files#scenarios-rulings-texts-overlays")
def test_what_players_are_shown_needs_a_text() -> None:
    assert needed(written(RULES), ["Card.drums"]) == {
        "title": "",
        "member.Side.red": "",
        "member.Side.blue": "",
        "member.Tile.a1": "",
        "member.Tile.b1": "",
        "member.Card.drums": "Drums",
        "effect.Card.drums": "",
        "option.ask.tell": "Tell it",
        "why.tell.1": "it was told",
        "prompt.ask.choose": "what now",
        "prompt.ask.g": "which",
        "why.ask.g": "too many",
        "clause.might.more": "",
        "clause.may.no_more": "no more",
        "event.told": "",
        "purpose.luck": "",
        "level.drawn": "",
        "scenario.standard": "written",
    }


def test_borders_need_no_text_and_what_they_join_does() -> None:
    game = model("tests/fixtures/skirmish")
    joins, [border] = (
        needed(game, []),
        [kind for kind in game.kinds.values() if kind.joins is not None],
    )
    assert (
        border.joins is not None
        and border.members
        and not [key for key in joins if key.startswith(f"member.{border.name}.")]
    )
    assert {f"member.{border.joins.name}.{name}" for name in border.joins.members} <= joins.keys()


def test_the_fight_of_the_drawing_has_a_title() -> None:
    """The page uses it as the heading of the odds."""
    game = model("games/sphacteria")
    game.info = {**game.info, "drawing": {"combat": {"while": "battle"}}}
    assert "phase.battle" in needed(game, [])
    game.info = {**game.info, "drawing": {}}
    assert "phase.battle" not in needed(game, [])


def test_what_is_missing_is_not_told_where_a_declaration_could_not_be_read() -> None:
    """The unreadable declaration may be the first phase."""
    for rules, codes in (
        ("game texts 1\nphase main\n  rol d\n", ["RK212"]),
        ("game texts 1\n", ["RK510"]),
    ):
        assert [line[:5] for line in findings(rules)[1]] == codes


SIDE = m.Kind("Side", ["red", "blue"])


@pytest.mark.parametrize(
    ("type", "may", "never"),
    [
        (m.Bool(), "yes no ?", "true 1 red"),
        (m.Int(low=-1, high=3), "-1 0 3 ? none *", "-2 4 four yes"),
        (m.Int(), "-7 900", "many"),
        (m.MemberOf(SIDE), "red blue ? * none", "green 1"),
        (m.SetOf(SIDE), "0 2 *", "3 red -1"),
    ],
)
def test_a_case_that_may_come_is_not_told(type: m.Type, may: str, never: str) -> None:
    assert [word for word in may.split() if not can_be(word, type)] == []
    assert [word for word in never.split() if can_be(word, type)] == []


ASKS = """game asks 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Tile = a | b | c
state held: Tile?
state points: 0..9 = 5
moment dawn
moment noon in day asks who
reaction pray at dawn "Pray"
  limit 1 per game by me
  points += 1 when points < 9
reaction eat at noon "Eat"
  limit 1 per game by me
  points += 1 when points < 9
procedure day(who: Side)
  open noon
procedure ask
  choose by red "what"
    option buy "Buy"
      when points > 1 "you have none"
      pays 1 from points
      when held != none "nothing is held"
      held := none
    option stay "Stay"
  pick t from Tile by red "the first"
  held := t
  pick u from Tile by red "the second"
  held := u
phase main
  open dawn
  day(red)
  ask
  finish none, drawn
"""


def told(folder: Path, rules: str = ASKS, **files: str) -> list[tuple[str, str, str]]:
    """Return the findings about the texts of a game.

    Args:
        files: texts by language, and `drawing`.
    """
    written_files = {
        "game.yaml": 'rulekit: game\nname: asks\ntitle: Asks\nversion: "1"\nlanguage: 1\n',
        "game.rules": rules,
    }
    written_files |= {
        "drawing.yaml" if name == "drawing" else f"texts/{name}.yaml": text
        for name, text in files.items()
    }
    for name, text in written_files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return [(d.code, d.message, d.help) for d in Loader(folder).findings() if d.code[:4] == "RK67"]


ALL = (
    "member.Side.red: Red\nmember.Side.blue: Blue\nmember.Tile.a: A\nmember.Tile.b:"
    " B\nmember.Tile.c: C\nlevel.drawn: drawn\n"
)


@pytest.mark.parametrize("texts", ["title: As asked\n", "option.ask.buy: Buy it\n", ALL])
def test_in_the_language_of_the_rules_no_text_must_be_given(texts: str, tmp_path: Path) -> None:
    """Ids and texts of the rules are shown, and a file of that language overrides them. In another
    language everything is missing."""
    assert told(tmp_path / "one", en=texts) == []
    assert [code for code, _, _ in told(tmp_path / "two", fr=texts)] == ["RK670"]


def test_reasons_are_counted_by_the_lines_with_when_alone(tmp_path: Path) -> None:
    assert {"why.buy.1", "why.buy.2"} == {
        key for key in needed(written(ASKS), []) if key.startswith("why.")
    }
    assert told(tmp_path, en=ALL + "why.buy.2: nothing\n") == []
    [(code, message, help)] = told(tmp_path, en=ALL + "why.buy.3: nothing\n")
    assert (code, message) == (
        "RK671",
        "the text key 'why.buy.3' belongs to nothing in the game",
    ) and "'why.buy.2'" in help
    assert "why.buy.1" in Loader(tmp_path).missing_texts("fr") and "why.buy.2" in Loader(
        tmp_path
    ).missing_texts("fr")


@pytest.mark.docs("data-files#scenarios-rulings-texts-overlays")
@pytest.mark.parametrize(
    ("key", "gap", "known"),
    [
        ("moment.noon", "who", True),
        ("moment.noon", "me", False),
        ("moment.dawn", "me", False),
        ("moment.dawn", "who", False),
        ("prompt.ask.choose", "me", False),
        ("prompt.ask.u", "t", True),
    ],
)
def test_a_question_names_what_is_known_where_it_is_asked(
    key: str, gap: str, known: bool, tmp_path: Path
) -> None:
    """The question is asked with these names filled in. An unfilled gap is reported."""
    found = told(tmp_path, en=f'{ALL}{key}: "now {{{gap}}}"\n')
    assert [code for code, _, _ in found] == ([] if known else ["RK672"])
    state, asked = rulekit.load(tmp_path).new(seed=1), []
    while state.decision is not None:
        asked.append(state.decision.prompt)
        state.apply(state.decision.options[-1].key)
    assert any(each.startswith("now ") for each in asked) == known


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("pick u from Tile", "pick t from Tile", "prompt.ask.t"),
        (
            "  pick t from Tile",
            '  choose by red "else"\n    option go "Go"\n  pick t from Tile',
            "prompt.ask.choose",
        ),
        (
            "  pick t from Tile",
            '  choose by red "what"\n    option stay "Wait"\n  pick t from Tile',
            "option.ask.stay",
        ),
        (
            "  ask\n  finish",
            (
                '  ask\n  choose by red "what"\n    option buy "Buy"\n      when points > 5 "too'
                ' few"\n  finish'
            ),
            "why.buy.1",
        ),
    ],
)
def test_what_says_different_things_has_different_keys(
    old: str, new: str, key: str, tmp_path: Path
) -> None:
    """This is required if the game has texts in any language. Otherwise the rules have their own
    words."""
    assert ASKS.count(old) == 1
    rules = (
        ASKS.replace(old, new).replace("held := u", "held := t")
        if key == "prompt.ask.t"
        else ASKS.replace(old, new)
    )
    assert told(tmp_path / "none", rules) == []
    [(code, message, _)] = told(tmp_path / "some", rules, en=ALL)
    assert code == "RK674" and f"share the text key '{key}'" in message


def test_questions_that_say_the_same_may_have_one_key(tmp_path: Path) -> None:
    rules = (
        ASKS.replace("pick u from Tile", "pick t from Tile")
        .replace("held := u", "held := t")
        .replace("the second", "the first")
    )
    assert told(tmp_path, rules, en=ALL) == []


@pytest.mark.parametrize(
    ("texts", "missing"),
    [
        ("en", "hill, drawing.bay"),
        ("", "hill, drawing.bay"),
        ("drawing.bay: Bay\n", "hill"),
        ("drawing.hill: H\ndrawing.bay: B\n", ""),
    ],
)
def test_a_look_with_a_name_has_a_text_in_the_language_of_the_rules(
    texts: str, missing: str, tmp_path: Path
) -> None:
    """This holds also if the game has no file of texts."""
    looks = (
        "source: {assumed: x}\nsigns: [{name: hill, shape: disc}]\nwords: [{name: bay, at: [1,"
        " 1]}]\n"
    )
    found = told(tmp_path, drawing=looks, **({"en": ALL + texts} if texts != "en" else {}))
    assert [message for _, message, _ in found] == (
        [f"asks has no text in 'en' for drawing.{missing}"] if missing else []
    )


@pytest.mark.parametrize(
    ("slip", "key"),
    [
        ("prompt.ask.chose", "prompt.ask.choose"),
        ("promt.ask.t", "prompt.ask.t"),
        ("prompt.aks.u", "prompt.ask.u"),
        ("why.buy.3", "why.buy.2"),
        ("option.stay", "option.ask.stay"),
        ("event.drawn.x", None),
        ("prompt.ask.x", None),
        ("levels.drawn", "level.drawn"),
    ],
)
def test_a_key_that_is_misspelt_is_told_once(slip: str, key: str | None, tmp_path: Path) -> None:
    """The intended key is not reported as missing."""
    known = ("title", *needed(written(ASKS), []))
    lines = "".join(
        f"{each}: x{at}\n"
        for at, each in enumerate(dict.fromkeys(known))
        if each != (key or "level.drawn")
    )
    found = told(tmp_path, en=ALL, fr=f"{lines}{slip}: y\n")
    assert [code for code, _, _ in found] == (["RK671"] if key else ["RK670", "RK671"])
    if key:
        assert found[0][1:] == (
            f"the text key '{slip}' belongs to nothing in the game, and '{key}' has no text",
            f"did you mean '{key}'?",
        )
