"""Previews in words for the player to decide: the certain effects of an option, the odds of a roll,
and the places that a group can reach.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from attrs import define, field, frozen

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.explain.refusals import step_price
from rulekit.engine.game.state import State
from rulekit.engine.kernel.decision import Option
from rulekit.engine.kernel.names import Names, tidy
from rulekit.engine.search.agent_registry import victory_total
from rulekit.presentation.decision import Points
from rulekit.presentation.drawing import drawing_of, owners
from rulekit.presentation.forecast import Forecast, ReachablePlace
from rulekit.presentation.odds import Change, OddsResult, Way
from rulekit.presentation.seat import Seat

MAX_OPTIONS_WITH_OUTCOMES = 40  # options for which consequences are printed

_ENDS = {
    "roll": _("a roll"),
    "draw": _("a draw"),
    "over": _("the game ends"),
    "hidden": _("the rest depends on something you may not know"),
}
_BETWEEN = {
    "window": _("another player may answer on the way"),
    "choice": _("a choice comes on the way"),
    "die": _("a roll comes on the way"),
    "draw": _("a draw comes on the way"),
    "reveal": _("something is shown on the way"),
    "hidden": _("the way depends on something you may not know"),
    "error": _("an error in the rules stops it on the way"),
}
_STOPS = {
    "nowhere": _("there is nowhere to go"),
    "end": _("there is nowhere to go"),
    "group": _("name the pieces of the group: paths PIECES"),
    "choice": _("another choice comes first"),
    "add": _("{what} cannot go along"),
    "key": _("{key} is not possible here"),
    "several": _("it can begin in several ways: {leads}"),
    "window": _("another player may answer first"),
    "die": _("a roll comes first"),
    "draw": _("a draw comes first"),
    "reveal": _("something is shown first"),
    "hidden": _("it depends on something you may not know"),
    "error": _("an error in the rules stops it there"),
}


def cost_text(names: Names, cost: Iterable[Points]) -> str:
    """Return the amounts of each unit as text, '' if there is no cost."""
    sums: dict[str, int | None] = {}
    for points in cost:
        unit = points.unit or ""
        before = sums.get(unit, 0)
        sums[unit] = None if before is None or points.amount is None else before + points.amount
    amounts = (
        f"{'?' if n is None else n} {names.unit(unit) if unit else ''}".strip()
        for unit, n in sums.items()
        if n != 0
    )
    return ", ".join(amounts)


# ------------------------------------------------------------------------------------- consequences
@frozen
class Consequence:
    """The effects of an option until the next decision.

    Attributes:
        lost: the player's own pieces that are lost, whatever is rolled.
        weakened: the player's own pieces that are weakened, whatever is rolled.
        risked: the player's own pieces that some results lose.
        points: the changes of victory points by side, if all results agree.
    """

    lost: tuple[str, ...] = ()
    weakened: tuple[str, ...] = ()
    risked: tuple[str, ...] = ()
    points: tuple[tuple[str, int], ...] = ()
    rolls: bool = False
    draws: bool = False
    over: bool = False

    def is_harm(self, side: str) -> bool:
        """Return True if the side loses something for good."""
        return bool(self.lost) or self.gain(side) < 0

    def gain(self, side: str) -> int:
        """Return the change of a side's points."""
        return sum(n for who, n in self.points if who == side)


@frozen
class _Roles:
    """The states in which a piece is away or weakened, and the owner of each piece."""

    side: str
    where: frozenset[str]
    weak: str
    owner: dict[str, str | None] = field(hash=False)

    def lost(self, result: OddsResult) -> list[str]:
        return [
            c.of
            for c in result.changes
            if self._own(c) and c.cell in self.where and c.before is not None and c.after is None
        ]

    def weakened(self, result: OddsResult) -> list[str]:
        return [
            c.of for c in result.changes if self._own(c) and c.cell == self.weak and c.after is True
        ]

    def _own(self, change: Change) -> bool:
        return self.owner.get(change.of) == self.side


