"""Takes the path of a game folder in this repository, makes its checked model and the compiled
game; plays the reference by names."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler import model as m
from rulekit.compiler.check.check import check
from rulekit.compiler.reference.interpreter import Reference
from rulekit.compiler.reference.options import Offer
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
    """The compiled game, for all its scenarios and rulings: out of the cache where this rulekit has
    compiled it before."""
    return Loader(ROOT / path).compiled()


def words(reference: Reference, offer: Offer) -> str:
    """An option as text: its name and its parameters."""
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
    """Takes the option of this side that is written so."""
    assert reference.decision is not None, f"the game is over, {side} cannot {text}"
    assert reference.model.sides is not None
    who = reference.model.sides.members[reference.decision.who]
    options = [words(reference, offer) for offer in reference.decision.offers]
    assert who == side and text in options, f"{side}: {text}? {who} decides: {options}"
    reference.apply(options.index(text))


def script(reference: Reference, text: str) -> None:
    """Takes options one after the other; a line is `side: option; option ...`."""
    for line in text.strip().splitlines():
        side, _, rest = line.partition(":")
        for option in rest.split(";"):
            choose(reference, side.strip(), option.strip())
