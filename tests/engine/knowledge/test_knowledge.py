"""A player's knowledge and information set: undo, auto-pass, pools, reports of moves, and a seat's
determinizations."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.terminal.auto_pass import Skips
from rulekit.engine.knowledge.determinizations import determinize
from rulekit.engine.knowledge.masked_options import MaskedOptions
from rulekit.engine.knowledge.observation import Observer
from tests.small_games import assert_agreement, write_game

FACES = """
kind Chit = storm | spy | calm | gale | fog
pool hand(s: Side) of Chit seen by s
pool cup of Chit seen by none
pool table of Chit
setup
  each c in Chit
    put c in hand(red)
phase main
  pick c from hand(red) by red "face down"
  put c in cup
  pick c2 from hand(red) by red "to the other"
  put c2 in hand(blue)
  pick c3 from hand(red) by red "face up"
  put c3 in table
  pick n from 1 .. 2 by red "and now"
  put c3 in hand(red)
  pick n2 from 1 .. 2 by red "and then"
  finish none, drawn
"""


def test_what_leaves_a_hand_for_the_open_cannot_be_taken_back(tmp_path: Path) -> None:
    """A thing that one side saw is revealed when it is laid in public view. It is not if it is laid
    face down or picked up from there."""
    state = rulekit.load(write_game(tmp_path, FACES)).new(seed=1)
    whys = []
    while state.decision is not None:
        state.apply(state.decision.options[0])
        whys.append(state.undo_refusal("red"))
    assert whys == ["", "", "something was revealed", "", ""]


HAPPENS = """
kind Chit = storm | spy | calm
pool cup of Chit seen by none
pool hand(s: Side) of Chit seen by s
state times: 0..9
event told(c: Chit) reveals c
event nothing
  times += 1
setup
  each c in Chit
    put c in cup
moment calm_hour asks red
reaction shout at calm_hour
  limit 1 per day by me
  nothing
phase day
  open calm_hour
  nothing
  open calm_hour
  HAPPENING
  open calm_hour
phase main
  each s in Side
    day
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("happening", "ends"),
    [
        ("draw 1 from cup to hand(blue)", True),
        ("told(storm)", True),
        ("roll d = d6 by red for luck", True),
        ("nothing", False),
    ],
)
def test_a_wish_until_something_happens_ends_with_a_die_a_draw_or_a_reveal(
    tmp_path: Path, happening: str, ends: bool
) -> None:
    """The wish is for windows without news. One for the turn lasts until the turn ends, whatever
    happens."""
    game = rulekit.load(write_game(tmp_path, HAPPENS.replace("HAPPENING", happening)))
    for words, held in (
        ([], [True, not ends]),
        (["turn"], [True, True]),
        (["all", "turn"], [True, True]),
        (["game"], [True, True, True]),
    ):
        state, skips = game.new(seed=1), Skips()
        skips.set(state, state.decision, words)
        found = []
        while state.decision is not None:
            found.append(skips.passes(state, state.decision))
            state.apply("pass")
        assert found[: 1 + len(held)] == [True, *held], words
        assert found[3] is (words == ["game"] or (not words and not ends))


OPENLY = """
kind Chit = storm | spy | calm | gale
pool table of Chit
pool cup of Chit seen by none
pool bag of Chit seen by none
pool hand(s: Side) of Chit seen by s
setup
  each c in Chit
    put c in table
phase main
  gather table to cup
  pick n from 1 .. 2 by red "laid in openly"
  put storm in bag
  pick n2 from 1 .. 2 by red "one to the bag, openly"
  draw 1 from cup to hand(red)
  pick n3 from 1 .. 2 by red "one drawn"
  finish none, drawn
"""


def test_what_all_have_seen_laid_down_they_know_until_one_is_drawn_from_it(tmp_path: Path) -> None:
    """Everybody knows things that went openly into a pool. After a draw from it, nobody knows the
    rest."""
    state = rulekit.load(write_game(tmp_path, OPENLY)).new(seed=1)

    def known(observer: str) -> list[list[str]]:
        pools = state.view(observer)["pools"]
        return [
            sorted(pools["cup"]["members"]),
            pools["bag"]["members"],
            pools["hand"][observer]["members"],
            pools["hand"]["red"]["members"],
        ]

    assert known("blue") == [["calm", "gale", "spy", "storm"], [], [], []]
    state.apply("pick 1")
    assert known("blue") == [["calm", "gale", "spy"], ["storm"], [], []]
    state.apply("pick 1")
    assert known("blue") == [[], ["storm"], [], []]
    assert [len(names) for names in known("red")] == [0, 1, 1, 1]
    state.undo()
    assert known("blue") == [["calm", "gale", "spy"], ["storm"], [], []]


