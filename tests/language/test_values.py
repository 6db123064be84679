"""The language reference on values (sections 2 to 5), sentence by sentence. The compiled game and
the reference interpreter agree."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import rulekit
from rulekit.compiler.compiler import build
from rulekit.compiler.reference.interpreter import Reference
from rulekit.engine.game.state import State
from tests.small_games import assert_agreement, checked_model, write_game

WORLD = """
unit PF
kind Ground = clear | rough | river
kind Arm = foot | horse | leader
kind Mood ordered = low | steady | high
kind Zone = z1(clear, 3) | z2(rough) | z3(river, 5) | z4(clear, 9)
  fixed ground: Ground
  fixed room: 0..9 = 0
  state holder: Side?
  state heap: -9..9
kind Piece = p1(red, foot, 4) | p2(red, horse, 3) | p3(blue, foot, 4) | p4(blue, leader, 0)
  fixed owner: Side
  fixed arm: Arm
  fixed front: 0..9 PF
  state zone: Zone?
  state weak: bool
  state foe: Piece?
state n: -9..9 = 7
state zero: -9..9
state same: 0..9 = 7
state mood: Mood = steady
state chosen: Zone?
event moved(p: Piece, z: Zone)
  p.zone := z
event held(z: Zone, s: Side)
  z.holder := s
  z.heap := -2
event weakened(p: Piece)
  p.weak := true
event altered
  n -= 4
  mood := high
  chosen := z3
  p3.weak := true
  p4.zone := z1
  z1.holder := none
setup
  moved(p1, z1)
  moved(p2, z2)
  moved(p3, z2)
  held(z1, red)
  held(z2, blue)
  weakened(p1)
"""
PLAY = """
phase main
  choose by red "what"
    option look
      zero += 0
    option other
      altered
SET
  finish none, drawn
