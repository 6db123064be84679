"""The Python page on a seat's position, log and undo, in short games."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit import IllegalChoice, Seat
from rulekit.presentation.sheet import sheet
from tests.presentation.priced_games import new_game

DAYS = """
kind Card = c1 | c2 | c3
kind Season = spring | autumn
pool deck of Card seen by none
pool hand(s: Side) of Card seen by s
state gold(s: Side): 0..9 PA = 3
state last(s: Side): 0..6
state leader: Side = blue
state year: 1..9 = 2
fixed years: 1..9 = 5
total worth(s: Side): PA
  base gold(s) + 1 PA
total both: PA
  base worth(red) + worth(blue)
define season: Season = autumn
setup
  each c in Card
    put c in deck
  draw 2 from deck to hand(red)
event rolled(s: Side, n: 0..6)
  last(s) := n
event paid(s: Side)
  gold(s) += 1 PA
phase main
  repeat 9 times
    day(red, 3)
  finish none, drawn
phase day(active: Side, n: 0..9 PA) ref "2, 3.1"
  field budget: 0..9 PA = 4
  field spent: 0..9 PA = 1
  rest_of(blue, 7)
  paid(red) when budget < spent
procedure rest_of(who: Side, hours: 0..9)
  field left_over: 0..9 PA = 2
  field hidden_in: 0..9 = 8
  silently(red, 5)
  paid(red) when left_over > 9 PA and hidden_in > 9
procedure silently(who: Side, secret: 0..9)
  choose by red "what"
    option pay
      paid(red)
    option cast
      roll d = d6 by red for luck
      rolled(red, d)
    option end_it
      finish red, early
"""
DRAWING = """source: {assumed: a test}
tracks: [{cell: year, from: year, to: years, note: season}, {cell: gold}, \
{total: worth, from: 0, to: 12}, {total: both}]
seat: {score: worth, points: gold, roll: last, hand: hand, initiative: leader, \
phase_points: {in: day, of: n, left: budget, spent: spent}}
sides: {blue: {colour: "#010203"}}
"""
TEXTS = """phase.day: "the day of {active}"
phase.rest_of: "the rest"
unit.PA: "points"
unit.PA.short: "P"
purpose.luck: "good luck"
cell.budget: "still there"
"""


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> rulekit.Game:
    folder = tmp_path_factory.mktemp("days")
    (folder / "drawing.yaml").write_text(DRAWING)
    (folder / "texts").mkdir()
    (folder / "texts" / "en.yaml").write_text(TEXTS)
    new_game(folder, DAYS)
    return rulekit.load(folder)


def test_what_goes_on_is_told_with_its_fields_and_parameters_of_phases_only(
    days: rulekit.Game,
) -> None:
    """A procedure has its fields but not its arguments. One without a name or a field is left
    out."""
    place = Seat(days.new(seed=1)).position()
    assert [
        (r.name, r.word, r.label, r.ref, [(f.name, f.value, f.unit) for f in r.fields])
        for r in place.running[1:]
    ] == [
        (
            "day",
            "phase",
            "the day of red: 3",
            ("2", "3.1"),
            [("active", "red", None), ("n", 3, "PA"), ("budget", 4, "PA"), ("spent", 1, "PA")],
        ),
        ("rest_of", "procedure", "the rest", (), [("left_over", 2, "PA"), ("hidden_in", 8, None)]),
    ]
    assert [f.label for f in place.running[1].fields][2:] == ["still there", "spent"]


def test_the_position_tells_of_each_side_what_the_drawing_names(days: rulekit.Game) -> None:
    """It has score, points, roll and the size of the hand of each side, visible or not, the side
    with the initiative, and the result."""
    state = days.new(seed=1, dice=[0, 1, 5])
    state.apply("pay")
    state.apply("cast")
    for player in ("red", "blue", None):
        place = Seat(state, player).position()
        assert place.seats == {
            "red": {"score": 5, "points": 4, "roll": 5, "hand": 2},
            "blue": {"score": 4, "points": 3, "roll": 0, "hand": 0},
        }
        assert place.tracks == {
            "year": 2,
            "gold": {"red": 4, "blue": 3},
            "worth": {"red": 5, "blue": 4},
            "both": 9,
        }
        assert place.notes == {"year": "autumn"}
        assert (place.initiative, place.choice, place.decides, place.result) == (
            "blue",
            2,
            "red",
            None,
        )
        view = state.view(player)
        assert (place.state, place.pools, place.unknown) == (
            view["state"],
            view["pools"],
            view["unknown"],
        )
        assert place.pools["hand"]["red"]["size"] == 2 and len(
            place.pools["hand"]["red"]["members"]
        ) == (2 if player == "red" else 0)
    state.apply("end_it")
    place = Seat(state, None).position()
    assert (place.result, place.decides) == ({"winner": "red", "level": "early"}, None)


@pytest.mark.docs("python#what-a-seat-shows-sheet-log-position")
def test_a_sheet_has_the_ends_units_and_notes_of_its_tracks_and_the_words_of_units(
    days: rulekit.Game,
) -> None:
    found = sheet(days)
    assert [
        (t.name, t.what, t.form, t.each, t.low, t.high, t.unit, t.note) for t in found.tracks
    ] == [
        ("year", "cell", "int", False, 2, 5, None, "season"),
        ("gold", "cell", "int", True, 0, 9, "PA", None),
        ("worth", "total", "int", True, 0, 12, "PA", None),
        ("both", "total", "int", False, None, None, "PA", None),
    ]
    assert found.units == {"PA": {"label": "points", "short": "P"}}
    colours = {side: style["colour"] for side, style in found.look["sides"].items()}
    assert colours["blue"] == "#010203" != colours["red"]


LAID = """
kind Card = c1(red) | c2(red) | c3(blue) | c4(blue)
  fixed owner: Side
