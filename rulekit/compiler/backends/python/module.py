"""The head of an emitted Python module (constants) and its foot (tables and the interface)."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.compiler import model as m
from rulekit.compiler.backends.function_names import function_name, text_of
from rulekit.compiler.backends.python.printer import Printer
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from rulekit.compiler.lowering.artifacts import Build

_MAX_DECIMAL = 0xFFFFFF  # greater numbers in tables are masks, and written in hexadecimal
_HEAD = """\
B = (*(1 << i for i in range({widest})), 0)
LARGEST = 1 << 62


def in_range(value, low, high, cell):
    if (value < low or value > high) and value != {none}:
        raise RulesError(f"{{PROGRAM.cells[cell].name}} would be {{value}}, \
outside of {{low}} .. {{high}}")
    return value


def held(value, low, high, promise):
    if (value < low or value > high) and value != {none}:
        raise RulesError(f"{{PROGRAM.promises[promise]}} would be {{value}}, \
outside of {{low}} .. {{high}}")
    return value


def small(value):
    if not -LARGEST < value < LARGEST:
        raise RulesError("a number grows beyond what a number can be")
    return value


TICKS = [PROGRAM.max_steps]


def tick():
    TICKS[0] -= 1
    if TICKS[0] < 0:
        raise RulesError("too many steps without a decision")


def broken(i):
    raise RulesError(f"the invariant {{PROGRAM.invariants[i].name}} does not hold")

"""

_RECORDS_COUNTED = (
    "most = len(L) + PROGRAM.max_steps\n    ",
    "        if len(L) > most:\n            break\n",
)
_FOOT = """

def blank(seed=0, script=0):
    s = INITIAL[:]
    s[1] = None
    s[2] = seed
    s[4] = script
    return s


def go(s, b{more}):
    {most}for _ in STEPS:
        b = BLOCKS[b](s{more})
        if not b:
            return
{enough}    raise RulesError("too many steps without a decision", place_of(BLOCKS[b]))


def begin(s{more}):
    {reset}try:
        go(s, {begin}{more})
    except Over:
        pass


def apply(s, o{more}):
    {reset}try:
        b = RESUME[s[0]](s{more}, o)
        if b:
            go(s, b{more})
    except Over:
        pass


def layers(s):
    found = s[1]
    if found is None:
        d = s[0]
        found = s[1] = OPTIONS[d](s) if d > 0 else []
    return found


def who(s):
    d = s[0]
    return s[ASKED[d]] if d > 0 else -1


def _start(s, proc, args, back{more}):
    entry, returns, slots, plain = PROCS[proc]
    if not entry:
        plain(s{more}, *args)
        return back
    for slot, value in zip(slots, args):
        {trail}s[slot] = value
    {trail_returns}s[returns] = back
    return entry


def run(s, proc, args{more}):
    {reset}s[1] = None
    try:
        go(s, _start(s, proc, args, {bare}{more}){more})
    except Over:
        pass


def enter(s, proc, args{more}):
    chain = PROGRAM.procs[proc].chain
    if chain is None:
        raise RulesError("nobody calls this procedure, or several do")
    {reset}s[1] = None
    for slot, value in zip(PROCS[proc][2], args):
        s[slot] = value
    inner = proc
    back = {over}
    for _, block in chain:
        if block in SEATS:
            BLOCKS[SEATS[block]](s{more})
    for caller, block in chain:
        returns = PROCS[inner][1]
        if inner == proc:
            back = block
        else:
            s[returns] = block
        inner = caller
    if inner != proc:
        s[PROCS[inner][1]] = {over}
    try:
        go(s, _start(s, proc, args, back{more}){more})
    except Over:
        pass


def invariants(s):
    out = []
{invariants}
    return out


def total(s, i, args):
    return TOTALS[i](s, *args)


def permit(s, i, args):
    return int(bool(PERMITS[i](s, *args)))


def define(s, i, args):
    return DEFINES[i](s, *args)


{explaining}

{priced}

def seen(s, cell, keys):
    f = SEEN.get(cell)
    return -1 if f is None else f(s, *keys)


def identity(s, kind, member):
    f = IDENTITY.get(kind)
    return -1 if f is None else f(s, member)
"""

_TRACED = """\
def explain(s, what, i, args):
    return EXPLAIN[what][i](s, *args)


def why(s, family, args):
    f = WHY.get(family)
    return (len(PROGRAM.families[family].clauses), ()) if f is None else f(s, who(s), *args)
"""

_PRICED = """\
def cost(s, family, args):
    f = COST.get(family)
    return () if f is None else f(s, who(s), *args)


def purses(s, family):
    f = PURSES.get(family)
    return () if f is None else f(s, who(s))
