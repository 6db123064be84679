"""The command `explain`: prints the derivation of an event in a saved game."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rulekit.cli.arguments import OBSERVER, add_json, add_lang, game_of_save
from rulekit.cli.main import UsageError
from rulekit.cli.output import print_json
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _

if TYPE_CHECKING:
    from rulekit.engine.game.game import Game
    from rulekit.engine.game.state import State
    from rulekit.engine.knowledge.observation import Observer


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Plays a saved game up to an event and prints every total that was computed for it, with"
        " the paragraph of each part."
    )
    parser.add_argument("file", metavar="FILE", help=gettext("the saved game"))
    parser.add_argument(
        "--event",
        type=int,
        required=True,
        metavar="N",
        help=gettext("number of the event, as `replay` prints it"),
    )
    parser.add_argument(
        "--game",
        metavar="PATH",
        help=gettext("folder of the game, if it is not installed under its name"),
    )
    parser.add_argument(
        "--as",
        dest="observer",
        metavar="WHO",
        help=gettext(
            "for whom: a side, observer, or all (of a game that is over all, else what everybody"
            " may know)"
        ),
    )
    parser.add_argument(
        "--full", action="store_true", help=gettext("with the modifiers that do not apply")
    )
    add_lang(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Find the event and print its derivation."""
    from rulekit.engine.explain.event_reasons import behind
    from rulekit.engine.game.state import ALL
    from rulekit.engine.knowledge.observation import Observer
    from rulekit.engine.saves.recorder import read_save, replay

    save = read_save(args.file)
    game = game_of_save(save, args.game, args.lang)
    state = replay(game, save).state
    if not 0 <= args.event < len(state.events):
        raise UsageError(
            _("--event needs a number from 0 to {n}", n=str(len(state.events) - 1)).text(game.lang)
        )
    observer = args.observer or (ALL if state.is_terminal() else OBSERVER)
    who = None if observer == OBSERVER else observer
    _check_observer(game, state, observer)
    looker = Observer(state, who) if observer != ALL else None
    event = state.events[args.event] if looker is None else looker.event(state.events[args.event])
    if event is None:
        raise UsageError(
            _("event {n} is hidden from {observer}", n=str(args.event), observer=observer).text(
                game.lang
            )
        )
    derivations = behind(state, args.event, who)
    if args.json:
        print_json(
            {
                "event": {
                    "number": event.number,
                    "name": event.name,
                    "params": event.params,
                    "ref": list(event.ref),
                },
                "derivations": [d.to_json() for d in derivations],
            }
        )
        return 0
    head, cited = (
        _("event {n}: ", n=str(event.number)).text(game.lang),
        (f"  [{','.join(event.ref)}]" if event.ref else ""),
    )
    print(f"{head}{state.table.events.text(event) or event.name}{cited}")
    for each in derivations:
        print(each.text(full=args.full, lang=game.lang))
    if not derivations:
        print(_choice_behind(state, args.event, looker))
    return 0


def _check_observer(game: Game, state: State, observer: str) -> None:
    """Raise `UsageError` with a list of all observers if there is no such observer."""
    from rulekit.engine.game.state import ALL
    from rulekit.engine.kernel.names import UnknownName

    try:
        if observer not in (ALL, OBSERVER):
            state.names.side(observer)
    except UnknownName:
        known = ", ".join([*game.sides, OBSERVER, ALL])
        raise UsageError(
            _(
                "{game} has no side {name}; it has {known}",
                game=game.name,
                name=repr(observer),
                known=known,
            ).text(game.lang)
        ) from None


def _choice_behind(state: State, event: int, looker: Observer | None) -> str:
    """Return a text for an event without totals. It names the choice that caused the event if the
    observer may know it.
    """
    none, number = state.names.say(_("no total was computed for it")), state.choice_of_event(event)
    who = state.marks[number - 1].chooser if number else -1
    if number == 0 or (looker is not None and looker.me != who):
        return none
    option = state.choices[number - 1]
    label = state.names.label(state.table.program.sides, who) if who >= 0 else "-"
    cited = f"  [{', '.join(option.ref)}]" if option.ref else ""
    why = _("it follows from a choice ({who}: {what})", who=label, what=option.label)
    return f"{none}{state.names.semicolon}{state.names.say(why)}{cited}"
