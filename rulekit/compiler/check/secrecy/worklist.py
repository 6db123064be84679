"""Track the reads and changes of the analysis, so that a part is analysed again only if one of
its inputs has changed.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Asked = tuple[int, Hashable]  # of which dictionary, by which key


class ReadRecord:
    """A record of reads, and of the time of each change. Time counts changes."""

    def __init__(self) -> None:
        self.now = 0
        self.read: set[Asked] = set()
        self._changes: dict[Asked, int] = {}

    def change(self, asked: Asked) -> None:
        self.now += 1
        self._changes[asked] = self.now

    def changed(self, read: Collection[Asked], since: int) -> bool:
        return any(self._changes.get(asked, 0) > since for asked in read)


class RecordedDict(dict[K, V]):
    """A dictionary that records its reads and changes."""

    def __init__(self, notes: ReadRecord) -> None:
        super().__init__()
        self._notes = notes

    def find(self, key: K, default: V) -> V:
        """Return the value of a key as `get` does, and record the read."""
        self._notes.read.add((id(self), key))
        return self.get(key, default)

    def __setitem__(self, key: K, value: V) -> None:
        if key not in self or self[key] != value:
            super().__setitem__(key, value)
            self._notes.change((id(self), key))

    def clear(self) -> None:
        for key in list(self):
            self._notes.change((id(self), key))
        super().clear()
