"""Small games in which a secret leaks, each in another way, as texts of rules.

In `MASKED` the observations are masked, so that nothing leaks, although `check` warns. In `TOLD`
the decisions or options reveal it, and only `check` can report that. In `OPEN` public values reveal
it. This is a leak by the author's intention, not by the observations, and `check` reports it.
"""

from __future__ import annotations

from pathlib import Path

import rulekit

HEAD = """game plant 1
kind Side decides = x(y) | y(x)
  fixed enemy: Side
kind Zone = hill | ford | camp
state bid(s: Side): 0..9 seen by s
state plan(s: Side): Zone? seen by s
state aimed(s: Side, z: Zone): bool seen by s
state purse(s: Side): 0..99 = 50
state noise: 0..99
event bids_shown(a: int, b: int)
event sounded
  noise += 1
procedure asks(s: Side)
  choose by s.enemy "what now"
    option wait
      sounded
    option go
"""

TAIL = """
  bids_shown(bid(x), bid(y))
  finish none, drawn
"""

BID = '    pick n from 0..9 by s "bid"\n'
EACH = "phase main\n  each s in Side\n"

MASKED = {
    "an event that writes it": (
        f"""
event bid_made(s: Side, n: 0..9)
  bid(s) := n
{EACH}{BID}    bid_made(s, n)
    asks(s)
"""
    ),
    "an event that only tells it": (
        f"""
event bid_told(s: Side, n: 0..9)
{EACH}{BID}    bid_told(s, n)
    bid(s) := n
    asks(s)
"""
    ),
    "a value that is paid in the end": (
        f"""
event bid_made(s: Side, n: 0..9)
  bid(s) := n
{EACH}{BID}    bid_made(s, n)
    asks(s)
    purse(s) -= n
"""
    ),
    "a phase": (
        f"""
phase sealed(s: Side, n: 0..9)
  bid(s) := n
  asks(s)
{EACH}{BID}    sealed(s, n)
"""
    ),
    "a phase that goes on before it is written": (
        f"""
phase sealed(s: Side, n: 0..9)
  asks(s)
  bid(s) := n
  asks(s)
{EACH}{BID}    sealed(s, n)
"""
    ),
    "a procedure and what it calls": (
        f"""
event bid_made(s: Side, n: 0..9)
  bid(s) := n
procedure keeps(s: Side, v: 0..9)
  let w = v
  bid_made(s, w)
{EACH}{BID}    keeps(s, n)
    asks(s)
"""
    ),
    "a field": (
        f"""
phase round(s: Side)
  field last: 0..9 = 0
  pick n from 0..9 by s "bid"
  last := n
  bid(s) := n
  asks(s)
{EACH}    round(s)
"""
    ),
    "the text of a question": (
        f"""
{EACH}{BID}    let k = n
    choose by s.enemy "he may have {{k}}"
      option wait
        sounded
      option go
    bid(s) := k
    asks(s)
"""
    ),
    "an option's argument": (
        f"""
event bid_made(s: Side, n: 0..9)
  bid(s) := n
{EACH}    choose by s "bid"
      option offer(n: 0..9)
        bid_made(s, n)
    asks(s)
"""
    ),
    "an action": (
        f"""
event bid_made(s: Side, n: 0..9)
  bid(s) := n
menu orders in round
action offer(n: 0..9) in orders
  bid_made(me, n)
phase round(s: Side)
  choose by s from orders "bid"
  asks(s)
{EACH}    round(s)
"""
    ),
    "what all answer together": (
        """
event bid_made(s: Side, n: 0..9)
  bid(s) := n
phase main
  together each s in Side
    pick n from 0..9 by s "bid"
    bid_made(s, n)
  asks(x)
  asks(y)
"""
    ),
    "an event inside of another": (
        f"""
event noted(n: 0..9)
event bid_made(s: Side, n: 0..9)
  bid(s) := n
on after bid_made
  noted(n)
{EACH}{BID}    bid_made(s, n)
    asks(s)
"""
    ),
    "a place": (
        f"""
event planned(s: Side, z: Zone)
  plan(s) := z
{EACH}    pick z from Zone by s "where"
    planned(s, z)
    asks(s)
"""
    ),
    "the place that something is written for": (
        f"""
event aimed_at(s: Side, z: Zone)
  aimed(s, z) := true
{EACH}    pick z from Zone by s "where"
    aimed_at(s, z)
    asks(s)
"""
    ),
    "several places": (
        f"""
event aimed_at(s: Side, g: set Zone)
  each z in g
    aimed(s, z) := true
{EACH}    pick group g from Zone by s "where", 2 to 2
    aimed_at(s, g)
    asks(s)
"""
    ),
    "which option is taken": (
        f"""
event marked(s: Side, z: Zone, b: bool)
  aimed(s, z) := b
{EACH}    choose by s "the hill"
      option attack
        marked(s, hill, true)
      option spare
        marked(s, hill, false)
    asks(s)
"""
    ),
    "what comes out of a value": (
        f"""
event told_more(n: int)
{EACH}{BID}    bid(s) := n
    told_more(bid(s) + 1)
    asks(s)
"""
    ),
    "a block of the enemy's": (
        f"""
kind Block = x1(x) | x2(x) | y1(y) | y2(y)
  identity seen by owner
  fixed owner: Side
state target(s: Side): Block? seen by s
event marked(s: Side, b: Block)
  target(s) := b
{EACH}    pick b from Block where owner = s by s "which"
    marked(s, b)
    asks(s)
    pick z from {{x1, y1}} by s "which"
    marked(s, z)
    asks(s)
"""
    ),
    "what is worked out of it": (
        f"""
event doubled(n: 0..20)
{EACH}{BID}    doubled(n + n)
    bid(s) := n
    asks(s)
"""
    ),
    "a total": (
        f"""
total twice(n: int): int
  base n
  modifier more +1 when n > 4
event bid_made(s: Side, n: 0..9)
  bid(s) := n
{EACH}{BID}    bid_made(s, n)
    sounded when twice(n) > 100 or noise < 99
    asks(s)
"""
    ),
    "a moment": (
        f"""
event noted(n: 0..9)
moment parley(n: 0..9, other: Side) asks other
reaction grumble at parley
  limit 1 per game by me
  sounded
{EACH}{BID}    open parley(n, s.enemy)
    bid(s) := n
    asks(s)
"""
    ),
}

