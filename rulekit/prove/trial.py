"""Run a situation against a game whose rules may be changed, quickly and within a bound."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, cast

from rulekit.common.errors import RulekitError
from rulekit.common.gc_pause import paused
from rulekit.engine.game.game import Game
from rulekit.engine.game.setup import WrongSetup, base
from rulekit.engine.game.state import State
from rulekit.engine.kernel.instrumented_code import WatchedCode
from rulekit.engine.kernel.tracer import Tracer
from rulekit.engine.testing.expectations import check
from rulekit.engine.testing.runner import Case, SituationRun, is_traced, play
from rulekit.runtime.variants import FAST

ENDLESS = "play does not end"


class _TraceWanted(Exception):
    """Raised when an expectation asks for a value that only traced code records."""


class _Untraced:
    """Takes the place of a tracer where expectations compute all values themselves."""

    def asked(self, *_: object) -> None:
        """Do nothing: nobody counts clauses."""

    def __getattr__(self, name: str) -> Any:
        raise _TraceWanted


class _Endless(BaseException):
    """Raised when a situation takes far too long. Emitted code does not catch it."""


def needs_trace(game: Game, case: Case) -> bool:
    """Return True if the expectations of a situation need traced code. It must pass."""
    if any(e.word == "applies" for e in case.then):
        return True
    try:
        _first(game, case, lambda state: cast("Tracer", _Untraced()))
    except _TraceWanted:
        return True
    return False


def fails(game: Game, case: Case, seconds: float = 0) -> str:
    """Return the first failure of a situation, or ''.

    Args:
        seconds: the processor time after which play counts as endless (0: no bound).
    """
    try:
        _prepare(game, case)
        return _failure(game, case, lambda state: cast("Tracer", _Untraced()), seconds)
    except _TraceWanted:
        _prepare(game, case, traced=True)
        return _failure(game, case, _watched, seconds)


def _prepare(game: Game, case: Case, traced: bool = False) -> None:
    """Load the code that a situation runs, so that its first use does not count as play."""
    try:
        table = game.table(case.scenario, case.rulings)
        if traced and table.watched is None:
            table.watched = WatchedCode(table.program)
        if any(e.word == "seat" for e in case.then):
            table.program.code(FAST)
    except RulekitError:
        return  # the situation reports it


def _failure(game: Game, case: Case, watch: Callable[[State], Tracer], seconds: float) -> str:
    try:
        with paused(), _bounded(seconds):
            return _first(game, case, watch)
    except _TraceWanted:
        raise
    except _Endless:
        return ENDLESS
    except Exception as error:  # a mutant may break what the checks of the rules guarantee
        return f"{type(error).__name__}: {error}"


def _first(game: Game, case: Case, watch: Callable[[State], Tracer]) -> str:
    """Run a situation up to its first failure, and return that without advice, or ''."""
    try:
        state = base(game, case)
        situation = SituationRun(case, state, watch(state) if is_traced(case) else None)
        play(situation)
        found = (check(state, situation.tracer, e.word, e.subject, e.value) for e in case.then)
        return next((why for why in found if why), "")
    except (WrongSetup, RulekitError) as error:
        return str(error) or type(error).__name__


def _watched(state: State) -> Tracer:
    tracer = Tracer(state)
    tracer.start(clauses=True)
    return tracer


@contextmanager
def _bounded(seconds: float) -> Iterator[None]:
    """Raise `_Endless` after this processor time. Systems without such timers have no bound."""
    if (
        not seconds
        or not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _ring(_: int, __: FrameType | None) -> None:
    raise _Endless
