"""The promises of the documents: each sentence, list item and row of a table has entries in
`tests/promises`, and each entry names its tests.

An entry is `{says: "words of the document", by: [tests]}`, or `{says: ..., none: why there is
nothing to test}`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
WHOLE = (
    "language",
    "python",
    "situations",
    "data-files",
    "diagnostics",
)  # documents of which every sentence has its entries
PARTS = sorted(p.stem for p in (ROOT / "tests" / "promises").glob("*.yaml"))


def document(part: str) -> Path:
    """`language_2` is a part of the table for docs/language.md."""
    return ROOT / "docs" / (re.sub(r"_\d+$", "", part) + ".md")


def entries(part: str) -> list[dict[str, Any]]:
    found = yaml.safe_load(
        (ROOT / "tests" / "promises" / f"{part}.yaml").read_text(encoding="utf-8")
    )
    assert isinstance(found, list)
    return found


def plain(text: str) -> str:
    return " ".join(text.split())


@cache
def sentences(path: Path) -> list[str]:
    """Those of paragraphs and list items, and rows of tables; not code, headings or the heads of
    tables."""
    text = re.sub(
        r"^( *)```.*?^\1```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    text = re.sub(r"^(\|[^\n]*\n)(?=\|[ :|-]+\|$)", "", text, flags=re.MULTILINE)
    found: list[str] = []
    for chunk in re.split(r"\n\s*\n", text):
        for part in re.split(r"\n(?=\s*(?:[-*] |\d+\. |\|))", chunk.strip()):
            is_text = part and not re.match(r"#|<a |\|[ :|-]+\|$", part)
            if is_text:
                found += (
                    [plain(part)]
                    if part.startswith("|")
                    else re.split(r"(?<=[.!?]) (?=[A-Z`*\"(])", plain(part))
                )
    return found


@cache
def text_of(place: str) -> str:
    path = ROOT / place
    assert path.is_file(), f"{place} is not there"
    return path.read_text(encoding="utf-8")


@cache
def situations_of(place: str) -> frozenset[str]:
    return frozenset(entry["name"] for entry in yaml.safe_load(text_of(place)))


def stands(test: str) -> bool:
    """`tests/x.py::test_y`, `games/g/situations/s.yaml: Its name`, or a folder of
    `tests/broken`."""
    if "::" in test:
        place, name = test.split("::")
        return (
            re.search(rf"^\s*(?:async )?def {re.escape(name)}\(", text_of(place), re.MULTILINE)
            is not None
        )
    if ".yaml: " in test:
        place, name = test.split(": ", 1)
        return name in situations_of(place)
    return (ROOT / test).exists() and test.startswith("tests/broken/")


@pytest.mark.parametrize("part", PARTS)
def test_each_entry_quotes_the_document_and_names_tests_that_are_there(part: str) -> None:
    whole = plain(document(part).read_text(encoding="utf-8"))
    wrong: list[str] = []
    for entry in entries(part):
        says = plain(entry["says"])
        if whole.count(says) != 1:
            wrong.append(f"{says!r} stands {whole.count(says)} times in {document(part).name}")
        if set(entry) not in ({"says", "by"}, {"says", "none"}) or not entry.get(
            "by", entry.get("none")
        ):
            wrong.append(f"{says!r}: `by` names tests, or `none` says why there are none")
        wrong += [
            f"{says!r}: there is no {test}" for test in entry.get("by", ()) if not stands(test)
        ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", WHOLE)
def test_each_sentence_of_a_document_has_its_entries(name: str) -> None:
    path = ROOT / "docs" / f"{name}.md"
    said = [
        plain(entry["says"]) for part in PARTS if document(part) == path for entry in entries(part)
    ]
    bare = [
        sentence
        for sentence in sentences(path)
        if not any(words in sentence or sentence in words for words in said)
    ]
    assert not bare, "\n".join(bare)