"""


def evaluated(
    folder: Path, found: list[tuple[str, str]], more: str = "", world: str = WORLD
) -> State:
    """Return the state of a game whose defines `found0`, `found1` ... are these (type, expression),
    after all variants agreed on their values."""
    defines = "\n".join(
        f"define found{i}: {type} = {expr}\nstate kept{i}: {type}"
        for i, (type, expr) in enumerate(found)
    )
    kept = "\n".join(f"  kept{i} := found{i}" for i in range(len(found)))
    write_game(folder, f"{world}{more}\n{defines}\n" + PLAY.replace("SET", kept))
    assert_agreement(folder, 2)
    return rulekit.load(folder).new(seed=1)


def are(
    folder: Path, rows: list[tuple[str, str, object]], more: str = "", world: str = WORLD
) -> None:
    state = evaluated(folder, [(type, expr) for type, expr, _ in rows], more, world)
    assert {expr: state.value_of(f"found{i}") for i, (_, expr, _) in enumerate(rows)} == {
        expr: value for _, expr, value in rows
    }


def failures(folder: Path, found: list[tuple[str, str]], more: str = "") -> list[list[str]]:
    """Return the error of each expression in the reference, full, fast and traced, "" if it has a
    value."""
    defines = "\n".join(
        f"define found{i}: {type} = {expr}\nstate kept{i}: {type}"
        for i, (type, expr) in enumerate(found)
    )
    folder.mkdir()
    options = "\n".join(f"    option take{i}\n      kept{i} := found{i}" for i in range(len(found)))
    write_game(
        folder,
        f"{WORLD}{more}\n{defines}\nphase main\n  choose by red\n{options}\n  finish none, drawn\n",
    )
    model = checked_model(folder)
    compiled = build(model, "")
    state = rulekit.load(folder).new(seed=1)
    told = []
    for i in range(len(found)):

        def fast(at: int = i) -> None:
            code = compiled.code("fast")
            slots = code.blank(1)
            code.begin(slots)
            code.apply(slots, 1 + at)

        told.append(
            [
                said(lambda at=i: Reference(model).apply(at)),
                said(lambda at=i: state.clone().apply(f"take{at}")),
                said(fast),
                said(lambda at=i: state.value_of(f"found{at}")),
            ]
        )
    return told


def said(act: Callable[[], object]) -> str:
    try:
        act()
    except rulekit.RulesError as error:
        return str(error)
    return ""


SETS: list[tuple[str, str, object]] = [
    ("set Piece", "Piece where front = 4", ["p1", "p3"]),
    ("set Piece", "Piece where weak", ["p1"]),
    ("set Piece", "Piece where it != p1", ["p2", "p3", "p4"]),
    ("set Piece", "Piece q where q.owner = red", ["p1", "p2"]),
    ("set Piece", "Piece q where some (Piece where zone = q.zone and it != q)", ["p2", "p3"]),
    ("set Piece", "Piece q where q is foot and not it.weak", ["p3"]),
    ("set Piece", "Piece where owner = red where weak", ["p1"]),
    ("set Piece", "Piece where foot", ["p1", "p3"]),
    ("set Piece", "Piece where not (leader or horse)", ["p1", "p3"]),
    ("set Piece", "Piece where zone != none and zone is rough", ["p2", "p3"]),
    ("set Piece", "Piece where it is foot", ["p1", "p3"]),
    ("set Zone", "Zone where rough", ["z2"]),
    ("set Zone", "Zone z where no (Piece where zone = z)", ["z3", "z4"]),
    ("bool", "p1 is foot", True),
    ("bool", "p2 is foot", False),
    ("bool", "p1 is not foot", False),
    ("bool", "p4 is not foot", True),
    ("bool", "Piece has leader", True),
    ("bool", "(Piece where owner = red) has leader", False),
    ("bool", "Piece has (front > 3 and horse)", False),
    ("bool", "(Piece where foot) only (front = 4)", True),
    ("bool", "Piece only foot", False),
    ("bool", "(Piece where front > 8) only foot", False),
    ("bool", "(Piece where foot) all (front = 4)", True),
    ("bool", "Piece all foot", False),
    ("bool", "(Piece where front > 8) all foot", True),
    ("bool", "(Piece where front > 8) has foot", False),
    ("bool", "some (Piece where horse)", True),
    ("bool", "some (Piece where front > 8)", False),
    ("bool", "no (Piece where horse)", False),
    ("bool", "no (Piece where front > 8)", True),
    ("int", "count (Piece where foot)", 2),
    ("int", "count (Piece where front > 8)", 0),
    ("Piece", "the (Piece where horse)", "p2"),
    ("Side", "the z2.holder", "blue"),
    ("Side", "z1.holder ?? blue", "red"),
    ("Side", "z3.holder ?? blue", "blue"),
    ("Side", "z3.holder ?? (z4.holder ?? blue)", "blue"),
    ("Side?", "z3.holder ?? z4.holder", None),
    ("int", "chosen.room ?? 2", 2),
    ("int", "(chosen ?? z1).room ?? 2", 3),
    ("PF", "sum(front of Piece)", 11),
    ("int", "z2.room", 0),
    ("int", "sum(room of Zone)", 17),
    ("Ground", "z3.ground", "river"),
    ("int", "sum(2 of Piece)", 8),
    ("int", "sum(heap of Zone)", -4),
    ("PF", "sum(front of (Piece where front > 8))", 0),
    ("PF", "min(front of (Piece where front > 0))", 3),
    ("PF", "max(front of Piece)", 4),
    ("int", "max(heap of (Zone where holder != none))", -2),
    ("int", "min(heap of Zone)", -2),
    ("int", "min(n, zero, 3)", 0),
    ("int", "max(n, zero, 3)", 7),
    ("set Arm", "values(arm of (Piece where front = 4))", ["foot"]),
    ("set Zone", "values(zone of Piece)", ["z1", "z2"]),
    ("set Zone", "values(zone of (Piece where leader))", []),
    ("set Side", "values(owner of Piece)", ["red", "blue"]),
    ("Piece?", "first(Piece by front)", "p4"),
    ("Piece?", "first(Piece by -front)", "p1"),
    ("Piece?", "first(Piece by -front, owner = blue)", "p3"),
    ("Piece?", "first(Piece by -front, weak)", "p1"),
    ("Piece?", "first(Piece by -front, not weak)", "p3"),
    ("Piece?", "first(Piece by it is leader)", "p4"),
    ("Piece?", "first(Piece by not (it is foot), front)", "p4"),
    ("Piece?", "first(Piece by it is horse, weak)", "p2"),
    ("Piece?", "first(Piece by 1)", "p1"),
    ("Piece?", "first(Piece where front > 8 by front)", None),
    ("int", "zone(p1).heap ?? 5", -2),
    ("Zone?", "zone(p1)", "z1"),
    ("Side", "owner(p3)", "blue"),
]


@pytest.mark.docs("language#4-expressions")
def test_what_each_form_of_the_table_gives(tmp_path: Path) -> None:
    are(tmp_path, SETS)


EMPTY: list[tuple[str, str, object]] = [
    ("PF", "max(front of (Piece where front > 8))", 0),
    ("int", "min(heap of (Zone where room > 9))", 0),
    ("int", "max(heap of (Zone where room > 9))", 0),
    ("int", "min(room of (Zone where room > 9)) if some (Zone where room > 9) else 6", 6),
    ("int", "min(room of (Zone where room > 4)) if some (Zone where room > 4) else 6", 5),
    ("Piece?", "first(Piece where weak and front > 8 by front)", None),
]


def test_of_an_empty_set_the_least_and_the_greatest_are_nought_and_nobody_is_first(
    tmp_path: Path,
) -> None:
    """They are 0, also if members could be below 0. The `if some` alternative applies."""
    are(tmp_path, EMPTY)


# ----------------------------------------------------------------------------------- missing values
MISSING, THERE = "chosen", "p1.zone"
FALSE_IF_MISSING = [
    "{h} = {t}",
    "{t} = {h}",
    "{h} != {t}",
    "{t} != {h}",
    "{h} = {h2}",
    "{h} != {h2}",
    "{h} is clear",
    "{h} is rough",
    "{h} in Zone",
    "{h} not in Zone",
    "{h} in {{z1}}",
    "{h} not in {{z1}}",
    "{h}.mood_of < high",
    "{h}.mood_of > low",
    "{h}.mood_of <= high",
    "{h}.mood_of >= low",
    "high > {h}.mood_of",
    "low < {h}.mood_of",
    "{h}.holder = {t}.holder",
    "{h}.busy",
]


@pytest.mark.docs("language#4-expressions")
def test_a_test_is_false_of_a_missing_value_and_its_opposite_true(tmp_path: Path) -> None:
    """This covers each kind of test. `not` of it and `is not` are true, and `= none` and `!= none`
    see the missing value."""
    more = (
        "define mood_of(z: Zone): Mood = high if z.room > 4 else low\ndefine busy(z: Zone): bool ="
        " z.room < 99\n"
    )
    tests = [form.format(h="chosen", t="p1.zone", h2="p4.zone") for form in FALSE_IF_MISSING]
    rows: list[tuple[str, str, object]] = [("bool", test, False) for test in tests]
    rows += [("bool", f"not ({test})", True) for test in tests]
    rows += [
        ("bool", "chosen is not clear", True),
        ("bool", "chosen = none", True),
        ("bool", "chosen != none", False),
        ("bool", "p1.zone = none", False),
        ("bool", "p1.zone != none", True),
        ("bool", "p1.zone is not clear", False),
        ("bool", "not (p1.zone = none)", True),
        ("bool", "p1.zone != p2.zone", True),
        ("bool", "p1.zone not in {z2}", True),
        ("bool", "p1.zone.mood_of < high", True),
    ]
    are(tmp_path, rows, more)


# ------------------------------------------------------------------------------- evaluated operands
ZERO, TWO, KEY, GONE = "1 / zero down", "the (Piece where foot)", "row(n)", "the chosen"
SAYS = {
    "division": ZERO + " = 1",
    "exactly one": f"{TWO} = p1",
    "no value": f"{KEY} = 1",
    "here is none": f"{GONE} = z1",
}
FINE = {  # expressions that skip a part
    "false and {x}": False,
    "true or {x}": True,
    "weak_one(p2) and {x}": False,
    "weak_one(p1) or {x}": True,
    "true if same = 7 else {x}": True,
    "{x} if same = 0 else true": True,
    "(z2.holder ?? (red if {x} else blue)) = blue": True,
    "by_case(same, 3)": True,
}


@pytest.mark.docs("language#4-expressions")
@pytest.mark.parametrize("sort", SAYS)
def test_only_these_leave_out_what_they_do_not_need(tmp_path: Path, sort: str) -> None:
    """`and`, `or`, `if ... else`, `??` and the cases of a define evaluate nothing after the first
    part that decides."""
    more = f"""state row(k: 0..3): 0..9
