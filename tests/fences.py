"""Fenced blocks of Markdown pages, for the tests that run the examples of the docs."""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@frozen
class Fenced:
    """A block: ```` ```language words ... ````, its text, and its first line."""

    language: str
    words: str
    text: str
    line: int


def blocks(page: Path, language: str | None = None) -> list[Fenced]:
    text = page.read_text(encoding="utf-8")
    found = [
        Fenced(match[1], match[2].strip(), match[3], text.count("\n", 0, match.start()) + 1)
        for match in FENCE.finditer(text)
    ]
    return [block for block in found if language in (None, block.language)]
