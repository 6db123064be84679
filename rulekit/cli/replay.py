"""The command `replay`: plays a saved game again.

Replays a saved game and prints its log and where it stands; `--json` prints every event of the log with its values. `--verify` computes
every event anew and compares it with the record: exit code 1 if one differs."""

from __future__ import annotations

import argparse

from rulekit.cli.common import add_json, add_lang, game_of_save
from rulekit.cli.main import UsageError
from rulekit.cli.output import count, print_json

MOST = 500  # characters of what differs


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", metavar="FILE", help="the saved game")
    parser.add_argument("--game", metavar="PATH", help="folder of the game, if it is not installed under its name")
    parser.add_argument("--verify", action="store_true", help="compare every event with the record; taken-back choices too")
    parser.add_argument("--to", type=int, metavar="N", help="only the first N choices")
    add_lang(parser)
    add_json(parser)


def shortened(value: object) -> str:
    """A choice or an event as far as it is worth a line."""
    text = str(value)
    return text if len(text) <= MOST else f"{text[:MOST]}..."


def run(args: argparse.Namespace) -> int:
    """Replays and prints."""
    from rulekit.play.saves import read_save, replay
    from rulekit.play.view import Viewer

    if args.to is not None and args.to < 0:
        raise UsageError("--to wants a number from 0 on")
    save = read_save(args.file)
    game = game_of_save(save, args.game, args.lang)
    done = replay(game, save, args.to, everything=args.verify)
    events = done.state.events if done.state.is_terminal() else Viewer(done.state, None).events()
    if args.json:
        book = done.state.table.events
        log = [{"number": e.number, "name": e.name, "params": e.params, "ref": list(e.ref), "text": book.text(e)} for e in events]
        print_json(done.to_json() | {"cut": save.cut} | ({} if args.verify else {"log": log}))
        return 0 if done.ok or not args.verify else 1
    if not args.verify:
        for number, text in done.state.table.events.lines(events):
            print(f"{number:5}  {text}")
    if save.cut:
        print("the last line of the save was cut and has been left out")
    asked, result = done.state.decision, done.state.result
    if result is not None:
        print(f"the game is over: {result.winner or 'nobody'}, {result.level}")
    elif asked is not None:
        print(f"{asked.player} is asked: {asked.prompt}")
    for each in done.differences:
        print(each)
    if done.first_difference:
        d = done.first_difference
        print(f"choice {d['choice']} (line {d['line']}): recorded {shortened(d['recorded'])}, now {shortened(d['actual'])}\n  {d['cause']}")
    print(f"{count(done.choices, 'choice')}, {count(done.events, 'event')}: {'as recorded' if done.ok else 'not as recorded'}")
    return 0 if done.ok or not args.verify else 1
