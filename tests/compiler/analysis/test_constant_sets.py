"""Every operation on sets has the same result for a set known at compile time (empty, full,
partial) as for another."""

from __future__ import annotations

import pytest

from rulekit.compiler.compiler import build
from tests.compiler.checked_rules import written
from tests.compiler.reference.agree import agree

HEAD = """game constants 1
unit PF
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Ground ordered = land | sea | air
kind Line
  fixed weight: 0..9 PF
  state thing: Item?
kind Item = a(sea, 2, b, 1) | b(sea, 3, none, 0) | c(air, 3, a, 2) | d(sea, 0, d, -3)
  fixed ground: Ground
  fixed weight: 0..9 PF
  fixed twin: Item?
  fixed deep: -9..9
  state used: bool
  state holder: Side?
  state load: 0..9
state held: set Item
state rounds: 0..9 = 1
"""
SETS = {
    "whole": "Item",
    "none": "(Item where land)",
    "none of some": "(held where land)",
    "all of some": "(held where not land)",
    "one": "{b}",
    "two": "{a, c}",
    "some": "held",
    "difference": "(Item - Item)",
    "rest": "(Item - {a, b})",
    "union": "({a} + held)",
    "none or one": "{d.twin, b.twin}",
    "none of a call": "landed(held)",
    "all of a call": "afloat(Item)",
    "choice": "({a} if rounds > 0 else Item)",
    "image": "values(twin of Item)",
    "empty image": "values(twin of (held where land))",
    "lines": "values(thing of Line)",
    "none of nothing": "((Item where land) - held)",
    "part of nothing": "((held where land) + (Item where land))",
}
NUMBERS = [
    "count({S})",
    "sum(weight of {S}) as int",
    "sum(load of {S})",
    "sum(deep of {S})",
    "sum(2 of {S})",
    "sum(rounds of {S})",
    "sum(weight * 2 of {S}) as int",
    "sum((load + 1) * rounds of {S})",
    "sum((1 if used else 3) of {S})",
    "max(load of {S})",
    "min(deep of {S})",
    "max(weight of {S}) as int",
    "min(rounds of {S})",
    "count({S} where used)",
    "count({S} - held)",
    "count({S} + held)",
    "count(held - {S})",
    "-count({S})",
    "count({S}) * rounds - 3",
    "count({S}) / 2 up",
    "7 / (count({S}) + 1) down",
    "min(count({S}), rounds)",
    "max(count({S}), 3)",
    "count(values(ground of {S}))",
    "count(values(twin of {S}))",
    "count(values(holder of {S}))",
    "sum(count({S} x where x.used) * deep of Item)",
    "count(Item i where i in {S} and used)",
]
TESTS = [
    "some {S}",
    "no {S}",
    "a in {S}",
    "a not in {S}",
    "some({S} where used)",
    "{S} has used",
    "{S} only used",
    "{S} all used",
    "{S} has sea",
    "{S} all sea",
    "{S} + {b} = {a, b}",
    "{S} - {d} != {a, c}",
    "no(Item i where i in {S})",
    "some({S} x where x.twin in {S})",
    "b in ({S} where weight > 1)",
    "count({S}) > 2",
    "not some {S} or rounds > 3",
    "first({S} by load) = a",
    "first({S} by -weight) is sea",
    "max(air if some {S} else sea, land) is air",
    "some(Side s where some({S} where holder = s))",
]
MEMBERS = [
    "first({S} by load)",
    "first({S} by -weight)",
    "first({S} by load, -weight)",
    "first({S} by it is sea, deep)",
]
GROUPS = [
    "{S}",
    "{S} + held",
    "held - {S}",
    "{S} where used",
    "{S} where it in held",
    "values(twin of {S})",
    "{S} x where x.twin != none",
    "Item where it in {S}",
    "Item where it not in {S}",
    "Item i where some({S} where twin = i)",
    "Item i where i.twin in {S}",
]


