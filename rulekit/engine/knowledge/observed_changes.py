"""Determine which changes and moves of things a player has observed.

A player looks at the game whenever a choice is complete.

- They saw a change if they might know the cell at such a moment, while the value stood.
- They saw which thing moved in two cases: they might know its place before the choice, or its new
  place while it lay there.
- They saw a value or place that lasted only within one choice if they might know its place both
  before and after the choice.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulekit.engine.knowledge.visibility import Visibility
from rulekit.runtime import cells
from rulekit.runtime.intrinsics import members
from rulekit.runtime.program import SecretInfo
from rulekit.runtime.records import (
    Changed,
    Moved,
    PhaseBegun,
    Put,
    Record,
    ScopeEnded,
    arguments,
    kind_of,
)
from rulekit.runtime.slots import (
    CHANGED,
    DRAWN,
    FIRST_EVENT,
    GATHERED,
    PHASE_BEGUN,
    PUT,
    SCOPE_ENDED,
)

Place = tuple[int, int]  # a cell, and the number of one of its places
Thing = tuple[int, int]  # a kind, and the ordinal of a member


def moved(record: Record) -> tuple[Place, Place, int]:
    """Return the source, the target and the mask of the things that changed their pool."""
    if kind_of(record) == PUT:
        put = Put._make(record)
        return (put.source_cell, put.source_place), (put.cell, put.place), 1 << put.thing
    move = Moved._make(record)
    return (
        (move.source_cell, move.source_place),
        (move.target_cell, move.target_place),
        move.things if move.kind == GATHERED else 1 << move.things,
    )


@define(eq=False)
class RevealedValue:
    """A secret that a parameter of an event, or of the beginning of a phase, has reported.

    Attributes:
        number: the number of the event.
        param: the index of the parameter.
        at: the cell that holds the secret, or -1 for the identity of things.
        places: the places of the cell, or the things.
        lies: True if the value is there by now.
    """

    number: int
    param: int
    at: int
    places: frozenset[Place]
    lies: bool


@define
class ObservedChanges:
    """The observer's knowledge of past changes and moves.

    Attributes:
        observer: decides what the observer may know.
        seen: by event number, 1 for an observed change, or the mask of the things known to have
            moved.
        named: for each of the observer's own choices, the things in it that they knew.
        met: for each event, the things in it that the observer knew.
        values: by place, the event that wrote its present value.
        lying: by thing, the event that moved it to its present place, and that place.
        fresh: the numbers of the events of the present choice.
        given: secrets reported by parameters that the observer may not know so far.
        known: for each parameter of an event, the number of its secrets that the observer may know.
    """

    observer: Visibility
    seen: dict[int, int] = field(factory=dict)
    named: dict[int, set[str]] = field(factory=dict)
    met: dict[int, list[Thing]] = field(factory=dict)
    values: dict[Place, int] = field(factory=dict)
    lying: dict[Thing, tuple[int, Place]] = field(factory=dict)
    fresh: set[int] = field(factory=set)
    given: list[RevealedValue] = field(factory=list)
    known: dict[tuple[int, int], int] = field(factory=dict)

    def has_revealed(self, number: int, param: int) -> bool:
        """Return True if the observer was able to know the secrets in a parameter of an event."""
        record = self.observer.state.log[number]
        return self.known.get((number, param), 0) >= len(self._secrets(record)[param])

    def watch(self) -> ObservedChanges:
        """Process the history, then return the witness itself."""
        state = self.observer.state
        if not state.table.program.turning:  # permission to know a thing never changes
            self._choice(state.log, 0, state.slots, state.slots)
            return self
        ends = [
            *((mark.log, mark.trail) for mark in state.marks),
            (len(state.log), len(state.trail)),
        ]
        slots, onward = state.slots[:], []
        for i in range(len(state.trail) - 2, -1, -2):
            onward.append(slots[state.trail[i]])
            slots[state.trail[i]] = state.trail[i + 1]
        log = trail = 0
        for at, (to, end) in enumerate(ends, -1):
            before = slots[:]
            if at >= 0 and state.marks[at].chooser == self.observer.me:
                self.named[at] = self.observer.named(before, state.marks[at].option)
            for i in range(trail, end, 2):
                slots[state.trail[i]] = onward[(len(state.trail) - 2 - i) // 2]
            self._choice(state.log[log:to], log, before, slots)
            log, trail = to, end
        return self

    def _choice(
        self, records: Sequence[Record], first: int, before: list[int], after: list[int]
    ) -> None:
        self.fresh, given = set(range(first, first + len(records))), []
        for number, record in enumerate(records, first):
            kind, written = kind_of(record), self._written(record)
            if kind != CHANGED:
                for place in written:
                    self._over(place, before, after)
            given += self._revealed_by(number, record, written)
            if kind == CHANGED:
                change = Changed._make(record)
                if not self.observer.is_plain(change.cell):
                    self._changed(number, (change.cell, change.place), before, after)
            elif kind in (DRAWN, GATHERED, PUT):
                source, target, mask = moved(record)
                cell, _ = target
                things = self.observer.program.cells[cell].type.kind
                for one in members(mask):
                    self._moved(number, (things, one), source, target, before, after)
            if kind >= FIRST_EVENT or kind in (CHANGED, PHASE_BEGUN):
                met = [
                    thing
                    for thing in self._things(record)
                    if self.observer.knew(before, *thing) and self.observer.knew(after, *thing)
                ]
                if met:
                    self.met[number] = met
        for place, number in self.values.items():
            if not self.seen.get(number) and self._may(place, after):
                self.seen[number] = 1
        for thing, (number, place) in self.lying.items():
            _, one = thing
            if (
                not self.seen.get(number, 0) >> one & 1
                and self._may(place, after)
                and self.observer.knew(after, *thing)
            ):
                self.seen[number] = self.seen.get(number, 0) | 1 << one

        self._heard(given, before, after)

    # ----------------------------------------------------------------------------------- parameters
    def _secrets(self, record: Record) -> Sequence[Sequence[SecretInfo]]:
        """Return the secrets of each parameter of an event, or of a phase that begins."""
        program = self.observer.program
        kind = kind_of(record)
        if kind == PHASE_BEGUN:
            proc = program.procs[PhaseBegun.of(record).procedure]
            return [var.secrets for var in proc.vars[: proc.params]]
        return program.events[kind - FIRST_EVENT].secrets if kind >= FIRST_EVENT else ()

    def _written(self, record: Record) -> set[Place]:
        """Return the non-public places that an event may have written, or whose values it ended."""
        program = self.observer.program
        kind = kind_of(record)
        if kind == CHANGED:
            change = Changed._make(record)
            return {(change.cell, change.place)}
        if kind == SCOPE_ENDED:
            scope = ScopeEnded._make(record).procedure
            ended = [
                at
                for at, cell in enumerate(program.cells)
                if scope in cell.ends and not cell.everyone
            ]
            return {
                (at, place)
                for at in ended
                for place, _ in enumerate(cells.places(program.cells[at]))
            }
        writes = program.events[kind - FIRST_EVENT].writes if kind >= FIRST_EVENT else ()
        return {place for secret in writes for place in self._places(secret, arguments(record))}

    def _places(self, secret: SecretInfo, args: Sequence[int]) -> frozenset[Place]:
        """Return the places of a secret in a record: places of a cell, or things of a kind."""
        at, kind, _ = secret
        found = self.observer.meant(secret, args, now=False)
        return frozenset(
            (at, cells.place(self.observer.program.cells[at], keys)) if at >= 0 else (kind, keys[0])
            for keys in found
        )

    def _revealed_by(self, number: int, record: Record, written: set[Place]) -> list[RevealedValue]:
        """Return the secrets that a record reports by its parameters.

        Earlier secrets about a place that it has `written` are out of date.
        """
        for each in (
            [g for g in self.given if g.at >= 0 and not g.places.isdisjoint(written)]
            if written
            else ()
        ):
            if each.lies:
                self.given.remove(each)
            each.lies = True
        args = arguments(record)
        made = []
        for param, secrets in enumerate(self._secrets(record)):
            for secret in secrets:
                cell, _, _ = secret
                places = self._places(secret, args)
                lies = cell < 0 or not places.isdisjoint(written)
                made.append(RevealedValue(number, param, cell, places, lies))
        self.given += made
        return made

    def _heard(self, fresh: Sequence[RevealedValue], before: list[int], after: list[int]) -> None:
        """At the end of a choice, find the reported secrets that the observer may know by now.

        Args:
            fresh: the secrets reported in this choice.
        """
        for each in list(dict.fromkeys([*self.given, *fresh])):
            if self._may_all(each, after) and (
                (each.lies and each in self.given)
                or (each in fresh and self._may_all(each, before))
            ):
                self.known[each.number, each.param] = (
                    self.known.get((each.number, each.param), 0) + 1
                )
                if each in self.given:
                    self.given.remove(each)

    def _may_all(self, given: RevealedValue, slots: list[int]) -> bool:
        if given.at < 0:
            return all(self.observer.knew(slots, *thing) for thing in given.places)
        return all(self._may(place, slots) for place in given.places)

    def _things(self, record: Record) -> list[Thing]:
        """Return the things with a hidden identity that a phase, a change or an event names.

        Kinds whose members lie hidden (`veiled`) are left out.
        """
        program = self.observer.program
        kind = kind_of(record)
        if kind == PHASE_BEGUN:
            phase = PhaseBegun.of(record)
            proc = program.procs[phase.procedure]
            types = [var.type for var in proc.vars[: proc.params]]
            given = list(zip(types, phase.arguments, strict=False))
        elif kind == CHANGED:
            change = Changed._make(record)
            given = [(program.cells[change.cell].type, change.value)]
        else:
            types = [type for _, type in program.events[kind - FIRST_EVENT].params]
            given = list(zip(types, arguments(record), strict=True))
        return [
            (type.kind, one)
            for type, value in given
            if type.form in ("member", "set")
            and program.kinds[type.kind].hidden_identity
            and not program.kinds[type.kind].veiled
            for one in (members(value) if type.form == "set" else [value])
            if one >= 0
        ]

    def _changed(self, number: int, place: Place, before: list[int], after: list[int]) -> None:
        self._over(place, before, after)
        self.values[place] = number

    def _over(self, place: Place, before: list[int], after: list[int]) -> None:
        """End the value of a place."""
        last = self.values.pop(place, None)
        if last in self.fresh and self._may(place, before) and self._may(place, after):
            self.seen[last] = 1

    def _moved(
        self,
        number: int,
        thing: Thing,
        source: Place,
        target: Place,
        before: list[int],
        after: list[int],
    ) -> None:
        kind, one = thing
        last, _ = self.lying.get(thing, (-1, source))
        through = last in self.fresh
        if (
            self._may(source, before)
            and self.observer.knew(before, kind, one)
            and (not through or (self._may(source, after) and self.observer.knew(after, kind, one)))
        ):
            for each in (last, number) if through else (number,):
                self.seen[each] = self.seen.get(each, 0) | 1 << one
        self.lying[thing] = number, target

    def _may(self, place: Place, slots: list[int]) -> bool:
        """Return True if the observer may know the content of a place in these slots."""
        cell, number = place
        if cell < 0:
            return False
        info = self.observer.program.cells[cell]
        keys = cells.keys_of(info, number)
        return self.observer.saw(slots, cell, keys) and all(
            k.kind < 0 or self.observer.knew(slots, k.kind, v)
            for k, v in zip(info.keys, keys, strict=True)
        )
