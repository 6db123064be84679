"""The HTML page of a game review: a plot of the expectations at each decision, the turning points,
and the numbers.
"""

from __future__ import annotations

from html import escape

from rulekit.common.i18n.messages import Message, _, ngettext
from rulekit.engine.game.game import Game
from rulekit.engine.game.state import State
from rulekit.engine.kernel.names import Names
from rulekit.engine.search.game_review import LEAST_LOSS, GameReview, Judged
from rulekit.engine.search.search_agent import Effort
from rulekit.experiments import plots
from rulekit.experiments.html_page import document, figure, folded, header, table
from rulekit.experiments.plots import MARKERS, Series
from rulekit.presentation.drawing import drawing_of

RINGS = 12  # turning points that are drawn and listed. The table has all


def review_page(game: Game, state: State, found: GameReview, effort: Effort) -> str:
    """Return the page, in the language of the state."""
    return _Page(game, state, found, effort).html()


def outcome(names: Names, found: GameReview) -> str:
    """Return how the game ended."""
    if not found.over:
        return names.say(_("the game is not over"))
    if not found.winner:
        return names.say(_("nobody won"))
    winner = names.label(names.program.sides, names.side(found.winner))
    return names.say(_("{who} won", who=winner))


def turning_points(number: int) -> Message:
    """Return how many turning points there are."""
    return (
        ngettext("{n} turning point", "{n} turning points", number)
        if number
        else _("no turning points")
    )


class _Page:
    def __init__(self, game: Game, state: State, found: GameReview, effort: Effort) -> None:
        self.state, self.found, self.effort, self.names = state, found, effort, state.names
        self.game = self.names.text("title", game.title)
        self.title = self.say(_("{game}: the course of a game", game=self.game))
        looks = drawing_of(self.names)["sides"]
        self.series = [
            Series(self.side(side), looks[side]["colour"], MARKERS[i % len(MARKERS)])
            for i, side in enumerate(found.sides)
        ]

    def say(self, message: Message) -> str:
        return self.names.say(message)

    def side(self, side: str) -> str:
        return self.names.label(self.names.program.sides, self.names.side(side))

    def html(self) -> str:
        """Return the whole page."""
        found, program = self.found, self.names.program
        scenario = self.names.text(
            f"scenario.{program.scenario}",
            dict(program.scenarios).get(program.scenario, program.scenario),
        )
        scenario = "" if scenario == self.game else scenario
        each = f"{self.effort.visits:,}" if self.effort.visits else f"{self.effort.seconds:g} s"
        facts = [
            (self.say(_("game")), self.game),
            (self.say(_("scenario")), scenario),
            (
                self.say(_("result")),
                outcome(self.names, found),
            ),
            (self.say(_("decisions")), f"{len(found.decisions)} / {found.choices}"),
            (self.say(_("visits each")), each),
        ]
        head = header(
            self.title,
            [(name, value) for name, value in facts if value],
            self.say(
                _(
                    "Made by a tree search: at each decision it looked for the best"
                    " choice from the seat of who decided, by what he might know then."
                    " A turning point is a decision in which what was chosen was worth"
                    " less than the best by at least {least}, and by twice the standard"
                    " error of the comparison. The search plays well, not perfectly: a"
                    " turning point is a place to look at.",
                    least=str(LEAST_LOSS),
                )
            ),
        )
        return document(self.names.lang, self.title, head + self._expectations() + self._points())

    def _expectations(self) -> str:
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
            self.say(_("expected lead ({total})", total=self.found.total))
            if self.found.total
            else self.say(_("expected chance to win"))
        )
        picture = plots.review(
            lines, rings, self.series, (self.say(_("choice")), axis), not self.found.total, axis
        )
        heads = (
            self.say(_("side")),
            self.say(_("what was chosen")),
            self.say(_("what was better")),
            self.say(_("choice")),
            axis,
            self.say(_("loss")),
            self.say(_("visits")),
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
        numbers = folded(self.say(_("numbers")), table(heads, rows, 3))
        caption = self.say(
            _(
                "Each point is a decision of its side that was not forced, with the"
                " best choice there; the numbered rings are the turning points of"
                " the list, the worst first."
            )
        )
        return (
            f"<section>\n<h2>{escape(self.say(_('The course of the game')))}</h2>\n"
            f"{figure(picture, caption)}{numbers}</section>\n"
        )

    def _points(self) -> str:
        points = self.found.turning_points
        note = "" if points else f"<p>{escape(self.say(turning_points(0)))}</p>\n"
        heads = [
            "",
            self.say(_("side")),
            self.say(_("what was asked")),
            self.say(_("what was chosen")),
            self.say(_("what was better")),
            self.say(_("choice")),
            self.say(_("loss")),
        ]
        leads = self.found.total is not None
        heads += [self.say(_("lead then")), self.say(_("lead missed"))] if leads else []
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
        head = self.say(_("Turning points"))
        return f"<section>\n<h2>{escape(head)}</h2>\n{note}{listed}</section>\n"


def _value(judged: Judged) -> float | None:
    if judged.lead is not None:
        return judged.lead
    return judged.chance.share if judged.chance else None


def _shown(judged: Judged, lead: float | None) -> str:
    if lead is not None:
        return f"{lead:+.1f}"
    return f"{100 * judged.chance.share:.1f} %" if judged.chance else "-"
