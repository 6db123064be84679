"""Each construct of the language has the right tree, and each node has its exact place."""

from collections.abc import Iterator
from typing import Any

import pytest
from attrs import fields

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.diagnostics.span import Span
from rulekit.compiler.syntax import ast as t
from rulekit.compiler.syntax.parser import parse


def parsed(text: str) -> t.File:
    sink = Sink()
    file = parse(text, "f.rules", sink)
    assert not sink.found, sink.found
    return file


def decl(text: str) -> Any:
    (only,) = parsed(text).decls
    return only


def expr(text: str) -> Any:
    return decl(f"define x = {text}\n").cases[0].value


def step(text: str) -> Any:
    """Return the statement (the first of a block) of a text."""
    lines = "".join(f"  {line}\n" for line in text.split("\n"))
    return decl(f"phase main\n{lines}").body[0]


def n(word: str) -> t.Name:
    return t.Name(word)


def num(value: int, unit: str | None = None) -> t.NumberSyntax:
    return t.NumberSyntax(value, unit)


INT, BOOL = t.TypeNode("name", "int"), t.TypeNode("name", "bool")
A, B, C, D = n("a"), n("b"), n("c"), n("d")
X = t.CallSyntax(n("x"), ())

EXPRESSIONS = [
    ("a", A),
    ("1", num(1)),
    ("3 PA", num(3, "PA")),
    ("none", t.WordSyntax("none")),
    ("a.b.c", t.Attr(t.Attr(A, "b"), "c")),
    ("a(b, c to d)", t.CallSyntax(A, (B, t.RatioSyntax(C, D)))),
    ("a.b()", t.CallSyntax(t.Attr(A, "b"), ())),
    ("-a", t.Unary("-", A)),
    ("+a", A),
    ("not a", t.Unary("not", A)),
    ("a + b - c", t.Binary("-", t.Binary("+", A, B), C)),
    ("a + b * c", t.Binary("+", A, t.Binary("*", B, C))),
    ("a / b up", t.Binary("/", A, B, "up")),
    ("a / b down * c", t.Binary("*", t.Binary("/", A, B, "down"), C)),
    ("(a + b) * c", t.Binary("*", t.Binary("+", A, B), C)),
    ("a ?? b + c", t.Binary("??", A, t.Binary("+", B, C))),
    ("1 .. a + b", t.Range(num(1), t.Binary("+", A, B))),
    ("a as PF", t.Cast(A, "PF")),
    ("a in {b, c}", t.Binary("in", A, t.SetLiteral((B, C)))),
    ("a not in {}", t.Binary("not in", A, t.SetLiteral(()))),
    ("a is b", t.Binary("is", A, B)),
    ("a is not (b or c)", t.Binary("is not", A, t.Binary("or", B, C))),
    ("a has b", t.Binary("has", A, B)),
    ("a only b", t.Binary("only", A, B)),
    ("a all (b = c)", t.Binary("all", A, t.Binary("=", B, C))),
    ("a all b = c", t.Binary("all", A, t.Binary("=", B, C))),
    ("a has b is c and d", t.Binary("and", t.Binary("has", A, t.Binary("is", B, C)), n("d"))),
    ("a only b not in c", t.Binary("only", A, t.Binary("not in", B, C))),
    ("a.b applies", t.Applies(t.Attr(A, "b"))),
    (
        "a and b or not c and d",
        t.Binary("or", t.Binary("and", A, B), t.Binary("and", t.Unary("not", C), D)),
    ),
    ("a if b else c if d else a", t.IfElse(A, B, t.IfElse(C, D, A))),
    ("a <= b", t.Binary("<=", A, B)),
    ("a != b", t.Binary("!=", A, B)),
    ("a where b and c", t.Where(A, None, t.Binary("and", B, C))),
    ("a x where b", t.Where(A, "x", B)),
    ("some a(b)", t.Quant("some", t.CallSyntax(A, (B,)))),
    ("no(a where b)", t.Quant("no", t.Where(A, None, B))),
    ("the a.b", t.Quant("the", t.Attr(A, "b"))),
    ("sum(a of b where c)", t.AggregateSyntax("sum", A, t.Where(B, None, C))),
    ("max(a of b)", t.AggregateSyntax("max", A, B)),
    ("max(a, b, c)", t.MinMax("max", (A, B, C))),
    ("first(a by -b, c)", t.First(A, (t.Unary("-", B), C))),
    ("reach a(b, c) from d", t.ReachSyntax("a", (B, C), D)),
    ("[a, b]", t.ListLiteral((A, B))),
    ("a where b if c else d", t.Where(A, None, t.IfElse(B, C, D))),
    ("a where b or c where d", t.Where(t.Where(A, None, t.Binary("or", B, C)), None, D)),
    (
        "a or b if c or d else a or b",
        t.IfElse(t.Binary("or", A, B), t.Binary("or", C, D), t.Binary("or", A, B)),
    ),
    ("a or b and c", t.Binary("or", A, t.Binary("and", B, C))),
    ("not a and b", t.Binary("and", t.Unary("not", A), B)),
    ("not a = b", t.Unary("not", t.Binary("=", A, B))),
    ("not a in b and c", t.Binary("and", t.Unary("not", t.Binary("in", A, B)), C)),
    ("a in b .. c and d", t.Binary("and", t.Binary("in", A, t.Range(B, C)), D)),
    ("a ?? b .. c", t.Range(t.Binary("??", A, B), C)),
    ("a = b ?? c", t.Binary("=", A, t.Binary("??", B, C))),
    ("a + b ?? c", t.Binary("??", t.Binary("+", A, B), C)),
    ("a < b + c", t.Binary("<", A, t.Binary("+", B, C))),
    ("a * b as PF", t.Binary("*", A, t.Cast(B, "PF"))),
    ("a + b as PF", t.Binary("+", A, t.Cast(B, "PF"))),
    ("-a as PF", t.Cast(t.Unary("-", A), "PF")),
    ("-a * b", t.Binary("*", t.Unary("-", A), B)),
    ("count a as PF", t.Cast(t.Quant("count", A), "PF")),
    ("count a + b", t.Binary("+", t.Quant("count", A), B)),
    ("count a > b", t.Binary(">", t.Quant("count", A), B)),
    ("some a and no b", t.Binary("and", t.Quant("some", A), t.Quant("no", B))),
    ("the a = b", t.Binary("=", t.Quant("the", A), B)),
    ("the a ?? b", t.Binary("??", t.Quant("the", A), B)),
    ("a - b - c", t.Binary("-", t.Binary("-", A, B), C)),
    ("a / b up / c down", t.Binary("/", t.Binary("/", A, B, "up"), C, "down")),
    ("reach", n("reach")),
    ("group.times", t.Attr(n("group"), "times")),
]


