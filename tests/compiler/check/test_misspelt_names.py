"""A misspelt name in a declaration causes one finding, at the declaration. Other faults of names
are reported as usual."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from rulekit.project.loader import Loader

SKIRMISH = Path(__file__).resolve().parents[3] / "examples" / "skirmish"


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


@pytest.mark.parametrize(
    ("kind", "slip"),
    [
        ("Piece", "Peice"),
        ("Zone", "Zones"),
        ("Side", "Sied"),
        ("Border", "Boder"),
        ("Card", "Crad"),
    ],
)
def test_a_kind_misspelt_where_it_is_declared_is_told_once(
    kind: str, slip: str, tmp_path: Path
) -> None:
    [(code, line, message, help)] = told(tmp_path, (rf"^kind {kind}\b", f"kind {slip}"))
    text = (SKIRMISH / "game.rules").read_text(encoding="utf-8").split("\n")
    assert code == "RK301" and text[line - 1].startswith(f"kind {kind}")
    found = re.fullmatch(
        rf"no other line uses this kind, but (\d+) places use the unknown name '{kind}'", message
    )
    assert (
        found
        and int(found[1]) > 1
        and help == f"rename it to '{kind}' here, or correct the other places"
    )


def test_another_unknown_name_is_told_beside_it(tmp_path: Path) -> None:
    found = told(
        tmp_path, ("^kind Piece$", "kind Peice"), (r"removed\(p: Piece\)", "removed(p: Pawn)")
    )
    assert sorted(message.partition(",")[0] for _, _, message, _ in found) == [
        "no other line uses this kind",
        "unknown kind or unit 'Pawn'",
    ]


def test_a_kind_that_other_lines_name_is_not_meant(tmp_path: Path) -> None:
    found = told(
        tmp_path,
        (r"removed\(p: Piece\)", "removed(p: Pieces)"),
        (r"set_out\(p: Piece\)", "set_out(p: Pieces)"),
    )
    assert {message for _, _, message, _ in found} >= {"unknown kind or unit 'Pieces'"} and len(
        found
    ) > 1
    assert not any("no other line" in message for _, _, message, _ in found)


@pytest.mark.parametrize(
    ("line", "name", "slip", "what"),
    [
        ("  fixed strength: 1", "strength", "strenght", "attribute"),
        ("  state holder: Side", "holder", "hodler", "state"),
        ("kind Type = foot | horse", "horse", "hosre", "member"),
        ("event entered", "entered", "entred", "event"),
        ("unit PF, PM", "PF", "FP", "unit"),
        ("define units", "units", "untis", "define"),
    ],
)
def test_any_name_misspelt_where_it_is_declared_is_told_once(
    line: str, name: str, slip: str, what: str, tmp_path: Path
) -> None:
    [(code, _, message, help)] = told(tmp_path, ("^" + re.escape(line), line.replace(name, slip)))
    found = re.fullmatch(
        rf"no other line uses this {what}, but (\d+) places use the unknown name '{name}'", message
    )
    assert (
        code == "RK301"
        and found
        and int(found[1]) > 1
        and help == f"rename it to '{name}' here, or correct the other places"
    )


def test_one_place_that_is_misspelt_is_told_there(tmp_path: Path) -> None:
    [(code, _, message, help)] = told(
        tmp_path, (r"sum\(strength of units", "sum(strenght of units")
    )
    assert (code, message) == ("RK301", "unknown name 'strenght'") and "'strength'" in help


SMALL = """game small 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Unit = lancers | archers
  state worn: bool
event wearied(u: Unit)
  u.worn := true
moment before_fight in fight asks red
phase main
  wearied(lancers)
  each each_side in Side
    turn(each_side)
    fight(each_side)
  finish none, drawn
phase turn(active: Side)
  field purse: 0..3
  purse := 2
  choose by active from orders "give an order"
  wearied(archers) when active = blue and purse = 1
menu orders in turn
action refit(u: Unit) in orders "Mend the unit in the order of battle"
  when u.worn and active.enemy = blue "it needs nothing"
  when purse > 0 "the purse is empty"
  u.worn := false
action pass_on in orders "Pass on"
  purse := 0 when active = blue