MOVED = """
kind Chit = storm | spy | calm | gale
pool cup of Chit seen by none
pool hand(s: Side) of Chit seen by s
setup
  each c in Chit
    put c in cup
  draw 2 from cup to hand(red)
  draw 1 from cup to hand(blue)
phase main
  pick c from hand(red) by red "face down"
  put c in cup
  pick n from 1 .. 2 by red "on"
  gather hand(red) to hand(blue)
  pick n2 from 1 .. 2 by red "on"
  finish none, drawn
"""


def test_of_what_moves_unseen_who_sees_either_end_is_told_the_name(tmp_path: Path) -> None:
    """Red sees the names of things that leave their hand, blue those that enter theirs, and nobody
    else does."""
    state = rulekit.load(write_game(tmp_path, MOVED)).new(seed=1, dice=[0, 1, 2])
    state.apply("pick storm")
    state.apply("pick 1")
    moves = [
        [
            event.params["what"]
            for event in Observer(state, who).events()
            if event.name in ("drawn", "put", "gathered")
        ][4:]
        for who in ("red", "blue", None)
    ]
    assert moves == [
        ["storm", "spy", "?", "storm", ["spy"]],
        ["?", "?", "calm", "?", ["spy"]],
        ["?", "?", "?", "?", ["?"]],
    ]


DEALT = """
kind Chit = r1(red) | r2(red) | r3(red) | r4(red) | b1(blue) | b2(blue) | b3(blue) | b4(blue)
  fixed owner: Side
pool cup of Chit seen by none
pool hand(s: Side) of Chit seen by s
setup
  each c in Chit
    put c in cup
  draw 2 from cup to hand(blue)
total vp(s: Side): int
  base 0
phase main
  pick n from 1 .. 2 by red "on"
  finish none, drawn
"""


def test_what_is_imagined_keeps_to_the_owners_of_what_lies_there(tmp_path: Path) -> None:
    """Each hidden pool has the same number of things of each owner, but not always the same
    ones."""
    state = rulekit.load(write_game(tmp_path, DEALT)).new(seed=1, dice=[0, 4])
    hands = set()
    other, shown = state.clone(history=False), MaskedOptions(state.table.program).ids(state)
    for slots in determinize(state, shown, random.Random(1)) + determinize(
        state, shown, random.Random(2)
    ):
        other.slots[:] = slots
        hand = other.get("hand.blue")
        assert sorted(chit[0] for chit in hand) == ["b", "r"]
        assert sorted([*hand, *other.get("cup")]) == sorted(
            [*state.get("hand.blue"), *state.get("cup")]
        )
        hands.add(tuple(hand))
    assert len(hands) > 4


LOOKED = """
kind Block = b1(blue) | b2(blue)
  fixed owner: Side
  identity seen by owner, all when open
  state open: bool
  state strength: 0..9 = 9 seen by owner, all when open
kind Chit = storm | spy
pool cup of Chit seen by none
pool hand(s: Side) of Chit seen by s, all when laid(s)
state laid(s: Side): bool
setup
  each c in Chit
    put c in cup
phase main
  b1.strength := 1  # never seen by red: it does not stand any more when he looks
  pick n1 from 1 .. 2 by red
  b1.strength := 2
  put storm in hand(blue)
  pick n2 from 1 .. 2 by red
  b1.strength := 3  # seen from when the block was open
  pick n3 from 1 .. 2 by red
  b1.open := true
  pick n4 from 1 .. 2 by red
  b1.strength := 4  # seen when it happened
  pick n5 from 1 .. 2 by red
  b1.open := false
  b1.strength := 5
  laid(blue) := true
  pick n6 from 1 .. 2 by red
  put storm in cup  # red saw it lie
  laid(blue) := false
  put spy in hand(blue)
  pick n7 from 1 .. 2 by red
  put spy in cup
  laid(blue) := true
  pick n8 from 1 .. 2 by red
  finish none, drawn
"""


