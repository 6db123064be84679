"""Short games: the language reference on single forms."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.compiler.compiler import build
from tests.compiler.reference.agree import agree
from tests.small_games import assert_agreement, checked_model, write_game

ENDLESS = """
state turn: 1..9 = 1
phase main
  pick n from 1 .. 2 by red "go on"
  finish red, win when n = 1
"""


def test_play_that_ends_without_finish_is_an_error_with_its_place(tmp_path: Path) -> None:
    state = rulekit.load(write_game(tmp_path, ENDLESS)).new()
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
    assert_agreement(write_game(tmp_path, TIES), 12)


def test_who_breaks_ties_chooses_among_those_that_were_equal_when_the_loop_began(
    tmp_path: Path,
) -> None:
    state = rulekit.load(write_game(tmp_path, TIES)).new()
    asked = []
    for choice in ("pick p2", "pick 9", "pick 9", "pick p3"):
        assert state.decision is not None
        asked.append([option.key for option in state.decision.options][:2])
        state.apply(choice)
    assert asked[0] == ["pick p1", "pick p2"]
    assert asked[3] == ["pick p3", "pick p4"]


@pytest.mark.parametrize(
    ("lang", "prompt"), [("en", "Which of these first?"), ("fr", "Lequel d'abord ?")]
)
def test_who_breaks_ties_is_asked_in_his_language(tmp_path: Path, lang: str, prompt: str) -> None:
    state = rulekit.load(write_game(tmp_path, TIES), lang=lang).new()
    assert state.decision is not None and state.decision.prompt == prompt


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
    assert_agreement(write_game(tmp_path, NEGATIVE), 12)


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
    """Return the players who rang the bell in the first `until` decisions."""
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
    """In `rest` each rings until nothing else allows it. In `act` after it, each rings once, and
    again the second time."""
    folder = write_game(tmp_path, LIMITS)
    assert_agreement(folder)
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


@pytest.mark.docs("language#3-state")
def test_what_is_written_before_its_scope_lasts_until_that_ends(tmp_path: Path) -> None:
    """Two of the night remain in the following day (2 + 20), and are gone in the next."""
    folder = write_game(tmp_path, LIFETIME)
    assert_agreement(folder)
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
    folder = write_game(tmp_path, AGAIN)
    state = rulekit.load(folder).new()
    state.apply("again")
    assert (
        state.get("hits") == 3
    )  # the second hit of `main` was made, because the first could not be answered again
    state.apply("again")
    assert state.decision is None
    assert state.get("hits") == 4
    assert_agreement(folder)


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
    """If it is false, the statement is skipped in all variants."""
    assert_agreement(write_game(tmp_path, GUARDED))


PLACED = """
kind Spot = grid 1 by 2
kind Tent = t1 | t2 | t3
  state spot: Spot?
kind Flag = f1 | f2 | f3
  state over: Side?
kind Road = r1(f1) | r2(f2)
  fixed flag: Flag
define out: int = count(Tent where spot = none)
define at(z: Spot): int = count(Tent where spot = z)
define bare: int = count(Flag where over = none)
define over_of(s: Side): int = count(Flag where over = s)
phase main
  pick n from 1 .. 2 by red "on"
  finish none, drawn
"""


def test_what_is_set_by_hand_counts_everywhere_it_is_counted(tmp_path: Path) -> None:
    """A member set to each value and to none is counted among those with that value only."""
    state = rulekit.load(write_game(tmp_path, PLACED)).new(seed=1)
    cells = [
        ("spot", "t", ["a1", "b1"], "at", "out"),
        ("over", "f", ["red", "blue"], "over_of", "bare"),
    ]
    for cell, letter, values, having, without in cells:
        for value in [values[0], values[1], None, values[1], values[0], None]:
            state.set(f"{letter}2.{cell}", value if value is not None else "none")
            assert state.value_of(without) == (3 if value is None else 2)
            assert [state.value_of(having, v) for v in values] == [int(v == value) for v in values]


CROSSED = """
total might(n: 0..9): int
  base n
  modifier lucky 1 when n = 4
  at most 3
  at least 5 when n != 4
  at most 7
event fought(n: -9..99)
phase main
  repeat 4 times
    pick k from 0 .. 9 by red "how many"
    fought(might(k))
  finish none, drawn
