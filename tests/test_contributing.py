"""The checklists of CONTRIBUTING.md are true: their files, examples and tests exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from rulekit.common.i18n.languages import LANGUAGES
from rulekit.engine.search.agent_registry import AGENTS, SEATS

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
CHECKLISTS = {title: body for title, body in SECTIONS.items() if "\nExample: " in body}
PATH = re.compile(r"`([\w.-]+/[\w./-]*)`(\s+\(not\s+in\s+the\s+example\))?")
TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")


def texts(path: Path) -> list[str]:
    """Return the text of a file, or of each file of a folder."""
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    return [file.read_text(encoding="utf-8", errors="replace") for file in files]


def test_there_is_a_checklist_for_each_kind_of_change() -> None:
    assert len(CHECKLISTS) == 9


def test_six_files_are_to_be_read_first() -> None:
    steps = re.findall(r"^\d\. `([^`]+)`", SECTIONS["Six files to read first"], re.MULTILINE)
    assert len(steps) == 6 and all((ROOT / step).is_file() for step in steps)


@pytest.mark.parametrize("path", sorted({path for path, _ in PATH.findall(PAGE)}))
def test_each_path_of_the_page_exists(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("title", CHECKLISTS)
def test_the_example_stands_in_each_file_of_a_checklist(title: str) -> None:
    """A wrong step is detected. A missing step is not."""
    body = CHECKLISTS[title]
    line = re.search(r"^Example: (.*)$", body, re.MULTILINE)
    assert line
    word = re.compile(
        rf"(?<!\w)(?:{'|'.join(map(re.escape, re.findall('`([^`]+)`', line[1])))})(?!\w)"
    )
    named = [path for path, other in PATH.findall(body) if not other and "static" not in path]
    assert named
    assert not [path for path in named if not any(map(word.search, texts(ROOT / path)))]


@pytest.mark.parametrize("title", CHECKLISTS)
def test_the_tests_of_a_checklist_exist(title: str) -> None:
    named = TEST.findall(CHECKLISTS[title])
    assert named
    for file, test in named:
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert test in functions, f"{file}::{test}"


@pytest.mark.parametrize("agent", AGENTS)
def test_each_agent_has_a_name_and_stands_on_its_page(agent: str) -> None:
    name = agent.partition(":")[0]
    assert f"`{name}" in (ROOT / "docs" / "opponents.md").read_text(encoding="utf-8")
    for lang in LANGUAGES:
        assert SEATS[agent].text(lang)
