"""Takes a game folder as read, makes the checked model: every name resolved, every expression typed; all findings go to
the sink."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulekit import model as m
from rulekit.base.diagnostic import Diagnostic, Sink
from rulekit.base.span import NOWHERE, Span
from rulekit.check import passes
from rulekit.check.names import limits
from rulekit.check.names.scope import World
from rulekit.check.rules import decisions, stmts
from rulekit.check.typing import exprs, operators, sets
from rulekit.source.gamesource import GameSource
from rulekit.syntax import tree as t
from rulekit.syntax.parse import parse_scanned

QUOTED = re.compile(r"'([\w.]+)(?:\(\.\.\.\))?'")

MODULES = (exprs, operators, sets, stmts, decisions)  # what types expressions and checks statements is marked in these


def check(source: GameSource, sink: Sink, thorough: bool = False) -> m.Model | None:
    """The model of a game, or None if there are errors. Never raises for what an author may write. `thorough`: warn of what makes
    no difference to play, too."""
    absent: set[str] = set()
    model = guarded(lambda inner: checked(parsed(source, inner, absent), source, inner, thorough), sink)
    if absent:
        sink.found[:] = [d for d in sink.found if not follows(d, absent)]
    return model


def follows(diagnostic: Diagnostic, absent: set[str]) -> bool:
    """Does this finding only follow from a declaration that could not be read: is the name that it is about one of that?"""
    name = QUOTED.search(diagnostic.message)
    return diagnostic.code[2] not in "12" and name is not None and name[1] in absent


def check_files(files: list[tuple[t.File, int]], source: GameSource, sink: Sink) -> m.Model | None:
    """As `check`, from syntax trees."""
    return guarded(lambda inner: checked(files, source, inner), sink)


def guarded(make: Callable[[Sink], m.Model | None], sink: Sink) -> m.Model | None:
    """What may find very much, or nest very deep."""
    try:
        with limits.deep_stack():
            return make(limits.Bounded(sink.found))
    except limits.Enough:
        return None
    except RecursionError:
        sink.error("RK511", NOWHERE, "the rules nest too deep",
                   "divide long expressions, and let definitions use each other less")
        return None


def parsed(source: GameSource, sink: Sink, absent: set[str] | None = None) -> list[tuple[t.File, int]]:
    """The syntax trees of all rules, if these are not too long together. `absent`: takes the names in what could not be read."""
    length = 0
    for text in source.rules:
        length += len(text.text)
        if length > limits.RULES:
            sink.error("RK213", Span(text.path, 1, 1, 1, 2),
                       f"the rules of the game have more than {limits.RULES:,} characters",
                       "a table in tables/*.csv or data in things.yaml may say the same in less")
            raise limits.Enough
    files = []
    for text in source.rules:
        file, scan = parse_scanned(text.text, text.path, sink)
        files.append((file, text.layer))
        if absent is not None:
            absent.update(token.value for piece in scan.pieces if piece.fault is not None for token in piece.tokens)
    return files


def checked(files: list[tuple[t.File, int]], source: GameSource, sink: Sink, thorough: bool = False) -> m.Model | None:
    """The model of parsed rules."""
    return passes.run(files, World(source, sink, m.Model(source.name, 1)), thorough)
