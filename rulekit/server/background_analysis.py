"""Long analyses for a page. They run in a thread and can be stopped from another one."""

from __future__ import annotations

import time
from collections.abc import MutableMapping
from typing import Any, assert_never

from attrs import evolve

from rulekit.common.errors import IllegalChoice
from rulekit.common.i18n.messages import _
from rulekit.engine.game.state import State
from rulekit.engine.search.analysis import GAMES, LINES, Analysis, Analyst
from rulekit.engine.search.game_review import Judged, ReviewPart, part
from rulekit.engine.search.mcts import aims
from rulekit.engine.search.search_agent import Effort, SearchAgent
from rulekit.presentation.seat import Seat
from rulekit.server import protocol

VISITS = 1000  # of each decision of a review
VISITS_IN_PYTHON = 100
STEP = 0.4  # seconds of a review that are told at a time
QUICK, MORE = 20, 20  # random games of a line, and so many more for each second

Known = MutableMapping[int, Judged | None]


class Study:
    """An analysis of a state that nobody changes meanwhile, for one seat and language.

    Args:
        over: True if the game has ended.
    """

    def __init__(
        self, state: State, seat: str | None, lang: str | None, over: bool = False
    ) -> None:
        self.sits = Seat(state, seat, lang, over)
        self.observer = self.sits.observer
        self.state = self.observer.state
        self.agent = SearchAgent(0, Effort(), given=aims(state.table.program))

    def end(self) -> None:
        """Stop the search. It returns soon, with its results so far."""
        self.agent.end()

    def answer(
        self, request: protocol.Analyse | protocol.ReviewRequest, known: Known
    ) -> dict[str, Any]:
        """Return the analysis or review that a page asked for, as plain data. Raise `IllegalChoice`
        if it was stopped before it began.
        """
        if self.agent.ended:
            raise IllegalChoice(_("it was cancelled before it began"))
        match request:
            case protocol.Analyse(seconds=seconds):
                return self.analysis(seconds).to_json()
            case protocol.ReviewRequest(begin=begin):
                return self.review(begin, known).to_json()
            case _:
                assert_never(request)

    def analysis(self, seconds: float) -> Analysis:
        """Return the best variations for the seat, computed from its knowledge. Raise
        `IllegalChoice` if the seat is not asked.
        """
        if (
            self.state.is_terminal()
            or self.observer.me < 0
            or self.state.current_player() != self.observer.me
        ):
            raise IllegalChoice(_("it is another player's decision"))
        self.agent.effort = effort(seconds)
        games = (
            min(GAMES, round(QUICK + MORE * seconds))
            if self.agent.machine_of(self.state.table)
            else None
        )
        found = Analyst(self.state, self.agent, 0).analysis(LINES, games)
        return evolve(found, choice=self.sits.history.now + 1)

    def review(self, begin: int, known: Known) -> ReviewPart:
        """Review some decisions of a finished game from a choice on, for about `STEP` seconds.

        Args:
            known: the decisions reviewed before, in this language.
        """
        self.agent.effort = Effort(
            0.0, VISITS if self.agent.machine_of(self.state.table) else VISITS_IN_PYTHON
        )
        until = time.perf_counter() + STEP
        return part(self.state, begin, self.agent, lambda: time.perf_counter() > until, known)


def effort(seconds: float) -> Effort:
    """Return the search effort for a number of seconds."""
    return Effort(seconds)
