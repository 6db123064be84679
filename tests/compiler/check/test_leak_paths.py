"""RK507, RK518 and RK519: facts that a condition reveals, facts that a call, a loop or a write
reveals or invalidates, and the players who know them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.check.check import check
from rulekit.compiler.source.game_source import GameSource, RulesText
from tests.compiler.checked_rules import findings

RULES = """game ways 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Zone = east | west
  state mined: bool seen by all when scouted
  state scouted: bool
  state open: bool
kind Block = r1(red, 2) | r2(red, 3) | b1(blue, 2) | b2(blue, 3)
  identity seen by owner, all when shown
  fixed owner: Side
  fixed worth: 0..9
  state shown: bool
  state zone: Zone?
  state weight: 0..9 seen by owner
kind Chit = storm | calm
  state used: bool
pool cup of Chit seen by none
pool hand(s: Side) of Chit seen by s
pool tray of Chit
state plan(s: Side): 0..9 seen by s
state spot(s: Side): Zone seen by s
state watch: bool
state holder: Side
state points: 0..9
define best(s: Side): set Chit = hand(s)
define where_dark(b: bool): bool = b
define shut(z: Zone): bool = not z.scouted
define seen_ones: set Zone = Zone where scouted
define shown_ones: set Block = Block where shown
event scored
  points += 1
event looked(z: Zone)
  z.scouted := true
event hid(z: Zone)
  z.scouted := false
TEXT
phase main
  finish none, drawn
