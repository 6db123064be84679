"""The language reference on decisions, in short games."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit import Seat
from rulekit.engine.knowledge.information_set import deals
from rulekit.engine.knowledge.observation import Observer
from tests.compiler.checked_rules import findings
from tests.language.played import SIDES, play, ways
from tests.small_games import write_game

HEAD = """
kind Item = a(2) | b(1) | c(2) | d(3) | e(1)
  fixed rank: 0..9
  state gone: bool
  state at: Item?
state got: 0..999999999
state group: set Item
state turn: 0..9
event told(n: 0..9)
  got := 10 * got + n
define number(x: Item?): 0..9 = 1 if x = a else 2 if x = b else 3 if x = c else 4 if x = d else 5 \
if x = e else 9
define nobody: set Item = Item where gone
"""


MENU = """
menu orders in day
action strike(x: Item) in orders
  when x.rank = 1
  told(7)
phase day
  choose by blue from orders "what"
    option wait(n: 2..3, x: Item)
      when x.rank = n
      told(n)
    option sing
      told(9)
phase main
  day
  choose by red from later "alone"
  told(6)
  choose by red
    option alone
      told(5)
  finish none, drawn
menu later in main
action pray in later
  told(8)
action rest(x: Item) in orders
  when x = a
  told(4)
"""


@pytest.mark.docs("language#10-decisions")
def test_a_choice_offers_its_own_options_and_then_the_actions_of_the_menu() -> None:
    """Each has its parameters in order. A choice with one option is a decision too."""
    found = play(HEAD + MENU, "strike e", "pray", "alone")
    assert (
        found.asked
        == [
            "blue: wait 2 a, wait 2 c, wait 3 d, sing, strike b, strike e, rest a",
            "red: pray",
            "red: alone",
        ]
        and found["got"] == 7865
    )


NOTHING = {  # decisions without options
    "choose": "choose by red\n  option go\n    when turn > 3\n    told(3)",
    "menu": "choose by red from none_of_them",
    "pick": "pick x from nobody by red",
    "number": "pick n from 3 .. 2 by red",
    "group": "pick group g from nobody by red",
    "bounded": 'pick group g from nobody by red "who", 0 to 2',
    "kept": "pick group g from Item by red while count(g) > 5",
}
# the block around the decision, and the notes: 1 before it, 2 after it in its block, 5 after
# that block
BLOCKS = {
    "if turn = 0\n  told(1)\n  ASK\n  told(2)\ntold(5)": 15,
    "each x2 in {a, b}\n  told(1)\n  ASK\n  told(2)\ntold(5)": 115,
    "repeat 2 times\n  told(1)\n  ASK\n  told(2)\ntold(5)": 115,
    "if turn = 1\n  told(4)\nelse\n  ASK\n  told(2)\ntold(5)": 5,
    "choose by red\n  option deed\n    told(1)\n    ASK\n    told(2)\ntold(5)": 15,
    "told(1)\nASK\ntold(2)": 1,
    "each x2 in Item where rank = 1 live\n  if x2 = b\n    ASK\n    told(2)\n  told(1)\ntold(5)": (
        115
    ),
    "together each s in Side\n  pick y from {a, b} by s\n  ASK\n  told(2)\ntold(5)": 5,
}


@pytest.mark.docs("language#10-decisions")
@pytest.mark.parametrize("asks", NOTHING)
def test_where_nothing_can_be_chosen_the_rest_of_the_block_is_skipped(asks: str) -> None:
    """Nobody is asked, and the statement after that block follows."""
    menu = (
        "menu none_of_them in main\naction never in none_of_them\n  when turn > 3\n  told(3)\n"
        if asks == "menu"
        else ""
    )
    bodies, wishes = {}, {}
    for i, block in enumerate(BLOCKS):
        indent = next(line for line in block.splitlines() if "ASK" in line).split("ASK")[0]
        bodies[f"w{i}"] = block.replace("ASK", NOTHING[asks].replace("\n", f"\n{indent}"))
        wishes[f"w{i}"] = ["deed"] if "deed" in block else ["a", "b"] if "together" in block else []
    bodies["proc"], bodies["own"] = (
        "deed\ntold(5)",
        "if turn = 0\n  told(1)\n  choose by red\n    option wait\n      told(2)\ntold(5)",
    )
    deed = "procedure deed\n  told(1)\n  " + NOTHING[asks].replace("\n", "\n  ") + "\n  told(2)\n"
    if menu:
        deed = deed.replace("procedure deed", "procedure deed in main")
    model = ways(HEAD + menu + deed, bodies)
    for i, told in enumerate(BLOCKS.values()):
        found = play(model, f"w{i}", *wishes[f"w{i}"])
        assert (found["got"], found.result) == (told, (-1, "drawn")), list(BLOCKS)[i]
    assert play(model, "proc")["got"] == 15 and play(model, "own", "wait")["got"] == 125


PICKS = {  # the pick; who is asked what; the answer; the note after it: 0 stands for -1
    "pick x from Item by blue": ("blue: a, b, c, d, e", "c", 3),
    "pick x from {d} by red": ("", "", 4),
    "pick x from {d} by red, or none": ("red: d, none", "d", 4),
    "pick x from {b, d} by red, or none": ("red: b, d, none", "none", 9),
    "pick x from nobody by red, or none": ("", "", 9),
    "pick x from Item where rank = 1 by red": ("red: b, e", "e", 5),
    "pick n from 2 .. 4 by blue": ("blue: 2, 3, 4", "4", 4),
    "pick n from 3 .. 3 by red": ("", "", 3),
    "pick n from 3 .. 3 by red, or none": ("red: 3, none", "3", 3),
    "pick n from 1 .. 2 by red, or none": ("red: 1, 2, none", "none", 8),
    "pick n from turn .. turn + 1 by red": ("red: 0, 1", "1", 1),
    "pick n from 3 .. 2 by red, or none": ("", "", 8),
    "pick x from Item by red alike (rank)": ("red: a, b, d", "b", 2),
}


@pytest.mark.docs("language#10-decisions")
def test_a_pick_takes_one_of_a_set_or_range() -> None:
    """A single possibility is chosen without a question, unless none is allowed. For numbers none
    is -1."""
    tell = {"x": "told(number(x))", "n": "if n = -1\n  told(8)\nelse\n  told(n)"}
    asked = {f"w{i}": line for i, line in enumerate(PICKS)}
    model = ways(
        HEAD,
        {
            name: line.replace(", or none", ' "what", or none') + "\n" + tell[line.split()[1]]
            for name, line in asked.items()
        },
    )
    for i, (line, (options, answer, told)) in enumerate(PICKS.items()):
        found = play(model, f"w{i}", *([answer] if answer else []))
        assert ("".join(found.asked[1:]), found["got"]) == (options, told), line


@pytest.mark.parametrize(
    ("line", "fine"),
    [
        ("pick n from -1 .. 3 by red, or none", False),
        ("pick n from 0 .. 3 by red, or none", True),
        ("pick n from -1 .. 3 by red", True),
        ("pick n from low .. 3 by red, or none", False),
    ],
)
def test_a_range_to_pick_none_of_may_not_go_below_nothing(line: str, fine: bool) -> None:
    line = line.replace(", or none", ' "n", or none')
    model, found = findings(
        SIDES + f"state low: -2..3 = 1\nphase main\n  {line}\n  finish none, drawn\n"
    )
    assert (model is not None) == fine and [one[:5] for one in found] == ([] if fine else ["RK505"])


GROUPS: list[tuple[str, str, list[str | None] | None, str | None]] = [
    # the pick; choices; each decision (None: not checked); the group if the pick is over, "-" if
    # the rest is skipped
    (
        'Item by blue "who"',
        "add b, add d",
        [
            "blue: add a, add b, add c, add d, add e",
            "blue: add c, add d, add e, go",
            "blue: add e, go",
        ],
        None,
    ),
    ('Item by red "who"', "add d, add e", None, "de"),
    ("{c} by red", "", [], "c"),
    ('{c} by red "who", 0 to 1', "go", ["red: add c, go"], ""),
    (
        'Item by red "who", 2 to 3',
        "add a",
        ["red: add a, add b, add c, add d", "red: add b, add c, add d, add e"],
        None,
    ),
    ('Item by red "who", 2 to 3', "add a, add c", [None, None, "red: add d, add e, go"], None),
    ('Item by red "who", 2 to 3', "add a, add c, add d", None, "acd"),
    ('Item by red "who", 2 to 2', "add a, add c", None, "ac"),
    ('Item by red "who", 0 to 2', "go", ["red: add a, add b, add c, add d, add e, go"], ""),
    ('Item by red "who", 0 to 0', "", [], ""),
    (
        'Item by red "who", or none',
        "add c, go",
        ["red: add a, add b, add c, add d, add e, go", "red: add d, add e, go"],
        "c",
    ),
    ('Item where rank = 1 by red "who", 3 to 3', "", [], "be"),
    ('Item where rank = 1 by red "who", 2 to 9', "", [], "be"),
    ('nobody by red "who", or none', "", [], ""),
    ('nobody by red "who"', "", [], "-"),
    ('nobody by red "who", 0 to 1', "", [], "-"),
    (
        "Item by red alike (rank)",
        "add b, add e",
        ["red: add a, add b, add d", "red: add e, add d, go", "red: add d, go"],
        None,
    ),
    (
        'Item by red alike (rank) "who", 2 to 2',
        "add a",
        ["red: add a, add b", "red: add c, add b, add d"],
        None,
    ),
    (
        'Item by red alike (rank, it = e) "who", 1 to 1',
        "",
        ["red: add a, add b, add d, add e"],
        None,
    ),
    ("Item by red while count(g) <= 2", "add b, add d", None, "bd"),
    ('Item by red "who", 2 to 9 while count(g) <= 1', "add b", None, "b"),
    (
        "Item by red while not (a in g)",
        "add b",
        ["red: add b, add c, add d, add e", "red: add c, add d, add e, go"],
        None,
    ),
    (
        "Item by red while a in g or b in g",
        "add a",
        ["red: add a, add b", "red: add b, add c, add d, add e, go"],
        None,
    ),
    (
        "Item by red while sum(rank of g) <= 3",
        "add b",
        ["red: add a, add b, add c, add d, add e", "red: add c, add e, go"],
        None,
    ),
    ('Item by red "who", 3 to 3 while not (b in g) and not (e in g)', "", [], "acd"),
    ('Item by red while count(g) > 5 "no"', "", [], "-"),
    ('Item by red "who" while count(g) > 5 "no", or none', "", [], ""),
    ('Item by red "who", 0 to 0 while count(g) > 5 "no"', "", [], ""),
    (
        "Item by red while not (c in g) or b in g",
        "add b",
        ["red: add a, add b, add d, add e", "red: add c, add d, add e, go"],
        None,
    ),
    (
        "Item by red while not (b in g) or c in g",
        "add c",
        ["red: add a, add c, add d, add e", "red: add d, add e, go"],
        None,
    ),
    (
        'Item by red "who", 0 to 3 while not (d in g)',
        "go",
        ["red: add a, add b, add c, add e, go"],
        "",
    ),
]


@pytest.mark.docs("language#10-decisions")
def test_a_group_is_picked_one_by_one_in_the_order_of_the_data() -> None:
    """The test covers its bounds, equal members and its condition: a member that may not be added
    now counts as absent.

    Members that may only follow others must come after them in the data. If nothing more may be
    added, the group is complete.
    """
    model = ways(
        HEAD,
        {
            f"w{i}": f"pick group g from {form[0]}\ngroup := g\ntold(5)"
            for i, form in enumerate(GROUPS)
        },
    )
    for i, (form, wishes, asked, group) in enumerate(GROUPS):
        found = play(model, f"w{i}", *(wishes.split(", ") if wishes else []))
        if asked is not None:
            assert [
                wanted and line for wanted, line in zip(asked, found.asked[1:], strict=True)
            ] == asked, form
        assert (found.result is not None) == (group is not None), form
        if group is not None:
            there = "".join(letter for at, letter in enumerate("abcde") if found["group"] >> at & 1)
            assert (there if found["got"] == 5 else "-") == group, form


TOGETHER = """
procedure plan
  together each s in Side
    pick x from FROM by s "your target"
    told(number(x))
    target(s) := x
    AFTER
  told(8)
