"""Every fault in a rules file has its own diagnostic: the right code, line, column, level and
words, a help, and nothing else."""

import re
from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.check.check import check
from rulekit.compiler.source.game_source import GameSource, RulesText
from tests.levels import level

FIXTURES = sorted((Path(__file__).parents[2] / "broken" / "rules").glob("*.rules"))
MARK = re.compile(r"#! (?P<code>RK\d+)@(?P<column>\d+) (?P<message>[^|\n]*)(?:\| (?P<help>.*))?")


def checked(path: Path) -> Sink:
    text = path.read_text()
    source = GameSource(
        "broken",
        path.parent,
        rules=[RulesText(path.name, text, 0, "broken")],
        files={path.name: text},
    )
    sink = Sink()
    check(source, sink, thorough="RK7" in text)
    return sink


@pytest.mark.docs("diagnostics#diagnostics")
@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: p.stem)
def test_a_planted_fault_is_found_where_it_is(path: Path) -> None:
    """The diagnostics are exactly those that the marks announce."""
    expected = [
        (number, mark)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if (mark := MARK.search(line))
    ]
    found = checked(path).in_order()
    assert [(d.code, d.span.line) for d in found] == [
        (mark["code"], number) for number, mark in expected
    ]
    for diagnostic, (_, mark) in zip(found, expected, strict=True):
        assert mark["message"].strip() in diagnostic.message
        assert (mark["help"] or "").strip() in diagnostic.help
        assert diagnostic.help, diagnostic
        assert diagnostic.level == level(diagnostic.code), diagnostic
        assert diagnostic.span.column == int(mark["column"]), diagnostic


def test_there_are_many_faults() -> None:
    assert len(FIXTURES) >= 50