@pytest.mark.parametrize(
    ("text", "node"), EXPRESSIONS, ids=lambda x: x if isinstance(x, str) else ""
)
def test_expressions(text: str, node: t.ExprSyntax) -> None:
    assert expr(text) == node


DECLARATIONS = [
    ("game a 1", t.Header("game", "a", 1)),
    ("library a 2", t.Header("library", "a", 2)),
    ("use a 1", t.UseSyntax("a", 1)),
    ("unit PA, PF", t.UnitDecl(("PA", "PF"))),
    ("kind A", t.KindDecl("A")),
    (
        "kind A ordered decides = a(b, 1) | c",
        t.KindDecl(
            "A", True, True, members=(t.MemberSyntax("a", (B, num(1))), t.MemberSyntax("c"))
        ),
    ),
    ("kind A joins B needs x, y", t.KindDecl("A", joins="B", needs=("x", "y"))),
    ("kind A = grid 8 by 7", t.KindDecl("A", grid=t.Grid(8, 7))),
    (
        "kind A = grid | lines",
        t.KindDecl("A", members=(t.MemberSyntax("grid"), t.MemberSyntax("lines"))),
    ),
    ("kind A = lines 4 in B", t.KindDecl("A", lines=t.LinesSyntax(4, "B"))),
    (
        "extend kind A\n  fixed x: int",
        t.KindDecl("A", items=(t.FixedDecl("x", (), INT),), extends=True),
    ),
    ("members A = a | b(c)", t.MembersDecl("A", (t.MemberSyntax("a"), t.MemberSyntax("b", (C,))))),
    (
        'fixed x(a: A): set B = c  ref "1"',
        t.FixedDecl(
            "x", (t.Param("a", t.TypeNode("name", "A")),), t.TypeNode("set", "B"), C, ("1",)
        ),
    ),
    (
        "state x: 0..12 PA clamp = 3",
        t.StateDecl("x", (), t.TypeNode("range", low=0, high=12, unit="PA", clamp=True), num(3)),
    ),
    ("state x: -1..+2", t.StateDecl("x", (), t.TypeNode("range", low=-1, high=2))),
    (
        "state x: A? per game seen by a, all when b",
        t.StateDecl(
            "x",
            (),
            t.TypeNode("name", "A", True),
            None,
            "game",
            (t.ObserverSyntax(A), t.ObserverSyntax(n("all"), B)),
        ),
    ),
    (
        "pool x(a: A) of B seen by none",
        t.PoolDecl(
            "x",
            (t.Param("a", t.TypeNode("name", "A")),),
            "B",
            (t.ObserverSyntax(t.WordSyntax("none")),),
        ),
    ),
    ("define a: int = b", t.DefineDecl("a", type=INT, cases=(t.CaseSyntax(B),))),
    (
        'define a(b: int) in c\n  = c when d  ref "1"\n  = b',
        t.DefineDecl(
            "a", (t.Param("b", INT),), "c", None, (t.CaseSyntax(C, D, ("1",)), t.CaseSyntax(B))
        ),
    ),
    ("replace define A.b = c", t.Replace(t.DefineDecl("b", cases=(t.CaseSyntax(C),), owner="A"))),
    ("drop a.b", t.Drop(("a", "b"))),
    (
        "needs total a(b: int) in c: PA",
        t.NeedsDecl("total", "a", (t.Param("b", INT),), "c", t.TypeNode("name", "PA")),
    ),
    ("needs phase a", t.NeedsDecl("phase", "a")),
    (
        (
            'total a in c: PA\n  base 2\n  modifier x -1 when b "why"  ref "1"\n  set y (a)\n '
            " cancel c.d\n  at least 1\n  at most b when c"
        ),
        t.TotalDecl(
            "a",
            (),
            "c",
            t.TypeNode("name", "PA"),
            (
                t.ClauseSyntax("base", (), num(2)),
                t.ClauseSyntax("modifier", ("x",), t.Unary("-", num(1)), B, "why", ("1",)),
                t.ClauseSyntax("set", ("y",), A),
                t.ClauseSyntax("cancel", ("c", "d")),
                t.ClauseSyntax("least", (), num(1)),
                t.ClauseSyntax("most", (), B, C),
            ),
        ),
    ),
    (
        'permit a(b: int)\n  bar x when b "why"',
        t.PermitDecl(
            "a", (t.Param("b", INT),), None, (t.ClauseSyntax("bar", ("x",), None, B, "why"),)
        ),
    ),
    ("modifier a.b +1 when c", t.ClauseSyntax("modifier", ("a", "b"), num(1), C)),
    ("cancel a.b", t.ClauseSyntax("cancel", ("a", "b"))),
    ('bar a.b when c  ref "1", "2"', t.ClauseSyntax("bar", ("a", "b"), None, C, None, ("1", "2"))),
    (
        "table a(r: ratio) -> B, round down, clamp\n  1 to 2 | 3 to 1\n  -1 | b",
        t.TableDecl(
            "a",
            (t.Param("r", t.TypeNode("name", "ratio")),),
            ((None, t.TypeNode("name", "B")),),
            "down",
            True,
            None,
            (
                (t.RatioSyntax(num(1), num(2)), t.RatioSyntax(num(3), num(1))),
                (t.Unary("-", num(1)), B),
            ),
        ),
    ),
    (
        'table a(b: int) -> x: A, y: B  from "t.csv"',
        t.TableDecl(
            "a",
            (t.Param("b", INT),),
            (("x", t.TypeNode("name", "A")), ("y", t.TypeNode("name", "B"))),
            source="t.csv",
        ),
    ),
    ("event a(b: int) reveals b, c", t.EventDecl("a", (t.Param("b", INT),), (B, C))),
    ("moment a in c asks b", t.MomentDecl("a", context="c", asks=(B,))),
    (
        "moment a(b: int) -> bool default false",
        t.MomentDecl("a", (t.Param("b", INT),), None, BOOL, t.WordSyntax("false")),
    ),
    (
        "moment a = b, after c, start of d asks b",
        t.MomentDecl(
            "a",
            asks=(B,),
            parts=(t.MomentRef(None, "b"), t.MomentRef("after", "c"), t.MomentRef("start of", "d")),
        ),
    ),
    ("menu a in c", t.MenuDecl("a", "c")),
    (
        'action a(b: int) in c "Do" when d "why"',
        t.OptionDecl("action", "a", (t.Param("b", INT),), ("in", C), "Do", (t.Guard(D, "why"),)),
    ),
    (
        (
            "reaction a before c\n  for b\n  at c.d\n  with x = a\n  limit 1 n per game by b unless"
            ' c\n  pays 2 from d\n  when a  ref "1"\n  x()'
        ),
        t.OptionDecl(
            "reaction",
            "a",
            (),
            ("before", C),
            None,
            (
                t.ForClause(B),
                t.AtClause(t.Attr(C, "d")),
                t.WithClause("x", A),
                t.LimitClause(1, "n", "game", (B,), C),
                t.PaysClause(num(2), D),
                t.Guard(A, None, ("1",)),
            ),
            (t.CallStmt(X),),
        ),
    ),
    ("reaction a at b.c", t.OptionDecl("reaction", "a", (), ("at", t.Attr(B, "c")))),
    ("reaction a\n  at b", t.OptionDecl("reaction", "a", (), None, None, (t.AtClause(B),))),
    ("standing a in c", t.OptionDecl("standing", "a", (), ("standing", C))),
    ("standing a", t.OptionDecl("standing", "a", (), ("standing", None))),
    ("on after a when b\n  x()", t.HookDecl("after", "a", B, (t.CallStmt(X),))),
    ("on at a\n  x()", t.HookDecl("at", "a", None, (t.CallStmt(X),))),
    ("on end of a\n  x()", t.HookDecl("end of", "a", None, (t.CallStmt(X),))),
    ("whenever a in b where c\n  x()", t.WheneverDecl("a", t.Where(B, None, C), (t.CallStmt(X),))),
    (
        "phase a(b: int) in c\n  x()",
        t.ProcDecl("phase", "a", (t.Param("b", INT),), "c", (t.CallStmt(X),)),
    ),
    (
        (
            "movement a(b: int) in c\n  over B b from a to z\n  allowance 4\n  cost 1\n  may enter"
            ' c "why"  ref "1"\n  must stop when d\n  may end when a\n  may end when b\n  on'
            " entry\n    x()\n  stranded\n    x()"
        ),
        t.MovementDecl(
            "a",
            (t.Param("b", INT),),
            "c",
            "B",
            "b",
            "a",
            "z",
            num(4),
            num(1),
            (t.Guard(C, "why", ("1",)),),
            (t.Guard(D),),
            (t.Guard(A), t.Guard(B)),
            (t.CallStmt(X),),
            (t.CallStmt(X),),
        ),
    ),
    ("invariant a: b", t.InvariantDecl("a", None, None, B)),
    ("invariant a after c: b", t.InvariantDecl("a", "after", "c", B)),
    ("setup\n  x()", t.SetupDecl((t.CallStmt(X),))),
    (
        (
            'Face E5 "Archers", window any, lasts c  ref "6"\n  when a\n  modifier t.c 2 if a else'
            " -1\n  limit 1 per game\n  x()"
        ),
        t.MemberBlock(
            "Face",
            "E5",
            "Archers",
            (("window", n("any")), ("lasts", C)),
            (
                t.Guard(A),
                t.ClauseSyntax("modifier", ("t", "c"), t.IfElse(num(2), A, t.Unary("-", num(1)))),
                t.LimitClause(1, None, "game"),
            ),
            (t.CallStmt(X),),
            ("6",),
        ),
    ),
    (
        (
            "kind A\n  slot g(m: B): bool = true\n  slot e\n  rules while p as m\n  identity seen"
            " by o\n  define z = a"
        ),
        t.KindDecl(
            "A",
            items=(
                t.SlotDecl(
                    "g", (t.Param("m", t.TypeNode("name", "B")),), BOOL, t.WordSyntax("true")
                ),
                t.SlotDecl("e", ()),
                t.RulesWhile(n("p"), "m"),
                t.IdentityDecl((t.ObserverSyntax(n("o")),)),
                t.DefineDecl("z", cases=(t.CaseSyntax(A),)),
            ),
        ),
    ),
]


