"""The page's own tests: node runs the laws of its geometry and its piles."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "page"
BUNDLE = """import { build } from "esbuild";
await build({ entryPoints: ["test/geometry.test.ts", "test/piles.test.ts"], outdir: process.argv[1], bundle: true, platform: "node",
              format: "esm", outExtension: { ".js": ".mjs" }, jsx: "automatic", jsxImportSource: "preact", logLevel: "error" });"""


@pytest.fixture(scope="module")
def node() -> str:
    """The program; without it these tests are skipped, but not where everything is tested."""
    found = shutil.which("node")
    if found is None or not (PAGE / "node_modules").is_dir():
        missing = "node" if found is None else "page/node_modules (cd page && npm ci --ignore-scripts)"
        if os.environ.get("CI"):
            pytest.fail(f"{missing} is missing")
        pytest.skip(f"{missing} is missing")
    return found


def test_the_laws_of_the_picture_hold(node, tmp_path):
    subprocess.run([node, "--input-type=module", "-e", BUNDLE, str(tmp_path)], cwd=PAGE, check=True, timeout=60)
    ran = subprocess.run([node, "--test", *map(str, sorted(tmp_path.glob("*.mjs")))], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stdout + ran.stderr
