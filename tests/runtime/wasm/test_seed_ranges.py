"""Ranges of games in the native module: the tallies equal those of Python, byte for byte, and the
engine is reported."""

from __future__ import annotations

import json
import pickle
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

pytest.importorskip(
    "wasmtime", reason="playing natively needs wasmtime: pip install rulekit[native]"
)

import rulekit
from rulekit.cli.main import main
from rulekit.engine.simulation import native_ranges as ranges
from rulekit.engine.simulation.native_ranges import native_ranges
from rulekit.engine.simulation.ranges import make_order, range_player
from rulekit.experiments import scheduler
from rulekit.experiments.game_bundle import pack
from rulekit.runtime.cache import _MAGIC
from rulekit.runtime.wasm import NotNative, instance

ROOT = Path(__file__).resolve().parents[3]
RACE = str(ROOT / "tests" / "fixtures" / "race")
HEAD = "game hostile 1\nkind Side decides = red | blue\nstate turn: 0..99999\nstate x: 0..9\n"
MANIFEST = "rulekit: game\nname: hostile\ntitle: Hostile\nversion: '1'\nlanguage: 1\n"
SOUND = 32  # a seed without an error of the rules
FAILS = """total vp(s: Side): int
  base 12 / x down when turn > 2
phase main
  repeat 5 times
    turn += 1
    roll n = d6 by red for luck
    x := n - 1
    choose by red
      option go(i: 0..2)
        x := x / i down
  finish red, win
"""
LONG = """phase main
  repeat 12000 times
    turn += 1
    choose by red
      option go
        x := 1
  finish red, win
"""


@cache
def loaded(path: str) -> rulekit.Game:
    return rulekit.load(ROOT / path)


def written(folder: Path, rules: str) -> Path:
    (folder / "game.yaml").write_text(MANIFEST)
    (folder / "game.rules").write_text(HEAD + rules)
    return folder


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))
    instance._module.cache_clear()
    return tmp_path / "cache"


@pytest.mark.parametrize(
    ("path", "scenario", "sample"),
    [
        ("tests/fixtures/race", "long", 3),
        ("tests/fixtures/race", "short", 0),
        ("tests/fixtures/secrets", None, 2),
        ("examples/skirmish", None, 20),
        ("games/sphacteria", None, 0),
    ],
)
def test_tallies_are_those_of_python(path: str, scenario: str | None, sample: int) -> None:
    game = loaded(path)
    order = make_order(game, 41, 5, scenario, None, {}, sample)
    native, wanted = native_ranges(game, order), range_player(game, order)(0, 41)
    first = native.play(0, 13)
    assert native.natively == sum(not order.watches(i) for i in range(13))
    first.add(native.play(13, 41))
    assert json.dumps(first.to_json()) == json.dumps(wanted.to_json())
    assert first == wanted and wanted.games == 41


def test_games_that_break_a_rule_are_counted_and_told_alike(
    tmp_path: Path, own_cache: Path
) -> None:
    game = rulekit.load(written(tmp_path, FAILS))
    order = make_order(game, 60, 0, None, None, {})
    wanted, native = range_player(game, order)(0, 60), native_ranges(game, order)
    assert native.play(0, 60) == wanted
    assert 10 < wanted.failed < 60 and wanted.games > 0 and "division by zero" in wanted.failures[0]
    assert native.natively == wanted.games


def test_a_game_of_more_turns_than_there_is_room_for_is_played_by_python(
    tmp_path: Path, own_cache: Path
) -> None:
    game = rulekit.load(written(tmp_path, LONG))
    order = make_order(game, 2, 0, None, None, {})
    native = native_ranges(game, order)
    with pytest.raises(NotNative, match="too many turns"):
        native._machine.play(0, 1, native._measured)
    tally = native.play(0, 1)
    assert tally == range_player(game, order)(0, 1) and (tally.games, native.natively) == (1, 0)


