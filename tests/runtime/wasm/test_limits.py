"""Numbers beyond 64 bits and endless runs are errors of the rules in the native module. They never
give another number."""

import pytest

from rulekit.common.errors import RulesError
from rulekit.compiler.compiler import build
from rulekit.runtime.random_playouts import playouts
from tests.compiler.checked_rules import written

pytest.importorskip(
    "wasmtime", reason="playing natively needs wasmtime: pip install rulekit[native]"
)

from rulekit.runtime.wasm import WasmInstance

HEAD = (
    "game big 1\nkind Side decides = red | blue\nstate n: int = 3\nstate k: int = 999999999\nstate"
    " x: 0..9\n"
)
END = "  choose by red\n    option go\n      finish red, win\n"
BEYOND = "the native module counts in 64 bits"


def both(rules: str) -> tuple[str, str]:
    """Return the errors of Python and of the module, '' for none."""
    program = build(written(HEAD + rules + END), native=True)
    said = []
    for play in (lambda: playouts(program, 1, 1), lambda: WasmInstance(program).playouts(1, 1)):
        try:
            play()
            said.append("")
        except RulesError as error:
            said.append(str(error))
    return said[0], said[1]


@pytest.mark.parametrize(
    "rules",
    [
        "repeat 100 times\n    n := n * n\n",
        "repeat 100 times\n    n := n * k\n",
        "repeat 100 times\n    n := n - k * k\n",
        "n := (n - k) * k * 9\n",
    ],
)
def test_a_number_that_grows_is_the_same_error(rules: str) -> None:
    python, native = both(f"phase main\n  {rules}")
    assert "grows beyond" in python
    assert native == python


@pytest.mark.parametrize(
    "value",
    [
        "k * k * k / (k * k) down - k",
        "0 - k * k * k + k * k * k",
        "k * k * 5 + k * k * 5 - k * k * 10",
    ],
)
def test_a_number_on_the_way_beyond_64_bits_is_an_error_that_says_so(value: str) -> None:
    python, native = both(f"phase main\n  n := {value}\n")
    assert not python
    assert BEYOND in native


def test_a_sum_that_grows_beyond_64_bits_is_an_error_that_says_so() -> None:
    python, native = both("phase main\n  repeat 100 times\n    n := n + n\n")
    assert not python
    assert BEYOND in native


@pytest.mark.parametrize(
    "value",
    ["k * k + k - n", "0 - k * k * 4 - k", "k * k * 4 / 7 down", "(k * k * 4 + k) / (0 - 1) up"],
)
def test_large_numbers_are_those_of_python(value: str) -> None:
    program = build(written(f"{HEAD}phase main\n  n := {value}\n{END}"), native=True)
    code, machine = program.code("fast"), WasmInstance(program)
    state = code.blank(1)
    code.begin(state)
    machine.begin(1)
    assert machine.slots()[3:] == state[3:]


def test_rounds_are_counted_as_in_python() -> None:
    python, native = both(
        "phase main\n  n := 999999\n  repeat n times\n    repeat n times\n      x := 1 - x\n"
    )
    assert "too many steps" in python
    assert native == python


def test_work_is_counted() -> None:
    rules = f"{HEAD}phase main\n  repeat 999 times\n    n := n + 1\n{END}"
    program = build(written(rules), native=True)
    assert WasmInstance(program).playouts(1, 1) == playouts(program, 1, 1)
    with pytest.raises(RulesError, match="too many steps"):
        WasmInstance(program, fuel=2000).begin(1)
