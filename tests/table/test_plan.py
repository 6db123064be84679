"""The page's grammar of clicks has unit tests of its own; they run in Node, on a bundle of the source."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "page"
TESTS = sorted((PAGE / "tests").glob("*.test.ts"))


def esbuild() -> Path:
    """The bundler. Without Node or the page's packages the tests are skipped; CI has both."""
    found = PAGE / "node_modules" / ".bin" / "esbuild"
    if shutil.which("node") is None or not found.exists():
        missing = "no Node, or `npm ci` was not run in page/"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return found


@pytest.mark.parametrize("source", TESTS, ids=lambda path: path.stem)
def test_page(source: Path, tmp_path: Path) -> None:
    """What the tests in page/tests say holds."""
    bundle = tmp_path / f"{source.stem}.mjs"
    subprocess.run([esbuild(), source, "--bundle", "--platform=node", "--format=esm", f"--outfile={bundle}", "--log-level=warning"], check=True)
    ran = subprocess.run(["node", "--test", bundle], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert TESTS
