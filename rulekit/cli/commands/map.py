"""The command `map`: draws the map of a game as SVG."""

from __future__ import annotations

import argparse
from pathlib import Path

from rulekit.cli.arguments import OBSERVER, add_game, add_lang, game_of, scenario_of
from rulekit.cli.main import UsageError
from rulekit.cli.map_picture import THEMES, picture
from rulekit.common.files import printable
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _
from rulekit.engine.game.game import Game
from rulekit.engine.game.state import State
from rulekit.presentation.seat import Seat
from rulekit.presentation.sheet import Sheet, sheet


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Draws the map as the table shows it: with --pieces as the scenario begins, with --load as"
        " a saved game stands. Only what\neverybody may know is drawn, or with --as what one side"
        " may know."
    )
    add_game(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE.svg",
        help=gettext("where to write (without it: standard output)"),
    )
    parser.add_argument(
        "--pieces", action="store_true", help=gettext("with the pieces, as the scenario begins")
    )
    parser.add_argument(
        "--scenario", metavar="NAME", help=gettext("the scenario (without it: the game's default)")
    )
    parser.add_argument(
        "--load", metavar="FILE", help=gettext("with the pieces, as a saved game stands")
    )
    parser.add_argument(
        "--to", type=int, metavar="N", help=gettext("only the first N choices of the saved game")
    )
    parser.add_argument(
        "--as",
        dest="observer",
        default=OBSERVER,
        metavar="WHO",
        help=gettext("as a side sees it (observer: as everybody may)"),
    )
    parser.add_argument("--theme", choices=THEMES, default=THEMES[0], help=gettext("light or dark"))
    add_lang(parser)


def run(args: argparse.Namespace) -> int:
    """Draw the map."""
    if "" in (args.output, args.load):
        raise UsageError(_("the name of a file is empty").text(args.lang))
    if args.to is not None and (args.to < 0 or not args.load):
        raise UsageError(
            (
                _("--to needs a number of at least 0")
                if args.load
                else _("--to needs a saved game: --load FILE")
            ).text(args.lang)
        )
    game = game_of(args)
    scenario = scenario_of(args, game)
    if args.load and args.scenario is not None:
        raise UsageError(
            _("--load takes everything from the save: leave out {name}", name="--scenario").text(
                game.lang
            )
        )
    observer = _side(game, args.observer)
    state = (
        _saved(game, args.load, args.to)
        if args.load
        else game.new(scenario, 0)
        if args.pieces
        else None
    )
    if state is None:
        shown_sheet, position = sheet(game, scenario, game.lang), None
    else:
        seat = Seat(state, observer)
        shown_sheet, position = seat.sheet(), seat.position()
    _drawable(game, shown_sheet)
    text = picture(shown_sheet, position, args.theme)
    if args.output:
        Path(args.output).write_text(text, encoding="utf-8")
        print(_("{file} written", file=printable(args.output)).text(game.lang))
    else:
        print(text, end="")
    return 0


def _drawable(game: Game, shown_sheet: Sheet) -> None:
    """Raise `UsageError` if the game has no places."""
    if not shown_sheet.map.spots:
        raise UsageError(
            _(
                "{game} has no places with borders, so there is nothing to draw", game=game.name
            ).text(game.lang)
        )


def _side(game: Game, name: str) -> str | None:
    """Return a side by its name, or None for a spectator."""
    if name == OBSERVER:
        return None
    side = next((side for side in game.sides if side.casefold() == name.casefold()), None)
    if side is None:
        raise UsageError(
            _(
                "{game} has no side {name}; it has {known}",
                game=game.name,
                name=repr(name),
                known=", ".join([*game.sides, OBSERVER]),
            ).text(game.lang)
        )
    return side


def _saved(game: Game, file: str, to: int | None) -> State:
    """Return the position of a saved game, at its end or after its first choices. Raise `SaveError`
    like `play --load`.
    """
    from rulekit.engine.saves.recorder import read_save, replay
    from rulekit.engine.saves.resume import resume

    save = read_save(file)
    return resume(game, save, {}).recorder.state if to is None else replay(game, save, to).state
