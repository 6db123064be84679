"""Moments, reactions, hooks and repeated rolls in short games: the players, options, order and
effects."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from tests.compiler.checked_rules import findings
from tests.language.played_choices import HEAD, cell_values, describe_events, play_choices
from tests.small_games import write_game

KNOWN = """
moment odds_known in clash asks attacker, attacker.enemy
moment parley(who: Side, n: 0..9) -> bool default false asks who.enemy
procedure clash(z: Spot, attacker: Side)
  open odds_known
  let stopped = open parley(attacker, 4)
  return when stopped
  got += 100
reaction ambush at odds_known "Ambush"
  when me != attacker and z = s2
  limit 1 per clash by me
  got += 1
reaction truce at parley "Truce"
  when who = red and n = 4
  limit 1 per game by me
  answer true
phase main
  clash(s2, red)
  clash(s1, blue)
  clash(s2, red)
  finish none, drawn
"""


@pytest.mark.docs("language#12-moments-reactions-hooks")
def test_a_reaction_knows_what_its_moment_and_the_context_of_that_know() -> None:
    """It knows the attacker, the place, and the arguments of the moment. A limit per clash is reset
    in the next one."""
    asked, reference = play_choices(KNOWN, "ambush", "truce", "ambush")
    assert asked == ["b ambush", "b truce", "b ambush"] and cell_values(reference, "got") == [202]
    asked, reference = play_choices(KNOWN, "pass", "pass", "pass", "truce")
    assert asked == ["b ambush", "b truce", "b ambush", "b truce"] and cell_values(
        reference, "got"
    ) == [200]


FOR_ANOTHER = """
moment contact in clash asks attacker
procedure clash(z: Spot, attacker: Side)
  open contact
reaction powder at contact "Powder"
  for blue
  limit 1 per game
  got += 1
REST
phase main
  clash(s1, red)
  finish none, drawn
"""
OF_THE_ATTACKER = """reaction charge at contact "Charge"
  limit 1 per game
  got += 10
"""


@pytest.mark.docs("language#12-moments-reactions-hooks")
@pytest.mark.parametrize(
    ("rest", "passes", "wanted"),
    [
        ("", 1, ["b powder"]),
        (OF_THE_ATTACKER, 2, ["b powder", "r charge"]),
        (OF_THE_ATTACKER.replace("limit", "when me = blue\n  limit"), 1, ["b powder"]),
    ],
)
def test_for_names_a_player_in_place_of_those_whom_the_moment_asks(
    rest: str, passes: int, wanted: list[str]
) -> None:
    """They are asked first, and the others only about the reactions without `for`."""
    asked, _ = play_choices(FOR_ANOTHER.replace("REST", rest), *["pass"] * passes)
    assert asked == wanted


DEFAULTS = """
moment early -> bool default true asks red
moment later -> 0..9 default 6 asks red
moment nobody -> 0..9 default 3 asks red
reaction no_more at early
  limit 1 per game
  answer false
reaction sevens at later
  limit 1 per game
  answer 7
phase main
  repeat 2 times
    let a = open early
    let b = open later
    let c = open nobody
    got := got * 1000 + b * 10 + c
    more := more * 10 + (1 if a else 2)
  finish none, drawn
"""


def test_an_answer_is_that_of_this_time_only() -> None:
    """Opened again, the moment has its default again. One without reactions always has its
    default."""
    _, reference = play_choices(DEFAULTS, "no_more", "sevens")
    assert cell_values(reference, "got", "more") == [73063, 21]


GROUP = """
event hit(n: 0..9)
  got += n
event struck
  got += 10
event told
  got += 1
moment dawn in day asks blue
moment noon in day asks red, blue
moment any_time in day = dawn, after hit, before struck asks red, blue
reaction refuse at any_time
  limit 1 per day by me
  more += 1
phase day
  noon_there
  open noon
  open dawn
  hit(1)
  told
  struck
procedure noon_there in day
  hit(2)
