"""The page on Python about states and seats, in small games: causes of refusals, plans, copies,
saves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulekit
from rulekit import Seat
from rulekit.engine.notation.move_parser import choose
from rulekit.engine.saves.recorder import Recorder, differences, replay
from tests.small_games import write_game

REFUSED = """
unit PA
kind Zone
kind Path joins Zone
kind Piece = p1(red) | p2(red) | p3(red) | p4(blue)
  fixed owner: Side
  state zone: Zone?
kind Card = ace | king
pool deck of Card seen by none
pool hand(s: Side) of Card seen by s
kind Block = k1(red) | k2(blue)
  fixed side: Side
  identity seen by side
state purse: 0..9 PA = 2
state trap: bool seen by blue
total strength(p: Piece): int
  base 2
  modifier owned +1 when p.owner = red
permit may_go(z: Zone)
  bar shut when z = north "it is shut" ref "7"
movement walk_of(g: set Piece)
  over Path b from a to z
  allowance 3
  cost 1
  may enter z != z_of "not there"
  may enter may_go(z)
  may end when z != middle "not here"
  on entry
    each p in g
      p.zone := z
define z_of: Zone = west
setup
  each p in Piece
    p.zone := south
  put ace in hand(red)
  put king in hand(blue)
phase main
  repeat 9 times
    day
  finish none, drawn
phase day
  choose by red "what"
    option strike(p: Piece)
      when p.owner = blue "one of yours" ref "1"
      when strength(p) >= 3 "too weak"
      purse += 0
    option buy(n: 1..3)
      with k = first(Piece where owner = red and n < 3 by 0)
      pays n * 1 PA from purse
      purse += 0 PA
    option shout
      limit 1 per game
      purse += 0 PA
    option play(c: Card)
      when c in hand(red)
      purse += 0 PA
    option turn(b: Block)
      when b.side = red
      purse += 0 PA
    option creep
      when not trap "a trap"
      purse += 0 PA
    option march
      pick group g from Piece where owner = red by red "who", 1 to 2
      walk walk_of(g) from south by red
    option rest
      return
    option done_with
      finish red, win
"""
MAP = """places:
  kind: Zone
  source: {assumed: "an example"}
  members: {south: {at: [0, 0]}, middle: {at: [1, 0]}, north: {at: [2, 0]}, west: {at: [0, 1]}, \
east: {at: [2, 2]}, far: {at: [3, 3]}, side: {at: [4, 4]}}
borders:
  kind: Path
  source: {assumed: "an example"}
  members: [{between: [south, middle]}, {between: [middle, north]}, {between: [south, west]}, \
{between: [middle, east]}, {between: [middle, far]}, {between: [south, side]}]
"""


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> rulekit.Game:
    folder = tmp_path_factory.mktemp("refusing")
    (folder / "map.yaml").write_text(MAP)
    return rulekit.load(write_game(folder, REFUSED))


@pytest.mark.docs("python#why-not")
@pytest.mark.parametrize(
    ("before", "key", "causes"),
    [
        ([], "strike p1", ["when"]),
        ([], "strike p4", ["when", "total"]),
        ([], "buy 3", ["with"]),
        (["buy 1"], "buy 2", ["pays"]),
        (["shout"], "shout", ["limit"]),
        ([], "play king", ["when"]),
        ([], "turn k2", ["unknown"]),
        ([], "creep", []),
        ([], "fly", ["none"]),
        ([], "add p1", ["moment"]),
        (["march"], "add p4", ["possible"]),
        (["march", "add p1"], "add p1", ["picked"]),
        (["march", "add p1", "go"], "to east", ["apart"]),
        (["march", "add p1", "go"], "to west", ["when"]),
        (["march", "add p1", "go"], "stop", ["start"]),
        (["march", "add p1", "go", "to middle"], "to south", ["been"]),
        (["march", "add p1", "go", "to middle"], "to north", ["bar"]),
        (["done_with"], "rest", ["over"]),
        (["done_with"], "fly", ["over"]),
    ],
)
def test_each_refusal_has_its_cause(
    refusing: rulekit.Game, before: list[str], key: str, causes: list[str]
) -> None:
    """It is one word for programs. An offered option has none."""
    state = refusing.new(seed=1)
    for choice in before:
        assert Seat(state, "red").why(choice) == []
        state.apply(choice)
    assert [reason.cause for reason in Seat(state, "red").why(key)] == causes


@pytest.mark.docs("python#why-not")
def test_what_hangs_on_a_secret_is_said_to_and_no_more(refusing: rulekit.Game) -> None:
    """The only reason is that it depends on hidden information, without the words of the rule.
    Other players see the same."""
    state = refusing.new(seed=1)
    state.set("trap", True)
    [reason] = Seat(state, "red").why("creep")
    assert reason.cause == "secret" and "trap" not in reason.text
    for player in ("blue", None):
        assert [each.cause for each in Seat(state, player).why("creep")] == ["other"]


CHANCES = """
kind Card = ace | king | queen
pool deck of Card seen by none
pool hand(s: Side) of Card seen by s
state sum_of: 0..99
state open: bool
event told(n: 0..9)
  sum_of += n
