"""Hostile rules in the native module: they begin and play as in Python, and endless rules end with
the same words."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

pytest.importorskip(
    "wasmtime", reason="playing natively needs wasmtime: pip install rulekit[native]"
)

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.errors import RulesError
from rulekit.compiler.check.check import check
from rulekit.compiler.check.resolve.limits import deep_stack
from rulekit.compiler.compiler import build
from rulekit.compiler.source.game_source import GameSource, RulesText
from rulekit.engine.testing.native_crosscheck import Verifier
from rulekit.runtime.program import Program
from rulekit.runtime.wasm import WasmInstance
from rulekit.runtime.wasm.instance import MEMORY
from rulekit.runtime.wasm_format import Native
from tests.hostile.hostile_case import HEAD, MAIN
from tests.hostile.test_play import CALLS, FORMAT, LOOPS, NAMES, PYTHON, WIDE, WRONG
from tests.hostile.test_rules import SOUND

NOT_COMPILED = {
    "many rules that watch",  # takes a quarter of a minute in pure Python
    "many clauses",
}  # the compiler refuses such a long sum with a diagnostic
LOOP = "state x: 0..9\nstate n: int = 3\nphase main\n  var y = 3\n"


def program_of(rules: str) -> Program:
    text = (
        rules if rules[:1] in "\ufeffg" else HEAD + rules + ("" if "phase main" in rules else MAIN)
    )
    source = GameSource(
        "hostile", Path(), rules=[RulesText("g.rules", text, 0, "g")], files={"g.rules": text}
    )
    model = check(source, Sink())
    assert model is not None
    with deep_stack():
        made = build(model, native=True)
    assert isinstance(made.native, Native), made.native
    return made


@pytest.mark.parametrize(
    "rules",
    [pytest.param(rules, id=name) for name, rules in SOUND.items() if name not in NOT_COMPILED],
)
def test_strange_rules_are_played(rules: str) -> None:
    assert Verifier(WasmInstance(program_of(rules))).game(1, 50)[1] == ""


@pytest.mark.parametrize(
    "rules", [PYTHON, NAMES, FORMAT, *WIDE.values()], ids=["python", "names", "format", *WIDE]
)
def test_what_is_deep_or_wide_or_called_strangely_is_played(rules: str) -> None:
    machine = WasmInstance(program_of(rules))
    assert Verifier(machine).game(1, 50)[1] == ""
    assert machine.slots()[0] == 0


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        *(
            pytest.param(LOOP + loop + "  finish red, win\n", "", id=name)
            for name, loop in LOOPS.items()
        ),
        *(pytest.param(rules, said, id=said) for rules, said in WRONG),
    ],
)
def test_what_has_no_end_or_goes_wrong_is_stopped_in_the_same_words(rules: str, said: str) -> None:
    machine = WasmInstance(program_of(rules))
    assert Verifier(machine).game(1, 50)[1] == ""
    with pytest.raises(RulesError, match=said or None):
        machine.playouts(1, 1)
    with pytest.raises(RulesError, match=said or None):  # a stopped machine can be started again
        machine.playouts(1, 1)


def test_what_is_done_between_two_decisions_is_bounded() -> None:
    """The module records nothing, but calls count as work. They end within seconds and need no more
    memory."""
    machine = WasmInstance(program_of(CALLS))
    begun, memory = time.process_time(), machine._memory.data_len(machine._store)
    with pytest.raises(RulesError, match="too many steps without a decision"):
        machine.playouts(1, 1)
    assert (
        time.process_time() - begun < 20
        and machine._memory.data_len(machine._store) == memory <= MEMORY
    )


def test_rules_that_set_each_other_off_are_stopped() -> None:
    rules = (
        "state x: bool\nevent turned\n  x := not x\nwhenever s in Side where x or not x\n "
        " turned\nphase main\n  turned\n  finish red, win\n"
    )
    machine = WasmInstance(program_of(rules))
    with pytest.raises(RulesError, match="without end"):
        machine.playouts(1, 1)