phase main
  hit(1)
  open_outside
  day
  struck
  finish none, drawn
procedure open_outside
  hit(1)
"""


def test_a_group_of_moments_is_each_of_its_points_and_no_other() -> None:
    """It is open while its context runs, with all its calls. It asks the sides that it names, and a
    moment those that it names itself."""
    asked, _ = play_choices(GROUP, *["pass"] * 9)
    assert asked == [
        "r refuse",
        "b refuse",  # after the hit by a procedure
        "b refuse",  # at dawn (noon is not one of its points)
        "r refuse",
        "b refuse",  # after the hit
        "r refuse",
        "b refuse",
    ]  # before the blow
    asked, _ = play_choices(GROUP, "refuse", "pass", "refuse")
    assert asked == [
        "r refuse",
        "b refuse",
        "b refuse",
    ], "the limit is one in all of them, for each"


GROUPS = """
state mover: Side
event hit(n: 0..9)
  got += n
event healed
  got += 10
procedure fight(attacker: Side)
  hit(2)
moment dawn asks blue
moment theirs = after hit, dawn asks red
moment ours = after hit, after healed asks mover.enemy
moment fray in fight = after hit asks attacker
reaction parry at theirs
  limit 1 per hit by me
  more += 1
reaction pounce at ours
  limit 1 per hit by me
  more += 10
reaction stab at fray
  limit 1 per hit by me
  more += 100
reaction shout after hit
  for blue
  limit 1 per hit by me
  more += 1000
reaction rest after healed
  limit 1 per day by me
  more += 10000
phase day
  hit(1)
  healed
phase main
  MOVES
  day
  open dawn
  fight(blue)
  finish none, drawn
"""


@pytest.mark.docs("language#12-moments-reactions-hooks")
@pytest.mark.parametrize(
    "mover, wanted",
    [
        (
            "red",
            [
                "b pounce shout",
                "r parry",
                "b pounce rest",
                "r rest",
                "b parry",
                "b pounce stab shout",
                "r parry",
            ],
        ),
        (
            "blue",
            [
                "b shout",
                "r parry pounce",
                "r pounce rest",
                "b rest",
                "b parry",
                "b stab shout",
                "r parry pounce",
            ],
        ),
    ],
)
def test_each_reaction_is_offered_to_those_whom_its_own_moment_asks(
    mover: str, wanted: list[str]
) -> None:
    """Several groups on one event each ask their sides about their own reactions. `for` takes
    precedence, and a group without sides asks all."""
    asked, _ = play_choices(GROUPS.replace("MOVES", f"mover := {mover}"), *["pass"] * 9)
    assert asked == wanted


ASKED = """
state chosen: Side?
event hit(s: Side)
  got += 1
event healed(s: Side)
  more += 1
reaction parry after hit
  for s.enemy
  limit 1 per game by me
  more += 1
reaction cry after hit
  for s
  limit 1 per game by me
  more += 10
reaction crown after healed
  for chosen
  limit 1 per healed by me
  more += 1
phase main
  hit(red)
  hit(blue)
  healed(red)
  chosen := blue
  healed(red)
  finish none, drawn
"""


def test_for_says_who_is_asked_and_nobody_else_may_do_it() -> None:
    """Each side has its own reactions. If `for` names nobody, nobody is asked."""
    asked, reference = play_choices(ASKED, "pass", "pass", "pass", "pass", "crown")
    assert asked == ["b parry", "r cry", "r parry", "b cry", "b crown"]
    assert cell_values(reference, "more") == [2 + 1]


HOOKS = """
event removed(s: Spot, n: 0..9)
  got += n
on before removed when s = s1
  more := 3 * more + 1
on after removed when n > 1
  more := 10 * more + got
on after removed
  more := more + 1 when s = s2
reaction look after removed
  for red
  when more > 50
  limit 1 per removed
  got += 50
phase main
  removed(s1, 1)
  removed(s3, 2)
  removed(s2, 3)
  finish none, drawn