"""


@pytest.mark.docs("language#6-totals-and-permits")
def test_a_floor_above_a_ceiling_gives_way_and_is_explained_so(tmp_path: Path) -> None:
    """The greatest floor applies before the least ceiling, in any written order, in value,
    explanation and reference. A bound without effect is not reported as applied."""
    folder = write_game(tmp_path, CROSSED)
    state = rulekit.load(folder).new(seed=1)
    for n in range(10):
        derivation = state.explain("might", n)
        assert (derivation.value, state.value_of("might", n)) == (3, 3)
        words = [
            (line.word, line.status)
            for line in derivation.lines
            if line.status != "condition" and line.word in ("least", "most")
        ]
        floor = [("least", "applied" if n < 5 else "idle")] if n != 4 else []
        assert words == [*floor, ("most", "applied"), ("most", "idle")]
    model = checked_model(folder)
    for seed in range(3):
        agree(model, build(model, ""), seed, explained=1)


TAGGED = """
kind Tent = t1 | t2 | t3
  state tag: 0..99
event tagged
  each t in Tent
    t.tag := sum(tag of Tent) + 1
phase main
  tagged
  pick n from 1 .. 2 by red "on"
  finish none, drawn
"""


def test_each_of_a_loop_reads_what_those_before_it_wrote(tmp_path: Path) -> None:
    """The values are 1, then 1 + 1, then 1 + 2 + 1."""
    folder = write_game(tmp_path, TAGGED)
    assert_agreement(folder, 1)
    state = rulekit.load(folder).new(seed=1)
    assert [state.get(f"t{n}.tag") for n in (1, 2, 3)] == [1, 2, 4]


ANSWERED = """
state force: 0..9
event forced
  force += 1
reaction reroll after die_rolled "Again"
  for red
  when purpose is battle
  limit 1 per die_rolled by me
  answer redo
  roll luck = d6 by me for fate
on after die_rolled when purpose is storm and value < 3
  answer redo
reaction brave after die_rolled "Brave"
  for blue
  when purpose is storm
  limit 1 per die_rolled by me
  forced
phase main
  roll d = d6 by red for battle
  roll e = d6 by red for storm
  pick n from 1 .. 2 by red "on"
  finish none, drawn
"""


def test_a_roll_that_is_cancelled_stays_so_through_another_and_asks_nobody_more(
    tmp_path: Path,
) -> None:
    """A reaction that answers and then rolls for something else has cancelled its own roll. A roll
    cancelled by a rule has no further reactions."""
    folder = write_game(tmp_path, ANSWERED)
    state = rulekit.load(folder).new(seed=1, dice=[4, 6, 5, 1, 2, 3])
    state.apply("reroll")
    rolls = [
        (event.name, event.params["purpose"], event.params["value"])
        for event in state.events
        if "value" in event.params
    ]
    assert rolls[:4] == [
        ("die_rolled", "battle", 4),
        ("die_rolled", "fate", 6),
        ("roll_cancelled", "battle", 4),
        ("die_rolled", "battle", 5),
    ]
    asked = []
    while state.decision is not None and state.decision.kind == "window":
        asked.append((state.decision.player, state.events[-1].params["value"]))
        state.apply("pass")
    assert asked[-1] == ("blue", 3) and [value for who, value in asked if who == "blue"] == [3]
    assert_agreement(folder, 12)


CANCELLED = """
state taken: bool
total might(n: 0..9): int
  base n
  modifier led +2  ref "1"
cancel might.led when n > 3  ref "2"
cancel might.led when n > 1  ref "3"
event took
  taken := true
phase main
  repeat 2 times
    choose by red "what"
      option take  ref "7"
        when not taken "it is taken"  ref "7.1"
        when might(2) < 3 "it is too strong"
        took
      option fought(k: 0..9)
        when k < 3 "too many"
        took
  finish none, drawn
"""


def test_a_clause_is_cancelled_by_the_first_that_does_so(tmp_path: Path) -> None:
    """If two cancels hold, the explanation cites the first one, otherwise the one that holds."""
    state = rulekit.load(write_game(tmp_path, CANCELLED)).new(seed=1)
    for n, status, ref in (
        (1, "applied", ("1",)),
        (2, "cancelled", ("1", "3")),
        (5, "cancelled", ("1", "2")),
    ):
        line = next(line for line in state.explain("might", n).lines if line.name == "led")
        assert (line.status, line.ref) == (status, ref)


@pytest.mark.docs("language#the-rules-language-version-1")
def test_a_refusal_cites_the_paragraph_of_the_condition_else_of_the_option(tmp_path: Path) -> None:
    """7.1 is that of the failed condition."""
    state = rulekit.load(write_game(tmp_path, CANCELLED)).new(seed=1)
    state.apply("take")
    [why] = state.why("take")
    assert "it is taken" in why and "7.1" in why
    [why] = state.why("fought 4")
    assert "too many" in why and "7" not in why


IN_TURN = """
kind Tent = t1 | t2 | t3
  state tag: 0..9 clamp