define weak_one(p: Piece): bool = p.weak
define by_case(k: int, j: int): bool
  = true when k = 7
  = false when {SAYS[sort]}
  = j = 1
define bad_case(k: int): bool
  = true when k = 8
  = false when {SAYS[sort]}
  = true
define bad_value(k: int): bool
  = {SAYS[sort]} when k = 7
  = true
"""
    rows: list[tuple[str, str, object]] = [
        ("bool", form.format(x=f"({SAYS[sort]})"), value) for form, value in FINE.items()
    ]
    are(tmp_path, rows, more)
    looked = [
        "weak_one(p1) and ({x})",
        "weak_one(p2) or ({x})",
        "({x}) and weak_one(p2)",
        "({x}) or weak_one(p1)",
        "({x}) if n = 7 else true",
        "true if n = 0 else ({x})",
        "true if ({x}) else true",
        "(z3.holder ?? (red if ({x}) else blue)) = red",
        "bad_case(n)",
        "bad_value(n)",
        "not ({x})",
        "first(Piece by ({x})) = p1",
        "some (Piece where front > 3 and ({x}))",
        "no (Piece where front > 3 and ({x}))",
        "Piece has (({x}) or it = p1)",
        "Piece only (({x}) or it = p1)",
        "Piece all (({x}) or it = p1)",
        "first(Piece where (({x}) or it = p1) by front) = p1",
        "some (Piece where it = p1 or ({x}))",
        "no (Piece where it = p1 or ({x}))",
        "sum(1 if it = p1 or ({x}) else 2 of Piece) = 4",
        "ignored(({x}), n)",
        "(2 if ({x}) else 3) in 4 .. 9",
        "2 in 4 .. (2 if ({x}) else 3)",
        "n < 0 or {k} = 3".replace("{k}", "min(0, 1 if ({x}) else 2)"),
        "n = 7 and (row(0) = 1 or (chosen ?? (z1 if ({x}) else z2)) = z1)",
        "{chosen, (z1 if ({x}) else z2)} = {z1}",
        "p4.zone = (z1 if ({x}) else z2)",
        "p4.zone != (z1 if ({x}) else z2)",
        "(chosen in (Zone where (({x}) or it = z1)))",
        "beside(chosen, (1 if ({x}) else 2))",
    ]
    told = failures(
        tmp_path / "failing",
        [("bool", form.replace("{x}", SAYS[sort])) for form in looked],
        more
        + "define ignored(b: bool, k: int): bool = k > 99\ndefine beside(z: Zone, k: int): bool ="
        " z.room = k\n",
    )
    assert [
        (form, words)
        for form, words in zip(looked, told, strict=True)
        if not all(sort in each for each in words)
    ] == []
    assert [
        words
        for words in told
        for each in (words[0], words[1], words[3])
        if "game.rules:" not in each
    ] == []


PAIRS = [
    "{a} + {b}",
    "{a} - {b}",
    "{a} * {b}",
    "{a} / {b} up",
    "{a} / {b} down",
    "min({a}, {b})",
    "max({a}, {b})",
    "takes({a}, {b})",
    "lost({a}, {b})",
    "area({a}, {b})",
    "kept_at({a}, {b})",
    "much({a}, {b})",
    "count({{the_one({a}), the_one({b})}})",
    "1 if {a} < {b} else 2",
    "1 if {a} = {b} else 2",
    "1 if {a} in {b} .. 3 else 2",
    "1 if 1 in {a} .. {b} else 2",
    "1 if {a} in {{3, {b}}} else 2",
    "1 if ok({a}, {b}) else 2",
    "by_ratio({a} to {b})",
    "sum({a} of Zone) + {b}",
    "({a} if true else 0) + {b}",
]


@pytest.mark.docs("language#4-expressions")
def test_parts_are_looked_at_from_left_to_right(tmp_path: Path) -> None:
    """If two parts fail, the left one is reported, in every form with two parts, in either
    order."""
    more = """fixed area(a: 0..3, b: 0..3): 0..9 = 1
