"""WebAssembly text with named placeholders, from the files of the folder `wat`.

A line of three semicolons and a name begins a section of a file. A section ends where the next one
begins. Blank lines and lines with a comment only are left out. A placeholder is a name in braces.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Formatter

FOLDER = files("rulekit.compiler.backends.wasm") / "wat"


@cache
def sections(file: str) -> dict[str, str]:
    """Return the sections of a file by name, without comments and blank lines."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in FOLDER.joinpath(f"{file}.wat").read_text(encoding="utf-8").splitlines():
        if line.startswith(";;; "):
            lines = found[line.removeprefix(";;; ")] = []
        elif line.strip() and not line.lstrip().startswith(";;"):
            lines.append(line)
    return {name: "\n".join(lines) for name, lines in found.items()}


@cache
def placeholders(file: str, section: str) -> frozenset[str]:
    """Return the names of the placeholders of a section."""
    parts = Formatter().parse(sections(file)[section])
    return frozenset(name for _, name, _, _ in parts if name is not None)


def render(name: str, /, **values: object) -> str:
    """Return a section with all its placeholders filled.

    Args:
        name: the file and the section, such as `runtime.fixed`.
        values: the text of each placeholder.

    Raises:
        ValueError: a placeholder has no value, or a value has no placeholder.
    """
    file, _, section = name.partition(".")
    if differing := placeholders(file, section) ^ values.keys():
        raise ValueError(f"{name}: placeholders and values differ: {', '.join(sorted(differing))}")
    return sections(file)[section].format_map(values)
