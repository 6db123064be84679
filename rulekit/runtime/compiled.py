"""A game that is compiled once, from which the program of each scenario and ruling is derived."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import attrs
from attrs import define

from rulekit.runtime import intrinsics
from rulekit.runtime.identity import structure
from rulekit.runtime.program import FORMAT, Program


@define
class Start:
    """The values that a scenario sets.

    Attributes:
        way: the choice on axis 0 of the constants.
        initial: the slots of a blank state.
        rulings: the rulings that the scenario changes.
    """

    way: int
    initial: list[int]
    rulings: dict[str, str]


@define
class Compiled:
    """A compiled game before a scenario and rulings are chosen.

    Attributes:
        program: everything that does not depend on the choice.
        starts: the values of each scenario.
        default: the name of the default scenario.
        constants: by name in the emitted code, its axes (number, size) and its values in row-major
            order. Axis 0 is the scenario, axis 1 + i is ruling i.
        digest: the digest of how the game plays.
    """

    program: Program
    starts: dict[str, Start]
    default: str
    constants: dict[str, tuple[tuple[tuple[int, int], ...], tuple[Any, ...]]]
    digest: str

    def bare(self) -> Compiled:
        """Return a copy without code, for storage."""
        return attrs.evolve(self, program=self.program.bare())

    def with_code(
        self, source: Mapping[str, str], lines: Mapping[str, list[str]], objects: Any
    ) -> Compiled:
        """Return a copy with code: texts, the author's places and code objects, by variant."""
        return attrs.evolve(
            self,
            program=attrs.evolve(
                self.program, source=source, lines=lines, objects=objects, code={}
            ),
        )

    def bind(self, scenario: str, rulings: Mapping[str, str]) -> Program:
        """Return the program of a scenario under rulings, which are alternatives by name.

        An unknown scenario means the default one.
        """
        name = next(
            (n for n in (scenario, self.default) if n in self.starts), next(iter(self.starts))
        )
        begin = self.starts[name]
        infos = [
            attrs.evolve(r, chosen=rulings.get(r.name) or begin.rulings.get(r.name) or r.chosen)
            for r in self.program.rulings
        ]
        chosen = [begin.way, *(r.alternatives.index(r.chosen) for r in infos)]
        constants = {
            title: intrinsics.chosen(chosen, *found) for title, found in self.constants.items()
        }
        rules = hashlib.sha256(f"{self.digest}{constants!r}{begin.initial!r}".encode()).hexdigest()[
            :16
        ]
        return attrs.evolve(
            self.program,
            scenario=name,
            rulings=infos,
            constants=constants,
            chosen=chosen,
            initial=begin.initial,
            rules=rules,
            code={},
        )


def digest_of(program: Program, text: str) -> str:
    """Return a digest of how a game plays, whatever is chosen.

    It covers the text of the full variant and the tables of the program.
    """
    return hashlib.sha256(
        "".join((program.name, str(FORMAT), structure(program), text)).encode()
    ).hexdigest()
