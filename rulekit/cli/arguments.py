"""Arguments that several commands share, and the games and settings that they stand for."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulekit.cli.main import UsageError
from rulekit.common.errors import RulekitError, SaveError
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _
from rulekit.common.i18n.reasons import near

if TYPE_CHECKING:
    from rulekit.engine.game.game import Game
    from rulekit.engine.game.state import State
    from rulekit.engine.saves.save_format import Save

OBSERVER = "observer"  # in place of a side: a spectator with public knowledge


def add_game(parser: argparse.ArgumentParser, many: bool = False) -> None:
    """Declare the game: a path or a name."""
    parser.add_argument(
        "path",
        nargs="+" if many else None,
        metavar="PATH",
        help=gettext("folder of a game, or the name of one that is installed"),
    )
    parser.add_argument(
        "--overlay",
        action="append",
        default=[],
        metavar="FILE",
        help=gettext("corrections of assumed values; may be repeated"),
    )


def add_start(parser: argparse.ArgumentParser, from_zero: bool = False) -> None:
    """Declare the options for the beginning of a game.

    Args:
        from_zero: without `--seed`, the seed is 0 instead of a new one.
    """
    parser.add_argument(
        "--scenario", metavar="NAME", help=gettext("the scenario (without it: the game's default)")
    )
    add_seed(parser, from_zero)
    add_rulings(parser)


def add_seed(parser: argparse.ArgumentParser, from_zero: bool = False) -> None:
    """Declare the seed. Without the option it is 0 with `from_zero`, else a new one."""
    parser.add_argument(
        "--seed",
        type=_seed,
        metavar="N",
        help=(
            gettext("the seed of all dice and draws (without it: 0)")
            if from_zero
            else gettext("the seed of all dice and draws (without it: a new one)")
        ),
    )


def _seed(text: str) -> int:
    from rulekit.runtime.seeds import seed_of

    try:
        return seed_of(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            gettext("invalid int value: {text}", text=repr(text[:40]))
        ) from None
    except RulekitError:
        raise argparse.ArgumentTypeError(gettext("a seed is a whole number below 2**128")) from None


def add_rulings(parser: argparse.ArgumentParser) -> None:
    """Declare the options that choose rulings."""
    add_edition(parser)
    parser.add_argument(
        "--ruling",
        action="append",
        default=[],
        metavar="NAME=ALTERNATIVE",
        help=gettext("one ruling; may be repeated"),
    )


def add_edition(parser: argparse.ArgumentParser) -> None:
    """Declare the option that chooses a set of rulings."""
    parser.add_argument("--edition", metavar="NAME", help=gettext("a named set of rulings"))


def add_lang(parser: argparse.ArgumentParser) -> None:
    """Declare the language of texts."""
    parser.add_argument(
        "--lang", default="en", metavar="LANG", help=gettext("language of the texts (en)")
    )


def add_seats(parser: argparse.ArgumentParser) -> None:
    """Declare the option that assigns players to sides."""
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="SIDE=WHO",
        help=gettext(
            "the player of a side: human, search (search:2s: 2 seconds), greedy,"
            " random, charts; WHO alone is for all sides; may be repeated"
        ),
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Declare the option for JSON output."""
    parser.add_argument(
        "--json", action="store_true", help=gettext("print one JSON object with stable keys")
    )


def folder_of(path: str, lang: str = "en") -> Path:
    """Return the folder of a game. Raise `UsageError` if there is none."""
    from rulekit.common.errors import GameError
    from rulekit.compiler.source.locate import known_games
    from rulekit.project.loader import find

    try:
        return find(path)
    except GameError:
        if Path(path).is_file():
            from rulekit.compiler.source.locate import around

            raise UsageError(
                _(
                    "{name} is a file, not a folder of a game: name the folder {folder}",
                    name=repr(path),
                    folder=repr(str(around(Path(path)))),
                ).text(lang)
            ) from None
        close = near(path, known_games())
        raise UsageError(
            _(
                "there is no game {name}: neither a folder with a game.yaml nor a"
                " game known by this name",
                name=repr(path),
            ).text(lang)
            + (_("; ").text(lang) + close.text(lang) if close else "")
        ) from None


