"""The findings of `check` in the language reference (sections 2 to 5), and their absence, sentence
by sentence in small rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.check.check import check
from rulekit.compiler.source.game_source import GameSource, RulesText
from tests.compiler.checked_rules import findings

HEAD = """game g 1
unit PF, PM
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Arm = foot | horse
kind Mood ordered = low | high
kind Zone = z1 | z2
  state holder: Side?
  state past: Side?
  state gift: 0..9 PF
kind Piece = p1(red, foot, 3) | p2(blue, horse, 4)
  fixed owner: Side
  fixed arm: Arm
  fixed front: 0..9 PF
  state zone: Zone?
  state step: 0..9 PM
state pot: 0..9 PF
state n: 0..9
event nothing
event given(z: Zone, u: PF)
  pot += u when z = z1
"""
PLAY = """
phase main
  pot := 2 as PF when n = 7 as PM as int
  choose by red
    option go
      nothing
  finish none, drawn
"""


def codes(rules: str) -> list[str]:
    return [found[:5] for found in findings(HEAD + rules + PLAY)[1]]


# in one define, event or procedure: mixed units, and the same with `as` or a literal
UNITS = {
    "n + pot": ["RK402"],
    "pot - n": ["RK402"],
    "pot + p1.step": ["RK402"],
    "pot * pot": ["RK402"],
    "pot + 3": [],
    "3 + pot": [],
    "pot * 2": [],
    "2 * pot": [],
    "pot * n": [],
    "pot / n up": [],
    "pot + n as PF": [],
    "pot + p1.step as PF": [],
    "pot - 3 PM": ["RK402"],
    "pot + (1 + 2)": [],
    "pot + -1": [],
    "pot if n > 3 else p1.step": ["RK402"],
    "pot if n > 3 else 2": [],
    "max(pot, n)": ["RK402"],
    "max(pot, 3)": [],
    "max(pot, 3 PF)": [],
    "sum(front of Piece) + n": ["RK402"],
    "sum(front of Piece) + 1": [],
    "chosen.gift ?? 2": [],
    "chosen.gift ?? n": ["RK402"],
    "n": ["RK402"],
    "n as PF": [],
    "pot as int": ["RK402"],
    "p1.step": ["RK402"],
    "7": [],
    "7 PM": ["RK402"],
    "7 PF": [],
    "given_to(n)": ["RK402"],
    "given_to(n as PF)": [],
    "given_to(3)": [],
    "given_to(pot as int)": ["RK402"],
    "given_to(3 PM)": ["RK402"],
}
TESTED = {
    "pot > n": ["RK402"],
    "pot = n": ["RK402"],
    "pot != p1.step": ["RK402"],
    "n <= pot": ["RK402"],
    "pot > 3": [],
    "3 < pot": [],
    "pot = 3 PF": [],
    "pot = 3 PM": ["RK402"],
    "pot in 1 .. 3": [],
    "pot in n .. 3": ["RK402"],
    "pot in 1 .. n": ["RK402"],
    "pot in {1, 2}": [],
    "pot in {1, n}": ["RK402"],
    "pot > n as PF": [],
    "count Piece > 3 PF": ["RK402"],
    "count Piece > n": [],
    "n not in 1 .. 3 PM": ["RK402"],
}
DONE = {
    "pot := n": ["RK402"],
    "pot += n": ["RK402"],
    "pot -= 3 PM": ["RK402"],
    "pot := 3": [],
    "pot += 3 PF": [],
    "pot := n as PF": [],
    "p1.step := pot": ["RK402"],
    "given(z1, n)": ["RK402"],
    "given(z1, 3)": [],
    "given(z1, pot)": [],
    "field a: 0..9 PM = pot": ["RK402"],
    "field a: 0..9 PM = 3": [],
    "var a: 0..9 PM = n": ["RK402"],
    "called(n)": ["RK402"],
    "called(4)": [],
}


@pytest.mark.docs("language#2-kinds-members-attributes")
@pytest.mark.parametrize(("value", "wanted"), UNITS.items(), ids=UNITS)
def test_a_value_has_one_unit(value: str, wanted: list[str]) -> None:
    rules = f"state chosen: Zone?\ndefine given_to(u: PF): PF = u\ndefine found: PF = {value}\n"
    assert codes(rules) == wanted


@pytest.mark.docs("language#2-kinds-members-attributes")
@pytest.mark.parametrize(("test", "wanted"), TESTED.items(), ids=TESTED)
def test_numbers_that_are_compared_have_one_unit(test: str, wanted: list[str]) -> None:
    assert codes(f"define found: bool = {test}\n") == wanted


@pytest.mark.docs("language#2-kinds-members-attributes")
@pytest.mark.parametrize(("step", "wanted"), DONE.items(), ids=DONE)
def test_what_is_assigned_and_handed_over_has_one_unit(step: str, wanted: list[str]) -> None:
    assert codes(f"procedure tried\n  {step}\nprocedure called(u: 0..9 PF)\n  pot := u\n") == wanted


TYPES = {
    # ordered and unordered kinds
    "define f(a: Mood, b: Mood): bool = a < b": [],
    "define f(a: Mood, b: Mood): bool = a >= b": [],
    "define f(a: Arm, b: Arm): bool = a < b": ["RK401"],
    "define f(a: Arm, b: Arm): bool = a >= b": ["RK401"],
    "define f(a: Arm, b: Arm): bool = a = b": [],
    "define f(a: Mood): Mood = a + 1": [],
    "define f(a: Mood): Mood = a - n": [],
    "define f(a: Arm): Arm = a + 1": ["RK401"],
    "define f(a: Arm): Arm = a - 1": ["RK401"],
    "define f(a: Mood, b: Arm): bool = a = b": ["RK401"],
    # constants
    "event e(p: Piece)\n  p.owner := red": ["RK505"],
    "event e(p: Piece)\n  p.front += 1": ["RK505"],
    "event e(p: Piece)\n  p.step += 1": [],
    # bare words
    "define f: set Piece = Piece where foot": [],
    "define f: bool = Piece has foot": [],
    "define f: bool = Piece only foot": [],
    "define f: bool = Piece all foot": [],
    "define f(p: Piece): bool = p is foot": [],
    "define f(p: Piece): bool = foot": ["RK401"],
    "define f(p: Piece): bool = p = foot": ["RK401"],
    "define f: set Zone = Zone where foot": ["RK404"],
    "define f(z: Zone): bool = z is foot": ["RK404"],
    "define f: set Piece = Piece where frot": ["RK301"],
    "define f(p: Piece): bool = p is owner": ["RK312"],
    # `it`
    "define f: bool = it = p1": ["RK301"],
    "define f: set Piece = Piece q where it.front > 3 and q.front > 3": [],
    "define f: bool = q = p1": ["RK301"],
    # rounding of divisions
    "define f: int = n / 2": ["RK201"],
    "define f: int = n / 2 up": [],
    "define f: int = n / 2 down": [],
    "define f: int = (n / 2) + 1": ["RK201"],
    "define f: bool = n / 2 > 1": ["RK201"],
    # a number or an effect that may be none
    "define f(p: Piece): PF = p.zone.gift": ["RK403"],
    "define f(p: Piece): PF = p.zone.gift ?? 0": [],
    "define f(p: Piece): PF = (the p.zone).gift": [],
    "define f(p: Piece): PF = p.zone.gift if p.zone != none else 0": [],
    "define f(p: Piece): PF = gift(p.zone)": ["RK403"],
    "define f(p: Piece): PF = doubled(p.zone)\ndefine doubled(z: Zone): PF = z.gift * 2": ["RK403"],
    "define f(p: Piece): Zone = p.zone": ["RK403"],
    "define f(p: Piece): Zone? = p.zone": [],
    "define f(p: Piece): Zone = p.zone ?? z1": [],
    "define f(p: Piece): Side? = p.zone.holder": [],
    "define f(p: Piece, q: Piece): Zone = p.zone ?? q.zone": ["RK403"],
    "define f(p: Piece, q: Piece): Zone? = p.zone ?? q.zone": [],
    "define f(p: Piece): PF = (n = 3) as PF": ["RK401"],
    "define f(p: Piece): PF = p.arm as PF": ["RK401"],
    "define f: PF = n as PX": ["RK301"],
    "define f(p: Piece): bool = p.zone.holder = red": [],
    "procedure t(p: Piece)\n  given(p.zone, 2)": ["RK403"],
    "procedure t(p: Piece)\n  given(the p.zone, 2)": [],
    "procedure t(p: Piece)\n  if p.zone = z1\n    given(p.zone, 2)": [],
    "procedure t(p: Piece)\n  given(p.zone, 2) when p.zone != none": [],
    "procedure t(p: Piece)\n  called(p.zone)\nprocedure called(z: Zone)\n  given(z, 2)": ["RK403"],
    "event e(p: Piece)\n  p.zone.gift += 1": ["RK403"],
    "kind Way joins Zone\nmovement mv(g: set Piece)\n  over Way w from x to y\n"
    "procedure t(p: Piece)\n  walk mv({p}) from p.zone by red": ["RK403"],
    "kind Way joins Zone\nmovement mv(g: set Piece)\n  over Way w from x to y\n"
    "procedure t(p: Piece)\n  walk mv({p}) from (the p.zone) by red": [],
    "define f(a: Mood, b: Mood?): Mood = max(a, b)": ["RK403"],
    "define f(a: Mood, b: Mood?): Mood = max(a, b ?? low)": [],
    'procedure t(z: Zone)\n  pick m from 1 .. 2 by z.holder "m"': ["RK403"],
    "define f(p: Piece): int = n + p.zone": ["RK401"],
    # `=` is a test, `??` fills what may be none
    "define f(p: Piece): bool = p.owner = none": [],
    "define f(p: Piece): Arm = p.arm ?? foot": [],
    "define f(p: Piece): bool = (p.arm = foot) ?? true": ["RK401"],
    "define f(p: Piece): bool = p.frnt > 3": ["RK311"],
    # filters of picks and loops
    "procedure t\n  pick z from (Zone where z.holder != none) by red": ["RK301"],
    "procedure t\n  pick z from (Zone where it.holder != none) by red": [],
    "procedure t\n  pick z from (Zone x where x.holder != none) by red": [],
    "procedure t\n  each z in Zone where z.holder != none\n    given(z, 1)": ["RK301"],
    "procedure t\n  pick z from (Zone where holder != none) by red\n  hailed(z.holder)\n"
    "event hailed(s: Side)": ["RK403"],
    "procedure t\n  pick z from (Zone where holder != none) by red\n"
    "  hailed(the z.holder)\nevent hailed(s: Side)": [],
    "procedure t\n  pick z from (Zone where holder != none) by red\n"
    "  hailed(z.holder) when z.holder != none\nevent hailed(s: Side)": [],
    "procedure t\n  each z in Zone where holder != none\n    hailed(z.holder)\n"
    "event hailed(s: Side)": ["RK403"],
    "procedure t\n  each z in Zone where holder != none\n    hailed(the z.holder)\n"
    "event hailed(s: Side)": [],
    # definitions
    "define f(k: int): int\n  = 1 when k = 1\n  = 2 when k = 2": ["RK505"],
    "define f(k: int): int\n  = 1 when k = 1\n  = 2": [],
    "define f: int = f + 1": ["RK501"],
    "define f: bool = nothing": ["RK504"],
    "define f: int = g\ndefine g: int = f": ["RK501"],
    "define f: bool\n  = 2 when n = 1\n  = true": ["RK401"],
    # kinds that decide
    "kind Other decides = a | b": ["RK509"],
    "kind Thing = a(1, 2)\n  fixed x: 0..3": ["RK306"],
    "kind Thing = a(9)\n  fixed x: 0..3": ["RK406"],
    "kind Thing = a(3)\n  fixed x: 0..3": [],
    "kind Thing = a\n  fixed x: 0..3 = 1 + 3": ["RK406"],
    "fixed x(k: 0..2): 0..3 = k * 2": ["RK406"],
    "fixed x(k: 0..2): 0..4 = k * 2": [],
    "Zone z2, gate 4\nextend kind Zone\n  fixed gate: 0..3 = 0": ["RK406"],
    "table t(k: 1..2) -> 0..3, Side?\n  1..2 | 4 | none": ["RK406"],
    "table t(k: 1..2) -> 0..3, Side?\n  1..2 | 3 | none": [],
    "table t(k: 1..2) -> -1..3\n  1..2 | -2": ["RK406"],
    "kind Thing = a | a": ["RK303"],
    "kind Cell = grid 65 by 1": ["RK406"],
    "kind Cell = grid 64 by 1": [],
    "kind Row = lines 2 in Cell\nkind Cell = grid 2 by 2": ["RK301"],
    "state k: 3..1": ["RK406"],
    "state k: 0..3 = 4": ["RK406"],
    "state k: 0..3 PM = 2 PF": ["RK402"],
    "state k: 0..3 = n": ["RK401"],
    "state k: Side? = none": [],
    "state k(q: int): 0..3": ["RK406"],
    "state k(q: 0..3): 0..3": [],
    "state k: bool per dawn": ["RK301"],
    "state k: bool per game": [],
    "state k: bool per main": [],
    "state k: bool per nothing\non after nothing\n  n := 1": [],
    "state k: bool per nothing": [],
    "standing a in main\n  limit 1 per nothing\n  n := 1": [],
    "standing a in main\n  limit 1 per nowt\n  n := 1": ["RK301"],
    "reaction r after given\n  limit 1 per nothing\n  n := 1": [],
    "procedure t\n  choose by red\n    option o\n      limit 1 per nothing\n      n := 1": [],
    # arguments of clauses have the types of the arguments of their total
    "total w(k: 0..9): int\n  modifier a +1 when k > 3\ndefine f(k: Zone): bool = w.a applies": [
        "RK401"
    ],
    "total w(k: 0..9): int\n  modifier a +1 when k > 3\ndefine f(k: int): bool = w.a applies": [],
    # a key of sorting that is the same for all
    "define f: Piece? = first(Piece by horse)": ["RK404"],
    "define f: Piece? = first(Piece by -front, horse)": ["RK404"],
    "define f: Piece? = first(Piece by p1)": ["RK404"],
    "define f: Piece? = first(Piece by Arm.horse)": ["RK404"],
    "define f: Piece? = first(Piece by it is horse)": [],
    "define f: Piece? = first(Piece by arm)": [],
    "define f: Zone? = first(Zone by red)": ["RK404"],
    "procedure t\n  each p in Piece by horse\n    nothing": ["RK404"],
    "procedure t\n  each p in Piece by it is horse\n    nothing": [],
    'procedure t\n  pick group g from Piece by red alike (horse) "who"': ["RK404"],
    'procedure t\n  pick group g from Piece by red alike (arm) "who"': [],
    'procedure t\n  pick p from Piece by red alike (horse) "who"': ["RK404"],
    "state k: Sied": ["RK301"],
    "state k: set Sied": ["RK301"],
    "state k: 0..3 PX": ["RK301"],
}


@pytest.mark.docs(
    "language#2-kinds-members-attributes", "language#4-expressions", "language#5-defines-and-tables"
)
@pytest.mark.parametrize(("rules", "wanted"), TYPES.items(), ids=TYPES)
def test_what_is_refused_and_what_is_not(rules: str, wanted: list[str]) -> None:
    assert codes(rules + "\n") == wanted


@pytest.mark.parametrize(
    ("key", "help"),
    [
        ("horse", "write 'it is horse' to order those first for which it is true"),
        ("red", "name an attribute of Zone"),
    ],
)
def test_what_to_write_for_a_key_that_is_the_same_for_all(key: str, help: str) -> None:
    kind = "Piece" if key == "horse" else "Zone"
    sink = Sink()
    text = f"{HEAD}define f: {kind}? = first({kind} by {key})\n{PLAY}"
    check(
        GameSource(
            "g", Path(), rules=[RulesText("g.rules", text, 0, "g")], files={"g.rules": text}
        ),
        sink,
    )
    assert [(d.code, d.span.column, d.help) for d in sink.found] == [
        ("RK404", len(f"define f: {kind}? = first({kind} by ") + 1, help)
    ]


WARNED = {  # a filter over zones: with `holder`, with `past`, and with guards that help
    "z.holder = z.past": ["RK410"],
    "z.holder != z.past": ["RK411"],
    "z.holder != red": ["RK411"],
    "red != z.holder": ["RK411"],
    "z.holder = red": [],
    "red = z.holder": [],
    "z.holder not in {red}": ["RK411"],
    "z.holder in {red}": [],
    "not (z.holder = red)": [],
    "z.holder is not none_at_all": ["RK404"],
    "z.holder != none and z.holder = z.past": [],
    "z.past != none and z.holder = z.past": [],
    "z.holder != none and z.holder != z.past": ["RK411"],
    "z.holder != none and z.past != none and z.holder != z.past": [],
    "z.holder != none and z.holder != red": [],
    "z.holder = none or z.holder != red": [],
    "z.holder != none or z.holder != red": ["RK411"],
    "z.holder != none and z.holder not in {red}": [],
    "z.holder = none and z.holder = z.past": ["RK410"],
    "z.past = none if z.holder = none else z.holder = z.past": [],
    "not (z.past = none if z.holder = none else z.holder = z.past)": [],
    "z.holder = z.past if z.holder != none else true": [],
    "true if z.holder = none else z.holder = z.past": [],
    "true if z.holder != none else z.holder = z.past": ["RK410"],
    "(z.holder ?? red) != z.past": ["RK411"],
    "(z.holder ?? red) != (z.past ?? red)": [],
    "the z.holder = z.past": [],
}
LEAST = {
    "max(gift of taken)": ["RK413"],
    "min(gift of taken)": ["RK413"],
    "sum(gift of taken)": [],
    "max(gift of Zone)": [],
    "max(gift of taken) if some taken else 0": [],
    "0 if no taken else max(gift of taken)": [],
    "0 if some taken else max(gift of taken)": ["RK413"],
    "max(gift of taken) if some Zone else 0": ["RK413"],
    "max(gift of taken) if no taken else 0": ["RK413"],
    "max(pot, 3)": [],
    "max(gift of (Zone where holder = red))": ["RK413"],
}


@pytest.mark.parametrize(("test", "wanted"), WARNED.items(), ids=WARNED)
def test_a_comparison_of_what_may_be_none_is_warned_of(test: str, wanted: list[str]) -> None:
    """The warning is for both sides of `=` and one side of `!=` and `not in`, unless a guard before
    it proves that the value is present."""
    assert codes(f"define f(z: Zone): bool = {test}\n") == wanted


@pytest.mark.parametrize(("value", "wanted"), LEAST.items(), ids=LEAST)
def test_the_least_and_greatest_of_what_may_be_empty_are_warned_of(
    value: str, wanted: list[str]
) -> None:
    assert (
        codes(f"define taken: set Zone = Zone where holder != none\ndefine f: PF = {value}\n")
        == wanted
    )


COUNTED = {
    "base max(gift of taken)": ["RK413"],
    "base max(gift of taken) when some taken": [],
    "modifier more max(gift of taken) when no taken": ["RK413"],
    "modifier more max(gift of taken) when n > 1 and some taken": [],
    "modifier more min(gift of taken) when n > 1 or some taken": ["RK413"],
    "at least max(gift of taken) when some taken": [],
    "base max(gift of taken) when some Zone": ["RK413"],
    "base (the first(taken by gift)).gift": [],
    "base p.zone.gift": ["RK403"],
    "base p.zone.gift when p.zone != none": [],
    "base p.zone.gift when p.zone = none": ["RK403"],
}


@pytest.mark.parametrize(("clause", "wanted"), COUNTED.items(), ids=COUNTED)
def test_a_clause_counts_only_where_its_condition_holds(clause: str, wanted: list[str]) -> None:
    assert (
        codes(
            "define taken: set Zone = Zone where holder != none\ntotal f(p: Piece): PF\n "
            f" {clause}\n"
        )
        == wanted
    )


ROWS = {
    "1 | low\n  2 | high\n  3 | low": [],
    "1..2 | low\n  3 | high": [],
    "1..3 | low": [],
    "1-2 | low\n  3 | high": ["RK652"],
    "1 | low\n  3 | high": ["RK654"],
    "1 | low\n  2 | high": ["RK654"],
    "2 | low\n  3 | high": ["RK654"],
    "1..2 | low\n  2..3 | high": ["RK653"],
    "1 | low\n  2 | high\n  3 | high\n  3 | high": ["RK653"],
    "1..4 | low": ["RK652"],
    "0..3 | low": ["RK652"],
    "1..3 | low | high": ["RK651"],
    "1..3": ["RK651"],
    "1..3 | red": ["RK401"],
    "red | low": ["RK401"],
}
BELOW = {
    "-2..-1 | low\n  0..3 | high": [],
    "1-2 | low\n  -2 | high\n  0..3 | low": ["RK652"],
    "-1-1 | low\n  -1..3 | high": ["RK652"],
    "3 | low\n  -2..2 | high": [],
}


@pytest.mark.docs("language#5-defines-and-tables")
@pytest.mark.parametrize(("rows", "wanted"), ROWS.items(), ids=ROWS)
def test_the_rows_of_a_table_cover_each_key_once(rows: str, wanted: list[str]) -> None:
    assert codes(f"table t(die: 1..3) -> Mood\n  {rows}\n") == wanted


@pytest.mark.docs("language#5-defines-and-tables")
@pytest.mark.parametrize(("rows", "wanted"), BELOW.items(), ids=BELOW)
def test_a_dash_between_two_numbers_is_no_range_of_keys(rows: str, wanted: list[str]) -> None:
    """This holds also if the difference of the two numbers is a key."""
    assert codes(f"table t(die: -2..3) -> Mood\n  {rows}\n") == wanted


ROW_UNITS = {
    "1..2 PM | 3 PF": [],
    "1..2 | 3": [],
    "1 | 3 PM\n  2 | 3": ["RK402"],
    "1..2 PF | 3": ["RK402"],
    "1 PM | 3 PF\n  2 PM | 0": [],
    "1 PF | 3\n  2 | 3": ["RK402"],
}


@pytest.mark.parametrize(("rows", "wanted"), ROW_UNITS.items(), ids=ROW_UNITS)
def test_keys_and_results_of_a_table_have_their_units(rows: str, wanted: list[str]) -> None:
    assert (
        codes(
            f"table t(u: 1..2 PM) -> 0..9 PF, Side?\n  {rows} | none\n".replace(
                "\n  2", " | none\n  2"
            )
        )
        == wanted
    )


TWO = """table by_day(d: 1..2) -> att: 0..3, def: Mood
  1 | 1 | low
  2 | 2 | high
