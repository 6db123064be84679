"""Takes compiled games, makes files in the user's cache folder, and reads them back; keyed by content, so nothing in it is ever stale.

Each file begins with the digest of the rest. A file that is damaged, foreign or old is as good as none. A folder that cannot be
written is no error. Like Python's own cache of byte code, the folder is trusted: it belongs to the user."""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from rulekit.program.program import FORMAT

_MAGIC = b"rulekit cache 1\n"
PARTS = ("", "base", "source", "syntax", "model", "meaning", "check", "compile", "program")  # whose files make a compiled game


def folder() -> Path | None:
    """Where compiled games are kept: RULEKIT_CACHE, else a folder in XDG_CACHE_HOME or ~/.cache. None: RULEKIT_CACHE is empty."""
    own = os.environ.get("RULEKIT_CACHE")
    if own is not None:
        return Path(own) if own else None
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "rulekit"
    except RuntimeError:
        return None


@cache
def toolchain() -> str:
    """What made the files besides the game: this version of rulekit, as its files stand, and of Python."""
    root = Path(__file__).resolve().parent.parent
    total = sha256(f"{FORMAT} {sys.version} {sys.implementation.cache_tag}".encode())
    for part in PARTS:
        for entry in sources(root / part, deep=bool(part)):
            stat = entry.stat()
            total.update(f"{entry.path[len(str(root)):]} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return total.hexdigest()


def sources(where: Path | str, deep: bool) -> Iterator[os.DirEntry[str]]:
    """The source files of a folder in order of their names; `deep`: and of those in it."""
    with os.scandir(where) as entries:
        for entry in sorted(entries, key=lambda e: e.name):
            if entry.is_dir() and deep:
                yield from sources(entry.path, deep)
            elif entry.name.endswith((".py", ".lark")):
                yield entry


class Cache:
    """What is kept of one game, by name."""

    def __init__(self, digest: str) -> None:
        self._folder = folder()
        self._key = f"{digest} {toolchain()}"

    def _path(self, name: str) -> Path | None:
        if self._folder is None:
            return None
        return self._folder / f"{sha256(f'{self._key} {name}'.encode()).hexdigest()[:40]}.bin"

    def get(self, name: str) -> Any:
        """What was kept under a name; None if there is nothing, or nothing whole."""
        path = self._path(name)
        try:
            data = path.read_bytes() if path else b""
        except OSError:
            return None
        start = len(_MAGIC) + 32
        if not data.startswith(_MAGIC) or sha256(data[start:]).digest() != data[len(_MAGIC):start]:
            return None
        try:
            return pickle.loads(data[start:])
        except Exception:  # whatever a foreign file makes pickle raise: it is as good as no file
            return None

    def put(self, name: str, value: Any) -> None:
        """Keeps a value under a name; written whole or not at all."""
        path = self._path(name)
        if path is None:
            return
        try:
            body = pickle.dumps(value, protocol=5)
        except RecursionError:  # what lies too deep in itself is made again
            return
        spare = ""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, spare = tempfile.mkstemp(dir=path.parent, prefix=".new-")
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + sha256(body).digest() + body)
            os.replace(spare, path)
        except OSError:
            if spare:
                Path(spare).unlink(missing_ok=True)
