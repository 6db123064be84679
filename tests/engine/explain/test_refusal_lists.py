"""All refusals in one list, in the order of the rules, with places with pieces first. Also the
totals behind an event of a piece."""

from __future__ import annotations

import itertools
from pathlib import Path

import rulekit
from rulekit.engine.explain.event_reasons import behind
from rulekit.engine.explain.refusals import SHOWN, overview
from tests.small_games import write_game

ZONES = [f"z{n}" for n in range(1, SHOWN + 5)]
MAP = (
    'places:\n  kind: Zone\n  source: {assumed: "an example"}\n  members: {'
    + ", ".join(f"{z}: {{at: [{n}, 0]}}" for n, z in enumerate(ZONES))
    + '}\nborders:\n  kind: Way\n  source: {assumed: "an example"}\n  members:\n'
    + "".join(f"    - {{between: [{a}, {z}]}}\n" for a, z in itertools.pairwise(ZONES))
)
RULES = f"""
kind Zone
  state gone: bool
kind Way joins Zone
kind Scout = s1(red) | s2(red)
  fixed owner: Side
  state zone: Zone?
  state camped: bool
total height(z: Zone): int
  base count(Scout where zone = z)
  modifier gone +3 when z.gone
event marched(p: Scout)
  p.camped := true
setup
  s1.zone := {ZONES[-1]}
  s2.zone := {ZONES[-3]}
  {ZONES[-3]}.gone := true
phase main
  choose by red "what"
    option sing
      when some(Scout where camped) "nobody camps"
      finish red, win
    option burn(z: Zone)
      when some(Scout where camped) "there is no fire"
      finish blue, win
    option wake
      when some(Scout where camped) "nobody sleeps"
      finish red, win
    option march
      if some(Zone where height(it) > 3)
        marched(s2)
  finish none, drawn
"""


def game(folder: Path) -> rulekit.State:
    (folder / "map.yaml").write_text(MAP)
    return rulekit.load(write_game(folder, RULES)).new(seed=1)


def test_what_is_equally_near_is_listed_in_the_order_of_the_rules(tmp_path: Path) -> None:
    assert [line.split(":")[0].split(" ")[0] for line in overview(game(tmp_path))] == [
        "sing",
        "burn",
        "wake",
    ]


def test_the_places_where_pieces_stand_are_named_first(tmp_path: Path) -> None:
    """If there are too many places, these are the ones named."""
    [burn] = [line for line in overview(game(tmp_path)) if "no fire" in line]
    assert f"({ZONES[-3]}; {ZONES[-1]}; ... and {len(ZONES) - 2} more)" in burn, burn


def test_of_a_search_through_places_the_one_where_the_piece_stands_is_told(tmp_path: Path) -> None:
    state = game(tmp_path)
    state.apply("march")
    [number] = [number for number, event in enumerate(state.events) if event.name == "marched"]
    assert [(each.name, each.arguments, each.value) for each in behind(state, number)] == [
        ("height", {"z": ZONES[-3]}, 4)
    ]
