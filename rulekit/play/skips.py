"""Takes a player's wish not to be asked, makes passes in windows. It belongs to the seat: the window opens all the same."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulekit.base.errors import RulekitError
from rulekit.play.decision import Decision
from rulekit.play.state import State
from rulekit.program.program import DIE_ROLLED, DRAWN, FINISHED, FIRST_EVENT, PHASE_BEGUN, REVEALED

PASS = "pass"
_SPANS = {"game": "for the game", "turn": "for this turn", "event": "until something happens"}
_HAPPENINGS = (DIE_ROLLED, DRAWN, REVEALED, FINISHED)


@define
class Wish:
    """Pass windows of a moment (None: all) until something happens, for a turn, or for the game. `since`: events before it."""

    moment: str | None
    span: str
    since: int
    turn: str = ""


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
            raise RulekitError(f"skip what? [all] [turn|game], or off; not {strange[0]!r}")
        if "off" in wanted:
            self._wishes.pop(asked.player, None)
            return "you are asked at every window again"
        if asked.kind != "window" and "all" not in wanted:
            raise RulekitError("this is no window: `skip all turn` passes all windows of this turn")
        span = "game" if "game" in wanted else "turn" if "turn" in wanted else "event"
        moment = None if "all" in wanted or asked.moment is None else asked.moment
        self._wishes.setdefault(asked.player, []).append(Wish(moment, span, len(state.events), _turn(state)))
        what = f"windows of {moment.replace('_', ' ')!r}" if moment else "all windows"
        return f"{what} are passed {_SPANS[span]}"

    def passes(self, state: State, asked: Decision) -> bool:
        """Is this decision a window that its player wants passed?"""
        if asked.kind != "window" or asked.player not in self._wishes or not any(o.key == PASS for o in asked.options):
            return False
        self._wishes[asked.player] = [w for w in self._wishes[asked.player] if _holds(state, w)]
        return any(w.moment is None or w.moment == asked.moment for w in self._wishes[asked.player])


def _outer(state: State) -> int:
    """The outermost phase that is going on (its index), -1 if there is none."""
    program = state.table.program
    phases = [i for i, p in enumerate(program.procs) if p.word == "phase" and state.running(i)]
    running = [(len(chain) if (chain := program.procs[i].chain) is not None else 99, i) for i in phases]
    return min(running)[1] if running else -1


def _turn(state: State) -> str:
    outer = _outer(state)
    return state.table.program.procs[outer].name if outer >= 0 else ""


def _holds(state: State, wish: Wish) -> bool:
    if wish.span == "game":
        return True
    for at in range(wish.since, len(state._log)):
        record = state._log[at]
        reveals = record[0] >= FIRST_EVENT and state.table.program.events[record[0] - FIRST_EVENT].reveals
        if wish.span == "event" and (record[0] in _HAPPENINGS or reveals):
            return False
        if wish.span == "turn" and record[0] == PHASE_BEGUN and state.table.program.procs[record[1]].name == wish.turn:
            return False
    wish.since = len(state._log)
    return True