# leaks that another rule masks: `check` warns, but nothing is revealed
HIDDEN = {
    "a card": (
        f"""
kind Card = ace | king | queen | jack
pool deck of Card seen by none
pool hand(s: Side) of Card seen by s
state wanted(s: Side): Card? seen by s
event named(s: Side, c: Card)
  wanted(s) := c
setup
  each c in Card
    put c in deck
{EACH}    draw 2 from deck to hand(s)
    pick c from Card by s "which"
    named(s, c)
    asks(s)
"""
    ),
    "what it costs": (
        f"""
{EACH}{BID}    bid(s) := n
    choose by s.enemy "what now"
      option pay
        pays bid(s) from purse(s.enemy)
        sounded
      option go
"""
    ),
}

TOLD = {
    "how often one is asked": (
        f"""
{EACH}{BID}    bid(s) := n
    repeat n times
      asks(s)
    asks(s)
"""
    ),
    "whether it is offered": (
        f"""
{EACH}{BID}    bid(s) := n
    choose by s.enemy "what now"
      option call when bid(s) > 4 "he has too little"
        sounded
      option go
"""
    ),
    "who is asked": (
        f"""
{EACH}{BID}    bid(s) := n
    let who = x if n > 4 else y
    choose by who "what now"
      option go
      option wait
"""
    ),
    "what one may pick": (
        f"""
{EACH}{BID}    bid(s) := n
    pick m from 0..n by s.enemy "more"
    asks(s)
"""
    ),
}

OPEN = {
    "a value that all see": (
        f"""
state last: 0..9
{EACH}{BID}    last := n
    bid(s) := n
    asks(s)
"""
    ),
    "what happens": (
        f"""
{EACH}{BID}    sounded when n > 4
    bid(s) := n
    asks(s)
"""
    ),
    "what it is paid from": (
        f"""
{EACH}    choose by s "bid"
      option offer(n: 0..9)
        pays n from purse(s)
        bid(s) := n
    asks(s)
"""
    ),
}

# English texts of a planted leak, by its name
TEXTS = {"a moment": 'moment.parley: "he bids {n}"\n'}


def game(text: str, folder: Path, words: str = "") -> rulekit.Game:
    """Write a plant as a game, with its English texts."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.yaml").write_text(
        'rulekit: game\nname: plant\ntitle: Plant\nversion: "1"\nlanguage: 1\n'
    )
    (folder / "game.rules").write_text(HEAD + text.rstrip("\n") + TAIL)
    if words:
        (folder / "texts").mkdir(exist_ok=True)
        (folder / "texts" / "en.yaml").write_text(words)
    return rulekit.load(folder)
