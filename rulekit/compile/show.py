"""Takes what was built, makes the intermediate form as text that people read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulekit.compile import ir
from rulekit.compile.control import Flow
from rulekit.compile.emit import TOKEN
from rulekit.program.program import Program


def forms(flow: Flow) -> dict[str, str]:
    """The blocks and decisions of each procedure that asks, by its name."""
    found: dict[str, list[str]] = {}
    names = {slot: var.name for var, slot in flow.unit.lay.vars.items()}
    for block in flow.blocks:
        if block.proc is not None and block.body:
            lines = found.setdefault(block.proc.name, [])
            lines.append(f"L{block.number}{' (o)' if block.option else ''}:")
            lines += _body(block.body, 1, names)
    for d in flow.decisions:
        lines = found.setdefault(d.proc.name, [])
        lines.append(f"D{d.number} ({d.kind}), who: s[{d.asked}], options:")
        for offer in d.offers:
            info = flow.families[offer.family]
            params = ", ".join(f"{p.name}: {p.size}" for p in info.params)
            lines.append(f"    {info.what} {info.name}({params}) from id {info.base} -> L{offer.block.number}")
        lines += ["    " + line for line in d.layers]
    return {name: "\n".join(_named(line, names) for line in lines) for name, lines in found.items()}


def show(program: Program, name: str | None = None, variant: str = "fast") -> str:
    """The intermediate form and the emitted code; with a name only what bears it."""
    pieces = [f"# {title}\n{text}" for title, text in sorted(program.forms.items())]
    pieces += re.split(r"\n(?=def )", program.source[variant])
    if name is not None:
        pieces = [p for p in pieces if re.search(rf"\b{re.escape(name)}\b", p)]
    return "\n\n".join(p.rstrip() for p in pieces)


def _named(line: str, names: dict[int, str]) -> str:
    return TOKEN.sub(lambda match: names.get(int(match[1]), f"s[{match[1]}]"), line)


def _body(body: Sequence[ir.Instr], depth: int, names: dict[int, str]) -> list[str]:
    pad = "    " * depth
    lines: list[str] = []
    for i in body:
        if isinstance(i, ir.If):
            lines.append(f"{pad}br {i.cond}")
            lines += _body(i.then, depth + 1, names)
            if i.other:
                lines.append(f"{pad}else")
                lines += _body(i.other, depth + 1, names)
        elif isinstance(i, ir.While):
            lines.append(f"{pad}{i.head}")
            lines += _body(i.body, depth + 1, names)
        else:
            lines.append(pad + _line(i, names))
    return lines


def _line(i: ir.Instr, names: dict[int, str]) -> str:
    if isinstance(i, ir.Line):
        return i.text
    if isinstance(i, ir.Put):
        return f"st s[{i.slot}] {i.op} {i.value}"
    if isinstance(i, ir.PutVar):
        return f"st {names.get(i.var, i.var)} = {i.value}"
    if isinstance(i, ir.Log):
        return f"log {i.text}"
    if isinstance(i, ir.Call):
        into = f"{names.get(i.into, i.into)} = " if i.into >= 0 else ""
        return f"{into}call {i.function}({', '.join(i.args)})"
    if isinstance(i, ir.Goto):
        return f"jmp L{i.block.number}"
    if isinstance(i, ir.Decide):
        return f"decide D{i.decision}"
    if isinstance(i, ir.Return):
        return f"ret {f's[{i.returns}]' if i.returns >= 0 else i.value}".rstrip()
    return "stop"
