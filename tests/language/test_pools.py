"""Pools and secrets in short games: the places of things, their visibility, reasons that depend on
them, and the opening of windows."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.compiler.semantics.values import bits
from rulekit.engine.knowledge.observation import Observer
from tests.language.played_choices import play_choices
from tests.small_games import assert_agreement, write_game

POOLS = """
kind Chit = c1 | c2 | c3 | c4 | c5
pool cup of Chit seen by none
pool bag of Chit seen by none
pool hand(s: Side) of Chit seen by s
pool spent of Chit
setup
  each c in Chit
    put c in cup
phase main
  pick n from 0 .. 1 by red "begin"
  draw 2 from cup to hand(red)
  put c3 in hand(blue)
  pick n2 from 0 .. 1 by red "a"
  put c1 in spent
  put c1 in spent
  draw 1 from hand(red) to hand(blue)
  pick n3 from 0 .. 1 by red "b"
  gather hand(blue) to spent
  draw 3 from cup to spent
  draw 1 from cup to bag
  pick n4 from 0 .. 1 by red "c"
  gather spent to bag
  gather cup to hand(red)
  pick n5 from 0 .. 1 by red "d"
  finish none, drawn
"""
NAMES = ("cup", "bag", "hand.red", "hand.blue", "spent")
LIE = [  # contents of the pools after each choice
    ["c1 c2 c3 c4 c5", "", "", "", ""],
    ["c4 c5", "", "c1 c2", "c3", ""],
    ["c4 c5", "", "", "c2 c3", "c1"],
    ["", "", "", "", "c1 c2 c3 c4 c5"],
    ["", "c1 c2 c3 c4 c5", "", "", ""],
]


@pytest.mark.docs("language#13-hidden-information")
def test_a_thing_lies_in_one_pool_and_goes_where_it_is_put_drawn_or_gathered(
    tmp_path: Path,
) -> None:
    """It leaves its old pool. A draw of three from a pool of two takes both, and from an empty one
    nothing. Gathered things join the contents."""
    folder = write_game(tmp_path, POOLS)
    state, found = rulekit.load(folder).new(seed=1, dice=[0, 1, 1]), []
    while state.decision is not None:
        found.append([" ".join(state.get(name)) for name in NAMES])
        sizes = {
            who: [state.view(who)["pools"][name.split(".")[0]] for name in NAMES]
            for who in ("red", "blue", None)
        }
        for at, name in enumerate(NAMES):
            for who, told in sizes.items():
                one = told[at][name.split(".")[1]] if "." in name else told[at]
                assert one["size"] == len(state.get(name)), (name, who)
        state.apply("pick 0")
    assert found == LIE
    assert_agreement(folder, 4)


def members(state: rulekit.State, who: str | None) -> list[str]:
    pools = state.view(who)["pools"]
    told = [pools[name.split(".")[0]] for name in NAMES]
    return [
        " ".join((one[name.split(".")[1]] if "." in name else one)["members"])
        for one, name in zip(told, NAMES, strict=True)
    ]


@pytest.mark.docs("language#13-hidden-information")
def test_what_lies_in_a_pool_is_seen_by_whom_it_names(tmp_path: Path) -> None:
    """By none means neither a side nor a spectator. By one means only that side. Without `seen by`
    all see it."""
    state = rulekit.load(write_game(tmp_path, POOLS)).new(seed=1, dice=[0, 1, 1])
    state.apply("pick 0")
    assert [members(state, who) for who in ("red", "blue", None)] == [
        ["", "", "c1 c2", "", ""],
        ["", "", "", "c3", ""],
        ["", "", "", "", ""],
    ]
    state.apply("pick 0")
    assert [members(state, who)[3:] for who in ("red", "blue", None)] == [
        ["", "c1"],
        ["c2 c3", "c1"],
        ["", "c1"],
    ]


@pytest.mark.parametrize(
    ("pools", "wanted"),
    [
        (["hand(s: Side)", "cup", "bag"], [0, 0, 0, 0]),
        (["hand(s: Side)"], [0, 0]),
        (["cup", "hand(s: Side)"], [3, 0, 0]),
        (["bag", "cup"], [3, 0]),
    ],
)
def test_all_things_lie_at_first_in_the_first_pool_or_in_none_if_that_has_parameters(
    pools: list[str], wanted: list[int]
) -> None:
    """They are nowhere else. Things of another kind are in their own pool."""
    rules = "kind Chit = c1 | c2 | c3\nkind Coin = p1 | p2\npool purse of Coin\n" + "".join(
        f"pool {name} of Chit\n" for name in pools
    )
    _, reference = play_choices(rules + "phase main\n  finish none, drawn\n")
    cells = reference.cells()
    assert [
        len(list(bits(content))) for name in pools for content in cells[name.split("(")[0]]
    ] == wanted
    assert cells["purse"] == [3]


WHY = """
kind Chit = storm | spy | calm
kind Block = b1(red) | b2(blue)
  fixed side: Side
  identity seen by side, all when shown
  state shown: bool
