"""Locates games and libraries by name or path, and lists their files, without reading data (no
YAML).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from rulekit.common.files import FileRefused, read_plain
from rulekit.common.i18n.messages import _

MANIFEST = "game.yaml"
REVERSALS = "reversals.yaml"
GROUP = (  # entry points of installed packages: NAME = "package" or "package:folder/below"
    "rulekit.games"
)
MOST_FILES = 1000  # of one sort in a folder, more than any game needs
LONGEST_NAME = 100
MAX_MANIFEST = 2_000_000  # bytes
MOST_USED = 20  # libraries that a manifest may name
MAX_DISTANCE = 3  # folders from the game outwards that may have a folder `games` with libraries
_PACKAGE = Path(__file__).resolve().parents[2]
# What shapes a game, in reading order: patterns below its folder.
_PARTS = (
    "game.yaml",
    "*.rules",
    "rules/*.rules",
    "map.yaml",
    "pieces.yaml",
    "things.yaml",
    "data.yaml",
    "drawing.yaml",
    "tables/*.csv",
    "rulings.yaml",
    "scenarios/*.yaml",
    "texts/*.yaml",
)
_USES = re.compile(
    r"^uses[ \t]*:(?P<rest>[^\n]*(?:\n(?:[ \t]+[^\n]*|- [^\n]*|[ \t]*\]?[ \t]*|[ \t]*#[^\n]*))*)",
    re.M,
)
_NAME = re.compile(r"[A-Za-z_][\w.-]*")


def is_name(text: str) -> bool:
    """Return True if a text can be the name of a game or library, and of its folder."""
    return len(text) <= LONGEST_NAME and _NAME.fullmatch(text) is not None


def folder_of(path: Path) -> Path:
    """Return the game folder for a path to the folder or to its game.yaml."""
    return path.parent if path.name == MANIFEST else path


def game_files(folder: Path) -> list[Path]:
    """Return the paths of the files that shape the game, in reading order. They need not be
    readable.

    Situations and coverage do not shape the game.

    Raises:
        FileRefused: there are too many files.
    """
    return [p for pattern in _PARTS for p in _matching(folder, pattern)]


def situation_files(folder: Path) -> list[Path]:
    """Return the paths of the files of situations. They need not be readable."""
    return _matching(folder, "situations/*.yaml")


def overlay_files(folder: Path) -> list[Path]:
    """Return the paths of the overlays, which are corrections applied on request. They need not be
    readable.
    """
    return _matching(folder, "overlays/*.yaml")


def rules_files(folder: Path) -> list[Path]:
    """Return the paths of the rules files. They need not be readable."""
    return [
        p for pattern in _PARTS if pattern.endswith(".rules") for p in _matching(folder, pattern)
    ]


def _matching(folder: Path, pattern: str) -> list[Path]:
    if "*" not in pattern:
        return [folder / pattern] if os.path.lexists(folder / pattern) else []
    found = list(
        islice((p for p in folder.glob(pattern) if not p.name.startswith(".")), MOST_FILES + 1)
    )
    if len(found) > MOST_FILES:
        raise FileRefused(
            found[0].parent, "many", _("this folder has more than {n} files", n=MOST_FILES)
        )
    return sorted(found, key=lambda p: p.name)


def quick_uses(manifest: str) -> list[str]:
    """Return the libraries that the text of a manifest names, found without a YAML reader."""
    found = _USES.search(manifest)
    rest = re.sub(r"(^|\s)#[^\n]*", " ", found.group("rest")) if found else ""
    return [name for name in _NAME.findall(rest)[:MOST_USED] if is_name(name)]


def library_folders(name: str, user: Path) -> Iterator[Path]:
    """Yield the folders where a library `name` of the game in folder `user` may lie, nearest
    first.
    """
    base = user.resolve()
    yield base.parent / name
    for above in list(base.parents)[:MAX_DISTANCE]:
        yield above / "games" / name
    yield from _installed(name)


def find_library(name: str, user: Path) -> Path | None:
    """Return the folder of a library that the game in folder `user` uses."""
    if not is_name(name):
        return None
    return next((f for f in library_folders(name, user) if (f / MANIFEST).is_file()), None)


def find_game(name_or_path: str | Path) -> Path | None:
    """Return the folder of a game: by path, else by name among the bundled games and those of
    installed packages.
    """
    path = Path(name_or_path)
    if path.is_dir() or (path.name == MANIFEST and path.is_file()):
        return folder_of(path)
    name = str(name_or_path)
    if not is_name(name):
        return None
    return next((f for f in _installed(name) if (f / MANIFEST).is_file()), None)


def around(file: Path) -> Path:
    """Return the folder of the game that contains a file, or else the folder of the file."""
    return next(
        (folder for folder in list(file.parents)[:3] if (folder / MANIFEST).is_file()), file.parent
    )


def known_games() -> list[str]:
    """Return the names of the games and libraries that can be found by name."""
    bundled = {p.parent.name for base in _bundles() for p in base.glob("*/" + MANIFEST)}
    return sorted(bundled | {point for point, _, _ in _entry_points()})


def shipped() -> dict[str, Path]:
    """Return the folders that come with rulekit: in the package, or next to it in a checkout."""
    inside = (_PACKAGE / "_games").is_dir()
    names = ("games", "examples", "schema", "docs")
    return {name: _PACKAGE / f"_{name}" if inside else _PACKAGE.parent / name for name in names}


def is_library(folder: Path) -> bool:
    """Return True if the manifest of a folder declares a library. It is not read as YAML."""
    try:
        text = read_plain(folder / MANIFEST, MAX_MANIFEST).decode("utf-8-sig", "replace")
    except FileRefused:
        return False
    return re.search(r"^rulekit[ \t]*:[ \t]*library\b", text, re.M) is not None


def _bundles() -> list[Path]:
    return [shipped()["games"], shipped()["examples"]]


def _installed(name: str) -> Iterator[Path]:
    for base in _bundles():
        yield base / name
    for point, module, folder in _entry_points():
        if point == name:
            yield from _package_folder(module, folder)


def _entry_points() -> list[tuple[str, str, str]]:
    from importlib.metadata import entry_points

    found = []
    for point in entry_points(group=GROUP):
        module, _, folder = point.value.partition(":")
        found.append((point.name, module.strip(), folder.strip().replace(".", "/")))
    return found


def _package_folder(module: str, folder: str) -> Iterator[Path]:
    """Yield the folder of an installed package. A package that is not inside another is not
    executed.
    """
    from importlib.util import find_spec

    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        return
    for place in (spec.submodule_search_locations or ()) if spec else ():
        yield Path(place) / folder
