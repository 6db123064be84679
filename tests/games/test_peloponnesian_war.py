"""The reconstructed data of The Peloponnesian War agree with the text: names, kinds of lines,
required and impossible paths, tables without gaps."""

from __future__ import annotations

import csv
import random
from functools import cache
from typing import Any

import networkx
import pytest

import rulekit
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.folder import read_game
from rulekit.compiler.source.game_source import GameSource, MemberData
from tests.games.plays import GOLDEN, ROOT, game_of, played, told

GAME = ROOT / "games" / "peloponnesian_war"
SIDES = ("athens", "sparta")
SCENARIOS = ("war431", "war415", "war410")
SEA, LAND, ALL = {"by_sea", "combined"}, {"by_land", "combined"}, {"by_sea", "by_land", "combined"}
NAMED = (
    "Pylos Asine Corone Prasiae EpidaurusLimera Euxine Epidamnos Amphipolis Corcyra Macedon "
    "Pella Gythium Abdera Maroneia Syracuse Mytilene "
    "Camirus Lampsacus Chios"
)


@cache
def source() -> GameSource:
    sink = Sink()
    found = read_game(GAME, sink)
    assert found is not None and not sink.found
    return found


@cache
def members(kind: str) -> dict[str, MemberData]:
    """Return the data of a kind."""
    return {m.id: m for k in source().kinds if k.kind == kind for m in k.members}


def value(member: MemberData, name: str) -> object:
    return member.values[name].value if name in member.values else None


def spaces(**wanted: object) -> set[str]:
    return {
        id
        for id, space in members("Space").items()
        if all(value(space, name) == each for name, each in wanted.items())
    }


@cache
def network(ways: frozenset[str] = frozenset(ALL)) -> networkx.Graph[str]:
    """Return the spaces with the lines of these types."""
    graph: networkx.Graph[str] = networkx.Graph()
    graph.add_nodes_from(members("Space"))
    for line in members("Loc").values():
        if value(line, "way") in ways:
            graph.add_edge(
                *(str(end.value) for end in line.values["between"].value), way=value(line, "way")
            )
    return graph


