"""Tests name the sections of the reference pages, by `@pytest.mark.docs`. None depends on the
wording of a page."""

from __future__ import annotations

import ast
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fences import FENCE
from tests.rewording import is_page, reworded

ROOT = Path(__file__).resolve().parent.parent
REFERENCES = ("language", "python", "situations", "data-files", "diagnostics", "prove")
TEST_FILES = sorted((ROOT / "tests").rglob("test_*.py"))

# Tests that read pages, without those that run examples, because these see only blocks of code.
READS_PAGES = (
    "tests/test_pages.py::test_each_section_of_a_reference_is_held_by_a_test",
    "tests/test_pages.py::test_each_mark_names_a_section",
    "tests/test_contributing.py",
    "tests/test_docs.py",
    "tests/test_house.py::test_every_diagnostic_is_explained_and_has_a_fixture",
    "tests/test_house.py::test_every_explained_diagnostic_exists",
    "tests/compiler/check/test_passes.py::test_the_page_shows_the_passes_as_they_are",
    "tests/compiler/passes/test_passes.py::test_each_pass_is_a_module_has_examples_and_stands_in_the_table_of_passes",
    "tests/compiler/backends/test_function_names.py::test_the_page_lists_each_kind_with_its_letters",
    "tests/presentation/test_texts_page.py::test_the_events_of_the_page_are_told_as_it_says",
    "tests/compiler/source/test_hex_sections.py::test_the_example_of_the_page_is_a_game",
    "tests/server/online/test_limits.py::test_the_page_for_who_runs_a_server_names_every_limit_with_its_number",
)
RUNS_EXAMPLES = (
    "test_python_of_a_page or test_an_example or test_the_game_of_the_data_files or"
    " test_the_situations_of_their_page or test_the_next_game or test_what_a_game_of_the_series"
    " or test_the_tutorial"
)
NAMES_A_PAGE = re.compile(r"/ \"[\w-]+\.md\"")


def anchor(heading: str) -> str:
    """Return the link target that GitHub makes from a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def sections(page: str) -> dict[str, str]:
    """Return the text of each section up to the next heading, by `page#anchor`."""
    text = FENCE.sub("(code)", (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"))
    found = re.findall(r"^#{1,3} ([^\n]+)\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    return {f"{page}#{anchor(heading)}": body.strip() for heading, body in found}


def named_by(path: Path) -> list[str]:
    """Return the sections that the tests of a file name."""
    text = path.read_text(encoding="utf-8")
    if "mark.docs(" not in text:
        return []
    return [
        ast.literal_eval(argument)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.docs"
        for argument in node.args
    ]


@pytest.fixture(scope="module")
def named() -> list[str]:
    return [section for path in TEST_FILES for section in named_by(path)]


@pytest.mark.parametrize("page", REFERENCES)
def test_each_section_of_a_reference_is_held_by_a_test(page: str, named: list[str]) -> None:
    """Only headings with text of their own count. `tests/test_house.py` checks the diagnostic
    codes."""
    with_text = {section for section, body in sections(page).items() if body}
    bare = {section for section in with_text if "#rk" not in section} - set(named)
    assert not bare, f"no test bears @pytest.mark.docs with {sorted(bare)}"


def test_each_mark_names_a_section(named: list[str]) -> None:
    lost = set(named) - {section for page in REFERENCES for section in sections(page)}
    assert not lost, f"marks of tests name headings that do not exist: {sorted(lost)}"


def pages() -> list[Path]:
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("benchmarks/*/*.md")]
    return sorted(path for path in found if is_page(path))


@pytest.mark.parametrize("page", pages(), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_reworded_page_has_the_same_code_and_headings(page: Path) -> None:
    """So the tests that run its examples see no change."""
    text = page.read_text(encoding="utf-8")
    other = reworded(text, random.Random())
    assert FENCE.findall(other) == FENCE.findall(text)
    assert re.findall(r"^#.*$", other, re.MULTILINE) == re.findall(r"^#.*$", text, re.MULTILINE)
    assert len(other.splitlines()) == len(text.splitlines())


def test_no_test_holds_the_wording_of_a_page() -> None:
    """One random sentence of each page is changed, and the tests that read pages still pass."""
    seed = str(random.SystemRandom().randrange(10**6))
    plugins = ["-p", "tests.rewording", "-p", "no:schemathesis", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, *READS_PAGES, "-k", f"not ({RUNS_EXAMPLES})"],
        cwd=ROOT,
        env={**os.environ, "RULEKIT_REWORDED": seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, f"RULEKIT_REWORDED={seed}\n{run.stdout[-5000:]}{run.stderr}"


def test_the_tests_that_read_pages_are_listed() -> None:
    reading = {
        path.relative_to(ROOT).as_posix()
        for path in TEST_FILES
        if NAMES_A_PAGE.search(path.read_text(encoding="utf-8"))
    }
    assert reading <= {test.partition("::")[0] for test in READS_PAGES}
