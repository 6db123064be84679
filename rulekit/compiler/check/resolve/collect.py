"""Merges the parsed files of a game and its libraries into one set of declarations.

Layers are combined, declarations are replaced or dropped, and the needs of libraries are matched.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, evolve, field

from rulekit.common.diagnostics.diagnostic import among, guess
from rulekit.compiler.check.resolve.scope import CheckState, Symbol
from rulekit.compiler.syntax import ast as t

NAMES_OF_CLAUSE = 2  # in its full path: total.clause
WHAT = {
    t.DefineDecl: "define",
    t.TotalDecl: "total",
    t.PermitDecl: "permit",
    t.TableDecl: "table",
    t.EventDecl: "event",
    t.MomentDecl: "moment",
    t.MenuDecl: "menu",
    t.ProcDecl: "procedure",
    t.OptionDecl: "option",
    t.MovementDecl: "movement",
    t.FixedDecl: "fixed",
    t.StateDecl: "cell",
    t.PoolDecl: "pool",
}
REPLACED = ("define", "total", "permit", "procedure", "table", "option", "movement")


@define(eq=False)
class Collected:
    """Declarations by sort, in layer order. Symbols are in the `CheckState`."""

    kinds: dict[str, list[tuple[t.KindDecl, int]]] = field(factory=dict)
    members: list[t.MembersDecl] = field(factory=list)
    # `define Piece.type`, replacing
    attribute_defines: dict[tuple[str, str], tuple[t.DefineDecl, int]] = field(factory=dict)
    clauses: list[tuple[t.ClauseSyntax, int]] = field(factory=list)
    dropped: dict[tuple[str, str], t.Drop] = field(factory=dict)
    hooks: list[t.HookDecl] = field(factory=list)
    whenevers: list[t.WheneverDecl] = field(factory=list)
    invariants: list[t.InvariantDecl] = field(factory=list)
    setups: list[t.SetupDecl] = field(factory=list)
    blocks: list[t.MemberBlock] = field(factory=list)
    needs: dict[str, t.NeedsDecl] = field(factory=dict)


def within(*roots: object) -> Iterator[object]:
    """Yield these nodes of the syntax tree and everything inside them, including words."""
    todo = [*roots]
    while todo:
        part = todo.pop()
        yield part
        if isinstance(part, tuple):
            todo += part
        elif isinstance(part, t.NodeSyntax):
            todo += [getattr(part, name) for name in t.fields_of(part)]


def unused_units(files: list[tuple[t.File, int]], world: CheckState) -> None:
    """Warn of the game's own units that are never used."""
    own = max((layer for _, layer in files), default=0)
    units = {
        name: decl
        for file, layer in files
        for decl in file.decls
        if isinstance(decl, t.UnitDecl) and layer == own
        for name in decl.names
    }
    if not units:
        return
    for part in within(
        *(decl for file, _ in files for decl in file.decls if not isinstance(decl, t.UnitDecl))
    ):
        if isinstance(part, str):
            units.pop(part, None)
    for name, decl in units.items():
        world.sink.warn(
            "RK515",
            decl.span,
            f"the unit '{name}' is never used",
            "remove it, or write it after a type or a number: 3 PF",
        )


def collect(files: list[tuple[t.File, int]], world: CheckState) -> Collected:
    """Return all declarations.

    Duplicate names, replacements of nothing and unmet needs of libraries are reported.
    """
    found = Collected()
    for file, layer in files:
        for decl in file.decls:
            if isinstance(decl, t.UnitDecl):
                world.model.units += [u for u in decl.names if u not in world.model.units]
            elif isinstance(decl, (t.Header, t.UseSyntax)):
                continue
            else:
                add(decl, layer, found, world)
    for file, layer in files:
        for decl in file.decls:
            if isinstance(decl, t.Replace):
                replace(decl, layer, found, world)
    for file, _ in files:
        for decl in file.decls:
            if isinstance(decl, t.Drop):
                drop(decl, found, world)
    for name, symbol in world.symbols.items():
        if name in found.kinds or name in world.model.units:
            world.error(
                "RK303",
                symbol.decl,
                f"'{name}' is already the name of a kind or unit",
                "give one of them another name",
            )
    check_needs(found, world)
    return found