@pytest.mark.parametrize(
    ("text", "node"), DECLARATIONS, ids=lambda x: x.split("\n")[0] if isinstance(x, str) else ""
)
def test_declarations(text: str, node: t.Decl) -> None:
    assert decl(text + "\n") == node


BODY = (t.CallStmt(X),)
STATEMENTS = [
    ("field a: int = b", t.FieldStmt("a", INT, B)),
    ("var a: int = b", t.VarStmt("a", INT, B)),
    ("var a = b", t.VarStmt("a", None, B)),
    ('let a = b  ref "1"', t.LetStmt("a", B, ("1",))),
    ("let a = open b(c)", t.OpenStmt(t.CallSyntax(B, (C,)), "a")),
    ("open a", t.OpenStmt(A)),
    ('a.b := c when d  ref "1"', t.AssignStmt(t.Attr(A, "b"), ":=", C, D, ("1",))),
    ("a(b) += 1", t.AssignStmt(t.CallSyntax(A, (B,)), "+=", num(1))),
    ("a -= 1", t.AssignStmt(A, "-=", num(1))),
    ("a", t.CallStmt(A)),
    ("a(b) when c", t.CallStmt(t.CallSyntax(A, (B,)), C)),
    (
        "if a\n  x()\nelse if b\n  x()\nelse if c\n  x()\nelse\n  x()",
        t.IfSyntax(((A, BODY), (B, BODY), (C, BODY)), BODY),
    ),
    (
        'if a  ref "1"\n  x()\nelse if b  ref "2"\n  x()\nelse  ref "3"\n  x()',
        t.IfSyntax(((A, BODY), (B, BODY)), BODY, ("1", "2", "3")),
    ),
    (
        "each a in b by c, -d ties a live\n  x()",
        t.EachStmt("a", B, (C, t.Unary("-", D)), A, True, BODY),
    ),
    ("each a in [b, c]\n  x()", t.EachStmt("a", t.ListLiteral((B, C)), (), None, False, BODY)),
    ("each a in 1 .. 9\n  x()", t.EachStmt("a", t.Range(num(1), num(9)), (), None, False, BODY)),
    ("together each a in b\n  x()", t.TogetherStmt(t.EachStmt("a", B, (), None, False, BODY))),
    ("repeat until a, at most 3\n  x()", t.RepeatStmt("until", A, num(3), BODY)),
    ("repeat at most 3\n  x()", t.RepeatStmt("most", None, num(3), BODY)),
    ("repeat a times\n  x()", t.RepeatStmt("times", None, A, BODY)),
    ('choose by a from b "p"', t.ChooseStmt(A, "b", "p", ())),
    (
        'choose by a\n  option b\n    x()\n  option c(d: int) "t" when a "why"',
        t.ChooseStmt(
            A,
            None,
            None,
            (
                t.OptionDecl("option", "b", body=BODY),
                t.OptionDecl("option", "c", (t.Param("d", INT),), None, "t", (t.Guard(A, "why"),)),
            ),
        ),
    ),
    (
        'pick a from 1 PA .. b(c) by d "p"',
        t.PickStmt("a", t.Range(num(1, "PA"), t.CallSyntax(B, (C,))), D, (), "p"),
    ),
    ("pick a from b by c, or none", t.PickStmt("a", B, C, or_none=True)),
    (
        'pick group a from b by c alike (a, d) "p", 1 to 2, or none',
        t.PickGroupStmt("a", B, C, (A, D), "p", num(1), num(2), True),
    ),
    ('pick group a from b by c while d "w"', t.PickGroupStmt("a", B, C, keeps=t.Guard(D, "w"))),
    (
        'pick group a from b by c alike (a) "p", 1 to 2 while d, or none  ref "1"',
        t.PickGroupStmt("a", B, C, (A,), "p", num(1), num(2), True, ("1",), t.Guard(D)),
    ),
    ("pick while from b by c", t.PickStmt("while", B, C)),
    ("pick group from b by c", t.PickStmt("group", B, C)),
    ("roll a = 2d6 by b for c", t.RollStmt("a", 2, 6, B, "c")),
    ("roll a = d10 by b for c", t.RollStmt("a", 1, 10, B, "c")),
    ("draw 2 from a to b(c)", t.DrawStmt(num(2), A, t.CallSyntax(B, (C,)))),
    ("put a in b if c else d", t.PutStmt(A, t.IfElse(B, C, D))),
    ("gather a to b", t.GatherStmt(A, B)),
    ("roll a = 2d6 by b for c when d", t.RollStmt("a", 2, 6, B, "c", when=D)),
    ("draw 2 from a to b when c", t.DrawStmt(num(2), A, B, when=C)),
    ("put a in b when c", t.PutStmt(A, B, when=C)),
    ("gather a to b when c", t.GatherStmt(A, B, when=C)),
    ("open a when b", t.OpenStmt(A, when=B)),
    ("walk a(c) from d by a when b", t.WalkStmt("a", (C,), D, A, when=B)),
    ("answer true when a", t.AnswerStmt(t.WordSyntax("true"), A)),
    ("leave when a", t.LeaveStmt(A)),
    ("return", t.ReturnStmt()),
    ("finish none, drawn when a", t.FinishStmt(t.WordSyntax("none"), "drawn", A)),
    ("walk a({b}, c) from d by a", t.WalkStmt("a", (t.SetLiteral((B,)), C), D, A)),
]