pool cup of Chit seen by none
pool hand(s: Side) of Chit seen by s
state plan(s: Side): 0..9 seen by s
state turn: 0..9 = 3
setup
  put storm in hand(red)
  put spy in hand(blue)
  put calm in cup
  plan(blue) := PLAN
phase main
  choose by red "what"
    option rest
      turn := 4
    option raid(s: Side)
      when s != me "not yourself"
      when turn > LEAST "it is too early"
      when plan(s) > 5 "there is no plan"
      when turn > 7 "it is late"
      turn := 9
    option play(c: Chit)
      when turn > LEAST "it is too early"
      when c in hand(me) "it is not in your hand"
      turn := 8
    option strike(b: Block)
      when turn > LEAST "it is too early"
      when b.side = me "it is not yours"
      turn := 7
  finish none, drawn
"""


@pytest.mark.docs("language#13-hidden-information")
@pytest.mark.parametrize("plan", ["1", "9"])
def test_a_reason_is_told_up_to_the_first_that_reads_a_secret(tmp_path: Path, plan: str) -> None:
    """Public conditions before it are explained. For it and later ones, the refusal only says that
    it depends on a secret, whether it holds or not."""
    rules = WHY.replace("PLAN", plan)
    state = rulekit.load(write_game(tmp_path, rules.replace("LEAST", "2"))).new(seed=1)
    assert state.why("raid red") == ["'raid red' is refused: not yourself"]
    assert state.why("raid blue") == [
        "'raid blue' is refused: it depends on something you may not know"
    ]
    assert state.why("play spy") == ["'play spy' is refused: it is not in your hand"], (
        "his own hand he sees"
    )
    state = rulekit.load(write_game(tmp_path, rules.replace("LEAST", "6"))).new(seed=1)
    assert state.why("raid blue") == ["'raid blue' is refused: it is too early"]


def test_of_a_thing_that_he_may_not_know_nothing_is_told(tmp_path: Path) -> None:
    """There is neither a public reason nor whether it is offered. For the player's own, the failure
    is given."""
    state = rulekit.load(write_game(tmp_path, WHY.replace("PLAN", "1").replace("LEAST", "6"))).new(
        seed=1
    )
    assert state.why("strike b1") == ["'strike b1' is refused: it is too early"]
    assert state.why("strike b2") == ["'strike b2' is refused: you may not know what that is"]


POSSIBLE = """
kind Chit = storm(1) | spy(2) | calm(3)
  fixed power: 1..3
pool cup of Chit seen by none
pool hand(s: Side) of Chit seen by s
pool spent of Chit
state plan(s: Side): 0..9 seen by s
state turn: 0..9 = 3
moment dusk asks red, blue
event rang(s: Side)
  turn := 1
reaction ring ATTACH
  WHEN
  limit 1 per game by me
  rang(me)
setup
  each c in Chit
    put c in cup
  PUT
