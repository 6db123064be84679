"""Distances, nearest places and neighbourhoods: the reference and all emitted code agree with a
library of graphs."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import networkx
import pytest
from attrs import define

import rulekit
from rulekit.compiler import model as m
from rulekit.project.loader import Loader
from rulekit.runtime.code import Code
from tests.compiler.reference.agree import agree
from tests.small_games import MANIFEST

RULES = """game small 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Zone
  state holder: Side?
kind Road joins Zone
  fixed steep: bool
  state cut: bool
kind Lane joins Zone
state far: 0..99 clamp
state around: set Zone
define plain(a: Zone, b: Zone): int = a.distance(b, Road)
define flat(a: Zone, b: Zone): int = a.distance(b, Road where not steep)
define open(a: Zone, b: Zone): int = a.distance(b, Road where not cut)
define led(a: Zone, b: Zone): int = a.distance(b, Road, Zone where not (holder = blue))
define by_sea(a: Zone, b: Zone): int = a.distance(b, Lane)
define close(a: Zone): set Zone = a.nearest(Zone where holder = red, Road)
define close_open(a: Zone): set Zone = a.nearest(Zone where holder = red, Road where not cut, \
Zone where not (holder = blue))
define ring(a: Zone, n: int): set Zone = a.within(n, Road where not cut)
define two(a: Zone): set Zone = a.within(2, Lane)
phase main
  repeat 30 times
    each s in Side
      choose by s
        option cut(r: Road)
          when not r.cut
          r.cut := true
        option hold(z: Zone)
          when not (z.holder = s)
          z.holder := s
        option look(z: Zone)
          when z.holder = s
          far := open(z, z1) ?? 50
          around := close_open(z) + ring(z, count close(z)) - two(z)
  finish none, over
"""
SIZE = 9


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game on a random graph with roads, some of them one-way, and lanes. Some places are
    isolated."""
    pick = random.Random(5)
    places = "".join(
        f"    z{i}: {{neighbours: []}}\n" if i == 8 else f"    z{i}: {{}}\n" for i in range(SIZE)
    )
    pairs = sorted({tuple(sorted(pick.sample(range(SIZE - 1), 2))) for _ in range(11)})
    roads = "".join(
        f"      - {{between: [z{a}, z{z}], steep: {str(i % 3 == 0).lower()}, one_way:"
        f" {str(i % 4 == 0).lower()}}}\n"
        for i, (a, z) in enumerate(pairs)
    )
    made = tmp_path_factory.mktemp("ways")
    source = "source: {assumed: 'an example'}"
    (made / "game.yaml").write_text(MANIFEST)
    (made / "game.rules").write_text(RULES)
    (made / "map.yaml").write_text(
        f"places:\n  kind: Zone\n  {source}\n  members:\n{places}borders:\n  - kind: Road\n   "
        f" {source}\n    members:\n{roads}  - kind: Lane\n    {source}\n    members:\n      -"
        " {between: [z0, z2], id: east}\n      - {between: [z2, z4], id: west}\n"
    )
    return made


def graph(
    model: m.Model, kind: str, open: Callable[[int], bool] = lambda _: True
) -> networkx.DiGraph[int]:
    made: networkx.DiGraph[int] = networkx.DiGraph()
    made.add_nodes_from(range(SIZE))
    made.add_edges_from((a, z) for b, a, z in model.kinds[kind].arcs if open(b))
    return made


def steps(
    made: networkx.DiGraph[int], a: int, z: int, left: Callable[[int], bool] = lambda _: True
) -> int:
    """Return the distance from a to z if only some places may be left again on the way."""
    part = networkx.DiGraph((x, y) for x, y in made.edges if x == a or left(x))
    part.add_nodes_from((a, z))
    return (
        int(networkx.shortest_path_length(part, a, z))
        if networkx.has_path(part, a, z)
        else m.NO_LIMIT
    )


@define
class Asked:
    """The definitions of a game in one state and variant."""

    code: Code
    state: list[int]
    number: dict[str, int]

    def value(self, name: str, *args: int) -> int:
        return int(self.code.define(self.state, self.number[name], args))


