"""Check a game: turn the sources of a game folder into a checked model.

In the model every name is resolved and every expression is typed. All findings go to the sink.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from attrs import define, field

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink
from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler import model as m
from rulekit.compiler.check import passes
from rulekit.compiler.check.misspelt_kinds import misspelt
from rulekit.compiler.check.resolve import limits
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.check.rules import decisions, statements
from rulekit.compiler.check.typecheck import operators, primaries, sets
from rulekit.compiler.source.game_source import GameSource
from rulekit.compiler.syntax import ast as t
from rulekit.compiler.syntax.parser import parse_scanned
from rulekit.compiler.syntax.scanner import Scan

WORD = re.compile(r"[A-Za-z_]\w*")
# Words of declarations without which types are wrong.
FOUNDATIONS = frozenset(["kind", "extend", "members", "unit", "use", "game", "library"])
# The word that is missing if a declaration with it could not be parsed.
MISSED = {
    "RK509": "decides",
    "RK510": "main",
    "RK512": "from",
    "RK514": "finish",
}
QUOTED = re.compile(r"'([\w.]+)(?:\(\.\.\.\))?'")

# The functions that type expressions and check statements are registered in these modules.
MODULES = (
    primaries,
    operators,
    sets,
    statements,
    decisions,
)


@define
class Absent:
    """The parts of the rules that could not be parsed.

    Attributes:
        words: all words in these parts.
        kinds: True if one of them declares something that types depend on: a kind, unit or library.
    """

    words: set[str] = field(factory=set)
    kinds: bool = False

    def take(self, text: str, scan: Scan) -> None:
        """Add the unparsed parts of one file."""
        lines = text.split("\n")
        ends = [piece.first_line - 1 for piece in scan.pieces[1:]] + [len(lines)]
        # a file without pieces still has an end
        for piece, end in zip(scan.pieces, ends, strict=False):
            if piece.fault is not None and not piece.read:
                found = WORD.findall("\n".join(lines[piece.first_line - 1 : end]))
                self.words.update(found)
                self.kinds = self.kinds or (found[:1] or [""])[0] in FOUNDATIONS


def check(source: GameSource, sink: Sink, thorough: bool = False) -> m.Model | None:
    """Return the model of a game, or None if there are errors.

    Mistakes of the author never raise an exception. With `thorough`, also warn of parts of the
    rules that make no difference to play.
    """
    begin = len(sink.found)
    model = once(source, sink, thorough)
    sink.found[:] = merge_consequences(source, sink.found[begin:], thorough, sink.found[:begin])
    return model


def merge_consequences(
    source: GameSource,
    found: list[Diagnostic],
    thorough: bool = False,
    apart: Iterable[Diagnostic] = (),
) -> list[Diagnostic]:
    """Merge the findings that follow from one misspelt declaration into one.

    Args:
        found: the findings of `once`.
        apart: findings from other sources, such as situations.
    """
    return misspelt(found, source, lambda changed: _again(changed, thorough), apart)


def _again(source: GameSource, thorough: bool) -> list[Diagnostic]:
    sink = Sink()
    once(source, sink, thorough)
    return sink.found


def once(source: GameSource, sink: Sink, thorough: bool) -> m.Model | None:
    """Check a game one time, without merging the findings that follow from a misspelt
    declaration.
    """
    absent, begin = Absent(), len(sink.found)
    model = guarded(
        lambda inner: checked(parsed(source, inner, absent), source, inner, thorough), sink
    )
    if absent.words:
        sink.found[begin:] = [d for d in sink.found[begin:] if not follows(d, absent)]
    sink.found[begin:] = without_echoes(sink.found[begin:], source)
    return model


def follows(diagnostic: Diagnostic, absent: Absent) -> bool:
    """Return True if a finding only follows from a declaration that could not be parsed, because
    it is about a name in that declaration.
    """
    if diagnostic.code[2] in "12":
        return False
    name = QUOTED.search(diagnostic.message)
    return (
        absent.kinds
        or (name is not None and name[1] in absent.words)
        or MISSED.get(diagnostic.code) in absent.words
    )


def without_echoes(found: list[Diagnostic], source: GameSource) -> list[Diagnostic]:
    """Drop the findings that only repeat that a reserved word was used as a name.

    The first finding for each such word stays. Later ones on lines that contain the word are
    dropped.
    """
    forbidden = {name[1] for d in found if d.code == "RK210" and (name := QUOTED.search(d.message))}
    if not forbidden:
        return found
    lines = {text.path: text.text.split("\n") for text in source.rules}
    reported, kept = set[str](), []
    for each in found:
        name = QUOTED.search(each.message) if each.code == "RK210" else None
        if name is not None and name[1] not in reported:
            reported.add(name[1])
            kept.append(each)
            continue
        line = lines.get(each.span.file, [])[each.span.line - 1 : each.span.line]
        if not (each.code[2] in "2345" and forbidden & set(WORD.findall("".join(line)))):
            kept.append(each)
    return kept


def check_files(files: list[tuple[t.File, int]], source: GameSource, sink: Sink) -> m.Model | None:
    """Check a game as `check` does, from syntax trees."""
    return guarded(lambda inner: checked(files, source, inner), sink)


def guarded(make: Callable[[Sink], m.Model | None], sink: Sink) -> m.Model | None:
    """Call a stage of the check with a limit on the number of findings and on the depth of
    nesting.
    """
    try:
        with limits.deep_stack():
            return make(limits.BoundedSink(sink.found))
    except limits.TooManyFindings:
        return None
    except RecursionError:
        sink.error(
            "RK511",
            NOWHERE,
            "the rules are nested too deep",
            "name parts of long expressions with 'let' or 'define', or write some definitions "
            "directly where they are used",
        )
        return None


def parsed(
    source: GameSource, sink: Sink, absent: Absent | None = None
) -> list[tuple[t.File, int]]:
    """Parse all rules, unless they exceed the limit on their total length.

    The parts that could not be parsed are added to `absent`.
    """
    length = 0
    for text in source.rules:
        length += len(text.text)
        if length > limits.RULES:
            sink.error(
                "RK213",
                Span(text.path, 1, 1, 1, 2),
                f"the rules of the game have more than {limits.RULES:,} characters",
                "move repeated rules into a table in tables/*.csv or into things.yaml",
            )
            raise limits.TooManyFindings
    files = []
    for text in source.rules:
        file, scan = parse_scanned(text.text, text.path, sink)
        files.append((file, text.layer))
        if absent is not None:
            absent.take(text.text, scan)
    return files


def checked(
    files: list[tuple[t.File, int]], source: GameSource, sink: Sink, thorough: bool = False
) -> m.Model | None:
    """Run all passes over parsed rules and return the model, or None if there are errors."""
    return passes.run(files, CheckState(source, sink, m.Model(source.name, 1)), thorough)
