"""Observations of a seat with hidden information: the position, refusals, remaining points,
forecasts, odds, plans and hints."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit import Seat
from rulekit.engine.explain.refusals import overview
from tests.engine.knowledge.hidden_games import BLOCKS
from tests.presentation.priced_games import SCOUTED, SCOUTS, new_game
from tests.presentation.test_hidden_paths import fords

ANSWERS = """
kind Zone = hill | ford | wood
state points(s: Side): 0..9
total vp(s: Side): int
  base points(s)
event scored(s: Side)
  points(s) += 3
phase main
  together each s in Side
    pick z from Zone by s "your secret"
    scored(s) when z = hill
    points(s) += 1 when z = ford
  finish red, win
"""


def test_what_the_others_have_answered_is_hidden_until_all_have(tmp_path: Path) -> None:
    """It is hidden in the position, the log, the odds and the preview of one's own answer. Then the
    results are shown."""
    told = []
    for answer in ("hill", "wood"):
        state = new_game(tmp_path, ANSWERS)
        state.apply(f"pick {answer}")
        blue = Seat(state, "blue")
        told.append(
            [
                state.view("blue"),
                state.view(None),
                blue.position(),
                blue.log(),
                blue.odds("pick ford").to_json(),
                blue.preview(["pick ford"]),
            ]
        )
        assert blue.preview(["pick ford"]).results[0].points == {"blue": 1}
        state.apply("pick ford")
        assert state.view("blue")["result"] == {"winner": "red", "level": "win"}
        assert state.view("blue")["state"] == {
            "points": {"red": 3 if answer == "hill" else 0, "blue": 1}
        }
        assert {name for name, _ in state.view("blue")["events"]} == {"phase_begun", "finished"} | (
            {"scored"} if answer == "hill" else set()
        )
    assert told[0] == told[1]
    assert [each["observer"] for each in told[0][:2]] == ["blue", None] and [
        each["result"] for each in told[0][:2]
    ] == [None, None]
    assert told[0][0]["state"] == {"points": {"red": 0, "blue": 0}}


HOLDING = (
    BLOCKS.replace("kind Spot = hill | ford\n", "").replace("  state spot: Spot?\n", "")
    + """
kind Spot = hill | ford | moor
  state holder: Block?
  state garrison: set Block
setup
  hill.holder := WHO
  hill.garrison := {r2, WHO}
phase main
  choose by red "how"
    option hold
      pick z from Spot where holder = none by red "take"
    option man
      pick y from Spot where no garrison by red "man"
  finish none, drawn
"""
)


@pytest.mark.parametrize(
    ("option", "told"), [("hold", " (holder: r1)"), ("man", " (garrison: r1 and r2)")]
)
def test_what_a_place_is_like_is_told_without_a_thing_that_is_not_known(
    tmp_path: Path, option: str, told: str
) -> None:
    """The reason of a refusal names the piece there only if it is the player's own."""
    for block, fact in (("r1", told), ("b1", ""), ("b2", "")):
        folder = tmp_path / block
        folder.mkdir()
        state = new_game(folder, HOLDING.replace("WHO", block))
        state.apply(option)
        assert [reason.text for reason in Seat(state, "red").why("pick hill")] == [
            f"it is not possible here{fact}"
        ]


STANDING = (
    SCOUTS[: SCOUTS.index("phase main")]
    + """
phase main
  choose by red "what"
    option dig(z: Zone)
      when z = south "too far"
      finish red, win
    option end
      finish red, win
"""
)


