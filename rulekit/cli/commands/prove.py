"""The command `prove`: shows which changes of the rules no situation notices."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from rulekit.cli.arguments import add_lang, folder_of
from rulekit.cli.main import UsageError
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import _
from rulekit.prove.proving import Proving, Selection
from rulekit.prove.report import print_mutants, print_proof, proof_json, remaining


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Changes the rules of a game in one place at a time, and runs the situations"
        " against each change.\nA change that no situation notices is reported with its"
        " place and its paragraph. The exit code is 1 if there is one."
    )
    parser.add_argument(
        "path",
        metavar="PATH",
        help=gettext("folder of a game, or the name of one that is installed"),
    )
    parser.add_argument(
        "--mutants", action="store_true", help=gettext("change the rules, and run the situations")
    )
    parser.add_argument(
        "--list", action="store_true", help=gettext("only list the changes, without running them")
    )
    parser.add_argument(
        "--paragraph",
        action="append",
        default=[],
        metavar="P",
        help=gettext("only changes of rules that cite this paragraph; may be repeated"),
    )
    parser.add_argument(
        "--file",
        action="append",
        default=[],
        metavar="FILE",
        help=gettext("only changes in files whose path ends so; may be repeated"),
    )
    parser.add_argument(
        "--sample", type=int, default=0, metavar="N", help=gettext("only N changes, at random")
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help=gettext("the seed of --sample (0)")
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=0,
        metavar="N",
        help=gettext("number of processes (without it: one for each processor)"),
    )
    parser.add_argument(
        "--json", metavar="FILE", help=gettext("write all verdicts to a file as JSON")
    )
    add_lang(parser)


def run(args: argparse.Namespace) -> int:
    """Judge the mutants of a game, or list them."""
    from rulekit.cli.progress import Progress
    from rulekit.experiments.executor import cores

    if not args.mutants:
        raise UsageError(_("say what to prove: --mutants").text(args.lang))
    for name in ("sample", "jobs"):
        if getattr(args, name) < 0:
            raise UsageError(
                _("{what} needs a number of at least 1", what=f"--{name}").text(args.lang)
            )
    selection = Selection(args.paragraph, args.file, args.sample, args.seed)
    proving = Proving(folder_of(args.path, args.lang), args.jobs or cores())
    chosen = selection.of(proving.mutants)
    if args.list:
        print_mutants(chosen)
        return 0
    words = (_("changes of the rules: {n} of {all}, {rate} a second"), _("changes"))
    with Progress(len(chosen), args.lang, words=words) as bar:
        proof = proving.prove(selection, lambda done, _: bar.at(done))
    print_proof(proof)
    if args.json:
        text = json.dumps(proof_json(proof), indent=1, ensure_ascii=False)
        Path(args.json).write_text(text + "\n", encoding="utf-8")
    return 1 if remaining(proof) else 0
