"""Cache compiled games as files in the user's cache folder.

Files are keyed by content, so none is ever stale. A game has a folder of its own, a shelf
(`rulekit.runtime.cache_folders`). Each file begins with the digest of the rest. A damaged, foreign
or old file counts as missing, and an unwritable folder is no error.

Places in the files of a game are stored by the number of the file, because the game may be in
another folder when they are read. Like Python's own cache of byte code, the folder is trusted: it
belongs to the user.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import attrs

from rulekit.common.diagnostics.span import Span
from rulekit.common.files import DRAFT
from rulekit.runtime.cache_folders import ENDING, Shelf, folder, shelf_name, trim_sometimes
from rulekit.runtime.program import FORMAT
from rulekit.runtime.variants import Text
from rulekit.runtime.wasm_format import Native

_MAGIC = b"rulekit cache 2\n"
PARTS = ("", "common", "compiler", "project", "runtime")  # packages that build a compiled game


@cache
def toolchain() -> str:
    """Return a digest of Python and the source files of rulekit, which build the files."""
    root = Path(__file__).resolve().parent.parent
    total = sha256(f"{FORMAT} {sys.version} {sys.implementation.cache_tag}".encode())
    for part in PARTS:
        for entry in sources(root / part, deep=bool(part)):
            stat = entry.stat()
            total.update(
                f"{entry.path[len(str(root)) :]} {stat.st_size} {stat.st_mtime_ns}\n".encode()
            )
    return total.hexdigest()


def sources(where: Path | str, deep: bool) -> Iterator[os.DirEntry[str]]:
    """Yield the source files of a folder in order of their names.

    With `deep`, include its subfolders.
    """
    with os.scandir(where) as entries:
        for entry in sorted(entries, key=lambda e: e.name):
            if entry.is_dir() and deep:
                yield from sources(entry.path, deep)
            elif entry.name.endswith((".py", ".lark")):
                yield entry


class _FilePickler(pickle.Pickler):
    """Pickles places by the numbers of their files."""

    def __init__(self, out: io.BytesIO, files: Sequence[str]) -> None:
        super().__init__(out, protocol=5)
        self._numbers = {file: number for number, file in enumerate(files)}

    def persistent_id(self, obj: Any) -> Any:
        """Return the stored form of a place, or of an object with places as text.

        None means the object itself.
        """
        kind = obj.__class__
        if kind is Span and obj.file in self._numbers:
            return self._numbers[obj.file], obj.line, obj.column, obj.end_line, obj.end_column
        if kind is Text or kind is Native:
            fields = {a.name: getattr(obj, a.name) for a in attrs.fields(kind) if a.init}
            return kind, fields | {"places": list(map(self._place, obj.places))}
        return None

    def _place(self, place: str) -> tuple[int, str] | str:
        file, sign, rest = place.rpartition(":")
        file, _, line = file.rpartition(":")
        return (self._numbers[file], f":{line}{sign}{rest}") if file in self._numbers else place


class _Reading(pickle.Unpickler):
    """Unpickles places with the present names of their files."""

    def __init__(self, body: bytes, files: Sequence[str]) -> None:
        super().__init__(io.BytesIO(body))
        self._files = files

    def persistent_load(self, pid: Any) -> Any:
        """Return the place, or the object with places as text."""
        if isinstance(pid[0], int):
            return Span(self._files[pid[0]], *pid[1:])
        kind, fields = pid
        return kind(
            **fields
            | {
                "places": [
                    x if isinstance(x, str) else self._files[x[0]] + x[1] for x in fields["places"]
                ]
            }
        )


class Cache:
    """The cached values of one game, by name.

    Args:
        digest: the digest of the game's files.
        files: the present names of these files, in the order of the digest.
        title: the name of the game in lists of the cache.
    """

    def __init__(self, digest: str, files: Sequence[str] = (), title: str = "") -> None:
        self._files = files
        self._shelf: Shelf | None = None
        if (base := folder()) is not None:
            self._shelf = Shelf(
                base / shelf_name(title, sha256(f"{digest} {toolchain()}".encode()).hexdigest())
            )

    def _path(self, name: str) -> Path | None:
        if self._shelf is None:
            return None
        head = "".join(c if c.isalnum() else "-" for c in name.partition(" ")[0][:20])
        return self._shelf.path / f"{head}-{sha256(name.encode()).hexdigest()[:16]}{ENDING}"

    def get(self, name: str) -> Any:
        """Return the value under a name, or None if there is no intact one."""
        path = self._path(name)
        if path is None or self._shelf is None or not self._shelf.hold():
            return None
        try:
            data = path.read_bytes()
        except OSError:
            return None
        start = len(_MAGIC) + 32
        if (
            not data.startswith(_MAGIC)
            or sha256(data[start:]).digest() != data[len(_MAGIC) : start]
        ):
            return None
        try:
            return _Reading(data[start:], self._files).load()
        except Exception:  # pickle can raise anything for a foreign file, which counts as missing
            return None

    def put(self, name: str, value: Any) -> None:
        """Store a value under a name, completely or not at all.

        The least recently used values make room.
        """
        path = self._path(name)
        if path is None or self._shelf is None:
            return
        try:
            out = io.BytesIO()
            _FilePickler(out, self._files).dump(value)
        except RecursionError:  # a value that is nested too deep is built again each time
            return
        body, spare = out.getvalue(), ""
        try:
            if not self._shelf.hold(make=True):
                return
            handle, spare = tempfile.mkstemp(dir=path.parent, prefix=DRAFT)
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + sha256(body).digest() + body)
            os.replace(spare, path)
        except OSError:
            if spare:
                Path(spare).unlink(missing_ok=True)
        else:
            trim_sometimes(self._shelf.path.parent, len(body))
