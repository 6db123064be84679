"""Tables: inline rows and CSV, keys, gaps and overlaps."""

from __future__ import annotations

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.check.data import binding
from rulekit.compiler.source.csv_reader import parse_csv
from rulekit.compiler.syntax import ast as t

NUM, RATIO = m.Int(), m.RatioT()
ODDS = m.Kind("Odds", members=["low", "even", "high"], labels={"low": "1 to 2"})
LOSS = m.Kind("Loss", members=["none_lost", "half", "all_lost"])
ROLE = m.Kind("Role", members=["attacker", "defender"])
ODD, LOST, WHO = m.MemberOf(ODDS), m.MemberOf(LOSS), m.MemberOf(ROLE, True)


def cell(text: str, line: int) -> t.ExprSyntax:
    """Return one inline cell: `3`, `-1`, `1..2`, `1 to 2`, a name."""
    span = Span("game.rules", line, 1)
    if " to " in text:
        num, den = text.split(" to ")
        return t.RatioSyntax(t.NumberSyntax(int(num)), t.NumberSyntax(int(den)), span=span)
    if ".." in text:
        low, high = text.split("..")
        return t.Range(cell(low, line), cell(high, line), span=span)
    if text.startswith("-"):
        return t.Unary("-", t.NumberSyntax(int(text[1:]), span=span), span=span)
    return t.NumberSyntax(int(text), span=span) if text.isdigit() else t.Name(text, span=span)


def constant(node: t.ExprSyntax, type: m.Type) -> int | None:
    if isinstance(node, t.NumberSyntax):
        return node.value
    if isinstance(node, t.Unary):
        value = constant(node.operand, type)
        return None if value is None else -value
    assert isinstance(node, t.Name) and isinstance(type, m.MemberOf)
    return type.kind.members.index(node.id)


def bind(
    params: dict[str, m.Type],
    outputs: dict[str, m.Type],
    rows: str = "",
    csv: str = "",
    clamp: bool = False,
    missing: bool = False,
) -> tuple[m.Table, Sink]:
    sink = Sink()
    written = tuple(
        tuple(cell(c.strip(), i) for c in row.split("|"))
        for i, row in enumerate(rows.strip().splitlines(), 1)
        if row.strip()
    )
    decl = t.TableDecl(
        "crt",
        (),
        (),
        "down",
        clamp,
        "tables/crt.csv" if csv or missing else None,
        written,
        span=Span("game.rules", 1, 1),
    )
    keys = [
        (
            None
            if isinstance(p, m.RatioT)
            else (
                m.Key(p.kind) if isinstance(p, m.MemberOf) else m.Key(None, p.low or 0, p.high or 0)
            )
        )
        for p in params.values()
        if isinstance(p, (m.RatioT, m.MemberOf, m.Int))
    ]
    read = parse_csv(csv, "tables/crt.csv", sink) if csv else None
    names = [m.Var(n, p) for n, p in params.items()]
    made = binding.bind_table(
        decl, names, keys, [clamp] * len(keys), list(outputs.items()), read, sink, constant
    )
    return made, sink


def codes(sink: Sink) -> list[str]:
    return [found.code for found in sink.found]


DIE = m.Int(None, 1, 3)


# ------------------------------------------------------------------------------------------- inline
def test_vertical_rows() -> None:
    table, sink = bind(
        {"die": DIE, "o": m.MemberOf(ROLE)},
        {"a": LOST, "b": NUM},
        "1 | attacker | half | 5 \n 2..3 | attacker | all_lost | 6 \n 1..3 | defender |"
        " none_lost | 7",
    )
    assert not sink.found and table.data == [[1, 0, 2, 0, 2, 0], [5, 7, 6, 7, 6, 7]]


def test_a_horizontal_table() -> None:
    table, sink = bind({"die": DIE}, {"": LOST}, "1 | 2 | 3 \n half | half | all_lost")
    assert not sink.found and table.data == [[1, 1, 2]]
    two, sink = bind({"die": DIE}, {"a": LOST, "b": NUM}, "1 | 2..3 \n half | all_lost \n 4 | 5")
    assert not sink.found and two.data == [[1, 2, 2], [4, 5, 5]]


def test_a_table_as_wide_as_high_is_read_by_what_its_cells_are() -> None:
    table, sink = bind({"die": m.Int(None, 1, 2)}, {"": LOST}, "1 | half \n 2 | all_lost")
    assert not sink.found and table.data == [[1, 2]]
    table, sink = bind({"die": m.Int(None, 1, 2)}, {"": LOST}, "1 | 2 \n half | all_lost")
    assert not sink.found and table.data == [[1, 2]]