phase main
  open dusk
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("when", "put", "asked"),
    [
        # a condition on facts that only the player sees: the player is asked even if it is false
        ("when plan(me) > 3", "put spy in spent", ["r", "b"]),
        ("when plan(me) > 3", "plan(blue) := 5", ["r", "b ring"]),
        # a condition on facts that all see is false: the player is not asked
        ("when turn > 3 and plan(me) > 3", "plan(blue) := 5", []),
        ("when plan(me) > 3\n  when turn > 3", "plan(blue) := 5", []),
        ("when me = blue and plan(me) > 3", "put spy in spent", ["b"]),
        ("when plan(me) > 3 or turn > 3", "put spy in spent", ["r", "b"]),
        # a hand that is not empty may hold the card; an empty hand cannot, nor if all know
        # that the card is in another pool
        ("when spy in hand(me)", "put storm in hand(blue)", ["b"]),
        ("when spy in hand(me)", "put spy in hand(blue)", ["b ring"]),
        ("when spy in hand(me)", "put storm in hand(blue)\n  put spy in spent", []),
        ("when turn > 3 and spy in hand(me)", "put spy in hand(blue)", []),
    ],
)
def test_a_window_opens_where_for_all_that_others_know_there_could_be_an_answer(
    when: str, put: str, asked: list[str]
) -> None:
    found, _ = play_choices(
        POSSIBLE.replace("ATTACH", "at dusk").replace("WHEN", when).replace("PUT", put),
        *["pass"] * len(asked),
    )
    assert found == asked


@pytest.mark.parametrize(
    ("when", "put", "asked"),
    [
        ("when c in hand(me)", "put storm in hand(blue)", ["b ring 0"]),
        ("when c in hand(me)", "put storm in spent", []),
        ("when c in hand(me) and c.power > 2", "put storm in hand(blue)", ["b"]),
        ("when c.power > 2 and c in hand(me)", "put storm in hand(blue)\n  put calm in spent", []),
        ("when c in hand(me)\n  when c.power > 3 - turn + 3", "put storm in hand(blue)", []),
    ],
)
def test_there_could_be_an_answer_with_any_of_the_things_that_fit(
    when: str, put: str, asked: list[str]
) -> None:
    rules = (
        POSSIBLE.replace("ring ATTACH", "ring(c: Chit) at dusk")
        .replace("WHEN", when)
        .replace("PUT", put)
    )
    found, _ = play_choices(rules, *["pass"] * len(asked))
    assert found == asked


def test_who_has_used_up_a_limit_is_not_asked() -> None:
    """All know that they may not act any more."""
    rules = (
        POSSIBLE.replace("ATTACH", "at dusk")
        .replace("WHEN", "when plan(me) > 3")
        .replace("PUT", "plan(blue) := 5")
    )
    found, _ = play_choices(
        rules.replace("  open dusk\n", "  open dusk\n  open dusk\n"), "pass", "ring", "pass", "pass"
    )
    assert found == ["r", "b ring", "r", "r"]


BLOCKS = """
kind Block = b1(blue) | b2(blue) | b3(blue) | r1(red)
  fixed side: Side
  identity seen by side, all when shown
  state shown: bool
  state men: 0..9 = 2
kind Chit = storm | spy
pool hand(s: Side) of Chit seen by s
state plan: 0..9 seen by blue
event looked(b: Block)
  plan := 1
event uncovered(b: Block) reveals b
  b.shown := SHOWN
event turned(c: Chit) reveals c
  plan := 2
setup
  put storm in hand(blue)
  put spy in hand(blue)
phase main
  choose by red "{n} of {b2}: which"
    option b1(n: 1..2)
      plan := 3
    option strike(b: Block) "Strike {b}"
      plan := 4
  looked(b1)
  uncovered(b2)
  turned(storm)
  pick n from 1 .. 2 by red "and now"
  finish none, drawn
"""


@pytest.mark.docs("language#13-hidden-information")
@pytest.mark.parametrize("shown", ["true", "false"])
def test_an_event_reveals_what_it_names_and_nothing_else_does(tmp_path: Path, shown: str) -> None:
    """Its record names the thing for all. The identity of a block stays hidden unless the state
    says otherwise. The place of a revealed thing is known to all from then on."""
    rules = BLOCKS.replace("SHOWN", shown).replace("{n} of {b2}: which", "which")
    state = rulekit.load(write_game(tmp_path, rules)).new(seed=1)
    assert [
        state.view(who)["pools"]["hand"]["blue"]["members"] for who in ("red", "blue", None)
    ] == [[], ["storm", "spy"], []]
    state.apply("strike r1")
    told = {who: {e[0]: e[1] for e in state.view(who)["events"]} for who in ("red", "blue", None)}
    assert [told[who]["looked"]["b"] for who in ("red", None)] == ["?", "?"]
    assert [told[who]["uncovered"]["b"] for who in ("red", "blue", None)] == ["b2"] * 3
    assert [told[who]["turned"]["c"] for who in ("red", None)] == ["storm"] * 2
    assert [state.view(who)["pools"]["hand"]["blue"]["members"] for who in ("red", None)] == [
        ["storm"],
        ["storm"],
    ]
    assert ["b2" in state.view(who)["state"].get("men", {}) for who in ("red", "blue", None)] == [
        shown == "true",
        True,
        shown == "true",
    ]
    assert ["b1" in state.view(who)["state"].get("men", {}) for who in ("red", "blue", None)] == [
        False,
        True,
        False,
    ]
    assert [len(state.view(who)["unknown"].get("Block", [])) for who in ("red", "blue", None)] == [
        2 + (shown == "false"),
        1,
        3 + (shown == "false"),
    ]


