"""Builds the nodes for things that happen: events, options, procedures, statements."""

from __future__ import annotations

from rulekit.common.diagnostics.diagnostic import Diagnostic
from rulekit.common.diagnostics.span import Span
from rulekit.compiler.syntax import ast as t
from rulekit.compiler.syntax.ast_builder import (
    Children,
    Common,
    DeclarationRules,
    ExpressionRules,
    SortedChildren,
    SyntaxFault,
    SyntaxPart,
    Things,
    node,
    part,
    span_of,
)

_ONCE = {"allowance": "allowance", "cost": "cost", "on_entry": "on entry", "stranded": "stranded"}


class Happenings(Common):
    """Events, moments, options, hooks."""

    reveals = part("reveals", lambda p: tuple(p.exprs))
    asks = part("asks", lambda p: tuple(p.exprs))
    moment_type = part("answer", lambda p: (p.nodes[0], p.exprs[0]))
    whence = part("whence", lambda p: " ".join(p.words))
    at_place = part("place", lambda p: (p.get("whence"), p.names[0]))
    event = node(
        lambda p, span: t.EventDecl(
            p.names[0], p.get("params", ()), p.get("reveals", ()), p.body, p.ref, span=span
        )
    )
    mref = node(lambda p, span: t.MomentRef(p.get("whence"), p.names[0], span=span))
    menu = node(lambda p, span: t.MenuDecl(p.names[0], p.get("ctx"), p.ref, span=span))
    o_at = node(lambda p, span: t.AtClause(p.exprs[0], p.ref, span=span))
    o_for = node(lambda p, span: t.ForClause(p.exprs[0], p.ref, span=span))
    o_when = node(lambda p, span: t.Guard(p.exprs[0], p.text, p.ref, span=span))
    pays = node(lambda p, span: t.PaysClause(p.exprs[0], p.exprs[1], p.ref, span=span))
    with_ = node(lambda p, span: t.WithClause(p.names[0], p.exprs[0], p.ref, span=span))
    limit_by = part("by", lambda p: tuple(p.exprs))
    limit_unless = part("unless", lambda p: p.exprs[0])
    limit = node(
        lambda p, span: t.LimitClause(
            p.ints[0],
            p.names[0] if p.names else None,
            p.get("per"),
            p.get("by", ()),
            p.get("unless"),
            p.ref,
            span=span,
        )
    )
    whenever = node(
        lambda p, span: t.WheneverDecl(p.names[0], p.exprs[0], p.body, p.ref, span=span)
    )
    setup = node(lambda p, span: t.SetupDecl(p.body, p.ref, span=span))
    member_value = part("member_value", lambda p: (p.names[0], p.exprs[0]))

    def moment(self, children: Children) -> t.MomentDecl:
        p = SortedChildren(children)
        type, default = p.get("answer", (None, None))
        return t.MomentDecl(
            p.names[0],
            p.get("params", ()),
            p.get("ctx"),
            type,
            default,
            p.get("asks", ()),
            tuple(p.nodes),
            p.ref,
            span=span_of(children),
        )

    def hook(self, children: Children) -> t.HookDecl:
        p = SortedChildren(children)
        return t.HookDecl(
            p.get("whence", "at"), p.names[0], p.get("when"), p.body, p.ref, span=span_of(children)
        )

    def invariant(self, children: Children) -> t.InvariantDecl:
        p = SortedChildren(children)
        whence, place = p.get("place", (None, None))
        return t.InvariantDecl(p.names[0], whence, place, p.exprs[0], p.ref, span=span_of(children))

    # ---------------------------------------------------------------------------------------- optio
    def in_menu(self, children: Children) -> SyntaxPart:
        return SyntaxPart(
            "attach", ("in", t.Name(children[1].value, span=children[1].span)), span_of(children)
        )

    def in_context(self, children: Children) -> SyntaxPart:
        return SyntaxPart(
            "attach",
            ("standing", t.Name(children[1].value, span=children[1].span)),
            span_of(children),
        )

    def at_event(self, children: Children) -> SyntaxPart:
        return SyntaxPart(
            "attach",
            (children[0].value, t.Name(children[1].value, span=children[1].span)),
            span_of(children),
        )

    def at_moment(self, children: Children) -> SyntaxPart:
        return SyntaxPart("attach", ("at", SortedChildren(children).exprs[0]), span_of(children))

    def option_body(self, children: Children) -> SyntaxPart:
        nodes = SortedChildren(children).nodes
        clauses = tuple(n for n in nodes if not isinstance(n, t.StmtSyntax))
        return SyntaxPart(
            "body",
            (clauses, tuple(n for n in nodes if isinstance(n, t.StmtSyntax))),
            span_of(children),
        )

    member_body = option_body

    def option(self, children: Children) -> t.OptionDecl:
        p = SortedChildren(children)
        clauses, body = p.get("body", ((), ()))
        guard = p.get("why")
        word = children[0].value
        attach = p.get("attach", ("standing", None) if word == "standing" else None)
        return t.OptionDecl(
            word,
            p.names[0],
            p.get("params", ()),
            attach,
            p.text,
            ((guard,) if guard else ()) + clauses,
            body,
            p.ref,
            span=span_of(children),
        )

    action = reaction = standing = option

    def member_block(self, children: Children) -> t.MemberBlock:
        p = SortedChildren(children)
        clauses, body = p.get("body", ((), ()))
        values = tuple(
            x.value for x in children if type(x) is SyntaxPart and x.name == "member_value"
        )
        return t.MemberBlock(
            p.names[0], p.names[1], p.text, values, clauses, body, p.ref, span=span_of(children)
        )


