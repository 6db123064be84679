"""A pytest plugin for `tests/test_pages.py` that changes one random sentence of each page.

Run `python -m pytest -p tests.rewording` with `RULEKIT_REWORDED=SEED` in the environment. A page is
changed in memory when a test reads it. The files stay as they are.
"""

from __future__ import annotations

import os
import random
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# Text that is not prose: blocks of code, headings, tables, HTML, indented code.
NO_PROSE = re.compile(r"^( *)```.*?^\1```$|^(?:#|\||<|    )[^\n]*$", flags=re.MULTILINE | re.DOTALL)
SENTENCE = re.compile(
    r"(?=\S)(?:`[^`]*`|[^`])+?(?=[.!?]\s|\n\s*\n|\n\s*(?:[-*]|\d+\.) |\Z)",
)
# Names, links and comments in a sentence stay, because they can be checked.
STAYS_OR_WORD = re.compile(
    r"`[^`]*`|\[[^\]]*\]\([^)]*\)|\*\*[^*]*\*\*|\([^)]*\)|(?<![\w-])[a-z]{4,}(?![\w-])"
)


def prose(text: str) -> list[tuple[int, int]]:
    """Return the beginning and end of each sentence of a page."""
    spans, begin = [], 0
    for match in [*NO_PROSE.finditer(text), None]:
        end = match.start() if match else len(text)
        spans += [found.span() for found in SENTENCE.finditer(text, begin, end)]
        begin = match.end() if match else end
    return [(a, b) for a, b in spans if changed(text[a:b]) != text[a:b]]


def changed(sentence: str) -> str:
    """Return the sentence with the same number of other words on the same lines."""
    return STAYS_OR_WORD.sub(lambda match: "reworded" if match[0].isalpha() else match[0], sentence)


def reworded(text: str, chance: random.Random) -> str:
    """Return a page with one of its sentences changed."""
    sentences = prose(text)
    if not sentences:
        return text
    begin, end = chance.choice(sentences)
    return text[:begin] + changed(text[begin:end]) + text[end:]


def is_page(path: Path) -> bool:
    """Return True if a file is a page of the repository and not a file of a test."""
    folder = path.resolve().parent
    return path.suffix == ".md" and (
        folder == ROOT
        or ROOT / "docs" in (folder, *folder.parents)
        or folder.parent.name == "benchmarks"
    )


def pytest_configure() -> None:
    seed, read_text = os.environ["RULEKIT_REWORDED"], Path.read_text

    def read(self: Path, *args: Any, **options: Any) -> str:
        text = read_text(self, *args, **options)
        return reworded(text, random.Random(f"{seed} {self.name}")) if is_page(self) else text

    Path.read_text = read  # type: ignore[method-assign]
