"""Takes a state and a viewer, makes what he saw of what changed and of what moved.

A player looks at the game when a choice is complete. He saw a change if at such a moment, while the value stood, he might know the cell. He
saw which thing moved if he might know where it came from before the choice, or, while it lay there, where it went to. What stood within one
choice only he saw if he might know its place before the choice and after it."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulekit.play.events import Record
from rulekit.play.knowing import Knower
from rulekit.program import cells
from rulekit.program.runtime import members
from rulekit.program.slots import CHANGED, DRAWN, FIRST_EVENT, GATHERED, PHASE_BEGUN, PUT

Place = tuple[int, int]  # a cell, and which of its places
Thing = tuple[int, int]  # a kind, and which of its members


def moved(record: Record) -> tuple[Place, Place, int]:
    """Of a thing, or things, that changed their pool: whence, whither, and the mask of them."""
    if record[0] == PUT:
        return (record[4], record[5]), (record[1], record[2]), 1 << record[3]
    return (record[1], record[2]), (record[3], record[4]), record[5] if record[0] == GATHERED else 1 << record[5]


@define
class Witness:
    """`seen`: of each change (event number) 1, of each move the mask of the things known to have moved. `named`: of each choice of the
    viewer's own, what he knew of the things that it names. `met`: of each event, the things that it names and that he knew. `values`,
    `lying`: the events by which what stands now came to be; those of them in `fresh` happened in this choice."""

    viewer: Knower
    seen: dict[int, int] = field(factory=dict)
    named: dict[int, set[str]] = field(factory=dict)
    met: dict[int, list[Thing]] = field(factory=dict)
    values: dict[Place, int] = field(factory=dict)
    lying: dict[Thing, tuple[int, Place]] = field(factory=dict)
    fresh: set[int] = field(factory=set)

    def watch(self) -> Witness:
        """Goes through the history."""
        state = self.viewer.state
        if not state.table.program.turning:  # whoever may know it might know it always
            self._choice(state.log, 0, state.slots, state.slots)
            return self
        ends = [*((log, trail) for log, trail, *_ in state.marks), (len(state.log), len(state.trail))]
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

    def _choice(self, records: Sequence[Record], first: int, before: list[int], after: list[int]) -> None:
        self.fresh = set(range(first, first + len(records)))
        for number, record in enumerate(records, first):
            if record[0] == CHANGED:
                if not self.viewer.is_plain(record[1]):
                    self._changed(number, (record[1], record[2]), before, after)
            elif record[0] in (DRAWN, GATHERED, PUT):
                source, target, mask = moved(record)
                kind = self.viewer.program.cells[target[0]].type.kind
                for one in members(mask):
                    self._moved(number, (kind, one), source, target, before, after)
            if record[0] >= FIRST_EVENT or record[0] in (CHANGED, PHASE_BEGUN):
                met = [thing for thing in self._things(record) if self.viewer.knew(before, *thing) and self.viewer.knew(after, *thing)]
                if met:
                    self.met[number] = met
        for place, number in self.values.items():
            if not self.seen.get(number) and self._may(place, after):
                self.seen[number] = 1
        for (kind, one), (number, place) in self.lying.items():
            if not self.seen.get(number, 0) >> one & 1 and self._may(place, after) and self.viewer.knew(after, kind, one):
                self.seen[number] = self.seen.get(number, 0) | 1 << one

    def _things(self, record: Record) -> list[Thing]:
        """The things that a phase, a change or an event names, of kinds whose identity is hidden and that never lie hidden."""
        program = self.viewer.program
        if record[0] == PHASE_BEGUN:
            proc = program.procs[record[1]]
            given = list(zip([var.type for var in proc.vars[:proc.params]], record[2:], strict=False))
        elif record[0] == CHANGED:
            given = [(program.cells[record[1]].type, record[3])]
        else:
            given = list(zip([type for _, type in program.events[record[0] - FIRST_EVENT].params], record[1:], strict=True))
        return [(type.kind, one) for type, value in given if type.form in ("member", "set")
                and program.kinds[type.kind].hidden_identity and not program.kinds[type.kind].veiled
                for one in (members(value) if type.form == "set" else [value]) if one >= 0]

    def _changed(self, number: int, place: Place, before: list[int], after: list[int]) -> None:
        last = self.values.get(place)
        if last in self.fresh and self._may(place, before) and self._may(place, after):
            self.seen[last] = 1
        self.values[place] = number

    def _moved(self, number: int, thing: Thing, source: Place, target: Place, before: list[int], after: list[int]) -> None:
        kind, one = thing
        last, _ = self.lying.get(thing, (-1, source))
        through = last in self.fresh
        if self._may(source, before) and self.viewer.knew(before, kind, one) and (
                not through or (self._may(source, after) and self.viewer.knew(after, kind, one))):
            for each in (last, number) if through else (number,):
                self.seen[each] = self.seen.get(each, 0) | 1 << one
        self.lying[thing] = number, target

    def _may(self, place: Place, slots: list[int]) -> bool:
        """Might the viewer know what is at a place?"""
        if place[0] < 0:
            return False
        info = self.viewer.program.cells[place[0]]
        keys = cells.keys_of(info, place[1])
        return self.viewer.saw(slots, place[0], keys) and all(k.kind < 0 or self.viewer.knew(slots, k.kind, v)
                                                              for k, v in zip(info.keys, keys, strict=True))
