"""Short games: forms of costs, groups and walks that the large games do not have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulekit
from rulekit import Seat
from rulekit.engine.explain.annotations import note
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.notation.move_parser import choose
from rulekit.engine.notation.move_plan import is_multi_step
from rulekit.runtime import chance_barrier, code
from tests.presentation.priced_games import SCOUTED, SCOUTS, WAITS, changed_skirmish, new_game

SHOP = """
kind Ware = bread(1) | wine(3)
  fixed price: 1..3 PA
state purse(s: Side): 0..9 PA = 5
state stock(w: Ware): 0..9 PA = 4
phase main
  field credit: 0..9 PA = 2
  repeat 9 times
    choose by red "buy"
      option buy(w: Ware)
        with n = w.price + 1 PA
        pays n from purse(red)
        pays 1 PA from stock(w)
      option borrow
        pays 2 PA from credit
      option depart
        finish red, win
  finish red, win
"""


@pytest.mark.docs("python#a-seat-what-is-asked-forecasts-plans")
def test_each_price_of_an_option_is_told_with_what_it_is_taken_from(tmp_path: Path) -> None:
    """There are two costs, one by a `with`, from cells with keys that depend on the option or not,
    and from a field. The rest is shown if it is known."""
    state = new_game(tmp_path, SHOP)
    asked = Seat(state, "red").decision()
    assert asked is not None and asked.options is not None
    cost = {o.key: [(p.amount, p.unit, p.of) for p in o.cost] for o in asked.options}
    assert cost == {
        "buy bread": [(2, "PA", "purse.red"), (1, "PA", "stock.bread")],
        "buy wine": [(4, "PA", "purse.red"), (1, "PA", "stock.wine")],
        "borrow": [(2, "PA", "credit")],
        "depart": [],
    }
    assert [(p.amount, p.of) for p in asked.left] == [(5, "purse.red"), (2, "credit")]
    state.apply("borrow")
    state.apply("buy wine")
    asked = Seat(state, "red").decision()
    assert asked is not None and asked.options is not None
    assert [(p.amount, p.of) for p in asked.left] == [(1, "purse.red"), (0, "credit")]
    assert [o.key for o in asked.options] == ["depart"] and asked.forced


@pytest.mark.parametrize(("purse", "many"), [(0, 2), (9, 4)])
def test_where_there_are_several_nothing_is_forced(tmp_path: Path, purse: int, many: int) -> None:
    """With an empty purse the player may borrow or depart."""
    state = new_game(tmp_path, SHOP)
    state.set("purse.red", purse)
    asked = Seat(state, "red").decision()
    assert asked is not None and asked.options is not None
    assert (len(asked.options), asked.forced) == (many, False)


ALIKE = """
kind Piece = a1(1) | a2(1) | a3(1) | b1(2) | b2(2)
  fixed sort: 1..2
  state gone: bool
event went(g: set Piece)
  each p in g
    p.gone := true
phase main
  pick group g from Piece by red alike (sort) "who goes", 1 to 3
  went(g)
  choose by red "and then"
    option depart
      finish red, win
"""


def test_twins_stand_for_each_other(tmp_path: Path) -> None:
    """A group asks for the first of equal things, but any of them may be named, in any order."""
    state = new_game(tmp_path, ALIKE)
    other = state.clone()
    for each, keys in (
        (state, ["add b2", "add a3", "add a2"]),
        (other, ["add a1", "add a2", "add b1"]),
    ):
        done = Seat(each, "red").plan(keys)
        assert done.stopped_by is None, done
    assert state == other


CHANGES = {  # changes of the skirmish: a piece may be stopped at the ford
    "  state marched: bool per day\n": (
        "  state marched: bool per day\n  state held: bool per day\nevent held_up(p: Piece)\n "
        " p.held := true\n"
    ),
    "  must stop when some units(p.owner.enemy, z)\n": (
        "  must stop when some units(p.owner.enemy, z) or p.held\n"
    ),
    "  on entry\n    entered(p, z)\n": (
        "  on entry\n    entered(p, z)\n    if z = ford\n      roll d = d6 by p.owner for combat\n "
        "     held_up(p) when d <= 3\n"
    ),
}


def stormy(folder: Path) -> rulekit.Game:
    return changed_skirmish(folder / "stormy", CHANGES)


def told(game: rulekit.Game) -> set[str]:
    """Return the forecasts of the riders' first march with different dice."""
    return {
        json.dumps(Seat(game.new(seed=seed), "red").forecast(["march red.H1"]).to_json())
        for seed in range(20)
    }


