"""The page on data files about texts: those of a moment after a roll, missing translations, and the
summary of events."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.check.check import check
from rulekit.compiler.source.folder import read_game
from tests.small_games import write_game

ROLLED = """
state spent: 0..9
reaction again after die_rolled "Again"
  for red
  limit 1 per game
  spent += 1
total siege_die(at: 1..9): int
  base at + 1
define strong: bool = spent = 0
procedure siege(garrison: 1..9)
  roll d = d6 by red for siege
  spent += 1
  storm(garrison)
procedure storm(at: 1..9)
  let height = at + 2
  roll d = d6 by red for storm
  spent += 1 when height > 3
phase main
  siege(4)
  roll d = d6 by red for luck
  finish none, drawn
"""
TEXT = (
    'moment.after.die_rolled: "{purpose|siege: siege of {garrison}, {strong|yes: strong|no: weak}'
    '|storm: at {at}, modifier {siege_die:+}|*: {purpose}}"\n'
)


def prompts(folder: Path) -> list[str]:
    """Return all questions of a game in which nobody reacts."""
    state, found = rulekit.load(folder).new(seed=1), []
    while state.decision is not None:
        found.append(state.decision.prompt)
        state.apply("pass")
    return found


@pytest.mark.docs("data-files#scenarios-rulings-texts-overlays")
def test_the_text_of_a_moment_after_a_roll_names_what_is_known_there(tmp_path: Path) -> None:
    """These are the variables of an enclosing procedure, totals with only such parameters, and
    definitions, by the purpose of the roll."""
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "en.yaml").write_text(TEXT)
    asked = prompts(write_game(tmp_path, ROLLED))
    assert asked == ["siege of 4, strong", "at 4, modifier +5", "luck"]


@pytest.mark.parametrize(
    ("gap", "known"),
    [
        ("garrison", True),
        ("height", True),
        ("siege_die", True),
        ("strong", True),
        ("purpose", True),
        ("spent", False),
        ("storm", False),
    ],
)
def test_what_may_stand_in_the_text_of_a_moment_after_a_roll(
    tmp_path: Path, gap: str, known: bool
) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "en.yaml").write_text(f'moment.after.die_rolled: "{{{gap}}}"\n')
    source = read_game(write_game(tmp_path, ROLLED), sink := Sink())
    assert source is not None and check(source, sink) is not None
    assert [d.code for d in sink.found if d.code == "RK672"] == ([] if known else ["RK672"])


def test_the_lines_that_a_translation_lacks_are_printed_to_be_filled_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They have the text of the rules in place of the translation. Existing translations are left
    out."""
    rules = (
        '\nevent told\n  points := 1\nstate points: 0..1\nphase main\n  choose by red "what'
        ' \\"now\\""\n    option tell "Tell it"\n      told\n  finish none, drawn\n'
    )
    (tmp_path / "texts").mkdir()
    file = tmp_path / "texts" / "fr.yaml"
    file.write_text("event.told: Dit\nlevel.drawn: nul\n")
    write_game(tmp_path, rules.replace('\\"', "'"))
    assert main(["check", str(tmp_path), "--texts", "fr"]) == 0
    lines = capsys.readouterr().out
    assert (
        'option.main.tell: "Tell it"\n' in lines and "prompt.main.choose: \"what 'now'\"\n" in lines
    )
    assert "event.told" not in lines and "level.drawn" not in lines and "member.Side.red" in lines
    file.write_text(file.read_text() + lines)
    assert main(["check", str(tmp_path), "--texts", "fr"]) == 0 and capsys.readouterr().out == ""


EVENTS = """
kind Gang = g1 | g2
kind Place = a | b | c
kind Man = m1 | m2
state seen: 0..9
event marched(g: Gang, a: Place, z: Place)
  seen += 1
event lost(p: Man)
  seen += 1
event shaken(n: 0..9)
  seen += 1
phase main
  marched(g1, a, b)
  marched(g1, b, c)
  marched(g2, a, c)
  lost(m1)
  lost(m2)
  shaken(0)
  marched(g1, a, b)
  shaken(1)
  shaken(3)
  pick n from 1 .. 2 by red "go on"
  finish none, drawn
"""


