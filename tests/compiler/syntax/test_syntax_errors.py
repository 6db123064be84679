"""Messages about syntax: under the caret, at the second place and as a form. Bounds are tested with
the last accepted values."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink
from rulekit.compiler.check.check import check
from rulekit.compiler.source.game_source import GameSource, RulesText
from rulekit.compiler.syntax.lexer import feed
from rulekit.compiler.syntax.parser import parse
from rulekit.compiler.syntax.parser_tables import parser
from rulekit.compiler.syntax.scanner import Scanner
from rulekit.compiler.syntax.syntax_errors import _STARTERS


def told(text: str) -> list[Diagnostic]:
    sink = Sink()
    parse(text, "f.rules", sink)
    return sink.found


LINES = {  # a text, its finding, the position, parts of the message, of the help and of the label
    "a colon is missing": (
        "fixed x Zone\n",
        "RK201",
        1,
        9,
        "'Zone' does not fit",
        "the form is: fixed name: Type",
        "expected '(' or ':'",
    ),
    "no expression": (
        "define a =\n",
        "RK201",
        1,
        11,
        "ends too early",
        "the form is: define name",
        "expected an expression",
    ),
    "two on a line": (
        "total t: int\n  base 1 2\n",
        "RK201",
        2,
        10,
        "the number 2",
        "a line of its own",
        "expected 'when', an operator or the end",
    ),
    "a guard that is no step": (
        "phase a\n  when x\n  y\n",
        "RK201",
        2,
        3,
        "'when'",
        "the form is: when condition",
        "expected a step",
    ),
    "a case of another form": (
        "define d: int\n  = 3\n  4\n",
        "RK201",
        3,
        3,
        "the number 4",
        "write what can stand here",
        "expected '='",
    ),
    "no sign": ("define a = 3 $ 4\n", "RK202", 1, 14, "'$' has no meaning", "remove it", ""),
    "a name of another alphabet": (
        "define \u00e9 = 3\n",
        "RK202",
        1,
        8,
        "has no meaning",
        "letters a to z",
        "",
    ),
    "a tab before a step": (
        "phase a\n\tx := 3\n",
        "RK203",
        2,
        1,
        "a tab",
        "two for each level",
        "",
    ),
    "no column": (
        "phase a\n    x\n  y\n",
        "RK204",
        3,
        3,
        "like no line above it",
        "begin in column 5",
        "",
    ),
    "several columns": (
        "phase a\n  if x\n      y\n    z\n",
        "RK204",
        4,
        5,
        "like no line above it",
        "column 3 and 7",
        "",
    ),
    "below nothing": ("  unit A\n", "RK205", 1, 3, "belongs to no declaration", "first column", ""),
    "below a step": (
        "phase a\n  x := 1\n    y := 2\n",
        "RK205",
        3,
        5,
        "does not begin a block",
        "same column",
        "expected a step",
    ),
    "no block": (
        "phase a\n  if x\n  y\n",
        "RK206",
        2,
        3,
        "'if' begins a block",
        "the form is: if condition",
        "an indented block must follow",
    ),
    "no block at the end": (
        "phase a\n",
        "RK206",
        1,
        1,
        "'phase' begins a block",
        "indent",
        "an indented block must follow",
    ),
    "not closed": (
        "define a = (1\ndefine b = 2\n",
        "RK207",
        1,
        12,
        "'(' is never closed",
        "close it with ')'",
        "",
    ),
    "not closed, of two": (
        "define a = (1, [2\n",
        "RK207",
        1,
        16,
        "'[' is never closed",
        "close it with ']'",
        "",
    ),
    "closes nothing": ("define a = 1)\n", "RK208", 1, 13, "')' closes nothing", "remove it", ""),
    "closes another": (
        "define a = f(1, {2, 3)\n",
        "RK208",
        1,
        22,
        "')' closes a '{'",
        "close it with '}'",
        "",
    ),
    "no quote": (
        'define a = "x\ndefine b = 2\n',
        "RK209",
        1,
        12,
        "no closing quote",
        "on the line where it begins",
        "",
    ),
    "a word as a name": (
        "define count = 3\n",
        "RK210",
        1,
        8,
        "'count' is a word of the language",
        "another name",
        "a name belongs here",
    ),
    "a word like another": (
        "modifer a.b +1\n",
        "RK211",
        1,
        1,
        "'modifer'",
        "did you mean 'modifier'?",
        "",
    ),
    "a word inside": ("each s in Side\n  x\n", "RK211", 1, 1, "'each'", "indent the line", ""),
    "a word of nothing": (
        "zzzz\n",
        "RK211",
        1,
        1,
        "'zzzz'",
        "begins with a word such as 'kind'",
        "",
    ),
    "a line like another": (
        "total t: int\n  bse 3\n",
        "RK212",
        2,
        3,
        "'bse'",
        "did you mean 'base'",
        "",
    ),
    "a line of another": (
        "total t: int\n  bar x\n",
        "RK212",
        2,
        3,
        "'bar'",
        "begins with 'at', 'base', 'cancel', 'modifier' or 'set'",
        "",
    ),
    "a line of elsewhere": (
        "phase other\n  base 3\n",
        "RK212",
        2,
        3,
        "'base'",
        "does not belong here",
        "",
    ),
    "letters behind a number": (
        "define a = 3PA\n",
        "RK219",
        1,
        12,
        "neither a number nor a name",
        "'3 PA'",
        "",
    ),
    "an option at the top": (
        "option a\n  x\n",
        "RK220",
        1,
        1,
        "'option'",
        "belongs inside 'choose'; in the first column write 'action'",
        "",
    ),
    "an option in a phase": (
        "phase x\n  option a\n    y\n",
        "RK220",
        2,
        3,
        "'option'",
        "belongs inside 'choose'",
        "",
    ),
    "a cost twice": (
        "movement m(g: set P)\n  over B b from x to y\n  cost 1\n  cost 2\n",
        "RK221",
        4,
        3,
        "two 'cost'",
        "remove one",
        "",
    ),
    "an allowance twice": (
        "movement m(g: set P)\n  over B b from x to y\n  allowance 1\n  cost 1\n  allowance 2\n",
        "RK221",
        5,
        3,
        "'allowance'",
        "remove one",
        "",
    ),
    "entry twice": (
        "movement m(g: set P)\n  over B b from x to y\n  on entry\n    z\n  on entry\n    z\n",
        "RK221",
        5,
        3,
        "has two",
        "remove one",
        "",
    ),
    "stranded twice": (
        "movement m(g: set P)\n  over B b from x to y\n  stranded\n    z\n  stranded\n    z\n",
        "RK221",
        5,
        3,
        "has two",
        "remove one",
        "",
    ),
    "a table of nothing": (
        "table t(n: 1..2) -> clamp\n  1 | 2\n",
        "RK222",
        1,
        1,
        "'t' has no result",
        "after '->'",
        "",
    ),
    "a guard below a step": (
        "action a in b\n  x\n  when y\n",
        "RK223",
        3,
        3,
        "'when'",
        "an option or a member first",
        "",
    ),
    "a price below a step": (
        "Card a\n  x\n  limit 1 per game\n",
        "RK223",
        3,
        3,
        "'limit'",
        "an option or a member first",
        "",
    ),
    "an else alone": (
        "phase a\n  x\n  else\n    y\n",
        "RK224",
        3,
        3,
        "follows no 'if'",
        "in the column of its 'if'",
        "",
    ),
    "an else in another column": (
        "phase a\n  if x\n    y\n    else\n      z\n",
        "RK224",
        4,
        5,
        "follows no 'if'",
        "in the column of its 'if'",
        "",
    ),
}


@pytest.mark.parametrize("case", LINES)
def test_a_line_is_told_with_its_form_and_what_could_stand_there(case: str) -> None:
    text, code, line, column, said, help, label = LINES[case]
    found = told(text)
    assert [(d.code, d.level, d.span.line, d.span.column) for d in found] == [
        (code, "error", line, column)
    ]
    assert said in found[0].message and help in found[0].help and label in found[0].label, found


@pytest.mark.parametrize(
    ("text", "line", "column", "label"),
    [
        ("define a = f(1, {2, 3)\n", 1, 17, "opened here"),
        ("define a = f(1,\n  2]\n", 1, 13, "opened here"),
        ("movement m(g: set P)\n  over B b from x to y\n  cost 1\n  cost 2\n", 3, 3, "first here"),
    ],
)
def test_the_second_place_is_shown(text: str, line: int, column: int, label: str) -> None:
    (found,) = told(text)
    assert found.second is not None
    assert (found.second.line, found.second.column, found.second_label) == (line, column, label)


BOUNDS = {  # a text at the limit, a text beyond the limit, the finding and the column
    "brackets": (
        "define a = " + "(" * 100 + "1" + ")" * 100,
        "define a = " + "(" * 101 + "1" + ")" * 101,
        "RK214",
        112,
    ),
    "brackets of two sorts": (
        "define a = f(" + "{" * 99 + "1" + "}" * 99 + ")",
        "define a = f(" + "{" * 100 + "1" + "}" * 100 + ")",
        "RK214",
        113,
    ),
    "blocks": (
        "phase a\n" + "".join(" " * n + "if x\n" for n in range(1, 40)) + " " * 40 + "y",
        "phase a\n" + "".join(" " * n + "if x\n" for n in range(1, 41)) + " " * 41 + "y",
        "RK215",
        42,
    ),
    "digits": ("define a = " + "1" * 9, "define a = " + "1" * 10, "RK216", 12),
    "signs": ("define a = 1" + " + 1" * 149, "define a = 1" + " + 1" * 150, "RK217", 610),
    "name": ("define " + "a" * 80 + " = 1", "define " + "a" * 81 + " = 1", "RK225", 8),
    "a name that is used": ("define a = " + "a" * 80, "define a = " + "a" * 81, "RK225", 12),
}


@pytest.mark.parametrize("case", BOUNDS)
def test_a_bound_of_syntax_is_where_it_is(case: str) -> None:
    within, beyond, code, column = BOUNDS[case]
    assert told(within + "\n") == []
    assert [(d.code, d.span.column, bool(d.help)) for d in told(beyond + "\n")] == [
        (code, column, True)
    ]


def test_a_file_has_so_many_characters_words_and_signs() -> None:
    """The words are counted before anything else is reported."""
    assert told("#" * 2_000_000) == []
    assert [(d.code, d.span.line) for d in told("#" * 2_000_001)] == [("RK213", 1)]
    assert [d.code for d in told("define a = " + "(" * 149_997)] == ["RK214"]
    assert [d.code for d in told("define a = " + "(" * 149_998)] == ["RK213"]


@pytest.mark.parametrize(("size", "codes"), [(300_000, []), (300_001, ["RK213"])])
def test_the_rules_of_a_game_have_so_many_characters(size: int, codes: list[str]) -> None:
    texts = {
        "a.rules": "kind Side decides = red\n" + "#" * (size - 24),
        "b.rules": "phase main\n  finish red, win\n" + "#" * 299_971,
    }
    sink = Sink()
    check(
        GameSource(
            "g",
            Path(),
            rules=[RulesText(name, text, 0, "g") for name, text in texts.items()],
            files=texts,
        ),
        sink,
    )
    assert [d.code for d in sink.found] == codes
    assert all(d.span.file == "b.rules" and "600,000 characters" in d.message for d in sink.found)


def test_of_many_faults_fifty_are_told() -> None:
    assert [d.code for d in told("$\n" * 50)] == ["RK202"] * 50
    assert [d.code for d in told("$\n" * 52)] == ["RK202"] * 50 + ["RK218"]


@pytest.mark.parametrize("many", [100, 101, 150])
def test_of_many_errors_of_a_game_a_hundred_are_told(many: int) -> None:
    text = (
        "kind Side decides = red\n"
        + "".join(f"define f{n} = nothing{n}\n" for n in range(many))
        + "phase main\n  finish red, win\n"
    )
    sink = Sink()
    check(
        GameSource(
            "g", Path(), rules=[RulesText("a.rules", text, 0, "g")], files={"a.rules": text}
        ),
        sink,
    )
    assert [d.code for d in sink.errors] == ["RK301"] * 100
    assert [(d.code, d.level) for d in sink.found if d.level != "error"] == [("RK218", "note")] * (
        many > 100
    )


LIKE = (
    "unit A\n\n# a comment\n  # another, deeper\nunit B\n",
    "define a = f(1,\n  2)\n",
    "define a = f(\n  1\n)\n",
    'action a in b "a # b"\n  x\n',
    "phase a\n  if x\n    y\n  else\n    z\n",
    "define x = 3 PA\n",
    "action a in b\n  when x\n  limit 1 per game\n  y\n",
    (
        "movement m(g: set P)\n  over B b from x to y\n  may enter x\n  may enter y\n  cost 1\n "
        " allowance 2\n"
    ),
    "phase a\n  choose by b\n    option c\n      d\n",
    "define counts = 3\n",
    "phase a\n    x\n",
    "define a = 1\r\ndefine b = 2\r\n",
)


@pytest.mark.parametrize("text", LIKE)
def test_what_is_like_a_fault_is_read(text: str) -> None:
    assert told(text) == []


def test_what_begins_an_expression_is_told_as_that_and_not_word_by_word() -> None:
    """The possible words are those of the grammar."""
    cursor, previous = parser().parse_interactive(), ""
    for token in Scanner("define x =", "f").run().pieces[0].tokens[:3]:
        cursor = feed(cursor, token, previous)
        previous = token.type
    assert cursor.accepts() == _STARTERS


EXPECTED = [
    ("define x =", "expected an expression"),
    ("phase a\n  x :=", "expected an expression"),
    ("phase a\n  if", "expected an expression"),
    ("define x = sum(a b)", "expected ')' or an operator"),
    ("define x = {a b}", "expected '}' or an operator"),
    ("state n:", "expected a type"),
    ("state n: 0..", "expected a number"),
    ("table t(a: A) ->", "expected a type, 'clamp' or 'round'"),
    ("phase a\n  x\n  = 3", "expected a step"),
]


@pytest.mark.parametrize(("text", "label"), EXPECTED)
def test_what_is_expected_is_told_in_few_words(text: str, label: str) -> None:
    [found] = told(text + "\n")
    assert (found.code, found.label) == ("RK201", label)


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("define x = if a then b else c", "x if condition else y"),
        ("define x = a ? b : c", "x if condition else y"),
        ("define x = a if b", "x if condition else y"),
        ("define x = all went is nay", "S all condition"),
        ("define x = (every p has q)", "S all condition"),
        ("unit", "the form is: unit PA, PF"),
    ],
)
def test_the_form_of_other_languages_is_told_as_it_is_written_here(text: str, help: str) -> None:
    [found] = told(text + "\n")
    assert help in found.help


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("kind A = b | in | the\n", ["RK210", "RK210"]),
        ("phase a\n  let first = 1\n  x(first\n", ["RK207"]),
        ("phase a\n  each in B\n    x\n", ["RK210"]),
    ],
)
def test_a_reserved_word_is_taken_as_the_name_that_it_stands_for(
    text: str, codes: list[str]
) -> None:
    """So the declaration exists. Other faults in it are reported only if the word was not a
    name."""
    assert [d.code for d in told(text)] == codes
