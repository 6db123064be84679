"""Takes pieces of emitted Python, makes `Unit`, into which all lowering writes constant tables and functions, and `X`, a piece of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from rulekit import model as m
from rulekit.base.span import NOWHERE, Span
from rulekit.check.lints.secrets import Secrets
from rulekit.compile.analysis import Analysis
from rulekit.compile.late import Late
from rulekit.compile.layout import Layout


@frozen
class X:
    """A Python expression. `const`: its value if known. `atom`: needs no parentheses. `truthy`: good for a test only."""

    text: str
    const: Any = None
    atom: bool = False
    truthy: bool = False

    @property
    def p(self) -> str:
        """With parentheses where needed."""
        return self.text if self.atom else f"({self.text})"


def const(value: Any) -> X:
    value = int(value) if isinstance(value, bool) else value
    if isinstance(value, int):
        text = hex(value) if value > 0xFFFF else str(value)
        return X(text, value, value >= 0)
    return X(repr(value), value, True)


def name(text: str) -> X:
    return X(text, atom=True)


def part_of(keys: Sequence[m.Key], values: Sequence[Any], known: Mapping[int, int]) -> list[Any]:
    """The values with some keys held fast."""
    places = [0]
    for i, key in enumerate(keys):
        steps = [known[i]] if i in known else range(key.size)
        places = [p * key.size + step for p in places for step in steps]
    return [values[p] if 0 <= p < len(values) else 0 for p in places]


@define(eq=False)
class Function:
    """An emitted function without effects: the same in all variants."""

    name: str
    params: list[str]
    body: list[str]
    span: Span = NOWHERE


@define(eq=False)
class Unit:
    model: m.Model
    an: Analysis
    lay: Layout
    trace: bool = False
    secrets: Secrets = field(factory=Secrets)
    tables: dict[Any, str] = field(factory=dict)
    chosen: dict[Late, str] = field(factory=dict)  # constants that are set when a scenario and rulings are chosen
    inlined: dict[int, tuple[m.Expr, m.Expr | None]] = field(factory=dict)  # call -> what is put in its place
    opened: dict[int, tuple[m.Expr, m.Expr, list[m.Expr]]] = field(factory=dict)  # filter -> the source and all conditions on it
    steps: dict[m.Movement, Any] = field(factory=dict)  # what `lookahead` found out about a movement
    functions: list[Function] = field(factory=list)
    by_text: dict[tuple[tuple[str, ...], tuple[str, ...]], str] = field(factory=dict)
    wanted: dict[tuple[str, int], Any] = field(factory=dict)  # functions of declarations that are called: (letter, index) -> declaration
    guarded: set[tuple[str, int]] = field(factory=set)  # those that may be called with a hole
    exposed: set[m.Var] = field(factory=set)  # frame variables that functions without effects read
    indices: dict[int, int] = field(factory=dict)
    promises: list[str] = field(factory=list)  # what is held to a range
    ticking: bool = False  # are rounds of loops counted?
    open_moments: dict[int, str] = field(factory=dict)  # moment -> the slot that says that it is open
    known: Analysis = field()  # what is known beforehand in all variants

    @known.default
    def _own(self) -> Analysis:
        return self.an

    def __attrs_post_init__(self) -> None:
        mo = self.model
        for group in (mo.defines, mo.totals, mo.permits, mo.tables, mo.slots, mo.cells, mo.events, self.lay.procs, mo.movements,
                      mo.whenevers, mo.invariants, mo.fixed, list(mo.kinds.values())):
            for i, item in enumerate(group):
                self.indices[id(item)] = i

    def index(self, item: object) -> int:
        """The index of a declaration in its list of the model."""
        return self.indices[id(item)]

    def pick(self, value: Late) -> X:
        """A late value: a constant, or the name of one."""
        if value.const:
            return const(value.values[0])
        if value not in self.chosen:
            self.chosen[value] = f"K{len(self.chosen)}"
        return name(self.chosen[value])

    def table(self, values: Sequence[Any] | Late) -> str:
        """The name of a constant tuple."""
        if isinstance(values, Late):
            if not values.const:
                return self.pick(values.map(tuple)).text
            key = tuple(values.values[0])
        else:
            key = tuple(values)
        if key not in self.tables:
            self.tables[key] = f"C{len(self.tables)}"
        return self.tables[key]

    def helper(self, params: Sequence[str], body: Sequence[str], span: Span = NOWHERE) -> str:
        """The name of a function with this text."""
        key = (tuple(params), tuple(body))
        if key not in self.by_text:
            self.by_text[key] = f"F{len(self.by_text)}"
            self.functions.append(Function(self.by_text[key], list(params), list(body), span))
        return self.by_text[key]

    def want(self, letter: str, item: object, guarded: bool = False) -> str:
        """The name of the function of a declaration."""
        key = (letter, self.index(item))
        self.wanted.setdefault(key, item)
        if guarded:
            self.guarded.add(key)
        return f"{letter}{key[1]}"

    def promise(self, what: str) -> int:
        """The number of what is held to a range, for the error that names it."""
        if what not in self.promises:
            self.promises.append(what)
        return self.promises.index(what)

    def open_flag(self, moment: int) -> str:
        """The slot that says that a moment is open."""
        if moment not in self.open_moments:
            self.open_moments[moment] = str(self.lay.note(self.lay.take(0), "flag"))
        return self.open_moments[moment]

    def var(self, var: m.Var) -> str:
        """A frame variable, as a token that is replaced when all is lowered: a slot, or a local."""
        return f"§{self.lay.vars[var]}§"
