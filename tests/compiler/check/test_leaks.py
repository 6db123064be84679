"""Leaks and their absence: a player's choice may use values that only they may see, under each name
of the player."""

from __future__ import annotations

import pytest

from rulekit.compiler.check.rules.options import reads_private
from tests.compiler.checked_rules import findings

RULES = """game leaks 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Block = r1(red) | b1(blue)
  fixed owner: Side
  state strength: 0..4 seen by owner
  state keeper: Side?
kind Card
  slot effect(b: Block, me: Side)
members Card = jack | king
Card jack "Jack"
  scored when TOLD
state active: Side
state plan(s: Side): 0..9 seen by s
state holder: Side
state points: 0..9
event scored
  points += 1
menu orders in day
action boast(n: 0..3, b: Block) in orders
  when GUARD
  scored when COND
phase day
  choose by active from orders "what"
    option rest
      active := active.enemy
phase main
  day
  jack.effect(b1, red)
  finish none, drawn
"""


def found(guard: str, cond: str, told: str = "points = 0") -> list[str]:
    _, lines = findings(RULES.replace("GUARD", guard).replace("COND", cond).replace("TOLD", told))
    return [line[:5] for line in lines]


@pytest.mark.parametrize(
    ("guard", "cond"),
    [
        ("n > 0", "plan(me) > n"),
        ("b.owner = me", "b.strength > n"),
        ("me = b.owner", "b.strength > n"),
        ("active = me", "plan(active) > 1"),
        ("b.owner = active", "b.strength > n"),  # the active side has the menu
        ("holder = b.owner and holder = me", "b.strength > n"),  # through another name
        ("holder = me", "plan(holder) > 1 and plan(me) > 1"),
        ("b.keeper = me", "plan(the b.keeper) > n"),
        ("b.owner = me and n < 3", "some(Block where owner = me and strength > n)"),
    ],
)
def test_who_chooses_may_use_what_he_alone_sees(guard: str, cond: str) -> None:
    assert found(guard, cond) == []


@pytest.mark.parametrize(
    ("guard", "cond"),
    [
        ("n > 0", "plan(me.enemy) > n"),
        ("n > 0", "b.strength > n"),
        ("b.owner != me", "b.strength > n"),
        ("b.owner = holder", "b.strength > n"),
        ("n > 0", "plan(holder) > 1"),
        ("holder = me.enemy", "plan(holder) > 1"),
        ("b.owner = me", "some(Block where strength > n)"),
        ("b.owner = me or n = 1", "b.strength > n"),
    ],
)
def test_what_another_sees_tells_a_secret(guard: str, cond: str) -> None:
    assert found(guard, cond) == ["RK507"]


def test_who_sees_it_at_times_does_not_see_it_always() -> None:
    """With `seen by owner when open`, the owner knows no more than others while it is not open.
    Others do not know it even while it is."""
    at_times = RULES.replace("seen by owner\n", "seen by owner when open\n  state open: bool\n")
    for rules, guard, told in (
        (RULES, "b.owner = me", []),
        (at_times, "b.owner = me", ["RK507"]),
        (at_times, "b.open", ["RK507"]),
    ):
        _, lines = findings(
            rules.replace("GUARD", guard)
            .replace("COND", "b.strength > n")
            .replace("TOLD", "points = 0")
        )
        assert [line[:5] for line in lines] == told, lines


def test_the_rules_of_a_card_are_the_choice_of_the_player_that_it_is_given() -> None:
    """The player is found among the parameters by kind, at any position."""
    assert found("n > 0", "points = 0", "plan(me) > 1") == []
    assert found("n > 0", "points = 0", "plan(me.enemy) > 1") == ["RK507"]
    assert found("n > 0", "points = 0", "b.strength > 1") == ["RK507"]


PLACES = """game places 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Spot = s1 | s2
kind Chit = storm | calm | spy
pool bag of Chit seen by none
pool box(p: Spot) of Chit
state aim(s: Side): Spot seen by s
state plan(s: Side): 0..3 seen by s
state goal: Spot
state wave: 0..3
state marked(p: Spot): bool
setup
  each c in Chit
    put c in bag
phase main
  choose by red "what"
    option go
      STATEMENT
  finish none, drawn
"""


@pytest.mark.parametrize(
    "statement",
    [
        "marked(AIM) := true",
        "draw PLAN from bag to box(s1)",
        "draw 1 from bag to box(AIM)",
        "put storm in box(AIM)",
        "gather box(AIM) to bag",
    ],
)
def test_where_and_how_much_is_told_too(statement: str) -> None:
    """Everybody sees the written cell, the target pool and the number of drawn things."""
    for aim, plan, told in (("goal", "wave", []), ("aim(blue)", "plan(blue)", ["RK518"])):
        _, lines = findings(
            PLACES.replace("STATEMENT", statement.replace("AIM", aim).replace("PLAN", plan))
        )
        assert [line[:5] for line in lines] == told, lines


