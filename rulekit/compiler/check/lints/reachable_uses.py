"""The declarations that play, data or frontends reach, and the state that is read and written
there.

Play begins with `main` and the setup. The declarations of a library count as used, because a
library offers more than one game needs. Some names occur where no rule can be followed, for example
in game.yaml, drawing.yaml, texts and initial values. They count as uses of all declarations with
that name.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from rulekit.common.i18n.message_format import names as gap_names
from rulekit.compiler import model as m
from rulekit.compiler.check.lints.suppressions import lines_of
from rulekit.compiler.check.resolve.collect import Collected, within
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import children, mentions, nodes
from rulekit.compiler.source.game_source import Datum
from rulekit.compiler.syntax import ast as t

VICTORY = "vp"  # the total of victory points, unless game.yaml names another one


@define(eq=False)
class ReachableUses:
    """The used declarations of a game.

    Attributes:
        own: the files of the game itself, without those of its libraries.
        named: names that occur outside of the rules that are followed.
        shown: those of them that occur in game.yaml and drawing.yaml.
        reached: declarations, by id.
        reads: cells that are read.
        writes: cells that are written.
    """

    own: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    shown: frozenset[str] = frozenset()
    reached: set[int] = field(factory=set)
    reads: set[m.Cell] = field(factory=set)
    writes: set[m.Cell] = field(factory=set)
    filled: set[m.Cell] = field(factory=set)  # pools that `put`, `draw` or `gather` fills
    # ids of reads that only compute the next value of the same state
    idle: set[int] = field(factory=set)
    # all reached nodes, in the order of the traversal
    nodes: list[m.Node] = field(factory=list)

    def has(self, declaration: m.Node) -> bool:
        """Return True if this declaration is used."""
        return id(declaration) in self.reached or getattr(declaration, "name", "") in self.named

    def is_own(self, declaration: m.Cited) -> bool:
        """Return True if the declaration is in the files of the game itself."""
        return declaration.span.file in self.own


def own_files(world: CheckState) -> frozenset[str]:
    """Return the files of the game itself: rules and data."""
    top = max((text.layer for text in world.source.rules), default=0)
    lent = {text.path for text in world.source.rules if text.layer < top}
    # The files of libraries come first, and each folder begins with its manifest.
    files = list(world.source.files)
    begin = max((at for at, path in enumerate(files) if path.endswith("game.yaml")), default=0)
    return frozenset(files[begin:]) - lent


def uses(world: CheckState, found: Collected) -> ReachableUses:
    """Return the used declarations of a game."""
    shown = frozenset(
        word for datum in (world.source.settings, world.source.drawing) for word in _words(datum)
    )
    made = ReachableUses(own_files(world), frozenset(_named(world, found)) | shown, shown)
    _follow(list(_roots(made, world)), made)
    # An unused declaration that the author allows may use others.
    meant = lines_of("RK701", world.source.files)
    for one in declared(world.model):
        if id(one) not in made.reached and (one.span.file, one.span.line) in meant:
            _follow([*children(one), *_beside(one)], made)
    _of_data(made, world)
    return made


# -------------------------------------------------------------------------------------------- roots
def declared(model: m.Model) -> Iterator[m.Declaration]:
    """Yield all declarations that have a body or a value."""
    yield from (
        *model.defines,
        *model.totals,
        *model.permits,
        *model.tables,
        *model.slots,
        *model.events,
        *model.procedures,
    )
    yield from (*model.movements, *model.cells, *model.fixed, *model.kinds.values())


def _roots(made: ReachableUses, world: CheckState) -> Iterator[m.Node]:
    model = world.model
    yield from (proc for proc in (model.main, model.setup) if proc is not None)
    for rule in model.whenevers:
        yield from (rule.source, rule.proc)
    yield from (rule for rule in model.invariants if rule.everywhere)
    yield from (seen for cell in model.cells for seen in cell.seen)
    yield from (seen for kind in model.kinds.values() for seen in kind.identity or ())
    for one in declared(model):
        if (not made.is_own(one) and one.span.file and not isinstance(one, m.Kind)) or getattr(
            one, "name", ""
        ) in made.named:
            yield one
    yield from (option for option in model.options if not made.is_own(option))


def _named(world: CheckState, found: Collected) -> Iterator[str]:
    """Yield the names in the gaps of texts, those in expressions that the check evaluates, and the
    total that frontends show by default.
    """
    if "victory_total" not in world.source.manifest:
        yield VICTORY
    for texts in world.source.texts.values():
        for text in texts.values():
            yield from (part for gap in gap_names(str(text.value)) for part in gap.split("."))
    for node in _evaluated_nodes(world, found):
        yield from (part for part in within(node) if isinstance(part, str))


def _words(datum: Datum | None) -> Iterator[str]:
    if datum is None:
        return
    if isinstance(datum.value, dict):
        for key, inner in datum.value.items():
            yield str(key)
            yield from _words(inner)
    elif isinstance(datum.value, list):
        for inner in datum.value:
            yield from _words(inner)
    elif isinstance(datum.value, str):
        yield datum.value


def _evaluated_nodes(world: CheckState, found: Collected) -> Iterator[object]:
    """Yield the expressions of which the model holds only the values."""
    items = [item for parts in found.kinds.values() for part, _ in parts for item in part.items]
    for item in [*items, *(symbol.decl for symbol in world.symbols.values())]:
        if isinstance(item, t.FixedDecl):
            yield item.value
        elif isinstance(item, t.StateDecl):
            yield item.initial
        elif isinstance(item, t.TableDecl):
            yield item.rows
        elif isinstance(item, t.RulesWhile):
            yield item.cond
    for parts in found.kinds.values():
        yield from (member.values for part, _ in parts for member in part.members)
    yield from (member.values for listed in found.members for member in listed.members)
    yield from (block.values for block in found.blocks)


# ----------------------------------------------------------------------- everything that is reached
def _follow(waiting: list[m.Node], made: ReachableUses) -> None:
    while waiting:
        some = waiting.pop()
        if isinstance(some, m.Declaration):
            if id(some) in made.reached:
                continue
            made.reached.add(id(some))
            waiting += _beside(some)
        for node in nodes(*children(some)) if isinstance(some, m.Declaration) else nodes(some):
            made.nodes.append(node)
            _state(node, made)
            if not isinstance(node, m.Running):
                waiting += [
                    each
                    for each in mentions(node)
                    if id(each) not in made.reached and not isinstance(each, m.Kind)
                ]


def _beside(some: m.Declaration) -> list[m.Node]:
    """Return the nodes that belong to a declaration but are not inside it."""
    if isinstance(some, m.EventDeclaration):
        return [some.wrapper] if some.wrapper is not None else []
    if isinstance(some, m.Movement):
        return [some.proc]
    if isinstance(some, m.Slot):
        return [block for block in some.blocks if block is not None]
    return []


def _state(node: m.Node, made: ReachableUses) -> None:
    """Record the state that a node reads and writes.

    A read does not count if it only computes the next value of the same state.
    """
    if isinstance(node, m.SetCell):
        made.writes.add(node.cell)
        own = [
            read
            for read in nodes(node.value)
            if isinstance(read, m.ReadCell) and read.cell is node.cell
        ]
        made.idle |= {id(read) for read in own}
    elif isinstance(node, m.ReadCell) and id(node) not in made.idle:
        made.reads.add(node.cell)
    if isinstance(node, (m.Draw, m.Gather, m.PutMember)):
        made.writes |= {
            each.cell for each in (node.target, getattr(node, "source", None)) if each is not None
        }
        made.filled.add(node.target.cell)
    elif isinstance(node, m.Pays) and isinstance(node.target, m.ReadCell):
        made.writes.add(node.target.cell)
    elif isinstance(node, m.Movement) and node.place_cell is not None:
        made.reads.add(node.place_cell)


def _of_data(made: ReachableUses, world: CheckState) -> None:
    """Record the state that scenarios set, and the state with the places of pieces."""
    model = world.model
    given = {cell for scenario in model.scenarios.values() for cell, _, _ in scenario.cells}
    made.writes |= given
    made.filled |= given
    for data in world.source.kinds:
        cell = (
            model.kinds[data.kind].cells.get(data.place_cell or "")
            if data.kind in model.kinds
            else None
        )
        if cell is not None:
            made.reads.add(cell)
    made.reads |= {cell for cell in model.cells if cell.name in made.named}
