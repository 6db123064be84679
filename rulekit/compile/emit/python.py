"""Takes functions and routines of the intermediate form, makes the Python text of a variant, with the author's place of each line."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import assert_never

from rulekit.base.span import NOWHERE, Span
from rulekit.compile.emit.values import Values
from rulekit.compile.ir import code as c
from rulekit.compile.ir import values as v
from rulekit.compile.ir.visitor import ends

_FAILS = {"too_long": "too_long({})", "broken": "broken({})", "costs": 'raise RulesError("a step costs less than 0")',
          "unfinished": '''raise RulesError("play ended without 'finish'")'''}


class Printer(Values):
    """Prints functions. `full`: with log L and trail T. `frames`: the frame variables that are locals. `dead`: those that nobody reads.
    `saved`: the table of each procedure whose frame is saved."""

    def __init__(self, full: bool, frames: Collection[int], dead: Collection[int], saved: Mapping[int, str], traced: bool = False) -> None:
        super().__init__(frames, traced)
        self.full = full
        self.dead = dead
        self.saved = saved
        self.lines: list[str] = []
        self.places: list[str] = []
        self._group: tuple[int, int, list[str], str] = (-1, 0, [], "")  # first line of writes in a row, depth, slots, first write

    # -------------------------------------------------------------------------------- functions
    def function(self, f: c.Function) -> None:
        """One without effects."""
        self._begin(f"def {f.name}({', '.join(['s', *(p.name for p in f.params)])}):", f.span)
        self.code(f.body, 1, f.span)
        self._end()

    def routine(self, r: c.Routine) -> None:
        """One with effects."""
        self._begin(f"def {r.name}({', '.join(['s', *self._more(), *(p.name for p in r.params)])}):", r.span)
        self.suite(r.body, 1)
        self._end()

    def _begin(self, head: str, span: Span) -> None:
        self.temps = 0
        self.out(0, head, span)

    def _end(self) -> None:
        self.lines.append("")
        self.places.append("")

    def _more(self) -> list[str]:
        return ["L", "T"] if self.full else []

    def out(self, depth: int, text: str, span: Span = NOWHERE) -> None:
        self.lines.append("    " * depth + text)
        self.places.append(str(span) if span.line else "")

    # -------------------------------------------------------------------------------- statements
    def suite(self, body: c.Code, depth: int, span: Span | None = None) -> None:
        before = len(self.lines)
        self.code(body, depth, span)
        if len(self.lines) == before:
            self.out(depth, "pass")

    def code(self, body: Sequence[c.Stmt], depth: int, span: Span | None = None) -> None:
        """`span`: the place of all lines, else each its own."""
        for i in body:
            self.statement(i, depth, span if span is not None else i.span, span)

    def statement(self, i: c.Stmt, depth: int, span: Span, whole: Span | None) -> None:
        match i:
            case c.Assign(local, value, op):
                self.out(depth, f"{local.name} {op} {self.text(value)}", span)
            case c.Unpack(locals, row):
                self.out(depth, f"{', '.join(x.name for x in locals)} = {self.text(row)}", span)
            case c.Do(value):
                self.out(depth, self.text(value), span)
            case c.Put(slot, op, value):
                self.put(slot, op, self.text(value), depth, span)
            case c.PutFrame(slot, value):
                self.frame(slot, self.text(value), depth, span)
            case c.Log(items):
                if self.full:
                    self.out(depth, f"L.append({self._tuple(items)})", span)
            case c.Call(function, args, into, local):
                self.result(f"{function}({', '.join(['s', *self._more(), *map(self.text, args)])})", into, local, depth, span)
            case c.Effect():
                self.effect(i, depth, span)
            case c.NoLayers():
                self.out(depth, "s[1] = []", span)
            case c.If():
                self.branch(i, depth, span, whole)
            case c.While() | c.ForBits() | c.ForRows() | c.ForRange() | c.ForItems() | c.ForMembers() | c.WhileOpen():
                self.loop(i, depth, span, whole)
            case c.Break():
                self.out(depth, "break", span)
            case c.Continue():
                self.out(depth, "continue", span)
            case c.Give(value):
                self.out(depth, f"return {self.text(value)}" if value is not None else "return", span)
            case c.KeepLeast() | c.KeepExtreme() | c.GiveExtreme() | c.SortIn() | c.GroupIn() | c.Distinct() | c.NewList() \
                    | c.GiveList():
                self.gathers(i, depth, span)
            case c.NewSearch(place, left):
                self.out(depth, f"best = {{}}; todo = [({self.text(place)}, {self.text(left)})]", span)
            case c.Improve(keys, left):
                key = self.text(keys[0]) if len(keys) == 1 else self._tuple(keys)
                self.out(depth, f"if best.get({key}, -1) >= {self.text(left)}: continue", span)
                self.out(depth, f"best[{key}] = {self.text(left)}", span)
            case c.Later(place, left):
                self.out(depth, f"todo.append(({self.text(place)}, {self.text(left)}))", span)
            case c.Append(out, item):
                self.out(depth, f"{out.name}.append({self.text(item)})", span)
            case c.Tick():
                self.out(depth, "tick()", span)
            case c.Fail(what, args):
                self.out(depth, _FAILS[what].format(self.many(args)), span)
            case c.Over():
                self.out(depth, "raise Over", span)
            case c.Wait(decision, layers):
                if decision:
                    self.put(v.Slot(0), "=", str(decision), depth, span)
                self.out(depth, f"s[1] = {self.text(layers)}", span)
            case c.Next(block):
                self.out(depth, f"return {block}", span)
            case c.Return():
                self.give_back(i, depth, span)
            case c.Goto() | c.Decide() | c.Stop():
                raise AssertionError("the pass `structure` leaves no jumps")
            case _:
                assert_never(i)

    # -------------------------------------------------------------------------------- writes
    def put(self, slot: v.Slot, op: str, value: str, depth: int, span: Span) -> None:
        if not self.full or slot.at is None:
            self.write(self.slot(slot), f"{op} {value}", depth, span)
            return
        self.out(depth, f"k_ = {self.slot(slot)}", span)
        self.out(depth, f"T += (k_, s[k_]); s[k_] {op} {value}", span)

    def frame(self, slot: int, value: str, depth: int, span: Span) -> None:
        """Assigns a frame variable."""
        if slot in self.dead:
            self.out(depth, "pass")
        elif slot in self.frames:
            self.out(depth, f"v{slot} = {value}", span)
        else:
            self.write(str(slot), f"= {value}", depth, span)

    def write(self, slot: str, change: str, depth: int, span: Span) -> None:
        """Writes a slot; writes that follow each other put their old values on the trail at one stroke."""
        if not self.full:
            self.out(depth, f"s[{slot}] {change}", span)
            return
        first, deep, slots, text = self._group
        if first >= 0 and len(self.lines) == first + len(slots) and deep == depth and slot not in slots:
            slots.append(slot)
            olds = ", ".join(f"{x}, s[{x}]" for x in slots)
            self.lines[first] = "    " * depth + f"T += ({olds}); {text}"
            self.out(depth, f"s[{slot}] {change}", span)
            return
        self._group = (len(self.lines), depth, [slot], f"s[{slot}] {change}")
        self.out(depth, f"T += ({slot}, s[{slot}]); s[{slot}] {change}", span)

    def effect(self, i: c.Effect, depth: int, span: Span) -> None:
        given = ["L", "T"] if self.full else ["None", "None"]
        frame = [self.saved[i.frame]] if i.frame >= 0 else []
        self.result(f"{i.function}({', '.join(['s', *given, *frame, *i.tables, *map(self.text, i.args)])})", i.into, None, depth, span)

    def result(self, call: str, into: int, local: v.Local | None, depth: int, span: Span) -> None:
        if into >= 0:
            self.frame(into, call, depth, span)
        else:
            self.out(depth, f"{local.name} = {call}" if local is not None else call, span)

    def give_back(self, i: c.Return, depth: int, span: Span) -> None:
        self.out(depth, f"b_ = s[{i.returns}]", span)
        self.put(v.Slot(i.returns), "=", "0", depth, NOWHERE)
        if i.frame >= 0:
            self.out(depth, f"load_frame(s, {'L, T' if self.full else 'None, None'}, {self.saved[i.frame]})")
        self.out(depth, "return b_")

    # -------------------------------------------------------------------------------- branches and loops
    def branch(self, i: c.If, depth: int, span: Span, whole: Span | None) -> None:
        self.out(depth, f"if {self.text(i.cond)}:", span)
        self.suite(i.then, depth + 1, whole)
        if i.other and ends(i.then):
            self.code(i.other, depth, whole)
        elif i.other:
            self.out(depth, "else:")
            self.suite(i.other, depth + 1, whole)

    def loop(self, i: c.Loop, depth: int, span: Span, whole: Span | None) -> None:
        first: list[str] = []
        match i:
            case c.While(cond):
                head = f"while {self.text(cond) if cond is not None else 1}:"
            case c.ForBits(mask, index, bit):
                x, held = bit.name if bit is not None else "x_", mask.name
                head = f"while {held}:"
                first = [f"{x} = {held} & -{held}; {held} ^= {x}; {index.name} = {x}.bit_length() - 1"]
            case c.ForRows(locals, table, at):
                head = f"for {', '.join(x.name for x in locals)} in {table}{f'[{self.text(at)}]' if at is not None else ''}:"
            case c.ForRange(local, low, high):
                head = f"for {local.name} in range({self.text(low)}, {self.text(high)}):"
            case c.ForItems(local, items, listed):
                head = f"for {local.name} in {self.text(items[0]) if listed else self._tuple(items)}:"
            case c.ForMembers(local, mask_):
                head = f"for {local.name} in members({self.text(mask_)}):"
            case c.WhileOpen(place, left):
                head = f"for {place.name}, {left.name} in todo:"  # which grows meanwhile
        self.out(depth, head, span)
        for line in first:
            self.out(depth + 1, line, span)
        if first:
            self.code(i.body, depth + 1, whole)
        else:
            self.suite(i.body, depth + 1, whole)

    def gathers(self, i: c.Gathering, depth: int, span: Span) -> None:
        """What loops make of members."""
        def key(keys: Sequence[v.Value]) -> str:
            return self.text(keys[0]) if len(keys) == 1 else self._tuple(keys)

        match i:
            case c.KeepLeast(best, least, keys, member):
                lines = [f"k = {key(keys)}",
                         f"if {best.name} < 0 or k < {least.name}: {best.name} = {member.name}; {least.name} = k"]
            case c.KeepExtreme(op, best, value, skip):
                better = "<" if op == "min" else ">"
                lines = [f"v = {self.text(value)}", *(["if v < 0: continue"] if skip else []),
                         f"if {best.name} is None or v {better} {best.name}: {best.name} = v"]
            case c.GiveExtreme(best, none):
                lines = [f"return {none} if {best.name} is None else {best.name}"]
            case c.SortIn(out, keys, member):
                lines = [f"{out.name}.append(({self.many(keys)}, {member.name}))"]
            case c.GroupIn(out, keys, bit):
                lines = [f"k = {self._tuple(keys)}", f"{out.name}[k] = {out.name}.get(k, 0) | {bit.name}"]
            case c.Distinct(out, seen, keys, bit):
                lines = [f"k = {self._tuple(keys)}", f"if k not in {seen.name}: {out.name} |= {bit.name}; {seen.name}.add(k)"]
            case c.NewList(out, form):
                lines = [f"{out.name} = {'[]' if form == 'list' else '{}' if form == 'groups' else 'set()'}"]
            case c.GiveList(out, "list"):
                lines = [f"return [k[-1] for k in sorted({out.name})]"]
            case c.GiveList(out, _, sorted):
                lines = [f"return pack_masks({out.name}[k] for k in sorted({out.name})) if {out.name} else 0" if sorted
                         else f"return pack_masks({out.name}.values())"]
        for line in lines:
            self.out(depth, line, span)