@pytest.mark.docs("python#a-seat-what-is-asked-forecasts-plans")
def test_a_forecast_ends_before_a_die(tmp_path: Path) -> None:
    """If something is rolled on the way, the group may get there. Later effects are hidden, other
    paths are shown."""
    found = Seat(stormy(tmp_path).new(seed=1), "red").forecast(["march red.H1"])
    places = {reach.place: reach for reach in found.places}
    ford, wood = places["ford"], places["wood"]
    assert (ford.stopped_by, ford.sure, ford.may_stop, ford.keys) == (
        "die",
        2,
        None,
        ("march red.H1", "to ford"),
    )
    assert (wood.stopped_by, wood.may_stop, wood.stop) == (None, True, "stop")
    assert "road" not in places
    step = next(reach for reach in found.places if reach.place == "ford")
    state = stormy_step(tmp_path)
    asked = Seat(state, "red").decision()
    assert asked is not None and asked.options is not None
    assert {o.key: (o.ends_at, o.may_stop) for o in asked.options}["to ford"] == (step.place, None)


def stormy_step(folder: Path) -> rulekit.State:
    state = rulekit.load(folder / "stormy").new(seed=1)
    state.apply("march red.H1")
    return state


def test_a_plan_ends_after_a_die(tmp_path: Path) -> None:
    """Later parts of the plan are not executed, even if they are offered."""
    state = stormy(tmp_path).new(seed=1)
    done = Seat(state, "red").plan(["march red.H1", "to ford", "stop"])
    assert (done.taken, done.rest, done.stopped_by) == (2, ("stop",), "die")


