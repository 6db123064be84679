"""Make the choices of a plan one by one, up to the first decision that was not foreseen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import asdict, frozen

from rulekit.common.errors import RulesError
from rulekit.common.i18n.messages import _
from rulekit.engine.explain.refusals import why_text
from rulekit.engine.kernel.group_order import in_order, is_in, leading, next_of
from rulekit.engine.kernel.undo_barrier import barrier
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.knowledge.visibility import decision_of

_STOPS = {"die_was_rolled": "die", "was_drawn": "draw", "was_revealed": "reveal"}


@frozen
class Plan:
    """The outcome of a plan.

    Attributes:
        taken: The number of choices made.
        rest: The keys that were not taken.
        stopped_by: None if all were taken.
            "window" or "choice": another player decides.
            "die", "draw" or "reveal": the result could not be foreseen.
            "key": the next option is not offered.
            "error": the rules failed.
            "end": the game is over.
        why: For the last three, the reason in words.
    """

    taken: int
    rest: tuple[str, ...] = ()
    stopped_by: str | None = None
    why: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the value as plain data."""
        return asdict(self)


def plan(observer: Observer, keys: Sequence[str]) -> Plan:
    """Make the choices that the keys stand for, while the observer decides.

    Keys that add to a group are reordered into the order that the group requires.
    """
    state, rest, taken = observer.state, in_order(observer.names, keys), 0
    while rest:
        asked = decision_of(state)
        if asked is None:
            return Plan(taken, tuple(rest), "end", state.names.say(_("the game is over")))
        if state.current_player() != observer.me:
            return Plan(taken, tuple(rest), "window" if asked.kind == "window" else "choice")
        if rest[0] == "go" and asked.kind != "group":
            del rest[0]  # the group was complete, so this was taken without asking
            continue
        id, key = _next(observer, rest)
        if not id:
            if is_in(state.table.book, state.slots, rest[0]):
                del rest[0]  # it was taken without asking, as the only option
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


def _next(observer: Observer, rest: Sequence[str]) -> tuple[int, str]:
    """Return the id of the next option to take, and its key.

    The id is 0 if the option is not offered.
    """
    state, options = observer.state, observer.options()
    adds = leading(rest)
    if not state.is_terminal() and state.asking.kind == "group" and adds:
        found = next_of(
            state.table.book, state.slots, [o.id for o in options if observer.names_all(o.id)], adds
        )
        if found is not None:
            return found
    return next((o.id for o in options if o.key == rest[0]), 0), rest[0]
