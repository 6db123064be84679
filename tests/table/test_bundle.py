"""What rides in the wheel is the build of the page's source, with the exact versions of its lock file."""

import subprocess
from pathlib import Path

import pytest

from table.nodes import PAGE as SOURCE
from table.nodes import node

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "rulekit" / "table" / "page"


def test_the_bundle_is_the_build_of_its_source(tmp_path):
    subprocess.run([node(), "build.mjs", str(tmp_path)], cwd=SOURCE, check=True, capture_output=True, timeout=120)
    made, kept = ({p.name: p.read_bytes() for p in folder.iterdir()} for folder in (tmp_path, BUILT))
    assert sorted(made) == sorted(kept)
    assert [name for name in made if made[name] != kept[name]] == [], "run: cd page && npm run build"


@pytest.mark.parametrize("of", [[], ["-p", "tests"]], ids=["page", "tests"])
def test_the_types_of_the_page_hold(of):
    checked = subprocess.run([node(), "node_modules/typescript/bin/tsc", "--noEmit", *of], cwd=SOURCE, capture_output=True, text=True, timeout=120)
    assert checked.returncode == 0, checked.stdout


def test_the_first_page_is_small():
    import gzip

    first = [p for p in BUILT.iterdir() if p.suffix in (".html", ".js", ".css") and p.name != "draw.js"]  # which no page loads
    fonts = sum(p.stat().st_size for p in BUILT.glob("*.woff2"))
    assert sum(len(gzip.compress(p.read_bytes())) for p in first) + fonts < 300_000
