"""Emit functions and routines as functions of the WebAssembly module.

A routine returns the number of the block where play continues. Options are added to the list of
layers as they are found. A flag reports that the game ended inside a function. It is tested after
each call that may set it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import assert_never

from rulekit.common.diagnostics.span import Span
from rulekit.compiler.backends.function_names import text_of
from rulekit.compiler.backends.wasm import calls, effects
from rulekit.compiler.backends.wasm.context import EmitContext
from rulekit.compiler.backends.wasm.facts import FunctionFacts, is_layers
from rulekit.compiler.backends.wasm.fuel import MAX_UNCOUNTED_WORK, MUCH, SETS, charge
from rulekit.compiler.backends.wasm.intervals import ANY
from rulekit.compiler.backends.wasm.memory import TooWide, kept
from rulekit.compiler.backends.wasm.set_loops import SetLoopWriter
from rulekit.compiler.backends.wasm.values import ZERO, Ins, constant
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionName
from rulekit.compiler.ir.visitor import nodes
from rulekit.runtime.slots import PC

_CHANGE = {"|=": "i64.or", "&=": "i64.and", "+=": "i64.add", "-=": "i64.sub"}


class FunctionWriter(SetLoopWriter):
    """Emits one function."""

    def __init__(self, context: EmitContext, facts: FunctionFacts) -> None:
        super().__init__(context, facts)
        self.made = made = facts.made
        self.lists = made.name in context.lists
        self.listed = {n.out.name for n in facts.of(c.NewList)} if self.lists else set()
        self.own = context.results.get(made.name, 0)
        self.loops: list[tuple[str, str]] = []
        self.labels = 0
        self.scratch = bool(facts.of(c.NewSearch) or facts.of(c.NewList)) and not self.lists
        self.whole = None if isinstance(made, c.Routine) else made.span
        for name, wide in self.widths.locals.items():
            for j in range(wide):
                self.locals[f"${name}.{j}" if j else f"${name}"] = "i64"

    def text(self) -> str:
        """Return the text of the function."""
        params = [self.name(p, j) for p in self.made.params for j in range(self.width_of(p))]
        if self.scratch:
            self.locals["$.base"] = "i32"
            self.out += ["global.get $bump", "local.set $.base"]
        start = len(self.out)
        self.out.append("")
        self.code(self.made.body)
        if self.out[-1:] != ["return"]:
            self.leave()
        work = self.work()
        if work > MAX_UNCOUNTED_WORK or self.made.name in self.context.again:
            self.count_work(start, work, self.made.span)
            work = 0
        self.context.work[self.made.name] = work
        for name in params:
            self.locals.pop(name, None)
        head = [
            f"(func ${text_of(self.made.name)}",
            *(f"(param {p} i64)" for p in params),
            *["(result i64)"] * self.own,
            *(f"(local {name} {type})" for name, type in self.locals.items()),
        ]
        return " ".join(head) + "\n" + "\n".join(filter(None, self.out)) + ")"

    def count_work(self, at: int, work: int, span: Span) -> None:
        """Insert the code that counts work at a reserved place."""
        self.locals["$.fuel"] = "i64"
        self.out[at] = "\n".join(charge(work, self.context.place(span), "$.fuel"))

    def run(self, value: v.RunValue) -> None:
        calls.push(self, value)

    def run_words(self, value: v.RunValue, width: int) -> list[Ins]:
        return calls.wide(self, value, width)

    def label(self) -> int:
        self.labels += 1
        return self.labels

    def leave(self) -> None:
        """Emit a return with zeros."""
        self.back()
        self.out += [*(ZERO * self.own), "return"]

    def back(self) -> None:
        """Emit code that frees the scratch memory of the function."""
        if self.scratch:
            self.out += ["local.get $.base", "global.set $bump"]

    # -------------------------------------------------------------------------------- statements
    def code(self, body: Sequence[c.Stmt]) -> None:
        for i in body:
            self.span = (
                self.whole if self.whole is not None else i.span if i.span.line else self.span
            )
            self.statement(i, self.span)

    def statement(self, stmt: c.Stmt, span: Span) -> None:  # noqa: C901 - one match over the statements
        o = self.out
        match stmt:
            case c.Assign(local, value, op):
                self.assign(local, value, op)
            case c.Unpack(locals, row):
                self.unpack(locals, row)
            case c.Do(value):
                self.push(value)
                o.append("drop")
            case c.PutStatement(slot, value, op):
                self.put(slot, op, value)
            case c.PutFrame(slot, value):
                self.frame(slot, value)
            case c.LogStatement():
                pass
            case c.CallStatement(function, args, into, local):
                self.call(function, args, into, local)
            case c.Effect():
                effects.write(self, stmt)
                self.result(int(stmt.function == "roll_dice"), stmt.into, None)
            case c.NoLayers():
                o.append("call $no_layers")
            case c.IfStatement(cond, then, other):
                self.branch(cond, then, other)
            case c.While(cond, body):
                self.loop(body, self._while(cond))
            case c.ForBits(mask, index, bit, body):
                names = [self.name(mask, j) for j in range(self.width_of(mask))]
                self.loop(body, partial(self._bits, names, index, bit), 64 * len(names))
            case c.ForMembers(local, value, body):
                held = self.stored(self.words(value, self.width(value)))
                self.loop(body, partial(self._bits, held, local, None), 64 * len(held))
            case c.ForRows():
                self.rows(stmt)
            case c.ForRange(local, low, high, body):
                self.range(local, low, high, body)
            case c.ForItems(local, items, listed, body):
                self.items(local, items, listed, body)
            case c.WhileOpen(place, left, body):
                self.loop(body, lambda out: self.opened(place, left, out))
            case c.Break():
                o.append(f"br {self.loops[-1][0]}")
            case c.Continue():
                o.append(f"br {self.loops[-1][1]}")
            case c.Give(value):
                self.give(value)
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
            case c.NewSearch() | c.Improve() | c.Later():
                self.searches(stmt)
            case c.Append(_, item):
                self.layers(item)
            case c.Tick():
                o += [*self.at_place(), "call $tick"]
            case c.Fail(what, args):
                self.fails(what, args)
            case c.OverStatement():
                o += ["i32.const 1", "global.set $over"]
                self.leave()
            case c.Wait(decision, layers):
                if decision:
                    self.put(v.SlotValue(PC), "=", v.ConstValue(decision))
                if not isinstance(layers, v.Local):  # else they are listed already
                    o.append("call $no_layers")
                    self.layers(layers)
            case c.Next(block):
                self.back()
                o += [f"i64.const {block}", "return"]
            case c.ReturnStatement(returns, frame):
                t = self.temp()
                o += [
                    "i32.const 0",
                    f"i64.load offset={self.mem.address[returns]}",
                    f"local.set {t}",
                ]
                self.put(v.SlotValue(returns), "=", v.ConstValue(0))
                if frame >= 0:
                    o.append(f"call {effects.frames(self.context, frame, False)}")
                self.back()
                o += [f"local.get {t}", "return"]
            case c.Goto() | c.Decide() | c.StopStatement():
                raise AssertionError("the pass `structuring` leaves no jumps")
            case _:
                assert_never(stmt)

    def fails(self, what: str, args: Sequence[v.Value]) -> None:
        self.out += [
            *constant(self.context.failure(what)),
            *(
                constant(args[0].value)
                if args and isinstance(args[0], v.ConstValue) and isinstance(args[0].value, int)
                else ZERO
            ),
            *ZERO,
            *ZERO,
            *ZERO,
            *self.at_place(),
            "call $fail",
            "unreachable",
        ]

    def assign(self, local: v.Local, value: v.Value, op: str) -> None:
        if self.listing(value):
            self.listed.add(local.name)
            self.out.append("call $no_layers")
            self.layers(value)
            return
        self.listed.discard(local.name)
        if isinstance(value, v.Nothing):
            self.nothing(local)
        elif op in ("+=", "-="):
            self.out.append(f"local.get {self.name(local)}")
            self.push(value)
            self.arith("+" if op == "+=" else "-", self.context.bounds.of(self.facts, local) < ANY)
            self.out.append(f"local.set {self.name(local)}")
        else:
            parts = self.words(value, self.width_of(local)) if self.width_of(local) > 1 else None
            if parts is None and op == "=":
                self.push(value)
                self.out.append(f"local.set {self.name(local)}")
                return
            if parts is None:
                parts = self.words(value, 1)
            if op != "=":
                parts = [
                    [f"local.get {self.name(local, j)}", *part, _CHANGE[op]]
                    for j, part in enumerate(parts)
                ]
            self.set(local, parts)

    def unpack(self, targets: Sequence[v.Local], row: v.RowValue) -> None:
        self.push(row)
        t = self.temp("i32")
        self.out += ["i32.wrap_i64", f"local.set {t}"]
        for n, local in enumerate(targets):
            self.set(local, [[f"local.get {t}", f"i64.load offset={8 * n}"]])

    def put(self, slot: v.SlotValue, op: str, value: v.Value) -> None:
        type = self.context.type_of(slot)
        if isinstance(type, v.Masks):
            address, more = self.place(slot)
            self.out += [*address, f"i32.const {more}", "i32.add"]
            self.masks(value)
            self.out += [f"i32.const {8 * kept(type)}", "memory.copy"]
            return
        w = self.context.slot_words(slot)
        address, more = self.place(slot)
        if w == 1:
            self.out += address
            if op != "=":
                self.out += [*address, f"i64.load offset={more}"]
            self.push(value)
            self.out += [*([_CHANGE[op]] if op != "=" else []), f"i64.store offset={more}"]
            return
        parts = self.words(value, w)
        if not isinstance(value, (v.ConstValue, v.Local, v.FrameValue)):
            parts = self.spill(parts)
        for j, part in enumerate(parts):
            at = f"offset={more + 8 * j}"
            before, after = ([*address, f"i64.load {at}"], [_CHANGE[op]]) if op != "=" else ([], [])
            self.out += [*address, *before, *part, *after, f"i64.store {at}"]

    def masks(self, value: v.Value) -> None:
        """Emit code that leaves the address (i32) of a list of masks. 0 becomes the empty list."""
        if isinstance(value, v.ConstValue):
            self.out.append(f"i32.const {self.context.no_masks}")
            return
        self.push(value)
        self.out.append("i32.wrap_i64")

    def frame(self, slot: int, value: v.Value) -> None:
        """Emit an assignment to a frame variable."""
        if slot in self.context.dead:
            return
        if slot not in self.context.local:
            self.put(v.SlotValue(slot), "=", value)
            return
        var = v.FrameValue(slot)
        self.set(var, self.words(value, self.width_of(var)))

    def result(self, own: int, into: int, local: v.Local | None) -> None:
        """Emit code that stores the result of a call."""
        parts = self._results(own, own) if own else []
        if into >= 0 and into not in self.context.dead:
            if into in self.context.local:
                self.set(v.FrameValue(into), parts)
            elif isinstance(self.context.type_of(v.SlotValue(into)), v.Masks):
                raise TooWide("a list of masks as a result")
            else:
                at = self.mem.address[into]
                for j in range(self.context.slot_words(v.SlotValue(into))):
                    self.out += [
                        "i32.const 0",
                        *(parts[j] if j < len(parts) else ZERO),
                        f"i64.store offset={at + 8 * j}",
                    ]
        elif local is not None:
            self.set(local, parts)

    def call(
        self, function: FunctionName, args: Sequence[v.Value], into: int, local: v.Local | None
    ) -> None:
        for a, wide in zip(args, self.context.params[function], strict=True):
            self.all(a, wide)
        self.called(function)
        self.result(self.context.results.get(function, 0), into, local)
        if function in self.context.ending:
            self.out += ["global.get $over", "if"]
            self.leave()
            self.out.append("end")

    def give(self, value: v.Value | None) -> None:
        if self.lists:
            if value is not None:
                self.layers(value)
        elif value is None:
            self.leave()
            return
        else:
            self.all(value, self.own)
        self.back()
        self.out.append("return")

    # -------------------------------------------------------------------------------- branches and
    def branch(self, cond: v.Value, then: c.Code, other: c.Code) -> None:
        if not then and not other:
            return
        self.cond(cond)
        if not then:
            self.out.append("i32.eqz")
        self.out.append("if")
        self.code(then or other)
        if then and other:
            self.out.append("else")
            self.code(other)
        self.out.append("end")

    def loop(
        self,
        body: c.Code,
        head: Callable[[str], None],
        rounds: int = 0,
        after: Callable[[], None] | None = None,
    ) -> None:
        """Emit a loop.

        Args:
            head: emits the test, and gets the label that leaves the loop.
            rounds: the maximal number of rounds, if it is known.
            after: emits the code at the end of each round.
        """
        n = self.label()
        out, again, goes_on = f"$b{n}", f"$l{n}", f"$c{n}"
        self.out += [f"block {out}", f"loop {again}", ""]
        at, before, span = len(self.out) - 1, self.work(), self.span
        head(out)
        if after is not None:
            self.out.append(f"block {goes_on}")
        self.loops.append((out, goes_on if after is not None else again))
        self.code(body)
        self.loops.pop()
        if after is not None:
            self.out.append("end")
            after()
        self.out += [f"br {again}", "end", "end"]
        work = self.work() - before
        if 0 < rounds * work <= MUCH:
            self.more += (rounds - 1) * work
        else:
            self.count_work(at, work, span)
            self.more -= work

    def _while(self, cond: v.Value | None) -> Callable[[str], None]:
        def head(out: str) -> None:
            if cond is not None:
                self.cond(cond)
                self.out += ["i32.eqz", f"br_if {out}"]

        return head

    def _bits(self, names: Sequence[str], index: v.Local, bit: v.Local | None, out: str) -> None:
        """Emit code that removes the lowest bit from the words of a mask."""
        o = self.out
        found = f"$f{self.label()}"
        if len(names) > 1:
            o.append(f"block {found}")
        for j, name in enumerate(names):
            last = j == len(names) - 1
            o += [
                f"local.get {name}",
                "i64.eqz",
                *([f"br_if {out}"] if last else ["i32.eqz", "if"]),
            ]
            if bit is not None:
                one = [
                    f"local.get {name}",
                    "i64.const 0",
                    f"local.get {name}",
                    "i64.sub",
                    "i64.and",
                ]
                self.set(bit, [one if k == j else list(ZERO) for k in range(len(names))])
            self.set(
                index,
                [
                    [
                        f"local.get {name}",
                        "i64.ctz",
                        *([f"i64.const {64 * j}", "i64.add"] if j else []),
                    ]
                ],
            )
            o += [
                f"local.get {name}",
                f"local.get {name}",
                "i64.const 1",
                "i64.sub",
                "i64.and",
                f"local.set {name}",
            ]
            if not last:
                o += [f"br {found}", "end"]
        if len(names) > 1:
            o.append("end")

    def rows(self, statement: c.ForRows) -> None:
        at, shape = self.mem.shape(statement.table, len(statement.locals), statement.at is not None)
        p, q = self.temp("i32"), self.temp("i32")
        if statement.at is not None:
            self.push(statement.at)
            self.out += [
                "i32.wrap_i64",
                "i32.const 3",
                "i32.shl",
                f"i32.const {at + shape.first}",
                "i32.add",
                f"local.tee {p}",
                "i32.load offset=4",
                f"local.set {q}",
                f"local.get {p}",
                "i32.load",
                f"local.set {p}",
            ]
        else:
            self.out += [
                f"i32.const {at + shape.first}",
                f"local.tee {p}",
                "i32.const 0",
                f"i32.load offset={at}",
                f"i32.const {shape.entry}",
                "i32.mul",
                "i32.add",
                f"local.set {q}",
            ]
        used = {n.name for n in nodes(*statement.body) if isinstance(n, v.Local)}

        def head(out: str) -> None:
            self.out += [f"local.get {p}", f"local.get {q}", "i32.ge_u", f"br_if {out}"]
            offset = 0
            for local, wide in zip(statement.locals, shape.words, strict=True):
                if local.name in used:
                    self.set(
                        local,
                        [
                            [f"local.get {p}", f"i64.load offset={offset + 8 * j}"]
                            for j in range(wide)
                        ],
                    )
                offset += 8 * wide

        def after() -> None:
            self.out += [f"local.get {p}", f"i32.const {shape.entry}", "i32.add", f"local.set {p}"]

        self.loop(
            statement.body, head, shape.inner if statement.at is not None else shape.most, after
        )

    def range(self, local: v.Local, low: v.Value, high: v.Value, body: c.Code) -> None:
        n, end = self.temp(), self.temp()
        self.push(low)
        self.out.append(f"local.set {n}")
        self.push(high)
        self.out.append(f"local.set {end}")

        def head(out: str) -> None:
            self.out += [f"local.get {n}", f"local.get {end}", "i64.ge_s", f"br_if {out}"]
            self.set(local, [[f"local.get {n}"]])

        rounds = 0
        if (
            isinstance(low, v.ConstValue)
            and isinstance(high, v.ConstValue)
            and isinstance(low.value, int)
            and isinstance(high.value, int)
        ):
            rounds = high.value - low.value
        self.loop(
            body,
            head,
            rounds,
            lambda: self.out.extend([f"local.get {n}", "i64.const 1", "i64.add", f"local.set {n}"]),
        )

    def items(self, local: v.Local, items: Sequence[v.Value], listed: bool, body: c.Code) -> None:
        if listed:
            held = self.stored(self.words(items[0], self.width(items[0])))

            def head(out: str) -> None:
                self.out += [f"local.get {held[0]}", "i64.eqz", f"br_if {out}"]
                self.set(
                    local,
                    [
                        [
                            f"local.get {held[0]}",
                            "i64.const 65535",
                            "i64.and",
                            "i64.const 2",
                            "i64.sub",
                        ]
                    ],
                )
                for name, part in zip(
                    held, self._shifted([[f"local.get {h}"] for h in held], -16), strict=True
                ):
                    self.out += [*part, f"local.set {name}"]

            self.loop(body, head, 4 * len(held))
            return
        values: list[Ins] = self.spill([part for x in items for part in self.words(x, 1)])
        n = self.temp()
        self.out += [*ZERO, f"local.set {n}"]

        def first(out: str) -> None:
            self.out += [f"local.get {n}", f"i64.const {len(values)}", "i64.ge_s", f"br_if {out}"]
            self._pick(values, [f"local.get {n}"])
            t = self.temp()
            self.out.append(f"local.set {t}")
            self.set(local, [[f"local.get {t}"]])

        self.loop(
            body,
            first,
            len(values),
            lambda: self.out.extend([f"local.get {n}", "i64.const 1", "i64.add", f"local.set {n}"]),
        )

    # -------------------------------------------------------------------------------- options
    def listing(self, value: v.Value) -> bool:
        """Return True for a list of options."""
        return is_layers(value) or (
            isinstance(value, v.CallValue) and value.function in self.context.lists
        )

    def cond(self, value: v.Value) -> None:
        """Emit code that leaves an i32 that is 0 if the test does not hold, or if there are no
        options.
        """
        if self.listing(value):
            self.out.append("call $no_layers")
            self.layers(value)
        elif not (isinstance(value, v.Local) and value.name in self.listed):
            super().cond(value)
            return
        self.out += ["global.get $layer_end", f"i32.const {self.mem.layers}", "i32.ne"]

    def layers(self, value: v.Value) -> None:
        """Emit code that adds options to the list of layers."""
        match value := v.form(value):
            case v.Layer(base, mask):
                parts = self.words(mask, self.mem.layer_words)
                self.push(base)
                for part in parts:
                    self.out += part
                self.out.append("call $layer")
            case v.Layers(items):
                for item in items:
                    self.layers(item)
            case v.IfValue(cond, then, other):
                self.cond(cond)
                self.out.append("if")
                self.layers(then)
                self.out.append("else")
                self.layers(other)
                self.out.append("end")
            case v.RunValue("in_classes", (base, classes, free)):
                w = self.width(free)
                parts = self.words(free, w)
                self.masks(classes)
                self.push(base)
                for part in parts:
                    self.out += part
                self.out.append(f"call {self.context.need('in_classes', w)}")
                self.more += SETS
            case v.CallValue(function, args):
                for a, wide in zip(args, self.context.params[function], strict=True):
                    self.all(a, wide)
                self.called(function)
            case v.Local():
                pass  # they have been added one by one
            case (
                v.ConstValue()
                | v.FrameValue()
                | v.SlotValue()
                | v.Chosen()
                | v.RowValue()
                | v.TableValue()
                | v.ArithValue()
                | v.Negative()
                | v.Extreme()
                | v.Pair()
                | v.PartValue()
                | v.Bits()
                | v.Complement()
                | v.Bit()
                | v.BitOrNone()
                | v.Has()
                | v.HasOrNone()
                | v.Size()
                | v.Lowest()
                | v.Highest()
                | v.LowestBit()
                | v.More()
                | v.Below()
                | v.From()
                | v.Shifted()
                | v.Head()
                | v.Tail()
                | v.ElementValue()
                | v.CompareValue()
                | v.BothThere()
                | v.BetweenValue()
                | v.AnyOf()
                | v.Some()
                | v.NotValue()
                | v.All()
                | v.Any()
                | v.OrElseValue()
                | v.Bind()
                | v.Last()
                | v.CallOf()
                | v.RunValue()
                | v.Reported()
                | v.TextValue()
                | v.Nothing()
                | v.Tuple()
                | v.Listing()
                | v.Spread()
            ):
                raise TooWide(f"options out of {value.__class__.__name__}")
            case _:
                assert_never(value)