MET = """
kind Block = b1(blue) | b2(blue)
  fixed side: Side
  identity seen by side, all when shown
  state shown: bool
event looked(b: Block, all: set Block)
  turn += 1
event shows(b: Block)
  b.shown := true
event hides(b: Block)
  b.shown := false
state turn: 0..9
phase stage(b: Block)
  looked(b, {b1, b2})
phase main
  choose by red "1"
    option a
      looked(b1, {b1, b2})
  choose by red "2"
    option a
      stage(b1)
      shows(b1)
  choose by red "3"
    option a
      stage(b1)
  choose by red "4"
    option a
      hides(b1)
      stage(b1)
  choose by red "5"
    option a
      stage(b1)
  finish none, drawn
"""


def test_an_event_names_a_block_to_who_knows_it_before_the_choice_and_after_it(
    tmp_path: Path,
) -> None:
    """The owner always sees the name. Others see it while it is shown, except in a
    choice that turns it. The same applies to a phase."""
    state = rulekit.load(write_game(tmp_path, MET)).new(seed=1)
    for _ in range(5):
        state.apply_action(state.legal_actions()[0])
    told = {who: state.view(who)["events"] for who in ("red", "blue", None)}
    looked = {
        who: [params for name, params in events if name == "looked"] for who, events in told.items()
    }
    begun = {
        who: [params["b"] for name, params in events if name == "phase_begun" and "b" in params]
        for who, events in told.items()
    }
    assert looked["blue"] == [{"b": "b1", "all": ["b1", "b2"]}] * 5 and begun["blue"] == ["b1"] * 4
    for who in ("red", None):
        assert [each["b"] for each in looked[who]] == ["?", "?", "b1", "?", "?"] and begun[who] == [
            "?",
            "b1",
            "?",
            "?",
        ]
        assert [each["all"] for each in looked[who]] == [
            ["?", "?"],
            ["?", "?"],
            ["b1", "?"],
            ["?", "?"],
            ["?", "?"],
        ]


def test_an_option_that_names_a_thing_unknown_to_who_is_asked_bears_its_number(
    tmp_path: Path,
) -> None:
    state = rulekit.load(
        write_game(tmp_path, BLOCKS.replace("SHOWN", "true").replace("{n} of {b2}: which", "which"))
    ).new(seed=1)
    options = state.view("red")["decision"]["options"]
    assert [(o["key"], o["label"], o["params"]) for o in options[2:]] == [
        ("#3", "strike ?", {"b": "?"}),
        ("#4", "strike ?", {"b": "?"}),
        ("#5", "strike ?", {"b": "?"}),
        ("strike r1", "Strike r1", {"b": "r1"}),
    ]


@pytest.mark.parametrize(
    "cell",
    [
        "state plan: 0..9 seen by blue",
        "state plan: 0..9 seen by none",
        "state plan: 0..9 seen by red, blue",
        "state plan: 0..9",
    ],
)
def test_a_state_is_seen_by_whom_it_names(tmp_path: Path, cell: str) -> None:
    """This covers its value and the report of a change."""
    rules = (
        BLOCKS.replace("SHOWN", "true")
        .replace("{n} of {b2}: which", "which")
        .replace("state plan: 0..9 seen by blue", cell)
    )
    state = rulekit.load(write_game(tmp_path, rules)).new(seed=1)
    state.apply("strike r1")
    wanted = {
        "blue": {"blue"},
        "none": set(),
        "red, blue": {"red", "blue", None},
        cell: {"red", "blue", None},
    }[cell.split("by ")[-1]]
    for who in ("red", "blue", None):
        assert ("plan" in state.view(who)["state"]) is (who in wanted), who
        told = [
            event.params["value"]
            for event in Observer(state, who).events()
            if event.params.get("what") == "plan"
        ]
        assert told == ([4] if who in wanted else []), who


