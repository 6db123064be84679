"""Expand a sweep file into runs: every combination of scenarios, rulings, seats and overlays,
checked against the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from attrs import define, field, frozen

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink, guess
from rulekit.common.diagnostics.span import Span
from rulekit.common.errors import GameError, RulekitError
from rulekit.compiler.source.game_source import Datum
from rulekit.compiler.source.sweeps import Sweep, SweepSetting, read_sweep
from rulekit.compiler.source.text_file import shown_path
from rulekit.engine.game.game import Game
from rulekit.engine.search.agent_registry import AGENTS, HUMAN, is_agent
from rulekit.engine.simulation.ranges import RANDOM, Order
from rulekit.project.loader import find, load
from rulekit.runtime.seeds import check_seed

UNKNOWN, TOO_MANY_RUNS = "RK624", "RK625"
MOST_RUNS = 10_000


@frozen
class SweepRun:
    """A single run of a sweep.

    Attributes:
        game: the index of its game in the plan.
        order: the games to play.
        edition: the named set of rulings, if one was chosen.
        overlays: the names of the overlay files.
    """

    game: int
    order: Order
    edition: str | None
    overlays: tuple[str, ...]


@define
class SweepPlan:
    """The games, one for each set of overlays, and the runs."""

    title: str
    games: list[Game]
    runs: list[SweepRun] = field(factory=list)


def plan_of(path: Path, lang: str = "en") -> SweepPlan:
    """Read and check a sweep file. Raise `GameError` with all problems found."""
    sink = Sink()
    sweep = read_sweep(path, sink)
    plan = _Reader(sweep, sink, lang).plan() if sweep is not None else None
    if plan is None or sink.errors:
        raise GameError(sink.in_order(), sink.texts)
    return plan


class _Reader:
    def __init__(self, sweep: Sweep, sink: Sink, lang: str) -> None:
        self.sweep, self.sink, self.lang = sweep, sink, lang

    def plan(self) -> SweepPlan | None:
        """Return the runs in order of scenarios, then rulings, seats and overlays. Return None if
        there are errors.
        """
        sweep = self.sweep
        folder = self._folder()
        overlays = [self._files(each) for each in sweep.overlays]
        if folder is None or self.sink.errors:
            return None
        games = [load(folder, each, self.lang) for each in overlays]
        game = games[0]
        scenarios = self._scenarios(game)
        settings = [
            (scenario, each)
            for scenario in scenarios
            for setting in sweep.rulings
            for each in self._settings(game, scenario, setting)
        ]
        seats = [self._seats(game, each) for each in sweep.seats] or [
            dict.fromkeys(game.sides, RANDOM)
        ]
        many = len(settings) * len(seats) * len(overlays)
        if many > MOST_RUNS:
            self.sink.error(
                TOO_MANY_RUNS,
                sweep.game.span,
                f"the sweep has {many} runs",
                f"{MOST_RUNS} are the most: make several sweeps of it",
            )
        if self.sink.errors:
            return None
        check_seed(sweep.seed + int(sweep.games.plain()))
        runs = [
            SweepRun(
                at,
                Order(int(sweep.games.plain()), sweep.seed, scenario, rulings, plan, sweep.sample),
                edition,
                tuple(file.name for file in overlays[at]),
            )
            for scenario, (edition, rulings) in settings
            for plan in seats
            for at in range(len(games))
        ]
        return SweepPlan(sweep.title, games, runs)

    def _folder(self) -> Path | None:
        """Find the game: a folder next to the sweep file, or else an installed game of this
        name.
        """
        name = str(self.sweep.game.plain())
        try:
            beside = self.sweep.path.parent / name
            return find(beside if beside.is_dir() else name)
        except GameError as error:
            self._unknown(
                self.sweep.game.span,
                error.diagnostics[0].message,
                (),
                error.diagnostics[0].help
                or "write the folder as seen from this file, or the name of an installed game",
            )
            return None

    def _files(self, named: Iterable[Datum]) -> list[Path]:
        files = [(each, self.sweep.path.parent / str(each.plain())) for each in named]
        for each, file in files:
            if not file.is_file():
                message = f"there is no file of corrections {shown_path(file)!r}"
                self._unknown(each.span, message, (), "write its path as seen from this file")
        return [file for _, file in files]

    def _scenarios(self, game: Game) -> list[str | None]:
        if self.sweep.all_scenarios:
            return list(game.scenarios) or [None]
        for each in self.sweep.scenarios:
            if each.plain() not in game.scenarios:
                self._unknown(
                    each.span, f"{game.name} has no scenario {each.plain()!r}", game.scenarios
                )
        return [str(each.plain()) for each in self.sweep.scenarios] or [None]

    def _settings(
        self, game: Game, scenario: str | None, setting: SweepSetting
    ) -> list[tuple[str | None, dict[str, str]]]:
        """Expand an item of rulings into settings. For each ruling under `each`, there is one
        setting for every alternative that is not chosen anyway.
        """
        known = {ruling.name: ruling for ruling in game.info.rulings if ruling.alternatives}
        edition = None if setting.edition is None else str(setting.edition.plain())
        if setting.edition is not None and edition not in game.info.editions:
            self._unknown(
                setting.edition.span, f"{game.name} has no edition {edition!r}", game.info.editions
            )
            return []
        for name, value in setting.choose.items():
            if name not in known:
                self._unknown(value.key_span, f"{game.name} has no ruling {name!r}", known)
            elif value.plain() not in known[name].alternatives:
                self._unknown(
                    value.span,
                    f"the ruling {name!r} has no alternative {value.plain()!r}",
                    known[name].alternatives,
                )
        for each in setting.each:
            if each.plain() not in known:
                self._unknown(each.span, f"{game.name} has no ruling {each.plain()!r}", known)
        if self.sink.errors:
            return []
        chosen = game.rulings(
            {name: str(value.plain()) for name, value in setting.choose.items()}, edition
        )
        if not setting.each:
            return [(edition, chosen)]
        holds = {ruling.name: ruling.chosen for ruling in game.program(scenario, chosen).rulings}
        return [
            (edition, {**chosen, str(each.plain()): alternative})
            for each in setting.each
            for alternative in known[str(each.plain())].alternatives
            if holds.get(str(each.plain())) != alternative
        ]

    def _seats(self, game: Game, given: dict[str, Datum]) -> dict[str, str]:
        plan = dict.fromkeys(game.sides, RANDOM)
        for side, who in given.items():
            if side and side not in plan:
                self._unknown(who.key_span, f"{game.name} has no side {side!r}", game.sides)
            if who.plain() == HUMAN:
                self.sink.error(
                    UNKNOWN,
                    who.span,
                    "a person cannot sit in a sweep",
                    f"expected one of {', '.join(AGENTS)}",
                )
            elif not is_agent(str(who.plain())):
                self._unknown(who.span, f"there is no seat {who.plain()!r}", AGENTS)
            plan.update(dict.fromkeys([side] if side else game.sides, str(who.plain())))
        return plan

    def _unknown(self, span: Span, message: str, known: Iterable[str], help: str = "") -> None:
        names: Sequence[str] = list(known)
        advice = (
            help
            or guess(message.rsplit("'", 2)[-2], names)
            or f"expected one of {', '.join(names)}"
            if names or help
            else ""
        )
        self.sink.add(Diagnostic(UNKNOWN, message, span, advice or "the game has none"))


__all__ = ["RulekitError", "SweepPlan", "SweepRun", "plan_of"]
