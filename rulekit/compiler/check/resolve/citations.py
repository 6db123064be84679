"""Translates the citations of libraries to the paragraph numbers of the game's own rule book.

A library cites the rule book that it was first written for. The manifest of another game maps its
paragraphs: `paragraphs: {"2.C2": "2.B.3.2"}`. A reference is looked up as a whole, then each part
between commas, then the part before the first blank.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from rulekit.common.diagnostics.diagnostic import Sink, guess
from rulekit.common.diagnostics.span import Span
from rulekit.compiler.source.game_source import GameSource
from rulekit.compiler.source.map_and_pieces import entries
from rulekit.compiler.syntax import ast as t


def renumbered(
    files: list[tuple[t.File, int]], source: GameSource, sink: Sink
) -> list[tuple[t.File, int]]:
    """Return the files with the references of libraries translated by the manifest.

    Warn of a number in the manifest that no library cites.
    """
    table: Mapping[str, str] = {
        str(key): str(value) for key, value in (source.manifest.get("paragraphs") or {}).items()
    }
    if not table:
        return files
    own = max((layer for _, layer in files), default=0)
    book = _Book(table)
    out = [
        (file if layer == own else evolve(file, decls=book.node(file.decls)), layer)
        for file, layer in files
    ]
    places = entries(entries(source.settings).get("paragraphs"))
    for key in sorted(set(table) - book.used):
        place = (
            places[key].key_span if key in places else Span(str(source.path / "game.yaml"), 1, 1)
        )
        sink.warn(
            "RK516",
            place,
            f"no library refers to the paragraph '{key}'",
            guess(key, sorted(book.cited)) or "remove it from 'paragraphs'",
        )
    return out


class _Book:
    """The translation of paragraph numbers from libraries to the game."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self.table = table
        self.used: set[str] = set()
        self.cited: set[str] = set()

    def node(self, part: Any) -> Any:
        """Return a part of the tree, or a tuple of parts, with its references translated."""
        if isinstance(part, tuple):
            return tuple(self.node(each) for each in part)
        if not isinstance(part, t.NodeSyntax):
            return part
        changed: dict[str, Any] = {}
        for name in t.fields_of(part):
            value = getattr(part, name)
            translated = (
                tuple(self.translated(ref) for ref in value) if name == "ref" else self.node(value)
            )
            if translated is not value and translated != value:
                changed[name] = translated
        return evolve(part, **changed) if changed else part

    def translated(self, ref: str) -> str:
        """Return a reference in the numbers of the game."""
        self.cited.add(ref)
        if ref in self.table:
            self.used.add(ref)
            return self.table[ref]
        parts = [self.part(part) for part in ref.split(", ")]
        return ", ".join(dict.fromkeys(parts))

    def part(self, ref: str) -> str:
        self.cited.add(ref)
        number, _, rest = ref.partition(" ")
        for key, words in ((ref, ""), (number, rest)):
            if key in self.table:
                self.used.add(key)
                return f"{self.table[key]} {words}".rstrip()
        return ref


def cited(files: list[tuple[t.File, int]]) -> set[str]:
    """Return the paragraphs that rules cite, up to the first blank, and those that contain them.

    For example, "4.2 die a" lies in "4.2", and that in "4".
    """
    refs: set[str] = set()
    todo: list[Any] = [file.decls for file, _ in files]
    while todo:
        part = todo.pop()
        if isinstance(part, tuple):
            todo.extend(part)
        elif isinstance(part, t.NodeSyntax):
            for name in t.fields_of(part):
                value = getattr(part, name)
                if name == "ref":
                    refs.update(one for ref in value for one in (ref, *ref.split(", ")))
                else:
                    todo.append(value)
    whole = {ref.split(" ")[0] for ref in refs}
    return {
        ref[:at]
        for ref in whole
        for at in range(1, len(ref) + 1)
        if at == len(ref) or ref[at] == "."
    }
