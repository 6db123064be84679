"""The forms of a situation and the finding for each wrong form. `check` refuses it with its place
and advice."""

from __future__ import annotations

import pytest

import rulekit
from rulekit.engine.game.game import Game
from tests.project.situation_checks import findings, outcome

MANIFEST = 'rulekit: game\nname: forms\ntitle: Forms\nversion: "1.0"\nlanguage: 1\n'
RULES = """
game forms 1
unit PF
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Type = infantry | cavalry
kind Zone
  fixed rough: bool
kind Path joins Zone
kind Piece
  fixed owner: Side
  fixed type: Type
  fixed front: 0..9 PF
  state zone: Zone?
  state weak: bool
extend kind Piece
  define strong: bool = front > 2 and not weak
kind Chit = storm | spy | calm
pool cup of Chit seen by none
pool hand(s: Side) of Chit seen by s
kind Odds ordered = even | double | triple
table odds(r: ratio) -> Odds, round down, clamp
  1 to 1 | 2 to 1 | 3 to 1
table losses(die: 1..2) -> att: Odds, def: Odds
  1 | even | double
  2 | double | triple
define is_three(r: ratio): bool = odds(r) is triple
define mounted(t: Type): bool = t is cavalry
define by_sides(a: 0..9, d: 0..9): bool = is_three(a to d)
define units(s: Side): set Piece = Piece where owner = s
define best(z: Zone): Piece? = first(Piece where zone = z by -front)
state turn: 1..5 = 1
state points(s: Side): 0..9
state lead: Side
total force(s: Side): PF
  base sum(front of units(s))
  modifier horse +1 when units(s) has cavalry
total pace in day: int
  base 1 when active is red
  base 2
permit may_enter(p: Piece, z: Zone)
  bar full when count(Piece where zone = z) >= 2 "two fill it"
event entered(p: Piece, z: Zone)
  p.zone := z
movement march(g: set Piece)
  over Path b from a to z
  allowance 2
  cost 1
  may enter g all infantry or z != hill "horses do not climb"
  on entry
    each p in g
      entered(p, z)
setup
  each p in Piece
    p.zone := camp
phase day(active: Side)
  choose by active from orders "an order"
    option rest
      turn += 0
menu orders in day
action move in orders
  pick group g from units(active) where zone = camp by active "who"
  walk march(g) from camp by active
action dare in orders
  roll d = 2d6 by active for daring
  points(active) += 1 when d > 6
  roll e = d6 by active for luck
  points(active) += 1 when e > 3
procedure battle(z: Zone, attacker: Side)
  pick p from units(attacker) by attacker
  p.zone := z
procedure quick(z: Zone)
  turn += 1 when z is camp
phase evening
  choose by lead "on"
    option sleep
      return
phase main
  repeat 3 times
    each s in Side
      day(s)
    evening
  battle(hill, red)
  finish red, win
"""
DATA = {
    "game.yaml": MANIFEST,
    "game.rules": RULES.lstrip(),
    "map.yaml": (
        "places:\n  kind: Zone\n  source: {assumed: test}\n  members: {camp: {rough: false}, ford:"
        " {rough: false}, hill: {rough: true}, town: {rough: false}}\nborders:\n  kind: Path\n "
        " source: {assumed: test}\n  members: [{between: [camp, ford]}, {between: [ford, hill]},"
        " {between: [ford, town]}]\n"
    ),
    "pieces.yaml": (
        "kind: Piece\nplace: zone\nsource: {assumed: test}\nmembers:\n  red.H1: {owner: red, type:"
        " infantry, front: 3}\n  red.C1: {owner: red, type: cavalry, front: 2}\n  blue.H1: {owner:"
        " blue, type: infantry, front: 4}\n"
    ),
}


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("forms")
    for name, text in DATA.items():
        (folder / name).write_text(text)
    return rulekit.load(folder)


