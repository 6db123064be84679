"""Output of the commands: JSON with stable keys, diagnostics, counts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from rulekit.common.diagnostics.diagnostic import Diagnostic
from rulekit.common.files import write_whole

# Characters that JSON leaves unescaped, but that control a terminal or cannot be encoded.
_STEERS = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def print_json(data: Any) -> None:
    """Print one JSON object to standard output."""
    print(json_text(data))


def json_text(data: Any) -> str:
    """Return data as JSON. Control characters that affect a terminal are escaped."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    return (
        text
        if text.replace("\n", "").isprintable()
        else _STEERS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    )


def give_json(data: Any, file: str) -> None:
    """Write one JSON object to a file, completely or not at all. `-` means standard output."""
    if file == "-":
        print_json(data)
    else:
        write_whole(Path(file), f"{json_text(data)}\n".encode())


def count(number: int, noun: str) -> str:
    """Return a number with its noun: '1 game', '3 games'."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def diagnostic_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """Return a diagnostic with the keys of `check --json`."""
    from rulekit.common.diagnostics.render import to_json

    return to_json(diagnostic)


def print_diagnostics(found: Sequence[Diagnostic], texts: Mapping[str, str], out: IO[str]) -> None:
    """Print diagnostics for people. Source lines come from `texts`, the accepted files. No other
    file is opened.
    """
    from rulekit.common.diagnostics.render import render

    for each in found:
        print(render(each, texts, out.isatty()), end="\n\n", file=out)