event shown(c: Card) reveals c
  sum_of += 1
moment bell asks blue
reaction ring at bell
  limit 1 per game
  sum_of += 1
setup
  each c in Card
    put c in deck
  draw 1 from deck to hand(red)
phase main
  repeat 9 times
    day
  finish none, drawn
phase day
  choose by red "what"
    option step
      told(1)
    option cast
      roll d = d6 by red for luck
      told(d)
    option draw_one
      draw 1 from deck to hand(red)
    option show
      put (the hand(red)) in table
    option chime
      open bell
    option hand_over
      choose by blue "you"
        option take
          told(2)
        option leave_it
          return
    option finish_it
      finish red, win
pool table of Card
"""


@pytest.fixture(scope="module")
def chancy(tmp_path_factory: pytest.TempPathFactory) -> rulekit.Game:
    return rulekit.load(write_game(tmp_path_factory.mktemp("chancy"), CHANCES))


@pytest.mark.docs("python#a-seat-what-is-asked-forecasts-plans")
@pytest.mark.parametrize(
    ("keys", "taken", "rest", "stopped_by"),
    [
        ([], 0, (), None),
        (["step"], 1, (), None),
        (["step", "step"], 2, (), None),
        (["cast"], 1, (), None),
        (["cast", "step"], 1, ("step",), "die"),
        (["step", "cast", "step", "step"], 2, ("step", "step"), "die"),
        (["draw_one", "step"], 1, ("step",), "draw"),
        (["show", "step"], 1, ("step",), "reveal"),
        (["chime", "step"], 1, ("step",), "window"),
        (["hand_over", "step"], 1, ("step",), "choice"),
        (["step", "fly", "step"], 1, ("fly", "step"), "key"),
        (["finish_it", "step"], 1, ("step",), "end"),
    ],
)
def test_a_plan_goes_on_to_the_first_that_was_not_foreseen(
    chancy: rulekit.Game, keys: list[str], taken: int, rest: tuple[str, ...], stopped_by: str | None
) -> None:
    """The result is the number of executed choices, the rest, and the reason of the stop: words for
    a key and for the end."""
    state = chancy.new(seed=1)
    done = Seat(state, "red").plan(keys)
    assert (done.taken, done.rest, done.stopped_by) == (taken, rest, stopped_by)
    assert bool(done.why) == (stopped_by in ("key", "end"))
    assert [option.key for option in state.choices] == keys[:taken]
    before = chancy.new(seed=1)
    for _ in range(taken):
        state.undo()
    assert state == before


def test_who_is_not_asked_plans_nothing(chancy: rulekit.Game) -> None:
    state = chancy.new(seed=1)
    for player in ("blue", None):
        done = Seat(state, player).plan(["step"])
        assert (done.taken, done.rest, done.stopped_by) == (0, ("step",), "choice")
    assert state == chancy.new(seed=1)


@pytest.mark.docs("python#choices", "python#searches")
def test_a_copy_has_the_whole_course_or_none_of_it(chancy: rulekit.Game) -> None:
    """This covers events, choices, undo and redo, each separately."""
    state = chancy.new(seed=1)
    for key in ("step", "cast", "step"):
        state.apply(key)
    state.undo()
    state.undo()
    copy, bare = state.clone(), state.clone(history=False)
    assert copy == bare == state and hash(copy) == hash(state)
    assert [event.to_json() for event in copy.events] == [event.to_json() for event in state.events]
    assert copy.history() == state.history() and len(copy.history()) == 1
    assert len(bare.events) == 0 and bare.history() == []
    for nothing in (bare.undo, bare.redo):
        with pytest.raises(rulekit.IllegalChoice):
            nothing()
    assert [event.name for event in copy.redo()][:2] == ["die_rolled", "told"]
    assert [event.name for event in copy.redo()][:1] == ["told"]
    assert copy != state and len(state.events) + 5 == len(copy.events) and state.move_number() == 1
    assert [event.to_json() for event in state.redo()] == [
        event.to_json() for event in list(copy.events)[-5:-2]
    ]
    with pytest.raises(rulekit.IllegalChoice):
        for _ in range(9):
            copy.redo()


@pytest.mark.docs("python#searches")
def test_after_another_choice_nothing_of_what_was_taken_back_comes_again(
    chancy: rulekit.Game,
) -> None:
    """This holds for any number of undos. A refused choice does not discard them."""
    state = chancy.new(seed=1)
    for key in ("step", "step", "step"):
        state.apply(key)
    last = state.history()[-1]
    assert [state.undo(), state.undo()] == [last, last]
    with pytest.raises(rulekit.IllegalChoice):
        state.apply("fly")
    state.redo()
    assert state.move_number() == 2
    state.undo()
    state.undo()
    state.apply("cast")
    with pytest.raises(rulekit.IllegalChoice, match="there is nothing to redo"):
        state.redo()


@pytest.mark.docs("python#a-game-and-its-states")
def test_the_first_dice_are_those_that_are_given_and_then_the_seeds(chancy: rulekit.Game) -> None:
    """They are in order: a draw by its number, then sums of dice. Later ones depend only on the
    seed."""

    def rolled(seed: int) -> tuple[int, ...]:
        state = chancy.new(seed=seed, dice=[1, 2, 6])
        assert state.get("hand.red") == ["king"]
        for _ in range(6):
            state.apply("cast")
        return tuple(event.params["value"] for event in state.events if event.name == "die_rolled")

    found = [rolled(seed) for seed in (7, 7, 8, 9)]
    assert {each[:2] for each in found} == {(2, 6)}
    assert found[0] == found[1] and len({each[2:] for each in found}) == 3


@pytest.mark.docs("python#searches")
def test_another_seed_rolls_otherwise_and_what_is_hidden_stays(chancy: rulekit.Game) -> None:
    """In a copy without history, dealt things stay where they are. The state itself continues with
    its own dice."""
    state = chancy.new(seed=7)
    state.apply("step")
    falls = set()
    for seed in range(12):
        other = state.reseeded(seed)
        assert (
            other.get("hand.red") == state.get("hand.red")
            and other.history() == []
            and len(other.events) == 0
        )
        other.apply("cast")
        falls.add(other.events[0].params["value"])
    assert len(falls) > 2
    twin = state.clone()
    state.apply("cast")
    twin.apply("cast")
    assert state == twin


@pytest.mark.docs("python#searches")
def test_ids_stand_as_the_options_do(chancy: rulekit.Game, refusing: rulekit.Game) -> None:
    """They are in the order of the options, ascending within each kind, and each id is that of the
    option."""
    for game in (chancy, refusing):
        state = game.new(seed=1)
        assert state.decision is not None
        ids = state.legal_actions()
        assert ids == [option.id for option in state.decision.options] and len(set(ids)) == len(ids)
        assert [state.action_to_string(id) for id in ids] == [
            option.key for option in state.decision.options
        ]
        verbs: dict[str, list[int]] = {}
        for option in state.decision.options:
            verbs.setdefault(option.key.split()[0], []).append(option.id)
        assert (
            all(each == sorted(each) for each in verbs.values())
            and min(ids) > 0
            and max(ids) < state.num_distinct_actions()
        )


RULED = """
phase main
  repeat 3 times
    choose by red "what"
      option cast
        roll d = d6 by red for luck
        finish red, early when taker is early and d > 9
  finish none, drawn