WRONG = [  # the situation's lines, the code, words of the message, words of the help
    # given
    (
        "given: {place: {H1: camp}}",
        "RK619",
        "'H1' may be red.H1 or blue.H1",
        "write the whole name: red.H1",
    ),
    ("given: {place: {red.H9: camp}}", "RK613", "'red.H9' is no piece", "did you mean 'red.H1' or"),
    ("given: {place: {red.H1: cmap}}", "RK615", "'cmap' is not a Zone", "did you mean 'camp'?"),
    (
        "given: {place: {red.H1: {zone: [camp]}}}",
        "RK615",
        "not a list",
        "a member of Zone: camp, ford, hill",
    ),
    (
        "given: {place: {red.H1: {zone: camp, waek: true}}}",
        "RK613",
        "'waek.red.H1' is not a state of this game",
        "did you mean 'weak'?",
    ),
    (
        "given: {place: {red.H1: {zone: camp, weak: maybe}}}",
        "RK615",
        "neither true nor false",
        "write a value",
    ),
    ("given: {place: {red.H1: true}}", "RK122", "'red.H1' must be", ""),
    ("given: {place: [red.H1]}", "RK122", "'place' must be a mapping", ""),
    ("given: {set: {turn: {}}}", "RK615", "not a mapping", "write a number"),
    ("given: {set: {turn: 9}}", "RK615", "9 is outside of 1..5", ""),
    ("given: {set: {turn: true}}", "RK615", "true is no value of it", "write a number"),
    ("given: {set: {turn: none}}", "RK615", "never none", "write a number"),
    ("given: {set: {lead: null}}", "RK615", "never none", "a member of Side: red, blue"),
    ("given: {set: {points: 3}}", "RK613", "'points' needs its key", "points.red"),
    (
        "given: {set: {front.red.H1: 3}}",
        "RK613",
        "'front' of Piece is a constant, not a state",
        "overlay",
    ),
    ("given: {set: {cup: [spy]}}", "RK617", "'cup' is a pool", "write `put: {cup: [a, b]}`"),
    (
        "given: {put: {points.red: [spy]}}",
        "RK617",
        "is not a pool",
        "write `set: {points.red: ...}`",
    ),
    ("given: {put: {cup: [spyy]}}", "RK613", "'spyy' is not a Chit", "did you mean 'spy'?"),
    (
        "given: {put: {cup: [spy], hand.red: [spy]}}",
        "RK615",
        "'spy' is put in 'hand.red' and in 'cup'",
        "one pool at most",
    ),
    ("given: {clear: [cmap]}", "RK613", "'cmap' is no place", "did you mean 'camp'?"),
    ("given: {clera: [camp]}", "RK120", "'clera' is not a key", "did you mean 'clear'?"),
    (
        "given: {phase: dya, player: red}",
        "RK613",
        "'dya' is no procedure or phase",
        "did you mean 'day'?",
    ),
    ("given: {phase: day}", "RK614", "'active' is missing", "write day(active) with values"),
    ("given: {phase: 'day(red, blue)'}", "RK614", "day takes 1 argument, not 2", ""),
    ("given: {phase: 'day(camp)'}", "RK615", "'camp' is not a Side", ""),
    (
        "given: {phase: quick(camp)}",
        "RK618",
        "play cannot be begun in quick",
        "write `run: quick(z)`",
    ),
    (
        "given: {phase: evening, player: red}",
        "RK618",
        "'player' has no meaning in evening",
        "`set` or `within`",
    ),
    ("given: {phase: day, player: green}", "RK613", "'green' is not a Side", ""),
    ("empty: true\ngiven: {player: red}", "RK616", "play has not begun", "phase"),
    # run, within, scenario, dice
    (
        "run: battle(camp, red)\ngiven: {phase: day, player: red}",
        "RK618",
        "not with both",
        "remove one of them",
    ),
    ("run: battle(camp)", "RK614", "'attacker' is missing", "battle(z, attacker)"),
    ("run: 'battle(camp, red'", "RK613", "neither a name nor a call", ""),
    ("run: {battle: camp}", "RK122", "'run' must be a text", ""),
    ("run: []", "RK122", "'run' must be a text", ""),
    ("scenario: dusk", "RK613", "no scenario 'dusk'", "the scenarios are standard"),
    (
        "within: {dya: {active: red}}",
        "RK613",
        "'dya' is no procedure or phase",
        "did you mean 'day'?",
    ),
    ("within: {day: {atcive: red}}", "RK613", "no field 'atcive'", "did you mean 'active'?"),
    ("within: {day: {active: 3}}", "RK615", "'3' is not a Side", ""),
    ("within: {quick: {z: camp}}", "RK618", "quick is never open", "remove it"),
    ("within: [day]", "RK122", "'within' must be a mapping", ""),
    ("dice: 6", "RK122", "'dice' must be a list", "brackets"),
    ("dice: [-1]", "RK615", "-1 is not a result of a roll", "the sum of the dice"),
    ("dice: [strom]", "RK613", "'strom' is neither a number", "did you mean 'storm'?"),
    ("empty: true\ndice: [3]", "RK616", "no dice are rolled", "add `run`"),
    # do
    ("do: [{green: rest}]", "RK613", "'green' is not a Side", ""),
    ("do: [{red: retss}]", "RK613", "'retss' in 'retss' is not an option", "did you mean 'rest'?"),
    ("do: [{red: ''}]", "RK617", "is not a choice", "write an option"),
    ("do: [{red: rest, blue: rest}]", "RK124", "exactly 1 entry", ""),
    ("do: {red: rest}", "RK122", "'do' must be a list", ""),
    ("do: [{red: [rest, rest]}]", "RK122", "'red' must be a text", ""),
    ("empty: true\ndo: [{red: rest}]", "RK616", "nothing to choose", "add `run`"),
    # then
    ("then: {turn: 1}", "RK122", "'then' must be a list", ""),
    ("then: []", "RK612", "checks nothing", ""),
    (
        "given: {set: {turn: 2}}\nthen: [{turn: 2}]",
        "RK612",
        "plays nothing and only checks its own `given`",
        "add a `do`",
    ),
    (
        "given: {set: {points: {red: 3}}}\nthen: [{points red: 3}]",
        "RK612",
        "plays nothing and only checks",
        "a legal choice",
    ),
    (
        (
            "given: {set: {points.red: 3}, place: {red.H1: ford}}\nthen: [{var points.red: 3},"
            " {zone red.H1: ford}]"
        ),
        "RK612",
        "plays nothing",
        "",
    ),
    (
        (
            "empty: true\ngiven: {place: {red.H1: {zone: ford, weak: true}}}\nthen: [{weak red.H1:"
            " true}, {zone red.C1: null}]"
        ),
        "RK612",
        "plays nothing",
        "",
    ),
    ("given: {clear: [all]}\nthen: [{zone red.H1: null}]", "RK612", "plays nothing", ""),
    (
        (
            "given: {put: {cup: [storm, spy]}}\nthen: [{pool cup: [spy, storm]}, {size cup: 2},"
            " {in_pool cup: [spy]}, {not_in_pool cup: [calm]}]"
        ),
        "RK612",
        "plays nothing",
        "",
    ),
    (
        "within: {day: {active: blue}}\nthen: [{var active: blue}, {var day.active: blue}]",
        "RK612",
        "plays nothing",
        "",
    ),
    (
        "then: [{lead: red}, {turn: 1}, {lead: red}]",
        "RK612",
        "'lead' is expected twice",
        "remove one of the two",
    ),
    (
        "do: [rest]\nthen: [{turn: 1}, {turn: 1}]",
        "RK612",
        "'turn' is expected twice",
        "remove one of the two",
    ),
    (
        "run: 'battle(hill, red)'\nthen: [{event entered: {z: hill}}, {event entered: {z: hill}}]",
        "RK612",
        "is expected twice",
        "`count EVENT: 2`",
    ),
    (
        "then: [{total: {force: 3}}]",
        "RK617",
        "'total' needs a subject",
        "total NAME(argument, ...): 3",
    ),
    (
        "then: [{why: {move: full}}]",
        "RK617",
        "'why' needs a subject",
        'why CHOICE: "words of the reason"',
    ),
    ("then: [{why move: {full: 1}}]", "RK617", "the reason of 'why move' is a text", ""),
    ("then: [{why move: 3}]", "RK617", "is a text, not 3", ""),
    ("then: [{total force(red): {value: 3}}]", "RK615", "not a mapping", "write a number"),
    ("then: [{total force(red): true}]", "RK615", "true is no value", "write a number"),
    ("then: [total force(red)]", "RK617", "has no value", "total NAME(argument, ...): 3"),
    ("then: [{total force: 5}]", "RK614", "force takes 1 argument", "force(s)"),
    ("then: [{total force(red, blue): 5}]", "RK613", "cut off at a comma", "in quotes"),
    ("then: [{'total force(red, blue)': 5}]", "RK614", "force takes 1 argument, not 2", "force(s)"),
    (
        "then: [{'permit may_enter(H1, camp)': true}]",
        "RK619",
        "'H1' may be red.H1 or blue.H1",
        "write the whole name",
    ),
    (
        "then: [{total units(red): 5}]",
        "RK617",
        "'units' is a define, not a total",
        "write `define units(red)`",
    ),
    ("then: [{total units: [red.H1]}]", "RK617", "'units' is a define", ""),
    ("then: [{permit may_enter(red.H1 camp): 1..2}]", "RK615", "neither true nor false", ""),
    ("then: [{define is_three(3): true}]", "RK615", "'3' is not a ratio such as 3 to 2", ""),
    ("then: [{define mounted(horse): true}]", "RK615", "'horse' is not a Type", ""),
    ("then: [{define strong: true}]", "RK614", "Piece.strong takes 1 argument", ""),
    (
        "then: [{define type: infantry}]",
        "RK613",
        "'type' is an attribute",
        "define Piece.type(NAME)",
    ),
    ("then: [{define type(red.H1): horse}]", "RK615", "'horse' is not a Type", ""),
    ("then: [{define best(camp): [red.H1]}]", "RK615", "not a list", ""),
    (
        "then: [{table odds(3 to 1): trible}]",
        "RK615",
        "'trible' is not a Odds",
        "did you mean 'triple'?",
    ),
    ("then: [{table odds: triple}]", "RK614", "odds takes 1 argument, not 0", "odds(r)"),
    ("then: [{table losses(1): even}]", "RK617", "several results", "{att: ..., def: ...}"),
    ("then: [{table losses(1): {attt: even}}]", "RK613", "has no 'attt'", "did you mean 'att'?"),
    ("then: [{applies force: true}]", "RK617", "names no clause", "`applies force.horse`"),
    ("then: [{applies force.horse: true}]", "RK614", "force takes 1 argument", "force(s)"),
    (
        "then: [{applies force(red).hrose: true}]",
        "RK613",
        "no clause 'hrose'",
        "did you mean 'horse'?",
    ),
    ("then: [{applies force(red).horse: 1}]", "RK615", "true or false, not 1", ""),
    (
        "then: [{applies units(red).horse: true}]",
        "RK617",
        "'units' is a define",
        "a clause of a total or permit",
    ),
    ("then: [{var: {turn: 1}}]", "RK617", "'var' needs a subject", "var NAME: value"),
    ("then: [var turn]", "RK617", "has no value", ""),
    ("then: [zone red.H1]", "RK617", "has no value", "write a colon"),
    ("then: [{zone H1: camp}]", "RK619", "'H1' may be red.H1 or blue.H1", "write the whole name"),
    ("then: [{zone red.H1: {is: camp}}]", "RK615", "not a mapping", ""),
    ("then: [{turn: lots}]", "RK615", "'lots' is not a number", ""),
    ("then: [{in_pool cup: []}]", "RK617", "names nothing", ""),
    ("then: [{in_pool points.red: [spy]}]", "RK617", "is not a pool", ""),
    ("then: [{size cup: many}]", "RK615", "not many", "write a number"),
    (
        "do: [rest]\nthen: [{event: {entered: 1}}]",
        "RK617",
        "'event' needs a subject",
        "event NAME: {field: value}",
    ),
    ("do: [rest]\nthen: [{event entered: red.H1}]", "RK617", "needs fields", ""),
    ("do: [rest]\nthen: [{event entered: {p: red.H9}}]", "RK615", "'red.H9' is not a Piece", ""),
    ("do: [rest]\nthen: [{event die_rolled: {purpose: drain}}]", "RK613", "drain is none of", ""),
    (
        "do: [rest]\nthen: [{count entered: {p: red.H1}}]",
        "RK615",
        "a number of things",
        "write a number",
    ),
    ("then: [{no_event entered: {}}]", "RK616", "needs something that happened", "add `do`"),
    ("then: [{legal: []}]", "RK617", "not nothing", ""),
    ("then: [{legal: {no: [rest]}}]", "RK613", "'legal' has no 'no'", "did you mean 'not'?"),
    ("then: [{legal rest: true}]", "RK617", "write nothing between", "legal: [choice, choice]"),
    ("then: [{legal: true}]", "RK617", "needs choices, not True", ""),
    ("then: [{options: {rest: 1}}]", "RK617", "needs choices", ""),
    ("then: [{decision: green}]", "RK615", "'green' is not a Side", ""),
    ("then: [{decision: {in: dya}}]", "RK613", "dya is none of", "did you mean 'day'?"),
    ("then: [{decision: {kind: chose}}]", "RK613", "chose is none of", "did you mean 'choose'?"),
    ("then: [{result: won}]", "RK613", "neither a level nor a player", ""),
    ("then: [{result: {winner: green}}]", "RK615", "'green' is not a Side", ""),
    ("then: [{result: [red]}]", "RK613", "neither a level nor a player", ""),
    (
        "empty: true\nthen: [{result: {winner: none, level: drawn}}]",
        "RK616",
        "a game that has begun",
        "remove `empty`",
    ),
    (
        "empty: true\nthen: [{legal: {not: [rest]}}]",
        "RK616",
        "a game that has begun",
        "remove `empty`",
    ),
]


