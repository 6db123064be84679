"""A local of an emitted function has no name of a function that the code calls there."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from rulekit.project.loader import Loader
from rulekit.runtime.code import load
from rulekit.runtime.variants import VARIANTS
from tests.compiler.checked_games import ROOT
from tests.small_games import assert_agreement

DIE = """define bst(s: Side, z: Zone): 0..2 = count(units(s, z)) - 1
modifier combat_die.best bst(attacker, z) when bst(attacker, z) > 0
"""
ENTRY = (
    "may enter may_enter(p, z)",
    (
        "may enter may_enter(p, z) and no (Piece where strength - 1 PF = points(p.owner) as PF and"
        " zone = z)"
    ),
)


@pytest.mark.parametrize(
    "amended",
    [lambda rules: rules + DIE, lambda rules: rules.replace(*ENTRY)],
    ids=["a clause", "a step of a walk"],
)
def test_no_local_hides_what_is_called(tmp_path: Path, amended: Callable[[str], str]) -> None:
    folder = copytree(ROOT / "examples" / "skirmish", tmp_path / "skirmish")
    rules = folder / "game.rules"
    rules.write_text(amended(rules.read_text()))
    assert_agreement(folder, seeds=2)
    program = Loader(folder).program("morning", {})
    for variant in VARIANTS:
        space = load(program, variant).space
        for function in ast.parse(program.source[variant]).body:
            names = list(ast.walk(function))
            called = {
                n.func.id for n in names if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
            } & space.keys()
            assert not called & {
                n.id for n in names if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            }
            assert not called & {n.arg for n in names if isinstance(n, ast.arg)}
