"""Errors have a message and a place in one line, and data for frontends."""

from __future__ import annotations

import pytest

from rulekit.common.diagnostics.diagnostic import Diagnostic
from rulekit.common.diagnostics.span import Span
from rulekit.common.errors import GameError, RulesError


@pytest.mark.parametrize(
    ("where", "text"), [("g.rules:3", "g.rules:3: too long"), ("", "too long")]
)
def test_an_error_of_the_rules_names_its_place(where: str, text: str) -> None:
    error = RulesError("too long", where)
    assert (str(error), error.where) == (text, where)


def test_a_game_that_cannot_be_loaded_keeps_its_findings_and_its_texts() -> None:
    """The message has the first error and the number of the others."""
    found = [
        Diagnostic(code, f"{code} is wrong", Span("a", n, 1), level=level)
        for n, (code, level) in enumerate(
            [("RK1", "warning"), ("RK2", "error"), ("RK3", "error")], 1
        )
    ]
    error = GameError(found, {"a": "text"})
    assert str(error) == "a:2:1: RK2 is wrong [RK2] (and 2 more)"
    assert (error.diagnostics, error.texts) == (found, {"a": "text"})
    assert (
        str(GameError(found[1:2])) == "a:2:1: RK2 is wrong [RK2]"
        and str(GameError([])) == "the game cannot be loaded"
    )
