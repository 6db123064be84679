"""Takes a path, makes the bytes of a plain file that is not too long and lies where it should; and
writes one whole or not at all.

What somebody else may have made is read here: every file of a game. Nothing else is opened: no
pipe, which would be waited for, no device, which has no end, no link that leads to what is not part
of the game."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path
from typing import Literal

from rulekit.common.errors import RulekitError

Why = Literal["missing", "outside", "special", "folder", "large", "unreadable", "link", "many"]
_CAREFUL = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
_CHUNK = 1 << 20


class FileRefused(RulekitError):
    """A file that is not read or not written. `why`: of which sort the reason is; `reason`: the
    same in words, without the path; `cause`: what the system said."""

    def __init__(self, path: Path, why: Why, reason: str, cause: Exception | None = None) -> None:
        self.why, self.reason = why, reason
        file = printable(str(path))
        self.key, self.params = (
            f"file.{why}",
            {
                "file": file,
                "n": reason.rpartition(" than ")[2],
                "reason": cause or "",
            },
        )
        super().__init__(f"{file}: {reason}")


def printable(name: str) -> str:
    """A name of a file as it may be shown: what would steer a terminal, or is no character, is
    written as its code."""
    return (
        name
        if name.isprintable()
        else "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in name)
    )


def read_plain(path: Path, most: int, within: Path | None = None) -> bytes:
    """What a file holds, `most` bytes at most. `within`: the folder in which it must lie, all links
    followed. FileRefused if it is no plain file, lies elsewhere, is longer or cannot be read."""
    try:
        real = _real(path, within)
        _ask_plain(
            path, os.lstat(real)
        )  # before it is opened: to open a device may already do something
        handle = os.open(real, _CAREFUL)
        try:
            status = os.fstat(handle)
            _ask_plain(path, status)
            return _bounded(path, handle, status.st_size, most)
        finally:
            os.close(handle)
    except FileNotFoundError:
        raise FileRefused(path, "missing", "there is no such file") from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in a name
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise FileRefused(
            path, "unreadable", f"the file cannot be read: {reason.lower()}", error
        ) from None


def _real(path: Path, within: Path | None) -> str:
    real = os.path.realpath(path)
    if within is not None and not Path(real).is_relative_to(os.path.realpath(within)):
        raise FileRefused(path, "outside", "the file is a link that leads out of the folder")
    return real


def _ask_plain(path: Path, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise FileRefused(path, "folder", "the file cannot be read: it is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise FileRefused(path, "special", "this is no plain file but a device, a pipe or a socket")


def _bounded(path: Path, handle: int, size: int, most: int) -> bytes:
    """All that there is, piece by piece: the size that is told need not be true."""
    chunks: list[bytes] = []
    left = most + 1 if size <= most else 0
    while left > 0 and (chunk := os.read(handle, min(left, _CHUNK))):
        chunks.append(chunk)
        left -= len(chunk)
    if left <= 0:
        raise FileRefused(path, "large", f"the file is larger than {_amount(most)}")
    return b"".join(chunks)


def _amount(size: int) -> str:
    return f"{size // 1_000_000} MB" if size >= 1_000_000 else f"{size} bytes"


DRAFT = ".new-"  # how the name of a file begins that is still being written


def drop_drafts(folder: Path) -> None:
    """Removes what a process that was killed left half written in a folder. For who alone writes
    there."""
    for draft in folder.glob(f"{DRAFT}*"):
        with contextlib.suppress(OSError):
            draft.unlink()


def write_whole(path: Path, data: bytes) -> None:
    """Puts a file in the place of the one that is there, at once: whoever looks finds the old one
    or the new one, whole, also after a full disk or a crash. It keeps mode and owner. FileRefused
    for a link and for what is no plain file; OSError if it cannot be written."""
    try:
        before = os.lstat(path)
    except FileNotFoundError:
        before = None
    if before is not None and stat.S_ISLNK(before.st_mode):
        raise FileRefused(path, "link", "this is a link; it is not written through")
    if before is not None:
        _ask_plain(path, before)
    try:
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=DRAFT)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            _dress(stream.fileno(), before)
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise
    settle(path.parent)


def _dress(handle: int, before: os.stat_result | None) -> None:
    """Mode and owner of the file that was there; of a new one, the mode that any new file gets."""
    if before is None:
        mask = os.umask(0)
        os.umask(mask)
        os.fchmod(handle, 0o666 & ~mask)
        return
    with contextlib.suppress(
        OSError
    ):  # only the superuser may give a file away; then it is the writer's
        os.fchown(handle, before.st_uid, before.st_gid)
    os.fchmod(handle, stat.S_IMODE(before.st_mode))


def settle(folder: Path) -> None:
    """A new name in a folder is on the disk, too; where a folder cannot be synced, the system does
    it in its own time."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def locked(handle: int) -> bool:
    """Has this process the lock of an open file now? It goes with the process. Where there are no
    such locks, yes."""
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return True
    return True