@pytest.mark.parametrize(
    ("text", "node"), STATEMENTS, ids=lambda x: x.split("\n")[0] if isinstance(x, str) else ""
)
def test_statements(text: str, node: t.StmtSyntax) -> None:
    assert step(text) == node


CONTEXTUAL = [
    "draw",
    "take",
    "open",
    "put",
    "limit",
    "pays",
    "with",
    "for",
    "at",
    "over",
    "cost",
    "base",
    "field",
    "state",
    "event",
    "turn",
    "start",
    "end",
    "group",
    "round",
    "unit",
    "table",
    "level",
    "may",
    "must",
    "stop",
    "enter",
    "on",
    "live",
    "set",
    "all",
    "to",
    "of",
]


@pytest.mark.parametrize("word", CONTEXTUAL)
def test_words_of_the_language_are_names_where_no_other_reading_fits(word: str) -> None:
    name = n(word)
    assert step(f"{word} := {word} + 1") == t.AssignStmt(name, ":=", t.Binary("+", name, num(1)))
    assert step(f"{word}(a)\n{word}.a += 1").call == t.CallSyntax(name, (A,))
    assert expr(f"f({word}) + {word}.a") == t.Binary(
        "+", t.CallSyntax(n("f"), (name,)), t.Attr(name, "a")
    )
    assert decl(f"procedure {word}({word}: int) in {word}\n  a\n").name == word