def test_where_an_unseen_piece_stands_no_reason_tells(tmp_path: Path) -> None:
    """For an unnamed piece of the player, the refusals of its place are shown. For another player's
    piece, no place is.

    The places listed first depend only on visible pieces.
    """
    (tmp_path / "map.yaml").write_text(SCOUTED)
    found = []
    for own, other in (("north", "north"), ("north", "middle"), ("middle", "north")):
        state = new_game(
            tmp_path,
            STANDING.replace("entered(r1, south)", f"entered(r1, {own})").replace(
                "entered(b1, north)", f"entered(b1, {other})"
            ),
        )
        red = Seat(state, "red")
        assert [(reason.key, reason.text) for reason in red.why_not("r1")] == [
            (f"dig {own}", "too far")
        ]
        assert [reason.cause for reason in red.why_not("b1")] == ["moment"]
        found.append(overview(state))
    assert found == [["too far (north; ... and 1 more)"]] * 2 + [
        ["too far (middle; ... and 1 more)"]
    ]


GUESSED = (
    BLOCKS
    + """
total vp(s: Side): int
  base count(Block where spot = hill)
event taken(b: Block)
  b.spot := hill
event gone(g: set Block)
  each b in g
    b.spot := ford
phase main
  repeat 3 times
    choose by red "what"
      option take(b: Block)
        when b.owner = OWNER and b.spot = none
        taken(b)
      option send
        pick group g from Block by red "who"
        gone(g)
  finish none, drawn
"""
)


def test_what_is_not_known_cannot_be_named_to_a_forecast_a_preview_or_a_plan(
    tmp_path: Path,
) -> None:
    """It is treated as an unknown option. It can be chosen by its number, without a preview, and is
    never a hint."""
    state = new_game(tmp_path, GUESSED.replace("OWNER", "blue"))
    red = Seat(state, "red")
    asked = red.decision()
    assert asked is not None and asked.options is not None
    assert [option.key for option in asked.options] == ["#1", "#2", "send"]
    for key in ("take b1", "take b2", "b1"):
        assert (red.forecast([key]).stopped_by, red.forecast([key]).refused) == ("key", key)
        with pytest.raises(rulekit.IllegalChoice):
            red.preview([key])
        with pytest.raises(rulekit.IllegalChoice):
            red.odds(key)
        assert (red.plan([key]).taken, red.plan([key]).stopped_by) == (0, "key")
    assert [(way.key, way.label, way.hidden, way.results) for way in red.odds("#1").ways] == [
        ("#1", "take ?", True, ())
    ]
    alone = new_game(
        tmp_path,
        GUESSED[: GUESSED.index("      option send")].replace("OWNER", "blue")
        + "  finish none, drawn\n",
    )
    assert (Seat(alone, "red").hint().key, Seat(alone, "red").hint().label) == (None, "")
    grown = red.forecast(["send", "add b1"])
    assert (grown.keys, grown.stopped_by, grown.refused) == (("send",), "key", "add b1")
    assert red.plan(["send", "add r1", "add b1"]).taken == 2


POSTED = (
    BLOCKS
    + """
setup
  STANDS
phase main
  choose by red "what"
    option post(b: Block, z: Spot)
      when b.spot != z
      b.spot := z
    option wait
  finish none, drawn
"""
)


def test_of_what_is_not_known_it_is_not_told_whether_it_is_offered(tmp_path: Path) -> None:
    """The refusals of a place mention unknown things once, wherever they are. An overview does not
    mention them."""
    told = []
    for stands in (
        "b1.spot := hill\n  b2.spot := hill",
        "b1.spot := ford\n  b2.spot := ford",
        "b1.spot := hill\n  b2.spot := ford",
    ):
        state = new_game(
            tmp_path, POSTED.replace("STANDS", f"r1.spot := hill\n  r2.spot := ford\n  {stands}")
        )
        red = Seat(state, "red")
        assert [(reason.key, reason.cause) for reason in red.why_not("hill")] == [
            ("post r1 hill", "when"),
            ("post", "unknown"),
        ]
        told.append(
            (
                red.why_not("hill"),
                red.why_not("b1"),
                red.why("post b1 hill"),
                red.why("post b2 ford"),
                overview(state),
            )
        )
    assert told[0] == told[1] == told[2]
    assert told[0][4] == ["a condition does not hold (r1, hill; r2, ford)"]


