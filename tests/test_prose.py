"""The gauge of prose, which `make lint` runs over the pages and docstrings."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SPEC = importlib.util.spec_from_file_location("prose", ROOT / "tools" / "prose.py")
assert SPEC is not None and SPEC.loader is not None
prose = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(prose)

CLEAR = "A side owns pieces. A player decides for a side.\n"
OBSCURE = "Who decides owns it; what he owns is his; what he does is his; that is all.\n"


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs" / "old").mkdir(parents=True)
    (tmp_path / "docs").joinpath("clear.md").write_text(CLEAR, encoding="utf-8")
    (tmp_path / "docs/old").joinpath("obscure.md").write_text(OBSCURE, encoding="utf-8")
    return tmp_path


def test_a_page_beyond_the_limits_is_named(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert prose.main(["--each", "docs"]) == 1
    told = capsys.readouterr().out
    assert "obscure.md: semicolons" in told and "obscure.md: noun clauses" in told
    assert "clear.md" not in told


def test_a_pending_folder_may_exceed_the_limits(pages: Path) -> None:
    (pages / "pending").write_text("docs/old\n", encoding="utf-8")
    assert prose.main(["--each", "--pending", "pending", "docs"]) == 0


def test_a_pending_entry_within_the_limits_is_a_finding(
    pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So the list of pending files can only shrink."""
    (pages / "pending").write_text("docs/old\ndocs/clear.md\n", encoding="utf-8")
    assert prose.main(["--each", "--pending", "pending", "docs"]) == 1
    assert capsys.readouterr().out.startswith("docs/clear.md: within the limits")


def test_one_semicolon_of_a_short_page_is_allowed(pages: Path) -> None:
    (pages / "docs").joinpath("short.md").write_text("It moves; it fights.\n", encoding="utf-8")
    assert prose.main(["--each", "docs/short.md"]) == 0
    assert prose.main(["docs/short.md"]) == 1