def test_a_line_that_begins_with_a_clause_word_and_a_bracket_is_a_call_only_without_a_space() -> (
    None
):
    option = decl("action a in m\n  pays (b) from c\n  pays(b)\n")
    assert option.clauses == (t.PaysClause(B, C),)
    assert option.body == (t.CallStmt(t.CallSyntax(n("pays"), (B,))),)


# -------------------------------------------------------------------------------------------- spans
def nodes(value: Any) -> Iterator[t.NodeSyntax]:
    if isinstance(value, tuple):
        for item in value:
            yield from nodes(item)
    elif isinstance(value, t.NodeSyntax):
        yield value
        for attribute in fields(type(value)):
            yield from nodes(getattr(value, attribute.name))


def excerpt(text: str, span: Span) -> str:
    lines = text.split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


SPANS = [
    ("define x = (a + b) * c.d(1 PA)", t.Binary, ["(a + b) * c.d(1 PA)", "a + b"]),
    ("define x = (a + b) * c.d(1 PA)", t.NumberSyntax, ["1 PA"]),
    ("define x = (a + b) * c.d(1 PA)", t.CallSyntax, ["c.d(1 PA)"]),
    ("define x = a not in {b,\n  c}", t.Binary, ["a not in {b,\n  c}"]),
    ("define x = some(y where not z)", t.Where, ["y where not z"]),
    ("define x = some(y where not z)", t.Quant, ["some(y where not z)"]),
    ('state x(a: set B): -1..8 DRM clamp = 2  ref "1"', t.TypeNode, ["set B", "-1..8 DRM clamp"]),
    (
        'state x(a: set B): -1..8 DRM clamp = 2  ref "1"',
        t.StateDecl,
        ["state x(a: set B): -1..8 DRM clamp = 2"],
    ),
    ("kind A = a(b) | c  # comment", t.MemberSyntax, ["a(b)", "c"]),
    (
        'total a: PA  ref "1"\n  base 2  # two\n  at most b when c  ref "2"\n',
        t.ClauseSyntax,
        ["base 2", "at most b when c"],
    ),
    (
        'total a: PA  ref "1"\n  base 2  # two\n  at most b when c  ref "2"\n',
        t.TotalDecl,
        ['total a: PA  ref "1"\n  base 2  # two\n  at most b when c'],
    ),
    (
        "phase a\n  if b\n    c := 1\n  else\n    c\n",
        t.IfSyntax,
        ["if b\n    c := 1\n  else\n    c"],
    ),
    ("phase a\n  if b\n    c := 1\n  else\n    c\n", t.AssignStmt, ["c := 1"]),
    ('action a in m when b "why"\n  pays 1 from c  ref "3"\n', t.Guard, ['when b "why"']),
    ('action a in m when b "why"\n  pays 1 from c  ref "3"\n', t.PaysClause, ["pays 1 from c"]),
]


