"""The language reference on events, on `whenever` rules, and on assignments, in short games."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from tests.compiler.checked_rules import findings
from tests.language.played import SIDES, play
from tests.small_games import write_game

FORMS = """
unit PM
kind Zone = a1 | a2
kind Chit = c1 | c2
pool cup of Chit
pool bag of Chit
state got: 0..9
moment bell asks red
event other
  got += 1
procedure deed
  got += 1
menu orders in main
action act in orders
  got += 1
event written(n: 0..9)
  each z in Zone
    if n > 3
      got := n
    else if n > 2
      got += 1
    else
      BODY
phase main
  written(3)
  open bell
  choose by red from orders
  put c1 in bag
  draw 1 from cup to bag
  finish none, drawn
"""
NOT_IN_EVENTS = [
    "let x = 1",
    "var x: 0..9 = 1",
    "field x: 0..9 = 1",
    "repeat 2 times\n        got += 1",
    "repeat at most 2\n        got += 1",
    "repeat until got = 1, at most 2\n        got += 1",
    "leave",
    "return",
    "return when n = 2",
    'choose by red "what"\n        option go\n          got += 1',
    "choose by red from orders",
    "pick z2 from Zone by red",
    "pick group g from Zone by red",
    "together each s in Side\n        pick z2 from Zone by s",
    "roll d = d6 by red for luck",
    "draw 1 from cup to bag",
    "put c1 in bag",
    "put c1 in bag when n = 1",
    "gather cup to bag",
    "open bell",
    "answer stop",
    "finish none, drawn",
    "other",
    "deed",
    "written(1)",
]


def test_an_event_only_assigns_asks_if_and_goes_through_sets() -> None:
    for form in ("got := n", "got += 1", "got -= 1", "got := 1 when n = 2"):
        assert findings(SIDES + FORMS.replace("BODY", form))[0] is not None, form
    line = (SIDES + FORMS).split("BODY")[0].count("\n") + 1
    for form in NOT_IN_EVENTS:
        model, found = findings(SIDES + FORMS.replace("BODY", form))
        assert model is None and f"RK503 {line}" in [one.split(":")[0] for one in found], (
            form,
            found,
        )


ANONYMOUS = """
kind Tent = t1 | t2
  state full: bool
  state tag: 0..9
state got: 0..9
state guests: set Side
event filled(t: Tent)
  t.full := true
  each x in Tent
    x.tag := 3 when x != t
phase main
  repeat 5 times
    choose by red "what"
      option set(t: Tent)
        t.tag := 4
      option more
        got += 2
      option invite
        guests += {blue}
      option fill(t: Tent)
        filled(t)
      option rest
        got += 0
  finish none, drawn
"""
WROTE = [
    ("set t2", ["changed"], {"tag.t2": 4}),
    ("more", ["changed"], {"got": 2}),
    ("invite", ["changed"], {"guests": ["blue"]}),
    ("fill t1", ["filled"], {"full.t1": True, "tag.t2": 3}),
    ("rest", ["changed"], {"got": 2}),
]


@pytest.mark.docs("language#7-events")
def test_an_assignment_outside_of_an_event_is_recorded_and_taken_back(tmp_path: Path) -> None:
    """It is an anonymous event of one cell and its value. A named event can also be undone and
    redone."""
    state = rulekit.load(write_game(tmp_path, ANONYMOUS)).new(seed=1)
    before = [state.to_json()]
    for key, names, values in WROTE:
        known = len(state.events)
        state.apply(key)
        assert [
            event.name for event in state.events[known:] if event.name in ("changed", "filled")
        ] == names
        assert {cell: state.get(cell) for cell in values} == values
        before.append(state.to_json())
    changes = [event.params for event in state.events if event.name == "changed"]
    assert [(str(c["what"]), c["value"]) for c in changes] == [
        ("tag.t2", 4),
        ("got", 2),
        ("guests", ["blue"]),
        ("got", 2),
    ]
    events = [(event.name, event.params) for event in state.events]
    for number in range(4, -1, -1):
        state.undo()
        assert state.to_json() == before[number]
    for _ in WROTE:
        state.redo()
    assert (
        state.to_json() == before[-1]
        and [(event.name, event.params) for event in state.events] == events
    )


@pytest.mark.parametrize(
    "hang",
    [
        "on after changed\n  got := 1\n",
        "on before changed\n  got := 1\n",
        "reaction answer_it after changed\n  for red\n  limit 1 per game\n  got := 1\n",
        "moment changes = after changed asks red\n",
    ],
)
def test_an_assignment_outside_of_an_event_has_no_name_to_hang_on(hang: str) -> None:
    model, found = findings(
        SIDES + "state got: 0..9\n" + hang + "phase main\n  got := 1\n  finish none, drawn\n"
    )
    assert model is None and any("RK301" in one and "changed" in one for one in found), found


def test_an_assignment_outside_of_an_event_has_no_text(tmp_path: Path) -> None:
    """People do not see it."""
    state = rulekit.load(write_game(tmp_path, ANONYMOUS)).new(seed=1)
    for key in ("set t2", "fill t1", "more"):
        state.apply(key)
    assert [
        entry[0] for entry in state.view("red")["events"] if entry[0] in ("changed", "filled")
    ] == ["filled"]


TURNS = """
kind Spot = s1 | s2 | s3 | s4 | s5 | s6
  state men: 0..9