@pytest.mark.docs("language#13-hidden-information")
def test_an_event_stays_told_as_it_was_and_what_was_secret_stays_so(tmp_path: Path) -> None:
    """A player keeps seeing the parts that they could see when the choice was complete. Things that
    ended before they became public stay hidden."""
    state = rulekit.load(write_game(tmp_path, LOOKED)).new(seed=1)
    told: dict[str, list[list[str]]] = {"red": [], "blue": []}
    while state.decision is not None:
        state.apply("pick 1")
        for observer, lines in told.items():
            found = [
                event.params
                for event in Observer(state, observer).events()
                if event.name in ("changed", "put")
            ]
            lines.append(
                [f"{p['value']}" for p in found if "strength" in str(p.get("what"))]
                + [p["what"] for p in found if "target" in p]
            )
    assert told["red"] == [
        ["?", "?", "?"],
        ["?", "?", "?"],
        ["3", "?", "?", "?"],
        ["3", "4", "?", "?", "?"],
        ["3", "4", "?", "?", "storm"],
        ["3", "4", "?", "?", "storm", "storm", "?"],
        ["3", "4", "?", "?", "storm", "storm", "?", "?"],
        ["3", "4", "?", "?", "storm", "storm", "?", "?"],
    ]
    assert told["blue"][-1] == ["1", "2", "3", "4", "5", "?", "?", "storm", "storm", "spy", "spy"]


@pytest.mark.parametrize(
    "rules", [FACES, HAPPENS.replace("HAPPENING", "told(storm)"), OPENLY, MOVED, DEALT, LOOKED]
)
def test_all_variants_agree_and_what_is_known_comes_back_by_undo(
    tmp_path: Path, rules: str
) -> None:
    assert_agreement(write_game(tmp_path, rules))


PASSING = """
kind Chit = storm | spy
state open: bool
state n: 0..9 seen by red, all when open
pool first_bag of Chit seen by red, all when open
pool second_bag of Chit seen by red, all when open
pool third_bag of Chit seen by red, all when open
setup
  each c in Chit
    put c in first_bag
  open := BEFORE
phase main
  pick x from 1 .. 2 by red "now"
  n := 3
  n := 4
  put spy in second_bag
  put spy in third_bag
  open := AFTER
  pick x2 from 1 .. 2 by red "then"
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("before", "after", "values", "things"),
    [
        ("true", "true", [3, 4], ["spy", "spy"]),
        ("true", "false", [], ["spy", "?"]),
        ("false", "true", [4], ["?", "spy"]),
        ("false", "false", [], ["?", "?"]),
    ],
)
def test_what_came_and_went_within_one_choice_is_for_who_saw_before_it_and_after_it(
    tmp_path: Path, before: str, after: str, values: list[int], things: list[str]
) -> None:
    """Values after the choice are for those who see them then. Red always may, and sees all."""
    state = rulekit.load(
        write_game(tmp_path, PASSING.replace("BEFORE", before).replace("AFTER", after))
    ).new(seed=1)
    begin = len(state.events)
    state.apply("pick 1")
    for observer, told, moved in (("red", [3, 4], ["spy", "spy"]), ("blue", values, things)):
        events = list(Observer(state, observer).events(begin))
        assert [e.params["value"] for e in events if e.params.get("what") == "n"] == told, observer
        assert [e.params["what"] for e in events if e.name == "put"] == moved, observer


LYING = """
kind Chit = storm | spy | calm
pool hand(s: Side) of Chit seen by s
pool table of Chit
setup
  put storm in hand(red)
  put spy in hand(red)
  put calm in table
phase main
  pick c from hand(red) by red "one"
  look(c)
  put c in table
  look(c)
  finish none, drawn
phase look(c: Chit)
  pick n from 1 .. 2 by blue "red has chosen {c}"
"""


def test_a_thing_is_named_to_who_may_know_where_it_lies(tmp_path: Path) -> None:
    """This applies to a prompt and to the subject of a phase. In red's hand only red sees the name,
    on the table all do."""
    state = rulekit.load(write_game(tmp_path, LYING)).new(seed=1)
    found = []
    state.apply("pick spy")
    for _ in range(2):
        found += [
            (who, Observer(state, who).prompt().split()[-1], Observer(state, who).phases()[-1]["c"])
            for who in ("red", "blue", None)
        ]
        state.apply("pick 1")
    assert found == [
        ("red", "spy", "spy"),
        ("blue", "?", "?"),
        (None, "?", "?"),
        *[(who, "spy", "spy") for who in ("red", "blue", None)],
    ]


SHOWN = """
kind Block = b1(blue) | b2(blue)
  fixed owner: Side
  identity seen by owner, all when open
  state open: bool
  state strength: 0..9 = 4 seen by owner, all when open
