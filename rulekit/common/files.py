"""Safe reading and writing of files: bounded reads of plain files within a folder, and atomic
replacement.

Every file of a game may come from a stranger and is read here. Nothing but plain files is opened: a
pipe would block, a device has no end, and a link may lead out of the game.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path
from typing import Literal

from rulekit.common.errors import RulekitError
from rulekit.common.i18n import reasons
from rulekit.common.i18n.messages import Message, _

_MEGABYTE = 1_000_000
Why = Literal["missing", "outside", "special", "folder", "large", "unreadable", "link", "many"]
_CAREFUL = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
_CHUNK = 1 << 20


class FileRefused(RulekitError):
    """A file that is not read or not written.

    Attributes:
        why: the kind of the reason.
        reason: the reason in English words, without the path.
    """

    def __init__(self, path: Path, why: Why, reason: Message) -> None:
        self.why, self.reason = why, str(reason)
        super().__init__(_("{where}: {why}", where=printable(str(path)), why=reason))


def printable(name: str) -> str:
    """Return a file name for display, with control and invalid characters as escapes."""
    return (
        name
        if name.isprintable()
        else "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in name)
    )


def read_plain(path: Path, most: int, within: Path | None = None) -> bytes:
    """Return the contents of a plain file of at most `most` bytes.

    Raise `FileRefused` if it is not a plain file, lies outside of the folder `within` after all
    links are followed, is too long or cannot be read.
    """
    try:
        real = _real(path, within)
        _ask_plain(
            path, os.lstat(real)
        )  # checked before opening, because opening a device may have effects
        handle = os.open(real, _CAREFUL)
        try:
            status = os.fstat(handle)
            _ask_plain(path, status)
            return _bounded(path, handle, status.st_size, most)
        finally:
            os.close(handle)
    except FileNotFoundError:
        raise FileRefused(path, "missing", _("there is no such file")) from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in a name
        message = _("the file cannot be read: {reason}", reason=reasons.reason(error))
        raise FileRefused(path, "unreadable", message) from None


def _real(path: Path, within: Path | None) -> str:
    real = os.path.realpath(path)
    if within is not None and not Path(real).is_relative_to(os.path.realpath(within)):
        raise FileRefused(path, "outside", _("the file is a link that leads out of the folder"))
    return real


def _ask_plain(path: Path, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise FileRefused(path, "folder", _("the file cannot be read: it is a folder"))
    if not stat.S_ISREG(status.st_mode):
        raise FileRefused(
            path, "special", _("this is not a plain file but a device, a pipe or a socket")
        )


def _bounded(path: Path, handle: int, size: int, most: int) -> bytes:
    """Read to the end in pieces, because the size that the system reports need not be true."""
    chunks: list[bytes] = []
    left = most + 1 if size <= most else 0
    while left > 0 and (chunk := os.read(handle, min(left, _CHUNK))):
        chunks.append(chunk)
        left -= len(chunk)
    if left <= 0:
        raise FileRefused(path, "large", _("the file is larger than {n}", n=_amount(most)))
    return b"".join(chunks)


def _amount(size: int) -> Message:
    return _("{n} MB", n=size // _MEGABYTE) if size >= _MEGABYTE else _("{n} bytes", n=size)


DRAFT = ".new-"  # prefix of the name of an unfinished file


def drop_drafts(folder: Path) -> None:
    """Remove the partial files that a killed process left in a folder. Only the sole writer of a
    folder may call this.
    """
    for draft in folder.glob(f"{DRAFT}*"):
        with contextlib.suppress(OSError):
            draft.unlink()


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file atomically. A reader finds the old or the new file, complete, even after a
    full disk or a crash.

    Mode and owner are preserved. Raise `FileRefused` for a link or anything but a plain file, and
    `OSError` if writing fails.
    """
    try:
        before = os.lstat(path)
    except FileNotFoundError:
        before = None
    if before is not None and stat.S_ISLNK(before.st_mode):
        raise FileRefused(
            path, "link", _("this is a link, and rulekit does not write through links")
        )
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
    """Give a draft the mode and owner of the old file, or the usual mode of a new file."""
    if before is None:
        mask = os.umask(0)
        os.umask(mask)
        os.fchmod(handle, 0o666 & ~mask)
        return
    with contextlib.suppress(
        OSError
    ):  # only the superuser may change the owner, otherwise it is the writer
        os.fchown(handle, before.st_uid, before.st_gid)
    os.fchmod(handle, stat.S_IMODE(before.st_mode))


def settle(folder: Path) -> None:
    """Sync a folder, so that a new name in it is on the disk. Systems that cannot do so sync in
    their own time.
    """
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def locked(handle: int) -> bool:
    """Lock an open file and return True if this process now holds the lock, which ends with the
    process. Return True where there are no such locks.
    """
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return True
    return True
