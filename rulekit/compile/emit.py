"""Takes blocks and functions of the intermediate form, makes the Python text of a variant, with the author's place of each line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from attrs import define, field

from rulekit.base.span import NOWHERE, Span
from rulekit.compile import ir
from rulekit.compile.control import Decision, Flow
from rulekit.compile.unit import Function

_JOIN = 9  # instructions of a block that is put in place of each jump to it
TOKEN = re.compile(r"§(\d+)§")
RUNTIME = frozenset(("put_both", "put_all", "put_group", "roll_dice", "draw_things", "put_thing", "gather_things", "fill", "fill_at",
                     "save_frame", "log_revealed"))


@define(eq=False)
class Text:
    """An emitted function: its lines as (indent, text, place). A text `§=12§ e` assigns a frame variable."""

    name: str
    lines: list[tuple[int, str, Span]] = field(factory=list)

    def tokens(self) -> set[int]:
        found: set[int] = set()
        for _, text, _ in self.lines:
            found.update(int(t) for t in TOKEN.findall(text.replace("§=", "§")))
        return found


@define(eq=False)
class Emitter:
    """Emits functions of a variant. `full`: with log `L` and trail `T`."""

    flow: Flow
    full: bool
    needed: dict[int, ir.Block] = field(factory=dict)
    done: list[Text] = field(factory=list)
    lines: list[tuple[int, str, Span]] = field(factory=list)
    stack: list[ir.Block] = field(factory=list)
    asked: int = 0  # the decision at which play stood when the function that is being written was called

    @property
    def more(self) -> str:
        return ", L, T" if self.full else ""

    def out(self, depth: int, text: str, span: Span = NOWHERE) -> None:
        self.lines.append((depth, text, span))

    # -------------------------------------------------------------------------------- functions
    def blocks(self, roots: Iterable[ir.Block], decisions: Sequence[Decision]) -> None:
        """All functions that can be reached."""
        for block in roots:
            self.needed[block.number] = block
        for d in decisions:
            self.resume(d)
        emitted: set[int] = set()
        while True:
            todo = [b for n, b in sorted(self.needed.items()) if n not in emitted]
            if not todo:
                return
            for block in todo:
                emitted.add(block.number)
                self.begin(f"def B{block.number}(s{self.more}):", block.span)
                self.inline(block, 1)
                self.end(f"B{block.number}")

    def begin(self, head: str, span: Span = NOWHERE) -> None:
        self.lines = []
        self.out(0, head, span)

    def end(self, name: str) -> None:
        self.done.append(Text(name, self.lines))

    def resume(self, d: Decision) -> None:
        """R: what a chosen option does."""
        self.begin(f"def R{d.number}(s, o{self.more}):", d.span)
        self.asked = d.number
        infos = self.flow.families
        offers = sorted(d.offers, key=lambda x: infos[x.family].base)
        for i, offer in enumerate(offers):
            info = infos[offer.family]
            if i < len(offers) - 1:
                self.out(1, f"if o < {info.base + info.size}:")
                self.inline(offer.block, 2)
            else:
                self.inline(offer.block, 1)
        self.asked = 0
        self.end(f"R{d.number}")

    def plain(self, name: str, params: Sequence[str], body: Sequence[ir.Instr], span: Span) -> None:
        """A function with effects that asks nothing."""
        self.begin(f"def {name}({', '.join(['s', *(['L', 'T'] if self.full else []), *params])}):", span)
        self.body(body, 1)
        if len(self.lines) == 1:
            self.out(1, "pass")
        self.end(name)

    # -------------------------------------------------------------------------------- instructions
    def inline(self, block: ir.Block, depth: int) -> None:
        self.stack.append(block)
        self.body(block.body, depth)
        if not ir.ends(block.body):
            self.out(depth, "return 0")
        self.stack.pop()

    def body(self, body: Sequence[ir.Instr], depth: int) -> None:
        for i in body:
            self.instr(i, depth)

    def instr(self, i: ir.Instr, depth: int) -> None:
        if isinstance(i, ir.Line):
            self.out(depth, i.text, i.span)
        elif isinstance(i, ir.Put):
            self.put(i, depth)
        elif isinstance(i, ir.PutVar):
            self.out(depth, f"§={i.var}§ {i.value}", i.span)
        elif isinstance(i, ir.Log):
            if self.full:
                self.out(depth, f"L.append(({i.text},))" if "," not in i.text else f"L.append(({i.text}))", i.span)
        elif isinstance(i, ir.Call):
            self.call(i, depth)
        elif isinstance(i, ir.If):
            self.branch(i, depth)
        elif isinstance(i, ir.While):
            self.out(depth, i.head, i.span)
            before = len(self.lines)
            self.body(i.body, depth + 1)
            if len(self.lines) == before:
                self.out(depth + 1, "pass")
        elif isinstance(i, ir.Goto):
            self.goto(i.block, depth)
        elif isinstance(i, ir.Decide):
            if i.decision == self.asked:
                pass  # play stands there already
            elif self.full:
                self.out(depth, f"T += (0, s[0]); s[0] = {i.decision}", i.span)
            else:
                self.out(depth, f"s[0] = {i.decision}", i.span)
            self.out(depth, f"s[1] = {i.layers or f'O{i.decision}(s)'}", i.span)
            self.out(depth, "return 0")
        elif isinstance(i, ir.Return):
            self.give_back(i, depth)
        elif isinstance(i, ir.Stop):
            self.out(depth, "return 0", i.span)

    def put(self, i: ir.Put, depth: int) -> None:
        if not self.full:
            self.out(depth, f"s[{i.slot}] {i.op} {i.value}", i.span)
        elif i.slot.isdigit():
            self.out(depth, f"T += ({i.slot}, s[{i.slot}]); s[{i.slot}] {i.op} {i.value}", i.span)
        else:
            self.out(depth, f"k_ = {i.slot}", i.span)
            self.out(depth, f"T += (k_, s[k_]); s[k_] {i.op} {i.value}", i.span)

    def call(self, i: ir.Call, depth: int) -> None:
        given = (["L", "T"] if self.full else ["None", "None"]) if i.function in RUNTIME else (["L", "T"] if self.full else [])
        text = f"{i.function}({', '.join(['s', *given, *i.args])})"
        self.out(depth, f"§={i.into}§ {text}" if i.into >= 0 else text, i.span)

    def branch(self, i: ir.If, depth: int) -> None:
        if not i.then and not i.other:
            return
        if not i.then:
            self.out(depth, f"if not ({i.cond}):", i.span)
            self.suite(i.other, depth + 1)
            return
        self.out(depth, f"if {i.cond}:", i.span)
        self.suite(i.then, depth + 1)
        if i.other:
            if ir.ends(i.then):
                self.body(i.other, depth)
            else:
                self.out(depth, "else:")
                self.suite(i.other, depth + 1)

    def suite(self, body: Sequence[ir.Instr], depth: int) -> None:
        before = len(self.lines)
        self.body(body, depth)
        if len(self.lines) == before:
            self.out(depth, "pass")

    def goto(self, block: ir.Block, depth: int) -> None:
        once = block.preds == 1 and not block.entry
        if block not in self.stack and (once or ir.weight(block.body) <= _JOIN):
            self.inline(block, depth)
        else:
            self.needed[block.number] = block
            self.out(depth, f"return {block.number}")

    def give_back(self, i: ir.Return, depth: int) -> None:
        if i.returns < 0:
            self.out(depth, f"return {i.value}".rstrip(), i.span)
            return
        self.out(depth, f"b_ = s[{i.returns}]", i.span)
        self.put(ir.Put(str(i.returns), "=", "0"), depth)
        if i.value:
            self.out(depth, f"load_frame(s, {'L, T' if self.full else 'None, None'}, {i.value})")
        self.out(depth, "return b_")


def count_preds(blocks: Iterable[ir.Block]) -> None:
    for block in blocks:
        for g in ir.gotos(block.body):
            g.block.preds += 1


# ------------------------------------------------------------------------------------------------ locals
def locals_of(texts: Sequence[Text], exposed: set[int]) -> set[int]:
    """The frame variables that live in one function only and are written before they are read there."""
    where: dict[int, list[Text]] = {}
    for text in texts:
        for token in text.tokens():
            where.setdefault(token, []).append(text)
    return {token for token, found in where.items() if len(found) == 1 and token not in exposed and _dominated(found[0], token)}


def _dominated(text: Text, token: int) -> bool:
    writes: list[tuple[int, int]] = []  # (line, indent)
    for j, (_, line, _) in enumerate(text.lines):
        write = line.startswith(f"§={token}§")
        reads = f"§{token}§" in (line[len(f"§={token}§"):] if write else line)
        if reads and not any(min(d for d, _, _ in text.lines[i + 1:j + 1]) >= indent for i, indent in writes):
            return False
        if write:
            writes.append((j, text.lines[j][0]))
    return True


def never_read(texts: Sequence[Text], exposed: set[int]) -> set[int]:
    """Frame variables that are only ever assigned, from plain values."""
    written: set[int] = set()
    read = set(exposed)
    for text in texts:
        for _, line, _ in text.lines:
            match = re.match(r"§=(\d+)§ ", line)
            rest = line[match.end():] if match else line
            read.update(int(t) for t in TOKEN.findall(rest))
            if match:
                written.add(int(match[1]))
                if "(" in rest:
                    read.add(int(match[1]))
    return written - read


def prune(texts: Sequence[Text], kept: Sequence[Text]) -> list[Text]:
    """Those helper functions that are used by what is kept, or by one that is."""
    by_name = {t.name: t for t in texts if re.fullmatch(r"F\d+", t.name)}
    todo = [*kept, *(t for t in texts if t.name not in by_name)]
    used: set[str] = set()
    while todo:
        for _, line, _ in todo.pop().lines:
            for found in re.findall(r"\bF\d+\b", line):
                if found in by_name and found not in used:
                    used.add(found)
                    todo.append(by_name[found])
    return [t for t in texts if t.name not in by_name or t.name in used]


def finish(texts: Sequence[Text], local: set[int], full: bool, dead: set[int]) -> tuple[list[str], list[str]]:
    """The lines of all functions and their places, variables put in."""

    def var(match: re.Match[str]) -> str:
        n = int(match[1])
        return f"v{n}" if n in local else f"s[{n}]"

    lines, places = [], []
    for text in texts:
        for depth, line, span in text.lines:
            match = re.match(r"§=(\d+)§ ", line)
            if match:
                n = int(match[1])
                if n in dead:
                    lines.append("    " * depth + "pass")
                    places.append("")
                    continue
                rest = line[match.end():]
                if n in local:
                    line = f"v{n} = {rest}"
                elif full:
                    line = f"T += ({n}, s[{n}]); s[{n}] = {rest}"
                else:
                    line = f"s[{n}] = {rest}"
            lines.append("    " * depth + TOKEN.sub(var, line))
            places.append(str(span) if span.line else "")
        lines.append("")
        places.append("")
    return _joined(lines) if full else lines, places


_WRITE = re.compile(r"( *)T \+= \((\d+), s\[\2\]\); (s\[\2\] .*)")


def _joined(lines: list[str]) -> list[str]:
    """Writes that follow each other put their old values on the trail at one stroke."""
    out = lines[:]
    i = 0
    while i < len(out):
        group: list[re.Match[str]] = []
        while i < len(out):
            match = _WRITE.fullmatch(out[i])
            if match is None or (group and match[1] != group[0][1]) or match[2] in [g[2] for g in group]:
                break
            group.append(match)
            i += 1
        if len(group) > 1:
            first = i - len(group)
            olds = ", ".join(f"{g[2]}, s[{g[2]}]" for g in group)
            out[first] = f"{group[0][1]}T += ({olds}); {group[0][3]}"
            for k, g in enumerate(group[1:], 1):
                out[first + k] = g[1] + g[3]
        i += not group
    return out


def function_text(f: Function) -> Text:
    return Text(f.name, [(0, f"def {f.name}({', '.join(f.params)}):", f.span), *((1, line, f.span) for line in f.body)])