"""


@pytest.mark.docs("language#12-moments-reactions-hooks")
def test_hooks_run_in_order_before_anybody_is_asked() -> None:
    """The order is: hooks before the event, the event, hooks after it whose conditions hold, then
    reactions, which see their effects."""
    asked, reference = play_choices(HOOKS, "look")
    # 1; then 13; then 10 * 13 + 6, and one more
    assert asked == ["r look"] and cell_values(reference, "got", "more") == [56, 137]


ROLLED = """
event told(p: Purpose, s: Side, n: 0..99)
  got := got * 100 + n
setup
  roll rain = d6 by blue for weather
procedure fight(attacker: Side)
  roll d = 2d6 by attacker for combat
  more := more * 100 + d
on after die_rolled
  told(purpose, who, value)
on after die_rolled when value = 12 or value = 1
  luck += 1
state luck: 0..9
phase main
  fight(red)
  fight(blue)
  more := more * 10 + count(Purpose)
  finish none, drawn
"""


@pytest.mark.docs("language#12-moments-reactions-hooks")
def test_what_hangs_on_a_roll_knows_for_what_by_whom_and_what_came() -> None:
    """The members of Purpose are all purposes of rolls in the rules, including the setup."""
    _, reference = play_choices(ROLLED, dice=[1, 12, 3])
    assert describe_events(reference) == [
        "weather 1",
        "told 1 1 1",
        "combat 12",
        "told 0 0 12",
        "combat 3",
        "told 0 1 3",
    ]
    assert reference.model.purposes == ["combat", "weather"]
    assert cell_values(reference, "got", "more", "luck") == [11203, 12032, 2]


AGAIN = """
state advantage: Side?
event told(n: 0..9)
  got += 1
reaction reroll after die_rolled
  for advantage
  when purpose in {combat, storm}
  LIMIT
  more += 1
  answer redo
reaction shout after die_rolled
  for red
  limit 1 per die_rolled by me
  more += 100
on after die_rolled when value < 3
  told(value)
on after die_rolled when value = 6
  told(0)
  answer redo
on after die_rolled when value = 6
  told(9)
phase main
  advantage := blue
  roll calm = d6 by red for calm
  roll d = d6 by red for combat
  told(d)
  roll e = d6 by red for storm
  told(e)
  finish none, drawn
"""


@pytest.mark.docs("language#12-moments-reactions-hooks")
def test_a_roll_that_is_made_again_is_a_roll_of_its_own_with_all_that_hangs_on_it() -> None:
    """The old one is reported as cancelled and has no further reactions. Hooks run after each roll,
    and the code after it uses the final result."""
    rules = AGAIN.replace("LIMIT", "limit 1 per die_rolled")
    asked, reference = play_choices(
        rules, "pass", "reroll", "pass", "reroll", "pass", dice=[1, 2, 3, 4, 5]
    )
    assert asked == ["r shout", "b reroll", "r shout", "b reroll", "r shout"]
    assert describe_events(reference) == [
        "calm 1",
        "told 1",
        "combat 2",
        "told 2",
        "-combat 2",
        "combat 3",
        "told 3",
        "storm 4",
        "-storm 4",
        "storm 5",
        "told 5",
    ]
    assert cell_values(reference, "got", "more") == [4, 2]


def test_hooks_run_after_a_roll_that_one_of_them_cancels_and_nobody_is_asked() -> None:
    """All hooks run, and the window stays closed until a roll is final."""
    asked, reference = play_choices(
        AGAIN.replace("LIMIT", "limit 1 per die_rolled"), "shout", dice=[6, 6, 1, 5]
    )
    assert asked == ["r shout", "b reroll"]
    assert describe_events(reference) == ["calm 6", "told 0", "told 9", "-calm 6"] * 2 + [
        "calm 1",
        "told 1",
        "combat 5",
    ]


@pytest.mark.parametrize(
    ("limit", "wanted"),
    [
        ("limit 1 per die_rolled", ["r shout", "b reroll", "r shout", "b reroll", "r shout"]),
        (
            "limit 2 per die_rolled",
            ["r shout", "b reroll", "b reroll", "r shout", "b reroll", "b reroll", "r shout"],
        ),
        ("limit 1 per game", ["r shout", "b reroll", "r shout", "r shout"]),
    ],
)
def test_a_limit_per_roll_is_for_it_with_all_its_repetitions(limit: str, wanted: list[str]) -> None:
    """It is reset for the next roll."""
    choices = ["reroll" if "reroll" in each else "pass" for each in wanted]
    asked, _ = play_choices(AGAIN.replace("LIMIT", limit), *choices, dice=[3, 4, 5, 4, 5, 4, 5])
    assert asked == wanted


BY_EACH = """
reaction reroll after die_rolled
  limit 1 per die_rolled BY
  when purpose is combat
  answer redo
