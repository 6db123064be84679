"""Play many games in this process, with the engine that the command line would choose."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.game.game import Game
from rulekit.engine.simulation.native_ranges import AUTO, ENGINES, NATIVE, native_ranges
from rulekit.engine.simulation.ranges import make_order, report
from rulekit.engine.simulation.tally import Tally
from rulekit.experiments.executor import GameBatch, Job
from rulekit.experiments.scheduler import Sums, work_off


def simulate(
    game: Game,
    games: int,
    seed: int = 0,
    scenario: str | None = None,
    rulings: Mapping[str, str] | None = None,
    seats: Mapping[str, str] | None = None,
    coverage: int = 0,
    engine: str = AUTO,
) -> dict[str, Any]:
    """Play many games in this process and return the report as plain data.

    All engines give the same results. The report's `natively` is the number of games that the
    native module played.

    Args:
        coverage: watch one game in this many (True: all) and count its events, phases and options.
        engine: python, native or auto. With `auto`, the native module is used if it exists, or is
            compiled if the games take long enough.

    Raises:
        NotNative: the engine is `native` and cannot be used. The message gives the reason.
    """
    if engine not in ENGINES:
        raise RulekitError(
            _(
                "there is no engine {name}; there are {known}",
                name=repr(engine),
                known=", ".join(ENGINES),
            )
        )
    order = make_order(game, games, seed, scenario, rulings, seats or {}, coverage)
    if engine == NATIVE:
        native_ranges(game, order)
    sums, begin = Sums([Tally()]), time.perf_counter()
    work_off([game], [Job(order, engine=engine)], [GameBatch(0, 0, games)], sums.hear, processes=1)
    return {
        **report(game, order, sums.tallies[0], time.perf_counter() - begin),
        "natively": sums.natively,
    }


__all__ = ["simulate"]
