"""Reads a game folder, and the libraries it uses, into a `GameSource`.

Each file is checked by itself here: its form, and a source for each datum. References between files
(names, types) are checked later.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from attrs import define, field

from rulekit.common.diagnostics.diagnostic import Sink, guess
from rulekit.common.diagnostics.span import Span
from rulekit.common.files import printable
from rulekit.compiler.source import documents
from rulekit.compiler.source.csv_reader import parse_csv
from rulekit.compiler.source.fingerprint import LANGUAGE, digest, quick_hash
from rulekit.compiler.source.folder_inventory import games_in, manifest_like, misplaced
from rulekit.compiler.source.frame_checks import check_frame
from rulekit.compiler.source.game_source import Datum, GameSource, RulesText
from rulekit.compiler.source.hex_sections import read_hexes
from rulekit.compiler.source.locate import (
    MANIFEST,
    MOST_USED,
    find_game,
    find_library,
    folder_of,
    game_files,
    known_games,
    situation_files,
)
from rulekit.compiler.source.map_and_pieces import (
    entries,
    items,
    over,
    read_map,
    read_sections,
    text,
)
from rulekit.compiler.source.map_checks import check_map
from rulekit.compiler.source.overlays import read_overlay
from rulekit.compiler.source.provenance import count_sources
from rulekit.compiler.source.schema_validation import validate
from rulekit.compiler.source.text_file import read_text, shown_path
from rulekit.compiler.source.yaml_reader import parse_yaml

__all__ = ["content_hash", "count_sources", "find_game", "quick_hash", "read_game"]


def read_game(path: Path, sink: Sink, overlays: Sequence[Path] = ()) -> GameSource | None:
    """Read a game folder (or library) with the libraries it uses, and apply the overlays.

    Returns:
        None, after diagnostics, if the manifest or any whole file cannot be read. Otherwise a
            `GameSource`, although the sink may hold errors about single data.
    """
    reader = _Reader(sink)
    folder = folder_of(Path(path))
    if not reader.collect(folder, ()):
        return None
    source = reader.source
    source.path = folder
    for layer in reader.layers:
        reader.read_layer(layer)
    if not source.rules and not reader.broken:
        at = reader.layers[-1].at
        sink.error(
            "RK145",
            Span(at, 1, 1, 1, 2),
            "the game has no rules file",
            "write `game.rules` beside game.yaml, or `rules/*.rules`",
        )
        reader.broken = True
    reader.read_game_only(folder)
    for overlay in overlays:
        doc = reader.document(Path(overlay), "overlay", Path(overlay).parent)
        if doc is not None:
            read_overlay(doc, source, sink)
    reader.finish()
    return None if reader.broken else source


def content_hash(source: GameSource) -> str:
    """Return the hash of everything that shapes the game, in reading order. It equals `quick_hash`
    of its folder.

    The location of files, situations and coverage make no difference.
    """
    apart = ("coverage.yaml",)
    return digest(
        (shown.rpartition("/")[2], words.encode())
        for shown, words in source.files.items()
        if shown.rpartition("/")[2] not in apart
    )


@define
class _Layer:
    """A library or the game.

    Attributes:
        at: the path of the manifest, as shown in diagnostics.
    """

    folder: Path
    name: str
    manifest: Datum
    at: str


@define
class _Reader:
    sink: Sink
    source: GameSource = field(factory=lambda: GameSource("", Path()))
    layers: list[_Layer] = field(factory=list)
    broken: bool = False
    manifests: dict[str, str] = field(factory=dict)

    # ---------------------------------------------------------------------------------------- singl
    def text(self, path: Path, within: Path) -> str | None:
        """Return the text of a file that lies in the folder `within`, and record it in the
        source.
        """
        words = read_text(path, self.sink, within)
        if words is None:
            self.broken = True
        else:
            self.source.files[shown_path(path)] = words
        return words

    def document(self, path: Path, schema: str, within: Path) -> Datum | None:
        """Return a YAML file, checked against its schema. Readers skip the parts that do not fit
        it.
        """
        words = self.text(path, within)
        if words is None:
            return None
        doc = parse_yaml(words, shown_path(path), self.sink)
        if doc is None:
            self.broken = True
            return None
        if (
            schema == "scenario"
            and isinstance(doc.value, list)
            and (help := misplaced(words, "scenarios"))
        ):
            self.sink.error(
                "RK122",
                Span(shown_path(path), 1, 1),
                "the file must be a mapping, not a list",
                help,
            )
            self.broken = True
            return None
        validate(doc, schema, self.sink)
        return doc

    # ---------------------------------------------------------------------------------------- libra
    def collect(self, folder: Path, users: tuple[Path, ...]) -> bool:
        """Read the manifest of a folder and those of its libraries, which come first in `layers`.
        Return False if this is not possible.
        """
        manifest = folder / MANIFEST
        if not users and not self.is_game(folder, manifest):
            return False
        kept = dict(self.source.files)
        doc = self.document(manifest, "manifest", folder)
        if doc is None:
            return False
        shown = shown_path(manifest)
        self.manifests[shown] = self.source.files[shown]
        self.source.files = kept
        top = entries(doc)
        if not self.is_understood(top, shown):
            return False
        layer = _Layer(folder, text(top.get("name")) or folder.name, doc, shown)
        sound = True
        for used in items(top.get("uses"))[:MOST_USED]:
            sound = self.collect_library(used, folder, (*users, folder.resolve())) and sound
        self.layers.append(layer)
        return sound

    def is_game(self, folder: Path, manifest: Path) -> bool:
        shown = shown_path(folder)
        if not folder.exists():
            self.sink.error(
                "RK101",
                Span(shown, 1, 1),
                f"there is no game '{folder}'",
                guess(folder.name, known_games())
                or "give the path of a game folder, or the name of an installed game",
            )
        elif not folder.is_dir():
            self.sink.error(
                "RK140",
                Span(shown, 1, 1),
                "this is a file, not a game folder",
                "give the folder that holds game.yaml",
            )
        elif not manifest.exists():
            self.sink.error(
                "RK140",
                Span(shown_path(manifest), 1, 1),
                "the folder is not a game: it has no game.yaml",
                (
                    f"rename {meant} to game.yaml"
                    if (meant := manifest_like(folder))
                    else (
                        "this folder contains games: give one of them,"
                        f" {' or '.join(printable(shown_path(folder / n)) for n in games[:2])}"
                        if (games := games_in(folder))
                        else "write a manifest game.yaml: rulekit, name, title, version, language"
                    )
                ),
            )
        else:
            return True
        return False

    def is_understood(self, top: dict[str, Datum], shown: str) -> bool:
        language = top.get("language")
        if (
            language is None
            or isinstance(language.value, bool)
            or not isinstance(language.value, int)
        ):
            return isinstance(
                top.get("rulekit"), Datum
            )  # the schema has said it; without either it is no manifest at all
        if language.value != LANGUAGE:
            newer = (
                "this rulekit is too old for it"
                if language.value > LANGUAGE
                else "there is no such version"
            )
            self.sink.error(
                "RK141",
                language.span,
                f"the game is written in language {language.value}; {newer}",
                f"this rulekit reads language {LANGUAGE}",
            )
            return False
        return True

    def collect_library(self, used: Datum, user: Path, users: tuple[Path, ...]) -> bool:
        name = text(used)
        if name is None:
            return False
        folder = find_library(name, user)
        if folder is None:
            self.sink.error(
                "RK142",
                used.span,
                f"there is no library '{name}'",
                guess(name, [*known_games(), *_siblings(user)])
                or "a library is a folder beside the game, in a folder `games` near it, or"
                " installed",
            )
            return False
        real = folder.resolve()
        if real in users:
            chain = [p.name for p in users[users.index(real) :]] + [real.name]
            self.sink.error(
                "RK143",
                used.span,
                f"the libraries form a cycle: {' -> '.join(chain)}",
                "remove one of these `uses`",
            )
            return False
        if any(layer.folder.resolve() == real for layer in self.layers):
            return True
        if not self.collect(folder, users):
            return False
        kind = text(entries(self.layers[-1].manifest).get("rulekit"))
        if kind != "library":
            self.sink.error(
                "RK144",
                used.span,
                f"'{name}' is a game, not a library",
                "only folders with `rulekit: library` can be used; move the shared rules to such a"
                " folder",
            )
            return False
        return True

    # ---------------------------------------------------------------------------------------- the p
    def read_layer(self, layer: _Layer) -> None:
        source, top = self.source, entries(layer.manifest)
        for file in game_files(layer.folder):
            self.read_part(file, layer)
        source.name = layer.name
        source.manifest, source.settings = layer.manifest.plain(), layer.manifest
        for name, chosen in entries(top.get("editions")).items():
            source.editions[name] = {k: text(v) or "" for k, v in entries(chosen).items()}

    def read_part(self, file: Path, layer: _Layer) -> None:
        name, part = file.name, file.parent.name
        if name == MANIFEST:
            self.source.files[layer.at] = self.manifests[layer.at]
        elif file.suffix == ".rules":
            words = self.text(file, layer.folder)
            if words is not None:
                self.source.rules.append(
                    RulesText(shown_path(file), words, self.layers.index(layer), layer.name)
                )
        elif file.suffix == ".csv":
            words = self.text(file, layer.folder)
            table = parse_csv(words, shown_path(file), self.sink) if words is not None else None
            if table is not None:
                self.source.tables[f"tables/{name}"] = table
            else:
                self.broken = True
        elif part in ("scenarios", "texts") and file.parent != layer.folder:
            self.read_listed(file, part, layer)
        else:
            self.read_data(file, layer.folder)

    def read_listed(self, file: Path, part: str, layer: _Layer) -> None:
        doc = self.document(file, {"scenarios": "scenario", "texts": "texts"}[part], layer.folder)
        if doc is None:
            return
        if part == "texts":
            before = set(self.source.texts.get(file.stem, ()))
            documents.read_texts(doc, file.stem, self.source)
            if layer is not self.layers[-1]:
                self.source.shared_texts |= set(self.source.texts[file.stem]) - before
            return
        scenario = documents.read_scenario(doc, file, self.sink)
        same = next((s for s in self.source.scenarios if s.name == scenario.name), None)
        if same is not None:
            named = entries(doc).get("name", doc)
            self.sink.error(
                "RK609",
                named.span,
                f"there are two scenarios '{scenario.name}'",
                "rename one of them",
                second=same.span,
                second_label="the other one",
            )
            return
        self.source.scenarios.append(scenario)

    def read_data(self, file: Path, within: Path) -> None:
        schema = {"pieces": "pieces", "things": "pieces"}.get(file.stem, file.stem)
        doc = self.document(file, schema, within)
        if doc is None:
            return
        if file.stem == "map":
            read_map(doc, self.source, self.sink)
            read_hexes(doc, self.source, self.sink)
        elif file.stem in ("pieces", "things"):
            read_sections(doc, self.source, self.sink)
        elif file.stem == "data":
            documents.read_fixed(doc, self.source, self.sink)
        elif file.stem == "rulings":
            documents.read_rulings(doc, self.source, self.sink)
        elif file.stem == "drawing":
            self.source.drawing = over(self.source.drawing, doc)

    def read_game_only(self, folder: Path) -> None:
        """Read the parts that libraries do not have: the inventory, and the paths of situations."""
        self.source.situations = situation_files(folder)
        coverage = folder / "coverage.yaml"
        if os.path.lexists(coverage):
            doc = self.document(coverage, "coverage", folder)
            if doc is not None:
                documents.read_coverage(doc, self.source)

    def finish(self) -> None:
        """Check everything that needs all files: deployments, chosen rulings, the default scenario,
        the map as a whole.
        """
        source, sink = self.source, self.sink
        if self.broken:
            return
        for scenario in source.scenarios:
            documents.place_pieces(scenario, source.kinds, sink)
            documents.check_choices(source, scenario.rulings, sink)
        for layer in self.layers:
            for chosen in entries(entries(layer.manifest).get("editions")).values():
                documents.check_choices(source, entries(chosen), sink)
        top = entries(self.layers[-1].manifest)
        check_map(source, sink)
        check_frame(source, sink)
        default = top.get("default_scenario")
        names = [s.name for s in source.scenarios]
        if default is not None and text(default) not in names:
            sink.error(
                "RK610",
                default.span,
                f"there is no scenario '{text(default)}'",
                guess(text(default) or "", names)
                or "scenarios are files of the form scenarios/NAME.yaml",
            )


def _siblings(folder: Path) -> list[str]:
    return [p.parent.name for p in folder.resolve().parent.glob("*/" + MANIFEST)]
