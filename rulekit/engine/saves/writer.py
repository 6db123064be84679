"""Write the file of a running game line by line, or a whole save at once.

Written data is never lost. An existing file is continued or left alone. A line is on the disk
before the next choice is asked for, and an incomplete line is removed again. If writing fails, the
game goes on in memory (`Keeper.trouble`).

The operating system locks the file while a game is played in it, and the lock ends with its
process. FILE.lock next to it only says which process it is.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import define

from rulekit.common.errors import RulekitError, SaveError
from rulekit.common.files import locked, printable, read_plain, settle, write_whole
from rulekit.common.i18n.messages import _
from rulekit.common.i18n.reasons import error_text, reason
from rulekit.engine.saves.save_format import (
    LONGEST_LINE,
    MAX_SAVE_BYTES,
    Save,
    line,
    parse_save,
    read_save,
)

_FLAGS = (
    os.O_RDWR
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
)


class _Taken(SaveError):
    """Raised if a file of this name exists already."""


@define
class Keeper:
    """The file of a running game.

    Attributes:
        path: the path as the person named it.
        save: the game.
        handle: the file descriptor.
        file: the path with all links followed.
        lang: the language of `trouble` and `left`.
        first: the path that the person named, if the file has another number.
        locked: True if the file is locked.
        left: the process that had not closed the file, in words.
        trouble: the reason why the file lacks a part of the game, or ''.
        size: the number of bytes on the disk, in complete lines.
        done: the number of records on the disk, or -1 if even the header is missing.
        standing: the number of choices that stand after them.
    """

    path: str
    save: Save
    handle: int
    file: str
    lang: str
    first: str = ""
    locked: bool = False
    left: str = ""
    trouble: str = ""
    size: int = 0
    done: int = -1
    standing: int = 0

    def keep(self) -> None:
        """Write the records that the file lacks, to the disk.

        If this fails, the file stays as it was and `trouble` has the reason.
        """
        added = list(self.save.lines(max(self.done, 0), self.standing))
        head = line(self.save.header) if self.done < 0 else ""
        try:
            if head or added:
                self.append("".join([head, *(text for text, _ in added)]).encode())
        except (OSError, SaveError) as error:
            self.trouble = error_text(self.lang, error)
            return
        self.done, self.standing = len(self.save.records), added[-1][1] if added else self.standing
        self.trouble = ""

    def append(self, data: bytes) -> None:
        """Add lines. They are on the disk when the call returns.

        Raises:
            OSError, SaveError: the lines cannot be written. The file is unchanged then.
        """
        if not _can_be_read(data, self.size):
            raise _too_large()
        if not self.is_at(self.file) or os.fstat(self.handle).st_size < self.size:
            raise SaveError(_("the file of the game was moved, removed or cut"))
        left = data
        try:
            os.ftruncate(self.handle, self.size)  # remove the rest of an incomplete line
            os.lseek(self.handle, self.size, os.SEEK_SET)
            while left:
                left = left[os.write(self.handle, left) :]
            os.fsync(self.handle)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self.handle, self.size)
            raise
        self.size += len(data)

    def close(self) -> None:
        """Release the file, so that others can continue it."""
        if self.handle >= 0:
            if self.locked:
                with contextlib.suppress(OSError):
                    os.unlink(_note(self.file))
            os.close(self.handle)
            self.handle = -1

    def is_at(self, path: str) -> bool:
        """Return True if the path leads to this file."""
        try:
            return os.path.samestat(os.stat(path), os.fstat(self.handle))
        except (OSError, ValueError):
            return False


# ------------------------------------------------------------------------------ opening and writing
def begin(path: str, save: Save, lang: str) -> Keeper:
    """Create a file with all of the game so far. An existing empty file is used as well.

    Raises:
        SaveError: the file exists already, or cannot be written. It is unchanged then.
    """
    with _in_words(path, lang):
        file = os.path.realpath(path)
        try:
            handle, new = os.open(file, _FLAGS | os.O_CREAT | os.O_EXCL, 0o666), True
        except FileExistsError:
            handle, new = _empty(file, path, lang), False
        keeper = Keeper(path, save, handle, file, lang)
        try:
            _lock(keeper)
            if os.fstat(handle).st_size:  # another process was first
                new = False
                raise _there(path, lang)
            keeper.keep()
            if keeper.trouble:
                raise SaveError(
                    _("{where}: {why}", where=printable(path), why=keeper.trouble).text(lang)
                )
            settle(Path(file).parent)
        except BaseException:
            if new and keeper.locked:
                os.unlink(file)
            keeper.close()
            raise
    return keeper


def proceed(path: str, lang: str) -> Keeper:
    """Open and lock the file of a game that continues in it, with the save as read.

    An incomplete last line does not count and is overwritten later.

    Raises:
        SaveError: another process has the file, or it is no save. It is unchanged then.
    """
    with _in_words(path, lang):
        file = os.path.realpath(path)
        keeper = Keeper(path, Save({}), _opened(file, path, lang), file, lang)
        try:
            _lock(keeper)
            data = read_plain(Path(file), MAX_SAVE_BYTES)
            keeper.save = save = parse_save(data, path)
            keeper.size, keeper.done = save.end, data.count(b"\n", 0, save.end) - 1
            keeper.standing = len(Save({}, save.records[: max(keeper.done, 0)]).choices)
        except BaseException:
            keeper.close()
            raise
    return keeper


def beside(path: str, save: Save, lang: str) -> Keeper:
    """Create a file with all of the game so far, under the next free number.

    After `a.save`, it is `a-2.save`.
    """
    stem, ending = os.path.splitext(path)
    for number in range(2, 1000):
        with contextlib.suppress(_Taken):
            keeper = begin(f"{stem}-{number}{ending}", save, lang)
            keeper.first = path
            return keeper
    raise SaveError(
        _(
            "{file} already exists; continue its game with `--load {file} --save"
            " {file}`, or name another file",
            file=printable(path),
        ).text(lang)
    )


def put(path: str, save: Save, lang: str) -> None:
    """Write a whole save, at once or not at all. If it is too long, undone choices are left out.

    An existing file is replaced only if it is empty or an earlier part of this game, so that
    nothing is lost.

    Raises:
        SaveError: the file holds something else, or cannot be written. It is unchanged then.
    """
    with _in_words(path, lang):
        save = next(
            (each for each in (save, save.standing()) if _can_be_read(each.text().encode())), save
        )
        if not _can_be_read(save.text().encode()):
            raise SaveError(
                _("{where}: {why}", where=printable(path), why=reason(_too_large())).text(lang)
            )
        file = os.path.realpath(path)
        try:
            handle, new = os.open(file, _FLAGS | os.O_CREAT | os.O_EXCL, 0o666), True
        except FileExistsError:
            handle, new = _opened(file, path, lang), False
        try:
            _claim(handle, file, path, lang)
            if not new and not _goes_on(save, file):
                raise SaveError(
                    _(
                        "{file} already exists, and it is not an earlier part of this game; name"
                        " another file",
                        file=printable(path),
                    ).text(lang)
                )
            write_whole(Path(file), save.text().encode())
        except BaseException:
            if new:
                os.unlink(file)
            raise
        finally:
            os.close(handle)


def _can_be_read(data: bytes, before: int = 0) -> bool:
    """Return True if a file with these lines, after `before` bytes, can be read again."""
    return before + len(data) <= MAX_SAVE_BYTES and all(
        len(each) <= LONGEST_LINE for each in data.split(b"\n")
    )


def _too_large() -> SaveError:
    return SaveError(_("a saved game is not longer than {n} kB", n=str(MAX_SAVE_BYTES // 1000)))


def _goes_on(save: Save, file: str) -> bool:
    """Return True if a file is empty or holds a save, or an earlier part of it."""
    if not os.stat(file).st_size:
        return True
    try:
        there = read_save(file)
    except SaveError:
        return False
    begun = [text for text, _ in there.lines()]
    return save.same_game(there) and begun == [text for text, _ in save.lines()][: len(begun)]


@contextmanager
def _in_words(path: str, lang: str) -> Iterator[None]:
    """Turn errors of the operating system about a file into a SaveError of one line."""
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a zero byte in a name
        raise SaveError(
            _("{where}: {why}", where=printable(path), why=reason(error)).text(lang)
        ) from None


def _there(path: str, lang: str) -> SaveError:
    return _Taken(
        _(
            "{file} already exists; continue its game with `--load {file} --save"
            " {file}`, or name another file",
            file=printable(path),
        ).text(lang)
    )


def _empty(file: str, path: str, lang: str) -> int:
    """Open an existing file if it is empty.

    It is empty if a game was begun in it and stopped before its first line, or if somebody created
    it.
    """
    found = os.stat(file)
    if found.st_size or not stat.S_ISREG(found.st_mode):
        raise _there(path, lang)
    return os.open(file, _FLAGS)


def _opened(file: str, path: str, lang: str) -> int:
    if not stat.S_ISREG(os.stat(file).st_mode):  # first, as opening a device can have effects
        raise SaveError(
            _(
                "{file} is a device, a pipe or a socket, not a plain file",
                file=printable(path),
            ).text(lang)
        )
    return os.open(file, _FLAGS)


# -------------------------------------------------------------------------------------------- locks
def _lock(keeper: Keeper) -> None:
    """Lock the file of a keeper and write the note next to it.

    `left` describes the process that did not close the file, which is not running any more.
    """
    _claim(keeper.handle, keeper.file, keeper.path, keeper.lang)
    keeper.locked = True
    keeper.left = _who(keeper.file, keeper.lang) if os.path.lexists(_note(keeper.file)) else ""
    note = {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "since": time.strftime("%Y-%m-%d %H:%M:%S"),
    }
    with contextlib.suppress(OSError, RulekitError):
        write_whole(Path(_note(keeper.file)), json.dumps(note).encode())


def _claim(handle: int, file: str, path: str, lang: str) -> None:
    """Lock an open file.

    Raises:
        SaveError: another process has it, or has replaced it meanwhile.
    """
    free = locked(handle)
    if not free or not os.path.samestat(os.stat(file), os.fstat(handle)):
        raise SaveError(
            _(
                "{file}: a game is being saved in this file by {who}",
                file=printable(path),
                who=_who(file, lang),
            ).text(lang)
        )


def _note(file: str) -> str:
    return f"{file}.lock"


def _who(file: str, lang: str) -> str:
    """Return a text for the process that has a file, or had it last, from the note next to it."""
    try:
        note = json.loads(read_plain(Path(_note(file)), 1000))
        pid, host, since = (printable(str(note[key]))[:80] for key in ("pid", "host", "since"))
    except (RulekitError, ValueError, KeyError, TypeError, RecursionError):
        return _("another process").text(lang)
    return _("process {pid} on {host}, since {since}", pid=pid, host=host, since=since).text(lang)