state kept_at(a: 0..3, b: 0..3): 0..9
define takes(a: int, b: int): int = 3
define the_one(k: int): Zone = z1 if k = 1 else z2
define divided(k: int): int = 1 / k down
define single(k: int): int = 1 if the (Piece where front > k as PF) = p1 else 2
total much(a: int, b: int): int
  base 3
permit ok(a: int, b: int)
  bar never when a = b "no"
table lost(a: 0..3, b: 0..3) -> 0..9, clamp
  0..3 | 0..3 | 1
table by_ratio(r: ratio) -> 0..9, clamp
  1 to 1 | 2 to 1
  1 | 2
"""
    a, b = "divided(zero)", "single(n + 2)"
    forms = [form.format(a=x, b=y) for form in PAIRS for x, y in ((a, b), (b, a))]
    told = failures(tmp_path / "failing", [("int", form) for form in forms], more)
    sorts = [
        [
            "division" if "division by zero" in each else "one" if "exactly one" in each else each
            for each in words
        ]
        for words in told
    ]
    wanted = [["division"] * 4, ["one"] * 4] * len(PAIRS)
    assert [
        (form, sort)
        for form, sort, right in zip(forms, sorts, wanted, strict=True)
        if sort != right
    ] == []


NOTHING_ASKED = [
    "some ((Piece where front > 8) where {x})",
    "(Piece where front > 8) has ({x})",
    "(Piece where front > 8) only ({x})",
    "first(Piece where front > 8 by 1 if {x} else 2) = p1",
    "sum(1 if {x} else 2 of (Piece where front > 8)) = 3",
]


def test_of_an_empty_set_nothing_is_asked(tmp_path: Path) -> None:
    are(
        tmp_path,
        [
            ("bool", form.format(x=f"(1 / {z} down = front as int)"), False)
            for form in NOTHING_ASKED
            for z in ("zero", "heap_of(it)")
        ]
        + [
            ("bool", f"(Piece where front > 8) all (1 / {z} down = 1)", True)
            for z in ("zero", "heap_of(it)")
        ],
        "define heap_of(p: Piece): int = zero\n",
    )


# ----------------------------------------------------------------------------- places, grids, order
GRAPH = """
kind Place
  state held: bool