"""
RULING = (
    "- id: taker\n  question: Who wins?\n  ref: ['1']\n  alternatives: {early: one, late: two}\n "
    " default: early\n  reason: a test\n"
)


def test_what_a_save_says_otherwise_is_told_in_words(tmp_path: Path) -> None:
    """Version and rules are compared only if the rules differ, scenario and rulings by name. If all
    is equal, nothing is reported."""
    (tmp_path / "rulings.yaml").write_text(RULING)
    game = rulekit.load(write_game(tmp_path, RULED))
    recorder = Recorder(game, game.new(seed=1), {"red": "human", "blue": "human"})
    for _ in range(2):
        recorder.apply("cast")
    save, program = recorder.save, game.program()
    assert differences(game, save, program) == [] and replay(game, save).ok

    def told(**changes: object) -> list[str]:
        save.header, kept = {**save.header, **changes}, save.header
        try:
            return differences(game, save, program)
        finally:
            save.header = kept

    [line] = told(rules="0" * 16)
    assert "0" * 16 in line and program.rules in line
    version, _ = told(rules="0" * 16, game_version="0.9")
    assert "0.9" in version and "1.0" in version
    assert told(game_version="0.9") == []
    [line] = told(scenario="dusk")
    assert "dusk" in line
    [line] = told(rulings={"taker": "late"})
    assert "taker" in line and "late" in line and "early" in line
    [line] = told(rulings={"taker": "early", "other": "gold"})
    assert "other" in line and "gold" in line
    [line] = told(rulings={})
    assert "taker" in line


@pytest.mark.parametrize(("to", "choices"), [(None, 2), (0, 0), (1, 1), (2, 2), (9, 2)])
def test_a_save_is_played_up_to_so_many_choices(
    tmp_path: Path, to: int | None, choices: int
) -> None:
    """`to` is the maximum, and undone choices do not count."""
    game = rulekit.load(
        write_game(tmp_path, RULED.replace(" when taker is early and d > 9", " when d > 9"))
    )
    recorder = Recorder(game, game.new(seed=1), {})
    for _ in range(2):
        recorder.apply("cast")
    recorder.state.undo()
    recorder.undone()
    recorder.apply("cast")
    done = replay(game, recorder.save, to=to)
    assert done.ok and done.choices == done.state.move_number() == choices
    assert sum(event.name == "die_rolled" for event in done.state.events) == choices


NUMBERED = """
event noted(n: 1..3)
phase main
  repeat 3 times
    pick n from 1 .. 3 by red "which"
    noted(n)
  finish none, drawn
