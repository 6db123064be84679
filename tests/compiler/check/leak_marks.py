"""Compares the reported leaks of rules with the marks in their text."""

from __future__ import annotations

import re
from pathlib import Path

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.check.check import check
from rulekit.compiler.source.game_source import GameSource, RulesText

MARK = re.compile(r"~([1789])")  # the last digit of the expected code
CODES = {"1": "RK517", "7": "RK507", "8": "RK518", "9": "RK519"}
LEAKS = ("RK507", "RK517", "RK518", "RK519")


def compared(rules: str) -> tuple[list[str], list[str]]:
    """Return the reported and the expected leaks as `code line:column`. Nothing else may be
    wrong."""
    announced, lines = [], []
    for number, line in enumerate(rules.split("\n"), 1):
        while (mark := MARK.search(line)) is not None:
            announced.append(f"{CODES[mark[1]]} {number}:{mark.start() + 1}")
            line = line[: mark.start()] + line[mark.end() :]
        lines.append(line)
    text = "\n".join(lines)
    sink = Sink()
    check(
        GameSource(
            "written", Path(), rules=[RulesText("g.rules", text, 0, "g")], files={"g.rules": text}
        ),
        sink,
    )
    found = sink.in_order()
    assert not [d for d in found if d.code not in LEAKS], [
        f"{d.code} {d.span.line}: {d.message}" for d in found
    ]
    return [f"{d.code} {d.span.line}:{d.span.column}" for d in found], announced
