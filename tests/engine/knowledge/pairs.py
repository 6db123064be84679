"""Plays a game twice so that only hidden choices, draws and deals differ, and compares all that an
observer sees.

It has no theory of information flow. Values and pools declare who may see them (`seen by`). Two
plays that show an observer the same values, and differ only in hidden ones, must look the same to
them until something is revealed. Any other difference is a leak.

The second play begins as a copy, as a copy with other future dice, or as a twin in which
indistinguishable things are swapped (`twins`). Then other players choose differently in it. The
option differs only in its arguments, or leads to the same events, as long as the visible values
stay equal.

If no hidden value differs afterwards, the choice may be a public one that no value stores. Then a
difference counts as a leak only once the choice shows in a hidden value. A pair ends if visible
values differ, or if an event has revealed something.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from attrs import define, field

import rulekit
from rulekit.cli.terminal.screen import Screen
from rulekit.cli.terminal.since_last import event_lines as lines
from rulekit.common.errors import RulekitError
from rulekit.engine.explain.event_reasons import behind
from rulekit.engine.game.game import Game
from rulekit.engine.game.state import State
from rulekit.engine.knowledge.observation import Observer
from rulekit.presentation.seat import Seat
from rulekit.runtime import cells
from rulekit.runtime.slots import DIE_ROLLED, DRAWN, FIRST_EVENT, FIRST_SLOT, REVEALED
from tests.engine.knowledge.twins import Swap, _derived, refused, swaps

SPECTATOR = -1
PATIENCE = 12  # most choices of another player until the observer is asked in both plays
Told = dict[str, str]  # what the observer is told, by kind of report


@define
class Difference:
    """A difference between two plays.

    Attributes:
        seed, observer: reproduce it.
        where: the part that differs.
        one, other: its two values.
    """

    game: str
    seed: int
    observer: int
    where: str
    one: str
    other: str

    def __str__(self) -> str:
        at = next(
            (i for i, (a, b) in enumerate(zip(self.one, self.other, strict=False)) if a != b), 0
        )
        return (
            f"{self.game}, seed {self.seed}, observer {self.observer}, {self.where}:\n"
            f"  {self.one[max(0, at - 60) : at + 60]}\n  {self.other[max(0, at - 60) : at + 60]}"
        )


@define
class Counts:
    """Statistics of the comparison.

    Attributes:
        pairs: the number of pairs of plays.
        questions: the number of compared questions.
        apart: the number with different secrets.
        ends: the reasons why pairs ended.
    """

    pairs: int = 0
    questions: int = 0
    apart: int = 0
    ends: Counter[str] = field(factory=Counter)


def said(make: Callable[[], object]) -> str:
    """Return a result as text, or an error with its reason."""
    try:
        return json.dumps(make(), default=_plain, sort_keys=True)
    except RulekitError as error:
        return f"{type(error).__name__}: {error}"


def _plain(value: object) -> object:
    return value.to_json() if hasattr(value, "to_json") else str(value)


def told(state: State, observer: int, deep: int = 0, begin: int = 0) -> Iterator[tuple[str, str]]:
    """Yield all that an observer sees, piece by piece.

    Args:
        deep: with 1 also refusals, derivations and reasons of events, with 2 also computed results:
            forecast, odds, hint, analysis.
        begin: the choice at which real play began, after the arrangement.
    """
    who = None if observer == SPECTATOR else observer
    seat, looker = Seat(state, who), Observer(state, who)
    mine = observer >= 0 and state.current_player() == observer
    yield "view", said(looker.everything)
    yield "events", said(lambda: [(e.to_json(), e.ref) for e in looker.events()])
    yield (
        "question",
        said(
            lambda: [looker.prompt(), [(o.key, o.label) for o in looker.options()] if mine else []]
        ),
    )
    if not state.is_terminal():  # at the end of a game everybody counts all choices
        yield "seat", said(lambda: [seat.position(), seat.log(), seat.decision()])
    if deep:
        screen = Screen(state, who)
        yield (
            "screen",
            said(
                lambda: [
                    screen.everything(),
                    screen.map(),
                    list(screen.values().items()),
                    lines(state, looker.events(), {}),
                ]
            ),
        )
        yield "derivations", said(lambda: list(_derived(state, who)))
        yield "refusals", said(lambda: list(refused(state)) if mine else [])
        if state.move_number() > begin and state.choice_of_event(len(state.events) - 1) > begin:
            yield "reasons", said(lambda: behind(state, len(state.events) - 1, who))
        yield "options", said(lambda: looker.options() if mine else [])
    if deep > 1 and mine:
        yield "forecast", said(seat.forecast)
        yield "odds", said(seat.odds)
        yield "hint", said(seat.hint)
        yield "analyse", said(lambda: analysis(state, looker))


def analysis(state: State, looker: Observer) -> object:
    """Return the variations of the search as `analyse` prints them."""
    from rulekit.engine.search.analysis import Analyst
    from rulekit.engine.search.mcts import aims
    from rulekit.engine.search.search_agent import Effort, SearchAgent

    agent = SearchAgent(1, Effort(0.0, 200), given=aims(state.table.program), native=False)
    return [str(line) for line in Analyst(state, agent, 0).analysis(2, 3).lines]


def is_open(state: State, observer: int) -> object:
    """Return the visible part of a position: values, pools, unknown things, and the result."""
    seen = Observer(state, None if observer == SPECTATOR else observer).now()
    return seen["state"], seen["pools"], seen["unknown"], seen["result"]


def is_hidden(state: State, observer: int) -> object:
    """Return the values of a position that only others may see, or nobody."""
    everybody, code, out = (1 << len(state.names.sides)) - 1, state.table.code, list[int]()
    for at, cell in enumerate(state.table.program.cells):
        if cell.everyone or (cell.hidden and not cell.name.startswith("answer")):
            continue
        for keys in cells.places(cell):
            mask = 0 if cell.hidden else code.seen(state.slots, at, keys)
            if not (
                mask & everybody == everybody if observer == SPECTATOR else mask >> observer & 1
            ):
                out.append(state.raw(cell, keys))
    return out


def _named(state: State, observer: int) -> Iterator[tuple[int, int]]:
    """Yield the things that the observer has named in choices."""
    book = state.table.book
    for mark in state.marks:
        family = book.family(mark.option)
        if mark.chooser == observer and not family.arcs:
            yield from (
                (p.kind, value)
                for p, value in zip(family.params, book.arguments(family, mark.option), strict=True)
            )


@define
class Pair:
    """Two plays of one game.

    Attributes:
        swap: the things that are swapped in the second one.
    """

    one: State
    other: State
    observer: int
    rng: random.Random
    reveals: Collection[str] = ()
    swap: Swap | None = None
    begin: int = 0
    reseeded: bool = False
    apart: bool = False  # something hidden differs
    loose: bool = False  # they differ by a choice that is in no hidden cell yet
    waiting: tuple[str, str, str] | None = None  # the observed difference since then

    @classmethod
    def of(cls, game: Game, seed: int, observer: int, reveals: Collection[str]) -> Pair:
        """Return a pair at a random position."""
        rng = random.Random(f"{seed} {observer}")
        state = game.new(rng.choice(list(game.scenarios)) if game.scenarios else None, seed=seed)
        for _ in range(rng.choice((0, 0, 2, 9, 30, 80, 160))):
            state.apply_action(rng.choice(state.legal_actions()))
            if state.is_terminal():
                state = game.new(state.table.program.scenario or None, seed=seed)
        how = rng.random() if state.table.has_secrets else 1.0
        named = set(_named(state, observer))
        found = (
            [
                s
                for s in swaps(state, observer)
                if named.isdisjoint([(s.kind, s.one), (s.kind, s.other)])
            ]
            if how < 0.5
            else []
        )
        swap = rng.choice(found) if found else None
        if how > 0.8:
            other = state.clone()
            other.reseed(rng.getrandbits(40))
            return cls(
                state, other, observer, rng, reveals, None, state.move_number(), True, apart=True
            )
        other = swap.with_past() if swap is not None else state.clone()
        differs = swap is not None and other.slots[FIRST_SLOT:] != state.slots[FIRST_SLOT:]
        return cls(
            state,
            other,
            observer,
            rng,
            reveals,
            swap,
            state.move_number() if swap is not None else 0,
            apart=differs,
        )

    # ---------------------------------------------------------------- one step of both
    def step(self) -> str:
        """Make a choice in both plays, or some choices in one. Return the reason for which they
        end, or ''."""
        one, other = self.one, self.other
        if one.is_terminal() or other.is_terminal():
            return "over"
        asked, there = one.current_player(), other.current_player()
        before = len(one.log), len(other.log)
        if asked == self.observer and there == self.observer:
            self._same()
        elif self.observer in (asked, there):
            if (end := self._wait(other if asked == self.observer else one)) != "":
                return end
        elif one.slots[0] == other.slots[0]:
            self._others()
        else:
            for state in (one, other):
                state.apply_action(self.rng.choice(state.legal_actions()))
        return self._parted(before)

    def _parted(self, before: tuple[int, int]) -> str:
        if is_open(self.one, self.observer) != is_open(self.other, self.observer):
            return "what is open differs"
        new = [
            [r for r in state.log[begin:] if self._reveals(r)]
            for state, begin in zip((self.one, self.other), before, strict=True)
        ]
        return "revealed" if any(new) and new[0] != new[1] else ""

    def _reveals(self, record: tuple[int, ...]) -> bool:
        if record[0] == DRAWN and self.reseeded:  # whoever sees the target also sees the first draw
            return self.one.table.program.cells[record[3]].everyone or self._sees(
                record[3], record[4]
            )
        if record[0] < FIRST_EVENT:
            return record[0] in (REVEALED, DIE_ROLLED)
        info = self.one.table.program.events[record[0] - FIRST_EVENT]
        return info.reveals or info.name in self.reveals

    def _sees(self, cell: int, place: int) -> bool:
        keys = cells.keys_of(self.one.table.program.cells[cell], place)
        return self.observer >= 0 and bool(
            self.one.table.code.seen(self.one.slots, cell, keys) >> self.observer & 1
        )

    def _wait(self, state: State) -> str:
        """Make choices of other players until the observer decides."""
        for _ in range(PATIENCE):
            if state.is_terminal():
                return "over"
            if state.current_player() == self.observer:
                return ""
            state.apply_action(self.rng.choice(state.legal_actions()))
            if is_open(self.one, self.observer) != is_open(self.other, self.observer):
                return "what is open differs"
        return "not asked in both"

    def _same(self) -> None:
        """Choose the option with the same number in both plays, because the observer may only
        distinguish options by number."""
        legal = self.one.legal_actions()
        number = self.rng.randrange(len(legal))
        self.one.apply_action(legal[number])
        self.other.apply_action(self.other.legal_actions()[number])

    def _others(self) -> None:
        """Make a choice of another player, perhaps a different one in the second play."""
        one, other, book = self.one, self.other, self.one.table.book
        taken = self.rng.choice(one.legal_actions())
        family, legal, same = book.family(taken), other.legal_actions(), self._renamed(taken)
        alike = [id for id in legal if book.family(id) is family]
        if same not in legal or (len(legal) > 1 and not self.loose and self.rng.random() < 0.7):
            others = [id for id in legal if book.family(id) is not family]
            tried = [
                *self.rng.sample(alike, min(5, len(alike))),
                *self.rng.sample(others, min(2, len(others))),
            ]
            for id in tried:
                if id != same and self._otherwise(taken, id, same, id in others):
                    return
        one.apply_action(taken)
        other.apply_action(same if same in legal else self.rng.choice(alike or legal))

    def _otherwise(self, taken: int, id: int, same: int, strange: bool) -> bool:
        """Make a different choice in the second play if only something hidden differs by it, or
        perhaps if nothing does.

        Args:
            strange: the option is of another kind. Then the events must be the same.
        """
        here, there = self.one.clone(), self.other.clone()
        here.apply_action(taken)
        there.apply_action(id)
        if is_open(here, self.observer) != is_open(there, self.observer):
            return False
        if strange and [r[0] for r in here.log[len(self.one.log) :]] != [
            r[0] for r in there.log[len(self.other.log) :]
        ]:
            return False
        firm = (
            self._adds(self.other, there, same)
            if self.apart
            else is_hidden(here, self.observer) != is_hidden(there, self.observer)
        )
        if not firm and (self.apart or strange or self.rng.random() < 0.6):
            return False
        self.one.apply_action(taken)
        self.other.apply_action(id)
        self.apart, self.loose = self.apart or firm, self.loose or not firm
        return True

    def _adds(self, before: State, there: State, same: int) -> bool:
        """Return True if hidden values differ from those after the same choice."""
        if same not in before.legal_actions():
            return True
        alike = before.clone()
        alike.apply_action(same)
        return is_hidden(alike, self.observer) != is_hidden(there, self.observer)

    def _renamed(self, id: int) -> int:
        """Return the same option after the swap."""
        if self.swap is None:
            return id
        book = self.one.table.book
        family = book.family(id)
        if family.arcs:
            return id
        values = [
            self.swap.member(p.kind, value)
            for p, value in zip(family.params, book.arguments(family, id), strict=True)
        ]
        return book.id_of(family, values)

    # ---------------------------------------------------------------- comparing
    def may_compare(self) -> bool:
        """Return True if both plays are at the same question, or the observer decides in both."""
        one, other = self.one, self.other
        return (
            one.slots[0] == other.slots[0]
            or one.current_player() == other.current_player() == self.observer
        )

    def leak(self, deep: int) -> tuple[str, str, str] | None:
        """Return the place and both values of a difference, if only hidden values differ."""
        if self.loose and is_hidden(self.one, self.observer) != is_hidden(
            self.other, self.observer
        ):
            self.apart, self.loose = True, False
            if self.waiting is not None:
                return self.waiting
        if not self.apart and not self.loose:
            return None
        found = next(self._differences(deep if self.apart else 0), None)
        if self.apart:
            return found
        self.waiting = self.waiting or found
        return None

    def _differences(self, deep: int) -> Iterator[tuple[str, str, str]]:
        one, other = (
            told(state, self.observer, deep, self.begin) for state in (self.one, self.other)
        )
        for (where, here), (_, there) in zip(one, other, strict=False):
            if here != there:
                yield where, here, there


def leaks(
    game: Game,
    seeds: Collection[int],
    reveals: Collection[str] = (),
    steps: int = 14,
    deep: int = 1,
    counts: Counts | None = None,
    every: int = 1,
) -> Iterator[Difference]:
    """Yield the first difference of each pair that has one.

    Args:
        reveals: the events by which the game reveals secrets.
        deep: the depth of each `every`th question, see `told`.
    """
    counts = Counts() if counts is None else counts
    for seed in seeds:
        observer = seed % (len(game.sides) + 1) - 1
        try:
            pair = Pair.of(game, seed, observer, reveals)
        except RulekitError:
            continue
        counts.pairs += 1
        end = "long"
        for step in range(steps):
            if pair.may_compare():
                found = pair.leak(deep if step % every == 0 else 0)
                counts.questions += pair.apart
                if found is not None:
                    yield Difference(game.name, seed, observer, *found)
                    end = "leak"
                    break
            try:
                end = pair.step()
            except RulekitError:  # of the rules
                end = "error"
            if end:
                break
        counts.apart += pair.apart
        counts.ends[end or "long"] += 1


ROOT = Path(__file__).resolve().parents[3]
REVEALS = ("bids_shown",)  # events that reveal secrets by design


def main(folder: str, questions: int, deep: int, first: int = 0) -> int:
    """Compare a number of questions of a game and return the number of differences."""
    game, counts, found, seed = rulekit.load(folder), Counts(), 0, first
    while counts.questions < questions:
        for leak in leaks(game, range(seed, seed + 8), REVEALS, 24, deep, counts):
            found += 1
            print(leak, flush=True)
        seed += 8
    print(
        f"{game.name}: {counts.questions} questions of {counts.pairs} pairs ({counts.apart} with"
        f" secrets apart), {found} differ; ended: {dict(counts.ends)}",
        flush=True,
    )
    return found


if __name__ == "__main__":
    sys.exit(
        1 if main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), *map(int, sys.argv[4:])) else 0
    )
