"""Takes what was built, makes the intermediate form as text that people read."""

from __future__ import annotations

import re

from rulekit.compile.emit.text import Readable, spans
from rulekit.compile.lower.decisions import Flow
from rulekit.program.program import Program


def forms(flow: Flow) -> dict[str, str]:
    """The blocks and decisions of each procedure that asks, by its name."""
    lay = flow.unit.lay
    text = Readable({slot: var.name for var, slot in lay.vars.items()}, spans(lay))
    found: dict[str, list[str]] = {}
    for block in flow.blocks:
        if block.proc is not None and block.body:
            lines = found.setdefault(block.proc.name, [])
            lines += [f"L{block.number}{' (o)' if block.option else ''}:", *text.code(block.body, 1)]
    for d in flow.decisions:
        lines = found.setdefault(d.proc.name, [])
        lines.append(f"D{d.number} ({d.kind}), who: {text.text(d.asked)}, options:")
        for offer in d.offers:
            info = flow.families[offer.family]
            params = ", ".join(f"{p.name}: {p.size}" for p in info.params)
            lines.append(f"    {info.what} {info.name}({params}) from id {info.base} -> L{offer.block.number}")
        lines += text.code(d.layers, 1)
    return {name: "\n".join(lines) for name, lines in found.items()}


def show(program: Program, name: str | None = None, variant: str = "fast") -> str:
    """The intermediate form and the emitted code; with a name only what bears it."""
    pieces = [f"# {title}\n{text}" for title, text in sorted(program.forms.items())]
    pieces += re.split(r"\n(?=def )", program.source[variant])
    if name is not None:
        pieces = [p for p in pieces if re.search(rf"\b{re.escape(name)}\b", p)]
    return "\n\n".join(p.rstrip() for p in pieces)
