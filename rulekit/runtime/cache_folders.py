"""The folders of the cache, a shelf for each game: which there are, who uses them, and which go
when there are too many bytes.

A process holds the shelf of a game that it has loaded: a shared lock on its file `used`, which the
system lets go with the process. The time of that file is when the shelf was used last. A shelf goes
as a whole, the one that was used longest ago first, and never one that a process holds. Where the
system has no such locks nothing is held: files are read whole, and what is gone is made again.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

from attrs import define, frozen

from rulekit.common.files import DRAFT, locked, write_whole

DEFAULT_BYTES = 500_000_000  # that the cache may take
SIZE = "RULEKIT_CACHE_SIZE"  # in the environment: so many bytes
LIMIT = "limit"  # a file in the cache that says so
USED = "used"  # a file on a shelf: its lock, and when it was used
ENDING, GONE = ".bin", ".gone-"
FORGOTTEN = 3600.0  # seconds after which a draft that nobody finished goes
TRIES = 5  # to hold a shelf that is being cleared
_SIZE = re.compile(r"(\d{1,12}(?:\.\d{1,3})?)\s*([kmgt]?)i?b?", re.IGNORECASE)
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def folder() -> Path | None:
    """Where compiled games are kept: RULEKIT_CACHE, else a folder in XDG_CACHE_HOME or ~/.cache.
    None: RULEKIT_CACHE is empty."""
    own = os.environ.get("RULEKIT_CACHE")
    if own is not None:
        return Path(own) if own else None
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "rulekit"
    except RuntimeError:
        return None


def bytes_of(text: str) -> int | None:
    """A size as people write it: 300 MB, 2GB, 1000000. None: it is none."""
    found = _SIZE.fullmatch(text.strip())
    return int(float(found[1]) * _UNITS[found[2].lower()]) if found else None


def limit(base: Path) -> int:
    """How many bytes a cache may take: RULEKIT_CACHE_SIZE, else what `set_limit` wrote, else
    `DEFAULT_BYTES`."""
    found = bytes_of(os.environ.get(SIZE, ""))
    if found is None:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            found = bytes_of((base / LIMIT).read_text(encoding="ascii")[:40])
    return DEFAULT_BYTES if found is None else found


def set_limit(base: Path, most: int) -> None:
    """From now on a cache takes so many bytes at most. OSError if it cannot be written."""
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(base / LIMIT, f"{most}\n".encode())


def shelf_name(title: str, key: str) -> str:
    """What the shelf of a game is called."""
    plain = re.sub(r"[^A-Za-z0-9_.]", "_", title)[:60].lstrip(".") or "game"
    return f"{plain}-{key[:24]}"


def is_own(path: Path) -> bool:
    """May nobody else write to a folder? What lies there is run as code. One of ours that others
    could write to is closed to them; one of somebody else's is not used, but of the system's own
    user."""
    if os.name != "posix":
        return True
    try:
        status = path.stat()
        if status.st_uid not in (os.geteuid(), 0):
            return False
        if status.st_mode & 0o022:
            if status.st_mode & 0o1000:  # one that all share, such as /tmp
                return False
            path.chmod(status.st_mode & 0o755)
    except OSError:
        return False
    return True


def _make(shelf: Path) -> None:
    """The folder of a shelf, and of the cache: for nobody else."""
    shelf.parent.parent.mkdir(parents=True, exist_ok=True)
    for each in (shelf.parent, shelf):
        each.mkdir(mode=0o700, exist_ok=True)


# -------------------------------------------------------------------- holding
class Shelf:
    """The shelf of a game as one process uses it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._held = False

    def hold(self, make: bool = False) -> bool:
        """Holds the shelf for as long as this is in use, so that nobody clears it. False: there is
        none. `make`: then it is made. OSError if it cannot be."""
        if self._held:
            return True
        if make:
            _make(self.path)
        elif not self.path.is_dir():
            return False
        if not (is_own(self.path.parent) and is_own(self.path)):
            return False
        for _ in range(TRIES):
            try:
                handle = os.open(
                    self.path / USED, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600
                )
            except OSError:
                if self.path.is_dir():
                    return True  # one that may be read only
                handle = -1
            if handle >= 0:
                _share(handle)
                if self._is_there(handle):
                    self._keep(handle)
                    return True
                os.close(handle)
            if not make:  # it was cleared meanwhile
                return False
            _make(self.path)
        return False

    def _keep(self, handle: int) -> None:
        self._held = True
        weakref.finalize(self, os.close, handle)
        with contextlib.suppress(OSError):
            os.utime(self.path / USED)

    def _is_there(self, handle: int) -> bool:
        try:
            return os.path.samestat(os.stat(self.path / USED), os.fstat(handle))
        except OSError:
            return False


