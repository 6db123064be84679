"""Plays short rules with choices in words in all variants, and returns the questions and
results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from attrs import define

from rulekit.compiler import model as m
from rulekit.compiler.compiler import build
from rulekit.compiler.reference.interpreter import Reference
from rulekit.compiler.reference.options import ReferenceOption
from rulekit.runtime.program import Program
from tests.compiler.checked_rules import written
from tests.compiler.reference.agree import agree
from tests.small_games import checked_model, write_game

SIDES = "game played 1\nkind Side decides = red(blue) | blue(red)\n  fixed enemy: Side\n"


@define
class Played:
    """The course of a game.

    Attributes:
        asked: each decision, as `side: option, option ...`.
        events: (name, arguments).
        result: (winner, level).
    """

    asked: list[str]
    cells: dict[str, list[int]]
    events: list[tuple[str, tuple[Any, ...]]]
    result: tuple[int, str] | None

    def __getitem__(self, name: str) -> int:
        return self.cells[name][0]


def named(type: m.Type | None, value: int) -> str:
    return type.kind.members[value] if isinstance(type, m.MemberOf | m.SetOf) else str(value)


def words(reference: Reference, offer: ReferenceOption, kind: str) -> str:
    """Return the text of an option: `go c1 2`, or `add c1` of a group, `c1` or `2` of a pick or a
    tie, `to hill` of a walk."""
    if offer.option is not None:
        return " ".join(
            [
                offer.family,
                *(named(v.type, x) for v, x in zip(offer.option.params, offer.params, strict=True)),
            ]
        )
    if kind == "walk" and offer.params:
        place = next(
            mv.at.type
            for mv in reference.model.movements
            if mv.proc in reference.machine.position.stack
        )
        return f"to {named(place, offer.params[1])}"
    if not offer.params:
        return offer.family
    assert reference.decision is not None
    running = [v for proc in reference.machine.position.stack for v in proc.vars]
    name = reference.decision.prompt.rsplit(".", 1)[-1] if kind == "group" else offer.family
    type = next((v.type for v in reversed(running) if v.name == name), None)
    return " ".join(
        [*(["add"] if kind == "group" else []), *(named(type, x) for x in offer.params)]
    )


def options(reference: Reference) -> list[str]:
    assert reference.decision is not None
    return [words(reference, offer, reference.decision.kind) for offer in reference.decision.offers]


@cache
def compiled(model: m.Model) -> Program:
    return build(model, "")


def play(rules: str | m.Model, *wishes: str, dice: Sequence[int] = ()) -> Played:
    """Make these choices one after the other. All variants do the same and can undo it."""
    model = written(SIDES + rules) if isinstance(rules, str) else rules
    reference, asked, path = Reference(model, dice=list(dice)), [], list[int]()

    def ask() -> list[str]:
        found = options(reference)
        assert reference.decision is not None and model.sides is not None
        asked.append(f"{model.sides.members[reference.decision.who]}: {', '.join(found)}")
        return found

    for wish in wishes:
        assert reference.decision is not None, f"it is over before '{wish}': {asked}"
        found = ask()
        assert wish in found, f"'{wish}' is not in {asked}"
        path.append(found.index(wish))
        reference.apply(path[-1])
    if reference.decision is not None:
        ask()
    agree(model, compiled(model), 1, dice=list(dice), choices=path, limit=len(path))
    return Played(asked, reference.cells(), reference.events, reference.result)


def stored_model(folder: Path, rules: str, **files: str) -> m.Model:
    """Return the model of a folder with data, each file by its name without `.yaml`."""
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    return checked_model(write_game(folder, rules))


def ways(head: str, bodies: Mapping[str, str]) -> m.Model:
    """Return one game for many tests. Its first choice selects the statements to run, and then it
    ends."""
    text = "".join(
        f"    option {name}\n" + "".join(f"      {line}\n" for line in body.splitlines())
        for name, body in bodies.items()
    )
    return written(
        SIDES + head + 'phase main\n  choose by red "which"\n' + text + "  finish none, drawn\n"
    )
