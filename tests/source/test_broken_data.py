"""Game folders with one planted fault each: every finding has its code, place, words and help."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink
from rulekit.compiler.source.folder import read_game
from rulekit.compiler.source.situations import read_situations
from rulekit.project.loader import Loader
from tests.levels import level

CASES = sorted(
    p.parent for p in (Path(__file__).parent.parent / "broken" / "data").glob("*/expected.yaml")
)


def findings(folder: Path, case: dict[str, Any]) -> list[Diagnostic]:
    """What is found in a case: by the reader, and as far as the case says, by the checker, or with
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


def make(path: Path, spec: dict[str, Any]) -> None:
    """Writes a file that is no good text, or too big to keep, or a link."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if "link" in spec:
        path.symlink_to(spec["link"])
    elif "hex" in spec:
        path.write_bytes(bytes.fromhex(spec["hex"]))
    else:
        path.write_text(spec["text"] + spec["repeat"] * spec["times"], encoding="utf-8")


@pytest.mark.parametrize("folder", CASES, ids=lambda p: p.name)
def test_a_planted_fault_is_told(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = yaml.safe_load((folder / "expected.yaml").read_text(encoding="utf-8"))
    game = tmp_path / folder.name
    shutil.copytree(folder, game, ignore=shutil.ignore_patterns("expected.yaml"))
    for path, spec in case.get("make", {}).items():
        make(game / path, spec)
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
