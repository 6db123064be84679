"""Texts about things that go to a pool, and the selection of cases in a text."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.common.i18n.message_format import FormattedValue, fill
from rulekit.engine.knowledge.observation import Observer
from tests.small_games import write_game

RULES = """
kind Card = c1 | c2 | c3
pool deck of Card
pool hand(s: Side) of Card
pool gone of Card
setup
  each c in Card
    put c in deck
phase main
  draw 1 from deck to hand(red)
  each c in hand(red)
    put c in gone
  gather deck to gone
  choose by red
    option end
      finish red, won
  finish red, won
"""


def told(folder: Path, texts: str) -> list[str]:
    folder.mkdir()
    write_game(folder, RULES)
    (folder / "texts").mkdir()
    (folder / "texts" / "en.yaml").write_text("title: Small\n" + texts, encoding="utf-8")
    state = rulekit.load(folder).new(seed=1)
    return [text for _, text in state.table.events.lines(state.events) if not text.startswith("==")]


def test_a_pool_has_texts_of_its_own_for_what_goes_to_it(tmp_path: Path) -> None:
    """They are for each way of moving there, and for that pool only."""
    plain = told(tmp_path / "plain", "")
    other = told(
        tmp_path / "other",
        'event.put.gone: "a card is laid down"\nevent.drawn.hand: "a card is'
        ' taken"\nevent.gathered.gone: "the rest is thrown away"\n',
    )
    assert other[-3:] == ["a card is taken", "a card is laid down", "the rest is thrown away"]
    assert other[:-3] == plain[:-3] and not set(other[-3:]) & set(plain)


def test_a_text_that_names_who_it_is_is_not_told_of_what_is_nobodys(tmp_path: Path) -> None:
    """If nobody puts or draws it, the frontend's own words are used, and those of a text that
    allows for this."""
    plain = told(tmp_path / "plain", "")
    other = told(
        tmp_path / "other",
        'event.put: "{who}: {what} is laid"\nevent.gathered: "{who}: {what} are laid"\n',
    )
    assert other[-2].startswith("red: ") and other[-1] == plain[-1] and ": now in gone" in plain[-1]
    assert (
        told(
            tmp_path / "third",
            'event.gathered: "{who|: the rest is laid|*: {who} lays the rest}"\n',
        )[-1]
        == "the rest is laid"
    )


@pytest.mark.parametrize(("way", "at"), [("drawn.hand", 0), ("put.gone", 1), ("gathered.gone", 2)])
def test_an_empty_text_of_a_pool_says_nothing(tmp_path: Path, way: str, at: int) -> None:
    plain = told(tmp_path / "plain", "")
    assert told(tmp_path / "other", f'event.{way}: ""\n') == [
        *plain[:-3],
        *(line for i, line in enumerate(plain[-3:]) if i != at),
    ]


@pytest.mark.docs("data-files#scenarios-rulings-texts-overlays")
def test_dice_have_texts_of_their_own_for_what_they_are_rolled_for(tmp_path: Path) -> None:
    """An empty text prints nothing, and another purpose has the usual one. A phase with an empty
    text is not printed."""
    write_game(
        tmp_path,
        """
phase main
  weather
  choose by red
    option end
      finish red, won
  finish red, won
phase weather
  roll a = d6 by red for wind
  roll b = d6 by red for rain
  roll c = d6 by red for luck
""",
    )
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "en.yaml").write_text(
        'title: Small\nphase.weather: ""\nevent.die_rolled.wind: "the wind blows at'
        ' {value}"\nevent.die_rolled.rain: ""\n',
        encoding="utf-8",
    )
    state = rulekit.load(tmp_path).new(seed=1)
    wind, _, luck = [event.params["value"] for event in state.events if event.name == "die_rolled"]
    assert [text for _, text in state.table.events.lines(state.events)] == [
        "== main ==",
        f"the wind blows at {wind}",
        f"red rolls {luck} (luck)",
    ]


@pytest.mark.parametrize(("seen", "named"), [("", "c1"), (" seen by none", "?")])
def test_what_lies_in_pools_that_all_look_into_is_named_in_events(
    tmp_path: Path, seen: str, named: str
) -> None:
    """Lots drawn from a pool of places or leaders do not hide them. One pool that not all may see
    does."""
    write_game(
        tmp_path,
        f"""
kind Card = c1 | c2
pool rest of Card
pool urn of Card{seen}
event shown(c: Card)
phase main
  shown(c1)
  put c2 in urn
  choose by red
    option end
      finish red, won
  finish red, won
""",
    )
    state = rulekit.load(tmp_path).new(seed=1)
    for observer in ("red", "blue", None):
        assert [
            params
            for event, params in Observer(state, observer).everything()["events"]
            if event == "shown"
        ] == [{"c": named}]


@pytest.mark.docs("data-files#scenarios-rulings-texts-overlays")
@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("{n|0:  two blanks}", "0", " two blanks"),
        ("{n|0: one }", "0", "one "),
        ("{n|0:none}", "0", "none"),
        ("[{n|0: a|1: b}]", "2", "[]"),
        ("{n|*: a|2: b}", "2", "b"),
        ("{n|2,3: a|*: b}", "3", "a"),
        ("{n|2, 3: a|*: b}", "3", "a"),
        ("{n|2,3: a|*: b}", "23", "b"),
        ("{n|1: {m|x: p|*: q} {n}|*: r}", "1", "q 1"),
    ],
)
def test_how_a_case_is_chosen_and_told(text: str, value: str, expected: str) -> None:
    """One blank after the colon is dropped. `*` is any other case, wherever it is, and without it
    nothing is printed."""
    assert fill(text, {"n": FormattedValue(value), "m": FormattedValue("y")}) == expected
