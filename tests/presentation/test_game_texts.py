"""Texts for people: gaps, cases, lists, summarized events, and keys of texts inside the rules of a
member."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.common.i18n.message_format import FormattedValue, fill, gaps, is_sound
from rulekit.compiler.check.data.texts import needed
from rulekit.engine.knowledge.observation import Observer
from tests.small_games import checked_model, write_game

COUNT = "{n|0: nobody|1: one man|2,3: a few|*: {n} men of {who}}"


@pytest.mark.parametrize(
    ("n", "expected"), [(0, "nobody"), (1, "one man"), (3, "a few"), (7, "7 men of Red")]
)
def test_a_case_is_chosen_by_the_value(n: int, expected: str) -> None:
    assert fill(COUNT, {"n": FormattedValue(str(n), n), "who": "Red"}) == expected


def test_a_case_is_chosen_by_an_id_whatever_the_language_calls_it() -> None:
    text = "{s|red: rouge|none:|*: autre}{t|yes:, trêve}."
    assert (
        fill(text, {"s": FormattedValue("Die Roten", "red"), "t": FormattedValue("ja", "yes")})
        == "rouge, trêve."
    )
    assert (
        fill(text, {"s": FormattedValue("nobody", "none"), "t": FormattedValue("nein", "no")})
        == "."
    )


@pytest.mark.parametrize(("n", "expected"), [("2", "+2"), ("-1", "-1"), ("0", "+0"), ("?", "?")])
def test_numbers_with_a_sign(n: str, expected: str) -> None:
    assert fill("{n:+}", {"n": n}) == expected


def test_the_gaps_of_a_text() -> None:
    assert gaps("{a} {n|0: {b:+}|*: {c:all}}") == [("a", ""), ("n", ""), ("b", "+"), ("c", "all")]
    assert is_sound(COUNT)
    assert not is_sound("{n|0 nobody}")
    assert not is_sound("{a b}")
    assert is_sound("{n|0: {m|1: x|*: y} {z}|*: {z}}") and gaps("{n|0: {m|1: x}}") == [
        ("n", ""),
        ("m", ""),
    ]
    assert not is_sound("{n|0: {m|1: {z}}}")


RULES = """
kind Man = Ann | Bob | Cid | Dan
  state gone: bool
event fell(p: Man, n: int)
  p.gone := true
event met(g: set Man)
event silent
phase main
  met({Ann, Bob, Cid})
  fell(Ann, 1)
  silent()
  fell(Bob, 2)
  met({Dan})
  fell(Cid, 3)
  choose by red
    option end
      finish red, won
  finish red, won
"""
TEXTS = """
event.fell: "{p} falls ({n})"
event.fell.many: "{p:all} fall, {p:first} first, {p:others} before {p:last}, {n:all} in all"
event.met: "{g} {g|1: meets|*: meet}"
event.silent: ""
"""


def game(folder: Path, texts: str = TEXTS) -> rulekit.State:
    write_game(folder, RULES)
    (folder / "texts").mkdir()
    (folder / "texts" / "en.yaml").write_text(texts, encoding="utf-8")
    return rulekit.load(folder).new(seed=1)


def told(state: rulekit.State) -> list[str]:
    return [text for _, text in state.table.events.lines(state.events) if not text.startswith("==")]


@pytest.mark.docs("data-files#scenarios-rulings-texts-overlays")
def test_lists_and_events_told_in_one(tmp_path: Path) -> None:
    assert told(game(tmp_path)) == [
        "Ann, Bob and Cid meet",
        "Ann and Bob fall, Ann first, Ann before Bob, 3 in all",
        "Dan meets",
        "Cid falls (3)",
    ]


def test_events_are_told_in_one_only_where_the_rest_is_equal(tmp_path: Path) -> None:
    texts = TEXTS.replace(", {n:all} in all", " ({n})")
    assert told(game(tmp_path, texts))[1:3] == ["Ann falls (1)", "Bob falls (2)"]


@pytest.mark.parametrize(
    ("k", "n", "lines"),
    [
        (1, 4, ["Ann and Bob fall at 1 by 4"]),
        (2, 4, ["Ann falls at 1 by 4", "Bob falls at 2 by 4"]),
        (1, 5, ["Ann falls at 1 by 4", "Bob falls at 1 by 5"]),
    ],
)
def test_each_gap_without_a_mark_is_equal_in_events_told_in_one(
    tmp_path: Path, k: int, n: int, lines: list[str]
) -> None:
    rules = RULES.replace("p: Man, n: int", "p: Man, k: int, n: int").replace(
        "fell(Ann, 1)", "fell(Ann, 1, 4)"
    )
    rules = rules.replace("fell(Bob, 2)", f"fell(Bob, {k}, {n})").replace("  fell(Cid, 3)\n", "")
    texts = TEXTS.replace("falls ({n})", "falls at {k} by {n}").replace(
        "fall, {p:first} first, {p:others} before {p:last}, {n:all} in all", "fall at {k} by {n}"
    )
    write_game(tmp_path, rules)
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "en.yaml").write_text(texts, encoding="utf-8")
    assert told(rulekit.load(tmp_path).new(seed=1))[1:-1] == lines


def test_of_events_told_in_one_what_several_name_is_told_once(tmp_path: Path) -> None:
    texts = TEXTS.replace(
        "fall, {p:first} first, {p:others} before {p:last}, {n:all} in all", "fall"
    )
    write_game(tmp_path, RULES.replace("  fell(Bob, 2)\n", "  fell(Bob, 2)\n  fell(Ann, 5)\n"))
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "en.yaml").write_text(texts, encoding="utf-8")
    assert told(rulekit.load(tmp_path).new(seed=1))[1] == "Ann and Bob fall"


MEMBER = """
kind Face = F1 | F2
  slot effect(me: Side)