@pytest.mark.docs(
    "situations#where-play-starts",
    "situations#given",
    "situations#within",
    "situations#then",
    "data-files#situations",
)
@pytest.mark.parametrize(
    ("body", "code", "message", "help"), WRONG, ids=[body.replace("\n", " ") for body, *_ in WRONG]
)
def test_a_wrong_form_is_refused_with_how_to_mend_it(
    forms: Game, body: str, code: str, message: str, help: str
) -> None:
    """There is one finding at the place of the fault, with the fault and the correction."""
    told = findings(forms, body)
    assert [d.code for d in told] == [code], [(d.code, d.message) for d in told]
    assert message in told[0].message
    assert help in told[0].help
    assert told[0].help
    assert 1 <= told[0].span.line <= len(body.splitlines()) + 2


RIGHT = [  # expectations that hold after the set-up, when red is asked first
    "then: [{define strong(red.H1): true}, {define Piece.strong(red.C1): false}]",
    (
        "then: [{define type(red.C1): cavalry}, {define Piece.type(red.H1): infantry}, {define"
        " front(blue.H1): 4}]"
    ),
    "then: [{define mounted(cavalry): true}, {define mounted(infantry): false}]",
    "then: [{'define by_sides(6, 2)': true}, {'define by_sides(5, 2)': false}]",
    (
        "then: [{define is_three(3 to 1): true}, {'define is_three(3:1)': true}, {define is_three(5"
        " to 2): false}]"
    ),
    (
        "then: [{table odds(2 to 1): double}, {'table odds(7 to 2)': triple}, {table losses(1):"
        " {att: even, def: double}}]"
    ),
    (
        "then: [{define units(red): [red.H1, red.C1]}, {define best(camp): blue.H1}, {define"
        " best(hill): none}]"
    ),
    (
        "then: [{'permit may_enter(red.H1, camp)': false}, {'applies may_enter(red.H1, camp).full':"
        " true}, {applies force(red).horse}]"
    ),
    (
        "then: [{why move red.H1 red.C1 to ford to hill: horses do not climb}, {legal: [move red.H1"
        " to ford to hill, move all to ford]}]"
    ),
    (
        "then: [{legal: {not: [move red.H1 red.C1 to ford to hill]}}, {why move blue.H1 to ford:"
        " cannot be added}]"
    ),
    (
        "do: [{red: rest}]\nthen: [{why move red.H1 to ford}, {legal: [move blue.H1 to ford]},"
        " {decision: {player: blue, in: day}}]"
    ),
    "within: {day: {active: blue}}\nthen: [{total pace: 2}]",
    "run: quick(camp)\nthen: [{turn: 2}, {decision: none}, {result: none}]",
    (
        "given: {put: {hand.red: [spy]}}\nthen: [{pool hand.red: [spy]}, {not_in_pool cup: [spy]},"
        " {size hand.red: 1}]"
    ),
    (
        "given: {put: {cup: [storm, spy]}, place: {red.H1: ford}, set: {points: {red: 3}}}\nthen:"
        " [{zone red.H1: ford}, {points red: 3}, {define best(ford): red.H1}]"
    ),
    # each proves more than what is given
    "given: {set: {turn: 2}}\nthen: [{turn: 2}, {lead: red}]",
    "given: {set: {turn: 2}}\nthen: [{legal: [rest]}]",
    "given: {set: {turn: 2}, phase: evening}\nthen: [{turn: 2}]",
    "given: {set: {turn: 2}}\nrun: quick(hill)\nthen: [{turn: 2}]",
    "given: {set: {turn: 2}}\ndo: [rest]\nthen: [{turn: 2}]",
    "given: {put: {hand.red: [spy]}}\nthen: [{seen by blue: {pool hand.red: []}}]",
    "within: {day: {active: blue}}\nthen: [{options: 3}]",
    "do: [rest, rest]\nthen: [{decision: {in: evening}}, {decision: red}]",
    (
        "given: {phase: evening, set: {lead: blue}}\nthen: [{decision: blue}, {options: [sleep]},"
        " {options: 1}]"
    ),
]