kind Road joins Place
  fixed wall: bool
kind Cell = grid 2 by 3
kind Row = lines 2 in Cell
kind Mood ordered = low(3) | steady(1) | high(7)
  fixed worth: 0..9
kind Heap = left | right
state mood: Mood = high
state cell: Cell = b2
state spot: Place = b
state n: 0..9
state zero: 0..9
define cells_of(r: Row): set Cell = r.cells
event altered
  n += 1
  mood := low
  cell := c1
  spot := e
"""
MAP = """places:
  kind: Place
  source: {assumed: "an example"}
  members: {a: {at: [0, 0]}, b: {at: [1, 0]}, c: {at: [2, 0]}, d: {at: [3, 0]}, \
e: {at: [4, 0], neighbours: []}}
borders:
  kind: Road
  source: {assumed: "an example"}
  members:
    - {between: [a, b], wall: false}
    - {between: [b, c], wall: true}
    - {between: [c, d], wall: false}
    - {between: [a, c], wall: false, id: ford, one_way: true, via: [[1, 1]]}
"""
ON_IT: list[tuple[str, str, object]] = [
    ("set Place", "spot.neighbours", ["a", "c"]),
    ("set Place", "d.neighbours", ["c"]),
    ("set Place", "e.neighbours", []),
    ("set Place", "a.neighbours", ["b", "c"]),
    ("set Place", "c.neighbours", ["b", "d"]),
    ("int", "count Road", 4),
    ("bool", "ford.wall", False),
    ("set Road", "Road where wall", ["b-c"]),
    ("set Place", "spot.within(0, Road)", ["b"]),
    ("set Place", "spot.within(1, Road)", ["a", "b", "c"]),
    ("set Place", "spot.within(2, Road)", ["a", "b", "c", "d"]),
    ("set Place", "spot.within(1, Road where not wall)", ["a", "b"]),
    ("set Place", "spot.within(2, Road where not wall)", ["a", "b", "c"]),
    ("set Place", "e.within(2, Road)", ["e"]),
    ("set Cell", "Cell where row = 2", ["a2", "b2", "c2"]),
    ("set Cell", "Cell where col = 1", ["a1", "a2"]),
    ("int", "cell.row", 2),
    ("int", "cell.col", 2),
    ("Cell?", "cell.shift(-1, 0)", "b1"),
    ("Cell?", "cell.shift(0, 1)", "c2"),
    ("Cell?", "cell.shift(-1, -1)", "a1"),
    ("Cell?", "cell.shift(1, 0)", None),
    ("Cell?", "cell.shift(0, 2)", None),
    ("Cell?", "cell.shift(-2, 0)", None),
    ("Cell?", "cell.shift(0, -2 - n)", None),
    ("Cell?", "a1.shift(2 - n, 0)", None),
    ("Cell?", "cell.shift(-1 - n, 1)", "c1"),
    ("Cell?", "cell.shift(-9, 0)", None),
    ("int", "count Row", 11),
    ("int", "count (Row where a1 in cells)", 3),
    ("bool", "Row all (count cells = 2)", True),
    ("bool", "mood is high", True),
    ("bool", "mood is low", False),
    ("bool", "mood is not low", True),
    ("set Mood", "Mood where low or high", ["low", "high"]),
    ("Mood", "mood + 1", "high"),
    ("Mood", "mood - 1", "steady"),
    ("Mood", "mood - 9", "low"),
    ("Mood", "mood - 9 + 1", "steady"),
    ("bool", "mood > steady", True),
    ("bool", "low < steady and steady < high", True),
    ("bool", "mood <= steady", False),
    ("bool", "low >= steady", False),
    ("int", "mood.worth", 7),
    ("set Mood", "Mood where it < mood", ["low", "steady"]),
    ("set Mood", "Mood where it >= steady", ["steady", "high"]),
    ("int", "low.worth", 3),
]


@pytest.mark.docs("language#2-kinds-members-attributes")
def test_places_grids_and_ordered_members_are_as_section_2_says(tmp_path: Path) -> None:
    """A border is a separate thing. `within` counts only the given borders. Beyond the edge of a
    grid is none."""
    (tmp_path / "map.yaml").write_text(MAP)
    are(tmp_path, ON_IT, world=GRAPH)
    state = rulekit.load(tmp_path).new()
    rows_of = {
        name: state.value_of("cells_of", name)
        for kind in state.table.program.kinds
        if kind.name == "Row"
        for name in kind.members
    }
    assert sorted(rows_of.values()) == sorted(
        [
            ["a1", "b1"],
            ["b1", "c1"],
            ["a2", "b2"],
            ["b2", "c2"],
            ["a1", "a2"],
            ["b1", "b2"],
            ["c1", "c2"],
            ["a1", "b2"],
            ["b1", "c2"],
            ["b1", "a2"],
            ["c1", "b2"],
        ]
    )


# -------------------------------------------------------------------------- values without a result
FAILS = {
    "1 / zero up": "division by zero",
    "1 / zero down": "division by zero",
    "1 if the (Piece where foot) = p1 else 2": "exactly one, here are 2",
    "1 if the (Piece where front > 8) = p1 else 2": "exactly one, here are 0",
    "1 if the chosen = z1 else 2": "here is none",
    "row(four)": "no value for 4",
    "row(four - 5)": "no value for -1",
    "area(four, 0)": "no value for 4",
    "area(1, four - 5)": "no value for -1",
    "area(0, four)": "no value for 4",
    "low(four - 7)": "no value for -3",
    "low(four - 2)": "no value for 2",
}
HOLDS: list[tuple[str, str, object]] = [
    ("int", "row(four - 1)", 0),
    ("int", "row(zero)", 0),
    ("int", "area(four - 1, zero)", 30),
    ("int", "area(zero, four - 1)", 3),
    ("int", "low(four - 6)", 5),
    ("int", "low(four - 3)", 8),
    ("int", "low(four - 5)", 6),
]
KEYED = """state four: 0..9 = 4
state row(k: 0..3): 0..9
fixed area(a: 0..3, b: 0..3): 0..99 = 10 * a + b
fixed low(k: -2..1): 0..9 = k + 7
"""


@pytest.mark.docs("language#4-expressions")
def test_what_cannot_be_worked_out_is_an_error_that_says_where(tmp_path: Path) -> None:
    """Cases are a division by zero with either rounding, `the` of none and of several, and a key
    just beyond each end of a state and a fixed value."""
    are(tmp_path, HOLDS, KEYED)
    told = failures(tmp_path / "failing", [("int", form) for form in FAILS], KEYED)
    assert [
        (form, words)
        for (form, sort), words in zip(FAILS.items(), told, strict=True)
        if not all(sort in each for each in words)
    ] == []
    assert [
        words
        for words in told
        for each in (words[0], words[1], words[3])
        if "game.rules:" not in each
    ] == []


WALKED = """
kind Cell = c1 | c2 | c3
  state guard: Side?
