"""The client in the wheel is the build of the page's source, with the exact versions of its lock
file."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.server.nodes import WEB as SOURCE
from tests.server.nodes import node

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "rulekit" / "server" / "static"


def test_the_bundle_is_the_build_of_its_source(tmp_path):
    subprocess.run(
        [node(), "build.mjs", str(tmp_path)],
        cwd=SOURCE,
        check=True,
        capture_output=True,
        timeout=300,
    )
    made, kept = (
        {p.name: p.read_bytes() for p in folder.iterdir()} for folder in (tmp_path, BUILT)
    )
    assert sorted(made) == sorted(kept)
    assert [name for name in made if made[name] != kept[name]] == [], "run: cd web && npm run build"


@pytest.mark.parametrize("of", [[], ["-p", "tests"]], ids=["web", "tests"])
def test_the_types_of_the_page_hold(of):
    checked = subprocess.run(
        [node(), "node_modules/typescript/bin/tsc", "--noEmit", *of],
        cwd=SOURCE,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert checked.returncode == 0, checked.stdout


def test_the_first_page_is_small():
    import gzip

    first = [
        p for p in BUILT.iterdir() if p.suffix in (".html", ".js", ".css") and p.name != "draw.js"
    ]  # not loaded by any page
    fonts = sum(p.stat().st_size for p in BUILT.glob("*.woff2"))
    assert sum(len(gzip.compress(p.read_bytes())) for p in first) + fonts < 300_000


INPUTS = """
import { build } from "esbuild";
const how = { bundle: true, write: false, metafile: true, outdir: "out", format: "esm",
  jsx: "automatic", jsxImportSource: "preact" };
const made = await build({ ...how, loader: { ".woff2": "empty" }, external: ["*.woff2"],
  entryPoints: ["src/main.tsx", "src/staticMap.tsx"] });
console.log(JSON.stringify(Object.keys(made.metafile.inputs)));
"""


def test_the_licence_of_all_that_rides_along_is_in_the_wheel():
    """The parts of the bundles, as the bundler reports them, and the fonts have the texts of their
    licences."""
    told = subprocess.run(
        [node(), "--input-type=module", "-e", INPUTS],
        cwd=SOURCE,
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    packages = {
        found[1]
        for each in json.loads(told.stdout)
        if (found := re.search(r"node_modules/((?:@[^/]+/)?[^/]+)/", each))
    }
    packages |= {f"@fontsource/{font.name.split('-latin-')[0]}" for font in BUILT.glob("*.woff2")}
    assert {"preact", "@preact/signals", "@fontsource/inter"} <= packages
    kept = (BUILT / "licences.txt").read_text(encoding="utf-8")
    for name in packages:
        text = (SOURCE / "node_modules" / name / "LICENSE").read_text(encoding="utf-8").strip()
        assert text in kept and f"\n{name} " in kept, f"{name}: its licence does not ride along"
    assert "licences.txt" in (BUILT / "table.js").read_text(encoding="utf-8"), (
        "a page says where they are"
    )
