"""Walks: the compiled game and the reference agree for every form of a movement, and each walk that
arises is allowed."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler import model as m
from rulekit.compiler.check.check import check
from rulekit.compiler.compiler import build
from rulekit.compiler.reference.interpreter import Reference
from rulekit.compiler.source.folder import read_game
from tests.compiler.reference.agree import agree
from tests.counts import cases
from tests.small_games import MANIFEST, SIDES

RULES = """
unit PM
kind Zone
kind Way joins Zone
  fixed steep: bool
kind Piece = walker | guard
  state zone: Zone?
state shut: bool
state told: 0..9
event entered(p: Piece, z: Zone)
  p.zone := z
event closed
  shut := true
event lost(p: Piece)
  told += 1
  p.zone := none
movement go(g: set Piece)
  over Way w from x to z
  allowance 4 PM
  cost {COST}
  may enter {MAY}
{STOP}{END}  on entry
    each p in g
      entered(p, z)
    {ENTRY}
  stranded
    each p in g
      lost(p)
reaction stay after entered "Stay"
  for red
  when z in HALTS
  limit 1 per game by me
  answer halt
setup
  walker.zone := a
  guard.zone := d
phase main
  pick z from {a, e} by red "from where"
  walk go({walker}) from z by red
  finish none, drawn
"""
MAP = """places:
  kind: Zone
  source: {assumed: "an example"}
  members: {a: {at: [0, 1]}, b: {at: [1, 0]}, c: {at: [1, 2]}, d: {at: [2, 1]}, e: {at: [3, 1]}}
borders:
  kind: Way
  source: {assumed: "an example"}
  members:
    - {between: [a, b], steep: false}
    - {between: [a, c], steep: true}
    - {between: [b, c], steep: false}
    - {between: [b, d], steep: true}
    - {between: [c, d], steep: false}
    - {between: [d, e], steep: false}
