"""The drawn maps of the two large games agree with their data: coasts, straits, walls, ports,
values, and forces by numbers."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree

import pytest

import rulekit
from rulekit.cli.map_picture import picture
from rulekit.presentation.seat import Seat
from rulekit.presentation.sheet import Sheet
from tests.games.plays import game_of
from tests.presentation.test_drawn_map import inside, land, middles, of, rings, sign

Drawn = tuple[rulekit.Game, Sheet, ElementTree.Element, Seat]


def drawn(name: str) -> Drawn:
    game = game_of(name)
    seat = Seat(game.new(None, 0), None)
    sheet = seat.sheet()
    return game, sheet, ElementTree.fromstring(picture(sheet, seat.position())), seat


@pytest.fixture(scope="module")
def hexes() -> Drawn:
    return drawn("athens_sparta")


@pytest.fixture(scope="module")
def signs() -> Drawn:
    return drawn("peloponnesian_war")


def test_land_is_drawn_where_armies_go_and_water_where_ships_do(hexes: Drawn) -> None:
    """This is checked at each edge between two hexes. If both go there, the coast crosses it."""
    game, sheet, tree, _ = hexes
    printed, shape, wrong = {m.id: m.printed for m in sheet.kind("Way").members}, land(tree), []
    over: dict[frozenset[str], set[str]] = {}
    pairs = {
        edge.id: frozenset(name.removesuffix("_far").removesuffix("_back") for name in edge.between)
        for edge in sheet.map.edges
    }
    for id, pair in pairs.items():
        over.setdefault(pair, set()).update(what for what in ("dry", "wet") if printed[id][what])
    seen = 0
    for id, at in middles(game).items():
        if len(over[pairs[id]]) == 1:
            seen += 1
            wrong += [id] if inside(at, shape) != (over[pairs[id]] == {"dry"}) else []
    assert not wrong and seen > 500


def test_a_strait_lies_between_each_city_and_its_far_bank(hexes: Drawn) -> None:
    """The way from the city to a hex that only the far bank touches by land crosses water and then
    land."""
    _, sheet, tree, _ = hexes
    printed, shape = {m.id: m.printed for m in sheet.kind("Way").members}, land(tree)
    spots = {spot.id: spot for spot in sheet.map.spots}
    seen = set()
    for edge in sheet.map.edges:
        for bank, other in (edge.between, edge.between[::-1]):
            if (
                bank.endswith("_far")
                and spots[other].outline
                and other != bank.removesuffix("_far")
                and printed[edge.id]["dry"]
            ):
                city = spots[bank.removesuffix("_far")]
                (ax, ay), (bx, by) = sorted(set(city.outline) & set(spots[other].outline))
                assert city.at is not None
                (x, y), mid = city.at, ((ax + bx) / 2, (ay + by) / 2)
                way = [
                    inside((x + (mid[0] - x) * t / 30, y + (mid[1] - y) * t / 30), shape)
                    for t in range(28)
                ]
                assert way[0] and False in way, (bank, other)
                seen.add(bank)
    assert len(seen) == 9


def test_each_city_has_its_value_walls_and_anchor(hexes: Drawn) -> None:
    _, sheet, tree, _ = hexes
    for place in sheet.kind("Hex").members:
        if place.printed["city"]:
            shown = sign(tree, place.id)
            assert bool(of(shown, "token-walls")) == place.printed["walled"], place.id
            assert [each.text for each in of(shown, "token-number")] == (
                [str(place.printed["value"])] if place.printed["value"] else []
            ), place.id
            assert bool(of(shown, "token-mark")) == (
                place.printed["port"] or place.id == "Potidaea"
            ), place.id
    assert of(sign(tree, "Potidaea"), "alarm") and not of(sign(tree, "Athens"), "alarm"), (
        "Potidaea is besieged at the beginning"
    )


def test_passes_ridges_straits_and_the_slipway_are_marked(hexes: Drawn) -> None:
    """Each such border has exactly one mark."""
    _, sheet, tree, _ = hexes
    ways = [m.printed["edge"] for m in sheet.kind("Way").members]
    drawn = {
        mark: len(of(tree, mark)) - 1 for mark in ("pass", "ferry", "slip")
    }  # minus one each in the legend
    assert drawn == {
        "pass": ways.count("pass") + ways.count("coastpass"),
        "ferry": ways.count("strait"),
        "slip": ways.count("diolkos"),
    }
    assert len(of(tree, "ridge")) > 10 and len(of(tree, "lane")) == 4 + 1


def test_pieces_that_nobody_knows_are_in_the_colours_of_their_side(hexes: Drawn) -> None:
    _, _, tree, _ = hexes
    told = {"".join(each.itertext()) for each in tree.iter() if each.tag.endswith("title")}
    assert "6 × unknown (Athens)" in told and "4 × unknown (Sparta)" in told


def test_coastal_spaces_lie_on_the_coast_and_inland_ones_do_not(signs: Drawn) -> None:
    _, sheet, tree, _ = signs
    shape = of(tree, "coast")[0].get("d") or ""
    coast = [point for ring in rings(shape) for point in ring]
    wrong = []
    for place in sheet.kind("Space").members:
        at = next(spot.at for spot in sheet.map.spots if spot.id == place.id)
        assert at is not None
        away, dry = (
            min(math.dist(at, point) for point in coast),
            any(inside(at, "M" + part + "Z") for part in shape.split("M") if part),
        )
        kind = place.printed["terrain"]
        if (
            (kind == "coastal" and place.id != "Euxine" and away > 15)
            or (kind == "inland" and (not dry or away < 16))
            or (kind == "island" and not dry)
        ):
            wrong.append((place.id, kind, dry, round(away)))
    assert not wrong


def test_no_name_stands_over_the_sign_of_another_space(signs: Drawn) -> None:
    _, sheet, tree, _ = signs
    spots = {spot.id: spot.at for spot in sheet.map.spots}
    names = {m.label: m.id for m in sheet.kind("Space").members}
    for label in of(tree, "f-sign"):
        for line in label:
            name = "".join(line.itertext()).strip()
            if line.tag.endswith("text") and name in names:
                x, y, style = (
                    float(line.get("x", "")),
                    float(line.get("y", "")) - 4,
                    line.get("style") or "",
                )
                wide = 6.6 * len(name)
                left = x if "start" in style else x - wide if "end" in style else x - wide / 2
                over = [
                    id
                    for id, at in spots.items()
                    if at
                    and id != names[name]
                    and left - 6 < at[0] < left + wide + 6
                    and abs(at[1] - y) < 9
                ]
                assert not over, (name, over)


def test_forces_are_those_of_the_position(signs: Drawn) -> None:
    _, _, tree, seat = signs
    numbers = seat.position().state["sp"]
    side = {"A": "athens", "L": "athens", "S": "sparta", "P": "sparta"}
    wanted: dict[tuple[str, str], dict[str, int]] = {}
    for key, many in numbers.items():
        place, troop = key.split(".")
        if many:
            arms = wanted.setdefault((place, side[troop[0]]), {})
            arms[troop[1]] = arms.get(troop[1], 0) + many
    shown = {
        place: sorted(
            int(t.text or 0)
            for force in of(sign(tree, place), "force")
            for t in force
            if t.tag.endswith("text")
        )
        for place, _ in wanted
    }
    assert shown == {
        place: sorted(n for (p, _), arms in wanted.items() if p == place for n in arms.values())
        for place, _ in wanted
    }
    assert len(wanted) > 10