SIZES = """game leaks 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Chit = a(1) | b(2) | c(3)
  fixed worth: 1..3
pool cup of Chit seen by none
pool hand(s: Side) of Chit seen by s
state points: 0..9
define best(s: Side): Chit? = first(hand(s) by -worth)
event scored
  points += 1
phase main
  each chit in Chit
    put chit in hand(red)
  scored when COND
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("cond", "tells"),
    [
        ("some hand(red)", False),
        ("count(hand(red)) > 1", False),
        ("some(hand(red) where worth > 1)", True),
        ("a in hand(red)", True),
        ("first(hand(red) by worth) = none", False),
        ("not (first(hand(red) by worth) != none)", False),
        ("first(hand(red) by worth) = a", True),
        ("best(red) = none", False),
        ("best(red) = a", True),
        ("first((hand(red) where worth > 1) by worth) = none", True),
        ("first(cup by worth) = none", False),
        ("first(hand(red) by worth) in hand(blue)", True),
    ],
)
def test_how_many_lie_in_a_pool_is_no_secret_and_which_is(cond: str, tells: bool) -> None:
    """This holds also for the question whether there is a first one."""
    assert [line[:5] for line in findings(SIZES.replace("COND", cond))[1]] == (
        ["RK507"] if tells else []
    )


@pytest.mark.parametrize(
    ("guard", "told"),
    [
        ("b.rank = 2", []),
        ("b.rank <= 2", ["RK507"]),
        ("b.rank != 2", ["RK507"]),
        ("b.rank < 3", ["RK507"]),
    ],
)
def test_what_is_open_where_something_is_equal_is_open_nowhere_else(
    guard: str, told: list[str]
) -> None:
    rules = RULES.replace(
        "seen by owner\n", "seen by owner, all when rank = 2\n  state rank: 0..4\n"
    )
    _, lines = findings(
        rules.replace("GUARD", guard)
        .replace("COND", "b.strength > n")
        .replace("TOLD", "points = 0")
    )
    assert [line[:5] for line in lines] == told, lines


PRIVATE = """game private 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Zone = east | west
  state mined: bool seen by none
  state paved: bool
kind Card
  slot guard(z: Zone): bool = true
members Card = jack | king
Card king "King"
  when z.CELL
define by_define(z: Zone): bool = z.CELL
define by_cases(z: Zone): bool
  = true when z = west
  = z.CELL
total amount(z: Zone): int
  base 1
  modifier more +1 when z.CELL
  modifier less -1
cancel amount.less when z.CELL
total cancelled(z: Zone): int
  base 1
  modifier less -1
cancel cancelled.less when z.CELL
permit allowed(z: Zone)
  bar shut when z.CELL "it is shut"
define inside(c: Card): bool = EXPR
phase main
  finish none, drawn
"""


@pytest.mark.parametrize(
    "expr",
    [
        "east.CELL",
        "by_define(east)",
        "by_cases(east)",
        "amount(east) > 1",
        "cancelled(east) > 1",
        "allowed(east)",
        "c.guard(east)",
        "some(Zone where by_define(it))",
        "1 > 2 or not by_define(east)",
    ],
)
def test_what_is_private_is_found_wherever_it_is_read(expr: str) -> None:
    """It is found through each kind of declaration."""
    for cell, private in (("mined", True), ("paved", False)):
        model, lines = findings(PRIVATE.replace("EXPR", expr).replace("CELL", cell))
        assert model is not None, lines
        assert (
            reads_private(next(d for d in model.defines if d.name == "inside").cases[0][1])
            == private
        )


@pytest.mark.parametrize(
    ("statement", "codes"),
    [
        (
            "pick p from spare(red) by red\n  marked(p) := true",
            ["RK519"],
        ),  # the question tells the number of pieces, and the taken piece may be told by red
        ("pick p from spare(red) by blue\n  marked(p) := true", ["RK518", "RK519"]),
        (
            (
                'choose by red "what"\n    option go\n      pick p from spare(red) by red\n     '
                " marked(p) := true"
            ),
            [],
        ),
        (
            (
                'choose by blue "what"\n    option go\n      pick p from spare(red) by blue\n     '
                " marked(p) := true"
            ),
            ["RK518", "RK519"],
        ),
        (
            "pick c from hand(red) by red\n  marked(s1) := c = storm",
            ["RK518"],
        ),  # red tells the contents of red's hand
        ("pick c from hand(red) by red\n  marked(s1) := true", []),
        ("pick c from hand(red) by red\n  put c in box(s1)\n  marked(s1) := c = storm", []),
        (
            "pick c from hand(red) by red\n  put c in bag\n  marked(s1) := c = storm",
            ["RK518"],
        ),  # only a pool that all players see shows the card
        (
            "pick c from hand(red) by red\n  put c in hand(blue)\n  marked(s1) := c = storm",
            ["RK518"],
        ),
    ],
)
def test_what_a_player_picks_tells_what_he_alone_sees_only_of_what_he_holds(
    statement: str, codes: list[str]
) -> None:
    rules = PLACES[: PLACES.index("phase main")].replace(
        "state goal",
        "state spare(s: Side): set Spot seen by s\npool hand(s: Side) of Chit seen by s\nstate"
        " goal",
    )
    _, lines = findings(
        f"{rules}procedure go_on\n  {statement}\nphase main\n  go_on\n  finish none, drawn\n"
    )
    assert sorted(line[:5] for line in lines) == codes, lines


@pytest.mark.parametrize(
    ("end", "codes"),
    [("return", []), ("return when goal = s1", ["RK507"]), ("finish none, drawn", [])],
)
def test_what_is_never_reached_tells_nothing(end: str, codes: list[str]) -> None:
    rules = PLACES[: PLACES.index("phase main")]
    _, lines = findings(
        f"{rules}procedure go_on\n  {end}\n  if plan(blue) > 1\n    wave += 1\nphase main\n "
        " go_on\n  finish none, drawn\n"
    )
    assert [line[:5] for line in lines if line[:5] == "RK507"] == codes, lines