"""


def told(text: str) -> list[str]:
    lines = findings(RULES.replace("TEXT\n", text.rstrip("\n") + "\n"))[1]
    assert not [line for line in lines if line[:5] not in ("RK507", "RK518", "RK519")], lines
    return [line[:5] for line in lines]


def body(*lines: str) -> str:
    return "procedure p\n" + "".join(f"  {line}\n" for line in lines)


LEAK, SOUND = ["RK507"], list[str]()


@pytest.mark.parametrize(
    ("cond", "codes"),
    [
        ("east.scouted and east.mined", SOUND),
        ("east.mined and east.scouted", SOUND),
        ("east.scouted or east.mined", LEAK),
        ("not (not east.scouted or not east.mined)", SOUND),
        ("west.scouted and east.mined", LEAK),
    ],
)
def test_a_condition_makes_known_what_follows_it(cond: str, codes: list[str]) -> None:
    assert told(body(f"scored when {cond}")) == codes


@pytest.mark.parametrize(
    ("cond", "then", "other"),
    [
        ("east.scouted", SOUND, LEAK),
        ("not east.scouted", LEAK, SOUND),
        ("shut(east)", LEAK, SOUND),
        ("not shut(east)", SOUND, LEAK),
        ("east.scouted and points > 1", SOUND, LEAK),
        ("east.scouted or points > 1", LEAK, LEAK),
        ("not (shut(east) or points > 1)", SOUND, LEAK),
        ("shut(east) or points > 1", LEAK, SOUND),
        ("east in seen_ones", SOUND, LEAK),
        ("east in (Zone where scouted)", SOUND, LEAK),
        ("east in ((Zone where scouted) where open)", SOUND, LEAK),
        ("not (east in seen_ones)", LEAK, SOUND),
        ("east.scouted = true", LEAK, LEAK),
    ],
)
def test_what_holds_in_each_branch(cond: str, then: list[str], other: list[str]) -> None:
    """A condition establishes facts if it holds and if it does not, also in a definition and for
    each element of a set."""
    found = (
        told(body(f"if {cond}", "  scored when east.mined")),
        told(body(f"if {cond}", "  let k = 1", "else", "  scored when east.mined")),
    )
    assert found == (then, other)
    assert (
        told(body(f"scored when (1 if east.mined else 2) > 1 if {cond} else false")),
        told(body(f"scored when false if {cond} else (1 if east.mined else 2) > 1")),
    ) == (then, other)


@pytest.mark.parametrize(
    ("cond", "codes"),
    [
        ("some(Zone where scouted and mined)", SOUND),
        ("some((Zone where scouted) where mined)", SOUND),
        ("some(Zone where mined)", LEAK),
        ("some(((Zone where scouted) where open) where mined)", SOUND),
        ("some(seen_ones where mined)", SOUND),
        ("first((Zone where scouted) by (1 if mined else 2)) = east", SOUND),
        ("first(Zone by (1 if mined else 2)) = east", LEAK),
        ("sum(1 if mined else 2 of (Zone where scouted)) > 1", SOUND),
        ("sum(1 if mined else 2 of Zone) > 1", LEAK),
    ],
)
def test_what_is_known_of_each_element(cond: str, codes: list[str]) -> None:
    assert told(body(f"scored when {cond}")) == codes


@pytest.mark.parametrize(
    ("cond", "codes"),
    [
        ("some hand(holder)", SOUND),
        ("some hand(red if plan(red) > 1 else blue)", LEAK),
        ("some best(red if plan(red) > 1 else blue)", LEAK),
        ("some best(red)", SOUND),
        ("some (hand(red) if plan(red) > 1 else hand(blue))", LEAK),
        ("some (hand(red) if watch else hand(blue))", SOUND),
        ("some hand(red)", SOUND),
        ("storm in hand(red)", LEAK),
    ],
)
def test_the_size_of_a_pool_tells_only_which_pool_it_is(cond: str, codes: list[str]) -> None:
    assert told(body(f"scored when {cond}")) == codes


@pytest.mark.parametrize(
    ("cond", "codes"),
    [
        ("first((Block where zone = east) by 1).owner = red", SOUND),
        ("some(Block where zone = east and worth > 2)", LEAK),
        ("r1.worth > 2", SOUND),
        ("r1.zone = east", LEAK),
        ("first((Block where zone = east) by 1) = r1", LEAK),
        ("some(Block where zone = east and it in Block)", SOUND),
        ("(r1 if watch else r2).worth > 2", SOUND),
        ("first(Block by (1 if zone = east else 2)) = none", SOUND),
        ("first((Block where zone = east) by 1) != none", SOUND),
        ("first((Block where zone = east) by 1).shown", SOUND),
        ("some((Block where shown) where worth > 2 and zone = east)", SOUND),
    ],
)
def test_which_hidden_thing_it_is(cond: str, codes: list[str]) -> None:
    """Its owner and consequences of that are not secret. Neither is a thing named by itself, nor
    all or none of them."""
    assert told(body(f"scored when {cond}")) == codes


AFTER = [  # the statements before, and whether the mine of the east is known after them
    ("looked(east)", SOUND),
    ("looked(west)", LEAK),
    ("east.scouted := true", SOUND),
    ("east.scouted := false", LEAK),
    ("q", SOUND),
    ("r", LEAK),
    ("each z in Zone\n    looked(z)", SOUND),
    ("looked(east)\n  hid(east)", LEAK),
    ("looked(east)\n  hid(west)", LEAK),
    ("looked(east)\n  hide", LEAK),
    ("looked(east)\n  hide_deep", LEAK),
    ("looked(east)\n  look_deep", SOUND),
    ("looked(east)\n  east.scouted := watch", LEAK),
    ("looked(east)\n  east.scouted := true", SOUND),
    ("looked(east)\n  east.open := false", SOUND),
    ("if watch\n    looked(east)\n  else\n    looked(east)", SOUND),
    ("if watch\n    looked(east)", LEAK),
    ("repeat 1 times\n    looked(east)", LEAK),
    ("looked(east) when watch", LEAK),
    ("if not east.scouted\n    return", SOUND),
    ("return when not east.scouted", SOUND),
]


@pytest.mark.parametrize(("before", "codes"), AFTER, ids=[before for before, _ in AFTER])
def test_what_goes_before_makes_known_and_unknown(before: str, codes: list[str]) -> None:
    calls = (
        "procedure q\n  looked(east)\nprocedure r\n  let k = 1\nprocedure hide\n "
        " hid(east)\nprocedure hide_deep\n  hide\nprocedure look_deep\n  looked(west)\n"
    )
    assert told(calls + body(*before.split("\n  "), "scored when east.mined")) == codes


@pytest.mark.parametrize(
    ("calls", "codes"),
    [
        (("looked(east)", "q(west)"), LEAK),
        (("looked(east)", "q(east)"), SOUND),
        (("each z in Zone", "  looked(z)", "q(west)"), SOUND),
        (("q(east)", "looked(east)", "q(east)"), LEAK),
        (("looked(east)", "q(east)", "hid(east)", "q(east)"), LEAK),
    ],
)
def test_a_procedure_knows_what_all_its_callers_know(
    calls: tuple[str, ...], codes: list[str]
) -> None:
    assert told("procedure q(z: Zone)\n  scored when z.mined\n" + body(*calls)) == codes


@pytest.mark.parametrize(("who", "codes"), [("me", SOUND), ("me.enemy", LEAK)])
@pytest.mark.parametrize(
    "text",
    [
        (
            'procedure p\n  choose by red "what"\n    option go\n      each s in Side where it ='
            " WHO\n        scored when plan(s) > 1\n"
        ),
        (
            'procedure p\n  choose by red "what"\n    option go\n      holder := WHO\n      if'
            " holder = WHO\n        scored when plan(holder) > 1\n"
        ),
        (
            'procedure p\n  choose by red "what"\n    option go\n      scored when some(Side where'
            " it = WHO and plan(it) > 1)\n"
        ),
    ],
)
def test_who_chooses_is_known_by_other_names(text: str, who: str, codes: list[str]) -> None:
    assert told(text.replace("WHO", who)) == codes


ENTERS = """game ways 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Zone = east | west
state aim: Zone? seen by red
state points(s: Side): 0..9
define aimed(s: Side): bool = s is red and aim is east
total vp(s: Side): int
  base points(s)
  modifier aim +1 when STEP
event scored(s: Side)
  points(s) += 1
phase main
  pick z from Zone by red
  aim := z
  WAY
  finish red, win when points(red) > 3
  finish none, drawn
"""


@pytest.mark.docs("diagnostics#rk507-a-public-effect-depends-on-a-secret")
@pytest.mark.parametrize(
    ("step", "way", "where"),
    [
        # in a clause of a total
        ("s is red and aim = east", "finish red, win when vp(red) > vp(blue)", 10),
        ("s is red and aim = east", "scored(red) when vp(red) > 2", 10),
        # in a definition that a clause reads
        ("aimed(s)", "finish red, win when vp(red) > vp(blue)", 7),
        # in the condition itself: the second place is the effect
        ("points(s) > 1", "finish red, win when aim = east", 16),
    ],
)
def test_the_second_place_is_where_the_secret_is_read(step: str, way: str, where: int) -> None:
    text = ENTERS.replace("STEP", step).replace("WAY", way)
    sink = Sink()
    source = GameSource(
        "ways", Path(), rules=[RulesText("g.rules", text, 0, "g")], files={"g.rules": text}
    )
    check(source, sink)
    told = next(each for each in sink.in_order() if each.code == "RK507")
    assert told.second is not None
    assert (told.span.line, told.second.line) == (16, where), told