def test_a_module_is_made_once_and_kept(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = written(tmp_path, FAILS)
    game = rulekit.load(folder)
    assert (
        game.program().native is None and game.native(make=False) is None
    )  # without a request no module is compiled
    before = set(own_cache.rglob("*.bin"))
    made = game.native()
    (kept,) = set(own_cache.rglob("*.bin")) - before
    assert made is not None and game.native() is made
    again = rulekit.load(folder)
    monkeypatch.setattr(
        "rulekit.compiler.compiler.module_of", lambda *_: pytest.fail("it was made a second time")
    )
    assert again.native() == made
    monkeypatch.undo()
    monkeypatch.setenv("RULEKIT_CACHE", str(own_cache))
    for bad in (
        b"",
        kept.read_bytes()[:-1],
        kept.read_bytes()[:60] + b"x" + kept.read_bytes()[61:],
    ):
        kept.write_bytes(bad)
        torn = rulekit.load(folder)
        assert torn.native(make=False) is None and torn.native() == made


def test_a_game_that_is_compiled_for_native_play_gets_its_module_at_once(
    tmp_path: Path, own_cache: Path
) -> None:
    folder = written(tmp_path, FAILS)
    rulekit.load(folder, native=True).program()
    assert rulekit.load(folder).native(make=False) is not None


def test_machine_code_that_is_torn_is_made_anew(tmp_path: Path, own_cache: Path) -> None:
    game = rulekit.load(written(tmp_path, FAILS))
    game.native()
    before = set(own_cache.rglob("*.bin"))
    wanted = game.wasm_instance().playouts(SOUND, 1)
    (kept,) = set(own_cache.rglob("*.bin")) - before
    whole = kept.read_bytes()
    foreign = pickle.dumps(b"no machine code")
    for bad in (
        b"",
        whole[:-8],
        whole[:200] + bytes(8) + whole[208:],
        _MAGIC + sha256(foreign).digest() + foreign,
    ):
        kept.write_bytes(bad)
        instance._module.cache_clear()
        assert game.wasm_instance().playouts(SOUND, 1) == wanted and kept.read_bytes() == whole


def test_of_files_that_have_changed_no_module_is_made(tmp_path: Path, own_cache: Path) -> None:
    folder = written(tmp_path, FAILS)
    rulekit.load(folder).program()
    game = rulekit.load(folder)
    game.program()
    (folder / "game.rules").write_text(HEAD + FAILS.replace("12", "13"))
    for file in own_cache.rglob("*.bin"):
        file.unlink()  # also deletes the checked model
    with pytest.raises(NotNative, match="have changed"):
        game.wasm_instance()


def test_a_game_that_was_sent_has_the_module_that_was_made(tmp_path: Path, own_cache: Path) -> None:
    game = rulekit.load(written(tmp_path, FAILS))
    order = make_order(game, 5, 0, None, None, {})
    with pytest.raises(NotNative, match="no source"):
        native_ranges(pack(game, order.variants).game(), order)
    game.native()
    assert native_ranges(pack(game, order.variants).game(), order).play(0, 5) == range_player(
        game, order
    )(0, 5)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--seat", "red=greedy"), "only random seats play natively"),
        (("--full",), "recording all events and testing the invariants is done in Python"),
        (("--coverage",), "every game is watched"),
        (("--seed", str((1 << 64) - 3)), "seeds of native games are below 2^64"),
    ],
)
def test_what_only_python_plays_is_told(
    words: tuple[str, ...], why: str, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from rulekit.common.i18n.messages import Message

    told = Message(why).text(lang)
    command = ["simulate", RACE, "--games", "3", "--jobs", "1", "--lang", lang, *words]
    assert main(command) == 0
    assert told in capsys.readouterr().err
    assert main([*command, "--engine", "native"]) == 1
    out, err = capsys.readouterr()
    assert told in err and not out


def test_the_engine_is_chosen_and_told(
    capsys: pytest.CaptureFixture[str], own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["simulate", RACE, "--games", "60", "--jobs", "1", "--json"]
    results = []
    for engine, said in (
        ("auto", "too few games to make a native module"),
        ("python", "played in Python: as asked for"),
        ("native", "played natively: 60"),
        ("auto", "played natively: 60"),
    ):
        assert main([*command, "--engine", engine]) == 0
        out, err = capsys.readouterr()
        data = json.loads(out)
        assert said in err and data.pop("natively") == (60 if "natively" in said else 0)
        results.append(data | {"seconds": 0})
    assert results[0] == results[1] == results[2]
    monkeypatch.setattr(ranges, "available", lambda: False)
    assert main(command) == 0
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert (
        "needs the library wasmtime" in err
        and data.pop("natively") == 0
        and data | {"seconds": 0} == results[0]
    )
    assert main([*command, "--engine", "native"]) == 1
    assert "needs the library wasmtime" in capsys.readouterr().err


@pytest.mark.docs("python#saves")
def test_from_python_the_engine_is_chosen_as_on_the_command_line(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = rulekit.load(RACE)
    found = []
    for engine, natively in (("auto", 0), ("python", 0), ("native", 60), ("auto", 60)):
        report = rulekit.simulate(game, 60, seed=3, engine=engine)
        assert report.pop("natively") == natively
        found.append(report | {"seconds": 0})
    assert found[0] == found[1] == found[2] == found[3]
    sampled = rulekit.simulate(game, 60, seed=3, coverage=20)
    assert (
        sampled["natively"] == 57
        and sampled["watched"]["games"] == 3
        and sampled["results"] == found[0]["results"]
    )
    with pytest.raises(rulekit.RulekitError, match="no engine 'c'; there are auto, native, python"):
        rulekit.simulate(game, 1, engine="c")
    with pytest.raises(NotNative, match="only random seats"):
        rulekit.simulate(game, 1, seats={game.sides[0]: "greedy"}, engine="native")
    assert rulekit.simulate(game, 2, seats={game.sides[0]: "greedy"})["natively"] == 0
    monkeypatch.setattr(ranges, "available", lambda: False)
    assert rulekit.simulate(game, 60, seed=3) | {"seconds": 0} == found[0] | {"natively": 0}
    with pytest.raises(NotNative, match="needs the library wasmtime"):
        rulekit.simulate(game, 1, engine="native")


def test_from_python_what_lasts_gets_a_module(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "ALONE", 0.01)
    monkeypatch.setattr(scheduler, "Processes", lambda *_: pytest.fail("it plays in this process"))
    game = rulekit.load(RACE)
    monkeypatch.setattr(scheduler, "MIN_NATIVE_SECONDS", 1e9)
    assert rulekit.simulate(game, 300)["natively"] == 0 and game.native(make=False) is None
    monkeypatch.setattr(scheduler, "MIN_NATIVE_SECONDS", 0.0)
    assert (
        0 < rulekit.simulate(game, 3000)["natively"] < 3000 and game.native(make=False) is not None
    )


def test_what_lasts_gets_a_module(
    capsys: pytest.CaptureFixture[str], own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "ALONE", 0.01)
    rulekit.load(RACE).program()  # compiles the game, without a module
    command = ["simulate", RACE, "--games", "3000", "--jobs", "1"]
    monkeypatch.setattr(scheduler, "MIN_NATIVE_SECONDS", 1e9)
    assert main(command) == 0
    assert "too few games to make a native module" in capsys.readouterr().err
    monkeypatch.setattr(scheduler, "MIN_NATIVE_SECONDS", 0.0)
    assert main(command) == 0
    assert "in Python: " in capsys.readouterr().err
    assert main(command) == 0
    assert "played natively: 3000 games" in capsys.readouterr().err
