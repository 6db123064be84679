"""The texts that a game needs: of what players are shown, and of nothing else."""

from __future__ import annotations

import pytest

from rulekit import model as m
from rulekit.check.data.texts import can_be, needed
from tests.compile.games import model
from tests.compile.written import findings, written

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


def test_what_players_are_shown_needs_a_text() -> None:
    assert needed(written(RULES), ["Card.drums"]) == {
        "title": "", "member.Side.red": "", "member.Side.blue": "", "member.Tile.a1": "", "member.Tile.b1": "", "member.Card.drums": "Drums",
        "effect.Card.drums": "", "option.ask.tell": "Tell it", "why.tell.1": "it was told", "prompt.ask.choose": "what now",
        "prompt.ask.g": "which", "why.ask.g": "too many", "clause.might.more": "", "clause.may.no_more": "no more", "event.told": "", "purpose.luck": "",
        "level.drawn": "", "scenario.standard": "written"}


def test_borders_need_no_text_and_what_they_join_does() -> None:
    game = model("tests/fixtures/skirmish")
    joins, [border] = needed(game, []), [kind for kind in game.kinds.values() if kind.joins is not None]
    assert border.joins is not None and border.members and not [key for key in joins if key.startswith(f"member.{border.name}.")]
    assert {f"member.{border.joins.name}.{name}" for name in border.joins.members} <= joins.keys()


def test_the_fight_of_the_drawing_has_a_title() -> None:
    """The page heads the card of its odds with it."""
    game = model("games/sphacteria")
    game.info = {**game.info, "drawing": {"combat": {"while": "battle"}}}
    assert "phase.battle" in needed(game, [])
    game.info = {**game.info, "drawing": {}}
    assert "phase.battle" not in needed(game, [])


def test_what_is_missing_is_not_told_where_a_declaration_could_not_be_read() -> None:
    """The first phase may be what could not."""
    for rules, codes in (("game texts 1\nphase main\n  rol d\n", ["RK212"]), ("game texts 1\n", ["RK510"])):
        assert [line[:5] for line in findings(rules)[1]] == codes


SIDE = m.Kind("Side", ["red", "blue"])


@pytest.mark.parametrize(("type", "may", "never"), [
    (m.Bool(), "yes no ?", "true 1 red"), (m.Int(low=-1, high=3), "-1 0 3 ? none *", "-2 4 four yes"), (m.Int(), "-7 900", "many"),
    (m.MemberOf(SIDE), "red blue ? * none", "green 1"), (m.SetOf(SIDE), "0 2 *", "3 red -1"),
])
def test_a_case_that_may_come_is_not_told(type: m.Type, may: str, never: str) -> None:
    assert [word for word in may.split() if not can_be(word, type)] == []
    assert [word for word in never.split() if can_be(word, type)] == []
