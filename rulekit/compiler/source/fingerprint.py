"""Takes a game folder, makes the hash of all that shapes the game without parsing it: the key of
the cache."""

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
    """The folders of a game: its libraries in the order of use, itself last. Unknown ones and
    cycles are left out."""
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
    """The hash of a game as its files stand now; equal to `content_hash` of the game read from
    them."""
    return files_digest(all_files(path, overlays))


def all_files(path: Path, overlays: Sequence[Path] = ()) -> list[tuple[Path, Path]]:
    """The files of a game, each with the folder in which it must lie: those of its libraries, its
    own, the overlays."""
    files = [(file, folder) for folder in layers(path) for file in game_files(folder)]
    return [*files, *((overlay, overlay.parent) for overlay in overlays)]


def files_digest(files: Iterable[tuple[Path, Path]]) -> str:
    """The hash of files (each with the folder in which it must lie), as far as a game may be
    long."""
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
    """The hash of files (name, content) in their order. Line ends and a byte order mark make no
    difference."""
    total = hashlib.sha256(f"rulekit language {LANGUAGE}\n".encode())
    for name, raw in files:
        raw = _plain(raw)
        total.update(f"{printable(name)} {len(raw)}\n".encode())
        total.update(raw)
    return total.hexdigest()


def _plain(raw: bytes) -> bytes:
    """A text without a byte order mark, its line ends made plain."""
    return raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def contents(file: Path, folder: Path) -> bytes:
    """What a file of a folder holds; of one that would not be read, what no text can be."""
    try:
        return read_plain(file, MAX_BYTES, folder)
    except FileRefused:
        return UNREAD
