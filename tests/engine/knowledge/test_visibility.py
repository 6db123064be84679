"""Visible and hidden values, things, totals, options and prompts for each observer: every place
that decides it, in short games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulekit
from rulekit.engine.kernel.events import HIDDEN
from rulekit.engine.knowledge.observation import Observer
from tests.engine.knowledge.hidden_games import BLOCKS, CHITS, OBSERVERS, by_observer
from tests.small_games import write_game

HELD = (
    BLOCKS
    + """
state feud(b: Block, s: Side): 0..9
state grudge(s: Side, b: Block): 0..9
state guards(s: Side): set Block
state chief(s: Side): Block?
state purse(s: Side): 0..9 seen by s
state debt(s: Side, t: Side): 0..9 seen by t
setup
  r2.open := true
  b1.spot := hill
  b2.spot := ford
  b1.foe := r1
  each s in Side
    guards(s) := Block where owner = s
  chief(red) := r1
  purse(red) := 5
  purse(blue) := 3
  debt(red, blue) := 2
total arm_of(b: Block): int
  base b.arm
total arms: int
  base sum(arm of (Block where spot = hill))
total strongest: int
  base max(strength of Block)
total purse_of(s: Side): int
  base purse(s)
total red_purse: int
  base purse(red)
total purses: int
  base purse(red)
  modifier more +purse(blue) when purse(blue) > 2
total debt_of(s: Side, t: Side): int
  base debt(s, t)
total between(a: Block, b: Block): int
  base 1
total hour: int
  base 6
define rich(s: Side) = purse(s) > 4
define worth_now in day: 0..9 = purse(active)
table fees(s: Side) -> 0..9
  red | 1
  blue | 2
permit may_rest(b: Block)
  bar tired when b.spot = ford
phase main
  day(red)
  finish none, drawn
phase day(active: Side)
  pick n from 1 .. 2 by red "on"
