"""The end of a look-ahead: revealing to nobody is no reveal."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.lookahead.player_lookahead import PlayerLookahead
from tests.presentation.priced_games import new_game

SHOWN = """
kind Block = b1(blue) | b2(blue) | r1(red)
  fixed owner: Side
  identity seen by owner, all when open
  state open: bool
event shown(g: set Block) reveals g
  each b in g
    b.open := true
phase main
  choose by red "which"
    option nobody
      shown(Block where open)
    option all_of_them
      shown(Block where owner = red)
  choose by red "end"
    option depart
      finish red, win
    option stay
      finish blue, win
"""


@pytest.mark.parametrize(("key", "stopped"), [("nobody", ""), ("all_of_them", "reveal")])
def test_to_reveal_nothing_stops_nothing(tmp_path: Path, key: str, stopped: str) -> None:
    state = new_game(tmp_path, SHOWN)
    lookahead = PlayerLookahead.of(Observer(state, "red"))
    lookahead.take(lookahead.find(key))
    assert lookahead.stopped == stopped and lookahead.mine == (not stopped)
