"""The drawing: each of its names is one of the rules and of the right kind. A fault is reported at
its place, without other findings."""

from __future__ import annotations

import re

import pytest

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink
from rulekit.compiler.check.data.drawing import bind_drawing
from rulekit.compiler.source.yaml_reader import parse_yaml
from tests.compiler.checked_rules import written

RULES = """game drawn 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Arm = foot | horse
kind Zone = grid 2 by 2
  fixed ground: Arm = foot
  fixed worth: 0..9 = 1
  fixed of: House? = none
  state held: Side?
  state burnt: bool
kind House = oak | ash
kind Store = corn(oak, foot, 1) | hay(ash, horse, 2)
  fixed whose: House
  fixed sort: Arm
  fixed weight: 0..9
kind Piece = p1(red, foot, 3, true) | p2(blue, horse, 4, false)
  fixed owner: Side
  fixed arm: Arm
  fixed strength: 0..9
  fixed elite: bool
  state zone: Zone?
  state weak: bool
  state steps: 0..9
kind Chit = storm | calm
kind Face = f1(storm, alarm, red, true, 1) | f2(calm, alarm, blue, false, 2)
  fixed chit: Chit
  fixed at: Moment
  fixed colour: Side
  fixed red: bool
  fixed number: 0..9
pool hand(s: Side) of Chit seen by s
pool box of Chit
fixed last: 0..9 = 5
fixed late: bool = true
state turn: 1..9 = 1
state lead: Side
state points(s: Side): 0..9
state by_arm(a: Arm): 0..9
state stock(z: Zone, u: Store): 0..9
state moved(u: Store): 0..9
state camp: Zone?
total score(s: Side): int
  base points(s)
total worth(z: Zone): int
  base 1
define news: bool = turn > 2
define of_side(s: Side): bool = turn > 2
moment alarm asks red
table crt(d: 1..6) -> n: 0..9
  1..6 | 2
table odds(r: ratio) -> Arm, round down, clamp
  1 to 1 | 2 to 1
procedure fight(spot: Zone, one: Side, other: Side)
  field shift: 0..9 = 0
  shift += crt(1)
  open alarm
phase main
  field budget: 0..9 = 3
  fight(a1, red, blue)
  finish none, drawn
"""
DRAWING = """sides: {red: {colour: "#aa2222", emblem: ring}, blue: {colour: "#2222aa"}}
terrain_by: ground
terrain: {foot: {fill: "#eeeecc"}, horse: {fill: "#ccbb99"}}
signs:
- {name: own, when: {ground: foot, burnt: false}, shape: disc, owner: [held, of], number: worth}
- {mark: flame}
owners: {oak: {colour: "#335533", emblem: star}}
forces: {cell: stock, side: whose, glyph_by: sort, glyphs: {horse: horse}, \
army: {cell: moved, at: camp}}
words: [{name: sea, at: [1, 2]}]
counter:
  kind: Piece
  owner: owner
  glyph_by: arm
  glyphs: {foot: shield}
  front: strength
  back: strength
  band: elite
  reduced: weak
  order: [horse, foot]
tracks:
- {cell: turn, to: last, note: news}
- {total: score, from: last, seat: true}
seat:
  score: score
  points: points
  roll: points
  hand: hand
  initiative: lead
  phase_points: {in: main, left: budget}
cards: {faces: Face, of: chit, moment: at, side: colour, gone: red, number: number}
combat:
  while: fight
  at: spot
  attacker: one
  defender: other
  strength: score
  column: worth
  die: worth
  table: crt
  odds: odds
"""


def found(text: str) -> list[Diagnostic]:
    sink = Sink()
    doc = parse_yaml(text, "drawing.yaml", sink)
    bind_drawing(written(RULES), {"Piece": "zone"}, doc, sink)
    return sink.in_order()


def test_what_agrees_with_the_rules_has_no_finding() -> None:
    assert [f"{d.span} {d.message}" for d in found(DRAWING)] == []


