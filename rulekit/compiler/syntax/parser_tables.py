"""Creates the parser and its tables from the grammar, once for each process, or loads them from the
cache.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import lark
from lark import Lark

from rulekit.compiler.syntax.ast_builder_actions import Builder
from rulekit.compiler.syntax.lexer import KEYWORDS


@cache
def parser() -> Lark:
    """Return the parser of one declaration."""
    grammar = files("rulekit.compiler.syntax").joinpath("grammar.lark").read_text(encoding="utf-8")
    builder = f"{Builder.__module__}.{Builder.__qualname__}"  # which the tables name
    kept = _file(f"save|{grammar}|{builder}|{lark.__version__}|{sys.version}")
    made = _read(kept) if kept else None
    if made is None:
        made = Lark(
            grammar,
            parser="lalr",
            start="piece",
            lexer="basic",
            transformer=Builder(),
            keep_all_tokens=True,
            maybe_placeholders=False,
        )
        if kept:
            _write(kept, made)
    KEYWORDS.update({t.pattern.value: t.name for t in made.terminals if t.pattern.type == "str"})
    return made


def _read(kept: Path) -> Lark | None:
    """Return the parser from its file, or None if the file is missing or damaged."""
    try:
        raw = kept.read_bytes()
    except (OSError, ValueError):
        return None
    data = raw[32:]
    return Lark.load(BytesIO(data)) if sha256(data).digest() == raw[:32] else None


def _write(kept: Path, made: Lark) -> None:
    """Save the tables atomically, unlike Lark's option `cache`, which writes in place. A folder
    that cannot be written is no error.
    """
    tables = BytesIO()
    made.save(tables)
    data = tables.getvalue()
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        draft = kept.with_suffix(f".{os.getpid()}")
        draft.write_bytes(sha256(data).digest() + data)
        draft.replace(kept)
    except (OSError, ValueError):
        return


def _file(stamp: str) -> Path | None:
    """Return the path of the cached tables: in $RULEKIT_CACHE, or in `rulekit` in the user's cache
    folder.

    It is None if $RULEKIT_CACHE is empty or there is no home folder.
    """
    own = os.environ.get("RULEKIT_CACHE")
    if own == "":
        return None
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        folder = Path(own) if own else (Path(base) if base else Path.home() / ".cache") / "rulekit"
    except RuntimeError:
        return None
    return folder / f"grammar-{sha256(stamp.encode()).hexdigest()[:24]}.tables"
