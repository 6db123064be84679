"""The command `rulings`: lists the rulings of a game."""

from __future__ import annotations

import argparse

from rulekit.cli.arguments import add_game, add_json, add_lang, add_rulings, game_of, rulings_of
from rulekit.cli.main import complain
from rulekit.cli.output import print_json
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _, ngettext
from rulekit.engine.game.game import Game, RulingChoice


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Lists the points where the rule book leaves a question open: the paragraphs, the"
        " alternatives with the default marked, what each\nedition sets, and the reason. With"
        " --edition the alternative in force is marked instead. Decisions without alternatives"
        " are\nlisted too."
    )
    add_game(parser)
    parser.add_argument(
        "-k", metavar="WORD", default="", help=gettext("only those in which the word occurs")
    )
    add_rulings(parser)
    add_lang(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the list."""
    game = game_of(args)
    set_so = rulings_of(args, game)
    word = args.k.casefold()
    chosen = [
        r
        for r in game.info.rulings
        if word in f"{r.name} {r.question} {r.reason} {' '.join((*r.ref, *r.inventory))}".casefold()
    ]
    if args.json:
        print_json(
            {
                "rulings": [
                    {
                        "name": r.name,
                        "alternatives": list(r.alternatives),
                        "default": r.default,
                        "in_force": set_so.get(r.name, r.default),
                        "question": r.question,
                        "reason": r.reason,
                        "ref": list(r.ref),
                        "inventory": list(r.inventory),
                    }
                    for r in chosen
                ],
                "editions": game.info.editions,
            }
        )
        return 1 if args.k and not chosen else 0
    for ruling in chosen:
        _print(game, ruling, set_so)
    for name, settings in game.info.editions.items():
        values = ", ".join(f"{k}={v}" for k, v in settings.items()) or _("all as by default").text(
            game.lang
        )
        print(_("edition {name}: {what}", name=name, what=values).text(game.lang))
    live = sum(1 for r in chosen if r.alternatives)
    counted = ngettext(
        "{n} ruling, {live} of them with alternatives (choose with --ruling NAME=ALTERNATIVE)",
        "{n} rulings, {live} of them with alternatives (choose with --ruling NAME=ALTERNATIVE)",
        len(chosen),
        live=live,
    )
    print(counted.text(game.lang))
    if args.k and not chosen:
        complain(
            _(
                "no ruling has {word} in its name, paragraphs, question or reason",
                word=repr(args.k),
            ).text(game.lang)
        )
    return 1 if args.k and not chosen else 0


def _print(game: Game, ruling: RulingChoice, set_so: dict[str, str]) -> None:
    """Print one ruling, with `*` before the alternative in force and its origin next to each."""
    paragraphs = ", ".join((*ruling.ref, *ruling.inventory))
    print(f"{ruling.name}{f'  [{paragraphs}]' if paragraphs else ''}\n  {ruling.question}")
    force = set_so.get(ruling.name, ruling.default)
    for name in ruling.alternatives or (ruling.default,):
        notes = (
            [_("default").text(game.lang)] if name == ruling.default and ruling.alternatives else []
        )
        setting = [
            e for e, settings in game.info.editions.items() if settings.get(ruling.name) == name
        ]
        notes += [_("edition {name}", name=e).text(game.lang) for e in setting]
        text = f"{name}: {ruling.texts.get(name, '')}".rstrip(": ")
        beside = f" ({', '.join(notes)})" if notes else ""
        print(f"  {'*' if name == force else ' '} {text}{beside}")
    if ruling.reason:
        print(f"    {_('because: {why}', why=ruling.reason).text(game.lang)}")
