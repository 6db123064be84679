"""Takes a state and a player, makes `Count`: the choices of the game as he can notice them, and the
moment of it that he sees.

What is told to him changes only at moments at which he would be told something in every game that
is the same to his eyes. A question whose only answer is taken without asking (pick, group, walk,
tie) is no such moment, when another is asked it: whether it is asked may hang on what he may not
know."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from attrs import define, field, frozen

from rulekit.engine.kernel.names import SOURCE_LANGUAGE
from rulekit.engine.kernel.position import Mark, Position
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.knowledge.visibility import SPECTATOR
from rulekit.runtime.slots import CHANGED, SCOPE_ENDED

P = TypeVar("P", bound=Position)
CERTAIN = ("choose", "window")  # what is asked though there is one answer only
UNTOLD = (CHANGED, SCOPE_ENDED)  # records of which a player may be told nothing
Picture = Callable[
    [Observer], object
]  # what a player sees of a position; two that are the same to his eyes are equal


class Noted(NamedTuple):
    """After a choice: the `mark` with which it began, the choices before the moment that he `sees`,
    the `number` of choices that he counts, and whether the next moment belongs to this one
    (`open`): he saw what he chose himself at once, though another is asked what may not be a
    moment."""

    mark: Mark | None
    sees: int
    number: int
    open: bool


@define
class Notes:
    """What one player has noticed: `after` no choice, one, two, ...; the `picture` of the moment
    that he saw last, and which that is (`at`). Kept with the state, and changed no more then: it
    may be read from several threads."""

    after: list[Noted] = field(factory=list)
    at: int = -1
    picture: object = None

    def stand(self, marks: Sequence[Mark], number: int) -> bool:
        """Does it know what was noticed after so many of these choices? What was chosen instead of
        another has another mark; where nothing was chosen the position may have been arranged
        since."""
        return (
            0 < number < len(self.after)
            and number <= len(marks)
            and self.after[number].mark is marks[number - 1]
        )

    def followed(self, state: Position, me: int, picture: Picture) -> Notes:
        """The same after all choices of the state."""
        marks, known = state.marks, len(self.after) - 1
        if known == len(marks) and self.stand(marks, known):
            return self
        while known > 0 and not self.stand(marks, known):
            known -= 1
        after = self.after[: known + 1] if known > 0 else []
        made = Notes(after, self.at if self.at < len(after) else -1, self.picture)
        if len(after) <= len(marks):
            made._follow(state.in_language(SOURCE_LANGUAGE), me, picture)
        return made

    def _follow(self, state: Position, me: int, picture: Picture) -> None:
        """Looks at the choices that it does not know yet."""
        marks, after = state.marks, self.after
        stands = _stands(state, len(after))
        for number in range(len(after), len(marks) + 1):
            after.append(self._next(state, me, picture, number, stands[number]))

    def _next(
        self, state: Position, me: int, picture: Picture, number: int, stand: tuple[bool, int, str]
    ) -> Noted:
        """What he sees after this choice. `stand`: is the game over, who is asked, in which way."""
        over, asked, kind = stand
        sure = over or asked == me != SPECTATOR
        settled = sure or kind in CERTAIN
        if number == 0:
            return Noted(None, 0, 0, not settled)
        mark, last = state.marks[number - 1], self.after[-1]
        if mark[3] == me != SPECTATOR:
            return Noted(mark, number, last.number + 1, not settled)
        if not settled:
            return last._replace(mark=mark)
        if last.open:
            return Noted(mark, number, last.number, False)
        if (
            sure
            or _told(state, last.sees, number)
            or self._differs(state, me, picture, last.sees, number)
        ):
            return Noted(mark, number, last.number + 1, False)
        return last._replace(mark=mark)

    def _differs(self, state: Position, me: int, picture: Picture, before: int, now: int) -> bool:
        """Does he see something else now than before?"""
        if self.at != before:
            self.at, self.picture = before, picture(Observer(back_to(state, before), _player(me)))
        found = picture(Observer(back_to(state, now), _player(me)))
        if found == self.picture:
            return False
        self.at, self.picture = now, found
        return True


NOTHING = Notes()


@frozen
class Count:
    """The choices of a game as one player, or an onlooker, can notice them. `state`: the game at
    the moment that he sees; `after`: empty where he notices all of them."""

    whole: Position
    state: Position
    after: Sequence[Noted] = ()

    @classmethod
    def of(
        cls, state: Position, player: int | str | None, picture: Picture, over: bool = False
    ) -> Count:
        """`over`: everybody may know all that there was, as at the end of the game."""
        if over or not state.table.hides_choices or state.is_terminal():
            return cls(state, state)
        me = SPECTATOR if player is None else state.names.side(player)
        notes = state.noticed[me] = state.noticed.get(me, NOTHING).followed(state, me, picture)
        return cls(state, back_to(state, notes.after[-1].sees), notes.after)

    @property
    def now(self) -> int:
        """How many choices he has noticed."""
        return self.after[-1].number if self.after else self.whole.choices_count()

    @property
    def sees(self) -> int:
        """How many choices were made before the moment that he sees."""
        return self.after[-1].sees if self.after else self.whole.choices_count()

    def told(self, choice: int) -> int:
        """The number that he knows a choice by (0: the beginning): that of the moment at which he
        was told of it."""
        if not self.after:
            return choice
        return next(
            (each.number for at, each in enumerate(self.after[choice:], choice) if each.sees == at),
            self.now,
        )

    def counts(self, choice: int) -> bool:
        """Does he count this one (from 1)?"""
        return not self.after or self.after[choice].number > self.after[choice - 1].number

    def choice(self, number: int) -> int:
        """How many choices were made before the moment that he knows by this number."""
        if not self.after:
            return number
        return self.after[bisect_right(self.after, number, key=lambda each: each.number) - 1].sees

    def made(self, number: int) -> int:
        """Which choice (from 1) it is that he knows by this number, from 1: the last one before he
        was told of it first; of 0, 0."""
        if not self.after or not number:
            return number
        return self.after[bisect_left(self.after, number, key=lambda each: each.number)].sees

    def chooser(self, number: int) -> int:
        """The ordinal of the player who made the choice that he knows by this number; -1 if nobody
        did."""
        return self.whole.chooser(self.made(number))


def back_to(state: P, choices: int) -> P:
    """The state as it was after so many choices: itself, or a copy."""
    if choices == state.choices_count():
        return state
    there = state.clone()
    while there.choices_count() > choices:
        there.undo()
    return there


def _stands(state: Position, first: int) -> dict[int, tuple[bool, int, str]]:
    """After so many choices and each one more: is the game over, who is asked, in which way."""
    there, found = (
        state if first == state.choices_count() else state.clone(),
        dict[int, tuple[bool, int, str]](),
    )
    while True:
        over = there.is_terminal()
        found[there.choices_count()] = (
            over,
            there.current_player(),
            "" if over else there.asking.kind,
        )
        if there.choices_count() == first:
            return found
        there.undo()


def _told(state: Position, before: int, now: int) -> bool:
    """Has something happened between that everybody is told of?"""
    begin, end = state.events_of(before + 1)[0], state.events_of(now)[1]
    return any(record[0] not in UNTOLD for record in state.records(begin, end))


def _player(me: int) -> int | None:
    return None if me == SPECTATOR else me