phase main
  plan
  choose by red
    option stop
  finish none, drawn
"""


def together(source: str, after: str = "told(7)") -> str:
    return (
        HEAD
        + "state target(s: Side): Item?\n"
        + TOGETHER.replace("FROM", source).replace("AFTER", after)
    )


def test_together_all_answer_before_the_rest_runs_for_each() -> None:
    """It runs in the order of the set. `return` in it ends the procedure."""
    found = play(together("Item"), "d")
    assert (found.asked, found["got"], found.cells["target"]) == (
        ["red: a, b, c, d, e", "blue: a, b, c, d, e"],
        0,
        [-1, -1],
    )
    assert (
        play(together("Item"), "d", "a")["got"] == 47178
        and play(together("Item", "return"), "d", "a")["got"] == 4
    )
    found = play(together("(Item where rank = (3 if s = red else 1))"), "e")
    assert (found.asked, found["got"]) == (
        ["blue: b, e", "red: stop"],
        47578,
    )  # red has only one option and is not asked
    found = play(together("(Item where rank = (3 if s = red else 9))"))
    assert (found.asked, found["got"]) == (
        ["red: stop"],
        478,
    )  # blue has nothing to pick, so the body does not run for blue


def test_who_answers_together_does_not_see_the_others(tmp_path: Path) -> None:
    """Whatever red answers, blue has the same observation and information set until all have
    answered."""
    game = rulekit.load(write_game(tmp_path, together("Item")))
    told = []
    for answer in ("pick a", "pick e"):
        state = game.new(seed=1)
        state.apply(answer)
        told.append(
            [
                *(state.view(who) for who in ("blue", None)),
                deals(Observer(state, 1)),
                Seat(state, "blue").position(),
            ]
        )
        state.apply("pick b")
        assert state.view("blue")["state"] != told[-1][0]["state"]
    assert told[0] == told[1]


OPTIONS = """
state purse: 0..9 = 3
state stock(x: Item): 0..9 = 1
state where_to(x: Item): Item?
phase main
  field credit: 0..9 = 2
  repeat 8 times
    choose by red "what"
      option buy(x: Item)
        with n = x.rank
        pays n from purse
        pays 1 from stock(x)
        told(purse)
      option borrow
        pays 1 from credit
        told(credit)
      option move(x: Item)
        when x = a or x = b
        with y = where_to(x)
        told(number(y))
      option set(x: Item)
        when no (Item where where_to(it) != none) and x != d
        where_to(a) := x
      option wait
        told(6)
  finish none, drawn