pool deck of Card seen by none
pool hand(s: Side) of Card seen by s
pool table of Card
pool heap of Card
state n: 0..99
state free: bool
setup
  put c1 in hand(red)
  put c2 in table
  put c4 in heap
  put c3 in deck
  dawn
event dawn
  n += 1
event told ref "4.2 E, A, 5"
  n += 1
event silent
  n += 1
event at_side(who: Side) ref "7"
  n += 1
event played(c: Card) reveals c
  n += 1
event seen_of(c: Card) reveals c ref "8.1, 9"
  n += 1
moment bell asks blue
reaction ring at bell
  limit 1 per game
  told
moment knell = after die_rolled asks blue
reaction again at knell
  limit 1 per game
  answer redo
phase main ref "2.A"
  repeat 9 times
    choose by red "what"
      option tell
        told
      option name_it
        played(c4)
      option about
        at_side(blue)
      option hand_to_table
        put c1 in table
      option table_to_heap
        put c2 in heap
      option table_to_hand
        put c2 in hand(blue)
      option hand_to_hand
        put c1 in hand(blue)
      option draw_one
        draw 1 from deck to hand(blue)
      option show
        seen_of(c1)
      option cast
        roll d = d6 by red for luck
        silent
      option chime
        silent
        open bell
      option over
        finish blue, late
    choose by red "only this"
      option go_on
        silent
  finish none, drawn
