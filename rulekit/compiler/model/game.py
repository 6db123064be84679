"""`Model`: a checked game."""

from __future__ import annotations

from typing import Any

from attrs import field

from rulekit.compiler.model.actions import (
    EventDeclaration,
    GuardedOption,
    Invariant,
    Ruling,
    Whenever,
)
from rulekit.compiler.model.declarations import Movement, Permit, Table, Total
from rulekit.compiler.model.entities import (
    Cell,
    Define,
    Fixed,
    Kind,
    MemberOf,
    Procedure,
    Slot,
    Var,
    kind_of,
)
from rulekit.compiler.model.node import Node


class Model(Node):
    """A checked game."""

    name: str
    version: int
    kinds: dict[str, Kind] = field(factory=dict)
    units: list[str] = field(factory=list)
    fixed: list[Fixed] = field(factory=list)  # all, attributes included
    cells: list[Cell] = field(factory=list)  # all, attributes, pools and hidden ones included
    defines: list[Define] = field(factory=list)
    totals: list[Total] = field(factory=list)
    permits: list[Permit] = field(factory=list)
    tables: list[Table] = field(factory=list)
    slots: list[Slot] = field(factory=list)
    events: list[EventDeclaration] = field(factory=list)
    procedures: list[Procedure] = field(factory=list)
    movements: list[Movement] = field(factory=list)
    options: list[GuardedOption] = field(factory=list)
    whenevers: list[Whenever] = field(factory=list)
    invariants: list[Invariant] = field(factory=list)
    rulings: list[Ruling] = field(factory=list)
    sides: Kind | None = None  # the kind that decides
    moments: Kind | None = None  # the kind Moment: members are the names of the moments
    scopes: Kind | None = None  # the kind Scope: members are the names of what can be running
    main: Procedure | None = None
    setup: Procedure | None = None
    levels: list[str] = field(factory=list)
    purposes: list[str] = field(factory=list)  # of dice
    scenarios: dict[str, Any] = field(
        factory=dict
    )  # name -> Scenario (see rulekit.compiler.check.data.binding)
    texts: dict[str, dict[str, str]] = field(factory=dict)  # language -> key -> text
    cited: set[str] = field(
        factory=set
    )  # the paragraphs that the rules cite, with those around them
    wanted_texts: dict[str, str] = field(
        factory=dict
    )  # key -> text beside the declaration, or empty: all that a language should say
    info: dict[str, Any] = field(factory=dict)  # manifest, geometry, provenance: for frontends
    shown_vars: set[Var] = field(factory=set)  # variables that the drawing shows to all
    # of variables that players are shown, and of those that hold what not all may know: the cells,
    # or kinds of things, that say so, each with the terms of its keys
    masked: dict[Var, set[tuple[Cell | Kind, Any]]] = field(factory=dict)
    private: dict[Var, set[tuple[Cell | Kind, Any]]] = field(factory=dict)

    def pools_of(self, pool: Cell) -> list[Cell]:
        """Return all pools of the things that lie in `pool`. A thing put into one of them leaves
        the others.
        """
        return [c for c in self.cells if c.pool and kind_of(c.type) is kind_of(pool.type)]

    @property
    def rolled(self) -> EventDeclaration | None:
        """The event die_rolled, if any rule depends on it."""
        return next((event for event in self.events if event.built_in), None)

    @property
    def purpose_kind(self) -> Kind | None:
        """The kind of the purposes of dice, if any rule depends on dice. Its members are
        `purposes`.
        """
        type = self.rolled.params[0].type if self.rolled is not None else None
        return type.kind if isinstance(type, MemberOf) else None
