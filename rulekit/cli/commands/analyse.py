"""The command `analyse`: tree search in a saved game. It shows the best variations at a decision,
or reviews the whole game."""

from __future__ import annotations

import argparse
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from rulekit.cli.arguments import add_json, add_lang, game_of_save
from rulekit.cli.main import UsageError, complain
from rulekit.cli.output import print_json
from rulekit.cli.progress import Progress
from rulekit.common.errors import SaveError
from rulekit.common.files import printable, write_whole
from rulekit.common.i18n.catalog import fault, filled
from rulekit.common.i18n.gettext_domain import _

if TYPE_CHECKING:
    from rulekit.engine.game.game import Game
    from rulekit.engine.game.state import State
    from rulekit.engine.kernel.names import Names
    from rulekit.engine.search.analysis import Analysis, BestLine
    from rulekit.engine.search.game_review import GameReview, Judged
    from rulekit.engine.search.search_agent import Effort

WHOLE = 1000  # iterations at each decision of a whole game
SHOWN = 8  # turning points that are printed


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = _(
        "Says what the tree search finds in a saved game, by what who is asked may know: the best"
        " lines, each with its visits, the lead\nthat is expected and the chance to win. `--whole`"
        " looks at every decision of the game that was not forced: what was expected,\nand its"
        " turning points: what was chosen, and what was better."
    )
    parser.add_argument("file", metavar="FILE", help=_("the saved game"))
    parser.add_argument(
        "--game",
        metavar="PATH",
        help=_("folder of the game, if it is not installed under its name"),
    )
    parser.add_argument(
        "--at",
        type=int,
        metavar="N",
        help=_("before choice number N (without it: where the game stands)"),
    )
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument(
        "--time",
        metavar="SECONDS",
        help=_("think so long, such as 2s (2s; with --whole, at each decision)"),
    )
    effort.add_argument(
        "--visits",
        type=int,
        metavar="N",
        help=_("think for so many visits: the same each time (with --whole: 1000)"),
    )
    parser.add_argument("--lines", type=int, default=5, metavar="N", help=_("so many lines (5)"))
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="N",
        help=_("the seed of what is supposed and rolled in the tree (0)"),
    )
    parser.add_argument(
        "--whole",
        action="store_true",
        help=_("the course of the whole game, and its turning points"),
    )
    parser.add_argument(
        "--report",
        metavar="FILE",
        help=_("with --whole: write a page with a plot to a file (HTML)"),
    )
    add_lang(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Replay the game, search and print."""
    from rulekit.engine.saves.recorder import read_save, replay

    _check(args)
    save = read_save(args.file)
    game = game_of_save(save, args.game, args.lang)
    done = replay(game, save)
    if not done.ok:
        raise fault(SaveError, "analyse.differs")
    return _whole(args, game, done.state) if args.whole else _lines(args, game, done.state)


def _check(args: argparse.Namespace) -> None:
    if args.report and not args.whole:
        raise UsageError(filled(args.lang, "analyse.with_whole", name="--report"))
    if args.at is not None and args.whole:
        raise UsageError(filled(args.lang, "analyse.not_whole", name="--at"))
    for name, number in (
        ("--lines", args.lines),
        ("--visits", 1 if args.visits is None else args.visits),
    ):
        if number < 1:
            raise UsageError(filled(args.lang, "line.from_one", what=name))
    if args.report:
        from rulekit.experiments.plots import ask_library

        ask_library()


def _effort(args: argparse.Namespace) -> Effort:
    from rulekit.engine.search.search_agent import MAX_SEARCH_SECONDS, Effort, effort

    if args.visits is not None:
        return Effort(0.0, args.visits)
    if args.time is None:
        return Effort(0.0, WHOLE) if args.whole else Effort(2.0)
    found = effort(args.time) if args.time.endswith("s") else None
    if found is None:
        raise UsageError(filled(args.lang, "analyse.time", most=f"{MAX_SEARCH_SECONDS:g}"))
    return found


# --------------------------------------------------------------------------------------- a decision
def _lines(args: argparse.Namespace, game: Game, state: State) -> int:
    from rulekit.engine.search.analysis import analyse

    if args.at is not None:
        from rulekit.cli.terminal.replay_steps import at_choice

        if not 1 <= args.at <= state.choices_count() + (not state.is_terminal()):
            raise UsageError(
                filled(
                    args.lang,
                    "analyse.at",
                    last=str(state.choices_count() + (not state.is_terminal())),
                )
            )
        state = at_choice(state, args.at - 1)
    found = analyse(state, _effort(args), args.lines, args.seed)
    if args.json:
        print_json({"game": game.name, "scenario": state.table.program.scenario, **found.to_json()})
        return 0
    for line in told(state.names, game.title, found):
        print(line)
    return 0


def told(names: Names, title: str, found: Analysis) -> list[str]:
    """Return an analysis as lines of text."""
    side = _side(names, found.player)
    out = [
        names.word(
            "analyse.asked",
            game=names.text("title", title),
            n=str(found.choice),
            who=side,
            prompt=found.prompt,
        )
    ]
    if found.visits:
        out.append(
            names.word("analyse.grown", visits=f"{found.visits:,}", how=_how(names, found.natively))
        )
    if found.failed:
        out.append(names.word("analyse.failed", n=f"{found.failed:,}"))
    if found.lead is not None and found.total:
        when = names.word("analyse.stretch" if found.horizon else "analyse.end")
        out.append(
            names.word(
                "analyse.lead", total=found.total, who=side, lead=_signed(found.lead), when=when
            )
        )
    chance = next((line.chance for line in found.lines if line.chance), None)
    if chance is not None:
        out.append(names.word(f"analyse.by_{chance.of}", n=str(chance.number)))
    for number, line in enumerate(found.lines, 1):
        out += ["", f"{number:3}. {_numbers(names, line, found.visits)}"]
        out += [
            "    "
            f" {_side(names, who)}{names.word('colon')}{names.semicolon.join(map(str, choices))}"
            for who, choices in groupby(line.choices, key=lambda choice: choice.side)
        ]
    return out


def _numbers(names: Names, line: BestLine, visits: int) -> str:
    if not line.visits:
        return names.word("analyse.only")
    key = "analyse.share" if line.visits == line.first_visits else "analyse.whole_line"
    parts = [
        names.word(
            key,
            share=_percent(line.first_visits / visits),
            n=f"{line.first_visits:,}",
            all=f"{line.visits:,}",
        )
    ]
    if line.lead is not None:
        parts.append(names.word("analyse.expected", lead=_signed(line.lead)))
    if line.chance is not None:
        told = names.word("analyse.chance", share=_percent(line.chance.share))
        if line.chance.low is not None and line.chance.high is not None:
            told += " " + names.word(
                "analyse.between",
                low=f"{100 * line.chance.low:.1f}",
                high=f"{100 * line.chance.high:.1f}",
            )
        parts.append(told)
    return ", ".join(parts)


# ------------------------------------------------------------------------------------- a whole game
def _whole(args: argparse.Namespace, game: Game, state: State) -> int:
    from rulekit.engine.search.game_review import course

    effort = _effort(args)
    with Progress(
        state.choices_count(), args.lang, words=("analyse.progress", "analyse.choices")
    ) as progress:
        found = course(state, effort, args.seed, tell=progress.at)
    if args.json:
        print_json({"game": game.name, "scenario": state.table.program.scenario, **found.to_json()})
    else:
        for line in course_told(state.names, game.title, found, effort):
            print(line)
    if args.report:
        from rulekit.experiments.review_report import course_page

        write_whole(Path(args.report), course_page(game, state, found, effort).encode())
        print(filled(args.lang, "study.written", file=printable(args.report)), file=sys.stderr)
    if not found.decisions:
        complain(filled(args.lang, "line.nothing_judged"))
    return 0 if found.decisions else 1


def course_told(names: Names, title: str, found: GameReview, effort: Effort) -> list[str]:
    """Return a game review as lines of text: the expectation at some decisions, and the turning
    points."""
    from rulekit.cli.commands.simulate import columns

    head = "analyse.whole" if effort.visits else "analyse.whole_timed"
    out = [
        names.word(
            head,
            game=names.text("title", title),
            n=str(len(found.decisions)),
            all=str(found.choices),
            visits=str(effort.visits),
            seconds=f"{effort.seconds:g}",
            how=_how(names, found.natively),
        ),
        outcome(names, found),
    ]
    sides = [_side(names, side) for side in found.sides]
    rows = [
        (str(each.choice), *(value(each) if each.side == side else "" for side in found.sides))
        for each in _some(found)
    ]
    if rows and any(any(row[1:]) for row in rows):
        out += [
            "",
            (
                names.word("analyse.course_lead", total=found.total)
                if found.total
                else names.word("analyse.course_chance")
            ),
        ]
        out += columns((names.word("analyse.choice"), *sides), rows)
    points = found.turning_points
    out += ["", names.word("analyse.turning", n=str(len(points)))]
    for number, each in enumerate(points[:SHOWN], 1):
        out += [
            f"{number:3}. "
            + names.word(
                "analyse.turned",
                n=str(each.choice),
                who=_side(names, each.side),
                prompt=each.prompt,
            ),
            "     "
            + names.word("analyse.chosen", what=each.chosen.label)
            + _lead(names, each.lead_chosen),
            "     " + names.word("analyse.better", what=each.best.label) + _lead(names, each.lead),
            "     "
            + names.word(
                "analyse.worse",
                loss=f"{each.loss:.2f}",
                n=str(min(each.best_visits, each.chosen_visits)),
            ),
        ]
    if len(points) > SHOWN:
        out.append("     " + names.word("analyse.and_more", n=str(len(points) - SHOWN)))
    return out


def outcome(names: Names, found: GameReview) -> str:
    """Return the text of the game's result."""
    if not found.over:
        return names.word("analyse.open")
    return (
        names.word("analyse.won", who=_side(names, found.winner))
        if found.winner
        else names.word("analyse.drawn")
    )


def _some(found: GameReview, number: int = 24) -> list[Judged]:
    """Return about `number` decisions, evenly spread from the first to the last."""
    each = -(-len(found.decisions) // number) or 1
    last = found.decisions[-1:] if len(found.decisions) % each != 1 and each > 1 else ()
    return [*found.decisions[::each], *last]


def value(judged: Judged) -> str:
    """Return the expectation at a decision: the lead, or else the chance to win."""
    if judged.lead is not None:
        return _signed(judged.lead)
    return _percent(judged.chance.share) if judged.chance else ""


def _lead(names: Names, lead: float | None) -> str:
    return "" if lead is None else f" ({names.word('analyse.expected', lead=_signed(lead))})"


def _side(names: Names, side: str) -> str:
    return names.label(names.program.sides, names.side(side))


def _how(names: Names, natively: bool) -> str:
    return names.word("analyse.native" if natively else "analyse.python")


def _signed(lead: float) -> str:
    return f"{lead:+.1f}" if round(lead, 1) else "0"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
