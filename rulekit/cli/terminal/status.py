"""The lines of a decision that a player needs: the moving pieces, the picked ones, and the current
totals.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.explain.annotations import note
from rulekit.engine.game.state import State
from rulekit.engine.kernel.decision import Option
from rulekit.engine.kernel.names import NO_LIMIT, tidy
from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.observation import Observer
from rulekit.runtime.intrinsics import members
from rulekit.runtime.program import TotalInfo


def lines(state: State, player: int) -> list[str]:
    """Return the lines above the options of the decision."""
    asked = state.decision
    viewer = Observer(state, player)
    if asked is None:
        return []
    if asked.kind == "walk":
        return _walk(viewer)
    if asked.kind == "group":
        return _picked(viewer)
    return _totals(viewer) if asked.kind == "window" else []


def _labels(viewer: Observer, kind: int, mask: int) -> str:
    return ", ".join(
        viewer.names.label(kind, i) if viewer.knows(kind, i) else "?" for i in members(mask)
    )


def notes(viewer: Observer, options: Sequence[Option]) -> dict[int, str]:
    """Return notes by id for the options that each name one thing.

    A note has the game's text (such as the strength of a piece) and the flags of the thing. It has
    the place if not all of them are in the same one.
    """
    found: dict[int, tuple[str, str, str]] = {}
    for option in options:
        family = viewer.state.table.book.family(option.id)
        if family.what not in ("add", "pick", "option", "tie") or len(family.params) != 1:
            continue
        kind, member = (
            family.params[0].kind,
            viewer.state.table.book.arguments(family, option.id)[0],
        )
        if kind < 0 or member < 0 or not viewer.knows(kind, member):
            continue
        said, cell = note(viewer, kind, member), viewer.names.place_cells.get(kind)
        if cell is not None:
            place = (
                viewer.state.raw(cell, (member,))
                if viewer.sees(viewer.program.cells.index(cell), (member,))
                else -1
            )
            found[option.id] = (
                said,
                viewer.names.label(cell.type.kind, place) if place >= 0 else "",
                _flags(viewer, kind, member),
            )
        elif said:
            found[option.id] = said, "", ""
    several = len({place for _, place, _ in found.values()}) > 1
    told = {
        id: ", ".join(filter(None, [said, place if several else "", flags]))
        for id, (said, place, flags) in found.items()
    }
    return {id: f" ({text})" for id, text in told.items() if text}


def _flags(viewer: Observer, kind: int, piece: int) -> str:
    """Return the lasting flags that are set for a piece."""
    up = [
        cell
        for at, cell in enumerate(viewer.program.cells)
        if cell.owner == kind
        and len(cell.keys) == 1
        and cell.type.form == "bool"
        and not cell.hidden
        and viewer.sees(at, (piece,))
        and viewer.state.raw(cell, (piece,)) != cell.initial
        and not viewer.names.untold(f"cell.{cell.name}")
    ]
    return ", ".join(viewer.names.text(f"cell.{cell.name}", tidy(cell.name)).lower() for cell in up)


def _walk(viewer: Observer) -> list[str]:
    state, names = viewer.state, viewer.names
    proc = viewer.program.procs[state.asking.proc]
    known = {v.name: (v.type, state.held(v)) for v in proc.vars if v.slot >= 0}
    group = next(
        (
            (v.type, state.held(v))
            for v in proc.vars[: proc.params]
            if v.type.form == "set" and v.slot >= 0
        ),
        None,
    )
    told = [_labels(viewer, group[0].kind, group[1])] if group else []
    start, at, fuel = (known.get(name) for name in ("start", "at", "fuel"))
    if start is not None:
        told.append(names.say(_("from {at}", at=names.shown(*start))))
    if at is not None and at != start:
        told.append(names.say(_("now at {at}", at=names.shown(*at))))
    if fuel is not None and fuel[1] < NO_LIMIT // 2:
        told.append(names.say(_("{n} left", n=names.shown(*fuel))))
    return ["  " + names.semicolon.join(t for t in told if t)]


def _picked(viewer: Observer) -> list[str]:
    info = viewer.state.asking
    mask = viewer.state.slots[info.group_slot] if info.group_slot >= 0 else 0
    family = next(
        (
            viewer.program.families[at]
            for at in info.families
            if viewer.program.families[at].what == "add"
        ),
        None,
    )
    if not mask or family is None:
        return []
    return [
        "  "
        + viewer.names.say(
            _("picked so far: {what}", what=_labels(viewer, family.params[0].kind, mask))
        )
    ]


def _totals(viewer: Observer) -> list[str]:
    """Return the totals of the running procedures: those without parameters, and those of each
    player.
    """
    state, names, program = viewer.state, viewer.names, viewer.program
    told = []
    for total in program.totals:
        if total.context < 0 or not state.running(total.context):
            continue
        try:
            if not total.params:
                told.append(
                    f"{_called(state, total)} {_number(total, viewer.value_of(total.name))}"
                )
            elif [type.kind for _, type in total.params] == [program.sides]:
                each = [
                    f"{names.label(program.sides, i)} {viewer.value_of(total.name, side)}"
                    for i, side in enumerate(names.sides)
                ]
                told.append(f"{_called(state, total)}{names.colon}{', '.join(each)}")
        except RulekitError:
            continue
    return ["  " + names.semicolon.join(told)] if told else []


def _called(state: Position, total: TotalInfo) -> str:
    return state.names.text(f"total.{total.name}", tidy(total.name))


def _number(total: TotalInfo, value: object) -> str:
    """Return a number as text, with a sign if the total has only modifiers."""
    bare = all(clause.word not in ("base", "set") for clause in total.clauses)
    return f"{value:+d}" if bare and isinstance(value, int) else str(value)


def points(state: State, total: str) -> str:
    """Return the victory total of each player, '' if the game has none."""
    names, program = state.names, state.table.program
    info = next((t for t in program.totals if t.name == total), None)
    if (
        info is None
        or info.context >= 0
        or [type.kind for _, type in info.params] != [program.sides]
    ):
        return ""
    each = [
        f"{names.label(program.sides, i)} {state.value_of(total, side)}"
        for i, side in enumerate(names.sides)
    ]
    return f"{_called(state, info)}{names.colon}{', '.join(each)}"