Face F1 "One"
  choose by me "which"
    option left "to the left"
      return
    option right "to the right"
      return
  pick s from Side by me "who"
phase main
  F1.effect(red)
  finish red, won
"""


def test_texts_inside_the_rules_of_a_member_have_keys_without_blanks(tmp_path: Path) -> None:
    keys = needed(checked_model(write_game(tmp_path, MEMBER)), [])
    assert {"option.F1.left", "option.F1.right", "prompt.F1.choose", "prompt.F1.s"} <= keys.keys()
    assert not [key for key in keys if " " in key]


WALK = """
kind Stone = S1 | S2
kind Path joins Stone
  fixed wet: bool
kind Man = Ann
  state at: Stone?
movement stroll(g: set Man)
  over Path b from a to z
  may enter not b.wet "it is wet"
  on entry
    each p in g
      p.at := z
phase main
  walk stroll({Ann}) from S1 by red
  finish red, won
"""
LAND = """
places:
  - kind: Stone
    source: {text: "1"}
    members: {S1: {}, S2: {}}
borders:
  - kind: Path
    source: {text: "1"}
    members: [{between: [S1, S2], wet: false}]
"""


def test_the_reasons_of_a_movement_have_texts(tmp_path: Path) -> None:
    assert needed(checked_model(write_game(tmp_path, MEMBER)), []).get("why.stroll.enter.1") is None
    (tmp_path / "map.yaml").write_text(LAND, encoding="utf-8")
    assert (
        needed(
            checked_model(write_game(tmp_path, WALK.replace("kind Stone = S1 | S2", "kind Stone"))),
            [],
        )["why.stroll.enter.1"]
        == "it is wet"
    )


NAMED = """
kind Chit = storm | spy | calm
state rung: 0..9
pool cup of Chit seen by none
pool hand(s: Side) of Chit seen by s
total might(n: 0..9): int
  base n
  modifier brave +1
setup
  each c in Chit
    put c in cup
moment bell asks red
reaction ring at bell
  limit 1 per main by me
  rung += might(1)
phase main
  draw 1 from cup to hand(red)
  draw 2 from cup to hand(blue)
  open bell
  pick n from 1 .. 2 by red "how many"
  finish none, drawn
"""
WORDS = {
    "moment.bell": "The bell!",
    "kind.Chit": "chit",
    "kind.Chit.many": "chits",
    "member.Chit.storm": "the storm",
}


@pytest.mark.parametrize(
    ("words", "prompt", "drawn"),
    [
        ({"level.drawn": "a draw"}, "bell", ["red draws storm", "blue draws 2 chit"]),
        ({"kind.Chit": "token"}, "bell", ["red draws storm", "blue draws 2 token"]),
        (WORDS, "The bell!", ["red draws the storm", "blue draws 2 chits"]),
    ],
)
def test_a_window_bears_the_name_of_its_moment_and_unknown_things_that_of_their_kind(
    tmp_path: Path, words: dict[str, str], prompt: str, drawn: list[str]
) -> None:
    """This covers one thing and several. A question outside of a window has its own name. A clause
    without a name is named by its keyword."""
    write_game(tmp_path, NAMED)
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "en.yaml").write_text(
        "".join(f'{key}: "{text}"\n' for key, text in words.items())
    )
    state = rulekit.load(tmp_path).new(seed=1, dice=[0, 1, 2])
    assert state.decision is not None and state.decision.prompt == prompt
    assert [line for _, line in state.table.events.lines(Observer(state, "red").events())][
        1:
    ] == drawn
    assert [
        line.split() for line in state.explain("might", 3).text(full=True).splitlines()[1:]
    ] == [["3", "base"], ["+1", "brave"]]
    state.apply("pass")
    assert state.decision.prompt == "how many"


BAGS = """
kind Spot = camp | ford
kind Chit = storm | spy | calm
pool cup of Chit
pool bag(z: Spot) of Chit
pool hand(s: Side) of Chit
setup
  each c in Chit
    put c in cup