class Procedures(Common):
    """Procedures, movements."""

    procedure = node(
        lambda p, span: t.ProcDecl(
            p.words[0], p.names[0], p.get("params", ()), p.get("ctx"), p.body, p.ref, span=span
        )
    )
    over = part("over", lambda p: tuple(p.names))
    allowance = part("allowance", lambda p: p.exprs[0])
    cost = part("cost", lambda p: p.exprs[0])
    on_entry = part("on_entry", lambda p: p.body)
    stranded = part("stranded", lambda p: p.body)

    def may_enter(self, children: Children) -> SyntaxPart:
        return _movement_guard("may", children)

    def must_stop(self, children: Children) -> SyntaxPart:
        return _movement_guard("stop", children)

    def may_end(self, children: Children) -> SyntaxPart:
        return _movement_guard("end", children)

    def movement(self, children: Children) -> t.MovementDecl:
        p = SortedChildren(children)
        guards: dict[str, list[t.Guard]] = {"may": [], "stop": [], "end": []}
        seen: dict[str, Span] = {}
        for child in children:
            if type(child) is not SyntaxPart:
                continue
            if child.name in guards:
                guards[child.name].append(child.value)
            elif child.name in _ONCE:
                if child.name in seen:
                    raise SyntaxFault(
                        Diagnostic(
                            "RK221",
                            f"movement '{p.names[0]}' has two '{_ONCE[child.name]}'",
                            child.span,
                            "remove one of them",
                            second=seen[child.name],
                            second_label="first here",
                        )
                    )
                seen[child.name] = child.span
        border, border_var, from_var, to_var = p.get("over", ("", "", "", ""))
        return t.MovementDecl(
            p.names[0],
            p.get("params", ()),
            p.get("ctx"),
            border,
            border_var,
            from_var,
            to_var,
            p.get("allowance"),
            p.get("cost"),
            tuple(guards["may"]),
            tuple(guards["stop"]),
            tuple(guards["end"]),
            p.get("on_entry", ()),
            p.get("stranded", ()),
            p.ref,
            span=span_of(children),
        )


def _movement_guard(name: str, children: Children) -> SyntaxPart:
    p = SortedChildren(children)
    span = span_of(children)
    return SyntaxPart(name, t.Guard(p.exprs[0], p.text, p.ref, span=span), span)


