"""Pinned rules: the files of a game as bytes, from which the game can be loaded without its folder.

The bytes hold plain texts and tables, which this program reads, checks and compiles itself. They
contain no code. Write access to the database or to a backup therefore does not allow running
anything (docs/decisions/0061).
"""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from hashlib import sha256
from pathlib import Path

import attrs
import msgspec
from attrs import frozen
from msgspec import Struct

from rulekit.common.errors import GameError, RulekitError
from rulekit.common.files import FileRefused
from rulekit.common.i18n.messages import _
from rulekit.compiler.source.fingerprint import all_files, contents, files_digest, layers
from rulekit.compiler.source.locate import folder_of, game_files
from rulekit.compiler.source.text_file import MAX_ALL, MAX_BYTES
from rulekit.engine.game.game import Game
from rulekit.project.loader import Loader, load
from rulekit.runtime.cache_folders import folder as cache_folder

MAGIC = b"rulekit pin 2\n"
MOST_FILES = 2000
LONGEST = 300  # seconds that a game is compiled
_PLACE = re.compile(
    r"[\w-][\w. -]*(?:/[\w-][\w. -]*){1,2}"
)  # folder/file or folder/folder/file, none of them hidden
_DEEP = Path(
    "games", "kept", "here"
)  # below the folder that is made: no library is looked for above it


class OldPin(RulekitError):
    """The pinned rules have an unsupported older format, which contained code."""


class PinnedFiles(Struct, forbid_unknown_fields=True):
    """The files of a game and of its libraries, by folder and path.

    Attributes:
        name: the folder of the game.
    """

    name: str
    files: dict[str, bytes]


@frozen
class Pin:
    """Pinned rules.

    Attributes:
        digest: the digest of the files. Equal digests mean equal rules and texts.
        game: the name of the game.
        body: the packed files.
    """

    digest: str
    game: str
    body: bytes = attrs.field(repr=False)


def pin(game: Game, folder: Path) -> Pin | None:
    """Pack the files of a game.

    Return None if the game was not loaded from this folder alone, or if the folder has changed
    since.
    """
    own, files = folder_of(folder), {}
    names: set[str] = set()
    for layer in layers(own):
        if layer.name in names:  # two libraries of one name, of two others
            return None
        names.add(layer.name)
        for file in game_files(layer):
            files[f"{layer.name}/{file.relative_to(layer).as_posix()}"] = contents(file, layer)
    if files_digest(all_files(own)) != game.info.digest or not all(map(_is_plain, files)):
        return None
    raw = msgspec.msgpack.encode(PinnedFiles(own.name, files), order="sorted")
    return Pin(sha256(MAGIC + raw).hexdigest(), game.name, MAGIC + zlib.compress(raw))


def _is_plain(path: str) -> bool:
    return _PLACE.fullmatch(path) is not None and not any(
        part.endswith((".", " ")) for part in path.split("/")
    )


def unpinned(body: bytes, into: Path) -> Game:
    """Unpack a game into an empty folder and load it.

    Raises:
        OldPin: the format is an older one.
        RulekitError: the bytes are damaged or the game cannot be loaded.
    """
    if not body.startswith(MAGIC):
        raise OldPin(
            _("this version of the program does not know the rules with which this game began")
        )
    try:
        unpacked = zlib.decompressobj()
        raw = unpacked.decompress(body[len(MAGIC) :], 2 * MAX_ALL)
        kept = msgspec.msgpack.decode(raw, type=PinnedFiles)
        if (
            unpacked.unconsumed_tail
            or len(kept.files) > MOST_FILES
            or not all(map(_is_plain, (*kept.files, f"{kept.name}/x")))
        ):
            raise ValueError
        folder = _written(kept, into / _DEEP)
        if not all(
            file.is_relative_to(into) for file, _ in all_files(folder)
        ):  # a library that is not among them
            raise ValueError
        _compile_apart(folder)
        game = load(folder)
        game.program()
        return game
    except (
        zlib.error,
        msgspec.DecodeError,
        ValueError,
        OSError,
        GameError,
        FileRefused,
        subprocess.SubprocessError,
    ):
        raise RulekitError(
            _("this version of the program does not know the rules with which this game began")
        ) from None


def _written(kept: PinnedFiles, into: Path) -> Path:
    for path, content in kept.files.items():
        if len(content) > MAX_BYTES:
            raise ValueError
        file = into / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return into / kept.name


def _compile_apart(folder: Path) -> None:
    """Compile a game into the cache, in a separate process. It can take half a minute, and other
    games stay responsive.

    Raises:
        SubprocessError: it takes longer than `LONGEST` seconds.
    """
    if cache_folder() is not None and Loader(folder).cache.get("compiled") is None:
        subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys, rulekit; rulekit.load(sys.argv[1]).new(seed=0)",
                str(folder),
            ],
            timeout=LONGEST,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