"""

_ASKED = [line for line in _TRACED.splitlines() if line.startswith("def ")]
_ASKS_TRACED = "\n\n".join(
    f'{line}\n    return PROGRAM.code("traced").{line[4:-1]}\n' for line in _ASKED
)


def prologue(build: Build) -> list[str]:
    """Return the lines with constant tables and small functions."""
    widest = max([k.size for k in build.model.kinds.values()] + [64])
    lines = _HEAD.format(widest=widest, none=m.NO_LIMIT).split("\n")
    for values, name in build.unit.tables.items():
        lines.append(f"{name} = {_tuple(values)}")
    if build.unit.trace:  # what the other variants choose is chosen already
        for late, name in build.unit.chosen.items():
            if late not in build.unit.given:
                lines.append(
                    f"{name} = chosen(PROGRAM.chosen, {_tuple(late.axes)}, {_tuple(late.values)})"
                )
    lines.append("")
    for s in build.model.slots:
        table = FunctionName(FunctionKind.SLOT, build.unit.index(s))
        if table in build.unit.requested:
            members = [text_of(table._replace(member=i)) for i in range(s.kind.size)]
            calls = "".join(f"lambda *a: {member}(*a), " for member in members)
            lines.append(f"{text_of(table)} = ({calls})")
    return lines


def _tuple(values: object) -> str:
    if isinstance(values, tuple):
        return "(" + ", ".join(_tuple(v) for v in values) + ("," if len(values) == 1 else "") + ")"
    return hex(values) if isinstance(values, int) and values > _MAX_DECIMAL else repr(values)


def _tables_of_functions(build: Build) -> list[str]:
    """Return the tables in which the interface looks up functions by the index of a declaration or
    a family.
    """
    unit, model = build.unit, build.model
    lines = []
    for title, kind, group in (
        ("TOTALS", FunctionKind.TOTAL, model.totals),
        ("PERMITS", FunctionKind.PERMIT, model.permits),
        ("DEFINES", FunctionKind.DEFINITION, model.defines),
    ):
        names = [FunctionName(kind, i) for i in range(len(group))]
        functions = [text_of(name) if name in unit.requested else "None" for name in names]
        lines.append(f"{title} = ({''.join(f + ', ' for f in functions)})")
    cells = [i for i, cell in enumerate(model.cells) if cell.seen]
    kinds = [i for i, kind in enumerate(model.kinds.values()) if kind.identity]
    lines.append(_by_index("SEEN", FunctionKind.CELL_OBSERVERS, cells))
    lines.append(_by_index("IDENTITY", FunctionKind.IDENTITY_OBSERVERS, kinds))
    known = {f.name for f in unit.functions}
    asked = [("COST", FunctionKind.COST), ("PURSES", FunctionKind.PURSES)]
    if unit.trace:
        asked.append(("WHY", FunctionKind.REFUSAL))
    for title, kind in asked:
        families = range(len(build.flow.families))
        there = [i for i in families if FunctionName(kind, i) in known]
        lines.append(_by_index(title, kind, there))
    if unit.trace:
        totals, permits = (
            "".join(f"{function_name(kind, i)}, " for i in range(len(group)))
            for kind, group in (
                (FunctionKind.TOTAL_TRACE, model.totals),
                (FunctionKind.PERMIT_TRACE, model.permits),
            )
        )
        lines.append(f"EXPLAIN = {{'total': ({totals}), 'permit': ({permits})}}")
    return lines


def _by_index(title: str, kind: FunctionKind, indices: Iterable[int]) -> str:
    """Return the line with a dictionary of functions of a kind."""
    return f"{title} = {{{', '.join(f'{i}: {function_name(kind, i)}' for i in indices)}}}"


def epilogue(build: Build, printer: Printer, needed: Iterable[int]) -> list[str]:
    """Return the tables of functions and the interface.

    Args:
        needed: the numbers of the blocks that are routines.
    """
    unit, flow = build.unit, build.flow
    more = ", L, T" if printer.full else ""
    blocks = {n: function_name(FunctionKind.BLOCK, n) for n in sorted(needed)}
    top = max(blocks, default=0)
    resumptions = [function_name(FunctionKind.RESUMPTION, d.number) for d in flow.decisions]
    options = [function_name(FunctionKind.OPTIONS, d.number) for d in flow.decisions]
    lines = [
        f"BLOCKS = ({', '.join(blocks.get(n, 'None') for n in range(top + 1))},)",
        f"RESUME = (None, {' '.join(f'{name},' for name in resumptions)})",
        f"OPTIONS = (None, {' '.join(f'{name},' for name in options)})",
        f"ASKED = (0, {' '.join(f'{d.asked.base},' for d in flow.decisions)})",
        "STEPS = range(PROGRAM.max_steps)",
    ]
    lines.append(
        "SEATS = {" + ", ".join(f"{back}: {seat}" for back, seat in flow.seats.items()) + "}"
    )
    procs = []
    for p in unit.lay.procs:
        frame = unit.lay.frames[p]
        if p in flow.entries:
            slots = "".join(f"{unit.lay.vars[v]}, " for v in p.params)
            procs.append(f"({flow.entries[p].number}, {frame.returns}, ({slots}), None)")
        else:
            name = FunctionName(FunctionKind.PROCEDURE, unit.index(p))
            function = text_of(name) if name in unit.requested else None
            procs.append(f"(0, -1, (), {function})")
    lines.append(f"PROCS = ({', '.join(procs)},)")
    lines += _tables_of_functions(build)
    reset = "TICKS[0] = PROGRAM.max_steps\n    " if unit.ticking else ""
    most, enough = _RECORDS_COUNTED if printer.full else ("", "")
    text = _FOOT.format(
        more=more,
        reset=reset,
        most=most,
        enough=enough,
        **{key: block.number for key, block in build.specials.items()},
        trail="T += (slot, s[slot]); " if printer.full else "",
        trail_returns="T += (returns, s[returns]); " if printer.full else "",
        explaining=_TRACED if unit.trace else _ASKS_TRACED,
        priced=_PRICED,
        invariants="\n".join(
            f"    if not ({printer.text(cond)}): out.append({i})" for i, cond in build.invariants
        ),
    )
    return [*lines, *text.split("\n")]