def test_the_events_of_the_page_are_told_as_it_says(tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "data-files.md").read_text(
        encoding="utf-8"
    )
    block = [line.strip() for line in page.splitlines() if line.startswith("    event.")]
    assert len(block) == 5
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "en.yaml").write_text("\n".join(block) + "\n")
    state = rulekit.load(write_game(tmp_path, EVENTS)).new(seed=1)
    told = "\n".join(
        "".join(span.text for span in line.spans) for line in rulekit.Seat(state).log()
    )
    assert (
        told.removeprefix("main\n")
        == "g1: from a by way of b to c\ng2: from a to c\nm1 and m2 are lost\nNobody is shaken\ng1:"
        " from a to b\nOne unit is shaken\n3 units are shaken"
    )


@pytest.mark.docs("data-files#situations")
def test_the_coverage_lists_what_is_shown_excused_and_lacking(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ids have `covers` of situations, a `reason`, or neither, each with its paragraph."""
    write_game(
        tmp_path, '\nphase main\n  pick n from 1 .. 2 by red "go on"\n  finish none, drawn\n'
    )
    (tmp_path / "coverage.yaml").write_text(
        'ids: {EX-1: {ref: "1.2"}, EX-2: {ref: "3", reason: "it describes"}, EX-3: {ref: "4"}, '
        'EX-4: {ref: "5", reason: "seen all the same"}}\n'
    )
    (tmp_path / "situations").mkdir()
    (tmp_path / "situations" / "s.yaml").write_text(
        "- {name: one, covers: [EX-1], then: [options: 2]}\n- {name: two, covers: [EX-1, EX-4],"
        " then: [options: 2]}\n"
    )
    assert main(["test", str(tmp_path), "--coverage"]) in (0, 1)
    out = capsys.readouterr().out
    assert "2 of 4 ids covered, 1 excused, 1 uncovered" in out
    for line in (
        "EX-1 [1.2]: one; two",
        "EX-4 [5]: two (though coverage.yaml says why none does: seen all the same)",
        "EX-2 [3]: no situation: it describes",
        "EX-3: NOT COVERED",
    ):
        assert f"  {line}\n" in out


LED = """
kind Man
  fixed rated: 0..3
state seen: 0..9
event sent(p: Man)
  seen += 1
phase main
  choose by red "who goes"
    option send(p: Man) "Send him"
      sent(p)
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("gap", "known"), [("p", True), ("p.rated", True), ("p.name", False), ("q.rated", False)]
)
def test_the_text_of_an_option_says_what_the_data_say_of_whom_it_names(
    tmp_path: Path, gap: str, known: bool
) -> None:
    """`{p.rated}` is an attribute of the parameter p. No other name has a dot."""
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "en.yaml").write_text(f'option.main.send: "Send {{p}} ({{{gap}}})"\n')
    (tmp_path / "things.yaml").write_text(
        "- {kind: Man, source: {text: here}, members: {m1: {rated: 2}, m2: {rated: 0}}}\n"
    )
    source = read_game(write_game(tmp_path, LED), sink := Sink())
    assert source is not None and check(source, sink) is not None, [d.message for d in sink.found]
    assert [d.code for d in sink.found if d.code == "RK672"] == ([] if known else ["RK672"])
    if gap == "p.rated":
        asked = rulekit.load(tmp_path).new(seed=1).decision
        assert asked is not None and [option.label for option in asked.options] == [
            "Send m1 (2)",
            "Send m2 (0)",
        ]


def test_it_does_not_of_whom_not_all_know(tmp_path: Path) -> None:
    """An attribute would reveal the member."""
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "en.yaml").write_text('option.main.send: "Send {p} ({p.rated})"\n')
    rules = LED.replace(
        "  fixed rated: 0..3", "  fixed rated: 0..3\n  fixed owner: Side\n  identity seen by owner"
    )
    things = (
        "- {kind: Man, source: {text: here}, members: {m1: {rated: 2, owner: red}, m2: {rated: 0,"
        " owner: blue}}}\n"
    )
    (tmp_path / "things.yaml").write_text(things)
    source = read_game(write_game(tmp_path, rules), sink := Sink())
    assert source is not None and check(source, sink) is not None, [d.message for d in sink.found]
    assert "RK672" in [d.code for d in sink.found]
    asked = rulekit.load(tmp_path).new(seed=1).decision
    assert asked is not None and not [
        option for option in asked.options if "2" in option.label.replace("m2", "")
    ]