"""


@pytest.mark.docs("language#10-decisions")
def test_an_option_is_offered_where_it_can_be_paid_and_is_paid_before_it_runs() -> None:
    """It is offered down to the last point, with a price from a `with`, a state or a field. Without
    a value of `with` there is no option."""
    found = play(HEAD + OPTIONS, "buy c", "buy b", "borrow", "borrow", "set b", "move a")
    assert found.asked == [
        "red: buy a, buy b, buy c, buy d, buy e, borrow, set a, set b, set c, set e, wait",
        "red: buy b, buy e, borrow, set a, set b, set c, set e, wait",
        "red: borrow, set a, set b, set c, set e, wait",
        "red: borrow, set a, set b, set c, set e, wait",
        "red: set a, set b, set c, set e, wait",
        "red: move a, wait",
        "red: move a, wait",
    ]
    assert (found["got"], found["purse"], found.cells["stock"]) == (10102, 0, [1, 0, 0, 1, 1])
    assert (
        play(HEAD + OPTIONS, "set c").asked[1]
        == "red: buy a, buy b, buy c, buy d, buy e, borrow, move a, wait"
    )


LIMITS = """
state free: bool
moment bell in day asks red, blue
menu orders in day
action raid(x: Item) in orders
  when x.rank = 2
  limit 2 per day by x
  got := 1