def test_whose_doing_an_event_is_is_that_of_who_chose_where_the_thing_is_not_known(
    tmp_path: Path,
) -> None:
    """For a known thing it is the owner's."""
    (tmp_path / "drawing.yaml").write_text("source: {assumed: a test}\ncounter: {owner: owner}\n")
    state = new_game(tmp_path, GUESSED.replace("b.owner = OWNER", "b in {r1, b1}"))
    state.apply("take b1")
    state.apply("take r1")
    assert [
        [line.side for line in Seat(state, who).log() if line.name == "taken"]
        for who in ("red", "blue", None)
    ] == [["red", "red"], ["blue", "red"], ["red", "red"]]


def test_a_value_that_may_be_none_is_supposed_to_be_so_too(tmp_path: Path) -> None:
    """Red does not see where blue plans to strike, if anywhere."""
    state = fords(
        tmp_path,
        "plan(blue) = none",
        ("state depth(s: Side): 0..9 seen by s", "state plan(s: Side): Zone? = south seen by s"),
    )
    assert [reach.place for reach in Seat(state, "red").forecast().places] == ["south"]


WITHIN = """
kind Card = c1 | c2 | c3
pool hand(s: Side) of Card seen by s
state gold(s: Side): 0..9 = 4 seen by s
total worth(c: Card): int
  base 3
total store(s: Side): int
  base gold(s) + 1
total stores(s: Side): int
  base store(s)
  modifier more +store(s.enemy)
total weight in fight: int
  base worth(c) + 1
permit may_go in fight
  bar weak when worth(c) < 9
permit may_guess(d: Card)
  bar weak when worth(d) < 9
setup
  put c1 in hand(red)
  put c2 in hand(red)
phase main
  pick d from hand(red) by red "which"
  fight(d)
  finish none, drawn
phase fight(c: Card)
  choose by blue "what"
    option go
      when may_go
    option guess(d: Card)
      when may_guess(d)
    option stay
  choose by red "what"
    option go_on
      when may_go
    option hold
"""


def test_what_is_inside_of_a_total_is_masked_as_well(tmp_path: Path) -> None:
    """For a card in another player's hand only the name of the total is shown. A hidden amount has
    no details."""
    state = new_game(tmp_path, WITHIN)
    state.apply("pick c1")
    found = {
        who: [
            (part.name, part.arguments, part.value)
            for part in Seat(state, who).explain("weight").lines[0].parts
        ]
        for who in ("red", "blue", None)
    }
    assert found == {
        "red": [("worth", {"c": "c1"}, 3)],
        "blue": [("worth", {}, None)],
        None: [("worth", {}, None)],
    }
    own = Seat(state, "red").explain("stores", "red")
    assert [
        (line.name, line.amount, line.hidden, [(part.name, part.value) for part in line.parts])
        for line in own.lines
    ] == [("base", 5, False, [("store", 5)]), ("more", None, True, [])]
    for key in ("go", "guess c2"):
        assert [(reason.text, reason.cause) for reason in Seat(state, "blue").why(key)] == [
            ("weak", "bar")
        ]
    state.apply("stay")
    assert [(reason.text, reason.cause) for reason in Seat(state, "red").why("go_on")] == [
        ("weak", "bar"),
        ("worth = 3", "total"),
    ]


PURSES = """
state purse(s: Side): 0..9 = 4 seen by s
total vp(s: Side): int
  base purse(s)
event robbed
  purse(red) += 1
  purse(blue) := 5
phase main
  choose by red "what"
    option rob
      robbed
    option rest
  finish none, drawn
"""


def test_of_points_that_hang_on_a_secret_no_change_is_told(tmp_path: Path) -> None:
    """If the player sees the purse, the points are shown."""
    state = new_game(tmp_path, PURSES)
    assert Seat(state, "red").odds("rob").ways[0].results[0].points == {"red": 1}
    assert Seat(state, "red").preview(["rob"]).results[0].points == {"red": 1}