"""
NOTHING = "told += 0"
NOWHERE = "(Zone where told = 9)"
ENTRIES = {
    "nothing": NOTHING,
    "closes": "closed when z = c",
    "halfway": "walker.zone := none when z = d",
}
STOPS = ["", "z = c", "w.steep", "some(Piece where it != walker and zone = z)"]
ENDS = [
    "",
    "z != b",
    "z = e",
    "w.steep",
    "no(Piece where it != walker and zone = z)",
    "z = b and x = c",
]


@cache
def made(
    folder: Path,
    cost: str,
    may: str,
    stop: str,
    end: str,
    entry: str,
    halts: str = NOWHERE,
    allowance: str = "4 PM",
) -> m.Model:
    text = (
        RULES.replace("HALTS", halts)
        .replace("4 PM", allowance)
        .replace("{COST}", cost)
        .replace("{MAY}", may)
        .replace("{ENTRY}", entry)
    )
    text = text.replace("{STOP}", f"  must stop when {stop}\n" if stop else "").replace(
        "{END}", f"  may end when {end}\n" if end else ""
    )
    (folder / "game.yaml").write_text(MANIFEST)
    (folder / "game.rules").write_text(SIDES + text)
    (folder / "map.yaml").write_text(MAP)
    sink = Sink()
    source = read_game(folder, sink)
    model = check(source, sink) if source is not None else None
    assert model is not None and not sink.errors, [
        f"{d.span}: {d.message}" for d in sink.in_order()
    ]
    return model


def walks(model: m.Model) -> set[str]:
    """Return all possible walks from `a` by the places entered, with a `!` after stranded ones."""
    found: set[str] = set()

    def go(path: list[int]) -> None:
        reference = Reference(model)
        for index in path:
            reference.apply(index)
        if reference.decision is not None:
            for index in range(len(reference.decision.offers)):
                go([*path, index])
            return
        zones = "".join("abcde"[args[1]] for name, args in reference.events if name == "entered")
        found.add(zones + "!" * any(name == "lost" for name, _ in reference.events))

    go([0])
    return found


MORE = list(product(ENTRIES, (NOWHERE, "{b, c}")))
COMBINED = [
    (stop, end, *MORE[(2 * i + 3 * (i // len(MORE)) + j) % len(MORE)])
    for i, (stop, end) in enumerate(product(STOPS, ENDS))
    for j in cases(2)[: len(MORE)]
]


def test_each_pair_of_clauses_is_among_those_that_are_played() -> None:
    of = [set(column) for column in zip(*COMBINED, strict=True)]
    for a, b in combinations(range(4), 2):
        assert {(c[a], c[b]) for c in COMBINED} == set(product(of[a], of[b]))


@pytest.mark.parametrize(("stop", "end", "entry", "halts"), COMBINED)
def test_the_compiled_game_agrees(
    tmp_path: Path, stop: str, end: str, entry: str, halts: str
) -> None:
    """Each stop is combined with each end, and each pair with some other features. With
    `RULEKIT_TIMES=3` all combinations are tested."""
    model = made(
        tmp_path, "2 PM if w.steep else 1 PM", "not shut", stop, end, ENTRIES[entry], halts
    )
    compiled = build(model, "")
    for seed in range(6):
        agree(model, compiled, seed)


def test_the_walks_of_a_plain_movement(tmp_path: Path) -> None:
    """Walks are within the allowance, visit no place twice, and take the only path without a
    question."""
    assert walks(made(tmp_path, "2 PM", "true", "", "", NOTHING)) == {
        "b",
        "bc",
        "bd",
        "c",
        "cb",
        "cd",
    }


@pytest.mark.parametrize(
    ("cost", "allowance", "longest"),
    [("1 PM", "2 PM", 2), ("1 PM", "3 PM", 3), ("2 PM", "5 PM", 2), ("0 PM", "1 PM", 4)],
)
def test_a_walk_pays_for_each_step_what_all_of_them_cost(
    tmp_path: Path, cost: str, allowance: str, longest: int
) -> None:
    """This holds also if the cost is the same everywhere. A free step costs nothing."""
    model = made(tmp_path, cost, "true", "", "", NOTHING, NOWHERE, allowance)
    assert max(map(len, walks(model))) == longest
    compiled = build(model, "")
    for seed in range(6):
        agree(model, compiled, seed)


@pytest.mark.docs("language#8-movement")
def test_a_step_is_offered_if_the_walk_can_still_end(tmp_path: Path) -> None:
    """There is no end beyond a place where it must stop, or through a place where it was."""
    assert walks(made(tmp_path, "1 PM", "true", "z = c", "z = e", NOTHING)) == {"bde"}
    assert walks(made(tmp_path, "1 PM", "true", "z = d", "z = e", NOTHING)) == {
        ""
    }  # the walk never begins, and no piece is stranded
    assert walks(made(tmp_path, "1 PM", "true", "", "z = b and x = c", NOTHING)) == {"cb"}
    assert walks(made(tmp_path, "2 PM if w.steep else 1 PM", "true", "", "z = e", NOTHING)) == {
        "bcde",
        "bde",
        "cde",
    }


def test_who_has_begun_and_cannot_go_on_is_stranded(tmp_path: Path) -> None:
    """An entry may close all paths. Then `stranded` runs if the walk may not end there, otherwise
    the walk ends."""
    assert walks(made(tmp_path, "1 PM", "not shut", "", "z = d", "closed when z = c")) == {
        "bc!",
        "bd",
        "c!",
    }
    assert walks(made(tmp_path, "1 PM", "not shut", "", "z != b", "closed when z = b")) == {
        "b!",
        "c",
        "cb!",
        "cd",
        "cde",
    }
    assert walks(made(tmp_path, "1 PM", "not shut", "", "", "closed")) == {"b", "c"}


@pytest.mark.docs("language#12-moments-reactions-hooks")
def test_who_is_halted_ends_there_or_is_stranded(tmp_path: Path) -> None:
    """A reaction that stops a walk where it may not end leaves no legal option."""
    assert walks(made(tmp_path, "1 PM", "true", "", "z = d", NOTHING, "{b}")) == {
        "b!",
        "bcd",
        "bd",
        "cb!",
        "cbd",
        "cd",
    }
    assert walks(made(tmp_path, "1 PM", "true", "", "z != c", NOTHING, "{b}")) == walks(
        made(tmp_path, "1 PM", "true", "", "z != c", NOTHING)
    )
