"""Node and the packages of the browser client, for tests that build or run it."""

import os
import shutil
from pathlib import Path

import pytest

WEB = Path(__file__).resolve().parents[2] / "web"


def node() -> str:
    """Return the program. Without it the test is skipped, but on CI it fails."""
    found = shutil.which("node")
    if found is None or not (WEB / "node_modules").is_dir():
        missing = (
            "node" if found is None else "web/node_modules (cd web && npm ci --ignore-scripts)"
        )
        if os.environ.get("CI"):
            pytest.fail(f"{missing} is missing")
        pytest.skip(f"{missing} is missing")
    return found
