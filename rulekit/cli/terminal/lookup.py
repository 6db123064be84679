"""Look-up of members by id or name: their places, their states and their options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulekit.cli.terminal.screen import Screen
from rulekit.common.i18n.messages import _
from rulekit.engine.explain.annotations import effects
from rulekit.engine.kernel.decision import Option
from rulekit.engine.kernel.names import tidy
from rulekit.runtime.intrinsics import members
from rulekit.runtime.program import KindInfo

MAX_PRINTED_MEMBERS = 24  # members that are printed
SHORT = 2  # a text up to this length must be a whole word of a name
CHOICES = 8  # options that are printed for one of them


def find(screen: Screen, text: str, options: Sequence[Option]) -> list[str]:
    """Return the lines of `find TEXT`: pieces, places, cards and all other members, exact matches
    first.

    If there are none, return the lines of the board, the tracks and the pools that contain the
    text.

    Args:
        options: the options of the observer's decision, in order.
    """
    folded = text.casefold().strip()
    if not folded:
        return []
    exact, other = [], []
    for kind, member in _members(screen):
        names = _names(screen, kind, member)
        if folded in (n.casefold() for n in names):
            exact.append((kind, member))
        elif any(_occurs(folded, n.casefold()) for n in names):
            other.append((kind, member))
    found = [*exact, *other]
    lines = [
        line
        for kind, member in found[:MAX_PRINTED_MEMBERS]
        for line in _entry(screen, kind, member, options)
    ]
    if len(found) > MAX_PRINTED_MEMBERS:
        lines.append(
            screen.names.say(
                _(
                    "... and {n} more: type more of the name",
                    n=str(len(found) - MAX_PRINTED_MEMBERS),
                )
            )
        )
    if not found:
        colon = screen.names.colon
        shown = (
            *(f"{head}{colon}{contents}" for head, contents in screen.places() if contents),
            *screen.tracks(),
            *screen.pools(),
        )
        lines = [
            screen.names.say(_("in {what}", what=line))
            for line in shown
            if folded in line.casefold()
        ]
    return lines


def _occurs(folded: str, name: str) -> bool:
    """Return True if a text occurs in a name. A text of one or two characters must be a whole
    word.
    """
    return folded in (re.findall(r"\w+", name) if len(folded) <= SHORT else name)


def _members(screen: Screen) -> Iterator[tuple[int, int]]:
    """Yield the members that the observer may know, of all kinds that matter to players."""
    program = screen.program
    for at, kind in enumerate(program.kinds):
        if kind.own:
            continue
        yield from ((at, i) for i in range(len(kind.members)) if screen.observer.knows(at, i))


def _names(screen: Screen, kind: int, member: int) -> tuple[str, str, str]:
    id = screen.program.kinds[kind].members[member]
    return id, id.rsplit(".", 1)[-1], screen.names.label(kind, member)


def _entry(screen: Screen, kind: int, member: int, options: Sequence[Option]) -> Iterator[str]:
    id, short, label = _names(screen, kind, member)
    info = screen.program.kinds[kind]
    known = [
        _stands(screen, kind, member),
        _lies(screen, kind, member),
        *screen.changed(kind, member),
        *screen.keyed(kind, member),
        _facts(screen, info, member),
    ]
    facts = screen.names.semicolon.join(each for each in known if each)
    sort = screen.names.text(f"kind.{info.name}", tidy(info.name))
    yield (
        f"{id}{f' {label}' if label not in (id, short) else ''}"
        f" ({sort}){screen.names.colon + facts if facts else ''}"
    )
    if known[0] == screen.names.say(_("not on the board")):
        yield from (f"    {line}" for line in _listed(screen, kind, member))
    yield from (f"    {text}" for text in effects(screen.names, kind, member))
    held = screen.standing_at(kind, member)
    if held:
        yield f"    {held}"
    able = [
        f"{number} {option.label}"
        for number, option in enumerate(options, 1)
        if id in option.params.values()
    ]
    if able:
        more = f", ... ({len(able)})" if len(able) > CHOICES else ""
        yield "    " + screen.names.say(_("can: {what}", what=", ".join(able[:CHOICES]) + more))


def _stands(screen: Screen, kind: int, member: int) -> str:
    cell = screen.names.place_cells.get(kind)
    if cell is None or not screen.observer.sees(screen.program.cells.index(cell), (member,)):
        return ""
    place = screen.state.raw(cell, (member,))
    return (
        screen.names.say(_("stands at {at}", at=screen.names.label(cell.type.kind, place)))
        if place >= 0
        else screen.names.say(_("not on the board"))
    )


def _lies(screen: Screen, kind: int, member: int) -> str:
    """Return the pool that contains a thing, if the observer may know it."""
    id = screen.program.kinds[kind].members[member]
    for at, cell in enumerate(screen.program.cells):
        if (
            cell.pool
            and not cell.hidden
            and cell.type.kind == kind
            and not screen.names.is_silent(f"cell.{cell.name}")
        ):
            for name, pool in screen.observer.pool(at).items():
                if id in pool["members"]:
                    return screen.names.say(_("in {what}", what=screen.pool_text(cell, name)))
    return ""


def _listed(screen: Screen, kind: int, member: int) -> Iterator[str]:
    """Yield the things that have a member in a set of their data (for example the reinforcement
    with which it arrives), with their other data.
    """
    for at, other in enumerate(screen.program.kinds):
        holding = [
            values
            for type, values in other.fixed.values()
            if type.form == "set" and type.kind == kind
        ]
        for i in range(len(other.members)):
            if any(values[i] >> member & 1 for values in holding) and screen.observer.knows(at, i):
                sort = screen.names.text(f"kind.{other.name}", tidy(other.name))
                facts = _facts(screen, other, i, False)
                yield (
                    f"{screen.names.label(at, i)}"
                    f" ({sort}){screen.names.colon + facts if facts else ''}"
                )


def _facts(screen: Screen, kind: KindInfo, member: int, sets: bool = True) -> str:
    """Return the data of a member. With `sets`, include the other members that belong to it."""
    texts = []
    for name, (type, values) in kind.fixed.items():
        if type.form in ("member", "set") and screen.program.kinds[type.kind].own:
            continue  # internal to the sequence of play, not a thing of the game
        value, text = values[member], screen.names.text(f"fixed.{name}", tidy(name))
        if (type.form == "member" and value >= 0) or (type.form == "int" and value):
            texts.append(f"{text} {screen.names.shown(type, value)}")
        elif type.form == "bool" and value:
            texts.append(text)
        elif type.form == "set" and value and sets:
            texts.append(
                f"{text}{screen.names.colon}"
                f"{' '.join(screen.short(type.kind, i) for i in members(value))}"
            )
    return ", ".join(texts[:8])
