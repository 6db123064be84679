"""Takes a viewer and something to work out, works it out in all positions that he may suppose, as
far as it differs in them.

It is noted which of the values that he may not know are read: each of these is tried with all that
it may be. Others change nothing. Where these are too many, it is noted from where on it hangs on
one that was not tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, SupportsIndex, TypeVar, overload

from attrs import frozen

from rulekit.engine.kernel.events import Record
from rulekit.engine.knowledge.information_set import Unseen, deals, unseen_values
from rulekit.engine.knowledge.observation import Observer

WORLDS = 36  # so many positions are tried

Found = TypeVar("Found")


class Watched(list[int]):
    """The slots of a position that note what is read of those that are not seen. `unseen`: by slot,
    which values it holds; `read`: of each value that was read, how many events the `log` had then;
    `found`: the values that were read here or in a copy, in order.
    """

    unseen: Mapping[int, Sequence[int]]
    log: Sequence[Record]
    read: dict[int, int]
    found: dict[int, None]
    written: set[int]  # slots that now hold what was written there
    fresh: list[
        tuple[int, list[int], list[int]]
    ]  # a slot that was read, what is new in `read` and in `found`

    @classmethod
    def of(cls, slots: Sequence[int], unseen: Mapping[int, Sequence[int]]) -> Watched:
        """Slots of which nothing was read."""
        made = cls(slots)
        made.unseen, made.log, made.read, made.found, made.written, made.fresh = (
            unseen,
            (),
            {},
            {},
            set(),
            [],
        )
        return made

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> list[int]: ...
    def __getitem__(self, at: Any, /) -> Any:
        if at.__class__ is int:
            if at in self.unseen:
                self._note(at)
            return super().__getitem__(at)
        if at == slice(None):
            return self.copy()
        for slot in range(*at.indices(len(self))) if isinstance(at, slice) else ():
            if slot in self.unseen:
                self._note(slot)
        return super().__getitem__(at)

    def __setitem__(self, at: Any, value: Any, /) -> None:
        slots = range(*at.indices(len(self))) if isinstance(at, slice) else (at,)
        self.written.update(slot for slot in slots if slot in self.unseen)
        super().__setitem__(at, value)

    def copy(self) -> Watched:
        """Another position, in which the same was read so far."""
        made = Watched.of(list(self), self.unseen)
        made.log, made.read, made.found, made.written = (
            self.log,
            dict(self.read),
            self.found,
            set(self.written),
        )
        return made

    def _note(self, slot: int) -> None:
        values = () if slot in self.written else self.unseen[slot]
        new, first = (
            [n for n in values if n not in self.read],
            [n for n in values if n not in self.found],
        )
        self.read.update(dict.fromkeys(new, len(self.log)))
        self.found.update(dict.fromkeys(first))
        self.fresh.append((slot, new, first))

    def kept(self, slots: Sequence[int]) -> None:
        """The last that was read are the old values of these slots, so that they can be put back:
        nothing hangs on them."""
        for slot in reversed(slots):
            if self.fresh and self.fresh[-1][0] == slot:
                _, new, first = self.fresh.pop()
                for n in new:
                    del self.read[n]
                for n in first:
                    del self.found[n]


class Kept(list[int]):
    """The trail of watched slots: each slot that is written, and what it held."""

    slots: Watched

    def __iadd__(self, more: Any, /) -> Kept:  # type: ignore[override,misc]
        self.slots.kept(more[::2])
        self.extend(more)
        return self


def watched(slots: list[int], log: Sequence[Record], trail: list[int]) -> list[int]:
    """A trail for slots that go on being played; for those that are watched one that tells them
    what it keeps."""
    if not isinstance(slots, Watched):
        return trail
    kept = Kept(trail)
    slots.log, kept.slots = log, slots
    return kept


def was_read(slots: Sequence[int], anywhere: bool = False) -> frozenset[int]:
    """The values that are not seen and were read on the way to a position, or `anywhere`: there and
    in its copies."""
    if not isinstance(slots, Watched):
        return frozenset()
    return frozenset(slots.found if anywhere else slots.read)


@frozen
class World(Generic[Found]):
    """What was found in some positions that differ in nothing that was read. `untried`: the values
    that were read and may be others."""

    found: Found
    untried: tuple[int, ...] = ()

    def known(self, slots: Sequence[int]) -> int | None:
        """How many events of a course hang on nothing that was not tried; None: all. `slots`: where
        it came to."""
        return (
            min((slots.read[n] for n in self.untried if n in slots.read), default=None)
            if isinstance(slots, Watched)
            else None
        )

    def is_sure(self, read: frozenset[int]) -> bool:
        """Was all of these tried with all that it may be?"""
        return read.isdisjoint(self.untried)


@frozen
class Basis:
    """What a viewer may suppose: `deals`, each with the values that are not seen."""

    deals: tuple[list[int], ...]
    values: tuple[Unseen, ...]

    @classmethod
    def of(cls, viewer: Observer) -> Basis:
        """Whatever it is that he may not know."""
        return cls(tuple(deals(viewer)), tuple(unseen_values(viewer)))

    def worlds(self, work: Callable[[list[int]], Found]) -> Iterator[World[Found]]:
        """What is found in each of the positions, one after the other: who knows enough stops."""
        for slots in self.deals:
            if self.values:
                yield from _tried(slots, self.values, work, WORLDS // len(self.deals))
            else:
                yield World(work(slots[:]))


def by_slot(values: Sequence[Unseen]) -> dict[int, list[int]]:
    """By slot the numbers of the values that lie in it."""
    found: dict[int, list[int]] = {}
    for number, value in enumerate(values):
        for slot in value.slots:
            found.setdefault(slot, []).append(number)
    return found


def _tried(
    slots: list[int], values: Sequence[Unseen], work: Callable[[list[int]], Found], most: int
) -> Iterator[World[Found]]:
    """Of one deal. A value that is read is the first that it may be; then the same with each other
    one is tried."""
    unseen = by_slot(values)
    done, waiting = 0, [dict[int, int]()]
    while waiting:
        chosen = waiting.pop(0)
        position = list(slots)
        for number, instead in chosen.items():
            values[number].put(position, instead)
        start = Watched.of(position, unseen)
        found, untried = work(start), list[int]()
        for number in (n for n in start.found if n not in chosen):
            first, *others = values[number].values or (0,)
            if values[number].values is None or done + 1 + len(waiting) + len(others) > most:
                untried.append(number)
            else:
                waiting += [{**chosen, number: other} for other in others]
                chosen = {**chosen, number: first}
        done += 1
        yield World(found, tuple(untried))
