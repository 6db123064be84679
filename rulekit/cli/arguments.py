"""Arguments that several commands share, and the games and settings that they stand for."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulekit.cli.main import UsageError
from rulekit.common.errors import RulekitError
from rulekit.common.i18n.catalog import filled, hint, spoken, word
from rulekit.common.i18n.gettext_domain import _

if TYPE_CHECKING:
    from rulekit.engine.game.game import Game
    from rulekit.engine.saves.save_format import Save

OBSERVER = "observer"  # as a viewer: a spectator with public knowledge


def add_game(parser: argparse.ArgumentParser, many: bool = False) -> None:
    """Declare the game: a path or a name."""
    parser.add_argument(
        "path",
        nargs="+" if many else None,
        metavar="PATH",
        help=_("folder of a game, or the name of one that is installed"),
    )
    parser.add_argument(
        "--overlay",
        action="append",
        default=[],
        metavar="FILE",
        help=_("corrections of assumed values; may be repeated"),
    )


def add_start(parser: argparse.ArgumentParser, from_zero: bool = False) -> None:
    """Declare the options for the beginning of a game.

    Args:
        from_zero: without `--seed`, the seed is 0 instead of a new one.
    """
    parser.add_argument(
        "--scenario", metavar="NAME", help=_("the scenario (without it: the game's default)")
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
            _("the seed of all dice and draws (without it: 0)")
            if from_zero
            else _("the seed of all dice and draws (without it: a new one)")
        ),
    )


def _seed(text: str) -> int:
    from rulekit.runtime.seeds import seed_of

    try:
        return seed_of(text)
    except ValueError:
        raise argparse.ArgumentTypeError(_("invalid int value: %r") % text[:40]) from None
    except RulekitError:
        raise argparse.ArgumentTypeError(_("a seed is a whole number below 2**128")) from None


def add_rulings(parser: argparse.ArgumentParser) -> None:
    """Declare the options that choose rulings."""
    add_edition(parser)
    parser.add_argument(
        "--ruling",
        action="append",
        default=[],
        metavar="NAME=ALTERNATIVE",
        help=_("one ruling; may be repeated"),
    )


def add_edition(parser: argparse.ArgumentParser) -> None:
    """Declare the option that chooses a set of rulings."""
    parser.add_argument("--edition", metavar="NAME", help=_("a named set of rulings"))


def add_lang(parser: argparse.ArgumentParser) -> None:
    """Declare the language of texts."""
    parser.add_argument(
        "--lang", default="en", metavar="LANG", help=_("language of the texts (en)")
    )


def add_seats(parser: argparse.ArgumentParser) -> None:
    """Declare the option that assigns players to sides."""
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="SIDE=WHO",
        help=_(
            "who plays a side: human, search (search:2s: so long), greedy, random, charts; a bare"
            " WHO is for all sides; may be repeated"
        ),
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Declare the option for JSON output."""
    parser.add_argument(
        "--json", action="store_true", help=_("print one JSON object with stable keys")
    )


def folder_of(path: str, lang: str = "en") -> Path:
    """Return the folder of a game. Raise `UsageError` if there is none."""
    from rulekit.common.errors import GameError
    from rulekit.project.loader import find

    try:
        return find(path)
    except GameError as error:
        if Path(path).is_file():
            from rulekit.compiler.source.locate import around

            raise UsageError(
                filled(lang, "line.is_file", name=repr(path), folder=repr(str(around(Path(path)))))
            ) from None
        near = spoken(lang, error.diagnostics[0].help)
        raise UsageError(
            filled(lang, "line.no_game", name=repr(path))
            + (word(lang, "semicolon") + near if near else "")
        ) from None


def overlays_of(args: argparse.Namespace) -> list[Path]:
    """Return the overlay files. Raise `UsageError` if one is missing."""
    found = [Path(each) for each in args.overlay]
    for each in found:
        if not each.is_file():
            raise UsageError(
                filled(getattr(args, "lang", "en"), "line.no_overlay", file=repr(str(each)))
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
            raise UsageError(filled(lang, "line.pairs", what=what, text=repr(each)))
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
    it."""
    try:
        return game.scenario(args.scenario)
    except RulekitError as error:
        raise UsageError(str(error)) from None


def seats_of(args: argparse.Namespace, game: Game, default: str) -> dict[str, str]:
    """Return the player of each side, `default` for the sides that the arguments do not mention."""
    return dict.fromkeys(game.sides, default) | seats_asked(args, game)


def seats_asked(args: argparse.Namespace, game: Game) -> dict[str, str]:
    """Return the players of the sides that the arguments mention."""
    from rulekit.engine.search.registry import AGENTS, HUMAN, is_agent

    plan: dict[str, str] = {}
    for each in args.seat:
        side, sign, who = each.partition("=")
        if not sign:
            side, who = "", each
        known = {s: s for s in game.sides} | {s.casefold(): s for s in game.sides}
        if who != HUMAN and not is_agent(who):
            seats = (HUMAN, *AGENTS)
            raise UsageError(
                filled(game.lang, "no_seat", name=repr(who), known=", ".join(seats))
                + _near(game, who, seats)
            )
        if side and side not in known and side.casefold() not in known:
            told = filled(
                game.lang, "no_side", game=game.name, name=repr(side), known=", ".join(game.sides)
            )
            raise UsageError(told + _near(game, side, game.sides))
        for name in [known.get(side) or known[side.casefold()]] if side else game.sides:
            plan[name] = who
    return plan


def _near(game: Game, name: str, known: Iterable[str]) -> str:
    near = hint(game.lang, name, known)
    return f"; {near}" if near else ""


def game_of_save(save: Save, path: str | None, lang: str = "en") -> Game:
    """Return the game of a save, by its name or from the given folder."""
    if path is None and not os.path.isdir(save.header["game"]):
        from rulekit.compiler.source.locate import find_game

        if find_game(save.header["game"]) is None:
            raise UsageError(filled(lang, "save.not_installed", name=repr(save.header["game"])))
    return open_game(path or save.header["game"], (), lang)
