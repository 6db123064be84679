"""Short games with numeric results, which test the meaning of a form and not only the agreement of
all variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from rulekit.compiler.compiler import build
from rulekit.compiler.reference.interpreter import Reference
from tests.compiler.checked_rules import written
from tests.compiler.reference.agree import agree

HEAD = """game outcomes 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Spot = s1 | s2 | s3
state got: -99..99
state more: -99..99
"""


def ends(rules: str, choices: Sequence[int]) -> dict[str, list[int]]:
    """Return the cells at the end of a game with these choices (indexes of options). All variants
    agree."""
    model = written(HEAD + rules)
    reference = Reference(model)
    for index in choices:
        reference.apply(index)
    assert reference.decision is None, list(reference.decision.offers)
    agree(model, build(model, ""), 1, choices=choices, explained=1)
    return reference.cells()


def expect(rules: str, choices: Sequence[int], wanted: Mapping[str, int]) -> None:
    cells = ends(rules, choices)
    assert {name: cells[name][0] for name in wanted} == dict(wanted)


PARLEY = """
moment parley -> TYPE default DEFAULT asks red, blue
reaction refuse at parley
  limit 1 per game by me
  answer OTHER
phase main
  let said = open parley
  got := VALUE
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("type", "default", "other", "value", "wanted"),
    [
        ("bool", "true", "false", "1 if said else 2", (1, 2)),
        ("bool", "false", "true", "1 if said else 2", (2, 1)),
        ("0..9", "4", "7", "said", (4, 7)),
        ("Spot", "s2", "s3", "2 if said = s2 else 3 if said = s3 else 1", (2, 3)),
    ],
)
def test_a_moment_that_nobody_answers_gives_its_default(
    type: str, default: str, other: str, value: str, wanted: tuple[int, int]
) -> None:
    """An answer replaces it."""
    rules = (
        PARLEY.replace("TYPE", type)
        .replace("DEFAULT", default)
        .replace("OTHER", other)
        .replace("VALUE", value)
    )
    expect(rules, [1, 1], {"got": wanted[0]})  # both pass
    expect(rules, [1, 0, 1], {"got": wanted[1]})  # blue answers, red passes
    expect(rules, [0, 1], {"got": wanted[1]})


STOPPED = """
event hit(n: 0..9)
  got += n
reaction parry before hit
  for blue
  when n > 1
  limit 1 per hit
  answer stop
reaction cheer after hit
  for red
  limit 1 per game
  more += 10
on after hit
  more += 1
on before hit when n = 9
  answer stop
phase main
  hit(3)
  hit(1)
  hit(9)
  finish none, drawn
"""


def test_an_event_that_is_stopped_does_not_happen_nor_what_hangs_on_it() -> None:
    """`answer stop` works for a player and a hook, and applies to this one event."""
    expect(
        STOPPED, [1, 0, 0], {"got": 4, "more": 12}
    )  # pass, cheer; a hook stops the third event, but blue is asked
    expect(STOPPED, [0, 1, 0], {"got": 1, "more": 1})


AGAIN = """
state rolled: 0..99
on after die_rolled when rolled < 3
  rolled += 1
  answer redo
  roll inner = d6 by red for luck
  more += inner
phase main
  roll d = d6 by red for luck
  got := d
  finish none, drawn
"""


def test_a_roll_inside_of_a_hook_leaves_the_answer_to_roll_again() -> None:
    """The hook's own roll runs no hook. The outer one is repeated until nobody asks for that."""
    for seed in range(4):
        model = written(HEAD + AGAIN)
        agree(model, build(model, ""), seed)
        reference = Reference(model, seed=seed)
        assert reference.cells()["rolled"] == [3]
        assert [name for name, _ in reference.events if name == "roll_cancelled"] == [
            "roll_cancelled"
        ] * 3


WATCHED = """
event moved(s: Spot, n: 0..9)
  men(s) := n
state men(s: Spot): 0..9
state tide: 0..9
whenever s in Spot where men >= 3
  men(s) -= 3
  got += 1
whenever s in Spot where tide >= 5 and it = s2
  tide -= 5
  more += 1
phase main
  CHANGES
  finish none, drawn
"""


