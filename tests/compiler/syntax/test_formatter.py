"""The formatter's promises: formatting twice changes nothing, and no change affects the meaning."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.syntax import ast as t
from rulekit.compiler.syntax.formatter import format_file, without_tabs
from rulekit.compiler.syntax.parser import parse
from tests.compiler.syntax.test_syntax_trees import DECLARATIONS, EXPRESSIONS, STATEMENTS

PIECES = [text for text, _ in DECLARATIONS]
PIECES += [f"define x = {text}" for text, _ in EXPRESSIONS]
PIECES += [
    "phase main\n" + "\n".join(f"  {line}" for line in text.split("\n")) for text, _ in STATEMENTS
]
WHOLE = "\n\n".join(PIECES) + "\n"


def read(text: str) -> tuple[t.File, Sink]:
    sink = Sink()
    return parse(text, "f", sink), sink


def formatted(text: str) -> str:
    return format_file(read(text)[0], text)


def kept(text: str) -> str:
    """Format a text, and check that the tree, the comments and a second formatting are the same."""
    file, sink = read(text)
    out = format_file(file, text)
    again, more = read(out)
    assert again == file
    assert [d.code for d in more.found] == [d.code for d in sink.found]
    assert re.findall("#.*", out) == [line.rstrip() for line in re.findall("#.*", text)]
    assert format_file(again, out) == out
    return out


@pytest.mark.parametrize("text", PIECES)
def test_each_construct_keeps_its_meaning(text: str) -> None:
    kept(text + "\n")


def test_a_whole_file_keeps_its_meaning() -> None:
    assert len(read(WHOLE)[0].decls) == len(PIECES)
    kept(WHOLE)


def disturbed(text: str, chance: random.Random) -> str:
    """Return the same text with other indentation, spaces, blank lines and comments."""
    unit = chance.randint(1, 6)
    out = []
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip())
        words = line.strip()
        if '"' not in words and "#" not in words:
            words = re.sub(" ", lambda _: " " * chance.randint(1, 4), words)
        if chance.random() < 0.2:
            out.append(" " * chance.randint(0, 9) + f"# note {chance.randint(0, 9)}  ")
        if chance.random() < 0.2:
            out += [" " * chance.randint(0, 3)] * chance.randint(1, 3)
        note = "   # note" if words and chance.random() < 0.2 else ""
        out.append(" " * (depth // 2 * unit) + words + note)
    return "\n".join(out) + "\n"


@pytest.mark.docs("language#the-rules-language-version-1")
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.lists(st.sampled_from(PIECES), min_size=1, max_size=12))
def test_layout_has_no_meaning_and_the_formatter_undoes_it(seed: int, pieces: list[str]) -> None:
    text = "\n".join(pieces) + "\n"
    other = disturbed(text, random.Random(seed))
    assert read(other)[0] == read(text)[0]
    out = kept(other)
    bare = [line for line in re.sub(" *#.*", "", out).split("\n") if line.strip()]
    assert bare == [line for line in formatted(text).split("\n") if line.strip()]


SHAPES = [
    ("define  x( a :A )=f (a,- b)+[ c ]", "define x(a: A) = f(a, -b) + [c]"),
    ('state x : 0 .. 9 PA   = 3     ref "1"   # why', 'state x: 0..9 PA = 3  ref "1"  # why'),
    ("phase a\n     each n in 1 .. 9\n       x(n)-=1", "phase a\n  each n in 1..9\n    x(n) -= 1"),
    ("define x = y in - 1 .. + 3 and z in a..b", "define x = y in -1..+3 and z in a .. b"),
    (
        "define x = y in 2 - 1..3 or y in 0..3 + a or y in (1) .. 3",
        "define x = y in 2 - 1 .. 3 or y in 0 .. 3 + a or y in (1) .. 3",
    ),
    (
        "define x = sum(n of 0 .. 4)\t\n  \t\nunit PA\t# why",
        "define x = sum(n of 0..4)\n\nunit PA  # why",
    ),
    (
        "table x(n: 0..9) -> A\n  0 .. 1 | a\n  2..9 | b",
        "table x(n: 0..9) -> A\n  0..1 | a\n  2..9 | b",
    ),
    (
        "total a:PA\n  modifier x  -1 when (b)\n  set y (a)",
        "total a: PA\n  modifier x -1 when (b)\n  set y (a)",
    ),
    ("modifier a.b   +1 when some (c)", "modifier a.b +1 when some(c)"),
    ("define x = a is(b or c)and not(d)", "define x = a is (b or c) and not (d)"),
    ("define x = f(a,\n b,\n  c\n)", "define x = f(a,\n    b,\n    c\n)"),
    (
        "phase a\n    # first\n    b\n\n\n\n    # last\n# next\nunit PA",
        "phase a\n  # first\n  b\n\n  # last\n# next\nunit PA",
    ),
    ("kind A joins  B\n   fixed x : C ?", "kind A joins B\n  fixed x: C?"),
]


@pytest.mark.parametrize(("text", "shape"), SHAPES)
def test_the_canonical_shape(text: str, shape: str) -> None:
    assert kept(text + "\n") == shape + "\n"


def test_blank_lines_at_the_ends_go_and_one_at_most_stays_between() -> None:
    assert kept("\n\nunit PA\n\n\n\nunit PF\n\n\n") == "unit PA\n\nunit PF\n"


def test_a_declaration_that_cannot_be_parsed_stays_as_it_is() -> None:
    text = "unit  PA\n\nphase  main\n   x :=    (\n\n\nunit   PF\n"
    assert formatted(text) == "unit PA\n\nphase  main\n   x :=    (\n\n\nunit PF\n"


def test_a_text_that_was_not_read_to_its_end_stays_as_it_is() -> None:
    for text in ("unit  A\n" + "$\n" * 60, "unit  A\n" * 80_000, "# only a comment\n"):
        assert formatted(text) == text


BLANK = ["", "\t", "  \t ", "\u00a0", " ", "\ufeff", "\u200b"]


def spoiled(text: str, chance: random.Random) -> str:
    """Return the same text with faults in some lines: wrong columns, open brackets, cut lines, and
    invisible blanks of all kinds."""
    out = []
    for line in text.split("\n"):
        lot = chance.random()
        if lot < 0.08:
            line = line.rstrip() + chance.choice(["\t", " ", "  # c", "\t# c"])
        elif lot < 0.16:
            line = " " * chance.randint(0, 9) + line.lstrip()
        elif lot < 0.24:
            line = chance.choice(["\t" + line, line + " (", line[: chance.randint(0, len(line))]])
        out.append(line)
        while chance.random() < 0.25:
            out.append(chance.choice(BLANK))
    return "\n".join(out) + chance.choice(["\n", "", "\n\n", "\t", "\n\t\t\n"])


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32), st.lists(st.sampled_from(PIECES), min_size=1, max_size=5))
def test_one_run_is_enough_also_where_something_is_wrong(seed: int, pieces: list[str]) -> None:
    """Meaning and faults are preserved, and a second run changes nothing."""
    text = spoiled("\n".join(pieces), random.Random(seed))
    file, sink = read(text)
    out = format_file(file, text)
    again, more = read(out)
    assert again == file and [d.code for d in more.found] == [d.code for d in sink.found]
    assert format_file(again, out) == out


@pytest.mark.parametrize("blank", BLANK, ids=ascii)
def test_a_line_on_which_nothing_is_seen_is_blank(blank: str) -> None:
    """This holds between declarations, in a block, within brackets, and at the ends."""
    text = "{}\nphase a\n{}\n  x(1,\n{}\n    2)\n{}\n{}\nunit PA\n{}"
    spoiled, plain = (text.replace("{}", each) for each in (blank, ""))
    assert not read(spoiled)[1].found and read(spoiled)[0] == read(plain)[0]
    assert formatted(spoiled) == formatted(plain)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.lists(st.sampled_from(PIECES), min_size=1, max_size=6))
def test_whatever_is_written_there_is_a_diagnostic_with_a_help_or_a_tree(
    seed: int, pieces: list[str]
) -> None:
    """Words and signs are dropped, doubled and exchanged. There is no exception, and the formatter
    still preserves the meaning."""
    chance = random.Random(seed)
    parts = re.findall(r"\w+|[^\w\s]+|\n *| +", "\n".join(pieces) + "\n")
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(parts))
        parts[at : at + 1] = chance.choice(
            [[], [parts[at]] * 2, [chance.choice(parts)], [chance.choice(parts), parts[at]]]
        ) or [""]
    text = "".join(parts)
    file, sink = read(text)
    assert all(d.help for d in sink.found)
    assert read(format_file(file, text))[0] == file


def test_indentation_of_tabs_alone_becomes_spaces() -> None:
    """Mixed indentation is not changed, because the intended width of a tab is unknown. A tab
    within a text is not indentation."""
    text = "phase main\n\trepeat 2 times  # a\tb\n\t\tx := 1\n\t\n  \n\nphase day\n\tx := 2\n"
    assert (
        format_file(read(without_tabs(text))[0], without_tabs(text))
        == "phase main\n  repeat 2 times  # a\tb\n    x := 1\n\nphase day\n  x := 2\n"
    )
    for other in (
        "phase main\n\tx := 1\nphase day\n  x := 2\n",
        "phase main\n  x := 1\n",
        "phase main\n \tx := 1\n",
        "",
    ):
        assert without_tabs(other) == other
