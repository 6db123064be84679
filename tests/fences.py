"""Takes a Markdown page, makes its fenced blocks: for the tests that run what the docs show."""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@frozen
class Fenced:
    """A block: ```` ```language words ... ````, its text, and the line on which it opens."""

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