@pytest.mark.docs("language#7-events")
@pytest.mark.parametrize(
    ("changes", "got", "more"),
    [
        ("men(s1) := 4", 1, 0),
        ("men(s1) += 4", 1, 0),
        ("moved(s3, 3)", 1, 0),
        ("tide += 5", 0, 1),
        ("tide += 6\n  tide += 3\n  tide += 1", 0, 2),
        ("moved(s3, 2)\n  men(s3) += 1", 1, 0),
        ("each s in Spot\n    men(s) += 3", 3, 0),
        ("men(s1) := 2\n  tide += 4", 0, 0),
    ],
)
def test_what_watches_a_state_sees_each_change_of_it(changes: str, got: int, more: int) -> None:
    """Changes are by an event, an assignment or an increase, and include the watcher's own."""
    expect(WATCHED.replace("CHANGES", changes), [], {"got": got, "more": more})


FLOODED = """
state men(s: Spot): 0..9
define deep(s: Spot) = men(s) >= 3
event flooded(all: set Spot, n: 0..9)
  each s in all
    men(s) := n
whenever s in Spot where deep(it)
  got += 1
  more := 3 * more + (1 if s = s1 else 2 if s = s2 else 0)
phase main
  CHANGES
  finish none, drawn
"""


@pytest.mark.docs("language#7-events")
@pytest.mark.parametrize(
    ("changes", "got", "more"),
    [
        ("flooded(Spot, 4)", 3, 15),
        ("flooded(Spot, 2)", 0, 0),
        ("flooded(Spot where it != s2, 4)", 2, 3),
        ("flooded({s2, s3}, 3)\n  flooded({s2}, 1)", 3, 18),
        ("flooded({s1}, 2)\n  flooded({s3}, 3)\n  flooded({s2}, 3)", 3, 6),
    ],
)
def test_what_watches_a_state_looks_at_each_element_in_turn(
    changes: str, got: int, more: int
) -> None:
    """An event that changes several elements is handled for each of them in the order of the data,
    also if the handler changes nothing relevant."""
    expect(FLOODED.replace("CHANGES", changes), [], {"got": got, "more": more})


WINDOWS = """
kind Card = c1(dawn) | c2(dusk) | c3(dawn) | c4(dusk) | c5(dusk)
  fixed window: Moment
  state used: bool
moment dawn asks red
moment dusk asks red
reaction play(c: Card) at c.window
  when not c.used
  c.used := true
phase main
  open dusk
  open dawn
  got := count(Card where used)
  finish none, drawn
"""


def test_a_reaction_stands_at_the_moment_that_each_member_names() -> None:
    """All members with that moment are offered, and no others."""
    model = written(HEAD + WINDOWS)
    reference, offered = Reference(model), []
    while reference.decision is not None:
        offered.append([o.params[0] for o in reference.decision.offers if o.params])
        reference.apply(0)
    assert offered == [[1, 3, 4], [3, 4], [4], [0, 2], [2]]
    assert reference.cells()["got"] == [5]
    agree(model, build(model, ""), 1, choices=[0] * 5)


TOGETHER = """
phase main
  together each s in Side
    pick z from Spot by s "where"
    got := got * 10 + (1 if z = s1 else 2 if z = s2 else 3)
    more += 1
  finish none, drawn
"""


def test_what_all_have_answered_is_done_in_order_of_those_asked() -> None:
    expect(TOGETHER, [2, 0], {"got": 31, "more": 2})  # red says s3, blue s1


CONTEXT = """
standing resign in day
  more += 1
standing sing
  when me = red
  more += 10
procedure ask(s: Side) in day
  choose by s "what"
    option rest
      got += 10
phase day
  ask(red)
  ask(blue)
phase night
  choose by red "at night"
    option sleep
      got += 5
phase main
  day
  night
  finish none, drawn
"""


def test_a_standing_option_is_there_while_its_context_runs() -> None:
    """It ends nothing, and the same player decides again. Outside of its context it is absent."""
    model = written(HEAD + CONTEXT)
    reference, offered = Reference(model), []
    for index in (1, 2, 0, 1, 0, 1, 0):
        assert reference.decision is not None
        offered.append(" ".join(o.family for o in reference.decision.offers))
        reference.apply(index)
    day = "rest resign sing"
    assert offered == [day, day, day, "rest resign", "rest resign", "sleep sing", "sleep sing"]
    expect(CONTEXT, [1, 2, 0, 1, 0, 1, 0], {"got": 25, "more": 22})