def check_needs(found: Collected, world: CheckState) -> None:
    """Report the declarations that libraries need and the game does not have in that form."""
    for name, need in found.needs.items():
        filled = world.symbols.get(name)
        if filled is None:
            world.error(
                "RK310",
                need,
                f"the library needs {phrase(need.what)} '{name}', but the game does not declare it",
                f"declare '{need.what} {name}(...)' in the game",
            )
        elif filled.what != ("procedure" if need.what == "phase" else need.what):
            world.error(
                "RK310",
                filled.decl,
                f"the library needs '{name}' to be {phrase(need.what)}, but it is"
                f" {phrase(filled.what)}",
                _as_needed(need),
            )
        elif len(getattr(filled.decl, "params", ())) != len(need.params):
            world.error(
                "RK310",
                filled.decl,
                f"the library needs '{name}' with {len(need.params)} parameters",
                _as_needed(need),
            )


def _as_needed(need: t.NeedsDecl) -> str:
    """Return a help text with the declaration that a library needs."""
    return f"declare '{need.what} {need.name}({', '.join(param.name for param in need.params)})'"


def add(decl: t.Decl, layer: int, found: Collected, world: CheckState) -> None:
    if isinstance(decl, t.KindDecl):
        add_kind(decl, layer, found, world)
    elif isinstance(decl, t.MembersDecl):
        found.members.append(decl)
    elif isinstance(decl, t.DefineDecl) and decl.owner is not None:
        found.attribute_defines[(decl.owner, decl.name)] = (decl, layer)
    elif isinstance(decl, t.ClauseSyntax):
        found.clauses.append((decl, layer))
    elif isinstance(decl, t.HookDecl):
        found.hooks.append(decl)
    elif isinstance(decl, t.WheneverDecl):
        found.whenevers.append(decl)
    elif isinstance(decl, t.InvariantDecl):
        found.invariants.append(decl)
    elif isinstance(decl, t.SetupDecl):
        found.setups.append(decl)
    elif isinstance(decl, t.MemberBlock):
        found.blocks.append(decl)
    elif isinstance(decl, t.NeedsDecl):
        found.needs.setdefault(decl.name, decl)
    elif isinstance(decl, (t.Replace, t.Drop)):
        return
    elif type(decl) in WHAT:
        declare(decl, layer, world)
    else:
        world.error("RK505", decl, "this is not part of language 1")


def declare(decl: t.Decl, layer: int, world: CheckState) -> None:
    name = decl.name  # type: ignore[attr-defined]
    old = world.symbols.get(name)
    if old is not None:
        word = word_of(old.decl)
        if layer == old.layer:
            help = "give one of them another name"
        elif WHAT[type(decl)] != old.what:
            help = "give this one another name"
        elif old.what in REPLACED:
            help = f"write 'replace {word_of(decl)} {name}' if this should take its place"
        else:
            help = (
                f"{phrase(word)} of a library cannot be replaced: remove this one, or give it"
                " another name"
            )
        world.error(
            "RK303",
            decl,
            f"'{name}' is declared twice (first as {phrase(word)} at {old.span})",
            help,
        )
        return
    world.symbols[name] = Symbol(WHAT[type(decl)], name, decl, layer=layer)


def add_kind(decl: t.KindDecl, layer: int, found: Collected, world: CheckState) -> None:
    if decl.extends and decl.name not in found.kinds:
        world.error(
            "RK301",
            decl,
            f"there is no kind '{decl.name}' to extend",
            among(decl.name, found.kinds, f"declare it: kind {decl.name}"),
        )
        return
    if not decl.extends and decl.name in found.kinds:
        _second_kind(decl, layer, found, world)
        return
    found.kinds.setdefault(decl.name, []).append((decl, layer))


def _second_kind(decl: t.KindDecl, layer: int, found: Collected, world: CheckState) -> None:
    """Report a kind that already exists, once.

    It is then treated as an extension, so that no further errors follow.
    """
    parts = found.kinds[decl.name]
    first = parts[0][0]
    members = decl.members if not any(part.members for part, _ in parts) else ()
    known = {getattr(item, "name", "") for part, _ in parts for item in part.items}
    items = tuple(item for item in decl.items if getattr(item, "name", "") not in known)
    ways = [f"write 'members {decl.name} = ...' to give its members"] if members else []
    ways += [f"write 'extend kind {decl.name}' to add to it"] if items or not members else []
    world.error(
        "RK303",
        decl,
        f"kind '{decl.name}' is declared twice (first at {first.span})",
        "; ".join(ways),
    )
    if members:
        found.members.append(t.MembersDecl(decl.name, members, span=decl.span))
    parts.append((evolve(decl, items=items, members=(), extends=True), layer))