@pytest.mark.parametrize(("text", "kind", "expected"), SPANS)
def test_a_span_is_exactly_the_text_of_its_node(
    text: str, kind: type[t.NodeSyntax], expected: list[str]
) -> None:
    text = f"unit PA\n\n{text}\n"
    found = [node for node in nodes(parsed(text).decls) if type(node) is kind]
    assert [excerpt(text, node.span) for node in found] == expected


def test_every_node_has_a_span_inside_that_of_its_file() -> None:
    for text, _ in DECLARATIONS:
        file = parsed(text + "\n")
        for node in nodes(file.decls):
            assert node.span.file == "f.rules"
            assert 1 <= node.span.line <= node.span.end_line <= file.span.end_line
            assert (node.span.line, node.span.column) < (node.span.end_line, node.span.end_column)


def test_line_numbers_are_those_of_the_file() -> None:
    file = parsed("\n# one\nunit PA\n\n\nphase a\n  # two\n\n  b\n  c(\n    d)\n")
    assert [d.span.line for d in file.decls] == [3, 6]
    assert [s.span.line for s in file.decls[1].body] == [9, 10]  # type: ignore[attr-defined]


def test_line_ends_and_a_byte_order_mark_do_not_matter() -> None:
    assert parsed("\ufeffunit PA\r\nphase a\r\n  b\r\n") == parsed("unit PA\nphase a\n  b")