TOTAL = """
state led: bool = true
total might(n: 0..9): int
  at most 13 when n >= 7
  at most 12 when n = 7
  at most 14 when n = 7
  at most 3 when n = 3
  at least 2
  at least 4 when n = 3 or n = 6
  at least 3 when n = 6
  modifier hills +3 when n >= 2
  modifier river -9 when n = 3 or n = 6
  base 5 when n != 8
  base 1
  set alone 20 when n = 1
  set few 30 when n <= 2
  modifier crowd n when n > 6
modifier might.late +1 when n = 4 or n = 8
cancel might.crowd when n = 9 and might.hills applies
cancel might.hills when n = 5 and led
permit may(n: 0..9)
  bar few when n < 2 "too few"
  bar odd when n = 3 or n = 5 "odd"
cancel may.odd when n = 5
phase main
  pick n from 0 .. 9 by red "how many"
  got := might(n)
  more := 1 when may(n)
  finish none, drawn
"""


@pytest.mark.docs("language#6-totals-and-permits")
@pytest.mark.parametrize(
    ("n", "might", "may"),
    [
        (0, 30, 0),
        (1, 20, 0),
        (2, 33, 1),
        (3, 3, 0),
        (4, 9, 1),
        (5, 5, 1),
        (6, 4, 1),
        (7, 12, 1),
        (8, 13, 1),
        (9, 8, 1),
    ],
)
def test_a_total_is_its_base_its_modifiers_and_then_its_bounds(
    n: int, might: int, may: int
) -> None:
    """It is the first `set`, else the first `base`. Uncancelled modifiers are added, then the
    greatest `at least` and the least `at most` apply. The order of clauses does not matter."""
    expect(TOTAL, [n], {"got": might, "more": may})


REPEATED = """
state tide: 0..9 = 3
phase main
  repeat tide times
    pick n from 0 .. 2 by red "by how much"
    tide += n
    got += 1
  repeat tide times
    tide -= 1 when tide > 1
    more += 1
  finish none, drawn
"""


def test_a_loop_runs_as_often_as_was_said_when_it_began() -> None:
    """Changes of the number in its body do not affect it, with or without a decision in it."""
    expect(REPEATED, [2, 0, 1], {"got": 3, "more": 6})


LIMITS = """
state free: bool
procedure ask IN
  choose by red "what"
    option raid
      limit 1 strikes per day
      got += 1
    option storm
      limit 1 strikes per day
      limit 1 per game unless free
      more += 1
    option dig
      limit 1 per day unless free
      more += 10
    option rest
      got += 0
    option open
      when not free
      free := true
phase day
  repeat 4 times
    ask
phase main
  repeat 3 times
    day
  finish none, drawn
"""


@pytest.mark.parametrize("within", ["", "in day"])
def test_limits_of_one_name_are_counted_together_and_do_not_bind_where_they_say_so(
    within: str,
) -> None:
    """They are reset with their scope. `unless` exempts from one limit, not from another."""
    model = written(HEAD + LIMITS.replace("IN", within))
    reference, offered, choices = Reference(model), [], []
    for name in [
        "storm",
        "dig",
        "rest",
        "rest",
        "raid",
        "open",
        "dig",
        "dig",
        "storm",
        "rest",
        "rest",
        "rest",
    ]:
        assert reference.decision is not None
        names = [o.family for o in reference.decision.offers]
        offered.append(" ".join(names))
        choices.append(names.index(name))
        reference.apply(choices[-1])
    assert offered == [
        "raid storm dig rest open",
        "dig rest open",
        "rest open",
        "rest open",
        "raid dig rest open",
        "dig rest open",
        "dig rest",
        "dig rest",
        "raid storm dig rest",
        "dig rest",
        "dig rest",
        "dig rest",
    ]
    agree(model, build(model, ""), 1, choices=choices)


POOLS = """
kind Chit = c1 | c2 | c3
pool cup of Chit  # where all lie at first
pool table of Chit
pool bag of Chit
whenever s in Spot where count(table) >= 2 and s1 = it
  got += 1
  gather table to cup
whenever s in Spot where count(cup) = 2 and s2 = it
  more += 1
phase main
  STEPS
  finish none, drawn
"""


@pytest.mark.docs("language#7-events")
@pytest.mark.parametrize(
    ("steps", "got", "more"),
    [
        ("put c1 in table", 0, 1),
        ("put c1 in table\n  put c2 in table", 1, 1),
        ("draw 1 from cup to table", 0, 1),
        ("draw 2 from cup to table", 1, 0),
        ("put c1 in bag\n  put c2 in bag\n  gather bag to table", 1, 1),
        ("put c1 in bag\n  put c2 in bag\n  put c3 in table\n  gather bag to cup", 0, 2),
    ],
)
def test_what_watches_a_pool_sees_what_is_put_drawn_and_gathered(
    steps: str, got: int, more: int
) -> None:
    expect(POOLS.replace("STEPS", steps), [], {"got": got, "more": more})