def test_ratios_alone_mean_the_members_in_order() -> None:
    table, sink = bind({"r": RATIO}, {"": ODD}, "1 to 2 | 1 to 1 | 3 to 1")
    assert not sink.found and table.ratios == [(1, 2), (1, 1), (3, 1)] and table.data == [[0, 1, 2]]
    _, sink = bind({"r": RATIO}, {"": ODD}, "1 to 2 | 1 to 1")
    assert codes(sink) == ["RK651"]


def test_ratios_are_put_in_order() -> None:
    table, sink = bind(
        {"r": RATIO},
        {"": LOST},
        "3 to 1 | all_lost \n 1 to 2 | none_lost \n 1 to 1 | half \n 2 to 1 | half",
    )
    assert (
        not sink.found
        and table.ratios == [(1, 2), (1, 1), (2, 1), (3, 1)]
        and table.data == [[0, 1, 1, 2]]
    )
    for ratio in ("0 to 1", "1 to 0", "0 to 0"):
        _, sink = bind({"r": RATIO}, {"": LOST}, f"{ratio} | all_lost \n 1 to 2 | none_lost")
        assert codes(sink) == ["RK652"]


def test_spread_rows() -> None:
    table, sink = bind(
        {"die": m.Int(None, 1, 2), "o": ODD},
        {"": LOST},
        "die | low | even | high \n 1 | none_lost | half | all_lost \n 2 | half | half | half",
    )
    assert not sink.found and table.data == [[0, 1, 2, 1, 1, 1]]


@pytest.mark.docs("language#5-defines-and-tables")
@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ("", "RK650"),
        ("1 | half | half \n 2..3 | half", "RK651"),
        ("1..2 | half \n 2..3 | half \n 3 | half", "RK653"),
        ("1 | half \n 3 | half \n 3 | half", "RK653"),
        ("1 | half\n2 | half\n4 | half", "RK652"),
        ("1 | half\n2 | half\n2..1 | half", "RK652"),
    ],
)
def test_bad_rows(rows: str, code: str) -> None:
    _, sink = bind({"die": DIE}, {"": LOST}, rows)
    assert code in codes(sink) and all(found.help for found in sink.found)


def test_a_gap_names_what_is_missing_and_the_row_before() -> None:
    _, sink = bind({"die": m.Int(None, 1, 9)}, {"": LOST}, "1 | half \n 2..6 | half \n 8..9 | half")
    assert (
        codes(sink) == ["RK654"]
        and sink.found[0].span.line == 2
        and "die 7" in sink.found[0].message
    )


# ---------------------------------------------------------------------------------------------- CSV
@pytest.mark.docs(
    "language#5-defines-and-tables", "data-files#data-files", "data-files#fixed-values-and-tables"
)
def test_csv_with_a_column_for_everything() -> None:
    table, sink = bind(
        {"die": DIE, "o": ODD},
        {"a": LOST, "who": WHO},
        csv=(
            'die,o,a,who\n<=2,low,half,\n3,"1 to'
            ' 2",all_lost,attacker\n1-3,even,half,none\n1..3,high,half,defender\n'
        ),
    )
    assert not sink.found
    assert table.data == [[1, 1, 1, 1, 1, 1, 2, 1, 1], [-1, -1, 1, -1, -1, 1, 0, -1, 1]]


@pytest.mark.docs("data-files#fixed-values-and-tables")
def test_csv_with_the_last_key_spread_over_the_header() -> None:
    table, sink = bind(
        {"die": m.Int(None, -1, 1), "o": ODD},
        {"a": LOST, "who": WHO},
        csv=(
            "die,1 to 2,even,high\n-1,half/attacker,half/-,all_lost defender\n"
            "0,half/attacker,half/none,half/none\n>=1,half/none,half/none,none_lost/none\n"
        ),
    )
    assert not sink.found
    assert table.data == [[1, 1, 2, 1, 1, 1, 1, 1, 0], [0, -1, 1, 0, -1, -1, -1, -1, -1]]


def test_csv_of_ratios_numbers_sets_and_conditions() -> None:
    table, sink = bind(
        {"r": RATIO},
        {"n": m.Int(None, 0, 9), "s": m.SetOf(LOSS), "b": m.Bool()},
        csv="r,n,s,b\n1 to 1,3,half+all_lost,yes\n2:1,4,none,no\n",
    )
    assert (
        not sink.found
        and table.ratios == [(1, 1), (2, 1)]
        and table.data == [[3, 4], [6, 0], [1, 0]]
    )


