"""RK507, RK517 and RK518: information in sizes, names and parameters, and knowledge where a value
is read."""

from __future__ import annotations

import pytest

from tests.compiler.check.leak_marks import compared
from tests.compiler.check.test_leak_facts import BARE, block, judged

EVENTS = (
    BARE
    + """event pointed(b: Block)
event pointed_at(z: Zone)
event named(c: Chit) reveals c
event hinted(c: Chit)
  points += 1 when MARKc = storm
event plans(a: int, b: int)
"""
)


@pytest.mark.parametrize(
    "lines",
    [
        "let g = hand(red) where it = storm\nscored when ~7some g",
        "let g = hand(red)\nscored when some g",
        "let g = hand(red)\nscored when ~7storm in g",
        "var g: set Zone = Zone where open\ng := Zone when east.mined\nscored when ~7some g",
        "var g: set Zone = Zone where open\ng := Zone when watch\nscored when some g",
        "let k = 1 if east.mined else 0\nlooked(east)\nscored when k > 0",
        "let k = 1 if east.mined else 0\nlooked(west)\nscored when ~7k > 0",
        "let k = 1 if east.mined else 0\nlooked(east)\npoints := k",
        "let k = 1 if east.mined else 0\nlooked(west)\npoints := ~8k",
        "each n in 1 .. 2\n  row(n) := true\neach n in 1 .. 2\n  scored when low(n) > 1",
        "each n in 1 .. 2\n  row(n) := true\neach n in 1 .. 3\n  scored when ~7low(n) > 1",
        "pointed(first(Block where zone = east by worth) ?? r1)",
        "pointed_at(~8first(Zone where mined by 1) ?? east)",
        "top := first(Block where zone = east by worth)",
        "goal := ~8first(Zone where mined by 1)",
        "plans(plan(red), plan(blue))\nscored when sum(plan(it) of Side) > 3",
        "plans(plan(red), plan(red))\nscored when ~7sum(plan(it) of Side) > 3",
        "field k: 0..9 = 0\nif ~7east.mined\n  looked(east)\n  k := 1",
        "field k: 0..9 = 0\nif east.mined\n  k := ~81",
        "if ~7storm in hand(red)\n  bare(b1)",
        "if storm in hand(red)\n  named(storm)",
        (
            "told_hand(red)\npick c from hand(red) by red\nnamed(c)\nput c in cup\nscored when"
            " storm in hand(red)"
        ),
        "gather hand(red) to tray\nscored when storm in hand(red)",
    ],
)
def test_what_is_told_and_what_is_known(lines: str) -> None:
    """Cases are numbers and identities, and values revealed later. Hidden things are masked when
    they are named, others are not."""
    judged(
        EVENTS.replace("MARK", "") + block(lines),
        (
            "state watch",
            (
                "state row(n: 1..3): bool\nstate low(n: 1..3): 0..9 seen by all when row(n)\nstate"
                " top: Block?\nstate goal: Zone?\nstate watch"
            ),
        ),
    )


def test_what_an_event_is_given_it_may_tell_by_what_it_does() -> None:
    for mark, given in (
        ("~7", "let c = first(hand(red) by 1)\nreturn when c = none\nhinted(c)"),
        ("", "hinted(storm)"),
    ):
        judged(EVENTS.replace("MARK", mark) + block(given))


@pytest.mark.parametrize(("mark", "shown"), [("", "named(c)"), ("~7", "scored")])
def test_what_was_shown_is_known_in_what_is_called(mark: str, shown: str) -> None:
    judged(
        EVENTS.replace("MARK", "")
        + f"procedure tells(c: Chit)\n  scored when {mark}c = storm\n"
        + block(f"let c = first(hand(red) by 1)\nreturn when c = none\n{shown}\ntells(c)")
    )