state pot: 0..9 clamp
event tagged(t: Tent)
  t.tag += 6
  pot += 3
phase main
  repeat 3 times
    choose by red "what"
      option take(t: Tent)
        when t.tag > 5
        when 9 / pot down > 1
        tagged(t)
      option tag(t: Tent)
        tagged(t) when t = t2 and t.tag = 0
      option wait
        return when pot = 9
  finish none, drawn
"""


def test_a_condition_that_may_fail_is_asked_in_its_turn(tmp_path: Path) -> None:
    """It follows one that no member fulfils, so it is not evaluated, though it does not depend on
    the member."""
    folder = write_game(tmp_path, IN_TURN)
    assert_agreement(folder)
    options = rulekit.load(folder).new(seed=1).decision.options
    assert [option.key for option in options] == ["tag t1", "tag t2", "tag t3", "wait"]


NOTHING_LEGAL = """
state turn: 0..9
procedure asked
  choose by red
    option go
      when turn > 3
  turn := 9
phase main
  asked
  pick n from 1 .. 2 by red "and now"
  choose by red
    option stay
      when turn = 0
  turn := 5
  choose by red
    option go
      when turn < 5
  turn := 7
  finish none, never
"""


def test_a_choice_in_which_nothing_is_legal_skips_the_rest_of_its_block(tmp_path: Path) -> None:
    """Nobody is asked, and the enclosing procedure continues. A single legal option is still a
    decision."""
    assert_agreement(write_game(tmp_path, NOTHING_LEGAL), 0)
    state = rulekit.load(tmp_path).new(seed=1)
    assert state.get("turn") == 0 and state.decision is not None and state.decision.kind == "pick"
    state.apply("pick 1")
    assert [option.key for option in state.decision.options] == ["stay"]
    with pytest.raises(rulekit.RulesError, match="play ended without 'finish'"):
        state.apply("stay")


STANDING = """
state n: 0..9
standing shout in day "Shout"
  limit 2 per day by me
  n += 1
procedure inside in day
  choose by blue "inside"
    option on
      n += 0
procedure apart
  choose by blue "apart"
    option on
      n += 0
phase day
  choose by red "first"
    option go
      n += 0
  if n < 9
    choose by red "nothing is legal here"
      option never
        when n = 9
        n += 0
  inside
  apart
  pick k from 1 .. 2 by blue "how many"
phase main
  day
  choose by red "after"
    option go
      finish none, drawn
"""


@pytest.mark.docs("language#11-standing-options")
def test_a_standing_option_stands_beside_the_others_of_its_context(tmp_path: Path) -> None:
    """After it the same question returns. Alone it makes no decision. A procedure that is not `in`
    the context does not offer it, nor does a pick."""
    folder = write_game(tmp_path, STANDING)
    state, asked = rulekit.load(folder).new(), []
    while state.decision is not None:
        keys = [option.key for option in state.decision.options]
        asked.append((state.decision.player, keys))
        state.apply("shout" if state.decision.player == "red" and "shout" in keys else keys[0])
    assert asked == [
        ("red", ["go", "shout"]),
        ("red", ["go", "shout"]),
        ("red", ["go"]),
        ("blue", ["on", "shout"]),
        ("blue", ["on"]),
        ("blue", ["pick 1", "pick 2"]),
        ("red", ["go"]),
    ]
    assert state.get("n") == 2
    assert_agreement(folder)


def test_what_a_comparison_gave_can_be_saved_and_read(tmp_path: Path) -> None:
    """A state, a variable and a parameter have bool values at a decision."""
    game = rulekit.load(
        write_game(
            tmp_path,
            """state n: 0..9
state any: bool
phase main
  any := n > 0
  let few = n < 3
  ask(n < 5)
  n += 1 when few
  finish none, drawn
procedure ask(less: bool)
  choose by red
    option more
      n += 1 when less
""",
        )
    )
    state = game.new(seed=1)
    again = game.state_from_json(state.to_json())
    assert again == state
    again.apply("more")
    assert again.view(None)["state"]["n"] == 2
