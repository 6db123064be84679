"""The folders of the cache, one shelf for each game: list them, hold them, and clear them.

A process holds the shelf of a game that it has loaded. It has a shared lock on the file `used`,
which the operating system releases with the process. The time of that file is the last use of the
shelf. A shelf is cleared as a whole, the least recently used one first, and never one that a
process holds. Without such locks in the system nothing is held. That is safe, because files are
read completely and missing ones are built again.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import time
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import define, frozen

from rulekit.common.files import DRAFT, locked, write_whole

DEFAULT_BYTES = 500_000_000  # the default limit of the cache
SIZE = "RULEKIT_CACHE_SIZE"  # the environment variable with the limit
LIMIT = "limit"  # the file in the cache with the limit
USED = "used"  # the file on a shelf with its lock and the time of its last use
ENDING, GONE = ".bin", ".gone-"
FORGOTTEN = 3600.0  # seconds after which an unfinished draft is cleared
PART = 8  # one of so many parts: the free space of one process, the space that clearing makes
TRIES = 5  # attempts to hold a shelf that is being cleared
_SIZE = re.compile(r"(\d{1,12}(?:\.\d{1,3})?)\s*([kmgt]?)i?b?", re.IGNORECASE)
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def folder() -> Path | None:
    """Return the folder of the cache: RULEKIT_CACHE, else a folder in XDG_CACHE_HOME or ~/.cache.

    None means that RULEKIT_CACHE is empty, so that nothing is cached.
    """
    own = os.environ.get("RULEKIT_CACHE")
    if own is not None:
        return Path(own) if own else None
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "rulekit"
    except RuntimeError:
        return None


def bytes_of(text: str) -> int | None:
    """Return a size in bytes from text: 300 MB, 2GB or 1000000. Any other text gives None."""
    found = _SIZE.fullmatch(text.strip())
    return int(float(found[1]) * _UNITS[found[2].lower()]) if found else None


def limit(base: Path) -> int:
    """Return the limit of a cache in bytes.

    It comes from RULEKIT_CACHE_SIZE, else from `set_limit`, else it is the default.
    """
    found = bytes_of(os.environ.get(SIZE, ""))
    if found is None:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            found = bytes_of((base / LIMIT).read_text(encoding="ascii")[:40])
    return DEFAULT_BYTES if found is None else found


def set_limit(base: Path, most: int) -> None:
    """Set the limit of a cache in bytes.

    Raises:
        OSError: it cannot be written.
    """
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(base / LIMIT, f"{most}\n".encode())


def shelf_name(title: str, key: str) -> str:
    """Return the folder name of a game's shelf."""
    plain = re.sub(r"[^A-Za-z0-9_.]", "_", title)[:60].lstrip(".") or "game"
    return f"{plain}-{key[:24]}"


def is_own(path: Path) -> bool:
    """Return True if nobody else can write to a folder, because its content is run as code.

    If the folder is ours but open to others, it is closed to them. A folder of another user is not
    used, except those of the system's own user.
    """
    if os.name != "posix":
        return True
    try:
        status = path.stat()
        if status.st_uid not in (os.geteuid(), 0):
            return False
        if status.st_mode & 0o022:
            if status.st_mode & 0o1000:  # shared by all users, such as /tmp
                return False
            path.chmod(status.st_mode & 0o755)
    except OSError:
        return False
    return True


def _make(shelf: Path) -> None:
    """Create the folders of a shelf and of the cache, closed to other users."""
    shelf.parent.parent.mkdir(parents=True, exist_ok=True)
    for each in (shelf.parent, shelf):
        each.mkdir(mode=0o700, exist_ok=True)