procedure fight(attacker: Side)
  open before_fight
  wearied(archers) when attacker = red
reaction snare at before_fight "Lay a snare"
  when attacker = blue "blue does not attack"
  limit 1 per fight
  wearied(lancers)
"""


def in_small(
    tmp_path: Path, old: str, new: str, situations: str = ""
) -> list[tuple[str, str, str, str]]:
    """Return the findings in the small game after a change of its rules: code, level, message, and
    the marked line."""
    folder = tmp_path / "small"
    (folder / "situations").mkdir(parents=True)
    assert SMALL.count(old) == 1
    (folder / "game.yaml").write_text(
        'rulekit: game\nname: small\ntitle: "Small"\nversion: "1"\nlanguage: 1\n', encoding="utf-8"
    )
    (folder / "game.rules").write_text(SMALL.replace(old, new), encoding="utf-8")
    (folder / "data.yaml").write_text("source: {assumed: made up}\n", encoding="utf-8")
    if situations:
        (folder / "situations" / "s.yaml").write_text(situations, encoding="utf-8")
    found = Loader(folder).findings(situations=True)
    lines = {
        path.name: path.read_text(encoding="utf-8").split("\n")
        for path in folder.rglob("*")
        if path.is_file()
    }
    return [
        (d.code, d.level, d.message, lines[Path(d.span.file).name][d.span.line - 1]) for d in found
    ]


@pytest.mark.parametrize(
    ("what", "old", "new"),
    [
        ("menu", "menu orders", "menu order"),
        ("phase", "phase turn", "phase turns"),
        ("procedure", "procedure fight", "procedure figth"),
        ("moment", "moment before_fight", "moment befor_fight"),
        ("field", "field purse", "field pruse"),
        ("parameter", "turn(active: Side)", "turn(actve: Side)"),
        ("parameter", "fight(attacker: Side)", "fight(attaker: Side)"),
        ("name", "each each_side in", "each each_sied in"),
        ("member", "= lancers |", "= lancer |"),
        ("member", "red(blue) | blue(red)", "red(bleu) | bleu(red)"),
        ("event", "event wearied", "event waeried"),
        ("state", "state worn", "state wron"),
    ],
)
def test_what_follows_from_a_misspelt_declaration_is_not_told(
    what: str, old: str, new: str, tmp_path: Path
) -> None:
    """Unknown fields, parameters or moments are not reported if the correct declaration would
    explain them."""
    [(code, level, message, line)] = in_small(tmp_path, old, new)
    assert (code, level) == ("RK301", "error") and new.partition("(")[0] in line
    assert re.fullmatch(
        rf"no other line uses this {what}, but \d+ places use the unknown name '\w+'", message
    )


SHOWN = """- name: One
  do: [{red: refit lancers}]
  then: [{var purse: 2}]
- name: Two
  do: [{red: refit archers}]
  then: [{var purse: 2}]
"""


def test_what_only_situations_name_is_told_once_there(tmp_path: Path) -> None:
    """The first place in the situations is marked, and the declaration is shown too."""
    [(code, level, message, line)] = in_small(tmp_path, "action refit", "action reffit", SHOWN)
    assert (
        (code, level) == ("RK613", "error")
        and message.startswith("'refit' in 'refit lancers' is not an option")
        and "refit lancers" in line
    )


def test_one_place_is_told_without_what_follows(tmp_path: Path) -> None:
    [(_, _, message, line)] = in_small(tmp_path, "fight(each_side)", "figth(each_side)")
    assert message == "unknown name 'figth'" and line == "    figth(each_side)"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "event wearied(u: Unit)\n  u.worn := true",
            "event wearied(u: Pawn)\n  u.worn := none",
            "unknown kind or unit 'Pawn'",
        ),
        ("  purse := 2", "  purse := twice(1 to 2)", "unknown name 'twice'"),
        ("  wearied(lancers)\n  each", "  lancers.wearies(red)\n  each", "a Unit has no 'wearies'"),
    ],
)
def test_what_is_unknown_is_told_as_such_and_alone(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    assert [told for _, _, told, _ in in_small(tmp_path, old, new)] == [message]
