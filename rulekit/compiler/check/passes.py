"""The passes of the check, in one ordered table with the inputs and outputs of each."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check import finish
from rulekit.compiler.check.data import binding
from rulekit.compiler.check.lints import (
    call_graph,
    cost_bounds,
    dead_conditions,
    dead_writes,
    early_reads,
    endless_loops,
    endless_whenevers,
    equivalent_choices,
    file_headers,
    idle_members,
    idle_pieces,
    idle_rows,
    idle_state,
    initial_value_reads,
    limit_scopes,
    shadowed_names,
    short_tracks,
    skipped_options,
    starting_positions,
    suppressions,
    unreachable_steps,
    unread_names,
    unusable_windows,
    unused_declarations,
    unused_drawing,
    values_out_of_range,
    wasted_costs,
)
from rulekit.compiler.check.lints import (
    reachable_uses as uses,
)
from rulekit.compiler.check.lints.counter_ends import CounterEnds
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.value_enumeration import Outcomes, Ranges, written_values
from rulekit.compiler.check.resolve import builtin_dice, citations
from rulekit.compiler.check.resolve.collect import Collected, collect, unused_units
from rulekit.compiler.check.resolve.scope import CheckState, Symbol
from rulekit.compiler.check.rules import bodies, entities, signatures, windows
from rulekit.compiler.check.rules.signatures import Places
from rulekit.compiler.check.rules.states import states
from rulekit.compiler.check.secrecy import secrecy_check
from rulekit.compiler.check.typecheck import optional_values, totals
from rulekit.compiler.syntax import ast as t


@define(eq=False)
class Checking:
    """The state of one check, which the passes share.

    Attributes:
        world: everything that is known about the game.
        uses: the declarations that play can reach.
        over: True if the check stops here.
        faulty: True if there were errors after all rules had been read.
    """

    files: list[tuple[t.File, int]]
    world: CheckState
    found: Collected = field(factory=Collected)
    places: Places = field(factory=Places)
    options: list[tuple[Symbol, m.GuardedOption]] = field(factory=list)
    uses: ReachableUses = field(factory=ReachableUses)
    shared: list[Outcomes] = field(factory=list)
    counted: list[CounterEnds] = field(factory=list)
    over: bool = False
    faulty: bool = False

    @property
    def ends(self) -> CounterEnds:
        """The bounds of counters. Computed once and shared by all passes."""
        if not self.counted:
            self.counted.append(CounterEnds(self.world, self.uses))
        return self.counted[0]

    @property
    def outcomes(self) -> Outcomes:
        """The possible values of expressions. Computed once and shared by all passes."""
        if not self.shared:
            ranges = Ranges()
            ranges.add(self.world.model, self.uses)
            ranges.written = written_values(self.found, self.world)
            ranges.counters = self.ends.everywhere
            self.shared.append(Outcomes(ranges))
        return self.shared[0]


@define(frozen=True)
class Pass:
    """One pass of the check.

    Attributes:
        takes: the facts about a game that the pass needs.
        gives: the facts that the pass adds.
        lint: True if the pass runs only for a game without errors.
        thorough: True if the pass runs only on request, not when a game is loaded for play.
    """

    name: str
    what: str
    takes: tuple[str, ...]
    gives: tuple[str, ...]
    run: Callable[[Checking], None]
    lint: bool = False
    thorough: bool = False


GIVEN = ("trees", "data")  # the parsed content of the folder


def _paragraphs(checking: Checking) -> None:
    checking.files = citations.renumbered(
        checking.files, checking.world.source, checking.world.sink
    )
    checking.world.model.cited = citations.cited(checking.files)


def _collect(checking: Checking) -> None:
    checking.found = collect(checking.files, checking.world)
    checking.over = checking.world.source.manifest.get("rulekit") == "library"


def _kinds(checking: Checking) -> None:
    entities.kinds(checking.found, checking.world)
    # Declarations that a library needs are missing, and its rules cannot be checked without them.
    checking.over = any(d.code == "RK310" for d in checking.world.sink.errors)


def _moments(checking: Checking) -> None:
    checking.places = signatures.moments(checking.found, checking.world)


def _values(checking: Checking) -> None:
    entities.fixed_data(
        checking.found, checking.world, entities.member_values(checking.found, checking.world)
    )


def _definitions(checking: Checking) -> None:
    for unsettled in list(checking.world.pending):
        checking.world.settle(unsettled)


def _options(checking: Checking) -> None:
    checking.options = windows.options(checking.places, checking.world)
    windows.guards(checking.options, checking.world)


def _totals(checking: Checking) -> None:
    parts = bodies.written_clauses(checking.found, checking.world) + bodies.cards(
        checking.found, checking.world
    )
    totals.build(checking.world, parts, checking.found.dropped)


def _bodies(checking: Checking) -> None:
    bodies.procedures(checking.world)
    windows.option_bodies(checking.options, checking.world)
    windows.whenevers(checking.found, checking.world)
    bodies.start(checking.found, checking.world)


def _texts(checking: Checking) -> None:
    checking.world.model.texts = binding.bind_texts(checking.world.source)


def _flow(checking: Checking) -> None:
    call_graph.analyse(checking.world)
    checking.faulty = bool(checking.world.sink.errors)


def _work(checking: Checking) -> None:
    cost_bounds.bounded(checking.world)
    if not checking.world.sink.errors:  # a single long value is reported only once
        cost_bounds.stretched(checking.world)


def _allowed(checking: Checking) -> None:
    suppressions.allowed(
        checking.world.source.files,
        uses.own_files(checking.world),
        not (checking.faulty or checking.world.sink.errors),
        checking.world.sink,
    )


def _uses(checking: Checking) -> None:
    checking.faulty = checking.faulty or bool(checking.world.sink.errors)
    if not checking.faulty:
        checking.uses = uses.uses(checking.world, checking.found)


PASSES = (
    Pass(
        "paragraphs",
        "citations of libraries in the game's own numbers",
        ("trees",),
        ("paragraphs",),
        _paragraphs,
    ),
    Pass(
        "collect",
        "one set of declarations from all layers",
        ("trees", "paragraphs"),
        ("symbols",),
        _collect,
    ),
    Pass(
        "dice",
        "the implicit declarations of rules that refer to dice",
        ("symbols",),
        ("dice",),
        lambda c: builtin_dice.predeclare(c.found, c.world),
    ),
    Pass("kinds", "kinds with their members", ("symbols", "dice", "data"), ("kinds",), _kinds),
    Pass(
        "frames",
        "a frame for each procedure that can be running, with the frames around it",
        ("symbols", "kinds"),
        ("frames",),
        lambda c: signatures.frames(c.found, c.world),
    ),
    Pass(
        "moments",
        "moments, groups of them, and the parameters of rules at each",
        ("symbols", "kinds", "frames"),
        ("moments",),
        _moments,
    ),
    Pass(
        "families",
        "state and fixed values by their keys",
        ("symbols", "kinds", "moments"),
        ("families",),
        lambda c: entities.attributes(c.found, c.world),
    ),
    Pass(
        "signatures",
        "parameters, types and contexts of all declarations",
        ("symbols", "kinds", "frames", "families", "data"),
        ("signatures",),
        lambda c: signatures.signatures(c.found, c.world),
    ),
    Pass(
        "cases",
        "the cases of definitions, to be typed when first needed",
        ("symbols", "kinds", "signatures"),
        ("cases",),
        lambda c: signatures.definitions(c.found, c.world),
    ),
    Pass(
        "values",
        "fixed values: next to members, from the data, computed",
        ("families", "signatures", "cases", "data"),
        ("values",),
        _values,
    ),
    Pass(
        "states",
        "initial values, lifetimes, and visibility",
        ("families", "frames", "cases", "values"),
        ("states",),
        lambda c: states(c.found, c.world),
    ),
    Pass(
        "definitions",
        "definitions with all cases typed",
        ("cases", "values"),
        ("definitions",),
        _definitions,
    ),
    Pass(
        "options",
        "options with parameters, guards and the places where they are offered",
        ("signatures", "moments", "definitions"),
        ("options",),
        _options,
    ),
    Pass(
        "totals",
        "the clauses of totals and permits, also those of cards, with their guards and steps",
        ("signatures", "values", "moments", "definitions"),
        ("totals",),
        _totals,
    ),
    Pass(
        "windows",
        "the bodies of moments, and of rules before and after events",
        ("moments", "signatures", "options"),
        ("windows",),
        lambda c: windows.assemble(c.found, c.places, c.world),
    ),
    Pass(
        "bodies",
        "the steps of all procedures",
        ("signatures", "options", "windows"),
        ("bodies",),
        _bodies,
    ),
    Pass(
        "invariants",
        "conditions that always hold",
        ("frames", "bodies"),
        ("invariants",),
        lambda c: windows.invariants(c.found, c.world),
    ),
    Pass(
        "applies",
        "the clauses that 'applies' refers to",
        ("totals", "bodies", "invariants"),
        ("model",),
        lambda c: totals.complete(c.world),
    ),
    Pass("texts", "the texts of each language", ("data",), ("texts",), _texts),
    Pass(
        "drawing",
        "the drawing, and so the values that all players see",
        ("model", "data"),
        ("drawn",),
        lambda c: finish.drawing(c.world),
    ),
    Pass(
        "manifest",
        "the names in game.yaml that seats use",
        ("model", "data"),
        (),
        lambda c: finish.manifest(c.world, call_graph.asked_in(c.world)),
    ),
    Pass(
        "flow",
        "the procedures that suspend, call, write and read; cycles",
        ("model",),
        ("flow",),
        _flow,
    ),
    Pass("work", "excessive work", ("model", "flow"), (), _work, lint=True),
    Pass(
        "leaks",
        "disclosures of secrets",
        ("model", "flow", "states", "texts", "drawn"),
        (),
        lambda c: secrecy_check.analyse(c.world),
        lint=True,
    ),
    Pass(
        "picks",
        "picks that may end play because they are empty",
        ("model", "flow"),
        (),
        lambda c: optional_values.picks(c.world),
        lint=True,
    ),
    Pass(
        "units",
        "units that nothing is counted in",
        ("trees",),
        (),
        lambda c: unused_units(c.files, c.world),
        lint=True,
    ),
    Pass(
        "scenarios",
        "scenarios in terms of the model",
        ("model", "values", "data"),
        ("scenarios",),
        lambda c: finish.scenarios(c.world),
    ),
    Pass(
        "menus",
        "menus that nobody offers",
        ("symbols", "bodies"),
        (),
        lambda c: finish.menus(c.world),
    ),
    Pass(
        "tables",
        "tables that no rule names",
        ("trees", "data"),
        (),
        lambda c: finish.tables(c.files, c.world),
        lint=True,
    ),
    Pass(
        "shown",
        "the names that frontends show next to the rules",
        ("model", "values", "data"),
        ("shown",),
        lambda c: finish.shown(c.world),
    ),
    Pass(
        "wanting",
        "missing texts of a language",
        ("model", "texts", "paragraphs", "scenarios"),
        (),
        lambda c: finish.wanting(c.found, c.world),
    ),
    Pass(
        "uses",
        "the parts that play, data and frontends reach",
        ("model", "texts", "drawn", "scenarios"),
        ("uses",),
        _uses,
        thorough=True,
    ),
    Pass(
        "headers",
        "files with the header of another game",
        ("trees",),
        (),
        lambda c: file_headers.headers(c.files, c.world),
        lint=True,
        thorough=True,
    ),
    Pass(
        "unused",
        "declarations that nothing uses",
        ("trees", "model", "uses"),
        (),
        lambda c: unused_declarations.unused(c.files, c.world, c.uses),
        lint=True,
        thorough=True,
    ),
    Pass(
        "unread",
        "names that nothing reads",
        ("trees", "model", "texts", "uses"),
        (),
        lambda c: unread_names.unread(c.files, c.world, c.found, c.uses),
        lint=True,
        thorough=True,
    ),
    Pass(
        "hiding",
        "names that hide others",
        ("model", "uses"),
        (),
        lambda c: shadowed_names.hiding(c.world, c.uses),
        lint=True,
        thorough=True,
    ),
    Pass(
        "idle",
        "state that nothing reads or changes",
        ("model", "uses"),
        (),
        lambda c: idle_state.idle(c.world, c.uses),
        lint=True,
        thorough=True,
    ),
    Pass(
        "steps",
        "steps that are never reached, and steps that change nothing",
        ("model", "uses"),
        (),
        lambda c: unreachable_steps.steps(c.world, c.uses),
        lint=True,
        thorough=True,
    ),
    Pass(
        "overwritten",
        "values that are overwritten before anything can read them",
        ("model", "uses"),
        (),
        lambda c: dead_writes.overwritten(c.world, c.uses),
        lint=True,
        thorough=True,
    ),
    Pass(
        "conditions",
        "conditions, cases, clauses and repeated writes that make no difference",
        ("model", "values", "uses"),
        (),
        lambda c: dead_conditions.conditions(c.world, c.uses, c.outcomes, c.ends),
        lint=True,
        thorough=True,
    ),
    Pass(
        "misfits",
        "values of fixed data that leave their range",
        ("model", "values", "scenarios", "uses"),
        (),
        lambda c: values_out_of_range.out_of_range(c.world, c.uses, c.outcomes),
        lint=True,
        thorough=True,
    ),
    Pass(
        "loops",
        "loops that nothing inside them can end",
        ("model", "uses"),
        (),
        lambda c: endless_loops.loops(c.world, c.uses),
        lint=True,
        thorough=True,
    ),
    Pass(
        "endless",
        "rules that trigger themselves without end",
        ("model", "uses"),
        (),
        lambda c: endless_whenevers.endless(c.world, c.uses, c.outcomes),
        lint=True,
        thorough=True,
    ),
    Pass(
        "early",
        "values that are read before they are written, and never after that",
        ("model", "uses"),
        (),
        lambda c: early_reads.early(c.world, c.uses),
        lint=True,
        thorough=True,
    ),
    Pass(
        "scopes",
        "limits that never bind",
        ("model", "uses"),
        (),
        lambda c: limit_scopes.scopes(c.world, c.uses, c.outcomes.ranges),
        lint=True,
        thorough=True,
    ),
    Pass(
        "first_values",
        "values that are always initial where they are read",
        ("model", "uses"),
        (),
        lambda c: initial_value_reads.first_values(c.world, c.uses),
        lint=True,
        thorough=True,
    ),
    Pass(
        "openings",
        "moments at which nobody can do anything",
        ("trees", "model", "uses"),
        (),
        lambda c: unusable_windows.openings(c.files, c.world, c.found, c.uses),
        lint=True,
        thorough=True,
    ),
    Pass(
        "offers",
        "options that nobody is ever offered",
        ("model", "uses"),
        (),
        lambda c: unusable_windows.offers(c.world, c.uses, c.outcomes),
        lint=True,
        thorough=True,
    ),
    Pass(
        "members",
        "members that have no part in the game",
        ("model", "uses"),
        (),
        lambda c: idle_members.members(c.world, c.found, c.uses),
        lint=True,
        thorough=True,
    ),
    Pass(
        "pieces",
        "pieces that are never in play",
        ("model", "scenarios", "uses"),
        (),
        lambda c: idle_pieces.pieces(c.world, c.uses, c.outcomes, c.ends),
        lint=True,
        thorough=True,
    ),
    Pass(
        "starts",
        "scenarios that begin beyond an end, or in which nobody plays",
        ("model", "data", "drawn", "scenarios", "uses"),
        (),
        lambda c: starting_positions.starts(c.world, c.uses, c.ends.changes),
        lint=True,
        thorough=True,
    ),
    Pass(
        "boxes",
        "tracks without a box for a value",
        ("model", "data", "drawn", "scenarios", "uses"),
        (),
        lambda c: short_tracks.boxes(c.world, c.uses),
        lint=True,
        thorough=True,
    ),
    Pass(
        "looks",
        "entries of the drawing that nobody sees",
        ("model", "values", "drawn", "uses"),
        (),
        lambda c: unused_drawing.looks(c.world, c.uses),
        lint=True,
        thorough=True,
    ),
    Pass(
        "rows",
        "rows of tables that are never looked up",
        ("model", "uses"),
        (),
        lambda c: idle_rows.rows(c.world, c.uses),
        lint=True,
        thorough=True,
    ),
    Pass(
        "choices",
        "choices that play like another choice",
        ("model", "data", "scenarios", "uses"),
        (),
        lambda c: equivalent_choices.choices(c.world, c.uses),
        lint=True,
        thorough=True,
    ),
    Pass(
        "prices",
        "options with a cost that may do nothing",
        ("model", "uses"),
        (),
        lambda c: wasted_costs.prices(c.world, c.uses, c.outcomes),
        lint=True,
        thorough=True,
    ),
    Pass(
        "skipped",
        "options with a cost and steps that may all be skipped",
        ("model", "uses"),
        (),
        lambda c: skipped_options.skipped(c.world, c.uses, c.outcomes),
        lint=True,
        thorough=True,
    ),
    Pass("allowed", "warnings that the author allows", ("trees",), (), _allowed, thorough=True),
)


def run(
    files: list[tuple[t.File, int]], world: CheckState, thorough: bool = False
) -> m.Model | None:
    """Run the passes over parsed rules, in order, and return the model.

    The result is None if there are errors or if the rules are a library.
    """
    checking = Checking(files, world)
    for each in PASSES:
        if not (each.lint and checking.faulty) and (thorough or not each.thorough):
            each.run(checking)
        if checking.over:
            return None
    return None if world.sink.errors else world.model
