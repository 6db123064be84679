"""Takes a game folder, makes the hash of all that shapes the game without parsing it: the key of the cache."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from rulekit.source.locate import MANIFEST, find_library, folder_of, game_files, quick_uses
from rulekit.source.textfile import MAX_BYTES

LANGUAGE = 1  # the version of the language that this reader knows


def layers(folder: Path) -> list[Path]:
    """The folders of a game: its libraries in the order of use, itself last. Unknown ones and cycles are left out."""
    done: dict[Path, Path] = {}
    open_: set[Path] = set()

    def visit(at: Path) -> None:
        key = at.resolve()
        if key in done or key in open_:
            return
        open_.add(key)
        for name in quick_uses(contents(at / MANIFEST).decode("utf-8", "replace")):
            library = find_library(name, at)
            if library is not None:
                visit(library)
        done[key] = at

    visit(folder_of(folder))
    return list(done.values())


def quick_hash(path: Path, overlays: Sequence[Path] = ()) -> str:
    """The hash of a game as its files stand now; equal to `content_hash` of the game read from them."""
    files = [file for folder in layers(path) for file in game_files(folder)]
    return digest((file.name, contents(file)) for file in [*files, *overlays])


def digest(files: Iterable[tuple[str, bytes]]) -> str:
    """The hash of files (name, content) in their order. Line ends and a byte order mark make no difference."""
    total = hashlib.sha256(f"rulekit language {LANGUAGE}\n".encode())
    for name, raw in files:
        raw = raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        total.update(f"{name} {len(raw)}\n".encode("utf-8", "surrogateescape"))
        total.update(raw)
    return total.hexdigest()


def contents(file: Path) -> bytes:
    """What a file holds, as far as it would be read; nothing of what is no plain file."""
    try:
        if not file.is_file():
            return b""
        with file.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError:
        return b""