@pytest.mark.parametrize(("mark", "given"), [("", "east"), ("~7", "west")])
def test_what_is_known_of_what_a_card_and_a_walk_are_given(mark: str, given: str) -> None:
    judged(
        'kind Card\n  slot effect(z: Zone)\nmembers Card = jack | king\nCard jack "Jack"\n  scored'
        f" when {mark}z.mined\n" + block(f"looked(east)\njack.effect({given})")
    )
    judged(
        "kind Road joins Zone\nmovement go(y: Zone)\n  over Road e from a to z\n  on entry\n   "
        f" scored when {mark}y.mined\n" + block(f"looked(east)\nwalk go({given}) from west by red")
    )
    guard = mark.replace("7", "9")
    judged(
        "kind Road joins Zone\nmovement go(y: Zone)\n  over Road e from a to z\n  may enter"
        f' {guard}y.mined "mined"\n  on entry\n    scored\n'
        + block(f"looked(east)\nwalk go({given}) from west by red")
    )


@pytest.mark.parametrize(("pool", "mark"), [("tray", "~7"), ("cup", "~7")])
def test_what_watches_a_pool_may_undo_it(pool: str, mark: str) -> None:
    judged(
        f"define lain: bool = some {pool}\nwhenever z in Zone where lain\n  hid(east)\n"
        + block(f"looked(east)\nput storm in {pool}\nscored when {mark}east.mined")
    )
    judged(
        f"define lain: bool = some {pool}\nwhenever z in Zone where lain\n  scored\n"
        + block(f"looked(east)\nput storm in {pool}\nscored when east.mined")
    )


def test_a_call_out_of_a_reaction_knows_what_was_known_before() -> None:
    for mark, done in (("", "scored"), ("~7", "hid(east)")):
        judged(
            "event marched\n  watch := true\non after marched\n  scored when"
            f' {mark}east.mined\nreaction cry after marched "Cry"\n  limit 1 per game\n  {done}\n '
            " marched\n" + block("looked(east)\nmarched")
        )


@pytest.mark.parametrize(("price", "mark"), [("points", "~7"), ("purse", "")])
def test_what_is_paid_may_close_what_was_open(price: str, mark: str) -> None:
    option = (
        f'choose by red "what"\n  option go\n    when points > 3\n    pays 1 from {price}\n   '
        f" watch := true when {mark}east.mined"
    )
    judged(
        block(option),
        ("all when scouted", "all when points > 3"),
        ("state watch", "state purse: 0..9\nstate watch"),
    )


@pytest.mark.parametrize(
    ("source", "mark"), [("Side where plan(it) > 1", "~7"), ("Side where it = holder", "")]
)
def test_who_answers_together_is_public(source: str, mark: str) -> None:
    who = mark.replace("7", "8")
    judged(
        f"state target(s: Side): Zone?\nprocedure p\n  together each s in {mark}{source}\n    pick"
        f' z from Zone by {who}s "your target"\n    target({who}s) := z\n'
    )


CANCELLED = """total worth: int
  base 1
  modifier more +1 when WHEN
cancel worth.more when MARKeast.mined
"""


@pytest.mark.parametrize(("when", "mark"), [("east.scouted", ""), ("watch", "~1")])
def test_a_clause_is_cancelled_only_where_it_counts(when: str, mark: str) -> None:
    judged(CANCELLED.replace("WHEN", when).replace("MARK", mark))


CHAIN = """game chain 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Block = r1(red) | b1(blue)
  fixed owner: Side
  state strength: 0..4 seen by owner
  state keeper: Side
state holder: Side
state points: 0..9
event scored
  points += 1
menu orders in day
action boast(b: Block) in orders
  when GUARD
  scored when COND
phase day
  choose by red from orders "what"
phase main
  day
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("guard", "mark"),
    [
        ("b.keeper = me and holder = b.keeper and holder = b.owner", ""),
        ("b.keeper = me and holder = b.owner", "~7"),
    ],
)
def test_who_chooses_is_known_by_the_name_of_a_name(guard: str, mark: str) -> None:
    found, announced = compared(
        CHAIN.replace("GUARD", guard).replace("COND", f"{mark}b.strength > 1")
    )
    assert found == announced
