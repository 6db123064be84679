"""The command `fmt`: formats rules files.

Writes rules files in their one canonical shape. Takes files and folders of games."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rulekit.cli.common import folder_of
from rulekit.cli.main import UsageError
from rulekit.cli.output import count


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("path", nargs="+", metavar="PATH", help="a rules file, a folder of a game, or `-` for standard input")
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 if a file would change")


def _files(path: str) -> list[Path]:
    if path.endswith(".rules"):
        if not Path(path).is_file():
            raise UsageError(f"there is no file {path!r}")
        return [Path(path)]
    folder = folder_of(path)
    return sorted([*folder.glob("*.rules"), *folder.glob("rules/*.rules")])


def _formatted(text: str, path: str) -> tuple[str, bool]:
    from rulekit.base.diagnostic import Sink
    from rulekit.base.render import render
    from rulekit.syntax.format import format_file
    from rulekit.syntax.parse import parse

    sink = Sink()
    tree = parse(text, path, sink)
    for each in sink.in_order():
        print(render(each, {path: text}), end="\n\n", file=sys.stderr)
    return format_file(tree, text), bool(sink.errors)


def run(args: argparse.Namespace) -> int:
    """Formats every file."""
    if args.path == ["-"]:
        text, bad = _formatted(sys.stdin.read(), "<stdin>")
        sys.stdout.write(text)
        return 1 if bad else 0
    changed, faulty, files = 0, False, [file for path in args.path for file in _files(path)]
    for file in files:
        before = file.read_text(encoding="utf-8")
        after, bad = _formatted(before, str(file))
        faulty = faulty or bad
        if after != before:
            changed += 1
            print(f"{'would change' if args.check else 'changed'} {file}")
            if not args.check:
                file.write_text(after, encoding="utf-8")
    print(f"{count(len(files), 'file')} looked at, {changed} {'to change' if args.check else 'changed'}")
    return 1 if faulty or (args.check and changed) else 0