def word_of(decl: t.NodeSyntax) -> str:
    """Return the word with which a declaration begins."""
    word = getattr(decl, "word", "")
    return word or {"cell": "state"}.get(
        WHAT.get(type(decl), ""), WHAT.get(type(decl), "declaration")
    )


def phrase(word: str) -> str:
    """Return a word with its article."""
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"


def replace(decl: t.Replace, layer: int, found: Collected, world: CheckState) -> None:
    new = decl.decl
    if isinstance(new, t.DefineDecl) and new.owner is not None:
        found.attribute_defines[(new.owner, new.name)] = (new, layer)
        return
    name = getattr(new, "name", "")
    old = world.symbols.get(name)
    what = WHAT.get(type(new), "")
    if old is None:
        world.error(
            "RK309",
            decl,
            f"there is no {word_of(new)} '{name}' to replace",
            guess(name, [s.name for s in world.symbols.values() if s.what == what])
            or f"remove 'replace' to declare {phrase(word_of(new))} of the game's own",
        )
    elif old.what != what:
        world.error(
            "RK309",
            decl,
            f"'{name}' is {phrase(word_of(old.decl))}; {phrase(word_of(new))} cannot replace it",
            (
                f"write 'replace {word_of(old.decl)} {name}'"
                if old.what in REPLACED
                else "give it another name"
            ),
        )
    elif len(getattr(old.decl, "params", ())) != len(getattr(new, "params", ())):
        world.error(
            "RK309",
            decl,
            f"'{name}' has {len(getattr(old.decl, 'params', ()))} parameters; its replacement must"
            " have the same",
            f"write {name}({', '.join(param.name for param in getattr(old.decl, 'params', ()))})",
        )
    elif (unlike := unlike_types(old.decl, new)) is not None:
        world.error(
            "RK309",
            decl,
            f"'{name}' {unlike[0]}, not {unlike[1]}; its replacement must have the same",
            f"write {unlike[0].split(maxsplit=1)[1]}",
        )
    else:
        world.symbols[name] = Symbol(what, name, new, layer=layer)


def unlike_types(old: t.NodeSyntax, new: t.NodeSyntax) -> tuple[str, str] | None:
    """Return the first type of a parameter or result that differs between a declaration and its
    replacement, as a pair, or None.
    """
    pairs = [
        (f"takes {a.name}: ", a.type, b.type)
        for a, b in zip(getattr(old, "params", ()), getattr(new, "params", ()), strict=True)
    ]
    if isinstance(old, t.TableDecl) and isinstance(new, t.TableDecl):
        was, now = ([name or spelled(type) for name, type in each.outputs] for each in (old, new))
        if [name for name, _ in old.outputs] != [name for name, _ in new.outputs]:
            return f"gives {', '.join(was)}", ", ".join(now)
        pairs += [
            (f"gives {name}: " if name else "gives ", a, b)
            for (name, a), (_, b) in zip(old.outputs, new.outputs, strict=True)
        ]
    else:
        pairs.append(("gives ", getattr(old, "type", None), getattr(new, "type", None)))
    return next(
        (
            (word + spelled(a), spelled(b))
            for word, a, b in pairs
            if a is not None and b is not None and a != b
        ),
        None,
    )


def spelled(node: t.TypeNode) -> str:
    """Return a type as it is written."""
    if node.form != "range":
        return f"{'set ' if node.form == 'set' else ''}{node.name}{'?' if node.optional else ''}"
    return (
        f"{node.low}..{node.high}"
        f"{f' {node.unit}' if node.unit else ''}{' clamp' if node.clamp else ''}"
    )


def drop(decl: t.Drop, found: Collected, world: CheckState) -> None:
    if len(decl.path) == NAMES_OF_CLAUSE:
        if decl.path[0] not in world.symbols:
            world.error(
                "RK309",
                decl,
                f"there is no total or permit '{decl.path[0]}'",
                guess(decl.path[0], world.symbols),
            )
            return
        found.dropped[decl.path[0], decl.path[1]] = decl
    elif world.symbols.pop(decl.path[0], None) is None:
        world.error(
            "RK309",
            decl,
            f"there is no '{decl.path[0]}' to drop",
            guess(decl.path[0], world.symbols)
            or "'drop' removes a declaration by its name, or a clause: drop total.clause",
        )
