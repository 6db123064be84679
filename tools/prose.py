"""Measure the prose of docstrings and pages against the limits of this project.

Usage: python tools/prose.py [--each] [--pending LIST] PATH...

A Python file is measured by its docstrings, a Markdown file by its paragraphs. Files of one kind
are measured together. `--each` measures every file by itself, and allows each of them one semicolon
and one noun clause, because a short file has few words. The exit code is 1 if a limit is exceeded.

`--pending` names a list of files and folders that may still exceed the limits. An entry without
such a file is a finding, so the list can only shrink.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

MIN_SENTENCE_WORDS = 3  # fewer are a heading or a name
MAX_SEMICOLONS = 3.0  # per 1,000 words
MAX_NOUN_CLAUSES = 1.0  # per 1,000 words: "what", "who" or "whose" where a noun belongs
MAX_SENTENCE_WORDS = 45
MAX_P90_SENTENCE_WORDS = 26

NOUN_CLAUSE = re.compile(
    r"(?:\A|[.;:,]\s|\b(?:of|to|for|by|from|that|than)\s)[Ww](?:hat|ho|hoever|hose|hom)\b"
)  # not the WHO of a form, as in `choose by WHO`
RETIRED = re.compile(
    r"\b(?:hangs? on|so many|by lot|in the midst|comes of|under way)\b|\ATakes .*\bmakes\b",
    re.IGNORECASE,
)
NODES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def docstrings(source: str) -> Iterator[str]:
    """Yield the docstrings of a module, without the lines of doctests."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, NODES) and (text := ast.get_docstring(node)):
            yield "\n".join(
                line for line in text.splitlines() if not line.lstrip().startswith((">>>", "..."))
            )


def paragraphs(page: str) -> Iterator[str]:
    """Yield the paragraphs of a page: no code, tables, headings or link targets."""
    page = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    page = re.sub(r"(?m)^(?:\||#|    ).*$", "", page)
    page = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", page).replace("`", "")
    yield from (part for part in re.split(r"\n\s*\n", page) if part.strip())


def texts_of(file: Path) -> list[str]:
    """Return the texts of a file that are measured."""
    source = file.read_text(encoding="utf-8")
    return list(docstrings(source) if file.suffix == ".py" else paragraphs(source))


def sentence_lengths(text: str) -> list[int]:
    """Return the number of words of each sentence. Items of a list and lines after a blank one
    count as sentences."""
    parts = re.split(r"(?<=[.!?])\s+|\n\s*\n|\n\s*(?:[-*]|\d+\.)\s", text)
    return [count for part in parts if (count := len(part.split())) >= MIN_SENTENCE_WORDS]


def findings(texts: list[str], allowed: int = 0) -> Iterator[str]:
    """Yield the limits that the texts, taken together, exceed.

    Args:
        allowed: the number of semicolons and of noun clauses that is never a finding.
    """
    words = sum(len(text.split()) for text in texts) or 1
    for name, found, limit in (
        ("semicolons", sum(text.count(";") for text in texts), MAX_SEMICOLONS),
        ("noun clauses", sum(len(NOUN_CLAUSE.findall(t)) for t in texts), MAX_NOUN_CLAUSES),
        ("retired words", sum(len(RETIRED.findall(text)) for text in texts), 0.0),
    ):
        if 1000 * found / words > limit and found > (allowed if limit else 0):
            yield f"{name}: {1000 * found / words:.1f} in 1,000 words (at most {limit:g})"
    lengths = sorted(length for text in texts for length in sentence_lengths(text))
    if lengths and lengths[-1] > MAX_SENTENCE_WORDS:
        yield f"longest sentence: {lengths[-1]} words (at most {MAX_SENTENCE_WORDS})"
    if lengths and (p90 := lengths[int(0.9 * (len(lengths) - 1))]) > MAX_P90_SENTENCE_WORDS:
        yield f"sentences, 90th percentile: {p90} words (at most {MAX_P90_SENTENCE_WORDS})"


def files_of(paths: list[Path]) -> Iterator[Path]:
    """Yield the Python and Markdown files under some paths."""
    for path in paths:
        yield from [path] if path.is_file() else sorted([*path.rglob("*.py"), *path.rglob("*.md")])


def covers(entry: str, file: str) -> bool:
    """Return True if an entry of a list of pending files is the file or a folder around it."""
    return file == entry or file.startswith(f"{entry.rstrip('/')}/")


def without_pending(exceeded: dict[str, list[str]], entries: list[str]) -> dict[str, list[str]]:
    """Remove the findings of pending files, and add a finding for each unnecessary entry."""
    remaining = {
        file: found
        for file, found in exceeded.items()
        if not any(covers(entry, file) for entry in entries)
    }
    for entry in entries:
        if not any(covers(entry, file) for file in exceeded):
            remaining[entry] = ["within the limits: remove it from the list of pending files"]
    return remaining


def main(arguments: list[str]) -> int:
    """Print the exceeded limits and return the exit code."""
    parser = argparse.ArgumentParser(description="Measure the prose of docstrings and pages.")
    parser.add_argument("--each", action="store_true", help="measure every file by itself")
    parser.add_argument("--pending", type=Path, metavar="LIST", help="files that may exceed limits")
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    options = parser.parse_args(arguments)
    groups: dict[str, list[str]] = {}
    for file in files_of(options.paths):
        group = str(file) if options.each else {".py": "docstrings"}.get(file.suffix, "pages")
        groups.setdefault(group, []).extend(texts_of(file))
    allowed = 1 if options.each else 0
    exceeded = {
        group: found for group, texts in groups.items() if (found := [*findings(texts, allowed)])
    }
    if options.pending:
        lines = options.pending.read_text(encoding="utf-8").splitlines()
        exceeded = without_pending(exceeded, [line for line in lines if line])
    report = [f"{group}: {each}" for group, found in exceeded.items() for each in found]
    print("\n".join(report) or "prose: within the limits")
    return 1 if exceeded else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
