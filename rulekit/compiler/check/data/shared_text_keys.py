"""Finds text keys that several prompts, options or reasons share although their texts differ."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.model.visitor import nodes
from rulekit.compiler.source.game_source import GameSource

SHARED = "RK674"
_PICK = "give one of the two decisions another variable, or move it to a procedure of its own"
_CHOOSE = (
    "move one of the two decisions to a procedure of its own, or use the same question in both"
)
_OPTION = "give one of the two options another name, or use the same label in both"


def check_keys(model: m.Model, source: GameSource, sink: Sink) -> None:
    """Warn of each key for which the rules have several texts, because a translation has only one.

    Nothing is reported for a game without texts in any language.
    """
    if not source.texts:
        return
    first: dict[str, tuple[str, Span]] = {}
    reported: set[tuple[str, str]] = set()
    for key, text, span, help in _written(model):
        other, place = first.setdefault(key, (text, span))
        if text != other and (key, text) not in reported:
            reported.add((key, text))
            sink.warn(
                SHARED,
                span,
                f"'{other}' and '{text}' share the text key '{key}', so a translation has one text"
                " for both",
                help,
                second=place,
                second_label="the other one",
            )


def _written(model: m.Model) -> Iterator[tuple[str, str, Span, str]]:
    """Yield key, text, place and help of every non-empty text that the rules show to players."""
    found: list[tuple[str, str, Span, str]] = []
    for proc in model.procedures:
        for node in nodes(proc.body):
            if isinstance(node, (m.Choose, m.Pick, m.PickGroup)):
                found.append(
                    (
                        node.prompt,
                        node.text,
                        node.span,
                        _CHOOSE if isinstance(node, m.Choose) else _PICK,
                    )
                )
            if isinstance(node, m.PickGroup) and node.keeps is not None:
                found.append((node.keeps.key, node.keeps.reason, node.span, _PICK))
    for option in model.options:
        found.append((option.key, option.label, option.span, _OPTION))
        found += [
            (clause.key, clause.reason, clause.cond.span, _OPTION)
            for clause in option.clauses
            if isinstance(clause, m.Guarded)
        ]
    return (each for each in found if each[1])