STRUCK = (
    BLOCKS.replace("SHOWN", "true")
    .replace("{n} of {b2}: which", "which")
    .replace("      plan := 4\n", "      struck(b)\n")
    .replace("setup\n", "event struck(b: Block)\n  b.men := 1\nsetup\n")
)


@pytest.mark.parametrize(
    ("rules", "choice", "told"),
    [
        (STRUCK, "#6", "r1"),
        (STRUCK, "#3", "?"),
        (STRUCK.replace("  looked(b1)\n", "  b1.shown := true\n  b2.shown := true\n"), "#3", "?"),
        (
            STRUCK.replace("  put spy", "  b1.shown := true\n  put spy").replace(
                "  looked(b1)\n", "  b1.shown := false\n"
            ),
            "strike b1",
            "b1",
        ),
    ],
)
def test_a_thing_in_an_event_is_named_to_who_named_it_in_his_choice(
    tmp_path: Path, rules: str, choice: str, told: str
) -> None:
    """It is not named if they chose it by number without knowing it, even if they know it later. A
    named one stays named even if it is hidden later."""
    state = rulekit.load(write_game(tmp_path, rules)).new(seed=1)
    state.apply(choice)
    found = {
        who: next(
            event.params["b"] for event in Observer(state, who).events() if event.name == "struck"
        )
        for who in ("red", "blue", None)
    }
    assert found == {"red": told, "blue": "?" if choice == "#6" else "b1", None: "?"}


UNLESS = """
state free: bool
state plan(s: Side): 0..9 = 5 seen by s
state rung(s: Side): 0..9
moment dusk asks red
reaction ring at dusk
  when rung(me) < 2
  when plan(me) > 3
  limit 1 per game by me unless free
  rung(me) += 1
phase main
  open dusk
  open dusk
  free := true
  open dusk
  finish none, drawn
"""


def test_where_a_limit_does_not_bind_he_is_asked() -> None:
    found, _ = play_choices(UNLESS, "ring", "ring")
    assert found == ["r ring", "r ring"]


TWO_SHOWN = """
kind Chit = storm | spy | calm | rain
pool hand(s: Side) of Chit seen by s
event met(a: Chit, b: Chit) reveals b, a
event told(n: 0..9)
event shown(all: set Chit) reveals all
setup
  each c in Chit
    put c in hand(blue)
phase main
  told(1)
  met(storm, spy)
  told(2)
  shown({rain, calm})
  pick n from 1 .. 2 by red "and now"
  finish none, drawn
"""


def test_two_reveals_after_one_event_are_each_told_in_order(tmp_path: Path) -> None:
    """They come in the order of the event's arguments, and within a set in that of its kind. Each
    is an event for all. The line of the event before them reports them, so they have no lines of
    their own."""
    folder = write_game(tmp_path, TWO_SHOWN)
    state = rulekit.load(folder).new(seed=1)
    for who in ("red", "blue", None):
        told = [
            (name, params)
            for name, params, *_ in state.view(who)["events"]
            if name in ("told", "met", "shown", "revealed")
        ]
        assert told == [
            ("told", {"n": 1}),
            ("met", {"a": "storm", "b": "spy"}),
            ("revealed", {"what": "spy"}),
            ("revealed", {"what": "storm"}),
            ("told", {"n": 2}),
            ("shown", {"all": ["calm", "rain"]}),
            ("revealed", {"what": "calm"}),
            ("revealed", {"what": "rain"}),
        ]
        assert state.view(who)["pools"]["hand"]["blue"]["members"] == [
            "storm",
            "spy",
            "calm",
            "rain",
        ]
    names = {event.number: event.name for event in state.events}
    lines = [names[number] for number, _ in state.table.events.lines(state.events)]
    assert lines == ["phase_begun", "told", "met", "told", "shown"]
    assert_agreement(folder, 2)
