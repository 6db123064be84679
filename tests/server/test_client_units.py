"""The browser client's own unit tests (web/tests: clicks, odds, geometry, piles) pass. They run in
Node, on a bundle of the source."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.server.nodes import WEB, node

TESTS = sorted((WEB / "tests").glob("*.test.ts"))


@pytest.mark.docs("data-files#map-pieces-things")
@pytest.mark.parametrize("source", TESTS, ids=lambda path: path.stem)
def test_page(source: Path, tmp_path: Path) -> None:
    """The tests of one file pass."""
    program, bundle = node(), tmp_path / f"{source.stem}.mjs"
    build = [
        WEB / "node_modules" / ".bin" / "esbuild",
        source,
        "--bundle",
        "--platform=node",
        "--format=esm",
        "--jsx=automatic",
        "--jsx-import-source=preact",
        f"--outfile={bundle}",
        "--log-level=warning",
    ]
    subprocess.run(build, cwd=WEB, check=True, timeout=300)
    ran = subprocess.run(
        [program, "--test", bundle], capture_output=True, text=True, check=False, timeout=300
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_there_are_such_tests() -> None:
    """Otherwise a moved folder would pass silently."""
    assert len(TESTS) >= 4
