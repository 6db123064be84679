"""Emit loops that compute one value, and searches. Their lists lie in scratch memory.

Scratch memory is taken from `$bump` upward and freed when the function ends. A search has a table
of the best allowance at each place, and then the queue of places. A list has its length in a local,
and entries of words: the keys, then the member or the mask.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import assert_never

from rulekit.compiler.backends.wasm.conditions import ConditionWriter
from rulekit.compiler.backends.wasm.context import EmitContext
from rulekit.compiler.backends.wasm.facts import FunctionFacts
from rulekit.compiler.backends.wasm.memory import SEEN, TooWide
from rulekit.compiler.backends.wasm.values import Ins
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.runtime.wasm_format import words_of


class SetLoopWriter(ConditionWriter):
    """Emits statements that collect members in loops."""

    own: int
    loops: list[tuple[str, str]]

    def __init__(self, context: EmitContext, facts: FunctionFacts) -> None:
        super().__init__(context, facts)
        self.sizes: dict[str, int] = {}  # of lists: members of the kind
        self.member: tuple[v.Local, v.Local | None] | None = None

    @abstractmethod
    def back(self) -> None:
        """Emit code that frees the scratch memory of the function."""

    def nothing(self, local: v.Local) -> None:
        """Emit code that marks a local as empty."""
        has = f"${local.name}?"
        self.locals[has] = "i32"
        self.out += ["i32.const 0", f"local.set {has}"]

    def take(self, byte_count: int, into: str) -> None:
        """Emit code that reserves scratch memory."""
        self.locals[into] = "i32"
        self.out += [
            f"i32.const {byte_count}",
            f"call {self.context.need('take')}",
            f"local.set {into}",
        ]

    # -------------------------------------------------------------------------------- one value
    def gathers(self, statement: c.Gathering) -> None:
        o = self.out
        match statement:
            case c.KeepLeast(best, _, keys, member):
                self._least(best, keys, member)
            case c.KeepExtreme(op, best, value, skip):
                t, has = self.temp(), f"${best.name}?"
                self.push(value)
                o.append(f"local.set {t}")
                if skip:
                    o += [f"local.get {t}", "i64.const 0", "i64.lt_s", f"br_if {self.loops[-1][1]}"]
                o += [
                    f"local.get {has}",
                    "i32.eqz",
                    f"local.get {t}",
                    f"local.get {self.name(best)}",
                    "i64.lt_s" if op == "min" else "i64.gt_s",
                    "i32.or",
                    "if",
                    f"local.get {t}",
                    f"local.set {self.name(best)}",
                    "i32.const 1",
                    f"local.set {has}",
                    "end",
                ]
            case c.GiveExtreme(best, none):
                o += [
                    f"local.get {self.name(best)}",
                    f"i64.const {none}",
                    f"local.get ${best.name}?",
                    "select",
                ]
                self.back()
                o.append("return")
            case c.NewList(out, form, size):
                self._new_list(out, form, size)
            case c.SortIn(out, keys, member):
                parts = self._keys(keys)
                self._add(
                    out, [*parts, [f"local.get {self.name(member)}"]], sorted_words=len(parts) + 1
                )
            case c.GroupIn(out, keys, bit):
                self._group(out, keys, bit)
            case c.Distinct(out, seen, keys, bit):
                self._distinct(out, seen, keys, bit)
            case c.GiveList(out, form, sorted):
                self._give_list(out, form, sorted)
            case _:
                assert_never(statement)

    def _keys(self, keys: Sequence[v.Value]) -> list[Ins]:
        if any(self.width(k) > 1 for k in keys):
            raise TooWide("wide sets as keys")
        held = []
        for k in keys:
            held += self.spill(self.words(k, 1))
        return held

    def _least(self, best: v.Local, keys: Sequence[v.Value], member: v.Local) -> None:
        o = self.out
        new = self._keys(keys)
        old = []
        for n in range(len(new)):
            self.locals[f"${best.name}!{n}"] = "i64"
            old.append(f"${best.name}!{n}")
        o += [
            f"local.get {self.name(best)}",
            "i64.const 0",
            "i64.lt_s",
            "if (result i32) i32.const 1 else",
        ]
        for n, part in enumerate(new[:-1]):
            o += [
                *part,
                f"local.get {old[n]}",
                "i64.ne",
                "if (result i32)",
                *part,
                f"local.get {old[n]}",
                "i64.lt_s",
                "else",
            ]
        o += [
            *new[-1],
            f"local.get {old[-1]}",
            "i64.lt_s",
            *["end"] * len(new),
            "if",
            f"local.get {self.name(member)}",
            f"local.set {self.name(best)}",
        ]
        for part, name in zip(new, old, strict=True):
            o += [*part, f"local.set {name}"]
        o.append("end")

    # -------------------------------------------------------------------------------- lists
    def _new_list(self, out: v.Local, form: str, size: int) -> None:
        if not size:
            return
        self.sizes[out.name] = size
        self.take(8 * size * (9 + words_of(size)), f"${out.name}@")
        self.locals[f"${out.name}#"] = "i32"
        self.out += ["i32.const 0", f"local.set ${out.name}#"]

    def _add(self, out: v.Local, parts: list[Ins], sorted_words: int = 0) -> None:
        """Emit code that appends an entry.

        Args:
            sorted_words: the number of words by which entries are sorted, or 0 for no order.
        """
        at, count, entry = f"${out.name}@", f"${out.name}#", 8 * len(parts)
        if len(parts) > 9 + words_of(self.sizes[out.name]):
            raise TooWide("so many keys")
        t = self.temp("i32")
        self.out += [
            f"local.get {at}",
            f"local.get {count}",
            f"i32.const {entry}",
            "i32.mul",
            "i32.add",
            f"local.set {t}",
        ]
        for n, part in enumerate(parts):
            self.out += [f"local.get {t}", *part, f"i64.store offset={8 * n}"]
        self.out += [f"local.get {count}", "i32.const 1", "i32.add", f"local.set {count}"]
        if sorted_words:
            self.more += 16 * self.sizes[out.name]
            self.out += [
                f"local.get {at}",
                f"local.get {t}",
                f"i32.const {entry}",
                f"i32.const {sorted_words}",
                f"call {self.context.need('sift')}",
            ]

    def _find(self, out: v.Local, keys: list[Ins], entry: int) -> str:
        """Emit a search for the entry with these keys. Return the local with its address, or 0."""
        p, q = self.temp("i32"), self.temp("i32")
        self.more += 16 * self.sizes[out.name]
        self.count += 1
        n = self.count
        o = self.out
        o += [
            f"local.get ${out.name}@",
            f"local.tee {p}",
            f"local.get ${out.name}#",
            f"i32.const {entry}",
            "i32.mul",
            "i32.add",
            f"local.set {q}",
            f"block $found{n}",
            f"loop $look{n}",
            f"local.get {p}",
            f"local.get {q}",
            "i32.ge_u",
            "if",
            "i32.const 0",
            f"local.set {p}",
            f"br $found{n}",
            "end",
        ]
        for k, part in enumerate(keys):
            o += [
                f"local.get {p}",
                f"i64.load offset={8 * k}",
                *part,
                "i64.eq",
                *(["i32.and"] if k else []),
            ]
        o += [
            f"br_if $found{n}",
            f"local.get {p}",
            f"i32.const {entry}",
            "i32.add",
            f"local.set {p}",
            f"br $look{n}",
            "end",
            "end",
        ]
        return p

    def _group(self, out: v.Local, keys: Sequence[v.Value], bit: v.Local) -> None:
        parts, w = self._keys(keys), words_of(self.sizes[out.name])
        found = self._find(out, parts, 8 * (len(parts) + w))
        bits = self.words(bit, w)
        self.out += [f"local.get {found}", "if"]
        for j, b in enumerate(bits):
            at = f"offset={8 * (len(parts) + j)}"
            self.out += [
                f"local.get {found}",
                f"local.get {found}",
                f"i64.load {at}",
                *b,
                "i64.or",
                f"i64.store {at}",
            ]
        self.out.append("else")
        self._add(out, [*parts, *bits])
        self.out.append("end")
        self.sizes[f"{out.name} keys"] = len(parts)

    def _distinct(self, out: v.Local, seen: v.Local, keys: Sequence[v.Value], bit: v.Local) -> None:
        parts = self._keys(keys)
        found = self._find(seen, parts, 8 * len(parts))
        self.out += [f"local.get {found}", "i32.eqz", "if"]
        self._add(seen, parts)
        w = self.width_of(out)
        self.set(
            out,
            [
                [f"local.get {self.name(out, j)}", *b, "i64.or"]
                for j, b in enumerate(self.words(bit, w))
            ],
        )
        self.out.append("end")

    def _give_list(self, out: v.Local, form: str, in_order: bool) -> None:
        """Emit a return with the collected list."""
        o, size, at, count = self.out, self.sizes[out.name], f"${out.name}@", f"${out.name}#"
        if form == "list":
            entry = 8 * self._entry(out)
            self.take(8 * self.own, "$.packed")
            o += ["local.get $.packed", "i32.const 0", f"i32.const {8 * self.own}", "memory.fill"]
            o += [
                f"local.get {at}",
                f"local.get {count}",
                f"i32.const {entry}",
                "local.get $.packed",
                f"call {self.context.need('pack')}",
            ]
            for j in range(self.own):
                o += ["local.get $.packed", f"i64.load offset={8 * j}"]
            self.back()
            o.append("return")
            return
        w, keys = words_of(size), self.sizes[f"{out.name} keys"]
        if in_order:
            self.more += 8 * size * size
            o += [
                f"local.get {at}",
                f"local.get {count}",
                f"i32.const {8 * (keys + w)}",
                f"i32.const {keys}",
                f"call {self.context.need('order')}",
            ]
        # the list stays at the place where this function began to take scratch memory
        length = 8 + 8 * w * size
        o += [
            "local.get $.base",
            f"local.get {at}",
            f"local.get {count}",
            f"i32.const {8 * keys}",
            f"i32.const {8 * w}",
            f"call {self.context.need('masks')}",
            "local.get $.base",
            f"i32.const {length}",
            "i32.add",
            "global.set $bump",
            "local.get $.base",
            "i64.extend_i32_u",
            "return",
        ]

    def _entry(self, out: v.Local) -> int:
        return next(len(n.keys) + 1 for n in self.facts.of(c.SortIn) if n.out == out)

    # -------------------------------------------------------------------------------- searches
    def searches(self, statement: c.Searching) -> None:
        o = self.out
        match statement:
            case c.NewSearch(place, left, places, arcs):
                o += [
                    "local.get $.base",
                    "global.set $bump",
                ]  # that of an earlier search is free again
                several = any(len(n.keys) > 1 for n in self.facts.of(c.Improve))
                room = SEEN if several else 8 * max(places, arcs)
                self.take(room, "$.best")
                o += ["local.get $.best", "i32.const 255", f"i32.const {room}", "memory.fill"]
                self.locals["$.todo"] = "i32"
                o += ["global.get $bump", "local.set $.todo"]
                self._later(place, left)
            case c.Improve(keys, left):
                if len(keys) > 1:  # the second is what is left
                    o.append("local.get $.best")
                    for k in keys:
                        self.push(k)
                    o += [f"call {self.context.need('met')}", f"br_if {self.loops[-1][1]}"]
                    return
                a, t = self.temp("i32"), self.temp()
                o.append("local.get $.best")
                self.push(keys[0])
                o += ["i32.wrap_i64", "i32.const 3", "i32.shl", "i32.add", f"local.set {a}"]
                self.push(left)
                o += [
                    f"local.set {t}",
                    f"local.get {a}",
                    "i64.load",
                    f"local.get {t}",
                    "i64.ge_s",
                    f"br_if {self.loops[-1][1]}",
                    f"local.get {a}",
                    f"local.get {t}",
                    "i64.store",
                ]
            case c.Later(place, left):
                self._later(place, left)
            case _:
                assert_never(statement)

    def _later(self, place: v.Value, left: v.Value) -> None:
        self.push(place)
        self.push(left)
        self.out.append(f"call {self.context.need('later')}")

    def opened(self, place: v.Local, left: v.Local, out: str) -> None:
        """Emit code that takes the newest place from the queue."""
        self.out += [
            "global.get $bump",
            "local.get $.todo",
            "i32.eq",
            f"br_if {out}",
            "global.get $bump",
            "i32.const 16",
            "i32.sub",
            "global.set $bump",
        ]
        self.set(place, [["global.get $bump", "i64.load"]])
        self.set(left, [["global.get $bump", "i64.load offset=8"]])