class Statements(Common):
    """All statements."""

    field = node(
        lambda p, span: t.FieldStmt(p.names[0], p.nodes[0], p.get("value"), p.ref, span=span)
    )
    var = node(
        lambda p, span: t.VarStmt(p.names[0], p.get("type"), p.get("value"), p.ref, span=span)
    )
    let = node(lambda p, span: t.LetStmt(p.names[0], p.get("value"), p.ref, span=span))
    let_open = node(lambda p, span: t.OpenStmt(p.exprs[0], p.names[0], p.ref, span=span))
    open = node(lambda p, span: t.OpenStmt(p.exprs[0], None, p.ref, p.get("when"), span=span))
    assign = node(
        lambda p, span: t.AssignStmt(
            p.exprs[0], p.words[0], p.exprs[1], p.get("when"), p.ref, span=span
        )
    )
    call = node(lambda p, span: t.CallStmt(p.exprs[0], p.get("when"), p.ref, span=span))
    elif_ = part("elif", lambda p: (p.exprs[0], p.body, p.ref))
    else_ = part("else", lambda p: (p.body, p.ref))
    each_by = part("by", lambda p: tuple(p.exprs))
    ties = part("ties", lambda p: p.exprs[0])
    each = node(
        lambda p, span: t.EachStmt(
            p.names[0],
            p.exprs[0],
            p.get("by", ()),
            p.get("ties"),
            "live" in p.words,
            p.body,
            p.ref,
            span=span,
        )
    )
    together = node(lambda p, span: t.TogetherStmt(p.nodes[0], span=span))
    repeat_until = node(
        lambda p, span: t.RepeatStmt("until", p.exprs[0], p.exprs[1], p.body, p.ref, span=span)
    )
    repeat_most = node(
        lambda p, span: t.RepeatStmt("most", None, p.exprs[0], p.body, p.ref, span=span)
    )
    repeat_times = node(
        lambda p, span: t.RepeatStmt("times", None, p.exprs[0], p.body, p.ref, span=span)
    )
    from_menu = part("menu", lambda p: p.names[0])
    choose = node(
        lambda p, span: t.ChooseStmt(
            p.exprs[0], p.get("menu"), p.text, tuple(p.nodes), p.ref, span=span
        )
    )
    alike = part("alike", lambda p: tuple(p.exprs))
    or_none = part("or_none", lambda p: True)

    def keeps(self, children: Children) -> SyntaxPart:
        return _movement_guard("keeps", children)

    at_least = part("low", lambda p: p.exprs[0])
    at_most = part("high", lambda p: p.exprs[0])
    pick = node(
        lambda p, span: t.PickStmt(
            p.names[0],
            p.exprs[0],
            p.exprs[1],
            p.get("alike", ()),
            p.text,
            p.get("or_none", False),
            p.ref,
            span=span,
        )
    )
    pick_group = node(
        lambda p, span: t.PickGroupStmt(
            p.names[0],
            p.exprs[0],
            p.exprs[1],
            p.get("alike", ()),
            p.text,
            p.get("low"),
            p.get("high"),
            p.get("or_none", False),
            p.ref,
            p.get("keeps"),
            span=span,
        )
    )
    draw = node(
        lambda p, span: t.DrawStmt(
            p.exprs[0], p.exprs[1], p.exprs[2], p.ref, p.get("when"), span=span
        )
    )
    put = node(lambda p, span: t.PutStmt(p.exprs[0], p.exprs[1], p.ref, p.get("when"), span=span))
    gather = node(
        lambda p, span: t.GatherStmt(p.exprs[0], p.exprs[1], p.ref, p.get("when"), span=span)
    )
    answer = node(lambda p, span: t.AnswerStmt(p.exprs[0], p.get("when"), p.ref, span=span))
    leave = node(lambda p, span: t.LeaveStmt(p.get("when"), p.ref, span=span))
    return_ = node(lambda p, span: t.ReturnStmt(p.get("when"), p.ref, span=span))
    finish = node(
        lambda p, span: t.FinishStmt(p.exprs[0], p.names[0], p.get("when"), p.ref, span=span)
    )

    def if_(self, children: Children) -> t.IfSyntax:
        p = SortedChildren(children)
        arms = [(p.exprs[0], p.body)]
        ref = p.ref
        other: t.Block = ()
        for child in children:
            if type(child) is SyntaxPart and child.name == "elif":
                cond, body, more = child.value
                arms.append((cond, body))
                ref += more
            elif type(child) is SyntaxPart and child.name == "else":
                other, more = child.value
                ref += more
        return t.IfSyntax(tuple(arms), other, ref, span=span_of(children))

    def roll(self, children: Children) -> t.RollStmt:
        p = SortedChildren(children)
        dice, _, faces = next(
            x.value for x in children if getattr(x, "type", "") == "DICE"
        ).partition("d")
        return t.RollStmt(
            p.names[0],
            int(dice or 1),
            int(faces),
            p.exprs[0],
            p.names[1],
            p.ref,
            p.get("when"),
            span=span_of(children),
        )

    def walk(self, children: Children) -> t.WalkStmt:
        p = SortedChildren(children)
        *args, start, who = p.exprs
        return t.WalkStmt(
            p.names[0], tuple(args), start, who, p.ref, p.get("when"), span=span_of(children)
        )


class Builder(ExpressionRules, Things, DeclarationRules, Happenings, Procedures, Statements):
    """All rules of the grammar. Lark calls the method of each rule that it reduces."""

    def piece(self, children: Children) -> t.Decl:
        node: t.Decl = children[0]
        return node
