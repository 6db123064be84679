"""Games of a few lines: what the language reference says of single forms."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.base.diagnostic import Sink
from rulekit.check import model as m
from rulekit.check.check import check
from rulekit.compile.build import build
from rulekit.source.folder import read_game
from tests.reference.agree import agree

MANIFEST = 'rulekit: game\nname: small\ntitle: Small\nversion: "1.0"\nlanguage: 1\n'
SIDES = "game small 1\nkind Side decides = red(blue) | blue(red)\n  fixed enemy: Side\n"


def written(folder: Path, rules: str) -> Path:
    (folder / "game.yaml").write_text(MANIFEST)
    (folder / "game.rules").write_text(SIDES + rules)
    return folder


def modelled(folder: Path) -> m.Model:
    sink = Sink()
    source = read_game(folder, sink)
    model = check(source, sink) if source is not None else None
    assert model is not None, [d.message for d in sink.found]
    return model


def agreed(folder: Path, seeds: int = 6) -> None:
    """All variants play as the reference does."""
    model = modelled(folder)
    compiled = build(model, "")
    for seed in range(seeds):
        agree(model, compiled, seed)


ENDLESS = """
state turn: 1..9 = 1
phase main
  pick n from 1 .. 2 by red "go on"
  finish red, win when n = 1
"""


def test_play_that_ends_without_finish_is_an_error_with_its_place(tmp_path: Path) -> None:
    state = rulekit.load(written(tmp_path, ENDLESS)).new()
    before = state.clone()
    with pytest.raises(rulekit.RulesError, match="play ended without 'finish'") as raised:
        state.apply("pick 2")
    assert "game.rules:6" in str(raised.value)
    assert state == before
    state.apply("pick 1")
    assert state.result is not None
    assert (state.result.winner, state.result.level) == ("red", "win")


TIES = """
kind Piece = p1(red, 1) | p2(blue, 1) | p3(red, 2) | p4(blue, 2) | p5(red, 3)
  fixed owner: Side
  fixed begin: 1..3
  state key: 0..9
event keyed(p: Piece, n: 0..9)
  p.key := n
setup
  each p in Piece
    keyed(p, p.begin)
phase main
  each p in Piece by key ties owner
    pick n from 0 .. 9 by p.owner "a new key"
    each q in Piece
      keyed(q, n) when q.key < 3
  each p in Piece by key ties owner live
    pick n from 0 .. 9 by p.owner "a new key"
    each q in Piece
      keyed(q, n) when q.key > 3
  finish none, drawn
"""


def test_the_order_of_a_loop_is_fixed_when_it_begins_unless_it_is_live(tmp_path: Path) -> None:
    agreed(written(tmp_path, TIES), 12)


def test_who_breaks_ties_chooses_among_those_that_were_equal_when_the_loop_began(tmp_path: Path) -> None:
    state = rulekit.load(written(tmp_path, TIES)).new()
    asked = []
    for choice in ("pick p2", "pick 9", "pick 9", "pick p3"):
        assert state.decision is not None
        asked.append([option.key for option in state.decision.options][:2])
        state.apply(choice)
    assert asked[0] == ["pick p1", "pick p2"]
    assert asked[3] == ["pick p3", "pick p4"]


NEGATIVE = """
state low: -3..3 = -1
state amount: -99..99
phase main
  repeat 3 times
    pick n from -2 .. 2 by red "n"
    amount += n
    pick k from low .. 2 by blue "k"
    amount += k
    low := n
    pick j from -1 .. -1 by red "j"
    amount += j
    pick i from low - 1 .. n + 1 by red "i"
    amount += i
  finish none, drawn
"""


def test_a_range_may_go_below_nothing(tmp_path: Path) -> None:
    agreed(written(tmp_path, NEGATIVE), 12)


LIMITS = """
state plays(s: Side): 0..20
moment bell asks red, blue
reaction ring at bell "Ring"
  limit 1 per act by me
  when plays(me) < 4
  plays(me) += 1
phase act
  open bell
  open bell
phase rest
  open bell
  each s in Side
    plays(s) := 0
phase main
  repeat 2 times
    rest
    act
    each s in Side
      plays(s) := 0
  finish none, drawn
"""


def taken_whenever_offered(state: rulekit.State, until: int) -> list[tuple[str, str]]:
    """Who rang the bell, in the first so many decisions."""
    rung = []
    for _ in range(until):
        if state.decision is None:
            break
        if "ring" in [o.key for o in state.decision.options]:
            rung.append(state.decision.player)
            state.apply("ring")
        else:
            state.apply("pass")
    return rung


def test_a_limit_does_not_bind_nor_count_while_its_scope_does_not_run(tmp_path: Path) -> None:
    """In `rest` each rings until nothing else allows it; in `act` after it each still once, and so again the second time."""
    folder = written(tmp_path, LIMITS)
    agreed(folder)
    in_rest, in_act = ["red"] * 4 + ["blue"] * 4, ["red", "blue"]
    assert taken_whenever_offered(rulekit.load(folder).new(), 100) == (in_rest + in_act) * 2


LIFETIME = """
state wet: 0..9 per day
state seen: 0..99
phase day
  pick n from 0 .. 1 by red "rain"
  seen := seen + wet
  wet += n
  seen := seen + 10 * wet
phase night
  wet += 2
phase main
  day
  night
  pick n from 0 .. 1 by red "and now"
  day
  day
  finish none, drawn
"""


def test_what_is_written_before_its_scope_lasts_until_that_ends(tmp_path: Path) -> None:
    """Two of the night are there in the day after it (2 + 20), and gone in the next."""
    folder = written(tmp_path, LIFETIME)
    agreed(folder)
    state = rulekit.load(folder).new()
    found = []
    while state.decision is not None:
        found.append((state.get("wet"), state.get("seen")))
        state.apply("pick 0")
    assert found == [(0, 0), (2, 0), (2, 0), (0, 22)]
    assert state.get("wet") == 0


AGAIN = """
state hits: 0..99
event hit
  hits += 1
reaction again after hit "Again"
  for red
  limit 1 per hit
  hit
phase main
  hit
  hit
  finish none, drawn
"""


def test_a_limit_in_an_event_holds_when_the_reaction_makes_that_event(tmp_path: Path) -> None:
    folder = written(tmp_path, AGAIN)
    state = rulekit.load(folder).new()
    state.apply("again")
    assert state.get("hits") == 3  # the second hit of `main` has been made: the first could not be answered again
    state.apply("again")
    assert state.decision is None
    assert state.get("hits") == 4
    agreed(folder)


GUARDED = """
kind Chit = storm | spy | calm
pool cup of Chit
pool hand(s: Side) of Chit
state n: 0..9 clamp
setup
  each c in Chit
    put c in cup
moment calm_hour in day asks me, me.enemy
phase day(me: Side)
  draw 1 from cup to hand(me) when n < 2
  each c in hand(me)
    put c in cup when n = 1
  roll d = d6 by me for luck when n != 1
  gather hand(me) to cup when n = 3
  open calm_hour when n in 1..2
  pick k from 0 .. 2 by me "how many"
  n += k
reaction shout at calm_hour
  limit 1 per day by me
  n += 1
phase main
  repeat 3 times
    each s in Side
      day(s)
  finish none, drawn
"""


def test_a_guard_stands_after_dice_draws_and_windows(tmp_path: Path) -> None:
    """Where it does not hold the statement is left out, in all variants alike."""
    agreed(written(tmp_path, GUARDED))