table by_night(d: 1..2) -> att: 0..3, def: Mood
  1..2 | 3 | high
table named(d: 1..2) -> atk: 0..3, def: Mood
  1..2 | 3 | high
table wider(d: 1..2) -> att: 0..4, def: Mood
  1..2 | 3 | high
table turned(d: 1..2) -> def: Mood, att: 0..3
  1..2 | high | 3
"""
RECORDS = {
    "let c = by_day(1) if n > 3 else by_night(1)\n  n := c.att": [],
    "let c = by_day(1) if n > 3 else named(1)\n  n := c.att": ["RK401"],
    "let c = by_day(1) if n > 3 else wider(1)\n  n := c.att": ["RK401"],
    "let c = by_day(1) if n > 3 else turned(1)\n  n := c.att": ["RK401"],
    "let c = by_day(1)\n  n := c.atk": ["RK311"],
    "let c = by_day(1)\n  n := 1 when c = by_day(2)": ["RK401"],
    "let c = by_day(1)\n  n := 1 when c != by_day(2)": ["RK401"],
    "let c = by_day(1)\n  n := 1 when c.def = by_day(2).def": [],
    "n := by_day(1)": ["RK401"],
    "n := by_day(1).att": [],
    "n := either(2).att": [],
}


@pytest.mark.docs("language#5-defines-and-tables")
@pytest.mark.parametrize(("steps", "wanted"), RECORDS.items(), ids=RECORDS)
def test_tables_of_the_same_results_may_stand_for_each_other(steps: str, wanted: list[str]) -> None:
    """The results must have the same names, order and types. They are compared one by one, never as
    a whole."""
    assert (
        codes(
            f"{TWO}define either(d: 1..2)\n  = by_day(d) when n > 3\n  = by_night(d)\nprocedure t\n"
            f"  {steps}\n"
        )
        == wanted
    )
