"""Takes a save and a path, makes the file of a game under way: begun or continued, locked, written
line by line; or a whole save.

What was written once is not lost again: a file that is there is continued or left alone, a line is
on the disk before the next choice is asked for, and a line that could not be written whole is taken
off again. Where that fails the game goes on in memory (`Keeper.trouble`).

A file is locked while a game is played in it, by the system: the lock goes with its process.
FILE.lock beside it only says whose it is."""

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
from rulekit.common.i18n.catalog import fault, filled, said
from rulekit.engine.saves.save_format import LONGEST_LINE, MOST, Save, line, parse_save, read_save

_FLAGS = (
    os.O_RDWR
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
)


class _Taken(SaveError):
    """A file of this name is there already."""


@define
class Keeper:
    """The file of a game under way. `trouble`: why it has not got all of the game, in words; '' if
    it has. `left`: who had not closed it."""

    path: str  # as the person named it
    save: Save
    handle: int
    file: str  # the same with all links followed
    lang: str  # in which `trouble` and `left` are said
    first: str = ""  # of files beside each other, the one that the person named
    locked: bool = False
    left: str = ""
    trouble: str = ""
    size: int = 0  # bytes that are on the disk, in whole lines
    done: int = -1  # records that are; -1: not even the header is
    standing: int = 0  # choices that stand after these

    def keep(self) -> None:
        """Writes what the file has not got yet, and has it on the disk; all of it, or the file
        stays as it was and `trouble` says why."""
        added = list(self.save.lines(max(self.done, 0), self.standing))
        head = line(self.save.header) if self.done < 0 else ""
        try:
            if head or added:
                self.append("".join([head, *(text for text, _ in added)]).encode())
        except (OSError, SaveError) as error:
            self.trouble = said(self.lang, error)
            return
        self.done, self.standing = len(self.save.records), added[-1][1] if added else self.standing
        self.trouble = ""

    def append(self, data: bytes) -> None:
        """Adds lines, on the disk when it returns; OSError or SaveError if it cannot be, and then
        nothing is added."""
        if not _can_be_read(data, self.size):
            raise _too_large()
        if not self.is_at(self.file) or os.fstat(self.handle).st_size < self.size:
            raise fault(SaveError, "save.gone")
        left = data
        try:
            os.ftruncate(
                self.handle, self.size
            )  # what is there more is the rest of a line that was not whole
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
        """Lets the file go: whoever wants it may continue it."""
        if self.handle >= 0:
            if self.locked:
                with contextlib.suppress(OSError):
                    os.unlink(_note(self.file))
            os.close(self.handle)
            self.handle = -1

    def is_at(self, path: str) -> bool:
        """Is this the file that a path means?"""
        try:
            return os.path.samestat(os.stat(path), os.fstat(self.handle))
        except (OSError, ValueError):
            return False


# -------------------------------------------------------------------- doors
def begin(path: str, save: Save, lang: str) -> Keeper:
    """A new file with all of a game so far; one that is there and empty is as good. SaveError if
    there is one already or if it cannot be written: then it is as it was."""
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
                raise SaveError(filled(lang, "told_at", where=printable(path), why=keeper.trouble))
            settle(Path(file).parent)
        except BaseException:
            if new and keeper.locked:
                os.unlink(file)
            keeper.close()
            raise
    return keeper


def proceed(path: str, lang: str) -> Keeper:
    """The file of a game that goes on in it, locked, with the save as read; a last line that was
    cut is cut off. SaveError if another process has it, or if it is no save: then it is left as it
    was."""
    with _in_words(path, lang):
        file = os.path.realpath(path)
        keeper = Keeper(path, Save({}), _opened(file, path, lang), file, lang)
        try:
            _lock(keeper)
            data = read_plain(Path(file), MOST)
            keeper.save = save = parse_save(data, path)
            keeper.size, keeper.done = save.end, data.count(b"\n", 0, save.end) - 1
            keeper.standing = len(Save({}, save.records[: max(keeper.done, 0)]).choices)
        except BaseException:
            keeper.close()
            raise
    return keeper


def beside(path: str, save: Save, lang: str) -> Keeper:
    """A new file with all of a game so far, with the name of another and the first number from 2 on
    that is free: `a.save`, `a-2.save`."""
    stem, ending = os.path.splitext(path)
    for number in range(2, 1000):
        with contextlib.suppress(_Taken):
            keeper = begin(f"{stem}-{number}{ending}", save, lang)
            keeper.first = path
            return keeper
    raise SaveError(filled(lang, "save_is_there", file=printable(path)))