def rules(source: str) -> str:
    """Return a game whose cells apply every operation to the set, in its set-up and after choices
    that change it.

    The operations are used with and without an element of a loop or a parameter in the set.
    """
    made = [(n, "int", "-999..999", e) for n, e in enumerate(NUMBERS)]
    made += [(n, "test", "bool", e) for n, e in enumerate(TESTS)]
    made += [(n, "member", "Item?", e) for n, e in enumerate(MEMBERS)]
    made += [(n, "group", "set Item", e) for n, e in enumerate(GROUPS)]
    filled = [(f"{word}{n}", type, e.replace("{S}", source)) for n, word, type, e in made]
    results = {
        "int": "int",
        "bool": "bool",
        "Item?": "Item?",
        "set Item": "set Item",
        "-999..999": "int",
    }
    return "\n".join(
        [
            HEAD,
            "define landed(g: set Item) = g where land",
            "define afloat(g: set Item) = g where not land",
            *(f"state {n}: {t}" for n, t, _ in filled),
            *(f"state of_{n}: {t}" for n, t, _ in filled),
            *(
                f"define as_{n}(held: set Item, rounds: int): {results[t]} = {e}"
                for n, t, e in filled
            ),
            "phase main",
            "  look",
            "  repeat 4 times",
            "    choose by red",
            "      option take(i: Item)",
            "        held := held + {i}",
            "        i.used := true",
            "        i.holder := red",
            "        i.load := 2",
            "      option drop(i: Item)",
            "        when i in held",
            "        held := held - {i}",
            "        i.holder := blue",
            "        i.load := 5",
            "        i.used := i is air",
            "    rounds += 1",
            "    look",
            "  each i in " + source,
            "    i.load := 9",
            "  finish none, drawn",
            "procedure look",
            *(f"  {n} := {e}" for n, _, e in filled),
            *(f"  of_{n} := as_{n}({{a, b}} + held, rounds)" for n, _, e in filled),
            "",
        ]
    )


@pytest.mark.parametrize("source", SETS.values(), ids=SETS)
def test_it_means_the_same_whatever_is_known_of_the_set(source: str) -> None:
    model = written(rules(source))
    compiled = build(model)
    for variant in ("full", "fast", "traced"):
        compiled.code(variant)
    for seed in range(3):
        agree(model, compiled, seed)


def steps(source: str) -> str:
    """Return a game whose loops, picks, options and events run over the set, and over a kind
    without members."""
    return "\n".join(
        [
            HEAD.replace("kind Line\n", "kind Line\n  slot force(s: Side): int = 2\n"),
            "define landed(g: set Item) = g where land",
            "define afloat(g: set Item) = g where not land",
            STEPS.replace("{S}", source),
        ]
    )


STEPS = """pool deck of Line seen by none
pool hand(s: Side) of Line seen by s
pool bag of Item seen by none
pool table of Item
state lines: set Line
total might(s: Side): int
  base count(deck) + sum(it.force(s) of Line)
  modifier seen +1 when some(Line where thing = a)
event marked(g: set Item, s: Side)
  each p in g
    p.used := true
    p.holder := s
event stowed(g: set Item)
  each p in g
    p.load := count(g)
phase main
  each i in Item
    put i in bag
  each l in Line
    put l in deck
  repeat 3 times
    each x in {S}
      x.load += 1 when x.load < 9
    each x in {S} by -load, deep
      x.holder := red when rounds > 1
    each x in {S} by load ties red live
      x.used := not x.used
    marked({S}, blue)
    marked({S} where weight > 2, red)
    stowed({S})
    draw count({S}) from bag to table
    draw 2 from deck to hand(red)
    if count(table) > 2
      gather table to bag
    pick p from {S} by red "one", or none
    held := held + {p} when p != none
    pick group g from {S} by red "some", 0 to 2, or none
    held := g when g has sea
    pick q from {S} by blue "one more"
    held := held - {q}
    together each s in Side
      pick r from {S} by s "for both"
      r.holder := s
    choose by red
      option take(i: Item)
        when i in {S}
        held := held + {i}
      option line(l: Line)
        when l.weight > 0
        lines := lines + {l}
      option wait
        rounds += might(red) when rounds < 4
  finish red, win when count({S}) > 2
  finish none, drawn
"""


@pytest.mark.parametrize("source", SETS.values(), ids=SETS)
def test_statements_over_it_do_the_same(source: str) -> None:
    model = written(steps(source))
    compiled = build(model)
    compiled.code("traced")
    for seed in range(4):
        agree(model, compiled, seed)
