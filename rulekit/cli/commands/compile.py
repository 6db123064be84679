"""The command `compile`: compiles a game and shows the result."""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterable

from rulekit.cli.arguments import add_game, add_lang, add_rulings, game_of, rulings_of, scenario_of
from rulekit.cli.main import UsageError
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _
from rulekit.runtime.program import Program


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Compiles a game for a scenario. `--show` prints the layout of the state and the emitted"
        " Python; with a NAME only what bears it."
    )
    add_game(parser)
    parser.add_argument(
        "--show",
        nargs="?",
        const="",
        metavar="NAME",
        help=gettext("print the layout and the code (of NAME)"),
    )
    parser.add_argument(
        "--variant", choices=("full", "fast"), default="fast", help=gettext("which code (fast)")
    )
    parser.add_argument(
        "--scenario", metavar="NAME", help=gettext("the scenario (without it: the game's default)")
    )
    add_rulings(parser)
    add_lang(parser)


def run(args: argparse.Namespace) -> int:
    """Compile and print."""
    game = game_of(args)
    program = game.program(scenario_of(args, game), rulings_of(args, game))
    if args.show is None:
        print(
            f"{program.name}, scenario {program.scenario or '-'}: {program.slots} slots,"
            f" {program.options} options, {len(program.decisions) - 1} decisions,"
            f" {len(program.procs)} procedures, {len(program.events)} events"
        )
        for variant, source in program.source.items():
            print(f"  {variant}: {source.count(chr(10))} lines of Python")
        return 0
    parts = _parts(program, args.variant)
    wanted = [text for names, text in parts if not args.show or args.show in names]
    if not wanted:
        raise UsageError(
            _("nothing in the compiled game has the name {name}", name=repr(args.show)).text(
                game.lang
            )
        )
    print("\n\n".join(wanted))
    return 0


def _parts(program: Program, variant: str) -> list[tuple[set[str], str]]:
    """Return the layout and each function of the code, with the names that each contains."""
    layout = ["# the state"]
    for cell in program.cells:
        keys = ", ".join(
            program.kinds[k.kind].name if k.kind >= 0 else f"{k.low}..{k.low + k.size - 1}"
            for k in cell.keys
        )
        layout.append(
            f"{cell.base if cell.base >= 0 else cell.index:5}  {cell.name}({keys}):"
            f" {cell.type.form}, {cell.form}"
        )
    for proc in program.procs:
        slots = ", ".join(f"{v.name} {v.slot}" for v in proc.vars if v.slot >= 0)
        layout.append(f"       {proc.word} {proc.name}{f': {slots}' if slots else ''}")
    named = {
        "state",
        *(kind.name for kind in program.kinds),
        *(cell.name for cell in program.cells),
    }
    named.update(
        name for proc in program.procs for name in (proc.name, *(v.name for v in proc.vars))
    )
    out = [(named, "\n".join(layout))]
    if program.constants:
        chosen = [f"{name} = {value!r}" for name, value in program.constants.items()]
        out.append(
            (
                {"scenario", "rulings", *program.constants},
                "\n".join(["# set by the scenario and the rulings", *chosen]),
            )
        )
    source, lines = program.source[variant].split("\n"), program.lines.get(variant, [])
    begin, tree = 0, ast.parse(program.source[variant])
    for at in [
        *[
            node.lineno - 1
            for node in tree.body
            if isinstance(node, ast.FunctionDef) and node.lineno > 1
        ],
        len(source),
    ]:
        chunk = [
            f"{line:100}# {lines[i]}" if i < len(lines) and lines[i] else line
            for i, line in enumerate(source[begin:at], begin)
        ]
        names = _names(node for node in tree.body if begin < node.lineno <= at)
        out.append(
            (
                names.union(*(_place(place) for place in lines[begin:at] if place)),
                "\n".join(chunk).rstrip(),
            )
        )
        begin = at
    return out


def _names(code: Iterable[ast.stmt]) -> set[str]:
    """Return the names in a piece of code."""
    found = set()
    for node in (inner for each in code for inner in ast.walk(each)):
        match node:
            case ast.FunctionDef(name) | ast.arg(name) | ast.Name(name):
                found.add(name)
            case ast.Attribute(_, name):
                found.add(name)
    return found


def _place(place: str) -> tuple[str, str, str]:
    """Return the names by which a place in a source may be requested: the place, its file, and the
    name of the file.
    """
    file = place.rsplit(":", 2)[0]
    return place, file, file.rpartition("/")[2]