def put(path: str, save: Save, lang: str) -> None:
    """Writes a whole save, at once or not at all; one that is too long without what was taken back.
    In the place of a file only if nothing of that is lost: if it is an earlier part of this game.
    SaveError if it is anything else, or cannot be written: then it is left as it was."""
    with _in_words(path, lang):
        save = next(
            (each for each in (save, save.standing()) if _can_be_read(each.text().encode())), save
        )
        if not _can_be_read(save.text().encode()):
            raise SaveError(
                filled(lang, "told_at", where=printable(path), why=said(lang, _too_large()))
            )
        file = os.path.realpath(path)
        try:
            handle, new = os.open(file, _FLAGS | os.O_CREAT | os.O_EXCL, 0o666), True
        except FileExistsError:
            handle, new = _opened(file, path, lang), False
        try:
            _claim(handle, file, path, lang)
            if not new and not _goes_on(save, file):
                raise SaveError(filled(lang, "save_is_another", file=printable(path)))
            write_whole(Path(file), save.text().encode())
        except BaseException:
            if new:
                os.unlink(file)
            raise
        finally:
            os.close(handle)


def _can_be_read(data: bytes, before: int = 0) -> bool:
    """Is a file with these lines, after so many bytes, one that is read again?"""
    return before + len(data) <= MOST and all(
        len(each) <= LONGEST_LINE for each in data.split(b"\n")
    )


def _too_large() -> SaveError:
    return fault(SaveError, "save.too_large", n=str(MOST // 1000))


def _goes_on(save: Save, file: str) -> bool:
    """Is what stands in a file nothing, an earlier part of a save, or the whole of it?"""
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
    """What the system says of a file, as a SaveError of one line."""
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a zero byte in a name
        raise SaveError(
            filled(lang, "told_at", where=printable(path), why=said(lang, error))
        ) from None


def _there(path: str, lang: str) -> SaveError:
    return _Taken(filled(lang, "save_is_there", file=printable(path)))


def _empty(file: str, path: str, lang: str) -> int:
    """A file that is there, opened, if it is empty: a game was begun in it and broken off before
    its first line, or it was put there."""
    found = os.stat(file)
    if found.st_size or not stat.S_ISREG(found.st_mode):
        raise _there(path, lang)
    return os.open(file, _FLAGS)


def _opened(file: str, path: str, lang: str) -> int:
    if not stat.S_ISREG(
        os.stat(file).st_mode
    ):  # before it is opened: to open a device may already do something
        raise SaveError(filled(lang, "file.special", file=printable(path)))
    return os.open(file, _FLAGS)


# -------------------------------------------------------------------- locks
def _lock(keeper: Keeper) -> None:
    """Takes the lock of a keeper's file, and says so beside it. Who had not closed the file is
    `left`; he is not there any more."""
    _claim(keeper.handle, keeper.file, keeper.path, keeper.lang)
    keeper.locked = True
    keeper.left = _who(keeper.file, keeper.lang) if os.path.lexists(_note(keeper.file)) else ""
    told = {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "since": time.strftime("%Y-%m-%d %H:%M:%S"),
    }
    with contextlib.suppress(OSError, RulekitError):
        write_whole(Path(_note(keeper.file)), json.dumps(told).encode())


def _claim(handle: int, file: str, path: str, lang: str) -> None:
    """Locks an open file; SaveError if another process has it, or has put another one in its place
    meanwhile."""
    free = locked(handle)
    if not free or not os.path.samestat(os.stat(file), os.fstat(handle)):
        raise SaveError(filled(lang, "save_in_use", file=printable(path), who=_who(file, lang)))


def _note(file: str) -> str:
    return f"{file}.lock"


def _who(file: str, lang: str) -> str:
    """Who has a file, or had it last, as far as it is told beside it."""
    try:
        told = json.loads(read_plain(Path(_note(file)), 1000))
        pid, host, since = (printable(str(told[key]))[:80] for key in ("pid", "host", "since"))
    except (RulekitError, ValueError, KeyError, TypeError, RecursionError):
        return filled(lang, "somebody")
    return filled(lang, "process", pid=pid, host=host, since=since)