state quiet: 0..9
state order: 0..999999999
event moved(s: Spot, n: 0..9)
  s.men := n
event rumoured
  quiet += 1
event mustered(all: set Spot)
  each s in all
    s.men := 5
event noted(n: 0..9)
  order := 10 * order + n
define number(s: Spot): 0..9 = 1 if s = s1 else 2 if s = s2 else 3 if s = s3 else 4 if s = s4 \
else 5 if s = s5 else 6
whenever s in Spot where men = 5
  noted(number(s))
whenever s in Spot where men = 6
  let n = number(s)
  moved(s, 2)
  noted(n)
whenever s in Spot where men = 7
  moved(s, 1)
  if s = s1
    moved(s2, 0)
    moved(s3, 7)
  noted(number(s))
phase main
  CHANGES
  finish none, drawn
"""


@pytest.mark.docs("language#7-events")
@pytest.mark.parametrize(
    ("changes", "order"),
    [
        ("mustered({s2, s3})", 23),
        ("mustered({s2})\n  rumoured\n  quiet := 3\n  order += 0", 2),
        ("mustered({s3, s2})", 23),
        ("rumoured", 0),
        ("moved(s2, 5)\n  rumoured\n  moved(s1, 1)", 22),
        ("s2.men := 5\n  s2.men := 5\n  quiet += 1", 22),
        ("moved(s1, 4)\n  moved(s1, 6)", 1),
        ("each s in {s1, s2}\n    s.men := 5", 112),
        ("moved(s1, 7)", 31),
        ("each s in Spot\n    s.men := 6", 123456),
        ("moved(s2, 7)\n  moved(s1, 7)\n  moved(s2, 7)", 2312),
        (
            "let a = order\n  moved(s2, 5)\n  noted(8) when order = 2 and a = 0\n  s3.men := 6",
            28223,
        ),
    ],
)
def test_what_watches_runs_after_each_event_that_could_change_it_for_each_in_turn(
    changes: str, order: int
) -> None:
    """It runs before the next statement. Other events do not trigger it. An element that no longer
    matches at its turn is skipped."""
    assert play(TURNS.replace("CHANGES", changes))["order"] == order


def test_what_watches_may_set_itself_off_for_the_rest() -> None:
    """One event concerns six elements. Handling one of them lets each of the others have one turn,
    and the rule's own values stay."""
    rules = (
        TURNS.replace("men = 5", "men = 9")
        .replace("CHANGES", "mustered(Spot)")
        .replace("s.men := 5", "s.men := 6")
    )
    assert play(rules)["order"] == 654321


ALONE = """
kind Spot = s1 | s2 | s3 | s4 | s5 | s6
  state men: 0..9
state order: 0..999999999
event mustered(all: set Spot)
  each s in all
    s.men := 5
whenever s in Spot where men = 5
  let left = count(Spot where men = 5)
  s.men -= 1
  order := 10 * order + left
phase main
  mustered(Spot)
  finish none, drawn
"""


def test_a_rule_that_watches_by_itself_may_set_itself_off_for_the_rest() -> None:
    """It is the only such rule, and there are more elements than procedures may be nested."""
    assert play(ALONE)["order"] == 123456
