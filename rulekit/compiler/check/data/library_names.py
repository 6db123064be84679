"""Finds the names in a game that come from a library, so that statistics can distinguish them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.source.game_source import GameSource
from rulekit.compiler.source.locate import MANIFEST
from rulekit.compiler.source.text_file import shown_path


def of_libraries(model: m.Model, source: GameSource) -> dict[str, dict[str, str]]:
    """Return the library of each name, by sort: events, phases, options, clauses, cards.

    A name that the game declares too belongs to the game.
    """
    library = _finder(source)
    kinds = [
        (f"{kind.name}.{member}", kind.span)
        for kind in model.kinds.values()
        for member in kind.members
    ]
    data = [
        (f"{each.kind}.{member.id}", member.span)
        for each in source.kinds
        for member in each.members
    ]
    sums: list[m.Total | m.Permit] = [*model.totals, *model.permits]
    return {
        "events": _only(((e.name, e.span) for e in model.events), library),
        "phases": _only(((p.name, p.span) for p in model.procedures if p.word == "phase"), library),
        "options": _only(((o.name, o.span) for o in model.options), library),
        "clauses": _only(
            ((f"{t.name}.{c.name}", c.span) for t in sums for c in t.clauses if c.name), library
        ),
        "cards": _only((dict(kinds) | dict(data)).items(), library),
    }


def _only(named: Iterable[tuple[str, Span]], library: Callable[[Span], str]) -> dict[str, str]:
    """Return the names with all their declarations in libraries."""
    found: dict[str, list[str]] = {}
    for name, span in named:
        found.setdefault(name, []).append(library(span))
    return {name: libraries[0] for name, libraries in found.items() if all(libraries)}


def _finder(source: GameSource) -> Callable[[Span], str]:
    """Return a function from a place to the library whose file contains it.

    The result is '' for the game's own files and for corrections.
    """
    folders = dict(_folders(source))

    def library(span: Span) -> str:
        inside = [folder for folder in folders if span.file.startswith(folder)]
        return folders[max(inside, key=len)] if inside else ""

    return library


def _folders(source: GameSource) -> Iterator[tuple[str, str]]:
    """Yield the folders of the game and its libraries as shown to people, each with a name. The
    name of the game's own folder is ''.
    """
    own = shown_path(source.path / MANIFEST)
    for file in source.files:
        folder, _, name = file.rpartition(MANIFEST)
        if not name and (not folder or folder.endswith("/")):
            called = next(
                (rules.library for rules in source.rules if rules.path.startswith(folder)),
                folder.rstrip("/").rpartition("/")[2],
            )
            yield folder, "" if file == own else called
