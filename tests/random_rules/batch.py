"""A small game with many random declarations, which is played in the reference interpreter and in
each variant."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from attrs import define, field

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.errors import RulesError
from rulekit.compiler import model as m
from rulekit.compiler.check.check import check_files
from rulekit.compiler.compiler import compile_game
from rulekit.compiler.reference.setup import late_values
from rulekit.compiler.reference.store import ReferencePosition
from rulekit.compiler.source.folder import read_game
from rulekit.compiler.source.game_source import GameSource
from rulekit.compiler.syntax import ast as t
from rulekit.compiler.syntax.parser import parse
from rulekit.runtime import cells
from rulekit.runtime.program import Program
from tests.random_rules import running
from tests.random_rules.errors import sort_of
from tests.random_rules.expressions import PARAMETERS, ExpressionWriter, Scope
from tests.random_rules.natively import NATIVE, Open
from tests.random_rules.statements import Writer

BASE = Path(__file__).parent / "base"
VARIANTS = ("full", "fast", "traced")
TAKES = (
    "(s: Side, z: Zone, p: Piece?, q: Piece, n: 0..4, u: 0..9 PF, b: bool, g: set Piece, t: Tile)"
)


@cache
def base() -> tuple[GameSource, tuple[tuple[t.File, int], ...]]:
    """Return the game to which random declarations are added, and its parsed files."""
    sink = Sink()
    source = read_game(BASE, sink)
    assert source is not None
    return source, tuple((parse(text.text, text.path, sink), text.layer) for text in source.rules)


@define(eq=False)
class Batch:
    """A batch of random declarations.

    Attributes:
        made: the text of each declaration.
        refused: (code, text) of those that the checker refused.
    """

    seed: int
    size: int
    made: list[str] = field(factory=list)
    refused: list[tuple[str, str]] = field(factory=list)
    model: m.Model | None = None

    @property
    def name(self) -> str:
        return f"seed {self.seed}"

    def check(self) -> None:
        """Check the game, and again without refused declarations until the rest is accepted."""
        source, files = base()
        while self.model is None:
            sink = Sink()
            text = "".join(self.made)
            self.model = check_files([*files, (parse(text, "random.rules", sink), 0)], source, sink)
            if self.model is not None:
                return
            assert sink.errors, f"{self.name}: no model and no error"
            bad = {d.span.line: d for d in sink.errors if d.span.file == "random.rules"}
            assert bad, f"{self.name}: {sink.errors[0]}"
            kept, line = [], 1
            for one in self.made:
                wrong = [bad[i] for i in range(line, line + one.count("\n")) if i in bad]
                line += one.count("\n")
                if wrong:
                    self.refused.append((f"{wrong[0].code} {wrong[0].message}", one))
                else:
                    kept.append(one)
            self.made = kept

    def play(self, rounds: int) -> list[str]:
        """Return the differences at a number of random states."""
        assert self.model is not None
        program = compile_game(self.model, NATIVE, open=True).bind("plain", {})
        native = Open(program) if NATIVE else None
        pick, found = random.Random(self.seed), []
        tested = [d for d in self.model.defines if d.name in self.names]
        running_ = [p for p in self.model.procedures if p.name in self.names]
        for _ in range(rounds):
            position, states = random_state(self.model, program, pick)
            for d in tested:
                args = [random_value(v.type, pick) for v in d.params]
                found += differences(self.model, program, native, position, states, d, args)
            for p in running_:
                args = [random_value(v.type, pick) for v in p.params]
                found += running.differences(
                    self.model, program, native, position, states, p, args, pick
                )
        return found

    @property
    def names(self) -> set[str]:
        """Return the names of the declarations."""
        return {text.split("(")[0].split()[1] for text in self.made}


def procedures(seed: int, size: int) -> Batch:
    """Return a batch of random procedures. Some call earlier ones."""
    pick = random.Random(seed)
    batch = Batch(seed, size)
    writer = Writer(ExpressionWriter(pick, public=True))
    for i in range(size):
        batch.made.append(writer.procedure(f"r{i}", TAKES))
        if pick.random() < 0.3:
            writer.known.append(f"r{i}")
    return batch


def definitions(seed: int, size: int) -> Batch:
    """Return a batch of random definitions. Some call earlier ones."""
    pick = random.Random(seed)
    expressions, batch = ExpressionWriter(pick), Batch(seed, size)
    gaps = ", ".join("{" + type + "}" for _, type in PARAMETERS)
    for i in range(size):
        type = expressions.any_type()
        depth = pick.choice((2, 3, 3, 4, 4, 5))
        if pick.random() < 0.15:
            cases = "".join(
                f"  = {expressions.make(type, Scope(), depth - 1)} when"
                f" {expressions.make('bool', Scope(), depth - 1)}\n"
                for _ in range(2)
            )
            text = (
                f"define e{i}{TAKES}: {written(type)}\n{cases}  ="
                f" {expressions.make(type, Scope(), depth - 1)}\n"
            )
        else:
            text = (
                f"define e{i}{TAKES}: {written(type)} = {expressions.make(type, Scope(), depth)}\n"
            )
        batch.made.append(text)
        if pick.random() < 0.2:
            expressions.extra.setdefault(type, []).append(f"e{i}({gaps})")
    return batch


def written(type: str) -> str:
    """Return a type in the syntax of the rules."""
    return f"set {type[:-1]}" if type.endswith("*") else type


def random_value(type: m.Type, pick: random.Random) -> int:
    if isinstance(type, m.MemberOf):
        return -1 if type.optional and pick.random() < 0.3 else pick.randrange(type.kind.size)
    if isinstance(type, m.SetOf):
        return sum(1 << i for i in range(type.kind.size) if pick.random() < 0.4)
    if isinstance(type, m.Int):
        return pick.randint(type.low or 0, type.high if type.high is not None else 4)
    return pick.randrange(2)


def random_state(
    model: m.Model, program: Program, pick: random.Random
) -> tuple[ReferencePosition, dict[str, list[int]]]:
    """Return the same random state for the reference and for each variant."""
    position = ReferencePosition(model, late_values(model, "plain", {}))
    states = {v: program.code(v).blank(1) for v in VARIANTS}
    infos = dict(zip((c for c in model.cells), program.cells, strict=True))
    poor = pick.random()
    for cell, info in infos.items():
        if info.hidden:
            continue
        for place, keys in enumerate(cells.places(info)):
            if cell.pool:
                continue
            value = (
                0
                if pick.random() < poor / 2 and isinstance(cell.type, m.Int | m.Bool | m.SetOf)
                else random_value(cell.type, pick)
            )
            position.cells[cell][place] = value
            for state in states.values():
                cells.write(program, state, info, keys, value)
    fill_pools(model, infos, program, position, states, pick)
    return position, states


def fill_pools(
    model: m.Model,
    infos: dict[m.Cell, Any],
    program: Program,
    position: ReferencePosition,
    states: dict[str, list[int]],
    pick: random.Random,
) -> None:
    pools = [cell for cell in infos if cell.pool]
    for thing in range(model.kinds["Chit"].size):
        cell = pick.choice(pools)
        keys = pick.choice(list(cells.places(infos[cell])))
        position.put_things(1 << thing, cell, keys)
        for state in states.values():
            old = cells.read(state, infos[cell], keys)
            cells.write(program, state, infos[cell], keys, old | 1 << thing)


def differences(
    model: m.Model,
    program: Program,
    native: Open | None,
    position: ReferencePosition,
    states: dict[str, list[int]],
    d: m.Define,
    args: Sequence[int],
) -> list[str]:
    wanted = value_or_error(lambda: position.call_define(d, list(args), {}))
    found = []
    for variant, state in states.items():
        before = state[:]
        have = value_or_error(
            partial(program.code(variant).define, state, model.defines.index(d), args)
        )
        if have != wanted:
            found.append(f"{d.name} {variant} {args}: reference {wanted}, compiled {have}")
        assert state == before
    if native is not None:
        have = value_or_error(partial(native.define, states["fast"], model.defines.index(d), args))
        if have != wanted:
            found.append(f"{d.name} native {args}: reference {wanted}, compiled {have}")
    return found


def value_or_error(work: Callable[[], Any]) -> Any:
    """Return the value or the kind of error."""
    try:
        return int(work())
    except RulesError as error:
        return sort_of(error)