@pytest.mark.parametrize(
    "text",
    [
        "max(a,\n{i}b,\n{i}c)",
        "max(\n{i}a, b\n{i}, c)",
        "max(a, b # one\n{i}, # (two\n\n{i}c)",
        "(\n{i}max(a, b, c))",
    ],
)
@pytest.mark.parametrize("indent", ["", "  ", "         "])
def test_what_stands_in_brackets_goes_on_in_the_next_line(text: str, indent: str) -> None:
    """Any indentation works, across comments and empty lines. Only the closing bracket may be in
    the first column."""
    assert expr("max(a, b, c)") == expr(text.format(i=indent or " "))
    assert expr("{a, b}") == expr("{a,\n" + (indent or " ") + "b}") and expr("[a, b]") == expr(
        "[\n" + (indent or " ") + "a, b]"
    )


def test_a_comment_goes_from_its_sign_to_the_end_of_the_line() -> None:
    """The sign does not count within a text. A comment line neither opens nor closes a block,
    wherever it begins."""
    assert step("a := 1 #:= 2") == step("a := 1 # := 2") == step("a := 1") == step("a := 1# b")
    assert step('choose by a "p # q"\n  option b').prompt == "p # q"
    plain = parsed("phase a\n  if b\n    c\n    d\n  c")
    assert (
        parsed(
            "# one\nphase a # two\n      # three\n  if b\n# four\n    c\n  # five\n    d\n  c # six"
        )
        == plain
    )