action march in orders
  limit 2 moves per day
  got := 2
action ride in orders
  limit 3 moves per day unless free
  got := 3
action once in orders
  limit 1 per game
  free := not free
reaction ring at bell
  limit 1 per game by me
  got := 4
phase day
  repeat 6 times
    choose by red from orders
  open bell
phase main
  repeat 2 times
    day
  finish none, drawn
"""


@pytest.mark.docs("language#10-decisions")
def test_a_limit_counts_by_its_keys_under_its_name_and_within_its_scope() -> None:
    """It binds exactly at its number. Several options share a name, each with its own number.
    `unless` exempts an action, which still counts. A new day resets it, the game does not."""
    found = play(
        HEAD + LIMITS,
        "raid a",
        "raid a",
        "raid c",
        "march",
        "ride",
        "ride",
        "ring",
        "pass",
        "once",
        "ride",
        "ride",
        "ride",
        "ride",
        "raid a",
        "ring",
    )
    assert [line.split(": ")[1] for line in found.asked] == [
        *["raid a, raid c, march, ride, once"] * 2,
        *["raid c, march, ride, once"] * 3,
        "raid c, ride, once",
        *["ring, pass"] * 2,
        "raid a, raid c, march, ride, once",
        *["raid a, raid c, march, ride"] * 2,
        *["raid a, raid c, ride"] * 3,
        "ring, pass",
    ]
    assert [line[:4] for line in found.asked if "ring" in line] == ["red:", "blue", "blue"]


SHARED = """
menu orders in day
action sack(x: Item) in orders
  limit 1 harm per day by x
  got := 1
