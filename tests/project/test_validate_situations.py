"""Situations: the findings of `check` about names, bounds and meaning, and the forms that it
accepts."""

from __future__ import annotations

import pytest

import rulekit
from rulekit.common.diagnostics.diagnostic import MAX_KEPT_FINDINGS, Sink
from rulekit.compiler.source.situations import Situation, parse_situations
from rulekit.engine.game.game import Game
from rulekit.project.validate_situations import vet
from tests.project.situation_checks import findings, outcome
from tests.small_games import SIDES

MANIFEST = 'rulekit: game\nname: vetted\ntitle: Vetted\nversion: "1.0"\nlanguage: 1\n'
RULES = """
kind Zone
  fixed rough: bool
kind Piece
  fixed owner: Side
  fixed front: 0..9
  state zone: Zone?
  state weak: bool
  state rest: 0..4
  define ready: bool = not weak
extend kind Zone
  define quiet: bool = not rough
  define ready: bool = rough
kind Chit = storm | spy | calm
kind Token = coin | key
kind Card
pool cup of Chit
pool hand(s: Side) of Chit
pool box of Token
pool deck of Card
pool pile of Card
state turn: 1..9 = 1
state late: 0..9
state lead: Side?
state marked: set Zone
table single(d: 1..3) -> Chit
  1 | storm
  2 | spy
  3 | calm
table pair(d: 1..2) -> who: Chit, n: 0..9
  1 | storm | 3
  2 | spy | 4
total worth(n: 0..9): 0..40
  base n
  modifier more +1 when turn > 1
total plain: int
  modifier up +1 when turn > 1
  base 2 when turn > 3
  base 1
permit may(s: Side)
  bar shut when turn > 1 and s = red "shut"
define twice(n: 0..9): 0..18 = n * 2
define none_of(z: Zone?): bool = z = none
event told(n: 0..9, who: Side?, z: set Zone)
  turn := min(n + 1, 9)
moment bell asks red
reaction ring at bell
  limit 1 per game
  turn += 1
setup
  each p in Piece
    p.zone := camp
menu orders in move_of
action ask(n: 1..9) in orders
  when n > turn + 1 "no"
  told(n, red, {})
action open_it in orders
  open bell
action cast in orders
  roll d = d6 by red for luck
  told(d, none, Zone)
phase move_of
  choose by red from orders "what"
    option rest "Take a rest"
      return
phase round_of(who: Side, n: 0..9)
  field spent: 0..5
  spent := n
  move_of
phase season(n: 1..4)
  field chosen: Side
  field glad: bool
  choose by red "on"
    option go_on when n > 1 or chosen = red or glad
      return
phase day
  season(2)
phase main
  repeat 9 times
    each s in Side
      round_of(s, 3)
    day
  finish red, win
procedure count_up(n: 1..4, k: 0..9)
  let held = n * 2
  turn := min(held + k, 9)
procedure ask_one(n: 1..4)
  let held = n * 2
  turn := held
  pick c from Chit by red
"""
DATA = {
    "game.yaml": MANIFEST,
    "game.rules": SIDES + RULES,
    "map.yaml": (
        "places:\n  kind: Zone\n  source: {assumed: test}\n  members: {camp: {rough: false}, ford:"
        " {rough: true}, hill: {rough: true, label: Old hill}}\n"
    ),
    "pieces.yaml": (
        "kind: Piece\nplace: zone\nsource: {assumed: test}\nmembers:\n  red.H1: {owner: red, front:"
        " 3}\n  blue.H1: {owner: blue, front: 4}\n  blue.L1: {owner: blue, front: 0}\n"
    ),
    "things.yaml": (
        "kind: Card\nsource: {assumed: test}\nmembers: {red.K1: {label: Wild boar}, blue.K1: {},"
        " blue.Q1: {}}\n"
    ),
}