"""


@pytest.mark.parametrize(("to", "stand"), [(1, [1]), (2, [1, 3]), (3, [1, 3, 2])])
def test_a_save_is_played_up_to_choices_that_stand(
    tmp_path: Path, to: int, stand: list[int]
) -> None:
    """An undone choice is not among the first `to`, though another one took its place."""
    game = rulekit.load(write_game(tmp_path, NUMBERED))
    recorder = Recorder(game, game.new(seed=1), {})
    for n in (1, 2):
        recorder.apply(f"pick {n}")
    recorder.state.undo()
    recorder.undone()
    for n in (3, 2):
        recorder.apply(f"pick {n}")
    assert [
        event.params["n"]
        for event in replay(game, recorder.save, to=to).state.events
        if event.name == "noted"
    ] == stand


@pytest.mark.docs("python#saves")
@pytest.mark.parametrize("at", ["first", "last"])
def test_an_event_too_many_or_too_few_is_a_difference(tmp_path: Path, at: str) -> None:
    """This holds for the set-up and for a choice."""
    game = rulekit.load(write_game(tmp_path, CHANCES))
    for change in ("more", "less", "other"):
        recorder = Recorder(game, game.new(seed=1), {})
        recorder.apply("cast")
        record = recorder.save.records[0 if at == "first" else -1]
        record.events = {
            "more": [*record.events, ["told", {"n": 1}]],
            "less": record.events[:-1],
            "other": [*record.events[:-1], ["told", {"n": 9}]],
        }[change]
        done = replay(game, recorder.save)
        assert (
            not done.ok
            and done.first_difference is not None
            and done.first_difference["line"] == record.number
        )


@pytest.mark.docs("python#views-queries-copies")
def test_a_value_that_cannot_be_is_named(chancy: rulekit.Game) -> None:
    """The error names the cell of any wrong value."""
    state = chancy.new(seed=1)
    data = json.loads(state.to_json())
    cell, keys = state.names.cell("sum_of")
    data["state"][cell.base] = 100
    with pytest.raises(rulekit.SaveError, match="sum_of"):
        chancy.state_from_json(json.dumps(data))
    assert not keys


@pytest.mark.docs("python#a-game-and-its-states")
def test_a_game_is_loaded_by_folder_or_name_with_overlays_in_a_language(tmp_path: Path) -> None:
    """An overlay applies to the game that is loaded with it, and to no other."""
    (tmp_path / "counters.yaml").write_text(
        "source: {text: a sheet}\nmembers: {red.H1: {strength: 4}}\n"
    )
    folder = Path(__file__).resolve().parents[3] / "examples" / "skirmish"

    def strength(game: rulekit.Game) -> object:
        return next(
            member.printed["strength"]
            for member in rulekit.sheet(game).kind("Piece").members
            if member.id == "red.H1"
        )

    assert [
        strength(rulekit.load(folder, overlays=each))
        for each in ([], [tmp_path / "counters.yaml"], [str(tmp_path / "counters.yaml")], [])
    ] == [2, 4, 4, 2]
    assert (
        rulekit.load("sphacteria").name == "sphacteria"
        and rulekit.load(str(folder)).name == "skirmish"
    )
    assert [
        rulekit.load("sphacteria", lang=lang).new(seed=7).names.lang for lang in ("en", "fr")
    ] == ["en", "fr"]
    with pytest.raises(rulekit.RulekitError):
        rulekit.load("no_such_game")


def test_more_than_a_group_may_have_are_refused_whole(refusing: rulekit.Game) -> None:
    """The message has the maximum, and picked members are put back."""
    state = refusing.new(seed=1)
    with pytest.raises(
        rulekit.IllegalChoice, match=r"'p3' cannot be added here: .*no more than 2 here"
    ):
        choose(state, "march p1 p2 p3 to middle")
    assert state == refusing.new(seed=1)


def test_a_save_with_other_rulings_under_the_same_rules_is_not_as_recorded(tmp_path: Path) -> None:
    """This holds although every event is the same."""
    (tmp_path / "rulings.yaml").write_text(RULING)
    game = rulekit.load(write_game(tmp_path, RULED))
    recorder = Recorder(game, game.new(seed=1), {})
    recorder.apply("cast")
    assert replay(game, recorder.save).ok
    recorder.save.header["rulings"] = {}
    done = replay(game, recorder.save)
    assert done.first_difference is None and len(done.differences) == 1 and not done.ok


LED = """
kind Piece = p1 | p2 | p3
  state gone: bool