action burn(x: Item) in orders
  limit 1 harm per day by x
  got := 2
phase day
  repeat 2 times
    choose by red from orders
phase main
  day
  finish none, drawn
"""


def test_options_count_together_under_a_name_for_each_of_its_keys() -> None:
    first, second = (
        set(line.split(": ")[1].split(", ")) for line in play(HEAD + SHARED, "sack a").asked
    )
    assert {"sack a", "burn a", "burn c"} <= first and second == first - {"sack a", "burn a"}


@pytest.mark.docs("language#10-decisions")
def test_the_list_the_check_and_the_answer_to_why_not_come_from_one_guard(tmp_path: Path) -> None:
    """This covers each clause of an action: its conditions, its price, its limit."""
    rules = (
        HEAD
        + """
state points(s: Side): 0..6 = 2
menu orders in day
action raise(s: Side) in orders "Raise troops"  ref "5"
  when s = active "only for yourself"
  when points(s) >= 2 "two points are needed"
  pays 1 from budget
  limit 1 per day by s
  points(s) -= 1
phase day(active: Side)
  field budget: 0..6 = 1
  repeat 3 times
    choose by active from orders
      option earn
        points(active) := 6
      option save
        budget := 5
      option wait
        budget += 0
phase main
  day(red)
  finish none, drawn
"""
    )
    state, after = rulekit.load(write_game(tmp_path, rules)).new(seed=1), ""
    for choice, reason in (
        ("raise red", "two points are needed"),
        ("earn", "costs 1"),
        ("save", "limit"),
        ("", ""),
    ):
        assert state.decision is not None
        offered = [option.key for option in state.decision.options]
        refused = {"raise blue": "only for yourself", **({"raise red": after} if after else {})}
        for key in ("raise blue", "raise red"):
            assert (key in offered) == (key not in refused)
            if key in refused:
                [why] = state.why(key)
                assert refused[key] in why, why
                with pytest.raises(rulekit.IllegalChoice, match=refused[key]):
                    state.apply(key)
        if not choice:
            break
        state.apply(choice)
        after = reason
        if choice == "save":
            break


STANDING = """
standing resign in day "Resign"
  finish me.enemy, win
standing shout in day
  told(9)
moment bell in day asks blue
reaction ring at bell
  limit 1 per game
  told(4)
procedure council(s: Side) in day
  choose by s
    option stay
      told(5)
phase day
  pick x from Item by red
  pick group g from Item by red
  open bell
  choose by red
    option one
      told(1)
    option two
      told(2)
  council(blue)
phase main
  day
  choose by red
    option last
      told(6)
  finish none, drawn
"""


@pytest.mark.docs("language#11-standing-options")
def test_a_standing_option_is_offered_at_choices_of_its_context_only() -> None:
    """It is not offered in picks, groups and windows. After it the same question returns. `me` is
    the deciding player."""
    rules = HEAD + STANDING
    found = play(rules, "a", "add e", "ring", "shout", "two", "shout", "stay")
    assert found.asked == [
        "red: a, b, c, d, e",
        "red: add a, add b, add c, add d, add e",
        "blue: ring, pass",
        "red: one, two, resign, shout",
        "red: one, two, resign, shout",
        "blue: stay, resign, shout",
        "blue: stay, resign, shout",
        "red: last",
    ]
    assert found["got"] == 49295
    for wishes, winner in ((["resign"], 1), (["one", "resign"], 0)):
        found = play(rules, "a", "add e", "pass", *wishes)
        assert found.result == (winner, "win")
