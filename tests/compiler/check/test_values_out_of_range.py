"""A value of the data that certainly leaves its range is reported with the place of the datum."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink
from rulekit.compiler.check.check import check
from rulekit.compiler.source.folder import read_game

RULES = """game broken 1
kind Side decides = red | blue
kind Zone
  fixed worth: 0..9
fixed last: 1..9
fixed allotted(s: Side): 1..6
fixed due(s: Side, n: 1..3): 0..9
state n: 0..3
state cold: bool
event chilled
  cold := not cold
"""
END = """  finish red, win when n > 2 and cold
  finish blue, win
"""
MANIFEST = (
    'rulekit: game\nname: broken\ntitle: "B"\nversion: "1"\nlanguage: 1\ndefault_scenario: short\n'
)
DATA = """source: {assumed: why}
fixed:
  allotted: {red: 4, blue: 3}
  due: {red: [1, 2, 3], blue: [1, 2, 8]}
"""
ZONES = """places:
  kind: Zone
  source: {assumed: why}
  members:
    hill: {worth: 2, at: [0, 0]}
    town: {worth: 7, at: [4, 0]}
"""


def found(folder: Path, steps: str, more: str = "") -> list[Diagnostic]:
    """Return the findings RK724 in a game of two scenarios with these steps."""
    for name, text in {
        "game.yaml": MANIFEST,
        "data.yaml": DATA,
        "map.yaml": ZONES,
        "rules.rules": f"{RULES}phase main\n{steps}{END}{more}",
        "scenarios/short.yaml": "title: Short\nset: {last: 3}\n",
        "scenarios/long.yaml": "title: Long\nset: {last: 7}\n",
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    sink = Sink()
    source = read_game(folder, sink, [])
    assert source is not None
    check(source, sink, thorough=True)
    assert not sink.errors, sink.errors
    return [each for each in sink.in_order() if each.code == "RK724"]


@pytest.mark.docs("diagnostics#rk724-a-value-that-leaves-its-range")
@pytest.mark.parametrize(
    ("steps", "message", "datum"),
    [
        (
            "  each s in Side\n    n := allotted(s)\n    chilled\n",
            "4 is outside 0..3 (n), where s is red",
            ("data.yaml", 3, 19),
        ),
        (
            "  each s in Side\n    n := due(s, 3)\n    chilled\n",
            "8 is outside 0..3 (n), where s is blue",
            ("data.yaml", 4, 38),
        ),
        (
            "  each z in Zone\n    n := z.worth\n    chilled\n",
            "7 is outside 0..3 (n), where z is town",
            ("map.yaml", 6, 19),
        ),
        (
            "  n := last\n  chilled\n",
            "7 is outside 0..3 (n), in the scenario 'long'",
            ("scenarios/long.yaml", 2, 13),
        ),
    ],
)
def test_the_datum_is_the_second_place(
    tmp_path: Path, steps: str, message: str, datum: tuple[str, int, int]
) -> None:
    (told,) = found(tmp_path, steps)
    assert told.message == message
    assert told.second is not None
    file = Path(told.second.file)
    place = file.name if file.parent.name != "scenarios" else f"scenarios/{file.name}"
    assert (place, told.second.line, told.second.column) == datum


@pytest.mark.docs("diagnostics#rk724-a-value-that-leaves-its-range")
@pytest.mark.parametrize(
    ("steps", "more"),
    [
        ("  if last < 4\n    n := last\n  chilled\n", ""),
        ("  short_game when last < 4\n  chilled\n", "procedure short_game\n  n := last\n"),
        ("  each s in Side where allotted(it) < 4\n    n := allotted(s)\n  chilled\n", ""),
        ("  each s in Side\n    n := allotted(s) when cold\n    chilled\n", ""),
        ("  each s in Side\n    return when cold\n    n := allotted(s)\n    chilled\n", ""),
        ("  each z in Zone where last > 4 and it is hill\n    n := z.worth\n  chilled\n", ""),
        (
            "  choose by red\n    option a when last < 4\n      n := last\n    option b\n"
            "      chilled\n",
            "",
        ),
        (
            "  choose by red from orders\n    option b\n      chilled\n",
            "menu orders in main\naction raise_it(z: Zone) in orders\n  when z.worth < 4\n"
            "  n := z.worth\naction raise_more in orders\n  when last < 4\n  n := last\n",
        ),
        (
            "  chilled\n",
            "on after chilled when last < 4\n  n := last\n",
        ),
    ],
)
def test_conditions_on_the_data_protect_a_step(tmp_path: Path, steps: str, more: str) -> None:
    assert found(tmp_path, steps, more) == []