reaction cry after die_rolled
  when purpose is calm
  limit 1 per die_rolled
  got += 1
state calls: 0..9 per die_rolled
on after die_rolled
  calls += 1
  more := more * 10 + calls
phase main
  roll d = d6 by red for combat
  roll e = d6 by red for calm
  finish none, drawn
"""


@pytest.mark.docs("language#12-moments-reactions-hooks")
@pytest.mark.parametrize(
    ("by", "wanted", "more"),
    [("", ["b reroll", "r cry"], 121), ("by me", ["r reroll", "b reroll", "r cry"], 1231)],
)
def test_one_cancelled_roll_by_anybody_or_one_by_each(
    by: str, wanted: list[str], more: int
) -> None:
    """A state per roll also lasts for its repetitions. Without `for` both sides are asked."""
    passes = ["pass"] if not by else []
    asked, reference = play_choices(
        BY_EACH.replace("BY", by), *passes, *[each[2:] for each in wanted], dice=[1, 2, 3, 4]
    )
    assert asked == (["r reroll"] if not by else []) + wanted
    assert cell_values(reference, "more") == [more]


INSIDE = """
event hit
  got += 1
reaction lucky after hit
  for red
  limit 1 per hit
  roll a = d6 by red for luck
on after hit
  roll b = d6 by red for fate
reaction reroll after die_rolled
  for blue
  limit 2 per die_rolled
  roll c = d6 by blue for omen
  answer redo
on after die_rolled when purpose is battle
  more += 1
  roll d = d6 by blue for omen
on after die_rolled when purpose is omen
  more += 1000
phase main
  roll e = d6 by red for battle
  hit
  finish none, drawn
"""


def test_of_a_roll_inside_of_what_hangs_on_a_roll_nobody_is_asked_and_no_hook_runs() -> None:
    """A roll inside a reaction or hook of something else has hooks and reactions."""
    asked, reference = play_choices(
        INSIDE, "reroll", "pass", "pass", "lucky", "pass", dice=[1, 2, 3, 4, 5, 6, 1, 2]
    )
    assert asked == ["b reroll", "b reroll", "b reroll", "r lucky", "b reroll"]
    assert describe_events(reference) == [
        "battle 1",
        "omen 2",
        "omen 3",
        "-battle 1",
        "battle 4",
        "omen 5",
        "hit",
        "fate 6",
        "luck 1",
    ]
    assert cell_values(reference, "more") == [2]


CLASH = """
event hit
  got += 1
procedure clash(z: Spot, attacker: Side)
  roll d = 2d6 by attacker for combat
  roll e = 2d6 by attacker for retreat
moment rolled in clash = after die_rolled asks attacker.enemy
reaction stand_fast at rolled
  when z = s2 and value >= 11 and purpose is combat and who = attacker
  limit 2 per game by me
  answer redo
phase main
  roll f = 2d6 by blue for combat
  clash(s1, red)
  clash(s2, red)
  clash(s2, blue)
  finish none, drawn
