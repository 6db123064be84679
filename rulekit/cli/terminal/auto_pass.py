"""Takes a player's wish not to be asked, makes passes in windows. It belongs to the seat: the
window opens all the same."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulekit.common.errors import RulekitError
from rulekit.engine.game.state import State
from rulekit.engine.kernel.decision import Decision
from rulekit.engine.kernel.names import tidy
from rulekit.runtime.slots import DIE_ROLLED, DRAWN, FINISHED, FIRST_EVENT, PHASE_BEGUN, REVEALED

PASS = "pass"
_HAPPENINGS = (DIE_ROLLED, DRAWN, REVEALED, FINISHED)


@define
class Wish:
    """Pass windows of a moment (None: all). `span`: until something happens (event), for a turn,
    for the game, or until one is asked something else or another plays something in a window
    (asked). `since`: events before it; `choices`: choices before it.
    """

    moment: str | None
    span: str
    since: int
    turn: str = ""
    choices: int = 0


@define
class Skips:
    """The wishes of all seats."""

    _wishes: dict[str, list[Wish]] = field(factory=dict)

    def clear(self) -> None:
        """Everybody is asked again."""
        self._wishes.clear()

    def set(self, state: State, asked: Decision, words: Sequence[str]) -> str:
        """Takes a wish from words: [all] [turn|game], or off. Returns what it means."""
        wanted = [w.casefold() for w in words]
        strange = [w for w in wanted if w not in ("all", "turn", "game", "off")]
        if strange:
            raise RulekitError(state.names.word("skip_what", text=repr(strange[0])))
        if "off" in wanted:
            self._wishes.pop(asked.player, None)
            return state.names.word("skip_off")
        if asked.kind != "window" and "all" not in wanted:
            raise RulekitError(state.names.word("no_window"))
        span = "game" if "game" in wanted else "turn" if "turn" in wanted else "event"
        moment = None if "all" in wanted or asked.moment is None else asked.moment
        self._wishes.setdefault(asked.player, []).append(
            Wish(moment, span, len(state.events), _turn(state))
        )
        told = state.names.text(f"moment.{moment}", tidy(moment)) if moment else ""
        return state.names.word(f"skip.{span}.one" if moment else f"skip.{span}", what=told)

    def pass_all(self, state: State, asked: Decision) -> str:
        """Passes the windows of the player who is asked until he is asked something else, or
        another plays something in a window. Returns the key of the words for it."""
        self._wishes.setdefault(asked.player, []).append(
            Wish(None, "asked", len(state.events), "", state.choices_count())
        )
        return "skip.asked"

    def passes(self, state: State, asked: Decision) -> bool:
        """Is this decision a window that its player wants passed?"""
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
    """The phase with which every turn begins: the first that has begun inside the one around all
    others; '' if none has."""
    procs = state.table.program.procs
    begun = (procs[record[1]] for record in state.log if record[0] == PHASE_BEGUN)
    return next((proc.name for proc in begun if proc.callers > 0), "")


def _holds(state: State, wish: Wish) -> bool:
    if wish.span == "game":
        return True
    if wish.span == "asked":
        return not _played(state, wish.choices)
    for at in range(wish.since, len(state.log)):
        record = state.log[at]
        reveals = (
            record[0] >= FIRST_EVENT and state.table.program.events[record[0] - FIRST_EVENT].reveals
        )
        if wish.span == "event" and (record[0] in _HAPPENINGS or reveals):
            return False
        if (
            wish.span == "turn"
            and record[0] == PHASE_BEGUN
            and state.table.program.procs[record[1]].name == wish.turn
        ):
            return False
    wish.since = len(state.log)
    return True


def _played(state: State, since: int) -> bool:
    """Has anybody chosen something other than to pass in a window, since so many choices?"""
    program = state.table.program
    families = {
        at for info in program.decisions[1:] if info.kind == "window" for at in info.families
    }
    played = {program.families[at].base for at in families if program.families[at].what != PASS}
    return any(state.table.book.family(mark[2]).base in played for mark in state.marks[since:])
