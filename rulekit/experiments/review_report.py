"""The HTML page of a game review: a plot of the expectations at each decision, the turning points,
and the numbers."""

from __future__ import annotations

from html import escape
from typing import Any

from rulekit.common.i18n.catalog import filled
from rulekit.engine.game.game import Game
from rulekit.engine.game.state import State
from rulekit.engine.search.game_review import LEAST_LOSS, GameReview, Judged
from rulekit.engine.search.search_agent import Effort
from rulekit.experiments import plots
from rulekit.experiments.html_page import document, figure, folded, header, table
from rulekit.experiments.plots import MARKERS, Series
from rulekit.presentation.drawing import drawing_of

RINGS = 12  # turning points that are drawn and listed. The table has all


def course_page(game: Game, state: State, found: GameReview, effort: Effort) -> str:
    """Return the page, in the language of the state."""
    return _Page(game, state, found, effort).html()


class _Page:
    def __init__(self, game: Game, state: State, found: GameReview, effort: Effort) -> None:
        self.state, self.found, self.effort, self.names = state, found, effort, state.names
        self.game = self.names.text("title", game.title)
        self.title = self.say("title", game=self.game)
        looks = drawing_of(self.names)["sides"]
        self.series = [
            Series(self.side(side), looks[side]["colour"], MARKERS[i % len(MARKERS)])
            for i, side in enumerate(found.sides)
        ]

    def say(self, key: str, **params: Any) -> str:
        return filled(
            self.names.lang,
            f"analyse.{key}",
            **{name: str(value) for name, value in params.items()},
        )

    def side(self, side: str) -> str:
        return self.names.label(self.names.program.sides, self.names.side(side))

    def html(self) -> str:
        """Return the whole page."""
        found, program = self.found, self.names.program
        won = "open" if not found.over else "won" if found.winner else "drawn"
        scenario = self.names.text(
            f"scenario.{program.scenario}",
            dict(program.scenarios).get(program.scenario, program.scenario),
        )
        scenario = "" if scenario == self.game else scenario
        each = f"{self.effort.visits:,}" if self.effort.visits else f"{self.effort.seconds:g} s"
        facts = [
            (filled(self.names.lang, "study.game"), self.game),
            (filled(self.names.lang, "study.scenario"), scenario),
            (
                self.say("result"),
                self.say(won, who=self.side(found.winner)) if found.winner else self.say(won),
            ),
            (self.say("decisions"), f"{len(found.decisions)} / {found.choices}"),
            (self.say("each"), each),
        ]
        head = header(
            self.title,
            [(name, value) for name, value in facts if value],
            self.say("how", least=LEAST_LOSS),
        )
        return document(self.names.lang, self.title, head + self._course() + self._points())

    def _course(self) -> str:
        lines = [
            [
                (each.choice, value)
                for each in self.found.decisions
                if each.side == side and (value := _value(each)) is not None
            ]
            for side in self.found.sides
        ]
        if not any(lines):
            return ""
        rings = [(each.choice, _value(each) or 0.0) for each in self.found.turning_points[:RINGS]]
        axis = (
            self.say("course_lead", total=self.found.total)
            if self.found.total
            else self.say("course_chance")
        )
        picture = plots.course(
            lines, rings, self.series, (self.say("choice"), axis), not self.found.total, axis
        )
        heads = (
            self.say("who"),
            self.say("was"),
            self.say("were"),
            self.say("choice"),
            axis,
            self.say("loss"),
            self.say("visits"),
        )
        rows = [
            (
                self.side(each.side),
                each.chosen.label,
                each.best.label,
                str(each.choice),
                _shown(each, each.lead),
                f"{each.loss:.2f}",
                f"{each.best_visits:,}",
            )
            for each in self.found.decisions
        ]
        numbers = folded(filled(self.names.lang, "study.numbers"), table(heads, rows, 3))
        return (
            f"<section>\n<h2>{escape(self.say('course'))}</h2>\n"
            f"{figure(picture, self.say('caption'))}{numbers}</section>\n"
        )

    def _points(self) -> str:
        points = self.found.turning_points
        told = "" if points else f"<p>{escape(self.say('turning', n=0))}</p>\n"
        heads = [
            "",
            self.say("who"),
            self.say("asked_what"),
            self.say("was"),
            self.say("were"),
            self.say("choice"),
            self.say("loss"),
        ]
        leads = self.found.total is not None
        heads += [self.say("lead_was"), self.say("lead_were")] if leads else []
        rows = []
        for number, each in enumerate(points[:RINGS], 1):
            row = [
                str(number),
                self.side(each.side),
                each.prompt,
                each.chosen.label,
                each.best.label,
                str(each.choice),
                f"{each.loss:.2f}",
            ]
            rows.append(
                row + ([_shown(each, each.lead_chosen), _shown(each, each.lead)] if leads else [])
            )
        listed = table(heads, rows, 5) if points else ""
        return f"<section>\n<h2>{escape(self.say('points'))}</h2>\n{told}{listed}</section>\n"


def _value(judged: Judged) -> float | None:
    if judged.lead is not None:
        return judged.lead
    return judged.chance.share if judged.chance else None


def _shown(judged: Judged, lead: float | None) -> str:
    if lead is not None:
        return f"{lead:+.1f}"
    return f"{100 * judged.chance.share:.1f} %" if judged.chance else "-"
