"""A kind or another name that is misspelt where it is declared: one finding, there; what else is wrong with names is told as ever."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from rulekit.loading import Loader

SKIRMISH = Path(__file__).resolve().parents[2] / "examples" / "skirmish"


def told(tmp_path: Path, *changes: tuple[str, str]) -> list[tuple[str, int, str, str]]:
    folder = tmp_path / "g"
    shutil.copytree(SKIRMISH, folder)
    rules = folder / "game.rules"
    text = rules.read_text(encoding="utf-8")
    for old, new in changes:
        assert len(re.findall(old, text, re.M)) == 1
        text = re.sub(old, new, text, flags=re.M)
    rules.write_text(text, encoding="utf-8")
    return [(d.code, d.span.line, d.message, d.help) for d in Loader(folder).findings()]


@pytest.mark.parametrize(("kind", "slip"), [("Piece", "Peice"), ("Zone", "Zones"), ("Side", "Sied"), ("Border", "Boder"), ("Card", "Crad")])
def test_a_kind_misspelt_where_it_is_declared_is_told_once(kind: str, slip: str, tmp_path: Path) -> None:
    [(code, line, message, help)] = told(tmp_path, (rf"^kind {kind}\b", f"kind {slip}"))
    text = (SKIRMISH / "game.rules").read_text(encoding="utf-8").split("\n")
    assert code == "RK301" and text[line - 1].startswith(f"kind {kind}")
    found = re.fullmatch(rf"no other line names this kind, and (\d+) places name an unknown '{kind}'", message)
    assert found and int(found[1]) > 1 and help == f"call it '{kind}' here, or mend it there"


def test_another_unknown_name_is_told_beside_it(tmp_path: Path) -> None:
    found = told(tmp_path, ("^kind Piece$", "kind Peice"), (r"removed\(p: Piece\)", "removed(p: Pawn)"))
    assert sorted(message.partition(",")[0] for _, _, message, _ in found) == ["no other line names this kind", "unknown kind or unit 'Pawn'"]


def test_a_kind_that_other_lines_name_is_not_meant(tmp_path: Path) -> None:
    found = told(tmp_path, (r"removed\(p: Piece\)", "removed(p: Pieces)"), (r"set_out\(p: Piece\)", "set_out(p: Pieces)"))
    assert {message for _, _, message, _ in found} >= {"unknown kind or unit 'Pieces'"} and len(found) > 1
    assert not any("no other line" in message for _, _, message, _ in found)


@pytest.mark.parametrize(("line", "name", "slip", "what"), [
    ("  fixed strength: 1", "strength", "strenght", "attribute"), ("  state holder: Side", "holder", "hodler", "state"),
    ("kind Type = foot | horse", "horse", "hosre", "member"), ("event entered", "entered", "entred", "event"),
    ("unit PF, PM", "PF", "FP", "unit"), ("define units", "units", "untis", "define"),
])
def test_any_name_misspelt_where_it_is_declared_is_told_once(line: str, name: str, slip: str, what: str, tmp_path: Path) -> None:
    [(code, _, message, help)] = told(tmp_path, ("^" + re.escape(line), line.replace(name, slip)))
    found = re.fullmatch(rf"no other line names this {what}, and (\d+) places name an unknown '{name}'", message)
    assert code == "RK301" and found and int(found[1]) > 1 and help == f"call it '{name}' here, or mend it there"


def test_one_place_that_is_misspelt_is_told_there(tmp_path: Path) -> None:
    [(code, _, message, help)] = told(tmp_path, (r"sum\(strength of units", "sum(strenght of units"))
    assert (code, message) == ("RK301", "unknown name 'strenght'") and "'strength'" in help