def _roles(seat: Seat, side: str) -> _Roles:
    names = seat.observer.names
    where = frozenset(cell.name for cell in names.place_cells.values())
    owner = {id: who for kind in names.place_cells for id, who in owners(names, kind).items()}
    return _Roles(side, where, str(drawing_of(names).get("counter", {}).get("reduced", "")), owner)


def _everywhere(lists: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(id for id in (lists[0] if lists else ()) if all(id in each for each in lists))


def consequence(seat: Seat, key: str, side: str) -> Consequence:
    """Return the effects of an offered option. They are empty if they cannot be determined."""
    try:
        [way] = seat.odds(key).ways
    except RulekitError:
        return Consequence()
    roles, results = _roles(seat, side), way.results
    gone = [roles.lost(result) for result in results]
    lost = _everywhere(gone)
    weakened = _everywhere([roles.weakened(result) for result in results])
    risked = tuple(dict.fromkeys(id for each in gone for id in each if id not in lost))
    first = results[0].points if results else {}
    points = tuple(
        (who, n)
        for who, n in first.items()
        if n and all(result.points.get(who) == n for result in results)
    )
    return Consequence(
        lost,
        tuple(id for id in weakened if id not in lost),
        risked,
        points,
        any(result.rolls or result.end == "roll" for result in results),
        any(result.end == "draw" for result in results),
        bool(results) and all(result.end == "over" for result in results),
    )


def victory_points(seat: Seat, who: int) -> int | None:
    """Return a player's victory points, or None if they are not a number or the player may not know
    them.
    """
    state = seat.state
    try:
        value = state.explain(victory_total(state), state.names.sides[who], observer=who).value
    except RulekitError:
        return None
    return value if isinstance(value, int) else None


def victory_label(state: State) -> str:
    """Return the name of the victory points as people read it."""
    total = victory_total(state)
    return state.names.text(f"total.{total}", tidy(total)) if total else ""


def is_away(seat: Seat, id: str) -> bool:
    """Return True if a piece is nowhere."""
    names = seat.observer.names
    cells = [
        (cell, names.ordinals[kind][id])
        for kind, cell in names.place_cells.items()
        if id in names.ordinals[kind]
    ]
    return all(seat.state.raw(cell, (piece,)) < 0 for cell, piece in cells)


def consequence_texts(seat: Seat, found: Consequence) -> list[str]:
    """Return the effects in words, one item for each part."""
    names, called = seat.observer.names, victory_label(seat.state)
    sides = names.program.sides
    points = ", ".join(f"{names.label(sides, names.side(who))} {n:+d}" for who, n in found.points)
    parts = [
        (found.lost, _("{what} lost for good")),
        (found.weakened, _("{what} weakened")),
        (found.risked, _("{what} at risk")),
    ]
    out = [message.text(names.lang, what=listed(names, ids)) for ids, message in parts if ids]
    out += [f"{called}{names.colon}{points}"] if points else []
    return out + [
        names.say(message)
        for here, message in (
            (found.rolls, _ENDS["roll"]),
            (found.draws, _ENDS["draw"]),
            (found.over, _ENDS["over"]),
        )
        if here
    ]


def beside(state: State, who: int, options: Sequence[Option]) -> dict[int, str]:
    """Return the text next to each option by the option's id: its cost and its certain effects.

    The cost is left out of steps, which show it anyway. A roll or draw is mentioned only if some
    options lead to none. The result is empty if there are too many options.
    """
    seat, side = Seat(state, who), state.names.sides[who]
    asked = seat.decision() if len(options) <= MAX_OPTIONS_WITH_OUTCOMES else None
    parts, harmful = dict[int, list[str]](), set[int]()
    for option, offered in zip(options, (asked and asked.options) or (), strict=False):
        cost = (
            ""
            if offered.ends_at is not None or step_price(state, option.id)
            else cost_text(state.names, offered.cost)
        )
        found = consequence(seat, option.key, side)
        parts[option.id] = [*([cost] if cost else []), *consequence_texts(seat, found)]
        harmful |= {option.id} if found.is_harm(side) else set()
    chance = {state.names.say(_ENDS[each]) for each in ("roll", "draw")}
    always = chance.intersection(*parts.values())
    shown = {id: [part for part in each if part not in always] for id, each in parts.items()}
    return {
        id: f"{' !' if id in harmful else ''} ({state.names.semicolon.join(each)})"
        for id, each in shown.items()
        if each
    }


def listed(names: Names, ids: Iterable[str]) -> str:
    """Return the labels of things, separated by commas."""
    return ", ".join(label(names, id) for id in ids)


def label(names: Names, id: str) -> str:
    """Return the label of a piece or a place."""
    kinds = [*names.place_cells, *(cell.type.kind for cell in names.place_cells.values())]
    return next(
        (
            names.label(kind, names.ordinals[kind][id])
            for kind in kinds
            if id in names.ordinals[kind]
        ),
        id,
    )


# --------------------------------------------------------------------------------------------- odds
@define
class _Bundle:
    """Results that differ only in their dice.

    Attributes:
        lines: the lines of the log that all of them have.
    """

    first: OddsResult
    chance: Fraction
    rolls: list[str]
    lines: list[str]


def _bundles(results: Sequence[OddsResult], numbers: set[str]) -> list[_Bundle]:
    """Group results that differ only in their dice. `numbers` are the lines that report only a
    roll.
    """
    echoes, found = _echoes(results), dict[Any, _Bundle]()
    for result in results:
        params = (
            {k: v for k, v in result.outcome.params.items() if k not in echoes}
            if result.outcome
            else {}
        )
        dice = "+".join(str(roll.value) for roll in result.rolls)
        same = repr(
            (
                result.outcome and result.outcome.name,
                params,
                result.outcome and result.outcome.printed,
                result.changes,
                result.points,
                result.end,
                None if result.outcome else [line for line in result.lines if line not in numbers],
            )
        )
        known = found.get(same)
        if known is None:
            found[same] = _Bundle(result, result.chance, [dice], list(result.lines))
        else:
            known.chance += result.chance
            known.rolls += [dice] if dice not in known.rolls else []
            known.lines = [line for line in known.lines if line in result.lines]
    return list(found.values())


def _echoes(results: Sequence[OddsResult]) -> set[str]:
    """Return the names of the outcome's values that only repeat the die."""
    first = results[0].outcome if results else None
    out = set()
    for name in first.params if first else ():
        over = {
            (
                value - result.rolls[-1].value
                if result.outcome and result.rolls and isinstance(value, int)
                else None
            )
            for result in results
            for value in [result.outcome.params.get(name) if result.outcome else None]
        }
        if len(over) == 1 and None not in over:
            out.add(name)
    return out


def _roll_lines(results: Sequence[OddsResult]) -> set[str]:
    """Return the lines that report only a roll: every result has them, with its own number."""

    def blank(result: OddsResult, line: str) -> str:
        return (
            re.sub(rf"\b{result.rolls[-1].value}\b", "#", line, count=1) if result.rolls else line
        )

    blanks = [{blank(result, line) for line in result.lines} for result in results]
    return (
        {
            line
            for result in results
            for line in result.lines
            if "#" in blank(result, line) and all(blank(result, line) in each for each in blanks)
        }
        if len(results) > 1
        else set()
    )


def _common(texts: Sequence[str]) -> str:
    """Return the common beginning of all texts, up to the end of a sentence or part."""
    if len(texts) <= 1:
        return ""
    first, last = min(texts), max(texts)  # a common beginning of these two is one of all
    head = first[
        : next(
            (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b),
            min(len(first), len(last)),
        )
    ]
    return head[
        : max(head.rfind(end) + len(end) if end in head else 0 for end in (". ", "; ", " ; "))
    ]


def odds_lines(names: Names, way: Way) -> list[str]:
    """Return lines for each result of a roll: the chance, the dice and the effects."""
    if not any(result.rolls for result in way.results):
        return [
            way.label
            + names.colon
            + names.say(
                _ENDS["hidden"] if way.hidden else _("it leads to no roll before the next decision")
            )
        ]
    numbers = _roll_lines(way.results)
    found = _bundles(way.results, numbers)
    dice = [", ".join(each.rolls) for each in found]
    wide, broad = max(map(len, dice)), max(len(str(each.chance)) for each in found)
    texts = []
    for each in found:
        ends = [names.say(_ENDS[each.first.end])] if each.first.end in _ENDS else []
        texts.append(
            names.semicolon.join(
                [*(line.strip() for line in each.lines if line not in numbers), *ends]
            )
        )
    head = _common(texts)
    out = [f"{way.label}{names.colon}{head.rstrip(' ;')}".rstrip()]
    for rolled, each, text in zip(dice, found, texts, strict=True):
        out.append(
            f"  {each.chance!s:>{broad}} {float(each.chance) * 100:5.1f} %  {rolled:<{wide}} "
            f" {text[len(head) :]}".rstrip()
        )
    if not way.complete:
        out.append("  " + names.say(_("further rolls follow")))
    return out + ([f"  {names.say(_ENDS['hidden'])}"] if way.hidden else [])


# -------------------------------------------------------------------- places that a group can reach
def paths_lines(names: Names, found: Forecast) -> list[str]:
    """Return a line for each reachable place with the path and its cost, or the reason why there is
    none.
    """
    out = []
    if found.left is not None and found.left.amount is not None:
        out.append(names.say(_("{n} left", n=cost_text(names, [found.left]) or "0")))
    between = {reach.stopped_by for reach in found.places}
    ways = [
        (label(names, reach.place), _path(names, reach, len(between) > 1)) for reach in found.places
    ]
    if any(way for _, way in ways):
        out += [place + (names.colon + way if way else "") for place, way in ways]
    elif ways:
        out.append(", ".join(place for place, _ in ways))
    if len(between) == 1 and (always := between.pop()):
        out.append(names.say(_BETWEEN[always]))
    if not found.places:
        leads = names.semicolon.join(" ".join(keys) for keys in found.leads)
        verb, __, id = (found.refused or "").partition(" ")
        why = (
            "add" if found.stopped_by == "key" and verb == "add" else found.stopped_by or "nowhere"
        )
        out.append(
            _STOPS[why].text(
                names.lang,
                key=repr(found.refused or ""),
                what=label(names, id),
                leads=leads,
            )
        )
    return out


def _path(names: Names, reach: ReachablePlace, differ: bool) -> str:
    """Return the total cost of a path and its text to type if it has intermediate places. The
    automatic steps at its end are included.

    Args:
        differ: include the possible interruption of this path.
    """
    cost = cost_text(names, reach.cost)
    steps = [key.split(" ")[1] for key in reach.keys if key.startswith("to ")]
    steps += [reach.place] if steps and steps[-1] != reach.place else []
    via = (
        " ".join(f"{names.say(_('to'))} {id.rsplit('.', 1)[-1]}" for id in steps)
        if len(steps) > 1
        else ""
    )
    fight = reach.fight and names.say(_("a fight at {at}", at=label(names, reach.fight[1])))
    stay = (
        ""
        if reach.may_stop
        else names.say(
            _("cannot stay there") if reach.may_stop is False else _("perhaps cannot stay there")
        )
    )
    between = names.say(_BETWEEN[reach.stopped_by]) if differ and reach.stopped_by else ""
    parts = [cost, via, fight, stay, between]
    return names.semicolon.join(part for part in parts if part)


def pieces_of(seat: Seat, words: Sequence[str], side: str) -> list[str] | None:
    """Return the pieces that words name, those of a side first. Return None if a word names
    none.
    """
    names, out = seat.observer.names, []
    for word in words:
        meant = [
            id
            for kind in names.place_cells
            for i, id in enumerate(names.program.kinds[kind].members)
            if word.casefold()
            in (
                id.casefold(),
                id.rsplit(".", 1)[-1].casefold(),
                names.shorts[kind][i].casefold(),
                names.label(kind, i).casefold(),
            )
            and seat.observer.knows(kind, i)
        ]
        whose = {id: who for kind in names.place_cells for id, who in owners(names, kind).items()}
        if not meant:
            return None
        out.append(next((id for id in meant if whose.get(id) == side), meant[0]))
    return out
