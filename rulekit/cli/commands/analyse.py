"""The command `analyse`: tree search in a saved game. It shows the best variations at a decision,
or reviews the whole game.
"""

from __future__ import annotations

import argparse
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from rulekit.cli.arguments import add_json, add_lang, game_of_save, replayed
from rulekit.cli.main import UsageError, complain
from rulekit.cli.output import print_json
from rulekit.cli.progress import Progress
from rulekit.common.files import printable, write_whole
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import Message, _, ngettext

if TYPE_CHECKING:
    from rulekit.engine.game.game import Game
    from rulekit.engine.game.state import State
    from rulekit.engine.kernel.names import Names
    from rulekit.engine.search.analysis import Analysis, BestLine
    from rulekit.engine.search.game_review import GameReview, Judged
    from rulekit.engine.search.search_agent import Effort

WHOLE = 1000  # iterations at each decision of a whole game
SHOWN = 8  # turning points that are printed

_STRETCH = _(
    "when this stretch of play is over (seven parts of ten) and after the next one (three)"
)
_CHANCES = {
    "games": ngettext(
        "chance to win: the share of wins of {n} game played on at random"
        " from the first choice, with its 95-percent interval",
        "chance to win: the share of wins of {n} games played on at random"
        " from the first choice, with its 95-percent interval",
        0,
    ),
    "visits": _("chance to win: the share of wins of the visits (a draw is half of one)"),
}
_WHOLE = _("{game}: {decisions} of {choices}, {visits} each ({how})")
_WHOLE_TIMED = _("{game}: {decisions} of {choices}, {seconds} s each ({how})")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Analyses a saved game with the tree search. The search uses only what"
        " the deciding player may know. Prints the best lines,\neach with its"
        " visits, the expected lead and the chance to win. `--whole` analyses"
        " every decision of the game that was not\nforced. It prints the"
        " expectations and the turning points: the choice and a better one."
    )
    parser.add_argument("file", metavar="FILE", help=gettext("the saved game"))
    parser.add_argument(
        "--game",
        metavar="PATH",
        help=gettext("folder of the game, if it is not installed under its name"),
    )
    parser.add_argument(
        "--at",
        type=int,
        metavar="N",
        help=gettext("analyse the position before choice N (default: the last position)"),
    )
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument(
        "--time",
        metavar="SECONDS",
        help=gettext("time to think, such as 2s (default: 2s; with --whole, for each decision)"),
    )
    effort.add_argument(
        "--visits",
        type=int,
        metavar="N",
        help=gettext("number of visits, with the same result each time (with --whole: 1000)"),
    )
    parser.add_argument(
        "--lines", type=int, default=5, metavar="N", help=gettext("number of lines to print (5)")
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="N",
        help=gettext("seed of the assumptions and dice in the search (0)"),
    )
    parser.add_argument(
        "--whole",
        action="store_true",
        help=gettext("the course of the whole game, and its turning points"),
    )
    parser.add_argument(
        "--report",
        metavar="FILE",
        help=gettext("with --whole: write a page with a plot to a file (HTML)"),
    )
    add_lang(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Replay the game, search and print."""
    from rulekit.engine.saves.recorder import read_save

    _check(args)
    save = read_save(args.file)
    game = game_of_save(save, args.game, args.lang)
    state = replayed(game, save)
    return _whole(args, game, state) if args.whole else _lines(args, game, state)


def _check(args: argparse.Namespace) -> None:
    if args.report and not args.whole:
        raise UsageError(_("{name} goes with --whole only", name="--report").text(args.lang))
    if args.at is not None and args.whole:
        raise UsageError(_("{name} does not go with --whole", name="--at").text(args.lang))
    for name, number in (
        ("--lines", args.lines),
        ("--visits", 1 if args.visits is None else args.visits),
    ):
        if number < 1:
            raise UsageError(_("{what} needs a number of at least 1", what=name).text(args.lang))
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
        raise UsageError(
            _(
                "--time needs seconds such as 2s or 0.5s, at most {most}",
                most=f"{MAX_SEARCH_SECONDS:g}",
            ).text(args.lang)
        )
    return found


# --------------------------------------------------------------------------------------- a decision
def _lines(args: argparse.Namespace, game: Game, state: State) -> int:
    from rulekit.engine.search.analysis import analyse

    if args.at is not None:
        from rulekit.cli.terminal.replay_steps import at_choice

        if not 1 <= args.at <= state.move_number() + (not state.is_terminal()):
            raise UsageError(
                _(
                    "--at needs the number of a choice: from 1 to {last} in this save",
                    last=str(state.move_number() + (not state.is_terminal())),
                ).text(args.lang)
            )
        state = at_choice(state, args.at - 1)
    found = analyse(state, _effort(args), args.lines, args.seed)
    if args.json:
        print_json({"game": game.name, "scenario": state.table.program.scenario, **found.to_json()})
        return 0
    for line in analysis_lines(state.names, game.title, found):
        print(line)
    return 0


def analysis_lines(names: Names, title: str, found: Analysis) -> list[str]:
    """Return an analysis as lines of text."""
    side = _side(names, found.player)
    out = [
        names.say(
            _(
                "{game}, choice {n}: {who} is asked: {prompt}",
                game=names.text("title", title),
                n=str(found.choice),
                who=side,
                prompt=found.prompt,
            )
        )
    ]
    if found.visits:
        out.append(
            names.say(
                ngettext(
                    "{n} visit of the tree ({how})",
                    "{n} visits of the tree ({how})",
                    found.visits,
                    n=f"{found.visits:,}",
                    how=_how(names, found.natively),
                )
            )
        )
    if found.failed:
        out.append(
            names.say(
                ngettext(
                    "{n} of them ended in an error of the rules and is not counted",
                    "{n} of them ended in an error of the rules and are not counted",
                    found.failed,
                    n=f"{found.failed:,}",
                )
            )
        )
    if found.lead is not None and found.total:
        when = names.say(_STRETCH if found.horizon else _("at the end of the game"))
        out.append(
            names.say(
                _(
                    "lead ({total}), {who}: {lead} now; with each line, what is expected {when}",
                    total=found.total,
                    who=side,
                    lead=_signed(found.lead),
                    when=when,
                )
            )
        )
    chance = next((line.chance for line in found.lines if line.chance), None)
    if chance is not None:
        out.append(_CHANCES[chance.of].with_params(n=chance.number).text(names.lang))
    for number, line in enumerate(found.lines, 1):
        out += ["", f"{number:3}. {_numbers(names, line, found.visits)}"]
        out += [
            f"     {_side(names, who)}{names.colon}{names.semicolon.join(map(str, choices))}"
            for who, choices in groupby(line.choices, key=lambda choice: choice.side)
        ]
    return out


def _numbers(names: Names, line: BestLine, visits: int) -> str:
    if not line.visits:
        return names.say(_("the only choice"))
    share = _percent(line.first_visits / visits)
    parts = [
        names.say(
            _("{share} of the visits ({n})", share=share, n=f"{line.visits:,}")
            if line.visits == line.first_visits
            else _(
                "{share} of the visits begin with its first choice ({n}), {all} of"
                " these made all choices that go together",
                share=share,
                n=f"{line.first_visits:,}",
                all=f"{line.visits:,}",
            )
        )
    ]
    if line.lead is not None:
        parts.append(names.say(_("lead {lead}", lead=_signed(line.lead))))
    if line.chance is not None:
        chance = names.say(_("to win {share}", share=_percent(line.chance.share)))
        if line.chance.low is not None and line.chance.high is not None:
            chance += " " + names.say(
                _(
                    "({low} .. {high})",
                    low=f"{100 * line.chance.low:.1f}",
                    high=f"{100 * line.chance.high:.1f}",
                )
            )
        parts.append(chance)
    return ", ".join(parts)


# ------------------------------------------------------------------------------------- a whole game
def _whole(args: argparse.Namespace, game: Game, state: State) -> int:
    from rulekit.engine.search.game_review import review_game

    effort = _effort(args)
    with Progress(
        state.move_number(),
        args.lang,
        words=(_("choices: {n} of {all}, {rate} a second"), _("choices")),
    ) as progress:
        found = review_game(state, effort, args.seed, tell=progress.at)
    if args.json:
        print_json({"game": game.name, "scenario": state.table.program.scenario, **found.to_json()})
    else:
        for line in review_lines(state.names, game.title, found, effort):
            print(line)
    if args.report:
        from rulekit.experiments.review_report import review_page

        write_whole(Path(args.report), review_page(game, state, found, effort).encode())
        print(_("{file} written", file=printable(args.report)).text(args.lang), file=sys.stderr)
    if not found.decisions:
        complain(
            _("there is nothing to analyse: nobody had a choice in the saved game").text(args.lang)
        )
    return 0 if found.decisions else 1


def _visits(visits: int) -> Message:
    return ngettext("{n} visit", "{n} visits", visits)


def review_lines(names: Names, title: str, found: GameReview, effort: Effort) -> list[str]:
    """Return a game review as lines of text: the expectation at some decisions, and the turning
    points.
    """
    from rulekit.cli.commands.simulate import columns
    from rulekit.experiments.review_report import outcome, turning_points

    head = _WHOLE if effort.visits else _WHOLE_TIMED
    out = [
        head.text(
            names.lang,
            game=names.text("title", title),
            decisions=ngettext("{n} decision", "{n} decisions", len(found.decisions)),
            choices=ngettext("{n} choice", "{n} choices", found.choices),
            visits=_visits(effort.visits),
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
                names.say(_("expected lead ({total})", total=found.total))
                if found.total
                else names.say(_("expected chance to win"))
            ),
        ]
        out += columns((names.say(_("choice")), *sides), rows)
    points = found.turning_points
    out += ["", names.say(turning_points(len(points)))]
    for number, each in enumerate(points[:SHOWN], 1):
        out += [
            f"{number:3}. "
            + names.say(
                _(
                    "choice {n}, {who}: {prompt}",
                    n=str(each.choice),
                    who=_side(names, each.side),
                    prompt=each.prompt,
                )
            ),
            "     "
            + names.say(_("chosen: {what}", what=each.chosen.label))
            + _lead(names, each.lead_chosen),
            "     "
            + names.say(_("better: {what}", what=each.best.label))
            + _lead(names, each.lead),
            "     "
            + names.say(
                _(
                    "worth {loss} less (a victory is worth 1, a defeat -1; {visits} each)",
                    loss=f"{each.loss:.2f}",
                    visits=_visits(min(each.best_visits, each.chosen_visits)),
                )
            ),
        ]
    if len(points) > SHOWN:
        out.append(
            "     " + names.say(_("and {n} more; --json has all", n=str(len(points) - SHOWN)))
        )
    return out


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
    return "" if lead is None else f" ({names.say(_('lead {lead}', lead=_signed(lead)))})"


def _side(names: Names, side: str) -> str:
    return names.label(names.program.sides, names.side(side))


def _how(names: Names, natively: bool) -> str:
    return names.say(_("in the native module") if natively else _("in Python"))


def _signed(lead: float) -> str:
    return f"{lead:+.1f}" if round(lead, 1) else "0"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
