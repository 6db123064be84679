"""An exported module plays in a browser as in Python."""

import json
from base64 import b64encode

import pytest

pytest.importorskip(
    "wasmtime", reason="playing natively needs wasmtime: pip install rulekit[native]"
)

from tests.runtime.wasm.test_export import GAMES, HOST, exported

PAGE = """async ([wasm, told]) => {
  HOST
  CALLS
  return plays(await host(Uint8Array.from(atob(wasm), (c) => c.charCodeAt(0)), told));
}"""


def test_a_module_plays_in_a_browser(chromium, tmp_path) -> None:
    page = chromium.new_page()
    try:
        for game, scenario in GAMES:
            wanted, calls = exported(game, scenario, tmp_path / game)
            wasm = b64encode((tmp_path / game / "game.wasm").read_bytes()).decode()
            told = json.loads((tmp_path / game / "game.json").read_text(encoding="utf-8"))
            script = PAGE.replace(
                "HOST", HOST.read_text(encoding="utf-8").replace("export ", "")
            ).replace("CALLS", calls)
            assert page.evaluate(script, [wasm, told]) == wanted
    finally:
        page.close()
