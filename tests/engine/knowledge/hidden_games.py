"""Rules with blocks that only their owner sees, and values by observer."""

from __future__ import annotations

from typing import Any

OBSERVERS = ("red", "blue", None)

BLOCKS = """
kind Spot = hill | ford
kind Block = r1(red, 1) | r2(red, 2) | b1(blue, 3) | b2(blue, 4)
  fixed owner: Side
  fixed arm: 0..9
  identity seen by owner, all when open
  state open: bool
  state strength: 0..9 = 4 seen by owner, all when open
  state seal: 0..9 = 7 seen by none
  state spot: Spot?
  state foe: Block?
"""


def by_observer(values: Any) -> dict[str | None, Any]:
    return dict(zip(OBSERVERS, values, strict=True))


CHITS = """
kind Token = t1 | t2 | t3 | t4 | t5 | t6
kind Chit = c1 | c2 | c3 | c4 | c5 | c6
pool hand(s: Side) of Chit seen by s
pool table of Chit
pool cup of Chit seen by none
pool bag of Token seen by none
pool stock of Token
state trump: Chit?
setup
  put c1 in hand(red)
  put c2 in hand(blue)
  put c3 in table
  put c5 in table
  put c5 in cup
  put c6 in hand(blue)
  put t2 in stock
  trump := c1
total called(s: Side): int
  base count(hand(s))
  modifier trumps +1 when trump in hand(s)
total price(c: Chit): int
  base 7
total later(s: Side) in night: int
  base 4
phase main
  each c in Chit
    look(c, Chit, red)
  finish none, drawn
phase look(c: Chit, many: set Chit, s: Side)
  var seen: Chit = c
  pick n from 1 .. 2 by red "is {c} one of {many}"
  trump := seen when n = 2
phase night(s: Side)
  choose by s from dreams "what"
menu dreams in night
action sleep(hours: 1..2) in dreams
  dream(hours)
procedure dream(n: 1..2) in night
  field depth: 0..9 = 3
  pick m from 1 .. 2 by red "{later}"
  trump := none when depth > 8
"""
