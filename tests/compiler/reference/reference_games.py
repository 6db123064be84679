"""Checked models and compiled games of folders in this repository, and play of the reference by
names."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler import model as m
from rulekit.compiler.check.check import check
from rulekit.compiler.reference.interpreter import Reference
from rulekit.compiler.reference.options import ReferenceOption
from rulekit.compiler.source.folder import read_game
from rulekit.project.loader import Loader
from rulekit.runtime.compiled import Compiled

ROOT = Path(__file__).parents[3]


@cache
def model_of(path: str) -> m.Model:
    sink = Sink()
    source = read_game(ROOT / path, sink)
    model = check(source, sink) if source is not None else None
    assert model is not None and not sink.errors, "\n".join(
        f"{d.span}: {d.message}" for d in sink.in_order()
    )
    return model


@cache
def compiled_of(path: str) -> Compiled:
    """Return the compiled game for all its scenarios and rulings, from the cache if possible."""
    return Loader(ROOT / path).compiled()


def words(reference: Reference, offer: ReferenceOption) -> str:
    """Return an option as text: its name and its parameters."""
    kinds: list[m.Type] = [v.type for v in offer.option.params] if offer.option else []
    if offer.option is None and offer.params:
        running = [v for proc in reversed(reference.machine.position.stack) for v in proc.vars]
        kinds = [next(v.type for v in running if offer.family in (v.name, "add"))]
    names = [offer.family]
    for type, value in zip(kinds, offer.params, strict=False):
        kind = type.kind if isinstance(type, m.MemberOf | m.SetOf) else None
        names.append(kind.members[value] if kind else str(value))
    return " ".join(names)


def choose(reference: Reference, side: str, text: str) -> None:
    """Choose the option of this side with this text."""
    assert reference.decision is not None, f"the game is over, {side} cannot {text}"
    assert reference.model.sides is not None
    who = reference.model.sides.members[reference.decision.who]
    options = [words(reference, offer) for offer in reference.decision.offers]
    assert who == side and text in options, f"{side}: {text}? {who} decides: {options}"
    reference.apply(options.index(text))


def script(reference: Reference, text: str) -> None:
    """Choose options one after the other. A line is `side: options`, with semicolons between the
    options."""
    for line in text.strip().splitlines():
        side, _, rest = line.partition(":")
        for option in rest.split(";"):
            choose(reference, side.strip(), option.strip())
