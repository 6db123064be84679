"""Rules without effect on play are reported at their places, and nothing else is. Each fault of
tests/broken has a sound counterpart in tests/sound."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink
from rulekit.compiler.check.check import check
from rulekit.compiler.check.lints.suppressions import allowed
from rulekit.compiler.source.folder import read_game
from rulekit.compiler.source.game_source import Datum, GameSource, RulesText
from rulekit.project.loader import Loader

ROOT = Path(__file__).parents[3]
BROKEN, SOUND = ROOT / "tests" / "broken" / "rules", ROOT / "tests" / "sound" / "rules"
FAULTS = [
    path.stem
    for path in sorted(BROKEN.glob("*.rules"))
    if re.search(r"#! RK7[012]", path.read_text("utf-8"))
]
PLAYED = [
    path.parent
    for folder in ("examples", "tests/fixtures")
    for path in sorted((ROOT / folder).glob("*/game.yaml"))
]


def found(rules: str) -> list[Diagnostic]:
    """Return the findings of rules on their own."""
    sink = Sink()
    check(
        GameSource(
            "sound",
            Path(),
            rules=[RulesText("g.rules", rules, 0, "sound")],
            files={"g.rules": rules},
        ),
        sink,
        thorough=True,
    )
    return sink.in_order()


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_near_a_fault_and_none_is_not_told(name: str) -> None:
    assert [
        f"{d.span.line} {d.code} {d.message}"
        for d in found((SOUND / f"{name}.rules").read_text("utf-8"))
    ] == []


@pytest.mark.parametrize("folder", PLAYED, ids=lambda p: p.name)
def test_examples_and_fixtures_hold_nothing_that_makes_no_difference(folder: Path) -> None:
    """All findings in them are corrected, or allowed with a reason. `make check` requires the same
    of the games."""
    sink = Sink()
    source = read_game(folder, sink, [])
    assert source is not None
    check(source, sink, thorough=True)
    assert [
        f"{d.span} {d.code} {d.message}" for d in sink.in_order() if d.code.startswith("RK7")
    ] == []


# --------------------------------------------------------------------------------- allowed warnings
def warned(text: str, line: int, path: str = "pieces.yaml") -> list[str]:
    """Return the codes that remain of a warning RK710 in a line of a file."""
    sink = Sink()
    from rulekit.common.diagnostics.span import Span

    sink.warn("RK710", Span(path, line, 3, line, 9), "never in play", "deploy it")
    allowed({path: text}, frozenset({path}), True, sink)
    return [d.code for d in sink.found]


@pytest.mark.docs("diagnostics#diagnostics")
@pytest.mark.parametrize(
    ("text", "line", "left"),
    [
        ("a: 1\nb: 2  # allow RK710: a reserve", 2, []),
        ("a: 1\n# allow RK710: a reserve\nb: 2", 3, []),
        ("a: 1\n  # allow RK710: a reserve\n  # more of it\nb: 2", 4, []),
        ("b: '#'  # allow RK710: a reserve", 1, []),
        ("b: 'x # allow RK710: no comment'", 1, ["RK710"]),
        ("b: 2  # allow RK710", 1, ["RK710", "RK714"]),
        ("b: 2  # allow RK709: another", 1, ["RK710", "RK714"]),
        ("b: 2  # allow RK710: a reserve\nc: 3", 2, ["RK710", "RK714"]),
    ],
)
def test_a_warning_is_allowed_on_its_line_or_above_it(
    text: str, line: int, left: list[str]
) -> None:
    """It needs a reason. An `allow` for nothing is reported."""
    assert warned(text, line) == left


@pytest.mark.docs("diagnostics#diagnostics")
def test_a_warning_in_another_file_is_allowed_at_the_second_place() -> None:
    """For a row of a CSV file, which cannot have comments, this is the declaration of its table."""
    from rulekit.common.diagnostics.span import Span

    rules = (
        '# allow RK712: the printed table has it\ntable losses(d: 1..8) -> 0..3 from "losses.csv"\n'
    )
    sink = Sink()
    sink.warn(
        "RK712",
        Span("losses.csv", 8, 1, 8, 3),
        "8 is never looked up",
        "narrow the range",
        second=Span("g.rules", 2, 1, 2, 9),
    )
    allowed({"g.rules": rules, "losses.csv": "d,result\n"}, frozenset({"g.rules"}), True, sink)
    assert sink.found == []


def test_a_gap_of_another_text_reads_no_name() -> None:
    """`{p}` in the text of an event is its parameter, not the pick with that name in a
    procedure."""
    rules = (
        "game sound 1\nkind Side decides = red | blue\nkind Piece = one | two\n  state lost:"
        " bool\nevent removed(p: Piece)\n  p.lost := true\nphase main\n  pick p from Piece where"
        ' not lost by red "which"\n  removed(one)\n  finish red, win when two.lost\n  finish blue,'
        " win\n"
    )
    for text, told in (("event.removed", ["RK702"]), ("prompt.main.p", [])):
        sink = Sink()
        texts = {"en": {text: Datum("Lost: {p}")}}
        check(
            GameSource(
                "sound",
                Path(),
                rules=[RulesText("g.rules", rules, 0, "sound")],
                files={"g.rules": rules},
                texts=texts,
            ),
            sink,
            True,
        )
        assert [d.code for d in sink.in_order() if d.code == "RK702"] == told


def test_a_total_that_drawing_or_manifest_names_is_of_a_player_whether_it_reads_him_or_not() -> (
    None
):
    rules = (
        "game sound 1\nkind Side decides = red | blue\nstate n: 0..9\ntotal score(s: Side): int\n "
        " base n\ntotal other(s: Side): int\n  base n\nphase main\n  n := 3\n  finish red, win when"
        " other(red) > 2\n  finish blue, win\n"
    )
    sink = Sink()
    settings = Datum({"victory_total": Datum("score")})
    check(
        GameSource(
            "sound",
            Path(),
            rules=[RulesText("g.rules", rules, 0, "sound")],
            files={"g.rules": rules},
            settings=settings,
        ),
        sink,
        True,
    )
    assert [(d.code, d.span.line) for d in sink.in_order()] == [("RK702", 6)]


def test_what_stands_around_an_option_may_ask_for_the_way() -> None:
    rules = (
        "game sound 1\nkind Side decides = red | blue\nkind Zone\nkind Way joins Zone\nstate left:"
        " 0..9 = 9\nstate at: Zone?\nmovement ride(s: Side)\n  over Way w from x to y\n  allowance"
        " 2\n  cost 1\n  on entry\n    at := y\nphase main\n  repeat 3 times\n    each z in Zone"
        " where it = at and some(reach ride(red) from it)\n      choose by red\n        option go\n"
        "          left := 3\n          walk ride(red) from z by red\n        option stay\n        "
        "  left := 2\n  finish red, win when left > 2\n  finish blue, win\n"
    )
    assert "RK713" not in [d.code for d in found(rules)]
    assert "RK713" in [
        d.code for d in found(rules.replace(" and some(reach ride(red) from it)", ""))
    ]


def test_a_moment_that_is_opened_for_nothing_is_told_with_the_guard() -> None:
    text = (BROKEN / "opened_for_nothing.rules").read_text("utf-8")
    lines = text.splitlines()
    told = [
        (lines[d.span.line - 1].split("#")[0].strip(), lines[d.second.line - 1].strip())
        for d in found(text)
        if d.code == "RK707" and d.second
    ]
    assert told == [
        ("open before_battle", 'when z is woods "no cover"'),
        ("open before_storm(z) when not (z is woods)", "when place is woods"),
        ("open nightfall(attacker)", "when me is red"),
        ("open before_siege", "when town.men < 3"),
    ]


def test_what_only_situations_ask_for_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        'rulekit: game\nname: mine\ntitle: Mine\nversion: "1"\nlanguage: 1\n'
    )
    (tmp_path / "game.rules").write_text(
        "kind Side decides = red | blue\ndefine two: int = 2\nphase main\n  choose by red\n   "
        " option stay\n  finish red, win\n"
    )
    (tmp_path / "situations").mkdir()
    (tmp_path / "situations" / "a.yaml").write_text("- name: two\n  then: [{define two: 2}]\n")
    assert [(d.code, d.span.line) for d in Loader(tmp_path).findings(situations=True)] == [
        ("RK701", 2)
    ]


@pytest.mark.docs("diagnostics#diagnostics", "diagnostics#70x-71x-what-makes-no-difference-to-play")
def test_an_error_is_never_allowed() -> None:
    rules = (
        "game sound 1\nkind Side decides = red | blue\nphase main\n  finish red, win when unheard "
        " # allow RK301: never\n"
    )
    assert [d.code for d in found(rules)] == ["RK301"]


def test_what_an_allowed_declaration_uses_is_used() -> None:
    rules = (
        "game sound 1\nkind Side decides = red | blue\ndefine one: int = 1\ndefine two: int = one +"
        " 1  # allow RK701: for later\nphase main\n  finish red, win\n"
    )
    assert found(rules) == []
    assert [d.code for d in found(rules.replace("  # allow RK701: for later", ""))] == [
        "RK701",
        "RK701",
    ]


@pytest.mark.docs("diagnostics#70x-71x-what-makes-no-difference-to-play")
def test_what_a_library_offers_is_no_fault_of_the_game_that_uses_it() -> None:
    """Declarations of a library count as used, and so do those that only they use. The game's own
    are reported."""
    library = (
        "library lent 1\nkind Side decides\ndefine spare(s: Side): int = worth(s)\nneeds define"
        " worth(s: Side): int\n"
    )
    own = (
        "game sound 1\nmembers Side = red | blue\nstate n: 0..9\ndefine worth(s: Side): int = n if"
        " s = red else 0\ndefine idle: int = 3\nphase main\n  n := 3\n  finish red, win when n >"
        " 2\n  finish blue, win\n"
    )
    sink = Sink()
    texts = [RulesText("lent.rules", library, 0, "lent"), RulesText("g.rules", own, 1, "sound")]
    check(
        GameSource("sound", Path(), rules=texts, files={text.path: text.text for text in texts}),
        sink,
        thorough=True,
    )
    assert [(d.code, d.span.file, d.span.line) for d in sink.in_order()] == [
        ("RK701", "g.rules", 5)
    ]


def test_a_plain_number_in_a_clause_counts_in_the_unit_of_its_total() -> None:
    rules = (
        "game sound 1\nunit OP\nkind Side decides = red | blue\n  state worn: bool\ntotal orders:"
        " OP\n  base 3 OP\n  modifier worn -count(Side where worn)\nphase main\n  red.worn :="
        " true\n  finish red, win when orders > 2 OP\n  finish blue, win\n"
    )
    assert [d.code for d in found(rules)] == []
    assert "RK402" in [
        d.code
        for d in found(rules.replace("orders > 2 OP", "3 OP - count(Side where worn) > 2 OP"))
    ]


@pytest.mark.docs("diagnostics#rk704-a-condition-that-is-always-the-same")
def test_a_condition_that_never_holds_shows_what_excludes_it() -> None:
    """The second place is the condition before it, or the attribute whose data exclude it."""
    rules = "\n".join(
        [
            "game shown 1",
            "kind Side decides = red | blue",
            "kind Unit = elder | younger",
            "  fixed size: 1..9 = 2",
            "state n: 0..3",
            "phase main",
            "  n += 1 when n < 3",
            "  again",
            "  finish red, win when n > 2",
            "  finish blue, win",
            "procedure again",
            "  return when n <= 1",
            "  n += 1 when n = 0",
            "  each u in Unit",
            "    n += 1 when u.size > 6",
        ]
    )
    shown = [
        (d.span.line, d.second.line if d.second is not None else 0, d.second_label)
        for d in found(rules)
        if d.code == "RK704"
    ]
    assert shown == [
        (13, 12, "where this holds, play ends or goes on elsewhere"),
        (15, 4, "in the data this is 2"),
    ]
