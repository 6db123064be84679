"""The parts of a compiled game: each is built on its first use, once, and stored whole for all
processes that need it at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.common.errors import RulesError
from rulekit.compiler import compiler
from rulekit.project.loader import Loader
from rulekit.runtime.cache import Cache
from rulekit.runtime.program import Program
from rulekit.runtime.wasm import instance
from rulekit.runtime.wasm_format import Native
from tests.compiler.checked_games import ROOT

GAME = ROOT / "examples" / "tic_tac_toe"
ASK = """import json, sys, rulekit
from tests.runtime.test_cache import outside
print(json.dumps(outside(sys.argv[1].split())))"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "cache"


@pytest.fixture
def put(own: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the names of stored parts in the order of their storage."""
    names: list[str] = []
    keep = Cache.put
    monkeypatch.setattr(
        Cache, "put", lambda self, name, value: (names.append(name), keep(self, name, value))[1]
    )
    return names


def plays(program: Program) -> list[int]:
    """Return a state after some choices: the slots without the options."""
    code = program.code("fast")
    state = code.blank(3)
    code.begin(state)
    for _ in range(4):
        base, mask = code.layers(state)[0]
        code.apply(state, base + mask.bit_length() - 1)
    return [slot for slot in state if isinstance(slot, int)]


def outside(asked: list[str]) -> dict[str, str]:
    """Return the results of another process that uses these parts."""
    game = rulekit.load(GAME)
    program = game.program()
    told = {"rules": program.rules, "state": str(plays(program))}
    for what in asked:
        native = game.native() if what == "native" else None
        told[what] = str(native.text if isinstance(native, Native) else program.source[what])
    return told


def test_a_game_that_is_loaded_and_played_gets_what_it_needs(put: list[str]) -> None:
    game = rulekit.load(GAME)
    assert put == ["model", "info"]
    program = game.program()
    assert put[2:] == ["compiled", "text full", "text fast"]
    plays(program)
    assert put[5:] == ["code fast"]
    game.new(seed=1)
    assert put[6:] == ["code full"]
    game.native()
    assert put[7:] == ["native"]
    assert (
        program.source["traced"]
        and program.code("traced")
        and put[8:] == ["text traced", "code traced"]
    )
    put.clear()
    again = rulekit.load(GAME)
    again.new(seed=1)
    plays(again.program())
    assert again.native() == game.native() and again.program().source["traced"] and put == []


@pytest.mark.parametrize(
    ("words", "made"),
    [
        (["check", str(GAME)], {"code full", "code fast"}),
        (["simulate", str(GAME), "--games", "2", "--engine", "python"], {"code fast"}),
        (["simulate", str(GAME), "--games", "2", "--engine", "native"], {"native", "machine"}),
        (
            ["simulate", str(GAME), "--games", "2", "--engine", "python", "--coverage"],
            {"code full", "code fast", "text traced", "code traced"},
        ),
        (["perft", str(GAME), "--depth", "1"], {"code fast"}),
    ],
    ids=" ".join,
)
def test_a_command_makes_what_it_uses(words: list[str], made: set[str], put: list[str]) -> None:
    if "native" in words:
        pytest.importorskip("wasmtime")
        instance._module.cache_clear()  # another test of this process may have used the game
    assert main(words) == 0
    always = {"model", "info", "compiled", "text full", "text fast"}
    assert {name for name in put if not name.startswith("sound")} - always == made and len(
        put
    ) == len(set(put))


def test_what_is_asked_for_late_is_made_of_what_was_checked(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is read or checked again, in this process or in another."""
    wanted = outside(["native", "traced"])
    fresh = own.with_name("fresh")
    monkeypatch.setenv("RULEKIT_CACHE", str(fresh))
    plays(rulekit.load(GAME).program())
    monkeypatch.setattr(
        "rulekit.compiler.source.folder.read_game", lambda *_: pytest.fail("it was read again")
    )
    assert outside(["native", "traced"]) == wanted


def test_any_file_may_be_torn_or_gone(own: Path) -> None:
    """It is built again with the same contents."""
    wanted = outside(["full", "fast", "traced", "native"])
    files = {path: path.read_bytes() for path in own.rglob("*.bin")}
    for path, whole in files.items():
        for torn in (None, b"", whole[:-1], whole[:60] + bytes([whole[60] ^ 1]) + whole[61:]):
            path.unlink()
            if torn is not None:
                path.write_bytes(torn)
            assert outside(["full", "fast", "traced", "native"]) == wanted
            path.write_bytes(whole)


@pytest.mark.parametrize("name", ["compiled", "model", "text fast", "code fast", "native"])
def test_a_file_that_holds_something_else_is_as_good_as_none(name: str, own: Path) -> None:
    wanted = outside(["full", "fast", "native"])
    loader = Loader(GAME)
    for foreign in (None, 7, "text", [loader.digest]):
        loader.cache.put(name, foreign)
        assert outside(["full", "fast", "native"]) == wanted


def test_of_files_that_have_changed_nothing_is_made_for_the_game_that_was_loaded(
    own: Path, tmp_path: Path
) -> None:
    """Parts stored for the new files are not used for the old game."""
    import shutil

    folder = tmp_path / "game"
    shutil.copytree(GAME, folder)
    rulekit.load(folder).program()
    game = rulekit.load(folder)
    game.program()
    rules = folder / "game.rules"
    before = rules.read_text()
    rules.write_text(before + "\n# another line\n")
    for path in own.rglob("*.bin"):
        path.unlink()
    with pytest.raises(rulekit.RulekitError, match="have changed"):
        game.new(seed=1)
    rules.write_text(before)
    assert game.new(seed=1).decision is not None


def test_a_model_of_files_that_change_while_they_are_read_is_not_kept(
    put: list[str], tmp_path: Path
) -> None:
    import shutil

    folder = tmp_path / "game"
    shutil.copytree(GAME, folder)
    loader = Loader(folder)
    (folder / "game.rules").write_text((folder / "game.rules").read_text() + "\n# another line\n")
    loader.model()
    assert "model" not in put


def test_several_processes_at_once_find_the_same(own: Path) -> None:
    orders = ["native traced", "traced native fast", "fast native", "full traced"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    running = [
        subprocess.Popen([sys.executable, "-c", ASK, order], env=env, stdout=subprocess.PIPE)
        for order in orders
    ]
    found = [json.loads(process.communicate()[0]) for process in running]
    wanted = outside(["full", "fast", "traced", "native"])
    for told, order in zip(found, orders, strict=True):
        assert told == {key: wanted[key] for key in ("rules", "state", *order.split())}
    assert not list(own.rglob(".new-*"))


def test_without_a_cache_nothing_is_lowered_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEKIT_CACHE", "")
    lower, lowered = compiler.lower, list[bool]()
    monkeypatch.setattr(
        compiler,
        "lower",
        lambda model, plain=None: (lowered.append(plain is not None), lower(model, plain))[1],
    )
    game = rulekit.load(GAME, native=True)
    assert lowered == []
    program = game.program()
    assert (
        game.native() is not None
        and program.code("full")
        and program.code("fast")
        and lowered == [False]
    )
    assert program.code("traced") and program.lines["traced"] and lowered == [False, True]


FAILS = """game failing 1
kind Side decides = red | blue
state left: 0..3 = 1
phase main
  choose by red
    option go
      left -= 2
  finish none, over
"""


@pytest.mark.parametrize("first", ["load", "play", "native"])
def test_what_is_told_is_of_the_folder_that_was_loaded(own: Path, first: str) -> None:
    """The same game in another folder is not compiled again, but errors show places in that
    folder."""
    for name in ("one", "two/below"):
        folder = Path(name)
        folder.mkdir(parents=True)
        (folder / "game.yaml").write_text(
            "rulekit: game\nname: failing\ntitle: It fails\nversion: '1.0'\nlanguage: 1\n"
        )
        (folder / "game.rules").write_text(FAILS)
        state = rulekit.load(folder, native=first == "native").new(seed=1)
        if first != "load" or name != "one":
            with pytest.raises(RulesError) as raised:
                state.apply(1)
            assert raised.value.where == f"{name}/game.rules:7:7"
        native = rulekit.load(folder).native(make=first == "native")
        if first == "native":
            assert isinstance(native, Native)
            assert {place.rpartition("/")[0] for place in native.places if place} == {name}
