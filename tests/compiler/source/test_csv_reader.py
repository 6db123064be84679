"""CSV with positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.csv_reader import parse_csv


def test_cells_have_values_and_places() -> None:
    sink = Sink()
    table = parse_csv(
        'die, even ,"a, b"\n# a comment\n-1,1/2 - R,"say ""no"""\n2,,\u22124\n', "t.csv", sink
    )
    assert table is not None and not sink.found
    assert [c.value for c in table.header] == ["die", "even", "a, b"]
    assert [[c.value for c in row] for row in table.rows] == [
        [-1, "1/2 - R", 'say "no"'],
        [2, None, -4],
    ]
    assert [(c.span.line, c.span.column, c.span.end_column) for c in table.rows[0]] == [
        (3, 1, 3),
        (3, 4, 11),
        (3, 12, 24),
    ]


def test_all_bad_rows_are_told_in_one_run() -> None:
    sink = Sink()
    assert parse_csv("a,b\n1\n1,2\n1,2,3\n", "t.csv", sink) is None
    assert [(d.code, d.span.line) for d in sink.found] == [("RK130", 2), ("RK130", 4)]


@given(
    st.lists(
        st.lists(
            st.text('ab," 1', max_size=5).filter(lambda t: t.strip() == t and t),
            min_size=2,
            max_size=2,
        ),
        min_size=1,
    )
)
def test_quoted_cells_are_read_as_written(rows: list[list[str]]) -> None:
    lines = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows]
    sink = Sink()
    table = parse_csv("\n".join(["x,y", *lines]), "t.csv", sink)
    assert table is not None and [[c.value for c in row] for row in table.rows] == rows


@given(st.text('ab,"\n# 1', max_size=30))
def test_any_text_gives_a_table_or_a_finding(text: str) -> None:
    sink = Sink()
    assert parse_csv(text, "t.csv", sink) is not None or sink.errors


PLAIN = "die,even,odd\n1-2,a,b\n3-6,c,\n"


@pytest.mark.docs("data-files#fixed-values-and-tables")
@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", "\t"),
        PLAIN.replace(",", " ; "),
        "sep=;\n" + PLAIN.replace(",", ";"),
        "sep=\t\n" + PLAIN.replace(",", "\t"),
        PLAIN.replace("\n", ",\n"),
        PLAIN.replace("\n", ",,,\n"),
        PLAIN.replace("\n", ",\n", 1),
        PLAIN.replace(",", ";").replace("\n", ";;\n"),
        PLAIN + ",,\n,,,,\n",
        PLAIN.replace(",", "\t") + "\t\t\n",
        "\n\u00a0\n" + PLAIN,
        PLAIN.replace("a", "a\u200b").replace("even", "\u00a0even"),
        PLAIN.replace("c,", "c" + ",\u00a0"),
    ],
    ids=repr,
)
def test_tables_as_spreadsheets_write_them(text: str) -> None:
    """The table is the same with another separator, empty columns and rows at the end, and
    invisible blanks."""
    sink = Sink()
    table = parse_csv(text, "t.csv", sink)
    assert table is not None and not sink.found
    assert [[cell.value for cell in row] for row in (table.header, *table.rows)] == [
        ["die", "even", "odd"],
        ["1-2", "a", "b"],
        ["3-6", "c", None],
    ]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("die,odd;even\n1,2;3\n", "", 0),
        ("die;odd\n1;2;3\n", "RK130", 2),
        ("die;odd;\n1;2;3\n", "RK132", 1),
        ("die,,odd\n1,,2\n", "RK132", 1),
        ('die;odd\n"1"2;3\n', "RK131", 2),
    ],
)
def test_what_is_wrong_with_them_is_told(text: str, code: str, line: int) -> None:
    """A separator that the header does not use is an ordinary character."""
    sink = Sink()
    parse_csv(text, "t.csv", sink)
    assert [(d.code, d.span.line) for d in sink.found] == ([(code, line)] if code else [])


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("a;b;c\n1,2,3\n", "the header has ';' between its cells, this row ',': write ';'"),
        ("a,b,c\n1;2;3\n", "the header has ',' between its cells, this row ';'"),
        ("a,b\n1\t2\n", "this row tab: write ','"),
        ("a;b;c\n1;2,3\n", "this row ',': write ';'"),
        ("a;b\n1\n", "empty between two ';'"),
        ('a;b\n"1,2"\n', "empty between two ';'"),
        ("a;b\n1;2;3\n", "a text that holds a ';' in quotes"),
    ],
)
def test_another_separator_than_that_of_the_header_is_named(text: str, help: str) -> None:
    sink = Sink()
    assert parse_csv(text, "t.csv", sink) is None
    [told] = sink.found
    assert told.code == "RK130" and help in told.help
