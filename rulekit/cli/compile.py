"""The command `compile`: compiles a game and shows what came out."""

from __future__ import annotations

import argparse
import re

from rulekit.cli.common import add_game, add_lang, add_rulings, game_of, rulings_of, scenario_of
from rulekit.cli.languages import _
from rulekit.cli.main import UsageError
from rulekit.play.words import filled
from rulekit.program.program import Program


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.description = _(
        "Compiles a game for a scenario. `--show` prints the layout of the state and the emitted Python; with a NAME only what bears it.")
    add_game(parser)
    parser.add_argument("--show", nargs="?", const="", metavar="NAME", help=_("print the layout and the code (of NAME)"))
    parser.add_argument("--variant", choices=("full", "fast"), default="fast", help=_("which code (fast)"))
    parser.add_argument("--scenario", metavar="NAME", help=_("the scenario (without it: the game's default)"))
    add_rulings(parser)
    add_lang(parser)


def run(args: argparse.Namespace) -> int:
    """Compiles and prints."""
    game = game_of(args)
    program = game.program(scenario_of(args, game), rulings_of(args, game))
    if args.show is None:
        print(f"{program.name}, scenario {program.scenario or '-'}: {program.slots} slots, {program.options} options, "
              f"{len(program.decisions) - 1} decisions, {len(program.procs)} procedures, {len(program.events)} events")
        for variant, source in program.source.items():
            print(f"  {variant}: {source.count(chr(10))} lines of Python")
        return 0
    parts = _parts(program, args.variant)
    wanted = [text for head, text in parts if not args.show or re.search(rf"\b{re.escape(args.show)}\b", text)]
    if not wanted:
        raise UsageError(filled(game.lang, "line.not_shown", name=repr(args.show)))
    print("\n\n".join(wanted))
    return 0


def _parts(program: Program, variant: str) -> list[tuple[str, str]]:
    """The layout and each function of the code."""
    layout = ["# the state"]
    for cell in program.cells:
        keys = ", ".join(program.kinds[k.kind].name if k.kind >= 0 else f"{k.low}..{k.low + k.size - 1}" for k in cell.keys)
        layout.append(f"{cell.base if cell.base >= 0 else cell.index:5}  {cell.name}({keys}): {cell.type.form}, {cell.form}")
    for proc in program.procs:
        slots = ", ".join(f"{v.name} {v.slot}" for v in proc.vars if v.slot >= 0)
        layout.append(f"       {proc.word} {proc.name}{f': {slots}' if slots else ''}")
    out = [("state", "\n".join(layout))]
    if program.constants:
        chosen = [f"{name} = {value!r}" for name, value in program.constants.items()]
        out.append(("chosen", "\n".join(["# set by the scenario and the rulings", *chosen])))
    source, lines = program.source[variant].split("\n"), program.lines.get(variant, [])
    begin = 0
    for at in [*[i for i, line in enumerate(source) if line.startswith("def ") and i], len(source)]:
        chunk = [f"{line:100}# {lines[i]}" if i < len(lines) and lines[i] else line for i, line in enumerate(source[begin:at], begin)]
        out.append((source[begin], "\n".join(chunk).rstrip()))
        begin = at
    return out