def test_dice_to_come_tell_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All seeds give the same, because nothing is rolled. A copy that rolled would be detected."""
    game = stormy(tmp_path)
    assert len(told(game)) == 1
    monkeypatch.setattr(chance_barrier, "STOPS", {})
    game.program()._code.pop(code.SURE)
    assert '"stopped_by": "die"' not in "".join(told(game))


MINES = {
    "  state holder: Side?\n": "  state holder: Side?\n  state mined: bool seen by blue\n",
    "  modifier river +1 when b.river\n": (
        "  modifier river +1 when b.river\n  modifier mined +1 when z.mined\n"
    ),
}


def test_what_hangs_on_a_secret_is_not_foretold(tmp_path: Path) -> None:
    """The cost of a step reads a value hidden from its owner. No cost, forecast or reason is shown,
    wherever the mines are."""
    answers = []
    for mined in ((), ("ford", "road"), ("hill",)):
        state = changed_skirmish(tmp_path / "-".join(mined or ("none",)), MINES).new(seed=1)
        for place in mined:
            state.set(f"mined.{place}", True)
        red = Seat(state, "red")
        before = red.forecast(["march red.H1"]), red.decision()
        state.apply("march red.H1")
        walk = red.decision()
        assert walk is not None and walk.options is not None
        assert {p.amount for o in walk.options for p in o.cost} == {None} and not walk.left
        assert red.forecast(["to hill"]).left is None
        answers.append(
            (before, walk.to_json(), red.forecast(), state.why("to hill"), state.why("to town"))
        )
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][0][0].stopped_by == "hidden" and not answers[0][0][0].places
    assert {reach.stopped_by for reach in answers[0][2].places} <= {"hidden", None}


def test_a_step_that_cannot_be_paid_does_not_tell_its_price(tmp_path: Path) -> None:
    """The refusal of the first step does not either, because it reads the same secret."""
    state = changed_skirmish(tmp_path / "mines", MINES).new(seed=1)
    state.set("zone.red.F2", "wood")
    state.set("mined.hill", True)
    state.apply("march red.F2")
    [why] = state.why("to hill")
    assert "PM" not in why


@pytest.mark.parametrize("seen", [True, False])
def test_a_fight_is_foretold_only_with_what_is_seen(tmp_path: Path, seen: bool) -> None:
    """The path leads to a place with an enemy piece. If it is invisible, the forecast says nothing,
    and hides nothing else. Within a walk the forecast begins at the current place."""
    (tmp_path / "map.yaml").write_text(SCOUTED)
    state = new_game(tmp_path, SCOUTS.replace(" seen by owner", "") if seen else SCOUTS)
    fight = ("middle", "north") if seen else None
    assert [
        (reach.place, reach.fight, reach.stopped_by)
        for reach in Seat(state, "red").forecast().places
    ] == [("north", fight, None)]


@pytest.mark.parametrize(("open", "fight"), [(False, None), (True, ("middle", "north"))])
def test_that_a_hidden_thing_is_an_enemy_is_not_told(
    tmp_path: Path, open: bool, fight: tuple[str, str] | None
) -> None:
    """All see that a piece is there. Red knows its owner only if it is open."""
    (tmp_path / "map.yaml").write_text(SCOUTED)
    hidden = "  identity seen by owner, all when open\n  state open: bool\n  state zone: Zone?\n"
    rules = SCOUTS.replace("  state zone: Zone? seen by owner\n", hidden).replace(
        "setup\n", f"setup\n  b1.open := {str(open).lower()}\n"
    )
    state = new_game(tmp_path, rules)
    assert [
        (reach.place, reach.fight)
        for reach in Seat(state, "red").forecast().places
        if reach.place == "north"
    ] == [("north", fight)]


@pytest.mark.parametrize(
    ("places", "fights"),
    [
        (
            {"b1": "north", "b2": "middle"},
            {"middle": ("south", "middle"), "north": ("south", "middle")},
        ),
        ({"b1": "north", "r2": "middle"}, {"north": ("middle", "north")}),
        ({"b1": "middle"}, {"middle": ("south", "middle"), "north": ("south", "middle")}),
        ({"b1": "south", "r2": "north"}, {}),
    ],
)
def test_a_fight_is_the_first_on_the_way(
    tmp_path: Path, places: dict[str, str], fights: dict[str, object]
) -> None:
    """It is with pieces of another player only, and not at the start of the path. Each path has its
    own."""
    (tmp_path / "map.yaml").write_text(
        SCOUTED.replace("north: {at: [2, 0]}", "north: {at: [2, 0]}, east: {at: [0, 1]}")
        + "    - {between: [south, east]}\n"
    )
    rules = SCOUTS.replace("r1(red) | b1(blue)", "r1(red) | r2(red) | b1(blue) | b2(blue)").replace(
        " seen by owner", ""
    )
    standing = "".join(f"  entered({piece}, {place})\n" for piece, place in places.items())
    state = new_game(tmp_path, rules.replace("  entered(b1, north)\n", standing))
    found = {reach.place: reach.fight for reach in Seat(state, "red").forecast().places}
    assert found == {"east": None, "middle": None, "north": None, **fights}


@pytest.mark.parametrize(
    ("where", "fights"),
    [
        ("east", [("north", "east"), None]),
        ("north", [("middle", "north")] * 2),
        ("middle", [None, None]),
    ],
)
def test_a_walk_that_goes_on_after_a_window_is_told_from_there(
    tmp_path: Path, where: str, fights: list[object]
) -> None:
    """Its automatic step is part of the path and cost. Earlier steps are not."""
    (tmp_path / "map.yaml").write_text(
        SCOUTED.replace(
            "north: {at: [2, 0]}", "north: {at: [2, 0]}, east: {at: [3, 0]}, west: {at: [3, 1]}"
        )
        + "    - {between: [north, east]}\n    - {between: [north, west]}\n"
    )
    rules = SCOUTS.replace("entered(b1, north)", f"b1.zone := {where}")
    for old, new in WAITS.items():
        rules = rules.replace(old, new)
    found = [
        reach
        for reach in Seat(new_game(tmp_path, rules), "red").forecast(["pass"]).places
        if reach.may_stop
    ]
    assert [(reach.way, reach.fight) for reach in found] == list(
        zip([("north", "east"), ("north", "west")], fights, strict=True)
    )
    assert [point.amount for reach in found for point in reach.cost] == [2, 2]


def test_what_a_line_has_learned_by_a_die_is_not_taken_back(tmp_path: Path) -> None:
    """The rest of the line is no longer possible. The group stays at the ford, and the rest of the
    line is reported."""
    game, held = stormy(tmp_path), set()
    for seed in range(12):
        state = game.new(seed=seed)
        state.apply("march red.H1")
        probe = state.clone()
        probe.apply("to ford")
        stays = probe.get("held.red.H1")
        left = choose(state, "to ford to road")
        assert state.get("zone.red.H1") == ("ford" if stays else "road")
        assert left == ("to road stop" if stays else "")
        held.add(stays)
    assert held == {True, False}


def test_an_empty_line_is_no_choice(tmp_path: Path) -> None:
    state = new_game(tmp_path, SHOP)
    for line in ("", "  "):
        assert not is_multi_step(state, line)
        with pytest.raises(rulekit.IllegalChoice):
            choose(state, line)
    assert state.move_number() == 0


def test_what_is_left_of_a_purse_is_told_to_who_may_see_it(tmp_path: Path) -> None:
    """The paying player sees it. If the purse is hidden, other players and spectators do not."""
    hidden = SHOP.replace(
        "state purse(s: Side): 0..9 PA = 5", "state purse(s: Side): 0..9 PA = 5 seen by s"
    )
    for rules, told in ((SHOP, [5, 2]), (hidden, [2])):
        folder = tmp_path / str(len(told))
        folder.mkdir()
        state = new_game(folder, rules)
        found = {who: Seat(state, who).decision() for who in ("red", "blue", None)}
        left = {
            who: [p.amount for p in asked.left] for who, asked in found.items() if asked is not None
        }
        assert left == {"red": [5, 2], "blue": told, None: told}


NOTED = """
kind Block = b1(blue, 3) | b2(blue, 5)
  fixed owner: Side
  fixed size: 0..9
  identity seen by owner, all when open
  state open: bool
  state strength: 0..9 = 4 seen by owner, all when open
  state hex: 0..9 = 7
