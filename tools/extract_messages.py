"""Babel's way to find messages in the source: every call of `_`, `gettext`, `ngettext` and
`pgettext`, also within f-strings and within other messages.

Usage: `make messages`."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import IO, Any

TEXTS = {"_": 1, "gettext": 1, "ngettext": 2, "pgettext": 2}  # the arguments that are texts


def extract(
    file: IO[bytes], keywords: Collection[str], comment_tags: Any, options: Any
) -> Iterator[tuple[int, str, str | tuple[str, ...], list[str]]]:
    """Yield the line, the function and the texts of each message. Raise ValueError for a text that
    is no literal."""
    tree = ast.parse(file.read())
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name in TEXTS and name in keywords:
            texts = tuple(_text(each) for each in call.args[: TEXTS[name]])
            yield call.lineno, name, texts if len(texts) > 1 else texts[0], []


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError(f"line {node.lineno}: the text of a message is not a literal")