@pytest.mark.docs("language#13-hidden-information")
@pytest.mark.parametrize(
    ("count", "drawn"), [("0", 0), ("2", 2), ("3", 3), ("4", 3), ("count(cup) + 9", 3)]
)
def test_no_more_is_drawn_than_there_is(count: str, drawn: int) -> None:
    """A larger number draws all, and an empty pool gives none."""
    steps = (
        f"draw {count} from cup to bag\n  draw {count} from table to bag\n  got := count(bag) + 10"
        " * count(cup)"
    )
    expect(POOLS.replace("STEPS", steps), [], {"got": drawn + 10 * (3 - drawn)})


ENDED = """
state mark: 0..9 per deed
HEAD
  mark := 5
  ASK
  got := mark
  END
  got := 50
phase main
  CALL
  more := mark + 1
  finish none, drawn
"""
CALLED = {
    "procedure deed": "deed",
    "phase deed": "deed",
    "menu orders in main\naction deed in orders": 'choose by red from orders "what"',
}


@pytest.mark.parametrize("head", CALLED)
@pytest.mark.parametrize("asks", [False, True])
@pytest.mark.parametrize(
    ("end", "got"),
    [
        ("got += 0", 50),
        ("return when got = 5", 5),
        ("if got = 5\n    return", 5),
        ("return when got = 4", 50),
    ],
)
def test_what_lasts_as_long_as_a_deed_is_over_however_that_ends(
    head: str, asks: bool, end: str, got: int
) -> None:
    """It may end with its last statement or with `return`, with or without a decision in it."""
    rules = ENDED.replace("HEAD", head).replace("CALL", CALLED[head]).replace("END", end)
    rules = rules.replace("ASK", 'pick n from 0 .. 1 by red "how much"' if asks else "got := 0")
    expect(rules, [0] * (("action" in head) + asks), {"got": got, "more": 1})


CARDS = """
kind Card
  state played: set Side
  rules while played as me
total might(s: Side): int
  base 5
  modifier hills +3
  modifier river -1
members Card = fog | flood | flag
Card fog "Fog"
  cancel might.hills when s = me
Card flood "Flood"
  cancel might.river when s = me.enemy
Card flag "Flag"
  modifier might.flag +10 when s = me
event card_played(c: Card, s: Side)
  c.played += {s}
phase main
  each c in Card
    pick s from Side by red "who plays it", or none
    card_played(c, the s) when s != none
  got := might(red)
  more := might(blue)
  finish none, drawn
"""


@pytest.mark.docs("language#14-cards-members-with-rules-of-their-own")
@pytest.mark.parametrize(
    ("played", "got", "more"),
    [
        ([2, 2, 2], 7, 7),
        ([0, 2, 2], 4, 7),
        ([1, 2, 2], 7, 4),
        ([2, 0, 2], 7, 8),
        ([2, 1, 2], 8, 7),
        ([0, 1, 0], 15, 7),
        ([1, 0, 1], 7, 15),
    ],
)
def test_what_a_card_says_holds_for_who_has_played_it(
    played: list[int], got: int, more: int
) -> None:
    """Its clause and its cancel are evaluated with `me` as each of them."""
    expect(CARDS, played, {"got": got, "more": more})


HANGING = {
    "a hook": "on after die_rolled when got = 0\n  got += 1\n  answer redo\n",
    "a hook before it": "on before die_rolled when value > 0 and purpose is luck\n  got += 1\n",
    "a reaction": (
        "reaction again after die_rolled\n  when value > 0\n  limit 1 per game\n  got += 1\n "
        " answer redo\n"
    ),
    "a group of moments": (
        "moment rolled = after die_rolled asks red\nreaction again at rolled\n  limit 1 per game\n "
        " got += 1\n  answer redo\n"
    ),
}


@pytest.mark.parametrize("form", HANGING)
def test_a_roll_is_an_event_as_soon_as_anything_hangs_on_it(form: str) -> None:
    """That is a hook alone, a reaction alone or a group alone."""
    model = written(
        HEAD
        + HANGING[form]
        + "phase main\n  roll d = d6 by red for luck\n  more := d\n  finish none, drawn\n"
    )
    reference = Reference(model)
    while reference.decision is not None:
        reference.apply(0)
    assert reference.cells()["got"] == [1]
    agree(model, build(model, ""), 1, choices=[0, 0])


NUMBERS = """
phase main
  choose by red "how many"
    option up(n: 3..5)
      got := n
    option down(k: -2..1, n: 8..9)
      when k != 0
      got := k
      more := n
  finish none, drawn
"""