# ------------------------------------------------------------------------------------------ holding
class Shelf:
    """The shelf of a game, as one process uses it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._held = False

    def hold(self, make: bool = False) -> bool:
        """Hold the shelf as long as this object is in use, so that nobody clears it.

        Args:
            make: create the shelf if necessary.

        Returns:
            False if there is no shelf that can be used.

        Raises:
            OSError: the shelf cannot be created.
        """
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
                    return True  # a shelf that we may only read
                handle = -1
            if handle >= 0:
                _share(handle)
                if self._is_there(handle):
                    self._keep(handle)
                    return True
                os.close(handle)
            if not make:  # another process has cleared it
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
    """Take a shared lock, as soon as nobody clears the shelf."""
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_SH)
    except (ImportError, OSError):
        return


# ----------------------------------------------------------------------------- listing and clearing
@frozen
class CacheItem:
    """A shelf, or a single file, of the cache.

    Attributes:
        used: the time of its last use, in seconds since 1970.
        files: the number of its cache files.
        held: True if a process holds it.
    """

    path: Path
    game: str
    size: int
    used: float
    files: int = 1
    held: bool = False


def listed(base: Path, ask: bool = False) -> list[CacheItem]:
    """Return the content of a cache, newest first. Foreign files in its folder are left out.

    Args:
        ask: find out whether each shelf is held.
    """
    found: list[CacheItem] = []
    with contextlib.suppress(OSError), os.scandir(base) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                found += _listed(entry, ask)
    return sorted(found, key=lambda each: (-each.used, each.path.name))


def _listed(entry: os.DirEntry[str], ask: bool) -> Iterator[CacheItem]:
    path, (head, _, key) = Path(entry.path), entry.name.rpartition("-")
    if entry.is_dir(follow_symlinks=False):
        if head and re.fullmatch(r"[0-9a-f]{24}", key):
            with os.scandir(entry) as files:
                sizes = {file.name: file.stat(follow_symlinks=False).st_size for file in files}
            at = path / USED
            used = os.stat(at if USED in sizes else path).st_mtime
            yield CacheItem(
                path,
                head,
                sum(sizes.values()),
                used,
                sum(name.endswith(ENDING) for name in sizes),
                ask and _is_held(path),
            )
        elif entry.name.startswith(GONE):  # the process that cleared it was stopped
            yield CacheItem(path, "", sum(file.stat().st_size for file in path.iterdir()), 0.0)
    elif entry.is_file(follow_symlinks=False):
        status = entry.stat(follow_symlinks=False)
        if re.fullmatch(rf"[0-9a-f]{{40}}{re.escape(ENDING)}", entry.name):
            # the form of the cache before it had shelves
            yield CacheItem(path, "", status.st_size, status.st_mtime)
        elif entry.name.startswith("grammar-"):
            yield CacheItem(path, "grammar", status.st_size, max(status.st_mtime, status.st_atime))
        elif entry.name.startswith(DRAFT) and time.time() - status.st_mtime > FORGOTTEN:
            yield CacheItem(path, "", status.st_size, 0.0)


def _is_held(shelf: Path) -> bool:
    handle = _claimed(shelf)
    if handle is not None:
        os.close(handle)
    return handle is None


def _claimed(shelf: Path) -> int | None:
    """Return an exclusive lock of a shelf, or None if a process holds it or it is gone."""
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


def clear(found: CacheItem) -> bool:
    """Remove a shelf or a file at once.

    Return False if a process holds it, or it cannot be removed.
    """
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
        path.rename(away)  # another process now finds no shelf and creates a new one
    except OSError:
        return False
    finally:
        os.close(handle)
    shutil.rmtree(away, ignore_errors=True)
    return True


@define
class Cleared:
    """The result of clearing.

    Attributes:
        gone: the number of shelves and files removed.
        size: their size in bytes.
        held: the number that stayed, because a process holds them.
    """

    gone: int = 0
    size: int = 0
    held: int = 0

    def add(self, found: CacheItem) -> bool:
        """Clear one shelf or file."""
        went = clear(found)
        self.gone += went
        self.size += found.size * went
        self.held += not went
        return went


def trim(base: Path, most: int | None = None) -> Cleared:
    """Clear the least recently used shelves until a cache is within its limit, or within `most`."""
    return _clear_oldest(listed(base), limit(base) if most is None else most)


def _clear_oldest(found: Sequence[CacheItem], most: int) -> Cleared:
    """Clear the last ones of a list until the rest has at most this size."""
    total, out = sum(each.size for each in found), Cleared()
    for each in reversed(found):
        if total <= most:
            break
        total -= each.size * out.add(each)
    return out


# Of each cache: its limit, and the bytes that this process writes before it lists the cache again.
_allowed: dict[Path, tuple[int, int]] = {}


def trim_sometimes(base: Path, written: int) -> None:
    """Take note of written bytes, and keep the cache within its limit.

    A large cache takes longer to list than a file to write. So a process lists it again only after
    it has written its part of the free space. The part leaves room for other processes. A cache
    above its limit is cleared a little below it, so that there is free space again.
    """
    most = limit(base)
    known, left = _allowed.get(base, (most, 0))
    if known == most and written <= left:
        _allowed[base] = most, left - written
        return
    found, spare = listed(base), most // PART
    total = sum(each.size for each in found)
    if total > most:
        total -= _clear_oldest(found, most - spare).size
    _allowed[base] = most, max(most - total, spare) // PART
