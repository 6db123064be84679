"""The content hash of a game folder, computed without parsing it. It is the key of the cache."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rulekit.common.files import FileRefused, printable, read_plain
from rulekit.compiler.source.locate import MANIFEST, find_library, folder_of, game_files, quick_uses
from rulekit.compiler.source.text_file import MAX_ALL, MAX_BYTES

LANGUAGE = 1  # the version of the language that this reader knows
UNREAD = b"\0unread"  # stands for a file that the reader refuses


def layers(folder: Path) -> list[Path]:
    """Return the folders of a game: its libraries in the order of use, then the game itself.

    Unknown libraries and cycles are left out.
    """
    done: dict[Path, Path] = {}
    open_: set[Path] = set()

    def visit(at: Path) -> None:
        key = at.resolve()
        if key in done or key in open_:
            return
        open_.add(key)
        for name in quick_uses(_plain(contents(at / MANIFEST, at)).decode("utf-8", "replace")):
            library = find_library(name, at)
            if library is not None:
                visit(library)
        done[key] = at

    visit(folder_of(folder))
    return list(done.values())


def quick_hash(path: Path, overlays: Sequence[Path] = ()) -> str:
    """Return the hash of a game with its current files. It equals `content_hash` of the game read
    from them.
    """
    return files_digest(all_files(path, overlays))


def all_files(path: Path, overlays: Sequence[Path] = ()) -> list[tuple[Path, Path]]:
    """Return the files of a game, each with the folder in which it must lie: those of its
    libraries, its own, the overlays.
    """
    files = [(file, folder) for folder in layers(path) for file in game_files(folder)]
    return [*files, *((overlay, overlay.parent) for overlay in overlays)]


def files_digest(files: Iterable[tuple[Path, Path]]) -> str:
    """Return the hash of files (each with the folder in which it must lie), up to the maximum size
    of a game.
    """
    return digest(_bounded(files))


def _bounded(files: Iterable[tuple[Path, Path]]) -> Iterator[tuple[str, bytes]]:
    left = MAX_ALL
    for file, folder in files:
        raw = contents(file, folder)
        left -= len(raw)
        if left < 0:
            yield file.name, UNREAD
            return
        yield file.name, raw


def digest(files: Iterable[tuple[str, bytes]]) -> str:
    """Return the hash of files (name, content) in their order, ignoring line ends and byte order
    marks.
    """
    total = hashlib.sha256(f"rulekit language {LANGUAGE}\n".encode())
    for name, raw in files:
        raw = _plain(raw)
        total.update(f"{printable(name)} {len(raw)}\n".encode())
        total.update(raw)
    return total.hexdigest()


def _plain(raw: bytes) -> bytes:
    """Return a text without a byte order mark, with plain line ends."""
    return raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def contents(file: Path, folder: Path) -> bytes:
    """Return the content of a file of a folder, or `UNREAD`, which no text can equal, if it would
    be refused.
    """
    try:
        return read_plain(file, MAX_BYTES, folder)
    except FileRefused:
        return UNREAD