"""


LAID_TEXTS = """event.dawn: "=== Dawn ==="
event.told: "told"
event.at_side: "about {who}"
event.played: "{c}"
event.seen_of: "shows {c}"
purpose.luck: "good luck"
"""


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> rulekit.Game:
    folder = tmp_path_factory.mktemp("laid")
    (folder / "texts").mkdir()
    (folder / "texts" / "en.yaml").write_text(LAID_TEXTS)
    (folder / "drawing.yaml").write_text("source: {assumed: a test}\ncounter: {owner: owner}\n")
    new_game(folder, LAID)
    return rulekit.load(folder)


@pytest.mark.parametrize(
    ("keys", "steps", "choice", "why", "event", "ref"),
    [
        ([], 0, 0, "nothing_to_undo", None, ()),
        (["tell", "go_on"], 2, 0, "nothing_to_undo", None, ()),
        (["table_to_heap"], 1, 0, "nothing_to_undo", None, ()),
        (["table_to_hand", "go_on", "tell"], 3, 0, "nothing_to_undo", None, ()),
        (["hand_to_table", "go_on"], 1, 1, "was_revealed", "put", ()),
        (["draw_one"], 0, 1, "was_drawn", "drawn", ()),
        (["tell", "go_on", "show", "go_on"], 1, 3, "was_revealed", "seen_of", ("8.1", "9")),
        (["cast", "pass", "go_on"], 1, 2, "die_was_rolled", "die_rolled", ()),
        (["chime", "pass", "go_on"], 2, 0, "nothing_to_undo", None, ()),
        (["chime", "ring", "go_on"], 1, 2, "others_choice", None, ()),
        (["tell", "go_on", "chime", "pass"], 3, 0, "nothing_to_undo", None, ()),
    ],
)
def test_so_far_may_be_taken_back_and_this_stops_it(
    laid: rulekit.Game,
    keys: list[str],
    steps: int,
    choice: int,
    why: str,
    event: str | None,
    ref: tuple[str, ...],
) -> None:
    """The player's own choices, and passes of others between them, can be undone. A die, a draw, a
    reveal or another player's choice stops it.

    Public information reveals nothing. The event that stops it has its paragraphs. Blue has passed
    and can undo only that.
    """
    state = laid.new(seed=1)
    for key in keys:
        state.apply(key)
    undo = Seat(state, "red").position().undo
    assert undo is not None
    assert (undo.steps, undo.choice, undo.why, undo.event, undo.ref) == (
        steps,
        choice,
        why,
        event,
        ref,
    ) and undo.text
    for _ in range(steps):
        state.undo_own("red")
    assert state.move_number() == choice and Seat(state).position().undo is None
    with pytest.raises(IllegalChoice):
        state.undo_own("red")


@pytest.mark.docs("python#what-a-seat-shows-sheet-log-position")
def test_a_line_of_the_log_knows_its_choice_paragraphs_dice_and_whose_doing_it_is(
    laid: rulekit.Game,
) -> None:
    """The side is the named one, the owner of the piece, the roller, or the receiving hand,
    otherwise the deciding player. The end has none."""
    state = laid.new(seed=1, dice=[3, 5])
    for key in (
        "tell",
        "go_on",
        "about",
        "go_on",
        "name_it",
        "go_on",
        "hand_to_hand",
        "go_on",
        "cast",
        "again",
        "go_on",
        "chime",
        "ring",
        "go_on",
        "over",
    ):
        state.apply(key)
    lines = Seat(state, "red").log()
    assert [(line.name, line.side, line.ref) for line in lines if line.name != "silent"] == [
        ("dawn", None, ()),
        ("phase_begun", None, ("2.A",)),
        ("told", "red", ("4.2 E, A", "5")),
        ("at_side", "blue", ("7",)),
        ("played", "blue", ()),
        ("put", "blue", ()),
        ("die_rolled", "red", ()),
        ("roll_cancelled", "red", ()),
        ("die_rolled", "red", ()),
        ("told", "blue", ("4.2 E, A", "5")),
        ("finished", None, ()),
    ]
    assert [(line.level, line.text, line.choice) for line in lines[:3]] == [
        (1, "Dawn", 0),
        (2, "main", 0),
        (0, "told", 1),
    ]
    assert [
        (d.purpose, d.label, d.who, d.value, d.cancelled) for line in lines for d in line.dice
    ] == [
        ("luck", "good luck", "red", 3, False),
        ("luck", "good luck", "red", 3, True),
        ("luck", "good luck", "red", 5, False),
    ]
    assert [line.choice for line in lines[2:]] == [
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
        10,
        10,
        11,
        12,
        13,
        14,
        15,
    ]


def test_of_others_that_a_choice_was_the_only_one_is_told_where_nothing_is_secret(
    laid: rulekit.Game, tmp_path: Path
) -> None:
    """A spectator sees it too. If something is secret, only its player does."""
    rules = LAID.replace(" seen by none", "").replace(
        "hand(s: Side) of Card seen by s", "hand(s: Side) of Card"
    )
    for state, told in (
        (laid.new(seed=1), ["red"]),
        (new_game(tmp_path, rules), ["red", "blue", None]),
    ):
        state.apply("tell")
        state.apply("go_on")
        found = {
            who: [(line.choice, line.forced) for line in Seat(state, who).log() if line.choice]
            for who in ("red", "blue", None)
        }
        assert found == {who: [(1, False), (2, who in told)] for who in found}


def test_a_choice_of_two_is_not_forced(laid: rulekit.Game) -> None:
    state = laid.new(seed=1)
    state.apply("chime")
    found = []
    for _ in range(2):
        asked = Seat(state, state.current_player()).decision()
        assert asked is not None and asked.options is not None
        found.append((len(asked.options), asked.forced))
        state.apply(asked.options[-1].key)
    assert found == [(2, False), (1, True)]


def test_what_was_taken_back_comes_again_in_its_order(laid: rulekit.Game) -> None:
    """The player's own choice comes first, then the other's pass, in whatever language they were
    undone."""
    state = laid.new(seed=1)
    for key in ("chime", "pass"):
        state.apply(key)
    done = state.clone()
    state.undo_own("red")
    assert state.move_number() == 0
    state.redo()
    state.redo()
    assert state == done and state.history() == done.history()


SPENDING = """
kind Zone
kind Way joins Zone
kind Man = r1(red) | b1(blue)
  fixed owner: Side
  identity seen by owner
  state zone: Zone?
event entered(p: Man, z: Zone)
  p.zone := z
movement walk_of(p: Man)
  over Way w from a to z
  allowance 3
  cost 1
  on entry
    entered(p, z)
