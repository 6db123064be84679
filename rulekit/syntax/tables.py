"""Takes the grammar, makes the parser with its tables: once in a process, and from a file of the cache when there is one."""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from rulekit.syntax.build_acts import Builder
from rulekit.syntax.lexer import KEYWORDS, WordLexer


@cache
def parser() -> Lark:
    """The parser of one declaration."""
    grammar = files("rulekit.syntax").joinpath("grammar.lark").read_bytes()
    stamp = b"|".join([grammar, lark.__version__.encode(), sys.version.encode()])
    name = hashlib.sha256(stamp).hexdigest()
    made = _read(name)
    if made is None:
        made = Lark(grammar.decode(), parser="lalr", start="piece", lexer=WordLexer, transformer=Builder(), keep_all_tokens=True,
                    maybe_placeholders=False)
        _write(name, made)
    KEYWORDS.update({t.pattern.value: t.name for t in made.terminals if t.pattern.type == "str"})
    return made


def _file(name: str) -> Path | None:
    """Where tables are kept between runs: in $RULEKIT_CACHE, or `rulekit` in the user's cache folder. None: it is empty."""
    own = os.environ.get("RULEKIT_CACHE")
    if own == "":
        return None
    base = os.environ.get("XDG_CACHE_HOME")
    folder = Path(own) if own else (Path(base) if base else Path.home() / ".cache") / "rulekit"
    return folder / f"grammar-{name[:24]}.tables"


def _read(name: str) -> Lark | None:
    """The parser from the cache; None if there is none or it is damaged."""
    try:
        kept = _file(name)
        raw = kept.read_bytes() if kept is not None else b""
        digest, data = raw[:32], raw[32:]
        if hashlib.sha256(data).digest() != digest:
            return None
        plain = marshal.loads(data)
        _put_lexer(plain["data"], WordLexer)
        loaded: Lark = Lark.__new__(Lark)._load(plain, transformer=Builder())
        return loaded
    except (OSError, RuntimeError, EOFError, ValueError, TypeError, KeyError):
        return None


def _write(name: str, made: Lark) -> None:
    """Keeps the tables; a folder that cannot be written is no fault."""
    data, memo = made.memo_serialize([TerminalDef, Rule])
    _put_lexer(data, None)
    try:
        kept = _file(name)
        if kept is None:
            return
        raw = marshal.dumps({"data": _without_settings(data), "memo": memo})
        kept.parent.mkdir(parents=True, exist_ok=True)
        draft = kept.with_suffix(f".{os.getpid()}")
        draft.write_bytes(hashlib.sha256(raw).digest() + raw)
        draft.replace(kept)
    except (OSError, RuntimeError, ValueError):
        return


def _put_lexer(data: dict[str, Any], lexer: type | None) -> None:
    """The class of the lexer is no plain data: it is taken out before writing and put back after reading."""
    data["options"]["lexer"] = lexer
    data["parser"]["lexer_conf"]["lexer_type"] = lexer


def _without_settings(data: dict[str, Any]) -> dict[str, Any]:
    """The options without those that hold objects of ours."""
    return {**data, "options": {**data["options"], "transformer": None}}
