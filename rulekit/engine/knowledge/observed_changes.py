"""Takes a state and a viewer, makes what he saw of what changed and of what moved.

A player looks at the game when a choice is complete. He saw a change if at such a moment, while the
value stood, he might know the cell. He saw which thing moved if he might know where it came from
before the choice, or, while it lay there, where it went to. What stood within one choice only he
saw if he might know its place before the choice and after it."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulekit.engine.kernel.events import Record
from rulekit.engine.knowledge.visibility import Visibility
from rulekit.runtime import cells
from rulekit.runtime.intrinsics import members
from rulekit.runtime.program import SecretInfo
from rulekit.runtime.slots import (
    CHANGED,
    DRAWN,
    FIRST_EVENT,
    GATHERED,
    PHASE_BEGUN,
    PUT,
    SCOPE_ENDED,
)

Place = tuple[int, int]  # a cell, and which of its places
Thing = tuple[int, int]  # a kind, and which of its members


def moved(record: Record) -> tuple[Place, Place, int]:
    """Of a thing, or things, that changed their pool: whence, whither, and the mask of them."""
    if record[0] == PUT:
        return (record[4], record[5]), (record[1], record[2]), 1 << record[3]
    return (
        (record[1], record[2]),
        (record[3], record[4]),
        record[5] if record[0] == GATHERED else 1 << record[5],
    )


@define(eq=False)
class Given:
    """What an event, or the beginning of a phase, has told of a secret by one parameter. `at`: the
    cell, or -1; `places`: of the cell, or the things; `lies`: is the value there by now?"""

    number: int
    param: int
    at: int
    places: frozenset[Place]
    lies: bool


@define
class Witness:
    """`seen`: of each change (event number) 1, of each move the mask of the things known to have
    moved. `named`: of each choice of the viewer's own, what he knew of the things that it names.
    `met`: of each event, the things that it names and that he knew. `values`, `lying`: the events
    by which what stands now came to be; those of them in `fresh` happened in this choice. `given`:
    what parameters have told that the viewer may not know so far; `known`: of each parameter (of an
    event), how many of its secrets he may know.
    """

    viewer: Visibility
    seen: dict[int, int] = field(factory=dict)
    named: dict[int, set[str]] = field(factory=dict)
    met: dict[int, list[Thing]] = field(factory=dict)
    values: dict[Place, int] = field(factory=dict)
    lying: dict[Thing, tuple[int, Place]] = field(factory=dict)
    fresh: set[int] = field(factory=set)
    given: list[Given] = field(factory=list)
    known: dict[tuple[int, int], int] = field(factory=dict)

    def has_told(self, number: int, param: int) -> bool:
        """Might the viewer know what a parameter of an event tells?"""
        record = self.viewer.state.log[number]
        return self.known.get((number, param), 0) >= len(self._secrets(record)[param])

    def watch(self) -> Witness:
        """Goes through the history."""
        state = self.viewer.state
        if not state.table.program.turning:  # whoever may know it might know it always
            self._choice(state.log, 0, state.slots, state.slots)
            return self
        ends = [
            *((log, trail) for log, trail, *_ in state.marks),
            (len(state.log), len(state.trail)),
        ]
        slots, onward = state.slots[:], []
        for i in range(len(state.trail) - 2, -1, -2):
            onward.append(slots[state.trail[i]])
            slots[state.trail[i]] = state.trail[i + 1]
        log = trail = 0
        for at, (to, end) in enumerate(ends, -1):
            before = slots[:]
            if at >= 0 and state.marks[at][3] == self.viewer.me:
                self.named[at] = self.viewer.named(before, state.marks[at][2])
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
            written = self._written(record)
            if record[0] != CHANGED:
                for place in written:
                    self._over(place, before, after)
            given += self._told(number, record, written)
            if record[0] == CHANGED:
                if not self.viewer.is_plain(record[1]):
                    self._changed(number, (record[1], record[2]), before, after)
            elif record[0] in (DRAWN, GATHERED, PUT):
                source, target, mask = moved(record)
                kind = self.viewer.program.cells[target[0]].type.kind
                for one in members(mask):
                    self._moved(number, (kind, one), source, target, before, after)
            if record[0] >= FIRST_EVENT or record[0] in (CHANGED, PHASE_BEGUN):
                met = [
                    thing
                    for thing in self._things(record)
                    if self.viewer.knew(before, *thing) and self.viewer.knew(after, *thing)
                ]
                if met:
                    self.met[number] = met
        for place, number in self.values.items():
            if not self.seen.get(number) and self._may(place, after):
                self.seen[number] = 1
        for (kind, one), (number, place) in self.lying.items():
            if (
                not self.seen.get(number, 0) >> one & 1
                and self._may(place, after)
                and self.viewer.knew(after, kind, one)
            ):
                self.seen[number] = self.seen.get(number, 0) | 1 << one

        self._heard(given, before, after)

    # ---------------------------------------------------------------- parameters
    def _secrets(self, record: Record) -> Sequence[Sequence[SecretInfo]]:
        """Of each parameter of an event, or a phase that begins."""
        program = self.viewer.program
        if record[0] == PHASE_BEGUN:
            proc = program.procs[record[1]]
            return [var.secrets for var in proc.vars[: proc.params]]
        return program.events[record[0] - FIRST_EVENT].secrets if record[0] >= FIRST_EVENT else ()

    def _written(self, record: Record) -> set[Place]:
        """Where an event may have written what not all may see, or where the values of such places
        end."""
        program = self.viewer.program
        if record[0] == CHANGED:
            return {(record[1], record[2])}
        if record[0] == SCOPE_ENDED:
            ended = [
                at
                for at, cell in enumerate(program.cells)
                if record[1] in cell.ends and not cell.everyone
            ]
            return {
                (at, place)
                for at in ended
                for place, _ in enumerate(cells.places(program.cells[at]))
            }
        writes = program.events[record[0] - FIRST_EVENT].writes if record[0] >= FIRST_EVENT else ()
        return {place for secret in writes for place in self._places(secret, record[1:])}

    def _places(self, secret: SecretInfo, args: Sequence[int]) -> frozenset[Place]:
        """Where a secret of a record lies: places of a cell, or things of a kind."""
        at, kind, _ = secret
        found = self.viewer.meant(secret, args, now=False)
        return frozenset(
            (at, cells.place(self.viewer.program.cells[at], keys)) if at >= 0 else (kind, keys[0])
            for keys in found
        )

    def _told(self, number: int, record: Record, written: set[Place]) -> list[Given]:
        """What a record tells by its parameters; what is `written` by it is no more what earlier
        ones have told."""
        for each in (
            [g for g in self.given if g.at >= 0 and not g.places.isdisjoint(written)]
            if written
            else ()
        ):
            if each.lies:
                self.given.remove(each)
            each.lies = True
        args = record[2:] if record[0] == PHASE_BEGUN else record[1:]
        made = []
        for param, secrets in enumerate(self._secrets(record)):
            for secret in secrets:
                places = self._places(secret, args)
                made.append(
                    Given(
                        number,
                        param,
                        secret[0],
                        places,
                        secret[0] < 0 or not places.isdisjoint(written),
                    )
                )
        self.given += made
        return made

    def _heard(self, fresh: Sequence[Given], before: list[int], after: list[int]) -> None:
        """At the end of a choice: what he may know by now of all that parameters have told.
        `fresh`: in this choice."""
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

    def _may_all(self, given: Given, slots: list[int]) -> bool:
        if given.at < 0:
            return all(self.viewer.knew(slots, *thing) for thing in given.places)
        return all(self._may(place, slots) for place in given.places)

    def _things(self, record: Record) -> list[Thing]:
        """The things that a phase, a change or an event names, of kinds whose identity is hidden
        and that never lie hidden."""
        program = self.viewer.program
        if record[0] == PHASE_BEGUN:
            proc = program.procs[record[1]]
            given = list(
                zip([var.type for var in proc.vars[: proc.params]], record[2:], strict=False)
            )
        elif record[0] == CHANGED:
            given = [(program.cells[record[1]].type, record[3])]
        else:
            given = list(
                zip(
                    [type for _, type in program.events[record[0] - FIRST_EVENT].params],
                    record[1:],
                    strict=True,
                )
            )
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
        """The value of a place stands no longer."""
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
            and self.viewer.knew(before, kind, one)
            and (not through or (self._may(source, after) and self.viewer.knew(after, kind, one)))
        ):
            for each in (last, number) if through else (number,):
                self.seen[each] = self.seen.get(each, 0) | 1 << one
        self.lying[thing] = number, target

    def _may(self, place: Place, slots: list[int]) -> bool:
        """Might the viewer know what is at a place?"""
        if place[0] < 0:
            return False
        info = self.viewer.program.cells[place[0]]
        keys = cells.keys_of(info, place[1])
        return self.viewer.saw(slots, place[0], keys) and all(
            k.kind < 0 or self.viewer.knew(slots, k.kind, v)
            for k, v in zip(info.keys, keys, strict=True)
        )