@pytest.fixture(scope="module")
def vetted(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("vetted")
    for name, text in DATA.items():
        (folder / name).write_text(text)
    return rulekit.load(folder)


HOLDS = [
    # where play starts
    (
        "empty: true\ngiven: {phase: 'season(2)'}\nthen: [{decision: {player: red, in: season}},"
        " {options: 1}, {result: none}]"
    ),
    "empty: true\ngiven: {phase: move_of, player: red}\nthen: [{decision: red}, {who: red}]",
    "empty: true\nrun: count_up(2, 3)\nthen: [{turn: 7}, {decision: none}]",
    "given: {phase: move_of, player: blue}\nthen: [{who: blue}]",
    "given: {phase: move_of, player: blue}\nwithin: {round_of: {who: red}}\nthen: [{who: red}]",
    (
        "given: {phase: round_of, player: blue}\nwithin: {round_of: {n: 2}}\nthen: [{who: blue},"
        " {n: 2}, {spent: 2}]"
    ),
    "given: {phase: round_of(blue), player: red}\nwithin: {round_of: {n: 2}}\nthen: [{who: blue}]",
    "given: {phase: round_of}\nwithin: {round_of: {n: 2, who: blue}}\nthen: [{who: blue}]",
    (
        "within: {season: {glad: true, chosen: blue}}\nthen: [{season.glad: true}, {season.chosen:"
        " blue}, {season n: 0}]"
    ),
    # what is put and set
    (
        "given: {put: {cup: [storm], box: [coin]}}\nthen: [{pool cup: [storm]}, {pool box: [coin]},"
        " {total worth(3): 3}]"
    ),
    (
        "given: {put: {deck: [red.K1, Q1], pile: [blue.K1]}}\nthen: [{pool deck: [red.K1,"
        " blue.Q1]}, {in_pool pile: [blue.K1]}, {total worth(3): 3}]"
    ),
    "given: {put: {deck: [Q1, blue.Q1]}}\nthen: [{pool deck: [blue.Q1]}, {total worth(3): 3}]",
    (
        "given: {set: {turn: 9, late: 9, lead: none, rest.red.H1: 4, rest.L1: 0}}\nthen: [{turn:"
        " 9}, {late: 9}, {rest red.H1: 4}, {rest L1: 0}, {total worth(3): 4}]"
    ),
    (
        "given: {set: {late: 0, lead: null, marked: []}}\nthen: [{late: 0}, {lead: none}, {marked:"
        " []}, {total worth(3): 3}]"
    ),
    # results
    (
        "do: [{red: cast}]\ndice: [6]\nthen: [{turn: 7}, {event die_rolled: {value: 6}}, {no_event"
        " roll_cancelled: {who: none}}]"
    ),
    # values
    (
        "then: [{table single(3): calm}, {'table pair(2)': {n: 4}}, {total worth(3): 3}, {define"
        " twice(9): 18}, {define front(L1): 0}]"
    ),
    (
        "then: [{define ready(camp): false}, {define ready(ford): true}, {define Zone.ready(hill):"
        " true}]"
    ),
    (
        "then: [{define ready(red.H1): true}, {define quiet(ford): false}, {define"
        " Zone.rough(hill): true}, {define none_of(none): true}]"
    ),
    "empty: true\nthen: [{size cup: 0}, {size deck: 0}, {not_in_pool deck: Q1}]",
    "then: [{size cup: 3}, {in_pool deck: Q1}, {size pile: 0}, {not_in_pool pile: [Q1]}]",
    (
        "empty: true\nwithin: {season: null}\nthen: [{var season.n: 0}, {season.chosen: red},"
        " {glad: false}]"
    ),
    (
        "then: [{total worth(3): 3}, {applies worth(3).more: false}, {permit may(red): true},"
        " {applies may(red).shut: false}]"
    ),
    (
        "do: [{red: ask 3}]\nthen: [{count told: 1}, {no_event: die_rolled}, {event told: {n: 3,"
        " who: red, z: []}}]"
    ),
    # what is asked
    (
        "then: [{decision: {who: red, procedure: move_of, moment: none}}, {why ask 1: 'no'},"
        " {legal: {not: [ask 2, ask 1]}}]"
    ),
    "do: [{red: open_it}]\nthen: [{decision: {moment: bell, kind: window}}, {legal: [ring, pass]}]",
    "then: [{result: none}, {result: null}, {decision: red}]",
]


@pytest.mark.parametrize("body", HOLDS)
def test_what_has_its_sense_is_sound_and_holds(vetted: Game, body: str) -> None:
    assert outcome(vetted, body).why == ""


WRONG = [  # the situation's lines, the codes, words of the first message, words of its help
    # what is put
    (
        "given: {put: {deck: [blue.Q1], pile: [Q1]}}",
        "RK615",
        "'Q1' is put in 'pile' and in 'deck'",
        "one pool at most",
    ),
    (
        "given: {put: {deck: [Q1], pile: [blue.Q1]}}",
        "RK615",
        "'blue.Q1' is put in 'pile' and in 'deck'",
        "one pool at most",
    ),
    (
        "given: {put: {deck: [K1]}}",
        "RK619",
        "'K1' may be red.K1 or blue.K1",
        "write the whole name",
    ),
    ("given: {put: {cup: [coin]}}", "RK613", "'coin' is not a Chit", ""),
    ("given: {put: {hand: [storm]}}", "RK613", "'hand' needs its key", ""),
    # what is set: a range, an end of it, none
    ("given: {set: {turn: 0}}", "RK615", "turn: 0 is outside of 1..9", ""),
    ("given: {set: {turn: 10}}", "RK615", "turn: 10 is outside of 1..9", ""),
    ("given: {set: {turn: null}}", "RK615", "never none", ""),
    ("given: {set: {late: 10}}", "RK615", "10 is outside of 0..9", ""),
    ("given: {place: {L1: {zone: camp, rest: 5}}}", "RK615", "rest.L1: 5 is outside of 0..4", ""),
    ("given: {set: {weak.L1: none}}", "RK615", "neither true nor false", ""),
    # where play starts
    ("run: count_up(5, 1)", "RK615", "n of count_up: 5 is outside of 1..4", ""),
    ("run: count_up(0, 1)", "RK615", "n of count_up: 0 is outside of 1..4", ""),
    ("run: 'count_up(1, 2, 3)'", "RK614", "count_up takes 2 arguments, not 3", ""),
    ("given: {phase: season(5)}", "RK615", "n of season: 5 is outside of 1..4", ""),
    ("given: {phase: season}\nwithin: {season: {n: 5}}", "RK615 RK615", "outside of 1..4", ""),
    ("within: {round_of: {spent: 6}}", "RK615", "spent: 6 is outside of 0..5", ""),
    (
        "within: {ask_one: {held: 3}}",
        "RK613",
        "ask_one has no field 'held' that can be set",
        "it has n",
    ),
    (
        "given: {phase: season(2), player: red}",
        "RK618",
        "'player' has no meaning in season",
        "`set` or `within`",
    ),
    ("given: {phase: day, player: red}", "RK618", "'player' has no meaning in day", ""),
    (
        "run: 'count_up(1, 2)'\ngiven: {player: red}",
        "RK618",
        "'player' has no meaning in count_up",
        "",
    ),
    (
        "given: {phase: dya, player: red}",
        "RK613",
        "'dya' is no procedure or phase",
        "did you mean 'day'?",
    ),
    (
        "given: {phase: round_of, player: green}",
        "RK614 RK613",
        "'n' is missing",
        "round_of(who, n)",
    ),
    ("given: {player: none}", "RK615", "'player' is one of red, blue", ""),
    ("scenario: standrad", "RK613", "there is no scenario 'standrad'", "did you mean 'standard'?"),
    # random results
    (
        "run: nothing(3)\ngiven: {phase: season(2), player: red}",
        "RK613 RK618",
        "'nothing' is no procedure",
        "write a name from the rules",
    ),
    ("dice: [65534]", "", "", ""),
    ("dice: [0]", "RK615", "0 is not a result of a roll", "the sum of the dice"),
    ("dice: [65535]", "RK615", "65535 is not a result of a roll", ""),
    ("dice: [camp]", "RK613", "'camp' is neither a number nor something that can be drawn", ""),
    ("dice: [strom]", "RK613", "'strom' is neither", "did you mean 'storm'?"),
    # choices
    ("do: [{green: ret}]", "RK613 RK613", "'green' is not a Side", ""),
    (
        "do: [{red: 'ask 3; rets'}]",
        "RK613",
        "'rets' in 'rets' is not an option",
        "did you mean 'rest'?",
    ),
    ("do: [{red: tsk}]", "RK613", "'tsk' in 'tsk'", ""),
    # values
    ("do: [rest]\nthen: [{count told: -1}]", "RK615", "a number of things, not -1", ""),
    ("do: [rest]\nthen: [{count told: true}]", "RK615", "a number of things, not True", ""),
    ("do: [rest]\nthen: [count told]", "RK617", "'count told' has no value", "count NAME: 2"),
    ("then: [size cup]", "RK617", "'size cup' has no value", "size NAME: 2"),
    ("then: [{options: -1}]", "RK615", "a number of things, not -1", ""),
    ("then: [{table single(3): coin}]", "RK615", "'coin' is not a Chit", ""),
    ("then: [{'table pair(2)': {who: coin}}]", "RK615", "who of pair: 'coin' is not a Chit", ""),
    (
        "then: [{'table pair(2)': {whom: spy}}]",
        "RK613",
        "the table pair has no 'whom'",
        "did you mean 'who'?",
    ),
    ("then: [{applies plain.down: true}]", "RK613", "plain has no clause 'down'", ""),
    ("then: [{applies twice(3).more: true}]", "RK617", "'twice' is a define", ""),
    ("then: [{applies worth(camp).more: true}]", "RK615", "n of worth: 'camp' is not a number", ""),
    ("then: [{permit may(green): true}]", "RK615", "s of may: 'green' is not a Side", ""),
    ("then: [{not_in_pool cup: []}]", "RK617", "'not_in_pool' names nothing", ""),
    ("then: [{pool cup: [coin]}]", "RK615", "'coin' is not a Chit", ""),
    ("then: [{define front(L1): lots}]", "RK615", "'lots' is not a number", ""),
    ("then: [{define rough: true}]", "RK613", "'rough' is an attribute", "define Zone.rough(NAME)"),
    (
        "then: [{define ready: true}]",
        "RK613",
        "'ready' is an attribute",
        "name its owner",
    ),
    ("then: [{define quiet: true}]", "RK614", "takes 1 argument", ""),
    (
        "do: [rest]\nthen: [{event told: {n: camp}}]",
        "RK615",
        "n of told: 'camp' is not a number",
        "",
    ),
    ("do: [rest]\nthen: [{event told: {m: 3}}]", "RK613", "the event told has no 'm'", ""),
    (
        "do: [rest]\nthen: [{event die_rolled: {value: lots}}]",
        "RK615",
        "'lots' is not a number",
        "",
    ),
    (
        "do: [rest]\nthen: [{event phase_begun: {phase: count_up}}]",
        "RK613",
        "phase of phase_begun: count_up is none of",
        "",
    ),
    (
        "do: [rest]\nthen: [{event finished: {level: huge}}]",
        "RK613",
        "level of finished: huge is none of",
        "",
    ),
    (
        "do: [rest]\nthen: [{no_event finished: {winner: green}}]",
        "RK615",
        "winner of finished: 'green' is not a Side",
        "",
    ),
    # what is asked
    ("then: [{why ask 1: '  '}]", "RK617", "the reason of 'why ask 1' is a text", ""),
    ("then: [{legal: {nto: [rest]}}]", "RK613", "'legal' has no 'nto'", "did you mean 'not'?"),
    ("then: [{legal: [true]}]", "RK617", "needs choices", ""),
    ("then: [{decision: {whom: red}}]", "RK613", "a decision has no 'whom'", "did you mean 'who'?"),
    ("then: [{decision: {who: green}}]", "RK615", "'green' is not a Side", ""),
    ("then: [{decision: {player: none}}]", "RK615", "never none", ""),
    ("then: [{decision: {moment: bel}}]", "RK615", "'bel' is not a Moment", "did you mean 'bell'?"),
    (
        "then: [{decision: {procedure: dya}}]",
        "RK613",
        "procedure of the decision: dya is none of",
        "",
    ),
    ("then: [{result: {level: huge}}]", "RK613", "level of the result: huge is none of", ""),
    ("then: [{result: {loser: red}}]", "RK613", "a result has no 'loser'", "it has winner, level"),
    ("then: [{turn: camp}]", "RK615", "turn: 'camp' is not a number", ""),
    ("then: [{season.m: 3}]", "RK613", "'season.m' is neither a word for 'then' nor a state", ""),
]


@pytest.mark.docs("situations#given")
@pytest.mark.parametrize(
    ("body", "codes", "message", "help"), WRONG, ids=[body.replace("\n", " ") for body, *_ in WRONG]
)
def test_what_has_none_is_told_with_how_to_mend_it(
    vetted: Game, body: str, codes: str, message: str, help: str
) -> None:
    told = findings(vetted, body)
    assert [d.code for d in told] == codes.split(), [(d.code, d.message, d.help) for d in told]
    assert all(message in first.message and help in first.help for first in told[:1])


def test_a_line_of_several_choices_may_be_what_is_not_legal(vetted: Game) -> None:
    """It fails if all of them can be made in sequence."""
    assert outcome(vetted, "then: [{legal: {not: ['rest; ask 1', 'ask 1; rest']}}]").why == ""
    assert (
        "expected 'ask 3; rest' not to be legal, but"
        in outcome(vetted, "then: [{legal: {not: ['ask 3; rest']}}]").why
    )


def situations(*bodies: str) -> list[Situation]:
    text = "".join(
        f"- {{name: test {i}, then: [turn: 1], {body}}}\n" for i, body in enumerate(bodies)
    )
    return parse_situations(text, "vetted.yaml", Sink())


def test_those_are_run_that_are_sound(vetted: Game) -> None:
    """A fault in one does not stop the others."""
    sink = Sink()
    sound = vet(
        vetted,
        situations(
            "dice: [1]", "dice: [0]", "scenario: none", "seed: 3", "given: {set: {turn: 10}}"
        ),
        sink,
    )
    assert [s.name for s in sound] == ["test 0", "test 3"]
    assert [d.code for d in sink.found] == ["RK615", "RK613", "RK615"]


@pytest.mark.parametrize(
    ("many", "told"),
    [
        (MAX_KEPT_FINDINGS - 1, MAX_KEPT_FINDINGS - 1),
        (MAX_KEPT_FINDINGS, MAX_KEPT_FINDINGS),
        (MAX_KEPT_FINDINGS + 1, MAX_KEPT_FINDINGS + 1),
        (MAX_KEPT_FINDINGS + 30, MAX_KEPT_FINDINGS + 1),
    ],
)
def test_of_a_file_with_very_many_faults_the_first_are_told(
    vetted: Game, many: int, told: int
) -> None:
    """One more finding says that there are others."""
    sink = Sink()
    assert vet(vetted, situations(*["dice: [0]"] * many), sink) == []
    assert [d.code for d in sink.found] == ["RK615"] * min(many, MAX_KEPT_FINDINGS) + ["RK218"] * (
        told - min(many, MAX_KEPT_FINDINGS)
    )
