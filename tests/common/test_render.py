"""A diagnostic is shown with its line, a caret under the place, a second place and its help, or as
plain data."""

from rulekit.common.diagnostics.diagnostic import Diagnostic
from rulekit.common.diagnostics.render import render, to_json
from rulekit.common.diagnostics.span import Span

MAP = "places:\n  A:\n  B:\n  C:\n  example:\n     terrain: forrest\n"


def test_the_shape() -> None:
    found = Diagnostic(
        "RK301",
        "'forrest' is not a terrain of this game",
        Span("games/example/map.yaml", 6, 15, 6, 22),
        "did you mean 'forest'?",
        "expected one of clear, forest, town",
    )
    assert (
        render(found, {"games/example/map.yaml": MAP})
        == """\
error[RK301]: 'forrest' is not a terrain of this game
 --> games/example/map.yaml:6:15
  |
6 |      terrain: forrest
  |               ^^^^^^^ expected one of clear, forest, town
  = help: did you mean 'forest'?"""
    )


def test_a_second_place_and_a_paragraph() -> None:
    found = Diagnostic(
        "RK303",
        "'x' is declared twice",
        Span("a.rules", 12, 1, 12, 2),
        "drop one",
        "again here",
        "warning",
        "4.2 a",
        Span("b.rules", 3, 3, 3, 4),
        "first here",
    )
    files = {"a.rules": "\n" * 11 + "x\n", "b.rules": "\n\n  x\n"}
    assert (
        render(found, files)
        == """\
warning[RK303]: 'x' is declared twice
  --> a.rules:12:1
   |
12 | x
   | ^ again here
  ::: b.rules:3:3
   |
 3 |   x
   |   - first here
   = help: drop one
   = ref: 4.2 a"""
    )


def test_a_place_of_several_lines_is_marked_on_its_first() -> None:
    found = Diagnostic("RK500", "no end", Span("f", 1, 1, 3, 9), label="begins here")
    assert render(found, {"f": 'phase main  ref "2"\n  x\n  y\n'}).split("\n")[4:] == [
        "  | ^^^^^^^^^^ begins here"
    ]


def test_without_the_text_or_the_place_the_message_stands_alone() -> None:
    assert (
        render(Diagnostic("RK101", "no such game", help="look"), {})
        == "error[RK101]: no such game\n  = help: look"
    )
    assert (
        render(Diagnostic("RK101", "odd", Span("f", 9, 1, 9, 2)), {"f": "one line"})
        == "error[RK101]: odd\n --> f:9:1"
    )


def test_the_caret_may_stand_behind_the_end_of_the_line() -> None:
    shown = render(Diagnostic("RK201", "ends too early", Span("f", 1, 5, 1, 6)), {"f": "x :=\n"})
    assert shown.split("\n")[3:] == ["1 | x :=", "  |     ^"]


def test_a_long_line_is_cut_around_the_place() -> None:
    text = "a" * 500 + "HERE" + "b" * 500
    lines = render(Diagnostic("RK202", "odd", Span("f", 1, 501, 1, 505)), {"f": text}).split("\n")
    assert max(len(line) for line in lines) < 200
    assert lines[3][lines[4].index("^") :][:4] == "HERE"
    assert lines[4].count("^") == 4
    assert lines[3].endswith("...") and "| ..." in lines[3]


def test_nothing_in_a_file_can_steer_the_terminal() -> None:
    found = Diagnostic("RK202", "bad \x1b[31m", Span("f", 1, 1, 1, 2), "do\x07", "la\x1bbel")
    assert "\x1b" not in render(found, {"f": "\x1b[2Jx\tu\n"}) and "\x07" not in render(
        found, {"f": ""}
    )


def test_colour_only_when_asked() -> None:
    found = Diagnostic("RK202", "odd", Span("f", 1, 1, 1, 2), "help")
    assert "\x1b[1;31merror[RK202]\x1b[0m" in render(found, {"f": "x"}, colour=True)
    assert "\x1b" not in render(found, {"f": "x"})


def test_the_place_is_in_the_colour_of_the_finding_and_a_second_place_in_that_of_the_frame() -> (
    None
):
    for level, colour in (("error", "31"), ("warning", "33")):
        found = Diagnostic(
            "RK202",
            "odd",
            Span("f", 1, 1, 1, 2),
            level=level,
            second=Span("f", 2, 1, 2, 2),
            second_label="here",
        )
        text = render(found, {"f": "x\ny"}, colour=True)
        assert f"\x1b[1;{colour}m^\x1b[0m" in text and "\x1b[1;34m- here\x1b[0m" in text


def test_plain_data() -> None:
    found = Diagnostic("RK202", "odd", Span("f", 4, 5, 4, 6), "mend it", ref="2.1")
    assert to_json(found) == {
        "code": "RK202",
        "level": "error",
        "message": "odd",
        "file": "f",
        "line": 4,
        "column": 5,
        "help": "mend it",
        "ref": "2.1",
    }


def test_of_a_long_message_the_ends_are_shown() -> None:
    """A long text does not fill the terminal, in the message, in the help or under the caret."""
    told = render(
        Diagnostic(
            "RK613", "a" * 100_000 + "z", Span("f", 1, 1, 1, 2), "b" * 100_000, "c" * 100_000
        ),
        {"f": "x"},
    )
    assert len(told) < 5000 and "a ... a" in told and "az\n" in told
