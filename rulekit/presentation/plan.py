"""Takes a viewer and keys of options, makes the choices one by one, up to the first that was not
foreseen: `Plan` tells how far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import asdict, frozen

from rulekit.common.errors import RulesError
from rulekit.engine.explain.refusals import why_text
from rulekit.engine.kernel.group_order import in_order, is_in, leading, next_of
from rulekit.engine.kernel.undo_barrier import barrier
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.knowledge.visibility import decision_of

_STOPS = {"die_was_rolled": "die", "was_drawn": "draw", "was_revealed": "reveal"}


@frozen
class Plan:
    """What became of a plan. `taken`: how many choices were made; `rest`: the keys that were not
    taken. `stopped_by`: None if all were; window or choice (another player is asked), die, draw,
    reveal (what comes now could not be foreseen), key (the next one is not offered), error (of the
    rules), end (the game is over); `why`: of the last three, in words."""

    taken: int
    rest: tuple[str, ...] = ()
    stopped_by: str | None = None
    why: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def plan(viewer: Observer, keys: Sequence[str]) -> Plan:
    """Makes the choices that keys stand for, where the viewer is asked; those that add to a group
    in the order that it must have."""
    state, rest, taken = viewer.state, in_order(viewer.names, keys), 0
    while rest:
        asked = decision_of(state)
        if asked is None:
            return Plan(taken, tuple(rest), "end", state.names.word("end_of_moves"))
        if state.current_player() != viewer.me:
            return Plan(taken, tuple(rest), "window" if asked.kind == "window" else "choice")
        if rest[0] == "go" and asked.kind != "group":
            del rest[0]  # the group was complete, so that was not asked
            continue
        id, key = _next(viewer, rest)
        if not id:
            if is_in(state.table.book, state.slots, rest[0]):
                del rest[0]  # it was the only possibility
                continue
            return Plan(
                taken, tuple(rest), "key", state.names.semicolon.join(why_text(state, rest[0]))
            )
        before = len(state.events)
        try:
            state.push(id)
        except RulesError as error:
            return Plan(taken, tuple(rest), "error", str(error))
        rest.remove(key)
        taken += 1
        unforeseen = barrier(state.table.program, state.log, before)
        if unforeseen and rest:
            return Plan(taken, tuple(rest), _STOPS[unforeseen])
    return Plan(taken)


def _next(viewer: Observer, rest: Sequence[str]) -> tuple[int, str]:
    """The option to take now, by id, and the key that stands for it; 0: it is not offered."""
    state, options = viewer.state, viewer.options()
    adds = leading(rest)
    if not state.is_terminal() and state.asking.kind == "group" and adds:
        found = next_of(
            state.table.book, state.slots, [o.id for o in options if viewer.names_all(o.id)], adds
        )
        if found is not None:
            return found
    return next((o.id for o in options if o.key == rest[0]), 0), rest[0]
