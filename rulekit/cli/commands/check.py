"""The command `check`: checks games and prints the diagnostics."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from rulekit.cli.arguments import add_game, add_json, folder_of, overlays_of
from rulekit.cli.output import count, diagnostic_json, print_diagnostics, print_json
from rulekit.common.diagnostics.diagnostic import DEFECT, Diagnostic
from rulekit.common.i18n.command_line import gettext


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Reads and checks the folders of games, compiles them, and begins each scenario. Prints"
        " each finding with its place and a help,\nand a count at the end. Exit code 0 if no error"
        " was found, 1 if there was one."
    )
    add_game(parser, many=True)
    parser.add_argument(
        "--situations",
        action=argparse.BooleanOptionalAction,
        default=True,
        help=gettext("check the names, values and forms in the situations too (default: yes)"),
    )
    parser.add_argument(
        "--texts",
        metavar="LANG",
        help=gettext("print the lines that texts/LANG.yaml lacks, to be filled in"),
    )
    parser.add_argument(
        "--strict", action="store_true", help=gettext("a warning counts as an error")
    )
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help=gettext("also say where the game's data come from"),
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Check all named games."""
    from rulekit.project.loader import Loader

    if args.texts:
        return print_missing([folder_of(path) for path in args.path], args.texts)
    found: list[Diagnostic] = []
    texts: dict[str, str] = {}
    provenance = []
    overlays = overlays_of(args)
    for folder in [folder_of(path) for path in args.path]:
        loader = Loader(folder, overlays)
        found = list(dict.fromkeys([*found, *loader.findings(args.situations)]))
        texts |= loader.sink.texts
        if args.verbose and not any(d.level == "error" for d in found):
            provenance.append((folder, loader.provenance()))
    errors = sum(1 for d in found if d.level == "error")
    warnings = sum(1 for d in found if d.level == "warning")
    if args.json:
        print_json({"diagnostics": [diagnostic_json(d) for d in found]})
    else:
        print_diagnostics(found, texts, sys.stdout)
        for folder, counts in provenance:
            print(f"{folder}: " + ", ".join(f"{n} {kind}" for kind, n in counts.items()))
        totals = [count(errors, "error")] if errors else []
        totals += [count(warnings, "warning")] if warnings else []
        print(f"{count(len(args.path), 'game')} checked: {', '.join(totals) or 'nothing found'}")
    if any(d.code == DEFECT for d in found):
        return 3
    return 1 if errors or (args.strict and warnings) else 0


def print_missing(folders: list[Path], language: str) -> int:
    """Print the keys that a language lacks, as lines of YAML with the English text as the value."""
    from rulekit.project.loader import Loader

    for folder in folders:
        for key, text in Loader(folder).missing_texts(language).items():
            print(f"{key}: {json.dumps(text, ensure_ascii=False)}")
    return 0
