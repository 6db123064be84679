"""Auto-pass: a player's wish that windows are passed without asking them. It belongs to the seat.
The windows open as usual.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import Message, _
from rulekit.engine.game.state import State
from rulekit.engine.kernel.decision import Decision
from rulekit.engine.kernel.names import tidy
from rulekit.runtime.records import PhaseBegun, kind_of
from rulekit.runtime.slots import DIE_ROLLED, DRAWN, FINISHED, FIRST_EVENT, PHASE_BEGUN, REVEALED

PASS = "pass"
_HAPPENINGS = (DIE_ROLLED, DRAWN, REVEALED, FINISHED)

_OF_ALL = {
    "game": _("all windows are passed for the game"),
    "turn": _("all windows are passed for this turn"),
    "event": _("all windows are passed until something happens"),
}
_OF_MOMENT = {
    "game": _("windows of '{what}' are passed for the game"),
    "turn": _("windows of '{what}' are passed for this turn"),
    "event": _("windows of '{what}' are passed until something happens"),
}


@define
class Wish:
    """A wish to pass windows.

    Attributes:
        moment: the moment of the windows, None for all.
        span: its duration. `event` lasts until something happens, `turn` for a turn, `game` for the
            game. `asked` lasts until the player has another decision or somebody plays something in
            a window.
        since: the number of events before it.
        choices: the number of choices before it.
    """

    moment: str | None
    span: str
    since: int
    turn: str = ""
    choices: int = 0


@define
class Skips:
    """The auto-pass wishes of all seats."""

    _wishes: dict[str, list[Wish]] = field(factory=dict)

    def clear(self) -> None:
        """Drop all wishes."""
        self._wishes.clear()

    def set(self, state: State, asked: Decision, words: Sequence[str]) -> str:
        """Store a wish from the words `[all] [turn|game]` or `off`. Return its meaning as text."""
        wanted = [w.casefold() for w in words]
        strange = [w for w in wanted if w not in ("all", "turn", "game", "off")]
        if strange:
            raise RulekitError(
                state.names.say(
                    _("skip what? [all] [turn|game], or off; not {text}", text=repr(strange[0]))
                )
            )
        if "off" in wanted:
            self._wishes.pop(asked.player, None)
            return state.names.say(_("you decide at every window again"))
        if asked.kind != "window" and "all" not in wanted:
            raise RulekitError(
                state.names.say(
                    _("this is not a window: `skip all turn` passes all windows of this turn")
                )
            )
        span = "game" if "game" in wanted else "turn" if "turn" in wanted else "event"
        moment = None if "all" in wanted or asked.moment is None else asked.moment
        self._wishes.setdefault(asked.player, []).append(
            Wish(moment, span, len(state.events), _turn(state))
        )
        moment_text = state.names.text(f"moment.{moment}", tidy(moment)) if moment else ""
        return (_OF_MOMENT if moment else _OF_ALL)[span].text(state.names.lang, what=moment_text)

    def pass_all(self, state: State, asked: Decision) -> Message:
        """Pass the player's windows until they have another decision or somebody plays something in
        a window. Return the message for the player.
        """
        self._wishes.setdefault(asked.player, []).append(
            Wish(None, "asked", len(state.events), "", state.move_number())
        )
        return _("windows are passed until you get another decision or something is played in one")

    def passes(self, state: State, asked: Decision) -> bool:
        """Return True if this decision is a window that its player wants to pass."""
        if asked.player not in self._wishes:
            return False
        if asked.kind != "window":
            self._wishes[asked.player] = [
                w for w in self._wishes[asked.player] if w.span != "asked"
            ]
        if asked.kind != "window" or not any(o.key == PASS for o in asked.options):
            return False
        self._wishes[asked.player] = [w for w in self._wishes[asked.player] if _holds(state, w)]
        return any(w.moment is None or w.moment == asked.moment for w in self._wishes[asked.player])


def _turn(state: State) -> str:
    """Return the name of the phase with which each turn begins: the first that began inside the
    outermost phase. Return '' if none has.
    """
    procs = state.table.program.procs
    begun = (
        procs[PhaseBegun.of(record).procedure]
        for record in state.log
        if kind_of(record) == PHASE_BEGUN
    )
    return next((proc.name for proc in begun if proc.callers > 0), "")


def _holds(state: State, wish: Wish) -> bool:
    if wish.span == "game":
        return True
    if wish.span == "asked":
        return not _played(state, wish.choices)
    for at in range(wish.since, len(state.log)):
        record = state.log[at]
        kind = kind_of(record)
        reveals = kind >= FIRST_EVENT and state.table.program.events[kind - FIRST_EVENT].reveals
        if wish.span == "event" and (kind in _HAPPENINGS or reveals):
            return False
        if (
            wish.span == "turn"
            and kind == PHASE_BEGUN
            and state.table.program.procs[PhaseBegun.of(record).procedure].name == wish.turn
        ):
            return False
    wish.since = len(state.log)
    return True


def _played(state: State, since: int) -> bool:
    """Return True if anybody has played something in a window after the first `since` choices."""
    program = state.table.program
    families = {
        at for info in program.decisions[1:] if info.kind == "window" for at in info.families
    }
    played = {program.families[at].base for at in families if program.families[at].what != PASS}
    return any(state.table.book.family(mark.option).base in played for mark in state.marks[since:])