total might(b: Block): int
  base b.size + 1
phase main
  b1.open := true
  pick n from 1 .. 2 by red "on"
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{size} of {hex}", {"red": ["3 of 7", ""], "blue": ["3 of 7", "5 of 7"]}),
        ("{strength}", {"red": ["4", ""], "blue": ["4", "4"]}),
        ("{might}!", {"red": ["4!", ""], "blue": ["4!", "6!"]}),
    ],
)
def test_what_stands_beside_a_thing_is_told_to_who_knows_it(
    tmp_path: Path, text: str, told: dict[str, list[str]]
) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "en.yaml").write_text(f'note.Block: "{text}"\n')
    state = new_game(tmp_path, NOTED)
    kind = next(at for at, info in enumerate(state.table.program.kinds) if info.name == "Block")
    assert {
        who: [note(Observer(state, who), kind, member) for member in (0, 1)] for who in told
    } == told


def test_an_option_without_a_label_bears_its_name_and_what_it_is_about(tmp_path: Path) -> None:
    asked = Seat(new_game(tmp_path, SHOP), "red").decision()
    assert asked is not None and asked.options is not None
    assert {o.key: o.label for o in asked.options} == {
        "buy bread": "buy: bread",
        "buy wine": "buy: wine",
        "borrow": "borrow",
        "depart": "depart",
    }


def test_what_is_in_a_group_already_is_not_asked_for_again(tmp_path: Path) -> None:
    """A piece that is neither in it nor may join it is refused."""
    state = new_game(tmp_path, ALIKE)
    state.apply("add a1")
    for keys, stopped_by, refused in (
        (["add a1", "add a2"], "choice", None),
        (["add a1", "add c9"], "key", "add c9"),
    ):
        found = Seat(state, "red").forecast(keys)
        assert (found.stopped_by, found.refused) == (stopped_by, refused)
