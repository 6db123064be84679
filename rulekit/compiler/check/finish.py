"""The last steps of the check, for which all rules must have been read: scenarios, data for
frontends, unused tables and missing texts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress

from rulekit.common.diagnostics.diagnostic import guess
from rulekit.common.diagnostics.span import Span
from rulekit.compiler.check.data import binding as data
from rulekit.compiler.check.data.drawing import bind_drawing, numbers
from rulekit.compiler.check.data.hex_orientation import beside, hexes
from rulekit.compiler.check.data.labels import check_labels
from rulekit.compiler.check.data.library_names import of_libraries
from rulekit.compiler.check.data.manifest import bind_manifest
from rulekit.compiler.check.data.shared_text_keys import check_keys
from rulekit.compiler.check.data.texts import known, needed
from rulekit.compiler.check.resolve import builtin_dice, limits
from rulekit.compiler.check.resolve.collect import Collected
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.source.game_source import GameSource
from rulekit.compiler.source.text_file import shown_path
from rulekit.compiler.syntax import ast as t


def drawing(world: CheckState) -> None:
    """Bind the drawing to the model. Everything that is drawn is public."""
    world.model.shown_vars = bind_drawing(
        world.model, placed(world.source), world.source.drawing, world.sink
    )


def manifest(world: CheckState, asking: Collection[str]) -> None:
    """Bind the settings for seats in game.yaml.

    Args:
        asking: the names of the procedures that contain a decision.
    """
    bind_manifest(world.model, asking, world.source.settings, world.sink)


def placed(source: GameSource) -> dict[str, str]:
    """Return, by kind of piece, the state that holds the place of a piece."""
    return {data.kind: data.place_cell for data in source.kinds if data.place_cell is not None}


def scenarios(world: CheckState) -> None:
    """Bind the scenarios to the model."""
    world.model.scenarios = dict(data.bind_scenarios(world.model, world.source, world.sink))
    builtin_dice.texts(world.model)


def menus(world: CheckState) -> None:
    """Warn of menus that no `choose` offers."""
    for symbol in world.symbols.values():
        if symbol.what == "menu" and symbol.name not in world.menus_used:
            world.sink.warn(
                "RK512",
                symbol.span,
                f"no 'choose' offers the menu '{symbol.name}'",
                f"write 'choose by ... from {symbol.name}'",
            )


def tables(files: Iterable[tuple[t.File, int]], world: CheckState) -> None:
    """Warn of table files in the game folder that no rule names, and of source notes for table
    files that do not exist.
    """
    source = world.source
    named = {
        decl.source
        for file, _ in files
        for decl in _written(file)
        if isinstance(decl, t.TableDecl) and decl.source
    }
    for name, table in source.tables.items():
        if name not in named and table.path == shown_path(source.path / name):
            near = guess(name, named - source.tables.keys())
            world.sink.warn(
                "RK148",
                Span(table.path, 1, 1),
                f"no rule reads the table file '{name}'",
                near
                or (
                    f'write `from "{name}"` after the declaration of the table that it holds, '
                    "or remove the file"
                ),
            )
    for name, span in source.table_places.items():
        if name not in source.tables:
            world.sink.warn(
                "RK149",
                span,
                f"this gives the source of the file '{name}', which does not exist",
                guess(name, source.tables) or "remove the line, or put the file into the folder",
            )


def _written(file: t.File) -> Iterator[t.Decl]:
    """Yield the declarations of a file, including those that replace another one."""
    return (decl.decl if isinstance(decl, t.Replace) else decl for decl in file.decls)


def shown(world: CheckState) -> None:
    """Store in the model the data that frontends show in addition to the rules."""
    model, source = world.model, world.source
    model.info = {
        "manifest": source.manifest,
        "geometry": source.geometry,
        "editions": source.editions,
        "place_cells": placed(source),
        "numbers": numbers(model),
        "drawing": source.drawing.plain() if source.drawing is not None else {},
        "fixed": sorted({f.name for f in model.fixed if f.owner is None and not f.synthetic}),
        "arcs": {kind.name: kind.arcs for kind in model.kinds.values() if kind.joins is not None},
        "beside": {fixed.name: (kind.name, fixed.values) for fixed, kind in beside(model.fixed)},
    }
    model.info["libraries"] = of_libraries(model, source)
    if boards := hexes(model.fixed):
        model.info["hexes"] = boards


def wanting(found: Collected, world: CheckState) -> None:
    """Warn of texts that are missing in a language. Nothing is reported if the game has errors."""
    model, sink = world.model, world.sink
    if sink.errors:
        return
    model.wanted_texts = needed(model, [block.name for block in found.blocks])
    last = limits.BoundedSink(sink.found, only_warnings=True)
    with suppress(limits.TooManyFindings):
        check_keys(model, world.source, last)
        check_labels(model, world.source, model.wanted_texts, found.blocks, last)
        data.check_texts(
            model,
            world.source,
            model.wanted_texts,
            last,
            known(model) | {f"paragraph.{ref}" for ref in model.cited},
        )