"""


def test_a_group_of_nothing_but_rolls_knows_its_context_and_the_roll() -> None:
    """Outside of its context it asks nobody."""
    asked, reference = play_choices(
        CLASH, "stand_fast", "pass", dice=[12, 12, 12, 11, 10, 12, 12, 12]
    )
    assert asked == ["b stand_fast", "r stand_fast"]
    assert describe_events(reference)[3:6] == ["combat 11", "-combat 11", "combat 10"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "= after die_rolled asks",
            "= after hit, after die_rolled asks",
            ["RK305 15", "RK305 15", "RK305 15", "RK505 17"],
        ),
        ("z = s2 and value", "d = 11 and value", ["RK301 15"]),
        ("phase main", "phase main\n  answer redo", ["RK505 19"]),
        ("phase main", "on after hit\n  answer redo\nphase main", ["RK505 19"]),
        ("phase main", "on before die_rolled\n  answer redo\nphase main", ["RK505 19"]),
    ],
)
def test_no_other_group_knows_the_roll_or_makes_it_again(
    old: str, new: str, told: list[str]
) -> None:
    _, found = findings(HEAD + CLASH.replace(old, new))
    assert [each.split(":")[0] for each in found] == told


TEXTS = """
state got: 0..99
event hit(n: 0..9)
  got += n
moment dusk asks blue
moment late in main = dusk, after struck asks blue
event struck
  got += 1
reaction parry before hit
  for blue
  limit 1 per game
  answer stop
reaction cry after hit
  for blue
  limit 1 per game
  got += 1
reaction sing at late
  limit 3 per game
  got += 1
phase main
  hit(4)
  open dusk
  struck
  roll d = d6 by red for combat
  finish none, drawn
reaction again after die_rolled
  for blue
  limit 1 per game
  answer redo
"""


def test_a_window_asks_with_the_text_of_its_moment(tmp_path: Path) -> None:
    """A group asks with the text of its current point. It may name the arguments of its event."""
    folder = write_game(tmp_path, TEXTS)
    (folder / "texts").mkdir()
    keys = ("before.hit", "after.hit", "dusk", "after.struck", "after.die_rolled")
    (folder / "texts" / "en.yaml").write_text(
        "".join(f'moment.{key}: "{key}{" {n}" * key.endswith("hit")}"\n' for key in keys)
    )
    state, asked = rulekit.load(folder).new(seed=1), []
    while state.decision is not None:
        asked.append(state.decision.prompt)
        state.apply("pass")
    assert asked == ["before.hit 4", "after.hit 4", *keys[2:]]


@pytest.mark.parametrize(
    "loop", ["repeat", "repeat until got > 3", "repeat while got < 3", "while got < 3"]
)
def test_no_loop_is_without_a_bound(loop: str) -> None:
    model, found = findings(HEAD + f"phase main\n  {loop}\n    got += 1\n  finish none, drawn\n")
    assert model is None and any(each.startswith("RK2") for each in found), found


@pytest.mark.parametrize(
    ("least", "most", "die", "fits"),
    [(0, 9, 12, False), (2, 12, 1, False), (1, 12, 12, True), (1, 12, 1, True)],
)
def test_the_value_of_a_roll_is_any_that_the_dice_can_give(
    tmp_path: Path, least: int, most: int, die: int, fits: bool
) -> None:
    """For one die or two, a roll outside of a narrower promised range is found."""
    rules = f"""state got: 0..99
event told(n: {least}..{most})
  got := n
on after die_rolled when value = {die}
  told(value)
phase main
  roll a = d6 by red for luck
  roll b = 2d6 by red for luck
  pick n from 1 .. 2 by red
  finish none, drawn
"""
    game, dice = rulekit.load(write_game(tmp_path, rules)), [1, 7] if die == 1 else [2, 12]
    if fits:
        assert game.new(seed=1, dice=dice).get("got") == die
        return
    with pytest.raises(rulekit.RulesError, match="outside of"):
        game.new(seed=1, dice=dice)
