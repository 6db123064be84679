"""Checks the names for seats in game.yaml: they must exist in the rules and be of the right
sort.
"""

from __future__ import annotations

from collections.abc import Collection

from rulekit.common.diagnostics.diagnostic import Sink, guess
from rulekit.compiler import model as m
from rulekit.compiler.model.visitor import nodes
from rulekit.compiler.source.game_source import Datum
from rulekit.compiler.source.map_and_pieces import entries, items, text

ANSWERS = (
    "add",
    "go",
    "none",
    "pass",
    "stop",
    "to",
)  # what is answered where no option of the rules is offered


def bind_manifest(model: m.Model, asking: Collection[str], doc: Datum | None, sink: Sink) -> None:
    """Report totals, phases and options that game.yaml names and the rules do not have.

    Args:
        asking: the names of procedures that contain a decision.
    """
    top = entries(doc)
    search = entries(top.get("search"))
    for datum in (top.get("victory_total"), top.get("greedy"), search.get("total")):
        _total(model, datum, sink)
    _stretch(model, asking, search.get("stretch"), sink)
    picked = [
        node.var.name
        for proc in model.procedures
        for node in nodes(proc.body)
        if isinstance(node, m.Pick)
    ]
    for datum in items(top.get("charts")):
        if (
            text(datum) not in (known := {*[option.name for option in model.options], *picked})
            and text(datum) not in ANSWERS
        ):
            _unknown(datum, known, "option", sink)


def _unknown(datum: Datum, known: Collection[str], what: str, sink: Sink) -> None:
    name, listed = text(datum) or "", ", ".join(sorted(known)[:8])
    sink.error(
        "RK626",
        datum.span,
        f"game.yaml names '{name}', but the rules declare no such {what}",
        guess(name, known)
        or (
            f"there are {listed}" if listed else "the rules have none: declare one, or remove this"
        ),
    )


def _total(model: m.Model, datum: Datum | None, sink: Sink) -> None:
    """Check a total that must have a player as its only parameter."""
    if datum is None or (name := text(datum)) is None:
        return
    fit = [
        one.name
        for one in model.totals
        if one.context is None and [_kind(v.type) for v in one.params] == [model.sides]
    ]
    if name in fit:
        return
    if all(one.name != name for one in model.totals):
        _unknown(datum, fit, "total of one player", sink)
        return
    side = model.sides.name if model.sides is not None else "Side"
    sink.error(
        "RK627",
        datum.span,
        f"the total '{name}' does not belong to one player",
        f"name one that is declared `total NAME(s: {side})`"
        + (f": {', '.join(sorted(fit)[:8])}" if fit else ""),
    )


def _kind(type: m.Type) -> m.Kind | None:
    return type.kind if isinstance(type, m.MemberOf) else None


def _stretch(model: m.Model, asking: Collection[str], datum: Datum | None, sink: Sink) -> None:
    """Check a phase that must contain a decision."""
    if datum is None or (name := text(datum)) is None or name in asking:
        return
    phases = [p.name for p in model.procedures if p.word in ("phase", "procedure", "main")]
    listed = ", ".join(p.name for p in model.procedures if p.word == "phase" and p.name in asking)
    if name in phases:
        sink.error(
            "RK627",
            datum.span,
            f"'{name}' itself contains no decision",
            "name the phase that contains the first decision of a stretch of play"
            + (f": {listed}" if listed else ""),
        )
    else:
        _unknown(datum, {p for p in phases if p in asking}, "phase that contains a decision", sink)