phase main
  day(2)
  finish none, drawn
phase day(n: 1..3)
  put storm in bag(ford)
  put spy in hand(blue)
  draw 1 from cup to bag(camp)
  hour(ford)
phase hour(z: Spot)
  pick k from 1 .. 2 by red "on"
"""


def test_a_pool_is_told_by_whose_or_where_it_is(tmp_path: Path) -> None:
    """A place is not a person, because only a player gives or takes. The running phases are listed
    without the outermost."""
    state = rulekit.load(write_game(tmp_path, BAGS)).new(seed=1)
    lines = [line for _, line in state.table.events.lines(state.events)]
    assert lines == [
        "== main ==",
        "== day: 2 ==",
        "storm: now in bag: ford",
        "blue puts spy in hand: blue",
        "calm: drawn to bag: camp",
        "== hour: ford ==",
    ]
    assert Observer(state, None).phases_shown() == [("day", {"n": "2"}), ("hour", {"z": "ford"})]
    assert Observer(state, "red").phases() == [
        {"phase": "main"},
        {"phase": "day", "n": 2},
        {"phase": "hour", "z": "ford"},
    ]


UNKNOWN = """
kind Town = Ashby | Bexley | Corby
kind Man = Ann | Bob
  identity seen by owner
  state owner: Side
  state at: Town?
  state packed: bool
event packs(p: Man)
  p.packed := true
event went(p: Man, a: Town, z: Town)
  p.at := z
phase main
  packs(Ann)
  went(Ann, Ashby, Bexley)
  went(Ann, Bexley, Corby)
  packs(Bob)
  went(Bob, Corby, Ashby)
  choose by blue
    option end
      finish red, won
  finish red, won
"""


def test_what_unknown_things_do_is_told_in_one_only_where_nothing_happened_between(
    tmp_path: Path,
) -> None:
    write_game(tmp_path, UNKNOWN)
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "en.yaml").write_text(
        'event.packs: ""\nevent.went: "{p} goes from {a} to {z}"\nevent.went.many: "{p} goes from'
        ' {a:first} to {z:last}"\n',
        encoding="utf-8",
    )
    state = rulekit.load(tmp_path).new(seed=1)
    lines = [text for _, text in state.table.events.lines(Observer(state, "blue").events())]
    assert [line for line in lines if "goes" in line] == [
        "? goes from Ashby to Corby",
        "? goes from Corby to Ashby",
    ]


@pytest.mark.parametrize(
    ("observer", "line"),
    [
        ("red", "Ann, Bob and ? muster"),
        ("blue", "?, ? and Cid muster"),
        (None, "?, ? and ? muster"),
    ],
)
def test_each_unknown_thing_of_events_told_in_one_has_its_sign(
    tmp_path: Path, observer: str | None, line: str
) -> None:
    """One sign for two of them would read as if there were one."""
    rules = (
        UNKNOWN.partition("phase main")[0].replace("Ann | Bob", "Ann | Bob | Cid")
        + """
event mustered(p: Man)
  p.at := Ashby
setup
  Cid.owner := blue
phase main
  mustered(Ann)
  mustered(Bob)
  mustered(Cid)
  choose by blue
    option end
      finish red, won
  finish red, won
"""
    )
    write_game(tmp_path, rules)
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "en.yaml").write_text(
        'event.mustered: "{p} musters"\nevent.mustered.many: "{p:all} {p:all|3: muster|*: are told'
        ' as one}"\n',
        encoding="utf-8",
    )
    state = rulekit.load(tmp_path).new(seed=1)
    assert [
        text
        for _, text in state.table.events.lines(Observer(state, observer).events())
        if "muster" in text
    ] == [line]
