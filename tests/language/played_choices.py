"""The questions and events of a small game during given choices; all variants agree."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.compiler.compiler import build
from rulekit.compiler.reference.interpreter import Reference
from tests.compiler.checked_rules import written
from tests.compiler.reference.agree import agree

HEAD = """game moments 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Spot = s1 | s2 | s3
state got: 0..99999
state more: 0..99999
"""


def play_choices(
    rules: str, *choices: str, dice: Sequence[int] | None = None
) -> tuple[list[str], Reference]:
    """Return the questions (`r ring`: red may ring, passing is left out) during these choices. All
    variants agree."""
    model = written(HEAD + rules)
    reference, asked, indices = Reference(model, dice=dice), [], []
    for choice in [*choices, ""]:
        if reference.decision is None:
            break
        names = [" ".join([o.family, *map(str, o.params)]) for o in reference.decision.offers]
        asked.append(
            " ".join(["rb"[reference.decision.who], *(name for name in names if name != "pass")])
        )
        if choice:
            indices.append(names.index(choice))
            reference.apply(indices[-1])
    agree(model, build(model, ""), 1, choices=indices, dice=dice, limit=len(indices))
    return asked, reference


def describe_events(reference: Reference) -> list[str]:
    """Return the events: rolls (`storm 4`), repeated rolls (`-storm 4`) and the author's own."""
    names = {"die_rolled": "", "roll_cancelled": "-"}
    purposes = reference.model.purposes
    return [
        (
            f"{names[name]}{purposes[args[0]]} {args[-1]}"
            if name in names
            else " ".join([name, *map(str, args)])
        )
        for name, args in reference.events
        if name not in ("changed", "scope_ended")
    ]


def cell_values(reference: Reference, *names: str) -> list[int]:
    return [reference.cells()[name][0] for name in names]
