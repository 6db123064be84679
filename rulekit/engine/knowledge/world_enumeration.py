"""Evaluate a computation in the possible worlds of an observer, as far as it differs in them.

The evaluation records which hidden values it reads. Each of these is tried with all its possible
values, since the other ones make no difference. If there are too many, the result says from which
event on it depends on an untried value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, SupportsIndex, TypeVar, overload

from attrs import frozen

from rulekit.engine.knowledge.information_set import Unseen, deals, unseen_values
from rulekit.engine.knowledge.observation import Observer
from rulekit.runtime.records import Record

WORLDS = 36  # the largest number of positions that are tried

Found = TypeVar("Found")


class Watched(list[int]):
    """The slots of a position that record reads of hidden values.

    Attributes:
        unseen: by slot, the numbers of the hidden values that it holds.
        log: the log of the running computation.
        read: for each value that was read, the length of `log` at that time.
        found: the values that were read here or in a copy, in order.
        written: the slots that were overwritten, so that they hold no hidden value any more.
        fresh: for each read, the slot and its new entries in `read` and in `found`.
    """

    unseen: Mapping[int, Sequence[int]]
    log: Sequence[Record]
    read: dict[int, int]
    found: dict[int, None]
    written: set[int]
    fresh: list[tuple[int, list[int], list[int]]]

    @classmethod
    def of(cls, slots: Sequence[int], unseen: Mapping[int, Sequence[int]]) -> Watched:
        """Return slots that record reads, without any so far."""
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
        """Return a copy that has the same reads so far."""
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
        """Forget the last reads, if they only saved the old values of these slots for undo.

        The result of the computation does not depend on them.
        """
        for slot in reversed(slots):
            if self.fresh and self.fresh[-1][0] == slot:
                _, new, first = self.fresh.pop()
                for n in new:
                    del self.read[n]
                for n in first:
                    del self.found[n]


class WatchedTrail(list[int]):
    """The undo trail of watched slots: each slot that is written, and its old value."""

    slots: Watched

    def __iadd__(self, more: Any, /) -> WatchedTrail:  # type: ignore[override,misc]
        self.slots.kept(more[::2])
        self.extend(more)
        return self


def watched(slots: list[int], log: Sequence[Record], trail: list[int]) -> list[int]:
    """Return a trail for slots in which play goes on.

    The trail of watched slots reports the old values that it saves.
    """
    if not isinstance(slots, Watched):
        return trail
    kept = WatchedTrail(trail)
    slots.log, kept.slots = log, slots
    return kept


def was_read(slots: Sequence[int], anywhere: bool = False) -> frozenset[int]:
    """Return the hidden values that were read on the way to a position.

    With `anywhere`, reads in copies of its slots count too.
    """
    if not isinstance(slots, Watched):
        return frozenset()
    return frozenset(slots.found if anywhere else slots.read)


@frozen
class WorldGroup(Generic[Found]):
    """The result in a set of positions that differ in no value that was read.

    Attributes:
        found: the result.
        untried: the values that were read but not varied.
    """

    found: Found
    untried: tuple[int, ...] = ()

    def known(self, slots: Sequence[int]) -> int | None:
        """Return the number of events that do not depend on an untried value, or None for all.

        Args:
            slots: the position at the end of the events.
        """
        return (
            min((slots.read[n] for n in self.untried if n in slots.read), default=None)
            if isinstance(slots, Watched)
            else None
        )

    def is_sure(self, read: frozenset[int]) -> bool:
        """Return True if all of these values were tried with every possible value."""
        return read.isdisjoint(self.untried)


@frozen
class Basis:
    """An observer's information set, as input for an evaluation.

    Attributes:
        deals: positions, one for each way to deal out indistinguishable things.
        values: the hidden values in them.
    """

    deals: tuple[list[int], ...]
    values: tuple[Unseen, ...]

    @classmethod
    def of(cls, observer: Observer) -> Basis:
        """Return the information set of the observer."""
        return cls(tuple(deals(observer)), tuple(unseen_values(observer)))

    def worlds(self, work: Callable[[list[int]], Found]) -> Iterator[WorldGroup[Found]]:
        """Yield the result for each of the positions. A caller that knows enough can stop."""
        for slots in self.deals:
            if self.values:
                yield from _tried(slots, self.values, work, WORLDS // len(self.deals))
            else:
                yield WorldGroup(work(slots[:]))


def by_slot(values: Sequence[Unseen]) -> dict[int, list[int]]:
    """Return, by slot, the numbers of the values that it holds."""
    found: dict[int, list[int]] = {}
    for number, value in enumerate(values):
        for slot in value.slots:
            found.setdefault(slot, []).append(number)
    return found


def _tried(
    slots: list[int], values: Sequence[Unseen], work: Callable[[list[int]], Found], most: int
) -> Iterator[WorldGroup[Found]]:
    """Yield the results for one deal.

    A value that is read has its first possible value at first. Then the same computation is
    repeated with each other one.
    """
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
        yield WorldGroup(found, tuple(untried))
