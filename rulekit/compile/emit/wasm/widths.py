"""Takes the functions of a module, makes the words of their locals, parameters and results."""

from __future__ import annotations

from rulekit.compile.emit.wasm.maker import Made, Maker, is_layers
from rulekit.compile.emit.wasm.memory import words
from rulekit.compile.emit.wasm.values import Values
from rulekit.compile.ir import code as c
from rulekit.compile.ir import types as t
from rulekit.compile.ir import values as v
from rulekit.compile.ir.visitor import nodes


def widths(maker: Maker, made: Made) -> dict[str, int]:
    """The words of each local: as its type says, or what it is assigned."""
    wide: dict[str, int] = {p.name: words(p.type) for p in made.params}
    assigned: list[tuple[str, v.Value]] = []
    for n in nodes(*made.body):
        if isinstance(n, v.Local):
            wide[n.name] = max(wide.get(n.name, 1), words(n.type))
        elif isinstance(n, v.Frame) and n.slot in maker.local:
            wide[f"v{n.slot}"] = max(wide.get(f"v{n.slot}", 1), words(n.type), words(maker.mem.types[n.slot]))
        elif isinstance(n, c.PutFrame) and n.slot in maker.local:
            wide[f"v{n.slot}"] = max(wide.get(f"v{n.slot}", 1), words(maker.mem.types[n.slot]))
            assigned.append((f"v{n.slot}", n.value))
        elif isinstance(n, (c.Call, c.Effect)) and n.into in maker.local:
            wide[f"v{n.into}"] = max(wide.get(f"v{n.into}", 1), words(maker.mem.types[n.into]))
        elif (isinstance(n, c.Assign) and not is_layers(n.value) and not isinstance(n.value, v.Nothing)) or isinstance(n, v.Bind):
            assigned.append((n.local.name, n.value))
        elif isinstance(n, c.ForBits) and n.bit is not None:
            assigned.append((n.bit.name, n.mask))
    probe = Values(maker)
    probe.wide = wide
    params = {p.name for p in made.params}
    for name, value in assigned * 2:
        if name not in params:
            wide[name] = max(wide.get(name, 1), probe.width(value))
    return wide


def prepare(maker: Maker) -> None:
    """The parameters and results of all functions, the widest layer, the routines that may end the game."""
    calls: dict[str, set[str]] = {}
    for name, made in maker.functions.items():
        maker.params[name] = [words(p.type) for p in made.params]
        calls[name] = {n.function for n in nodes(*made.body) if isinstance(n, c.Call)}
        if any(isinstance(n, c.Over) for n in nodes(*made.body)):
            maker.ending.add(name)
    while more := {name for name, called in calls.items() if name not in maker.ending and called & maker.ending}:
        maker.ending |= more
    for name, made in maker.functions.items():
        maker.results[name] = 0 if maker.lists(name) else 1 if name[0] in "RB" else _given(maker, made)
    for name in maker.functions:
        group = name.rsplit("_", 1)[0]
        if group != name:
            alike = [x for x in maker.functions if x.rsplit("_", 1)[0] == group]
            maker.results[name] = max(maker.results[x] for x in alike)
    for made in maker.functions.values():
        probe = Values(maker)
        probe.wide = widths(maker, made)
        for n in nodes(*made.body):
            if isinstance(n, v.Layer):
                maker.mem.layer_words = max(maker.mem.layer_words, probe.width(n.mask))
            elif isinstance(n, v.Run) and n.function == "in_classes":
                maker.mem.layer_words = max(maker.mem.layer_words, probe.width(n.args[2]))


def _given(maker: Maker, made: Made) -> int:
    probe = Values(maker)
    probe.wide = widths(maker, made)
    found = [0]
    for n in nodes(*made.body):
        if isinstance(n, c.Give) and n.value is not None:
            found.append(probe.width(n.value))
        elif isinstance(n, c.GiveExtreme):
            found.append(1)
        elif isinstance(n, c.FirstHit):
            found.append(probe.wide.get("x", 1))
        elif isinstance(n, c.GiveList):
            size = next(x.size for x in nodes(*made.body) if isinstance(x, c.NewList) and x.out == n.out)
            found.append(words(t.Packed(size)) if n.form == "list" else 1)
    return max(found)
