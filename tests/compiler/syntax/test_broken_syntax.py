"""Every fault of syntax has its own diagnostic in plain words: the right code, line, column and
help, and nothing else."""

import re
from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink
from rulekit.common.diagnostics.render import render
from rulekit.compiler.syntax.parser import parse
from rulekit.compiler.syntax.parser_tables import parser
from rulekit.compiler.syntax.scanner import MAX_DEPTH

FIXTURES = sorted((Path(__file__).parents[2] / "broken" / "syntax").glob("*.rules"))
MARK = re.compile(
    r"#!(?P<up>\^?) (?P<code>RK\d+)@(?P<column>\d+) (?P<message>[^|\n]*)(?:\| (?P<help>.*))?"
)
TIMES = re.compile(r"#! times (\d+)\n")


def text_of(path: Path) -> str:
    """Return the text of a fixture. After a first line `#! times N`, the rest is repeated N
    times."""
    text = path.read_text(encoding="utf-8")
    times = TIMES.match(text)
    return text[times.end() :] * int(times[1]) if times else text


def marks(path: Path) -> list[tuple[int, re.Match[str]]]:
    """Return the expected diagnostics with their lines. `#!^` refers to the line above it."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return [
        (n - len(mark["up"]), mark)
        for n, line in enumerate(lines, 1)
        if (mark := MARK.search(line))
    ]


def found_in(path: Path) -> list[Diagnostic]:
    sink = Sink()
    parse(text_of(path), path.name, sink)
    return sink.in_order()


@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: p.stem)
def test_a_planted_fault_is_found_where_it_is(path: Path) -> None:
    """The diagnostics are exactly those that the marks announce."""
    expected = marks(path)
    found = found_in(path)
    assert [(d.code, d.level) for d in found] == [(mark["code"], "error") for _, mark in expected]
    for diagnostic, (line, mark) in zip(found, expected, strict=True):
        assert diagnostic.span.column == int(mark["column"])
        assert diagnostic.span.line == line or TIMES.match(path.read_text(encoding="utf-8"))
        assert mark["message"].strip() in diagnostic.message
        assert (mark["help"] or "").strip() in diagnostic.help


@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: p.stem)
def test_a_diagnostic_helps_and_speaks_plainly(path: Path) -> None:
    """There is always a help, and never the name of a terminal of the grammar."""
    terminals = {t.name for t in parser().terminals} | {
        "NAME",
        "INT",
        "DICE",
        "_NL",
        "_INDENT",
        "_DEDENT",
        "UNIT_NAME",
        "$END",
    }
    text = text_of(path)
    for diagnostic in found_in(path):
        assert diagnostic.help
        said = " ".join([diagnostic.message, diagnostic.label, diagnostic.help])
        written = set(re.findall(r"\b[A-Z_]{2,}\b", text)) | {
            "NAME",
            "UNIT",
        }  # forms of statements contain NAME and UNIT
        assert not (set(re.findall(r"[$A-Z_]{2,}", said)) & terminals) - written
        assert "\n" in render(diagnostic, {path.name: text})


def test_there_are_many_faults() -> None:
    assert len({mark["code"] for path in FIXTURES for _, mark in marks(path)}) >= 20


def test_each_bad_declaration_gives_one_diagnostic_and_the_others_are_parsed() -> None:
    sink = Sink()
    file = parse(
        "unit PA\nkind = 3\nunit PF\n\nphase main\n  x := (\n\nmodifer a.b 1\nunit VP\n", "f", sink
    )
    assert [(d.code, d.span.line) for d in sink.found] == [("RK201", 2), ("RK207", 6), ("RK211", 8)]
    assert len(file.decls) == 3


def test_how_deep_an_expression_is_does_not_hang_on_what_stands_beside_it() -> None:
    """Any number of closed brackets with operators is allowed, but nesting is limited."""
    assert codes(f"define x = f({', '.join(['(a + b)'] * 2 * MAX_DEPTH)})\n") == []
    assert codes(f"define x = {'(a + ' * (MAX_DEPTH // 2 + 1)}b{')' * (MAX_DEPTH // 2 + 1)}\n") == [
        "RK217"
    ]


def codes(text: str) -> list[str]:
    sink = Sink()
    parse(text, "f.rules", sink)
    return [d.code for d in sink.found]
