"""The library of playable games, which loads a game on first use and lists games and tables."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock

from rulekit.common.errors import GameError, RulekitError
from rulekit.common.i18n.messages import _
from rulekit.compiler.source.locate import known_games
from rulekit.engine.game.game import Game
from rulekit.engine.kernel.bound_program import languages
from rulekit.engine.kernel.names import tidy
from rulekit.engine.saves.save_format import parse_save
from rulekit.engine.search.agent_registry import HUMAN, agents_of, seat_description
from rulekit.project.loader import find, load
from rulekit.server.catalogue import ListedTable, Playable, RulingOffered, Titled
from rulekit.server.rule_pins import Pin, pin, unpinned
from rulekit.server.storage import TableRow


class Library:
    """The games that can be played: the installed ones and the named folders. It may be used from
    any thread.

    Attributes:
        given: the name of the first named game, or "".
        broken: the error messages of games that could not be loaded.
    """

    def __init__(
        self, named: Sequence[str | Path] = (), load: Callable[[str | Path], Game] = load
    ) -> None:
        self._load = load
        self._lock = Lock()
        self._locks: dict[str, Lock] = {}  # games of what is kept, one at a time of each digest
        self._games: dict[str, Game] = {}
        self._pins: dict[
            int, tuple[Game, Pin | None]
        ] = {}  # of each game, also of those that tables are pinned to
        self._folder: Path | None = None  # of the files of these, while the program runs
        self._where: dict[str, str | Path] = {name: name for name in known_games()}
        self.broken: dict[str, str] = {}
        self.given = ""
        for path in named:
            folder = find(path)
            game = load(folder)
            self._where[game.name] = path
            self._games[game.name] = game
            self._pins[id(game)] = (game, pin(game, folder))
            self.given = self.given or game.name

    def pin(self, game: Game) -> Pin | None:
        """Return the packed files of a game of this library, or None."""
        with self._lock:
            return self._pins.get(id(game), (game, None))[1]

    def pinned(self, digest: str, body: Callable[[str], bytes | None]) -> Game:
        """Return the game with a digest, from memory or unpacked from its stored bytes. Raise
        `RulekitError` if that fails.
        """
        with self._lock:
            lock = self._locks.setdefault(digest, Lock())
        with lock:
            return self._here(digest) or self._made(digest, body(digest))

    def _here(self, digest: str) -> Game | None:
        with self._lock:
            return next(
                (
                    game
                    for game, known in self._pins.values()
                    if known is not None and known.digest == digest
                ),
                None,
            )

    def _made(self, digest: str, body: bytes | None) -> Game:
        if body is None:
            raise RulekitError(
                _("this version of the program does not know the rules with which this game began")
            )
        game = unpinned(body, Path(mkdtemp(dir=self._files())))
        with self._lock:
            self._pins[id(game)] = (game, Pin(digest, game.name, body))
        return game

    def _files(self) -> Path:
        with self._lock:
            if self._folder is None:
                self._folder = Path(mkdtemp(prefix="rulekit-"))
                weakref.finalize(self, shutil.rmtree, self._folder, True)
            return self._folder

    @property
    def names(self) -> list[str]:
        """The names of the games. The first named one comes first."""
        return sorted(
            self._where, key=lambda name: (name not in self._games or name != self.given, name)
        )

    def game(self, name: str) -> Game:
        """Load a game.

        Raises:
            RulekitError: the game is not installed.
            GameError: the game has errors.
        """
        with self._lock:
            if name not in self._where:
                raise RulekitError(_("no game {name} is installed here", name=repr(name)))
            if name not in self._games:
                folder = find(self._where[name])
                game = self._games[name] = self._load(folder)
                self._pins[id(game)] = (game, pin(game, folder))
            return self._games[name]

    def side(self, name: str, lang: str, side: str) -> str:
        """Return the readable name of a side, in a language if the game has it. Return its id if
        the game is missing.
        """
        try:
            table = self.game(name).table()
            names = table.in_language(lang if lang in languages(table.program) else "en").names
            return names.label(table.program.sides, names.side(side))
        except RulekitError:
            return side

    def playable(self, lang: str) -> list[Playable]:
        """Return the playable games, in a language if they have it. Games with errors are left out
        and recorded in `broken`.
        """
        return list(self._playable(lang))

    def _playable(self, lang: str) -> Iterable[Playable]:
        for name in self.names:
            try:
                yield _offer(self.game(name), lang)
            except GameError as error:
                self.broken[name] = str(error)


def _offer(game: Game, lang: str) -> Playable:
    table = game.table()
    spoken = languages(table.program)
    names = table.in_language(lang if lang in spoken else "en").names
    info = game.info
    scenarios = [Titled(id, names.text(f"scenario.{id}", title)) for id, title in info.scenarios]
    rulings = [
        RulingOffered(
            r.name,
            r.question,
            r.default,
            [Titled(each, r.texts.get(each, "")) for each in r.alternatives],
        )
        for r in info.rulings
        if r.alternatives
    ]
    return Playable(
        game.name,
        names.text("title", game.title),
        info.version,
        spoken,
        scenarios,
        info.default_scenario,
        [Titled(each, names.text(f"edition.{each}", tidy(each))) for each in info.editions],
        rulings,
        [Titled(side, names.label(table.program.sides, i)) for i, side in enumerate(names.sides)],
        [Titled(seat, seat_description(names, seat)) for seat in (HUMAN, *_agents(game))],
    )


def _agents(game: Game) -> Iterable[str]:
    """Return the programs that can play a game."""
    return agents_of(game.new(seed=0))


def listed(row: TableRow, library: Library, lang: str) -> ListedTable:
    """Return a table for a list, in a language. If its game is missing, ids stand in place of
    names.
    """
    try:
        header = parse_save(row.header).header
        game = library.game(row.game)
        table = game.table()
        names = table.in_language(lang if lang in languages(table.program) else "en").names
    except RulekitError:
        return ListedTable(
            row.id,
            row.game,
            row.game,
            "",
            row.seats,
            row.choices,
            row.decides,
            row.result,
            row.changed,
        )
    scenario, result = str(header["scenario"]), row.result
    if row.result is not None:
        winner, level = row.result.split(":", 1)
        result = names.text(f"level.{level}", tidy(level))
        if winner:
            result = f"{names.label(table.program.sides, names.side(winner))}{names.colon}{result}"
    titles = dict(game.info.scenarios)
    return ListedTable(
        row.id,
        row.game,
        names.text("title", game.title),
        names.text(f"scenario.{scenario}", titles.get(scenario, scenario)),
        row.seats,
        row.choices,
        row.decides,
        result,
        row.changed,
    )
