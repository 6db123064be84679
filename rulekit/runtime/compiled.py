"""Takes nothing, makes `Compiled`: a game compiled once for all its scenarios and rulings, from
which each program is made quickly."""

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
    """What a scenario sets. `way`: which of the ways to choose on axis 0."""

    way: int
    initial: list[int]
    rulings: dict[str, str]


@define
class Compiled:
    """`program`: all but what is chosen. `constants`: names in the emitted code, with their axes
    (number, size) and their values, row-major over these. On axis 0 the scenario chooses, on axis 1
    + i ruling i."""

    program: Program
    starts: dict[str, Start]
    default: str
    constants: dict[str, tuple[tuple[tuple[int, int], ...], tuple[Any, ...]]]
    digest: str

    def bare(self) -> Compiled:
        """The same without code: to be written down."""
        return attrs.evolve(self, program=self.program.bare())

    def with_code(
        self, source: Mapping[str, str], lines: Mapping[str, list[str]], objects: Any
    ) -> Compiled:
        """The same with its code: the text of each variant, the author's places, the code
        objects."""
        return attrs.evolve(
            self,
            program=attrs.evolve(
                self.program, source=source, lines=lines, objects=objects, code={}
            ),
        )

    def bind(self, scenario: str, rulings: Mapping[str, str]) -> Program:
        """The program of a scenario (if there is no such one: of the default one) under rulings,
        alternatives by name."""
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
    """The digest of how a game plays: of the text of its full variant and the tables beside it,
    without what is chosen."""
    return hashlib.sha256(
        "".join((program.name, str(FORMAT), structure(program), text)).encode()
    ).hexdigest()
