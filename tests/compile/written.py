"""Takes the text of rules, makes the checked model: for tests whose games are a few lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler import model as m
from rulekit.compiler.check.check import check
from rulekit.compiler.source.game_source import GameSource, RulesText

HOLES = ("RK410", "RK411", "RK413")


def findings(text: str, **manifest: Any) -> tuple[m.Model | None, list[str]]:
    """The model, if there is one, and all findings as `code line: message`. `manifest`: what
    game.yaml says."""
    sink = Sink()
    model = check(
        GameSource(
            "written",
            Path(),
            manifest,
            rules=[RulesText("g.rules", text, 0, "g")],
            files={"g.rules": text},
        ),
        sink,
    )
    return model, [f"{d.code} {d.span.line}: {d.message}" for d in sink.in_order()]


def written(text: str) -> m.Model:
    """The model of rules in which nothing is wrong. They may have holes on purpose."""
    model, found = findings(text)
    assert model is not None and not [each for each in found if each[:5] not in HOLES], found
    return model