def _share(handle: int) -> None:
    """Takes a shared lock, as soon as nobody clears the shelf."""
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_SH)
    except (ImportError, OSError):
        return


# -------------------------------------------------------------------- looking and clearing
@frozen
class Listed:
    """A shelf, or a single file of the cache. `used`: seconds since 1970 when it was used last;
    `held`: does a process hold it?"""

    path: Path
    game: str
    size: int
    used: float
    files: int = 1
    held: bool = False


def listed(base: Path, ask: bool = False) -> list[Listed]:
    """What lies in a cache, the newest first; nothing else in its folder. `ask`: with whether it is
    held."""
    found: list[Listed] = []
    with contextlib.suppress(OSError), os.scandir(base) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                found += _listed(entry, ask)
    return sorted(found, key=lambda each: (-each.used, each.path.name))


def _listed(entry: os.DirEntry[str], ask: bool) -> Iterator[Listed]:
    path, (head, _, key) = Path(entry.path), entry.name.rpartition("-")
    if entry.is_dir(follow_symlinks=False):
        if head and re.fullmatch(r"[0-9a-f]{24}", key):
            with os.scandir(entry) as files:
                sizes = {file.name: file.stat(follow_symlinks=False).st_size for file in files}
            at = path / USED
            used = os.stat(at if USED in sizes else path).st_mtime
            yield Listed(
                path,
                head,
                sum(sizes.values()),
                used,
                sum(name.endswith(ENDING) for name in sizes),
                ask and _is_held(path),
            )
        elif entry.name.startswith(GONE):  # whoever cleared it was stopped
            yield Listed(path, "", sum(file.stat().st_size for file in path.iterdir()), 0.0)
    elif entry.is_file(follow_symlinks=False):
        status = entry.stat(follow_symlinks=False)
        if re.fullmatch(
            rf"[0-9a-f]{{40}}{re.escape(ENDING)}", entry.name
        ):  # as rulekit kept them before it had shelves
            yield Listed(path, "", status.st_size, status.st_mtime)
        elif entry.name.startswith("grammar-"):
            yield Listed(path, "grammar", status.st_size, max(status.st_mtime, status.st_atime))
        elif entry.name.startswith(DRAFT) and time.time() - status.st_mtime > FORGOTTEN:
            yield Listed(path, "", status.st_size, 0.0)


def _is_held(shelf: Path) -> bool:
    handle = _claimed(shelf)
    if handle is not None:
        os.close(handle)
    return handle is None


def _claimed(shelf: Path) -> int | None:
    """The lock of a shelf, for this process alone; None: somebody holds it, or it is gone."""
    try:
        handle = os.open(shelf / USED, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError:
        return None
    try:
        if locked(handle) and os.path.samestat(os.stat(shelf / USED), os.fstat(handle)):
            return handle
    except OSError:
        pass
    os.close(handle)
    return None


def clear(found: Listed) -> bool:
    """Removes a shelf or a file, at once; False: a process holds it, or it cannot be removed."""
    path = found.path
    try:
        if not path.is_dir():
            path.unlink()
            return True
        if path.name.startswith(GONE):
            shutil.rmtree(path)
            return True
    except OSError:
        return False
    handle = _claimed(path)
    if handle is None:
        return False
    away = path.with_name(f"{GONE}{secrets.token_hex(8)}")
    try:
        path.rename(away)  # whoever comes now finds none, and makes it anew
    except OSError:
        return False
    finally:
        os.close(handle)
    shutil.rmtree(away, ignore_errors=True)
    return True


@define
class Cleared:
    """How many shelves and files went, of how many bytes; and how many stayed, because a process
    holds them."""

    gone: int = 0
    size: int = 0
    held: int = 0

    def add(self, found: Listed) -> bool:
        """Clears one."""
        went = clear(found)
        self.gone += went
        self.size += found.size * went
        self.held += not went
        return went


def trim(base: Path, most: int | None = None) -> Cleared:
    """Clears what was used longest ago, until a cache takes no more bytes than it may (`most`)."""
    most, found, out = limit(base) if most is None else most, listed(base), Cleared()
    total = sum(each.size for each in found)
    for each in reversed(found):
        if total <= most:
            break
        total -= each.size * out.add(each)
    return out
