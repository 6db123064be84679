"""Load a game: read, check and compile its folder, or take the compiled game from the cache."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import RLock
from types import CodeType
from typing import TYPE_CHECKING, Any

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink, guess
from rulekit.common.diagnostics.span import Span
from rulekit.common.errors import GameError, RulekitError
from rulekit.common.gc_pause import paused
from rulekit.common.i18n.messages import _
from rulekit.compiler.source.fingerprint import all_files, files_digest, layers, quick_hash
from rulekit.compiler.source.folder_inventory import report_strays
from rulekit.compiler.source.locate import (
    REVERSALS,
    find_game,
    known_games,
    overlay_files,
    situation_files,
)
from rulekit.compiler.source.text_file import shown_path
from rulekit.engine.game.game import Game, GameInfo, RulingChoice
from rulekit.runtime.cache import Cache
from rulekit.runtime.code import from_text, frozen, thawed
from rulekit.runtime.compiled import Compiled
from rulekit.runtime.program import Program
from rulekit.runtime.variants import FAST, FULL, Text, Variants
from rulekit.runtime.wasm_format import Native, NoNative

if TYPE_CHECKING:
    from rulekit.compiler.compiler import Compilation
    from rulekit.compiler.model import Model
    from rulekit.compiler.source.game_source import GameSource

UNDECLARED_NEED = (
    "RK310"  # a declaration that a library needs from its games. The library itself may lack it
)


def find(path_or_name: str | Path) -> Path:
    """Return the folder of a game, by path or by name.

    Raises:
        GameError: there is no such game.
    """
    folder = find_game(path_or_name)
    if folder is not None:
        return folder
    hint = guess(str(path_or_name), known_games())
    message = (
        f"there is no game {str(path_or_name)!r}: neither a folder with a game.yaml nor a game"
        " known by this name"
    )
    raise GameError([Diagnostic("RK101", message, Span(str(path_or_name), 1, 1, 1, 1), hint)])


class Loader:
    """Builds the programs of one game folder.

    Each part that the cache lacks is built once, when it is first needed, and cached. The parts are
    the checked model, the compiled game, the text and the code of each variant, and the WebAssembly
    module. With `native`, the module is built as soon as the game is compiled.
    """

    def __init__(self, folder: Path, overlays: Sequence[Path] = (), native: bool = False) -> None:
        self.folder, self.wants_native = folder, native
        self.overlays = list(overlays)
        files = all_files(folder, self.overlays)
        self.digest = files_digest(files)
        self.cache = Cache(
            self.digest, [shown_path(file) for file, _ in files], folder.resolve().name
        )
        self.sink = Sink()
        # True if the game is checked for its author, so that findings count that do not matter for
        # play
        self._thorough = False
        self._source: GameSource | None = None
        self._read = 0  # the number of findings from reading
        self._model: Model | None = None
        self._compiled: Compiled | None = None
        self._compilation: Compilation | None = None
        self._texts: dict[str, Text] = {}
        self._lock = RLock()
        self._native: Native | NoNative | None = None

    def model(self) -> Model:
        """Return the checked model.

        Raises:
            GameError: the game has errors.
        """
        if self._model is None:
            self._model = self._checked()
        return self._model

    def source(self) -> GameSource:
        """Return the folder as read."""
        self.model()
        assert self._source is not None
        return self._source

    @paused()
    def _checked(self) -> Model:
        from rulekit.compiler.check.check import once
        from rulekit.compiler.source.folder import read_game

        self._source = read_game(self.folder, self.sink, self.overlays)
        self._read = len(self.sink.found)
        model = once(self._source, self.sink, self._thorough) if self._source is not None else None
        if self.sink.errors or model is None:
            raise GameError(self._merged(), self.sink.texts)
        if quick_hash(self.folder, self.overlays) == self.digest:
            self.cache.put("model", model)
        return model

    def _merged(self, apart: Sequence[Diagnostic] = ()) -> list[Diagnostic]:
        """Return all findings of reading and checking, and `apart`, in order.

        Of several findings that follow from one misspelt declaration, only one is kept.
        """
        from rulekit.compiler.check.check import merge_consequences

        if self._source is None:
            return self.sink.in_order()
        read, checked = self.sink.found[: self._read], self.sink.found[self._read :]
        return Sink(
            merge_consequences(self._source, checked, self._thorough, [*read, *apart])
        ).in_order()

    def findings(self, situations: bool = False) -> list[Diagnostic]:
        """Return all findings about the game, after compiling it and beginning every scenario.

        They include the form of its situations. If there are none, this is cached, so that the next
        check is fast.

        Args:
            situations: also check the names and values in situations.
        """
        unread = Sink()
        report_strays(layers(self.folder), unread)
        return [*unread.in_order(), *self._of_files(situations)]

    def _of_files(self, situations: bool) -> list[Diagnostic]:
        """Return the findings in the files of the game."""
        files = situation_files(self.folder)
        apart = [
            file for name in ("coverage.yaml", REVERSALS) if (file := self.folder / name).is_file()
        ]
        apart += [] if self.overlays else overlay_files(self.folder)
        tested = files_digest((file, self.folder) for file in [*files, *apart])
        kept = f"sound {tested} {situations}"
        if self.cache.get(kept) is True:
            return []
        if not self._thorough:
            self._thorough, self._model, self.sink = True, None, Sink()
        try:
            self.info()
        except GameError as error:
            return (
                [d for d in error.diagnostics if d.code != UNDECLARED_NEED]
                if self._is_library()
                else error.diagnostics
            )
        if self._model is None:
            self.model()
        beginning = self._of_beginning()
        # endless rules that were run, so that the static warning about them is not needed
        at_once = {(d.span.file, d.span.line) for d in beginning if d.code == "RK523"}
        more = [*beginning, *self._of_overlays()]
        more += self._of_situations(
            files, situations and not any(d.level == "error" for d in [*self.sink.found, *more])
        )
        found = [
            d
            for d in self._merged(more)
            if d.code != "RK720" or (d.span.file, d.span.line) not in at_once
        ]
        if not found:
            self.cache.put(kept, True)
        return found

    def _of_beginning(self) -> list[Diagnostic]:
        from rulekit.project.startup_check import begin

        sink = Sink()
        begin(
            Game(self.info(), self.program), sink, [each.span for each in self.model().invariants]
        )
        return sink.in_order()

    def _of_overlays(self) -> list[Diagnostic]:
        """Return the findings in the overlays of the folder.

        Overlays that are applied to the game have been checked with it.
        """
        from rulekit.compiler.check.data.overlays import check_corrections
        from rulekit.compiler.check.lints.suppressions import allowed
        from rulekit.compiler.source.overlays import read_apart

        sink = Sink(texts=self.sink.texts, amount=self.sink.amount)
        for file in [] if self.overlays or self._is_library() else overlay_files(self.folder):
            of_file = Sink(texts=sink.texts, amount=sink.amount)
            changed = read_apart(file, self.folder, self.source(), of_file)
            if changed is not None and not of_file.errors:
                check_corrections(self.model(), self.source(), changed, of_file)
            shown = shown_path(file)
            allowed(
                {shown: sink.texts.get(shown, "")}, frozenset({shown}), changed is not None, of_file
            )
            sink.found += of_file.found
            sink.amount = of_file.amount
        return sink.in_order()

    def _of_situations(self, files: list[Path], names: bool) -> list[Diagnostic]:
        from rulekit.compiler.source.reversals import read_reversals, vet_reversals
        from rulekit.project.validate_situations import read_all, vet, vet_ids

        sink = Sink(texts=self.sink.texts, amount=self.sink.amount)
        found = read_all(files, sink, self.folder)
        ids = self.source().coverage_ids
        vet_ids(found, ids, self.source().excused, sink)
        reversals = read_reversals(self.folder, sink)
        if reversals is not None:
            covered = {
                str(each.plain()): each.span
                for situation in reversed(found)
                for each in reversed(situation.covered)
            }
            vet_reversals(self.folder, reversals, covered, ids, sink)
        if names:
            vet(Game(self.info(), self.program), found, sink)
        return sink.in_order()

    def _is_library(self) -> bool:
        return self._source is not None and self._source.manifest.get("rulekit") == "library"

    def missing_texts(self, language: str) -> dict[str, str]:
        """Return the keys that have no text in a language, with the English text if any."""
        model = self.model()
        english, has = model.texts.get("en", {}), model.texts.get(language, {})
        return {
            key: english.get(key) or text
            for key, text in model.wanted_texts.items()
            if key not in has and not (language == "en" and text)
        }

    def provenance(self) -> dict[str, int]:
        """Return the number of data by origin: from the text, derived or assumed."""
        counts: dict[str, int] = {}
        for kind in self.source().kinds:
            for member in kind.members:
                for origin in member.sources.values():
                    counts[origin.kind] = counts.get(origin.kind, 0) + 1
        return counts

    def info(self) -> GameInfo:
        """Return the description of the game."""
        found = self.cache.get("info")
        if isinstance(found, GameInfo):
            return found
        info = _info(self.source(), self.model(), self.digest)
        self.cache.put("info", info)
        return info

    def compiled(self) -> Compiled:
        """Return the compiled game."""
        with self._lock:
            if self._compiled is None:
                found = self.cache.get("compiled")
                made = found if isinstance(found, Compiled) else self._compile()
                self._compiled = made.with_code(
                    Variants(lambda v: self._text(v).python),
                    Variants(lambda v: self._text(v).places),
                    Variants(self._code),
                )
            return self._compiled

    def program(self, scenario: str, rulings: dict[str, str]) -> Program:
        """Return the program of a scenario under rulings."""
        return self.compiled().bind(scenario, rulings)

    def _compile(self) -> Compiled:
        """Compile the game. Print the variants that print fast, to avoid a second lowering."""
        from rulekit.project.startup_check import at_work

        compilation = self._in_compilation()
        with at_work(self.sink.texts):
            made = compilation.compiled()
            texts = {variant: compilation.text(variant) for variant in (FULL, FAST)}
            native = compilation.native() if self.wants_native else None
        self.cache.put("compiled", made)
        for variant, text in texts.items():
            self._keep_text(variant, text)
        if native is not None:
            self._keep_native(native)
        return made

    @paused()
    def _in_compilation(self) -> Compilation:
        """Return the compilation of the checked model, whether checked here or before.

        Raises:
            RulekitError: the files differ from those of the compiled game.
        """
        with self._lock:
            if self._compilation is None:
                from rulekit.compiler.compiler import Compilation
                from rulekit.project.startup_check import at_work

                kept, before = self._model or self.cache.get("model"), self._compiled
                if (
                    kept is None
                    and before is not None
                    and quick_hash(self.folder, self.overlays) != self.digest
                ):
                    raise RulekitError(_("the files of the game have changed since it was loaded"))
                compilation = Compilation(kept or self.model())
                with at_work(self.sink.texts):
                    digest = compilation.compiled().digest
                if before is not None and digest != before.digest:
                    raise RulekitError(_("the files of the game have changed since it was loaded"))
                self._compilation = compilation
            return self._compilation

    def _text(self, variant: str) -> Text:
        """Return the text of a variant."""
        if variant not in self._texts:
            found = self.cache.get(f"text {variant}")
            if isinstance(found, Text):
                self._texts[variant] = found
            else:
                from rulekit.project.startup_check import at_work

                compilation = self._in_compilation()
                with at_work(self.sink.texts):
                    text = compilation.text(variant)
                self._keep_text(variant, text)
        return self._texts[variant]

    def _keep_text(self, variant: str, text: Text) -> None:
        self._texts[variant] = text
        self.cache.put(f"text {variant}", text)

    @paused()
    def _code(self, variant: str) -> CodeType:
        """Return the code of a variant."""
        found = self.cache.get(f"code {variant}")
        if isinstance(found, bytes):
            return thawed(found)
        from rulekit.project.startup_check import at_work

        program = self.compiled().program
        with at_work(self.sink.texts, program):
            made = from_text(program, variant)
        self.cache.put(f"code {variant}", frozen(made))
        return made

    def native(self, make: bool = True) -> Native | NoNative | None:
        """Return the game's WebAssembly module, or the reason why it has none.

        It is built from the folder as it was loaded. If those files have changed, there is none.

        Args:
            make: build the module if necessary. Without it, the result is None if it is not built
                yet.
        """
        if self._native is None:
            found = self.cache.get("native")
            self._native = found if isinstance(found, Native | NoNative) else None
        if self._native is None and make:
            self.compiled()
        if self._native is None and make:
            from rulekit.project.startup_check import at_work

            try:
                compilation = self._in_compilation()
            except RulekitError as error:
                return NoNative(str(error))
            with at_work(self.sink.texts):
                made = compilation.native()
            self._keep_native(made)
        return self._native

    def _keep_native(self, made: Native | NoNative) -> None:
        self._native = made
        self.cache.put("native", made)


def _info(source: GameSource, model: Model, digest: str) -> GameInfo:
    manifest: dict[str, Any] = source.manifest
    scenarios = tuple((name, str(s.title or name)) for name, s in model.scenarios.items())
    default = str(manifest.get("default_scenario") or (scenarios[0][0] if scenarios else ""))
    live = {r.name for r in model.rulings}
    rulings = tuple(
        RulingChoice(
            r.id,
            tuple(r.alternatives) if r.id in live else (),
            r.default,
            r.question,
            r.reason,
            tuple(r.ref),
            tuple(r.inventory),
            dict(r.alternatives),
        )
        for r in source.rulings
    )
    return GameInfo(
        source.name,
        str(manifest.get("title") or source.name),
        str(manifest.get("version", "")),
        scenarios,
        default,
        rulings,
        source.editions,
        manifest,
        digest,
    )


def load(
    path_or_name: str | Path,
    overlays: Sequence[str | Path] = (),
    lang: str = "en",
    native: bool = False,
) -> Game:
    """Return a game by path or name, checked and ready to play.

    Args:
        native: build the WebAssembly module when the game is compiled.

    Raises:
        GameError: the game has errors. It contains all diagnostics.
    """
    folder, files = find(path_or_name), [Path(each) for each in overlays]
    loader = Loader(folder, files, native)
    origin = (load, (str(folder.resolve()), tuple(str(file.resolve()) for file in files), lang))
    return Game(loader.info(), loader.program, lang, loader.compiled, loader.native, origin)
