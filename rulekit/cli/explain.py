"""The command `explain`: prints the derivation behind an event of a saved game.

Plays a saved game up to an event and prints every total that was computed for it, with the paragraph of each part."""

from __future__ import annotations

import argparse

from rulekit.cli.common import add_json, add_lang, game_of_save
from rulekit.cli.main import UsageError
from rulekit.cli.output import print_json
from rulekit.play.words import filled


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", metavar="FILE", help="the saved game")
    parser.add_argument("--event", type=int, required=True, metavar="N", help="number of the event, as `replay` prints it")
    parser.add_argument("--game", metavar="PATH", help="folder of the game, if it is not installed under its name")
    parser.add_argument("--full", action="store_true", help="with the modifiers that do not apply")
    add_lang(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Finds the event and prints what is behind it."""
    from rulekit.play.hindsight import behind
    from rulekit.play.saves import read_save, replay

    save = read_save(args.file)
    game = game_of_save(save, args.game, args.lang)
    state = replay(game, save).state
    if not 0 <= args.event < len(state.events):
        raise UsageError(f"--event wants a number from 0 to {len(state.events) - 1}")
    event = state.events[args.event]
    derivations = behind(state, args.event)
    if args.json:
        print_json({"event": {"number": event.number, "name": event.name, "params": event.params, "ref": list(event.ref)},
                    "derivations": [d.to_json() for d in derivations]})
        return 0
    head, cited = filled(game.lang, "event_number", n=str(event.number)), f"  [{','.join(event.ref)}]" if event.ref else ""
    print(f"{head}{state.table.events.text(event) or event.name}{cited}")
    for each in derivations:
        print(each.text(full=args.full, lang=game.lang))
    if not derivations:
        print(filled(game.lang, "no_derivation"))
    return 0
