"""Takes results, makes what the commands print: JSON with stable keys, diagnostics, counts, progress."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from typing import IO, Any

from rulekit.base.diagnostic import Diagnostic

# What JSON leaves as it is, and a terminal obeys, or no encoding has.
_STEERS = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def print_json(data: Any) -> None:
    """One JSON object on standard output."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    print(text if text.replace("\n", "").isprintable() else _STEERS.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def count(number: int, noun: str) -> str:
    """'1 game', '3 games'."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def diagnostic_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic with the keys of `check --json`."""
    from rulekit.base.render import to_json

    return to_json(diagnostic)


def print_diagnostics(found: Sequence[Diagnostic], texts: Mapping[str, str], out: IO[str]) -> None:
    """All diagnostics in the shape that people read. `texts`: the files that the reader accepted; no other is opened to be shown."""
    from rulekit.base.render import render

    for each in found:
        print(render(each, texts, out.isatty()), end="\n\n", file=out)


class Progress:
    """A progress bar on a terminal; nothing where there is none."""

    def __init__(self, total: int, out: IO[str] | None = None) -> None:
        self._out = out or sys.stderr
        self._total = total
        self._shown = -1
        self._on = self._out.isatty()

    def at(self, done: int) -> None:
        """Shows how much is done."""
        part = done * 40 // self._total if self._total else 40
        if self._on and part != self._shown:
            self._shown = part
            self._out.write(f"\r[{'#' * part}{'.' * (40 - part)}] {done}/{self._total}")
            self._out.flush()

    def end(self) -> None:
        """Wipes the bar."""
        if self._on:
            self._out.write("\r" + " " * 70 + "\r")
            self._out.flush()