def check(asked: Asked, model: m.Model, cut: list[bool], holder: list[str | None]) -> None:
    steep = model.kinds["Road"].fixed["steep"].values
    roads, lanes = graph(model, "Road"), graph(model, "Lane")
    flat, uncut = (
        graph(model, "Road", lambda b: not steep[b]),
        graph(model, "Road", lambda b: not cut[b]),
    )
    red = [z for z in range(SIZE) if holder[z] == "red"]
    for a in range(SIZE):
        for z in range(SIZE):
            assert asked.value("plain", a, z) == steps(roads, a, z)
            assert asked.value("flat", a, z) == steps(flat, a, z)
            assert asked.value("open", a, z) == steps(uncut, a, z)
            assert asked.value("led", a, z) == steps(roads, a, z, lambda x: holder[x] != "blue")
            assert asked.value("by_sea", a, z) == steps(lanes, a, z)
        assert asked.value("close", a) == nearest(roads, a, red)
        assert asked.value("close_open", a) == nearest(uncut, a, red, lambda x: holder[x] != "blue")
        assert asked.value("ring", a, 2) == sum(
            1 << z for z in range(SIZE) if steps(uncut, a, z) <= 2
        )
        assert asked.value("two", a) == sum(1 << z for z in range(SIZE) if steps(lanes, a, z) <= 2)


@pytest.mark.docs("language#4-expressions")
@pytest.mark.parametrize("seed", range(3))
def test_it_is_what_networkx_says(folder: Path, seed: int) -> None:
    """This is checked for each two places, in the middle of a game, in each variant."""
    loader = Loader(folder)
    model, program = loader.model(), loader.program("", {})
    assert model is not None
    state, pick = rulekit.load(folder).new(seed=seed), random.Random(seed)
    for _ in range(20):
        assert state.decision is not None
        state.apply(pick.choice(state.decision.options))
    value = state.view(None)["state"]
    cut = [value["cut"][name] for name in model.kinds["Road"].members]
    holder = [value["holder"][f"z{i}"] for i in range(SIZE)]
    assert any(cut) and {"red", "blue"} <= set(holder)
    for variant in ("full", "fast", "traced"):
        check(
            Asked(
                program.code(variant),
                state.slots,
                {one.name: i for i, one in enumerate(model.defines)},
            ),
            model,
            cut,
            holder,
        )


def nearest(
    made: networkx.DiGraph[int],
    a: int,
    among: list[int],
    left: Callable[[int], bool] = lambda _: True,
) -> int:
    far = {z: steps(made, a, z, left) for z in among}
    least = min(far.values(), default=m.NO_LIMIT)
    return sum(1 << z for z, n in far.items() if n == least) if least < m.NO_LIMIT else 0


def test_a_game_with_ways_goes_the_same_way_everywhere(folder: Path) -> None:
    loader = Loader(folder)
    for seed in range(4):
        assert agree(loader.model(), loader.program("", {}), seed, limit=80) > 0


def test_natively_too(folder: Path) -> None:
    pytest.importorskip("wasmtime")
    from rulekit.engine.testing.native_crosscheck import Verifier

    count, unlike = Verifier(rulekit.load(folder).wasm_instance()).game(3, 60)
    assert count > 40 and unlike == ""


def test_what_hangs_on_the_map_alone_is_a_table(folder: Path) -> None:
    model = Loader(folder).model()
    assert model is not None
    cases = {define.name: define.cases[0][1] for define in model.defines}
    assert all(isinstance(cases[name], m.ReadFixed) for name in ("plain", "flat", "by_sea", "two"))
    assert all(
        isinstance(cases[name], m.Ways) for name in ("open", "led", "close", "close_open", "ring")
    )


def test_a_map_of_many_places_is_searched_too(tmp_path: Path) -> None:
    """The map has 441 places."""
    (tmp_path / "game.yaml").write_text(MANIFEST)
    (tmp_path / "game.rules").write_text("""game small 1
kind Side decides = red | blue
kind Zone
kind Border joins Zone
state found: set Zone
phase main
  pick z from Zone by red "where"
  found := z.nearest(Zone where it != z, Border) + z.within(20, Border)
  pick end from 0..1 by red "again"
  finish none, over
""")
    rows = "".join(f"    - {'c' * 21}\n" for _ in range(21))
    (tmp_path / "map.yaml").write_text(f"""hexes:
  kind: Zone
  borders: Border
  source: {{assumed: an example}}
  shifted: even
  letters: {{c: {{}}}}
  rows:
{rows}  sides: {{land: {{}}}}
  joined: {{cc: land}}
""")
    loader, state = Loader(tmp_path), rulekit.load(tmp_path).new(seed=1)
    model = loader.model()
    assert model is not None
    state.apply_action(state.legal_actions()[0])
    roads = networkx.DiGraph((a, z) for _, a, z in model.kinds["Border"].arcs)
    around = networkx.single_source_shortest_path_length(roads, 0, 20)
    assert (
        set(state.get("found")) == {model.kinds["Zone"].members[z] for z in around}
        and len(around) < 441
    )