def rows(name: str) -> list[dict[str, str]]:
    with (GAME / "tables" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def keys(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


# ------------------------------------------------------------------------------------------ the map
def test_every_name_of_the_text_is_a_space() -> None:
    assert set(NAMED.split()) <= set(members("Space"))
    assert {"Alcibiades", "Pericles", "Nicias"} <= set(members("Leader"))


def test_the_map_is_one_network_without_dead_ends_but_the_euxine() -> None:
    graph = network()
    assert networkx.is_connected(graph) and 90 <= len(graph) <= 115
    assert {space for space in graph if graph.degree(space) < 2} == {"Euxine"}
    assert len(members("Loc")) == graph.number_of_edges()  # no line twice


def test_ships_never_reach_an_inland_space() -> None:
    assert all(not network(frozenset(SEA)).degree(space) for space in spaces(terrain="inland"))


def test_islands_are_reached_by_sea_and_walked_only_within_one_island() -> None:
    dry = {
        frozenset(pair)
        for space in spaces(terrain="island")
        for pair in network(frozenset(LAND)).edges(space)
    }
    assert dry == {
        frozenset(p)
        for p in (
            ("Histiaea", "Chalcis"),
            ("Chalcis", "Eretria"),
            ("Eretria", "Carystus"),
            ("Camirus", "Lindus"),
        )
    }


def test_no_two_lines_cross_as_drawn() -> None:
    at = {id: tuple(source().geometry[id]["at"]) for id in members("Space")}

    def turn(p: str, q: str, r: str) -> float:
        return (at[q][0] - at[p][0]) * (at[r][1] - at[p][1]) - (at[q][1] - at[p][1]) * (
            at[r][0] - at[p][0]
        )

    lines = list(network().edges)
    assert len(set(at.values())) == len(network())
    for n, (a, z) in enumerate(lines):
        for b, y in lines[:n]:
            assert {a, z} & {b, y} or not (
                turn(a, z, b) * turn(a, z, y) < 0 and turn(b, y, a) * turn(b, y, z) < 0
            ), (a, z, b, y)


def test_no_ship_passes_the_isthmus() -> None:
    """Lechaeum and Cenchreae are connected by land, and no third space connects them by sea."""
    assert network()["Corinth"]["Cenchreae"]["way"] == "by_land"
    at_sea = network(frozenset(SEA))
    assert not set(at_sea["Corinth"]) & set(at_sea["Cenchreae"])


@pytest.mark.parametrize("side", SIDES)
def test_each_side_has_one_home(side: str) -> None:
    (home,) = spaces(home=True, colour=side)
    assert value(members("Space")[home], "terrain") == ("coastal" if side == "athens" else "inland")


def test_the_five_of_the_helots_are_coasts_that_athens_can_sail_to() -> None:
    five = spaces(helot=True)
    assert five == {"Pylos", "Asine", "Corone", "Prasiae", "EpidaurusLimera"}
    assert five <= spaces(terrain="coastal") and five <= networkx.node_connected_component(
        network(frozenset(SEA)), "Athens"
    )


@pytest.mark.parametrize("side", SIDES)
def test_losses_of_spaces_alone_never_eat_up_the_revenue(side: str) -> None:
    assert 50 * len(spaces(colour=side)) <= {"athens": 3500, "sparta": 2500}[side]


@pytest.mark.parametrize(
    ("side", "taken"),
    [("athens", "Cythera Taenarum"), ("athens", "Lyncus"), ("sparta", "Patrae Corcyra")],
    ids=["by sea", "by land", "Sparta"],
)
def test_epidamnos_can_be_reached_by_a_few_conquests(side: str, taken: str) -> None:
    """The path leads over spaces of one side. It is closed at the start and open with these
    conquests."""
    home = {"athens": "Athens", "sparta": "Sparta"}[side]
    own = spaces(colour=side) | {"Epidamnos"}
    assert not networkx.has_path(network().subgraph(own), home, "Epidamnos")
    assert networkx.has_path(network().subgraph(own | set(taken.split())), home, "Epidamnos")


# ------------------------------------------------------------------------------------------ leaders
def test_a_siege_can_fail_whoever_leads_it() -> None:
    assert all(1 + int(value(leader, "tactics")) < 4 for leader in members("Leader").values())  # type: ignore[call-overload]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("turn", range(1, 11))
def test_three_leaders_can_be_drawn_in_every_turn(side: str, turn: int) -> None:
    there = [each for each in members("Leader").values() if value(each, "of") == side]
    assert (
        sum(int(value(each, "enters")) <= turn <= int(value(each, "leaves")) for each in there) >= 3
    )  # type: ignore[call-overload]


def test_two_leaders_are_immune_to_the_call_of_the_gods() -> None:
    assert {id for id, leader in members("Leader").items() if value(leader, "immune")} == {
        "Pericles",
        "Alcibiades",
    }


# ------------------------------------------------------------------------------ matrices and tables
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("footing", ["behind", "even", "ahead"])
def test_a_strategy_for_every_roll(side: str, footing: str) -> None:
    assert sorted(
        n
        for r in rows("strategy.csv")
        if (r["side"], r["footing"]) == (side, footing)
        for n in keys(r["roll"])
    ) == list(range(1, 10))


def test_each_strategy_can_come_up_for_its_side_only() -> None:
    assert {(r["side"], r["plan"]) for r in rows("strategy.csv")} == {
        (value(plan, "of"), id) for id, plan in members("Plan").items()
    }


@pytest.mark.parametrize("plan", [f"{side}{n}" for side in "AS" for n in range(1, 7)])
def test_objectives_lie_within_reach_of_every_assembly_space(plan: str) -> None:
    own = members("Plan")[plan]
    mine = [r for r in rows("objective.csv") if r["plan"] == plan]
    assert sorted(n for r in mine for n in keys(r["die"])) == [1, 2, 3, 4, 5, 6]
    ways = SEA if int(value(own, "least_ships") or 0) else LAND  # type: ignore[call-overload]
    for base in (value(own, "base"), value(own, "second_base")):
        if base is not None:
            reach = networkx.node_connected_component(network(frozenset(ways)), str(base))
            assert {r["place"] for r in mine if r["aim"] == "named"} <= reach


@pytest.mark.parametrize("plan", [f"{side}{n}" for side in "AS" for n in range(1, 7)])
def test_nobody_wants_less_than_he_needs(plan: str) -> None:
    own = members("Plan")[plan]
    for arm in ("foot", "ships"):
        assert int(value(own, f"least_{arm}") or 0) <= int(value(own, arm) or 0)  # type: ignore[call-overload]


def test_eleven_league_cities_may_rise_as_the_text_has_them() -> None:
    risen = {int(r["total"]): r["place"] for r in rows("revolt.csv")}
    assert (
        sorted(risen) == list(range(2, 13))
        and len(set(risen.values())) == 11
        and set(risen.values()) <= spaces(league=True)
    )
    assert (risen[7], risen[10], risen[11], risen[12]) == (
        "Mytilene",
        "Camirus",
        "Lampsacus",
        "Amphipolis",
    )


def test_places_of_events_are_on_the_side_that_the_text_wants() -> None:
    """Those that change sides have a side. Argos and Syracuse have none before they join."""
    assert {"Abdera", "Maroneia", "Pella", "Macedon", "Corcyra"} <= spaces(colour="athens")
    assert all(value(members("Space")[name], "colour") is None for name in ("Argos", "Syracuse"))


def test_what_the_cells_of_going_home_keep() -> None:
    """The seven cells with a remark have it, and every force has a place where it may always go."""
    cells = members("Priority").values()
    assert {value(p, "troop") for p in cells if "if_place" in p.values} == {
        "AN",
        "LH",
        "LC",
        "SN",
        "PH",
        "PC",
        "PN",
    }
    assert {value(p, "troop") for p in cells if "if_place" not in p.values} == {
        a + b for a in "ALSP" for b in "HCN"
    }
    assert value(members("Space")["Chios"], "stand_in") not in (None, "Chios", "Corcyra")


# ------------------------------------------------------------------------------------------ set-ups
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_set_up_ends_nothing_by_itself(scenario: str) -> None:
    """No side begins without will, and no armistice is due."""
    cells = set_up(scenario)
    will, talents = cells["bellicosity"], cells["treasury"]
    assert (
        all(will.values())
        and not all(v <= 6 for v in will.values())
        and not all(t < 1000 for t in talents.values())
    )


@cache
def set_up(scenario: str) -> dict[str, Any]:
    """Return the state at the first decision."""
    return game_of("peloponnesian_war").new(scenario, seed=1).view("commander")["state"]  # type: ignore[no-any-return]


def standing(scenario: str) -> list[tuple[str, str, int]]:
    """Return each force: its place, its type of troop, its number of SPs."""
    return [(*place.split("."), sps) for place, sps in set_up(scenario)["sp"].items() if sps]


OWN = {"A": "athens", "L": "athens", "S": "sparta", "P": "sparta"}  # by the first letter of a troop


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_leaders_of_a_set_up_are_in_play(scenario: str) -> None:
    """Each side has three, none before their time or after it."""
    ready, turn = set_up(scenario)["ready"], set_up(scenario)["turn"]
    there = {name: members("Leader")[name] for name in ready}
    assert (
        sorted(str(value(leader, "of")) for leader in there.values())
        == ["athens"] * 3 + ["sparta"] * 3
    )
    assert all(
        int(value(leader, "enters")) <= turn <= int(value(leader, "leaves"))
        for leader in there.values()
    )  # type: ignore[call-overload]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_forces_begin_among_friends_or_before_a_rebel_town_and_ships_on_coasts(
    scenario: str,
) -> None:
    cells, forces = set_up(scenario), standing(scenario)
    assert len(forces) > 15
    for space, troop, _ in forces:
        assert cells["control"][space] == OWN[troop[0]] or cells["rebel"][space], (space, troop)
        assert troop[1] != "N" or space not in spaces(terrain="inland"), (space, troop)


def test_in_431_every_force_stands_where_its_cell_of_going_home_sends_it_or_besieges_potidaea() -> (
    None
):
    cells: dict[str, set[object]] = {}
    for row in members("Priority").values():
        cells.setdefault(str(value(row, "troop")), set()).update(
            {value(row, "to"), value(row, "other")}
        )
    assert all(space in cells[troop] | {"Potidaea"} for space, troop, _ in standing("war431"))


@pytest.mark.parametrize(
    ("scenario", "comes"), [("war431", True), ("war415", True), ("war410", False)]
)
def test_the_grain_comes_but_for_410_and_byzantium_alone_stops_it(
    scenario: str, comes: bool
) -> None:
    control = set_up(scenario)["control"]
    own = {space for space in control if control[space] == "athens"} | {"Euxine"}
    at_sea = network(frozenset(SEA)).subgraph(own)
    assert networkx.has_path(at_sea, "Athens", "Euxine") == comes
    assert not networkx.has_path(
        network(frozenset(SEA)).subgraph(own - {"Byzantium"}), "Athens", "Euxine"
    )


@pytest.mark.parametrize("plan", [f"{side}{n}" for side in "AS" for n in range(1, 7)])
def test_the_first_operation_of_the_war_can_be_paid_and_assembled(plan: str) -> None:
    """For each strategy there are enough SPs, and talents beyond the Emergency Fund as if none were
    wasted."""
    own, side = members("Plan")[plan], {"A": "athens", "S": "sparta"}[plan[0]]
    cost = 0
    for arm, name, each in (("H", "least_foot", 200), ("N", "least_ships", 400)):
        least = int(value(own, name) or 0)  # type: ignore[call-overload]
        cost += each * least
        assert (
            sum(
                sps
                for _, troop, sps in standing("war431")
                if troop[1] == arm and OWN[troop[0]] == side
            )
            >= least
        )
    assert cost <= set_up("war431")["treasury"][side] - {"athens": 1000, "sparta": 0}[side]


# ---------------------------------------------------------------------- sources, rulings, inventory
def test_each_datum_says_where_it_comes_from() -> None:
    """Spaces, lines, leaders, strategies, alarms and cells of going home are from the text, derived
    or assumed."""
    there = [member for kind in source().kinds for member in kind.members]
    assert len(there) > 380 and not [member.id for member in there if not member.sources]


def test_one_id_of_the_inventory_alone_needs_no_situation() -> None:
    """It says that the aid yields to the full rules, which are not in the text."""
    ids = source().coverage_ids
    assert len(ids) == 198 and {id for id, said in ids.items() if said.get("reason")} == {"PW-S-01"}


def test_each_gap_of_the_text_has_a_ruling() -> None:
    """There are rulings for the 27 gaps of the inventory. Each of its ids in a ruling is in
    coverage.yaml."""
    cited = {id for ruling in source().rulings for id in ruling.inventory}
    assert {id for id in cited if id.startswith("G-")} == {f"G-PW-{n:02}" for n in range(1, 28)}
    assert {id for id in cited if id.startswith("PW-")} <= set(source().coverage_ids)


# -------------------------------------------------------------------------------------- whole games
@pytest.mark.parametrize("edition", ["solitaire", "watched", "two_players"])
def test_random_games_end_by_the_rules(edition: str) -> None:
    """This holds for each leader of the other side, and no choice breaks an invariant."""
    for scenario in SCENARIOS:
        state, rng = (
            game_of("peloponnesian_war").new(scenario, seed=4, edition=edition),
            random.Random(4),
        )
        while state.decision is not None:
            state.apply(rng.choice(state.decision.options))
        assert state.result is not None and state.result.level in {
            "great_victory",
            "victory",
            "defeat",
            "drawn",
        }


@pytest.mark.parametrize(
    ("edition", "offered"), [("solitaire", ["follow"]), ("watched", ["follow", "overrule"])]
)
def test_the_seat_of_the_charts_looks_on_or_overrules_them(
    edition: str, offered: list[str]
) -> None:
    state, rng = (
        game_of("peloponnesian_war").new("war431", seed=2, edition=edition),
        random.Random(2),
    )
    while state.decision is not None and state.decision.player != "opponent":
        state.apply(rng.choice(state.decision.options))
    assert (
        state.decision is not None and [option.key for option in state.decision.options] == offered
    )


def test_an_overlay_replaces_what_is_assumed() -> None:
    """This is the overlay that the game provides as an example. It sets the rating of a leader and
    the strength of a fortress."""
    own, other = (
        rulekit.load(GAME, overlays=files).new("war431", seed=1)
        for files in ([], [GAME / "overlays" / "printed_components.yaml"])
    )
    assert own.explain("siege_die", "Lysander", "Syracuse", 6).value == 7
    assert other.explain("siege_die", "Lysander", "Syracuse", 6).value == 5


GOLDEN_WAR = GOLDEN / "war"


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_transcript_is_as_before(scenario: str) -> None:
    """If a change of the rules changes these games on purpose, write the file again from this
    test's output."""
    file = GOLDEN_WAR / f"{scenario}.txt"
    assert (
        told(played("peloponnesian_war", scenario, 1))
        == file.read_text(encoding="utf-8").splitlines()
    )


@pytest.mark.parametrize("seed", [81, 549, 795])
def test_an_army_of_the_charts_that_loses_its_ships_where_it_gathers_goes_home(seed: int) -> None:
    """This happens if no path by land leads to its objective. The war ends by the rules."""
    found = rulekit.simulate(
        game_of("peloponnesian_war"),
        1,
        scenario="war410",
        seed=seed,
        seats={"commander": "random", "opponent": "charts"},
    )
    assert not found["failed"]
