"""Warn of pieces that no scenario deploys and no rule brings into play.

For each piece that no scenario deploys, the analysis goes backwards from the rules that place
pieces. It follows parameters, loops and picks to the set or guard from which they come. A piece
that cannot be excluded counts as placed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_graph import bodies
from rulekit.compiler.check.lints.counter_ends import CounterEnds
from rulekit.compiler.check.lints.guards_around import Guards
from rulekit.compiler.check.lints.membership_facts import membership, opened
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.set_facts import lasting
from rulekit.compiler.check.lints.value_enumeration import NEVER, Outcomes
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import nodes, read, rebuilt, substitute

Origin = tuple[str, m.Node]  # the way in which a variable receives its value, and the source


def pieces(world: CheckState, uses: ReachableUses, outcomes: Outcomes, ends: CounterEnds) -> None:
    """Warn of each piece of the game itself that is never in play."""
    model = world.model
    places = {data.kind: data.place_cell for data in world.source.kinds if data.place_cell}
    spans = {
        (data.kind, member.id): member.span
        for data in world.source.kinds
        for member in data.members
    }
    for name, attribute in places.items():
        kind = model.kinds.get(name)
        cell = kind.cells.get(attribute or "") if kind is not None else None
        if (
            kind is None
            or cell is None
            or cell.initial != -1
            or not (isinstance(cell.type, m.MemberOf) and cell.type.optional)
        ):
            continue
        begun = {
            keys[0]
            for scenario in model.scenarios.values()
            for other, keys, _ in scenario.cells
            if other.owner is kind
        }
        waiting = [piece for piece in range(kind.size) if piece not in begun]
        tracing = _Tracing(world, cell, uses, outcomes, ends) if waiting else None
        for piece in waiting:
            if tracing is not None and not tracing.may_be_placed(piece):
                world.sink.warn(
                    "RK710",
                    spans.get((name, kind.members[piece]), kind.span),
                    f"'{kind.members[piece]}' is never in play: no scenario deploys it, and no rule"
                    " brings it in",
                    "deploy it in a scenario, or remove it",
                )


@define(eq=False)
class _Tracing:
    """The origins of the pieces that rules place.

    Attributes:
        cell: the state that holds the place of a piece.
    """

    world: CheckState
    cell: m.Cell
    uses: ReachableUses
    outcomes: Outcomes
    ends: CounterEnds
    origins: dict[m.Var, list[Origin]] = field(factory=lambda: defaultdict(list))
    seen: set[m.Var] = field(factory=set)
    # what is known of counters and parameters where the piece is looked for
    here: tuple[m.Expr, ...] = ()
    # what must hold where the piece is looked for
    wanted: tuple[m.Expr, ...] = ()
    guards: Guards = field(init=False)
    calls: dict[int, dict[m.Var, m.Expr]] = field(factory=dict)  # by the id of an argument

    def __attrs_post_init__(self) -> None:
        self.guards = Guards.of(self.world)
        self._options()
        for node in nodes(
            *bodies(self.world).values(), *(event.body for event in self.world.model.events)
        ):
            self._node(node)
        for rule in self.world.model.whenevers:
            self.origins[rule.var].append(("in", rule.source))
            self.origins[rule.proc.params[0]].append(("in", rule.source))

    def _options(self) -> None:
        for option in self.world.model.options:
            for var in option.params:
                self.origins[var].append(("option", option))
            for clause in option.clauses:
                if isinstance(clause, m.With):
                    self.origins[clause.var].append(("is", clause.value))

    def _node(self, node: m.Node) -> None:
        if isinstance(node, m.SetVar):
            self.origins[node.var].append(("is", node.value))
        elif isinstance(node, m.Pick):
            self.origins[node.var].append(
                ("in", node.source) if node.source is not None else ("any", node)
            )
        elif isinstance(node, (m.PickGroup, m.Each, m.Together)):
            source = node.source
            self.origins[node.var] += (
                [("in" if not isinstance(node, m.PickGroup) else "is", source)]
                if source is not None
                else []
            )
            self.origins[node.var] += (
                [("is", item) for item in node.items or ()] if isinstance(node, m.Each) else []
            )
        elif isinstance(node, m.CallProc):
            self._given(node.proc.params, node.args)
        elif isinstance(node, m.CallEvent):
            self._given(node.event.params, node.args)
        elif isinstance(node, m.Walk):
            self._given(node.movement.proc.params, node.args)

    def _given(self, params: list[m.Var], args: list[m.Expr]) -> None:
        for param, arg in zip(params, args, strict=True):
            self.origins[param].append(("is", arg))
            self.calls[id(arg)] = dict(zip(params, args, strict=True))

    # ------------------------------------------------------------------------------------ questions
    def may_be_placed(self, piece: int) -> bool:
        """Return True if some rule may place this piece."""
        for node in self.uses.nodes:
            if (
                isinstance(node, m.SetCell)
                and node.cell is self.cell
                and not (isinstance(node.value, m.Const) and node.value.value == -1)
            ):
                somewhere = m.Not(m.IsNone(node.value, type=m.Bool()), type=m.Bool())
                self.wanted = (*self.guards.at(node), somewhere)
                if self.may_be_here(node.keys[0], piece):
                    return True
        return False

    def may_be(self, e: m.Expr, piece: int) -> bool:
        """Return True if the expression can be the piece, or contain it, while the piece is
        nowhere.
        """
        if isinstance(e, m.Const):
            return (
                bool(e.value >> piece & 1)
                if isinstance(e.type, m.SetOf)
                else bool(e.value == piece)
            )
        if isinstance(e, m.Read):
            return self.may_var(e.var, piece)
        if isinstance(e, m.Filter):
            return self.may_be(e.source, piece) and self.may_hold([e.cond], e.var, piece)
        if isinstance(e, (m.The, m.FirstBy)):
            return self.may_be(e.source, piece)
        if isinstance(e, m.SetOp):
            return self.may_be(e.left, piece) or (e.op == "+" and self.may_be(e.right, piece))
        if isinstance(e, m.MakeSet):
            return any(self.may_be(item, piece) for item in e.items)
        if isinstance(e, m.If):
            return self.may_be(e.then, piece) or self.may_be(e.other, piece)
        if isinstance(e, m.OrElse):
            return self.may_be(e.value, piece) or self.may_be(e.other, piece)
        if isinstance(e, m.CallDefine) and (body := opened(e)) is not None:
            return self.may_be(body, piece)
        return True

    def may_be_here(self, e: m.Expr, piece: int) -> bool:
        """Return the same for an expression in a step that runs only where `wanted` holds."""
        known = self.here
        if isinstance(e, m.Read):
            if not all(self.may_hold([cond], e.var, piece) for cond in self.wanted):
                return False
            member = m.Const(piece, type=e.var.type)
            made = (substitute(cond, {e.var: member}) for cond in self.wanted)
            self.here = (*known, *filter(self._stays, made))
        try:
            possible = self.outcomes.of(m.And([*self.here], type=m.Bool())) if self.here else None
            return possible != NEVER and self.may_be(e, piece)
        finally:
            self.here = known

    def _stays(self, fact: m.Expr) -> bool:
        """Return True if a fact is about constants and parameters that no step changes."""
        return lasting(fact) and all(self.guards.stays(var) for var in read(fact))

    def may_var(self, var: m.Var, piece: int) -> bool:
        """Return the same for a variable."""
        if var in self.seen:
            return False
        self.seen.add(var)
        origins = self.origins.get(var)
        found = not origins or any(self.may_come(how, node, var, piece) for how, node in origins)
        self.seen.discard(var)  # another way to it may know less
        return found

    def may_come(self, how: str, node: m.Node, var: m.Var, piece: int) -> bool:
        here, wanted = self.here, self.wanted
        args = self.calls.get(id(node))
        if args is not None:
            self.wanted = (*self._passed(args), *self.guards.at(node))
            self.here = tuple(fact for fact in here if not read(fact))
        elif how == "is":
            self.wanted = (*filter(self._stays, wanted), *self.guards.at(node))
        around = filter(self._stays, self.guards.at(node)) if how == "in" else ()
        self.here = (*self.here, *self.ends.at(node), *around)
        try:
            return self._may_come(how, node, var, piece)
        finally:
            self.here, self.wanted = here, wanted

    def _passed(self, args: dict[m.Var, m.Expr]) -> Iterator[m.Expr]:
        """Yield what must hold of the arguments of a call, so that the wanted facts about its
        parameters hold.
        """
        for fact in (*self.wanted, *self.here):
            if self._stays(fact) and set(read(fact)) <= {*args}:
                made = substitute(fact, args)
                if lasting(made):
                    yield made

    def _may_come(self, how: str, node: m.Node, var: m.Var, piece: int) -> bool:
        if how == "option":
            assert isinstance(node, m.GuardedOption)
            domain = node.domains[node.params.index(var)]
            conds = [clause.cond for clause in node.clauses if isinstance(clause, m.Guarded)]
            return (domain is None or self.may_be(domain, piece)) and self.may_hold(
                conds, var, piece
            )
        if not isinstance(node, m.Expr):
            return True
        return self.may_be_here(node, piece) if how == "is" else self.may_be(node, piece)

    def may_hold(self, conds: list[m.Expr], var: m.Var, piece: int) -> bool:
        """Return True if all conditions can hold for the piece while it is nowhere."""
        member = m.Const(piece, type=var.type)
        here: list[m.Expr] = []
        for cond in _split(conds):
            here.append(self.nowhere(substitute(cond, {var: member}), piece))
            found = self.outcomes.of(here[-1], [*self.here, *here[:-1]])
            if found is not None and 1 not in found:
                return False
        return True

    def nowhere(self, e: m.Expr, piece: int) -> m.Expr:
        """Return the expression for a state in which the piece is nowhere."""
        if isinstance(e, m.CallDefine) and (body := opened(e)) is not None:
            return self.nowhere(body, piece)
        if (
            isinstance(e, m.In)
            and isinstance(e.item, m.Const)
            and (inside := membership(e)) is not None
        ):
            return self.nowhere(inside, piece)
        if (
            isinstance(e, m.ReadCell)
            and e.cell is self.cell
            and isinstance(e.keys[0], m.Const)
            and e.keys[0].value == piece
        ):
            return m.Const(-1, type=e.cell.type)
        return rebuilt(e, lambda part: self.nowhere(part, piece))


def _split(conds: list[m.Expr]) -> Iterator[m.Expr]:
    for cond in conds:
        if isinstance(cond, m.And):
            yield from _split(cond.items)
        else:
            yield cond