phase main
  repeat 9 times
    choose by red "what"
      option march
        pick group g from Piece by red "who"
        each p in g
          p.gone := true
      option council
        choose by red "and then"
          option slow_march
            pick group g from Piece by red "who"
            each p in g
              p.gone := true
          option rest
            return
      ANOTHER
      option stop
        return
"""
SWIFT = """option swift_march
        pick group g from Piece by red "who"
        each p in g
          p.gone := true"""


@pytest.mark.parametrize(
    ("another", "keys", "stopped_by", "leads"),
    [
        ("", ("march", "add p1"), "group", set()),
        (SWIFT, (), "several", {("march",), ("swift_march",), ("council", "slow_march")}),
    ],
)
def test_the_way_with_the_fewest_choices_leads_to_a_group(
    tmp_path: Path,
    another: str,
    keys: tuple[str, ...],
    stopped_by: str,
    leads: set[tuple[str, ...]],
) -> None:
    """A longer one does not count. If two are equally short nothing is chosen, and all of them are
    reported."""
    state = rulekit.load(
        write_game(
            tmp_path,
            LED.replace("      ANOTHER\n", f"      {another}\n" if another else "")
            + "  finish none, drawn\n",
        )
    ).new(seed=1)
    found = Seat(state, "red").forecast(["add p1"])
    assert found.keys[:2] == keys and set(found.leads) == leads
    assert not leads or found.stopped_by == stopped_by


def test_who_has_two_options_is_not_forced(chancy: rulekit.Game) -> None:
    """Players who do not decide are not forced either."""
    state = chancy.new(seed=1)
    state.apply("hand_over")
    asked = [Seat(state, player).decision() for player in ("blue", "red", None)]
    assert [(each.forced, each.options is None) for each in asked if each is not None] == [
        (False, False),
        (False, True),
        (False, True),
    ]