kind Way joins Cell
kind Piece = p1 | p2
  state cell: Cell = c1
state zero: 0..9
movement march(g: set Piece)
  over Way w from x to y
  allowance 2
  COST
  MAY
  on entry
    each p in g
      p.cell := y
phase main
  pick k from 0 .. 1 by red "go"
  walk march({p1}) from c1 by red
  finish none, drawn
"""
WAYS = """places:
  kind: Cell
  source: {assumed: "an example"}
  members: {c1: {at: [0, 0]}, c2: {at: [1, 0]}, c3: {at: [2, 0]}}
borders:
  kind: Way
  source: {assumed: "an example"}
  members: [{between: [c1, c2]}, {between: [c2, c3]}, {between: [c1, c3], via: [[1, 1]]}]
"""


@pytest.mark.parametrize(
    ("cost", "may"),
    [
        ("cost 1 / zero down", "may end when true"),
        ("cost 1", "may enter 1 / zero down = 1"),
        ("cost 1", "may end when 1 / zero down = 1"),
    ],
)
def test_an_error_in_the_cost_or_a_condition_of_a_walk_shows_when_a_step_is_looked_at(
    tmp_path: Path, cost: str, may: str
) -> None:
    (tmp_path / "map.yaml").write_text(WAYS)
    folder = write_game(
        tmp_path,
        WALKED.replace("kind Cell = c1 | c2 | c3", "kind Cell")
        .replace("COST", cost)
        .replace("MAY", may),
    )
    state = rulekit.load(folder).new()
    with pytest.raises(rulekit.RulesError, match="division by zero"):
        state.apply("pick 0")
    assert state.decision is not None and state.decision.kind == "pick"
    reference = Reference(checked_model(folder))
    with pytest.raises(rulekit.RulesError, match="division by zero"):
        reference.apply(0)
