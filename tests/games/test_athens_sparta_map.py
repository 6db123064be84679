"""The reconstructed data of Athens & Sparta: each fact of the text about map, cities, blocks and
cards, and further properties."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest

from tests.games.board import Board, Facts, read

MILES = 30
NO_PORTS = ["Elis", "Messene", "Sparta", "Stratus", "Thebes"]
REBELS = ["Chios", "Corcyra", "Mytilene", "Rhodes"]
BOARD, KINDS = read("athens_sparta", "Hex", "Way")
HEXES, BLOCKS, CARDS = BOARD.places, KINDS["Block"], KINDS["Card"]
CITIES = {name: h for name, h in HEXES.items() if h["city"]}
WET = {"sea", "coast", "coastpass"}
DRY = {"land": 2, "pass": 1, "coast": 2, "coastpass": 1}


def by_sea(a: str, z: str, way: Facts, without: tuple[str, ...] = ()) -> int | None:
    return 1 if way["edge"] in WET and z not in without else None


def by_land(a: str, z: str, way: Facts) -> int | None:
    return 1 if way["edge"] in DRY else 0 if way["edge"] == "strait" else None


def dry_shod(a: str, z: str, way: Facts) -> int | None:
    return 1 if way["edge"] in DRY and HEXES[z]["terrain"] != "mountain" else None


def edge(a: str, z: str) -> object:
    way = BOARD.borders.get((a, z))
    return way and way["edge"]


def sides(name: str) -> list[tuple[str, object]]:
    """Return the edges of a hex, with those of its banks and coasts, without its interior
    connections."""
    own = {name} | {n for n, h in HEXES.items() if h["part_of"] == name}
    return [(z, way["edge"]) for (a, z), way in BOARD.borders.items() if a in own and z not in own]


def of(**want: object) -> list[Facts]:
    return [b for b in BLOCKS.values() if all(b[key] == value for key, value in want.items())]


def owned(side: str) -> dict[str, Facts]:
    return {name: b for name, b in BLOCKS.items() if name.split(".")[0] == side}


# ------------------------------------------------------------------------------------------ the map
def test_a_hex_has_no_more_than_six_sides_and_open_sea_no_land() -> None:
    for name, h in HEXES.items():
        if h["part_of"] is None and name != "Syracuse":
            beyond = {HEXES[z]["part_of"] or z for z, _ in sides(name)} - {"Syracuse"}
            assert len(beyond) <= 6
            assert h["terrain"] != "sea" or all(kind == "sea" for _, kind in sides(name))


def test_halicarnassus_lies_beyond_miletus() -> None:
    """The erratum: the hex south of it is reached over water."""
    assert edge("Miletus", "Halicarnassus") == "sea"


def test_lemnos_to_chalcis_is_six_hexes_by_carystus_and_marathon() -> None:
    assert BOARD.steps("Lemnos", by_sea)["Chalcis"] == 6
    for name in ("Carystus", "Marathon"):
        assert (
            BOARD.steps("Lemnos", lambda a, z, way, name=name: by_sea(a, z, way, (name,))).get(
                "Chalcis", 99
            )
            > 6
        )  # type: ignore[misc]


@pytest.mark.parametrize(
    ("bank", "other", "limit"),
    [
        ("Naupactus_far", "Sicyon", 2),
        ("Naupactus_far", "Patrae", 2),
        ("Abydos_far", "Cardia", 2),
        ("Abydos_far", "Elaeus", 2),
        ("Ephesus_far", "Samos", 2),
        ("Ephesus", "Notium", 2),
        ("Ephesus", "Miletus", 2),
    ],
)
def test_which_bank_the_examples_touch(bank: str, other: str, limit: int) -> None:
    assert DRY[str(edge(bank, other))] == limit


def test_samos_is_reached_by_land_from_ephesus_alone() -> None:
    assert [z for z, kind in sides("Samos") if kind in DRY] == ["Ephesus_far"]


def test_sparta_to_corinth_is_three_hexes_without_a_mountain() -> None:
    assert BOARD.steps("Sparta", dry_shod)["Corinth"] == 3


def test_gytheum_to_athens_is_four_hexes_by_sea() -> None:
    assert BOARD.steps("Gytheum", by_sea)["Athens"] <= 4


def test_corinth_has_two_coasts_joined_only_round_the_peloponnese() -> None:
    assert BOARD.steps("Corinth", by_sea)["Corinth_back"] > 8
    assert edge("Corinth", "Corinth_back") == "diolkos"


@pytest.mark.parametrize("name", ["Potidaea", "Chalcis", "Marathon", "Cardia", "Abydos"])
def test_the_other_coast_is_not_the_city(name: str) -> None:
    assert {kind for _, kind in sides(name) if kind} and (name, name + "_back") not in BOARD.borders
    assert any(way["edge"] in WET for (a, _), way in BOARD.borders.items() if a == name + "_back")


@pytest.mark.parametrize("name", ["Naxos", "Cephallenia", "Mytilene", "Rhodes", "Melos"])
def test_islands_with_water_all_around(name: str) -> None:
    assert [kind for z, kind in sides(name) if z != "Syracuse"] == ["sea"] * 6 and HEXES[name][
        "island"
    ]


@pytest.mark.parametrize("name", ["Corcyra", "Leucas", "Chios"])
def test_islands_behind_one_strait(name: str) -> None:
    assert HEXES[name]["island"] and HEXES[name]["opposite"] == name + "_far"
    assert not any(way["edge"] in DRY for (a, _), way in BOARD.borders.items() if a == name)


def test_euboea_has_land_supply_over_straits_only() -> None:
    land = BOARD.steps("Chalcis", by_land)
    assert (
        "Thebes" in land and "Carystus" in land and "Thebes" not in BOARD.steps("Chalcis", dry_shod)
    )
    assert not HEXES["Chalcis"]["island"]


def test_the_oracles_belong_to_nobody() -> None:
    assert {name for name, h in HEXES.items() if h["oracle"]} == {"Delos", "Delphi"}
    assert not any(HEXES[name]["colour"] or HEXES[name]["city"] for name in ("Delos", "Delphi"))


def test_strait_hexes() -> None:
    straits = {name for name, h in HEXES.items() if h["strait"]}
    assert {
        "Naupactus",
        "Abydos",
        "Ephesus",
        "Chios",
        "Marathon",
        "Corcyra",
        "Halicarnassus",
    } <= straits
    assert (
        all(edge(name, name + "_far") == "strait" for name in straits)
        and not HEXES["Marathon"]["city"]
    )


@pytest.mark.parametrize("name", NO_PORTS)
def test_five_cities_are_no_ports(name: str) -> None:
    assert not HEXES[name]["port"] and not any(kind in WET for _, kind in sides(name))


def test_all_other_cities_but_sardis_are_ports_with_water_at_their_own_coast() -> None:
    for name, city in CITIES.items():
        assert bool(city["port"]) == (name not in [*NO_PORTS, "Sardis"])
        if city["port"] and name != "Syracuse":
            assert any(way["edge"] in WET for (a, _), way in BOARD.borders.items() if a == name)


def test_all_ports_are_joined_by_sea_and_the_gulf_of_corinth_opens_at_naupactus() -> None:
    seas = BOARD.steps("Lemnos", by_sea)
    assert {name for name, h in HEXES.items() if h["port"] and name != "Syracuse"} <= set(seas)
    assert "Corinth" not in BOARD.steps(
        "Corcyra", lambda a, z, way: by_sea(a, z, way, ("Naupactus",))
    )


def test_cities_of_the_mainlands_are_joined_by_land() -> None:
    europe, asia = BOARD.steps("Sparta", by_land), BOARD.steps("Sardis", by_land)
    assert {
        "Athens",
        "Corinth",
        "Thebes",
        "Messene",
        "Elis",
        "Megara",
        "Sicyon",
        "Argos",
        "Patrae",
        "Cyllene",
        "Gytheum",
        "Delphi",
        "Stratus",
        "Naupactus",
        "Ambracia",
        "Leucas",
        "Pagasae",
        "Pella",
        "Potidaea",
        "Amphipolis",
        "Corcyra",
        "Chalcis",
        "Carystus",
        "Cardia",
        "Elaeus",
    } <= set(europe)
    assert {
        "Ephesus",
        "Notium",
        "Miletus",
        "Halicarnassus",
        "Abydos",
        "Dascylium",
        "Chios",
        "Samos",
    } <= set(asia)


def test_each_mountain_has_a_way_in() -> None:
    heights = [name for name, h in HEXES.items() if h["terrain"] == "mountain"]
    assert heights and all(any(kind in DRY for _, kind in sides(name)) for name in heights)


def test_persia_has_two_cities_and_one_of_them_a_port() -> None:
    cities = {name for name, h in CITIES.items() if h["persian"]}
    assert len(cities) == 2 and sum(bool(HEXES[name]["port"]) for name in cities) >= 1
    assert not any(HEXES[name]["colour"] or HEXES[name]["green"] for name in cities)


def test_syracuse_is_reached_from_four_ports() -> None:
    assert {z for z, kind in sides("Syracuse")} == {"Corcyra", "Leucas", "Cephallenia", "Cyllene"}
    assert {name for name, h in HEXES.items() if h["embarkation"]} == {
        z for z, _ in sides("Syracuse")
    }


# --------------------------------------------------------------------------------------- the cities
def worth(**want: object) -> int:
    return sum(
        int(str(h["value"]))
        for h in HEXES.values()
        if all(h[key] == value for key, value in want.items())
    )


def test_points_on_the_map() -> None:
    assert (worth(colour="athens"), worth(colour="sparta"), worth(green=1), worth()) == (
        20,
        18,
        10,
        48,
    )


def test_values_that_the_text_gives() -> None:
    assert [HEXES[name]["value"] for name in ("Miletus", "Syracuse", "Potidaea", "Chios")] == [
        2,
        4,
        1,
        2,
    ]


def test_walls() -> None:
    walled = {name for name, h in HEXES.items() if h["walled"]}
    assert {
        "Athens",
        "Corinth",
        "Thebes",
        "Potidaea",
        "Syracuse",
        "Amphipolis",
        "Naxos",
        "Cephallenia",
        "Corcyra",
    } <= walled
    assert not walled & {"Sparta", "Chios", "Halicarnassus", "Messene"}
    assert any(h["walled"] and not h["value"] and h["colour"] for h in CITIES.values())


def test_colours() -> None:
    blue = [
        "Athens",
        "Potidaea",
        "Chios",
        "Corcyra",
        "Mytilene",
        "Rhodes",
        "Miletus",
        "Halicarnassus",
        "Amphipolis",
    ]
    assert all(HEXES[name]["colour"] == "athens" for name in blue) and HEXES["Syracuse"]["green"]
    assert all(
        HEXES[name]["colour"] == "sparta"
        for name in ("Sparta", "Messene", "Corinth", "Thebes", "Gytheum")
    )
    assert all(HEXES[name]["value"] for name in ("Messene", *REBELS))


# --------------------------------------------------------------------------------------- the blocks
def test_steps_and_ratings() -> None:
    assert len(BLOCKS) == 67
    assert all(
        2 <= int(str(b["full"])) <= 4 and 1 <= int(str(b["grade"])) <= 4 for b in BLOCKS.values()
    )
    assert {
        name: (a["range"], a["price"]) for name, a in KINDS["Arm"].items() if name != "faction"
    } == {"hoplite": (3, 2), "peltast": (4, 1), "cavalry": (5, 3), "navy": (4, 3)}


def test_the_sample_block() -> None:
    assert of(arm="navy", home="Athens", full=4, letter="C", grade=3)


def test_spartan_hoplites_are_the_best() -> None:
    hoplites = of(arm="hoplite")
    assert max(int(str(b["grade"])) for b in hoplites) == 4 and {
        b["home"] for b in hoplites if b["grade"] == 4
    } == {"Sparta"}


def test_athenian_navies_are_the_better_ones() -> None:
    best = [
        max(int(str(b["grade"])) for b in owned(side).values() if b["arm"] == "navy")
        for side in ("athens", "sparta")
    ]
    assert best[0] > best[1]


def test_rebel_navies_have_two_equal_prints() -> None:
    for name in REBELS:
        one, other = BLOCKS[str(HEXES[name]["navy"])], BLOCKS[str(HEXES[name]["rebel"])]
        assert one == other and one["arm"] == "navy" and one["home"] == name
    navies = [b for b in owned("athens").values() if b["arm"] == "navy" and not b["reserve"]]
    assert {b["home"] for b in navies} == {"Athens", *REBELS}


def test_reserves_and_factions() -> None:
    for side in ("athens", "sparta"):
        assert any(b["reserve"] for b in owned(side).values())
    tyrants, demos = (
        (str(each["letter"]), -int(str(each["grade"])))
        for each in (BLOCKS["sparta.Tyrants"], BLOCKS["athens.Demos"])
    )
    assert tyrants < demos, (
        "its combat rating is the higher one: an earlier letter, or a higher number"
    )
    assert {name for name, b in BLOCKS.items() if b["revolt"]} == {
        "athens.Demos",
        "athens.Helots",
        "sparta.Tyrants",
    }


def test_forces_of_the_worked_examples() -> None:
    assert of(arm="hoplite", letter="B", grade=4, full=4) and of(
        arm="peltast", letter="A", grade=1, full=4
    )
    assert {"athens.AmH", "athens.AmP"} <= {
        name for name, b in BLOCKS.items() if b["home"] == "Amphipolis"
    }
    assert (
        len([b for b in owned("athens").values() if (b["arm"], b["grade"]) == ("hoplite", 3)]) >= 2
    )
    assert (
        len(
            [
                b
                for b in owned("sparta").values()
                if (b["arm"], b["letter"], b["grade"]) == ("navy", "C", 2)
            ]
        )
        >= 3
    )
    assert [
        b
        for b in owned("sparta").values()
        if (b["arm"], b["grade"]) == ("peltast", 2) and int(str(b["full"])) >= 3
    ]


def test_neutral_cities_have_their_blocks_and_persia_none() -> None:
    green = {name: h["garrison"] for name, h in HEXES.items() if h["green"]}
    assert all(green.values()) and {str(b["home"]) for b in owned("green").values()} == set(green)
    assert all(b["home"] is None or not HEXES[str(b["home"])]["persian"] for b in BLOCKS.values())
    assert {name for blocks in green.values() for name in blocks} == set(owned("green"))  # type: ignore[attr-defined]


def test_navies_come_from_ports() -> None:
    assert all(b["reserve"] or HEXES[str(b["home"])]["port"] for b in of(arm="navy"))


# ---------------------------------------------------------------------------------------- the cards
def test_cards() -> None:
    assert len(CARDS) == 25
    points = {name: int(str(card["points"])) for name, card in CARDS.items()}
    special = {name for name, card in CARDS.items() if card["special"]}
    assert {"Storm", "Earthquake"} <= special and points["Storm"] == 2
    assert (
        any(points[name] == 5 for name in CARDS if name not in special)
        and max(points[name] for name in special) < 5
    )


def test_a_hand_below_ten_is_possible_and_rare() -> None:
    points = sorted(int(str(card["points"])) for card in CARDS.values())
    poor = sum(1 for hand in combinations(points, 6) if sum(hand) < 10)
    assert 0 < poor < 0.05 * comb(25, 6)


# ---------------------------------------------------------------------------------------- the start
def test_board_is_read() -> None:
    assert isinstance(BOARD, Board) and len(CITIES) == 41