def test_a_number_of_an_option_goes_from_its_first_to_its_last() -> None:
    model = written(HEAD + NUMBERS)
    offers = [(o.family, *o.params) for o in getattr(Reference(model).decision, "offers", [])]
    assert offers == [
        ("up", 3),
        ("up", 4),
        ("up", 5),
        *(("down", k, n) for k in (-2, -1, 1) for n in (8, 9)),
    ]
    for index, (_, first, *rest) in enumerate(offers):
        expect(NUMBERS, [index], {"got": first, "more": sum(rest)})


WITHIN = """
moment bell asks red, blue
reaction ring at bell
  limit 2 per game by me
  got += 1
reaction again after die_rolled
  for red
  limit 1 per game
  answer redo
  open bell
phase main
  roll d = d6 by red for luck
  more := d
  finish none, drawn
"""


def test_a_window_within_an_answer_to_roll_again_asks_until_all_have_passed() -> None:
    """The repetition of the roll ends the window after the roll, and no other."""
    model = written(HEAD + WITHIN)
    reference, asked = Reference(model), ""
    while reference.decision is not None:
        asked += "rb"[reference.decision.who]
        reference.apply(0)
    assert reference.cells()["got"] == [4] and asked == "rrrbb"
    for seed in range(4):
        agree(model, build(model, ""), seed)
    agree(model, build(model, ""), 1, choices=[0] * 5)


SHIFTS = """
kind Grade ordered = low | mid | high
state from: Grade
state up: Grade
state down: Grade
phase main
  pick g from Grade by red "from"
  pick n from -3 .. 3 by red "by"
  from := g
  up := from + n
  down := g - n
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("grade", "by"), [(grade, by) for grade in range(3) for by in range(-3, 4)]
)
def test_a_shift_stops_at_both_ends(grade: int, by: int) -> None:
    expect(
        SHIFTS,
        [grade, by + 3],
        {"up": min(max(grade + by, 0), 2), "down": min(max(grade - by, 0), 2)},
    )


CHAIN = """
state free(s: Spot): bool
total strength(s: Spot): int
  base 10
  modifier a +1
  modifier b +2 when not free(s1)
  modifier c +4 when not free(s2)
cancel strength.a when strength.b applies
cancel strength.b when strength.c applies
cancel strength.c when free(s3)
permit may(s: Spot)
  bar a when got >= 0 "a"
  bar b when not free(s1) "b"
  bar c when not free(s2) "c"
cancel may.a when may.b applies
cancel may.b when may.c applies
cancel may.c when free(s3)
total allowed(s: Spot): int
  base 0
  modifier a +1 when strength.b applies
  modifier b +2 when may.b applies
  modifier c +4 when strength.a applies and not (may.a applies)
phase main
  each s in Spot where SET
    free(s) := true
  got := strength(s1)
  more := allowed(s1)
  finish none, drawn
"""


@pytest.mark.docs("language#6-totals-and-permits")
@pytest.mark.parametrize(
    ("free", "got", "more"),
    [
        ("no Spot", 15, 0),
        ("it = s1", 15, 0),
        ("it = s2", 12, 3),
        ("it = s3", 12, 3),
        ("it = s1 or it = s2", 11, 0),
        ("it = s1 or it = s3", 11, 0),
        ("some Spot", 11, 0),
    ],
)
def test_what_is_cancelled_does_not_apply(free: str, got: int, more: int) -> None:
    """A cancel that depends on it does not hold either, so the clause that it would cancel
    counts."""
    expect(CHAIN.replace("SET", free), [], {"got": got, "more": more})


PLAYED = """
kind Card
  state played: set Side
  rules while played as me
total strength: int
  base 10
  modifier a +1
cancel strength.a when strength.drums applies
members Card = drums | fifes
Card drums "Drums"
  modifier strength.drums +2 when me = red
Card fifes "Fifes"
  cancel strength.drums when me = blue
phase main
  played(drums) := DRUMS
  played(fifes) := FIFES
  got := strength
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("drums", "fifes", "got"),
    [
        ("{red}", "{red}", 12),
        ("{red}", "{blue}", 11),
        ("{blue}", "{red}", 11),
        ("{red, blue}", "{red}", 12),
        ("{red, blue}", "{red, blue}", 11),
    ],
)
def test_what_a_card_adds_applies_for_who_holds_it_until_another_cancels_it(
    drums: str, fifes: str, got: int
) -> None:
    expect(PLAYED.replace("DRUMS", drums).replace("FIFES", fifes), [], {"got": got})