"""
)


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> rulekit.State:
    return rulekit.load(write_game(tmp_path_factory.mktemp("held"), HELD)).new(seed=1)


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("strength", ({"r1": 4, "r2": 4}, {"r2": 4, "b1": 4, "b2": 4}, {"r2": 4})),
        ("seal", (None, None, None)),
        ("foe", ({"r1": None, "r2": None}, {"r2": None, "b1": "?", "b2": None}, {"r2": None})),
        (
            "feud",
            (
                {"r1.red": 0, "r1.blue": 0, "r2.red": 0, "r2.blue": 0},
                {"r2.red": 0, "r2.blue": 0, "b1.red": 0, "b1.blue": 0, "b2.red": 0, "b2.blue": 0},
                {"r2.red": 0, "r2.blue": 0},
            ),
        ),
        (
            "grudge",
            (
                {"red.r1": 0, "red.r2": 0, "blue.r1": 0, "blue.r2": 0},
                {"red.r2": 0, "red.b1": 0, "red.b2": 0, "blue.r2": 0, "blue.b1": 0, "blue.b2": 0},
                {"red.r2": 0, "blue.r2": 0},
            ),
        ),
        (
            "guards",
            (
                {"red": ["r1", "r2"], "blue": ["?", "?"]},
                {"red": ["r2", "?"], "blue": ["b1", "b2"]},
                {"red": ["r2", "?"], "blue": ["?", "?"]},
            ),
        ),
        (
            "chief",
            ({"red": "r1", "blue": None}, {"red": "?", "blue": None}, {"red": "?", "blue": None}),
        ),
        ("purse", ({"red": 5}, {"blue": 3}, None)),
        ("debt", ({"red.red": 0, "blue.red": 0}, {"red.blue": 2, "blue.blue": 0}, None)),
    ],
)
def test_a_value_is_told_to_who_may_know_it_and_all_that_it_is_the_value_of(
    held: rulekit.State, name: str, seen: tuple[Any, ...]
) -> None:
    """The observer must know all its keys and the value. A set shows its known members, then a mark
    for each other one."""
    at = next(at for at, cell in enumerate(held.table.program.cells) if cell.name == name)
    for who, told in by_observer(seen).items():
        assert held.view(who)["state"].get(name) == told
        each = {
            place: Observer(held, who).value_at(at, keys) for keys, place in held.names.dotted[at]
        }
        assert each == {place: (told or {}).get(place, HIDDEN) for place in each}


def test_of_what_one_may_not_know_is_told_what_all_see_of_it_in_an_order_that_tells_nothing(
    held: rulekit.State,
) -> None:
    """The number is correct. Values that only others see, and other kinds, are not shown."""
    open_to_all = {"open": False, "spot": None, "foe": None}
    theirs = [{**open_to_all, "spot": "ford"}, {**open_to_all, "spot": "hill", "foe": "r1"}]
    assert held.view("red")["unknown"] == {"Block": theirs}
    assert held.view("blue")["unknown"] == {"Block": [open_to_all]}
    assert held.view(None)["unknown"] == {
        "Block": [theirs[0], {**theirs[1], "foe": "?"}, open_to_all]
    }


@pytest.mark.parametrize(
    ("name", "args", "values"),
    [
        ("arm_of", ["r1"], (1, "?", "?")),
        ("arm_of", ["r2"], (2, 2, 2)),
        ("arm_of", ["b2"], ("?", 4, "?")),
        ("arms", [], ("?", "?", "?")),
        ("strongest", [], ("?", "?", "?")),
        ("purse_of", ["red"], (5, "?", "?")),
        ("purse_of", ["blue"], ("?", 3, "?")),
        ("red_purse", [], (5, "?", "?")),
        ("purses", [], ("?", "?", "?")),
        ("debt_of", ["red", "blue"], ("?", 2, "?")),
        ("debt_of", ["blue", "red"], (0, "?", "?")),
        ("between", ["r1", "r2"], (1, "?", "?")),
        ("between", ["r2", "b1"], ("?", 1, "?")),
        ("between", ["b1", "r2"], ("?", 1, "?")),
        ("between", ["r1", "b1"], ("?", "?", "?")),
        ("hour", [], (6, 6, 6)),
        ("rich", ["red"], (True, "?", "?")),
        ("worth_now", [], (5, "?", "?")),
        ("fees", ["blue"], (2, 2, 2)),
        ("may_rest", ["r1"], (True, "?", "?")),
    ],
)
def test_a_total_is_told_to_who_may_know_all_that_it_reads_and_is_about(
    held: rulekit.State, name: str, args: list[str], values: tuple[Any, ...]
) -> None:
    """This covers each argument and each secret: of the requested side, of a side that the rules
    name, of the active side, or of all."""
    assert {who: Observer(held, who).value_of(name, *args) for who in OBSERVERS} == by_observer(
        values
    )
    if name not in ("rich", "worth_now", "fees"):
        assert {
            who: held.explain(name, *args, observer=who).hidden for who in OBSERVERS
        } == by_observer([value == HIDDEN for value in values])


KNOWN = {
    "red": "c1 c3 c4 c5",
    "blue": "c2 c3 c4 c5 c6",
    None: "c3 c4 c5",
}  # c4 is in no pool, and all players saw c5 go into the cup
"""Where the pools of tokens are, is nothing to chits: t2 lies in the open, the others do not."""


def test_a_thing_is_named_where_one_may_know_its_place_and_of_several_how_many_are_not(
    tmp_path: Path,
) -> None:
    """In prompts and phase arguments, known things come first, then a mark for each other one. A
    thing without a place is not secret. A total that depends on a hand is for those who see it."""
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "fr.yaml").write_text('prompt.look.n: "{c}/{called}/{price}"\n')
    state = rulekit.load(write_game(tmp_path, CHITS)).new(seed=1)
    french = rulekit.load(tmp_path, lang="fr")
    for c in ("c1", "c2", "c3", "c4", "c5", "c6"):
        for who, known in KNOWN.items():
            observer, one, all_ = (
                Observer(state, who),
                c if c in known else "?",
                [*known.split(), *"?" * (5 - known.count(" "))],
            )
            said = f"{', '.join(all_[:-1])} and {all_[-1]}"
            asked = rulekit.Seat(state, who).decision()
            assert (
                asked is not None
                and asked.prompt
                == observer.prompt()
                == state.view(who)["decision"]["prompt"]
                == f"is {one} one of {said}"
            )
            assert observer.phases() == [
                {"phase": "main"},
                {"phase": "look", "c": one, "many": all_, "s": "red"},
            ]
            assert observer.phases_shown() == [("look", {"c": one, "many": said, "s": "red"})]
            fields = {
                field.name: (field.value, "".join(span.text for span in field.spans))
                for field in rulekit.Seat(state, who).position().running[-1].fields
            }
            assert fields == {"c": (one, one), "many": (all_, said), "s": ("red", "red")}
            assert (
                Observer(french.state_from_json(state.to_json()), who).prompt()
                == f"{one}/{2 if who == 'red' else 'caché'}/{'caché' if one == '?' else 7}"
            )
        state.apply("pick 1")


def test_what_has_no_value_now_is_not_said_and_phases_are_told(tmp_path: Path) -> None:
    """For a total of a phase that is not running, the words of the rules replace a text that names
    it. Parameters of procedures and actions are not shown."""
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "fr.yaml").write_text(
        'prompt.look.n: "{later}"\nprompt.dream.m: "{later}, {s}"\nphase.sleep: "le sommeil"\n'
    )
    french = rulekit.load(
        write_game(
            tmp_path,
            CHITS.replace("  finish none, drawn\n", "  night(red)\n  finish none, drawn\n"),
        ),
        lang="fr",
    ).new(seed=1)
    prompts = []
    for _ in range(7):
        prompts.append(Observer(french, None).prompt())
        french.apply("pick 1" if french.decision.kind == "pick" else "sleep 2")
    assert prompts[0].startswith("is ? one of") and Observer(french, None).prompt() == "4, red"
    assert Observer(french, None).phases() == [{"phase": "main"}, {"phase": "night", "s": "red"}]
    told = [
        (each.name, {field.name: field.value for field in each.fields})
        for each in rulekit.Seat(french, None).position().running
    ]
    assert told == [("main", {}), ("night", {"s": "red"}), ("sleep", {}), ("dream", {"depth": 3})]


def test_what_a_value_holds_is_said_without_those_of_unknown_identity(
    held: rulekit.State, tmp_path: Path
) -> None:
    """A card named by a public value is not secret, wherever it is."""
    cells = {cell.name: cell for cell in held.table.program.cells}
    assert {
        who: Observer(held, who).shown_of(cells["guards"], 3) for who in OBSERVERS
    } == by_observer(("r1 and r2", "r2 and ?", "r2 and ?"))
    assert {
        who: Observer(held, who).shown_of(cells["chief"], 0) for who in OBSERVERS
    } == by_observer(("r1", "?", "?"))
    state = rulekit.load(write_game(tmp_path, CHITS)).new(seed=1)
    trump = next(c for c in state.table.program.cells if c.name == "trump")
    assert {Observer(state, who).shown_of(trump, 0) for who in OBSERVERS} == {"c1"}
    assert {state.view(who)["state"]["trump"] for who in OBSERVERS} == {"c1"}