def overlays_of(args: argparse.Namespace) -> list[Path]:
    """Return the overlay files. Raise `UsageError` if one is missing."""
    found = [Path(each) for each in args.overlay]
    for each in found:
        if not each.is_file():
            raise UsageError(
                _("there is no overlay file {file}", file=repr(str(each))).text(
                    getattr(args, "lang", "en")
                )
            )
    return found


def open_game(path: str, overlays: Sequence[Path] = (), lang: str = "en") -> Game:
    """Load, check and compile a game."""
    from rulekit.project.loader import load

    return load(folder_of(path, lang), overlays, lang)


def game_of(args: argparse.Namespace) -> Game:
    """Return the game that the arguments name."""
    return open_game(args.path, overlays_of(args), getattr(args, "lang", "en"))


def pairs(given: Sequence[str], what: str, lang: str) -> dict[str, str]:
    """Return NAME=VALUE arguments as a mapping."""
    out: dict[str, str] = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not sign or not name or not value:
            raise UsageError(
                _("{what} needs NAME=VALUE, not {text}", what=what, text=repr(each)).text(lang)
            )
        out[name] = value
    return out


def rulings_of(args: argparse.Namespace, game: Game) -> dict[str, str]:
    """Return the rulings that the arguments choose."""
    try:
        return game.rulings(pairs(args.ruling, "--ruling", game.lang), args.edition)
    except RulekitError as error:
        raise UsageError(str(error)) from None


def edition_of(args: argparse.Namespace, game: Game) -> dict[str, str]:
    """Return the rulings of the edition that the arguments choose."""
    try:
        return game.rulings(None, args.edition)
    except RulekitError as error:
        raise UsageError(str(error)) from None


def scenario_of(args: argparse.Namespace, game: Game) -> str | None:
    """Return the scenario that the arguments choose. Raise `UsageError` if the game does not have
    it.
    """
    try:
        return game.scenario(args.scenario)
    except RulekitError as error:
        raise UsageError(str(error)) from None


def seats_of(args: argparse.Namespace, game: Game, default: str) -> dict[str, str]:
    """Return the player of each side, `default` for the sides that the arguments do not mention."""
    return dict.fromkeys(game.sides, default) | seats_asked(args, game)


def seats_asked(args: argparse.Namespace, game: Game) -> dict[str, str]:
    """Return the players of the sides that the arguments mention."""
    from rulekit.engine.search.agent_registry import AGENTS, HUMAN, is_agent

    plan: dict[str, str] = {}
    for each in args.seat:
        side, sign, who = each.partition("=")
        if not sign:
            side, who = "", each
        known = {s: s for s in game.sides} | {s.casefold(): s for s in game.sides}
        if who != HUMAN and not is_agent(who):
            seats = (HUMAN, *AGENTS)
            raise UsageError(
                _(
                    "there is no seat {name}; there are {known}",
                    name=repr(who),
                    known=", ".join(seats),
                ).text(game.lang)
                + _near(game, who, seats)
            )
        if side and side not in known and side.casefold() not in known:
            message = _(
                "{game} has no side {name}; it has {known}",
                game=game.name,
                name=repr(side),
                known=", ".join(game.sides),
            ).text(game.lang)
            raise UsageError(message + _near(game, side, game.sides))
        for name in [known.get(side) or known[side.casefold()]] if side else game.sides:
            plan[name] = who
    return plan


def _near(game: Game, name: str, known: Iterable[str]) -> str:
    close = near(name, known)
    return f"; {close.text(game.lang)}" if close else ""


def replayed(game: Game, save: Save) -> State:
    """Return the last position of a save, with its history.

    Raises:
        SaveError: the game gives another result than the save.
    """
    from rulekit.engine.saves.recorder import replay

    done = replay(game, save)
    if not done.ok:
        raise SaveError(
            _(
                "the save has another result when it is replayed; `rulekit replay"
                " --verify` shows where"
            )
        )
    return done.state


def game_of_save(save: Save, path: str | None, lang: str = "en") -> Game:
    """Return the game of a save, by its name or from the given folder."""
    if path is None and not os.path.isdir(save.header["game"]):
        from rulekit.compiler.source.locate import find_game

        if find_game(save.header["game"]) is None:
            raise UsageError(
                _(
                    "the save is of the game {name}, which is not installed: give its"
                    " folder with --game PATH",
                    name=repr(save.header["game"]),
                ).text(lang)
            )
    return open_game(path or save.header["game"], (), lang)
