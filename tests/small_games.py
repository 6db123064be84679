"""Games of two sides from a few lines of rules, and the check that all variants agree."""

from __future__ import annotations

from pathlib import Path

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler import model as m
from rulekit.compiler.check.check import check
from rulekit.compiler.compiler import build
from rulekit.compiler.source.folder import read_game
from tests.compiler.reference.agree import agree

MANIFEST = 'rulekit: game\nname: small\ntitle: Small\nversion: "1.0"\nlanguage: 1\n'

SIDES = "game small 1\nkind Side decides = red(blue) | blue(red)\n  fixed enemy: Side\n"


def write_game(folder: Path, rules: str) -> Path:
    (folder / "game.yaml").write_text(MANIFEST)
    (folder / "game.rules").write_text(SIDES + rules)
    return folder


def checked_model(folder: Path) -> m.Model:
    sink = Sink()
    source = read_game(folder, sink)
    model = check(source, sink) if source is not None else None
    assert model is not None, [d.message for d in sink.found]
    return model


def assert_agreement(folder: Path, seeds: int = 6) -> None:
    """Check that all variants agree with the reference interpreter."""
    model = checked_model(folder)
    compiled = build(model, "")
    for seed in range(seeds):
        agree(model, compiled, seed)
