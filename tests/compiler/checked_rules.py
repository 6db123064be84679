"""Checked models from the text of rules, for tests with very short games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler import model as m
from rulekit.compiler.check.check import check
from rulekit.compiler.source.game_source import GameSource, RulesText

MISSING_VALUES = ("RK410", "RK411", "RK413")


def findings(text: str, **manifest: Any) -> tuple[m.Model | None, list[str]]:
    """Return the model, if there is one, and all findings as `code line: message`.

    Args:
        manifest: entries of game.yaml.
    """
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
    """Return the model of correct rules. They may have missing values on purpose."""
    model, found = findings(text)
    assert model is not None and not [each for each in found if each[:5] not in MISSING_VALUES], (
        found
    )
    return model
