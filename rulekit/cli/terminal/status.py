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
    observer = Observer(state, player)
    if asked is None:
        return []
    if asked.kind == "walk":
        return _walk(observer)
    if asked.kind == "group":
        return _picked(observer)
    return _totals(observer) if asked.kind == "window" else []


def _labels(observer: Observer, kind: int, mask: int) -> str:
    return ", ".join(
        observer.names.label(kind, i) if observer.knows(kind, i) else "?" for i in members(mask)
    )


def notes(observer: Observer, options: Sequence[Option]) -> dict[int, str]:
    """Return notes by id for the options that each name one thing.

    A note has the game's text (such as the strength of a piece) and the flags of the thing. It has
    the place if not all of them are in the same one.
    """
    found: dict[int, tuple[str, str, str]] = {}
    for option in options:
        family = observer.state.table.book.family(option.id)
        if family.what not in ("add", "pick", "option", "tie") or len(family.params) != 1:
            continue
        kind, member = (
            family.params[0].kind,
            observer.state.table.book.arguments(family, option.id)[0],
        )
        if kind < 0 or member < 0 or not observer.knows(kind, member):
            continue
        said, cell = note(observer, kind, member), observer.names.place_cells.get(kind)
        if cell is not None:
            place = (
                observer.state.raw(cell, (member,))
                if observer.sees(observer.program.cells.index(cell), (member,))
                else -1
            )
            found[option.id] = (
                said,
                observer.names.label(cell.type.kind, place) if place >= 0 else "",
                _flags(observer, kind, member),
            )
        elif said:
            found[option.id] = said, "", ""
    several = len({place for _, place, _ in found.values()}) > 1
    texts = {
        id: ", ".join(filter(None, [said, place if several else "", flags]))
        for id, (said, place, flags) in found.items()
    }
    return {id: f" ({text})" for id, text in texts.items() if text}


def _flags(observer: Observer, kind: int, piece: int) -> str:
    """Return the lasting flags that are set for a piece."""
    up = [
        cell
        for at, cell in enumerate(observer.program.cells)
        if cell.owner == kind
        and len(cell.keys) == 1
        and cell.type.form == "bool"
        and not cell.hidden
        and observer.sees(at, (piece,))
        and observer.state.raw(cell, (piece,)) != cell.initial
        and not observer.names.is_silent(f"cell.{cell.name}")
    ]
    return ", ".join(
        observer.names.text(f"cell.{cell.name}", tidy(cell.name)).lower() for cell in up
    )


def _walk(observer: Observer) -> list[str]:
    state, names = observer.state, observer.names
    proc = observer.program.procs[state.asking.proc]
    known = {v.name: (v.type, state.held(v)) for v in proc.vars if v.slot >= 0}
    group = next(
        (
            (v.type, state.held(v))
            for v in proc.vars[: proc.params]
            if v.type.form == "set" and v.slot >= 0
        ),
        None,
    )
    texts = [_labels(observer, group[0].kind, group[1])] if group else []
    start, at, fuel = (known.get(name) for name in ("start", "at", "fuel"))
    if start is not None:
        texts.append(names.say(_("from {at}", at=names.shown(*start))))
    if at is not None and at != start:
        texts.append(names.say(_("now at {at}", at=names.shown(*at))))
    if fuel is not None and fuel[1] < NO_LIMIT // 2:
        texts.append(names.say(_("{n} left", n=names.shown(*fuel))))
    return ["  " + names.semicolon.join(t for t in texts if t)]


def _picked(observer: Observer) -> list[str]:
    info = observer.state.asking
    mask = observer.state.slots[info.group_slot] if info.group_slot >= 0 else 0
    family = next(
        (
            observer.program.families[at]
            for at in info.families
            if observer.program.families[at].what == "add"
        ),
        None,
    )
    if not mask or family is None:
        return []
    return [
        "  "
        + observer.names.say(
            _("picked so far: {what}", what=_labels(observer, family.params[0].kind, mask))
        )
    ]


def _totals(observer: Observer) -> list[str]:
    """Return the totals of the running procedures: those without parameters, and those of each
    player.
    """
    state, names, program = observer.state, observer.names, observer.program
    texts = []
    for total in program.totals:
        if total.context < 0 or not state.running(total.context):
            continue
        try:
            if not total.params:
                texts.append(
                    f"{_called(state, total)} {_number(total, observer.value_of(total.name))}"
                )
            elif [type.kind for _, type in total.params] == [program.sides]:
                each = [
                    f"{names.label(program.sides, i)} {observer.value_of(total.name, side)}"
                    for i, side in enumerate(names.sides)
                ]
                texts.append(f"{_called(state, total)}{names.colon}{', '.join(each)}")
        except RulekitError:
            continue
    return ["  " + names.semicolon.join(texts)] if texts else []


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
