"""The command `replay`: replays a saved game."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rulekit.cli.arguments import add_json, add_lang, game_of_save
from rulekit.cli.main import UsageError
from rulekit.cli.output import print_json
from rulekit.common.files import printable
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _, ngettext

if TYPE_CHECKING:
    from rulekit.engine.game.game import Game
    from rulekit.engine.saves.recorder import Replay
    from rulekit.engine.saves.save_format import Save
    from rulekit.presentation.rules_comparison import Comparison

MAX_DIFFERENCE_CHARACTERS = 500  # characters of a difference that are printed


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Replays a saved game and prints its log and where it stands; `--json` prints every event"
        " of the log with its values. `--verify`\ncomputes every event anew and compares it with"
        " the record: exit code 1 if one differs."
    )
    parser.add_argument("file", metavar="FILE", help=gettext("the saved game"))
    parser.add_argument(
        "--game",
        metavar="PATH",
        help=gettext("folder of the game, if it is not installed under its name"),
    )
    parser.add_argument(
        "--before",
        metavar="PATH",
        help=gettext(
            "folder of the game with the rules of the save: plays both and prints the differences"
        ),
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help=gettext("compare every event with the record; taken-back choices too"),
    )
    parser.add_argument("--to", type=int, metavar="N", help=gettext("only the first N choices"))
    add_lang(parser)
    add_json(parser)


def shortened(value: object) -> str:
    """Return a choice or an event, cut to the length of a line."""
    text = str(value)
    return (
        text if len(text) <= MAX_DIFFERENCE_CHARACTERS else f"{text[:MAX_DIFFERENCE_CHARACTERS]}..."
    )


def run(args: argparse.Namespace) -> int:
    """Replay and print."""
    from rulekit.engine.knowledge.observation import Observer
    from rulekit.engine.saves.recorder import read_save, replay

    if args.to is not None and args.to < 0:
        raise UsageError(_("--to needs a number of at least 0").text(args.lang))
    save = read_save(args.file)
    game = game_of_save(save, args.game, args.lang)
    done = replay(game, save, args.to, everything=args.verify)
    events = done.state.events if done.state.is_terminal() else Observer(done.state, None).events()
    if args.json:
        book = done.state.table.events
        log = [
            {
                "number": e.number,
                "name": e.name,
                "params": e.params,
                "ref": list(e.ref),
                "text": book.text(e),
            }
            for e in events
        ]
        beside = {"compared": _comparison(args, save, game).to_json()} if args.before else {}
        print_json(
            done.to_json() | {"cut": save.cut} | beside | ({} if args.verify else {"log": log})
        )
        return _code(args, done)
    if not args.verify:
        for number, text in done.state.table.events.lines(events):
            print(f"{number:5}  {text}")
    for line in [*_outcome(save, done), *_compared(args, save, game, done)]:
        print(line)
    return _code(args, done)


def _code(args: argparse.Namespace, done: Replay) -> int:
    """Return 1 if a choice could not be made, or if a difference was found with `--verify`."""
    stopped = done.first_difference is not None and done.first_difference["actual"] is None
    return 1 if stopped or (args.verify and not done.ok) else 0


def _comparison(args: argparse.Namespace, save: Save, game: Game) -> Comparison:
    """Compare the rules of `--before` with the current ones."""
    from rulekit.cli.arguments import open_game
    from rulekit.presentation.rules_comparison import compare

    return compare(open_game(args.before, (), args.lang), game, save, args.to)


def _compared(args: argparse.Namespace, save: Save, game: Game, done: Replay) -> list[str]:
    """Return lines with the differences beyond the choices, if the rules of the save are given."""
    if not args.before:
        return (
            [
                _(
                    "only the names of the offered options were compared; `--before"
                    " PATH` names the rules of the save and compares more"
                ).text(args.lang)
            ]
            if args.verify and done.differences
            else []
        )
    found = _comparison(args, save, game)
    lines = [each.text(args.lang) for each in found.differences()]
    summary = (
        ngettext(
            "{n} choice played under both rules",
            "{n} choices played under both rules",
            found.choices,
        )
        if lines
        else ngettext(
            "{n} choice played under both rules: no difference in the choice or in the options",
            "{n} choices played under both rules: no difference in the choices or in the options",
            found.choices,
        )
    ).text(args.lang)
    return [summary, *(f"  {line}" for line in lines)]


def _outcome(save: Save, done: Replay) -> list[str]:
    """Return lines with the state of the game and the differences from the record."""
    state, out = done.state, []
    names, asked, result = state.names, state.decision, state.result

    def player(id: str) -> str:
        return names.label(state.table.program.sides, names.side(id)) if id else ""

    if save.cut:
        out.append(
            names.say(
                _(
                    "the last line of {file} was incomplete and was left out",
                    file=printable(save.path),
                )
            )
        )
    if result is not None:
        level = names.text(f"level.{result.level}", result.level.replace("_", " "))
        out.append(
            names.say(
                _(
                    "the game is over: {who}, {level}",
                    who=player(result.winner or "") or names.say(_("nobody")),
                    level=level,
                )
            )
        )
    elif asked is not None:
        out.append(
            names.say(_("{who} is asked: {prompt}", who=player(asked.player), prompt=asked.prompt))
        )
    out += done.differences
    if (found := done.first_difference) is not None:
        recorded, actual = shortened(found["recorded"]), shortened(found["actual"])
        out.append(
            names.say(
                _(
                    "choice {n} (line {line}): recorded {recorded}, now {actual}",
                    n=str(found["choice"]),
                    line=str(found["line"]),
                    recorded=recorded,
                    actual=actual,
                )
            )
        )
        out.append(f"  {found['cause']}")
    choices = ngettext("{n} choice", "{n} choices", done.choices)
    events = ngettext("{n} event", "{n} events", done.events)
    return [
        *out,
        names.say(
            _("{choices}, {events}: as recorded", choices=choices, events=events)
            if done.ok
            else _("{choices}, {events}: not as recorded", choices=choices, events=events)
        ),
    ]
