"""The findings about one situation, and the outcome of one that has none."""

from __future__ import annotations

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink
from rulekit.compiler.source.situations import parse_situations
from rulekit.engine.game.game import Game
from rulekit.engine.testing.runner import Outcome, run
from rulekit.project.validate_situations import case_of, vet


def findings(game: Game, body: str) -> list[Diagnostic]:
    """Return the findings about one situation. `then` is added if it lacks one."""
    text = "- name: a test\n" + "".join(f"  {line}\n" for line in body.splitlines())
    sink = Sink()
    vet(
        game,
        parse_situations(
            text if "then:" in text else text + "  then: [turn: 1]\n", "forms.yaml", sink
        ),
        sink,
    )
    return sink.in_order()


def outcome(game: Game, body: str) -> Outcome:
    """Return the outcome of a situation without findings."""
    assert [d.message for d in findings(game, body)] == []
    text = "- name: a test\n" + "".join(f"  {line}\n" for line in body.splitlines())
    return run(game, case_of(parse_situations(text, "forms.yaml", Sink())[0]))