@pytest.mark.docs("data-files#fixed-values-and-tables")
@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("dei,even,high\n1,half,half\n", "RK651", 1, 1),
        ("die,eevn,high\n1,half,half\n", "RK633", 1, 5),
        ("die,low,even,high\n1-2,half,half,half\nx,half,half,half\n", "RK652", 3, 1),
        ("die,low,even,high\n1-3,half,half,haff\n", "RK633", 2, 15),
        ("die,low,even,high\n1-2,half,half,half\n2-3,half,half,half\n", "RK653", 3, 1),
        ("die,low,even,high\n1-2,half,half,half\n", "RK654", 2, 1),
        ("die,low,even,high\n1-4,half,half,half\n", "RK652", 2, 1),
        ("die,o,a,b\n1,low,half,half\n", "RK651", 1, 9),
        ("die,o,b\n1,low,half\n", "RK651", 1, 7),
        ("die\n1\n", "RK651", 1, 1),
    ],
)
def test_a_bad_csv_is_reported_where_it_is_bad(
    text: str, code: str, line: int, column: int
) -> None:
    _, sink = bind({"die": DIE, "o": ODD}, {"a": LOST}, csv=text)
    found = next(f for f in sink.found if f.code == code)
    assert (found.span.file, found.span.line, found.span.column) == (
        "tables/crt.csv",
        line,
        column,
    ) and found.help


def test_two_rows_for_one_key_are_one_finding_and_a_third_row_is_another() -> None:
    _, sink = bind(
        {"die": DIE, "o": ODD},
        {"a": LOST},
        csv="die,low,even,high\n1-2,half,half,half\n2-3,half,half,half\n2,half,half,half\n",
    )
    told = [
        (f.code, f.span.line, f.second.line if f.second else 0, f.message.endswith(" and 2 more"))
        for f in sink.found
    ]
    assert told == [("RK653", 3, 2, True), ("RK653", 4, 2, True)]


@pytest.mark.docs("data-files#fixed-values-and-tables")
def test_cells_with_a_wrong_number_of_results() -> None:
    _, sink = bind(
        {"die": DIE, "o": ODD},
        {"a": LOST, "b": LOST},
        csv="die,low,even,high\n1-3,half,half/half,half/half\n",
    )
    assert codes(sink) == ["RK655"]


@pytest.mark.docs("data-files#data-files")
def test_a_file_that_is_not_there() -> None:
    _, sink = bind({"die": DIE}, {"a": LOST}, missing=True)
    assert codes(sink) == ["RK650"]


SPAN = m.Int(None, 0, 8)


@pytest.mark.docs("diagnostics#rk654-a-table-with-a-gap")
@pytest.mark.parametrize(
    ("params", "text", "code", "first", "second"),
    [
        # the number comes first, and another member has a row in between
        (
            ("die", "o"),
            "die,o,a\n1,low,half\n1-3,even,half\n1-3,high,half\n3,low,half\n",
            "RK654",
            (2, 1),
            (5, 1),
        ),
        (
            ("die", "o"),
            "die,o,a\n1-2,low,half\n1-3,even,half\n1-3,high,half\n",
            "RK654",
            (2, 1),
            None,
        ),
        # the number comes last
        (
            ("o", "die"),
            "o,die,a\nlow,1,half\neven,1-3,half\nlow,3,half\nhigh,1-3,half\n",
            "RK654",
            (2, 5),
            (4, 5),
        ),
        # the number is in the header: a column is missing in all rows
        (
            ("o", "die"),
            "o,1,3\nlow,half,half\neven,half,half\nhigh,half,half\n",
            "RK654",
            (1, 3),
            (1, 5),
        ),
        # the number leads, and members are in the header: a row is missing
        (
            ("die", "o"),
            "die,low,even,high\n1,half,half,half\n3,half,half,half\n",
            "RK654",
            (2, 1),
            (3, 1),
        ),
        # two numbers: the gap is short along the second one
        (("die", "by"), "die,by,a\n1-3,<=3,half\n1-3,5-8,half\n", "RK654", (2, 5), (3, 5)),
        (("by", "die"), "by,1-2,3\n0-3,half,half\n5-8,half,half\n", "RK654", (2, 1), (3, 1)),
        # columns that overlap are one finding, and so are rows
        (
            ("o", "die"),
            "o,1-2,2-3\nlow,half,half\neven,half,half\nhigh,half,half\n",
            "RK653",
            (1, 7),
            (1, 3),
        ),
        (
            ("o", "die"),
            "o,die,a\nlow,1-2,half\nlow,2-3,half\neven,<=3,half\nhigh,<=3,half\n",
            "RK653",
            (3, 5),
            (2, 5),
        ),
    ],
)
def test_a_gap_is_told_at_the_rows_or_columns_around_it(
    params: tuple[str, ...],
    text: str,
    code: str,
    first: tuple[int, int],
    second: tuple[int, int] | None,
) -> None:
    """They agree in all other keys, whatever the order of the keys."""
    every = {"die": DIE, "o": ODD, "by": SPAN}
    _, sink = bind({name: every[name] for name in params}, {"a": LOST}, csv=text)
    (told,) = sink.found
    assert (told.code, (told.span.line, told.span.column)) == (code, first)
    there = (told.second.line, told.second.column) if told.second is not None else None
    assert there == second