NAMES = {  # an entry, and the name of the wrong sort in it
    "terrain_by: ground": "worth",
    "owner: owner": "arm",
    "glyph_by: arm": "strength",
    "front: strength": "elite",
    "back: strength": "owner",
    "band: elite": "strength",
    "reduced: weak": "steps",
    "to: last": "late",
    "note: news": "of_side",
    "from: last": "late",
    "  score: score": "worth",
    "points: points": "by_arm",
    "roll: points": "turn",
    "hand: hand": "box",
    "initiative: lead": "turn",
    "left: budget": "",
    "of: chit": "colour",
    "moment: at": "chit",
    "side: colour": "chit",
    "gone: red": "number",
    "number: number": "red",
    "at: spot": "one",
    "attacker: one": "spot",
    "defender: other": "spot",
    "  strength: score": "worth",
    "odds: odds": "crt",
    "kind: Piece": "",
    "in: main": "",
    "faces: Face": "",
    "while: fight": "",
    "column: worth": "",
    "die: worth": "",
    "table: crt": "",
    "number: worth": "burnt",
    "cell: stock": "by_arm",
    "side: whose": "weight",
    "glyph_by: sort": "weight",
    "cell: turn": "by_arm",
    "total: score": "worth",
    "cell: moved": "by_arm",
    "at: camp": "turn",
}


@pytest.mark.docs("data-files#how-the-game-looks")
@pytest.mark.parametrize(("entry", "other"), NAMES.items(), ids=[name.strip() for name in NAMES])
def test_a_wrong_name_is_told_where_it_stands(entry: str, other: str) -> None:
    """Both an unknown name and one of another kind are reported, without other findings."""
    assert len(re.findall(rf"{entry}\b", DRAWING)) == 1
    key = entry.partition(": ")[0]
    for name, code in (("nowhere", "RK693"), (other, "RK694")):
        if name:
            text = re.sub(rf"{entry}\b", f"{key}: {name}", DRAWING)
            [told] = found(text)
            line = text.split("\n")[told.span.line - 1]
            assert (told.code, line[told.span.column - 1 : told.span.end_column - 1]) == (
                code,
                name,
            )


@pytest.mark.docs("data-files#how-the-game-looks")
@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("{red:", "{green:", "RK633"),
        ("ring", "wheel", "RK695"),
        ("horse: {", "ship: {", "RK633"),
        ("{foot: shield", "{ship: shield", "RK633"),
        ("shield}", "wheel}", "RK695"),
        ("[horse, foot]", "[horse, ship]", "RK633"),
        ("{cell: turn,", "{cell: turn, total: score,", "RK694"),
        ("{total: score, from: last,", "{from: last,", "RK694"),
        ("note: news}", "note: news, seat: true}", "RK694"),
        ("[held, of]", "[held, worth]", "RK694"),
        ("[held, of]", "[lost, of]", "RK693"),
        ("{oak:", "{elm:", "RK693"),
        ("star", "wheel", "RK695"),
        ("{horse: horse}", "{ship: horse}", "RK633"),
        ("horse: horse", "horse: wheel", "RK695"),
        ("burnt: false", "burn: false", "RK693"),
    ],
)
def test_what_else_is_wrong(old: str, new: str, code: str) -> None:
    assert DRAWING.count(old) == 1
    assert [d.code for d in found(DRAWING.replace(old, new))] == [code]


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        ("from: 1, to: 3", ""),
        ("from: 3, to: 3", ""),
        ("from: 3, to: 2", "begins at 3, above its end 2"),
        ("from: 99", "has no 99"),
        ("from: 1, to: 99", "has no 99"),
        ("from: -1", "has no -1"),
    ],
)
def test_the_ends_of_a_track_lie_within_the_range_of_its_state(ends: str, words: str) -> None:
    told = found(DRAWING.replace("{cell: turn, to: last,", f"{{cell: turn, {ends},"))
    assert [d.code for d in told] == (["RK694"] if words else [])
    assert all(words in d.message and d.help for d in told)
    assert all(DRAWING.split("\n")[d.span.line - 1].startswith("- {cell: turn") for d in told)


def test_what_holds_land_and_water_wants_to_know_where_its_coasts_run() -> None:
    shore = DRAWING.replace('{foot: {fill: "#eeeecc"}', '{foot: {fill: "#eeeecc", shore: true}')
    [told] = found(shore)
    assert told.code == "RK699" and "'foot'" in told.message


def test_what_a_drawing_shows_of_procedures_is_told_to_all() -> None:
    model, sink = written(RULES), Sink()
    told = bind_drawing(model, {"Piece": "zone"}, parse_yaml(DRAWING, "drawing.yaml", sink), sink)
    assert {var.name for var in told} == {"budget", "spot", "one", "other"} and bind_drawing(
        model, {}, None, sink
    ) == set()
