"""The report of a study: one HTML page with plots and the numbers behind them.

The caption of each plot gives the number of games and the meaning of its intervals. Its numbers
follow as a table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from rulekit.common.i18n.messages import _
from rulekit.common.intervals import summary, wilson
from rulekit.engine.simulation.coverage import library_of
from rulekit.engine.simulation.results import final_scores, scores_at, turns_of
from rulekit.experiments import plots
from rulekit.experiments.html_page import document, figure, folded, header, table
from rulekit.experiments.plots import MARKERS, Picture, Series
from rulekit.experiments.run import (
    SORT_HEADS,
    SORTS,
    SUMMARY_HEADS,
    Run,
    facts_of,
    games_failed,
    names_of,
    never_in,
    seen_in,
)

MOST_ROWS = 30  # of a plot of occurrences. The table has all
MOST_PARTS = 8  # runs that are drawn next to each other


def page(entries: Sequence[Run], title: str = "") -> str:
    """Return the report. All entries must have the same game and the same sides."""
    return _Page(list(entries), title).html()


class _Page:
    def __init__(self, entries: list[Run], title: str) -> None:
        self.entries, self.first = entries, entries[0]
        self.title = title or self.first.title
        self.say = self.first.say
        self.sides = list(self.first.order.seats)
        self.games = sum(entry.tally.games for entry in entries)
        self.drawn = entries[:MOST_PARTS]
        colours = self.first.colours
        self.series = [
            Series(self.first.side(side), colours[side], MARKERS[i % len(MARKERS)])
            for i, side in enumerate(self.sides)
        ]
        self.called = {
            id(entry): name for entry, name in zip(entries, names_of(entries), strict=True)
        }

    def html(self) -> str:
        """Return the whole page."""
        lang = self.first.game.lang
        body = "".join(
            (
                self._head(),
                self._wins(),
                self._scores(),
                self._lengths(),
                self._occurrences(),
                self._failures(),
            )
        )
        return document(lang, self.title, body)

    # ------------------------------------------------------------------ head
    def _name(self, entry: Run) -> str:
        """Return the name that distinguishes a run from the others."""
        return self.called[id(entry)]

    def _head(self) -> str:
        entry, order = self.first, self.first.order
        runs = f" ({len(self.entries)} {self.say(_('runs'))})" if len(self.entries) > 1 else ""
        seeds = self.say(_("{low} to {high}", low=order.seed, high=order.seed + order.games - 1))
        facts = [
            (self.say(_("game")), entry.title),
            (self.say(_("games")), f"{self.games:,}{runs}"),
            (self.say(_("seeds of each run")), seeds),
        ]
        facts += [
            (head, value)
            for head, value in facts_of(entry).items()
            if all(facts_of(each)[head] == value for each in self.entries)
        ]
        return header(
            self.title,
            facts,
            self.say(
                _(
                    "Game number i has the seed of the run + i, so every number here"
                    " can be had again. Bars around shares are 95-percent intervals (Wilson):"
                    " where the true share of such games lies, as far as these games"
                    " tell. Random seats say how the rules lean, not how good players"
                    " fare."
                )
            ),
        )

    # ------------------------------------------------------------------ wins
    def _wins(self) -> str:
        drawn = any(entry.tally.wins[""] for entry in self.entries)
        who = [*self.sides, *([""] if drawn else [])]
        series = [
            *self.series,
            *(
                [Series(self.say(_("nobody")), "", MARKERS[len(self.sides) % len(MARKERS)])]
                if drawn
                else []
            ),
        ]
        rows: list[plots.Row] = []
        if len(self.entries) > 1:
            rows = [
                (self._name(entry), [(entry.tally.wins[side], entry.tally.games) for side in who])
                for entry in self.entries
            ]
        else:
            tally = self.first.tally
            rows = [
                (
                    series[i].label,
                    [(tally.wins[side], tally.games) if j == i else None for j in range(len(who))],
                )
                for i, side in enumerate(who)
            ]
            rows += [
                (
                    self.first.ended(winner, level),
                    [(n, tally.games) if side == winner else None for side in who],
                )
                for (winner, level), n in sorted(tally.results.items(), key=self._by_level)
                if winner
            ]
        picture = plots.shares(
            rows,
            series,
            self.say(_("share of the games")),
            self.say(_("shares of the games won by each side, with their intervals")),
        )
        caption = self.say(
            _(
                "Games in each run: {n}. The bars are 95-percent intervals (Wilson).",
                n=self._each_n(),
            )
        )
        lines = [
            (
                self._name(entry),
                entry.ended(winner, level),
                f"{n:,}",
                *_percents(n, entry.tally.games),
            )
            for entry in self.entries
            for (winner, level), n in sorted(entry.tally.results.items(), key=self._by_level)
        ]
        heads = (
            self.say(_("run")),
            self.say(_("winner and level")),
            self.say(_("games")),
            self.say(_("share")),
            self.say(_("95-percent interval")),
        )
        return self._section(self.say(_("Who wins")), [(picture, caption)], table(heads, lines, 2))

    def _by_level(self, item: tuple[tuple[str, str], int]) -> tuple[int, int]:
        (winner, level), __ = item
        levels = self.first.program.levels
        return self.sides.index(winner) if winner else len(self.sides), (
            levels.index(level) if level in levels else len(levels)
        )

    def _each_n(self) -> str:
        """Return the number of games of each run, as a range if they differ."""
        low, high = (pick(entry.tally.games for entry in self.entries) for pick in (min, max))
        return f"{low:,}" if low == high else f"{low:,} – {high:,}"

    # ------------------------------------------------------------------ scores
    def _scores(self) -> str:
        if self.first.measures.score < 0:
            return ""
        pictures = []
        name = self.first.score
        if self.first.measures.turns:
            parts = [
                (
                    self._part(entry),
                    {
                        turn: [scores_at(entry.tally, turn, side) for side in self.sides]
                        for turn in turns_of(entry.tally)
                    },
                )
                for entry in self.drawn
            ]
            picture = plots.by_turn(
                parts,
                self.series,
                (self.say(_("turn")), name),
                self.say(_("{score} of each side as the turns end", score=name)),
            )
            pictures.append(
                (
                    picture,
                    self.say(
                        _(
                            "Games in each run: {n}. As each turn ends: line, the median;"
                            " dark band, the middle half of the games; pale band, nine tenths."
                            " Games that ended earlier count up to their last turn.",
                            n=self._each_n(),
                        )
                    )
                    + self._only_some(),
                )
            )
        finals = [
            (self._part(entry), [final_scores(entry.tally, side) for side in self.sides])
            for entry in self.drawn
        ]
        pictures.append(
            (
                plots.histogram(
                    finals,
                    self.series,
                    name,
                    self.say(_("{score} of each side when the games ended", score=name)),
                ),
                self.say(
                    _(
                        "Games in each run: {n}. The bars show how many of them ended with each"
                        " score of each side.",
                        n=self._each_n(),
                    )
                )
                + self._only_some(),
            )
        )
        lines = []
        for entry in self.entries:
            for turn in turns_of(entry.tally) if self.first.measures.turns else []:
                lines += [
                    (
                        self._name(entry),
                        str(turn),
                        entry.side(side),
                        *_summed(scores_at(entry.tally, turn, side)),
                    )
                    for side in self.sides
                ]
            lines += [
                (
                    self._name(entry),
                    self.say(_("end")),
                    entry.side(side),
                    *_summed(final_scores(entry.tally, side)),
                )
                for side in self.sides
            ]
        heads = (
            self.say(_("run")),
            self.say(_("turn")),
            self.say(_("side")),
            *map(self.say, SUMMARY_HEADS.values()),
        )
        return self._section(name, pictures, table(heads, lines, 3))

    def _part(self, entry: Run) -> str:
        return self._name(entry) if len(self.entries) > 1 else ""

    def _only_some(self) -> str:
        return (
            " "
            + self.say(
                _(
                    "The first {n} of {all} runs are drawn; the table has all.",
                    n=len(self.drawn),
                    all=len(self.entries),
                )
            )
            if len(self.drawn) < len(self.entries)
            else ""
        )

    # ------------------------------------------------------------------ length
    def _lengths(self) -> str:
        plain = [Series("")]
        pictures = []
        turns = self.first.measures.turns and any(
            len(entry.tally.turns) > 1 for entry in self.entries
        )
        for name, of in (
            (self.say(_("turns per game")), "turns"),
            (self.say(_("decisions per game")), "lengths"),
        ):
            if (turns or of == "lengths") and any(
                len(getattr(entry.tally, of)) > 1 for entry in self.drawn
            ):
                parts = [(self._part(entry), [getattr(entry.tally, of)]) for entry in self.drawn]
                caption = (
                    self.say(_("{what}. Games in each run: {n}.", what=name, n=self._each_n()))
                    + self._only_some()
                )
                pictures.append((plots.histogram(parts, plain, name, name), caption))
        lines = [
            (self._name(entry), name, *_summed(counts))
            for entry in self.entries
            for name, counts in (
                (self.say(_("turns per game")), entry.tally.turns),
                (self.say(_("decisions per game")), entry.tally.lengths),
            )
            if name == self.say(_("decisions per game")) or entry.measures.turns
        ]
        return self._section(
            self.say(_("How long it lasts")),
            pictures,
            table((self.say(_("run")), "", *map(self.say, SUMMARY_HEADS.values())), lines, 2),
        )

    # ------------------------------------------------------------------ what occurs
    def _occurrences(self) -> str:
        seen, watched = seen_in(self.entries)
        if not watched:
            return ""
        out = []
        for sort in SORTS:
            counts: Counter[str] = getattr(seen, sort)
            found = sorted(
                ((seen.games[sort, name], n, name) for name, n in counts.items()),
                key=lambda each: (-each[0], -each[1], each[2]),
            )
            never = never_in(self.entries, sort)
            if not found and not never:
                continue
            some = [each for each in found if each[0] < watched]
            always = [name for games, _, name in found if games == watched]
            rows: list[plots.Row] = [
                (self.first.thing(sort, name), [(games, watched)])
                for games, _, name in some[-MOST_ROWS:]
            ]
            what = self.say(SORT_HEADS[sort])
            every = self.first.order.coverage
            caption = self.say(
                _(
                    "Watched games: {n}. The shares show in how many of them it occurred; the"
                    " bars are 95-percent intervals (Wilson).",
                    n=f"{watched:,}",
                )
                if every == 1
                else _(
                    "Watched games: {n}, one in {every} of {all}. The shares show in how many"
                    " of them it occurred; the bars are 95-percent intervals (Wilson).",
                    n=f"{watched:,}",
                    all=f"{self.games:,}",
                    every=every,
                )
            )
            if len(some) > MOST_ROWS:
                caption += " " + self.say(
                    _(
                        "The {n} least frequent of {all} are drawn; the table has all.",
                        n=MOST_ROWS,
                        all=len(some),
                    )
                )
            pictures = (
                [
                    (
                        plots.shares(
                            rows, [Series("")], self.say(_("share of the watched games")), what
                        ),
                        caption,
                    )
                ]
                if rows
                else []
            )
            of = {name: library_of(self.first.program, sort, name) for name in (*counts, *never)}
            lines = [
                (
                    self.first.thing(sort, name),
                    name,
                    of[name],
                    f"{n:,}",
                    f"{games:,}",
                    *_percents(games, watched),
                )
                for games, n, name in sorted(found, key=lambda each: of[each[2]])
            ]
            library = self.say(_("library")) if any(of.values()) else ""
            heads = (
                what,
                "",
                library,
                self.say(_("times")),
                self.say(_("in games")),
                self.say(_("share")),
                self.say(_("95-percent interval")),
            )
            notes = "".join(
                f"<p><strong>{escape(self.say(head))}</strong> "
                f"{escape(self._by_library(sort, names, of))}</p>\n"
                for head, names in (
                    (_("{n} never occurred:", n=len(never)), never),
                    (_("{n} in every watched game:", n=len(always)), always),
                )
                if names
            )
            out.append(
                self._section(
                    f"{what[0].upper()}{what[1:]}", pictures, table(heads, lines, 3), notes
                )
            )
        return "".join(out)

    def _by_library(self, sort: str, names: Sequence[str], of: Mapping[str, str]) -> str:
        """Return names as text: first those of the game itself, then those of each library."""
        said = []
        for library in sorted({of[name] for name in names}):
            words = ", ".join(self.first.thing(sort, name) for name in names if of[name] == library)
            said.append(
                self.say(_("library {name}: {what}", name=library, what=words))
                if library
                else words
            )
        return self.first.names.semicolon.join(said)

    def _failures(self) -> str:
        failed = sum(entry.tally.failed for entry in self.entries)
        if not failed:
            return ""
        items = "".join(
            f"<li>{escape(self._name(entry))}{escape(self.first.names.colon)}{escape(text)}</li>\n"
            for entry in self.entries
            for text in entry.tally.failures
        )
        return (
            f"<section>\n<h2>{escape(self.say(games_failed(failed)))}</h2>\n"
            f"<ul>\n{items}</ul>\n</section>\n"
        )

    # ------------------------------------------------------------------ parts
    def _section(
        self, title: str, pictures: Iterable[tuple[Picture, str]], numbers: str, notes: str = ""
    ) -> str:
        figures = "".join(figure(picture, caption) for picture, caption in pictures)
        fold = folded(self.say(_("numbers")), numbers)
        return f"<section>\n<h2>{escape(title)}</h2>\n{figures}{notes}{fold}</section>\n"


def _percents(hits: int, trials: int) -> tuple[str, str]:
    low, high = wilson(hits, trials)
    return f"{100 * hits / max(trials, 1):.1f} %", f"{100 * low:.1f} – {100 * high:.1f} %"


def _summed(counts: Any) -> list[str]:
    found = summary(counts)
    return [f"{found[key]:,}" if found else "-" for key in SUMMARY_HEADS]
