"""Game folders with one planted fault each: every finding has its code, place, words and help."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink
from rulekit.compiler.source.folder import read_game
from rulekit.compiler.source.situations import read_situations
from rulekit.project.loader import Loader
from tests.broken_cases import CASES, unpack
from tests.levels import level


def findings(folder: Path, case: dict[str, Any]) -> list[Diagnostic]:
    """Return the findings in a case: by the reader, and if the case says so, by the checker or with
    its situations."""
    thorough = case.get("thorough", False) or any(
        each["code"].startswith("RK7") for each in case["expect"]
    )
    if case.get("through") == "situations":
        return [
            d
            for d in Loader(folder).findings(situations=True)
            if thorough or not d.code.startswith("RK7")
        ]
    sink = Sink()
    source = read_game(
        folder / case.get("game", ""), sink, [folder / path for path in case.get("overlays", [])]
    )
    for path in source.situations if source is not None else []:
        read_situations(path, sink, folder)
    if case.get("through") == "check" and source is not None:
        from rulekit.compiler.check.check import check

        check(source, sink, thorough)
    return sink.in_order()


@pytest.mark.parametrize("file", CASES, ids=lambda p: p.stem)
def test_a_planted_fault_is_told(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tmp_path / file.stem
    case = unpack(file, game)
    monkeypatch.chdir(game)
    found = findings(Path(), case)
    told = [f"{d.span} {d.level} {d.code} {d.message} | {d.help}" for d in found]
    assert len(found) == len(case["expect"]), told
    for diagnostic, want in zip(
        found,
        sorted(case["expect"], key=lambda e: (e["file"], e["line"], e["column"])),
        strict=True,
    ):
        place = (diagnostic.span.file, diagnostic.span.line, diagnostic.span.column)
        assert place == (want["file"], want["line"], want["column"]), told
        assert (diagnostic.code, diagnostic.level) == (want["code"], level(want["code"])), told
        assert want["message"] in diagnostic.message, told
        assert want["help"] in diagnostic.help, told
        assert diagnostic.help, told


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 60
