"""Print functions and routines as the Python text of a variant, with the author's place of each
line.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, assert_never

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.common.node_fields import evolve
from rulekit.compiler.backends.function_names import text_of
from rulekit.compiler.backends.python.values import PythonValueWriter
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.visitor import ends, nodes, rebuilt

_FAILS = {
    "too_long": "too_long({})",
    "broken": "broken({})",
    "costs": 'raise RulesError("a step costs less than 0")',
    "unfinished": """raise RulesError("play ended without 'finish'")""",
}


class Printer(PythonValueWriter):
    """Prints functions.

    Attributes:
        full: True for a variant with log L and trail T.
        frames: the frame variables that are locals.
        dead: the frame variables that nobody reads.
        saved: for each procedure whose frame is saved, the name of its table.
    """

    def __init__(
        self,
        full: bool,
        frames: Collection[int],
        dead: Collection[int],
        saved: Mapping[int, str],
        traced: bool = False,
    ) -> None:
        super().__init__(frames, traced)
        self.full = full
        self.dead = dead
        self.saved = saved
        self.lines: list[str] = []
        self.places: list[str] = []
        self.depth = 0
        self.span = NOWHERE  # the author's place of what is printed
        self.whole: Span | None = None  # the place of all lines, else each its own
        self._group: tuple[int, int, list[str], str] = (
            -1,
            0,
            [],
            "",
        )  # first line of writes in a row, depth, slots, first write

    # -------------------------------------------------------------------------------- functions
    def function(self, function: c.Function) -> None:
        """Print a function or a routine."""
        function = _apart(function)
        plain = not isinstance(function, c.Routine)
        self.temps, self.span, self.whole = 0, function.span, function.span if plain else None
        params = ["s", *([] if plain else self._more()), *(p.name for p in function.params)]
        self.out(f"def {text_of(function.name)}({', '.join(params)}):")
        self.suite(function.body)
        self.lines.append("")
        self.places.append("")

    def _more(self) -> list[str]:
        return ["L", "T"] if self.full else []

    def out(self, text: str, span: Span | None = None) -> None:
        span = self.span if span is None else span
        self.lines.append("    " * self.depth + text)
        self.places.append(str(span) if span.line else "")

    # -------------------------------------------------------------------------------- statements
    def suite(self, body: c.Code, *first: str) -> None:
        """Print an indented block that begins with the lines `first`."""
        self.depth += 1
        before = len(self.lines)
        for line in first:
            self.out(line)
        self.code(body)
        if len(self.lines) == before:
            self.out("pass", NOWHERE)
        self.depth -= 1

    def code(self, body: Sequence[c.Stmt]) -> None:
        for i in body:
            self.span = self.whole if self.whole is not None else i.span
            self.statement(i)

    def statement(self, stmt: c.Stmt) -> None:  # noqa: C901 - one match over the statements
        match stmt:
            case c.Assign(local, value, op):
                self.out(f"{local.name} {op} {self.text(value)}")
            case c.Unpack(locals, row):
                self.out(f"{', '.join(x.name for x in locals)} = {self.text(row)}")
            case c.Do(value):
                self.out(self.text(value))
            case c.PutStatement(slot, value, op):
                self.put(slot, op, self.text(value))
            case c.PutFrame(slot, value):
                self.frame(slot, self.text(value))
            case c.LogStatement(items):
                if self.full:
                    self.out(f"L.append({self._tuple(items)})")
            case c.CallStatement(function, args, into, local):
                given = ", ".join(["s", *self._more(), *map(self.text, args)])
                self.result(f"{text_of(function)}({given})", into, local)
            case c.Effect():
                self.effect(stmt)
            case c.NoLayers():
                self.out("s[1] = []")
            case c.IfStatement():
                self.branch(stmt)
            case (
                c.While()
                | c.ForBits()
                | c.ForRows()
                | c.ForRange()
                | c.ForItems()
                | c.ForMembers()
                | c.WhileOpen()
            ):
                self.loop(stmt)
            case (
                c.KeepLeast()
                | c.KeepExtreme()
                | c.GiveExtreme()
                | c.SortIn()
                | c.GroupIn()
                | c.Distinct()
                | c.NewList()
                | c.GiveList()
            ):
                self.gathers(stmt)
            case c.Break():
                self.out("break")
            case c.Continue():
                self.out("continue")
            case c.Give(value):
                self.out(f"return {self.text(value)}" if value is not None else "return")
            case c.NewSearch(place, left):
                self.out(f"best = {{}}; todo = [({self.text(place)}, {self.text(left)})]")
            case c.Improve(keys, left):
                key = self.text(keys[0]) if len(keys) == 1 else self._tuple(keys)
                self.out(f"if best.get({key}, -1) >= {self.text(left)}: continue")
                self.out(f"best[{key}] = {self.text(left)}")
            case c.Later(place, left):
                self.out(f"todo.append(({self.text(place)}, {self.text(left)}))")
            case c.Append(out, item):
                self.out(f"{out.name}.append({self.text(item)})")
            case c.Tick():
                self.out("tick()")
            case c.Fail(what, args):
                self.out(_FAILS[what].format(self.many(args)))
            case c.OverStatement():
                self.out("raise Over")
            case c.Wait(decision, layers):
                if decision:
                    self.put(v.SlotValue(0), "=", str(decision))
                self.out(f"s[1] = {self.text(layers)}")
            case c.Next(block):
                self.out(f"return {block}")
            case c.ReturnStatement():
                self.give_back(stmt)
            case c.Goto() | c.Decide() | c.StopStatement():
                raise AssertionError("the pass `structuring` leaves no jumps")
            case _:
                assert_never(stmt)

    # -------------------------------------------------------------------------------- writes
    def put(self, slot: v.SlotValue, op: str, value: str) -> None:
        if not self.full or slot.at is None:
            self.write(self.slot(slot), f"{op} {value}")
            return
        self.out(f"k_ = {self.slot(slot)}")
        self.out(f"T += (k_, s[k_]); s[k_] {op} {value}")

    def frame(self, slot: int, value: str) -> None:
        """Assign a frame variable."""
        if slot in self.dead:
            self.out("pass", NOWHERE)
        elif slot in self.frames:
            self.out(f"v{slot} = {value}")
        else:
            self.write(str(slot), f"= {value}")

    def write(self, slot: str, change: str) -> None:
        """Write a slot.

        Consecutive writes extend the trail by all their old values at once.
        """
        if not self.full:
            self.out(f"s[{slot}] {change}")
            return
        first, deep, slots, text = self._group
        if (
            first >= 0
            and len(self.lines) == first + len(slots)
            and deep == self.depth
            and slot not in slots
        ):
            slots.append(slot)
            olds = ", ".join(f"{x}, s[{x}]" for x in slots)
            self.lines[first] = "    " * self.depth + f"T += ({olds}); {text}"
            self.out(f"s[{slot}] {change}")
            return
        self._group = (len(self.lines), self.depth, [slot], f"s[{slot}] {change}")
        self.out(f"T += ({slot}, s[{slot}]); s[{slot}] {change}")

    def effect(self, statement: c.Effect) -> None:
        given = ["L", "T"] if self.full else ["None", "None"]
        frame = [self.saved[statement.frame]] if statement.frame >= 0 else []
        args = ["s", *given, *frame, *statement.tables, *map(self.text, statement.args)]
        self.result(
            f"{statement.function}({', '.join(args)})",
            statement.into,
            None,
        )

    def result(self, call: str, into: int, local: v.Local | None) -> None:
        if into >= 0:
            self.frame(into, call)
        else:
            self.out(f"{local.name} = {call}" if local is not None else call)

    def give_back(self, statement: c.ReturnStatement) -> None:
        self.out(f"b_ = s[{statement.returns}]")
        self.span = NOWHERE
        self.put(v.SlotValue(statement.returns), "=", "0")
        if statement.frame >= 0:
            history = "L, T" if self.full else "None, None"
            self.out(f"load_frame(s, {history}, {self.saved[statement.frame]})")
        self.out("return b_")

    # -------------------------------------------------------------------------------- branches and
    def branch(self, statement: c.IfStatement) -> None:
        self.out(f"if {self.text(statement.cond)}:")
        self.suite(statement.then)
        if statement.other and ends(statement.then):
            self.code(statement.other)
        elif statement.other:
            self.out("else:", NOWHERE)
            self.suite(statement.other)

    def loop(self, statement: c.Loop) -> None:
        first: list[str] = []
        match statement:
            case c.While(cond):
                head = f"while {self.text(cond) if cond is not None else 1}:"
            case c.ForBits(mask, index, bit):
                x, held = bit.name if bit is not None else "x_", mask.name
                head = f"while {held}:"
                first = [
                    f"{x} = {held} & -{held}; {held} ^= {x}; {index.name} = {x}.bit_length() - 1"
                ]
            case c.ForRows(locals, table, at):
                head = (
                    f"for {', '.join(x.name for x in locals)} in"
                    f" {table}{f'[{self.text(at)}]' if at is not None else ''}:"
                )
            case c.ForRange(local, low, high):
                head = f"for {local.name} in range({self.text(low)}, {self.text(high)}):"
            case c.ForItems(local, items, listed):
                head = (
                    f"for {local.name} in {self.text(items[0]) if listed else self._tuple(items)}:"
                )
            case c.ForMembers(local, mask_):
                head = f"for {local.name} in members({self.text(mask_)}):"
            case c.WhileOpen(place, left):
                head = f"for {place.name}, {left.name} in todo:"  # which grows meanwhile
            case _:
                assert_never(statement)
        self.out(head)
        self.suite(statement.body, *first)

    def gathers(self, statement: c.Gathering) -> None:
        """Print a statement that collects members in a loop."""

        def key(keys: Sequence[v.Value]) -> str:
            return self.text(keys[0]) if len(keys) == 1 else self._tuple(keys)

        match statement:
            case c.KeepLeast(best, least, keys, member):
                lines = [
                    f"k = {key(keys)}",
                    (
                        f"if {best.name} < 0 or k < {least.name}: {best.name} = {member.name};"
                        f" {least.name} = k"
                    ),
                ]
            case c.KeepExtreme(op, best, value, skip):
                better = "<" if op == "min" else ">"
                lines = [
                    f"v = {self.text(value)}",
                    *(["if v < 0: continue"] if skip else []),
                    f"if {best.name} is None or v {better} {best.name}: {best.name} = v",
                ]
            case c.GiveExtreme(best, none):
                lines = [f"return {none} if {best.name} is None else {best.name}"]
            case c.SortIn(out, keys, member):
                lines = [f"{out.name}.append(({self.many(keys)}, {member.name}))"]
            case c.GroupIn(out, keys, bit):
                lines = [
                    f"k = {self._tuple(keys)}",
                    f"{out.name}[k] = {out.name}.get(k, 0) | {bit.name}",
                ]
            case c.Distinct(out, seen, keys, bit):
                lines = [
                    f"k = {self._tuple(keys)}",
                    f"if k not in {seen.name}: {out.name} |= {bit.name}; {seen.name}.add(k)",
                ]
            case c.NewList(out, form):
                lines = [
                    f"{out.name} ="
                    f" {'[]' if form == 'list' else '{}' if form == 'groups' else 'set()'}"
                ]
            case c.GiveList(out, "list"):
                lines = [f"return [k[-1] for k in sorted({out.name})]"]
            case c.GiveList(out, _, sorted):
                lines = [
                    (
                        f"return pack_masks({out.name}[k] for k in sorted({out.name})) if"
                        f" {out.name} else 0"
                        if sorted
                        else f"return pack_masks({out.name}.values())"
                    )
                ]
            case _:
                assert_never(statement)
        for line in lines:
            self.out(line)


def _apart(function: c.Function) -> c.Function:
    """Rename locals that have the name of a runtime function that the function calls."""
    called = {n.function for n in nodes(*function.body) if isinstance(n, v.RunValue)}
    if not any(
        isinstance(n, v.Local) and n.name in called for n in nodes(*function.params, *function.body)
    ):
        return function

    def changed(node: Any) -> Any:
        if isinstance(node, v.Local):
            return evolve(node, name=f"{node.name}_") if node.name in called else node
        return rebuilt(node, changed)

    return evolve(
        function,
        params=tuple(map(changed, function.params)),
        body=tuple(map(changed, function.body)),
    )