@pytest.mark.parametrize("steps", [(1, 1), (2, 3), (4, 1), (7, 5)])
def test_any_consistent_indent_is_read(steps: tuple[int, int]) -> None:
    """Each block has its own. A line that matches none above it is an error."""
    outer, inner = " " * steps[0], " " * (steps[0] + steps[1])
    text = f"phase a\n{outer}if b\n{inner}c\n{inner}d\n{outer}c\n"
    assert parsed(text) == parsed("phase a\n  if b\n    c\n    d\n  c\n")
    sink = Sink()
    parse(text.replace(f"{inner}d", f"{inner} d"), "f.rules", sink)
    parse(
        (
            text.replace(f"{outer}c", f" {outer}c")
            if steps[1] > 1
            else text.replace(f"{outer}c\n", "  " * 9 + "c\n")
        ),
        "f.rules",
        sink,
    )
    assert len(sink.found) == 2


def test_a_paragraph_stands_at_the_end_of_a_line() -> None:
    """One or several belong to a declaration or to a line in it, each with its own."""
    total = decl('total a: int  ref "4.2 a", "Q1"\n  base 2\n  modifier b 1 when c  ref "4.3"\n')
    assert (total.ref, total.clauses[0].ref, total.clauses[1].ref) == (
        ("4.2 a", "Q1"),
        (),
        ("4.3",),
    )


def test_a_closing_bracket_may_stand_in_the_first_column() -> None:
    assert decl("define x = {\n  a,\n  b\n}\n").cases[0].value == t.SetLiteral((A, B))


@pytest.mark.parametrize("unit", ["pf", "Pf", "P", "p_f"])
def test_a_number_has_a_unit_in_capitals(unit: str) -> None:
    """It has at least two letters. Other words next to a number are errors."""
    assert expr("3 P2") == num(3, "P2")
    sink = Sink()
    parse(f"define x = 3 {unit}\n", "f.rules", sink)
    assert [d.code for d in sink.found] == ["RK201"]
