"""Node and the packages of the page, for the tests that build or run it."""

import os
import shutil
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "page"


def node() -> str:
    """The program; without it a test is skipped, but not where everything is tested."""
    found = shutil.which("node")
    if found is None or not (PAGE / "node_modules").is_dir():
        missing = "node" if found is None else "page/node_modules (cd page && npm ci --ignore-scripts)"
        if os.environ.get("CI"):
            pytest.fail(f"{missing} is missing")
        pytest.skip(f"{missing} is missing")
    return found