state chief: Block?
state mood(s: Side): 0..9 seen by s, all when told
state told: bool
phase main
  chief := b1
  mood(blue) := 7
  ask(b2)
  b1.open := true
  told := true
  ask(b2)
  finish none, drawn
phase ask(b: Block)
  pick n from 1 .. 2 by red "{b} comes"
"""


@pytest.mark.docs("language#3-state", "python#views-queries-copies")
def test_a_spectator_knows_what_all_may_know_and_nothing_else(tmp_path: Path) -> None:
    """A spectator sees values that both sides see, never those of one side. Each side sees its
    own."""
    state = rulekit.load(write_game(tmp_path, SHOWN)).new(seed=1)

    def seen(who: str | None) -> tuple[object, ...]:
        told = Observer(state, who).everything()["state"]
        return (
            told["chief"],
            told.get("strength", {}).get("b1"),
            told.get("strength", {}).get("b2"),
            told.get("mood", {}).get("blue"),
        )

    assert [seen(who) for who in ("red", "blue", None)] == [
        ("?", None, None, None),
        ("b1", 4, 4, 7),
        ("?", None, None, None),
    ]
    assert [Observer(state, who).prompt().split()[0] for who in ("red", "blue", None)] == [
        "?",
        "b2",
        "?",
    ]
    state.apply("pick 1")
    assert [seen(who) for who in ("red", "blue", None)] == [
        ("b1", 4, None, 7),
        ("b1", 4, 4, 7),
        ("b1", 4, None, 7),
    ]
    assert [list(Observer(state, who).unknown().get("Block", [])) for who in ("blue",)] == [[]]
    assert [len(Observer(state, who).unknown()["Block"]) for who in ("red", None)] == [1, 1]


CHITS = """
kind Chit = c1 | c2 | c3
pool hand(s: Side) of Chit seen by s
pool cup of Chit seen by none
event mixed(all: set Chit)
  each c in all
    times += 1
state times: 0..9
phase talk(all: set Chit)
  times += 1
setup
  each c in Chit
    put c in cup
phase main
  pick h from Chit where it != c2 by red "take one"
  put h in hand(red)
  pick c from Chit by blue "name one"
  HAPPENS
  choose by red "end"
    option end
      finish none, drawn
"""
BLOCKS = """
kind Block = c1(red) | c2(red) | c3(red)
  fixed side: Side
  identity seen by side, all when shown
  state shown: bool
pool box of Block
pool field of Block
phase main
  pick h from Block where it != c2 by red "take one"
  put h in field
  c2.shown := true
  put c2 in field
  choose by blue "go on"
    option c2
      HAPPENS
  choose by red "end"
    option end
      finish none, drawn
"""


@pytest.mark.parametrize(
    ("rules", "happens", "event"),
    [
        (CHITS, "mixed(hand(red) + {c})", ["mixed", {"all": ["c2", "?"]}]),
        (CHITS, "talk(hand(red) + {c})", ["phase_begun", {"phase": "talk", "all": ["c2", "?"]}]),
        (
            BLOCKS,
            "gather field to box",
            ["gathered", {"source": "field", "target": "box", "what": ["c2", "?"]}],
        ),
    ],
)
def test_the_place_of_what_is_unknown_among_known_things_tells_nothing(
    tmp_path: Path, rules: str, happens: str, event: object
) -> None:
    """Unknown things come after known ones, whatever their order in the data. The same applies to
    the line about them."""
    game, told = rulekit.load(write_game(tmp_path, rules.replace("HAPPENS", happens))), []
    for hidden in ("c1", "c3"):
        state = game.new(seed=1)
        state.apply(f"pick {hidden}")
        state.apply("c2")
        assert event in state.view("blue")["events"]
        told.append((state.view("blue"), [line.text for line in rulekit.Seat(state, "blue").log()]))
    assert told[0] == told[1]
