"""Texts that try to break the parser give a clean diagnostic in linear time, without recursion."""

import subprocess
import sys
from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.syntax import ast as t
from rulekit.compiler.syntax.parser import parse

HOSTILE = {
    "brackets": ("define x = " + "(" * 50_000, "RK214"),
    "sum": ("define x = " + "1 + " * 50_000 + "1", "RK217"),
    "negations": ("define x = " + "not " * 50_000 + "x", "RK217"),
    "signs": ("define x = " + "-" * 50_000 + "1", "RK217"),
    "attributes": ("define x = a" + ".b" * 50_000, "RK217"),
    "calls": ("define x = a" + "()" * 50_000, "RK217"),
    "conditions": ("define x = " + "1 if a else " * 20_000 + "1", "RK217"),
    "filters": ("define x = " + "(a where " * 20_000, "RK217"),
    "blocks": ("phase x\n" + "".join(" " * (i + 1) + "if a\n" for i in range(1000)), "RK215"),
    "digits": ("define x = " + "1" * 1_900_000, "RK216"),
    "dice": ("phase x\n  roll d = " + "9" * 5000 + "d6 by a for b\n", "RK216"),
    "name": ("define x = " + "a" * 1_900_000, "RK225"),
    "commas": ("define x = f(" + "," * 1_900_000, "RK213"),
    "quotes": ('"' * 1_900_000, "RK213"),
    "one quote": ('define x = "' + "a" * 1_900_000, "RK209"),
    "declarations": ("unit A\n" * 270_000, "RK213"),
    "members": ("kind A = " + "a | " * 400_000 + "b", "RK213"),
    "characters": ("a" * 3_000_000, "RK213"),
    "faults": ("$\n" * 900_000, "RK202"),
    "null": ("define x\0 = 3\n", "RK202"),
    "escape": ("define \x1b[31mx = 3\n", "RK202"),
    "python": ("import os\n", "RK211"),
    "dunder": ("define x = ().__class__\n", "RK201"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_gives_a_clean_diagnostic(name: str) -> None:
    text, code = HOSTILE[name]
    sink = Sink()
    parse(text, "f", sink)
    assert sink.found[0].code == code
    assert len(sink.found) <= 51
    assert all(len(d.message) + len(d.label) + len(d.help) < 1000 for d in sink.found)


def test_what_is_within_the_bounds_is_parsed() -> None:
    deep = "(" * 99 + "1" + ")" * 99
    chain = " + ".join(["a"] * 100)
    blocks = "".join("  " * (i + 1) + "if a\n" for i in range(39)) + "  " * 40 + "b\n"
    many = ", ".join(["a.b"] * 5000)
    sink = Sink()
    file = parse(
        f"define x = {deep}\ndefine y = {chain}\nphase z\n{blocks}define m = {{{many}}}\n",
        "f",
        sink,
    )
    assert not sink.found
    assert len(file.decls) == 4
    assert repr(file.decls[1]) and hash(file.decls[1]) and file.decls[2] == file.decls[2]


def test_an_else_if_chain_is_flat() -> None:
    sink = Sink()
    file = parse("phase x\n  if a\n    b\n" + "  else if a\n    b\n" * 5000, "f", sink)
    assert not sink.found
    (phase,) = file.decls
    assert (
        isinstance(phase, t.ProcDecl)
        and isinstance(phase.body[0], t.IfSyntax)
        and len(phase.body[0].arms) == 5001
    )


def test_memory_stays_small() -> None:
    """A separate process that parses one of the longest texts needs less than 200 MiB."""
    code = """
from pathlib import Path
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.syntax.parser import parse
parse("phase a\\n" + "  b(c, d)\\n" * 18_000, "f", Sink())
parse("x" * 1_900_000, "f", Sink())
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if \
line.startswith("VmHWM"))
print(peak.split()[1])  # of this process alone: ru_maxrss would start at the size of its parent
"""
    if not Path("/proc/self/status").exists():
        return  # measured only if the system reports it
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert int(out) < 200 * 1024
