"""Stored indexes always equal their recomputation, and a search among many places finds the same as
the reference."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

import rulekit
from rulekit.compiler.compiler import build
from rulekit.runtime import cells
from rulekit.runtime.intrinsics import ids, undo
from rulekit.runtime.program import Program
from rulekit.runtime.slots import PC
from tests.compiler.checked_rules import written
from tests.compiler.reference.agree import agree

SPOTS, HEXES = 90, 30


def hex_of(spot: int) -> str:
    """Return the hex of a spot; the last two have none."""
    return f"h{spot // 3}" if spot < SPOTS - 2 else "none"


RULES = f"""game kept 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Hex = {" | ".join(f"h{i}" for i in range(HEXES))}
kind Spot = {" | ".join(f"z{i}({hex_of(i)}, z{(i + 4) % SPOTS})" for i in range(SPOTS))}
  fixed hex: Hex?
  fixed next: Spot
kind Piece = {" | ".join(f"p{i}" for i in range(9))}
  state spot: Spot? per round
  state side: Side
  state away: Spot? = z5
  state tired: bool
define at_hex(h: Hex): set Piece = Piece where spot != none and (the spot).hex = h
define foes(s: Side, h: Hex): set Piece = at_hex(h) where side = s.enemy
define held: set Hex = values((the spot).hex of Piece where spot != none)
define crowded: set Hex = Hex where count(at_hex(it)) > 1
event placed(p: Piece, z: Spot?)
  p.spot := z
event gathered(z: Spot)
  each p in Piece where not tired
    p.spot := z
event crossed(s: Side)
  each p in Piece where tired
    p.side := s
    p.tired := false
event worn(p: Piece)
  p.tired := true
setup
  each p in {{p0, p1, p2, p3}}
    p.side := blue
  each p in {{p4, p5}}
    p.spot := z7
phase main
  repeat 5 times
    round
  finish red, many when count(held) > count(crowded) + 5
  finish blue, few
phase round
  each p in {{p0, p4, p8}}
    placed(p, the(first(Spot where hex = h2 by it = z7)))
  repeat 3 times
    pick s from Side by red "who"
    choose by s "what"
      option put(p: Piece, h: Hex)
        when p.side = s and h not in held and no foes(s, h) and \
(p.spot = none or (the p.spot).hex != h)
        placed(p, first(Spot where hex = h by it))
      option go(p: Piece)
        when p.side = s and p.spot != none and no(foes(s, (the p.spot).hex))
        placed(p, (the p.spot).next)
        worn(p)
      option leave_map(p: Piece)
        when p.side = s and p.spot != none
        placed(p, none)
      option gather(h: Hex)
        when h in held and some at_hex(h)
        gathered(the(first(Spot where hex = h by it)))
      option cross
        crossed(s)
"""


@cache
def program() -> Program:
    return build(written(RULES))


def check_kept(s: Sequence[int], program: Program) -> None:
    """Check that every index agrees with the values of its cell."""
    kept = 0
    for cell in program.cells:
        if cell.form != "both":
            continue
        assert cell.values is not None
        for at, keys in enumerate(cells.places(cell)):
            value = cells.read(s, cell, keys)
            assert [v for v in range(cell.values + 1) if s[cell.index + v] >> at & 1] == [
                value if value >= 0 else cell.values
            ], cell.name
        for image in cell.images:
            masks = [0] * image.size
            for at, keys in enumerate(cells.places(cell)):
                masks[image.row[cells.read(s, cell, keys)]] |= 1 << at
            assert s[image.base : image.base + image.size] == masks, cell.name
            assert s[image.filled] == sum(1 << at for at, mask in enumerate(masks) if mask), (
                cell.name
            )
            assert s[image.base - 1] == 0  # the row for `none`
            kept += 1
    assert kept


def test_a_set_of_members_by_what_is_fixed_is_kept() -> None:
    text = program().source["fast"]
    cell = next(c for c in program().cells if c.name.endswith("spot"))
    assert [image.size for image in cell.images] == [HEXES + 1]
    assert f"s[{cell.images[0].filled}]" in text  # occupied hexes are read from the index


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("variant", ["fast", "full", "traced"])
def test_after_play_and_undo_each_index_is_what_it_is_computed_from(
    seed: int, variant: str
) -> None:
    rng, code = random.Random(seed), program().code(variant)
    state, log, trail = code.blank(seed), list[tuple[object, ...]](), list[int]()
    records = () if variant == "fast" else (log, trail)
    check_kept(state, program())
    code.begin(state, *records)
    check_kept(state, program())
    marks: list[tuple[int, list[int]]] = []
    while state[PC]:
        marks.append((len(trail), state[:]))
        code.apply(state, rng.choice(ids(code.layers(state))), *records)
        check_kept(state, program())
    while trail and marks:
        length, before = marks.pop()
        undo(state, trail, length)
        check_kept(state, program())
        assert state[4:] == before[4:]


def test_what_is_written_from_outside_goes_into_the_indexes() -> None:
    rng, state = random.Random(3), program().code("fast").blank(3)
    for _ in range(60):
        cell = rng.choice([c for c in program().cells if c.form == "both"])
        keys = rng.choice(list(cells.places(cell)))
        cells.write(program(), state, cell, keys, rng.randrange(-1, cell.values or 0))
        check_kept(state, program())


def test_a_state_file_holds_the_indexes_and_is_refused_if_one_says_anything_else(
    tmp_path: Path,
) -> None:
    (tmp_path / "game.yaml").write_text(
        'rulekit: game\nname: kept\ntitle: Kept\nversion: "1"\nlanguage: 1\n'
    )
    (tmp_path / "kept.rules").write_text(RULES)
    game, rng = rulekit.load(tmp_path), random.Random(5)
    state = game.new(seed=5)
    for _ in range(12):
        state.apply_action(rng.choice(state.legal_actions()))
    text = state.to_json()
    assert game.state_from_json(text) == state
    data, program = json.loads(text), game.program()
    image = next(image for cell in program.cells for image in cell.images)
    for at in (image.base, image.base + image.size - 1, image.filled):
        bad = list(data["state"])
        bad[at] ^= 2
        with pytest.raises(rulekit.SaveError, match="spot"):
            game.state_from_json(json.dumps({**data, "state": bad}))


def test_a_column_that_is_set_at_once_keeps_what_is_computed_from_it() -> None:
    slots: list[int] = program().initial[:]
    for cell in program().cells:
        values = cells.column(slots, cell)
        cells.write_column(slots, cell, values[1:] + values[:1])
    check_kept(slots, program())


@pytest.mark.parametrize("seed", range(6))
def test_the_variants_and_the_reference_agree(seed: int) -> None:
    model = written(RULES)
    agree(model, program(), seed)
