"""The visitor's knowledge of each class of the model agrees with the actual contents of nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from rulekit.compiler import model as m
from rulekit.compiler.lowering.expressions import ExpressionLowering
from rulekit.compiler.model import visitor as v
from rulekit.compiler.model.expressions import method_for
from rulekit.compiler.model.node import Part, Stmt
from rulekit.compiler.semantics.evaluate import PureEvaluator
from tests.compiler.model.samples import CLASSES, EXPRESSIONS, sample

NUM, BOOL = m.Int(), m.Bool()
KIND = m.Kind("Piece", members=["a", "b"])
ALL = m.Const(3, type=m.SetOf(KIND))


def read(var: m.Var) -> m.Read:
    return m.Read(var)


def number(value: int) -> m.Const:
    return m.Const(value, type=NUM)


def var(name: str) -> m.Var:
    return m.Var(name, m.MemberOf(KIND))


def held(value: Any, wanted: tuple[type, ...]) -> Iterator[Any]:
    """Yield the objects of these classes in a value, found by hand."""
    if isinstance(value, wanted):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from held(item, wanted)


def by_hand(node: Any, wanted: tuple[type, ...]) -> list[Any]:
    return [
        one
        for f in attrs.fields(type(node))
        if not f.metadata.get("refers")
        for one in held(getattr(node, f.name), wanted)
    ]


# ----------------------------------------------------------------------------------------- one node
@pytest.mark.parametrize("cls", CLASSES)
def test_the_children_of_a_node_are_all_that_stands_in_it_in_the_order_of_its_fields(
    cls: Any,
) -> None:
    node = sample(cls)
    assert list(map(id, v.children(node))) == list(map(id, by_hand(node, (m.Expr, Stmt, Part))))


@pytest.mark.parametrize("cls", CLASSES)
def test_what_sees_a_bound_variable_stands_in_the_node(cls: Any) -> None:
    node = sample(cls)
    inside = set(map(id, v.children(node)))
    fields = {f.name: f.metadata["binds"] for f in attrs.fields(cls) if "binds" in f.metadata}
    assert {name for seen_by in fields.values() for name in seen_by} <= {
        f.name for f in attrs.fields(cls)
    }
    bound = v.binders(node)
    assert [id(one) for one, _ in bound] == [
        id(one) for name in fields for one in held(getattr(node, name), (m.Var,))
    ]
    for name, seen_by in fields.items():
        there = [
            id(child)
            for f in attrs.fields(cls)
            if f.name in seen_by
            for child in held(getattr(node, f.name), (m.Expr, Stmt, Part))
        ]
        assert set(there) <= inside
        assert bool(there) == bool(seen_by)
        for one in held(getattr(node, name), (m.Var,)):
            assert [list(map(id, seen)) for other, seen in bound if other is one] == [there]


@pytest.mark.parametrize("cls", EXPRESSIONS)
def test_an_expression_with_a_variable_reads_it_or_binds_it_over_a_set(cls: Any) -> None:
    node = sample(cls)
    assert cls is m.Read or not by_hand(node, (m.Var,)) or issubclass(cls, m.Over)
    if issubclass(cls, m.Over):
        bound = {id(child): names for child, names in v.scoped(node)}
        assert bound.pop(id(node.source)) == ()
        assert bound
        assert all(names == (node.var,) for names in bound.values())
    else:
        assert [(id(child), names) for child, names in v.scoped(node)] == [
            (id(child), ()) for child in v.subexpressions(node)
        ]


def test_binders_of_statements_are_seen_where_they_are_read() -> None:
    each = sample(m.Each)
    assert v.binders(each) == [(each.var, each.body), (each.key_var, each.keys)]
    group = sample(m.PickGroup)
    assert v.binders(group) == [(group.var, [group.keeps]), (group.key_var, group.alike)]
    clause = sample(m.Clause)
    assert v.binders(clause) == [(clause.holder[0], [clause.amount, clause.cond])]


# ------------------------------------------------------------------------------------------- copies
@pytest.mark.parametrize("cls", EXPRESSIONS)
def test_a_copy_has_the_changed_subexpressions_and_else_the_same(cls: Any) -> None:
    node = sample(cls)
    before = v.subexpressions(node)
    new = {
        id(child): sample(m.ReadCell) if isinstance(child, m.ReadCell) else number(0)
        for child in before
    }
    copy = v.rebuilt(node, lambda child: new[id(child)])
    assert copy is not node
    assert type(copy) is cls
    assert list(map(id, v.subexpressions(copy))) == [id(new[id(child)]) for child in before]
    assert list(map(id, v.subexpressions(node))) == list(map(id, before))
    for f in attrs.fields(cls):
        if not list(held(getattr(node, f.name), (m.Expr,))):
            assert getattr(copy, f.name) is getattr(node, f.name)


@pytest.mark.parametrize("cls", EXPRESSIONS)
def test_variables_are_replaced_in_every_part_of_an_expression(cls: Any) -> None:
    a = var("a")
    node = v.rebuilt(
        sample(cls),
        lambda child: (
            v.rebuilt(child, lambda _: read(a)) if isinstance(child, m.ReadCell) else read(a)
        ),
    )
    assert (a in v.read(node)) == bool(v.subexpressions(node))
    assert a not in v.read(v.substitute(node, {a: number(1)}))


@pytest.mark.parametrize("cls", [cls for cls in EXPRESSIONS if issubclass(cls, m.Over)])
def test_what_is_put_in_is_not_captured(cls: Any) -> None:
    """{e in S: ... a ... e ...} with e for a: the inserted e stays the outer one, and the source
    never sees the inner one."""
    a, e = var("a"), var("e")
    node = v.rebuilt(sample(cls), lambda child: m.MakeSet([read(a), read(e)], type=ALL.type))
    node.var = e
    copy = v.substitute(node, {a: read(e)})
    assert copy.var is not e
    source, *inside = v.subexpressions(copy)
    assert [one.var for one in v.nodes(source) if isinstance(one, m.Read)] == [e, e]
    for child in inside:
        assert [one.var for one in v.nodes(child) if isinstance(one, m.Read)] == [e, copy.var]


# --------------------------------------------------------------------------------------- many nodes
def test_nodes_come_before_what_is_in_them_and_in_the_order_in_which_they_stand() -> None:
    one, two, three = number(1), number(2), number(3)
    total = m.Arith("+", one, two, type=NUM)
    first, second = m.Finish(total, 0), m.Finish(three, 0)
    assert list(v.nodes([first, second])) == [first, total, one, two, second, three]
    assert list(v.nodes(second, None, [(first,)])) == [second, three, first, total, one, two]


def test_a_value_is_reached_through_declarations_each_once() -> None:
    two = m.Define("two", [], NUM, [(None, number(2))])
    call = m.CallDefine(two, [], type=NUM)
    four = m.Define("four", [], NUM, [(None, m.Arith("+", call, call, type=NUM))])
    found = list(v.reached(m.CallDefine(four, [], type=NUM), call))
    assert found.count(four.cases[0][1]) == 1
    assert found.count(two.cases[0][1]) == 1


def test_a_circle_of_declarations_is_gone_round_once() -> None:
    define = m.Define("f", [], NUM)
    define.cases = [(None, m.CallDefine(define, [], type=NUM))]
    assert list(v.reached(define)) == [define, define.cases[0][1]]


def test_asking_whether_a_clause_applies_asks_for_this_clause_only() -> None:
    one, other = (
        m.Clause("modifier", "one", cond=number(1)),
        m.Clause("modifier", "other", cond=number(2)),
    )
    total = m.Total("t", [], NUM, [one, other])
    asks = m.AppliesTo(total, one, [])
    assert list(v.reached(asks)) == [asks, one.cond]


def test_a_reach_asks_for_what_is_looked_ahead_and_not_for_what_is_done_on_the_way() -> None:
    movement = sample(m.Movement)
    found = list(v.reached(m.ReachOf(movement, [], number(0), type=ALL.type)))
    assert {movement.allowance, movement.cost, movement.stop[0].cond, movement.end[1].cond} <= set(
        found
    )
    assert not any(isinstance(node, Stmt) for node in found)


def test_variables_that_a_value_reads_stand_also_in_what_it_calls() -> None:
    a, b = m.Var("a", NUM), m.Var("b", NUM)
    define = m.Define("f", [], NUM, [(None, read(b))])
    assert v.read(m.Arith("+", read(a), m.CallDefine(define, [], type=NUM), type=NUM)) == {a, b}


def test_everything_comes_once_with_the_node_from_which_it_is_come_to_first() -> None:
    proc = m.Procedure("main", "phase")
    proc.body = [m.CallProc(proc, []), m.SetVar(m.Var("x", NUM, proc), ":=", number(1))]
    model = m.Model("g", 1, procedures=[proc], main=proc)
    call, put = proc.body
    assert isinstance(put, m.SetVar)
    assert list(v.everything(model)) == [
        (model, None),
        (proc, model),
        (call, proc),
        (put, proc),
        (put.var, put),
        (put.value, put),
    ]


@pytest.mark.parametrize("cls", CLASSES)
def test_everything_leads_to_all_nodes_that_a_node_holds(cls: Any) -> None:
    node = sample(cls)
    direct = [id(one) for one, above in v.everything(node) if above is node]
    assert direct == list(
        dict.fromkeys(
            id(one)
            for f in attrs.fields(cls)
            if not isinstance(getattr(node, f.name), set)
            for one in held(getattr(node, f.name), (m.Node,))
        )
    )


# ------------------------------------------------------------------------ one method for each class
ANSWERS = {
    name: lambda self, e, given, name=name: (name, given) for name in map(method_for, EXPRESSIONS)
}


@pytest.mark.parametrize("visitor", [PureEvaluator, ExpressionLowering])
@pytest.mark.parametrize("cls", EXPRESSIONS)
def test_who_says_something_of_expressions_says_it_of_each_class(cls: Any, visitor: Any) -> None:
    assert visitor.methods[cls].__annotations__["expression"] == f"m.{cls.__name__}"


@pytest.mark.parametrize("cls", EXPRESSIONS)
def test_a_visitor_that_leaves_a_class_out_cannot_be_made(cls: Any) -> None:
    given = {name: answer for name, answer in ANSWERS.items() if name != method_for(cls)}
    with pytest.raises(AttributeError, match=rf"{method_for(cls)}\b"):
        type("Some", (m.ExprVisitor,), given)


def test_each_node_is_answered_by_the_method_of_its_class_in_the_last_subclass() -> None:
    some = type("Some", (m.ExprVisitor,), ANSWERS)
    other = type("Other", (some,), {"on_and": lambda self, e, given: "mine"})
    both = m.And([])
    assert some().visit(both, 1) == ("on_and", 1)
    assert other().visit(both, 1) == "mine"
    assert other().visit(sample(m.OrElse), 2) == ("on_or_else", 2)
