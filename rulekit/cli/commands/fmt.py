"""The command `fmt`: formats rules files."""

from __future__ import annotations

import argparse
import os
import sys
from io import BytesIO
from pathlib import Path

from rulekit.cli.arguments import add_lang, folder_of
from rulekit.cli.main import UsageError, complain
from rulekit.cli.output import count, print_diagnostics
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.diagnostics.span import Span
from rulekit.common.files import printable, write_whole
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _
from rulekit.compiler.source.folder_inventory import report_rules
from rulekit.compiler.source.text_file import read_stream, read_text, shown_path


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Writes rules files in their one canonical shape. Takes files and folders of games."
    )
    parser.add_argument(
        "path",
        nargs="+",
        metavar="PATH",
        help=gettext("a rules file, a folder of a game, or `-` for standard input"),
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help=gettext("change nothing; exit code 1 if a file would change"),
    )
    add_lang(parser)


def _files(path: str, lang: str) -> list[tuple[Path, Path]]:
    """Return the rules files of a path, each with the folder in which it must lie."""
    from rulekit.compiler.source.locate import MANIFEST, rules_files

    if path.endswith(".rules"):
        if not os.path.lexists(path):
            raise UsageError(_("there is no file {file}", file=repr(path)).text(lang))
        return [(Path(path), Path(path).parent)]
    if os.path.isfile(path) and Path(path).name != MANIFEST:
        raise UsageError(
            _("{file} is not a rules file: their names end in .rules", file=repr(path)).text(lang)
        )
    folder = folder_of(path, lang)
    return [(file, folder) for file in rules_files(folder)]


def _read(file: Path, folder: Path, sink: Sink) -> str | None:
    """Return the text of a file that may be overwritten. Links are refused."""
    if file.is_symlink():
        sink.error(
            "RK107",
            Span(shown_path(file), 1, 1),
            "this is a link; only plain files are formatted",
            "name the file itself",
        )
        return None
    return read_text(file, sink, folder)


def _formatted(text: str, path: str, sink: Sink) -> str:
    from rulekit.compiler.syntax.formatter import format_file, without_tabs
    from rulekit.compiler.syntax.parser import parse

    text = without_tabs(text)
    return format_file(parse(text, path, sink), text)


def run(args: argparse.Namespace) -> int:
    """Format all files."""
    if args.path == ["-"]:
        sink = Sink()
        text = read_stream(
            sys.stdin.buffer if sys.stdin else BytesIO(), "<stdin>", sink
        )  # None if standard input was closed
        if text is not None and not text.strip():
            complain(
                _("{file}: nothing was formatted: the file is empty", file="<stdin>").text(
                    args.lang
                )
            )
            return 1
        if text is not None:
            sys.stdout.write(_formatted(text, "<stdin>", sink))
        print_diagnostics(sink.in_order(), sink.texts, sys.stderr)
        return 1 if sink.errors else 0
    found = [(path, _files(path, args.lang)) for path in args.path]
    empty = [path for path, files in found if not files]
    for path in empty:
        complain(
            _(
                "{game}: nothing was formatted: there is no file of rules", game=printable(path)
            ).text(args.lang)
        )
        sink = Sink()
        report_rules(folder_of(path, args.lang), sink)
        print_diagnostics(sink.in_order(), sink.texts, sys.stderr)
    changed, faulty, files = 0, bool(empty), [each for _, files in found for each in files]
    for file, folder in files:
        sink = Sink()
        before = _read(file, folder, sink)
        after = before if before is None else _formatted(before, shown_path(file), sink)
        print_diagnostics(sink.in_order(), sink.texts, sys.stderr)
        faulty = faulty or bool(sink.errors)
        if before is not None and not before.strip():
            complain(
                _("{file}: nothing was formatted: the file is empty", file=shown_path(file)).text(
                    args.lang
                )
            )
            faulty = True
            continue
        if after is not None and after != before:
            changed += 1
            if not args.check:
                write_whole(file, after.encode())
            print(f"{'would change' if args.check else 'changed'} {shown_path(file)}")
    print(
        f"{count(len(files), 'file')} looked at, {changed}"
        f" {'to change' if args.check else 'changed'}"
    )
    return 1 if faulty or (args.check and changed) else 0