@pytest.mark.docs("situations#given", "situations#then")
@pytest.mark.parametrize("body", RIGHT)
def test_a_right_form_is_sound_and_holds(forms: Game, body: str) -> None:
    """Examples are every define, a ratio, an attribute by name, and a multi-step move in one line,
    legal or refused."""
    assert outcome(forms, body).why == ""


@pytest.mark.docs("situations#dice", "situations#then")
@pytest.mark.parametrize(
    ("body", "whys"),
    [
        ("then: [{turn: 2}, {force: 3}]", None),
        (
            "then: [{turn: 2}, {zone red.H1: hill}, {turn: 1}, {lead: blue}]",
            [
                "turn: expected 2, is 1",
                "zone.red.H1: expected hill, is camp",
                "lead: expected blue, is red",
            ],
        ),
        (
            "then: [{why rest: tired}, {why move red.H1 red.C1 to ford to hill: too far}]",
            ["expected 'rest' to be refused, but it is legal", "refused with 'too far', but: "],
        ),
        (
            "then: [{legal: {not: [move red.H1 to ford]}}]",
            ["expected 'move red.H1 to ford' not to be legal, but 'move red.H1 to ford' is"],
        ),
        ("do: [rest]\nthen: [{applies force.horse: false}]", ["force was not computed"]),
        (
            "run: quick(camp)\nthen: [{legal: {not: [rest]}}, {options: 0}, {why rest}]",
            ["legal: nothing is asked", "options: nothing", "why rest"],
        ),
        (
            "do: [{red: dare}]\ndice: []\nthen: [{turn: 1}]",
            ["0 results in `dice` were too few: 2 more were needed"],
        ),
        (
            "do: [{red: dare}]\ndice: [9]\nthen: [{turn: 1}]",
            ["1 results in `dice` were too few: 1 more was needed"],
        ),
    ],
)
def test_all_that_fails_is_told(forms: Game, body: str, whys: list[str] | None) -> None:
    """Each failed expectation is reported separately. Missing results are counted by rolls, not by
    dice."""
    if whys is None:
        assert findings(forms, body)
        return
    faults = outcome(forms, body).faults
    assert len(faults) == len(whys), faults
    assert all(why in fault.why for why, fault in zip(whys, faults, strict=True)), faults
