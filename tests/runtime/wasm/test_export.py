"""An exported module plays in Node as in Python (in a browser:
tests/browser/test_native_module.py)."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "wasmtime", reason="playing natively needs wasmtime: pip install rulekit[native]"
)

import rulekit
from rulekit.runtime.intrinsics import CHOICES, branch, drawn, mix
from rulekit.runtime.random_playouts import playouts

ROOT = Path(__file__).resolve().parents[3]
HOST = Path(__file__).with_name("host.mjs")
CALLS = """
const plays = (game) => ({ first: game.playouts(5, 20), again: game.playouts(25, 10),
  layers: game.layers(SEED, OPTIONS), failure: game.failure() });
"""
NODE = """import { readFileSync } from "node:fs";
import { host } from HOST;
CALLS
const folder = process.argv[2];
const told = JSON.parse(readFileSync(folder + "/game.json", "utf8"));
console.log(JSON.stringify(plays(await host(readFileSync(folder + "/game.wasm"), told))));
"""
GAMES = [("games/amphipolis", "cleon"), ("games/sphacteria", None), ("examples/hex", None)]


def exported(path: str, scenario: str | None, folder: Path) -> tuple[dict[str, Any], str]:
    """Return the expected results and the calls for other hosts. The module is in the folder."""
    machine = rulekit.load(ROOT / path).wasm_instance(scenario)
    machine.export(folder)
    machine.begin(9)
    options: list[int] = []
    for n in range(15):
        options.append(drawn(machine.layers(), mix(branch(9, CHOICES), n)))
        machine.apply(options[-1])
    words = machine.native.layer_words
    layers = [
        [base, [str(mask >> 64 * j & (1 << 64) - 1) for j in range(words)]]
        for base, mask in machine.layers()
    ]
    told = [
        [[p.winner, p.level, p.decisions, p.rolls] for p in playouts(machine.program, *games)]
        for games in ((5, 20), (25, 10))
    ]
    return (
        {"first": told[0], "again": told[1], "layers": layers, "failure": 0},
        CALLS.replace("SEED", "9").replace("OPTIONS", json.dumps(options)),
    )


@pytest.mark.skipif(not shutil.which("node"), reason="there is no node")
@pytest.mark.parametrize(("path", "scenario"), GAMES)
def test_in_node(path: str, scenario: str | None, tmp_path: Path) -> None:
    wanted, calls = exported(path, scenario, tmp_path)
    script = tmp_path / "play.mjs"
    script.write_text(NODE.replace("HOST", json.dumps(str(HOST))).replace("CALLS", calls))
    done = subprocess.run(
        ["node", str(script), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert json.loads(done.stdout or "null") == wanted, done.stderr
