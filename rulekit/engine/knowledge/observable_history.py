"""The observable history of a game: the moves that one player can observe.

An observer gets new information only at certain moments. At such a moment, they would observe
something in every game that looks the same to them. Some questions are taken without asking if they
have only one answer (pick, group, walk, tie). A question of this sort to another player is no such
moment, as a secret may decide whether it is asked.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from attrs import define, field, frozen

from rulekit.common.i18n.languages import HOME
from rulekit.engine.kernel.position import Mark, Position
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.knowledge.visibility import SPECTATOR
from rulekit.runtime.records import kind_of
from rulekit.runtime.slots import CHANGED, SCOPE_ENDED

P = TypeVar("P", bound=Position)
CERTAIN = ("choose", "window")  # kinds of decisions that are asked even with only one answer
UNOBSERVED_KINDS = (CHANGED, SCOPE_ENDED)  # kinds of records that a player may be unable to observe
# computes a player's observation of a position. Positions that look the same have equal ones
Picture = Callable[[Observer], object]


class ObservedChoice(NamedTuple):
    """The observer's view after a choice.

    Attributes:
        mark: the mark with which the choice began.
        sees: the number of choices before the moment that the observer sees.
        number: the number of moves that the observer counts.
        open: True if the next moment belongs to this move. The observer saw their own choice at
            once, although the next question goes to another player and may be no moment.
    """

    mark: Mark | None
    sees: int
    number: int
    open: bool


@define
class PlayerHistory:
    """The moves that one player has observed so far.

    It is stored with the state and never changed after that, so several threads may read it.

    Attributes:
        after: the view after no choice, one choice, two choices, and so on.
        at: the number of choices before the moment of `picture`.
        picture: the observation at the moment that the player saw last.
    """

    after: list[ObservedChoice] = field(factory=list)
    at: int = -1
    picture: object = None

    def stand(self, marks: Sequence[Mark], number: int) -> bool:
        """Return True if the view after this number of choices is still valid.

        A choice that replaced another one has a different mark. With no choice at all the answer is
        False, because the position may have been arranged since.
        """
        return (
            0 < number < len(self.after)
            and number <= len(marks)
            and self.after[number].mark is marks[number - 1]
        )

    def followed(self, state: Position, me: int, picture: Picture) -> PlayerHistory:
        """Return the notes after all choices of the state."""
        marks, known = state.marks, len(self.after) - 1
        if known == len(marks) and self.stand(marks, known):
            return self
        while known > 0 and not self.stand(marks, known):
            known -= 1
        after = self.after[: known + 1] if known > 0 else []
        made = PlayerHistory(after, self.at if self.at < len(after) else -1, self.picture)
        if len(after) <= len(marks):
            made._follow(state.in_language(HOME), me, picture)
        return made

    def _follow(self, state: Position, me: int, picture: Picture) -> None:
        """Process the choices that the notes do not contain yet."""
        marks, after = state.marks, self.after
        stands = _stands(state, len(after))
        for number in range(len(after), len(marks) + 1):
            after.append(self._next(state, me, picture, number, stands[number]))

    def _next(
        self, state: Position, me: int, picture: Picture, number: int, stand: tuple[bool, int, str]
    ) -> ObservedChoice:
        """Return the observer's view after this choice.

        Args:
            stand: whether the game is over, the player who is asked, and the kind of the decision.
        """
        over, asked, kind = stand
        sure = over or asked == me != SPECTATOR
        settled = sure or kind in CERTAIN
        if number == 0:
            return ObservedChoice(None, 0, 0, not settled)
        mark, last = state.marks[number - 1], self.after[-1]
        if mark.chooser == me != SPECTATOR:
            return ObservedChoice(mark, number, last.number + 1, not settled)
        if not settled:
            return last._replace(mark=mark)
        if last.open:
            return ObservedChoice(mark, number, last.number, False)
        if (
            sure
            or _is_observed(state, last.sees, number)
            or self._differs(state, me, picture, last.sees, number)
        ):
            return ObservedChoice(mark, number, last.number + 1, False)
        return last._replace(mark=mark)

    def _differs(self, state: Position, me: int, picture: Picture, before: int, now: int) -> bool:
        """Return True if the observation differs from the one before."""
        if self.at != before:
            self.at, self.picture = before, picture(Observer(back_to(state, before), _player(me)))
        found = picture(Observer(back_to(state, now), _player(me)))
        if found == self.picture:
            return False
        self.at, self.picture = now, found
        return True


NOTHING = PlayerHistory()


@frozen
class ObservableHistory:
    """The choices of a game as one player, or a spectator, can observe them.

    Attributes:
        whole: the game itself.
        state: the game at the moment that the observer sees.
        after: the view after each number of choices. Empty if the observer sees all of them.
    """

    whole: Position
    state: Position
    after: Sequence[ObservedChoice] = ()

    @classmethod
    def of(
        cls, state: Position, player: int | str | None, picture: Picture, over: bool = False
    ) -> ObservableHistory:
        """Return the observable history of a player, or of a spectator for None.

        Args:
            over: True if everybody may know everything, as at the end of the game.
        """
        if over or not state.table.hides_choices or state.is_terminal():
            return cls(state, state)
        me = SPECTATOR if player is None else state.names.side(player)
        notes = state.observed[me] = state.observed.get(me, NOTHING).followed(state, me, picture)
        return cls(state, back_to(state, notes.after[-1].sees), notes.after)

    @property
    def now(self) -> int:
        """The number of moves that the observer has seen."""
        return self.after[-1].number if self.after else self.whole.move_number()

    @property
    def sees(self) -> int:
        """The number of choices before the moment that the observer sees."""
        return self.after[-1].sees if self.after else self.whole.move_number()

    def observed_number(self, choice: int) -> int:
        """Return the number by which the observer knows a choice, or 0 for the beginning.

        It is the number of the moment at which the choice was reported.
        """
        if not self.after:
            return choice
        return next(
            (each.number for at, each in enumerate(self.after[choice:], choice) if each.sees == at),
            self.now,
        )

    def counts(self, choice: int) -> bool:
        """Return True if the observer counts this choice (from 1) as a move."""
        return not self.after or self.after[choice].number > self.after[choice - 1].number

    def choice(self, number: int) -> int:
        """Return the number of choices before the moment that the observer knows by this number."""
        if not self.after:
            return number
        return self.after[bisect_right(self.after, number, key=lambda each: each.number) - 1].sees

    def made(self, number: int) -> int:
        """Return the choice (from 1) that the observer knows by this number, or 0 for 0.

        It is the last choice before it was first reported.
        """
        if not self.after or not number:
            return number
        return self.after[bisect_left(self.after, number, key=lambda each: each.number)].sees

    def chooser(self, number: int) -> int:
        """Return the ordinal of the player who made the move of this number, or -1."""
        return self.whole.chooser(self.made(number))


def back_to(state: P, choices: int) -> P:
    """Return the state as it was after a number of choices: itself, or a copy."""
    if choices == state.move_number():
        return state
    there = state.clone()
    while there.move_number() > choices:
        there.undo()
    return there


def _stands(state: Position, first: int) -> dict[int, tuple[bool, int, str]]:
    """Return the status after each number of choices from `first` on.

    A status is (is over, player asked, kind of decision).
    """
    there, found = (
        state if first == state.move_number() else state.clone(),
        dict[int, tuple[bool, int, str]](),
    )
    while True:
        over = there.is_terminal()
        found[there.move_number()] = (
            over,
            there.current_player(),
            "" if over else there.asking.kind,
        )
        if there.move_number() == first:
            return found
        there.undo()


def _is_observed(state: Position, before: int, now: int) -> bool:
    """Return True if an event between two moments was reported to everybody."""
    begin, _ = state.events_of(before + 1)
    _, end = state.events_of(now)
    return any(kind_of(record) not in UNOBSERVED_KINDS for record in state.records(begin, end))


def _player(me: int) -> int | None:
    return None if me == SPECTATOR else me