event tired
  times += 1
state times: 0..9
setup
  entered(r1, south)
  entered(b1, middle)
phase main
  field credit: 0..9 PA = 5
  repeat 9 times
    choose by red "what" ref "5"
      option march ref "6"
        pays 2 PA from credit
        walk walk_of(r1) from south by red
      option raid(z: Zone) "raid" ref "6"
        when z = south "too far" ref "7"
        tired
      option greet(p: Man)
        when p.owner = red
        tired
      option shun(z: Zone)
        when z = north "only that"
        tired
      option tell
        pick m from Zone where it != north by blue "which"
        tired
      option tire
        tired
        pick m from Zone where it = south or it = middle by red "which"
        tired
    choose by red "on"
      option go_on
        tired
      option quit_it
        finish red, win
  finish none, drawn
"""
ZONES = """places:
  kind: Zone
  source: {assumed: "an example"}
  members: {south: {at: [0, 0]}, middle: {at: [1, 0]}, north: {at: [2, 0]}}
borders:
  kind: Way
  source: {assumed: "an example"}
  members: [{between: [south, middle]}, {between: [middle, north]}]
"""


@pytest.fixture
def spending(tmp_path: Path) -> rulekit.State:
    (tmp_path / "map.yaml").write_text(ZONES)
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "fr.yaml").write_text('title: "Petit"\n')
    return new_game(tmp_path, SPENDING)


@pytest.mark.docs("python#a-seat-what-is-asked-forecasts-plans")
def test_a_forecast_tells_the_cost_of_all_its_keys_and_no_fight_with_what_is_not_known(
    spending: rulekit.State,
) -> None:
    """The cost is that of the option before the walk and of the steps. Red may not know the owner
    of the piece there."""
    found = Seat(spending, "red").forecast(["march"])
    assert {r.place: [p.amount for p in r.cost] for r in found.places} == {
        "middle": [2, 1],
        "north": [2, 2],
    }
    assert {r.fight for r in found.places} == {None}


def test_what_is_left_of_a_field_is_told_as_long_as_it_stands(spending: rulekit.State) -> None:
    """This holds also if nothing is paid from it now."""
    spending.apply("tire")
    spending.apply("pick middle")
    asked = Seat(spending, "blue").decision()
    assert asked is not None and [(p.of, p.amount) for p in asked.left] == [("credit", 5)]


def test_a_reason_has_the_paragraph_of_its_clause(spending: rulekit.State) -> None:
    [reason] = Seat(spending, "red").why("raid north")
    assert (reason.text, reason.ref, reason.cause, reason.of) == (
        "too far",
        ("7",),
        "when",
        ("north",),
    )


def test_of_a_place_only_ones_own_options_and_what_they_lead_to_at_once_are_told(
    spending: rulekit.State,
) -> None:
    """Later questions to other players, or after an event, are left out."""
    assert [(r.key, r.text) for r in Seat(spending, "red").why_not("north")] == [
        ("raid north", "too far")
    ]


def test_of_a_piece_that_may_be_chosen_nothing_is_told_of_its_place(
    spending: rulekit.State,
) -> None:
    """This holds though its place may not be chosen."""
    assert [reason.key for reason in Seat(spending, "red").why_not("south")] == ["shun south"]
    assert Seat(spending, "red").why_not("r1") == []


def test_what_stands_somewhere_is_a_piece_and_what_borders_join_a_place(
    spending: rulekit.State, tmp_path: Path
) -> None:
    """This holds without a file of positions, and if nothing has a place."""
    assert {name: Seat(spending).sheet().kind(name).sort for name in ("Man", "Zone")} == {
        "Man": "piece",
        "Zone": "place",
    }
    folder = tmp_path / "bare"
    folder.mkdir()
    (folder / "map.yaml").write_text(ZONES)
    bare = new_game(
        folder,
        'kind Zone\nkind Way joins Zone\nphase main\n  pick z from Zone by red "where"\n  finish'
        " none, drawn\n",
    )
    asked = Seat(bare, "red").decision()
    assert asked is not None and asked.options is not None
    assert {part.role for option in asked.options for part in option.types.values()} == {"place"}


def test_a_seat_has_the_sheet_and_takes_back_in_its_language(spending: rulekit.State) -> None:
    french = spending.in_language("fr")
    spending.apply("tire")
    spending.undo()
    french.redo()
    assert spending == french and spending.move_number() == 1
    assert [
        (found.lang, found.title)
        for lang in ("fr", "en")
        for found in [Seat(spending, None, lang).sheet()]
    ] == [("fr", "Petit"), ("en", "Small")]
